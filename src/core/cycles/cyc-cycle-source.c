/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/cycles/cyc-cycle-source-private.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "core/base/cyc-byte-reader.h"
#include "core/base/cyc-error.h"

#define FIRST_SIZE (1024 * 1024)

static gboolean
read_whole (CycCycleSource  *self,
            const char      *path,
            GCancellable    *cancellable,
            GError         **error)
{
  g_autoptr (CycByteReader) reader = cyc_byte_reader_open (path, error);
  gsize room = 0;

  if (reader == NULL)
    return FALSE;
  self->is_owned = TRUE;
  for (;;)
    {
      if (self->size == room)
        {
          gsize more = room == 0 ? FIRST_SIZE : room + room / 2;
          guint8 *bytes = g_try_realloc (self->bytes, more);
          if (bytes == NULL)
            {
              cyc_error_set_at (error, CYC_ERROR_FAILED, path, 0, "not enough memory to unpack it");
              return FALSE;
            }
          self->bytes = bytes;
          room = more;
        }
      gssize n = cyc_byte_reader_read (reader, (char *) self->bytes + self->size, room - self->size,
                                       cancellable, error);
      if (n < 0)
        return FALSE;
      if (n == 0)
        break;
      self->size += (gsize) n;
    }
  if (cyc_byte_reader_get_warning (reader) == NULL)
    return TRUE;
  /* Records that are missing would look like records that were never made. */
  g_set_error_literal (error, CYC_ERROR, CYC_ERROR_INPUT, cyc_byte_reader_get_warning (reader));
  return FALSE;
}

/**
 * cyc_cycle_source_open:
 * @self: (out caller-allocates): zeroed
 * @path: a file
 * @cancellable: (nullable): stops unpacking
 * @error: (nullable): return location for an error
 *
 * Returns: %TRUE if its bytes can be had
 */
gboolean
cyc_cycle_source_open (CycCycleSource  *self,
                       const char      *path,
                       GCancellable    *cancellable,
                       GError         **error)
{
  self->shown = g_strdup (path);
  self->fd = -1;
  if (stat (path, &self->status) != 0)
    {
      cyc_error_set_errno (error, errno, path, "cannot open");
      return FALSE;
    }
  if (!S_ISREG (self->status.st_mode) || g_str_has_suffix (path, ".gz") || g_str_has_suffix (path, ".xz"))
    return read_whole (self, path, cancellable, error);

  self->fd = open (path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (self->fd < 0 || fstat (self->fd, &self->status) != 0)
    {
      cyc_error_set_errno (error, errno, path, "cannot open");
      return FALSE;
    }
  self->size = (guint64) self->status.st_size;
  return TRUE;
}

/**
 * cyc_cycle_source_clear:
 * @self: a source
 */
void
cyc_cycle_source_clear (CycCycleSource *self)
{
  g_clear_pointer (&self->shown, g_free);
  if (self->is_owned)
    g_clear_pointer (&self->bytes, g_free);
  if (self->fd >= 0)
    close (self->fd);
  self->fd = -1;
}

/**
 * cyc_cycle_source_read:
 * @self: a source
 * @offset: where the bytes begin
 * @out: (out) (array length=len): where they go, which may be in the source's own memory, in front
 * @len: how many; they are there, since the size was checked
 * @error: (nullable): return location for an error
 *
 * Returns: %TRUE if they were read
 */
gboolean
cyc_cycle_source_read (CycCycleSource  *self,
                       guint64          offset,
                       void            *out,
                       gsize            len,
                       GError         **error)
{
  char *p = out;

  if (self->bytes != NULL)
    {
      memmove (out, self->bytes + offset, len);
      return TRUE;
    }
  while (len > 0)
    {
      ssize_t n = pread (self->fd, p, len, (off_t) offset);
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        {
          cyc_error_set_errno (error, errno, self->shown, "cannot read");
          return FALSE;
        }
      if (n == 0)
        {
          cyc_error_set_at (error, CYC_ERROR_INPUT, self->shown, 0,
                            "became shorter while it was read; try again when nobody writes to it");
          return FALSE;
        }
      p += n;
      offset += (guint64) n;
      len -= (gsize) n;
    }
  return TRUE;
}

/**
 * cyc_cycle_source_check_unchanged:
 * @self: a source of which all was read
 * @error: (nullable): return location for an error
 *
 * Returns: %TRUE if the file is still what it was when it was opened
 */
gboolean
cyc_cycle_source_check_unchanged (CycCycleSource  *self,
                                  GError         **error)
{
  struct stat now;

  if (self->bytes != NULL || self->fd < 0 || fstat (self->fd, &now) != 0 ||
      (now.st_size == self->status.st_size && now.st_mtim.tv_sec == self->status.st_mtim.tv_sec &&
       now.st_mtim.tv_nsec == self->status.st_mtim.tv_nsec))
    return TRUE;
  cyc_error_set_at (error, CYC_ERROR_INPUT, self->shown, 0,
                    "changed while it was read; try again when nobody writes to it");
  return FALSE;
}
