/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/cyc-ctl-app.h"

G_BEGIN_DECLS

int cyc_ctl_run_wait (CycCtlApp   *app,
                      const char  *run_id,
                      GError     **error);

G_END_DECLS
