/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/cyc-ctl-command.h"

G_BEGIN_DECLS

extern const CycCtlCommand cyc_ctl_run_start;
extern const CycCtlCommand cyc_ctl_run_list;
extern const CycCtlCommand cyc_ctl_run_show;
extern const CycCtlCommand cyc_ctl_run_cancel;
extern const CycCtlCommand cyc_ctl_run_remove;
extern const CycCtlCommand cyc_ctl_run_results;
extern const CycCtlCommand cyc_ctl_run_compare;
extern const CycCtlCommand cyc_ctl_run_export;

G_END_DECLS
