/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-local-workspace-private.h"

/* What changes rows of the workspace: answered when it is committed and the models show it. */

static void
changed_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;

  gboolean ok = cyc_engine_finish (CYC_ENGINE (source), result, &error);
  cyc_engine_publish (CYC_ENGINE (source));
  if (ok)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

void
_cyc_local_workspace_remove_trace (CycWorkspace *workspace,
                                   const char   *trace_id,
                                   GTask        *task)
{
  g_autoptr (GTask) owned = task;
  CycEngine *engine = _cyc_local_workspace_begin (workspace, task, TRUE);

  if (engine != NULL)
    cyc_engine_remove_trace (engine, trace_id, FALSE, changed_cb, g_steal_pointer (&owned));
}

void
_cyc_local_workspace_restore_trace (CycWorkspace *workspace,
                                    const char   *trace_id,
                                    GTask        *task)
{
  g_autoptr (GTask) owned = task;
  CycEngine *engine = _cyc_local_workspace_begin (workspace, task, TRUE);

  if (engine != NULL)
    cyc_engine_restore_trace (engine, trace_id, changed_cb, g_steal_pointer (&owned));
}

static void
created_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  char *id = cyc_engine_create_run_finish (CYC_ENGINE (source), result, &error);

  cyc_engine_publish (CYC_ENGINE (source));
  if (id != NULL)
    g_task_return_pointer (task, id, g_free);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

void
_cyc_local_workspace_create_run (CycWorkspace        *workspace,
                                 const CycRunRequest *request,
                                 GTask               *task)
{
  g_autoptr (GTask) owned = task;
  CycEngine *engine = _cyc_local_workspace_begin (workspace, task, TRUE);

  if (engine != NULL)
    cyc_engine_create_run (engine, request, created_cb, g_steal_pointer (&owned));
}

void
_cyc_local_workspace_load_failed (CycWorkspace *workspace,
                                  const char   *run_id,
                                  GTask        *task)
{
  g_autoptr (GTask) owned = task;
  g_autoptr (GError) error = NULL;
  CycEngine *engine = _cyc_local_workspace_begin (workspace, task, FALSE);

  if (engine == NULL)
    return;
  CycRunRequest *request = cyc_engine_dup_failed_request (engine, run_id, &error);
  if (request != NULL)
    g_task_return_pointer (task, request, (GDestroyNotify) cyc_run_request_free);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

void
_cyc_local_workspace_cancel_run (CycWorkspace *workspace,
                                 const char   *run_id,
                                 GTask        *task)
{
  g_autoptr (GTask) owned = task;
  CycEngine *engine = _cyc_local_workspace_begin (workspace, task, TRUE);

  if (engine != NULL)
    cyc_engine_cancel_run (engine, run_id, changed_cb, g_steal_pointer (&owned));
}

void
_cyc_local_workspace_remove_run (CycWorkspace *workspace,
                                 const char   *run_id,
                                 GTask        *task)
{
  g_autoptr (GTask) owned = task;
  CycEngine *engine = _cyc_local_workspace_begin (workspace, task, TRUE);

  if (engine != NULL)
    cyc_engine_remove_run (engine, run_id, changed_cb, g_steal_pointer (&owned));
}
