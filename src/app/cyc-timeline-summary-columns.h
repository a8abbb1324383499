/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-timeline-summary-pane.h"
#include "plot/cyc-timeline-units.h"

G_BEGIN_DECLS

/**
 * CycTimelineSummaryTexts:
 * @summary: (nullable): what is shown
 * @units: how its times are shown
 *
 * What the columns of a summary need.
 */
typedef struct
{
  CycTimelineSummary *summary;
  CycTimelineUnits    units;
} CycTimelineSummaryTexts;

const CycTableColumn *cyc_timeline_summary_columns_get  (CycSummaryTable     table,
                                                         guint              *out_n);
GListModel           *cyc_timeline_summary_columns_list (CycTimelineSummary *summary,
                                                         CycSummaryTable     table);

G_END_DECLS
