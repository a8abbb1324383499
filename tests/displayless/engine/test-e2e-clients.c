/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "foreign-sims.h"
#include "support/test-folder.h"

/* Clients that nobody here wrote: curl, by the examples of docs/api.md, and an EventSource of the npm registry. */

G_GNUC_NO_INLINE static char *
read_docs (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "docs", "api.md", NULL);
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  return text;
}

/* The indented lines behind "## Examples", with a workspace of the test's. */
static char *
take_examples (const char *docs,
               const char *workspace)
{
  const char *begin = strstr (docs, "\n## Examples\n");
  g_autoptr (GString) script = g_string_new ("set -eu\n");

  g_assert_nonnull (begin);
  g_auto (GStrv) lines = g_strsplit (begin + 1, "\n", -1);
  for (guint i = 1; lines[i] != NULL && !g_str_has_prefix (lines[i], "## "); i++)
    if (g_str_has_prefix (lines[i], "    workspace="))
      g_string_append_printf (script, "workspace='%s'\n", workspace);
    else if (g_str_has_prefix (lines[i], "    "))
      g_string_append_printf (script, "%s\n", lines[i] + 4);
  return g_string_free (g_steal_pointer (&script), FALSE);
}

/* `| GET, PUT `/api/...` |` of the table of paths: each of the methods must have an example. */
static void
check_covered (const char *line,
               const char *script)
{
  g_auto (GStrv) cells = g_strsplit (line, "`", 3);
  g_autofree char *methods = g_strdup (cells[0] + 2);
  g_auto (GStrv) list = g_strsplit (g_strstrip (methods), ", ", -1);
  g_autoptr (GRegex) variable = g_regex_new ("\\{[a-z]+\\}", 0, 0, NULL);
  g_autofree char *path = g_regex_replace_literal (variable, cells[1], -1, 0, "[^ /]+", 0, NULL);

  for (guint i = 0; list[i] != NULL; i++)
    {
      const char *option = strcmp (list[i], "POST") == 0     ? "[^\n]* (-d |-X POST)"
                           : strcmp (list[i], "PUT") == 0    ? "[^\n]* (-T |-X PUT)"
                           : strcmp (list[i], "HEAD") == 0   ? " -I"
                           : strcmp (list[i], "DELETE") == 0 ? " -X DELETE"
                                                             : "( -r [0-9-]+| \\|\\| true| \\|[^\n]*)?\\)?(\n|$)";
      g_autofree char *pattern = g_strdup_printf ("\\$url%s%s", path, option);
      if (!g_regex_match_simple (pattern, script, 0, 0))
        g_error ("no example of %s %s (%s)", list[i], cells[1], pattern);
    }
}

static void
test_curl (void)
{
  g_autofree char *curl = g_find_program_in_path ("curl");

  if (curl == NULL)
    {
      g_test_skip ("curl is not installed");
      return;
    }
  g_autoptr (TestService) service = test_service_new ();
  g_auto (TestFolder) folder = test_folder_new ();
  g_autofree char *docs = read_docs ();
  test_service_start (service);
  g_autofree char *script = take_examples (docs, test_service_get_folder (service));
  g_auto (GStrv) lines = g_strsplit (docs, "\n", -1);
  guint n = 0;
  for (guint i = 0; lines[i] != NULL; i++)
    if (g_regex_match_simple ("^\\| (GET|POST|PUT|HEAD|DELETE)[A-Z, ]* `/api/", lines[i], 0, 0))
      {
        check_covered (lines[i], script);
        n++;
      }
  g_assert_cmpuint (n, >, 25);

  const char *const argv[] = { "sh", "-c", script, NULL };
  g_autofree char *out = NULL;
  g_autofree char *err = NULL;
  g_autoptr (GError) error = NULL;
  int status;
  g_assert_true (g_spawn_sync (folder, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, &err, &status,
                               &error));
  g_assert_no_error (error);
  if (status != 0)
    g_error ("the examples ended with status %d: %s%s", status, out, err);
  /* What they say came of it. */
  g_assert_nonnull (strstr (out, "\"openapi\":\"3.1.0\""));
  g_assert_nonnull (strstr (out, "data: {\"type\":\"snapshot\",\"run\""));
  g_assert_nonnull (strstr (out, "data: {\"type\":\"snapshot\",\"workspace_id\""));
  g_assert_nonnull (strstr (out, "\nhello\n"));
  g_assert_nonnull (strstr (out, "{\"upload_offset\":12}"));
  g_assert_nonnull (strstr (out, "Upload-Offset: 12\r\n"));
  g_assert_nonnull (strstr (out, "{\"size\":23}"));
  test_service_stop (service);
}

/* Prints what comes, and ends with the line `last`. */
static const char event_source[] =
  "const { EventSource } = require ('eventsource');\n"
  "const Source = EventSource || require ('eventsource');\n"
  "const [url, token] = process.argv.slice (2);\n"
  "const fetchWith = (u, init) =>\n"
  "  fetch (u, { ...init, headers: { ...init.headers, Authorization: `Bearer ${token}` } });\n"
  "const es = new Source (url, { headers: { Authorization: `Bearer ${token}` }, fetch: fetchWith });\n"
  "es.onmessage = m => {\n"
  "  const e = JSON.parse (m.data);\n"
  "  console.log (e.type, m.lastEventId, e.type === 'log' ? e.lines.join () : '');\n"
  "  if (e.type === 'log' && e.lines[0] === 'last') { es.close (); process.exit (0); }\n"
  "};\n"
  "es.onerror = e => console.error ('error', e.message || '');\n"
  "setTimeout (() => process.exit (2), 50000);\n";

static gboolean
install (const char *folder)
{
  g_autofree char *npm = g_find_program_in_path ("npm");
  g_autofree char *node = g_find_program_in_path ("node");
  const char *const argv[] = { "npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", folder,
                               "eventsource@2.0.2", NULL };
  int status = 1;

  if (npm == NULL || node == NULL)
    {
      g_test_skip ("npm is not installed");
      return FALSE;
    }
  g_spawn_sync (folder, (char **) argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, NULL, NULL,
                &status, NULL);
  if (status != 0)
    g_test_skip ("the npm registry is out of reach");
  return status == 0;
}

static void
post_line (ForeignSims *sims,
           guint        seq,
           const char  *line)
{
  g_autofree char *path = g_strdup_printf ("/api/sims/%s/logs", sims->ids[0]);
  g_autofree char *body = g_strdup_printf ("{\"seq\":%u,\"lines\":[\"%s\"]}", seq, line);
  g_autoptr (JsonNode) answer = test_service_ask (sims->service, "POST", path, body, 200);
}

static char *
read_until (GDataInputStream *output,
            const char       *prefix)
{
  for (;;)
    {
      char *line = g_data_input_stream_read_line (output, NULL, NULL, NULL);
      if (line == NULL)
        g_error ("the client ended before a line that begins with '%s'", prefix);
      if (g_str_has_prefix (line, prefix))
        return line;
      g_free (line);
    }
}

static void
test_event_source (void)
{
  static const char *const from[] = { "running", "running" };
  g_auto (TestFolder) folder = test_folder_new ();
  g_auto (ForeignSims) sims = { 0 };
  g_autoptr (GError) error = NULL;

  foreign_sims_start (&sims, from, 2);
  if (!install (folder))
    return;
  g_autofree char *script = g_build_filename (folder, "follow.js", NULL);
  g_assert_true (g_file_set_contents (script, event_source, -1, NULL));
  g_autofree char *url = g_strdup_printf ("%s/api/runs/%s/events", test_service_get_url (sims.service), sims.run_id);
  g_autoptr (GSubprocess) node = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, "node", script, url,
                                                   test_service_get_token (sims.service), NULL);
  g_assert_no_error (error);
  g_autoptr (GDataInputStream) output = g_data_input_stream_new (g_subprocess_get_stdout_pipe (node));
  g_autofree char *snapshot = read_until (output, "snapshot ");
  post_line (&sims, 0, "first");
  g_autofree char *first = read_until (output, "log ");
  g_assert_true (g_str_has_suffix (first, " first"));
  post_line (&sims, 1, "last");
  g_autofree char *last = read_until (output, "log ");
  g_assert_true (g_str_has_suffix (last, " last"));
  g_assert_true (g_subprocess_wait_check (node, NULL, &error));
  g_assert_no_error (error);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/e2e/clients/curl", test_curl);
  g_test_add_func ("/engine/e2e/clients/event-source", test_event_source);
  return g_test_run ();
}
