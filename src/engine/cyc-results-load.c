/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-results-load.h"

#include <string.h>

/* A snapshot of what a run has left, for threads that write or compare it. */

typedef struct
{
  char       *run_id;
  CycResults *results;
} Loading;

static void
loading_free (gpointer data)
{
  Loading *self = data;

  g_free (self->run_id);
  cyc_results_free (self->results);
  g_free (self);
}

static const CycGpuConfigRecord *
find_config (GPtrArray  *configs,
             const char *name)
{
  for (guint i = 0; configs != NULL && i < configs->len; i++)
    {
      const CycGpuConfigRecord *config = g_ptr_array_index (configs, i);
      if (strcmp (config->name, name) == 0)
        return config;
    }
  return NULL;
}

static gboolean
take_kernels (Loading    *self,
              CycEngine  *engine,
              GPtrArray  *kernels,
              GError    **error)
{
  const CycRunRecord *run = cyc_engine_find_run (engine, self->run_id, error);

  if (run == NULL)
    return FALSE;
  g_autoptr (GPtrArray) sims = cyc_engine_list_sim_records (engine, self->run_id);
  g_autoptr (GPtrArray) configs = cyc_engine_list_run_configs (engine, self->run_id);
  self->results->run = cyc_run_record_copy (run);
  for (guint i = 0; i < sims->len && i < kernels->len; i++)
    {
      const CycSimRecord *sim = g_ptr_array_index (sims, i);
      g_autofree char *folder = cyc_engine_get_sim_folder (engine, sim->id);
      g_autofree char *log = g_build_filename (folder, "log", NULL);
      cyc_results_add_sim (self->results, sim, find_config (configs, sim->gpu_config),
                           g_ptr_array_index (kernels, i), log);
    }
  return TRUE;
}

static void
launches_cb (GObject      *source,
             GAsyncResult *result,
             gpointer      user_data)
{
  g_autoptr (GTask) task = user_data;
  CycEngine *engine = g_task_get_source_object (task);
  CycResults *results = ((Loading *) g_task_get_task_data (task))->results;

  /* A trace that is gone for good leaves its runs without details: that is no error here. */
  results->launches = cyc_engine_query_launches_finish (engine, result, &results->metadata, NULL);
  if (results->launches == NULL)
    results->launches = g_ptr_array_new ();
  const CycTraceRecord *trace = cyc_engine_find_run_trace (engine, results->run->trace_id);
  if (trace != NULL)
    results->trace = cyc_trace_record_copy (trace);
  g_task_return_boolean (task, TRUE);
}

static void
kernels_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autoptr (GTask) task = user_data;
  CycEngine *engine = g_task_get_source_object (task);
  Loading *self = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) kernels = cyc_engine_query_kernels_finish (engine, result, &error);

  if (kernels == NULL || !take_kernels (self, engine, kernels, &error))
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  const char *trace_id = self->results->run->trace_id;
  g_autofree char *folder = cyc_engine_get_trace_folder (engine, trace_id);
  self->results->timing_path = g_build_filename (folder, "real_timing.json", NULL);
  cyc_engine_query_launches (engine, trace_id, launches_cb, g_steal_pointer (&task));
}

/**
 * cyc_results_load:
 * @engine: the engine
 * @run_id: a run
 * @callback: called with the result
 * @user_data: for @callback
 *
 * Takes down the records of a run, of its simulations and of its trace. Main thread.
 */
void
cyc_results_load (CycEngine           *engine,
                  const char          *run_id,
                  GAsyncReadyCallback  callback,
                  gpointer             user_data)
{
  g_autoptr (GTask) task = g_task_new (engine, NULL, callback, user_data);
  g_autoptr (GError) error = NULL;
  Loading *self = g_new0 (Loading, 1);

  self->run_id = g_strdup (run_id);
  self->results = cyc_results_new ();
  g_task_set_source_tag (task, cyc_results_load);
  g_task_set_task_data (task, self, loading_free);
  if (cyc_engine_find_run (engine, run_id, &error) != NULL)
    cyc_engine_query_kernels (engine, run_id, kernels_cb, g_steal_pointer (&task));
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

/**
 * cyc_results_load_finish:
 * @engine: the engine
 * @result: what the callback got
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): the results
 */
CycResults *
cyc_results_load_finish (CycEngine     *engine,
                         GAsyncResult  *result,
                         GError       **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, cyc_results_load), NULL);

  if (!g_task_propagate_boolean (G_TASK (result), error))
    return NULL;
  Loading *self = g_task_get_task_data (G_TASK (result));
  return g_steal_pointer (&self->results);
}
