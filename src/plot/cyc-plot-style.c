/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "plot/cyc-plot-style.h"

#include <math.h>

#define DEFAULT_FONT "Sans"

static const CycColour black = { 0.13, 0.13, 0.13, 1 };
static const CycColour white = { 0.93, 0.93, 0.93, 1 };
static const CycColour accents[] = { { 0.11, 0.44, 0.85, 1 }, { 0.47, 0.68, 0.93, 1 } };

/**
 * cyc_colour_set_source:
 * @self: a colour
 * @cr: what draws with it from now on
 */
void
cyc_colour_set_source (const CycColour *self,
                       cairo_t         *cr)
{
  cairo_set_source_rgba (cr, self->red, self->green, self->blue, self->alpha);
}

static double
linear (double part)
{
  return part <= 0.04045 ? part / 12.92 : pow ((part + 0.055) / 1.055, 2.4);
}

/**
 * cyc_colour_get_luminance:
 * @self: a colour
 *
 * Returns: its relative luminance as WCAG defines it, from 0 to 1, without regard to alpha
 */
double
cyc_colour_get_luminance (const CycColour *self)
{
  return 0.2126 * linear (self->red) + 0.7152 * linear (self->green) + 0.0722 * linear (self->blue);
}

/**
 * cyc_colour_is_bright:
 * @self: a colour
 *
 * Returns: whether black stands out from it more than white does
 */
gboolean
cyc_colour_is_bright (const CycColour *self)
{
  return cyc_colour_get_luminance (self) > 0.18;
}

static CycColour
with_alpha (const CycColour *colour,
            double           factor)
{
  CycColour result = *colour;

  result.alpha *= factor;
  return result;
}

/**
 * cyc_plot_style_new:
 * @scheme: light or dark
 * @font: (nullable): a font as Pango describes it, such as `Cantarell`; %NULL for the system's
 * @size: of texts, in units of the surface
 *
 * Returns: (transfer full): a style for pixels
 */
CycPlotStyle *
cyc_plot_style_new (CycPlotScheme  scheme,
                    const char    *font,
                    double         size)
{
  g_return_val_if_fail (size > 0, NULL);

  CycPlotStyle *self = g_new0 (CycPlotStyle, 1);
  self->device_scale = 1;
  self->font = pango_font_description_from_string (font != NULL ? font : DEFAULT_FONT);
  self->size = size;
  cyc_plot_style_set_text (self, scheme == CYC_PLOT_DARK ? &white : &black);
  return self;
}

/**
 * cyc_plot_style_copy:
 * @self: a style
 *
 * Returns: (transfer full): the same once more
 */
CycPlotStyle *
cyc_plot_style_copy (const CycPlotStyle *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  CycPlotStyle *copy = g_memdup2 (self, sizeof *self);
  copy->font = pango_font_description_copy (self->font);
  return copy;
}

/**
 * cyc_plot_style_free:
 * @self: (transfer full): a style
 */
void
cyc_plot_style_free (CycPlotStyle *self)
{
  g_return_if_fail (self != NULL);

  pango_font_description_free (self->font);
  g_free (self);
}

/**
 * cyc_plot_style_set_text:
 * @self: a style
 * @text: colour of texts
 *
 * Sets the colours that follow from that of texts: light texts make a dark scheme.
 */
void
cyc_plot_style_set_text (CycPlotStyle    *self,
                         const CycColour *text)
{
  g_return_if_fail (self != NULL && text != NULL);

  self->scheme = cyc_colour_get_luminance (text) > 0.4 ? CYC_PLOT_DARK : CYC_PLOT_LIGHT;
  self->text = *text;
  self->dim = with_alpha (text, 0.75);
  self->line = with_alpha (text, 0.55);
  self->grid = with_alpha (text, 0.14);
  self->accent = accents[self->scheme];
}
