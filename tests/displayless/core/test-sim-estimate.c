/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include "core/model/cyc-sim-estimate.h"

/* Figures of the sample: 663,616 thread instructions in 2 s of the simulator after two of five kernels.
 * The expected times were worked out on paper:
 *
 *   instructions: 6656 + 19456 = 26112 done, 237568 + 5632 + 6656 = 249856 left, 12288 of them later
 *   2 s × 249856 / 26112 = 19.137254… s; less 3 s since = 16.137254 s; 2 s × 12288 / 26112 = 0.941176 s
 */

#define START G_GINT64_CONSTANT (1700000000000000)

static const gint64 sizes[] = { 6656, 19456, 237568, 5632, 6656 };

static GPtrArray *
make_launches (guint n)
{
  GPtrArray *launches = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_launch_record_free);

  for (guint i = 0; i < n; i++)
    {
      CycLaunchRecord *launch = cyc_launch_record_new ();
      launch->instructions = sizes[i];
      g_ptr_array_add (launches, launch);
    }
  return launches;
}

static CycSimRecord *
make_sim (void)
{
  CycSimRecord *sim = cyc_sim_record_new ();

  sim->state = CYC_SIM_RUNNING;
  sim->started_at = START;
  sim->kernels_done = 2;
  sim->kernels_total = 5;
  sim->latest.gpu_tot_sim_insn = 663616;
  sim->latest.sim_rate_ips = 331808;
  return sim;
}

static void
assert_estimate (const CycSimRecord *sim,
                 GPtrArray          *launches,
                 double              elapsed,
                 CycSimEstimateKind  kind,
                 double              left,
                 double              fraction,
                 const char         *words)
{
  g_autoptr (GArray) sums = launches != NULL ? cyc_sim_estimate_sum_launches (launches) : NULL;
  CycSimEstimate estimate;

  cyc_sim_estimate_make (&estimate, sim, sums, START + (gint64) (elapsed * G_USEC_PER_SEC));
  g_autofree char *sentence = cyc_sim_estimate_explain (&estimate, sim);
  g_assert_cmpint (estimate.kind, ==, kind);
  if (kind == CYC_SIM_ESTIMATE_NONE)
    {
      g_assert_cmpint (estimate.left, ==, -1);
      g_assert_true (isnan (estimate.fraction));
    }
  else
    {
      g_assert_cmpfloat_with_epsilon ((double) estimate.left / G_USEC_PER_SEC, left, 2e-6);
      g_assert_cmpfloat_with_epsilon (estimate.fraction, fraction, 1e-6);
    }
  g_assert_nonnull (strstr (sentence, words));
}

static void
test_instructions (void)
{
  g_autoptr (CycSimRecord) sim = make_sim ();
  g_autoptr (GPtrArray) launches = make_launches (5);

  assert_estimate (sim, launches, 5, CYC_SIM_ESTIMATE_INSTRUCTIONS, 16.137254, 0.094619, "9 %");
  assert_estimate (sim, launches, 2, CYC_SIM_ESTIMATE_INSTRUCTIONS, 19.137254, 0.094619, "9 %");
  /* The third kernel takes longer than thought: the two after it are still to come. */
  assert_estimate (sim, launches, 30, CYC_SIM_ESTIMATE_INSTRUCTIONS, 0.941176, 0.094619, "9 %");
  /* No figures from the simulator: all the time counts. 4 s × 249856 / 26112 */
  sim->latest.sim_rate_ips = NAN;
  assert_estimate (sim, launches, 4, CYC_SIM_ESTIMATE_INSTRUCTIONS, 38.274509, 0.094619, "9 %");
  sim->latest.sim_rate_ips = 0;
  assert_estimate (sim, launches, 4, CYC_SIM_ESTIMATE_INSTRUCTIONS, 38.274509, 0.094619, "9 %");
  /* A replay is faster than what it replays. */
  sim->latest.sim_rate_ips = 331808;
  assert_estimate (sim, launches, 1, CYC_SIM_ESTIMATE_INSTRUCTIONS, 9.568627, 0.094619, "9 %");
  sim->kernels_done = 5;
  assert_estimate (sim, launches, 5, CYC_SIM_ESTIMATE_INSTRUCTIONS, 0, 1, "100 %");
}

static void
test_kernels (void)
{
  g_autoptr (CycSimRecord) sim = make_sim ();
  g_autoptr (GPtrArray) launches = make_launches (5);
  g_autoptr (GPtrArray) few = make_launches (4);

  ((CycLaunchRecord *) g_ptr_array_index (launches, 4))->instructions = -1;
  /* 2 s × 3 / 2 − 0.5 s, and no less than 2 s × 2 / 2 */
  assert_estimate (sim, launches, 2.5, CYC_SIM_ESTIMATE_KERNELS, 2.5, 0.4, "2 of 5");
  assert_estimate (sim, few, 2.5, CYC_SIM_ESTIMATE_KERNELS, 2.5, 0.4, "2 of 5");
  assert_estimate (sim, NULL, 2.5, CYC_SIM_ESTIMATE_KERNELS, 2.5, 0.4, "2 of 5");
  assert_estimate (sim, NULL, 60, CYC_SIM_ESTIMATE_KERNELS, 2, 0.4, "2 of 5");
  /* Kernels without instructions say nothing about those that have some. */
  g_autoptr (GPtrArray) empty = make_launches (5);
  ((CycLaunchRecord *) g_ptr_array_index (empty, 0))->instructions = 0;
  ((CycLaunchRecord *) g_ptr_array_index (empty, 1))->instructions = 0;
  assert_estimate (sim, empty, 2.5, CYC_SIM_ESTIMATE_KERNELS, 2.5, 0.4, "2 of 5");
}

static void
test_none (void)
{
  g_autoptr (CycSimRecord) sim = make_sim ();
  g_autoptr (GPtrArray) launches = make_launches (5);

  sim->kernels_done = 0;
  assert_estimate (sim, launches, 5, CYC_SIM_ESTIMATE_NONE, 0, 0, "before the first kernel");
  sim->kernels_done = 2;
  sim->kernels_total = 0;
  assert_estimate (sim, launches, 5, CYC_SIM_ESTIMATE_NONE, 0, 0, "not known");
  sim->kernels_total = 5;
  sim->started_at = 0;
  assert_estimate (sim, launches, 5, CYC_SIM_ESTIMATE_NONE, 0, 0, "not running");
  sim->started_at = START;
  sim->state = CYC_SIM_PENDING;
  assert_estimate (sim, launches, 5, CYC_SIM_ESTIMATE_NONE, 0, 0, "not running");
  sim->state = CYC_SIM_SUCCEEDED;
  assert_estimate (sim, launches, 5, CYC_SIM_ESTIMATE_NONE, 0, 0, "over");
}

/* The first kernel is not done yet, 100 s after the start: an earlier simulation took 250 s. */
static void
test_earlier (void)
{
  g_autoptr (CycSimRecord) sim = make_sim ();
  CycSimEstimate estimate;
  gint64 now = START + 100 * G_USEC_PER_SEC;

  sim->kernels_done = 0;
  cyc_sim_estimate_make (&estimate, sim, NULL, now);
  cyc_sim_estimate_by_earlier (&estimate, sim, 250 * G_USEC_PER_SEC, now);
  g_assert_cmpint (estimate.kind, ==, CYC_SIM_ESTIMATE_EARLIER);
  g_assert_cmpint (estimate.left, ==, 150 * G_USEC_PER_SEC);
  g_assert_cmpfloat_with_epsilon (estimate.fraction, 0.4, 1e-9);
  g_autofree char *sentence = cyc_sim_estimate_explain (&estimate, sim);
  g_assert_cmpstr (sentence, ==, "estimated by an earlier simulation of the trace on this configuration");
  /* It takes longer than that one: nobody knows. */
  cyc_sim_estimate_make (&estimate, sim, NULL, now);
  cyc_sim_estimate_by_earlier (&estimate, sim, 100 * G_USEC_PER_SEC, now);
  g_assert_cmpint (estimate.kind, ==, CYC_SIM_ESTIMATE_NONE);
  /* What the simulation says itself is better. */
  sim->kernels_done = 2;
  cyc_sim_estimate_make (&estimate, sim, NULL, now);
  cyc_sim_estimate_by_earlier (&estimate, sim, 250 * G_USEC_PER_SEC, now);
  g_assert_cmpint (estimate.kind, ==, CYC_SIM_ESTIMATE_KERNELS);
  /* What does not run has nothing left. */
  sim->state = CYC_SIM_SUCCEEDED;
  sim->kernels_done = 0;
  cyc_sim_estimate_make (&estimate, sim, NULL, now);
  cyc_sim_estimate_by_earlier (&estimate, sim, 250 * G_USEC_PER_SEC, now);
  g_assert_cmpint (estimate.kind, ==, CYC_SIM_ESTIMATE_NONE);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/sim-estimate/instructions", test_instructions);
  g_test_add_func ("/core/sim-estimate/kernels", test_kernels);
  g_test_add_func ("/core/sim-estimate/none", test_none);
  g_test_add_func ("/core/sim-estimate/earlier", test_earlier);
  return g_test_run ();
}
