/* SPDX-License-Identifier: MIT */
#pragma once

#include "widgets/cyc-chart-view.h"

G_BEGIN_DECLS

struct _CycChartView
{
  GtkWidget      parent_instance;

  CycBarData    *data;          /* NULL without a table */
  CycPalette    *palette;       /* keeps the colours of series from table to table */
  CycPlotStyle  *style;         /* from the widget's colour and font */
  CycBarLayout  *layout;        /* NULL until it is asked for */
  int            layout_width;
  int            layout_height;
  double         first;         /* group at the left end */
  double         n_visible;     /* 0 = all that fit */
  CycBarMark     hover;
  CycBarMark     focus;
  double         pan_first;     /* @first when a drag began */
  gboolean       allocating;

  CycBarGrouping grouping;
  CycBarStatistic statistic;
  CycAxisKind    axis;
  char          *baseline;      /* name of a series */
  char          *value_name;    /* NULL for the counter */
  char          *title;
  char          *value_title;
  char          *group_title;

  GtkWidget     *scrollbar;
  GtkAdjustment *adjustment;
  GtkWidget     *menu;
};

CycBarLayout *_cyc_chart_view_get_layout     (CycChartView   *self);
void          _cyc_chart_view_invalidate     (CycChartView   *self);
void          _cyc_chart_view_focus_changed  (CycChartView   *self);
void          _cyc_chart_view_zoom           (CycChartView   *self,
                                              double          factor,
                                              double          x);
gboolean      _cyc_chart_view_is_scrolled    (CycChartView   *self);
void          _cyc_chart_view_input_class    (GtkWidgetClass *klass);
void          _cyc_chart_view_input_init     (CycChartView   *self);
void          _cyc_chart_view_menu_class     (GtkWidgetClass *klass);
void          _cyc_chart_view_menu_init      (CycChartView   *self);
void          _cyc_chart_view_menu_update    (CycChartView   *self);
void          _cyc_chart_view_update_titles  (CycChartView   *self);
char         *_cyc_chart_view_dup_label      (CycChartView   *self);

G_END_DECLS
