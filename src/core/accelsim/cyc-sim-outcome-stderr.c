/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/accelsim/cyc-sim-outcome-private.h"

#include <signal.h>
#include <string.h>

#include "core/base/cyc-util.h"

/* What stderr and the exit status say about an end. */

/* Each line that holds @what means @reason; the first row that is found decides. */
typedef struct
{
  const char *what;
  const char *reason;
  const char *text;
} CycStderrRow;

static const CycStderrRow rows[] = {
  { ": symbol lookup error: ", "simulator_missing",
    "The simulator was started with the wrong libraries. Set up its environment (setup_environment; "
    "LD_LIBRARY_PATH must name its own libcudart first), or check the installation." },
  { "error while loading shared libraries", "simulator_missing",
    "The simulator lacks a library. Set up its environment (setup_environment), or build it again." },
  { "cannot execute", "simulator_missing",
    "The simulator is not a program for this machine. Check the path of the installation." },
  { "GPGPU-Sim ** ERROR: Cannot open config file", "config_missing",
    "The simulator could not open its configuration. Check the path after -config." },
  { "GPGPU-Sim ** ERROR: Unknown Option", "config_invalid",
    "The simulator does not know an option. Remove it, or use the simulator that it is for." },
  { "GPGPU-Sim ** ERROR: Cannot parse value", "config_invalid",
    "The simulator could not read the value of an option. Correct it." },
  { "GPGPU-Sim ** ERROR: ", "config_invalid",
    "The simulator refused its configuration. Correct it." },
  { "memory_partition_indexing error", "config_invalid",
    "The configuration hashes addresses with IPOLY, which needs 16, 32 or 64 memory channels. Add "
    "-gpgpu_memory_partition_indexing 0 after the configuration, or change the number of channels." },
  { "Assertion `spec_id <", "arch_mismatch",
    "The trace uses a special unit that the configuration does not define: it is of another GPU, or "
    "trace.config was forgotten. Use the configuration of the GPU that was traced, with its "
    "trace.config." },
  { "Assertion `0 && \"undefined instruction\"'", "unknown_opcode",
    "The trace holds an instruction that this simulator does not know. Use a newer simulator, or a "
    "configuration of the GPU that was traced." },
  { "Assertion `k' failed", "no_kernels",
    "The kernels list holds no kernel, only memory copies. Choose another list, or trace again." },
  { "Unsupported file type!", "trace_invalid",
    "A line of the kernels list does not end in .traceg or .xz. Look for CR line ends and for a list "
    "that was not post-processed." },
  { "Assertion `params.size() == 3'", "trace_invalid",
    "A memory copy in the kernels list does not have three fields. Correct the line." },
  { "Assertion `line.back() == '\\n''", "trace_invalid",
    "A trace file ends in the middle of a line: it was cut. Copy or trace it again." },
  { "Assertion `warp_traces.size() > 0'", "trace_invalid",
    "A block or a warp of the trace has no instructions, or blocks are missing. Trace it again." },
  { "Assertion `reg_srcs_num <= MAX_SRC'", "trace_invalid",
    "An instruction of the trace has more than four source registers. The trace is damaged, or made "
    "by a tracer that is too new for this simulator." },
  { "Assertion `reg_dsts_num <= MAX_DST'", "trace_invalid",
    "An instruction of the trace has more than one destination register. The trace is damaged, or "
    "made by a tracer that is too new for this simulator." },
  { "Assertion `start_of_tb_stream_found'", "trace_invalid",
    "A trace has lines outside its blocks. It is damaged, or was not post-processed: process or trace "
    "it again." },
  { "Parsing error: thread block start", "trace_invalid",
    "A block of the trace begins before the one before it has ended: the trace is damaged. Process or "
    "trace it again." },
  { "Assertion `delta_index < deltas.size()'", "trace_invalid",
    "A memory instruction of the trace has fewer addresses than active threads. The trace is damaged. "
    "Trace it again." },
  { "Assertion `data_size > 0'", "trace_invalid",
    "A memory instruction of the trace has no width. The trace is damaged, or made by a tracer that "
    "this simulator does not know. Trace it again." },
  { "vector::_M_range_check", "trace_invalid",
    "A warp of the trace has more instructions than it says. Trace or process it again." },
  { "Unexpected end of input", "trace_invalid",
    "A compressed trace is cut. Copy or trace it again." },
  { "xz: not found", "trace_unreadable",
    "The program xz is not in the simulator's PATH. Install xz-utils." },
  { "Unable to open file: ", "trace_unreadable",
    "The simulator could not open a file. Check that the kernels list and the traces that it names "
    "are there." },
  { "cat: ", "trace_unreadable",
    "The simulator could not read a trace. Check that it is there and that its path has no blanks." },
  { "std::bad_alloc", "crashed",
    "The simulator ran out of memory. Simulate fewer kernels at once, or use a larger machine." },
  { "Assertion `", "assertion",
    "A check inside the simulator failed. Compare the trace's GPU with the configuration's; if they "
    "fit, report it to the simulator's authors with the trace." },
  { "terminate called", "crashed",
    "The simulator met an error that it does not handle. Check the trace and the configuration." },
  { "oom-kill", "terminated",
    "The simulator used more memory than it was granted. Ask for more, or simulate fewer kernels." },
  { "DUE TO TIME LIMIT", "terminated",
    "The time limit of the job was reached. Ask for more time." },
  { "Segmentation fault", "crashed",
    "The simulator crashed, most often at a damaged line of a trace. Check or trace it again." },
  { "Floating point exception", "crashed",
    "The simulator crashed. Local-memory stores do this in concurrent mode: simulate without it." },
  { "Bus error", "crashed", "The simulator crashed. Check the disk and the memory." },
  { "Aborted (core dumped)", "crashed", "The simulator gave up without saying why." },
};

/* These statuses come from the one who tried to start it: there is no program, or its libraries are
 * not there. */
static CycSimOutcome *
simulator_not_started (const CycSimEnd *end)
{
  if ((end->status != 127 && end->status != 126) || end->log->blocks > 0)
    return NULL;
  CycSimEvidenceSource source = CYC_SIM_EVIDENCE_NONE;
  CycSimPlace place = { 0 };
  g_autofree char *line = cyc_sim_end_dup_line_with (end, ": ", &source, &place);
  CycSimOutcome *outcome = cyc_sim_outcome_new_failed (
      "simulator_missing",
      "The simulator could not be started (exit status %d)%s%s. Check the path of the installation, "
      "that it is built and executable, and that its environment is set up.",
      end->status, line == NULL ? "" : ": ", line == NULL ? "" : line);
  return cyc_sim_outcome_set_place (outcome, source, &place);
}

/**
 * cyc_sim_outcome_from_stderr:
 * @end: an end without end marker about which the log says nothing
 *
 * Returns: (transfer full) (nullable): what stderr says
 */
CycSimOutcome *
cyc_sim_outcome_from_stderr (const CycSimEnd *end)
{
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      CycSimEvidenceSource source;
      CycSimPlace place;
      g_autofree char *line = cyc_sim_end_dup_line_with (end, rows[i].what, &source, &place);
      if (line == NULL)
        continue;
      CycSimOutcome *outcome = cyc_sim_outcome_new_failed (
          rows[i].reason, "The simulator stopped%s: \"%s\". %s", end->kernel, line, rows[i].text);
      return cyc_sim_outcome_set_place (outcome, source, &place);
    }
  return simulator_not_started (end);
}

static gboolean
is_from_outside (int signal)
{
  switch (signal)
    {
    case SIGHUP:
    case SIGINT:
    case SIGQUIT:
    case SIGKILL:
    case SIGTERM:
    case SIGPIPE:
    case SIGALRM:
    case SIGUSR1:
    case SIGUSR2:
    case SIGXCPU:
    case SIGXFSZ:
      return TRUE;
    default:
      return FALSE;
    }
}

static const char *
explain_signal_from_outside (int signal)
{
  switch (signal)
    {
    case SIGKILL:
      return "Somebody killed it, or the machine ran out of memory. Look at the system's log, then "
             "simulate again.";
    case SIGPIPE:
      return "Whoever read its output went away. Simulate again.";
    case SIGXCPU:
      return "Its limit of processor time was reached. Raise it, then simulate again.";
    case SIGXFSZ:
      return "Its limit of file size was reached. Raise it, then simulate again.";
    default:
      return "It was stopped from outside. Simulate again.";
    }
}

static const char *
explain_crash (const CycSimEnd *end)
{
  const CycSimLogSummary *log = end->log;

  if (end->signal == SIGFPE)
    return "Local-memory stores do this in concurrent mode: simulate without "
           "-gpgpu_concurrent_kernel_sm.";
  if (end->signal == SIGSEGV && log->in_flight > 0 && log->ctas_issued == 0)
    return "Check the trace of this kernel.";
  if (end->signal == SIGSEGV && g_str_has_prefix (log->last_line, "thread block = "))
    return "Most often an instruction line of the trace is damaged, or a warp has fewer lines than "
           "it says: check or trace it again. If the crash is at the end of the first kernel, the "
           "working folder could not be written.";
  if (end->signal == SIGSEGV)
    return "Check that its working folder can be written and that the trace is whole.";
  if (!log->initialized)
    return "It did not get past its start: check that -config and -trace are given and that the "
           "configuration is whole.";
  return "Its reason was lost or not given: run it with line-buffered output and keep its standard "
         "error.";
}

/**
 * cyc_sim_outcome_from_status:
 * @end: an end by a signal or with an exit status other than 0
 *
 * Returns: (transfer full): what the status says
 */
CycSimOutcome *
cyc_sim_outcome_from_status (const CycSimEnd *end)
{
  g_autofree char *status = cyc_sim_end_describe_status (end);

  if (is_from_outside (end->signal))
    return cyc_sim_outcome_new_failed ("terminated", "The simulator was ended by %s%s, after %u "
                                       "complete %s. %s",
                                       status, end->kernel, end->log->complete_blocks,
                                       cyc_sim_end_kernels (end),
                                       explain_signal_from_outside (end->signal));
  return cyc_sim_outcome_new_failed ("crashed", "The simulator ended with %s%s. %s", status,
                                     end->kernel, explain_crash (end));
}
