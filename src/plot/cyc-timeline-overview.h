/* SPDX-License-Identifier: MIT */
#pragma once

#include "plot/cyc-timeline-scene.h"

G_BEGIN_DECLS

CycTimelineOverview *cyc_timeline_overview_new   (CycTimeline          *timeline,
                                                  gint64                from,
                                                  gint64                to,
                                                  guint                 n_columns,
                                                  GCancellable         *cancellable,
                                                  GError              **error);
void                 cyc_timeline_overview_free  (CycTimelineOverview  *self);
const double        *cyc_timeline_overview_get   (CycTimelineOverview  *self,
                                                  guint                *out_n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycTimelineOverview, cyc_timeline_overview_free)

G_END_DECLS
