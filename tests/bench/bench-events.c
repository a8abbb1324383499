/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <poll.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "support/test-raw.h"

/* Events under load: 1,000 simulations in 20 runs beat every 5 seconds, 500 clients follow. Argument: for how many
 * seconds. Each beat must reach every reader of its run. The time is that from before the beat is sent to when a reader
 * has the event: the beat's commit, the batch of 100 ms, and the way out are in it. */

#define N_RUNS 20
#define N_SIMS 50
#define N_READERS 500
#define N_SENDERS 8
#define PERIOD_US (5 * G_USEC_PER_SEC)

typedef struct
{
  TestService *service;
  char        *run_ids[N_RUNS];
  char        *sim_ids[N_RUNS][N_SIMS];
  GHashTable  *index;                     /* sim id -> 1 + run * N_SIMS + sim */
  gint64       sent[N_RUNS * N_SIMS];     /* monotonic, of the latest beat; atomic */
  int          beats;                     /* acknowledged */
  int          stop;
} World;

typedef struct
{
  World             *world;
  GSocketConnection *connection;
  int                fd;
  guint              run;
  GString           *text;
  gint64             seen[N_SIMS];        /* when the beat was sent of which an event was seen last */
  guint              events;
} Reader;

static void
prepare (World *w)
{
  sqlite3 *db;

  w->service = test_service_new ();
  test_service_add_fake (w->service, "silent", "hang", NULL);
  test_service_set_parallel (w->service, 1);
  test_service_start (w->service);
  w->index = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint r = 0; r < N_RUNS; r++)
    {
      w->run_ids[r] = test_service_start_run (w->service, "local", "silent", N_SIMS);
      g_autoptr (JsonNode) run = test_service_get_run (w->service, w->run_ids[r]);
      for (guint i = 0; i < N_SIMS; i++)
        {
          w->sim_ids[r][i] = g_strdup (test_text (test_run_get_sim (run, i), "id"));
          g_hash_table_insert (w->index, w->sim_ids[r][i], GUINT_TO_POINTER (1 + r * N_SIMS + i));
        }
    }
  test_service_kill (w->service);
  g_autofree char *path = g_build_filename (test_service_get_folder (w->service), "workspace.db", NULL);
  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, "UPDATE sims SET state = 'running', launched = 1", NULL, NULL, NULL), ==,
                   SQLITE_OK);
  sqlite3_close (db);
  test_service_start (w->service);
}

static gboolean
send_all (int         fd,
          const char *text)
{
  for (gsize len = strlen (text), done = 0; done < len;)
    {
      ssize_t n = write (fd, text + done, len - done);
      if (n < 0)
        return FALSE;
      done += (gsize) n;
    }
  return TRUE;
}

/* Beats of every N_SENDERS-th simulation over one connection that stays open. */
static gpointer
sender_thread (gpointer data)
{
  World *w = ((gpointer *) data)[0];
  guint first = GPOINTER_TO_UINT (((gpointer *) data)[1]);
  g_autoptr (GSocketConnection) connection = test_raw_connect (w->service);
  int fd = g_socket_get_fd (g_socket_connection_get_socket (connection));
  gint64 due = g_get_monotonic_time () + first * 1000;
  char answer[4096];

  g_socket_set_blocking (g_socket_connection_get_socket (connection), TRUE);
  for (guint n = first; !g_atomic_int_get (&w->stop); n = (n + N_SENDERS) % (N_RUNS * N_SIMS))
    {
      g_autofree char *head =
        g_strdup_printf ("POST /api/sims/%s/heartbeat HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n"
                         "Content-Length: 19\r\n\r\n{\"state\":\"running\"}", w->sim_ids[n / N_SIMS][n % N_SIMS],
                         test_service_get_token (w->service));
      gint64 now = g_get_monotonic_time ();
      if (due > now)
        g_usleep ((gulong) (due - now));
      due += PERIOD_US * N_SENDERS / (N_RUNS * N_SIMS);
      __atomic_store_n (&w->sent[n], g_get_monotonic_time (), __ATOMIC_SEQ_CST);
      struct pollfd wait = { .fd = fd, .events = POLLIN };
      g_assert_true (send_all (fd, head));
      /* Head and body may come one after the other. */
      gsize len = 0;
      do
        {
          g_assert_cmpint (poll (&wait, 1, 60000), ==, 1);
          ssize_t got = read (fd, answer + len, sizeof answer - 1 - len);
          g_assert_cmpint (got, >, 0);
          len += (gsize) got;
          answer[len] = '\0';
        }
      while (answer[len - 1] != '}');
      g_assert_true (g_str_has_prefix (answer, "HTTP/1.1 200"));
      g_atomic_int_inc (&w->beats);
    }
  return NULL;
}

static void
take_event (Reader     *reader,
            const char *line,
            GArray     *times)
{
  static const char mark[] = "data: {\"type\":\"sim\",\"sim\":{\"id\":\"";

  if (!g_str_has_prefix (line, mark))
    return;
  g_autofree char *id = g_strndup (line + strlen (mark), strcspn (line + strlen (mark), "\""));
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (reader->world->index, id));
  g_assert_cmpuint (n, >, 0);
  gint64 sent = __atomic_load_n (&reader->world->sent[n - 1], __ATOMIC_SEQ_CST);
  gint64 *seen = &reader->seen[(n - 1) % N_SIMS];
  if (sent == 0 || sent == *seen)
    return;
  gint64 time = g_get_monotonic_time () - sent;
  *seen = sent;
  reader->events++;
  g_array_append_val (times, time);
}

static void
take_lines (Reader *reader,
            GArray *times)
{
  char *begin = reader->text->str, *end;

  while ((end = strchr (begin, '\n')) != NULL)
    {
      *end = '\0';
      take_event (reader, begin, times);
      begin = end + 1;
    }
  g_string_erase (reader->text, 0, begin - reader->text->str);
}

static void
open_reader (World  *w,
             Reader *reader,
             guint   run,
             int     poll_fd)
{
  g_autofree char *path = g_strdup_printf ("/api/runs/%s/events", w->run_ids[run]);
  g_autofree char *head = test_raw_make_head (w->service, "GET", path, NULL);
  struct epoll_event event = { .events = EPOLLIN, .data.ptr = reader };

  reader->world = w;
  reader->run = run;
  reader->connection = test_raw_connect (w->service);
  reader->fd = g_socket_get_fd (g_socket_connection_get_socket (reader->connection));
  reader->text = g_string_new (NULL);
  test_raw_send (reader->connection, head, strlen (head));
  g_assert_cmpint (epoll_ctl (poll_fd, EPOLL_CTL_ADD, reader->fd, &event), ==, 0);
}

static void
read_for (int     poll_fd,
          GArray *times,
          gint64  until)
{
  static char buffer[65536];
  struct epoll_event events[64];

  while (g_get_monotonic_time () < until)
    {
      int n = epoll_wait (poll_fd, events, G_N_ELEMENTS (events), 50);
      for (int i = 0; i < n; i++)
        {
          Reader *reader = events[i].data.ptr;
          ssize_t got = recv (reader->fd, buffer, sizeof buffer, MSG_DONTWAIT);
          g_assert_true (got > 0 || errno == EAGAIN);
          if (got > 0)
            g_string_append_len (reader->text, buffer, got);
          take_lines (reader, times);
        }
    }
}

static int
compare_times (const void *a,
               const void *b)
{
  gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;

  return (x > y) - (x < y);
}

static double
at (GArray *times,
    double  share)
{
  return (double) g_array_index (times, gint64, (guint) ((double) (times->len - 1) * share)) / 1000;
}

int
main (int    argc,
      char **argv)
{
  static World w;
  static Reader readers[N_READERS];
  GThread *senders[N_SENDERS];
  gpointer arguments[N_SENDERS][2];
  gint64 seconds = argc > 1 ? g_ascii_strtoll (argv[1], NULL, 10) : 20;
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (gint64));
  int poll_fd = epoll_create1 (0);
  guint64 received = 0;

  g_test_init (&argc, &argv, NULL);
  prepare (&w);
  for (guint i = 0; i < N_READERS; i++)
    open_reader (&w, &readers[i], i % N_RUNS, poll_fd);
  read_for (poll_fd, times, g_get_monotonic_time () + 3 * G_USEC_PER_SEC);
  for (guint i = 0; i < N_SENDERS; i++)
    {
      arguments[i][0] = &w;
      arguments[i][1] = GUINT_TO_POINTER (i);
      senders[i] = g_thread_new ("sender", sender_thread, arguments[i]);
    }
  read_for (poll_fd, times, g_get_monotonic_time () + seconds * G_USEC_PER_SEC);
  g_atomic_int_set (&w.stop, 1);
  read_for (poll_fd, times, g_get_monotonic_time () + 2 * G_USEC_PER_SEC);
  for (guint i = 0; i < N_SENDERS; i++)
    g_thread_join (senders[i]);
  for (guint i = 0; i < N_READERS; i++)
    received += readers[i].events;
  guint64 expected = (guint64) w.beats * (N_READERS / N_RUNS);
  qsort (times->data, times->len, sizeof (gint64), compare_times);
  g_print ("%d beats in %" G_GINT64_FORMAT " s, %d readers: %" G_GUINT64_FORMAT " events of %" G_GUINT64_FORMAT
           ", %" G_GINT64_FORMAT " lost\n", w.beats, seconds, N_READERS, received, expected,
           (gint64) (expected - received));
  if (times->len > 0)
    g_print ("from beat to reader: median %.1f ms, p99 %.1f ms, longest %.1f ms\n", at (times, 0.5), at (times, 0.99),
             at (times, 1));
  test_service_kill (w.service);
  test_service_free (w.service);
  return received == expected ? 0 : 1;
}
