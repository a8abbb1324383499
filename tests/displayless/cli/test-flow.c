/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/cyc-json.h"
#include "core/base/cyc-process.h"
#include "displayless/cli/ctl.h"

/* Whole flows as a user runs them: real engines, workers and simulators (a fake one, and replay). */

#define TIMEOUT_US (60 * G_USEC_PER_SEC)

static char *
get_log (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "data", "accelsim", "logs", name, NULL);
}

static JsonNode *
parse_json (const Ctl *ctl)
{
  g_autoptr (GError) error = NULL;
  JsonNode *node = cyc_json_parse (ctl->out, ctl->out_len, NULL, &error);

  g_assert_no_error (error);
  return node;
}

static void
assert_tree_holds (const char *folder,
                   guint       n)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint found = 0;

  while (dir != NULL && g_dir_read_name (dir) != NULL)
    found++;
  g_assert_cmpuint (found, ==, n);
}

static void
test_import (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autofree char *sample = ctl_get_sample ();
  g_autofree char *parent = g_path_get_dirname (sample);
  g_autofree char *archive = ctl_space_get_path (space, "packed.tar.gz");
  const char *const tar[] = { "tar", "-czf", archive, "-C", parent, "cyclescope-sample", NULL };
  int status = -1;

  g_setenv ("CASCADE_SAMPLES", "false", TRUE);
  g_assert_true (g_spawn_sync (NULL, (char **) tar, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL,
                               &status, NULL));
  g_assert_cmpint (status, ==, 0);

  g_autoptr (Ctl) copied = ctl_run (space, "trace", "import", sample, "--id", "copied", NULL);
  g_autofree char *id = ctl_take_line (copied);
  g_assert_cmpstr (id, ==, "copied");
  g_autoptr (Ctl) again = ctl_run (space, "trace", "import", sample, "--id", "copied", NULL);
  ctl_assert_failed (again, 1, "*'copied'*another id*");
  g_autoptr (Ctl) linked = ctl_run (space, "trace", "import", "--link", sample, "--id=linked", NULL);
  g_assert_cmpint (linked->status, ==, 0);
  g_autoptr (Ctl) packed = ctl_run (space, "trace", "import", archive, "--copy", "--id", "packed", NULL);
  g_assert_cmpint (packed->status, ==, 0);

  g_autoptr (Ctl) list = ctl_run (space, "trace", "list", "--json", NULL);
  g_autoptr (JsonNode) node = parse_json (list);
  JsonArray *traces = json_node_get_array (node);
  g_assert_cmpuint (json_array_get_length (traces), ==, 3);
  for (guint i = 0; i < 3; i++)
    {
      JsonObject *trace = json_array_get_object_element (traces, i);
      g_assert_cmpstr (json_object_get_string_member (trace, "state"), ==, "ready");
      g_assert_cmpint (json_object_get_int_member (trace, "kernel_count"), ==, 5);
    }

  /* Removed, restored, removed for good; what a link pointed to stays. */
  g_autoptr (Ctl) removed = ctl_run (space, "trace", "remove", "linked", NULL);
  g_autoptr (Ctl) gone = ctl_run (space, "trace", "show", "linked", NULL);
  g_autoptr (Ctl) restored = ctl_run (space, "trace", "restore", "linked", NULL);
  g_autoptr (Ctl) back = ctl_run (space, "trace", "show", "linked", "--json", NULL);
  g_autoptr (Ctl) now = ctl_run (space, "trace", "remove", "linked", "--now", NULL);
  g_autoptr (Ctl) never = ctl_run (space, "trace", "restore", "linked", NULL);
  g_autofree char *list_file = g_build_filename (sample, "traces", "kernelslist.g", NULL);
  g_assert_cmpint (removed->status, ==, 0);
  ctl_assert_failed (gone, 1, "*'linked'*");
  g_assert_cmpint (restored->status, ==, 0);
  g_assert_cmpint (back->status, ==, 0);
  g_assert_cmpint (now->status, ==, 0);
  ctl_assert_failed (never, 1, "*'linked'*");
  g_assert_true (g_file_test (list_file, G_FILE_TEST_IS_REGULAR));
  g_unsetenv ("CASCADE_SAMPLES");
}

static void
test_import_wrong (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autofree char *sample = ctl_get_sample ();
  g_autofree char *text = ctl_space_write (space, "not.tar", "not an archive");
  g_autofree char *raw = ctl_space_write (space, "raw/traces/kernel-1.trace", "-kernel name = k\n");
  g_autofree char *raw_list = ctl_space_write (space, "raw/traces/kernelslist", "kernel-1.trace\n");

  g_setenv ("CASCADE_SAMPLES", "false", TRUE);
  g_autoptr (Ctl) missing = ctl_run (space, "trace", "import", "nowhere", NULL);
  g_autoptr (Ctl) archive = ctl_run (space, "trace", "import", "not.tar", NULL);
  g_autoptr (Ctl) both = ctl_run (space, "trace", "import", sample, "--link", "--copy", NULL);
  g_autoptr (Ctl) id = ctl_run (space, "trace", "import", sample, "--id", "../x", NULL);
  ctl_assert_failed (missing, 1, "nowhere: *");
  ctl_assert_failed (archive, 1, "not.tar: *");
  ctl_assert_failed (both, 2, "--link and --copy exclude each other");
  ctl_assert_failed (id, 1, "--id is made of letters, digits*; it is '../x'");
  g_autofree char *traces = g_build_filename (space->workspace, "traces", NULL);
  assert_tree_holds (traces, 0);

  /* No post-processor here: the trace stays, and says so. */
  g_autoptr (Ctl) unprocessed = ctl_run (space, "trace", "import", "raw", NULL);
  g_autofree char *last = ctl_get_last_line (unprocessed);
  g_assert_cmpint (unprocessed->status, ==, 1);
  g_assert_cmpstr (unprocessed->out, ==, "raw\n");
  g_assert_true (g_str_has_prefix (last, "cyclescopectl: raw: "));
  g_autoptr (Ctl) show = ctl_run (space, "trace", "show", "raw", "--json", NULL);
  g_autoptr (JsonNode) node = parse_json (show);
  g_assert_cmpstr (cyc_json_get_string (json_node_get_object (node), "state"), ==, "failed");
  g_unsetenv ("CASCADE_SAMPLES");
}

/* A trace that can be looked at, but not run: the import says what is wrong, a run refuses it once. */
static void
test_import_faulty (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autofree char *kernel = ctl_space_write (
    space, "faulty/traces/kernel-1.traceg",
    "-kernel name = k\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n"
    "-nregs = 8\n-binary version = 86\n-cuda stream id = 0\n-accelsim tracer version = 5\n"
    "#traces format = PC\n");
  g_autofree char *list = ctl_space_write (space, "faulty/traces/kernelslist.g",
                                           "kernel-1.traceg\nkernel-2.traceg\n");

  g_setenv ("CASCADE_SAMPLES", "false", TRUE);
  g_autoptr (Ctl) imported = ctl_run (space, "trace", "import", "faulty", NULL);
  g_autofree char *last = ctl_get_last_line (imported);
  g_assert_cmpint (imported->status, ==, 1);
  g_assert_cmpstr (imported->out, ==, "faulty\n");
  g_assert_true (g_pattern_match_simple ("cyclescopectl: faulty: imported as faulty, but it cannot be simulated: "
                                         "it has * fault*", last));
  g_assert_nonnull (strstr (imported->err, "kernelslist.g:2: "));

  g_autoptr (Ctl) show = ctl_run (space, "trace", "show", "faulty", NULL);
  g_assert_null (strstr (show->out, "0,0,0"));
  g_assert_nonnull (strstr (show->out, "1,1,1"));

  g_autoptr (Ctl) added = ctl_run (space, "simulator", "add", g_getenv ("CYC_TEST_FAKE_SIM"), "--name",
                                   "fake", NULL);
  g_assert_cmpint (added->status, ==, 0);
  g_autoptr (Ctl) check = ctl_run (space, "trace", "check", "faulty", "--json", NULL);
  g_autoptr (JsonNode) findings = parse_json (check);
  JsonObject *first = json_array_get_object_element (json_node_get_array (findings), 0);
  const char *remedy = cyc_json_get_string (first, "remedy");
  g_assert_nonnull (remedy);
  g_autoptr (Ctl) started = ctl_run (space, "run", "start", "faulty", "--config", "SM86_RTX3070",
                                     "--launcher", "local", NULL);
  ctl_assert_failed (started, 1, "configuration 'SM86_RTX3070': *kernelslist.g:2: *");
  const char *told = strstr (started->err, remedy);
  g_assert_nonnull (told);
  g_assert_null (strstr (told + 1, remedy));
  g_unsetenv ("CASCADE_SAMPLES");
}

/* A trace without a single kernel is not ready for anything, and of an architecture that nobody knows. */
static void
test_import_unusable (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autofree char *empty = ctl_space_write (space, "empty/traces/kernelslist.g", "");
  g_autofree char *gone = ctl_space_write (space, "gone/traces/kernelslist.g", "kernel-1.traceg\n");
  g_autofree char *copies = ctl_space_write (space, "copies/traces/kernelslist.g",
                                             "MemcpyHtoD,0x00007f0600000000,65536\n");
  static const char *const names[] = { "empty", "gone", "copies" };

  g_setenv ("CASCADE_SAMPLES", "false", TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (Ctl) imported = ctl_run (space, "trace", "import", names[i], NULL);
      g_autofree char *last = ctl_get_last_line (imported);
      g_assert_cmpint (imported->status, ==, 1);
      g_assert_nonnull (strstr (last, "kernelslist.g"));
      g_autoptr (Ctl) show = ctl_run (space, "trace", "show", names[i], "--json", NULL);
      g_autoptr (JsonNode) node = parse_json (show);
      JsonObject *trace = json_node_get_object (node);
      g_assert_cmpstr (cyc_json_get_string (trace, "state"), ==, "failed");
      g_assert_nonnull (cyc_json_get_string (trace, "error"));
      g_assert_false (json_object_get_boolean_member (trace, "trace_gpu_arch_known"));
    }
  g_autoptr (Ctl) list = ctl_run (space, "trace", "list", NULL);
  g_assert_null (strstr (list->out, "sm_90"));
  g_unsetenv ("CASCADE_SAMPLES");
}

/* Ctrl-C in the middle of a large file. */
static void
test_import_cancel (void)
{
  static const char *const words[] = { "trace", "import", "big", NULL };
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autofree char *list = ctl_space_write (space, "big/traces/kernelslist.g", "kernel-1.traceg\n");
  g_autofree char *kernel = ctl_space_write (space, "big/traces/kernel-1.traceg", "-kernel name = k\n");
  g_autofree char *traces = g_build_filename (space->workspace, "traces", NULL);
  g_autofree char *target = g_build_filename (traces, "big", "traces", NULL);
  gint64 deadline = g_get_monotonic_time () + TIMEOUT_US;

  g_setenv ("CASCADE_SAMPLES", "false", TRUE);
  g_assert_cmpint (truncate (kernel, 20000000000), ==, 0);
  GSubprocess *process = ctl_start (space, words);
  while (!g_file_test (target, G_FILE_TEST_IS_DIR))
    {
      g_assert_cmpint (g_get_monotonic_time (), <, deadline);
      g_main_context_iteration (NULL, FALSE);
    }
  g_subprocess_send_signal (process, SIGINT);
  g_autoptr (Ctl) ctl = ctl_finish (process);
  ctl_assert_failed (ctl, 1, "big: cancelled; nothing was imported");
  assert_tree_holds (traces, 0);
  g_autoptr (Ctl) shown = ctl_run (space, "trace", "list", "--json", NULL);
  g_assert_cmpstr (shown->out, ==, "[]\n");
  g_unsetenv ("CASCADE_SAMPLES");
}

/* The results of the sample on its three configurations, whose cycles are known from the logs. */
static void
test_replay (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autoptr (Ctl) start = ctl_run (space, "run", "start", "cyclescope-sample", "--launcher", "replay",
                                   "--config", "SM86_RTX3070", "--config", "SM86_RTX3070_12SM:2",
                                   "--wait", NULL);
  g_autofree char *run = ctl_take_line (start);
  g_autofree char *outcomes = ctl_get_sims (space, run, "outcome");
  g_assert_cmpstr (outcomes, ==, "succeeded succeeded succeeded");

  g_autoptr (Ctl) compare = ctl_run (space, "run", "compare", run, NULL);
  g_autoptr (JsonNode) node = parse_json (compare);
  JsonObject *comparison = json_node_get_object (node);
  JsonArray *rows = cyc_json_get_array (comparison, "rows");
  g_assert_cmpuint (json_array_get_length (rows), ==, 5);
  g_assert_cmpuint (json_array_get_length (cyc_json_get_array (comparison, "configs")), ==, 2);

  g_autoptr (Ctl) table = ctl_run (space, "run", "compare", run, "--format", "table", "-o", "table.txt",
                                   NULL);
  g_autofree char *path = ctl_space_get_path (space, "table.txt");
  g_autofree char *text = NULL;
  g_assert_cmpint (table->status, ==, 0);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "_Z13matrixMulCUDAILi16EEvPfS0_S0_ii"));
  g_assert_nonnull (strstr (text, "█"));

  /* gpu_tot_sim_cycle at the end of samples' SM86_RTX3070.log. */
  g_autoptr (Ctl) csv = ctl_run (space, "run", "results", run, "--format=csv", NULL);
  g_autoptr (Ctl) results = ctl_run (space, "run", "results", run, NULL);
  g_autoptr (JsonNode) results_node = parse_json (results);
  g_assert_nonnull (strstr (csv->out, ",SM86_RTX3070,0,4,_Z9vectorAddPKfS0_Pfi,gpu_tot_sim_cycle,46056\n"));
  g_assert_nonnull (strstr (csv->out, ",SM86_RTX3070_12SM,1,4,_Z9vectorAddPKfS0_Pfi,"
                                      "gpu_tot_sim_cycle,55737\n"));
  g_assert_cmpuint (json_array_get_length (cyc_json_get_array (json_node_get_object (results_node),
                                                               "sims")), ==, 3);
  g_autoptr (Ctl) chrome = ctl_run (space, "run", "export", run, "--chrome-trace", NULL);
  g_autoptr (JsonNode) chrome_node = parse_json (chrome);
  g_assert_nonnull (cyc_json_get_array (json_node_get_object (chrome_node), "traceEvents"));

  g_autoptr (Ctl) unknown = ctl_run (space, "run", "start", "cyclescope-sample", "--config", "SM00",
                                   "--launcher", "replay", NULL);
  ctl_assert_failed (unknown, 1, "*SM00*");
  g_autoptr (Ctl) option = ctl_run (space, "run", "start", "cyclescope-sample", "--config", "SM86_RTX3070",
                                    "--launcher", "replay", "--option", "-gpgpu_n_clusters 12", NULL);
  ctl_assert_failed (option, 1, "a replay plays what was recorded, and option '-gpgpu_n_clusters 12' *");
  g_autoptr (Ctl) simulator = ctl_run (space, "run", "start", "cyclescope-sample", "--config", "SM86_RTX3070",
                                       "--launcher", "replay", "--simulator", "x", NULL);
  ctl_assert_failed (simulator, 1, "*");
  g_autoptr (Ctl) no_trace = ctl_run (space, "run", "start", "none", "--config", "SM86_RTX3070", NULL);
  ctl_assert_failed (no_trace, 1, "*'none'*");

  /* The same without an engine. */
  ctl_space_stop_engine (space, SIGTERM);
  g_autoptr (Ctl) quiet_csv = ctl_run (space, "run", "results", run, "--format=csv", NULL);
  g_autoptr (Ctl) quiet_compare = ctl_run (space, "run", "compare", run, NULL);
  g_assert_cmpstr (quiet_csv->err, ==, "");
  g_assert_cmpstr (quiet_csv->out, ==, csv->out);
  g_assert_cmpstr (quiet_compare->out, ==, compare->out);
  g_autoptr (Ctl) remove = ctl_run (space, "run", "remove", run, NULL);
  g_assert_cmpint (remove->status, ==, 0);
  g_autoptr (Ctl) removed = ctl_run (space, "run", "show", run, NULL);
  ctl_assert_failed (removed, 1, "*");
}

/* A simulator that ends without its marker: exit status 3, and a sentence for each sim. */
static void
test_local_failure (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autofree char *log = get_log ("syn5-86-RTX3070.log.xz");
  g_autofree char *sample = ctl_get_sample ();

  g_setenv ("FAKE_SIM_LOG", log, TRUE);
  g_setenv ("FAKE_SIM_MODE", "no-marker", TRUE);
  g_autoptr (Ctl) add = ctl_run (space, "simulator", "add", g_getenv ("CYC_TEST_FAKE_SIM"), "--name",
                                 "fake", NULL);
  g_assert_cmpint (add->status, ==, 0);
  g_autoptr (Ctl) import = ctl_run (space, "trace", "import", sample, "--id", "t", NULL);
  g_assert_cmpint (import->status, ==, 0);
  g_autoptr (Ctl) failed = ctl_run (space, "run", "start", "t", "--config", "SM86_RTX3070:2",
                                    "--launcher=local", "--simulator", "fake", "--wait", NULL);
  g_auto (GStrv) lines = g_strsplit (failed->err, "\n", -1);
  g_assert_cmpint (failed->status, ==, 3);
  g_assert_true (g_str_has_prefix (failed->out, "run-"));
  g_assert_cmpuint (g_strv_length (lines), ==, 4);
  g_assert_true (g_pattern_match_simple ("cyclescopectl: sim-* (SM86_RTX3070): *", lines[0]));
  g_assert_true (g_pattern_match_simple ("cyclescopectl: sim-* (SM86_RTX3070): *", lines[1]));
  g_assert_true (g_pattern_match_simple ("cyclescopectl: run-*: 2 of 2 simulations did not succeed",
                                         lines[2]));
  ctl_space_stop_engine (space, SIGTERM);
  g_unsetenv ("FAKE_SIM_MODE");
  g_unsetenv ("FAKE_SIM_LOG");
}

/* An installation with one configuration OWN, of the given compute capability. */
static void
add_installation (CtlSpace   *space,
                  const char *name,
                  const char *capability)
{
  g_autofree char *program = g_strconcat (name, "/gpu-simulator/bin/release/accel-sim.out", NULL);
  g_autofree char *placeholder = ctl_space_write (space, program, "");
  g_autofree char *folder = g_strconcat (name, "/gpu-simulator/configs/tested-cfgs/OWN", NULL);
  g_autofree char *config = g_build_filename (folder, "gpgpusim.config", NULL);
  g_autofree char *trace = g_build_filename (folder, "trace.config", NULL);
  g_autofree char *options = g_strconcat (capability, "-gpgpu_clock_domains 1132:1132:1132:3500.5\n", NULL);
  g_autofree char *config_path = ctl_space_write (space, config, options);
  g_autofree char *trace_path = ctl_space_write (space, trace,
                                                 "-trace_opcode_latency_initiation_int 2,2\n"
                                                 "-specialized_unit_1 1,4,4,4,4,BRA\n"
                                                 "-specialized_unit_2 1,4,200,4,4,TEX\n"
                                                 "-specialized_unit_3 1,4,32,4,4,TENSOR\n"
                                                 "-specialized_unit_4 1,4,4,4,4,UDP\n");

  g_assert_cmpint (g_unlink (placeholder), ==, 0);
  g_assert_cmpint (symlink (g_getenv ("CYC_TEST_FAKE_SIM"), placeholder), ==, 0);
  g_autoptr (Ctl) add = ctl_run (space, "simulator", "add", name, NULL);
  g_assert_cmpint (add->status, ==, 0);
}

/* Installations have configurations of the same names: a run takes those of its own simulator. */
static void
test_two_simulators (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autofree char *log = get_log ("syn5-86-RTX3070.log.xz");
  g_autofree char *sample = ctl_get_sample ();

  add_installation (space, "old",
                    "-gpgpu_compute_capability_major 7\n-gpgpu_compute_capability_minor 0\n");
  add_installation (space, "own",
                    "-gpgpu_compute_capability_major 8\n-gpgpu_compute_capability_minor 6\n");
  g_setenv ("FAKE_SIM_LOG", log, TRUE);
  g_setenv ("FAKE_SIM_MODE", "succeed", TRUE);
  g_autoptr (Ctl) import = ctl_run (space, "trace", "import", sample, "--id", "t", NULL);
  g_assert_cmpint (import->status, ==, 0);
  g_autoptr (Ctl) none = ctl_run (space, "run", "start", "t", "--config", "OWN", NULL);
  ctl_assert_failed (none, 1, "*old, own*--simulator*");
  g_autoptr (Ctl) other = ctl_run (space, "run", "start", "t", "--config", "OWN", "--simulator", "old",
                                   NULL);
  ctl_assert_failed (other, 1, "*trace is of sm_86, configuration OWN is sm_70*");
  g_autoptr (Ctl) own = ctl_run (space, "run", "start", "t", "--config", "OWN", "--simulator", "own",
                                 "--wait", NULL);
  g_autofree char *run = ctl_take_line (own);
  g_assert_true (g_str_has_prefix (run, "run-"));
  ctl_space_stop_engine (space, SIGTERM);
  g_unsetenv ("FAKE_SIM_MODE");
  g_unsetenv ("FAKE_SIM_LOG");
}

/* Home folders and scratch disks are often reached through a link. */
static void
test_linked_workspace (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autofree char *link = ctl_space_get_path (space, "link");
  g_autofree char *database = ctl_space_get_path (space, "disk/home/space/workspace.db");
  g_autofree char *placeholder = ctl_space_write (space, "disk/home/file", "");

  g_assert_cmpint (symlink ("disk/home", link), ==, 0);
  g_free (space->workspace);
  space->workspace = g_build_filename (link, "space", NULL);
  g_autoptr (Ctl) list = ctl_run (space, "trace", "list", NULL);
  g_assert_cmpstr (list->err, ==, "");
  g_assert_cmpint (list->status, ==, 0);
  g_assert_nonnull (strstr (list->out, "cyclescope-sample"));
  g_assert_true (g_file_test (database, G_FILE_TEST_IS_REGULAR));
}

/* Nobody waits: the simulations go on, whoever ends. Then a cancel with no engine at all. */
static void
test_detached (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();

  g_setenv ("CYCLESCOPE_REPLAY_SPEED", "50", TRUE);
  g_autoptr (Ctl) start = ctl_run (space, "run", "start", "cyclescope-sample", "--launcher=replay",
                                   "--config", "SM86_RTX3070", NULL);
  g_autofree char *run = ctl_take_line (start);
  ctl_wait_for_sims (space, run, "running");
  g_autoptr (Ctl) active = ctl_run (space, "run", "remove", run, NULL);
  ctl_assert_failed (active, 1, "*");

  ctl_space_stop_engine (space, SIGKILL);
  g_autofree char *state = ctl_get_sims (space, run, "state");
  g_autofree char *ref = ctl_get_sims (space, run, "launcher_ref");
  gint64 worker = g_ascii_strtoll (ref, NULL, 10);
  g_assert_cmpstr (state, ==, "running");
  g_assert_true (cyc_process_is_alive (worker, 0));

  g_autoptr (Ctl) cancel = ctl_run (space, "run", "cancel", run, NULL);
  g_assert_cmpint (cancel->status, ==, 0);
  ctl_wait_for_sims (space, run, "cancelled");
  gint64 deadline = g_get_monotonic_time () + TIMEOUT_US;
  /* The worker gets rid of its report, to an engine that ends when it has it. */
  while (cyc_process_is_alive (worker, 0))
    {
      g_assert_cmpint (g_get_monotonic_time (), <, deadline);
      g_usleep (5000);
    }
  ctl_space_stop_engine (space, SIGTERM);
  g_unsetenv ("CYCLESCOPE_REPLAY_SPEED");
}

static void
line_cb (GObject      *source,
         GAsyncResult *result,
         gpointer      user_data)
{
  g_autoptr (GError) error = NULL;

  *(char **) user_data = g_data_input_stream_read_line_finish (G_DATA_INPUT_STREAM (source), result, NULL,
                                                               &error);
  g_assert_no_error (error);
}

/* The first line that a running program prints. */
static char *
read_line (GSubprocess *process)
{
  g_autoptr (GDataInputStream) stream = g_data_input_stream_new (g_subprocess_get_stdout_pipe (process));
  char *line = NULL;

  g_filter_input_stream_set_close_base_stream (G_FILTER_INPUT_STREAM (stream), FALSE);
  g_data_input_stream_read_line_async (stream, G_PRIORITY_DEFAULT, NULL, line_cb, &line);
  while (line == NULL)
    g_main_context_iteration (NULL, TRUE);
  return line;
}

/* --wait outlives the engine: another one takes over and the result is the same. */
static void
test_wait_through_crash (void)
{
  static const char *const words[] = { "run", "start", "cyclescope-sample", "--launcher=replay",
                                       "--config=SM86_RTX3070", "--wait", NULL };
  g_autoptr (CtlSpace) space = ctl_space_new ();

  /* Some 9,000 lines: two seconds. */
  g_setenv ("CYCLESCOPE_REPLAY_SPEED", "4000", TRUE);
  GSubprocess *process = ctl_start (space, words);
  g_autofree char *run = read_line (process);
  ctl_wait_for_sims (space, run, "running");
  ctl_space_stop_engine (space, SIGKILL);
  g_autoptr (Ctl) ctl = ctl_finish (process);
  g_assert_cmpstr (ctl->err, ==, "");
  g_assert_cmpint (ctl->status, ==, 0);
  g_autoptr (Ctl) csv = ctl_run (space, "run", "results", run, "--format=csv", NULL);
  g_assert_nonnull (strstr (csv->out, ",gpu_tot_sim_cycle,46056\n"));
  ctl_space_stop_engine (space, SIGTERM);
  g_unsetenv ("CYCLESCOPE_REPLAY_SPEED");
}

static void
test_serve (void)
{
  static const char *const words[] = { "serve", NULL };
  g_autoptr (CtlSpace) space = ctl_space_new ();
  GSubprocess *process = ctl_start (space, words);
  g_autofree char *line = read_line (process);
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) node = cyc_json_parse (line, strlen (line), NULL, &error);
  struct stat st;

  g_assert_no_error (error);
  JsonObject *object = json_node_get_object (node);
  const char *token_file = cyc_json_get_string (object, "token_file");
  g_assert_true (g_str_has_prefix (cyc_json_get_string (object, "url"), "http://127.0.0.1:"));
  g_assert_cmpstr (g_subprocess_get_identifier (process), !=, NULL);
  g_assert_cmpint (json_object_get_int_member (object, "pid"), ==,
                   g_ascii_strtoll (g_subprocess_get_identifier (process), NULL, 10));
  g_assert_cmpint (stat (token_file, &st), ==, 0);
  g_assert_cmpuint (st.st_mode & 0777, ==, 0600);

  g_autoptr (Ctl) list = ctl_run (space, "trace", "list", NULL);
  g_assert_nonnull (strstr (list->out, "cyclescope-sample"));
  g_autoptr (Ctl) second = ctl_run (space, "serve", NULL);
  ctl_assert_failed (second, 1, "*");

  g_subprocess_send_signal (process, SIGTERM);
  g_autoptr (Ctl) served = ctl_finish (process);
  g_assert_cmpint (served->status, ==, 0);
  g_assert_cmpstr (served->err, ==, "");
  g_assert_false (g_file_test (token_file, G_FILE_TEST_EXISTS));
}

static void
test_serve_listen (void)
{
  static const char *const words[] = { "serve", "--listen", "0.0.0.0:0", "--insecure", "--until-idle", NULL };
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autoptr (Ctl) bad = ctl_run (space, "serve", "--listen", "nowhere", NULL);

  ctl_assert_failed (bad, 1, "*nowhere*");
  /* Nothing to do: it ends by itself. */
  g_autoptr (Ctl) idle = ctl_finish (ctl_start (space, words));
  g_assert_cmpint (idle->status, ==, 0);
  g_assert_nonnull (strstr (idle->err, "0.0.0.0:0 can be reached from other machines"));
  g_assert_nonnull (strstr (idle->out, "\"url\""));
}

/* Many short commands at once on one workspace: each gets its turn. */
static void
test_crowd (void)
{
  static const char *const words[] = { "trace", "list", "--json", NULL };
  g_autoptr (CtlSpace) space = ctl_space_new ();
  GSubprocess *processes[8];

  for (guint i = 0; i < G_N_ELEMENTS (processes); i++)
    processes[i] = ctl_start (space, words);
  for (guint i = 0; i < G_N_ELEMENTS (processes); i++)
    {
      g_autoptr (Ctl) ctl = ctl_finish (processes[i]);
      g_assert_cmpstr (ctl->err, ==, "");
      g_assert_cmpint (ctl->status, ==, 0);
      g_assert_nonnull (strstr (ctl->out, "cyclescope-sample"));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/flow/import", test_import);
  g_test_add_func ("/cli/flow/import/wrong", test_import_wrong);
  g_test_add_func ("/cli/flow/import/faulty", test_import_faulty);
  g_test_add_func ("/cli/flow/import/unusable", test_import_unusable);
  g_test_add_func ("/cli/flow/import/cancel", test_import_cancel);
  g_test_add_func ("/cli/flow/replay", test_replay);
  g_test_add_func ("/cli/flow/local-failure", test_local_failure);
  g_test_add_func ("/cli/flow/two-simulators", test_two_simulators);
  g_test_add_func ("/cli/flow/linked-workspace", test_linked_workspace);
  g_test_add_func ("/cli/flow/detached", test_detached);
  g_test_add_func ("/cli/flow/wait-through-crash", test_wait_through_crash);
  g_test_add_func ("/cli/flow/serve", test_serve);
  g_test_add_func ("/cli/flow/serve/listen", test_serve_listen);
  g_test_add_func ("/cli/flow/crowd", test_crowd);
  return g_test_run ();
}
