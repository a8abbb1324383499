/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "support/test-proxy.h"

#include <string.h>

#define PIECE (16 * 1024)

struct _TestProxy
{
  GSocket      *listener;
  GThread      *thread;
  GCancellable *stopping;
  GMutex        lock;       /* of all below */
  GCond         ended;
  char         *target;     /* HOST:PORT; NULL: connections are closed at once */
  GPtrArray    *sockets;    /* of GSocket: of connections that go on */
  guint         n_pipes;
  guint64       sent;       /* bytes from clients that have been passed on */
  guint64       cut_at;     /* 0: never */
};

/* One direction of a connection. */
typedef struct
{
  TestProxy *proxy;
  GSocket   *from;
  GSocket   *to;
  gboolean   counts;
} Pipe;

static void
cut_locked (TestProxy *self)
{
  for (guint i = 0; i < self->sockets->len; i++)
    g_socket_shutdown (g_ptr_array_index (self->sockets, i), TRUE, TRUE, NULL);
  g_ptr_array_set_size (self->sockets, 0);
}

/* Whether what was passed on is enough. */
static void
count (TestProxy *self,
       gsize      n)
{
  g_mutex_lock (&self->lock);
  self->sent += n;
  if (self->cut_at != 0 && self->sent >= self->cut_at)
    {
      self->cut_at = 0;
      cut_locked (self);
    }
  g_mutex_unlock (&self->lock);
}

static gboolean
pass_on (GSocket    *to,
         const char *bytes,
         gssize      n)
{
  while (n > 0)
    {
      gssize done = g_socket_send (to, bytes, (gsize) n, NULL, NULL);
      if (done <= 0)
        return FALSE;
      bytes += done;
      n -= done;
    }
  return TRUE;
}

static gpointer
pipe_thread (gpointer data)
{
  Pipe *self = data;
  TestProxy *proxy = self->proxy;
  char bytes[PIECE];
  gssize n;

  while ((n = g_socket_receive (self->from, bytes, sizeof bytes, NULL, NULL)) > 0)
    {
      if (!pass_on (self->to, bytes, n))
        break;
      if (self->counts)
        count (proxy, (gsize) n);
    }
  /* The end, one way; a cut connection is closed both ways. */
  g_socket_shutdown (self->to, FALSE, TRUE, NULL);
  g_object_unref (self->from);
  g_object_unref (self->to);
  g_free (self);
  g_mutex_lock (&proxy->lock);
  proxy->n_pipes--;
  g_cond_signal (&proxy->ended);
  g_mutex_unlock (&proxy->lock);
  return NULL;
}

static void
start_pipe (TestProxy *self,
            GSocket   *from,
            GSocket   *to,
            gboolean   counts)
{
  Pipe *pipe = g_new0 (Pipe, 1);

  pipe->proxy = self;
  pipe->from = g_object_ref (from);
  pipe->to = g_object_ref (to);
  pipe->counts = counts;
  self->n_pipes++;
  g_thread_unref (g_thread_new ("pipe", pipe_thread, pipe));
}

static void
begin_locked (TestProxy *self,
              GSocket   *client)
{
  g_autoptr (GSocketClient) connector = g_socket_client_new ();
  g_autoptr (GSocketConnection) engine =
    self->target == NULL ? NULL : g_socket_client_connect_to_host (connector, self->target, 80, NULL, NULL);

  if (engine == NULL)
    {
      g_socket_close (client, NULL);
      return;
    }
  GSocket *socket = g_socket_connection_get_socket (engine);
  g_socket_set_blocking (socket, TRUE);
  g_ptr_array_add (self->sockets, g_object_ref (client));
  g_ptr_array_add (self->sockets, g_object_ref (socket));
  start_pipe (self, client, socket, TRUE);
  start_pipe (self, socket, client, FALSE);
  /* The connection closes its socket when it goes. */
  g_object_set_data_full (G_OBJECT (client), "engine", g_steal_pointer (&engine), g_object_unref);
}

static gpointer
accept_thread (gpointer data)
{
  TestProxy *self = data;

  while (!g_cancellable_is_cancelled (self->stopping))
    {
      g_autoptr (GSocket) client = g_socket_accept (self->listener, self->stopping, NULL);
      if (client == NULL)
        continue;
      g_mutex_lock (&self->lock);
      begin_locked (self, client);
      g_mutex_unlock (&self->lock);
    }
  return NULL;
}

/**
 * test_proxy_new:
 * @target: (nullable): URL of an engine, see test_proxy_set_target()
 *
 * Returns: (transfer full): a proxy, which listens on a port of its own and passes on from a thread
 */
TestProxy *
test_proxy_new (const char *target)
{
  TestProxy *self = g_new0 (TestProxy, 1);
  g_autoptr (GError) error = NULL;
  g_autoptr (GSocketAddress) address = g_inet_socket_address_new_from_string ("127.0.0.1", 0);

  self->listener = g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, &error);
  g_assert_no_error (error);
  g_assert_true (g_socket_bind (self->listener, address, TRUE, &error));
  g_assert_true (g_socket_listen (self->listener, &error));
  self->stopping = g_cancellable_new ();
  self->sockets = g_ptr_array_new_with_free_func (g_object_unref);
  g_mutex_init (&self->lock);
  g_cond_init (&self->ended);
  test_proxy_set_target (self, target);
  self->thread = g_thread_new ("proxy", accept_thread, self);
  return self;
}

/**
 * test_proxy_free:
 * @self: (transfer full): a proxy
 */
void
test_proxy_free (TestProxy *self)
{
  g_cancellable_cancel (self->stopping);
  g_thread_join (self->thread);
  g_mutex_lock (&self->lock);
  cut_locked (self);
  while (self->n_pipes > 0)
    g_cond_wait (&self->ended, &self->lock);
  g_mutex_unlock (&self->lock);
  g_object_unref (self->listener);
  g_object_unref (self->stopping);
  g_ptr_array_unref (self->sockets);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->ended);
  g_free (self->target);
  g_free (self);
}

/**
 * test_proxy_dup_url:
 * @self: a proxy
 *
 * Returns: (transfer full): the address for clients
 */
char *
test_proxy_dup_url (TestProxy *self)
{
  g_autoptr (GSocketAddress) address = g_socket_get_local_address (self->listener, NULL);

  return g_strdup_printf ("http://127.0.0.1:%u", g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (address)));
}

/**
 * test_proxy_set_target:
 * @self: a proxy
 * @target: (nullable): URL of the engine that connections lead to from now on; %NULL: they are closed at once
 */
void
test_proxy_set_target (TestProxy  *self,
                       const char *target)
{
  g_mutex_lock (&self->lock);
  g_free (self->target);
  self->target = target == NULL ? NULL : g_strdup (strstr (target, "://") + 3);
  g_mutex_unlock (&self->lock);
}

/**
 * test_proxy_cut:
 * @self: a proxy
 *
 * Breaks all connections; new ones can be made.
 */
void
test_proxy_cut (TestProxy *self)
{
  g_mutex_lock (&self->lock);
  cut_locked (self);
  g_mutex_unlock (&self->lock);
}

/**
 * test_proxy_cut_after:
 * @self: a proxy
 * @n_bytes: from clients, in all
 *
 * Breaks all connections once, when so much has been passed on.
 */
void
test_proxy_cut_after (TestProxy *self,
                      guint64    n_bytes)
{
  g_mutex_lock (&self->lock);
  self->cut_at = n_bytes;
  g_mutex_unlock (&self->lock);
}

/**
 * test_proxy_get_sent:
 * @self: a proxy
 *
 * Returns: how many bytes of clients have been passed on
 */
guint64
test_proxy_get_sent (TestProxy *self)
{
  g_mutex_lock (&self->lock);
  guint64 sent = self->sent;
  g_mutex_unlock (&self->lock);
  return sent;
}
