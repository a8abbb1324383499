/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "displayless/engine/api-fixture.h"

/* Clients of an encrypted address that take their time, or say too much. */

#define HOST "Host: 127.0.0.1\r\n"
#define HEAD HOST AUTH "Connection: close\r\n"

/* Where those come from that hold up others, and how many of them there are. */
#define OTHER_HOST (INADDR_LOOPBACK + 1)
#define N_SILENT 40

static void
set_limits (Fixture *fixture,
            guint    header_ms)
{
  CycApiLimits limits;

  cyc_api_limits_init (&limits);
  limits.space_reserve = 0;
  limits.header_ms = header_ms;
  cyc_api_server_set_limits (fixture->server, &limits);
}

static gboolean
no_connections (Fixture *fixture)
{
  return cyc_api_server_get_n_connections (fixture->server) == 0;
}

static gboolean
has_connection (Fixture *fixture)
{
  return cyc_api_server_get_n_connections (fixture->server) > 0;
}

/* Takes a socket. Not g_tls_client_connection_new(): that reads all authorities of the system each time. */
static GIOStream *
make_client (int           fd,
             GTlsDatabase *database)
{
  g_autoptr (GSocket) socket = g_socket_new_from_fd (fd, NULL);
  g_autoptr (GSocketConnection) base = g_socket_connection_factory_create_connection (socket);
  g_autoptr (GSocketConnectable) server = g_network_address_new ("127.0.0.1", 443);
  GTlsBackend *backend = g_tls_backend_get_default ();

  return g_initable_new (g_tls_backend_get_client_connection_type (backend), NULL, NULL, "base-io-stream", base,
                         "server-identity", server, "database", database, "require-close-notify", FALSE, NULL);
}

/* An encrypted connection, on the thread of a client; NULL if it is closed before. */
static GIOStream *
greet (Fixture *fixture)
{
  g_autoptr (GTlsDatabase) database = g_tls_file_database_new (fixture->cert, NULL);
  g_assert_nonnull (database);
  g_autoptr (GIOStream) tls = make_client (client_connect (fixture), database);

  return g_tls_connection_handshake (G_TLS_CONNECTION (tls), NULL, NULL) ? g_steal_pointer (&tls) : NULL;
}

/* FALSE if the server does not listen any more. */
static gboolean
say (GIOStream  *stream,
     const char *text)
{
  return g_output_stream_write_all (g_io_stream_get_output_stream (stream), text, strlen (text), NULL, NULL, NULL);
}

/* All to the end of the stream, whichever way that comes. */
static char *
listen_to (GIOStream *stream)
{
  g_autoptr (GString) out = g_string_new (NULL);
  char buffer[4096];
  gssize n;

  while ((n = g_input_stream_read (g_io_stream_get_input_stream (stream), buffer, sizeof buffer, NULL, NULL)) > 0)
    g_string_append_len (out, buffer, n);
  return g_string_free (g_steal_pointer (&out), FALSE);
}

static char *
ask_client (Fixture  *fixture,
            gpointer  data)
{
  g_autoptr (GIOStream) stream = greet (fixture);

  if (stream == NULL)
    return NULL;
  say (stream, data);
  return listen_to (stream);
}

static char *
run (Fixture    *fixture,
     ClientFunc  func,
     const char *text)
{
  return fixture_run (fixture, func, (gpointer) text);
}

static void
test_ask (Fixture       *fixture,
          gconstpointer  data)
{
  if (fixture->server == NULL)
    return;
  g_autofree char *answer = run (fixture, ask_client, "GET /api/echo?q=x HTTP/1.1\r\n" HEAD "\r\n");
  g_assert_cmpuint (answer_status (answer), ==, 200);
  g_assert_nonnull (strstr (answer_body (answer), "\"q\":\"x\""));
  g_assert_true (fixture_wait (fixture, no_connections));
}

/* What a client says first, as the library of this machine says it. */
static GBytes *
make_hello (void)
{
  int pair[2];
  char bytes[4096];

  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), ==, 0);
  g_autoptr (GIOStream) tls = make_client (pair[0], NULL);
  g_tls_connection_handshake_async (G_TLS_CONNECTION (tls), G_PRIORITY_DEFAULT, NULL, NULL, NULL);
  ssize_t n = recv (pair[1], bytes, sizeof bytes, 0);
  g_assert_cmpint (n, >, 100);
  close (pair[1]);
  return g_bytes_new (bytes, (gsize) n);
}

/* Says the beginning of a greeting, then a byte at a time as long as it can; NULL if the server has not closed it. */
typedef struct
{
  const char *beginning;
  gsize       len;
  gboolean    drips;
} Slow;

static char *
slow_client (Fixture  *fixture,
             gpointer  data)
{
  const Slow *slow = data;
  int fd = client_connect (fixture);
  struct pollfd poll_fd = { .fd = fd, .events = POLLIN };

  client_send (fd, slow->beginning, (gssize) slow->len);
  while (slow->drips && poll (&poll_fd, 1, 20) == 0)
    client_send (fd, "x", 1);
  char *answer = client_read (fd);
  close (fd);
  return answer;
}

static void
check_closed (Fixture    *fixture,
              const char *beginning,
              gsize       len,
              gboolean    drips)
{
  Slow slow = { beginning, len, drips };
  /* NULL if the server kept the connection. */
  g_autofree char *answer = fixture_run (fixture, slow_client, &slow);

  g_assert_nonnull (answer);
  g_assert_true (fixture_wait (fixture, no_connections));
  g_assert_cmpuint (fixture->n_dispatched, ==, 0);
}

/* Every beginning of a greeting, and what is none. */
static void
test_slow (Fixture       *fixture,
           gconstpointer  data)
{
  if (fixture->server == NULL)
    return;
  g_autoptr (GBytes) hello = make_hello ();
  gsize len;
  const char *bytes = g_bytes_get_data (hello, &len);
  set_limits (fixture, 150);
  check_closed (fixture, "", 0, FALSE);
  check_closed (fixture, bytes, 1, FALSE);
  check_closed (fixture, bytes, 5, FALSE);
  check_closed (fixture, bytes, len - 1, FALSE);
  check_closed (fixture, bytes, len, FALSE);
  check_closed (fixture, "\x16\x03\x01\x40\x00", 5, TRUE);
  check_closed (fixture, bytes, len, TRUE);
  check_closed (fixture, "\x16\x03\x01\x00\x00", 5, FALSE);
  check_closed (fixture, "\x16\x03\x01\xff\xff", 5, FALSE);
  check_closed (fixture, "GET / HTTP/1.1\r\n\r\n", 18, FALSE);
}

/* Forty clients of another machine that say all of their greeting's first part and then nothing, and come again when
 * they are closed. */
typedef struct
{
  Fixture *fixture;
  GBytes  *hello;
  int      stop;
} Crowd;

static gpointer
crowd_thread (gpointer data)
{
  Crowd *crowd = data;
  struct pollfd fds[N_SILENT];
  gsize len;
  const char *bytes = g_bytes_get_data (crowd->hello, &len);

  for (guint i = 0; i < N_SILENT; i++)
    fds[i] = (struct pollfd) { .fd = -1, .events = POLLRDHUP };
  while (!g_atomic_int_get (&crowd->stop))
    {
      for (guint i = 0; i < N_SILENT; i++)
        {
          if (fds[i].fd >= 0 && fds[i].revents == 0)
            continue;
          if (fds[i].fd >= 0)
            close (fds[i].fd);
          fds[i].fd = client_connect_from (crowd->fixture, OTHER_HOST);
          client_send (fds[i].fd, bytes, (gssize) len);
        }
      poll (fds, N_SILENT, 20);
    }
  for (guint i = 0; i < N_SILENT; i++)
    close (fds[i].fd);
  return NULL;
}

static gboolean
is_crowded (Fixture *fixture)
{
  return cyc_api_server_get_n_connections (fixture->server) >= N_SILENT;
}

/* Others have their turn: if each had to wait for all that came before, none would within its time. */
static void
test_crowd (Fixture       *fixture,
            gconstpointer  data)
{
  if (fixture->server == NULL)
    return;
  g_autoptr (GBytes) hello = make_hello ();
  Crowd crowd = { fixture, hello, 0 };
  g_autofree char *answer = NULL;
  set_limits (fixture, 1500);
  GThread *thread = g_thread_new ("crowd", crowd_thread, &crowd);
  g_assert_true (fixture_wait (fixture, is_crowded));
  /* A machine that is slow may miss its turn. */
  for (guint i = 0; i < 10 && answer == NULL; i++)
    {
      answer = run (fixture, ask_client, "GET /api/empty HTTP/1.1\r\n" HEAD "\r\n");
      g_test_message ("attempt %u: %s", i + 1, answer == NULL ? "missed its turn" : "answered");
    }
  g_atomic_int_set (&crowd.stop, 1);
  g_assert_cmpuint (answer_status (answer), ==, 204);
  g_thread_join (thread);
  g_assert_true (fixture_wait (fixture, no_connections));
}

/* The server goes while some are in line. */
static void
test_stop (Fixture       *fixture,
           gconstpointer  data)
{
  if (fixture->server == NULL)
    return;
  g_autoptr (GBytes) hello = make_hello ();
  Crowd crowd = { fixture, hello, 0 };
  GThread *thread = g_thread_new ("crowd", crowd_thread, &crowd);
  g_assert_true (fixture_wait (fixture, is_crowded));
  g_atomic_int_set (&crowd.stop, 1);
  g_thread_join (thread);
  g_assert_true (has_connection (fixture));
}

static char *
drip_client (Fixture  *fixture,
             gpointer  data)
{
  g_autoptr (GIOStream) stream = greet (fixture);
  GSocketConnection *base = NULL;

  if (stream == NULL)
    return NULL;
  g_object_get (stream, "base-io-stream", &base, NULL);
  struct pollfd poll_fd = { .fd = g_socket_get_fd (g_socket_connection_get_socket (base)), .events = POLLRDHUP };
  g_object_unref (base);
  say (stream, data);
  /* Session tickets can be read; the end of the stream is what counts. */
  while (poll (&poll_fd, 1, 20) == 0)
    say (stream, "X: y\r\n");
  return listen_to (stream);
}

static char *
flood_client (Fixture  *fixture,
              gpointer  data)
{
  g_autoptr (GIOStream) stream = greet (fixture);

  if (stream == NULL)
    return NULL;
  say (stream, data);
  for (guint i = 0; i < 64 * 1024; i++)
    if (!say (stream, "X-Flood: 0123456789012345678901234567890123456789\r\n"))
      break;
  return listen_to (stream);
}

/* A head that does not end, slowly and fast. */
static void
test_head (Fixture       *fixture,
           gconstpointer  data)
{
  if (fixture->server == NULL)
    return;
  g_autofree char *flood = run (fixture, flood_client, "GET /api/echo HTTP/1.1\r\n" HEAD);
  g_assert_nonnull (flood);
  g_assert_cmpuint (answer_status (flood), !=, 200);
  g_assert_true (fixture_wait (fixture, no_connections));
  set_limits (fixture, 900);
  g_autofree char *drip = run (fixture, drip_client, "GET /api/echo HTTP/1.1\r\n" HEAD);
  g_assert_cmpuint (answer_status (drip), !=, 200);
  g_assert_true (fixture_wait (fixture, no_connections));
  g_assert_cmpuint (fixture->n_dispatched, ==, 0);
}

/* Says all it has to say, ends its half, and waits for the answer. */
static char *
half_client (Fixture  *fixture,
             gpointer  data)
{
  g_autoptr (GIOStream) stream = greet (fixture);

  if (stream == NULL)
    return NULL;
  say (stream, data);
  g_output_stream_close (g_io_stream_get_output_stream (stream), NULL, NULL);
  return listen_to (stream);
}

static void
test_half_closed (Fixture       *fixture,
                  gconstpointer  data)
{
  if (fixture->server == NULL)
    return;
  g_autofree char *answer = run (fixture, half_client, "GET /api/thread HTTP/1.1\r\n" HEAD "\r\n");
  g_assert_true (fixture_wait (fixture, no_connections));
  g_assert_cmpuint (cyc_api_server_get_n_requests (fixture->server), ==, 0);
  /* With an answer or without one, but nothing in between. */
  g_assert_true (*answer == '\0' || g_str_has_suffix (answer, "}"));
  g_autofree char *after = run (fixture, ask_client, "GET /api/empty HTTP/1.1\r\n" HEAD "\r\n");
  g_assert_cmpuint (answer_status (after), ==, 204);
}

#define ADD(path, func) \
  g_test_add ("/engine/api-tls/" path, Fixture, NULL, fixture_set_up_tls, func, fixture_tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("ask", test_ask);
  ADD ("slow", test_slow);
  ADD ("crowd", test_crowd);
  ADD ("stop", test_stop);
  ADD ("head", test_head);
  ADD ("half-closed", test_half_closed);
  return g_test_run ();
}
