/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/cyc-ctl-output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cyc-ctl-terminal.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-file.h"
#include "core/base/cyc-util.h"

#define BUFFER_SIZE (64 * 1024)

struct _CycCtlOutput
{
  int      fd;
  char    *shown;     /* for messages: the file as the user named it, NULL for standard output */
  char    *target;    /* what the temporary file becomes; NULL when written directly */
  char    *temporary; /* NULL once renamed */
  GString *buffer;
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
open_temporary (CycCtlOutput  *self,
                mode_t         mode,
                gboolean       keep_mode,
                GError       **error)
{
  g_autofree char *suffix = cyc_random_hex (6);
  g_autofree char *temporary = g_strdup_printf ("%s.%s.tmp", self->target, suffix);

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
 * cyc_ctl_output_open:
 * @path: (nullable): a file, %NULL for standard output
 * @error: return location for an error
 *
 * Opens where results go. A regular file is written beside its place and takes it when all is
 * written (cyc_ctl_output_commit()); until then the old file stays. Devices and pipes are written
 * directly.
 *
 * Returns: (transfer full) (nullable): an output
 */
CycCtlOutput *
cyc_ctl_output_open (const char  *path,
                     GError     **error)
{
  g_autoptr (CycCtlOutput) self = g_new0 (CycCtlOutput, 1);
  struct stat st;

  self->fd = -1;
  self->buffer = g_string_sized_new (BUFFER_SIZE);
  if (path == NULL)
    {
      self->fd = STDOUT_FILENO;
      return g_steal_pointer (&self);
    }
  self->shown = g_strdup (path);
  gboolean exists = stat (path, &st) == 0;
  if (exists && S_ISDIR (st.st_mode))
    {
      cyc_error_set_at (error, CYC_ERROR_VALUE, path, 0, "is a folder; name a file");
      return NULL;
    }
  if (exists && !S_ISREG (st.st_mode))
    {
      self->fd = open (path, O_WRONLY | O_CLOEXEC);
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
 * cyc_ctl_output_free:
 * @self: (transfer full): an output
 *
 * Closes it. What was not committed is dropped.
 */
void
cyc_ctl_output_free (CycCtlOutput *self)
{
  g_return_if_fail (self != NULL);

  if (self->fd >= 0 && self->fd != STDOUT_FILENO)
    close (self->fd);
  if (self->temporary != NULL)
    unlink (self->temporary);
  g_free (self->temporary);
  g_free (self->target);
  g_free (self->shown);
  g_string_free (self->buffer, TRUE);
  g_free (self);
}

static gboolean
write_out (CycCtlOutput  *self,
           const char    *bytes,
           gsize          len,
           GError       **error)
{
  if (cyc_file_write_all (self->fd, bytes, len))
    return TRUE;
  cyc_error_set_errno (error, errno, self->shown,
                       self->shown != NULL ? "cannot write" : "cannot write to standard output");
  return FALSE;
}

static gboolean
flush (CycCtlOutput  *self,
       GError       **error)
{
  if (!write_out (self, self->buffer->str, self->buffer->len, error))
    return FALSE;
  g_string_truncate (self->buffer, 0);
  return TRUE;
}

/**
 * cyc_ctl_output_write:
 * @bytes: (array length=len): what to write
 * @len: how much
 * @output: a #CycCtlOutput
 * @error: return location for an error
 *
 * Writes bytes as they are. A #CycJsonSink.
 *
 * Returns: %TRUE on success
 */
gboolean
cyc_ctl_output_write (const char  *bytes,
                      gsize        len,
                      gpointer     output,
                      GError     **error)
{
  CycCtlOutput *self = output;

  if (self->buffer->len + len > BUFFER_SIZE && !flush (self, error))
    return FALSE;
  if (len >= BUFFER_SIZE)
    return write_out (self, bytes, len, error);
  g_string_append_len (self->buffer, bytes, (gssize) len);
  return TRUE;
}

/**
 * cyc_ctl_output_write_text:
 * @self: an output
 * @text: text for people in UTF-8
 * @error: return location for an error
 *
 * Writes text in the character set of the locale; what that lacks becomes `?`.
 *
 * Returns: %TRUE on success
 */
gboolean
cyc_ctl_output_write_text (CycCtlOutput  *self,
                           const char    *text,
                           GError       **error)
{
  const char *charset;

  if (g_get_charset (&charset))
    return cyc_ctl_output_write (text, strlen (text), self, error);
  g_autofree char *converted = g_convert_with_fallback (text, -1, charset, "UTF-8", "?", NULL, NULL,
                                                        NULL);
  if (converted == NULL)
    return cyc_ctl_output_write (text, strlen (text), self, error);
  return cyc_ctl_output_write (converted, strlen (converted), self, error);
}

/**
 * cyc_ctl_output_commit:
 * @self: an output to which all was written
 * @error: return location for an error
 *
 * Puts everything in place. Until this succeeded an older file is untouched.
 *
 * Returns: %TRUE on success
 */
gboolean
cyc_ctl_output_commit (CycCtlOutput  *self,
                       GError       **error)
{
  g_return_val_if_fail (self != NULL && self->fd >= 0, FALSE);

  if (!flush (self, error))
    return FALSE;
  if (self->fd == STDOUT_FILENO)
    return TRUE;
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

/**
 * cyc_ctl_output_get_width:
 * @self: an output
 *
 * Returns: cells of the terminal that it is, 0 for no limit
 */
guint
cyc_ctl_output_get_width (CycCtlOutput *self)
{
  return cyc_ctl_terminal_get_width (self->fd);
}
