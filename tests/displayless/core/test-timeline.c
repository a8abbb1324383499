/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "core/timeline/cyc-timeline-builder.h"
#include "core/timeline/cyc-timeline-query.h"
#include "support/test-folder.h"
#include "support/test-timeline.h"

/* Chrome traces as people have them: each text is what a file holds, each value was worked out by hand. */

typedef struct
{
  CycTimeline *timeline;
} Fixture;

static void
load (Fixture    *fixture,
      const char *text)
{
  fixture->timeline = test_timeline_new (text, FALSE);
}

static char *dup_spans (CycTimeline *timeline);

/* What is written and read again is the same. */
static void
check_round_trip (Fixture *fixture)
{
  g_autoptr (GString) first = test_timeline_write (fixture->timeline, NULL);
  g_autoptr (CycTimeline) again = test_timeline_new (first->str, FALSE);
  g_autoptr (GString) second = test_timeline_write (again, NULL);
  g_autofree char *spans = dup_spans (fixture->timeline);
  g_autofree char *spans_again = dup_spans (again);

  g_assert_cmpint (cyc_timeline_get_base (fixture->timeline), ==, cyc_timeline_get_base (again));
  g_assert_cmpstr (spans, ==, spans_again);
  g_assert_cmpstr (first->str, ==, second->str);
}

static void
clear (Fixture *fixture)
{
  check_round_trip (fixture);
  cyc_timeline_unref (fixture->timeline);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fixture, clear)

static guint64
count (Fixture        *fixture,
       CycTraceRepair  repair)
{
  return cyc_timeline_get_repairs (fixture->timeline)->counts[repair];
}

/* The spans of the whole trace as "track row-depth name start+duration", one a line, in the order of the columns;
 * times in picoseconds from the base. */
static char *
dup_spans (CycTimeline *timeline)
{
  guint n_rows, n_tracks;
  const CycTimelineRow *rows = cyc_timeline_get_rows (timeline, &n_rows);
  const CycTimelineTrack *tracks = cyc_timeline_get_tracks (timeline, &n_tracks);
  const CycTimelineSpans *spans = cyc_timeline_get_spans (timeline);
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < n_rows; i++)
    for (guint32 k = rows[i].first; k < rows[i].first + rows[i].n; k++)
      g_string_append_printf (out, "%s %u.%u %s %" G_GINT64_FORMAT "+%" G_GINT64_FORMAT "\n",
                              tracks[rows[i].track].name, rows[i].lane, rows[i].depth,
                              cyc_timeline_get_text (timeline, spans->name[k]), spans->start[k], spans->duration[k]);
  return g_string_free (out, FALSE);
}

static void
assert_spans (Fixture    *fixture,
              const char *expected)
{
  g_autofree char *spans = dup_spans (fixture->timeline);

  g_assert_cmpstr (spans, ==, expected);
}

static void
test_not_closed (void)
{
  g_auto (Fixture) fixture = { 0 };

  load (&fixture, "[\n{\"name\":\"typecheck\",\"ph\":\"X\",\"ts\":4619295550.000,\"dur\":8000.000,"
                  "\"pid\":306339,\"tid\":3},\n");
  assert_spans (&fixture, "3 0.0 typecheck 0+8000000000\n");
  g_assert_cmpint (cyc_timeline_get_base (fixture.timeline), ==, 4619295550);
  g_assert_cmpuint (count (&fixture, CYC_REPAIR_NOT_CLOSED), ==, 1);
  g_assert_cmpuint (cyc_trace_repairs_get_total (cyc_timeline_get_repairs (fixture.timeline)), ==, 1);
}

static void
test_cut (void)
{
  g_auto (Fixture) fixture = { 0 };

  load (&fixture, "{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":10,\"dur\":5},"
                  "{\"ph\":\"X\",\"name\":\"b\",\"pid\":1,\"tid\":1,\"ts\":2");
  assert_spans (&fixture, "1 0.0 a 0+5000000\n");
  g_assert_cmpuint (count (&fixture, CYC_REPAIR_CUT), ==, 1);
  g_assert_cmpuint (count (&fixture, CYC_REPAIR_NOT_CLOSED), ==, 1);
}

static void
test_unit (void)
{
  g_auto (Fixture) fixture = { 0 };

  load (&fixture, "{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1000,\"dur\":500}],"
                  "\"displayTimeUnit\":\"ns\"}");
  assert_spans (&fixture, "1 0.0 a 0+500000000\n");
  g_assert_cmpstr (cyc_timeline_get_others (fixture.timeline), ==, "\"displayTimeUnit\":\"ns\"");
}

static void
test_large_times (void)
{
  g_auto (Fixture) fixture = { 0 };

  load (&fixture, "[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1672924880617000,\"dur\":3.1},"
                  "{\"ph\":\"X\",\"name\":\"b\",\"pid\":1,\"tid\":1,\"ts\":1672924881307000.000001,\"dur\":1e3},"
                  "{\"ph\":\"X\",\"name\":\"c\",\"pid\":1,\"tid\":1,\"ts\":1672924881407000.1234567,\"dur\":0}]");
  assert_spans (&fixture, "1 0.0 a 0+3100000\n1 0.0 b 690000000001+1000000000\n1 0.0 c 790000123456+0\n");
  /* What the picoseconds cannot tell is there as it was written. */
  const CycTimelineSpans *spans = cyc_timeline_get_spans (fixture.timeline);
  g_assert_cmpstr (cyc_timeline_get_members (fixture.timeline, spans->members[2]), ==,
                   "\"ts\":1672924881407000.1234567,\"dur\":0");
  g_assert_cmpint (spans->flags[2], ==, CYC_SPAN_SOURCE);
  g_assert_cmpuint (count (&fixture, CYC_REPAIR_FINE_TIME), ==, 1);
}

static void
test_overlap (void)
{
  g_auto (Fixture) fixture = { 0 };

  load (&fixture, "[{\"ph\":\"X\",\"name\":\"k1\",\"pid\":0,\"tid\":7,\"ts\":100,\"dur\":50},"
                  "{\"ph\":\"X\",\"name\":\"k2\",\"pid\":0,\"tid\":7,\"ts\":140,\"dur\":50},"
                  "{\"ph\":\"X\",\"name\":\"k3\",\"pid\":0,\"tid\":7,\"ts\":150,\"dur\":10},"
                  "{\"ph\":\"X\",\"name\":\"in\",\"pid\":0,\"tid\":7,\"ts\":145,\"dur\":10}]");
  /* k3 touches k1 and lies on its row; "in" lies in k2. */
  assert_spans (&fixture, "7 0.0 k1 0+50000000\n7 0.0 k3 50000000+10000000\n"
                          "7 1.0 k2 40000000+50000000\n7 1.1 in 45000000+10000000\n");
  g_assert_cmpuint (count (&fixture, CYC_REPAIR_OVERLAP), ==, 2);
}

static void
test_ids (void)
{
  g_auto (Fixture) fixture = { 0 };
  guint n;

  load (&fixture, "[{\"ph\":\"X\",\"name\":\"a\",\"pid\":29463,\"tid\":\"3239786240\",\"ts\":1,\"dur\":1},"
                  "{\"ph\":\"X\",\"name\":\"b\",\"pid\":29463,\"tid\":3239786240,\"ts\":3,\"dur\":1},"
                  "{\"ph\":\"X\",\"name\":\"c\",\"pid\":29463,\"tid\":7,\"ts\":3,\"dur\":1},"
                  "{\"ph\":\"X\",\"name\":\"d\",\"pid\":0,\"tid\":\"stream 10\",\"ts\":3,\"dur\":1},"
                  "{\"ph\":\"X\",\"name\":\"e\",\"pid\":0,\"tid\":\"stream 7\",\"ts\":3,\"dur\":1},"
                  "{\"ph\":\"X\",\"name\":\"f\",\"pid\":29463,\"tid\":9,\"ts\":3,\"dur\":1},"
                  "{\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":29463,\"tid\":9,"
                  "\"args\":{\"sort_index\":-1}},"
                  "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":\"0\",\"args\":{\"name\":\"GPU \\\"0\\\"\"}}]");
  assert_spans (&fixture, "stream 7 0.0 e 2000000+1000000\nstream 10 0.0 d 2000000+1000000\n9 0.0 f 2000000+1000000\n"
                          "7 0.0 c 2000000+1000000\n3239786240 0.0 a 0+1000000\n3239786240 0.0 b 2000000+1000000\n");
  const CycTimelineProcess *processes = cyc_timeline_get_processes (fixture.timeline, &n);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpstr (processes[0].name, ==, "GPU \"0\"");
  g_assert_cmpuint (processes[0].n_tracks, ==, 2);
  g_assert_cmpstr (processes[1].name, ==, "29463");
  g_assert_cmpuint (processes[1].first_track, ==, 2);
}

static void
test_time_zero (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (GString) text = g_string_new ("[");
  gint64 start, end;

  for (guint i = 0; i < 20; i++)
    g_string_append (text, "{\"ph\":\"X\",\"name\":\"zero\",\"pid\":0,\"tid\":1,\"ts\":0,\"dur\":0},");
  for (guint i = 0; i < 30; i++)
    g_string_append_printf (text, "{\"ph\":\"X\",\"name\":\"k\",\"pid\":0,\"tid\":1,\"ts\":%u,\"dur\":40},",
                            1615207264 + i * 100);
  g_string_append (text, "{\"ph\":\"X\",\"name\":\"far\",\"pid\":0,\"tid\":1,\"ts\":1e15,\"dur\":7}]");
  load (&fixture, text->str);
  /* Fits what lies together, and loses nothing. */
  g_assert_cmpint (cyc_timeline_get_base (fixture.timeline), ==, 1615207264);
  cyc_timeline_get_dense (fixture.timeline, &start, &end);
  g_assert_cmpint (start, ==, 0);
  g_assert_cmpint (end, ==, 2940 * (gint64) CYC_PS_PER_US);
  g_assert_cmpuint (cyc_timeline_get_n_sparse (fixture.timeline), ==, 21);
  g_assert_cmpuint (cyc_timeline_get_spans (fixture.timeline)->n, ==, 50);
  guint n;
  const CycTimelineOutlier *outliers = cyc_timeline_get_outliers (fixture.timeline, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpint (outliers->start.us, ==, 1000000000000000);
  g_assert_cmpint (outliers->duration.us, ==, 7);
  g_assert_cmpstr (cyc_timeline_get_text (fixture.timeline, outliers->name), ==, "far");
}

static void
test_two_spans (void)
{
  g_auto (Fixture) fixture = { 0 };

  /* Two are no crowd: both are looked at. */
  load (&fixture, "[{\"ph\":\"X\",\"name\":\"a\",\"pid\":0,\"tid\":1,\"ts\":0,\"dur\":1},"
                  "{\"ph\":\"X\",\"name\":\"b\",\"pid\":0,\"tid\":1,\"ts\":500000,\"dur\":1}]");
  g_assert_cmpuint (cyc_timeline_get_n_sparse (fixture.timeline), ==, 0);
}

static void
test_escapes (void)
{
  g_auto (Fixture) fixture = { 0 };

  load (&fixture, "[{\"name\": \"torch\\cuda\\__init__.py(219): _lazy_init\", \"ph\":\"X\",\"pid\":1,\"tid\":1,"
                  "\"ts\":1,\"dur\":1,\"args\":{\"p\":\"a\\qb\",\"n\":NaN,},}]");
  assert_spans (&fixture, "1 0.0 torch\\cuda\\__init__.py(219): _lazy_init 0+1000000\n");
  g_assert_cmpuint (count (&fixture, CYC_REPAIR_ESCAPE), ==, 1);
  g_assert_cmpuint (count (&fixture, CYC_REPAIR_NOT_FINITE), ==, 1);
  g_assert_cmpuint (count (&fixture, CYC_REPAIR_TRAILING_COMMA), ==, 1);
  g_assert_cmpuint (cyc_timeline_get_repairs (fixture.timeline)->first[CYC_REPAIR_ESCAPE], ==, 1);
  const CycTimelineSpans *spans = cyc_timeline_get_spans (fixture.timeline);
  g_assert_cmpstr (cyc_timeline_get_members (fixture.timeline, spans->members[0]), ==,
                   "\"args\":{\"p\":\"a\\\\qb\",\"n\":\"NaN\"}");
}

static void
test_counter (void)
{
  g_auto (Fixture) fixture = { 0 };
  guint n;

  load (&fixture, "[{\"ph\":\"C\",\"name\":\"local_ready_buf_T0\",\"cat\":\"queue\",\"pid\":3,\"tid\":3999,"
                  "\"ts\":12.5,"
                  "\"args\":{\"AIC\":3,\"AIV\":0,\"MIX\":1}},"
                  "{\"ph\":\"C\",\"name\":\"local_ready_buf_T0\",\"pid\":3,\"ts\":11,\"args\":{\"AIC\":1.5,"
                  "\"AIV\":\"x\"}}]");
  const CycTimelineTrack *tracks = cyc_timeline_get_tracks (fixture.timeline, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpint (tracks[0].kind, ==, CYC_TRACK_COUNTER);
  const CycTimelineSeries *series = cyc_timeline_get_series (fixture.timeline, &n);
  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpstr (series[0].name, ==, "AIC");
  g_assert_cmpuint (series[0].n, ==, 2);
  g_assert_cmpint (series[0].time[0], ==, 0);
  g_assert_cmpfloat (series[0].value[0], ==, 1.5);
  g_assert_cmpint (series[0].time[1], ==, 1500000);
  g_assert_cmpfloat (series[0].value[1], ==, 3);
  g_assert_cmpuint (series[1].n, ==, 1);
  g_assert_cmpuint (count (&fixture, CYC_REPAIR_SERIES), ==, 1);
}

static const char *
name_of (Fixture *fixture,
         guint32  span)
{
  if (span == CYC_TIMELINE_NONE)
    return "-";
  return cyc_timeline_get_text (fixture->timeline, cyc_timeline_get_spans (fixture->timeline)->name[span]);
}

static char *
dup_flows (Fixture *fixture)
{
  guint n;
  const CycTimelineFlowEnd *ends = cyc_timeline_get_flow_ends (fixture->timeline, &n);
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (out, "%s%c %s", i == 0 ? "" : ends[i - 1].flow == ends[i].flow ? " > " : "; ",
                            ends[i].phase, name_of (fixture, ends[i].span));
  return g_string_free (out, FALSE);
}

#define SPAN(name, tid, ts, dur, more) \
  "{\"ph\":\"X\",\"name\":\"" name "\",\"pid\":1,\"tid\":" tid ",\"ts\":" ts ",\"dur\":" dur more "},"
#define FLOW(ph, id, tid, ts, more) \
  "{\"ph\":\"" ph "\",\"name\":\"f\",\"cat\":\"c\",\"id\":" id ",\"pid\":1,\"tid\":" tid ",\"ts\":" ts more "},"

static void
test_flows (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autofree char *flows = NULL;

  load (&fixture, "[" SPAN ("out", "1", "0", "10", "") SPAN ("in", "1", "2", "4", "")
                  SPAN ("next", "2", "20", "5", "") SPAN ("around", "2", "8", "6", "")
                  /* From "in" to the next span of thread 2, by its id; the other end binds around it. */
                  FLOW ("s", "1", "1", "3", "") FLOW ("f", "1", "2", "9", "")
                  FLOW ("s", "2", "1", "8", "") FLOW ("f", "2", "2", "9", ",\"bp\":\"e\"")
                  /* Begins where nothing is. */
                  FLOW ("s", "3", "2", "100", "") FLOW ("f", "3", "1", "0", "") "]");
  flows = dup_flows (&fixture);
  g_assert_cmpstr (flows, ==, "s in > f next; s out > f around; f out > s -");
  g_assert_cmpuint (count (&fixture, CYC_REPAIR_FLOW), ==, 1);
}

static void
test_bound_flows (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autofree char *flows = NULL;

  load (&fixture, "[" SPAN ("a", "1", "0", "10", ",\"bind_id\":\"0x1\",\"flow_out\":true")
                  "{\"ph\":\"B\",\"name\":\"b\",\"pid\":1,\"tid\":2,\"ts\":20,\"bind_id\":\"0x1\",\"flow_in\":true,"
                  "\"flow_out\":true},{\"ph\":\"E\",\"pid\":1,\"tid\":2,\"ts\":21},"
                  SPAN ("c", "3", "30", "1", ",\"bind_id\":\"0x1\",\"flow_in\":true") "]");
  flows = dup_flows (&fixture);
  g_assert_cmpstr (flows, ==, "s a > t b > f c");
}

static void
test_async (void)
{
  g_auto (Fixture) fixture = { 0 };

#define ASYNC(ph, name, ts) \
  "{\"ph\":\"" ph "\",\"name\":\"" name "\",\"cat\":\"profile\",\"id\":\"1\",\"pid\":1,\"tid\":1,\"ts\":" ts "},"
  load (&fixture, "[" ASYNC ("b", "testparent", "0") ASYNC ("b", "test0", "0") ASYNC ("e", "test0", "3")
                  ASYNC ("b", "test1", "1") ASYNC ("e", "test1", "4") ASYNC ("n", "mark", "2")
                  ASYNC ("e", "testparent", "5") ASYNC ("e", "testparent", "6") "]");
  assert_spans (&fixture, "profile 0.0 testparent 0+5000000\nprofile 0.1 test0 0+3000000\nprofile 0.2 mark 2000000+0\n"
                          "profile 1.0 test1 1000000+3000000\n");
  g_assert_cmpuint (count (&fixture, CYC_REPAIR_NO_BEGIN), ==, 1);
  g_assert_cmpuint (count (&fixture, CYC_REPAIR_AMBIGUOUS), ==, 0);
}

static void
test_parent_after_child (void)
{
  g_auto (Fixture) fixture = { 0 };

  load (&fixture, "[{\"dur\":1222.31,\"name\":\"SimMesh\",\"ph\":\"X\",\"tid\":2,\"ts\":38538.161},"
                  "{\"dur\":2490.403,\"name\":\"AvatarBarn\",\"ph\":\"X\",\"tid\":2,\"ts\":37747.046}]");
  assert_spans (&fixture, "2 0.0 AvatarBarn 46000+2490403000\n2 0.1 SimMesh 791161000+1222310000\n");
  g_assert_cmpint (cyc_timeline_get_base (fixture.timeline), ==, 37747);
  g_assert_cmpuint (count (&fixture, CYC_REPAIR_NO_PID), ==, 2);
  g_assert_cmpuint (cyc_timeline_get_spans (fixture.timeline)->parent[1], ==, 0);
  g_assert_cmpuint (cyc_timeline_get_spans (fixture.timeline)->parent[0], ==, CYC_TIMELINE_NONE);
}

static void
test_pairs (void)
{
  g_auto (Fixture) fixture = { 0 };

#define HALF(ph, name, ts, more) \
  "{\"ph\":\"" ph "\"," name "\"pid\":1,\"tid\":1,\"ts\":" ts more "},"
  load (&fixture, "[" HALF ("E", "", "1", "") HALF ("B", "\"name\":\"a\",", "2", ",\"args\":{\"x\":1}")
                  HALF ("B", "\"name\":\"b\",", "4", "") HALF ("E", "", "6", "")
                  HALF ("E", "", "9", ",\"args\":{\"y\":2},\"tts\":7") HALF ("B", "\"name\":\"c\",", "9", "")
                  HALF ("i", "\"name\":\"mark\",", "12", ",\"s\":\"t\"") "]");
  assert_spans (&fixture, "1 0.0 a 0+7000000\n1 0.0 c 7000000+3000000\n1 0.0 mark 10000000+0\n"
                          "1 0.1 b 2000000+2000000\n");
  const CycTimelineSpans *spans = cyc_timeline_get_spans (fixture.timeline);
  g_assert_cmpstr (cyc_timeline_get_members (fixture.timeline, spans->members[0]), ==,
                   "\"args\":{\"x\":1,\"y\":2},\"tts\":7");
  g_assert_cmpint (spans->flags[1], ==, CYC_SPAN_PAIR | CYC_SPAN_NO_END);
  g_assert_cmpint (spans->flags[2], ==, CYC_SPAN_INSTANT);
  g_assert_cmpuint (count (&fixture, CYC_REPAIR_NO_BEGIN), ==, 1);
  g_assert_cmpuint (count (&fixture, CYC_REPAIR_NO_END), ==, 1);
}

static void
test_damage (void)
{
  g_auto (Fixture) fixture = { 0 };

  load (&fixture, "[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1},7,"
                  " null,\n{\"ph\":\"X\" \"name\"},\n"
                  "{\"ph\":\"X\",\"name\":\"b\",\"pid\":1,\"tid\":1,\"ts\":5,\"dur\":-1},"
                  "{\"ph\":\"X\",\"name\":\"c\",\"pid\":1,\"tid\":1,\"ts\":\"7\",\"ts\":\"8\"},"
                  "{\"name\":\"d\",\"ts\":1},{\"ph\":\"N\",\"ts\":1,\"pid\":1},{\"ph\":\"X\",\"pid\":1,"
                  "\"ts\":null}] x");
  assert_spans (&fixture, "1 0.0 a 0+1000000\n1 0.0 b 4000000+0\n1 0.0 c 7000000+0\n");
  g_assert_cmpuint (count (&fixture, CYC_REPAIR_DAMAGED), ==, 1);
  g_assert_cmpuint (cyc_timeline_get_repairs (fixture.timeline)->first[CYC_REPAIR_DAMAGED], ==, 63);
  g_assert_cmpuint (count (&fixture, CYC_REPAIR_NOT_OBJECT), ==, 2);
  g_assert_cmpuint (count (&fixture, CYC_REPAIR_NEGATIVE), ==, 1);
  g_assert_cmpuint (count (&fixture, CYC_REPAIR_DUPLICATE_KEY), ==, 1);
  g_assert_cmpuint (count (&fixture, CYC_REPAIR_TEXT_TIME), ==, 1);
  g_assert_cmpuint (count (&fixture, CYC_REPAIR_NO_DURATION), ==, 1);
  g_assert_cmpuint (count (&fixture, CYC_REPAIR_NO_PHASE), ==, 1);
  g_assert_cmpuint (count (&fixture, CYC_REPAIR_OTHER_PHASE), ==, 1);
  g_assert_cmpuint (count (&fixture, CYC_REPAIR_NO_TIME), ==, 1);
  g_assert_cmpuint (count (&fixture, CYC_REPAIR_EXTRA), ==, 1);
}

static void
test_not_a_trace (void)
{
  static const char *const texts[] = { "", "   ", "hello", "{\"a\":[]}", "{\"traceEvents\":{}}", "{" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_auto (TestFolder) folder = test_folder_new ();
      g_autofree char *path = test_folder_write (folder, "trace.json", texts[i], -1);
      g_autoptr (GError) error = NULL;
      g_autoptr (CycTimeline) timeline = cyc_timeline_load (path, NULL, NULL, NULL, &error);
      g_assert_null (timeline);
      g_assert_nonnull (error);
      g_assert_true (g_str_has_prefix (error->message, path));
      g_assert_nonnull (strstr (error->message, "this is no Chrome trace"));
    }
}

/* Every beginning of a trace is read as far as it goes. */
static void
test_every_cut (void)
{
  const char *text = "{\"a\":[1,{}],\"traceEvents\":[{\"ph\":\"X\",\"name\":\"a\\u00e4\",\"pid\":1,\"tid\":1,"
                  "\"ts\":1,"
                     "\"dur\":1},{\"ph\":\"X\",\"name\":\"b\",\"pid\":1,\"tid\":1,\"ts\":3,\"dur\":1}],\"z\":-1.5e3}";
  const char *first = strstr (text, "},{"), *second = strstr (text, "}],\"z\"");
  gsize list = (gsize) (strstr (text, "[{\"ph\"") - text);

  for (gsize n = 0; n <= strlen (text); n++)
    {
      g_autofree char *part = g_strndup (text, n);
      g_auto (TestFolder) folder = test_folder_new ();
      g_autofree char *path = test_folder_write (folder, "trace.json", part, -1);
      g_autoptr (CycTimeline) timeline = cyc_timeline_load (path, NULL, NULL, NULL, NULL);
      g_assert_true ((timeline != NULL) == (n > list));
      if (timeline != NULL)
        g_assert_cmpuint (cyc_timeline_get_spans (timeline)->n, ==,
                          (n > (gsize) (first - text)) + (n > (gsize) (second - text)));
    }
}

/* Longer than the reader's first piece, with an event that is, too; in order, and told to one who waits. */
static void
progress_cb (double   fraction,
             gpointer user_data)
{
  double *last = user_data;

  g_assert_cmpfloat (fraction, >=, *last);
  g_assert_cmpfloat (fraction, <=, 1);
  *last = fraction;
}

static void
test_long (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autoptr (GString) text = g_string_new ("{\"traceEvents\":[\n");
  g_autofree char *filler = g_strnfill (6 * 1024 * 1024, 'x');
  g_autoptr (GError) error = NULL;
  double fraction = 0;

  for (guint i = 0; i < 60000; i++)
    g_string_append_printf (text, "{\"ph\":\"X\",\"name\":\"n%u\",\"pid\":1,\"tid\":%u,\"ts\":%u.%03u,\"dur\":0.5,"
                            "\"args\":{\"i\":%u,\"s\":\"%.*s\"}},\n", i % 10, i % 3, i, i % 1000, i,
                            i == 30000 ? (int) strlen (filler) : (int) (i % 200), filler);
  g_string_append (text, "],\"end\":1}");
  g_autofree char *path = test_folder_write (folder, "trace.json", text->str, -1);
  g_autoptr (CycTimeline) timeline = cyc_timeline_load (path, progress_cb, &fraction, NULL, &error);
  g_assert_no_error (error);
  const CycTimelineSpans *spans = cyc_timeline_get_spans (timeline);
  g_assert_cmpuint (spans->n, ==, 60000);
  g_assert_cmpfloat (fraction, >, 0.5);
  /* The last of thread 2 is event 59999, at 59999.999. */
  g_assert_cmpint (spans->start[59999], ==, 59999999000);
  g_assert_cmpstr (cyc_timeline_get_text (timeline, spans->name[59999]), ==, "n9");
  /* Event 30000 is the 10001st of thread 0. */
  g_assert_cmpuint (strlen (cyc_timeline_get_members (timeline, spans->members[10000])), >, 6 * 1024 * 1024);
  g_assert_cmpstr (cyc_timeline_get_others (timeline), ==, "\"end\":1");
}

static void
test_cancel (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autofree char *path = test_folder_write (folder, "trace.json", "[{\"ph\":\"X\",\"ts\":1,\"dur\":1,"
                  "\"pid\":1}]", -1);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_null (cyc_timeline_load (path, NULL, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* A node is what the spans below it make together. */
static void
test_pyramid (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (GString) text = g_string_new ("[");
  guint n;

  for (guint i = 0; i < 100; i++)
    g_string_append_printf (text, "{\"ph\":\"X\",\"name\":\"n%u\",\"pid\":1,\"tid\":1,\"ts\":%u,\"dur\":%u},", i,
                            i * 200, i == 20 ? 190 : i + 1);
  load (&fixture, text->str);
  const CycTimelineRow *rows = cyc_timeline_get_rows (fixture.timeline, &n);
  g_assert_cmpuint (n, ==, 1);
  const CycTimelineNode *nodes = rows[0].nodes;
  /* Leaves of 32, 32, 32 and 4 spans: sums of 1..32 with 190 for 21, 33..64, 65..96, 97..100. */
  g_assert_cmpint (nodes[0].sum, ==, (528 - 21 + 190) * (gint64) CYC_PS_PER_US);
  g_assert_cmpint (nodes[1].sum, ==, 1552 * (gint64) CYC_PS_PER_US);
  g_assert_cmpint (nodes[2].sum, ==, 2576 * (gint64) CYC_PS_PER_US);
  g_assert_cmpint (nodes[3].sum, ==, 394 * (gint64) CYC_PS_PER_US);
  g_assert_cmpint (nodes[4].sum, ==, nodes[0].sum + nodes[1].sum);
  g_assert_cmpint (nodes[6].sum, ==, (5050 - 21 + 190) * (gint64) CYC_PS_PER_US);
  g_assert_cmpint (nodes[6].min, ==, CYC_PS_PER_US);
  g_assert_cmpint (nodes[6].max, ==, 190 * CYC_PS_PER_US);
  g_assert_cmpstr (cyc_timeline_get_text (fixture.timeline, nodes[6].name), ==, "n20");
}

/* Name, count, sum, min, max, median and self in microseconds. */
static void
assert_stats (Fixture         *fixture,
              CycTimelineArea *area,
              const char      *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CycTimelineTable) table =
    cyc_timeline_query (fixture->timeline, area, CYC_TIMELINE_BY_NAME, NULL, 0, NULL, &error);
  g_autoptr (GString) text = g_string_new (NULL);
  guint n;

  g_assert_no_error (error);
  const CycTimelineStat *stats = cyc_timeline_table_get_rows (table, &n);
  for (guint i = 0; i < n; i++)
    {
      const CycTimelineStat *stat = &stats[i];
      g_string_append_printf (text, "%s %u %g %g %g %g %g; ", stat->label,
                              (guint) stat->count, (double) stat->sum / 1e6, (double) stat->min / 1e6,
                              (double) stat->max / 1e6, (double) stat->median / 1e6, (double) stat->self / 1e6);
    }
  g_assert_cmpstr (text->str, ==, expected);
}

/* Two spans "a" of 100 and 40 with a "b" of 30 in the first, a "b" of 8 on another thread, an instant. */
static const char stats_trace[] = "[" SPAN ("a", "1", "0", "100", "") SPAN ("b", "1", "50", "30", "")
                                  SPAN ("a", "1", "200", "40", "") SPAN ("b", "2", "60", "8", "")
                                  SPAN ("a", "2", "300", "0", "")
                                  "{\"ph\":\"i\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":5}]";

static void
test_stats (void)
{
  g_auto (Fixture) fixture = { 0 };
  CycTimelineArea area;
  const gboolean first_only[] = { TRUE, FALSE };

  load (&fixture, stats_trace);
  cyc_timeline_area_init (&area, fixture.timeline);
  assert_stats (&fixture, &area, "a 3 140 0 100 40 110; b 2 38 8 30 8 38; ");
  area.tracks = first_only;
  assert_stats (&fixture, &area, "a 2 140 40 100 40 110; b 1 30 30 30 30 30; ");
  /* Of the first "a" 40 to 100 without the 20 of "b", of the second 10. */
  area = (CycTimelineArea) { .from = 40000000, .to = 210000000, .has_from = TRUE, .has_to = TRUE, .tracks = NULL };
  assert_stats (&fixture, &area, "a 2 70 10 60 10 40; b 2 38 8 30 8 38; ");
  /* Inside of one span, and where nothing is. */
  area = (CycTimelineArea) { .from = 10000000, .to = 12000000, .has_from = TRUE, .has_to = TRUE, .tracks = first_only };
  assert_stats (&fixture, &area, "a 1 2 2 2 2 2; ");
  area = (CycTimelineArea) { .from = 110000000, .to = 120000000, .has_from = TRUE, .has_to = TRUE, .tracks = NULL };
  assert_stats (&fixture, &area, "");
  /* Ends do not belong to the range. */
  area = (CycTimelineArea) { .from = 100000000, .to = 200000000, .has_from = TRUE, .has_to = TRUE, .tracks = NULL };
  assert_stats (&fixture, &area, "");
}

/* The name with the largest sum; its label goes with the table. */
static CycTimelineStat
get_first (Fixture         *fixture,
           CycTimelineArea *area)
{
  g_autoptr (CycTimelineTable) table =
    cyc_timeline_query (fixture->timeline, area, CYC_TIMELINE_BY_NAME, NULL, 1, NULL, NULL);
  guint n;

  return cyc_timeline_table_get_rows (table, &n)[0];
}

/* The median against sorting, for many lengths and orders. */
static void
test_median (void)
{
  for (guint n = 1; n < 60; n++)
    for (guint order = 0; order < 4; order++)
      {
        g_auto (Fixture) fixture = { 0 };
        g_autoptr (GString) text = g_string_new ("[");
        CycTimelineArea area;
        for (guint i = 0; i < n; i++)
          {
            /* Up, down, scattered over 0 to n - 1, and few values. */
            guint value = order == 0 ? i : order == 1 ? n - 1 - i : order == 2 ? i * 61 % n : i % 3;
            g_string_append_printf (text, SPAN ("x", "1", "%u", "%u", ""), i * 100, value);
          }
        load (&fixture, text->str);
        cyc_timeline_area_init (&area, fixture.timeline);
        CycTimelineStat stat = get_first (&fixture, &area);
        guint middle = (n - 1) / 2;
        /* Of i % 3 there are (n + 2) / 3 zeros and (n + 1) / 3 ones. */
        guint few = middle < (n + 2) / 3 ? 0 : middle < (n + 2) / 3 + (n + 1) / 3 ? 1 : 2;
        g_assert_cmpint ((gint64) stat.median, ==, (order == 3 ? few : middle) * (gint64) CYC_PS_PER_US);
      }
}

static void
test_extract (void)
{
  g_auto (Fixture) fixture = { 0 };
  CycTimelineArea area = { .from = 40000000, .to = 101000000, .has_from = TRUE, .has_to = TRUE };

  load (&fixture, "{\"traceEvents\":[" SPAN ("a", "1", "0", "100", "")
                  SPAN ("b", "1", "50", "30", ",\"args\":{\"k\":1}")
                  SPAN ("c", "1", "200", "40", "") SPAN ("d", "\"x\"", "60", "8.25", "")
                  FLOW ("s", "1", "1", "55", "") FLOW ("f", "1", "1", "210", ",\"bp\":\"e\"")
                  FLOW ("s", "2", "1", "1", "") FLOW ("f", "2", "1", "210", ",\"bp\":\"e\"")
                  "{\"ph\":\"C\",\"name\":\"q\",\"pid\":1,\"ts\":10,\"args\":{\"v\":1,\"w\":5}},"
                  "{\"ph\":\"C\",\"name\":\"q\",\"pid\":1,\"ts\":70,\"args\":{\"v\":2,\"w\":0.5}},"
                  "{\"ph\":\"C\",\"name\":\"q\",\"pid\":1,\"ts\":170,\"args\":{\"v\":3}},"
                  "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":1,\"args\":{\"name\":\"AIC/0\"}}],"
                  "\"other\":[1]}");
  g_autoptr (GString) text = test_timeline_write (fixture.timeline, &area);
  g_assert_cmpstr (text->str, ==,
                   "{\"traceEvents\":[\n"
                   "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":1,\"args\":{\"name\":\"AIC/0\"}},\n"
                   "{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":100},\n"
                   "{\"ph\":\"X\",\"name\":\"b\",\"pid\":1,\"tid\":1,\"ts\":50,\"dur\":30,\"args\":{\"k\":1}},\n"
                   "{\"ph\":\"X\",\"name\":\"d\",\"pid\":1,\"tid\":\"x\",\"ts\":60,\"dur\":8.25},\n"
                   "{\"ph\":\"C\",\"name\":\"q\",\"pid\":1,\"ts\":70,\"args\":{\"v\":2,\"w\":0.5}},\n"
                   "{\"ph\":\"s\",\"name\":\"f\",\"cat\":\"c\",\"pid\":1,\"tid\":1,\"ts\":55,\"id\":1},\n"
                   "{\"ph\":\"f\",\"name\":\"f\",\"cat\":\"c\",\"pid\":1,\"tid\":1,\"ts\":210,\"id\":1,\"bp\":\"e\"}\n"
                   "],\"other\":[1]}\n");
}

/* What the review of the first version found: each value is that of the file. */
static void
test_ends_keep_times (void)
{
  g_auto (Fixture) fixture = { 0 };

  /* An end finer than a picosecond says nothing of the beginning. */
  load (&fixture, "[" HALF ("B", "\"name\":\"a\",", "10", "") HALF ("E", "", "20.00000000001", ",\"dur\":7")
                  ASYNC ("b", "x", "30") ASYNC ("e", "x", "40.00000000001") "]");
  assert_spans (&fixture, "1 0.0 a 0+10000000\nprofile 0.0 x 20000000+10000000\n");
  g_autoptr (GString) text = test_timeline_write (fixture.timeline, NULL);
  g_assert_null (strstr (text->str, "00001"));
  g_assert_null (strstr (text->str, ":7"));
}

static void
test_async_processes (void)
{
  g_auto (Fixture) fixture = { 0 };

  load (&fixture, "[{\"ph\":\"b\",\"name\":\"a\",\"cat\":\"c\",\"id\":1,\"pid\":1,\"ts\":1},"
                  "{\"ph\":\"e\",\"name\":\"a\",\"cat\":\"c\",\"id\":1,\"pid\":2,\"ts\":9},"
                  "{\"ph\":\"b\",\"name\":\"l\",\"cat\":\"c\",\"id2\":{\"local\":1},\"pid\":1,\"ts\":2},"
                  "{\"ph\":\"e\",\"name\":\"l\",\"cat\":\"c\",\"id2\":{\"local\":1},\"pid\":2,\"ts\":5}]");
  g_assert_cmpint (cyc_timeline_get_spans (fixture.timeline)->duration[0], ==, 8000000);
  g_assert_cmpuint (count (&fixture, CYC_REPAIR_NO_BEGIN), ==, 1);
  g_assert_cmpuint (count (&fixture, CYC_REPAIR_NO_END), ==, 1);
}

/* Few spans, one of them lost in time: the others are those that are drawn, and all count. */
static void
test_few_and_far (void)
{
  g_auto (Fixture) fixture = { 0 };
  CycTimelineArea area;

  load (&fixture, "[" SPAN ("bad", "1", "0", "1", "") SPAN ("good", "1", "1615207264505000", "5", "")
                  SPAN ("good", "1", "1615207264505010", "5", "")
                  "{\"ph\":\"C\",\"name\":\"q\",\"pid\":1,\"ts\":0,\"args\":{\"v\":2}}]");
  g_assert_cmpint (cyc_timeline_get_base (fixture.timeline), ==, 1615207264505000);
  cyc_timeline_area_init (&area, fixture.timeline);
  assert_stats (&fixture, &area, "good 2 10 5 5 5 10; bad 1 1 1 1 1 1; ");
  area.has_from = TRUE;
  assert_stats (&fixture, &area, "good 2 10 5 5 5 10; ");
  g_autoptr (GString) text = test_timeline_write (fixture.timeline, NULL);
  g_assert_nonnull (strstr (text->str, "\"args\":{\"v\":2}"));
}

/* 300 spans of ten hours are more than 64 bits of picoseconds. */
static void
test_wide_sum (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (GString) text = g_string_new ("[");
  CycTimelineArea area;
  char buf[CYC_WIDE_TIME_BUF];

  for (guint i = 0; i < 300; i++)
    g_string_append_printf (text, "{\"ph\":\"X\",\"name\":\"k\",\"pid\":0,\"tid\":%u,\"ts\":0.25,\"dur\":36e9},", i);
  load (&fixture, text->str);
  cyc_timeline_area_init (&area, fixture.timeline);
  g_assert_cmpstr (cyc_wide_time_format (get_first (&fixture, &area).sum, buf), ==, "10800000000000");
  g_assert_cmpstr (cyc_wide_time_format (-1250000, buf), ==, "-1.25");
  g_assert_cmpstr (cyc_wide_time_format (0, buf), ==, "0");
  g_assert_cmpstr (cyc_wide_time_format (1, buf), ==, "0.000001");
  g_assert_cmpstr (cyc_wide_time_format (10000000, buf), ==, "10");
}

static void
test_last_damaged (void)
{
  g_auto (Fixture) fixture = { 0 };

  load (&fixture, "{\"traceEvents\":[" SPAN ("a", "1", "0", "1", "") "{\"ph\":\"X\" \"b\"}],\"traceEvents\":null,"
                  "\"unit\":\"ns\"}");
  assert_spans (&fixture, "1 0.0 a 0+1000000\n");
  g_assert_cmpstr (cyc_timeline_get_others (fixture.timeline), ==, "\"unit\":\"ns\"");
  g_assert_cmpuint (count (&fixture, CYC_REPAIR_DAMAGED), ==, 1);
  g_assert_cmpuint (count (&fixture, CYC_REPAIR_NOT_CLOSED), ==, 0);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/timeline/not-closed", test_not_closed);
  g_test_add_func ("/core/timeline/cut", test_cut);
  g_test_add_func ("/core/timeline/unit", test_unit);
  g_test_add_func ("/core/timeline/large-times", test_large_times);
  g_test_add_func ("/core/timeline/overlap", test_overlap);
  g_test_add_func ("/core/timeline/ids", test_ids);
  g_test_add_func ("/core/timeline/time-zero", test_time_zero);
  g_test_add_func ("/core/timeline/two-spans", test_two_spans);
  g_test_add_func ("/core/timeline/escapes", test_escapes);
  g_test_add_func ("/core/timeline/counter", test_counter);
  g_test_add_func ("/core/timeline/flows", test_flows);
  g_test_add_func ("/core/timeline/bound-flows", test_bound_flows);
  g_test_add_func ("/core/timeline/async", test_async);
  g_test_add_func ("/core/timeline/parent-after-child", test_parent_after_child);
  g_test_add_func ("/core/timeline/pairs", test_pairs);
  g_test_add_func ("/core/timeline/damage", test_damage);
  g_test_add_func ("/core/timeline/not-a-trace", test_not_a_trace);
  g_test_add_func ("/core/timeline/every-cut", test_every_cut);
  g_test_add_func ("/core/timeline/long", test_long);
  g_test_add_func ("/core/timeline/cancel", test_cancel);
  g_test_add_func ("/core/timeline/pyramid", test_pyramid);
  g_test_add_func ("/core/timeline/stats", test_stats);
  g_test_add_func ("/core/timeline/median", test_median);
  g_test_add_func ("/core/timeline/extract", test_extract);
  g_test_add_func ("/core/timeline/ends-keep-times", test_ends_keep_times);
  g_test_add_func ("/core/timeline/async-processes", test_async_processes);
  g_test_add_func ("/core/timeline/few-and-far", test_few_and_far);
  g_test_add_func ("/core/timeline/wide-sum", test_wide_sum);
  g_test_add_func ("/core/timeline/last-damaged", test_last_damaged);
  return g_test_run ();
}
