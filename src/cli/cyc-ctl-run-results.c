/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "cli/cyc-ctl-api.h"
#include "cli/cyc-ctl-message.h"
#include "cli/cyc-ctl-options.h"
#include "cli/cyc-ctl-results-csv.h"
#include "cli/cyc-ctl-run.h"
#include "core/base/cyc-error.h"

/* What a run has left: all counters, and its files for other programs. */

static char *
path_of_argument (CycCtlApp  *app,
                  const char *rest)
{
  return cyc_ctl_api_path ("runs", cyc_ctl_args_get_argument (cyc_ctl_app_get_args (app), 0), rest);
}

/* What is there was written; what is missing is told, and the exit status says so. */
static int
report_gaps (CycCtlResultsCsv  *results,
             const char        *run_id,
             GError           **error)
{
  guint n_kernels;
  GPtrArray *gaps = cyc_ctl_results_csv_get_gaps (results, &n_kernels);

  for (guint i = 0; i < gaps->len; i++)
    cyc_ctl_message_hint ("%s", (const char *) g_ptr_array_index (gaps, i));
  if (gaps->len == 0)
    return CYC_CTL_DONE;
  cyc_error_set_at (error, CYC_ERROR_FAILED, NULL, 0,
                    ngettext ("%s: the results lack the statistics of %u kernel",
                              "%s: the results lack the statistics of %u kernels", n_kernels),
                    run_id, n_kernels);
  return CYC_CTL_FAILED;
}

static int
run_results (CycCtlApp  *app,
             GError    **error)
{
  static const char head[] = "sim,gpu_config,replica,kernel_index,kernel_name,counter,value\n";
  CycCtlArgs *args = cyc_ctl_app_get_args (app);
  g_autofree char *path = path_of_argument (app, "/results");
  gboolean csv = g_strcmp0 (cyc_ctl_args_get (args, "format"), "csv") == 0;
  g_autoptr (CycCtlApi) api = cyc_ctl_api_open (app, CYC_CTL_API_HEARD, NULL, error);

  if (api == NULL)
    return CYC_CTL_FAILED;
  g_autoptr (CycCtlOutput) output = cyc_ctl_app_open_output (app, error);
  if (output == NULL || (csv && !cyc_ctl_output_write (head, strlen (head), output, error)))
    return CYC_CTL_FAILED;
  g_autoptr (CycCtlResultsCsv) results = cyc_ctl_results_csv_new (cyc_ctl_output_write, output, csv);
  if (!cyc_ctl_api_stream (api, path, cyc_ctl_results_csv_feed, results, error)
      || !cyc_ctl_results_csv_finish (results, error)
      || (!csv && !cyc_ctl_output_write ("\n", 1, output, error))
      || !cyc_ctl_output_commit (output, error))
    return CYC_CTL_FAILED;
  return report_gaps (results, cyc_ctl_args_get_argument (args, 0), error);
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
  g_autoptr (CycCtlApi) api = cyc_ctl_api_open (app, CYC_CTL_API_HEARD, NULL, error);
  g_autoptr (CycCtlOutput) output = api == NULL ? NULL : cyc_ctl_app_open_output (app, error);
  if (output == NULL)
    return CYC_CTL_FAILED;
  g_autoptr (CycCtlResultsCsv) trace = cyc_ctl_results_csv_new (cyc_ctl_output_write, output, FALSE);
  if (!cyc_ctl_api_stream (api, path, cyc_ctl_results_csv_feed, trace, error)
      || !cyc_ctl_results_csv_finish (trace, error) || !cyc_ctl_output_write ("\n", 1, output, error)
      || !cyc_ctl_output_commit (output, error))
    return CYC_CTL_FAILED;
  guint n_kernels;
  GPtrArray *gaps = cyc_ctl_results_csv_get_gaps (trace, &n_kernels);
  for (guint i = 0; i < gaps->len; i++)
    cyc_ctl_message_hint ("%s", (const char *) g_ptr_array_index (gaps, i));
  return CYC_CTL_DONE;
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
               "value. A kernel that is partial or concurrent has a row that says so."),
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
