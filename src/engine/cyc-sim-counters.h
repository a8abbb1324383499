/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/cyc-workspace-data.h"

G_BEGIN_DECLS

CycSimStats     *cyc_sim_counters_read_block (const char         *log_path,
                                              GPtrArray          *kernels,
                                              int                 kernel_index,
                                              GError            **error);
CycCounterTable *cyc_sim_counters_load       (const char         *log_path,
                                              GPtrArray          *kernels,
                                              const char *const  *keys,
                                              gboolean            cumulative,
                                              guint               first,
                                              CycCounterValues   *state,
                                              GCancellable       *cancellable,
                                              GError            **error);

G_END_DECLS
