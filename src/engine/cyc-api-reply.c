/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-api-call-private.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-json-writer.h"

/* The answers of a CycApiCall. */

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
  _cyc_api_call_drop_upload (self);
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
 * cyc_api_call_set_offset:
 * @self: a call that is not answered yet
 * @offset: how many bytes of the file have come
 * @whole: that is all of it
 *
 * Says with the answer how far an upload is, in the fields `Upload-Offset` and `Upload-Complete`.
 */
void
cyc_api_call_set_offset (CycApiCall *self,
                         guint64     offset,
                         gboolean    whole)
{
  g_return_if_fail (self != NULL);

  self->has_offset = TRUE;
  self->offset = offset;
  self->is_whole = whole;
}

/**
 * cyc_api_call_reply_offset:
 * @self: a call
 * @status: the HTTP status
 * @offset: how many bytes of the file have come
 * @whole: that is all of it
 *
 * Answers how far an upload is: cyc_api_call_set_offset(), and in JSON.
 */
void
cyc_api_call_reply_offset (CycApiCall *self,
                           guint       status,
                           guint64     offset,
                           gboolean    whole)
{
  g_return_if_fail (self != NULL);

  GString *text = g_string_new (NULL);
  cyc_api_call_set_offset (self, offset, whole);
  g_string_printf (text, "{\"upload_offset\":%" G_GUINT64_FORMAT "}", offset);
  cyc_api_call_reply_json (self, status, text);
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
 * Answers 200 with (the beginning of) a file. The HTTP server sends it in pieces and answers
 * ranges.
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
 * cyc_api_call_reply_stream:
 * @self: a call
 * @content_type: its type
 * @func: takes over the connection and answers there
 * @user_data: for @func
 * @destroy: (nullable): frees @user_data with the call
 *
 * Hands the connection over, after which it is none of the server's. Who made the call without a server gets
 * an empty answer.
 */
void
cyc_api_call_reply_stream (CycApiCall       *self,
                           const char       *content_type,
                           CycApiStreamFunc  func,
                           gpointer          user_data,
                           GDestroyNotify    destroy)
{
  g_return_if_fail (self != NULL && content_type != NULL && func != NULL);

  if (!begin_answer (self, 200, content_type))
    return;
  self->stream = func;
  self->stream_data = user_data;
  self->stream_destroy = destroy;
  end_answer (self);
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

  g_autofree char *detail = g_strdup_printf ("%s is not possible here; use %s", self->method,
                                             allowed);
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
 * cyc_api_call_get_offset:
 * @self: an answered call
 * @out_offset: (out): how many bytes of the file have come
 * @out_whole: (out): that is all of it
 *
 * Returns: %TRUE if the answer tells how far an upload is
 */
gboolean
cyc_api_call_get_offset (CycApiCall *self,
                         guint64    *out_offset,
                         gboolean   *out_whole)
{
  g_return_val_if_fail (self != NULL && out_offset != NULL && out_whole != NULL, FALSE);

  *out_offset = self->offset;
  *out_whole = self->is_whole;
  return self->has_offset;
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
 * cyc_api_call_is_stream:
 * @self: an answered call
 *
 * Returns: %TRUE if the answer wants the connection: cyc_api_call_give_stream()
 */
gboolean
cyc_api_call_is_stream (CycApiCall *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->stream != NULL;
}

/**
 * cyc_api_call_give_stream:
 * @self: a call whose answer wants the connection
 * @stream: it
 *
 * Hands the connection over, once.
 */
void
cyc_api_call_give_stream (CycApiCall *self,
                          GIOStream  *stream)
{
  g_return_if_fail (self != NULL && self->stream != NULL && stream != NULL);

  self->stream (stream, self->stream_data);
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
