/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-local-workspace-private.h"

#include <string.h>

#include "core/base/cyc-error.h"
#include "core/model/cyc-run.h"
#include "core/model/cyc-trace.h"
#include "engine/cyc-workspace-dir.h"

/* A short command may hold the workspace just now; another engine will not let it go. */
#define OPEN_PATIENCE (10 * G_USEC_PER_SEC)
#define OPEN_AGAIN_MS 30

G_DEFINE_FINAL_TYPE (CycLocalWorkspace, cyc_local_workspace, CYC_TYPE_WORKSPACE)

static const char *
get_title (CycWorkspace *workspace)
{
  return CYC_LOCAL_WORKSPACE (workspace)->title;
}

static const char *
get_location (CycWorkspace *workspace)
{
  return CYC_LOCAL_WORKSPACE (workspace)->folder;
}

static GListModel *
get_traces (CycWorkspace *workspace)
{
  return G_LIST_MODEL (CYC_LOCAL_WORKSPACE (workspace)->traces);
}

static GListModel *
get_runs (CycWorkspace *workspace)
{
  return G_LIST_MODEL (CYC_LOCAL_WORKSPACE (workspace)->runs);
}

static GListModel *
get_sims (CycWorkspace *workspace,
          const char   *run_id)
{
  CycEngine *engine = CYC_LOCAL_WORKSPACE (workspace)->engine;

  return engine == NULL ? NULL : cyc_engine_get_sims (engine, run_id);
}

static guint
get_n_local (CycWorkspace *workspace)
{
  CycEngine *engine = CYC_LOCAL_WORKSPACE (workspace)->engine;

  return engine == NULL ? 0 : cyc_engine_count_local_sims (engine);
}

/* Opening and closing */

/* Who holds the workspace, so that it can be looked for and stopped. */
static char *
explain_busy (CycLocalWorkspace *self,
              const GError      *error)
{
  g_autoptr (CycEngineInfo) info = cyc_workspace_dir_read_engine (self->folder, NULL);

  if (info == NULL || !info->alive)
    return g_strdup (error->message);
  return g_strdup_printf ("%s: the engine of process %" G_GINT64_FORMAT " holds the workspace and "
                          "answers at %s; close it there first", self->folder, info->pid, info->url);
}

static gboolean
has_owner (CycLocalWorkspace *self)
{
  g_autoptr (CycEngineInfo) info = cyc_workspace_dir_read_engine (self->folder, NULL);

  return info != NULL && info->alive;
}

static void
adopt_engine (CycLocalWorkspace *self,
              CycEngine         *engine)
{
  self->engine = engine;
  cyc_forward_list_set_model (self->traces, cyc_engine_get_traces (engine));
  cyc_forward_list_set_model (self->runs, cyc_engine_get_runs (engine));
  cyc_workspace_set_state (CYC_WORKSPACE (self), CYC_WORKSPACE_OPEN, NULL);
}

static void
answer_close (CycLocalWorkspace *self)
{
  g_autoptr (GPtrArray) tasks = g_steal_pointer (&self->close_tasks);

  for (guint i = 0; i < tasks->len; i++)
    g_task_return_boolean (g_ptr_array_index (tasks, i), TRUE);
}

static void
stopped_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autoptr (CycLocalWorkspace) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!cyc_service_stop_finish (CYC_SERVICE (source), result, &error))
    g_message ("%s: %s", self->folder, error->message);
  answer_close (self);
}

/* Its imports are over: their traces are complete or gone. */
static void
stop_service (CycLocalWorkspace *self)
{
  g_autoptr (CycService) service = g_steal_pointer (&self->service);

  self->engine = NULL;
  cyc_service_stop_async (service, stopped_cb, g_object_ref (self));
}

static gboolean begin_open (gpointer user_data);

static void
open_failed (CycLocalWorkspace *self,
             const GError      *error)
{
  gboolean busy = g_error_matches (error, CYC_ERROR, CYC_ERROR_BUSY);

  if (busy && !has_owner (self) && g_get_monotonic_time () < self->open_deadline)
    {
      self->open_source = g_timeout_add (OPEN_AGAIN_MS, begin_open, self);
      return;
    }
  g_autofree char *sentence = busy ? explain_busy (self, error) : g_strdup (error->message);
  cyc_workspace_set_state (CYC_WORKSPACE (self), CYC_WORKSPACE_CLOSED, sentence);
}

static void
opened_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr (CycLocalWorkspace) self = user_data;
  g_autoptr (GError) error = NULL;
  CycService *service = cyc_service_start_finish (result, &error);

  self->opening = FALSE;
  if (self->close_tasks == NULL && service != NULL)
    {
      self->service = service;
      adopt_engine (self, cyc_service_get_engine (service));
    }
  else if (self->close_tasks == NULL)
    open_failed (self, error);
  else if (service != NULL)
    {
      /* It was closed before it was open. */
      self->service = service;
      stop_service (self);
    }
  else
    {
      answer_close (self);
    }
}

static gboolean
begin_open (gpointer user_data)
{
  CycLocalWorkspace *self = user_data;

  self->open_source = 0;
  self->opening = TRUE;
  cyc_service_start_async (self->folder, NULL, (const char *const *) self->config_roots, opened_cb,
                           g_object_ref (self));
  return G_SOURCE_REMOVE;
}

/* Counts an import that was completed or taken back; the last lets a waiting close go on. */
void
_cyc_local_workspace_import_over (CycLocalWorkspace *self)
{
  self->n_imports--;
  if (self->n_imports == 0 && self->close_tasks != NULL)
    stop_service (self);
}

static void
close_workspace (CycWorkspace *workspace,
                 GTask        *task)
{
  CycLocalWorkspace *self = CYC_LOCAL_WORKSPACE (workspace);
  gboolean first = self->close_tasks == NULL;

  g_task_set_check_cancellable (task, FALSE);
  g_clear_handle_id (&self->open_source, g_source_remove);
  if (first)
    self->close_tasks = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_add (self->close_tasks, task);
  if (!first)
    return;
  cyc_workspace_set_state (workspace, CYC_WORKSPACE_CLOSED, cyc_workspace_get_error (workspace));
  g_cancellable_cancel (self->closing);
  if (self->service != NULL && self->n_imports == 0)
    stop_service (self);
  else if (self->service == NULL && !self->opening)
    answer_close (self);
}

/* Every call begins here. Returns the engine, or NULL when the task is answered. A change cannot be
 * taken back by a cancel that comes too late: its answer is the truth. */
CycEngine *
_cyc_local_workspace_begin (CycWorkspace *workspace,
                            GTask        *task,
                            gboolean      is_change)
{
  CycLocalWorkspace *self = CYC_LOCAL_WORKSPACE (workspace);

  if (g_task_return_error_if_cancelled (task))
    return NULL;
  if (self->engine == NULL || self->close_tasks != NULL)
    {
      g_task_return_new_error (task, CYC_ERROR, CYC_ERROR_UNAVAILABLE,
                               "the workspace %s is not open", self->folder);
      return NULL;
    }
  g_task_set_check_cancellable (task, !is_change);
  return self->engine;
}

/* The object */

static void
cyc_local_workspace_dispose (GObject *object)
{
  CycLocalWorkspace *self = CYC_LOCAL_WORKSPACE (object);

  g_clear_handle_id (&self->open_source, g_source_remove);
  g_cancellable_cancel (self->closing);
  self->engine = NULL;
  g_clear_object (&self->service);
  G_OBJECT_CLASS (cyc_local_workspace_parent_class)->dispose (object);
}

static void
cyc_local_workspace_finalize (GObject *object)
{
  CycLocalWorkspace *self = CYC_LOCAL_WORKSPACE (object);

  g_object_unref (self->traces);
  g_object_unref (self->runs);
  g_object_unref (self->closing);
  g_strfreev (self->config_roots);
  g_free (self->title);
  g_free (self->folder);
  G_OBJECT_CLASS (cyc_local_workspace_parent_class)->finalize (object);
}

static void
cyc_local_workspace_class_init (CycLocalWorkspaceClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  CycWorkspaceClass *workspace_class = CYC_WORKSPACE_CLASS (klass);

  object_class->dispose = cyc_local_workspace_dispose;
  object_class->finalize = cyc_local_workspace_finalize;
  workspace_class->get_title = get_title;
  workspace_class->get_location = get_location;
  workspace_class->get_traces = get_traces;
  workspace_class->get_runs = get_runs;
  workspace_class->get_sims = get_sims;
  workspace_class->get_n_local = get_n_local;
  workspace_class->get_log_bytes = _cyc_local_workspace_get_log_bytes;
  workspace_class->load_configs = _cyc_local_workspace_load_configs;
  workspace_class->load_options = _cyc_local_workspace_load_options;
  workspace_class->load_settings = _cyc_local_workspace_load_settings;
  workspace_class->save_settings = _cyc_local_workspace_save_settings;
  workspace_class->check_simulator = _cyc_local_workspace_check_simulator;
  workspace_class->inspect = _cyc_local_workspace_inspect;
  workspace_class->import = _cyc_local_workspace_import;
  workspace_class->load_trace = _cyc_local_workspace_load_trace;
  workspace_class->load_launches = _cyc_local_workspace_load_launches;
  workspace_class->check_run = _cyc_local_workspace_check_run;
  workspace_class->remove_trace = _cyc_local_workspace_remove_trace;
  workspace_class->restore_trace = _cyc_local_workspace_restore_trace;
  workspace_class->create_run = _cyc_local_workspace_create_run;
  workspace_class->load_failed = _cyc_local_workspace_load_failed;
  workspace_class->cancel_run = _cyc_local_workspace_cancel_run;
  workspace_class->remove_run = _cyc_local_workspace_remove_run;
  workspace_class->load_kernels = _cyc_local_workspace_load_kernels;
  workspace_class->load_block = _cyc_local_workspace_load_block;
  workspace_class->load_counters = _cyc_local_workspace_load_counters;
  workspace_class->load_comparison = _cyc_local_workspace_load_comparison;
  workspace_class->load_files = _cyc_local_workspace_load_files;
  workspace_class->copy_file = _cyc_local_workspace_copy_file;
  workspace_class->read_log = _cyc_local_workspace_read_log;
  workspace_class->search_log = _cyc_local_workspace_search_log;
  workspace_class->load_failure = _cyc_local_workspace_load_failure;
  workspace_class->close = close_workspace;
}

static void
cyc_local_workspace_init (CycLocalWorkspace *self)
{
  self->traces = cyc_forward_list_new (CYC_TYPE_TRACE);
  self->runs = cyc_forward_list_new (CYC_TYPE_RUN);
  self->closing = g_cancellable_new ();
}

/**
 * cyc_local_workspace_new:
 * @folder: the workspace's folder, created if it is missing
 * @config_roots: (nullable): folders to look for GPU configurations in first
 *
 * A workspace whose engine, with services, is in this process. It opens on a thread: when the main loop
 * runs, the state becomes open, or closed with an error. Main thread.
 *
 * Returns: (transfer full): the workspace; cyc_workspace_close_async() before the last reference goes
 *   lets its answers end
 */
CycWorkspace *
cyc_local_workspace_new (const char        *folder,
                         const char *const *config_roots)
{
  g_return_val_if_fail (folder != NULL, NULL);

  CycLocalWorkspace *self = g_object_new (CYC_TYPE_LOCAL_WORKSPACE, NULL);
  self->folder = g_canonicalize_filename (folder, NULL);
  self->title = g_filename_display_basename (self->folder);
  self->config_roots = g_strdupv ((char **) config_roots);
  self->open_deadline = g_get_monotonic_time () + OPEN_PATIENCE;
  begin_open (self);
  return CYC_WORKSPACE (self);
}

/**
 * cyc_local_workspace_new_for_engine:
 * @engine: an open engine, which must live as long as the workspace
 *
 * What a window sees of an engine, for those who answer a window elsewhere. Main thread.
 *
 * Returns: (transfer full): the workspace, open; it is never closed
 */
CycWorkspace *
cyc_local_workspace_new_for_engine (CycEngine *engine)
{
  g_return_val_if_fail (CYC_IS_ENGINE (engine), NULL);

  CycLocalWorkspace *self = g_object_new (CYC_TYPE_LOCAL_WORKSPACE, NULL);
  self->folder = g_strdup (cyc_engine_get_workspace (engine));
  self->title = g_filename_display_basename (self->folder);
  adopt_engine (self, engine);
  return CYC_WORKSPACE (self);
}
