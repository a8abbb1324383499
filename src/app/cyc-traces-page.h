/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-page.h"

G_BEGIN_DECLS

#define CYC_TYPE_TRACES_PAGE (cyc_traces_page_get_type ())
G_DECLARE_FINAL_TYPE (CycTracesPage, cyc_traces_page, CYC, TRACES_PAGE, CycPage)

GtkWidget *cyc_traces_page_new (CycWorkspace *workspace,
                                const char   *target);

G_END_DECLS
