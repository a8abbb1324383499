/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/cyc-ctl-output.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli/cyc-ctl-terminal.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-file-writer.h"
#include "core/base/cyc-file.h"

#define BUFFER_SIZE (64 * 1024)

struct _CycCtlOutput
{
  CycFileWriter *file; /* NULL for standard output */
  GString       *buffer;
};

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

  self->buffer = g_string_sized_new (BUFFER_SIZE);
  if (path == NULL)
    return g_steal_pointer (&self);
  self->file = cyc_file_writer_open (path, error);
  return self->file == NULL ? NULL : g_steal_pointer (&self);
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

  g_clear_pointer (&self->file, cyc_file_writer_free);
  g_string_free (self->buffer, TRUE);
  g_free (self);
}

static gboolean
write_out (CycCtlOutput  *self,
           const char    *bytes,
           gsize          len,
           GError       **error)
{
  if (self->file != NULL)
    return cyc_file_writer_write (self->file, bytes, len, error);
  if (cyc_file_write_all (STDOUT_FILENO, bytes, len))
    return TRUE;
  cyc_error_set_errno (error, errno, NULL, "cannot write to standard output");
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
  g_return_val_if_fail (self != NULL, FALSE);

  return flush (self, error) && (self->file == NULL || cyc_file_writer_commit (self->file, error));
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
  return cyc_ctl_terminal_get_width (self->file == NULL ? STDOUT_FILENO : cyc_file_writer_get_fd (self->file));
}
