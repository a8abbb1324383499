/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <unistd.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-json-writer.h"
#include "engine/cyc-api-security.h"
#include "engine/cyc-api-server-private.h"

/* A rejected body up to this size is read to its end, so that the connection can be used again;
 * of a larger one, and of one that does not say how large it is, the rest is not waited for. */
#define DRAIN_BYTES (64 * 1024)

#define REQUEST_KEY "cyc-api-request"

CycApiRequest *
_cyc_api_request_ref (CycApiRequest *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
_cyc_api_request_unref (CycApiRequest *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_clear_pointer (&self->call, cyc_api_call_unref);
  g_clear_pointer (&self->upload, cyc_api_upload_free);
  g_clear_pointer (&self->body, g_byte_array_unref);
  if (self->fd >= 0)
    close (self->fd);
  _cyc_api_conn_unref (self->conn);
  g_object_unref (self->server);
  g_main_context_unref (self->context);
  g_free (self->range);
  g_free (self);
}

/* The exchange is over, well or not; an answer that comes later is dropped. */
static void
request_end (CycApiRequest *self)
{
  if (self->msg == NULL)
    return;
  SoupServerMessage *msg = g_steal_pointer (&self->msg);

  g_signal_handlers_disconnect_by_data (msg, self);
  if (!self->syncing)
    g_clear_pointer (&self->upload, cyc_api_upload_free);
  if (self->fd >= 0)
    close (g_steal_fd (&self->fd));
  _cyc_api_conn_idle (self->conn, msg);
  _cyc_api_server_count (self->server, -1);
  g_object_set_data (G_OBJECT (msg), REQUEST_KEY, NULL);
  g_object_unref (msg);
}

/* Takes the connection from libsoup; the request is over with that. */
GIOStream *
_cyc_api_request_steal (CycApiRequest *self)
{
  g_autoptr (CycApiRequest) keep = _cyc_api_request_ref (self);
  g_autoptr (SoupServerMessage) msg = g_steal_pointer (&self->msg);

  g_signal_handlers_disconnect_by_data (msg, self);
  _cyc_api_conn_enter (self->conn, CONN_STREAM);
  _cyc_api_server_count (self->server, -1);
  g_object_set_data (G_OBJECT (msg), REQUEST_KEY, NULL);
  return soup_server_message_steal_connection (msg);
}

static void
finished_cb (SoupServerMessage *msg,
             CycApiRequest     *self)
{
  g_autoptr (CycApiRequest) keep = _cyc_api_request_ref (self);

  request_end (keep);
}

static void
wrote_cb (SoupServerMessage *msg,
          guint              size,
          CycApiRequest     *self)
{
  _cyc_api_conn_progress (self->conn, size);
}

static gboolean
has_body (SoupMessageHeaders *headers)
{
  return soup_message_headers_get_encoding (headers) == SOUP_ENCODING_CHUNKED ||
         soup_message_headers_get_content_length (headers) != 0;
}

static gboolean
is_worth_draining (CycApiRequest *self)
{
  SoupMessageHeaders *headers = soup_server_message_get_request_headers (self->msg);

  if (soup_message_headers_get_expectations (headers) & SOUP_EXPECTATION_CONTINUE)
    return self->conn->bytes == 0;
  return soup_message_headers_get_encoding (headers) != SOUP_ENCODING_CHUNKED &&
         (guint64) soup_message_headers_get_content_length (headers) <= DRAIN_BYTES;
}

/* Refuses the request; once, and before it is dispatched. */
void
_cyc_api_request_reject (CycApiRequest *self,
                         guint          status,
                         const char    *detail)
{
  if (self->rejected || self->msg == NULL)
    return;
  self->rejected = TRUE;
  g_clear_pointer (&self->upload, cyc_api_upload_free);
  g_clear_pointer (&self->body, g_byte_array_unref);

  g_autoptr (GString) json = g_string_new ("{\"detail\":");
  cyc_json_append_string (json, detail, strlen (detail));
  g_string_append_c (json, '}');
  SoupMessageHeaders *request_headers = soup_server_message_get_request_headers (self->msg);
  SoupMessageHeaders *headers = soup_server_message_get_response_headers (self->msg);
  soup_server_message_set_status (self->msg, status, NULL);
  soup_server_message_set_response (self->msg, "application/json", SOUP_MEMORY_COPY, json->str,
                                    json->len);
  if (status == 401)
    soup_message_headers_replace (headers, "WWW-Authenticate", "Bearer");
  if (has_body (request_headers))
    soup_message_headers_replace (headers, "Connection", "close");
  if (!is_worth_draining (self))
    _cyc_api_conn_say (self->conn, status, json->str, json->len);
}

static gboolean
check_origin (CycApiRequest *self)
{
  SoupMessageHeaders *headers = soup_server_message_get_request_headers (self->msg);
  const char *const *names = _cyc_api_server_get_names (self->server);
  const char *const local[] = { self->conn->local_host, NULL };
  const char *host = soup_message_headers_get_list (headers, "Host");
  GUri *uri = soup_server_message_get_uri (self->msg);
  const char *target_host = g_uri_get_host (uri);
  g_autofree char *bracketed = strchr (target_host, ':') == NULL
                                 ? g_strdup (target_host) : g_strdup_printf ("[%s]", target_host);

  /* A target with a host of its own goes before the field, so both must be right. */
  if (!(cyc_api_host_is_allowed (host, names) || cyc_api_host_is_allowed (host, local)) ||
      !(cyc_api_host_is_allowed (bracketed, names) || cyc_api_host_is_allowed (bracketed, local)) ||
      g_uri_get_userinfo (uri) != NULL)
    {
      _cyc_api_request_reject (self, 403, "the Host of the request is not this server's");
      return FALSE;
    }
  if (soup_message_headers_get_list (headers, "Origin") != NULL)
    {
      _cyc_api_request_reject (self, 403, "requests from web pages are refused");
      return FALSE;
    }
  return TRUE;
}

/* The target as it came over the wire where that is known, else as libsoup read it. What was seen
 * on the wire may belong to another request (one sent before the last was answered). */
static char *
get_target (CycApiRequest *self)
{
  g_autofree char *raw = g_steal_pointer (&self->conn->raw_target);
  GUri *uri = soup_server_message_get_uri (self->msg);
  const char *path = g_uri_get_path (uri);
  const char *query = g_uri_get_query (uri);

  if (raw != NULL && raw[0] == '/')
    {
      g_autofree char *url = g_strdup_printf ("http://localhost%s", raw);
      g_autoptr (GUri) same = g_uri_parse (url, SOUP_HTTP_URI_FLAGS, NULL);
      if (same != NULL && strcmp (g_uri_get_path (same), path) == 0 &&
          g_strcmp0 (g_uri_get_query (same), query) == 0)
        return g_steal_pointer (&raw);
    }
  return g_strdup_printf ("%s%s%s", path[0] == '\0' ? "/" : path, query == NULL ? "" : "?",
                          query == NULL ? "" : query);
}

/* What handlers look at besides the target. */
static void
keep_fields (CycApiRequest *self)
{
  static const char *const names[] = { "last-event-id", "content-range", "x-checksum-sha256" };
  SoupMessageHeaders *headers = soup_server_message_get_request_headers (self->msg);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    cyc_api_call_set_field (self->call, names[i], soup_message_headers_get_list (headers, names[i]));
}

static gboolean
make_call (CycApiRequest *self)
{
  g_autoptr (GError) error = NULL;
  GUri *uri = soup_server_message_get_uri (self->msg);
  const char *method = soup_server_message_get_method (self->msg);

  if (soup_server_message_is_options_ping (self->msg) || method == SOUP_METHOD_CONNECT)
    {
      _cyc_api_request_reject (self, 405, "this method is not possible here");
      return FALSE;
    }
  if (g_uri_get_fragment (uri) != NULL)
    {
      _cyc_api_request_reject (self, 400, "bad path: '#' is not allowed in it");
      return FALSE;
    }
  self->is_head = method == SOUP_METHOD_HEAD;
  g_autofree char *target = get_target (self);
  self->call = cyc_api_call_new (self->is_head ? "GET" : method, target, &error);
  if (self->call == NULL)
    {
      _cyc_api_request_reject (self, cyc_api_status_from_error (error), error->message);
      return FALSE;
    }
  cyc_api_call_set_head (self->call, self->is_head);
  keep_fields (self);
  return TRUE;
}

static gboolean
is_path (CycApiCall *call,
         const char *second)
{
  const char *const *segments = cyc_api_call_get_segments (call);

  return cyc_api_call_get_n_segments (call) >= 2 && strcmp (segments[0], "api") == 0 &&
         strcmp (segments[1], second) == 0;
}

static gboolean
check_token (CycApiRequest *self)
{
  SoupMessageHeaders *headers = soup_server_message_get_request_headers (self->msg);
  gpointer user_data;
  const CycApiHandlers *handlers = _cyc_api_server_get_handlers (self->server, &user_data);
  const char *const *segments = cyc_api_call_get_segments (self->call);

  g_autofree char *token =
    cyc_api_bearer_token (soup_message_headers_get_list (headers, "Authorization"));
  if (token != NULL && cyc_api_token_equal (token, _cyc_api_server_get_token (self->server)))
    {
      cyc_api_call_set_role (self->call, CYC_API_ROLE_ENGINE, NULL);
      return TRUE;
    }
  if (is_path (self->call, "health") && segments[2] == NULL &&
      strcmp (cyc_api_call_get_method (self->call), "GET") == 0)
    return TRUE;

  g_autofree char *sim_id = token == NULL ? NULL : handlers->find_sim (token, user_data);
  if (sim_id == NULL)
    {
      _cyc_api_request_reject (self, 401, token == NULL
                               ? "a token is needed: send 'Authorization: Bearer TOKEN'"
                               : "the token is not valid");
      return FALSE;
    }
  if (!is_path (self->call, "sims") || g_strcmp0 (segments[2], sim_id) != 0)
    {
      _cyc_api_request_reject (self, 403, "the token is good for its own simulation only");
      return FALSE;
    }
  cyc_api_call_set_role (self->call, CYC_API_ROLE_SIM, sim_id);
  return TRUE;
}

/* What the head says of the file besides its path. */
static gboolean
prepare_upload (CycApiRequest *self,
                gboolean       has_length,
                guint64        length,
                GError       **error)
{
  const char *sum = cyc_api_call_get_field (self->call, "x-checksum-sha256");
  const char *range = cyc_api_call_get_field (self->call, "content-range");
  guint64 first, last, total;

  if (sum != NULL && !cyc_api_upload_set_checksum (self->upload, sum, error))
    return FALSE;
  if (range == NULL)
    return TRUE;
  if (!cyc_api_content_range_parse (range, &first, &last, &total) || !has_length ||
      last - first + 1 != length)
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, NULL, 0,
                        "Content-Range: expected 'bytes FIRST-LAST/TOTAL' (or '*' for TOTAL), of as many bytes as "
                        "Content-Length says");
      return FALSE;
    }
  return cyc_api_upload_resume (self->upload, first, total, error);
}

static gboolean
begin_upload (CycApiRequest *self,
              gboolean       has_length,
              guint64        length)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *target = NULL;
  guint64 max_bytes = G_MAXUINT64;
  gpointer user_data;
  const CycApiHandlers *handlers = _cyc_api_server_get_handlers (self->server, &user_data);
  const CycApiLimits *limits = _cyc_api_server_get_limits (self->server);

  /* The reserve is kept from traces for what simulations leave: without that they could not end. */
  gboolean of_sim = g_str_has_prefix (soup_server_message_get_uri (self->msg) != NULL
                                        ? g_uri_get_path (soup_server_message_get_uri (self->msg)) : "", "/api/sims/");
  if (handlers->begin_upload (self->call, &target, &max_bytes, user_data, &error))
    self->upload = cyc_api_upload_new (target, max_bytes, of_sim ? 0 : limits->space_reserve);
  if (self->upload != NULL && prepare_upload (self, has_length, length, &error) &&
      (!has_length || cyc_api_upload_announce (self->upload, length, &error)))
    return TRUE;
  _cyc_api_request_reject (self, cyc_api_status_from_error (error), error->message);
  return FALSE;
}

static void
reject_too_large (CycApiRequest *self)
{
  g_autofree char *detail = g_strdup_printf (
    "the body has more than %" G_GUINT64_FORMAT " bytes", self->limit);

  _cyc_api_request_reject (self, 413, detail);
}

/* Whether the body may come, by what the head says of it. */
static void
prepare_body (CycApiRequest *self)
{
  SoupMessageHeaders *headers = soup_server_message_get_request_headers (self->msg);
  const CycApiLimits *limits = _cyc_api_server_get_limits (self->server);
  gboolean chunked = soup_message_headers_get_encoding (headers) == SOUP_ENCODING_CHUNKED;
  guint64 length = chunked ? 0 : (guint64) soup_message_headers_get_content_length (headers);
  const char *const *segments = cyc_api_call_get_segments (self->call);

  if (chunked && soup_message_headers_get_one (headers, "Content-Length") != NULL)
    {
      _cyc_api_request_reject (self, 400,
                               "Content-Length and Transfer-Encoding exclude each other");
      return;
    }
  /* libsoup 3.2 takes the end of the stream after a whole line for that of the head: a request that was cut there
   * is no empty file. */
  if (strcmp (cyc_api_call_get_method (self->call), "PUT") == 0 && !chunked &&
      soup_message_headers_get_one (headers, "Content-Length") == NULL)
    {
      _cyc_api_request_reject (self, 400, "how long the file is, is missing; send Content-Length, or chunks");
      return;
    }
  if (strcmp (cyc_api_call_get_method (self->call), "PUT") == 0)
    {
      begin_upload (self, !chunked, length);
      return;
    }
  gboolean is_chunk = is_path (self->call, "sims") && g_strv_length ((GStrv) segments) == 4 &&
                      strcmp (segments[3], "logs") == 0;
  self->limit = is_chunk ? limits->chunk_bytes : limits->json_bytes;
  if (length > self->limit)
    reject_too_large (self);
  else
    self->body = g_byte_array_sized_new ((guint) MIN (length, DRAIN_BYTES));
}

static void
got_chunk_cb (SoupServerMessage *msg,
              GBytes            *chunk,
              CycApiRequest     *self)
{
  gsize len;
  const guint8 *bytes = g_bytes_get_data (chunk, &len);

  _cyc_api_conn_progress (self->conn, len);
  if (self->upload != NULL)
    {
      g_autoptr (GError) error = NULL;
      if (!cyc_api_upload_write (self->upload, bytes, len, &error))
        _cyc_api_request_reject (self, cyc_api_status_from_error (error), error->message);
    }
  else if (self->body != NULL)
    {
      if (self->body->len + len > self->limit)
        reject_too_large (self);
      else
        g_byte_array_append (self->body, bytes, (guint) len);
    }
}

static void
got_headers_cb (SoupServerMessage *msg,
                CycApiServer      *server)
{
  CycApiRequest *self = g_new0 (CycApiRequest, 1);
  SoupMessageHeaders *headers = soup_server_message_get_request_headers (msg);

  g_atomic_ref_count_init (&self->ref_count);
  self->server = g_object_ref (server);
  self->conn = _cyc_api_conn_ref (_cyc_api_conn_of (msg));
  self->msg = g_object_ref (msg);
  self->context = g_main_context_ref_thread_default ();
  self->fd = -1;
  if (soup_message_headers_get_one (headers, "If-Range") == NULL)
    self->range = g_strdup (soup_message_headers_get_list (headers, "Range"));
  /* Ranges are ours to answer; libsoup would do it for what is in memory, several at a time. */
  soup_message_headers_remove (headers, "Range");
  g_object_set_data_full (G_OBJECT (msg), REQUEST_KEY, self,
                          (GDestroyNotify) _cyc_api_request_unref);
  g_signal_connect (msg, "got-chunk", G_CALLBACK (got_chunk_cb), self);
  g_signal_connect (msg, "wrote-body-data", G_CALLBACK (wrote_cb), self);
  g_signal_connect (msg, "finished", G_CALLBACK (finished_cb), self);
  g_signal_connect (msg, "disconnected", G_CALLBACK (finished_cb), self);
  soup_message_body_set_accumulate (soup_server_message_get_request_body (msg), FALSE);
  _cyc_api_server_count (server, 1);
  _cyc_api_conn_enter (self->conn, CONN_BODY);

  if (_cyc_api_server_is_stopping (server))
    _cyc_api_request_reject (self, 503, "the engine is stopping; try again later");
  else if (check_origin (self) && make_call (self) && check_token (self))
    prepare_body (self);
}

/* Follows a request from its first byte on. */
void
_cyc_api_request_begin (CycApiServer      *server,
                        SoupServerMessage *msg)
{
  g_signal_connect_object (msg, "got-headers", G_CALLBACK (got_headers_cb), server, 0);
}

static gboolean
send_idle (gpointer data)
{
  _cyc_api_request_send (data);
  return G_SOURCE_REMOVE;
}

static gboolean
release_idle (gpointer data)
{
  return G_SOURCE_REMOVE;
}

/* The call's hold on the request, let go on whatever thread the call ends; what a request holds
 * belongs to the server's. */
static void
release (gpointer data)
{
  CycApiRequest *self = data;

  if (g_main_context_is_owner (self->context))
    {
      _cyc_api_request_unref (self);
      return;
    }
  g_autoptr (GMainContext) context = g_main_context_ref (self->context);
  g_autoptr (GSource) source = g_idle_source_new ();
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, release_idle, self, (GDestroyNotify) _cyc_api_request_unref);
  g_source_attach (source, context);
}

static void
answered_cb (CycApiCall *call,
             gpointer    user_data)
{
  CycApiRequest *self = user_data;

  self->call = cyc_api_call_ref (call);
  if (g_main_context_is_owner (self->context))
    {
      _cyc_api_request_send (self);
      return;
    }
  /* Not g_main_context_invoke(): between two iterations it would send from this thread. */
  g_autoptr (GSource) source = g_idle_source_new ();
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, send_idle, _cyc_api_request_ref (self),
                         (GDestroyNotify) _cyc_api_request_unref);
  g_source_attach (source, self->context);
}

/* From here on the call owns the request and not the other way round, until it is answered. */
static CycApiCall *
hand_over (CycApiRequest *self)
{
  CycApiCall *call = g_steal_pointer (&self->call);

  cyc_api_call_set_done (call, answered_cb, _cyc_api_request_ref (self), release);
  return call;
}

static void
dispatch (CycApiRequest *self)
{
  gpointer user_data;
  const CycApiHandlers *handlers = _cyc_api_server_get_handlers (self->server, &user_data);
  g_autoptr (CycApiCall) call = hand_over (self);

  handlers->dispatch (call, user_data);
}

static void
synced_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr (CycApiRequest) self = user_data;
  g_autoptr (GError) error = NULL;

  self->syncing = FALSE;
  if (_cyc_api_server_is_stopped (self->server))
    {
      g_clear_pointer (&self->upload, cyc_api_upload_free);
      return;
    }
  if (!cyc_api_upload_sync_finish (self->upload, result, &error))
    {
      g_autoptr (CycApiCall) call = hand_over (self);
      cyc_api_call_reply_gerror (call, error);
    }
  else
    {
      /* It is kept even if the client has not waited for the answer. */
      cyc_api_call_set_upload (self->call, g_steal_pointer (&self->upload));
      dispatch (self);
    }
  g_clear_pointer (&self->upload, cyc_api_upload_free);
}

/* libsoup 3.2 takes the end of the stream for the end of a chunked body, and, after a whole line, for that
 * of the head. */
static gboolean
is_cut (CycApiRequest *self)
{
  SoupMessageHeaders *headers = soup_server_message_get_request_headers (self->msg);

  return self->conn->cut || (soup_message_headers_get_encoding (headers) == SOUP_ENCODING_CHUNKED &&
                             _cyc_api_conn_has_ended (self->conn));
}

/* The request is complete: on to the router. */
void
_cyc_api_request_handle (SoupServerMessage *msg)
{
  CycApiRequest *self = g_object_get_data (G_OBJECT (msg), REQUEST_KEY);

  if (self == NULL || self->rejected)
    return;
  if (is_cut (self))
    {
      _cyc_api_request_reject (self, 400, "the request ended before it was whole");
      return;
    }
  soup_server_message_pause (msg);
  _cyc_api_conn_enter (self->conn, CONN_WORK);
  if (self->upload != NULL)
    {
      self->syncing = TRUE;
      cyc_api_upload_sync_async (self->upload, synced_cb, _cyc_api_request_ref (self));
      return;
    }
  if (self->body->len > 0)
    {
      g_autoptr (GBytes) body = g_byte_array_free_to_bytes (g_steal_pointer (&self->body));
      cyc_api_call_set_body (self->call, body);
    }
  g_autoptr (CycApiRequest) keep = _cyc_api_request_ref (self);
  dispatch (keep);
}
