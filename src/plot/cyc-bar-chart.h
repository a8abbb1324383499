/* SPDX-License-Identifier: MIT */
#pragma once

#include "plot/cyc-bar-data.h"
#include "plot/cyc-palette.h"

G_BEGIN_DECLS

/**
 * CycBarChartFlags:
 * @CYC_BAR_CHART_LEGEND: names of the series, and what the marks mean
 * @CYC_BAR_CHART_VALUES: values on the bars where there is room
 * @CYC_BAR_CHART_LOGARITHMIC: values on a logarithmic axis
 */
typedef enum
{
  CYC_BAR_CHART_LEGEND = 1 << 0,
  CYC_BAR_CHART_VALUES = 1 << 1,
  CYC_BAR_CHART_LOGARITHMIC = 1 << 2,
} CycBarChartFlags;

/**
 * CycBarChart:
 * @data: what is shown
 * @style: how it looks
 * @palette: colours and patterns of the series; learns those that it does not know
 * @flags: what is shown beside the bars
 * @title: (nullable): above everything
 * @value_title: (nullable): what the values are, the unit left out; %NULL for the counter's name
 * @unit: (nullable): the unit of the values; %NULL for that of the table
 * @group_title: (nullable): what the groups are
 * @missing_text: what the mark of a bar without a value means
 * @partial_text: what the mark of a bar without some of its launches means
 * @not_positive_text: what the mark of a value without a place on a logarithmic axis means
 * @beyond_text: what the mark of a bar that does not end in the plot means
 * @first: number of the first group that is seen, perhaps a part of it
 * @n_visible: how many groups are seen; 0 for all of them
 *
 * A chart of bars: groups along the horizontal axis, in each a bar for every series. Nothing is owned;
 * cyc_bar_chart_init() sets what has a default.
 */
typedef struct
{
  CycBarData         *data;
  const CycPlotStyle *style;
  CycPalette         *palette;
  CycBarChartFlags    flags;
  const char         *title;
  const char         *value_title;
  const char         *unit;
  const char         *group_title;
  const char         *missing_text;
  const char         *partial_text;
  const char         *not_positive_text;
  const char         *beyond_text;
  double              first;
  double              n_visible;
} CycBarChart;

/**
 * CycPlotRect:
 *
 * A place on the surface.
 */
typedef struct
{
  double x;
  double y;
  double width;
  double height;
} CycPlotRect;

/**
 * CycBarMark:
 * @group: a group, or -1 for none
 * @series: a series in it, or -1 for the whole group
 *
 * A bar that is pointed at.
 */
typedef struct
{
  int group;
  int series;
} CycBarMark;

typedef struct _CycBarLayout CycBarLayout;

void          cyc_bar_chart_init           (CycBarChart        *self,
                                            CycBarData         *data,
                                            const CycPlotStyle *style,
                                            CycPalette         *palette);
double        cyc_bar_chart_get_min_group  (guint               n_series);
CycBarLayout *cyc_bar_layout_new           (const CycBarChart  *chart,
                                            double              width,
                                            double              height);
void          cyc_bar_layout_free          (CycBarLayout       *self);
void          cyc_bar_layout_draw          (CycBarLayout       *self,
                                            cairo_t            *cr,
                                            const CycBarMark   *hover,
                                            const CycBarMark   *focus);
void          cyc_bar_layout_get_plot      (CycBarLayout       *self,
                                            CycPlotRect        *out_rect);
double        cyc_bar_layout_get_n_visible (CycBarLayout       *self);
guint         cyc_bar_layout_get_n_labelled (CycBarLayout      *self);
char         *cyc_bar_layout_dup_value     (CycBarLayout       *self,
                                            double              value);
gboolean      cyc_bar_layout_get_bar       (CycBarLayout       *self,
                                            guint               group,
                                            guint               series,
                                            CycPlotRect        *out_rect);
gboolean      cyc_bar_layout_get_label     (CycBarLayout       *self,
                                            guint               group,
                                            CycPlotRect        *out_rect);
CycBarMark    cyc_bar_layout_find          (CycBarLayout       *self,
                                            double              x,
                                            double              y);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycBarLayout, cyc_bar_layout_free)

G_END_DECLS
