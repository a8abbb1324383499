/* SPDX-License-Identifier: MIT */
#pragma once

#include "plot/cyc-span-cells.h"

G_BEGIN_DECLS

gint64  _cyc_time_scale_get_first (const CycTimeScale     *self,
                                   double                  x);
guint32 _cyc_span_cells_start     (const CycTimelineSpans *spans,
                                   const CycTimelineRow   *row,
                                   const CycTimeScale     *scale,
                                   gint64                  from);
CycSpanCell _cyc_span_cells_make_wide (const CycTimelineSpans *spans,
                                   const CycTimeScale     *scale,
                                   guint32                 span);

G_END_DECLS
