/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-file.h"
#include "core/base/cyc-json.h"
#include "engine/cyc-api-call.h"

static void
count_cb (CycApiCall *call,
          gpointer    user_data)
{
  g_assert_true (cyc_api_call_is_answered (call));
  (*(guint *) user_data)++;
}

static void
check_segments (const char        *target,
                const char *const *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CycApiCall) call = cyc_api_call_new ("GET", target, &error);

  g_assert_no_error (error);
  g_assert_cmpstrv (cyc_api_call_get_segments (call), expected);
  g_assert_cmpuint (cyc_api_call_get_n_segments (call), ==, g_strv_length ((GStrv) expected));
}

static void
test_segments (void)
{
  check_segments ("/", (const char *const[]) { NULL });
  check_segments ("/api/health", (const char *const[]) { "api", "health", NULL });
  check_segments ("/api/traces/a%20b/files/x%2By+z?q=1",
                  (const char *const[]) { "api", "traces", "a b", "files", "x+y+z", NULL });
  check_segments ("/%61pi/%C3%A9", (const char *const[]) { "api", "\xC3\xA9", NULL });
  check_segments ("/100%25", (const char *const[]) { "100%", NULL });
  check_segments ("/...", (const char *const[]) { "...", NULL });
}

static void
test_bad_targets (void)
{
  static const char *const bad[] = {
    "", "api", "http://x/api", "*", "//", "/api/", "/api//x", "/api/./x", "/api/../x", "/..", "/api/%2e%2e/x",
    "/api/%2E./x", "/api/%2e/x", "/a%2fb", "/a%2Fb", "/a%5cb", "/a\\b", "/a%00b", "/%00", "/a%0ab", "/a%7fb",
    "/a%", "/a%2", "/a%zz", "/a%2g", "/%252e%252e", "/a%252fb", "/a%2525", "/%ff", "/a%c3", "/%c0%af", "/x?a=%",
    "/x?a=1&a=2", "/x?a=%00", "/x?a=%ff",
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (CycApiCall) call = cyc_api_call_new ("GET", bad[i], &error);
      g_test_message ("%s", bad[i]);
      g_assert_null (call);
      g_assert_error (error, CYC_ERROR, CYC_ERROR_INPUT);
      g_assert_cmpuint (cyc_api_status_from_error (error), ==, 400);
    }
  GString *long_target = g_string_new ("/");
  for (guint i = 0; i < 100; i++)
    g_string_append (long_target, "a/");
  g_string_append_c (long_target, 'a');
  g_assert_null (cyc_api_call_new ("GET", long_target->str, NULL));
  g_string_set_size (long_target, 9000);
  memset (long_target->str + 1, 'a', 8999);
  g_assert_null (cyc_api_call_new ("GET", long_target->str, NULL));
  g_string_free (long_target, TRUE);
}

static void
test_query (void)
{
  g_autoptr (CycApiCall) call = cyc_api_call_new ("GET", "/x?a=1%26%3D&b&c+d=e+f&", NULL);

  g_assert_cmpstr (cyc_api_call_get_query (call, "a"), ==, "1&=");
  g_assert_cmpstr (cyc_api_call_get_query (call, "b"), ==, "");
  g_assert_cmpstr (cyc_api_call_get_query (call, "c d"), ==, "e f");
  g_assert_null (cyc_api_call_get_query (call, "e"));
  g_assert_cmpuint (g_hash_table_size (cyc_api_call_get_query_table (call)), ==, 3);
  g_autoptr (CycApiCall) without = cyc_api_call_new ("GET", "/x", NULL);
  g_assert_null (cyc_api_call_get_query (without, "a"));
}

static char *
reply_text (CycApiCall *call)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = cyc_api_call_read_reply (call, 1024, &error);
  g_assert_no_error (error);
  return g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
}

static void
test_replies (void)
{
  guint n_done = 0;
  g_autoptr (CycApiCall) call = cyc_api_call_new ("POST", "/x", NULL);
  cyc_api_call_set_done (call, count_cb, &n_done, NULL);
  g_assert_false (cyc_api_call_is_answered (call));
  cyc_api_call_reply_error_with (call, 409, "a \"gap\"\n", "\"next_seq\":7");
  g_assert_cmpuint (n_done, ==, 1);
  g_assert_cmpuint (cyc_api_call_get_status (call), ==, 409);
  g_autofree char *text = reply_text (call);
  g_autoptr (JsonNode) node = cyc_json_parse (text, strlen (text), NULL, NULL);
  JsonObject *object = cyc_json_node_get_object (node);
  gint64 next;
  g_assert_cmpstr (cyc_json_get_string (object, "detail"), ==, "a \"gap\"\n");
  g_assert_true (cyc_json_get_int (object, "next_seq", &next));
  g_assert_cmpint (next, ==, 7);

  g_autoptr (CycApiCall) empty = cyc_api_call_new ("DELETE", "/x", NULL);
  cyc_api_call_reply_empty (empty);
  g_autofree char *nothing = reply_text (empty);
  g_assert_cmpuint (cyc_api_call_get_status (empty), ==, 204);
  g_assert_cmpstr (nothing, ==, "");
  g_assert_null (cyc_api_call_get_content_type (empty));

  g_autoptr (CycApiCall) wrong = cyc_api_call_new ("PATCH", "/x", NULL);
  cyc_api_call_reply_not_allowed (wrong, "GET, POST");
  g_assert_cmpuint (cyc_api_call_get_status (wrong), ==, 405);
  g_assert_cmpstr (cyc_api_call_get_allowed (wrong), ==, "GET, POST");
}

static void
test_dropped (void)
{
  guint n_done = 0;
  CycApiCall *call = cyc_api_call_new ("GET", "/x", NULL);
  cyc_api_call_set_done (call, count_cb, &n_done, NULL);
  cyc_api_call_unref (call);
  g_assert_cmpuint (n_done, ==, 1);
}

static void
test_gerror (void)
{
  static const struct
  {
    CycError code;
    guint    status;
  } cases[] = {
    { CYC_ERROR_INPUT, 400 }, { CYC_ERROR_VALUE, 422 },     { CYC_ERROR_NOT_FOUND, 404 },
    { CYC_ERROR_STATE, 409 }, { CYC_ERROR_EXISTS, 409 },    { CYC_ERROR_TOO_LARGE, 413 },
    { CYC_ERROR_DENIED, 403 }, { CYC_ERROR_NO_SPACE, 503 }, { CYC_ERROR_UNAVAILABLE, 503 },
    { CYC_ERROR_FAILED, 500 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = g_error_new (CYC_ERROR, (int) cases[i].code, "why");
      g_autoptr (CycApiCall) call = cyc_api_call_new ("GET", "/x", NULL);
      cyc_api_call_reply_gerror (call, error);
      g_assert_cmpuint (cyc_api_call_get_status (call), ==, cases[i].status);
    }
  g_autoptr (GError) other = g_error_new (G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED, "why");
  g_assert_cmpuint (cyc_api_status_from_error (other), ==, 500);
}

static void
synced_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

/* A call that brought "abc" for @target, alone or after @first bytes that came before. */
static CycApiCall *
make_put (const char  *target,
          int          first,
          char       **out_temporary)
{
  CycApiCall *call = cyc_api_call_new ("PUT", "/x", NULL);
  CycApiUpload *upload = cyc_api_upload_new (target, G_MAXUINT64, 0);
  g_autoptr (GAsyncResult) result = NULL;

  g_assert_true (first < 0 || cyc_api_upload_resume (upload, (guint64) first, 6, NULL));
  g_assert_true (cyc_api_upload_write (upload, "abc", 3, NULL));
  cyc_api_upload_sync_async (upload, synced_cb, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (cyc_api_upload_sync_finish (upload, result, NULL));
  *out_temporary = g_strdup (cyc_api_upload_get_path (upload));
  cyc_api_call_set_upload (call, upload);
  return call;
}

static void
test_upload (void)
{
  g_autofree char *folder = g_dir_make_tmp ("cyc-api-call-XXXXXX", NULL);
  g_autofree char *target = g_build_filename (folder, "file", NULL);
  g_autofree char *temporary = NULL, *text = NULL;

  g_assert_true (g_file_set_contents (target, "old", 3, NULL));
  CycApiCall *call = make_put (target, -1, &temporary);
  g_assert_true (g_file_test (temporary, G_FILE_TEST_EXISTS));
  cyc_api_call_reply_error (call, 409, "no");
  g_assert_false (g_file_test (temporary, G_FILE_TEST_EXISTS));
  cyc_api_call_unref (call);
  g_assert_true (g_file_get_contents (target, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "old");
  g_clear_pointer (&text, g_free);

  g_clear_pointer (&temporary, g_free);
  call = make_put (target, -1, &temporary);
  g_assert_cmpstr (cyc_api_upload_get_path (cyc_api_call_get_upload (call)), ==, temporary);
  g_assert_cmpuint (cyc_api_upload_get_size (cyc_api_call_get_upload (call)), ==, 3);
  g_assert_true (cyc_api_call_commit_upload (call, NULL));
  cyc_api_call_reply_empty (call);
  cyc_api_call_unref (call);
  g_assert_true (g_file_get_contents (target, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "abc");
  g_assert_true (cyc_file_remove_tree (folder, NULL));
}

/* What came in parts stays while the engine cannot take the last one, not when it does not want it. */
static void
test_upload_parts (void)
{
  g_autofree char *folder = g_dir_make_tmp ("cyc-api-call-XXXXXX", NULL);
  g_autofree char *target = g_build_filename (folder, "file", NULL);
  static const struct { int first; guint status; gboolean stays; } cases[] = {
    { 0, 202, TRUE }, { 3, 503, TRUE }, { 3, 409, FALSE }, { 0, 409, TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *temporary = NULL;
      g_autoptr (CycApiCall) call = make_put (target, cases[i].first, &temporary);
      if (cases[i].status == 202)
        cyc_api_call_reply_offset (call, 202, 3, FALSE);
      else
        cyc_api_call_reply_error (call, cases[i].status, "so");
      g_assert_cmpint (g_file_test (temporary, G_FILE_TEST_EXISTS), ==, cases[i].stays);
    }
  g_assert_false (g_file_test (target, G_FILE_TEST_EXISTS));
  g_assert_true (cyc_file_remove_tree (folder, NULL));
}

static void
test_file (void)
{
  g_autofree char *folder = g_dir_make_tmp ("cyc-api-call-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "file", NULL);
  g_autofree char *link_path = g_build_filename (folder, "link", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (path, "0123456789", 10, NULL));
  g_assert_cmpint (symlink ("file", link_path), ==, 0);
  g_autoptr (CycApiCall) call = cyc_api_call_new ("GET", "/x", NULL);
  cyc_api_call_reply_fd (call, open (path, O_RDONLY | O_CLOEXEC), 4, "text/plain");
  g_autofree char *text = reply_text (call);
  g_assert_cmpstr (text, ==, "0123");
  g_autoptr (GBytes) over = cyc_api_call_read_reply (call, 3, &error);
  g_assert_null (over);
  g_assert_error (error, CYC_ERROR, CYC_ERROR_TOO_LARGE);

  const struct
  {
    const char *path;
    guint       status;
  } cases[] = { { path, 200 }, { folder, 404 }, { link_path, 500 }, { "/nonexistent/file", 404 } };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (CycApiCall) other = cyc_api_call_new ("GET", "/x", NULL);
      cyc_api_call_reply_file (other, cases[i].path, "text/plain");
      g_assert_cmpuint (cyc_api_call_get_status (other), ==, cases[i].status);
    }
  g_assert_true (cyc_file_remove_tree (folder, NULL));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/api-call/target/segments", test_segments);
  g_test_add_func ("/engine/api-call/target/bad", test_bad_targets);
  g_test_add_func ("/engine/api-call/target/query", test_query);
  g_test_add_func ("/engine/api-call/reply/memory", test_replies);
  g_test_add_func ("/engine/api-call/reply/dropped", test_dropped);
  g_test_add_func ("/engine/api-call/reply/gerror", test_gerror);
  g_test_add_func ("/engine/api-call/upload", test_upload);
  g_test_add_func ("/engine/api-call/upload-parts", test_upload_parts);
  g_test_add_func ("/engine/api-call/reply/file", test_file);
  return g_test_run ();
}
