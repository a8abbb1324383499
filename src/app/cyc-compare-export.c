/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-compare-export.h"

#include <glib/gi18n.h>

#include "plot/cyc-bar-csv.h"
#include "plot/cyc-bar-export.h"

#define EXPORT_WIDTH 960
#define EXPORT_HEIGHT 540
#define EXPORT_SCALE 2

/* A chart, or its data, in a file. */
typedef struct
{
  CycPage *page;
  char    *path;
} Export;

static void
export_end (Export   *self,
            gboolean  ok,
            GError   *error)
{
  if (ok)
    cyc_page_tell_written (self->page, self->path);
  else
    cyc_page_tell_error (self->page, _("The chart was not exported"), error);
  g_object_unref (self->page);
  g_free (self->path);
  g_free (self);
}

static void
picture_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autoptr (GError) error = NULL;
  gboolean ok = cyc_bar_chart_export_finish (result, &error);

  export_end (user_data, ok, error);
}

static void
csv_cb (GObject      *source,
        GAsyncResult *result,
        gpointer      user_data)
{
  g_autoptr (GError) error = NULL;
  gboolean ok = cyc_bar_csv_write_finish (result, &error);

  export_end (user_data, ok, error);
}

static void
export_picture (Export        *self,
                CycChartView  *view,
                CycPlotFormat  format)
{
  CycBarChart chart;
  const CycPlotExport options = {
    .format = format,
    .ground = CYC_PLOT_WHITE,
    .width = EXPORT_WIDTH,
    .height = EXPORT_HEIGHT,
    .scale = EXPORT_SCALE,
    .title = cyc_page_get_title (self->page),
  };

  cyc_chart_view_get_chart (view, &chart);
  cyc_bar_chart_export_async (&chart, self->path, &options, NULL, picture_cb, self);
}

/**
 * cyc_compare_export:
 * @page: who tells the user how it went
 * @chart: what is written, as it is shown
 * @path: a file, whose name says the format: `.png`, `.svg`, `.pdf` or `.csv`
 *
 * Writes a picture of a chart, or its data, on a thread.
 */
void
cyc_compare_export (CycPage      *page,
                    CycChartView *chart,
                    const char   *path)
{
  g_return_if_fail (CYC_IS_PAGE (page));
  g_return_if_fail (CYC_IS_CHART_VIEW (chart) && cyc_chart_view_get_data (chart) != NULL);

  Export *self = g_new0 (Export, 1);
  self->page = g_object_ref (page);
  self->path = g_strdup (path);
  if (g_str_has_suffix (path, ".csv"))
    cyc_bar_csv_write_async (cyc_chart_view_get_data (chart), path, NULL, csv_cb, self);
  else if (g_str_has_suffix (path, ".svg"))
    export_picture (self, chart, CYC_PLOT_SVG);
  else if (g_str_has_suffix (path, ".pdf"))
    export_picture (self, chart, CYC_PLOT_PDF);
  else if (g_str_has_suffix (path, ".png"))
    export_picture (self, chart, CYC_PLOT_PNG);
  else
    {
      g_autoptr (GError) error = g_error_new (G_IO_ERROR, G_IO_ERROR_INVALID_FILENAME,
                                              _("the name has to end in .png, .svg, .pdf or .csv"));
      export_end (self, FALSE, error);
    }
}
