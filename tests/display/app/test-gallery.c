/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app-fixture.h"

#include <glib/gi18n.h>
#include <locale.h>
#include <stdio.h>

#include "bench/many-runs.h"
#include "core/base/cyc-paths.h"
#include "display-access.h"
#include "widgets/cyc-access-view.h"
#include "widgets/cyc-chart-view.h"
#include "widgets/cyc-empty-state.h"
#include "widgets/cyc-table-model.h"
#include "widgets/cyc-table-view.h"
#include "widgets/cyc-timeline-view.h"
#include "widgets/cyc-toast.h"

/* Every page and dialog is drawn, with much and with nothing in it, and gone through with keys and by name: `meson
 * compile pictures` keeps the pictures, in light and dark, small and large, and in another language, to look at.
 * CYC_PICTURE_SIZE is the size of the window. */

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
  if (CYC_IS_ACCESS_VIEW (root))
    return cyc_access_view_get_plot (CYC_ACCESS_VIEW (root)) != NULL
           && !cyc_access_view_is_busy (CYC_ACCESS_VIEW (root), NULL);
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
static gboolean
are_dismissed (gpointer window)
{
  GtkWidget *toast = display_find (window, CYC_TYPE_TOAST, NULL);

  if (toast != NULL)
    cyc_toast_dismiss (CYC_TOAST (toast));
  return toast == NULL;
}

/* Each table has a menu for its rows, which the right button and a key open. */
static void
check_menus (GtkWidget *root)
{
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    check_menus (child);
  if (CYC_IS_TABLE_VIEW (root) && gtk_widget_get_mapped (root)
      && cyc_table_view_get_menu (CYC_TABLE_VIEW (root)) == NULL)
    g_error ("the table \"%s\" has no menu", gtk_widget_get_name (root));
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
  display_wait (are_dismissed, window);
  gtk_window_set_focus (GTK_WINDOW (window), NULL);
  display_keep_picture (window, name);
  check_menus (window);
  display_check_names (window, name);
  /* GTK's own window of shortcuts is only to be read. Keys scroll and select, which is not for pictures. */
  if (!GTK_IS_SHORTCUTS_WINDOW (window) && g_getenv ("CYC_PICTURES") == NULL)
    display_check_keys (window, name);
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

/* A timeline with its panes, with nothing and with much selected. */
static void
keep_timeline (AppFixture *fixture,
               const char *path,
               const char *name)
{
  static const char *const panes[] = { "figures", "summary/cores", "summary/waits", "summary/load", "findings" };
  GtkWidget *window = GTK_WIDGET (app_fixture_get_window (fixture));

  app_fixture_open (fixture, path);
  CycPage *page = app_fixture_wait_page (fixture, "timeline");
  display_wait (app_fixture_is_read, page);
  keep (window, name);
  CycViewState *state =
    cyc_timeline_view_get_state (CYC_TIMELINE_VIEW (display_find (GTK_WIDGET (page), CYC_TYPE_TIMELINE_VIEW, NULL)));
  gint64 from, to;
  cyc_view_state_get_whole (state, &from, &to);
  cyc_view_state_select_range (state, from + (to - from) / 4, from + (to - from) / 2);
  app_fixture_activate (fixture, "page.next-hit");
  cyc_view_state_set_span (state, cyc_timeline_get_spans (cyc_view_state_get_timeline (state))->n / 2);
  cyc_view_state_set_flags (state, CYC_VIEW_DETAILS, CYC_VIEW_DETAILS);
  for (guint i = 0; i < G_N_ELEMENTS (panes); i++)
    {
      g_autofree char *show = g_strdup_printf ("page.show-pane('%s')", panes[i]);
      g_autofree char *file = g_strdup_printf ("%s-%s", name, panes[i]);
      g_strdelimit (file, "/", '-');
      app_fixture_activate (fixture, show);
      keep (window, file);
    }
  app_fixture_activate (fixture, "win.close-document('')");
}

/* Many events on some threads, as a kernel's profile has them: by the million when the pictures are for somebody. */
static char *
write_many (AppFixture *fixture)
{
  char *path = g_build_filename (fixture->folder, "many.json", NULL);
  guint n = g_getenv ("CYC_PICTURES") != NULL ? 1000000 : 20000;
  FILE *file = fopen (path, "w");
  guint64 time[32] = { 0 };

  g_assert_nonnull (file);
  fputs ("[", file);
  for (guint i = 0; i < n; i++)
    {
      guint thread = i % 32;
      guint64 duration = 1 + i * 7919u % 97;
      fprintf (file, "%s{\"ph\":\"X\",\"name\":\"stage%u\",\"pid\":%u,\"tid\":%u,\"ts\":%" G_GUINT64_FORMAT
               ",\"dur\":%" G_GUINT64_FORMAT "}\n", i == 0 ? "" : ",", i * 31u % 9, thread / 8, thread,
               time[thread], duration);
      time[thread] += duration + i * 104729u % 41;
    }
  fputs ("]", file);
  g_assert_cmpint (fclose (file), ==, 0);
  return path;
}

static void
timeline_body (AppFixture *fixture)
{
  g_autofree char *small = app_fixture_copy_golden (fixture, "cycle/ok_random1.expected.json", "small.json");
  g_autofree char *buffer = app_fixture_copy_golden (fixture, "cycle/ok_random4.bin.gz", "buffer.bin.gz");
  g_autofree char *many = write_many (fixture);

  app_fixture_wait_open (fixture);
  app_fixture_wait_ended (fixture);
  set_size (fixture);
  keep_timeline (fixture, small, "timeline-small");
  keep_timeline (fixture, many, "timeline-many");
  app_fixture_open (fixture, small);
  display_wait (app_fixture_is_read, app_fixture_wait_page (fixture, "timeline"));
  keep_dialog (fixture, "page.go-to-range", "dialog-range");
  keep_dialog (fixture, "page.read-as", "dialog-reading");
  app_fixture_activate (fixture, "win.close-document('')");
  app_fixture_open (fixture, buffer);
  app_fixture_wait_page (fixture, "timeline");
  keep (GTK_WIDGET (app_fixture_get_window (fixture)), "timeline-form");
  app_fixture_activate (fixture, "win.close-document('')");
  g_autoptr (CycRun) run =
    g_list_model_get_item (cyc_workspace_get_runs (cyc_application_get_workspace (fixture->application)), 0);
  g_autofree char *show = g_strdup_printf ("win.show-run-timeline('%s')", cyc_run_get_record (run)->id);
  app_fixture_activate (fixture, show);
  display_wait (app_fixture_is_read, app_fixture_wait_page (fixture, "run-timeline"));
  keep (GTK_WIDGET (app_fixture_get_window (fixture)), "timeline-run");
  keep_dialog (fixture, "win.merge-traces('')", "dialog-merge");
  keep_dialog (fixture, "page.export-json", "dialog-export");
}

static void
test_timeline (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, timeline_body);
}

/* A mapping, opened by a file of the samples, with each of its panes, then beside another one. */
static void
keep_mapping (AppFixture *fixture)
{
  GtkWidget *window = GTK_WIDGET (app_fixture_get_window (fixture));
  g_autofree char *path = app_fixture_dup_sample ("access");
  g_autofree char *open = g_strdup_printf ("win.show-access('%s/chain-template.yaml')", path);
  g_autofree char *compare = g_strdup_printf ("page.compare('%s/matmul-fused.yaml')", path);
  static const char *const panes[] = { "mapping", "figures", "accesses", "notes", "settings" };

  app_fixture_activate (fixture, open);
  GtkStack *stack = display_find_stack (GTK_WIDGET (app_fixture_wait_page (fixture, "access")), "figures");
  for (guint i = 0; i < G_N_ELEMENTS (panes); i++)
    {
      g_autofree char *file = g_strdup_printf ("access-%s", panes[i]);
      gtk_stack_set_visible_child_name (stack, panes[i]);
      keep (window, file);
    }
  gtk_stack_set_visible_child_name (stack, "figures");
  app_fixture_activate (fixture, compare);
  keep (window, "access-compared");
}

static void
full_body (AppFixture *fixture)
{
  CycWorkspace *workspace = app_fixture_wait_open (fixture);
  g_autofree char *path = app_fixture_dup_sample ("traces/" APP_SAMPLE_TRACE);
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
  keep_page (fixture, "win.show-mappings", "mappings", "mappings");
  keep_mapping (fixture);
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
  g_test_add_func ("/app/gallery/timeline", test_timeline);
  return g_test_run ();
}
