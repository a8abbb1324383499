/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * CycTableSorter:
 *
 * A stable merge sort of row numbers that can stop after any step and go on later, so that a long list
 * is sorted between two frames.
 */
typedef struct
{
  guint32          *rows;  /* borrowed: what is sorted, in the end in order */
  guint32          *spare;
  guint32          *from;  /* either of the two */
  guint32          *to;
  gsize             n_rows;
  gsize             width; /* of the runs that are merged */
  gsize             start; /* of the pair of runs at hand */
  gsize             left;
  gsize             right;
  gsize             out;
  GCompareDataFunc  compare;
  gpointer          compare_data;
} CycTableSorter;

void     cyc_table_sorter_begin (CycTableSorter   *self,
                                 guint32          *rows,
                                 gsize             n_rows,
                                 GCompareDataFunc  compare,
                                 gpointer          compare_data);
gboolean cyc_table_sorter_step  (CycTableSorter   *self,
                                 guint             n_moves);
void     cyc_table_sorter_clear (CycTableSorter   *self);

G_END_DECLS
