/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/timeline/cyc-timeline.h"

G_BEGIN_DECLS

/* Sums of many durations are wider than each. */
__extension__ typedef __int128 CycWideTime;

/* Enough for every text of cyc_wide_time_format(). */
#define CYC_WIDE_TIME_BUF 48

/**
 * CycTimelineArea:
 * @from: picoseconds from the timeline's base
 * @to: the first picosecond after
 * @has_from: whether what lies before @from, outliers too, is left out
 * @has_to: whether what lies after @to is
 * @tracks: (nullable): for each track whether it belongs to the area; %NULL for all
 *
 * A part of a timeline. A span belongs to it if a part of it lies inside; one without duration, if it lies inside.
 */
typedef struct
{
  gint64          from;
  gint64          to;
  gboolean        has_from;
  gboolean        has_to;
  const gboolean *tracks;
} CycTimelineArea;

static inline gboolean
cyc_timeline_area_has_track (const CycTimelineArea *area,
                             guint32                track)
{
  return area->tracks == NULL || area->tracks[track];
}

gboolean cyc_timeline_area_clip (const CycTimelineArea    *area,
                                 CycTimeline              *timeline,
                                 const CycTimelineOutlier *outlier,
                                 CycWideTime              *out_part);
const char *cyc_wide_time_format (CycWideTime             time,
                                 char                     buf[CYC_WIDE_TIME_BUF]);
const char *cyc_wide_count_format (CycWideTime            count,
                                 char                     buf[CYC_WIDE_TIME_BUF]);
void     cyc_timeline_area_init  (CycTimelineArea       *area,
                                  CycTimeline           *timeline);
void     cyc_timeline_find_spans (CycTimeline           *timeline,
                                  const CycTimelineRow  *row,
                                  const CycTimelineArea *area,
                                  guint32               *out_first,
                                  guint32               *out_end);

G_END_DECLS
