/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "widgets/cyc-table-column.h"

G_BEGIN_DECLS

#define TABLE_TYPE_ROW (table_row_get_type ())
G_DECLARE_FINAL_TYPE (TableRow, table_row, TABLE, ROW, GObject)

/* A row for the tests of tables; has a signal "changed". */
struct _TableRow
{
  GObject parent_instance;

  guint   number;
  double  size; /* NaN for none */
  char   *name;
};

enum
{
  TABLE_NUMBER,
  TABLE_NAME,
  TABLE_SIZE,
  TABLE_SECRET,
  TABLE_N_COLUMNS
};

extern const CycTableColumn table_columns[TABLE_N_COLUMNS];

TableRow   *table_row_new    (guint       number,
                              double      size,
                              const char *name);
void        table_row_change (TableRow   *self,
                              double      size,
                              const char *name);
void        table_add        (GListStore *store,
                              guint       number,
                              double      size,
                              const char *name);
GListStore *table_make_fruit (void);
GListStore *table_make_long  (guint       n);
char       *table_join       (GListModel *model);

G_END_DECLS
