/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "foreign-sims.h"

#include <sqlite3.h>
#include <string.h>

static void
set_state (sqlite3    *db,
           const char *id,
           const char *state)
{
  sqlite3_stmt *stmt;

  /* A chunk was acknowledged: such a sim is not started anew. */
  g_assert_cmpint (sqlite3_prepare_v2 (db, "UPDATE sims SET state = ?2, launched = ?2 <> 'pending',"
                                       " next_seq = ?2 = 'launching' WHERE id = ?1", -1, &stmt, NULL),
                   ==, SQLITE_OK);
  sqlite3_bind_text (stmt, 1, id, -1, SQLITE_STATIC);
  sqlite3_bind_text (stmt, 2, state, -1, SQLITE_STATIC);
  g_assert_cmpint (sqlite3_step (stmt), ==, SQLITE_DONE);
  sqlite3_finalize (stmt);
}

void
foreign_sims_start (ForeignSims        *self,
                    const char *const  *states,
                    guint               n)
{
  static const char *const empty[] = { "FAKE_SIM_LOG=/dev/null", NULL };
  sqlite3 *db;

  self->service = test_service_new ();
  test_service_add_fake (self->service, "silent", "hang", empty);
  test_service_set_parallel (self->service, 1);
  test_service_start (self->service);
  self->run_id = test_service_start_run (self->service, "local", "silent", n + 1);
  g_autoptr (JsonNode) run = test_service_wait_state (self->service, self->run_id, 0, "running");
  self->n = n;
  self->ids = g_new0 (char *, n + 1);
  for (guint i = 0; i < n; i++)
    self->ids[i] = g_strdup (test_text (test_run_get_sim (run, i + 1), "id"));

  test_service_kill (self->service);
  g_autofree char *path = g_build_filename (test_service_get_folder (self->service), "workspace.db", NULL);
  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  for (guint i = 0; i < n; i++)
    set_state (db, self->ids[i], states[i]);
  g_assert_cmpint (sqlite3_close (db), ==, SQLITE_OK);
  test_service_start (self->service);
}

void
foreign_sims_clear (ForeignSims *self)
{
  test_service_stop (self->service);
  test_service_free (self->service);
  g_free (self->run_id);
  g_strfreev (self->ids);
}

char *
foreign_sims_state (ForeignSims *self,
                    guint        index)
{
  g_autoptr (JsonNode) run = test_service_get_run (self->service, self->run_id);

  return g_strdup (test_text (test_run_get_sim (run, index + 1), "state"));
}

/* Returns the state that the answer tells. */
char *
foreign_sims_beat (ForeignSims *self,
                   guint        index,
                   const char  *body,
                   gboolean    *out_cancel)
{
  g_autofree char *path = g_strdup_printf ("/api/sims/%s/heartbeat", self->ids[index]);
  g_autoptr (JsonNode) ack = test_service_ask (self->service, "POST", path, body, 200);
  JsonObject *object = json_node_get_object (ack);

  *out_cancel = json_object_get_boolean_member (object, "cancel");
  return g_strdup (test_text (object, "state"));
}
