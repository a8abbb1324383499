/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-ingest.h"

#include <string.h>

#include "core/accelsim/cyc-log-chunk.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-process.h"
#include "engine/cyc-ingest-private.h"

/* So many requests at most share one transaction. */
#define MAX_BATCH 64

/* Of what the engine reads itself, so much is told as lines. */
#define TAKEN_BYTES (1024 * 1024)

struct _CycIngest
{
  CycStore     *store;
  char         *workspace;
  GMainContext *context;  /* where results are told */
  GThread      *thread;
  GAsyncQueue  *jobs;     /* of Job */
  GHashTable   *sims;     /* sim id -> CycIngestSim; ingest thread only */
};

typedef enum
{
  JOB_CHUNK,
  JOB_OPEN,
  JOB_FINAL,
  JOB_TAKEOVER,
  JOB_FORGET,
  JOB_QUIT,
} JobKind;

typedef struct
{
  JobKind          kind;
  char            *run_id;
  char            *sim_id;
  GBytes          *body;
  char            *log_path;
  char            *err_path;
  CycIngestFinal  *final;
  CycIngestDone    done;
  gpointer         user_data;
  CycIngestResult  result;
} Job;

static void
job_free (Job *job)
{
  g_free (job->run_id);
  g_free (job->sim_id);
  g_free (job->log_path);
  g_free (job->err_path);
  g_clear_pointer (&job->body, g_bytes_unref);
  cyc_ingest_final_free (job->final);
  g_free (job->result.sim_id);
  g_clear_error (&job->result.error);
  cyc_sim_row_free (job->result.row);
  g_clear_pointer (&job->result.kernels, g_ptr_array_unref);
  g_clear_pointer (&job->result.log, g_bytes_unref);
  g_free (job);
}

static CycIngestSim *
get_sim (CycIngest  *self,
         Job        *job)
{
  CycIngestSim *sim = g_hash_table_lookup (self->sims, job->sim_id);

  if (sim != NULL)
    return sim;
  sim = cyc_ingest_sim_open (self->store, self->workspace, job->run_id, job->sim_id, job->log_path,
                             &job->result.error);
  if (sim != NULL)
    g_hash_table_replace (self->sims, sim->sim_id, sim);
  return sim;
}

static void
take_chunk (CycIngestSim *sim,
            Job          *job)
{
  gsize len;
  const char *body = g_bytes_get_data (job->body, &len);
  g_autoptr (CycLogChunk) chunk = cyc_log_chunk_decode (body, len, &job->result.error);

  if (chunk == NULL || chunk->seq < sim->next_seq)
    return;
  if (chunk->seq > sim->next_seq)
    {
      cyc_error_set_at (&job->result.error, CYC_ERROR_STATE, NULL, 0,
                        "chunk %" G_GUINT64_FORMAT " came before chunk %" G_GUINT64_FORMAT
                        "; send that one first", chunk->seq, sim->next_seq);
      return;
    }
  job->result.log_offset = sim->log_bytes;
  if (!cyc_ingest_sim_append (sim, chunk->text->str, chunk->text->len, &job->result.error))
    return;
  sim->next_seq++;
  job->result.log = g_string_free_to_bytes (g_steal_pointer (&chunk->text));
}

static void
take_over (CycIngestSim *sim,
           Job          *job)
{
  guint64 before = sim->log_bytes;

  if (!cyc_ingest_sim_take (sim, job->log_path, job->final != NULL, &job->result.more,
                            &job->result.error))
    return;
  job->result.log = cyc_ingest_sim_read_log (sim, before, TAKEN_BYTES);
  job->result.log_offset = before;
  if (job->final == NULL || job->result.more)
    return;
  cyc_ingest_final_free (sim->final);
  sim->final = g_steal_pointer (&job->final);
  const char *trouble = cyc_ingest_sim_explain (sim);
  if (trouble != NULL)
    {
      g_autofree char *note = g_steal_pointer (&sim->final->note);
      sim->final->note = note == NULL ? g_strdup (trouble) : g_strdup_printf ("%s; %s", note, trouble);
    }
  cyc_ingest_sim_decide (sim, job->err_path);
}

static void
work (CycIngest *self,
      Job       *job)
{
  if (job->kind == JOB_FORGET)
    {
      g_hash_table_remove (self->sims, job->sim_id);
      return;
    }
  CycIngestSim *sim = get_sim (self, job);
  if (sim == NULL)
    return;
  if (sim->failure != NULL)
    return;
  switch (job->kind)
    {
    case JOB_CHUNK:
      take_chunk (sim, job);
      break;
    case JOB_FINAL:
      cyc_ingest_final_free (sim->final);
      sim->final = g_steal_pointer (&job->final);
      cyc_ingest_sim_decide (sim, NULL);
      break;
    case JOB_TAKEOVER:
      take_over (sim, job);
      break;
    case JOB_OPEN:
    case JOB_FORGET:
    case JOB_QUIT:
    default:
      break;
    }
}

typedef struct
{
  CycIngest *self;
  GPtrArray *dirty; /* of CycIngestSim, borrowed */
  GPtrArray *rows;  /* of CycSimRow, beside them */
} Commit;

static gboolean
commit_all (sqlite3   *db,
            gpointer   data,
            GError   **error)
{
  Commit *commit = data;

  g_ptr_array_set_size (commit->rows, 0);
  for (guint i = 0; i < commit->dirty->len; i++)
    {
      CycSimRow *row = NULL;
      if (!cyc_ingest_sim_commit (g_ptr_array_index (commit->dirty, i), db, &row, error))
        return FALSE;
      g_ptr_array_add (commit->rows, row);
    }
  return TRUE;
}

static gboolean
sync_and_commit (Commit  *commit,
                 GError **error)
{
  for (guint i = 0; i < commit->dirty->len; i++)
    if (!cyc_ingest_sim_sync (g_ptr_array_index (commit->dirty, i), error))
      return FALSE;
  return cyc_store_call (commit->self->store, commit_all, commit, error);
}

static void
settle_job (Job          *job,
            CycIngestSim *sim,
            CycSimRow   **row,
            const GError *error)
{
  if (error != NULL)
    {
      g_clear_error (&job->result.error);
      g_clear_pointer (&job->result.log, g_bytes_unref);
      job->result.error = g_error_copy (error);
      job->result.more = FALSE;
      return;
    }
  if (sim->gone)
    {
      g_clear_error (&job->result.error);
      g_clear_pointer (&job->result.log, g_bytes_unref);
      cyc_rows_set_missing (&job->result.error, "sim", job->sim_id);
      return;
    }
  /* The last job of a sim in the batch carries the row; the mirror needs it once. */
  if (*row == NULL)
    return;
  job->result.row = g_steal_pointer (row);
  job->result.lost = sim->lost != NULL;
  job->result.kernels = g_steal_pointer (&sim->kernels);
  sim->kernels = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_kernel_record_free);
}

static void
settle_sim (CycIngest     *self,
            GPtrArray     *batch,
            CycIngestSim  *sim,
            CycSimRow     *row,
            const GError  *error)
{
  for (guint i = batch->len; i-- > 0;)
    {
      Job *job = g_ptr_array_index (batch, i);
      if (strcmp (job->sim_id, sim->sim_id) == 0)
        settle_job (job, sim, &row, error);
    }
  cyc_sim_row_free (row);
  /* After a failure, what was parsed is ahead of what is committed: only reading again mends that.
   * After the end nothing more is expected: the parser and the file go. */
  if (error != NULL || sim->final != NULL || sim->gone || sim->claimed)
    {
      g_hash_table_remove (self->sims, sim->sim_id);
      return;
    }
  g_ptr_array_set_size (sim->kernels, 0);
  g_array_set_size (sim->partials, 0);
  g_clear_pointer (&sim->lost, g_free);
  sim->dirty = FALSE;
}

/* A log that cannot be written does not hold up those of the other sims. */
static void
drop_failed (CycIngest *self,
             GPtrArray *batch,
             GPtrArray *dirty)
{
  for (guint i = dirty->len; i-- > 0;)
    {
      CycIngestSim *sim = g_ptr_array_index (dirty, i);
      if (sim->failure == NULL)
        continue;
      g_autoptr (GError) error = g_error_copy (sim->failure);
      g_ptr_array_remove_index (dirty, i);
      settle_sim (self, batch, sim, NULL, error);
    }
}

/* A chunk that comes once more after the end opens the log again, and changes nothing. */
static gboolean
is_over (gpointer id,
         gpointer value,
         gpointer user_data)
{
  CycIngestSim *sim = value;

  return sim->claimed && !sim->dirty;
}

static void
note_next_seq (CycIngest *self,
               GPtrArray *batch)
{
  for (guint i = 0; i < batch->len; i++)
    {
      Job *job = g_ptr_array_index (batch, i);
      CycIngestSim *sim = g_hash_table_lookup (self->sims, job->sim_id);
      job->result.sim_id = g_strdup (job->sim_id);
      job->result.next_seq = sim == NULL ? 0 : sim->next_seq;
    }
}

static void
finish_batch (CycIngest *self,
              GPtrArray *batch)
{
  g_autoptr (GPtrArray) dirty = g_ptr_array_new ();
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_sim_row_free);
  Commit commit = { .self = self, .dirty = dirty, .rows = rows };
  g_autoptr (GError) error = NULL;
  GHashTableIter iter;
  CycIngestSim *sim;

  note_next_seq (self, batch);
  g_hash_table_iter_init (&iter, self->sims);
  while (g_hash_table_iter_next (&iter, NULL, (gpointer *) &sim))
    if (sim->dirty)
      g_ptr_array_add (dirty, sim);
  drop_failed (self, batch, dirty);
  g_hash_table_foreach_remove (self->sims, is_over, NULL);
  if (dirty->len == 0)
    return;
  gboolean ok = sync_and_commit (&commit, &error);
  for (guint i = 0; i < dirty->len; i++)
    settle_sim (self, batch, g_ptr_array_index (dirty, i),
                ok ? g_steal_pointer (&g_ptr_array_index (rows, i)) : NULL, error);
}

static gboolean
tell (gpointer data)
{
  GPtrArray *batch = data;

  for (guint i = 0; i < batch->len; i++)
    {
      Job *job = g_ptr_array_index (batch, i);
      if (job->done != NULL)
        job->done (&job->result, job->user_data);
    }
  return G_SOURCE_REMOVE;
}

static void
tell_batch (CycIngest *self,
            GPtrArray *batch)
{
  g_autoptr (GSource) source = g_idle_source_new ();

  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, tell, g_ptr_array_ref (batch), (GDestroyNotify) g_ptr_array_unref);
  g_source_attach (source, self->context);
}

static GPtrArray *
new_batch (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) job_free);
}

static void
end_batch (CycIngest  *self,
           GPtrArray **batch)
{
  finish_batch (self, *batch);
  if ((*batch)->len > 0)
    tell_batch (self, *batch);
  g_ptr_array_unref (*batch);
  *batch = new_batch ();
}

/* What comes after the end of a log belongs to the next transaction: the log is read again first. */
static gboolean
is_after_end (CycIngest *self,
              Job       *job)
{
  CycIngestSim *sim = g_hash_table_lookup (self->sims, job->sim_id);

  return sim != NULL && sim->finished && sim->dirty;
}

static gpointer
ingest_thread (gpointer data)
{
  CycIngest *self = data;
  g_autoptr (GPtrArray) batch = new_batch ();

  cyc_process_yield_thread ();
  for (;;)
    {
      Job *job = batch->len == 0 ? g_async_queue_pop (self->jobs) : g_async_queue_try_pop (self->jobs);
      gboolean quit = job != NULL && job->kind == JOB_QUIT;
      if (job == NULL || quit || batch->len == MAX_BATCH || is_after_end (self, job))
        end_batch (self, &batch);
      if (quit)
        {
          job_free (job);
          return NULL;
        }
      if (job != NULL)
        {
          work (self, job);
          g_ptr_array_add (batch, job);
        }
    }
}

/**
 * cyc_ingest_new:
 * @store: the store, which must outlive this
 * @workspace: the workspace's folder
 *
 * Starts the thread that takes logs in. Results are told in the thread-default main context of the
 * caller, in the order of the requests, when they are on disk.
 *
 * Returns: (transfer full): the ingest
 */
CycIngest *
cyc_ingest_new (CycStore   *store,
                const char *workspace)
{
  CycIngest *self = g_new0 (CycIngest, 1);
  self->store = store;
  self->workspace = g_strdup (workspace);
  self->context = g_main_context_ref_thread_default ();
  self->jobs = g_async_queue_new ();
  self->sims = g_hash_table_new_full (g_str_hash, g_str_equal, NULL,
                                      (GDestroyNotify) cyc_ingest_sim_free);
  self->thread = g_thread_new ("cyc-ingest", ingest_thread, self);
  return self;
}

/**
 * cyc_ingest_stop:
 * @self: (transfer full): the ingest
 *
 * Finishes what was asked and ends the thread. Blocks. Results that were not told yet are told by
 * the main context when it runs again.
 */
void
cyc_ingest_stop (CycIngest *self)
{
  Job *job = g_new0 (Job, 1);
  job->kind = JOB_QUIT;
  g_async_queue_push (self->jobs, job);
  g_thread_join (self->thread);
  g_async_queue_unref (self->jobs);
  g_hash_table_unref (self->sims);
  g_main_context_unref (self->context);
  g_free (self->workspace);
  g_free (self);
}

static Job *
new_job (JobKind        kind,
         const char    *run_id,
         const char    *sim_id,
         CycIngestDone  done,
         gpointer       user_data)
{
  Job *job = g_new0 (Job, 1);
  job->kind = kind;
  job->run_id = g_strdup (run_id);
  job->sim_id = g_strdup (sim_id);
  job->done = done;
  job->user_data = user_data;
  return job;
}

/**
 * cyc_ingest_chunk:
 * @self: the ingest
 * @run_id: the run of the sim
 * @sim_id: the sim
 * @body: a LogChunk as it came
 * @done: told when the chunk is on disk, or why not
 * @user_data: for @done
 */
void
cyc_ingest_chunk (CycIngest     *self,
                  const char    *run_id,
                  const char    *sim_id,
                  GBytes        *body,
                  CycIngestDone  done,
                  gpointer       user_data)
{
  Job *job = new_job (JOB_CHUNK, run_id, sim_id, done, user_data);
  job->body = g_bytes_ref (body);
  g_async_queue_push (self->jobs, job);
}

/**
 * cyc_ingest_open:
 * @self: the ingest
 * @run_id: the run of the sim
 * @sim_id: the sim
 * @done: (nullable): told when it is done
 * @user_data: for @done
 *
 * Cuts the engine's log of a sim to the committed length and parses it, at the engine's start. One that
 * is shorter is made whole from the simulator's own log; if that is not possible, the sim ends.
 */
void
cyc_ingest_open (CycIngest     *self,
                 const char    *run_id,
                 const char    *sim_id,
                 CycIngestDone  done,
                 gpointer       user_data)
{
  g_async_queue_push (self->jobs, new_job (JOB_OPEN, run_id, sim_id, done, user_data));
}

/**
 * cyc_ingest_final:
 * @self: the ingest
 * @run_id: the run of the sim
 * @sim_id: the sim
 * @final: the claim, copied
 * @done: told when the sim's state is committed
 * @user_data: for @done
 *
 * A final heartbeat: decided when all chunks that came before it are in.
 */
void
cyc_ingest_final (CycIngest            *self,
                  const char           *run_id,
                  const char           *sim_id,
                  const CycIngestFinal *final,
                  CycIngestDone         done,
                  gpointer              user_data)
{
  Job *job = new_job (JOB_FINAL, run_id, sim_id, done, user_data);
  job->final = cyc_ingest_final_copy (final);
  g_async_queue_push (self->jobs, job);
}

/**
 * cyc_ingest_takeover:
 * @self: the ingest
 * @run_id: the run of the sim
 * @sim_id: the sim
 * @log_path: the file that the simulator writes or wrote
 * @err_path: (nullable): its stderr, for the end
 * @final: (nullable): the end, once the simulator is gone
 * @done: told when what was read is on disk
 * @user_data: for @done
 *
 * The engine reads a simulator's log itself: its worker died, or the log was recorded elsewhere.
 */
void
cyc_ingest_takeover (CycIngest            *self,
                     const char           *run_id,
                     const char           *sim_id,
                     const char           *log_path,
                     const char           *err_path,
                     const CycIngestFinal *final,
                     CycIngestDone         done,
                     gpointer              user_data)
{
  Job *job = new_job (JOB_TAKEOVER, run_id, sim_id, done, user_data);
  job->log_path = g_strdup (log_path);
  job->err_path = g_strdup (err_path);
  job->final = cyc_ingest_final_copy (final);
  g_async_queue_push (self->jobs, job);
}

/**
 * cyc_ingest_forget:
 * @self: the ingest
 * @sim_id: a sim that was removed
 */
void
cyc_ingest_forget (CycIngest  *self,
                   const char *sim_id)
{
  g_async_queue_push (self->jobs, new_job (JOB_FORGET, NULL, sim_id, NULL, NULL));
}
