/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "plot/cyc-axis.h"
#include "plot/cyc-bar-chart.h"

G_BEGIN_DECLS

#define CYC_TYPE_CHART_VIEW (cyc_chart_view_get_type ())
G_DECLARE_FINAL_TYPE (CycChartView, cyc_chart_view, CYC, CHART_VIEW, GtkWidget)

GtkWidget   *cyc_chart_view_new           (void);
void         cyc_chart_view_set_table     (CycChartView    *self,
                                           CycBarTable     *table);
CycBarData  *cyc_chart_view_get_data      (CycChartView    *self);
void         cyc_chart_view_set_grouping  (CycChartView    *self,
                                           CycBarGrouping   grouping);
void         cyc_chart_view_set_statistic (CycChartView    *self,
                                           CycBarStatistic  statistic);
void         cyc_chart_view_set_value_name (CycChartView   *self,
                                           const char      *name);
void         cyc_chart_view_set_baseline  (CycChartView    *self,
                                           const char      *series);
void         cyc_chart_view_set_axis      (CycChartView    *self,
                                           CycAxisKind      axis);
void         cyc_chart_view_set_title     (CycChartView    *self,
                                           const char      *title);
void         cyc_chart_view_get_chart     (CycChartView    *self,
                                           CycBarChart     *out_chart);
void         cyc_chart_view_set_focus     (CycChartView    *self,
                                           CycBarMark       mark);
CycBarMark   cyc_chart_view_get_focus     (CycChartView    *self);
gboolean     cyc_chart_view_drill         (CycChartView    *self,
                                           guint            group);
gboolean     cyc_chart_view_back          (CycChartView    *self);
char        *cyc_chart_view_dup_path      (CycChartView    *self);
void         cyc_chart_view_set_visible_range (CycChartView *self,
                                               double         first,
                                               double         n_visible);
void         cyc_chart_view_get_visible_range (CycChartView *self,
                                               double        *out_first,
                                               double        *out_n_visible);
char        *cyc_chart_view_dup_bar_text  (CycChartView    *self,
                                           CycBarMark       mark);
gboolean     cyc_chart_view_get_bar_rect  (CycChartView    *self,
                                           CycBarMark       mark,
                                           GdkRectangle    *out_rect);
GdkTexture  *cyc_chart_view_make_picture  (CycChartView    *self);

G_END_DECLS
