/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-remote-workspace-private.h"

#include <string.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-json.h"
#include "core/base/cyc-task.h"
#include "core/model/cyc-sim.h"

/* A workspace whose engine is another process, on this machine or another: its HTTP API, and its events. */
G_DEFINE_FINAL_TYPE (CycRemoteWorkspace, cyc_remote_workspace, CYC_TYPE_WORKSPACE)

/* Calls */

typedef struct
{
  CycRemoteParse  parse;       /* NULL: the answer says nothing */
  gpointer        data;
  GDestroyNotify  free_data;
  GDestroyNotify  free_result;
  GBytes         *body;
} Ask;

static void
ask_free (gpointer data)
{
  Ask *self = data;

  if (self->free_data != NULL)
    g_clear_pointer (&self->data, self->free_data);
  g_clear_pointer (&self->body, g_bytes_unref);
  g_free (self);
}

/* Reads JSON that came over the network. */
JsonNode *
_cyc_remote_parse (GBytes  *body,
                   GError **error)
{
  gsize len;
  const char *text = g_bytes_get_data (body, &len);

  return cyc_json_parse (text == NULL ? "" : text, len, "the engine's answer", error);
}

static void
parse_thread (GTask        *task,
              gpointer      source,
              gpointer      data,
              GCancellable *cancellable)
{
  const Ask *self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) root = _cyc_remote_parse (self->body, &error);
  gpointer value = root == NULL ? NULL : self->parse (root, self->data, &error);

  if (value != NULL)
    g_task_return_pointer (task, value, self->free_result);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static void
answered_cb (GObject      *source,
             GAsyncResult *result,
             gpointer      user_data)
{
  g_autoptr (GTask) task = user_data;
  Ask *self = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (CycRemoteReply) reply = _cyc_remote_link_send_finish (result, &error);

  if (reply == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  if (self->parse == NULL)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  self->body = g_steal_pointer (&reply->body);
  cyc_task_run_in_thread (task, parse_thread);
}

/* Sends @request, which it takes, and answers @task, which it takes, with what @parse makes of the answer; with
 * TRUE if that is NULL. */
void
_cyc_remote_workspace_ask (CycRemoteWorkspace *self,
                           CycRemoteRequest   *request,
                           CycRemoteParse      parse,
                           gpointer            data,
                           GDestroyNotify      free_data,
                           GDestroyNotify      free_result,
                           GTask              *task)
{
  Ask *ask = g_new0 (Ask, 1);
  GCancellable *cancellable = g_task_get_check_cancellable (task) ? g_task_get_cancellable (task) : NULL;

  ask->parse = parse;
  ask->data = data;
  ask->free_data = free_data;
  ask->free_result = free_result;
  g_task_set_task_data (task, ask, ask_free);
  _cyc_remote_link_send_async (self->link, request, cancellable, answered_cb, task);
}

/* Every call begins here. Returns FALSE when the task is answered. A change cannot be taken back by a cancel that
 * comes too late: its answer is the truth. */
gboolean
_cyc_remote_workspace_begin (CycRemoteWorkspace *self,
                             GTask              *task,
                             gboolean            is_change)
{
  const char *trouble = cyc_workspace_get_trouble (CYC_WORKSPACE (self));

  if (g_task_return_error_if_cancelled (task))
    return FALSE;
  if (self->link != NULL && !self->closed)
    {
      g_task_set_check_cancellable (task, !is_change);
      return TRUE;
    }
  g_task_return_new_error (task, CYC_ERROR, CYC_ERROR_UNAVAILABLE, "there is no connection to the engine%s%s",
                           trouble != NULL ? ": " : "", trouble != NULL ? trouble : "");
  return FALSE;
}

/* `/api/COLLECTION[/ID][REST]`, with the id encoded. */
char *
_cyc_remote_path (const char *collection,
                  const char *id,
                  const char *rest)
{
  g_autofree char *escaped = id == NULL ? NULL : g_uri_escape_string (id, NULL, FALSE);

  return g_strconcat ("/api/", collection, id != NULL ? "/" : "", id != NULL ? escaped : "",
                      rest != NULL ? rest : "", NULL);
}

/* What it is and holds */

static const char *
get_title (CycWorkspace *workspace)
{
  return CYC_REMOTE_WORKSPACE (workspace)->title;
}

static const char *
get_location (CycWorkspace *workspace)
{
  return CYC_REMOTE_WORKSPACE (workspace)->location;
}

static GListModel *
get_traces (CycWorkspace *workspace)
{
  return G_LIST_MODEL (CYC_REMOTE_WORKSPACE (workspace)->traces);
}

static GListModel *
get_runs (CycWorkspace *workspace)
{
  return G_LIST_MODEL (CYC_REMOTE_WORKSPACE (workspace)->runs);
}

/* They come with the run's events, a moment later. */
static GListModel *
get_sims (CycWorkspace *workspace,
          const char   *run_id)
{
  CycRemoteRun *run = _cyc_remote_models_find_run (CYC_REMOTE_WORKSPACE (workspace), run_id);

  if (run == NULL)
    return NULL;
  if (run->sims == NULL)
    run->sims = g_list_store_new (CYC_TYPE_SIM);
  _cyc_remote_feed_follow (run);
  return G_LIST_MODEL (run->sims);
}

/* The simulations need the engine's machine, not this process. */
static guint
get_n_local (CycWorkspace *workspace)
{
  return 0;
}

static CycWorkspaceTraits
get_traits (CycWorkspace *workspace)
{
  CycRemoteWorkspace *self = CYC_REMOTE_WORKSPACE (workspace);
  gboolean here = self->access->folder != NULL;
  gboolean exposed = !here && cyc_remote_url_is_exposed (self->access->url);

  return CYC_WORKSPACE_REMOTE | (here ? 0 : CYC_WORKSPACE_ELSEWHERE) | (exposed ? CYC_WORKSPACE_EXPOSED : 0);
}

static void
reconnect (CycWorkspace *workspace)
{
  _cyc_remote_feed_connect (CYC_REMOTE_WORKSPACE (workspace));
}

/* Closing */

static void
answer_close (CycRemoteWorkspace *self)
{
  g_autoptr (GPtrArray) tasks = g_steal_pointer (&self->close_tasks);

  _cyc_remote_feed_disconnect (self);
  for (guint i = 0; i < tasks->len; i++)
    g_task_return_boolean (g_ptr_array_index (tasks, i), TRUE);
}

/* Counts an upload that was completed, taken back or left; the last lets a waiting close go on. */
void
_cyc_remote_workspace_upload_over (CycRemoteWorkspace *self)
{
  self->n_uploads--;
  if (self->n_uploads == 0 && self->close_tasks != NULL)
    answer_close (self);
}

static void
close_workspace (CycWorkspace *workspace,
                 GTask        *task)
{
  CycRemoteWorkspace *self = CYC_REMOTE_WORKSPACE (workspace);
  gboolean first = self->close_tasks == NULL;

  g_task_set_check_cancellable (task, FALSE);
  if (first)
    self->close_tasks = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_add (self->close_tasks, task);
  if (!first)
    return;
  cyc_workspace_set_state (workspace, CYC_WORKSPACE_CLOSED, cyc_workspace_get_error (workspace));
  g_cancellable_cancel (self->closing);
  self->closed = self->n_uploads == 0;
  if (self->closed)
    answer_close (self);
}

/* The object */

static void
weak_ref_free (gpointer data)
{
  g_weak_ref_clear (data);
  g_free (data);
}

static void
trace_free (gpointer data)
{
  CycRemoteTrace *self = data;

  g_object_unref (self->item);
  g_free (self);
}

static void
cyc_remote_workspace_dispose (GObject *object)
{
  CycRemoteWorkspace *self = CYC_REMOTE_WORKSPACE (object);

  self->closed = TRUE;
  g_cancellable_cancel (self->closing);
  _cyc_remote_feed_disconnect (self);
  _cyc_remote_models_clear (self);
  G_OBJECT_CLASS (cyc_remote_workspace_parent_class)->dispose (object);
}

static void
cyc_remote_workspace_finalize (GObject *object)
{
  CycRemoteWorkspace *self = CYC_REMOTE_WORKSPACE (object);

  g_hash_table_unref (self->run_table);
  g_hash_table_unref (self->trace_table);
  g_hash_table_unref (self->sim_table);
  g_hash_table_unref (self->kernels);
  g_hash_table_unref (self->logs);
  g_object_unref (self->traces);
  g_object_unref (self->runs);
  g_object_unref (self->closing);
  cyc_remote_access_free (self->access);
  g_free (self->title);
  g_free (self->location);
  G_OBJECT_CLASS (cyc_remote_workspace_parent_class)->finalize (object);
}

static void
set_calls (CycWorkspaceClass *klass)
{
  klass->load_configs = _cyc_remote_load_configs;
  klass->load_options = _cyc_remote_load_options;
  klass->load_settings = _cyc_remote_load_settings;
  klass->save_settings = _cyc_remote_save_settings;
  klass->check_simulator = _cyc_remote_check_simulator;
  klass->inspect = _cyc_remote_inspect;
  klass->import = _cyc_remote_import;
  klass->load_trace = _cyc_remote_load_trace;
  klass->load_launches = _cyc_remote_load_launches;
  klass->check_run = _cyc_remote_check_run;
  klass->remove_trace = _cyc_remote_remove_trace;
  klass->restore_trace = _cyc_remote_restore_trace;
  klass->create_run = _cyc_remote_create_run;
  klass->load_failed = _cyc_remote_load_failed;
  klass->cancel_run = _cyc_remote_cancel_run;
  klass->remove_run = _cyc_remote_remove_run;
  klass->load_kernels = _cyc_remote_load_kernels;
  klass->load_block = _cyc_remote_load_block;
  klass->load_counters = _cyc_remote_load_counters;
  klass->load_comparison = _cyc_remote_load_comparison;
  klass->load_files = _cyc_remote_load_files;
  klass->copy_file = _cyc_remote_copy_file;
  klass->read_log = _cyc_remote_read_log;
  klass->search_log = _cyc_remote_search_log;
  klass->load_failure = _cyc_remote_load_failure;
  klass->close = close_workspace;
}

static void
cyc_remote_workspace_class_init (CycRemoteWorkspaceClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  CycWorkspaceClass *workspace_class = CYC_WORKSPACE_CLASS (klass);

  object_class->dispose = cyc_remote_workspace_dispose;
  object_class->finalize = cyc_remote_workspace_finalize;
  workspace_class->get_title = get_title;
  workspace_class->get_location = get_location;
  workspace_class->get_traces = get_traces;
  workspace_class->get_runs = get_runs;
  workspace_class->get_sims = get_sims;
  workspace_class->get_n_local = get_n_local;
  workspace_class->get_log_bytes = _cyc_remote_get_log_bytes;
  workspace_class->get_traits = get_traits;
  workspace_class->reconnect = reconnect;
  set_calls (workspace_class);
}

static void
cyc_remote_workspace_init (CycRemoteWorkspace *self)
{
  self->traces = g_list_store_new (CYC_TYPE_TRACE);
  self->runs = g_list_store_new (CYC_TYPE_RUN);
  self->trace_table = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, trace_free);
  self->run_table = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) _cyc_remote_run_free);
  self->sim_table = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  self->kernels = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, weak_ref_free);
  self->logs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->closing = g_cancellable_new ();
}

/* HOST:PORT of an address. */
static char *
make_title (const char *url)
{
  const char *scheme_end = strstr (url, "://");

  return g_strdup (scheme_end != NULL ? scheme_end + strlen ("://") : url);
}

/**
 * cyc_remote_workspace_new:
 * @access: how to reach its engine
 *
 * A workspace that another process serves. It connects when the main loop runs: the state becomes open, or closed
 * with an error if the engine cannot be meant; an engine that is out of reach is tried again and again. Once it is
 * open, it stays so when the connection is lost, and the property `connection` tells.
 *
 * Returns: (transfer full): the workspace; cyc_workspace_close_async() before the last reference goes lets
 *   uploads be taken back
 */
CycWorkspace *
cyc_remote_workspace_new (const CycRemoteAccess *access)
{
  g_return_val_if_fail (access != NULL && (access->url != NULL || access->folder != NULL), NULL);

  CycRemoteWorkspace *self = g_object_new (CYC_TYPE_REMOTE_WORKSPACE, NULL);
  self->access = cyc_remote_access_copy (access);
  self->title = access->folder != NULL ? g_filename_display_basename (access->folder) : make_title (access->url);
  self->location = g_strdup (access->folder != NULL ? access->folder : access->url);
  _cyc_remote_feed_begin (self);
  return CYC_WORKSPACE (self);
}

/**
 * cyc_remote_workspace_get_id:
 * @self: a workspace
 *
 * Returns: (transfer none) (nullable): its id, %NULL before its engine was reached
 */
const char *
cyc_remote_workspace_get_id (CycRemoteWorkspace *self)
{
  g_return_val_if_fail (CYC_IS_REMOTE_WORKSPACE (self), NULL);

  return self->access->workspace_id;
}

/**
 * cyc_remote_workspace_is_deserted:
 * @self: a workspace
 *
 * Returns: %TRUE if it is a folder of this machine whose engine has ended: it can be opened here
 */
gboolean
cyc_remote_workspace_is_deserted (CycRemoteWorkspace *self)
{
  g_return_val_if_fail (CYC_IS_REMOTE_WORKSPACE (self), FALSE);

  return self->deserted;
}
