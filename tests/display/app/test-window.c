/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app-fixture.h"

#include <glib/gstdio.h>
#include <string.h>

#include "app/cyc-actions.h"
#include "app/cyc-sidebar.h"
#include "app/cyc-sim-columns.h"
#include "app/cyc-split.h"
#include "app/cyc-state.h"
#include "widgets/cyc-chart-view.h"
#include "widgets/cyc-log-view.h"
#include "widgets/cyc-table-view.h"
#include "widgets/cyc-timeline-view.h"

/* The window: opening, going about, widths, what is remembered. */

static GtkWidget *
find_named (AppFixture *fixture,
            GType       type)
{
  return display_find (GTK_WIDGET (app_fixture_get_window (fixture)), type, NULL);
}

/* Keys that go through the sidebar mark what they come to; once they have left it, the page that is shown is marked. */
static void
check_marks (GtkWidget *window)
{
  GtkListBox *list = GTK_LIST_BOX (display_find (window, GTK_TYPE_LIST_BOX, NULL));
  GtkListBoxRow *shown = gtk_list_box_get_selected_row (list);

  g_assert_nonnull (shown);
  for (guint i = 0; i < 3; i++)
    g_assert_true (gtk_widget_child_focus (GTK_WIDGET (list), GTK_DIR_TAB_FORWARD));
  g_assert_true (gtk_list_box_get_selected_row (list) != shown);
  gtk_window_set_focus (GTK_WINDOW (window), NULL);
  g_assert_true (gtk_list_box_get_selected_row (list) == shown);
}

static void
open_body (AppFixture *fixture)
{
  CycWorkspace *workspace = app_fixture_wait_open (fixture);
  CycWindow *window = app_fixture_get_window (fixture);

  app_fixture_wait_page (fixture, "traces");
  g_assert_true (cyc_window_get_workspace (window) == workspace);
  g_assert_cmpstr (cyc_page_get_title (cyc_window_get_page (window)), ==, "Traces");
  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (window)), ==, "Traces – workspace");
  g_assert_true (cyc_page_is_shown (cyc_window_get_page (window)));
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (window), "back"));

  check_marks (GTK_WIDGET (window));

  /* The sample is the only trace. */
  g_assert_nonnull (display_find (find_named (fixture, GTK_TYPE_LIST_BOX), GTK_TYPE_LABEL, "1"));
  g_auto (GStrv) folders = g_settings_get_strv (cyc_state_get (), "last-workspaces");
  g_autofree char *folder = app_fixture_get_workspace (fixture);
  GtkWidget *button = gtk_widget_get_ancestor (display_find (find_named (fixture, CYC_TYPE_SIDEBAR), GTK_TYPE_LABEL,
                                                             folder), GTK_TYPE_BUTTON);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, "Workspace workspace");
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, folder);
  g_assert_cmpstr (folders[0], ==, folder);
  g_autofree char *uri = g_filename_to_uri (folder, NULL, NULL);
  g_assert_true (gtk_recent_manager_has_item (gtk_recent_manager_get_default (), uri));
}

static void
test_open (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, open_body);
  /* And again: the first let go of the workspace. */
  app_fixture_run (&fixture, NULL, open_body);
}

static gboolean
is_folded (gpointer split)
{
  return cyc_split_get_folded (split);
}

static gboolean
is_unfolded (gpointer split)
{
  return !cyc_split_get_folded (split);
}

static void
fold_body (AppFixture *fixture)
{
  app_fixture_wait_open (fixture);
  CycWindow *window = app_fixture_get_window (fixture);
  CycSplit *split = CYC_SPLIT (find_named (fixture, CYC_TYPE_SPLIT));
  GtkWidget *list = find_named (fixture, GTK_TYPE_LIST_BOX);

  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  g_assert_false (cyc_split_get_folded (split));
  g_assert_true (gtk_widget_get_mapped (list));
  gtk_window_set_default_size (GTK_WINDOW (window), 600, 500);
  display_wait (is_folded, split);
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (window)), <, 700);
  g_assert_false (gtk_widget_get_mapped (list));

  /* Over the content for the moment; an entry puts it away. */
  app_fixture_activate (fixture, "win.show-sidebar");
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  g_assert_true (gtk_widget_get_mapped (list));
  app_fixture_activate (fixture, "win.show-traces");
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  g_assert_false (gtk_widget_get_mapped (list));

  gtk_window_set_default_size (GTK_WINDOW (window), 900, 500);
  display_wait (is_unfolded, split);
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  g_assert_true (gtk_widget_get_mapped (list));
  app_fixture_activate (fixture, "win.show-sidebar");
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  g_assert_false (gtk_widget_get_mapped (list));
}

static void
remembered_body (AppFixture *fixture)
{
  app_fixture_wait_open (fixture);
  CycWindow *window = app_fixture_get_window (fixture);

  int width;
  int height;

  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  gtk_window_get_default_size (GTK_WINDOW (window), &width, &height);
  g_assert_cmpint (width, ==, 900);
  g_assert_cmpint (height, ==, 500);
  g_assert_false (gtk_widget_get_mapped (find_named (fixture, GTK_TYPE_LIST_BOX)));
}

static void
test_fold (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, fold_body);
  g_assert_cmpint (g_settings_get_int (cyc_state_get (), "window-width"), ==, 900);
  g_assert_false (g_settings_get_boolean (cyc_state_get (), "sidebar-visible"));
  app_fixture_run (&fixture, NULL, remembered_body);
}

static void
theme_body (AppFixture *fixture)
{
  gboolean dark;

  app_fixture_wait_open (fixture);
  g_settings_set_string (cyc_state_get (), "theme", "dark");
  g_object_get (gtk_settings_get_default (), "gtk-application-prefer-dark-theme", &dark, NULL);
  g_assert_true (dark);
  g_settings_set_string (cyc_state_get (), "theme", "light");
  g_object_get (gtk_settings_get_default (), "gtk-application-prefer-dark-theme", &dark, NULL);
  g_assert_false (dark);
}

/* Every action that has a key is there, and every key is one. */

/* A page of each kind that has actions. */
static GStrv
dup_pages (AppFixture *fixture)
{
  CycWorkspace *workspace = cyc_application_get_workspace (fixture->application);
  g_autoptr (CycRun) run = g_list_model_get_item (cyc_workspace_get_runs (workspace), 0);
  g_autofree char *timeline = test_folder_write (fixture->folder, "timeline.json", "[]", -1);
  g_autofree char *mapping = app_fixture_dup_golden ("access/conv2d.yaml");
  g_autoptr (GStrvBuilder) pages = g_strv_builder_new ();

  g_strv_builder_add_many (pages, "win.show-traces", "win.show-runs", "win.show-configs",
                           "win.show-trace('cyclescope-sample')", NULL);
  g_autofree char *show_run = g_strdup_printf ("win.show-run('%s')", cyc_run_get_record (run)->id);
  g_autofree char *show_timeline = g_strdup_printf ("win.show-timeline('%s')", timeline);
  g_autofree char *show_mapping = g_strdup_printf ("win.show-access('%s')", mapping);
  g_strv_builder_add_many (pages, show_run, show_timeline, show_mapping, NULL);
  return g_strv_builder_end (pages);
}

static gboolean
is_told (const char *prefix,
         const char *name)
{
  guint n;
  const CycActionInfo *table = cyc_actions_get_table (&n);
  g_autofree char *whole = g_strdup_printf ("%s.%s", prefix, name);

  for (guint i = 0; i < n; i++)
    if (g_str_equal (table[i].name, whole))
      return TRUE;
  return FALSE;
}

/* Whatever can be done without another word has a key, or is the button of a page that has nothing else. */
static void
check_all_told (GActionGroup *actions,
                const char   *prefix)
{
  g_auto (GStrv) names = g_action_group_list_actions (actions);
  guint untold = 0;

  for (guint i = 0; names[i] != NULL; i++)
    {
      if (g_action_group_get_action_parameter_type (actions, names[i]) != NULL || is_told (prefix, names[i])
          || is_told ("timeline", names[i]) || g_str_equal (names[i], "retry"))
        continue;
      g_printerr ("# %s.%s has no key\n", prefix, names[i]);
      untold++;
    }
  g_assert_cmpuint (untold, ==, 0);
}

/* Every action of pages is in some page, and every page that has it takes what its key gives. */
static void
check_page_actions (AppFixture *fixture)
{
  g_auto (GStrv) pages = dup_pages (fixture);
  guint n;
  const CycActionInfo *table = cyc_actions_get_table (&n);
  g_autofree gboolean *found = g_new0 (gboolean, n);

  for (guint i = 0; pages[i] != NULL; i++)
    {
      app_fixture_activate (fixture, pages[i]);
      GActionGroup *actions = cyc_page_get_actions (cyc_window_get_page (app_fixture_get_window (fixture)));
      check_all_told (actions, "page");
      for (guint j = 0; j < n; j++)
        {
          g_autofree char *name = NULL;
          g_autoptr (GVariant) target = NULL;
          g_assert_true (g_action_parse_detailed_name (table[j].name, &name, &target, NULL));
          const char *plain = strchr (name, '.') + 1;
          if (!g_str_has_prefix (name, "page.") || !g_action_group_has_action (actions, plain))
            continue;
          g_test_message ("%s: %s", pages[i], table[j].name);
          const GVariantType *type = g_action_group_get_action_parameter_type (actions, plain);
          g_assert_true (target != NULL ? type != NULL && g_variant_is_of_type (target, type) : type == NULL);
          found[j] = TRUE;
        }
    }
  for (guint j = 0; j < n; j++)
    if (g_str_has_prefix (table[j].name, "page.") && !found[j])
      g_error ("no page has %s", table[j].name);
}

static gboolean
has_widget_action (GType       type,
                   const char *name)
{
  g_autoptr (GTypeClass) klass = g_type_class_ref (type);
  const char *each, *property;
  const GVariantType *parameter;
  GType owner;

  for (guint i = 0;
       gtk_widget_class_query_action (GTK_WIDGET_CLASS (klass), i, &owner, &each, &parameter, &property); i++)
    if (g_strcmp0 (each, name) == 0)
      return TRUE;
  return FALSE;
}

static GType
get_owner (const char *name)
{
  if (g_str_has_prefix (name, "timeline."))
    return CYC_TYPE_TIMELINE_VIEW;
  if (g_str_has_prefix (name, "chart."))
    return CYC_TYPE_CHART_VIEW;
  return g_str_has_prefix (name, "log.") ? CYC_TYPE_LOG_VIEW : CYC_TYPE_TABLE_VIEW;
}

/* A key of a widget is bound by its class, or by what is in it. */
static gboolean
has_key (GtkWidget  *widget,
         const char *accel)
{
  g_autoptr (GtkShortcutTrigger) trigger = gtk_shortcut_trigger_parse_string (accel);
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GObject) controller = g_list_model_get_item (controllers, i);
      for (guint k = 0; GTK_IS_SHORTCUT_CONTROLLER (controller)
           && k < g_list_model_get_n_items (G_LIST_MODEL (controller)); k++)
        {
          g_autoptr (GtkShortcut) shortcut = g_list_model_get_item (G_LIST_MODEL (controller), k);
          if (gtk_shortcut_trigger_equal (gtk_shortcut_get_trigger (shortcut), trigger))
            return TRUE;
        }
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (has_key (child, accel))
      return TRUE;
  return FALSE;
}

static void
check_widget_keys (GtkWidget  *widget,
                   const char *prefix)
{
  guint n;
  const CycActionInfo *table = cyc_actions_get_table (&n);

  g_object_ref_sink (widget);
  for (guint i = 0; i < n; i++)
    {
      g_auto (GStrv) accels = g_strsplit (table[i].accels, " ", -1);
      for (guint k = 0; g_str_has_prefix (table[i].name, prefix) && accels[k] != NULL; k++)
        if (!has_key (widget, accels[k]))
          g_error ("%s is not bound to %s", accels[k], table[i].name);
    }
  g_object_unref (widget);
}

static void
check_keys_of_widgets (void)
{
  guint n;
  const CycTableColumn *columns = cyc_sim_columns_get (&n);

  check_widget_keys (cyc_timeline_view_new (), "timeline.");
  check_widget_keys (cyc_chart_view_new (), "chart.");
  check_widget_keys (cyc_log_view_new ("Log"), "log.");
  check_widget_keys (cyc_table_view_new ("Table", columns, n, NULL), "table.");
}

static GtkWidget *
find_overlay (void)
{
  return display_find_window (GTK_TYPE_SHORTCUTS_WINDOW);
}

static void
actions_body (AppFixture *fixture)
{
  guint n;
  const CycActionInfo *table = cyc_actions_get_table (&n);

  app_fixture_wait_open (fixture);
  app_fixture_wait_page (fixture, "traces");
  app_fixture_wait_ended (fixture);
  g_assert_cmpuint (n, >, 10);
  check_page_actions (fixture);
  check_all_told (G_ACTION_GROUP (fixture->application), "app");
  check_all_told (G_ACTION_GROUP (app_fixture_get_window (fixture)), "win");
  check_keys_of_widgets ();
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = NULL;
      g_autoptr (GVariant) target = NULL;
      g_autoptr (GError) error = NULL;
      g_action_parse_detailed_name (table[i].name, &name, &target, &error);
      g_assert_no_error (error);
      g_test_message ("%s", name);
      const char *plain = strchr (name, '.') + 1;
      if (g_str_has_prefix (name, "app."))
        g_assert_true (g_action_group_has_action (G_ACTION_GROUP (fixture->application), plain));
      else if (g_str_has_prefix (name, "win."))
        g_assert_true (g_action_group_has_action (G_ACTION_GROUP (app_fixture_get_window (fixture)), plain));
      else if (!g_str_has_prefix (name, "page."))
        g_assert_true (has_widget_action (get_owner (name), name));
      g_auto (GStrv) accels = g_strsplit (table[i].accels, " ", -1);
      for (guint j = 0; accels[j] != NULL; j++)
        {
          g_autoptr (GtkShortcutTrigger) trigger = gtk_shortcut_trigger_parse_string (accels[j]);
          g_assert_nonnull (trigger);
        }
    }

  app_fixture_activate (fixture, "win.show-help-overlay");
  g_assert_nonnull (find_overlay ());
  g_assert_nonnull (display_find (find_overlay (), GTK_TYPE_LABEL, "Remove what is selected"));
  gtk_window_close (GTK_WINDOW (find_overlay ()));
}

static void
test_actions (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, actions_body);
}

static void
test_theme (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, theme_body);
}

static gboolean
has_failed (gpointer data)
{
  CycWorkspace *workspace = cyc_application_get_workspace (((AppFixture *) data)->application);

  return workspace != NULL && cyc_workspace_get_state (workspace) == CYC_WORKSPACE_CLOSED;
}

static void
closed_body (AppFixture *fixture)
{
  g_autofree char *folder = app_fixture_get_workspace (fixture);

  display_wait (has_failed, fixture);
  CycWindow *window = app_fixture_get_window (fixture);
  g_assert_null (cyc_window_get_page (window));
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (window), "show-traces"));
  g_assert_nonnull (display_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "The Workspace Is Not Open"));
  g_assert_nonnull (strstr (cyc_workspace_get_error (cyc_window_get_workspace (window)), folder));

  /* The cause is mended, and it opens in the same window. */
  g_assert_cmpint (g_remove (folder), ==, 0);
  app_fixture_click (GTK_WIDGET (window), "Try Again");
  g_assert_true (app_fixture_wait_open (fixture) == cyc_window_get_workspace (window));
  app_fixture_wait_page (fixture, "traces");
}

/* A workspace that cannot be opened: a file stands where its folder should be. */
static void
test_closed (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  g_autofree char *path = test_folder_write (fixture.folder, "workspace", "no folder", -1);
  app_fixture_run (&fixture, NULL, closed_body);
}

/* Another process has the workspace: the window attaches to its engine, without being told. When that ends, well or
 * not, the window opens the workspace itself and shows what it showed. */

static GSubprocess *owner;

static gboolean
is_open_here (gpointer data)
{
  CycWorkspace *workspace = cyc_window_get_workspace (app_fixture_get_window (data));

  return cyc_workspace_get_traits (workspace) == 0 && cyc_workspace_get_state (workspace) == CYC_WORKSPACE_OPEN;
}

static gboolean
is_attached (gpointer data)
{
  CycWorkspace *workspace = cyc_window_get_workspace (app_fixture_get_window (data));

  return cyc_workspace_get_traits (workspace) == CYC_WORKSPACE_REMOTE
         && cyc_workspace_get_state (workspace) == CYC_WORKSPACE_OPEN
         && cyc_workspace_get_connection (workspace) == CYC_CONNECTION_LIVE;
}

static void
busy_body (AppFixture *fixture)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = app_fixture_get_workspace (fixture);

  display_wait (is_attached, fixture);
  CycWindow *window = app_fixture_get_window (fixture);
  app_fixture_wait_page (fixture, "traces");
  CycWorkspace *workspace = cyc_window_get_workspace (window);
  g_assert_cmpstr (cyc_workspace_get_location (workspace), ==, folder);
  g_assert_cmpuint (g_list_model_get_n_items (cyc_workspace_get_traces (workspace)), ==, 1);
  g_assert_cmpuint (cyc_workspace_get_n_local (workspace), ==, 0);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.show-runs", NULL);
  app_fixture_wait_page (fixture, "runs");

  g_subprocess_force_exit (owner);
  g_assert_true (g_subprocess_wait (owner, NULL, &error));
  g_assert_no_error (error);
  display_wait (is_open_here, fixture);
  app_fixture_wait_page (fixture, "runs");
}

static void
test_busy (void)
{
  g_auto (AppFixture) fixture;
  g_autoptr (GError) error = NULL;

  app_fixture_init (&fixture);
  g_autofree char *folder = app_fixture_get_workspace (&fixture);
  owner = g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error,
                            g_getenv ("CYC_TEST_SERVE"), folder, NULL);
  g_assert_no_error (error);
  g_autoptr (GDataInputStream) lines = g_data_input_stream_new (g_subprocess_get_stdout_pipe (owner));
  g_autofree char *line = g_data_input_stream_read_line (lines, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_str_has_prefix (line, "http://127.0.0.1:"));
  app_fixture_run (&fixture, NULL, busy_body);
  g_clear_object (&owner);
}

static void
test_id (void)
{
  g_autofree char *usual = g_build_filename (g_get_user_data_dir (), "cyclescope", NULL);
  g_autofree char *with_dots = g_build_filename (g_get_user_data_dir (), "x", "..", "cyclescope", NULL);
  g_autofree char *id = cyc_application_id_for (usual);
  g_autofree char *same = cyc_application_id_for (with_dots);
  g_autofree char *other = cyc_application_id_for ("/somewhere/else");
  g_autofree char *third = cyc_application_id_for ("/somewhere/else2");

  g_assert_cmpstr (id, ==, "org.cyclescope.Cyclescope");
  g_assert_cmpstr (same, ==, id);
  /* printf /somewhere/else | sha256sum */
  g_assert_cmpstr (other, ==, "org.cyclescope.Cyclescope.w545651a484bcca25");
  g_assert_true (g_application_id_is_valid (other));
  g_assert_cmpstr (third, !=, other);
}

int
main (int    argc,
      char **argv)
{
  display_init (&argc, &argv);
  g_test_add_func ("/app/window/id", test_id);
  g_test_add_func ("/app/window/open", test_open);
  g_test_add_func ("/app/window/fold", test_fold);
  g_test_add_func ("/app/window/actions", test_actions);
  g_test_add_func ("/app/window/theme", test_theme);
  g_test_add_func ("/app/window/closed", test_closed);
  g_test_add_func ("/app/window/busy", test_busy);
  return g_test_run ();
}
