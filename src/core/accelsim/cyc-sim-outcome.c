/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/accelsim/cyc-sim-outcome-private.h"

#include <signal.h>
#include <string.h>

#include "core/base/cyc-util.h"

/* Every message that matters stands at the end of stderr. */
#define MAX_STDERR (256 * 1024)
/* Names of kernels made from templates run to thousands of characters. */
#define MAX_SHOWN 160

static CycSimOutcome *
outcome_new_valist (const char *outcome,
                    const char *reason,
                    const char *format,
                    va_list     args) G_GNUC_PRINTF (3, 0);

static CycSimOutcome *
outcome_new_valist (const char *outcome,
                    const char *reason,
                    const char *format,
                    va_list     args)
{
  CycSimOutcome *self = g_new0 (CycSimOutcome, 1);

  self->outcome = outcome;
  self->reason = reason;
  self->message = g_strdup_vprintf (format, args);
  return self;
}

/**
 * cyc_sim_outcome_new:
 * @outcome: a constant
 * @reason: a constant
 * @format: printf format of the message
 * @...: its arguments
 *
 * Returns: (transfer full): an outcome
 */
CycSimOutcome *
cyc_sim_outcome_new (const char *outcome,
                     const char *reason,
                     const char *format,
                     ...)
{
  va_list args;

  va_start (args, format);
  CycSimOutcome *self = outcome_new_valist (outcome, reason, format, args);
  va_end (args);
  return self;
}

/**
 * cyc_sim_outcome_new_failed:
 * @reason: a constant
 * @format: printf format of the message
 * @...: its arguments
 *
 * Returns: (transfer full): a failure
 */
CycSimOutcome *
cyc_sim_outcome_new_failed (const char *reason,
                            const char *format,
                            ...)
{
  va_list args;

  va_start (args, format);
  CycSimOutcome *self = outcome_new_valist ("failed", reason, format, args);
  va_end (args);
  return self;
}

/**
 * cyc_sim_outcome_set_place:
 * @self: an outcome
 * @source: where the line stands that it goes by
 * @place: the line
 *
 * Returns: @self
 */
CycSimOutcome *
cyc_sim_outcome_set_place (CycSimOutcome        *self,
                           CycSimEvidenceSource  source,
                           const CycSimPlace    *place)
{
  self->source = source;
  self->place = *place;
  return self;
}

/**
 * cyc_sim_outcome_mark:
 * @self: an outcome
 * @end: the end
 * @mark: a line of its log that was met
 *
 * Returns: @self, which goes by that line
 */
CycSimOutcome *
cyc_sim_outcome_mark (CycSimOutcome   *self,
                      const CycSimEnd *end,
                      CycSimMark       mark)
{
  return cyc_sim_outcome_set_place (self, CYC_SIM_EVIDENCE_LOG, &end->log->places[mark]);
}

/**
 * cyc_sim_outcome_free:
 * @self: (transfer full): an outcome
 */
void
cyc_sim_outcome_free (CycSimOutcome *self)
{
  g_return_if_fail (self != NULL);

  g_free (self->message);
  g_free (self);
}

/**
 * cyc_sim_end_describe_status:
 * @end: an end
 *
 * Returns: (transfer full): "signal 11 (Segmentation fault)", "exit status 1" or "an exit status
 *   that is not known"
 */
char *
cyc_sim_end_describe_status (const CycSimEnd *end)
{
  if (end->signal != 0)
    return g_strdup_printf ("signal %d (%s)", end->signal, g_strsignal (end->signal));
  if (end->has_status)
    return g_strdup_printf ("exit status %d", end->status);
  return g_strdup ("an exit status that is not known");
}

static char *
shorten (const char *text)
{
  if (g_utf8_strlen (text, -1) <= MAX_SHOWN)
    return g_strdup (text);
  g_autofree char *head = g_utf8_substring (text, 0, MAX_SHOWN);
  return g_strconcat (head, "…", NULL);
}

static guint64
count_newlines (const char *text,
                gsize       len)
{
  guint64 n = 0;

  for (gsize i = 0; i < len; i++)
    n += text[i] == '\n';
  return n;
}

/* Lines that hold names from outside: a word in the name of a kernel or a file means nothing. */
static gboolean
is_own_line (const char *line)
{
  static const char *const prefixes[] = {
    "launching ", "kernel_name", "-", "GPGPU-Sim uArch: Shader", "Processing kernel", "Header info",
  };

  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (g_str_has_prefix (line, prefixes[i]))
      return TRUE;
  return FALSE;
}

/**
 * cyc_sim_end_dup_line_with:
 * @end: an end
 * @what: what to look for
 * @out_source: (out): where the line stands, if there is one
 * @out_place: (out): the line; of stderr only its number in @end
 *
 * Returns: (transfer full) (nullable): the last line of stderr that holds @what, else the log's
 *   first error or last line if it does (somebody wrote both into one file), shortened
 */
char *
cyc_sim_end_dup_line_with (const CycSimEnd      *end,
                           const char           *what,
                           CycSimEvidenceSource *out_source,
                           CycSimPlace          *out_place)
{
  const char *found = g_strrstr (end->err, what);

  if (found != NULL)
    {
      const char *begin = found;
      while (begin > end->err && begin[-1] != '\n')
        begin--;
      g_autofree char *line = g_strndup (begin, strcspn (begin, "\n"));
      *out_source = CYC_SIM_EVIDENCE_STDERR;
      *out_place = (CycSimPlace) { 1 + count_newlines (end->err, (gsize) (begin - end->err)), 0 };
      return shorten (g_strstrip (line));
    }
  const struct
  {
    const char *line;
    CycSimMark  mark;
  } others[] = {
    { end->log->first_error, CYC_SIM_MARK_FIRST_ERROR },
    { is_own_line (end->log->last_line) ? NULL : end->log->last_line, CYC_SIM_MARK_LAST_LINE },
  };
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (others[i].line != NULL && strstr (others[i].line, what) != NULL)
      {
        g_autofree char *valid = cyc_utf8_make_valid (others[i].line, strlen (others[i].line));
        *out_source = CYC_SIM_EVIDENCE_LOG;
        *out_place = end->log->places[others[i].mark];
        return shorten (g_strstrip (valid));
      }
  return NULL;
}

/**
 * cyc_sim_end_kernels:
 * @end: an end
 *
 * Returns: "kernel" or "kernels", behind the number of complete ones
 */
const char *
cyc_sim_end_kernels (const CycSimEnd *end)
{
  return end->log->complete_blocks == 1 ? "kernel" : "kernels";
}

/* What was being simulated: kernel and trace, as far as the log tells. */
static char *
describe_kernel (const CycSimLogSummary *log)
{
  g_autofree char *trace = log->current_trace == NULL ? NULL : shorten (log->current_trace);

  if (log->current_kernel != NULL && log->in_flight > 0)
    {
      g_autofree char *name = shorten (log->current_kernel);
      return g_strdup_printf (" in kernel %s%s%s%s", name, trace == NULL ? "" : " (trace ",
                              trace == NULL ? "" : trace, trace == NULL ? "" : ")");
    }
  if (trace != NULL)
    return g_strdup_printf (" at trace %s", trace);
  return g_strdup ("");
}

static CycSimOutcome *
rule_limit (const CycSimEnd *end)
{
  if (!end->log->limit)
    return NULL;
  g_autofree char *status = cyc_sim_end_describe_status (end);
  gboolean odd = end->signal != 0 || (end->has_status && end->status != 0);
  CycSimOutcome *outcome = cyc_sim_outcome_new (
      "limit", "limit_reached",
      "The simulation stopped at a cap on cycles, instructions or blocks after %u complete "
      "%s%s%s; the last kernel's figures are partial. Raise or remove -gpgpu_max_cycle, "
      "-gpgpu_max_insn or -gpgpu_max_cta to simulate all of it.",
      end->log->complete_blocks, cyc_sim_end_kernels (end), odd ? " and then ended with " : "", odd ? status : "");
  return cyc_sim_outcome_mark (outcome, end, CYC_SIM_MARK_LIMIT);
}

static CycSimOutcome *
rule_missing_blocks (const CycSimEnd *end)
{
  const CycSimLogSummary *log = end->log;
  gint64 expected = end->listed;

  /* A kernel that the log says was launched needs a block, whoever knows the list. */
  if (expected < 0)
    expected = MAX ((gint64) log->launched, (gint64) log->blocks);
  if (log->starts > 1 && log->complete_blocks != expected)
    return cyc_sim_outcome_new_failed (
        "missing_blocks",
        "The log holds %u simulations, one after the other, with the results of %u kernels; those of %" G_GINT64_FORMAT
        " were expected. Read each of them from a file of its own.",
        log->starts, log->complete_blocks, expected);
  if (log->complete_blocks == expected && log->holes > 0)
    return cyc_sim_outcome_mark (
        cyc_sim_outcome_new_failed (
            "missing_blocks",
            "The simulator ended as if all were well, but the log has holes: in %" G_GUINT64_FORMAT
            " of its lines (the first is %" G_GUINT64_FORMAT ") bytes were lost, as happens when a machine goes down "
            "or a disk is full. Simulate again.",
            log->holes, log->places[CYC_SIM_MARK_HOLE].line),
        end, CYC_SIM_MARK_HOLE);
  if (log->complete_blocks == expected && log->torn_blocks > 0)
    return cyc_sim_outcome_new_failed (
        "missing_blocks",
        "The simulator ended as if all were well, but the log has holes (%u): the total of cycles jumps, or results "
        "end that do not begin. Look at the log for lines that were lost, or simulate again.",
        log->torn_blocks);
  if (log->complete_blocks == expected)
    return NULL;
  if (log->complete_blocks > expected)
    return cyc_sim_outcome_new_failed (
        "missing_blocks",
        "The log holds the results of %u kernels, but the list names %" G_GINT64_FORMAT
        ". Log and kernels list do not belong together: check which list was simulated.",
        log->complete_blocks, expected);
  return cyc_sim_outcome_new_failed (
      "missing_blocks",
      "The simulator ended as if all were well, but only %u of %" G_GINT64_FORMAT
      " kernels have results. Concurrent mode (-gpgpu_concurrent_kernel_sm 1) can drop queued "
      "kernels: simulate again without it, or look at the log for lines that were lost.",
      log->complete_blocks, expected);
}

/* The end marker was printed. */
static CycSimOutcome *
rule_finished (const CycSimEnd *end)
{
  const CycSimLogSummary *log = end->log;

  if (!log->end_marker)
    return NULL;
  g_autofree char *status = cyc_sim_end_describe_status (end);
  if (end->signal != 0 || (end->has_status && end->status != 0))
    {
      CycSimOutcome *ended = cyc_sim_outcome_from_status (end);
      g_free (ended->message);
      ended->message = g_strdup_printf (
          "The log is finished (%u complete %s), but the simulator then ended with %s. The "
          "figures in the log are whole; simulate again if they surprise.",
          log->complete_blocks, cyc_sim_end_kernels (end), status);
      return ended;
    }
  if (log->blocks == 0)
    return cyc_sim_outcome_new_failed (
        "no_kernels",
        "The simulator ended without simulating a kernel: the kernels list is empty, or none of its "
        "lines begins with \"kernel\". Process the trace again (a second run of the post-processor "
        "empties kernelslist.g), or choose another kernelslist*.g.");
  CycSimOutcome *missing = rule_missing_blocks (end);
  if (missing != NULL)
    return missing;
  return cyc_sim_outcome_new ("succeeded", "ok", "All %u %s %s simulated.", log->complete_blocks,
                              cyc_sim_end_kernels (end), log->complete_blocks == 1 ? "was" : "were");
}

static CycSimOutcome *
rule_incomplete (const CycSimEnd *end)
{
  const CycSimLogSummary *log = end->log;
  g_autoptr (GString) far = g_string_new (NULL);

  if (log->lines > 0 && log->foreign_lines == log->lines)
    return cyc_sim_outcome_new (
        "incomplete", "no_end_marker",
        "No line of this file is a simulator's: it is not the log of one, or ends before its banner. Name the file "
        "that has the simulator's standard output.");
  g_string_append_printf (far, "%u complete %s", log->complete_blocks, cyc_sim_end_kernels (end));
  if (log->liveness_cycle > 0)
    g_string_append_printf (far, ", last sign of life at cycle %.0f", log->liveness_cycle);
  if (log->ctas_total > 0 && log->in_flight > 0)
    g_string_append_printf (far, ", %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " blocks issued",
                            log->ctas_issued, log->ctas_total);
  if (log->bytes == 0)
    return cyc_sim_outcome_new (
        "incomplete", "no_end_marker",
        "The log is empty%s. The simulator did not start, is still starting, or could not write "
        "(a full disk also ends with status 0): check the disk and start it again.",
        end->has_status ? " although the simulator ended with status 0" : "");
  return cyc_sim_outcome_new (
      "incomplete", "no_end_marker",
      "The log ends%s without the simulator's end marker, and nothing says why (%s). %s: what is "
      "complete can be used; simulate again for the rest.",
      end->kernel, far->str,
      end->has_status ? "The log was cut, or the disk was full"
                      : "It was killed, still runs, or the log was cut; the exit status would tell more");
}

/* Fixed order: what the log says for certain, then stderr, then the exit status. */
static const CycSimRule rules[] = {
  rule_limit, rule_finished, cyc_sim_outcome_from_log, cyc_sim_outcome_from_stderr,
};

static CycSimOutcome *
decide (const CycSimEnd *end)
{
  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    {
      CycSimOutcome *outcome = rules[i](end);
      if (outcome != NULL)
        return outcome;
    }
  return end->signal != 0 || end->status != 0 ? cyc_sim_outcome_from_status (end) : rule_incomplete (end);
}

/* From a number in what lies behind @skip to number and offset in all of it. */
static void
find_stderr_line (CycSimPlace *place,
                  const char  *text,
                  gsize        len,
                  gsize        skip)
{
  gsize offset = skip;

  for (guint64 line = 1; line < place->line && offset < len; line++)
    {
      const char *newline = memchr (text + offset, '\n', len - offset);
      offset = newline == NULL ? len : (gsize) (newline - text) + 1;
    }
  place->line += count_newlines (text, skip);
  place->offset = offset;
}

/**
 * cyc_sim_outcome_decide:
 * @log: the summary of a log that was read to its end
 * @stderr_text: (nullable) (array length=stderr_len): what the simulator wrote to stderr
 * @stderr_len: its length
 * @has_exit: whether @exit_code is known
 * @exit_code: the exit status, or a signal as a negative number. A status over 128 is taken for that
 *   of a shell whose child ended by a signal
 * @listed_kernels: kernels in the kernels list, or -1 if that is not known
 *
 * Decides how a simulation ended, from what real builds do (an exit status of 0 and even the end
 * marker do not mean success). Words in the output of a program are never looked for where the
 * simulator's own markers decide.
 *
 * Returns: (transfer full): outcome, reason and message
 */
CycSimOutcome *
cyc_sim_outcome_decide (const CycSimLogSummary *log,
                        const char             *stderr_text,
                        gsize                   stderr_len,
                        gboolean                has_exit,
                        int                     exit_code,
                        gint64                  listed_kernels)
{
  g_return_val_if_fail (log != NULL, NULL);

  if (stderr_text == NULL)
    stderr_len = 0;
  gsize skip = stderr_len > MAX_STDERR ? stderr_len - MAX_STDERR : 0;
  g_autofree char *err = cyc_utf8_make_valid (stderr_len == 0 ? "" : stderr_text + skip,
                                              stderr_len - skip);
  g_autofree char *kernel = describe_kernel (log);
  CycSimEnd end = {
    .log = log,
    .err = err,
    .has_status = has_exit,
    .listed = listed_kernels,
    .kernel = kernel,
  };
  if (has_exit && exit_code < 0)
    end.signal = exit_code < -255 ? 255 : -exit_code;
  else if (has_exit && exit_code > 128 && exit_code <= 128 + SIGSYS)
    end.signal = exit_code - 128;
  else if (has_exit)
    end.status = exit_code;

  CycSimOutcome *outcome = decide (&end);
  if (outcome->source == CYC_SIM_EVIDENCE_STDERR)
    find_stderr_line (&outcome->place, stderr_text, stderr_len, skip);
  else if (outcome->place.line == 0 && strcmp (outcome->outcome, "succeeded") != 0 && log->lines > 0)
    cyc_sim_outcome_set_place (outcome, CYC_SIM_EVIDENCE_LAST_LINE, &log->places[CYC_SIM_MARK_LAST_LINE]);
  return outcome;
}
