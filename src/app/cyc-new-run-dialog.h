/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-dialog.h"

G_BEGIN_DECLS

#define CYC_TYPE_NEW_RUN_DIALOG (cyc_new_run_dialog_get_type ())
G_DECLARE_FINAL_TYPE (CycNewRunDialog, cyc_new_run_dialog, CYC, NEW_RUN_DIALOG, CycDialog)

GtkWidget *cyc_new_run_dialog_new (CycWorkspace *workspace,
                                   const char   *trace_id);
GtkWidget *cyc_new_run_dialog_new_again (CycWorkspace *workspace,
                                         const char   *run_id);

G_END_DECLS
