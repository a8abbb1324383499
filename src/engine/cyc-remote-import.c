/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-remote-import-private.h"

#include <string.h>
#include <unistd.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-file.h"
#include "core/base/cyc-json.h"
#include "core/base/cyc-name.h"
#include "core/base/cyc-process.h"
#include "core/base/cyc-task.h"
#include "core/base/cyc-util.h"
#include "core/model/cyc-records-read.h"
#include "engine/cyc-import-inspect.h"

#define PROGRESS_MS 100

/* Imports into a workspace that another process owns. One whose folder is on this machine is filled here, as
 * `cyclescopectl trace import` does it. Else an import into a folder for the while, by links where it can, says
 * which files are the trace's; these are uploaded. */

/* Where files are unpacked and links are made for the while. */
static char *
get_scratch (CycRemoteWorkspace *self)
{
  if (self->access->folder != NULL)
    return g_build_filename (self->access->folder, "jobs", NULL);
  return g_build_filename (g_get_user_cache_dir (), "cyclescope", NULL);
}

/* Looking at what could be imported */

typedef struct
{
  char       *path;
  char       *scratch;
  GHashTable *taken; /* ids */
} Inspect;

static void
inspect_free (gpointer data)
{
  Inspect *self = data;

  g_hash_table_unref (self->taken);
  g_free (self->path);
  g_free (self->scratch);
  g_free (self);
}

static void
inspect_thread (GTask        *task,
                gpointer      source,
                gpointer      data,
                GCancellable *cancellable)
{
  const Inspect *self = data;
  g_autoptr (GError) error = NULL;
  CycImportPreview *preview = NULL;

  if (cyc_file_make_folder (self->scratch, 0700, &error))
    preview = cyc_import_inspect (self->path, self->scratch, NULL, cancellable, &error);
  if (preview == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  g_autofree char *stem = g_strdup (preview->suggested_id);
  for (guint i = 2; g_hash_table_contains (self->taken, preview->suggested_id); i++)
    {
      g_free (preview->suggested_id);
      preview->suggested_id = g_strdup_printf ("%s-%u", stem, i);
    }
  g_task_return_pointer (task, preview, (GDestroyNotify) cyc_import_preview_free);
}

void
_cyc_remote_inspect (CycWorkspace *workspace,
                     const char   *path,
                     GTask        *task)
{
  CycRemoteWorkspace *self = CYC_REMOTE_WORKSPACE (workspace);
  GHashTableIter iter;
  gpointer id;

  if (_cyc_remote_workspace_begin (self, task, FALSE))
    {
      Inspect *inspect = g_new0 (Inspect, 1);
      inspect->path = g_strdup (path);
      inspect->scratch = get_scratch (self);
      inspect->taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
      g_hash_table_iter_init (&iter, self->trace_table);
      while (g_hash_table_iter_next (&iter, &id, NULL))
        g_hash_table_add (inspect->taken, g_strdup (id));
      g_task_set_task_data (task, inspect, inspect_free);
      cyc_task_run_in_thread (task, inspect_thread);
    }
  g_object_unref (task);
}

/* Importing */

static gpointer
remove_thread (gpointer data)
{
  g_autofree char *folder = data;
  g_autoptr (GError) error = NULL;

  if (!cyc_file_remove_tree (folder, &error))
    g_message ("%s", error->message);
  return NULL;
}

void
_cyc_remote_import_free (gpointer data)
{
  CycRemoteImport *self = data;

  if (self->scratch != NULL)
    g_thread_unref (g_thread_new ("cyc-scratch", remove_thread, g_steal_pointer (&self->scratch)));
  g_clear_object (&self->importer);
  g_object_unref (self->cancellable);
  g_clear_pointer (&self->files, g_ptr_array_unref);
  g_clear_pointer (&self->findings, cyc_findings_free);
  g_clear_error (&self->error);
  g_clear_error (&self->failure);
  g_free (self->id);
  g_free (self->path);
  g_free (self);
}

static void
cancel_cb (GCancellable *cancellable,
           gpointer      data)
{
  g_cancellable_cancel (data);
}

/* Ends the import: the trace is complete, or gone, or could not be taken back. */
static void
end_with (CycRemoteImport *self,
          GTask           *task,
          GError          *error)
{
  g_clear_handle_id (&self->source, g_source_remove);
  g_cancellable_disconnect (g_task_get_cancellable (task), self->caller_handler);
  g_cancellable_disconnect (self->workspace->closing, self->closing_handler);
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, g_steal_pointer (&self->findings), (GDestroyNotify) cyc_findings_free);
  _cyc_remote_workspace_upload_over (self->workspace);
}

static void
taken_back_cb (GObject      *source,
               GAsyncResult *result,
               gpointer      user_data)
{
  g_autoptr (GTask) task = user_data;
  CycRemoteImport *self = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (CycRemoteReply) reply = _cyc_remote_link_send_finish (result, &error);

  if (reply == NULL && !g_error_matches (error, CYC_ERROR, CYC_ERROR_NOT_FOUND))
    g_message ("trace '%s' cannot be taken back: %s", self->id, error->message);
  if (error == NULL || g_error_matches (error, CYC_ERROR, CYC_ERROR_NOT_FOUND))
    _cyc_remote_models_drop_trace (self->workspace, self->id);
  end_with (self, task, g_steal_pointer (&self->error));
}

static void
send_request (CycRemoteImport     *self,
              GTask               *task,
              const char          *method,
              const char          *rest,
              GAsyncReadyCallback  callback)
{
  g_autofree char *path = _cyc_remote_path ("traces", self->id, rest);

  _cyc_remote_link_send_async (self->workspace->link, _cyc_remote_request_new (method, path), NULL, callback,
                               g_object_ref (task));
}

/* Without `now`: what was never complete goes for good, and with it parts of files of a trace that is not there yet.
 * Whatever else has the name by now can be restored. */
static void
remove_incomplete (CycRemoteImport *self,
                   GTask           *task)
{
  if (self->workspace->link != NULL)
    send_request (self, task, "DELETE", "", taken_back_cb);
  else
    end_with (self, task, g_steal_pointer (&self->error));
}

static CycTraceRecord *
read_trace (CycRemoteReply  *reply,
            GError         **error)
{
  g_autoptr (JsonNode) root = reply == NULL ? NULL : _cyc_remote_parse (reply->body, error);

  return root == NULL ? NULL : cyc_trace_record_read (cyc_json_node_get_object (root), error);
}

/* Whose is it? This import has completed none, so one that is complete is somebody else's. */
static void
owner_cb (GObject      *source,
          GAsyncResult *result,
          gpointer      user_data)
{
  g_autoptr (GTask) task = user_data;
  CycRemoteImport *self = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (CycRemoteReply) reply = _cyc_remote_link_send_finish (result, &error);
  g_autoptr (CycTraceRecord) record = read_trace (reply, &error);

  if (record != NULL ? record->state == CYC_TRACE_UPLOADING : g_error_matches (error, CYC_ERROR, CYC_ERROR_NOT_FOUND))
    {
      remove_incomplete (self, task);
      return;
    }
  if (record == NULL)
    g_message ("trace '%s' cannot be taken back: %s", self->id, error->message);
  end_with (self, task, g_steal_pointer (&self->error));
}

/* Nothing stays of an import that did not become a trace, as far as the engine can be told. */
void
_cyc_remote_import_take_back (CycRemoteImport *self,
                              GTask           *task,
                              GError          *error)
{
  g_clear_handle_id (&self->source, g_source_remove);
  self->error = error;
  if (self->workspace->link == NULL || !self->begun)
    end_with (self, task, g_steal_pointer (&self->error));
  else if (self->completed)
    send_request (self, task, "DELETE", "?now=true", taken_back_cb);
  else
    send_request (self, task, "GET", "", owner_cb);
}

/* A trace that is ready can still have faults that a run of it would meet. */
static void
faults_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr (GTask) task = user_data;
  CycRemoteImport *self = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (CycTraceDetails) details = cyc_workspace_load_trace_finish (CYC_WORKSPACE (source), result, &error);

  for (guint i = 0; details != NULL && i < cyc_findings_get_length (details->findings); i++)
    {
      const CycFinding *finding = cyc_findings_get (details->findings, i);
      if (finding->severity != CYC_SEVERITY_NOTE)
        cyc_findings_add (self->findings, finding->severity, finding->code, finding->file, finding->line,
                          finding->remedy, "%s", finding->text);
    }
  if (details == NULL)
    cyc_findings_add_error (self->findings, CYC_SEVERITY_WARNING, "trace_unreadable", NULL, NULL, error);
  end_with (self, task, NULL);
}

/* Until the engine has looked through the trace; while it is out of reach, nobody knows. */
static gboolean
wait_cb (gpointer user_data)
{
  GTask *task = user_data;
  CycRemoteImport *self = g_task_get_task_data (task);
  const CycRemoteTrace *trace = g_hash_table_lookup (self->workspace->trace_table, self->id);
  const CycTraceRecord *record = trace == NULL ? NULL : cyc_trace_get_record (trace->item);
  gboolean known = self->workspace->link != NULL && (record == NULL || !record->stale);
  g_autoptr (GError) error = NULL;

  if (known && record == NULL)
    {
      cyc_error_set_at (&error, CYC_ERROR_NOT_FOUND, NULL, 0, "trace '%s' was removed", self->id);
    }
  else if (known && record->state == CYC_TRACE_FAILED)
    {
      cyc_error_set_at (&error, CYC_ERROR_INPUT, self->path, 0, "%s; the trace is kept as failed",
                        record->error != NULL ? record->error : "the trace cannot be used");
    }
  else if (!known || record->state != CYC_TRACE_READY)
    {
      if (!g_cancellable_set_error_if_cancelled (self->cancellable, &error))
        return G_SOURCE_CONTINUE;
      self->source = 0;
      _cyc_remote_import_take_back (self, task, g_steal_pointer (&error));
      return G_SOURCE_REMOVE;
    }
  self->source = 0;
  if (error != NULL)
    end_with (self, task, g_steal_pointer (&error));
  else
    cyc_workspace_load_trace_async (CYC_WORKSPACE (self->workspace), self->id, NULL, faults_cb, g_object_ref (task));
  return G_SOURCE_REMOVE;
}

static guint
add_timer (GTask       *task,
           GSourceFunc  func)
{
  return g_timeout_add_full (G_PRIORITY_DEFAULT, PROGRESS_MS, func, g_object_ref (task), g_object_unref);
}

static gboolean
complete_again_cb (gpointer user_data)
{
  GTask *task = user_data;
  CycRemoteImport *self = g_task_get_task_data (task);
  CycConnection connection = cyc_workspace_get_connection (CYC_WORKSPACE (self->workspace));

  if (!g_cancellable_is_cancelled (self->cancellable)
      && (self->workspace->link == NULL || connection != CYC_CONNECTION_LIVE))
    return G_SOURCE_CONTINUE;
  self->source = 0;
  _cyc_remote_import_complete (self, task);
  return G_SOURCE_REMOVE;
}

/* Only a trace that the engine still waits for is taken back: one that is complete stays. */
static void
state_cb (GObject      *source,
          GAsyncResult *result,
          gpointer      user_data)
{
  g_autoptr (GTask) task = user_data;
  CycRemoteImport *self = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (CycRemoteReply) reply = _cyc_remote_link_send_finish (result, &error);
  g_autoptr (CycTraceRecord) record = read_trace (reply, &error);
  g_autoptr (GError) refusal = g_steal_pointer (&self->error);

  if (record != NULL && record->state == CYC_TRACE_UPLOADING)
    {
      self->error = g_steal_pointer (&refusal);
      remove_incomplete (self, task);
    }
  else if (record != NULL)
    {
      _cyc_remote_models_put_trace (self->workspace, record);
      self->source = add_timer (task, wait_cb);
    }
  else if (g_error_matches (error, CYC_ERROR, CYC_ERROR_UNAVAILABLE))
    {
      self->source = add_timer (task, complete_again_cb);
    }
  else
    {
      end_with (self, task, g_steal_pointer (&error));
    }
}

/* It may have been completed, and the answer was lost: what does the engine say of the trace now? */
static void
ask_state (CycRemoteImport *self,
           GTask           *task,
           GError          *refusal)
{
  if (self->workspace->link == NULL)
    {
      g_error_free (refusal);
      self->source = add_timer (task, complete_again_cb);
      return;
    }
  self->error = refusal;
  send_request (self, task, "GET", "", state_cb);
}

static void
completed_cb (GObject      *source,
              GAsyncResult *result,
              gpointer      user_data)
{
  g_autoptr (GTask) task = user_data;
  CycRemoteImport *self = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (CycRemoteReply) reply = _cyc_remote_link_send_finish (result, &error);
  g_autoptr (CycTraceRecord) record = read_trace (reply, &error);

  if (record != NULL)
    {
      self->completed = TRUE;
      _cyc_remote_models_put_trace (self->workspace, record);
      self->source = add_timer (task, wait_cb);
    }
  else if (reply != NULL || g_error_matches (error, CYC_ERROR, CYC_ERROR_STATE))
    {
      ask_state (self, task, g_steal_pointer (&error));
    }
  else if (g_error_matches (error, CYC_ERROR, CYC_ERROR_UNAVAILABLE))
    {
      self->source = add_timer (task, complete_again_cb);
    }
  else
    {
      _cyc_remote_import_take_back (self, task, g_steal_pointer (&error));
    }
}

/* All files are there. */
void
_cyc_remote_import_complete (CycRemoteImport *self,
                             GTask           *task)
{
  g_autoptr (GError) error = NULL;

  g_clear_handle_id (&self->source, g_source_remove);
  if (g_cancellable_set_error_if_cancelled (self->cancellable, &error))
    _cyc_remote_import_take_back (self, task, g_steal_pointer (&error));
  else if (self->workspace->link == NULL)
    self->source = add_timer (task, complete_again_cb);
  else
    send_request (self, task, "POST", "/complete", completed_cb);
}

static void
filled_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr (GTask) task = user_data;
  CycRemoteImport *self = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  g_clear_handle_id (&self->source, g_source_remove);
  if (!cyc_importer_run_finish (self->importer, result, &error))
    {
      _cyc_remote_import_take_back (self, task, g_steal_pointer (&error));
      return;
    }
  cyc_findings_append (self->findings, cyc_importer_get_findings (self->importer));
  if (self->scratch == NULL)
    _cyc_remote_import_complete (self, task);
  else
    _cyc_remote_upload_start (self, task);
}

static gboolean
progress_cb (gpointer user_data)
{
  CycRemoteImport *self = g_task_get_task_data (user_data);
  CycImportProgress progress;

  cyc_importer_get_progress (self->importer, &progress);
  self->progress (&progress, self->progress_data);
  return G_SOURCE_CONTINUE;
}

static void
fill (CycRemoteImport *self,
      const char      *target,
      CycImportMode    mode,
      GTask           *task)
{
  self->importer = cyc_importer_new (self->path, target, mode, CYC_IMPORT_RESERVE);
  /* How far an upload is, is how much of it the engine has. */
  if (self->progress != NULL && self->scratch == NULL)
    self->source = add_timer (task, progress_cb);
  cyc_importer_run_async (self->importer, self->cancellable, filled_cb, g_object_ref (task));
}

static void
begun_cb (GObject      *source,
          GAsyncResult *result,
          gpointer      user_data)
{
  g_autoptr (GTask) task = user_data;
  CycRemoteImport *self = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (CycRemoteReply) reply = _cyc_remote_link_send_finish (result, &error);
  g_autofree char *target = g_build_filename (self->workspace->access->folder, "traces", self->id, NULL);

  /* An answer that is lost can have been one of success. */
  self->begun = reply != NULL || g_error_matches (error, CYC_ERROR, CYC_ERROR_UNAVAILABLE);
  if (reply == NULL)
    {
      _cyc_remote_import_take_back (self, task, g_steal_pointer (&error));
      return;
    }
  fill (self, target, self->mode, task);
}

/* This process fills the trace's folder. */
static void
begin_here (CycRemoteImport *self,
            GTask           *task)
{
  g_autofree char *path = _cyc_remote_path ("traces", self->id, "/import");
  CycRemoteRequest *request = _cyc_remote_request_new ("POST", path);
  gint64 pid = getpid ();
  g_autofree char *body =
    g_strdup_printf ("{\"importer_pid\":%" G_GINT64_FORMAT ",\"importer_start\":%" G_GUINT64_FORMAT ",\"linked\":%s}",
                     pid, cyc_process_get_start_time (pid),
                     self->mode == CYC_IMPORT_SYMBOLIC_LINK ? "true" : "false");

  request->body = g_bytes_new (body, strlen (body));
  _cyc_remote_link_send_async (self->workspace->link, request, NULL, begun_cb, g_object_ref (task));
}

static void
begin_upload (CycRemoteImport *self,
              GTask           *task)
{
  g_autofree char *parent = get_scratch (self->workspace);
  g_autofree char *suffix = cyc_random_hex (6);
  g_autofree char *name = g_strconcat ("upload-", suffix, NULL);
  g_autofree char *folder = g_build_filename (parent, name, NULL);
  gboolean is_folder = g_file_test (self->path, G_FILE_TEST_IS_DIR);
  g_autoptr (GError) error = NULL;

  if (!cyc_file_make_folder (folder, 0700, &error))
    {
      end_with (self, task, g_steal_pointer (&error));
      return;
    }
  self->scratch = g_steal_pointer (&folder);
  fill (self, self->scratch, is_folder ? CYC_IMPORT_SYMBOLIC_LINK : CYC_IMPORT_COPY, task);
}

void
_cyc_remote_import (CycWorkspace           *workspace,
                    const CycImportRequest *request,
                    GTask                  *task)
{
  CycRemoteWorkspace *remote = CYC_REMOTE_WORKSPACE (workspace);

  if (!_cyc_remote_workspace_begin (remote, task, TRUE))
    {
      g_object_unref (task);
      return;
    }
  if (!cyc_name_is_plain (request->trace_id))
    {
      g_task_return_new_error (task, CYC_ERROR, CYC_ERROR_INPUT, "'%s' is no name for a trace", request->trace_id);
      g_object_unref (task);
      return;
    }
  if (g_hash_table_contains (remote->trace_table, request->trace_id))
    {
      g_task_return_new_error (task, CYC_ERROR, CYC_ERROR_EXISTS, "there is a trace '%s' already; choose another id, "
                               "such as '%s-2'", request->trace_id, request->trace_id);
      g_object_unref (task);
      return;
    }
  CycRemoteImport *self = g_new0 (CycRemoteImport, 1);
  self->workspace = remote;
  self->id = g_strdup (request->trace_id);
  self->path = g_strdup (request->path);
  self->mode = request->mode;
  self->progress = request->progress;
  self->progress_data = request->progress_data;
  self->findings = cyc_findings_new ();
  self->cancellable = g_cancellable_new ();
  g_task_set_task_data (task, self, _cyc_remote_import_free);
  if (g_task_get_cancellable (task) != NULL)
    self->caller_handler = g_cancellable_connect (g_task_get_cancellable (task), G_CALLBACK (cancel_cb),
                                                  g_object_ref (self->cancellable), g_object_unref);
  self->closing_handler = g_cancellable_connect (remote->closing, G_CALLBACK (cancel_cb),
                                                 g_object_ref (self->cancellable), g_object_unref);
  remote->n_uploads++;
  if (remote->access->folder != NULL)
    begin_here (self, task);
  else
    begin_upload (self, task);
  g_object_unref (task);
}
