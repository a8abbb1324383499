/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include "core/base/cyc-format.h"
#include "plot/cyc-plot-text-private.h"
#include "plot/cyc-timeline-marks-private.h"
#include "plot/cyc-timeline-scene-private.h"

/* The strips of a view with Cairo, for pictures that are kept: what the screen shows, of rectangles, of which those
 * that touch and look the same are one. */

#define HATCH 5.0
#define LEAST_NAME 2.5 /* room for a letter and dots, in sizes of the text */

typedef struct
{
  CycTimelineScene *self;
  cairo_t          *cr;
  CycTimeScale      scale;
  PangoLayout      *layout;
  double            height; /* of a text */
} Sheet;

static CycColour
get_colour (Sheet             *sheet,
            const CycSpanCell *cell,
            CycSpanLook        look)
{
  CycTimelineScene *self = sheet->self;
  CycColour colour = cyc_timeline_colours_get_fill (look.slot, self->style->scheme);
  double cover = cell->n == 1 && cell->width > 1 ? 1 : SCENE_LEAST_COVER + (1 - SCENE_LEAST_COVER) * cell->cover;

  /* In steps, so that neighbours can be one. */
  colour.alpha = ceil (cover * 8) / 8;
  if (_cyc_timeline_scene_get_marked (self, cell) == CYC_SPAN_DIMMED)
    colour.alpha *= 0.3;
  return colour;
}

static void
draw_hatch (Sheet             *sheet,
            const CycSpanCell *cell,
            guint8             pattern,
            double             y,
            double             height)
{
  cairo_t *cr = sheet->cr;
  const double dashes[] = { 1.5, HATCH - 1.5 };
  double left = cell->x, right = cell->x + cell->width;

  cairo_save (cr);
  cairo_rectangle (cr, left, y, cell->width, height);
  cairo_clip (cr);
  cairo_set_source_rgba (cr, 1, 1, 1, 0.5);
  cairo_set_line_width (cr, 1.5);
  if (pattern == CYC_PATTERN_DOTS)
    {
      cairo_set_dash (cr, dashes, G_N_ELEMENTS (dashes), 0);
      for (double line = y + 2; line < y + height; line += HATCH)
        {
          cairo_move_to (cr, left, line);
          cairo_line_to (cr, right, line);
        }
    }
  else
    {
      double rise = pattern == CYC_PATTERN_FALLING ? height : -height;
      for (double x = floor ((left - height) / HATCH) * HATCH; x < right + height; x += HATCH)
        {
          cairo_move_to (cr, x, rise < 0 ? y + height : y);
          cairo_rel_line_to (cr, height, rise);
        }
    }
  cairo_stroke (cr);
  cairo_restore (cr);
}

static gboolean
is_same_colour (const CycColour *a,
                const CycColour *b)
{
  return a->red == b->red && a->green == b->green && a->blue == b->blue && a->alpha == b->alpha;
}

static void
draw_cells (Sheet                *sheet,
            const CycTimelineRow *row,
            double                y,
            double                height)
{
  GArray *cells = sheet->self->cells;
  CycColour last = { -1, 0, 0, 0 };
  double left = 0, right = 0;

  for (guint i = 0; i <= cells->len; i++)
    {
      const CycSpanCell *cell = i < cells->len ? &g_array_index (cells, CycSpanCell, i) : NULL;
      CycSpanLook look = cell != NULL ? _cyc_timeline_scene_get_look (sheet->self, row, cell) : (CycSpanLook) { 0 };
      CycColour colour = cell != NULL ? get_colour (sheet, cell, look) : (CycColour) { -2, 0, 0, 0 };
      gboolean narrow = cell != NULL && cell->width <= 1;
      if (narrow && is_same_colour (&colour, &last) && cell->x <= right + 0.01)
        {
          right = cell->x + cell->width;
          continue;
        }
      if (last.red >= 0)
        {
          cyc_colour_set_source (&last, sheet->cr);
          cairo_rectangle (sheet->cr, left, y, right - left, height);
          cairo_fill (sheet->cr);
        }
      last = colour;
      if (cell == NULL)
        break;
      left = cell->x;
      right = cell->x + (cell->width > 3 ? cell->width - 0.5 : MAX (cell->width, 0.5));
      if (look.pattern != CYC_PATTERN_SOLID && cell->width >= 3 && height >= 5)
        {
          cyc_colour_set_source (&colour, sheet->cr);
          cairo_rectangle (sheet->cr, left, y, right - left, height);
          cairo_fill (sheet->cr);
          draw_hatch (sheet, cell, look.pattern, y, height);
          last.red = -1;
        }
    }
}

static void
draw_name (Sheet                *sheet,
           const CycTimelineRow *row,
           const CycSpanCell    *cell,
           double                y,
           double                height)
{
  CycTimelineScene *self = sheet->self;
  double size = self->style->size;

  if (cell->n > 1 || cell->width < SCENE_LABEL_ROOM * size || height + 4 < sheet->height)
    return;
  CycSpanLook look = _cyc_timeline_scene_get_look (self, row, cell);
  CycColour fill = cyc_timeline_colours_get_fill (look.slot, self->style->scheme);
  g_autofree char *name = cyc_format_printable (cyc_timeline_get_text (self->timeline, cell->name));
  if (cyc_colour_is_bright (&fill) || _cyc_timeline_scene_get_marked (self, cell) == CYC_SPAN_DIMMED)
    cairo_set_source_rgb (sheet->cr, 0, 0, 0);
  else
    cairo_set_source_rgb (sheet->cr, 1, 1, 1);
  cyc_plot_text_set (sheet->layout, name, cell->width - 0.5 * size);
  pango_layout_set_ellipsize (sheet->layout, PANGO_ELLIPSIZE_END);
  /* Dots alone say nothing. */
  if (pango_layout_is_ellipsized (sheet->layout) && cell->width < LEAST_NAME * size)
    return;
  cyc_plot_text_show (sheet->layout, sheet->cr, cell->x + 0.25 * size, y + (height - sheet->height) / 2, 0);
}

static void
draw_instant (Sheet             *sheet,
              const CycSpanCell *cell,
              double             y,
              double             height)
{
  const CycTimelineSpans *spans = cyc_timeline_get_spans (sheet->self->timeline);

  if (cell->n > 1 || !(spans->flags[cell->first] & CYC_SPAN_INSTANT))
    return;
  cyc_colour_set_source (&sheet->self->style->text, sheet->cr);
  cairo_move_to (sheet->cr, cell->x - 3, y);
  cairo_line_to (sheet->cr, cell->x + 4, y);
  cairo_line_to (sheet->cr, cell->x + 0.5, y + 4);
  cairo_close_path (sheet->cr);
  cairo_rectangle (sheet->cr, cell->x, y, 1, height);
  cairo_fill (sheet->cr);
}

static void
draw_spans (Sheet                  *sheet,
            const CycTimelineStrip *strip,
            double                  top,
            double                  bottom)
{
  CycTimelineScene *self = sheet->self;
  guint n;
  const CycTimelineTrack *track = &cyc_timeline_get_tracks (self->timeline, &n)[strip->track];
  const CycTimelineRow *rows = cyc_timeline_get_rows (self->timeline, &n);

  for (guint32 i = 0; i < track->n_rows && top + i * strip->row < bottom; i++)
    {
      const CycTimelineRow *row = &rows[track->first_row + i];
      double y = top + i * strip->row, height = MAX (strip->row - (strip->row >= 5 ? 1 : 0), 0.25);
      cyc_span_cells_build (self->timeline, row, &sheet->scale, self->cells);
      draw_cells (sheet, row, y, height);
      for (guint k = 0; k < self->cells->len; k++)
        {
          const CycSpanCell *cell = &g_array_index (self->cells, CycSpanCell, k);
          draw_instant (sheet, cell, y, height);
          draw_name (sheet, row, cell, y, height);
        }
    }
}

static void
draw_series (Sheet                  *sheet,
             const CycTimelineStrip *strip,
             double                  top,
             guint32                 series,
             double                  low,
             double                  high)
{
  CycTimelineScene *self = sheet->self;
  CycNodeScale scale = self->scales[strip->node];
  guint n, n_columns = (guint) MAX (sheet->scale.width, 1);
  const char *name = cyc_timeline_get_series (self->timeline, &n)[series].name;
  CycColour colour = cyc_timeline_colours_get_fill (cyc_timeline_colours_get_slot (name), self->style->scheme);
  g_autofree SeriesColumn *columns = g_new (SeriesColumn, n_columns);
  double height = strip->height - 2, bottom = top + strip->height - 1;

  _cyc_timeline_series_get_columns (self->series, series, &sheet->scale, n_columns, columns);
  for (guint pass = 0; pass < 2; pass++)
    {
      colour.alpha = pass == 0 ? 0.25 : 1;
      cyc_colour_set_source (&colour, sheet->cr);
      for (guint i = 0, next; i < n_columns; i = next)
        {
          /* Columns that are alike are one rectangle. */
          for (next = i + 1; next < n_columns && columns[next].known == columns[i].known
                             && columns[next].low == columns[i].low && columns[next].high == columns[i].high; next++)
            ;
          if (!columns[i].known)
            continue;
          double y1 = bottom - height * _cyc_timeline_series_get_part (scale, low, high, columns[i].high);
          double y2 = bottom - height * _cyc_timeline_series_get_part (scale, low, high, columns[i].low);
          if (pass == 0)
            cairo_rectangle (sheet->cr, i, y2, next - i, bottom - y2);
          else
            cairo_rectangle (sheet->cr, i, y1 - 0.5, next - i, y2 - y1 + 1);
        }
      cairo_fill (sheet->cr);
    }
}

static void
draw_counter (Sheet                  *sheet,
              const CycTimelineStrip *strip,
              double                  top)
{
  CycTimelineScene *self = sheet->self;
  guint n;
  const CycTimelineTrack *track = &cyc_timeline_get_tracks (self->timeline, &n)[strip->track];
  double low, high;

  _cyc_timeline_series_get_limits (self->series, strip->track, self->scales[strip->node], &sheet->scale, &low, &high);
  for (guint32 i = 0; i < track->n_series; i++)
    draw_series (sheet, strip, top, track->first_series + i, low, high);
}

static void
draw_band (Sheet                  *sheet,
           const CycTimelineStrip *strip,
           double                  top)
{
  CycTimelineScene *self = sheet->self;
  CycColour band = self->style->grid, fill = cyc_timeline_colours_get_fill (0, self->style->scheme);
  guint n = 0;

  band.alpha *= 0.55;
  cyc_colour_set_source (&band, sheet->cr);
  cairo_rectangle (sheet->cr, 0, top, sheet->scale.width, strip->height);
  cairo_fill (sheet->cr);
  if (strip->kind != CYC_STRIP_SUMMARY)
    return;
  g_autofree double *busy = _cyc_timeline_scene_get_busy (self, strip->node, &sheet->scale, &n);
  cyc_colour_set_source (&fill, sheet->cr);
  for (guint i = 0; i < n; i++)
    cairo_rectangle (sheet->cr, i * sheet->scale.width / n, top + (1 - busy[i]) * (strip->height - 1),
                     sheet->scale.width / n, busy[i] * (strip->height - 1));
  cairo_fill (sheet->cr);
}

static void
draw_part (Sheet               *sheet,
           const CycSceneFrame *frame,
           gboolean             pinned)
{
  CycTimelineScene *self = sheet->self;
  guint end, first = _cyc_timeline_scene_get_part (self, pinned, &end);
  double top = pinned ? 0 : frame->pinned, bottom = pinned ? frame->pinned : frame->height;
  guint32 at = _cyc_timeline_scene_find_in (self, pinned, pinned ? frame->pinned_scroll : frame->scroll);

  cairo_save (sheet->cr);
  cairo_rectangle (sheet->cr, 0, top, frame->width, bottom - top);
  cairo_clip (sheet->cr);
  for (guint i = at != CYC_TIMELINE_NONE ? at : first; i < end; i++)
    {
      const CycTimelineStrip *strip = &g_array_index (self->strips, CycTimelineStrip, i);
      double y = cyc_timeline_scene_get_strip_y (self, frame, i);
      if (y >= bottom)
        break;
      if (strip->kind == CYC_STRIP_SPANS)
        draw_spans (sheet, strip, y, bottom);
      else if (strip->kind == CYC_STRIP_COUNTER)
        draw_counter (sheet, strip, y);
      else
        draw_band (sheet, strip, y);
    }
  cairo_restore (sheet->cr);
}

/**
 * cyc_timeline_scene_draw:
 * @self: a scene
 * @cr: where
 * @frame: what of the scene is seen
 *
 * Draws what cyc_timeline_scene_paint() paints, on whatever is there.
 */
void
cyc_timeline_scene_draw (CycTimelineScene    *self,
                         cairo_t             *cr,
                         const CycSceneFrame *frame)
{
  g_autoptr (PangoLayout) layout = cyc_plot_text_new (self->style, 0.9, PANGO_WEIGHT_NORMAL);
  g_autoptr (GArray) ticks = _cyc_timeline_scene_get_ticks (self, frame->width);
  Sheet sheet = { self, cr, { 0 }, layout, cyc_plot_text_height (layout) };

  cyc_timeline_scene_get_scale (self, frame->width, &sheet.scale);
  cyc_colour_set_source (&self->style->grid, cr);
  for (guint i = 0; i < ticks->len; i++)
    cairo_rectangle (cr, floor (g_array_index (ticks, SceneTick, i).x), 0, 1, frame->height);
  cairo_fill (cr);
  draw_part (&sheet, frame, TRUE);
  draw_part (&sheet, frame, FALSE);
}
