/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app-fixture.h"

#include <glib/gi18n.h>
#include <locale.h>
#include <stdio.h>

#include "bench/many-runs.h"
#include "core/base/cyc-paths.h"
#include "widgets/cyc-chart-view.h"
#include "widgets/cyc-empty-state.h"
#include "widgets/cyc-table-model.h"
#include "widgets/cyc-table-view.h"
#include "widgets/cyc-toast.h"

/* Every page and dialog is drawn, with much and with nothing in it: `meson compile pictures` keeps the pictures, in
 * light and dark, small and large, and in another language, for somebody to look at. CYC_PICTURE_SIZE is the size
 * of the window. */

#define N_FRAMES 20

static gboolean
frame_cb (GtkWidget     *widget,
          GdkFrameClock *clock,
          gpointer       frames)
{
  gtk_widget_queue_draw (widget);
  ++*(guint *) frames;
  return G_SOURCE_CONTINUE;
}

static gboolean
are_enough (gpointer frames)
{
  return *(guint *) frames >= N_FRAMES;
}

/* No table that can be seen is still at work, and none is empty without a word about it. */
static gboolean
is_settled (gpointer root)
{
  if (!gtk_widget_get_mapped (root))
    return TRUE;
  if (GTK_IS_SPINNER (root))
    return FALSE;
  if (CYC_IS_CHART_VIEW (root))
    return cyc_chart_view_get_data (CYC_CHART_VIEW (root)) != NULL;
  if (CYC_IS_TABLE_VIEW (root))
    {
      GListModel *shown = cyc_table_view_get_shown (CYC_TABLE_VIEW (root));
      GtkWidget *empty = display_find (root, CYC_TYPE_EMPTY_STATE, NULL);
      return !cyc_table_model_is_busy (CYC_TABLE_MODEL (shown))
             && (g_list_model_get_n_items (shown) > 0 || empty != NULL);
    }
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (!is_settled (child))
      return FALSE;
  return TRUE;
}

/* Messages come and go, and hide what is below them. */
static void
dismiss_toasts (GtkWidget *window)
{
  GtkWidget *toast;

  while ((toast = display_find (window, CYC_TYPE_TOAST, NULL)) != NULL)
    {
      cyc_toast_dismiss (CYC_TOAST (toast));
      gtk_test_widget_wait_for_draw (window);
    }
}

/* Draws the window for a while, since what comes from threads comes in frames, and keeps what it shows then. */
static void
keep (GtkWidget  *window,
      const char *name)
{
  guint frames = 0;

  display_wait (is_settled, window);
  guint id = gtk_widget_add_tick_callback (window, frame_cb, &frames, NULL);
  display_wait (are_enough, &frames);
  gtk_widget_remove_tick_callback (window, id);
  display_wait (is_settled, window);
  dismiss_toasts (window);
  gtk_window_set_focus (GTK_WINDOW (window), NULL);
  display_keep_picture (window, name);
}

static void
keep_page (AppFixture *fixture,
           const char *action,
           const char *page,
           const char *name)
{
  app_fixture_activate (fixture, action);
  app_fixture_wait_page (fixture, page);
  keep (GTK_WIDGET (app_fixture_get_window (fixture)), name);
}

/* A run with each of its panes. */
static void
keep_run (AppFixture *fixture,
          const char *run,
          const char *name)
{
  g_autofree char *action = g_strdup_printf ("win.show-run('%s')", run);
  GtkWidget *window = GTK_WIDGET (app_fixture_get_window (fixture));

  app_fixture_activate (fixture, action);
  GtkStack *stack = display_find_stack (GTK_WIDGET (app_fixture_wait_page (fixture, "run")), "compare");
  g_autoptr (GListModel) panes = G_LIST_MODEL (gtk_stack_get_pages (stack));
  for (guint i = 0; i < g_list_model_get_n_items (panes); i++)
    {
      g_autoptr (GObject) item = g_list_model_get_item (panes, i);
      GtkStackPage *pane = GTK_STACK_PAGE (item);
      g_autofree char *file = g_strdup_printf ("run-%s-%s", name, gtk_stack_page_get_name (pane));
      gtk_stack_set_visible_child (stack, gtk_stack_page_get_child (pane));
      keep (window, file);
    }
}

static GtkWidget *
find_dialog (AppFixture *fixture)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);
      if (window != GTK_WIDGET (app_fixture_get_window (fixture)) && gtk_widget_get_mapped (window))
        return window;
    }
  return NULL;
}

static gboolean
has_dialog (gpointer fixture)
{
  return find_dialog (fixture) != NULL;
}

static gboolean
has_no_dialog (gpointer fixture)
{
  return find_dialog (fixture) == NULL;
}

static void
keep_dialog (AppFixture *fixture,
             const char *action,
             const char *name)
{
  app_fixture_activate (fixture, action);
  display_wait (has_dialog, fixture);
  GtkWidget *dialog = find_dialog (fixture);
  keep (dialog, name);
  gtk_window_close (GTK_WINDOW (dialog));
  display_wait (has_no_dialog, fixture);
}

static void
set_size (AppFixture *fixture)
{
  const char *size = g_getenv ("CYC_PICTURE_SIZE");
  int width = 1280;
  int height = 800;

  if (size != NULL)
    g_assert_cmpint (sscanf (size, "%dx%d", &width, &height), ==, 2);
  gtk_window_set_default_size (GTK_WINDOW (app_fixture_get_window (fixture)), width, height);
}

static void
done_cb (GObject      *source,
         GAsyncResult *result,
         gpointer      done)
{
  g_autoptr (GError) error = NULL;

  cyc_workspace_finish (CYC_WORKSPACE (source), result, &error);
  g_assert_no_error (error);
  *(gboolean *) done = TRUE;
}

static gboolean
is_done (gpointer done)
{
  return *(gboolean *) done;
}

static void
full_body (AppFixture *fixture)
{
  CycWorkspace *workspace = app_fixture_wait_open (fixture);
  g_autofree char *sample =
    g_test_build_filename (G_TEST_DIST, "..", "..", "samples", "traces", APP_SAMPLE_TRACE, NULL);
  g_autofree char *path = g_canonicalize_filename (sample, NULL);
  g_autofree char *import = g_strdup_printf ("win.import('%s')", path);

  set_size (fixture);
  g_autofree char *failed = app_fixture_start_run (fixture, "local", "crash", APP_SAMPLE_CONFIG);
  g_autofree char *replayed = app_fixture_start_run (fixture, "replay", NULL, APP_SAMPLE_CONFIG);
  app_fixture_wait_run (fixture, failed, "failed");
  app_fixture_wait_run (fixture, replayed, "succeeded");
  keep_page (fixture, "win.show-traces", "traces", "traces");
  keep_page (fixture, "win.show-trace('" APP_SAMPLE_TRACE "')", "trace", "trace");
  keep_page (fixture, "win.show-runs", "runs", "runs");
  keep_page (fixture, "win.show-configs", "configs", "configs");
  keep_run (fixture, replayed, "sample");
  keep_run (fixture, failed, "failed");
  keep_run (fixture, "run-large", "large");
  keep_dialog (fixture, "win.new-run('" APP_SAMPLE_TRACE "')", "dialog-new-run");
  keep_dialog (fixture, import, "dialog-import");
  keep_dialog (fixture, "app.preferences", "dialog-preferences");
  keep_dialog (fixture, "win.show-help-overlay", "dialog-shortcuts");
  g_assert_nonnull (workspace);
}

static void
prepare_body (AppFixture *fixture)
{
  app_fixture_wait_open (fixture);
  app_fixture_wait_ended (fixture);
}

static void
test_full (void)
{
  g_auto (AppFixture) fixture;
  g_autofree char *settings = app_fixture_fake_settings ("crash", "crash");

  app_fixture_init (&fixture);
  app_fixture_write_settings (&fixture, settings);
  app_fixture_run (&fixture, NULL, prepare_body);
  g_autofree char *workspace = app_fixture_get_workspace (&fixture);
  many_runs_fill_kernels (workspace);
  app_fixture_run (&fixture, NULL, full_body);
}

/* A workspace in which nothing is left. */
static void
empty_body (AppFixture *fixture)
{
  CycWorkspace *workspace = app_fixture_wait_open (fixture);
  gboolean done = FALSE;

  set_size (fixture);
  app_fixture_wait_ended (fixture);
  keep_page (fixture, "win.show-trace('no-such-trace')", "trace", "empty-trace");
  keep_page (fixture, "win.show-run('no-such-run')", "run", "empty-run");
  g_autoptr (CycRun) run = g_list_model_get_item (cyc_workspace_get_runs (workspace), 0);
  cyc_workspace_remove_run_async (workspace, cyc_run_get_record (run)->id, NULL, done_cb, &done);
  display_wait (is_done, &done);
  app_fixture_wait_count (cyc_workspace_get_runs (workspace), 0);
  keep_page (fixture, "win.show-trace('" APP_SAMPLE_TRACE "')", "trace", "trace-without-runs");
  done = FALSE;
  cyc_workspace_remove_trace_async (workspace, APP_SAMPLE_TRACE, NULL, done_cb, &done);
  display_wait (is_done, &done);
  app_fixture_wait_count (cyc_workspace_get_traces (workspace), 0);
  keep_page (fixture, "win.show-traces", "traces", "empty-traces");
  keep_page (fixture, "win.show-runs", "runs", "empty-runs");
}

static void
test_empty (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, empty_body);
}

int
main (int    argc,
      char **argv)
{
  g_autofree char *locale_dir = cyc_paths_get_locale_dir ();

  /* As main() does, since the pictures are for people. */
  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, locale_dir);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
  display_init (&argc, &argv);
  g_test_add_func ("/app/gallery/full", test_full);
  g_test_add_func ("/app/gallery/empty", test_empty);
  return g_test_run ();
}
