/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "plot/cyc-plot-text-private.h"

#include <math.h>
#include <pango/pangocairo.h>

/**
 * cyc_plot_text_new:
 * @style: font and size
 * @factor: by which the size is multiplied
 * @weight: of the font
 *
 * Texts are measured without hints, so that a chart has the same places on screen and on paper.
 *
 * Returns: (transfer full): what measures and draws one text after the other, in figures of equal width
 */
PangoLayout *
cyc_plot_text_new (const CycPlotStyle *style,
                   double              factor,
                   PangoWeight         weight)
{
  PangoContext *context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  cairo_font_options_t *options = cairo_font_options_create ();
  PangoFontDescription *font = pango_font_description_copy (style->font);
  PangoAttrList *attributes = pango_attr_list_new ();

  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias (options, CAIRO_ANTIALIAS_GRAY);
  pango_cairo_context_set_font_options (context, options);
  cairo_font_options_destroy (options);
  pango_context_set_round_glyph_positions (context, FALSE);
  pango_font_description_set_absolute_size (font, style->size * factor * PANGO_SCALE);
  if (weight != PANGO_WEIGHT_NORMAL)
    pango_font_description_set_weight (font, weight);
  PangoLayout *layout = pango_layout_new (context);
  g_object_unref (context);
  pango_layout_set_font_description (layout, font);
  pango_font_description_free (font);
  pango_layout_set_single_paragraph_mode (layout, TRUE);
  pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum=1"));
  pango_layout_set_attributes (layout, attributes);
  pango_attr_list_unref (attributes);
  return layout;
}

/**
 * cyc_plot_text_measure:
 * @layout: of cyc_plot_text_new()
 * @text: a line
 * @out_width: (out): its whole width
 * @out_height: (out) (optional): its height
 *
 * Leaves @text in @layout, without an end to its width.
 */
void
cyc_plot_text_measure (PangoLayout *layout,
                       const char  *text,
                       double      *out_width,
                       double      *out_height)
{
  int width, height;

  cyc_plot_text_set (layout, text, -1);
  pango_layout_get_size (layout, &width, &height);
  *out_width = (double) width / PANGO_SCALE;
  if (out_height != NULL)
    *out_height = (double) height / PANGO_SCALE;
}

/**
 * cyc_plot_text_set:
 * @layout: of cyc_plot_text_new()
 * @text: a line
 * @max_width: where it is too wide, its middle is left out; negative for no end
 */
void
cyc_plot_text_set (PangoLayout *layout,
                   const char  *text,
                   double       max_width)
{
  pango_layout_set_text (layout, text, -1);
  /* Rounded up: a text must not be cut by a fraction that got lost on the way. */
  pango_layout_set_width (layout, max_width < 0 ? -1 : (int) ceil (max_width * PANGO_SCALE));
  pango_layout_set_ellipsize (layout, max_width < 0 ? PANGO_ELLIPSIZE_NONE : PANGO_ELLIPSIZE_MIDDLE);
}

/**
 * cyc_plot_text_height:
 * @layout: of cyc_plot_text_new()
 *
 * Returns: height of a line
 */
double
cyc_plot_text_height (PangoLayout *layout)
{
  double width, height;

  cyc_plot_text_measure (layout, "0", &width, &height);
  return height;
}

/**
 * cyc_plot_text_show:
 * @layout: of cyc_plot_text_new(), with a text
 * @cr: where, with its colour
 * @x: of the upper left corner of the text, before it is turned
 * @y: of that
 * @angle: by which it is turned about that corner, clockwise, in radians
 */
void
cyc_plot_text_show (PangoLayout *layout,
                    cairo_t     *cr,
                    double       x,
                    double       y,
                    double       angle)
{
  cairo_save (cr);
  cairo_translate (cr, x, y);
  if (angle != 0)
    cairo_rotate (cr, angle);
  cairo_move_to (cr, 0, 0);
  pango_cairo_show_layout (cr, layout);
  cairo_restore (cr);
}
