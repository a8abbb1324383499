/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-local-workspace-private.h"

/* The kernels of a simulation: rows of the database. */

static void
kernels_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  GListModel *kernels = cyc_engine_load_kernels_finish (CYC_ENGINE (source), result, &error);

  if (kernels != NULL)
    g_task_return_pointer (task, kernels, g_object_unref);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

void
_cyc_local_workspace_load_kernels (CycWorkspace *workspace,
                                   const char   *sim_id,
                                   GTask        *task)
{
  g_autoptr (GTask) owned = task;
  g_autoptr (GError) error = NULL;
  CycEngine *engine = _cyc_local_workspace_begin (workspace, task, FALSE);

  if (engine == NULL)
    return;
  if (cyc_engine_find_sim (engine, sim_id, &error) != NULL)
    cyc_engine_load_kernels (engine, sim_id, kernels_cb, g_steal_pointer (&owned));
  else
    g_task_return_error (task, g_steal_pointer (&error));
}
