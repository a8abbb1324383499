/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-number.h"
#include "engine/cyc-api-server-private.h"
#include "engine/cyc-api-tls.h"

#define ACCEPT_BURST 16
#define ACCEPT_RETRY_MS 200

/* Where connections come in. */
typedef struct
{
  CycApiServer *server;
  GSocket      *socket;      /* NULL: not in use */
  GSource      *source;
  gboolean      encrypted;
} Listener;

/* With a certificate, the second one is for this machine: workers and commands need none. */
#define N_LISTENERS 2

struct _CycApiServer
{
  GObject         parent_instance;

  CycApiHandlers  handlers;
  gpointer        user_data;
  char           *token;
  CycApiLimits    limits;

  SoupServer     *soup;
  int             dummy_fd;    /* the other end of what libsoup believes to listen at */
  gboolean        listening;
  Listener        listeners[N_LISTENERS];
  GTlsCertificate *certificate;
  GSource        *timer;
  GMainContext   *context;
  char           *url;
  char           *local_url;
  char           *address;
  GStrv           names;       /* what a request may call this server */

  GQueue          conns;       /* of CycApiConn, not owned */
  CycApiGreetings greetings;
  guint           n_requests;
  GTask          *stop;
  GSource        *stop_timer;
};

G_DEFINE_FINAL_TYPE (CycApiServer, cyc_api_server, G_TYPE_OBJECT)

static void watch_listener (Listener *listener);

static void
destroy_source (GSource **source)
{
  if (*source == NULL)
    return;
  g_source_destroy (*source);
  g_clear_pointer (source, g_source_unref);
}

static void
close_listeners (CycApiServer *self)
{
  self->listening = FALSE;
  for (guint i = 0; i < N_LISTENERS; i++)
    {
      Listener *listener = &self->listeners[i];
      destroy_source (&listener->source);
      if (listener->socket != NULL)
        g_socket_close (listener->socket, NULL);
      g_clear_object (&listener->socket);
    }
}

static void
close_all (CycApiServer *self)
{
  close_listeners (self);
  destroy_source (&self->timer);
  destroy_source (&self->stop_timer);
  if (self->soup != NULL)
    soup_server_disconnect (self->soup);
  g_queue_clear (&self->greetings.waiting);
  g_queue_clear (&self->greetings.under_way);
  for (GList *l; (l = g_queue_pop_head_link (&self->conns)) != NULL;)
    _cyc_api_conn_forget (l->data);
  if (self->dummy_fd >= 0)
    close (g_steal_fd (&self->dummy_fd));
}

static void
cyc_api_server_dispose (GObject *object)
{
  CycApiServer *self = CYC_API_SERVER (object);

  close_all (self);
  g_clear_object (&self->soup);

  G_OBJECT_CLASS (cyc_api_server_parent_class)->dispose (object);
}

static void
cyc_api_server_finalize (GObject *object)
{
  CycApiServer *self = CYC_API_SERVER (object);

  g_clear_pointer (&self->context, g_main_context_unref);
  g_free (self->token);
  g_free (self->url);
  g_free (self->local_url);
  g_free (self->address);
  g_strfreev (self->names);
  g_clear_object (&self->certificate);

  G_OBJECT_CLASS (cyc_api_server_parent_class)->finalize (object);
}

static void
cyc_api_server_class_init (CycApiServerClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = cyc_api_server_dispose;
  object_class->finalize = cyc_api_server_finalize;
}

static void
cyc_api_server_init (CycApiServer *self)
{
  self->dummy_fd = -1;
  g_queue_init (&self->conns);
  g_queue_init (&self->greetings.waiting);
  g_queue_init (&self->greetings.under_way);
  cyc_api_limits_init (&self->limits);
}

/**
 * cyc_api_limits_init:
 * @limits: (out): set to the limits of the HTTP API's contract
 */
void
cyc_api_limits_init (CycApiLimits *limits)
{
  g_return_if_fail (limits != NULL);

  *limits = (CycApiLimits) {
    .json_bytes = 8 * 1024 * 1024,
    .chunk_bytes = 1024 * 1024,
    .space_reserve = 64 * 1024 * 1024,
    .max_connections = 4096,
    .header_ms = 10000,
    .stall_ms = 30000,
    .keepalive_ms = 120000,
    .min_rate = 1024,
  };
}

static gboolean
timer_cb (gpointer user_data)
{
  CycApiServer *self = user_data;
  gint64 now = g_get_monotonic_time ();

  for (GList *l = self->conns.head, *next; l != NULL; l = next)
    {
      next = l->next; /* cutting may take it out */
      if (!_cyc_api_conn_check (l->data, &self->limits, now))
        _cyc_api_conn_cut (l->data);
    }
  if (self->conns.length > 0)
    return G_SOURCE_CONTINUE;
  g_clear_pointer (&self->timer, g_source_unref);
  return G_SOURCE_REMOVE;
}

static void
start_timer (CycApiServer *self)
{
  guint shortest = MIN (self->limits.header_ms,
                        MIN (self->limits.stall_ms, self->limits.keepalive_ms));

  if (self->timer != NULL)
    return;
  self->timer = g_timeout_source_new (CLAMP (shortest / 4, 10, 1000));
  g_source_set_callback (self->timer, timer_cb, self, NULL);
  g_source_attach (self->timer, self->context);
}

void
_cyc_api_server_add_conn (CycApiServer *self,
                          CycApiConn   *conn)
{
  g_queue_push_tail_link (&self->conns, &conn->link);
  start_timer (self);
}

void
_cyc_api_server_serve (CycApiServer *self,
                       CycApiConn   *conn)
{
  soup_server_accept_iostream (self->soup, G_IO_STREAM (conn->stream), conn->local, conn->remote,
                               NULL);
}

void
_cyc_api_server_remove_conn (CycApiServer *self,
                             CycApiConn   *conn)
{
  g_queue_unlink (&self->conns, &conn->link);
  _cyc_api_greetings_remove (&self->greetings, conn);
}

CycApiGreetings *
_cyc_api_server_get_greetings (CycApiServer *self)
{
  return &self->greetings;
}

static gboolean
finish_stop (gpointer user_data)
{
  CycApiServer *self = user_data;

  destroy_source (&self->stop_timer);
  if (self->stop != NULL)
    {
      g_autoptr (GTask) task = g_steal_pointer (&self->stop);
      gboolean all = self->n_requests == 0;
      close_all (self);
      g_task_return_boolean (task, all);
    }
  return G_SOURCE_REMOVE;
}

static void
schedule_stop (CycApiServer *self,
               guint         ms)
{
  destroy_source (&self->stop_timer);
  self->stop_timer = g_timeout_source_new (ms);
  g_source_set_callback (self->stop_timer, finish_stop, self, NULL);
  g_source_attach (self->stop_timer, self->context);
}

/* Requests in work; the last one that ends ends a stop, though not under libsoup's feet. */
void
_cyc_api_server_count (CycApiServer *self,
                       int           change)
{
  self->n_requests += (guint) change;
  if (self->n_requests == 0 && self->stop != NULL)
    schedule_stop (self, 0);
}

const CycApiHandlers *
_cyc_api_server_get_handlers (CycApiServer *self,
                              gpointer     *out_user_data)
{
  *out_user_data = self->user_data;
  return &self->handlers;
}

const CycApiLimits *
_cyc_api_server_get_limits (CycApiServer *self)
{
  return &self->limits;
}

const char *
_cyc_api_server_get_token (CycApiServer *self)
{
  return self->token;
}

const char *const *
_cyc_api_server_get_names (CycApiServer *self)
{
  return (const char *const *) self->names;
}

gboolean
_cyc_api_server_is_stopping (CycApiServer *self)
{
  return !self->listening;
}

/* What was cut off then is nobody's any more, nor are the handlers' data. */
gboolean
_cyc_api_server_is_stopped (CycApiServer *self)
{
  return !self->listening && self->stop == NULL;
}

static void
request_started_cb (SoupServer        *soup,
                    SoupServerMessage *msg,
                    CycApiServer      *self)
{
  CycApiConn *conn = _cyc_api_conn_of (msg);

  if (conn == NULL)
    return;
  /* The first message of a connection starts before its first byte. */
  if (conn->state == CONN_IDLE)
    _cyc_api_conn_enter (conn, CONN_HEAD);
  _cyc_api_request_begin (self, msg);
}

static void
handler_cb (SoupServer        *soup,
            SoupServerMessage *msg,
            const char        *path,
            GHashTable        *query,
            gpointer           user_data)
{
  _cyc_api_request_handle (msg);
}

/* A client that holds its connection between two requests can come again; one that has none
 * cannot. */
static gboolean
make_room (CycApiServer *self)
{
  CycApiConn *oldest = NULL;

  if (self->conns.length < self->limits.max_connections)
    return TRUE;
  for (GList *l = self->conns.head; l != NULL; l = l->next)
    {
      CycApiConn *conn = l->data;
      if (conn->state == CONN_IDLE && (oldest == NULL || conn->since < oldest->since))
        oldest = conn;
    }
  if (oldest == NULL)
    return FALSE;
  _cyc_api_conn_cut (oldest);
  return TRUE;
}

static void
refuse (GSocket  *socket,
        gboolean  encrypted)
{
  static const char text[] = "HTTP/1.1 503 Service Unavailable\r\n"
                             "Content-Type: application/json\r\n"
                             "Content-Length: 52\r\nConnection: close\r\n\r\n"
                             "{\"detail\": \"too many connections; try again later.\"}";

  if (!encrypted)
    g_socket_send_with_blocking (socket, text, strlen (text), FALSE, NULL, NULL);
  g_socket_close (socket, NULL);
}

static void
accept_one (Listener *listener,
            GSocket  *socket)
{
  CycApiServer *self = listener->server;

  if (!make_room (self))
    {
      refuse (socket, listener->encrypted);
      return;
    }
  g_autoptr (GSocketConnection) stream = g_socket_connection_factory_create_connection (socket);
  g_autoptr (GSocketAddress) local = g_socket_get_local_address (socket, NULL);
  g_autoptr (GSocketAddress) remote = g_socket_get_remote_address (socket, NULL);

  /* It may be gone already. */
  if (local == NULL || remote == NULL)
    return;
  _cyc_api_conn_begin (self, stream, local, remote, listener->encrypted ? self->certificate : NULL);
}

static gboolean
watch_again_cb (gpointer user_data)
{
  watch_listener (user_data);
  return G_SOURCE_REMOVE;
}

static gboolean
accept_cb (GSocket      *socket,
           GIOCondition  condition,
           gpointer      user_data)
{
  Listener *self = user_data;

  for (guint i = 0; i < ACCEPT_BURST; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GSocket) accepted = g_socket_accept (socket, NULL, &error);
      if (accepted != NULL)
        {
          accept_one (self, accepted);
          continue;
        }
      if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK))
        return G_SOURCE_CONTINUE;
      /* No file descriptor left, or a connection that ended in the queue: go on a little later. */
      g_debug ("cannot accept a connection: %s", error->message);
      destroy_source (&self->source);
      self->source = g_timeout_source_new (ACCEPT_RETRY_MS);
      g_source_set_callback (self->source, watch_again_cb, self, NULL);
      g_source_attach (self->source, self->server->context);
      return G_SOURCE_REMOVE;
    }
  return G_SOURCE_CONTINUE;
}

static void
watch_listener (Listener *self)
{
  destroy_source (&self->source);
  self->source = g_socket_create_source (self->socket, G_IO_IN, NULL);
  g_source_set_callback (self->source, G_SOURCE_FUNC (accept_cb), self, NULL);
  g_source_attach (self->source, self->server->context);
}

/* libsoup's own listener stops for good at the first failed accept (no file descriptor left) and
 * shows connections too late to bound them, so we accept ourselves. But libsoup keeps connections
 * alive only while it has a listener: it gets one end of a socket pair on which nothing ever
 * comes. */
static gboolean
start_soup (CycApiServer  *self,
            GError       **error)
{
  int pair[2];

  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
    {
      cyc_error_set_errno (error, errno, NULL, "cannot start the HTTP server");
      return FALSE;
    }
  self->dummy_fd = pair[1];
  g_autoptr (GSocket) dummy = g_socket_new_from_fd (pair[0], error);
  if (dummy == NULL)
    {
      close (pair[0]);
      return FALSE;
    }
  self->soup = soup_server_new ("raw-paths", TRUE, "server-header", "Cyclescope", NULL);
  g_signal_connect (self->soup, "request-started", G_CALLBACK (request_started_cb), self);
  soup_server_add_handler (self->soup, NULL, handler_cb, self, NULL);
  return soup_server_listen_socket (self->soup, dummy, 0, error);
}

static GSocketAddress *
parse_address (const char  *text,
               GError     **error)
{
  const char *colon = strrchr (text, ':');
  guint64 port;

  if (colon != NULL && cyc_number_parse_uint64 (colon + 1, strlen (colon + 1), &port) &&
      port <= 65535)
    {
      g_autofree char *host = g_strndup (text, (gsize) (colon - text));
      gsize len = strlen (host);
      gboolean bracketed = len > 2 && host[0] == '[' && host[len - 1] == ']';
      if (bracketed)
        {
          memmove (host, host + 1, len - 2);
          host[len - 2] = '\0';
        }
      if (strcmp (host, "localhost") == 0)
        return g_inet_socket_address_new_from_string ("127.0.0.1", (guint) port);
      if (bracketed == (strchr (host, ':') != NULL) && g_hostname_is_ip_address (host))
        return g_inet_socket_address_new_from_string (host, (guint) port);
    }
  cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0,
                    "'%s' is not an address to listen at; use ADDRESS:PORT such as 127.0.0.1:8080 "
                    "or [::1]:0", text);
  return NULL;
}

static char *
make_url (GSocketAddress *bound,
          gboolean        encrypted)
{
  GInetSocketAddress *inet = G_INET_SOCKET_ADDRESS (bound);
  GInetAddress *host = g_inet_socket_address_get_address (inet);
  gboolean is_v6 = g_inet_address_get_family (host) == G_SOCKET_FAMILY_IPV6;
  g_autofree char *text = g_inet_address_to_string (host);

  if (g_inet_address_get_is_any (host))
    {
      g_free (text);
      text = g_strdup (is_v6 ? "::1" : "127.0.0.1");
    }
  return g_strdup_printf ("%s://%s%s%s:%u", encrypted ? "https" : "http", is_v6 ? "[" : "", text,
                          is_v6 ? "]" : "", g_inet_socket_address_get_port (inet));
}

/* Listens on a socket that is not watched yet. Returns its URL. */
static char *
open_listener (CycApiServer    *self,
               Listener        *listener,
               GSocketAddress  *wanted,
               gboolean         encrypted,
               GError         **error)
{
  g_autoptr (GSocket) socket = g_socket_new (g_socket_address_get_family (wanted),
                                             G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, error);

  if (socket == NULL)
    return NULL;
  g_socket_set_blocking (socket, FALSE);
  g_socket_set_listen_backlog (socket, 256);
  if (!g_socket_bind (socket, wanted, TRUE, error) || !g_socket_listen (socket, error))
    return NULL;
  g_autoptr (GSocketAddress) bound = g_socket_get_local_address (socket, error);
  if (bound == NULL)
    return NULL;
  listener->server = self;
  listener->encrypted = encrypted;
  listener->socket = g_steal_pointer (&socket);
  return make_url (bound, encrypted);
}

static gboolean
open_listeners (CycApiServer    *self,
                GSocketAddress  *wanted,
                GError         **error)
{
  self->url = open_listener (self, &self->listeners[0], wanted, self->certificate != NULL, error);
  if (self->url == NULL)
    return FALSE;
  if (self->certificate == NULL)
    {
      self->local_url = g_strdup (self->url);
      return TRUE;
    }
  g_autoptr (GSocketAddress) local = g_inet_socket_address_new_from_string ("127.0.0.1", 0);
  self->local_url = open_listener (self, &self->listeners[1], local, FALSE, error);
  return self->local_url != NULL;
}

static GStrv
list_names (CycApiServer *self)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  g_auto (GStrv) certified = cyc_api_tls_list_names (self->certificate);

  g_strv_builder_add (names, self->address);
  g_strv_builder_addv (names, (const char **) certified);
  return g_strv_builder_end (names);
}

/**
 * cyc_api_server_new:
 * @handlers: what answers; copied
 * @user_data: for @handlers
 * @token: the engine's token
 *
 * The HTTP server of an engine: it lets through what the rules of the HTTP API allow, within
 * bounds, and sends what the handlers answer. Main thread only, like all of its functions.
 *
 * Returns: (transfer full): a server that does not listen yet
 */
CycApiServer *
cyc_api_server_new (const CycApiHandlers *handlers,
                    gpointer              user_data,
                    const char           *token)
{
  g_return_val_if_fail (handlers != NULL && token != NULL && token[0] != '\0', NULL);

  CycApiServer *self = g_object_new (CYC_TYPE_API_SERVER, NULL);
  self->handlers = *handlers;
  self->user_data = user_data;
  self->token = g_strdup (token);
  self->context = g_main_context_ref_thread_default ();
  return self;
}

/**
 * cyc_api_server_set_limits:
 * @self: a server
 * @limits: bounds for what clients may take, used for what comes from now on
 */
void
cyc_api_server_set_limits (CycApiServer       *self,
                           const CycApiLimits *limits)
{
  g_return_if_fail (CYC_IS_API_SERVER (self) && limits != NULL);

  self->limits = *limits;
}

/**
 * cyc_api_server_set_certificate:
 * @self: a server that does not listen yet
 * @certificate: (nullable): a certificate with its key
 *
 * Has all be encrypted that comes to the address of cyc_api_server_listen(). Programs of this machine get a
 * second address, of the loopback interface, which is not.
 */
void
cyc_api_server_set_certificate (CycApiServer    *self,
                                GTlsCertificate *certificate)
{
  g_return_if_fail (CYC_IS_API_SERVER (self) && !self->listening);

  g_set_object (&self->certificate, certificate);
}

/**
 * cyc_api_server_listen:
 * @self: a server that does not listen
 * @address: `ADDRESS:PORT`, an address in numbers or `localhost`; port 0 picks a free one
 * @flags: whether addresses beyond this machine are allowed
 * @error: (nullable): return location for %CYC_ERROR_VALUE, %CYC_ERROR_DENIED (not a loopback
 *   address without the flag) or the system's reason
 *
 * Begins to answer requests.
 *
 * Returns: %TRUE if the server listens
 */
gboolean
cyc_api_server_listen (CycApiServer       *self,
                       const char         *address,
                       CycApiListenFlags   flags,
                       GError            **error)
{
  g_return_val_if_fail (CYC_IS_API_SERVER (self) && self->soup == NULL && address != NULL, FALSE);

  g_autoptr (GSocketAddress) wanted = parse_address (address, error);
  if (wanted == NULL)
    return FALSE;
  GInetAddress *host = g_inet_socket_address_get_address (G_INET_SOCKET_ADDRESS (wanted));
  if (!g_inet_address_get_is_loopback (host) && (flags & CYC_API_LISTEN_ANYWHERE) == 0)
    {
      cyc_error_set_at (error, CYC_ERROR_DENIED, NULL, 0,
                        "%s can be reached from other machines, and nothing would be encrypted; give a certificate, "
                        "or say that this is meant", address);
      return FALSE;
    }
  self->address = g_inet_address_to_string (host);
  self->names = list_names (self);
  if (!open_listeners (self, wanted, error))
    {
      g_prefix_error (error, "cannot listen at %s: ", address);
      close_listeners (self);
      return FALSE;
    }
  if (!start_soup (self, error))
    {
      close_listeners (self);
      return FALSE;
    }
  for (guint i = 0; i < N_LISTENERS; i++)
    if (self->listeners[i].socket != NULL)
      watch_listener (&self->listeners[i]);
  self->listening = TRUE;
  return TRUE;
}

/**
 * cyc_api_server_get_url:
 * @self: a server
 *
 * Returns: (nullable): such as `http://127.0.0.1:40001`, where this machine reaches the server;
 *   %NULL before it listens
 */
const char *
cyc_api_server_get_url (CycApiServer *self)
{
  g_return_val_if_fail (CYC_IS_API_SERVER (self), NULL);

  return self->url;
}

/**
 * cyc_api_server_get_local_url:
 * @self: a server
 *
 * Returns: (nullable): where programs of this machine reach the server without a certificate; %NULL before it
 *   listens
 */
const char *
cyc_api_server_get_local_url (CycApiServer *self)
{
  g_return_val_if_fail (CYC_IS_API_SERVER (self), NULL);

  return self->local_url;
}

/**
 * cyc_api_server_is_insecure:
 * @self: a server that listens
 *
 * Returns: %TRUE if other machines reach it and nothing is encrypted
 */
gboolean
cyc_api_server_is_insecure (CycApiServer *self)
{
  g_return_val_if_fail (CYC_IS_API_SERVER (self), FALSE);

  g_autoptr (GInetAddress) address =
    self->address == NULL ? NULL : g_inet_address_new_from_string (self->address);
  return self->certificate == NULL && address != NULL && !g_inet_address_get_is_loopback (address);
}

/**
 * cyc_api_server_get_n_connections:
 * @self: a server
 *
 * Returns: the number of open connections
 */
guint
cyc_api_server_get_n_connections (CycApiServer *self)
{
  g_return_val_if_fail (CYC_IS_API_SERVER (self), 0);

  return self->conns.length;
}

/**
 * cyc_api_server_get_n_requests:
 * @self: a server
 *
 * Returns: the number of requests between their head and the end of their answer
 */
guint
cyc_api_server_get_n_requests (CycApiServer *self)
{
  g_return_val_if_fail (CYC_IS_API_SERVER (self), 0);

  return self->n_requests;
}

/**
 * cyc_api_server_stop_async:
 * @self: a server
 * @grace_ms: how long running requests may go on, in milliseconds
 * @callback: runs when the server has stopped
 * @user_data: for @callback
 *
 * Stops listening at once, refuses new requests, finishes the running ones and closes all
 * connections. A stopped server cannot listen again.
 */
void
cyc_api_server_stop_async (CycApiServer        *self,
                           guint                grace_ms,
                           GAsyncReadyCallback  callback,
                           gpointer             user_data)
{
  g_return_if_fail (CYC_IS_API_SERVER (self) && self->stop == NULL);

  self->stop = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (self->stop, cyc_api_server_stop_async);
  close_listeners (self);
  schedule_stop (self, self->n_requests == 0 ? 0 : grace_ms);
}

/**
 * cyc_api_server_stop_finish:
 * @self: a server
 * @result: what the callback got
 * @error: (nullable): unused, there is nothing that can fail
 *
 * Returns: %TRUE if all requests were answered, %FALSE if some were cut off
 */
gboolean
cyc_api_server_stop_finish (CycApiServer  *self,
                            GAsyncResult  *result,
                            GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
