/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-application-private.h"

#include <glib-unix.h>
#include <glib/gi18n.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "app/cyc-actions.h"
#include "app/cyc-app-resource-private.h"
#include "app/cyc-labels.h"
#include "app/cyc-recent.h"
#include "app/cyc-secrets.h"
#include "app/cyc-state.h"
#include "core/base/cyc-paths.h"
#include "engine/cyc-connections.h"
#include "engine/cyc-local-workspace.h"
#include "engine/cyc-workspace-open.h"

#define RESOURCE_PATH "/org/cyclescope/Cyclescope"
#define ID_SUFFIX_CHARS 16

/* The program. There is one process for each workspace: the application's name on the bus has a suffix for
 * every workspace but the default one, so that a second start raises the first. The process stays while local
 * simulations go on, with or without a window, because its engine takes their reports and starts those that
 * wait; and it ends by itself after them. */
G_DEFINE_FINAL_TYPE (CycApplication, cyc_application, GTK_TYPE_APPLICATION)

static char *
get_default_folder (void)
{
  return g_build_filename (g_get_user_data_dir (), "cyclescope", NULL);
}

static char *
get_real_path (const char *path)
{
  char *real = realpath (path, NULL);
  char *copy = real != NULL ? g_strdup (real) : g_canonicalize_filename (path, NULL);

  free (real);
  return copy;
}

/**
 * cyc_application_id_for:
 * @workspace: folder of a workspace
 *
 * Returns: (transfer full): the id of the application that shows it
 */
char *
cyc_application_id_for (const char *workspace)
{
  g_return_val_if_fail (workspace != NULL, NULL);

  g_autofree char *usual = get_default_folder ();
  g_autofree char *usual_path = get_real_path (usual);
  g_autofree char *path = get_real_path (workspace);
  if (strcmp (path, usual_path) == 0)
    return g_strdup (CYC_APP_ID);
  g_autofree char *hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, path, -1);
  return g_strdup_printf ("%s.w%.*s", CYC_APP_ID, ID_SUFFIX_CHARS, hash);
}

/* What it shows: the folder of a workspace, or the address of an engine. */
const char *
_cyc_application_get_place (CycApplication *self)
{
  return self->access != NULL ? self->access->url : self->folder;
}

static gboolean
has_windows (CycApplication *self)
{
  for (GList *l = gtk_application_get_windows (GTK_APPLICATION (self)); l != NULL; l = l->next)
    if (CYC_IS_WINDOW (l->data))
      return TRUE;
  return FALSE;
}

static CycWindow *
get_window (CycApplication *self)
{
  for (GList *l = gtk_application_get_windows (GTK_APPLICATION (self)); l != NULL; l = l->next)
    if (CYC_IS_WINDOW (l->data))
      return l->data;
  return NULL;
}

/* Runs */

static void
show_ended_run (gpointer user_data)
{
  const char *id = user_data;

  g_action_group_activate_action (G_ACTION_GROUP (g_application_get_default ()), "show-run",
                                  g_variant_new_string (id));
}

/* A cancelled run is no news. In front, a message of the window is enough. */
static void
ended_cb (CycRunWatch *watch,
          CycRun      *run,
          gpointer     user_data)
{
  CycApplication *self = user_data;
  const CycRunRecord *record = cyc_run_get_record (run);
  GtkWindow *active = gtk_application_get_active_window (GTK_APPLICATION (self));

  if (cyc_run_record_get_state (record) == CYC_RUN_CANCELLED || record->sample)
    return;
  if (active == NULL || !gtk_window_is_active (active) || get_window (self) == NULL)
    {
      _cyc_application_notify_end (self, record);
      return;
    }
  g_autofree char *counts = cyc_labels_dup_end (record);
  g_autofree char *text = g_strdup_printf (_("The run of %s has ended: %s."), record->trace_id, counts);
  cyc_window_tell (get_window (self), text, _("Show"), show_ended_run, g_strdup (record->id), g_free);
}

static void
local_changed_cb (CycApplication *self)
{
  guint n = self->workspace == NULL ? 0 : cyc_workspace_get_n_local (self->workspace);

  if (n > 0 && self->inhibited == 0)
    self->inhibited = gtk_application_inhibit (GTK_APPLICATION (self), NULL, GTK_APPLICATION_INHIBIT_SUSPEND,
                                               _("Simulations are running"));
  else if (n == 0 && self->inhibited != 0)
    {
      gtk_application_uninhibit (GTK_APPLICATION (self), self->inhibited);
      self->inhibited = 0;
    }
  if (n == 0 && !has_windows (self))
    _cyc_application_close_later (self);
}

/* The workspace */

static void
forget_workspace (CycApplication *self)
{
  if (self->watch != NULL)
    g_signal_handlers_disconnect_by_data (self->watch, self);
  g_clear_object (&self->watch);
  if (self->workspace != NULL)
    g_signal_handlers_disconnect_by_data (self->workspace, self);
  g_clear_object (&self->workspace);
  if (self->inhibited != 0)
    gtk_application_uninhibit (GTK_APPLICATION (self), self->inhibited);
  self->inhibited = 0;
}

static void adopt_workspace (CycApplication *self,
                             CycWorkspace   *workspace);

/* Shows another workspace, or the same one opened in another way, in all windows. */
static void
replace_workspace (CycApplication *self,
                   CycWorkspace   *workspace)
{
  forget_workspace (self);
  adopt_workspace (self, workspace);
  for (GList *l = gtk_application_get_windows (GTK_APPLICATION (self)); l != NULL; l = l->next)
    if (CYC_IS_WINDOW (l->data))
      cyc_window_set_workspace (l->data, self->workspace);
}

/* A workspace that another process owns is reached through that one's engine; when that has ended, it is opened
 * here. */
static void
state_cb (CycApplication *self)
{
  g_autoptr (CycWorkspace) workspace = g_object_ref (self->workspace);
  CycWorkspaceState state = cyc_workspace_get_state (workspace);

  if (state == CYC_WORKSPACE_OPEN && self->access == NULL)
    cyc_recent_add_workspace (self->folder);
  CycWorkspace *next = state != CYC_WORKSPACE_CLOSED || self->closing ? NULL : cyc_workspace_open_successor (workspace);
  if (next != NULL)
    replace_workspace (self, next);
}

static void
open_workspace (CycApplication *self)
{
  if (self->workspace != NULL)
    return;
  adopt_workspace (self, self->access != NULL ? cyc_remote_workspace_new (self->access)
                                              : cyc_local_workspace_new (self->folder, NULL));
}

static void
adopt_workspace (CycApplication *self,
                 CycWorkspace   *workspace)
{
  self->workspace = workspace;
  self->watch = cyc_run_watch_new (self->workspace);
  g_signal_connect (self->watch, "ended", G_CALLBACK (ended_cb), self);
  g_signal_connect_swapped (self->watch, "local-changed", G_CALLBACK (local_changed_cb), self);
  g_signal_connect_swapped (self->workspace, "notify::state", G_CALLBACK (state_cb), self);
  if (!self->held)
    g_application_hold (G_APPLICATION (self));
  self->held = TRUE;
}

static void
closed_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr (CycApplication) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!cyc_workspace_finish (CYC_WORKSPACE (source), result, &error))
    g_warning ("the workspace was not closed well: %s", error->message);
  self->closing = FALSE;
  self->quitting = FALSE;
  forget_workspace (self);
  if (self->wanted)
    {
      self->wanted = FALSE;
      _cyc_application_present (self);
      return;
    }
  if (self->held)
    g_application_release (G_APPLICATION (self));
  self->held = FALSE;
}

static gboolean
close_cb (gpointer user_data)
{
  CycApplication *self = user_data;

  self->close_source = 0;
  /* A window stays when it has to ask something. */
  if (has_windows (self))
    self->quitting = FALSE;
  if (self->workspace == NULL || self->closing || has_windows (self))
    return G_SOURCE_REMOVE;
  self->closing = TRUE;
  cyc_workspace_close_async (self->workspace, NULL, closed_cb, g_object_ref (self));
  return G_SOURCE_REMOVE;
}

/* Closes the workspace, after which the process ends unless somebody asks for a window meanwhile. Not at once:
 * a window that goes has things to finish, such as what its messages offered to undo. */
void
_cyc_application_close_later (CycApplication *self)
{
  if (self->close_source == 0)
    self->close_source = g_idle_add (close_cb, self);
}

/* Opens the workspace once more, after it failed, in the windows that show it. */
void
_cyc_application_retry (CycApplication *self)
{
  if (self->closing || self->workspace == NULL
      || cyc_workspace_get_state (self->workspace) != CYC_WORKSPACE_CLOSED)
    return;
  replace_workspace (self, self->access != NULL ? cyc_remote_workspace_new (self->access)
                                                : cyc_local_workspace_new (self->folder, NULL));
}

/* Windows */

/* Opens another window. NULL while the workspace is being closed: then it comes after that. */
CycWindow *
_cyc_application_add_window (CycApplication *self)
{
  if (self->closing)
    {
      self->wanted = TRUE;
      return NULL;
    }
  open_workspace (self);
  GtkWidget *window = cyc_window_new (GTK_APPLICATION (self), self->workspace);
  gtk_window_present (GTK_WINDOW (window));
  _cyc_application_withdraw_background (self);
  return CYC_WINDOW (window);
}

/* Raises the window used last, or opens the first. */
CycWindow *
_cyc_application_present (CycApplication *self)
{
  CycWindow *window = get_window (self);

  if (window == NULL)
    return _cyc_application_add_window (self);
  gtk_window_present (GTK_WINDOW (window));
  return window;
}

static void
cyc_application_window_removed (GtkApplication *application,
                                GtkWindow      *window)
{
  CycApplication *self = CYC_APPLICATION (application);

  GTK_APPLICATION_CLASS (cyc_application_parent_class)->window_removed (application, window);
  if (has_windows (self) || self->workspace == NULL || self->closing)
    return;
  guint n = cyc_workspace_get_n_local (self->workspace);
  if (n > 0 && cyc_workspace_get_state (self->workspace) == CYC_WORKSPACE_OPEN)
    _cyc_application_notify_background (self, n);
  if (n == 0 || self->quitting)
    _cyc_application_close_later (self);
}

/* GApplication */

static gboolean
terminate_cb (gpointer user_data)
{
  g_action_group_activate_action (G_ACTION_GROUP (user_data), "quit", NULL);
  return G_SOURCE_CONTINUE;
}

static void
load_style (void)
{
  g_autoptr (GtkCssProvider) provider = gtk_css_provider_new ();

  gtk_css_provider_load_from_resource (provider, RESOURCE_PATH "/style.css");
  gtk_style_context_add_provider_for_display (gdk_display_get_default (), GTK_STYLE_PROVIDER (provider),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
}

static void
cyc_application_startup (GApplication *application)
{
  CycApplication *self = CYC_APPLICATION (application);

  G_APPLICATION_CLASS (cyc_application_parent_class)->startup (application);
  cyc_app_register_resource ();
  load_style ();
  gtk_window_set_default_icon_name (CYC_APP_ID);
  cyc_actions_install (GTK_APPLICATION (application));
  self->theme = cyc_theme_new ();
  self->signals[0] = g_unix_signal_add (SIGTERM, terminate_cb, self);
  self->signals[1] = g_unix_signal_add (SIGINT, terminate_cb, self);
}

static void
cyc_application_activate (GApplication *application)
{
  _cyc_application_present (CYC_APPLICATION (application));
}

static void
cyc_application_open (GApplication  *application,
                      GFile        **files,
                      int            n_files,
                      const char    *hint)
{
  CycWindow *window = _cyc_application_present (CYC_APPLICATION (application));

  if (window != NULL)
    cyc_window_open (window, files, (guint) n_files);
}

/* Another machine's engine, by --url: what is not said is what was remembered of it. */
static gboolean
read_access (CycApplication *self,
             GVariantDict   *options)
{
  g_autoptr (CycRemoteAccess) access = cyc_remote_access_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *url = NULL;

  if (!g_variant_dict_lookup (options, "url", "s", &url))
    return TRUE;
  g_variant_dict_lookup (options, "token-file", "^ay", &access->token_file);
  g_variant_dict_lookup (options, "tls-ca", "^ay", &access->tls_ca);
  access->url = cyc_remote_url_normalize (url, &error);
  if (access->url != NULL)
    {
      cyc_connections_complete (access);
      if (access->token_file == NULL && access->token == NULL)
        access->token = cyc_secrets_lookup (access->url);
      if (access->token_file == NULL && access->token == NULL)
        g_set_error (&error, G_IO_ERROR, G_IO_ERROR_FAILED,
                     _("no token is remembered for %s; connect to it in the window's menu, or give --token-file"),
                     access->url);
    }
  if (error != NULL)
    {
      g_printerr ("cyclescope: %s\n", error->message);
      return FALSE;
    }
  self->access = g_steal_pointer (&access);
  return TRUE;
}

/* A run to begin with: in the process that has the workspace already, or in this one. */
static int
show_named_run (GApplication *application,
                GVariantDict *options)
{
  g_autofree char *run = NULL;
  g_autoptr (GError) error = NULL;

  if (!g_variant_dict_lookup (options, "show-run", "s", &run))
    return -1;
  if (!g_application_register (application, NULL, &error))
    {
      g_printerr ("cyclescope: %s\n", error->message);
      return 1;
    }
  g_action_group_activate_action (G_ACTION_GROUP (application), "show-run", g_variant_new_string (run));
  return g_application_get_is_remote (application) ? 0 : -1;
}

static int
cyc_application_handle_local_options (GApplication *application,
                                      GVariantDict *options)
{
  CycApplication *self = CYC_APPLICATION (application);
  g_autofree char *named = NULL;

  if (g_variant_dict_contains (options, "version"))
    {
      g_print ("cyclescope %s\n", CYC_VERSION);
      return 0;
    }
  if (!read_access (self, options))
    return 1;
  g_variant_dict_lookup (options, "workspace", "^ay", &named);
  g_free (self->folder);
  self->folder = named != NULL ? g_canonicalize_filename (named, NULL) : cyc_paths_get_workspace ();
  g_autofree char *id = cyc_application_id_for (_cyc_application_get_place (self));
  g_application_set_application_id (application, id);
  return show_named_run (application, options);
}

static void
cyc_application_shutdown (GApplication *application)
{
  CycApplication *self = CYC_APPLICATION (application);

  for (guint i = 0; i < G_N_ELEMENTS (self->signals); i++)
    g_clear_handle_id (&self->signals[i], g_source_remove);
  g_clear_handle_id (&self->close_source, g_source_remove);
  forget_workspace (self);
  g_clear_object (&self->notifier);
  g_clear_pointer (&self->theme, cyc_theme_free);
  G_APPLICATION_CLASS (cyc_application_parent_class)->shutdown (application);
}

static void
cyc_application_finalize (GObject *object)
{
  g_free (CYC_APPLICATION (object)->folder);
  cyc_remote_access_free (CYC_APPLICATION (object)->access);
  G_OBJECT_CLASS (cyc_application_parent_class)->finalize (object);
}

static void
cyc_application_class_init (CycApplicationClass *klass)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = cyc_application_finalize;
  application_class->startup = cyc_application_startup;
  application_class->activate = cyc_application_activate;
  application_class->open = cyc_application_open;
  application_class->handle_local_options = cyc_application_handle_local_options;
  application_class->shutdown = cyc_application_shutdown;
  GTK_APPLICATION_CLASS (klass)->window_removed = cyc_application_window_removed;
}

static void
cyc_application_init (CycApplication *self)
{
  static const GOptionEntry options[] = {
    { "workspace", 'w', 0, G_OPTION_ARG_FILENAME, NULL, N_("Folder of the workspace to show"), N_("DIR") },
    { "url", 0, 0, G_OPTION_ARG_STRING, NULL, N_("Address of an engine on another machine, instead of a folder"),
      N_("URL") },
    { "token-file", 0, 0, G_OPTION_ARG_FILENAME, NULL, N_("File with that engine’s token"), N_("FILE") },
    { "tls-ca", 0, 0, G_OPTION_ARG_FILENAME, NULL, N_("File with the certificates that its own is checked against"),
      N_("FILE") },
    { "show-run", 0, 0, G_OPTION_ARG_STRING, NULL, N_("Run of the workspace to begin with"), N_("RUN") },
    { "version", 0, 0, G_OPTION_ARG_NONE, NULL, N_("Show the version and exit"), NULL },
    { NULL },
  };

  self->folder = cyc_paths_get_workspace ();
  g_application_add_main_option_entries (G_APPLICATION (self), options);
  g_application_set_option_context_parameter_string (G_APPLICATION (self), _("[PATH…]"));
  g_application_set_option_context_summary (G_APPLICATION (self),
                                            _("Simulates accelerators from traces. A PATH is a trace's folder or "
                                              "archive, which is shown before it is imported, or a document, which "
                                              "is opened: Chrome trace JSON, a profile buffer (NAME.bin), or a "
                                              "workload and its mapping (NAME.yaml)."));
  _cyc_application_add_actions (self);
}

/**
 * cyc_application_new:
 *
 * Returns: (transfer full): the application, for the workspace of `--workspace`, of
 *   `$CYCLESCOPE_WORKSPACE`, or the user's own
 */
CycApplication *
cyc_application_new (void)
{
  return g_object_new (CYC_TYPE_APPLICATION,
                       "application-id", CYC_APP_ID,
                       "resource-base-path", RESOURCE_PATH,
                       "flags", G_APPLICATION_HANDLES_OPEN,
                       NULL);
}

/**
 * cyc_application_get_workspace:
 * @self: the application
 *
 * Returns: (transfer none) (nullable): its workspace, while there is a window or a simulation goes on
 */
CycWorkspace *
cyc_application_get_workspace (CycApplication *self)
{
  g_return_val_if_fail (CYC_IS_APPLICATION (self), NULL);

  return self->workspace;
}
