/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-engine-private.h"

#include <signal.h>
#include <string.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-file.h"
#include "core/base/cyc-process.h"
#include "core/base/cyc-util.h"
#include "engine/cyc-engine-change-private.h"
#include "engine/cyc-engine-takeover-private.h"
#include "engine/cyc-run-plan.h"
#include "engine/cyc-settings.h"

/* Starting workers as there are processors, and watching them. */

static gboolean
holds_slot (const CycSimEntry *sim)
{
  CycSimState state = sim->row->record->state;

  if (sim->run->row->record->sample)
    return FALSE;
  return sim->starting || sim->watched || sim->taking_over ||
         (!cyc_sim_state_is_terminal (state) && state != CYC_SIM_PENDING && !sim->relaunch);
}

/**
 * cyc_engine_forget_worker:
 * @self: the engine
 * @sim: a sim whose worker is over
 */
void
cyc_engine_forget_worker (CycEngine   *self,
                          CycSimEntry *sim)
{
  g_clear_object (&sim->worker);
  sim->watched = FALSE;
}

/**
 * cyc_engine_stop_worker:
 * @self: the engine
 * @sim: a sim
 *
 * Asks a local worker to stop its simulator and to report.
 */
void
cyc_engine_stop_worker (CycEngine   *self,
                        CycSimEntry *sim)
{
  gint64 pid = sim->row->worker_pid;

  if (pid > 1 && sim->row->worker_start != 0 && cyc_process_is_alive (pid, sim->row->worker_start))
    kill ((pid_t) pid, SIGTERM);
  if (sim->taking_over && sim->simulator_pid > 1 && sim->simulator_start != 0 &&
      cyc_process_is_alive (sim->simulator_pid, sim->simulator_start))
    kill ((pid_t) -sim->simulator_pid, SIGTERM);
}

/* Worker gone */

static void
worker_is_gone (CycEngine   *self,
                CycSimEntry *sim)
{
  g_autofree char *job = cyc_workspace_dir_get_job (self->dir, sim->row->record->id);

  cyc_engine_forget_worker (self, sim);
  /* The claim is the last that a worker sends: with it, everything came. */
  if (sim->row->claimed)
    {
      cyc_engine_remove_tree (self, job);
      cyc_engine_schedule (self);
      return;
    }
  cyc_takeover_start (self, sim);
}

static void
worker_waited_cb (GObject      *source,
                  GAsyncResult *result,
                  gpointer      user_data)
{
  CycEngine *self = user_data;
  GSubprocess *worker = G_SUBPROCESS (source);
  GHashTableIter iter;
  CycSimEntry *sim;

  g_subprocess_wait_finish (worker, result, NULL);
  g_hash_table_iter_init (&iter, self->sims);
  while (!self->closed && g_hash_table_iter_next (&iter, NULL, (gpointer *) &sim))
    if (sim->worker == worker)
      {
        worker_is_gone (self, sim);
        break;
      }
  g_object_unref (self);
}

/* Starting */

static gboolean
started_store (sqlite3   *db,
               gpointer   data,
               GError   **error)
{
  CycChange *change = data;
  CycSimRow *row = cyc_rows_get_sim (db, change->id, error);

  if (row == NULL)
    return FALSE;
  change->sims = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_sim_row_free);
  g_ptr_array_add (change->sims, row);
  row->launched = TRUE;
  row->worker_pid = change->number;
  row->worker_start = change->unsigned_number;
  g_free (row->record->launcher_ref);
  row->record->launcher_ref = g_strdup_printf ("%" G_GINT64_FORMAT, change->number);
  return cyc_rows_update_sim (db, row, error);
}

static void
apply_started (CycChange *change)
{
  CycEngine *self = change->engine;
  CycSimEntry *sim = cyc_engine_sim_entry (self, change->id);

  cyc_engine_adopt_sim (self, g_steal_pointer (&g_ptr_array_index (change->sims, 0)));
  g_ptr_array_set_free_func (change->sims, NULL);
  if (sim == NULL)
    return;
  sim->starting = FALSE;
  /* Cancelled between the start and this commit. */
  if (sim->row->record->state == CYC_SIM_CANCELLED)
    cyc_engine_stop_worker (self, sim);
}

static void
start_failed (CycEngine   *self,
              CycSimEntry *sim,
              const char  *sentence)
{
  sim->starting = FALSE;
  cyc_engine_move_sim (self, sim->row->record->id, CYC_SIM_FAILED, sentence, "simulator_missing");
}

static void
spawn_worker (CycEngine   *self,
              CycSimEntry *sim,
              const char  *job_path)
{
  g_autoptr (GError) error = NULL;
  GSubprocess *worker = cyc_job_spawn (job_path, &error);
  const char *pid = worker == NULL ? NULL : g_subprocess_get_identifier (worker);

  if (worker == NULL)
    {
      start_failed (self, sim, error->message);
      return;
    }
  sim->worker = worker;
  sim->watched = TRUE;
  CycChange *change = cyc_change_new (self, sim->row->record->id, NULL, NULL);
  change->number = pid == NULL ? 0 : g_ascii_strtoll (pid, NULL, 10);
  change->unsigned_number = cyc_process_get_start_time (change->number);
  g_subprocess_wait_async (worker, NULL, worker_waited_cb, g_object_ref (self));
  cyc_change_run (change, started_store, apply_started);
}

/* Starting a process takes milliseconds: one a turn of the main loop, so that two hundred started
 * at once do not hold up what comes in. */
static gboolean
spawn_next (gpointer data)
{
  CycEngine *self = data;
  g_autofree char *id = g_queue_pop_head (&self->spawns);
  CycSimEntry *sim = id == NULL ? NULL : cyc_engine_sim_entry (self, id);
  g_autofree char *job = id == NULL ? NULL : cyc_workspace_dir_get_job (self->dir, id);
  g_autofree char *path = id == NULL ? NULL : g_build_filename (job, "job.json", NULL);

  if (sim != NULL && cyc_sim_state_is_terminal (sim->row->record->state))
    {
      sim->starting = FALSE;
      cyc_engine_remove_tree (self, job);
    }
  else if (sim != NULL)
    {
      spawn_worker (self, sim, path);
    }
  if (!g_queue_is_empty (&self->spawns))
    return G_SOURCE_CONTINUE;
  self->spawn_source = 0;
  return G_SOURCE_REMOVE;
}

typedef struct
{
  CycEngine  *engine;
  CycJobPlan *plan;      /* borrowed from the run, which is active and so not removed */
  CycRunRow  *run;
  char       *sim_id;
  char       *token;
  char       *gpu_config;
  char       *path;
} Write;

static void
write_free (gpointer data)
{
  Write *write = data;

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
  CycEngine *self = source;
  Write *write = data;
  g_autoptr (CycSimRow) sim = cyc_sim_row_new ();
  g_autoptr (GError) error = NULL;

  sim->record->id = g_strdup (write->sim_id);
  sim->record->gpu_config = g_strdup (write->gpu_config);
  sim->token = g_strdup (write->token);
  if (cyc_job_write (write->plan, write->run, sim, cyc_workspace_dir_get_path (self->dir),
                     self->workspace_id, self->url, &write->path, &error))
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
  if (sim == NULL)
    return;
  if (!ok)
    start_failed (self, sim, error->message);
  else
    {
      g_queue_push_tail (&self->spawns, g_strdup (write->sim_id));
      if (self->spawn_source == 0)
        self->spawn_source = g_idle_add (spawn_next, self);
    }
}

static void
write_job (CycEngine   *self,
           CycSimEntry *sim)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, written_cb, NULL);
  Write *write = g_new0 (Write, 1);

  write->plan = sim->run->plan;
  write->run = sim->run->row;
  write->sim_id = g_strdup (sim->row->record->id);
  write->token = g_strdup (sim->row->token);
  write->gpu_config = g_strdup (sim->row->record->gpu_config);
  self->pending_work++;
  g_task_set_source_tag (task, write_job);
  g_task_set_task_data (task, write, write_free);
  g_task_run_in_thread (task, write_thread);
}

typedef struct
{
  CycEngine *engine;
  char      *sim_id;
} Planned;

static void
planned_cb (CycRunPlan *plan,
            GError     *error,
            gpointer    user_data)
{
  g_autofree Planned *planned = user_data;
  g_autofree char *sim_id = planned->sim_id;
  g_autoptr (CycEngine) self = planned->engine;
  CycSimEntry *sim = self->closed ? NULL : cyc_engine_sim_entry (self, sim_id);

  self->pending_work--;
  if (sim == NULL)
    return;
  if (error != NULL)
    {
      start_failed (self, sim, error->message);
      return;
    }
  if (sim->run->plan == NULL)
    sim->run->plan = g_steal_pointer (&plan->job);
  write_job (self, sim);
}

/* The plan of a run is made once; after a restart of the engine it is made again. */
static void
prepare (CycEngine   *self,
         CycSimEntry *sim)
{
  if (sim->run->plan != NULL)
    {
      write_job (self, sim);
      return;
    }
  CycRunRow *run = sim->run->row;
  CycRunRequest request = {
    .trace_id = run->record->trace_id,
    .entries = run->record->entries,
    .launcher = run->launcher,
    .simulator = run->simulator,
    .options = run->options,
  };
  Planned *planned = g_new0 (Planned, 1);
  planned->engine = g_object_ref (self);
  planned->sim_id = g_strdup (sim->row->record->id);
  self->pending_work++;
  cyc_run_plan_make (self, &request, CYC_RUN_PLAN_AGAIN, planned_cb, planned);
}

static gboolean
launching_store (sqlite3   *db,
                 gpointer   data,
                 GError   **error)
{
  CycChange *change = data;
  CycSimRow *row = cyc_rows_get_sim (db, change->id, error);

  if (row == NULL)
    return FALSE;
  change->sims = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_sim_row_free);
  g_ptr_array_add (change->sims, row);
  if (!cyc_sim_state_can_move (row->record->state, CYC_SIM_LAUNCHING))
    return TRUE;
  row->record->state = CYC_SIM_LAUNCHING;
  change->flag = TRUE;
  return cyc_rows_update_sim (db, row, error);
}

static void
apply_launching (CycChange *change)
{
  CycEngine *self = change->engine;
  CycSimEntry *sim = cyc_engine_sim_entry (self, change->id);

  cyc_engine_adopt_sim (self, g_steal_pointer (&g_ptr_array_index (change->sims, 0)));
  g_ptr_array_set_free_func (change->sims, NULL);
  if (sim == NULL)
    return;
  sim->heard_at = cyc_clock_now (&self->clock);
  if (change->flag && sim->row->record->state == CYC_SIM_LAUNCHING)
    prepare (self, sim);
  else
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
  cyc_change_run (cyc_change_new (self, sim->row->record->id, NULL, NULL), launching_store,
                  apply_launching);
}

static guint
get_parallel (CycEngine *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CycSettings) settings = cyc_settings_load (cyc_engine_get_workspace (self), &error);

  if (settings != NULL)
    return cyc_settings_get_parallel (settings);
  g_warning ("%s", error->message);
  return g_get_num_processors ();
}

static gboolean
schedule_cb (gpointer data)
{
  CycEngine *self = data;
  guint limit = get_parallel (self);
  guint used = 0;
  GHashTableIter iter;
  CycSimEntry *sim;

  self->schedule_source = 0;
  g_hash_table_iter_init (&iter, self->sims);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &sim))
    used += holds_slot (sim) ? 1 : 0;
  for (guint r = 0; r < self->run_order->len && used < limit; r++)
    {
      CycRunEntryState *run = g_ptr_array_index (self->run_order, r);
      for (guint i = 0; i < run->sims->len && used < limit; i++)
        {
          sim = g_ptr_array_index (run->sims, i);
          if (sim->starting || !(sim->relaunch || sim->row->record->state == CYC_SIM_PENDING))
            continue;
          launch (self, sim);
          used++;
        }
    }
  return G_SOURCE_REMOVE;
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
  if (self->schedule_source == 0 && self->tick_source != 0 && !self->closed)
    self->schedule_source = g_idle_add (schedule_cb, self);
}

/* Every second */

static void
watch_worker (CycEngine   *self,
              CycSimEntry *sim)
{
  if (sim->worker == NULL && sim->watched &&
      !cyc_process_is_alive (sim->row->worker_pid, sim->row->worker_start))
    worker_is_gone (self, sim);
  else if (sim->taking_over)
    cyc_takeover_continue (self, sim);
}

static void
watch_silence (CycEngine   *self,
               CycSimEntry *sim,
               gint64       now)
{
  CycSimState state = sim->row->record->state;
  gint64 silence = now - sim->heard_at;
  const char *id = sim->row->record->id;

  if (state == CYC_SIM_PENDING || cyc_sim_state_is_terminal (state) || sim->starting || sim->relaunch ||
      sim->taking_over || sim->run->row->record->sample || silence <= self->lost_after)
    return;
  if (state != CYC_SIM_LOST)
    {
      g_autofree char *sentence =
        g_strdup_printf ("no heartbeat for %d seconds", (int) (self->lost_after / G_USEC_PER_SEC));
      cyc_engine_move_sim (self, id, CYC_SIM_LOST, sentence, NULL);
    }
  else if (silence > 10 * self->lost_after && !sim->watched)
    {
      g_autofree char *sentence =
        g_strdup_printf ("no heartbeat for %d seconds; the simulation was given up",
                         (int) (10 * self->lost_after / G_USEC_PER_SEC));
      cyc_engine_move_sim (self, id, CYC_SIM_FAILED, sentence, "terminated");
    }
}

/**
 * cyc_engine_tick:
 * @self: the engine
 *
 * Once a second: looks after workers and silent sims. After a suspend every sim counts as heard.
 */
void
cyc_engine_tick (CycEngine *self)
{
  gint64 now = cyc_clock_now (&self->clock);
  gboolean slept = cyc_clock_has_slept (&self->clock);
  g_autoptr (GList) sims = g_hash_table_get_values (self->sims);

  for (GList *l = sims; l != NULL; l = l->next)
    {
      CycSimEntry *sim = l->data;
      if (slept)
        sim->heard_at = now;
      watch_worker (self, sim);
      watch_silence (self, sim, now);
    }
}

/* What an earlier engine left */

static void
recover (CycEngine   *self,
         CycSimEntry *sim)
{
  const char *id = sim->row->record->id;
  g_autofree char *job = cyc_workspace_dir_get_job (self->dir, id);
  g_autofree char *job_path = g_build_filename (job, "job.json", NULL);
  g_autofree char *log = g_build_filename (job, "sim.log", NULL);
  gboolean over = cyc_sim_state_is_terminal (sim->row->record->state);
  gint64 pid = sim->row->worker_pid, sim_pid;
  guint64 start = sim->row->worker_start, sim_start;

  sim->heard_at = cyc_clock_now (&self->clock);
  if (over && !g_file_test (job, G_FILE_TEST_IS_DIR))
    return;
  if (!over)
    cyc_ingest_open (self->ingest, sim->row->record->run_id, id, NULL, NULL);
  if (!cyc_process_is_alive (pid, start) || start == 0)
    {
      if (!cyc_job_read_worker (job, &pid, &start, &sim_pid, &sim_start) ||
          !cyc_process_is_alive (pid, start))
        {
          pid = g_file_test (job_path, G_FILE_TEST_EXISTS) ? cyc_job_find_worker (job_path) : 0;
          start = cyc_process_get_start_time (pid);
        }
    }
  if (pid > 0 && start != 0)
    {
      CycChange *change = cyc_change_new (self, id, NULL, NULL);
      sim->watched = TRUE;
      change->number = pid;
      change->unsigned_number = start;
      cyc_change_run (change, started_store, apply_started);
    }
  else if (sim->row->claimed || sim->row->record->state == CYC_SIM_PENDING)
    {
      if (sim->row->claimed && g_file_test (job, G_FILE_TEST_IS_DIR))
        cyc_engine_remove_tree (self, job);
    }
  else if (g_file_test (log, G_FILE_TEST_EXISTS))
    {
      cyc_takeover_start (self, sim);
    }
  else if (!over)
    {
      /* Between "launching" and the start of the simulator: nothing ran, so it may start anew. A
       * job is run once: what the worker left must go first. */
      cyc_file_remove_tree (job, NULL);
      sim->relaunch = TRUE;
    }
}

/**
 * cyc_engine_recover_sims:
 * @self: the engine
 *
 * Takes up what an earlier engine left: workers that live are watched again, what dead ones left
 * is read, what was never started is started.
 */
void
cyc_engine_recover_sims (CycEngine *self)
{
  for (guint r = 0; r < self->run_order->len; r++)
    {
      CycRunEntryState *run = g_ptr_array_index (self->run_order, r);
      /* Recorded results have no worker; they are read again by themselves. */
      for (guint i = 0; !run->row->record->sample && i < run->sims->len; i++)
        {
          CycSimEntry *sim = g_ptr_array_index (run->sims, i);
          if (!cyc_sim_state_is_terminal (sim->row->record->state) || sim->row->launched)
            recover (self, sim);
        }
    }
}
