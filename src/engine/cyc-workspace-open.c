/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-workspace-open.h"

#include <unistd.h>

#include "engine/cyc-local-workspace.h"
#include "engine/cyc-remote-workspace.h"
#include "engine/cyc-workspace-dir.h"

/* Another process serves the folder. */
static gboolean
has_owner (const char *folder)
{
  g_autoptr (CycEngineInfo) info = cyc_workspace_dir_read_engine (folder, NULL);

  return info != NULL && info->alive && info->pid != getpid ();
}

/**
 * cyc_workspace_open_successor:
 * @closed: a workspace that is closed, by a failure
 *
 * The other way to a workspace of this machine: one that could not be opened because another process owns it is
 * reached through its engine; one whose engine has ended is opened in this process. Main thread.
 *
 * Returns: (transfer full) (nullable): the same workspace, opening; %NULL if there is no other way
 */
CycWorkspace *
cyc_workspace_open_successor (CycWorkspace *closed)
{
  g_return_val_if_fail (CYC_IS_WORKSPACE (closed), NULL);

  const char *folder = cyc_workspace_get_location (closed);
  if (CYC_IS_REMOTE_WORKSPACE (closed))
    return cyc_remote_workspace_is_deserted (CYC_REMOTE_WORKSPACE (closed)) ? cyc_local_workspace_new (folder, NULL)
                                                                            : NULL;
  if (!has_owner (folder))
    return NULL;
  g_autoptr (CycRemoteAccess) access = cyc_remote_access_new ();
  access->folder = g_strdup (folder);
  return cyc_remote_workspace_new (access);
}
