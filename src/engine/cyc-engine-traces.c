/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-engine-private.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "core/accelsim/cyc-trace-folder.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-file.h"
#include "core/base/cyc-name.h"
#include "core/base/cyc-process.h"
#include "core/base/cyc-util.h"
#include "engine/cyc-api-upload.h"
#include "engine/cyc-engine-change-private.h"
#include "engine/cyc-engine-processing-private.h"

/* A removed trace can be restored for so long; then the next tidying takes its files. */
#define KEEP_REMOVED (7 * G_TIME_SPAN_DAY)

/* Why no other trace can have the name of this one. */
static void
set_taken (const CycTraceRow  *old,
           GError            **error)
{
  const char *id = old->record->id;

  if (old->purged)
    cyc_error_set_at (error, CYC_ERROR_EXISTS, NULL, 0,
                      "there was a trace '%s', and runs of it are kept; choose another id, such as "
                      "'%s-2'", id, id);
  else if (old->removed_at != 0)
    cyc_error_set_at (error, CYC_ERROR_EXISTS, NULL, 0,
                      "trace '%s' was removed but can still be restored; restore it, remove it for "
                      "good, or choose another id, such as '%s-2'", id, id);
  else
    cyc_error_set_at (error, CYC_ERROR_EXISTS, NULL, 0,
                      "there is a trace '%s' already; choose another id, such as '%s-2'", id, id);
}

static gboolean
check_free (sqlite3      *db,
            const char   *id,
            GError      **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (CycTraceRow) old = cyc_rows_get_trace (db, id, &local);

  if (old == NULL)
    return g_error_matches (local, CYC_ERROR, CYC_ERROR_NOT_FOUND)
             ? TRUE
             : (g_propagate_error (error, g_steal_pointer (&local)), FALSE);
  set_taken (old, error);
  return FALSE;
}

static gboolean
make_trace_folder (const char  *path,
                   GError     **error)
{
  /* An empty folder is what a crash between the two steps, or an upload that broke off, leaves. */
  if (g_mkdir (path, 0700) == 0 ||
      (errno == EEXIST && cyc_reaper_clear_empty (path) && g_mkdir (path, 0700) == 0))
    return TRUE;
  if (g_file_test (path, G_FILE_TEST_EXISTS))
    cyc_error_set_at (error, CYC_ERROR_EXISTS, path, 0,
                      "the folder is there already and belongs to no trace; move it away");
  else
    cyc_error_set_errno (error, errno, path, "cannot create the folder");
  return FALSE;
}

static gboolean
begin_store (sqlite3   *db,
             gpointer   data,
             GError   **error)
{
  CycChange *change = data;

  if (!check_free (db, change->id, error))
    return FALSE;
  CycTraceRow *row = change->trace = cyc_trace_row_new ();
  row->record->id = g_strdup (change->id);
  row->record->created_at = row->record->updated_at = g_get_real_time ();
  row->importer_pid = change->number;
  row->importer_start = change->unsigned_number;
  row->linked = change->flag;
  return cyc_rows_put_trace (db, row, error) && make_trace_folder (change->text, error);
}

static void
apply_trace (CycChange *change)
{
  cyc_engine_adopt_trace (change->engine, g_steal_pointer (&change->trace));
}

static gboolean
refuse_name (CycChange  *change,
             const char *id)
{
  if (cyc_name_is_plain (id))
    return FALSE;
  g_task_return_new_error (change->task, CYC_ERROR, CYC_ERROR_INPUT,
                           "'%s' cannot be the id of a trace: use letters, digits, '.', '_' and "
                           "'-'", id);
  cyc_change_free (change);
  return TRUE;
}

/* The rows were not committed, on a full disk for example: the folder, which is empty, goes with them. Where the name
 * was taken it is another trace's, and is not. */
static void
begin_failed (CycChange *change)
{
  if (cyc_engine_trace_entry (change->engine, change->id) == NULL)
    g_rmdir (change->text);
}

/**
 * cyc_engine_begin_trace:
 * @self: the engine
 * @id: the trace's id, a plain name
 * @importer_pid: the process that fills the folder, 0 for uploads
 * @importer_start: its start time
 * @linked: its files are links to elsewhere
 * @callback: told when the trace is there, in state uploading, with its folder
 * @user_data: for @callback
 */
void
cyc_engine_begin_trace (CycEngine           *self,
                        const char          *id,
                        gint64               importer_pid,
                        guint64              importer_start,
                        gboolean             linked,
                        GAsyncReadyCallback  callback,
                        gpointer             user_data)
{
  CycChange *change = cyc_change_new (self, id, callback, user_data);

  if (refuse_name (change, id))
    return;
  change->text = cyc_workspace_dir_get_trace (self->dir, id);
  change->number = importer_pid;
  change->unsigned_number = importer_start;
  change->flag = linked;
  change->fail = begin_failed;
  cyc_change_run (change, begin_store, apply_trace);
}

static gboolean
ensure_store (sqlite3   *db,
              gpointer   data,
              GError   **error)
{
  CycChange *change = data;
  g_autoptr (GError) local = NULL;
  CycTraceRow *row = change->trace = cyc_rows_get_trace (db, change->id, &local);

  /* Uploads of several files begin side by side: the first makes the trace, the others find it. */
  if (row != NULL && row->record->state == CYC_TRACE_UPLOADING && row->removed_at == 0)
    return TRUE;
  if (row != NULL || !g_error_matches (local, CYC_ERROR, CYC_ERROR_NOT_FOUND))
    return check_free (db, change->id, error);
  row = change->trace = cyc_trace_row_new ();
  row->record->id = g_strdup (change->id);
  row->record->created_at = row->record->updated_at = g_get_real_time ();
  return cyc_rows_put_trace (db, row, error);
}

/**
 * cyc_engine_check_upload:
 * @self: the engine
 * @id: a trace, there or not yet
 * @error: (nullable): return location for an error
 *
 * Returns: %TRUE if files can be uploaded to it, for all that is known now
 */
gboolean
cyc_engine_check_upload (CycEngine   *self,
                         const char  *id,
                         GError     **error)
{
  CycTraceEntry *entry = cyc_engine_trace_entry (self, id);

  if (entry != NULL && entry->row->removed_at != 0)
    {
      set_taken (entry->row, error);
      return FALSE;
    }
  if (entry == NULL || entry->row->record->state == CYC_TRACE_UPLOADING)
    return TRUE;
  cyc_error_set_at (error, CYC_ERROR_STATE, NULL, 0, "trace '%s' is %s, not uploading", id,
                    cyc_trace_state_to_string (entry->row->record->state));
  return FALSE;
}

/**
 * cyc_engine_ensure_trace:
 * @self: the engine
 * @id: the trace's id, a plain name
 * @callback: told when the trace is there, in state uploading
 * @user_data: for @callback
 *
 * For the upload of a file whose folder exists: creates the trace unless it is being uploaded.
 */
void
cyc_engine_ensure_trace (CycEngine           *self,
                         const char          *id,
                         GAsyncReadyCallback  callback,
                         gpointer             user_data)
{
  CycChange *change = cyc_change_new (self, id, callback, user_data);

  if (!refuse_name (change, id))
    cyc_change_run (change, ensure_store, apply_trace);
}

static gboolean
complete_store (sqlite3   *db,
                gpointer   data,
                GError   **error)
{
  CycChange *change = data;
  CycTraceRow *row = change->trace = cyc_rows_get_trace (db, change->id, error);

  if (row == NULL)
    return FALSE;
  if (row->record->state != CYC_TRACE_UPLOADING || row->removed_at != 0)
    {
      cyc_error_set_at (error, CYC_ERROR_STATE, NULL, 0, "trace '%s' is %s, not uploading",
                        change->id, row->removed_at != 0
                                      ? "removed"
                                      : cyc_trace_state_to_string (row->record->state));
      return FALSE;
    }
  g_autofree char *part = row->importer_pid == 0 ? cyc_api_upload_find_part (change->text) : NULL;
  if (part != NULL)
    {
      cyc_error_set_at (error, CYC_ERROR_STATE, NULL, 0,
                        "of '%s' only a part has come; send the rest, or the file anew, before the trace is complete",
                        part);
      return FALSE;
    }
  row->record->state = CYC_TRACE_PROCESSING;
  row->record->updated_at = g_get_real_time ();
  return cyc_rows_put_trace (db, row, error);
}

static void
apply_complete (CycChange *change)
{
  apply_trace (change);
  cyc_engine_process_trace (change->engine, change->id);
}

/**
 * cyc_engine_complete_trace:
 * @self: the engine
 * @id: a trace whose files have all arrived
 * @callback: told when it is processing
 * @user_data: for @callback
 */
void
cyc_engine_complete_trace (CycEngine           *self,
                           const char          *id,
                           GAsyncReadyCallback  callback,
                           gpointer             user_data)
{
  CycChange *change = cyc_change_new (self, id, callback, user_data);

  change->text = cyc_workspace_dir_get_trace (self->dir, id);
  cyc_change_run (change, complete_store, apply_complete);
}

static gboolean
processed_store (sqlite3   *db,
                 gpointer   data,
                 GError   **error)
{
  CycChange *change = data;
  g_autoptr (CycTraceRow) found = change->trace;
  CycTraceRow *row = change->trace = cyc_rows_get_trace (db, change->id, error);

  if (row == NULL)
    return FALSE;
  if (row->record->state != CYC_TRACE_PROCESSING)
    return TRUE;
  gint64 created_at = row->record->created_at;
  gboolean sample = row->record->sample;
  CycTraceRecord *record = found->record;
  g_autofree char *id = row->record->id;
  row->record->id = NULL;
  cyc_trace_record_free (row->record);
  row->record = g_steal_pointer (&found->record);
  cyc_set_str (&record->id, id);
  record->created_at = created_at;
  record->updated_at = g_get_real_time ();
  record->sample = sample;
  g_free (row->metadata);
  row->metadata = g_steal_pointer (&found->metadata);
  row->importer_pid = 0;
  return cyc_rows_put_trace (db, row, error) &&
         cyc_rows_put_launches (db, change->id, change->launches, error);
}

static void
processed_cb (CycProcessed *processed,
              gpointer      user_data)
{
  CycEngine *self = user_data;
  CycTraceEntry *entry = self->closed ? NULL : cyc_engine_trace_entry (self, processed->id);

  self->pending_work--;
  if (entry != NULL)
    {
      CycChange *change = cyc_change_new (self, processed->id, NULL, NULL);
      entry->processing = FALSE;
      change->trace = cyc_trace_row_new ();
      cyc_trace_record_free (change->trace->record);
      change->trace->record = g_steal_pointer (&processed->record);
      change->trace->metadata = g_steal_pointer (&processed->metadata);
      change->launches = g_steal_pointer (&processed->launches);
      cyc_change_run (change, processed_store, apply_trace);
    }
  g_object_unref (self);
}

/**
 * cyc_engine_process_trace:
 * @self: the engine
 * @id: a trace in state processing
 *
 * Reads the trace's folder on a thread, after the post-processor where one is needed, and has it
 * ready or failed.
 */
void
cyc_engine_process_trace (CycEngine  *self,
                          const char *id)
{
  CycTraceEntry *entry = cyc_engine_trace_entry (self, id);

  if (entry == NULL || entry->processing)
    return;
  entry->processing = TRUE;
  self->pending_work++;
  g_autofree char *folder = cyc_workspace_dir_get_trace (self->dir, id);
  gboolean uploaded = entry->row->importer_pid == 0 && !entry->row->linked;
  cyc_processing_start (cyc_engine_get_workspace (self), id, folder, uploaded, self->cancellable,
                        processed_cb, g_object_ref (self));
}

/* Removing */

static gboolean
purge_rows (sqlite3      *db,
            CycChange    *change,
            gboolean      has_runs,
            GError      **error)
{
  CycTraceRow *row = change->trace;

  if (!has_runs)
    {
      change->gone = TRUE;
      return cyc_rows_delete_trace (db, change->id, error);
    }
  row->removed_at = row->removed_at == 0 ? g_get_real_time () : row->removed_at;
  row->purged = TRUE;
  return cyc_rows_put_trace (db, row, error);
}

/* What has come of its first file, in part, lies there before there is a trace. */
static void
clear_parts (CycChange    *change,
             const GError *error)
{
  if (g_error_matches (error, CYC_ERROR, CYC_ERROR_NOT_FOUND) && cyc_name_is_plain (change->id))
    cyc_reaper_clear_empty (change->text);
}

static gboolean
remove_store (sqlite3   *db,
              gpointer   data,
              GError   **error)
{
  CycChange *change = data;
  CycTraceRow *row = change->trace = cyc_rows_get_trace (db, change->id, error);
  gboolean has_runs, active;

  if (row == NULL)
    clear_parts (change, error == NULL ? NULL : *error);
  if (row == NULL || !cyc_rows_trace_has_runs (db, change->id, &has_runs, &active, error))
    return FALSE;
  if (active)
    {
      cyc_error_set_at (error, CYC_ERROR_STATE, NULL, 0,
                        "trace '%s' is used by an active run; cancel the run first", change->id);
      return FALSE;
    }
  /* What never became ready has nothing to restore. */
  if (change->flag || row->record->state == CYC_TRACE_UPLOADING)
    {
      cyc_change_discard (change, change->text);
      return purge_rows (db, change, has_runs, error);
    }
  if (row->removed_at != 0)
    {
      cyc_error_set_at (error, CYC_ERROR_NOT_FOUND, NULL, 0,
                        "trace '%s' was removed already; `trace remove %s --now` removes it for good",
                        change->id, change->id);
      return FALSE;
    }
  row->removed_at = g_get_real_time ();
  return cyc_rows_put_trace (db, row, error);
}

static void
apply_remove (CycChange *change)
{
  if (change->gone)
    cyc_engine_drop_trace (change->engine, change->id);
  else
    apply_trace (change);
}

static void
begin_remove (CycEngine           *self,
              const char          *id,
              gboolean             for_good,
              GAsyncReadyCallback  callback,
              gpointer             user_data)
{
  CycChange *change = cyc_change_new (self, id, callback, user_data);

  change->text = cyc_workspace_dir_get_trace (self->dir, id);
  change->flag = for_good;
  cyc_change_run (change, remove_store, apply_remove);
}

/**
 * cyc_engine_remove_trace:
 * @self: the engine
 * @id: a trace that no active run uses
 * @for_good: also its files, now
 * @callback: told when it is removed
 * @user_data: for @callback
 *
 * Removes a trace from the lists. Its files stay for a week, and cyc_engine_restore_trace() brings
 * it back, unless @for_good. The sources of a linked trace are never touched.
 */
void
cyc_engine_remove_trace (CycEngine           *self,
                         const char          *id,
                         gboolean             for_good,
                         GAsyncReadyCallback  callback,
                         gpointer             user_data)
{
  begin_remove (self, id, for_good, callback, user_data);
}

static gboolean
restore_store (sqlite3   *db,
               gpointer   data,
               GError   **error)
{
  CycChange *change = data;
  CycTraceRow *row = change->trace = cyc_rows_get_trace (db, change->id, error);

  if (row == NULL)
    return FALSE;
  if (row->removed_at == 0 || row->purged)
    {
      cyc_error_set_at (error, CYC_ERROR_STATE, NULL, 0,
                        row->purged ? "the files of trace '%s' are gone; import it again"
                                    : "trace '%s' is not removed", change->id);
      return FALSE;
    }
  row->removed_at = 0;
  row->record->updated_at = g_get_real_time ();
  return cyc_rows_put_trace (db, row, error);
}

/**
 * cyc_engine_restore_trace:
 * @self: the engine
 * @id: a removed trace
 * @callback: told when it is back
 * @user_data: for @callback
 */
void
cyc_engine_restore_trace (CycEngine           *self,
                          const char          *id,
                          GAsyncReadyCallback  callback,
                          gpointer             user_data)
{
  cyc_change_run (cyc_change_new (self, id, callback, user_data), restore_store, apply_trace);
}

/* Looking after traces on their way */

static gboolean
scanned_store (sqlite3   *db,
               gpointer   data,
               GError   **error)
{
  CycChange *change = data;
  CycTraceRow *row = change->trace = cyc_rows_get_trace (db, change->id, error);

  if (row == NULL)
    return FALSE;
  if (row->record->state != CYC_TRACE_UPLOADING)
    return TRUE;
  row->record->kernel_count = change->number;
  row->record->bytes = (gint64) change->unsigned_number;
  row->record->updated_at = g_get_real_time ();
  return cyc_rows_put_trace (db, row, error);
}

static void
scanned_cb (CycScanned *scanned,
            gpointer    user_data)
{
  CycEngine *self = user_data;
  CycTraceEntry *entry = self->closed ? NULL : cyc_engine_trace_entry (self, scanned->id);

  self->pending_work--;
  if (entry != NULL)
    {
      const CycTraceRecord *record = entry->row->record;
      entry->scanning = FALSE;
      if (scanned->ok &&
          (record->kernel_count != scanned->kernel_files || record->bytes != scanned->bytes))
        {
          CycChange *change = cyc_change_new (self, scanned->id, NULL, NULL);
          change->number = scanned->kernel_files;
          change->unsigned_number = (guint64) scanned->bytes;
          cyc_change_run (change, scanned_store, apply_trace);
        }
    }
  g_object_unref (self);
}

static void
scan_one (CycEngine     *self,
          CycTraceEntry *entry)
{
  const char *id = entry->row->record->id;

  if (entry->row->importer_pid != 0 &&
      !cyc_process_is_alive (entry->row->importer_pid, entry->row->importer_start))
    {
      /* Nothing of a trace is left half-visible by an importer that died. */
      g_message ("trace %s: its import was interrupted and is taken back", id);
      begin_remove (self, id, TRUE, NULL, NULL);
      return;
    }
  if (entry->scanning)
    return;
  entry->scanning = TRUE;
  self->pending_work++;
  g_autofree char *folder = cyc_workspace_dir_get_trace (self->dir, id);
  cyc_scanning_start (id, folder, scanned_cb, g_object_ref (self));
}

/**
 * cyc_engine_scan_traces:
 * @self: the engine
 *
 * Every two seconds, and when the engine starts: counts what has arrived of traces in uploading,
 * takes back imports whose process died, and tidies traces that were removed long ago.
 */
void
cyc_engine_scan_traces (CycEngine *self)
{
  gint64 now = g_get_real_time ();
  g_autoptr (GPtrArray) old = g_ptr_array_new ();

  for (guint i = 0; i < self->trace_order->len; i++)
    {
      CycTraceEntry *entry = g_ptr_array_index (self->trace_order, i);
      if (entry->row->removed_at == 0 && entry->row->record->state == CYC_TRACE_UPLOADING)
        scan_one (self, entry);
      else if (entry->row->removed_at != 0 && !entry->row->purged &&
               now - entry->row->removed_at > KEEP_REMOVED)
        g_ptr_array_add (old, entry->row->record->id);
    }
  for (guint i = 0; i < old->len && (self->flags & CYC_ENGINE_SERVICES) != 0; i++)
    begin_remove (self, g_ptr_array_index (old, i), TRUE, NULL, NULL);
}
