/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/cyc-error.h"
#include "core/timeline/cyc-timeline-column.h"
#include "core/timeline/cyc-timeline-query.h"
#include "support/test-timeline.h"

/* Area queries, against figures worked out by hand and against counting moment by moment. */

#define N_TRACKS 4
#define LENGTH 400

typedef struct
{
  guint track;
  guint start;
  guint end;
  guint name;
  guint owner; /* 0: none */
} Span;

/* Rows as "label count sum min max median self; " in whole microseconds. */
static char *
dup_table (CycTimeline           *timeline,
           const CycTimelineArea *area,
           CycTimelineGrouping    grouping,
           const char            *argument,
           guint                  n_threads)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CycTimelineTable) table =
    cyc_timeline_query (timeline, area, grouping, argument, n_threads, NULL, &error);
  GString *text = g_string_new (NULL);
  guint n;

  g_assert_no_error (error);
  g_assert_true (cyc_timeline_table_get_grouping (table) == grouping);
  const CycTimelineStat *rows = cyc_timeline_table_get_rows (table, &n);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s %u %g %g %g %g %g; ", rows[i].label != NULL ? rows[i].label : "-",
                            (guint) rows[i].count, (double) rows[i].sum / 1e6, (double) rows[i].min / 1e6,
                            (double) rows[i].max / 1e6, (double) rows[i].median / 1e6, (double) rows[i].self / 1e6);
  return g_string_free (text, FALSE);
}

static void
assert_table (CycTimeline         *timeline,
              CycTimelineGrouping  grouping,
              const char          *argument,
              const char          *expected)
{
  CycTimelineArea area;

  cyc_timeline_area_init (&area, timeline);
  for (guint n_threads = 0; n_threads < 4; n_threads++)
    {
      g_autofree char *text = dup_table (timeline, &area, grouping, argument, n_threads);
      g_assert_cmpstr (text, ==, expected);
    }
}

#define SPAN(name, tid, ts, dur, more) \
  "{\"ph\":\"X\",\"pid\":1,\"tid\":" tid ",\"name\":\"" name "\",\"ts\":" ts ",\"dur\":" dur more "},"

/* In "outer" two spans that overlap: together they cover 10 to 90, so that 20 are left of its 100. */
static void
test_union (void)
{
  g_autoptr (CycTimeline) timeline = test_timeline_new (
    "[" SPAN ("outer", "1", "0", "100", "") SPAN ("a", "1", "10", "40", "") SPAN ("b", "1", "40", "50", "")
    SPAN ("inside", "1", "45", "2", "") "]", FALSE);

  assert_table (timeline, CYC_TIMELINE_BY_NAME, NULL,
                "outer 1 100 100 100 100 20; b 1 50 50 50 50 48; a 1 40 40 40 40 38; inside 1 2 2 2 2 2; ");
  assert_table (timeline, CYC_TIMELINE_BY_TRACK, NULL, "1 4 192 2 100 40 108; ");
  assert_table (timeline, CYC_TIMELINE_BY_NOTHING, NULL, "- 4 192 2 100 40 108; ");
}

/* The same interval twice: the first holds the second, and has nothing left to itself. */
static void
test_same (void)
{
  g_autoptr (CycTimeline) timeline = test_timeline_new (
    "[" SPAN ("a", "1", "0", "10", "") SPAN ("b", "1", "0", "10", "") SPAN ("c", "1", "5", "10", "")
    SPAN ("d", "1", "5", "10", "") "]", FALSE);

  assert_table (timeline, CYC_TIMELINE_BY_NAME, NULL,
                "a 1 10 10 10 10 0; b 1 10 10 10 10 10; c 1 10 10 10 10 0; d 1 10 10 10 10 10; ");
}

static void
test_arguments (void)
{
  g_autoptr (CycTimeline) timeline = test_timeline_new (
    "[" SPAN ("a", "1", "0", "1", ",\"args\":{\"owner_id\":3,\"k\":\"x\\u0041\"}")
    SPAN ("b", "1", "10", "2", ",\"args\":{\"owner_id\":\"3\",\"k\":\"xA\"}")
    SPAN ("c", "2", "0", "4", ",\"args\":{\"own\\u0065r_id\":4,\"k\":\"\"}") SPAN ("d", "2", "10", "8", "")
    SPAN ("e", "2", "20", "16", ",\"id\":7,\"args\":{\"owner_id\":{\"n\":[1]}}") "]", FALSE);
  g_auto (GStrv) names = cyc_timeline_list_arguments (timeline);
  g_autofree char *joined = g_strjoinv (" ", names);

  g_assert_cmpstr (joined, ==, "owner_id k");
  assert_table (timeline, CYC_TIMELINE_BY_ARGUMENT, "owner_id",
                "{\"n\":[1]} 1 16 16 16 16 16; - 1 8 8 8 8 8; 4 1 4 4 4 4 4; 3 2 3 1 2 1 3; ");
  /* The empty text is a value: nine characters, none of them seen. */
  g_autoptr (CycTimelineColumn) column = cyc_timeline_get_column (timeline, "k", NULL, NULL);
  g_assert_cmpuint (cyc_timeline_column_get_n_values (column), ==, 3);
  g_assert_cmpuint (cyc_timeline_column_get (column, 0), ==, cyc_timeline_column_get (column, 1));
  g_assert_cmpstr (cyc_timeline_column_get_value (column, cyc_timeline_column_get (column, 0)), ==, "xA");
  g_assert_cmpstr (cyc_timeline_column_get_value (column, cyc_timeline_column_get (column, 2)), ==, "");
  g_assert_null (cyc_timeline_column_get_value (column, cyc_timeline_column_get (column, 3)));
  assert_table (timeline, CYC_TIMELINE_BY_ARGUMENT, "nobody", "- 5 31 1 16 4 31; ");
}

/* The same key elsewhere is another: in texts, in values, beside the arguments. */
static void
test_argument_places (void)
{
  g_autoptr (CycTimeline) timeline = test_timeline_new (
    "[" SPAN ("a", "1", "0", "1", ",\"args\":{\"o\":{\"k\":1,\"l\":[{\"k\":2}]},\"t\":\"\\\"k\\\":3, {\",\"k\":4}")
    SPAN ("b", "1", "10", "1", ",\"k\":5,\"args\":{\"kk\":6},\"o\":{\"k\":7},\"l\":[{\"args\":{\"k\":8}}]")
    SPAN ("c", "1", "20", "1", ",\"id\":\"args\",\"args\": { \"k\" : -1.5e3 , \"z\" : null } ,\"k\":9")
    SPAN ("d", "1", "30", "1", ",\"args\":{\"k\":[1,{\"k\":\"]}\"}],\"x\":true}")
    SPAN ("e", "1", "40", "1", ",\"args\":{\"k\":1,\"k\":\"}\"}") SPAN ("f", "1", "50", "1", ",\"args\":{}")
    SPAN ("g", "1", "60", "1", ",\"args\":\"k\",\"k\":10") SPAN ("h", "1", "70", "1", ",\"\\u0061rgs\":{\"k\":11,}")
    "]", FALSE);
  static const char *const expected[] = { "4", NULL, "-1.5e3", "[1,{\"k\":\"]}\"}]", "}", NULL, NULL, "11" };
  g_autoptr (CycTimelineColumn) column = cyc_timeline_get_column (timeline, "k", NULL, NULL);

  g_assert_cmpuint (cyc_timeline_get_spans (timeline)->n, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmpstr (cyc_timeline_column_get_value (column, cyc_timeline_column_get (column, i)), ==, expected[i]);
}

static void
test_cancelled (void)
{
  g_autoptr (CycTimeline) timeline = test_timeline_new ("[" SPAN ("a", "1", "0", "1", "") "]", FALSE);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  CycTimelineArea area;

  cyc_timeline_area_init (&area, timeline);
  g_cancellable_cancel (cancellable);
  for (guint by = CYC_TIMELINE_BY_NAME; by <= CYC_TIMELINE_BY_NOTHING; by++)
    {
      g_autoptr (GError) error = NULL;
      g_assert_null (cyc_timeline_query (timeline, &area, by, "k", 0, cancellable, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    }
}

/* An outlier of 200 days is the median where it is in the middle. */
static void
test_outliers (void)
{
  g_autoptr (CycTimeline) timeline = test_timeline_new (
    "[" SPAN ("a", "1", "0", "1", "") SPAN ("a", "1", "10", "17280000000000", ",\"args\":{\"k\":1}")
    SPAN ("a", "1", "20", "17280000000001", ",\"args\":{\"k\":1}") SPAN ("b", "1", "2", "3", ",\"args\":{\"k\":2}") "]",
    FALSE);

  assert_table (timeline, CYC_TIMELINE_BY_NAME, NULL,
                "a 3 3.456e+13 1 1.728e+13 1.728e+13 3.456e+13; b 1 3 3 3 3 3; ");
  assert_table (timeline, CYC_TIMELINE_BY_ARGUMENT, "k",
                "1 2 3.456e+13 1.728e+13 1.728e+13 1.728e+13 3.456e+13; 2 1 3 3 3 3 3; - 1 1 1 1 1 1; ");
}

/* The median of all is looked for among the same values once more: the lower of 1000 and 5000. */
static void
test_outlier_median (void)
{
  g_autoptr (CycTimeline) timeline = test_timeline_new (
    "[" SPAN ("a", "1", "0", "1", "") SPAN ("a", "1", "10", "1000", "") SPAN ("a", "1", "2000", "5000", "")
    SPAN ("a", "1", "9000", "17280000000000", "") "]",
    FALSE);

  assert_table (timeline, CYC_TIMELINE_BY_NAME, NULL,
                "a 4 1.728e+13 1 1.728e+13 1000 1.728e+13; ");
}

/* Random spans */

static CycTimeline *
make_random (GRand *rand,
             Span  *spans,
             guint  n)
{
  g_autoptr (GString) json = g_string_new ("[");

  for (guint i = 0; i < n; i++)
    {
      guint start = (guint) g_rand_int_range (rand, 0, LENGTH);
      /* Most of them short, so that they nest as well as overlap; some without duration. */
      guint length = (guint) g_rand_int_range (rand, 0, i % 7 == 0 ? 200 : 30);
      spans[i] = (Span) { (guint) g_rand_int_range (rand, 0, N_TRACKS), start, start + length,
                          (guint) g_rand_int_range (rand, 0, 5), (guint) g_rand_int_range (rand, 0, 4) };
      g_string_append_printf (json, SPAN ("n%u", "%u", "%u", "%u", ""), spans[i].track, spans[i].name, start, length);
      if (spans[i].owner == 0)
        continue;
      g_string_truncate (json, json->len - 2);
      g_string_append_printf (json, ",\"args\":{\"owner\":%u}},", spans[i].owner);
    }
  return test_timeline_new (json->str, FALSE);
}

/* Whether @b lies inside of @a: the shorter in the longer, the later in the file in the earlier. */
static gboolean
holds (const Span *a,
       const Span *b)
{
  if (a == b || a->track != b->track || b->start < a->start || b->end > a->end || b->start == b->end)
    return FALSE;
  return a->start != b->start || a->end != b->end || a < b;
}

static int
compare_ints (gconstpointer pa,
              gconstpointer pb)
{
  const guint *a = pa, *b = pb;

  return (*a > *b) - (*a < *b);
}

/* A group's row, counted moment by moment. */
static void
append_expected (GString    *out,
                 const char *label,
                 const Span *spans,
                 guint       n,
                 const guint *groups,
                 guint       group,
                 guint       from,
                 guint       to)
{
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (guint));
  guint sum = 0, self = 0;

  for (guint i = 0; i < n; i++)
    {
      const Span *span = &spans[i];
      guint start = MAX (span->start, from), end = MIN (span->end, to), part = end > start ? end - start : 0;
      gboolean inside = span->start == span->end ? span->start >= from && span->start < to : part > 0;
      if (groups[i] != group || !inside)
        continue;
      g_array_append_val (parts, part);
      sum += part;
      for (guint time = start; time < end; time++)
        {
          gboolean covered = FALSE;
          for (guint k = 0; k < n && !covered; k++)
            covered = holds (span, &spans[k]) && spans[k].start <= time && time < spans[k].end;
          self += !covered;
        }
    }
  if (parts->len == 0)
    return;
  g_array_sort (parts, compare_ints);
  g_string_append_printf (out, "%s %u %u %u %u %u %u\n", label, parts->len, sum, g_array_index (parts, guint, 0),
                          g_array_index (parts, guint, parts->len - 1),
                          g_array_index (parts, guint, (parts->len - 1) / 2), self);
}

static int
compare_lines (const void *a,
               const void *b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

static char *
sort_lines (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  qsort (lines, g_strv_length (lines), sizeof *lines, compare_lines);
  return g_strjoinv ("\n", lines);
}

static void
check_random (CycTimeline         *timeline,
              const Span          *spans,
              guint                n,
              CycTimelineGrouping  by,
              guint                from,
              guint                to)
{
  CycTimelineArea area = { from * (gint64) CYC_PS_PER_US, to * (gint64) CYC_PS_PER_US, TRUE, TRUE, NULL };
  gint64 base = cyc_timeline_get_base (timeline) * CYC_PS_PER_US;
  g_autofree guint *groups = g_new (guint, n);
  g_autoptr (GString) expected = g_string_new (NULL);

  area.from -= base;
  area.to -= base;
  g_autofree char *table = dup_table (timeline, &area, by, "owner", 2);
  for (guint i = 0; i < n; i++)
    groups[i] = by == CYC_TIMELINE_BY_NAME ? spans[i].name : by == CYC_TIMELINE_BY_TRACK ? spans[i].track
                : by == CYC_TIMELINE_BY_ARGUMENT ? spans[i].owner : 0;
  for (guint group = 0; group < 6; group++)
    {
      g_autofree char *label = g_strdup_printf (by == CYC_TIMELINE_BY_NAME ? "n%u" : "%u", group);
      gboolean none = by == CYC_TIMELINE_BY_NOTHING || (by == CYC_TIMELINE_BY_ARGUMENT && group == 0);
      append_expected (expected, none ? "-" : label, spans, n, groups, group, from, to);
    }
  g_autoptr (GString) lines = g_string_new (table);
  g_string_replace (lines, "; ", "\n", 0);
  g_autofree char *got = sort_lines (lines->str), *wanted = sort_lines (expected->str);
  g_assert_cmpstr (got, ==, wanted);
}

static void
test_random (void)
{
  for (guint seed = 0; seed < 60; seed++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
      guint n = 1 + seed * 3;
      g_autofree Span *spans = g_new (Span, n);
      g_autoptr (CycTimeline) timeline = make_random (rand, spans, n);
      for (guint by = CYC_TIMELINE_BY_NAME; by <= CYC_TIMELINE_BY_NOTHING; by++)
        {
          guint from = (guint) g_rand_int_range (rand, 0, LENGTH);
          check_random (timeline, spans, n, by, 0, 2 * LENGTH);
          check_random (timeline, spans, n, by, from, from + (guint) g_rand_int_range (rand, 0, 100));
        }
    }
}

/* So many that two threads work on them; each has to come to the same. */
static void
test_threads (void)
{
  g_autoptr (GString) json = g_string_new ("[");
  CycTimelineArea area;

  for (guint i = 0; i < 250000; i++)
    g_string_append_printf (json, SPAN ("n%u", "%u", "%u", "%u", ""), i % 5, i * 7919 % 300, i * 3 + i % 2,
                            i * 7907 % (i % 64 == 0 ? 40 : 8));
  g_autoptr (CycTimeline) timeline = test_timeline_new (json->str, FALSE);
  cyc_timeline_area_init (&area, timeline);
  for (guint by = CYC_TIMELINE_BY_NAME; by <= CYC_TIMELINE_BY_NOTHING; by++)
    {
      g_autofree char *one = dup_table (timeline, &area, by, "k", 1);
      g_autofree char *two = dup_table (timeline, &area, by, "k", 2);
      g_assert_cmpstr (one, ==, two);
      g_assert_cmpuint (strlen (one), >, 10);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/timeline-query/union", test_union);
  g_test_add_func ("/core/timeline-query/same", test_same);
  g_test_add_func ("/core/timeline-query/arguments", test_arguments);
  g_test_add_func ("/core/timeline-query/argument-places", test_argument_places);
  g_test_add_func ("/core/timeline-query/cancelled", test_cancelled);
  g_test_add_func ("/core/timeline-query/outliers", test_outliers);
  g_test_add_func ("/core/timeline-query/outlier-median", test_outlier_median);
  g_test_add_func ("/core/timeline-query/random", test_random);
  g_test_add_func ("/core/timeline-query/threads", test_threads);
  return g_test_run ();
}
