/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/cycles/cyc-cycle-buffer.h"
#include "core/timeline/cyc-timeline-builder.h"

G_BEGIN_DECLS

CycTimeline *cyc_timeline_new_from_cycles (CycCycleBuffer       *buffer,
                                           GCancellable         *cancellable,
                                           GError              **error);
CycTimeline *cyc_timeline_load_window     (const char           *path,
                                           GPtrArray            *out_unknown,
                                           GCancellable         *cancellable,
                                           GError              **error);

G_END_DECLS
