/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/cyc-string-table.h"
#include "core/timeline/cyc-timeline.h"

G_BEGIN_DECLS

/* What a builder fills, and nobody changes after. */
struct _CycTimeline
{
  gatomicrefcount   refs;
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
  CycTimelineNode  *nodes; /* of all rows */
  gsize             n_nodes;
  GArray           *series;    /* of CycTimelineSeries, which own their columns */
  GArray           *flow_ends; /* of CycTimelineFlowEnd */
  GArray           *outliers;  /* of CycTimelineOutlier */
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
gsize        _cyc_timeline_count_nodes (guint32                 n);
void         _cyc_timeline_build_nodes (const CycTimelineSpans *spans,
                                        guint32                 first,
                                        guint32                 n,
                                        CycTimelineNode        *nodes);

G_END_DECLS
