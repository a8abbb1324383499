/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/timeline/cyc-view-state.h"
#include "plot/cyc-span-cells.h"

G_BEGIN_DECLS

/**
 * SeriesColumn:
 * @known: whether there is a value
 * @low: the least value in the column
 * @high: the most
 *
 * What of a counter is seen in a pixel.
 */
typedef struct
{
  gboolean known;
  double   low;
  double   high;
} SeriesColumn;

/* What is known of the values of counters without looking at each. */
typedef struct _SeriesLevels SeriesLevels;

SeriesLevels *_cyc_timeline_series_new         (CycTimeline         *timeline);
void          _cyc_timeline_series_free        (SeriesLevels        *self);
void          _cyc_timeline_series_get_columns (SeriesLevels        *self,
                                                guint32              number,
                                                const CycTimeScale  *scale,
                                                guint                n_columns,
                                                SeriesColumn        *columns);
void          _cyc_timeline_series_get_limits  (SeriesLevels        *self,
                                                guint32              track,
                                                CycNodeScale         scale,
                                                const CycTimeScale  *visible,
                                                double              *out_low,
                                                double              *out_high);
double        _cyc_timeline_series_get_part    (CycNodeScale         scale,
                                                double               low,
                                                double               high,
                                                double               value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeriesLevels, _cyc_timeline_series_free)

G_END_DECLS
