/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-remote-workspace-private.h"

#include "core/base/cyc-error.h"
#include "core/base/cyc-task.h"

/* The connection that the models follow: the stream of the workspace's events. While it lives, the workspace is
 * live; when it ends, so do all others, and what was not over is marked as stale. It is made again after a while,
 * longer each time it fails, with some chance in it: many windows may wait for the same engine. */

#define FIRST_DELAY_MS 1000
#define LAST_DELAY_MS 30000
/* On this machine the next engine is there as soon as its file is. */
#define FIRST_LOCAL_DELAY_MS 100
#define LAST_LOCAL_DELAY_MS 2000
#define RUN_RETRY_MS 1000
#define SWEEP_S 5

/* Events that are read on a thread */

typedef struct
{
  CycRemoteStream *stream; /* to be compared with only */
  char            *run_id; /* NULL: the workspace's */
  GPtrArray       *events;
} Reading;

static void
reading_free (gpointer data)
{
  Reading *self = data;

  g_ptr_array_unref (self->events);
  g_free (self->run_id);
  g_free (self);
}

static void
reading_thread (GTask        *task,
                gpointer      source,
                gpointer      data,
                GCancellable *cancellable)
{
  const Reading *self = data;
  g_autoptr (GError) error = NULL;
  GPtrArray *notes = _cyc_remote_notes_read (self->events, &error);

  if (notes != NULL)
    g_task_return_pointer (task, notes, (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static void
start_reading (CycRemoteWorkspace  *self,
               CycRemoteStream     *stream,
               const char          *run_id,
               GPtrArray           *events,
               GAsyncReadyCallback  callback)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, NULL);
  Reading *reading = g_new0 (Reading, 1);

  reading->stream = stream;
  reading->run_id = g_strdup (run_id);
  reading->events = g_ptr_array_ref (events);
  g_task_set_source_tag (task, start_reading);
  g_task_set_task_data (task, reading, reading_free);
  cyc_task_run_in_thread (task, reading_thread);
}

/* Runs */

static gboolean
follow_cb (gpointer data)
{
  CycRemoteRun *run = data;

  run->retry = 0;
  _cyc_remote_feed_follow (run);
  return G_SOURCE_REMOVE;
}

static void
unfollow (CycRemoteRun *run)
{
  g_clear_handle_id (&run->retry, g_source_remove);
  g_clear_pointer (&run->stream, _cyc_remote_stream_free);
}

static void
run_failed (CycRemoteRun *run,
            const GError *error)
{
  unfollow (run);
  _cyc_remote_models_forget_logs (run);
  _cyc_remote_models_age_sims (run);
  /* A run that is not there any more: the workspace's events say so, too. */
  if (run->workspace->link != NULL && !g_error_matches (error, CYC_ERROR, CYC_ERROR_NOT_FOUND))
    run->retry = g_timeout_add (RUN_RETRY_MS, follow_cb, run);
}

static void
run_read_cb (GObject      *source,
             GAsyncResult *result,
             gpointer      user_data)
{
  CycRemoteWorkspace *self = CYC_REMOTE_WORKSPACE (source);
  const Reading *reading = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) notes = g_task_propagate_pointer (G_TASK (result), &error);
  CycRemoteRun *run = _cyc_remote_models_find_run (self, reading->run_id);

  if (run == NULL || run->stream == NULL || run->stream != reading->stream || run->sims == NULL)
    return;
  if (notes == NULL)
    {
      run_failed (run, error);
      return;
    }
  _cyc_remote_models_take_run (run, notes);
  _cyc_remote_stream_go_on (run->stream);
}

static void
run_events_cb (GPtrArray    *events,
               const GError *error,
               gpointer      user_data)
{
  CycRemoteRun *run = user_data;

  if (events != NULL)
    start_reading (run->workspace, run->stream, run->id, events, run_read_cb);
  else
    run_failed (run, error);
}

/* Has the run's simulations and their kernels follow, if somebody looks at them. */
void
_cyc_remote_feed_follow (CycRemoteRun *run)
{
  CycRemoteWorkspace *self = run->workspace;
  g_autofree char *path = _cyc_remote_path ("runs", run->id, "/events");

  if (run->stream != NULL || run->sims == NULL || self->link == NULL)
    return;
  g_clear_handle_id (&run->retry, g_source_remove);
  run->stream = _cyc_remote_stream_new (self->access, path, run_events_cb, run, NULL);
  if (run->stream == NULL)
    run->retry = g_timeout_add (RUN_RETRY_MS, follow_cb, run);
}

/* Lets go of simulations that no page shows. */
static gboolean
sweep_cb (gpointer data)
{
  CycRemoteWorkspace *self = data;
  GHashTableIter iter;
  gpointer entry;

  g_hash_table_iter_init (&iter, self->run_table);
  while (g_hash_table_iter_next (&iter, NULL, &entry))
    {
      CycRemoteRun *run = entry;
      if (run->sims == NULL || G_OBJECT (run->sims)->ref_count > 1 || _cyc_remote_models_has_kernels (run))
        continue;
      unfollow (run);
      _cyc_remote_models_forget_sims (run);
    }
  return G_SOURCE_CONTINUE;
}

/* The workspace */

static void
be_live (CycRemoteWorkspace *self)
{
  GHashTableIter iter;
  gpointer run;

  self->n_failures = 0;
  if (self->access->workspace_id == NULL)
    self->access->workspace_id = g_strdup (_cyc_remote_stream_get_workspace_id (self->stream));
  g_hash_table_iter_init (&iter, self->run_table);
  while (g_hash_table_iter_next (&iter, NULL, &run))
    _cyc_remote_feed_follow (run);
  cyc_workspace_set_connection (CYC_WORKSPACE (self), CYC_CONNECTION_LIVE, NULL, 0);
  cyc_workspace_set_state (CYC_WORKSPACE (self), CYC_WORKSPACE_OPEN, NULL);
}

static void
workspace_read_cb (GObject      *source,
                   GAsyncResult *result,
                   gpointer      user_data)
{
  CycRemoteWorkspace *self = CYC_REMOTE_WORKSPACE (source);
  const Reading *reading = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) notes = g_task_propagate_pointer (G_TASK (result), &error);

  if (self->stream == NULL || self->stream != reading->stream)
    return;
  if (notes == NULL)
    {
      _cyc_remote_feed_lost (self, error);
      return;
    }
  _cyc_remote_models_take_workspace (self, notes);
  if (cyc_workspace_get_connection (CYC_WORKSPACE (self)) != CYC_CONNECTION_LIVE)
    be_live (self);
  if (self->stream != NULL)
    _cyc_remote_stream_go_on (self->stream);
}

static void
workspace_events_cb (GPtrArray    *events,
                     const GError *error,
                     gpointer      user_data)
{
  CycRemoteWorkspace *self = user_data;

  if (events != NULL)
    start_reading (self, self->stream, NULL, events, workspace_read_cb);
  else
    _cyc_remote_feed_lost (self, error);
}

static gboolean
retry_cb (gpointer data)
{
  CycRemoteWorkspace *self = data;

  self->retry_source = 0;
  _cyc_remote_feed_connect (self);
  return G_SOURCE_REMOVE;
}

static guint
choose_delay (CycRemoteWorkspace *self)
{
  gboolean local = self->access->folder != NULL;
  guint delay = local ? FIRST_LOCAL_DELAY_MS : FIRST_DELAY_MS;
  guint last = local ? LAST_LOCAL_DELAY_MS : LAST_DELAY_MS;

  for (guint i = 1; i < self->n_failures && delay < last; i++)
    delay *= 2;
  return (guint) (MIN (delay, last) * g_random_double_range (0.8, 1.2));
}

/* Whether it makes no sense to try again with the same address and token. */
static gboolean
is_final (CycRemoteWorkspace *self,
          const GError       *error)
{
  return cyc_workspace_get_state (CYC_WORKSPACE (self)) == CYC_WORKSPACE_OPENING && error->domain == CYC_ERROR
         && error->code != CYC_ERROR_UNAVAILABLE;
}

/* Ends all connections. */
void
_cyc_remote_feed_disconnect (CycRemoteWorkspace *self)
{
  g_autoptr (CycRemoteLink) link = g_steal_pointer (&self->link);
  GHashTableIter iter;
  gpointer run;

  g_clear_handle_id (&self->retry_source, g_source_remove);
  g_clear_handle_id (&self->sweep_source, g_source_remove);
  g_clear_pointer (&self->stream, _cyc_remote_stream_free);
  g_hash_table_iter_init (&iter, self->run_table);
  while (g_hash_table_iter_next (&iter, NULL, &run))
    unfollow (run);
  if (link != NULL)
    _cyc_remote_link_close (link);
}

/* There is no connection, or none any more. */
void
_cyc_remote_feed_lost (CycRemoteWorkspace *self,
                       const GError       *error)
{
  CycWorkspace *workspace = CYC_WORKSPACE (self);
  g_autoptr (CycWorkspace) keep = g_object_ref (workspace);
  g_autofree char *trouble = g_strdup (error->message);

  _cyc_remote_feed_disconnect (self);
  _cyc_remote_models_age (self);
  self->deserted = self->access->folder != NULL && g_error_matches (error, CYC_ERROR, CYC_ERROR_NOT_FOUND);
  if (self->closed)
    return;
  if (self->deserted || is_final (self, error))
    {
      cyc_workspace_set_connection (workspace, CYC_CONNECTION_LOST, trouble, 0);
      cyc_workspace_set_state (workspace, CYC_WORKSPACE_CLOSED, trouble);
      return;
    }
  self->n_failures++;
  guint delay = choose_delay (self);
  self->retry_source = g_timeout_add (delay, retry_cb, self);
  cyc_workspace_set_connection (workspace, CYC_CONNECTION_LOST, trouble,
                                g_get_monotonic_time () + (gint64) delay * 1000);
}

/* Makes a connection; when the models have what it tells, the workspace is live. */
void
_cyc_remote_feed_connect (CycRemoteWorkspace *self)
{
  g_autoptr (GError) error = NULL;

  if (self->closed || self->link != NULL)
    return;
  g_clear_handle_id (&self->retry_source, g_source_remove);
  cyc_workspace_set_connection (CYC_WORKSPACE (self), CYC_CONNECTION_CONNECTING,
                                cyc_workspace_get_trouble (CYC_WORKSPACE (self)), 0);
  if (cyc_remote_access_refresh (self->access, &error))
    self->link = _cyc_remote_link_new (self->access, &error);
  if (self->link != NULL)
    self->stream = _cyc_remote_stream_new (self->access, "/api/events", workspace_events_cb, self, &error);
  if (self->stream != NULL)
    self->sweep_source = g_timeout_add_seconds (SWEEP_S, sweep_cb, self);
  else
    _cyc_remote_feed_lost (self, error);
}

/* Connects as soon as the main loop runs. */
void
_cyc_remote_feed_begin (CycRemoteWorkspace *self)
{
  cyc_workspace_set_connection (CYC_WORKSPACE (self), CYC_CONNECTION_CONNECTING, NULL, 0);
  self->retry_source = g_idle_add (retry_cb, self);
}
