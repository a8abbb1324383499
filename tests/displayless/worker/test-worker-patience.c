/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "core/base/cyc-file.h"
#include "core/base/cyc-process.h"
#include "worker-run.h"

/* What a worker does only after a while, and what it must not need much memory for. */

#ifdef __SANITIZE_ADDRESS__
#define FLOOD_BYTES (16 * 1024 * 1024)
#else
#define FLOOD_BYTES (64 * 1024 * 1024)
#endif
#define MAX_ANONYMOUS_KB (15 * 1024)

static gboolean
has_chunks (WorkerRun *run)
{
  return run->engine->n_chunks >= 1;
}

static gint64
read_grandchild (WorkerRun *run)
{
  gsize len;
  g_autofree char *text = worker_run_read (run, "work/grandchild.pid", &len);

  g_assert_nonnull (text);
  return g_ascii_strtoll (text, NULL, 10);
}

static void
start_hanging (WorkerRun  *run,
               const char *mode)
{
  worker_run_init (run);
  worker_run_set_log (run, "syn5-86-RTX3070");
  worker_run_set_env (run, "FAKE_SIM_MODE", mode);
  worker_run_start (run);
}

static void
assert_sim_is_gone (WorkerRun *run)
{
  gint64 pid = worker_run_read_number (run, "worker.json", "sim_pid");

  g_assert_cmpint (pid, >, 0);
  g_assert_false (cyc_process_is_alive (pid, 0));
}

/* Three workers at once, since each takes its ten seconds: a simulator with a grandchild that both
 * ignore SIGTERM, a sim that the engine does not know any more, a job whose folder is removed. */
static void
test_stops (void)
{
  g_auto (WorkerRun) stubborn;
  g_auto (WorkerRun) unknown;
  g_auto (WorkerRun) removed;
  start_hanging (&stubborn, "ignore-term");
  start_hanging (&unknown, "hang");
  start_hanging (&removed, "hang");
  worker_run_wait (&stubborn, has_chunks);
  worker_run_wait (&unknown, has_chunks);
  worker_run_wait (&removed, has_chunks);

  gint64 grandchild = read_grandchild (&stubborn);
  g_assert_true (cyc_process_is_alive (grandchild, 0));
  stubborn.engine->cancel = TRUE;
  unknown.engine->fault = FAKE_FAULT_UNKNOWN_SIM;
  gint64 begin = g_get_monotonic_time ();
  gint64 removed_pid = worker_run_read_number (&removed, "worker.json", "sim_pid");
  g_autoptr (GError) error = NULL;
  cyc_file_remove_tree (removed.job_folder, &error);
  g_assert_no_error (error);

  g_assert_cmpint (WEXITSTATUS (worker_run_wait_exit (&unknown)), ==, 3);
  g_assert_cmpint (g_get_monotonic_time () - begin, >=, 10 * G_USEC_PER_SEC);
  assert_sim_is_gone (&unknown);
  g_assert_cmpint (worker_run_read_number (&unknown, "exit.json", "signal"), ==, SIGTERM);
  g_assert_null (unknown.engine->final_state);

  g_assert_cmpint (WEXITSTATUS (worker_run_wait_exit (&removed)), ==, 3);
  g_assert_false (cyc_process_is_alive (removed_pid, 0));

  g_assert_cmpint (worker_run_wait_exit (&stubborn), ==, 0);
  g_assert_cmpstr (stubborn.engine->final_state, ==, "failed");
  g_assert_cmpint (stubborn.engine->final_exit_code, ==, -SIGKILL);
  assert_sim_is_gone (&stubborn);
  g_assert_false (cyc_process_is_alive (grandchild, 0));
  worker_run_assert_log (&stubborn);
}

static guint64
read_anonymous_kb (WorkerRun *run)
{
  const char *pid = g_subprocess_get_identifier (run->process);
  g_autofree char *path = pid == NULL ? NULL : g_build_filename ("/proc", pid, "status", NULL);
  g_autofree char *text = NULL;

  if (path == NULL || !g_file_get_contents (path, &text, NULL, NULL))
    return 0;
  const char *line = strstr (text, "RssAnon:");
  return line == NULL ? 0 : g_ascii_strtoull (line + strlen ("RssAnon:"), NULL, 10);
}

static guint64 peak_kb;

static gboolean
has_exited_watched (WorkerRun *run)
{
  peak_kb = MAX (peak_kb, read_anonymous_kb (run));
  return run->exited;
}

static void
test_flood (void)
{
  g_auto (WorkerRun) run;
  g_autofree char *bytes = g_strdup_printf ("%d", FLOOD_BYTES);
  worker_run_init (&run);
  worker_run_set_env (&run, "FAKE_SIM_MODE", "flood");
  worker_run_set_env (&run, "FAKE_SIM_BYTES", bytes);
  worker_run_start (&run);
  worker_run_wait (&run, has_exited_watched);
  g_assert_cmpstr (run.engine->final_state, ==, "succeeded");
  worker_run_assert_log (&run);
  g_assert_cmpuint (run.engine->log->len, >=, FLOOD_BYTES);
  g_test_message ("peak of anonymous memory: %" G_GUINT64_FORMAT " kB", peak_kb);
  g_assert_cmpuint (peak_kb, >, 0);
#ifndef __SANITIZE_ADDRESS__
  g_assert_cmpuint (peak_kb, <, MAX_ANONYMOUS_KB);
#endif
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/worker/worker/stops", test_stops);
  g_test_add_func ("/worker/worker/flood", test_flood);
  return g_test_run ();
}
