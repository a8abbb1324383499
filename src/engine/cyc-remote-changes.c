/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-remote-workspace-private.h"

#include "core/base/cyc-error.h"
#include "core/base/cyc-json.h"
#include "core/model/cyc-records-read.h"
#include "engine/cyc-workspace-json.h"

/* What changes rows of the workspace: answered when it is committed and the models show it. The models take what
 * the answer tells; the events tell it again. */

typedef struct
{
  CycRemoteWorkspace *workspace; /* the task has the reference */
  char               *id;
  void              (*done) (CycRemoteWorkspace *self,
                             const char         *id,
                             JsonObject         *answer,
                             GTask              *task);
} Change;

static void
change_free (gpointer data)
{
  Change *self = data;

  g_free (self->id);
  g_free (self);
}

static void
changed_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autoptr (GTask) task = user_data;
  const Change *self = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (CycRemoteReply) reply = _cyc_remote_link_send_finish (result, &error);
  g_autoptr (JsonNode) root = NULL;

  if (reply != NULL && reply->status != 204)
    root = _cyc_remote_parse (reply->body, &error);
  if (error != NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  else
    self->done (self->workspace, self->id, root == NULL ? NULL : cyc_json_node_get_object (root), task);
}

static void
change (CycWorkspace     *workspace,
        CycRemoteRequest *request,
        const char       *id,
        void            (*done) (CycRemoteWorkspace *, const char *, JsonObject *, GTask *),
        GTask            *task)
{
  CycRemoteWorkspace *self = CYC_REMOTE_WORKSPACE (workspace);

  if (!_cyc_remote_workspace_begin (self, task, TRUE))
    {
      _cyc_remote_request_free (request);
      g_object_unref (task);
      return;
    }
  Change *data = g_new0 (Change, 1);
  data->workspace = self;
  data->id = g_strdup (id);
  data->done = done;
  g_task_set_task_data (task, data, change_free);
  _cyc_remote_link_send_async (self->link, request, NULL, changed_cb, task);
}

/* Returns FALSE when the task is answered. */
static gboolean
put_run (CycRemoteWorkspace *self,
         JsonObject         *answer,
         GTask              *task)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CycRunRecord) record = cyc_run_record_read (answer, &error);

  if (record == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return FALSE;
    }
  _cyc_remote_models_put_run (self, record);
  return TRUE;
}

static void
trace_removed (CycRemoteWorkspace *self,
               const char         *id,
               JsonObject         *answer,
               GTask              *task)
{
  _cyc_remote_models_drop_trace (self, id);
  g_task_return_boolean (task, TRUE);
}

void
_cyc_remote_remove_trace (CycWorkspace *workspace,
                          const char   *trace_id,
                          GTask        *task)
{
  g_autofree char *path = _cyc_remote_path ("traces", trace_id, NULL);

  change (workspace, _cyc_remote_request_new ("DELETE", path), trace_id, trace_removed, task);
}

static void
trace_restored (CycRemoteWorkspace *self,
                const char         *id,
                JsonObject         *answer,
                GTask              *task)
{
  g_autoptr (CycTraceRecord) record = answer == NULL ? NULL : cyc_trace_record_read (answer, NULL);

  /* Its place in the list is told by the events. */
  if (record != NULL)
    _cyc_remote_models_put_trace (self, record);
  g_task_return_boolean (task, TRUE);
}

void
_cyc_remote_restore_trace (CycWorkspace *workspace,
                           const char   *trace_id,
                           GTask        *task)
{
  g_autofree char *path = _cyc_remote_path ("traces", trace_id, "/restore");

  change (workspace, _cyc_remote_request_new ("POST", path), trace_id, trace_restored, task);
}

static void
run_created (CycRemoteWorkspace *self,
             const char         *id,
             JsonObject         *answer,
             GTask              *task)
{
  if (put_run (self, answer, task))
    g_task_return_pointer (task, g_strdup (cyc_json_get_string (answer, "id")), g_free);
}

void
_cyc_remote_create_run (CycWorkspace        *workspace,
                        const CycRunRequest *request,
                        GTask               *task)
{
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);
  CycRemoteRequest *message = _cyc_remote_request_new ("POST", "/api/runs");

  cyc_run_request_write_json (request, writer);
  message->body = g_string_free_to_bytes (cyc_json_writer_steal (writer));
  change (workspace, message, NULL, run_created, task);
}

static void
run_cancelled (CycRemoteWorkspace *self,
               const char         *id,
               JsonObject         *answer,
               GTask              *task)
{
  if (put_run (self, answer, task))
    g_task_return_boolean (task, TRUE);
}

void
_cyc_remote_cancel_run (CycWorkspace *workspace,
                        const char   *run_id,
                        GTask        *task)
{
  g_autofree char *path = _cyc_remote_path ("runs", run_id, "/cancel");
  CycRemoteRequest *message = _cyc_remote_request_new ("POST", path);

  message->again = TRUE;
  change (workspace, message, run_id, run_cancelled, task);
}

static void
run_removed (CycRemoteWorkspace *self,
             const char         *id,
             JsonObject         *answer,
             GTask              *task)
{
  _cyc_remote_models_drop_run (self, id);
  g_task_return_boolean (task, TRUE);
}

void
_cyc_remote_remove_run (CycWorkspace *workspace,
                        const char   *run_id,
                        GTask        *task)
{
  g_autofree char *path = _cyc_remote_path ("runs", run_id, NULL);

  change (workspace, _cyc_remote_request_new ("DELETE", path), run_id, run_removed, task);
}
