/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/cycles/cyc-cycle-buffer.h"

G_BEGIN_DECLS

/**
 * CycCycleColumns:
 * @n: how many records
 * @start: start cycles
 * @end: end cycles
 * @desc: desc ids
 * @task: task ids
 * @index: indices of the task in its stage, from 0
 * @owner: owner ids, 0xFFFFFFFF for none
 * @core: indices into the cores of the buffer
 *
 * Records in order of (start cycle, core type, block id), a column for each field.
 */
typedef struct
{
  guint32  n;
  guint64 *start;
  guint64 *end;
  guint32 *desc;
  guint32 *task;
  guint32 *index;
  guint32 *owner;
  guint32 *core;
} CycCycleColumns;

typedef struct _CycCycleCursor CycCycleCursor;

CycCycleColumns       *cyc_cycle_columns_new   (CycCycleBuffer        *buffer);
void                   cyc_cycle_columns_free  (CycCycleColumns       *self);
CycCycleCursor        *cyc_cycle_cursor_new    (CycCycleBuffer        *buffer,
                                                guint32                limit);
void                   cyc_cycle_cursor_free   (CycCycleCursor        *self);
const CycCycleColumns *cyc_cycle_cursor_next   (CycCycleCursor        *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycCycleColumns, cyc_cycle_columns_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycCycleCursor, cyc_cycle_cursor_free)

G_END_DECLS
