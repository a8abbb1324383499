/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "core/access/cyc-access-trace.h"
#include "plot/cyc-access-plot.h"

G_BEGIN_DECLS

#define CYC_TYPE_ACCESS_VIEW (cyc_access_view_get_type ())
G_DECLARE_FINAL_TYPE (CycAccessView, cyc_access_view, CYC, ACCESS_VIEW, GtkWidget)

/* Where the user is: a tensor of the plan, what stands on its y axis, and a place there. */
typedef struct
{
  guint  tensor;
  int    rank; /* -1: y is the element */
  gint64 timestep;
  gint64 y;
} CycAccessSpot;

/* Signals: "view-changed" (), "hover-changed" (), "focus-changed" (), "activated" (), "range-changed" (),
 * "busy-changed" (). */
GtkWidget      *cyc_access_view_new          (void);
void            cyc_access_view_set_trace    (CycAccessView         *self,
                                              CycAccessTrace        *trace);
CycAccessTrace *cyc_access_view_get_trace    (CycAccessView         *self);
void            cyc_access_view_set_colour   (CycAccessView         *self,
                                              CycAccessColour        colour);
void            cyc_access_view_set_rank     (CycAccessView         *self,
                                              const char            *rank);
void            cyc_access_view_set_level    (CycAccessView         *self,
                                              const char            *level);
void            cyc_access_view_set_windows  (CycAccessView         *self,
                                              GArray                *windows);

void            cyc_access_view_get_visible  (CycAccessView         *self,
                                              double                *out_from,
                                              double                *out_to);
void            cyc_access_view_set_visible  (CycAccessView         *self,
                                              double                 from,
                                              double                 to);
void            cyc_access_view_set_scale    (CycAccessView         *self,
                                              gint64                 n_timesteps);
void            cyc_access_view_get_visible_y (CycAccessView        *self,
                                              guint                  panel,
                                              double                *out_low,
                                              double                *out_high);
void            cyc_access_view_set_visible_y (CycAccessView        *self,
                                              guint                  panel,
                                              double                 low,
                                              double                 high);
void            cyc_access_view_show_all     (CycAccessView         *self);
void            cyc_access_view_zoom         (CycAccessView         *self,
                                              double                 factor);

gboolean        cyc_access_view_get_range    (CycAccessView         *self,
                                              gint64                *out_from,
                                              gint64                *out_to);
void            cyc_access_view_set_range    (CycAccessView         *self,
                                              gint64                 from,
                                              gint64                 to);
gboolean        cyc_access_view_get_hover    (CycAccessView         *self,
                                              CycAccessSpot         *out_spot);
gboolean        cyc_access_view_get_focus    (CycAccessView         *self,
                                              CycAccessSpot         *out_spot);
void            cyc_access_view_set_focus    (CycAccessView         *self,
                                              guint                  panel,
                                              gint64                 timestep,
                                              gint64                 y);
void            cyc_access_view_light_up     (CycAccessView         *self,
                                              const char            *tensor,
                                              gint64                 y);
char           *cyc_access_view_dup_text     (CycAccessView         *self,
                                              const CycAccessSpot   *spot);
gboolean        cyc_access_view_is_on_tile   (CycAccessView         *self,
                                              const CycAccessSpot   *spot);

gboolean        cyc_access_view_is_busy      (CycAccessView         *self,
                                              double                *out_done);
void            cyc_access_view_stop         (CycAccessView         *self);
void            cyc_access_view_draw_again   (CycAccessView         *self);
const GError   *cyc_access_view_get_error    (CycAccessView         *self);
const CycAccessPlot *cyc_access_view_get_plot (CycAccessView        *self);
gboolean        cyc_access_view_get_place    (CycAccessView         *self,
                                              guint                  panel,
                                              gint64                 timestep,
                                              gint64                 y,
                                              double                *out_x,
                                              double                *out_y);
void            cyc_access_view_get_params   (CycAccessView         *self,
                                              CycAccessPlotParams   *out_params,
                                              CycAccessYRange       *out_ys);

G_END_DECLS
