/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app-process.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <glib/gstdio.h>

#include "support/test-folder.h"
#include "support/test-service.h"

/* The engine lives in the window's process, simulations outside of it. Here the real program is killed (SIGKILL)
 * between what a user does, and started again on the same workspace: what it had acknowledged is there, and
 * simulations end in their true states. */

/* In the last block of the recorded log: gpu_tot_sim_cycle and gpu_tot_sim_insn. */
#define CYCLES "46056"
#define INSTRUCTIONS "8642624"
#define CYCLES_SHOWN "46,056"

#define SAMPLE "cyclescope-sample"
#define CONFIG "SM86_RTX3070"
#define CHART "Bar chart of Simulated time: 5 groups, 3 series"
#define PNG_END "IEND\xae\x42\x60\x82"

typedef struct
{
  TestFolder  folder;
  char       *workspace;
  AppProcess *app;
} Fixture;

/* The simulators of the workspace: each a fake one with its mode. */
static void
write_settings (Fixture    *fixture,
                const char *simulator,
                const char *more)
{
  g_autofree char *path = g_build_filename (fixture->workspace, "settings.ini", NULL);
  g_autofree char *log = g_test_build_filename (G_TEST_DIST, "..", "..", "samples", "traces", SAMPLE, "recorded",
                                                CONFIG ".log.xz", NULL);
  g_autofree char *text =
    g_strdup_printf ("[simulator %s]\nexecutable=%s\nenv=FAKE_SIM_MODE=%s;FAKE_SIM_STEP_MS=200;FAKE_SIM_LOG=%s;\n%s",
                     simulator, g_getenv ("CYC_TEST_FAKE_SIM"), simulator, log, more);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
}

static void
fixture_init (Fixture *fixture)
{
  fixture->folder = test_folder_new ();
  fixture->workspace = g_build_filename (fixture->folder, "workspace", NULL);
  g_assert_cmpint (g_mkdir (fixture->workspace, 0700), ==, 0);
  fixture->app = app_process_new (fixture->workspace);
}

static void
fixture_clear (Fixture *fixture)
{
  g_clear_pointer (&fixture->app, app_process_free);
  g_free (fixture->workspace);
  test_folder_clear (&fixture->folder);
}

/* The sample is in every new workspace. */
static void
start (Fixture *fixture)
{
  app_process_start (fixture->app);
  app_process_wait (fixture->app, SAMPLE);
}

static void
restart (Fixture *fixture)
{
  app_process_kill (fixture->app);
  start (fixture);
}

/* The first match of the first group in what cyclescopectl says. */
static char *
find_text (const char *text,
           const char *pattern)
{
  g_autoptr (GRegex) regex = g_regex_new (pattern, G_REGEX_DOTALL, 0, NULL);
  g_autoptr (GMatchInfo) info = NULL;

  if (!g_regex_match (regex, text, 0, &info))
    g_error ("no %s in %s", pattern, text);
  return g_match_info_fetch (info, 1);
}

#define RUN "\"id\":\"(run-[0-9a-f]+)\"[^{]*\"entries\":[^]]*\\],\"sim_counts\":{[^}]*},\"limit_count\":0,\"sample\":"

/* The run that was started last: the other one is that of the sample. */
static char *
get_run (Fixture *fixture)
{
  g_autofree char *runs = NULL;

  app_process_wait_said (fixture->app, "\"sample\":false", "run", "list", "--json", NULL);
  runs = app_process_ask (fixture->app, "run", "list", "--json", NULL);
  return find_text (runs, RUN "false");
}

static char *
get_sample_run (Fixture *fixture)
{
  g_autofree char *runs = NULL;

  app_process_wait_said (fixture->app, "\"succeeded\":3},\"limit_count\":0,\"sample\":true", "run", "list", "--json",
                         NULL);
  runs = app_process_ask (fixture->app, "run", "list", "--json", NULL);
  return find_text (runs, RUN "true");
}

static void
show_run (Fixture    *fixture,
          const char *run)
{
  g_autofree char *action = g_strdup_printf ("win.show-run('%s')", run);

  app_process_activate (fixture->app, action);
}

static gint64
get_worker (Fixture    *fixture,
            const char *run)
{
  g_autofree char *pid = NULL;
  g_autofree char *text = NULL;

  app_process_wait_said (fixture->app, "\"launcher_ref\":\"[0-9]+\"", "run", "show", run, "--json", NULL);
  text = app_process_ask (fixture->app, "run", "show", run, "--json", NULL);
  pid = find_text (text, "\"launcher_ref\":\"([0-9]+)\"");
  return g_ascii_strtoll (pid, NULL, 10);
}

static gboolean
is_gone (gpointer pid)
{
  return kill (*(pid_t *) pid, 0) != 0 && errno == ESRCH;
}

static char *
get_sample_path (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "..", "samples", "traces", SAMPLE, NULL);

  return g_canonicalize_filename (path, NULL);
}

static void
import (Fixture    *fixture,
        const char *path,
        const char *name)
{
  g_autofree char *action = g_strdup_printf ("win.import('%s')", path);

  app_process_activate (fixture->app, action);
  app_process_wait (fixture->app, "sm_86");
  app_process_set_text (fixture->app, "Name in the workspace", name);
  app_process_act (fixture->app, "Import", "click");
}

/* New run */

/* The sample, changed by a command of the shell in it. */
static char *
make_trace (Fixture    *fixture,
            const char *change)
{
  g_autofree char *sample = get_sample_path ();
  char *path = g_build_filename (fixture->folder, "other", NULL);
  g_autofree char *command =
    g_strdup_printf ("sh -c 'cp -r \"$0\" \"$1\" && cd \"$1\" && %s' %s %s", change, sample, path);
  g_autoptr (GError) error = NULL;
  int status;

  g_spawn_command_line_sync (command, NULL, NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  return path;
}

/* Nothing is recorded of the plain trace: the simulator has to run, once for each of three configurations. */
static void
start_run (Fixture *fixture)
{
  g_autofree char *path = make_trace (fixture, "rm -r recorded");

  import (fixture, path, "plain");
  app_process_wait_said (fixture->app, "\"id\":\"plain\",\"state\":\"ready\"", "trace", "list", "--json", NULL);
  app_process_act (fixture->app, "New Run…", "click");
  app_process_wait (fixture->app, "Ready to start.");
  app_process_act (fixture->app, "Start", "click");
}

static guint
count (const char *text,
       const char *part)
{
  guint n = 0;

  for (const char *p = strstr (text, part); p != NULL; p = strstr (p + 1, part))
    n++;
  return n;
}

/* Killed in the middle of a simulation, which goes on; at the next start all of it is there, and one that waits
 * has its turn. */
static void
test_run (void)
{
  Fixture fixture;

  fixture_init (&fixture);
  write_settings (&fixture, "slow", "[limits]\nparallel=2\n");
  start (&fixture);
  start_run (&fixture);
  g_autofree char *run = get_run (&fixture);
  pid_t worker = (pid_t) get_worker (&fixture, run);
  app_process_wait_said (fixture.app, "\"kernels_done\":[1-4],", "run", "show", run, "--json", NULL);
  app_process_kill (fixture.app);
  g_assert_cmpint (kill (worker, 0), ==, 0);

  start (&fixture);
  show_run (&fixture, run);
  app_process_wait_said (fixture.app, "\"sim_counts\":{\"succeeded\":3}", "run", "show", run, "--json", NULL);
  app_process_wait (fixture.app, "succeeded: ok");
  app_process_wait (fixture.app, CYCLES_SHOWN);
  g_autofree char *text = app_process_ask (fixture.app, "run", "show", run, "--json", NULL);
  g_assert_cmpuint (count (text, "\"kernels_done\":5,\"kernels_total\":5"), ==, 3);
  g_assert_cmpuint (count (text, "\"gpu_tot_sim_cycle\":" CYCLES ",\"gpu_tot_sim_insn\":" INSTRUCTIONS), ==, 3);
  test_wait (is_gone, &worker, "the end of the worker");
  fixture_clear (&fixture);
}

/* A simulation that ended while there was no engine is no less a success than one that was seen. */
static void
test_ended_alone (void)
{
  Fixture fixture;

  fixture_init (&fixture);
  write_settings (&fixture, "slow", "");
  start (&fixture);
  start_run (&fixture);
  g_autofree char *run = get_run (&fixture);
  get_worker (&fixture, run);
  g_autofree char *text = app_process_ask (fixture.app, "run", "show", run, "--json", NULL);
  g_autofree char *sim = find_text (text, "\"id\":\"(sim-[0-9a-f]+)\"");
  app_process_kill (fixture.app);
  g_autofree char *exit = g_build_filename (fixture.workspace, "jobs", sim, "exit.json", NULL);
  for (guint i = 0; !g_file_test (exit, G_FILE_TEST_EXISTS); i++)
    {
      g_assert_cmpuint (i, <, 20 * TEST_LIMIT_S);
      g_usleep (50000);
    }

  start (&fixture);
  show_run (&fixture, run);
  app_process_wait_said (fixture.app, "\"sim_counts\":{\"succeeded\":3}", "run", "show", run, "--json", NULL);
  app_process_wait (fixture.app, "succeeded: ok");
  app_process_wait (fixture.app, CYCLES_SHOWN);
  fixture_clear (&fixture);
}

/* One that hangs is still there to be cancelled, with those that wait for it. */
static void
test_cancel (void)
{
  Fixture fixture;

  fixture_init (&fixture);
  write_settings (&fixture, "hang", "[limits]\nparallel=1\n");
  start (&fixture);
  start_run (&fixture);
  g_autofree char *run = get_run (&fixture);
  pid_t worker = (pid_t) get_worker (&fixture, run);
  app_process_wait_said (fixture.app, "\"kernels_done\":[1-4],", "run", "show", run, "--json", NULL);

  restart (&fixture);
  show_run (&fixture, run);
  app_process_act (fixture.app, "plain", "page.cancel");
  app_process_wait_said (fixture.app, "\"sim_counts\":{\"cancelled\":3}", "run", "show", run, "--json", NULL);
  test_wait (is_gone, &worker, "the end of the worker");

  restart (&fixture);
  show_run (&fixture, run);
  app_process_wait (fixture.app, "Cancelled");
  g_autofree char *text = app_process_ask (fixture.app, "run", "show", run, "--json", NULL);
  g_assert_nonnull (strstr (text, "\"sim_counts\":{\"cancelled\":3}"));
  fixture_clear (&fixture);
}

/* Import and removal */

/* Sums of all files of a trace, by what is outside. */
static char *
sum_trace (Fixture    *fixture,
           const char *name)
{
  g_autofree char *command =
    g_strdup_printf ("sh -c 'cd \"$0\" && find . -type f | sort | xargs sha256sum' %s/traces/%s", fixture->workspace,
                     name);
  g_autoptr (GError) error = NULL;
  char *output = NULL;
  int status;

  g_spawn_command_line_sync (command, &output, NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  g_assert_cmpuint (strlen (output), >, 100);
  return output;
}

static void
test_import (void)
{
  Fixture fixture;
  g_autofree char *path = get_sample_path ();

  fixture_init (&fixture);
  start (&fixture);
  import (&fixture, path, "brought");
  app_process_wait_said (fixture.app, "\"id\":\"brought\",\"state\":\"ready\"", "trace", "list", "--json", NULL);
  g_autofree char *before = sum_trace (&fixture, "brought");

  restart (&fixture);
  app_process_wait (fixture.app, "brought");
  g_autofree char *after = sum_trace (&fixture, "brought");
  g_assert_cmpstr (after, ==, before);

  /* Removed, and brought back. */
  app_process_activate (fixture.app, "win.show-trace('brought')");
  app_process_act (fixture.app, "brought", "page.remove");
  app_process_act (fixture.app, "Undo", "click");
  app_process_wait_said (fixture.app, "\"id\":\"brought\",\"state\":\"ready\"", "trace", "list", "--json", NULL);
  restart (&fixture);
  app_process_wait (fixture.app, "brought");
  g_autofree char *again = sum_trace (&fixture, "brought");
  g_assert_cmpstr (again, ==, before);

  /* Removed it stays, and whole until it is tidied. */
  app_process_activate (fixture.app, "win.show-trace('brought')");
  app_process_act (fixture.app, "brought", "page.remove");
  app_process_wait (fixture.app, "The trace brought was removed.");
  restart (&fixture);
  g_assert_false (app_process_has (fixture.app, "brought"));
  g_free (app_process_ask (fixture.app, "trace", "restore", "brought", NULL));
  app_process_wait (fixture.app, "brought");
  g_autofree char *restored = sum_trace (&fixture, "brought");
  g_assert_cmpstr (restored, ==, before);
  fixture_clear (&fixture);
}

static gboolean
has_begun (gpointer folder)
{
  return g_file_test (folder, G_FILE_TEST_IS_DIR);
}

static gboolean
is_removed (gpointer folder)
{
  return !has_begun (folder);
}

/* An import that was cut leaves nothing, and can be done again. */
static void
test_import_cut (void)
{
  Fixture fixture;

  fixture_init (&fixture);
  g_autofree char *path = make_trace (&fixture, "truncate -s 2G traces/large.bin");
  g_autofree char *folder = g_build_filename (fixture.workspace, "traces", "brought", NULL);
  start (&fixture);
  import (&fixture, path, "brought");
  test_wait (has_begun, folder, "an import");
  app_process_kill (fixture.app);

  start (&fixture);
  test_wait (is_removed, folder, "the end of what was left of an import");
  g_autofree char *traces = app_process_ask (fixture.app, "trace", "list", "--json", NULL);
  g_assert_null (strstr (traces, "brought"));
  g_assert_false (app_process_has (fixture.app, "brought"));
  import (&fixture, path, "brought");
  app_process_wait_said (fixture.app, "\"id\":\"brought\",\"state\":\"ready\"", "trace", "list", "--json", NULL);
  fixture_clear (&fixture);
}

/* A run is removed when the message with the offer to undo it is gone, and not before. */
static void
test_remove_run (void)
{
  Fixture fixture;

  fixture_init (&fixture);
  start (&fixture);
  g_autofree char *run = get_sample_run (&fixture);
  show_run (&fixture, run);
  app_process_act (fixture.app, SAMPLE, "page.remove");
  app_process_act (fixture.app, "Undo", "click");
  app_process_wait_gone (fixture.app, "Undo");
  restart (&fixture);
  show_run (&fixture, run);
  app_process_wait (fixture.app, CYCLES_SHOWN);

  app_process_act (fixture.app, SAMPLE, "page.remove");
  app_process_wait (fixture.app, "1 run was removed.");
  restart (&fixture);
  show_run (&fixture, run);
  app_process_wait (fixture.app, CYCLES_SHOWN);

  /* The message goes with the program that quits. */
  app_process_act (fixture.app, SAMPLE, "page.remove");
  app_process_wait (fixture.app, "1 run was removed.");
  app_process_quit (fixture.app);
  g_autofree char *runs = app_process_ask (fixture.app, "run", "list", "--json", NULL);
  g_assert_null (strstr (runs, run));
  fixture_clear (&fixture);
}

/* What is seen of a run */

/* Counters that were chosen are columns, with their numbers, ever after. */
static void
test_counters (void)
{
  /* Differences of what the recorded log has after each kernel: 6656, 26112, 263680, 269312 and 275968. */
  static const char *const shares[] = { "6,656", "19,456", "237,568", "5,632" };
  Fixture fixture;

  fixture_init (&fixture);
  start (&fixture);
  g_autofree char *run = get_sample_run (&fixture);
  show_run (&fixture, run);
  app_process_act (fixture.app, "Kernels", "kernels.choose-counters");
  app_process_set_text (fixture.app, "Find a counter", "gpgpu_n_tot_w_icount");
  app_process_wait_gone (fixture.app, "gpu_tot_ipc");
  app_process_wait (fixture.app, "gpgpu_n_tot_w_icount");
  app_process_key (fixture.app, "Tab Tab space");
  app_process_wait (fixture.app, "1 chosen");
  restart (&fixture);
  show_run (&fixture, run);
  app_process_wait (fixture.app, "gpgpu_n_tot_w_icount");
  for (guint i = 0; i < G_N_ELEMENTS (shares); i++)
    app_process_wait (fixture.app, shares[i]);
  fixture_clear (&fixture);
}

/* A chart that was written is whole. */
static void
test_chart (void)
{
  Fixture fixture;
  g_autofree char *bytes = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;

  fixture_init (&fixture);
  g_autofree char *path = g_build_filename (fixture.folder, "chart.png", NULL);
  start (&fixture);
  g_autofree char *run = get_sample_run (&fixture);
  show_run (&fixture, run);
  app_process_act (fixture.app, "Comparison", "click");
  app_process_wait (fixture.app, CHART);
  app_process_act (fixture.app, "Export", "click");
  /* The items of a menu have no names in GTK 4.18, but keys: P_NG Picture. */
  for (guint i = 0; !app_process_has (fixture.app, "Name:"); i++)
    {
      g_assert_cmpuint (i, <, 10 * TEST_LIMIT_S);
      app_process_key (fixture.app, "n");
    }
  app_process_set_text (fixture.app, "Name:", path);
  app_process_act (fixture.app, "Export", "click");
  app_process_wait (fixture.app, "chart.png was written.");
  restart (&fixture);
  g_assert_true (g_file_get_contents (path, &bytes, &length, &error));
  g_assert_cmpuint (length, >, 1000);
  g_assert_cmpmem (bytes, 8, "\x89PNG\r\n\x1a\n", 8);
  g_assert_cmpmem (bytes + length - 8, 8, PNG_END, 8);

  /* What it was made of is there again. */
  show_run (&fixture, run);
  app_process_act (fixture.app, "Comparison", "click");
  app_process_wait (fixture.app, CHART);
  fixture_clear (&fixture);
}

/* The text before the number, which is all that GTK 4.18 calls it. */
#define LIMIT "At most"

static gboolean
has_seven (gpointer path)
{
  g_autofree char *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) && g_regex_match_simple ("(?m)^parallel=7$", text, 0, 0);
}

static void
test_preferences (void)
{
  Fixture fixture;
  g_autofree char *text = NULL;

  fixture_init (&fixture);
  write_settings (&fixture, "slow", "[limits]\nparallel=3\n");
  start (&fixture);
  app_process_activate (fixture.app, "app.preferences");
  g_assert_cmpfloat (app_process_get_value (fixture.app, LIMIT), ==, 3);
  app_process_set_value (fixture.app, LIMIT, 7);
  g_autofree char *path = g_build_filename (fixture.workspace, "settings.ini", NULL);
  test_wait (has_seven, path, "settings that are saved");
  restart (&fixture);
  app_process_activate (fixture.app, "app.preferences");
  g_assert_cmpfloat (app_process_get_value (fixture.app, LIMIT), ==, 7);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "[simulator slow]"));
  fixture_clear (&fixture);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/restart/run", test_run);
  g_test_add_func ("/app/restart/ended-alone", test_ended_alone);
  g_test_add_func ("/app/restart/cancel", test_cancel);
  g_test_add_func ("/app/restart/import", test_import);
  g_test_add_func ("/app/restart/import-cut", test_import_cut);
  g_test_add_func ("/app/restart/remove-run", test_remove_run);
  g_test_add_func ("/app/restart/counters", test_counters);
  g_test_add_func ("/app/restart/chart", test_chart);
  g_test_add_func ("/app/restart/preferences", test_preferences);
  return g_test_run ();
}
