/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "plot/cyc-plot-style.h"

G_BEGIN_DECLS

/* By how much a key or a click of the wheel zooms. */
#define CYC_PLOT_WIDGET_ZOOM 1.25

gboolean cyc_plot_widget_update_style (GtkWidget     *widget,
                                       CycPlotStyle **style);
double   cyc_plot_widget_get_zoom     (GtkEventControllerScroll *scroll,
                                       double         distance);
double   cyc_plot_widget_get_pan      (GtkEventControllerScroll *scroll,
                                       double         step);
gboolean cyc_plot_widget_get_pointer  (GtkEventController *controller,
                                       double        *out_x,
                                       double        *out_y);

G_END_DECLS
