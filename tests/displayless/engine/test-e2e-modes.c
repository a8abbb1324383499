/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>

#include "core/base/cyc-process.h"
#include "support/test-service.h"

/* The fake simulator end to end, over real processes, HTTP and database: what it does, and what the
 * engine makes of it. The log that the engine keeps is compared with what the simulator wrote. */

typedef struct
{
  TestService *service;
  char        *run_id;
  char        *sim_id;
  JsonNode    *run;
  JsonObject  *sim;
  char        *log;
  gsize        log_len;
  char        *recorded;
  gsize        recorded_len;
} Case;

static void
case_start (Case              *c,
            const char        *mode,
            const char *const *env)
{
  memset (c, 0, sizeof *c);
  c->service = test_service_new ();
  test_service_add_fake (c->service, "fake", mode, env);
  test_service_start (c->service);
  c->recorded = test_recorded_log (TEST_CONFIG, &c->recorded_len);
  c->run_id = test_service_start_run (c->service, "local", "fake", 1);
  c->sim_id = test_service_get_sim_id (c->service, c->run_id, 0);
}

static void
case_finish (Case *c)
{
  c->run = test_service_wait_run (c->service, c->run_id);
  c->sim = test_run_get_sim (c->run, 0);
  c->log = test_service_get_log (c->service, c->sim_id, &c->log_len);
}

static void
case_clear (Case *c)
{
  test_service_stop (c->service);
  test_service_free (c->service);
  g_clear_pointer (&c->run, json_node_unref);
  g_free (c->run_id);
  g_free (c->sim_id);
  g_free (c->log);
  g_free (c->recorded);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

static void
assert_end (Case       *c,
            const char *state,
            const char *outcome,
            const char *reason,
            int         exit_code)
{
  g_assert_cmpstr (test_text (c->sim, "state"), ==, state);
  g_assert_cmpstr (test_text (c->sim, "outcome"), ==, outcome);
  g_assert_cmpstr (test_text (c->sim, "reason"), ==, reason);
  g_assert_cmpint (json_object_get_int_member (c->sim, "exit_code"), ==, exit_code);
  g_assert_nonnull (test_text (c->sim, "finished_at"));
}

static void
assert_log (Case *c,
            gsize len)
{
  g_assert_cmpmem (c->log, c->log_len, c->recorded, len);
}

static JsonObject *
find_file (JsonNode   *files,
           const char *name)
{
  JsonArray *list = json_node_get_array (files);

  for (guint i = 0; i < json_array_get_length (list); i++)
    {
      JsonObject *file = json_array_get_object_element (list, i);
      if (strcmp (test_text (file, "name"), name) == 0)
        return file;
    }
  return NULL;
}

static JsonNode *
list_files (Case *c)
{
  g_autofree char *path = g_strdup_printf ("/api/runs/%s/files", c->run_id);

  return test_service_ask (c->service, "GET", path, NULL, 200);
}

static GBytes *
get_file (Case       *c,
          const char *name)
{
  g_autofree char *path = g_strdup_printf ("/api/sims/%s/files/%s", c->sim_id, name);
  guint status;
  GBytes *bytes = test_service_send (c->service, "GET", path, NULL, NULL, 0, &status);

  g_assert_cmpuint (status, ==, 200);
  return bytes;
}

static void
test_succeed (void)
{
  g_auto (Case) c = { 0 };

  case_start (&c, "succeed", NULL);
  case_finish (&c);
  assert_end (&c, "succeeded", "succeeded", "ok", 0);
  assert_log (&c, c.recorded_len);
  g_assert_null (test_text (c.sim, "error"));
  g_assert_cmpint (json_object_get_int_member (c.sim, "kernels_done"), ==, 5);
  g_assert_cmpint (json_object_get_int_member (c.sim, "kernels_total"), ==, 5);
  g_assert_nonnull (test_text (c.sim, "started_at"));
  g_assert_nonnull (test_text (c.sim, "last_heartbeat_at"));
  g_autoptr (JsonNode) files = list_files (&c);
  g_assert_nonnull (find_file (files, "stderr.txt"));
}

static void
test_crash (void)
{
  g_auto (Case) c = { 0 };

  case_start (&c, "crash", NULL);
  case_finish (&c);
  assert_end (&c, "failed", "failed", "assertion", -SIGSEGV);
  assert_log (&c, c.recorded_len / 2);
  g_assert_nonnull (strstr (test_text (c.sim, "error"), "shader.cc:123"));
  g_autoptr (GBytes) text = get_file (&c, "stderr.txt");
  g_assert_nonnull (g_strstr_len (g_bytes_get_data (text, NULL), (gssize) g_bytes_get_size (text),
                                  "Assertion `0 && \"crash\"' failed."));
}

static void
test_no_marker (void)
{
  g_auto (Case) c = { 0 };

  case_start (&c, "no-marker", NULL);
  case_finish (&c);
  assert_end (&c, "failed", "incomplete", "no_end_marker", 0);
  const char *marker = strstr (c.recorded, "GPGPU-Sim: *** exit detected ***");
  assert_log (&c, (gsize) (marker - c.recorded));
}

static void
test_bad_exit (void)
{
  static const char *const env[] = { "FAKE_SIM_EXIT=3", NULL };
  g_auto (Case) c = { 0 };

  case_start (&c, "succeed", env);
  case_finish (&c);
  g_assert_cmpstr (test_text (c.sim, "state"), ==, "failed");
  g_assert_cmpstr (test_text (c.sim, "outcome"), ==, "failed");
  g_assert_cmpint (json_object_get_int_member (c.sim, "exit_code"), ==, 3);
  assert_log (&c, c.recorded_len);
}

/* What was in the simulator's buffer is lost; what reached the file is not. */
static void
test_unflushed (void)
{
  g_auto (Case) c = { 0 };

  case_start (&c, "unflushed", NULL);
  case_finish (&c);
  assert_end (&c, "failed", "failed", "crashed", -SIGABRT);
  g_assert_cmpuint (c.log_len, <=, c.recorded_len / 2);
  g_assert_cmpuint (c.log_len + BUFSIZ, >=, c.recorded_len / 2);
  assert_log (&c, c.log_len);
}

static void
cancel (Case *c)
{
  g_autofree char *path = g_strdup_printf ("/api/runs/%s/cancel", c->run_id);
  g_autoptr (JsonNode) run = test_service_ask (c->service, "POST", path, "", 200);

  /* At once, whatever the simulator does. */
  g_assert_cmpstr (test_text (json_node_get_object (run), "state"), ==, "cancelled");
  g_assert_cmpstr (test_text (test_run_get_sim (run, 0), "state"), ==, "cancelled");
}

typedef struct
{
  Case  *c;
  gsize  len;
} LogWait;

static gboolean
has_log (gpointer data)
{
  LogWait *wait = data;

  g_clear_pointer (&wait->c->log, g_free);
  wait->c->log = test_service_get_log (wait->c->service, wait->c->sim_id, &wait->c->log_len);
  return wait->c->log_len >= wait->len;
}

static gboolean
has_exit_code (gpointer data)
{
  Case *c = data;

  g_clear_pointer (&c->run, json_node_unref);
  c->run = test_service_get_run (c->service, c->run_id);
  c->sim = test_run_get_sim (c->run, 0);
  return !json_object_get_null_member (c->sim, "exit_code");
}

static gint64
read_grandchild (Case *c)
{
  g_autofree char *path = g_build_filename (test_service_get_folder (c->service), "jobs", c->sim_id,
                                            "work", "grandchild.pid", NULL);
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return g_ascii_strtoll (text, NULL, 10);
}

static void
test_hang (void)
{
  g_auto (Case) c = { 0 };

  case_start (&c, "hang", NULL);
  LogWait wait = { &c, c.recorded_len / 2 - 200 };
  test_wait (has_log, &wait, "half of the log");
  g_autoptr (JsonNode) running = test_service_wait_state (c.service, c.run_id, 0, "running");
  cancel (&c);
  /* The worker reports all the same: the end of the log, and how the simulator ended. */
  test_wait (has_exit_code, &c, "an exit code");
  g_assert_cmpstr (test_text (c.sim, "state"), ==, "cancelled");
  g_assert_cmpint (json_object_get_int_member (c.sim, "exit_code"), ==, -SIGTERM);
  wait.len = c.recorded_len / 2;
  test_wait (has_log, &wait, "the end of the log");
  assert_log (&c, c.recorded_len / 2);
}

static void
test_ignore_term (void)
{
  g_auto (Case) c = { 0 };

  case_start (&c, "ignore-term", NULL);
  LogWait wait = { &c, c.recorded_len / 2 - 200 };
  test_wait (has_log, &wait, "half of the log");
  gint64 grandchild = read_grandchild (&c);
  guint64 start = cyc_process_get_start_time (grandchild);
  g_assert_cmpuint (start, !=, 0);
  cancel (&c);
  test_wait (has_exit_code, &c, "an exit code");
  g_assert_cmpstr (test_text (c.sim, "state"), ==, "cancelled");
  g_assert_cmpint (json_object_get_int_member (c.sim, "exit_code"), ==, -SIGKILL);
  g_assert_false (cyc_process_is_alive (grandchild, start));
  wait.len = c.recorded_len / 2;
  test_wait (has_log, &wait, "the end of the log");
  assert_log (&c, c.recorded_len / 2);
}

/* A grandchild writes on when the simulator has ended: its lines belong to the log. */
static void
test_grandchild (void)
{
  g_auto (Case) c = { 0 };

  case_start (&c, "grandchild", NULL);
  case_finish (&c);
  assert_end (&c, "succeeded", "succeeded", "ok", 0);
  g_assert_cmpuint (c.log_len, >=, c.recorded_len);
  g_assert_cmpmem (c.log, c.recorded_len, c.recorded, c.recorded_len);
  for (const char *p = c.log + c.recorded_len; *p != '\0'; p += strlen ("a grandchild writes\n"))
    g_assert_true (g_str_has_prefix (p, "a grandchild writes\n"));
}

/* Every line is there, once, in order. */
static void
test_flood (void)
{
  static const char *const env[] = { "FAKE_SIM_BYTES=67108864", NULL };
  g_auto (Case) c = { 0 };
  guint64 lines = 0;

  case_start (&c, "flood", env);
  case_finish (&c);
  assert_end (&c, "failed", "incomplete", "no_end_marker", 0);
  g_assert_cmpuint (c.log_len, >=, 67108864);
  for (const char *p = c.log; *p != '\0'; lines++)
    {
      char line[80];
      int len = g_snprintf (line, sizeof line,
                            "thread block = %" G_GUINT64_FORMAT ",0,0 of a flood of lines\n", lines);
      g_assert_cmpmem (p, MIN ((gsize) len, strnlen (p, (gsize) len)), line, (gsize) len);
      p += len;
    }
}

/* What no text should hold, by the documented mapping, written out by hand. */
static void
test_bytes (void)
{
  g_autoptr (GString) expected = g_string_new ("caf\xc3\xa9 \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\n"
                                               "nul \xef\xbf\xbd in a line\r\n");
  g_auto (Case) c = { 0 };
  g_autoptr (GString) kept = g_string_new (NULL);
  static const char marker[] = " [cyclescope: line goes on]\n";

  for (guint i = 0; i < 300 * 1024; i++)
    g_string_append_c (expected, (char) ('a' + i % 26));
  g_string_append (expected, "\n\xef\xbf\xbd\xef\xbf\xbd\n\nno end \xe2\x82\xac \xef\xbf\xbd\xef\xbf\xbd");
  case_start (&c, "bytes", NULL);
  case_finish (&c);
  g_assert_cmpstr (test_text (c.sim, "state"), ==, "failed");
  /* The long line comes in pieces: without their marks it is the line. */
  const char *cut = strstr (c.log, marker);
  g_assert_nonnull (cut);
  g_string_append_len (kept, c.log, cut - c.log);
  g_string_append (kept, cut + strlen (marker));
  g_assert_null (strstr (cut + 1, marker));
  g_assert_cmpmem (kept->str, kept->len, expected->str, expected->len);
  for (char **p = g_strsplit (c.log, "\n", -1), **all = p;; p++)
    {
      if (*p == NULL)
        {
          g_strfreev (all);
          break;
        }
      g_assert_cmpuint (strlen (*p), <=, 256 * 1024);
    }
}

static void
test_files (void)
{
  g_auto (Case) c = { 0 };

  case_start (&c, "files", NULL);
  case_finish (&c);
  assert_end (&c, "succeeded", "succeeded", "ok", 0);
  g_autoptr (JsonNode) files = list_files (&c);
  JsonObject *power = find_file (files, "accelwattch_power_report.log.gz");
  g_assert_nonnull (power);
  g_assert_cmpstr (test_text (power, "content_type"), ==, "application/gzip");
  g_assert_cmpstr (test_text (power, "sim_id"), ==, c.sim_id);
  g_assert_cmpstr (test_text (power, "gpu_config"), ==, TEST_CONFIG);
  JsonObject *stats = find_file (files, "gpgpu_inst_stats.txt");
  g_assert_nonnull (stats);
  g_assert_cmpstr (test_text (stats, "content_type"), ==, "text/plain");
  g_assert_cmpint (json_object_get_int_member (stats, "size"), ==, 28);
  g_assert_nonnull (find_file (files, "checkpoint_files_one.txt"));
  g_assert_null (find_file (files, "linked.txt"));
  g_assert_null (find_file (files, "gpgpusim.config"));
  g_autoptr (GBytes) bytes = get_file (&c, "gpgpu_inst_stats.txt");
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes),
                   "kernel line : count latency\n", 28);
}

/* There when the run was made, gone when its turn came. */
static void
test_missing_executable (void)
{
  g_autoptr (TestService) service = test_service_new ();
  g_autofree char *program = g_build_filename (test_service_get_folder (service), ".sim.out", NULL);
  g_autoptr (GFile) from = g_file_new_for_path (g_getenv ("CYC_TEST_FAKE_SIM"));
  g_autoptr (GFile) to = g_file_new_for_path (program);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_copy (from, to, 0, NULL, NULL, NULL, &error));
  test_service_add_fake (service, "hang", "hang", NULL);
  test_service_add_simulator (service, "gone", program);
  test_service_set_parallel (service, 1);
  test_service_start (service);
  g_autofree char *first = test_service_start_run (service, "local", "hang", 1);
  g_autoptr (JsonNode) running = test_service_wait_state (service, first, 0, "running");
  g_autofree char *second = test_service_start_run (service, "local", "gone", 1);
  g_autoptr (JsonNode) waiting = test_service_get_run (service, second);
  g_assert_cmpstr (test_text (test_run_get_sim (waiting, 0), "state"), ==, "pending");
  g_assert_cmpint (g_unlink (program), ==, 0);
  g_autofree char *path = g_strdup_printf ("/api/runs/%s/cancel", first);
  g_autoptr (JsonNode) cancelled = test_service_ask (service, "POST", path, "", 200);
  g_autoptr (JsonNode) run = test_service_wait_run (service, second);
  JsonObject *sim = test_run_get_sim (run, 0);
  g_assert_cmpstr (test_text (sim, "state"), ==, "failed");
  g_assert_cmpstr (test_text (sim, "outcome"), ==, "failed");
  g_assert_cmpstr (test_text (sim, "reason"), ==, "simulator_missing");
  g_assert_nonnull (strstr (test_text (sim, "error"), "sim.out"));
  test_service_stop (service);
}

/* With its exit status, on the speed of the disk. */
static void
test_replay (void)
{
  g_autoptr (TestService) service = test_service_new ();
  g_autofree char *recorded = NULL;
  gsize recorded_len, len;

  test_service_start (service);
  g_autofree char *run_id = test_service_start_run (service, "replay", NULL, 2);
  g_autoptr (JsonNode) run = test_service_wait_run (service, run_id);
  g_assert_cmpstr (test_text (json_node_get_object (run), "state"), ==, "succeeded");
  g_assert_true (json_object_get_boolean_member (json_node_get_object (run), "replay"));
  recorded = test_recorded_log (TEST_CONFIG, &recorded_len);
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *sim_id = test_service_get_sim_id (service, run_id, i);
      g_autofree char *log = test_service_get_log (service, sim_id, &len);
      g_assert_cmpmem (log, len, recorded, recorded_len);
    }
  test_service_stop (service);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/e2e/modes/succeed", test_succeed);
  g_test_add_func ("/engine/e2e/modes/crash", test_crash);
  g_test_add_func ("/engine/e2e/modes/no-marker", test_no_marker);
  g_test_add_func ("/engine/e2e/modes/bad-exit", test_bad_exit);
  g_test_add_func ("/engine/e2e/modes/unflushed", test_unflushed);
  g_test_add_func ("/engine/e2e/modes/hang", test_hang);
  g_test_add_func ("/engine/e2e/modes/ignore-term", test_ignore_term);
  g_test_add_func ("/engine/e2e/modes/grandchild", test_grandchild);
  g_test_add_func ("/engine/e2e/modes/flood", test_flood);
  g_test_add_func ("/engine/e2e/modes/bytes", test_bytes);
  g_test_add_func ("/engine/e2e/modes/files", test_files);
  g_test_add_func ("/engine/e2e/modes/missing-executable", test_missing_executable);
  g_test_add_func ("/engine/e2e/modes/replay", test_replay);
  return g_test_run ();
}
