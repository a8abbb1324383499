/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/cyc-ctl-remote.h"

#include <glib/gi18n.h>

#include "core/base/cyc-error.h"
#include "engine/cyc-connections.h"
#include "engine/cyc-remote-workspace.h"

/* An engine that --url names. */

/**
 * cyc_ctl_remote_is_given:
 * @app: the running program
 *
 * Returns: whether the workspace is that of an engine elsewhere
 */
gboolean
cyc_ctl_remote_is_given (CycCtlApp *app)
{
  return cyc_ctl_args_has (cyc_ctl_app_get_args (app), "url");
}

/**
 * cyc_ctl_remote_get_access:
 * @app: the running program, with `--url`
 * @error: return location for an error
 *
 * Returns: (transfer full) (nullable): how to reach the engine, with its token and, if the user has connected to it
 *   before, the workspace that it must be
 */
CycRemoteAccess *
cyc_ctl_remote_get_access (CycCtlApp  *app,
                           GError    **error)
{
  CycCtlArgs *args = cyc_ctl_app_get_args (app);
  g_autoptr (CycRemoteAccess) access = cyc_remote_access_new ();

  if (!cyc_ctl_args_has (args, "token-file"))
    {
      g_set_error (error, CYC_CTL_USAGE_ERROR, 0, _("option %s is missing"), "--token-file=FILE");
      return NULL;
    }
  access->url = cyc_remote_url_normalize (cyc_ctl_args_get (args, "url"), error);
  if (access->url == NULL)
    return NULL;
  access->token_file = g_strdup (cyc_ctl_args_get (args, "token-file"));
  access->tls_ca = g_strdup (cyc_ctl_args_get (args, "tls-ca"));
  cyc_connections_complete (access);
  return cyc_remote_access_refresh (access, error) ? g_steal_pointer (&access) : NULL;
}

static void
answered_cb (GObject      *source,
             GAsyncResult *result,
             gpointer      user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static GAsyncResult *
wait_for (GAsyncResult **result)
{
  while (*result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return *result;
}

/* Until the engine has answered. */
static gboolean
connect (CycWorkspace  *workspace,
         GCancellable  *cancellable,
         GError       **error)
{
  const char *trouble = NULL;

  while (cyc_workspace_get_state (workspace) == CYC_WORKSPACE_OPENING && trouble == NULL)
    {
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      g_main_context_iteration (NULL, TRUE);
      if (cyc_workspace_get_connection (workspace) == CYC_CONNECTION_LOST)
        trouble = cyc_workspace_get_trouble (workspace);
    }
  if (cyc_workspace_get_state (workspace) == CYC_WORKSPACE_OPEN)
    return TRUE;
  cyc_error_set_at (error, CYC_ERROR_UNAVAILABLE, NULL, 0, "%s",
                    trouble != NULL ? trouble : cyc_workspace_get_error (workspace));
  return FALSE;
}

/**
 * cyc_ctl_remote_upload:
 * @app: the running program, with `--url`
 * @path: a folder or an archive
 * @id: the trace that it becomes
 * @progress: (nullable): told how much the engine has
 * @user_data: for @progress
 * @cancellable: takes the upload back
 * @error: return location for an error
 *
 * Uploads a trace and waits until the engine has looked through it. A broken connection is made again.
 *
 * Returns: (transfer full) (nullable): what is worth telling about it
 */
CycFindings *
cyc_ctl_remote_upload (CycCtlApp     *app,
                       const char    *path,
                       const char    *id,
                       void         (*progress) (const CycImportProgress *now,
                                                 gpointer                 user_data),
                       gpointer       user_data,
                       GCancellable  *cancellable,
                       GError       **error)
{
  g_autoptr (CycRemoteAccess) access = cyc_ctl_remote_get_access (app, error);
  g_autoptr (GAsyncResult) imported = NULL;
  g_autoptr (GAsyncResult) closed = NULL;
  CycFindings *findings = NULL;

  if (access == NULL)
    return NULL;
  g_autoptr (CycWorkspace) workspace = cyc_remote_workspace_new (access);
  const CycImportRequest request = {
    .path = path,
    .trace_id = id,
    .mode = CYC_IMPORT_COPY,
    .progress = progress,
    .progress_data = user_data,
  };
  if (connect (workspace, cancellable, error))
    {
      cyc_workspace_import_async (workspace, &request, cancellable, answered_cb, &imported);
      findings = cyc_workspace_import_finish (workspace, wait_for (&imported), error);
    }
  cyc_workspace_close_async (workspace, NULL, answered_cb, &closed);
  cyc_workspace_finish (workspace, wait_for (&closed), NULL);
  return findings;
}
