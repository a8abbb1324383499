/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/cyc-ctl-command.h"

G_BEGIN_DECLS

extern const CycCtlCommand cyc_ctl_cycles_decode;
extern const CycCtlCommand cyc_ctl_cycles_window;
extern const CycCtlCommand cyc_ctl_cycles_layout;
extern const CycCtlCommand cyc_ctl_cycles_merge;

G_END_DECLS
