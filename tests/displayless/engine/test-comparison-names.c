/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include "engine/cyc-results.h"

/* Kernels that ran at the same time end in another order on another GPU. What stands under a name is of the
 * kernel of that name, or it is nothing. */

static void
add_kernel (GPtrArray  *kernels,
            const char *name,
            double      ns)
{
  CycKernelRecord *kernel = cyc_kernel_record_new ();

  kernel->kernel_index = kernels->len;
  kernel->kernel_name = g_strdup (name);
  kernel->sim_time_ns = ns;
  g_ptr_array_add (kernels, kernel);
}

static void
add_sim (CycResults        *results,
         const char        *config,
         const char *const *names,
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
    add_kernel (kernels, names[i], ns[i]);
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
  add_sim (results, "ONE", one, (const double[]) { 10, 20, 30 });
  add_sim (results, "OTHER", other, (const double[]) { 21, 11, 31 });
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

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/comparison/order", test_order);
  return g_test_run ();
}
