/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-page.h"

G_BEGIN_DECLS

#define CYC_TYPE_TIMELINE_PAGE (cyc_timeline_page_get_type ())
G_DECLARE_FINAL_TYPE (CycTimelinePage, cyc_timeline_page, CYC, TIMELINE_PAGE, CycPage)

GtkWidget *cyc_timeline_page_new (CycWorkspace *workspace,
                                  const char   *path);
GtkWidget *cyc_timeline_page_new_for_run (CycWorkspace *workspace,
                                          const char   *run_id);

G_END_DECLS
