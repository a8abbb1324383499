/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "core/base/cyc-json.h"
#include "displayless/cli/ctl.h"

/* `cycles`, as a script calls it: every case of the original, and cases by a merge written
 * independently in Python. */

static char *
data_path (const char *folder,
           const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "data", folder, name, NULL);
}

static char *
read_file (const char *path)
{
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  return text;
}

/* The messages of a merge name files as they were given: the program runs in a folder that holds the
 * cases, and so does the test. */
static void
enter (CtlSpace   *space,
       const char *folder)
{
  g_autofree char *source = data_path (folder, NULL);
  g_autoptr (GDir) dir = g_dir_open (source, 0, NULL);

  g_assert_nonnull (dir);
  for (const char *name; (name = g_dir_read_name (dir)) != NULL;)
    {
      g_autofree char *target = g_build_filename (source, name, NULL);
      g_autofree char *link = ctl_space_get_path (space, name);
      g_assert_cmpint (symlink (target, link), ==, 0);
    }
  g_assert_cmpint (g_chdir (space->folder), ==, 0);
}

/* The words of a case's options. */
static void
add_options (GPtrArray  *words,
             const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) node = cyc_json_parse_file (path, 1 << 20, &error);
  g_assert_no_error (error);
  JsonObject *options = json_node_get_object (node);
  JsonObjectIter iter;
  const char *name;
  JsonNode *value;

  json_object_iter_init (&iter, options);
  while (json_object_iter_next (&iter, &name, &value))
    {
      g_autofree char *option = g_strdelimit (g_strdup (name), "_", '-');
      GType type = json_node_get_value_type (value);
      if (type == G_TYPE_BOOLEAN && json_node_get_boolean (value))
        g_ptr_array_add (words, g_strdup_printf ("--%s", option));
      else if (type == G_TYPE_INT64)
        g_ptr_array_add (words, g_strdup_printf ("--%s=%" G_GINT64_FORMAT, option, json_node_get_int (value)));
      else if (type == G_TYPE_STRING)
        g_ptr_array_add (words, g_strdup_printf ("--%s=%s", option, json_node_get_string (value)));
    }
}

static GPtrArray *
make_words (JsonObject *item)
{
  const char *kind = cyc_json_get_string (item, "kind");
  GPtrArray *words = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_add (words, g_strdup ("cycles"));
  if (json_object_has_member (item, "framework"))
    {
      g_ptr_array_add (words, g_strdup ("merge"));
      g_ptr_array_add (words, g_strdup (cyc_json_get_string (item, "framework")));
      g_ptr_array_add (words, g_strdup (cyc_json_get_string (item, "internal")));
      add_options (words, cyc_json_get_string (item, "options"));
    }
  else if (json_object_has_member (item, "config"))
    {
      g_ptr_array_add (words, g_strdup ("layout"));
      g_ptr_array_add (words, g_strdup (cyc_json_get_string (item, "config")));
    }
  else
    {
      gboolean is_window = strcmp (kind, "window") == 0;
      g_ptr_array_add (words, g_strdup (is_window ? "window" : "decode"));
      g_ptr_array_add (words, g_strdup (cyc_json_get_string (item, is_window ? "window" : "buffer")));
    }
  g_ptr_array_add (words, NULL);
  return words;
}

static void
check_output (JsonObject *item,
              const Ctl  *ctl)
{
  g_autofree char *expected = read_file (cyc_json_get_string (item, "expected"));

  if (ctl->status != 0)
    g_error ("%s: %s", cyc_json_get_string (item, "name"), ctl->err);
  if (strcmp (cyc_json_get_string (item, "kind"), "layout") != 0)
    {
      g_assert_cmpstr (ctl->out, ==, expected);
      return;
    }
  /* Of these the original has the values, not the text. */
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) ours = cyc_json_parse (ctl->out, ctl->out_len, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (JsonNode) theirs = cyc_json_parse (expected, strlen (expected), NULL, &error);
  g_assert_no_error (error);
  g_assert_true (json_node_equal (ours, theirs));
}

static void
check_error (JsonObject *item,
             const Ctl  *ctl)
{
  static const char *const inputs[] = { "buffer", "meta", "config", "framework", "internal" };
  g_autofree char *text = g_strchomp (read_file (cyc_json_get_string (item, "error")));
  g_autofree char *line = ctl_get_last_line (ctl);
  const char *match = cyc_json_get_string (item, "match");
  gboolean by_prefix = g_str_has_prefix (match, "prefix:");
  const char *expected = by_prefix ? match + strlen ("prefix:") : text;
  const char *message = line + strlen ("cyclescopectl: ");

  g_assert_cmpint (ctl->status, ==, 1);
  g_assert_cmpstr (ctl->out, ==, "");
  g_assert_true (g_str_has_prefix (line, "cyclescopectl: "));
  /* In front of the text stands the input, if one is at fault. */
  for (guint i = 0; i < G_N_ELEMENTS (inputs); i++)
    {
      const char *name = cyc_json_get_string (item, inputs[i]);
      if (name == NULL || !g_str_has_prefix (message, name) || message[strlen (name)] != ':')
        continue;
      message += strlen (name) + 1;
      message += strspn (message, "0123456789:");
      message += strspn (message, " ");
      break;
    }
  if (by_prefix)
    g_assert_true (g_str_has_prefix (message, expected));
  else
    g_assert_cmpstr (message, ==, expected);
}

static void
test_cases (gconstpointer data)
{
  const char *folder = data;
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autoptr (GError) error = NULL;

  enter (space, folder);
  g_autoptr (JsonNode) manifest = cyc_json_parse_file ("manifest.json", 1 << 20, &error);
  g_assert_no_error (error);
  JsonArray *items = json_node_get_array (manifest);
  g_assert_cmpuint (json_array_get_length (items), >=, 9);
  for (guint i = 0; i < json_array_get_length (items); i++)
    {
      JsonObject *item = json_array_get_object_element (items, i);
      g_autoptr (GPtrArray) words = make_words (item);
      g_autoptr (Ctl) ctl = ctl_run_words (space, (const char *const *) words->pdata);
      g_test_message ("%s", cyc_json_get_string (item, "name"));
      if (json_object_has_member (item, "expected"))
        check_output (item, ctl);
      else
        check_error (item, ctl);
    }
}

static void
test_output (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autofree char *expected = NULL;
  g_autofree char *meta = data_path ("golden/cycle", "ok_cube25.meta.json");
  g_autofree char *out = ctl_space_get_path (space, "out.json");

  enter (space, "golden/cycle");
  expected = read_file ("ok_cube25.expected.json");
  g_autoptr (Ctl) file = ctl_run (space, "cycles", "decode", "ok_cube25.bin", "--meta", meta, "-o", out, NULL);
  g_assert_cmpint (file->status, ==, 0);
  g_assert_cmpstr (file->out, ==, "");
  g_assert_cmpstr (file->err, ==, "");
  g_autofree char *written = read_file (out);
  g_assert_cmpstr (written, ==, expected);

  /* What fails leaves the old file and nothing beside it. */
  g_autoptr (Ctl) failed = ctl_run (space, "cycles", "decode", "err_reserved.bin.gz", "-o", out, NULL);
  g_assert_cmpint (failed->status, ==, 1);
  g_autofree char *kept = read_file (out);
  g_assert_cmpstr (kept, ==, expected);
  g_autoptr (GDir) folder = g_dir_open (space->folder, 0, NULL);
  for (const char *name; (name = g_dir_read_name (folder)) != NULL;)
    g_assert_null (strstr (name, "out.json."));
}

static void
test_sidecar (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autofree char *golden = data_path ("golden/cycle", "ok_min_single.bin");
  g_autofree char *copy = ctl_space_get_path (space, "a.bin");
  g_autofree char *bytes = NULL;
  gsize len;

  g_assert_true (g_file_get_contents (golden, &bytes, &len, NULL));
  g_assert_true (g_file_set_contents (copy, bytes, (gssize) len, NULL));
  g_autoptr (Ctl) missing = ctl_run (space, "cycles", "decode", copy, NULL);
  g_autofree char *line = g_strdup_printf ("%s/a.meta.json: cannot open: No such file or directory",
                                           space->folder);
  ctl_assert_failed (missing, 1, line);
  g_assert_nonnull (strstr (missing->err, "--meta names another file"));

  g_autoptr (Ctl) nothing = ctl_run (space, "cycles", "decode", "none.bin", NULL);
  ctl_assert_failed (nothing, 1, "none.bin: cannot open: No such file or directory");

  /* As little as can be, and a key that nobody knows. */
  g_autofree char *meta = ctl_space_write (space, "a.meta.json", "{\"soc_name\": \"950\", \"colour\": 1}");
  g_autoptr (Ctl) done = ctl_run (space, "cycles", "decode", copy, NULL);
  g_assert_cmpint (done->status, ==, 0);
  g_assert_nonnull (strstr (done->err, "a.meta.json: the key \"colour\" is not known and was left out."));
  g_assert_nonnull (strstr (done->out, "\"socName\": \"950\", \"cycleFrequencyMHz\": 1000.0"));
  g_assert_nonnull (strstr (done->out, "\"kernelName\": \"MegaKernel\", \"ownerLabel\": \"Owner\""));
  g_assert_nonnull (strstr (done->out, "\"rank\": 0, \"deviceId\": 0"));
  g_assert_false (g_str_has_suffix (done->out, "\n"));
}

static void
test_window (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autofree char *buffer = data_path ("golden/cycle", "ok_min_single.bin");
  g_autofree char *empty = ctl_space_write (space, "empty.json",
                                            "{\"window_index\": 3, \"detailed_task_names\": true,"
                                            " \"invocations\": []}");
  g_autofree char *lone_text = g_strdup_printf ("{\"invocations\": [{\"buffer\": \"%s\", \"step\": 2}]}", buffer);
  g_autofree char *lone = ctl_space_write (space, "lone.json", lone_text);
  g_autofree char *mixed_text = g_strdup_printf (
    "{\"detailed_task_names\": true, \"invocations\": [{\"buffer\": \"%s\", \"meta\":"
    " {\"soc_name\": \"910b\", \"detailed_task_names\": false}}]}", buffer);
  g_autofree char *mixed = ctl_space_write (space, "mixed.json", mixed_text);
  g_autofree char *broken = ctl_space_write (space, "broken.json", "{\"invocations\": [{\"buffer\": 7}]}");

  g_autoptr (Ctl) nothing = ctl_run (space, "cycles", "window", empty, NULL);
  g_assert_cmpstr (nothing->out, ==,
                   "{\"traceEvents\": [], \"megaKernelCycleTrace\": {\"schemaVersion\": 1, \"windowIndex\": 3, "
                   "\"invocationCount\": 0, \"recordCount\": 0, \"droppedRecordCount\": 0, "
                   "\"detailedTaskNames\": true, \"invocations\": [], \"warnings\": []}}");
  g_autoptr (Ctl) one = ctl_run (space, "cycles", "window", lone, NULL);
  g_assert_cmpint (one->status, ==, 0);
  g_assert_nonnull (strstr (one->out, "\"invocation_id\": 0, \"step\": 2, \"direction\": null}}]"));
  g_autoptr (Ctl) other = ctl_run (space, "cycles", "window", mixed, NULL);
  g_autofree char *line = g_strdup_printf ("%s: invocation 0: detailed_task_names must be the "
                                           "same in the whole window", mixed);
  ctl_assert_failed (other, 1, line);
  g_autoptr (Ctl) bad = ctl_run (space, "cycles", "window", broken, NULL);
  g_autofree char *bad_line = g_strdup_printf ("%s: invocation 0: expected an object with "
                                               "\"buffer\", the name of a file", broken);
  ctl_assert_failed (bad, 1, bad_line);
}

/* A buffer goes under its kernel as the trace does that the original made of it. */
static void
test_merge_buffer (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autofree char *framework =
    ctl_space_write (space, "framework.json", "[{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\", \"pid\": 7, "
                     "\"tid\": 1, \"ts\": 100, \"dur\": 60}]");

  enter (space, "golden/cycle");
  g_autoptr (Ctl) trace = ctl_run (space, "cycles", "merge", framework, "ok_cube25.expected.json",
                                   "--kernel-pattern=k", NULL);
  g_autoptr (Ctl) buffer = ctl_run (space, "cycles", "merge", framework, "ok_cube25.bin", "--kernel-pattern=k",
                                    NULL);
  g_assert_cmpint (trace->status, ==, 0);
  g_assert_nonnull (strstr (trace->out, "\"parent_kernel\": \"k\""));
  g_assert_cmpstr (buffer->out, ==, trace->out);
  g_autoptr (Ctl) broken = ctl_run (space, "cycles", "merge", framework, "err_reserved.bin.gz", NULL);
  ctl_assert_failed (broken, 1, "err_reserved.bin.gz: Profile core header reserved field must be zero: slot=9, got=5");
}

static void
write_gz (const char *path,
          const char *text)
{
  gzFile file = gzopen (path, "wb");

  g_assert_nonnull (file);
  g_assert_cmpint (gzwrite (file, text, (unsigned) strlen (text)), ==, (int) strlen (text));
  g_assert_cmpint (gzclose (file), ==, Z_OK);
}

static void
test_merge_options (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  const struct
  {
    const char *option;
    const char *line;
  } cases[] = {
    { "--kernel-index=abc", "kernel_index must be a non-negative integer, got abc" },
    { "--kernel-index=-1", "kernel_index must be a non-negative integer, got -1" },
    { "--kernel-index=1.0", "kernel_index must be a non-negative integer, got 1.0" },
    { "--kernel-index=True", "kernel_index must be a non-negative integer, got True" },
    { "--kernel-pattern=", "kernel_pattern must not be empty" },
    { "--kernel-index=7", "ok_no_ph.framework.json: Not enough outer MegaKernel events: requested "
                          "indexes 7..7, found 1" },
    { "--kernel-index=98765432109876543210",
      "ok_no_ph.framework.json: Not enough outer MegaKernel events: requested indexes "
      "98765432109876543210..98765432109876543210, found 1" },
    { "--kernel-pattern=it's", "ok_no_ph.framework.json: No complete MegaKernel event matched "
                               "pattern \"it's\"" },
    { "--outer-pid=3", "ok_no_ph.framework.json: Not enough complete device-kernel events are "
                       "available for approximate MegaKernel alignment with pid '3'" },
  };

  enter (space, "golden/merge");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (Ctl) ctl = ctl_run (space, "cycles", "merge", "ok_no_ph.framework.json", "ok_no_ph.internal.json",
                                     cases[i].option, NULL);
      ctl_assert_failed (ctl, 1, cases[i].line);
    }
  g_autoptr (Ctl) regex = ctl_run (space, "cycles", "merge", "ok_no_ph.framework.json", "ok_no_ph.internal.json",
                                   "--kernel-pattern", "(a", NULL);
  g_assert_cmpint (regex->status, ==, 1);
  g_assert_true (g_str_has_prefix (regex->err, "cyclescopectl: Invalid kernel regex '(a': "));
  g_autoptr (Ctl) usage = ctl_run (space, "cycles", "merge", "ok_no_ph.framework.json", NULL);
  g_assert_cmpint (usage->status, ==, 2);
  g_autoptr (Ctl) none = ctl_run (space, "cycles", "merge", "none.json", "ok_no_ph.internal.json", NULL);
  ctl_assert_failed (none, 1, "none.json: Unable to read framework_trace from none.json: "
                              "cannot open: No such file or directory");
  g_autoptr (Ctl) both = ctl_run (space, "cycles", "merge", "err_json.framework.json", "none.json",
                                  "--kernel-index=x", NULL);
  ctl_assert_failed (both, 1, "err_json.framework.json:1: Invalid JSON in framework_trace "
                              "err_json.framework.json: expected a value or ']', found the end of the text: "
                              "line 1 column 18 (byte 17)");
}

/* What is in the framework's trace comes out as it went in, and packed files are read as such. */
static void
test_merge_keeps (void)
{
  static const char framework[] =
    "{\"traceEvents\": [3], \"a\\u0000\\ud800\\/\": [123456789012345678901234567890, 1.50, 1e400, -0,\r\n"
    " 0.1000000000000000055511151231257827, 1E3, -1.5e-7, NaN, -Infinity, \"\\u0007\\u00e9\\ud83d\\ude00\"],\n"
    "\t\"traceEvents\": [{\"name\": \"MegaMoe\", \"cat\": \"kernel\", \"ts\": 1700000000000000.123, \"dur\": 9,"
    " \"tid\": 99999999999999999999}], \"megaKernelTraceMerge\": {\"old\": 1}, \"z\": {}}";
  static const char expected[] =
    "{\"traceEvents\": [3], \"a\\u0000\\ud800/\": [123456789012345678901234567890, 1.5, 1e400, 0, "
    "0.1000000000000000055511151231257827, 1000.0, -1.5e-07, NaN, -Infinity, \"\\u0007\xc3\xa9\xf0\x9f\x98\x80\"], "
    "\"traceEvents\": [{\"name\": \"MegaMoe\", \"cat\": \"kernel\", \"ts\": 1700000000000000.123, \"dur\": 9, "
    "\"tid\": 99999999999999999999}, "
    "{\"name\": \"thread_name\", \"ph\": \"M\", \"pid\": 0, \"tid\": 1, \"args\": {\"name\": \"MegaMoe/AIC/0\"}}, ";
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autofree char *path = ctl_space_get_path (space, "framework.json.gz");

  write_gz (path, framework);
  enter (space, "golden/merge");
  g_autoptr (Ctl) ctl = ctl_run (space, "cycles", "merge", path, "ok_exceeds.internal.json", NULL);
  if (ctl->status != 0)
    g_error ("%s", ctl->err);
  g_assert_true (g_str_has_prefix (ctl->out, expected));
  g_assert_nonnull (strstr (ctl->out, "], \"z\": {}, \"megaKernelTraceMerge\": {\"schemaVersion\": 1, "));
  g_assert_null (strstr (ctl->out, "old"));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/cli/cycles/golden/cycle", "golden/cycle", test_cases);
  g_test_add_data_func ("/cli/cycles/golden/merge", "golden/merge", test_cases);
  g_test_add_data_func ("/cli/cycles/golden/layout", "golden/layout", test_cases);
  g_test_add_data_func ("/cli/cycles/merge/independent", "cycles/merge", test_cases);
  g_test_add_func ("/cli/cycles/merge-buffer", test_merge_buffer);
  g_test_add_func ("/cli/cycles/decode/output", test_output);
  g_test_add_func ("/cli/cycles/decode/sidecar", test_sidecar);
  g_test_add_func ("/cli/cycles/window/forms", test_window);
  g_test_add_func ("/cli/cycles/merge/options", test_merge_options);
  g_test_add_func ("/cli/cycles/merge/keeps", test_merge_keeps);
  return g_test_run ();
}
