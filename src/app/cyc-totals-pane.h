/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-page.h"
#include "app/cyc-sim-pane.h"

G_BEGIN_DECLS

#define CYC_TYPE_TOTALS_PANE (cyc_totals_pane_get_type ())
G_DECLARE_FINAL_TYPE (CycTotalsPane, cyc_totals_pane, CYC, TOTALS_PANE, CycSimPane)

CycSimPane *cyc_totals_pane_new (CycPage *page);

G_END_DECLS
