/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-engine-private.h"

#include <string.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-name.h"
#include "core/base/cyc-util.h"
#include "engine/cyc-engine-change-private.h"

/* What simulators send: heartbeats, chunks of log, files. */

#define RETRY_MS 1000

/* Returns FALSE if the table does not allow it. */
static gboolean
set_running (CycSimRecord *record,
             gint64        now)
{
  if (record->state != CYC_SIM_RUNNING && !cyc_sim_state_can_move (record->state, CYC_SIM_RUNNING))
    return FALSE;
  if (record->started_at == 0)
    record->started_at = now;
  record->state = CYC_SIM_RUNNING;
  g_clear_pointer (&record->error, g_free);
  return TRUE;
}

static gboolean
heartbeat_store (sqlite3   *db,
                 gpointer   data,
                 GError   **error)
{
  CycChange *change = data;
  CycSimRow *row = cyc_change_take_sim (change, db, error);

  if (row == NULL)
    return FALSE;
  row->record->last_heartbeat_at = g_get_real_time ();
  change->flag = !set_running (row->record, row->record->last_heartbeat_at);
  return cyc_rows_update_sim (db, row, error);
}

/* A move that is ignored is logged: once a state, for a simulator may come with it every few seconds. */
static void
apply_heartbeat (CycChange *change)
{
  cyc_change_adopt_sims (change);
  CycSimEntry *sim = change->flag ? cyc_engine_sim_entry (change->engine, change->id) : NULL;
  const char *state = sim == NULL ? NULL : cyc_sim_state_to_string (sim->row->record->state);
  if (state == NULL || sim->ignored_in == state)
    return;
  sim->ignored_in = state;
  g_message ("%s: a running heartbeat in state %s is ignored", change->id, state);
}

/* The fault is on this side, and the worker comes again and again: people find that in the messages. */
static void
say_refusal (CycEngine             *self,
             const CycIngestResult *result)
{
  CycSimEntry *sim = self->closed ? NULL : cyc_engine_sim_entry (self, result->sim_id);

  if (sim == NULL)
    return;
  if (result->error == NULL)
    g_clear_pointer (&sim->trouble, g_free);
  else if (g_error_matches (result->error, CYC_ERROR, CYC_ERROR_NO_SPACE) ||
           g_error_matches (result->error, CYC_ERROR, CYC_ERROR_FAILED))
    cyc_engine_say_trouble (self, sim, result->error->message);
}

static void
final_done (CycIngestResult *result,
            gpointer         user_data)
{
  g_autoptr (GTask) task = user_data;
  CycEngine *self = g_task_get_source_object (task);

  say_refusal (self, result);
  cyc_engine_adopt_result (self, result);
  if (result->error != NULL)
    g_task_return_error (task, g_steal_pointer (&result->error));
  else
    g_task_return_boolean (task, TRUE);
}

static gboolean
refuse_unknown (CycEngine    *self,
                const char   *sim_id,
                GTask        *task,
                CycSimEntry **out_sim)
{
  *out_sim = self->closed ? NULL : cyc_engine_sim_entry (self, sim_id);
  if (*out_sim != NULL)
    return FALSE;
  if (self->closed)
    g_task_return_new_error (task, CYC_ERROR, CYC_ERROR_UNAVAILABLE, "the engine is stopping; try again");
  else
    {
      GError *error = NULL;
      cyc_rows_set_missing (&error, "sim", sim_id);
      g_task_return_error (task, error);
    }
  return TRUE;
}

/**
 * cyc_engine_heartbeat:
 * @self: the engine
 * @sim_id: a sim
 * @heartbeat: what was sent
 * @callback: told when it is committed; the sim's state is then in cyc_engine_find_sim()
 * @user_data: for @callback
 *
 * A running heartbeat moves the sim by the table. A final one is a claim: it is decided by the
 * outcome of the log, once all chunks that came before it are in.
 */
void
cyc_engine_heartbeat (CycEngine           *self,
                      const char          *sim_id,
                      const CycHeartbeat  *heartbeat,
                      GAsyncReadyCallback  callback,
                      gpointer             user_data)
{
  CycSimEntry *sim = cyc_engine_sim_entry (self, sim_id);

  if (sim != NULL)
    sim->heard_at = cyc_clock_now (&self->clock);
  if (heartbeat->state == CYC_SIM_RUNNING)
    {
      cyc_change_run (cyc_change_new (self, sim_id, callback, user_data), heartbeat_store, apply_heartbeat);
      return;
    }
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, cyc_engine_heartbeat);
  if (refuse_unknown (self, sim_id, task, &sim))
    return;
  CycIngestFinal final = {
    .succeeded = heartbeat->state == CYC_SIM_SUCCEEDED,
    .from_worker = heartbeat->from_worker,
    .has_exit = heartbeat->has_exit,
    .exit_code = heartbeat->exit_code,
    .error = heartbeat->error,
    .note = heartbeat->from_worker ? heartbeat->note : NULL,
  };
  cyc_ingest_final (self->ingest, sim->row->record->run_id, sim_id, &final, final_done,
                    g_steal_pointer (&task));
}

typedef struct
{
  guint64 next_seq;
} Posted;

static void
chunk_done (CycIngestResult *result,
            gpointer         user_data)
{
  g_autoptr (GTask) task = user_data;
  CycEngine *self = g_task_get_source_object (task);
  Posted *posted = g_task_get_task_data (task);

  posted->next_seq = result->next_seq;
  say_refusal (self, result);
  cyc_engine_adopt_result (self, result);
  if (result->error != NULL)
    g_task_return_error (task, g_steal_pointer (&result->error));
  else
    g_task_return_boolean (task, TRUE);
}

/**
 * cyc_engine_post_log:
 * @self: the engine
 * @sim_id: a sim, in any state
 * @body: a LogChunk as it came
 * @callback: told when the chunk is on disk, or why it was refused
 * @user_data: for @callback
 */
void
cyc_engine_post_log (CycEngine           *self,
                     const char          *sim_id,
                     GBytes              *body,
                     GAsyncReadyCallback  callback,
                     gpointer             user_data)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);
  CycSimEntry *sim;

  g_task_set_source_tag (task, cyc_engine_post_log);
  g_task_set_task_data (task, g_new0 (Posted, 1), g_free);
  if (refuse_unknown (self, sim_id, task, &sim))
    return;
  sim->heard_at = cyc_clock_now (&self->clock);
  cyc_ingest_chunk (self->ingest, sim->row->record->run_id, sim_id, body, chunk_done,
                    g_steal_pointer (&task));
}

/**
 * cyc_engine_post_log_finish:
 * @self: the engine
 * @result: what the callback got
 * @out_next_seq: (out): the chunk that is expected next, also on an error
 * @error: (nullable): return location for an error; %CYC_ERROR_STATE for a gap
 *
 * Returns: %TRUE if the chunk is on disk
 */
gboolean
cyc_engine_post_log_finish (CycEngine     *self,
                            GAsyncResult  *result,
                            guint64       *out_next_seq,
                            GError       **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, cyc_engine_post_log), FALSE);

  Posted *posted = g_task_get_task_data (G_TASK (result));
  *out_next_seq = posted->next_seq;
  return g_task_propagate_boolean (G_TASK (result), error);
}

static const char *
guess_content_type (const char *name)
{
  static const struct { const char *ending, *type; } known[] = {
    { ".csv", "text/csv" },
    { ".txt", "text/plain" },
    { ".log", "text/plain" },
    { ".json", "application/json" },
    { ".gz", "application/gzip" },
    { ".xz", "application/x-xz" },
    { ".html", "text/html" },
    { ".xml", "application/xml" },
    { ".svg", "image/svg+xml" },
    { ".png", "image/png" },
    { ".pdf", "application/pdf" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (g_str_has_suffix (name, known[i].ending))
      return known[i].type;
  return "application/octet-stream";
}

static gboolean
file_store (sqlite3   *db,
            gpointer   data,
            GError   **error)
{
  CycChange *change = data;
  g_autoptr (CycSimRow) row = cyc_rows_get_sim (db, change->id, error);

  for (guint i = 0; row != NULL && i < change->files->len; i++)
    if (!cyc_rows_put_file (db, g_ptr_array_index (change->files, i), error))
      return FALSE;
  return row != NULL;
}

static CycFileRecord *
make_file (const char *sim_id,
           const char *name,
           guint64     size)
{
  CycFileRecord *file = cyc_file_record_new ();

  file->sim_id = g_strdup (sim_id);
  file->name = g_strdup (name);
  file->size = size;
  file->content_type = g_strdup (guess_content_type (name));
  file->created_at = g_get_real_time ();
  return file;
}

static CycChange *
new_file_change (CycEngine           *self,
                 const char          *sim_id,
                 GAsyncReadyCallback  callback,
                 gpointer             user_data)
{
  CycChange *change = cyc_change_new (self, sim_id, callback, user_data);

  change->files = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_file_record_free);
  return change;
}

/**
 * cyc_engine_put_file:
 * @self: the engine
 * @sim_id: a sim, in any state
 * @name: a name by FILE_NAME_PATTERN, whose bytes are in place
 * @size: their number
 * @callback: told when the file is listed
 * @user_data: for @callback
 */
void
cyc_engine_put_file (CycEngine           *self,
                     const char          *sim_id,
                     const char          *name,
                     guint64              size,
                     GAsyncReadyCallback  callback,
                     gpointer             user_data)
{
  CycChange *change = new_file_change (self, sim_id, callback, user_data);
  CycSimEntry *sim = cyc_engine_sim_entry (self, sim_id);

  if (sim != NULL)
    sim->heard_at = cyc_clock_now (&self->clock);
  g_ptr_array_add (change->files, make_file (sim_id, name, size));
  cyc_change_run (change, file_store, NULL);
}

/**
 * cyc_engine_list_files:
 * @self: the engine
 * @sim_id: a sim, in any state
 * @files: (element-type CycFileRecord): files in place, of which name and size are filled in
 * @callback: told when all are listed
 * @user_data: for @callback
 */
void
cyc_engine_list_files (CycEngine           *self,
                       const char          *sim_id,
                       GPtrArray           *files,
                       GAsyncReadyCallback  callback,
                       gpointer             user_data)
{
  CycChange *change = new_file_change (self, sim_id, callback, user_data);

  for (guint i = 0; i < files->len; i++)
    {
      const CycFileRecord *file = g_ptr_array_index (files, i);
      g_ptr_array_add (change->files, make_file (sim_id, file->name, file->size));
    }
  cyc_change_run (change, file_store, NULL);
}

static gboolean
timeline_store (sqlite3   *db,
                gpointer   data,
                GError   **error)
{
  CycChange *change = data;
  g_autoptr (CycSimRow) row = cyc_rows_get_sim (db, change->id, error);

  return row != NULL && cyc_rows_put_timeline (db, change->id, change->text, change->text2, error);
}

/**
 * cyc_engine_put_timeline:
 * @self: the engine
 * @sim_id: a sim
 * @simulated: JSON text of an object
 * @compare: (nullable): JSON text of an object
 * @callback: told when it is stored
 * @user_data: for @callback
 */
void
cyc_engine_put_timeline (CycEngine           *self,
                         const char          *sim_id,
                         const char          *simulated,
                         const char          *compare,
                         GAsyncReadyCallback  callback,
                         gpointer             user_data)
{
  CycChange *change = cyc_change_new (self, sim_id, callback, user_data);

  change->text = g_strdup (simulated);
  change->text2 = g_strdup (compare);
  cyc_change_run (change, timeline_store, NULL);
}

/* States that the engine itself sets */

static gboolean
move_store (sqlite3   *db,
            gpointer   data,
            GError   **error)
{
  CycChange *change = data;
  CycSimRow *row = cyc_change_take_sim (change, db, error);
  CycSimState state = (CycSimState) change->number;

  if (row == NULL)
    return FALSE;
  if (!cyc_sim_state_can_move (row->record->state, state))
    {
      g_message ("%s: a move from %s to %s is ignored", row->record->id,
                 cyc_sim_state_to_string (row->record->state), cyc_sim_state_to_string (state));
      return TRUE;
    }
  row->record->state = state;
  if (change->text != NULL)
    cyc_set_str (&row->record->error, change->text);
  if (cyc_sim_state_is_terminal (state))
    row->record->finished_at = g_get_real_time ();
  if (state == CYC_SIM_FAILED && change->text2 != NULL)
    {
      cyc_set_str (&row->record->outcome, "failed");
      cyc_set_str (&row->record->reason, change->text2);
    }
  return cyc_rows_update_sim (db, row, error);
}

/* The disk was full, perhaps: an end that was decided is tried again until it is committed. */
static gboolean
move_again (gpointer data)
{
  CycChange *old = data;

  cyc_engine_move_sim (old->engine, old->id, (CycSimState) old->number, old->text, old->text2);
  return G_SOURCE_REMOVE;
}

static void
move_failed (CycChange *change)
{
  if (!cyc_sim_state_is_terminal ((CycSimState) change->number))
    return;
  CycChange *again = cyc_change_new (change->engine, change->id, NULL, NULL);
  again->number = change->number;
  again->text = g_strdup (change->text);
  again->text2 = g_strdup (change->text2);
  g_timeout_add_full (G_PRIORITY_DEFAULT, RETRY_MS, move_again, again, (GDestroyNotify) cyc_change_free);
}

/**
 * cyc_engine_move_sim:
 * @self: the engine
 * @sim_id: a sim
 * @state: where to
 * @sentence: (nullable): why
 * @reason: (nullable): a code, when the sim failed
 *
 * Moves a sim by the engine's own decision, if the table allows it.
 */
void
cyc_engine_move_sim (CycEngine   *self,
                     const char  *sim_id,
                     CycSimState  state,
                     const char  *sentence,
                     const char  *reason)
{
  CycChange *change = cyc_change_new (self, sim_id, NULL, NULL);

  change->number = state;
  change->text = g_strdup (sentence);
  change->text2 = g_strdup (reason);
  change->fail = move_failed;
  cyc_change_run (change, move_store, cyc_change_adopt_sims);
}
