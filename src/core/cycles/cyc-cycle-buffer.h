/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/cycles/cyc-cycle-meta.h"

G_BEGIN_DECLS

/**
 * CycCycleRecord:
 *
 * A record as it stands in a buffer, in the byte order of this machine.
 */
typedef struct
{
  guint64 start;
  guint64 end;
  guint32 desc;
  guint32 task;
  guint32 index;
  guint32 owner;
} CycCycleRecord;

G_STATIC_ASSERT (sizeof (CycCycleRecord) == 32);

typedef enum
{
  CYC_CYCLE_AIC = 1,
  CYC_CYCLE_AIV = 2,
} CycCycleCoreType;

/**
 * CycCycleCore:
 * @entry_cycle: when the core came in, 0 if that is not known
 * @first: the first of its records, in slot order
 * @n_records: how many it has, at least one
 * @type: AIC or AIV
 * @block: its number among those of its type
 * @is_sorted: whether its records are in the order of their start cycles
 */
typedef struct
{
  guint64          entry_cycle;
  guint32          first;
  guint32          n_records;
  CycCycleCoreType type;
  guint32          block;
  gboolean         is_sorted;
} CycCycleCore;

/**
 * CycCycleBuffer:
 * @meta: what was known about it
 * @records: (array length=n_records): the records of all slots, one after the other
 * @n_records: how many
 * @cores: (array length=n_cores): the cores with records, in the order of their slots
 * @n_cores: how many
 * @aic_capacity: records that an AIC slot can hold
 * @aiv_capacity: records that an AIV slot can hold
 * @layout_size: bytes of the buffer
 * @anchor: the cycle that times count from
 * @dropped: records that the device dropped
 *
 * A profile buffer, read and checked.
 */
typedef struct
{
  CycCycleMeta   *meta;
  CycCycleRecord *records;
  guint32         n_records;
  CycCycleCore   *cores;
  guint           n_cores;
  guint64         aic_capacity;
  guint64         aiv_capacity;
  guint64         layout_size;
  guint64         anchor;
  guint64         dropped;
} CycCycleBuffer;

CycCycleBuffer *cyc_cycle_buffer_read  (const char      *path,
                                        CycCycleMeta    *meta,
                                        GCancellable    *cancellable,
                                        GError         **error);
CycCycleBuffer *cyc_cycle_buffer_parse (const void      *bytes,
                                        gsize            len,
                                        const char      *source,
                                        CycCycleMeta    *meta,
                                        GError         **error);
void            cyc_cycle_buffer_free  (CycCycleBuffer  *self);
guint64         cyc_cycle_core_get_tid (const CycCycleCore *self);
const char     *cyc_cycle_core_type_to_string (CycCycleCoreType type);
double          cyc_cycle_to_us        (guint64          cycle,
                                        guint64          anchor,
                                        double           frequency_mhz);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycCycleBuffer, cyc_cycle_buffer_free)

G_END_DECLS
