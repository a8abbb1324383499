/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/timeline/cyc-trace-repairs.h"

static const struct
{
  const char *code;
  const char *text;
} table[CYC_TRACE_N_REPAIRS] = {
  [CYC_REPAIR_NOT_CLOSED] = { "not-closed", "the file ends before the trace is closed" },
  [CYC_REPAIR_CUT] = { "cut", "the file ends in the middle of an event, which is left out" },
  [CYC_REPAIR_DAMAGED] = { "damaged", "bytes that are no event were passed over" },
  [CYC_REPAIR_NOT_OBJECT] = { "not-object", "an entry of the list of events is no object and is left out" },
  [CYC_REPAIR_TRAILING_COMMA] = { "trailing-comma", "a comma before a closing bracket" },
  [CYC_REPAIR_ESCAPE] = { "escape", "a backslash that begins no escape of JSON, taken as it stands" },
  [CYC_REPAIR_CONTROL] = { "control", "a control character inside of a text" },
  [CYC_REPAIR_NOT_FINITE] = { "not-finite", "a value that JSON does not have, such as NaN, taken as a text" },
  [CYC_REPAIR_UTF8] = { "utf-8", "a text that is not UTF-8" },
  [CYC_REPAIR_EXTRA] = { "extra", "something comes after the end of the trace and is left out" },
  [CYC_REPAIR_DUPLICATE_KEY] = { "duplicate-key", "an event has a member twice; the last holds" },
  [CYC_REPAIR_NO_PHASE] = { "no-phase", "an event without a phase (ph) is left out" },
  [CYC_REPAIR_NO_TIME] = { "no-time", "an event without a time (ts) is left out" },
  [CYC_REPAIR_NO_PID] = { "no-pid", "an event without a process (pid) goes to process 0" },
  [CYC_REPAIR_NO_DURATION] = { "no-duration", "a complete event without a duration (dur) has none" },
  [CYC_REPAIR_NEGATIVE] = { "negative-duration", "a complete event with a negative duration is drawn at its start" },
  [CYC_REPAIR_TEXT_TIME] = { "text-time", "a time that is written as a text" },
  [CYC_REPAIR_FINE_TIME] = { "fine-time", "a time finer than a picosecond, or a part of a cycle; its text is kept" },
  [CYC_REPAIR_FAR] = { "far", "an event more than 106 days away from the others is listed and not drawn" },
  [CYC_REPAIR_OVERLAP] = { "overlap", "a span begins inside of another and ends after it; it has a lane of its own" },
  [CYC_REPAIR_NO_BEGIN] = { "no-begin", "an end without a beginning is left out" },
  [CYC_REPAIR_NO_END] = { "no-end", "a beginning without an end goes on to the end of its track" },
  [CYC_REPAIR_AMBIGUOUS] = { "ambiguous", "asynchronous spans with the same name and id overlap" },
  [CYC_REPAIR_FLOW] = { "flow", "an end of a flow binds to no span" },
  [CYC_REPAIR_SERIES] = { "series", "a value of a counter is no number and is left out" },
  [CYC_REPAIR_OTHER_PHASE] = { "other-phase", "an event of a phase that is not drawn" },
};

/**
 * cyc_trace_repairs_add:
 * @self: a report
 * @repair: what was repaired
 * @offset: the byte where, or CYC_TRACE_NOWHERE
 */
void
cyc_trace_repairs_add (CycTraceRepairs *self,
                       CycTraceRepair   repair,
                       guint64          offset)
{
  if (self->counts[repair]++ == 0)
    self->first[repair] = offset;
}

/**
 * cyc_trace_repairs_get_total:
 * @self: a report
 *
 * Returns: how many repairs were made
 */
guint64
cyc_trace_repairs_get_total (const CycTraceRepairs *self)
{
  guint64 total = 0;

  for (guint i = 0; i < CYC_TRACE_N_REPAIRS; i++)
    total += self->counts[i];
  return total;
}

/**
 * cyc_trace_repair_get_code:
 * @repair: a repair
 *
 * Returns: its stable word
 */
const char *
cyc_trace_repair_get_code (CycTraceRepair repair)
{
  return table[repair].code;
}

/**
 * cyc_trace_repair_get_text:
 * @repair: a repair
 *
 * Returns: what was found and done, a sentence without its full stop, untranslated
 */
const char *
cyc_trace_repair_get_text (CycTraceRepair repair)
{
  return table[repair].text;
}
