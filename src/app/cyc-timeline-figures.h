/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/timeline/cyc-timeline-stats.h"
#include "plot/cyc-timeline-units.h"
#include "widgets/cyc-table-view.h"

G_BEGIN_DECLS

/* Times and durations in the columns of tables: all of a column in one unit, which its title says, so that they can
 * be compared, and copied as numbers. */
double        cyc_timeline_figures_number      (const CycTimelineUnits *units,
                                                CycWideTime             duration);
char         *cyc_timeline_figures_dup_text    (const CycTimelineUnits *units,
                                                CycWideTime             duration);
double        cyc_timeline_figures_average     (const CycTimelineUnits *units,
                                                CycWideTime             sum,
                                                guint64                 n);
char         *cyc_timeline_figures_dup_average (const CycTimelineUnits *units,
                                                CycWideTime             sum,
                                                guint64                 n);
double        cyc_timeline_figures_time_number (const CycTimelineUnits *units,
                                                gint64                  time);
char         *cyc_timeline_figures_dup_time    (const CycTimelineUnits *units,
                                                gint64                  time);
CycTableView *cyc_timeline_figures_table_new   (const char             *label,
                                                const CycTableColumn   *columns,
                                                guint                   n_columns,
                                                const CycTimelineUnits *units,
                                                gpointer                user_data);

G_END_DECLS
