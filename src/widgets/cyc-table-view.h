/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "widgets/cyc-table-column.h"

G_BEGIN_DECLS

#define CYC_TYPE_TABLE_VIEW (cyc_table_view_get_type ())
G_DECLARE_FINAL_TYPE (CycTableView, cyc_table_view, CYC, TABLE_VIEW, GtkWidget)

/**
 * CycTableFormat:
 * @CYC_TABLE_TSV: for spreadsheets
 * @CYC_TABLE_CSV: RFC 4180
 * @CYC_TABLE_MARKDOWN: a table for people: texts as shown
 * @CYC_TABLE_JSON: an array of objects, whose members are named by the ids of the columns
 *
 * How rows are written. All but JSON begin with the titles.
 */
typedef enum
{
  CYC_TABLE_TSV,
  CYC_TABLE_CSV,
  CYC_TABLE_MARKDOWN,
  CYC_TABLE_JSON,
} CycTableFormat;

/**
 * CycTableRows:
 * @CYC_TABLE_SELECTED: those that are selected and shown
 * @CYC_TABLE_SHOWN: those that the filter leaves, in the order shown
 */
typedef enum
{
  CYC_TABLE_SELECTED,
  CYC_TABLE_SHOWN,
} CycTableRows;

typedef struct _CycTableTextWriter CycTableTextWriter;

/* Signals: "activate" (GObject *item), "selection-changed" (), "state-changed" (). */
GtkWidget  *cyc_table_view_new           (const char           *label,
                                          const CycTableColumn *columns,
                                          guint                 n_columns,
                                          gpointer              user_data);
void        cyc_table_view_set_model     (CycTableView         *self,
                                          GListModel           *model);
GListModel *cyc_table_view_get_model     (CycTableView         *self);
void        cyc_table_view_set_id_func   (CycTableView         *self,
                                          CycTableTextFunc      func);
void        cyc_table_view_add_column    (CycTableView         *self,
                                          const CycTableColumn *column,
                                          gpointer              user_data,
                                          GDestroyNotify        destroy);
void        cyc_table_view_remove_column (CycTableView         *self,
                                          const char           *id);
void        cyc_table_view_set_empty     (CycTableView         *self,
                                          GtkWidget            *child);
void        cyc_table_view_set_menu      (CycTableView         *self,
                                          GMenuModel           *menu);
GMenuModel *cyc_table_view_get_menu      (CycTableView         *self);
void        cyc_table_view_add_tool      (CycTableView         *self,
                                          GtkWidget            *child);

void        cyc_table_view_set_filter    (CycTableView         *self,
                                          const char           *text);
const char *cyc_table_view_get_filter    (CycTableView         *self);
void        cyc_table_view_focus_filter  (CycTableView         *self);
void        cyc_table_view_sort          (CycTableView         *self,
                                          const char           *id,
                                          GtkSortType           direction);

GListModel *cyc_table_view_get_shown     (CycTableView         *self);
GPtrArray  *cyc_table_view_dup_selected  (CycTableView         *self);
gboolean    cyc_table_view_select        (CycTableView         *self,
                                          gpointer              item);
void        cyc_table_view_unselect_all  (CycTableView         *self);
void        cyc_table_view_scroll_to     (CycTableView         *self,
                                          guint                 position);
void        cyc_table_view_refresh       (CycTableView         *self);
void        cyc_table_view_refresh_item  (CycTableView         *self,
                                          gpointer              item);

char       *cyc_table_view_dup_text      (CycTableView         *self,
                                          CycTableFormat        format,
                                          CycTableRows          rows);
gboolean    cyc_table_view_is_busy       (CycTableView         *self);
CycTableTextWriter *cyc_table_view_write (CycTableView         *self,
                                          CycTableFormat        format);
GVariant   *cyc_table_view_dup_state     (CycTableView         *self);
void        cyc_table_view_set_state     (CycTableView         *self,
                                          GVariant             *state);
gboolean    cyc_table_view_shrink        (CycTableView         *self);

G_END_DECLS
