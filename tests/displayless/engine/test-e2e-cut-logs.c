/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>
#include <unistd.h>

#include "core/base/cyc-process.h"
#include "sim-case.h"

/* Logs that are shorter than they were: the engine's own, that of the simulator, or both. */

static char *
engine_log (Case *c)
{
  return g_build_filename (test_service_get_folder (c->service), "runs", c->run_id, c->sim_id, "log", NULL);
}

static char *
job_file (Case       *c,
          const char *name)
{
  return g_build_filename (test_service_get_folder (c->service), "jobs", c->sim_id, name, NULL);
}

static void
cut (const char *path,
     gsize       len)
{
  g_assert_cmpint (truncate (path, (off_t) len), ==, 0);
}

/* The worker goes on to send what comes next, and does not know. */
static void
test_running (void)
{
  g_auto (Case) c = { 0 };

  case_start (&c, "slow", NULL);
  wait_for_log (&c, c.recorded_len / 4);
  test_service_kill (c.service);
  g_autofree char *log = engine_log (&c);
  cut (log, 1000);
  test_service_start (c.service);
  case_finish (&c);
  assert_succeeded (&c);
  g_assert_cmpint (json_object_get_int_member (c.sim, "exit_code"), ==, 0);
  g_assert_true (json_object_get_null_member (c.sim, "error"));
}

/* The engine reads the simulator's log itself, from where its own one ended before. */
static void
test_without_worker (void)
{
  g_auto (Case) c = { 0 };

  case_start (&c, "slow", NULL);
  wait_for_log (&c, c.recorded_len / 4);
  gint64 worker = read_process (&c, "pid");
  test_service_kill (c.service);
  kill_process (worker);
  g_autofree char *log = engine_log (&c);
  g_assert_cmpint (unlink (log), ==, 0);
  test_service_start (c.service);
  case_finish (&c);
  assert_succeeded (&c);
}

/* All was sent but the last word: no chunk comes any more that could tell. */
static void
test_before_end (void)
{
  g_auto (Case) c = { 0 };

  case_start (&c, "hang", NULL);
  wait_for_log (&c, c.recorded_len / 2 - 200);
  test_service_kill (c.service);
  g_autofree char *log = engine_log (&c);
  cut (log, 5);
  test_service_start (c.service);
  kill_process (read_process (&c, "sim_pid"));
  case_finish (&c);
  g_assert_cmpstr (test_text (c.sim, "reason"), ==, "terminated");
  assert_log (&c, c.recorded_len / 2);
}

static gsize
find_line_end (Case  *c,
               gsize  len)
{
  while (len > 0 && c->recorded[len - 1] != '\n')
    len--;
  return len;
}

/* Nobody has what is missing: the sim ends, says so, and simulates no further. */
static void
test_lost (void)
{
  g_auto (Case) c = { 0 };

  case_start (&c, "hang", NULL);
  wait_for_log (&c, c.recorded_len / 2 - 200);
  gint64 simulator = read_process (&c, "sim_pid");
  test_service_kill (c.service);
  g_autofree char *log = engine_log (&c);
  g_autofree char *own = job_file (&c, "sim.log");
  cut (log, 20000);
  cut (own, 10000);
  test_service_start (c.service);
  case_finish (&c);
  g_assert_cmpstr (test_text (c.sim, "state"), ==, "failed");
  g_assert_cmpstr (test_text (c.sim, "outcome"), ==, "incomplete");
  g_assert_true (g_str_has_prefix (test_text (c.sim, "error"), log));
  g_assert_nonnull (strstr (test_text (c.sim, "error"), "has lost the end of the log"));
  test_wait (is_dead, &simulator, "the simulator's end");
  test_wait (job_is_gone, &c, "the end of the job's folder");
  assert_log (&c, find_line_end (&c, 20000));

  /* Only kernels whose figures are in what is left. */
  g_autofree char *path = g_strdup_printf ("/api/runs/%s/results", c.run_id);
  g_autoptr (JsonNode) results = test_service_ask (c.service, "GET", path, NULL, 200);
  JsonArray *sims = json_object_get_array_member (json_node_get_object (results), "sims");
  JsonArray *kernels = json_object_get_array_member (json_array_get_object_element (sims, 0), "kernels");
  for (guint i = 0; i < json_array_get_length (kernels); i++)
    g_assert_false (json_object_has_member (json_array_get_object_element (kernels, i), "stats_error"));
}

typedef void (*Spoil) (const char *path,
                       gsize       accepted);

static void
cut_short (const char *path,
           gsize       accepted)
{
  cut (path, 100);
}

/* As a file system may leave it that had put the length on disk, but not the content. */
static void
make_zeros (const char *path,
            gsize       accepted)
{
  cut (path, 100);
  cut (path, accepted);
}

/* The engine has more than the simulator's log: that stays, and nothing is added to it. */
static void
check_spoiled (Spoil       spoil,
               const char *words)
{
  g_auto (Case) c = { 0 };
  gsize len;

  case_start (&c, "hang", NULL);
  wait_for_log (&c, c.recorded_len / 2 - 200);
  gint64 simulator = read_process (&c, "sim_pid");
  gint64 worker = read_process (&c, "pid");
  g_autofree char *before = test_service_get_log (c.service, c.sim_id, &len);
  test_service_kill (c.service);
  kill_process (worker);
  kill_process (simulator);
  g_autofree char *own = job_file (&c, "sim.log");
  spoil (own, len);
  test_service_start (c.service);
  case_finish (&c);
  g_assert_cmpstr (test_text (c.sim, "state"), ==, "failed");
  g_assert_cmpstr (test_text (c.sim, "outcome"), ==, "incomplete");
  g_assert_nonnull (strstr (test_text (c.sim, "error"), words));
  assert_log (&c, len);
}

static void
test_simulators_log (void)
{
  check_spoiled (cut_short, "shorter than what had come");
  check_spoiled (make_zeros, "was not what had come");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/e2e/cut-logs/running", test_running);
  g_test_add_func ("/engine/e2e/cut-logs/without-worker", test_without_worker);
  g_test_add_func ("/engine/e2e/cut-logs/before-end", test_before_end);
  g_test_add_func ("/engine/e2e/cut-logs/lost", test_lost);
  g_test_add_func ("/engine/e2e/cut-logs/simulators-log", test_simulators_log);
  return g_test_run ();
}
