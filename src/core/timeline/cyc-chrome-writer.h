/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/cyc-json-writer.h"
#include "core/timeline/cyc-timeline-stats.h"

G_BEGIN_DECLS

gboolean cyc_chrome_write (CycTimeline           *timeline,
                           const CycTimelineArea *area,
                           CycJsonSink            sink,
                           gpointer               user_data,
                           GCancellable          *cancellable,
                           GError               **error);

G_END_DECLS
