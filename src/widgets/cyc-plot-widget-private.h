/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "plot/cyc-plot-style.h"

G_BEGIN_DECLS

gboolean cyc_plot_widget_update_style (GtkWidget     *widget,
                                       CycPlotStyle **style);

G_END_DECLS
