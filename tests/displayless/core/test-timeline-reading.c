/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "core/timeline/cyc-timeline-builder.h"
#include "core/timeline/cyc-view-state.h"
#include "support/test-folder.h"
#include "support/test-timeline.h"

/* Files that are read in another unit than the format says, or in part. All values were worked out by hand. */

static CycTimeline *
load_as (const char               *json,
         const CycTimelineReading *reading,
         const int                *stop)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autofree char *path = test_folder_write (folder, "trace.json", json, -1);
  g_autoptr (GError) error = NULL;

  g_assert_true (reading == NULL || cyc_timeline_reading_check (reading, NULL));
  CycTimeline *timeline =
    cyc_timeline_load_as (path, reading, CYC_TIMELINE_KEEP_CYCLES, stop, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return timeline;
}

/* "name start+duration" of each span, by its place in the columns. */
static void
assert_spans (CycTimeline *timeline,
              const char  *expected)
{
  const CycTimelineSpans *spans = cyc_timeline_get_spans (timeline);
  g_autoptr (GString) out = g_string_new (NULL);

  for (guint32 i = 0; i < spans->n; i++)
    g_string_append_printf (out, "%s%s %" G_GINT64_FORMAT "+%" G_GINT64_FORMAT, i > 0 ? ", " : "",
                            cyc_timeline_get_text (timeline, spans->name[i]), spans->start[i], spans->duration[i]);
  g_assert_cmpstr (out->str, ==, expected);
}

static void
assert_writes (CycTimeline *timeline,
               const char  *expected)
{
  g_autoptr (GString) text = test_timeline_write (timeline, NULL);

  if (strstr (text->str, expected) == NULL)
    g_error ("no %s in %s", expected, text->str);
}

#define X(name, ts, dur) "{\"ph\":\"X\",\"name\":\"" name "\",\"pid\":1,\"tid\":1,\"ts\":" ts ",\"dur\":" dur "}"

static void
test_nanoseconds (void)
{
  CycTimelineReading reading = { .unit = CYC_TIMELINE_FILE_NS };
  /* 2.5 microseconds, 1.25 nanoseconds, and 1.0001 nanoseconds, which is finer than a picosecond. */
  g_autoptr (CycTimeline) timeline =
    load_as ("[" X ("a", "1672924880617000000", "2500") "," X ("b", "1672924880617003000", "1.25") ","
             X ("c", "1.672924880617005e18", "1.0001") "]", &reading, NULL);

  assert_spans (timeline, "a 0+2500000, b 3000000+1250, c 5000000+1000");
  g_assert_cmpint (cyc_timeline_get_base (timeline), ==, 1672924880617000);
  g_assert_cmpuint (cyc_timeline_get_repairs (timeline)->counts[CYC_REPAIR_FINE_TIME], ==, 1);
  assert_writes (timeline, "\"ts\":1672924880617003,\"dur\":0.00125}");
  assert_writes (timeline, "\"ts\":1.672924880617005e15,\"dur\":1.0001e-3}");
}

static void
test_cycles (void)
{
  CycTimelineReading reading = { .unit = CYC_TIMELINE_FILE_CYCLES };
  static const char json[] = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[" X ("a", "9007199254740993", "3") ","
                             X ("b", "9007199254741000", "0.5") ",{\"ph\":\"C\",\"name\":\"q\",\"pid\":1,"
                             "\"ts\":9007199254740995,\"args\":{\"n\":4}}]}";
  g_autoptr (CycTimeline) timeline = load_as (json, &reading, NULL);

  /* No double has that number of cycles. */
  g_assert_cmpint (cyc_timeline_get_unit (timeline), ==, CYC_TIMELINE_CYCLES);
  assert_spans (timeline, "a 9007199254740993+3, b 9007199254741000+0");
  assert_writes (timeline, "\"ts\":9007199254740993,\"dur\":3}");
  assert_writes (timeline, "\"ts\":9007199254741000,\"dur\":0.5}");
  assert_writes (timeline, "\"ts\":9007199254740995,\"args\":{\"n\":4}");

  reading.mhz = 50;
  g_autoptr (CycTimeline) clocked = load_as ("[" X ("a", "100", "7") "," X ("b", "200", "2.5") "]", &reading, NULL);
  g_assert_cmpfloat (cyc_timeline_get_frequency (clocked), ==, 50);
  assert_spans (clocked, "a 100+7, b 200+2");
  assert_writes (clocked, "\"ts\":2.0,\"dur\":0.14}");
  assert_writes (clocked, "\"ts\":4.0,\"dur\":0.05}");
}

/* A clock makes times of them where times are wanted. */
static void
test_clock (void)
{
  CycTimelineReading reading = { .unit = CYC_TIMELINE_FILE_CYCLES, .mhz = 50, .in_time = TRUE };
  g_autoptr (CycTimeline) timeline = load_as ("[" X ("a", "100", "7") "]", &reading, NULL);

  g_assert_cmpint (cyc_timeline_get_unit (timeline), ==, CYC_TIMELINE_TIME);
  assert_spans (timeline, "a 0+140000");
  g_assert_cmpint (cyc_timeline_get_base (timeline), ==, 2);
  g_assert_cmpfloat (cyc_timeline_get_frequency (timeline), ==, 50);
}

/* What lies in the part is read whole; what touches its edges is not. */
static void
test_part (void)
{
  static char from[] = "100", to[] = "200";
  CycTimelineReading reading = { .from = from, .to = to };
  g_autoptr (CycTimeline) timeline =
    load_as ("[" X ("before", "0", "100") "," X ("into", "0", "100.000001") "," X ("in", "150", "10") ","
             X ("out", "199.999999", "500") "," X ("after", "200", "1") ","
             "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":1,\"args\":{\"name\":\"T\"}},"
             "{\"ph\":\"i\",\"name\":\"at\",\"pid\":1,\"tid\":2,\"ts\":100},"
             "{\"ph\":\"i\",\"name\":\"late\",\"pid\":1,\"tid\":2,\"ts\":200},"
             "{\"ph\":\"B\",\"name\":\"P\",\"pid\":1,\"tid\":3,\"ts\":90},"
             "{\"ph\":\"B\",\"name\":\"Q\",\"pid\":1,\"tid\":3,\"ts\":95},"
             "{\"ph\":\"E\",\"pid\":1,\"tid\":3,\"ts\":99},"
             "{\"ph\":\"E\",\"pid\":1,\"tid\":3,\"ts\":101,\"args\":{\"r\":1}},"
             "{\"ph\":\"B\",\"name\":\"open\",\"pid\":1,\"tid\":4,\"ts\":50},"
             "{\"ph\":\"C\",\"name\":\"q\",\"pid\":1,\"ts\":99,\"args\":{\"n\":1}},"
             "{\"ph\":\"C\",\"name\":\"q\",\"pid\":1,\"ts\":101,\"args\":{\"n\":2}},"
             "{\"ph\":\"X\",\"name\":\"flow\",\"pid\":1,\"tid\":5,\"ts\":10,\"dur\":1,\"bind_id\":\"7\","
             "\"flow_out\":true}]", &reading, NULL);
  guint n;

  /* Counts from the first that is left. */
  g_assert_cmpint (cyc_timeline_get_base (timeline), ==, 0);
  assert_spans (timeline, "into 0+100000001, in 150000000+10000000, out 199999999+500000000, at 100000000+0, "
                          "P 90000000+11000000, open 50000000+51000000");
  g_assert_cmpstr (cyc_timeline_get_tracks (timeline, &n)[0].name, ==, "T");
  g_assert_cmpuint (cyc_timeline_get_series (timeline, &n)[0].n, ==, 1);
  /* before, after, late, both halves of Q, a value of the counter, the span with the flow. */
  g_assert_cmpuint (cyc_timeline_get_n_left_out (timeline), ==, 7);
  g_assert_cmpuint (cyc_timeline_get_repairs (timeline)->counts[CYC_REPAIR_FLOW], ==, 0);
  assert_writes (timeline, "\"name\":\"P\",\"pid\":1,\"tid\":3,\"ts\":90,\"dur\":11,\"args\":{\"r\":1}}");
}

static void
test_categories (void)
{
  static char kernel[] = "kernel", copy[] = "copy";
  char *categories[] = { kernel, copy, NULL };
  CycTimelineReading reading = { .categories = categories };
  g_autoptr (CycTimeline) timeline =
    load_as ("[{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"a\",\"ts\":0,\"dur\":1,\"pid\":1,\"tid\":1},"
             "{\"ph\":\"X\",\"cat\":\"cpu\",\"name\":\"b\",\"ts\":1,\"dur\":1,\"pid\":1,\"tid\":1},"
             "{\"ph\":\"X\",\"cat\":\"cpu, copy\",\"name\":\"c\",\"ts\":2,\"dur\":1,\"pid\":1,\"tid\":1},"
             "{\"ph\":\"X\",\"name\":\"d\",\"ts\":3,\"dur\":1,\"pid\":1,\"tid\":1},"
             "{\"ph\":\"B\",\"cat\":\"cpu\",\"name\":\"e\",\"ts\":4,\"pid\":1,\"tid\":1},"
             "{\"ph\":\"B\",\"cat\":\"kernel\",\"name\":\"f\",\"ts\":5,\"pid\":1,\"tid\":1},"
             "{\"ph\":\"E\",\"ts\":6,\"pid\":1,\"tid\":1},{\"ph\":\"E\",\"ts\":8,\"pid\":1,\"tid\":1}]",
             &reading, NULL);

  /* The end of f belongs to f, although that of e is left out. */
  assert_spans (timeline, "a 0+1000000, c 2000000+1000000, f 5000000+1000000");
  g_assert_cmpuint (cyc_timeline_get_n_left_out (timeline), ==, 4);
}

/* Whoever has waited long enough sees what was read so far. */
static void
test_stopped (void)
{
  g_autoptr (GString) json = g_string_new ("[");
  const int stop = 1;

  for (guint i = 0; i < 10000; i++)
    g_string_append_printf (json, "%s" X ("k", "%u", "1"), i > 0 ? "," : "", i);
  g_string_append_c (json, ']');
  g_autoptr (CycTimeline) timeline = load_as (json->str, NULL, &stop);
  g_assert_cmpuint (cyc_timeline_get_spans (timeline)->n, <, 10000);
  g_assert_cmpuint (cyc_timeline_get_spans (timeline)->n, >, 0);
  g_assert_true (g_str_has_prefix (cyc_timeline_get_warning (timeline), "reading was stopped at byte "));
}

static void
test_refused (void)
{
  static const struct
  {
    CycTimelineReading  reading;
    const char         *text;
  } cases[] = {
    { { .from = (char *) "soon" }, "expected a time such as the file has, a number, not \"soon\"" },
    { { .from = (char *) "2", .to = (char *) "2.0" }, "the part that is read must end after it begins" },
    { { .mhz = 50 }, "only cycles have a clock" },
    { { .unit = CYC_TIMELINE_FILE_CYCLES, .mhz = -1 }, "the clock must be more than 0 MHz" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_assert_false (cyc_timeline_reading_check (&cases[i].reading, &error));
      g_assert_cmpstr (error->message, ==, cases[i].text);
    }
}

/* The unit is remembered with the view; notes on a part are where they were when all is read again. */
static void
test_remembered (void)
{
  static char from[] = "3000";
  CycTimelineReading reading = { .unit = CYC_TIMELINE_FILE_NS, .from = from };
  static const char json[] = "[{\"ph\":\"X\",\"name\":\"a\",\"pid\":0,\"tid\":9,\"ts\":1000,\"dur\":10},"
                             X ("b", "4000", "10") "]";
  g_autoptr (CycTimeline) part = load_as (json, &reading, NULL);
  g_autoptr (CycViewState) state = cyc_view_state_new (part);

  g_assert_cmpint (cyc_timeline_get_base (part), ==, 4);
  cyc_view_state_add_mark (state, 5000, 6000, "here", TRUE);
  g_autofree char *view = cyc_view_state_to_json (state);
  g_autoptr (CycTimelineReading) again = cyc_timeline_reading_new_from_view (view);
  g_assert_cmpint (again->unit, ==, CYC_TIMELINE_FILE_NS);
  g_assert_null (again->from);

  g_autoptr (CycTimeline) whole = load_as (json, again, NULL);
  g_autoptr (CycViewState) restored = cyc_view_state_new (whole);
  g_assert_cmpint (cyc_timeline_get_base (whole), ==, 1);
  g_assert_true (cyc_view_state_apply_json (restored, view, -1, NULL, NULL));
  g_assert_cmpuint (cyc_view_state_get_n_marks (restored), ==, 1);
  g_assert_cmpint (cyc_view_state_get_mark (restored, 0)->from, ==, 3005000);

  /* Tracks that only the whole has are as they were after the part was looked at. */
  cyc_view_state_set_node_flags (restored, 1, CYC_NODE_PINNED, CYC_NODE_PINNED);
  g_autofree char *pinned = cyc_view_state_to_json (restored);
  CycTimelineReading other_reading = { .unit = CYC_TIMELINE_FILE_NS, .from = from };
  g_autoptr (CycTimeline) without = load_as ("[" X ("b", "4000", "10") "]", &other_reading, NULL);
  g_autoptr (CycViewState) passed = cyc_view_state_new (without);
  g_assert_true (cyc_view_state_apply_json (passed, pinned, -1, NULL, NULL));
  g_autofree char *through = cyc_view_state_to_json (passed);
  g_autoptr (CycViewState) back = cyc_view_state_new (whole);
  g_assert_true (cyc_view_state_apply_json (back, through, -1, NULL, NULL));
  g_assert_true (cyc_view_state_get_node_flags (back, 1) & CYC_NODE_PINNED);

  /* In another unit the same numbers are other times. */
  g_autoptr (CycTimeline) plain = load_as (json, NULL, NULL);
  g_autoptr (CycViewState) other = cyc_view_state_new (plain);
  g_assert_true (cyc_view_state_apply_json (other, view, -1, NULL, NULL));
  g_assert_cmpuint (cyc_view_state_get_n_marks (other), ==, 0);
  g_autofree char *plain_view = cyc_view_state_to_json (other);
  g_assert_null (cyc_timeline_reading_new_from_view (plain_view));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/timeline-reading/nanoseconds", test_nanoseconds);
  g_test_add_func ("/core/timeline-reading/cycles", test_cycles);
  g_test_add_func ("/core/timeline-reading/clock", test_clock);
  g_test_add_func ("/core/timeline-reading/part", test_part);
  g_test_add_func ("/core/timeline-reading/categories", test_categories);
  g_test_add_func ("/core/timeline-reading/stopped", test_stopped);
  g_test_add_func ("/core/timeline-reading/refused", test_refused);
  g_test_add_func ("/core/timeline-reading/remembered", test_remembered);
  return g_test_run ();
}
