/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-api-upload.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-file.h"
#include "core/base/cyc-util.h"

#define PREFIX ".cyc-upload-"
#define SUFFIX ".part"

/* How often the free space is asked for again, in bytes written. */
#define SPACE_CHECK_STEP (16 * 1024 * 1024)

/* A file no larger than this is held in memory and written by the thread that puts it on disk: the
 * main loop does not wait for the file system. */
#define HELD_BYTES (256 * 1024)

struct _CycApiUpload
{
  char    *target;
  char    *folder;
  char    *path;     /* NULL before the file is there, and once stolen */
  int      fd;
  GByteArray *held;  /* what is not written yet, while the file is not there */
  guint64  size;
  guint64  max_bytes;
  guint64  reserve;
  guint64  next_check;
};

/**
 * cyc_api_upload_new:
 * @target: where the file will go; its folder exists
 * @max_bytes: refuse more
 * @reserve: bytes that must stay free on the file system
 *
 * The temporary file is `.cyc-upload-….part` in the folder of @target.
 *
 * Returns: (transfer full): an upload
 */
CycApiUpload *
cyc_api_upload_new (const char *target,
                    guint64     max_bytes,
                    guint64     reserve)
{
  g_return_val_if_fail (target != NULL, NULL);

  CycApiUpload *self = g_new0 (CycApiUpload, 1);
  self->target = g_strdup (target);
  self->folder = g_path_get_dirname (target);
  self->fd = -1;
  self->held = g_byte_array_new ();
  self->max_bytes = max_bytes;
  self->reserve = reserve;
  return self;
}

/**
 * cyc_api_upload_free:
 * @self: (transfer full): an upload
 *
 * Closes the file, and deletes it unless its path was taken.
 */
void
cyc_api_upload_free (CycApiUpload *self)
{
  g_return_if_fail (self != NULL);

  if (self->fd >= 0)
    close (self->fd);
  if (self->path != NULL)
    unlink (self->path);
  g_clear_pointer (&self->held, g_byte_array_unref);
  g_free (self->target);
  g_free (self->folder);
  g_free (self->path);
  g_free (self);
}

static gboolean
check_space (CycApiUpload  *self,
             guint64        more,
             GError       **error)
{
  guint64 available;

  if (!cyc_file_get_free (self->folder, &available, error))
    return FALSE;
  if (available >= self->reserve && available - self->reserve >= more)
    return TRUE;
  cyc_error_set_at (error, CYC_ERROR_NO_SPACE, NULL, 0,
                    "the disk of the workspace is almost full: %" G_GUINT64_FORMAT
                    " bytes more do not fit; free some space and try again", more);
  return FALSE;
}

static gboolean
check_size (CycApiUpload  *self,
            guint64        size,
            GError       **error)
{
  if (size <= self->max_bytes)
    return TRUE;
  cyc_error_set_at (error, CYC_ERROR_TOO_LARGE, NULL, 0,
                    "the file has more than %" G_GUINT64_FORMAT " bytes", self->max_bytes);
  return FALSE;
}

static gboolean
write_bytes (CycApiUpload  *self,
             const void    *bytes,
             gsize          len,
             GError       **error)
{
  if (cyc_file_write_all (self->fd, bytes, len))
    return TRUE;
  cyc_error_set_errno (error, errno, NULL, "cannot write the file");
  return FALSE;
}

/* Creates the file and writes what was held. */
static gboolean
make_file (CycApiUpload  *self,
           guint64        expected,
           GError       **error)
{
  g_autoptr (GByteArray) held = g_steal_pointer (&self->held);
  g_autofree char *random = cyc_random_hex (8);
  g_autofree char *path = g_strdup_printf ("%s/" PREFIX "%s" SUFFIX, self->folder, random);

  if (!check_space (self, MAX (expected, held->len), error))
    return FALSE;
  self->next_check = held->len + SPACE_CHECK_STEP;
  self->fd = open (path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (self->fd < 0)
    {
      cyc_error_set_errno (error, errno, self->target, "cannot write");
      return FALSE;
    }
  self->path = g_steal_pointer (&path);
  return write_bytes (self, held->data, held->len, error);
}

/**
 * cyc_api_upload_announce:
 * @self: an upload with nothing written yet
 * @size: how many bytes will come
 * @error: (nullable): return location for %CYC_ERROR_TOO_LARGE or %CYC_ERROR_NO_SPACE
 *
 * Returns: %TRUE if they may
 */
gboolean
cyc_api_upload_announce (CycApiUpload  *self,
                         guint64        size,
                         GError       **error)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return check_size (self, size, error) && check_space (self, size, error) &&
         (size <= HELD_BYTES || make_file (self, size, error));
}

/**
 * cyc_api_upload_write:
 * @self: an upload
 * @bytes: (array length=len): the next bytes
 * @len: how many
 * @error: (nullable): return location for %CYC_ERROR_TOO_LARGE or %CYC_ERROR_NO_SPACE
 *
 * Returns: %TRUE if they are written
 */
gboolean
cyc_api_upload_write (CycApiUpload  *self,
                      const void    *bytes,
                      gsize          len,
                      GError       **error)
{
  g_return_val_if_fail (self != NULL, FALSE);

  if (!check_size (self, self->size + len, error))
    return FALSE;
  if (self->held != NULL && self->size + len <= HELD_BYTES)
    {
      g_byte_array_append (self->held, bytes, (guint) len);
      self->size += len;
      return TRUE;
    }
  if (self->held != NULL && !make_file (self, self->size + len, error))
    return FALSE;
  if (self->size + len > self->next_check)
    {
      if (!check_space (self, len, error))
        return FALSE;
      self->next_check = self->size + len + SPACE_CHECK_STEP;
    }
  if (!write_bytes (self, bytes, len, error))
    return FALSE;
  self->size += len;
  return TRUE;
}

static gboolean
finish_file (CycApiUpload  *self,
             GError       **error)
{
  if (self->held != NULL && !make_file (self, self->size, error))
    return FALSE;
  if (fsync (self->fd) == 0 && close (g_steal_fd (&self->fd)) == 0)
    return TRUE;
  cyc_error_set_errno (error, errno, NULL, "cannot put the file on disk");
  return FALSE;
}

static void
finish_thread (GTask        *task,
               gpointer      source_object,
               gpointer      task_data,
               GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;

  if (finish_file (task_data, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

/**
 * cyc_api_upload_sync_async:
 * @self: a complete upload; must live until @callback runs
 * @callback: runs when the file is on disk
 * @user_data: for @callback
 *
 * Puts the content on disk and closes the file, on a thread.
 */
void
cyc_api_upload_sync_async (CycApiUpload        *self,
                           GAsyncReadyCallback  callback,
                           gpointer             user_data)
{
  g_return_if_fail (self != NULL && (self->held != NULL || self->fd >= 0));

  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);
  g_task_set_source_tag (task, cyc_api_upload_sync_async);
  g_task_set_task_data (task, self, NULL);
  g_task_run_in_thread (task, finish_thread);
}

/**
 * cyc_api_upload_sync_finish:
 * @self: an upload
 * @result: what the callback got
 * @error: (nullable): return location for an error
 *
 * Returns: %TRUE if the content is on disk and the file closed
 */
gboolean
cyc_api_upload_sync_finish (CycApiUpload  *self,
                            GAsyncResult  *result,
                            GError       **error)
{
  g_return_val_if_fail (self != NULL && g_task_is_valid (result, NULL), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * cyc_api_upload_get_target:
 * @self: an upload
 *
 * Returns: where the file will go
 */
const char *
cyc_api_upload_get_target (CycApiUpload *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->target;
}

/**
 * cyc_api_upload_get_size:
 * @self: an upload
 *
 * Returns: bytes written so far
 */
guint64
cyc_api_upload_get_size (CycApiUpload *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->size;
}

/**
 * cyc_api_upload_steal_path:
 * @self: an upload
 *
 * Returns: (transfer full): the temporary file, which is the caller's now
 */
char *
cyc_api_upload_steal_path (CycApiUpload *self)
{
  g_return_val_if_fail (self != NULL && self->path != NULL, NULL);

  return g_steal_pointer (&self->path);
}

/**
 * cyc_api_upload_is_part_name:
 * @name: the name of a file in a workspace
 *
 * Returns: %TRUE if it is an unfinished upload: to be ignored, and deleted when the engine starts
 */
gboolean
cyc_api_upload_is_part_name (const char *name)
{
  g_return_val_if_fail (name != NULL, FALSE);

  return g_str_has_prefix (name, PREFIX) && g_str_has_suffix (name, SUFFIX);
}
