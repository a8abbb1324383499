/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "displayless/engine/api-fixture.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-json-writer.h"
#include "engine/cyc-api-tls.h"
#include "support/test-certificate.h"

#define WAIT_US (20 * G_USEC_PER_SEC)

static void
echo (CycApiCall *call)
{
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);
  const char *const *segments = cyc_api_call_get_segments (call);
  GBytes *body = cyc_api_call_get_body (call);

  cyc_json_writer_begin_object (writer);
  cyc_json_writer_key (writer, "method");
  cyc_json_writer_string (writer, cyc_api_call_get_method (call));
  cyc_json_writer_key (writer, "path");
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; segments[i] != NULL; i++)
    cyc_json_writer_string (writer, segments[i]);
  cyc_json_writer_end_array (writer);
  cyc_json_writer_key (writer, "role");
  cyc_json_writer_int (writer, (int) cyc_api_call_get_role (call));
  cyc_json_writer_key (writer, "q");
  cyc_json_writer_string (writer, cyc_api_call_get_query (call, "q"));
  cyc_json_writer_key (writer, "bytes");
  cyc_json_writer_uint (writer, body == NULL ? 0 : g_bytes_get_size (body));
  cyc_json_writer_end_object (writer);
  cyc_api_call_reply_json (call, 200, cyc_json_writer_steal (writer));
}

static gpointer
answer_thread (gpointer data)
{
  g_autoptr (CycApiCall) call = data;

  echo (call);
  return NULL;
}

static void
store (CycApiCall *call)
{
  g_autoptr (GError) error = NULL;

  if (!cyc_api_call_commit_upload (call, &error))
    {
      cyc_api_call_reply_gerror (call, error);
      return;
    }
  GString *text = g_string_new (NULL);
  g_string_printf (text, "{\"size\":%" G_GUINT64_FORMAT "}", cyc_api_upload_get_size (cyc_api_call_get_upload (call)));
  cyc_api_call_reply_json (call, 200, text);
}

static void
dispatch (CycApiCall *call,
          gpointer    user_data)
{
  Fixture *fixture = user_data;
  const char *const *segments = cyc_api_call_get_segments (call);
  const char *what = cyc_api_call_get_n_segments (call) < 2 ? "" : segments[1];

  fixture->n_dispatched++;
  if (cyc_api_call_get_upload (call) != NULL)
    store (call);
  else if (strcmp (what, "file") == 0)
    cyc_api_call_reply_file (call, fixture->file, "text/plain");
  else if (strcmp (what, "wait") == 0)
    g_ptr_array_add (fixture->waiting, cyc_api_call_ref (call));
  else if (strcmp (what, "thread") == 0)
    g_thread_unref (g_thread_new ("answer", answer_thread, cyc_api_call_ref (call)));
  else if (strcmp (what, "empty") == 0)
    cyc_api_call_reply_empty (call);
  else if (strcmp (what, "none") == 0)
    cyc_api_call_reply_error (call, 404, "no such path");
  else if (strcmp (what, "get") == 0)
    cyc_api_call_reply_not_allowed (call, "GET");
  else if (strcmp (what, "drop") != 0)
    echo (call);
}

static gboolean
begin_upload (CycApiCall  *call,
              char       **out_target,
              guint64     *out_max_bytes,
              gpointer     user_data,
              GError     **error)
{
  Fixture *fixture = user_data;
  const char *const *segments = cyc_api_call_get_segments (call);

  if (cyc_api_call_get_n_segments (call) != 5)
    {
      cyc_error_set_at (error, CYC_ERROR_NOT_FOUND, NULL, 0, "no such path");
      return FALSE;
    }
  *out_target = g_build_filename (fixture->folder, segments[4], NULL);
  *out_max_bytes = fixture->max_upload;
  return TRUE;
}

static char *
find_sim (const char *token,
          gpointer    user_data)
{
  return strcmp (token, SIM_TOKEN) == 0 ? g_strdup ("sim-1") : NULL;
}

static void
serve (Fixture         *fixture,
       GTlsCertificate *certificate)
{
  static const CycApiHandlers handlers = { dispatch, begin_upload, find_sim };
  g_autoptr (GError) error = NULL;
  CycApiLimits limits;

  fixture->max_upload = 4 * 1024 * 1024;
  fixture->server = cyc_api_server_new (&handlers, fixture, ENGINE_TOKEN);
  cyc_api_limits_init (&limits);
  limits.space_reserve = 0;
  cyc_api_server_set_limits (fixture->server, &limits);
  cyc_api_server_set_certificate (fixture->server, certificate);
  g_assert_null (cyc_api_server_get_url (fixture->server));
  cyc_api_server_listen (fixture->server, "127.0.0.1:0", CYC_API_LISTEN_LOOPBACK, &error);
  g_assert_no_error (error);
  const char *url = cyc_api_server_get_url (fixture->server);
  g_assert_true (g_str_has_prefix (url, certificate == NULL ? "http://127.0.0.1:" : "https://127.0.0.1:"));
  fixture->port = (guint16) g_ascii_strtoull (strrchr (url, ':') + 1, NULL, 10);
}

void
fixture_set_up (Fixture       *fixture,
                gconstpointer  data)
{
  fixture->folder = test_folder_new ();
  fixture->waiting = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_api_call_unref);
  serve (fixture, NULL);
}

void
fixture_set_up_tls (Fixture       *fixture,
                    gconstpointer  data)
{
  g_autofree char *key = NULL;
  g_autoptr (GError) error = NULL;

  fixture->folder = test_folder_new ();
  fixture->waiting = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_api_call_unref);
  if (!test_certificate_make (fixture->folder, "engine", "IP:127.0.0.1", &fixture->cert, &key))
    return;
  g_autoptr (GTlsCertificate) certificate = cyc_api_tls_load (fixture->cert, key, &error);
  g_assert_no_error (error);
  serve (fixture, certificate);
}

static void
stopped_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  cyc_api_server_stop_finish (CYC_API_SERVER (source), result, NULL);
  *(gboolean *) user_data = TRUE;
}

void
fixture_tear_down (Fixture       *fixture,
                   gconstpointer  data)
{
  if (fixture->server != NULL)
    {
      gboolean stopped = FALSE;
      cyc_api_server_stop_async (fixture->server, 0, stopped_cb, &stopped);
      while (!stopped)
        g_main_context_iteration (NULL, TRUE);
      fixture_release (fixture);
      while (g_main_context_iteration (NULL, FALSE))
        ;
      g_assert_finalize_object (fixture->server);
    }
  g_ptr_array_unref (fixture->waiting);
  test_folder_clear (&fixture->folder);
  g_free (fixture->file);
  g_free (fixture->cert);
}

/* Answers what waits. */
void
fixture_release (Fixture *fixture)
{
  for (guint i = 0; i < fixture->waiting->len; i++)
    echo (fixture->waiting->pdata[i]);
  g_ptr_array_set_size (fixture->waiting, 0);
}

static gboolean
wake_cb (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

/* Runs the main loop until the condition holds. */
gboolean
fixture_wait (Fixture  *fixture,
              gboolean (*condition) (Fixture *))
{
  gint64 deadline = g_get_monotonic_time () + WAIT_US;
  guint timer = g_timeout_add (20, wake_cb, NULL);

  while (!condition (fixture) && g_get_monotonic_time () < deadline)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (timer);
  return condition (fixture);
}

typedef struct
{
  Fixture   *fixture;
  ClientFunc func;
  gpointer   data;
  int        done;
} Client;

static gpointer
client_thread (gpointer data)
{
  Client *client = data;
  char *result = client->func (client->fixture, client->data);

  g_atomic_int_set (&client->done, 1);
  g_main_context_wakeup (NULL);
  return result;
}

/* Runs a client on a thread of its own while the main loop serves it. */
char *
fixture_run (Fixture    *fixture,
             ClientFunc  func,
             gpointer    data)
{
  Client client = { fixture, func, data, 0 };
  GThread *thread = g_thread_new ("client", client_thread, &client);
  gint64 deadline = g_get_monotonic_time () + WAIT_US;
  guint timer = g_timeout_add (20, wake_cb, NULL);

  while (!g_atomic_int_get (&client.done) && g_get_monotonic_time () < deadline)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (timer);
  if (!g_atomic_int_get (&client.done))
    g_error ("the client did not end");
  return g_thread_join (thread);
}

/* The names of the files in the fixture's folder. */
GPtrArray *
fixture_list (Fixture *fixture)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (fixture->folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (names, g_strdup (name));
  return names;
}

int
client_connect (Fixture *fixture)
{
  return client_connect_from (fixture, INADDR_LOOPBACK);
}

/* From one of the addresses of this machine, 127.0.0.0/8. */
int
client_connect_from (Fixture *fixture,
                     guint32  own)
{
  struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons (fixture->port) };
  struct sockaddr_in from = { .sin_family = AF_INET };
  struct timeval timeout = { .tv_sec = 15 };
  int fd = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

  address.sin_addr.s_addr = htonl (INADDR_LOOPBACK);
  from.sin_addr.s_addr = htonl (own);
  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (bind (fd, (struct sockaddr *) &from, sizeof from), ==, 0);
  setsockopt (fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
  setsockopt (fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout);
  g_assert_cmpint (connect (fd, (struct sockaddr *) &address, sizeof address), ==, 0);
  return fd;
}

/* Sends all, or as much as the server lets through. */
void
client_send (int         fd,
             const void *bytes,
             gssize      len)
{
  const char *p = bytes;
  gsize left = len < 0 ? strlen (p) : (gsize) len;

  while (left > 0)
    {
      ssize_t n = send (fd, p, left, MSG_NOSIGNAL);
      if (n <= 0)
        return;
      p += n;
      left -= (gsize) n;
    }
}

/* Everything to the end of the stream; NULL if it did not end in time. */
char *
client_read (int fd)
{
  g_autoptr (GString) out = g_string_new (NULL);
  char buffer[65536];
  ssize_t n;

  while ((n = recv (fd, buffer, sizeof buffer, 0)) > 0)
    g_string_append_len (out, buffer, n);
  if (n < 0 && errno != ECONNRESET)
    return NULL;
  return g_string_free (g_steal_pointer (&out), FALSE);
}

/* To the end of the head, no further. */
char *
client_read_head (int fd)
{
  g_autoptr (GString) out = g_string_new (NULL);
  char c;

  while (recv (fd, &c, 1, 0) == 1)
    {
      g_string_append_c (out, c);
      if (g_str_has_suffix (out->str, "\r\n\r\n"))
        break;
    }
  return g_string_free (g_steal_pointer (&out), FALSE);
}

static char *
ask_client (Fixture  *fixture,
            gpointer  data)
{
  int fd = client_connect (fixture);

  client_send (fd, data, -1);
  char *answer = client_read (fd);
  close (fd);
  return answer;
}

char *
fixture_ask (Fixture    *fixture,
             const char *request)
{
  return fixture_run (fixture, ask_client, (gpointer) request);
}

guint
answer_status (const char *answer)
{
  if (answer == NULL || !g_str_has_prefix (answer, "HTTP/1."))
    return 0;
  return (guint) g_ascii_strtoull (answer + 9, NULL, 10);
}

const char *
answer_body (const char *answer)
{
  const char *end = strstr (answer, "\r\n\r\n");

  return end == NULL ? "" : end + 4;
}
