/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/base/cyc-xz-info.h"

#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/cyc-error.h"

/* An index has some 8 bytes for a block of 4 MiB and more. */
#define INDEX_LIMIT (16 * 1024 * 1024)
#define MEMORY_LIMIT (64 * 1024 * 1024)
#define MAX_STREAMS 100000

typedef struct
{
  const char *path;
  int         fd;
  guint64     position; /* end of what is not yet looked at */
  guint64     unpacked;
} Reader;

static gboolean
read_at (const Reader *self,
         guint64       position,
         guint8       *buffer,
         gsize         size)
{
  while (size > 0)
    {
      ssize_t n = pread (self->fd, buffer, size, (off_t) position);
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return FALSE;
      buffer += n;
      position += (guint64) n;
      size -= (gsize) n;
    }
  return TRUE;
}

/* Streams may be followed by zeros, four at a time. */
static void
skip_padding (Reader *self)
{
  guint8 word[4];

  while (self->position >= sizeof word &&
         read_at (self, self->position - sizeof word, word, sizeof word) &&
         word[0] == 0 && word[1] == 0 && word[2] == 0 && word[3] == 0)
    self->position -= sizeof word;
}

/* Reads the last stream before the position. */
static gboolean
read_stream (Reader *self)
{
  guint8 edge[LZMA_STREAM_HEADER_SIZE];
  lzma_stream_flags footer;
  lzma_stream_flags header;

  if (self->position < 2 * sizeof edge ||
      !read_at (self, self->position - sizeof edge, edge, sizeof edge) ||
      lzma_stream_footer_decode (&footer, edge) != LZMA_OK ||
      footer.backward_size > INDEX_LIMIT ||
      footer.backward_size > self->position - 2 * sizeof edge)
    return FALSE;

  gsize size = (gsize) footer.backward_size;
  g_autofree guint8 *bytes = g_malloc (size);
  lzma_index *index = NULL;
  guint64 memory = MEMORY_LIMIT;
  gsize used = 0;
  if (!read_at (self, self->position - sizeof edge - size, bytes, size) ||
      lzma_index_buffer_decode (&index, &memory, NULL, bytes, &used, size) != LZMA_OK)
    return FALSE;
  guint64 stream = lzma_index_stream_size (index);
  guint64 unpacked = lzma_index_uncompressed_size (index);
  lzma_index_end (index, NULL);
  if (stream > self->position || !g_uint64_checked_add (&self->unpacked, self->unpacked, unpacked))
    return FALSE;
  self->position -= stream;
  return read_at (self, self->position, edge, sizeof edge) &&
         lzma_stream_header_decode (&header, edge) == LZMA_OK;
}

/**
 * cyc_xz_info_read:
 * @path: a `.xz` file
 * @out_unpacked: (out): bytes that it unpacks to
 * @error: (nullable): return location for an error
 *
 * Reads the index at the end of a `.xz` file, of every stream in it. Nothing is unpacked, so damage
 * inside goes unseen; but a file that was cut has no end and is found out.
 *
 * Returns: %FALSE with %CYC_ERROR_INPUT if the file is cut or not xz data
 */
gboolean
cyc_xz_info_read (const char  *path,
                  guint64     *out_unpacked,
                  GError     **error)
{
  g_return_val_if_fail (path != NULL && out_unpacked != NULL, FALSE);

  Reader self = { .path = path, .fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) };
  struct stat st;
  if (self.fd < 0 || fstat (self.fd, &st) != 0)
    {
      int saved_errno = errno;
      if (self.fd >= 0)
        close (self.fd);
      cyc_error_set_errno (error, saved_errno, path, "cannot open");
      return FALSE;
    }
  self.position = S_ISREG (st.st_mode) ? (guint64) st.st_size : 0;
  gboolean ok = self.position > 0;
  for (guint i = 0; ok && self.position > 0; i++)
    {
      skip_padding (&self);
      ok = i < MAX_STREAMS && read_stream (&self);
    }
  close (self.fd);
  if (!ok)
    cyc_error_set_at (error, CYC_ERROR_INPUT, path, 0,
                      "is cut or is not xz data: its end is missing");
  *out_unpacked = ok ? self.unpacked : 0;
  return ok;
}
