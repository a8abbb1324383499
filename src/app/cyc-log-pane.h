/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-sim-pane.h"

G_BEGIN_DECLS

#define CYC_TYPE_LOG_PANE (cyc_log_pane_get_type ())
G_DECLARE_FINAL_TYPE (CycLogPane, cyc_log_pane, CYC, LOG_PANE, CycSimPane)

CycSimPane *cyc_log_pane_new (void);

void        cyc_log_pane_reveal (CycLogPane *self,
                                 guint64     offset);

G_END_DECLS
