/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app-fixture.h"

#include <sqlite3.h>
#include <string.h>

#include "app/cyc-progress.h"
#include "app/cyc-sim-summary.h"

/* What is said of a simulation that runs while its log says little: by an earlier run, or that it does not get on.
 * Clocks are moved: in the database between two starts of the window, and by what the watch is told the time is. */

#define HOUR_SQL "UPDATE sims SET started_at = finished_at - 3600000000 WHERE state = 'succeeded' AND started_at > 0"

static GtkWidget *
show_run (AppFixture *fixture,
          const char *run_id)
{
  g_autofree char *action = g_strdup_printf ("win.show-run('%s')", run_id);

  app_fixture_activate (fixture, action);
  return display_find (GTK_WIDGET (app_fixture_wait_page (fixture, "run")), CYC_TYPE_SIM_SUMMARY, NULL);
}

/* Simulators: of the sample's log, and one whose log stays empty. */
static void
write_settings (AppFixture *fixture)
{
  g_autofree char *slow = app_fixture_fake_settings ("slow", "slow");
  g_autofree char *hangs = app_fixture_fake_settings ("hangs", "hang");
  g_autofree char *empty = g_build_filename (fixture->folder, "empty.log", NULL);
  g_autofree char *settings = NULL;

  g_assert_true (g_file_set_contents (empty, "", 0, NULL));
  settings = g_strdup_printf ("%s%s[simulator silent]\nexecutable=%s\nenv=FAKE_SIM_MODE=hang;FAKE_SIM_LOG=%s;\n", slow,
                              hangs, g_getenv ("CYC_TEST_FAKE_SIM"), empty);
  app_fixture_write_settings (fixture, settings);
}

static void
first_body (AppFixture *fixture)
{
  app_fixture_wait_open (fixture);
  g_autofree char *run = app_fixture_start_run (fixture, "local", "slow", APP_SAMPLE_CONFIG);
  app_fixture_wait_run (fixture, run, "succeeded");
}

static gboolean
says_earlier (gpointer summary)
{
  return display_find (summary, GTK_TYPE_LABEL, "Estimated by an earlier run of the trace on this configuration, which "
                                                "took 1 h 00 min") != NULL;
}

/* The label of the time left, in minutes. */
static guint
read_minutes (GtkWidget *root)
{
  g_autofree char *text = display_dup_text (root);
  guint minutes = 0;

  if (text != NULL && g_str_has_suffix (text, " left"))
    {
      char *end;
      guint number = (guint) g_ascii_strtoull (text, &end, 10);
      return g_str_has_prefix (end, " h ") ? 60 * number + (guint) g_ascii_strtoull (end + 3, NULL, 10) : number;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && minutes == 0;
       child = gtk_widget_get_next_sibling (child))
    minutes = read_minutes (child);
  return minutes;
}

static void
second_body (AppFixture *fixture)
{
  app_fixture_wait_open (fixture);
  g_autofree char *run = app_fixture_start_run (fixture, "local", "silent", APP_SAMPLE_CONFIG);
  GtkWidget *summary = show_run (fixture, run);

  display_wait (says_earlier, summary);
  /* A test takes no ten minutes. */
  g_assert_cmpuint (read_minutes (summary), >=, 50);
  g_assert_cmpuint (read_minutes (summary), <=, 60);
  app_fixture_activate (fixture, "page.cancel");
  app_fixture_wait_run (fixture, run, "cancelled");
}

static void
test_earlier (void)
{
  g_auto (AppFixture) fixture;
  sqlite3 *db = NULL;

  app_fixture_init (&fixture);
  write_settings (&fixture);
  app_fixture_run (&fixture, NULL, first_body);
  g_autofree char *workspace = app_fixture_get_workspace (&fixture);
  g_autofree char *path = g_build_filename (workspace, "workspace.db", NULL);
  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, HOUR_SQL, NULL, NULL, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_changes (db), ==, 1);
  sqlite3_close (db);
  app_fixture_run (&fixture, NULL, second_body);
}

typedef struct
{
  CycWorkspace *workspace;
  CycSim       *sim;
  guint         kernels;
} Done;

/* As many kernels as the half of the sample's log has, and nothing since the last look. */
static gboolean
is_stuck (gpointer data)
{
  Done *done = data;
  const CycSimRecord *record = cyc_sim_get_record (done->sim);

  return record->state == CYC_SIM_RUNNING && record->kernels_done == done->kernels
         && cyc_progress_look (done->workspace, done->sim, g_get_monotonic_time ()) > 0.5;
}

static gboolean
warns (gpointer summary)
{
  const char *text = "No progress for 12 minutes: no kernel has ended and the log has not grown. A large kernel can "
                     "take hours, so this need not be a failure";
  GtkWidget *label = display_find (summary, GTK_TYPE_LABEL, text);

  return label != NULL && gtk_widget_get_mapped (label);
}

static void
idle_body (AppFixture *fixture)
{
  CycWorkspace *workspace = app_fixture_wait_open (fixture);
  g_autofree char *run = app_fixture_start_run (fixture, "local", "hangs", APP_SAMPLE_CONFIG);
  GtkWidget *summary = show_run (fixture, run);
  g_autoptr (CycSim) sim = g_list_model_get_item (cyc_workspace_get_sims (workspace, run), 0);
  Done done = { workspace, sim, 2 };

  display_wait (is_stuck, &done);
  g_assert_cmpfloat (cyc_progress_get_idle (sim), <, CYC_PROGRESS_WARN_SECONDS);
  g_assert_null (cyc_progress_dup_warning (sim));
  /* Somebody saw it twelve minutes ago, as it is. */
  cyc_progress_look (workspace, sim, g_get_monotonic_time () - 12 * 60 * (gint64) G_USEC_PER_SEC);
  display_wait (warns, summary);
  g_assert_nonnull (display_find (gtk_widget_get_ancestor (summary, CYC_TYPE_PAGE), GTK_TYPE_LABEL, "Running"));
  /* It ends: nobody waits for it any more. */
  app_fixture_activate (fixture, "page.cancel");
  app_fixture_wait_run (fixture, run, "cancelled");
  g_assert_cmpfloat (cyc_progress_get_idle (sim), ==, 0);
}

static void
test_idle (void)
{
  g_auto (AppFixture) fixture;

  app_fixture_init (&fixture);
  write_settings (&fixture);
  app_fixture_run (&fixture, NULL, idle_body);
}

int
main (int    argc,
      char **argv)
{
  display_init (&argc, &argv);
  g_test_add_func ("/app/estimates/earlier", test_earlier);
  g_test_add_func ("/app/estimates/idle", test_idle);
  return g_test_run ();
}
