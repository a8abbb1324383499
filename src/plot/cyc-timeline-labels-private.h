/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/timeline/cyc-timeline.h"
#include "plot/cyc-plot-style.h"

G_BEGIN_DECLS

/**
 * CycTimelineLabel:
 *
 * A text as opacities, a byte a pixel of the device.
 */
typedef struct
{
  int    width;
  int    height;
  int    stride;
  guint8 data[];
} CycTimelineLabel;

typedef struct _CycTimelineLabels CycTimelineLabels;

CycTimelineLabels      *_cyc_timeline_labels_new      (CycTimeline        *timeline,
                                                       const CycPlotStyle *style);
void                    _cyc_timeline_labels_free     (CycTimelineLabels  *self);
void                    _cyc_timeline_labels_begin    (CycTimelineLabels  *self);
gboolean                _cyc_timeline_labels_is_late  (CycTimelineLabels  *self);
const CycTimelineLabel *_cyc_timeline_labels_get      (CycTimelineLabels  *self,
                                                       guint32             text,
                                                       int                 max_width);
const CycTimelineLabel *_cyc_timeline_labels_get_letter (CycTimelineLabels *self,
                                                       const char         *letter);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycTimelineLabels, _cyc_timeline_labels_free)

G_END_DECLS
