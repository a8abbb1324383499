/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "foreign-sims.h"
#include "support/test-events.h"
#include "support/test-raw.h"
#include "support/test-schema.h"
#include "support/test-trace.h"

/* Every answer of a real engine is what /api/openapi.json says, and every path of that is asked. */

typedef struct
{
  ForeignSims  sims;
  JsonNode    *node;
  JsonObject  *document;
  GHashTable  *seen;      /* "method path" that was answered well */
} Case;

static void
case_start (Case *c)
{
  static const char *const from[] = { "running", "running" };

  foreign_sims_start (&c->sims, from, 2);
  c->node = test_service_ask (c->sims.service, "GET", "/api/openapi.json", NULL, 200);
  c->document = json_node_get_object (c->node);
  c->seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

static void
case_clear (Case *c)
{
  g_hash_table_unref (c->seen);
  json_node_unref (c->node);
  foreign_sims_clear (&c->sims);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

static void
note_seen (Case       *c,
           const char *method,
           const char *path)
{
  g_autofree char *low = g_ascii_strdown (method, -1);

  g_hash_table_add (c->seen, g_strdup_printf ("%s %s", low, path));
}

/* The answer against the document. */
static void
check_answer (Case       *c,
              const char *method,
              const char *path,
              TestAnswer *answer)
{
  g_autofree char *low = g_ascii_strdown (method, -1);
  g_autofree char *status = g_strdup_printf ("%u", answer->status);
  g_autofree char *type = test_answer_field (answer, "Content-Type");
  gsize len;
  const char *body = g_bytes_get_data (answer->body, &len);
  gboolean is_head = strcmp (method, "HEAD") == 0;

  if (type != NULL)
    type[strcspn (type, ";")] = '\0';
  /* A refusal of a HEAD is described as one of the others, without the body. */
  gboolean bare = (is_head && answer->status < 400) || answer->status == 204;
  JsonObject *schema = test_schema_find (c->document, low, path, status, bare ? NULL : type);
  if (schema == NULL || is_head || strcmp (type, "application/json") != 0)
    return;
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GError) error = NULL;
  json_parser_load_from_data (parser, body, (gssize) len, &error);
  g_assert_no_error (error);
  g_autofree char *wrong = test_schema_explain (c->document, schema, json_parser_get_root (parser));
  if (wrong != NULL)
    g_error ("%s %s: %s", method, path, wrong);
}

/* One request; @path is the document's, @target what is asked. */
static TestAnswer *
ask (Case       *c,
     const char *method,
     const char *path,
     const char *target,
     const char *fields,
     const char *body,
     guint       status)
{
  TestAnswer *answer = test_raw_ask (c->sims.service, method, target, fields, body, body == NULL ? 0 : strlen (body));

  if (answer->status != status)
    g_error ("%s %s: status %u, expected %u: %s", method, target, answer->status, status,
             (const char *) g_bytes_get_data (answer->body, NULL));
  check_answer (c, method, path, answer);
  if (status < 300)
    note_seen (c, method, path);
  return answer;
}

static void
try (Case       *c,
     const char *method,
     const char *path,
     const char *target,
     const char *body,
     guint       status)
{
  g_autoptr (TestAnswer) answer = ask (c, method, path, target, NULL, body, status);
}

/* `{id}` replaced. */
static void
try_id (Case       *c,
        const char *method,
        const char *path,
        const char *id,
        const char *body,
        guint       status)
{
  g_auto (GStrv) parts = g_strsplit (path, "{id}", 2);
  g_autofree char *target = g_strdup_printf ("%s%s%s", parts[0], id, parts[1]);

  try (c, method, path, target, body, status);
}

static void
try_sims (Case *c)
{
  const char *id = c->sims.ids[0];
  g_autofree char *file = g_strdup_printf ("/api/sims/%s/files/out.txt", id);
  static const char *const timeline =
    "{\"simulated\":{\"steps\":[1],\"summary\":{}},\"compare\":{\"a\":null}}";

  try_id (c, "POST", "/api/sims/{id}/heartbeat", id, "{\"state\":\"running\"}", 200);
  try_id (c, "POST", "/api/sims/{id}/heartbeat", id, "{\"state\":\"lost\"}", 422);
  try_id (c, "POST", "/api/sims/{id}/heartbeat", id, "{", 400);
  try_id (c, "POST", "/api/sims/{id}/logs", id, "{\"seq\":0,\"lines\":[\"one\"]}", 200);
  try_id (c, "POST", "/api/sims/{id}/logs", id, "{\"seq\":5,\"lines\":[\"one\"]}", 409);
  try_id (c, "POST", "/api/sims/{id}/step-timeline", id, timeline, 204);
  try_id (c, "POST", "/api/sims/{id}/step-timeline", id, "{}", 422);
  try (c, "PUT", "/api/sims/{id}/files/{name}", file, "bytes", 200);
  g_autoptr (TestAnswer) head = ask (c, "HEAD", "/api/sims/{id}/files/{name}", file, NULL, NULL, 200);
  g_autofree char *whole = test_answer_field (head, "Upload-Complete");
  g_assert_cmpstr (whole, ==, "?1");
  g_autoptr (TestAnswer) part = ask (c, "PUT", "/api/sims/{id}/files/{name}", file,
                                     "Content-Range: bytes 0-4/9\r\n", "bytes", 202);
  g_autoptr (TestAnswer) after = ask (c, "HEAD", "/api/sims/{id}/files/{name}", file, NULL, NULL, 200);
  g_autofree char *offset = test_answer_field (after, "Upload-Offset");
  g_autofree char *complete = test_answer_field (after, "Upload-Complete");
  g_assert_cmpstr (offset, ==, "5");
  g_assert_cmpstr (complete, ==, "?0");
  g_autofree char *none = g_strdup_printf ("/api/sims/%s/files/none.txt", id);
  try (c, "HEAD", "/api/sims/{id}/files/{name}", none, NULL, 404);
  g_autoptr (TestAnswer) read = test_raw_ask (c->sims.service, "GET", file, NULL, NULL, 0);
  g_assert_cmpuint (read->status, ==, 200);
  g_assert_cmpmem (g_bytes_get_data (read->body, NULL), g_bytes_get_size (read->body), "bytes", 5);
  note_seen (c, "GET", "/api/sims/{id}/files/{name}");
  try_id (c, "GET", "/api/sims/{id}/log", id, NULL, 200);
  try_id (c, "GET", "/api/sims/{id}/log", "sim-000000000000", NULL, 404);
}

/* The run that was created last. */
static void
cancel_last (Case *c)
{
  g_autoptr (JsonNode) runs = test_service_ask (c->sims.service, "GET", "/api/runs", NULL, 200);
  JsonArray *list = json_node_get_array (runs);

  try_id (c, "POST", "/api/runs/{id}/cancel",
          test_text (json_array_get_object_element (list, json_array_get_length (list) - 1), "id"), "", 200);
}

static void
try_runs (Case *c)
{
  static const char *const parts[] = { "", "/results", "/comparison", "/chrome-trace", "/files", "/step-timelines" };
  g_autoptr (JsonNode) runs = test_service_ask (c->sims.service, "GET", "/api/runs", NULL, 200);
  JsonArray *list = json_node_get_array (runs);

  try (c, "GET", "/api/runs", "/api/runs", NULL, 200);
  for (guint i = 0; i < json_array_get_length (list); i++)
    for (guint k = 0; k < G_N_ELEMENTS (parts); k++)
      {
        const char *id = test_text (json_array_get_object_element (list, i), "id");
        g_autofree char *path = g_strconcat ("/api/runs/{id}", parts[k], NULL);
        try_id (c, "GET", path, id, NULL, 200);
        try_id (c, "GET", path, "run-000000000000", NULL, 404);
      }
  try (c, "POST", "/api/runs", "/api/runs",
       "{\"trace_id\":\"" TEST_TRACE "\",\"entries\":[{\"gpu_config\":\"" TEST_CONFIG "\",\"count\":1}],"
       "\"launcher\":\"replay\",\"options\":[],\"force_arch\":null}", 201);
  cancel_last (c);
  try (c, "POST", "/api/runs", "/api/runs", "{\"trace_id\":7}", 422);
  try (c, "POST", "/api/runs", "/api/runs",
       "{\"trace_id\":\"none\",\"entries\":[{\"gpu_config\":\"a\",\"count\":1}]}", 404);
  try_id (c, "DELETE", "/api/runs/{id}", c->sims.run_id, NULL, 409);
  try_id (c, "POST", "/api/runs/{id}/cancel", c->sims.run_id, "", 200);
  try_id (c, "GET", "/api/runs/{id}/failed", c->sims.run_id, NULL, 200);
  try_id (c, "GET", "/api/sims/{id}/failure", c->sims.ids[0], NULL, 200);
  try_id (c, "DELETE", "/api/runs/{id}", c->sims.run_id, NULL, 204);
}

static void
try_traces (Case *c)
{
  g_autofree char *import = g_strdup_printf ("{\"importer_pid\":%d,\"importer_start\":1}", 1);

  try (c, "GET", "/api/traces", "/api/traces", NULL, 200);
  try_id (c, "GET", "/api/traces/{id}", TEST_TRACE, NULL, 200);
  try_id (c, "GET", "/api/traces/{id}", "none", NULL, 404);
  try (c, "PUT", "/api/traces/{id}/files/{path}", "/api/traces/new/files/metadata.json", "{}", 200);
  try (c, "HEAD", "/api/traces/{id}/files/{path}", "/api/traces/new/files/metadata.json", NULL, 200);
  try (c, "PUT", "/api/traces/{id}/files/{path}", "/api/traces/new/files/..%2Fx", "{}", 400);
  try_id (c, "GET", "/api/traces/{id}", "new", NULL, 200);
  try_id (c, "POST", "/api/traces/{id}/complete", "new", "", 200);
  try_id (c, "POST", "/api/traces/{id}/import", "other", import, 200);
  try_id (c, "POST", "/api/traces/{id}/import", "other", "{}", 422);
  try_id (c, "DELETE", "/api/traces/{id}", "other", NULL, 204);
  try (c, "PUT", "/api/traces/{id}/files/{path}", "/api/traces/again/files/metadata.json", "{}", 200);
  try_id (c, "DELETE", "/api/traces/{id}", "again", NULL, 204);
  try_id (c, "POST", "/api/traces/{id}/restore", "again", "", 404);
}

/* What a window on another machine asks for. */
static void
try_windows (Case *c)
{
  const char *run = c->sims.run_id;
  const char *sim = c->sims.ids[0];

  try (c, "GET", "/api/settings", "/api/settings", NULL, 200);
  try (c, "POST", "/api/settings", "/api/settings", "{\"parallel\":2}", 204);
  try (c, "GET", "/api/simulator-options", "/api/simulator-options", NULL, 200);
  try (c, "GET", "/api/gpu-configs/all", "/api/gpu-configs/all", NULL, 200);
  try_id (c, "GET", "/api/traces/{id}/details", TEST_TRACE, NULL, 200);
  try (c, "POST", "/api/run-checks", "/api/run-checks",
       "{\"trace_id\":\"" TEST_TRACE "\",\"entries\":[{\"gpu_config\":\"" TEST_CONFIG "\",\"count\":1}],"
       "\"launcher\":\"replay\"}", 200);
  try_id (c, "GET", "/api/runs/{id}/counter-comparison", run, NULL, 200);
  try_id (c, "GET", "/api/runs/{id}/failed", "run-000000000000", NULL, 404);
  try_id (c, "GET", "/api/sims/{id}/kernels", sim, NULL, 200);
  try_id (c, "POST", "/api/sims/{id}/counters", sim, "{\"keys\":[\"gpu_sim_cycle\"]}", 200);
  try_id (c, "POST", "/api/sims/{id}/search", sim, "{\"text\":\"one\"}", 200);
  try_id (c, "GET", "/api/sims/{id}/failure", "sim-000000000000", NULL, 404);
}

static void
check_event (Case       *c,
             const char *path,
             TestEvents *events,
             const char *type)
{
  JsonObject *schema = test_schema_find (c->document, "get", path, "200", "text/event-stream");
  JsonObject *event;

  do
    {
      event = test_events_next (events);
      g_assert_nonnull (event);
      g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), event);
      g_autofree char *wrong = test_schema_explain (c->document, schema, node);
      if (wrong != NULL)
        g_error ("an event of %s: %s", path, wrong);
    }
  while (strcmp (test_text (event, "type"), type) != 0);
  note_seen (c, "GET", path);
}

static void
try_events (Case *c)
{
  g_autofree char *target = g_strdup_printf ("/api/runs/%s/events", c->sims.run_id);
  g_autofree char *logs = g_strdup_printf ("/api/sims/%s/logs", c->sims.ids[1]);
  g_autoptr (TestEvents) run = test_events_open (c->sims.service, target, NULL);
  g_autoptr (TestEvents) all = test_events_open (c->sims.service, "/api/events", NULL);

  check_event (c, "/api/runs/{id}/events", run, "snapshot");
  check_event (c, "/api/events", all, "snapshot");
  try (c, "POST", "/api/sims/{id}/logs", logs, "{\"seq\":0,\"lines\":[\"one\"]}", 200);
  check_event (c, "/api/runs/{id}/events", run, "log");
  check_event (c, "/api/runs/{id}/events", run, "sim");
  g_autoptr (JsonNode) put = test_service_put (c->sims.service, "/api/traces/seen/files/metadata.json", "{}", 2, 200);
  check_event (c, "/api/events", all, "trace");
  try_id (c, "DELETE", "/api/traces/{id}", "seen", NULL, 204);
  check_event (c, "/api/events", all, "trace_removed");
}

static void
try_refusals (Case *c)
{
  static const char wrong[] = "Authorization: Bearer wrong\r\n";
  static const char origin[] = "Origin: http://localhost\r\n";

  g_autoptr (TestAnswer) unknown = ask (c, "GET", "/api/runs", "/api/runs", wrong, NULL, 401);
  g_autoptr (TestAnswer) page = ask (c, "GET", "/api/runs", "/api/runs", origin, NULL, 403);
  g_autofree char *large = g_strnfill (8 * 1024 * 1024 + 1, ' ');
  g_autoptr (TestAnswer) big = ask (c, "POST", "/api/runs", "/api/runs", NULL, large, 413);
}

/* What is described and was never answered well. */
static void
check_all_seen (Case *c)
{
  JsonObject *paths = json_object_get_object_member (c->document, "paths");
  g_autoptr (GList) names = json_object_get_members (paths);

  for (GList *l = names; l != NULL; l = l->next)
    {
      g_autoptr (GList) methods = json_object_get_members (json_object_get_object_member (paths, l->data));
      for (GList *m = methods; m != NULL; m = m->next)
        {
          g_autofree char *key = g_strdup_printf ("%s %s", (char *) m->data, (char *) l->data);
          if (!g_hash_table_contains (c->seen, key))
            g_error ("nobody asked for %s", key);
        }
    }
}

static void
test_conformance (void)
{
  g_auto (Case) c = { 0 };

  case_start (&c);
  g_assert_cmpstr (test_text (c.document, "openapi"), ==, "3.1.0");
  try (&c, "GET", "/api/health", "/api/health", NULL, 200);
  try (&c, "GET", "/api/openapi.json", "/api/openapi.json", NULL, 200);
  try (&c, "GET", "/api/gpu-configs", "/api/gpu-configs", NULL, 200);
  try_refusals (&c);
  try_events (&c);
  try_sims (&c);
  try_windows (&c);
  try_traces (&c);
  try_runs (&c);
  try_id (&c, "DELETE", "/api/traces/{id}", TEST_TRACE, NULL, 204);
  try_id (&c, "POST", "/api/traces/{id}/restore", TEST_TRACE, "", 200);
  check_all_seen (&c);
}

/* The checker itself: what is missing, too much, or of another type is found. */
static void
test_checker (void)
{
  static const char document[] =
    "{\"components\":{\"schemas\":{\"A\":{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"},"
    "\"s\":{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"null\"}]}},\"required\":[\"n\"]},"
    "\"B\":{\"allOf\":[{\"$ref\":\"#/components/schemas/A\"},{\"type\":\"object\",\"properties\":{\"l\":{\"type\":"
    "\"array\",\"items\":{\"$ref\":\"#/components/schemas/A\"}}},\"required\":[\"l\"]}]}}}}";
  static const struct { const char *json; gboolean good; } cases[] = {
    { "{\"n\":1,\"l\":[]}", TRUE }, { "{\"n\":1,\"s\":null,\"l\":[{\"n\":2,\"s\":\"x\"}]}", TRUE },
    { "{\"l\":[]}", FALSE }, { "{\"n\":1}", FALSE }, { "{\"n\":1.5,\"l\":[]}", FALSE },
    { "{\"n\":1,\"l\":[{}]}", FALSE }, { "{\"n\":1,\"l\":[],\"more\":1}", FALSE },
    { "{\"n\":1,\"s\":7,\"l\":[]}", FALSE }, { "{\"n\":null,\"l\":[]}", FALSE }, { "[]", FALSE },
  };
  g_autoptr (JsonNode) node = json_from_string (document, NULL);
  JsonObject *root = json_node_get_object (node);
  JsonObject *schemas = json_object_get_object_member (json_object_get_object_member (root, "components"), "schemas");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (JsonNode) value = json_from_string (cases[i].json, NULL);
      g_autofree char *wrong = test_schema_explain (root, json_object_get_object_member (schemas, "B"), value);
      if ((wrong == NULL) != cases[i].good)
        g_error ("%s: %s", cases[i].json, wrong);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/e2e/openapi/checker", test_checker);
  g_test_add_func ("/engine/e2e/openapi/conformance", test_conformance);
  return g_test_run ();
}
