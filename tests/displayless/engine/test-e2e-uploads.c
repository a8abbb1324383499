/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "api-types.h"
#include "support/test-service.h"
#include "support/test-trace.h"

/* Traces that arrive over HTTP, by a real engine: what becomes of them, and what is refused. */

static JsonNode *
get (TestService *service,
     const char  *path)
{
  return test_service_ask (service, "GET", path, NULL, 200);
}

static void
upload (TestService *service,
        const char  *id,
        TestFolder   folder,
        const char  *path)
{
  g_autofree char *source = g_build_filename (folder, path, NULL);
  g_autofree char *target = g_strdup_printf ("/api/traces/%s/files/%s", id, path);
  g_autofree char *bytes = NULL;
  gsize len;

  g_assert_true (g_file_get_contents (source, &bytes, &len, NULL));
  g_autoptr (JsonNode) answer = test_service_put (service, target, bytes, len, 200);
  g_assert_cmpint (json_object_get_int_member (json_node_get_object (answer), "size"), ==, len);
}

typedef struct
{
  TestService *service;
  const char  *path;
  const char  *member;
  const char  *text;
  gint64       number;
} Wait;

static gboolean
has_text (gpointer data)
{
  Wait *wait = data;
  g_autoptr (JsonNode) node = get (wait->service, wait->path);

  return g_strcmp0 (test_text (json_node_get_object (node), wait->member), wait->text) == 0;
}

static gboolean
has_number (gpointer data)
{
  Wait *wait = data;
  g_autoptr (JsonNode) node = get (wait->service, wait->path);

  return json_object_get_int_member (json_node_get_object (node), wait->member) == wait->number;
}

static void
write_trace (TestFolder folder)
{
  test_trace_write_kernel (folder, "traces/kernel-1.traceg", 86, "");
  test_trace_write_text (folder, "traces/kernelslist.g", "kernel-1.traceg\n");
  test_trace_write_text (folder, "metadata.json", "{\"run_name\":\"mine\",\"gpu\":\"RTX 3070\",\"layers\":[\"a\"]}");
  test_trace_write_text (folder, "real_timing.json",
                         "{\"kernels\":[{\"name\":\"real_name\",\"duration_ns\":1234.5}]}");
}

/* A trace over HTTP, from its first file to its removal. */
static void
test_upload (void)
{
  g_autoptr (TestService) service = test_service_new ();
  g_auto (TestFolder) folder = test_folder_new ();
  Wait wait = { service, "/api/traces/mine", "kernel_count", NULL, 1 };

  write_trace (folder);
  test_service_add_fake (service, "fake", "succeed", NULL);
  test_service_start (service);
  upload (service, "mine", folder, "traces/kernel-1.traceg");
  g_autoptr (JsonNode) first = get (service, "/api/traces/mine");
  api_type_check (&api_trace_detail, json_node_get_object (first));
  g_assert_cmpstr (test_text (json_node_get_object (first), "state"), ==, "uploading");
  test_wait (has_number, &wait, "a scan");
  test_service_refuse (service, "POST", "/api/runs",
          "{\"trace_id\":\"mine\",\"entries\":[{\"gpu_config\":\"SM86_RTX3070\",\"count\":1}]}", 409);
  upload (service, "mine", folder, "traces/kernelslist.g");
  upload (service, "mine", folder, "metadata.json");
  upload (service, "mine", folder, "real_timing.json");
  g_autoptr (JsonNode) complete = test_service_ask (service, "POST", "/api/traces/mine/complete", "", 200);
  g_assert_cmpstr (test_text (json_node_get_object (complete), "state"), ==, "processing");
  wait.member = "state";
  wait.text = "ready";
  test_wait (has_text, &wait, "ready");
  g_autoptr (JsonNode) ready = get (service, "/api/traces/mine");
  JsonObject *trace = json_node_get_object (ready);
  api_type_check (&api_trace_detail, trace);
  g_assert_cmpstr (test_text (trace, "source_gpu"), ==, "RTX 3070");
  g_assert_true (json_object_get_boolean_member (trace, "has_real_timing"));
  g_assert_cmpstr (test_text (json_object_get_object_member (trace, "metadata"), "run_name"), ==, "mine");

  /* Ready is ready: no more files, and its name is taken. */
  g_autoptr (JsonNode) late = test_service_put (service, "/api/traces/mine/files/traces/x", "x", 1, 409);
  test_service_refuse (service, "POST", "/api/traces/mine/complete", "", 409);
  test_service_refuse (service, "POST", "/api/traces/mine/import", "{\"importer_pid\":1,\"importer_start\":1}", 409);

  /* With real times the comparison shows them, and takes their names. */
  g_autoptr (JsonNode) run =
    test_service_ask (service, "POST", "/api/runs",
                      "{\"trace_id\":\"mine\",\"entries\":[{\"gpu_config\":\"SM86_RTX3070\",\"count\":1}],"
                      "\"launcher\":\"local\",\"simulator\":\"fake\"}", 201);
  const char *run_id = test_text (json_node_get_object (run), "id");
  g_autoptr (JsonNode) ended = test_service_wait_run (service, run_id);
  g_autofree char *comparison_path = g_strdup_printf ("/api/runs/%s/comparison", run_id);
  g_autoptr (JsonNode) comparison = get (service, comparison_path);
  JsonArray *rows = json_object_get_array_member (json_node_get_object (comparison), "rows");
  JsonObject *row = json_array_get_object_element (rows, 0);
  g_assert_true (json_object_get_boolean_member (json_node_get_object (comparison), "has_real_timing"));
  g_assert_cmpfloat (json_object_get_double_member (row, "real_ns"), ==, 1234.5);
  g_assert_cmpstr (test_text (row, "kernel_name"), ==, "real_name");
  g_assert_true (json_object_get_null_member (json_array_get_object_element (rows, 1), "real_ns"));

  /* Removed, brought back, removed for good; its run stays readable. */
  g_autoptr (JsonNode) removed = test_service_ask (service, "DELETE", "/api/traces/mine", NULL, 204);
  test_service_refuse (service, "GET", "/api/traces/mine", NULL, 404);
  test_service_refuse (service, "POST", "/api/traces/mine/import", "{\"importer_pid\":1,\"importer_start\":1}", 409);
  g_autoptr (JsonNode) restored = test_service_ask (service, "POST", "/api/traces/mine/restore", "", 200);
  g_assert_cmpstr (test_text (json_node_get_object (restored), "state"), ==, "ready");
  test_service_refuse (service, "POST", "/api/traces/mine/restore", "", 409);
  g_autoptr (JsonNode) purged = test_service_ask (service, "DELETE", "/api/traces/mine?now=true", NULL, 204);
  test_service_refuse (service, "POST", "/api/traces/mine/restore", "", 409);
  g_autoptr (JsonNode) still = test_service_get_run (service, run_id);
  api_type_check (&api_trace_summary, json_object_get_object_member (json_node_get_object (still), "trace"));
  g_autofree char *results_path = g_strdup_printf ("/api/runs/%s/results", run_id);
  g_autoptr (JsonNode) results = get (service, results_path);
  api_type_check (&api_run_results, json_node_get_object (results));
  test_service_stop (service);
}

/* The status of a PUT whose target goes over the wire as it stands: a client library would tidy it. */
static guint
put_raw (TestService *service,
         const char  *target)
{
  g_autoptr (GSocketClient) client = g_socket_client_new ();
  g_autoptr (GError) error = NULL;
  const char *address = strstr (test_service_get_url (service), "//") + 2;

  g_socket_client_set_timeout (client, TEST_LIMIT_S);
  g_autoptr (GSocketConnection) connection =
    g_socket_client_connect_to_host (client, address, 80, NULL, &error);
  g_assert_no_error (error);
  g_autofree char *request =
    g_strdup_printf ("PUT %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Length: 1\r\n\r\nx", target,
                     address, test_service_get_token (service));
  g_output_stream_write_all (g_io_stream_get_output_stream (G_IO_STREAM (connection)), request, strlen (request),
                             NULL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (GDataInputStream) input =
    g_data_input_stream_new (g_io_stream_get_input_stream (G_IO_STREAM (connection)));
  g_autofree char *line = g_data_input_stream_read_line (input, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_str_has_prefix (line, "HTTP/1."));
  return (guint) g_ascii_strtoull (line + strlen ("HTTP/1.1 "), NULL, 10);
}

/* A path that is not that of a file in a trace is refused with 400, and leaves nothing. */
static void
test_bad_paths (void)
{
  static const char *const targets[] = {
    "/api/traces/x/files/../y", "/api/traces/x/files/a/../../b", "/api/traces/x/files/./a",
    "/api/traces/x/files/..%2Fy", "/api/traces/x/files/a/%2E%2E/b", "/api/traces/x/files/a/%2e./b",
    "/api/traces/x/files/%252e%252e/b", "/api/traces/x/files/a%5Cb", "/api/traces/x/files//etc/passwd",
    "/api/traces/x/files/%2Fetc/passwd", "/api/traces/x/files/a//b", "/api/traces/x/files/a/",
    "/api/traces/x/files/a%00b", "/api/traces/x/files/a%0Ab", "/api/traces/x/files/a%FFb", "/api/traces/x/files/a%4",
    "/api/traces/..%2Fx/files/a", "/api/traces/../files/a", "/api/traces/x%20y/files/a", "/api/traces/-x/files/a",
    "/api/traces/x/files/.cyc-upload-0123456789abcdef.part",
    "/api/traces/x/files/traces/.cyc-upload-0123456789abcdef.part",
  };
  g_autoptr (TestService) service = test_service_new ();
  static const char *const left[] = { "y", "b", "traces/x", "traces/y", "traces/-x", "traces/x y" };
  g_autofree char *long_name = g_strnfill (256, 'q');
  g_autofree char *long_path = g_strconcat ("/api/traces/x/files/", long_name, NULL);
  g_autofree char *long_id = g_strconcat ("/api/traces/", long_name, "/files/a", NULL);

  test_service_start (service);
  for (guint i = 0; i < G_N_ELEMENTS (targets); i++)
    {
      guint status = put_raw (service, targets[i]);
      if (status != 400)
        g_error ("%s: status %u", targets[i], status);
    }
  g_assert_cmpuint (put_raw (service, long_path), ==, 400);
  g_assert_cmpuint (put_raw (service, long_id), ==, 400);
  test_service_refuse (service, "POST", "/api/traces/x%20y/import", "{\"importer_pid\":1,\"importer_start\":1}", 400);
  test_service_refuse (service, "GET", "/api/traces/x", NULL, 404);
  for (guint i = 0; i < G_N_ELEMENTS (left); i++)
    {
      g_autofree char *path = g_build_filename (test_service_get_folder (service), left[i], NULL);
      g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
    }
  /* Of the longest names that a file system takes nothing is wrong. */
  long_path[strlen (long_path) - 1] = '\0';
  g_assert_cmpuint (put_raw (service, long_path), ==, 200);
  test_service_stop (service);
}

static guint
count_children (const char *folder)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) dir = g_dir_open (folder, 0, &error);
  guint n = 0;

  g_assert_no_error (error);
  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

/* What is a file of the trace cannot become a folder, nor the other way round: 409, whose text names
 * nothing of the engine's own folders. */
static void
test_files_and_folders (void)
{
  static const char *const conflicts[] = { "a/b", "a/b/c", "d/e/f", "d" };
  g_autoptr (TestService) service = test_service_new ();

  test_service_start (service);
  g_autoptr (JsonNode) file = test_service_put (service, "/api/traces/mine/files/a", "one", 3, 200);
  g_autoptr (JsonNode) below = test_service_put (service, "/api/traces/mine/files/d/e", "two", 3, 200);
  for (guint i = 0; i < G_N_ELEMENTS (conflicts); i++)
    {
      g_autofree char *path = g_strconcat ("/api/traces/mine/files/", conflicts[i], NULL);
      g_autoptr (JsonNode) answer = test_service_put (service, path, "x", 1, 409);
      const char *detail = test_text (json_node_get_object (answer), "detail");
      g_assert_nonnull (strstr (detail, conflicts[i]));
      g_assert_null (strstr (detail, test_service_get_folder (service)));
    }
  /* A file that comes again takes the place of the first. */
  g_autoptr (JsonNode) again = test_service_put (service, "/api/traces/mine/files/a", "three", 5, 200);
  g_autofree char *folder = g_build_filename (test_service_get_folder (service), "traces", "mine", NULL);
  g_autofree char *first = g_build_filename (folder, "a", NULL);
  g_autofree char *second = g_build_filename (folder, "d", "e", NULL);
  g_autofree char *first_text = NULL;
  g_autofree char *second_text = NULL;
  g_assert_true (g_file_get_contents (first, &first_text, NULL, NULL));
  g_assert_true (g_file_get_contents (second, &second_text, NULL, NULL));
  g_assert_cmpstr (first_text, ==, "three");
  g_assert_cmpstr (second_text, ==, "two");
  g_assert_cmpuint (count_children (folder), ==, 2);
  test_service_stop (service);
}

static void
test_incomplete (void)
{
  g_autoptr (TestService) service = test_service_new ();
  g_auto (TestFolder) folder = test_folder_new ();
  Wait wait = { service, "/api/traces/empty", "state", "failed", 0 };

  write_trace (folder);
  test_service_start (service);
  test_service_refuse (service, "POST", "/api/traces/none/complete", "", 404);
  test_service_refuse (service, "DELETE", "/api/traces/none", NULL, 404);
  /* Without a kernels list the trace is failed, and says so. */
  upload (service, "empty", folder, "metadata.json");
  g_autoptr (JsonNode) complete = test_service_ask (service, "POST", "/api/traces/empty/complete", "", 200);
  test_wait (has_text, &wait, "failed");
  g_autoptr (JsonNode) trace = get (service, "/api/traces/empty");
  g_assert_nonnull (strstr (test_text (json_node_get_object (trace), "error"), "kernelslist.g"));
  /* An upload that broke off leaves folders: the id is free all the same. */
  g_autofree char *left = g_build_filename (test_service_get_folder (service), "traces", "left", "traces", NULL);
  g_assert_cmpint (g_mkdir_with_parents (left, 0700), ==, 0);
  g_autoptr (JsonNode) begun =
    test_service_ask (service, "POST", "/api/traces/left/import", "{\"importer_pid\":1,\"importer_start\":1}", 200);
  g_assert_cmpstr (test_text (json_node_get_object (begun), "state"), ==, "uploading");
  test_service_stop (service);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/e2e/uploads/whole", test_upload);
  g_test_add_func ("/engine/e2e/uploads/bad-paths", test_bad_paths);
  g_test_add_func ("/engine/e2e/uploads/files-and-folders", test_files_and_folders);
  g_test_add_func ("/engine/e2e/uploads/incomplete", test_incomplete);
  return g_test_run ();
}
