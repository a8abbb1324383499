/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-local-workspace-private.h"

#include "core/accelsim/cyc-simulator.h"
#include "engine/cyc-installation.h"
#include "engine/cyc-settings.h"

/* What the workspace runs simulations with: settings, simulators, GPU configurations. */

static void
configs_thread (GTask        *task,
                gpointer      source,
                gpointer      data,
                GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;
  CycGpuConfigs *configs = cyc_engine_load_configs (data, &error);

  if (configs != NULL)
    g_task_return_pointer (task, configs, (GDestroyNotify) cyc_gpu_configs_unref);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

void
_cyc_local_workspace_load_configs (CycWorkspace *workspace,
                                   GTask        *task)
{
  g_autoptr (GTask) owned = task;
  CycEngine *engine = _cyc_local_workspace_begin (workspace, task, FALSE);

  if (engine == NULL)
    return;
  g_task_set_task_data (task, g_object_ref (engine), g_object_unref);
  g_task_run_in_thread (task, configs_thread);
}

static void
simulator_thread (GTask        *task,
                  gpointer      source,
                  gpointer      data,
                  GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;
  CycSimulator *simulator = cyc_simulator_open (data, &error);

  if (simulator != NULL)
    g_task_return_pointer (task, simulator, (GDestroyNotify) cyc_simulator_free);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

void
_cyc_local_workspace_check_simulator (CycWorkspace *workspace,
                                      const char   *path,
                                      GTask        *task)
{
  g_autoptr (GTask) owned = task;

  if (_cyc_local_workspace_begin (workspace, task, FALSE) == NULL)
    return;
  g_task_set_task_data (task, g_canonicalize_filename (path, NULL), g_free);
  g_task_run_in_thread (task, simulator_thread);
}
