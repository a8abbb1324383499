/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/base/cyc-file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-util.h"

/**
 * cyc_file_write_all:
 * @fd: an open file
 * @bytes: (array length=len): what to write
 * @len: how much
 *
 * Writes all bytes, however many calls it takes.
 *
 * Returns: %FALSE with `errno` set if a write failed
 */
gboolean
cyc_file_write_all (int         fd,
                    const char *bytes,
                    gsize       len)
{
  while (len > 0)
    {
      ssize_t n = write (fd, bytes, len);
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return FALSE;
      bytes += n;
      len -= (gsize) n;
    }
  return TRUE;
}

/**
 * cyc_file_sync_folder:
 * @path: a folder
 * @error: (nullable): return location for an error
 *
 * Puts the folder's entries on disk, so that a file created or renamed in it survives a power cut.
 *
 * Returns: %TRUE on success
 */
gboolean
cyc_file_sync_folder (const char  *path,
                      GError     **error)
{
  g_return_val_if_fail (path != NULL, FALSE);

  int fd = open (path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  /* Some network file systems refuse to sync a folder; they have nothing to sync. */
  gboolean ok = fd >= 0 && (fsync (fd) == 0 || errno == EINVAL || errno == EBADF || errno == EROFS);
  if (!ok)
    cyc_error_set_errno (error, errno, path, "cannot put the folder on disk");
  if (fd >= 0)
    close (fd);
  return ok;
}

/**
 * cyc_file_replace:
 * @path: the file to write
 * @bytes: (array length=len): its whole content
 * @len: length in bytes
 * @mode: permissions of the file, before the umask
 * @error: (nullable): return location for an error
 *
 * Replaces a file so that a reader sees the old or the new content and a crash leaves one of them:
 * a temporary file beside it, put on disk, then renamed.
 *
 * Returns: %TRUE when the new content is on disk
 */
gboolean
cyc_file_replace (const char  *path,
                  const char  *bytes,
                  gsize        len,
                  int          mode,
                  GError     **error)
{
  g_return_val_if_fail (path != NULL, FALSE);
  g_return_val_if_fail (bytes != NULL || len == 0, FALSE);

  g_autofree char *suffix = cyc_random_hex (6);
  g_autofree char *temporary = g_strdup_printf ("%s.%s.tmp", path, suffix);
  int fd = open (temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (fd < 0)
    {
      cyc_error_set_errno (error, errno, path, "cannot write");
      return FALSE;
    }
  gboolean ok = cyc_file_write_all (fd, bytes, len) && fsync (fd) == 0;
  int saved_errno = errno;
  if (close (fd) != 0 && ok)
    {
      saved_errno = errno;
      ok = FALSE;
    }
  if (ok && rename (temporary, path) != 0)
    {
      saved_errno = errno;
      ok = FALSE;
    }
  if (!ok)
    {
      unlink (temporary);
      cyc_error_set_errno (error, saved_errno, path, "cannot write");
      return FALSE;
    }
  g_autofree char *folder = g_path_get_dirname (path);
  return cyc_file_sync_folder (folder, error);
}

/**
 * cyc_file_make_folder:
 * @path: a folder
 * @mode: permissions of the folders that are created, before the umask
 * @error: (nullable): return location for an error
 *
 * Creates the folder and those above it where they are missing.
 *
 * Returns: %TRUE if the folder is there
 */
gboolean
cyc_file_make_folder (const char  *path,
                      int          mode,
                      GError     **error)
{
  g_return_val_if_fail (path != NULL, FALSE);

  if (g_mkdir_with_parents (path, mode) == 0)
    return TRUE;
  cyc_error_set_errno (error, errno, path, "cannot create the folder");
  return FALSE;
}

static gboolean
remove_at (int          parent_fd,
           const char  *name,
           const char  *shown,
           guint        depth,
           GError     **error)
{
  if (unlinkat (parent_fd, name, 0) == 0 || errno == ENOENT)
    return TRUE;
  if (errno != EISDIR && errno != EPERM)
    {
      cyc_error_set_errno (error, errno, shown, "cannot remove");
      return FALSE;
    }
  if (depth > 512)
    {
      cyc_error_set_at (error, CYC_ERROR_FAILED, shown, 0, "folders are nested too deeply to remove");
      return FALSE;
    }
  int fd = openat (parent_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR *folder = fd < 0 ? NULL : fdopendir (fd);
  if (folder == NULL)
    {
      cyc_error_set_errno (error, errno, shown, "cannot remove");
      if (fd >= 0)
        close (fd);
      return FALSE;
    }
  gboolean ok = TRUE;
  struct dirent *entry;
  while (ok && (entry = readdir (folder)) != NULL)
    {
      if (strcmp (entry->d_name, ".") == 0 || strcmp (entry->d_name, "..") == 0)
        continue;
      g_autofree char *inner = g_build_filename (shown, entry->d_name, NULL);
      ok = remove_at (fd, entry->d_name, inner, depth + 1, error);
    }
  closedir (folder);
  if (ok && unlinkat (parent_fd, name, AT_REMOVEDIR) != 0 && errno != ENOENT)
    {
      cyc_error_set_errno (error, errno, shown, "cannot remove");
      ok = FALSE;
    }
  return ok;
}

/**
 * cyc_file_remove_tree:
 * @path: a file, a link or a folder with all it holds
 * @error: (nullable): return location for an error
 *
 * Removes it. Links are removed, never followed. That it is already gone is success.
 *
 * Returns: %TRUE if nothing is left
 */
gboolean
cyc_file_remove_tree (const char  *path,
                      GError     **error)
{
  g_return_val_if_fail (path != NULL, FALSE);

  return remove_at (AT_FDCWD, path, path, 0, error);
}

/**
 * cyc_file_get_free:
 * @path: a file or folder that exists
 * @out_bytes: (out): bytes that this user can still write on its file system
 * @error: (nullable): return location for an error
 *
 * Returns: %TRUE on success
 */
gboolean
cyc_file_get_free (const char  *path,
                   guint64     *out_bytes,
                   GError     **error)
{
  g_return_val_if_fail (path != NULL && out_bytes != NULL, FALSE);

  struct statvfs st;
  if (statvfs (path, &st) != 0)
    {
      cyc_error_set_errno (error, errno, path, "cannot ask for the free space");
      return FALSE;
    }
  *out_bytes = (guint64) st.f_bavail * (guint64) st.f_frsize;
  return TRUE;
}
