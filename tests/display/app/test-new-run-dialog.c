/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app-fixture.h"

#include <glib/gstdio.h>
#include <string.h>

#include "app/cyc-config-row.h"
#include "app/cyc-new-run-dialog.h"
#include "core/model/cyc-sim.h"
#include "notifications.h"

/* A new run: what is chosen beforehand, what the check says, the run on the replay launcher to its end. */

static GtkWidget *
find_dialog (void)
{
  return display_find_window (CYC_TYPE_NEW_RUN_DIALOG);
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
  g_auto (AppFixture) fixture = { 0 };

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, run_body);
}

/* One of the entries of the options: rows are siblings. */
static GtkWidget *
find_entry (GtkWidget  *dialog,
            guint       row,
            const char *name)
{
  GtkWidget *widget = gtk_widget_get_parent (display_find (dialog, GTK_TYPE_ENTRY, "option-name"));

  for (guint i = 0; i < row; i++)
    widget = gtk_widget_get_next_sibling (widget);
  return display_find (widget, GTK_TYPE_ENTRY, name);
}

/* Character by character, at the end. */
static void
type (GtkWidget  *entry,
      const char *text)
{
  for (const char *p = text; *p != '\0'; p++)
    {
      int position = -1;
      gtk_editable_insert_text (GTK_EDITABLE (entry), p, 1, &position);
    }
}

static const char *
get_text (GtkWidget *entry)
{
  return gtk_editable_get_text (GTK_EDITABLE (entry));
}

static gboolean
has_error (gpointer dialog)
{
  return display_find (dialog, GTK_TYPE_LABEL, "1 error has to be mended first.") != NULL;
}

/* `-name value` goes into both entries. */
static gboolean
is_taken_apart (gpointer entry)
{
  return strchr (get_text (entry), ' ') == NULL;
}

/* The names of the log come when it is read. */
static gboolean
has_cta (gpointer names)
{
  return display_find (names, GTK_TYPE_LABEL, "-gpgpu_max_cta") != NULL;
}

/* The names begin as typed in the sample's log, sorted: ...completed_cta, ...concurrent_kernel, ...cta, ...cycle. */
static void
complete (GtkWidget *dialog)
{
  GtkWidget *name = find_entry (dialog, 0, "option-name");
  GtkWidget *names = display_find (gtk_widget_get_parent (name), GTK_TYPE_POPOVER, "option-names");

  type (name, "-gpgpu_max_c");
  display_wait (has_cta, names);
  g_assert_true (gtk_widget_get_visible (names));
  display_press (name, GDK_KEY_Escape, 0);
  g_assert_false (gtk_widget_get_visible (names));
  g_assert_cmpstr (get_text (name), ==, "-gpgpu_max_c");
  display_press (name, GDK_KEY_Down, 0);
  g_assert_true (gtk_widget_get_visible (names));
  for (guint i = 0; i < 4; i++)
    display_press (name, GDK_KEY_Down, 0);
  display_press (name, GDK_KEY_Up, 0);
  g_autofree char *wrong = gtk_test_accessible_check_property (
    GTK_ACCESSIBLE (name), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
    "-gpgpu_max_cta: terminates gpu simulation early (0 = no limit)");
  g_assert_cmpstr (wrong, ==, NULL);
  display_press (name, GDK_KEY_Down, 0);
  display_press (name, GDK_KEY_Return, 0);
  g_assert_false (gtk_widget_get_visible (names));
  g_assert_cmpstr (get_text (name), ==, "-gpgpu_max_cycle");
  g_assert_nonnull (display_find (dialog, GTK_TYPE_LABEL,
                                  "-gpgpu_max_cycle: terminates gpu simulation early (0 = no limit)"));
  g_assert_nonnull (display_find (dialog, GTK_TYPE_LABEL, "not in its files"));
  g_assert_nonnull (display_find (dialog, GTK_TYPE_LABEL, "In an earlier log"));
}

static char *
read_log (CycWorkspace *workspace,
          const char   *run_id)
{
  g_autoptr (CycSim) sim = g_list_model_get_item (cyc_workspace_get_sims (workspace, run_id), 0);
  g_autofree char *path = g_build_filename (cyc_workspace_get_location (workspace), "runs", run_id,
                                            cyc_sim_get_record (sim)->id, "log", NULL);
  g_autoptr (GError) error = NULL;
  char *text;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  return text;
}

/* The run that is neither the sample's nor this one. */
static char *
find_run_but (CycWorkspace *workspace,
              const char   *run_id)
{
  GListModel *runs = cyc_workspace_get_runs (workspace);

  for (guint i = 0; i < g_list_model_get_n_items (runs); i++)
    {
      g_autoptr (CycRun) run = g_list_model_get_item (runs, i);
      const CycRunRecord *record = cyc_run_get_record (run);
      if (!record->sample && g_strcmp0 (record->id, run_id) != 0)
        return g_strdup (record->id);
    }
  return NULL;
}

/* An option is completed by keys, a wrong value refused, an unknown option told but taken; the simulator gets both:
 * this one prints its arguments, one a line, and so fails. */
static void
options_body (AppFixture *fixture)
{
  CycWorkspace *workspace = app_fixture_wait_open (fixture);

  app_fixture_wait_ended (fixture);
  GtkWidget *dialog = open_dialog (fixture);
  GtkListBox *list = GTK_LIST_BOX (display_find (dialog, GTK_TYPE_LIST_BOX, NULL));

  for (int i = 1; i < 3; i++)
    cyc_config_row_set_count (CYC_CONFIG_ROW (gtk_list_box_get_row_at_index (list, i)), 0);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (display_find (dialog, GTK_TYPE_DROP_DOWN, NULL)), 2);
  complete (dialog);
  type (find_entry (dialog, 0, "option-value"), "1x");
  display_wait (has_error, dialog);
  g_assert_nonnull (display_find (dialog, GTK_TYPE_LABEL,
                                  "-gpgpu_max_cycle takes a number, such as 0: \"1x\" is none"));
  g_assert_false (gtk_widget_get_sensitive (display_find (dialog, GTK_TYPE_BUTTON, "Start")));
  gtk_editable_set_text (GTK_EDITABLE (find_entry (dialog, 0, "option-value")), "1000");
  display_wait (is_ready, dialog);
  type (find_entry (dialog, 1, "option-name"), "-no_such_option 7");
  display_wait (is_taken_apart, find_entry (dialog, 1, "option-name"));
  g_assert_cmpstr (get_text (find_entry (dialog, 1, "option-value")), ==, "7");
  display_wait (is_ready, dialog);
  g_assert_nonnull (display_find (dialog, GTK_TYPE_LABEL,
                                  "-no_such_option is neither among the options of an earlier log nor in a chosen "
                                  "configuration: the simulator stops at an option that it does not know"));
  app_fixture_click (dialog, "Start");
  app_fixture_wait_page (fixture, "run");
  g_autofree char *run_id = find_run_but (workspace, NULL);
  app_fixture_wait_run (fixture, run_id, "failed");
  g_autofree char *log = read_log (workspace, run_id);
  g_assert_nonnull (strstr (log, "argv -gpgpu_max_cycle\nargv 1000\nargv -no_such_option\nargv 7\n"));
}

static void
test_options (void)
{
  g_auto (AppFixture) fixture = { 0 };
  g_autofree char *settings = app_fixture_fake_settings ("shows", "show");

  app_fixture_init (&fixture);
  app_fixture_write_settings (&fixture, settings);
  app_fixture_run (&fixture, NULL, options_body);
}

/* What cannot be run says why, and does not start. */
static void
refuse_body (AppFixture *fixture)
{
  GtkWidget *dialog = open_dialog (fixture);
  GtkListBox *list = GTK_LIST_BOX (display_find (dialog, GTK_TYPE_LIST_BOX, NULL));

  for (int i = 0; i < 3; i++)
    cyc_config_row_set_count (CYC_CONFIG_ROW (gtk_list_box_get_row_at_index (list, i)), 0);
  g_assert_nonnull (display_find (dialog, GTK_TYPE_LABEL, "Choose a configuration."));
  g_assert_false (gtk_widget_get_sensitive (display_find (dialog, GTK_TYPE_BUTTON, "Start")));
  cyc_config_row_set_count (CYC_CONFIG_ROW (gtk_list_box_get_row_at_index (list, 0)), 1);
  display_wait (is_ready, dialog);

  /* Without a simulator nothing can be simulated with other options. */
  type (find_entry (dialog, 0, "option-name"), "-gpgpu_max_cycle 1000");
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
  g_auto (AppFixture) fixture = { 0 };

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, refuse_body);
}

static gboolean
is_set (gpointer data)
{
  return *(char **) data != NULL;
}

static gboolean
has_ready_dialog (gpointer data)
{
  return find_dialog () != NULL && is_ready (find_dialog ());
}

/* The sample's first configuration, for another architecture. */
static char *
write_other_config (AppFixture *fixture)
{
  g_autofree char *source = g_test_build_filename (G_TEST_DIST, "..", "..", "samples", "configs", APP_SAMPLE_CONFIG,
                                                   NULL);
  g_autofree char *root = g_build_filename (fixture->folder, "configs", NULL);
  g_autofree char *folder = g_build_filename (root, "SM75_OTHER", NULL);
  static const char *const names[] = { "gpgpusim.config", "trace.config" };

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *from = g_build_filename (source, names[i], NULL);
      g_autofree char *to = g_build_filename (folder, names[i], NULL);
      g_autofree char *bytes = NULL;
      g_assert_true (g_file_get_contents (from, &bytes, NULL, NULL));
      g_autoptr (GString) text = g_string_new (bytes);
      g_string_replace (text, "capability_major 8", "capability_major 7", 0);
      g_string_replace (text, "capability_minor 6", "capability_minor 5", 0);
      g_assert_true (g_file_set_contents (to, text->str, -1, NULL));
    }
  return g_steal_pointer (&root);
}

static gboolean
has_two_lines (gpointer label)
{
  return pango_layout_get_line_count (gtk_label_get_layout (label)) > 1;
}

/* Where there is little room, the reason goes over several lines, and none of it is left out. */
static void
check_reason_wraps (GtkWidget *dialog,
                    GtkWidget *row)
{
  GtkWidget *reason = display_find (row, GTK_TYPE_LABEL, "sm_75, 1,132 MHz – does not fit: the trace is sm_86");

  g_assert_nonnull (reason);
  gtk_window_set_default_size (GTK_WINDOW (dialog), 400, 500);
  gtk_test_widget_wait_for_draw (dialog);
  display_wait (has_two_lines, reason);
  g_assert_false (pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (reason))));
}

/* What does not fit comes last, says why, and is used only if it is chosen. Counts are 1 to 64. */
static void
fit_body (AppFixture *fixture)
{
  CycWorkspace *workspace = app_fixture_wait_open (fixture);
  GtkWidget *dialog = open_dialog (fixture);
  GtkListBox *list = GTK_LIST_BOX (display_find (dialog, GTK_TYPE_LIST_BOX, NULL));
  CycConfigRow *row = CYC_CONFIG_ROW (gtk_list_box_get_row_at_index (list, 3));

  g_assert_null (gtk_list_box_get_row_at_index (list, 4));
  g_assert_cmpstr (cyc_config_row_get_config (row)->name, ==, "SM75_OTHER");
  g_assert_false (cyc_config_row_fits (row));
  g_assert_cmpuint (cyc_config_row_get_count (row), ==, 0);
  check_reason_wraps (dialog, GTK_WIDGET (row));
  for (int i = 0; i < 3; i++)
    {
      CycConfigRow *fits = CYC_CONFIG_ROW (gtk_list_box_get_row_at_index (list, i));
      g_assert_true (cyc_config_row_fits (fits));
      cyc_config_row_set_count (fits, 0);
    }
  cyc_config_row_set_count (row, 65);
  g_assert_cmpuint (cyc_config_row_get_count (row), ==, 64);
  double least, most;
  gtk_spin_button_get_range (GTK_SPIN_BUTTON (display_find (GTK_WIDGET (row), GTK_TYPE_SPIN_BUTTON, NULL)), &least,
                             &most);
  g_assert_cmpfloat (least, ==, 1);
  g_assert_cmpfloat (most, ==, 64);
  cyc_config_row_set_count (row, 1);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (display_find (dialog, GTK_TYPE_DROP_DOWN, NULL)), 2);
  display_wait (is_ready, dialog);
  app_fixture_click (dialog, "Start");
  app_fixture_wait_page (fixture, "run");
  g_autofree char *run_id = find_run_but (workspace, NULL);
  app_fixture_wait_run (fixture, run_id, "succeeded");
  g_autoptr (CycSim) sim = g_list_model_get_item (cyc_workspace_get_sims (workspace, run_id), 0);
  g_assert_cmpstr (cyc_sim_get_record (sim)->gpu_config, ==, "SM75_OTHER");
}

static void
test_fit (void)
{
  g_auto (AppFixture) fixture = { 0 };
  g_autofree char *fake = app_fixture_fake_settings ("fake", "succeed");

  app_fixture_init (&fixture);
  g_autofree char *root = write_other_config (&fixture);
  g_autofree char *settings = g_strdup_printf ("[paths]\nconfig_roots=%s;\n%s", root, fake);
  app_fixture_write_settings (&fixture, settings);
  app_fixture_run (&fixture, NULL, fit_body);
}

/* A trace that suggests one configuration, and names another one for samples: both are chosen. */

static void
import_suggesting (AppFixture *fixture)
{
  g_autofree char *source = g_test_build_filename (G_TEST_DIST, "..", "..", "samples", "traces", APP_SAMPLE_TRACE,
                                                   NULL);
  g_autofree char *folder = g_build_filename (fixture->folder, "suggesting", NULL);
  g_autofree char *metadata = g_build_filename (folder, "metadata.json", NULL);
  const char *argv[] = { "cp", "-r", source, folder, NULL };
  int status;

  g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, &status, NULL));
  g_assert_cmpint (status, ==, 0);
  g_assert_true (g_file_set_contents (metadata,
                                      "{\"suggested_sim_config\": \"SM86_RTX3070_SLOWDRAM\","
                                      " \"sample_sim_configs\": [\"SM86_RTX3070_12SM\"]}", -1, NULL));
  app_fixture_import (fixture, folder, "suggesting");
}

static void
suggested_body (AppFixture *fixture)
{
  app_fixture_wait_open (fixture);
  import_suggesting (fixture);
  app_fixture_activate (fixture, "win.new-run('suggesting')");
  display_wait (has_ready_dialog, NULL);
  GtkListBox *list = GTK_LIST_BOX (display_find (find_dialog (), GTK_TYPE_LIST_BOX, NULL));
  for (int i = 0; i < 3; i++)
    g_assert_cmpuint (cyc_config_row_get_count (CYC_CONFIG_ROW (gtk_list_box_get_row_at_index (list, i))), ==,
                      i > 0 ? 1 : 0);
  gtk_window_close (GTK_WINDOW (find_dialog ()));
}

static void
test_suggested (void)
{
  g_auto (AppFixture) fixture = { 0 };

  app_fixture_init (&fixture);
  app_fixture_run (&fixture, NULL, suggested_body);
}

/* A simulator that crashes with one of the configurations while the file `broken` is there. */
static char *
write_broken (AppFixture *fixture)
{
  g_autofree char *path = g_build_filename (fixture->folder, "accel-sim.out", NULL);
  g_autofree char *broken = g_build_filename (fixture->folder, "broken", NULL);
  g_autofree char *log = g_test_build_filename (G_TEST_DIST, "..", "..", "samples", "traces", APP_SAMPLE_TRACE,
                                                "recorded", APP_SAMPLE_CONFIG ".log.xz", NULL);
  g_autofree char *text = g_strdup_printf ("#!/bin/sh\n"
                                           "if [ -e '%s' ] && [ $CASCADE_GPU_CONFIG = SM86_RTX3070_12SM ]\n"
                                           "then export FAKE_SIM_MODE=crash\nfi\n"
                                           "export FAKE_SIM_LOG='%s'\nexec '%s' \"$@\"\n", broken, log,
                                           g_getenv ("CYC_TEST_FAKE_SIM"));

  g_assert_true (g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_NONE, 0755, NULL));
  g_assert_true (g_file_set_contents (broken, "", -1, NULL));
  return g_strdup_printf ("[simulator broken]\nexecutable=%s\n", path);
}

static void
created_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  *(char **) user_data = cyc_workspace_create_run_finish (CYC_WORKSPACE (source), result, NULL);
}

static char *
start_broken (CycWorkspace *workspace)
{
  g_autoptr (CycRunRequest) request = cyc_run_request_new ();
  char *run_id = NULL;

  request->trace_id = g_strdup (APP_SAMPLE_TRACE);
  request->simulator = g_strdup ("broken");
  request->launcher = g_strdup ("local");
  g_strfreev (request->options);
  request->options = g_strsplit ("-gpgpu_max_cycle 900", ",", -1);
  g_ptr_array_add (request->entries, cyc_run_entry_new ("SM86_RTX3070", 1));
  g_ptr_array_add (request->entries, cyc_run_entry_new ("SM86_RTX3070_12SM", 2));
  cyc_workspace_create_run_async (workspace, request, NULL, created_cb, &run_id);
  display_wait (is_set, &run_id);
  return run_id;
}

static gboolean
has_nothing (gpointer data)
{
  GtkWidget *label = display_find (find_dialog (), GTK_TYPE_LABEL, "Nothing to Start Again");

  return label != NULL && gtk_widget_get_mapped (label);
}

/* Two of three simulations crash; what is started again is these two, as they were, and they succeed when what was
 * wrong with the simulator has been mended. */
static void
again_body (AppFixture *fixture)
{
  CycWorkspace *workspace = app_fixture_wait_open (fixture);
  g_autofree char *broken = g_build_filename (fixture->folder, "broken", NULL);

  app_fixture_wait_ended (fixture);
  g_autofree char *run_id = start_broken (workspace);
  app_fixture_wait_run (fixture, run_id, "partial");
  g_autofree char *show = g_strdup_printf ("win.show-run('%s')", run_id);
  app_fixture_activate (fixture, show);
  app_fixture_wait_page (fixture, "run");
  app_fixture_activate (fixture, "page.run-again-failed");
  display_wait (has_ready_dialog, NULL);

  GtkWidget *dialog = find_dialog ();
  GtkListBox *list = GTK_LIST_BOX (display_find (dialog, GTK_TYPE_LIST_BOX, NULL));
  for (int i = 0; i < 3; i++)
    g_assert_cmpuint (cyc_config_row_get_count (CYC_CONFIG_ROW (gtk_list_box_get_row_at_index (list, i))), ==,
                      i == 1 ? 2 : 0);
  GtkDropDown *simulator = GTK_DROP_DOWN (display_find (dialog, GTK_TYPE_DROP_DOWN, NULL));
  g_assert_cmpuint (gtk_drop_down_get_selected (simulator), ==, 2);
  g_assert_cmpstr (get_text (find_entry (dialog, 0, "option-name")), ==, "-gpgpu_max_cycle");
  g_assert_cmpstr (get_text (find_entry (dialog, 0, "option-value")), ==, "900");
  g_assert_cmpint (g_unlink (broken), ==, 0);
  app_fixture_click (dialog, "Start");
  app_fixture_wait_count (cyc_workspace_get_runs (workspace), 3);
  g_autofree char *again = find_run_but (workspace, run_id);
  app_fixture_wait_run (fixture, again, "succeeded");
  GListModel *sims = cyc_workspace_get_sims (workspace, again);
  g_assert_cmpuint (g_list_model_get_n_items (sims), ==, 2);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (CycSim) sim = g_list_model_get_item (sims, i);
      g_assert_cmpstr (cyc_sim_get_record (sim)->gpu_config, ==, "SM86_RTX3070_12SM");
    }

  /* Of one that succeeded there is nothing to start again. */
  g_autofree char *none = g_strdup_printf ("win.run-again-failed('%s')", again);
  app_fixture_activate (fixture, none);
  display_wait (has_nothing, NULL);
  gtk_window_close (GTK_WINDOW (find_dialog ()));
}

static void
test_again (void)
{
  g_auto (AppFixture) fixture = { 0 };

  app_fixture_init (&fixture);
  g_autofree char *settings = write_broken (&fixture);
  app_fixture_write_settings (&fixture, settings);
  app_fixture_run (&fixture, NULL, again_body);
}

int
main (int    argc,
      char **argv)
{
  display_init (&argc, &argv);
  g_test_add_func ("/app/new-run-dialog/run", test_run);
  g_test_add_func ("/app/new-run-dialog/fit", test_fit);
  g_test_add_func ("/app/new-run-dialog/suggested", test_suggested);
  g_test_add_func ("/app/new-run-dialog/again", test_again);
  g_test_add_func ("/app/new-run-dialog/options", test_options);
  g_test_add_func ("/app/new-run-dialog/refuse", test_refuse);
  return g_test_run ();
}
