/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-api-private.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-name.h"

/* /api/sims: what simulators send, and what they sent. */

static gboolean
read_state (CycApiCall   *call,
            JsonObject   *object,
            CycHeartbeat *heartbeat)
{
  const char *word = cyc_json_get_string (object, "state");

  if (word != NULL && cyc_sim_state_from_string (word, &heartbeat->state) &&
      (heartbeat->state == CYC_SIM_RUNNING || heartbeat->state == CYC_SIM_SUCCEEDED ||
       heartbeat->state == CYC_SIM_FAILED))
    return TRUE;
  cyc_api_call_reply_error (call, 422, "state: expected running, succeeded or failed");
  return FALSE;
}

static gboolean
is_null_or_missing (JsonObject *object,
                    const char *member)
{
  return !json_object_has_member (object, member) || json_object_get_null_member (object, member);
}

static gboolean
read_heartbeat (CycApiCall   *call,
                JsonObject   *object,
                CycHeartbeat *heartbeat)
{
  gint64 exit_code = 0;

  if (!read_state (call, object, heartbeat))
    return FALSE;
  if (!is_null_or_missing (object, "exit_code"))
    {
      if (!cyc_json_get_int (object, "exit_code", &exit_code) || exit_code < G_MININT32 ||
          exit_code > G_MAXINT32)
        {
          cyc_api_call_reply_error (call, 422, "exit_code: expected an integer or null");
          return FALSE;
        }
      heartbeat->has_exit = TRUE;
      heartbeat->exit_code = (int) exit_code;
    }
  heartbeat->error = (char *) cyc_json_get_string (object, "error");
  if (heartbeat->error == NULL && !is_null_or_missing (object, "error"))
    {
      cyc_api_call_reply_error (call, 422, "error: expected a text or null");
      return FALSE;
    }
  heartbeat->note = (char *) cyc_json_get_string (object, "note");
  cyc_json_get_boolean (object, "worker", &heartbeat->from_worker);
  return TRUE;
}

static void
heard_cb (GObject      *source,
          GAsyncResult *result,
          gpointer      user_data)
{
  CycApiRequest *request = user_data;
  g_autoptr (GError) error = NULL;
  const CycSimRecord *sim = NULL;

  if (cyc_engine_finish (request->engine, result, &error))
    sim = cyc_engine_find_sim (request->engine, request->id, &error);
  if (sim != NULL)
    {
      g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);
      cyc_json_writer_begin_object (writer);
      cyc_json_writer_put_string (writer, "state", cyc_sim_state_to_string (sim->state));
      cyc_json_writer_put_boolean (writer, "cancel", sim->state == CYC_SIM_CANCELLED);
      cyc_json_writer_end_object (writer);
      cyc_api_reply_writer (request->call, 200, writer);
    }
  else
    {
      cyc_api_call_reply_gerror (request->call, error);
    }
  cyc_api_request_free (request);
}

/**
 * cyc_api_post_heartbeat:
 * @self: the router
 * @call: a call
 * @id: a sim
 * @rest: unused
 *
 * POST /api/sims/{id}/heartbeat: HeartbeatAck.
 */
void
cyc_api_post_heartbeat (CycApi     *self,
                        CycApiCall *call,
                        const char *id,
                        const char *rest)
{
  g_autoptr (JsonNode) node = NULL;
  JsonObject *object = cyc_api_body_object (call, &node);
  CycHeartbeat heartbeat = { 0 };

  if (object == NULL || !read_heartbeat (call, object, &heartbeat))
    return;
  cyc_engine_heartbeat (self->engine, id, &heartbeat, heard_cb, cyc_api_request_new (self, call, id));
}

static void
posted_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  CycApiRequest *request = user_data;
  g_autoptr (GError) error = NULL;
  guint64 next_seq;

  gboolean ok = cyc_engine_post_log_finish (request->engine, result, &next_seq, &error);
  g_autofree char *member = g_strdup_printf ("\"next_seq\":%" G_GUINT64_FORMAT, next_seq);
  if (ok)
    {
      GString *text = g_string_new (NULL);
      g_string_printf (text, "{%s}", member);
      cyc_api_call_reply_json (request->call, 200, text);
    }
  else if (g_error_matches (error, CYC_ERROR, CYC_ERROR_STATE))
    {
      cyc_api_call_reply_error_with (request->call, 409, error->message, member);
    }
  else
    {
      cyc_api_call_reply_gerror (request->call, error);
    }
  cyc_api_request_free (request);
}

/**
 * cyc_api_post_log:
 * @self: the router
 * @call: a call
 * @id: a sim
 * @rest: unused
 *
 * POST /api/sims/{id}/logs: next_seq, once the chunk is on disk. A gap is a 409 with next_seq.
 */
void
cyc_api_post_log (CycApi     *self,
                  CycApiCall *call,
                  const char *id,
                  const char *rest)
{
  GBytes *body = cyc_api_call_get_body (call);
  g_autoptr (GBytes) empty = g_bytes_new_static ("", 0);

  cyc_engine_post_log (self->engine, id, body != NULL ? body : empty, posted_cb,
                       cyc_api_request_new (self, call, id));
}

/**
 * cyc_api_post_timeline:
 * @self: the router
 * @call: a call
 * @id: a sim
 * @rest: unused
 *
 * POST /api/sims/{id}/step-timeline: 204.
 */
void
cyc_api_post_timeline (CycApi     *self,
                       CycApiCall *call,
                       const char *id,
                       const char *rest)
{
  g_autoptr (JsonNode) node = NULL;
  JsonObject *object = cyc_api_body_object (call, &node);

  if (object == NULL)
    return;
  if (cyc_json_get_object (object, "simulated") == NULL)
    {
      cyc_api_call_reply_error (call, 422, "simulated: expected an object");
      return;
    }
  if (!is_null_or_missing (object, "compare") && cyc_json_get_object (object, "compare") == NULL)
    {
      cyc_api_call_reply_error (call, 422, "compare: expected an object or null");
      return;
    }
  g_autofree char *simulated = json_to_string (json_object_get_member (object, "simulated"), FALSE);
  g_autofree char *compare = is_null_or_missing (object, "compare")
                               ? NULL
                               : json_to_string (json_object_get_member (object, "compare"), FALSE);
  cyc_engine_put_timeline (self->engine, id, simulated, compare, cyc_api_empty_cb,
                           cyc_api_request_new (self, call, id));
}

typedef struct
{
  CycApiRequest *request;
  char          *name;
} Stored;

static gboolean
same_file (gconstpointer item,
           gconstpointer data)
{
  const CycFileRecord *file = item;
  const Stored *stored = data;

  return strcmp (file->sim_id, stored->request->id) == 0 && strcmp (file->name, stored->name) == 0;
}

static void
stored_free (Stored *stored)
{
  cyc_api_request_free (stored->request);
  g_free (stored->name);
  g_free (stored);
}

/* The file that the request is about among those of its run; answered if there is none. */
static const CycFileRecord *
find_file (Stored    *stored,
           GPtrArray *files,
           GError    *error)
{
  CycApiCall *call = stored->request->call;
  guint index;

  if (files == NULL)
    cyc_api_call_reply_gerror (call, error);
  else if (!g_ptr_array_find_with_equal_func (files, stored, same_file, &index))
    cyc_api_call_reply_error (call, 404, "no such file");
  else
    return g_ptr_array_index (files, index);
  return NULL;
}

static void
stored_file_cb (GObject      *source,
                GAsyncResult *result,
                gpointer      user_data)
{
  Stored *stored = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) files =
    cyc_engine_query_files_finish (stored->request->engine, result, &error);
  const CycFileRecord *file = find_file (stored, files, error);

  if (file != NULL)
    {
      g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);
      cyc_file_record_write_json (file, FALSE, writer);
      cyc_api_reply_writer (stored->request->call, 200, writer);
    }
  stored_free (stored);
}

static void
put_cb (GObject      *source,
        GAsyncResult *result,
        gpointer      user_data)
{
  Stored *stored = user_data;
  CycEngine *engine = stored->request->engine;
  g_autoptr (GError) error = NULL;
  const CycSimRecord *sim = NULL;

  if (cyc_engine_finish (engine, result, &error))
    sim = cyc_engine_find_sim (engine, stored->request->id, &error);
  if (sim != NULL)
    {
      cyc_engine_query_files (engine, sim->run_id, stored_file_cb, stored);
      return;
    }
  cyc_api_call_reply_gerror (stored->request->call, error);
  stored_free (stored);
}

static void
committed_cb (GObject      *source,
              GAsyncResult *result,
              gpointer      user_data)
{
  Stored *stored = user_data;
  g_autoptr (GError) error = NULL;
  guint64 size = cyc_api_upload_get_size (cyc_api_call_get_upload (stored->request->call));

  if (cyc_api_call_commit_upload_finish (result, &error))
    {
      cyc_engine_put_file (stored->request->engine, stored->request->id, stored->name, size, put_cb,
                           stored);
      return;
    }
  cyc_api_call_reply_gerror (stored->request->call, error);
  stored_free (stored);
}

/**
 * cyc_api_put_sim_file:
 * @self: the router
 * @call: a call whose body lies in a temporary file
 * @id: a sim
 * @rest: the file's name
 *
 * PUT /api/sims/{id}/files/{name}: SimFile. A file put again replaces the first.
 */
void
cyc_api_put_sim_file (CycApi     *self,
                      CycApiCall *call,
                      const char *id,
                      const char *rest)
{
  g_autoptr (GError) error = NULL;

  if (cyc_engine_find_sim (self->engine, id, &error) == NULL)
    {
      cyc_api_call_reply_gerror (call, error);
      return;
    }
  CycApiUpload *upload = cyc_api_call_get_upload (call);
  if (!cyc_api_upload_is_whole (upload))
    {
      cyc_api_call_reply_offset (call, 202, cyc_api_upload_get_size (upload), FALSE);
      return;
    }
  Stored *stored = g_new0 (Stored, 1);
  stored->request = cyc_api_request_new (self, call, id);
  stored->name = g_strdup (rest);
  cyc_api_call_commit_upload_async (call, committed_cb, stored);
}

static void
listed_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  Stored *stored = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) files =
    cyc_engine_query_files_finish (stored->request->engine, result, &error);
  const CycFileRecord *file = find_file (stored, files, error);

  if (file != NULL)
    {
      if (cyc_api_call_is_head (stored->request->call))
        cyc_api_call_set_offset (stored->request->call, file->size, TRUE);
      g_autofree char *folder = cyc_engine_get_sim_folder (stored->request->engine, file->sim_id);
      g_autofree char *path = g_build_filename (folder, "files", file->name, NULL);
      cyc_api_call_reply_file (stored->request->call, path, file->content_type);
    }
  stored_free (stored);
}

/**
 * cyc_api_get_sim_file:
 * @self: the router
 * @call: a call
 * @id: a sim
 * @rest: the file's name
 *
 * GET /api/sims/{id}/files/{name}: its bytes.
 */
void
cyc_api_get_sim_file (CycApi     *self,
                      CycApiCall *call,
                      const char *id,
                      const char *rest)
{
  g_autoptr (GError) error = NULL;
  const CycSimRecord *sim = cyc_engine_find_sim (self->engine, id, &error);

  if (sim == NULL)
    {
      cyc_api_call_reply_gerror (call, error);
      return;
    }
  Stored *stored = g_new0 (Stored, 1);
  stored->request = cyc_api_request_new (self, call, id);
  stored->name = g_strdup (rest);
  cyc_engine_query_files (self->engine, sim->run_id, listed_cb, stored);
}

/**
 * cyc_api_head_sim_file:
 * @self: the router
 * @call: a call
 * @id: a sim
 * @rest: the file's name
 *
 * HEAD /api/sims/{id}/files/{name}: how much of a file has come that comes in parts, else what GET answers.
 */
void
cyc_api_head_sim_file (CycApi     *self,
                       CycApiCall *call,
                       const char *id,
                       const char *rest)
{
  g_autofree char *folder = cyc_engine_get_sim_folder (self->engine, id);
  g_autofree char *target = folder == NULL ? NULL : g_build_filename (folder, "files", rest, NULL);
  gboolean whole = FALSE;
  guint64 offset = target == NULL ? 0 : cyc_api_upload_find_offset (target, &whole);

  if (offset > 0 && !whole)
    cyc_api_call_reply_offset (call, 200, offset, FALSE);
  else
    cyc_api_get_sim_file (self, call, id, rest);
}

/**
 * cyc_api_get_log:
 * @self: the router
 * @call: a call
 * @id: a sim
 * @rest: unused
 *
 * GET /api/sims/{id}/log: what was accepted of its log, as text; never bytes that were not
 * acknowledged.
 */
void
cyc_api_get_log (CycApi     *self,
                 CycApiCall *call,
                 const char *id,
                 const char *rest)
{
  g_autoptr (GError) error = NULL;

  if (cyc_engine_find_sim (self->engine, id, &error) == NULL)
    {
      cyc_api_call_reply_gerror (call, error);
      return;
    }
  guint64 length = cyc_engine_get_sim_log_bytes (self->engine, id);
  g_autofree char *folder = cyc_engine_get_sim_folder (self->engine, id);
  g_autofree char *path = g_build_filename (folder, "log", NULL);
  int fd = length == 0 ? -1 : open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (length == 0)
    {
      g_autoptr (GBytes) empty = g_bytes_new_static ("", 0);
      cyc_api_call_reply_bytes (call, 200, "text/plain; charset=utf-8", empty);
    }
  else if (fd < 0)
    {
      cyc_error_set_errno (&error, errno, path, "cannot open the log");
      cyc_api_call_reply_gerror (call, error);
    }
  else
    {
      cyc_api_call_reply_fd (call, fd, length, "text/plain; charset=utf-8");
    }
}
