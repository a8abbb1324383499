/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app-fixture.h"

#include "core/model/cyc-run.h"
#include "widgets/cyc-chart-view.h"
#include "widgets/cyc-table-view.h"

/* The pages that docs/pictures, README and metainfo show, with the sample in them: `meson compile pictures` keeps
 * the pictures that are drawn here. */

static gboolean
has_ended (gpointer run)
{
  return cyc_run_record_get_state (cyc_run_get_record (run)) == CYC_RUN_SUCCEEDED;
}

static gboolean
has_chart (gpointer window)
{
  GtkWidget *chart = display_find (window, CYC_TYPE_CHART_VIEW, NULL);

  return chart != NULL && cyc_chart_view_get_data (CYC_CHART_VIEW (chart)) != NULL && gtk_widget_get_mapped (chart);
}

/* All tables that can be seen have rows. */
static gboolean
has_rows (gpointer root)
{
  if (CYC_IS_TABLE_VIEW (root) && gtk_widget_get_mapped (root)
      && g_list_model_get_n_items (cyc_table_view_get_shown (root)) == 0)
    return FALSE;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (!has_rows (child))
      return FALSE;
  return TRUE;
}

static void
keep (AppFixture *fixture,
      const char *name)
{
  GtkWidget *window = GTK_WIDGET (app_fixture_get_window (fixture));

  display_wait (has_rows, window);
  gtk_window_set_focus (GTK_WINDOW (window), NULL);
  display_keep_picture (window, name);
}

static void
tour_body (AppFixture *fixture)
{
  CycWorkspace *workspace = app_fixture_wait_open (fixture);
  g_autoptr (CycRun) run = g_list_model_get_item (cyc_workspace_get_runs (workspace), 0);

  display_wait (has_ended, run);
  g_autofree char *action = g_strdup_printf ("win.show-run('%s')", cyc_run_get_record (run)->id);
  app_fixture_activate (fixture, action);
  GtkWidget *page = GTK_WIDGET (app_fixture_wait_page (fixture, "run"));
  keep (fixture, "run");

  gtk_stack_set_visible_child_name (display_find_stack (page, "compare"), "compare");
  display_wait (has_chart, page);
  keep (fixture, "comparison");
}

static void
test_tour (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, tour_body);
}

int
main (int    argc,
      char **argv)
{
  display_init (&argc, &argv);
  g_test_add_func ("/app/tour", test_tour);
  return g_test_run ();
}
