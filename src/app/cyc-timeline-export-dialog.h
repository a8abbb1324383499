/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-dialog.h"
#include "app/cyc-page.h"
#include "core/timeline/cyc-view-state.h"

G_BEGIN_DECLS

#define CYC_TYPE_TIMELINE_EXPORT_DIALOG (cyc_timeline_export_dialog_get_type ())
G_DECLARE_FINAL_TYPE (CycTimelineExportDialog, cyc_timeline_export_dialog, CYC, TIMELINE_EXPORT_DIALOG, CycDialog)

GtkWidget *cyc_timeline_export_dialog_new   (CycPage                 *page,
                                             CycViewState            *state,
                                             const char              *name);
void       cyc_timeline_export_dialog_write (CycTimelineExportDialog *self,
                                             const char              *path);

G_END_DECLS
