/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <signal.h>
#include <string.h>

#include "core/base/cyc-json-writer.h"
#include "foreign-sims.h"
#include "support/test-events.h"
#include "support/test-raw.h"

/* The engine is killed at fifty random points while a client sends files in parts and chunks of logs, and another
 * follows the events. What was acknowledged is there at the end, once; no event is missing; the run has ended in a true
 * state. The points come from GTest's seed: `--seed` repeats them. */

#define N_POINTS 50
#define MAX_WAIT_US 150000
#define N_SIMS 3
#define N_CHUNKS 150
#define FILE_SIZE 400000
#define MAX_PART 60000

typedef struct
{
  ForeignSims  sims;
  char        *log;                 /* what each sim prints */
  gsize        log_len;
  gsize        cuts[N_CHUNKS + 1];  /* where its chunks begin */
  guint        sent[N_SIMS];        /* chunks that were acknowledged */
  guchar      *bytes;               /* of every file */
  guint        n_files;             /* that are whole */
  gsize        offset;              /* of the file that is on its way: acknowledged */
  GHashTable  *positions;           /* sim id -> guint64: how much of its log the events have told */
  guint        n_snapshots;
  guint        n_logs;
} World;

static void
world_start (World *w)
{
  static const char *const from[] = { "running", "running", "running" };

  foreign_sims_start (&w->sims, from, N_SIMS);
  w->log = test_recorded_log (TEST_CONFIG, &w->log_len);
  for (guint i = 1; i < N_CHUNKS; i++)
    {
      gsize at = w->log_len * i / N_CHUNKS;
      w->cuts[i] = (gsize) (strchr (w->log + at, '\n') - w->log) + 1;
    }
  w->cuts[N_CHUNKS] = w->log_len;
  w->bytes = g_malloc (FILE_SIZE);
  for (guint i = 0; i < FILE_SIZE; i++)
    w->bytes[i] = (guchar) (i * 31 + i / 509);
  w->positions = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

static void
world_clear (World *w)
{
  foreign_sims_clear (&w->sims);
  g_hash_table_unref (w->positions);
  g_free (w->log);
  g_free (w->bytes);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (World, world_clear)

static char *
get_target (World *w,
            guint  n)
{
  return g_strdup_printf ("/api/traces/mine/files/traces/file-%u", n);
}

/* How much has come after a kill: at least what was acknowledged. */
static gboolean
look (World *w)
{
  g_autofree char *target = get_target (w, w->n_files);
  g_autoptr (TestAnswer) answer = test_raw_try (w->sims.service, "HEAD", target, NULL, NULL, 0);

  if (answer == NULL)
    return FALSE;
  g_autofree char *offset = test_answer_field (answer, "Upload-Offset");
  g_autofree char *whole = test_answer_field (answer, "Upload-Complete");
  gsize have = (gsize) g_ascii_strtoull (offset, NULL, 10);
  if (strcmp (whole, "?1") == 0)
    {
      g_assert_cmpuint (have, ==, FILE_SIZE);
      w->n_files++;
      have = 0;
    }
  else
    g_assert_cmpuint (have, >=, w->offset);
  /* Killed before the whole file got its name. */
  w->offset = have == FILE_SIZE ? FILE_SIZE - 1 : have;
  return TRUE;
}

static gboolean
put_part (World *w)
{
  g_autofree char *target = get_target (w, w->n_files);
  gsize most = (gsize) g_test_rand_int_range (1, MAX_PART);
  gsize len = MIN (most, FILE_SIZE - w->offset);
  g_autofree char *fields = g_strdup_printf ("Content-Range: bytes %" G_GSIZE_FORMAT "-%" G_GSIZE_FORMAT "/%d\r\n",
                                             w->offset, w->offset + len - 1, FILE_SIZE);
  g_autoptr (TestAnswer) answer =
    test_raw_try (w->sims.service, "PUT", target, fields, w->bytes + w->offset, len);

  if (answer == NULL)
    return FALSE;
  w->offset += len;
  if (answer->status != (w->offset == FILE_SIZE ? 200 : 202))
    g_error ("%s%s: status %u: %s", fields, target, answer->status,
             (const char *) g_bytes_get_data (answer->body, NULL));
  if (w->offset < FILE_SIZE)
    return TRUE;
  w->n_files++;
  w->offset = 0;
  return TRUE;
}

static gboolean
post_chunk (World *w,
            guint  index)
{
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);
  g_autofree char *path = g_strdup_printf ("/api/sims/%s/logs", w->sims.ids[index]);
  guint n = w->sent[index];

  if (n == N_CHUNKS)
    return TRUE;
  g_autofree char *text = g_strndup (w->log + w->cuts[n], w->cuts[n + 1] - w->cuts[n] - 1);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_int (writer, "seq", n);
  cyc_json_writer_put_strings (writer, "lines", (const char *const *) lines);
  cyc_json_writer_end_object (writer);
  g_autoptr (GString) body = cyc_json_writer_steal (writer);
  g_autoptr (TestAnswer) answer = test_raw_try (w->sims.service, "POST", path, NULL, body->str, body->len);
  if (answer == NULL)
    return FALSE;
  g_assert_cmpuint (answer->status, ==, 200);
  w->sent[index]++;
  return TRUE;
}

static gboolean
beat (World      *w,
      guint       index,
      const char *body)
{
  g_autofree char *path = g_strdup_printf ("/api/sims/%s/heartbeat", w->sims.ids[index]);
  g_autoptr (TestAnswer) answer = test_raw_try (w->sims.service, "POST", path, NULL, body, strlen (body));

  if (answer != NULL)
    g_assert_cmpuint (answer->status, ==, 200);
  return answer != NULL;
}

static gboolean
do_something (World *w)
{
  int what = g_test_rand_int_range (0, 10);

  if (what < 4)
    return put_part (w);
  if (what < 9)
    return post_chunk (w, (guint) g_test_rand_int_range (0, N_SIMS));
  return beat (w, (guint) g_test_rand_int_range (0, N_SIMS), "{\"state\":\"running\"}");
}

/* Follows until the stream ends. What events tell of a log goes on where the last one, or the snapshot, ended. */
static gpointer
follow_thread (gpointer data)
{
  World *w = ((gpointer *) data)[0];
  TestEvents *events = ((gpointer *) data)[1];
  JsonObject *event;

  while ((event = test_events_next (events)) != NULL)
    {
      const char *type = test_text (event, "type");
      if (strcmp (type, "snapshot") == 0)
        {
          JsonObject *bytes = json_object_get_object_member (event, "log_bytes");
          w->n_snapshots++;
          for (guint i = 0; i < N_SIMS; i++)
            {
              guint64 *position = g_hash_table_lookup (w->positions, w->sims.ids[i]);
              guint64 now = (guint64) json_object_get_int_member (bytes, w->sims.ids[i]);
              /* What was told was on disk. */
              g_assert_cmpuint (now, >=, position == NULL ? 0 : *position);
              g_hash_table_insert (w->positions, g_strdup (w->sims.ids[i]), g_memdup2 (&now, sizeof now));
            }
        }
      else if (strcmp (type, "log") == 0)
        {
          guint64 *position = g_hash_table_lookup (w->positions, test_text (event, "sim_id"));
          JsonArray *lines = json_object_get_array_member (event, "lines");
          g_assert_cmpuint ((guint64) json_object_get_int_member (event, "offset"), ==, *position);
          for (guint i = 0; i < json_array_get_length (lines); i++)
            {
              gsize len = strlen (json_array_get_string_element (lines, i));
              g_assert_cmpmem (w->log + *position, len, json_array_get_string_element (lines, i), len);
              *position += len + 1;
            }
          w->n_logs++;
        }
    }
  return NULL;
}

typedef struct
{
  pid_t pid;
  guint wait_us;
} Kill;

static gpointer
kill_thread (gpointer data)
{
  const Kill *k = data;

  g_usleep (k->wait_us);
  kill (k->pid, SIGKILL);
  return NULL;
}

/* One engine's life. */
static void
live (World *w)
{
  Kill k = { (pid_t) test_service_get_pid (w->sims.service), (guint) g_test_rand_int_range (0, MAX_WAIT_US) };
  g_autofree char *path = g_strdup_printf ("/api/runs/%s/events", w->sims.run_id);
  g_autoptr (TestEvents) events = test_events_open (w->sims.service, path, "00000000-7");
  gpointer follow[] = { w, events };
  GThread *follower = g_thread_new ("follow", follow_thread, follow);
  GThread *killer = g_thread_new ("kill", kill_thread, &k);

  g_test_message ("killed after %u us, %u files and %" G_GSIZE_FORMAT " bytes, chunks %u %u %u", k.wait_us, w->n_files,
                  w->offset, w->sent[0], w->sent[1], w->sent[2]);
  if (look (w))
    while (do_something (w))
      ;
  g_thread_join (killer);
  g_thread_join (follower);
  test_service_replace (w->sims.service);
}

static void
check_files (World *w)
{
  for (guint i = 0; i < w->n_files; i++)
    {
      g_autofree char *name = g_strdup_printf ("file-%u", i);
      g_autofree char *path =
        g_build_filename (test_service_get_folder (w->sims.service), "traces", "mine", "traces", name, NULL);
      g_autofree char *text = NULL;
      gsize len;
      g_assert_true (g_file_get_contents (path, &text, &len, NULL));
      g_assert_cmpmem (text, len, w->bytes, FILE_SIZE);
    }
}

static void
check_sims (World *w)
{
  g_autoptr (JsonNode) run = test_service_get_run (w->sims.service, w->sims.run_id);

  for (guint i = 0; i < N_SIMS; i++)
    {
      gsize len;
      g_autofree char *log = test_service_get_log (w->sims.service, w->sims.ids[i], &len);
      JsonObject *sim = test_run_get_sim (run, i + 1);
      g_assert_cmpmem (log, len, w->log, w->log_len);
      g_assert_cmpstr (test_text (sim, "state"), ==, "succeeded");
      g_assert_cmpint (json_object_get_int_member (sim, "kernels_done"), ==, 5);
    }
  /* The one that never reported is cancelled: some succeeded, one did not. */
  g_assert_cmpstr (test_text (json_node_get_object (run), "state"), ==, "partial");
}

static void
test_killed (void)
{
  g_auto (World) w = { 0 };

  world_start (&w);
  for (guint i = 0; i < N_POINTS; i++)
    live (&w);
  g_assert_true (look (&w));
  while (w.offset > 0)
    g_assert_true (put_part (&w));
  for (guint i = 0; i < N_SIMS; i++)
    {
      while (w.sent[i] < N_CHUNKS)
        g_assert_true (post_chunk (&w, i));
      g_assert_true (beat (&w, i, "{\"state\":\"succeeded\",\"exit_code\":0}"));
    }
  g_autofree char *cancel = g_strdup_printf ("/api/runs/%s/cancel", w.sims.run_id);
  g_autoptr (JsonNode) cancelled = test_service_ask (w.sims.service, "POST", cancel, "", 200);
  check_files (&w);
  check_sims (&w);
  g_test_message ("%u files, %u snapshots, %u log events", w.n_files, w.n_snapshots, w.n_logs);
  g_assert_cmpuint (w.n_files, >, 0);
  g_assert_cmpuint (w.n_logs, >, 0);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/e2e/random-api/killed", test_killed);
  return g_test_run ();
}
