/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/cyc-ctl-command.h"

G_BEGIN_DECLS

extern const CycCtlCommand cyc_ctl_simulator_add;
extern const CycCtlCommand cyc_ctl_simulator_list;
extern const CycCtlCommand cyc_ctl_simulator_check;
extern const CycCtlCommand cyc_ctl_simulator_remove;

G_END_DECLS
