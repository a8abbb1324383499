/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-remote-workspace-private.h"

#include <string.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-json.h"
#include "core/model/cyc-records-read.h"
#include "engine/cyc-api-private.h"
#include "engine/cyc-local-workspace-private.h"
#include "engine/cyc-workspace-json.h"

/* What is asked for and answered by data. */

static void
ask (CycWorkspace     *workspace,
     CycRemoteRequest *request,
     CycRemoteParse    parse,
     GDestroyNotify    free_result,
     GTask            *task)
{
  _cyc_remote_workspace_ask (CYC_REMOTE_WORKSPACE (workspace), request, parse, NULL, NULL, free_result, task);
}

static void
get (CycWorkspace   *workspace,
     const char     *path,
     CycRemoteParse  parse,
     GDestroyNotify  free_result,
     GTask          *task)
{
  if (_cyc_remote_workspace_begin (CYC_REMOTE_WORKSPACE (workspace), task, FALSE))
    ask (workspace, _cyc_remote_request_new ("GET", path), parse, free_result, task);
  else
    g_object_unref (task);
}

static void
set_body (CycRemoteRequest *request,
          CycJsonWriter    *writer)
{
  request->body = g_string_free_to_bytes (cyc_json_writer_steal (writer));
}

/* Configurations, options, settings */

static gpointer
parse_configs (JsonNode      *root,
               gconstpointer  data,
               GError       **error)
{
  return cyc_gpu_configs_read_json (cyc_json_node_get_object (root), error);
}

void
_cyc_remote_load_configs (CycWorkspace *workspace,
                          GTask        *task)
{
  get (workspace, "/api/gpu-configs/all", parse_configs, (GDestroyNotify) cyc_gpu_configs_unref, task);
}

static gpointer
parse_options (JsonNode      *root,
               gconstpointer  data,
               GError       **error)
{
  return cyc_option_dump_read_json (cyc_json_node_get_object (root), error);
}

void
_cyc_remote_load_options (CycWorkspace *workspace,
                          GTask        *task)
{
  get (workspace, "/api/simulator-options", parse_options, (GDestroyNotify) cyc_option_dump_free, task);
}

static gpointer
parse_settings (JsonNode      *root,
                gconstpointer  data,
                GError       **error)
{
  return cyc_workspace_settings_read_json (cyc_json_node_get_object (root), error);
}

void
_cyc_remote_load_settings (CycWorkspace *workspace,
                           GTask        *task)
{
  get (workspace, "/api/settings", parse_settings, (GDestroyNotify) cyc_workspace_settings_free, task);
}

static gboolean
same_places (const CycWorkspaceSettings *a,
             const CycWorkspaceSettings *b)
{
  if (!g_strv_equal ((const char *const *) a->config_roots, (const char *const *) b->config_roots)
      || a->simulators->len != b->simulators->len)
    return FALSE;
  for (guint i = 0; i < a->simulators->len; i++)
    {
      const CycSimulatorSetting *one = g_ptr_array_index (a->simulators, i);
      const CycSimulatorSetting *other = g_ptr_array_index (b->simulators, i);
      if (g_strcmp0 (one->name, other->name) != 0 || g_strcmp0 (one->root, other->root) != 0
          || g_strcmp0 (one->executable, other->executable) != 0
          || !g_strv_equal ((const char *const *) one->env, (const char *const *) other->env))
        return FALSE;
    }
  return TRUE;
}

static void
saved_cb (GObject      *source,
          GAsyncResult *result,
          gpointer      user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;

  if (cyc_workspace_finish (CYC_WORKSPACE (source), result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static void
save_limit (CycWorkspace *workspace,
            guint         parallel,
            GTask        *task)
{
  CycRemoteRequest *request = _cyc_remote_request_new ("POST", "/api/settings");
  g_autofree char *body = g_strdup_printf ("{\"parallel\":%u}", parallel);
  GTask *inner = g_task_new (workspace, NULL, saved_cb, task);

  g_task_set_source_tag (inner, save_limit);
  request->again = TRUE;
  request->body = g_bytes_new (body, strlen (body));
  if (_cyc_remote_workspace_begin (CYC_REMOTE_WORKSPACE (workspace), inner, TRUE))
    {
      ask (workspace, request, NULL, NULL, inner);
      return;
    }
  _cyc_remote_request_free (request);
  g_object_unref (inner);
}

static void
known_cb (GObject      *source,
          GAsyncResult *result,
          gpointer      user_data)
{
  g_autoptr (GTask) task = user_data;
  const CycWorkspaceSettings *wanted = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (CycWorkspaceSettings) known =
    cyc_workspace_load_settings_finish (CYC_WORKSPACE (source), result, &error);

  if (known == NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  else if (!same_places (known, wanted))
    g_task_return_new_error (task, CYC_ERROR, CYC_ERROR_DENIED,
                             "simulators and folders of configurations are set on the engine's machine");
  else
    save_limit (CYC_WORKSPACE (source), wanted->parallel, g_steal_pointer (&task));
}

void
_cyc_remote_save_settings (CycWorkspace               *workspace,
                           const CycWorkspaceSettings *settings,
                           GTask                      *task)
{
  CycRemoteWorkspace *self = CYC_REMOTE_WORKSPACE (workspace);

  if (!_cyc_remote_workspace_begin (self, task, TRUE))
    {
      g_object_unref (task);
    }
  else if (self->access->folder != NULL)
    {
      _cyc_local_files_save_settings (self->access->folder, settings, task);
      g_object_unref (task);
    }
  else
    {
      g_task_set_task_data (task, cyc_workspace_settings_copy (settings),
                            (GDestroyNotify) cyc_workspace_settings_free);
      cyc_workspace_load_settings_async (workspace, NULL, known_cb, task);
    }
}

void
_cyc_remote_check_simulator (CycWorkspace *workspace,
                             const char   *path,
                             GTask        *task)
{
  CycRemoteWorkspace *self = CYC_REMOTE_WORKSPACE (workspace);

  if (_cyc_remote_workspace_begin (self, task, FALSE))
    {
      if (self->access->folder != NULL)
        _cyc_local_files_check_simulator (path, task);
      else
        g_task_return_new_error (task, CYC_ERROR, CYC_ERROR_DENIED,
                                 "simulators are set on the engine's machine: cyclescopectl simulator add");
    }
  g_object_unref (task);
}

/* Traces */

static gpointer
parse_details (JsonNode      *root,
               gconstpointer  data,
               GError       **error)
{
  JsonObject *object = cyc_json_node_get_object (root);
  g_autoptr (CycTraceDetails) details = cyc_trace_details_new ();

  details->record = cyc_trace_record_read (cyc_json_get_object (object, "trace"), error);
  if (details->record == NULL)
    return NULL;
  g_ptr_array_unref (details->launches);
  details->launches = cyc_records_read_list (cyc_json_get_array (object, "kernels"),
                                             (CycRecordReadFunc) cyc_launch_record_read,
                                             (GDestroyNotify) cyc_launch_record_free, error);
  if (details->launches == NULL)
    return NULL;
  details->metadata = g_strdup (cyc_json_get_string (object, "metadata"));
  cyc_findings_free (details->findings);
  details->findings = cyc_findings_read_json (cyc_json_get_array (object, "findings"));
  if (data != NULL)
    details->folder = g_build_filename (data, "traces", details->record->id, NULL);
  return g_steal_pointer (&details);
}

void
_cyc_remote_load_trace (CycWorkspace *workspace,
                        const char   *trace_id,
                        GTask        *task)
{
  CycRemoteWorkspace *self = CYC_REMOTE_WORKSPACE (workspace);
  g_autofree char *path = _cyc_remote_path ("traces", trace_id, "/details");

  if (_cyc_remote_workspace_begin (self, task, FALSE))
    _cyc_remote_workspace_ask (self, _cyc_remote_request_new ("GET", path), parse_details,
                               g_strdup (self->access->folder), g_free,
                               (GDestroyNotify) cyc_trace_details_free, task);
  else
    g_object_unref (task);
}

static gpointer
parse_launches (JsonNode      *root,
                gconstpointer  data,
                GError       **error)
{
  return cyc_records_read_list (cyc_json_get_array (cyc_json_node_get_object (root), "kernels"),
                                (CycRecordReadFunc) cyc_launch_record_read,
                                (GDestroyNotify) cyc_launch_record_free, error);
}

void
_cyc_remote_load_launches (CycWorkspace *workspace,
                           const char   *trace_id,
                           GTask        *task)
{
  g_autofree char *path = _cyc_remote_path ("traces", trace_id, NULL);

  get (workspace, path, parse_launches, (GDestroyNotify) g_ptr_array_unref, task);
}

/* Runs */

static gpointer
parse_checks (JsonNode      *root,
              gconstpointer  data,
              GError       **error)
{
  return cyc_run_checks_read_json (JSON_NODE_HOLDS_ARRAY (root) ? json_node_get_array (root) : NULL, error);
}

void
_cyc_remote_check_run (CycWorkspace        *workspace,
                       const CycRunRequest *request,
                       GTask               *task)
{
  if (!_cyc_remote_workspace_begin (CYC_REMOTE_WORKSPACE (workspace), task, FALSE))
    {
      g_object_unref (task);
      return;
    }
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);
  CycRemoteRequest *message = _cyc_remote_request_new ("POST", "/api/run-checks");
  cyc_run_request_write_json (request, writer);
  set_body (message, writer);
  message->again = TRUE;
  ask (workspace, message, parse_checks, (GDestroyNotify) g_ptr_array_unref, task);
}

static gpointer
parse_request (JsonNode      *root,
               gconstpointer  data,
               GError       **error)
{
  g_autofree char *detail = NULL;
  CycRunRequest *request = cyc_api_read_run_request (cyc_json_node_get_object (root), TRUE, &detail);

  if (request == NULL)
    cyc_error_set_at (error, CYC_ERROR_INPUT, NULL, 0, "the engine's answer: %s", detail);
  return request;
}

void
_cyc_remote_load_failed (CycWorkspace *workspace,
                         const char   *run_id,
                         GTask        *task)
{
  g_autofree char *path = _cyc_remote_path ("runs", run_id, "/failed");

  get (workspace, path, parse_request, (GDestroyNotify) cyc_run_request_free, task);
}

static gpointer
parse_comparison (JsonNode      *root,
                  gconstpointer  data,
                  GError       **error)
{
  return cyc_comparison_read_json (cyc_json_node_get_object (root), error);
}

void
_cyc_remote_load_comparison (CycWorkspace *workspace,
                             const char   *run_id,
                             const char   *counter,
                             GTask        *task)
{
  g_autofree char *escaped = g_uri_escape_string (counter, NULL, FALSE);
  g_autofree char *rest = g_strconcat ("/counter-comparison?counter=", escaped, NULL);
  g_autofree char *path = _cyc_remote_path ("runs", run_id, rest);

  get (workspace, path, parse_comparison, (GDestroyNotify) cyc_comparison_free, task);
}

static gpointer
parse_files (JsonNode      *root,
             gconstpointer  data,
             GError       **error)
{
  return cyc_records_read_list (JSON_NODE_HOLDS_ARRAY (root) ? json_node_get_array (root) : NULL,
                                (CycRecordReadFunc) cyc_file_record_read, (GDestroyNotify) cyc_file_record_free,
                                error);
}

void
_cyc_remote_load_files (CycWorkspace *workspace,
                        const char   *run_id,
                        GTask        *task)
{
  g_autofree char *path = _cyc_remote_path ("runs", run_id, "/files");

  get (workspace, path, parse_files, (GDestroyNotify) g_ptr_array_unref, task);
}

/* Simulations */

static gpointer
parse_counters (JsonNode      *root,
                gconstpointer  data,
                GError       **error)
{
  return cyc_counter_table_read_json (cyc_json_node_get_object (root), GPOINTER_TO_UINT (data), error);
}

void
_cyc_remote_load_counters (CycWorkspace            *workspace,
                           const CycCounterRequest *request,
                           GTask                   *task)
{
  g_autofree char *path = _cyc_remote_path ("sims", request->sim_id, "/counters");

  /* Of another kind of workspace, before this one took its place. */
  if (request->state != NULL)
    cyc_counter_values_free (request->state);
  if (!_cyc_remote_workspace_begin (CYC_REMOTE_WORKSPACE (workspace), task, FALSE))
    {
      g_object_unref (task);
      return;
    }
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);
  CycRemoteRequest *message = _cyc_remote_request_new ("POST", path);
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_strings (writer, "keys", request->keys);
  cyc_json_writer_put_boolean (writer, "cumulative", request->cumulative);
  cyc_json_writer_put_int (writer, "first", request->first);
  cyc_json_writer_end_object (writer);
  set_body (message, writer);
  message->again = TRUE;
  _cyc_remote_workspace_ask (CYC_REMOTE_WORKSPACE (workspace), message, parse_counters,
                             GUINT_TO_POINTER (request->first), NULL, (GDestroyNotify) cyc_counter_table_free, task);
}

static gpointer
parse_hit (JsonNode      *root,
           gconstpointer  data,
           GError       **error)
{
  guint64 *offset = g_new (guint64, 1);
  gint64 value;

  *offset = cyc_json_get_int (cyc_json_node_get_object (root), "offset", &value) ? (guint64) value : G_MAXUINT64;
  return offset;
}

void
_cyc_remote_search_log (CycWorkspace       *workspace,
                        const CycLogSearch *search,
                        GTask              *task)
{
  g_autofree char *path = _cyc_remote_path ("sims", search->sim_id, "/search");

  if (!_cyc_remote_workspace_begin (CYC_REMOTE_WORKSPACE (workspace), task, FALSE))
    {
      g_object_unref (task);
      return;
    }
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);
  CycRemoteRequest *message = _cyc_remote_request_new ("POST", path);
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_string (writer, "text", search->text);
  cyc_json_writer_put_int_or_null (writer, "from", search->from <= G_MAXINT64, (gint64) search->from);
  cyc_json_writer_put_boolean (writer, "backwards", search->backwards);
  cyc_json_writer_end_object (writer);
  set_body (message, writer);
  message->again = TRUE;
  ask (workspace, message, parse_hit, g_free, task);
}

static gpointer
parse_failure (JsonNode      *root,
               gconstpointer  data,
               GError       **error)
{
  return cyc_failure_line_read_json (cyc_json_node_get_object (root), error);
}

void
_cyc_remote_load_failure (CycWorkspace *workspace,
                          const char   *sim_id,
                          GTask        *task)
{
  g_autofree char *path = _cyc_remote_path ("sims", sim_id, "/failure");

  get (workspace, path, parse_failure, (GDestroyNotify) cyc_failure_line_free, task);
}
