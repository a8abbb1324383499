/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-engine-private.h"

#include <string.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-paths.h"
#include "core/base/cyc-util.h"
#include "core/model/cyc-list-assign.h"
#include "engine/cyc-api-security.h"

#define BATCH_MS 100
#define TICK_MS 1000
#define SCAN_MS 2000

G_DEFINE_FINAL_TYPE (CycEngine, cyc_engine, G_TYPE_OBJECT)

static void
trace_entry_free (CycTraceEntry *entry)
{
  cyc_trace_row_free (entry->row);
  g_clear_object (&entry->item);
  g_free (entry);
}

static void
run_entry_free (CycRunEntryState *entry)
{
  cyc_run_row_free (entry->row);
  g_clear_object (&entry->item);
  g_clear_object (&entry->model);
  g_ptr_array_unref (entry->sims);
  g_clear_pointer (&entry->plan, cyc_job_plan_unref);
  g_queue_clear_full (&entry->planning, g_free);
  g_free (entry);
}

static void
sim_entry_free (CycSimEntry *entry)
{
  cyc_sim_row_free (entry->row);
  g_clear_object (&entry->item);
  g_clear_object (&entry->worker);
  g_clear_weak_pointer (&entry->kernels);
  g_free (entry->trouble);
  g_clear_pointer (&entry->new_kernels, g_ptr_array_unref);
  g_free (entry);
}

static void
cyc_engine_finalize (GObject *object)
{
  CycEngine *self = CYC_ENGINE (object);

  cyc_engine_close (self);
  g_clear_object (&self->trace_model);
  g_clear_object (&self->run_model);
  g_ptr_array_unref (self->trace_order);
  g_ptr_array_unref (self->run_order);
  g_queue_clear_full (&self->spawns, g_free);
  g_hash_table_unref (self->tokens);
  g_hash_table_unref (self->sims);
  g_hash_table_unref (self->runs);
  g_hash_table_unref (self->traces);
  g_strfreev (self->config_roots);
  g_free (self->workspace_id);
  g_free (self->token);
  g_free (self->url);
  g_object_unref (self->cancellable);
  g_clear_pointer (&self->dir, cyc_workspace_dir_free);
  G_OBJECT_CLASS (cyc_engine_parent_class)->finalize (object);
}

static void
cyc_engine_class_init (CycEngineClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = cyc_engine_finalize;
}

static void
cyc_engine_init (CycEngine *self)
{
  self->traces = g_hash_table_new_full (g_str_hash, g_str_equal, NULL,
                                        (GDestroyNotify) trace_entry_free);
  self->runs = g_hash_table_new_full (g_str_hash, g_str_equal, NULL,
                                      (GDestroyNotify) run_entry_free);
  self->sims = g_hash_table_new_full (g_str_hash, g_str_equal, NULL,
                                      (GDestroyNotify) sim_entry_free);
  self->tokens = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->trace_order = g_ptr_array_new ();
  self->run_order = g_ptr_array_new ();
  self->trace_model = g_list_store_new (CYC_TYPE_TRACE);
  self->run_model = g_list_store_new (CYC_TYPE_RUN);
  g_queue_init (&self->spawns);
  self->cancellable = g_cancellable_new ();
  cyc_clock_init (&self->clock);
}

/* The mirror */

/**
 * cyc_engine_trace_entry:
 * @self: the engine
 * @id: a trace
 *
 * Returns: (transfer none) (nullable): its mirror, removed ones included
 */
CycTraceEntry *
cyc_engine_trace_entry (CycEngine  *self,
                        const char *id)
{
  return g_hash_table_lookup (self->traces, id);
}

/**
 * cyc_engine_run_entry:
 * @self: the engine
 * @id: a run
 *
 * Returns: (transfer none) (nullable): its mirror
 */
CycRunEntryState *
cyc_engine_run_entry (CycEngine  *self,
                      const char *id)
{
  return g_hash_table_lookup (self->runs, id);
}

/**
 * cyc_engine_sim_entry:
 * @self: the engine
 * @id: a sim
 *
 * Returns: (transfer none) (nullable): its mirror
 */
CycSimEntry *
cyc_engine_sim_entry (CycEngine  *self,
                      const char *id)
{
  return g_hash_table_lookup (self->sims, id);
}

static void
publish_traces (CycEngine *self)
{
  g_autoptr (GPtrArray) listed = g_ptr_array_new ();

  for (guint i = 0; i < self->trace_order->len; i++)
    {
      CycTraceEntry *entry = g_ptr_array_index (self->trace_order, i);
      if (entry->row->removed_at != 0)
        {
          self->traces_moved |= entry->item != NULL;
          g_clear_object (&entry->item);
        }
      else if (entry->item == NULL)
        {
          entry->item = cyc_trace_new (entry->row->record);
          self->traces_moved = TRUE;
        }
      else if (entry->dirty)
        {
          cyc_record_item_set_record (CYC_RECORD_ITEM (entry->item), entry->row->record);
        }
      entry->dirty = FALSE;
      if (entry->item != NULL)
        g_ptr_array_add (listed, entry->item);
    }
  if (self->traces_moved)
    cyc_list_assign (self->trace_model, listed);
  self->traces_moved = FALSE;
}

static void
publish_item (CycSimEntry *sim)
{
  if (sim->item == NULL)
    sim->item = cyc_sim_new (sim->row->record);
  else if (sim->dirty)
    cyc_record_item_set_record (CYC_RECORD_ITEM (sim->item), sim->row->record);
}

static void
publish_kernels (CycSimEntry *sim)
{
  g_autoptr (GPtrArray) kernels = g_steal_pointer (&sim->new_kernels);

  if (kernels != NULL && sim->kernels != NULL)
    cyc_kernel_list_update (sim->kernels, kernels);
}

static void
publish_sims (CycRunEntryState *run)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new ();

  for (guint i = 0; i < run->sims->len; i++)
    {
      CycSimEntry *sim = g_ptr_array_index (run->sims, i);
      if (run->shown)
        {
          publish_item (sim);
          g_ptr_array_add (items, sim->item);
        }
      sim->dirty = FALSE;
      publish_kernels (sim);
    }
  /* Sims come with their run and go with it. */
  if (g_list_model_get_n_items (G_LIST_MODEL (run->model)) != items->len)
    cyc_list_assign (run->model, items);
}

/**
 * cyc_engine_show_sims:
 * @run: the mirror of a run
 *
 * Has the run's model hold its sims from now on: most runs are never looked into.
 */
void
cyc_engine_show_sims (CycRunEntryState *run)
{
  if (run->shown)
    return;
  run->shown = TRUE;
  publish_sims (run);
}

static void
publish_runs (CycEngine *self)
{
  g_autoptr (GPtrArray) listed = g_ptr_array_new ();

  for (guint i = 0; i < self->run_order->len; i++)
    {
      CycRunEntryState *run = g_ptr_array_index (self->run_order, i);
      if (run->dirty)
        publish_sims (run);
      if (run->item == NULL)
        {
          run->item = cyc_run_new (run->row->record);
          self->runs_moved = TRUE;
        }
      else if (run->dirty)
        {
          cyc_record_item_set_record (CYC_RECORD_ITEM (run->item), run->row->record);
        }
      run->dirty = FALSE;
      g_ptr_array_add (listed, run->item);
    }
  if (self->runs_moved)
    cyc_list_assign (self->run_model, listed);
  self->runs_moved = FALSE;
}

static gboolean
publish_cb (gpointer data)
{
  CycEngine *self = data;

  self->batch_source = 0;
  publish_traces (self);
  publish_runs (self);
  return G_SOURCE_REMOVE;
}

/**
 * cyc_engine_queue_batch:
 * @self: the engine
 *
 * Has the models follow the mirror with the next batch.
 */
void
cyc_engine_queue_batch (CycEngine *self)
{
  if (self->batch_source == 0 && !self->closed)
    self->batch_source = g_timeout_add (BATCH_MS, publish_cb, self);
}

/**
 * cyc_engine_publish:
 * @self: the engine
 *
 * Has the models follow what is committed now, without waiting for the next batch: for who asked for
 * a change and wants to show it. Main thread.
 */
void
cyc_engine_publish (CycEngine *self)
{
  g_return_if_fail (CYC_IS_ENGINE (self));

  if (self->batch_source == 0)
    return;
  g_clear_handle_id (&self->batch_source, g_source_remove);
  publish_cb (self);
}

/**
 * cyc_engine_adopt_trace:
 * @self: the engine
 * @row: (transfer full): a trace as it was committed
 *
 * Takes it into the mirror.
 */
void
cyc_engine_adopt_trace (CycEngine   *self,
                        CycTraceRow *row)
{
  CycTraceEntry *entry = cyc_engine_trace_entry (self, row->record->id);

  if (entry == NULL)
    {
      entry = g_new0 (CycTraceEntry, 1);
      entry->row = row;
      g_ptr_array_add (self->trace_order, entry);
    }
  else
    {
      g_hash_table_steal (self->traces, row->record->id);
      cyc_trace_row_free (entry->row);
      entry->row = row;
    }
  g_hash_table_insert (self->traces, row->record->id, entry);
  entry->dirty = TRUE;
  cyc_engine_queue_batch (self);
  cyc_engine_tell_trace (self, entry->row->record->id);
}

/**
 * cyc_engine_drop_trace:
 * @self: the engine
 * @id: a trace that is no longer in the database
 */
void
cyc_engine_drop_trace (CycEngine  *self,
                       const char *id)
{
  CycTraceEntry *entry = cyc_engine_trace_entry (self, id);

  if (entry == NULL)
    return;
  g_ptr_array_remove (self->trace_order, entry);
  g_hash_table_remove (self->traces, id);
  self->traces_moved = TRUE;
  cyc_engine_queue_batch (self);
  cyc_engine_tell_trace (self, id);
}

static void
count_sims (CycRunEntryState *run)
{
  CycRunRecord *record = run->row->record;
  guint *counts = record->sim_counts;

  memset (counts, 0, sizeof record->sim_counts);
  record->limit_count = 0;
  record->started_at = record->finished_at = 0;
  for (guint i = 0; i < run->sims->len; i++)
    {
      CycSimEntry *sim = g_ptr_array_index (run->sims, i);
      counts[sim->row->record->state]++;
      if (cyc_sim_record_is_limited (sim->row->record))
        record->limit_count++;
      cyc_run_record_add_times (record, sim->row->record->started_at, sim->row->record->finished_at);
    }
  if (cyc_run_record_get_state (record) == CYC_RUN_ACTIVE)
    record->finished_at = 0;
}

/**
 * cyc_engine_adopt_run:
 * @self: the engine
 * @row: (transfer full): a new run as it was committed
 * @sims: (transfer full) (element-type CycSimRow): its sims, in order
 *
 * Takes both into the mirror.
 *
 * Returns: (transfer none): its mirror
 */
CycRunEntryState *
cyc_engine_adopt_run (CycEngine *self,
                      CycRunRow *row,
                      GPtrArray *sims)
{
  CycRunEntryState *run = g_new0 (CycRunEntryState, 1);

  run->row = row;
  run->sims = g_ptr_array_new ();
  run->model = g_list_store_new (CYC_TYPE_SIM);
  for (guint i = 0; i < sims->len; i++)
    {
      CycSimEntry *sim = g_new0 (CycSimEntry, 1);
      sim->row = g_steal_pointer (&g_ptr_array_index (sims, i));
      sim->run = run;
      sim->dirty = TRUE;
      sim->heard_at = cyc_clock_now (&self->clock);
      g_ptr_array_add (run->sims, sim);
      g_hash_table_insert (self->sims, sim->row->record->id, sim);
      g_hash_table_insert (self->tokens, cyc_api_token_digest (sim->row->token), sim->row->record->id);
    }
  g_ptr_array_set_free_func (sims, NULL);
  g_ptr_array_unref (sims);
  count_sims (run);
  run->dirty = TRUE;
  g_hash_table_insert (self->runs, run->row->record->id, run);
  g_ptr_array_add (self->run_order, run);
  cyc_engine_queue_batch (self);
  cyc_engine_tell_run (self, run->row->record->id);
  return run;
}

/**
 * cyc_engine_drop_run:
 * @self: the engine
 * @id: a run that is no longer in the database
 */
void
cyc_engine_drop_run (CycEngine  *self,
                     const char *id)
{
  CycRunEntryState *run = cyc_engine_run_entry (self, id);

  if (run == NULL)
    return;
  for (guint i = 0; i < run->sims->len; i++)
    {
      CycSimEntry *sim = g_ptr_array_index (run->sims, i);
      g_autofree char *digest = cyc_api_token_digest (sim->row->token);
      g_hash_table_remove (self->tokens, digest);
      g_hash_table_remove (self->sims, sim->row->record->id);
    }
  g_ptr_array_remove (self->run_order, run);
  g_hash_table_remove (self->runs, id);
  self->runs_moved = TRUE;
  cyc_engine_queue_batch (self);
  cyc_engine_tell_run (self, id);
}

/**
 * cyc_engine_adopt_sim:
 * @self: the engine
 * @row: (transfer full): a sim as it was committed
 *
 * Takes it into the mirror, unless a later commit is there already.
 */
void
cyc_engine_adopt_sim (CycEngine *self,
                      CycSimRow *row)
{
  CycSimEntry *sim = cyc_engine_sim_entry (self, row->record->id);

  if (sim == NULL || row->revision < sim->row->revision)
    {
      cyc_sim_row_free (row);
      return;
    }
  gboolean was_over = cyc_sim_state_is_terminal (sim->row->record->state);
  g_hash_table_steal (self->sims, row->record->id);
  cyc_sim_row_free (sim->row);
  sim->row = row;
  g_hash_table_insert (self->sims, row->record->id, sim);
  g_hash_table_insert (self->tokens, cyc_api_token_digest (row->token), row->record->id);
  count_sims (sim->run);
  if (row->record->state != CYC_SIM_LOST)
    sim->lost_at = 0;
  else if (sim->lost_at == 0)
    sim->lost_at = cyc_clock_now (&self->clock);
  sim->dirty = TRUE;
  sim->run->dirty = TRUE;
  cyc_engine_queue_batch (self);
  cyc_engine_tell_sim (self, row->record->id);
  if (!was_over && cyc_sim_state_is_terminal (row->record->state))
    cyc_engine_schedule (self);
  cyc_engine_continue_spawning (self);
}

static void
keep_kernels (CycSimEntry *sim,
              GPtrArray   *kernels)
{
  if (sim->new_kernels == NULL)
    sim->new_kernels = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_kernel_record_free);
  g_ptr_array_extend_and_steal (sim->new_kernels, kernels);
}

/**
 * cyc_engine_adopt_result:
 * @self: the engine
 * @result: what the ingest thread tells; its row and kernels are taken
 *
 * Takes what was committed of a log into the mirror, unless the engine is closed.
 */
void
cyc_engine_adopt_result (CycEngine       *self,
                         CycIngestResult *result)
{
  if (self->closed)
    return;
  cyc_engine_tell_result (self, result);
  if (result->row == NULL)
    return;
  CycSimEntry *sim = cyc_engine_sim_entry (self, result->row->record->id);
  GPtrArray *kernels = g_steal_pointer (&result->kernels);
  if (kernels != NULL && sim != NULL && sim->kernels != NULL)
    keep_kernels (sim, kernels);
  else
    g_clear_pointer (&kernels, g_ptr_array_unref);
  cyc_engine_adopt_sim (self, g_steal_pointer (&result->row));
  /* What it simulates from here on is of no use. */
  if (result->lost && sim != NULL)
    cyc_engine_stop_worker (self, sim);
}

/* Serving and closing */

static gboolean
tick_cb (gpointer data)
{
  cyc_engine_tick (data);
  return G_SOURCE_CONTINUE;
}

static gboolean
scan_cb (gpointer data)
{
  cyc_engine_scan_traces (data);
  return G_SOURCE_CONTINUE;
}

/* What earlier engines could not finish. The server has taken no request yet. */
static void
sweep (CycEngine *self)
{
  GHashTableIter iter;
  CycSimEntry *sim;

  cyc_reaper_sweep (self->reaper);
  for (guint i = 0; i < self->trace_order->len; i++)
    {
      CycTraceEntry *entry = g_ptr_array_index (self->trace_order, i);
      g_autofree char *folder = cyc_workspace_dir_get_trace (self->dir, entry->row->record->id);
      if (entry->row->record->state == CYC_TRACE_UPLOADING)
        cyc_reaper_clean (self->reaper, folder);
    }
  g_hash_table_iter_init (&iter, self->sims);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &sim))
    {
      const CycSimRecord *record = sim->row->record;
      if (cyc_sim_state_is_terminal (record->state))
        continue;
      g_autofree char *folder = cyc_workspace_dir_get_sim (self->dir, record->run_id, record->id);
      cyc_reaper_clean (self->reaper, folder);
    }
}

static void
start_services (CycEngine *self)
{
  sweep (self);
  self->tick_source = g_timeout_add (TICK_MS, tick_cb, self);
  self->scan_source = g_timeout_add (SCAN_MS, scan_cb, self);
  cyc_engine_recover_sims (self);
  cyc_engine_schedule (self);
}

/**
 * cyc_engine_announce:
 * @self: an engine with services
 * @url: where its server listens
 * @error: (nullable): return location for an error
 *
 * Writes `engine.json`, takes up the sims that an earlier engine left, and starts the timers.
 *
 * Returns: %TRUE on success
 */
gboolean
cyc_engine_announce (CycEngine   *self,
                     const char  *url,
                     GError     **error)
{
  g_return_val_if_fail (CYC_IS_ENGINE (self) && url != NULL, FALSE);

  cyc_set_str (&self->url, url);
  if (!cyc_workspace_dir_write_engine (self->dir, url, self->token, self->workspace_id, error))
    return FALSE;
  if ((self->flags & CYC_ENGINE_SERVICES) != 0 && self->tick_source == 0)
    start_services (self);
  return TRUE;
}

static void
clear_sources (CycEngine *self)
{
  g_clear_handle_id (&self->batch_source, g_source_remove);
  g_clear_handle_id (&self->tick_source, g_source_remove);
  g_clear_handle_id (&self->scan_source, g_source_remove);
  g_clear_handle_id (&self->spawn_source, g_source_remove);
}

/**
 * cyc_engine_close:
 * @self: the engine
 *
 * Finishes what was asked, closes the database, gives the lock back. Simulations run on. Blocks for
 * what is being written. May be called twice.
 */
void
cyc_engine_close (CycEngine *self)
{
  g_return_if_fail (CYC_IS_ENGINE (self));

  if (self->closed)
    return;
  self->closed = TRUE;
  g_cancellable_cancel (self->cancellable);
  clear_sources (self);
  g_clear_pointer (&self->ingest, cyc_ingest_stop);
  g_clear_pointer (&self->store, cyc_store_close);
  if (self->reaper != NULL)
    {
      /* A short command finishes what it was told to remove; a service must stop, and goes on later. */
      gboolean serves = (self->flags & CYC_ENGINE_SERVICES) != 0;
      cyc_reaper_free (g_steal_pointer (&self->reaper), serves ? CYC_REAPER_LEAVE : CYC_REAPER_FINISH);
    }
  /* Results still on their way hold a reference to the engine and find it closed. */
  if (self->dir != NULL && self->url != NULL)
    cyc_workspace_dir_clear_engine (self->dir);
  /* The paths stay: threads may still ask for them. */
  if (self->dir != NULL)
    cyc_workspace_dir_release (self->dir);
}

/**
 * cyc_engine_remove_tree:
 * @self: the engine
 * @path: a folder of the workspace
 *
 * Removes it with all it holds: out of the way at once, then piece by piece on a thread.
 */
void
cyc_engine_remove_tree (CycEngine  *self,
                        const char *path)
{
  g_autofree char *moved = cyc_reaper_condemn (self->reaper, path);

  if (moved != NULL)
    cyc_reaper_remove (self->reaper, moved);
}

/**
 * cyc_engine_get_workspace:
 * @self: the engine
 *
 * Returns: (transfer none): the workspace's folder
 */
const char *
cyc_engine_get_workspace (CycEngine *self)
{
  return cyc_workspace_dir_get_path (self->dir);
}

/**
 * cyc_engine_get_workspace_id:
 * @self: the engine
 *
 * Returns: (transfer none): the workspace's identity
 */
const char *
cyc_engine_get_workspace_id (CycEngine *self)
{
  return self->workspace_id;
}

/**
 * cyc_engine_get_token:
 * @self: the engine
 *
 * Returns: (transfer none): the token that the HTTP API asks for
 */
const char *
cyc_engine_get_token (CycEngine *self)
{
  return self->token;
}

/**
 * cyc_engine_find_sim_token:
 * @self: the engine
 * @token: what a request showed
 *
 * Returns: (transfer full) (nullable): the sim whose token that is
 */
char *
cyc_engine_find_sim_token (CycEngine  *self,
                           const char *token)
{
  /* By digest, so that the time of the look-up says nothing about tokens. */
  g_autofree char *digest = cyc_api_token_digest (token);

  return g_strdup (g_hash_table_lookup (self->tokens, digest));
}

static gboolean
is_busy (CycEngine         *self,
         const CycSimEntry *sim)
{
  if (sim->watched || sim->taking_over)
    return TRUE;
  return !cyc_sim_state_is_terminal (sim->row->record->state) &&
         !(self->holds_back && cyc_engine_sim_waits (sim));
}

/**
 * cyc_engine_is_idle:
 * @self: the engine
 *
 * Returns: %TRUE if no sim is active, no worker reports, no trace is on its way
 */
gboolean
cyc_engine_is_idle (CycEngine *self)
{
  GHashTableIter iter;
  CycSimEntry *sim;

  if (self->pending_work > 0 || (self->reaper != NULL && !cyc_reaper_is_idle (self->reaper)))
    return FALSE;
  g_hash_table_iter_init (&iter, self->sims);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &sim))
    if (is_busy (self, sim))
      return FALSE;
  for (guint i = 0; i < self->trace_order->len; i++)
    {
      CycTraceEntry *entry = g_ptr_array_index (self->trace_order, i);
      CycTraceState state = entry->row->record->state;
      if (entry->processing || (state == CYC_TRACE_UPLOADING && entry->row->removed_at == 0 &&
                                entry->row->importer_pid != 0))
        return FALSE;
    }
  return TRUE;
}

/**
 * cyc_engine_move_clock:
 * @self: the engine
 * @microseconds: how much time passes
 *
 * For tests: lets time pass and the timers act.
 */
void
cyc_engine_move_clock (CycEngine *self,
                       gint64     microseconds)
{
  cyc_clock_move (&self->clock, microseconds);
  cyc_engine_tick (self);
}

/**
 * cyc_engine_move_clock_asleep:
 * @self: the engine
 * @microseconds: how long the machine seems to have slept
 *
 * For tests: pretends a suspend.
 */
void
cyc_engine_move_clock_asleep (CycEngine *self,
                              gint64     microseconds)
{
  cyc_clock_move_asleep (&self->clock, microseconds);
  cyc_engine_tick (self);
}
