/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-engine-private.h"

#include <string.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-file.h"
#include "core/base/cyc-process.h"
#include "core/base/cyc-task.h"
#include "core/base/cyc-util.h"
#include "engine/cyc-engine-change-private.h"
#include "engine/cyc-engine-takeover-private.h"
#include "engine/cyc-run-plan.h"
#include "engine/cyc-settings.h"

/* Starting sims as there are processors: up to the job that its worker reads. */

static gboolean
holds_slot (const CycSimEntry *sim)
{
  CycSimState state = sim->row->record->state;

  if (sim->run->row->record->sample)
    return FALSE;
  return sim->starting || sim->watched || sim->taking_over ||
         (!cyc_sim_state_is_terminal (state) && state != CYC_SIM_PENDING && !sim->relaunch);
}

/* What the writing of a job needs, of its own: the run may be cancelled and removed meanwhile. */
typedef struct
{
  CycJobPlan *plan;
  GStrv       options;
  char       *sim_id;
  char       *token;
  char       *gpu_config;
  char       *path;
} Write;

static void
write_free (gpointer data)
{
  Write *write = data;

  cyc_job_plan_unref (write->plan);
  g_strfreev (write->options);
  g_free (write->sim_id);
  g_free (write->token);
  g_free (write->gpu_config);
  g_free (write->path);
  g_free (write);
}

static void
write_thread (GTask        *task,
              gpointer      source,
              gpointer      data,
              GCancellable *cancellable)
{
  /* Of the engine only what never changes. */
  CycEngine *self = source;
  Write *write = data;
  g_autoptr (CycSimRow) sim = cyc_sim_row_new ();
  g_autoptr (GError) error = NULL;

  sim->record->id = g_strdup (write->sim_id);
  sim->record->gpu_config = g_strdup (write->gpu_config);
  sim->token = g_strdup (write->token);
  if (cyc_job_write (write->plan, (const char *const *) write->options, sim,
                     cyc_workspace_dir_get_path (self->dir), self->workspace_id, self->url,
                     &write->path, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static void
written_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  CycEngine *self = CYC_ENGINE (source);
  Write *write = g_task_get_task_data (G_TASK (result));
  CycSimEntry *sim = self->closed ? NULL : cyc_engine_sim_entry (self, write->sim_id);
  g_autoptr (GError) error = NULL;
  gboolean ok = g_task_propagate_boolean (G_TASK (result), &error);

  self->pending_work--;
  /* Its run was removed meanwhile, perhaps before the job was there: nobody else would find that. */
  if (sim == NULL && !self->closed)
    {
      g_autofree char *job = cyc_workspace_dir_get_job (self->dir, write->sim_id);
      cyc_reaper_discard (self->reaper, job);
    }
  if (sim == NULL)
    return;
  if (!ok)
    {
      cyc_engine_start_failed (self, sim, error);
      return;
    }
  cyc_engine_spawn_worker (self, write->sim_id);
}

static void
write_job (CycEngine   *self,
           CycSimEntry *sim)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, written_cb, NULL);
  Write *write = g_new0 (Write, 1);

  write->plan = cyc_job_plan_ref (sim->run->plan);
  write->options = g_strdupv (sim->run->row->options);
  write->sim_id = g_strdup (sim->row->record->id);
  write->token = g_strdup (sim->row->token);
  write->gpu_config = g_strdup (sim->row->record->gpu_config);
  self->pending_work++;
  g_task_set_source_tag (task, write_job);
  g_task_set_task_data (task, write, write_free);
  cyc_task_run_in_thread (task, write_thread);
}

typedef struct
{
  CycEngine *engine;
  char      *run_id;
} Planned;

static void
planned_cb (CycRunPlan *plan,
            GError     *error,
            gpointer    user_data)
{
  g_autofree Planned *planned = user_data;
  g_autofree char *run_id = planned->run_id;
  g_autoptr (CycEngine) self = planned->engine;
  CycRunEntryState *run = self->closed ? NULL : cyc_engine_run_entry (self, run_id);

  self->pending_work--;
  if (run == NULL)
    return;
  if (error == NULL)
    run->plan = g_steal_pointer (&plan->job);
  while (!g_queue_is_empty (&run->planning))
    {
      g_autofree char *sim_id = g_queue_pop_head (&run->planning);
      CycSimEntry *sim = cyc_engine_sim_entry (self, sim_id);
      if (error != NULL)
        cyc_engine_start_failed (self, sim, error);
      else
        write_job (self, sim);
    }
}

/* The plan of a run is made once; after a restart of the engine it is made again. */
static void
prepare (CycEngine   *self,
         CycSimEntry *sim)
{
  CycRunRow *run = sim->run->row;
  CycRunRequest request = {
    .trace_id = run->record->trace_id,
    .entries = run->record->entries,
    .launcher = run->launcher,
    .simulator = run->simulator,
    .options = run->options,
    .force_arch = run->force_arch,
  };

  if (sim->run->plan != NULL)
    {
      write_job (self, sim);
      return;
    }
  g_queue_push_tail (&sim->run->planning, g_strdup (sim->row->record->id));
  if (g_queue_get_length (&sim->run->planning) > 1)
    return;
  Planned *planned = g_new0 (Planned, 1);
  planned->engine = g_object_ref (self);
  planned->run_id = g_strdup (run->record->id);
  self->pending_work++;
  cyc_run_plan_make (self, &request, CYC_RUN_PLAN_AGAIN, planned_cb, planned);
}

static gboolean
launching_store (sqlite3   *db,
                 gpointer   data,
                 GError   **error)
{
  CycChange *change = data;
  CycSimRow *row = cyc_change_take_sim (change, db, error);

  if (row == NULL)
    return FALSE;
  if (!cyc_sim_state_can_move (row->record->state, CYC_SIM_LAUNCHING))
    {
      g_message ("%s: a move from %s to launching is ignored", row->record->id,
                 cyc_sim_state_to_string (row->record->state));
      return TRUE;
    }
  row->record->state = CYC_SIM_LAUNCHING;
  change->flag = TRUE;
  return cyc_rows_update_sim (db, row, error);
}

static void
apply_launching (CycChange *change)
{
  CycEngine *self = change->engine;
  CycSimEntry *sim = cyc_engine_sim_entry (self, change->id);

  cyc_change_adopt_sims (change);
  if (sim == NULL)
    return;
  sim->heard_at = cyc_clock_now (&self->clock);
  if (change->flag && sim->row->record->state == CYC_SIM_LAUNCHING)
    prepare (self, sim);
  else
    sim->starting = FALSE;
}

/* The sim is still pending, and is looked at again with the next tick. */
static void
launching_failed (CycChange *change)
{
  CycSimEntry *sim = cyc_engine_sim_entry (change->engine, change->id);

  if (sim != NULL)
    sim->starting = FALSE;
}

static void
launch (CycEngine   *self,
        CycSimEntry *sim)
{
  sim->starting = TRUE;
  if (sim->relaunch)
    {
      sim->relaunch = FALSE;
      prepare (self, sim);
      return;
    }
  /* `launching` is committed before the worker is spawned: after a crash in between, the next
   * engine finds out whether there is a worker. */
  CycChange *change = cyc_change_new (self, sim->row->record->id, NULL, NULL);
  change->fail = launching_failed;
  cyc_change_run (change, launching_store, apply_launching);
}

/* The limit may be changed at any time, by any program: it is read anew each time. */
static void
parallel_thread (GTask        *task,
                 gpointer      source,
                 gpointer      data,
                 GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CycSettings) settings = cyc_settings_load (cyc_engine_get_workspace (source), &error);
  guint limit = g_get_num_processors ();

  if (settings != NULL)
    limit = cyc_settings_get_parallel (settings);
  else
    g_warning ("%s", error->message);
  g_task_return_int (task, limit);
}

/**
 * cyc_engine_sim_waits:
 * @sim: the mirror of a sim
 *
 * Returns: %TRUE if it is to be started, and nothing was done about that yet
 */
gboolean
cyc_engine_sim_waits (const CycSimEntry *sim)
{
  CycSimState state = sim->row->record->state;

  return !sim->starting && !cyc_sim_state_is_terminal (state) && (sim->relaunch || state == CYC_SIM_PENDING);
}

static void
launch_waiting (CycEngine *self,
                guint      limit)
{
  guint used = 0;
  GHashTableIter iter;
  CycSimEntry *sim;

  g_hash_table_iter_init (&iter, self->sims);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &sim))
    used += holds_slot (sim) ? 1 : 0;
  for (guint r = 0; r < self->run_order->len && used < limit; r++)
    {
      CycRunEntryState *run = g_ptr_array_index (self->run_order, r);
      for (guint i = 0; i < run->sims->len && used < limit; i++)
        {
          sim = g_ptr_array_index (run->sims, i);
          if (!cyc_engine_sim_waits (sim))
            continue;
          launch (self, sim);
          used++;
        }
    }
}

static void
parallel_cb (GObject      *source,
             GAsyncResult *result,
             gpointer      user_data)
{
  CycEngine *self = CYC_ENGINE (source);
  guint limit = (guint) g_task_propagate_int (G_TASK (result), NULL);

  self->pending_work--;
  self->scheduling = FALSE;
  if (!self->closed && !self->holds_back)
    launch_waiting (self, limit);
}

/**
 * cyc_engine_hold_back:
 * @self: an engine with services
 *
 * Has it start none of the sims that wait, until a run is created: it only takes in what others report.
 */
void
cyc_engine_hold_back (CycEngine *self)
{
  g_return_if_fail (CYC_IS_ENGINE (self));

  self->holds_back = TRUE;
}

/**
 * cyc_engine_schedule:
 * @self: the engine
 *
 * Has pending sims started as far as the limit of parallel simulations allows, oldest runs first.
 */
void
cyc_engine_schedule (CycEngine *self)
{
  if (self->scheduling || self->tick_source == 0 || self->closed || self->holds_back)
    return;
  g_autoptr (GTask) task = g_task_new (self, NULL, parallel_cb, NULL);
  self->scheduling = TRUE;
  self->pending_work++;
  g_task_set_priority (task, G_PRIORITY_DEFAULT_IDLE);
  g_task_set_source_tag (task, cyc_engine_schedule);
  cyc_task_run_in_thread (task, parallel_thread);
}
