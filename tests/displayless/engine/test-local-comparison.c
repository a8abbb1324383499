/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include "core/base/cyc-error.h"
#include "workspace-fixture.h"

/* Comparisons. The figures were computed with awk from the recorded logs: differences between blocks, and
 * cycles by the clock of the log, 1132 MHz. */

static const char *const configs[] = { "SM86_RTX3070", "SM86_RTX3070_12SM", "SM86_RTX3070_SLOWDRAM" };

static const double cycles[][5] = {
  { 6231, 5912, 13685, 14039, 6189 },
  { 6453, 6390, 22446, 14012, 6436 },
  { 6944, 5920, 13720, 27547, 6925 },
};

static const double stalls[][5] = {
  { 0, 0, 11228, 15669, 0 },
  { 1848, 460, 9762, 17860, 1841 },
  { 0, 0, 11507, 15669, 0 },
};

static CycComparison *
compare (Fixture    *fixture,
         const char *run,
         const char *counter)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  cyc_workspace_load_comparison_async (fixture->workspace, run, counter, NULL, answer_cb, &result);
  CycComparison *comparison =
    cyc_workspace_load_comparison_finish (fixture->workspace, answer_wait (&result), &error);
  g_assert_no_error (error);
  g_assert_cmpstr (comparison->counter, ==, counter);
  return comparison;
}

static const CycComparisonSeries *
get_series (const CycComparison *comparison,
            guint                index,
            const char          *name,
            guint                n_replicas)
{
  const CycComparisonSeries *series = g_ptr_array_index (comparison->series, index);

  g_assert_cmpstr (series->name, ==, name);
  g_assert_cmpuint (series->n_replicas, ==, n_replicas);
  return series;
}

static void
assert_note (const CycComparison *comparison,
             const char          *words)
{
  for (guint i = 0; comparison->notes != NULL && comparison->notes[i] != NULL; i++)
    if (strstr (comparison->notes[i], words) != NULL)
      return;
  g_error ("no note says '%s'", words);
}

/* The recorded run of the sample: time, and counters of which each kernel has a share. */
static void
test_sample (Fixture       *fixture,
             gconstpointer  data)
{
  g_autofree char *run = fixture_get_sample_run (fixture);
  g_autoptr (CycComparison) times = compare (fixture, run, CYC_COMPARISON_TIME);
  g_autoptr (CycComparison) cycle = compare (fixture, run, "gpu_sim_cycle");
  g_autoptr (CycComparison) stall = compare (fixture, run, "gpgpu_n_stall_shd_mem");

  g_assert_cmpstr (times->unit, ==, "ns");
  g_assert_cmpstr (cycle->unit, ==, "cycles");
  g_assert_null (times->notes);
  g_assert_null (stall->notes);
  g_assert_cmpuint (times->series->len, ==, G_N_ELEMENTS (configs));
  g_assert_cmpuint (stall->n_kernels, ==, 5);
  g_assert_cmpstr (stall->names[2], ==, "_Z13matrixMulCUDAILi16EEvPfS0_S0_ii");
  for (guint c = 0; c < G_N_ELEMENTS (configs); c++)
    for (guint i = 0; i < 5; i++)
      {
        g_assert_cmpfloat_with_epsilon (get_series (times, c, configs[c], 1)->values[i],
                                        cycles[c][i] / 1.132, 1e-6);
        g_assert_cmpfloat (get_series (cycle, c, configs[c], 1)->values[i], ==, cycles[c][i]);
        g_assert_cmpfloat (get_series (stall, c, configs[c], 1)->values[i], ==, stalls[c][i]);
      }
}

/* What cannot be compared is said. */
static void
test_notes (Fixture       *fixture,
            gconstpointer  data)
{
  g_autofree char *run = fixture_get_sample_run (fixture);
  g_autoptr (CycComparison) missing = compare (fixture, run, "no_such_counter");
  g_autoptr (CycComparison) cache = compare (fixture, run, "L1I_total_cache_accesses");
  g_autoptr (CycComparison) maximum = compare (fixture, run, "maxmrqlatency");
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  assert_note (missing, "no kernel has a counter 'no_such_counter'");
  assert_note (cache, "SM86_RTX3070_12SM: L1I_total_cache_accesses is not modelled");
  g_assert_true (isnan (get_series (cache, 0, configs[0], 0)->values[0]));
  assert_note (maximum, "a maximum since the start");
  g_assert_true (isnan (get_series (maximum, 0, configs[0], 1)->values[4]));

  cyc_workspace_load_comparison_async (fixture->workspace, "run-none", "time", NULL, answer_cb, &result);
  g_assert_null (cyc_workspace_load_comparison_finish (fixture->workspace, answer_wait (&result), &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_NOT_FOUND);
}

static char *
import_with_timing (Fixture *fixture)
{
  static const char *const files[] = {
    "traces/kernelslist.g", "traces/kernel-1.traceg.xz", "traces/kernel-2.traceg.xz",
    "traces/kernel-3.traceg.xz", "traces/kernel-4.traceg.xz", "traces/kernel-5.traceg.xz",
    "recorded/SM86_RTX3070.log.xz", "recorded/SM86_RTX3070_12SM.log.xz",
  };
  g_autofree char *source = g_build_filename (fixture->folder, "measured", NULL);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *from = g_test_build_filename (G_TEST_DIST, "..", "samples", "traces", SAMPLE_TRACE,
                                                     files[i], NULL);
      g_autofree char *rel = g_build_filename ("measured", files[i], NULL);
      g_autofree char *bytes = NULL;
      gsize length;
      g_file_get_contents (from, &bytes, &length, &error);
      g_assert_no_error (error);
      g_free (test_folder_write (fixture->folder, rel, bytes, (gssize) length));
    }
  g_free (test_folder_write (fixture->folder, "measured/metadata.json",
                             "{\"trace_gpu_arch\": \"sm_86\", \"real_gpu_config\": \"SM86_RTX3070\"}", -1));
  g_free (test_folder_write (fixture->folder, "measured/real_timing.json",
                             "{\"kernels\": [{\"name\": \"a\", \"duration_ns\": 5000},"
                             " {\"name\": \"b\", \"duration_ns\": 4500.5}]}", -1));
  const CycImportRequest request = { source, "measured", CYC_IMPORT_COPY, NULL, NULL };
  g_autoptr (GAsyncResult) result = NULL;
  cyc_workspace_import_async (fixture->workspace, &request, NULL, answer_cb, &result);
  g_autoptr (CycFindings) findings =
    cyc_workspace_import_finish (fixture->workspace, answer_wait (&result), &error);
  g_assert_no_error (error);
  return g_strdup ("measured");
}

/* Times of the real GPU stand first; other counters were not measured. */
static void
test_real (Fixture       *fixture,
           gconstpointer  data)
{
  g_autofree char *trace = import_with_timing (fixture);
  g_autoptr (CycRunRequest) request = cyc_run_request_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  request->trace_id = g_strdup (trace);
  request->launcher = g_strdup ("replay");
  g_ptr_array_add (request->entries, cyc_run_entry_new (configs[1], 2));
  g_ptr_array_add (request->entries, cyc_run_entry_new (configs[0], 1));
  cyc_workspace_create_run_async (fixture->workspace, request, NULL, answer_cb, &result);
  g_autofree char *run = cyc_workspace_create_run_finish (fixture->workspace, answer_wait (&result), &error);
  g_assert_no_error (error);
  fixture_wait_run (fixture, run);

  g_autoptr (CycComparison) times = compare (fixture, run, CYC_COMPARISON_TIME);
  const CycComparisonSeries *real = get_series (times, 0, "real GPU", 1);
  g_assert_true (real->real);
  g_assert_cmpfloat (real->values[0], ==, 5000);
  g_assert_cmpfloat (real->values[1], ==, 4500.5);
  g_assert_true (isnan (real->values[2]));
  /* In the run's order. */
  g_assert_cmpfloat_with_epsilon (get_series (times, 1, configs[1], 2)->values[2], 22446 / 1.132, 1e-6);
  g_assert_cmpfloat_with_epsilon (get_series (times, 2, configs[0], 1)->values[2], 13685 / 1.132, 1e-6);
  assert_note (times, "2 kernels were measured and 5 simulated");
  assert_note (times, "SM86_RTX3070_12SM: does not model the GPU that was measured, which is SM86_RTX3070");
  g_assert_cmpuint (g_strv_length (times->notes), ==, 2);

  g_autoptr (CycComparison) cycle = compare (fixture, run, "gpu_sim_cycle");
  g_assert_cmpuint (cycle->series->len, ==, 2);
  g_assert_cmpfloat (get_series (cycle, 0, configs[1], 2)->values[2], ==, 22446);
  assert_note (cycle, "only times were measured");
}

/* What did not succeed is left out, and counted. */
static void
test_failed (Fixture       *fixture,
             gconstpointer  data)
{
  g_autofree char *run = fixture_start_run (fixture, "local", "crash", SAMPLE_CONFIG, 2);

  fixture_wait_run (fixture, run);
  g_autoptr (CycComparison) cycle = compare (fixture, run, "gpu_sim_cycle");
  const CycComparisonSeries *series = get_series (cycle, 0, SAMPLE_CONFIG, 0);
  for (guint i = 0; i < cycle->n_kernels; i++)
    g_assert_true (isnan (series->values[i]));
  assert_note (cycle, "SM86_RTX3070: 2 of 2 simulations have not succeeded; they are left out");
  g_autoptr (CycComparison) times = compare (fixture, run, CYC_COMPARISON_TIME);
  g_assert_cmpfloat_with_epsilon (get_series (times, 0, SAMPLE_CONFIG, 2)->values[0], 6231 / 1.132, 1e-6);
  assert_note (times, "the kernels that they finished count");
}

static void
set_up_crash (Fixture       *fixture,
              gconstpointer  data)
{
  g_autofree char *settings = fixture_fake_settings ("crash", "crash", "");

  fixture_set_up (fixture, settings);
}

#define ADD(name, set_up, func) \
  g_test_add ("/engine/local-comparison/" name, Fixture, NULL, set_up, func, fixture_tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("sample", fixture_set_up, test_sample);
  ADD ("notes", fixture_set_up, test_notes);
  ADD ("real", fixture_set_up, test_real);
  ADD ("failed", set_up_crash, test_failed);
  return g_test_run ();
}
