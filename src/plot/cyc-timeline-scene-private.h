/* SPDX-License-Identifier: MIT */
#pragma once

#include "plot/cyc-timeline-colours.h"
#include "plot/cyc-timeline-labels-private.h"
#include "plot/cyc-timeline-scene.h"
#include "plot/cyc-timeline-series-private.h"

G_BEGIN_DECLS

/* In sizes of the text. */
#define SCENE_ROW 1.45
#define SCENE_COUNTER 2.6
#define SCENE_GAP 0.2
#define SCENE_LABEL_ROOM 1.6 /* a narrower span has no label */
#define SCENE_COUNT_ROOM 7   /* of spans that lie in each other */

/* What is covered less than that can be seen all the same. */
#define SCENE_LEAST_COVER 0.35

struct _CycTimelineScene
{
  CycViewState       *state;
  CycTimeline        *timeline;
  CycTrackTree       *tree;      /* the state's */
  CycPlotStyle       *style;
  CycTimelineUnits    units;
  CycTimelineColours *colours;
  CycTimelineLabels  *labels;    /* NULL until it is needed */
  SeriesLevels       *series;    /* what is known of the counters' values */

  gint64              from;
  double              fraction;
  double              length;

  double              row;       /* what a line of text takes */
  double              span_row;  /* how high a row of spans is, if not as high as that; 0: it is */
  GArray             *strips;    /* of CycTimelineStrip: the pinned ones, then the others */
  guint               n_pinned;
  double              pinned_height;
  double              height;
  CycNodeScale       *scales;    /* by node */
  guint32            *strip_of;  /* by node: number of its strip, or CYC_TIMELINE_NONE */

  guint32             highlight; /* name */
  CycTimelineHits    *hits;      /* NULL: there is no search */
  CycTimelineFlows   *flows;     /* NULL until they are known */
  gboolean            all_flows;
  guint32             span;
  gboolean            has_range;
  gint64              range_from;
  gint64              range_to;
  gint64              whole_from; /* of the minimap */
  gint64              whole_to;
  GArray             *marks;      /* of CycViewMark; names are its own */
  GArray             *cells;
};

CycSpanLook _cyc_timeline_scene_get_look  (CycTimelineScene     *self,
                                           const CycTimelineRow *row,
                                           const CycSpanCell    *cell);
guint       _cyc_timeline_scene_get_part  (CycTimelineScene     *self,
                                           gboolean              pinned,
                                           guint                *out_end);
guint32     _cyc_timeline_scene_find_in   (CycTimelineScene     *self,
                                           gboolean              pinned,
                                           double                y);
char       *_cyc_timeline_scene_dup_count (guint64               n);

G_END_DECLS
