/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-ingest-private.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/cyc-error.h"

/* The engine's log of a sim is shorter than what was acknowledged: somebody cut it, or the disk lost its
 * end. The simulator's own log holds it all, and the way from one to the other depends on the bytes
 * alone: what is missing is made again, up to the very byte. */

#define READ_SIZE (256 * 1024)

/**
 * cyc_ingest_sim_holds:
 * @self: a sim
 * @offset: where in the engine's log
 * @bytes: (array length=len): what should be there
 * @len: how many
 *
 * Returns: %TRUE if these bytes are in the log at that place
 */
gboolean
cyc_ingest_sim_holds (CycIngestSim *self,
                      guint64       offset,
                      const char   *bytes,
                      gsize         len)
{
  char buffer[16 * 1024];

  while (len > 0)
    {
      ssize_t n = pread (self->fd, buffer, MIN (len, sizeof buffer), (off_t) offset);
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0 || memcmp (buffer, bytes, (gsize) n) != 0)
        return FALSE;
      offset += (guint64) n;
      bytes += n;
      len -= (gsize) n;
    }
  return TRUE;
}

typedef struct
{
  CycIngestSim *sim;
  guint64       have;    /* what is left of the log */
  guint64       pos;     /* what was compared or written */
  gboolean      differs; /* the simulator's log is not that of this log */
  int           saved_errno;
} Repair;

static void
write_missing (Repair     *self,
               const char *bytes,
               gsize       len)
{
  while (len > 0 && self->saved_errno == 0)
    {
      ssize_t n = pwrite (self->sim->fd, bytes, len, (off_t) self->pos);
      if (n < 0 && errno != EINTR)
        self->saved_errno = errno;
      if (n <= 0)
        continue;
      self->pos += (guint64) n;
      bytes += n;
      len -= (gsize) n;
    }
}

static void
repair_cb (const char *bytes,
           gsize       len,
           gpointer    user_data)
{
  Repair *self = user_data;
  gsize known = (gsize) MIN (len, self->have - MIN (self->have, self->pos));

  if (self->differs || self->saved_errno != 0)
    return;
  self->differs = !cyc_ingest_sim_holds (self->sim, self->pos, bytes, known);
  if (self->differs)
    return;
  self->pos += known;
  write_missing (self, bytes + known, (gsize) MIN (len - known, self->sim->log_bytes - self->pos));
}

/* Reads the simulator's log as far as it is needed. */
static void
feed (Repair        *self,
      CycByteReader *reader,
      GError       **error)
{
  g_autoptr (CycLogChunker) chunker = cyc_log_chunker_new (repair_cb, self);
  g_autofree char *buffer = g_malloc (READ_SIZE);
  gssize n = 1;

  while (n > 0 && self->pos < self->sim->log_bytes && !self->differs && self->saved_errno == 0)
    {
      n = cyc_byte_reader_read (reader, buffer, READ_SIZE, NULL, error);
      if (n > 0)
        cyc_log_chunker_feed (chunker, buffer, (gsize) n);
    }
  /* A last line without an end may have been accepted as well. */
  if (n == 0)
    cyc_log_chunker_finish (chunker);
}

/**
 * cyc_ingest_sim_repair:
 * @self: a sim whose log is open and shorter than its committed length
 * @source: the simulator's own log
 * @have: how long it is
 * @error: (nullable): return location for an error: what can be tried again, a full disk above all
 *
 * Makes the log what was accepted again, out of the simulator's own log.
 *
 * Returns: %TRUE if it is whole; %FALSE without an error if @source does not hold what is missing
 */
gboolean
cyc_ingest_sim_repair (CycIngestSim  *self,
                       const char    *source,
                       guint64        have,
                       GError       **error)
{
  Repair repair = { .sim = self, .have = have };
  g_autoptr (CycByteReader) reader = cyc_byte_reader_open (source, NULL);
  g_autoptr (GError) local = NULL;

  if (reader == NULL)
    return FALSE;
  feed (&repair, reader, &local);
  if (repair.saved_errno == 0 && repair.pos == self->log_bytes && fdatasync (self->fd) != 0)
    repair.saved_errno = errno;
  if (repair.saved_errno != 0)
    {
      g_autofree char *path = g_build_filename (self->folder, "log", NULL);
      cyc_error_set_errno (error, repair.saved_errno, path, "cannot make the log whole again");
      return FALSE;
    }
  if (repair.pos == self->log_bytes)
    g_message ("%s: the log was %" G_GUINT64_FORMAT " bytes long although %" G_GUINT64_FORMAT
               " were accepted; it was made whole again from the simulator's own log", self->sim_id,
               have, self->log_bytes);
  return repair.pos == self->log_bytes;
}

/* The end of the last whole line of what is left. */
static guint64
find_line_end (CycIngestSim *self,
               guint64       have)
{
  char buffer[16 * 1024];

  while (have > 0)
    {
      gsize len = (gsize) MIN (have, sizeof buffer);
      ssize_t n = pread (self->fd, buffer, len, (off_t) (have - len));
      const char *newline = n == (ssize_t) len ? memrchr (buffer, '\n', len) : NULL;
      have -= len;
      if (newline != NULL)
        return have + (guint64) (newline - buffer) + 1;
    }
  return 0;
}

/**
 * cyc_ingest_sim_lose_log:
 * @self: a sim whose log is open and shorter than its committed length
 *
 * Nothing makes the log whole again: goes on with the whole lines that are left, and ends the sim with the
 * next commit. What comes later is stored behind them.
 */
void
cyc_ingest_sim_lose_log (CycIngestSim *self)
{
  g_autofree char *path = g_build_filename (self->folder, "log", NULL);
  struct stat st = { 0 };
  /* What could be made whole of it is in it. */
  guint64 left = fstat (self->fd, &st) == 0 ? find_line_end (self, (guint64) st.st_size) : 0;

  g_free (self->lost);
  self->lost = g_strdup_printf ("%s: the disk has lost the end of the log: of %" G_GUINT64_FORMAT
                                " bytes that were accepted %" G_GUINT64_FORMAT " are left, and the simulator's"
                                " own log does not have the rest; check the disk and start the simulation again",
                                path, self->log_bytes, left);
  g_warning ("%s: %s", self->sim_id, self->lost);
  self->log_bytes = left;
  self->dirty = TRUE;
}
