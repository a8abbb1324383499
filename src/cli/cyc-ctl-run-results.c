/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "cli/cyc-ctl-api.h"
#include "cli/cyc-ctl-options.h"
#include "cli/cyc-ctl-results-csv.h"
#include "cli/cyc-ctl-run.h"

/* What a run has left: all counters, and its files for other programs. */

static char *
path_of_argument (CycCtlApp  *app,
                  const char *rest)
{
  return cyc_ctl_api_path ("runs", cyc_ctl_args_get_argument (cyc_ctl_app_get_args (app), 0), rest);
}

static int
print_csv (CycCtlApp   *app,
           const char  *path,
           GError     **error)
{
  static const char head[] = "sim,gpu_config,replica,kernel_index,kernel_name,counter,value\n";
  g_autoptr (CycCtlApi) api = cyc_ctl_api_open (app, CYC_CTL_API_HEARD, NULL, error);

  if (api == NULL)
    return CYC_CTL_FAILED;
  g_autoptr (CycCtlOutput) output = cyc_ctl_app_open_output (app, error);
  if (output == NULL || !cyc_ctl_output_write (head, strlen (head), output, error))
    return CYC_CTL_FAILED;
  g_autoptr (CycCtlResultsCsv) csv = cyc_ctl_results_csv_new (cyc_ctl_output_write, output);
  if (!cyc_ctl_api_stream (api, path, cyc_ctl_results_csv_feed, csv, error)
      || !cyc_ctl_results_csv_finish (csv, error) || !cyc_ctl_output_commit (output, error))
    return CYC_CTL_FAILED;
  return CYC_CTL_DONE;
}

static int
run_results (CycCtlApp  *app,
             GError    **error)
{
  g_autofree char *path = path_of_argument (app, "/results");

  if (g_strcmp0 (cyc_ctl_args_get (cyc_ctl_app_get_args (app), "format"), "csv") == 0)
    return print_csv (app, path, error);
  return cyc_ctl_api_print (app, CYC_CTL_API_HEARD, path, error);
}

static int
run_export (CycCtlApp  *app,
            GError    **error)
{
  g_autofree char *path = path_of_argument (app, "/chrome-trace");

  if (!cyc_ctl_args_has (cyc_ctl_app_get_args (app), "chrome-trace"))
    {
      g_set_error (error, CYC_CTL_USAGE_ERROR, 0, _("option %s is missing"), "--chrome-trace");
      return CYC_CTL_USAGE;
    }
  return cyc_ctl_api_print (app, CYC_CTL_API_HEARD, path, error);
}

static const CycCtlOption results_options[] = {
  CYC_CTL_OPTION_FORMAT,
  CYC_CTL_OPTION_OUTPUT,
  { NULL },
};

static const CycCtlOption export_options[] = {
  { "chrome-trace", 0, CYC_CTL_FLAG, NULL, N_("as a trace for chrome://tracing and Perfetto") },
  CYC_CTL_OPTION_OUTPUT,
  { NULL },
};

const CycCtlCommand cyc_ctl_run_results = {
  .group = "run",
  .name = "results",
  .arguments = "ID",
  .min_arguments = 1,
  .max_arguments = 1,
  .summary = N_("write every counter of every kernel"),
  .detail = N_("CSV has the columns sim, gpu_config, replica, kernel_index, kernel_name, counter, "
               "value."),
  .options = results_options,
  .run = run_results,
};

const CycCtlCommand cyc_ctl_run_export = {
  .group = "run",
  .name = "export",
  .arguments = "ID",
  .min_arguments = 1,
  .max_arguments = 1,
  .summary = N_("write the kernels of a run over simulated time, for trace viewers"),
  .options = export_options,
  .run = run_export,
};
