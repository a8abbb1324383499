/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "plot/cyc-plot-export.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <math.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-file-writer.h"

/* A picture of more pixels would take more memory than it is worth: 400 MB. */
#define MAX_PIXELS 100e6
#define MAX_SIDE 32767 /* of cairo */

#define POINTS_PER_UNIT 0.75 /* 72 points and 96 units are an inch */

static cairo_status_t
append_cb (void                *closure,
           const unsigned char *data,
           unsigned int         length)
{
  g_byte_array_append (closure, data, length);
  return CAIRO_STATUS_SUCCESS;
}

/**
 * cyc_plot_export_check:
 * @options: format and size
 * @error: return location for an error
 *
 * Returns: %FALSE if no picture can have that size
 */
gboolean
cyc_plot_export_check (const CycPlotExport  *options,
                       GError              **error)
{
  g_return_val_if_fail (options != NULL, FALSE);

  double scale = options->format == CYC_PLOT_PNG ? options->scale : 1;
  double width = ceil (options->width * scale), height = ceil (options->height * scale);

  if (!(width >= 1 && height >= 1))
    cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0,
                      "a picture of %g × %g has no area: width, height and scale must be above zero",
                      options->width, options->height);
  else if (width > MAX_SIDE || height > MAX_SIDE || width * height > MAX_PIXELS)
    cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0,
                      "a picture of %.0f × %.0f pixels is too large: at most %d on a side and %.0f million"
                      " in all; choose a smaller size or scale",
                      width, height, MAX_SIDE, MAX_PIXELS / 1e6);
  else
    return TRUE;
  return FALSE;
}

static cairo_surface_t *
make_surface (const CycPlotExport *options,
              GByteArray          *out)
{
  cairo_surface_t *surface;

  switch (options->format)
    {
    case CYC_PLOT_SVG:
      surface = cairo_svg_surface_create_for_stream (append_cb, out, options->width, options->height);
      cairo_svg_surface_set_document_unit (surface, CAIRO_SVG_UNIT_PX);
      return surface;
    case CYC_PLOT_PDF:
      surface = cairo_pdf_surface_create_for_stream (append_cb, out, options->width * POINTS_PER_UNIT,
                                                     options->height * POINTS_PER_UNIT);
      /* What every typesetting system takes; it has all that is needed. */
      cairo_pdf_surface_restrict_to_version (surface, CAIRO_PDF_VERSION_1_4);
      cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATOR, "Cyclescope " CYC_VERSION);
      if (options->title != NULL)
        cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_TITLE, options->title);
      return surface;
    case CYC_PLOT_PNG:
    default:
      surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int) ceil (options->width * options->scale),
                                            (int) ceil (options->height * options->scale));
      cairo_surface_set_device_scale (surface, options->scale, options->scale);
      return surface;
    }
}

static cairo_status_t
paint_on (cairo_surface_t     *surface,
          const CycPlotExport *options,
          CycPlotPaintFunc     paint,
          gpointer             user_data)
{
  cairo_t *cr = cairo_create (surface);

  if (options->format == CYC_PLOT_PDF)
    cairo_scale (cr, POINTS_PER_UNIT, POINTS_PER_UNIT);
  if (options->ground == CYC_PLOT_WHITE)
    {
      cairo_set_source_rgb (cr, 1, 1, 1);
      cairo_paint (cr);
    }
  paint (cr, options->width, options->height, user_data);
  cairo_status_t status = cairo_status (cr);
  cairo_destroy (cr);
  return status;
}

/**
 * cyc_plot_export_to_bytes:
 * @options: format and size
 * @paint: (scope call): paints the plot
 * @user_data: for @paint
 * @error: return location for an error
 *
 * Makes a picture. On any thread that @paint may run on.
 *
 * Returns: (transfer full): the content of a file of that format
 */
GBytes *
cyc_plot_export_to_bytes (const CycPlotExport  *options,
                          CycPlotPaintFunc      paint,
                          gpointer              user_data,
                          GError              **error)
{
  g_return_val_if_fail (options != NULL && paint != NULL, NULL);

  if (!cyc_plot_export_check (options, error))
    return NULL;
  g_autoptr (GByteArray) out = g_byte_array_new ();
  cairo_surface_t *surface = make_surface (options, out);
  cairo_status_t status = cairo_surface_status (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = paint_on (surface, options, paint, user_data);
  if (status == CAIRO_STATUS_SUCCESS && options->format == CYC_PLOT_PNG)
    status = cairo_surface_write_to_png_stream (surface, append_cb, out);
  cairo_surface_finish (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  if (status != CAIRO_STATUS_SUCCESS)
    {
      cyc_error_set_at (error, CYC_ERROR_FAILED, NULL, 0, "the picture cannot be drawn: %s",
                        cairo_status_to_string (status));
      return NULL;
    }
  return g_byte_array_free_to_bytes (g_steal_pointer (&out));
}

/**
 * cyc_plot_export_to_file:
 * @path: the file
 * @options: format and size
 * @paint: (scope call): paints the plot
 * @user_data: for @paint
 * @error: return location for an error
 *
 * Makes a picture and writes it: a reader sees the old file or the whole new one. On any thread that
 * @paint may run on.
 *
 * Returns: %TRUE when it is on disk
 */
gboolean
cyc_plot_export_to_file (const char           *path,
                         const CycPlotExport  *options,
                         CycPlotPaintFunc      paint,
                         gpointer              user_data,
                         GError              **error)
{
  g_return_val_if_fail (path != NULL, FALSE);

  g_autoptr (GBytes) bytes = cyc_plot_export_to_bytes (options, paint, user_data, error);
  if (bytes == NULL)
    return FALSE;
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);
  g_autoptr (CycFileWriter) file = cyc_file_writer_open (path, error);
  return file != NULL && cyc_file_writer_write (file, data, size, error) &&
         cyc_file_writer_commit (file, error);
}
