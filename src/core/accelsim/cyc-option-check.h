/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/accelsim/cyc-finding.h"
#include "core/accelsim/cyc-gpu-config.h"
#include "core/accelsim/cyc-sim-options.h"

G_BEGIN_DECLS

void cyc_option_check (const char   *option,
                       GPtrArray    *dump,
                       GPtrArray    *configs,
                       CycFindings  *findings);

const CycSimOption *cyc_option_find (GPtrArray  *dump,
                                     const char *name);

G_END_DECLS
