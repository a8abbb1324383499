/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-file.h"
#include "core/base/cyc-name.h"
#include "engine/cyc-import-private.h"

#define FLUSH_STEP ((off_t) 16 * 1024 * 1024)
#define FOLDER_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

ImportTarget *
_cyc_import_target_open (const char  *path,
                         guint64      reserve,
                         GError     **error)
{
  int fd = open (path, FOLDER_FLAGS);
  if (fd < 0)
    {
      cyc_error_set_errno (error, errno, path, "cannot open the folder");
      return NULL;
    }
  ImportTarget *self = g_new0 (ImportTarget, 1);
  self->fd = fd;
  self->path = g_strdup (path);
  self->reserve = reserve;
  self->folders = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->last_fd = -1;
  return self;
}

void
_cyc_import_target_close (ImportTarget *self)
{
  if (self->last_fd >= 0)
    close (self->last_fd);
  close (self->fd);
  g_hash_table_unref (self->folders);
  g_free (self->last);
  g_free (self->path);
  g_free (self);
}

static void
set_error (ImportTarget *self,
           const char   *rel,
           int           saved_errno,
           GError      **error)
{
  g_autofree char *shown = g_build_filename (self->path, rel, NULL);

  if (saved_errno == EEXIST)
    cyc_error_set_at (error, CYC_ERROR_INPUT, shown, 0, "the name comes twice");
  else if (saved_errno == ENOTDIR || saved_errno == ELOOP || saved_errno == EISDIR)
    cyc_error_set_at (error, CYC_ERROR_INPUT, shown, 0,
                      "the name of a file is used for a folder too");
  else
    cyc_error_set_errno (error, saved_errno, shown, "cannot write");
}

/* Opens one folder below another, made if it is missing. */
static int
step (int         fd,
      const char *name)
{
  if (mkdirat (fd, name, 0777) != 0 && errno != EEXIST)
    return -1;
  return openat (fd, name, FOLDER_FLAGS);
}

/* The descriptor of a folder, kept open until another is asked for; -1 with an error. */
static int
enter (ImportTarget *self,
       const char   *folder,
       GError      **error)
{
  if (folder[0] == '\0')
    return self->fd;
  if (g_strcmp0 (folder, self->last) == 0)
    return self->last_fd;
  if (!cyc_name_is_safe_path (folder))
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, self->path, 0, "a name that is not allowed");
      return -1;
    }

  g_auto (GStrv) parts = g_strsplit (folder, "/", -1);
  int fd = self->fd;
  for (guint i = 0; parts[i] != NULL; i++)
    {
      int next = step (fd, parts[i]);
      int saved_errno = errno;
      if (fd != self->fd)
        close (fd);
      fd = next;
      if (fd < 0)
        {
          set_error (self, folder, saved_errno, error);
          return -1;
        }
    }
  if (self->last_fd >= 0)
    close (self->last_fd);
  self->last_fd = fd;
  g_free (self->last);
  self->last = g_strdup (folder);
  g_hash_table_add (self->folders, g_strdup (folder));
  return fd;
}

/* Opens the folder of @rel; its own name is what follows the last slash. */
static int
enter_parent (ImportTarget *self,
              const char   *rel,
              const char  **out_name,
              GError      **error)
{
  const char *slash = strrchr (rel, '/');
  g_autofree char *folder = slash == NULL ? g_strdup ("") : g_strndup (rel, (gsize) (slash - rel));

  if (!cyc_name_is_safe_path (rel))
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, self->path, 0, "a name that is not allowed");
      return -1;
    }
  *out_name = slash == NULL ? rel : slash + 1;
  return enter (self, folder, error);
}

gboolean
_cyc_import_target_make_folder (ImportTarget  *self,
                                const char    *rel,
                                GError       **error)
{
  return enter (self, rel, error) >= 0;
}

int
_cyc_import_target_create (ImportTarget  *self,
                           const char    *rel,
                           GError       **error)
{
  const char *name;
  int folder = enter_parent (self, rel, &name, error);
  if (folder < 0)
    return -1;
  int fd = openat (folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (fd < 0)
    set_error (self, rel, errno, error);
  self->unflushed = 0;
  return fd;
}

/* Has the disk begin with what was written last, and waits for what was written before: else the whole system waits
 * as soon as too much is left to be written, the window and the logs of simulations with it, and the end of an
 * import seems near while most of it is still to be done. */
static void
flush_some (ImportTarget *self,
            int           fd)
{
  off_t end = lseek (fd, 0, SEEK_CUR);
  off_t begin = end - (off_t) self->unflushed;

  sync_file_range (fd, begin, end - begin, SYNC_FILE_RANGE_WRITE);
  if (begin > 0)
    sync_file_range (fd, MAX (0, begin - FLUSH_STEP), MIN (begin, FLUSH_STEP),
                     SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER);
  self->unflushed = 0;
}

gboolean
_cyc_import_target_write (ImportTarget  *self,
                          int            fd,
                          const char    *rel,
                          const void    *bytes,
                          gsize          len,
                          GError       **error)
{
  self->unchecked += len;
  if (self->unchecked >= IMPORT_SPACE_STEP)
    {
      if (!_cyc_import_target_check_space (self, len, error))
        return FALSE;
      self->unchecked = 0;
    }
  if (cyc_file_write_all (fd, bytes, len))
    {
      self->unflushed += len;
      if (self->unflushed >= (guint64) FLUSH_STEP)
        flush_some (self, fd);
      return TRUE;
    }
  set_error (self, rel, errno, error);
  return FALSE;
}

/* A second name for @file. A file system that cannot is no error: @out_errno says why. */
gboolean
_cyc_import_target_link (ImportTarget  *self,
                         const char    *rel,
                         const char    *file,
                         int           *out_errno,
                         GError       **error)
{
  const char *name;
  int folder = enter_parent (self, rel, &name, error);
  if (folder < 0)
    return FALSE;
  *out_errno = linkat (AT_FDCWD, file, folder, name, 0) == 0 ? 0 : errno;
  if (*out_errno == 0 || *out_errno == EXDEV || *out_errno == EPERM || *out_errno == EMLINK ||
      *out_errno == ENOSYS || *out_errno == EOPNOTSUPP)
    return TRUE;
  set_error (self, rel, *out_errno, error);
  return FALSE;
}

gboolean
_cyc_import_target_symlink (ImportTarget  *self,
                            const char    *rel,
                            const char    *file,
                            GError       **error)
{
  const char *name;
  int folder = enter_parent (self, rel, &name, error);
  if (folder < 0)
    return FALSE;
  if (symlinkat (file, folder, name) == 0)
    return TRUE;
  set_error (self, rel, errno, error);
  return FALSE;
}

/* The descriptor of the folder of something that exists in the target; close it. */
static int
open_parent (ImportTarget *self,
             const char   *rel)
{
  g_auto (GStrv) parts = g_strsplit (rel, "/", -1);
  int fd = fcntl (self->fd, F_DUPFD_CLOEXEC, 0);

  for (guint i = 0; fd >= 0 && parts[i + 1] != NULL; i++)
    {
      int next = openat (fd, parts[i], FOLDER_FLAGS);
      close (fd);
      fd = next;
    }
  return fd;
}

gboolean
_cyc_import_target_is_file (ImportTarget *self,
                            const char   *rel)
{
  const char *slash = strrchr (rel, '/');
  struct stat st;
  int folder = cyc_name_is_safe_path (rel) ? open_parent (self, rel) : -1;
  if (folder < 0)
    return FALSE;
  const char *name = slash == NULL ? rel : slash + 1;
  gboolean is_file = fstatat (folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
                     S_ISREG (st.st_mode);
  close (folder);
  return is_file;
}

/* A second name for a file that is in the target already. */
gboolean
_cyc_import_target_relink (ImportTarget  *self,
                           const char    *rel,
                           const char    *existing,
                           GError       **error)
{
  const char *slash = strrchr (existing, '/');
  const char *name;
  int folder = enter_parent (self, rel, &name, error);
  if (folder < 0)
    return FALSE;
  int from = open_parent (self, existing);
  gboolean ok = from >= 0 &&
                linkat (from, slash == NULL ? existing : slash + 1, folder, name, 0) == 0;
  if (!ok)
    set_error (self, rel, errno, error);
  if (from >= 0)
    close (from);
  return ok;
}

/* Moves a file of the target's own file system. */
gboolean
_cyc_import_target_move (ImportTarget  *self,
                         const char    *rel,
                         const char    *file,
                         GError       **error)
{
  const char *name;
  struct stat st;
  int folder = enter_parent (self, rel, &name, error);
  if (folder < 0)
    return FALSE;
  gboolean ok = renameat2 (AT_FDCWD, file, folder, name, RENAME_NOREPLACE) == 0;
  /* Some file systems, NFS among them, cannot promise it. */
  if (!ok && errno == EINVAL)
    {
      ok = fstatat (folder, name, &st, AT_SYMLINK_NOFOLLOW) != 0;
      errno = EEXIST;
      ok = ok && renameat (AT_FDCWD, file, folder, name) == 0;
    }
  if (!ok)
    set_error (self, rel, errno, error);
  return ok;
}

gboolean
_cyc_import_target_check_space (ImportTarget  *self,
                                guint64        bytes,
                                GError       **error)
{
  guint64 available;

  if (!cyc_file_get_free (self->path, &available, error))
    return FALSE;
  if (available >= self->reserve && available - self->reserve >= bytes)
    return TRUE;
  g_autofree char *wanted = g_format_size (bytes);
  g_autofree char *found = g_format_size (available);
  g_autofree char *reserve = g_format_size (self->reserve);
  cyc_error_set_at (error, CYC_ERROR_NO_SPACE, self->path, 0,
                    "not enough space: %s more are needed, %s are free and %s of them are kept "
                    "free; free some space, or import with links", wanted, found, reserve);
  return FALSE;
}

gboolean
_cyc_import_target_sync_file (ImportTarget  *self,
                              const char    *rel,
                              GError       **error)
{
  const char *name;
  int folder = enter_parent (self, rel, &name, error);
  if (folder < 0)
    return FALSE;
  int fd = openat (folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  gboolean ok = fd >= 0 && fsync (fd) == 0;
  if (!ok)
    set_error (self, rel, errno, error);
  if (fd >= 0)
    close (fd);
  return ok;
}

/* Puts the names on disk. */
gboolean
_cyc_import_target_sync (ImportTarget  *self,
                         GError       **error)
{
  GHashTableIter iter;
  gpointer rel;

  g_hash_table_iter_init (&iter, self->folders);
  while (g_hash_table_iter_next (&iter, &rel, NULL))
    {
      g_autofree char *path = g_build_filename (self->path, rel, NULL);
      /* The staging folder of an archive is gone by now. */
      if (g_file_test (path, G_FILE_TEST_IS_DIR) && !cyc_file_sync_folder (path, error))
        return FALSE;
    }
  return cyc_file_sync_folder (self->path, error);
}
