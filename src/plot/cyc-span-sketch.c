/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include "plot/cyc-span-cells-private.h"

/* What of a row can be seen, for the screen, where there is little time: from blocks of spans, of which those at the
 * edge of a pixel are not looked into when they are narrow. */

/* So narrow, in parts of a pixel, is what is not looked into; so it is off by half of that at most. */
#define TOLERANCE 0.25
/* A pixel of more blocks than this is made of larger ones, one of fewer than that of smaller ones; far enough from
 * each other that a row of pixels that are alike stays at one level. */
#define MANY 12
#define FEW 3

/* Single spans, below the levels of blocks. */
#define SPANS (-1)

typedef struct
{
  const gint64           *start;      /* of the row's first span */
  const gint64           *duration;
  const CycTimelineBlock *levels[32]; /* from the smallest blocks on */
  int                     n_levels;
  guint32                 n;
  gint64                  last;       /* just behind the beginning of the last span */
  guint32                 i;          /* the next span */
  gint64                  at;         /* when it begins */
  gboolean                at_wide;    /* it is wide */
  int                     level;      /* of the blocks that the last pixel was made of */
  gint64                  wide;       /* a span that is as long has a cell of its own */
  guint16                 packed_wide;
} Walk;

/* The longest of the spans and that of the blocks are compared when there are no more. */
typedef struct
{
  guint64 sum;
  gint64  max;
  guint32 longest; /* from the row's first on */
  guint64 block;   /* the packed duration above 32 bits, and below it how far from the last of all the span is */
} Sum;

static void
walk_init (Walk                   *self,
           const CycTimelineSpans *spans,
           const CycTimelineRow   *row,
           double                  unit)
{
  const CycTimelineBlock *level = row->blocks;
  gsize size = (row->n + (gsize) CYC_TIMELINE_BLOCK - 1) / CYC_TIMELINE_BLOCK;

  *self = (Walk) { .start = spans->start + row->first, .duration = spans->duration + row->first, .n = row->n,
                   .level = SPANS };
  self->last = self->start[row->n - 1] + 1;
  self->wide = (gint64) ceil (unit);
  self->packed_wide = cyc_timeline_pack_duration ((guint64) self->wide);
  for (; size > 1; size = (size + 1) / 2)
    {
      self->levels[self->n_levels++] = level;
      level += size;
    }
  self->levels[self->n_levels++] = level;
}

static void
go_to (Walk    *self,
       guint32  i)
{
  self->i = i;
  self->at = i < self->n ? self->start[i] : self->last;
}

/* The largest blocks, up to a level, of which one begins at a span. */
static inline int
get_level (guint32 i,
           int     most)
{
  int level = i == 0 ? most : __builtin_ctz (i) - CYC_TIMELINE_BLOCK_BITS;

  return CLAMP (level, SPANS, most);
}

/* The single spans from the next one on, at most so many. They are not looked at where blocks say as much: to fetch
 * them takes longer than all the rest. Returns how many there were. */
static inline guint
add_spans (Walk   *self,
           gint64  to,
           guint   most,
           Sum    *sum)
{
  guint32 i = self->i, stop = self->n - i > most ? i + most : self->n;
  guint32 longest = sum->longest;
  gint64 max = sum->max, at = self->at;

  self->at_wide = FALSE;
  while (i < stop && at < to)
    {
      gint64 duration = self->duration[i];
      gboolean longer = duration > max;
      if (duration >= self->wide)
        {
          self->at_wide = TRUE;
          break;
        }
      sum->sum += (guint64) duration;
      max = longer ? duration : max;
      longest = longer ? i : longest;
      at = ++i < self->n ? self->start[i] : self->last;
    }
  guint n = i - self->i;
  self->i = i;
  self->at = at;
  sum->max = max;
  sum->longest = longest;
  return n;
}

static inline void
add_block (const CycTimelineBlock *block,
           Sum                    *sum)
{
  guint64 place = (guint64) block->max << 32 | (G_MAXUINT32 - block->longest);

  sum->sum += cyc_timeline_unpack_duration (block->sum);
  sum->block = MAX (sum->block, place);
}

/* Whole blocks of a level from the next span on, at most so many, but not the row's last one. Returns how many. */
static inline guint
add_blocks (Walk   *self,
            int     level,
            gint64  to,
            guint   most,
            Sum    *sum)
{
  guint bits = CYC_TIMELINE_BLOCK_BITS + (guint) level;
  const CycTimelineBlock *first = self->levels[level] + (self->i >> bits), *block = first;
  gsize left = ((self->n - 1) >> bits) - (self->i >> bits);
  const CycTimelineBlock *stop = first + MIN (left, most);
  Sum all = *sum;

  while (block < stop && block[1].start <= to && block->max < self->packed_wide)
    add_block (block++, &all);
  guint n = (guint) (block - first);
  if (n == 0)
    return 0;
  *sum = all;
  self->i = ((self->i >> bits) + n) << bits;
  self->at = block->start;
  return n;
}

typedef enum
{
  EDGE_NONE,  /* it ends before the time */
  EDGE_SPLIT, /* smaller ones are to be looked at */
  EDGE_TAKEN, /* it lies on the time, and is in the sum */
  EDGE_LEFT,  /* it lies there, and belongs to what comes after */
} Edge;

/* A block that does not end before the time, or has a wide span, or is the last one. */
static inline Edge
add_edge (Walk    *self,
          int      level,
          gint64   to,
          guint64  tolerance,
          Sum     *sum)
{
  guint bits = CYC_TIMELINE_BLOCK_BITS + (guint) level;
  const CycTimelineBlock *block = &self->levels[level][self->i >> bits];
  guint32 next = self->i + (1u << bits);
  gint64 end = next < self->n ? block[1].start : self->last;
  guint64 length = (guint64) end - (guint64) self->at;
  Sum more = *sum;

  if (block->max >= self->packed_wide || (end > to && length > tolerance))
    return EDGE_SPLIT;
  /* One on the edge belongs to the side that has more of it: nobody can guess to which, so there is no branch. */
  gboolean taken = end <= to || (guint64) to - (guint64) self->at > length / 2;
  add_block (block, &more);
  sum->sum = taken ? more.sum : sum->sum;
  sum->block = taken ? more.block : sum->block;
  self->i = taken ? MIN (next, self->n) : self->i;
  self->at = taken ? end : self->at;
  return end <= to ? EDGE_NONE : EDGE_LEFT - taken;
}

/* Sums what begins before a time, up to a wide span. Returns whether there may be more that does. */
static gboolean
walk_to (Walk    *self,
         gint64   to,
         guint64  tolerance,
         Sum     *sum)
{
  int most = self->level, level = get_level (self->i, most);
  guint steps = 0;
  gboolean near = FALSE, more = FALSE;

  *sum = (Sum) { 0, -1, self->i, 0 };
  while (self->i < self->n && self->at < to && !self->at_wide)
    {
      /* Up to where larger ones begin. */
      guint room = near ? G_MAXUINT : level == most ? MANY + 1 - steps : level == SPANS ? CYC_TIMELINE_BLOCK : 1;
      guint n;
      if (level == SPANS)
        {
          if (most > SPANS && !near)
            room -= self->i % CYC_TIMELINE_BLOCK;
          n = add_spans (self, to, room, sum);
        }
      else
        {
          n = add_blocks (self, level, to, room, sum);
          if (n < room && self->at < to)
            {
              Edge edge = add_edge (self, level, to, tolerance, sum);
              n++;
              if (edge == EDGE_SPLIT)
                {
                  /* From here on smaller and smaller ones, down to the time or the wide span. */
                  near = TRUE;
                  n--;
                  steps += level-- == most ? n : 0;
                  continue;
                }
              if (edge != EDGE_NONE)
                {
                  steps += level == most ? n : 0;
                  more = edge == EDGE_LEFT;
                  break;
                }
            }
        }
      steps += level == most ? n : 0;
      if (near)
        continue;
      if (steps > MANY && most < self->n_levels - 1)
        most++;
      steps = steps > MANY ? 0 : steps;
      level = get_level (self->i, most);
    }
  self->level = steps < FEW && most > SPANS && most == self->level ? most - 1 : most;
  return more;
}

/* Times that are far from all that a double can tell apart from its neighbours are left to exact ones. */
static gboolean
is_common (const CycTimeScale *scale)
{
  return scale->unit >= 1 && scale->width >= 1 && scale->width < 1e6 && scale->unit * (scale->width + 2) < 0x1p61
         && scale->from < G_MAXINT64 / 4 && scale->from > G_MININT64 / 4;
}

/* The first time that lies at a pixel or to the right of it, of a scale that is common. */
static inline gint64
get_first (const CycTimeScale *scale,
           double              x)
{
  double offset = x * scale->unit + scale->fraction;
  gint64 whole = (gint64) offset;

  return scale->from + whole + ((double) whole < offset);
}

typedef struct
{
  const CycTimelineRow   *row;
  const CycTimeScale     *scale;
  const guint32          *names;     /* by span */
  CycSpanCell            *cells;
  guint                   n;
  guint                   room;
  double                  per_pixel; /* pixels in a picosecond */
  guint64                 tolerance;
  Walk                    walk;
} Sketch;

/* There are so few cells to a pixel that there is room for all of them. */
static inline void
add_cell (Sketch            *self,
          const CycSpanCell *cell)
{
  if (self->n < self->room)
    self->cells[self->n++] = *cell;
}

static void
add_pixel (Sketch    *self,
           double     x,
           guint32    first,
           const Sum *sum)
{
  guint32 longest = self->row->first + sum->longest;

  if (sum->block > 0 && (gint64) cyc_timeline_unpack_duration ((guint16) (sum->block >> 32)) >= sum->max)
    longest = G_MAXUINT32 - (guint32) sum->block;
  __builtin_prefetch (&self->names[longest]);
  const CycSpanCell cell = { x, 1, MIN ((double) sum->sum * self->per_pixel, 1), self->row->first + first,
                             self->walk.i - first, 0, longest };
  add_cell (self, &cell);
}

/* From a span on that begins in view, pixel by pixel, to the next that is wide or the right edge. */
static void
add_pixels (Sketch *self,
            gint64  to)
{
  Walk *walk = &self->walk;
  double x = (double) (gint64) cyc_time_scale_to_x (self->scale, walk->at);
  gint64 end = get_first (self->scale, x + 1);

  walk->at_wide = FALSE;
  while (walk->i < walk->n && walk->at < to && !walk->at_wide)
    {
      guint32 first = walk->i;
      Sum sum;
      /* Nothing is left over at the right edge. */
      gboolean more = walk_to (walk, end, x + 2 > self->scale->width ? 0 : self->tolerance, &sum);
      if (walk->i > first)
        add_pixel (self, x, first, &sum);
      if (!more && walk->at < end)
        continue;
      x++;
      end = get_first (self->scale, x + 1);
      if (walk->at >= end)
        {
          /* Beyond a gap. */
          x = (double) (gint64) cyc_time_scale_to_x (self->scale, walk->at);
          end = get_first (self->scale, x + 1);
        }
    }
}

/**
 * cyc_span_cells_sketch:
 * @timeline: a timeline
 * @row: a row of it
 * @scale: which part of it
 * @cells: (element-type CycSpanCell): emptied, and filled with what is to be drawn, from left to right
 *
 * What cyc_span_cells_build() does, in less time where many spans lie in a pixel. Each is in one cell all the same;
 * but some that begin in the last or first eighth of a pixel are in the cell of its neighbour, and of spans that differ
 * by a thousandth of their length, any may count as the longest.
 */
void
cyc_span_cells_sketch (CycTimeline          *timeline,
                       const CycTimelineRow *row,
                       const CycTimeScale   *scale,
                       GArray               *cells)
{
  const CycTimelineSpans *spans = cyc_timeline_get_spans (timeline);

  if (row->blocks == NULL || !is_common (scale))
    {
      cyc_span_cells_build (timeline, row, scale, cells);
      return;
    }
  gint64 from = get_first (scale, 0), to = get_first (scale, scale->width);
  /* A cell of many, one of a wide span, and what is cut off at its end. */
  g_array_set_size (cells, 3 * (guint) scale->width + 8);
  Sketch self = { row, scale, spans->name, (CycSpanCell *) (gpointer) cells->data, 0, cells->len, 1 / scale->unit,
                  (guint64) (scale->unit * TOLERANCE) };
  walk_init (&self.walk, spans, row, scale->unit);
  go_to (&self.walk, _cyc_span_cells_start (spans, row, scale, from) - row->first);
  while (self.walk.i < row->n && self.walk.at < to)
    if (self.walk.duration[self.walk.i] >= self.walk.wide || self.walk.at < from)
      {
        CycSpanCell cell = _cyc_span_cells_make_wide (spans, scale, row->first + self.walk.i);
        if (cell.width > 0)
          add_cell (&self, &cell);
        go_to (&self.walk, self.walk.i + 1);
      }
    else
      add_pixels (&self, to);
  /* Names lie far from each other, and have come meanwhile. */
  for (guint i = 0; i < self.n; i++)
    self.cells[i].name = spans->name[self.cells[i].longest];
  g_array_set_size (cells, self.n);
}
