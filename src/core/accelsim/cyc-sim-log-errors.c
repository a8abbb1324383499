/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/accelsim/cyc-sim-log-private.h"

#include <string.h>

#include "core/base/cyc-number.h"

/* The lines that tell why the simulator ended, and what lines are taken apart with. */

#define MAX_TEXT 4096

/**
 * cyc_sim_line_keep_once:
 * @field: (inout): an owned text
 * @text: (array length=len): part of a line
 * @len: its length
 *
 * Keeps the first text that comes, at most 4 KiB of it.
 */
void
cyc_sim_line_keep_once (const char **field,
                        const char  *text,
                        gsize        len)
{
  if (*field == NULL)
    *field = cyc_sim_line_dup (text, MIN (len, MAX_TEXT));
}

/**
 * cyc_sim_line_find_last:
 * @line: (array length=len): a line
 * @len: its length
 * @what: a text
 *
 * Returns: (nullable): where @what begins for the last time
 */
const char *
cyc_sim_line_find_last (const char *line,
                        gsize       len,
                        const char *what)
{
  gsize what_len = strlen (what);

  for (gsize i = len >= what_len ? len - what_len + 1 : 0; i-- > 0;)
    if (memcmp (line + i, what, what_len) == 0)
      return line + i;
  return NULL;
}

/**
 * cyc_sim_line_number_after:
 * @line: (array length=len): a line
 * @len: its length
 * @key: a text
 * @out_value: (out): the digits behind its first place in the line
 *
 * Returns: %TRUE if there is such a number
 */
gboolean
cyc_sim_line_number_after (const char *line,
                           gsize       len,
                           const char *key,
                           guint64    *out_value)
{
  const char *end = line + len;
  const char *p = memmem (line, len, key, strlen (key));

  if (p == NULL)
    return FALSE;
  p += strlen (key);
  const char *stop = p;
  while (stop < end && g_ascii_isdigit (*stop))
    stop++;
  return cyc_number_parse_uint64 (p, (gsize) (stop - p), out_value);
}

static void
clear_text (const char **field)
{
  g_free ((char *) *field);
  *field = NULL;
}

/**
 * cyc_sim_log_mark:
 * @self: a reader
 * @mark: what the line that is read tells
 *
 * Keeps the place of the first such line.
 */
void
cyc_sim_log_mark (CycSimLog  *self,
                  CycSimMark  mark)
{
  CycSimPlace *place = &self->summary.places[mark];

  if (place->line == 0)
    *place = (CycSimPlace) { self->summary.lines, self->line_begin };
}

/**
 * cyc_sim_log_forget_errors:
 * @self: a reader
 *
 * The simulator went on: what looked like the reason of its end was none.
 */
void
cyc_sim_log_forget_errors (CycSimLog *self)
{
  CycSimLogSummary *summary = &self->summary;

  if (!self->has_error)
    return;
  self->has_error = FALSE;
  clear_text (&summary->unsupported_version);
  clear_text (&summary->unable_to_open);
  clear_text (&summary->undefined_instruction);
  clear_text (&summary->resource_line);
  clear_text (&summary->cta_size_line);
  clear_text (&summary->first_error);
  for (guint i = 0; i < CYC_SIM_MARK_DEADLOCK; i++)
    summary->places[i] = (CycSimPlace) { 0 };
}

static void
take_error (CycSimLog   *self,
            const char **field,
            CycSimMark   mark,
            const char  *text,
            gsize        len)
{
  self->has_error = TRUE;
  cyc_sim_log_mark (self, mark);
  cyc_sim_line_keep_once (field, text, len);
}

/* The line's numbers are 32 bits wide, and the total is printed less the present cycle: it wraps. */
static void
read_deadlock (CycSimLog  *self,
               const char *line,
               gsize       len)
{
  CycSimDeadlock *deadlock = &self->summary.deadlock;
  guint64 total = 0, ago = 0;

  deadlock->found = TRUE;
  cyc_sim_log_mark (self, CYC_SIM_MARK_DEADLOCK);
  cyc_sim_line_number_after (line, len, "last writeback core ", &deadlock->core);
  cyc_sim_line_number_after (line, len, "@ gpu_sim_cycle ", &deadlock->last_cycle);
  cyc_sim_line_number_after (line, len, "(+ gpu_tot_sim_cycle ", &total);
  const char *bracket = cyc_sim_line_find_last (line, len, ") (");
  if (bracket != NULL)
    cyc_sim_line_number_after (bracket, (gsize) (line + len - bracket), ") (", &ago);
  deadlock->stopped_cycle = deadlock->last_cycle + ago;
  deadlock->cycles_before = (total + deadlock->stopped_cycle) & G_MAXUINT32;
}

static void
read_deadlock_detail (CycSimLog  *self,
                      const char *line,
                      gsize       len)
{
  CycSimDeadlock *deadlock = &self->summary.deadlock;
  guint64 partition;

  if (memmem (line, len, "contains traffic", 16) != NULL)
    {
      deadlock->interconnect = TRUE;
    }
  else if (cyc_sim_line_number_after (line, len, "memory partition ", &partition))
    {
      if (deadlock->partitions->len < MAX_TEXT)
        g_string_append_printf (deadlock->partitions, "%s%" G_GUINT64_FORMAT,
                                deadlock->partitions->len > 0 ? " " : "", partition);
    }
  else if (STARTS (line, len, "GPGPU-Sim uArch: DEADLOCK  ") && deadlock->cores->len == 0 &&
           g_ascii_isdigit (line[MIN (len - 1, strlen ("GPGPU-Sim uArch: DEADLOCK  "))]))
    {
      const char *cores = line + strlen ("GPGPU-Sim uArch: DEADLOCK  ");
      const char *more = memmem (cores, (gsize) (line + len - cores), "+ others", 8);
      const char *end = more == NULL ? line + len : more;
      deadlock->more_cores = more != NULL;
      g_autofree char *text = cyc_sim_line_dup (cores, MIN ((gsize) (end - cores), MAX_TEXT));
      g_string_assign (deadlock->cores, text);
    }
}

/**
 * cyc_sim_log_error_line:
 * @self: a reader outside a block
 * @line: (array length=len): a line
 * @len: its length
 *
 * Keeps what tells why the simulator is about to end.
 */
void
cyc_sim_log_error_line (CycSimLog  *self,
                        const char *line,
                        gsize       len)
{
  CycSimLogSummary *summary = &self->summary;

  if (STARTS (line, len, "unsupported binary version: "))
    take_error (self, &summary->unsupported_version, CYC_SIM_MARK_VERSION, REST_OF ("unsupported binary version: "));
  else if (STARTS (line, len, "Unable to open file: "))
    take_error (self, &summary->unable_to_open, CYC_SIM_MARK_OPEN, REST_OF ("Unable to open file: "));
  else if (STARTS (line, len, "ERROR:  undefined instruction : "))
    take_error (self, &summary->undefined_instruction, CYC_SIM_MARK_INSTRUCTION,
                REST_OF ("ERROR:  undefined instruction : "));
  else if (STARTS (line, len, "CTA size (x*y*z) = "))
    take_error (self, &summary->cta_size_line, CYC_SIM_MARK_CTA_SIZE, line, len);
  else if (STARTS (line, len, "GPGPU-Sim uArch: ERROR ** Kernel requires more resources"))
    take_error (self, &summary->resource_line, CYC_SIM_MARK_RESOURCE, line, len);
  else if (STARTS (line, len, "GPGPU-Sim uArch: ERROR ** deadlock detected"))
    read_deadlock (self, line, len);
  else if (STARTS (line, len, "GPGPU-Sim uArch: DEADLOCK") ||
           STARTS (line, len, "GPGPU-Sim uArch DEADLOCK"))
    read_deadlock_detail (self, line, len);
  if (STARTS (line, len, "ERROR") || STARTS (line, len, "GPGPU-Sim uArch: ERROR") ||
      STARTS (line, len, "GPGPU-Sim ** ERROR"))
    take_error (self, &summary->first_error, CYC_SIM_MARK_FIRST_ERROR, line, len);
}
