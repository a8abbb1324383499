/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-remote-import-private.h"

#include <string.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-number.h"
#include "core/base/cyc-task.h"

/* Uploads the files of a trace, a few at a time. A file whose connection is lost goes on where the engine says
 * that it has got to; the engine compares what it has in the end with the checksum of the whole. */

#define PROGRESS_MS 100
#define AGAIN_MS 500
/* A disk that is full may get room, and an engine that is stopping come back, but not for ever. */
#define MAX_REFUSALS 10
/* The engine gives up a connection that broke without its knowledge after 30 s; until then the file is busy. */
#define MAX_CONFLICTS 100
/* After that the engine has seen the head of a request. */
#define SEEN_US (2 * G_USEC_PER_SEC)

static void begin_files (CycRemoteImport *self,
                         GTask           *task);
static void ask_offset  (CycRemoteLane   *lane);
static void send_file   (CycRemoteLane   *lane);

static char *
make_path (CycRemoteLane *lane)
{
  g_autofree char *escaped = g_uri_escape_string (lane->file->name, "/", FALSE);
  g_autofree char *rest = g_strconcat ("/files/", escaped, NULL);

  return _cyc_remote_path ("traces", lane->import->id, rest);
}

static gboolean
is_busy (CycRemoteImport *self)
{
  for (guint i = 0; i < CYC_REMOTE_UPLOAD_LANES; i++)
    if (self->lanes[i].file != NULL)
      return TRUE;
  return FALSE;
}

/* All is there, or some of it cannot come: nothing of the import is on its way any more. */
static void
upload_over (CycRemoteImport *self,
             GTask           *task)
{
  if (self->failure != NULL)
    _cyc_remote_import_take_back (self, task, g_steal_pointer (&self->failure));
  else
    _cyc_remote_import_complete (self, task);
}

/* The file is there, or @error, which it takes, is why it does not come. */
static void
end_file (CycRemoteLane *lane,
          GError        *error)
{
  CycRemoteImport *self = lane->import;
  g_autoptr (GTask) task = g_steal_pointer (&lane->task);

  if (error == NULL)
    {
      self->bytes_done += lane->file->size;
      self->n_done++;
    }
  else if (self->failure == NULL)
    self->failure = error;
  else
    g_error_free (error);
  g_clear_error (&lane->conflict);
  lane->file = NULL;
  lane->offset = lane->sent = 0;
  lane->n_refused = lane->n_conflicts = lane->n_stalled = 0;
  if (self->failure != NULL)
    g_cancellable_cancel (self->cancellable);
  begin_files (self, task);
}

/* Returns TRUE if the import was cancelled, or another file has failed. */
static gboolean
is_cancelled (CycRemoteLane *lane)
{
  g_autoptr (GError) error = NULL;

  if (!g_cancellable_set_error_if_cancelled (lane->import->cancellable, &error))
    return FALSE;
  end_file (lane, g_steal_pointer (&error));
  return TRUE;
}

/* There is no connection just now. */
static gboolean
again_cb (gpointer data)
{
  CycRemoteLane *lane = data;
  CycRemoteImport *self = lane->import;
  CycConnection connection = cyc_workspace_get_connection (CYC_WORKSPACE (self->workspace));

  if (!g_cancellable_is_cancelled (self->cancellable)
      && (self->workspace->link == NULL || connection != CYC_CONNECTION_LIVE))
    return G_SOURCE_CONTINUE;
  if (!is_cancelled (lane))
    ask_offset (lane);
  return G_SOURCE_REMOVE;
}

static void
go_on_later (CycRemoteLane *lane)
{
  lane->sent = 0;
  g_timeout_add (AGAIN_MS, again_cb, lane);
}

/* An answer that is none, or a refusal that may pass. */
static void
not_now (CycRemoteLane *lane,
         GError        *error)
{
  if (is_cancelled (lane))
    g_error_free (error);
  else if (lane->n_refused > MAX_REFUSALS || !g_error_matches (error, CYC_ERROR, CYC_ERROR_UNAVAILABLE))
    end_file (lane, error);
  else
    {
      g_error_free (error);
      go_on_later (lane);
    }
}

/* One file */

/* What an answer of the engine says against the file, NULL for nothing. */
static GError *
get_refusal (CycRemoteReply *reply)
{
  GError *error = NULL;
  gsize len = 0;
  const char *text = reply->body == NULL ? NULL : g_bytes_get_data (reply->body, &len);

  cyc_remote_set_error (reply->status, text == NULL ? "" : text, len, &error);
  return error;
}

static void
sent_cb (GObject      *source,
         GAsyncResult *result,
         gpointer      user_data)
{
  CycRemoteLane *lane = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (CycRemoteReply) reply = _cyc_remote_channel_send_finish (CYC_REMOTE_CHANNEL (source), result, &error);
  GError *refusal = reply == NULL ? NULL : get_refusal (reply);

  g_clear_handle_id (&lane->patience, g_source_remove);
  g_clear_object (&lane->request);
  if (reply == NULL)
    {
      not_now (lane, g_steal_pointer (&error));
      return;
    }
  if (refusal == NULL)
    {
      end_file (lane, NULL);
      return;
    }
  /* A part that does not fit what is there, or that a broken connection still brings: the engine says where to go
   * on, or that there is nowhere. */
  if (reply->status == SOUP_STATUS_CONFLICT && lane->n_conflicts < MAX_CONFLICTS)
    {
      lane->n_conflicts++;
      g_clear_error (&lane->conflict);
      lane->conflict = refusal;
      go_on_later (lane);
      return;
    }
  lane->n_refused++;
  not_now (lane, refusal);
}

/* The first file of a trace makes it: a request that is taken back before the engine has seen it could make it
 * anew after it was removed. A short one comes to its end, a long one is cut off after a while. */
static gboolean
patience_cb (gpointer data)
{
  CycRemoteLane *lane = data;

  if (g_cancellable_is_cancelled (lane->import->cancellable) && g_get_monotonic_time () - lane->started > SEEN_US)
    g_cancellable_cancel (lane->request);
  return G_SOURCE_CONTINUE;
}

/* Sent a second time, it brings the same. */
static CycRemoteRequest *
make_request (CycRemoteLane *lane)
{
  const CycUploadFile *file = lane->file;
  g_autofree char *path = make_path (lane);
  CycRemoteRequest *request = _cyc_remote_request_new ("PUT", path);

  request->content_type = "application/octet-stream";
  request->file = g_strdup (file->path);
  request->offset = lane->offset;
  request->length = file->size - lane->offset;
  request->again = TRUE;
  request->sent = &lane->sent;
  _cyc_remote_request_add_header (request, "X-Checksum-Sha256", file->checksum);
  /* As a part, which may be all: what comes of it is kept when the connection breaks. */
  if (file->size > 0)
    {
      g_autofree char *range = g_strdup_printf ("bytes %" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT "/%" G_GUINT64_FORMAT,
                                                lane->offset, file->size - 1, file->size);
      _cyc_remote_request_add_header (request, "Content-Range", range);
    }
  return request;
}

static void
send_file (CycRemoteLane *lane)
{
  CycRemoteImport *self = lane->import;

  if (is_cancelled (lane))
    return;
  if (self->workspace->link == NULL)
    {
      go_on_later (lane);
      return;
    }
  /* The answer may be lost: from now on there can be something to take back. */
  self->begun = TRUE;
  lane->sent = 0;
  lane->request = g_cancellable_new ();
  lane->started = g_get_monotonic_time ();
  lane->patience = g_timeout_add (PROGRESS_MS, patience_cb, lane);
  _cyc_remote_link_send_async (self->workspace->link, make_request (lane), lane->request, sent_cb, lane);
}

static void
offset_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  CycRemoteLane *lane = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (CycRemoteReply) reply = _cyc_remote_channel_send_finish (CYC_REMOTE_CHANNEL (source), result, &error);
  const char *text = reply == NULL ? NULL : soup_message_headers_get_one (reply->headers, "Upload-Offset");
  const char *whole = reply == NULL ? NULL : soup_message_headers_get_one (reply->headers, "Upload-Complete");
  const CycUploadFile *file = lane->file;
  guint64 offset = 0;

  if (reply == NULL)
    {
      not_now (lane, g_steal_pointer (&error));
      return;
    }
  if (reply->status == SOUP_STATUS_CONFLICT && lane->conflict != NULL)
    {
      end_file (lane, g_steal_pointer (&lane->conflict));
      return;
    }
  if (SOUP_STATUS_IS_SUCCESSFUL (reply->status) && text != NULL)
    cyc_number_parse_uint64 (text, strlen (text), &offset);
  if (SOUP_STATUS_IS_SUCCESSFUL (reply->status) && g_strcmp0 (whole, "?1") == 0 && offset == file->size)
    {
      end_file (lane, NULL);
      return;
    }
  /* What is whole with another length is another file. */
  if (offset >= file->size || g_strcmp0 (whole, "?1") == 0)
    offset = 0;
  lane->n_stalled = offset > lane->offset || lane->conflict != NULL ? 0 : lane->n_stalled + 1;
  lane->offset = offset;
  g_clear_error (&lane->conflict);
  if (lane->n_stalled > MAX_REFUSALS)
    end_file (lane, g_error_new (CYC_ERROR, CYC_ERROR_UNAVAILABLE, "'%s' cannot be uploaded: %u attempts in a row "
                                 "brought none of it", file->name, lane->n_stalled));
  else
    send_file (lane);
}

/* How much of the file has the engine got? */
static void
ask_offset (CycRemoteLane *lane)
{
  g_autofree char *path = make_path (lane);

  _cyc_remote_link_send_async (lane->import->workspace->link, _cyc_remote_request_new ("HEAD", path),
                               lane->import->cancellable, offset_cb, lane);
}

static void
checksum_thread (GTask        *task,
                 gpointer      source,
                 gpointer      data,
                 GCancellable *cancellable)
{
  CycUploadFile *file = data;
  g_autoptr (GError) error = NULL;

  file->checksum = cyc_upload_make_checksum (file->path, file->size, cancellable, &error);
  if (file->checksum != NULL)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static void
checksum_cb (GObject      *source,
             GAsyncResult *result,
             gpointer      user_data)
{
  CycRemoteLane *lane = user_data;
  g_autoptr (GError) error = NULL;

  if (g_task_propagate_boolean (G_TASK (result), &error))
    send_file (lane);
  else
    end_file (lane, g_steal_pointer (&error));
}

static void
begin_file (CycRemoteLane *lane,
            GTask         *task)
{
  CycRemoteImport *self = lane->import;
  g_autoptr (GTask) work = g_task_new (NULL, self->cancellable, checksum_cb, lane);

  lane->file = g_ptr_array_index (self->files, self->n_begun);
  lane->task = g_object_ref (task);
  self->n_begun++;
  g_task_set_source_tag (work, begin_file);
  g_task_set_task_data (work, lane->file, NULL);
  cyc_task_run_in_thread (work, checksum_thread);
}

/* The first goes alone: with it the engine says whether there can be such a trace. */
static void
begin_files (CycRemoteImport *self,
             GTask           *task)
{
  guint n_lanes = self->n_done == 0 ? 1 : CYC_REMOTE_UPLOAD_LANES;

  if (self->failure == NULL)
    g_cancellable_set_error_if_cancelled (self->cancellable, &self->failure);
  for (guint i = 0; i < n_lanes && self->failure == NULL && self->n_begun < self->files->len; i++)
    if (self->lanes[i].file == NULL)
      begin_file (&self->lanes[i], task);
  if (!is_busy (self))
    upload_over (self, task);
}

/* The list */

static gboolean
progress_cb (gpointer user_data)
{
  CycRemoteImport *self = g_task_get_task_data (user_data);
  CycImportProgress progress = {
    .bytes_done = self->bytes_done,
    .bytes_total = self->bytes_total,
    .files_done = self->n_done,
    .files_total = self->files->len,
  };

  for (guint i = 0; i < CYC_REMOTE_UPLOAD_LANES; i++)
    progress.bytes_done += self->lanes[i].offset + self->lanes[i].sent;
  progress.bytes_done = MIN (progress.bytes_done, progress.bytes_total);
  self->progress (&progress, self->progress_data);
  return G_SOURCE_CONTINUE;
}

static void
list_thread (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;
  GPtrArray *files = cyc_upload_list_new (data, cancellable, &error);

  if (files != NULL)
    g_task_return_pointer (task, files, (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static void
listed_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr (GTask) task = user_data;
  CycRemoteImport *self = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  self->files = g_task_propagate_pointer (G_TASK (result), &error);
  if (self->files == NULL)
    {
      _cyc_remote_import_take_back (self, task, g_steal_pointer (&error));
      return;
    }
  for (guint i = 0; i < self->files->len; i++)
    self->bytes_total += ((CycUploadFile *) g_ptr_array_index (self->files, i))->size;
  if (self->progress != NULL)
    self->source = g_timeout_add_full (G_PRIORITY_DEFAULT, PROGRESS_MS, progress_cb, g_object_ref (task),
                                       g_object_unref);
  begin_files (self, task);
}

/* Uploads what is in the scratch folder, then completes the trace. */
void
_cyc_remote_upload_start (CycRemoteImport *self,
                          GTask           *task)
{
  g_autoptr (GTask) work = g_task_new (NULL, self->cancellable, listed_cb, g_object_ref (task));

  for (guint i = 0; i < CYC_REMOTE_UPLOAD_LANES; i++)
    self->lanes[i].import = self;
  g_task_set_source_tag (work, _cyc_remote_upload_start);
  g_task_set_task_data (work, g_strdup (self->scratch), g_free);
  cyc_task_run_in_thread (work, list_thread);
}
