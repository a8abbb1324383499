/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-json.h"
#include "displayless/engine/api-fixture.h"

#define HOST "Host: localhost\r\n"
#define CLOSE "Connection: close\r\n"
#define HEAD HOST AUTH CLOSE

/* The status, and that an error is JSON with its text. */
static void
check_status (Fixture    *fixture,
              const char *request,
              guint       status)
{
  g_autofree char *answer = fixture_ask (fixture, request);

  g_test_message ("%s -> %s", request, answer);
  g_assert_cmpuint (answer_status (answer), ==, status);
  if (status < 400)
    return;
  const char *body = answer_body (answer);
  g_autoptr (JsonNode) node = cyc_json_parse (body, strlen (body), NULL, NULL);
  g_assert_nonnull (node);
  g_assert_nonnull (cyc_json_get_string (cyc_json_node_get_object (node), "detail"));
}

static void
test_token (Fixture       *fixture,
            gconstpointer  data)
{
  check_status (fixture, "GET /api/echo HTTP/1.1\r\n" HEAD "\r\n", 200);
  check_status (fixture, "GET /api/echo HTTP/1.1\r\n" HOST CLOSE "\r\n", 401);
  check_status (fixture, "GET /api/echo HTTP/1.1\r\n" HOST CLOSE "Authorization: Bearer x\r\n\r\n", 401);
  check_status (fixture, "GET /api/echo HTTP/1.1\r\n" HOST CLOSE "Authorization: Basic x\r\n\r\n", 401);
  check_status (fixture, "GET /api/echo HTTP/1.1\r\n" HEAD AUTH "\r\n", 401);
  check_status (fixture, "GET /api/health HTTP/1.1\r\n" HOST CLOSE "\r\n", 200);
  check_status (fixture, "HEAD /api/health HTTP/1.1\r\n" HOST CLOSE "\r\n", 200);
  check_status (fixture, "POST /api/health HTTP/1.1\r\n" HOST CLOSE "\r\n", 401);
  check_status (fixture, "GET /api/health/x HTTP/1.1\r\n" HOST CLOSE "\r\n", 401);
  g_assert_cmpuint (fixture->n_dispatched, ==, 3);
}

static void
test_sim_token (Fixture       *fixture,
                gconstpointer  data)
{
#define SIM_HEAD HOST CLOSE "Authorization: Bearer " SIM_TOKEN "\r\n\r\n"
  check_status (fixture, "GET /api/sims/sim-1/log HTTP/1.1\r\n" SIM_HEAD, 200);
  check_status (fixture, "GET /api/sims/sim-2/log HTTP/1.1\r\n" SIM_HEAD, 403);
  check_status (fixture, "GET /api/sims HTTP/1.1\r\n" SIM_HEAD, 403);
  check_status (fixture, "GET /api/runs HTTP/1.1\r\n" SIM_HEAD, 403);
  check_status (fixture, "GET / HTTP/1.1\r\n" SIM_HEAD, 403);
  check_status (fixture, "GET /api/sims/sim-1/../sim-2/log HTTP/1.1\r\n" SIM_HEAD, 400);
  check_status (fixture, "GET /api/health HTTP/1.1\r\n" SIM_HEAD, 200);
  g_autofree char *answer = fixture_ask (fixture, "GET /api/sims/sim-1/x HTTP/1.1\r\n" SIM_HEAD);
  g_assert_nonnull (strstr (answer, "\"role\":2"));
}

static void
test_host (Fixture       *fixture,
           gconstpointer  data)
{
#define REST AUTH CLOSE "\r\n"
  check_status (fixture, "GET /api/echo HTTP/1.1\r\nHost: 127.0.0.1:1234\r\n" REST, 200);
  check_status (fixture, "GET /api/echo HTTP/1.1\r\nHost: [::1]:1\r\n" REST, 200);
  check_status (fixture, "GET /api/echo HTTP/1.1\r\nHost: evil.example\r\n" REST, 403);
  check_status (fixture, "GET /api/health HTTP/1.1\r\nHost: evil.example\r\n" REST, 403);
  check_status (fixture, "GET /api/echo HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n" REST, 403);
  check_status (fixture, "GET /api/echo HTTP/1.1\r\nHost: x@localhost\r\n" REST, 403);
  check_status (fixture, "GET /api/echo HTTP/1.0\r\n" REST, 403);
  check_status (fixture, "GET http://evil.example/api/echo HTTP/1.1\r\nHost: localhost\r\n" REST, 403);
  check_status (fixture, "GET http://localhost/api/echo HTTP/1.1\r\nHost: evil.example\r\n" REST, 403);
  check_status (fixture, "GET http://localhost/api/echo HTTP/1.1\r\nHost: localhost\r\n" REST, 200);
  g_autofree char *none = fixture_ask (fixture, "GET /api/echo HTTP/1.1\r\n" REST);
  g_assert_cmpuint (answer_status (none), ==, 400);
}

static void
test_origin (Fixture       *fixture,
             gconstpointer  data)
{
  check_status (fixture, "GET /api/echo HTTP/1.1\r\n" HOST "Origin: http://localhost\r\n" REST, 403);
  check_status (fixture, "GET /api/echo HTTP/1.1\r\n" HOST "Origin: null\r\n" REST, 403);
  check_status (fixture, "GET /api/health HTTP/1.1\r\n" HOST "Origin:\r\n" REST, 403);
  g_assert_cmpuint (fixture->n_dispatched, ==, 0);
}

static void
test_paths (Fixture       *fixture,
            gconstpointer  data)
{
  static const char *const bad[] = {
    "/api/../x", "/api/./x",
    "/api/%2e%2e/x", "/api/%2e/x", "/api/a%2fb", "/api/a%00b", "/api/%252e", "/api//x", "/api/x/", "/api/x#y",
    "/api/%ff", "/api/a%0d%0aX:y",
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *request = g_strdup_printf ("GET %s HTTP/1.1\r\n" HEAD "\r\n", bad[i]);
      check_status (fixture, request, 400);
    }
  g_assert_cmpuint (fixture->n_dispatched, ==, 0);
  g_autofree char *answer =
    fixture_ask (fixture, "GET /api/a%20b+c/%C3%A9?q=1+2%26 HTTP/1.1\r\n" HEAD "\r\n");
  g_assert_nonnull (strstr (answer, "\"path\":[\"api\",\"a b+c\",\"\xC3\xA9\"]"));
  g_assert_nonnull (strstr (answer, "\"q\":\"1 2&\""));
  check_status (fixture, "OPTIONS * HTTP/1.1\r\n" HEAD "\r\n", 405);
  check_status (fixture, "CONNECT localhost:80 HTTP/1.1\r\n" HEAD "\r\n", 405);
}

static void
test_answers (Fixture       *fixture,
              gconstpointer  data)
{
  check_status (fixture, "GET /api/none HTTP/1.1\r\n" HEAD "\r\n", 404);
  check_status (fixture, "GET /api/drop HTTP/1.1\r\n" HEAD "\r\n", 500);
  check_status (fixture, "GET /api/thread HTTP/1.1\r\n" HEAD "\r\n", 200);
  g_autofree char *wrong = fixture_ask (fixture, "PATCH /api/get HTTP/1.1\r\n" HEAD "\r\n");
  g_assert_cmpuint (answer_status (wrong), ==, 405);
  g_assert_nonnull (strstr (wrong, "\r\nAllow: GET\r\n"));
  g_autofree char *empty = fixture_ask (fixture, "DELETE /api/empty HTTP/1.1\r\n" HEAD "\r\n");
  g_assert_cmpuint (answer_status (empty), ==, 204);
  g_assert_cmpstr (answer_body (empty), ==, "");
  g_autofree char *get = fixture_ask (fixture, "GET /api/echo HTTP/1.1\r\n" HEAD "\r\n");
  g_autofree char *head = fixture_ask (fixture, "HEAD /api/echo HTTP/1.1\r\n" HEAD "\r\n");
  g_autofree char *length = g_strdup_printf ("\r\nContent-Length: %zu\r\n", strlen (answer_body (get)));
  g_assert_nonnull (strstr (get, length));
  g_assert_nonnull (strstr (head, length));
  g_assert_cmpstr (answer_body (head), ==, "");
  g_assert_nonnull (strstr (get, "\r\nContent-Type: application/json\r\n"));
  g_assert_nonnull (strstr (get, "\"method\":\"GET\""));
}

static char *
two_requests (Fixture  *fixture,
              gpointer  data)
{
  int fd = client_connect (fixture);
  char c;

  client_send (fd, "GET /api/none HTTP/1.1\r\n" HOST AUTH "\r\n", -1);
  g_autofree char *first = client_read_head (fd);
  const char *field = strstr (first, "Content-Length: ");
  guint64 length = g_ascii_strtoull (field + strlen ("Content-Length: "), NULL, 10);
  for (guint64 i = 0; i < length; i++)
    g_assert_cmpint (read (fd, &c, 1), ==, 1);
  client_send (fd, "GET /api/echo HTTP/1.1\r\n" HEAD "\r\nGET /api/echo HTTP/1.1\r\n" HEAD "\r\n", -1);
  char *answer = client_read (fd);
  close (fd);
  return answer;
}

static void
test_keep_alive (Fixture       *fixture,
                 gconstpointer  data)
{
  g_autofree char *answer = fixture_run (fixture, two_requests, NULL);

  g_assert_cmpuint (answer_status (answer), ==, 200);
  g_assert_cmpuint (fixture->n_dispatched, ==, 2);
}

/* Says all, ends its half of the connection, and listens. */
static char *
half_client (Fixture  *fixture,
             gpointer  data)
{
  int fd = client_connect (fixture);

  client_send (fd, data, -1);
  shutdown (fd, SHUT_WR);
  char *answer = client_read (fd);
  close (fd);
  return answer;
}

static void
test_half_closed (Fixture       *fixture,
                  gconstpointer  data)
{
  static const char *const whole[] = {
    "GET /api/echo HTTP/1.1\r\n" HEAD "\r\n",
    "GET /api/thread HTTP/1.1\r\n" HEAD "\r\n",
    "GET /api/thread HTTP/1.1\r\n" HOST AUTH "\r\n",
    "POST /api/echo HTTP/1.1\r\n" HEAD "Content-Length: 2\r\n\r\n{}",
    "PUT /api/traces/t/files/f HTTP/1.1\r\n" HEAD "Content-Length: 2\r\n\r\nxy",
  };
  static const char *const cut[] = {
    "", "GET /api/echo HT", "GET /api/echo HTTP/1.1\r\nHos",
    "PUT /api/traces/t/files/i HTTP/1.1\r\n" HEAD,
    "POST /api/echo HTTP/1.1\r\n" HEAD "Content-Length: 3\r\n\r\n{}",
    "PUT /api/traces/t/files/g HTTP/1.1\r\n" HEAD "Content-Length: 3\r\n\r\nxy",
    "PUT /api/traces/t/files/h HTTP/1.1\r\n" HEAD "Transfer-Encoding: chunked\r\n\r\n2\r\nxy\r\n",
  };
  static const char *const never[] = { "g", "h", "i" };

  for (guint i = 0; i < G_N_ELEMENTS (whole); i++)
    {
      g_autofree char *answer = fixture_run (fixture, half_client, (gpointer) whole[i]);
      if (answer_status (answer) != 200)
        g_error ("%s: '%s'", whole[i], answer);
    }
  g_assert_cmpuint (fixture->n_dispatched, ==, G_N_ELEMENTS (whole));
  for (guint i = 0; i < G_N_ELEMENTS (cut); i++)
    {
      g_autofree char *answer = fixture_run (fixture, half_client, (gpointer) cut[i]);
      g_assert_nonnull (answer);
      g_assert_cmpuint (answer_status (answer), !=, 200);
    }
  g_assert_cmpuint (fixture->n_dispatched, ==, G_N_ELEMENTS (whole));
  for (guint i = 0; i < G_N_ELEMENTS (never); i++)
    {
      g_autofree char *path = g_build_filename (fixture->folder, never[i], NULL);
      g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
    }
}

static void
test_file (Fixture       *fixture,
           gconstpointer  data)
{
  g_autoptr (GString) text = g_string_new (NULL);
  for (guint i = 0; i < 100000; i++)
    g_string_append_printf (text, "%07u\n", i);
  fixture->file = test_folder_write (fixture->folder, "log", text->str, (gssize) text->len);

  g_autofree char *all = fixture_ask (fixture, "GET /api/file HTTP/1.1\r\n" HEAD "\r\n");
  g_assert_cmpuint (answer_status (all), ==, 200);
  g_assert_cmpstr (answer_body (all), ==, text->str);
  g_assert_nonnull (strstr (all, "\r\nContent-Type: text/plain\r\n"));
  g_autofree char *head = fixture_ask (fixture, "HEAD /api/file HTTP/1.1\r\n" HEAD "\r\n");
  g_assert_nonnull (strstr (head, "\r\nContent-Length: 800000\r\n"));
  g_assert_cmpstr (answer_body (head), ==, "");
  g_autofree char *part =
    fixture_ask (fixture, "GET /api/file HTTP/1.1\r\n" HEAD "Range: bytes=8-23\r\n\r\n");
  g_assert_cmpuint (answer_status (part), ==, 206);
  g_assert_cmpstr (answer_body (part), ==, "0000001\n0000002\n");
  g_assert_nonnull (strstr (part, "\r\nContent-Range: bytes 8-23/800000\r\n"));
  g_autofree char *tail =
    fixture_ask (fixture, "GET /api/file HTTP/1.1\r\n" HEAD "Range: bytes=-8\r\n\r\n");
  g_assert_cmpstr (answer_body (tail), ==, "0099999\n");
  g_autofree char *behind =
    fixture_ask (fixture, "GET /api/file HTTP/1.1\r\n" HEAD "Range: bytes=800000-\r\n\r\n");
  g_assert_cmpuint (answer_status (behind), ==, 416);
  g_assert_nonnull (strstr (behind, "\r\nContent-Range: bytes */800000\r\n"));
  g_autofree char *conditional = fixture_ask (
    fixture, "GET /api/file HTTP/1.1\r\n" HEAD "If-Range: \"x\"\r\nRange: bytes=8-23\r\n\r\n");
  g_assert_cmpuint (answer_status (conditional), ==, 200);
  g_autofree char *memory =
    fixture_ask (fixture, "GET /api/echo HTTP/1.1\r\n" HEAD "Range: bytes=0-1,0-2,0-3\r\n\r\n");
  g_assert_cmpuint (answer_status (memory), ==, 200);

  g_clear_pointer (&fixture->file, g_free);
  fixture->file = test_folder_write (fixture->folder, "empty", "", 0);
  g_autofree char *empty = fixture_ask (fixture, "GET /api/file HTTP/1.1\r\n" HEAD "\r\n");
  g_assert_cmpuint (answer_status (empty), ==, 200);
  g_assert_cmpstr (answer_body (empty), ==, "");
}

static void
test_listen (void)
{
  static const CycApiHandlers handlers = { 0 };
  static const char *const bad[] = {
    "", "127.0.0.1", ":80", "127.0.0.1:65536", "127.0.0.1:x", "example.org:80", "::1:80", "[127.0.0.1]:80",
    "localhost", "127.0.0.1:-1",
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (CycApiServer) server = cyc_api_server_new (&handlers, NULL, "x");
      g_assert_false (cyc_api_server_listen (server, bad[i], CYC_API_LISTEN_ANYWHERE, &error));
      g_assert_error (error, CYC_ERROR, CYC_ERROR_VALUE);
    }
  g_autoptr (GError) error = NULL;
  g_autoptr (CycApiServer) server = cyc_api_server_new (&handlers, NULL, "x");
  g_assert_false (cyc_api_server_listen (server, "0.0.0.0:0", CYC_API_LISTEN_LOOPBACK, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_DENIED);
  g_assert_true (cyc_api_server_listen (server, "0.0.0.0:0", CYC_API_LISTEN_ANYWHERE, NULL));
  g_assert_true (g_str_has_prefix (cyc_api_server_get_url (server), "http://127.0.0.1:"));
}

#define ADD(path, func) \
  g_test_add ("/engine/api-server/" path, Fixture, NULL, fixture_set_up, func, fixture_tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("token", test_token);
  ADD ("sim-token", test_sim_token);
  ADD ("host", test_host);
  ADD ("origin", test_origin);
  ADD ("paths", test_paths);
  ADD ("answers", test_answers);
  ADD ("keep-alive", test_keep_alive);
  ADD ("half-closed", test_half_closed);
  ADD ("file", test_file);
  g_test_add_func ("/engine/api-server/listen", test_listen);
  return g_test_run ();
}
