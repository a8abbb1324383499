/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include "plot/cyc-bar-csv.h"
#include "plot/cyc-bar-data.h"

/* Seven launches of three names, two configurations and the real GPU, which lacks the last launch. */
static CycBarTable *
make_table (void)
{
  static const char *const names[] = { "_Z3fooPf", "_Z3barPf", "_Z3fooPf", "_Z3bazPf", "_Z3fooPf", "_Z3barPf",
                                       "_Z3fooPf" };
  const double first[] = { 10, 200, 12, 5, 14, 300, 16 };
  const double second[] = { 20, 100, NAN, 5, 28, 150, 32 };
  const double real[] = { 5, 50, 6, 2, 7, 75, NAN };
  CycBarTable *table = cyc_bar_table_new ("gpu_sim_cycle", "cycles", 7);

  for (guint i = 0; i < 7; i++)
    cyc_bar_table_set_name (table, i, names[i]);
  cyc_bar_table_add_series (table, "real GPU", CYC_BAR_MEASURED, real);
  cyc_bar_table_add_series (table, "SM7_QV100", CYC_BAR_SIMULATED, first);
  cyc_bar_table_add_series (table, "SM75_RTX2060", CYC_BAR_SIMULATED, second);
  cyc_bar_table_set_series_reason (table, 0, "not measured");
  cyc_bar_table_set_reason (table, 2, 2, "the block was cut");
  return table;
}

static void
assert_labels (CycBarData *data,
               const char *expected)
{
  g_autoptr (GString) labels = g_string_new (NULL);

  for (guint i = 0; i < cyc_bar_data_get_n_groups (data); i++)
    {
      g_autofree char *label = cyc_bar_data_dup_label (data, i);
      g_string_append_printf (labels, "%s%s", i > 0 ? ", " : "", label);
    }
  g_assert_cmpstr (labels->str, ==, expected);
}

static void
assert_value (CycBarData *data,
              guint       group,
              guint       series,
              double      expected)
{
  double value = cyc_bar_data_get_value (data, group, series);

  if (isnan (expected))
    g_assert_true (isnan (value));
  else
    g_assert_cmpfloat_with_epsilon (value, expected, 1e-12);
}

static void
test_launches (void)
{
  g_autoptr (CycBarTable) table = make_table ();
  g_autoptr (CycBarData) data = cyc_bar_data_new (table);
  double lowest, highest;
  CycBar bar;

  assert_labels (data, "foo… #0, bar… #1, foo… #2, baz…, foo… #4, bar… #5, foo… #6");
  assert_value (data, 1, 1, 200);
  assert_value (data, 2, 2, NAN);
  cyc_bar_data_get_bar (data, 2, 2, &bar);
  g_assert_true (isnan (bar.value) && isnan (bar.absolute));
  g_assert_cmpstr (bar.reason, ==, "the block was cut");
  cyc_bar_data_get_bar (data, 6, 0, &bar);
  g_assert_cmpstr (bar.reason, ==, "not measured");
  cyc_bar_data_get_bar (data, 0, 0, &bar);
  g_assert_null (bar.reason);
  g_assert_true (cyc_bar_data_get_extent (data, CYC_BAR_EXTENT_ALL, &lowest, &highest));
  g_assert_cmpfloat (lowest, ==, 2);
  g_assert_cmpfloat (highest, ==, 300);
  g_assert_cmpuint (cyc_bar_data_get_traits (data), ==, CYC_BAR_HAS_MISSING);
  g_assert_false (cyc_bar_data_drill (data, 0));
}

static void
test_names (void)
{
  g_autoptr (CycBarTable) table = make_table ();
  g_autoptr (CycBarData) data = cyc_bar_data_new (table);
  CycBar bar;

  cyc_bar_data_set_grouping (data, CYC_BAR_NAMES);
  assert_labels (data, "bar… ×2, foo… ×4, baz… ×1");
  assert_value (data, 0, 1, 500);
  assert_value (data, 1, 1, 52);
  assert_value (data, 1, 2, 80);
  cyc_bar_data_get_bar (data, 1, 2, &bar);
  g_assert_cmpuint (bar.n_launches, ==, 4);
  g_assert_cmpuint (bar.n_present, ==, 3);
  g_assert_cmpstr (bar.reason, ==, "the block was cut");
  g_assert_cmpuint (cyc_bar_data_get_traits (data), ==, CYC_BAR_HAS_PARTIAL);
  cyc_bar_data_set_statistic (data, CYC_BAR_MEAN);
  assert_value (data, 1, 1, 13);
  assert_value (data, 1, 2, 80.0 / 3);
  g_assert_cmpstr (cyc_bar_data_get_group (data, 1)->name, ==, "_Z3fooPf");
}

static void
test_relative (void)
{
  g_autoptr (CycBarTable) table = make_table ();
  g_autoptr (CycBarData) data = cyc_bar_data_new (table);
  CycBar bar;

  cyc_bar_data_set_baseline (data, 1);
  assert_value (data, 0, 2, 2);
  assert_value (data, 1, 2, 0.5);
  assert_value (data, 1, 1, 1);
  assert_value (data, 2, 2, NAN);
  /* Of the launches that both have: (20 + 28 + 32) / (10 + 14 + 16), not / 52. */
  cyc_bar_data_set_grouping (data, CYC_BAR_NAMES);
  assert_value (data, 1, 2, 2);
  cyc_bar_data_get_bar (data, 1, 2, &bar);
  g_assert_cmpfloat (bar.absolute, ==, 80);
  g_assert_cmpuint (bar.n_present, ==, 3);
  /* The baseline lacks one itself. */
  cyc_bar_data_set_baseline (data, 0);
  assert_value (data, 1, 1, (10.0 + 12 + 14) / (5 + 6 + 7));
  cyc_bar_data_get_bar (data, 1, 1, &bar);
  g_assert_cmpuint (bar.n_present, ==, 3);
  g_assert_cmpstr (bar.reason, ==, "not measured");
}

/* Ratios of the two configurations: 2, 1/2, none, 1, 2, 1/2, 2. Their product is 2. */
static void
test_geometric (void)
{
  g_autoptr (CycBarTable) table = make_table ();
  g_autoptr (CycBarData) data = cyc_bar_data_new (table);
  guint n, all;

  cyc_bar_data_set_baseline (data, 1);
  cyc_bar_data_set_grouping (data, CYC_BAR_NAMES);
  g_assert_cmpfloat_with_epsilon (cyc_bar_data_get_geometric_mean (data, 2, &n, &all), 1.122462048309373, 1e-12);
  g_assert_cmpuint (n, ==, 6);
  g_assert_cmpuint (all, ==, 7);
  /* Of what is drilled into alone: foo, whose three ratios are 2. */
  g_assert_true (cyc_bar_data_drill (data, 1));
  g_assert_cmpfloat_with_epsilon (cyc_bar_data_get_geometric_mean (data, 2, &n, &all), 2, 1e-12);
  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpuint (all, ==, 4);
}

/* A zero has no logarithm, and no place in the mean. */
static void
test_geometric_none (void)
{
  const double zero[] = { 0, 0 }, some[] = { 1, 2 };
  g_autoptr (CycBarTable) table = cyc_bar_table_new ("misses", "", 2);
  guint n, all;

  cyc_bar_table_add_series (table, "a", CYC_BAR_SIMULATED, some);
  cyc_bar_table_add_series (table, "b", CYC_BAR_SIMULATED, zero);
  g_autoptr (CycBarData) data = cyc_bar_data_new (table);
  cyc_bar_data_set_baseline (data, 0);
  g_assert_true (isnan (cyc_bar_data_get_geometric_mean (data, 1, &n, &all)));
  g_assert_cmpuint (n, ==, 0);
  g_assert_cmpuint (all, ==, 2);
}

static void
test_drill (void)
{
  g_autoptr (CycBarTable) table = make_table ();
  g_autoptr (CycBarData) data = cyc_bar_data_new (table);
  guint n, group;

  /* Seven launches do not fit into six, three names do. */
  cyc_bar_data_set_max_groups (data, 6, 0);
  assert_labels (data, "bar… ×2, foo… ×4, baz… ×1");
  g_assert_true (cyc_bar_data_drill (data, 1));
  assert_labels (data, "#0, #2, #4, #6");
  assert_value (data, 3, 1, 16);
  g_assert_cmpuint (cyc_bar_data_get_depth (data), ==, 1);
  g_assert_cmpstr (cyc_bar_data_get_step (data, 1)->name, ==, "_Z3fooPf");
  g_autofree char *step = cyc_bar_data_dup_step_label (data, 1);
  g_assert_cmpstr (step, ==, "foo… ×4");
  /* Less room: two launches in each group, which are drilled into again. */
  cyc_bar_data_set_max_groups (data, 2, 0);
  assert_labels (data, "#0–2, #4–6");
  assert_value (data, 0, 1, 22);
  g_assert_true (cyc_bar_data_drill (data, 1));
  assert_labels (data, "#4, #6");
  g_assert_true (cyc_bar_data_back (data, &group));
  g_assert_cmpuint (group, ==, 1);
  g_assert_true (cyc_bar_data_back (data, NULL));
  /* Two groups fit by now: the largest name, and the others. */
  assert_labels (data, "bar… ×2, … ×5");
  g_assert_null (cyc_bar_data_get_group (data, 1)->name);
  g_assert_cmpuint (cyc_bar_data_get_group (data, 1)->n_names, ==, 2);
  const guint *launches = cyc_bar_data_get_launches (data, 1, &n);
  g_assert_cmpuint (n, ==, 5);
  const guint expected[] = { 0, 2, 3, 4, 6 };
  for (guint i = 0; i < n; i++)
    g_assert_cmpuint (launches[i], ==, expected[i]);
  g_assert_true (cyc_bar_data_drill (data, 1));
  assert_labels (data, "foo… ×4, baz… ×1");
  g_assert_true (cyc_bar_data_back (data, NULL));
  g_assert_false (cyc_bar_data_back (data, NULL));
}

/* Many names and launches: nothing is lost, whatever is drilled into. */
static void
sum_up (CycBarData *data,
        double      expected,
        guint       depth)
{
  double sum = 0;
  guint n_launches = 0, n = cyc_bar_data_get_n_groups (data);

  g_assert_cmpuint (depth, <, 5);
  if (depth == 0 || cyc_bar_data_get_step (data, depth)->kind != CYC_BAR_GROUP_OTHERS)
    g_assert_cmpuint (n, <=, 40);
  for (guint i = 0; i < n; i++)
    {
      double value = cyc_bar_data_get_value (data, i, 0);
      sum += value;
      n_launches += cyc_bar_data_get_group (data, i)->n_launches;
      if (i != n - 1 && i != 0)
        continue;
      if (cyc_bar_data_drill (data, i))
        {
          sum_up (data, value, depth + 1);
          g_assert_true (cyc_bar_data_back (data, NULL));
        }
    }
  g_assert_cmpfloat_with_epsilon (sum, expected, 1e-6 * expected);
  g_assert_cmpuint (n_launches, >=, n);
}

static void
test_many (void)
{
  const guint n = 5000;
  g_autoptr (CycBarTable) table = cyc_bar_table_new ("gpu_sim_cycle", "cycles", n);
  g_autofree double *values = g_new (double, n);
  double sum = 0;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("kernel<%u>", i % 7 == 0 ? i : i % 3);
      cyc_bar_table_set_name (table, i, name);
      values[i] = 1 + i % 11;
      sum += values[i];
    }
  cyc_bar_table_add_series (table, "SM7_QV100", CYC_BAR_SIMULATED, values);
  /* Short labels would all be the same. */
  g_assert_cmpstr (cyc_bar_table_get_label (table, cyc_bar_table_get_name_id (table, 1)), ==, "kernel<1>");
  g_assert_cmpstr (cyc_bar_table_get_label (table, cyc_bar_table_get_name_id (table, 0)), ==, "kernel<0>");
  g_autoptr (CycBarData) data = cyc_bar_data_new (table);
  cyc_bar_data_set_max_groups (data, 40, 0);
  g_assert_cmpuint (cyc_bar_data_get_n_groups (data), ==, 40);
  sum_up (data, sum, 0);

  cyc_bar_data_set_grouping (data, CYC_BAR_LAUNCHES);
  g_assert_cmpuint (cyc_bar_data_get_n_groups (data), ==, n);
  assert_value (data, 4999, 0, values[4999]);
}

/* The others do not make the rest invisible. */
static void
test_beyond (void)
{
  const double values[] = { 10, 9, 8, 8, 8, 8 };
  g_autoptr (CycBarTable) table = cyc_bar_table_new ("c", NULL, 6);
  double lowest, highest;

  for (guint i = 0; i < 6; i++)
    {
      g_autofree char *name = g_strdup_printf ("k%u", i);
      cyc_bar_table_set_name (table, i, name);
    }
  cyc_bar_table_add_series (table, "a", CYC_BAR_SIMULATED, values);
  g_autoptr (CycBarData) data = cyc_bar_data_new (table);
  cyc_bar_data_set_max_groups (data, 3, 0);
  assert_labels (data, "k0 ×1, k1 ×1, … ×4");
  g_assert_true (cyc_bar_data_get_extent (data, CYC_BAR_EXTENT_ALL, &lowest, &highest));
  g_assert_cmpfloat (highest, ==, 10);
  g_assert_cmpuint (cyc_bar_data_get_traits (data), ==, CYC_BAR_HAS_BEYOND);
  cyc_bar_data_set_statistic (data, CYC_BAR_MEAN);
  g_assert_cmpuint (cyc_bar_data_get_traits (data), ==, 0);
}

static void
test_empty (void)
{
  g_autoptr (CycBarTable) none = cyc_bar_table_new ("c", NULL, 0);
  double lowest, highest;

  cyc_bar_table_add_series (none, "a", CYC_BAR_SIMULATED, NULL);
  g_autoptr (CycBarData) data = cyc_bar_data_new (none);
  g_assert_cmpuint (cyc_bar_data_get_n_groups (data), ==, 0);
  g_assert_false (cyc_bar_data_get_extent (data, CYC_BAR_EXTENT_ALL, &lowest, &highest));
  g_assert_false (cyc_bar_data_drill (data, 0));
}

static void
test_tsv (void)
{
  g_autoptr (CycBarTable) table = make_table ();
  g_autoptr (CycBarData) data = cyc_bar_data_new (table);

  cyc_bar_data_set_grouping (data, CYC_BAR_NAMES);
  g_autofree char *tsv = cyc_bar_data_to_tsv (data);
  g_assert_cmpstr (tsv, ==,
                   "kernel_name\tfirst_kernel_index\tlaunches\treal GPU\tSM7_QV100\tSM75_RTX2060\n"
                   "_Z3barPf\t1\t2\t125\t500\t250\n"
                   "_Z3fooPf\t0\t4\t18\t52\t80\n"
                   "_Z3bazPf\t3\t1\t2\t5\t5\n");
}

static void
test_csv (void)
{
  const double values[] = { 0.1, NAN };
  g_autoptr (CycBarTable) table = cyc_bar_table_new ("ipc", "insn/cycle", 2);
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("cyc-bar-XXXXXX", &error);
  g_autofree char *path = g_build_filename (folder, "data.csv", NULL), *text = NULL;

  cyc_bar_table_set_name (table, 0, "foo<int, 4>(\"x\")");
  cyc_bar_table_set_name (table, 1, "bar");
  cyc_bar_table_add_series (table, "SM7,x", CYC_BAR_SIMULATED, values);
  cyc_bar_table_set_series_reason (table, 0, "divided by zero");
  g_autoptr (CycBarData) data = cyc_bar_data_new (table);
  g_assert_true (cyc_bar_csv_write (data, path, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &text, NULL, &error));
  g_assert_cmpstr (text, ==,
                   "kernel_index,kernel_name,gpu_config,counter,value,unit,reason\n"
                   "0,\"foo<int, 4>(\"\"x\"\")\",\"SM7,x\",ipc,0.1,insn/cycle,\n"
                   "1,bar,\"SM7,x\",ipc,,insn/cycle,divided by zero\n");

  /* A failure leaves the old file, and nothing beside it. */
  g_autoptr (GCancellable) cancelled = g_cancellable_new ();
  g_cancellable_cancel (cancelled);
  g_assert_false (cyc_bar_csv_write (data, path, cancelled, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_assert_cmpstr (g_dir_read_name (dir), ==, "data.csv");
  g_assert_null (g_dir_read_name (dir));
  g_autofree char *nowhere = g_build_filename (folder, "none", "data.csv", NULL);
  g_assert_false (cyc_bar_csv_write (data, nowhere, NULL, &error));
  g_assert_nonnull (strstr (error->message, "cannot write"));
  g_assert_true (g_str_has_prefix (error->message, nowhere));
  g_remove (path);
  g_rmdir (folder);
}

/* The file system says no in the middle of a large export: there is no file that was not there. */
static void
test_csv_fails (void)
{
  const guint n = 100000;
  g_autoptr (CycBarTable) table = cyc_bar_table_new ("ipc", "insn/cycle", n);
  g_autofree double *values = g_new0 (double, n);
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("cyc-bar-XXXXXX", &error);
  g_autofree char *path = g_build_filename (folder, "data.csv", NULL);
  struct rlimit old, little;

  for (guint i = 0; i < n; i++)
    cyc_bar_table_set_name (table, i, "kernel");
  cyc_bar_table_add_series (table, "SM7", CYC_BAR_SIMULATED, values);
  g_autoptr (CycBarData) data = cyc_bar_data_new (table);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &old), ==, 0);
  little = old;
  little.rlim_cur = 1024 * 1024;
  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &little), ==, 0);
  gboolean ok = cyc_bar_csv_write (data, path, NULL, &error);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &old), ==, 0);
  g_assert_false (ok);
  g_assert_true (g_str_has_prefix (error->message, path));
  g_assert_nonnull (strstr (error->message, "cannot write"));
  /* Empty: a folder with something in it cannot be removed. */
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plot/bar-data/launches", test_launches);
  g_test_add_func ("/plot/bar-data/names", test_names);
  g_test_add_func ("/plot/bar-data/csv-fails", test_csv_fails);
  g_test_add_func ("/plot/bar-data/relative", test_relative);
  g_test_add_func ("/plot/bar-data/geometric", test_geometric);
  g_test_add_func ("/plot/bar-data/geometric-none", test_geometric_none);
  g_test_add_func ("/plot/bar-data/drill", test_drill);
  g_test_add_func ("/plot/bar-data/many", test_many);
  g_test_add_func ("/plot/bar-data/beyond", test_beyond);
  g_test_add_func ("/plot/bar-data/empty", test_empty);
  g_test_add_func ("/plot/bar-data/tsv", test_tsv);
  g_test_add_func ("/plot/bar-data/csv", test_csv);
  return g_test_run ();
}
