/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/accelsim/cyc-sim-report-private.h"

#include <math.h>

#include "core/base/cyc-csv.h"
#include "core/base/cyc-number.h"

/* What one kernel added to the counters, as JSON and as lines of CSV. */

static gboolean
is_modelled (const CycCounterValue *value,
             GHashTable            *options)
{
  g_autofree char *why = value->counter == NULL
                             ? NULL
                             : cyc_counter_why_not_modelled (value->counter, options);

  return why == NULL;
}

/* Why there is no value, or which one it is; NULL for the kernel's own share. */
static const char *
describe_state (const CycCounterValue *value,
                GHashTable            *options)
{
  if (!is_modelled (value, options))
    return "not-modelled";
  switch (value->state)
    {
    case CYC_COUNTER_IS_NUMBER:
      return NULL;
    case CYC_COUNTER_IS_PRINTED:
      return "as-printed";
    case CYC_COUNTER_IS_TEXT:
      return "text";
    case CYC_COUNTER_IS_UNDEFINED:
      return "undefined";
    case CYC_COUNTER_IS_INSEPARABLE:
      return "since-start";
    case CYC_COUNTER_WENT_BACK:
      return "went-back";
    case CYC_COUNTER_SPANS_GAP:
      return "blocks-missing";
    default:
      g_return_val_if_reached (NULL);
    }
}

/**
 * cyc_sim_report_values_write_json:
 * @values: what a kernel added to the counters
 * @options: the options of the log's dump, name -> value
 * @writer: where to write
 *
 * Writes three members of the kernel's object: `values` (a number or null for each counter), `states`
 * (why a value is null, or that it is as printed, for those of which it is so) and `totals_agree`
 * (whether the totals grew by this block's own figures).
 */
void
cyc_sim_report_values_write_json (const CycKernelValues *values,
                                  GHashTable            *options,
                                  CycJsonWriter         *writer)
{
  cyc_json_writer_key (writer, "values");
  cyc_json_writer_begin_object (writer);
  for (guint i = 0; i < values->n_values; i++)
    {
      cyc_json_writer_key (writer, values->values[i].stat->key);
      /* What is not modelled is not zero, whatever is printed. */
      cyc_json_writer_double (writer, is_modelled (&values->values[i], options)
                                          ? values->values[i].value : NAN);
    }
  cyc_json_writer_end_object (writer);
  cyc_json_writer_key (writer, "states");
  cyc_json_writer_begin_object (writer);
  for (guint i = 0; i < values->n_values; i++)
    {
      const char *state = describe_state (&values->values[i], options);
      if (state == NULL)
        continue;
      cyc_json_writer_put_string (writer, values->values[i].stat->key, state);
    }
  cyc_json_writer_end_object (writer);
  cyc_json_writer_put_boolean (writer, "totals_agree", values->cycles_agree && values->insn_agree);
}

/**
 * cyc_sim_report_values_append_csv:
 * @values: what a kernel added to the counters
 * @options: the options of the log's dump, name -> value
 * @start: the beginning of each line
 * @out: where to append
 *
 * Appends a line a counter: `counter,value,printed,unit,kind,state`, and two for what the figures are
 * of.
 */
void
cyc_sim_report_values_append_csv (const CycKernelValues *values,
                                  GHashTable            *options,
                                  const char            *start,
                                  GString               *out)
{
  g_string_append_printf (out, "%sconcurrent,%s,,,,\n", start, values->concurrent ? "true" : "false");
  g_string_append_printf (out, "%spartial,%s,,,,\n", start, values->partial ? "true" : "false");
  for (guint i = 0; i < values->n_values; i++)
    {
      const CycCounterValue *value = &values->values[i];
      const CycCounter *counter = value->counter;
      char buf[CYC_DOUBLE_BUF];

      g_string_append (out, start);
      cyc_csv_append (out, value->stat->key, ',');
      gboolean known = isfinite (value->value) && is_modelled (value, options);
      cyc_csv_append (out, known ? cyc_number_format_double (buf, value->value) : NULL, ',');
      cyc_csv_append (out, value->stat->text, ',');
      cyc_csv_append (out, counter == NULL ? NULL : counter->unit, ',');
      cyc_csv_append (out, counter == NULL ? NULL : cyc_counter_kind_to_string (counter->kind), ',');
      cyc_csv_append (out, describe_state (value, options), '\n');
    }
}
