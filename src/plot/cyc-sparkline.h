/* SPDX-License-Identifier: MIT */
#pragma once

#include "plot/cyc-palette.h"
#include "plot/cyc-value-ring.h"

G_BEGIN_DECLS

void cyc_sparkline_draw       (const CycValueRing *ring,
                               const CycPlotStyle *style,
                               guint               slot,
                               const char         *text,
                               cairo_t            *cr,
                               double              width,
                               double              height);
void cyc_sparkline_get_extent (const CycValueRing *ring,
                               double             *out_lowest,
                               double             *out_highest);

G_END_DECLS
