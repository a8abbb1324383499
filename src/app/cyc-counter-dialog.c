/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-counter-dialog.h"

#define WIDTH 760
#define HEIGHT 560

/* A window beside a page, to choose counters out of those that a block of statistics has. */

static gboolean
escape_cb (GtkWidget *widget,
           GVariant  *args,
           gpointer   user_data)
{
  gtk_window_close (GTK_WINDOW (gtk_widget_get_root (widget)));
  return TRUE;
}

static void
set_counters (CycCounterChooser *chooser,
              CycSimStats       *stats)
{
  guint n = cyc_sim_stats_get_n (stats);
  g_autofree const char **names = g_new (const char *, n);
  g_autofree const char **values = g_new (const char *, n);

  for (guint i = 0; i < n; i++)
    {
      names[i] = cyc_sim_stats_get (stats, i)->key;
      values[i] = cyc_sim_stats_get (stats, i)->text;
    }
  cyc_counter_chooser_set_counters (chooser, names, values, n);
}

/**
 * cyc_counter_dialog_new:
 * @parent: a widget of the window that it is for
 * @title: its title
 * @stats: a block, whose counters there are to choose
 * @out_chooser: (out) (transfer none): what the user chooses with
 *
 * Returns: (transfer none): a window that is not shown yet; Escape closes it
 */
GtkWindow *
cyc_counter_dialog_new (GtkWidget          *parent,
                        const char         *title,
                        CycSimStats        *stats,
                        CycCounterChooser **out_chooser)
{
  GtkWidget *chooser = cyc_counter_chooser_new ();
  GtkWindow *dialog = GTK_WINDOW (gtk_window_new ());
  GtkEventController *keys = gtk_shortcut_controller_new ();

  set_counters (CYC_COUNTER_CHOOSER (chooser), stats);
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys),
                                        gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0),
                                                          gtk_callback_action_new (escape_cb, NULL, NULL)));
  gtk_widget_add_controller (chooser, keys);
  gtk_window_set_title (dialog, title);
  gtk_window_set_default_size (dialog, WIDTH, HEIGHT);
  gtk_window_set_transient_for (dialog, GTK_WINDOW (gtk_widget_get_root (parent)));
  gtk_window_set_destroy_with_parent (dialog, TRUE);
  gtk_window_set_child (dialog, chooser);
  *out_chooser = CYC_COUNTER_CHOOSER (chooser);
  return dialog;
}
