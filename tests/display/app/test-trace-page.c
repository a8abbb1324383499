/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app-fixture.h"

#include <string.h>

#include "widgets/cyc-findings-view.h"
#include "widgets/cyc-table-view.h"

/* The page of a trace: the sample, whose launches are in its stats file; removal and undo. */

static GtkWidget *
find_named (GtkWidget  *root,
            const char *name)
{
  return display_find (root, CYC_TYPE_TABLE_VIEW, name);
}

typedef struct
{
  CycTableView *table;
  guint         n;
} Rows;

static gboolean
has_rows (gpointer data)
{
  Rows *rows = data;

  return g_list_model_get_n_items (cyc_table_view_get_shown (rows->table)) == rows->n;
}

static CycPage *
open_trace (AppFixture *fixture)
{
  app_fixture_wait_open (fixture);
  app_fixture_activate (fixture, "win.show-trace('cyclescope-sample')");
  CycPage *page = app_fixture_wait_page (fixture, "trace");
  display_wait (has_rows, &(Rows) { CYC_TABLE_VIEW (find_named (GTK_WIDGET (page), "launches")), 5 });
  return page;
}

static void
show_body (AppFixture *fixture)
{
  CycPage *page = open_trace (fixture);
  CycTableView *launches = CYC_TABLE_VIEW (find_named (GTK_WIDGET (page), "launches"));
  CycTableView *runs = CYC_TABLE_VIEW (find_named (GTK_WIDGET (page), "trace-runs"));
  g_autofree char *text = cyc_table_view_dup_text (launches, CYC_TABLE_TSV, CYC_TABLE_SHOWN);

  g_assert_cmpstr (cyc_page_get_title (page), ==, "cyclescope-sample");
  g_assert_nonnull (strstr (text, "3\t_Z13matrixMulCUDAILi16EEvPfS0_S0_ii\t8 × 8 × 1\t16 × 16 × 1\t237568\n"));
  g_assert_nonnull (display_find (GTK_WIDGET (page), GTK_TYPE_LABEL, "sm_86"));
  GtkWidget *stack = gtk_widget_get_ancestor (GTK_WIDGET (launches), GTK_TYPE_STACK);
  while (gtk_stack_get_child_by_name (GTK_STACK (stack), "runs") == NULL)
    stack = gtk_widget_get_ancestor (gtk_widget_get_parent (stack), GTK_TYPE_STACK);
  gtk_stack_set_visible_child_name (GTK_STACK (stack), "runs");
  display_wait (has_rows, &(Rows) { runs, 1 });
  /* The line of a copy back to the host, which the simulator leaves out. */
  GtkWidget *findings = display_find (GTK_WIDGET (page), CYC_TYPE_FINDINGS_VIEW, NULL);
  g_autofree char *found = cyc_findings_view_dup_text (CYC_FINDINGS_VIEW (findings));
  g_assert_nonnull (strstr (found, "MemcpyDtoH"));
  g_assert_nonnull (display_find (GTK_WIDGET (page), GTK_TYPE_LABEL, "Findings (1)"));
}

static void
test_show (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, show_body);
}

/* A header that does not say grid and block: that is not known, and not 0 × 0 × 0 or 1 × 1 × 1. */
static void
no_grid_body (AppFixture *fixture)
{
  g_autofree char *folder = g_build_filename (fixture->folder, "bare", NULL);
  g_autofree char *kernel = test_folder_write (fixture->folder, "bare/kernel-7.traceg",
                                               "-kernel name = _Z4barePf\n-kernel id = 7\n-binary version = 86\n"
                                               "-nvbit version = 1.7.4\n-accelsim tracer version = 5\n\n"
                                               "#traces format = PC mask\n\n#BEGIN_TB\n#END_TB\n", -1);
  g_autofree char *list = test_folder_write (fixture->folder, "bare/kernelslist.g", "kernel-7.traceg\n", -1);

  g_assert_true (kernel != NULL && list != NULL);
  app_fixture_import (fixture, folder, "bare");
  app_fixture_activate (fixture, "win.show-trace('bare')");
  CycTableView *launches = CYC_TABLE_VIEW (find_named (GTK_WIDGET (app_fixture_wait_page (fixture, "trace")),
                                                       "launches"));
  display_wait (has_rows, &(Rows) { launches, 1 });
  g_autofree char *text = cyc_table_view_dup_text (launches, CYC_TABLE_TSV, CYC_TABLE_SHOWN);
  g_assert_nonnull (strstr (text, "\n7\t_Z4barePf\t–\t–\t"));
}

static void
test_no_grid (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, no_grid_body);
}

static gboolean
has_traces (gpointer workspace)
{
  return g_list_model_get_n_items (cyc_workspace_get_traces (workspace)) == 1;
}

static gboolean
has_no_traces (gpointer workspace)
{
  return g_list_model_get_n_items (cyc_workspace_get_traces (workspace)) == 0;
}

static gboolean
has_undo (gpointer window)
{
  return display_find (window, GTK_TYPE_BUTTON, "Undo") != NULL;
}

/* Removing it leaves the page; undoing brings the trace back, as it was. */
static void
remove_body (AppFixture *fixture)
{
  CycWorkspace *workspace = app_fixture_wait_open (fixture);

  app_fixture_wait_ended (fixture);
  CycPage *page = open_trace (fixture);
  GtkWidget *window = GTK_WIDGET (app_fixture_get_window (fixture));
  g_action_group_activate_action (cyc_page_get_actions (page), "remove", NULL);
  display_wait (has_no_traces, workspace);
  app_fixture_wait_page (fixture, "traces");
  display_wait (has_undo, window);
  g_signal_emit_by_name (display_find (window, GTK_TYPE_BUTTON, "Undo"), "clicked");
  display_wait (has_traces, workspace);
  open_trace (fixture);
}

static void
test_remove (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, remove_body);
}

int
main (int    argc,
      char **argv)
{
  display_init (&argc, &argv);
  g_test_add_func ("/app/trace-page/show", test_show);
  g_test_add_func ("/app/trace-page/no-grid", test_no_grid);
  g_test_add_func ("/app/trace-page/remove", test_remove);
  return g_test_run ();
}
