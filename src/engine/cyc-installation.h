/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/accelsim/cyc-simulator.h"
#include "engine/cyc-settings.h"

G_BEGIN_DECLS

CycSimulator *cyc_installation_open       (const CycSimulatorSetting  *setting,
                                           GError                    **error);
GStrv         cyc_installation_list_roots (CycSettings                *settings,
                                           const char *const          *given,
                                           const char                 *simulator,
                                           CycFindings                *findings);

G_END_DECLS
