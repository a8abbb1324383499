/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-api-call-private.h"

#include <unistd.h>

#include "engine/cyc-api-target.h"

/**
 * cyc_api_call_new:
 * @method: such as `GET`
 * @target: path and query as they come over the wire, percent-encoded
 * @error: (nullable): return location for a %CYC_ERROR_INPUT
 *
 * A request without body, role and completion function yet. See cyc_api_target_parse() for the
 * targets that are refused.
 *
 * Returns: (transfer full) (nullable): a call
 */
CycApiCall *
cyc_api_call_new (const char  *method,
                  const char  *target,
                  GError     **error)
{
  g_return_val_if_fail (method != NULL && target != NULL, NULL);

  g_auto (GStrv) segments = NULL;
  g_autoptr (GHashTable) query = NULL;
  if (!cyc_api_target_parse (target, &segments, &query, error))
    return NULL;

  CycApiCall *self = g_new0 (CycApiCall, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->method = g_strdup (method);
  self->segments = g_steal_pointer (&segments);
  self->query = g_steal_pointer (&query);
  self->fd = -1;
  return self;
}

/**
 * cyc_api_call_ref:
 * @self: a call
 *
 * Any thread.
 *
 * Returns: (transfer full): @self
 */
CycApiCall *
cyc_api_call_ref (CycApiCall *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/* Deletes what was uploaded and not wanted. A part stays, and so does what came in parts if the engine cannot take
 * it just now: the last one can be sent again. */
void
_cyc_api_call_drop_upload (CycApiCall *self)
{
  if (self->upload != NULL && cyc_api_upload_is_whole (self->upload) && self->status < 500)
    cyc_api_upload_refuse (self->upload);
  g_clear_pointer (&self->upload, cyc_api_upload_free);
}

static void
free_call (CycApiCall *self)
{
  _cyc_api_call_drop_upload (self);
  if (self->done_destroy != NULL)
    self->done_destroy (self->done_data);
  if (self->fd >= 0)
    close (self->fd);
  if (self->stream_destroy != NULL)
    self->stream_destroy (self->stream_data);
  g_clear_pointer (&self->query, g_hash_table_unref);
  g_clear_pointer (&self->fields, g_hash_table_unref);
  g_clear_pointer (&self->body, g_bytes_unref);
  g_clear_pointer (&self->reply, g_bytes_unref);
  g_strfreev (self->segments);
  g_free (self->method);
  g_free (self->sim_id);
  g_free (self->content_type);
  g_free (self->allowed);
  g_free (self);
}

/**
 * cyc_api_call_unref:
 * @self: (transfer full): a call
 *
 * Any thread. A call that nobody can answer any more answers itself with 500, so that no client
 * waits for ever.
 */
void
cyc_api_call_unref (CycApiCall *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  if (self->done != NULL && !cyc_api_call_is_answered (self))
    {
      g_atomic_ref_count_init (&self->ref_count);
      cyc_api_call_reply_error (self, 500, "the request was dropped without an answer");
      if (!g_atomic_ref_count_dec (&self->ref_count))
        return;
    }
  free_call (self);
}

/**
 * cyc_api_call_set_role:
 * @self: a call that is not dispatched yet
 * @role: who asks
 * @sim_id: (nullable): the sim whose token was shown, for %CYC_API_ROLE_SIM
 */
void
cyc_api_call_set_role (CycApiCall *self,
                       CycApiRole  role,
                       const char *sim_id)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail ((role == CYC_API_ROLE_SIM) == (sim_id != NULL));

  self->role = role;
  g_free (self->sim_id);
  self->sim_id = g_strdup (sim_id);
}

/**
 * cyc_api_call_set_head:
 * @self: a call that is not dispatched yet
 * @head: whether only the head of the answer is wanted
 */
void
cyc_api_call_set_head (CycApiCall *self,
                       gboolean    head)
{
  g_return_if_fail (self != NULL);

  self->is_head = head;
}

/**
 * cyc_api_call_set_field:
 * @self: a call that is not dispatched yet
 * @name: a field of the request's head, in small letters
 * @value: (nullable): its value
 *
 * Keeps one of the few fields that handlers look at.
 */
void
cyc_api_call_set_field (CycApiCall *self,
                        const char *name,
                        const char *value)
{
  g_return_if_fail (self != NULL && name != NULL);

  if (value == NULL)
    return;
  if (self->fields == NULL)
    self->fields = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_hash_table_insert (self->fields, g_strdup (name), g_strdup (value));
}

/**
 * cyc_api_call_set_body:
 * @self: a call that is not dispatched yet
 * @body: (nullable): the request's body
 */
void
cyc_api_call_set_body (CycApiCall *self,
                       GBytes     *body)
{
  g_return_if_fail (self != NULL);

  g_clear_pointer (&self->body, g_bytes_unref);
  self->body = body == NULL ? NULL : g_bytes_ref (body);
}

/**
 * cyc_api_call_set_upload:
 * @self: a call that is not dispatched yet
 * @upload: (transfer full): what has come, on disk
 *
 * Sets what a `PUT` of a file brought: all of the file or a part of it. A file that is not committed is deleted with
 * the answer; a part is kept until the rest comes.
 */
void
cyc_api_call_set_upload (CycApiCall   *self,
                         CycApiUpload *upload)
{
  g_return_if_fail (self != NULL && self->upload == NULL && upload != NULL);

  self->upload = upload;
}

/**
 * cyc_api_call_set_done:
 * @self: a call that is not dispatched yet
 * @func: runs when the call is answered
 * @user_data: for @func
 * @destroy: (nullable): frees @user_data with the call
 */
void
cyc_api_call_set_done (CycApiCall     *self,
                       CycApiCallFunc  func,
                       gpointer        user_data,
                       GDestroyNotify  destroy)
{
  g_return_if_fail (self != NULL && self->done == NULL);

  self->done = func;
  self->done_data = user_data;
  self->done_destroy = destroy;
}

/**
 * cyc_api_call_get_method:
 * @self: a call
 *
 * Returns: the method; `HEAD` comes as `GET`
 */
const char *
cyc_api_call_get_method (CycApiCall *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->method;
}

/**
 * cyc_api_call_is_head:
 * @self: a call
 *
 * Returns: %TRUE for a `HEAD`, which some paths answer in their own way
 */
gboolean
cyc_api_call_is_head (CycApiCall *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->is_head;
}

/**
 * cyc_api_call_get_segments:
 * @self: a call
 *
 * Returns: (transfer none): the decoded components of the path, `{"api", "traces", …, NULL}`.
 *   None is empty, `.` or `..`, none holds `/`, `\` or a control character, all are UTF-8
 */
const char * const *
cyc_api_call_get_segments (CycApiCall *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return (const char * const *) self->segments;
}

/**
 * cyc_api_call_get_n_segments:
 * @self: a call
 *
 * Returns: the number of components of the path
 */
guint
cyc_api_call_get_n_segments (CycApiCall *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return g_strv_length (self->segments);
}

/**
 * cyc_api_call_get_query:
 * @self: a call
 * @name: a name in the query
 *
 * Returns: (nullable): its decoded value, empty for a name without `=`; %NULL if it is not there
 */
const char *
cyc_api_call_get_query (CycApiCall *self,
                        const char *name)
{
  g_return_val_if_fail (self != NULL && name != NULL, NULL);

  return self->query == NULL ? NULL : g_hash_table_lookup (self->query, name);
}

/**
 * cyc_api_call_get_field:
 * @self: a call
 * @name: a field of the request's head that the server keeps, in small letters
 *
 * Returns: (nullable): its value
 */
const char *
cyc_api_call_get_field (CycApiCall *self,
                        const char *name)
{
  g_return_val_if_fail (self != NULL && name != NULL, NULL);

  return self->fields == NULL ? NULL : g_hash_table_lookup (self->fields, name);
}

/**
 * cyc_api_call_get_query_table:
 * @self: a call
 *
 * Returns: (transfer none) (nullable): all of the query, text to text
 */
GHashTable *
cyc_api_call_get_query_table (CycApiCall *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->query;
}

/**
 * cyc_api_call_get_body:
 * @self: a call
 *
 * Returns: (transfer none) (nullable): the body, %NULL for none and for an uploaded file
 */
GBytes *
cyc_api_call_get_body (CycApiCall *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->body;
}

/**
 * cyc_api_call_get_role:
 * @self: a call
 *
 * Returns: who asks
 */
CycApiRole
cyc_api_call_get_role (CycApiCall *self)
{
  g_return_val_if_fail (self != NULL, CYC_API_ROLE_NONE);

  return self->role;
}

/**
 * cyc_api_call_get_sim_id:
 * @self: a call
 *
 * Returns: (nullable): the sim whose token was shown
 */
const char *
cyc_api_call_get_sim_id (CycApiCall *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->sim_id;
}

/**
 * cyc_api_call_get_upload:
 * @self: a call
 *
 * Returns: (transfer none) (nullable): what a `PUT` brought; until the call is answered
 */
CycApiUpload *
cyc_api_call_get_upload (CycApiCall *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->upload;
}

/**
 * cyc_api_call_commit_upload:
 * @self: a call with a whole upload, not answered yet
 * @error: (nullable): return location for an error
 *
 * Moves the uploaded file to the place that the router chose when the upload began. Any thread, once.
 *
 * Returns: %TRUE when the file is in place for good
 */
gboolean
cyc_api_call_commit_upload (CycApiCall  *self,
                            GError     **error)
{
  g_return_val_if_fail (self != NULL && self->upload != NULL, FALSE);

  return cyc_api_upload_commit (self->upload, error);
}

static void
commit_thread (gpointer data,
               gpointer user_data)
{
  g_autoptr (GTask) task = data;
  g_autoptr (GError) error = NULL;

  if (cyc_api_call_commit_upload (g_task_get_task_data (task), &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

/* One thread: of two files for the same place, the one that is told last is the one that stays. */
static GThreadPool *
get_commit_pool (void)
{
  static GThreadPool *pool;

  if (g_once_init_enter (&pool))
    g_once_init_leave (&pool, g_thread_pool_new (commit_thread, NULL, 1, FALSE, NULL));
  return pool;
}

/**
 * cyc_api_call_commit_upload_async:
 * @self: a call with an upload, not answered before @callback has run
 * @callback: told in the thread-default main context, in the order of the calls
 * @user_data: for @callback
 *
 * Does cyc_api_call_commit_upload() on a thread: it waits for the disk.
 */
void
cyc_api_call_commit_upload_async (CycApiCall          *self,
                                  GAsyncReadyCallback  callback,
                                  gpointer             user_data)
{
  g_return_if_fail (self != NULL && self->upload != NULL);

  GTask *task = g_task_new (NULL, NULL, callback, user_data);
  g_task_set_source_tag (task, cyc_api_call_commit_upload_async);
  g_task_set_task_data (task, cyc_api_call_ref (self), (GDestroyNotify) cyc_api_call_unref);
  g_thread_pool_push (get_commit_pool (), task, NULL);
}

/**
 * cyc_api_call_commit_upload_finish:
 * @result: what the callback got
 * @error: (nullable): return location for an error
 *
 * Returns: %TRUE when the file is in place for good
 */
gboolean
cyc_api_call_commit_upload_finish (GAsyncResult  *result,
                                   GError       **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, cyc_api_call_commit_upload_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
