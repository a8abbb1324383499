/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-api.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-file.h"
#include "core/base/cyc-name.h"
#include "core/base/cyc-task.h"
#include "engine/cyc-api-private.h"
#include "engine/cyc-api-types.h"
#include "engine/cyc-api-upload.h"

/**
 * cyc_api_new:
 * @engine: the engine
 *
 * A router of requests to the engine: what the HTTP server and the command line both call. Main
 * thread.
 *
 * Returns: (transfer full): a router
 */
CycApi *
cyc_api_new (CycEngine *engine)
{
  g_return_val_if_fail (CYC_IS_ENGINE (engine), NULL);

  CycApi *self = g_new0 (CycApi, 1);
  self->engine = g_object_ref (engine);
  return self;
}

/**
 * cyc_api_free:
 * @self: (transfer full): a router
 */
void
cyc_api_free (CycApi *self)
{
  g_return_if_fail (self != NULL);

  cyc_api_end_streams (self);
  g_clear_object (&self->workspace);
  g_object_unref (self->engine);
  g_free (self);
}

/**
 * cyc_api_set_insecure:
 * @self: a router
 * @insecure: other machines reach the API, and nothing is encrypted: `GET /api/health` says so
 */
void
cyc_api_set_insecure (CycApi   *self,
                      gboolean  insecure)
{
  g_return_if_fail (self != NULL);

  self->insecure = insecure;
}

/**
 * cyc_api_request_new:
 * @self: the router
 * @call: a call that is answered later
 * @id: (nullable): what it is about
 *
 * Returns: (transfer full): what the answer's callback needs
 */
CycApiRequest *
cyc_api_request_new (CycApi     *self,
                     CycApiCall *call,
                     const char *id)
{
  CycApiRequest *request = g_new0 (CycApiRequest, 1);
  request->api = self;
  request->engine = g_object_ref (self->engine);
  request->call = cyc_api_call_ref (call);
  request->id = g_strdup (id);
  return request;
}

/**
 * cyc_api_request_free:
 * @self: (transfer full): a request
 */
void
cyc_api_request_free (CycApiRequest *self)
{
  g_object_unref (self->engine);
  cyc_api_call_unref (self->call);
  g_free (self->id);
  g_free (self);
}

/**
 * cyc_api_reply_writer:
 * @call: a call
 * @status: HTTP status
 * @writer: a finished writer without a sink
 *
 * Answers with what was written.
 */
void
cyc_api_reply_writer (CycApiCall    *call,
                      guint          status,
                      CycJsonWriter *writer)
{
  cyc_api_call_reply_json (call, status, cyc_json_writer_steal (writer));
}

/**
 * cyc_api_body_object:
 * @call: a call
 * @out_node: (out) (transfer full): keeps the object alive
 *
 * Reads the body as a JSON object. What is not JSON is answered with 400, what is no object with
 * 422.
 *
 * Returns: (transfer none) (nullable): the object; %NULL if the call was answered
 */
JsonObject *
cyc_api_body_object (CycApiCall  *call,
                     JsonNode   **out_node)
{
  GBytes *body = cyc_api_call_get_body (call);
  g_autoptr (GError) error = NULL;
  gsize len = 0;
  const char *text = body == NULL ? "" : g_bytes_get_data (body, &len);

  *out_node = cyc_json_parse (text == NULL ? "" : text, len, NULL, &error);
  if (*out_node == NULL)
    {
      cyc_api_call_reply_error (call, 400, error->message);
      return NULL;
    }
  JsonObject *object = cyc_json_node_get_object (*out_node);
  if (object == NULL)
    cyc_api_call_reply_error (call, 422, "the body: expected an object");
  return object;
}

/**
 * cyc_api_empty_cb:
 * @source: the engine
 * @result: of a change
 * @user_data: (transfer full): the #CycApiRequest
 *
 * Answers a change that has nothing to tell: 204, or why not.
 */
void
cyc_api_empty_cb (GObject      *source,
                  GAsyncResult *result,
                  gpointer      user_data)
{
  CycApiRequest *request = user_data;
  g_autoptr (GError) error = NULL;

  if (cyc_engine_finish (request->engine, result, &error))
    cyc_api_call_reply_empty (request->call);
  else
    cyc_api_call_reply_gerror (request->call, error);
  cyc_api_request_free (request);
}

static gboolean
match (const char         *pattern,
       const char *const  *segments,
       const char        **out_id,
       char              **out_rest)
{
  g_auto (GStrv) parts = g_strsplit (pattern, "/", -1);
  guint i;

  *out_id = NULL;
  *out_rest = NULL;
  for (i = 0; parts[i] != NULL; i++)
    {
      if (segments[i] == NULL)
        return FALSE;
      if (strcmp (parts[i], "**") == 0)
        {
          *out_rest = g_strjoinv ("/", (char **) segments + i);
          return TRUE;
        }
      if (strcmp (parts[i], "*") != 0)
        {
          if (strcmp (parts[i], segments[i]) != 0)
            return FALSE;
        }
      else if (*out_id == NULL)
        *out_id = segments[i];
      else
        *out_rest = g_strdup (segments[i]);
    }
  if (segments[i] == NULL)
    return TRUE;
  g_clear_pointer (out_rest, g_free);
  return FALSE;
}

/**
 * cyc_api_dispatch:
 * @self: the router
 * @call: a request, its role checked
 *
 * Answers the call, now or later.
 */
void
cyc_api_dispatch (CycApi     *self,
                  CycApiCall *call)
{
  const char *const *segments = cyc_api_call_get_segments (call);
  const char *method = cyc_api_call_is_head (call) ? "HEAD" : cyc_api_call_get_method (call);
  g_autoptr (GString) allowed = g_string_new (NULL);
  guint n;
  const CycApiRoute *routes = cyc_api_list_routes (&n);

  for (guint i = 0; i < n; i++)
    {
      const char *id;
      char *rest_found;
      if (!match (routes[i].pattern, segments, &id, &rest_found))
        continue;
      g_autofree char *rest = rest_found;
      if (strcmp (routes[i].method, method) == 0 ||
          (strcmp (method, "HEAD") == 0 && strcmp (routes[i].method, "GET") == 0))
        {
          routes[i].handler (self, call, id, rest);
          return;
        }
      g_string_append_printf (allowed, "%s%s", allowed->len > 0 ? ", " : "", routes[i].method);
    }
  if (allowed->len > 0)
    cyc_api_call_reply_not_allowed (call, allowed->str);
  else
    cyc_api_call_reply_error (call, 404, "no such path");
}

/**
 * cyc_api_get_health:
 * @self: the router
 * @call: a call
 * @id: unused
 * @rest: unused
 *
 * GET /api/health: who this is. Needs no token.
 */
void
cyc_api_get_health (CycApi     *self,
                    CycApiCall *call,
                    const char *id,
                    const char *rest)
{
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);

  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_string (writer, "name", "cyclescope");
  cyc_json_writer_put_string (writer, "version", CYC_VERSION);
  cyc_json_writer_put_string (writer, "workspace_id", cyc_engine_get_workspace_id (self->engine));
  cyc_json_writer_put_int (writer, "pid", getpid ());
  cyc_json_writer_put_boolean (writer, "insecure", self->insecure);
  cyc_json_writer_end_object (writer);
  cyc_api_reply_writer (call, 200, writer);
}

static void
configs_thread (GTask        *task,
                gpointer      source,
                gpointer      data,
                GCancellable *cancellable)
{
  CycApiRequest *request = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (CycGpuConfigs) configs = cyc_engine_load_configs (request->engine, NULL, &error);

  if (configs == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);
  cyc_gpu_configs_write_json (configs, writer);
  g_task_return_pointer (task, cyc_json_writer_steal (writer), NULL);
}

static void
configs_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  CycApiRequest *request = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  GString *text = g_task_propagate_pointer (G_TASK (result), &error);

  if (text != NULL)
    cyc_api_call_reply_json (request->call, 200, text);
  else
    cyc_api_call_reply_gerror (request->call, error);
}

/**
 * cyc_api_get_configs:
 * @self: the router
 * @call: a call
 * @id: unused
 * @rest: unused
 *
 * GET /api/gpu-configs: a list of GpuConfig.
 */
void
cyc_api_get_configs (CycApi     *self,
                     CycApiCall *call,
                     const char *id,
                     const char *rest)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, configs_cb, NULL);

  g_task_set_source_tag (task, cyc_api_get_configs);
  g_task_set_task_data (task, cyc_api_request_new (self, call, NULL),
                        (GDestroyNotify) cyc_api_request_free);
  cyc_task_run_in_thread (task, configs_thread);
}

static gboolean
check_trace_file (const char  *id,
                  const char  *path,
                  GError     **error)
{
  g_autofree char *name = g_path_get_basename (path);

  if (!cyc_name_is_plain (id))
    cyc_error_set_at (error, CYC_ERROR_INPUT, NULL, 0,
                      "bad path: the id of a trace is made of letters, digits, '.', '_' and '-', at most 255");
  else if (!cyc_name_is_safe_path (path))
    cyc_error_set_at (error, CYC_ERROR_INPUT, NULL, 0,
                      "bad path: a component of it is over 255 bytes, or all of it over 4096");
  else if (cyc_api_upload_is_part_name (name))
    cyc_error_set_at (error, CYC_ERROR_INPUT, NULL, 0,
                      "bad path: '%s' is a name for unfinished uploads", name);
  else
    return TRUE;
  return FALSE;
}

static gboolean
place_trace_file (CycApi      *self,
                  const char  *id,
                  const char  *path,
                  char       **out_target,
                  GError     **error)
{
  if (!check_trace_file (id, path, error) || !cyc_engine_check_upload (self->engine, id, error))
    return FALSE;
  g_autofree char *folder = cyc_engine_get_trace_folder (self->engine, id);
  g_autofree char *target = g_build_filename (folder, path, NULL);
  g_autofree char *parent = g_path_get_dirname (target);
  g_autoptr (GError) local = NULL;
  if (!cyc_file_make_folder (parent, 0700, &local))
    {
      /* A file of the trace lies where a folder would be. */
      if (g_error_matches (local, CYC_ERROR, CYC_ERROR_NOT_FOUND))
        cyc_error_set_at (error, CYC_ERROR_STATE, NULL, 0, "'%s' lies below a file of the trace", path);
      else
        g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  if (g_file_test (target, G_FILE_TEST_IS_DIR))
    {
      cyc_error_set_at (error, CYC_ERROR_STATE, NULL, 0, "'%s' is a folder of the trace", path);
      return FALSE;
    }
  *out_target = g_steal_pointer (&target);
  return TRUE;
}

/**
 * cyc_api_head_trace_file:
 * @self: the router
 * @call: a call
 * @id: a trace, there or not yet
 * @rest: the file's path in the trace
 *
 * HEAD /api/traces/{id}/files/{path}: how much of the file has come, or why no more of it may.
 */
void
cyc_api_head_trace_file (CycApi     *self,
                         CycApiCall *call,
                         const char *id,
                         const char *rest)
{
  g_autoptr (GError) error = NULL;
  gboolean whole;

  if (!check_trace_file (id, rest, &error))
    {
      cyc_api_call_reply_gerror (call, error);
      return;
    }
  g_autofree char *folder = cyc_engine_get_trace_folder (self->engine, id);
  g_autofree char *target = g_build_filename (folder, rest, NULL);
  guint64 offset = cyc_api_upload_find_offset (target, &whole);
  if (whole || cyc_engine_check_upload (self->engine, id, &error))
    cyc_api_call_reply_offset (call, 200, offset, whole);
  else
    cyc_api_call_reply_gerror (call, error);
}

static gboolean
place_sim_file (CycApi      *self,
                const char  *id,
                const char  *name,
                char       **out_target,
                GError     **error)
{
  if (cyc_engine_find_sim (self->engine, id, error) == NULL)
    return FALSE;
  if (!cyc_name_is_output_file (name))
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, NULL, 0,
                        "bad path: the name of a file must match ^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$");
      return FALSE;
    }
  g_autofree char *folder = cyc_engine_get_sim_folder (self->engine, id);
  g_autofree char *files = g_build_filename (folder, "files", NULL);
  g_autoptr (GError) local = NULL;
  if (cyc_file_make_folder (files, 0700, &local))
    {
      *out_target = g_build_filename (files, name, NULL);
      return TRUE;
    }
  /* "Not found" would tell the worker that nobody knows its sim. */
  if (g_error_matches (local, CYC_ERROR, CYC_ERROR_NOT_FOUND))
    local->code = CYC_ERROR_FAILED;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

/**
 * cyc_api_begin_upload:
 * @self: the router
 * @call: a PUT whose body has not been read
 * @out_target: (out) (transfer full): where the file will be
 * @out_max_bytes: (out): its largest size; what the disk holds is the server's business
 * @error: (nullable): return location for an error, which is answered
 *
 * Returns: %TRUE if the body may come
 */
gboolean
cyc_api_begin_upload (CycApi      *self,
                      CycApiCall  *call,
                      char       **out_target,
                      guint64     *out_max_bytes,
                      GError     **error)
{
  const char *const *segments = cyc_api_call_get_segments (call);
  const char *id;
  char *found;

  *out_max_bytes = G_MAXUINT64;
  if (match ("api/traces/*/files/**", segments, &id, &found))
    {
      g_autofree char *path = found;
      return place_trace_file (self, id, path, out_target, error);
    }
  if (match ("api/sims/*/files/*", segments, &id, &found))
    {
      g_autofree char *name = found;
      return place_sim_file (self, id, name, out_target, error);
    }
  cyc_error_set_at (error, CYC_ERROR_NOT_FOUND, NULL, 0, "no such path");
  return FALSE;
}
