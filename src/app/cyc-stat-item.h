/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/accelsim/cyc-counters.h"
#include "core/accelsim/cyc-sim-stats.h"

G_BEGIN_DECLS

#define CYC_TYPE_STAT_ITEM (cyc_stat_item_get_type ())
G_DECLARE_FINAL_TYPE (CycStatItem, cyc_stat_item, CYC, STAT_ITEM, GObject)

GListModel       *cyc_stat_item_list        (CycSimStats *stats);
const CycSimStat *cyc_stat_item_get_stat    (CycStatItem *self);
const CycCounter *cyc_stat_item_get_counter (CycStatItem *self);

G_END_DECLS
