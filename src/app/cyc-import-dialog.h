/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-dialog.h"

G_BEGIN_DECLS

#define CYC_TYPE_IMPORT_DIALOG (cyc_import_dialog_get_type ())
G_DECLARE_FINAL_TYPE (CycImportDialog, cyc_import_dialog, CYC, IMPORT_DIALOG, CycDialog)

GtkWidget *cyc_import_dialog_new (CycWorkspace *workspace,
                                  const char   *path);

G_END_DECLS
