/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-timeline-files.h"
#include "engine/cyc-workspace.h"

G_BEGIN_DECLS

void             cyc_timeline_run_load_async  (CycWorkspace         *workspace,
                                               const char           *run_id,
                                               CycTimelineUnit       unit,
                                               GCancellable         *cancellable,
                                               GAsyncReadyCallback   callback,
                                               gpointer              user_data);
CycTimelineLoad *cyc_timeline_run_load_finish (GAsyncResult         *result,
                                               GError              **error);

G_END_DECLS
