/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-page-table.h"

G_BEGIN_DECLS

#define CYC_TYPE_SIDEBAR (cyc_sidebar_get_type ())
G_DECLARE_FINAL_TYPE (CycSidebar, cyc_sidebar, CYC, SIDEBAR, GtkWidget)

GtkWidget *cyc_sidebar_new           (void);
void       cyc_sidebar_set_workspace (CycSidebar   *self,
                                      CycWorkspace *workspace);
void       cyc_sidebar_set_section   (CycSidebar   *self,
                                      const char   *section);
void       cyc_sidebar_add_document  (CycSidebar        *self,
                                      CycPage           *page,
                                      const CycPageKind *kind,
                                      const char        *target);
void       cyc_sidebar_remove_document (CycSidebar *self,
                                        CycPage    *page);
void       cyc_sidebar_set_document  (CycSidebar   *self,
                                      CycPage      *page);
void       cyc_sidebar_set_count     (CycSidebar   *self,
                                      const char   *section,
                                      guint         count);

G_END_DECLS
