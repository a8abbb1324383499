/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "widgets/cyc-table-column.h"

#include <math.h>

/**
 * cyc_table_field_new:
 * @column: what it is; its texts are copied
 * @user_data: for its functions
 * @destroy: (nullable): frees @user_data
 *
 * Returns: (transfer full): a new column
 */
CycTableField *
cyc_table_field_new (const CycTableColumn *column,
                     gpointer              user_data,
                     GDestroyNotify        destroy)
{
  g_return_val_if_fail (column != NULL, NULL);
  g_return_val_if_fail (column->id != NULL && column->title != NULL, NULL);
  g_return_val_if_fail (column->get_text != NULL, NULL);

  CycTableField *self = g_rc_box_new0 (CycTableField);
  self->column = *column;
  self->column.id = g_strdup (column->id);
  self->column.title = g_strdup (column->title);
  self->column.tooltip = g_strdup (column->tooltip);
  self->user_data = user_data;
  self->destroy = destroy;
  return self;
}

/**
 * cyc_table_field_ref:
 * @self: a column
 *
 * Returns: (transfer full): @self
 */
CycTableField *
cyc_table_field_ref (CycTableField *self)
{
  return g_rc_box_acquire (self);
}

static void
field_clear (gpointer data)
{
  CycTableField *self = data;

  if (self->destroy != NULL)
    self->destroy (self->user_data);
  g_free ((char *) self->column.id);
  g_free ((char *) self->column.title);
  g_free ((char *) self->column.tooltip);
}

/**
 * cyc_table_field_unref:
 * @self: (transfer full): a column
 */
void
cyc_table_field_unref (CycTableField *self)
{
  g_rc_box_release_full (self, field_clear);
}

/**
 * cyc_table_field_dup_text:
 * @self: a column
 * @item: (type GObject): a row
 *
 * Returns: (transfer full): what the cell says, never %NULL
 */
char *
cyc_table_field_dup_text (const CycTableField *self,
                          gpointer             item)
{
  char *text = self->column.get_text (item, self->user_data);
  return text != NULL ? text : g_strdup ("");
}

/**
 * cyc_table_field_get_number:
 * @self: a column
 * @item: (type GObject): a row
 *
 * Returns: what the cell is sorted by; NaN if it has no number
 */
double
cyc_table_field_get_number (const CycTableField *self,
                            gpointer             item)
{
  return self->column.get_number != NULL ? self->column.get_number (item, self->user_data) : NAN;
}

/**
 * cyc_table_field_is_end:
 * @self: a column
 *
 * Returns: whether it is right aligned
 */
gboolean
cyc_table_field_is_end (const CycTableField *self)
{
  return (self->column.flags & (CYC_TABLE_COLUMN_END | CYC_TABLE_COLUMN_NUMBER)) != 0;
}
