/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app-fixture.h"

#include <string.h>

#include "app/cyc-compare-pane.h"
#include "app/cyc-run-page.h"
#include "app/cyc-sim-summary.h"
#include "core/model/cyc-sim.h"
#include "widgets/cyc-chart-view.h"
#include "widgets/cyc-counter-chooser.h"
#include "widgets/cyc-table-view.h"

/* The page of a run: the sample's recorded one, whose numbers are those of the recorded logs. */

/* gpu_sim_cycle of the five kernels on SM86_RTX3070. */
static const char *const cycles[] = { "6231", "5912", "13685", "14039", "6189" };

/* By the word that settings name it by. */
static CycTableView *
find_table (GtkWidget  *root,
            const char *label)
{
  if (CYC_IS_TABLE_VIEW (root) && strcmp (gtk_widget_get_name (root), label) == 0)
    return CYC_TABLE_VIEW (root);
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      CycTableView *found = find_table (child, label);
      if (found != NULL)
        return found;
    }
  return NULL;
}

static gboolean
has_ended (gpointer run)
{
  return cyc_run_record_get_state (cyc_run_get_record (run)) != CYC_RUN_ACTIVE;
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

  return g_list_model_get_n_items (cyc_table_view_get_shown (rows->table)) >= rows->n;
}

static char *
wait_text (CycTableView *table,
           guint         n)
{
  Rows rows = { table, n };

  display_wait (has_rows, &rows);
  return cyc_table_view_dup_text (table, CYC_TABLE_TSV, CYC_TABLE_SHOWN);
}

typedef struct
{
  CycTableView *table;
  const char   *before;
} Other;

/* All five kernels, and not those from before. */
static gboolean
has_other (gpointer data)
{
  Other *other = data;
  g_autofree char *text = cyc_table_view_dup_text (other->table, CYC_TABLE_TSV, CYC_TABLE_SHOWN);

  return strcmp (text, other->before) != 0 && strstr (text, "\n4\t") != NULL;
}

static CycPage *
open_run (AppFixture *fixture)
{
  CycWorkspace *workspace = app_fixture_wait_open (fixture);
  g_autoptr (CycRun) run = g_list_model_get_item (cyc_workspace_get_runs (workspace), 0);

  display_wait (has_ended, run);
  g_autofree char *action = g_strdup_printf ("win.show-run('%s')", cyc_run_get_record (run)->id);
  app_fixture_activate (fixture, action);
  return app_fixture_wait_page (fixture, "run");
}

static void
show_body (AppFixture *fixture)
{
  CycPage *page = open_run (fixture);

  g_assert_cmpstr (cyc_page_get_title (page), ==, "cyclescope-sample");
  g_assert_cmpstr (cyc_page_get_subtitle (page), ==,
                   "SM86_RTX3070, SM86_RTX3070_12SM, SM86_RTX3070_SLOWDRAM");
  /* gpu_tot_sim_cycle at the end of each recorded log. */
  g_autofree char *sims = wait_text (find_table (GTK_WIDGET (page), "sims"), 3);
  g_assert_nonnull (strstr (sims, "\t46056\t"));
  g_assert_nonnull (strstr (sims, "\t55737\t"));
  g_assert_nonnull (strstr (sims, "\t61056\t"));
  g_assert_nonnull (display_find (GTK_WIDGET (page), GTK_TYPE_PROGRESS_BAR, NULL));

  g_autofree char *kernels = wait_text (find_table (GTK_WIDGET (page), "kernels"), 5);
  g_auto (GStrv) lines = g_strsplit (kernels, "\n", -1);
  for (guint i = 0; i < G_N_ELEMENTS (cycles); i++)
    {
      g_auto (GStrv) cells = g_strsplit (lines[i + 1], "\t", -1);
      g_assert_cmpstr (cells[3], ==, cycles[i]);
    }
}

static void
test_show (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, show_body);
}

/* Another simulation is selected: its kernels, its totals. */
static void
select_body (AppFixture *fixture)
{
  CycPage *page = open_run (fixture);
  CycTableView *sims = find_table (GTK_WIDGET (page), "sims");
  CycTableView *kernels = find_table (GTK_WIDGET (page), "kernels");
  g_autofree char *first = wait_text (kernels, 5);

  g_autoptr (GObject) other = g_list_model_get_item (cyc_table_view_get_shown (sims), 1);
  g_assert_true (cyc_table_view_select (sims, other));
  display_wait (has_other, &(Other) { kernels, first });

  GtkWidget *stack = gtk_widget_get_ancestor (GTK_WIDGET (kernels), GTK_TYPE_STACK);
  gtk_stack_set_visible_child_name (GTK_STACK (stack), "totals");
  /* Of all kernels; what is of the last one is not among them until it is asked for. */
  CycTableView *table = find_table (GTK_WIDGET (page), "totals");
  g_autofree char *totals = wait_text (table, 50);
  g_assert_nonnull (strstr (totals, "gpu_tot_sim_cycle\t55737\tcycles\tcounted from the start on\t"));
  g_assert_null (strstr (totals, "\ngpu_sim_cycle\t"));
  GtkWidget *button = display_find (GTK_WIDGET (page), GTK_TYPE_TOGGLE_BUTTON, "All Statistics");
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), TRUE);
  g_autofree char *all = wait_text (table, 100);
  g_assert_nonnull (strstr (all, "\ngpu_sim_cycle\t"));
  g_assert_nonnull (strstr (all, "gpu_tot_sim_cycle\t55737\tcycles\t"));
}

/* The kernels that are selected are dragged out as the text of the table. */
static void
drag_body (AppFixture *fixture)
{
  CycPage *page = open_run (fixture);
  CycTableView *kernels = find_table (GTK_WIDGET (page), "kernels");
  GtkWidget *columns = display_find (GTK_WIDGET (kernels), GTK_TYPE_COLUMN_VIEW, NULL);
  g_autofree char *text = wait_text (kernels, 5);
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (columns);
  g_autoptr (GdkContentProvider) provider = NULL;
  g_auto (GValue) value = G_VALUE_INIT;
  GtkEventController *drag = NULL;
  graphene_point_t at;

  for (guint i = 0; i < g_list_model_get_n_items (controllers) && drag == NULL; i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);
      drag = GTK_IS_DRAG_SOURCE (controller) ? controller : NULL;
    }
  gtk_selection_model_select_range (GTK_SELECTION_MODEL (cyc_table_view_get_shown (kernels)), 1, 2, TRUE);
  gtk_test_widget_wait_for_draw (GTK_WIDGET (kernels));
  GtkWidget *cell = display_find (GTK_WIDGET (kernels), GTK_TYPE_LABEL, "5,912");
  g_assert_true (gtk_widget_compute_point (cell, columns, &GRAPHENE_POINT_INIT (2, 2), &at));
  g_signal_emit_by_name (drag, "prepare", (double) at.x, (double) at.y, &provider);
  g_assert_nonnull (provider);
  g_value_init (&value, G_TYPE_STRING);
  g_assert_true (gdk_content_provider_get_value (provider, &value, NULL));
  g_auto (GStrv) lines = g_strsplit (g_value_get_string (&value), "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 4);
  g_assert_true (g_str_has_prefix (lines[0], "#\tKernel\tLaunch\tCycles\t"));
  /* As the recorded log has them: gpu_sim_cycle of its second and third block. */
  g_assert_true (g_str_has_prefix (lines[1], "1\t_Z7reduce5IfEvPKT_PS0_j\t2\t5912\t"));
  g_assert_true (g_str_has_prefix (lines[2], "2\t_Z13matrixMulCUDAILi16EEvPfS0_S0_ii\t3\t13685\t"));
}

static void
test_drag (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, drag_body);
}

static void
test_select (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, select_body);
}

static gpointer
find_chooser (void)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);
      GtkWidget *found = display_find (window, CYC_TYPE_COUNTER_CHOOSER, NULL);
      if (found != NULL)
        return found;
    }
  return NULL;
}

static gboolean
has_chooser (gpointer data)
{
  return find_chooser () != NULL;
}

static gboolean
has_counters (gpointer table)
{
  g_autofree char *text = cyc_table_view_dup_text (table, CYC_TABLE_TSV, CYC_TABLE_SHOWN);

  return strstr (text, "237568") != NULL;
}

/* Warp instructions of each kernel: differences of a cumulative counter, and what the tracer counted. */
static void
counters_body (AppFixture *fixture)
{
  static const char *const wanted[] = { "6656", "19456", "237568", "5632", "6656" };
  CycPage *page = open_run (fixture);
  CycTableView *kernels = find_table (GTK_WIDGET (page), "kernels");
  g_autofree char *before = wait_text (kernels, 5);

  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (kernels), "kernels.choose-counters", NULL));
  display_wait (has_chooser, NULL);
  cyc_counter_chooser_set_chosen (find_chooser (), (const char *const[]) { "gpgpu_n_tot_w_icount", NULL });
  g_signal_emit_by_name (find_chooser (), "changed");
  display_wait (has_counters, kernels);

  g_autofree char *text = cyc_table_view_dup_text (kernels, CYC_TABLE_TSV, CYC_TABLE_SHOWN);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_auto (GStrv) titles = g_strsplit (lines[0], "\t", -1);
  guint column = 0;
  while (titles[column] != NULL && strcmp (titles[column], "gpgpu_n_tot_w_icount") != 0)
    column++;
  g_assert_nonnull (titles[column]);
  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    {
      g_auto (GStrv) cells = g_strsplit (lines[i + 1], "\t", -1);
      g_assert_cmpstr (cells[column], ==, wanted[i]);
    }
}

static void
test_counters (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, counters_body);
}

static gboolean
has_all_counters (gpointer table)
{
  g_autofree char *text = cyc_table_view_dup_text (table, CYC_TABLE_TSV, CYC_TABLE_SHOWN);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  static const char *const wanted[] = { "6656", "19456", "237568", "5632", "6656" };

  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    {
      g_autofree char *cell = g_strconcat ("\t", wanted[i], NULL);
      if (lines[i] == NULL || lines[i + 1] == NULL || strstr (lines[i + 1], cell) == NULL)
        return FALSE;
    }
  return TRUE;
}

/* Of a simulation that is under way: kernels come after the counter was chosen. */
static void
growing_body (AppFixture *fixture)
{
  app_fixture_wait_open (fixture);
  g_autofree char *run = app_fixture_start_run (fixture, "local", "slow", APP_SAMPLE_CONFIG);
  g_autofree char *action = g_strdup_printf ("win.show-run('%s')", run);
  app_fixture_activate (fixture, action);
  CycTableView *kernels = find_table (GTK_WIDGET (app_fixture_wait_page (fixture, "run")), "kernels");
  g_autofree char *first = wait_text (kernels, 1);

  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (kernels), "kernels.choose-counters", NULL));
  display_wait (has_chooser, NULL);
  cyc_counter_chooser_set_chosen (find_chooser (), (const char *const[]) { "gpgpu_n_tot_w_icount", NULL });
  g_signal_emit_by_name (find_chooser (), "changed");
  display_wait (has_all_counters, kernels);
  app_fixture_wait_run (fixture, run, "succeeded");
}

static void
test_growing (void)
{
  g_auto (AppFixture) fixture;
  g_autofree char *settings = app_fixture_fake_settings ("slow", "slow;FAKE_SIM_STEP_MS=200");

  app_fixture_init (&fixture);
  app_fixture_write_settings (&fixture, settings);
  app_fixture_run (&fixture, NULL, growing_body);
}

static gboolean
has_chart (gpointer data)
{
  GtkWidget *chart = display_find (data, CYC_TYPE_CHART_VIEW, NULL);

  return chart != NULL && cyc_chart_view_get_data (CYC_CHART_VIEW (chart)) != NULL && gtk_widget_get_mapped (chart);
}

static gboolean
shows_cycles (gpointer data)
{
  CycChartView *chart = CYC_CHART_VIEW (display_find (data, CYC_TYPE_CHART_VIEW, NULL));
  CycBarTable *table = cyc_bar_data_get_table (cyc_chart_view_get_data (chart));

  return strcmp (cyc_bar_table_get_counter (table), "gpu_sim_cycle") == 0;
}

/* A new CSV is written in place: its last line has the last kernel's cycles. */
static gboolean
has_file (gpointer path)
{
  g_autofree char *text = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return FALSE;
  return !g_str_has_suffix (path, ".csv") || strstr (text, cycles[G_N_ELEMENTS (cycles) - 1]) != NULL;
}

/* The comparison is drawn, and exported in each format: the CSV has the cycles of the recorded logs. */
static void
compare_body (AppFixture *fixture)
{
  CycPage *page = open_run (fixture);
  GtkWidget *pane = display_find (GTK_WIDGET (page), CYC_TYPE_COMPARE_PANE, NULL);
  static const struct
  {
    const char *name;
    const char *begin;
  } formats[] = { { "c.png", "\x89PNG" }, { "c.svg", "<?xml" }, { "c.pdf", "%PDF" }, { "c.csv", NULL } };

  GtkStack *stack = GTK_STACK (gtk_widget_get_ancestor (pane, GTK_TYPE_STACK));
  GtkWidget *summary = display_find (GTK_WIDGET (page), CYC_TYPE_SIM_SUMMARY, NULL);
  GtkPaned *paned = GTK_PANED (gtk_widget_get_ancestor (pane, GTK_TYPE_PANED));
  int position = gtk_paned_get_position (paned);
  g_assert_true (gtk_widget_get_mapped (summary));
  gtk_stack_set_visible_child_name (stack, "compare");
  display_wait (has_chart, pane);
  /* The chart has the room of what is told of one simulation. */
  g_assert_false (gtk_widget_get_mapped (summary));
  g_assert_cmpint (gtk_paned_get_position (paned), <, position);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (display_find (pane, GTK_TYPE_DROP_DOWN, NULL)), 1);
  display_wait (shows_cycles, pane);
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autofree char *path = g_build_filename (fixture->folder, formats[i].name, NULL);
      g_autofree char *text = NULL;
      g_assert_true (gtk_widget_activate_action (pane, "compare.export-to", "s", path));
      display_wait (has_file, path);
      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      if (formats[i].begin != NULL)
        g_assert_true (g_str_has_prefix (text, formats[i].begin));
      else
        for (guint j = 0; j < G_N_ELEMENTS (cycles); j++)
          g_assert_nonnull (strstr (text, cycles[j]));
    }
  gtk_stack_set_visible_child_name (stack, "kernels");
  g_assert_true (gtk_widget_get_mapped (summary));
  g_assert_cmpint (gtk_paned_get_position (paned), ==, position);
}

static void
test_compare (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, compare_body);
}

static gboolean
shows_warps (gpointer data)
{
  CycChartView *chart = CYC_CHART_VIEW (display_find (data, CYC_TYPE_CHART_VIEW, NULL));
  CycBarTable *table = cyc_bar_data_get_table (cyc_chart_view_get_data (chart));

  return strcmp (cyc_bar_table_get_counter (table), "gpgpu_n_tot_w_icount") == 0;
}

static gboolean
says_not_modelled (gpointer data)
{
  GtkWidget *label = display_find (data, GTK_TYPE_LABEL, "Nothing to Compare");

  return label != NULL && gtk_widget_get_mapped (label);
}

static void
choose_other (GtkWidget  *pane,
              const char *key)
{
  g_assert_true (gtk_widget_activate_action (pane, "compare.choose-counter", NULL));
  display_wait (has_chooser, NULL);
  cyc_counter_chooser_set_chosen (find_chooser (), (const char *const[]) { key, NULL });
  g_signal_emit_by_name (find_chooser (), "changed");
}

/* Any other counter, each kernel's share of it; and geometric means, worked out from the recorded logs. */
static void
other_body (AppFixture *fixture)
{
  static const double wanted[] = { 6656, 19456, 237568, 5632, 6656 };
  CycPage *page = open_run (fixture);
  GtkWidget *pane = display_find (GTK_WIDGET (page), CYC_TYPE_COMPARE_PANE, NULL);

  gtk_stack_set_visible_child_name (GTK_STACK (gtk_widget_get_ancestor (pane, GTK_TYPE_STACK)), "compare");
  display_wait (has_chart, pane);
  CycChartView *chart = CYC_CHART_VIEW (display_find (pane, CYC_TYPE_CHART_VIEW, NULL));
  choose_other (pane, "gpgpu_n_tot_w_icount");
  display_wait (shows_warps, pane);
  CycBarTable *table = cyc_bar_data_get_table (cyc_chart_view_get_data (chart));
  for (guint series = 0; series < 3; series++)
    for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
      g_assert_cmpfloat (cyc_bar_table_get_values (table, series)[i], ==, wanted[i]);
  g_assert_cmpint (cyc_bar_data_get_statistic (cyc_chart_view_get_data (chart)), ==, CYC_BAR_SUM);

  GtkDropDown *counter = GTK_DROP_DOWN (display_find (pane, GTK_TYPE_DROP_DOWN, NULL));
  gtk_drop_down_set_selected (counter, 1);
  display_wait (shows_cycles, pane);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (display_find (pane, GTK_TYPE_DROP_DOWN, "baseline")), 1);
  g_assert_nonnull (display_find (pane, GTK_TYPE_LABEL, "Geometric mean relative to SM86_RTX3070: SM86_RTX3070_12SM "
                                                        "1.138 · SM86_RTX3070_SLOWDRAM 1.197"));

  choose_other (pane, "L1I_total_cache_accesses");
  display_wait (says_not_modelled, pane);
  g_assert_nonnull (display_find (pane, GTK_TYPE_LABEL,
    "SM86_RTX3070: L1I_total_cache_accesses is not modelled in this configuration: with "
    "-gpgpu_perfect_inst_const_cache 1, every access to instruction and constant caches hits\n"
    "SM86_RTX3070_12SM: L1I_total_cache_accesses is not modelled in this configuration: with "
    "-gpgpu_perfect_inst_const_cache 1, every access to instruction and constant caches hits\n"
    "SM86_RTX3070_SLOWDRAM: L1I_total_cache_accesses is not modelled in this configuration: with "
    "-gpgpu_perfect_inst_const_cache 1, every access to instruction and constant caches hits"));
}

static void
test_other (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, other_body);
}

static void
missing_body (AppFixture *fixture)
{
  app_fixture_wait_open (fixture);
  app_fixture_activate (fixture, "win.show-run('run-none')");
  CycPage *page = app_fixture_wait_page (fixture, "run");
  g_assert_nonnull (display_find (GTK_WIDGET (page), GTK_TYPE_LABEL, "No Such Run"));
}

static void
test_missing (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, missing_body);
}

int
main (int    argc,
      char **argv)
{
  display_init (&argc, &argv);
  g_test_add_func ("/app/run-page/show", test_show);
  g_test_add_func ("/app/run-page/select", test_select);
  g_test_add_func ("/app/run-page/drag", test_drag);
  g_test_add_func ("/app/run-page/counters", test_counters);
  g_test_add_func ("/app/run-page/growing", test_growing);
  g_test_add_func ("/app/run-page/compare", test_compare);
  g_test_add_func ("/app/run-page/other", test_other);
  g_test_add_func ("/app/run-page/missing", test_missing);
  return g_test_run ();
}
