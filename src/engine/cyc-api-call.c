/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-api-call.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-file.h"
#include "core/base/cyc-json-writer.h"
#include "engine/cyc-api-target.h"

struct _CycApiCall
{
  gatomicrefcount  ref_count;

  char            *method;
  GStrv            segments;
  GHashTable      *query;
  GBytes          *body;
  CycApiRole       role;
  char            *sim_id;
  char            *upload;
  char            *upload_target;
  guint64          upload_size;
  gboolean         committed;

  CycApiCallFunc   done;
  gpointer         done_data;
  GDestroyNotify   done_destroy;

  int              answered; /* atomic */
  guint            status;
  char            *content_type;
  char            *allowed;
  GBytes          *reply;
  int              fd;
  guint64          fd_length;
};

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

static void
drop_upload (CycApiCall *self)
{
  if (self->upload != NULL && !self->committed)
    unlink (self->upload);
  g_clear_pointer (&self->upload, g_free);
}

static void
free_call (CycApiCall *self)
{
  drop_upload (self);
  if (self->done_destroy != NULL)
    self->done_destroy (self->done_data);
  if (self->fd >= 0)
    close (self->fd);
  g_clear_pointer (&self->query, g_hash_table_unref);
  g_clear_pointer (&self->body, g_bytes_unref);
  g_clear_pointer (&self->reply, g_bytes_unref);
  g_strfreev (self->segments);
  g_free (self->method);
  g_free (self->sim_id);
  g_free (self->upload_target);
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
 * @temporary: a whole file, on disk, in the folder of @target; the call owns it from now on
 * @target: where cyc_api_call_commit_upload() moves it
 * @size: its size in bytes
 *
 * Sets what a `PUT` of a file brought. A file that is not committed is deleted with the answer.
 */
void
cyc_api_call_set_upload (CycApiCall *self,
                         const char *temporary,
                         const char *target,
                         guint64     size)
{
  g_return_if_fail (self != NULL && self->upload == NULL);
  g_return_if_fail (temporary != NULL && target != NULL);

  self->upload = g_strdup (temporary);
  self->upload_target = g_strdup (target);
  self->upload_size = size;
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
 * cyc_api_call_get_segments:
 * @self: a call
 *
 * Returns: (transfer none): the decoded components of the path, `{"api", "traces", …, NULL}`. None
 *   is empty, `.` or `..`, none holds `/`, `\` or a control character, all are UTF-8
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
 * @out_size: (out) (optional): the file's size in bytes
 *
 * Returns: (nullable): path of the temporary file with what a `PUT` brought; its content is on disk
 */
const char *
cyc_api_call_get_upload (CycApiCall *self,
                         guint64    *out_size)
{
  g_return_val_if_fail (self != NULL, NULL);

  if (out_size != NULL)
    *out_size = self->upload_size;
  return self->upload;
}

/**
 * cyc_api_call_commit_upload:
 * @self: a call with an upload, not answered yet
 * @error: (nullable): return location for an error
 *
 * Moves the uploaded file to the place that the router chose when the upload began, replacing what
 * is there, and puts the folder's entry on disk. Any thread, once.
 *
 * Returns: %TRUE when the file is in place for good
 */
gboolean
cyc_api_call_commit_upload (CycApiCall  *self,
                            GError     **error)
{
  g_return_val_if_fail (self != NULL && self->upload != NULL && !self->committed, FALSE);

  if (rename (self->upload, self->upload_target) != 0)
    {
      cyc_error_set_errno (error, errno, self->upload_target, "cannot write");
      return FALSE;
    }
  self->committed = TRUE;
  g_autofree char *folder = g_path_get_dirname (self->upload_target);
  return cyc_file_sync_folder (folder, error);
}

static gboolean
begin_answer (CycApiCall *self,
              guint       status,
              const char *content_type)
{
  if (!g_atomic_int_compare_and_exchange (&self->answered, 0, 1))
    {
      g_critical ("%s: a request was answered twice", self->method);
      return FALSE;
    }
  self->status = status;
  self->content_type = g_strdup (content_type);
  return TRUE;
}

static void
end_answer (CycApiCall *self)
{
  drop_upload (self);
  g_atomic_int_set (&self->answered, 2);
  if (self->done != NULL)
    self->done (self, self->done_data);
}

/**
 * cyc_api_call_reply_bytes:
 * @self: a call
 * @status: the HTTP status
 * @content_type: such as `application/json`
 * @body: (transfer none): the body
 *
 * Answers from memory.
 */
void
cyc_api_call_reply_bytes (CycApiCall *self,
                          guint       status,
                          const char *content_type,
                          GBytes     *body)
{
  g_return_if_fail (self != NULL && content_type != NULL && body != NULL);

  if (!begin_answer (self, status, content_type))
    return;
  self->reply = g_bytes_ref (body);
  end_answer (self);
}

/**
 * cyc_api_call_reply_json:
 * @self: a call
 * @status: the HTTP status
 * @text: (transfer full): JSON, such as cyc_json_writer_steal() gives
 */
void
cyc_api_call_reply_json (CycApiCall *self,
                         guint       status,
                         GString    *text)
{
  g_return_if_fail (self != NULL && text != NULL);

  g_autoptr (GBytes) body = g_string_free_to_bytes (text);
  cyc_api_call_reply_bytes (self, status, "application/json", body);
}

/**
 * cyc_api_call_reply_empty:
 * @self: a call
 *
 * Answers 204.
 */
void
cyc_api_call_reply_empty (CycApiCall *self)
{
  g_return_if_fail (self != NULL);

  if (begin_answer (self, 204, NULL))
    end_answer (self);
}

/**
 * cyc_api_call_reply_fd:
 * @self: a call
 * @fd: (transfer full): an open regular file
 * @length: how many of its bytes, from the beginning; the file must not get shorter
 * @content_type: its type
 *
 * Answers 200 with (the beginning of) a file. The HTTP server sends it in pieces and answers ranges.
 */
void
cyc_api_call_reply_fd (CycApiCall *self,
                       int         fd,
                       guint64     length,
                       const char *content_type)
{
  g_return_if_fail (self != NULL && fd >= 0 && content_type != NULL);

  if (!begin_answer (self, 200, content_type))
    {
      close (fd);
      return;
    }
  self->fd = fd;
  self->fd_length = length;
  end_answer (self);
}

/**
 * cyc_api_call_reply_file:
 * @self: a call
 * @path: a file inside the workspace; a symbolic link in its last component is not followed
 * @content_type: its type
 *
 * Answers 200 with a file as long as it is now, or with an error when it cannot be opened.
 */
void
cyc_api_call_reply_file (CycApiCall *self,
                         const char *path,
                         const char *content_type)
{
  g_return_if_fail (self != NULL && path != NULL && content_type != NULL);

  g_autoptr (GError) error = NULL;
  struct stat st;
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  if (fd < 0 || fstat (fd, &st) != 0)
    cyc_error_set_errno (&error, errno, path, "cannot read");
  else if (!S_ISREG (st.st_mode))
    cyc_error_set_at (&error, CYC_ERROR_NOT_FOUND, path, 0, "not a regular file");
  if (error == NULL)
    {
      cyc_api_call_reply_fd (self, fd, (guint64) st.st_size, content_type);
      return;
    }
  if (fd >= 0)
    close (fd);
  cyc_api_call_reply_gerror (self, error);
}

/**
 * cyc_api_call_reply_error_with:
 * @self: a call
 * @status: the HTTP status
 * @detail: what is wrong and what to do
 * @members: (nullable): more members of the JSON object, such as `"next_seq":7`
 *
 * Answers `{"detail": …, MEMBERS}`.
 */
void
cyc_api_call_reply_error_with (CycApiCall *self,
                               guint       status,
                               const char *detail,
                               const char *members)
{
  g_return_if_fail (self != NULL && detail != NULL && status >= 400);

  GString *text = g_string_new ("{\"detail\":");
  cyc_json_append_string (text, detail, strlen (detail));
  if (members != NULL)
    g_string_append_printf (text, ",%s", members);
  g_string_append_c (text, '}');
  cyc_api_call_reply_json (self, status, text);
}

/**
 * cyc_api_call_reply_error:
 * @self: a call
 * @status: the HTTP status
 * @detail: what is wrong and what to do
 *
 * Answers `{"detail": …}`.
 */
void
cyc_api_call_reply_error (CycApiCall *self,
                          guint       status,
                          const char *detail)
{
  cyc_api_call_reply_error_with (self, status, detail, NULL);
}

/**
 * cyc_api_status_from_error:
 * @error: an error
 *
 * Returns: the HTTP status for it, as cyc-error.h documents them; 500 for what has none
 */
guint
cyc_api_status_from_error (const GError *error)
{
  static const guint statuses[] = {
    [CYC_ERROR_INPUT] = 400,
    [CYC_ERROR_VALUE] = 422,
    [CYC_ERROR_NOT_FOUND] = 404,
    [CYC_ERROR_EXISTS] = 409,
    [CYC_ERROR_STATE] = 409,
    [CYC_ERROR_TOO_LARGE] = 413,
    [CYC_ERROR_NO_SPACE] = 503,
    [CYC_ERROR_BUSY] = 503,
    [CYC_ERROR_DENIED] = 403,
    [CYC_ERROR_UNAVAILABLE] = 503,
    [CYC_ERROR_FAILED] = 500,
  };

  g_return_val_if_fail (error != NULL, 500);

  if (error->domain == CYC_ERROR && error->code >= 0 && error->code < (int) G_N_ELEMENTS (statuses))
    return statuses[error->code];
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) ||
      g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE))
    return 503;
  return 500;
}

/**
 * cyc_api_call_reply_gerror:
 * @self: a call
 * @error: why it failed
 *
 * Answers `{"detail": MESSAGE}` with the status of cyc_api_status_from_error().
 */
void
cyc_api_call_reply_gerror (CycApiCall   *self,
                           const GError *error)
{
  g_return_if_fail (self != NULL && error != NULL);

  cyc_api_call_reply_error (self, cyc_api_status_from_error (error), error->message);
}

/**
 * cyc_api_call_reply_not_allowed:
 * @self: a call
 * @allowed: the methods that this path knows, such as `GET, POST`
 *
 * Answers 405 with an `Allow` field.
 */
void
cyc_api_call_reply_not_allowed (CycApiCall *self,
                                const char *allowed)
{
  g_return_if_fail (self != NULL && allowed != NULL);

  g_autofree char *detail = g_strdup_printf ("%s is not possible here; use %s", self->method, allowed);
  g_free (self->allowed);
  self->allowed = g_strdup (allowed);
  cyc_api_call_reply_error (self, 405, detail);
}

/**
 * cyc_api_call_is_answered:
 * @self: a call
 *
 * Returns: %TRUE once the call is answered
 */
gboolean
cyc_api_call_is_answered (CycApiCall *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return g_atomic_int_get (&self->answered) == 2;
}

/**
 * cyc_api_call_get_status:
 * @self: an answered call
 *
 * Returns: the HTTP status
 */
guint
cyc_api_call_get_status (CycApiCall *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->status;
}

/**
 * cyc_api_call_get_content_type:
 * @self: an answered call
 *
 * Returns: (nullable): the type of the answer's body; %NULL for 204
 */
const char *
cyc_api_call_get_content_type (CycApiCall *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->content_type;
}

/**
 * cyc_api_call_get_allowed:
 * @self: an answered call
 *
 * Returns: (nullable): the methods for the `Allow` field of a 405
 */
const char *
cyc_api_call_get_allowed (CycApiCall *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->allowed;
}

/**
 * cyc_api_call_get_reply:
 * @self: an answered call
 *
 * Returns: (transfer none) (nullable): the body from memory; %NULL for a file and for 204
 */
GBytes *
cyc_api_call_get_reply (CycApiCall *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->reply;
}

/**
 * cyc_api_call_steal_fd:
 * @self: an answered call
 * @out_length: (out): how many of the file's bytes are the answer
 *
 * Returns: (transfer full): the open file to send, or -1 if the answer is none
 */
int
cyc_api_call_steal_fd (CycApiCall *self,
                       guint64    *out_length)
{
  g_return_val_if_fail (self != NULL && out_length != NULL, -1);

  *out_length = self->fd_length;
  return g_steal_fd (&self->fd);
}

/**
 * cyc_api_call_read_reply:
 * @self: an answered call
 * @limit: refuse more bytes than these
 * @error: (nullable): return location for an error
 *
 * The answer's body whole, for who made the call without a server. Blocks while it reads a file.
 *
 * Returns: (transfer full) (nullable): the body, empty for 204
 */
GBytes *
cyc_api_call_read_reply (CycApiCall  *self,
                         gsize        limit,
                         GError     **error)
{
  g_return_val_if_fail (self != NULL && cyc_api_call_is_answered (self), NULL);

  if (self->reply != NULL)
    return g_bytes_ref (self->reply);
  if (self->fd < 0)
    return g_bytes_new_static ("", 0);
  if (self->fd_length > limit)
    {
      cyc_error_set_at (error, CYC_ERROR_TOO_LARGE, NULL, 0,
                        "the answer has %" G_GUINT64_FORMAT " bytes, more than %" G_GSIZE_FORMAT,
                        self->fd_length, limit);
      return NULL;
    }
  g_autofree char *bytes = g_malloc (self->fd_length + 1);
  gsize got = 0;
  while (got < self->fd_length)
    {
      ssize_t n = pread (self->fd, bytes + got, self->fd_length - got, (off_t) got);
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        {
          cyc_error_set_errno (error, errno, NULL, "cannot read the answer");
          return NULL;
        }
      if (n == 0)
        break;
      got += (gsize) n;
    }
  return g_bytes_new_take (g_steal_pointer (&bytes), got);
}
