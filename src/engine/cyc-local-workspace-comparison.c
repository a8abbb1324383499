/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-local-workspace-private.h"

#include "core/base/cyc-task.h"
#include "engine/cyc-results-load.h"

/* Configurations of a run side by side. */
typedef struct
{
  char       *counter;
  CycResults *results;
} Comparing;

static void
comparing_free (gpointer data)
{
  Comparing *self = data;

  g_free (self->counter);
  cyc_results_free (self->results);
  g_free (self);
}

static void
compare_thread (GTask        *task,
                gpointer      source,
                gpointer      data,
                GCancellable *cancellable)
{
  const Comparing *self = data;
  g_autoptr (GError) error = NULL;
  CycComparison *comparison = cyc_results_compare (self->results, self->counter, cancellable, &error);

  if (comparison != NULL)
    g_task_return_pointer (task, comparison, (GDestroyNotify) cyc_comparison_free);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static void
loaded_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr (GTask) task = user_data;
  Comparing *self = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  self->results = cyc_results_load_finish (CYC_ENGINE (source), result, &error);
  if (self->results != NULL)
    cyc_task_run_in_thread (task, compare_thread);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

void
_cyc_local_workspace_load_comparison (CycWorkspace *workspace,
                                      const char   *run_id,
                                      const char   *counter,
                                      GTask        *task)
{
  g_autoptr (GTask) owned = task;
  CycEngine *engine = _cyc_local_workspace_begin (workspace, task, FALSE);

  if (engine == NULL)
    return;
  Comparing *self = g_new0 (Comparing, 1);
  self->counter = g_strdup (counter);
  g_task_set_task_data (task, self, comparing_free);
  cyc_results_load (engine, run_id, loaded_cb, g_steal_pointer (&owned));
}
