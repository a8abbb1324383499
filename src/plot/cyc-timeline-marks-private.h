/* SPDX-License-Identifier: MIT */
#pragma once

#include "plot/cyc-timeline-scene.h"

G_BEGIN_DECLS

/* What a search says of spans. */
typedef enum
{
  CYC_SPAN_PLAIN,  /* there is no search */
  CYC_SPAN_FOUND,
  CYC_SPAN_DIMMED,
} CycMarkedSpan;

/* A line of the grid, with what stands above it. */
typedef struct
{
  double      x;
  CycWideTime value; /* in what is shown */
} SceneTick;

CycMarkedSpan  _cyc_timeline_scene_get_marked (CycTimelineScene   *self,
                                               const CycSpanCell  *cell);
GArray        *_cyc_timeline_scene_get_ticks  (CycTimelineScene   *self,
                                               double              width);
double        *_cyc_timeline_scene_get_busy   (CycTimelineScene   *self,
                                               guint32             node,
                                               const CycTimeScale *scale,
                                               guint              *out_n);

G_END_DECLS
