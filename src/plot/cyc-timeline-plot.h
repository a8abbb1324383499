/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/timeline/cyc-timeline-stats.h"
#include "plot/cyc-plot-export.h"
#include "plot/cyc-plot-style.h"
#include "plot/cyc-span-cells.h"

G_BEGIN_DECLS

/* A picture of a part of a timeline: a ruler, and below it the tracks with their names at the left. */
typedef struct _CycTimelinePlot CycTimelinePlot;

CycTimelinePlot *cyc_timeline_plot_new        (CycTimeline            *timeline,
                                               const CycTimelineArea  *area,
                                               const CycPlotStyle     *style,
                                               double                  frequency);
void             cyc_timeline_plot_free       (CycTimelinePlot        *self);
double           cyc_timeline_plot_get_height (CycTimelinePlot        *self);
guint            cyc_timeline_plot_get_n_hidden (CycTimelinePlot      *self);
guint            cyc_timeline_plot_get_n_hidden_rows (CycTimelinePlot *self);
void             cyc_timeline_plot_draw       (CycTimelinePlot        *self,
                                               cairo_t                *cr,
                                               double                  width,
                                               double                  height);
GBytes          *cyc_timeline_plot_export     (CycTimelinePlot        *self,
                                               CycPlotFormat           format,
                                               double                  width,
                                               GError                **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycTimelinePlot, cyc_timeline_plot_free)

G_END_DECLS
