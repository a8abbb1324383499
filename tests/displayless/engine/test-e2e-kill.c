/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/base/cyc-json.h"
#include "core/base/cyc-process.h"
#include "sim-case.h"

/* Kill -9 of worker, simulator and engine, alone and together. Whatever dies, the end is true, and the
 * log is what the simulator wrote, each line once. */

/* The nice value of a process' session, of which only the kernel knows; G_MAXINT without autogroups. */
static int
read_session_nice (gint64 pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%" G_GINT64_FORMAT "/autogroup", pid);
  g_autofree char *text = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return G_MAXINT;
  const char *nice = strstr (text, " nice ");
  g_assert_nonnull (nice);
  return (int) g_ascii_strtoll (nice + strlen (" nice "), NULL, 10);
}

static gboolean
session_is_nice (gpointer data)
{
  return read_session_nice (*(gint64 *) data) >= 15;
}

/* What ends the engine's session ends no simulation, and no simulation gets in the engine's way. */
static void
test_session (void)
{
  g_auto (Case) c = { 0 };

  case_start (&c, "hang", NULL);
  wait_for_log (&c, 1);
  gint64 worker = read_process (&c, "pid");
  gint64 simulator = read_process (&c, "sim_pid");
  int own = read_session_nice (getpid ());
  g_assert_cmpint (getsid ((pid_t) worker), ==, worker);
  g_assert_cmpint (getsid ((pid_t) simulator), ==, worker);
  g_assert_cmpint (getpgid ((pid_t) simulator), ==, simulator);
  g_assert_cmpint (getpriority (PRIO_PROCESS, (id_t) worker), >=, 10);
  g_assert_cmpint (getpriority (PRIO_PROCESS, (id_t) simulator), >=, 10);
  /* At once, or as soon as the kernel takes the change. */
  test_wait (session_is_nice, &worker, "a session that yields");
  g_assert_cmpint (read_session_nice (getpid ()), ==, own);
  kill_process (worker);
  kill_process (simulator);
}

/* The simulator lives on without its worker: the engine reads its log, and says so. */
static void
test_worker (void)
{
  g_auto (Case) c = { 0 };

  case_start (&c, "slow", NULL);
  wait_for_log (&c, 1);
  kill_process (read_process (&c, "pid"));
  test_wait (says_so, &c, "that the worker died");
  g_assert_cmpstr (test_text (c.sim, "state"), ==, "running");
  g_clear_pointer (&c.run, json_node_unref);
  case_finish (&c);
  assert_succeeded (&c);
  /* Nobody saw how it ended. */
  g_assert_true (json_object_get_null_member (c.sim, "exit_code"));
  g_assert_true (has_listed (&c, "stderr.txt"));
  test_wait (job_is_gone, &c, "the end of the job's folder");
}

/* Before the worker had sent anything, too. If it had not even let the simulator go, nothing ran: then
 * that is said. */
static void
test_worker_early (void)
{
  g_auto (Case) c = { 0 };

  case_start (&c, "slow", NULL);
  wait_for_job_file (&c, "sim.log");
  gint64 pid = read_process (&c, "pid");
  if (pid > 1)
    kill_process (pid);
  case_finish (&c);
  if (strcmp (test_text (c.sim, "state"), "succeeded") == 0)
    {
      assert_succeeded (&c);
      return;
    }
  g_assert_cmpstr (test_text (c.sim, "state"), ==, "failed");
  g_assert_nonnull (strstr (test_text (c.sim, "error"), "worker"));
  assert_log (&c, 0);
}

static void
test_worker_and_simulator (void)
{
  g_auto (Case) c = { 0 };

  case_start (&c, "hang", NULL);
  wait_for_log (&c, 1);
  gint64 simulator = read_process (&c, "sim_pid");
  kill_process (read_process (&c, "pid"));
  kill_process (simulator);
  case_finish (&c);
  g_assert_cmpstr (test_text (c.sim, "state"), ==, "failed");
  g_assert_cmpstr (test_text (c.sim, "outcome"), ==, "incomplete");
  g_assert_cmpstr (test_text (c.sim, "reason"), ==, "no_end_marker");
  assert_log (&c, c.recorded_len / 2);
}

static void
test_simulator (void)
{
  g_auto (Case) c = { 0 };

  case_start (&c, "hang", NULL);
  wait_for_log (&c, 1);
  kill_process (read_process (&c, "sim_pid"));
  case_finish (&c);
  g_assert_cmpstr (test_text (c.sim, "state"), ==, "failed");
  g_assert_cmpstr (test_text (c.sim, "outcome"), ==, "failed");
  g_assert_cmpstr (test_text (c.sim, "reason"), ==, "terminated");
  g_assert_cmpint (json_object_get_int_member (c.sim, "exit_code"), ==, -SIGKILL);
  assert_log (&c, c.recorded_len / 2);
}

/* The next engine listens elsewhere, with another token: the worker finds it. */
static void
test_engine (void)
{
  g_auto (Case) c = { 0 };

  case_start (&c, "slow", NULL);
  wait_for_log (&c, 1);
  g_autofree char *url = g_strdup (test_service_get_url (c.service));
  test_service_kill (c.service);
  test_service_start (c.service);
  g_assert_cmpstr (test_service_get_url (c.service), !=, url);
  g_autoptr (JsonNode) now = test_service_get_run (c.service, c.run_id);
  g_assert_cmpstr (test_text (test_run_get_sim (now, 0), "state"), ==, "running");
  case_finish (&c);
  assert_succeeded (&c);
  g_assert_cmpint (json_object_get_int_member (c.sim, "exit_code"), ==, 0);
}

/* The simulation ends while nobody is there to hear of it. */
static void
test_engine_away (void)
{
  g_auto (Case) c = { 0 };

  case_start (&c, "slow", NULL);
  wait_for_log (&c, 1);
  test_service_kill (c.service);
  wait_for_job_file (&c, "exit.json");
  test_service_start (c.service);
  case_finish (&c);
  assert_succeeded (&c);
  g_assert_cmpint (json_object_get_int_member (c.sim, "exit_code"), ==, 0);
}

static void
test_engine_and_worker (void)
{
  g_auto (Case) c = { 0 };

  case_start (&c, "slow", NULL);
  wait_for_log (&c, 1);
  gint64 worker = read_process (&c, "pid");
  test_service_kill (c.service);
  kill_process (worker);
  test_service_start (c.service);
  case_finish (&c);
  assert_succeeded (&c);
}

/* The worker had seen the end, and what the simulator left; the engine reports it in its place. */
static void
test_engine_and_worker_late (void)
{
  g_auto (Case) c = { 0 };

  case_start (&c, "files", NULL);
  wait_for_job_file (&c, "sim.log");
  test_service_kill (c.service);
  wait_for_job_file (&c, "exit.json");
  kill_process (read_process (&c, "pid"));
  test_service_start (c.service);
  case_finish (&c);
  assert_succeeded (&c);
  g_assert_cmpint (json_object_get_int_member (c.sim, "exit_code"), ==, 0);
  g_assert_true (has_listed (&c, "stderr.txt"));
  g_assert_true (has_listed (&c, "accelwattch_power_report.log.gz"));
  g_assert_true (has_listed (&c, "gpgpu_inst_stats.txt"));
  g_assert_true (has_listed (&c, "checkpoint_files_one.txt"));
  g_assert_false (has_listed (&c, "linked.txt"));
  g_assert_false (has_listed (&c, "gpgpusim.config"));
}

static void
test_all (void)
{
  g_auto (Case) c = { 0 };

  case_start (&c, "hang", NULL);
  wait_for_log (&c, 1);
  gint64 simulator = read_process (&c, "sim_pid");
  gint64 worker = read_process (&c, "pid");
  test_service_kill (c.service);
  kill_process (worker);
  kill_process (simulator);
  test_service_start (c.service);
  case_finish (&c);
  g_assert_cmpstr (test_text (c.sim, "state"), ==, "failed");
  g_assert_cmpstr (test_text (c.sim, "outcome"), ==, "incomplete");
  assert_log (&c, c.recorded_len / 2);
}

/* A simulator without a worker that heeds no SIGTERM is stopped all the same. */
static void
test_cancel_without_worker (void)
{
  g_auto (Case) c = { 0 };

  case_start (&c, "ignore-term", NULL);
  wait_for_log (&c, c.recorded_len / 2 - 200);
  gint64 simulator = read_process (&c, "sim_pid");
  kill_process (read_process (&c, "pid"));
  test_wait (says_so, &c, "that the worker died");
  g_autofree char *path = g_strdup_printf ("/api/runs/%s/cancel", c.run_id);
  g_autoptr (JsonNode) cancelled = test_service_ask (c.service, "POST", path, "", 200);
  g_assert_cmpstr (test_text (json_node_get_object (cancelled), "state"), ==, "cancelled");
  g_assert_true (cyc_process_is_alive (simulator, 0));
  /* The five seconds of grace need not be waited for. */
  test_service_command (c.service, "move 6000000");
  test_wait (is_dead, &simulator, "the simulator's end");
  test_wait (job_is_gone, &c, "the end of the job's folder");
  g_clear_pointer (&c.run, json_node_unref);
  case_finish (&c);
  g_assert_cmpstr (test_text (c.sim, "state"), ==, "cancelled");
  assert_log (&c, c.recorded_len / 2);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/e2e/kill/session", test_session);
  g_test_add_func ("/engine/e2e/kill/worker", test_worker);
  g_test_add_func ("/engine/e2e/kill/worker-early", test_worker_early);
  g_test_add_func ("/engine/e2e/kill/worker-and-simulator", test_worker_and_simulator);
  g_test_add_func ("/engine/e2e/kill/simulator", test_simulator);
  g_test_add_func ("/engine/e2e/kill/engine", test_engine);
  g_test_add_func ("/engine/e2e/kill/engine-away", test_engine_away);
  g_test_add_func ("/engine/e2e/kill/engine-and-worker", test_engine_and_worker);
  g_test_add_func ("/engine/e2e/kill/engine-and-worker-late", test_engine_and_worker_late);
  g_test_add_func ("/engine/e2e/kill/all", test_all);
  g_test_add_func ("/engine/e2e/kill/cancel-without-worker", test_cancel_without_worker);
  return g_test_run ();
}
