/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/timeline/cyc-timeline-query.h"

G_BEGIN_DECLS

#define CYC_TYPE_TIMELINE_STAT_ITEM (cyc_timeline_stat_item_get_type ())
G_DECLARE_FINAL_TYPE (CycTimelineStatItem, cyc_timeline_stat_item, CYC, TIMELINE_STAT_ITEM, GObject)

GPtrArray             *cyc_timeline_stat_item_list (CycTimelineTable    *table);
const CycTimelineStat *cyc_timeline_stat_item_get  (CycTimelineStatItem *self);

G_END_DECLS
