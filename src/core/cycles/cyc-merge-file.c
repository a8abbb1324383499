/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/cycles/cyc-merge-file-private.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "core/base/cyc-byte-reader.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-file.h"
#include "core/cycles/cyc-cycle-json.h"

/* A file that is read several times and at any place, in constant memory. What is packed, or comes
 * from a pipe, is unpacked once into a temporary file without a name. */

#define COPY_SIZE (256 * 1024)
#define WINDOW_SIZE (1024 * 1024)

struct _CycMergeFile
{
  char         *path;
  const char   *role;
  int           fd;
  gboolean      is_copy;
  struct stat   status;
  GCancellable *cancellable;
  guint64       position; /* of the JSON reader that was made last */
  char         *window;   /* bytes for cyc_merge_file_read_range() */
  gsize         room;
  guint64       window_start;
  gsize         window_len;
};

static gboolean
fail_reading (const CycMergeFile  *self,
              GError              *fault,
              GError             **error)
{
  g_autofree char *prefix = g_strdup_printf ("%s: ", self->path);
  const char *text = fault->message;

  if (g_str_has_prefix (text, prefix))
    text += strlen (prefix);
  if (g_error_matches (fault, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_propagate_error (error, fault);
      return FALSE;
    }
  if (error != NULL)
    g_set_error (error, fault->domain, fault->code, "%s: Unable to read %s from %s: %s", self->path,
                 self->role, self->path, text);
  g_error_free (fault);
  return FALSE;
}

static gboolean
make_temporary (CycMergeFile  *self,
                GError       **error)
{
  g_autofree char *name = g_build_filename (g_get_tmp_dir (), "cyclescope-XXXXXX", NULL);

  self->fd = g_mkstemp_full (name, O_RDWR | O_CLOEXEC, 0600);
  if (self->fd < 0)
    {
      cyc_error_set_errno (error, errno, g_get_tmp_dir (), "cannot make a temporary file");
      return FALSE;
    }
  unlink (name);
  self->is_copy = TRUE;
  return TRUE;
}

static gboolean
write_temporary (const char  *bytes,
                 gsize        len,
                 gpointer     user_data,
                 GError     **error)
{
  CycMergeFile *self = user_data;

  if (cyc_file_write_all (self->fd, bytes, len))
    return TRUE;
  cyc_error_set_errno (error, errno, g_get_tmp_dir (), "cannot unpack into the temporary folder");
  return FALSE;
}

static gboolean
unpack (CycMergeFile  *self,
        GCancellable  *cancellable,
        GError       **error)
{
  g_autoptr (CycByteReader) reader = cyc_byte_reader_open (self->path, error);
  g_autofree char *buffer = g_malloc (COPY_SIZE);

  if (reader == NULL || !make_temporary (self, error))
    return FALSE;
  for (;;)
    {
      gssize n = cyc_byte_reader_read (reader, buffer, COPY_SIZE, cancellable, error);
      if (n < 0)
        return FALSE;
      if (n == 0)
        break;
      if (!write_temporary (buffer, (gsize) n, self, error))
        return FALSE;
    }
  if (cyc_byte_reader_get_warning (reader) == NULL)
    return TRUE;
  g_set_error_literal (error, CYC_ERROR, CYC_ERROR_INPUT, cyc_byte_reader_get_warning (reader));
  return FALSE;
}

/* The trace of a buffer, as decoding it gives. */
static gboolean
decode (CycMergeFile  *self,
        GCancellable  *cancellable,
        GError       **error)
{
  g_autofree char *sidecar = cyc_cycle_meta_get_sidecar (self->path);
  g_autoptr (CycCycleMeta) meta = cyc_cycle_meta_read_file (sidecar, error);
  g_autoptr (CycCycleBuffer) buffer =
    meta != NULL ? cyc_cycle_buffer_read (self->path, meta, cancellable, error) : NULL;

  return buffer != NULL && make_temporary (self, error)
         && cyc_cycle_json_write (buffer, write_temporary, self, cancellable, error);
}

static gboolean
open_plain (CycMergeFile  *self,
            GError       **error)
{
  self->fd = open (self->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (self->fd >= 0 && fstat (self->fd, &self->status) == 0)
    return TRUE;
  cyc_error_set_errno (error, errno, self->path, "cannot open");
  return FALSE;
}

static CycMergeFile *
create (const char    *path,
        const char    *role,
        GCancellable  *cancellable)
{
  CycMergeFile *self = g_new0 (CycMergeFile, 1);

  self->path = g_strdup (path);
  self->role = role;
  self->fd = -1;
  g_set_object (&self->cancellable, cancellable);
  return self;
}

/**
 * cyc_merge_file_open_buffer:
 * @path: a profile buffer; its metadata lie beside it
 * @role: what it is, for messages: static
 * @cancellable: (nullable): stops reading, now and later
 * @error: (nullable): return location for an error, which is that of decoding
 *
 * Returns: (transfer full) (nullable): the trace of the buffer
 */
CycMergeFile *
cyc_merge_file_open_buffer (const char    *path,
                            const char    *role,
                            GCancellable  *cancellable,
                            GError       **error)
{
  g_autoptr (CycMergeFile) self = create (path, role, cancellable);

  return decode (self, cancellable, error) ? g_steal_pointer (&self) : NULL;
}

/**
 * cyc_merge_file_open:
 * @path: a file; `.gz` and `.xz` are unpacked
 * @role: what it is, for messages: static
 * @cancellable: (nullable): stops reading, now and later
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): the file
 */
CycMergeFile *
cyc_merge_file_open (const char    *path,
                     const char    *role,
                     GCancellable  *cancellable,
                     GError       **error)
{
  g_autoptr (CycMergeFile) self = create (path, role, cancellable);
  GError *fault = NULL;
  struct stat status;

  gboolean is_plain = stat (path, &status) == 0 && S_ISREG (status.st_mode) &&
                      !g_str_has_suffix (path, ".gz") && !g_str_has_suffix (path, ".xz");
  if (!(is_plain ? open_plain (self, &fault) : unpack (self, cancellable, &fault)))
    {
      fail_reading (self, fault, error);
      return NULL;
    }
  return g_steal_pointer (&self);
}

/**
 * cyc_merge_file_free:
 * @self: (transfer full): a file
 */
void
cyc_merge_file_free (CycMergeFile *self)
{
  g_return_if_fail (self != NULL);

  if (self->fd >= 0)
    close (self->fd);
  g_clear_object (&self->cancellable);
  g_free (self->window);
  g_free (self->path);
  g_free (self);
}

/**
 * cyc_merge_file_get_path:
 * @self: a file
 *
 * Returns: (transfer none): its name, as it was given
 */
const char *
cyc_merge_file_get_path (CycMergeFile *self)
{
  return self->path;
}

static gssize
read_at (CycMergeFile  *self,
         guint64        offset,
         char          *buffer,
         gsize          size,
         GError       **error)
{
  for (;;)
    {
      if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
        return -1;
      ssize_t n = pread (self->fd, buffer, size, (off_t) offset);
      if (n >= 0)
        return n;
      if (errno != EINTR)
        {
          cyc_error_set_errno (error, errno, self->path, "cannot read");
          return -1;
        }
    }
}

static gssize
read_next (gpointer   data,
           char      *buffer,
           gsize      size,
           GError   **error)
{
  CycMergeFile *self = data;
  gssize n = read_at (self, self->position, buffer, size, error);

  if (n > 0)
    self->position += (guint64) n;
  return n;
}

/**
 * cyc_merge_file_read_json:
 * @self: a file
 * @offset: where to begin
 *
 * Returns: (transfer full): a reader, which counts from @offset; only the last one may be used
 */
CycJsonReader *
cyc_merge_file_read_json (CycMergeFile *self,
                          guint64       offset)
{
  CycJsonReader *reader = cyc_json_reader_new (read_next, self);

  self->position = offset;
  cyc_json_reader_set_constants (reader, TRUE);
  return reader;
}

/**
 * cyc_merge_file_read_range:
 * @self: a file
 * @offset: where the bytes begin
 * @len: how many
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer none) (nullable): the bytes, until the next call
 */
const char *
cyc_merge_file_read_range (CycMergeFile  *self,
                           guint64        offset,
                           gsize          len,
                           GError       **error)
{
  if (offset >= self->window_start && offset + len <= self->window_start + self->window_len)
    return self->window + (offset - self->window_start);
  if (len > self->room)
    {
      self->room = MAX (len, WINDOW_SIZE);
      self->window = g_realloc (self->window, self->room);
    }
  self->window_start = offset;
  self->window_len = 0;
  while (self->window_len < self->room)
    {
      gssize n = read_at (self, offset + self->window_len, self->window + self->window_len,
                          self->room - self->window_len, error);
      if (n < 0)
        return NULL;
      if (n == 0)
        break;
      self->window_len += (gsize) n;
    }
  if (self->window_len >= len)
    return self->window;
  cyc_error_set_at (error, CYC_ERROR_INPUT, self->path, 0,
                    "became shorter while it was read; try again when nobody writes to it");
  return NULL;
}

/**
 * cyc_merge_file_check_unchanged:
 * @self: a file
 * @error: (nullable): return location for an error
 *
 * Returns: %TRUE if it is what it was when it was opened
 */
gboolean
cyc_merge_file_check_unchanged (CycMergeFile  *self,
                                GError       **error)
{
  struct stat now;

  if (self->is_copy || fstat (self->fd, &now) != 0 ||
      (now.st_size == self->status.st_size && now.st_mtim.tv_sec == self->status.st_mtim.tv_sec &&
       now.st_mtim.tv_nsec == self->status.st_mtim.tv_nsec))
    return TRUE;
  cyc_error_set_at (error, CYC_ERROR_INPUT, self->path, 0,
                    "changed while it was read; try again when nobody writes to it");
  return FALSE;
}

/**
 * cyc_merge_file_propagate:
 * @self: a file
 * @reader: a reader of it of which a call failed
 * @fault: (transfer full): what that call said
 * @error: (nullable): return location for an error
 *
 * Makes the error for a file that is not JSON or cannot be read.
 */
void
cyc_merge_file_propagate (CycMergeFile   *self,
                          CycJsonReader  *reader,
                          GError         *fault,
                          GError        **error)
{
  if (!cyc_json_reader_is_syntax (reader))
    {
      fail_reading (self, fault, error);
      return;
    }
  cyc_error_set_at (error, CYC_ERROR_INPUT, self->path, cyc_json_reader_get_line (reader),
                    "Invalid JSON in %s %s: %s", self->role, self->path, fault->message);
  g_error_free (fault);
}
