/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include "display.h"
#include "widgets/cyc-findings-view.h"
#include "widgets/cyc-message-bar.h"
#include "widgets/cyc-status.h"
#include "widgets/cyc-toast-overlay.h"

static void
close_window (GtkWidget *widget)
{
  GtkWidget *held = g_object_ref (widget);

  gtk_window_destroy (GTK_WINDOW (gtk_widget_get_root (widget)));
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_finalize_object (held);
}

static void
count_cb (gpointer data)
{
  (*(guint *) data)++;
}

static guint
count_toasts (GtkWidget *root)
{
  guint n = CYC_IS_TOAST (root);

  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n += count_toasts (child);
  return n;
}

typedef struct
{
  guint n_done;
  guint n_gone;
} Told;

static void
done_cb (gpointer data)
{
  ((Told *) data)->n_done++;
}

static void
gone_cb (gpointer data)
{
  ((Told *) data)->n_gone++;
}

static gboolean
has_gone (gpointer data)
{
  return ((Told *) data)->n_gone > 0;
}

static GtkWidget *
make_overlay (void)
{
  GtkWidget *overlay = cyc_toast_overlay_new ();

  cyc_toast_overlay_set_child (CYC_TOAST_OVERLAY (overlay), gtk_button_new_with_label ("Below"));
  display_show (overlay, 700, 400);
  return overlay;
}

static CycToast *
add_toast (GtkWidget  *overlay,
           const char *text,
           guint       seconds,
           Told       *told)
{
  CycToast *toast = cyc_toast_new (text, seconds);

  cyc_toast_set_button (toast, "_Undo", done_cb, told, gone_cb);
  cyc_toast_overlay_add (CYC_TOAST_OVERLAY (overlay), toast);
  return toast;
}

static void
test_toast_button (void)
{
  GtkWidget *overlay = make_overlay ();
  Told told = { 0 };
  CycToast *toast = add_toast (overlay, "The trace vecadd was removed", 0, &told);

  gtk_test_widget_wait_for_draw (overlay);
  gtk_test_accessible_assert_role (GTK_ACCESSIBLE (toast), GTK_ACCESSIBLE_ROLE_ALERT);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (toast), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "The trace vecadd was removed");
  GtkWidget *button = display_find (overlay, GTK_TYPE_BUTTON, "Undo");
  gtk_widget_grab_focus (button);
  g_signal_emit_by_name (button, "clicked");
  g_assert_cmpuint (told.n_done, ==, 1);
  g_assert_cmpuint (told.n_gone, ==, 1);
  g_assert_cmpuint (count_toasts (overlay), ==, 0);
  /* The focus went to what is below. */
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (overlay));
  g_assert_true (focus == display_find (overlay, GTK_TYPE_BUTTON, "Below"));
  close_window (overlay);
}

static gboolean
is_second_over (gpointer data)
{
  return g_get_monotonic_time () > *(gint64 *) data;
}

/* A main loop that sleeps would not look at the clock. */
static gboolean
wake_cb (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

/* Its time is up after what was asked; not while the focus is in it. */
static void
test_toast_time (void)
{
  GtkWidget *overlay = make_overlay ();
  Told told = { 0 };
  gint64 until = g_get_monotonic_time () + 1300 * G_TIME_SPAN_MILLISECOND;
  CycToast *toast = add_toast (overlay, "Goes by itself", 1, &told);

  gtk_widget_grab_focus (display_find (overlay, GTK_TYPE_BUTTON, "Undo"));
  guint wake = g_timeout_add (50, wake_cb, NULL);
  display_wait (is_second_over, &until);
  g_source_remove (wake);
  g_assert_cmpuint (told.n_gone, ==, 0);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (toast)));
  gtk_widget_grab_focus (display_find (overlay, GTK_TYPE_BUTTON, "Below"));
  display_wait (has_gone, &told);
  g_assert_cmpuint (told.n_done, ==, 0);
  g_assert_cmpuint (count_toasts (overlay), ==, 0);
  close_window (overlay);
}

/* Three at a time; the others wait; with the window all go. */
static void
test_toast_queue (void)
{
  GtkWidget *overlay = make_overlay ();
  Told told = { 0 };
  CycToast *first = NULL;

  for (guint i = 0; i < 5; i++)
    {
      g_autofree char *text = g_strdup_printf ("Message %u", i);
      CycToast *toast = add_toast (overlay, text, 0, &told);
      first = first != NULL ? first : toast;
    }
  g_assert_cmpuint (count_toasts (overlay), ==, 3);
  g_assert_null (display_find (overlay, GTK_TYPE_LABEL, "Message 3"));
  cyc_toast_dismiss (first);
  g_assert_cmpuint (count_toasts (overlay), ==, 3);
  g_assert_nonnull (display_find (overlay, GTK_TYPE_LABEL, "Message 3"));
  g_assert_null (display_find (overlay, GTK_TYPE_LABEL, "Message 0"));
  g_assert_cmpuint (told.n_gone, ==, 1);
  display_press (display_find (overlay, CYC_TYPE_TOAST, NULL), GDK_KEY_Escape, 0);
  g_assert_cmpuint (told.n_gone, ==, 2);
  close_window (overlay);
  g_assert_cmpuint (told.n_gone, ==, 5);
  g_assert_cmpuint (told.n_done, ==, 0);
}

static void
test_message_bar (void)
{
  GtkWidget *bar = cyc_message_bar_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  guint n_closed = 0;

  gtk_box_append (GTK_BOX (box), bar);
  display_show (box, 600, 100);
  g_assert_false (gtk_widget_get_mapped (bar));
  g_signal_connect_swapped (bar, "closed", G_CALLBACK (count_cb), &n_closed);
  cyc_message_bar_tell (CYC_MESSAGE_BAR (bar), CYC_SEVERITY_WARNING, "The simulator is gone.");
  cyc_message_bar_set_button (CYC_MESSAGE_BAR (bar), "_Preferences", "win.preferences");
  gtk_test_widget_wait_for_draw (bar);
  g_assert_true (cyc_message_bar_is_shown (CYC_MESSAGE_BAR (bar)));
  g_assert_true (gtk_widget_get_mapped (display_find (bar, GTK_TYPE_LABEL, "The simulator is gone.")));
  gtk_test_accessible_assert_role (GTK_ACCESSIBLE (bar), GTK_ACCESSIBLE_ROLE_ALERT);
  GtkWidget *button = display_find (bar, GTK_TYPE_BUTTON, "Preferences");
  g_assert_true (gtk_widget_get_mapped (button));
  g_assert_cmpstr (gtk_actionable_get_action_name (GTK_ACTIONABLE (button)), ==, "win.preferences");
  cyc_message_bar_tell (CYC_MESSAGE_BAR (bar), CYC_SEVERITY_ERROR, "Something else.");
  g_assert_true (gtk_widget_has_css_class (bar, "error"));
  g_assert_false (gtk_widget_has_css_class (bar, "warning"));
  g_assert_false (gtk_widget_get_visible (button));
  g_signal_emit_by_name (gtk_widget_get_next_sibling (button), "clicked");
  g_assert_cmpuint (n_closed, ==, 1);
  g_assert_false (gtk_widget_get_mapped (bar));
  close_window (bar);
}

static CycFindings *
make_findings (void)
{
  CycFindings *findings = cyc_findings_new ();

  cyc_findings_add (findings, CYC_SEVERITY_NOTE, "arch", NULL, 0, NULL,
                    "the trace was recorded on a card of architecture 70");
  cyc_findings_add (findings, CYC_SEVERITY_ERROR, "kernel_file_missing", "traces/kernelslist.g", 17,
                    "copy the file, or take the line out of the list",
                    "kernel-12.traceg is listed, but is not there; the simulation would stop at this kernel, "
                    "after all that come before it were simulated");
  cyc_findings_add (findings, CYC_SEVERITY_WARNING, "version", "traces/kernel-1.traceg", 3, NULL,
                    "version 4 of the tracer; 5 was expected");
  return findings;
}

static void
test_findings (void)
{
  GtkWidget *view = cyc_findings_view_new ("Findings");
  g_autoptr (CycFindings) findings = make_findings ();

  display_show (view, 700, 400);
  g_assert_true (gtk_widget_get_mapped (display_find (view, GTK_TYPE_LABEL, "No Findings")));
  cyc_findings_view_set_findings (CYC_FINDINGS_VIEW (view), findings);
  gtk_test_widget_wait_for_draw (view);
  g_assert_nonnull (display_find (view, GTK_TYPE_LABEL, "traces/kernelslist.g:17"));
  g_assert_nonnull (display_find (view, GTK_TYPE_LABEL, "copy the file, or take the line out of the list"));
  g_autofree char *summary = cyc_findings_view_dup_summary (CYC_FINDINGS_VIEW (view));
  g_assert_cmpstr (summary, ==, "1 error, 1 warning, 1 note");
  g_autofree char *all = cyc_findings_view_dup_text (CYC_FINDINGS_VIEW (view));
  g_assert_true (g_str_has_prefix (all, "Error: traces/kernelslist.g:17: kernel-12.traceg is listed"));
  g_assert_true (g_str_has_suffix (all, "\nNote: the trace was recorded on a card of architecture 70\n"));
  GtkWidget *list = display_find (view, GTK_TYPE_LIST_BOX, NULL);
  GtkListBoxRow *row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), 1);
  gtk_list_box_select_row (GTK_LIST_BOX (list), row);
  g_autofree char *one = cyc_findings_view_dup_text (CYC_FINDINGS_VIEW (view));
  g_assert_cmpstr (one, ==, "Warning: traces/kernel-1.traceg:3: version 4 of the tracer; 5 was expected\n");
  gtk_test_accessible_assert_property (
    GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL,
    "Warning: traces/kernel-1.traceg:3: version 4 of the tracer; 5 was expected");
  close_window (view);
}

/* Thousands are not rows at once; all of them can be had. */
static void
test_findings_many (void)
{
  GtkWidget *view = cyc_findings_view_new ("Findings");
  g_autoptr (CycFindings) findings = cyc_findings_new ();

  for (guint i = 0; i < 250; i++)
    {
      g_autofree char *code = g_strdup_printf ("code-%u", i / 50);
      cyc_findings_add (findings, CYC_SEVERITY_NOTE, code, NULL, 0, NULL, "number %u", i);
    }
  cyc_findings_view_set_findings (CYC_FINDINGS_VIEW (view), findings);
  display_show (view, 500, 400);
  GtkListBox *list = GTK_LIST_BOX (display_find (view, GTK_TYPE_LIST_BOX, NULL));
  g_assert_nonnull (gtk_list_box_get_row_at_index (list, 99));
  g_assert_null (gtk_list_box_get_row_at_index (list, 100));
  g_signal_emit_by_name (display_find (view, GTK_TYPE_BUTTON, "Show 150 More"), "clicked");
  GtkWidget *more = display_find (view, GTK_TYPE_BUTTON, "Show 50 More");
  g_signal_emit_by_name (more, "clicked");
  g_assert_nonnull (gtk_list_box_get_row_at_index (list, 249));
  g_assert_false (gtk_widget_get_visible (more));
  gtk_list_box_unselect_all (list);
  g_autofree char *all = cyc_findings_view_dup_text (CYC_FINDINGS_VIEW (view));
  g_assert_nonnull (strstr (all, "Note: number 249\n"));
  close_window (view);
}

static void
test_picture (void)
{
  GtkWidget *overlay = cyc_toast_overlay_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *view = cyc_findings_view_new ("Findings");
  g_autoptr (CycFindings) findings = make_findings ();
  static const CycSeverity severities[] = { CYC_SEVERITY_ERROR, CYC_SEVERITY_WARNING, CYC_SEVERITY_NOTE };
  Told told = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (severities); i++)
    {
      GtkWidget *bar = cyc_message_bar_new ();
      cyc_message_bar_tell (CYC_MESSAGE_BAR (bar), severities[i],
                            "The simulator at the folder of the settings is gone; nothing can be started until "
                            "it is back, or another one is chosen.");
      cyc_message_bar_set_button (CYC_MESSAGE_BAR (bar), "_Preferences", NULL);
      gtk_box_append (GTK_BOX (box), bar);
    }
  cyc_findings_view_set_findings (CYC_FINDINGS_VIEW (view), findings);
  gtk_widget_set_vexpand (view, TRUE);
  gtk_box_append (GTK_BOX (box), view);
  cyc_toast_overlay_set_child (CYC_TOAST_OVERLAY (overlay), box);
  add_toast (overlay, "The trace vecadd was removed", 0, &told);
  display_show (overlay, 800, 500);
  display_keep_picture (overlay, "messages");
  gtk_window_set_default_size (GTK_WINDOW (gtk_widget_get_root (overlay)), 400, 620);
  gtk_test_widget_wait_for_draw (overlay);
  display_keep_picture (overlay, "messages-narrow");
  close_window (overlay);
}

/* Of a colour component, as WCAG 2 has it. */
static double
linear (double value)
{
  return value <= 0.03928 ? value / 12.92 : pow ((value + 0.055) / 1.055, 2.4);
}

static double
get_contrast (GtkStyleContext *context,
              const char      *text,
              const char      *ground)
{
  GdkRGBA colors[2];
  double light[2];

  g_assert_true (gtk_style_context_lookup_color (context, text, &colors[0]));
  g_assert_true (gtk_style_context_lookup_color (context, ground, &colors[1]));
  for (guint i = 0; i < 2; i++)
    light[i] = 0.2126 * linear (colors[i].red) + 0.7152 * linear (colors[i].green) + 0.0722 * linear (colors[i].blue);
  return (MAX (light[0], light[1]) + 0.05) / (MIN (light[0], light[1]) + 0.05);
}

/* What went wrong is read as well as anything else, in the light theme and in the dark one: 4.5 to 1 at least. */
static void
test_contrast (void)
{
  static const char *const texts[] = { "cyc_error_text", "cyc_warning_text", "cyc_success_text" };
  static const char *const grounds[] = { "theme_base_color", "theme_bg_color" };
  GtkWidget *view = cyc_findings_view_new ("Findings");

  display_show (view, 700, 400);
  for (guint dark = 0; dark < 2; dark++)
    {
      g_object_set (gtk_settings_get_default (), "gtk-application-prefer-dark-theme", dark == 1, NULL);
      for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
        for (guint k = 0; k < G_N_ELEMENTS (grounds); k++)
          {
            double contrast = get_contrast (gtk_widget_get_style_context (view), texts[i], grounds[k]);
            g_test_message ("%s on %s, %s: %.2f", texts[i], grounds[k], dark == 1 ? "dark" : "light", contrast);
            g_assert_cmpfloat (contrast, >=, 4.5);
          }
    }
  g_object_set (gtk_settings_get_default (), "gtk-application-prefer-dark-theme", FALSE, NULL);
  close_window (view);
}

int
main (int    argc,
      char **argv)
{
  display_init (&argc, &argv);
  g_test_add_func ("/widgets/messages/toast/button", test_toast_button);
  g_test_add_func ("/widgets/messages/toast/time", test_toast_time);
  g_test_add_func ("/widgets/messages/toast/queue", test_toast_queue);
  g_test_add_func ("/widgets/messages/bar", test_message_bar);
  g_test_add_func ("/widgets/messages/findings", test_findings);
  g_test_add_func ("/widgets/messages/findings/many", test_findings_many);
  g_test_add_func ("/widgets/messages/picture", test_picture);
  g_test_add_func ("/widgets/messages/contrast", test_contrast);
  return g_test_run ();
}
