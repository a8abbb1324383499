/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/cyc-ctl-run.h"

#include <math.h>

#include "cli/cyc-ctl-api.h"
#include "cli/cyc-ctl-engine.h"
#include "cli/cyc-ctl-json.h"
#include "cli/cyc-ctl-options.h"
#include "core/base/cyc-format.h"
#include "core/base/cyc-json.h"
#include "core/base/cyc-time.h"
#include "core/model/cyc-states.h"

/* The runs of the workspace: list, show, cancel, remove. */

static char *
path_of_argument (CycCtlApp  *app,
                  const char *rest)
{
  return cyc_ctl_api_path ("runs", cyc_ctl_args_get_argument (cyc_ctl_app_get_args (app), 0), rest);
}

static void
append_count (GString    *out,
              gint64      n,
              const char *word)
{
  if (n > 0)
    g_string_append_printf (out, "%s%" G_GINT64_FORMAT " %s", out->len > 0 ? ", " : "", n, word);
}

/* Such as "2 succeeded, 1 limit, 1 running": what reached a limit has not simulated all of the trace. */
static char *
dup_counts (JsonObject *run)
{
  JsonObject *counts = cyc_json_get_object (run, "sim_counts");
  gint64 limited = 0;
  GString *out = g_string_new (NULL);

  cyc_json_get_int (run, "limit_count", &limited);
  for (guint i = 0; counts != NULL && i < CYC_SIM_N_STATES; i++)
    {
      gboolean succeeded = i == CYC_SIM_SUCCEEDED;
      gint64 n = 0;
      cyc_json_get_int (counts, cyc_sim_state_to_string ((CycSimState) i), &n);
      append_count (out, succeeded ? n - limited : n, cyc_sim_state_to_string ((CycSimState) i));
      append_count (out, succeeded ? limited : 0, "limit");
    }
  return g_string_free (out, FALSE);
}

static char *
dup_entries (JsonObject *run)
{
  JsonArray *entries = cyc_json_get_array (run, "entries");
  GString *out = g_string_new (NULL);

  for (guint i = 0; entries != NULL && i < json_array_get_length (entries); i++)
    {
      JsonObject *entry = cyc_json_node_get_object (json_array_get_element (entries, i));
      const char *config = cyc_json_get_string (entry, "gpu_config");
      gint64 count = 1;
      cyc_json_get_int (entry, "count", &count);
      g_string_append_printf (out, "%s%s", out->len > 0 ? ", " : "", config != NULL ? config : "?");
      if (count != 1)
        g_string_append_printf (out, ":%" G_GINT64_FORMAT, count);
    }
  return g_string_free (out, FALSE);
}

static int
run_list (CycCtlApp  *app,
          GError    **error)
{
  if (cyc_ctl_args_has (cyc_ctl_app_get_args (app), "json"))
    return cyc_ctl_api_print (app, CYC_CTL_API_HEARD, "/api/runs", error);
  g_autoptr (CycCtlApi) api = cyc_ctl_api_open (app, CYC_CTL_API_HEARD, NULL, error);
  g_autoptr (JsonNode) node = api == NULL ? NULL : cyc_ctl_api_get (api, "/api/runs", error);
  if (node == NULL)
    return CYC_CTL_FAILED;

  JsonArray *runs = json_node_get_array (node);
  g_autoptr (CycCtlTable) table = cyc_ctl_table_new ();
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_TEXT, _("ID"));
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_TEXT, _("STATE"));
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_TEXT, _("CREATED"));
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_LONG, _("TRACE"));
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_LONG, _("SIMULATIONS"));
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_LONG, _("CONFIGURATIONS"));
  for (guint i = 0; i < json_array_get_length (runs); i++)
    {
      JsonObject *run = cyc_json_node_get_object (json_array_get_element (runs, i));
      cyc_ctl_table_take (table, cyc_ctl_json_dup_text (run, "id"));
      cyc_ctl_table_take (table, cyc_ctl_json_dup_text (run, "state"));
      cyc_ctl_table_take (table, cyc_ctl_json_dup_time (run, "created_at"));
      cyc_ctl_table_take (table, cyc_ctl_json_dup_text (run, "trace_id"));
      cyc_ctl_table_take (table, dup_counts (run));
      cyc_ctl_table_take (table, dup_entries (run));
    }
  return cyc_ctl_app_print_table (app, table, error);
}

static CycCtlTable *
make_facts (JsonObject *run)
{
  const struct { const char *title; const char *member; } rows[] = {
    { _("Trace"), "trace_id" },
    { _("State"), "state" },
    { _("Recorded with the sample"), "sample" },
    { _("Replay of recorded results"), "replay" },
  };
  CycCtlTable *table = cyc_ctl_table_new ();

  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_TEXT, _("Run"));
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_TEXT, cyc_json_get_string (run, "id"));
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      cyc_ctl_table_add (table, rows[i].title);
      cyc_ctl_table_take (table, cyc_ctl_json_dup_text (run, rows[i].member));
    }
  cyc_ctl_table_add (table, _("Created"));
  cyc_ctl_table_take (table, cyc_ctl_json_dup_time (run, "created_at"));
  cyc_ctl_table_add (table, _("Configurations"));
  cyc_ctl_table_take (table, dup_entries (run));
  cyc_ctl_table_add (table, _("Simulations"));
  cyc_ctl_table_take (table, dup_counts (run));
  return table;
}

static char *
dup_metric (JsonObject *sim,
            const char *member,
            guint       decimals)
{
  double value;

  if (!cyc_json_get_double (cyc_json_get_object (sim, "latest"), member, &value))
    return NULL;
  return cyc_format_number (value, decimals);
}

static char *
dup_elapsed (JsonObject *sim)
{
  const char *started = cyc_json_get_string (sim, "started_at");
  const char *finished = cyc_json_get_string (sim, "finished_at");
  gint64 begin;
  gint64 end = g_get_real_time ();

  if (started == NULL || !cyc_time_from_iso (started, &begin)
      || (finished != NULL && !cyc_time_from_iso (finished, &end)))
    return NULL;
  return cyc_format_seconds ((double) (end - begin) / G_USEC_PER_SEC);
}

static char *
dup_kernels (JsonObject *sim)
{
  gint64 done = 0;
  gint64 total = 0;

  cyc_json_get_int (sim, "kernels_done", &done);
  cyc_json_get_int (sim, "kernels_total", &total);
  return g_strdup_printf ("%" G_GINT64_FORMAT "/%" G_GINT64_FORMAT, done, total);
}

static CycCtlTable *
make_sims (JsonArray *sims,
           GString   *errors)
{
  CycCtlTable *table = cyc_ctl_table_new ();

  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_TEXT, _("SIM"));
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_LONG, _("CONFIGURATION"));
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_NUMBER, "#");
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_TEXT, _("STATE"));
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_TEXT, _("OUTCOME"));
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_TEXT, _("REASON"));
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_NUMBER, _("KERNELS"));
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_NUMBER, _("CYCLES"));
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_NUMBER, _("THREAD INSN"));
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_NUMBER, _("IPC"));
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_NUMBER, _("TIME"));
  for (guint i = 0; i < json_array_get_length (sims); i++)
    {
      JsonObject *sim = cyc_json_node_get_object (json_array_get_element (sims, i));
      cyc_ctl_table_take (table, cyc_ctl_json_dup_text (sim, "id"));
      cyc_ctl_table_take (table, cyc_ctl_json_dup_text (sim, "gpu_config"));
      cyc_ctl_table_take (table, cyc_ctl_json_dup_text (sim, "replica"));
      cyc_ctl_table_take (table, cyc_ctl_json_dup_text (sim, "state"));
      cyc_ctl_table_take (table, cyc_ctl_json_dup_text (sim, "outcome"));
      cyc_ctl_table_take (table, cyc_ctl_json_dup_text (sim, "reason"));
      cyc_ctl_table_take (table, dup_kernels (sim));
      cyc_ctl_table_take (table, dup_metric (sim, "gpu_tot_sim_cycle", 0));
      cyc_ctl_table_take (table, dup_metric (sim, "gpu_tot_sim_insn", 0));
      cyc_ctl_table_take (table, dup_metric (sim, "gpu_tot_ipc", 2));
      cyc_ctl_table_take (table, dup_elapsed (sim));
      g_autofree char *sentence = cyc_ctl_json_dup_sentence (sim);
      if (sentence == NULL)
        continue;
      g_autofree char *printable = cyc_format_printable (sentence);
      g_string_append_printf (errors, "%s: %s\n", cyc_json_get_string (sim, "id"), printable);
    }
  return table;
}

static int
run_show (CycCtlApp  *app,
          GError    **error)
{
  g_autofree char *path = path_of_argument (app, NULL);

  if (cyc_ctl_args_has (cyc_ctl_app_get_args (app), "json"))
    return cyc_ctl_api_print (app, CYC_CTL_API_HEARD, path, error);
  g_autoptr (CycCtlApi) api = cyc_ctl_api_open (app, CYC_CTL_API_HEARD, NULL, error);
  g_autoptr (JsonNode) node = api == NULL ? NULL : cyc_ctl_api_get (api, path, error);
  if (node == NULL)
    return CYC_CTL_FAILED;
  JsonObject *run = cyc_json_node_get_object (node);
  JsonArray *sims = cyc_json_get_array (run, "sims");
  g_autoptr (GString) errors = g_string_new (NULL);
  g_autoptr (CycCtlTable) facts = make_facts (run);
  g_autoptr (CycCtlTable) rows = sims != NULL ? make_sims (sims, errors) : NULL;
  return cyc_ctl_app_print_tables (app, facts, rows, errors->str, error);
}

/* Whether a worker still has something to tell. */
static gboolean
has_worker (JsonObject *run)
{
  JsonArray *sims = cyc_json_get_array (run, "sims");

  for (guint i = 0; sims != NULL && i < json_array_get_length (sims); i++)
    {
      JsonObject *sim = cyc_json_node_get_object (json_array_get_element (sims, i));
      gint64 exit_code;
      if (cyc_json_get_string (sim, "launcher_ref") != NULL
          && !cyc_json_get_int (sim, "exit_code", &exit_code))
        return TRUE;
    }
  return FALSE;
}

static int
run_cancel (CycCtlApp  *app,
            GError    **error)
{
  g_autofree char *path = path_of_argument (app, "/cancel");
  g_autoptr (CycCtlApi) api = cyc_ctl_api_open (app, CYC_CTL_API_ANY, NULL, error);
  g_autoptr (GString) answer = NULL;

  if (api != NULL)
    answer = cyc_ctl_api_request (api, "POST", path, NULL, error);
  if (answer == NULL)
    return CYC_CTL_FAILED;
  if (!cyc_ctl_api_is_local (api))
    return CYC_CTL_DONE;

  /* The workers were told, and wait with their reports until somebody listens. */
  g_autoptr (JsonNode) node = cyc_json_parse (answer->str, answer->len, NULL, error);
  if (node == NULL)
    return CYC_CTL_FAILED;
  if (!has_worker (cyc_json_node_get_object (node)))
    return CYC_CTL_DONE;
  g_clear_pointer (&api, cyc_ctl_api_free);
  g_autoptr (CycCtlEngine) engine = cyc_ctl_engine_start (app, CYC_CTL_ENGINE_NO_START, error);
  return engine != NULL ? CYC_CTL_DONE : CYC_CTL_FAILED;
}

static int
run_remove (CycCtlApp  *app,
            GError    **error)
{
  g_autofree char *path = path_of_argument (app, NULL);

  return cyc_ctl_api_change (app, "DELETE", path, error);
}

static const CycCtlOption list_options[] = {
  CYC_CTL_OPTION_JSON,
  CYC_CTL_OPTION_OUTPUT,
  { NULL },
};

static const CycCtlOption no_options[] = {
  { NULL },
};

const CycCtlCommand cyc_ctl_run_list = {
  .group = "run",
  .name = "list",
  .arguments = "",
  .summary = N_("list the runs of the workspace"),
  .options = list_options,
  .run = run_list,
};

const CycCtlCommand cyc_ctl_run_show = {
  .group = "run",
  .name = "show",
  .arguments = "ID",
  .min_arguments = 1,
  .max_arguments = 1,
  .summary = N_("show a run and its simulations"),
  .options = list_options,
  .run = run_show,
};

const CycCtlCommand cyc_ctl_run_cancel = {
  .group = "run",
  .name = "cancel",
  .arguments = "ID",
  .min_arguments = 1,
  .max_arguments = 1,
  .summary = N_("cancel the simulations of a run that have not finished"),
  .options = no_options,
  .run = run_cancel,
};

const CycCtlCommand cyc_ctl_run_remove = {
  .group = "run",
  .name = "remove",
  .arguments = "ID",
  .min_arguments = 1,
  .max_arguments = 1,
  .summary = N_("remove a run that has finished, with its results"),
  .options = no_options,
  .run = run_remove,
};
