/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "widgets/cyc-table-sorter.h"

#include <string.h>

static void
begin_pair (CycTableSorter *self,
            gsize           start)
{
  self->start = start;
  self->left = start;
  self->right = MIN (start + self->width, self->n_rows);
  self->out = start;
}

/**
 * cyc_table_sorter_begin:
 * @self: a sorter that is cleared
 * @rows: (array length=n_rows): what to sort, in place
 * @n_rows: how many
 * @compare: compares two pointers to row numbers
 * @compare_data: for @compare
 *
 * Begins to sort. @rows must not be touched until the sorter is done or cleared.
 */
void
cyc_table_sorter_begin (CycTableSorter   *self,
                        guint32          *rows,
                        gsize             n_rows,
                        GCompareDataFunc  compare,
                        gpointer          compare_data)
{
  g_return_if_fail (self != NULL && self->spare == NULL);

  self->rows = rows;
  self->spare = g_new (guint32, MAX (n_rows, 1));
  self->from = rows;
  self->to = self->spare;
  self->n_rows = n_rows;
  self->width = 1;
  self->compare = compare;
  self->compare_data = compare_data;
  begin_pair (self, 0);
}

/* Moves one row of the pair of runs at hand. */
static void
move_one (CycTableSorter *self,
          gsize           middle,
          gsize           end)
{
  gboolean take_left = self->right >= end;

  if (!take_left && self->left < middle)
    take_left = self->compare (&self->from[self->left], &self->from[self->right],
                               self->compare_data) <= 0;
  self->to[self->out++] = self->from[take_left ? self->left++ : self->right++];
}

/**
 * cyc_table_sorter_step:
 * @self: a sorter that has begun
 * @n_moves: how many rows to move at most
 *
 * Sorts on.
 *
 * Returns: whether all is sorted
 */
gboolean
cyc_table_sorter_step (CycTableSorter *self,
                       guint           n_moves)
{
  g_return_val_if_fail (self != NULL && self->spare != NULL, TRUE);

  while (self->width < self->n_rows)
    {
      gsize middle = MIN (self->start + self->width, self->n_rows);
      gsize end = MIN (middle + self->width, self->n_rows);
      for (; self->out < end && n_moves > 0; n_moves--)
        move_one (self, middle, end);
      if (self->out < end)
        return FALSE;
      if (end < self->n_rows)
        {
          begin_pair (self, end);
          continue;
        }
      guint32 *from = self->from;
      self->from = self->to;
      self->to = from;
      self->width *= 2;
      begin_pair (self, 0);
    }
  if (self->from != self->rows && self->n_rows > 0)
    memcpy (self->rows, self->from, self->n_rows * sizeof *self->rows);
  self->from = self->rows;
  return TRUE;
}

/**
 * cyc_table_sorter_clear:
 * @self: a sorter, which may have begun or not
 */
void
cyc_table_sorter_clear (CycTableSorter *self)
{
  g_free (self->spare);
  *self = (CycTableSorter) { NULL };
}
