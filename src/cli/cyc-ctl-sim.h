/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/cyc-ctl-app.h"

G_BEGIN_DECLS

extern const CycCtlCommand cyc_ctl_sim_counters;
extern const CycCtlCommand cyc_ctl_sim_parse;

G_END_DECLS
