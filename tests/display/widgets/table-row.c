/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "table-row.h"

#include <math.h>

#include "core/base/cyc-util.h"

G_DEFINE_FINAL_TYPE (TableRow, table_row, G_TYPE_OBJECT)

static void
table_row_finalize (GObject *object)
{
  g_free (TABLE_ROW (object)->name);
  G_OBJECT_CLASS (table_row_parent_class)->finalize (object);
}

static void
table_row_class_init (TableRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = table_row_finalize;
  g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 0);
}

static void
table_row_init (TableRow *self)
{
}

TableRow *
table_row_new (guint       number,
               double      size,
               const char *name)
{
  TableRow *self = g_object_new (TABLE_TYPE_ROW, NULL);
  self->number = number;
  self->size = size;
  self->name = g_strdup (name);
  return self;
}

void
table_row_change (TableRow   *self,
                  double      size,
                  const char *name)
{
  self->size = size;
  cyc_set_str (&self->name, name);
  g_signal_emit_by_name (self, "changed");
}

void
table_add (GListStore *store,
           guint       number,
           double      size,
           const char *name)
{
  g_autoptr (TableRow) row = table_row_new (number, size, name);
  g_list_store_append (store, row);
}

GListStore *
table_make_fruit (void)
{
  GListStore *store = g_list_store_new (TABLE_TYPE_ROW);

  table_add (store, 1, 300, "pear");
  table_add (store, 2, 100, "Apple");
  table_add (store, 3, NAN, "fig-10");
  table_add (store, 4, 100, "fig-9");
  table_add (store, 5, 300, "apple-pie");
  return store;
}

/* Numbered rows, whose sizes begin anew every 100. */
GListStore *
table_make_long (guint n)
{
  GListStore *store = g_list_store_new (TABLE_TYPE_ROW);
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("kernel_%u", i);
      g_ptr_array_add (rows, table_row_new (i, i % 100, name));
    }
  g_list_store_splice (store, 0, 0, rows->pdata, n);
  return store;
}

/* The names of the rows, in their order. */
char *
table_join (GListModel *model)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (model); i++)
    {
      g_autoptr (TableRow) row = g_list_model_get_item (model, i);
      g_string_append_printf (out, "%s%s", i > 0 ? " " : "", row->name);
    }
  return g_string_free (out, FALSE);
}

static char *
get_number_text (gpointer item,
                 gpointer user_data)
{
  return g_strdup_printf ("%u", TABLE_ROW (item)->number);
}

static double
get_number (gpointer item,
            gpointer user_data)
{
  return TABLE_ROW (item)->number;
}

static char *
get_name (gpointer item,
          gpointer user_data)
{
  return g_strdup (TABLE_ROW (item)->name);
}

static char *
get_size_text (gpointer item,
               gpointer user_data)
{
  double size = TABLE_ROW (item)->size;
  return isnan (size) ? NULL : g_strdup_printf ("%.0f bytes", size);
}

static double
get_size (gpointer item,
          gpointer user_data)
{
  return TABLE_ROW (item)->size;
}

static const char *
get_icon (gpointer item,
          gpointer user_data)
{
  return isnan (TABLE_ROW (item)->size) ? "dialog-warning-symbolic" : "emblem-ok-symbolic";
}

static const char *
get_css_class (gpointer item,
               gpointer user_data)
{
  return isnan (TABLE_ROW (item)->size) ? "error" : NULL;
}

const CycTableColumn table_columns[TABLE_N_COLUMNS] = {
  [TABLE_NUMBER] = { "number", "No.", "The row's number", CYC_TABLE_COLUMN_NUMBER, 8, get_number_text,
                     get_number },
  [TABLE_NAME] = { "name", "Name", NULL, CYC_TABLE_COLUMN_EXPAND, 24, get_name, .get_icon = get_icon,
                   .get_css_class = get_css_class },
  [TABLE_SIZE] = { "size", "Size", NULL, CYC_TABLE_COLUMN_NUMBER, 14, get_size_text, get_size },
  [TABLE_SECRET] = { "secret", "Secret", NULL, CYC_TABLE_COLUMN_HIDDEN, 10, get_number_text },
};
