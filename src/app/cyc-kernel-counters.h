/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-page.h"
#include "core/model/cyc-sim.h"
#include "widgets/cyc-table-view.h"

G_BEGIN_DECLS

typedef struct _CycKernelCounters CycKernelCounters;

CycKernelCounters *cyc_kernel_counters_new     (CycPage           *page,
                                                CycTableView      *table);
void               cyc_kernel_counters_free    (CycKernelCounters *self);
void               cyc_kernel_counters_set_sim (CycKernelCounters *self,
                                                CycSim            *sim);
void               cyc_kernel_counters_refresh (CycKernelCounters *self);
void               cyc_kernel_counters_choose  (CycKernelCounters *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycKernelCounters, cyc_kernel_counters_free)

G_END_DECLS
