/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "cli/cyc-ctl-api.h"
#include "cli/cyc-ctl-message.h"
#include "cli/cyc-ctl-options.h"
#include "cli/cyc-ctl-roots.h"
#include "cli/cyc-ctl-run-wait.h"
#include "cli/cyc-ctl-run.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-json.h"
#include "core/base/cyc-number.h"
#include "core/model/cyc-records.h"

static gboolean
set_count_error (GError     **error,
                 const char  *text)
{
  cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0,
                    _("--config must be NAME or NAME:COUNT with a count from 1 to %d, not '%s'"),
                    CYC_RUN_MAX_COUNT, text);
  return FALSE;
}

/* NAME[:COUNT]. A name that comes again adds to its count: replicas are numbered within an entry. */
static gboolean
add_entry (GPtrArray   *entries,
           const char  *text,
           GError     **error)
{
  const char *colon = strrchr (text, ':');
  gsize len = colon != NULL ? (gsize) (colon - text) : strlen (text);
  g_autofree char *name = g_strndup (text, len);
  gint64 count = 1;

  if (len == 0 || (colon != NULL
                   && (!cyc_number_parse_int64 (colon + 1, strlen (colon + 1), &count) || count < 1
                       || count > CYC_RUN_MAX_COUNT)))
    return set_count_error (error, text);
  for (guint i = 0; i < entries->len; i++)
    {
      CycRunEntry *entry = g_ptr_array_index (entries, i);
      if (strcmp (entry->gpu_config, name) != 0)
        continue;
      entry->count += (guint) count;
      g_autofree char *sum = g_strdup_printf ("%s:%u", name, entry->count);
      return entry->count <= CYC_RUN_MAX_COUNT || set_count_error (error, sum);
    }
  g_ptr_array_add (entries, cyc_run_entry_new (name, (guint) count));
  return TRUE;
}

static void
write_optional (CycJsonWriter *writer,
                CycCtlArgs    *args,
                const char    *name)
{
  const char *value = cyc_ctl_args_get (args, name);

  if (value == NULL)
    return;
  cyc_json_writer_put_string (writer, name, value);
}

/* The RunCreate of the command line. */
static GString *
make_body (CycCtlArgs  *args,
           GError     **error)
{
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);
  const char *const *configs = cyc_ctl_args_get_list (args, "config");
  const char *const *options = cyc_ctl_args_get_list (args, "option");
  g_autoptr (GPtrArray) entries = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_run_entry_free);

  for (guint i = 0; configs[i] != NULL; i++)
    if (!add_entry (entries, configs[i], error))
      return NULL;
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_string (writer, "trace_id", cyc_ctl_args_get_argument (args, 0));
  cyc_run_entries_write_json (entries, writer);
  write_optional (writer, args, "launcher");
  write_optional (writer, args, "simulator");
  if (options[0] != NULL)
    cyc_json_writer_put_strings (writer, "options", options);
  if (cyc_ctl_args_has (args, "force-arch"))
    cyc_json_writer_put_boolean (writer, "force_arch", TRUE);
  cyc_json_writer_end_object (writer);
  return cyc_json_writer_steal (writer);
}

static char *
read_id (const GString  *answer,
         GError        **error)
{
  g_autoptr (JsonNode) node = cyc_json_parse (answer->str, answer->len, NULL, error);

  if (node == NULL)
    return NULL;
  const char *id = cyc_json_get_string (cyc_json_node_get_object (node), "id");
  if (id == NULL)
    cyc_error_set_at (error, CYC_ERROR_FAILED, NULL, 0, _("the engine gave the run no id"));
  return g_strdup (id);
}

static char *
create_run (CycCtlApp      *app,
            const GString  *body,
            GError        **error)
{
  g_autoptr (CycCtlApi) api =
    cyc_ctl_roots_check_given (app, error) ? cyc_ctl_api_open (app, CYC_CTL_API_SERVED, NULL, error) : NULL;
  const char *hint = NULL;

  if (api == NULL)
    return NULL;
  /* No request makes an engine look in other folders than those it was started with. */
  if (cyc_ctl_args_has (cyc_ctl_app_get_args (app), "config-root") && !cyc_ctl_api_has_started (api))
    hint = _("An engine runs for the workspace already: it looks in the folders of its own --config-root "
             "and of config_roots= in settings.ini");
  g_autoptr (GString) answer = cyc_ctl_api_request (api, "POST", "/api/runs", body->str, error);
  g_autofree char *id = answer == NULL ? NULL : read_id (answer, error);
  if (hint != NULL && id == NULL)
    cyc_ctl_app_add_hint (app, "%s", hint);
  else if (hint != NULL)
    cyc_ctl_message_hint ("%s", hint);
  return g_steal_pointer (&id);
}

static int
run_start (CycCtlApp  *app,
           GError    **error)
{
  CycCtlArgs *args = cyc_ctl_app_get_args (app);

  if (!cyc_ctl_args_has (args, "config"))
    {
      g_set_error (error, CYC_CTL_USAGE_ERROR, 0, _("option %s is missing"), "--config=NAME[:COUNT]");
      return CYC_CTL_USAGE;
    }
  g_autoptr (GString) body = make_body (args, error);
  if (body == NULL)
    return CYC_CTL_FAILED;
  g_autofree char *id = create_run (app, body, error);
  if (id == NULL)
    return CYC_CTL_FAILED;
  g_autofree char *line = g_strconcat (id, "\n", NULL);
  int status = cyc_ctl_app_print (app, line, error);
  if (status != CYC_CTL_DONE || !cyc_ctl_args_has (args, "wait"))
    return status;
  return cyc_ctl_run_wait (app, id, error);
}

static const CycCtlOption start_options[] = {
  { "config", 0, CYC_CTL_LIST, "NAME[:COUNT]",
    N_("simulate this GPU configuration, COUNT times, at most 64") },
  { "launcher", 0, CYC_CTL_CHOICE, "local|replay",
    N_("run the simulator on this machine, or replay what was recorded with the trace") },
  { "simulator", 0, CYC_CTL_VALUE, "NAME", N_("the simulator installation to run") },
  { "option", 0, CYC_CTL_LIST, "\"-name value\"", N_("an option of the simulator, after the others") },
  { "force-arch", 0, CYC_CTL_FLAG, NULL,
    N_("run a trace on a configuration of another architecture") },
  { "wait", 0, CYC_CTL_FLAG, NULL,
    N_("wait until every simulation has finished; exit status 3 unless all succeeded") },
  { NULL },
};

const CycCtlCommand cyc_ctl_run_start = {
  .group = "run",
  .name = "start",
  .arguments = "TRACE",
  .min_arguments = 1,
  .max_arguments = 1,
  .summary = N_("simulate a trace on one or more GPU configurations"),
  .detail = N_("The id of the run is printed. Simulations go on when this program ends: if no engine "
               "runs for the workspace, one is started that ends when it has nothing left to do. "
               "Ctrl-C while waiting leaves them running."),
  .options = start_options,
  .run = run_start,
};
