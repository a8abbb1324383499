/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/timeline/cyc-timeline-summary.h"

G_BEGIN_DECLS

/* A piece of a core's time in which it does one thing. */
typedef void (*SummaryPieceFunc) (gpointer user_data,
                                  guint32  span,
                                  gint64   from,
                                  gint64   to);

gboolean _cyc_summary_walk      (CycTimeline            *timeline,
                                 guint32                 track,
                                 const CycTimelineArea  *area,
                                 SummaryPieceFunc        func,
                                 gpointer                user_data,
                                 GCancellable           *cancellable,
                                 GError                **error);
gboolean _cyc_summary_add_waits (CycTimelineSummary     *self,
                                 const CycTimelineArea  *area,
                                 guint                   n_waits,
                                 GCancellable           *cancellable,
                                 GError                **error);

G_END_DECLS
