/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-file-save.h"

#include "core/base/cyc-file-writer.h"
#include "core/base/cyc-task.h"

/* Files that are written on a thread, and are there as a whole or not at all. */

typedef struct
{
  char            *path;
  CycFileSaveFunc  func;
  gpointer         data;
  GDestroyNotify   destroy;
  gsize           *written;     /* atomic, counted by reference as a box; NULL: nobody wants to know */
  CycFileWriter   *writer;      /* on the thread */
  GCancellable    *cancellable;
} Save;

static void
save_free (gpointer data)
{
  Save *self = data;

  if (self->destroy != NULL)
    self->destroy (self->data);
  if (self->written != NULL)
    g_atomic_rc_box_release (self->written);
  g_free (self->path);
  g_free (self);
}

static gboolean
sink_cb (const char  *bytes,
         gsize        len,
         gpointer     user_data,
         GError     **error)
{
  Save *self = user_data;

  if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return FALSE;
  if (self->written != NULL)
    g_atomic_pointer_add (self->written, (gssize) len);
  return cyc_file_writer_write (self->writer, bytes, len, error);
}

static void
save_worker (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  Save *self = data;
  g_autoptr (GError) error = NULL;

  self->cancellable = cancellable;
  self->writer = cyc_file_writer_open (self->path, &error);
  gboolean written = self->writer != NULL && self->func (self->data, sink_cb, self, cancellable, &error)
                     && cyc_file_writer_commit (self->writer, &error);
  /* What was not written leaves nothing behind. */
  g_clear_pointer (&self->writer, cyc_file_writer_free);
  if (written)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

/**
 * cyc_file_save_async:
 * @source: (type GObject): kept until it is done; the source of the result
 * @path: a file, which is written over
 * @func: says what is in it
 * @data: for @func
 * @destroy: (nullable): frees @data
 * @written: (nullable): an atomic number of bytes in a box of g_atomic_rc_box_new(): grows on the way
 * @cancellable: (nullable): ends it early
 * @callback: called when it is written
 * @user_data: for @callback
 *
 * Writes a file, on a thread. What was there stays until all is written.
 */
void
cyc_file_save_async (gpointer             source,
                     const char          *path,
                     CycFileSaveFunc      func,
                     gpointer             data,
                     GDestroyNotify       destroy,
                     gsize               *written,
                     GCancellable        *cancellable,
                     GAsyncReadyCallback  callback,
                     gpointer             user_data)
{
  g_return_if_fail (G_IS_OBJECT (source) && path != NULL && func != NULL);

  g_autoptr (GTask) task = g_task_new (source, cancellable, callback, user_data);
  Save *self = g_new0 (Save, 1);
  self->path = g_strdup (path);
  self->func = func;
  self->data = data;
  self->destroy = destroy;
  self->written = written != NULL ? g_atomic_rc_box_acquire (written) : NULL;
  g_task_set_source_tag (task, cyc_file_save_async);
  g_task_set_task_data (task, self, save_free);
  cyc_task_run_in_thread (task, save_worker);
}

/**
 * cyc_file_save_finish:
 * @result: what the callback got
 * @error: why it was not written
 *
 * Returns: whether it is there
 */
gboolean
cyc_file_save_finish (GAsyncResult  *result,
                      GError       **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, cyc_file_save_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * cyc_file_save_get_path:
 * @result: what the callback got
 *
 * Returns: (transfer none): the file
 */
const char *
cyc_file_save_get_path (GAsyncResult *result)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, cyc_file_save_async), NULL);

  const Save *self = g_task_get_task_data (G_TASK (result));
  return self->path;
}

/**
 * cyc_file_save_steal_data:
 * @result: what the callback got
 *
 * Returns: (transfer full): what was given for the function, which is not freed then
 */
gpointer
cyc_file_save_steal_data (GAsyncResult *result)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, cyc_file_save_async), NULL);

  Save *self = g_task_get_task_data (G_TASK (result));
  self->destroy = NULL;
  return g_steal_pointer (&self->data);
}
