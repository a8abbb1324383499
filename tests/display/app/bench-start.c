/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "app/cyc-application.h"
#include "app/cyc-window.h"
#include "bench/many-runs.h"
#include "core/base/cyc-file.h"
#include "support/loop-watch.h"
#include "widgets/cyc-table-view.h"

/* How long it takes from the start of a process until the window shows rows, in a workspace with 1,000 runs and
 * 204,000 kernels, and how much memory that is. Targets: 0.5 s and 300 MB. Starts itself for each start. */

#define BEGUN "BENCH_START_BEGUN"
#define N_STARTS 5

static GtkWindow *window;
static gint64 begun;

static double
ms_since (gint64 then)
{
  return (double) (g_get_monotonic_time () - then) / 1000;
}

static double
read_rss_mb (void)
{
  g_autofree char *text = NULL;
  const char *found = g_file_get_contents ("/proc/self/status", &text, NULL, NULL) ? strstr (text, "VmRSS:") : NULL;

  return found == NULL ? 0 : (double) g_ascii_strtoull (found + strlen ("VmRSS:"), NULL, 10) / 1024;
}

/* A table that is on the screen. */
static CycTableView *
find_table (GtkWidget *root)
{
  if (!gtk_widget_get_mapped (root))
    return NULL;
  if (CYC_IS_TABLE_VIEW (root))
    return CYC_TABLE_VIEW (root);
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      CycTableView *found = find_table (child);
      if (found != NULL)
        return found;
    }
  return NULL;
}

static guint
count_rows (void)
{
  CycTableView *table = find_table (GTK_WIDGET (window));

  return table != NULL ? g_list_model_get_n_items (cyc_table_view_get_shown (table)) : 0;
}

/* The frame is drawn: with rows of the runs in it, or, before, of the traces. */
static void
after_paint_cb (GdkFrameClock *clock)
{
  static gint64 asked;
  guint n = count_rows ();
  LoopGap gap;

  if (n == 0)
    return;
  if (asked == 0)
    {
      g_print ("%u traces shown after %.0f ms, %.0f MB", n, ms_since (begun), read_rss_mb ());
      asked = g_get_monotonic_time ();
      g_action_group_activate_action (G_ACTION_GROUP (window), "show-runs", NULL);
      return;
    }
  if (n < MANY_RUNS)
    return;
  gap = loop_watch_stop ();
  g_print ("; %u runs %.0f ms after that, %.0f MB; the main loop stood still for %.0f ms (%.0f on a processor)\n", n,
           ms_since (asked), read_rss_mb (), (double) gap.clock / 1000, (double) gap.running / 1000);
  g_signal_handlers_disconnect_by_func (clock, after_paint_cb, NULL);
  g_action_group_activate_action (G_ACTION_GROUP (g_application_get_default ()), "quit", NULL);
}

static gboolean
quit_cb (gpointer data)
{
  CycWorkspace *workspace = cyc_window_get_workspace (CYC_WINDOW (window));

  if (cyc_workspace_get_state (workspace) != CYC_WORKSPACE_OPEN || cyc_workspace_get_n_local (workspace) > 0
      || g_list_model_get_n_items (cyc_workspace_get_runs (workspace)) == 0)
    return G_SOURCE_CONTINUE;
  g_action_group_activate_action (G_ACTION_GROUP (g_application_get_default ()), "quit", NULL);
  return G_SOURCE_REMOVE;
}

static void
realized_cb (GtkWidget *widget)
{
  GdkFrameClock *clock = gdk_surface_get_frame_clock (gtk_native_get_surface (GTK_NATIVE (widget)));

  g_signal_connect (clock, "after-paint", G_CALLBACK (after_paint_cb), NULL);
}

static void
window_added_cb (GtkApplication *application,
                 GtkWindow      *added)
{
  if (!CYC_IS_WINDOW (added) || window != NULL)
    return;
  window = added;
  if (begun == 0)
    g_timeout_add (20, quit_cb, NULL);
  else if (gtk_widget_get_realized (GTK_WIDGET (added)))
    realized_cb (GTK_WIDGET (added));
  else
    g_signal_connect_after (added, "realize", G_CALLBACK (realized_cb), NULL);
}

static int
run_window (const char *workspace)
{
  char *argv[] = { (char *) "cyclescope", (char *) "--workspace", (char *) workspace, NULL };
  g_autoptr (CycApplication) application = cyc_application_new ();

  g_signal_connect (application, "window-added", G_CALLBACK (window_added_cb), NULL);
  if (begun != 0)
    loop_watch_start ();
  return g_application_run (G_APPLICATION (application), 3, argv);
}

static void
start (const char *program,
       const char *workspace,
       gboolean    measured)
{
  g_autofree char *now = g_strdup_printf ("%" G_GINT64_FORMAT, measured ? g_get_monotonic_time () : 0);
  const char *argv[] = { program, workspace, NULL };
  g_autoptr (GError) error = NULL;
  int status = 1;

  g_setenv (BEGUN, now, TRUE);
  if (!g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_CHILD_INHERITS_STDIN, NULL, NULL, NULL, NULL, &status, &error)
      || status != 0)
    g_error ("no window: %s", error != NULL ? error->message : "it failed");
}

int
main (int    argc,
      char **argv)
{
  const char *text = g_getenv (BEGUN);

  if (argc == 2 && text != NULL)
    {
      begun = g_ascii_strtoll (text, NULL, 10);
      return run_window (argv[1]);
    }
  g_autofree char *folder = g_dir_make_tmp ("cyclescope-bench-XXXXXX", NULL);
  g_autofree char *workspace = g_build_filename (folder, "ws", NULL);
  start (argv[0], workspace, FALSE);
  many_runs_fill (workspace);
  for (guint i = 0; i < N_STARTS; i++)
    start (argv[0], workspace, TRUE);
  cyc_file_remove_tree (folder, NULL);
  return 0;
}
