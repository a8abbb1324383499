/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-page.h"
#include "core/access/cyc-access-trace.h"
#include "widgets/cyc-access-view.h"
#include "widgets/cyc-table-view.h"

G_BEGIN_DECLS

#define CYC_TYPE_ACCESS_HITS_PANE (cyc_access_hits_pane_get_type ())
G_DECLARE_FINAL_TYPE (CycAccessHitsPane, cyc_access_hits_pane, CYC, ACCESS_HITS_PANE, GtkWidget)

/* Signal: "timestep-activated" (gint64 timestep). */
GtkWidget    *cyc_access_hits_pane_new       (CycPage             *page);
void          cyc_access_hits_pane_show      (CycAccessHitsPane   *self,
                                              CycAccessTrace      *trace,
                                              const CycAccessSpot *spot,
                                              const char          *text);
CycTableView *cyc_access_hits_pane_get_table (CycAccessHitsPane   *self);
const char   *cyc_access_hits_pane_get_text  (CycAccessHitsPane   *self);

G_END_DECLS
