/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-dialog.h"
#include "core/timeline/cyc-timeline-reading.h"

G_BEGIN_DECLS

#define CYC_TYPE_TIMELINE_READING_DIALOG (cyc_timeline_reading_dialog_get_type ())
G_DECLARE_FINAL_TYPE (CycTimelineReadingDialog, cyc_timeline_reading_dialog, CYC, TIMELINE_READING_DIALOG, CycDialog)

GtkWidget          *cyc_timeline_reading_dialog_new         (CycWorkspace             *workspace,
                                                             const CycTimelineReading *reading);
CycTimelineReading *cyc_timeline_reading_dialog_get_reading (CycTimelineReadingDialog *self,
                                                             GError                  **error);

G_END_DECLS
