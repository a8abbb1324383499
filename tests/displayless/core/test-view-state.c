/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <utime.h>

#include "core/timeline/cyc-view-state.h"
#include "support/test-folder.h"
#include "support/test-timeline.h"

/* 1,000,000 ps a microsecond. Two processes; cores of two types in the first one, which lasts 100 microseconds. */
#define NAME(pid, tid, text) \
  "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":" pid ",\"tid\":" tid ",\"args\":{\"name\":\"" text "\"}},"
#define SPAN(pid, tid, name, ts, dur) \
  "{\"ph\":\"X\",\"name\":\"" name "\",\"pid\":" pid ",\"tid\":" tid ",\"ts\":" ts ",\"dur\":" dur "},"

static const char trace[] =
  "[" NAME ("1", "1", "AIC/0") NAME ("1", "2", "AIC/1") NAME ("1", "3", "AIV/0") NAME ("1", "4", "AIV/1")
  NAME ("2", "1", "main") SPAN ("1", "1", "a", "0", "100") SPAN ("1", "2", "b", "10", "20")
  SPAN ("1", "3", "c", "5", "5") SPAN ("1", "4", "d", "50", "1") SPAN ("2", "1", "e", "1", "2") "]";

static guint32
find_node (CycViewState *state,
           const char   *name)
{
  guint32 n;
  const CycTrackNode *nodes = cyc_track_tree_get_nodes (cyc_view_state_get_tree (state), &n);

  for (guint32 i = 0; i < n; i++)
    if (g_str_equal (nodes[i].name, name))
      return i;
  g_assert_not_reached ();
}

/* The lines that are shown: the pinned ones with a star, collapsed ones with a plus. */
static char *
dup_lines (CycViewState *state)
{
  guint32 n_nodes;
  guint n;
  const CycTrackNode *nodes = cyc_track_tree_get_nodes (cyc_view_state_get_tree (state), &n_nodes);
  const CycViewLine *lines = cyc_view_state_get_lines (state, &n);
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (out, "%s%s%u%s%s", i > 0 ? " " : "", lines[i].pinned ? "*" : "", lines[i].depth,
                            nodes[lines[i].node].name, lines[i].collapsed ? "+" : "");
  return g_string_free (out, FALSE);
}

static void
assert_lines (CycViewState *state,
              const char   *expected)
{
  g_autofree char *lines = dup_lines (state);

  g_assert_cmpstr (lines, ==, expected);
}

static void
test_range (void)
{
  g_autoptr (CycTimeline) timeline = test_timeline_new (trace, FALSE);
  g_autoptr (CycViewState) state = cyc_view_state_new (timeline);
  gint64 from, to;
  double fraction, length;

  /* All, and one part in a hundred at each end. */
  cyc_view_state_get_range (state, &from, &to);
  g_assert_cmpint (from, ==, -1000000);
  g_assert_cmpint (to, ==, 101000000);
  g_assert_false (cyc_view_state_can_go (state, -1));
  cyc_view_state_set_range (state, 20000000, 40000000);
  cyc_view_state_get_range (state, &from, &to);
  g_assert_cmpint (from, ==, 20000000);
  g_assert_cmpint (to, ==, 40000000);
  /* A quarter from the left stays: 25 microseconds. */
  cyc_view_state_zoom (state, 4, 0.25);
  cyc_view_state_get_range (state, &from, &to);
  g_assert_cmpint (from, ==, 25000000 - 1250000);
  g_assert_cmpint (to, ==, 25000000 + 3750000);
  cyc_view_state_pan (state, 0.5);
  cyc_view_state_get_range (state, &from, &to);
  g_assert_cmpint (from, ==, 23750000 + 2500000);
  /* Not beyond the end. */
  cyc_view_state_pan (state, 1000);
  cyc_view_state_get_range (state, &from, &to);
  g_assert_cmpint (to, ==, 101000000);
  g_assert_cmpint (to - from, ==, 5000000);
  /* Zooming, and what follows at once, is one step. */
  cyc_view_state_go (state, -1);
  cyc_view_state_get_range (state, &from, &to);
  g_assert_cmpint (from, ==, 20000000);
  cyc_view_state_go (state, 1);
  cyc_view_state_get_range (state, &from, &to);
  g_assert_cmpint (to, ==, 101000000);
  /* A drag is one step, too. */
  cyc_view_state_set_range (state, 0, 50000000);
  for (guint i = 1; i <= 10; i++)
    cyc_view_state_drag_range (state, i * 1000000, 50000000);
  cyc_view_state_go (state, -1);
  cyc_view_state_get_range (state, &from, &to);
  g_assert_cmpint (from, ==, 0);
  g_assert_cmpint (to, ==, 50000000);
  /* Parts of a unit are kept while one zooms in and out. */
  for (guint i = 0; i < 80; i++)
    cyc_view_state_zoom (state, 1.25, 1.0 / 3);
  cyc_view_state_get_exact_range (state, &from, &fraction, &length);
  g_assert_cmpfloat (length, ==, 4);
  g_assert_cmpfloat (fraction, >=, 0);
  g_assert_cmpfloat (fraction, <, 1);
  double place = (double) from + fraction + length / 3;
  cyc_view_state_zoom (state, 1 / 16.0, 1.0 / 3);
  cyc_view_state_get_exact_range (state, &from, &fraction, &length);
  g_assert_cmpfloat (fabs ((double) from + fraction + length / 3 - place), <, 1e-6);
}

static void
test_tracks (void)
{
  g_autoptr (CycTimeline) timeline = test_timeline_new (trace, FALSE);
  g_autoptr (CycViewState) state = cyc_view_state_new (timeline);

  assert_lines (state, "01 1AIC 2AIC/0 2AIC/1 1AIV 2AIV/0 2AIV/1 02 1main");
  cyc_view_state_set_node_flags (state, find_node (state, "AIC"), CYC_NODE_COLLAPSED, CYC_NODE_COLLAPSED);
  assert_lines (state, "01 1AIC+ 1AIV 2AIV/0 2AIV/1 02 1main");
  cyc_view_state_set_node_flags (state, find_node (state, "AIV/1"), CYC_NODE_PINNED, CYC_NODE_PINNED);
  assert_lines (state, "*0AIV/1 01 1AIC+ 1AIV 2AIV/0 02 1main");
  /* What a filter finds is shown even in what is collapsed; what is pinned stays. */
  cyc_view_state_set_filter (state, "aic/1");
  assert_lines (state, "*0AIV/1 01 1AIC 2AIC/1");
  cyc_view_state_set_filter (state, "AIC");
  assert_lines (state, "*0AIV/1 01 1AIC 2AIC/0 2AIC/1");
  cyc_view_state_reveal_node (state, find_node (state, "main"));
  assert_lines (state, "*0AIV/1 01 1AIC+ 1AIV 2AIV/0 02 1main");
  cyc_view_state_move_node (state, find_node (state, "AIV"), -1);
  assert_lines (state, "*0AIV/1 01 1AIV 2AIV/0 1AIC+ 02 1main");
  cyc_view_state_move_node (state, find_node (state, "1"), 5);
  assert_lines (state, "*0AIV/1 02 1main 01 1AIV 2AIV/0 1AIC+");
  /* With it goes what is pinned of it. */
  cyc_view_state_set_node_flags (state, find_node (state, "1"), CYC_NODE_HIDDEN, CYC_NODE_HIDDEN);
  assert_lines (state, "02 1main");
  g_assert_cmpuint (cyc_view_state_get_n_hidden (state), ==, 1);
  cyc_view_state_reveal_node (state, find_node (state, "AIC/0"));
  assert_lines (state, "*0AIV/1 02 1main 01 1AIV 2AIV/0 1AIC 2AIC/0 2AIC/1");
  cyc_view_state_set_all_node_flags (state, CYC_NODE_COLLAPSED | CYC_NODE_PINNED, CYC_NODE_COLLAPSED);
  assert_lines (state, "02+ 01+");
}

static void
test_selection (void)
{
  g_autoptr (CycTimeline) timeline = test_timeline_new (trace, FALSE);
  g_autoptr (CycViewState) state = cyc_view_state_new (timeline);
  CycTimelineArea area;
  gboolean mixed;

  g_assert_false (cyc_view_state_get_area (state, &area));
  cyc_view_state_set_checked (state, find_node (state, "AIC"), TRUE);
  g_assert_cmpuint (cyc_view_state_get_n_checked (state), ==, 2);
  g_assert_false (cyc_view_state_is_checked (state, find_node (state, "1"), &mixed));
  g_assert_true (mixed);
  g_assert_true (cyc_view_state_is_checked (state, find_node (state, "AIC"), &mixed));
  g_assert_false (mixed);
  /* Tracks without a range: the whole of the time. */
  g_assert_true (cyc_view_state_get_area (state, &area));
  g_assert_false (area.has_from || area.has_to);
  g_assert_true (area.tracks[0] && area.tracks[1] && !area.tracks[2]);
  cyc_view_state_select_range (state, 30, 10);
  g_assert_true (cyc_view_state_get_area (state, &area));
  g_assert_cmpint (area.from, ==, 10);
  g_assert_cmpint (area.to, ==, 30);
  g_assert_true (area.has_from && area.has_to);
  cyc_view_state_unselect_range (state);
  g_assert_cmpuint (cyc_view_state_get_n_checked (state), ==, 2);
  cyc_view_state_clear_selection (state);
  g_assert_false (cyc_view_state_get_area (state, &area));
}

static void
test_saved (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autoptr (CycTimeline) timeline = test_timeline_new (trace, FALSE);
  g_autoptr (CycViewState) state = cyc_view_state_new (timeline), other = cyc_view_state_new (timeline);
  g_autofree char *path = g_build_filename (folder, "trace.json", NULL);
  g_autofree char *nowhere = g_build_filename (folder, "none", "trace.json", NULL);
  g_autofree char *views = g_build_filename (folder, "views", NULL);
  g_autoptr (GError) error = NULL;

  cyc_view_state_set_node_flags (state, find_node (state, "AIV"), CYC_NODE_COLLAPSED, CYC_NODE_COLLAPSED);
  cyc_view_state_set_node_flags (state, find_node (state, "main"), CYC_NODE_PINNED, CYC_NODE_PINNED);
  cyc_view_state_move_node (state, find_node (state, "AIC/0"), 1);
  cyc_view_state_set_node_height (state, find_node (state, "AIC/1"), 4);
  cyc_view_state_set_node_scale (state, find_node (state, "AIC/1"), CYC_NODE_SCALE_SHARED);
  cyc_view_state_set_checked (state, find_node (state, "AIC/1"), TRUE);
  cyc_view_state_set_colour_mode (state, CYC_COLOUR_BY_OWNER);
  cyc_view_state_set_unit (state, CYC_VIEW_TIME);
  cyc_view_state_set_flags (state, CYC_VIEW_ALL_FLOWS | CYC_VIEW_DETAILS, CYC_VIEW_ALL_FLOWS);
  cyc_view_state_set_range (state, 20000000, 40000001);
  cyc_view_state_set_scroll (state, 2.5);
  cyc_view_state_set_span (state, 1);
  cyc_view_state_select_range (state, 7, 9);
  cyc_view_state_add_mark (state, 5, 5, "here \"it\" is", TRUE);
  g_autofree char *json = cyc_view_state_to_json (state);

  /* Beside the trace; where there is no such folder, in that of the views. */
  g_assert_true (cyc_view_state_write (json, path, views, &error));
  g_assert_no_error (error);
  g_assert_true (cyc_view_state_write (json, nowhere, views, &error));
  g_assert_no_error (error);
  g_autofree char *beside = cyc_view_state_read (path, NULL, &error);
  g_autofree char *away = cyc_view_state_read (nowhere, views, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (beside, ==, json);
  g_assert_cmpstr (away, ==, json);
  g_assert_null (cyc_view_state_read (nowhere, NULL, &error));
  g_assert_nonnull (error);
  g_clear_error (&error);

  g_assert_true (cyc_view_state_apply_json (other, json, -1, "view", &error));
  g_assert_no_error (error);
  g_autofree char *again = cyc_view_state_to_json (other);
  g_assert_cmpstr (again, ==, json);
  assert_lines (other, "*0main 01 1AIC 2AIC/1 2AIC/0 1AIV+ 02");
  g_assert_cmpuint (cyc_view_state_get_node_height (other, find_node (other, "AIC/1")), ==, 4);
  g_assert_cmpuint (cyc_view_state_get_span (other), ==, 1);
  g_assert_cmpstr (cyc_view_state_get_mark (other, 0)->name, ==, "here \"it\" is");
  g_assert_false (cyc_view_state_get_flags (other) & CYC_VIEW_DETAILS);
}

/* Of a view beside the trace and one in the folder, the later one is read; one of another base is kept. */
static void
test_places (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  static const char old[] = "{\"version\":1,\"base\":7}", new[] = "{\"version\":1,\"base\":8}";
  g_autofree char *path = g_build_filename (folder, "trace.json", NULL);
  g_autofree char *views = g_build_filename (folder, "views", NULL);
  g_autofree char *beside = cyc_view_state_dup_path (path, NULL);
  g_autofree char *away = cyc_view_state_dup_path (path, views);
  g_autofree char *kept = g_strconcat (beside, ".bak", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (cyc_view_state_write (old, path, NULL, &error));
  g_assert_cmpint (g_mkdir (views, 0755), ==, 0);
  g_assert_true (g_file_set_contents (away, new, -1, &error));
  g_assert_no_error (error);
  g_assert_cmpint (g_utime (beside, &(struct utimbuf) { 1000, 1000 }), ==, 0);
  g_assert_cmpint (g_utime (away, &(struct utimbuf) { 2000, 2000 }), ==, 0);
  g_autofree char *later = cyc_view_state_read (path, views, &error);
  g_assert_cmpstr (later, ==, new);
  g_assert_cmpint (g_utime (beside, &(struct utimbuf) { 3000, 3000 }), ==, 0);
  g_autofree char *latest = cyc_view_state_read (path, views, &error);
  g_assert_cmpstr (latest, ==, old);

  g_assert_true (cyc_view_state_write (old, path, views, &error));
  g_assert_false (g_file_test (kept, G_FILE_TEST_EXISTS));
  g_assert_true (cyc_view_state_write (new, path, views, &error));
  g_assert_true (g_file_get_contents (kept, &text, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, old);
}

/* Of what does not fit, what fits is taken; what is no view is refused. */
static void
test_tolerant (void)
{
  g_autoptr (CycTimeline) timeline = test_timeline_new (trace, FALSE);
  g_autoptr (CycViewState) state = cyc_view_state_new (timeline);
  g_autoptr (GError) error = NULL;
  gint64 from, to;
  static const char *const bad[] = { "", "[]", "{}", "{\"version\":2}", "{\"version\":\"1\"}", "{\"version\":1" };
  const char *odd =
    "{\"version\":1,\"base\":0,\"from\":\"x\",\"to\":7,\"scroll\":-3,\"colour\":\"mauve\",\"unit\":\"time\","
    "\"filter\":null,\"span\":{\"number\":99999,\"start\":0,\"name\":\"a\"},\"selection\":{\"from\":9,\"to\":2},"
    "\"tracks\":[1,null,{\"track\":\"thread:1:77\",\"pinned\":true},{\"track\":\"thread:1:2\",\"pinned\":true,"
    "\"height\":900,\"rank\":-4},{\"collapsed\":true}],\"notes\":[{\"from\":1},{\"from\":1,\"to\":2}],\"new\":{}}";
  const char *moved = "{\"version\":1,\"base\":12,\"from\":5,\"to\":50,\"tracks\":[{\"track\":\"group:1:AIV\","
                      "\"collapsed\":true}],\"notes\":[{\"from\":1,\"to\":2}]}";

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_assert_false (cyc_view_state_apply_json (state, bad[i], -1, "view", &error));
      g_assert_true (g_str_has_prefix (error->message, "view"));
      g_clear_error (&error);
    }
  g_assert_true (cyc_view_state_apply_json (state, odd, -1, "view", &error));
  g_assert_no_error (error);
  assert_lines (state, "*0AIC/1 01 1AIC 2AIC/0 1AIV 2AIV/0 2AIV/1 02 1main");
  g_assert_cmpuint (cyc_view_state_get_node_height (state, find_node (state, "AIC/1")), ==, 1);
  g_assert_cmpint (cyc_view_state_get_colour_mode (state), ==, CYC_COLOUR_BY_NAME);
  g_assert_cmpint (cyc_view_state_get_unit (state), ==, CYC_VIEW_TIME);
  g_assert_cmpuint (cyc_view_state_get_span (state), ==, CYC_TIMELINE_NONE);
  g_assert_false (cyc_view_state_get_selected_range (state, NULL, NULL));
  g_assert_cmpuint (cyc_view_state_get_n_marks (state), ==, 1);
  cyc_view_state_get_range (state, &from, &to);
  g_assert_cmpint (from, ==, -1000000);
  /* Times of a file that begins elsewhere mean others. */
  g_assert_true (cyc_view_state_apply_json (state, moved, -1, "view", &error));
  assert_lines (state, "01 1AIC 2AIC/0 2AIC/1 1AIV+ 02 1main");
  cyc_view_state_get_range (state, &from, &to);
  g_assert_cmpint (from, ==, -1000000);
}

static void
count_cb (guint *n)
{
  (*n)++;
}

/* Widgets hear of what changes, and of nothing else. */
static void
test_signals (void)
{
  g_autoptr (CycTimeline) timeline = test_timeline_new (trace, FALSE);
  g_autoptr (CycViewState) state = cyc_view_state_new (timeline);
  guint n_range = 0, n_selection = 0, n_tracks = 0;

  g_signal_connect_swapped (state, "range-changed", G_CALLBACK (count_cb), &n_range);
  g_signal_connect_swapped (state, "selection-changed", G_CALLBACK (count_cb), &n_selection);
  g_signal_connect_swapped (state, "tracks-changed", G_CALLBACK (count_cb), &n_tracks);
  for (guint i = 0; i < 2; i++)
    {
      cyc_view_state_set_range (state, 10, 1000);
      cyc_view_state_set_span (state, 2);
      cyc_view_state_select_range (state, 5, 6);
      cyc_view_state_set_filter (state, "x");
    }
  g_assert_cmpuint (n_range, ==, 1);
  g_assert_cmpuint (n_selection, ==, 2);
  g_assert_cmpuint (n_tracks, ==, 1);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/view-state/range", test_range);
  g_test_add_func ("/core/view-state/tracks", test_tracks);
  g_test_add_func ("/core/view-state/selection", test_selection);
  g_test_add_func ("/core/view-state/saved", test_saved);
  g_test_add_func ("/core/view-state/places", test_places);
  g_test_add_func ("/core/view-state/tolerant", test_tolerant);
  g_test_add_func ("/core/view-state/signals", test_signals);
  return g_test_run ();
}
