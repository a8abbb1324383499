/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <json-glib/json-glib.h>
#include <signal.h>
#include <string.h>

#include "cli/ctl.h"
#include "support/test-certificate.h"

/* `serve` beyond this machine: with a certificate of openssl's making, asked by curl. */

typedef struct
{
  CtlSpace    *space;
  char        *cert;
  char        *key;
  char        *url;
  char        *token;
  GSubprocess *process;
} Case;

static gboolean
have_curl (void)
{
  g_autofree char *curl = g_find_program_in_path ("curl");

  if (curl == NULL)
    g_test_skip ("curl is not installed");
  return curl != NULL;
}

static char *
run (const char *const *argv,
     int               *out_status)
{
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &text, NULL, out_status,
                               &error));
  g_assert_no_error (error);
  return text;
}

static void
serve (Case        *c,
       const char  *listen)
{
  const char *const words[] = { "serve", "--listen", listen, "--tls-cert", c->cert, "--tls-key", c->key, NULL };
  g_autofree char *engine = g_build_filename (c->space->workspace, "engine.json", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  c->process = ctl_start (c->space, words);
  g_autoptr (GDataInputStream) output = g_data_input_stream_new (g_subprocess_get_stdout_pipe (c->process));
  g_autofree char *line = g_data_input_stream_read_line (output, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (JsonNode) said = json_from_string (line, NULL);
  c->url = g_strdup (json_object_get_string_member (json_node_get_object (said), "url"));
  g_assert_true (g_str_has_prefix (c->url, "https://"));
  g_assert_true (g_file_get_contents (engine, &text, NULL, NULL));
  g_autoptr (JsonNode) node = json_from_string (text, NULL);
  c->token = g_strdup (json_object_get_string_member (json_node_get_object (node), "token"));
  /* Programs of this machine need no certificate. */
  g_assert_true (g_str_has_prefix (json_object_get_string_member (json_node_get_object (node), "url"),
                                   "http://127.0.0.1:"));
}

/* FALSE if the test is skipped. */
static gboolean
begin (Case *c)
{
  if (!have_curl ())
    return FALSE;
  c->space = ctl_space_new ();
  if (!test_certificate_make (c->space->folder, "engine", "DNS:engine.example,IP:127.0.0.1", &c->cert, &c->key))
    return FALSE;
  serve (c, "127.0.0.1:0");
  return TRUE;
}

static void
case_clear (Case *c)
{
  if (c->process != NULL)
    {
      g_subprocess_send_signal (c->process, SIGTERM);
      g_assert_true (g_subprocess_wait_check (c->process, NULL, NULL));
      g_object_unref (c->process);
    }
  g_clear_pointer (&c->space, ctl_space_free);
  g_free (c->cert);
  g_free (c->key);
  g_free (c->url);
  g_free (c->token);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

/* What curl gets: the body and, on a line of its own, the status. */
static char *
ask (Case       *c,
     const char *path,
     const char *option,
     const char *value,
     int        *out_status)
{
  g_autofree char *url = g_strconcat (c->url, path, NULL);
  g_autofree char *field = g_strdup_printf ("Authorization: Bearer %s", c->token);
  const char *argv[] = { "curl", "-sS", "--max-time", "60", "--cacert", c->cert, "-H", field, "-w", "\n%{http_code}",
                         url, option, value, NULL };

  return run (argv, out_status);
}

/* The first line of the events that tells something. */
static char *
read_event (Case *c)
{
  g_autofree char *url = g_strconcat (c->url, "/api/events", NULL);
  g_autofree char *field = g_strdup_printf ("Authorization: Bearer %s", c->token);
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) curl = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, "curl", "-sSN", "--max-time",
                                                   "60", "--cacert", c->cert, "-H", field, url, NULL);
  g_assert_no_error (error);
  g_autoptr (GDataInputStream) output = g_data_input_stream_new (g_subprocess_get_stdout_pipe (curl));
  char *line = NULL;

  do
    {
      g_free (line);
      line = g_data_input_stream_read_line (output, NULL, NULL, &error);
      g_assert_no_error (error);
      g_assert_nonnull (line);
    }
  while (!g_str_has_prefix (line, "data: "));
  g_subprocess_force_exit (curl);
  g_assert_true (g_subprocess_wait (curl, NULL, NULL));
  return line;
}

static void
test_certificate (void)
{
  g_auto (Case) c = { 0 };
  int status;

  if (!begin (&c))
    return;
  g_autofree char *health = ask (&c, "/api/health", NULL, NULL, &status);
  g_assert_cmpint (status, ==, 0);
  g_assert_nonnull (strstr (health, "\"insecure\":false"));
  g_assert_true (g_str_has_suffix (health, "\n200"));

  /* Twenty requests on one connection, a large upload with a path that has to be seen as it was sent, a download
   * and events. */
  g_autofree char *many = ask (&c, "/api/traces?n=[1-20]", NULL, NULL, &status);
  g_assert_cmpint (status, ==, 0);
  g_assert_cmpint (g_strrstr (many, "200") - many, >, 1000);
  g_autofree char *dots = ask (&c, "/api/traces/x/files/a/%2e%2e/b", "-T", c.cert, &status);
  g_assert_true (g_str_has_suffix (dots, "\n400"));
  g_autofree char *big = g_build_filename (c.space->folder, "big", NULL);
  g_autofree char *bytes = g_strnfill (5000000, 'x');
  g_assert_true (g_file_set_contents (big, bytes, 5000000, NULL));
  g_autofree char *put = ask (&c, "/api/traces/x/files/big", "-T", big, &status);
  g_assert_cmpstr (put, ==, "{\"size\":5000000}\n200");
  g_autofree char *events = read_event (&c);
  g_assert_true (g_str_has_prefix (events, "data: {\"type\":\"snapshot\""));
  g_assert_nonnull (strstr (events, "cyclescope-sample"));

  /* By the name of the certificate, and by one that it does not have. */
  g_autofree char *port = g_strdup (strrchr (c.url, ':') + 1);
  g_autofree char *named = g_strdup_printf ("https://engine.example:%s", port);
  g_autofree char *resolve = g_strdup_printf ("engine.example:%s:127.0.0.1", port);
  g_free (c.url);
  c.url = g_steal_pointer (&named);
  g_autofree char *by_name = ask (&c, "/api/runs", "--resolve", resolve, &status);
  g_assert_true (g_str_has_suffix (by_name, "\n200"));
  g_free (c.url);
  c.url = g_strdup_printf ("https://127.0.0.1:%s", port);
  g_autofree char *other = ask (&c, "/api/runs", "-H", "Host: other.example", &status);
  g_assert_true (g_str_has_suffix (other, "\n403"));
}

static Ctl *
list_runs (Case       *c,
           const char *url,
           const char *ca)
{
  g_autofree char *token_file = g_build_filename (c->space->workspace, "engine.token", NULL);
  const char *const words[] = { "--url", url, "--token-file", token_file, "run", "list", "--json",
                                ca != NULL ? "--tls-ca" : NULL, ca, NULL };

  return ctl_run_words (c->space, words);
}

/* LeakSanitizer itself dies at the end of a program in which gnutls has had a thread; other faults are still found. */
static void
look_for_no_leaks (void)
{
  const char *given = g_getenv ("ASAN_OPTIONS");
  g_autofree char *options = g_strconcat (given != NULL ? given : "", ":detect_leaks=0", NULL);

  g_setenv ("ASAN_OPTIONS", options, TRUE);
}

/* Commands check the certificate: by whom it is, and for which name. */
static void
test_command (void)
{
  g_auto (Case) c = { 0 };
  g_autofree char *other = NULL, *other_key = NULL;

  if (!begin (&c))
    return;
  g_assert_true (test_certificate_make (c.space->folder, "other", "IP:127.0.0.1", &other, &other_key));
  look_for_no_leaks ();
  g_autofree char *by_name = g_strconcat ("https://localhost", strrchr (c.url, ':'), NULL);
  g_autoptr (Ctl) good = list_runs (&c, c.url, c.cert);
  g_assert_cmpint (good->status, ==, 0);
  g_assert_nonnull (strstr (good->out, "cyclescope-sample"));
  const char *const bad[][2] = { { c.url, NULL }, { c.url, other }, { by_name, c.cert } };
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (Ctl) refused = list_runs (&c, bad[i][0], bad[i][1]);
      ctl_assert_failed (refused, 1, "*certificate*");
      g_assert_cmpstr (refused->out, ==, "");
    }
}

/* What is no TLS does not get an answer, and holds nobody up. */
static void
test_plain (void)
{
  g_auto (Case) c = { 0 };
  int status;

  if (!begin (&c))
    return;
  g_autofree char *plain = g_strconcat ("http", c.url + strlen ("https"), "/api/health", NULL);
  const char *const argv[] = { "curl", "-sS", "--max-time", "60", plain, NULL };
  g_autofree char *text = run (argv, &status);
  g_assert_cmpint (status, !=, 0);
  g_assert_cmpstr (text, ==, "");
  /* Nor does a client that does not know the authority give its token away. */
  g_autofree char *secure = g_strconcat (c.url, "/api/health", NULL);
  const char *const unknown[] = { "curl", "-sS", "--max-time", "60", secure, NULL };
  g_autofree char *refused = run (unknown, &status);
  g_assert_cmpint (status, !=, 0);
  g_autofree char *health = ask (&c, "/api/health", NULL, NULL, &status);
  g_assert_true (g_str_has_suffix (health, "\n200"));
}

/* Clients that begin an encrypted connection and say no more, many of them: the engine's own work goes on, and the next
 * client has its turn when their time is up. */
static void
test_silent (void)
{
  g_auto (Case) c = { 0 };
  GSocketConnection *silent[40];
  int status;

  if (!begin (&c))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (silent); i++)
    {
      g_autoptr (GSocketClient) client = g_socket_client_new ();
      silent[i] = g_socket_client_connect_to_host (client, strstr (c.url, "//") + 2, 443, NULL, NULL);
      g_assert_nonnull (silent[i]);
      g_output_stream_write_all (g_io_stream_get_output_stream (G_IO_STREAM (silent[i])), "\x16\x03\x01", 3, NULL, NULL,
                                 NULL);
    }
  /* A command, which asks at the other address, for what takes a thread. */
  g_autoptr (Ctl) list = ctl_run (c.space, "configs", "list", "--json", NULL);
  g_assert_cmpint (list->status, ==, 0);
  g_autofree char *health = ask (&c, "/api/health", NULL, NULL, &status);
  g_assert_true (g_str_has_suffix (health, "\n200"));
  for (guint i = 0; i < G_N_ELEMENTS (silent); i++)
    g_object_unref (silent[i]);
}

static void
test_wrong (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autoptr (Ctl) half = ctl_run (space, "serve", "--tls-cert", "x.pem", NULL);
  g_autoptr (Ctl) missing = ctl_run (space, "serve", "--tls-cert", "no-such.pem", "--tls-key", "no-such.key", NULL);
  g_autoptr (Ctl) open = ctl_run (space, "serve", "--listen", "0.0.0.0:0", NULL);

  ctl_assert_failed (half, 1, "*--tls-key*");
  ctl_assert_failed (missing, 1, "*no-such.pem*");
  ctl_assert_failed (open, 1, "*0.0.0.0:0*--insecure*");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/serve-tls/certificate", test_certificate);
  g_test_add_func ("/cli/serve-tls/plain", test_plain);
  g_test_add_func ("/cli/serve-tls/silent", test_silent);
  g_test_add_func ("/cli/serve-tls/wrong", test_wrong);
  /* The last: see look_for_no_leaks(). */
  g_test_add_func ("/cli/serve-tls/command", test_command);
  return g_test_run ();
}
