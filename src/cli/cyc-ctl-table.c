/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/cyc-ctl-table.h"

#include <string.h>

#include "cli/cyc-ctl-format.h"
#include "core/base/cyc-format.h"
#include "core/base/cyc-util.h"

/* A column is not cut below this, so that what is left still says something. */
#define MIN_LONG_WIDTH 8
#define GAP 2

typedef struct
{
  CycCtlColumn kind;
  guint        width;
} Column;

struct _CycCtlTable
{
  GArray    *columns; /* of Column */
  GPtrArray *cells;   /* of char*, row by row, the titles first */
};

/**
 * cyc_ctl_table_new:
 *
 * A table for people: add the columns, then the cells row by row.
 *
 * Returns: (transfer full): an empty table
 */
CycCtlTable *
cyc_ctl_table_new (void)
{
  CycCtlTable *self = g_new0 (CycCtlTable, 1);
  self->columns = g_array_new (FALSE, FALSE, sizeof (Column));
  self->cells = g_ptr_array_new_with_free_func (g_free);
  return self;
}

/**
 * cyc_ctl_table_free:
 * @self: (transfer full): a table
 */
void
cyc_ctl_table_free (CycCtlTable *self)
{
  g_return_if_fail (self != NULL);

  g_array_unref (self->columns);
  g_ptr_array_unref (self->cells);
  g_free (self);
}

/**
 * cyc_ctl_table_add_column:
 * @self: a table without cells
 * @kind: alignment, and whether it may be cut
 * @title: what the first line says
 */
void
cyc_ctl_table_add_column (CycCtlTable  *self,
                          CycCtlColumn  kind,
                          const char   *title)
{
  g_return_if_fail (self->cells->len == self->columns->len);

  Column column = { .kind = kind, .width = 0 };
  g_array_append_val (self->columns, column);
  cyc_ctl_table_add (self, title);
}

/**
 * cyc_ctl_table_add:
 * @self: a table
 * @text: (nullable): the next cell, made printable; %NULL and the empty text are shown as a dash
 */
void
cyc_ctl_table_add (CycCtlTable *self,
                   const char  *text)
{
  char *cell = text == NULL || text[0] == '\0' ? g_strdup ("-") : cyc_format_printable (text);
  Column *column = &g_array_index (self->columns, Column, self->cells->len % self->columns->len);

  column->width = MAX (column->width, cyc_utf8_get_width (cell, strlen (cell)));
  g_ptr_array_add (self->cells, cell);
}

/**
 * cyc_ctl_table_take:
 * @self: a table
 * @text: (transfer full) (nullable): the next cell
 */
void
cyc_ctl_table_take (CycCtlTable *self,
                    char        *text)
{
  cyc_ctl_table_add (self, text);
  g_free (text);
}

/* Takes from the widest of the long columns until the table fits or nothing can be taken. */
static void
shrink (CycCtlTable *self,
        guint        width)
{
  guint total = 0;

  for (guint i = 0; i < self->columns->len; i++)
    total += g_array_index (self->columns, Column, i).width + (i > 0 ? GAP : 0);
  while (total > width)
    {
      Column *widest = NULL;
      for (guint i = 0; i < self->columns->len; i++)
        {
          Column *column = &g_array_index (self->columns, Column, i);
          if (column->kind == CYC_CTL_COLUMN_LONG && column->width > MIN_LONG_WIDTH
              && (widest == NULL || column->width > widest->width))
            widest = column;
        }
      if (widest == NULL)
        return;
      widest->width--;
      total--;
    }
}

static void
append_cell (GString      *out,
             const Column *column,
             const char   *text,
             gboolean      is_last,
             const char   *mark)
{
  g_autofree char *cut = column->kind == CYC_CTL_COLUMN_LONG
                           ? cyc_ctl_format_cut (text, column->width, mark) : g_strdup (text);
  guint width = cyc_utf8_get_width (cut, strlen (cut));
  guint pad = column->width > width ? column->width - width : 0;

  if (column->kind == CYC_CTL_COLUMN_NUMBER)
    g_string_append_printf (out, "%*s%s", (int) pad, "", cut);
  else
    g_string_append_printf (out, "%s%*s", cut, is_last ? 0 : (int) pad, "");
  if (!is_last)
    g_string_append_printf (out, "%*s", GAP, "");
}

/**
 * cyc_ctl_table_render:
 * @self: a table with whole rows; its widths are used up
 * @width: cells of a terminal that there are, 0 for no limit
 * @utf8: whether the ellipsis can be shown
 *
 * Returns: (transfer full): the lines of the table, without blanks at their ends
 */
char *
cyc_ctl_table_render (CycCtlTable *self,
                      guint        width,
                      gboolean     utf8)
{
  g_return_val_if_fail (self->columns->len > 0, NULL);
  g_return_val_if_fail (self->cells->len % self->columns->len == 0, NULL);

  GString *out = g_string_new (NULL);
  guint n = self->columns->len;

  if (width > 0)
    shrink (self, width);
  for (guint i = 0; i < self->cells->len; i++)
    {
      append_cell (out, &g_array_index (self->columns, Column, i % n),
                   g_ptr_array_index (self->cells, i), i % n == n - 1, utf8 ? "…" : "~");
      if (i % n == n - 1)
        g_string_append_c (out, '\n');
    }
  return g_string_free (out, FALSE);
}
