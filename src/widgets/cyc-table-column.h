/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/**
 * CycTableTextFunc:
 * @item: (type GObject): a row
 * @user_data: of the table or of the column
 *
 * Returns: (transfer full) (nullable): a text for people, in one line
 */
typedef char *(*CycTableTextFunc) (gpointer item,
                                   gpointer user_data);

/**
 * CycTableNumberFunc:
 * @item: (type GObject): a row
 * @user_data: of the table or of the column
 *
 * Returns: a number to sort by; NaN if there is none
 */
typedef double (*CycTableNumberFunc) (gpointer item,
                                      gpointer user_data);

/**
 * CycTableWordFunc:
 * @item: (type GObject): a row
 * @user_data: of the table or of the column
 *
 * Returns: (transfer none) (nullable): the name of an icon or of a style class, which lives as long
 *   as the program
 */
typedef const char *(*CycTableWordFunc) (gpointer item,
                                         gpointer user_data);

/**
 * CycTableColumnFlags:
 * @CYC_TABLE_COLUMN_END: right aligned, with figures of one width
 * @CYC_TABLE_COLUMN_NUMBER: the same; and what @get_number gives is the value itself, which copies
 *   for programs (TSV, CSV, JSON) have instead of the text
 * @CYC_TABLE_COLUMN_EXPAND: takes what room is left
 * @CYC_TABLE_COLUMN_HIDDEN: not shown until the user asks for it
 * @CYC_TABLE_COLUMN_MONOSPACE: in the font for code
 */
typedef enum
{
  CYC_TABLE_COLUMN_PLAIN = 0,
  CYC_TABLE_COLUMN_END = 1 << 0,
  CYC_TABLE_COLUMN_NUMBER = 1 << 1,
  CYC_TABLE_COLUMN_EXPAND = 1 << 2,
  CYC_TABLE_COLUMN_HIDDEN = 1 << 3,
  CYC_TABLE_COLUMN_MONOSPACE = 1 << 4,
} CycTableColumnFlags;

/**
 * CycTableColumn:
 * @id: a word that never changes: settings and JSON name the column by it
 * @title: what stands in its head
 * @tooltip: (nullable): what it means
 * @flags: how it looks
 * @width: at the beginning, in characters; 0 for as wide as the title
 * @get_text: what a cell says
 * @get_number: (nullable): to sort by; without it cells are sorted by their text
 * @get_icon: (nullable): an icon before the text
 * @get_css_class: (nullable): a style class of the cell, such as `error`
 * @get_tooltip: (nullable): the cell's tooltip; without it a text that is cut shows itself
 *
 * A column of a table.
 */
typedef struct
{
  const char          *id;
  const char          *title;
  const char          *tooltip;
  CycTableColumnFlags  flags;
  int                  width;
  CycTableTextFunc     get_text;
  CycTableNumberFunc   get_number;
  CycTableWordFunc     get_icon;
  CycTableWordFunc     get_css_class;
  CycTableTextFunc     get_tooltip;
} CycTableColumn;

/**
 * CycTableField:
 *
 * A column with what its functions need, counted by reference: what the parts of a table share.
 */
typedef struct
{
  CycTableColumn  column; /* texts are copies */
  gpointer        user_data;
  GDestroyNotify  destroy;
  int             line_height; /* of its cells, pixels; 0 while it is not known */
  int             cut_left;    /* pixels of it that are beyond the edges of the view */
  int             cut_right;
} CycTableField;

CycTableField *cyc_table_field_new        (const CycTableColumn *column,
                                           gpointer              user_data,
                                           GDestroyNotify        destroy);
CycTableField *cyc_table_field_ref        (CycTableField        *self);
void           cyc_table_field_unref      (CycTableField        *self);
char          *cyc_table_field_dup_text   (const CycTableField  *self,
                                           gpointer              item);
double         cyc_table_field_get_number (const CycTableField  *self,
                                           gpointer              item);
gboolean       cyc_table_field_is_end     (const CycTableField  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycTableField, cyc_table_field_unref)

G_END_DECLS
