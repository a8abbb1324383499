/* SPDX-License-Identifier: MIT */
#pragma once

#include "plot/cyc-bar-chart.h"
#include "plot/cyc-plot-style.h"

G_BEGIN_DECLS

/* Series that a bin can have beside each other. */
#define CYC_HISTOGRAM_SERIES 2

/* How often whole numbers of a range come, in each series. */
typedef struct
{
  gint64 from;
  gint64 to;    /* inclusive */
  double counts[CYC_HISTOGRAM_SERIES];
} CycHistogramBin;

/**
 * CycHistogram:
 * @style: how it looks
 * @bins: (array length=n_bins): of cyc_histogram_bins_new()
 * @n_bins: how many
 * @n_series: how many series have counts
 * @names: (nullable) (array length=n_series): of the series, where there are several
 * @title: what the numbers are
 * @count_title: what is counted
 *
 * A histogram. Nothing is owned.
 */
typedef struct
{
  const CycPlotStyle    *style;
  const CycHistogramBin *bins;
  guint                  n_bins;
  guint                  n_series;
  const char *const     *names;
  const char            *title;
  const char            *count_title;
} CycHistogram;

GArray   *cyc_histogram_bins_new (gint64               lowest,
                                  gint64               highest);
void      cyc_histogram_bins_add (GArray              *bins,
                                  guint                series,
                                  gint64               from,
                                  double               count);
void      cyc_histogram_draw     (const CycHistogram  *self,
                                  cairo_t             *cr,
                                  double               width,
                                  double               height,
                                  int                  hover);
int       cyc_histogram_find     (const CycHistogram  *self,
                                  double               width,
                                  double               height,
                                  double               x);
gboolean  cyc_histogram_get_bar  (const CycHistogram  *self,
                                  double               width,
                                  double               height,
                                  guint                bin,
                                  guint                series,
                                  CycPlotRect         *out_rect);

G_END_DECLS
