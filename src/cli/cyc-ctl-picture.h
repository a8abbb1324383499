/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/cyc-ctl-app.h"
#include "plot/cyc-plot-export.h"

G_BEGIN_DECLS

int cyc_ctl_picture_get_format (CycCtlApp      *app,
                                CycPlotFormat  *out_format,
                                GError        **error);
int cyc_ctl_picture_write      (CycCtlApp      *app,
                                GBytes         *picture,
                                GError        **error);

G_END_DECLS
