/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app-fixture.h"

#include <string.h>

#include "app/cyc-config-item.h"
#include "app/cyc-state.h"
#include "core/model/cyc-run.h"
#include "widgets/cyc-table-view.h"

/* The pages of traces, runs and GPU configurations. */

static CycTableView *
get_table (AppFixture *fixture,
           const char *page)
{
  GtkWidget *widget = GTK_WIDGET (app_fixture_wait_page (fixture, page));
  GtkWidget *table = display_find (widget, CYC_TYPE_TABLE_VIEW, NULL);

  g_assert_nonnull (table);
  return CYC_TABLE_VIEW (table);
}

static gboolean
is_enabled (AppFixture *fixture,
            const char *action)
{
  return g_action_group_get_action_enabled (
    cyc_page_get_actions (cyc_window_get_page (app_fixture_get_window (fixture))), action);
}

static void
select_at (CycTableView *table,
           guint         position)
{
  g_autoptr (GObject) item = g_list_model_get_item (cyc_table_view_get_shown (table), position);

  g_assert_true (cyc_table_view_select (table, item));
}

/* Traces */

static void
traces_body (AppFixture *fixture)
{
  app_fixture_wait_open (fixture);
  CycTableView *table = get_table (fixture, "traces");
  GListModel *shown = cyc_table_view_get_shown (table);

  app_fixture_wait_count (shown, 1);
  g_autofree char *json = cyc_table_view_dup_text (table, CYC_TABLE_MARKDOWN, CYC_TABLE_SHOWN);
  g_assert_nonnull (strstr (json, "| Ready | cyclescope-sample |"));
  g_assert_nonnull (strstr (json, "| sm_86 | 5 |"));
  g_assert_false (is_enabled (fixture, "remove"));
  g_assert_false (is_enabled (fixture, "new-run"));
  select_at (table, 0);
  g_assert_true (is_enabled (fixture, "remove"));
  g_assert_true (is_enabled (fixture, "new-run"));

  cyc_table_view_set_filter (table, "no such trace");
  app_fixture_wait_count (shown, 0);
  cyc_table_view_set_filter (table, "SAMPLE");
  app_fixture_wait_count (shown, 1);
  cyc_table_view_set_filter (table, "");

  /* Removed, once no run needs it, and brought back by the message's button. */
  app_fixture_wait_ended (fixture);
  select_at (table, 0);
  app_fixture_activate (fixture, "page.remove");
  app_fixture_wait_count (shown, 0);
  g_assert_nonnull (app_fixture_find (fixture, GTK_TYPE_LABEL, "No Traces"));
  app_fixture_click (GTK_WIDGET (app_fixture_get_window (fixture)), "Undo");
  app_fixture_wait_count (shown, 1);
}

static void
test_traces (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, traces_body);
}

/* Runs */

static void
runs_body (AppFixture *fixture)
{
  CycWorkspace *workspace = app_fixture_wait_open (fixture);

  app_fixture_activate (fixture, "win.show-runs");
  CycTableView *table = get_table (fixture, "runs");
  GListModel *shown = cyc_table_view_get_shown (table);
  app_fixture_wait_count (shown, 1);

  g_autofree char *run = app_fixture_start_run (fixture, "replay", NULL, APP_SAMPLE_CONFIG);
  app_fixture_wait_count (shown, 2);
  app_fixture_wait_run (fixture, run, "succeeded");
  /* The launcher is a column that the user asks for. */
  g_autoptr (GVariant) with_launcher =
    g_variant_ref_sink (g_variant_new_parsed ("{'columns': <[('launcher', 100, true)]>}"));
  cyc_table_view_set_state (table, with_launcher);
  g_autofree char *text = cyc_table_view_dup_text (table, CYC_TABLE_MARKDOWN, CYC_TABLE_SHOWN);
  g_assert_nonnull (strstr (text, "| Succeeded | cyclescope-sample | SM86_RTX3070 | 1/1 |"));
  g_assert_nonnull (strstr (text, "| Replay |"));
  g_assert_nonnull (strstr (text, "| Recorded |"));

  /* One that goes on can be cancelled, and not removed. */
  g_autofree char *hangs = app_fixture_start_run (fixture, "local", "hangs", APP_SAMPLE_CONFIG);
  app_fixture_wait_count (shown, 3);
  g_autoptr (CycRun) item = cyc_workspace_find_run (workspace, hangs);
  cyc_table_view_unselect_all (table);
  g_assert_true (cyc_table_view_select (table, item));
  g_assert_true (is_enabled (fixture, "cancel"));
  g_assert_false (is_enabled (fixture, "remove"));
  app_fixture_activate (fixture, "page.cancel");
  app_fixture_wait_run (fixture, hangs, "cancelled");
}

static gboolean
can_remove (gpointer fixture)
{
  return is_enabled (fixture, "remove");
}

static void
remove_body (AppFixture *fixture)
{
  CycWorkspace *workspace = app_fixture_wait_open (fixture);
  GListModel *runs = cyc_workspace_get_runs (workspace);
  CycWindow *window = app_fixture_get_window (fixture);

  app_fixture_activate (fixture, "win.show-runs");
  CycTableView *table = get_table (fixture, "runs");
  GListModel *shown = cyc_table_view_get_shown (table);
  app_fixture_wait_count (shown, 3);

  /* Hidden at once, and not removed while the user can change their mind. */
  select_at (table, 0);
  display_wait (can_remove, fixture);
  app_fixture_activate (fixture, "page.remove");
  app_fixture_wait_count (shown, 2);
  app_fixture_click (GTK_WIDGET (window), "Undo");
  app_fixture_wait_count (shown, 3);
  g_assert_cmpuint (g_list_model_get_n_items (runs), ==, 3);

  /* The end of the program is the end of the time to change it. */
  cyc_table_view_unselect_all (table);
  select_at (table, 0);
  app_fixture_activate (fixture, "page.remove");
  app_fixture_wait_count (shown, 2);
  g_assert_cmpuint (g_list_model_get_n_items (runs), ==, 3);
}

static void
removed_body (AppFixture *fixture)
{
  CycWorkspace *workspace = app_fixture_wait_open (fixture);

  g_assert_cmpuint (g_list_model_get_n_items (cyc_workspace_get_runs (workspace)), ==, 2);
}

static void
test_runs (void)
{
  g_auto (AppFixture) fixture;
  g_autofree char *settings = app_fixture_fake_settings ("hangs", "hang");

  app_fixture_init (&fixture);
  app_fixture_write_settings (&fixture, settings);
  app_fixture_run (&fixture, NULL, runs_body);
  app_fixture_run (&fixture, NULL, remove_body);
  app_fixture_run (&fixture, NULL, removed_body);
}

/* GPU configurations */

static void
configs_body (AppFixture *fixture)
{
  app_fixture_wait_open (fixture);
  app_fixture_activate (fixture, "win.show-configs");
  CycTableView *table = get_table (fixture, "configs");
  GListModel *shown = cyc_table_view_get_shown (table);
  app_fixture_wait_count (shown, 3);
  g_assert_nonnull (app_fixture_find (fixture, GTK_TYPE_LABEL, "Nothing Selected"));

  /* Options: lines of the files that begin with a dash. */
  select_at (table, 0);
  g_assert_nonnull (app_fixture_find (fixture, GTK_TYPE_LABEL, "SM86_RTX3070: 170 options"));

  /* The first two differ in what their names say. */
  g_autoptr (GObject) second = g_list_model_get_item (shown, 1);
  g_assert_true (cyc_table_view_select (table, second));
  g_autoptr (GPtrArray) selected = cyc_table_view_dup_selected (table);
  if (selected->len == 1)
    {
      GtkSelectionModel *model = GTK_SELECTION_MODEL (shown);
      gtk_selection_model_select_range (model, 0, 2, TRUE);
    }
  g_assert_nonnull (app_fixture_find (fixture, GTK_TYPE_LABEL,
                                      "SM86_RTX3070 (first) and SM86_RTX3070_12SM (second) differ in 1 option"));
}

static void
test_configs (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, configs_body);
}

/* What is remembered */

static void
sort_body (AppFixture *fixture)
{
  app_fixture_wait_open (fixture);
  cyc_table_view_sort (get_table (fixture, "traces"), "size", GTK_SORT_ASCENDING);
}

static gboolean
has_columns (gpointer data)
{
  g_autoptr (GVariant) state = cyc_state_get_columns ("traces");

  return state != NULL;
}

static void
sorted_then_wait_body (AppFixture *fixture)
{
  sort_body (fixture);
  display_wait (has_columns, NULL);
}

static void
remembered_body (AppFixture *fixture)
{
  app_fixture_wait_open (fixture);
  g_autoptr (GVariant) state = cyc_table_view_dup_state (get_table (fixture, "traces"));
  g_autoptr (GVariant) sort = g_variant_lookup_value (state, "sort", G_VARIANT_TYPE ("a(sb)"));
  const char *id;
  gboolean descending;

  g_assert_nonnull (sort);
  g_variant_get_child (sort, 0, "(&sb)", &id, &descending);
  g_assert_cmpstr (id, ==, "size");
  g_assert_false (descending);
}

static void
test_remembered (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, sorted_then_wait_body);
  app_fixture_run (&fixture, NULL, remembered_body);
}

int
main (int    argc,
      char **argv)
{
  display_init (&argc, &argv);
  g_test_add_func ("/app/lists/traces", test_traces);
  g_test_add_func ("/app/lists/runs", test_runs);
  g_test_add_func ("/app/lists/configs", test_configs);
  g_test_add_func ("/app/lists/remembered", test_remembered);
  return g_test_run ();
}
