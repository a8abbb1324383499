/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "core/timeline/cyc-timeline-builder-private.h"

/* Files that are read in another unit, or a part of which is read: events that are left out never take any room.
 * Halves of spans are an exception, since only both of them tell whether the span is wanted. */

/*< private >
 * _cyc_timeline_builder_set_reading:
 * @self: a builder without events
 * @reading: (nullable): how the file is read, checked
 */
void
_cyc_timeline_builder_set_reading (CycTimelineBuilder       *self,
                                   const CycTimelineReading *reading)
{
  CycTimelineReading *copy =
    cyc_timeline_reading_is_plain (reading) ? NULL : cyc_timeline_reading_copy (reading);

  self->timeline->reading = copy;
  self->reading = copy;
  if (copy == NULL)
    return;
  self->is_part = cyc_timeline_reading_is_part (copy);
  self->has_from = copy->from != NULL
                   && cyc_timeline_reading_parse (copy, copy->from, strlen (copy->from), &self->from);
  self->has_to = copy->to != NULL && cyc_timeline_reading_parse (copy, copy->to, strlen (copy->to), &self->to);
  if (copy->unit != CYC_TIMELINE_FILE_CYCLES)
    return;
  self->timeline->unit = copy->in_time ? CYC_TIMELINE_TIME : CYC_TIMELINE_CYCLES;
  self->timeline->frequency = copy->mhz;
}

/* Whether one of the categories of an event, which stand between commas, is wanted. */
static gboolean
is_category_wanted (CycTimelineBuilder *self,
                    const char         *text)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    if (g_strv_contains ((const char *const *) self->reading->categories, g_strstrip (parts[i])))
      return TRUE;
  return g_strv_contains ((const char *const *) self->reading->categories, text);
}

/*< private >
 * _cyc_timeline_builder_wants_category:
 * @self: a builder
 * @category: number of a text
 *
 * Returns: whether events of this category are read
 */
gboolean
_cyc_timeline_builder_wants_category (CycTimelineBuilder *self,
                                      guint32             category)
{
  enum { UNKNOWN, WANTED, LEFT_OUT };

  if (self->reading == NULL || self->reading->categories == NULL)
    return TRUE;
  if (category >= self->categories->len)
    g_array_set_size (self->categories, category + 1);
  guint8 *known = &g_array_index (self->categories, guint8, category);
  if (*known == UNKNOWN)
    *known = is_category_wanted (self, cyc_timeline_get_text (self->timeline, category)) ? WANTED : LEFT_OUT;
  return *known == WANTED;
}

/* Whether something that goes on from one time to another, or is at one time, lies in the part: as with areas of a
 * timeline, what ends where the part begins does not. */
static gboolean
is_inside (const CycTimelineBuilder *self,
           const CycTraceTime       *start,
           const CycTraceTime       *end)
{
  if (self->has_to && cyc_trace_time_compare (start, &self->to) >= 0)
    return FALSE;
  return !self->has_from || cyc_trace_time_compare (end, &self->from) > 0
         || cyc_trace_time_compare (start, &self->from) >= 0;
}

/* Later by a duration; as late as can be if that is too far. */
static CycTraceTime
add_time (const CycTraceTime *start,
          const CycTraceTime *duration)
{
  CycTraceTime end = { 0, start->ps + duration->ps, TRUE };

  if (__builtin_add_overflow (start->us, duration->us + end.ps / CYC_PS_PER_US, &end.us))
    end.us = G_MAXINT64;
  end.ps %= CYC_PS_PER_US;
  return end;
}

/*< private >
 * _cyc_timeline_builder_leave_out:
 * @self: a builder
 * @event: an event with a time, but no beginning or end of a span
 * @time: its time
 * @category: number of its category
 *
 * Counts what is left out.
 *
 * Returns: whether the event is
 */
gboolean
_cyc_timeline_builder_leave_out (CycTimelineBuilder   *self,
                                 const CycChromeEvent *event,
                                 const CycTraceTime   *time,
                                 guint32               category)
{
  CycTraceTime end = *time, duration;

  if (event->phase == 'X' && cyc_timeline_reading_parse (self->reading, event->dur.text, event->dur.len, &duration)
      && duration.us >= 0)
    end = add_time (time, &duration);
  if (is_inside (self, time, &end) && _cyc_timeline_builder_wants_category (self, category))
    return FALSE;
  self->timeline->n_left_out++;
  return TRUE;
}

/*< private >
 * _cyc_timeline_builder_wants_half:
 * @self: a builder
 * @begins: whether it is a beginning
 * @time: its time
 *
 * Returns: %FALSE for a half whose span cannot lie in the part
 */
gboolean
_cyc_timeline_builder_wants_half (CycTimelineBuilder *self,
                                  gboolean            begins,
                                  const CycTraceTime *time)
{
  if (!self->is_part)
    return TRUE;
  return begins ? !self->has_to || cyc_trace_time_compare (time, &self->to) < 0
                : !self->has_from || cyc_trace_time_compare (time, &self->from) >= 0;
}

/*< private >
 * _cyc_timeline_builder_wants_pair:
 * @self: a builder of a part
 * @span: a whole span that was made of two halves
 *
 * Counts what is left out.
 *
 * Returns: whether it lies in the part
 */
gboolean
_cyc_timeline_builder_wants_pair (CycTimelineBuilder *self,
                                  const StagedSpan   *span)
{
  CycTraceTime start = { span->us, span->ps, TRUE }, duration;

  if (span->duration >= 0)
    cyc_trace_time_init (&duration, 0, span->duration);
  else
    duration = g_array_index (self->long_durations, CycTraceTime, -1 - span->duration);
  CycTraceTime end = add_time (&start, &duration);
  if (is_inside (self, &start, &end) && _cyc_timeline_builder_wants_category (self, span->category))
    return TRUE;
  self->timeline->n_left_out += span->flags & CYC_SPAN_NO_END ? 1 : 2;
  return FALSE;
}
