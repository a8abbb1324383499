/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/cyc-ctl-sim.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#include "cli/cyc-ctl-message.h"
#include "cli/cyc-ctl-options.h"
#include "core/accelsim/cyc-counters.h"
#include "core/accelsim/cyc-sim-report.h"
#include "core/base/cyc-csv.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-exit-status.h"

static gboolean
read_exit_status (const char          *text,
                  CycSimReportParams  *params,
                  GError             **error)
{
  params->has_exit = cyc_exit_status_parse (text, &params->exit_code);
  if (!params->has_exit)
    cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0,
                      _("--exit-status must be a number from 0 to 255 or signal:N, not '%s'"), text);
  return params->has_exit;
}

static gboolean
read_params (CycCtlArgs          *args,
             CycSimReportParams  *params,
             GError             **error)
{
  const char *status = cyc_ctl_args_get (args, "exit-status");

  params->log_path = cyc_ctl_args_get_argument (args, 0);
  params->stderr_path = cyc_ctl_args_get (args, "stderr");
  params->full = cyc_ctl_args_has (args, "full");
  params->per_kernel = cyc_ctl_args_has (args, "per-kernel");
  params->listed_kernels = -1;
  if (g_strcmp0 (cyc_ctl_args_get (args, "format"), "csv") == 0)
    params->format = CYC_SIM_REPORT_CSV;
  if (status != NULL && !read_exit_status (status, params, error))
    return FALSE;
  return cyc_ctl_args_get_int (args, "listed-kernels", 0, G_MAXINT32, &params->listed_kernels, error);
}

static int
run_parse (CycCtlApp  *app,
           GError    **error)
{
  CycSimReportParams params = { NULL };

  if (!read_params (cyc_ctl_app_get_args (app), &params, error))
    return CYC_CTL_FAILED;
  g_autoptr (CycCtlOutput) output = cyc_ctl_app_open_output (app, error);
  if (output == NULL)
    return CYC_CTL_FAILED;
  g_auto (CycSimReportResult) result = { NULL };
  if (!cyc_sim_report_write (&params, cyc_ctl_output_write, output, &result, error) ||
      !cyc_ctl_output_commit (output, error))
    return CYC_CTL_FAILED;

  if (result.warning != NULL)
    cyc_ctl_message_hint ("%s", result.warning);
  if (result.left_out > 0)
    cyc_ctl_message_hint (_("Left out, because the log holds too much of it: %" PRIu64
                                 " blocks, counters or options."), result.left_out);
  if (strcmp (result.outcome->outcome, "succeeded") == 0)
    return CYC_CTL_DONE;
  cyc_error_set_at (error, CYC_ERROR_FAILED, params.log_path, 0, "%s (%s): %s",
                    result.outcome->outcome, result.outcome->reason, result.outcome->message);
  return CYC_CTL_UNSUCCESSFUL;
}

static void
write_counters (CycJsonWriter *writer,
                gpointer       data)
{
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < cyc_counter_get_n (); i++)
    cyc_counter_write_json (cyc_counter_get (i), writer);
  cyc_json_writer_end_array (writer);
}

static int
run_counters (CycCtlApp  *app,
              GError    **error)
{
  if (g_strcmp0 (cyc_ctl_args_get (cyc_ctl_app_get_args (app), "format"), "csv") != 0)
    return cyc_ctl_app_print_json (app, write_counters, NULL, error);
  g_autoptr (GString) text = g_string_new ("counter,unit,kind,scope,meaning\n");
  for (guint i = 0; i < cyc_counter_get_n (); i++)
    {
      const CycCounter *counter = cyc_counter_get (i);
      g_autofree char *name = cyc_counter_dup_name (counter);
      cyc_csv_append (text, name, ',');
      cyc_csv_append (text, counter->unit, ',');
      cyc_csv_append (text, cyc_counter_kind_to_string (counter->kind), ',');
      cyc_csv_append (text, cyc_counter_scope_to_string (counter->scope), ',');
      cyc_csv_append (text, counter->meaning, '\n');
    }
  return cyc_ctl_app_print (app, text->str, error);
}

static const CycCtlOption counters_options[] = {
  CYC_CTL_OPTION_FORMAT,
  CYC_CTL_OPTION_OUTPUT,
  { NULL },
};

static const CycCtlOption parse_options[] = {
  { "stderr", 0, CYC_CTL_VALUE, "FILE", N_("what the simulator wrote on standard error") },
  { "exit-status", 0, CYC_CTL_VALUE, "N|signal:N", N_("how the simulator ended") },
  { "listed-kernels", 0, CYC_CTL_VALUE, "N", N_("how many kernels the trace lists") },
  { "full", 0, CYC_CTL_FLAG, NULL, N_("add every counter of every kernel, as printed") },
  { "per-kernel", 0, CYC_CTL_FLAG, NULL, N_("add what each kernel added to every counter") },
  CYC_CTL_OPTION_FORMAT,
  CYC_CTL_OPTION_OUTPUT,
  { NULL },
};

const CycCtlCommand cyc_ctl_sim_parse = {
  .group = "sim",
  .name = "parse",
  .arguments = "LOG",
  .min_arguments = 1,
  .max_arguments = 1,
  .summary = N_("read the log of a simulation"),
  .detail = N_("Writes how the simulation ended and why, and every kernel. What is not given with an "
               "option is not checked. The exit status is 3 unless the outcome is succeeded. CSV has "
               "the columns kernel_index, kernel_name, counter, value; with --per-kernel also printed, "
               "unit, kind, state."),
  .options = parse_options,
  .run = run_parse,
};

const CycCtlCommand cyc_ctl_sim_counters = {
  .group = "sim",
  .name = "counters",
  .arguments = "",
  .summary = N_("list the counters of a simulation and what they mean"),
  .detail = N_("A counter is per kernel, cumulative since the start (plain, a maximum or a ratio), or a "
               "snapshot. In names * stands for the number of a core, a channel or a slice."),
  .options = counters_options,
  .run = run_counters,
};
