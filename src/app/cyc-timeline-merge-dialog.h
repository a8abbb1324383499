/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-dialog.h"
#include "widgets/cyc-table-view.h"

G_BEGIN_DECLS

#define CYC_TYPE_TIMELINE_MERGE_DIALOG (cyc_timeline_merge_dialog_get_type ())
G_DECLARE_FINAL_TYPE (CycTimelineMergeDialog, cyc_timeline_merge_dialog, CYC, TIMELINE_MERGE_DIALOG, CycDialog)

GtkWidget    *cyc_timeline_merge_dialog_new       (CycWorkspace           *workspace,
                                                   const char             *framework);
void          cyc_timeline_merge_dialog_set_files (CycTimelineMergeDialog *self,
                                                   const char             *framework,
                                                   const char             *internal);
CycTableView *cyc_timeline_merge_dialog_get_table (CycTimelineMergeDialog *self);
void          cyc_timeline_merge_dialog_save      (CycTimelineMergeDialog *self,
                                                   const char             *path);

G_END_DECLS
