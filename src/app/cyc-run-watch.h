/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/cyc-workspace.h"

G_BEGIN_DECLS

#define CYC_TYPE_RUN_WATCH (cyc_run_watch_get_type ())
G_DECLARE_FINAL_TYPE (CycRunWatch, cyc_run_watch, CYC, RUN_WATCH, GObject)

/* Signals: "ended" (CycRun *run); "local-changed" (): cyc_workspace_get_n_local() may be another. */
CycRunWatch *cyc_run_watch_new (CycWorkspace *workspace);

G_END_DECLS
