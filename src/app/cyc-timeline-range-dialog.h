/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-dialog.h"
#include "core/timeline/cyc-view-state.h"

G_BEGIN_DECLS

#define CYC_TYPE_TIMELINE_RANGE_DIALOG (cyc_timeline_range_dialog_get_type ())
G_DECLARE_FINAL_TYPE (CycTimelineRangeDialog, cyc_timeline_range_dialog, CYC, TIMELINE_RANGE_DIALOG, CycDialog)

GtkWidget *cyc_timeline_range_dialog_new (CycWorkspace *workspace,
                                          CycViewState *state);

G_END_DECLS
