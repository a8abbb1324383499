/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/cyc-ctl-trace.h"

#include <string.h>

#include "cli/cyc-ctl-api.h"
#include "cli/cyc-ctl-json.h"
#include "cli/cyc-ctl-options.h"
#include "core/base/cyc-json.h"

/* The traces of the workspace: everything but the import and the check, which have files of their
 * own. */

static char *
path_of_argument (CycCtlApp  *app,
                  const char *rest)
{
  return cyc_ctl_api_path ("traces", cyc_ctl_args_get_argument (cyc_ctl_app_get_args (app), 0), rest);
}

/* NULL if nothing in the trace tells it: what is in the answer then is only a default. */
static char *
dup_arch (JsonObject *trace)
{
  gboolean known = TRUE;

  cyc_json_get_boolean (trace, "trace_gpu_arch_known", &known);
  return known ? cyc_ctl_json_dup_text (trace, "trace_gpu_arch") : NULL;
}

static CycCtlTable *
make_list (JsonArray *traces)
{
  CycCtlTable *table = cyc_ctl_table_new ();

  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_LONG, _("ID"));
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_TEXT, _("STATE"));
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_TEXT, _("ARCH"));
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_NUMBER, _("KERNELS"));
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_NUMBER, _("SIZE"));
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_TEXT, _("CREATED"));
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_LONG, _("MODEL"));
  for (guint i = 0; i < json_array_get_length (traces); i++)
    {
      JsonObject *trace = cyc_json_node_get_object (json_array_get_element (traces, i));
      cyc_ctl_table_take (table, cyc_ctl_json_dup_text (trace, "id"));
      cyc_ctl_table_take (table, cyc_ctl_json_dup_text (trace, "state"));
      cyc_ctl_table_take (table, dup_arch (trace));
      cyc_ctl_table_take (table, cyc_ctl_json_dup_text (trace, "kernel_count"));
      cyc_ctl_table_take (table, cyc_ctl_json_dup_size (trace, "bytes"));
      cyc_ctl_table_take (table, cyc_ctl_json_dup_time (trace, "created_at"));
      cyc_ctl_table_take (table, cyc_ctl_json_dup_text (trace, "model"));
    }
  return table;
}

static int
run_list (CycCtlApp  *app,
          GError    **error)
{
  if (cyc_ctl_args_has (cyc_ctl_app_get_args (app), "json"))
    return cyc_ctl_api_print (app, CYC_CTL_API_ANY, "/api/traces", error);
  g_autoptr (CycCtlApi) api = cyc_ctl_api_open (app, CYC_CTL_API_ANY, NULL, error);
  g_autoptr (JsonNode) node = api == NULL ? NULL : cyc_ctl_api_get (api, "/api/traces", error);
  if (node == NULL)
    return CYC_CTL_FAILED;
  g_autoptr (CycCtlTable) table = make_list (json_node_get_array (node));
  return cyc_ctl_app_print_table (app, table, error);
}

static char *
dup_triple (JsonObject *object,
            const char *member)
{
  JsonArray *array = cyc_json_get_array (object, member);

  if (array == NULL || json_array_get_length (array) != 3)
    return NULL;
  /* No size is zero: the header could not be read. */
  for (guint i = 0; i < 3; i++)
    if (json_array_get_int_element (array, i) == 0)
      return NULL;
  return g_strdup_printf ("%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT,
                          json_array_get_int_element (array, 0),
                          json_array_get_int_element (array, 1),
                          json_array_get_int_element (array, 2));
}

static CycCtlTable *
make_launches (JsonArray *launches)
{
  CycCtlTable *table = cyc_ctl_table_new ();

  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_NUMBER, _("KERNEL"));
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_NUMBER, _("GRID"));
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_NUMBER, _("BLOCK"));
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_NUMBER, _("WARP INSN"));
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_LONG, _("NAME"));
  for (guint i = 0; i < json_array_get_length (launches); i++)
    {
      JsonObject *launch = cyc_json_node_get_object (json_array_get_element (launches, i));
      cyc_ctl_table_take (table, cyc_ctl_json_dup_text (launch, "kernel_id"));
      cyc_ctl_table_take (table, dup_triple (launch, "grid"));
      cyc_ctl_table_take (table, dup_triple (launch, "block"));
      cyc_ctl_table_take (table, cyc_ctl_json_dup_text (launch, "instructions"));
      cyc_ctl_table_take (table, cyc_ctl_json_dup_text (launch, "name"));
    }
  return table;
}

static CycCtlTable *
make_facts (JsonObject *trace)
{
  const struct { const char *title; const char *member; } rows[] = {
    { _("State"), "state" },
    { _("Error"), "error" },
    { _("Architecture"), "trace_gpu_arch" },
    { _("Model"), "model" },
    { _("Layers"), "layers" },
    { _("Captured on"), "source_gpu" },
    { _("Configuration of that GPU"), "real_gpu_config" },
    { _("Suggested configuration"), "suggested_sim_config" },
    { _("Sample set"), "sample_set" },
    { _("Kernels"), "kernel_count" },
    { _("Real timing"), "has_real_timing" },
    { _("Step timeline"), "has_step_timeline" },
    { _("Sample"), "sample" },
  };
  CycCtlTable *table = cyc_ctl_table_new ();

  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_TEXT, _("Trace"));
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_TEXT, cyc_json_get_string (trace, "id"));
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      char *value = strcmp (rows[i].member, "trace_gpu_arch") == 0
                      ? dup_arch (trace) : cyc_ctl_json_dup_text (trace, rows[i].member);
      if (value == NULL)
        continue;
      cyc_ctl_table_add (table, rows[i].title);
      cyc_ctl_table_take (table, value);
    }
  cyc_ctl_table_add (table, _("Size"));
  cyc_ctl_table_take (table, cyc_ctl_json_dup_size (trace, "bytes"));
  cyc_ctl_table_add (table, _("Created"));
  cyc_ctl_table_take (table, cyc_ctl_json_dup_time (trace, "created_at"));
  return table;
}

static int
run_show (CycCtlApp  *app,
          GError    **error)
{
  g_autofree char *path = path_of_argument (app, NULL);

  if (cyc_ctl_args_has (cyc_ctl_app_get_args (app), "json"))
    return cyc_ctl_api_print (app, CYC_CTL_API_ANY, path, error);
  g_autoptr (CycCtlApi) api = cyc_ctl_api_open (app, CYC_CTL_API_ANY, NULL, error);
  g_autoptr (JsonNode) node = api == NULL ? NULL : cyc_ctl_api_get (api, path, error);
  if (node == NULL)
    return CYC_CTL_FAILED;
  JsonObject *trace = cyc_json_node_get_object (node);
  JsonArray *kernels = cyc_json_get_array (trace, "kernels");
  g_autoptr (CycCtlTable) facts = make_facts (trace);
  g_autoptr (CycCtlTable) launches = kernels != NULL && json_array_get_length (kernels) > 0
                                       ? make_launches (kernels) : NULL;
  return cyc_ctl_app_print_tables (app, facts, launches, NULL, error);
}

static int
run_remove (CycCtlApp  *app,
            GError    **error)
{
  gboolean now = cyc_ctl_args_has (cyc_ctl_app_get_args (app), "now");
  g_autofree char *path = path_of_argument (app, now ? "?now=true" : NULL);

  return cyc_ctl_api_change (app, "DELETE", path, error);
}

static int
run_restore (CycCtlApp  *app,
             GError    **error)
{
  g_autofree char *path = path_of_argument (app, "/restore");

  return cyc_ctl_api_change (app, "POST", path, error);
}

static const CycCtlOption list_options[] = {
  CYC_CTL_OPTION_JSON,
  CYC_CTL_OPTION_OUTPUT,
  { NULL },
};

static const CycCtlOption remove_options[] = {
  { "now", 0, CYC_CTL_FLAG, NULL, N_("delete its files at once; it cannot be restored") },
  { NULL },
};

static const CycCtlOption no_options[] = {
  { NULL },
};

const CycCtlCommand cyc_ctl_trace_list = {
  .group = "trace",
  .name = "list",
  .arguments = "",
  .summary = N_("list the traces of the workspace"),
  .options = list_options,
  .run = run_list,
};

const CycCtlCommand cyc_ctl_trace_show = {
  .group = "trace",
  .name = "show",
  .arguments = "ID",
  .min_arguments = 1,
  .max_arguments = 1,
  .summary = N_("show a trace and its kernel launches"),
  .options = list_options,
  .run = run_show,
};

const CycCtlCommand cyc_ctl_trace_remove = {
  .group = "trace",
  .name = "remove",
  .arguments = "ID",
  .min_arguments = 1,
  .max_arguments = 1,
  .summary = N_("remove a trace from the workspace"),
  .detail = N_("It can be restored until the workspace is next tidied. Files that the trace was linked "
               "to are never touched."),
  .options = remove_options,
  .run = run_remove,
};

const CycCtlCommand cyc_ctl_trace_restore = {
  .group = "trace",
  .name = "restore",
  .arguments = "ID",
  .min_arguments = 1,
  .max_arguments = 1,
  .summary = N_("bring back a trace that was removed"),
  .options = no_options,
  .run = run_restore,
};
