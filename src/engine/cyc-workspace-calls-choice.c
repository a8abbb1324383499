/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-workspace.h"

/* The asynchronous calls of CycWorkspace for who chooses what to run: each makes the task that a subclass answers. */

/**
 * cyc_workspace_load_options_async:
 * @self: a workspace
 * @cancellable: (nullable): to cancel it
 * @callback: told when it is done
 * @user_data: for @callback
 *
 * Reads what options the simulator has, from the latest log that lists them. Main thread.
 */
void
cyc_workspace_load_options_async (CycWorkspace        *self,
                                  GCancellable        *cancellable,
                                  GAsyncReadyCallback  callback,
                                  gpointer             user_data)
{
  g_return_if_fail (CYC_IS_WORKSPACE (self));

  GTask *task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, cyc_workspace_load_options_async);
  CYC_WORKSPACE_GET_CLASS (self)->load_options (self, task);
}

/**
 * cyc_workspace_load_options_finish:
 * @self: a workspace
 * @result: of cyc_workspace_load_options_async()
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): the options, none of them if there is no such log
 */
CycOptionDump *
cyc_workspace_load_options_finish (CycWorkspace  *self,
                                   GAsyncResult  *result,
                                   GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * cyc_workspace_load_failed_async:
 * @self: a workspace
 * @run_id: a run
 * @cancellable: (nullable): to cancel it
 * @callback: told when it is done
 * @user_data: for @callback
 *
 * Gives what starts those simulations of a run again that failed or were cancelled. Main thread.
 */
void
cyc_workspace_load_failed_async (CycWorkspace        *self,
                                 const char          *run_id,
                                 GCancellable        *cancellable,
                                 GAsyncReadyCallback  callback,
                                 gpointer             user_data)
{
  g_return_if_fail (CYC_IS_WORKSPACE (self));
  g_return_if_fail (run_id != NULL);

  GTask *task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, cyc_workspace_load_failed_async);
  CYC_WORKSPACE_GET_CLASS (self)->load_failed (self, run_id, task);
}

/**
 * cyc_workspace_load_failed_finish:
 * @self: a workspace
 * @result: of cyc_workspace_load_failed_async()
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): a request for cyc_workspace_create_run_async(); %NULL with
 *   %CYC_ERROR_STATE if none of them failed or was cancelled
 */
CycRunRequest *
cyc_workspace_load_failed_finish (CycWorkspace  *self,
                                  GAsyncResult  *result,
                                  GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
