/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-engine-private.h"

#include <signal.h>

#include "core/base/cyc-process.h"
#include "engine/cyc-engine-takeover-private.h"

/* Watching workers and silent sims, and taking up what an earlier engine left. */

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
  if (sim->taking_over)
    cyc_takeover_stop (self, sim);
  else if (sim->watched && sim->worker_pid > 1 && sim->worker_start != 0 &&
           cyc_process_is_alive (sim->worker_pid, sim->worker_start))
    kill ((pid_t) sim->worker_pid, SIGTERM);
}

/**
 * cyc_engine_drop_job:
 * @self: the engine
 * @sim: a sim that needs its job no more
 *
 * Has the job's folder deleted.
 */
void
cyc_engine_drop_job (CycEngine   *self,
                     CycSimEntry *sim)
{
  g_autofree char *job = cyc_workspace_dir_get_job (self->dir, sim->row->record->id);

  cyc_reaper_discard (self->reaper, job);
}

/* The worker that wrote down who it is, if it lives. */
static gboolean
find_written_worker (CycEngine   *self,
                     CycSimEntry *sim)
{
  g_autofree char *job = cyc_workspace_dir_get_job (self->dir, sim->row->record->id);
  gint64 pid, sim_pid;
  guint64 start, sim_start;

  if (!cyc_job_read_worker (job, &pid, &start, &sim_pid, &sim_start) || start == 0 ||
      !cyc_process_is_alive (pid, start))
    return FALSE;
  sim->worker_pid = pid;
  sim->worker_start = start;
  sim->watched = TRUE;
  return TRUE;
}

/**
 * cyc_engine_worker_gone:
 * @self: the engine
 * @sim: a sim whose worker has ended
 *
 * If it reported the end, all is there. If not, the engine reads on itself.
 */
void
cyc_engine_worker_gone (CycEngine   *self,
                        CycSimEntry *sim)
{
  g_clear_object (&sim->worker);
  sim->watched = FALSE;
  /* The claim is the last that a worker sends: with it, everything came. */
  if (sim->row->claimed)
    {
      cyc_engine_drop_job (self, sim);
      cyc_engine_schedule (self);
    }
  /* A job is run by one worker: one that was started twice left at once, and the first one lives. */
  else if (find_written_worker (self, sim))
    {
      cyc_engine_note_worker (self, sim);
    }
  else
    {
      cyc_takeover_start (self, sim, FALSE);
    }
}

/* Every second */

static void
watch_worker (CycEngine   *self,
              CycSimEntry *sim)
{
  if (sim->worker == NULL && sim->watched &&
      !cyc_process_is_alive (sim->worker_pid, sim->worker_start))
    cyc_engine_worker_gone (self, sim);
  else if (sim->watched && !sim->row->launched && !sim->noting)
    cyc_engine_note_worker (self, sim);
  else if (sim->taking_over)
    cyc_takeover_continue (self, sim);
}

/* Cancelled while it waited for room on the disk. */
static void
give_up_start (CycEngine   *self,
               CycSimEntry *sim)
{
  if (!sim->relaunch || sim->starting || !cyc_sim_state_is_terminal (sim->row->record->state))
    return;
  sim->relaunch = FALSE;
  cyc_engine_drop_job (self, sim);
}

static void
watch_silence (CycEngine   *self,
               CycSimEntry *sim,
               gint64       now)
{
  CycSimState state = sim->row->record->state;
  const char *id = sim->row->record->id;

  if (state == CYC_SIM_PENDING || cyc_sim_state_is_terminal (state) || sim->starting || sim->relaunch ||
      sim->taking_over || sim->run->row->record->sample)
    return;
  if (state != CYC_SIM_LOST)
    {
      if (now - sim->heard_at <= self->lost_after)
        return;
      g_autofree char *sentence =
        g_strdup_printf ("no heartbeat for %d seconds", (int) (self->lost_after / G_USEC_PER_SEC));
      cyc_engine_move_sim (self, id, CYC_SIM_LOST, sentence, NULL);
    }
  /* A worker that lives will report, however long it takes. */
  else if (now - MAX (sim->lost_at, sim->heard_at) > 10 * self->lost_after && !sim->watched)
    {
      g_autofree char *sentence =
        g_strdup_printf ("lost for %d seconds; the simulation was given up",
                         (int) (10 * self->lost_after / G_USEC_PER_SEC));
      cyc_engine_move_sim (self, id, CYC_SIM_FAILED, sentence, "terminated");
    }
}

/**
 * cyc_engine_tick:
 * @self: the engine
 *
 * Once a second: looks after workers, silent sims and those that wait. After a suspend every sim
 * counts as heard.
 */
void
cyc_engine_tick (CycEngine *self)
{
  gint64 now = cyc_clock_now (&self->clock);
  gboolean slept = cyc_clock_has_slept (&self->clock);
  g_autoptr (GList) sims = g_hash_table_get_values (self->sims);
  gboolean waiting = FALSE;

  for (GList *l = sims; l != NULL; l = l->next)
    {
      CycSimEntry *sim = l->data;
      if (slept)
        sim->heard_at = now;
      watch_worker (self, sim);
      watch_silence (self, sim, now);
      give_up_start (self, sim);
      waiting |= sim->row->record->state == CYC_SIM_PENDING || sim->relaunch;
    }
  if (waiting)
    cyc_engine_schedule (self);
  cyc_engine_continue_spawning (self);
}

/* What an earlier engine left */

static gboolean
find_worker (CycEngine   *self,
             CycSimEntry *sim)
{
  g_autofree char *job = cyc_workspace_dir_get_job (self->dir, sim->row->record->id);
  g_autofree char *job_path = g_build_filename (job, "job.json", NULL);

  sim->worker_pid = sim->row->worker_pid;
  sim->worker_start = sim->row->worker_start;
  if ((sim->worker_start != 0 && cyc_process_is_alive (sim->worker_pid, sim->worker_start)) ||
      find_written_worker (self, sim))
    return TRUE;
  /* Started, but killed before either side wrote it down: by its command line. */
  sim->worker_pid = g_file_test (job_path, G_FILE_TEST_EXISTS) ? cyc_job_find_worker (job_path) : 0;
  sim->worker_start = cyc_process_get_start_time (sim->worker_pid);
  return sim->worker_start != 0;
}

static gboolean
has_log (CycEngine   *self,
         CycSimEntry *sim)
{
  g_autofree char *job = cyc_workspace_dir_get_job (self->dir, sim->row->record->id);
  g_autofree char *log = g_build_filename (job, "sim.log", NULL);

  return g_file_test (log, G_FILE_TEST_EXISTS);
}

static void
opened_cb (CycIngestResult *result,
           gpointer         user_data)
{
  g_autoptr (CycEngine) self = user_data;

  self->pending_work--;
  if (result->error != NULL)
    g_warning ("%s: %s", result->sim_id, result->error->message);
  cyc_engine_adopt_result (self, result);
}

static void
open_log (CycEngine   *self,
          CycSimEntry *sim)
{
  const CycSimRecord *record = sim->row->record;

  self->pending_work++;
  cyc_ingest_open (self->ingest, record->run_id, record->id, opened_cb, g_object_ref (self));
}

/* @jobs: the names of all jobs there are; most sims are over and have none */
static void
recover (CycEngine   *self,
         CycSimEntry *sim,
         GHashTable  *jobs)
{
  const char *id = sim->row->record->id;
  gboolean over = cyc_sim_state_is_terminal (sim->row->record->state);

  sim->heard_at = cyc_clock_now (&self->clock);
  if (sim->row->record->state == CYC_SIM_LOST)
    sim->lost_at = sim->heard_at;
  if ((over && !g_hash_table_contains (jobs, id)) || sim->row->record->state == CYC_SIM_PENDING)
    return;
  if (!over)
    open_log (self, sim);
  if (find_worker (self, sim))
    {
      sim->watched = TRUE;
      cyc_engine_note_worker (self, sim);
      if (sim->row->record->state == CYC_SIM_CANCELLED)
        cyc_engine_stop_worker (self, sim);
    }
  else if (sim->row->claimed)
    {
      cyc_engine_drop_job (self, sim);
    }
  else if (has_log (self, sim))
    {
      cyc_takeover_start (self, sim, TRUE);
    }
  /* Between "launching" and the start of the simulator: nothing ran, so it may start anew. Of a sim
   * that ran, and of which nothing is here, only silence can tell. */
  else if (over || (sim->row->record->state == CYC_SIM_LAUNCHING && sim->row->next_seq == 0))
    {
      g_autofree char *job = cyc_workspace_dir_get_job (self->dir, id);
      /* At once: the new job comes in its place. */
      cyc_engine_remove_tree (self, job);
      sim->relaunch = !over;
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
  g_autoptr (GHashTable) jobs = cyc_workspace_dir_list_jobs (self->dir);

  for (guint r = 0; r < self->run_order->len; r++)
    {
      CycRunEntryState *run = g_ptr_array_index (self->run_order, r);
      /* Recorded results have no worker; they are read again by themselves. */
      for (guint i = 0; !run->row->record->sample && i < run->sims->len; i++)
        recover (self, g_ptr_array_index (run->sims, i), jobs);
    }
}
