/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/model/cyc-states.h"

/* The rows of SIM_TRANSITIONS, written out from the service's types page. */
static const char *const moves[CYC_SIM_N_STATES] = {
  [CYC_SIM_PENDING] = ".L...FC",
  [CYC_SIM_LAUNCHING] = "..RXSFC",
  [CYC_SIM_RUNNING] = "...XSFC",
  [CYC_SIM_LOST] = "..R.SFC",
  [CYC_SIM_SUCCEEDED] = ".......",
  [CYC_SIM_FAILED] = ".......",
  [CYC_SIM_CANCELLED] = ".......",
};

static void
test_transitions (void)
{
  for (guint from = 0; from < CYC_SIM_N_STATES; from++)
    for (guint to = 0; to < CYC_SIM_N_STATES; to++)
      g_assert_cmpint (cyc_sim_state_can_move ((CycSimState) from, (CycSimState) to), ==,
                       moves[from][to] != '.');
}

static void
test_run_state (void)
{
  static const struct { CycSimState a, b; CycRunState run; } rows[] = {
    { CYC_SIM_RUNNING, CYC_SIM_SUCCEEDED, CYC_RUN_ACTIVE },
    { CYC_SIM_SUCCEEDED, CYC_SIM_SUCCEEDED, CYC_RUN_SUCCEEDED },
    { CYC_SIM_SUCCEEDED, CYC_SIM_FAILED, CYC_RUN_PARTIAL },
    { CYC_SIM_FAILED, CYC_SIM_FAILED, CYC_RUN_FAILED },
    { CYC_SIM_CANCELLED, CYC_SIM_FAILED, CYC_RUN_CANCELLED },
    { CYC_SIM_CANCELLED, CYC_SIM_SUCCEEDED, CYC_RUN_PARTIAL },
    { CYC_SIM_CANCELLED, CYC_SIM_CANCELLED, CYC_RUN_CANCELLED },
    { CYC_SIM_LOST, CYC_SIM_CANCELLED, CYC_RUN_ACTIVE },
  };
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      guint counts[CYC_SIM_N_STATES] = { 0 };
      counts[rows[i].a]++;
      counts[rows[i].b]++;
      g_assert_cmpint (cyc_run_state_derive (counts), ==, rows[i].run);
    }
}

static void
test_words (void)
{
  static const char *const sims[] = {
    "pending", "launching", "running", "lost", "succeeded", "failed", "cancelled",
  };
  static const char *const runs[] = { "active", "succeeded", "partial", "failed", "cancelled" };
  static const char *const traces[] = { "uploading", "processing", "ready", "failed" };
  CycSimState sim;
  CycTraceState trace;

  g_assert_cmpuint (G_N_ELEMENTS (sims), ==, CYC_SIM_N_STATES);
  for (guint i = 0; i < G_N_ELEMENTS (sims); i++)
    {
      g_assert_cmpstr (cyc_sim_state_to_string ((CycSimState) i), ==, sims[i]);
      g_assert_true (cyc_sim_state_from_string (sims[i], &sim));
      g_assert_cmpuint (sim, ==, i);
      g_assert_cmpint (cyc_sim_state_is_terminal (sim), ==, i >= 4);
    }
  for (guint i = 0; i < G_N_ELEMENTS (runs); i++)
    g_assert_cmpstr (cyc_run_state_to_string ((CycRunState) i), ==, runs[i]);
  for (guint i = 0; i < G_N_ELEMENTS (traces); i++)
    {
      g_assert_cmpstr (cyc_trace_state_to_string ((CycTraceState) i), ==, traces[i]);
      g_assert_true (cyc_trace_state_from_string (traces[i], &trace));
      g_assert_cmpuint (trace, ==, i);
    }
  g_assert_false (cyc_sim_state_from_string ("Running", &sim));
  g_assert_false (cyc_sim_state_from_string ("", &sim));
  g_assert_false (cyc_sim_state_from_string (NULL, &sim));
  g_assert_false (cyc_trace_state_from_string ("lost", &trace));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/states/transitions", test_transitions);
  g_test_add_func ("/core/states/run-state", test_run_state);
  g_test_add_func ("/core/states/words", test_words);
  return g_test_run ();
}
