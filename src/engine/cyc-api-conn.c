/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include "engine/cyc-api-server-private.h"
#include "engine/cyc-api-tls.h"

/* libsoup 3.2 has no clock of its own: each connection carries one, looked at by the server's
 * timer. */

#define CONN_KEY "cyc-api-conn"

/* As much of a request's head as is looked at for its target. */
#define PEEK_BYTES 8192
G_STATIC_ASSERT (PEEK_BYTES <= CYC_API_HELLO_BYTES);

/* An answer given before the body was read: how long and how much of the body is thrown away, so
 * that the client can read the answer before the connection is reset. */
#define DISCARD_US (5 * G_USEC_PER_SEC)
#define DISCARD_BYTES (64 * 1024 * 1024)

static void
stop_waiting (CycApiConn *self)
{
  if (self->watch != NULL)
    {
      g_source_destroy (self->watch);
      g_clear_pointer (&self->watch, g_source_unref);
    }
  if (self->last != NULL)
    {
      g_autoptr (SoupServerMessage) last = g_steal_pointer (&self->last);
      g_signal_handlers_disconnect_by_data (last, self);
    }
}

static void
stream_gone (gpointer  data,
             GObject  *stream)
{
  CycApiConn *self = data;

  if (self->server != NULL)
    _cyc_api_server_remove_conn (self->server, self);
  self->server = NULL;
  _cyc_api_conn_unref (self);
}

static char *
get_host (GSocketAddress *address)
{
  if (!G_IS_INET_SOCKET_ADDRESS (address))
    return NULL;
  return g_inet_address_to_string (g_inet_socket_address_get_address (G_INET_SOCKET_ADDRESS (address)));
}

CycApiConn *
_cyc_api_conn_ref (CycApiConn *self)
{
  g_ref_count_inc (&self->ref_count);
  return self;
}

void
_cyc_api_conn_unref (CycApiConn *self)
{
  if (!g_ref_count_dec (&self->ref_count))
    return;
  stop_waiting (self);
  g_object_unref (self->socket);
  g_clear_object (&self->waiting);
  g_clear_object (&self->certificate);
  g_free (self->local_host);
  g_free (self->remote_host);
  g_free (self->raw_target);
  g_free (self);
}

CycApiConn *
_cyc_api_conn_of (SoupServerMessage *msg)
{
  GSocketAddress *remote = soup_server_message_get_remote_address (msg);

  return g_object_get_data (G_OBJECT (remote), CONN_KEY);
}

void
_cyc_api_conn_enter (CycApiConn      *self,
                     CycApiConnState  state)
{
  /* An answer has gone out by hand: nothing that libsoup does afterwards starts another clock. */
  if (self->state == CONN_DISCARD)
    return;
  stop_waiting (self);
  self->state = state;
  self->since = g_get_monotonic_time ();
  self->progress = self->since;
  self->bytes = 0;
}

void
_cyc_api_conn_progress (CycApiConn *self,
                        guint64     bytes)
{
  self->progress = g_get_monotonic_time ();
  self->bytes += bytes;
}

/* libsoup 3.2 forgets to close a connection that ends while no request is on it. Taking the stream
 * from it through the last request makes it let go. */
static void
close_idle (CycApiConn *self)
{
  g_autoptr (SoupServerMessage) last = g_object_ref (self->last);

  stop_waiting (self);
  g_autoptr (GIOStream) stream = soup_server_message_steal_connection (last);
  if (stream != NULL)
    g_io_stream_close (stream, NULL, NULL);
}

static gboolean
end_cb (gpointer data)
{
  CycApiConn *self = data;

  if (self->last != NULL)
    close_idle (self);
  return G_SOURCE_REMOVE;
}

/* Not from within libsoup's own reading, but before it tries again. */
static void
end_soon (CycApiConn *self)
{
  g_autoptr (GSource) source = g_idle_source_new ();

  g_source_set_priority (source, G_PRIORITY_HIGH);
  g_source_set_callback (source, end_cb, _cyc_api_conn_ref (self), (GDestroyNotify) _cyc_api_conn_unref);
  g_source_attach (source, g_main_context_get_thread_default ());
}

/* Keeps the target of the request as it came: libsoup shows it with its dots resolved, encoded ones
 * too. Nothing if the bytes do not hold the whole first line. */
static void
keep_target (CycApiConn *self,
             const char *bytes,
             gsize       len)
{
  const char *end = memchr (bytes, '\r', len);
  const char *begin = end == NULL ? NULL : memchr (bytes, ' ', (gsize) (end - bytes));
  const char *last = begin == NULL ? NULL : memrchr (bytes, ' ', (gsize) (end - bytes));

  g_clear_pointer (&self->raw_target, g_free);
  if (begin != NULL && begin < last)
    self->raw_target = g_strndup (begin + 1, (gsize) (last - begin) - 1);
}

/* From how many bytes on the socket counts as readable. */
static void
expect_bytes (CycApiConn *self,
              gsize       n)
{
  int low = (int) n;

  setsockopt (g_socket_get_fd (self->socket), SOL_SOCKET, SO_RCVLOWAT, &low, sizeof low);
}

static gboolean
is_at_end (CycApiConn *self)
{
  struct pollfd fd = { .fd = g_socket_get_fd (self->socket), .events = POLLRDHUP };

  return poll (&fd, 1, 0) == 1;
}

/* Whether a client that has said so much can be greeted. FALSE in @out_open if that is no TLS, or no more comes. The
 * system wakes us with less than what was expected if it cannot keep so much: then the greeting waits for the rest. */
static gboolean
can_greet (CycApiConn *self,
           const char *bytes,
           gsize       n,
           gboolean   *out_open)
{
  gsize length = _cyc_api_greeting_get_length (bytes, n);

  *out_open = length > 0 && (length <= n || !is_at_end (self));
  if (length <= n || n < self->expected)
    return TRUE;
  self->expected = length;
  expect_bytes (self, length);
  return FALSE;
}

/* Looks at the first bytes of a request without taking them. FALSE at the end of the stream. */
static gboolean
peek (CycApiConn *self,
      gboolean   *out_got)
{
  char bytes[CYC_API_HELLO_BYTES];
  gboolean greeting = self->certificate != NULL && self->stream != NULL;
  ssize_t n = recv (g_socket_get_fd (self->socket), bytes, greeting ? CYC_API_HELLO_BYTES : PEEK_BYTES,
                    MSG_PEEK | MSG_DONTWAIT);
  gboolean open = TRUE;

  *out_got = n > 0;
  if (n > 0 && greeting)
    *out_got = can_greet (self, bytes, (gsize) n, &open);
  else if (n > 0 && self->certificate == NULL)
    keep_target (self, bytes, (gsize) n);
  if (!open)
    return FALSE;
  return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

static void
drop_stream (CycApiConn *self)
{
  g_clear_object (&self->local);
  g_clear_object (&self->remote);
  g_clear_object (&self->stream); /* may be the end of @self */
}

/* What libsoup is about to read of an encrypted connection. Of the end between two requests it must not know:
 * see close_idle(). */
static gboolean
decrypted_cb (const char *bytes,
              gsize       len,
              gpointer    user_data)
{
  CycApiConn *self = user_data;

  self->ended |= len == 0;
  if (len > 0 && self->raw_target == NULL && (self->state == CONN_HEAD || self->state == CONN_IDLE))
    keep_target (self, bytes, MIN (len, PEEK_BYTES));
  if (len > 0 || self->state != CONN_IDLE || self->last == NULL)
    return TRUE;
  end_soon (self);
  return FALSE;
}

static void
shaken_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  CycApiConn *self = user_data;
  g_autoptr (GError) error = NULL;

  if (self->server != NULL)
    _cyc_api_greetings_remove (_cyc_api_server_get_greetings (self->server), self);
  if (g_tls_connection_handshake_finish (G_TLS_CONNECTION (source), result, &error) && self->server != NULL)
    {
      _cyc_api_conn_enter (self, CONN_HEAD);
      self->tls = G_IO_STREAM (source);
      self->stream = cyc_api_tls_stream_new (self->tls, self->socket, decrypted_cb, self);
      g_object_set_data_full (G_OBJECT (self->stream), CONN_KEY, _cyc_api_conn_ref (self),
                              (GDestroyNotify) _cyc_api_conn_unref);
      _cyc_api_server_serve (self->server, self);
      g_clear_object (&self->stream);
    }
  else
    {
      g_debug ("no encrypted connection: %s", error == NULL ? "stopping" : error->message);
      g_socket_close (self->socket, NULL);
    }
  g_clear_object (&self->local);
  g_clear_object (&self->remote);
  _cyc_api_conn_unref (self);
}

/* The connection is libsoup's, at once or when it is encrypted. */
static void
begin_serving (CycApiConn *self)
{
  g_autoptr (GError) error = NULL;

  if (self->certificate == NULL)
    {
      _cyc_api_server_serve (self->server, self);
      return;
    }
  self->waiting = cyc_api_tls_server_new (self->stream, self->certificate, &error);
  if (self->waiting == NULL)
    {
      g_warning ("%s", error->message);
      g_socket_close (self->socket, NULL);
      return;
    }
  expect_bytes (self, 1);
  _cyc_api_conn_enter (self, CONN_QUEUE);
  _cyc_api_greetings_add (_cyc_api_server_get_greetings (self->server), self);
}

/* Its turn. */
void
_cyc_api_conn_greet (CycApiConn *self)
{
  g_autoptr (GTlsConnection) tls = g_steal_pointer (&self->waiting);

  _cyc_api_conn_enter (self, CONN_GREET);
  g_tls_connection_handshake_async (tls, G_PRIORITY_DEFAULT, NULL, shaken_cb, _cyc_api_conn_ref (self));
}

/* The first bytes have come, or will not. */
static void
serve_or_close (CycApiConn *self,
                gboolean    open)
{
  _cyc_api_conn_ref (self);
  stop_waiting (self);
  if (open && self->server != NULL)
    begin_serving (self);
  else
    /* Also lets go of the far end's address, which carries this connection. */
    g_socket_close (self->socket, NULL);
  if (self->certificate != NULL && open && self->server != NULL)
    g_clear_object (&self->stream); /* the addresses are needed after the handshake */
  else
    drop_stream (self);
  _cyc_api_conn_unref (self);
}

static gboolean
readable_cb (GSocket      *socket,
             GIOCondition  condition,
             gpointer      user_data)
{
  CycApiConn *self = user_data;
  gboolean got;
  gboolean open = peek (self, &got);

  if (open && !got)
    return G_SOURCE_CONTINUE;
  if (self->stream != NULL)
    serve_or_close (self, open);
  else if (!open && self->last != NULL)
    close_idle (self);
  else
    g_clear_pointer (&self->watch, g_source_unref);
  return G_SOURCE_REMOVE;
}

/* Whether the client has closed its end. */
gboolean
_cyc_api_conn_has_ended (CycApiConn *self)
{
  char byte;

  return self->ended || recv (g_socket_get_fd (self->socket), &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

/* Before libsoup, which reads in the same iteration. */
static void
watch_next (CycApiConn *self)
{
  self->watch = g_socket_create_source (self->socket, G_IO_IN | G_IO_HUP, NULL);
  g_source_set_priority (self->watch, G_PRIORITY_DEFAULT - 1);
  g_source_set_callback (self->watch, G_SOURCE_FUNC (readable_cb), self, NULL);
  g_source_attach (self->watch, g_main_context_get_thread_default ());
}

static void
last_disconnected_cb (SoupServerMessage *msg,
                      CycApiConn        *self)
{
  stop_waiting (self);
}

/* An exchange has ended; the connection waits for the next one, unless libsoup is about to close
 * it. */
void
_cyc_api_conn_idle (CycApiConn        *self,
                    SoupServerMessage *last)
{
  _cyc_api_conn_enter (self, CONN_IDLE);
  if (self->state != CONN_IDLE || g_socket_is_closed (self->socket))
    return;
  self->last = g_object_ref (last);
  g_signal_connect (last, "disconnected", G_CALLBACK (last_disconnected_cb), self);
  gboolean got;
  if (!peek (self, &got) || !got)
    watch_next (self);
}

/* Its turn does not come. */
static void
leave_queue (CycApiConn *self)
{
  _cyc_api_conn_ref (self);
  if (self->server != NULL)
    _cyc_api_greetings_remove (_cyc_api_server_get_greetings (self->server), self);
  g_socket_close (self->socket, NULL);
  g_clear_object (&self->waiting);
  g_clear_object (&self->local);
  g_clear_object (&self->remote);
  _cyc_api_conn_unref (self);
}

/* Both ends see the end of the stream; libsoup then closes it in its own time. */
void
_cyc_api_conn_cut (CycApiConn *self)
{
  if (self->last != NULL || self->waiting != NULL)
    {
      if (self->last != NULL)
        close_idle (self);
      else
        leave_queue (self);
      return;
    }
  self->cut = TRUE;
  /* What the client does not take would stay in the kernel. */
  if (self->state == CONN_WRITE)
    {
      struct linger linger = { .l_onoff = 1, .l_linger = 0 };
      setsockopt (g_socket_get_fd (self->socket), SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
    }
  g_socket_shutdown (self->socket, TRUE, TRUE, NULL);
}

static gboolean
is_too_slow (CycApiConn         *self,
             const CycApiLimits *limits,
             gint64              now)
{
  gint64 stall = (gint64) limits->stall_ms * 1000;
  gint64 elapsed = now - self->since;

  if (now - self->progress > stall)
    return TRUE;
  return elapsed > stall &&
         (double) self->bytes * G_USEC_PER_SEC < (double) limits->min_rate * (double) elapsed;
}

/* Whether the connection may go on. */
gboolean
_cyc_api_conn_check (CycApiConn         *self,
                     const CycApiLimits *limits,
                     gint64              now)
{
  gint64 elapsed = now - self->since;

  switch (self->state)
    {
    case CONN_HEAD:
    case CONN_QUEUE:
      return elapsed <= (gint64) limits->header_ms * 1000;
    case CONN_GREET:
      return elapsed <= (gint64) limits->header_ms * 1000 / 3;
    case CONN_IDLE:
      return elapsed <= (gint64) limits->keepalive_ms * 1000;
    case CONN_BODY:
    case CONN_WRITE:
      return !is_too_slow (self, limits, now);
    case CONN_DISCARD:
      return elapsed <= DISCARD_US && self->bytes <= DISCARD_BYTES;
    case CONN_WORK:
    case CONN_STREAM:
    default:
      return TRUE;
    }
}

/* Answers by hand before the body has come, which libsoup 3.2 cannot, and stops sending. */
void
_cyc_api_conn_say (CycApiConn *self,
                   guint       status,
                   const char *json,
                   gsize       len)
{
  g_autofree char *text =
    g_strdup_printf ("HTTP/1.1 %u %s\r\nContent-Type: application/json\r\n"
                     "Content-Length: %" G_GSIZE_FORMAT "\r\nConnection: close\r\n\r\n%.*s",
                     status, soup_status_get_phrase (status), len, (int) len, json);

  if (self->tls == NULL)
    g_socket_send_with_blocking (self->socket, text, strlen (text), FALSE, NULL, NULL);
  else
    g_pollable_output_stream_write_nonblocking (
      G_POLLABLE_OUTPUT_STREAM (g_io_stream_get_output_stream (self->tls)), text, strlen (text), NULL, NULL);
  g_socket_shutdown (self->socket, FALSE, TRUE, NULL);
  _cyc_api_conn_enter (self, CONN_DISCARD);
}

/* The server goes away. What libsoup has is closed by libsoup. */
void
_cyc_api_conn_forget (CycApiConn *self)
{
  self->server = NULL;
  if (self->stream != NULL)
    serve_or_close (self, FALSE);
  else if (self->waiting != NULL)
    leave_queue (self);
}

/* The address object of the far end is the one thing that libsoup hands back with every message
 * of a connection, so it carries the connection. The stream's end is the connection's. libsoup gets
 * the stream when there is something to read: it reads at once, and what it reads cannot be looked
 * at any more. */
void
_cyc_api_conn_begin (CycApiServer      *server,
                     GSocketConnection *stream,
                     GSocketAddress    *local,
                     GSocketAddress    *remote,
                     GTlsCertificate   *certificate)
{
  CycApiConn *self = g_new0 (CycApiConn, 1);
  gboolean got;

  g_ref_count_init (&self->ref_count);
  self->server = server;
  self->socket = g_object_ref (g_socket_connection_get_socket (stream));
  self->local_host = get_host (local);
  self->remote_host = get_host (remote);
  self->link.data = self;
  g_set_object (&self->certificate, certificate);
  g_socket_set_option (self->socket, IPPROTO_TCP, TCP_NODELAY, TRUE, NULL);
  _cyc_api_conn_enter (self, CONN_HEAD);
  _cyc_api_server_add_conn (server, self);
  g_object_weak_ref (G_OBJECT (stream), stream_gone, _cyc_api_conn_ref (self));
  g_object_set_data_full (G_OBJECT (remote), CONN_KEY, self, (GDestroyNotify) _cyc_api_conn_unref);
  self->stream = G_IO_STREAM (g_object_ref (stream));
  self->local = g_object_ref (local);
  self->remote = g_object_ref (remote);
  gboolean open = peek (self, &got);
  if (open && !got)
    watch_next (self);
  else
    serve_or_close (self, open);
}
