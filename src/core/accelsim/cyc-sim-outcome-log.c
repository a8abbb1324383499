/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/accelsim/cyc-sim-outcome-private.h"

#include <signal.h>
#include <string.h>

/* What the simulator says about its end in the log itself. */

static CycSimOutcome *
from_version (const CycSimEnd *end)
{
  const char *version = end->log->unsupported_version;
  const char *trace = end->log->current_trace == NULL ? "a trace" : end->log->current_trace;

  if (strcmp (version, "0") != 0)
    return cyc_sim_outcome_mark (cyc_sim_outcome_new_failed (
        "unsupported_binary_version",
        "The trace %s is of a GPU that this simulator does not know (binary version %s). Use a newer "
        "simulator, or trace on a GPU that it knows (35, 60, 61, 70, 75, 80, 86).",
        trace, version), end, CYC_SIM_MARK_VERSION);
  CycSimEvidenceSource source = CYC_SIM_EVIDENCE_LOG;
  CycSimPlace place = end->log->places[CYC_SIM_MARK_VERSION];
  gboolean no_xz = strstr (end->err, "xz: not found") != NULL;
  g_autofree char *why = cyc_sim_end_dup_line_with (end, no_xz ? "xz: not found" : "cat: ", &source, &place);
  CycSimOutcome *outcome = no_xz
    ? cyc_sim_outcome_new_failed (
        "trace_unreadable",
        "The simulator could not read %s: the program xz is not in its PATH. Install xz-utils.", trace)
    : cyc_sim_outcome_new_failed (
        "trace_unreadable",
        "The simulator could not read the trace %s%s%s%s. Check that the file is there and that its "
        "path holds no blanks, and give the kernels list with a slash (./kernelslist.g).",
        trace, why == NULL ? "" : " (", why == NULL ? "" : why, why == NULL ? "" : ")");
  return cyc_sim_outcome_set_place (outcome, source, &place);
}

static CycSimOutcome *
from_unable_to_open (const CycSimEnd *end)
{
  const char *path = end->log->unable_to_open;

  if (g_str_has_prefix (path, "Memcpy"))
    return cyc_sim_outcome_new_failed (
        "trace_unreadable",
        "This simulator took a memory copy between kernels (%s) for a file: builds of 2022 do so in "
        "concurrent mode. Use a newer build, or simulate without -gpgpu_concurrent_kernel_sm.",
        path);
  return cyc_sim_outcome_new_failed (
      "trace_unreadable",
      "The simulator could not open %s. Check that the kernels list and the traces that it names are "
      "there and can be read.",
      path);
}

static CycSimOutcome *
from_deadlock (const CycSimEnd *end)
{
  const CycSimDeadlock *deadlock = &end->log->deadlock;
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_append_printf (text,
                          "Deadlock%s: stopped at cycle %" G_GUINT64_FORMAT " of this kernel, last "
                          "progress at cycle %" G_GUINT64_FORMAT " on core %" G_GUINT64_FORMAT
                          " (%" G_GUINT64_FORMAT " cycles before this kernel; the total in the log is "
                          "a 32-bit number that wrapped).",
                          end->kernel, deadlock->stopped_cycle, deadlock->last_cycle, deadlock->core,
                          deadlock->cycles_before);
  if (deadlock->cores->len > 0)
    g_string_append_printf (text, " Cores with live threads: %s%s.", deadlock->cores->str,
                            deadlock->more_cores ? " and others" : "");
  if (deadlock->partitions->len > 0)
    g_string_append_printf (text, " Busy memory partitions: %s.", deadlock->partitions->str);
  if (deadlock->interconnect)
    g_string_append (text, " The interconnect still holds traffic.");
  g_string_append (text,
                   " Simulate this kernel alone; set -gpgpu_deadlock_detect 0 to tell a hang from a "
                   "long stall (the check runs every 50,000 cycles); and compare the trace's GPU with "
                   "the configuration's.");
  return cyc_sim_outcome_new_failed ("deadlock", "%s", text->str);
}

static CycSimOutcome *
from_resources (const CycSimEnd *end)
{
  const char *line = end->log->cta_size_line;

  if (line == NULL)
    line = end->log->resource_line;
  return cyc_sim_outcome_new_failed (
      "resource_limit",
      "A block needs more than a core of this configuration has%s: \"%s\". Compare the trace's block "
      "size, registers and shared memory with the configuration, and use one of the GPU that was "
      "traced.",
      end->kernel, line);
}

static CycSimOutcome *
from_opcode (const CycSimEnd *end)
{
  return cyc_sim_outcome_new_failed (
      "unknown_opcode",
      "The trace holds an instruction that this simulator does not know%s: %s. Use a newer simulator, "
      "or a configuration of the GPU that was traced.",
      end->kernel, end->log->undefined_instruction);
}

/* The reason stood in the last 4 KB, which an abort throws away: only this much is left of it. */
static gboolean
lost_resource_line (const CycSimEnd *end)
{
  return end->signal == SIGABRT && end->err[strspn (end->err, " \t\r\n")] == '\0' &&
         g_str_has_prefix (end->log->last_line, "launching kernel name: ");
}

/**
 * cyc_sim_outcome_from_log:
 * @end: an end without end marker
 *
 * Returns: (transfer full) (nullable): what the log itself says
 */
CycSimOutcome *
cyc_sim_outcome_from_log (const CycSimEnd *end)
{
  const CycSimLogSummary *log = end->log;

  if (log->deadlock.found)
    return cyc_sim_outcome_mark (from_deadlock (end), end, CYC_SIM_MARK_DEADLOCK);
  if (log->resource_line != NULL || log->cta_size_line != NULL)
    return cyc_sim_outcome_mark (from_resources (end), end, log->cta_size_line != NULL ? CYC_SIM_MARK_CTA_SIZE
                                                                                     : CYC_SIM_MARK_RESOURCE);
  if (log->undefined_instruction != NULL)
    return cyc_sim_outcome_mark (from_opcode (end), end, CYC_SIM_MARK_INSTRUCTION);
  if (log->unsupported_version != NULL)
    return from_version (end);
  if (log->unable_to_open != NULL)
    return cyc_sim_outcome_mark (from_unable_to_open (end), end, CYC_SIM_MARK_OPEN);
  if (lost_resource_line (end))
    return cyc_sim_outcome_new_failed (
        "resource_limit",
        "The simulator stopped right at the launch%s without a word, as it does when a block needs "
        "more threads, registers or shared memory than a core has; the reason itself was lost in its "
        "unwritten output. Compare the trace with the configuration, or run it with line-buffered "
        "output (stdbuf -oL) to see the reason.",
        end->kernel);
  return NULL;
}
