/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "display.h"
#include "fake-log.h"
#include "widgets/cyc-log-text.h"
#include "widgets/cyc-log-view.h"

#define GIGABYTES ((guint64) 1 << 30)

static CycLogView *
make_view (FakeLog *log)
{
  GtkWidget *view = cyc_log_view_new ("Log of sim-3");

  cyc_log_view_set_source (CYC_LOG_VIEW (view), &fake_log_source, log, NULL);
  display_show (view, 900, 500);
  return CYC_LOG_VIEW (view);
}

static void
close_view (CycLogView *view)
{
  GtkWidget *held = g_object_ref (GTK_WIDGET (view));

  gtk_window_destroy (GTK_WINDOW (gtk_widget_get_root (held)));
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_finalize_object (held);
}

static GtkWidget *
get_text (CycLogView *view)
{
  return display_find (GTK_WIDGET (view), CYC_TYPE_LOG_TEXT, NULL);
}

/* The labels of a class that are to be seen in the text, from above. */
static GPtrArray *
list_labels (CycLogView *view,
             const char *css_class)
{
  GPtrArray *labels = g_ptr_array_new ();
  GtkWidget *text = get_text (view);

  for (GtkWidget *child = gtk_widget_get_first_child (text); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      graphene_rect_t bounds;
      if (gtk_widget_has_css_class (child, css_class) && gtk_widget_get_child_visible (child) &&
          gtk_widget_compute_bounds (child, text, &bounds) && bounds.origin.y + bounds.size.height > 0 &&
          bounds.origin.y < gtk_widget_get_height (text))
        g_ptr_array_add (labels, child);
    }
  return labels;
}

static const char *
get_row (GPtrArray *labels,
         guint      row)
{
  g_assert_cmpuint (row, <, labels->len);
  return gtk_label_get_text (g_ptr_array_index (labels, row));
}

typedef struct
{
  CycLogView *view;
  const char *first;
  const char *last;
} Wanted;

static gboolean
shows (gpointer data)
{
  const Wanted *wanted = data;
  g_autoptr (GPtrArray) labels = list_labels (wanted->view, "line");

  if (labels->len == 0)
    return FALSE;
  return (wanted->first == NULL || g_str_has_prefix (get_row (labels, 0), wanted->first)) &&
         (wanted->last == NULL || g_str_has_prefix (get_row (labels, labels->len - 1), wanted->last));
}

/* Waits until the first and the last line begin so. */
static void
wait_for (CycLogView *view,
          const char *first,
          const char *last)
{
  Wanted wanted = { view, first, last };

  display_wait (shows, &wanted);
  gtk_test_widget_wait_for_draw (GTK_WIDGET (view));
  g_assert_true (shows (&wanted));
}

/* The lines shown follow each other, in rows of one height without gaps. Returns the first's number. */
static guint64
check_lines (CycLogView *view)
{
  g_autoptr (GPtrArray) labels = list_labels (view, "line");
  GtkWidget *text = get_text (view);
  guint64 first = 0;
  double bottom = 0;

  g_assert_cmpuint (labels->len, >, 10);
  for (guint i = 0; i < labels->len; i++)
    {
      char line[FAKE_LINE + 1];
      graphene_rect_t bounds;
      if (i == 0)
        first = g_ascii_strtoull (get_row (labels, 0) + strlen ("line "), NULL, 10);
      fake_log_line (first + i, line);
      g_strchomp (line);
      g_assert_cmpstr (get_row (labels, i), ==, line);
      g_assert_true (gtk_widget_compute_bounds (g_ptr_array_index (labels, i), text, &bounds));
      if (i == 0)
        g_assert_cmpfloat (bounds.origin.y, <=, 0);
      else
        g_assert_cmpfloat_with_epsilon (bounds.origin.y, bottom, 1.01);
      bottom = bounds.origin.y + bounds.size.height;
    }
  return first;
}

static void
press (CycLogView      *view,
       guint            key,
       GdkModifierType  modifiers)
{
  display_press (get_text (view), key, modifiers);
}

static gboolean
moved (gpointer data)
{
  GtkAdjustment *adjustment = data;
  double before = *(double *) g_object_get_data (G_OBJECT (adjustment), "before");
  return gtk_adjustment_get_value (adjustment) != before;
}

/* Presses a key and waits until the text has moved. */
static void
press_and_move (CycLogView      *view,
                guint            key,
                GdkModifierType  modifiers)
{
  GtkAdjustment *adjustment = cyc_log_text_get_vadjustment (CYC_LOG_TEXT (get_text (view)));
  double before = gtk_adjustment_get_value (adjustment);

  g_object_set_data (G_OBJECT (adjustment), "before", &before);
  press (view, key, modifiers);
  display_wait (moved, adjustment);
  gtk_test_widget_wait_for_draw (GTK_WIDGET (view));
}

/* Ten gigabytes: any place, by line where lines are asked for, with little read and less kept. */
static void
test_large (void)
{
  FakeLog log = { .length = 10 * GIGABYTES / FAKE_LINE * FAKE_LINE };
  CycLogView *view = make_view (&log);
  GtkAdjustment *adjustment = cyc_log_text_get_vadjustment (CYC_LOG_TEXT (get_text (view)));
  guint64 last = log.length / FAKE_LINE - 1;
  char line[FAKE_LINE + 1];

  wait_for (view, "line 000000000000", NULL);
  g_assert_cmpuint (check_lines (view), ==, 0);
  for (guint i = 1; i <= 100; i++)
    {
      press_and_move (view, GDK_KEY_Down, 0);
      g_assert_cmpuint (check_lines (view), ==, i);
    }
  press_and_move (view, GDK_KEY_Up, 0);
  g_assert_cmpuint (check_lines (view), ==, 99);
  guint64 before = check_lines (view);
  press_and_move (view, GDK_KEY_Page_Down, 0);
  g_assert_cmpuint (check_lines (view), >, before + 10);
  press_and_move (view, GDK_KEY_Page_Up, 0);
  g_assert_cmpuint (check_lines (view), ==, before);

  press_and_move (view, GDK_KEY_End, 0);
  fake_log_line (last, line);
  wait_for (view, NULL, g_strchomp (line));
  before = check_lines (view);
  press_and_move (view, GDK_KEY_Up, 0);
  g_assert_cmpuint (check_lines (view), ==, before - 1);
  for (guint i = 0; i < 50; i++)
    {
      double value = g_test_rand_double () * (double) (log.length - 100000);
      guint64 number = (guint64) value / FAKE_LINE;
      gtk_adjustment_set_value (adjustment, value);
      fake_log_line (number, line);
      wait_for (view, g_strchomp (line), NULL);
      g_assert_cmpuint (check_lines (view), ==, number);
      g_assert_cmpfloat_with_epsilon (gtk_adjustment_get_value (adjustment), (double) (number * FAKE_LINE), 1);
    }
  press_and_move (view, GDK_KEY_Home, 0);
  wait_for (view, "line 000000000000", NULL);
  /* Not a file of this length was read, but a few blocks for each place. */
  g_assert_cmpuint (log.largest, <=, 64 * 1024);
  g_assert_cmpuint (log.n_bytes, <, 20 * 1024 * 1024);
  close_view (view);
}

static gboolean
is_counted (gpointer data)
{
  g_autoptr (GPtrArray) labels = list_labels (data, "number");
  return labels->len > 0;
}

/* A log of some megabytes is counted through: its lines have numbers anywhere. */
static void
test_numbers (void)
{
  FakeLog log = { .length = 100000 * FAKE_LINE };
  CycLogView *view = make_view (&log);

  wait_for (view, "line 000000000000", NULL);
  display_wait (is_counted, view);
  g_autoptr (GPtrArray) first = list_labels (view, "number");
  g_assert_cmpstr (get_row (first, 0), ==, "1");
  g_assert_cmpstr (get_row (first, 7), ==, "8");
  press_and_move (view, GDK_KEY_End, 0);
  wait_for (view, NULL, "line 000000099999");
  display_wait (is_counted, view);
  g_autoptr (GPtrArray) labels = list_labels (view, "number");
  g_assert_cmpstr (get_row (labels, labels->len - 1), ==, "100000");
  close_view (view);
}

static void
test_follow (void)
{
  FakeLog log = { .text = g_string_new (NULL) };
  CycLogView *view = make_view (&log);
  GtkWidget *button = display_find (GTK_WIDGET (view), GTK_TYPE_TOGGLE_BUTTON, "Follow");

  g_assert_nonnull (display_find (GTK_WIDGET (view), GTK_TYPE_LABEL, "The log is empty so far."));
  cyc_log_view_set_follow (view, TRUE);
  g_assert_true (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (button)));
  for (guint i = 0; i < 200; i++)
    {
      g_autofree char *line = g_strdup_printf ("number %u\n", i);
      fake_log_append (&log, line);
      cyc_log_view_update (view);
    }
  wait_for (view, NULL, "number 199");
  /* A line that is not ended yet is shown too, and then goes on. */
  fake_log_append (&log, "number 2");
  cyc_log_view_update (view);
  wait_for (view, NULL, "number 2");
  fake_log_append (&log, "00\n");
  cyc_log_view_update (view);
  wait_for (view, NULL, "number 200");
  g_assert_cmpuint (log.n_bytes, <=, log.length + 10);
  /* Up pauses, End goes on. */
  press_and_move (view, GDK_KEY_Up, 0);
  g_assert_false (cyc_log_view_get_follow (view));
  g_assert_false (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (button)));
  wait_for (view, NULL, "number 199");
  fake_log_append (&log, "number 201\nnumber 202\n");
  cyc_log_view_update (view);
  gtk_test_widget_wait_for_draw (GTK_WIDGET (view));
  wait_for (view, NULL, "number 199");
  press (view, GDK_KEY_End, 0);
  g_assert_true (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (button)));
  wait_for (view, NULL, "number 202");
  /* Paused, it shows nothing new, until it goes on. */
  GtkToggleButton *pause = GTK_TOGGLE_BUTTON (display_find (GTK_WIDGET (view), GTK_TYPE_TOGGLE_BUTTON, "Pause"));
  gtk_toggle_button_set_active (pause, TRUE);
  fake_log_append (&log, "number 203\n");
  cyc_log_view_update (view);
  gtk_test_widget_wait_for_draw (GTK_WIDGET (view));
  wait_for (view, NULL, "number 202");
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (view), "log.pause", NULL));
  g_assert_false (gtk_toggle_button_get_active (pause));
  wait_for (view, NULL, "number 203");
  /* What has ended cannot be paused. */
  gtk_toggle_button_set_active (pause, TRUE);
  cyc_log_view_set_live (view, FALSE);
  g_assert_false (gtk_toggle_button_get_active (pause));
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (pause)));
  cyc_log_view_set_live (view, TRUE);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), FALSE);
  g_assert_false (cyc_log_view_get_follow (view));
  /* It begins anew: another log. */
  g_string_assign (log.text, "");
  fake_log_append (&log, "again\n");
  cyc_log_view_update (view);
  wait_for (view, "again", "again");
  g_string_assign (log.text, "");
  cyc_log_view_set_live (view, FALSE);
  cyc_log_view_update (view);
  g_assert_nonnull (display_find (GTK_WIDGET (view), GTK_TYPE_LABEL, "The log is empty."));
  close_view (view);
  g_string_free (log.text, TRUE);
}

static GtkWidget *
find_by_tooltip (GtkWidget  *root,
                 const char *tooltip)
{
  if (g_strcmp0 (gtk_widget_get_tooltip_text (root), tooltip) == 0)
    return root;
  GtkWidget *found = NULL;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_by_tooltip (child, tooltip);
  return found;
}

typedef struct
{
  CycLogView *view;
  const char *text;
} HitWanted;

static gboolean
is_hit (gpointer data)
{
  const HitWanted *wanted = data;
  g_autoptr (GPtrArray) labels = list_labels (wanted->view, "hit");
  return labels->len == 1 && g_str_has_prefix (get_row (labels, 0), wanted->text);
}

static void
wait_for_hit (CycLogView *view,
              const char *text)
{
  HitWanted wanted = { view, text };
  display_wait (is_hit, &wanted);
}

static void
test_search (void)
{
  FakeLog log = { .text = g_string_new (NULL) };
  CycLogView *view;

  for (guint i = 0; i < 1000; i++)
    {
      g_autofree char *line = g_strdup_printf ("number %u%s\n", i, i % 300 == 250 ? " Fatal ERROR" : "");
      fake_log_append (&log, line);
    }
  view = make_view (&log);
  gtk_widget_activate_action (GTK_WIDGET (view), "log.find", NULL);
  GtkWidget *entry = display_find (GTK_WIDGET (view), GTK_TYPE_SEARCH_ENTRY, NULL);
  g_assert_true (gtk_widget_get_focus_child (entry) != NULL);
  gtk_editable_set_text (GTK_EDITABLE (entry), "fatal error");
  wait_for_hit (view, "number 250");
  GtkWidget *next = find_by_tooltip (GTK_WIDGET (view), "Find Next");
  GtkWidget *previous = find_by_tooltip (GTK_WIDGET (view), "Find Previous");
  g_signal_emit_by_name (next, "clicked");
  wait_for_hit (view, "number 550");
  display_press (GTK_WIDGET (view), GDK_KEY_Return, 0);
  wait_for_hit (view, "number 850");
  g_assert_null (display_find (GTK_WIDGET (view), GTK_TYPE_LABEL, "Went on from the beginning"));
  g_signal_emit_by_name (next, "clicked");
  wait_for_hit (view, "number 250");
  g_assert_nonnull (display_find (GTK_WIDGET (view), GTK_TYPE_LABEL, "Went on from the beginning"));
  g_signal_emit_by_name (previous, "clicked");
  wait_for_hit (view, "number 850");
  g_assert_nonnull (display_find (GTK_WIDGET (view), GTK_TYPE_LABEL, "Went on from the end"));
  /* The words are marked where they are. */
  g_autoptr (GPtrArray) labels = list_labels (view, "hit");
  PangoAttrList *attributes = gtk_label_get_attributes (g_ptr_array_index (labels, 0));
  g_assert_nonnull (attributes);
  g_autofree char *marks = pango_attr_list_to_string (attributes);
  g_assert_nonnull (strstr (marks, "11 22 background"));
  gtk_editable_set_text (GTK_EDITABLE (entry), "nowhere");
  g_signal_emit_by_name (entry, "search-changed");
  while (display_find (GTK_WIDGET (view), GTK_TYPE_LABEL, "Not found") == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (gtk_widget_has_css_class (entry, "error"));
  cyc_log_view_find (view, "number 777");
  wait_for_hit (view, "number 777");
  close_view (view);
  g_string_free (log.text, TRUE);
}

static void
read_text_cb (GObject      *source,
              GAsyncResult *result,
              gpointer      user_data)
{
  *(char **) user_data = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, NULL);
}

static gboolean
is_set (gpointer data)
{
  return *(gpointer *) data != NULL;
}

static gboolean
is_not_local (gpointer data)
{
  return gdk_clipboard_get_content (data) != NULL;
}

static char *
copy (CycLogView *view)
{
  GdkClipboard *clipboard = gtk_widget_get_clipboard (GTK_WIDGET (view));
  char *text = NULL;

  gdk_clipboard_set_content (clipboard, NULL);
  display_press (GTK_WIDGET (view), GDK_KEY_c, GDK_CONTROL_MASK);
  display_wait (is_not_local, clipboard);
  gdk_clipboard_read_text_async (clipboard, NULL, read_text_cb, &text);
  display_wait (is_set, &text);
  return text;
}

static void
test_copy (void)
{
  FakeLog log = { .length = 5 * GIGABYTES / FAKE_LINE * FAKE_LINE };
  CycLogView *view = make_view (&log);
  char expected[3 * FAKE_LINE + 1];

  wait_for (view, "line 000000000000", NULL);
  press (view, GDK_KEY_Down, GDK_SHIFT_MASK);
  press (view, GDK_KEY_Down, GDK_SHIFT_MASK);
  press (view, GDK_KEY_Down, GDK_SHIFT_MASK);
  for (guint i = 0; i < 3; i++)
    fake_log_line (i, expected + (gsize) i * FAKE_LINE);
  g_autofree char *text = copy (view);
  g_assert_cmpstr (text, ==, expected);
  g_autoptr (GPtrArray) selected = list_labels (view, "selected");
  g_assert_cmpuint (selected->len, ==, 3);
  /* Gigabytes do not go through a clipboard: it says so. */
  press (view, GDK_KEY_a, GDK_CONTROL_MASK);
  display_press (GTK_WIDGET (view), GDK_KEY_c, GDK_CONTROL_MASK);
  g_assert_nonnull (display_find (GTK_WIDGET (view), GTK_TYPE_LABEL,
                                  "5.4 GB are selected; at most 4.2 MB can be copied"));
  press (view, GDK_KEY_Escape, 0);
  g_autoptr (GPtrArray) none = list_labels (view, "selected");
  g_assert_cmpuint (none->len, ==, 0);
  close_view (view);
}

/* Lines that are too long are cut, with a mark; what is no text is replaced; a hit in the cut part is
 * shown. */
static void
test_strange (void)
{
  FakeLog log = { .text = g_string_new ("first\r\n\ttab \x1b[31mred\n") };
  g_autofree char *many = g_strnfill (100000, 'x');
  CycLogView *view;

  g_string_append (log.text, many);
  g_string_append (log.text, " needle ");
  g_string_append (log.text, many);
  g_string_append (log.text, "\n\xff\xfe bytes\n");
  /* A line that never ends, in a log's sense. */
  for (guint i = 0; i < 7; i++)
    g_string_append (log.text, many);
  fake_log_append (&log, "\nlast\n");
  view = make_view (&log);
  wait_for (view, "first", "last");
  g_autoptr (GPtrArray) labels = list_labels (view, "line");
  g_assert_cmpstr (get_row (labels, 0), ==, "first");
  g_assert_cmpstr (get_row (labels, 1), ==, "\ttab \xE2\x90\x9B[31mred");
  g_assert_true (g_str_has_prefix (get_row (labels, 2), "xxxx"));
  g_assert_true (g_str_has_suffix (get_row (labels, 2), "(198.0 kB more)"));
  g_assert_cmpuint (strlen (get_row (labels, 2)), <, 2100);
  g_assert_cmpstr (get_row (labels, 3), ==, "\xEF\xBF\xBD\xEF\xBF\xBD bytes");
  cyc_log_view_find (view, "NEEDLE");
  wait_for_hit (view, "\xE2\x80\xA6 xxxx");
  g_autoptr (GPtrArray) hits = list_labels (view, "hit");
  g_assert_nonnull (strstr (get_row (hits, 0), " needle "));
  close_view (view);
  g_string_free (log.text, TRUE);
}

static gboolean
has_error (gpointer data)
{
  return display_find (data, GTK_TYPE_LABEL, "log: cannot read it") != NULL;
}

static void
test_broken (void)
{
  FakeLog log = { .length = GIGABYTES / FAKE_LINE * FAKE_LINE, .broken = TRUE };
  CycLogView *view = make_view (&log);

  display_wait (has_error, view);
  g_assert_cmpuint (log.n_reads, <, 5);
  log.broken = FALSE;
  cyc_log_view_update (view);
  wait_for (view, "line 000000000000", NULL);
  g_assert_false (has_error (view));
  close_view (view);
}

static void
test_accessible (void)
{
  FakeLog log = { .length = 1000 * FAKE_LINE };
  CycLogView *view = make_view (&log);
  GtkWidget *text = get_text (view);

  wait_for (view, "line 000000000000", NULL);
  gtk_test_accessible_assert_role (GTK_ACCESSIBLE (text), GTK_ACCESSIBLE_ROLE_LOG);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (text), GTK_ACCESSIBLE_PROPERTY_LABEL, "Log of sim-3");
  g_autoptr (GPtrArray) labels = list_labels (view, "line");
  gtk_test_accessible_assert_role (g_ptr_array_index (labels, 0), GTK_ACCESSIBLE_ROLE_LABEL);
  gtk_test_accessible_assert_property (g_ptr_array_index (labels, 0), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       get_row (labels, 0));
  close_view (view);
}

static void
test_picture (void)
{
  FakeLog log = { .length = 20000 * FAKE_LINE };
  CycLogView *view = make_view (&log);

  wait_for (view, "line 000000000000", NULL);
  cyc_log_view_find (view, "12345");
  wait_for_hit (view, "line 000000012345");
  display_wait (is_counted, view);
  press (view, GDK_KEY_Down, GDK_SHIFT_MASK);
  press (view, GDK_KEY_Down, GDK_SHIFT_MASK);
  display_keep_picture (GTK_WIDGET (view), "log");
  gtk_window_set_default_size (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (view))), 420, 300);
  gtk_test_widget_wait_for_draw (GTK_WIDGET (view));
  gtk_test_widget_wait_for_draw (GTK_WIDGET (view));
  display_keep_picture (GTK_WIDGET (view), "log-narrow");
  close_view (view);
}

int
main (int    argc,
      char **argv)
{
  display_init (&argc, &argv);
  g_test_add_func ("/widgets/log-view/large", test_large);
  g_test_add_func ("/widgets/log-view/numbers", test_numbers);
  g_test_add_func ("/widgets/log-view/follow", test_follow);
  g_test_add_func ("/widgets/log-view/search", test_search);
  g_test_add_func ("/widgets/log-view/copy", test_copy);
  g_test_add_func ("/widgets/log-view/strange", test_strange);
  g_test_add_func ("/widgets/log-view/broken", test_broken);
  g_test_add_func ("/widgets/log-view/accessible", test_accessible);
  g_test_add_func ("/widgets/log-view/picture", test_picture);
  return g_test_run ();
}
