/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-outcome-words.h"

#include <glib/gi18n.h>
#include <string.h>

/* The engine's sentences about how a simulation ended are English and have its details. Here is what each reason
 * means, to be translated. */

typedef struct
{
  const char *code;
  const char *words;
} Words;

static const Words reasons[] = {
  { "arch_mismatch", N_("Trace and configuration are of different architectures") },
  { "assertion", N_("A check in the simulator failed") },
  { "config_invalid", N_("The simulator refused the configuration") },
  { "config_missing", N_("A file of the configuration is not there") },
  { "crashed", N_("The simulator crashed") },
  { "deadlock", N_("The simulated GPU stood still: a deadlock") },
  { "limit_reached",
    N_("It stopped at a cap on cycles, instructions or blocks; the figures of the last kernel are partial") },
  { "missing_blocks", N_("The log does not have the results of the listed kernels") },
  { "no_end_marker", N_("The log ends and nothing says why") },
  { "no_kernels", N_("It ended without simulating a kernel") },
  { "resource_limit", N_("A block needs more than a core of the configuration has") },
  { "simulator_missing", N_("The simulator could not be started") },
  { "terminated", N_("The simulator was stopped from outside") },
  { "trace_invalid", N_("The trace is damaged") },
  { "trace_unreadable", N_("A file of the trace could not be read") },
  { "unknown_opcode", N_("The trace has an instruction that the simulator does not know") },
  { "unsupported_binary_version", N_("The simulator does not accept the kernels’ architecture") },
};

static const Words outcomes[] = {
  { "failed", NC_("outcome", "failed") },
  { "incomplete", NC_("outcome", "incomplete") },
  { "limit", NC_("outcome", "limit") },
  { "succeeded", NC_("outcome", "succeeded") },
};

static const char *
find (const Words *words,
      gsize        n,
      const char  *code)
{
  for (gsize i = 0; i < n; i++)
    if (g_strcmp0 (words[i].code, code) == 0)
      return words[i].words;
  return NULL;
}

/**
 * cyc_outcome_words_get_reason:
 * @reason: (nullable): of an outcome
 *
 * Returns: (transfer none) (nullable): what it means, in the user's language; %NULL where that is English, in which
 *   the engine's sentence says more, and for what is not known
 */
const char *
cyc_outcome_words_get_reason (const char *reason)
{
  const char *words = find (reasons, G_N_ELEMENTS (reasons), reason);
  const char *translated = words != NULL ? _(words) : NULL;

  return words == NULL || strcmp (translated, words) == 0 ? NULL : translated;
}

/**
 * cyc_outcome_words_dup:
 * @sim: a simulation
 *
 * Returns: (transfer full) (nullable): outcome and reason for people; %NULL while there is none
 */
char *
cyc_outcome_words_dup (const CycSimRecord *sim)
{
  g_return_val_if_fail (sim != NULL, NULL);

  if (sim->outcome == NULL)
    return NULL;
  const char *known = find (outcomes, G_N_ELEMENTS (outcomes), sim->outcome);
  const char *outcome = known != NULL ? g_dpgettext2 (NULL, "outcome", known) : sim->outcome;
  const char *reason = cyc_outcome_words_get_reason (sim->reason);
  if (reason == NULL)
    reason = sim->reason;
  return reason != NULL ? g_strdup_printf ("%s: %s", outcome, reason) : g_strdup (outcome);
}
