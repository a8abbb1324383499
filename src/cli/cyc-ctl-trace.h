/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/cyc-ctl-command.h"

G_BEGIN_DECLS

extern const CycCtlCommand cyc_ctl_trace_import;
extern const CycCtlCommand cyc_ctl_trace_list;
extern const CycCtlCommand cyc_ctl_trace_show;
extern const CycCtlCommand cyc_ctl_trace_remove;
extern const CycCtlCommand cyc_ctl_trace_restore;
extern const CycCtlCommand cyc_ctl_trace_check;

G_END_DECLS
