/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <gtk/gtk.h>

/* drag-source FILE...: a window, "drag-source", from anywhere in which the files can be dragged, as from a file
 * manager. Runs until it is killed. */

static GdkContentProvider *
prepare_cb (GtkDragSource *source,
            double         x,
            double         y,
            gpointer       files)
{
  return gdk_content_provider_new_typed (GDK_TYPE_FILE_LIST, files);
}

int
main (int    argc,
      char **argv)
{
  GSList *files = NULL;

  gtk_init ();
  for (int i = argc - 1; i > 0; i--)
    files = g_slist_prepend (files, g_file_new_for_path (argv[i]));
  GtkWidget *window = gtk_window_new ();
  GtkDragSource *source = gtk_drag_source_new ();
  gtk_window_set_title (GTK_WINDOW (window), "drag-source");
  gtk_window_set_default_size (GTK_WINDOW (window), 150, 80);
  gtk_window_set_decorated (GTK_WINDOW (window), FALSE);
  gtk_drag_source_set_actions (source, GDK_ACTION_COPY);
  g_signal_connect (source, "prepare", G_CALLBACK (prepare_cb), gdk_file_list_new_from_list (files));
  gtk_widget_add_controller (window, GTK_EVENT_CONTROLLER (source));
  gtk_window_present (GTK_WINDOW (window));
  for (;;)
    g_main_context_iteration (NULL, TRUE);
}
