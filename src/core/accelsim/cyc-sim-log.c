/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/accelsim/cyc-sim-log.h"

#include <math.h>
#include <string.h>

#include "core/accelsim/cyc-sim-log-private.h"
#include "core/base/cyc-number.h"
#include "core/base/cyc-util.h"

/* What a line needs to be understood lies in front; the rest of a longer one is only counted. */
#define MAX_LINE (1024 * 1024)

/**
 * cyc_sim_log_new:
 * @flags: how much of each block is wanted
 *
 * An incremental reader of what Accel-Sim writes to its standard output. Give it the bytes as they
 * come, in pieces of any size. It keeps a small constant for each kernel in flight, nothing of the
 * log. For one thread at a time.
 *
 * Returns: (transfer full): a reader
 */
CycSimLog *
cyc_sim_log_new (CycSimLogFlags flags)
{
  CycSimLog *self = g_new0 (CycSimLog, 1);
  CycSimLogSummary *summary = &self->summary;

  self->flags = flags;
  self->pending = g_byte_array_new ();
  self->block_text = g_string_new (NULL);
  self->launches = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free,
                                          (GDestroyNotify) cyc_sim_launch_free);
  self->headers = g_queue_new ();
  summary->core_clock_mhz = NAN;
  summary->gpu_tot_sim_cycle = NAN;
  summary->gpu_tot_sim_insn = NAN;
  summary->gpu_tot_ipc = NAN;
  summary->sim_rate_ips = NAN;
  summary->liveness_cycle = NAN;
  summary->liveness_insn = NAN;
  summary->deadlock.cores = g_string_new (NULL);
  summary->deadlock.partitions = g_string_new (NULL);
  return self;
}

/**
 * cyc_sim_log_free:
 * @self: (transfer full): a reader
 */
void
cyc_sim_log_free (CycSimLog *self)
{
  g_return_if_fail (self != NULL);

  CycSimLogSummary *summary = &self->summary;
  g_byte_array_unref (self->pending);
  g_string_free (self->block_text, TRUE);
  g_hash_table_unref (self->launches);
  g_queue_free_full (self->headers, (GDestroyNotify) cyc_sim_header_free);
  g_clear_pointer (&self->header, cyc_sim_header_free);
  cyc_sim_usual_rows_clear (&self->usual_rows);
  cyc_sim_block_clear (&self->block);
  g_free ((char *) summary->accel_sim_build);
  g_free ((char *) summary->gpgpu_sim_build);
  g_free ((char *) summary->gpgpu_sim_version);
  g_free ((char *) summary->current_kernel);
  g_free ((char *) summary->current_trace);
  g_free ((char *) summary->unsupported_version);
  g_free ((char *) summary->unable_to_open);
  g_free ((char *) summary->undefined_instruction);
  g_free ((char *) summary->resource_line);
  g_free ((char *) summary->cta_size_line);
  g_free ((char *) summary->first_error);
  g_string_free (summary->deadlock.cores, TRUE);
  g_string_free (summary->deadlock.partitions, TRUE);
  g_free (self);
}

/**
 * cyc_sim_log_set_callbacks:
 * @self: a reader
 * @callbacks: (nullable): who is told, copied
 * @user_data: for the callbacks
 */
void
cyc_sim_log_set_callbacks (CycSimLog                *self,
                           const CycSimLogCallbacks *callbacks,
                           gpointer                  user_data)
{
  g_return_if_fail (self != NULL);

  self->callbacks = callbacks == NULL ? (CycSimLogCallbacks) { 0 } : *callbacks;
  self->user_data = user_data;
}

/* A machine that went down, or a full disk, leaves pieces of a file that hold zeroes; a log that was sent has
 * U+FFFD there. No simulator prints several of either. */
static void
look_for_hole (CycSimLog  *self,
               const char *line,
               gsize       len)
{
  static const char zeroes[8] = { 0 };
  static const char replaced[] = "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD";

  if (memmem (line, len, zeroes, sizeof zeroes) == NULL && memmem (line, len, replaced, sizeof replaced - 1) == NULL)
    return;
  self->summary.holes++;
  cyc_sim_log_mark (self, CYC_SIM_MARK_HOLE);
}

static void
read_line (CycSimLog  *self,
           const char *line,
           gsize       len,
           gsize       raw_len)
{
  guint64 begin = self->summary.bytes;

  self->summary.bytes += raw_len;
  self->summary.lines++;
  self->line_begin = begin;
  if (len > 0 && line[len - 1] == '\r')
    len--;
  /* What stands before the simulator's own lines is another's. */
  if (self->may_have_holes && self->seen_simulator)
    look_for_hole (self, line, len);
  if (self->in_block)
    cyc_sim_log_block_line (self, line, len, begin);
  else
    cyc_sim_log_outer_line (self, line, len, begin);
}

static void
keep_last_line (CycSimLog  *self,
                guint64     begin,
                const char *line,
                gsize       len)
{
  gsize kept = MIN (len, sizeof self->last_line - 1);

  memcpy (self->last_line, line, kept);
  self->last_line[kept] = '\0';
  self->summary.places[CYC_SIM_MARK_LAST_LINE].offset = begin;
}

static void
keep_pending (CycSimLog  *self,
              const char *bytes,
              gsize       len)
{
  gsize room = self->pending->len < MAX_LINE ? MAX_LINE - self->pending->len : 0;

  g_byte_array_append (self->pending, (const guint8 *) bytes, (guint) MIN (len, room));
  self->pending_len += len;
}

static void
add_block_text (CycSimLog  *self,
                const char *bytes,
                gsize       len)
{
  if (self->block_text->len + len <= CYC_SIM_LOG_MAX_BLOCK)
    g_string_append_len (self->block_text, bytes, (gssize) len);
  else
    self->block_text_lost = TRUE;
}

/* @raw_len is the line's true length with its end, of which @len bytes are kept. */
static void
take_line (CycSimLog  *self,
           const char *line,
           gsize       len,
           gsize       raw_len)
{
  len = MIN (len, MAX_LINE);
  if ((self->flags & CYC_SIM_LOG_FULL) != 0)
    cyc_sim_log_before_line (self, line, len, add_block_text);
  read_line (self, line, len, raw_len);
}

/* Adds to the unfinished line, and reads it if it ends in @bytes. Returns what comes after it. */
static const char *
end_pending (CycSimLog  *self,
             const char *bytes,
             const char *end)
{
  const char *newline = memchr (bytes, '\n', (gsize) (end - bytes));

  if (newline == NULL)
    {
      keep_pending (self, bytes, (gsize) (end - bytes));
      return end;
    }
  keep_pending (self, bytes, (gsize) (newline - bytes));
  gsize raw_len = self->pending_len + 1;
  self->pending_len = 0;
  keep_last_line (self, self->summary.bytes, (const char *) self->pending->data, self->pending->len);
  take_line (self, (const char *) self->pending->data, self->pending->len, raw_len);
  g_byte_array_set_size (self->pending, 0);
  return newline + 1;
}

/**
 * cyc_sim_log_feed:
 * @self: a reader
 * @bytes: (array length=len): the next bytes of the log
 * @len: how many
 *
 * Reads every line that ends in @bytes and calls back for what they tell. Of a line over 1 MiB only
 * the beginning is looked at.
 */
void
cyc_sim_log_feed (CycSimLog  *self,
                  const char *bytes,
                  gsize       len)
{
  g_return_if_fail (self != NULL && (bytes != NULL || len == 0));

  if (len == 0)
    return;
  /* Once a piece, too: such bytes are rare. */
  if (!self->may_have_holes)
    self->may_have_holes = memchr (bytes, '\0', len) != NULL || memchr (bytes, '\xEF', len) != NULL;
  const char *end = bytes + len;
  const char *last = NULL;
  gsize last_len = 0;
  if (self->pending_len > 0)
    bytes = end_pending (self, bytes, end);
  while (bytes < end)
    {
      const char *newline = memchr (bytes, '\n', (gsize) (end - bytes));
      if (newline == NULL)
        {
          keep_pending (self, bytes, (gsize) (end - bytes));
          break;
        }
      last = bytes;
      last_len = (gsize) (newline - bytes);
      take_line (self, last, last_len, last_len + 1);
      bytes = newline + 1;
    }
  /* Once a piece, not once a line: this is what takes time. */
  if (last != NULL)
    keep_last_line (self, self->summary.bytes - last_len - 1, last, last_len);
}

/**
 * cyc_sim_log_finish:
 * @self: a reader
 *
 * Says that the log ended. A last line without an end counts as seen, but no number is taken from
 * it, since it may be cut in the middle of one; a block that has not ended is handed out as partial.
 */
void
cyc_sim_log_finish (CycSimLog *self)
{
  g_return_if_fail (self != NULL);

  gboolean ends_block = FALSE;
  if (self->pending_len > 0)
    {
      const char *line = (const char *) self->pending->data;
      gsize len = self->pending->len;
      keep_last_line (self, self->summary.bytes, line, len);
      self->line_begin = self->summary.bytes;
      self->summary.lines++;
      if (self->in_block)
        ends_block = cyc_sim_log_is_whole_end (line, len);
      else
        cyc_sim_log_cut_line (self, line, len);
      if (ends_block && (self->flags & CYC_SIM_LOG_FULL) != 0)
        cyc_sim_log_before_line (self, line, len, add_block_text);
      self->summary.bytes += self->pending_len;
      self->pending_len = 0;
      g_byte_array_set_size (self->pending, 0);
    }
  if (self->in_block)
    cyc_sim_log_end_block (self, ends_block, self->summary.bytes);
}

/**
 * cyc_sim_log_get_summary:
 * @self: a reader
 *
 * Returns: (transfer none): what is known so far; valid until the next call
 */
const CycSimLogSummary *
cyc_sim_log_get_summary (CycSimLog *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  self->summary.last_line = self->last_line;
  self->summary.places[CYC_SIM_MARK_LAST_LINE].line = self->summary.lines;
  self->summary.in_flight = g_hash_table_size (self->launches);
  return &self->summary;
}
