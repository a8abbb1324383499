/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-api-private.h"

#include <string.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-number.h"
#include "core/base/cyc-task.h"
#include "engine/cyc-local-workspace.h"
#include "engine/cyc-settings.h"
#include "engine/cyc-workspace-json.h"

/* Paths of ours for a window on another machine (cyc-remote-workspace.h): what a window asks of an engine that
 * is in its own process, answered in the same words. Calls answer on the main thread, and a thread writes the
 * JSON. */

#define MAX_KEYS 256

/* Writes @data. Runs on a thread. */
typedef void (*Write) (gpointer       data,
                       CycJsonWriter *writer);

typedef struct
{
  CycApiCall     *call;
  gpointer        data;
  GDestroyNotify  free_data;
  Write           write;
} Answer;

static void
answer_free (gpointer data)
{
  Answer *self = data;

  self->free_data (self->data);
  cyc_api_call_unref (self->call);
  g_free (self);
}

static void
answer_thread (GTask        *task,
               gpointer      source,
               gpointer      data,
               GCancellable *cancellable)
{
  const Answer *self = data;
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);

  self->write (self->data, writer);
  cyc_api_reply_writer (self->call, 200, writer);
}

/* Answers with @data, which it takes, or with @error. */
static void
answer (CycApiRequest  *request,
        gpointer        data,
        GDestroyNotify  free_data,
        Write           write,
        const GError   *error)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, NULL, NULL);

  if (data == NULL)
    {
      cyc_api_call_reply_gerror (request->call, error);
      cyc_api_request_free (request);
      return;
    }
  Answer *self = g_new0 (Answer, 1);
  self->call = cyc_api_call_ref (request->call);
  self->data = data;
  self->free_data = free_data;
  self->write = write;
  cyc_api_request_free (request);
  g_task_set_source_tag (task, answer);
  g_task_set_task_data (task, self, answer_free);
  cyc_task_run_in_thread (task, answer_thread);
}

static CycWorkspace *
get_workspace (CycApi *self)
{
  if (self->workspace == NULL)
    self->workspace = cyc_local_workspace_new_for_engine (self->engine);
  return self->workspace;
}

/* A number of the query; FALSE if the call was answered. */
static gboolean
read_number (CycApiCall *call,
             const char *name,
             guint64     fallback,
             guint64    *out_value)
{
  const char *text = cyc_api_call_get_query (call, name);
  g_autofree char *detail = g_strdup_printf ("%s: expected a number from 0 on", name);

  *out_value = fallback;
  if (text == NULL || cyc_number_parse_uint64 (text, strlen (text), out_value))
    return TRUE;
  cyc_api_call_reply_error (call, 400, detail);
  return FALSE;
}

/* Settings */

static void
write_settings (gpointer       data,
                CycJsonWriter *writer)
{
  cyc_workspace_settings_write_json (data, writer);
}

static void
settings_cb (GObject      *source,
             GAsyncResult *result,
             gpointer      user_data)
{
  g_autoptr (GError) error = NULL;
  CycWorkspaceSettings *settings = cyc_workspace_load_settings_finish (CYC_WORKSPACE (source), result, &error);

  answer (user_data, settings, (GDestroyNotify) cyc_workspace_settings_free, write_settings, error);
}

/**
 * cyc_api_get_settings:
 * @self: the router
 * @call: a call
 * @id: unused
 * @rest: unused
 *
 * GET /api/settings (ours): what settings.ini says.
 */
void
cyc_api_get_settings (CycApi     *self,
                      CycApiCall *call,
                      const char *id,
                      const char *rest)
{
  cyc_workspace_load_settings_async (get_workspace (self), NULL, settings_cb,
                                     cyc_api_request_new (self, call, NULL));
}

static void
limit_thread (GTask        *task,
              gpointer      source,
              gpointer      data,
              GCancellable *cancellable)
{
  const CycApiRequest *request = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (CycSettings) file = cyc_settings_load (cyc_engine_get_workspace (request->engine), &error);
  guint parallel = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (task), "parallel"));

  if (file != NULL && cyc_settings_set_limit (file, parallel, &error) && cyc_settings_save (file, &error))
    cyc_api_call_reply_empty (request->call);
  else
    cyc_api_call_reply_gerror (request->call, error);
}

/**
 * cyc_api_post_settings:
 * @self: the router
 * @call: a call
 * @id: unused
 * @rest: unused
 *
 * POST /api/settings (ours): `{"parallel": N}`. Only that: which programs are started and which folders are read
 * is said on the engine's machine.
 */
void
cyc_api_post_settings (CycApi     *self,
                       CycApiCall *call,
                       const char *id,
                       const char *rest)
{
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (GTask) task = g_task_new (NULL, NULL, NULL, NULL);
  JsonObject *object = cyc_api_body_object (call, &node);
  gint64 parallel;

  if (object == NULL)
    return;
  if (!cyc_json_get_int (object, "parallel", &parallel) || parallel < 0 || parallel > G_MAXINT)
    {
      cyc_api_call_reply_error (call, 422, "parallel: expected how many simulations run at once, 0 for one a "
                                           "processor");
      return;
    }
  if (json_object_get_size (object) != 1)
    {
      cyc_api_call_reply_error (call, 403, "only parallel can be set from here; simulators and folders of "
                                           "configurations are set on the engine's machine");
      return;
    }
  g_task_set_source_tag (task, cyc_api_post_settings);
  g_object_set_data (G_OBJECT (task), "parallel", GUINT_TO_POINTER ((guint) parallel));
  g_task_set_task_data (task, cyc_api_request_new (self, call, NULL), (GDestroyNotify) cyc_api_request_free);
  cyc_task_run_in_thread (task, limit_thread);
}

static void
write_options (gpointer       data,
               CycJsonWriter *writer)
{
  cyc_option_dump_write_json (data, writer);
}

static void
options_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autoptr (GError) error = NULL;
  CycOptionDump *dump = cyc_workspace_load_options_finish (CYC_WORKSPACE (source), result, &error);

  answer (user_data, dump, (GDestroyNotify) cyc_option_dump_free, write_options, error);
}

/**
 * cyc_api_get_options:
 * @self: the router
 * @call: a call
 * @id: unused
 * @rest: unused
 *
 * GET /api/simulator-options (ours): the options of the simulator, out of the latest log that lists them.
 */
void
cyc_api_get_options (CycApi     *self,
                     CycApiCall *call,
                     const char *id,
                     const char *rest)
{
  cyc_workspace_load_options_async (get_workspace (self), NULL, options_cb,
                                    cyc_api_request_new (self, call, NULL));
}

static void
write_configs (gpointer       data,
               CycJsonWriter *writer)
{
  cyc_gpu_configs_write_all_json (data, writer);
}

static void
all_configs_cb (GObject      *source,
                GAsyncResult *result,
                gpointer      user_data)
{
  g_autoptr (GError) error = NULL;
  CycGpuConfigs *configs = cyc_workspace_load_configs_finish (CYC_WORKSPACE (source), result, &error);

  answer (user_data, configs, (GDestroyNotify) cyc_gpu_configs_unref, write_configs, error);
}

/**
 * cyc_api_get_all_configs:
 * @self: the router
 * @call: a call
 * @id: unused
 * @rest: unused
 *
 * GET /api/gpu-configs/all (ours): the configurations with their options and findings.
 */
void
cyc_api_get_all_configs (CycApi     *self,
                         CycApiCall *call,
                         const char *id,
                         const char *rest)
{
  cyc_workspace_load_configs_async (get_workspace (self), NULL, all_configs_cb,
                                    cyc_api_request_new (self, call, NULL));
}

/* Traces and runs */

static void
write_details (gpointer       data,
               CycJsonWriter *writer)
{
  const CycTraceDetails *details = data;

  cyc_json_writer_begin_object (writer);
  cyc_json_writer_key (writer, "trace");
  cyc_json_writer_begin_object (writer);
  cyc_trace_record_write_fields (details->record, writer);
  cyc_json_writer_end_object (writer);
  cyc_json_writer_put_string (writer, "metadata", details->metadata);
  cyc_json_writer_key (writer, "kernels");
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < details->launches->len; i++)
    cyc_launch_record_write_json (g_ptr_array_index (details->launches, i), writer);
  cyc_json_writer_end_array (writer);
  cyc_json_writer_key (writer, "findings");
  cyc_findings_write_json (details->findings, writer);
  cyc_json_writer_end_object (writer);
}

static void
details_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autoptr (GError) error = NULL;
  CycTraceDetails *details = cyc_workspace_load_trace_finish (CYC_WORKSPACE (source), result, &error);

  answer (user_data, details, (GDestroyNotify) cyc_trace_details_free, write_details, error);
}

/**
 * cyc_api_get_trace_details:
 * @self: the router
 * @call: a call
 * @id: a trace
 * @rest: unused
 *
 * GET /api/traces/{id}/details (ours): the trace, the text of its metadata.json, its launches and findings.
 */
void
cyc_api_get_trace_details (CycApi     *self,
                           CycApiCall *call,
                           const char *id,
                           const char *rest)
{
  cyc_workspace_load_trace_async (get_workspace (self), id, NULL, details_cb, cyc_api_request_new (self, call, id));
}

static void
write_checks (gpointer       data,
              CycJsonWriter *writer)
{
  cyc_run_checks_write_json (data, writer);
}

static void
checks_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *checks = cyc_workspace_check_run_finish (CYC_WORKSPACE (source), result, &error);

  answer (user_data, checks, (GDestroyNotify) g_ptr_array_unref, write_checks, error);
}

/**
 * cyc_api_post_run_check:
 * @self: the router
 * @call: a call
 * @id: unused
 * @rest: unused
 *
 * POST /api/run-checks (ours): what stands against a RunCreate. Nothing is started.
 */
void
cyc_api_post_run_check (CycApi     *self,
                        CycApiCall *call,
                        const char *id,
                        const char *rest)
{
  g_autoptr (JsonNode) node = NULL;
  JsonObject *object = cyc_api_body_object (call, &node);
  g_autofree char *detail = NULL;
  g_autoptr (CycRunRequest) request = object == NULL ? NULL : cyc_api_read_run_request (object, TRUE, &detail);

  if (object == NULL)
    return;
  if (request == NULL)
    cyc_api_call_reply_error (call, 422, detail);
  else
    cyc_workspace_check_run_async (get_workspace (self), request, NULL, checks_cb,
                                   cyc_api_request_new (self, call, NULL));
}

static void
write_request (gpointer       data,
               CycJsonWriter *writer)
{
  cyc_run_request_write_json (data, writer);
}

static void
failed_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr (GError) error = NULL;
  CycRunRequest *request = cyc_workspace_load_failed_finish (CYC_WORKSPACE (source), result, &error);

  answer (user_data, request, (GDestroyNotify) cyc_run_request_free, write_request, error);
}

/**
 * cyc_api_get_failed:
 * @self: the router
 * @call: a call
 * @id: a run
 * @rest: unused
 *
 * GET /api/runs/{id}/failed (ours): the RunCreate that starts again what of the run failed or was cancelled.
 */
void
cyc_api_get_failed (CycApi     *self,
                    CycApiCall *call,
                    const char *id,
                    const char *rest)
{
  cyc_workspace_load_failed_async (get_workspace (self), id, NULL, failed_cb, cyc_api_request_new (self, call, id));
}

static void
write_comparison (gpointer       data,
                  CycJsonWriter *writer)
{
  cyc_comparison_write_json (data, writer);
}

static void
comparison_cb (GObject      *source,
               GAsyncResult *result,
               gpointer      user_data)
{
  g_autoptr (GError) error = NULL;
  CycComparison *comparison = cyc_workspace_load_comparison_finish (CYC_WORKSPACE (source), result, &error);

  answer (user_data, comparison, (GDestroyNotify) cyc_comparison_free, write_comparison, error);
}

/**
 * cyc_api_get_counter_comparison:
 * @self: the router
 * @call: a call with `counter` in its query; default `time`
 * @id: a run
 * @rest: unused
 *
 * GET /api/runs/{id}/counter-comparison (ours): a counter by kernel and configuration.
 */
void
cyc_api_get_counter_comparison (CycApi     *self,
                                CycApiCall *call,
                                const char *id,
                                const char *rest)
{
  const char *counter = cyc_api_call_get_query (call, "counter");

  cyc_workspace_load_comparison_async (get_workspace (self), id, counter != NULL ? counter : CYC_COMPARISON_TIME,
                                       NULL, comparison_cb, cyc_api_request_new (self, call, id));
}

/* Simulations */

static void
write_kernels (gpointer       data,
               CycJsonWriter *writer)
{
  GPtrArray *kernels = data;

  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < kernels->len; i++)
    {
      const CycKernelRecord *kernel = g_ptr_array_index (kernels, i);
      cyc_json_writer_begin_object (writer);
      cyc_kernel_record_write_fields (kernel, writer);
      cyc_json_writer_put_int (writer, "log_offset", (gint64) kernel->log_offset);
      cyc_json_writer_put_int (writer, "log_length", (gint64) kernel->log_length);
      cyc_json_writer_end_object (writer);
    }
  cyc_json_writer_end_array (writer);
}

static void
kernels_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  CycApiRequest *request = user_data;
  g_autoptr (GError) error = NULL;
  GPtrArray *kernels = cyc_engine_query_sim_kernels_finish (request->engine, result, &error);

  answer (request, kernels, (GDestroyNotify) g_ptr_array_unref, write_kernels, error);
}

/**
 * cyc_api_list_kernels:
 * @self: the router
 * @call: a call with `first` in its query; default 0
 * @id: a sim
 * @rest: unused
 *
 * GET /api/sims/{id}/kernels (ours): KernelStat without `stats`, with the place of the block in the log.
 */
void
cyc_api_list_kernels (CycApi     *self,
                      CycApiCall *call,
                      const char *id,
                      const char *rest)
{
  g_autoptr (GError) error = NULL;
  guint64 first;

  if (!read_number (call, "first", 0, &first))
    return;
  if (cyc_engine_find_sim (self->engine, id, &error) == NULL)
    cyc_api_call_reply_gerror (call, error);
  else
    cyc_engine_query_sim_kernels (self->engine, id, (guint) MIN (first, G_MAXINT), kernels_cb,
                                  cyc_api_request_new (self, call, id));
}

static GStrv
read_keys (JsonObject *object)
{
  JsonArray *list = cyc_json_get_array (object, "keys");
  g_autoptr (GStrvBuilder) keys = g_strv_builder_new ();

  if (list == NULL || json_array_get_length (list) > MAX_KEYS)
    return NULL;
  for (guint i = 0; i < json_array_get_length (list); i++)
    {
      const char *key = cyc_json_node_get_string (json_array_get_element (list, i));
      if (key == NULL)
        return NULL;
      g_strv_builder_add (keys, key);
    }
  return g_strv_builder_end (keys);
}

static void
write_counters (gpointer       data,
                CycJsonWriter *writer)
{
  cyc_counter_table_write_json (data, writer);
}

static void
counters_cb (GObject      *source,
             GAsyncResult *result,
             gpointer      user_data)
{
  g_autoptr (GError) error = NULL;
  CycCounterTable *table = cyc_workspace_load_counters_finish (CYC_WORKSPACE (source), result, &error);

  answer (user_data, table, (GDestroyNotify) cyc_counter_table_free, write_counters, error);
}

/**
 * cyc_api_post_counters:
 * @self: the router
 * @call: a call
 * @id: a sim
 * @rest: unused
 *
 * POST /api/sims/{id}/counters (ours): `{"keys": [...], "cumulative": false, "first": 0}`, answered with columns
 * of these counters.
 */
void
cyc_api_post_counters (CycApi     *self,
                       CycApiCall *call,
                       const char *id,
                       const char *rest)
{
  g_autoptr (JsonNode) node = NULL;
  JsonObject *object = cyc_api_body_object (call, &node);
  g_auto (GStrv) keys = object == NULL ? NULL : read_keys (object);
  CycCounterRequest request = { .sim_id = id, .keys = (const char *const *) keys };
  gint64 first = 0;

  if (object == NULL)
    return;
  if (keys == NULL)
    {
      cyc_api_call_reply_error (call, 422, "keys: expected a list of at most 256 names of counters");
      return;
    }
  if (cyc_json_get_int (object, "first", &first) && (first < 0 || first > G_MAXINT))
    {
      cyc_api_call_reply_error (call, 422, "first: expected the index of a kernel");
      return;
    }
  request.first = (guint) first;
  cyc_json_get_boolean (object, "cumulative", &request.cumulative);
  cyc_workspace_load_counters_async (get_workspace (self), &request, NULL, counters_cb,
                                     cyc_api_request_new (self, call, id));
}

static void
write_hit (gpointer       data,
           CycJsonWriter *writer)
{
  const guint64 *offset = data;

  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_int_or_null (writer, "offset", *offset != G_MAXUINT64, (gint64) *offset);
  cyc_json_writer_end_object (writer);
}

static void
searched_cb (GObject      *source,
             GAsyncResult *result,
             gpointer      user_data)
{
  g_autoptr (GError) error = NULL;
  g_autofree guint64 *offset = g_new (guint64, 1);
  gboolean done = cyc_workspace_search_log_finish (CYC_WORKSPACE (source), result, offset, &error);

  answer (user_data, done ? g_steal_pointer (&offset) : NULL, g_free, write_hit, error);
}

/**
 * cyc_api_post_search:
 * @self: the router
 * @call: a call
 * @id: a sim
 * @rest: unused
 *
 * POST /api/sims/{id}/search (ours): `{"text": "...", "from": N|null, "backwards": false}`, answered with where the
 * text is in the log, in bytes, or null. No `from` is the end of the log.
 */
void
cyc_api_post_search (CycApi     *self,
                     CycApiCall *call,
                     const char *id,
                     const char *rest)
{
  g_autoptr (JsonNode) node = NULL;
  JsonObject *object = cyc_api_body_object (call, &node);
  CycLogSearch search = { .sim_id = id, .from = G_MAXUINT64 };
  gint64 from;

  if (object == NULL)
    return;
  search.text = cyc_json_get_string (object, "text");
  if (search.text == NULL)
    {
      cyc_api_call_reply_error (call, 422, "text: expected what to search for");
      return;
    }
  if (cyc_json_get_int (object, "from", &from))
    search.from = (guint64) MAX (from, 0);
  cyc_json_get_boolean (object, "backwards", &search.backwards);
  cyc_workspace_search_log_async (get_workspace (self), &search, NULL, searched_cb,
                                  cyc_api_request_new (self, call, id));
}

static void
write_failure (gpointer       data,
               CycJsonWriter *writer)
{
  cyc_failure_line_write_json (data, writer);
}

static void
failure_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autoptr (GError) error = NULL;
  CycFailureLine *line = cyc_workspace_load_failure_finish (CYC_WORKSPACE (source), result, &error);

  answer (user_data, line, (GDestroyNotify) cyc_failure_line_free, write_failure, error);
}

/**
 * cyc_api_get_failure:
 * @self: the router
 * @call: a call
 * @id: a sim that has ended
 * @rest: unused
 *
 * GET /api/sims/{id}/failure (ours): the line that its outcome goes by.
 */
void
cyc_api_get_failure (CycApi     *self,
                     CycApiCall *call,
                     const char *id,
                     const char *rest)
{
  cyc_workspace_load_failure_async (get_workspace (self), id, NULL, failure_cb, cyc_api_request_new (self, call, id));
}
