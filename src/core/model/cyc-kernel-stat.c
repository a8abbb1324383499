/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/model/cyc-kernel-stat.h"

/* A finished kernel as an item of a list model. Made when a list asks for the row, so that a run
 * of many kernels costs records, not objects. */
struct _CycKernelStat
{
  GObject parent_instance;

  CycKernelRecord *record;
};

G_DEFINE_FINAL_TYPE (CycKernelStat, cyc_kernel_stat, G_TYPE_OBJECT)

static void
cyc_kernel_stat_finalize (GObject *object)
{
  CycKernelStat *self = CYC_KERNEL_STAT (object);

  cyc_kernel_record_free (self->record);
  G_OBJECT_CLASS (cyc_kernel_stat_parent_class)->finalize (object);
}

static void
cyc_kernel_stat_class_init (CycKernelStatClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = cyc_kernel_stat_finalize;
}

static void
cyc_kernel_stat_init (CycKernelStat *self)
{
}

/**
 * cyc_kernel_stat_new:
 * @record: a kernel, copied
 *
 * Returns: (transfer full): an item that never changes
 */
CycKernelStat *
cyc_kernel_stat_new (const CycKernelRecord *record)
{
  g_return_val_if_fail (record != NULL, NULL);

  CycKernelStat *self = g_object_new (CYC_TYPE_KERNEL_STAT, NULL);
  self->record = cyc_kernel_record_copy (record);
  return self;
}

/**
 * cyc_kernel_stat_get_record:
 * @self: an item
 *
 * Returns: (transfer none): the kernel
 */
const CycKernelRecord *
cyc_kernel_stat_get_record (CycKernelStat *self)
{
  g_return_val_if_fail (CYC_IS_KERNEL_STAT (self), NULL);

  return self->record;
}
