/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-page.h"
#include "widgets/cyc-table-view.h"

G_BEGIN_DECLS

CycTableView *cyc_trace_launches_new  (CycPage      *page);
void          cyc_trace_launches_fill (CycTableView *table,
                                       GPtrArray    *launches);

G_END_DECLS
