/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/cyc-ctl-app.h"
#include "core/accelsim/cyc-gpu-configs.h"
#include "core/accelsim/cyc-simulator.h"
#include "engine/cyc-settings.h"

G_BEGIN_DECLS

GStrv          cyc_ctl_roots_get_given    (CycCtlApp  *app);
gboolean       cyc_ctl_roots_check_given  (CycCtlApp  *app,
                                           GError    **error);
CycGpuConfigs *cyc_ctl_roots_load_configs (CycCtlApp  *app,
                                           gboolean    notes,
                                           GError    **error);

G_END_DECLS
