/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/cyc-ctl-command.h"

G_BEGIN_DECLS

extern const CycCtlCommand cyc_ctl_timeline_info;
extern const CycCtlCommand cyc_ctl_timeline_stats;
extern const CycCtlCommand cyc_ctl_timeline_extract;
extern const CycCtlCommand cyc_ctl_timeline_plot;

G_END_DECLS
