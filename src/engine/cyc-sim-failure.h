/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/cyc-workspace-data.h"

G_BEGIN_DECLS

CycFailureLine *cyc_sim_failure_read (const char          *folder,
                                      guint64              log_bytes,
                                      const CycSimRecord  *sim,
                                      GCancellable        *cancellable,
                                      GError             **error);

G_END_DECLS
