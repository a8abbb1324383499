/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "cli/cyc-ctl-api.h"
#include "cli/cyc-ctl-json.h"
#include "cli/cyc-ctl-options.h"
#include "cli/cyc-ctl-run.h"
#include "core/base/cyc-json.h"

/* What a run has left: all counters, and its files for other programs. */

static char *
path_of_argument (CycCtlApp  *app,
                  const char *rest)
{
  return cyc_ctl_api_path ("runs", cyc_ctl_args_get_argument (cyc_ctl_app_get_args (app), 0), rest);
}

/* One row for each counter of each kernel. */
static gboolean
write_kernel (JsonObject    *kernel,
              const char    *prefix,
              CycCtlOutput  *output,
              GError       **error)
{
  JsonObject *stats = cyc_json_get_object (kernel, "stats");
  g_autoptr (GString) start = g_string_new (prefix);
  g_autoptr (GString) rows = g_string_new (NULL);
  JsonObjectIter iter;
  const char *name;
  JsonNode *value;

  if (stats == NULL)
    return TRUE;
  cyc_ctl_csv_append_node (start, json_object_get_member (kernel, "kernel_index"), ',');
  cyc_ctl_csv_append_node (start, json_object_get_member (kernel, "kernel_name"), ',');
  json_object_iter_init_ordered (&iter, stats);
  while (json_object_iter_next_ordered (&iter, &name, &value))
    {
      g_string_append_len (rows, start->str, (gssize) start->len);
      cyc_ctl_csv_append (rows, name, ',');
      cyc_ctl_csv_append_node (rows, value, '\n');
    }
  return cyc_ctl_output_write (rows->str, rows->len, output, error);
}

static gboolean
write_sim (JsonObject    *result,
           CycCtlOutput  *output,
           GError       **error)
{
  JsonObject *sim = cyc_json_get_object (result, "sim");
  JsonArray *kernels = cyc_json_get_array (result, "kernels");
  g_autoptr (GString) prefix = g_string_new (NULL);
  g_autofree char *replica = cyc_ctl_json_dup_text (sim, "replica");

  cyc_ctl_csv_append (prefix, cyc_json_get_string (sim, "id"), ',');
  cyc_ctl_csv_append (prefix, cyc_json_get_string (sim, "gpu_config"), ',');
  cyc_ctl_csv_append (prefix, replica, ',');
  for (guint i = 0; kernels != NULL && i < json_array_get_length (kernels); i++)
    if (!write_kernel (cyc_json_node_get_object (json_array_get_element (kernels, i)), prefix->str,
                       output, error))
      return FALSE;
  return TRUE;
}

static int
print_csv (CycCtlApp   *app,
           const char  *path,
           GError     **error)
{
  static const char head[] = "sim,gpu_config,replica,kernel_index,kernel_name,counter,value\n";
  g_autoptr (CycCtlApi) api = cyc_ctl_api_open (app, CYC_CTL_API_ANY, NULL, error);
  g_autoptr (JsonNode) node = api == NULL ? NULL : cyc_ctl_api_get (api, path, error);

  if (node == NULL)
    return CYC_CTL_FAILED;
  g_autoptr (CycCtlOutput) output = cyc_ctl_app_open_output (app, error);
  if (output == NULL || !cyc_ctl_output_write (head, strlen (head), output, error))
    return CYC_CTL_FAILED;
  JsonArray *sims = cyc_json_get_array (cyc_json_node_get_object (node), "sims");
  for (guint i = 0; sims != NULL && i < json_array_get_length (sims); i++)
    if (!write_sim (cyc_json_node_get_object (json_array_get_element (sims, i)), output, error))
      return CYC_CTL_FAILED;
  return cyc_ctl_output_commit (output, error) ? CYC_CTL_DONE : CYC_CTL_FAILED;
}

static int
run_results (CycCtlApp  *app,
             GError    **error)
{
  g_autofree char *path = path_of_argument (app, "/results");

  if (g_strcmp0 (cyc_ctl_args_get (cyc_ctl_app_get_args (app), "format"), "csv") == 0)
    return print_csv (app, path, error);
  return cyc_ctl_api_print (app, path, error);
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
  return cyc_ctl_api_print (app, path, error);
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
