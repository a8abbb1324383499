/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/base/cyc-byte-reader.h"

#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "core/base/cyc-error.h"

#define INPUT_SIZE (64 * 1024)
/* A .xz file names the memory its decoder needs; a hostile one asks for gigabytes. */
#define XZ_MEMORY_LIMIT (256 * 1024 * 1024)

typedef enum
{
  FORM_PLAIN,
  FORM_GZIP,
  FORM_XZ,
} Form;

struct _CycByteReader
{
  char        *path;
  int          fd;
  Form         form;
  guint64      size;     /* of the file, as stored */
  guint64      position; /* bytes of the file read so far */
  char        *warning;
  gboolean     input_ended;
  gboolean     ended;
  gboolean     in_member; /* gzip: between a member's first byte and its end */
  gboolean     padded;    /* gzip: zeros came after a member */
  guint        n_members;
  z_stream     gz;
  lzma_stream  xz;
  guint8       input[INPUT_SIZE];
};

static Form
form_of_name (const char *path)
{
  if (g_str_has_suffix (path, ".gz"))
    return FORM_GZIP;
  if (g_str_has_suffix (path, ".xz"))
    return FORM_XZ;
  return FORM_PLAIN;
}

static gboolean
start_decoder (CycByteReader  *self,
               GError        **error)
{
  /* 16 + MAX_WBITS: a gzip header and nothing else. CONCATENATED: several streams in one .xz. */
  if (self->form == FORM_GZIP && inflateInit2 (&self->gz, 16 + MAX_WBITS) != Z_OK)
    {
      cyc_error_set_at (error, CYC_ERROR_FAILED, self->path, 0, "cannot start the gzip decoder");
      return FALSE;
    }
  if (self->form == FORM_XZ &&
      lzma_stream_decoder (&self->xz, XZ_MEMORY_LIMIT, LZMA_CONCATENATED) != LZMA_OK)
    {
      cyc_error_set_at (error, CYC_ERROR_FAILED, self->path, 0, "cannot start the xz decoder");
      return FALSE;
    }
  return TRUE;
}

/**
 * cyc_byte_reader_open:
 * @path: a file; `NAME.gz` and `NAME.xz` are read as what they hold
 * @error: (nullable): return location for an error
 *
 * Opens a file for reading from front to back in constant memory. Gzip files may have any number
 * of members (visualizer logs have one a sample), xz files any number of streams.
 *
 * Returns: (transfer full) (nullable): a reader, for one thread at a time
 */
CycByteReader *
cyc_byte_reader_open (const char  *path,
                      GError     **error)
{
  g_return_val_if_fail (path != NULL, NULL);

  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  struct stat st;
  if (fd < 0 || fstat (fd, &st) != 0)
    {
      int saved_errno = errno;
      if (fd >= 0)
        close (fd);
      cyc_error_set_errno (error, saved_errno, path, "cannot open");
      return NULL;
    }
  if (S_ISDIR (st.st_mode))
    {
      close (fd);
      cyc_error_set_at (error, CYC_ERROR_INPUT, path, 0, "is a folder, expected a file");
      return NULL;
    }
  /* Opening must not hang on a pipe without a writer; reading from one may wait. */
  int flags = fcntl (fd, F_GETFL);
  fcntl (fd, F_SETFL, flags & ~O_NONBLOCK);

  g_autoptr (CycByteReader) self = g_new0 (CycByteReader, 1);
  self->path = g_strdup (path);
  self->fd = fd;
  self->form = form_of_name (path);
  self->size = S_ISREG (st.st_mode) ? (guint64) st.st_size : 0;
  self->xz = (lzma_stream) LZMA_STREAM_INIT;
  if (!start_decoder (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

/**
 * cyc_byte_reader_free:
 * @self: (transfer full): a reader
 *
 * Closes the file.
 */
void
cyc_byte_reader_free (CycByteReader *self)
{
  g_return_if_fail (self != NULL);

  if (self->form == FORM_GZIP)
    inflateEnd (&self->gz);
  if (self->form == FORM_XZ)
    lzma_end (&self->xz);
  close (self->fd);
  g_free (self->path);
  g_free (self->warning);
  g_free (self);
}

static gssize
read_file (CycByteReader  *self,
           void           *buffer,
           gsize           size,
           GError        **error)
{
  for (;;)
    {
      ssize_t n = read (self->fd, buffer, size);
      if (n >= 0)
        {
          self->position += (guint64) n;
          return n;
        }
      if (errno != EINTR)
        {
          cyc_error_set_errno (error, errno, self->path, "cannot read");
          return -1;
        }
    }
}

static gboolean
fill_input (CycByteReader  *self,
            GError        **error)
{
  gssize n = read_file (self, self->input, sizeof self->input, error);
  if (n < 0)
    return FALSE;
  if (n == 0)
    self->input_ended = TRUE;
  if (self->form == FORM_GZIP)
    {
      self->gz.next_in = self->input;
      self->gz.avail_in = (uInt) n;
    }
  else
    {
      self->xz.next_in = self->input;
      self->xz.avail_in = (size_t) n;
    }
  return TRUE;
}

static void
end_early (CycByteReader *self,
           const char    *what)
{
  guint64 unused = self->form == FORM_GZIP ? self->gz.avail_in : self->xz.avail_in;

  self->ended = TRUE;
  if (self->warning == NULL)
    self->warning = g_strdup_printf ("%s: %s at byte %" G_GUINT64_FORMAT
                                     " of the file; what came before it was read",
                                     self->path, what, self->position - unused);
}

/* Between two members: go on with the next one, stop at the end, warn of anything else. Tapes and
 * some tools pad with zeros after the last member: those are no news. */
static gboolean
next_gzip_member (CycByteReader  *self,
                  GError        **error)
{
  for (;;)
    {
      if (self->gz.avail_in == 0 && !self->input_ended && !fill_input (self, error))
        return FALSE;
      if (self->gz.avail_in == 0 || self->n_members == 0 || self->gz.next_in[0] != 0)
        break;
      self->gz.next_in++;
      self->gz.avail_in--;
      self->padded = TRUE;
    }
  if (self->gz.avail_in == 0)
    {
      if (self->n_members == 0)
        end_early (self, "is empty, gzip data was expected");
      self->ended = TRUE;
      return TRUE;
    }
  if (self->n_members > 0 && (self->gz.next_in[0] != 0x1f || self->padded))
    {
      end_early (self, "bytes that are not gzip follow the compressed data");
      return TRUE;
    }
  if (self->gz.next_in[0] != 0x1f)
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, self->path, 0,
                        "is not gzip data although its name ends in .gz");
      return FALSE;
    }
  inflateReset2 (&self->gz, 16 + MAX_WBITS);
  self->in_member = TRUE;
  self->n_members++;
  return TRUE;
}

static gssize
read_gzip (CycByteReader  *self,
           char           *buffer,
           gsize           size,
           GError        **error)
{
  self->gz.next_out = (Bytef *) buffer;
  self->gz.avail_out = (uInt) MIN (size, G_MAXINT);
  gsize asked = self->gz.avail_out;

  while (!self->ended && self->gz.avail_out == asked)
    {
      if (!self->in_member)
        {
          if (!next_gzip_member (self, error))
            return -1;
          continue;
        }
      if (self->gz.avail_in == 0 && !self->input_ended && !fill_input (self, error))
        return -1;
      if (self->gz.avail_in == 0 && self->input_ended)
        {
          end_early (self, "the gzip data is cut");
          break;
        }
      int rc = inflate (&self->gz, Z_NO_FLUSH);
      if (rc == Z_STREAM_END)
        {
          self->in_member = FALSE;
        }
      else if (rc == Z_MEM_ERROR)
        {
          cyc_error_set_at (error, CYC_ERROR_FAILED, self->path, 0, "not enough memory to unpack it");
          return -1;
        }
      else if (rc != Z_OK && rc != Z_BUF_ERROR)
        {
          end_early (self, "the gzip data is damaged");
        }
    }
  return (gssize) (asked - self->gz.avail_out);
}

static gssize
read_xz (CycByteReader  *self,
         char           *buffer,
         gsize           size,
         GError        **error)
{
  self->xz.next_out = (uint8_t *) buffer;
  self->xz.avail_out = size;

  while (!self->ended && self->xz.avail_out == size)
    {
      if (self->xz.avail_in == 0 && !self->input_ended && !fill_input (self, error))
        return -1;
      /* The decoder itself looks only when it has a whole header. */
      if (self->xz.total_in == 0 && self->xz.avail_in > 0 && self->xz.next_in[0] != 0xfd)
        {
          cyc_error_set_at (error, CYC_ERROR_INPUT, self->path, 0,
                            "is not xz data although its name ends in .xz");
          return -1;
        }
      lzma_ret rc = lzma_code (&self->xz, self->input_ended ? LZMA_FINISH : LZMA_RUN);
      if (rc == LZMA_STREAM_END)
        self->ended = TRUE;
      else if (rc == LZMA_MEMLIMIT_ERROR)
        {
          cyc_error_set_at (error, CYC_ERROR_TOO_LARGE, self->path, 0,
                            "needs more than 256 MiB to unpack; pack it with a smaller preset");
          return -1;
        }
      else if (rc == LZMA_MEM_ERROR)
        {
          cyc_error_set_at (error, CYC_ERROR_FAILED, self->path, 0, "not enough memory to unpack it");
          return -1;
        }
      else if (rc == LZMA_BUF_ERROR)
        end_early (self, "the xz data is cut");
      else if (rc != LZMA_OK)
        end_early (self, "the xz data is damaged");
    }
  return (gssize) (size - self->xz.avail_out);
}

/**
 * cyc_byte_reader_read:
 * @self: a reader
 * @buffer: (out) (array length=size): room for the bytes
 * @size: how many fit
 * @cancellable: (nullable): asked before every read
 * @error: (nullable): return location for an error
 *
 * Reads the next unpacked bytes. Data that is cut or damaged ends the stream with what came before
 * it; cyc_byte_reader_get_warning() then says so.
 *
 * Returns: the number of bytes, 0 at the end, -1 on an error
 */
gssize
cyc_byte_reader_read (CycByteReader  *self,
                      char           *buffer,
                      gsize           size,
                      GCancellable   *cancellable,
                      GError        **error)
{
  g_return_val_if_fail (self != NULL, -1);
  g_return_val_if_fail (buffer != NULL && size > 0, -1);

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return -1;
  if (self->ended)
    return 0;
  switch (self->form)
    {
    case FORM_GZIP:
      return read_gzip (self, buffer, size, error);
    case FORM_XZ:
      return read_xz (self, buffer, size, error);
    case FORM_PLAIN:
    default:
      return read_file (self, buffer, size, error);
    }
}

/**
 * cyc_byte_reader_get_position:
 * @self: a reader
 *
 * Returns: bytes of the stored file read so far, for progress
 */
guint64
cyc_byte_reader_get_position (CycByteReader *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->position;
}

/**
 * cyc_byte_reader_get_size:
 * @self: a reader
 *
 * Returns: size of the stored file when it was opened; 0 for pipes
 */
guint64
cyc_byte_reader_get_size (CycByteReader *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->size;
}

/**
 * cyc_byte_reader_get_warning:
 * @self: a reader
 *
 * Returns: (nullable): what was wrong with the packed data, when the end was reached early
 */
const char *
cyc_byte_reader_get_warning (CycByteReader *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->warning;
}

/**
 * cyc_byte_reader_read_head:
 * @path: a file
 * @buffer: (out) (array length=size): room for the bytes
 * @size: how many fit
 * @cancellable: (nullable): asked before every read
 * @error: (nullable): return location for an error
 *
 * Reads how a file begins, unpacked.
 *
 * Returns: the number of bytes, @size but for a file that ends before; -1 on an error
 */
gssize
cyc_byte_reader_read_head (const char    *path,
                           char          *buffer,
                           gsize          size,
                           GCancellable  *cancellable,
                           GError       **error)
{
  g_autoptr (CycByteReader) reader = cyc_byte_reader_open (path, error);
  gsize len = 0;

  if (reader == NULL)
    return -1;
  while (len < size)
    {
      gssize n = cyc_byte_reader_read (reader, buffer + len, size - len, cancellable, error);
      if (n < 0)
        return -1;
      if (n == 0)
        break;
      len += (gsize) n;
    }
  return (gssize) len;
}

/**
 * cyc_byte_reader_read_all:
 * @path: a file; `.gz` and `.xz` are unpacked
 * @limit: refuse more unpacked bytes than these
 * @out_len: (out) (optional): the number of bytes
 * @error: (nullable): return location for an error
 *
 * Reads a small file whole. Cut or damaged packed data is an error here.
 *
 * Returns: (transfer full) (nullable): the bytes, with a NUL behind them
 */
char *
cyc_byte_reader_read_all (const char  *path,
                          gsize        limit,
                          gsize       *out_len,
                          GError     **error)
{
  g_autoptr (CycByteReader) reader = cyc_byte_reader_open (path, error);
  if (reader == NULL)
    return NULL;

  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *buffer = g_malloc (INPUT_SIZE);
  for (;;)
    {
      gssize n = cyc_byte_reader_read (reader, buffer, INPUT_SIZE, NULL, error);
      if (n < 0)
        return NULL;
      if (n == 0)
        break;
      if ((gsize) n > limit - text->len)
        {
          cyc_error_set_at (error, CYC_ERROR_TOO_LARGE, path, 0,
                            "is larger than %" G_GSIZE_FORMAT " bytes, the limit for such a file",
                            limit);
          return NULL;
        }
      g_string_append_len (text, buffer, n);
    }
  if (reader->warning != NULL)
    {
      g_set_error_literal (error, CYC_ERROR, CYC_ERROR_INPUT, reader->warning);
      return NULL;
    }
  if (out_len != NULL)
    *out_len = text->len;
  return g_string_free (g_steal_pointer (&text), FALSE);
}
