/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-ingest-private.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/accelsim/cyc-sim-outcome.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-file.h"
#include "core/base/cyc-util.h"
#include "engine/cyc-job.h"

#define TAIL_LINES 20
#define TAIL_LINE_BYTES 2048
#define READ_SIZE (256 * 1024)
/* A takeover of a large log lets other sims have their turn. */
#define TAKE_AT_ONCE (64 * 1024 * 1024)
#define STDERR_BYTES (64 * 1024)

/**
 * cyc_ingest_final_copy:
 * @self: (nullable): a claim
 *
 * Returns: (transfer full) (nullable): a copy
 */
CycIngestFinal *
cyc_ingest_final_copy (const CycIngestFinal *self)
{
  if (self == NULL)
    return NULL;
  CycIngestFinal *copy = g_memdup2 (self, sizeof *self);
  copy->error = g_strdup (self->error);
  copy->note = g_strdup (self->note);
  return copy;
}

/**
 * cyc_ingest_final_free:
 * @self: (transfer full) (nullable): a claim
 */
void
cyc_ingest_final_free (CycIngestFinal *self)
{
  if (self == NULL)
    return;
  g_free (self->error);
  g_free (self->note);
  g_free (self);
}

static void
block_cb (const CycSimBlock *block,
          gpointer           user_data)
{
  CycIngestSim *self = user_data;

  /* What was parsed before is in the database, but a cut block is told only now. */
  if (self->reparsing && !block->partial)
    return;
  CycKernelRecord *kernel = cyc_kernel_record_new ();
  kernel->sim_id = g_strdup (self->sim_id);
  kernel->kernel_index = block->index;
  kernel->kernel_name = g_strdup (block->kernel_name);
  kernel->has_launch_uid = block->has_uid;
  kernel->kernel_launch_uid = (gint64) block->uid;
  kernel->has_cycle = block->has_cycle;
  kernel->gpu_sim_cycle = block->gpu_sim_cycle;
  kernel->has_insn = block->has_insn;
  kernel->gpu_sim_insn = block->gpu_sim_insn;
  kernel->gpu_ipc = block->gpu_ipc;
  kernel->sim_time_ns = block->sim_time_ns;
  kernel->partial = block->partial;
  kernel->concurrent = block->concurrent;
  kernel->has_stream_id = block->has_stream;
  kernel->stream_id = block->stream_id;
  kernel->log_offset = block->offset;
  kernel->log_length = block->length;
  g_ptr_array_add (self->kernels, kernel);
}

static void
partial_cb (guint    index,
            gpointer user_data)
{
  CycIngestSim *self = user_data;

  g_array_append_val (self->partials, index);
}

/* Reads the accepted log again: the engine was restarted, or the sim was thought to be over. */
static gboolean
reparse (CycIngestSim  *self,
         GError       **error)
{
  g_autofree char *buffer = g_malloc (READ_SIZE);
  guint64 offset = 0;

  self->reparsing = TRUE;
  while (offset < self->log_bytes)
    {
      ssize_t n = pread (self->fd, buffer, MIN (READ_SIZE, self->log_bytes - offset), (off_t) offset);
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        {
          cyc_error_set_errno (error, n == 0 ? EIO : errno, self->folder, "cannot read the log again");
          return FALSE;
        }
      cyc_sim_log_feed (self->log, buffer, (gsize) n);
      offset += (guint64) n;
    }
  self->reparsing = FALSE;
  return TRUE;
}

static gboolean
sync_folders (CycIngestSim  *self,
              GError       **error)
{
  g_autofree char *run = g_path_get_dirname (self->folder);
  g_autofree char *runs = g_path_get_dirname (run);

  return cyc_file_sync_folder (self->folder, error) && cyc_file_sync_folder (run, error) &&
         cyc_file_sync_folder (runs, error);
}

/* What was acknowledged is missing. After the end nobody has it any more. */
static gboolean
mend_log (CycIngestSim  *self,
          const char    *source,
          guint64        have,
          const char    *path,
          GError       **error)
{
  g_autoptr (GError) local = NULL;

  if (self->claimed)
    {
      cyc_error_set_at (error, CYC_ERROR_FAILED, path, 0,
                        "is %" G_GUINT64_FORMAT " bytes long although %" G_GUINT64_FORMAT
                        " were accepted; restore it from a copy", have, self->log_bytes);
      return FALSE;
    }
  if (cyc_ingest_sim_repair (self, source, have, &local))
    return TRUE;
  if (local == NULL)
    cyc_ingest_sim_lose_log (self);
  else
    g_propagate_error (error, g_steal_pointer (&local));
  return self->lost != NULL;
}

static gboolean
open_log (CycIngestSim  *self,
          const char    *source,
          GError       **error)
{
  struct stat st;

  if (!cyc_file_make_folder (self->folder, 0700, error))
    return FALSE;
  g_autofree char *path = g_build_filename (self->folder, "log", NULL);
  self->fd = open (path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (self->fd < 0 || fstat (self->fd, &st) != 0)
    {
      cyc_error_set_errno (error, errno, path, "cannot open the log");
      return FALSE;
    }
  if ((guint64) st.st_size < self->log_bytes &&
      !mend_log (self, source, (guint64) st.st_size, path, error))
    return FALSE;
  /* What was written but not committed was never acknowledged, and comes again. */
  if (((guint64) st.st_size > self->log_bytes || self->lost != NULL) &&
      ftruncate (self->fd, (off_t) self->log_bytes) != 0)
    {
      cyc_error_set_errno (error, errno, path, "cannot cut the log");
      return FALSE;
    }
  /* The bytes are put on disk before they are acknowledged; so is the name of a new file. */
  if (self->log_bytes == 0 && !sync_folders (self, error))
    return FALSE;
  return reparse (self, error);
}

typedef struct
{
  const char *sim_id;
  CycSimRow  *row;
} GetSim;

static gboolean
get_sim (sqlite3   *db,
         gpointer   data,
         GError   **error)
{
  GetSim *get = data;

  get->row = cyc_rows_get_sim (db, get->sim_id, error);
  return get->row != NULL;
}

/**
 * cyc_ingest_sim_open:
 * @store: the store
 * @workspace: the workspace's folder
 * @run_id: the run of the sim
 * @sim_id: the sim
 * @source: (nullable): the simulator's own log, if it is not in the sim's job
 * @error: (nullable): return location for an error
 *
 * Opens the engine's log of a sim, cuts it to the committed length and parses it again. One that is
 * shorter is made whole from the simulator's own log.
 *
 * Returns: (transfer full) (nullable): the sim's state on the ingest thread
 */
CycIngestSim *
cyc_ingest_sim_open (CycStore    *store,
                     const char  *workspace,
                     const char  *run_id,
                     const char  *sim_id,
                     const char  *source,
                     GError     **error)
{
  static const CycSimLogCallbacks callbacks = { .block = block_cb, .partial = partial_cb };
  GetSim get = { .sim_id = sim_id };

  if (!cyc_store_call (store, get_sim, &get, error))
    return NULL;
  g_autoptr (CycSimRow) row = get.row;

  CycIngestSim *self = g_new0 (CycIngestSim, 1);
  self->run_id = g_strdup (run_id);
  self->sim_id = g_strdup (sim_id);
  self->folder = g_build_filename (workspace, "runs", run_id, sim_id, NULL);
  self->job = g_build_filename (workspace, "jobs", sim_id, NULL);
  self->fd = -1;
  self->next_seq = row->next_seq;
  self->log_bytes = row->log_bytes;
  self->listed_kernels = row->record->kernels_total;
  self->claimed = row->claimed;
  self->kernels = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_kernel_record_free);
  self->partials = g_array_new (FALSE, FALSE, sizeof (guint));
  g_queue_init (&self->tail);
  for (guint i = 0; row->record->log_tail[i] != NULL; i++)
    g_queue_push_tail (&self->tail, g_strdup (row->record->log_tail[i]));
  self->log = cyc_sim_log_new (CYC_SIM_LOG_IDENTITY);
  cyc_sim_log_set_callbacks (self->log, &callbacks, self);
  g_autoptr (GError) local = NULL;
  g_autofree char *own = g_build_filename (self->job, "sim.log", NULL);
  if (open_log (self, source != NULL ? source : own, &local))
    return self;
  /* "Not found" would tell the worker that nobody knows its sim: it would stop the simulator. */
  if (g_error_matches (local, CYC_ERROR, CYC_ERROR_NOT_FOUND))
    local->code = CYC_ERROR_FAILED;
  g_propagate_error (error, g_steal_pointer (&local));
  cyc_ingest_sim_free (self);
  return NULL;
}

/**
 * cyc_ingest_sim_free:
 * @self: (transfer full) (nullable): a sim
 */
void
cyc_ingest_sim_free (CycIngestSim *self)
{
  if (self == NULL)
    return;
  if (self->fd >= 0)
    close (self->fd);
  g_clear_pointer (&self->reader, cyc_byte_reader_free);
  g_clear_pointer (&self->chunker, cyc_log_chunker_free);
  cyc_sim_log_free (self->log);
  g_ptr_array_unref (self->kernels);
  g_array_unref (self->partials);
  g_queue_clear_full (&self->tail, g_free);
  g_clear_error (&self->failure);
  cyc_ingest_final_free (self->final);
  g_free (self->lost);
  g_free (self->run_id);
  g_free (self->sim_id);
  g_free (self->folder);
  g_free (self->job);
  g_free (self->outcome);
  g_free (self->reason);
  g_free (self->message);
  g_free (self);
}

static void
push_tail (CycIngestSim *self,
           const char   *line,
           gsize         len)
{
  g_queue_push_tail (&self->tail, cyc_utf8_make_valid (line, MIN (len, TAIL_LINE_BYTES)));
  while (g_queue_get_length (&self->tail) > TAIL_LINES)
    g_free (g_queue_pop_head (&self->tail));
}

/* Only the last lines of a large piece are looked at. */
static void
keep_tail (CycIngestSim *self,
           const char   *bytes,
           gsize         len)
{
  const char *end = bytes + len;
  const char *starts[TAIL_LINES + 1];
  guint n = 0;
  const char *p = end;

  if (len == 0)
    return;
  gboolean terminated = end[-1] == '\n';
  const char *stop = terminated ? end - 1 : end;
  for (p = stop; n < TAIL_LINES; n++)
    {
      const char *newline = p > bytes ? memrchr (bytes, '\n', (gsize) (p - bytes)) : NULL;
      starts[n] = newline == NULL ? bytes : newline + 1;
      if (newline == NULL)
        {
          n++;
          break;
        }
      p = newline;
    }
  while (n-- > 0)
    {
      const char *newline = memchr (starts[n], '\n', (gsize) (stop - starts[n]));
      push_tail (self, starts[n], (gsize) ((newline == NULL ? stop : newline) - starts[n]));
    }
}

/**
 * cyc_ingest_sim_append:
 * @self: a sim
 * @bytes: (array length=len): accepted lines
 * @len: how many bytes
 * @error: (nullable): return location for an error
 *
 * Appends to the engine's log and parses. After a failure the state must be dropped: what is in the
 * file beyond the committed length is cut when it is opened again.
 *
 * Returns: %TRUE on success
 */
gboolean
cyc_ingest_sim_append (CycIngestSim  *self,
                       const char    *bytes,
                       gsize          len,
                       GError       **error)
{
  gsize done = 0;

  self->dirty = TRUE;
  while (done < len)
    {
      ssize_t n = pwrite (self->fd, bytes + done, len - done, (off_t) (self->log_bytes + done));
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        {
          g_autofree char *path = g_build_filename (self->folder, "log", NULL);
          cyc_error_set_errno (&self->failure, errno, path, "cannot append to the log");
          if (error != NULL)
            *error = g_error_copy (self->failure);
          return FALSE;
        }
      done += (gsize) n;
    }
  self->log_bytes += len;
  cyc_sim_log_feed (self->log, bytes, len);
  keep_tail (self, bytes, len);
  return TRUE;
}

static void
taken_cb (const char *bytes,
          gsize       len,
          gpointer    user_data)
{
  CycIngestSim *self = user_data;
  gsize known = (gsize) MIN (len, self->known - self->compared);

  if (self->failure != NULL || self->differs)
    return;
  /* Of a log that somebody cut or wrote over nothing can be taken: where it would go on is not known. */
  self->differs = !cyc_ingest_sim_holds (self, self->compared, bytes, known);
  if (self->differs)
    {
      g_warning ("%s: the simulator's log on disk is not what had come of it", self->sim_id);
      return;
    }
  self->compared += known;
  if (len > known)
    cyc_ingest_sim_append (self, bytes + known, len - known, NULL);
}

static gboolean
start_taking (CycIngestSim  *self,
              const char    *log_path,
              GError       **error)
{
  if (self->reader != NULL)
    return TRUE;
  self->reader = cyc_byte_reader_open (log_path, error);
  if (self->reader == NULL)
    return FALSE;
  self->chunker = cyc_log_chunker_new (taken_cb, self);
  self->known = self->log_bytes;
  return TRUE;
}

/**
 * cyc_ingest_sim_take:
 * @self: a sim
 * @log_path: the file that the simulator writes; `.xz` and `.gz` are unpacked
 * @to_end: the simulator is gone: the last line counts even without its end
 * @out_more: (out): the file has more; call again
 * @error: (nullable): return location for an error
 *
 * Goes on where the engine's own log ends, by the mapping that the worker uses.
 *
 * Returns: %TRUE on success
 */
gboolean
cyc_ingest_sim_take (CycIngestSim  *self,
                     const char    *log_path,
                     gboolean       to_end,
                     gboolean      *out_more,
                     GError       **error)
{
  g_autofree char *buffer = g_malloc (READ_SIZE);
  guint64 before = self->log_bytes;
  gsize taken = 0;
  gssize n = 0;

  *out_more = FALSE;
  if (!start_taking (self, log_path, error))
    return FALSE;
  while (taken < TAKE_AT_ONCE && self->failure == NULL &&
         (n = cyc_byte_reader_read (self->reader, buffer, READ_SIZE, NULL, error)) > 0)
    {
      cyc_log_chunker_feed (self->chunker, buffer, (gsize) n);
      taken += (gsize) n;
    }
  *out_more = n >= 0 && taken >= TAKE_AT_ONCE;
  if (to_end && n >= 0 && !*out_more)
    cyc_log_chunker_finish (self->chunker);
  /* A chunk of the dead worker that is still on its way counts as taken. */
  if (self->log_bytes > before)
    self->next_seq++;
  if (n < 0)
    return FALSE;
  if (self->failure != NULL)
    {
      if (error != NULL)
        *error = g_error_copy (self->failure);
      return FALSE;
    }
  return TRUE;
}

/**
 * cyc_ingest_sim_read_log:
 * @self: a sim
 * @offset: where to begin
 * @limit: how many bytes it may be
 *
 * Returns: (transfer full) (nullable): the log from @offset to its end; %NULL if that is nothing, more than
 *   @limit, or cannot be read
 */
GBytes *
cyc_ingest_sim_read_log (CycIngestSim *self,
                         guint64       offset,
                         gsize         limit)
{
  if (offset >= self->log_bytes || self->log_bytes - offset > limit)
    return NULL;
  gsize len = (gsize) (self->log_bytes - offset);
  g_autofree char *text = g_malloc (len);
  if (pread (self->fd, text, len, (off_t) offset) != (ssize_t) len)
    return NULL;
  return g_bytes_new_take (g_steal_pointer (&text), len);
}

/**
 * cyc_ingest_sim_explain:
 * @self: a sim whose log was taken to the end
 *
 * Returns: (nullable): what was wrong with the simulator's own log
 */
const char *
cyc_ingest_sim_explain (CycIngestSim *self)
{
  if (self->differs)
    return "the simulator's log on disk was not what had come of it; lines may be missing";
  if (self->compared < self->known)
    return "the simulator's log on disk was shorter than what had come of it; lines may be missing";
  return NULL;
}

static char *
read_stderr (CycIngestSim *self,
             const char   *err_path,
             gsize        *out_len)
{
  g_autofree char *own = g_build_filename (self->folder, "files", "stderr.txt", NULL);
  const char *path = err_path != NULL ? err_path : own;
  char *text = NULL;

  *out_len = 0;
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0)
    return NULL;
  struct stat st;
  if (fstat (fd, &st) == 0 && S_ISREG (st.st_mode))
    {
      off_t from = MAX (0, st.st_size - STDERR_BYTES);
      text = g_malloc (STDERR_BYTES + 1);
      ssize_t n = pread (fd, text, STDERR_BYTES, from);
      *out_len = n > 0 ? (gsize) n : 0;
      text[*out_len] = '\0';
    }
  close (fd);
  return text;
}

/**
 * cyc_ingest_sim_decide:
 * @self: a sim with a claim
 * @err_path: (nullable): where its stderr lies, if it was not uploaded
 *
 * Ends the log and decides the outcome. A claim without a log that is not our worker's is believed:
 * then there is no outcome.
 */
void
cyc_ingest_sim_decide (CycIngestSim *self,
                       const char   *err_path)
{
  CycIngestFinal *final = self->final;
  gsize len;
  g_autofree char *text = read_stderr (self, err_path, &len);

  if (final->from_worker)
    cyc_job_read_times (self->job, &final->started_at, &final->finished_at);
  if (!self->finished)
    cyc_sim_log_finish (self->log);
  self->finished = TRUE;
  self->dirty = TRUE;
  if (self->log_bytes == 0 && !final->from_worker)
    return;
  g_autoptr (CycSimOutcome) outcome =
    cyc_sim_outcome_decide (cyc_sim_log_get_summary (self->log), text == NULL ? "" : text, len,
                            final->has_exit, final->exit_code, self->listed_kernels);
  cyc_set_str (&self->outcome, outcome->outcome);
  cyc_set_str (&self->reason, outcome->reason);
  cyc_set_str (&self->message, outcome->message);
}

/**
 * cyc_ingest_sim_sync:
 * @self: a sim
 * @error: (nullable): return location for an error
 *
 * Puts the log on disk.
 *
 * Returns: %TRUE on success
 */
gboolean
cyc_ingest_sim_sync (CycIngestSim  *self,
                     GError       **error)
{
  if (fdatasync (self->fd) == 0)
    return TRUE;
  g_autofree char *path = g_build_filename (self->folder, "log", NULL);
  cyc_error_set_errno (error, errno, path, "cannot put the log on disk");
  return FALSE;
}

static void
copy_progress (CycIngestSim *self,
               CycSimRow    *row)
{
  const CycSimLogSummary *summary = cyc_sim_log_get_summary (self->log);
  CycSimRecord *record = row->record;

  row->next_seq = self->next_seq;
  row->log_bytes = self->log_bytes;
  record->kernels_done = summary->complete_blocks;
  cyc_set_str (&record->current_kernel, summary->current_kernel);
  record->latest.gpu_tot_sim_cycle = summary->gpu_tot_sim_cycle;
  record->latest.gpu_tot_sim_insn = summary->gpu_tot_sim_insn;
  record->latest.gpu_tot_ipc = summary->gpu_tot_ipc;
  record->latest.sim_rate_ips = summary->sim_rate_ips;
  g_strfreev (record->log_tail);
  record->log_tail = g_new0 (char *, g_queue_get_length (&self->tail) + 1);
  guint n = 0;
  for (GList *l = self->tail.head; l != NULL; l = l->next)
    record->log_tail[n++] = g_strdup (l->data);
}

/* The report of an end may come hours after it, when there was no engine to take it. Times that a clock
 * which was set meanwhile made impossible are not believed. */
static void
set_times (CycSimRecord         *record,
           const CycIngestFinal *final)
{
  gint64 now = g_get_real_time ();

  record->finished_at = final->finished_at >= record->created_at && final->finished_at <= now
                          ? final->finished_at : now;
  if (final->started_at >= record->created_at && final->started_at <= record->finished_at &&
      (record->started_at == 0 || record->started_at > record->finished_at))
    record->started_at = final->started_at;
}

static void
end_sim (CycIngestSim *self,
         CycSimRow    *row)
{
  const CycIngestFinal *final = self->final;
  CycSimRecord *record = row->record;

  /* Only a worker's claim says that log and files have all come: what a simulator sends itself may be
   * ahead of them. */
  row->claimed |= final->from_worker;
  if (final->from_worker || final->has_exit)
    {
      record->has_exit_code = final->has_exit;
      record->exit_code = final->exit_code;
    }

  gboolean good = self->outcome == NULL ? final->succeeded
                                        : strcmp (self->outcome, "succeeded") == 0 ||
                                            strcmp (self->outcome, "limit") == 0;
  CycSimState state = good ? CYC_SIM_SUCCEEDED : CYC_SIM_FAILED;
  /* A report that comes once more says nothing new. */
  if (record->state == state)
    return;
  if (!cyc_sim_state_can_move (record->state, state))
    {
      g_message ("%s: a final heartbeat in state %s is ignored", record->id,
                 cyc_sim_state_to_string (record->state));
      return;
    }
  record->state = state;
  set_times (record, final);
  cyc_set_str (&record->outcome, self->outcome);
  cyc_set_str (&record->reason, self->reason);
  const char *sentence = good ? NULL : self->message != NULL ? self->message : final->error;
  if (sentence != NULL && final->note != NULL)
    {
      g_free (record->error);
      record->error = g_strdup_printf ("%s (%s)", sentence, final->note);
    }
  else
    {
      cyc_set_str (&record->error, sentence != NULL ? sentence : final->note);
    }
}

/* The sim ends here, whatever its simulator still does. */
static gboolean
end_without_log (CycIngestSim  *self,
                 CycSimRow     *row,
                 sqlite3       *db,
                 GError       **error)
{
  CycSimRecord *record = row->record;

  if (!cyc_rows_drop_kernels (db, self->sim_id, self->log_bytes, error))
    return FALSE;
  if (cyc_sim_state_can_move (record->state, CYC_SIM_FAILED))
    {
      record->state = CYC_SIM_FAILED;
      record->finished_at = g_get_real_time ();
      cyc_set_str (&record->outcome, "incomplete");
      cyc_set_str (&record->reason, "no_end_marker");
    }
  cyc_set_str (&record->error, self->lost);
  return TRUE;
}

static gboolean
mark_partials (CycIngestSim  *self,
               sqlite3       *db,
               GError       **error)
{
  if (self->partials->len == 0)
    return TRUE;
  g_autoptr (GPtrArray) kernels = cyc_rows_list_kernels (db, self->sim_id, error);
  if (kernels == NULL)
    return FALSE;
  for (guint i = 0; i < self->partials->len; i++)
    {
      guint index = g_array_index (self->partials, guint, i);
      for (guint k = 0; k < kernels->len; k++)
        {
          CycKernelRecord *kernel = g_ptr_array_index (kernels, k);
          if (kernel->kernel_index != index)
            continue;
          kernel->partial = TRUE;
          if (!cyc_rows_put_kernel (db, kernel, error))
            return FALSE;
          /* Who follows the kernels is told of it as of a new one. */
          g_ptr_array_add (self->kernels, cyc_kernel_record_copy (kernel));
        }
    }
  return TRUE;
}

/**
 * cyc_ingest_sim_commit:
 * @self: a dirty sim
 * @db: the database, on its thread, inside the batch's transaction
 * @out_row: (out) (transfer full) (nullable): the sim as it is committed; %NULL if it was removed
 * @error: (nullable): return location for an error
 *
 * Writes down what was accepted since the last commit: length, sequence, kernels, totals, and the
 * end of the sim if it was claimed.
 *
 * Returns: %TRUE on success
 */
gboolean
cyc_ingest_sim_commit (CycIngestSim  *self,
                       sqlite3       *db,
                       CycSimRow    **out_row,
                       GError       **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (CycSimRow) row = cyc_rows_get_sim (db, self->sim_id, &local);
  if (row == NULL && g_error_matches (local, CYC_ERROR, CYC_ERROR_NOT_FOUND))
    {
      /* That run is gone: no reason to refuse the other sims of the batch. */
      self->gone = TRUE;
      return TRUE;
    }
  if (row == NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }

  copy_progress (self, row);
  if (self->lost != NULL && !end_without_log (self, row, db, error))
    return FALSE;
  if (self->final != NULL)
    {
      row->record->last_heartbeat_at = g_get_real_time ();
      end_sim (self, row);
    }
  for (guint i = 0; i < self->kernels->len; i++)
    if (!cyc_rows_put_kernel (db, g_ptr_array_index (self->kernels, i), error))
      return FALSE;
  if (!mark_partials (self, db, error) || !cyc_rows_update_sim (db, row, error))
    return FALSE;
  self->claimed = row->claimed;
  *out_row = g_steal_pointer (&row);
  return TRUE;
}
