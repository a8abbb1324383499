/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/base/cyc-file-writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-file.h"
#include "core/base/cyc-util.h"

struct _CycFileWriter
{
  int   fd;
  char *shown;     /* for messages: the file as it was named */
  char *target;    /* what the temporary file becomes; NULL when written directly */
  char *temporary; /* NULL once renamed */
};

/* What a link points to is replaced, not the link. A file that is not there yet keeps its name. */
static char *
resolve (const char *path)
{
  char *real = realpath (path, NULL);
  char *copy = g_strdup (real != NULL ? real : path);

  free (real);
  return copy;
}

static gboolean
open_temporary (CycFileWriter  *self,
                mode_t          mode,
                gboolean        keep_mode,
                GError        **error)
{
  /* The temporary name does not grow with that of the file, which may be as long as names can be. */
  g_autofree char *folder = g_path_get_dirname (self->target);
  g_autofree char *suffix = cyc_random_hex (6);
  g_autofree char *name = g_strdup_printf (".cyclescope-%s.tmp", suffix);
  g_autofree char *temporary = g_build_filename (folder, name, NULL);

  self->fd = open (temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (self->fd < 0)
    {
      cyc_error_set_errno (error, errno, self->shown, "cannot write");
      return FALSE;
    }
  self->temporary = g_steal_pointer (&temporary);
  if (keep_mode && fchmod (self->fd, mode) != 0)
    {
      cyc_error_set_errno (error, errno, self->shown, "cannot set the permissions");
      return FALSE;
    }
  return TRUE;
}

/**
 * cyc_file_writer_open:
 * @path: a file
 * @error: return location for an error
 *
 * Begins to write a file that somebody else may read: an export, a result. A regular file is written
 * beside its place and takes it when all is written (cyc_file_writer_commit()); until then what was
 * there stays, be it an older file or none. Its permissions are kept. Devices and pipes are written
 * directly.
 *
 * Returns: (transfer full) (nullable): a writer, for one thread at a time
 */
CycFileWriter *
cyc_file_writer_open (const char  *path,
                      GError     **error)
{
  g_return_val_if_fail (path != NULL, NULL);

  g_autoptr (CycFileWriter) self = g_new0 (CycFileWriter, 1);
  struct stat st;

  self->fd = -1;
  self->shown = g_strdup (path);
  gboolean exists = stat (path, &st) == 0;
  if (exists && S_ISDIR (st.st_mode))
    {
      cyc_error_set_at (error, CYC_ERROR_VALUE, path, 0, "is a folder; name a file");
      return NULL;
    }
  if (exists && !S_ISREG (st.st_mode))
    {
      self->fd = open (path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
      if (self->fd < 0)
        {
          cyc_error_set_errno (error, errno, path, "cannot write");
          return NULL;
        }
      return g_steal_pointer (&self);
    }
  self->target = resolve (path);
  if (!open_temporary (self, exists ? st.st_mode & 0777 : 0666, exists, error))
    return NULL;
  return g_steal_pointer (&self);
}

/**
 * cyc_file_writer_free:
 * @self: (transfer full): a writer
 *
 * Closes it. What was not committed is dropped.
 */
void
cyc_file_writer_free (CycFileWriter *self)
{
  g_return_if_fail (self != NULL);

  if (self->fd >= 0)
    close (self->fd);
  if (self->temporary != NULL)
    unlink (self->temporary);
  g_free (self->temporary);
  g_free (self->target);
  g_free (self->shown);
  g_free (self);
}

/**
 * cyc_file_writer_get_fd:
 * @self: a writer that was not committed
 *
 * Returns: what it writes to, to ask whether that is a terminal
 */
int
cyc_file_writer_get_fd (CycFileWriter *self)
{
  g_return_val_if_fail (self != NULL, -1);

  return self->fd;
}

/**
 * cyc_file_writer_write:
 * @self: a writer that was not committed
 * @bytes: (array length=len): what comes next
 * @len: how much
 * @error: return location for an error
 *
 * Returns: %TRUE on success
 */
gboolean
cyc_file_writer_write (CycFileWriter  *self,
                       const char     *bytes,
                       gsize           len,
                       GError        **error)
{
  g_return_val_if_fail (self != NULL && self->fd >= 0, FALSE);

  if (cyc_file_write_all (self->fd, bytes, len))
    return TRUE;
  cyc_error_set_errno (error, errno, self->shown, "cannot write");
  return FALSE;
}

/**
 * cyc_file_writer_commit:
 * @self: a writer to which all was written
 * @error: return location for an error
 *
 * Puts the file on disk and in its place. Until this succeeded what was there is untouched.
 *
 * Returns: %TRUE on success
 */
gboolean
cyc_file_writer_commit (CycFileWriter  *self,
                        GError        **error)
{
  g_return_val_if_fail (self != NULL && self->fd >= 0, FALSE);

  gboolean ok = self->temporary == NULL || fsync (self->fd) == 0;
  int saved_errno = errno;
  if (close (self->fd) != 0 && ok)
    {
      saved_errno = errno;
      ok = FALSE;
    }
  self->fd = -1;
  if (ok && self->temporary != NULL && rename (self->temporary, self->target) != 0)
    {
      saved_errno = errno;
      ok = FALSE;
    }
  if (!ok)
    {
      cyc_error_set_errno (error, saved_errno, self->shown, "cannot write");
      return FALSE;
    }
  g_clear_pointer (&self->temporary, g_free);
  return TRUE;
}
