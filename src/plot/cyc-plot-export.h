/* SPDX-License-Identifier: MIT */
#pragma once

#include <cairo.h>
#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  CYC_PLOT_PNG,
  CYC_PLOT_SVG,
  CYC_PLOT_PDF,
} CycPlotFormat;

/**
 * CycPlotGround:
 * @CYC_PLOT_WHITE: as paper
 * @CYC_PLOT_TRANSPARENT: whatever the picture is laid on
 */
typedef enum
{
  CYC_PLOT_WHITE,
  CYC_PLOT_TRANSPARENT,
} CycPlotGround;

/**
 * CycPlotExport:
 * @format: of the picture
 * @ground: behind the plot
 * @width: in units of 1/96 inch, which are pixels at a scale of 1
 * @height: in the same
 * @scale: pixels in a unit, in PNG only
 * @title: (nullable): of the document, in PDF only
 *
 * How a plot becomes a picture.
 */
typedef struct
{
  CycPlotFormat  format;
  CycPlotGround  ground;
  double         width;
  double         height;
  double         scale;
  const char    *title;
} CycPlotExport;

/**
 * CycPlotPaintFunc:
 * @cr: where
 * @width: in units
 * @height: in units
 * @user_data: of the painter
 *
 * Paints a plot, on whatever is there.
 */
typedef void (*CycPlotPaintFunc) (cairo_t *cr,
                                  double   width,
                                  double   height,
                                  gpointer user_data);

gboolean  cyc_plot_export_check    (const CycPlotExport  *options,
                                    GError              **error);
GBytes   *cyc_plot_export_to_bytes (const CycPlotExport  *options,
                                    CycPlotPaintFunc      paint,
                                    gpointer              user_data,
                                    GError              **error);
gboolean  cyc_plot_export_to_file  (const char           *path,
                                    const CycPlotExport  *options,
                                    CycPlotPaintFunc      paint,
                                    gpointer              user_data,
                                    GError              **error);

G_END_DECLS
