/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app-fixture.h"

#include <string.h>

#include "app/cyc-config-row.h"
#include "app/cyc-new-run-dialog.h"
#include "core/model/cyc-sim.h"
#include "notifications.h"

/* A new run: what is chosen beforehand, what the check says, the run on the replay launcher to its end. */

static GtkWidget *
find_dialog (void)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);
      if (CYC_IS_NEW_RUN_DIALOG (window))
        return window;
    }
  return NULL;
}

static gboolean
is_ready (gpointer data)
{
  GtkWidget *label = display_find (data, GTK_TYPE_LABEL, "Ready to start.");

  return label != NULL && gtk_widget_get_sensitive (display_find (data, GTK_TYPE_BUTTON, "Start"));
}

static GtkWidget *
open_dialog (AppFixture *fixture)
{
  app_fixture_wait_open (fixture);
  app_fixture_activate (fixture, "win.new-run('cyclescope-sample')");
  GtkWidget *dialog = find_dialog ();
  g_assert_nonnull (dialog);
  display_wait (is_ready, dialog);
  return dialog;
}

static gboolean
all_succeeded (gpointer data)
{
  GListModel *sims = data;

  for (guint i = 0; i < g_list_model_get_n_items (sims); i++)
    {
      g_autoptr (CycSim) sim = g_list_model_get_item (sims, i);
      const CycSimRecord *record = cyc_sim_get_record (sim);
      g_assert_cmpint (record->state, !=, CYC_SIM_FAILED);
      if (record->state != CYC_SIM_SUCCEEDED)
        return FALSE;
    }
  return g_list_model_get_n_items (sims) > 0;
}

/* The window of a test is never in front. */
static gboolean
was_told (gpointer data)
{
  return notifications_get ()->len > 0;
}

static gboolean
has_two_runs (gpointer workspace)
{
  return g_list_model_get_n_items (cyc_workspace_get_runs (workspace)) == 2;
}

/* The sample's three configurations are chosen already; two of the second, none of the third. */
static void
run_body (AppFixture *fixture)
{
  GtkWidget *dialog = open_dialog (fixture);
  CycWorkspace *workspace = app_fixture_wait_open (fixture);
  GtkListBox *list = GTK_LIST_BOX (display_find (dialog, GTK_TYPE_LIST_BOX, NULL));
  static const char *const names[] = { "SM86_RTX3070", "SM86_RTX3070_12SM", "SM86_RTX3070_SLOWDRAM" };

  for (int i = 0; i < 3; i++)
    {
      CycConfigRow *row = CYC_CONFIG_ROW (gtk_list_box_get_row_at_index (list, i));
      g_assert_cmpstr (cyc_config_row_get_config (row)->name, ==, names[i]);
      g_assert_cmpuint (cyc_config_row_get_count (row), ==, 1);
    }
  cyc_config_row_set_count (CYC_CONFIG_ROW (gtk_list_box_get_row_at_index (list, 1)), 2);
  cyc_config_row_set_count (CYC_CONFIG_ROW (gtk_list_box_get_row_at_index (list, 2)), 0);
  g_assert_false (is_ready (dialog));
  display_wait (is_ready, dialog);
  g_signal_emit_by_name (display_find (dialog, GTK_TYPE_BUTTON, "Start"), "clicked");

  display_wait (has_two_runs, workspace);
  app_fixture_wait_page (fixture, "run");
  g_assert_null (find_dialog ());
  g_autoptr (CycRun) run = NULL;
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (CycRun) each = g_list_model_get_item (cyc_workspace_get_runs (workspace), i);
      if (!cyc_run_get_record (each)->sample)
        g_set_object (&run, each);
    }
  g_assert_nonnull (run);
  GListModel *sims = cyc_workspace_get_sims (workspace, cyc_run_get_record (run)->id);
  g_assert_cmpuint (g_list_model_get_n_items (sims), ==, 3);
  display_wait (all_succeeded, sims);
  display_wait (was_told, NULL);
  /* gpu_tot_sim_cycle of the recorded logs. */
  g_autoptr (CycSim) last = g_list_model_get_item (sims, 2);
  g_assert_cmpfloat (cyc_sim_get_record (last)->latest.gpu_tot_sim_cycle, ==, 55737);
}

static void
test_run (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, run_body);
}

/* What cannot be run says why, and does not start. */
static void
refuse_body (AppFixture *fixture)
{
  GtkWidget *dialog = open_dialog (fixture);
  GtkTextView *options = GTK_TEXT_VIEW (display_find (dialog, GTK_TYPE_TEXT_VIEW, NULL));
  GtkListBox *list = GTK_LIST_BOX (display_find (dialog, GTK_TYPE_LIST_BOX, NULL));

  for (int i = 0; i < 3; i++)
    cyc_config_row_set_count (CYC_CONFIG_ROW (gtk_list_box_get_row_at_index (list, i)), 0);
  g_assert_nonnull (display_find (dialog, GTK_TYPE_LABEL, "Choose a configuration."));
  g_assert_false (gtk_widget_get_sensitive (display_find (dialog, GTK_TYPE_BUTTON, "Start")));
  cyc_config_row_set_count (CYC_CONFIG_ROW (gtk_list_box_get_row_at_index (list, 0)), 1);
  display_wait (is_ready, dialog);

  /* Without a simulator nothing can be simulated with other options. */
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (options), "-gpgpu_max_cycle 1000", -1);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (display_find (dialog, GTK_TYPE_DROP_DOWN, NULL)), 0);
  while (is_ready (dialog))
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (gtk_widget_get_sensitive (display_find (dialog, GTK_TYPE_BUTTON, "Start")));
  display_press (dialog, GDK_KEY_Escape, 0);
  g_assert_null (find_dialog ());
  g_assert_cmpuint (g_list_model_get_n_items (cyc_workspace_get_runs (app_fixture_wait_open (fixture))), ==, 1);
}

static void
test_refuse (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, refuse_body);
}

int
main (int    argc,
      char **argv)
{
  display_init (&argc, &argv);
  g_test_add_func ("/app/new-run-dialog/run", test_run);
  g_test_add_func ("/app/new-run-dialog/refuse", test_refuse);
  return g_test_run ();
}
