/* SPDX-License-Identifier: MIT */
#pragma once

#include <cairo.h>
#include <pango/pango.h>

G_BEGIN_DECLS

/**
 * CycColour:
 *
 * A colour in sRGB, each part from 0 to 1, not premultiplied.
 */
typedef struct
{
  double red;
  double green;
  double blue;
  double alpha;
} CycColour;

/**
 * CycPlotScheme:
 * @CYC_PLOT_LIGHT: dark on a light ground, as on paper
 * @CYC_PLOT_DARK: light on a dark ground
 */
typedef enum
{
  CYC_PLOT_LIGHT,
  CYC_PLOT_DARK,
} CycPlotScheme;

/**
 * CycPlotOutput:
 * @CYC_PLOT_PIXELS: a screen or a picture of pixels: edges lie on pixels
 * @CYC_PLOT_VECTORS: SVG or PDF: nothing is made of pixels
 */
typedef enum
{
  CYC_PLOT_PIXELS,
  CYC_PLOT_VECTORS,
} CycPlotOutput;

/**
 * CycPlotStyle:
 * @scheme: which of its two sets of colours a palette gives
 * @output: what is drawn on
 * @device_scale: pixels of the device in a unit, for what is made of pixels
 * @text: of texts that must be read
 * @dim: of ticks, labels and marks
 * @line: of axes
 * @grid: of lines behind the data
 * @accent: of the focus
 * @font: family and weight; its size does not count
 * @size: of texts, in units of the surface: all distances are multiples of it
 *
 * How a plot looks, apart from the colours of its series.
 */
typedef struct
{
  CycPlotScheme         scheme;
  CycPlotOutput         output;
  int                   device_scale;
  CycColour             text;
  CycColour             dim;
  CycColour             line;
  CycColour             grid;
  CycColour             accent;
  PangoFontDescription *font;
  double                size;
} CycPlotStyle;

CycPlotStyle *cyc_plot_style_new         (CycPlotScheme       scheme,
                                          const char         *font,
                                          double              size);
CycPlotStyle *cyc_plot_style_copy        (const CycPlotStyle *self);
void          cyc_plot_style_free        (CycPlotStyle       *self);
void          cyc_plot_style_set_text    (CycPlotStyle       *self,
                                          const CycColour    *text);
void          cyc_colour_set_source      (const CycColour    *self,
                                          cairo_t            *cr);
double        cyc_colour_get_luminance   (const CycColour    *self);
gboolean      cyc_colour_is_bright       (const CycColour    *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycPlotStyle, cyc_plot_style_free)

G_END_DECLS
