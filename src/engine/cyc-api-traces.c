/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-api-private.h"

#include <string.h>

#include "core/base/cyc-error.h"

/* /api/traces */

/**
 * cyc_api_list_traces:
 * @self: the router
 * @call: a call
 * @id: unused
 * @rest: unused
 *
 * GET /api/traces: a list of TraceSummary.
 */
void
cyc_api_list_traces (CycApi     *self,
                     CycApiCall *call,
                     const char *id,
                     const char *rest)
{
  g_autoptr (GPtrArray) traces = cyc_engine_list_trace_records (self->engine);
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);

  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < traces->len; i++)
    {
      cyc_json_writer_begin_object (writer);
      cyc_trace_record_write_fields (g_ptr_array_index (traces, i), writer);
      cyc_json_writer_end_object (writer);
    }
  cyc_json_writer_end_array (writer);
  cyc_api_reply_writer (call, 200, writer);
}

/**
 * cyc_api_write_trace_detail:
 * @trace: the trace
 * @metadata: (nullable): text of its metadata.json, an object
 * @launches: (element-type CycLaunchRecord): its kernel launches
 * @writer: where a TraceDetail is written
 */
void
cyc_api_write_trace_detail (const CycTraceRecord *trace,
                            const char           *metadata,
                            GPtrArray            *launches,
                            CycJsonWriter        *writer)
{
  cyc_json_writer_begin_object (writer);
  cyc_trace_record_write_fields (trace, writer);
  cyc_json_writer_key (writer, "metadata");
  if (metadata == NULL)
    cyc_json_writer_null (writer);
  else
    cyc_json_writer_raw (writer, metadata, strlen (metadata));
  cyc_json_writer_key (writer, "kernels");
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < launches->len; i++)
    cyc_launch_record_write_json (g_ptr_array_index (launches, i), writer);
  cyc_json_writer_end_array (writer);
  cyc_json_writer_end_object (writer);
}

static void
detail_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  CycApiRequest *request = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *metadata = NULL;
  g_autoptr (GPtrArray) launches =
    cyc_engine_query_launches_finish (request->engine, result, &metadata, &error);
  const CycTraceRecord *trace =
    launches == NULL ? NULL : cyc_engine_find_trace (request->engine, request->id, &error);

  if (trace == NULL)
    {
      cyc_api_call_reply_gerror (request->call, error);
    }
  else
    {
      g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);
      cyc_api_write_trace_detail (trace, metadata, launches, writer);
      cyc_api_reply_writer (request->call, 200, writer);
    }
  cyc_api_request_free (request);
}

static void
reply_detail (CycApiRequest *request)
{
  cyc_engine_query_launches (request->engine, request->id, detail_cb, request);
}

/**
 * cyc_api_get_trace:
 * @self: the router
 * @call: a call
 * @id: a trace
 * @rest: unused
 *
 * GET /api/traces/{id}: TraceDetail.
 */
void
cyc_api_get_trace (CycApi     *self,
                   CycApiCall *call,
                   const char *id,
                   const char *rest)
{
  g_autoptr (GError) error = NULL;

  if (cyc_engine_find_trace (self->engine, id, &error) == NULL)
    cyc_api_call_reply_gerror (call, error);
  else
    reply_detail (cyc_api_request_new (self, call, id));
}

static void
changed_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  CycApiRequest *request = user_data;
  g_autoptr (GError) error = NULL;

  if (cyc_engine_finish (CYC_ENGINE (source), result, &error))
    {
      reply_detail (request);
      return;
    }
  cyc_api_call_reply_gerror (request->call, error);
  cyc_api_request_free (request);
}

/**
 * cyc_api_import_trace:
 * @self: the router
 * @call: a call
 * @id: the new trace
 * @rest: unused
 *
 * POST /api/traces/{id}/import (ours): begins an import by a process of the same user, which then
 * fills the trace's folder and completes it. TraceDetail.
 */
void
cyc_api_import_trace (CycApi     *self,
                      CycApiCall *call,
                      const char *id,
                      const char *rest)
{
  g_autoptr (JsonNode) node = NULL;
  JsonObject *object = cyc_api_body_object (call, &node);
  gint64 pid = 0, start = 0;
  gboolean linked = FALSE;

  if (object == NULL)
    return;
  if (!cyc_json_get_int (object, "importer_pid", &pid) || pid <= 0 ||
      !cyc_json_get_int (object, "importer_start", &start) || start <= 0)
    {
      cyc_api_call_reply_error (call, 422, "importer_pid and importer_start: expected positive numbers");
      return;
    }
  cyc_json_get_boolean (object, "linked", &linked);
  cyc_engine_begin_trace (self->engine, id, pid, (guint64) start, linked, changed_cb,
                          cyc_api_request_new (self, call, id));
}

/**
 * cyc_api_complete_trace:
 * @self: the router
 * @call: a call
 * @id: a trace in uploading
 * @rest: unused
 *
 * POST /api/traces/{id}/complete: TraceDetail, now processing.
 */
void
cyc_api_complete_trace (CycApi     *self,
                        CycApiCall *call,
                        const char *id,
                        const char *rest)
{
  cyc_engine_complete_trace (self->engine, id, changed_cb, cyc_api_request_new (self, call, id));
}

/**
 * cyc_api_restore_trace:
 * @self: the router
 * @call: a call
 * @id: a removed trace
 * @rest: unused
 *
 * POST /api/traces/{id}/restore (ours): TraceDetail.
 */
void
cyc_api_restore_trace (CycApi     *self,
                       CycApiCall *call,
                       const char *id,
                       const char *rest)
{
  cyc_engine_restore_trace (self->engine, id, changed_cb, cyc_api_request_new (self, call, id));
}

/**
 * cyc_api_delete_trace:
 * @self: the router
 * @call: a call
 * @id: a trace
 * @rest: unused
 *
 * DELETE /api/traces/{id}: 204. With `now=true` its files go at once, else it can be restored.
 */
void
cyc_api_delete_trace (CycApi     *self,
                      CycApiCall *call,
                      const char *id,
                      const char *rest)
{
  const char *now = cyc_api_call_get_query (call, "now");
  gboolean for_good = now != NULL && (strcmp (now, "true") == 0 || strcmp (now, "1") == 0);

  cyc_engine_remove_trace (self->engine, id, for_good, cyc_api_empty_cb, cyc_api_request_new (self, call, id));
}

static void
stored_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  CycApiRequest *request = user_data;
  g_autoptr (GError) error = NULL;

  if (cyc_api_call_commit_upload_finish (result, &error))
    {
      g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);
      cyc_json_writer_begin_object (writer);
      cyc_json_writer_key (writer, "size");
      cyc_json_writer_uint (writer, cyc_api_upload_get_size (cyc_api_call_get_upload (request->call)));
      cyc_json_writer_end_object (writer);
      cyc_api_reply_writer (request->call, 200, writer);
    }
  else
    {
      cyc_api_call_reply_gerror (request->call, error);
    }
  cyc_api_request_free (request);
}

static void
ensured_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  CycApiRequest *request = user_data;
  g_autoptr (GError) error = NULL;

  if (cyc_engine_finish (CYC_ENGINE (source), result, &error))
    {
      CycApiUpload *upload = cyc_api_call_get_upload (request->call);
      if (cyc_api_upload_is_whole (upload))
        {
          cyc_api_call_commit_upload_async (request->call, stored_cb, request);
          return;
        }
      cyc_api_call_reply_offset (request->call, 202, cyc_api_upload_get_size (upload), FALSE);
      cyc_api_request_free (request);
      return;
    }
  cyc_api_call_reply_gerror (request->call, error);
  cyc_api_request_free (request);
}

/**
 * cyc_api_put_trace_file:
 * @self: the router
 * @call: a call whose body lies in a temporary file
 * @id: a trace, created by its first file
 * @rest: the file's path in the trace
 *
 * PUT /api/traces/{id}/files/{path}: the stored size.
 */
void
cyc_api_put_trace_file (CycApi     *self,
                        CycApiCall *call,
                        const char *id,
                        const char *rest)
{
  cyc_engine_ensure_trace (self->engine, id, ensured_cb, cyc_api_request_new (self, call, id));
}
