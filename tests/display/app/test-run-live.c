/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app-fixture.h"

#include <string.h>

#include "app/cyc-log-pane.h"
#include "app/cyc-sim-summary.h"
#include "core/model/cyc-sim.h"
#include "widgets/cyc-sparkline-view.h"
#include "widgets/cyc-table-view.h"

/* The page of a run that is under way or has failed: runs of the fake simulator. */

/* Warp instructions of the sample's kernels, as its tracer counted them. */
static const double sizes[] = { 6656, 19456, 237568, 5632, 6656 };

static char *
dup_cell (CycTableView *table,
          const char   *title)
{
  g_autofree char *text = cyc_table_view_dup_text (table, CYC_TABLE_TSV, CYC_TABLE_SHOWN);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_auto (GStrv) titles = g_strsplit (lines[0], "\t", -1);
  g_auto (GStrv) cells = g_strsplit (lines[1] != NULL ? lines[1] : "", "\t", -1);

  for (guint i = 0; titles[i] != NULL; i++)
    if (strcmp (titles[i], title) == 0)
      return i < g_strv_length (cells) ? g_strdup (cells[i]) : g_strdup ("");
  g_error ("no column %s", title);
}

typedef struct
{
  CycTableView *table;
  const char   *title;
  const char   *text;
} Cell;

static gboolean
is_other_cell (gpointer data)
{
  Cell *cell = data;
  g_autofree char *text = dup_cell (cell->table, cell->title);

  return text[0] != '\0' && strcmp (text, cell->text) != 0;
}

static gboolean
is_cell (gpointer data)
{
  Cell *cell = data;
  g_autofree char *text = dup_cell (cell->table, cell->title);

  return strcmp (text, cell->text) == 0;
}

static CycTableView *
show_run (AppFixture *fixture,
          const char *run_id)
{
  g_autofree char *action = g_strdup_printf ("win.show-run('%s')", run_id);

  app_fixture_activate (fixture, action);
  CycPage *page = app_fixture_wait_page (fixture, "run");
  return CYC_TABLE_VIEW (display_find (GTK_WIDGET (page), CYC_TYPE_TABLE_VIEW, "sims"));
}

static gboolean
has_reason (gpointer sims)
{
  GtkWidget *page = gtk_widget_get_ancestor (sims, CYC_TYPE_PAGE);
  GtkWidget *summary = display_find (page, CYC_TYPE_SIM_SUMMARY, NULL);
  g_autofree char *kernels = dup_cell (sims, "Kernels");
  double done = 0, all = 0;

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      all += sizes[i];
      done += i < g_ascii_strtoull (kernels, NULL, 10) ? sizes[i] : 0;
    }
  g_autofree char *reason =
    g_strdup_printf ("Estimated by instructions: the finished kernels have %.0f %% of the trace’s", done / all * 100);
  GtkWidget *label = display_find (summary, GTK_TYPE_LABEL, reason);
  return label != NULL && gtk_widget_get_mapped (label);
}

/* Half of the log is there, and it goes on for ever: some kernels are done, and the rest is estimated. */
static void
left_body (AppFixture *fixture)
{
  app_fixture_wait_open (fixture);
  g_autofree char *run = app_fixture_start_run (fixture, "local", "hangs", APP_SAMPLE_CONFIG);
  CycTableView *sims = show_run (fixture, run);

  display_wait (is_other_cell, &(Cell) { sims, "Time Left", "–" });
  g_autofree char *left = dup_cell (sims, "Time Left");
  g_assert_true (g_ascii_isdigit (left[0]));
  display_wait (has_reason, sims);
  app_fixture_activate (fixture, "page.cancel");
  app_fixture_wait_run (fixture, run, "cancelled");
  display_wait (is_cell, &(Cell) { sims, "Time Left", "–" });
}

static void
test_left (void)
{
  g_auto (AppFixture) fixture;
  g_autofree char *settings = app_fixture_fake_settings ("hangs", "hang");

  app_fixture_init (&fixture);
  app_fixture_write_settings (&fixture, settings);
  app_fixture_run (&fixture, NULL, left_body);
}

/* A label of the page says so, and is seen. */
typedef struct
{
  GtkWidget  *root;
  const char *text;
} Label;

static gboolean
has_label (gpointer data)
{
  Label *label = data;
  GtkWidget *found = display_find (label->root, GTK_TYPE_LABEL, label->text);

  return found != NULL && gtk_widget_get_mapped (found);
}

/* What the log itself says of the end: its 5437th line, as grep numbers it. */
static const char deadlock[] = "GPGPU-Sim uArch: ERROR ** deadlock detected: last writeback core 45 @ gpu_sim_cycle "
                               "5011 (+ gpu_tot_sim_cycle 4294888294) (94989 cycles ago)";

static void
failure_body (AppFixture *fixture)
{
  app_fixture_wait_open (fixture);
  g_autofree char *run = app_fixture_start_run (fixture, "local", "deadlock", APP_SAMPLE_CONFIG);
  app_fixture_wait_run (fixture, run, "failed");
  GtkWidget *page = gtk_widget_get_ancestor (GTK_WIDGET (show_run (fixture, run)), CYC_TYPE_PAGE);
  GtkWidget *summary = display_find (page, CYC_TYPE_SIM_SUMMARY, NULL);

  display_wait (has_label, &(Label) { summary, deadlock });
  GtkWidget *bar = display_find (page, GTK_TYPE_PROGRESS_BAR, NULL);
  g_assert_cmpstr (gtk_progress_bar_get_text (GTK_PROGRESS_BAR (bar)), ==, "1 simulation failed");
  g_assert_nonnull (display_find (summary, GTK_TYPE_LABEL, "Line 5,437 of the log:"));
  g_assert_true (gtk_label_get_selectable (GTK_LABEL (display_find (summary, GTK_TYPE_LABEL, deadlock))));
  GtkWidget *log = display_find (page, CYC_TYPE_LOG_PANE, NULL);
  g_assert_false (gtk_widget_get_mapped (log));
  app_fixture_click (summary, "Show in Log");
  display_wait (has_label, &(Label) { log, deadlock });
  g_assert_true (gtk_widget_has_css_class (display_find (log, GTK_TYPE_LABEL, deadlock), "hit"));
}

static void
test_failure (void)
{
  g_auto (AppFixture) fixture;
  g_autofree char *log = g_test_build_filename (G_TEST_DIST, "..", "data", "accelsim", "logs",
                                                "fail-deadlock.log.xz", NULL);
  g_autofree char *settings =
    g_strdup_printf ("[simulator deadlock]\nexecutable=%s\n"
                     "env=FAKE_SIM_MODE=succeed;FAKE_SIM_EXIT=134;FAKE_SIM_LOG=%s;\n",
                     g_getenv ("CYC_TEST_FAKE_SIM"), log);

  app_fixture_init (&fixture);
  app_fixture_write_settings (&fixture, settings);
  app_fixture_run (&fixture, NULL, failure_body);
}

/* The log says nothing: it is what was written to stderr. */
static void
crash_body (AppFixture *fixture)
{
  app_fixture_wait_open (fixture);
  g_autofree char *run = app_fixture_start_run (fixture, "local", "crashes", APP_SAMPLE_CONFIG);
  app_fixture_wait_run (fixture, run, "failed");
  GtkWidget *page = gtk_widget_get_ancestor (GTK_WIDGET (show_run (fixture, run)), CYC_TYPE_PAGE);
  GtkWidget *summary = display_find (page, CYC_TYPE_SIM_SUMMARY, NULL);

  display_wait (has_label, &(Label) { summary, "Line 1 of stderr.txt:" });
  g_assert_nonnull (display_find (summary, GTK_TYPE_LABEL, "accel-sim.out: shader.cc:123: void f(): Assertion `0 && "
                                                           "\"crash\"' failed."));
  g_assert_false (gtk_widget_get_mapped (display_find (summary, GTK_TYPE_BUTTON, "Show in Log")));
}

static void
test_crash (void)
{
  g_auto (AppFixture) fixture;
  g_autofree char *settings = app_fixture_fake_settings ("crashes", "crash");

  app_fixture_init (&fixture);
  app_fixture_write_settings (&fixture, settings);
  app_fixture_run (&fixture, NULL, crash_body);
}

typedef struct
{
  GtkWidget  *summary;
  const char *rate;
  const char *ipc;
} Lines;

static gboolean
has_lines (gpointer data)
{
  Lines *lines = data;
  GtkWidget *rate = display_find (lines->summary, CYC_TYPE_SPARKLINE_VIEW, "rate");
  GtkWidget *ipc = display_find (lines->summary, CYC_TYPE_SPARKLINE_VIEW, "ipc");

  return strcmp (cyc_sparkline_view_get_text (CYC_SPARKLINE_VIEW (rate)), lines->rate) == 0
         && strcmp (cyc_sparkline_view_get_text (CYC_SPARKLINE_VIEW (ipc)), lines->ipc) == 0;
}

/* The figures of the recorded log: 663616 inst/s and 78.9932 after two kernels, 1234660 and 31.7673 at the end. */
static void
lines_body (AppFixture *fixture)
{
  app_fixture_wait_open (fixture);
  g_autofree char *half = app_fixture_start_run (fixture, "local", "hangs", APP_SAMPLE_CONFIG);
  GtkWidget *page = gtk_widget_get_ancestor (GTK_WIDGET (show_run (fixture, half)), CYC_TYPE_PAGE);
  GtkWidget *summary = display_find (page, CYC_TYPE_SIM_SUMMARY, NULL);
  display_wait (has_lines, &(Lines) { summary, "664k inst/s", "79" });
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (display_find (summary, CYC_TYPE_SPARKLINE_VIEW, "ipc")),
                                       GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, "79");
  app_fixture_activate (fixture, "page.cancel");
  app_fixture_wait_run (fixture, half, "cancelled");

  /* Of a run that has ended before it is looked at. */
  g_autofree char *whole = app_fixture_start_run (fixture, "local", "slow", APP_SAMPLE_CONFIG);
  app_fixture_wait_run (fixture, whole, "succeeded");
  page = gtk_widget_get_ancestor (GTK_WIDGET (show_run (fixture, whole)), CYC_TYPE_PAGE);
  summary = display_find (page, CYC_TYPE_SIM_SUMMARY, NULL);
  display_wait (has_lines, &(Lines) { summary, "1.23M inst/s", "31.8" });
}

static void
test_lines (void)
{
  g_auto (AppFixture) fixture;
  g_autofree char *hangs = app_fixture_fake_settings ("hangs", "hang");
  g_autofree char *slow = app_fixture_fake_settings ("slow", "slow");
  g_autofree char *settings = g_strconcat (hangs, slow, NULL);

  app_fixture_init (&fixture);
  app_fixture_write_settings (&fixture, settings);
  app_fixture_run (&fixture, NULL, lines_body);
}

int
main (int    argc,
      char **argv)
{
  display_init (&argc, &argv);
  g_test_add_func ("/app/run-live/left", test_left);
  g_test_add_func ("/app/run-live/failure", test_failure);
  g_test_add_func ("/app/run-live/crash", test_crash);
  g_test_add_func ("/app/run-live/lines", test_lines);
  return g_test_run ();
}
