/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <math.h>
#include <sys/stat.h>

#include "cli/cyc-ctl-args.h"
#include "cli/cyc-ctl-output.h"
#include "cli/cyc-ctl-results-csv.h"
#include "cli/cyc-ctl-table.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-file.h"
#include "core/base/cyc-format.h"

static CycCtlArgs *
parse (const char  *line,
       GError     **error)
{
  g_auto (GStrv) words = g_strsplit (line, " ", -1);

  return cyc_ctl_args_parse ((int) g_strv_length (words), words, error);
}

static void
test_args_places (void)
{
  static const char *const lines[] = {
    "ctl --workspace /w configs diff A B --config-root r --config-root=s -o out",
    "ctl configs --workspace=/w --config-root r diff -oout A B --config-root s",
    "ctl configs diff A B --config-root r --config-root s --output=x --output out --workspace /w",
  };

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (CycCtlArgs) args = parse (lines[i], &error);
      g_assert_no_error (error);
      g_assert_true (cyc_ctl_args_check (args, &error));
      g_assert_cmpstr (cyc_ctl_args_get_command (args)->name, ==, "diff");
      g_assert_cmpstr (cyc_ctl_args_get_argument (args, 0), ==, "A");
      g_assert_cmpstr (cyc_ctl_args_get_argument (args, 1), ==, "B");
      g_assert_null (cyc_ctl_args_get_argument (args, 2));
      g_assert_cmpstr (cyc_ctl_args_get (args, "workspace"), ==, "/w");
      g_assert_cmpstr (cyc_ctl_args_get (args, "output"), ==, "out");
      const char *const *roots = cyc_ctl_args_get_list (args, "config-root");
      g_assert_cmpstr (roots[0], ==, "r");
      g_assert_cmpstr (roots[1], ==, "s");
      g_assert_null (roots[2]);
      g_assert_null (cyc_ctl_args_get_list (args, "name")[0]);
      g_assert_false (cyc_ctl_args_has (args, "no-progress"));
    }
}

static void
test_args_usage (void)
{
  static const struct { const char *line; const char *text; } cases[] = {
    { "ctl --frobnicate", "unknown option --frobnicate" },
    { "ctl -x configs", "unknown option -x" },
    { "ctl configs --json list", "unknown option --json" },
    { "ctl frobs", "unknown command frobs" },
    { "ctl configs frob", "unknown command configs frob" },
    { "ctl configs show A --workspace", "option --workspace needs a value: DIR" },
    { "ctl configs list --json=yes", "option --json takes no value" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_assert_null (parse (cases[i].line, &error));
      g_assert_error (error, CYC_CTL_USAGE_ERROR, 0);
      g_assert_cmpstr (error->message, ==, cases[i].text);
    }
}

static void
test_args_check (void)
{
  static const struct { const char *line; gboolean usage; const char *text; } cases[] = {
    { "ctl", TRUE, "a command is missing" },
    { "ctl configs", TRUE, "a command after configs is missing" },
    { "ctl configs diff A", TRUE, "arguments are missing: A B" },
    { "ctl configs show A B", TRUE, "one argument too many: B" },
    { "ctl configs list -- --json", TRUE, "one argument too many: --json" },
    { "ctl configs list --workspace=", FALSE, "--workspace must not be empty" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (CycCtlArgs) args = parse (cases[i].line, &error);
      g_assert_no_error (error);
      g_assert_false (cyc_ctl_args_check (args, &error));
      if (cases[i].usage)
        g_assert_error (error, CYC_CTL_USAGE_ERROR, 0);
      else
        g_assert_error (error, CYC_ERROR, CYC_ERROR_VALUE);
      g_assert_cmpstr (error->message, ==, cases[i].text);
    }
}

static void
test_format (void)
{
  static const struct { guint64 bytes; const char *text; } sizes[] = {
    { 0, "0 B" }, { 999, "999 B" }, { 1000, "1.0 kB" }, { 999949, "999.9 kB" }, { 999950, "1.0 MB" },
    { 3400000, "3.4 MB" }, { G_MAXUINT64, "18.4 EB" },
  };
  static const struct { double seconds; const char *text; } seconds[] = {
    { 0.84, "0.8 s" }, { 9.94, "9.9 s" }, { 9.96, "10 s" }, { 59.6, "1 min 00 s" },
    { 185, "3 min 05 s" }, { 7800, "2 h 10 min" }, { 356400, "4 d 3 h" }, { -1, "-" },
    { NAN, "-" }, { INFINITY, "-" },
  };
  static const struct { double ns; const char *text; } times[] = {
    { 812, "812 ns" }, { 5328.6, "5.33 us" }, { 1.2e6, "1.20 ms" }, { 2.5e9, "2.50 s" }, { NAN, "-" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autofree char *text = cyc_format_size (sizes[i].bytes);
      g_assert_cmpstr (text, ==, sizes[i].text);
    }
  for (guint i = 0; i < G_N_ELEMENTS (seconds); i++)
    {
      g_autofree char *text = cyc_format_seconds (seconds[i].seconds);
      g_assert_cmpstr (text, ==, seconds[i].text);
    }
  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    {
      g_autofree char *text = cyc_format_ns (times[i].ns);
      g_assert_cmpstr (text, ==, times[i].text);
    }
}

static void
test_printable (void)
{
  g_autofree char *text = cyc_format_printable ("a\x1b[31m\tb\nü\xff" "c\xe2\x80\xae");

  g_assert_cmpstr (text, ==, "a\xEF\xBF\xBD[31m b ü\xEF\xBF\xBD" "c\xEF\xBF\xBD");
  /* Characters are counted, not bytes. */
  g_autofree char *whole = cyc_format_name ("üüü\n", 4);
  g_assert_cmpstr (whole, ==, "üüü ");
  g_autofree char *begin = cyc_format_name ("üüü\n", 3);
  g_assert_cmpstr (begin, ==, "üü…");
}

static CycCtlTable *
make_table (void)
{
  CycCtlTable *table = cyc_ctl_table_new ();

  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_TEXT, "ID");
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_NUMBER, "N");
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_LONG, "NAME");
  cyc_ctl_table_add (table, "日本");
  cyc_ctl_table_add (table, "10");
  cyc_ctl_table_add (table, "abcdefghijklmnop");
  cyc_ctl_table_add (table, "x");
  cyc_ctl_table_add (table, "7");
  cyc_ctl_table_add (table, NULL);
  return table;
}

static void
test_table (void)
{
  g_autoptr (CycCtlTable) whole = make_table ();
  g_autoptr (CycCtlTable) narrow = make_table ();
  g_autoptr (CycCtlTable) ascii = make_table ();
  g_autofree char *whole_text = cyc_ctl_table_render (whole, 0, TRUE);
  g_autofree char *narrow_text = cyc_ctl_table_render (narrow, 20, TRUE);
  g_autofree char *ascii_text = cyc_ctl_table_render (ascii, 3, FALSE);

  g_assert_cmpstr (whole_text, ==,
                   "ID     N  NAME\n"
                   "日本  10  abcdefghijklmnop\n"
                   "x      7  -\n");
  g_assert_cmpstr (narrow_text, ==,
                   "ID     N  NAME\n"
                   "日本  10  abcdefghi…\n"
                   "x      7  -\n");
  g_assert_cmpstr (ascii_text, ==,
                   "ID     N  NAME\n"
                   "日本  10  abcdefg~\n"
                   "x      7  -\n");
}

static guint
count_entries (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static void
assert_content (const char *path,
                const char *expected)
{
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, expected);
}

static void
test_output (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("cyc-output-XXXXXX", &error);
  g_assert_no_error (error);
  g_autofree char *path = g_build_filename (folder, "out", NULL);
  g_autofree char *link = g_build_filename (folder, "link", NULL);
  struct stat st;

  g_assert_true (g_file_set_contents (path, "old", -1, NULL));
  g_assert_cmpint (g_chmod (path, 0640), ==, 0);
  g_assert_cmpint (symlink ("out", link), ==, 0);

  /* Given up: the old file stays and nothing is beside it. */
  CycCtlOutput *output = cyc_ctl_output_open (path, &error);
  g_assert_no_error (error);
  g_assert_true (cyc_ctl_output_write ("new", 3, output, &error));
  g_assert_cmpuint (count_entries (folder), ==, 3);
  cyc_ctl_output_free (output);
  assert_content (path, "old");
  g_assert_cmpuint (count_entries (folder), ==, 2);

  /* Through a link, more than the buffer holds: the link and the permissions stay. */
  g_autofree char *big = g_strnfill (200000, 'x');
  output = cyc_ctl_output_open (link, &error);
  g_assert_no_error (error);
  g_assert_true (cyc_ctl_output_write ("a", 1, output, &error));
  g_assert_true (cyc_ctl_output_write (big, 200000, output, &error));
  assert_content (path, "old");
  g_assert_true (cyc_ctl_output_commit (output, &error));
  cyc_ctl_output_free (output);
  g_autofree char *expected = g_strconcat ("a", big, NULL);
  assert_content (path, expected);
  g_assert_true (g_file_test (link, G_FILE_TEST_IS_SYMLINK));
  g_assert_cmpint (stat (path, &st), ==, 0);
  g_assert_cmpuint (st.st_mode & 0777, ==, 0640);
  g_assert_cmpuint (count_entries (folder), ==, 2);

  g_assert_null (cyc_ctl_output_open (folder, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_VALUE);
  g_assert_true (cyc_file_remove_tree (folder, NULL));
}

static gboolean
append (const char  *bytes,
        gsize        len,
        gpointer     user_data,
        GError     **error)
{
  g_string_append_len (user_data, bytes, (gssize) len);
  return TRUE;
}

/* Braces, quotes and key names inside strings and elsewhere must not lead astray, wherever the
 * pieces are cut. */
static void
test_results_csv (void)
{
  static const char json[] =
    "{\"run\":{\"sims\":[{\"sim\":{\"id\":\"no\"}}],\"kernels\":[{\"stats\":{\"no\":1}}]},\n"
    " \"trace\":{\"kernels\":[{\"name\":\"no\"}]},\"sims\":[\n"
    "  {\"sim\":{\"id\":\"sim-a\",\"gpu_config\":\"A\",\"replica\":0,\"log_tail\":[\"}{\\\"\"]},\n"
    "   \"trace_id\":\"t\",\"gpu_config\":{\"name\":\"A\"},\"kernels\":[\n"
    "    {\"kernel_index\":0,\"kernel_name\":\"f{}\\\"\",\"stats\":{\"a\":1,\"b\":\"x,y\"}},\n"
    "    {\"kernel_index\":1,\"kernel_name\":\"g\",\"stats\":{}}],\"totals\":{\"kernels\":[{\"no\":1}]}},\n"
    "  {\"sim\":{\"id\":\"sim-b\",\"gpu_config\":\"B\",\"replica\":3},\"kernels\":[\n"
    "    {\"kernel_index\":0,\"kernel_name\":\"f\",\"stats\":{\"c\":0.5}}]}],\n"
    " \"comparison\":{\"rows\":[{\"kernels\":[{}]}]},\n"
    " \"missing_stats\":[{\"sim_id\":\"sim-a\",\"kernels\":2,\"error\":\"log: {gone}\"}]}\n";
  static const char expected[] =
    "sim-a,A,0,0,\"f{}\"\"\",a,1\n"
    "sim-a,A,0,0,\"f{}\"\"\",b,\"x,y\"\n"
    "sim-b,B,3,0,f,c,0.5\n";

  for (gsize step = 1; step < sizeof json; step += step < 8 ? 1 : 97)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GString) out = g_string_new (NULL);
      g_autoptr (CycCtlResultsCsv) csv = cyc_ctl_results_csv_new (append, out, TRUE);
      for (gsize i = 0; i < sizeof json - 1; i += step)
        {
          cyc_ctl_results_csv_feed (json + i, MIN (step, sizeof json - 1 - i), csv, &error);
          g_assert_no_error (error);
        }
      g_assert_true (cyc_ctl_results_csv_finish (csv, &error));
      g_assert_cmpstr (out->str, ==, expected);
      guint missing;
      GPtrArray *gaps = cyc_ctl_results_csv_get_gaps (csv, &missing);
      g_assert_cmpuint (missing, ==, 2);
      g_assert_cmpuint (gaps->len, ==, 1);
      g_assert_cmpstr (g_ptr_array_index (gaps, 0), ==,
                       "sim-a: the statistics of 2 kernels cannot be read: log: {gone}");
    }
  /* Cut off anywhere it is an error, not a shorter table. */
  for (gsize len = 1; len < sizeof json - 2; len++)
    {
      g_autoptr (GString) out = g_string_new (NULL);
      g_autoptr (CycCtlResultsCsv) csv = cyc_ctl_results_csv_new (append, out, TRUE);
      g_assert_true (cyc_ctl_results_csv_feed (json, len, csv, NULL));
      g_assert_false (cyc_ctl_results_csv_finish (csv, NULL));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/args/parse/places", test_args_places);
  g_test_add_func ("/cli/args/parse/usage", test_args_usage);
  g_test_add_func ("/cli/args/check", test_args_check);
  g_test_add_func ("/cli/format/numbers", test_format);
  g_test_add_func ("/cli/format/printable", test_printable);
  g_test_add_func ("/cli/table/render", test_table);
  g_test_add_func ("/cli/output/atomic", test_output);
  g_test_add_func ("/cli/results-csv/pieces", test_results_csv);
  return g_test_run ();
}
