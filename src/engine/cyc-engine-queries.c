/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-engine-private.h"

#include <string.h>

#include "core/base/cyc-error.h"
#include "core/model/cyc-kernel-stat.h"
#include "engine/cyc-installation.h"
#include "engine/cyc-kernel-list.h"
#include "engine/cyc-settings.h"

/* Reading: from the mirror at once, or from the database by a call. */

/**
 * cyc_engine_get_traces:
 * @self: the engine
 *
 * Returns: (transfer none): a list of #CycTrace
 */
GListModel *
cyc_engine_get_traces (CycEngine *self)
{
  return G_LIST_MODEL (self->trace_model);
}

/**
 * cyc_engine_get_runs:
 * @self: the engine
 *
 * Returns: (transfer none): a list of #CycRun
 */
GListModel *
cyc_engine_get_runs (CycEngine *self)
{
  return G_LIST_MODEL (self->run_model);
}

/**
 * cyc_engine_get_sims:
 * @self: the engine
 * @run_id: a run
 *
 * Returns: (transfer none) (nullable): a list of the run's #CycSim
 */
GListModel *
cyc_engine_get_sims (CycEngine  *self,
                     const char *run_id)
{
  CycRunEntryState *run = cyc_engine_run_entry (self, run_id);

  if (run == NULL)
    return NULL;
  cyc_engine_show_sims (run);
  return G_LIST_MODEL (run->model);
}

/**
 * cyc_engine_list_trace_records:
 * @self: the engine
 *
 * Returns: (transfer container) (element-type CycTraceRecord): the traces that are not removed
 */
GPtrArray *
cyc_engine_list_trace_records (CycEngine *self)
{
  GPtrArray *list = g_ptr_array_new ();

  for (guint i = 0; i < self->trace_order->len; i++)
    {
      CycTraceEntry *entry = g_ptr_array_index (self->trace_order, i);
      if (entry->row->removed_at == 0)
        g_ptr_array_add (list, entry->row->record);
    }
  return list;
}

/**
 * cyc_engine_find_trace:
 * @self: the engine
 * @id: a trace
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer none) (nullable): the trace, %NULL if it is not there or was removed
 */
const CycTraceRecord *
cyc_engine_find_trace (CycEngine   *self,
                       const char  *id,
                       GError     **error)
{
  CycTraceEntry *entry = cyc_engine_trace_entry (self, id);

  if (entry != NULL && entry->row->removed_at == 0)
    return entry->row->record;
  if (entry != NULL && !entry->row->purged)
    cyc_error_set_at (error, CYC_ERROR_NOT_FOUND, NULL, 0,
                      "trace '%s' was removed; `trace restore %s` brings it back", id, id);
  else
    cyc_rows_set_missing (error, "trace", id);
  return NULL;
}

/**
 * cyc_engine_find_run_trace:
 * @self: the engine
 * @id: the trace of a run
 *
 * Returns: (transfer none) (nullable): the trace, removed or not
 */
const CycTraceRecord *
cyc_engine_find_run_trace (CycEngine  *self,
                           const char *id)
{
  CycTraceEntry *entry = cyc_engine_trace_entry (self, id);

  return entry == NULL ? NULL : entry->row->record;
}

/**
 * cyc_engine_list_trace_ids:
 * @self: the engine
 *
 * Returns: (transfer full) (element-type utf8): a set of the ids that are taken, those of removed
 *   traces among them
 */
GHashTable *
cyc_engine_list_trace_ids (CycEngine *self)
{
  GHashTable *ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < self->trace_order->len; i++)
    {
      CycTraceEntry *entry = g_ptr_array_index (self->trace_order, i);
      g_hash_table_add (ids, g_strdup (entry->row->record->id));
    }
  return ids;
}

/**
 * cyc_engine_list_run_records:
 * @self: the engine
 *
 * Returns: (transfer container) (element-type CycRunRecord): the runs, oldest first
 */
GPtrArray *
cyc_engine_list_run_records (CycEngine *self)
{
  GPtrArray *list = g_ptr_array_new ();

  for (guint i = 0; i < self->run_order->len; i++)
    {
      CycRunEntryState *run = g_ptr_array_index (self->run_order, i);
      g_ptr_array_add (list, run->row->record);
    }
  return list;
}

/**
 * cyc_engine_find_run:
 * @self: the engine
 * @id: a run
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer none) (nullable): the run
 */
const CycRunRecord *
cyc_engine_find_run (CycEngine   *self,
                     const char  *id,
                     GError     **error)
{
  CycRunEntryState *run = cyc_engine_run_entry (self, id);

  if (run != NULL)
    return run->row->record;
  cyc_rows_set_missing (error, "run", id);
  return NULL;
}

/**
 * cyc_engine_list_sim_records:
 * @self: the engine
 * @run_id: a run
 *
 * Returns: (transfer container) (element-type CycSimRecord): its sims by configuration and replica
 */
GPtrArray *
cyc_engine_list_sim_records (CycEngine  *self,
                             const char *run_id)
{
  GPtrArray *list = g_ptr_array_new ();
  CycRunEntryState *run = cyc_engine_run_entry (self, run_id);

  for (guint i = 0; run != NULL && i < run->sims->len; i++)
    {
      CycSimEntry *sim = g_ptr_array_index (run->sims, i);
      g_ptr_array_add (list, sim->row->record);
    }
  return list;
}

/**
 * cyc_engine_find_sim:
 * @self: the engine
 * @id: a sim
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer none) (nullable): the sim
 */
const CycSimRecord *
cyc_engine_find_sim (CycEngine   *self,
                     const char  *id,
                     GError     **error)
{
  CycSimEntry *sim = cyc_engine_sim_entry (self, id);

  if (sim != NULL)
    return sim->row->record;
  cyc_rows_set_missing (error, "sim", id);
  return NULL;
}

/**
 * cyc_engine_list_run_configs:
 * @self: the engine
 * @run_id: a run
 *
 * Returns: (transfer container) (nullable) (element-type CycGpuConfigRecord): the configurations
 *   as they were when the run started, one an entry
 */
GPtrArray *
cyc_engine_list_run_configs (CycEngine  *self,
                             const char *run_id)
{
  CycRunEntryState *run = cyc_engine_run_entry (self, run_id);

  return run == NULL ? NULL : g_ptr_array_ref (run->row->configs);
}

/**
 * cyc_engine_get_sim_log_bytes:
 * @self: the engine
 * @sim_id: a sim
 *
 * Returns: how many bytes of its log were accepted
 */
guint64
cyc_engine_get_sim_log_bytes (CycEngine  *self,
                              const char *sim_id)
{
  CycSimEntry *sim = cyc_engine_sim_entry (self, sim_id);

  return sim == NULL ? 0 : sim->row->log_bytes;
}

/**
 * cyc_engine_count_local_sims:
 * @self: the engine
 *
 * Returns: how many unfinished sims this machine runs or will run: of real runs and of replays, not
 *   recorded ones
 */
guint
cyc_engine_count_local_sims (CycEngine *self)
{
  guint n = 0;

  for (guint i = 0; i < self->run_order->len; i++)
    {
      const CycRunEntryState *run = g_ptr_array_index (self->run_order, i);
      const guint *counts = run->row->record->sim_counts;
      if (run->row->record->sample)
        continue;
      for (guint state = 0; state < CYC_SIM_N_STATES; state++)
        if (!cyc_sim_state_is_terminal (state))
          n += counts[state];
    }
  return n;
}

/**
 * cyc_engine_get_sim_folder:
 * @self: the engine
 * @sim_id: a sim
 *
 * Returns: (transfer full) (nullable): where its log and files lie
 */
char *
cyc_engine_get_sim_folder (CycEngine  *self,
                           const char *sim_id)
{
  CycSimEntry *sim = cyc_engine_sim_entry (self, sim_id);

  return sim == NULL ? NULL
                     : cyc_workspace_dir_get_sim (self->dir, sim->row->record->run_id, sim_id);
}

/**
 * cyc_engine_get_trace_folder:
 * @self: the engine
 * @trace_id: a trace
 *
 * Returns: (transfer full): its folder
 */
char *
cyc_engine_get_trace_folder (CycEngine  *self,
                             const char *trace_id)
{
  return cyc_workspace_dir_get_trace (self->dir, trace_id);
}

/**
 * cyc_engine_load_configs:
 * @self: the engine
 * @simulator: (nullable): the simulator whose configurations go before those of the others
 * @error: (nullable): return location for an error
 *
 * Reads the GPU configurations afresh: those of the program's options first, then of the settings,
 * of the simulators, and of the samples. Any thread.
 *
 * Returns: (transfer full) (nullable): the configurations
 */
CycGpuConfigs *
cyc_engine_load_configs (CycEngine   *self,
                         const char  *simulator,
                         GError     **error)
{
  g_autoptr (CycSettings) settings = cyc_settings_load (cyc_engine_get_workspace (self), error);

  if (settings == NULL)
    return NULL;
  g_auto (GStrv) roots =
    cyc_installation_list_roots (settings, (const char *const *) self->config_roots, simulator,
                                 NULL);
  return cyc_gpu_configs_load ((const char *const *) roots);
}

/* Queries of the database. Each has its data, and hands out what the data holds. */

typedef struct
{
  char      *id;
  guint      first; /* of kernels, an index */
  GPtrArray *list;
  char      *text;
} Query;

static Query *
query_new (const char *id)
{
  Query *query = g_new0 (Query, 1);
  query->id = g_strdup (id);
  return query;
}

static void
query_free (gpointer data)
{
  Query *query = data;

  g_free (query->id);
  g_free (query->text);
  g_clear_pointer (&query->list, g_ptr_array_unref);
  g_free (query);
}

static GPtrArray *
steal_list (CycEngine     *self,
            GAsyncResult  *result,
            GError       **error)
{
  Query *query = cyc_store_call_finish (self->store, result, error);

  return query == NULL ? NULL : g_steal_pointer (&query->list);
}

static gboolean
launches_cb (sqlite3   *db,
             gpointer   data,
             GError   **error)
{
  Query *query = data;
  g_autoptr (CycTraceRow) row = cyc_rows_get_trace (db, query->id, error);

  if (row == NULL)
    return FALSE;
  query->text = g_strdup (row->metadata);
  query->list = cyc_rows_list_launches (db, query->id, error);
  return query->list != NULL;
}

/**
 * cyc_engine_query_launches:
 * @self: the engine
 * @trace_id: a trace
 * @callback: called with the result
 * @user_data: for @callback
 */
void
cyc_engine_query_launches (CycEngine           *self,
                           const char          *trace_id,
                           GAsyncReadyCallback  callback,
                           gpointer             user_data)
{
  cyc_store_call_async (self->store, launches_cb, query_new (trace_id), query_free, callback, user_data);
}

/**
 * cyc_engine_query_launches_finish:
 * @self: the engine
 * @result: what the callback got
 * @out_metadata: (out) (transfer full) (nullable): the text of metadata.json
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): #CycLaunchRecord in order
 */
GPtrArray *
cyc_engine_query_launches_finish (CycEngine     *self,
                                  GAsyncResult  *result,
                                  char         **out_metadata,
                                  GError       **error)
{
  Query *query = cyc_store_call_finish (self->store, result, error);

  if (query == NULL)
    return NULL;
  *out_metadata = g_steal_pointer (&query->text);
  return g_steal_pointer (&query->list);
}

static gboolean
files_cb (sqlite3   *db,
          gpointer   data,
          GError   **error)
{
  Query *query = data;

  query->list = cyc_rows_list_files (db, query->id, error);
  return query->list != NULL;
}

/**
 * cyc_engine_query_files:
 * @self: the engine
 * @run_id: a run
 * @callback: called with the result
 * @user_data: for @callback
 */
void
cyc_engine_query_files (CycEngine           *self,
                        const char          *run_id,
                        GAsyncReadyCallback  callback,
                        gpointer             user_data)
{
  cyc_store_call_async (self->store, files_cb, query_new (run_id), query_free, callback, user_data);
}

/**
 * cyc_engine_query_files_finish:
 * @self: the engine
 * @result: what the callback got
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): #CycFileRecord of all sims of the run
 */
GPtrArray *
cyc_engine_query_files_finish (CycEngine     *self,
                               GAsyncResult  *result,
                               GError       **error)
{
  return steal_list (self, result, error);
}

static gboolean
timelines_cb (sqlite3   *db,
              gpointer   data,
              GError   **error)
{
  Query *query = data;

  query->text = cyc_rows_list_timelines (db, query->id, error);
  return query->text != NULL;
}

/**
 * cyc_engine_query_timelines:
 * @self: the engine
 * @run_id: a run
 * @callback: called with the result
 * @user_data: for @callback
 */
void
cyc_engine_query_timelines (CycEngine           *self,
                            const char          *run_id,
                            GAsyncReadyCallback  callback,
                            gpointer             user_data)
{
  cyc_store_call_async (self->store, timelines_cb, query_new (run_id), query_free, callback, user_data);
}

/**
 * cyc_engine_query_timelines_finish:
 * @self: the engine
 * @result: what the callback got
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): a JSON list of SimStepTimeline
 */
char *
cyc_engine_query_timelines_finish (CycEngine     *self,
                                   GAsyncResult  *result,
                                   GError       **error)
{
  Query *query = cyc_store_call_finish (self->store, result, error);

  return query == NULL ? NULL : g_steal_pointer (&query->text);
}

static gboolean
kernels_cb (sqlite3   *db,
            gpointer   data,
            GError   **error)
{
  Query *query = data;
  g_autoptr (GPtrArray) sims = cyc_rows_list_sims (db, query->id, error);

  if (sims == NULL)
    return FALSE;
  query->list = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  for (guint i = 0; i < sims->len; i++)
    {
      CycSimRow *sim = g_ptr_array_index (sims, i);
      GPtrArray *kernels = cyc_rows_list_kernels (db, sim->record->id, error);
      if (kernels == NULL)
        return FALSE;
      g_ptr_array_add (query->list, kernels);
    }
  return TRUE;
}

/**
 * cyc_engine_query_kernels:
 * @self: the engine
 * @run_id: a run
 * @callback: called with the result
 * @user_data: for @callback
 */
void
cyc_engine_query_kernels (CycEngine           *self,
                          const char          *run_id,
                          GAsyncReadyCallback  callback,
                          gpointer             user_data)
{
  cyc_store_call_async (self->store, kernels_cb, query_new (run_id), query_free, callback, user_data);
}

/**
 * cyc_engine_query_kernels_finish:
 * @self: the engine
 * @result: what the callback got
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): for each sim, in the order of cyc_engine_list_sim_records(),
 *   a list of #CycKernelRecord
 */
GPtrArray *
cyc_engine_query_kernels_finish (CycEngine     *self,
                                 GAsyncResult  *result,
                                 GError       **error)
{
  return steal_list (self, result, error);
}

static gboolean
sim_kernels_cb (sqlite3   *db,
                gpointer   data,
                GError   **error)
{
  Query *query = data;

  query->list = cyc_rows_list_kernels_from (db, query->id, query->first, error);
  return query->list != NULL;
}

/**
 * cyc_engine_query_sim_kernels:
 * @self: the engine
 * @sim_id: a sim
 * @first: index of the first kernel that is wanted
 * @callback: called with the result
 * @user_data: for @callback
 */
void
cyc_engine_query_sim_kernels (CycEngine           *self,
                              const char          *sim_id,
                              guint                first,
                              GAsyncReadyCallback  callback,
                              gpointer             user_data)
{
  Query *query = query_new (sim_id);

  query->first = first;
  cyc_store_call_async (self->store, sim_kernels_cb, query, query_free, callback, user_data);
}

/**
 * cyc_engine_query_sim_kernels_finish:
 * @self: the engine
 * @result: what the callback got
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): a list of #CycKernelRecord by index, as it was committed
 */
GPtrArray *
cyc_engine_query_sim_kernels_finish (CycEngine     *self,
                                     GAsyncResult  *result,
                                     GError       **error)
{
  return steal_list (self, result, error);
}

static CycKernelList *
get_kernel_list (CycEngine  *self,
                 const char *sim_id)
{
  CycSimEntry *sim = cyc_engine_sim_entry (self, sim_id);

  if (sim != NULL && sim->kernels != NULL)
    return g_object_ref (sim->kernels);
  CycKernelList *list = cyc_kernel_list_new ();
  if (sim != NULL)
    g_set_weak_pointer (&sim->kernels, list);
  return list;
}

static void
kernels_loaded_cb (GObject      *source,
                   GAsyncResult *result,
                   gpointer      user_data)
{
  g_autoptr (GTask) task = user_data;
  CycEngine *self = g_task_get_source_object (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) records = steal_list (self, result, &error);

  if (records == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  cyc_kernel_list_fill (g_task_get_task_data (task), records);
  g_task_return_boolean (task, TRUE);
}

/**
 * cyc_engine_load_kernels:
 * @self: the engine
 * @sim_id: a sim
 * @callback: called with the result
 * @user_data: for @callback
 *
 * Reads the kernels of a sim. As long as the list is held by somebody, it follows.
 */
void
cyc_engine_load_kernels (CycEngine           *self,
                         const char          *sim_id,
                         GAsyncReadyCallback  callback,
                         gpointer             user_data)
{
  GTask *task = g_task_new (self, NULL, callback, user_data);

  g_task_set_source_tag (task, cyc_engine_load_kernels);
  /* There before the database is read: what comes meanwhile is not missed. */
  g_task_set_task_data (task, get_kernel_list (self, sim_id), g_object_unref);
  cyc_store_call_async (self->store, sim_kernels_cb, query_new (sim_id), query_free, kernels_loaded_cb,
                        task);
}

/**
 * cyc_engine_load_kernels_finish:
 * @self: the engine
 * @result: what the callback got
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): a list of #CycKernelStat, made as rows are asked for
 */
GListModel *
cyc_engine_load_kernels_finish (CycEngine     *self,
                                GAsyncResult  *result,
                                GError       **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, cyc_engine_load_kernels), NULL);

  if (!g_task_propagate_boolean (G_TASK (result), error))
    return NULL;
  return g_object_ref (g_task_get_task_data (G_TASK (result)));
}

/**
 * cyc_engine_finish:
 * @self: the engine
 * @result: what the callback of a change got
 * @error: (nullable): return location for an error
 *
 * Returns: %TRUE if the change is committed
 */
gboolean
cyc_engine_finish (CycEngine     *self,
                   GAsyncResult  *result,
                   GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
