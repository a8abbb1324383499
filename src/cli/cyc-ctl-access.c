/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/cyc-ctl-access.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cli/cyc-ctl-access-inputs.h"
#include "cli/cyc-ctl-options.h"
#include "core/access/cyc-access-chrome.h"
#include "core/access/cyc-access-report.h"
#include "core/base/cyc-error.h"

static gboolean
wants_format (CycCtlApp  *app,
              const char *format)
{
  return g_strcmp0 (cyc_ctl_args_get (cyc_ctl_app_get_args (app), "format"), format) == 0;
}

/* What a level or a tensor is too large for is no reason to give no trace. */
static GPtrArray *
make_figures (CycCtlAccess  *inputs,
              GError       **error)
{
  return cyc_access_figures_new (inputs->plan, &inputs->work, cyc_access_figures_get_max_bytes (), error);
}

static int
run_trace (CycCtlApp  *app,
           GError    **error)
{
  g_autoptr (CycCtlAccess) inputs = cyc_ctl_access_read (app, error);
  g_autoptr (GPtrArray) figures = NULL;
  g_autoptr (GError) left_out = NULL;
  gboolean good;

  if (inputs == NULL)
    return CYC_CTL_FAILED;
  g_autoptr (CycCtlOutput) output = cyc_ctl_app_open_output (app, error);
  if (output == NULL)
    return CYC_CTL_FAILED;
  if (wants_format (app, "csv"))
    good = cyc_access_report_write_csv (inputs->plan, &inputs->work, cyc_ctl_output_write, output, error);
  else if (wants_format (app, "chrome"))
    good = cyc_access_chrome_write (inputs->plan, &inputs->work, cyc_ctl_output_write, output, error);
  else
    {
      figures = make_figures (inputs, &left_out);
      if (left_out != NULL && !g_error_matches (left_out, CYC_ERROR, CYC_ERROR_TOO_LARGE))
        {
          g_propagate_error (error, g_steal_pointer (&left_out));
          return CYC_CTL_FAILED;
        }
      good = cyc_access_report_write_json (inputs->plan, figures, &inputs->work, cyc_ctl_output_write, output, error);
    }
  cyc_ctl_progress_clear (inputs->progress);
  if (!good || !cyc_ctl_output_commit (output, error))
    return CYC_CTL_FAILED;
  cyc_ctl_access_tell_warnings (inputs);
  if (left_out != NULL)
    cyc_ctl_access_tell (inputs, left_out->message);
  return CYC_CTL_DONE;
}

typedef struct
{
  const CycAccessPlan *plan;
  const GPtrArray     *figures;
} Figures;

static void
write_figures (CycJsonWriter *writer,
               gpointer       data)
{
  const Figures *self = data;

  cyc_access_report_put_figures (self->plan, self->figures, writer);
}

static int
run_figures (CycCtlApp  *app,
             GError    **error)
{
  g_autoptr (CycCtlAccess) inputs = cyc_ctl_access_read (app, error);

  if (inputs == NULL)
    return CYC_CTL_FAILED;
  g_autoptr (GPtrArray) figures = make_figures (inputs, error);
  cyc_ctl_progress_clear (inputs->progress);
  if (figures == NULL)
    return CYC_CTL_FAILED;
  cyc_ctl_access_tell_warnings (inputs);
  if (wants_format (app, "csv"))
    {
      g_autofree char *csv = cyc_access_report_dup_figures_csv (inputs->plan, figures);
      return cyc_ctl_app_print (app, csv, error);
    }
  Figures data = { inputs->plan, figures };
  return cyc_ctl_app_print_json (app, write_figures, &data, error);
}

static const CycCtlOption trace_options[] = {
  CYC_CTL_ACCESS_OPTIONS,
  { "format", 0, CYC_CTL_CHOICE, "json|csv|chrome", N_("form of the output; default json, chrome is a timeline") },
  CYC_CTL_OPTION_OUTPUT,
  { NULL },
};

static const CycCtlOption report_options[] = {
  CYC_CTL_ACCESS_OPTIONS,
  CYC_CTL_OPTION_FORMAT,
  CYC_CTL_OPTION_OUTPUT,
  { NULL },
};

const CycCtlCommand cyc_ctl_access_trace = {
  .group = "access",
  .name = "trace",
  .arguments = "SPEC [MORE]...",
  .min_arguments = 1,
  .max_arguments = CYC_CTL_ACCESS_MAX_FILES,
  .summary = N_("trace which tensor elements a mapping accesses, and when"),
  .detail = N_("Reads a workload and its mapping in AccelForge's YAML, from one file or several, with their "
               "templates expanded, and writes every access. CSV has the columns einsum, tensor, is_output, "
               "timestep, element. A timeline (chrome) has the tiles of each memory level as spans and the accesses "
               "a timestep as counters, one microsecond a timestep."),
  .options = trace_options,
  .run = run_trace,
};

const CycCtlCommand cyc_ctl_access_figures = {
  .group = "access",
  .name = "figures",
  .arguments = "SPEC [MORE]...",
  .min_arguments = 1,
  .max_arguments = CYC_CTL_ACCESS_MAX_FILES,
  .summary = N_("figures on reuse, tiles and capacity, by tensor and memory level"),
  .detail = N_("Accesses, distinct elements, distances of reuse, accesses a timestep; in each memory level what is "
               "live at once and what is fetched again. CSV has the columns tensor, level, figure, value."),
  .options = report_options,
  .run = run_figures,
};
