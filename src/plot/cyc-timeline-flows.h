/* SPDX-License-Identifier: MIT */
#pragma once

#include "plot/cyc-timeline-scene.h"

G_BEGIN_DECLS

/**
 * CycFlowArrow:
 * @from: where it begins: number of an end of a flow, for cyc_timeline_get_flow_ends()
 * @to: where it ends
 */
typedef struct
{
  guint32 from;
  guint32 to;
} CycFlowArrow;

CycTimelineFlows *cyc_timeline_flows_new       (CycTimeline       *timeline,
                                                GCancellable      *cancellable,
                                                GError           **error);
CycTimelineFlows *cyc_timeline_flows_ref       (CycTimelineFlows  *self);
void              cyc_timeline_flows_unref     (CycTimelineFlows  *self);
GArray           *cyc_timeline_flows_get       (CycTimelineFlows  *self,
                                                guint32            span);
guint32           cyc_timeline_flows_follow    (CycTimelineFlows  *self,
                                                guint32            span,
                                                int                steps);
GArray           *cyc_timeline_flows_list      (CycTimelineFlows  *self,
                                                gint64             from,
                                                gint64             to,
                                                guint              most);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycTimelineFlows, cyc_timeline_flows_unref)

G_END_DECLS
