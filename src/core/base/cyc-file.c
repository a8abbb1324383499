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

static gboolean
finish_file (int          fd,
             const char  *bytes,
             gsize        len,
             gboolean     sync,
             const char  *shown,
             GError     **error)
{
  gboolean ok = cyc_file_write_all (fd, bytes, len) && (!sync || fsync (fd) == 0);
  int saved_errno = errno;
  if (close (fd) != 0 && ok)
    {
      saved_errno = errno;
      ok = FALSE;
    }
  if (!ok)
    cyc_error_set_errno (error, saved_errno, shown, "cannot write");
  return ok;
}

/* A device or a pipe has no content to replace, and root could rename over it. */
static gboolean
is_special (const char *path)
{
  struct stat st;

  return stat (path, &st) == 0 && !S_ISREG (st.st_mode) && !S_ISDIR (st.st_mode);
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
 * a temporary file beside it, put on disk, then renamed. Into a device or a pipe it is written
 * directly.
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

  gboolean special = is_special (path);
  /* The temporary name does not grow with that of the file, which may be as long as names can be. */
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *suffix = cyc_random_hex (6);
  g_autofree char *name = g_strdup_printf (".cyclescope-%s.tmp", suffix);
  g_autofree char *temporary = g_build_filename (folder, name, NULL);
  int fd = special ? open (path, O_WRONLY | O_CLOEXEC | O_NOCTTY)
                   : open (temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (fd < 0)
    {
      cyc_error_set_errno (error, errno, path, "cannot write");
      return FALSE;
    }
  if (special)
    return finish_file (fd, bytes, len, FALSE, path, error);

  gboolean ok = finish_file (fd, bytes, len, TRUE, path, error);
  if (ok && rename (temporary, path) != 0)
    {
      cyc_error_set_errno (error, errno, path, "cannot write");
      ok = FALSE;
    }
  if (!ok)
    {
      unlink (temporary);
      return FALSE;
    }
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

#define MAX_FOLDER_DEPTH 512

static gboolean remove_at (int          parent_fd,
                           const char  *name,
                           const char  *shown,
                           guint        depth,
                           GError     **error);

/* Opens a folder that is to be emptied, and makes it writable for that. */
static DIR *
open_folder_at (int         parent_fd,
                const char *name)
{
  const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

  int fd = openat (parent_fd, name, flags);
  if (fd < 0 && errno == EACCES && fchmodat (parent_fd, name, 0700, 0) == 0)
    fd = openat (parent_fd, name, flags);
  struct stat st;
  if (fd >= 0 && fstat (fd, &st) == 0 && (st.st_mode & 0700) != 0700)
    fchmod (fd, 0700);
  DIR *folder = fd < 0 ? NULL : fdopendir (fd);
  if (folder == NULL && fd >= 0)
    {
      int saved_errno = errno;
      close (fd);
      errno = saved_errno;
    }
  return folder;
}

static gboolean
empty_folder (DIR         *folder,
              const char  *shown,
              guint        depth,
              GError     **error)
{
  for (;;)
    {
      errno = 0;
      struct dirent *entry = readdir (folder);
      if (entry == NULL)
        {
          if (errno == 0)
            return TRUE;
          cyc_error_set_errno (error, errno, shown, "cannot read the folder");
          return FALSE;
        }
      if (strcmp (entry->d_name, ".") == 0 || strcmp (entry->d_name, "..") == 0)
        continue;
      g_autofree char *inner = g_build_filename (shown, entry->d_name, NULL);
      if (!remove_at (dirfd (folder), entry->d_name, inner, depth + 1, error))
        return FALSE;
    }
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
  /* What it is for a folder: EISDIR on Linux, EPERM by POSIX. */
  int saved_errno = errno;
  struct stat st;
  if ((saved_errno != EISDIR && saved_errno != EPERM) ||
      fstatat (parent_fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISDIR (st.st_mode))
    {
      cyc_error_set_errno (error, saved_errno, shown, "cannot remove");
      return FALSE;
    }
  if (depth > MAX_FOLDER_DEPTH)
    {
      cyc_error_set_at (error, CYC_ERROR_FAILED, shown, 0,
                        "folders are nested more than %d deep; remove it by hand", MAX_FOLDER_DEPTH);
      return FALSE;
    }
  DIR *folder = open_folder_at (parent_fd, name);
  if (folder == NULL)
    {
      cyc_error_set_errno (error, errno, shown, "cannot remove");
      return FALSE;
    }
  gboolean ok = empty_folder (folder, shown, depth, error);
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
 * Removes it, read-only files and folders too. Links are removed, never followed. That it is already
 * gone is success.
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
  /* Some file systems keep a part for the superuser. */
  guint64 blocks = geteuid () == 0 ? (guint64) st.f_bfree : (guint64) st.f_bavail;
  *out_bytes = blocks * (guint64) st.f_frsize;
  return TRUE;
}
