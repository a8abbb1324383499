/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "plot/cyc-sparkline.h"

#include <math.h>

#include "plot/cyc-plot-text-private.h"
#include "plot/cyc-scale.h"

/* In sizes of the text. */
#define TEXT_GAP 0.5
#define DOT_RADIUS 0.18
#define MIN_LINE 3 /* no line is drawn where it would be narrower */

/* Least height of a column. */
#define LINE 1.5

typedef struct
{
  const CycValueRing *ring;
  double              width;
  CycScale            scale; /* from values to y */
} Line;

/**
 * cyc_sparkline_get_extent:
 * @ring: values
 * @out_lowest: (out): the lowest, at most 0
 * @out_highest: (out): the highest, more than @out_lowest
 *
 * What the height of a sparkline stands for.
 */
void
cyc_sparkline_get_extent (const CycValueRing *ring,
                          double             *out_lowest,
                          double             *out_highest)
{
  g_return_if_fail (ring != NULL && out_lowest != NULL && out_highest != NULL);

  *out_lowest = *out_highest = 0;
  for (guint i = 0; i < cyc_value_ring_get_n (ring); i++)
    {
      double value = cyc_value_ring_get (ring, i);
      if (!isfinite (value))
        continue;
      *out_lowest = fmin (*out_lowest, value);
      *out_highest = fmax (*out_highest, value);
    }
  if (*out_lowest == *out_highest)
    *out_highest = 1;
}

/* Values stand at the right end from the first one on, and reach the left end when the ring is full. */
static double
get_x (const Line *self,
       guint       i)
{
  guint n = cyc_value_ring_get_n (self->ring), capacity = cyc_value_ring_get_capacity (self->ring);

  return capacity > 1 ? self->width * (1 - (double) (n - 1 - i) / (capacity - 1)) : self->width;
}

/* The least and the most in a column of a pixel, with the way to the value before it. */
static void
add_column (const Line *self,
            cairo_t    *cr,
            int         column,
            double      lowest,
            double      highest)
{
  double top = cyc_scale_to_range (&self->scale, highest);
  double bottom = cyc_scale_to_range (&self->scale, lowest);
  double height = MAX (LINE, bottom - top);

  cairo_rectangle (cr, column, (top + bottom - height) / 2, 1, height);
}

/* Between two values that are further apart than a pixel. */
static void
add_way (const Line *self,
         cairo_t    *cr,
         int         from,
         double      from_value,
         int         to,
         double      to_value)
{
  double step = (to_value - from_value) / (to - from), last = from_value;

  for (int column = from + 1; column <= to; column++)
    {
      double value = from_value + step * (column - from);
      add_column (self, cr, column, fmin (last, value), fmax (last, value));
      last = value;
    }
}

static void
add_line (const Line *self,
          cairo_t    *cr)
{
  guint n = cyc_value_ring_get_n (self->ring);
  int column = -1;
  double last = NAN, lowest = NAN, highest = NAN;

  for (guint i = 0; i < n; i++)
    {
      double value = cyc_value_ring_get (self->ring, i);
      int place = (int) floor (MIN (get_x (self, i), self->width - 1));
      if (isfinite (value) && isfinite (last) && place > column)
        {
          add_column (self, cr, column, lowest, highest);
          add_way (self, cr, column, last, place, value);
          lowest = highest = value;
        }
      else if (isfinite (value))
        {
          if (place != column && isfinite (lowest))
            add_column (self, cr, column, lowest, highest);
          lowest = place == column && isfinite (lowest) ? fmin (lowest, value) : value;
          highest = place == column && isfinite (highest) ? fmax (highest, value) : value;
        }
      if (isfinite (value))
        column = place;
      last = value;
    }
  if (isfinite (lowest))
    add_column (self, cr, column, lowest, highest);
}

static void
draw_line (const Line         *self,
           cairo_t            *cr,
           const CycPlotStyle *style,
           guint               slot,
           double              height)
{
  CycColour colour = cyc_palette_get_fill (slot, style->scheme);
  double value, radius = DOT_RADIUS * style->size;

  cairo_rectangle (cr, 0, floor (cyc_scale_to_range (&self->scale, 0)) - 1, self->width, 1);
  cyc_colour_set_source (&style->grid, cr);
  cairo_fill (cr);
  add_line (self, cr);
  cyc_colour_set_source (&colour, cr);
  cairo_fill (cr);
  if (!cyc_value_ring_get_last (self->ring, &value))
    return;
  cairo_arc (cr, self->width - radius, cyc_scale_to_range (&self->scale, value), radius, 0, 2 * G_PI);
  cairo_fill (cr);
}

/**
 * cyc_sparkline_draw:
 * @ring: values
 * @style: how it looks
 * @slot: of the palette
 * @text: (nullable): the last value with its unit, at the right
 * @cr: where; its origin is the upper left corner
 * @width: of the surface
 * @height: of it
 *
 * Draws values in the height of a line of text, with gaps where there is none: of all values in a column of
 * a pixel the range, so that no peak is lost.
 */
void
cyc_sparkline_draw (const CycValueRing *ring,
                    const CycPlotStyle *style,
                    guint               slot,
                    const char         *text,
                    cairo_t            *cr,
                    double              width,
                    double              height)
{
  g_return_if_fail (ring != NULL && style != NULL && cr != NULL);

  double lowest, highest, text_width = 0, text_height = 0, pad = DOT_RADIUS * style->size;
  Line line = { .ring = ring, .width = width };

  cairo_save (cr);
  cairo_new_path (cr);
  if (text != NULL)
    {
      PangoLayout *layout = cyc_plot_text_new (style, 1, PANGO_WEIGHT_NORMAL);
      cyc_plot_text_measure (layout, text, &text_width, &text_height);
      cyc_plot_text_set (layout, text, MIN (text_width, width));
      cyc_colour_set_source (&style->text, cr);
      cyc_plot_text_show (layout, cr, MAX (0, width - text_width), (height - text_height) / 2, 0);
      g_object_unref (layout);
      line.width = floor (width - text_width - TEXT_GAP * style->size);
    }
  if (line.width >= MIN_LINE * style->size && height > 2 * pad)
    {
      cyc_sparkline_get_extent (ring, &lowest, &highest);
      cyc_scale_init (&line.scale, lowest, highest, height - pad, pad);
      draw_line (&line, cr, style, slot, height);
    }
  cairo_restore (cr);
}
