/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-engine-private.h"

#include <string.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-util.h"
#include "engine/cyc-engine-change-private.h"
#include "engine/cyc-engine-takeover-private.h"
#include "engine/cyc-run-plan.h"

/**
 * cyc_run_request_new:
 *
 * Returns: (transfer full): a request without entries
 */
CycRunRequest *
cyc_run_request_new (void)
{
  CycRunRequest *self = g_new0 (CycRunRequest, 1);
  self->entries = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_run_entry_free);
  self->options = g_new0 (char *, 1);
  return self;
}

/**
 * cyc_run_request_copy:
 * @self: a request
 *
 * Returns: (transfer full): a copy
 */
CycRunRequest *
cyc_run_request_copy (const CycRunRequest *self)
{
  CycRunRequest *copy = cyc_run_request_new ();

  copy->trace_id = g_strdup (self->trace_id);
  copy->launcher = g_strdup (self->launcher);
  copy->simulator = g_strdup (self->simulator);
  g_strfreev (copy->options);
  copy->options = g_strdupv (self->options);
  copy->force_arch = self->force_arch;
  for (guint i = 0; i < self->entries->len; i++)
    {
      const CycRunEntry *entry = g_ptr_array_index (self->entries, i);
      g_ptr_array_add (copy->entries, cyc_run_entry_new (entry->gpu_config, entry->count));
    }
  return copy;
}

/**
 * cyc_run_request_free:
 * @self: (transfer full) (nullable): a request
 */
void
cyc_run_request_free (CycRunRequest *self)
{
  if (self == NULL)
    return;
  g_free (self->trace_id);
  g_ptr_array_unref (self->entries);
  g_free (self->launcher);
  g_free (self->simulator);
  g_strfreev (self->options);
  g_free (self);
}

static int
compare_sims (gconstpointer a,
              gconstpointer b)
{
  const CycSimRow *first = *(const CycSimRow *const *) a;
  const CycSimRow *second = *(const CycSimRow *const *) b;
  int order = strcmp (first->record->gpu_config, second->record->gpu_config);

  if (order == 0)
    order = (int) first->record->replica - (int) second->record->replica;
  /* As the database does, or the two would differ where a configuration stands in two entries. */
  return order != 0 ? order : strcmp (first->record->id, second->record->id);
}

/* A configuration may stand in several entries: replicas count on within each entry. */
static GPtrArray *
make_sims (const CycRunRow      *run,
           const CycTraceRecord *trace)
{
  GPtrArray *sims = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_sim_row_free);

  for (guint i = 0; i < run->record->entries->len; i++)
    {
      const CycRunEntry *entry = g_ptr_array_index (run->record->entries, i);
      for (guint replica = 0; replica < entry->count; replica++)
        {
          CycSimRow *sim = cyc_sim_row_new ();
          g_autofree char *hex = cyc_random_hex (6);
          sim->record->id = g_strconcat ("sim-", hex, NULL);
          sim->record->run_id = g_strdup (run->record->id);
          sim->record->gpu_config = g_strdup (entry->gpu_config);
          sim->record->replica = replica;
          sim->record->created_at = run->record->created_at;
          sim->record->kernels_total = (guint) MAX (0, trace->kernel_count);
          sim->token = cyc_random_hex (32);
          g_ptr_array_add (sims, sim);
        }
    }
  g_ptr_array_sort (sims, compare_sims);
  return sims;
}

static gboolean
create_store (sqlite3   *db,
              gpointer   data,
              GError   **error)
{
  CycChange *change = data;
  CycRunRow *run = change->run;
  g_autoptr (CycTraceRow) trace = cyc_rows_get_trace (db, run->record->trace_id, error);

  if (trace == NULL)
    return FALSE;
  if (trace->removed_at != 0 || trace->record->state != CYC_TRACE_READY)
    {
      cyc_error_set_at (error, CYC_ERROR_STATE, NULL, 0, "trace '%s' is %s, not ready",
                        run->record->trace_id,
                        trace->removed_at != 0 ? "removed"
                                               : cyc_trace_state_to_string (trace->record->state));
      return FALSE;
    }
  change->sims = make_sims (run, trace->record);
  if (!cyc_rows_insert_run (db, run, error))
    return FALSE;
  for (guint i = 0; i < change->sims->len; i++)
    if (!cyc_rows_insert_sim (db, g_ptr_array_index (change->sims, i), error))
      return FALSE;
  return TRUE;
}

static void
apply_create (CycChange *change)
{
  CycEngine *self = change->engine;

  CycRunEntryState *run =
    cyc_engine_adopt_run (self, g_steal_pointer (&change->run), g_steal_pointer (&change->sims));
  run->plan = g_steal_pointer (&change->plan);
  self->holds_back = FALSE;
  cyc_engine_schedule (self);
}

typedef struct
{
  CycEngine     *engine;
  CycRunRequest *request;
  char          *run_id;
} Create;

static void
create_free (gpointer data)
{
  Create *create = data;

  cyc_run_request_free (create->request);
  g_free (create->run_id);
  g_free (create);
}

static void
created_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;

  if (cyc_engine_finish (CYC_ENGINE (source), result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static void
planned_cb (CycRunPlan *plan,
            GError     *error,
            gpointer    user_data)
{
  g_autoptr (GTask) task = user_data;
  CycEngine *self = g_task_get_source_object (task);
  Create *create = g_task_get_task_data (task);

  self->pending_work--;
  if (error != NULL)
    {
      g_task_return_error (task, g_error_copy (error));
      return;
    }
  CycChange *change = cyc_change_new (self, NULL, created_cb, g_object_ref (task));
  CycRunRow *row = change->run = cyc_run_row_new ();
  g_autofree char *hex = cyc_random_hex (6);
  row->record->id = g_strconcat ("run-", hex, NULL);
  row->record->trace_id = g_strdup (create->request->trace_id);
  row->record->created_at = g_get_real_time ();
  row->record->replay = plan->job->replay;
  row->launcher = g_strdup (plan->job->replay ? "replay" : "local");
  row->simulator = g_strdup (plan->simulator_name);
  g_strfreev (row->options);
  row->options = g_strdupv (create->request->options);
  row->force_arch = create->request->force_arch;
  for (guint i = 0; i < create->request->entries->len; i++)
    {
      const CycRunEntry *entry = g_ptr_array_index (create->request->entries, i);
      g_ptr_array_add (row->record->entries, cyc_run_entry_new (entry->gpu_config, entry->count));
      CycGpuConfig *config = cyc_gpu_configs_find (plan->job->configs, entry->gpu_config);
      g_ptr_array_add (row->configs, cyc_gpu_config_to_record (config));
    }
  create->run_id = g_strdup (row->record->id);
  change->plan = g_steal_pointer (&plan->job);
  cyc_change_run (change, create_store, apply_create);
}

/**
 * cyc_engine_create_run:
 * @self: the engine
 * @request: what is asked for, copied
 * @callback: told when the run is there, its sims pending
 * @user_data: for @callback
 *
 * Checks the trace against the configurations and the simulator on a thread, then creates the run.
 */
void
cyc_engine_create_run (CycEngine            *self,
                       const CycRunRequest  *request,
                       GAsyncReadyCallback   callback,
                       gpointer              user_data)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);
  g_autoptr (GError) error = NULL;
  Create *create = g_new0 (Create, 1);

  create->engine = self;
  create->request = cyc_run_request_copy (request);
  g_task_set_source_tag (task, cyc_engine_create_run);
  g_task_set_task_data (task, create, create_free);
  const CycTraceRecord *trace = cyc_engine_find_trace (self, request->trace_id, &error);
  if (trace != NULL && trace->state != CYC_TRACE_READY)
    cyc_error_set_at (&error, CYC_ERROR_STATE, NULL, 0, "trace '%s' is %s, not ready", trace->id,
                      cyc_trace_state_to_string (trace->state));
  if (error != NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  self->pending_work++;
  cyc_run_plan_make (self, create->request, CYC_RUN_PLAN_CHECK, planned_cb, g_steal_pointer (&task));
}

/**
 * cyc_engine_create_run_finish:
 * @self: the engine
 * @result: what the callback got
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): the id of the new run
 */
char *
cyc_engine_create_run_finish (CycEngine     *self,
                              GAsyncResult  *result,
                              GError       **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, cyc_engine_create_run), NULL);

  Create *create = g_task_get_task_data (G_TASK (result));
  if (!g_task_propagate_boolean (G_TASK (result), error))
    return NULL;
  return g_strdup (create->run_id);
}

static void
add_to_entry (CycRunRequest *request,
              const char    *gpu_config)
{
  for (guint i = 0; i < request->entries->len; i++)
    {
      CycRunEntry *entry = g_ptr_array_index (request->entries, i);
      if (strcmp (entry->gpu_config, gpu_config) == 0 && entry->count < CYC_RUN_MAX_COUNT)
        {
          entry->count++;
          return;
        }
    }
  g_ptr_array_add (request->entries, cyc_run_entry_new (gpu_config, 1));
}

/**
 * cyc_engine_dup_failed_request:
 * @self: the engine
 * @run_id: a run
 * @error: (nullable): return location for %CYC_ERROR_NOT_FOUND or %CYC_ERROR_STATE
 *
 * Returns: (transfer full) (nullable): what asks for a run of those of its simulations that failed or were
 *   cancelled, as they were; %NULL if there are none
 */
CycRunRequest *
cyc_engine_dup_failed_request (CycEngine   *self,
                               const char  *run_id,
                               GError     **error)
{
  g_return_val_if_fail (CYC_IS_ENGINE (self) && run_id != NULL, NULL);

  if (cyc_engine_find_run (self, run_id, error) == NULL)
    return NULL;
  const CycRunRow *row = cyc_engine_run_entry (self, run_id)->row;
  g_autoptr (CycRunRequest) request = cyc_run_request_new ();
  g_autoptr (GPtrArray) sims = cyc_engine_list_sim_records (self, run_id);
  request->trace_id = g_strdup (row->record->trace_id);
  request->launcher = g_strdup (row->record->sample || row->record->replay ? "replay" : "local");
  request->simulator = g_strdup (row->simulator);
  g_strfreev (request->options);
  request->options = g_strdupv (row->options);
  request->force_arch = row->force_arch;
  for (guint i = 0; i < sims->len; i++)
    {
      const CycSimRecord *sim = g_ptr_array_index (sims, i);
      if (sim->state == CYC_SIM_FAILED || sim->state == CYC_SIM_CANCELLED)
        add_to_entry (request, sim->gpu_config);
    }
  if (request->entries->len > 0)
    return g_steal_pointer (&request);
  cyc_error_set_at (error, CYC_ERROR_STATE, NULL, 0,
                    "no simulation of run '%s' has failed or was cancelled: there is nothing to start again", run_id);
  return NULL;
}

static gboolean
cancel_store (sqlite3   *db,
              gpointer   data,
              GError   **error)
{
  CycChange *change = data;
  g_autoptr (CycRunRow) run = cyc_rows_get_run (db, change->id, error);

  if (run == NULL)
    return FALSE;
  change->sims = cyc_rows_list_sims (db, change->id, error);
  if (change->sims == NULL)
    return FALSE;
  /* Recorded results: cancelling changes nothing. */
  for (guint i = run->record->sample ? change->sims->len : 0; i < change->sims->len; i++)
    {
      CycSimRow *row = g_ptr_array_index (change->sims, i);
      if (!cyc_sim_state_can_move (row->record->state, CYC_SIM_CANCELLED))
        continue;
      row->record->state = CYC_SIM_CANCELLED;
      row->record->finished_at = g_get_real_time ();
      g_clear_pointer (&row->record->error, g_free);
      if (!cyc_rows_update_sim (db, row, error))
        return FALSE;
    }
  return TRUE;
}

static void
apply_cancel (CycChange *change)
{
  CycEngine *self = change->engine;

  for (guint i = 0; i < change->sims->len; i++)
    {
      CycSimRow *row = g_steal_pointer (&g_ptr_array_index (change->sims, i));
      CycSimEntry *sim = cyc_engine_sim_entry (self, row->record->id);
      gboolean cancelled = row->record->state == CYC_SIM_CANCELLED;
      cyc_engine_adopt_sim (self, row);
      if (sim != NULL && cancelled)
        cyc_engine_stop_worker (self, sim);
    }
  g_ptr_array_set_free_func (change->sims, NULL);
}

/**
 * cyc_engine_cancel_run:
 * @self: the engine
 * @id: a run
 * @callback: told when its unfinished sims are cancelled
 * @user_data: for @callback
 *
 * Unfinished sims are cancelled at once; local workers are told as well, and still report.
 */
void
cyc_engine_cancel_run (CycEngine           *self,
                       const char          *id,
                       GAsyncReadyCallback  callback,
                       gpointer             user_data)
{
  cyc_change_run (cyc_change_new (self, id, callback, user_data), cancel_store, apply_cancel);
}

static gboolean
remove_store (sqlite3   *db,
              gpointer   data,
              GError   **error)
{
  CycChange *change = data;
  g_autoptr (CycRunRow) run = cyc_rows_get_run (db, change->id, error);

  if (run == NULL)
    return FALSE;
  if (cyc_run_record_get_state (run->record) == CYC_RUN_ACTIVE)
    {
      cyc_error_set_at (error, CYC_ERROR_STATE, NULL, 0,
                        "run '%s' is active; cancel it first", change->id);
      return FALSE;
    }
  change->sims = cyc_rows_list_sims (db, change->id, error);
  if (change->sims == NULL)
    return FALSE;
  for (guint i = 0; i < change->sims->len; i++)
    {
      CycSimRow *sim = g_ptr_array_index (change->sims, i);
      g_autofree char *job = g_build_filename (change->text, "jobs", sim->record->id, NULL);
      cyc_change_discard (change, job);
    }
  g_autofree char *folder = g_build_filename (change->text, "runs", change->id, NULL);
  cyc_change_discard (change, folder);
  return cyc_rows_delete_run (db, change->id, error);
}

static void
apply_remove (CycChange *change)
{
  CycEngine *self = change->engine;
  CycRunEntryState *run = cyc_engine_run_entry (self, change->id);

  if (run == NULL)
    return;
  for (guint i = 0; i < run->sims->len; i++)
    {
      CycSimEntry *sim = g_ptr_array_index (run->sims, i);
      cyc_engine_stop_worker (self, sim);
      cyc_takeover_abandon (sim);
      cyc_ingest_forget (self->ingest, sim->row->record->id);
    }
  cyc_engine_drop_run (self, change->id);
}

/**
 * cyc_engine_remove_run:
 * @self: the engine
 * @id: a run that is not active
 * @callback: told when it is gone
 * @user_data: for @callback
 *
 * Removes a run with its logs and files.
 */
void
cyc_engine_remove_run (CycEngine           *self,
                       const char          *id,
                       GAsyncReadyCallback  callback,
                       gpointer             user_data)
{
  CycChange *change = cyc_change_new (self, id, callback, user_data);

  change->text = g_strdup (cyc_engine_get_workspace (self));
  cyc_change_run (change, remove_store, apply_remove);
}
