/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-page.h"
#include "widgets/cyc-chart-view.h"

G_BEGIN_DECLS

void cyc_compare_export (CycPage      *page,
                         CycChartView *chart,
                         const char   *path);

G_END_DECLS
