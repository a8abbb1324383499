/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/model/cyc-states.h"

/* The words and the table are those of the simulation service's types: exact. */

static const char *const trace_words[] = { "uploading", "processing", "ready", "failed" };
static const char *const sim_words[] = {
  "pending", "launching", "running", "lost", "succeeded", "failed", "cancelled",
};
static const char *const run_words[] = { "active", "succeeded", "partial", "failed", "cancelled" };

#define TO(state) (1u << (state))

static const guint sim_moves[CYC_SIM_N_STATES] = {
  [CYC_SIM_PENDING] = TO (CYC_SIM_LAUNCHING) | TO (CYC_SIM_FAILED) | TO (CYC_SIM_CANCELLED),
  [CYC_SIM_LAUNCHING] = TO (CYC_SIM_RUNNING) | TO (CYC_SIM_LOST) | TO (CYC_SIM_SUCCEEDED) |
                        TO (CYC_SIM_FAILED) | TO (CYC_SIM_CANCELLED),
  [CYC_SIM_RUNNING] = TO (CYC_SIM_LOST) | TO (CYC_SIM_SUCCEEDED) | TO (CYC_SIM_FAILED) |
                      TO (CYC_SIM_CANCELLED),
  [CYC_SIM_LOST] = TO (CYC_SIM_RUNNING) | TO (CYC_SIM_SUCCEEDED) | TO (CYC_SIM_FAILED) |
                   TO (CYC_SIM_CANCELLED),
};

static gboolean
find_word (const char *const *words,
           guint              n_words,
           const char        *text,
           guint             *out_index)
{
  for (guint i = 0; i < n_words; i++)
    if (g_strcmp0 (words[i], text) == 0)
      {
        *out_index = i;
        return TRUE;
      }
  return FALSE;
}

/**
 * cyc_trace_state_to_string:
 * @state: a state
 *
 * Returns: (transfer none): its word in JSON and the database
 */
const char *
cyc_trace_state_to_string (CycTraceState state)
{
  g_return_val_if_fail (state < G_N_ELEMENTS (trace_words), "failed");

  return trace_words[state];
}

/**
 * cyc_trace_state_from_string:
 * @text: (nullable): a word
 * @out_state: (out): the state
 *
 * Returns: %TRUE if @text is the word of a state
 */
gboolean
cyc_trace_state_from_string (const char    *text,
                             CycTraceState *out_state)
{
  guint i;

  if (!find_word (trace_words, G_N_ELEMENTS (trace_words), text, &i))
    return FALSE;
  *out_state = (CycTraceState) i;
  return TRUE;
}

/**
 * cyc_sim_state_to_string:
 * @state: a state
 *
 * Returns: (transfer none): its word in JSON and the database
 */
const char *
cyc_sim_state_to_string (CycSimState state)
{
  g_return_val_if_fail (state < G_N_ELEMENTS (sim_words), "failed");

  return sim_words[state];
}

/**
 * cyc_sim_state_from_string:
 * @text: (nullable): a word
 * @out_state: (out): the state
 *
 * Returns: %TRUE if @text is the word of a state
 */
gboolean
cyc_sim_state_from_string (const char  *text,
                           CycSimState *out_state)
{
  guint i;

  if (!find_word (sim_words, G_N_ELEMENTS (sim_words), text, &i))
    return FALSE;
  *out_state = (CycSimState) i;
  return TRUE;
}

/**
 * cyc_sim_state_is_terminal:
 * @state: a state
 *
 * Returns: %TRUE for succeeded, failed and cancelled, which nothing leaves
 */
gboolean
cyc_sim_state_is_terminal (CycSimState state)
{
  return state == CYC_SIM_SUCCEEDED || state == CYC_SIM_FAILED || state == CYC_SIM_CANCELLED;
}

/**
 * cyc_sim_state_can_move:
 * @from: the present state
 * @to: the wanted state
 *
 * SIM_TRANSITIONS of the simulation service. Staying where one is is not a move.
 *
 * Returns: %TRUE if the table allows the move
 */
gboolean
cyc_sim_state_can_move (CycSimState from,
                        CycSimState to)
{
  g_return_val_if_fail (from < CYC_SIM_N_STATES && to < CYC_SIM_N_STATES, FALSE);

  return (sim_moves[from] & TO (to)) != 0;
}

/**
 * cyc_run_state_to_string:
 * @state: a state
 *
 * Returns: (transfer none): its word in JSON
 */
const char *
cyc_run_state_to_string (CycRunState state)
{
  g_return_val_if_fail (state < G_N_ELEMENTS (run_words), "failed");

  return run_words[state];
}

/**
 * cyc_run_state_derive:
 * @counts: how many sims of the run are in each state
 *
 * run_state() of the simulation service: active while any sim has not finished; succeeded if all
 * did; partial if some did; cancelled if any was cancelled; else failed. A run without sims has
 * nothing left to do and nothing that succeeded: failed.
 *
 * Returns: the state of the run
 */
CycRunState
cyc_run_state_derive (const guint counts[CYC_SIM_N_STATES])
{
  guint total = 0;
  for (guint i = 0; i < CYC_SIM_N_STATES; i++)
    {
      total += counts[i];
      if (counts[i] > 0 && !cyc_sim_state_is_terminal ((CycSimState) i))
        return CYC_RUN_ACTIVE;
    }
  if (total > 0 && counts[CYC_SIM_SUCCEEDED] == total)
    return CYC_RUN_SUCCEEDED;
  if (counts[CYC_SIM_SUCCEEDED] > 0)
    return CYC_RUN_PARTIAL;
  return counts[CYC_SIM_CANCELLED] > 0 ? CYC_RUN_CANCELLED : CYC_RUN_FAILED;
}
