/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-page.h"
#include "core/timeline/cyc-view-state.h"
#include "widgets/cyc-table-view.h"

G_BEGIN_DECLS

#define CYC_TYPE_TIMELINE_STATS_PANE (cyc_timeline_stats_pane_get_type ())
G_DECLARE_FINAL_TYPE (CycTimelineStatsPane, cyc_timeline_stats_pane, CYC, TIMELINE_STATS_PANE, GtkWidget)

/* Signals: "highlight" (guint name), "go-track" (guint track), "find" (const char *text). */
GtkWidget    *cyc_timeline_stats_pane_new       (CycPage              *page);
void          cyc_timeline_stats_pane_set_state (CycTimelineStatsPane *self,
                                                 CycViewState         *state);
CycTableView *cyc_timeline_stats_pane_get_table (CycTimelineStatsPane *self);
void          cyc_timeline_stats_pane_group_by  (CycTimelineStatsPane *self,
                                                 const char           *grouping);

G_END_DECLS
