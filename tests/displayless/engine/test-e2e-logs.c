/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <libsoup/soup.h>
#include <string.h>

#include "core/base/cyc-byte-reader.h"
#include "core/base/cyc-json-writer.h"
#include "foreign-sims.h"

/* The log protocol over HTTP. */

typedef struct
{
  ForeignSims  sims;
  char        *path;
} Case;

static void
case_start (Case *c)
{
  static const char *const from[] = { "running", "running" };

  foreign_sims_start (&c->sims, from, 2);
  c->path = g_strdup_printf ("/api/sims/%s/logs", c->sims.ids[0]);
}

static void
case_clear (Case *c)
{
  foreign_sims_clear (&c->sims);
  g_free (c->path);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

static void
post (Case       *c,
      const char *body,
      guint       status,
      gint64      next_seq)
{
  g_autoptr (JsonNode) answer = test_service_ask (c->sims.service, "POST", c->path, body, status);
  JsonObject *object = json_node_get_object (answer);

  if (next_seq >= 0)
    g_assert_cmpint (json_object_get_int_member (object, "next_seq"), ==, next_seq);
  if (status != 200)
    g_assert_nonnull (test_text (object, "detail"));
}

static void
assert_log (Case       *c,
            const char *expected)
{
  gsize len;
  g_autofree char *log = test_service_get_log (c->sims.service, c->sims.ids[0], &len);

  g_assert_cmpmem (log, len, expected, strlen (expected));
}

static void
test_sequence (void)
{
  g_auto (Case) c = { 0 };

  case_start (&c);
  assert_log (&c, "");
  post (&c, "{\"seq\":0,\"lines\":[\"one\",\"\",\"zwei \\u00e4\"]}", 200, 1);
  /* Again, even with other lines: ignored. */
  post (&c, "{\"seq\":0,\"lines\":[\"other\"]}", 200, 1);
  assert_log (&c, "one\n\nzwei \xc3\xa4\n");
  /* A gap: which one is expected. */
  post (&c, "{\"seq\":2,\"lines\":[\"three\"]}", 409, 1);
  assert_log (&c, "one\n\nzwei \xc3\xa4\n");
  post (&c, "{\"seq\":1,\"lines\":[]}", 200, 2);
  post (&c, "{\"lines\":[\"end\"],\"seq\":2,\"unterminated\":true}", 200, 3);
  assert_log (&c, "one\n\nzwei \xc3\xa4\nend");
}

static void
test_bad (void)
{
  static const struct { const char *body; guint status; } bad[] = {
    { "", 400 },
    { "{\"seq\":0,\"lines\":[\"one\"]", 400 },
    { "{\"seq\":0,\"lines\":[\"one\"]} x", 400 },
    { "not json", 400 },
    { "[]", 422 },
    { "{}", 422 },
    { "{\"lines\":[\"one\"]}", 422 },
    { "{\"seq\":0}", 422 },
    { "{\"seq\":\"0\",\"lines\":[\"one\"]}", 422 },
    { "{\"seq\":-1,\"lines\":[\"one\"]}", 422 },
    { "{\"seq\":0.5,\"lines\":[\"one\"]}", 422 },
    { "{\"seq\":null,\"lines\":[\"one\"]}", 422 },
    { "{\"seq\":0,\"lines\":\"one\"}", 422 },
    { "{\"seq\":0,\"lines\":[\"one\",2]}", 422 },
    { "{\"seq\":0,\"lines\":[null]}", 422 },
    { "{\"seq\":0,\"lines\":[\"two\\nlines\"]}", 422 },
  };
  g_auto (Case) c = { 0 };

  case_start (&c);
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    post (&c, bad[i].body, bad[i].status, -1);
  assert_log (&c, "");
  post (&c, "{\"seq\":0,\"lines\":[\"one\"]}", 200, 1);
}

static GString *
make_lines (guint       n,
            const char *line)
{
  GString *body = g_string_new ("{\"seq\":0,\"lines\":[");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (body, "%s\"%s\"", i > 0 ? "," : "", line);
  g_string_append (body, "]}");
  return body;
}

static void
test_limits (void)
{
  g_auto (Case) c = { 0 };
  g_autofree char *long_line = g_strnfill (1024 * 1024, 'x');
  g_autoptr (GString) many = make_lines (2001, "a");
  g_autoptr (GString) most = make_lines (2000, "a");
  g_autoptr (GString) big = make_lines (1, long_line);

  case_start (&c);
  post (&c, many->str, 413, -1);
  post (&c, big->str, 413, -1);
  assert_log (&c, "");
  post (&c, most->str, 200, 1);
}

static void
test_tokens (void)
{
  static const char body[] = "{\"seq\":0,\"lines\":[\"one\"]}";
  g_auto (Case) c = { 0 };
  guint status;

  case_start (&c);
  g_autofree char *job = g_build_filename (test_service_get_folder (c.sims.service), "jobs", NULL);
  g_autoptr (GDir) dir = g_dir_open (job, 0, NULL);
  const char *name;
  g_autofree char *token = NULL;
  g_autofree char *owner = NULL;
  /* The first sim's own token is in its job. */
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_prefix (name, "sim-"))
      {
        g_autofree char *path = g_build_filename (job, name, "job.json", NULL);
        g_autofree char *text = NULL;
        g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
        g_autoptr (JsonNode) node = json_from_string (text, NULL);
        token = g_strdup (test_text (json_node_get_object (node), "token"));
        owner = g_strdup (name);
      }
  g_assert_nonnull (token);
  g_autoptr (GBytes) wrong = test_service_send (c.sims.service, "POST", c.path, "0123", body, -1, &status);
  g_assert_cmpuint (status, ==, 401);
  g_autoptr (GBytes) other = test_service_send (c.sims.service, "POST", c.path, token, body, -1, &status);
  g_assert_cmpuint (status, ==, 403);
  g_autofree char *own_path = g_strdup_printf ("/api/sims/%s/heartbeat", owner);
  g_autoptr (GBytes) own = test_service_send (c.sims.service, "POST", own_path, token,
                                              "{\"state\":\"running\"}", -1, &status);
  g_assert_cmpuint (status, ==, 200);
  g_autoptr (GBytes) runs = test_service_send (c.sims.service, "GET", "/api/runs", token, NULL, 0, &status);
  g_assert_cmpuint (status, ==, 403);
  g_autoptr (JsonNode) unknown = test_service_ask (c.sims.service, "POST",
                                                   "/api/sims/sim-000000000000/logs", body, 404);
  g_assert_nonnull (unknown);
}

static void
test_range (void)
{
  g_auto (Case) c = { 0 };
  g_autoptr (GError) error = NULL;

  case_start (&c);
  post (&c, "{\"seq\":0,\"lines\":[\"0123456789\"]}", 200, 1);
  g_autofree char *uri = g_strdup_printf ("%s/api/sims/%s/log", test_service_get_url (c.sims.service),
                                          c.sims.ids[0]);
  g_autofree char *bearer = g_strdup_printf ("Bearer %s", test_service_get_token (c.sims.service));
  g_autoptr (SoupSession) session = soup_session_new ();
  g_autoptr (SoupMessage) message = soup_message_new ("GET", uri);
  SoupMessageHeaders *headers = soup_message_get_request_headers (message);
  soup_message_headers_append (headers, "Authorization", bearer);
  soup_message_headers_append (headers, "Range", "bytes=3-6");
  g_autoptr (GBytes) answer = soup_session_send_and_read (session, message, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (soup_message_get_status (message), ==, 206);
  g_assert_cmpmem (g_bytes_get_data (answer, NULL), g_bytes_get_size (answer), "3456", 4);
}

/* Sends a recorded log in chunks of so many lines. */
static guint
send_log (Case       *c,
          const char *text,
          guint       first_seq,
          guint       chunk_lines)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  guint n = g_strv_length (lines) - 1;
  guint seq = first_seq;

  for (guint i = 0; i < n; i += chunk_lines, seq++)
    {
      g_autoptr (GString) body = g_string_new (NULL);
      g_string_printf (body, "{\"seq\":%u,\"lines\":[", seq);
      for (guint k = i; k < MIN (n, i + chunk_lines); k++)
        {
          g_string_append (body, k > i ? "," : "");
          cyc_json_append_string (body, lines[k], strlen (lines[k]));
        }
      g_string_append (body, "]}");
      post (c, body->str, 200, seq + 1);
    }
  return seq;
}

static JsonNode *
get_kernels (Case *c)
{
  g_autofree char *path = g_strdup_printf ("/api/runs/%s/results", c->sims.run_id);

  return test_service_ask (c->sims.service, "GET", path, NULL, 200);
}

/* A cap was reached: the last kernel's figures are those of a part (expected.json: two blocks, limit).
 * Chunks that come after the end are kept as well. */
static void
test_limit_reached (void)
{
  g_auto (Case) c = { 0 };
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", "accelsim", "logs",
                                                 "ok-max-cycle.log.xz", NULL);
  gsize len, kept_len;
  g_autofree char *text = cyc_byte_reader_read_all (path, G_MAXUINT32, &len, NULL);
  gboolean cancel;

  case_start (&c);
  guint seq = send_log (&c, text, 0, 97);
  g_autofree char *state =
    foreign_sims_beat (&c.sims, 0, "{\"state\":\"succeeded\",\"exit_code\":0,\"worker\":true}", &cancel);
  g_assert_cmpstr (state, ==, "succeeded");
  g_autoptr (JsonNode) results = get_kernels (&c);
  JsonArray *sims = json_object_get_array_member (json_node_get_object (results), "sims");
  JsonObject *sim = json_array_get_object_element (sims, 1);
  JsonObject *summary = json_object_get_object_member (sim, "sim");
  g_assert_cmpstr (test_text (summary, "outcome"), ==, "limit");
  /* What is partial is not done. */
  g_assert_cmpint (json_object_get_int_member (summary, "kernels_done"), ==, 1);
  JsonObject *run = json_object_get_object_member (json_node_get_object (results), "run");
  g_assert_cmpint (json_object_get_int_member (run, "limit_count"), ==, 1);
  JsonArray *kernels = json_object_get_array_member (sim, "kernels");
  g_assert_cmpuint (json_array_get_length (kernels), ==, 2);
  JsonObject *first = json_array_get_object_element (kernels, 0);
  JsonObject *last = json_array_get_object_element (kernels, 1);
  g_assert_cmpstr (test_text (first, "kernel_name"), ==, "_Z9vectorAddPKfS0_Pfi");
  g_assert_cmpint (json_object_get_int_member (first, "gpu_sim_cycle"), ==, 6032);
  g_assert_false (json_object_get_boolean_member (first, "partial"));
  g_assert_cmpstr (test_text (last, "kernel_name"), ==, "_Z7reduce5IfEvPKT_PS0_j");
  g_assert_cmpint (json_object_get_int_member (last, "gpu_sim_cycle"), ==, 1968);
  g_assert_true (json_object_get_boolean_member (last, "partial"));

  g_autofree char *late = g_strdup_printf ("{\"seq\":%u,\"lines\":[\"late\"]}", seq);
  post (&c, late, 200, seq + 1);
  g_autofree char *kept = test_service_get_log (c.sims.service, c.sims.ids[0], &kept_len);
  g_assert_cmpuint (kept_len, ==, len + 5);
  g_assert_cmpmem (kept, len, text, len);
  g_assert_cmpstr (kept + len, ==, "late\n");
  g_autofree char *after = foreign_sims_state (&c.sims, 0);
  g_assert_cmpstr (after, ==, "succeeded");
}

static guint
count_open_logs (Case *c)
{
  g_autofree char *folder =
    g_strdup_printf ("/proc/%" G_GINT64_FORMAT "/fd", test_service_get_pid (c->sims.service));
  g_autofree char *ending = g_strdup_printf ("/%s/log", c->sims.ids[0]);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autofree char *target = g_file_read_link (path, NULL);
      n += target != NULL && g_str_has_suffix (target, ending);
    }
  return n;
}

/* What comes once more after the end is acknowledged, and leaves nothing open. */
static void
test_late (void)
{
  static const char first[] = "{\"seq\":0,\"lines\":[\"one\"]}";
  g_auto (Case) c = { 0 };
  gboolean cancel;

  case_start (&c);
  post (&c, first, 200, 1);
  g_assert_cmpuint (count_open_logs (&c), ==, 1);
  g_autofree char *state =
    foreign_sims_beat (&c.sims, 0, "{\"state\":\"failed\",\"exit_code\":1,\"worker\":true}", &cancel);
  g_assert_cmpstr (state, ==, "failed");
  g_assert_cmpuint (count_open_logs (&c), ==, 0);
  post (&c, first, 200, 1);
  g_assert_cmpuint (count_open_logs (&c), ==, 0);
  post (&c, "{\"seq\":7,\"lines\":[\"gap\"]}", 409, 1);
  post (&c, "{\"seq\":1,\"lines\":\"bad\"}", 422, -1);
  g_assert_cmpuint (count_open_logs (&c), ==, 0);
  post (&c, "{\"seq\":1,\"lines\":[\"late\"]}", 200, 2);
  g_assert_cmpuint (count_open_logs (&c), ==, 0);
  assert_log (&c, "one\nlate\n");
}

/* The engine dies after every few chunks: nothing is parsed twice, nothing is missing. */
static void
test_restarts (void)
{
  g_auto (Case) c = { 0 };
  gsize len, kept_len;
  g_autofree char *text = test_recorded_log (TEST_CONFIG, &len);
  gboolean cancel;
  guint seq = 0;

  case_start (&c);
  for (guint part = 0; part < 5; part++)
    {
      gsize begin = len * part / 5, end = len * (part + 1) / 5;
      while (begin > 0 && text[begin - 1] != '\n')
        begin--;
      while (end < len && text[end - 1] != '\n')
        end--;
      g_autofree char *piece = g_strndup (text + begin, end - begin);
      seq = send_log (&c, piece, seq, 150);
      test_service_replace (c.sims.service);
    }
  g_autofree char *state =
    foreign_sims_beat (&c.sims, 0, "{\"state\":\"succeeded\",\"exit_code\":0,\"worker\":true}", &cancel);
  g_assert_cmpstr (state, ==, "succeeded");
  g_autofree char *kept = test_service_get_log (c.sims.service, c.sims.ids[0], &kept_len);
  g_assert_cmpmem (kept, kept_len, text, len);
  g_autoptr (JsonNode) results = get_kernels (&c);
  JsonArray *sims = json_object_get_array_member (json_node_get_object (results), "sims");
  JsonArray *kernels = json_object_get_array_member (json_array_get_object_element (sims, 1), "kernels");
  g_assert_cmpuint (json_array_get_length (kernels), ==, 5);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/e2e/logs/sequence", test_sequence);
  g_test_add_func ("/engine/e2e/logs/bad", test_bad);
  g_test_add_func ("/engine/e2e/logs/limits", test_limits);
  g_test_add_func ("/engine/e2e/logs/tokens", test_tokens);
  g_test_add_func ("/engine/e2e/logs/range", test_range);
  g_test_add_func ("/engine/e2e/logs/limit-reached", test_limit_reached);
  g_test_add_func ("/engine/e2e/logs/late", test_late);
  g_test_add_func ("/engine/e2e/logs/restarts", test_restarts);
  return g_test_run ();
}
