/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/accelsim/cyc-sim-log-private.h"

#include <math.h>
#include <string.h>

#include "core/base/cyc-number.h"
#include "core/base/cyc-util.h"

/* The statistics blocks: from `kernel_name = ` to `gpgpu_silicon_slowdown = `. */

#define BEGIN_KEY "kernel_name = "
#define END_KEY "gpgpu_silicon_slowdown = "

/**
 * cyc_sim_launch_free:
 * @self: (transfer full): a launch
 */
void
cyc_sim_launch_free (CycSimLaunch *self)
{
  g_free (self->name);
  g_free (self);
}

/**
 * cyc_sim_header_free:
 * @self: (transfer full): a header
 */
void
cyc_sim_header_free (CycSimHeader *self)
{
  g_free (self->name);
  g_free (self);
}

/**
 * cyc_sim_block_clear:
 * @self: a block
 *
 * Frees what it holds and makes it empty.
 */
void
cyc_sim_block_clear (CycSimBlock *self)
{
  g_free (self->kernel_name);
  g_strfreev (self->names);
  g_strfreev (self->uids);
  *self = (CycSimBlock) { 0 };
}

/**
 * cyc_sim_line_starts:
 * @line: (array length=len): a line
 * @len: its length
 * @prefix: a literal
 * @prefix_len: its length
 *
 * Returns: %TRUE if the line starts with @prefix
 */
gboolean
cyc_sim_line_starts (const char *line,
                     gsize       len,
                     const char *prefix,
                     gsize       prefix_len)
{
  return len >= prefix_len && memcmp (line, prefix, prefix_len) == 0;
}

/**
 * cyc_sim_line_dup:
 * @text: (array length=len): part of a line
 * @len: its length
 *
 * Returns: (transfer full): the text as UTF-8 without blanks around it
 */
char *
cyc_sim_line_dup (const char *text,
                  gsize       len)
{
  while (len > 0 && (text[0] == ' ' || text[0] == '\t'))
    text++, len--;
  while (len > 0 && (text[len - 1] == ' ' || text[len - 1] == '\t' || text[len - 1] == '\r'))
    len--;
  return cyc_utf8_make_valid (text, len);
}

static GStrv
split_blanks (const char *text)
{
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();
  g_auto (GStrv) parts = g_strsplit (text, " ", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    if (parts[i][0] != '\0')
      g_strv_builder_add (words, parts[i]);
  return g_strv_builder_end (words);
}

/* Lines that only stand between blocks: the block before them was cut. */
static gboolean
is_outer_line (const char *line,
               gsize       len)
{
  if (len == 0)
    return FALSE;
  switch (line[0])
    {
    case 'k':
      return STARTS (line, len, BEGIN_KEY);
    case 'P':
      return STARTS (line, len, "Processing kernel ");
    case 'l':
      return STARTS (line, len, "launching kernel name: ") ||
             STARTS (line, len, "launching memcpy command : ");
    case 'D':
      return STARTS (line, len, "Destroy streams for kernel ");
    case 't':
      return STARTS (line, len, "thread block = ");
    case 'G':
      return STARTS (line, len, "GPGPU-Sim: ") || STARTS (line, len, "GPGPU-Sim uArch");
    default:
      return FALSE;
    }
}

/**
 * cyc_sim_log_before_line:
 * @self: a reader
 * @line: (array length=len): a line about to be read
 * @len: its length
 * @add: takes text of the present block
 *
 * Keeps the block's text: called before the line is understood, so that its first and last lines
 * are in it.
 */
void
cyc_sim_log_before_line (CycSimLog      *self,
                         const char     *line,
                         gsize           len,
                         CycSimTextFunc  add)
{
  if (STARTS (line, len, BEGIN_KEY))
    {
      /* A block that is open now is handed out first, with the text that it has. */
      if (self->in_block)
        cyc_sim_log_end_block (self, FALSE, self->summary.bytes);
      g_string_truncate (self->block_text, 0);
      self->block_text_lost = FALSE;
    }
  else if (!self->in_block || is_outer_line (line, len))
    {
      return;
    }
  add (self, line, len);
  add (self, "\n", 1);
}

/**
 * cyc_sim_log_begin_block:
 * @self: a reader
 * @names: (array length=len): what follows `kernel_name = `
 * @len: its length
 * @begin: where the line begins in the log
 */
void
cyc_sim_log_begin_block (CycSimLog  *self,
                         const char *names,
                         gsize       len,
                         guint64     begin)
{
  CycSimBlock *block = &self->block;

  cyc_sim_block_clear (block);
  self->in_block = TRUE;
  self->rows = (CycSimRows) { 0 };
  block->index = self->summary.blocks;
  block->offset = begin;
  block->gpu_ipc = NAN;
  block->sim_time_ns = NAN;
  block->gpu_tot_sim_cycle = NAN;
  block->gpu_tot_sim_insn = NAN;
  block->gpu_tot_ipc = NAN;
  block->sim_rate_ips = NAN;
  /* Kept whole here: how it divides is known when the uids are. */
  block->kernel_name = cyc_sim_line_dup (names, len);
}

static CycSimLaunch *
find_launch (CycSimLog *self,
             guint64    uid)
{
  gint64 key = (gint64) uid;

  return g_hash_table_lookup (self->launches, &key);
}

/* Several names in one line are joined by blanks, and names may hold blanks: the launching lines know
 * better. */
static GStrv
names_of_launches (CycSimLog *self,
                   GStrv      uids)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  for (guint i = 0; uids[i] != NULL; i++)
    {
      guint64 uid;
      CycSimLaunch *launch = NULL;
      if (cyc_number_parse_uint64 (uids[i], strlen (uids[i]), &uid))
        launch = find_launch (self, uid);
      if (launch == NULL)
        return NULL;
      g_strv_builder_add (names, launch->name);
    }
  return g_strv_builder_end (names);
}

/* The names that the block's own line lists, one for each uid where that can be told. */
static GStrv
split_names (CycSimLog *self,
             GStrv      uids)
{
  const char *whole = self->block.kernel_name;
  guint n_uids = g_strv_length (uids);
  char *one[] = { (char *) whole, NULL };

  if (whole[0] == '\0')
    return g_new0 (char *, 1);
  if (n_uids == 1)
    return g_strdupv (one);
  g_auto (GStrv) launched = names_of_launches (self, uids);
  g_autofree char *joined = launched == NULL ? NULL : g_strjoinv (" ", launched);
  if (g_strcmp0 (joined, whole) == 0)
    return g_steal_pointer (&launched);
  g_auto (GStrv) words = split_blanks (whole);
  if (g_strv_length (words) == n_uids)
    return g_steal_pointer (&words);
  return g_strdupv (one);
}

static const char *
name_of_uid (CycSimBlock  *block,
             CycSimLaunch *launch)
{
  g_autofree char *uid = g_strdup_printf ("%" G_GUINT64_FORMAT, block->uid);

  if (launch != NULL)
    return launch->name;
  if (!block->has_uid)
    return block->kernel_name;
  for (guint i = 0; !block->names_differ && block->uids[i] != NULL; i++)
    if (strcmp (block->uids[i], uid) == 0)
      return block->names[i];
  return "";
}

/* Who finished: the `Destroy streams` line knows; else a block that lists one kernel. */
static void
identify (CycSimLog *self)
{
  CycSimBlock *block = &self->block;

  if (block->uids == NULL)
    block->uids = g_new0 (char *, 1);
  guint n_uids = g_strv_length (block->uids);
  block->names = split_names (self, block->uids);
  block->names_differ = g_strv_length (block->names) != n_uids;
  if (self->has_destroyed)
    {
      block->has_uid = TRUE;
      block->uid = self->destroyed_uid;
    }
  else if (n_uids == 1)
    {
      block->has_uid = cyc_number_parse_uint64 (block->uids[0], strlen (block->uids[0]), &block->uid);
    }

  CycSimLaunch *launch = block->has_uid ? find_launch (self, block->uid) : NULL;
  block->concurrent = self->most_in_flight > 1 || n_uids > 1 ||
                      (launch != NULL && launch->launched_at < block->index);
  cyc_set_str (&block->kernel_name, name_of_uid (block, launch));
}

/* All thread blocks of a kernel that finished were issued, so they leave both counts. */
static void
subtract_ctas (CycSimLogSummary   *summary,
               const CycSimLaunch *launch)
{
  summary->ctas_issued -= MIN (summary->ctas_issued, launch->ctas);
  summary->ctas_total -= MIN (summary->ctas_total, launch->ctas);
}

static void
forget_finished (CycSimLog *self)
{
  CycSimLogSummary *summary = &self->summary;

  if (self->block.has_uid)
    {
      gint64 key = (gint64) self->block.uid;
      CycSimLaunch *launch = g_hash_table_lookup (self->launches, &key);
      if (launch != NULL)
        subtract_ctas (summary, launch);
      g_hash_table_remove (self->launches, &key);
    }
  self->has_destroyed = FALSE;
  self->most_in_flight = g_hash_table_size (self->launches);
  if (self->most_in_flight == 0)
    {
      summary->ctas_issued = 0;
      summary->ctas_total = 0;
    }
}

static void
take_totals (CycSimLog *self)
{
  CycSimLogSummary *summary = &self->summary;
  const CycSimBlock *block = &self->block;

  if (!isnan (block->gpu_tot_sim_cycle))
    summary->gpu_tot_sim_cycle = block->gpu_tot_sim_cycle;
  if (!isnan (block->gpu_tot_sim_insn))
    summary->gpu_tot_sim_insn = block->gpu_tot_sim_insn;
  if (!isnan (block->gpu_tot_ipc))
    summary->gpu_tot_ipc = block->gpu_tot_ipc;
  if (!isnan (block->sim_rate_ips))
    summary->sim_rate_ips = block->sim_rate_ips;
}

static void
retract (CycSimLog *self)
{
  self->last_was_complete = FALSE;
  self->summary.complete_blocks--;
  if (self->callbacks.partial != NULL)
    self->callbacks.partial (self->summary.blocks - 1, self->user_data);
}

/* A block that has its first and its last line may still lack some in between: the log was cut there. All
 * blocks of a log have as many rows of some kinds, and what the kernel did. */
static gboolean
lacks_lines (CycSimLog *self)
{
  const CycSimBlock *block = &self->block;

  if (!self->rows.has_channels)
    return self->usual_rows.most > 0;
  if (!block->has_cycle || !block->has_insn || isnan (block->gpu_tot_sim_cycle) || isnan (block->gpu_tot_sim_insn))
    return TRUE;
  CycSimRowsJudgement judgement = cyc_sim_rows_judge (&self->rows, &self->usual_rows, block);
  if (judgement == CYC_SIM_ROWS_LACK)
    return TRUE;
  if (judgement == CYC_SIM_ROWS_LACKED_BEFORE && self->last_was_complete)
    retract (self);
  return FALSE;
}

/* Of a block that is missing altogether, the totals of the next one tell. */
static void
check_total (CycSimLog *self)
{
  const CycSimBlock *block = &self->block;
  double total = block->gpu_tot_sim_cycle;

  if (isnan (total))
    return;
  if (block->has_cycle && total >= self->last_total && total - self->last_total != (double) block->gpu_sim_cycle)
    self->summary.torn_blocks++;
  self->last_total = total;
}

/**
 * cyc_sim_log_end_block:
 * @self: a reader inside a block
 * @complete: whether the block has its last line
 * @end: where the block ends in the log
 *
 * Hands the block out.
 */
void
cyc_sim_log_end_block (CycSimLog *self,
                       gboolean   complete,
                       guint64    end)
{
  CycSimLogSummary *summary = &self->summary;
  CycSimBlock *block = &self->block;

  self->in_block = FALSE;
  block->complete = complete;
  block->partial = !complete || self->capped || lacks_lines (self);
  check_total (self);
  block->length = end - block->offset;
  identify (self);
  if (block->has_cycle && summary->core_clock_mhz > 0)
    block->sim_time_ns = (double) block->gpu_sim_cycle / summary->core_clock_mhz * 1000.0;
  summary->blocks++;
  if (!block->partial)
    summary->complete_blocks++;
  self->last_was_complete = !block->partial;
  self->launched_before = summary->launched;
  take_totals (self);
  forget_finished (self);
  if ((self->flags & CYC_SIM_LOG_FULL) != 0 && !self->block_text_lost)
    {
      block->text = self->block_text->str;
      block->text_len = self->block_text->len;
    }
  if (self->callbacks.block != NULL)
    self->callbacks.block (block, self->user_data);
  cyc_sim_block_clear (block);
}

/**
 * cyc_sim_log_is_whole_end:
 * @line: (array length=len): a last line without an end, in a block
 * @len: its length
 *
 * Returns: %TRUE if it is the last line of a block and lacks nothing but its end
 */
gboolean
cyc_sim_log_is_whole_end (const char *line,
                          gsize       len)
{
  return STARTS (line, len, END_KEY) && (line[len - 1] == 'x' || STARTS (line, len, END_KEY "Nan"));
}

/**
 * cyc_sim_log_mark_limit:
 * @self: a reader
 *
 * A cap was reached: the last block, printed before this is told, covers part of a kernel.
 */
void
cyc_sim_log_mark_limit (CycSimLog *self)
{
  CycSimLogSummary *summary = &self->summary;

  if (self->in_block)
    cyc_sim_log_end_block (self, FALSE, summary->bytes);
  summary->limit = TRUE;
  self->capped = TRUE;
  cyc_sim_log_mark (self, CYC_SIM_MARK_LIMIT);
  /* A kernel that was launched since has no block: the last one is of another, and whole. */
  if (!self->last_was_complete || summary->launched != self->launched_before)
    return;
  retract (self);
}

/* Nothing is counted below zero: such a number has wrapped, or is none. */
static void
take_count (const char *text,
            gsize       len,
            gboolean   *has,
            gint64     *value)
{
  *has = cyc_number_parse_int64 (text, len, value) && *value >= 0;
}

static void
take_double (const char *text,
             gsize       len,
             double     *value)
{
  double number;

  if (cyc_number_parse_double (text, len, &number))
    *value = number;
}

static void
read_gpu_line (CycSimBlock *block,
               const char  *line,
               gsize        len)
{
  if (STARTS (line, len, "gpu_sim_cycle = "))
    take_count (REST_OF ("gpu_sim_cycle = "), &block->has_cycle, &block->gpu_sim_cycle);
  else if (STARTS (line, len, "gpu_sim_insn = "))
    take_count (REST_OF ("gpu_sim_insn = "), &block->has_insn, &block->gpu_sim_insn);
  else if (STARTS (line, len, "gpu_ipc = "))
    take_double (REST_OF ("gpu_ipc = "), &block->gpu_ipc);
  else if (STARTS (line, len, "gpu_tot_sim_cycle = "))
    take_double (REST_OF ("gpu_tot_sim_cycle = "), &block->gpu_tot_sim_cycle);
  else if (STARTS (line, len, "gpu_tot_sim_insn = "))
    take_double (REST_OF ("gpu_tot_sim_insn = "), &block->gpu_tot_sim_insn);
  else if (STARTS (line, len, "gpu_tot_ipc = "))
    take_double (REST_OF ("gpu_tot_ipc = "), &block->gpu_tot_ipc);
}

static void
read_rate (CycSimBlock *block,
           const char  *line,
           gsize        len)
{
  static const char unit[] = "(inst/sec)";
  const char *value = line + strlen ("gpgpu_simulation_rate = ");
  const char *end = line + len;
  const char *bracket = memchr (value, '(', (gsize) (end - value));

  /* The same key counts cycles a second on the next line. */
  if (bracket != NULL && STARTS (bracket, (gsize) (end - bracket), unit))
    take_double (value, (gsize) (bracket - value), &block->sim_rate_ips);
}

static void
read_kernel_line (CycSimBlock *block,
                  const char  *line,
                  gsize        len)
{
  if (STARTS (line, len, "kernel_launch_uid = "))
    {
      g_autofree char *text = cyc_sim_line_dup (REST_OF ("kernel_launch_uid = "));
      g_strfreev (block->uids);
      block->uids = split_blanks (text);
    }
  else if (STARTS (line, len, "kernel_stream_id = "))
    {
      block->has_stream = cyc_number_parse_uint64 (REST_OF ("kernel_stream_id = "), &block->stream_id);
    }
}

/**
 * cyc_sim_log_block_line:
 * @self: a reader inside a block
 * @line: (array length=len): a line
 * @len: its length
 * @begin: where it begins in the log
 *
 * Most lines of a log come here: it looks at the first character and little else.
 */
void
cyc_sim_log_block_line (CycSimLog  *self,
                        const char *line,
                        gsize       len,
                        guint64     begin)
{
  if (len == 0)
    return;
  cyc_sim_rows_count (&self->rows, line, len);
  if (line[0] == 'g')
    {
      if (STARTS (line, len, "gpu_"))
        read_gpu_line (&self->block, line, len);
      else if (STARTS (line, len, "gpgpu_simulation_rate = "))
        read_rate (&self->block, line, len);
      else if (STARTS (line, len, END_KEY))
        cyc_sim_log_end_block (self, TRUE, self->summary.bytes);
      return;
    }
  if (line[0] == 'k' && !STARTS (line, len, BEGIN_KEY))
    {
      read_kernel_line (&self->block, line, len);
      return;
    }
  if (line[0] == 'G' && STARTS (line, len, "GPGPU-Sim Cycle "))
    {
      cyc_sim_log_liveness (self, line, len);
      return;
    }
  if (is_outer_line (line, len))
    {
      cyc_sim_log_end_block (self, FALSE, begin);
      cyc_sim_log_outer_line (self, line, len, begin);
    }
}
