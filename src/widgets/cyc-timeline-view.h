/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "core/timeline/cyc-view-state.h"
#include "plot/cyc-plot-export.h"
#include "plot/cyc-timeline-scene.h"

G_BEGIN_DECLS

#define CYC_TYPE_TIMELINE_VIEW (cyc_timeline_view_get_type ())

/* A timeline that is looked at: ruler, minimap, tree of tracks, spans, counters, flows. Everything that changes in it
 * is in its #CycViewState, which its page shares. */
G_DECLARE_FINAL_TYPE (CycTimelineView, cyc_timeline_view, CYC, TIMELINE_VIEW, GtkWidget)

GtkWidget    *cyc_timeline_view_new                (void);
void          cyc_timeline_view_set_state          (CycTimelineView  *self,
                                                    CycViewState     *state);
CycViewState *cyc_timeline_view_get_state          (CycTimelineView  *self);
void          cyc_timeline_view_zoom_to            (CycTimelineView  *self,
                                                    gint64            from,
                                                    gint64            to);
void          cyc_timeline_view_fit_selection      (CycTimelineView  *self);
void          cyc_timeline_view_go_to_span         (CycTimelineView  *self,
                                                    guint32           span);
void          cyc_timeline_view_go_to_track        (CycTimelineView  *self,
                                                    guint32           track);
gboolean      cyc_timeline_view_select_next        (CycTimelineView  *self,
                                                    int               steps);
guint32       cyc_timeline_view_get_hover          (CycTimelineView  *self);
void          cyc_timeline_view_set_highlight      (CycTimelineView  *self,
                                                    guint32           name);
void          cyc_timeline_view_set_hits           (CycTimelineView  *self,
                                                    CycTimelineHits  *hits);
guint32       cyc_timeline_view_go_to_hit          (CycTimelineView  *self,
                                                    int               steps);
gboolean      cyc_timeline_view_get_span_rect      (CycTimelineView  *self,
                                                    guint32           span,
                                                    GdkRectangle     *out_rect);
char         *cyc_timeline_view_dup_span_text      (CycTimelineView  *self,
                                                    guint32           span);
char         *cyc_timeline_view_dup_time           (CycTimelineView  *self,
                                                    gint64            time);
char         *cyc_timeline_view_dup_duration       (CycTimelineView  *self,
                                                    CycWideTime       duration);
CycTimelineScene *cyc_timeline_view_make_scene     (CycTimelineView  *self,
                                                    CycSceneFrame    *out_frame);
GBytes       *cyc_timeline_view_export             (CycTimelineView  *self,
                                                    CycPlotFormat     format,
                                                    GError          **error);

G_END_DECLS
