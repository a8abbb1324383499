/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "plot/cyc-span-cells.h"

#include <math.h>

#include "plot/cyc-span-cells-private.h"

/* What of a row can be seen: the work depends on pixels, not on spans. */

/**
 * cyc_time_scale_to_x:
 * @self: a scale
 * @time: picoseconds from the timeline's base
 *
 * Returns: its place, pixels; outside of the width for what is outside
 */
double
cyc_time_scale_to_x (const CycTimeScale *self,
                     gint64              time)
{
  gint64 offset;

  /* The difference comes first: what is left fits a double well. */
  if (__builtin_sub_overflow (time, self->from, &offset))
    return time < self->from ? -INFINITY : INFINITY;
  return ((double) offset - self->fraction) / self->unit;
}

/**
 * cyc_time_scale_to_time:
 * @self: a scale
 * @x: pixels
 *
 * Returns: the time there, picoseconds from the timeline's base
 */
gint64
cyc_time_scale_to_time (const CycTimeScale *self,
                        double              x)
{
  double offset = floor (x * self->unit + self->fraction);
  gint64 time;

  if (offset >= 0x1p63)
    return G_MAXINT64;
  if (offset < -0x1p63)
    return G_MININT64;
  if (__builtin_add_overflow (self->from, (gint64) offset, &time))
    return offset < 0 ? G_MININT64 : G_MAXINT64;
  return time;
}

/* The first time that lies at @x or to the right of it. */
gint64
_cyc_time_scale_get_first (const CycTimeScale *self,
                           double              x)
{
  double offset = ceil (x * self->unit + self->fraction);
  gint64 time;

  if (!(fabs (offset) < 0x1p62) || __builtin_add_overflow (self->from, (gint64) offset, &time))
    return offset < 0 ? G_MININT64 : G_MAXINT64;
  return time;
}

/* The first span from @low on that begins at or after a time; near ones are found soonest. */
static guint32
gallop (const gint64 *start,
        guint32       low,
        guint32       end,
        gint64        time)
{
  guint32 step = 1;

  while (low < end && start[low] < time)
    {
      if (end - low <= step || start[low + step] >= time)
        {
          guint32 high = MIN (low + step, end);
          low++;
          while (low < high)
            {
              guint32 middle = low + (high - low) / 2;
              if (start[middle] < time)
                low = middle + 1;
              else
                high = middle;
            }
          return low;
        }
      low += step;
      step *= 2;
    }
  return low;
}

typedef struct
{
  guint64 sum;
  gint64  max;
  guint32 name;
} Sum;

static void
add_spans (const CycTimelineSpans *spans,
           guint32                 first,
           guint32                 end,
           Sum                    *sum)
{
  for (guint32 i = first; i < end; i++)
    {
      sum->sum += (guint64) spans->duration[i];
      if (spans->duration[i] > sum->max)
        {
          sum->max = spans->duration[i];
          sum->name = spans->name[i];
        }
    }
}

static void
add_node (const CycTimelineNode *node,
          Sum                   *sum)
{
  sum->sum += node->sum;
  if (node->max > sum->max)
    {
      sum->max = node->max;
      sum->name = node->name;
    }
}

/* Sums spans by the pyramid of their row: spans at both ends, nodes between, each level once. */
static void
add_range (const CycTimelineSpans *spans,
           const CycTimelineRow   *row,
           guint32                 first,
           guint32                 end,
           Sum                    *sum)
{
  guint32 low = (first - row->first + CYC_TIMELINE_LEAF - 1) / CYC_TIMELINE_LEAF;
  guint32 high = (end - row->first) / CYC_TIMELINE_LEAF;
  const CycTimelineNode *nodes = row->nodes;
  gsize level = (row->n + (gsize) CYC_TIMELINE_LEAF - 1) / CYC_TIMELINE_LEAF;

  if (low >= high)
    {
      add_spans (spans, first, end, sum);
      return;
    }
  add_spans (spans, first, row->first + low * CYC_TIMELINE_LEAF, sum);
  add_spans (spans, row->first + high * CYC_TIMELINE_LEAF, end, sum);
  while (low < high)
    {
      if (low & 1)
        add_node (&nodes[low++], sum);
      if (high & 1)
        add_node (&nodes[--high], sum);
      low /= 2;
      high /= 2;
      nodes += level;
      level = (level + 1) / 2;
    }
}

/* All spans that begin in the pixel of the first of them, as one cell. Returns the span after them. */
static guint32
add_pixel (CycTimeline          *timeline,
           const CycTimelineRow *row,
           const CycTimeScale   *scale,
           guint32               i,
           GArray               *cells)
{
  const CycTimelineSpans *spans = cyc_timeline_get_spans (timeline);
  double x = floor (cyc_time_scale_to_x (scale, spans->start[i]));
  guint32 row_end = row->first + row->n;
  guint32 end = gallop (spans->start, i + 1, row_end, _cyc_time_scale_get_first (scale, x + 1));
  Sum sum = { 0, -1, spans->name[i] };

  /* One that begins here and is wide has a cell of its own. */
  if (end - i > 1 && (double) spans->duration[end - 1] >= scale->unit)
    end--;
  add_range (spans, row, i, end, &sum);
  CycSpanCell cell = { x,       1,        MIN ((double) sum.sum / scale->unit, 1), i, end - i,
                       sum.name, end - i > 1 ? CYC_TIMELINE_NONE : i };
  g_array_append_val (cells, cell);
  return end;
}

/* A span with a cell of its own, as far as it is seen; the width is not above 0 if it is not. */
CycSpanCell
_cyc_span_cells_make_wide (const CycTimelineSpans *spans,
                           const CycTimeScale     *scale,
                           guint32                 span)
{
  double x = cyc_time_scale_to_x (scale, spans->start[span]);
  double end = x + (double) spans->duration[span] / scale->unit;

  return (CycSpanCell) { MAX (x, 0), MIN (end, scale->width) - MAX (x, 0), 1, span, 1, spans->name[span], span };
}

/* The first span that is seen, from the first time on that is: one that began before lasts until then. */
guint32
_cyc_span_cells_start (const CycTimelineSpans *spans,
                       const CycTimelineRow   *row,
                       const CycTimeScale     *scale,
                       gint64                  from)
{
  guint32 i = gallop (spans->start, row->first, row->first + row->n, from);

  return i > row->first && spans->start[i - 1] + spans->duration[i - 1] > scale->from ? i - 1 : i;
}

/**
 * cyc_span_cells_build:
 * @timeline: a timeline
 * @row: a row of it
 * @scale: which part of it
 * @cells: (element-type CycSpanCell): emptied, and filled with what is to be drawn, from left to right; nothing lies
 *   left of the left edge
 */
void
cyc_span_cells_build (CycTimeline          *timeline,
                      const CycTimelineRow *row,
                      const CycTimeScale   *scale,
                      GArray               *cells)
{
  const CycTimelineSpans *spans = cyc_timeline_get_spans (timeline);
  guint32 end = row->first + row->n;
  gint64 from = _cyc_time_scale_get_first (scale, 0), to = _cyc_time_scale_get_first (scale, scale->width);
  guint32 i = _cyc_span_cells_start (spans, row, scale, from);

  g_array_set_size (cells, 0);
  while (i < end && spans->start[i] < to)
    {
      if ((double) spans->duration[i] >= scale->unit || spans->start[i] < from)
        {
          CycSpanCell cell = _cyc_span_cells_make_wide (spans, scale, i++);
          if (cell.width > 0)
            g_array_append_val (cells, cell);
        }
      else
        i = add_pixel (timeline, row, scale, i, cells);
    }
}

/* The longest of the spans below a node of a level, which is counted from the leaves. */
static guint32
descend (const CycTimelineSpans *spans,
         const CycTimelineRow   *row,
         const CycTimelineNode **levels,
         guint                   level,
         guint32                 node)
{
  gint64 longest = levels[level][node].max;

  while (level > 0)
    {
      level--;
      node *= 2;
      if (levels[level][node].max != longest)
        node++;
    }
  guint32 first = row->first + node * CYC_TIMELINE_LEAF;
  guint32 end = MIN (first + CYC_TIMELINE_LEAF, row->first + row->n);
  for (guint32 i = first; i < end; i++)
    if (spans->duration[i] == longest)
      return i;
  return first;
}

/**
 * cyc_span_cell_find_longest:
 * @timeline: a timeline
 * @row: a row of it
 * @cell: of cyc_span_cells_build()
 *
 * Returns: the longest of its spans
 */
guint32
cyc_span_cell_find_longest (CycTimeline          *timeline,
                            const CycTimelineRow *row,
                            const CycSpanCell    *cell)
{
  const CycTimelineSpans *spans = cyc_timeline_get_spans (timeline);
  const CycTimelineNode *levels[32];
  guint32 end = cell->first + cell->n, best = cell->first;
  guint32 low = (cell->first - row->first + CYC_TIMELINE_LEAF - 1) / CYC_TIMELINE_LEAF;
  guint32 high = (end - row->first) / CYC_TIMELINE_LEAF, best_node = 0;
  guint32 plain = low < high ? row->first + low * CYC_TIMELINE_LEAF : end;
  guint32 rest = low < high ? row->first + high * CYC_TIMELINE_LEAF : end;
  gsize size = (row->n + (gsize) CYC_TIMELINE_LEAF - 1) / CYC_TIMELINE_LEAF;
  int best_level = -1;
  gint64 longest = -1;

  /* Those before the first whole leaf and behind the last one. */
  for (guint32 i = cell->first < plain ? cell->first : rest; i < end; i = i + 1 == plain ? rest : i + 1)
    if (spans->duration[i] > longest)
      {
        longest = spans->duration[i];
        best = i;
      }
  levels[0] = row->nodes;
  for (guint level = 0; low < high; level++)
    {
      const guint32 edges[] = { low, high - 1 };
      for (guint k = 0; k < 2; k++)
        if ((k == 0 ? (low & 1) : (high & 1)) && levels[level][edges[k]].max > longest)
          {
            longest = levels[level][edges[k]].max;
            best_level = (int) level;
            best_node = edges[k];
          }
      low = (low + 1) / 2;
      high /= 2;
      levels[level + 1] = levels[level] + size;
      size = (size + 1) / 2;
    }
  return best_level >= 0 ? descend (spans, row, levels, (guint) best_level, best_node) : best;
}

/**
 * cyc_span_density_add:
 * @timeline: a timeline
 * @row: a row of it
 * @scale: which part of it
 * @n_columns: into how many columns of the same width that is divided
 * @busy: (array length=n_columns): for each, to which is added how much of it the row's spans cover, 0 to 1
 */
void
cyc_span_density_add (CycTimeline          *timeline,
                      const CycTimelineRow *row,
                      const CycTimeScale   *scale,
                      guint                 n_columns,
                      double               *busy)
{
  const CycTimelineSpans *spans = cyc_timeline_get_spans (timeline);
  guint32 end = row->first + row->n;
  double width = scale->width / n_columns, units = width * scale->unit;
  guint32 i = gallop (spans->start, row->first, end, _cyc_time_scale_get_first (scale, 0));
  /* Until when the spans before the column last, from its beginning. */
  double over = i > row->first ? cyc_time_scale_to_x (scale, spans->start[i - 1] + spans->duration[i - 1])
                                   * scale->unit
                               : 0;

  for (guint column = 0; column < n_columns; column++)
    {
      guint32 next = gallop (spans->start, i, end, _cyc_time_scale_get_first (scale, (column + 1) * width));
      Sum sum = { 0, -1, 0 };
      double covered = CLAMP (over, 0, units);
      if (next > i)
        {
          add_range (spans, row, i, next, &sum);
          double last = cyc_time_scale_to_x (scale, spans->start[next - 1] + spans->duration[next - 1])
                        - (column + 1) * width;
          over = last * scale->unit;
          covered += (double) sum.sum - MAX (over, 0);
        }
      else
        {
          over -= units;
        }
      busy[column] += CLAMP (covered / units, 0, 1);
      i = next;
    }
}
