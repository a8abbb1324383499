/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "widgets/cyc-table-column.h"

G_BEGIN_DECLS

/* What a row says in a column. */
#define CYC_TYPE_TABLE_CELL (cyc_table_cell_get_type ())
G_DECLARE_FINAL_TYPE (CycTableCell, cyc_table_cell, CYC, TABLE_CELL, GtkWidget)

GtkWidget   *_cyc_table_cell_new           (CycTableField *field,
                                            GtkListItem   *list_item);
GtkListItem *_cyc_table_cell_get_list_item (CycTableCell  *self);
gboolean     _cyc_table_cell_is_known      (CycTableCell  *self);
void         _cyc_table_cell_forget        (CycTableCell  *self);
void         _cyc_table_cell_read          (CycTableCell  *self);
gboolean     _cyc_table_cell_is_dressed    (CycTableCell  *self);
void         _cyc_table_cell_dress         (CycTableCell  *self);
const char  *_cyc_table_cell_get_text      (CycTableCell  *self);

G_END_DECLS
