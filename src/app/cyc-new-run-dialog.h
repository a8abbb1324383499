/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "engine/cyc-workspace.h"

G_BEGIN_DECLS

#define CYC_TYPE_NEW_RUN_DIALOG (cyc_new_run_dialog_get_type ())
G_DECLARE_FINAL_TYPE (CycNewRunDialog, cyc_new_run_dialog, CYC, NEW_RUN_DIALOG, GtkWindow)

GtkWidget *cyc_new_run_dialog_new (CycWorkspace *workspace,
                                   const char   *trace_id);

G_END_DECLS
