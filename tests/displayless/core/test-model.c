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
  for (guint i = 0; i < CYC_SIM_N_STATES; i++)
    {
      CycSimState state;
      g_assert_true (cyc_sim_state_from_string (cyc_sim_state_to_string ((CycSimState) i), &state));
      g_assert_cmpuint (state, ==, i);
    }
  CycSimState state;
  g_assert_false (cyc_sim_state_from_string ("Running", &state));
  g_assert_false (cyc_sim_state_from_string (NULL, &state));
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
