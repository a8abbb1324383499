/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib-object.h>

#include "core/model/cyc-records.h"

G_BEGIN_DECLS

#define CYC_TYPE_KERNEL_STAT (cyc_kernel_stat_get_type ())
G_DECLARE_FINAL_TYPE (CycKernelStat, cyc_kernel_stat, CYC, KERNEL_STAT, GObject)

CycKernelStat         *cyc_kernel_stat_new        (const CycKernelRecord *record);
const CycKernelRecord *cyc_kernel_stat_get_record (CycKernelStat         *self);

G_END_DECLS
