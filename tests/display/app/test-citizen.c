/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app-fixture.h"

#include <string.h>

#include "app/cyc-state.h"
#include "notifications.h"
#include "session.h"

/* What a desktop expects: notifications, suspend, a life without a window, dropped files, the theme. */

static gboolean
has_notification (gpointer title)
{
  GPtrArray *titles = notifications_get ();

  return g_ptr_array_find_with_equal_func (titles, title, g_str_equal, NULL);
}

static guint
count_notifications (const char *title)
{
  GPtrArray *titles = notifications_get ();
  guint n = 0;

  for (guint i = 0; i < titles->len; i++)
    n += strcmp (g_ptr_array_index (titles, i), title) == 0;
  return n;
}

static gboolean
is_awake (gpointer data)
{
  return session_get_n_inhibitors () == 1;
}

static gboolean
may_sleep (gpointer data)
{
  return session_get_n_inhibitors () == 0;
}

static gboolean
has_no_window (gpointer fixture)
{
  return app_fixture_get_window (fixture) == NULL;
}

static void
cancel_done_cb (GObject      *source,
                GAsyncResult *result,
                gpointer      user_data)
{
  g_assert_true (cyc_workspace_finish (CYC_WORKSPACE (source), result, NULL));
}

/* Without a window the program goes on as long as a simulation does, keeps the machine awake, and says so. */
static void
background_body (AppFixture *fixture)
{
  CycWorkspace *workspace = app_fixture_wait_open (fixture);

  g_assert_cmpuint (session_get_n_inhibitors (), ==, 0);
  g_autofree char *run = app_fixture_start_run (fixture, "local", "hangs", APP_SAMPLE_CONFIG);
  display_wait (is_awake, NULL);
  app_fixture_activate (fixture, "win.close");
  display_wait (has_no_window, fixture);
  display_wait (has_notification, (gpointer) "Simulations go on");
  g_assert_true (cyc_application_get_workspace (fixture->application) == workspace);
  g_assert_cmpuint (session_get_n_inhibitors (), ==, 1);

  /* A second start shows it again. */
  g_application_activate (G_APPLICATION (fixture->application));
  g_assert_true (cyc_window_get_workspace (app_fixture_get_window (fixture)) == workspace);
  app_fixture_wait_run (fixture, run, "active");
  app_fixture_activate (fixture, "win.close");
  display_wait (has_no_window, fixture);

  /* With the simulation it ends. */
  cyc_workspace_cancel_run_async (workspace, run, NULL, cancel_done_cb, NULL);
  display_wait (app_fixture_is_closed, fixture);
  display_wait (may_sleep, NULL);
}

static void
test_background (void)
{
  g_auto (AppFixture) fixture;
  g_autofree char *settings = app_fixture_fake_settings ("hangs", "hang");

  app_fixture_init (&fixture);
  app_fixture_write_settings (&fixture, settings);
  app_fixture_run (&fixture, NULL, background_body);
}

/* The end of the program is not that of a simulation: what it did meanwhile is there at the next start. */

static char *left_run;

static void
leave_body (AppFixture *fixture)
{
  app_fixture_wait_open (fixture);
  left_run = app_fixture_start_run (fixture, "local", "slow", APP_SAMPLE_CONFIG);
  app_fixture_wait_run (fixture, left_run, "active");
}

static void
return_body (AppFixture *fixture)
{
  app_fixture_wait_open (fixture);
  app_fixture_wait_run (fixture, left_run, "succeeded");
}

static void
test_leave (void)
{
  g_auto (AppFixture) fixture;
  g_autofree char *settings = app_fixture_fake_settings ("slow", "slow");

  app_fixture_init (&fixture);
  app_fixture_write_settings (&fixture, settings);
  app_fixture_run (&fixture, NULL, leave_body);
  g_assert_true (has_notification ((gpointer) "Simulations go on"));
  app_fixture_run (&fixture, NULL, return_body);
  g_clear_pointer (&left_run, g_free);
}

static gboolean
has_message (gpointer fixture)
{
  return app_fixture_find (fixture, GTK_TYPE_LABEL,
                           "The run of cyclescope-sample has ended: 1 simulation succeeded.") != NULL;
}

static gboolean
is_active (gpointer window)
{
  return gtk_window_is_active (window);
}

/* In front, a message of the window is enough; else it is a notification. */
static void
ended_body (AppFixture *fixture)
{
  const char *title = "The run of cyclescope-sample has ended";

  app_fixture_wait_open (fixture);
  display_wait (is_active, app_fixture_get_window (fixture));
  g_autofree char *first = app_fixture_start_run (fixture, "replay", NULL, APP_SAMPLE_CONFIG);
  display_wait (has_message, fixture);
  g_assert_cmpuint (count_notifications (title), ==, 0);

  GtkWidget *other = gtk_window_new ();
  gtk_window_present (GTK_WINDOW (other));
  display_wait (is_active, other);
  g_autofree char *second = app_fixture_start_run (fixture, "replay", NULL, APP_SAMPLE_CONFIG);
  display_wait (has_notification, (gpointer) title);
  g_assert_cmpuint (count_notifications (title), ==, 1);
  gtk_window_destroy (GTK_WINDOW (other));

  /* What a click on it does. */
  g_action_group_activate_action (G_ACTION_GROUP (fixture->application), "show-run", g_variant_new_string (second));
  app_fixture_wait_page (fixture, "run");
  app_fixture_activate (fixture, "win.back");
  app_fixture_wait_page (fixture, "traces");
}

static void
test_ended (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, ended_body);
}

static gboolean
is_dark (gpointer data)
{
  gboolean dark;

  g_object_get (gtk_settings_get_default (), "gtk-application-prefer-dark-theme", &dark, NULL);
  return dark;
}

static gboolean
is_light (gpointer data)
{
  return !is_dark (data);
}

static void
theme_body (AppFixture *fixture)
{
  app_fixture_wait_open (fixture);
  display_wait (is_dark, NULL);
  session_set_scheme (2);
  display_wait (is_light, NULL);
  /* The user's word counts more. */
  g_settings_set_string (cyc_state_get (), "theme", "dark");
  g_assert_true (is_dark (NULL));
  g_settings_set_string (cyc_state_get (), "theme", "system");
  g_assert_true (is_light (NULL));
}

/* The desktop's preference comes from the settings portal. */
static void
test_theme (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  session_set_scheme (1);
  app_fixture_run (&fixture, NULL, theme_body);
  session_set_scheme (0);
}

/* Drops */

static GtkDropTarget *
find_drop_target (GtkWidget *widget)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GObject) controller = g_list_model_get_item (controllers, i);
      if (GTK_IS_DROP_TARGET (controller)
          && gdk_content_formats_contain_gtype (gtk_drop_target_get_formats (GTK_DROP_TARGET (controller)),
                                                GDK_TYPE_FILE_LIST))
        return GTK_DROP_TARGET (controller);
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkDropTarget *found = find_drop_target (child);
      if (found != NULL)
        return found;
    }
  return NULL;
}

static guint
count_dialogs (AppFixture *fixture)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();
  guint n = 0;

  for (GList *l = windows; l != NULL; l = l->next)
    n += gtk_window_get_transient_for (l->data) == GTK_WINDOW (app_fixture_get_window (fixture));
  return n;
}

static gboolean
has_dialog (gpointer fixture)
{
  return count_dialogs (fixture) == 1;
}

/* Two files of a trace stand for its folder, once. */
static void
drop_body (AppFixture *fixture)
{
  app_fixture_wait_open (fixture);
  app_fixture_wait_page (fixture, "traces");
  GtkDropTarget *target = find_drop_target (GTK_WIDGET (app_fixture_get_window (fixture)));
  g_autofree char *traces =
    g_test_build_filename (G_TEST_DIST, "..", "..", "samples", "traces", APP_SAMPLE_TRACE, "traces", NULL);
  g_autofree char *first = g_build_filename (traces, "kernelslist.g", NULL);
  g_autofree char *second = g_build_filename (traces, "stats_ctx_0x0", NULL);
  GFile *files[] = { g_file_new_for_path (first), g_file_new_for_path (second) };
  g_auto (GValue) value = G_VALUE_INIT;
  gboolean taken = FALSE;

  g_assert_nonnull (target);
  g_value_init (&value, GDK_TYPE_FILE_LIST);
  g_value_take_boxed (&value, gdk_file_list_new_from_array (files, G_N_ELEMENTS (files)));
  g_signal_emit_by_name (target, "drop", &value, 10.0, 10.0, &taken);
  g_assert_true (taken);
  display_wait (has_dialog, fixture);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    g_object_unref (files[i]);
}

static void
test_drop (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, drop_body);
}

/* An argument is looked at as soon as the workspace is open. */
static void
path_body (AppFixture *fixture)
{
  display_wait (has_dialog, fixture);
}

static void
test_path (void)
{
  g_auto (AppFixture) fixture;
  g_autofree char *trace = g_test_build_filename (G_TEST_DIST, "..", "..", "samples", "traces", APP_SAMPLE_TRACE, NULL);

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, trace, path_body);
}

/* Two windows of one workspace; the second stays when the first goes. */
static void
windows_body (AppFixture *fixture)
{
  CycWorkspace *workspace = app_fixture_wait_open (fixture);
  CycWindow *first = app_fixture_get_window (fixture);

  app_fixture_activate (fixture, "app.new-window");
  CycWindow *second = app_fixture_get_window (fixture);
  g_assert_true (second != first);
  g_assert_true (cyc_window_get_workspace (second) == workspace);
  g_assert_cmpstr (cyc_window_get_page_name (second), ==, "traces");
  gtk_window_close (GTK_WINDOW (first));
  g_assert_true (app_fixture_get_window (fixture) == second);
  g_assert_cmpint (cyc_workspace_get_state (workspace), ==, CYC_WORKSPACE_OPEN);
}

static void
test_windows (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, windows_body);
}

int
main (int    argc,
      char **argv)
{
  display_init (&argc, &argv);
  session_serve ();
  g_test_add_func ("/app/citizen/background", test_background);
  g_test_add_func ("/app/citizen/leave", test_leave);
  g_test_add_func ("/app/citizen/ended", test_ended);
  g_test_add_func ("/app/citizen/theme", test_theme);
  g_test_add_func ("/app/citizen/drop", test_drop);
  g_test_add_func ("/app/citizen/path", test_path);
  g_test_add_func ("/app/citizen/windows", test_windows);
  return g_test_run ();
}
