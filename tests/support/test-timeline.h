/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/timeline/cyc-timeline-stats.h"

G_BEGIN_DECLS

CycTimeline *test_timeline_new      (const char            *json,
                                     gboolean               keep_cycles);
GString     *test_timeline_write    (CycTimeline           *timeline,
                                     const CycTimelineArea *area);

G_END_DECLS
