/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/cyc-string-table.h"
#include "core/timeline/cyc-timeline-reading.h"
#include "core/timeline/cyc-timeline.h"

G_BEGIN_DECLS

/* Appends the members of a span that are not kept as text, as JSON with commas between them. */
typedef void (*CycTimelineMembersFunc) (CycTimeline *timeline,
                                        guint32      span,
                                        GString     *out);

/* What a builder fills, and nobody changes after. */
struct _CycTimeline
{
  gatomicrefcount   refs;
  CycTimelineUnit   unit;
  double            frequency; /* MHz; 0 if it is not known */
  guint64           anchor;    /* the cycle that is 0 */
  gint64            base_us;
  gint64            start, end;             /* of all */
  gint64            dense_start, dense_end; /* where nearly all is */
  guint64           n_sparse;               /* spans outside of that */
  CycStringTable   *texts;
  char             *members; /* texts with a zero after each; the first is empty */
  gsize             members_len;
  GArray           *processes; /* of CycTimelineProcess */
  GArray           *tracks;    /* of CycTimelineTrack */
  GArray           *rows;      /* of CycTimelineRow */
  CycTimelineSpans  spans;
  gboolean          has_tasks;
  CycTimelineTasks  tasks;
  CycTimelineMembersFunc append_members; /* or NULL if all are kept as text */
  gpointer          members_data;
  GDestroyNotify    members_free;
  GMutex            columns_lock;
  GHashTable       *columns; /* of CycTimelineColumn by argument; grows while the timeline is in use */
  CycTimelineNode  *nodes; /* of all rows */
  gsize             n_nodes;
  CycTimelineBlock *blocks; /* of all rows */
  gsize             n_blocks;
  GArray           *series;    /* of CycTimelineSeries, which own their columns */
  GArray           *flow_ends; /* of CycTimelineFlowEnd */
  GArray           *outliers;  /* of CycTimelineOutlier */
  CycTimelineReading *reading; /* or NULL */
  guint64           n_left_out; /* events that are not in the part that was read */
  char             *warning;
  char             *others;
  GPtrArray        *metadata;  /* of JSON, and a NULL */
  CycTraceRepairs   repairs;
  guint64           n_phases[128];
};

CycTimeline *_cyc_timeline_new         (void);
guint32      _cyc_timeline_find_start  (const CycTimelineSpans *spans,
                                        guint32                 low,
                                        guint32                 high,
                                        gint64                  time);
const char  *_cyc_timeline_peek_members (CycTimeline            *self,
                                        guint32                 span,
                                        GString                *scratch);
gsize        _cyc_timeline_count_nodes (guint32                 n);
void         _cyc_timeline_build_nodes (const CycTimelineSpans *spans,
                                        guint32                 first,
                                        guint32                 n,
                                        CycTimelineNode        *nodes);
gsize        _cyc_timeline_count_blocks (guint32                n);
void         _cyc_timeline_build_blocks (const CycTimelineSpans *spans,
                                        guint32                 first,
                                        guint32                 n,
                                        CycTimelineBlock       *blocks);

G_END_DECLS
