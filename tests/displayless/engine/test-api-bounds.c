/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base/cyc-error.h"
#include "displayless/engine/api-fixture.h"
#include "engine/cyc-api-upload.h"

#define HOST "Host: localhost\r\n"
#define HEAD HOST AUTH "Connection: close\r\n"
#define MIB (1024 * 1024)

static void
set_fast_limits (Fixture *fixture)
{
  CycApiLimits limits;

  cyc_api_limits_init (&limits);
  limits.space_reserve = 0;
  limits.max_connections = 8;
  limits.header_ms = 150;
  limits.stall_ms = 150;
  limits.keepalive_ms = 150;
  limits.min_rate = 100000;
  cyc_api_server_set_limits (fixture->server, &limits);
}

static gboolean
no_connections (Fixture *fixture)
{
  return cyc_api_server_get_n_connections (fixture->server) == 0;
}

static gboolean
no_requests (Fixture *fixture)
{
  return cyc_api_server_get_n_requests (fixture->server) == 0;
}

/* Sends the beginning at once and the rest a byte at a time for as long as the server listens. */
typedef struct
{
  const char *beginning;
  const char *drip; /* repeated; NULL: nothing more */
  guint       sent;
} Slow;

static char *
slow_client (Fixture  *fixture,
             gpointer  data)
{
  Slow *slow = data;
  int fd = client_connect (fixture);

  client_send (fd, slow->beginning, -1);
  if (slow->drip != NULL)
    {
      gsize len = strlen (slow->drip);
      struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
      while (poll (&poll_fd, 1, 20) == 0)
        if (send (fd, slow->drip + slow->sent++ % len, 1, MSG_NOSIGNAL) != 1)
          break;
    }
  char *answer = client_read (fd);
  close (fd);
  return answer;
}

static void
check_slow (Fixture    *fixture,
            const char *beginning,
            const char *drip)
{
  Slow slow = { beginning, drip, 0 };
  guint dispatched = fixture->n_dispatched;
  gint64 before = g_get_monotonic_time ();
  g_autofree char *answer = fixture_run (fixture, slow_client, &slow);
  gint64 elapsed = g_get_monotonic_time () - before;

  g_test_message ("%s: %d ms, %u dripped, answer '%s'", beginning, (int) (elapsed / 1000), slow.sent, answer);
  /* client_read() gives NULL if the server kept the connection open. */
  g_assert_nonnull (answer);
  g_assert_cmpuint (answer_status (answer), !=, 200);
  g_assert_cmpuint (fixture->n_dispatched, ==, dispatched);
  g_assert_cmpint (elapsed, >=, 150 * 1000);
  g_assert_true (fixture_wait (fixture, no_connections));
  g_assert_cmpuint (cyc_api_server_get_n_requests (fixture->server), ==, 0);
}

static void
test_slow_head (Fixture       *fixture,
                gconstpointer  data)
{
  set_fast_limits (fixture);
  check_slow (fixture, "", NULL);
  check_slow (fixture, "GET /api/echo HT", NULL);
  check_slow (fixture, "", "x");
  check_slow (fixture, "GET /api/echo HTTP/1.1\r\n" HEAD, "X: y\r\n");
  /* Whole lines, but not the one that ends the head. */
  check_slow (fixture, "GET /api/echo HTTP/1.1\r\n" HEAD, NULL);
}

static void
test_slow_body (Fixture       *fixture,
                gconstpointer  data)
{
  set_fast_limits (fixture);
  check_slow (fixture, "POST /api/echo HTTP/1.1\r\n" HEAD "Content-Length: 100000\r\n\r\n", NULL);
  check_slow (fixture, "POST /api/echo HTTP/1.1\r\n" HEAD "Content-Length: 100000\r\n\r\n", "x");
  check_slow (fixture, "POST /api/echo HTTP/1.1\r\n" HEAD "Transfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n");
  check_slow (fixture, "PUT /api/traces/t/files/f HTTP/1.1\r\n" HEAD "Content-Length: 100000\r\n\r\n", "x");
  g_autoptr (GPtrArray) names = fixture_list (fixture);
  g_assert_cmpuint (names->len, ==, 0);
}

static char *
idle_client (Fixture  *fixture,
             gpointer  data)
{
  int fd = client_connect (fixture);

  client_send (fd, "GET /api/echo HTTP/1.1\r\n" HOST AUTH "\r\n", -1);
  char *answer = client_read (fd);
  close (fd);
  return answer;
}

static void
test_idle (Fixture       *fixture,
           gconstpointer  data)
{
  set_fast_limits (fixture);
  g_autofree char *answer = fixture_run (fixture, idle_client, NULL);
  g_assert_cmpuint (answer_status (answer), ==, 200);
  g_assert_true (fixture_wait (fixture, no_connections));
}

static char *
deaf_client (Fixture  *fixture,
             gpointer  data)
{
  int fd = client_connect (fixture);
  struct pollfd poll_fd = { .fd = fd, .events = POLLRDHUP };

  client_send (fd, "GET /api/file HTTP/1.1\r\n" HEAD "\r\n", -1);
  /* Nothing is read: the end of the stream shows all the same. */
  poll (&poll_fd, 1, 15000);
  close (fd);
  return (poll_fd.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0 ? g_strdup ("cut") : NULL;
}

static void
test_deaf (Fixture       *fixture,
           gconstpointer  data)
{
  gsize size = 64 * MIB;
  g_autofree char *bytes = g_malloc0 (size);
  fixture->file = test_folder_write (fixture->folder, "big", bytes, (gssize) size);
  set_fast_limits (fixture);
  g_autofree char *answer = fixture_run (fixture, deaf_client, NULL);
  g_assert_cmpstr (answer, ==, "cut");
  g_assert_true (fixture_wait (fixture, no_connections));
  g_assert_cmpuint (cyc_api_server_get_n_requests (fixture->server), ==, 0);
}

static char *
flood_client (Fixture  *fixture,
              gpointer  data)
{
  int fd = client_connect (fixture);

  client_send (fd, "GET /api/echo HTTP/1.1\r\n" HEAD, -1);
  for (guint i = 0; i < 64 * 1024; i++)
    client_send (fd, "X-Flood: 0123456789012345678901234567890123456789\r\n", -1);
  char *answer = client_read (fd);
  close (fd);
  return answer;
}

static void
test_head_flood (Fixture       *fixture,
                 gconstpointer  data)
{
  g_autofree char *answer = fixture_run (fixture, flood_client, NULL);
  g_assert_cmpuint (answer_status (answer), !=, 200);
  g_assert_true (fixture_wait (fixture, no_connections));
  g_assert_cmpuint (fixture->n_dispatched, ==, 0);
  g_autofree char *after = fixture_ask (fixture, "GET /api/echo HTTP/1.1\r\n" HEAD "\r\n");
  g_assert_cmpuint (answer_status (after), ==, 200);
}

#define N_MANY 40

/* More connections than allowed; one holds requests open, the others have said nothing. */
static char *
many_client (Fixture  *fixture,
             gpointer  data)
{
  int fds[N_MANY];
  guint refused = 0;

  for (guint i = 0; i < N_MANY; i++)
    fds[i] = client_connect (fixture);
  for (guint i = 0; i < N_MANY; i++)
    {
      g_autofree char *answer = client_read (fds[i]);
      refused += answer_status (answer) == 503;
      close (fds[i]);
    }
  return g_strdup_printf ("%u", refused);
}

static void
test_many (Fixture       *fixture,
           gconstpointer  data)
{
  set_fast_limits (fixture);
  g_autofree char *refused = fixture_run (fixture, many_client, NULL);
  g_assert_cmpstr (refused, ==, "32");
  g_assert_true (fixture_wait (fixture, no_connections));
  g_autofree char *after = fixture_ask (fixture, "GET /api/echo HTTP/1.1\r\n" HEAD "\r\n");
  g_assert_cmpuint (answer_status (after), ==, 200);
}

/* Connections that are kept alive make room for new ones. */
static char *
evict_client (Fixture  *fixture,
              gpointer  data)
{
  int fds[N_MANY];
  guint good = 0;

  for (guint i = 0; i < N_MANY; i++)
    {
      char c;
      fds[i] = client_connect (fixture);
      client_send (fds[i], "GET /api/empty HTTP/1.1\r\n" HOST AUTH "\r\n", -1);
      g_autofree char *answer = client_read_head (fds[i]);
      good += answer_status (answer) == 204;
      /* Only what is idle can go: wait until the first is closed for the last. */
      if (i == N_MANY - 1)
        g_assert_cmpint (read (fds[0], &c, 1), ==, 0);
    }
  for (guint i = 0; i < N_MANY; i++)
    close (fds[i]);
  return g_strdup_printf ("%u", good);
}

static void
test_evict (Fixture       *fixture,
            gconstpointer  data)
{
  CycApiLimits limits;
  cyc_api_limits_init (&limits);
  limits.max_connections = 8;
  cyc_api_server_set_limits (fixture->server, &limits);
  g_autofree char *good = fixture_run (fixture, evict_client, NULL);
  g_assert_cmpstr (good, ==, "40");
  g_assert_true (fixture_wait (fixture, no_connections));
}

/* A request whose body is made as it goes. */
typedef struct
{
  const char *head;
  guint64     bytes;
  gboolean    chunked;
  gboolean    expects;
  gboolean    cut;
} Big;

static char *
big_client (Fixture  *fixture,
            gpointer  data)
{
  Big *big = data;
  int fd = client_connect (fixture);
  g_autofree char *piece = g_strnfill (64 * 1024, ' ');
  g_autoptr (GString) interim = NULL;

  client_send (fd, big->head, -1);
  if (big->expects)
    {
      g_autofree char *answer = client_read_head (fd);
      if (answer_status (answer) != 100)
        {
          close (fd);
          return g_steal_pointer (&answer);
        }
    }
  for (guint64 sent = 0; sent < big->bytes; sent += 64 * 1024)
    {
      gsize len = (gsize) MIN (big->bytes - sent, 64 * 1024);
      g_autofree char *size = g_strdup_printf ("%zx\r\n", len);
      struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
      if (poll (&poll_fd, 1, 0) > 0)
        break;
      if (big->chunked)
        client_send (fd, size, -1);
      client_send (fd, piece, (gssize) len);
      if (big->chunked)
        client_send (fd, "\r\n", 2);
    }
  if (big->cut)
    {
      close (fd);
      return NULL;
    }
  if (big->chunked)
    client_send (fd, "0\r\n\r\n", 5);
  char *answer = client_read (fd);
  close (fd);
  return answer;
}

static guint
ask_big (Fixture    *fixture,
         const char *head,
         guint64     bytes,
         gboolean    chunked)
{
  Big big = { head, bytes, chunked, strstr (head, "Expect:") != NULL, FALSE };
  g_autofree char *answer = fixture_run (fixture, big_client, &big);

  g_test_message ("%s -> %.400s", head, answer);
  if (answer_status (answer) >= 400)
    g_assert_nonnull (strstr (answer, big.expects ? "Content-Length: " : "{\"detail\":"));
  return answer_status (answer);
}

static void
test_json_limit (Fixture       *fixture,
                 gconstpointer  data)
{
#define POST "POST /api/echo HTTP/1.1\r\n" HEAD
#define LOGS "POST /api/sims/sim-1/logs HTTP/1.1\r\n" HEAD
#define CHUNKED "Transfer-Encoding: chunked\r\n\r\n"
  g_assert_cmpuint (ask_big (fixture, POST "Content-Length: 8388608\r\n\r\n", 8 * MIB, FALSE), ==, 200);
  g_assert_cmpuint (ask_big (fixture, POST "Content-Length: 8388609\r\n\r\n", 8 * MIB + 1, FALSE), ==, 413);
  g_assert_cmpuint (ask_big (fixture, POST CHUNKED, 8 * MIB, TRUE), ==, 200);
  g_assert_cmpuint (ask_big (fixture, POST CHUNKED, 8 * MIB + 1, TRUE), ==, 413);
  g_assert_cmpuint (ask_big (fixture, LOGS "Content-Length: 1048576\r\n\r\n", MIB, FALSE), ==, 200);
  g_assert_cmpuint (ask_big (fixture, LOGS "Content-Length: 1048577\r\n\r\n", MIB + 1, FALSE), ==, 413);
  g_assert_cmpuint (ask_big (fixture, LOGS CHUNKED, MIB + 1, TRUE), ==, 413);
  g_assert_cmpuint (fixture->n_dispatched, ==, 3);
  /* Answered before the body: nothing of it is ever sent. */
  g_assert_cmpuint (ask_big (fixture, POST "Content-Length: 99999999999\r\n\r\n", 0, FALSE), ==, 413);
  g_assert_cmpuint (ask_big (fixture, POST "Content-Length: 18446744073709551615\r\n\r\n", 0, FALSE), >=, 400);
  g_assert_cmpuint (
    ask_big (fixture, POST "Expect: 100-continue\r\nContent-Length: 9000000\r\n\r\n", 9000000, FALSE), ==, 413);
  g_assert_cmpuint (
    ask_big (fixture, POST "Expect: 100-continue\r\nContent-Length: 70000\r\n\r\n", 70000, FALSE), ==, 200);
  g_assert_cmpuint (ask_big (fixture, POST "Content-Length: 3\r\n" CHUNKED, 3, TRUE), ==, 400);
  g_assert_cmpuint (
    ask_big (fixture, "POST /api/echo HTTP/1.1\r\n" HOST "Content-Length: 99999999\r\n\r\n", 0, FALSE), ==, 401);
  g_assert_true (fixture_wait (fixture, no_connections));
}

static void
check_stored (Fixture    *fixture,
              const char *name,
              gsize       size)
{
  g_autofree char *path = g_build_filename (fixture->folder, name, NULL);
  g_autofree char *text = NULL;
  gsize len;

  g_assert_true (g_file_get_contents (path, &text, &len, NULL));
  g_assert_cmpuint (len, ==, size);
  g_assert_cmpuint (strspn (text, " "), ==, size);
}

static void
test_upload (Fixture       *fixture,
             gconstpointer  data)
{
#define PUT(name) "PUT /api/traces/t/files/" name " HTTP/1.1\r\n" HEAD
  g_assert_cmpuint (ask_big (fixture, PUT ("a") "Content-Length: 3000000\r\n\r\n", 3000000, FALSE), ==, 200);
  check_stored (fixture, "a", 3000000);
  g_assert_cmpuint (ask_big (fixture, PUT ("b") CHUNKED, 3000000, TRUE), ==, 200);
  check_stored (fixture, "b", 3000000);
  g_assert_cmpuint (ask_big (fixture, PUT ("b") "Content-Length: 5\r\n\r\n", 5, FALSE), ==, 200);
  check_stored (fixture, "b", 5);
  g_assert_cmpuint (ask_big (fixture, PUT ("c") "Content-Length: 0\r\n\r\n", 0, FALSE), ==, 200);
  check_stored (fixture, "c", 0);
  g_assert_cmpuint (ask_big (fixture, PUT ("d") "Expect: 100-continue\r\nContent-Length: 70000\r\n\r\n", 70000,
                             FALSE), ==, 200);
  check_stored (fixture, "d", 70000);
  g_autoptr (GPtrArray) names = fixture_list (fixture);
  g_assert_cmpuint (names->len, ==, 4);
}

static void
test_upload_limit (Fixture       *fixture,
                   gconstpointer  data)
{
  CycApiLimits limits;

  g_assert_cmpuint (ask_big (fixture, PUT ("a") "Content-Length: 4194305\r\n\r\n", 0, FALSE), ==, 413);
  g_assert_cmpuint (ask_big (fixture, PUT ("a") CHUNKED, 4 * MIB + 1, TRUE), ==, 413);
  g_assert_cmpuint (ask_big (fixture, PUT ("a") "Expect: 100-continue\r\nContent-Length: 4194305\r\n\r\n", 0,
                             FALSE), ==, 413);
  g_assert_cmpuint (
    ask_big (fixture, "PUT /api/other HTTP/1.1\r\n" HEAD "Content-Length: 99999999\r\n\r\n", 0, FALSE), ==, 404);
  cyc_api_limits_init (&limits);
  limits.space_reserve = G_MAXINT64;
  cyc_api_server_set_limits (fixture->server, &limits);
  g_assert_cmpuint (ask_big (fixture, PUT ("a") "Content-Length: 100000\r\n\r\n", 0, FALSE), ==, 503);
  g_assert_cmpuint (ask_big (fixture, PUT ("a") CHUNKED, 100000, TRUE), ==, 503);
  g_autoptr (GPtrArray) names = fixture_list (fixture);
  g_assert_cmpuint (names->len, ==, 0);
  g_assert_cmpuint (fixture->n_dispatched, ==, 0);
}

static gboolean
has_no_files (Fixture *fixture)
{
  g_autoptr (GPtrArray) names = fixture_list (fixture);

  return names->len == 0;
}

static void
test_upload_cut (Fixture       *fixture,
                 gconstpointer  data)
{
  Big big = { PUT ("a") "Content-Length: 3000000\r\n\r\n", 1000000, FALSE, FALSE, TRUE };
  fixture_run (fixture, big_client, &big);
  g_assert_true (fixture_wait (fixture, no_connections));
  g_assert_true (fixture_wait (fixture, has_no_files));
  Big chunked = { PUT ("a") CHUNKED, 1000000, TRUE, FALSE, TRUE };
  fixture_run (fixture, big_client, &chunked);
  g_assert_true (fixture_wait (fixture, no_connections));
  g_assert_true (fixture_wait (fixture, has_no_files));
  g_assert_cmpuint (fixture->n_dispatched, ==, 0);
}

static void
test_part_name (void)
{
  g_assert_true (cyc_api_upload_is_part_name (".cyc-upload-0123.part"));
  g_assert_false (cyc_api_upload_is_part_name ("kernel-1.traceg"));
}

static void
synced_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

/* All of a file as one part, on disk and not in its place yet. */
static CycApiUpload *
make_whole (const char *target,
            const char *text)
{
  CycApiUpload *self = cyc_api_upload_new (target, G_MAXUINT64, 0);
  g_autoptr (GAsyncResult) result = NULL;

  g_assert_true (cyc_api_upload_resume (self, 0, strlen (text), NULL));
  g_assert_true (cyc_api_upload_write (self, text, strlen (text), NULL));
  cyc_api_upload_sync_async (self, synced_cb, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (cyc_api_upload_sync_finish (self, result, NULL));
  g_assert_true (cyc_api_upload_is_whole (self));
  return self;
}

static void
assert_text (const char *path,
             const char *expected)
{
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, expected);
}

/* A whole file is nobody else's until it is in its place, and then an upload that begins anew leaves it alone. */
static void
test_part_anew (void)
{
  g_autofree char *folder = g_dir_make_tmp ("cyc-part-XXXXXX", NULL);
  g_autofree char *target = g_build_filename (folder, "file", NULL);
  g_autoptr (GError) error = NULL;
  CycApiUpload *first = make_whole (target, "first");
  CycApiUpload *second = cyc_api_upload_new (target, G_MAXUINT64, 0);

  g_assert_false (cyc_api_upload_resume (second, 0, 6, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_STATE);
  cyc_api_upload_free (second);
  assert_text (cyc_api_upload_get_path (first), "first");
  g_assert_true (cyc_api_upload_commit (first, NULL));
  second = cyc_api_upload_new (target, G_MAXUINT64, 0);
  g_assert_true (cyc_api_upload_resume (second, 0, 6, NULL));
  cyc_api_upload_free (first);
  assert_text (target, "first");
  cyc_api_upload_refuse (second);
  cyc_api_upload_free (second);
  g_assert_cmpint (g_unlink (target), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* A plain upload of the file does away with the part; who had that does not take the next one's for its own. */
static void
test_part_taken (void)
{
  g_autofree char *folder = g_dir_make_tmp ("cyc-part-XXXXXX", NULL);
  g_autofree char *target = g_build_filename (folder, "file", NULL);
  g_autoptr (GError) error = NULL;
  CycApiUpload *first = make_whole (target, "first");
  g_autofree char *path = g_strdup (cyc_api_upload_get_path (first));

  g_assert_cmpint (g_unlink (path), ==, 0);
  CycApiUpload *next = cyc_api_upload_new (target, G_MAXUINT64, 0);
  g_assert_true (cyc_api_upload_resume (next, 0, 9, NULL));
  g_assert_true (cyc_api_upload_write (next, "next", 4, NULL));
  g_assert_false (cyc_api_upload_commit (first, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_STATE);
  cyc_api_upload_refuse (first);
  cyc_api_upload_free (first);
  cyc_api_upload_free (next);
  assert_text (path, "next");
  g_assert_false (g_file_test (target, G_FILE_TEST_EXISTS));
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static gboolean
has_waiting (Fixture *fixture)
{
  return fixture->waiting->len > 0;
}

static void
stopped_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  *(int *) user_data = cyc_api_server_stop_finish (CYC_API_SERVER (source), result, NULL) ? 1 : 2;
}

typedef struct
{
  Fixture *fixture;
  char    *answer;
  int      done;
} Waiter;

static gpointer
wait_thread (gpointer data)
{
  Waiter *waiter = data;
  int fd = client_connect (waiter->fixture);

  client_send (fd, "GET /api/wait HTTP/1.1\r\n" HOST AUTH "\r\n", -1);
  waiter->answer = client_read (fd);
  close (fd);
  return NULL;
}

static void
test_stop (Fixture       *fixture,
           gconstpointer  data)
{
  Waiter waiter = { fixture, NULL, 0 };
  int stopped = 0;
  GThread *thread = g_thread_new ("waiter", wait_thread, &waiter);

  g_assert_true (fixture_wait (fixture, has_waiting));
  cyc_api_server_stop_async (fixture->server, 20000, stopped_cb, &stopped);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_cmpint (stopped, ==, 0);
  fixture_release (fixture);
  while (stopped == 0)
    g_main_context_iteration (NULL, TRUE);
  g_thread_join (thread);
  g_assert_cmpint (stopped, ==, 1);
  g_assert_cmpuint (answer_status (waiter.answer), ==, 200);
  g_assert_nonnull (strstr (waiter.answer, "\r\nConnection: close\r\n"));
  g_free (waiter.answer);
  g_assert_finalize_object (fixture->server);
  fixture->server = NULL;
}

/* A client that does not wait for its answer costs nothing, and a server that is not waited for
 * answers later without harm. */
static void
test_stop_hard (Fixture       *fixture,
                gconstpointer  data)
{
  Waiter waiter = { fixture, NULL, 0 };
  int stopped = 0;
  GThread *thread = g_thread_new ("waiter", wait_thread, &waiter);

  g_assert_true (fixture_wait (fixture, has_waiting));
  cyc_api_server_stop_async (fixture->server, 1, stopped_cb, &stopped);
  while (stopped == 0)
    g_main_context_iteration (NULL, TRUE);
  g_thread_join (thread);
  g_assert_cmpint (stopped, ==, 2);
  g_assert_cmpstr (waiter.answer, ==, "");
  g_free (waiter.answer);
  g_assert_true (no_requests (fixture));
  fixture_release (fixture);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_finalize_object (fixture->server);
  fixture->server = NULL;
}

/* Holds up every thread that GTask has, and those that it gets while they are held up. */
typedef struct
{
  GMutex   mutex;
  GCond    cond;
  gboolean open;
} Gate;

#define N_HELD 40

static void
hold_thread (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  Gate *gate = data;

  g_mutex_lock (&gate->mutex);
  while (!gate->open)
    g_cond_wait (&gate->cond, &gate->mutex);
  g_mutex_unlock (&gate->mutex);
  g_task_return_boolean (task, TRUE);
}

#define PUT_BYTES (300 * 1024)

static gpointer
put_thread (gpointer data)
{
  Waiter *waiter = data;
  int fd = client_connect (waiter->fixture);
  g_autofree char *head = g_strdup_printf (PUT ("a") "Content-Length: %d\r\n\r\n", PUT_BYTES);
  g_autofree char *body = g_strnfill (PUT_BYTES, 'x');

  client_send (fd, head, -1);
  client_send (fd, body, PUT_BYTES);
  waiter->answer = client_read (fd);
  close (fd);
  return NULL;
}

static gboolean
has_come (Fixture *fixture)
{
  g_autoptr (GPtrArray) names = fixture_list (fixture);
  g_autofree char *path =
    names->len == 0 ? NULL : g_build_filename (fixture->folder, names->pdata[0], NULL);
  GStatBuf st;

  return path != NULL && g_stat (path, &st) == 0 && st.st_size == PUT_BYTES;
}

static void
open_gate (Gate *gate)
{
  g_mutex_lock (&gate->mutex);
  gate->open = TRUE;
  g_cond_broadcast (&gate->cond);
  g_mutex_unlock (&gate->mutex);
}

/* An upload is being put on disk when the server stops waiting for it: whoever made the server may be
 * gone when that is done, and is not called. */
static void
test_stop_upload (Fixture       *fixture,
                  gconstpointer  data)
{
  static Gate gate;
  Waiter waiter = { fixture, NULL, 0 };
  int stopped = 0;

  for (guint i = 0; i < N_HELD; i++)
    {
      g_autoptr (GTask) task = g_task_new (NULL, NULL, NULL, NULL);
      g_task_set_task_data (task, &gate, NULL);
      g_task_run_in_thread (task, hold_thread);
    }
  GThread *thread = g_thread_new ("put", put_thread, &waiter);
  g_assert_true (fixture_wait (fixture, has_come));
  while (g_main_context_iteration (NULL, FALSE))
    ;
  cyc_api_server_stop_async (fixture->server, 1, stopped_cb, &stopped);
  while (stopped == 0)
    g_main_context_iteration (NULL, TRUE);
  g_thread_join (thread);
  g_assert_cmpint (stopped, ==, 2);
  g_assert_cmpstr (waiter.answer, ==, "");
  g_free (waiter.answer);
  open_gate (&gate);
  g_assert_true (fixture_wait (fixture, has_no_files));
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_cmpuint (fixture->n_dispatched, ==, 0);
  g_assert_finalize_object (fixture->server);
  fixture->server = NULL;
}

static char *
leave_client (Fixture  *fixture,
              gpointer  data)
{
  int fd = client_connect (fixture);

  client_send (fd, "GET /api/wait HTTP/1.1\r\n" HEAD "\r\n", -1);
  close (fd);
  return NULL;
}

static void
test_leave (Fixture       *fixture,
            gconstpointer  data)
{
  fixture_run (fixture, leave_client, NULL);
  g_assert_true (fixture_wait (fixture, has_waiting));
  fixture_release (fixture);
  g_assert_true (fixture_wait (fixture, no_connections));
  g_assert_true (no_requests (fixture));
}

#define ADD(path, func) \
  g_test_add ("/engine/api-bounds/" path, Fixture, NULL, fixture_set_up, func, fixture_tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("slow-head", test_slow_head);
  ADD ("slow-body", test_slow_body);
  ADD ("idle", test_idle);
  ADD ("deaf", test_deaf);
  ADD ("head-flood", test_head_flood);
  ADD ("many", test_many);
  ADD ("evict", test_evict);
  ADD ("json-limit", test_json_limit);
  ADD ("upload", test_upload);
  ADD ("upload-limit", test_upload_limit);
  ADD ("upload-cut", test_upload_cut);
  g_test_add_func ("/engine/api-bounds/part-name", test_part_name);
  g_test_add_func ("/engine/api-bounds/part-anew", test_part_anew);
  g_test_add_func ("/engine/api-bounds/part-taken", test_part_taken);
  ADD ("stop", test_stop);
  ADD ("stop-hard", test_stop_hard);
  ADD ("stop-upload", test_stop_upload);
  ADD ("leave", test_leave);
  return g_test_run ();
}
