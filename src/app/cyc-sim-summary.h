/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-sim-pane.h"
#include "app/cyc-time-left.h"

G_BEGIN_DECLS

#define CYC_TYPE_SIM_SUMMARY (cyc_sim_summary_get_type ())
G_DECLARE_FINAL_TYPE (CycSimSummary, cyc_sim_summary, CYC, SIM_SUMMARY, CycSimPane)

CycSimPane *cyc_sim_summary_new  (CycTimeLeft   *time_left);
void        cyc_sim_summary_tick (CycSimSummary *self);

G_END_DECLS
