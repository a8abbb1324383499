/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "core/timeline/cyc-timeline-builder.h"
#include "support/test-timeline.h"

/* Chrome traces that are written in unusual ways, or to make a reader slow. Of the latter each took minutes once. */

static void
assert_written (const char *json,
                const char *expected)
{
  g_autoptr (CycTimeline) timeline = test_timeline_new (json, FALSE);
  g_autoptr (GString) text = test_timeline_write (timeline, NULL);

  g_assert_cmpstr (text->str, ==, expected);
  /* And again, since what is written must be read as the same. */
  g_autoptr (CycTimeline) again = test_timeline_new (text->str, FALSE);
  g_autoptr (GString) second = test_timeline_write (again, NULL);
  g_assert_cmpstr (second->str, ==, expected);
}

/* 2^53 + 1 and more digits than a double has. */
static void
test_exact_counters (void)
{
  assert_written (
    "[{\"ph\":\"C\",\"name\":\"q\",\"pid\":1,\"ts\":0,\"args\":{\"v\":9007199254740993,\"w\":1.50}},"
    "{\"ph\":\"C\",\"name\":\"q\",\"pid\":1,\"ts\":1,\"args\":{\"v\":18446744073709551615,\"w\":0.1}},"
    "{\"ph\":\"C\",\"name\":\"q\",\"pid\":1,\"ts\":2,\"args\":{\"v\":0.10000000000000000001,\"w\":1e5}}]",
    "{\"traceEvents\":[\n"
    "{\"ph\":\"C\",\"name\":\"q\",\"pid\":1,\"ts\":0,\"args\":{\"v\":9007199254740993,\"w\":1.5}},\n"
    "{\"ph\":\"C\",\"name\":\"q\",\"pid\":1,\"ts\":1,\"args\":{\"v\":18446744073709551615,\"w\":0.1}},\n"
    "{\"ph\":\"C\",\"name\":\"q\",\"pid\":1,\"ts\":2,\"args\":{\"v\":0.10000000000000000001,\"w\":100000}}\n]}\n");
}

static void
test_counter_members (void)
{
  assert_written (
    "[{\"ph\":\"C\",\"name\":\"q\",\"cat\":\"mem\",\"pid\":1,\"tid\":\"a\",\"ts\":0,\"id\":7,\"x\":[1],"
    "\"args\":{\"v\":1}},"
    "{\"ph\":\"C\",\"name\":\"q\",\"cat\":\"mem\",\"pid\":1,\"tid\":\"a\",\"ts\":1,\"id\":7,\"x\":[1],"
    "\"args\":{\"v\":2}},"
    "{\"ph\":\"C\",\"name\":\"q\",\"cat\":\"other\",\"pid\":1,\"ts\":2,\"id\":\"7\",\"args\":{\"v\":3,\"w\":4}},"
    "{\"ph\":\"C\",\"name\":\"r\",\"pid\":1,\"ts\":1,\"args\":{\"v\":1}},"
    "{\"ph\":\"C\",\"name\":\"r\",\"pid\":1,\"ts\":1,\"args\":{\"v\":2}}]",
    "{\"traceEvents\":[\n"
    "{\"ph\":\"C\",\"pid\":1,\"ts\":0,\"name\":\"q\",\"cat\":\"mem\",\"tid\":\"a\",\"id\":7,\"x\":[1],"
    "\"args\":{\"v\":1}},\n"
    "{\"ph\":\"C\",\"pid\":1,\"ts\":1,\"name\":\"q\",\"cat\":\"mem\",\"tid\":\"a\",\"id\":7,\"x\":[1],"
    "\"args\":{\"v\":2}},\n"
    "{\"ph\":\"C\",\"pid\":1,\"ts\":2,\"name\":\"q\",\"cat\":\"other\",\"id\":\"7\",\"args\":{\"v\":3,\"w\":4}},\n"
    "{\"ph\":\"C\",\"name\":\"r\",\"pid\":1,\"ts\":1,\"args\":{\"v\":1}},\n"
    "{\"ph\":\"C\",\"name\":\"r\",\"pid\":1,\"ts\":1,\"args\":{\"v\":2}}\n]}\n");
}

/* The track is told apart by the id; that is no name, and is not written as one. */
static void
test_counter_no_name (void)
{
  assert_written ("[{\"ph\":\"C\",\"pid\":1,\"ts\":0,\"id\":\"a\",\"args\":{\"v\":1}}]",
                  "{\"traceEvents\":[\n"
                  "{\"ph\":\"C\",\"pid\":1,\"ts\":0,\"name\":\"\",\"id\":\"a\",\"args\":{\"v\":1}}\n]}\n");
}

/* Escapes are other ways to write what keys and phases are. */
static void
test_escapes (void)
{
  assert_written (
    "{\"trace\\u0045vents\":[{\"\\u0070h\":\"\\u0058\",\"n\\u0061me\":\"a\",\"pid\":1,\"tid\":2,\"t\\u0073\":3,"
    "\"dur\":4},"
    "{\"ph\":\"M\",\"name\":\"thread_n\\u0061me\",\"pid\":1,\"tid\":2,\"args\":{\"n\\u0061me\":\"core\"}},"
    "{\"ph\":\"s\",\"name\":\"f\",\"cat\":\"c\",\"id\":1,\"pid\":1,\"tid\":2,\"ts\":4},"
    "{\"ph\":\"f\",\"name\":\"f\",\"cat\":\"c\",\"id\":1,\"pid\":1,\"tid\":2,\"ts\":5,\"bp\":\"\\u0065\"}]}",
    "{\"traceEvents\":[\n"
    "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":2,\"args\":{\"name\":\"core\"}},\n"
    "{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":2,\"ts\":3,\"dur\":4},\n"
    "{\"ph\":\"s\",\"name\":\"f\",\"cat\":\"c\",\"pid\":1,\"tid\":2,\"ts\":4,\"id\":1},\n"
    "{\"ph\":\"f\",\"name\":\"f\",\"cat\":\"c\",\"pid\":1,\"tid\":2,\"ts\":5,\"id\":1,\"bp\":\"\\u0065\"}\n]}\n");
}

static void
test_deep (void)
{
  g_autoptr (GString) json = g_string_new ("[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":2,\"ts\":3,\"dur\":4,"
                                           "\"args\":{\"k\":");
  const guint depth = 100000;

  for (guint i = 0; i < depth; i++)
    g_string_append (json, i % 2 == 0 ? "[" : "{\"a\":");
  g_string_append_c (json, '1');
  for (guint i = depth; i > 0; i--)
    g_string_append_c (json, i % 2 == 1 ? ']' : '}');
  gsize len = json->len;
  g_string_append (json, "}}]");
  g_autoptr (CycTimeline) timeline = test_timeline_new (json->str, FALSE);
  g_assert_cmpuint (cyc_timeline_get_spans (timeline)->n, ==, 1);
  g_autofree char *members = cyc_timeline_dup_members (timeline, 0);
  const char *args = strstr (json->str, "\"args\"");
  g_assert_cmpuint (strlen (members), ==, len - (gsize) (args - json->str) + 1);
  g_assert_cmpuint (cyc_trace_repairs_get_total (cyc_timeline_get_repairs (timeline)), ==, 0);
}

#define ASYNC(phase, ts, id2) \
  "{\"ph\":\"" phase "\",\"name\":\"a\",\"cat\":\"c\",\"pid\":1,\"ts\":" ts ",\"id2\":" id2 "},"

/* Blanks and escapes do not make another id; a local one is not a global one. */
static void
test_id2 (void)
{
  g_autoptr (CycTimeline) timeline = test_timeline_new (
    "[" ASYNC ("b", "1", "{\"local\":\"0x1\"}") ASYNC ("b", "2", "{\"global\":\"0x1\"}")
    ASYNC ("e", "5", "{ \"local\" : \"0x\\u0031\" }") ASYNC ("e", "9", "{\"global\": \"0x1\"}") "]", FALSE);
  const CycTimelineSpans *spans = cyc_timeline_get_spans (timeline);

  g_assert_cmpuint (cyc_trace_repairs_get_total (cyc_timeline_get_repairs (timeline)), ==, 1);
  g_assert_cmpuint (cyc_timeline_get_repairs (timeline)->counts[CYC_REPAIR_OVERLAP], ==, 1);
  g_assert_cmpuint (spans->n, ==, 2);
  for (guint32 i = 0; i < 2; i++)
    g_assert_cmpint (spans->duration[i], ==, (spans->start[i] == 0 ? 4 : 7) * CYC_PS_PER_US);
}

/* A place that is no number is none, and does not take the one that was there. */
static void
test_sort_index (void)
{
#define PLACE(tid, place) \
  "{\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":1,\"tid\":" tid ",\"args\":{\"sort_index\":" place "}},"
#define SPAN(tid) "{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":" tid ",\"ts\":1,\"dur\":1},"
  g_autoptr (CycTimeline) timeline = test_timeline_new (
    "[" SPAN ("1") SPAN ("2") SPAN ("3") PLACE ("1", "5") PLACE ("2", "4") PLACE ("1", "null") PLACE ("3", "\"x\"") "]",
    FALSE);
  guint n;
  const CycTimelineTrack *tracks = cyc_timeline_get_tracks (timeline, &n);

  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpstr (tracks[0].id, ==, "3");
  g_assert_false (tracks[0].has_sort_index);
  g_assert_cmpstr (tracks[1].id, ==, "2");
  g_assert_cmpstr (tracks[2].id, ==, "1");
  g_assert_true (tracks[2].has_sort_index);
  g_assert_cmpfloat (tracks[2].sort_index, ==, 5);
  /* What says nothing of a place is kept. */
  g_assert_cmpuint (g_strv_length ((char **) cyc_timeline_get_metadata (timeline)), ==, 2);
}

static void
test_clock (void)
{
  g_autoptr (GString) json = g_string_new ("{\"traceEvents\":[" SPAN ("1") "],\"deep\":");

  for (guint i = 0; i < 500; i++)
    g_string_append_c (json, '[');
  for (guint i = 0; i < 500; i++)
    g_string_append_c (json, ']');
  g_string_append (json, ",\"megaKernelCycleTrace\":{\"cycleFrequencyMHz\":50}}");
  g_autoptr (CycTimeline) timeline = test_timeline_new (json->str, FALSE);
  g_assert_cmpfloat (cyc_timeline_get_frequency (timeline), ==, 50);
}

/* More than 106 days: how long is known all the same. */
static void
test_long_pair (void)
{
  g_autoptr (CycTimeline) timeline = test_timeline_new (
    "[{\"ph\":\"B\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1.5},"
    "{\"ph\":\"E\",\"pid\":1,\"tid\":1,\"ts\":17280000000001.25}]", FALSE);
  guint n;
  const CycTimelineOutlier *outliers = cyc_timeline_get_outliers (timeline, &n);

  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpint (outliers[0].duration.us, ==, G_GINT64_CONSTANT (17279999999999));
  g_assert_cmpuint (outliers[0].duration.ps, ==, 750000);
}

/* Slow ones. Each would take minutes if it took the square of its length. */

static void
test_many_members (void)
{
  g_autoptr (GString) json = g_string_new ("[{\"ph\":\"B\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1");

  for (guint half = 0; half < 2; half++)
    {
      for (guint i = 0; i < 60000; i++)
        g_string_append_printf (json, ",\"k%u\":%u", half * 40000 + i, i);
      g_string_append (json, half == 0 ? "},{\"ph\":\"E\",\"pid\":1,\"tid\":1,\"ts\":2" : "}]");
    }
  g_autoptr (CycTimeline) timeline = test_timeline_new (json->str, FALSE);
  g_autofree char *members = cyc_timeline_dup_members (timeline, 0);
  /* From 0 to 99999, the beginning's where both have one. */
  g_assert_nonnull (strstr (members, "\"k59999\":59999,"));
  g_assert_nonnull (strstr (members, ",\"k60000\":20000,"));
  g_assert_true (g_str_has_suffix (members, ",\"k99999\":59999"));
}

static void
test_many_duplicates (void)
{
  g_autoptr (GString) json = g_string_new ("[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1");

  for (guint i = 0; i < 60000; i++)
    g_string_append_printf (json, ",\"k%u\":1", i);
  for (guint i = 0; i < 60000; i++)
    g_string_append_printf (json, ",\"id\":%u,\"args\":{\"n\":%u}", i, i);
  g_string_append (json, "}]");
  g_autoptr (CycTimeline) timeline = test_timeline_new (json->str, FALSE);
  g_autofree char *members = cyc_timeline_dup_members (timeline, 0);
  g_assert_true (g_str_has_suffix (members, ",\"id\":59999,\"args\":{\"n\":59999}"));
  g_assert_cmpuint (cyc_timeline_get_repairs (timeline)->counts[CYC_REPAIR_DUPLICATE_KEY], ==, 119998);
}

static void
test_many_series (void)
{
  g_autoptr (GString) json = g_string_new ("[");

  for (guint i = 0; i < 100000; i++)
    g_string_append_printf (json, "{\"ph\":\"C\",\"name\":\"q\",\"pid\":1,\"ts\":%u,\"args\":{\"s%u\":%u}},", i, i, i);
  g_string_append (json, "]");
  g_autoptr (CycTimeline) timeline = test_timeline_new (json->str, FALSE);
  g_autoptr (GString) text = test_timeline_write (timeline, NULL);
  g_assert_nonnull (strstr (text->str, "\"ts\":99999,\"args\":{\"s99999\":99999}}\n]}"));
}

/* Spans inside of spans, and arrows from their depth; then as many that overlap. */
static void
test_many_flows (void)
{
  for (guint overlap = 0; overlap < 2; overlap++)
    {
      g_autoptr (GString) json = g_string_new ("[");
      const guint n = 20000;
      for (guint i = 0; i < n; i++)
        g_string_append_printf (json, "{\"ph\":\"X\",\"name\":\"n%u\",\"pid\":1,\"tid\":1,\"ts\":%u,\"dur\":%u},"
                                "{\"ph\":\"i\",\"name\":\"i\",\"pid\":1,\"tid\":1,\"ts\":%u},",
                                i, i, overlap ? 3 * n : 4 * n - 2 * i, 2 * n);
      for (guint i = 0; i < n; i++)
        g_string_append_printf (json, "{\"ph\":\"s\",\"name\":\"f\",\"cat\":\"c\",\"id\":%u,\"pid\":1,\"tid\":1,"
                                "\"ts\":%u.5},", i, i);
      g_string_append (json, "]");
      g_autoptr (CycTimeline) timeline = test_timeline_new (json->str, FALSE);
      const CycTimelineSpans *spans = cyc_timeline_get_spans (timeline);
      guint n_ends;
      const CycTimelineFlowEnd *ends = cyc_timeline_get_flow_ends (timeline, &n_ends);
      g_assert_cmpuint (n_ends, ==, n);
      /* Around the middle of a microsecond the span that begins with it is the innermost. */
      for (guint i = 0; i < n; i++)
        g_assert_cmpint (spans->start[ends[i].span], ==, ends[i].time - CYC_PS_PER_US / 2);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/timeline-hostile/exact-counters", test_exact_counters);
  g_test_add_func ("/core/timeline-hostile/counter-members", test_counter_members);
  g_test_add_func ("/core/timeline-hostile/counter-no-name", test_counter_no_name);
  g_test_add_func ("/core/timeline-hostile/escapes", test_escapes);
  g_test_add_func ("/core/timeline-hostile/deep", test_deep);
  g_test_add_func ("/core/timeline-hostile/id2", test_id2);
  g_test_add_func ("/core/timeline-hostile/sort-index", test_sort_index);
  g_test_add_func ("/core/timeline-hostile/clock", test_clock);
  g_test_add_func ("/core/timeline-hostile/long-pair", test_long_pair);
  g_test_add_func ("/core/timeline-hostile/many-members", test_many_members);
  g_test_add_func ("/core/timeline-hostile/many-duplicates", test_many_duplicates);
  g_test_add_func ("/core/timeline-hostile/many-series", test_many_series);
  g_test_add_func ("/core/timeline-hostile/many-flows", test_many_flows);
  return g_test_run ();
}
