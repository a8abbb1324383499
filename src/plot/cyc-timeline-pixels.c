/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include "plot/cyc-timeline-marks-private.h"
#include "plot/cyc-timeline-scene-private.h"

/* The strips of a view as pixels: each row of spans is one line of colours, which is copied as often as the row is
 * high. */

/* A wide span is a pixel narrower than it lasts, so that it stands apart from the next. */
#define APART 3
/* Rows that are lower have no signs but colours. */
#define LEAST_PATTERN 6
/* Patterns repeat after so many pixels, and are seen where they go on for some. */
#define PERIOD 6
#define LEAST_RUN 4
/* So many cells before it is drawn, what a cell's look is made of is fetched. */
#define AHEAD 12

typedef struct
{
  CycTimelineScene *self;
  guint32          *pixels;
  int               width;  /* pixels of the device */
  int               height;
  int               scale;  /* of the device */
  CycTimeScale      time;   /* to pixels of the device */
  guint32          *line;
  guint32          *variants; /* the line with its patterns, for each of the lines after which these repeat */
  guint8            known;    /* of these, a bit each */
  guint8           *signs;  /* by pixel: CycPattern, or MERGED */
  guint8           *phases; /* by pixel: where it is in patterns, and TOOTH */
  guint8            lines[CYC_PATTERN_HOLLOW + 1][PERIOD]; /* by pattern and phase: a bit for each line that it is on */
  guint32           fills[CYC_SPAN_N_SLOTS];
  guint32           lit[CYC_SPAN_N_SLOTS];
  gboolean          dark_text[CYC_SPAN_N_SLOTS];
  guint32           overlay;
} Canvas;

/* Several spans in a pixel. */
#define MERGED 0x80
/* Where there are teeth below these. */
#define TOOTH 0x80

static guint32
to_pixel (const CycColour *colour)
{
  double alpha = colour->alpha;

  return (guint32) lround (alpha * 255) << 24 | (guint32) lround (colour->red * alpha * 255) << 16
         | (guint32) lround (colour->green * alpha * 255) << 8 | (guint32) lround (colour->blue * alpha * 255);
}

/* A premultiplied colour times a part of 256. */
static inline guint32
fade (guint32 pixel,
      guint   part)
{
  guint32 even = ((pixel & 0xff00ff) * part >> 8) & 0xff00ff;
  guint32 odd = ((pixel >> 8 & 0xff00ff) * part) & 0xff00ff00;

  return even | odd;
}

static inline guint32
over (guint32 below,
      guint32 above)
{
  guint alpha = above >> 24;

  return alpha == 255 ? above : above + fade (below, 256 - alpha - (alpha >> 7));
}

static gboolean
is_on_pattern (guint8 pattern,
               int    x,
               int    y)
{
  switch ((CycPattern) pattern)
    {
    case CYC_PATTERN_RISING:
      return (x + y) % PERIOD < 2;
    case CYC_PATTERN_FALLING:
      return (x + PERIOD - y) % PERIOD < 2;
    case CYC_PATTERN_DOTS:
      return (x % PERIOD < 2 && y < 2) || ((x + PERIOD / 2) % PERIOD < 2 && y >= PERIOD / 2 && y < PERIOD / 2 + 2);
    case CYC_PATTERN_SOLID:
    case CYC_PATTERN_HORIZONTAL:
    case CYC_PATTERN_CROSSED:
    case CYC_PATTERN_VERTICAL:
    case CYC_PATTERN_HOLLOW:
    default:
      return FALSE;
    }
}

static void
canvas_init (Canvas           *canvas,
             CycTimelineScene *self,
             cairo_surface_t  *surface)
{
  const CycPlotStyle *style = self->style;
  const CycColour overlay = style->scheme == CYC_PLOT_LIGHT ? (CycColour) { 1, 1, 1, 0.4 }
                                                            : (CycColour) { 0.1, 0.1, 0.1, 0.4 };

  canvas->self = self;
  canvas->pixels = (guint32 *) (gpointer) cairo_image_surface_get_data (surface);
  canvas->width = cairo_image_surface_get_width (surface);
  canvas->height = cairo_image_surface_get_height (surface);
  canvas->scale = style->device_scale;
  cyc_timeline_scene_get_scale (self, canvas->width, &canvas->time);
  canvas->line = g_new0 (guint32, (gsize) canvas->width + 2);
  canvas->variants = g_new (guint32, (gsize) canvas->width * (PERIOD + 1));
  canvas->signs = g_new0 (guint8, (gsize) canvas->width + 2);
  canvas->phases = g_new (guint8, (gsize) canvas->width + 2);
  for (int x = 0; x < canvas->width; x++)
    canvas->phases[x] = (guint8) (x / canvas->scale % PERIOD | ((x / canvas->scale) & 2 ? TOOTH : 0));
  for (guint pattern = 0; pattern <= CYC_PATTERN_HOLLOW; pattern++)
    for (int i = 0; i < PERIOD * PERIOD; i++)
      canvas->lines[pattern][i % PERIOD] |= (guint8) (is_on_pattern (pattern, i % PERIOD, i / PERIOD) << i / PERIOD);
  canvas->overlay = to_pixel (&overlay);
  for (guint slot = 0; slot < CYC_SPAN_N_SLOTS; slot++)
    {
      CycColour fill = cyc_timeline_colours_get_fill (slot, style->scheme), lit = fill;
      canvas->fills[slot] = to_pixel (&fill);
      canvas->dark_text[slot] = cyc_colour_is_bright (&fill);
      lit.red += (style->text.red - lit.red) * 0.45;
      lit.green += (style->text.green - lit.green) * 0.45;
      lit.blue += (style->text.blue - lit.blue) * 0.45;
      canvas->lit[slot] = to_pixel (&lit);
    }
}

static void
canvas_clear (Canvas *canvas)
{
  g_free (canvas->line);
  g_free (canvas->variants);
  g_free (canvas->signs);
  g_free (canvas->phases);
}

static void
fill_rect (Canvas *canvas,
           int     x,
           int     y,
           int     width,
           int     height,
           guint32 colour)
{
  int x1 = CLAMP (x, 0, canvas->width), x2 = CLAMP (x + width, 0, canvas->width);
  int y1 = CLAMP (y, 0, canvas->height), y2 = CLAMP (y + height, 0, canvas->height);

  for (int row = y1; row < y2; row++)
    {
      guint32 *pixels = canvas->pixels + (gsize) row * (gsize) canvas->width;
      for (int i = x1; i < x2; i++)
        pixels[i] = over (pixels[i], colour);
    }
}

/* A text in one colour, cut at an edge. */
static void
draw_label (Canvas                 *canvas,
            const CycTimelineLabel *label,
            int                     x,
            int                     y,
            int                     right,
            guint32                 colour)
{
  int end = MIN (MIN (x + label->width, right), canvas->width);

  for (int row = MAX (-y, 0); row < label->height && y + row < canvas->height; row++)
    {
      guint32 *pixels = canvas->pixels + (gsize) (y + row) * (gsize) canvas->width;
      const guint8 *data = label->data + (gsize) row * (gsize) label->stride;
      for (int i = MAX (x, 0); i < end; i++)
        if (data[i - x] != 0)
          pixels[i] = over (pixels[i], fade (colour, data[i - x] + (data[i - x] >> 7u)));
    }
}

/* The line of a row */

static inline void
add_pixel (Canvas *canvas,
           int     x,
           guint32 colour,
           double  part)
{
  if (x >= 0 && x < canvas->width && part > 0)
    canvas->line[x] = over (canvas->line[x], fade (colour, (guint) (MIN (part, 1) * 256)));
}

static void
add_wide (Canvas            *canvas,
          const CycSpanCell *cell,
          guint32            colour,
          guint8             sign)
{
  double end = cell->x + cell->width - (cell->width > APART * canvas->scale ? canvas->scale : 0);
  int first = (int) ceil (cell->x), last = (int) floor (end);

  if (first > last)
    {
      add_pixel (canvas, last, colour, cell->width);
      return;
    }
  add_pixel (canvas, first - 1, colour, first - cell->x);
  add_pixel (canvas, last, colour, end - last);
  for (int i = MAX (first, 0); i < MIN (last, canvas->width); i++)
    canvas->line[i] = colour;
  if (sign != CYC_PATTERN_SOLID && last > first)
    memset (canvas->signs + first, sign, (gsize) (MIN (last, canvas->width) - first));
}

static void
add_cell (Canvas               *canvas,
          const CycTimelineRow *row,
          const CycSpanCell    *cell,
          guint                *signs)
{
  CycTimelineScene *self = canvas->self;
  CycSpanLook look = _cyc_timeline_scene_get_look (self, row, cell);
  CycMarkedSpan marked = self->hits != NULL ? _cyc_timeline_scene_get_marked (self, cell) : CYC_SPAN_PLAIN;
  guint32 colour = (cell->name == self->highlight ? canvas->lit : canvas->fills)[look.slot];

  if (marked == CYC_SPAN_DIMMED)
    colour = fade (colour, 80);
  if (cell->n == 1 && (cell->width > 1 || cell->cover >= 1))
    {
      add_wide (canvas, cell, colour, look.pattern);
      *signs |= look.pattern;
    }
  else
    {
      double cover = SCENE_LEAST_COVER + (1 - SCENE_LEAST_COVER) * cell->cover;
      add_pixel (canvas, (int) cell->x, colour, cell->n == 1 ? MAX (cover, 0.7) : cover);
      canvas->signs[(int) cell->x] = look.pattern | (cell->n > 1 ? MERGED : 0);
      *signs |= canvas->signs[(int) cell->x];
    }
  /* What was found must be seen. */
  if (marked == CYC_SPAN_FOUND && cell->width < 3 * canvas->scale)
    for (int i = -canvas->scale; i < 2 * canvas->scale; i++)
      add_pixel (canvas, (int) cell->x + i, colour, 1);
}

/* Leaves out patterns of a few pixels, which nobody can tell from noise. Returns which signs there are. */
static guint
tidy_signs (Canvas *canvas)
{
  guint signs = 0;

  for (int x = 0, end; x < canvas->width; x = end)
    {
      guint8 pattern = canvas->signs[x] & ~MERGED;
      for (end = x; end < canvas->width && (canvas->signs[end] & ~MERGED) == pattern; end++)
        signs |= canvas->signs[end] & MERGED;
      if (pattern == 0)
        continue;
      if (end - x >= LEAST_RUN * canvas->scale)
        signs |= pattern;
      else
        for (int i = x; i < end; i++)
          canvas->signs[i] &= MERGED;
    }
  return signs;
}

/* The line with patterns as they are at a height, or with teeth where several spans lie in a pixel. */
static const guint32 *
get_variant (Canvas *canvas,
             int     phase,
             guint   signs)
{
  guint32 *line = canvas->variants + (gsize) phase * (gsize) canvas->width;
  gboolean teeth = phase == PERIOD;

  if (canvas->known & (1 << phase))
    return line;
  canvas->known |= (guint8) (1 << phase);
  memcpy (line, canvas->line, (gsize) canvas->width * sizeof *line);
  if (!teeth && !(signs & ~MERGED))
    return line;
  const guint64 any = teeth ? G_GUINT64_CONSTANT (0x8080808080808080) : G_GUINT64_CONSTANT (0x7f7f7f7f7f7f7f7f);
  for (int x = 0; x < canvas->width; x++)
    {
      guint64 eight;
      /* Nearly all of them have none. */
      if (x % 8 == 0 && x + 8 <= canvas->width && (memcpy (&eight, canvas->signs + x, 8), (eight & any) == 0))
        {
          x += 7;
          continue;
        }
      guint8 sign = canvas->signs[x], at = canvas->phases[x];
      if (teeth ? sign & at & MERGED : canvas->lines[sign & ~MERGED][at & ~TOOTH] >> phase & 1)
        line[x] = over (line[x], fade (canvas->overlay, line[x] >> 24));
    }
  return line;
}

static void
copy_line (Canvas *canvas,
           int     y,
           int     height,
           guint   signs)
{
  int first = MAX (y, 0), end = MIN (y + height, canvas->height);

  if (first >= end)
    return;
  /* What lies below is the same along the whole height of a row: the lines of the grid. */
  const guint32 *below = canvas->pixels + (gsize) first * (gsize) canvas->width;
  for (int x = 0; x < canvas->width; x++)
    {
      /* Nearly everywhere nothing does. */
      if (x + 4 <= canvas->width && (below[x] | below[x + 1] | below[x + 2] | below[x + 3]) == 0)
        x += 3;
      else if (below[x] != 0)
        canvas->line[x] = over (below[x], canvas->line[x]);
    }
  canvas->known = 0;
  if (height < LEAST_PATTERN * canvas->scale)
    signs = 0;
  for (int i = first; i < end; i++)
    {
      int phase = i / canvas->scale % PERIOD;
      if ((signs & MERGED) && i >= y + height - 2 * canvas->scale)
        phase = PERIOD;
      memcpy (canvas->pixels + (gsize) i * (gsize) canvas->width,
              signs != 0 ? get_variant (canvas, phase, signs) : canvas->line,
              (gsize) canvas->width * sizeof *canvas->line);
    }
}

/* Texts */

static void
draw_name (Canvas               *canvas,
           const CycTimelineRow *row,
           const CycSpanCell    *cell,
           int                   y,
           int                   height)
{
  CycTimelineScene *self = canvas->self;
  double size = self->style->size * canvas->scale;
  int pad = (int) (0.25 * size), x = (int) MAX (cell->x, 0), right = (int) MIN (cell->x + cell->width, canvas->width);

  if (cell->n > 1 || right - x < SCENE_LABEL_ROOM * size)
    return;
  const CycTimelineLabel *label = _cyc_timeline_labels_get (self->labels, cell->name, right - x - 2 * pad);
  if (label == NULL || label->height > height + 4 * canvas->scale)
    return;
  CycSpanLook look = _cyc_timeline_scene_get_look (self, row, cell);
  gboolean dark = canvas->dark_text[look.slot];
  if (_cyc_timeline_scene_get_marked (self, cell) == CYC_SPAN_DIMMED)
    dark = self->style->scheme == CYC_PLOT_LIGHT;
  draw_label (canvas, label, x + pad, y + (height - label->height) / 2, right - pad, dark ? 0xff000000 : 0xffffffff);
}

/* How many spans lie in a run of pixels with several each. */
static void
draw_count (Canvas *canvas,
            guint64 n,
            int     x,
            int     right,
            int     y,
            int     height)
{
  CycTimelineScene *self = canvas->self;
  const CycPlotStyle *style = self->style;
  CycColour ground = style->scheme == CYC_PLOT_LIGHT ? (CycColour) { 1, 1, 1, 0.8 }
                                                     : (CycColour) { 0.12, 0.12, 0.12, 0.8 };
  int pad = (int) (0.3 * style->size * canvas->scale);

  if (right - x < SCENE_COUNT_ROOM * style->size * canvas->scale)
    return;
  g_autofree char *number = _cyc_timeline_scene_dup_count (n);
  int width = 0, label_height = 0, at;
  for (const char *p = number; *p != '\0'; p = g_utf8_next_char (p))
    {
      const CycTimelineLabel *letter = _cyc_timeline_labels_get_letter (self->labels, p);
      width += letter->width - 1;
      label_height = MAX (label_height, letter->height);
    }
  if (label_height > height + 4 * canvas->scale || width > right - x)
    return;
  at = x + (right - x - width) / 2;
  fill_rect (canvas, at - pad, y + 1, width + 2 * pad, MIN (height - 2, label_height), to_pixel (&ground));
  for (const char *p = number; *p != '\0'; p = g_utf8_next_char (p))
    {
      const CycTimelineLabel *letter = _cyc_timeline_labels_get_letter (self->labels, p);
      draw_label (canvas, letter, at, y + (height - letter->height) / 2, right, to_pixel (&style->text));
      at += letter->width - 1;
    }
}

static void
draw_texts (Canvas               *canvas,
            const CycTimelineRow *row,
            int                   y,
            int                   height)
{
  GArray *cells = canvas->self->cells;
  double begin = 0, end = -1;
  guint64 n = 0;

  for (guint i = 0; i < cells->len; i++)
    {
      const CycSpanCell *cell = &g_array_index (cells, CycSpanCell, i);
      draw_name (canvas, row, cell, y, height);
      /* A run goes on over the pixels of single spans that are as narrow. */
      if (cell->width > 2 || cell->x > end + 1)
        {
          if (n > 0)
            draw_count (canvas, n, (int) begin, (int) end, y, height);
          n = 0;
          begin = cell->x;
        }
      if (cell->width <= 2)
        n += cell->n;
      end = cell->x + cell->width;
    }
  if (n > 0)
    draw_count (canvas, n, (int) begin, (int) end, y, height);
}

/* A sign above an instant, which has no width. */
static void
draw_instants (Canvas *canvas,
               int     y,
               int     height)
{
  const CycTimelineSpans *spans = cyc_timeline_get_spans (canvas->self->timeline);
  GArray *cells = canvas->self->cells;
  guint32 colour = to_pixel (&canvas->self->style->text);
  int size = MIN (3 * canvas->scale, height / 2);

  for (guint i = 0; i < cells->len; i++)
    {
      const CycSpanCell *cell = &g_array_index (cells, CycSpanCell, i);
      if (cell->n > 1 || !(spans->flags[cell->first] & CYC_SPAN_INSTANT))
        continue;
      for (int row = 0; row <= size; row++)
        fill_rect (canvas, (int) cell->x - (size - row), y + row, 2 * (size - row) + 1, 1, colour);
      fill_rect (canvas, (int) cell->x, y, canvas->scale, height, colour);
    }
}

/* Strips */

static void
paint_row (Canvas               *canvas,
           const CycTimelineRow *row,
           int                   y,
           int                   height)
{
  CycTimelineScene *self = canvas->self;
  guint signs = 0;
  gboolean any_single = FALSE;

  cyc_span_cells_sketch (self->timeline, row, &canvas->time, self->cells);
  if (self->cells->len == 0)
    return;
  memset (canvas->line, 0, (gsize) canvas->width * sizeof *canvas->line);
  memset (canvas->signs, 0, (gsize) canvas->width);
  for (guint i = 0; i < self->cells->len; i++)
    {
      guint32 later = i + AHEAD < self->cells->len ? g_array_index (self->cells, CycSpanCell, i + AHEAD).longest
                                                   : CYC_TIMELINE_NONE;
      if (later != CYC_TIMELINE_NONE)
        cyc_timeline_colours_prefetch (self->colours, later);
      add_cell (canvas, row, &g_array_index (self->cells, CycSpanCell, i), &signs);
      any_single |= g_array_index (self->cells, CycSpanCell, i).n == 1;
    }
  copy_line (canvas, y, height, signs != 0 ? tidy_signs (canvas) : 0);
  if (any_single)
    draw_instants (canvas, y, height);
  if (height >= self->style->size * canvas->scale)
    draw_texts (canvas, row, y, height);
}

/* Rows that begin in a line of pixels that another has already are left out: they are as low as that. */
static void
paint_spans (Canvas                 *canvas,
             const CycTimelineStrip *strip,
             double                  top)
{
  CycTimelineScene *self = canvas->self;
  guint n;
  const CycTimelineTrack *track = &cyc_timeline_get_tracks (self->timeline, &n)[strip->track];
  const CycTimelineRow *rows = cyc_timeline_get_rows (self->timeline, &n);
  double height = strip->row * canvas->scale;
  guint32 first = (guint32) CLAMP (floor (-top / height), 0, track->n_rows);
  int last = G_MININT;

  for (guint32 i = first; i < track->n_rows; i++)
    {
      int y = (int) floor (top + i * height), end = (int) floor (top + (i + 1) * height);
      if (y >= canvas->height)
        break;
      if (y == last)
        continue;
      last = y;
      /* A hair of ground below rows that are high enough for it. */
      paint_row (canvas, &rows[track->first_row + i], y, MAX (end - y - (height >= 5 ? canvas->scale : 0), 1));
    }
}

static void
paint_series (Canvas                 *canvas,
              const CycTimelineStrip *strip,
              int                     top,
              int                     height,
              guint32                 series,
              double                  low,
              double                  high)
{
  CycTimelineScene *self = canvas->self;
  CycNodeScale scale = self->scales[strip->node];
  guint n;
  const char *name = cyc_timeline_get_series (self->timeline, &n)[series].name;
  guint32 colour = canvas->fills[cyc_timeline_colours_get_slot (name)], area = fade (colour, 64);
  g_autofree SeriesColumn *columns = g_new (SeriesColumn, (gsize) canvas->width);
  int bottom = top + height;

  _cyc_timeline_series_get_columns (self->series, series, &canvas->time, (guint) canvas->width, columns);
  for (int x = 0; x < canvas->width; x++)
    {
      if (!columns[x].known)
        continue;
      double upper = _cyc_timeline_series_get_part (scale, low, high, columns[x].high);
      double lower = _cyc_timeline_series_get_part (scale, low, high, columns[x].low);
      int y1 = bottom - 1 - (int) lround ((height - 2) * upper), y2 = bottom - 1 - (int) lround ((height - 2) * lower);
      fill_rect (canvas, x, y2, 1, bottom - y2, area);
      fill_rect (canvas, x, y1, 1, MAX (y2 - y1, canvas->scale), colour);
    }
}

static void
paint_counter (Canvas                 *canvas,
               const CycTimelineStrip *strip,
               double                  top)
{
  CycTimelineScene *self = canvas->self;
  guint n;
  const CycTimelineTrack *track = &cyc_timeline_get_tracks (self->timeline, &n)[strip->track];
  double low, high;

  _cyc_timeline_series_get_limits (self->series, strip->track, self->scales[strip->node], &canvas->time, &low, &high);
  for (guint32 i = 0; i < track->n_series; i++)
    paint_series (canvas, strip, (int) top, (int) (strip->height * canvas->scale), track->first_series + i, low, high);
}

/* How busy the tracks of a collapsed group are: a column for several pixels where there are many tracks. */
static void
paint_summary (Canvas                 *canvas,
               const CycTimelineStrip *strip,
               double                  top)
{
  CycTimelineScene *self = canvas->self;
  guint n = 0;
  g_autofree double *busy = _cyc_timeline_scene_get_busy (self, strip->node, &canvas->time, &n);
  guint32 colour = canvas->fills[0];
  int height = (int) (strip->height * canvas->scale) - canvas->scale;

  for (guint i = 0; i < n; i++)
    {
      int x = (int) ((gint64) i * canvas->width / n), end = (int) ((gint64) (i + 1) * canvas->width / n);
      int y = (int) lround (height * busy[i]);
      if (busy[i] > 0)
        fill_rect (canvas, x, (int) top + height - MAX (y, 1), end - x, MAX (y, 1), colour);
    }
}

static void
paint_strip (Canvas                 *canvas,
             const CycTimelineStrip *strip,
             double                  top)
{
  CycColour band = canvas->self->style->grid;

  band.alpha *= 0.55;
  switch (strip->kind)
    {
    case CYC_STRIP_HEADER:
      fill_rect (canvas, 0, (int) top, canvas->width, (int) (strip->height * canvas->scale), to_pixel (&band));
      break;
    case CYC_STRIP_SUMMARY:
      fill_rect (canvas, 0, (int) top, canvas->width, (int) (strip->height * canvas->scale), to_pixel (&band));
      paint_summary (canvas, strip, top);
      break;
    case CYC_STRIP_COUNTER:
      paint_counter (canvas, strip, top);
      break;
    case CYC_STRIP_SPANS:
    default:
      paint_spans (canvas, strip, top);
      break;
    }
}

static void
paint_grid (Canvas *canvas)
{
  g_autoptr (GArray) ticks = _cyc_timeline_scene_get_ticks (canvas->self, (double) canvas->width / canvas->scale);
  CycColour grid = canvas->self->style->grid;

  for (guint i = 0; i < ticks->len; i++)
    fill_rect (canvas, (int) floor (g_array_index (ticks, SceneTick, i).x * canvas->scale), 0, 1, canvas->height,
               to_pixel (&grid));
}

/* A part of the strips, in its part of the image. */
static void
paint_part (Canvas  *canvas,
            gboolean pinned,
            double   scroll)
{
  CycTimelineScene *self = canvas->self;
  guint end, first = _cyc_timeline_scene_get_part (self, pinned, &end);
  guint32 at = _cyc_timeline_scene_find_in (self, pinned, scroll);

  for (guint i = at != CYC_TIMELINE_NONE ? at : first; i < end; i++)
    {
      const CycTimelineStrip *strip = &g_array_index (self->strips, CycTimelineStrip, i);
      double top = (strip->y - scroll) * canvas->scale;
      if (top >= canvas->height)
        break;
      paint_strip (canvas, strip, top);
    }
}

/**
 * cyc_timeline_scene_paint:
 * @self: a scene
 * @frame: what of it is seen
 * @out_late: (out) (optional): whether some labels come with the next frame only
 *
 * Returns: (transfer full): an image of premultiplied colours, of the style's device scale
 */
cairo_surface_t *
cyc_timeline_scene_paint (CycTimelineScene    *self,
                          const CycSceneFrame *frame,
                          gboolean            *out_late)
{
  int scale = self->style->device_scale, width = (int) MAX (frame->width, 1) * scale;
  int height = (int) MAX (frame->height, 1) * scale, pinned = CLAMP ((int) frame->pinned * scale, 0, height);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
  Canvas canvas = { 0 };

  cairo_surface_set_device_scale (surface, scale, scale);
  if (cairo_surface_status (surface) != CAIRO_STATUS_SUCCESS)
    return surface;
  if (self->labels == NULL)
    self->labels = _cyc_timeline_labels_new (self->timeline, self->style);
  _cyc_timeline_labels_begin (self->labels);
  cairo_surface_flush (surface);
  canvas_init (&canvas, self, surface);
  paint_grid (&canvas);
  canvas.height = pinned;
  paint_part (&canvas, TRUE, frame->pinned_scroll);
  canvas.height = height - pinned;
  canvas.pixels += (gsize) pinned * (gsize) width;
  paint_part (&canvas, FALSE, frame->scroll);
  canvas_clear (&canvas);
  cairo_surface_mark_dirty (surface);
  if (out_late != NULL)
    *out_late = _cyc_timeline_labels_is_late (self->labels);
  return surface;
}
