/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-remote-channel-private.h"

#include <string.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-json.h"

/* One connection to an engine, one request at a time. As with the worker's (cyc-engine-link.h), a token travels
 * only on a connection that has just answered GET /api/health with the right workspace: ports change hands, and
 * libsoup opens new connections on its own. A message that finds itself on one is taken back before a byte of it
 * is sent. */

#define READ_SIZE (256 * 1024)
/* An answer that is kept in memory. */
#define MAX_BODY (1024 * 1024 * 1024)
#define MAX_HEALTH (64 * 1024)
#define MAX_NEW_CONNECTIONS 3

struct _CycRemoteChannel
{
  GObject          parent_instance;

  CycRemoteAccess *access;
  SoupSession     *session;
  gboolean         checked;
  guint64          connection_id; /* that answered the check */
  guint            n_new_connections;
  gboolean         closed;
  GQueue           waiting;       /* of GTask */

  GTask           *task;          /* the request under way */
  GCancellable    *attempt;       /* of its present message */
  gulong           cancelled_id;
  SoupMessage     *message;
  gboolean         on_new_connection;
  gboolean         is_health;
  GByteArray      *bytes;         /* of its answer, as far as it came */
};

G_DEFINE_FINAL_TYPE (CycRemoteChannel, _cyc_remote_channel, G_TYPE_OBJECT)

static void start_attempt (CycRemoteChannel *self);
static void read_on       (CycRemoteChannel *self,
                           GInputStream     *stream);

/* Makes a request; more is set in its fields. */
CycRemoteRequest *
_cyc_remote_request_new (const char *method,
                         const char *path)
{
  CycRemoteRequest *self = g_new0 (CycRemoteRequest, 1);

  self->method = g_intern_string (method);
  self->path = g_strdup (path);
  self->content_type = "application/json";
  self->again = strcmp (method, "GET") == 0 || strcmp (method, "HEAD") == 0;
  return self;
}

void
_cyc_remote_request_add_header (CycRemoteRequest *self,
                                const char       *name,
                                const char       *value)
{
  if (self->headers == NULL)
    self->headers = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (self->headers, g_strdup (name));
  g_ptr_array_add (self->headers, g_strdup (value));
}

void
_cyc_remote_request_free (CycRemoteRequest *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->body, g_bytes_unref);
  g_clear_pointer (&self->headers, g_ptr_array_unref);
  g_free (self->file);
  g_free (self->path);
  g_free (self);
}

void
_cyc_remote_reply_free (CycRemoteReply *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->headers, soup_message_headers_unref);
  g_clear_pointer (&self->body, g_bytes_unref);
  g_clear_object (&self->stream);
  g_free (self);
}

static void
_cyc_remote_channel_finalize (GObject *object)
{
  CycRemoteChannel *self = CYC_REMOTE_CHANNEL (object);

  g_queue_clear_full (&self->waiting, g_object_unref);
  g_clear_object (&self->session);
  g_clear_pointer (&self->bytes, g_byte_array_unref);
  cyc_remote_access_free (self->access);
  G_OBJECT_CLASS (_cyc_remote_channel_parent_class)->finalize (object);
}

static void
_cyc_remote_channel_class_init (CycRemoteChannelClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = _cyc_remote_channel_finalize;
}

static void
_cyc_remote_channel_init (CycRemoteChannel *self)
{
  g_queue_init (&self->waiting);
}

static void
cancel_attempt_cb (GCancellable *cancellable,
                   gpointer      data)
{
  g_cancellable_cancel (data);
}

static void
begin_attempt (CycRemoteChannel *self,
               const char       *method,
               const char       *path)
{
  GCancellable *cancellable = g_task_get_cancellable (self->task);
  g_autofree char *url = g_strconcat (self->access->url, path, NULL);

  self->on_new_connection = FALSE;
  self->attempt = g_cancellable_new ();
  if (cancellable != NULL)
    self->cancelled_id = g_cancellable_connect (cancellable, G_CALLBACK (cancel_attempt_cb),
                                                g_object_ref (self->attempt), g_object_unref);
  self->message = soup_message_new (method, url);
  if (self->message != NULL)
    soup_message_add_flags (self->message, SOUP_MESSAGE_NO_REDIRECT | SOUP_MESSAGE_DO_NOT_USE_AUTH_CACHE
                                           | SOUP_MESSAGE_IDEMPOTENT);
}

static void
end_attempt (CycRemoteChannel *self)
{
  if (self->cancelled_id != 0)
    g_cancellable_disconnect (g_task_get_cancellable (self->task), self->cancelled_id);
  self->cancelled_id = 0;
  g_clear_object (&self->attempt);
  g_clear_object (&self->message);
  g_clear_pointer (&self->bytes, g_byte_array_unref);
}

static void
start_next (CycRemoteChannel *self)
{
  if (self->task != NULL || self->closed)
    return;
  self->task = g_queue_pop_head (&self->waiting);
  if (self->task == NULL)
    return;
  const CycRemoteRequest *request = g_task_get_task_data (self->task);
  self->n_new_connections = 0;
  /* What must not be sent twice is sent only on a connection that has just shown that it works. */
  if (!request->again)
    self->checked = FALSE;
  start_attempt (self);
}

static void
fail (CycRemoteChannel *self,
      GError           *error)
{
  g_autoptr (GTask) task = g_steal_pointer (&self->task);

  self->checked = FALSE;
  g_task_return_error (task, error);
  start_next (self);
}

/* The message failed without an answer. */
static void
attempt_failed (CycRemoteChannel *self,
                const GError     *error)
{
  const CycRemoteRequest *request = g_task_get_task_data (self->task);
  gboolean again = self->on_new_connection && self->n_new_connections <= MAX_NEW_CONNECTIONS
                   && (request->again || self->is_health);

  end_attempt (self);
  self->checked = FALSE;
  if (self->closed)
    fail (self, g_error_new (CYC_ERROR, CYC_ERROR_UNAVAILABLE, "the connection to %s was closed", self->access->url));
  else if (g_cancellable_is_cancelled (g_task_get_cancellable (self->task)))
    fail (self, g_error_new (G_IO_ERROR, G_IO_ERROR_CANCELLED, "cancelled"));
  else if (again)
    start_attempt (self);
  else
    fail (self, g_error_new (CYC_ERROR, CYC_ERROR_UNAVAILABLE, "the engine at %s cannot be reached: %s",
                             self->access->url, error->message));
}

/* Whose engine is it? If nobody knows yet, it is that of whoever answers first. */
static void
take_health (CycRemoteChannel *self,
             guint             status,
             const char       *text,
             gsize             len)
{
  g_autoptr (JsonNode) root = cyc_json_parse (text, len, NULL, NULL);
  JsonObject *object = root == NULL ? NULL : cyc_json_node_get_object (root);
  const char *id = status == 200 ? cyc_json_get_string (object, "workspace_id") : NULL;
  gboolean known = self->access->workspace_id != NULL;

  self->connection_id = soup_message_get_connection_id (self->message);
  self->checked = id != NULL && (!known || strcmp (id, self->access->workspace_id) == 0);
  if (self->checked && !known)
    self->access->workspace_id = g_strdup (id);
  g_autofree char *other = g_strdup (id);
  end_attempt (self);
  if (self->checked)
    start_attempt (self);
  else if (other == NULL)
    fail (self, g_error_new (CYC_ERROR, CYC_ERROR_UNAVAILABLE, "what answers at %s is no engine of Cyclescope",
                             self->access->url));
  else
    fail (self, g_error_new (CYC_ERROR, CYC_ERROR_STATE,
                             "another workspace's engine answers at %s now; no token goes to it", self->access->url));
}

static void
take_answer (CycRemoteChannel *self,
             GInputStream     *stream)
{
  const CycRemoteRequest *request = g_task_get_task_data (self->task);
  CycRemoteReply *reply = g_new0 (CycRemoteReply, 1);
  g_autoptr (GTask) task = NULL;

  reply->status = soup_message_get_status (self->message);
  reply->headers = soup_message_headers_ref (soup_message_get_response_headers (self->message));
  if (stream == NULL)
    reply->body = g_byte_array_free_to_bytes (g_steal_pointer (&self->bytes));
  else
    reply->stream = g_object_ref (stream);
  self->closed = request->stream && stream != NULL;
  end_attempt (self);
  task = g_steal_pointer (&self->task);
  g_task_return_pointer (task, reply, (GDestroyNotify) _cyc_remote_reply_free);
  start_next (self);
}

static void
read_cb (GObject      *source,
         GAsyncResult *result,
         gpointer      data)
{
  g_autoptr (CycRemoteChannel) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = g_input_stream_read_bytes_finish (G_INPUT_STREAM (source), result, &error);
  gsize limit = self->is_health ? MAX_HEALTH : MAX_BODY;

  if (bytes != NULL && self->bytes->len + g_bytes_get_size (bytes) > limit)
    cyc_error_set_at (&error, CYC_ERROR_TOO_LARGE, NULL, 0, "its answer is too long");
  if (error != NULL)
    {
      self->on_new_connection = FALSE;
      attempt_failed (self, error);
    }
  else if (g_bytes_get_size (bytes) > 0)
    {
      g_byte_array_append (self->bytes, g_bytes_get_data (bytes, NULL), (guint) g_bytes_get_size (bytes));
      read_on (self, G_INPUT_STREAM (source));
    }
  else if (self->is_health)
    {
      g_autoptr (GByteArray) text = g_byte_array_ref (self->bytes);
      take_health (self, soup_message_get_status (self->message), (const char *) text->data, text->len);
    }
  else
    {
      take_answer (self, NULL);
    }
}

static void
read_on (CycRemoteChannel *self,
         GInputStream     *stream)
{
  g_input_stream_read_bytes_async (stream, READ_SIZE, G_PRIORITY_DEFAULT, self->attempt, read_cb,
                                   g_object_ref (self));
}

static void
sent_cb (GObject      *source,
         GAsyncResult *result,
         gpointer      data)
{
  g_autoptr (CycRemoteChannel) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GInputStream) stream = soup_session_send_finish (SOUP_SESSION (source), result, &error);
  const CycRemoteRequest *request = g_task_get_task_data (self->task);

  if (stream == NULL)
    {
      attempt_failed (self, error);
      return;
    }
  if (!self->is_health && request->stream && SOUP_STATUS_IS_SUCCESSFUL (soup_message_get_status (self->message)))
    {
      take_answer (self, stream);
      return;
    }
  self->bytes = g_byte_array_new ();
  read_on (self, stream);
}

/* The last moment before bytes go out; the connection is known now. */
static void
starting_cb (SoupMessage      *message,
             CycRemoteChannel *self)
{
  SoupMessageHeaders *headers = soup_message_get_request_headers (message);

  if (soup_message_get_connection_id (message) != self->connection_id)
    {
      soup_message_headers_remove (headers, "Authorization");
      self->on_new_connection = TRUE;
      self->n_new_connections++;
      g_cancellable_cancel (self->attempt);
      return;
    }
  g_autofree char *value = g_strconcat ("Bearer ", self->access->token != NULL ? self->access->token : "", NULL);
  soup_message_headers_replace (headers, "Authorization", value);
}

/* libsoup would send the message again on another connection. */
static void
restarted_cb (SoupMessage      *message,
              CycRemoteChannel *self)
{
  self->on_new_connection = TRUE;
  self->n_new_connections++;
  g_cancellable_cancel (self->attempt);
}

static void
wrote_cb (SoupMessage *message,
          guint        n_bytes,
          gpointer     data)
{
  guint64 *sent = data;

  *sent += n_bytes;
}

static gboolean
set_file_body (CycRemoteChannel        *self,
               const CycRemoteRequest  *request,
               GError                 **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (request->file);
  g_autoptr (GFileInputStream) stream = g_file_read (file, NULL, error);

  g_autoptr (GFileInfo) info =
    stream == NULL ? NULL : g_file_input_stream_query_info (stream, G_FILE_ATTRIBUTE_STANDARD_SIZE, NULL, error);

  if (info == NULL)
    return FALSE;
  if ((guint64) g_file_info_get_size (info) < request->offset + request->length)
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, request->file, 0, "the file has become shorter");
      return FALSE;
    }
  if (!g_seekable_seek (G_SEEKABLE (stream), (goffset) request->offset, G_SEEK_SET, NULL, error))
    return FALSE;
  soup_message_set_request_body (self->message, request->content_type, G_INPUT_STREAM (stream),
                                 (gssize) request->length);
  return TRUE;
}

/* Asks whoever is there whose engine it is. No token goes with the question. */
static void
start_check (CycRemoteChannel *self)
{
  self->is_health = TRUE;
  begin_attempt (self, "GET", "/api/health");
  if (self->message != NULL)
    {
      soup_session_send_async (self->session, self->message, G_PRIORITY_DEFAULT, self->attempt, sent_cb,
                               g_object_ref (self));
      return;
    }
  end_attempt (self);
  fail (self, g_error_new (CYC_ERROR, CYC_ERROR_VALUE, "'%s' is no address", self->access->url));
}

static void
start_attempt (CycRemoteChannel *self)
{
  const CycRemoteRequest *request = g_task_get_task_data (self->task);
  g_autoptr (GError) error = NULL;

  if (g_cancellable_set_error_if_cancelled (g_task_get_cancellable (self->task), &error))
    {
      fail (self, g_steal_pointer (&error));
      return;
    }
  if (!self->checked)
    {
      start_check (self);
      return;
    }
  self->is_health = FALSE;
  begin_attempt (self, request->method, request->path);
  if (self->message == NULL)
    cyc_error_set_at (&error, CYC_ERROR_VALUE, NULL, 0, "'%s' is no path", request->path);
  else if (request->body != NULL)
    soup_message_set_request_body_from_bytes (self->message, request->content_type, request->body);
  else if (request->file != NULL)
    set_file_body (self, request, &error);
  if (error != NULL)
    {
      end_attempt (self);
      fail (self, g_steal_pointer (&error));
      return;
    }
  for (guint i = 0; request->headers != NULL && i < request->headers->len; i += 2)
    soup_message_headers_replace (soup_message_get_request_headers (self->message),
                                  g_ptr_array_index (request->headers, i),
                                  g_ptr_array_index (request->headers, i + 1));
  if (request->sent != NULL)
    g_signal_connect (self->message, "wrote-body-data", G_CALLBACK (wrote_cb), request->sent);
  g_signal_connect_object (self->message, "starting", G_CALLBACK (starting_cb), self, 0);
  g_signal_connect_object (self->message, "restarted", G_CALLBACK (restarted_cb), self, 0);
  soup_session_send_async (self->session, self->message, G_PRIORITY_DEFAULT, self->attempt, sent_cb,
                           g_object_ref (self));
}

/* Makes a connection, which is not opened before it is needed; @timeout_s is how long nothing may come. */
CycRemoteChannel *
_cyc_remote_channel_new (const CycRemoteAccess  *access,
                         guint                   timeout_s,
                         GError                **error)
{
  g_autoptr (GError) local_error = NULL;
  g_autoptr (GTlsDatabase) database = cyc_remote_access_open_tls (access, &local_error);

  if (local_error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return NULL;
    }
  CycRemoteChannel *self = g_object_new (CYC_TYPE_REMOTE_CHANNEL, NULL);
  self->access = cyc_remote_access_copy (access);
  self->session = soup_session_new_with_options ("max-conns", 1, "max-conns-per-host", 1, "timeout", timeout_s,
                                                 "proxy-resolver", NULL, "user-agent", "cyclescope/" CYC_VERSION,
                                                 NULL);
  if (database != NULL)
    soup_session_set_tls_database (self->session, database);
  return self;
}

/* How many requests are on their way. */
guint
_cyc_remote_channel_get_n_queued (CycRemoteChannel *self)
{
  return g_queue_get_length (&self->waiting) + (self->task != NULL ? 1 : 0);
}

/* Which workspace answered, or must; NULL as long as nobody knows. */
const char *
_cyc_remote_channel_get_workspace_id (CycRemoteChannel *self)
{
  return self->access->workspace_id;
}

/* Gives up what is under way. */
void
_cyc_remote_channel_close (CycRemoteChannel *self)
{
  g_autoptr (CycRemoteChannel) keep = g_object_ref (self);

  self->closed = TRUE;
  while (!g_queue_is_empty (&self->waiting))
    {
      g_autoptr (GTask) task = g_queue_pop_head (&self->waiting);
      g_task_return_new_error (task, CYC_ERROR, CYC_ERROR_UNAVAILABLE, "the connection to %s was closed",
                               self->access->url);
    }
  if (self->attempt != NULL)
    g_cancellable_cancel (self->attempt);
}

/* Sends a request, which it takes, behind those that are waiting. */
void
_cyc_remote_channel_send_async (CycRemoteChannel    *self,
                                CycRemoteRequest    *request,
                                GCancellable        *cancellable,
                                GAsyncReadyCallback  callback,
                                gpointer             user_data)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, _cyc_remote_channel_send_async);
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, request, (GDestroyNotify) _cyc_remote_request_free);
  if (self->closed)
    {
      g_task_return_new_error (task, CYC_ERROR, CYC_ERROR_UNAVAILABLE, "the connection to %s was closed",
                               self->access->url);
      g_object_unref (task);
      return;
    }
  g_queue_push_tail (&self->waiting, task);
  start_next (self);
}

/* The answer, whatever its status; errors are those of the connection. */
CycRemoteReply *
_cyc_remote_channel_send_finish (CycRemoteChannel  *self,
                                 GAsyncResult      *result,
                                 GError           **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
