/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "core/timeline/cyc-timeline-search.h"
#include "support/test-timeline.h"

/* What a search finds, against what stands in the file. */

#define SPAN(tid, name, ts, more) \
  "{\"ph\":\"X\",\"pid\":1,\"tid\":" tid ",\"name\":\"" name "\",\"cat\":\"Cat\",\"ts\":" ts ",\"dur\":1" more "},"

static const char trace[] =
  "[" SPAN ("2", "MatMul", "5", "") SPAN ("1", "Wait", "3", ",\"args\":{\"for\":\"matmul\",\"n\":[12,{\"deep\":null}]}")
  SPAN ("1", "matrix", "9", "") SPAN ("1", "x", "5", ",\"args\":{\"Key\":\"a\\u006cpha \\\"q\\\"\"}")
  SPAN ("2", "GR\xc3\x9c\xc3\x9f" "E", "20", ",\"cat2\":\"alpha\"")
  "{\"ph\":\"i\",\"pid\":1,\"tid\":1,\"name\":\"mat!\",\"ts\":4}]";

/* Names of the hits and their times in microseconds. */
static char *
dup_hits (CycTimeline            *timeline,
          const char             *text,
          CycTimelineSearchFlags  flags)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CycTimelineHits) hits = cyc_timeline_search (timeline, text, flags, NULL, NULL, NULL, NULL, &error);
  const CycTimelineSpans *spans = cyc_timeline_get_spans (timeline);
  GString *out = g_string_new (NULL);
  CycTimelineHit hit;
  guint n;

  g_assert_no_error (error);
  for (guint32 i = 0; i < cyc_timeline_hits_get_n (hits); i++)
    {
      cyc_timeline_hits_get (hits, i, &hit);
      const CycTimelineRow *row = &cyc_timeline_get_rows (timeline, &n)[hit.row];
      g_assert_cmpuint (row->track, ==, hit.track);
      g_assert_true (hit.span >= row->first && hit.span < row->first + row->n);
      g_assert_cmpuint (cyc_timeline_hits_find (hits, hit.span), ==, i);
      g_string_append_printf (out, "%s %g %s; ", cyc_timeline_get_text (timeline, spans->name[hit.span]),
                              (double) (hit.time + cyc_timeline_get_base (timeline) * CYC_PS_PER_US) / 1e6,
                              cyc_timeline_get_tracks (timeline, &n)[hit.track].name);
    }
  return g_string_free (out, FALSE);
}

static void
assert_hits (CycTimeline            *timeline,
             const char             *text,
             CycTimelineSearchFlags  flags,
             const char             *expected)
{
  g_autofree char *found = dup_hits (timeline, text, flags);

  g_assert_cmpstr (found, ==, expected);
}

static void
test_names (void)
{
  g_autoptr (CycTimeline) timeline = test_timeline_new (trace, FALSE);

  assert_hits (timeline, "mat", CYC_TIMELINE_SEARCH_NAMES, "mat! 4 1; MatMul 5 2; matrix 9 1; ");
  assert_hits (timeline, "MATM", CYC_TIMELINE_SEARCH_NAMES, "MatMul 5 2; ");
  assert_hits (timeline, "gr\xc3\xbcsse", CYC_TIMELINE_SEARCH_NAMES, "GR\xc3\x9c\xc3\x9f" "E 20 2; ");
  assert_hits (timeline, "x", CYC_TIMELINE_SEARCH_NAMES, "x 5 1; matrix 9 1; ");
  assert_hits (timeline, "", CYC_TIMELINE_SEARCH_NAMES, "");
  assert_hits (timeline, "alpha", CYC_TIMELINE_SEARCH_NAMES, "");
  assert_hits (timeline, "cat", CYC_TIMELINE_SEARCH_CATEGORIES,
               "Wait 3 1; x 5 1; MatMul 5 2; matrix 9 1; GR\xc3\x9c\xc3\x9f" "E 20 2; ");
}

static void
test_arguments (void)
{
  g_autoptr (CycTimeline) timeline = test_timeline_new (trace, FALSE);
  const CycTimelineSearchFlags both = CYC_TIMELINE_SEARCH_NAMES | CYC_TIMELINE_SEARCH_ARGUMENTS;

  assert_hits (timeline, "matm", both, "Wait 3 1; MatMul 5 2; ");
  /* Escapes are what they stand for, and what is no argument is not searched. */
  assert_hits (timeline, "ALPHA \"q", CYC_TIMELINE_SEARCH_ARGUMENTS, "x 5 1; ");
  assert_hits (timeline, "alpha", both, "x 5 1; ");
  assert_hits (timeline, "key", both, "x 5 1; ");
  assert_hits (timeline, "deep", both, "Wait 3 1; ");
  assert_hits (timeline, "12", both, "Wait 3 1; ");
  /* Nothing is found across what is JSON's. */
  assert_hits (timeline, "12,", both, "");
  assert_hits (timeline, "for\"", both, "");
  assert_hits (timeline, "args", both, "");
}

static void
test_next (void)
{
  g_autoptr (CycTimeline) timeline = test_timeline_new (trace, FALSE);
  const gboolean second[] = { FALSE, TRUE };
  guint32 counts[4];

  g_autoptr (CycTimelineHits) hits =
    cyc_timeline_search (timeline, "m", CYC_TIMELINE_SEARCH_NAMES, NULL, NULL, NULL, NULL, NULL);
  gint64 base = cyc_timeline_get_base (timeline) * CYC_PS_PER_US;
  /* At 4, 5 and 9. */
  g_assert_cmpuint (cyc_timeline_hits_get_n (hits), ==, 3);
  g_assert_cmpuint (cyc_timeline_hits_find_next (hits, G_MININT64), ==, 0);
  g_assert_cmpuint (cyc_timeline_hits_find_next (hits, 4000000 - base), ==, 1);
  g_assert_cmpuint (cyc_timeline_hits_find_next (hits, 9000000 - base), ==, CYC_TIMELINE_NO_HIT);
  g_assert_cmpuint (cyc_timeline_hits_find_next (hits, G_MAXINT64), ==, CYC_TIMELINE_NO_HIT);
  g_assert_cmpuint (cyc_timeline_hits_find_previous (hits, 9000000 - base), ==, 1);
  g_assert_cmpuint (cyc_timeline_hits_find_previous (hits, 4000000 - base), ==, CYC_TIMELINE_NO_HIT);
  g_assert_cmpuint (cyc_timeline_hits_find_previous (hits, G_MAXINT64), ==, 2);
  cyc_timeline_hits_count (hits, 3000000 - base, 11000000 - base, 4, counts);
  g_assert_cmpuint (counts[0], ==, 1);
  g_assert_cmpuint (counts[1], ==, 1);
  g_assert_cmpuint (counts[2], ==, 0);
  g_assert_cmpuint (counts[3], ==, 1);
  g_autoptr (CycTimelineHits) one =
    cyc_timeline_search (timeline, "m", CYC_TIMELINE_SEARCH_NAMES, second, NULL, NULL, NULL, NULL);
  g_assert_cmpuint (cyc_timeline_hits_get_n (one), ==, 1);
  g_assert_cmpstr (cyc_timeline_hits_get_text (one), ==, "m");
  g_assert_true (cyc_timeline_hits_get_timeline (one) == timeline);
}

static void
count_cb (double   fraction,
          gpointer user_data)
{
  guint *n = user_data;

  g_assert_cmpfloat (fraction, >=, 0);
  g_assert_cmpfloat (fraction, <=, 1);
  (*n)++;
}

static void
test_long (void)
{
  g_autoptr (GString) json = g_string_new ("[");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  guint n = 0;

  for (guint i = 0; i < 40000; i++)
    g_string_append_printf (json, SPAN ("%u", "n%u", "%u", ""), i % 3, i % 4, i * 10);
  /* One so long that the columns do not reach it. */
  g_string_append (json, "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"name\":\"n1\",\"ts\":1,\"dur\":1e15}]");
  g_autoptr (CycTimeline) timeline = test_timeline_new (json->str, FALSE);
  g_autoptr (CycTimelineHits) hits =
    cyc_timeline_search (timeline, "N1", CYC_TIMELINE_SEARCH_NAMES, NULL, count_cb, &n, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (cyc_timeline_hits_get_n (hits), ==, 10000);
  g_assert_cmpuint (cyc_timeline_hits_get_n_outliers (hits), ==, 1);
  g_assert_cmpuint (n, >=, 2);
  g_cancellable_cancel (cancellable);
  g_assert_null (cyc_timeline_search (timeline, "N1", CYC_TIMELINE_SEARCH_NAMES, NULL, NULL, NULL, cancellable,
                                      &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/timeline-search/names", test_names);
  g_test_add_func ("/core/timeline-search/arguments", test_arguments);
  g_test_add_func ("/core/timeline-search/next", test_next);
  g_test_add_func ("/core/timeline-search/long", test_long);
  return g_test_run ();
}
