/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "api-types.h"
#include "core/base/cyc-byte-reader.h"
#include "core/base/cyc-json-writer.h"
#include "foreign-sims.h"
#include "support/test-events.h"

/* Streams of events over a real engine. */

typedef struct
{
  ForeignSims  sims;
  char        *path;
  guint64      seq;
} Case;

static void
case_start (Case *c)
{
  static const char *const from[] = { "running", "running" };

  foreign_sims_start (&c->sims, from, 2);
  c->path = g_strdup_printf ("/api/runs/%s/events", c->sims.run_id);
}

static void
case_clear (Case *c)
{
  foreign_sims_clear (&c->sims);
  g_free (c->path);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

static TestEvents *
follow (Case       *c,
        const char *last_id)
{
  TestEvents *events = test_events_open (c->sims.service, c->path, last_id);

  g_assert_cmpuint (test_events_get_status (events), ==, 200);
  return events;
}

/* Posts a chunk of the first sim: lines of a text. */
static void
post_text (Case       *c,
           const char *text,
           gsize       len)
{
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);
  g_autofree char *path = g_strdup_printf ("/api/sims/%s/logs", c->sims.ids[0]);
  g_autofree char *copy = g_strndup (text, len > 0 && text[len - 1] == '\n' ? len - 1 : len);
  g_auto (GStrv) lines = g_strsplit (copy, "\n", -1);

  cyc_json_writer_begin_object (writer);
  cyc_json_writer_key (writer, "seq");
  cyc_json_writer_uint (writer, c->seq++);
  cyc_json_writer_put_strings (writer, "lines", (const char *const *) lines);
  cyc_json_writer_end_object (writer);
  g_autoptr (GString) body = cyc_json_writer_steal (writer);
  g_autoptr (JsonNode) answer = test_service_ask (c->sims.service, "POST", path, body->str, 200);
}

static void
post_line (Case       *c,
           const char *line)
{
  post_text (c, line, strlen (line));
}

static void
beat (Case  *c,
      guint  index)
{
  gboolean cancel;
  g_autofree char *state = foreign_sims_beat (&c->sims, index, "{\"state\":\"running\"}", &cancel);

  g_assert_cmpstr (state, ==, "running");
}

static JsonObject *
first_of (TestEvents *events,
          const char *type)
{
  JsonObject *event = test_events_next (events);

  g_assert_nonnull (event);
  g_assert_cmpstr (test_text (event, "type"), ==, type);
  return event;
}

static void
assert_line (JsonObject *event,
             const char *line)
{
  JsonArray *lines = json_object_get_array_member (event, "lines");

  g_assert_cmpuint (json_array_get_length (lines), ==, 1);
  g_assert_cmpstr (json_array_get_string_element (lines, 0), ==, line);
}

static void
test_snapshot (void)
{
  g_auto (Case) c = { 0 };

  case_start (&c);
  post_line (&c, "before");
  g_autoptr (TestEvents) events = follow (&c, NULL);
  const char *head = test_events_get_head (events);
  g_assert_nonnull (strstr (head, "\nContent-Type: text/event-stream\n"));
  g_assert_nonnull (strstr (head, "\nCache-Control: no-store\n"));
  JsonObject *snapshot = first_of (events, "snapshot");
  JsonObject *run = json_object_get_object_member (snapshot, "run");
  api_type_check (&api_run_detail, run);
  g_assert_cmpstr (test_text (run, "id"), ==, c.sims.run_id);
  JsonArray *sims = json_object_get_array_member (run, "sims");
  g_assert_cmpuint (json_array_get_length (sims), ==, 3);
  JsonObject *sim = json_array_get_object_element (sims, 1);
  api_type_check (&api_sim_summary, sim);
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (sim, "log_tail")), ==, 1);
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (snapshot, "kernels")), ==, 0);
  JsonObject *bytes = json_object_get_object_member (snapshot, "log_bytes");
  g_assert_cmpint (json_object_get_int_member (bytes, c.sims.ids[0]), ==, 7);
}

/* What a simulator's log makes: its lines as they were sent, the kernels with their statistics, and the sim. */
static void
test_log_and_kernels (void)
{
  g_auto (Case) c = { 0 };
  gsize len;
  g_autofree char *log = test_recorded_log (TEST_CONFIG, &len);
  guint kernels = 0;
  g_autoptr (GString) told = g_string_new (NULL);

  case_start (&c);
  g_autoptr (TestEvents) events = follow (&c, NULL);
  first_of (events, "snapshot");
  for (gsize at = 0; at < len;)
    {
      const char *stop = at + 20000 >= len ? log + len : (char *) memchr (log + at + 20000, '\n', len - at - 20000) + 1;
      post_text (&c, log + at, (gsize) (stop - log) - at);
      at = (gsize) (stop - log);
    }
  while (told->len < len || kernels < 5)
    {
      JsonObject *event = test_events_next (events);
      const char *type = test_text (event, "type");
      if (strcmp (type, "log") == 0)
        {
          JsonArray *lines = json_object_get_array_member (event, "lines");
          g_assert_cmpint (json_object_get_int_member (event, "offset"), ==, told->len);
          for (guint i = 0; i < json_array_get_length (lines); i++)
            g_string_append_printf (told, "%s\n", json_array_get_string_element (lines, i));
        }
      else if (strcmp (type, "kernel") == 0)
        {
          JsonObject *stat = json_object_get_object_member (event, "stat");
          api_type_check (&api_kernel_stat, stat);
          g_assert_cmpint (json_object_get_int_member (stat, "kernel_index"), ==, kernels++);
          g_assert_cmpuint (json_object_get_size (json_object_get_object_member (stat, "stats")), >, 300);
        }
      else
        {
          g_assert_cmpstr (type, ==, "sim");
          api_type_check (&api_sim_summary, json_object_get_object_member (event, "sim"));
        }
    }
  g_assert_cmpmem (told->str, told->len, log, len);
  JsonObject *sim;
  do
    sim = json_object_get_object_member (test_events_next_of (events, "sim"), "sim");
  while (json_object_get_int_member (sim, "kernels_done") < 5);

  /* Who comes later has them all in the snapshot, their statistics left out. */
  g_autoptr (TestEvents) later = follow (&c, NULL);
  JsonArray *list = json_object_get_array_member (first_of (later, "snapshot"), "kernels");
  g_assert_cmpuint (json_array_get_length (list), ==, 5);
  for (guint i = 0; i < 5; i++)
    {
      JsonObject *stat = json_array_get_object_element (list, i);
      api_type_check (&api_kernel_stat, stat);
      g_assert_cmpuint (json_object_get_size (json_object_get_object_member (stat, "stats")), ==, 0);
    }
}

/* A cap was reached: what was told of the last kernel turns out to be of a part of it, and is told again. */
static void
test_partial (void)
{
  g_auto (Case) c = { 0 };
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", "accelsim", "logs",
                                                 "ok-max-cycle.log.xz", NULL);
  gsize len;
  g_autofree char *text = cyc_byte_reader_read_all (path, G_MAXUINT32, &len, NULL);
  static const gboolean partial[] = { FALSE, FALSE, TRUE };
  static const gint64 index[] = { 0, 1, 1 };

  case_start (&c);
  g_autoptr (TestEvents) events = follow (&c, NULL);
  first_of (events, "snapshot");
  const char *cap = strstr (text, "GPGPU-Sim: ** break due to reaching the maximum");
  g_assert_nonnull (cap);
  for (const char *p = text, *stop; p < text + len; p = stop)
    {
      const char *far = MIN (p + 20000, text + len - 1);
      stop = (const char *) memchr (far, '\n', (gsize) (text + len - far)) + 1;
      if (p < cap && stop > cap)
        stop = cap;
      post_text (&c, p, (gsize) (stop - p));
    }
  for (guint i = 0; i < G_N_ELEMENTS (partial); i++)
    {
      JsonObject *stat = json_object_get_object_member (test_events_next_of (events, "kernel"), "stat");
      g_assert_cmpint (json_object_get_int_member (stat, "kernel_index"), ==, index[i]);
      g_assert_cmpint (json_object_get_boolean_member (stat, "partial"), ==, partial[i]);
      g_assert_cmpint (json_object_get_int_member (stat, "gpu_sim_cycle"), ==, index[i] == 0 ? 6032 : 1968);
    }
}

static void
test_coalesced (void)
{
  g_auto (Case) c = { 0 };
  guint n = 0;

  case_start (&c);
  g_autoptr (TestEvents) events = follow (&c, NULL);
  first_of (events, "snapshot");
  gint64 begin = g_get_monotonic_time ();
  for (guint i = 0; i < 200; i++)
    beat (&c, 0);
  post_line (&c, "end");
  gint64 took = g_get_monotonic_time () - begin;
  for (;;)
    {
      JsonObject *event = test_events_next (events);
      if (strcmp (test_text (event, "type"), "log") == 0)
        break;
      g_assert_cmpstr (test_text (event, "type"), ==, "sim");
      n += strcmp (test_text (json_object_get_object_member (event, "sim"), "id"), c.sims.ids[0]) == 0;
    }
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (n, <=, (guint) (took / 100000) + 1);
  /* The latest wins: the sim with its last line. */
  JsonObject *sim;
  do
    sim = json_object_get_object_member (test_events_next_of (events, "sim"), "sim");
  while (strcmp (test_text (sim, "id"), c.sims.ids[0]) != 0);
  JsonArray *tail = json_object_get_array_member (sim, "log_tail");
  g_assert_cmpstr (json_array_get_string_element (tail, 0), ==, "end");
}

static void
test_resume (void)
{
  g_auto (Case) c = { 0 };

  case_start (&c);
  g_autoptr (TestEvents) first = follow (&c, NULL);
  first_of (first, "snapshot");
  post_line (&c, "one");
  assert_line (test_events_next_of (first, "log"), "one");
  g_autofree char *id = g_strdup (test_events_get_last_id (first));
  g_clear_pointer (&first, test_events_free);

  post_line (&c, "two");
  post_line (&c, "three");
  g_autoptr (TestEvents) again = follow (&c, id);
  /* No snapshot: what was missed, and nothing of it twice. */
  JsonObject *event;
  do
    event = test_events_next (again);
  while (strcmp (test_text (event, "type"), "sim") == 0);
  g_assert_cmpstr (test_text (event, "type"), ==, "log");
  assert_line (event, "two");
  assert_line (test_events_next_of (again, "log"), "three");

  /* The same by the query, for clients that cannot set a field. */
  g_autofree char *query = g_strdup_printf ("%s?last_event_id=%s", c.path, id);
  g_autoptr (TestEvents) by_query = test_events_open (c.sims.service, query, NULL);
  assert_line (test_events_next_of (by_query, "log"), "two");
}

static void
test_too_old (void)
{
  static const char *const ids[] = { "", "0", "x-1", "00000000-1", "-", "99999999999999999999" };
  g_auto (Case) c = { 0 };

  case_start (&c);
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      g_autoptr (TestEvents) events = follow (&c, ids[i]);
      first_of (events, "snapshot");
    }
  /* One that has not been, of this very stream, and one of an engine that is gone. */
  g_autoptr (TestEvents) events = follow (&c, NULL);
  first_of (events, "snapshot");
  g_autofree char *id = g_strdup (test_events_get_last_id (events));
  g_autofree char *future = g_strdup_printf ("%s999", id);
  g_autoptr (TestEvents) later = follow (&c, future);
  first_of (later, "snapshot");
  test_service_replace (c.sims.service);
  g_autoptr (TestEvents) other = follow (&c, id);
  first_of (other, "snapshot");
}

/* A client that does not read gets a fresh snapshot, and holds nobody up. */
static void
test_slow (void)
{
  g_auto (Case) c = { 0 };
  g_autofree char *line = g_strnfill (100000, 'x');
  guint n = 0, snapshots = 0, last = 0;

  case_start (&c);
  g_autoptr (TestEvents) slow = test_events_open_slow (c.sims.service, c.path, 4096);
  g_autoptr (TestEvents) quick = follow (&c, NULL);
  first_of (quick, "snapshot");
  for (guint i = 0; i < 200; i++)
    {
      g_autofree char *numbered = g_strdup_printf ("%u %s", i, line);
      post_line (&c, numbered);
      JsonArray *lines = json_object_get_array_member (test_events_next_of (quick, "log"), "lines");
      g_assert_cmpstr (json_array_get_string_element (lines, 0), ==, numbered);
    }
  /* 20 MB later: the events from where it was are gone. What it gets ends with the last line all the same. */
  while (last != 199)
    {
      JsonObject *event = test_events_next (slow);
      const char *type = test_text (event, "type");
      if (strcmp (type, "snapshot") == 0)
        {
          JsonArray *sims = json_object_get_array_member (json_object_get_object_member (event, "run"), "sims");
          JsonArray *tail = json_object_get_array_member (json_array_get_object_element (sims, 1), "log_tail");
          guint len = json_array_get_length (tail);
          snapshots++;
          if (len > 0)
            last = (guint) g_ascii_strtoull (json_array_get_string_element (tail, len - 1), NULL, 10);
        }
      else if (strcmp (type, "log") == 0)
        {
          JsonArray *lines = json_object_get_array_member (event, "lines");
          guint number = (guint) g_ascii_strtoull (json_array_get_string_element (lines, 0), NULL, 10);
          g_assert_cmpuint (number, ==, n == 0 ? number : last + 1);
          last = number;
          n++;
        }
    }
  g_assert_cmpuint (snapshots, >=, 2);
  g_assert_cmpuint (n, <, 200);
}

static void
test_comment (void)
{
  g_auto (Case) c = { 0 };

  case_start (&c);
  g_autofree char *path = g_strdup ("/api/events");
  g_autoptr (TestEvents) events = test_events_open (c.sims.service, path, NULL);
  first_of (events, "snapshot");
  g_assert_true (test_events_wait_comment (events, 20));
}

static void
delete (Case       *c,
        const char *path)
{
  guint status;
  g_autoptr (GBytes) body = test_service_send (c->sims.service, "DELETE", path,
                                               test_service_get_token (c->sims.service), NULL, 0, &status);

  g_assert_cmpuint (status, ==, 204);
}

static void
test_workspace (void)
{
  g_auto (Case) c = { 0 };

  case_start (&c);
  g_autoptr (TestEvents) events = test_events_open (c.sims.service, "/api/events", NULL);
  JsonObject *snapshot = first_of (events, "snapshot");
  g_assert_nonnull (test_text (snapshot, "workspace_id"));
  JsonArray *traces = json_object_get_array_member (snapshot, "traces");
  JsonArray *runs = json_object_get_array_member (snapshot, "runs");
  g_assert_cmpuint (json_array_get_length (traces), ==, 1);
  api_type_check (&api_trace_summary, json_array_get_object_element (traces, 0));
  g_assert_cmpuint (json_array_get_length (runs), ==, 2);
  api_type_check (&api_run_summary, json_array_get_object_element (runs, 0));

  g_autoptr (JsonNode) put = test_service_put (c.sims.service, "/api/traces/new-one/files/metadata.json", "{}", 2, 200);
  JsonObject *trace = json_object_get_object_member (test_events_next_of (events, "trace"), "trace");
  api_type_check (&api_trace_summary, trace);
  g_assert_cmpstr (test_text (trace, "id"), ==, "new-one");
  delete (&c, "/api/traces/new-one?now=true");
  JsonObject *removed = test_events_next_of (events, "trace_removed");
  g_assert_cmpstr (test_text (removed, "id"), ==, "new-one");

  g_autofree char *cancel = g_strdup_printf ("/api/runs/%s/cancel", c.sims.run_id);
  g_autoptr (JsonNode) cancelled = test_service_ask (c.sims.service, "POST", cancel, NULL, 200);
  JsonObject *run = json_object_get_object_member (test_events_next_of (events, "run"), "run");
  api_type_check (&api_run_summary, run);
  g_assert_cmpstr (test_text (run, "state"), ==, "cancelled");
}

/* A stream ends with its run, and with its engine. */
static void
test_ends (void)
{
  g_auto (Case) c = { 0 };

  case_start (&c);
  g_autoptr (TestEvents) events = follow (&c, NULL);
  g_autoptr (TestEvents) all = test_events_open (c.sims.service, "/api/events", NULL);
  g_autofree char *run = g_strdup_printf ("/api/runs/%s", c.sims.run_id);
  g_autofree char *cancel = g_strdup_printf ("%s/cancel", run);
  g_autoptr (JsonNode) cancelled = test_service_ask (c.sims.service, "POST", cancel, NULL, 200);
  delete (&c, run);
  test_events_assert_end (events);
  g_assert_cmpstr (test_text (test_events_next_of (all, "run_removed"), "id"), ==, c.sims.run_id);
  g_autoptr (TestEvents) gone = test_events_open (c.sims.service, c.path, NULL);
  g_assert_cmpuint (test_events_get_status (gone), ==, 404);
  test_service_stop (c.sims.service);
  test_events_assert_end (all);
  test_service_start (c.sims.service);
}

/* The end of what the client sends is the end of the client: nothing is kept for it. */
static void
test_half_closed (void)
{
  g_auto (Case) c = { 0 };

  case_start (&c);
  g_autoptr (TestEvents) events = follow (&c, NULL);
  first_of (events, "snapshot");
  test_events_shut (events);
  test_events_assert_end (events);
}

static void
test_refused (void)
{
  g_auto (Case) c = { 0 };
  guint status;

  case_start (&c);
  g_autoptr (GBytes) body = test_service_send (c.sims.service, "GET", c.path, "wrong", NULL, 0, &status);
  g_assert_cmpuint (status, ==, 401);
  test_service_refuse (c.sims.service, "POST", c.path, "{}", 405);
  test_service_refuse (c.sims.service, "GET", "/api/runs/run-000000000000/events", NULL, 404);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/e2e/events/snapshot", test_snapshot);
  g_test_add_func ("/engine/e2e/events/log-and-kernels", test_log_and_kernels);
  g_test_add_func ("/engine/e2e/events/partial", test_partial);
  g_test_add_func ("/engine/e2e/events/coalesced", test_coalesced);
  g_test_add_func ("/engine/e2e/events/resume", test_resume);
  g_test_add_func ("/engine/e2e/events/too-old", test_too_old);
  g_test_add_func ("/engine/e2e/events/slow", test_slow);
  g_test_add_func ("/engine/e2e/events/workspace", test_workspace);
  g_test_add_func ("/engine/e2e/events/ends", test_ends);
  g_test_add_func ("/engine/e2e/events/half-closed", test_half_closed);
  g_test_add_func ("/engine/e2e/events/refused", test_refused);
  g_test_add_func ("/engine/e2e/events/comment", test_comment);
  return g_test_run ();
}
