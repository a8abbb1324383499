/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/cyc-ctl-command.h"

G_BEGIN_DECLS

extern const CycCtlCommand cyc_ctl_configs_list;
extern const CycCtlCommand cyc_ctl_configs_show;
extern const CycCtlCommand cyc_ctl_configs_diff;

G_END_DECLS
