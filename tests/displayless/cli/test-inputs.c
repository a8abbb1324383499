/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/cyc-json.h"
#include "displayless/cli/ctl.h"

/* configs, simulator, trace check: what reads files and settings and needs no engine. */

static JsonNode *
parse_json (const Ctl *ctl)
{
  g_autoptr (GError) error = NULL;
  JsonNode *node = cyc_json_parse (ctl->out, ctl->out_len, NULL, &error);

  g_assert_no_error (error);
  return node;
}

static JsonObject *
get_row (JsonNode *node,
         guint     i)
{
  return json_array_get_object_element (json_node_get_array (node), i);
}

/* Two small configurations that differ in two options. */
static void
write_configs (CtlSpace *space)
{
  g_autofree char *a = ctl_space_write (space, "cfgs/SM86_SMALL/gpgpusim.config",
                                        "# a comment\n"
                                        "-gpgpu_n_clusters 4\n"
                                        "-gpgpu_clock_domains 1132.0:1132.0:1132.0:3500.5\n"
                                        "-only_a 1\n");
  g_autofree char *a_trace = ctl_space_write (space, "cfgs/SM86_SMALL/trace.config",
                                              "-trace_opcode_latency_initiation_int 4,1\n");
  g_autofree char *b = ctl_space_write (space, "cfgs/SM86_WIDE/gpgpusim.config",
                                        "-gpgpu_n_clusters 8\n"
                                        "-gpgpu_clock_domains 1132.0:1132.0:1132.0:3500.5\n");
  g_autofree char *b_trace = ctl_space_write (space, "cfgs/SM86_WIDE/trace.config",
                                              "-trace_opcode_latency_initiation_int 4,1\n");
}

static void
test_configs (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();

  write_configs (space);
  g_autoptr (Ctl) list = ctl_run (space, "configs", "list", "--json", "--config-root", "cfgs", NULL);
  g_autoptr (Ctl) show = ctl_run (space, "--config-root=cfgs", "configs", "show", "SM86_SMALL", "--json",
                                  NULL);
  g_autoptr (Ctl) diff = ctl_run (space, "configs", "--config-root=cfgs", "diff", "SM86_SMALL",
                                  "SM86_WIDE", NULL);
  g_autoptr (JsonNode) list_node = parse_json (list);
  g_autoptr (JsonNode) show_node = parse_json (show);
  g_autoptr (JsonNode) diff_node = parse_json (diff);

  /* The three of the sample are there too; all are sorted by name. */
  g_assert_cmpuint (json_array_get_length (json_node_get_array (list_node)), ==, 5);
  JsonObject *config = get_row (list_node, 3);
  g_assert_cmpstr (json_object_get_string_member (config, "name"), ==, "SM86_SMALL");
  g_assert_cmpstr (json_object_get_string_member (config, "arch"), ==, "sm_86");
  g_assert_cmpfloat (json_object_get_double_member (config, "core_clock_mhz"), ==, 1132);

  JsonArray *options = json_object_get_array_member (json_node_get_object (show_node), "options");
  JsonObject *option = json_array_get_object_element (options, 0);
  g_assert_cmpuint (json_array_get_length (options), ==, 4);
  g_assert_cmpstr (json_object_get_string_member (option, "name"), ==, "-gpgpu_n_clusters");
  g_assert_cmpstr (json_object_get_string_member (option, "value"), ==, "4");
  g_assert_cmpint (json_object_get_int_member (option, "line"), ==, 2);
  g_assert_true (g_str_has_suffix (json_object_get_string_member (option, "file"),
                                   "cfgs/SM86_SMALL/gpgpusim.config"));

  g_assert_cmpuint (json_array_get_length (json_node_get_array (diff_node)), ==, 2);
  g_assert_cmpstr (json_object_get_string_member (get_row (diff_node, 0), "option"), ==,
                   "-gpgpu_n_clusters");
  g_assert_cmpstr (json_object_get_string_member (get_row (diff_node, 0), "a"), ==, "4");
  g_assert_cmpstr (json_object_get_string_member (get_row (diff_node, 0), "b"), ==, "8");
  g_assert_cmpstr (json_object_get_string_member (get_row (diff_node, 1), "option"), ==, "-only_a");
  g_assert_true (json_object_get_null_member (get_row (diff_node, 1), "b"));
  /* Nothing that only reads makes a workspace. */
  g_assert_false (g_file_test (space->workspace, G_FILE_TEST_EXISTS));
}

static void
test_configs_wrong (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autoptr (Ctl) name = ctl_run (space, "configs", "show", "SM00", NULL);
  g_autoptr (Ctl) root = ctl_run (space, "configs", "list", "--config-root", "nowhere", NULL);
  g_autofree char *settings = ctl_space_write (space, "workspace/settings.ini",
                                               "[limits]\nparallel=many\n");
  g_autoptr (Ctl) bad = ctl_run (space, "configs", "list", NULL);
  g_autofree char *garbage = ctl_space_write (space, "workspace/settings.ini",
                                              "[limits]\n# one at a time\n\n parallel = 1\nparallel 2\n");
  g_autoptr (Ctl) worse = ctl_run (space, "configs", "list", NULL);

  ctl_assert_failed (name, 1, "*SM00*SM86_RTX3070*");
  ctl_assert_failed (root, 1, "*/nowhere: is not a folder*");
  ctl_assert_failed (bad, 1, "*/workspace/settings.ini:2: *parallel=many*");
  ctl_assert_failed (worse, 1, "*/workspace/settings.ini:5: *correct the line*");
}

static void
test_configs_settings (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();

  write_configs (space);
  g_autofree char *folder = ctl_space_get_path (space, "cfgs");
  g_autofree char *text = g_strdup_printf ("[paths]\nconfig_roots=%s\n", folder);
  g_autofree char *settings = ctl_space_write (space, "workspace/settings.ini", text);
  g_autoptr (Ctl) show = ctl_run (space, "configs", "show", "SM86_WIDE", NULL);

  g_assert_cmpint (show->status, ==, 0);
  g_assert_nonnull (strstr (show->out, "-gpgpu_n_clusters"));
}

/* An installation has a configuration of the sample's name, as Accel-Sim does. `list` tells which
 * of the two counts; nothing else is worth a word each time. */
static void
test_configs_clash (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autofree char *sample = g_test_build_filename (G_TEST_DIST, "..", "samples", "traces",
                                                   "cyclescope-sample", NULL);
  g_autofree char *config = ctl_space_write (space, "cfgs/SM86_RTX3070/gpgpusim.config",
                                             "-gpgpu_compute_capability_major 8\n"
                                             "-gpgpu_compute_capability_minor 6\n"
                                             "-gpgpu_clock_domains 1000:1000:1000:1000\n");
  g_autofree char *trace_config = ctl_space_write (space, "cfgs/SM86_RTX3070/trace.config",
                                                   "-trace_x 1\n");
  g_autoptr (Ctl) list = ctl_run (space, "configs", "list", "--config-root=cfgs", NULL);
  g_autoptr (Ctl) show = ctl_run (space, "configs", "show", "SM86_RTX3070", "--config-root=cfgs", NULL);
  g_autoptr (Ctl) good = ctl_run (space, "trace", "check", sample, "--config", "SM86_RTX3070_12SM",
                                  "--config-root=cfgs", NULL);

  g_assert_cmpint (list->status, ==, 0);
  g_assert_true (g_pattern_match_simple ("cyclescopectl: */SM86_RTX3070: left out: *cfgs already; *\n",
                                         list->err));
  g_assert_cmpint (show->status, ==, 0);
  g_assert_cmpstr (show->err, ==, "");
  g_assert_nonnull (strstr (show->out, "1000:1000:1000:1000"));
  g_assert_cmpint (good->status, ==, 0);
  g_assert_cmpstr (good->err, ==, "");
}

static void
test_simulator (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autofree char *program = ctl_space_write (space, "accel/gpu-simulator/bin/release/accel-sim.out",
                                              "#!/bin/sh\n");
  g_autofree char *config = ctl_space_write (
    space, "accel/gpu-simulator/gpgpu-sim/configs/tested-cfgs/SM86_OWN/gpgpusim.config",
    "-gpgpu_clock_domains 1000:1000:1000:1000\n");
  g_autofree char *trace_config = ctl_space_write (
    space, "accel/gpu-simulator/configs/tested-cfgs/SM86_OWN/trace.config", "-trace_x 1\n");

  g_autoptr (Ctl) refused = ctl_run (space, "simulator", "add", program, NULL);
  ctl_assert_failed (refused, 1, "*accel-sim.out: is not a file that may be executed*");
  g_assert_cmpint (g_chmod (program, 0755), ==, 0);

  g_autoptr (Ctl) added = ctl_run (space, "simulator", "add", "accel", NULL);
  g_assert_cmpint (added->status, ==, 0);
  g_assert_cmpstr (added->out, ==, "accel\n");
  g_autoptr (Ctl) again = ctl_run (space, "simulator", "add", "accel", NULL);
  ctl_assert_failed (again, 1, "*'accel'*--name");
  g_autoptr (Ctl) other = ctl_run (space, "simulator", "add", program, "--name", "lone", NULL);
  g_assert_cmpstr (other->out, ==, "lone\n");
  g_autoptr (Ctl) hostile = ctl_run (space, "simulator", "add", "accel", "--name", "a]\nb", NULL);
  ctl_assert_failed (hostile, 1, "*cannot name a simulator*");
  g_autoptr (Ctl) missing = ctl_run (space, "simulator", "add", "nowhere", NULL);
  ctl_assert_failed (missing, 1, "*/nowhere: *");
  g_autoptr (Ctl) foreign = ctl_run (space, "simulator", "add", "/bin/true", NULL);
  ctl_assert_failed (foreign, 1, "/bin/true: is a program, but not Accel-Sim: *");

  g_autoptr (Ctl) list = ctl_run (space, "simulator", "list", "--json", NULL);
  g_autoptr (JsonNode) node = parse_json (list);
  g_assert_cmpuint (json_array_get_length (json_node_get_array (node)), ==, 2);
  g_assert_cmpstr (json_object_get_string_member (get_row (node, 0), "name"), ==, "accel");
  g_assert_cmpstr (json_object_get_string_member (get_row (node, 0), "executable"), ==, program);
  /* Its tree of configurations counts. */
  g_autoptr (Ctl) configs = ctl_run (space, "configs", "show", "SM86_OWN", NULL);
  g_assert_cmpint (configs->status, ==, 0);

  g_autoptr (Ctl) check = ctl_run (space, "simulator", "check", "accel", NULL);
  g_autoptr (JsonNode) check_node = parse_json (check);
  g_assert_cmpint (check->status, ==, 0);
  g_assert_cmpstr (json_object_get_string_member (json_node_get_object (check_node), "executable"), ==,
                   program);
  g_assert_cmpint (g_unlink (program), ==, 0);
  g_autoptr (Ctl) gone = ctl_run (space, "simulator", "check", "accel", NULL);
  g_assert_cmpint (gone->status, ==, 1);
  g_autoptr (Ctl) listed = ctl_run (space, "simulator", "list", NULL);
  g_assert_nonnull (strstr (listed->out, "not usable"));
  g_assert_nonnull (strstr (listed->out, "not there"));

  g_autoptr (Ctl) removed = ctl_run (space, "simulator", "remove", "accel", NULL);
  g_assert_cmpint (removed->status, ==, 0);
  g_autoptr (Ctl) twice = ctl_run (space, "simulator", "remove", "accel", NULL);
  ctl_assert_failed (twice, 1, "*'accel'*");
}

static void
test_check (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autofree char *sample = g_test_build_filename (G_TEST_DIST, "..", "samples", "traces",
                                                   "cyclescope-sample", NULL);
  g_autoptr (Ctl) good = ctl_run (space, "trace", "check", sample, "--config", "SM86_RTX3070", NULL);
  g_autoptr (JsonNode) good_node = parse_json (good);

  g_assert_cmpint (good->status, ==, 0);
  g_assert_cmpstr (good->err, ==, "");
  g_assert_true (JSON_NODE_HOLDS_ARRAY (good_node));

  g_autofree char *list = ctl_space_write (space, "bad/traces/kernelslist.g",
                                           "kernel-1.traceg\n../../etc/passwd\nkernel-../x.traceg\n");
  g_autoptr (Ctl) bad = ctl_run (space, "trace", "check", "bad", NULL);
  g_autoptr (JsonNode) bad_node = parse_json (bad);
  guint errors = 0;
  for (guint i = 0; i < json_array_get_length (json_node_get_array (bad_node)); i++)
    {
      JsonObject *finding = get_row (bad_node, i);
      static const char *const members[] = { "severity", "code", "file", "line", "text", "remedy" };
      for (guint j = 0; j < G_N_ELEMENTS (members); j++)
        g_assert_true (json_object_has_member (finding, members[j]));
      if (strcmp (json_object_get_string_member (finding, "severity"), "error") == 0)
        errors++;
    }
  g_autofree char *last = ctl_get_last_line (bad);
  g_assert_cmpint (bad->status, ==, 1);
  g_assert_cmpuint (errors, >=, 2);
  g_assert_true (g_str_has_prefix (last, "cyclescopectl: bad/traces/"));

  g_autoptr (Ctl) missing = ctl_run (space, "trace", "check", "nowhere", NULL);
  g_autoptr (Ctl) config = ctl_run (space, "trace", "check", sample, "--config", "SM00", NULL);
  ctl_assert_failed (missing, 1, "nowhere: *");
  ctl_assert_failed (config, 1, "*SM00*");
}

static char *
pack (CtlSpace   *space,
      const char *parent,
      const char *name)
{
  g_autofree char *file = g_strconcat (name, ".tar.xz", NULL);
  char *archive = ctl_space_get_path (space, file);
  const char *const tar[] = { "tar", "-cJf", archive, "-C", parent, name, NULL };
  g_autoptr (GSubprocess) process = g_subprocess_newv (tar, G_SUBPROCESS_FLAGS_NONE, NULL);

  g_assert_true (g_subprocess_wait_check (process, NULL, NULL));
  return archive;
}

/* What can be imported can be looked at before: of an archive the same is told as of the folder in it. */
static void
test_check_archive (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autofree char *samples = g_test_build_filename (G_TEST_DIST, "..", "samples", "traces", NULL);
  g_autofree char *good = pack (space, samples, "cyclescope-sample");
  g_autofree char *list = ctl_space_write (space, "bad/traces/kernelslist.g",
                                           "kernel-1.traceg\n../../etc/passwd\nkernel-../x.traceg\n");
  g_autofree char *parent = ctl_space_get_path (space, ".");
  g_autofree char *bad = pack (space, parent, "bad");

  g_autoptr (Ctl) check = ctl_run (space, "trace", "check", good, "--config", "SM86_RTX3070", NULL);
  g_autoptr (JsonNode) node = parse_json (check);
  g_assert_cmpint (check->status, ==, 0);
  g_assert_true (JSON_NODE_HOLDS_ARRAY (node));

  g_autoptr (Ctl) folder = ctl_run (space, "trace", "check", "bad", NULL);
  g_autoptr (Ctl) packed = ctl_run (space, "trace", "check", bad, NULL);
  g_autoptr (JsonNode) of_folder = parse_json (folder);
  g_autoptr (JsonNode) of_packed = parse_json (packed);
  guint n = json_array_get_length (json_node_get_array (of_folder));
  g_assert_cmpint (packed->status, ==, 1);
  g_assert_cmpuint (json_array_get_length (json_node_get_array (of_packed)), ==, n);
  for (guint i = 0; i < n; i++)
    {
      JsonObject *a = get_row (of_folder, i);
      JsonObject *b = get_row (of_packed, i);
      g_assert_cmpstr (json_object_get_string_member (a, "code"), ==, json_object_get_string_member (b, "code"));
      g_assert_cmpint (json_object_get_int_member (a, "line"), ==, json_object_get_int_member (b, "line"));
      g_assert_true (g_str_has_prefix (json_object_get_string_member (b, "file"), bad));
    }
  /* The workspace is not needed, and not made. */
  g_assert_false (g_file_test (space->workspace, G_FILE_TEST_EXISTS));

  g_autofree char *words = ctl_space_write (space, "words.txt", "no archive\n");
  g_autoptr (Ctl) text = ctl_run (space, "trace", "check", words, NULL);
  ctl_assert_failed (text, 1, "*words.txt: *");
}

static void
append_packed (GByteArray *all,
               const void *bytes,
               gsize       len)
{
  g_autoptr (GConverter) packer = G_CONVERTER (g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, 1));
  gsize room = 4096 + len / 100;
  g_autofree guint8 *packed = g_malloc (room);
  g_autoptr (GError) error = NULL;
  gsize n_read, n_packed;

  g_assert_cmpint (g_converter_convert (packer, bytes, len, packed, room, G_CONVERTER_INPUT_AT_END, &n_read, &n_packed,
                                        &error), ==, G_CONVERTER_FINISHED);
  g_byte_array_append (all, packed, (guint) n_packed);
}

/* An archive of a single kernel of 6.4 GB: a header, and zeroes in members that are all alike. */
static char *
write_large_archive (CtlSpace *space)
{
  enum { PIECE = 64 << 20, N_PIECES = 100 };
  g_autofree guint8 *zeroes = g_malloc0 (PIECE);
  g_autoptr (GByteArray) piece = g_byte_array_new ();
  g_autoptr (GByteArray) all = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  char header[512] = "t/kernel-1.traceg";
  guint sum = 0;

  g_strlcpy (header + 100, "0000644", 8);
  g_snprintf (header + 124, 12, "%011" G_GINT64_MODIFIER "o", (guint64) PIECE * N_PIECES);
  g_strlcpy (header + 136, "00000000000", 12);
  memset (header + 148, ' ', 8);
  header[156] = '0';
  memcpy (header + 257, "ustar\00000", 8);
  for (guint i = 0; i < sizeof header; i++)
    sum += (guchar) header[i];
  g_snprintf (header + 148, 8, "%06o", sum);
  append_packed (all, header, sizeof header);
  append_packed (piece, zeroes, PIECE);
  for (guint i = 0; i < N_PIECES; i++)
    g_byte_array_append (all, piece->data, piece->len);
  char *path = ctl_space_get_path (space, "large.tar.gz");
  g_file_set_contents (path, (const char *) all->data, all->len, &error);
  g_assert_no_error (error);
  return path;
}

/* Ctrl-C ends a look that takes long, and nothing is left of it. */
static void
test_check_cancel (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autofree char *archive = write_large_archive (space);
  g_autofree char *folder = ctl_space_get_path (space, "tmp");
  const char *const words[] = { "trace", "check", archive, NULL };
  g_autofree char *before = g_strdup (g_getenv ("TMPDIR"));
  gboolean begun = FALSE;

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  g_setenv ("TMPDIR", folder, TRUE);
  GSubprocess *process = ctl_start (space, words);
  for (gint64 end = g_get_monotonic_time () + 60 * G_USEC_PER_SEC; !begun;)
    {
      g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
      begun = g_dir_read_name (dir) != NULL;
      g_assert_cmpint (g_get_monotonic_time (), <, end);
      g_main_context_iteration (NULL, FALSE);
    }
  g_subprocess_send_signal (process, SIGINT);
  g_autoptr (Ctl) ctl = ctl_finish (process);
  g_autoptr (GDir) left = g_dir_open (folder, 0, NULL);
  ctl_assert_failed (ctl, 1, "*large.tar.gz: cancelled");
  g_assert_null (g_dir_read_name (left));
  if (before == NULL)
    g_unsetenv ("TMPDIR");
  else
    g_setenv ("TMPDIR", before, TRUE);
}

static void
assert_entries (const char *folder,
                guint       n)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint found = 0;

  while (dir != NULL && g_dir_read_name (dir) != NULL)
    found++;
  g_assert_cmpuint (found, ==, n);
}

/* No folder of something else becomes a workspace: one letter too few in --workspace, and a home folder was
 * one. Nothing is left in it. */
static void
test_foreign_folder (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autofree char *file = ctl_space_write (space, "workspace/thesis.tex", "");

  g_autoptr (Ctl) list = ctl_run (space, "trace", "list", NULL);
  ctl_assert_failed (list, 1, "*/workspace: not a workspace of Cyclescope: it holds other files, 'thesis.tex' "
                              "for example; choose an empty folder, or one that is not there yet");
  g_autoptr (Ctl) start = ctl_run (space, "run", "start", "t", "--config", "A", NULL);
  ctl_assert_failed (start, 1, "*/workspace: not a workspace of Cyclescope: *");
  g_autoptr (Ctl) serve = ctl_run (space, "serve", NULL);
  ctl_assert_failed (serve, 1, "*/workspace: not a workspace of Cyclescope: *");
  g_autoptr (Ctl) add = ctl_run (space, "simulator", "add", g_getenv ("CYC_TEST_FAKE_SIM"), NULL);
  ctl_assert_failed (add, 1, "*/workspace: not a workspace of Cyclescope: *");
  assert_entries (space->workspace, 1);
  /* An empty one, or one with nothing but settings, is welcome. */
  g_assert_cmpint (g_unlink (file), ==, 0);
  g_autofree char *settings = ctl_space_write (space, "workspace/settings.ini", "[limits]\nparallel=1\n");
  g_autoptr (Ctl) empty = ctl_run (space, "trace", "list", NULL);
  g_assert_cmpint (empty->status, ==, 0);
}

/* A database that lost its content is not taken for a new one, with traces and runs that nobody finds. */
static void
test_empty_database (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autoptr (Ctl) list = ctl_run (space, "trace", "list", NULL);
  g_autofree char *database = g_build_filename (space->workspace, "workspace.db", NULL);

  g_assert_cmpint (list->status, ==, 0);
  g_assert_cmpint (truncate (database, 0), ==, 0);
  g_autoptr (Ctl) empty = ctl_run (space, "trace", "list", NULL);
  ctl_assert_failed (empty, 1, "*/workspace.db: is empty although there are traces or runs of it; *");
  g_assert_cmpint (g_unlink (database), ==, 0);
  g_autoptr (Ctl) missing = ctl_run (space, "run", "list", NULL);
  ctl_assert_failed (missing, 1, "*/workspace.db: is missing although there are traces or runs of it; *");
}

/* Ids that are paths, and files that are no logs: told in words of the command line. */
static void
test_no_id (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autofree char *words = ctl_space_write (space, "words.txt", "root:x:0:0:root\nfailed\n");

  g_autoptr (Ctl) run = ctl_run (space, "run", "results", "run-x/../x", NULL);
  ctl_assert_failed (run, 1, "'run-x/../x' is not an id: they are made of letters, digits, '.', '_' and '-'");
  g_autoptr (Ctl) trace = ctl_run (space, "trace", "show", "..", NULL);
  ctl_assert_failed (trace, 1, "'..' is not an id: *");
  g_autoptr (Ctl) log = ctl_run (space, "sim", "parse", words, NULL);
  g_autofree char *last = ctl_get_last_line (log);
  g_assert_cmpint (log->status, ==, 3);
  g_assert_nonnull (strstr (last, "words.txt: incomplete (no_end_marker): No line of this file is a simulator's"));
}

/* How a recorded run ended is read before it is replayed. */
static void
test_bad_exit (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autofree char *sample = ctl_get_sample ();
  g_autoptr (Ctl) import = ctl_run (space, "trace", "import", sample, "--id", "t", NULL);
  g_autofree char *exit = ctl_space_write (space, "workspace/traces/t/recorded/SM86_RTX3070.exit", "aborted\n");

  g_assert_cmpint (import->status, ==, 0);
  g_autoptr (Ctl) start = ctl_run (space, "run", "start", "t", "--launcher=replay", "--config", "SM86_RTX3070",
                                   NULL);
  ctl_assert_failed (start, 1, "*/SM86_RTX3070.exit:1: 'aborted' does not say how the recorded run ended: *");
  ctl_space_stop_engine (space, SIGTERM);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/configs/all", test_configs);
  g_test_add_func ("/cli/configs/wrong", test_configs_wrong);
  g_test_add_func ("/cli/configs/settings", test_configs_settings);
  g_test_add_func ("/cli/configs/clash", test_configs_clash);
  g_test_add_func ("/cli/simulator/all", test_simulator);
  g_test_add_func ("/cli/trace/check", test_check);
  g_test_add_func ("/cli/trace/check-archive", test_check_archive);
  g_test_add_func ("/cli/trace/check-cancel", test_check_cancel);
  g_test_add_func ("/cli/inputs/workspace/foreign", test_foreign_folder);
  g_test_add_func ("/cli/inputs/workspace/empty-database", test_empty_database);
  g_test_add_func ("/cli/inputs/no-id", test_no_id);
  g_test_add_func ("/cli/inputs/bad-exit", test_bad_exit);
  return g_test_run ();
}
