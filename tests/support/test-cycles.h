/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A profile buffer that is made by rule: every slot has the same number of records. */
typedef struct
{
  guint64 seed;
  guint   cube_slots;
  guint   aic_capacity;
  guint   aiv_capacity;
  guint   aic_count;
  guint   aiv_count;
} TestCycles;

guint8 *test_cycles_new (const TestCycles *what,
                         gsize            *out_len);

G_END_DECLS
