/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cli/cyc-ctl-access-inputs.h"
#include "cli/cyc-ctl-access.h"
#include "cli/cyc-ctl-options.h"
#include "cli/cyc-ctl-picture.h"
#include "plot/cyc-access-plot.h"
#include "plot/cyc-plot-export.h"

#define UNITS 96.0 /* of an inch, in SVG and PDF */

static gboolean
read_params (CycCtlAccess         *inputs,
             CycCtlArgs           *args,
             CycAccessPlotParams  *params,
             GError              **error)
{
  gint64 columns = 1;
  gint64 dpi = 100;

  if (!cyc_ctl_args_get_int (args, "columns", 1, 100, &columns, error) ||
      !cyc_ctl_args_get_int (args, "dpi", 10, 2400, &dpi, error))
    return FALSE;
  params->tensors = inputs->options.tensors;
  params->colour = g_strcmp0 (cyc_ctl_args_get (args, "color-by"), "access") == 0 ? CYC_ACCESS_BY_ACCESS
                                                                                   : CYC_ACCESS_BY_EINSUM;
  params->rank = cyc_ctl_args_get (args, "rank");
  params->level = cyc_ctl_args_get (args, "memory-level");
  params->columns = (guint) columns;
  params->dpi = (double) dpi;
  return TRUE;
}

static GBytes *
make_picture (const CycAccessPlot        *plot,
              const CycAccessPlotParams  *params,
              CycPlotFormat               format,
              guint                       n_panels,
              GError                    **error)
{
  CycPlotExport options = { format, CYC_PLOT_WHITE };
  double inch = format == CYC_PLOT_PNG ? params->dpi : UNITS;
  guint columns = MIN (params->columns, n_panels);

  /* Whole pixels: 650 by 200 times the rows plus 60 at 100 to an inch. */
  options.width = columns * CYC_ACCESS_PLOT_COLUMN * inch;
  options.height = (double) cyc_access_plot_get_rows (plot) * CYC_ACCESS_PLOT_ROW * inch +
                   CYC_ACCESS_PLOT_REST * inch;
  options.scale = 1;
  options.title = "Cyclescope";
  if (format == CYC_PLOT_PNG)
    {
      options.width = (double) (gint64) (options.width + 0.5);
      options.height = (double) (gint64) (options.height + 0.5);
    }
  return cyc_plot_export_to_bytes (&options, cyc_access_plot_paint, (gpointer) plot, error);
}

static int
run_plot (CycCtlApp  *app,
          GError    **error)
{
  CycCtlArgs *args = cyc_ctl_app_get_args (app);
  CycPlotFormat format;
  CycAccessPlotParams params = { NULL };
  int status = cyc_ctl_picture_get_format (app, &format, error);

  if (status != CYC_CTL_DONE)
    return status;
  g_autoptr (CycCtlAccess) inputs = cyc_ctl_access_read (app, error);
  if (inputs == NULL || !read_params (inputs, args, &params, error))
    return CYC_CTL_FAILED;
  g_autoptr (CycAccessPlot) plot = cyc_access_plot_new (inputs->plan, &params, &inputs->work, error);
  cyc_ctl_progress_clear (inputs->progress);
  guint n_panels = params.tensors != NULL ? g_strv_length ((char **) params.tensors) : inputs->plan->tensors->len;
  g_autoptr (GBytes) picture = plot != NULL ? make_picture (plot, &params, format, n_panels, error) : NULL;
  if (picture == NULL)
    return CYC_CTL_FAILED;
  cyc_ctl_access_tell_warnings (inputs);
  return cyc_ctl_picture_write (app, picture, error);
}

static const CycCtlOption plot_options[] = {
  CYC_CTL_ACCESS_OPTIONS,
  { "color-by", 0, CYC_CTL_CHOICE, "einsum|access", N_("colours by Einsum or by reads and writes; default einsum") },
  { "rank", 0, CYC_CTL_VALUE, "R", N_("the coordinate on this rank instead of the element, where a tensor has it") },
  { "memory-level", 0, CYC_CTL_VALUE, "L", N_("shade what this memory level holds") },
  { "columns", 0, CYC_CTL_VALUE, "N", N_("panels beside each other; default 1") },
  { "dpi", 0, CYC_CTL_VALUE, "N", N_("pixels to an inch, in PNG; default 100") },
  { "output", 'o', CYC_CTL_VALUE, "FILE", N_("the picture: .png, .svg or .pdf") },
  { NULL },
};

const CycCtlCommand cyc_ctl_access_plot = {
  .group = "access",
  .name = "plot",
  .arguments = "SPEC [MORE]...",
  .min_arguments = 1,
  .max_arguments = CYC_CTL_ACCESS_MAX_FILES,
  .summary = N_("draw timestep against element, a panel for each tensor"),
  .detail = N_("Reads are round, writes square. A panel of over 50,000 accesses shows how many fall on each pixel. At "
               "100 pixels to an inch a column is 650 pixels wide and a row 200 high."),
  .options = plot_options,
  .run = run_plot,
};
