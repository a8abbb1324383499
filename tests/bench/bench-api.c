/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "support/test-raw.h"

/* What the whole path takes (HTTP, parser, database, event), with and without TLS: heartbeats and chunks of 100 lines
 * a second, from 16 connections, each of which waits for its answer; while 20 clients follow the events, and one asks
 * for /api/health all the time: what that waits is how long the engine's main loop did not come round. Argument:
 * seconds for each figure. Certificates are made by openssl. */

#define N_SENDERS 16
#define N_READERS 20
#define N_LINES 100
#define N_SIMS 32

typedef struct
{
  TestService *service;
  char        *run_id;
  char        *ids[N_SIMS];
  GSubprocess *engine;
  char        *host;      /* with the port */
  char        *token;
  gboolean     encrypted;
  gboolean     chunks;    /* or heartbeats */
  int          stop;
  int          answered;
} World;

static void
prepare (World *w)
{
  sqlite3 *db;

  w->service = test_service_new ();
  test_service_add_fake (w->service, "silent", "hang", NULL);
  test_service_set_parallel (w->service, 1);
  test_service_start (w->service);
  w->run_id = test_service_start_run (w->service, "local", "silent", N_SIMS);
  g_autoptr (JsonNode) run = test_service_get_run (w->service, w->run_id);
  for (guint i = 0; i < N_SIMS; i++)
    w->ids[i] = g_strdup (test_text (test_run_get_sim (run, i), "id"));
  test_service_kill (w->service);
  g_autofree char *path = g_build_filename (test_service_get_folder (w->service), "workspace.db", NULL);
  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, "UPDATE sims SET state = 'running', launched = 1", NULL, NULL, NULL), ==,
                   SQLITE_OK);
  sqlite3_close (db);
}

static void
serve (World      *w,
       const char *cert,
       const char *key)
{
  g_autoptr (GError) error = NULL;

  w->engine = g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error,
                                g_getenv ("CYC_TEST_SERVE"), test_service_get_folder (w->service), cert, key, NULL);
  g_assert_no_error (error);
  g_autoptr (GDataInputStream) output = g_data_input_stream_new (g_subprocess_get_stdout_pipe (w->engine));
  g_autofree char *line = g_data_input_stream_read_line (output, NULL, NULL, &error);
  g_assert_nonnull (line);
  g_auto (GStrv) parts = g_strsplit (line, " ", 2);
  w->host = g_strdup (strstr (parts[0], "//") + 2);
  w->token = g_strdup (parts[1]);
  w->encrypted = cert != NULL;
}

static void
end (World *w)
{
  g_subprocess_send_signal (w->engine, 9);
  g_subprocess_wait (w->engine, NULL, NULL);
  g_clear_object (&w->engine);
  g_clear_pointer (&w->host, g_free);
  g_clear_pointer (&w->token, g_free);
}

static gboolean
accept_cb (GTlsConnection       *connection,
           GTlsCertificate      *certificate,
           GTlsCertificateFlags  errors,
           gpointer              user_data)
{
  return TRUE;
}

static GIOStream *
connect_to (World *w)
{
  g_autoptr (GSocketClient) client = g_socket_client_new ();
  g_autoptr (GError) error = NULL;

  GSocketConnection *connection = g_socket_client_connect_to_host (client, w->host, 80, NULL, &error);
  g_assert_no_error (error);
  if (!w->encrypted)
    return G_IO_STREAM (connection);
  GIOStream *tls = g_tls_client_connection_new (G_IO_STREAM (connection), NULL, &error);
  g_assert_no_error (error);
  /* The certificate is the benchmark's own. */
  g_signal_connect (tls, "accept-certificate", G_CALLBACK (accept_cb), NULL);
  g_object_unref (connection);
  return tls;
}

static void
send_text (GIOStream  *stream,
           const char *text)
{
  g_assert_true (g_output_stream_write_all (g_io_stream_get_output_stream (stream), text, strlen (text), NULL, NULL,
                                            NULL));
}

/* One answer with a length. */
static guint
read_answer (GDataInputStream *input)
{
  guint status = 0;
  gsize length = 0;

  for (;;)
    {
      g_autofree char *line = g_data_input_stream_read_line (input, NULL, NULL, NULL);
      g_assert_nonnull (line);
      if (g_str_has_prefix (line, "HTTP/1.1 "))
        status = (guint) g_ascii_strtoull (line + 9, NULL, 10);
      else if (g_ascii_strncasecmp (line, "Content-Length:", 15) == 0)
        length = g_ascii_strtoull (line + 15, NULL, 10);
      else if (line[0] == '\r' || line[0] == '\0')
        break;
    }
  g_autofree char *body = g_malloc (length + 1);
  g_assert_true (g_input_stream_read_all (G_INPUT_STREAM (input), body, length, NULL, NULL, NULL));
  return status;
}

static char *
make_head (World      *w,
           const char *method,
           const char *path,
           gsize       len)
{
  return g_strdup_printf ("%s %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Length: %"
                          G_GSIZE_FORMAT "\r\n\r\n", method, path, w->token, len);
}

static char *
make_chunk (guint seq)
{
  GString *body = g_string_new (NULL);

  g_string_printf (body, "{\"seq\":%u,\"lines\":[", seq);
  for (guint i = 0; i < N_LINES; i++)
    g_string_append_printf (body, "%s\"\\tL2_cache_stats_breakdown[GLOBAL_ACC_R][HIT_RESERVED] = %u\"",
                            i > 0 ? "," : "", seq + i);
  g_string_append (body, "]}");
  return g_string_free (body, FALSE);
}

static gpointer
sender_thread (gpointer data)
{
  World *w = ((gpointer *) data)[0];
  guint *seq = ((gpointer *) data)[1];
  const char *id = ((gpointer *) data)[2];
  g_autoptr (GIOStream) stream = connect_to (w);
  g_autoptr (GDataInputStream) input = g_data_input_stream_new (g_io_stream_get_input_stream (stream));
  g_autofree char *path = g_strdup_printf ("/api/sims/%s/%s", id, w->chunks ? "logs" : "heartbeat");

  while (!g_atomic_int_get (&w->stop))
    {
      g_autofree char *body = w->chunks ? make_chunk (*seq) : g_strdup ("{\"state\":\"running\"}");
      g_autofree char *head = make_head (w, "POST", path, strlen (body));
      g_autofree char *text = g_strconcat (head, body, NULL);
      send_text (stream, text);
      g_assert_cmpuint (read_answer (input), ==, 200);
      *seq += w->chunks ? 1 : 0;
      g_atomic_int_inc (&w->answered);
    }
  return NULL;
}

/* Reads and forgets. */
static gpointer
reader_thread (gpointer data)
{
  World *w = data;
  g_autoptr (GIOStream) stream = connect_to (w);
  g_autofree char *path = g_strdup_printf ("/api/runs/%s/events", w->run_id);
  g_autofree char *head = make_head (w, "GET", path, 0);
  g_autofree char *buffer = g_malloc (65536);

  send_text (stream, head);
  while (g_input_stream_read (g_io_stream_get_input_stream (stream), buffer, 65536, NULL, NULL) > 0)
    ;
  return NULL;
}

static int
compare_times (const void *a,
               const void *b)
{
  gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;

  return (x > y) - (x < y);
}

static void
measure (World *w,
         guint *seqs,
         gint64 seconds)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GIOStream) stream = connect_to (w);
  g_autoptr (GDataInputStream) input = g_data_input_stream_new (g_io_stream_get_input_stream (stream));
  g_autofree char *head = make_head (w, "GET", "/api/health", 0);
  GThread *senders[N_SENDERS];
  gpointer arguments[N_SENDERS][3];

  w->stop = 0;
  w->answered = 0;
  for (guint i = 0; i < N_SENDERS; i++)
    {
      arguments[i][0] = w;
      arguments[i][1] = &seqs[i];
      arguments[i][2] = w->ids[i + 1];
      senders[i] = g_thread_new ("sender", sender_thread, arguments[i]);
    }
  /* With TLS, the first one greets before. */
  send_text (stream, head);
  g_assert_cmpuint (read_answer (input), ==, 200);
  gint64 begun = g_get_monotonic_time (), now = begun;
  while (now < begun + seconds * G_USEC_PER_SEC)
    {
      send_text (stream, head);
      g_assert_cmpuint (read_answer (input), ==, 200);
      gint64 waited = g_get_monotonic_time () - now;
      g_array_append_val (times, waited);
      g_usleep (1000);
      now = g_get_monotonic_time ();
    }
  double took = (double) (now - begun) / G_USEC_PER_SEC;
  int answered = g_atomic_int_get (&w->answered);
  g_atomic_int_set (&w->stop, 1);
  for (guint i = 0; i < N_SENDERS; i++)
    g_thread_join (senders[i]);
  qsort (times->data, times->len, sizeof (gint64), compare_times);
  g_print ("%s, %s: %.0f a second", w->encrypted ? "TLS" : "plain", w->chunks ? "chunks" : "heartbeats",
           (double) answered / took);
  if (w->chunks)
    g_print (" (%.0f lines)", (double) answered * N_LINES / took);
  g_print ("; /api/health median %.1f ms, p99 %.1f ms, longest %.1f ms\n",
           (double) g_array_index (times, gint64, times->len / 2) / 1000,
           (double) g_array_index (times, gint64, times->len * 99 / 100) / 1000,
           (double) g_array_index (times, gint64, times->len - 1) / 1000);
}

static void
measure_both (World      *w,
              guint      *seqs,
              const char *cert,
              const char *key,
              gint64      seconds)
{
  GThread *readers[N_READERS];

  serve (w, cert, key);
  for (guint i = 0; i < N_READERS; i++)
    readers[i] = g_thread_new ("reader", reader_thread, w);
  w->chunks = FALSE;
  measure (w, seqs, seconds);
  w->chunks = TRUE;
  measure (w, seqs, seconds);
  g_subprocess_send_signal (w->engine, 9);
  for (guint i = 0; i < N_READERS; i++)
    g_thread_join (readers[i]);
  end (w);
}

int
main (int    argc,
      char **argv)
{
  static World w;
  guint seqs[N_SENDERS] = { 0 };
  int status = 1;

  g_test_init (&argc, &argv, NULL);
  gint64 seconds = argc > 1 ? g_ascii_strtoll (argv[1], NULL, 10) : 10;
  prepare (&w);
  measure_both (&w, seqs, NULL, NULL, seconds);
  g_autofree char *cert = g_build_filename (test_service_get_folder (w.service), "cert.pem", NULL);
  g_autofree char *key = g_build_filename (test_service_get_folder (w.service), "key.pem", NULL);
  const char *const openssl[] = { "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
                                  "/CN=localhost", "-keyout", key, "-out", cert, NULL };
  if (g_spawn_sync (NULL, (char **) openssl, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, NULL,
                    NULL, &status, NULL) && status == 0)
    measure_both (&w, seqs, cert, key, seconds);
  else
    g_print ("no figures with TLS: openssl is not installed\n");
  test_service_free (w.service);
  return 0;
}
