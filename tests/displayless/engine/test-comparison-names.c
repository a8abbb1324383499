/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include "engine/cyc-results.h"

/* Kernels that ran at the same time end in another order on another GPU: the number of their launch says which
 * is which. Without one, what stands under a name is of the kernel of that name, or it is nothing. */

static const gint64 no_uids[] = { 0, 0, 0 };

static void
add_kernel (GPtrArray  *kernels,
            const char *name,
            gint64      uid,
            double      ns)
{
  CycKernelRecord *kernel = cyc_kernel_record_new ();

  kernel->kernel_index = kernels->len;
  kernel->kernel_name = g_strdup (name);
  kernel->has_launch_uid = uid != 0;
  kernel->kernel_launch_uid = uid;
  kernel->concurrent = uid == 2;
  kernel->sim_time_ns = ns;
  g_ptr_array_add (kernels, kernel);
}

static void
add_sim (CycResults        *results,
         const char        *config,
         const char *const *names,
         const gint64      *uids,
         const double      *ns)
{
  g_autoptr (GPtrArray) kernels = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_kernel_record_free);
  g_autoptr (CycSimRecord) sim = cyc_sim_record_new ();
  g_autoptr (CycGpuConfigRecord) record = cyc_gpu_config_record_new (config, "sm_86", 1000);

  sim->id = g_strdup_printf ("sim-%s", config);
  sim->run_id = g_strdup ("run-1");
  sim->gpu_config = g_strdup (config);
  sim->state = CYC_SIM_SUCCEEDED;
  for (guint i = 0; i < 3; i++)
    add_kernel (kernels, names[i], uids[i], ns[i]);
  cyc_results_add_sim (results, sim, record, kernels, "/nowhere");
  g_ptr_array_add (results->run->entries, cyc_run_entry_new (config, 1));
}

static void
test_order (void)
{
  static const char *const one[] = { "a", "b", "c" };
  static const char *const other[] = { "b", "a", "c" };
  g_autoptr (CycResults) results = cyc_results_new ();
  g_autoptr (GError) error = NULL;

  results->run = cyc_run_record_new ();
  add_sim (results, "ONE", one, no_uids, (const double[]) { 10, 20, 30 });
  add_sim (results, "OTHER", other, no_uids, (const double[]) { 21, 11, 31 });
  g_autoptr (CycComparison) comparison = cyc_results_compare (results, CYC_COMPARISON_TIME, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (comparison->n_kernels, ==, 3);
  const CycComparisonSeries *first = g_ptr_array_index (comparison->series, 0);
  const CycComparisonSeries *second = g_ptr_array_index (comparison->series, 1);
  g_assert_cmpstr (comparison->names[0], ==, "a");
  g_assert_cmpfloat (first->values[0], ==, 10);
  g_assert_true (isnan (second->values[0]));
  g_assert_cmpfloat (first->values[1], ==, 20);
  g_assert_true (isnan (second->values[1]));
  g_assert_cmpfloat (first->values[2], ==, 30);
  g_assert_cmpfloat (second->values[2], ==, 31);
}

/* One kernel twice, and one that ends between the two or after them. */
static void
test_uids (void)
{
  static const char *const one[] = { "a", "a", "b" };
  static const char *const other[] = { "a", "b", "a" };
  g_autoptr (CycResults) results = cyc_results_new ();
  g_autoptr (GError) error = NULL;

  results->run = cyc_run_record_new ();
  add_sim (results, "ONE", one, (const gint64[]) { 1, 2, 3 }, (const double[]) { 10, 20, 30 });
  add_sim (results, "OTHER", other, (const gint64[]) { 2, 3, 1 }, (const double[]) { 21, 31, 11 });
  g_autoptr (CycComparison) comparison = cyc_results_compare (results, CYC_COMPARISON_TIME, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (comparison->n_kernels, ==, 3);
  const CycComparisonSeries *first = g_ptr_array_index (comparison->series, 0);
  const CycComparisonSeries *second = g_ptr_array_index (comparison->series, 1);
  for (guint i = 0; i < 3; i++)
    {
      g_assert_cmpstr (comparison->names[i], ==, one[i]);
      g_assert_cmpint (comparison->uids[i], ==, i + 1);
      g_assert_cmpfloat (first->values[i], ==, 10 * (i + 1));
      g_assert_cmpfloat (second->values[i], ==, 10 * (i + 1) + 1);
      g_assert_cmpint (comparison->concurrent[i], ==, i == 1);
    }
  g_assert_nonnull (comparison->notes);
  g_assert_true (g_pattern_match_simple ("1 of 3 kernels ran at the same time as others: *",
                                         comparison->notes[0]));

  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);
  cyc_results_write_comparison (results, writer);
  g_autoptr (GString) text = cyc_json_writer_steal (writer);
  g_assert_nonnull (strstr (text->str, "\"kernel_launch_uid\":2,\"concurrent\":true,"
                                       "\"real_ns\":null,\"sim_ns\":{\"ONE\":20,\"OTHER\":21}"));
}

/* A kernel that one simulation lost (a known fault of the simulator) shifts no others. */
static void
test_missing (void)
{
  static const char *const one[] = { "a", "a", "a" };
  g_autoptr (CycResults) results = cyc_results_new ();
  g_autoptr (GError) error = NULL;

  results->run = cyc_run_record_new ();
  add_sim (results, "ONE", one, (const gint64[]) { 1, 2, 3 }, (const double[]) { 10, 20, 30 });
  add_sim (results, "OTHER", one, (const gint64[]) { 1, 3, 4 }, (const double[]) { 11, 31, 41 });
  g_autoptr (CycComparison) comparison = cyc_results_compare (results, CYC_COMPARISON_TIME, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (comparison->n_kernels, ==, 4);
  const CycComparisonSeries *first = g_ptr_array_index (comparison->series, 0);
  const CycComparisonSeries *second = g_ptr_array_index (comparison->series, 1);
  g_assert_cmpfloat (first->values[1], ==, 20);
  g_assert_true (isnan (second->values[1]));
  g_assert_cmpfloat (first->values[2], ==, 30);
  g_assert_cmpfloat (second->values[2], ==, 31);
  g_assert_true (isnan (first->values[3]));
  g_assert_cmpfloat (second->values[3], ==, 41);
}

/* At 3 MHz: a third of a microsecond each, in whole picoseconds, without a gap. A kernel without cycles, and all of
 * a configuration without a clock, are counted. */
static void
test_chrome (void)
{
  static const char *const names[] = { "a", "b", "c" };
  g_autoptr (CycResults) results = cyc_results_new ();

  results->run = cyc_run_record_new ();
  add_sim (results, "ONE", names, no_uids, (const double[]) { 1, 1, 1 });
  add_sim (results, "NO_CLOCK", names, no_uids, (const double[]) { 1, 1, 1 });
  CycSimResult *one = g_ptr_array_index (results->sims, 0);
  one->config->core_clock_mhz = 3;
  ((CycSimResult *) g_ptr_array_index (results->sims, 1))->config->core_clock_mhz = 0;
  for (guint i = 0; i < 2; i++)
    {
      CycKernelRecord *kernel = g_ptr_array_index (one->kernels, i);
      kernel->has_cycle = TRUE;
      kernel->gpu_sim_cycle = 1;
    }
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);
  cyc_results_write_chrome (results, writer);
  g_autoptr (GString) text = cyc_json_writer_steal (writer);
  g_assert_nonnull (strstr (text->str, "\"ts\":0,\"dur\":0.333333,"));
  g_assert_nonnull (strstr (text->str, "\"ts\":0.333333,\"dur\":0.333334,"));
  g_assert_nonnull (strstr (text->str, "\"left_out\":[{\"sim_id\":\"sim-ONE\",\"kernels\":1,"));
  g_assert_nonnull (strstr (text->str, "{\"sim_id\":\"sim-NO_CLOCK\",\"kernels\":3,"));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/comparison/order", test_order);
  g_test_add_func ("/engine/comparison/uids", test_uids);
  g_test_add_func ("/engine/comparison/missing", test_missing);
  g_test_add_func ("/engine/comparison/chrome", test_chrome);
  return g_test_run ();
}
