/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-page.h"

G_BEGIN_DECLS

#define CYC_TYPE_ACCESS_PAGE (cyc_access_page_get_type ())
G_DECLARE_FINAL_TYPE (CycAccessPage, cyc_access_page, CYC, ACCESS_PAGE, CycPage)

GtkWidget *cyc_access_page_new (CycWorkspace *workspace,
                                const char   *path);

G_END_DECLS
