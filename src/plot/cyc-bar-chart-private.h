/* SPDX-License-Identifier: MIT */
#pragma once

#include "plot/cyc-axis.h"
#include "plot/cyc-bar-chart.h"
#include "plot/cyc-legend-private.h"

G_BEGIN_DECLS

/* The label of a group that is seen. */
typedef struct
{
  char   *text;
  double  width; /* unless it is cut */
} CycBarLabel;

/* Where everything of a chart is. */
struct _CycBarLayout
{
  CycBarChart   chart;
  guint         n_series;
  guint        *slots;       /* of each series */
  double        width;
  double        height;
  PangoLayout  *text;        /* axes */
  PangoLayout  *small_text;  /* values on bars, and labels that stand upright */
  PangoLayout  *bold_text;   /* title */
  CycLegend    *legend;
  double        title_y;
  double        legend_y;
  double        value_title_y;
  double        group_title_y;
  CycPlotRect   plot;
  CycAxis      *axis;        /* from values to y; NULL if there is no value */
  double        base;        /* y of where bars begin */
  guint         begin;       /* groups that are seen, perhaps in part */
  guint         end;
  double        n_visible;
  double        group_width;
  double        bar_width;   /* with the gap to the next */
  GArray       *labels;      /* of CycBarLabel, from @begin on */
  double        angle;       /* of labels, counterclockwise in radians */
  guint         stride;      /* every n-th group has a label */
  double        label_limit; /* most length of one */
  gboolean      with_values;
  double        value_angle; /* of values on bars */
};

PangoLayout *cyc_bar_layout_get_label_text (CycBarLayout *self);
double cyc_bar_layout_label_room    (CycBarLayout      *self,
                                     guint              group);
double cyc_bar_layout_group_x       (CycBarLayout      *self,
                                     guint              group);

G_END_DECLS
