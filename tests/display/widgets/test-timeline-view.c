/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include "display.h"
#include "support/test-timeline.h"
#include "widgets/cyc-timeline-view.h"

/* A cycle of the clock of 50 MHz is 0.02 microseconds. Cores 0 to 3 of both types have a wait of 100 cycles, a stage
 * of 200 with another one of 50 inside, and a trigger of 20; core n begins 10 n cycles later. */
static char *
make_json (void)
{
  GString *out = g_string_new ("{\"traceEvents\":[{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":0,\"tid\":0,"
                               "\"args\":{\"name\":\"MegaMoe rank 0 device 0\"}}");

  for (guint core = 0; core < 8; core++)
    {
      guint tid = (core < 4 ? 1000 : 2000) + core % 4;
      const char *type = core < 4 ? "AIC" : "AIV";
      static const struct
      {
        const char *name;
        guint       desc;
        guint       start;
        guint       length;
      } parts[] = { { "WaitDependency", 65536, 0, 100 }, { "GMM1", 196608, 100, 200 }, { "Load", 196609, 120, 50 },
                    { "TriggerEvent", 65543, 300, 20 } };
      g_string_append_printf (out, ",{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":0,\"tid\":%u,\"args\":{\"name\":"
                              "\"%s/%u\"}},{\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":0,\"tid\":%u,\"args\":"
                              "{\"sort_index\":%u}}", tid, type, core % 4, tid, core);
      for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
        {
          guint start = 10 * (core % 4) + parts[i].start;
          g_string_append_printf (out, ",{\"name\":\"%s\",\"cat\":\"MegaKernelInternal\",\"ph\":\"X\",\"pid\":0,"
                                  "\"tid\":%u,\"ts\":%u.%02u,\"dur\":%u.%02u,\"args\":{\"rank\":0,\"device_id\":0,"
                                  "\"core_type\":\"%s\",\"block_id\":%u,\"task_id\":%u,\"desc_id\":%u,"
                                  "\"stage_task_index\":0,\"task_number\":1,\"start_cycle\":%u,\"end_cycle\":%u,"
                                  "\"core_entry_cycle\":1000,\"owner_id\":%u}}",
                                  parts[i].name, tid, start / 50, start % 50 * 2, parts[i].length / 50,
                                  parts[i].length % 50 * 2, type, core % 4, i, parts[i].desc, 1000 + start,
                                  1000 + start + parts[i].length, core);
        }
    }
  g_string_append (out, ",{\"ph\":\"C\",\"name\":\"queue\",\"pid\":0,\"ts\":0,\"args\":{\"ready\":1,\"busy\":4}}"
                   ",{\"ph\":\"C\",\"name\":\"queue\",\"pid\":0,\"ts\":3,\"args\":{\"ready\":5,\"busy\":2}}"
                   ",{\"ph\":\"s\",\"name\":\"dep\",\"cat\":\"dep\",\"id\":1,\"pid\":0,\"tid\":1000,\"ts\":3}"
                   ",{\"ph\":\"f\",\"bp\":\"e\",\"name\":\"dep\",\"cat\":\"dep\",\"id\":1,\"pid\":0,\"tid\":2003,"
                   "\"ts\":6.5}"
                   ",{\"ph\":\"i\",\"s\":\"t\",\"name\":\"mark\",\"pid\":0,\"tid\":1001,\"ts\":7}");
  g_string_append (out, "]}");
  return g_string_free (out, FALSE);
}

static CycTimeline *
load (void)
{
  g_autofree char *json = make_json ();

  return test_timeline_new (json, FALSE);
}

static CycTimelineView *
show (CycTimeline   *timeline,
      int            width,
      int            height,
      CycViewState **out_state)
{
  GtkWidget *view = cyc_timeline_view_new ();
  g_autoptr (CycViewState) state = cyc_view_state_new (timeline);

  cyc_timeline_view_set_state (CYC_TIMELINE_VIEW (view), state);
  display_show (view, width, height);
  gtk_widget_grab_focus (view);
  *out_state = state;
  return CYC_TIMELINE_VIEW (view);
}

/* Parts of the view are found by the names of their types. */
static GtkWidget *
part (CycTimelineView *view,
      const char      *type)
{
  GtkWidget *found = display_find (GTK_WIDGET (view), g_type_from_name (type), NULL);

  g_assert_nonnull (found);
  return found;
}

static GtkEventController *
controller (GtkWidget *widget,
            GType      type,
            guint      button)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) found = g_list_model_get_item (controllers, i);
      if (G_OBJECT_TYPE (found) == type
          && (button == 0 || gtk_gesture_single_get_button (GTK_GESTURE_SINGLE (found)) == button))
        return found;
    }
  g_assert_not_reached ();
}

static void
point (GtkWidget *widget,
       double     x,
       double     y)
{
  g_signal_emit_by_name (controller (widget, GTK_TYPE_EVENT_CONTROLLER_MOTION, 0), "motion", x, y);
}

static void
click (GtkWidget *widget,
       int        n_press,
       double     x,
       double     y)
{
  GtkEventController *gesture = controller (widget, GTK_TYPE_GESTURE_CLICK, GDK_BUTTON_PRIMARY);

  g_signal_emit_by_name (gesture, "pressed", n_press, x, y);
  g_signal_emit_by_name (gesture, "released", n_press, x, y);
}

static void
drag (GtkWidget *widget,
      guint      button,
      double     x,
      double     y,
      double     dx,
      double     dy)
{
  GtkEventController *gesture = controller (widget, GTK_TYPE_GESTURE_DRAG, button);

  g_signal_emit_by_name (gesture, "drag-begin", x, y);
  g_signal_emit_by_name (gesture, "drag-update", dx / 2, dy / 2);
  g_signal_emit_by_name (gesture, "drag-update", dx, dy);
  g_signal_emit_by_name (gesture, "drag-end", dx, dy);
}

/* The span of a name on a track of a name. */
static guint32
find_span (CycTimeline *timeline,
           const char  *track,
           const char  *name)
{
  const CycTimelineSpans *spans = cyc_timeline_get_spans (timeline);
  guint n, n_tracks;
  const CycTimelineRow *rows = cyc_timeline_get_rows (timeline, &n);
  const CycTimelineTrack *tracks = cyc_timeline_get_tracks (timeline, &n_tracks);

  for (guint32 i = 0; i < spans->n; i++)
    if (g_str_equal (cyc_timeline_get_text (timeline, spans->name[i]), name)
        && g_str_equal (tracks[rows[cyc_timeline_find_row (timeline, i)].track].name, track))
      return i;
  g_assert_not_reached ();
}

/* The middle of a span in the canvas. */
static void
get_middle (CycTimelineView *view,
            guint32          span,
            double          *x,
            double          *y)
{
  GdkRectangle rect;
  double left, top;

  g_assert_true (cyc_timeline_view_get_span_rect (view, span, &rect));
  gtk_widget_translate_coordinates (GTK_WIDGET (view), part (view, "CycTimelineCanvas"), rect.x, rect.y, &left, &top);
  *x = left + rect.width / 2.0;
  *y = top + rect.height / 2.0;
}

static double
get_place (CycViewState *state,
           gint64        time)
{
  gint64 from;
  double fraction, length;

  cyc_view_state_get_exact_range (state, &from, &fraction, &length);
  return ((double) (time - from) - fraction) / length;
}

static void
test_select (void)
{
  g_autoptr (CycTimeline) timeline = load ();
  CycViewState *state;
  CycTimelineView *view = show (timeline, 1000, 600, &state);
  GtkWidget *canvas = part (view, "CycTimelineCanvas");
  guint32 span = find_span (timeline, "AIC/3", "GMM1");
  double x, y;

  gtk_test_accessible_assert_role (GTK_ACCESSIBLE (canvas), GTK_ACCESSIBLE_ROLE_IMG);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (canvas), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Timeline: 33 spans on 9 tracks");
  get_middle (view, span, &x, &y);
  click (canvas, 1, x, y);
  g_assert_cmpuint (cyc_view_state_get_span (state), ==, span);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (canvas), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT,
                                       "GMM1, AIC core 3, start 2.6 µs, 4 µs");
  /* What lies inside of it is a row further down. */
  get_middle (view, find_span (timeline, "AIC/3", "Load"), &x, &y);
  click (canvas, 1, x, y);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (canvas), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT,
                                       "Load, AIC core 3, start 3 µs, 1 µs");
  display_keep_picture (GTK_WIDGET (view), "timeline-small");
  point (canvas, x, y);
  g_assert_cmpuint (cyc_timeline_view_get_hover (view), ==, cyc_view_state_get_span (state));
  /* A second click fits it. */
  click (canvas, 2, x, y);
  gint64 from, to;
  cyc_view_state_get_range (state, &from, &to);
  g_assert_cmpint (from, >=, 2000000);
  g_assert_cmpint (to, <=, 5000000);
  display_press (canvas, GDK_KEY_Escape, 0);
  g_assert_cmpuint (cyc_view_state_get_span (state), ==, CYC_TIMELINE_NONE);
  display_close (GTK_WIDGET (view));
}

static void
test_keys (void)
{
  g_autoptr (CycTimeline) timeline = load ();
  CycViewState *state;
  CycTimelineView *view = show (timeline, 1000, 600, &state);
  GtkWidget *canvas = part (view, "CycTimelineCanvas");
  gint64 from, to, all_from, all_to;

  cyc_timeline_view_go_to_span (view, find_span (timeline, "AIC/1", "WaitDependency"));
  display_press (canvas, GDK_KEY_period, 0);
  g_assert_cmpuint (cyc_view_state_get_span (state), ==, find_span (timeline, "AIC/1", "GMM1"));
  display_press (canvas, GDK_KEY_Right, 0);
  g_assert_cmpuint (cyc_view_state_get_span (state), ==, find_span (timeline, "AIC/1", "TriggerEvent"));
  display_press (canvas, GDK_KEY_comma, 0);
  g_assert_cmpuint (cyc_view_state_get_span (state), ==, find_span (timeline, "AIC/1", "GMM1"));
  /* The row below has what lies inside; below that comes the next core. */
  display_press (canvas, GDK_KEY_Down, 0);
  g_assert_cmpuint (cyc_view_state_get_span (state), ==, find_span (timeline, "AIC/1", "Load"));
  display_press (canvas, GDK_KEY_Down, 0);
  g_assert_cmpuint (cyc_view_state_get_span (state), ==, find_span (timeline, "AIC/2", "GMM1"));
  display_press (canvas, GDK_KEY_Up, 0);
  display_press (canvas, GDK_KEY_Up, 0);
  g_assert_cmpuint (cyc_view_state_get_span (state), ==, find_span (timeline, "AIC/1", "GMM1"));
  /* F: with some room at first, then tightly. */
  display_press (canvas, GDK_KEY_Down, 0);
  cyc_view_state_get_range (state, &all_from, &all_to);
  display_press (canvas, GDK_KEY_f, 0);
  cyc_view_state_get_range (state, &from, &to);
  g_assert_cmpint (from, ==, 2600000 - 250000);
  g_assert_cmpint (to, ==, 3600000 + 250000);
  display_press (canvas, GDK_KEY_f, 0);
  cyc_view_state_get_range (state, &from, &to);
  g_assert_cmpint (from, ==, 2600000);
  g_assert_cmpint (to, ==, 3600000);
  /* Back and forward. */
  display_press (canvas, GDK_KEY_Left, GDK_ALT_MASK);
  cyc_view_state_get_range (state, &from, &to);
  g_assert_cmpint (from, ==, 2350000);
  display_press (canvas, GDK_KEY_0, 0);
  cyc_view_state_get_range (state, &from, &to);
  g_assert_cmpint (from, ==, all_from);
  g_assert_cmpint (to, ==, all_to);
  /* R makes a range of the span, M a note that the next one replaces. */
  display_press (canvas, GDK_KEY_r, 0);
  g_assert_true (cyc_view_state_get_selected_range (state, &from, &to));
  g_assert_cmpint (from, ==, 2600000);
  g_assert_cmpint (to, ==, 3600000);
  display_press (canvas, GDK_KEY_m, 0);
  display_press (canvas, GDK_KEY_m, GDK_SHIFT_MASK);
  display_press (canvas, GDK_KEY_m, 0);
  g_assert_cmpuint (cyc_view_state_get_n_marks (state), ==, 2);
  g_assert_cmpint (cyc_view_state_get_mark (state, 0)->from, ==, 2600000);
  g_assert_true (cyc_view_state_get_flags (state) & CYC_VIEW_DETAILS);
  display_press (canvas, GDK_KEY_q, 0);
  g_assert_false (cyc_view_state_get_flags (state) & CYC_VIEW_DETAILS);
  display_keep_picture (GTK_WIDGET (view), "timeline-range");
  display_close (GTK_WIDGET (view));
}

/* What is below the pointer stays there. */
static void
test_zoom (void)
{
  g_autoptr (CycTimeline) timeline = load ();
  CycViewState *state;
  CycTimelineView *view = show (timeline, 1000, 600, &state);
  GtkWidget *canvas = part (view, "CycTimelineCanvas");
  guint32 span = find_span (timeline, "AIV/2", "GMM1");
  gint64 start = cyc_timeline_get_spans (timeline)->start[span];
  double x = get_place (state, start) * gtk_widget_get_width (canvas), width = gtk_widget_get_width (canvas);
  gint64 from, to, before_from, before_to;

  point (canvas, x, 100);
  for (guint i = 0; i < 12; i++)
    {
      display_press (canvas, GDK_KEY_w, 0);
      g_assert_cmpfloat (fabs (get_place (state, start) * width - x), <, 0.51);
    }
  cyc_view_state_get_range (state, &before_from, &before_to);
  g_assert_cmpint (before_to - before_from, <, 1000000);
  for (guint i = 0; i < 3; i++)
    display_press (canvas, GDK_KEY_s, 0);
  g_assert_cmpfloat (fabs (get_place (state, start) * width - x), <, 0.51);
  /* A drag with the middle button takes the picture along. */
  drag (canvas, GDK_BUTTON_MIDDLE, 300, 200, 120, 10);
  g_assert_cmpfloat (fabs (get_place (state, start) * width - x - 120), <, 0.51);
  cyc_view_state_get_range (state, &before_from, &before_to);
  display_press (canvas, GDK_KEY_d, 0);
  cyc_view_state_get_range (state, &from, &to);
  g_assert_cmpint (from, >, before_from);
  g_assert_cmpint (ABS ((to - from) - (before_to - before_from)), <=, 1);
  display_press (canvas, GDK_KEY_a, 0);
  display_close (GTK_WIDGET (view));
}

/* A drag selects a range whose moving end snaps to the end of a span. */
static void
test_range (void)
{
  g_autoptr (CycTimeline) timeline = load ();
  CycViewState *state;
  CycTimelineView *view = show (timeline, 1000, 600, &state);
  GtkWidget *canvas = part (view, "CycTimelineCanvas");
  guint32 span = find_span (timeline, "AIC/0", "GMM1");
  double x, y, width = gtk_widget_get_width (canvas);
  gint64 from, to;

  get_middle (view, span, &x, &y);
  double begin = get_place (state, 2000000) * width, end = get_place (state, 6000000) * width;
  drag (canvas, GDK_BUTTON_PRIMARY, begin + 30, y, end - begin - 30 - 2, 0);
  g_assert_true (cyc_view_state_get_selected_range (state, &from, &to));
  g_assert_cmpint (to, ==, 6000000);
  g_assert_cmpint (ABS (from - 2000000 - (gint64) (30 / (end - begin) * 4000000)), <, 20000);
  drag (part (view, "CycTimelineRuler"), GDK_BUTTON_PRIMARY, begin, 5, end - begin, 0);
  g_assert_true (cyc_view_state_get_selected_range (state, &from, &to));
  g_assert_cmpint (ABS (from - 2000000), <, 20000);
  g_assert_cmpint (ABS (to - 6000000), <, 20000);
  display_keep_picture (GTK_WIDGET (view), "timeline-selection");
  click (canvas, 1, x, y);
  g_assert_false (cyc_view_state_get_selected_range (state, NULL, NULL));
  display_close (GTK_WIDGET (view));
}

static void
test_minimap (void)
{
  g_autoptr (CycTimeline) timeline = load ();
  CycViewState *state;
  CycTimelineView *view = show (timeline, 1000, 600, &state);
  GtkWidget *map = part (view, "CycTimelineMap");
  double width = gtk_widget_get_width (map);
  gint64 from, to, length = 7000000;

  /* All of it is 7 microseconds: its right edge is dragged to the middle, then the window by an eighth. */
  drag (map, 0, width - 1, 5, -width / 2, 0);
  cyc_view_state_get_range (state, &from, &to);
  g_assert_cmpint (from, <=, 0);
  g_assert_cmpint (ABS (to - length / 2), <, 2 * length / (gint64) width);
  gint64 seen = to - from;
  drag (map, 0, width / 4, 5, width / 8, 0);
  cyc_view_state_get_range (state, &from, &to);
  g_assert_cmpint (ABS (to - from - seen), <, 2 * length / (gint64) width);
  g_assert_cmpint (ABS (to - length * 5 / 8), <, 3 * length / (gint64) width);
  drag (map, 0, width / 8 + 1, 5, width / 8, 0);
  cyc_view_state_get_range (state, &from, &to);
  g_assert_cmpint (ABS (from - length / 4), <, 3 * length / (gint64) width);
  display_close (GTK_WIDGET (view));
}

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

/* Collapse, pin, select and move by keys, and filter by name. */
static void
test_tree (void)
{
  g_autoptr (CycTimeline) timeline = load ();
  CycViewState *state;
  CycTimelineView *view = show (timeline, 1000, 600, &state);
  GtkWidget *tree = part (view, "CycTimelineTree"), *filter = part (view, "GtkSearchEntry");
  GdkRectangle before, after;
  guint n;

  gtk_test_accessible_assert_role (GTK_ACCESSIBLE (tree), GTK_ACCESSIBLE_ROLE_TREE);
  gtk_widget_grab_focus (tree);
  display_press (tree, GDK_KEY_Down, 0);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (tree), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, "AIC, 4 tracks");
  display_press (tree, GDK_KEY_Left, 0);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (tree), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT,
                                       "AIC, 4 tracks, collapsed");
  g_assert_true (cyc_view_state_get_node_flags (state, find_node (state, "AIC")) & CYC_NODE_COLLAPSED);
  cyc_view_state_get_lines (state, &n);
  g_assert_cmpuint (n, ==, 1 + 1 + 1 + 4 + 1);
  display_keep_picture (GTK_WIDGET (view), "timeline-collapsed");
  display_press (tree, GDK_KEY_Right, 0);
  display_press (tree, GDK_KEY_Down, 0);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (tree), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, "AIC core 0");
  display_press (tree, GDK_KEY_space, 0);
  g_assert_cmpuint (cyc_view_state_get_n_checked (state), ==, 1);
  display_press (tree, GDK_KEY_Down, GDK_ALT_MASK);
  const CycViewLine *lines = cyc_view_state_get_lines (state, &n);
  g_assert_cmpuint (lines[2].node, ==, find_node (state, "AIC/1"));
  g_assert_cmpuint (lines[3].node, ==, find_node (state, "AIC/0"));
  display_press (tree, GDK_KEY_p, 0);
  lines = cyc_view_state_get_lines (state, &n);
  g_assert_cmpuint (lines[0].node, ==, find_node (state, "AIC/0"));
  g_assert_true (lines[0].pinned);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (tree), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT,
                                       "AIC core 0, at the top, selected");
  g_assert_true (cyc_timeline_view_get_span_rect (view, find_span (timeline, "AIC/0", "GMM1"), &before));
  display_press (tree, GDK_KEY_plus, 0);
  g_assert_true (cyc_timeline_view_get_span_rect (view, find_span (timeline, "AIC/0", "GMM1"), &after));
  g_assert_cmpint (after.height, ==, 2 * before.height);
  display_keep_picture (GTK_WIDGET (view), "timeline-pinned");
  gtk_editable_set_text (GTK_EDITABLE (filter), "aiv/2");
  g_signal_emit_by_name (filter, "search-changed");
  lines = cyc_view_state_get_lines (state, &n);
  g_assert_cmpuint (n, ==, 1 + 3);
  g_assert_cmpuint (lines[3].node, ==, find_node (state, "AIV/2"));
  display_close (GTK_WIDGET (view));
}

/* What is above may change its height: what is below the pointer stays where it is. */
static void
test_anchor (void)
{
  g_autoptr (CycTimeline) timeline = load ();
  CycViewState *state;
  CycTimelineView *view = show (timeline, 800, 300, &state);
  GtkWidget *canvas = part (view, "CycTimelineCanvas");
  guint32 span = find_span (timeline, "AIV/1", "GMM1");
  GdkRectangle before, after;
  double x, y;

  cyc_timeline_view_go_to_span (view, span);
  get_middle (view, span, &x, &y);
  point (canvas, x, y);
  g_assert_true (cyc_timeline_view_get_span_rect (view, span, &before));
  double scroll = cyc_view_state_get_scroll (state);
  cyc_view_state_set_node_flags (state, find_node (state, "AIC/0"), CYC_NODE_COLLAPSED, CYC_NODE_COLLAPSED);
  g_assert_true (cyc_timeline_view_get_span_rect (view, span, &after));
  g_assert_cmpfloat (cyc_view_state_get_scroll (state), <, scroll - 0.9);
  g_assert_cmpint (ABS (after.y - before.y), <=, 1);
  display_close (GTK_WIDGET (view));
}

static void
test_flows (void)
{
  g_autoptr (CycTimeline) timeline = load ();
  CycViewState *state;
  CycTimelineView *view = show (timeline, 1000, 600, &state);
  GtkWidget *canvas = part (view, "CycTimelineCanvas");
  guint32 from = find_span (timeline, "AIC/0", "Load"), to;

  cyc_timeline_view_go_to_span (view, from);
  /* The arrows are found on a thread. */
  for (guint i = 0; i < 500 && cyc_view_state_get_span (state) == from; i++)
    {
      display_press (canvas, GDK_KEY_bracketright, 0);
      g_main_context_iteration (NULL, FALSE);
      g_usleep (2000);
    }
  to = cyc_view_state_get_span (state);
  g_assert_cmpuint (to, !=, from);
  display_press (canvas, GDK_KEY_bracketleft, 0);
  g_assert_cmpuint (cyc_view_state_get_span (state), ==, from);
  display_keep_picture (GTK_WIDGET (view), "timeline-flow");
  display_close (GTK_WIDGET (view));
}

static void
test_export (void)
{
  g_autoptr (CycTimeline) timeline = load ();
  CycViewState *state;
  CycTimelineView *view = show (timeline, 1000, 600, &state);
  g_autoptr (GError) error = NULL;
  const char *folder = g_getenv ("CYC_PICTURES");
  static const struct
  {
    CycPlotFormat  format;
    const char    *begin;
    const char    *name;
  } formats[] = { { CYC_PLOT_PNG, "\x89PNG", "timeline-export.png" }, { CYC_PLOT_SVG, "<?xml", "timeline-export.svg" },
                  { CYC_PLOT_PDF, "%PDF", "timeline-export.pdf" } };

  cyc_timeline_view_go_to_span (view, find_span (timeline, "AIC/2", "GMM1"));
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autoptr (GBytes) bytes = cyc_timeline_view_export (view, formats[i].format, &error);
      gsize size;
      g_assert_no_error (error);
      const char *data = g_bytes_get_data (bytes, &size);
      g_assert_cmpmem (data, strlen (formats[i].begin), formats[i].begin, strlen (formats[i].begin));
      if (folder != NULL)
        {
          g_autofree char *path = g_build_filename (folder, formats[i].name, NULL);
          g_assert_true (g_file_set_contents (path, data, (gssize) size, NULL));
        }
    }
  display_close (GTK_WIDGET (view));
}

/* Cores that work without a pause, three spans a time; a million where pictures are wanted. */
static char *
make_many (guint n)
{
  static const char *const stages[] = { "WaitDependency", "GroupedMatMul", "SwiGLU", "TriggerEvent", "RmsNorm" };
  GString *out = g_string_sized_new ((gsize) n * 150);

  g_string_append (out, "{\"traceEvents\":[");
  for (guint i = 0; i < n; i++)
    {
      guint core = i / 3 % 64, part = i % 3, turn = i / 192, length = 900 + i / 3 * 7919u % 1000;
      guint start = turn * 2000 + (part == 0 ? 0 : part == 1 ? 10 : 410);
      guint lasts = part == 0 ? length : 400;
      g_string_append_printf (out, "{\"name\":\"%s_%u\",\"cat\":\"k\",\"ph\":\"X\",\"pid\":0,\"tid\":\"%s/%u\","
                              "\"ts\":%u.%03u,\"dur\":%u.%03u}%s", stages[(i / 3 + part) % 5], i % 40,
                              core < 24 ? "AIC" : "AIV", core < 24 ? core : core - 24, start / 1000, start % 1000,
                              lasts / 1000, lasts % 1000, i + 1 < n ? "," : "");
    }
  g_string_append (out, "]}");
  return g_string_free (out, FALSE);
}

/* The minimap is busy where it begins, and only there. */
static gboolean
is_busy_at_begin (gpointer map)
{
  g_autoptr (GdkTexture) picture = display_picture (map);
  gsize width = (gsize) gdk_texture_get_width (picture), height = (gsize) gdk_texture_get_height (picture);
  g_autofree guint32 *pixels = g_new (guint32, width * height);
  const guint32 *last = pixels + width * (height - 1);

  gdk_texture_download (picture, (guchar *) pixels, width * sizeof *pixels);
  return last[0] != last[20];
}

/* What lies far away belongs to the whole, before it is known how busy that is without it. */
static void
test_far (void)
{
  g_autoptr (GString) json = g_string_new ("[");
  gint64 from, to;

  for (guint i = 0; i < 30; i++)
    g_string_append_printf (json, "{\"ph\":\"X\",\"name\":\"k\",\"pid\":0,\"tid\":1,\"ts\":%u,\"dur\":100},",
                            i * 100);
  g_string_append (json, "{\"ph\":\"X\",\"name\":\"far\",\"pid\":0,\"tid\":1,\"ts\":90000000,\"dur\":7}]");
  g_autoptr (CycTimeline) timeline = test_timeline_new (json->str, FALSE);
  GtkWidget *view = cyc_timeline_view_new ();
  g_autoptr (CycViewState) state = cyc_view_state_new (timeline);
  g_assert_cmpuint (cyc_timeline_get_n_sparse (timeline), ==, 1);
  cyc_timeline_view_set_state (CYC_TIMELINE_VIEW (view), state);
  cyc_view_state_set_flags (state, CYC_VIEW_FAR, CYC_VIEW_FAR);
  cyc_view_state_get_whole (state, &from, &to);
  g_assert_cmpint (to, ==, 90000007 * (gint64) CYC_PS_PER_US);
  cyc_view_state_set_range (state, to / 5 * 2, to / 5 * 3);
  display_show (view, 1000, 600);
  display_wait (is_busy_at_begin, part (CYC_TIMELINE_VIEW (view), "CycTimelineMap"));
  display_close (view);
}

/* Much in little room, found and dimmed; a hit has its place in the order of time. */
static void
test_many (void)
{
  g_autofree char *json = make_many (g_getenv ("CYC_PICTURES") != NULL ? 1000000 : 30000);
  g_autoptr (CycTimeline) timeline = test_timeline_new (json, FALSE);
  CycViewState *state;
  CycTimelineView *view = show (timeline, 1280, 800, &state);
  GtkWidget *window = GTK_WIDGET (gtk_widget_get_root (GTK_WIDGET (view)));
  gint64 from, to;

  display_keep_picture (GTK_WIDGET (view), "timeline-million");
  cyc_view_state_get_range (state, &from, &to);
  cyc_view_state_set_range (state, from + (to - from) / 2, from + (to - from) / 2 + 8000000);
  display_keep_picture (GTK_WIDGET (view), "timeline-million-near");
  g_autoptr (CycTimelineHits) hits = cyc_timeline_search (timeline, "SwiGLU_7", CYC_TIMELINE_SEARCH_NAMES, NULL, NULL,
                                                          NULL, NULL, NULL);
  g_assert_cmpuint (cyc_timeline_hits_get_n (hits), >, 10);
  cyc_view_state_show_all (state);
  cyc_timeline_view_set_hits (view, hits);
  display_keep_picture (GTK_WIDGET (view), "timeline-million-hits");
  g_assert_cmpuint (cyc_timeline_view_go_to_hit (view, 1), ==, 0);
  g_assert_cmpuint (cyc_timeline_view_go_to_hit (view, 1), ==, 1);
  CycTimelineHit hit;
  cyc_timeline_hits_get (hits, 1, &hit);
  g_assert_cmpuint (cyc_view_state_get_span (state), ==, hit.span);
  GdkRectangle rect;
  g_assert_true (cyc_timeline_view_get_span_rect (view, hit.span, &rect));
  g_assert_cmpuint (cyc_timeline_view_go_to_hit (view, -1), ==, 0);
  g_assert_cmpuint (cyc_timeline_view_go_to_hit (view, -1), ==, cyc_timeline_hits_get_n (hits) - 1);
  cyc_timeline_view_set_hits (view, NULL);
  cyc_view_state_set_colour_mode (state, CYC_COLOUR_BY_STATE);
  cyc_view_state_set_all_node_flags (state, CYC_NODE_COLLAPSED, CYC_NODE_COLLAPSED);
  cyc_view_state_set_node_flags (state, find_node (state, "0"), CYC_NODE_COLLAPSED, 0);
  cyc_view_state_set_node_flags (state, find_node (state, "AIC"), CYC_NODE_COLLAPSED, 0);
  gtk_window_set_default_size (GTK_WINDOW (window), 800, 600);
  display_keep_picture (GTK_WIDGET (view), "timeline-800x600");
  display_close (GTK_WIDGET (view));
}

int
main (int    argc,
      char **argv)
{
  display_init (&argc, &argv);
  g_type_ensure (CYC_TYPE_TIMELINE_VIEW);
  g_test_add_func ("/widgets/timeline-view/select", test_select);
  g_test_add_func ("/widgets/timeline-view/keys", test_keys);
  g_test_add_func ("/widgets/timeline-view/zoom", test_zoom);
  g_test_add_func ("/widgets/timeline-view/range", test_range);
  g_test_add_func ("/widgets/timeline-view/minimap", test_minimap);
  g_test_add_func ("/widgets/timeline-view/far", test_far);
  g_test_add_func ("/widgets/timeline-view/tree", test_tree);
  g_test_add_func ("/widgets/timeline-view/anchor", test_anchor);
  g_test_add_func ("/widgets/timeline-view/flows", test_flows);
  g_test_add_func ("/widgets/timeline-view/export", test_export);
  g_test_add_func ("/widgets/timeline-view/many", test_many);
  return g_test_run ();
}
