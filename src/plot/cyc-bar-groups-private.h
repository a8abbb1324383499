/* SPDX-License-Identifier: MIT */
#pragma once

#include "plot/cyc-bar-data.h"

G_BEGIN_DECLS

/* A group, and where its launches are in CycBarLevel.order. */
typedef struct
{
  CycBarGroup group;
  guint       name_id; /* of its first launch */
  guint       begin;
  guint       end;
} CycBarSlice;

/* Launches that are shown together, and how they are grouped. */
typedef struct
{
  GArray      *rows;     /* of guint: the launches, in the order of the log */
  GArray      *order;    /* of guint: the same by group; empty until they are grouped */
  GArray      *slices;   /* of CycBarSlice */
  guint        n_names;  /* how many names they have; 0 until they are grouped */
  CycBarSlice  step;     /* the group one level up that was drilled into */
  char        *label;    /* its label */
  guint        position; /* its number there */
} CycBarLevel;

/* A series in a group: the sum of what it has, and over the launches that the baseline has too. */
typedef struct
{
  double sum;
  double common;
  double baseline;
  guint  n_present;
  guint  n_common;
} CycBarCell;

CycBarLevel *cyc_bar_level_new   (GArray            *rows);
CycBarLevel *cyc_bar_level_copy  (const CycBarLevel *self);
void         cyc_bar_level_free  (gpointer           data);
void         cyc_bar_level_group (CycBarLevel       *self,
                                  const CycBarTable *table,
                                  CycBarGrouping     grouping,
                                  guint              max_groups,
                                  guint              max_launches);
GArray      *cyc_bar_level_sum   (const CycBarLevel *self,
                                  const CycBarTable *table,
                                  guint              baseline);

G_END_DECLS
