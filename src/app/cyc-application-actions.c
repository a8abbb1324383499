/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-application-private.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/cyc-connect-dialog.h"
#include "app/cyc-file-dialog.h"
#include "app/cyc-preferences.h"

/* The `app.` actions. Those of notifications work in a process that the click has just started. */

static void
quit_cb (GSimpleAction *action,
         GVariant      *parameter,
         gpointer       user_data)
{
  CycApplication *self = user_data;
  g_autoptr (GPtrArray) windows = g_ptr_array_new_with_free_func (g_object_unref);

  /* Dialogs go with their windows. */
  for (GList *l = gtk_application_get_windows (GTK_APPLICATION (self)); l != NULL; l = l->next)
    if (CYC_IS_WINDOW (l->data))
      g_ptr_array_add (windows, g_object_ref (l->data));
  self->quitting = TRUE;
  for (guint i = 0; i < windows->len; i++)
    gtk_window_close (g_ptr_array_index (windows, i));
  _cyc_application_close_later (self);
}

static void
new_window_cb (GSimpleAction *action,
               GVariant      *parameter,
               gpointer       user_data)
{
  _cyc_application_add_window (user_data);
}

static void
retry_cb (GSimpleAction *action,
          GVariant      *parameter,
          gpointer       user_data)
{
  _cyc_application_retry (user_data);
}

static void
show_run_cb (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       user_data)
{
  CycWindow *window = _cyc_application_present (user_data);

  if (window != NULL)
    cyc_window_show_page (window, "run", g_variant_get_string (parameter, NULL));
}

/* A workspace has a process of its own, which raises its window if it has one already. @run: to begin with, or NULL */
static void
start_for (CycApplication *self,
           const char     *option,
           const char     *folder,
           const char     *run)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autoptr (GError) error = NULL;
  const char *argv[] = { program, option, folder, run != NULL ? "--show-run" : NULL, run, NULL };

  if (program != NULL && g_spawn_async (NULL, (char **) argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL, &error))
    return;
  if (error == NULL)
    g_set_error (&error, G_IO_ERROR, G_IO_ERROR_FAILED, "/proc/self/exe");
  CycWindow *window = _cyc_application_present (self);
  if (window != NULL)
    cyc_window_tell_error (window, _("The workspace was not opened"), error);
}

/* Shows a run of this workspace or another: a notification can come from a process that has ended. */
void
_cyc_application_show_run_of (CycApplication *self,
                              const char     *place,
                              const char     *run)
{
  g_autofree char *id = cyc_application_id_for (place);

  if (strcmp (id, g_application_get_application_id (G_APPLICATION (self))) == 0)
    g_action_group_activate_action (G_ACTION_GROUP (self), "show-run", g_variant_new_string (run));
  else
    start_for (self, strstr (place, "://") != NULL ? "--url" : "--workspace", place, run);
}

static void
show_run_of_cb (GSimpleAction *action,
                GVariant      *parameter,
                gpointer       user_data)
{
  const char *place;
  const char *run;

  g_variant_get (parameter, "(&s&s)", &place, &run);
  _cyc_application_show_run_of (user_data, place, run);
}

static void
open_folder (CycApplication *self,
             const char     *folder)
{
  g_autofree char *id = cyc_application_id_for (folder);

  if (strcmp (id, g_application_get_application_id (G_APPLICATION (self))) == 0)
    _cyc_application_present (self);
  else
    start_for (self, "--workspace", folder, NULL);
}

static void
chosen_cb (GListModel *files,
           gpointer    owner)
{
  g_autofree char *path = cyc_file_dialog_dup_path (files);

  if (path != NULL)
    open_folder (owner, path);
}

static void
open_workspace_cb (GSimpleAction *action,
                   GVariant      *parameter,
                   gpointer       user_data)
{
  CycApplication *self = user_data;
  const char *folder = g_variant_get_string (parameter, NULL);

  if (folder[0] != '\0')
    {
      open_folder (self, folder);
      return;
    }
  CycWindow *window = _cyc_application_present (self);
  if (window != NULL)
    cyc_file_dialog_open_folder (GTK_WINDOW (window), _("Open a Workspace"), _("_Open"), chosen_cb, self);
}

static void
connected_cb (CycConnectDialog *dialog,
              const char       *url,
              CycApplication   *self)
{
  /* The token is remembered; it is in no command line. */
  start_for (self, "--url", url, NULL);
}

static void
connect_cb (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       user_data)
{
  CycApplication *self = user_data;
  CycWindow *window = _cyc_application_present (self);

  if (window == NULL || self->workspace == NULL)
    return;
  GtkWidget *dialog = cyc_connect_dialog_new (GTK_WINDOW (window), self->workspace);
  g_signal_connect_object (dialog, "connected", G_CALLBACK (connected_cb), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
settings_saved_cb (CycPreferences *preferences,
                   gpointer        user_data)
{
  CycApplication *self = user_data;

  for (GList *l = gtk_application_get_windows (GTK_APPLICATION (self)); l != NULL; l = l->next)
    if (CYC_IS_WINDOW (l->data))
      cyc_window_reload_configs (l->data);
}

static void
preferences_cb (GSimpleAction *action,
                GVariant      *parameter,
                gpointer       user_data)
{
  CycApplication *self = user_data;
  CycWindow *window = _cyc_application_present (self);

  if (window == NULL || self->workspace == NULL
      || cyc_workspace_get_state (self->workspace) != CYC_WORKSPACE_OPEN)
    return;
  GtkWidget *preferences = cyc_preferences_new (GTK_WINDOW (window), self->workspace);
  g_signal_connect_object (preferences, "saved", G_CALLBACK (settings_saved_cb), self, 0);
  gtk_window_present (GTK_WINDOW (preferences));
}

static void
about_cb (GSimpleAction *action,
          GVariant      *parameter,
          gpointer       user_data)
{
  static const char *const authors[] = { "The Cyclescope authors", NULL };
  GtkWindow *window = gtk_application_get_active_window (user_data);

  gtk_show_about_dialog (window,
                         "program-name", "Cyclescope",
                         "logo-icon-name", CYC_APP_ID,
                         "version", CYC_VERSION,
                         "comments", _("Simulate accelerators from traces"),
                         "license-type", GTK_LICENSE_MIT_X11,
                         "authors", authors,
                         /* Translators: your names, one a line, which the about window shows. */
                         "translator-credits", strcmp (_("translator-credits"), "translator-credits") == 0
                                                 ? NULL : _("translator-credits"),
                         NULL);
}

/* Adds all `app.` actions. */
void
_cyc_application_add_actions (CycApplication *self)
{
  static const GActionEntry entries[] = {
    { .name = "quit", .activate = quit_cb },
    { .name = "new-window", .activate = new_window_cb },
    { .name = "retry", .activate = retry_cb },
    { .name = "show-run", .activate = show_run_cb, .parameter_type = "s" },
    { .name = "show-run-of", .activate = show_run_of_cb, .parameter_type = "(ss)" },
    { .name = "open-workspace", .activate = open_workspace_cb, .parameter_type = "s" },
    { .name = "connect-to", .activate = connect_cb },
    { .name = "preferences", .activate = preferences_cb },
    { .name = "about", .activate = about_cb },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
