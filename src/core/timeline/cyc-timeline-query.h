/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/timeline/cyc-timeline-stats.h"

G_BEGIN_DECLS

#define CYC_TYPE_TIMELINE_TABLE (cyc_timeline_table_get_type ())

/* Figures of the spans in a part of a timeline. It never changes, and may be read on any thread. */
typedef struct _CycTimelineTable CycTimelineTable;

typedef enum
{
  CYC_TIMELINE_BY_NAME,
  CYC_TIMELINE_BY_TRACK,
  CYC_TIMELINE_BY_ARGUMENT, /* the value of an argument, such as owner_id, stage or state */
  CYC_TIMELINE_BY_NOTHING,  /* one row for all */
} CycTimelineGrouping;

/**
 * CycTimelineStat:
 * @group: by name: for cyc_timeline_get_text(); by track: its index; by argument: the value's number in its column, 0
 *   for spans that do not have it
 * @label: (nullable): the group's name; %NULL for spans without the argument, and for all of BY_NOTHING
 * @count: spans of this group
 * @sum: of their durations, picoseconds
 * @min: the shortest
 * @max: the longest
 * @median: the one in the middle, the lower of two
 * @self: their durations without what is covered by spans that lie inside of them on their track
 *
 * The spans of one group; of each the part that lies inside of the area. Instants do not count.
 */
typedef struct
{
  guint32     group;
  const char *label;
  guint64     count;
  CycWideTime sum;
  CycWideTime min;
  CycWideTime max;
  CycWideTime median;
  CycWideTime self;
} CycTimelineStat;

GType                  cyc_timeline_table_get_type     (void);
CycTimelineTable      *cyc_timeline_query              (CycTimeline            *timeline,
                                                        const CycTimelineArea  *area,
                                                        CycTimelineGrouping     grouping,
                                                        const char             *argument,
                                                        guint                   n_threads,
                                                        GCancellable           *cancellable,
                                                        GError                **error);
CycTimelineTable      *cyc_timeline_table_ref          (CycTimelineTable       *self);
void                   cyc_timeline_table_unref        (CycTimelineTable       *self);
CycTimelineGrouping    cyc_timeline_table_get_grouping (CycTimelineTable       *self);
const CycTimelineStat *cyc_timeline_table_get_rows     (CycTimelineTable       *self,
                                                        guint                  *out_n);
double                 cyc_timeline_stat_get_average   (const CycTimelineStat  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycTimelineTable, cyc_timeline_table_unref)

G_END_DECLS
