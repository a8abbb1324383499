/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "sim-case.h"

#include <signal.h>
#include <string.h>

#include "core/base/cyc-json.h"
#include "core/base/cyc-process.h"

void
case_start (Case              *c,
            const char        *mode,
            const char *const *env)
{
  c->service = test_service_new ();
  test_service_add_fake (c->service, "fake", mode, env);
  test_service_start (c->service);
  c->recorded = test_recorded_log (TEST_CONFIG, &c->recorded_len);
  c->run_id = test_service_start_run (c->service, "local", "fake", 1);
  c->sim_id = test_service_get_sim_id (c->service, c->run_id, 0);
}

void
case_clear (Case *c)
{
  test_service_stop (c->service);
  test_service_free (c->service);
  g_clear_pointer (&c->run, json_node_unref);
  g_free (c->run_id);
  g_free (c->sim_id);
  g_free (c->recorded);
}

void
case_finish (Case *c)
{
  c->run = test_service_wait_run (c->service, c->run_id);
  c->sim = test_run_get_sim (c->run, 0);
}

void
assert_log (Case *c,
            gsize expected)
{
  gsize len;
  g_autofree char *log = test_service_get_log (c->service, c->sim_id, &len);

  g_assert_cmpmem (log, len, c->recorded, expected);
}

/* What the worker wrote down: its process and that of the simulator. */
gint64
read_process (Case       *c,
              const char *member)
{
  g_autofree char *path = g_build_filename (test_service_get_folder (c->service), "jobs", c->sim_id,
                                            "worker.json", NULL);
  g_autoptr (JsonNode) node = cyc_json_parse_file (path, 65536, NULL);
  gint64 pid = 0;

  cyc_json_get_int (cyc_json_node_get_object (node), member, &pid);
  return pid;
}

gboolean
is_dead (gpointer data)
{
  return !cyc_process_is_alive (*(gint64 *) data, 0);
}

void
kill_process (gint64 pid)
{
  g_assert_cmpint (pid, >, 1);
  g_assert_cmpint (kill ((pid_t) pid, SIGKILL), ==, 0);
  test_wait (is_dead, &pid, "a killed process");
}

typedef struct
{
  Case  *c;
  gsize  bytes;
} Progress;

static gboolean
has_come_to (gpointer data)
{
  Progress *progress = data;
  gsize len;
  g_autofree char *log = test_service_get_log (progress->c->service, progress->c->sim_id, &len);

  return len >= progress->bytes;
}

void
wait_for_log (Case *c,
              gsize bytes)
{
  Progress progress = { c, bytes };

  test_wait (has_come_to, &progress, "a part of the log");
}

gboolean
says_so (gpointer data)
{
  Case *c = data;

  g_clear_pointer (&c->run, json_node_unref);
  c->run = test_service_get_run (c->service, c->run_id);
  c->sim = test_run_get_sim (c->run, 0);
  const char *error = test_text (c->sim, "error");
  return error != NULL && strstr (error, "the worker died") != NULL;
}

static gboolean
has_file (gpointer data)
{
  return g_file_test (data, G_FILE_TEST_EXISTS);
}

void
wait_for_job_file (Case       *c,
                   const char *name)
{
  g_autofree char *path = g_build_filename (test_service_get_folder (c->service), "jobs", c->sim_id,
                                            name, NULL);

  test_wait (has_file, path, name);
}

gboolean
job_is_gone (gpointer data)
{
  Case *c = data;
  g_autofree char *path = g_build_filename (test_service_get_folder (c->service), "jobs", c->sim_id, NULL);

  return !g_file_test (path, G_FILE_TEST_EXISTS);
}

gboolean
has_listed (Case       *c,
            const char *name)
{
  g_autofree char *path = g_strdup_printf ("/api/runs/%s/files", c->run_id);
  g_autoptr (JsonNode) files = test_service_ask (c->service, "GET", path, NULL, 200);
  JsonArray *list = json_node_get_array (files);

  for (guint i = 0; i < json_array_get_length (list); i++)
    if (strcmp (test_text (json_array_get_object_element (list, i), "name"), name) == 0)
      return TRUE;
  return FALSE;
}

void
assert_succeeded (Case *c)
{
  g_assert_cmpstr (test_text (c->sim, "state"), ==, "succeeded");
  g_assert_cmpstr (test_text (c->sim, "outcome"), ==, "succeeded");
  g_assert_cmpint (json_object_get_int_member (c->sim, "kernels_done"), ==, 5);
  assert_log (c, c->recorded_len);
}
