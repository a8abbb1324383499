/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <signal.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/cyc-json.h"
#include "core/base/cyc-process.h"
#include "core/base/cyc-time.h"
#include "displayless/cli/ctl.h"

/* The engine was killed, and nobody starts another one: commands that look at runs tell the truth. */

#define TIMEOUT_US (60 * G_USEC_PER_SEC)

/* A run of the sample whose first simulation runs, without an engine. */
typedef struct
{
  CtlSpace *space;
  char     *run;
  char     *job; /* of the first simulation */
} Orphan;

static JsonNode *
read_job (Orphan     *self,
          const char *name)
{
  g_autofree char *path = g_build_filename (self->job, name, NULL);

  return cyc_json_parse_file (path, 4096, NULL);
}

static void
signal_simulator (Orphan *self,
                  int     signal)
{
  g_autoptr (JsonNode) node = read_job (self, "worker.json");
  gint64 pid = 0;

  g_assert_true (cyc_json_get_int (cyc_json_node_get_object (node), "sim_pid", &pid));
  g_assert_cmpint (pid, >, 1);
  g_assert_cmpint (kill ((pid_t) pid, signal), ==, 0);
}

/* The simulator is stopped, so that it does not end before the test wants it to: wait_for_end(). */
static void
orphan_start (Orphan     *self,
              const char *config,
              const char *states,
              int         signal)
{
  self->space = ctl_space_new ();
  g_autofree char *settings = ctl_space_write (self->space, "workspace/settings.ini", "[limits]\nparallel=1\n");

  /* Some 9,000 lines: six seconds. */
  g_setenv ("CYCLESCOPE_REPLAY_SPEED", "1500", TRUE);
  g_autoptr (Ctl) start = ctl_run (self->space, "run", "start", "cyclescope-sample", "--launcher=replay",
                                   "--config", config, NULL);
  self->run = ctl_take_line (start);
  ctl_wait_for_sims (self->space, self->run, states);
  g_autofree char *ids = ctl_get_sims (self->space, self->run, "id");
  g_auto (GStrv) words = g_strsplit (ids, " ", 2);
  self->job = g_build_filename (self->space->workspace, "jobs", words[0], NULL);
  signal_simulator (self, SIGSTOP);
  ctl_space_stop_engine (self->space, signal);
}

static void
orphan_clear (Orphan *self)
{
  ctl_space_stop_engine (self->space, SIGTERM);
  g_unsetenv ("CYCLESCOPE_REPLAY_SPEED");
  ctl_space_free (self->space);
  g_free (self->run);
  g_free (self->job);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Orphan, orphan_clear)

/* What the worker wrote down when it saw the simulator end, which goes on. */
static char *
wait_for_end (Orphan *self)
{
  gint64 deadline = g_get_monotonic_time () + TIMEOUT_US;

  signal_simulator (self, SIGCONT);
  for (;;)
    {
      g_autoptr (JsonNode) node = read_job (self, "exit.json");
      if (node != NULL)
        return g_strdup (cyc_json_get_string (cyc_json_node_get_object (node), "finished_at"));
      g_assert_cmpint (g_get_monotonic_time (), <, deadline);
      g_usleep (5000);
    }
}

static void
kill_process (Orphan     *self,
              const char *member)
{
  g_autoptr (JsonNode) node = read_job (self, "worker.json");
  gint64 deadline = g_get_monotonic_time () + TIMEOUT_US;
  gint64 pid = 0;

  g_assert_true (cyc_json_get_int (cyc_json_node_get_object (node), member, &pid));
  g_assert_cmpint (pid, >, 1);
  kill ((pid_t) pid, SIGKILL);
  while (cyc_process_is_alive (pid, 0))
    {
      g_assert_cmpint (g_get_monotonic_time (), <, deadline);
      g_usleep (5000);
    }
}

static void
assert_sims (Orphan     *self,
             const char *member,
             const char *expected)
{
  g_autofree char *found = ctl_get_sims (self->space, self->run, member);

  g_assert_cmpstr (found, ==, expected);
}

/* The worker lives and waits: it is given somebody to report to. The end is when the simulator ended, not
 * when that was heard. */
static void
test_worker_waits (void)
{
  g_auto (Orphan) orphan = { NULL };

  orphan_start (&orphan, "SM86_RTX3070", "running", SIGKILL);
  g_autoptr (Ctl) before = ctl_run (orphan.space, "run", "list", NULL);
  g_assert_nonnull (strstr (before->err, "No engine runs: 1 unfinished simulation "));
  g_assert_nonnull (strstr (before->out, " active "));
  g_autofree char *end = wait_for_end (&orphan);
  g_autoptr (Ctl) list = ctl_run (orphan.space, "run", "list", NULL);
  g_assert_cmpstr (list->err, ==, "");
  g_assert_nonnull (strstr (list->out, "1 succeeded"));
  g_assert_null (strstr (list->out, "running"));
  assert_sims (&orphan, "state", "succeeded");
  assert_sims (&orphan, "finished_at", end);
}

/* Worker and simulator are gone: what they left is read. */
static void
test_worker_dead (void)
{
  g_auto (Orphan) orphan = { NULL };

  orphan_start (&orphan, "SM86_RTX3070", "running", SIGKILL);
  g_autofree char *end = wait_for_end (&orphan);
  kill_process (&orphan, "pid");
  assert_sims (&orphan, "state", "succeeded");
  assert_sims (&orphan, "finished_at", end);
  g_autoptr (Ctl) csv = ctl_run (orphan.space, "run", "results", orphan.run, "--format=csv", NULL);
  g_assert_nonnull (strstr (csv->out, ",gpu_tot_sim_cycle,46056\n"));
}

/* Nobody saw the end, a power cut for example: it was after the last that the simulator wrote. */
static void
test_all_dead (void)
{
  g_auto (Orphan) orphan = { NULL };
  struct stat st;

  orphan_start (&orphan, "SM86_RTX3070", "running", SIGTERM);
  kill_process (&orphan, "pid");
  kill_process (&orphan, "sim_pid");
  g_autofree char *log = g_build_filename (orphan.job, "sim.log", NULL);
  g_assert_cmpint (stat (log, &st), ==, 0);
  g_autofree char *end = cyc_time_to_iso ((gint64) st.st_mtim.tv_sec * G_USEC_PER_SEC +
                                          st.st_mtim.tv_nsec / 1000);
  assert_sims (&orphan, "state", "failed");
  assert_sims (&orphan, "outcome", "incomplete");
  assert_sims (&orphan, "finished_at", end);
}

/* To look at runs starts none: what waits for a processor waits on, until an engine is wanted for it. */
static void
test_pending_waits (void)
{
  g_auto (Orphan) orphan = { NULL };

  orphan_start (&orphan, "SM86_RTX3070:2", "running pending", SIGKILL);
  g_autofree char *end = wait_for_end (&orphan);
  assert_sims (&orphan, "state", "succeeded pending");
  /* The engine that took the report has nothing else to do, and ends. */
  g_autofree char *engine = g_build_filename (orphan.space->workspace, "engine.json", NULL);
  gint64 deadline = g_get_monotonic_time () + TIMEOUT_US;
  while (g_file_test (engine, G_FILE_TEST_EXISTS))
    {
      g_assert_cmpint (g_get_monotonic_time (), <, deadline);
      g_usleep (5000);
    }
  g_autoptr (Ctl) list = ctl_run (orphan.space, "run", "list", NULL);
  g_assert_nonnull (strstr (list->out, "1 pending, 1 succeeded"));
  g_autoptr (Ctl) serve = ctl_run (orphan.space, "serve", "--until-idle", NULL);
  g_assert_cmpint (serve->status, ==, 0);
  assert_sims (&orphan, "state", "succeeded succeeded");
}

/* A run that is created is started, whatever the engine was there for. */
static void
test_new_run (void)
{
  static const char *const words[] = { "serve", "--no-start", NULL };
  g_autoptr (CtlSpace) space = ctl_space_new ();
  GSubprocess *engine = ctl_start (space, words);
  g_autofree char *address = g_build_filename (space->workspace, "engine.json", NULL);
  gint64 deadline = g_get_monotonic_time () + TIMEOUT_US;

  while (!g_file_test (address, G_FILE_TEST_EXISTS))
    {
      g_assert_cmpint (g_get_monotonic_time (), <, deadline);
      g_main_context_iteration (NULL, FALSE);
    }
  g_autoptr (Ctl) start = ctl_run (space, "run", "start", "cyclescope-sample", "--launcher=replay",
                                   "--config", "SM86_RTX3070", "--wait", NULL);
  g_autofree char *run = ctl_take_line (start);
  g_assert_true (g_str_has_prefix (run, "run-"));
  g_subprocess_send_signal (engine, SIGTERM);
  g_autoptr (Ctl) served = ctl_finish (engine);
  g_assert_cmpint (served->status, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/no-engine/worker-waits", test_worker_waits);
  g_test_add_func ("/cli/no-engine/worker-dead", test_worker_dead);
  g_test_add_func ("/cli/no-engine/all-dead", test_all_dead);
  g_test_add_func ("/cli/no-engine/pending-waits", test_pending_waits);
  g_test_add_func ("/cli/no-engine/new-run", test_new_run);
  return g_test_run ();
}
