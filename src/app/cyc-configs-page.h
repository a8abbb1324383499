/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-page.h"

G_BEGIN_DECLS

#define CYC_TYPE_CONFIGS_PAGE (cyc_configs_page_get_type ())
G_DECLARE_FINAL_TYPE (CycConfigsPage, cyc_configs_page, CYC, CONFIGS_PAGE, CycPage)

GtkWidget *cyc_configs_page_new (CycWorkspace *workspace,
                                const char   *target);

G_END_DECLS
