/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-page.h"

G_BEGIN_DECLS

#define CYC_TYPE_RUN_PAGE (cyc_run_page_get_type ())
G_DECLARE_FINAL_TYPE (CycRunPage, cyc_run_page, CYC, RUN_PAGE, CycPage)

GtkWidget *cyc_run_page_new (CycWorkspace *workspace,
                             const char   *run_id);

G_END_DECLS
