/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/timeline/cyc-timeline.h"

G_BEGIN_DECLS

/**
 * CycTimeScale:
 * @from: picoseconds from the timeline's base, at the left edge
 * @unit: picoseconds in a pixel, more than 0
 * @width: pixels
 * @fraction: part of a picosecond, below 1, by which the left edge lies behind @from
 *
 * Which part of a timeline lies where. In a timeline of cycles, they stand for picoseconds.
 */
typedef struct
{
  gint64 from;
  double unit;
  double width;
  double fraction;
} CycTimeScale;

/**
 * CycSpanCell:
 * @x: left edge, pixels
 * @width: pixels
 * @cover: how much of the cell spans cover, 0 to 1
 * @first: the first of its spans
 * @n: how many; the wide ones have a cell of their own
 * @name: of the longest, for cyc_timeline_get_text()
 * @longest: the longest itself, or CYC_TIMELINE_NONE for cyc_span_cell_find_longest()
 *
 * What is drawn of a row at one place: a span that is wider than a pixel, or all that begin in one pixel.
 */
typedef struct
{
  double  x;
  double  width;
  double  cover;
  guint32 first;
  guint32 n;
  guint32 name;
  guint32 longest;
} CycSpanCell;

void   cyc_span_cells_build    (CycTimeline          *timeline,
                                const CycTimelineRow *row,
                                const CycTimeScale   *scale,
                                GArray               *cells);
void   cyc_span_cells_sketch   (CycTimeline          *timeline,
                                const CycTimelineRow *row,
                                const CycTimeScale   *scale,
                                GArray               *cells);
guint32 cyc_span_cell_find_longest (CycTimeline          *timeline,
                                    const CycTimelineRow *row,
                                    const CycSpanCell    *cell);
void   cyc_span_density_add    (CycTimeline          *timeline,
                                const CycTimelineRow *row,
                                const CycTimeScale   *scale,
                                guint                 n_columns,
                                double               *busy);
double cyc_time_scale_to_x     (const CycTimeScale   *self,
                                gint64                time);
gint64 cyc_time_scale_to_time  (const CycTimeScale   *self,
                                double                x);

G_END_DECLS
