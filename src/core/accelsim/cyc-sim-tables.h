/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * CycSimTable:
 * @name: what it is called, unique in its block, valid UTF-8
 * @text: the figures as printed, without blanks around them, valid UTF-8
 *
 * A table, histogram or row of a statistics block that stands without `=`. Free with
 * cyc_sim_table_free().
 */
typedef struct
{
  char *name;
  char *text;
} CycSimTable;

GPtrArray *cyc_sim_tables_parse (const char  *block,
                                 gsize        len);
void       cyc_sim_table_free   (CycSimTable *self);

G_END_DECLS
