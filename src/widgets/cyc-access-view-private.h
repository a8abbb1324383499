/* SPDX-License-Identifier: MIT */
#pragma once

#include "widgets/cyc-access-view.h"

G_BEGIN_DECLS

struct _CycAccessView
{
  GtkWidget           parent_instance;

  CycAccessTrace     *trace;       /* NULL */
  CycAccessColour     colour;
  char               *rank;        /* NULL for elements */
  char               *level;       /* NULL for none */

  double              from;        /* timesteps that are seen */
  double              to;
  gint64              scale;       /* timesteps of the whole axis: of the longest mapping that is compared */
  GArray             *ys;          /* of CycAccessPanelView, of each panel */
  CycAccessPlot      *plot;        /* NULL until there is one */
  CycPlotStyle       *style;
  int                 width;       /* that there was a plot made for */
  int                 height;
  cairo_surface_t    *picture;     /* of the plot as it is seen; NULL when it is to be drawn anew */

  CycAccessPlace      hover;
  CycAccessPlace      focus;
  gboolean            lit;         /* @hover is what another view points at */
  gboolean            has_range;
  gint64              range_from;
  gint64              range_to;
  gint64              anchor;      /* where the range began */
  GArray             *windows;     /* of CycAccessWindow; NULL */

  GCancellable       *cancellable; /* of the work under way; NULL */
  guint               source;      /* idle: begins work */
  int                *progress;    /* of 0 to 1000, an atomic box of its own for each job */
  GError             *error;       /* why there is no plot */

  double              drag_from;   /* what was seen when a drag began */
  double              drag_to;
  double              drag_low;
  double              drag_high;
  int                 drag_panel;
  gboolean            panning;
};

void           _cyc_access_view_moved       (CycAccessView        *self);
CycAccessPlace _cyc_access_view_find        (CycAccessView        *self,
                                             double                x,
                                             double                y);
double         _cyc_access_view_get_unit    (CycAccessView        *self);
void           _cyc_access_view_set_hover   (CycAccessView        *self,
                                             CycAccessPlace        place);
void           _cyc_access_view_set_focus   (CycAccessView        *self,
                                             CycAccessPlace        place);
void           _cyc_access_view_activate    (CycAccessView        *self);
void           _cyc_access_view_zoom_at     (CycAccessView        *self,
                                             double                factor,
                                             double                timestep);
void           _cyc_access_view_zoom_y      (CycAccessView        *self,
                                             guint                 panel,
                                             double                factor,
                                             double                y);
void           _cyc_access_view_pan         (CycAccessView        *self,
                                             double                timesteps);
void           _cyc_access_view_pan_y       (CycAccessView        *self,
                                             guint                 panel,
                                             double                elements);
gboolean       _cyc_access_view_is_zoomed_y (CycAccessView        *self,
                                             guint                 panel);
void           _cyc_access_view_input_class (GtkWidgetClass       *klass);
void           _cyc_access_view_input_init  (CycAccessView        *self);
void           _cyc_access_view_update_text (CycAccessView        *self);
void           _cyc_access_view_start       (CycAccessView        *self);
void           _cyc_access_view_set_plot    (CycAccessView        *self,
                                             CycAccessPlot        *plot,
                                             GError               *error);
void           _cyc_access_view_busy_changed (CycAccessView       *self);
void           _cyc_access_view_get_texts   (CycAccessView        *self,
                                             CycAccessPlotTexts   *out_texts,
                                             GPtrArray            *keep);

G_END_DECLS
