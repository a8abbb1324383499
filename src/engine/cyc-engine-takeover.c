/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-engine-takeover-private.h"

#include <signal.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-process.h"
#include "core/base/cyc-util.h"
#include "engine/cyc-engine-change-private.h"

/* A worker died before it could report the end. Its simulator writes to a file of its own, so not a
 * line is lost: the engine reads that file itself, and says so. */

/* Between SIGTERM and SIGKILL, and how long after that zombies that nobody fetches are waited for. */
#define GRACE (5 * G_USEC_PER_SEC)
#define AFTER_KILL (2 * G_USEC_PER_SEC)
/* So much of what a worker said is shown when it never started its simulator. */
#define MESSAGE_BYTES 500
#define NOTE_LIVE "the worker died; the engine reads the simulator's log itself"
#define NOTE_DEAD "the worker died; the engine read what the simulator had written"

static gboolean
simulator_lives (CycSimEntry *sim)
{
  return sim->simulator_pid > 0 && sim->simulator_start != 0 &&
         cyc_process_is_alive (sim->simulator_pid, sim->simulator_start);
}

static gboolean
note_store (sqlite3   *db,
            gpointer   data,
            GError   **error)
{
  CycChange *change = data;
  CycSimRow *row = cyc_change_take_sim (change, db, error);

  if (row == NULL)
    return FALSE;
  if (cyc_sim_state_is_terminal (row->record->state))
    return TRUE;
  /* The simulator runs: the table's moves to running are those of heartbeats, and it is alive. */
  if (cyc_sim_state_can_move (row->record->state, CYC_SIM_RUNNING))
    row->record->state = CYC_SIM_RUNNING;
  if (row->record->state == CYC_SIM_RUNNING && row->record->started_at == 0)
    row->record->started_at = g_get_real_time ();
  cyc_set_str (&row->record->error, change->text);
  return cyc_rows_update_sim (db, row, error);
}

/**
 * cyc_engine_say_trouble:
 * @self: the engine
 * @sim: a sim
 * @trouble: what is tried again
 *
 * Says it in the engine's messages, once, and with the sim as long as nothing else is committed of it: the
 * database may be what cannot be written.
 */
void
cyc_engine_say_trouble (CycEngine   *self,
                        CycSimEntry *sim,
                        const char  *trouble)
{
  if (!cyc_sim_state_is_terminal (sim->row->record->state) &&
      g_strcmp0 (sim->row->record->error, trouble) != 0)
    {
      cyc_set_str (&sim->row->record->error, trouble);
      sim->dirty = TRUE;
      cyc_engine_queue_batch (self);
    }
  if (g_strcmp0 (sim->trouble, trouble) == 0)
    return;
  cyc_set_str (&sim->trouble, trouble);
  g_warning ("%s: %s", sim->row->record->id, trouble);
}

/**
 * cyc_takeover_start:
 * @self: the engine
 * @sim: a sim whose worker is dead and has not claimed the end
 * @at_start: the engine has just begun: the worker may have been dead for long
 *
 * Finds the simulator, if it still runs, and begins to read its log.
 */
void
cyc_takeover_start (CycEngine   *self,
                    CycSimEntry *sim,
                    gboolean     at_start)
{
  const char *id = sim->row->record->id;
  g_autofree char *job = cyc_workspace_dir_get_job (self->dir, id);
  gint64 pid;
  guint64 start;

  if (sim->taking_over)
    return;
  if (!cyc_job_read_worker (job, &pid, &start, &sim->simulator_pid, &sim->simulator_start) ||
      sim->simulator_pid == 0)
    {
      sim->simulator_pid = cyc_job_find_simulator (id);
      sim->simulator_start = cyc_process_get_start_time (sim->simulator_pid);
    }
  sim->taking_over = TRUE;
  sim->outputs_kept = FALSE;
  sim->kill_at = 0;
  sim->found_dead = at_start && !simulator_lives (sim);
  if (simulator_lives (sim))
    {
      CycChange *change = cyc_change_new (self, id, NULL, NULL);
      g_message ("%s: %s", id, NOTE_LIVE);
      change->text = g_strdup (NOTE_LIVE);
      cyc_change_run (change, note_store, cyc_change_adopt_sims);
      if (sim->row->record->state == CYC_SIM_CANCELLED)
        cyc_takeover_stop (self, sim);
    }
  cyc_takeover_continue (self, sim);
}

/**
 * cyc_takeover_stop:
 * @self: the engine
 * @sim: a sim that is being taken over
 *
 * Ends its simulator: SIGTERM to its process group, SIGKILL five seconds later.
 */
void
cyc_takeover_stop (CycEngine   *self,
                   CycSimEntry *sim)
{
  if (sim->kill_at != 0 || !simulator_lives (sim))
    return;
  kill ((pid_t) -sim->simulator_pid, SIGTERM);
  sim->kill_at = cyc_clock_now (&self->clock) + GRACE;
}

/**
 * cyc_takeover_abandon:
 * @sim: a sim whose run is being removed
 *
 * Nobody wants its results: ends its simulator at once.
 */
void
cyc_takeover_abandon (CycSimEntry *sim)
{
  if (sim->taking_over && simulator_lives (sim))
    kill ((pid_t) -sim->simulator_pid, SIGKILL);
}

/* Whether anything of the simulator may still write. What it left running in its process group when
 * it ended is stopped, as a worker would. */
static gboolean
still_writes (CycEngine   *self,
              CycSimEntry *sim)
{
  gint64 now = cyc_clock_now (&self->clock);
  pid_t group = (pid_t) sim->simulator_pid;
  gboolean lives = simulator_lives (sim);
  guint64 start = cyc_process_get_start_time (group);

  /* Another process has that id now: then the group is another one, too. */
  if (!lives && (group <= 1 || (start != 0 && start != sim->simulator_start) || kill (-group, 0) != 0))
    return FALSE;
  if (!lives && sim->kill_at == 0)
    {
      kill (-group, SIGTERM);
      sim->kill_at = now + GRACE;
    }
  if (sim->kill_at != 0 && now >= sim->kill_at)
    kill (-group, SIGKILL);
  return lives || now < sim->kill_at + AFTER_KILL;
}

/* The steps. Each ends in cyc_takeover_continue(), at once or with the next tick. */

typedef struct
{
  CycEngine *engine;
  char      *sim_id;
  gboolean   final;
} Step;

static Step *
begin_step (CycEngine   *self,
            CycSimEntry *sim,
            gboolean     final)
{
  Step *step = g_new0 (Step, 1);

  step->engine = g_object_ref (self);
  step->sim_id = g_strdup (sim->row->record->id);
  step->final = final;
  sim->take_running = TRUE;
  self->pending_work++;
  return step;
}

/* The sim, unless it was removed or the engine closed meanwhile. */
static CycSimEntry *
end_step (Step *step)
{
  CycEngine *self = step->engine;
  CycSimEntry *sim = self->closed ? NULL : cyc_engine_sim_entry (self, step->sim_id);

  self->pending_work--;
  if (sim != NULL)
    sim->take_running = FALSE;
  return sim;
}

static void
step_free (Step *step)
{
  g_object_unref (step->engine);
  g_free (step->sim_id);
  g_free (step);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Step, step_free)

static void
end_takeover (CycEngine   *self,
              CycSimEntry *sim)
{
  g_autofree char *job = cyc_workspace_dir_get_job (self->dir, sim->row->record->id);

  sim->taking_over = FALSE;
  cyc_reaper_discard (self->reaper, job);
  cyc_engine_schedule (self);
}

/* No log: the simulator never ran. */
static void
give_up (CycEngine   *self,
         CycSimEntry *sim)
{
  g_autofree char *job = cyc_workspace_dir_get_job (self->dir, sim->row->record->id);
  g_autofree char *path = g_build_filename (job, "worker.log", NULL);
  gsize len;
  g_autofree char *messages = cyc_file_tail (path, MESSAGE_BYTES, &len);
  g_autofree char *last = cyc_utf8_make_valid (messages == NULL ? "" : messages, len);

  g_strstrip (last);
  g_autofree char *sentence =
    g_strdup_printf ("the worker ended before it started the simulator%s%s",
                     *last != '\0' ? ": " : "", last);
  cyc_engine_move_sim (self, sim->row->record->id, CYC_SIM_FAILED, sentence, "simulator_missing");
  end_takeover (self, sim);
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
listed_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr (Step) step = user_data;
  CycSimEntry *sim = end_step (step);
  g_autoptr (GError) error = NULL;
  gboolean ok = cyc_engine_finish (step->engine, result, &error);

  if (sim == NULL)
    return;
  if (!ok)
    {
      cyc_engine_say_trouble (step->engine, sim, error->message);
      return;
    }
  sim->outputs_kept = TRUE;
  cyc_takeover_continue (step->engine, sim);
}

static void
kept_cb (GPtrArray    *files,
         const GError *error,
         gpointer      user_data)
{
  Step *step = user_data;

  if (files != NULL)
    {
      cyc_engine_list_files (step->engine, step->sim_id, files, listed_cb, step);
      return;
    }
  /* A full disk, most likely: with the next tick it is tried again. */
  CycSimEntry *sim = end_step (step);
  if (sim != NULL)
    cyc_engine_say_trouble (step->engine, sim, error->message);
  step_free (step);
}

static void
taken_cb (CycIngestResult *result,
          gpointer         user_data)
{
  g_autoptr (Step) step = user_data;
  CycEngine *self = step->engine;
  CycSimEntry *sim = end_step (step);

  cyc_engine_adopt_result (self, result);
  if (sim == NULL)
    return;
  if (result->error != NULL && !has_log (self, sim))
    give_up (self, sim);
  else if (result->error != NULL)
    cyc_engine_say_trouble (self, sim, result->error->message);
  else if (result->more)
    cyc_takeover_continue (self, sim);
  else if (step->final)
    end_takeover (self, sim);
}

static gint64
last_written (const char *path)
{
  struct stat st;

  if (stat (path, &st) != 0)
    return 0;
  return (gint64) st.st_mtim.tv_sec * G_USEC_PER_SEC + st.st_mtim.tv_nsec / 1000;
}

static void
take (CycEngine   *self,
      CycSimEntry *sim,
      const char  *job,
      gboolean     to_end)
{
  const char *id = sim->row->record->id;
  g_autofree char *log = g_build_filename (job, "sim.log", NULL);
  g_autofree char *err = g_build_filename (job, "sim.err", NULL);
  CycIngestFinal final = { .from_worker = TRUE, .note = (char *) NOTE_DEAD };

  final.has_exit = to_end && cyc_job_read_exit (job, &final.exit_code);
  final.succeeded = final.has_exit && final.exit_code == 0;
  /* Nobody saw the end: it was after the last that was written, and before this engine. */
  if (sim->found_dead)
    final.finished_at = last_written (log);
  cyc_ingest_takeover (self->ingest, sim->row->record->run_id, id, log, err, to_end ? &final : NULL,
                       taken_cb, begin_step (self, sim, to_end));
}

/**
 * cyc_takeover_continue:
 * @self: the engine
 * @sim: a sim that is being taken over
 *
 * Reads what has been written since. When the simulator is gone: keeps its files, then ends the sim,
 * in the order in which a worker reports.
 */
void
cyc_takeover_continue (CycEngine   *self,
                       CycSimEntry *sim)
{
  const char *id = sim->row->record->id;
  g_autofree char *job = cyc_workspace_dir_get_job (self->dir, id);

  if (sim->take_running)
    return;
  sim->heard_at = cyc_clock_now (&self->clock);
  /* Asked before the file is read: what a simulator wrote before its end is then in the file. */
  if (still_writes (self, sim) || !has_log (self, sim))
    {
      take (self, sim, job, FALSE);
    }
  else if (!sim->outputs_kept)
    {
      g_autofree char *folder = cyc_workspace_dir_get_sim (self->dir, sim->row->record->run_id, id);
      g_autofree char *files = g_build_filename (folder, "files", NULL);
      cyc_outputs_keep (job, files, kept_cb, begin_step (self, sim, FALSE));
    }
  else
    {
      take (self, sim, job, TRUE);
    }
}
