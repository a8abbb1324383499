/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-dialog.h"
#include "app/cyc-page.h"
#include "widgets/cyc-table-view.h"

G_BEGIN_DECLS

#define CYC_TYPE_TABLE_SAVE_DIALOG (cyc_table_save_dialog_get_type ())
G_DECLARE_FINAL_TYPE (CycTableSaveDialog, cyc_table_save_dialog, CYC, TABLE_SAVE_DIALOG, CycDialog)

GtkWidget *cyc_table_save_dialog_new (CycPage        *page,
                                      CycTableView   *table,
                                      CycTableFormat  format,
                                      const char     *path);

G_END_DECLS
