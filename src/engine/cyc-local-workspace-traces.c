/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-local-workspace-private.h"

#include "core/accelsim/cyc-preflight.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-task.h"
#include "engine/cyc-run-plan.h"

/* What a trace's page and the preview of a run tell. */

/* A trace that is still on its way has no findings yet. */
static gboolean
find_faults (CycTraceDetails  *details,
             GCancellable     *cancellable,
             GError          **error)
{
  const CycPreflightParams params = { .cancellable = cancellable };
  g_autoptr (GError) local = NULL;

  if (details->record->state != CYC_TRACE_READY && details->record->state != CYC_TRACE_FAILED)
    return TRUE;
  g_autoptr (CycTraceFolder) folder = cyc_trace_folder_load (details->folder, cancellable, &local);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  if (folder == NULL)
    {
      cyc_findings_add_error (details->findings, CYC_SEVERITY_ERROR, "trace_unreadable", details->folder, NULL,
                              local);
      return TRUE;
    }
  g_autoptr (CycFindings) found = cyc_preflight_check (folder, &params);
  cyc_findings_append (details->findings, found);
  return TRUE;
}

typedef struct
{
  CycEngine       *engine;
  CycTraceDetails *details;
} Loading;

static void
loading_free (gpointer data)
{
  Loading *self = data;

  g_object_unref (self->engine);
  cyc_trace_details_free (self->details);
  g_free (self);
}

static void
trace_thread (GTask        *task,
              gpointer      source,
              gpointer      data,
              GCancellable *cancellable)
{
  Loading *self = data;
  g_autoptr (GError) error = NULL;

  if (find_faults (self->details, cancellable, &error))
    g_task_return_pointer (task, g_steal_pointer (&self->details),
                           (GDestroyNotify) cyc_trace_details_free);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static void
launches_cb (GObject      *source,
             GAsyncResult *result,
             gpointer      user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  Loading *self = g_task_get_task_data (task);
  GPtrArray *launches = cyc_engine_query_launches_finish (self->engine, result,
                                                          &self->details->metadata, &error);

  if (launches == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  g_ptr_array_unref (self->details->launches);
  self->details->launches = launches;
  cyc_task_run_in_thread (task, trace_thread);
}

void
_cyc_local_workspace_load_trace (CycWorkspace *workspace,
                                 const char   *trace_id,
                                 GTask        *task)
{
  g_autoptr (GTask) owned = task;
  g_autoptr (GError) error = NULL;
  CycEngine *engine = _cyc_local_workspace_begin (workspace, task, FALSE);
  const CycTraceRecord *record = engine == NULL ? NULL
                                                : cyc_engine_find_trace (engine, trace_id, &error);

  if (engine == NULL)
    return;
  if (record == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  Loading *self = g_new0 (Loading, 1);
  self->engine = g_object_ref (engine);
  self->details = cyc_trace_details_new ();
  self->details->record = cyc_trace_record_copy (record);
  self->details->folder = cyc_engine_get_trace_folder (engine, trace_id);
  g_task_set_task_data (task, self, loading_free);
  cyc_engine_query_launches (engine, trace_id, launches_cb, g_steal_pointer (&owned));
}

static void
bare_launches_cb (GObject      *source,
                  GAsyncResult *result,
                  gpointer      user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *metadata = NULL;
  GPtrArray *launches = cyc_engine_query_launches_finish (g_task_get_task_data (task), result, &metadata, &error);

  if (launches != NULL)
    g_task_return_pointer (task, launches, (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

void
_cyc_local_workspace_load_launches (CycWorkspace *workspace,
                                    const char   *trace_id,
                                    GTask        *task)
{
  g_autoptr (GTask) owned = task;
  CycEngine *engine = _cyc_local_workspace_begin (workspace, task, FALSE);

  if (engine == NULL)
    return;
  g_task_set_task_data (task, g_object_ref (engine), g_object_unref);
  cyc_engine_query_launches (engine, trace_id, bare_launches_cb, g_steal_pointer (&owned));
}

typedef struct
{
  CycEngine     *engine;
  CycRunRequest *request;
} Checking;

static void
checking_free (gpointer data)
{
  Checking *self = data;

  g_object_unref (self->engine);
  cyc_run_request_free (self->request);
  g_free (self);
}

static void
check_thread (GTask        *task,
              gpointer      source,
              gpointer      data,
              GCancellable *cancellable)
{
  const Checking *self = data;
  g_autoptr (GError) error = NULL;
  GPtrArray *checks = cyc_run_plan_check (self->engine, self->request, cancellable, &error);

  if (checks != NULL)
    g_task_return_pointer (task, checks, (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

void
_cyc_local_workspace_check_run (CycWorkspace        *workspace,
                                const CycRunRequest *request,
                                GTask               *task)
{
  g_autoptr (GTask) owned = task;
  g_autoptr (GError) error = NULL;
  CycEngine *engine = _cyc_local_workspace_begin (workspace, task, FALSE);
  const CycTraceRecord *record = engine == NULL
                                   ? NULL : cyc_engine_find_trace (engine, request->trace_id, &error);

  if (engine == NULL)
    return;
  if (record != NULL && record->state != CYC_TRACE_READY)
    cyc_error_set_at (&error, CYC_ERROR_STATE, NULL, 0, "trace '%s' is %s, not ready", record->id,
                      cyc_trace_state_to_string (record->state));
  if (error != NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  Checking *self = g_new0 (Checking, 1);
  self->engine = g_object_ref (engine);
  self->request = cyc_run_request_copy (request);
  g_task_set_task_data (task, self, checking_free);
  cyc_task_run_in_thread (task, check_thread);
}
