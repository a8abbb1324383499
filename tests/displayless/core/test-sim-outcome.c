/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "core/accelsim/cyc-sim-outcome.h"
#include "displayless/core/sim-logs.h"

/* How each recorded run ended, by what was provoked, and what can be said with less known. */
typedef struct
{
  const char *label;
  const char *reason;        /* with everything known */
  const char *outcome_log;   /* from the log alone */
  const char *outcome_err;   /* from log and stderr */
} Recorded;

static const Recorded recorded[] = {
  { "syn5-70-QV100", "ok", "succeeded", "succeeded" },
  { "syn5-86-RTX3070", "ok", "succeeded", "succeeded" },
  { "syn5-70-RTX2060", "ok", "succeeded", "succeeded" },
  { "syn5ctx-86-RTX3070", "ok", "succeeded", "succeeded" },
  { "rel22-syn5-86-RTX3070", "ok", "succeeded", "succeeded" },
  { "ms-serial-RTX3070", "ok", "succeeded", "succeeded" },
  { "ms-concurrent-RTX3070", "ok", "succeeded", "succeeded" },
  { "ok-nomem-RTX3070", "ok", "succeeded", "succeeded" },
  { "ok-max-cycle", "limit_reached", "limit", "limit" },
  { "ok-max-insn", "limit_reached", "limit", "limit" },
  { "fail-missing-trace", "trace_unreadable", "failed", "failed" },
  { "fail-empty-list", "no_kernels", "failed", "failed" },
  { "fail-binver90", "unsupported_binary_version", "failed", "failed" },
  { "fail-deadlock", "deadlock", "failed", "failed" },
  { "fail-garbage-line", "crashed", "incomplete", "incomplete" },
  { "fail-unknown-opcode", "unknown_opcode", "failed", "failed" },
  { "fail-shmem-too-big", "resource_limit", "incomplete", "incomplete" },
  { "fail-shmem-too-big-linebuf", "resource_limit", "failed", "failed" },
  { "fail-sigTERM", "terminated", "incomplete", "incomplete" },
  { "fail-missing-config", "config_missing", "incomplete", "failed" },
  { "fail-no-trace-config", "arch_mismatch", "incomplete", "failed" },
  { "fail-name-with-spaces", "ok", "succeeded", "succeeded" },
  { "fail-truncated-mid-line", "trace_invalid", "incomplete", "failed" },
  { "fail-relative-no-slash", "trace_unreadable", "failed", "failed" },
  { "fail-crlf", "trace_invalid", "incomplete", "failed" },
};

static const Recorded *
find_recorded (const char *label)
{
  for (guint i = 0; i < G_N_ELEMENTS (recorded); i++)
    if (strcmp (recorded[i].label, label) == 0)
      return &recorded[i];
  g_error ("the index names %s, which this test does not know", label);
}

static void
test_recorded (void)
{
  g_autoptr (GPtrArray) rows = sim_logs_read_index ();

  for (guint i = 0; i < rows->len; i++)
    {
      const SimLogRow *row = rows->pdata[i];
      const Recorded *known = find_recorded (row->label);
      gsize len, err_len;
      g_autofree char *bytes = sim_logs_load (row->label, &len);
      g_autofree char *err = sim_logs_load_err (row->label, &err_len);
      g_autoptr (CycSimLog) log = sim_logs_parse (bytes, len);
      const CycSimLogSummary *summary = cyc_sim_log_get_summary (log);

      g_test_message ("%s", row->label);
      g_autoptr (CycSimOutcome) all =
          cyc_sim_outcome_decide (summary, err, err_len, TRUE, row->exit_code, row->listed);
      g_test_message ("%s", all->message);
      g_assert_cmpstr (all->outcome, ==, row->outcome);
      g_assert_cmpstr (all->reason, ==, known->reason);
      g_assert_true (g_utf8_validate (all->message, -1, NULL));
      g_autoptr (CycSimOutcome) alone = cyc_sim_outcome_decide (summary, NULL, 0, FALSE, 0, -1);
      g_assert_cmpstr (alone->outcome, ==, known->outcome_log);
      g_autoptr (CycSimOutcome) with_err =
          cyc_sim_outcome_decide (summary, err, err_len, FALSE, 0, -1);
      g_assert_cmpstr (with_err->outcome, ==, known->outcome_err);
      /* A shell's way to tell of a signal. */
      int shell = row->exit_code < 0 ? 128 - row->exit_code : row->exit_code;
      g_autoptr (CycSimOutcome) by_shell =
          cyc_sim_outcome_decide (summary, err, err_len, TRUE, shell, row->listed);
      g_assert_cmpstr (by_shell->reason, ==, all->reason);
    }
}

/* The line that each goes by: its number as grep gives it, and how it begins. */
typedef struct
{
  const char           *label;
  CycSimEvidenceSource  source;
  guint64               line;
  const char           *begins;
} Evidence;

static const Evidence evidence[] = {
  { "ok-max-cycle", CYC_SIM_EVIDENCE_LOG, 3635, "GPGPU-Sim: ** break due to reaching the maximum" },
  { "fail-binver90", CYC_SIM_EVIDENCE_LOG, 287, "unsupported binary version: 90" },
  { "fail-deadlock", CYC_SIM_EVIDENCE_LOG, 5437, "GPGPU-Sim uArch: ERROR ** deadlock detected: last" },
  { "fail-unknown-opcode", CYC_SIM_EVIDENCE_LOG, 2067, "ERROR:  undefined instruction : ZZADD" },
  { "fail-shmem-too-big-linebuf", CYC_SIM_EVIDENCE_LOG, 2003, "GPGPU-Sim uArch: ERROR ** Kernel requires" },
  { "fail-missing-trace", CYC_SIM_EVIDENCE_STDERR, 1, "cat: sim-work/traces/fail/missing-trace/kernel-9" },
  { "fail-missing-config", CYC_SIM_EVIDENCE_STDERR, 3, "GPGPU-Sim ** ERROR: Cannot open config file" },
  { "fail-crlf", CYC_SIM_EVIDENCE_STDERR, 2, "  what():  Unsupported file type!" },
  { "fail-no-trace-config", CYC_SIM_EVIDENCE_STDERR, 1, "accel-sim.out: shader.cc:1489: void scheduler_unit" },
  { "fail-sigTERM", CYC_SIM_EVIDENCE_LAST_LINE, 0, "thread block = 15,15,0" },
  { "fail-empty-list", CYC_SIM_EVIDENCE_LAST_LINE, 0, "GPGPU-Sim: *** exit detected ***" },
  { "syn5-86-RTX3070", CYC_SIM_EVIDENCE_NONE, 0, NULL },
};

static guint64
count_lines (const char *bytes,
             gsize       len)
{
  guint64 n = 0;

  for (gsize i = 0; i < len; i++)
    n += bytes[i] == '\n';
  return n;
}

static const SimLogRow *
find_row (GPtrArray  *rows,
          const char *label)
{
  for (guint i = 0; i < rows->len; i++)
    if (strcmp (((const SimLogRow *) rows->pdata[i])->label, label) == 0)
      return rows->pdata[i];
  g_error ("the index does not name %s", label);
}

static void
assert_evidence (const Evidence  *wanted,
                 const SimLogRow *row,
                 gsize            piece)
{
  gsize len, err_len;
  g_autofree char *bytes = sim_logs_load (row->label, &len);
  g_autofree char *err = sim_logs_load_err (row->label, &err_len);
  g_autoptr (CycSimLog) log = cyc_sim_log_new (CYC_SIM_LOG_IDENTITY);

  for (gsize i = 0; i < len; i += piece)
    cyc_sim_log_feed (log, bytes + i, MIN (piece, len - i));
  cyc_sim_log_finish (log);
  g_autoptr (CycSimOutcome) outcome =
      cyc_sim_outcome_decide (cyc_sim_log_get_summary (log), err, err_len, TRUE, row->exit_code, row->listed);
  g_test_message ("%s", row->label);
  g_assert_cmpint (outcome->source, ==, wanted->source);
  if (wanted->source == CYC_SIM_EVIDENCE_NONE)
    return;
  const char *text = wanted->source == CYC_SIM_EVIDENCE_STDERR ? err : bytes;
  if (wanted->source == CYC_SIM_EVIDENCE_LAST_LINE)
    g_assert_cmpuint (outcome->place.line, ==, count_lines (bytes, len - 1) + 1);
  else
    g_assert_cmpuint (outcome->place.line, ==, wanted->line);
  g_assert_true (g_str_has_prefix (text + outcome->place.offset, wanted->begins));
  g_assert_true (outcome->place.offset == 0 || text[outcome->place.offset - 1] == '\n');
}

/* However the log comes in pieces. */
static void
test_evidence (void)
{
  g_autoptr (GPtrArray) rows = sim_logs_read_index ();

  for (guint i = 0; i < G_N_ELEMENTS (evidence); i++)
    {
      const SimLogRow *row = find_row (rows, evidence[i].label);
      assert_evidence (&evidence[i], row, 7);
      assert_evidence (&evidence[i], row, 65536);
    }
}

/* Only the end of a long stderr is looked at, but its lines are numbered from the start. */
static void
test_evidence_far (void)
{
  g_autoptr (CycSimLog) log = sim_logs_parse ("Accel-Sim [build x]\n", 20);
  g_autoptr (GString) err = g_string_new (NULL);

  for (guint i = 0; i < 50000; i++)
    g_string_append (err, "warning of a library\n");
  gsize offset = err->len;
  g_string_append (err, "a.out: f.cc:1: void f(): Assertion `x' failed.\nAborted\n");
  g_autoptr (CycSimOutcome) outcome =
      cyc_sim_outcome_decide (cyc_sim_log_get_summary (log), err->str, err->len, TRUE, -6, 1);
  g_assert_cmpstr (outcome->reason, ==, "assertion");
  g_assert_cmpint (outcome->source, ==, CYC_SIM_EVIDENCE_STDERR);
  g_assert_cmpuint (outcome->place.line, ==, 50001);
  g_assert_cmpuint (outcome->place.offset, ==, offset);
}

#define BANNER "Accel-Sim [build x]\n\n        *** GPGPU-Sim Simulator Version 4.2.0  [build y] ***\n"
#define READY "GPGPU-Sim uArch: performance model initialization complete.\n"
#define END "GPGPU-Sim: *** simulation thread exiting ***\nGPGPU-Sim: *** exit detected ***\n"
#define LAUNCH "launching kernel name: k uid: 1 cuda_stream_id: 0\n"
#define RUNNING BANNER READY "Processing kernel d/kernel-1.traceg\n" LAUNCH "thread block = 0,0,0\n"
#define BLOCK \
  "Destroy streams for kernel 1: size 0\nkernel_name = k \nkernel_launch_uid = 1 \n" \
  "gpu_sim_cycle = 10\ngpu_sim_insn = 20\ngpgpu_silicon_slowdown = 3x\n"
#define LIMIT "GPGPU-Sim: ** break due to reaching the maximum cycles (or instructions) **\n"
#define ASSERT(text) "accel-sim.out: f.cc:1: void f(): Assertion `" text "' failed.\n"
#define UNKNOWN G_MININT /* exit status not given */

/* An ending made by hand, after section 2 of what was measured of the real simulator. */
typedef struct
{
  const char *log;
  const char *err;
  int         exit_code;
  gint64      listed;
  const char *outcome;
  const char *reason;
  const char *says; /* part of the message */
} Ending;

static const Ending endings[] = {
  /* The trace and the list. */
  { RUNNING "unsupported binary version: 0\n", "cat: d/kernel-1.traceg: No such file or directory\n",
    0, 1, "failed", "trace_unreadable", "cat: d/kernel-1.traceg: No such file" },
  { RUNNING "unsupported binary version: 0\n", "sh: 1: xz: not found\n", 0, 1, "failed",
    "trace_unreadable", "xz-utils" },
  { BANNER READY "Unable to open file: d/kernelslist.g\n", "", 1, -1, "failed", "trace_unreadable",
    "d/kernelslist.g" },
  { BANNER READY, "Unable to open file: d/kernelslist.g\n", 1, -1, "failed", "trace_unreadable",
    "d/kernelslist.g" },
  { RUNNING "Unable to open file: MemcpyHtoD,0x00,64\n", "", 1, 2, "failed", "trace_unreadable",
    "concurrent" },
  { BANNER READY END, "", 0, 0, "failed", "no_kernels", "empty" },
  { BANNER READY END, "", UNKNOWN, -1, "failed", "no_kernels", "empty" },
  { BANNER, ASSERT ("k"), -6, 0, "failed", "no_kernels", "memory copies" },
  { BANNER, ASSERT ("params.size() == 3"), -6, 1, "failed", "trace_invalid", "three fields" },
  { BANNER READY "Processing kernel d/kernel-1.trace\n",
    "terminate called after throwing an instance of 'std::runtime_error'\n  what():  Unsupported file "
    "type!\n", -6, 1, "failed", "trace_invalid", ".traceg" },
  { RUNNING "unsupported binary version: 89\n", "", 0, 1, "failed", "unsupported_binary_version",
    "binary version 89" },
  { RUNNING "ERROR:  undefined instruction : ZZADD Opcode: ZZADD\n",
    ASSERT ("0 && \"undefined instruction\""), -6, 1, "failed", "unknown_opcode", "ZZADD" },
  { RUNNING, ASSERT ("0 && \"undefined instruction\""), UNKNOWN, 1, "failed", "unknown_opcode",
    "instruction" },
  { RUNNING, "", -11, 1, "failed", "crashed", "instruction line" },
  { RUNNING, "terminate called after throwing an instance of 'std::out_of_range'\n  what():  "
    "vector::_M_range_check: __n (which is 7) >= this->size() (which is 7)\n", -6, 1, "failed",
    "trace_invalid", "more instructions" },
  { RUNNING, ASSERT ("reg_srcs_num <= MAX_SRC"), -6, 1, "failed", "trace_invalid", "four source" },
  { RUNNING, ASSERT ("reg_dsts_num <= MAX_DST"), -6, 1, "failed", "trace_invalid", "destination" },
  { RUNNING, ASSERT ("start_of_tb_stream_found"), -6, 1, "failed", "trace_invalid", "outside" },
  { RUNNING, ASSERT ("0 && \"Parsing error: thread block start before the previous one \" \"finishes\""),
    -6, 1, "failed", "trace_invalid", "begins before" },
  { RUNNING, ASSERT ("delta_index < deltas.size()"), -6, 1, "failed", "trace_invalid", "fewer addresses" },
  { RUNNING, ASSERT ("data_size > 0"), -6, 1, "failed", "trace_invalid", "no width" },
  { RUNNING, ASSERT ("warp_traces.size() > 0"), -6, 1, "failed", "trace_invalid", "no instructions" },
  { RUNNING, "xz: d/kernel-1.traceg.xz: Unexpected end of input\n" ASSERT ("line.back() == '\\n'"),
    -6, 1, "failed", "trace_invalid", "middle of a line" },
  { RUNNING BLOCK END, "", 0, 1, "succeeded", "ok", "All 1" },
  /* Resources, configuration. */
  { BANNER READY LAUNCH, "", -6, 1, "failed", "resource_limit", "line-buffered" },
  { BANNER READY LAUNCH "CTA size (x*y*z) = 4096, max supported = 1536\n", "", -6, 1, "failed",
    "resource_limit", "4096, max supported = 1536" },
  { BANNER READY LAUNCH "GPGPU-Sim uArch: ERROR ** Kernel requires more resources than shader has.\n",
    "", -6, 1, "failed", "resource_limit", "requires more resources" },
  { BANNER, "GPGPU-Sim ** ERROR: Cannot open config file './x.config'\n", 1, 1, "failed",
    "config_missing", "./x.config" },
  { BANNER, "\n\nGPGPU-Sim ** ERROR: Unknown Option: '-x' \n", 1, 1, "failed", "config_invalid",
    "'-x'" },
  { BANNER, "GPGPU-Sim ** ERROR: Cannot parse value 'abc' for option '-gpgpu_n_clusters'.\n", 1, 1,
    "failed", "config_invalid", "-gpgpu_n_clusters" },
  /* Both in one file. */
  { BANNER "GPGPU-Sim ** ERROR: Unknown Option: '-y' \n", "", 1, 1, "failed", "config_invalid",
    "'-y'" },
  { BANNER, "", -6, -1, "failed", "crashed", "-config and -trace" },
  { RUNNING, ASSERT ("spec_id < m_shader->m_config->m_specialized_unit.size()"), -6, 1, "failed",
    "arch_mismatch", "trace.config" },
  { RUNNING, "\"\\nmemory_partition_indexing error: The number of \" \"channels should be \" \"16\"\n",
    -6, 1, "failed", "config_invalid", "-gpgpu_memory_partition_indexing 0" },
  { RUNNING, ASSERT ("some_other == check"), -6, 1, "failed", "assertion", "some_other == check" },
  { RUNNING, "terminate called after throwing an instance of 'std::bad_alloc'\n", -6, 1, "failed",
    "crashed", "memory" },
  { RUNNING "gpu", "", -8, 1, "failed", "crashed", "concurrent" },
  /* From outside. */
  { RUNNING, "", -15, 1, "failed", "terminated", "signal 15" },
  { RUNNING, "", -2, 1, "failed", "terminated", "signal 2" },
  { RUNNING, "", -1, 1, "failed", "terminated", "signal 1" },
  { RUNNING, "", -9, 1, "failed", "terminated", "memory" },
  { RUNNING, "", -13, 1, "failed", "terminated", "output" },
  { RUNNING, "", 143, 1, "failed", "terminated", "signal 15" },
  { "", "", 0, 1, "incomplete", "no_end_marker", "disk" },
  { "", "", 127, 1, "failed", "simulator_missing", "127" },
  { "", "sh: 1: accel-sim.out: not found\n", 127, -1, "failed", "simulator_missing", "not found" },
  { "", "", 126, 1, "failed", "simulator_missing", "126" },
  { BANNER, "accel-sim.out: symbol lookup error: accel-sim.out: undefined symbol: x\n", 127, 1,
    "failed", "simulator_missing", "symbol lookup error" },
  { "", "accel-sim.out: symbol lookup error: accel-sim.out: undefined symbol: x\n", UNKNOWN, -1,
    "failed", "simulator_missing", "LD_LIBRARY_PATH" },
  { "", "sh: ./accel-sim.out: cannot execute binary file\n", UNKNOWN, -1, "failed",
    "simulator_missing", "cannot execute" },
  { RUNNING, "", 3, 1, "failed", "crashed", "exit status 3" },
  /* The end marker is not all. */
  { RUNNING BLOCK END, "", 0, 2, "failed", "missing_blocks", "1 of 2" },
  { RUNNING BLOCK END, "", UNKNOWN, -1, "succeeded", "ok", "All 1" },
  { RUNNING BLOCK END, "", 0, 0, "failed", "missing_blocks", "names 0" },
  { RUNNING BLOCK "launching kernel name: j uid: 2\n" END, "", 0, -1, "failed", "missing_blocks",
    "1 of 2" },
  { RUNNING BLOCK END, "", 1, 1, "failed", "crashed", "exit status 1" },
  { RUNNING BLOCK END, "", -11, 1, "failed", "crashed", "signal 11" },
  { RUNNING BLOCK END, "", -15, 1, "failed", "terminated", "signal 15" },
  { RUNNING BLOCK LIMIT END, "", 0, 5, "limit", "limit_reached", "-gpgpu_max_cycle" },
  { RUNNING BLOCK LIMIT END, "", UNKNOWN, -1, "limit", "limit_reached", "partial" },
  { RUNNING BLOCK, "", 0, 1, "incomplete", "no_end_marker", "disk was full" },
  { RUNNING BLOCK, "", UNKNOWN, -1, "incomplete", "no_end_marker", "1 complete" },
  /* Words in output and in names mean nothing where markers decide. */
  { RUNNING BLOCK "0 tests failed\n" END, "warning: cat: nothing failed, Assertion passed\n", 0, 1,
    "succeeded", "ok", "All 1" },
  { BANNER READY "launching kernel name: Segmentation fault uid: 1\n", "", UNKNOWN, 1, "incomplete",
    "no_end_marker", "end marker" },
  { RUNNING BLOCK, "0 tests failed\n", UNKNOWN, -1, "incomplete", "no_end_marker", "end marker" },
};

static CycSimOutcome *
decide (const char *text,
        const char *err,
        int         exit_code,
        gint64      listed)
{
  g_autoptr (CycSimLog) log = sim_logs_parse (text, strlen (text));
  gboolean has_exit = exit_code != UNKNOWN;

  return cyc_sim_outcome_decide (cyc_sim_log_get_summary (log), err, strlen (err), has_exit,
                                 has_exit ? exit_code : 0, listed);
}

static void
test_endings (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    {
      const Ending *ending = &endings[i];
      g_autoptr (CycSimOutcome) outcome =
          decide (ending->log, ending->err, ending->exit_code, ending->listed);

      g_test_message ("%u: %s", i, outcome->message);
      g_assert_cmpstr (outcome->reason, ==, ending->reason);
      g_assert_cmpstr (outcome->outcome, ==, ending->outcome);
      g_assert_nonnull (strstr (outcome->message, ending->says));
    }
}

/* A03 and A04: the numbers of the line are 32 bits wide and wrapped. */
static void
test_deadlock (void)
{
  g_autoptr (CycSimOutcome) outcome = decide (
      RUNNING "\n\nGPGPU-Sim uArch: ERROR ** deadlock detected: last writeback core 40 @ gpu_sim_cycle "
      "28773 (+ gpu_tot_sim_cycle 4294867296) (71227 cycles ago)\n"
      "GPGPU-Sim uArch: DEADLOCK  shader cores no longer committing instructions [core(# threads)]:\n"
      "GPGPU-Sim uArch: DEADLOCK  0(128) 1(128) 2(128)  + others ...\n"
      "GPGPU-Sim uArch DEADLOCK:  memory partition 3 busy\n"
      "GPGPU-Sim uArch DEADLOCK:  memory partition 11 busy\n"
      "GPGPU-Sim uArch DEADLOCK:  iterconnect contains traffic\n"
      "Re-run the simulator in gdb and use debug routines in .gdbinit to debug this\n",
      "", -6, 1);
  static const char *const says[] = {
    "in kernel k (trace d/kernel-1.traceg)", "stopped at cycle 100000 ", "cycle 28773 on core 40",
    "(0 cycles before this kernel", "0(128) 1(128) 2(128) and others", "partitions: 3 11.",
    "interconnect", "-gpgpu_deadlock_detect 0", "this kernel alone",
  };

  g_assert_cmpstr (outcome->reason, ==, "deadlock");
  for (guint i = 0; i < G_N_ELEMENTS (says); i++)
    {
      g_test_message ("%s", says[i]);
      g_assert_nonnull (strstr (outcome->message, says[i]));
    }
}

static void
test_hostile (void)
{
  g_autofree char *name = g_strnfill (100000, 'n');
  g_autofree char *log = g_strdup_printf (BANNER READY "launching kernel name: %s uid: 1\n", name);
  static const char err[] = "\xff\xfe Assertion `\xff' failed %s%n\n\0behind a NUL";
  g_autoptr (CycSimLog) parsed = sim_logs_parse (log, strlen (log));
  g_autoptr (CycSimOutcome) outcome =
      cyc_sim_outcome_decide (cyc_sim_log_get_summary (parsed), err, sizeof err, TRUE, -6, 1);

  g_assert_cmpstr (outcome->reason, ==, "assertion");
  g_assert_true (g_utf8_validate (outcome->message, -1, NULL));
  g_assert_cmpuint (strlen (outcome->message), <, 2000);
  static const int codes[] = { G_MININT + 1, -64, -255, -1000, 128, 129, 160, 255, 256, G_MAXINT };
  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    {
      g_autoptr (CycSimOutcome) odd = decide (RUNNING, "", codes[i], 1);
      g_assert_cmpstr (odd->outcome, ==, "failed");
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/sim-outcome/recorded", test_recorded);
  g_test_add_func ("/core/sim-outcome/evidence", test_evidence);
  g_test_add_func ("/core/sim-outcome/evidence-far", test_evidence_far);
  g_test_add_func ("/core/sim-outcome/endings", test_endings);
  g_test_add_func ("/core/sim-outcome/deadlock", test_deadlock);
  g_test_add_func ("/core/sim-outcome/hostile", test_hostile);
  return g_test_run ();
}
