/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "support/test-raw.h"
#include "support/test-trace.h"

/* Uploads that break off and go on, and their checksums. */

#define SIZE 1000003
#define N_RIVAL_FILES 20
#define TARGET "/api/traces/mine/files/traces/kernel-1.traceg"

typedef struct
{
  TestService *service;
  guchar      *bytes;
  char        *sum;
} Case;

static void
case_start (Case *c)
{
  c->service = test_service_new ();
  c->bytes = g_malloc (SIZE);
  for (guint i = 0; i < SIZE; i++)
    c->bytes[i] = (guchar) (i * 7 + i / 251);
  c->sum = g_compute_checksum_for_data (G_CHECKSUM_SHA256, c->bytes, SIZE);
  test_service_start (c->service);
}

static void
case_clear (Case *c)
{
  test_service_stop (c->service);
  test_service_free (c->service);
  g_free (c->bytes);
  g_free (c->sum);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

/* What HEAD says: -1 if it does not. */
static gint64
get_offset (Case       *c,
            const char *complete)
{
  g_autoptr (TestAnswer) answer = test_raw_ask (c->service, "HEAD", TARGET, NULL, NULL, 0);
  g_autofree char *offset = test_answer_field (answer, "Upload-Offset");
  g_autofree char *whole = test_answer_field (answer, "Upload-Complete");

  g_assert_cmpuint (answer->status, ==, 200);
  g_assert_cmpuint (g_bytes_get_size (answer->body), ==, 0);
  if (complete != NULL)
    g_assert_cmpstr (whole, ==, complete);
  return offset == NULL ? -1 : g_ascii_strtoll (offset, NULL, 10);
}

static char *
make_fields (gsize       first,
             gsize       last,
             const char *total,
             const char *sum)
{
  return g_strdup_printf ("Content-Range: bytes %" G_GSIZE_FORMAT "-%" G_GSIZE_FORMAT "/%s\r\n%s%s%s", first, last,
                          total, sum == NULL ? "" : "X-Checksum-Sha256: ", sum == NULL ? "" : sum,
                          sum == NULL ? "" : "\r\n");
}

static guint
put (Case       *c,
     gsize       first,
     gsize       last,
     const char *sum)
{
  g_autofree char *fields = make_fields (first, last, G_STRINGIFY (SIZE), sum);
  g_autoptr (TestAnswer) answer =
    test_raw_ask (c->service, "PUT", TARGET, fields, c->bytes + first, last - first + 1);

  return answer->status;
}

static char *
get_path (Case       *c,
          const char *name)
{
  return g_build_filename (test_service_get_folder (c->service), "traces", "mine", "traces", name, NULL);
}

static void
assert_whole (Case *c)
{
  g_autofree char *path = get_path (c, "kernel-1.traceg");
  g_autofree char *folder = get_path (c, "");
  g_autofree char *text = NULL;
  gsize len;

  g_assert_true (g_file_get_contents (path, &text, &len, NULL));
  g_assert_cmpmem (text, len, c->bytes, SIZE);
  /* Nothing is left beside it. */
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_assert_cmpstr (g_dir_read_name (dir), ==, "kernel-1.traceg");
  g_assert_null (g_dir_read_name (dir));
}

static gboolean
has_some (gpointer data)
{
  return get_offset (data, NULL) == 300000;
}

/* It breaks off in the middle of a body, the engine is killed, and it goes on where it was. */
static void
test_goes_on (void)
{
  g_auto (Case) c = { 0 };
  g_autofree char *path = NULL;

  case_start (&c);
  g_assert_cmpint (get_offset (&c, "?0"), ==, 0);
  g_autofree char *fields = make_fields (0, SIZE - 1, G_STRINGIFY (SIZE), c.sum);
  test_raw_cut (c.service, "PUT", TARGET, fields, SIZE, c.bytes, 300000);
  test_wait (has_some, &c, "what came to be kept");
  path = get_path (&c, "kernel-1.traceg");
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  test_service_replace (c.service);
  g_assert_cmpint (get_offset (&c, "?0"), ==, 300000);
  g_assert_cmpuint (put (&c, 300000, 499999, NULL), ==, 202);
  g_assert_cmpint (get_offset (&c, "?0"), ==, 500000);
  /* No gap; what comes twice counts once. */
  g_assert_cmpuint (put (&c, 500001, SIZE - 1, c.sum), ==, 409);
  g_assert_cmpint (get_offset (&c, "?0"), ==, 500000);
  g_assert_cmpuint (put (&c, 400000, 599999, NULL), ==, 202);
  g_assert_cmpint (get_offset (&c, "?0"), ==, 600000);
  g_assert_cmpuint (put (&c, 600000, SIZE - 1, c.sum), ==, 200);
  g_assert_cmpint (get_offset (&c, "?1"), ==, SIZE);
  assert_whole (&c);
}

/* What began in parts may come anew, as a whole or in parts. */
static void
test_anew (void)
{
  g_auto (Case) c = { 0 };

  case_start (&c);
  g_assert_cmpuint (put (&c, 0, 9, NULL), ==, 202);
  g_assert_cmpuint (put (&c, 0, 99, NULL), ==, 202);
  g_assert_cmpint (get_offset (&c, "?0"), ==, 100);
  g_autofree char *unknown = make_fields (100, 199, "*", NULL);
  g_autoptr (TestAnswer) open = test_raw_ask (c.service, "PUT", TARGET, unknown, c.bytes + 100, 100);
  g_assert_cmpuint (open->status, ==, 202);
  g_assert_cmpint (get_offset (&c, "?0"), ==, 200);
  g_autoptr (TestAnswer) whole = test_raw_ask (c.service, "PUT", TARGET, NULL, c.bytes, SIZE);
  g_assert_cmpuint (whole->status, ==, 200);
  g_assert_cmpint (get_offset (&c, "?1"), ==, SIZE);
  assert_whole (&c);
}

static void
test_checksum (void)
{
  g_auto (Case) c = { 0 };
  g_autofree char *wrong = NULL;

  case_start (&c);
  g_autofree char *good = g_strdup_printf ("X-Checksum-Sha256: %s\r\n", c.sum);
  wrong = g_strdup (c.sum);
  wrong[63] = wrong[63] == '0' ? '1' : '0';
  g_autofree char *bad = g_strdup_printf ("X-Checksum-Sha256: %s\r\n", wrong);
  g_autoptr (TestAnswer) refused = test_raw_ask (c.service, "PUT", TARGET, bad, c.bytes, SIZE);
  g_assert_cmpuint (refused->status, ==, 422);
  g_assert_cmpint (get_offset (&c, "?0"), ==, 0);
  g_autoptr (TestAnswer) odd = test_raw_ask (c.service, "PUT", TARGET, "X-Checksum-Sha256: 12\r\n", c.bytes, SIZE);
  g_assert_cmpuint (odd->status, ==, 400);
  /* A small one is summed as well. */
  g_autoptr (TestAnswer) small = test_raw_ask (c.service, "PUT", TARGET, bad, "x", 1);
  g_assert_cmpuint (small->status, ==, 422);
  /* In parts: none of it is kept. */
  g_assert_cmpuint (put (&c, 0, 499999, NULL), ==, 202);
  g_assert_cmpuint (put (&c, 500000, SIZE - 1, wrong), ==, 422);
  g_assert_cmpint (get_offset (&c, "?0"), ==, 0);
  g_autoptr (TestAnswer) taken = test_raw_ask (c.service, "PUT", TARGET, good, c.bytes, SIZE);
  g_assert_cmpuint (taken->status, ==, 200);
  assert_whole (&c);
}

static void
test_bad_ranges (void)
{
  static const char *const bad[] = {
    "bytes 0-9/10/11", "bytes 0-9", "bytes */10", "bytes 9-0/10", "bytes 0-9/9", "bytes 0-8/10", "0-9/10",
    "bytes -9/10", "bytes 0-/10", "bytes 0-9/", "bytes 0-9/1x", "bytes 18446744073709551606-18446744073709551615/*",
    "bytes 0x0-9/10", "bytes 1-10/11",
  };
  g_auto (Case) c = { 0 };

  case_start (&c);
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *fields = g_strdup_printf ("Content-Range: %s\r\n", bad[i]);
      g_autoptr (TestAnswer) answer = test_raw_ask (c.service, "PUT", TARGET, fields, c.bytes, 10);
      guint expected = strcmp (bad[i], "bytes 1-10/11") == 0 ? 409 : 400;
      if (answer->status != expected)
        g_error ("%s: status %u", bad[i], answer->status);
    }
  static const char chunked[] = "Content-Range: bytes 0-9/10\r\nTransfer-Encoding: chunked\r\n";
  g_autoptr (GSocketConnection) connection = test_raw_connect (c.service);
  g_autofree char *head = test_raw_make_head (c.service, "PUT", TARGET, chunked);
  test_raw_send (connection, head, strlen (head));
  test_raw_send (connection, "a\r\n0123456789\r\n0\r\n\r\n", 20);
  g_autoptr (TestAnswer) answer = test_raw_read (connection);
  g_assert_cmpuint (answer->status, ==, 400);
  g_assert_cmpint (get_offset (&c, "?0"), ==, 0);
}

/* Two clients on one file: one of them is told to wait. */
static void
test_two (void)
{
  g_auto (Case) c = { 0 };

  case_start (&c);
  g_autoptr (GSocketConnection) first = test_raw_connect (c.service);
  g_autofree char *fields = make_fields (0, SIZE - 1, G_STRINGIFY (SIZE), NULL);
  g_autofree char *more = g_strdup_printf ("Content-Length: %d\r\n%s", SIZE, fields);
  g_autofree char *head = test_raw_make_head (c.service, "PUT", TARGET, more);
  test_raw_send (first, head, strlen (head));
  test_raw_send (first, c.bytes, 300000);
  test_wait (has_some, &c, "the first upload to be under way");
  g_assert_cmpuint (put (&c, 300000, SIZE - 1, NULL), ==, 409);
  test_raw_send (first, c.bytes + 300000, SIZE - 300000);
  g_autoptr (TestAnswer) answer = test_raw_read (first);
  g_assert_cmpuint (answer->status, ==, 200);
  assert_whole (&c);
}

typedef struct
{
  Case *c;
  int   stop; /* atomic */
  guint n_refused;
} Rival;

static gpointer
rival_thread (gpointer data)
{
  Rival *rival = data;

  while (g_atomic_int_get (&rival->stop) == 0)
    {
      guint status = put (rival->c, 0, 9, NULL);
      g_assert_true (status == 202 || status == 409);
      rival->n_refused += status == 409;
    }
  return NULL;
}

/* Another client begins anew all the time, while a whole file is on its way to its place as well: the file that is
 * acknowledged is there with all its bytes. */
static void
test_rival (void)
{
  g_auto (Case) c = { 0 };
  Rival rival = { &c, 0, 0 };
  g_autofree char *path = NULL;

  case_start (&c);
  path = get_path (&c, "kernel-1.traceg");
  GThread *thread = g_thread_new ("rival", rival_thread, &rival);
  for (guint n = 0; n < N_RIVAL_FILES;)
    {
      g_autofree char *text = NULL;
      gsize len;
      guint status = put (&c, 0, SIZE - 1, c.sum);
      if (status == 409)
        continue;
      g_assert_cmpuint (status, ==, 200);
      g_assert_true (g_file_get_contents (path, &text, &len, NULL));
      g_assert_cmpmem (text, len, c.bytes, SIZE);
      n++;
    }
  g_atomic_int_set (&rival.stop, 1);
  g_thread_join (thread);
  g_test_message ("refused %u times", rival.n_refused);
  g_assert_cmpuint (put (&c, 0, SIZE - 1, c.sum), ==, 200);
  assert_whole (&c);
}

static gboolean
is_settled (gpointer data)
{
  Case *c = data;
  g_autoptr (JsonNode) trace = test_service_ask (c->service, "GET", "/api/traces/mine", NULL, 200);

  return g_strcmp0 (test_text (json_node_get_object (trace), "state"), "processing") != 0;
}

static char *
settle (Case *c)
{
  g_autoptr (JsonNode) complete = test_service_ask (c->service, "POST", "/api/traces/mine/complete", "", 200);
  test_wait (is_settled, c, "the end of processing");
  g_autoptr (JsonNode) trace = test_service_ask (c->service, "GET", "/api/traces/mine", NULL, 200);
  return json_to_string (trace, FALSE);
}

/* A trace is not complete while a file of it is a part, and not ready if one that its list names has not come. */
static void
test_missing (void)
{
  g_auto (Case) c = { 0 };
  g_auto (TestFolder) folder = test_folder_new ();
  g_autofree char *kernel = NULL;
  gsize len;

  case_start (&c);
  test_trace_write_kernel (folder, "traces/kernel-1.traceg", 86, "");
  g_autofree char *source = g_build_filename (folder, "traces/kernel-1.traceg", NULL);
  g_assert_true (g_file_get_contents (source, &kernel, &len, NULL));
  static const char list[] = "kernel-1.traceg\nkernel-2.traceg\n";
  g_autoptr (JsonNode) listed =
    test_service_put (c.service, "/api/traces/mine/files/traces/kernelslist.g", list, strlen (list), 200);
  g_assert_cmpuint (put (&c, 0, 99, NULL), ==, 202);
  test_service_refuse (c.service, "POST", "/api/traces/mine/complete", "", 409);
  g_autoptr (JsonNode) first = test_service_put (c.service, TARGET, kernel, len, 200);
  g_autofree char *failed = settle (&c);
  g_assert_nonnull (strstr (failed, "\"failed\""));
  g_assert_nonnull (strstr (failed, "kernel-2.traceg"));
}

/* What has come of a trace that is not there yet can be removed. */
static void
test_removed (void)
{
  g_auto (Case) c = { 0 };

  case_start (&c);
  g_autofree char *fields = make_fields (0, SIZE - 1, G_STRINGIFY (SIZE), NULL);
  test_raw_cut (c.service, "PUT", TARGET, fields, SIZE, c.bytes, 300000);
  test_wait (has_some, &c, "what came to be kept");
  test_service_refuse (c.service, "DELETE", "/api/traces/mine", NULL, 404);
  g_assert_cmpint (get_offset (&c, "?0"), ==, 0);
  g_autofree char *path =
    g_build_filename (test_service_get_folder (c.service), "traces", "mine", NULL);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/e2e/resume/goes-on", test_goes_on);
  g_test_add_func ("/engine/e2e/resume/anew", test_anew);
  g_test_add_func ("/engine/e2e/resume/checksum", test_checksum);
  g_test_add_func ("/engine/e2e/resume/bad-ranges", test_bad_ranges);
  g_test_add_func ("/engine/e2e/resume/two", test_two);
  g_test_add_func ("/engine/e2e/resume/rival", test_rival);
  g_test_add_func ("/engine/e2e/resume/missing", test_missing);
  g_test_add_func ("/engine/e2e/resume/removed", test_removed);
  return g_test_run ();
}
