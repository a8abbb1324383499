/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-workspace.h"

/* The asynchronous calls of CycWorkspace: each makes the task that a subclass answers. */

static GTask *
begin (CycWorkspace        *self,
       GCancellable        *cancellable,
       GAsyncReadyCallback  callback,
       gpointer             user_data,
       gpointer             tag)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);

  (g_task_set_source_tag) (task, tag);
  return task;
}

/**
 * cyc_workspace_load_configs_async:
 * @self: a workspace
 * @cancellable: (nullable): to cancel it
 * @callback: told when it is done
 * @user_data: for @callback
 *
 * Reads the GPU configurations under the workspace's roots and the installations' own. Main
 * thread.
 */
void
cyc_workspace_load_configs_async (CycWorkspace        *self,
                                  GCancellable        *cancellable,
                                  GAsyncReadyCallback  callback,
                                  gpointer             user_data)
{
  g_return_if_fail (CYC_IS_WORKSPACE (self));

  GTask *task = begin (self, cancellable, callback, user_data, cyc_workspace_load_configs_async);
  CYC_WORKSPACE_GET_CLASS (self)->load_configs (self, task);
}

/**
 * cyc_workspace_load_configs_finish:
 * @self: a workspace
 * @result: of cyc_workspace_load_configs_async()
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): the configurations
 */
CycGpuConfigs *
cyc_workspace_load_configs_finish (CycWorkspace  *self,
                                   GAsyncResult  *result,
                                   GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * cyc_workspace_load_settings_async:
 * @self: a workspace
 * @cancellable: (nullable): to cancel it
 * @callback: told when it is done
 * @user_data: for @callback
 *
 * Reads the workspace's settings. Main thread.
 */
void
cyc_workspace_load_settings_async (CycWorkspace        *self,
                                   GCancellable        *cancellable,
                                   GAsyncReadyCallback  callback,
                                   gpointer             user_data)
{
  g_return_if_fail (CYC_IS_WORKSPACE (self));

  GTask *task = begin (self, cancellable, callback, user_data, cyc_workspace_load_settings_async);
  CYC_WORKSPACE_GET_CLASS (self)->load_settings (self, task);
}

/**
 * cyc_workspace_load_settings_finish:
 * @self: a workspace
 * @result: of cyc_workspace_load_settings_async()
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): the settings
 */
CycWorkspaceSettings *
cyc_workspace_load_settings_finish (CycWorkspace  *self,
                                    GAsyncResult  *result,
                                    GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * cyc_workspace_save_settings_async:
 * @self: a workspace
 * @settings: what is to be kept; every simulator and folder is checked first
 * @cancellable: (nullable): to cancel it
 * @callback: told when it is done
 * @user_data: for @callback
 *
 * Replaces the workspace's settings, which count from the next launch on. Finish with
 * cyc_workspace_finish(). Main thread.
 */
void
cyc_workspace_save_settings_async (CycWorkspace               *self,
                                   const CycWorkspaceSettings *settings,
                                   GCancellable               *cancellable,
                                   GAsyncReadyCallback         callback,
                                   gpointer                    user_data)
{
  g_return_if_fail (CYC_IS_WORKSPACE (self));
  g_return_if_fail (settings != NULL);

  GTask *task = begin (self, cancellable, callback, user_data, cyc_workspace_save_settings_async);
  CYC_WORKSPACE_GET_CLASS (self)->save_settings (self, settings, task);
}

/**
 * cyc_workspace_check_simulator_async:
 * @self: a workspace
 * @path: a framework folder or an executable
 * @cancellable: (nullable): to cancel it
 * @callback: told when it is done
 * @user_data: for @callback
 *
 * Looks at an installation of a simulator. Nothing is run. Main thread.
 */
void
cyc_workspace_check_simulator_async (CycWorkspace        *self,
                                     const char          *path,
                                     GCancellable        *cancellable,
                                     GAsyncReadyCallback  callback,
                                     gpointer             user_data)
{
  g_return_if_fail (CYC_IS_WORKSPACE (self));
  g_return_if_fail (path != NULL);

  GTask *task = begin (self, cancellable, callback, user_data, cyc_workspace_check_simulator_async);
  CYC_WORKSPACE_GET_CLASS (self)->check_simulator (self, path, task);
}

/**
 * cyc_workspace_check_simulator_finish:
 * @self: a workspace
 * @result: of cyc_workspace_check_simulator_async()
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): what was found, with findings
 */
CycSimulator *
cyc_workspace_check_simulator_finish (CycWorkspace  *self,
                                      GAsyncResult  *result,
                                      GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * cyc_workspace_inspect_async:
 * @self: a workspace
 * @path: a folder, a file in one, or an archive
 * @cancellable: (nullable): to cancel it
 * @callback: told when it is done
 * @user_data: for @callback
 *
 * Looks at what an import of @path would bring. Main thread.
 */
void
cyc_workspace_inspect_async (CycWorkspace        *self,
                             const char          *path,
                             GCancellable        *cancellable,
                             GAsyncReadyCallback  callback,
                             gpointer             user_data)
{
  g_return_if_fail (CYC_IS_WORKSPACE (self));
  g_return_if_fail (path != NULL);

  GTask *task = begin (self, cancellable, callback, user_data, cyc_workspace_inspect_async);
  CYC_WORKSPACE_GET_CLASS (self)->inspect (self, path, task);
}

/**
 * cyc_workspace_inspect_finish:
 * @self: a workspace
 * @result: of cyc_workspace_inspect_async()
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): what was found
 */
CycImportPreview *
cyc_workspace_inspect_finish (CycWorkspace  *self,
                              GAsyncResult  *result,
                              GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * cyc_workspace_import_async:
 * @self: a workspace
 * @request: what to import, and how; its texts must live until the answer
 * @cancellable: (nullable): to cancel it
 * @callback: told when it is done
 * @user_data: for @callback
 *
 * Imports a trace. Nothing stays after a failure or a cancel, but a trace whose files are all
 * there and that cannot be used, which is kept as failed. Main thread.
 */
void
cyc_workspace_import_async (CycWorkspace           *self,
                            const CycImportRequest *request,
                            GCancellable           *cancellable,
                            GAsyncReadyCallback     callback,
                            gpointer                user_data)
{
  g_return_if_fail (CYC_IS_WORKSPACE (self));
  g_return_if_fail (request != NULL);

  GTask *task = begin (self, cancellable, callback, user_data, cyc_workspace_import_async);
  CYC_WORKSPACE_GET_CLASS (self)->import (self, request, task);
}

/**
 * cyc_workspace_import_finish:
 * @self: a workspace
 * @result: of cyc_workspace_import_async()
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): what is worth telling about the trace
 */
CycFindings *
cyc_workspace_import_finish (CycWorkspace  *self,
                             GAsyncResult  *result,
                             GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * cyc_workspace_load_trace_async:
 * @self: a workspace
 * @trace_id: a trace
 * @cancellable: (nullable): to cancel it
 * @callback: told when it is done
 * @user_data: for @callback
 *
 * Reads all that a trace's page shows. Main thread.
 */
void
cyc_workspace_load_trace_async (CycWorkspace        *self,
                                const char          *trace_id,
                                GCancellable        *cancellable,
                                GAsyncReadyCallback  callback,
                                gpointer             user_data)
{
  g_return_if_fail (CYC_IS_WORKSPACE (self));
  g_return_if_fail (trace_id != NULL);

  GTask *task = begin (self, cancellable, callback, user_data, cyc_workspace_load_trace_async);
  CYC_WORKSPACE_GET_CLASS (self)->load_trace (self, trace_id, task);
}

/**
 * cyc_workspace_load_trace_finish:
 * @self: a workspace
 * @result: of cyc_workspace_load_trace_async()
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): the details
 */
CycTraceDetails *
cyc_workspace_load_trace_finish (CycWorkspace  *self,
                                 GAsyncResult  *result,
                                 GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * cyc_workspace_load_launches_async:
 * @self: a workspace
 * @trace_id: a trace
 * @cancellable: (nullable): to cancel it
 * @callback: told when it is done
 * @user_data: for @callback
 *
 * Reads a trace's kernel launches alone, none of its files. Main thread.
 */
void
cyc_workspace_load_launches_async (CycWorkspace        *self,
                                   const char          *trace_id,
                                   GCancellable        *cancellable,
                                   GAsyncReadyCallback  callback,
                                   gpointer             user_data)
{
  g_return_if_fail (CYC_IS_WORKSPACE (self));
  g_return_if_fail (trace_id != NULL);

  GTask *task = begin (self, cancellable, callback, user_data, cyc_workspace_load_launches_async);
  CYC_WORKSPACE_GET_CLASS (self)->load_launches (self, trace_id, task);
}

/**
 * cyc_workspace_load_launches_finish:
 * @self: a workspace
 * @result: of cyc_workspace_load_launches_async()
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable) (element-type CycLaunchRecord): the launches, by kernel id
 */
GPtrArray *
cyc_workspace_load_launches_finish (CycWorkspace  *self,
                                    GAsyncResult  *result,
                                    GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * cyc_workspace_check_run_async:
 * @self: a workspace
 * @request: a run that is not there yet; used only during the call
 * @cancellable: (nullable): to cancel it
 * @callback: told when it is done
 * @user_data: for @callback
 *
 * Holds a run's trace against its configurations, its simulator and its options, as `trace check`
 * does. Starts nothing. Main thread.
 */
void
cyc_workspace_check_run_async (CycWorkspace        *self,
                               const CycRunRequest *request,
                               GCancellable        *cancellable,
                               GAsyncReadyCallback  callback,
                               gpointer             user_data)
{
  g_return_if_fail (CYC_IS_WORKSPACE (self));
  g_return_if_fail (request != NULL);

  GTask *task = begin (self, cancellable, callback, user_data, cyc_workspace_check_run_async);
  CYC_WORKSPACE_GET_CLASS (self)->check_run (self, request, task);
}

/**
 * cyc_workspace_check_run_finish:
 * @self: a workspace
 * @result: of cyc_workspace_check_run_async()
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer container) (element-type CycRunCheck) (nullable): one for each entry, in order
 */
GPtrArray *
cyc_workspace_check_run_finish (CycWorkspace  *self,
                                GAsyncResult  *result,
                                GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * cyc_workspace_remove_trace_async:
 * @self: a workspace
 * @trace_id: a trace that no active run uses
 * @cancellable: (nullable): to cancel it
 * @callback: told when it is done
 * @user_data: for @callback
 *
 * Removes a trace. It can be brought back for some days. Finish with cyc_workspace_finish(). Main
 * thread.
 */
void
cyc_workspace_remove_trace_async (CycWorkspace        *self,
                                  const char          *trace_id,
                                  GCancellable        *cancellable,
                                  GAsyncReadyCallback  callback,
                                  gpointer             user_data)
{
  g_return_if_fail (CYC_IS_WORKSPACE (self));
  g_return_if_fail (trace_id != NULL);

  GTask *task = begin (self, cancellable, callback, user_data, cyc_workspace_remove_trace_async);
  CYC_WORKSPACE_GET_CLASS (self)->remove_trace (self, trace_id, task);
}

/**
 * cyc_workspace_restore_trace_async:
 * @self: a workspace
 * @trace_id: a removed trace
 * @cancellable: (nullable): to cancel it
 * @callback: told when it is done
 * @user_data: for @callback
 *
 * Brings a removed trace back. Finish with cyc_workspace_finish(). Main thread.
 */
void
cyc_workspace_restore_trace_async (CycWorkspace        *self,
                                   const char          *trace_id,
                                   GCancellable        *cancellable,
                                   GAsyncReadyCallback  callback,
                                   gpointer             user_data)
{
  g_return_if_fail (CYC_IS_WORKSPACE (self));
  g_return_if_fail (trace_id != NULL);

  GTask *task = begin (self, cancellable, callback, user_data, cyc_workspace_restore_trace_async);
  CYC_WORKSPACE_GET_CLASS (self)->restore_trace (self, trace_id, task);
}

/**
 * cyc_workspace_create_run_async:
 * @self: a workspace
 * @request: the run; used only during the call
 * @cancellable: (nullable): to cancel it
 * @callback: told when it is done
 * @user_data: for @callback
 *
 * Starts a run. Main thread.
 */
void
cyc_workspace_create_run_async (CycWorkspace        *self,
                                const CycRunRequest *request,
                                GCancellable        *cancellable,
                                GAsyncReadyCallback  callback,
                                gpointer             user_data)
{
  g_return_if_fail (CYC_IS_WORKSPACE (self));
  g_return_if_fail (request != NULL);

  GTask *task = begin (self, cancellable, callback, user_data, cyc_workspace_create_run_async);
  CYC_WORKSPACE_GET_CLASS (self)->create_run (self, request, task);
}

/**
 * cyc_workspace_create_run_finish:
 * @self: a workspace
 * @result: of cyc_workspace_create_run_async()
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): the run's id
 */
char *
cyc_workspace_create_run_finish (CycWorkspace  *self,
                                 GAsyncResult  *result,
                                 GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * cyc_workspace_cancel_run_async:
 * @self: a workspace
 * @run_id: a run
 * @cancellable: (nullable): to cancel it
 * @callback: told when it is done
 * @user_data: for @callback
 *
 * Cancels every unfinished simulation of a run. Finish with cyc_workspace_finish(). Main thread.
 */
void
cyc_workspace_cancel_run_async (CycWorkspace        *self,
                                const char          *run_id,
                                GCancellable        *cancellable,
                                GAsyncReadyCallback  callback,
                                gpointer             user_data)
{
  g_return_if_fail (CYC_IS_WORKSPACE (self));
  g_return_if_fail (run_id != NULL);

  GTask *task = begin (self, cancellable, callback, user_data, cyc_workspace_cancel_run_async);
  CYC_WORKSPACE_GET_CLASS (self)->cancel_run (self, run_id, task);
}

/**
 * cyc_workspace_remove_run_async:
 * @self: a workspace
 * @run_id: a run that is not active
 * @cancellable: (nullable): to cancel it
 * @callback: told when it is done
 * @user_data: for @callback
 *
 * Removes a run, its logs and its files, for good. Finish with cyc_workspace_finish(). Main
 * thread.
 */
void
cyc_workspace_remove_run_async (CycWorkspace        *self,
                                const char          *run_id,
                                GCancellable        *cancellable,
                                GAsyncReadyCallback  callback,
                                gpointer             user_data)
{
  g_return_if_fail (CYC_IS_WORKSPACE (self));
  g_return_if_fail (run_id != NULL);

  GTask *task = begin (self, cancellable, callback, user_data, cyc_workspace_remove_run_async);
  CYC_WORKSPACE_GET_CLASS (self)->remove_run (self, run_id, task);
}

/**
 * cyc_workspace_load_kernels_async:
 * @self: a workspace
 * @sim_id: a simulation
 * @cancellable: (nullable): to cancel it
 * @callback: told when it is done
 * @user_data: for @callback
 *
 * Gets the kernels of a simulation as a model of CycKernelStat that grows with it. Main thread.
 */
void
cyc_workspace_load_kernels_async (CycWorkspace        *self,
                                  const char          *sim_id,
                                  GCancellable        *cancellable,
                                  GAsyncReadyCallback  callback,
                                  gpointer             user_data)
{
  g_return_if_fail (CYC_IS_WORKSPACE (self));
  g_return_if_fail (sim_id != NULL);

  GTask *task = begin (self, cancellable, callback, user_data, cyc_workspace_load_kernels_async);
  CYC_WORKSPACE_GET_CLASS (self)->load_kernels (self, sim_id, task);
}

/**
 * cyc_workspace_load_kernels_finish:
 * @self: a workspace
 * @result: of cyc_workspace_load_kernels_async()
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): the kernels
 */
GListModel *
cyc_workspace_load_kernels_finish (CycWorkspace  *self,
                                   GAsyncResult  *result,
                                   GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * cyc_workspace_load_block_async:
 * @self: a workspace
 * @sim_id: a simulation
 * @kernel_index: index of a kernel, -1 for the last that has a block: its cumulative counters are the totals
 * @cancellable: (nullable): to cancel it
 * @callback: told when it is done
 * @user_data: for @callback
 *
 * Reads the whole statistics block of a kernel from the log. Main thread.
 */
void
cyc_workspace_load_block_async (CycWorkspace        *self,
                                const char          *sim_id,
                                int                  kernel_index,
                                GCancellable        *cancellable,
                                GAsyncReadyCallback  callback,
                                gpointer             user_data)
{
  g_return_if_fail (CYC_IS_WORKSPACE (self));
  g_return_if_fail (sim_id != NULL);

  GTask *task = begin (self, cancellable, callback, user_data, cyc_workspace_load_block_async);
  CYC_WORKSPACE_GET_CLASS (self)->load_block (self, sim_id, kernel_index, task);
}

/**
 * cyc_workspace_load_block_finish:
 * @self: a workspace
 * @result: of cyc_workspace_load_block_async()
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): the block as printed; %NULL with %CYC_ERROR_NOT_FOUND if there is none
 */
CycSimStats *
cyc_workspace_load_block_finish (CycWorkspace  *self,
                                 GAsyncResult  *result,
                                 GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * cyc_workspace_load_counters_async:
 * @self: a workspace
 * @request: which columns; used only during the call
 * @cancellable: (nullable): to cancel it
 * @callback: told when it is done
 * @user_data: for @callback
 *
 * Reads counters of all kernels of a simulation. With the full statistics still in the log this
 * reads the log again: on a thread, with cancel. Main thread.
 */
void
cyc_workspace_load_counters_async (CycWorkspace            *self,
                                   const CycCounterRequest *request,
                                   GCancellable            *cancellable,
                                   GAsyncReadyCallback      callback,
                                   gpointer                 user_data)
{
  g_return_if_fail (CYC_IS_WORKSPACE (self));
  g_return_if_fail (request != NULL);

  GTask *task = begin (self, cancellable, callback, user_data, cyc_workspace_load_counters_async);
  CYC_WORKSPACE_GET_CLASS (self)->load_counters (self, request, task);
}

/**
 * cyc_workspace_load_counters_finish:
 * @self: a workspace
 * @result: of cyc_workspace_load_counters_async()
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): the columns
 */
CycCounterTable *
cyc_workspace_load_counters_finish (CycWorkspace  *self,
                                    GAsyncResult  *result,
                                    GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * cyc_workspace_load_comparison_async:
 * @self: a workspace
 * @run_id: a run
 * @counter: `time`, or the name of a counter
 * @cancellable: (nullable): to cancel it
 * @callback: told when it is done
 * @user_data: for @callback
 *
 * Compares the configurations of a run kernel by kernel. Main thread.
 */
void
cyc_workspace_load_comparison_async (CycWorkspace        *self,
                                     const char          *run_id,
                                     const char          *counter,
                                     GCancellable        *cancellable,
                                     GAsyncReadyCallback  callback,
                                     gpointer             user_data)
{
  g_return_if_fail (CYC_IS_WORKSPACE (self));
  g_return_if_fail (run_id != NULL);
  g_return_if_fail (counter != NULL);

  GTask *task = begin (self, cancellable, callback, user_data, cyc_workspace_load_comparison_async);
  CYC_WORKSPACE_GET_CLASS (self)->load_comparison (self, run_id, counter, task);
}

/**
 * cyc_workspace_load_comparison_finish:
 * @self: a workspace
 * @result: of cyc_workspace_load_comparison_async()
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): the comparison
 */
CycComparison *
cyc_workspace_load_comparison_finish (CycWorkspace  *self,
                                      GAsyncResult  *result,
                                      GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * cyc_workspace_load_files_async:
 * @self: a workspace
 * @run_id: a run
 * @cancellable: (nullable): to cancel it
 * @callback: told when it is done
 * @user_data: for @callback
 *
 * Lists the files that the run's simulations left. Main thread.
 */
void
cyc_workspace_load_files_async (CycWorkspace        *self,
                                const char          *run_id,
                                GCancellable        *cancellable,
                                GAsyncReadyCallback  callback,
                                gpointer             user_data)
{
  g_return_if_fail (CYC_IS_WORKSPACE (self));
  g_return_if_fail (run_id != NULL);

  GTask *task = begin (self, cancellable, callback, user_data, cyc_workspace_load_files_async);
  CYC_WORKSPACE_GET_CLASS (self)->load_files (self, run_id, task);
}

/**
 * cyc_workspace_load_files_finish:
 * @self: a workspace
 * @result: of cyc_workspace_load_files_async()
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer container) (element-type CycFileRecord) (nullable): the files
 */
GPtrArray *
cyc_workspace_load_files_finish (CycWorkspace  *self,
                                 GAsyncResult  *result,
                                 GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * cyc_workspace_copy_file_async:
 * @self: a workspace
 * @sim_id: a simulation
 * @name: one of its files, or `log` for its log
 * @target: where the copy goes; replaced
 * @cancellable: (nullable): to cancel it
 * @callback: told when it is done
 * @user_data: for @callback
 *
 * Copies a file out of the workspace. Finish with cyc_workspace_finish(). Main thread.
 */
void
cyc_workspace_copy_file_async (CycWorkspace        *self,
                               const char          *sim_id,
                               const char          *name,
                               GFile               *target,
                               GCancellable        *cancellable,
                               GAsyncReadyCallback  callback,
                               gpointer             user_data)
{
  g_return_if_fail (CYC_IS_WORKSPACE (self));
  g_return_if_fail (sim_id != NULL);
  g_return_if_fail (name != NULL);
  g_return_if_fail (G_IS_FILE (target));

  GTask *task = begin (self, cancellable, callback, user_data, cyc_workspace_copy_file_async);
  CYC_WORKSPACE_GET_CLASS (self)->copy_file (self, sim_id, name, target, task);
}

/**
 * cyc_workspace_read_log_async:
 * @self: a workspace
 * @sim_id: a simulation
 * @offset: first byte
 * @length: bytes at most
 * @cancellable: (nullable): to cancel it
 * @callback: told when it is done
 * @user_data: for @callback
 *
 * Reads a piece of a log. Lines end in a line feed; a piece may begin and end within one. Main
 * thread.
 */
void
cyc_workspace_read_log_async (CycWorkspace        *self,
                              const char          *sim_id,
                              guint64              offset,
                              guint                length,
                              GCancellable        *cancellable,
                              GAsyncReadyCallback  callback,
                              gpointer             user_data)
{
  g_return_if_fail (CYC_IS_WORKSPACE (self));
  g_return_if_fail (sim_id != NULL);

  GTask *task = begin (self, cancellable, callback, user_data, cyc_workspace_read_log_async);
  CYC_WORKSPACE_GET_CLASS (self)->read_log (self, sim_id, offset, length, task);
}

/**
 * cyc_workspace_read_log_finish:
 * @self: a workspace
 * @result: of cyc_workspace_read_log_async()
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): the bytes, fewer than asked for at the end
 */
GBytes *
cyc_workspace_read_log_finish (CycWorkspace  *self,
                               GAsyncResult  *result,
                               GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * cyc_workspace_search_log_async:
 * @self: a workspace
 * @search: what to find; used only during the call
 * @cancellable: (nullable): to cancel it
 * @callback: told when it is done
 * @user_data: for @callback
 *
 * Searches a log. Main thread.
 */
void
cyc_workspace_search_log_async (CycWorkspace        *self,
                                const CycLogSearch  *search,
                                GCancellable        *cancellable,
                                GAsyncReadyCallback  callback,
                                gpointer             user_data)
{
  g_return_if_fail (CYC_IS_WORKSPACE (self));
  g_return_if_fail (search != NULL);

  GTask *task = begin (self, cancellable, callback, user_data, cyc_workspace_search_log_async);
  CYC_WORKSPACE_GET_CLASS (self)->search_log (self, search, task);
}

/**
 * cyc_workspace_load_failure_async:
 * @self: a workspace
 * @sim_id: a simulation that has ended
 * @cancellable: (nullable): to cancel it
 * @callback: told when it is done
 * @user_data: for @callback
 *
 * Finds the line that the simulation's outcome goes by. Main thread.
 */
void
cyc_workspace_load_failure_async (CycWorkspace        *self,
                                  const char          *sim_id,
                                  GCancellable        *cancellable,
                                  GAsyncReadyCallback  callback,
                                  gpointer             user_data)
{
  g_return_if_fail (CYC_IS_WORKSPACE (self));
  g_return_if_fail (sim_id != NULL);

  GTask *task = begin (self, cancellable, callback, user_data, cyc_workspace_load_failure_async);
  CYC_WORKSPACE_GET_CLASS (self)->load_failure (self, sim_id, task);
}

/**
 * cyc_workspace_load_failure_finish:
 * @self: a workspace
 * @result: of cyc_workspace_load_failure_async()
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): the line; its source is %CYC_SIM_EVIDENCE_NONE if there is none
 */
CycFailureLine *
cyc_workspace_load_failure_finish (CycWorkspace  *self,
                                   GAsyncResult  *result,
                                   GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * cyc_workspace_close_async:
 * @self: a workspace
 * @cancellable: (nullable): to cancel it
 * @callback: told when it is done
 * @user_data: for @callback
 *
 * Lets go of the workspace. Simulations run on. Finish with cyc_workspace_finish(). Main thread.
 */
void
cyc_workspace_close_async (CycWorkspace        *self,
                           GCancellable        *cancellable,
                           GAsyncReadyCallback  callback,
                           gpointer             user_data)
{
  g_return_if_fail (CYC_IS_WORKSPACE (self));

  GTask *task = begin (self, cancellable, callback, user_data, cyc_workspace_close_async);
  CYC_WORKSPACE_GET_CLASS (self)->close (self, task);
}

/**
 * cyc_workspace_search_log_finish:
 * @self: a workspace
 * @result: of cyc_workspace_search_log_async()
 * @out_offset: (out): where the hit begins, in bytes; G_MAXUINT64 if there is none
 * @error: (nullable): return location for an error
 *
 * Returns: whether the search came to its end
 */
gboolean
cyc_workspace_search_log_finish (CycWorkspace  *self,
                                 GAsyncResult  *result,
                                 guint64       *out_offset,
                                 GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (out_offset != NULL, FALSE);

  g_autofree guint64 *offset = g_task_propagate_pointer (G_TASK (result), error);
  if (offset == NULL)
    return FALSE;
  *out_offset = *offset;
  return TRUE;
}

/**
 * cyc_workspace_finish:
 * @self: a workspace
 * @result: of an asynchronous function that gives nothing
 * @error: (nullable): return location for an error
 *
 * Returns: whether it was done
 */
gboolean
cyc_workspace_finish (CycWorkspace  *self,
                      GAsyncResult  *result,
                      GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
