/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-remote-import-private.h"

#include <string.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-number.h"
#include "core/base/cyc-task.h"
#include "engine/cyc-upload-list.h"

/* Uploads the files of a trace, one after the other. A file whose connection is lost goes on where the engine says
 * that it has got to; the engine compares what it has in the end with the checksum of the whole. */

#define PROGRESS_MS 100
#define AGAIN_MS 500
/* A disk that is full may get room, and an engine that is stopping come back, but not for ever. */
#define MAX_REFUSALS 10
/* After that the engine has seen the head of a request. */
#define SEEN_US (2 * G_USEC_PER_SEC)

static void next_file (CycRemoteImport *self,
                       GTask           *task);
static void ask_offset (CycRemoteImport *self,
                        GTask           *task);
static void send_file (CycRemoteImport *self,
                       GTask           *task);

static CycUploadFile *
get_file (CycRemoteImport *self)
{
  return g_ptr_array_index (self->files, self->n_done);
}

static char *
make_path (CycRemoteImport *self)
{
  g_autofree char *escaped = g_uri_escape_string (get_file (self)->name, "/", FALSE);
  g_autofree char *rest = g_strconcat ("/files/", escaped, NULL);

  return _cyc_remote_path ("traces", self->id, rest);
}

static void
fail (CycRemoteImport *self,
      GTask           *task,
      GError          *error)
{
  _cyc_remote_import_take_back (self, task, error);
}

/* Returns TRUE if it was cancelled, and is being taken back. */
static gboolean
is_cancelled (CycRemoteImport *self,
              GTask           *task)
{
  g_autoptr (GError) error = NULL;

  if (!g_cancellable_set_error_if_cancelled (self->cancellable, &error))
    return FALSE;
  fail (self, task, g_steal_pointer (&error));
  return TRUE;
}

/* There is no connection just now. */

typedef struct
{
  CycRemoteImport *self;
  GTask           *task;
} Again;

static gboolean
again_cb (gpointer data)
{
  Again *again = data;
  CycRemoteImport *self = again->self;
  CycConnection connection = cyc_workspace_get_connection (CYC_WORKSPACE (self->workspace));

  if (!g_cancellable_is_cancelled (self->cancellable)
      && (self->workspace->link == NULL || connection != CYC_CONNECTION_LIVE))
    return G_SOURCE_CONTINUE;
  if (!is_cancelled (self, again->task))
    ask_offset (self, again->task);
  return G_SOURCE_REMOVE;
}

static void
again_free (gpointer data)
{
  Again *again = data;

  g_object_unref (again->task);
  g_free (again);
}

static void
go_on_later (CycRemoteImport *self,
             GTask           *task)
{
  Again *again = g_new0 (Again, 1);

  self->sent = 0;
  again->self = self;
  again->task = g_object_ref (task);
  g_timeout_add_full (G_PRIORITY_DEFAULT, AGAIN_MS, again_cb, again, again_free);
}

/* An answer that is none, or a refusal that may pass. */
static void
not_now (CycRemoteImport *self,
         GTask           *task,
         GError          *error)
{
  if (is_cancelled (self, task))
    g_error_free (error);
  else if (self->n_refused > MAX_REFUSALS || !g_error_matches (error, CYC_ERROR, CYC_ERROR_UNAVAILABLE))
    fail (self, task, error);
  else
    {
      g_error_free (error);
      go_on_later (self, task);
    }
}

/* One file */

static void
file_done (CycRemoteImport *self,
           GTask           *task)
{
  self->bytes_done += get_file (self)->size;
  self->n_done++;
  self->offset = self->sent = 0;
  self->n_refused = self->n_stalled = 0;
  next_file (self, task);
}

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
  g_autoptr (GTask) task = user_data;
  CycRemoteImport *self = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (CycRemoteReply) reply = _cyc_remote_channel_send_finish (CYC_REMOTE_CHANNEL (source), result, &error);
  GError *refusal = reply == NULL ? NULL : get_refusal (reply);

  g_clear_handle_id (&self->patience, g_source_remove);
  if (reply == NULL)
    {
      not_now (self, task, g_steal_pointer (&error));
      return;
    }
  if (refusal == NULL)
    {
      file_done (self, task);
      return;
    }
  self->n_refused++;
  /* A part that does not fit what is there, or that a broken connection still brings: the engine says where to go
   * on. */
  if (reply->status == 409 && self->n_refused <= MAX_REFUSALS)
    {
      g_error_free (refusal);
      go_on_later (self, task);
    }
  else
    not_now (self, task, refusal);
}

/* The first file of a trace makes it: a request that is taken back before the engine has seen it could make it
 * anew after it was removed. A short one comes to its end, a long one is cut off after a while. */
static gboolean
patience_cb (gpointer data)
{
  CycRemoteImport *self = data;

  if (g_cancellable_is_cancelled (self->cancellable) && g_get_monotonic_time () - self->started > SEEN_US)
    g_cancellable_cancel (self->request);
  return G_SOURCE_CONTINUE;
}

static void
send_file (CycRemoteImport *self,
           GTask           *task)
{
  const CycUploadFile *file = get_file (self);
  g_autofree char *path = make_path (self);

  if (is_cancelled (self, task))
    return;
  if (self->workspace->link == NULL)
    {
      go_on_later (self, task);
      return;
    }
  CycRemoteRequest *request = _cyc_remote_request_new ("PUT", path);
  request->content_type = "application/octet-stream";
  request->file = g_strdup (file->path);
  request->offset = self->offset;
  request->length = file->size - self->offset;
  request->sent = &self->sent;
  self->sent = 0;
  _cyc_remote_request_add_header (request, "X-Checksum-Sha256", file->checksum);
  /* As a part, which may be all: what comes of it is kept when the connection breaks. */
  if (file->size > 0)
    {
      g_autofree char *range = g_strdup_printf ("bytes %" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT "/%" G_GUINT64_FORMAT,
                                                self->offset, file->size - 1, file->size);
      _cyc_remote_request_add_header (request, "Content-Range", range);
    }
  /* The answer may be lost: from now on there can be something to take back. */
  self->begun = TRUE;
  g_clear_object (&self->request);
  self->request = g_cancellable_new ();
  self->started = g_get_monotonic_time ();
  self->patience = g_timeout_add (PROGRESS_MS, patience_cb, self);
  _cyc_remote_link_send_async (self->workspace->link, request, self->request, sent_cb, g_object_ref (task));
}

static void
offset_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr (GTask) task = user_data;
  CycRemoteImport *self = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (CycRemoteReply) reply = _cyc_remote_channel_send_finish (CYC_REMOTE_CHANNEL (source), result, &error);
  const char *text = reply == NULL ? NULL : soup_message_headers_get_one (reply->headers, "Upload-Offset");
  const char *whole = reply == NULL ? NULL : soup_message_headers_get_one (reply->headers, "Upload-Complete");
  const CycUploadFile *file = get_file (self);
  guint64 offset = 0;

  if (reply == NULL)
    {
      not_now (self, task, g_steal_pointer (&error));
      return;
    }
  if (SOUP_STATUS_IS_SUCCESSFUL (reply->status) && text != NULL)
    cyc_number_parse_uint64 (text, strlen (text), &offset);
  if (SOUP_STATUS_IS_SUCCESSFUL (reply->status) && g_strcmp0 (whole, "?1") == 0 && offset == file->size)
    {
      file_done (self, task);
      return;
    }
  /* What is whole with another length is another file. */
  if (offset >= file->size || g_strcmp0 (whole, "?1") == 0)
    offset = 0;
  self->n_stalled = offset > self->offset ? 0 : self->n_stalled + 1;
  self->offset = offset;
  if (self->n_stalled > MAX_REFUSALS)
    fail (self, task, g_error_new (CYC_ERROR, CYC_ERROR_UNAVAILABLE, "'%s' cannot be uploaded: %u attempts in a row "
                                   "brought none of it", file->name, self->n_stalled));
  else
    send_file (self, task);
}

/* How much of the file has the engine got? */
static void
ask_offset (CycRemoteImport *self,
            GTask           *task)
{
  g_autofree char *path = make_path (self);

  _cyc_remote_link_send_async (self->workspace->link, _cyc_remote_request_new ("HEAD", path), self->cancellable,
                               offset_cb, g_object_ref (task));
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
  g_autoptr (GTask) task = user_data;
  CycRemoteImport *self = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  if (g_task_propagate_boolean (G_TASK (result), &error))
    send_file (self, task);
  else
    fail (self, task, g_steal_pointer (&error));
}

static void
next_file (CycRemoteImport *self,
           GTask           *task)
{
  if (is_cancelled (self, task))
    return;
  if (self->n_done == self->files->len)
    {
      _cyc_remote_import_complete (self, task);
      return;
    }
  g_autoptr (GTask) work = g_task_new (NULL, self->cancellable, checksum_cb, g_object_ref (task));
  g_task_set_source_tag (work, next_file);
  g_task_set_task_data (work, get_file (self), NULL);
  cyc_task_run_in_thread (work, checksum_thread);
}

/* The list */

static gboolean
progress_cb (gpointer user_data)
{
  CycRemoteImport *self = g_task_get_task_data (user_data);
  const CycImportProgress progress = {
    .bytes_done = MIN (self->bytes_done + self->offset + self->sent, self->bytes_total),
    .bytes_total = self->bytes_total,
    .files_done = self->n_done,
    .files_total = self->files->len,
  };

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
      fail (self, task, g_steal_pointer (&error));
      return;
    }
  for (guint i = 0; i < self->files->len; i++)
    self->bytes_total += ((CycUploadFile *) g_ptr_array_index (self->files, i))->size;
  if (self->progress != NULL)
    self->source = g_timeout_add_full (G_PRIORITY_DEFAULT, PROGRESS_MS, progress_cb, g_object_ref (task),
                                       g_object_unref);
  next_file (self, task);
}

/* Uploads what is in the scratch folder, then completes the trace. */
void
_cyc_remote_upload_start (CycRemoteImport *self,
                          GTask           *task)
{
  g_autoptr (GTask) work = g_task_new (NULL, self->cancellable, listed_cb, g_object_ref (task));

  g_task_set_source_tag (work, _cyc_remote_upload_start);
  g_task_set_task_data (work, g_strdup (self->scratch), g_free);
  cyc_task_run_in_thread (work, list_thread);
}
