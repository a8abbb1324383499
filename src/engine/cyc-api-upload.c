/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-api-upload.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-file.h"
#include "core/base/cyc-task.h"
#include "core/base/cyc-util.h"

#define PREFIX ".cyc-upload-"
#define SUFFIX ".part"

/* Of uploads that can go on later: the name of the file follows. */
#define KEPT_PREFIX PREFIX "of-"
#define MAX_KEPT_NAME 200

#define MAX_DEPTH 64

/* How often the free space is asked for again, in bytes written. */
#define SPACE_CHECK_STEP (16 * 1024 * 1024)

/* A file no larger than this is held in memory and written by the thread that puts it on disk: the
 * main loop does not wait for the file system. */
#define HELD_BYTES (256 * 1024)

struct _CycApiUpload
{
  char    *target;
  char    *folder;
  char    *path;     /* NULL before the file is there, and once it is in its place */
  int      fd;
  GByteArray *held;  /* what is not written yet, while the file is not there */
  guint64  size;
  guint64  max_bytes;
  guint64  reserve;
  guint64  next_check;
  char    *sha256;   /* what the whole file must have, in small letters; or NULL */
  gboolean kept;     /* what has come stays when the upload breaks off, so that it can go on there */
  guint64  total;    /* of a kept one: how long the whole file is */
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

/* Whether the file that is open still has its name: an upload that was quicker may have taken that away, or all
 * of the folder gone. */
static gboolean
has_path (CycApiUpload *self)
{
  struct stat opened, there;

  return fstat (self->fd, &opened) == 0 && lstat (self->path, &there) == 0 &&
         opened.st_dev == there.st_dev && opened.st_ino == there.st_ino;
}

/**
 * cyc_api_upload_free:
 * @self: (transfer full): an upload
 *
 * Closes the file, and deletes it unless it is in its place or can go on later. Any thread.
 */
void
cyc_api_upload_free (CycApiUpload *self)
{
  g_return_if_fail (self != NULL);

  /* First, as the lock goes with the file. */
  if (self->path != NULL && !self->kept && (self->fd < 0 || has_path (self)))
    unlink (self->path);
  if (self->fd >= 0)
    close (self->fd);
  g_free (self->sha256);
  g_clear_pointer (&self->held, g_byte_array_unref);
  g_free (self->target);
  g_free (self->folder);
  g_free (self->path);
  g_free (self);
}

/* Where what has come of a file is kept. */
static char *
get_kept_path (const char *target)
{
  g_autofree char *folder = g_path_get_dirname (target);
  g_autofree char *name = g_path_get_basename (target);

  if (strlen (name) > MAX_KEPT_NAME)
    {
      g_autofree char *hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, name, -1);
      g_free (name);
      name = g_steal_pointer (&hash);
    }
  return g_strdup_printf ("%s/" KEPT_PREFIX "%s" SUFFIX, folder, name);
}

/**
 * cyc_api_upload_set_checksum:
 * @self: an upload with nothing written yet
 * @sha256: SHA-256 that the whole file must have: 64 hexadecimal digits
 * @error: (nullable): return location for %CYC_ERROR_INPUT
 *
 * Returns: %TRUE if that is one
 */
gboolean
cyc_api_upload_set_checksum (CycApiUpload  *self,
                             const char    *sha256,
                             GError       **error)
{
  g_return_val_if_fail (self != NULL && sha256 != NULL, FALSE);

  if (strlen (sha256) != 64 || strspn (sha256, "0123456789abcdefABCDEF") != 64)
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, NULL, 0,
                        "X-Checksum-Sha256: expected 64 hexadecimal digits");
      return FALSE;
    }
  g_free (self->sha256);
  self->sha256 = g_ascii_strdown (sha256, -1);
  return TRUE;
}

/* One upload of a file at a time: the other may be a connection that is dead and not closed yet. */
static gboolean
lock_part (CycApiUpload  *self,
           GError       **error)
{
  struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

  if (fcntl (self->fd, F_OFD_SETLK, &lock) == 0)
    return TRUE;
  cyc_error_set_at (error, CYC_ERROR_STATE, NULL, 0,
                    "another upload of this file is under way; try again when it has ended");
  return FALSE;
}

/* Opens and locks what is kept, if it is there. The upload that had the lock before may have made the whole file
 * of it since it was opened: that one is not touched. */
static gboolean
open_part (CycApiUpload  *self,
           gboolean       create,
           GError       **error)
{
  while (TRUE)
    {
      self->fd = open (self->path, O_RDWR | (create ? O_CREAT : 0) | O_NOFOLLOW | O_CLOEXEC, 0666);
      if (self->fd < 0 && errno == ENOENT)
        return TRUE;
      if (self->fd < 0)
        {
          cyc_error_set_errno (error, errno, self->target, "cannot write");
          return FALSE;
        }
      if (!lock_part (self, error))
        return FALSE;
      if (has_path (self))
        return TRUE;
      close (g_steal_fd (&self->fd));
    }
}

/**
 * cyc_api_upload_resume:
 * @self: an upload with nothing written yet
 * @first: where in the file the bytes to come belong
 * @total: how long the whole file is; %G_MAXUINT64 if that is not known yet
 * @error: (nullable): return location for %CYC_ERROR_STATE if there is a gap
 *
 * Makes it a part of a file that comes in parts. What has come is kept when it breaks off, up to @first: 0
 * begins anew.
 *
 * Returns: %TRUE if it goes on there
 */
gboolean
cyc_api_upload_resume (CycApiUpload  *self,
                       guint64        first,
                       guint64        total,
                       GError       **error)
{
  g_return_val_if_fail (self != NULL && self->fd < 0 && self->size == 0, FALSE);

  struct stat st;
  self->path = get_kept_path (self->target);
  self->kept = TRUE;
  if (!open_part (self, first == 0, error))
    return FALSE;
  guint64 have = self->fd >= 0 && fstat (self->fd, &st) == 0 ? (guint64) st.st_size : 0;
  if (first > have)
    {
      cyc_error_set_at (error, CYC_ERROR_STATE, NULL, 0,
                        "%" G_GUINT64_FORMAT " bytes of the file have come; go on there", have);
      return FALSE;
    }
  /* What came beyond that comes again. */
  if (first < have && ftruncate (self->fd, (off_t) first) != 0)
    {
      cyc_error_set_errno (error, errno, self->target, "cannot write");
      return FALSE;
    }
  self->total = total;
  self->size = first;
  self->next_check = first;
  lseek (self->fd, (off_t) first, SEEK_SET);
  g_clear_pointer (&self->held, g_byte_array_unref);
  return TRUE;
}

/**
 * cyc_api_upload_is_whole:
 * @self: an upload whose body has come
 *
 * Returns: %TRUE if the file is whole with that
 */
gboolean
cyc_api_upload_is_whole (CycApiUpload *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return !self->kept || self->size == self->total;
}

/**
 * cyc_api_upload_find_offset:
 * @target: where a file will go, or is
 * @out_whole: (out): whether it is there
 *
 * Returns: how many bytes of it have come
 */
guint64
cyc_api_upload_find_offset (const char *target,
                            gboolean   *out_whole)
{
  g_return_val_if_fail (target != NULL && out_whole != NULL, 0);

  g_autofree char *kept = get_kept_path (target);
  struct stat st;
  *out_whole = FALSE;
  if (lstat (kept, &st) == 0 && S_ISREG (st.st_mode))
    return (guint64) st.st_size;
  *out_whole = lstat (target, &st) == 0 && S_ISREG (st.st_mode);
  return *out_whole ? (guint64) st.st_size : 0;
}

static char *
find_part (const char *folder,
           guint       depth)
{
  g_autoptr (GDir) dir = depth > MAX_DEPTH ? NULL : g_dir_open (folder, 0, NULL);
  const char *name;
  char *found = NULL;

  while (found == NULL && dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      struct stat st;
      if (lstat (path, &st) != 0)
        continue;
      if (S_ISDIR (st.st_mode))
        found = find_part (path, depth + 1);
      else if (cyc_api_upload_is_kept_name (name))
        found = g_strndup (name + strlen (KEPT_PREFIX), strlen (name) - strlen (KEPT_PREFIX SUFFIX));
    }
  return found;
}

/**
 * cyc_api_upload_find_part:
 * @folder: a folder
 *
 * Returns: (transfer full) (nullable): the name of a file, in it or below, of which only a part has come. Any
 *   thread
 */
char *
cyc_api_upload_find_part (const char *folder)
{
  g_return_val_if_fail (folder != NULL, NULL);

  return find_part (folder, 0);
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
  self->fd = open (path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
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

  return check_size (self, self->size + size, error) && check_space (self, size, error) &&
         (size <= HELD_BYTES || self->fd >= 0 || make_file (self, size, error));
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

/* Reads the file again: it may have come in parts, to other engines. */
static gboolean
check_sum (CycApiUpload  *self,
           GError       **error)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree guchar *bytes = self->sha256 == NULL ? NULL : g_malloc (HELD_BYTES);
  ssize_t n = 1;

  if (self->sha256 == NULL)
    return TRUE;
  for (off_t at = 0; n > 0; at += n)
    {
      do
        n = pread (self->fd, bytes, HELD_BYTES, at);
      while (n < 0 && errno == EINTR);
      g_checksum_update (checksum, bytes, MAX (n, 0));
    }
  if (n < 0)
    cyc_error_set_errno (error, errno, NULL, "cannot read the file again");
  else if (strcmp (g_checksum_get_string (checksum), self->sha256) == 0)
    return TRUE;
  else
    cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0,
                      "X-Checksum-Sha256: what came has %s; send the file again",
                      g_checksum_get_string (checksum));
  return FALSE;
}

static gboolean
finish_file (CycApiUpload  *self,
             GError       **error)
{
  if (self->held != NULL && !make_file (self, self->size, error))
    return FALSE;
  if (fsync (self->fd) != 0)
    {
      cyc_error_set_errno (error, errno, NULL, "cannot put the file on disk");
      return FALSE;
    }
  if (cyc_api_upload_is_whole (self) && !check_sum (self, error))
    {
      /* None of it can be trusted: the next upload begins anew. */
      self->kept = FALSE;
      return FALSE;
    }
  /* A whole one is locked until it is in its place: nobody is to begin it anew. */
  if (self->kept && cyc_api_upload_is_whole (self))
    return TRUE;
  if (close (g_steal_fd (&self->fd)) == 0)
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
 * Puts the content on disk, on a thread.
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
  cyc_task_run_in_thread (task, finish_thread);
}

/**
 * cyc_api_upload_sync_finish:
 * @self: an upload
 * @result: what the callback got
 * @error: (nullable): return location for an error
 *
 * Returns: %TRUE if the content is on disk
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
 * cyc_api_upload_get_path:
 * @self: an upload
 *
 * Returns: (nullable): the temporary file; %NULL once it is in its place
 */
const char *
cyc_api_upload_get_path (CycApiUpload *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->path;
}

/**
 * cyc_api_upload_commit:
 * @self: an upload that is whole and on disk
 * @error: (nullable): return location for an error; %CYC_ERROR_STATE if the file came otherwise in between
 *
 * Moves the file to its place, replacing what is there, and puts the folder's entry on disk. Any thread, but one
 * at a time.
 *
 * Returns: %TRUE when the file is in place for good
 */
gboolean
cyc_api_upload_commit (CycApiUpload  *self,
                       GError       **error)
{
  g_return_val_if_fail (self != NULL && self->path != NULL && cyc_api_upload_is_whole (self), FALSE);

  if (self->kept && !has_path (self))
    {
      cyc_error_set_at (error, CYC_ERROR_STATE, NULL, 0,
                        "the file came otherwise in between, or was removed; send it again if it is still wanted");
      return FALSE;
    }
  if (rename (self->path, self->target) != 0)
    {
      cyc_error_set_errno (error, errno, self->target, "cannot write");
      return FALSE;
    }
  g_clear_pointer (&self->path, g_free);
  /* What is kept of an upload in parts, if this one came otherwise. */
  g_autofree char *part = get_kept_path (self->target);
  if (!self->kept)
    unlink (part);
  if (self->fd >= 0)
    close (g_steal_fd (&self->fd));
  return cyc_file_sync_folder (self->folder, error);
}

/**
 * cyc_api_upload_refuse:
 * @self: an upload
 *
 * It cannot go on later: nothing of it is kept.
 */
void
cyc_api_upload_refuse (CycApiUpload *self)
{
  g_return_if_fail (self != NULL);

  self->kept = FALSE;
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

/**
 * cyc_api_upload_is_kept_name:
 * @name: the name of a file in a workspace
 *
 * Returns: %TRUE if it is an unfinished upload that can go on, after a restart of the engine as well
 */
gboolean
cyc_api_upload_is_kept_name (const char *name)
{
  g_return_val_if_fail (name != NULL, FALSE);

  return g_str_has_prefix (name, KEPT_PREFIX) && g_str_has_suffix (name, SUFFIX);
}
