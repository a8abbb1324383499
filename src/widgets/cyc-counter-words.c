/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "widgets/cyc-counter-words.h"

#include <glib/gi18n.h>

/* Words for units, kinds and meanings of counters, which the catalogue has in English, as documents do. */

static const char *const units[] = {
  NC_("unit", "accesses"),
  NC_("unit", "accesses/activation"),
  NC_("unit", "attempts"),
  NC_("unit", "bank groups"),
  NC_("unit", "banks"),
  NC_("unit", "buffers/cycle"),
  NC_("unit", "bursts"),
  NC_("unit", "bytes"),
  NC_("unit", "commands"),
  NC_("unit", "conflicts/cycle"),
  NC_("unit", "cycles"),
  NC_("unit", "cycles/s"),
  NC_("unit", "packets"),
  NC_("unit", "packets/cycle"),
  NC_("unit", "requests"),
  NC_("unit", "requests/cycle"),
  NC_("unit", "thread blocks"),
  NC_("unit", "thread instructions"),
  NC_("unit", "thread instructions/cycle"),
  NC_("unit", "thread instructions/s"),
  NC_("unit", "times"),
  NC_("unit", "transfers"),
  NC_("unit", "warp instructions"),
};

/**
 * cyc_counter_words_get_unit:
 * @unit: of the catalogue
 *
 * Returns: (transfer none): the unit in the user's language; @unit itself if there is no other word for it
 */
const char *
cyc_counter_words_get_unit (const char *unit)
{
  g_return_val_if_fail (unit != NULL, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (g_str_equal (units[i], unit))
      return g_dpgettext2 (NULL, "unit", units[i]);
  return unit;
}

/**
 * cyc_counter_words_get_kind:
 * @kind: of a counter
 *
 * Returns: (transfer none): what becomes of it from kernel to kernel, for people
 */
const char *
cyc_counter_words_get_kind (CycCounterKind kind)
{
  static const char *const words[] = {
    [CYC_COUNTER_PER_KERNEL] = N_("of each kernel"),
    [CYC_COUNTER_CUMULATIVE] = N_("counted from the start on"),
    [CYC_COUNTER_MAXIMUM] = N_("largest since the start"),
    [CYC_COUNTER_RATIO] = N_("ratio since the start"),
    [CYC_COUNTER_SNAPSHOT] = N_("at that moment"),
  };
  g_return_val_if_fail (kind < G_N_ELEMENTS (words), NULL);

  return _(words[kind]);
}

/**
 * cyc_counter_words_get_meaning:
 * @counter: a row of the catalogue
 *
 * Returns: (transfer none): what it means, in one sentence of the user's language
 */
const char *
cyc_counter_words_get_meaning (const CycCounter *counter)
{
  g_return_val_if_fail (counter != NULL, NULL);

  return _(counter->meaning);
}
