/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-window-private.h"

#include <glib/gi18n.h>

#include "app/cyc-actions.h"
#include "app/cyc-file-dialog.h"

/* The actions of a window, and what is dropped on it. */

static const char *const archive_patterns[] = {
  "*.tar", "*.tar.gz", "*.tgz", "*.tar.xz", "*.txz", "*.tar.bz2", "*.tar.zst", "*.zip", NULL,
};

static void
show_page_cb (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       user_data)
{
  const CycPageKind *kind = g_object_get_data (G_OBJECT (action), "kind");

  cyc_window_show_page (user_data, kind->name,
                        parameter != NULL ? g_variant_get_string (parameter, NULL) : NULL);
}

static void
back_cb (GSimpleAction *action,
         GVariant      *parameter,
         gpointer       user_data)
{
  cyc_window_go_back (user_data);
}

static void
close_cb (GSimpleAction *action,
          GVariant      *parameter,
          gpointer       user_data)
{
  if (!_cyc_window_close_document (user_data))
    gtk_window_close (user_data);
}

static void
reconnect_cb (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       user_data)
{
  CycWindow *self = user_data;

  cyc_workspace_reconnect (self->workspace);
}

static void
menu_cb (GSimpleAction *action,
         GVariant      *parameter,
         gpointer       user_data)
{
  CycWindow *self = user_data;

  gtk_menu_button_popup (GTK_MENU_BUTTON (self->menu_button));
}

static void
help_cb (GSimpleAction *action,
         GVariant      *parameter,
         gpointer       user_data)
{
  GtkWidget *overlay = cyc_actions_create_overlay ();

  gtk_window_set_transient_for (GTK_WINDOW (overlay), user_data);
  gtk_window_present (GTK_WINDOW (overlay));
}

static gboolean
is_archive (GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);
  g_autofree char *lower = g_ascii_strdown (name, -1);

  for (guint i = 0; archive_patterns[i] != NULL; i++)
    if (g_pattern_match_simple (archive_patterns[i], lower))
      return TRUE;
  return FALSE;
}

/* Whether a file is a folder or an archive: what an import is made of. */
gboolean
_cyc_window_is_source (GFile *file)
{
  return is_archive (file)
         || g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, NULL) == G_FILE_TYPE_DIRECTORY;
}

/* Loose files stand for the folder they lie in, once; folders and archives for themselves. */
static void
add_source (GPtrArray *sources,
            GFile     *file)
{
  g_autoptr (GFile) parent = g_file_get_parent (file);
  GFile *meant = parent == NULL || _cyc_window_is_source (file) ? file : parent;

  for (guint i = 0; i < sources->len; i++)
    if (g_file_equal (g_ptr_array_index (sources, i), meant))
      return;
  g_ptr_array_add (sources, g_object_ref (meant));
}

static void
import_source (CycWindow *self,
               GFile     *file)
{
  g_autofree char *path = g_file_get_path (file);

  if (path != NULL)
    {
      cyc_window_show_page (self, "import", path);
      return;
    }
  g_autofree char *uri = g_file_get_uri (file);
  g_autofree char *text = g_strdup_printf (_("%s is not on this machine. Copy it here first."), uri);
  cyc_window_tell (self, text, NULL, NULL, NULL, NULL);
}

/* Shows what an import of folders, archives and files of traces would bring. */
void
_cyc_window_import_files (CycWindow *self,
                          GPtrArray *files)
{
  g_autoptr (GPtrArray) sources = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < files->len; i++)
    add_source (sources, g_ptr_array_index (files, i));
  for (guint i = 0; i < sources->len; i++)
    import_source (self, g_ptr_array_index (sources, i));
}

static void
chosen_cb (GListModel *files,
           gpointer    owner)
{
  g_autoptr (GPtrArray) array = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < g_list_model_get_n_items (files); i++)
    g_ptr_array_add (array, g_list_model_get_item (files, i));
  _cyc_window_import_files (owner, array);
}

static void
import_folder_cb (GSimpleAction *action,
                  GVariant      *parameter,
                  gpointer       user_data)
{
  cyc_file_dialog_open_folder (user_data, _("Import a Trace Folder"), _("_Import"), chosen_cb, user_data);
}

static void
import_archive_cb (GSimpleAction *action,
                   GVariant      *parameter,
                   gpointer       user_data)
{
  g_autoptr (GtkFileFilter) archives = cyc_file_dialog_create_filter (_("Archives"), archive_patterns);

  cyc_file_dialog_open_files (user_data, _("Import an Archive"), _("_Import"), archives, chosen_cb, user_data);
}

static void
add_page_action (CycWindow         *self,
                 const CycPageKind *kind)
{
  g_autoptr (GSimpleAction) action =
    g_simple_action_new (kind->action, kind->title != NULL ? NULL : G_VARIANT_TYPE_STRING);

  g_object_set_data (G_OBJECT (action), "kind", (gpointer) kind);
  g_signal_connect (action, "activate", G_CALLBACK (show_page_cb), self);
  g_action_map_add_action (G_ACTION_MAP (self), G_ACTION (action));
}

/* Adds all `win.` actions: those of the table of pages and the window's own. */
void
_cyc_window_add_actions (CycWindow *self)
{
  static const GActionEntry entries[] = {
    { .name = "back", .activate = back_cb },
    { .name = "close", .activate = close_cb },
    { .name = "menu", .activate = menu_cb },
    { .name = "show-help-overlay", .activate = help_cb },
    { .name = "reconnect", .activate = reconnect_cb },
    { .name = "import-folder", .activate = import_folder_cb },
    { .name = "import-archive", .activate = import_archive_cb },
  };
  g_autoptr (GPropertyAction) sidebar =
    g_property_action_new ("show-sidebar", self->split, "show-sidebar");
  guint n;
  const CycPageKind *kinds = cyc_page_table_get (&n);

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  _cyc_window_add_document_actions (self);
  g_action_map_add_action (G_ACTION_MAP (self), G_ACTION (sidebar));
  for (guint i = 0; i < n; i++)
    add_page_action (self, &kinds[i]);
}

static gboolean
can_import (CycWindow *self)
{
  return g_action_group_get_action_enabled (G_ACTION_GROUP (self), "import-folder");
}

static gboolean
drop_cb (GtkDropTarget *target,
         const GValue  *value,
         double         x,
         double         y,
         gpointer       user_data)
{
  CycWindow *self = user_data;
  g_autoptr (GSList) files = gdk_file_list_get_files (g_value_get_boxed (value));
  g_autoptr (GPtrArray) array = g_ptr_array_new ();

  gtk_widget_set_visible (self->drop_hint, FALSE);
  if (!can_import (self) || files == NULL)
    return FALSE;
  for (GSList *l = files; l != NULL; l = l->next)
    g_ptr_array_add (array, l->data);
  cyc_window_open (self, (GFile **) array->pdata, array->len);
  return TRUE;
}

static GdkDragAction
enter_cb (GtkDropTarget *target,
          double         x,
          double         y,
          gpointer       user_data)
{
  CycWindow *self = user_data;

  if (!can_import (self))
    return 0;
  gtk_widget_set_visible (self->drop_hint, TRUE);
  return GDK_ACTION_COPY;
}

static void
leave_cb (GtkDropTarget *target,
          gpointer       user_data)
{
  CycWindow *self = user_data;

  gtk_widget_set_visible (self->drop_hint, FALSE);
}

/* Takes folders, archives and files that are dropped anywhere on @overlay, and says so meanwhile. */
void
_cyc_window_add_drop (CycWindow  *self,
                      GtkOverlay *overlay)
{
  GtkDropTarget *target = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  self->drop_hint = gtk_label_new (_("Drop files to open them, folders or archives to import them"));
  gtk_label_set_wrap (GTK_LABEL (self->drop_hint), TRUE);
  gtk_label_set_justify (GTK_LABEL (self->drop_hint), GTK_JUSTIFY_CENTER);
  gtk_widget_add_css_class (self->drop_hint, "drop-hint");
  gtk_widget_set_visible (self->drop_hint, FALSE);
  gtk_widget_set_can_target (self->drop_hint, FALSE);
  gtk_overlay_add_overlay (overlay, self->drop_hint);
  g_signal_connect (target, "drop", G_CALLBACK (drop_cb), self);
  g_signal_connect (target, "enter", G_CALLBACK (enter_cb), self);
  g_signal_connect (target, "leave", G_CALLBACK (leave_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (overlay), GTK_EVENT_CONTROLLER (target));
}
