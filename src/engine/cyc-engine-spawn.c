/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-engine-private.h"

#include <signal.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-process.h"
#include "core/base/cyc-task.h"
#include "engine/cyc-engine-change-private.h"

/* Starting workers for jobs that are written, a few at a time. */

/* A worker that begins takes a processor for itself; two hundred at once would keep the engine from
 * hearing those that run. One that is silent for so long no longer holds up the others. */
#define STARTING_PER_PROCESSOR 2
#define STARTING_US (5 * G_USEC_PER_SEC)

static gboolean
started_store (sqlite3   *db,
               gpointer   data,
               GError   **error)
{
  CycChange *change = data;
  CycSimRow *row = cyc_change_take_sim (change, db, error);

  if (row == NULL)
    return FALSE;
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

  cyc_change_adopt_sims (change);
  if (sim == NULL)
    return;
  sim->starting = sim->noting = FALSE;
}

/* Not written down: the disk is full. The worker runs; the next look at it tries again. */
static void
started_failed (CycChange *change)
{
  CycSimEntry *sim = cyc_engine_sim_entry (change->engine, change->id);

  if (sim != NULL)
    sim->starting = sim->noting = FALSE;
}

/**
 * cyc_engine_note_worker:
 * @self: the engine
 * @sim: a sim whose worker is known
 *
 * Writes down which process its worker is.
 */
void
cyc_engine_note_worker (CycEngine   *self,
                        CycSimEntry *sim)
{
  CycChange *change = cyc_change_new (self, sim->row->record->id, NULL, NULL);

  sim->noting = TRUE;
  change->number = sim->worker_pid;
  change->unsigned_number = sim->worker_start;
  change->fail = started_failed;
  cyc_change_run (change, started_store, apply_started);
}

/**
 * cyc_engine_start_failed:
 * @self: the engine
 * @sim: a sim that is being started
 * @error: why it cannot be
 *
 * Ends the sim, or has it started again later if the disk was full.
 */
void
cyc_engine_start_failed (CycEngine    *self,
                         CycSimEntry  *sim,
                         const GError *error)
{
  sim->starting = FALSE;
  /* Cancelled meanwhile. */
  if (cyc_sim_state_is_terminal (sim->row->record->state))
    {
      cyc_engine_drop_job (self, sim);
      cyc_engine_schedule (self);
      return;
    }
  /* A full disk is no end: it is tried again. */
  if (g_error_matches (error, CYC_ERROR, CYC_ERROR_NO_SPACE))
    {
      cyc_engine_say_trouble (self, sim, error->message);
      sim->relaunch = TRUE;
      return;
    }
  cyc_engine_move_sim (self, sim->row->record->id, CYC_SIM_FAILED, error->message,
                       "simulator_missing");
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
        cyc_engine_worker_gone (self, sim);
        break;
      }
  if (!self->closed)
    cyc_engine_continue_spawning (self);
  g_object_unref (self);
}

typedef struct
{
  char        *sim_id;
  char        *job_path;
  GSubprocess *worker;
  gint64       pid;
  guint64      start;
} Spawn;

static void
spawn_free (gpointer data)
{
  Spawn *spawn = data;

  g_free (spawn->sim_id);
  g_free (spawn->job_path);
  g_clear_object (&spawn->worker);
  g_free (spawn);
}

/* Whoever starts a process waits until it executes its program, behind all that want a
 * processor. */
static void
spawn_thread (GTask        *task,
              gpointer      source,
              gpointer      data,
              GCancellable *cancellable)
{
  Spawn *spawn = data;
  g_autoptr (GError) error = NULL;

  spawn->worker = cyc_job_spawn (spawn->job_path, &error);
  if (spawn->worker == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  const char *pid = g_subprocess_get_identifier (spawn->worker);
  spawn->pid = pid == NULL ? 0 : g_ascii_strtoll (pid, NULL, 10);
  spawn->start = cyc_process_get_start_time (spawn->pid);
  g_task_return_boolean (task, TRUE);
}

/* Nobody waits for its results any more: the run was removed meanwhile, and with it the job. */
static void
dismiss_worker (Spawn *spawn)
{
  if (spawn->worker != NULL)
    g_subprocess_send_signal (spawn->worker, SIGTERM);
}

static void
spawned_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  CycEngine *self = CYC_ENGINE (source);
  Spawn *spawn = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  gboolean ok = g_task_propagate_boolean (G_TASK (result), &error);

  self->pending_work--;
  self->spawning--;
  /* A worker that outlives this engine is found by the next one. */
  if (self->closed)
    return;
  CycSimEntry *sim = cyc_engine_sim_entry (self, spawn->sim_id);
  if (sim == NULL)
    {
      dismiss_worker (spawn);
    }
  else if (!ok)
    {
      cyc_engine_start_failed (self, sim, error);
    }
  else
    {
      sim->worker = g_steal_pointer (&spawn->worker);
      sim->watched = TRUE;
      sim->spawned_at = g_get_monotonic_time ();
      sim->worker_pid = spawn->pid;
      sim->worker_start = spawn->start;
      g_subprocess_wait_async (sim->worker, NULL, worker_waited_cb, g_object_ref (self));
      cyc_engine_note_worker (self, sim);
      /* Cancelled while it was being started. */
      if (cyc_sim_state_is_terminal (sim->row->record->state))
        cyc_engine_stop_worker (self, sim);
    }
  cyc_engine_continue_spawning (self);
}

static void
spawn (CycEngine   *self,
       CycSimEntry *sim,
       const char  *job)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, spawned_cb, NULL);
  Spawn *data = g_new0 (Spawn, 1);

  data->sim_id = g_strdup (sim->row->record->id);
  data->job_path = g_build_filename (job, "job.json", NULL);
  self->pending_work++;
  self->spawning++;
  g_task_set_source_tag (task, spawn);
  g_task_set_task_data (task, data, spawn_free);
  cyc_task_run_in_thread (task, spawn_thread);
}

static guint
count_beginning (CycEngine *self)
{
  gint64 now = g_get_monotonic_time ();
  guint n = self->spawning;
  GHashTableIter iter;
  CycSimEntry *sim;

  g_hash_table_iter_init (&iter, self->sims);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &sim))
    n += sim->worker != NULL && sim->row->record->state == CYC_SIM_LAUNCHING &&
         now - sim->spawned_at < STARTING_US;
  return n;
}

static gboolean
spawn_next (gpointer data)
{
  CycEngine *self = data;
  guint limit = STARTING_PER_PROCESSOR * g_get_num_processors ();
  guint n = count_beginning (self);

  self->spawn_source = 0;
  for (; n < limit && !g_queue_is_empty (&self->spawns); n++)
    {
      g_autofree char *id = g_queue_pop_head (&self->spawns);
      g_autofree char *job = cyc_workspace_dir_get_job (self->dir, id);
      CycSimEntry *sim = cyc_engine_sim_entry (self, id);
      if (sim != NULL && cyc_sim_state_is_terminal (sim->row->record->state))
        {
          sim->starting = FALSE;
          cyc_engine_drop_job (self, sim);
          cyc_engine_schedule (self);
        }
      else if (sim != NULL)
        {
          spawn (self, sim, job);
        }
    }
  return G_SOURCE_REMOVE;
}

/**
 * cyc_engine_continue_spawning:
 * @self: the engine
 *
 * Has more of the waiting workers started, if those that were have begun their work.
 */
void
cyc_engine_continue_spawning (CycEngine *self)
{
  if (self->spawn_source == 0 && !g_queue_is_empty (&self->spawns))
    self->spawn_source = g_idle_add (spawn_next, self);
}

/**
 * cyc_engine_spawn_worker:
 * @self: the engine
 * @sim_id: a sim whose job is on disk
 *
 * Has its worker started, when its turn comes.
 */
void
cyc_engine_spawn_worker (CycEngine  *self,
                         const char *sim_id)
{
  g_queue_push_tail (&self->spawns, g_strdup (sim_id));
  cyc_engine_continue_spawning (self);
}
