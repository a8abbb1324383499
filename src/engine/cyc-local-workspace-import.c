/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-local-workspace-private.h"

#include <string.h>
#include <unistd.h>

#include "core/accelsim/cyc-preflight.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-process.h"
#include "core/base/cyc-task.h"
#include "engine/cyc-import-inspect.h"

#define PROGRESS_MS 100

/* Looking at what could be imported */

typedef struct
{
  CycEngine  *engine;
  char       *path;
  GHashTable *taken; /* ids */
} Inspect;

static void
inspect_free (gpointer data)
{
  Inspect *self = data;

  g_object_unref (self->engine);
  g_hash_table_unref (self->taken);
  g_free (self->path);
  g_free (self);
}

static gboolean
is_taken (const Inspect *self,
          const char    *id)
{
  g_autofree char *folder = cyc_engine_get_trace_folder (self->engine, id);

  return g_hash_table_contains (self->taken, id) || g_file_test (folder, G_FILE_TEST_EXISTS);
}

static void
make_free (const Inspect  *self,
           char          **id)
{
  g_autofree char *stem = g_strdup (*id);

  for (guint i = 2; is_taken (self, *id); i++)
    {
      g_free (*id);
      *id = g_strdup_printf ("%s-%u", stem, i);
    }
}

static void
inspect_thread (GTask        *task,
                gpointer      source,
                gpointer      data,
                GCancellable *cancellable)
{
  const Inspect *self = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *scratch = g_build_filename (cyc_engine_get_workspace (self->engine), "jobs", NULL);
  CycImportPreview *preview = cyc_import_inspect (self->path, scratch, NULL, cancellable, &error);

  if (preview == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  make_free (self, &preview->suggested_id);
  g_task_return_pointer (task, preview, (GDestroyNotify) cyc_import_preview_free);
}

void
_cyc_local_workspace_inspect (CycWorkspace *workspace,
                              const char   *path,
                              GTask        *task)
{
  g_autoptr (GTask) owned = task;
  CycEngine *engine = _cyc_local_workspace_begin (workspace, task, FALSE);

  if (engine == NULL)
    return;
  Inspect *self = g_new0 (Inspect, 1);
  self->engine = g_object_ref (engine);
  self->path = g_strdup (path);
  self->taken = cyc_engine_list_trace_ids (engine);
  g_task_set_task_data (task, self, inspect_free);
  cyc_task_run_in_thread (task, inspect_thread);
}

/* Importing: the trace is begun, filled by the importer, completed, and waited for; what does not come
 * to that is taken back. */

typedef struct
{
  CycLocalWorkspace     *workspace;   /* the task has the reference */
  CycEngine             *engine;
  char                  *id;
  char                  *path;        /* as asked for */
  CycImportMode          mode;
  CycImportProgressFunc  progress;
  gpointer               progress_data;
  CycImporter           *importer;
  GCancellable          *cancellable; /* of the caller and of the workspace's closing */
  gulong                 caller_handler;
  gulong                 closing_handler;
  guint                  source;      /* tells progress, then waits for the trace */
  GError                *error;       /* why it is taken back */
  CycFindings           *findings;
} Import;

static void
import_free (gpointer data)
{
  Import *self = data;

  g_object_unref (self->engine);
  g_clear_object (&self->importer);
  g_object_unref (self->cancellable);
  g_clear_error (&self->error);
  g_clear_pointer (&self->findings, cyc_findings_free);
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

/* The trace is complete, or gone. */
static void
let_go (Import *self,
        GTask  *task)
{
  g_clear_handle_id (&self->source, g_source_remove);
  g_cancellable_disconnect (g_task_get_cancellable (task), self->caller_handler);
  g_cancellable_disconnect (self->workspace->closing, self->closing_handler);
  cyc_engine_publish (self->engine);
  _cyc_local_workspace_import_over (self->workspace);
}

static void
taken_back_cb (GObject      *source,
               GAsyncResult *result,
               gpointer      user_data)
{
  g_autoptr (GTask) task = user_data;
  Import *self = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  if (!cyc_engine_finish (CYC_ENGINE (source), result, &error)
      && !g_error_matches (error, CYC_ERROR, CYC_ERROR_NOT_FOUND))
    g_warning ("trace '%s' cannot be taken back: %s", self->id, error->message);
  g_task_return_error (task, g_steal_pointer (&self->error));
  let_go (self, task);
}

static void
take_back (Import *self,
           GTask  *task,
           GError *error)
{
  g_clear_handle_id (&self->source, g_source_remove);
  self->error = error;
  cyc_engine_remove_trace (self->engine, self->id, TRUE, taken_back_cb, g_object_ref (task));
}

/* A trace that is ready can still have faults that a run of it would meet. */
static void
faults_thread (GTask        *task,
               gpointer      source,
               gpointer      data,
               GCancellable *cancellable)
{
  Import *self = data;
  g_autofree char *folder = cyc_engine_get_trace_folder (self->engine, self->id);
  const CycPreflightParams params = { .cancellable = cancellable };
  g_autoptr (GError) error = NULL;
  g_autoptr (CycFindings) found = cyc_preflight_check_path (folder, &params, &error);

  for (guint i = 0; found != NULL && i < cyc_findings_get_length (found); i++)
    {
      const CycFinding *finding = cyc_findings_get (found, i);
      if (finding->severity != CYC_SEVERITY_NOTE)
        cyc_findings_add (self->findings, finding->severity, finding->code, finding->file,
                          finding->line, finding->remedy, "%s", finding->text);
    }
  if (found == NULL)
    cyc_findings_add_error (self->findings, CYC_SEVERITY_ERROR, "trace_unreadable", folder, NULL, error);
  g_task_return_pointer (task, g_steal_pointer (&self->findings), (GDestroyNotify) cyc_findings_free);
}

static void
end_with (Import *self,
          GTask  *task,
          GError *error)
{
  let_go (self, task);
  if (error == NULL)
    cyc_task_run_in_thread (task, faults_thread);
  else
    g_task_return_error (task, error);
}

/* Until the engine has looked through the trace. */
static gboolean
wait_cb (gpointer user_data)
{
  GTask *task = user_data;
  Import *self = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  const CycTraceRecord *record = cyc_engine_find_trace (self->engine, self->id, &error);

  if (record == NULL)
    {
      end_with (self, task, g_steal_pointer (&error));
      return G_SOURCE_REMOVE;
    }
  if (record->state == CYC_TRACE_READY)
    {
      end_with (self, task, NULL);
      return G_SOURCE_REMOVE;
    }
  if (record->state == CYC_TRACE_FAILED)
    {
      cyc_error_set_at (&error, CYC_ERROR_INPUT, self->path, 0, "%s; the trace is kept as failed",
                        record->error != NULL ? record->error : "the trace cannot be used");
      end_with (self, task, g_steal_pointer (&error));
      return G_SOURCE_REMOVE;
    }
  if (!g_cancellable_set_error_if_cancelled (self->cancellable, &error))
    return G_SOURCE_CONTINUE;
  take_back (self, task, g_steal_pointer (&error));
  return G_SOURCE_REMOVE;
}

static guint
add_timer (GTask       *task,
           GSourceFunc  func)
{
  return g_timeout_add_full (G_PRIORITY_DEFAULT, PROGRESS_MS, func, g_object_ref (task),
                             g_object_unref);
}

static void
completed_cb (GObject      *source,
              GAsyncResult *result,
              gpointer      user_data)
{
  g_autoptr (GTask) task = user_data;
  Import *self = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  if (cyc_engine_finish (CYC_ENGINE (source), result, &error))
    self->source = add_timer (task, wait_cb);
  else
    take_back (self, task, g_steal_pointer (&error));
}

static void
filled_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr (GTask) task = user_data;
  Import *self = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  g_clear_handle_id (&self->source, g_source_remove);
  if (!cyc_importer_run_finish (self->importer, result, &error))
    {
      take_back (self, task, g_steal_pointer (&error));
      return;
    }
  cyc_findings_append (self->findings, cyc_importer_get_findings (self->importer));
  cyc_engine_complete_trace (self->engine, self->id, completed_cb, g_steal_pointer (&task));
}

static gboolean
progress_cb (gpointer user_data)
{
  Import *self = g_task_get_task_data (user_data);
  CycImportProgress progress;

  cyc_importer_get_progress (self->importer, &progress);
  self->progress (&progress, self->progress_data);
  return G_SOURCE_CONTINUE;
}

static void
begun_cb (GObject      *source,
          GAsyncResult *result,
          gpointer      user_data)
{
  g_autoptr (GTask) task = user_data;
  Import *self = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  if (!cyc_engine_finish (CYC_ENGINE (source), result, &error))
    {
      end_with (self, task, g_steal_pointer (&error));
      return;
    }
  g_autofree char *target = cyc_engine_get_trace_folder (self->engine, self->id);
  self->importer = cyc_importer_new (self->path, target, self->mode, CYC_IMPORT_RESERVE);
  if (self->progress != NULL)
    self->source = add_timer (task, progress_cb);
  cyc_importer_run_async (self->importer, self->cancellable, filled_cb, g_steal_pointer (&task));
}

void
_cyc_local_workspace_import (CycWorkspace           *workspace,
                             const CycImportRequest *request,
                             GTask                  *task)
{
  g_autoptr (GTask) owned = task;
  CycEngine *engine = _cyc_local_workspace_begin (workspace, task, TRUE);

  if (engine == NULL)
    return;
  Import *self = g_new0 (Import, 1);
  self->workspace = CYC_LOCAL_WORKSPACE (workspace);
  self->engine = g_object_ref (engine);
  self->id = g_strdup (request->trace_id);
  self->path = g_strdup (request->path);
  self->mode = request->mode;
  self->progress = request->progress;
  self->progress_data = request->progress_data;
  self->findings = cyc_findings_new ();
  self->cancellable = g_cancellable_new ();
  g_task_set_task_data (task, self, import_free);
  if (g_task_get_cancellable (task) != NULL)
    self->caller_handler = g_cancellable_connect (g_task_get_cancellable (task), G_CALLBACK (cancel_cb),
                                                  g_object_ref (self->cancellable), g_object_unref);
  self->closing_handler = g_cancellable_connect (self->workspace->closing, G_CALLBACK (cancel_cb),
                                                 g_object_ref (self->cancellable), g_object_unref);
  self->workspace->n_imports++;
  gint64 pid = getpid ();
  cyc_engine_begin_trace (engine, self->id, pid, cyc_process_get_start_time (pid),
                          self->mode == CYC_IMPORT_SYMBOLIC_LINK, begun_cb, g_steal_pointer (&owned));
}
