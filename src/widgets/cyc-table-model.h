/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "widgets/cyc-table-column.h"

G_BEGIN_DECLS

#define CYC_TYPE_TABLE_MODEL (cyc_table_model_get_type ())
G_DECLARE_FINAL_TYPE (CycTableModel, cyc_table_model, CYC, TABLE_MODEL, GObject)

#define CYC_TABLE_MAX_SORTS 3

/**
 * CycTableSort:
 * @field: the column to sort by
 * @descending: whether the largest comes first
 */
typedef struct
{
  CycTableField *field;
  gboolean       descending;
} CycTableSort;

/* Signals: "item-changed" (GObject *item), for items of a type with a signal "changed"; "settled", when
 * the rows are what was asked for. */
CycTableModel *cyc_table_model_new         (void);
void           cyc_table_model_set_source  (CycTableModel      *self,
                                            GListModel         *source);
GListModel    *cyc_table_model_get_source  (CycTableModel      *self);
void           cyc_table_model_set_id_func (CycTableModel      *self,
                                            CycTableTextFunc    func,
                                            gpointer            user_data);
void           cyc_table_model_set_sorts   (CycTableModel      *self,
                                            const CycTableSort *sorts,
                                            guint               n_sorts);
void           cyc_table_model_set_filter  (CycTableModel      *self,
                                            const char         *text,
                                            GPtrArray          *fields);
void           cyc_table_model_refresh     (CycTableModel      *self);
void           cyc_table_model_flush       (CycTableModel      *self);
gboolean       cyc_table_model_is_busy     (CycTableModel      *self);
guint          cyc_table_model_find        (CycTableModel      *self,
                                            gpointer            item);

G_END_DECLS
