/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-page.h"
#include "widgets/cyc-table-view.h"
#include "widgets/cyc-timeline-view.h"

G_BEGIN_DECLS

void cyc_timeline_save_picture (CycPage         *page,
                                CycTimelineView *view,
                                const char      *path);
void cyc_timeline_save_table   (CycPage         *page,
                                CycTableView    *table,
                                const char      *path);

G_END_DECLS
