/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/cyc-ctl-command.h"

G_BEGIN_DECLS

extern const CycCtlCommand cyc_ctl_access_trace;
extern const CycCtlCommand cyc_ctl_access_figures;
extern const CycCtlCommand cyc_ctl_access_plot;

G_END_DECLS
