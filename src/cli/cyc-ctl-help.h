/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/cyc-ctl-command.h"

G_BEGIN_DECLS

char *cyc_ctl_help_command (const CycCtlCommand *command);
char *cyc_ctl_help_group   (const char          *group);
char *cyc_ctl_help_program (void);

G_END_DECLS
