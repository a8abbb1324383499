/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-page.h"

G_BEGIN_DECLS

#define CYC_TYPE_COMPARE_PANE (cyc_compare_pane_get_type ())
G_DECLARE_FINAL_TYPE (CycComparePane, cyc_compare_pane, CYC, COMPARE_PANE, GtkWidget)

GtkWidget *cyc_compare_pane_new     (CycPage        *page,
                                     const char     *run_id);
void       cyc_compare_pane_refresh (CycComparePane *self);

G_END_DECLS
