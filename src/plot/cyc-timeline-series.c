/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "plot/cyc-timeline-series-private.h"

#include <math.h>
#include <string.h>

/* The values of counters, so that a frame looks at as many as it has pixels. */

#define LEAF 32

typedef struct
{
  double low;
  double high;
} Range;

/* Ranges of 32 values, then of 64, and so on, up to a single one. */
typedef struct
{
  Range *ranges;
  gsize  n_leaves;
  Range  whole;
  gboolean known;
} Levels;

struct _SeriesLevels
{
  CycTimeline *timeline;
  guint        n;
  Levels      *levels; /* by series; made when one is seen first */
};

/*< private >
 * _cyc_timeline_series_new:
 * @timeline: a timeline
 *
 * Returns: (transfer full): nothing known of its counters yet; for one thread at a time
 */
SeriesLevels *
_cyc_timeline_series_new (CycTimeline *timeline)
{
  SeriesLevels *self = g_new0 (SeriesLevels, 1);

  self->timeline = cyc_timeline_ref (timeline);
  cyc_timeline_get_series (timeline, &self->n);
  self->levels = g_new0 (Levels, MAX (self->n, 1));
  return self;
}

/*< private >
 * _cyc_timeline_series_free:
 * @self: (transfer full): levels
 */
void
_cyc_timeline_series_free (SeriesLevels *self)
{
  for (guint i = 0; i < self->n; i++)
    g_free (self->levels[i].ranges);
  g_free (self->levels);
  cyc_timeline_unref (self->timeline);
  g_free (self);
}

static void
add_value (Range *range,
           double value)
{
  range->low = fmin (range->low, value);
  range->high = fmax (range->high, value);
}

static void
add_range (Range       *range,
           const Range *other)
{
  range->low = fmin (range->low, other->low);
  range->high = fmax (range->high, other->high);
}

static const Levels *
get_levels (SeriesLevels *self,
            guint32       number)
{
  Levels *levels = &self->levels[number];
  guint n;
  const CycTimelineSeries *series = &cyc_timeline_get_series (self->timeline, &n)[number];
  static const Range nothing = { INFINITY, -INFINITY };
  gsize total = 0, at = 0;

  if (levels->known)
    return levels;
  levels->known = TRUE;
  levels->whole = nothing;
  levels->n_leaves = (series->n + (gsize) LEAF - 1) / LEAF;
  for (gsize size = levels->n_leaves; size > 1; size = (size + 1) / 2)
    total += size;
  levels->ranges = g_new (Range, total + 1);
  for (gsize i = 0; i < levels->n_leaves; i++)
    {
      levels->ranges[i] = nothing;
      for (gsize k = i * LEAF; k < MIN ((i + 1) * LEAF, series->n); k++)
        add_value (&levels->ranges[i], series->value[k]);
      add_range (&levels->whole, &levels->ranges[i]);
    }
  for (gsize size = levels->n_leaves; size > 1; size = (size + 1) / 2)
    {
      Range *next = levels->ranges + at + size;
      for (gsize i = 0; i < size; i += 2)
        {
          next[i / 2] = levels->ranges[at + i];
          if (i + 1 < size)
            add_range (&next[i / 2], &levels->ranges[at + i + 1]);
        }
      at += size;
    }
  return levels;
}

/* The least and the most of some values. */
static Range
get_range (const Levels            *levels,
           const CycTimelineSeries *series,
           guint32                  first,
           guint32                  end)
{
  Range range = { INFINITY, -INFINITY };
  gsize low = (first + (gsize) LEAF - 1) / LEAF, high = end / LEAF, at = 0, size = levels->n_leaves;

  if (low >= high)
    {
      for (guint32 i = first; i < end; i++)
        add_value (&range, series->value[i]);
      return range;
    }
  for (guint32 i = first; i < low * LEAF; i++)
    add_value (&range, series->value[i]);
  for (guint32 i = (guint32) (high * LEAF); i < end; i++)
    add_value (&range, series->value[i]);
  while (low < high)
    {
      if (low & 1)
        add_range (&range, &levels->ranges[at + low++]);
      if (high & 1)
        add_range (&range, &levels->ranges[at + --high]);
      low /= 2;
      high /= 2;
      at += size;
      size = (size + 1) / 2;
    }
  return range;
}

/* The first value at or to the right of a place. */
static guint32
find_value (const CycTimelineSeries *series,
            const CycTimeScale      *scale,
            guint32                  low,
            double                   x)
{
  guint32 high = series->n;

  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;
      if (cyc_time_scale_to_x (scale, series->time[middle]) < x)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/*< private >
 * _cyc_timeline_series_get_columns:
 * @self: levels
 * @number: of a series
 * @scale: which part of the time
 * @n_columns: into how many columns it is divided
 * @columns: (array length=n_columns): what is in each; what came last before one holds in it
 */
void
_cyc_timeline_series_get_columns (SeriesLevels       *self,
                                  guint32             number,
                                  const CycTimeScale *scale,
                                  guint               n_columns,
                                  SeriesColumn       *columns)
{
  guint n;
  const CycTimelineSeries *series = &cyc_timeline_get_series (self->timeline, &n)[number];
  const Levels *levels = get_levels (self, number);
  guint32 i = find_value (series, scale, 0, 0);
  gboolean known = i > 0;
  double last = known ? series->value[i - 1] : 0, width = scale->width / n_columns;

  for (guint column = 0; column < n_columns; column++)
    {
      guint32 end = i;
      if (end < series->n && cyc_time_scale_to_x (scale, series->time[end]) < (column + 1) * width)
        end = find_value (series, scale, i, (column + 1) * width);
      Range range = known ? (Range) { last, last } : (Range) { INFINITY, -INFINITY };
      if (end > i)
        {
          Range here = get_range (levels, series, i, end);
          add_range (&range, &here);
          last = series->value[end - 1];
          known = TRUE;
        }
      columns[column] = (SeriesColumn) { known, range.low, range.high };
      i = end;
    }
}

/* All values of a track, or those that are seen. */
static Range
get_track_range (SeriesLevels       *self,
                 guint32             track,
                 const CycTimeScale *visible)
{
  guint n;
  const CycTimelineTrack *info = &cyc_timeline_get_tracks (self->timeline, &n)[track];
  const CycTimelineSeries *series = cyc_timeline_get_series (self->timeline, &n);
  Range range = { INFINITY, -INFINITY };

  for (guint32 i = info->first_series; i < info->first_series + info->n_series; i++)
    {
      const Levels *levels = get_levels (self, i);
      Range here = levels->whole;
      if (visible != NULL)
        {
          guint32 first = find_value (&series[i], visible, 0, 0);
          guint32 end = find_value (&series[i], visible, first, visible->width);
          /* What holds from before is seen, too. */
          here = get_range (levels, &series[i], first > 0 ? first - 1 : 0, end);
        }
      add_range (&range, &here);
    }
  return range;
}

static Range
get_shared_range (SeriesLevels *self,
                  guint32       track)
{
  guint n;
  const CycTimelineTrack *tracks = cyc_timeline_get_tracks (self->timeline, &n);
  Range range = { INFINITY, -INFINITY };

  for (guint32 i = 0; i < n; i++)
    if (tracks[i].n_series > 0 && strcmp (tracks[i].name, tracks[track].name) == 0)
      {
        Range here = get_track_range (self, i, NULL);
        add_range (&range, &here);
      }
  return range;
}

/*< private >
 * _cyc_timeline_series_get_limits:
 * @self: levels
 * @track: of a counter
 * @scale: what its values are scaled by
 * @visible: which part of the time is seen
 * @out_low: (out): value at the lower edge
 * @out_high: (out): value at the upper one, above @out_low
 */
void
_cyc_timeline_series_get_limits (SeriesLevels       *self,
                                 guint32             track,
                                 CycNodeScale        scale,
                                 const CycTimeScale *visible,
                                 double             *out_low,
                                 double             *out_high)
{
  Range range;

  if (scale == CYC_NODE_SCALE_SHARED)
    range = get_shared_range (self, track);
  else
    range = get_track_range (self, track, scale == CYC_NODE_SCALE_VISIBLE ? visible : NULL);
  /* Lengths of bars can be compared if they begin at zero. */
  if (scale == CYC_NODE_SCALE_ALL || scale == CYC_NODE_SCALE_SHARED)
    add_value (&range, 0);
  if (!isfinite (range.low) || !isfinite (range.high))
    range = (Range) { 0, 1 };
  if (scale == CYC_NODE_SCALE_LOG)
    {
      range.high = MAX (range.high, 1e-300);
      range.low = range.low > 0 ? range.low : MIN (range.high / 1000, 1);
    }
  if (range.low >= range.high)
    range = range.low > 0 && scale == CYC_NODE_SCALE_LOG ? (Range) { range.low / 2, range.low * 2 }
                                                         : (Range) { range.low - 0.5, range.low + 0.5 };
  *out_low = range.low;
  *out_high = range.high;
}

/*< private >
 * _cyc_timeline_series_get_part:
 * @scale: what values are scaled by
 * @low: at the lower edge
 * @high: at the upper edge
 * @value: a value
 *
 * Returns: where it is: 0 at the lower edge, 1 at the upper one
 */
double
_cyc_timeline_series_get_part (CycNodeScale scale,
                               double       low,
                               double       high,
                               double       value)
{
  if (scale == CYC_NODE_SCALE_LOG)
    return value > 0 ? CLAMP (log (value / low) / log (high / low), 0, 1) : 0;
  /* Halves, since the difference of two numbers may not be one. */
  return CLAMP ((value / 2 - low / 2) / (high / 2 - low / 2), 0, 1);
}
