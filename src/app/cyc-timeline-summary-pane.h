/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-page.h"
#include "core/timeline/cyc-timeline-summary.h"
#include "core/timeline/cyc-view-state.h"
#include "widgets/cyc-table-view.h"

G_BEGIN_DECLS

#define CYC_TYPE_TIMELINE_SUMMARY_PANE (cyc_timeline_summary_pane_get_type ())
G_DECLARE_FINAL_TYPE (CycTimelineSummaryPane, cyc_timeline_summary_pane, CYC, TIMELINE_SUMMARY_PANE, GtkWidget)

typedef enum
{
  CYC_SUMMARY_CORES,
  CYC_SUMMARY_STAGES,
  CYC_SUMMARY_OWNERS,
  CYC_SUMMARY_WAITS,
} CycSummaryTable;

#define CYC_SUMMARY_N_TABLES (CYC_SUMMARY_WAITS + 1)

/* Signals: "go" (guint span), "go-track" (guint track), "go-range" (guint track, gint64 from, gint64 to). */
GtkWidget    *cyc_timeline_summary_pane_new       (CycPage                *page);
void          cyc_timeline_summary_pane_set_state (CycTimelineSummaryPane *self,
                                                   CycViewState           *state);
CycTableView *cyc_timeline_summary_pane_get_shown (CycTimelineSummaryPane *self);
void          cyc_timeline_summary_pane_show      (CycTimelineSummaryPane *self,
                                                   const char             *name);

G_END_DECLS
