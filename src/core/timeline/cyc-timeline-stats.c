/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/timeline/cyc-timeline-stats.h"

#include "core/timeline/cyc-timeline-private.h"

/* Parts of a timeline, and sums of its times. */

/**
 * cyc_timeline_area_init:
 * @area: (out): all of @timeline
 * @timeline: a timeline
 */
void
cyc_timeline_area_init (CycTimelineArea *area,
                        CycTimeline     *timeline)
{
  *area = (CycTimelineArea) { 0 };
  cyc_timeline_get_range (timeline, &area->from, &area->to);
  if (area->to < G_MAXINT64)
    area->to++;
}

/**
 * cyc_timeline_area_clip:
 * @area: a part of a timeline
 * @timeline: the timeline
 * @outlier: an outlier of it
 * @out_part: (out): how much of it lies in the area, picoseconds
 *
 * Returns: whether it belongs to the area
 */
gboolean
cyc_timeline_area_clip (const CycTimelineArea    *area,
                        CycTimeline              *timeline,
                        const CycTimelineOutlier *outlier,
                        CycWideTime              *out_part)
{
  CycWideTime start = (CycWideTime) outlier->start.us - cyc_timeline_get_base (timeline);
  CycWideTime duration = (CycWideTime) outlier->duration.us * CYC_PS_PER_US + outlier->duration.ps;

  start = start * CYC_PS_PER_US + outlier->start.ps;
  CycWideTime end = start + duration;
  CycWideTime from = area->has_from ? MAX (start, area->from) : start;
  CycWideTime to = area->has_to ? MIN (end, area->to) : end;
  *out_part = to - from;
  if (!cyc_timeline_area_has_track (area, outlier->track))
    return FALSE;
  return to > from || (duration == 0 && to == from && (!area->has_to || start < area->to));
}

/* A number with a point before the last @places digits; zeros behind the point are left out. */
static const char *
format_wide (CycWideTime value,
             guint       places,
             char        buf[CYC_WIDE_TIME_BUF])
{
  char digits[CYC_WIDE_TIME_BUF];
  gboolean negative = value < 0;
  guint n = 0, last = 0, at = 0;

  if (negative)
    value = -value;
  for (; n <= places || value > 0; n++, value /= 10)
    digits[n] = (char) ('0' + (int) (value % 10));
  while (last < places && digits[last] == '0')
    last++;
  if (negative)
    buf[at++] = '-';
  while (n > last)
    {
      buf[at++] = digits[--n];
      if (n == places && n > last)
        buf[at++] = '.';
    }
  buf[at] = '\0';
  return buf;
}

/**
 * cyc_wide_time_format:
 * @time: picoseconds
 * @buf: room for the text
 *
 * Writes it in microseconds, exactly, with as many decimals as it needs.
 *
 * Returns: @buf
 */
const char *
cyc_wide_time_format (CycWideTime time,
                      char        buf[CYC_WIDE_TIME_BUF])
{
  return format_wide (time, 6, buf);
}

/**
 * cyc_wide_count_format:
 * @count: a number, such as one of cycles
 * @buf: room for the text
 *
 * Writes it exactly.
 *
 * Returns: @buf
 */
const char *
cyc_wide_count_format (CycWideTime count,
                       char        buf[CYC_WIDE_TIME_BUF])
{
  return format_wide (count, 0, buf);
}

/**
 * cyc_timeline_find_spans:
 * @timeline: a timeline
 * @row: a row of it
 * @area: a part of it; its tracks are not looked at
 * @out_first: (out): the first span of the row that belongs to the area
 * @out_end: (out): the one after the last
 */
void
cyc_timeline_find_spans (CycTimeline           *timeline,
                         const CycTimelineRow  *row,
                         const CycTimelineArea *area,
                         guint32               *out_first,
                         guint32               *out_end)
{
  const CycTimelineSpans *spans = cyc_timeline_get_spans (timeline);
  guint32 end = row->first + row->n;
  guint32 first = _cyc_timeline_find_start (spans, row->first, end, area->from);

  /* The one before reaches into the area if it ends after its beginning. */
  if (first > row->first && spans->start[first - 1] + spans->duration[first - 1] > area->from)
    first--;
  *out_first = first;
  *out_end = _cyc_timeline_find_start (spans, first, end, area->to);
  /* The area may begin and end in one span. */
  if (*out_end == first && first < end && spans->start[first] < area->to
      && spans->start[first] + spans->duration[first] > area->from)
    *out_end = first + 1;
}
