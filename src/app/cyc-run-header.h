/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "core/model/cyc-run.h"
#include "core/model/cyc-sim.h"

G_BEGIN_DECLS

#define CYC_TYPE_RUN_HEADER (cyc_run_header_get_type ())
G_DECLARE_FINAL_TYPE (CycRunHeader, cyc_run_header, CYC, RUN_HEADER, GtkWidget)

GtkWidget *cyc_run_header_new    (void);
void       cyc_run_header_update (CycRunHeader *self,
                                  CycRun       *run,
                                  GListModel   *sims);

G_END_DECLS
