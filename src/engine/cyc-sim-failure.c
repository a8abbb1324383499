/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-sim-failure.h"

#include <string.h>

#include "core/base/cyc-byte-reader.h"
#include "core/base/cyc-util.h"

/* The line that a simulation's outcome goes by: it is not kept, but found again as it was found first. */

#define PIECE (1024 * 1024)
#define MAX_STDERR (64 * 1024 * 1024)
/* Of a line; a screen does not hold more. */
#define MAX_LINE 4096

static CycSimLog *
parse_log (const char    *path,
           guint64        bytes,
           GCancellable  *cancellable,
           GError       **error)
{
  g_autoptr (CycByteReader) reader = cyc_byte_reader_open (path, error);
  g_autoptr (CycSimLog) log = cyc_sim_log_new (CYC_SIM_LOG_IDENTITY);
  g_autofree char *buffer = g_malloc (PIECE);
  gssize n = 0;

  if (reader == NULL)
    return NULL;
  while (bytes > 0 && (n = cyc_byte_reader_read (reader, buffer, MIN (bytes, PIECE), cancellable, error)) > 0)
    {
      cyc_sim_log_feed (log, buffer, (gsize) n);
      bytes -= (guint64) n;
    }
  cyc_sim_log_finish (log);
  return n < 0 ? NULL : g_steal_pointer (&log);
}

static void
take_text (CycFailureLine *line,
           const char     *text,
           gsize           len)
{
  const char *end = memchr (text, '\n', len);
  gsize whole = end == NULL ? len : (gsize) (end - text);

  line->cut = whole > MAX_LINE;
  line->text = cyc_utf8_make_valid (text, MIN (whole, MAX_LINE));
  g_strchomp (line->text);
}

static gboolean
take_log_line (CycFailureLine  *line,
               const char      *path,
               guint64          bytes,
               GError         **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInputStream) stream = g_file_read (file, NULL, error);
  char buffer[MAX_LINE + 2];
  gsize n = 0;

  if (stream == NULL || !g_seekable_seek (G_SEEKABLE (stream), (goffset) line->offset, G_SEEK_SET, NULL, error))
    return FALSE;
  if (!g_input_stream_read_all (G_INPUT_STREAM (stream), buffer, MIN (sizeof buffer, bytes - line->offset), &n, NULL,
                                error))
    return FALSE;
  take_text (line, buffer, n);
  return TRUE;
}

/**
 * cyc_sim_failure_read:
 * @folder: of a sim
 * @log_bytes: how much of its log counts
 * @sim: the sim, which has ended
 * @cancellable: (nullable): asked before every piece
 * @error: (nullable): return location for an error
 *
 * Finds the line that the sim's outcome goes by. If it is not known any more what the outcome went by, it is
 * the last line of the log. Reads all of the log: not for the main loop.
 *
 * Returns: (transfer full) (nullable): the line; its source is %CYC_SIM_EVIDENCE_NONE if there is none
 */
CycFailureLine *
cyc_sim_failure_read (const char          *folder,
                      guint64              log_bytes,
                      const CycSimRecord  *sim,
                      GCancellable        *cancellable,
                      GError             **error)
{
  g_return_val_if_fail (folder != NULL && sim != NULL, NULL);

  g_autoptr (CycFailureLine) line = g_new0 (CycFailureLine, 1);
  g_autofree char *log_path = g_build_filename (folder, "log", NULL);
  g_autofree char *err_path = g_build_filename (folder, "files", "stderr.txt", NULL);
  if (log_bytes == 0)
    return g_steal_pointer (&line);
  g_autoptr (CycSimLog) log = parse_log (log_path, log_bytes, cancellable, error);
  if (log == NULL)
    return NULL;
  gsize err_len = 0;
  g_autofree char *err = cyc_byte_reader_read_all (err_path, MAX_STDERR, &err_len, NULL);
  const CycSimLogSummary *summary = cyc_sim_log_get_summary (log);
  g_autoptr (CycSimOutcome) outcome =
    cyc_sim_outcome_decide (summary, err, err_len, sim->has_exit_code, sim->exit_code, sim->kernels_total);

  line->source = outcome->source;
  line->line = outcome->place.line;
  line->offset = outcome->place.offset;
  if (g_strcmp0 (outcome->reason, sim->reason) != 0 && summary->lines > 0)
    {
      line->source = CYC_SIM_EVIDENCE_LAST_LINE;
      line->line = summary->places[CYC_SIM_MARK_LAST_LINE].line;
      line->offset = summary->places[CYC_SIM_MARK_LAST_LINE].offset;
    }
  if (line->source == CYC_SIM_EVIDENCE_STDERR)
    take_text (line, err + line->offset, err_len - (gsize) line->offset);
  else if (line->source != CYC_SIM_EVIDENCE_NONE && !take_log_line (line, log_path, log_bytes, error))
    return NULL;
  return g_steal_pointer (&line);
}
