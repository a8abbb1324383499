/* SPDX-License-Identifier: MIT */
#pragma once

#include "plot/cyc-plot-style.h"

G_BEGIN_DECLS

PangoLayout *cyc_plot_text_new     (const CycPlotStyle *style,
                                    double              factor,
                                    PangoWeight         weight);
void         cyc_plot_text_measure (PangoLayout        *layout,
                                    const char         *text,
                                    double             *out_width,
                                    double             *out_height);
void         cyc_plot_text_set     (PangoLayout        *layout,
                                    const char         *text,
                                    double              max_width);
double       cyc_plot_text_height  (PangoLayout        *layout);
void         cyc_plot_text_show    (PangoLayout        *layout,
                                    cairo_t            *cr,
                                    double              x,
                                    double              y,
                                    double              angle);

G_END_DECLS
