/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include "display.h"
#include "widgets/cyc-chart-view.h"

#define N_SERIES 6

static CycBarTable *
make_table (guint n,
            guint n_names)
{
  CycBarTable *table = cyc_bar_table_new ("gpu_sim_cycle", "cycles", n);
  g_autofree double *values = g_new (double, n);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("_Z9kernel%03uIfLi4EEvPT_", i % n_names);
      cyc_bar_table_set_name (table, i, name);
    }
  for (guint series = 0; series < N_SERIES; series++)
    {
      g_autofree char *name = g_strdup_printf ("SM%u_CONFIG", 70 + series);
      for (guint i = 0; i < n; i++)
        values[i] = i == 3 ? NAN : (1000 * (1 + i % 17) + i % 7) * (1 + 0.25 * series);
      cyc_bar_table_add_series (table, series == 0 ? "real GPU" : name,
                                series == 0 ? CYC_BAR_MEASURED : CYC_BAR_SIMULATED, values);
      cyc_bar_table_set_series_reason (table, series, "the block was cut");
    }
  return table;
}

static CycChartView *
show (guint n,
      guint n_names,
      int   width,
      int   height)
{
  GtkWidget *view = cyc_chart_view_new ();
  g_autoptr (CycBarTable) table = make_table (n, n_names);

  cyc_chart_view_set_table (CYC_CHART_VIEW (view), table);
  display_show (view, width, height);
  gtk_widget_grab_focus (view);
  return CYC_CHART_VIEW (view);
}

static void
destroy (CycChartView *view)
{
  GtkWidget *window = GTK_WIDGET (gtk_widget_get_root (GTK_WIDGET (view)));

  g_object_add_weak_pointer (G_OBJECT (view), (gpointer *) &view);
  gtk_window_destroy (GTK_WINDOW (window));
  g_assert_null (view);
}

static GtkEventController *
find_controller (CycChartView *view,
                 GType         type,
                 guint         button)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (GTK_WIDGET (view));

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);
      if (G_OBJECT_TYPE (controller) == type &&
          (button == 0 || gtk_gesture_single_get_button (GTK_GESTURE_SINGLE (controller)) == button))
        return controller;
    }
  g_assert_not_reached ();
}

static void
assert_focus (CycChartView *view,
              int           group,
              int           series)
{
  CycBarMark mark = cyc_chart_view_get_focus (view);

  g_assert_cmpint (mark.group, ==, group);
  g_assert_cmpint (mark.series, ==, series);
}

static void
assert_description (CycChartView *view,
                    const char   *text)
{
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text);
}

static void
test_keys (void)
{
  CycChartView *view = show (50, 50, 900, 600);
  GtkWidget *widget = GTK_WIDGET (view);

  gtk_test_accessible_assert_role (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_ROLE_IMG);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Bar chart of gpu_sim_cycle: 50 groups, 6 series");
  assert_focus (view, 0, 0);
  assert_description (view, "_Z9kernel000IfLi4EEvPT_, launch #0\nreal GPU: 1,000 cycles");
  display_press (widget, GDK_KEY_Right, 0);
  display_press (widget, GDK_KEY_Right, 0);
  display_press (widget, GDK_KEY_Down, 0);
  assert_focus (view, 2, 1);
  assert_description (view, "_Z9kernel002IfLi4EEvPT_, launch #2\nSM71_CONFIG: 3,752.5 cycles");
  display_press (widget, GDK_KEY_Right, 0);
  assert_description (view, "_Z9kernel003IfLi4EEvPT_, launch #3\nSM71_CONFIG: no value: the block was cut");
  display_press (widget, GDK_KEY_Up, 0);
  display_press (widget, GDK_KEY_Up, 0);
  assert_focus (view, 3, 5);
  display_press (widget, GDK_KEY_End, 0);
  display_press (widget, GDK_KEY_Right, 0);
  assert_focus (view, 49, 5);
  display_press (widget, GDK_KEY_Home, 0);
  display_press (widget, GDK_KEY_Left, 0);
  assert_focus (view, 0, 5);
  display_keep_picture (widget, "chart-50");
  destroy (view);
}

static void
activated_cb (CycChartView *view,
              guint         launch,
              guint         series,
              gpointer      user_data)
{
  *(guint *) user_data = launch * 100 + series;
}

static void
test_drill (void)
{
  CycChartView *view = show (5000, 300, 900, 600);
  GtkWidget *widget = GTK_WIDGET (view);
  guint activated = 0, changes = 0;
  double from, n_visible;

  g_signal_connect (view, "launch-activated", G_CALLBACK (activated_cb), &activated);
  g_signal_connect_swapped (view, "changed", G_CALLBACK (g_atomic_int_inc), &changes);
  guint n_fit = cyc_bar_data_get_n_groups (cyc_chart_view_get_data (view));
  cyc_chart_view_get_visible_range (view, &from, &n_visible);
  g_assert_cmpfloat (n_visible, ==, n_fit);
  g_assert_cmpuint (n_fit, >, 40);
  g_assert_null (cyc_chart_view_dup_path (view));
  display_keep_picture (widget, "chart-5000");
  cyc_chart_view_set_focus (view, (CycBarMark) { 4, 2 });
  const CycBarGroup *group = cyc_bar_data_get_group (cyc_chart_view_get_data (view), 4);
  guint first = group->first, n = group->n_launches;
  display_press (widget, GDK_KEY_Return, 0);
  g_autofree char *path = cyc_chart_view_dup_path (view);
  g_assert_nonnull (strstr (path, "kernel0"));
  g_assert_cmpuint (cyc_bar_data_get_n_groups (cyc_chart_view_get_data (view)), ==, n);
  g_assert_cmpuint (changes, ==, 1);
  assert_focus (view, 0, 2);
  display_keep_picture (widget, "chart-5000-launches");
  /* Nothing is inside a launch: who shows the chart may show it. */
  display_press (widget, GDK_KEY_Return, 0);
  g_assert_cmpuint (activated, ==, first * 100 + 2);
  display_press (widget, GDK_KEY_Escape, 0);
  assert_focus (view, 4, 2);
  g_assert_null (cyc_chart_view_dup_path (view));
  /* At the top, Escape is for others. */
  g_assert_false (cyc_chart_view_back (view));
  /* The others. */
  display_press (widget, GDK_KEY_End, 0);
  display_press (widget, GDK_KEY_space, 0);
  g_assert_cmpuint (cyc_bar_data_get_n_groups (cyc_chart_view_get_data (view)), ==, 300 - n_fit + 1);
  display_press (widget, GDK_KEY_BackSpace, 0);
  destroy (view);
}

static void
test_zoom (void)
{
  CycChartView *view = show (50, 50, 900, 600);
  GtkWidget *widget = GTK_WIDGET (view);
  double first, n_visible;
  gboolean handled;

  cyc_chart_view_get_visible_range (view, &first, &n_visible);
  g_assert_cmpfloat (first, ==, 0);
  g_assert_cmpfloat (n_visible, ==, 50);
  /* A wheel does nothing where all is seen: the page may scroll. */
  GtkEventController *scroll = find_controller (view, GTK_TYPE_EVENT_CONTROLLER_SCROLL, 0);
  g_signal_emit_by_name (scroll, "scroll", 0.0, 1.0, &handled);
  g_assert_false (handled);
  cyc_chart_view_set_focus (view, (CycBarMark) { 20, 0 });
  display_press (widget, GDK_KEY_plus, 0);
  display_press (widget, GDK_KEY_plus, 0);
  cyc_chart_view_get_visible_range (view, &first, &n_visible);
  g_assert_cmpfloat (n_visible, <, 25);
  g_assert_cmpfloat (first, <=, 20);
  g_assert_cmpfloat (first + n_visible, >=, 20);
  display_keep_picture (widget, "chart-50-zoomed");
  double before = first;
  g_signal_emit_by_name (scroll, "scroll", 0.0, 1.0, &handled);
  g_assert_true (handled);
  cyc_chart_view_get_visible_range (view, &first, &n_visible);
  g_assert_cmpfloat (first, >, before);
  /* The focus is always seen. */
  display_press (widget, GDK_KEY_Home, 0);
  cyc_chart_view_get_visible_range (view, &first, &n_visible);
  g_assert_cmpfloat (first, ==, 0);
  display_press (widget, GDK_KEY_Page_Down, 0);
  display_press (widget, GDK_KEY_Page_Down, 0);
  cyc_chart_view_get_visible_range (view, &first, &n_visible);
  CycBarMark focus = cyc_chart_view_get_focus (view);
  g_assert_cmpfloat (first, <=, focus.group);
  g_assert_cmpfloat (first + n_visible, >=, focus.group + 1);
  display_press (widget, GDK_KEY_0, 0);
  cyc_chart_view_get_visible_range (view, &first, &n_visible);
  g_assert_cmpfloat (n_visible, ==, 50);
  destroy (view);
}

/* Where each bar is drawn, it is found. */
static void
test_pointer (void)
{
  CycChartView *view = show (20, 20, 900, 600);
  GtkEventController *motion = find_controller (view, GTK_TYPE_EVENT_CONTROLLER_MOTION, 0);
  GtkEventController *click = find_controller (view, GTK_TYPE_GESTURE_CLICK, GDK_BUTTON_PRIMARY);
  GdkRectangle rect;

  g_assert_false (cyc_chart_view_get_bar_rect (view, (CycBarMark) { -1, -1 }, &rect));
  g_assert_true (cyc_chart_view_get_bar_rect (view, (CycBarMark) { 7, 3 }, &rect));
  double x = rect.x + rect.width / 2.0, y = rect.y + rect.height / 2.0;
  g_autoptr (GdkTexture) plain = display_picture (GTK_WIDGET (view));
  g_signal_emit_by_name (motion, "motion", x, y);
  g_autoptr (GdkTexture) hovered = display_picture (GTK_WIDGET (view));
  display_keep_picture (GTK_WIDGET (view), "chart-hover");
  g_autoptr (GBytes) before = gdk_texture_save_to_png_bytes (plain);
  g_autoptr (GBytes) after = gdk_texture_save_to_png_bytes (hovered);
  g_assert_false (g_bytes_equal (before, after));
  g_signal_emit_by_name (motion, "leave");
  g_autoptr (GdkTexture) left = display_picture (GTK_WIDGET (view));
  g_autoptr (GBytes) again = gdk_texture_save_to_png_bytes (left);
  g_assert_true (g_bytes_equal (before, again));
  g_signal_emit_by_name (click, "pressed", 1, x, y);
  assert_focus (view, 7, 3);
  /* Of a group all series are told. */
  g_autofree char *text = cyc_chart_view_dup_bar_text (view, (CycBarMark) { 7, -1 });
  g_assert_true (g_str_has_prefix (text, "_Z9kernel007IfLi4EEvPT_, launch #7\nreal GPU: 8,000 cycles\nSM71_CONFIG: "
                                         "10,000 cycles\n"));
  g_assert_null (cyc_chart_view_dup_bar_text (view, (CycBarMark) { 20, 0 }));
  destroy (view);
}

static void
test_relative (void)
{
  CycChartView *view = show (700, 10, 900, 600);

  cyc_chart_view_set_focus (view, (CycBarMark) { 0, 2 });
  cyc_chart_view_set_baseline (view, "real GPU");
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Bar chart of gpu_sim_cycle relative to real GPU: 10 groups, 6 series");
  /* Each value of this series is one and a half times that of the first. */
  g_autofree char *text = cyc_chart_view_dup_bar_text (view, (CycBarMark) { 0, 2 });
  g_assert_nonnull (strstr (text, "\n1.5000 times real GPU\nsum of 70 of 70 launches"));
  display_keep_picture (GTK_WIDGET (view), "chart-relative");
  cyc_chart_view_set_axis (view, CYC_AXIS_LOGARITHMIC);
  display_keep_picture (GTK_WIDGET (view), "chart-relative-log");
  /* One launch of the name lacks its value. */
  guint group = 0;
  while (cyc_bar_data_get_group (cyc_chart_view_get_data (view), group)->first != 3)
    group++;
  g_autofree char *partial = cyc_chart_view_dup_bar_text (view, (CycBarMark) { (int) group, 1 });
  g_assert_nonnull (strstr (partial, "sum of 69 of 70 launches (the block was cut)"));
  /* A table without the baseline, and one with it. */
  g_autoptr (CycBarTable) other = cyc_bar_table_new ("ipc", NULL, 0), same = make_table (5, 5);
  cyc_chart_view_set_table (view, other);
  g_assert_cmpuint (cyc_bar_data_get_baseline (cyc_chart_view_get_data (view)), ==, CYC_BAR_NO_BASELINE);
  cyc_chart_view_set_table (view, same);
  g_assert_cmpuint (cyc_bar_data_get_baseline (cyc_chart_view_get_data (view)), ==, 0);
  cyc_chart_view_set_table (view, NULL);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, "Empty chart");
  destroy (view);
}

static void
read_cb (GObject      *source,
         GAsyncResult *result,
         gpointer      user_data)
{
  char **text = user_data;

  *text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, NULL);
}

static gboolean
is_set (gpointer data)
{
  return *(char **) data != NULL;
}

static void
test_copy (void)
{
  CycChartView *view = show (3, 3, 900, 600);
  GdkClipboard *clipboard = gtk_widget_get_clipboard (GTK_WIDGET (view));
  g_autofree char *text = NULL;

  display_press (GTK_WIDGET (view), GDK_KEY_c, GDK_CONTROL_MASK);
  gdk_clipboard_read_text_async (clipboard, NULL, read_cb, &text);
  display_wait (is_set, &text);
  g_assert_true (g_str_has_prefix (text, "kernel_name\tfirst_kernel_index\tlaunches\treal GPU\tSM71_CONFIG\t"));
  g_assert_nonnull (strstr (text, "\n_Z9kernel001IfLi4EEvPT_\t1\t1\t2001\t2501.25\t3001.5\t"));
  display_press (GTK_WIDGET (view), GDK_KEY_c, GDK_CONTROL_MASK | GDK_SHIFT_MASK);
  g_assert_true (gdk_content_formats_contain_gtype (gdk_clipboard_get_formats (clipboard), GDK_TYPE_TEXTURE));
  destroy (view);
}

/* A drag takes the chart away as a picture and as text; in the plot only if there is nothing to scroll. */
static void
test_drag (void)
{
  CycChartView *view = show (20, 20, 900, 600);
  GtkEventController *source = find_controller (view, GTK_TYPE_DRAG_SOURCE, 0);
  GdkContentProvider *provider = NULL;
  g_auto (GValue) string = G_VALUE_INIT, texture = G_VALUE_INIT;
  GdkRectangle rect;

  g_assert_true (cyc_chart_view_get_bar_rect (view, (CycBarMark) { 7, 3 }, &rect));
  g_signal_emit_by_name (source, "prepare", (double) rect.x, (double) rect.y, &provider);
  g_assert_nonnull (provider);
  g_value_init (&string, G_TYPE_STRING);
  g_value_init (&texture, GDK_TYPE_TEXTURE);
  g_assert_true (gdk_content_provider_get_value (provider, &string, NULL));
  g_assert_true (g_str_has_prefix (g_value_get_string (&string), "kernel_name\t"));
  g_assert_true (gdk_content_provider_get_value (provider, &texture, NULL));
  GdkTexture *picture = g_value_get_object (&texture);
  g_assert_cmpint (gdk_texture_get_width (picture), ==, 2 * gtk_widget_get_width (GTK_WIDGET (view)));
  g_clear_object (&provider);

  cyc_chart_view_set_visible_range (view, 0, 5);
  g_assert_true (cyc_chart_view_get_bar_rect (view, (CycBarMark) { 2, 3 }, &rect));
  g_signal_emit_by_name (source, "prepare", (double) rect.x, (double) rect.y, &provider);
  g_assert_null (provider);
  g_signal_emit_by_name (source, "prepare", 20.0, 10.0, &provider);
  g_assert_nonnull (provider);
  g_clear_object (&provider);
  destroy (view);
}

/* At any size, and when it changes, more or fewer groups are put together. */
static void
test_sizes (void)
{
  static const int sizes[][2] = { { 240, 160 }, { 800, 600 }, { 1280, 800 }, { 500, 1000 } };
  CycChartView *view = show (5000, 300, 240, 160);
  GtkWidget *window = GTK_WIDGET (gtk_widget_get_root (GTK_WIDGET (view)));
  double first, n_visible;

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      gtk_window_set_default_size (GTK_WINDOW (window), sizes[i][0], sizes[i][1]);
      g_autoptr (GdkTexture) picture = display_picture (GTK_WIDGET (view));
      g_assert_nonnull (picture);
      g_autofree char *name = g_strdup_printf ("chart-%dx%d", sizes[i][0], sizes[i][1]);
      display_keep_picture (GTK_WIDGET (view), name);
      guint n = cyc_bar_data_get_n_groups (cyc_chart_view_get_data (view));
      cyc_chart_view_get_visible_range (view, &first, &n_visible);
      /* All that there is is seen: bars of two pixels, and gaps of three between groups. */
      g_assert_cmpfloat (n_visible, ==, n);
      g_assert_cmpuint (n * (2 * N_SERIES + 3), <=, gtk_widget_get_width (GTK_WIDGET (view)));
      g_assert_cmpuint ((n + 8) * (2 * N_SERIES + 3), >=, gtk_widget_get_width (GTK_WIDGET (view)));
    }
  destroy (view);
}

int
main (int    argc,
      char **argv)
{
  display_init (&argc, &argv);
  g_test_add_func ("/widgets/chart-view/keys", test_keys);
  g_test_add_func ("/widgets/chart-view/drill", test_drill);
  g_test_add_func ("/widgets/chart-view/zoom", test_zoom);
  g_test_add_func ("/widgets/chart-view/pointer", test_pointer);
  g_test_add_func ("/widgets/chart-view/relative", test_relative);
  g_test_add_func ("/widgets/chart-view/copy", test_copy);
  g_test_add_func ("/widgets/chart-view/drag", test_drag);
  g_test_add_func ("/widgets/chart-view/sizes", test_sizes);
  return g_test_run ();
}
