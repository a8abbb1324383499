/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "plot/cyc-legend-private.h"

#include <math.h>

/* Patterns repeat after this many units: small enough for a bar of a few pixels. */
#define PERIOD 6.0
#define LINE_WIDTH 1.25
#define DOT_RADIUS 1.1

static const CycColour overlays[] = {
  [CYC_PLOT_LIGHT] = { 1, 1, 1, 0.85 },
  [CYC_PLOT_DARK] = { 0.1, 0.1, 0.1, 0.8 },
};

static gboolean
is_rising (CycPattern pattern)
{
  return pattern == CYC_PATTERN_RISING || pattern == CYC_PATTERN_CROSSED;
}

static gboolean
is_falling (CycPattern pattern)
{
  return pattern == CYC_PATTERN_FALLING || pattern == CYC_PATTERN_CROSSED;
}

/* Dots are dashes without length: a line of them is short in a file. */
static void
draw_dots (cairo_t *cr,
           double   x1,
           double   y1,
           double   x2,
           double   y2)
{
  const double dashes[] = { 0, PERIOD };

  for (guint i = 0; y1 + i * PERIOD / 2 <= y2; i++)
    {
      double y = y1 + (i + 0.5) * PERIOD / 2;
      cairo_move_to (cr, x1 + PERIOD * (i % 2 == 0 ? 0.25 : 0.75), y);
      cairo_line_to (cr, x2, y);
    }
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
  cairo_set_dash (cr, dashes, G_N_ELEMENTS (dashes), 0);
  cairo_set_line_width (cr, 2 * DOT_RADIUS);
  cairo_stroke (cr);
}

/* Lines or dots all over a rectangle that begins at a multiple of the period. */
static void
draw_marks (CycPattern pattern,
            cairo_t   *cr,
            double     x1,
            double     y1,
            double     x2,
            double     y2)
{
  double height = y2 - y1;

  for (double y = y1; pattern == CYC_PATTERN_HORIZONTAL && y <= y2; y += PERIOD)
    {
      cairo_move_to (cr, x1, y + PERIOD / 2);
      cairo_line_to (cr, x2, y + PERIOD / 2);
    }
  for (double x = x1; pattern == CYC_PATTERN_VERTICAL && x <= x2; x += PERIOD / 2)
    {
      cairo_move_to (cr, x + PERIOD / 4, y1);
      cairo_line_to (cr, x + PERIOD / 4, y2);
    }
  for (double x = x1 - height; is_rising (pattern) && x <= x2; x += PERIOD)
    {
      cairo_move_to (cr, x, y2);
      cairo_line_to (cr, x + height, y1);
    }
  for (double x = x1 - height; is_falling (pattern) && x <= x2; x += PERIOD)
    {
      cairo_move_to (cr, x, y1);
      cairo_line_to (cr, x + height, y2);
    }
  cairo_set_line_width (cr, LINE_WIDTH);
  cairo_stroke (cr);
  if (pattern == CYC_PATTERN_DOTS)
    draw_dots (cr, x1, y1, x2, y2);
}

/* A tile of pixels, which is laid quickly over many bars. */
static cairo_pattern_t *
make_tile (const CycPlotStyle *style,
           CycPattern          pattern)
{
  int size = (int) PERIOD * style->device_scale;
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, size, size);

  cairo_surface_set_device_scale (surface, style->device_scale, style->device_scale);
  cairo_t *cr = cairo_create (surface);
  cyc_colour_set_source (&overlays[style->scheme], cr);
  /* From further out, so that the corners have what reaches into them from the neighbours. */
  draw_marks (pattern, cr, -PERIOD, -PERIOD, 2 * PERIOD, 2 * PERIOD);
  cairo_destroy (cr);
  cairo_pattern_t *tile = cairo_pattern_create_for_surface (surface);
  cairo_surface_destroy (surface);
  cairo_pattern_set_extend (tile, CAIRO_EXTEND_REPEAT);
  cairo_pattern_set_filter (tile, CAIRO_FILTER_NEAREST);
  return tile;
}

static void
lay_over (const CycPlotStyle *style,
          CycPattern          pattern,
          cairo_t            *cr)
{
  if (style->output == CYC_PLOT_PIXELS)
    {
      cairo_pattern_t *tile = make_tile (style, pattern);
      cairo_set_source (cr, tile);
      cairo_fill (cr);
      cairo_pattern_destroy (tile);
      return;
    }
  double x1, y1, x2, y2;
  cairo_path_extents (cr, &x1, &y1, &x2, &y2);
  cairo_save (cr);
  cairo_clip (cr);
  cyc_colour_set_source (&overlays[style->scheme], cr);
  draw_marks (pattern, cr, floor (x1 / PERIOD) * PERIOD, floor (y1 / PERIOD) * PERIOD, x2, y2);
  cairo_restore (cr);
}

/**
 * cyc_pattern_fill:
 * @style: of the plot
 * @slot: of a series
 * @cr: with a path of areas, which is used up
 *
 * Fills areas with colour and pattern of a series.
 */
void
cyc_pattern_fill (const CycPlotStyle *style,
                  guint               slot,
                  cairo_t            *cr)
{
  CycColour fill = cyc_palette_get_fill (slot, style->scheme);
  CycPattern pattern = cyc_palette_get_pattern (slot);

  cairo_save (cr);
  cairo_set_antialias (cr, style->output == CYC_PLOT_PIXELS ? CAIRO_ANTIALIAS_NONE
                                                            : CAIRO_ANTIALIAS_DEFAULT);
  if (pattern == CYC_PATTERN_HOLLOW)
    fill.alpha *= 0.45;
  cyc_colour_set_source (&fill, cr);
  if (pattern == CYC_PATTERN_SOLID || pattern == CYC_PATTERN_HOLLOW)
    cairo_fill (cr);
  else
    {
      cairo_fill_preserve (cr);
      lay_over (style, pattern, cr);
    }
  cairo_restore (cr);
}
