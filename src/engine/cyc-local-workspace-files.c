/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-local-workspace-private.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-file-writer.h"
#include "core/base/cyc-name.h"
#include "core/base/cyc-task.h"

#define COPY_SIZE (256 * 1024)

/* What the simulations of a run left: listed, and copied out. */

static void
files_cb (GObject      *source,
          GAsyncResult *result,
          gpointer      user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;
  GPtrArray *files = cyc_engine_query_files_finish (g_task_get_task_data (task), result, &error);

  if (files != NULL)
    g_task_return_pointer (task, files, (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

void
_cyc_local_workspace_load_files (CycWorkspace *workspace,
                                 const char   *run_id,
                                 GTask        *task)
{
  g_autoptr (GTask) owned = task;
  g_autoptr (GError) error = NULL;
  CycEngine *engine = _cyc_local_workspace_begin (workspace, task, FALSE);

  if (engine == NULL)
    return;
  if (cyc_engine_find_run (engine, run_id, &error) == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  g_task_set_task_data (task, g_object_ref (engine), g_object_unref);
  cyc_engine_query_files (engine, run_id, files_cb, g_steal_pointer (&owned));
}

typedef struct
{
  char    *path;
  GFile   *target;
  guint64  length; /* G_MAXUINT64: all of it */
} Copy;

static void
copy_free (gpointer data)
{
  Copy *self = data;

  g_free (self->path);
  g_object_unref (self->target);
  g_free (self);
}

/* Where a copy goes: a file of this machine, or one of another, as far as its protocol allows. */
typedef struct
{
  CycFileWriter     *file;
  GFileOutputStream *stream;
  gboolean           is_new; /* of the stream: there was no such file */
} Out;

static gboolean
out_open (Out           *self,
          GFile         *target,
          GCancellable  *cancellable,
          GError       **error)
{
  const char *path = g_file_peek_path (target);

  if (path != NULL)
    {
      self->file = cyc_file_writer_open (path, error);
      return self->file != NULL;
    }
  self->is_new = !g_file_query_exists (target, cancellable);
  self->stream = g_file_replace (target, NULL, FALSE, G_FILE_CREATE_REPLACE_DESTINATION, cancellable, error);
  return self->stream != NULL;
}

static gboolean
out_write (Out           *self,
           const char    *bytes,
           gsize          len,
           GCancellable  *cancellable,
           GError       **error)
{
  if (self->file == NULL)
    return g_output_stream_write_all (G_OUTPUT_STREAM (self->stream), bytes, len, NULL, cancellable, error);
  return !g_cancellable_set_error_if_cancelled (cancellable, error) &&
         cyc_file_writer_write (self->file, bytes, len, error);
}

/* Puts the copy in its place, or leaves there what was there. */
static gboolean
out_close (Out           *self,
           GFile         *target,
           gboolean       ok,
           GCancellable  *cancellable,
           GError       **error)
{
  if (self->file != NULL)
    {
      ok = ok && cyc_file_writer_commit (self->file, error);
      cyc_file_writer_free (self->file);
      return ok;
    }
  /* Closing with a cancelled cancellable keeps an older file. */
  g_autoptr (GCancellable) drop = g_cancellable_new ();
  g_cancellable_cancel (drop);
  if (ok)
    ok = g_output_stream_close (G_OUTPUT_STREAM (self->stream), cancellable, error);
  else
    g_output_stream_close (G_OUTPUT_STREAM (self->stream), drop, NULL);
  if (!ok && self->is_new)
    g_file_delete (target, NULL, NULL);
  g_object_unref (self->stream);
  return ok;
}

static gboolean
copy_bytes (const Copy    *self,
            int            fd,
            Out           *out,
            GCancellable  *cancellable,
            GError       **error)
{
  g_autofree char *buffer = g_malloc (COPY_SIZE);
  guint64 done = 0;

  while (done < self->length)
    {
      ssize_t n = pread (fd, buffer, (size_t) MIN (self->length - done, COPY_SIZE), (off_t) done);
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        {
          cyc_error_set_errno (error, errno, self->path, "cannot read");
          return FALSE;
        }
      if (n == 0 && self->length != G_MAXUINT64)
        {
          cyc_error_set_at (error, CYC_ERROR_FAILED, self->path, 0, "the file has got shorter");
          return FALSE;
        }
      if (n == 0)
        return TRUE;
      if (!out_write (out, buffer, (gsize) n, cancellable, error))
        return FALSE;
      done += (guint64) n;
    }
  return TRUE;
}

static gboolean
copy_open (const Copy    *self,
           int            fd,
           GCancellable  *cancellable,
           GError       **error)
{
  Out out = { 0 };

  if (!out_open (&out, self->target, cancellable, error))
    return FALSE;
  gboolean ok = copy_bytes (self, fd, &out, cancellable, error);
  return out_close (&out, self->target, ok, cancellable, error);
}

static void
copy_thread (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  const Copy *self = data;
  g_autoptr (GError) error = NULL;
  gboolean ok = FALSE;
  struct stat st;
  int fd = open (self->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

  if (fd < 0 && errno == ENOENT)
    cyc_error_set_at (&error, CYC_ERROR_NOT_FOUND, self->path, 0, "no such file");
  else if (fd < 0 || fstat (fd, &st) != 0)
    cyc_error_set_errno (&error, errno, self->path, "cannot read");
  else if (!S_ISREG (st.st_mode))
    cyc_error_set_at (&error, CYC_ERROR_INPUT, self->path, 0, "not a file");
  else
    ok = copy_open (self, fd, cancellable, &error);
  if (fd >= 0)
    close (fd);
  if (ok)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

void
_cyc_local_workspace_copy_file (CycWorkspace *workspace,
                                const char   *sim_id,
                                const char   *name,
                                GFile        *target,
                                GTask        *task)
{
  g_autoptr (GTask) owned = task;
  g_autoptr (GError) error = NULL;
  CycEngine *engine = _cyc_local_workspace_begin (workspace, task, FALSE);
  gboolean is_log = strcmp (name, "log") == 0;

  if (engine == NULL)
    return;
  if (cyc_engine_find_sim (engine, sim_id, &error) != NULL && !is_log && !cyc_name_is_output_file (name))
    cyc_error_set_at (&error, CYC_ERROR_NOT_FOUND, NULL, 0, "sim '%s' has no file '%s'", sim_id, name);
  if (error != NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  g_autofree char *folder = cyc_engine_get_sim_folder (engine, sim_id);
  Copy *self = g_new0 (Copy, 1);
  self->path = is_log ? g_build_filename (folder, "log", NULL)
                      : g_build_filename (folder, "files", name, NULL);
  self->target = g_object_ref (target);
  /* Never bytes of a log that were not acknowledged. */
  self->length = is_log ? cyc_engine_get_sim_log_bytes (engine, sim_id) : G_MAXUINT64;
  g_task_set_task_data (task, self, copy_free);
  cyc_task_run_in_thread (task, copy_thread);
}
