/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/timeline/cyc-timeline.h"

G_BEGIN_DECLS

/**
 * CycTimelineArea:
 * @from: picoseconds from the timeline's base
 * @to: the first picosecond after
 * @tracks: (nullable): for each track whether it belongs to the area; %NULL for all
 *
 * A part of a timeline. A span belongs to it if a part of it lies inside; one without duration, if it lies inside.
 */
typedef struct
{
  gint64          from;
  gint64          to;
  const gboolean *tracks;
} CycTimelineArea;

/**
 * CycTimelineStat:
 * @name: for cyc_timeline_get_text()
 * @count: spans of this name
 * @sum: of their durations, picoseconds
 * @min: the shortest
 * @max: the longest
 * @median: the one in the middle, the lower of two
 * @self: their durations without the spans directly inside of them
 *
 * The spans of one name; of each the part that lies inside of the area.
 */
typedef struct
{
  guint32 name;
  guint64 count;
  gint64  sum;
  gint64  min;
  gint64  max;
  gint64  median;
  gint64  self;
} CycTimelineStat;

void     cyc_timeline_area_init  (CycTimelineArea       *area,
                                  CycTimeline           *timeline);
void     cyc_timeline_find_spans (CycTimeline           *timeline,
                                  const CycTimelineRow  *row,
                                  const CycTimelineArea *area,
                                  guint32               *out_first,
                                  guint32               *out_end);
GArray  *cyc_timeline_get_stats  (CycTimeline           *timeline,
                                  const CycTimelineArea *area,
                                  GCancellable          *cancellable,
                                  GError               **error);

G_END_DECLS
