/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-page.h"

G_BEGIN_DECLS

#define CYC_TYPE_TRACE_PAGE (cyc_trace_page_get_type ())
G_DECLARE_FINAL_TYPE (CycTracePage, cyc_trace_page, CYC, TRACE_PAGE, CycPage)

GtkWidget *cyc_trace_page_new (CycWorkspace *workspace,
                               const char   *trace_id);

G_END_DECLS
