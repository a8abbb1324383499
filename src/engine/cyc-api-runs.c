/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-api-private.h"

#include <string.h>

#include "core/base/cyc-error.h"

/* /api/runs but for the results */

/**
 * cyc_api_list_runs:
 * @self: the router
 * @call: a call
 * @id: unused
 * @rest: unused
 *
 * GET /api/runs: a list of RunSummary.
 */
void
cyc_api_list_runs (CycApi     *self,
                   CycApiCall *call,
                   const char *id,
                   const char *rest)
{
  g_autoptr (GPtrArray) runs = cyc_engine_list_run_records (self->engine);
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);

  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < runs->len; i++)
    {
      cyc_json_writer_begin_object (writer);
      cyc_run_record_write_fields (g_ptr_array_index (runs, i), writer);
      cyc_json_writer_end_object (writer);
    }
  cyc_json_writer_end_array (writer);
  cyc_api_reply_writer (call, 200, writer);
}

/**
 * cyc_api_write_run_detail:
 * @engine: the engine
 * @run_id: a run that is there
 * @writer: where RunDetail is written
 */
void
cyc_api_write_run_detail (CycEngine     *engine,
                          const char    *run_id,
                          CycJsonWriter *writer)
{
  const CycRunRecord *run = cyc_engine_find_run (engine, run_id, NULL);
  const CycTraceRecord *trace = cyc_engine_find_run_trace (engine, run->trace_id);
  g_autoptr (GPtrArray) sims = cyc_engine_list_sim_records (engine, run_id);

  cyc_json_writer_begin_object (writer);
  cyc_run_record_write_fields (run, writer);
  cyc_json_writer_key (writer, "trace");
  if (trace != NULL)
    {
      cyc_json_writer_begin_object (writer);
      cyc_trace_record_write_fields (trace, writer);
      cyc_json_writer_end_object (writer);
    }
  else
    {
      cyc_json_writer_null (writer);
    }
  cyc_json_writer_key (writer, "sims");
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < sims->len; i++)
    cyc_sim_record_write_json (g_ptr_array_index (sims, i), writer);
  cyc_json_writer_end_array (writer);
  cyc_json_writer_end_object (writer);
}

static void
reply_detail (CycApiRequest *request,
              guint          status)
{
  g_autoptr (GError) error = NULL;

  if (cyc_engine_find_run (request->engine, request->id, &error) == NULL)
    {
      cyc_api_call_reply_gerror (request->call, error);
      return;
    }
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);
  cyc_api_write_run_detail (request->engine, request->id, writer);
  cyc_api_reply_writer (request->call, status, writer);
}

/**
 * cyc_api_get_run:
 * @self: the router
 * @call: a call
 * @id: a run
 * @rest: unused
 *
 * GET /api/runs/{id}: RunDetail.
 */
void
cyc_api_get_run (CycApi     *self,
                 CycApiCall *call,
                 const char *id,
                 const char *rest)
{
  CycApiRequest *request = cyc_api_request_new (self, call, id);

  reply_detail (request, 200);
  cyc_api_request_free (request);
}

static gboolean
read_entry (JsonNode      *node,
            guint          index,
            gboolean       any_count,
            CycRunRequest *request,
            char         **out_error)
{
  JsonObject *object = cyc_json_node_get_object (node);
  const char *config = cyc_json_get_string (object, "gpu_config");
  gint64 count = 0;

  if (config == NULL || *config == '\0')
    *out_error = g_strdup_printf ("entries[%u].gpu_config: expected the name of a configuration", index);
  else if (!cyc_json_get_int (object, "count", &count) || count < 0 || count > G_MAXINT ||
           (!any_count && (count < 1 || count > CYC_RUN_MAX_COUNT)))
    *out_error = g_strdup_printf ("entries[%u].count: expected an integer from 1 to %d", index,
                                  CYC_RUN_MAX_COUNT);
  else
    g_ptr_array_add (request->entries, cyc_run_entry_new (config, (guint) count));
  return *out_error == NULL;
}

static gboolean
read_entries (JsonObject    *object,
              gboolean       any_count,
              CycRunRequest *request,
              char         **out_error)
{
  JsonArray *entries = cyc_json_get_array (object, "entries");

  if (entries == NULL || json_array_get_length (entries) == 0)
    {
      *out_error = g_strdup ("entries: expected a list of at least one {gpu_config, count}");
      return FALSE;
    }
  for (guint i = 0; i < json_array_get_length (entries); i++)
    if (!read_entry (json_array_get_element (entries, i), i, any_count, request, out_error))
      return FALSE;
  return TRUE;
}

static gboolean
read_optional_text (JsonObject  *object,
                    const char  *member,
                    char       **field,
                    char       **out_error)
{
  if (!json_object_has_member (object, member) || json_object_get_null_member (object, member))
    return TRUE;
  *field = g_strdup (cyc_json_get_string (object, member));
  if (*field == NULL)
    *out_error = g_strdup_printf ("%s: expected a text or null", member);
  return *field != NULL;
}

static gboolean
read_options (JsonObject    *object,
              CycRunRequest *request,
              char         **out_error)
{
  g_autoptr (GStrvBuilder) options = g_strv_builder_new ();
  JsonArray *list = cyc_json_get_array (object, "options");

  if (!json_object_has_member (object, "options") || json_object_get_null_member (object, "options"))
    return TRUE;
  for (guint i = 0; list != NULL && i < json_array_get_length (list); i++)
    {
      const char *option = cyc_json_node_get_string (json_array_get_element (list, i));
      if (option == NULL)
        list = NULL;
      else
        g_strv_builder_add (options, option);
    }
  if (list == NULL)
    {
      *out_error = g_strdup ("options: expected a list of texts \"-name value\"");
      return FALSE;
    }
  g_strfreev (request->options);
  request->options = g_strv_builder_end (options);
  return TRUE;
}

static gboolean
read_force (JsonObject    *object,
            CycRunRequest *request,
            char         **out_error)
{
  if (!json_object_has_member (object, "force_arch") ||
      json_object_get_null_member (object, "force_arch") ||
      cyc_json_get_boolean (object, "force_arch", &request->force_arch))
    return TRUE;
  *out_error = g_strdup ("force_arch: expected true or false");
  return FALSE;
}

/**
 * cyc_api_read_run_request:
 * @object: (nullable): a RunCreate
 * @any_count: counts that no run can have are let through: whoever checks a request tells them
 * @out_error: (out) (transfer full): which field is wrong, and how
 *
 * Returns: (transfer full) (nullable): the request
 */
CycRunRequest *
cyc_api_read_run_request (JsonObject  *object,
                          gboolean     any_count,
                          char       **out_error)
{
  g_autoptr (CycRunRequest) request = cyc_run_request_new ();

  request->trace_id = g_strdup (cyc_json_get_string (object, "trace_id"));
  if (request->trace_id == NULL)
    {
      *out_error = g_strdup ("trace_id: expected the id of a trace");
      return NULL;
    }
  if (!read_entries (object, any_count, request, out_error) ||
      !read_optional_text (object, "launcher", &request->launcher, out_error) ||
      !read_optional_text (object, "simulator", &request->simulator, out_error) ||
      !read_options (object, request, out_error) || !read_force (object, request, out_error))
    return NULL;
  return g_steal_pointer (&request);
}

static void
created_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  CycApiRequest *request = user_data;
  g_autoptr (GError) error = NULL;

  request->id = cyc_engine_create_run_finish (request->engine, result, &error);
  if (request->id != NULL)
    reply_detail (request, 201);
  else
    cyc_api_call_reply_gerror (request->call, error);
  cyc_api_request_free (request);
}

/**
 * cyc_api_post_run:
 * @self: the router
 * @call: a call
 * @id: unused
 * @rest: unused
 *
 * POST /api/runs: 201 and RunDetail.
 */
void
cyc_api_post_run (CycApi     *self,
                  CycApiCall *call,
                  const char *id,
                  const char *rest)
{
  g_autoptr (JsonNode) node = NULL;
  JsonObject *object = cyc_api_body_object (call, &node);
  g_autofree char *error = NULL;
  g_autoptr (CycRunRequest) request = object == NULL ? NULL : cyc_api_read_run_request (object, FALSE, &error);

  if (object == NULL)
    return;
  if (request == NULL)
    {
      cyc_api_call_reply_error (call, 422, error);
      return;
    }
  cyc_engine_create_run (self->engine, request, created_cb, cyc_api_request_new (self, call, NULL));
}

static void
cancelled_cb (GObject      *source,
              GAsyncResult *result,
              gpointer      user_data)
{
  CycApiRequest *request = user_data;
  g_autoptr (GError) error = NULL;

  if (cyc_engine_finish (request->engine, result, &error))
    reply_detail (request, 200);
  else
    cyc_api_call_reply_gerror (request->call, error);
  cyc_api_request_free (request);
}

/**
 * cyc_api_cancel_run:
 * @self: the router
 * @call: a call
 * @id: a run
 * @rest: unused
 *
 * POST /api/runs/{id}/cancel: RunDetail.
 */
void
cyc_api_cancel_run (CycApi     *self,
                    CycApiCall *call,
                    const char *id,
                    const char *rest)
{
  cyc_engine_cancel_run (self->engine, id, cancelled_cb, cyc_api_request_new (self, call, id));
}

/**
 * cyc_api_delete_run:
 * @self: the router
 * @call: a call
 * @id: a run
 * @rest: unused
 *
 * DELETE /api/runs/{id}: 204.
 */
void
cyc_api_delete_run (CycApi     *self,
                    CycApiCall *call,
                    const char *id,
                    const char *rest)
{
  cyc_engine_remove_run (self->engine, id, cyc_api_empty_cb, cyc_api_request_new (self, call, id));
}

static void
files_cb (GObject      *source,
          GAsyncResult *result,
          gpointer      user_data)
{
  CycApiRequest *request = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) files = cyc_engine_query_files_finish (request->engine, result, &error);

  if (files == NULL)
    {
      cyc_api_call_reply_gerror (request->call, error);
    }
  else
    {
      g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);
      cyc_json_writer_begin_array (writer);
      for (guint i = 0; i < files->len; i++)
        cyc_file_record_write_json (g_ptr_array_index (files, i), TRUE, writer);
      cyc_json_writer_end_array (writer);
      cyc_api_reply_writer (request->call, 200, writer);
    }
  cyc_api_request_free (request);
}

static gboolean
refuse_unknown (CycApi     *self,
                CycApiCall *call,
                const char *id)
{
  g_autoptr (GError) error = NULL;

  if (cyc_engine_find_run (self->engine, id, &error) != NULL)
    return FALSE;
  cyc_api_call_reply_gerror (call, error);
  return TRUE;
}

/**
 * cyc_api_list_run_files:
 * @self: the router
 * @call: a call
 * @id: a run
 * @rest: unused
 *
 * GET /api/runs/{id}/files: a list of RunFile.
 */
void
cyc_api_list_run_files (CycApi     *self,
                        CycApiCall *call,
                        const char *id,
                        const char *rest)
{
  if (!refuse_unknown (self, call, id))
    cyc_engine_query_files (self->engine, id, files_cb, cyc_api_request_new (self, call, id));
}

static void
timelines_cb (GObject      *source,
              GAsyncResult *result,
              gpointer      user_data)
{
  CycApiRequest *request = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = cyc_engine_query_timelines_finish (request->engine, result, &error);

  if (text != NULL)
    cyc_api_call_reply_json (request->call, 200, g_string_new (text));
  else
    cyc_api_call_reply_gerror (request->call, error);
  cyc_api_request_free (request);
}

/**
 * cyc_api_list_timelines:
 * @self: the router
 * @call: a call
 * @id: a run
 * @rest: unused
 *
 * GET /api/runs/{id}/step-timelines: a list of SimStepTimeline.
 */
void
cyc_api_list_timelines (CycApi     *self,
                        CycApiCall *call,
                        const char *id,
                        const char *rest)
{
  if (!refuse_unknown (self, call, id))
    cyc_engine_query_timelines (self->engine, id, timelines_cb, cyc_api_request_new (self, call, id));
}
