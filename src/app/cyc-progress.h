/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/cyc-sim.h"
#include "engine/cyc-workspace.h"

G_BEGIN_DECLS

/* Whether simulations that run get on: kernels, figures and the log are signs of it, heartbeats are not. */
#define CYC_PROGRESS_WARN_SECONDS 300

double cyc_progress_look         (CycWorkspace *workspace,
                                  CycSim       *sim,
                                  gint64        now);
void   cyc_progress_look_at_runs (CycWorkspace *workspace);
double cyc_progress_get_idle     (CycSim       *sim);
char  *cyc_progress_dup_warning  (CycSim       *sim);

G_END_DECLS
