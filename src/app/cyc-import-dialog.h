/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "engine/cyc-workspace.h"

G_BEGIN_DECLS

#define CYC_TYPE_IMPORT_DIALOG (cyc_import_dialog_get_type ())
G_DECLARE_FINAL_TYPE (CycImportDialog, cyc_import_dialog, CYC, IMPORT_DIALOG, GtkWindow)

GtkWidget *cyc_import_dialog_new (CycWorkspace *workspace,
                                  const char   *path);

G_END_DECLS
