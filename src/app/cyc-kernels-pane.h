/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-page.h"
#include "app/cyc-sim-pane.h"

G_BEGIN_DECLS

#define CYC_TYPE_KERNELS_PANE (cyc_kernels_pane_get_type ())
G_DECLARE_FINAL_TYPE (CycKernelsPane, cyc_kernels_pane, CYC, KERNELS_PANE, CycSimPane)

CycSimPane *cyc_kernels_pane_new (CycPage *page);

G_END_DECLS
