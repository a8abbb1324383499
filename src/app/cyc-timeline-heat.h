/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "core/timeline/cyc-timeline-summary.h"
#include "plot/cyc-timeline-units.h"

G_BEGIN_DECLS

#define CYC_TYPE_TIMELINE_HEAT (cyc_timeline_heat_get_type ())
G_DECLARE_FINAL_TYPE (CycTimelineHeat, cyc_timeline_heat, CYC, TIMELINE_HEAT, GtkWidget)

/* Signal: "go" (guint core, gint64 from, gint64 to), when the user wants to see a cell in the timeline. */
GtkWidget *cyc_timeline_heat_new         (void);
void       cyc_timeline_heat_set_summary (CycTimelineHeat        *self,
                                          CycTimelineSummary     *summary,
                                          const CycTimelineUnits *units);

G_END_DECLS
