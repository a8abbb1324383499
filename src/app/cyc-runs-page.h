/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-page.h"

G_BEGIN_DECLS

#define CYC_TYPE_RUNS_PAGE (cyc_runs_page_get_type ())
G_DECLARE_FINAL_TYPE (CycRunsPage, cyc_runs_page, CYC, RUNS_PAGE, CycPage)

GtkWidget *cyc_runs_page_new (CycWorkspace *workspace,
                                const char   *target);

G_END_DECLS
