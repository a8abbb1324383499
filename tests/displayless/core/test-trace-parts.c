/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include "core/accelsim/cyc-kernels-list.h"
#include "core/accelsim/cyc-real-timing.h"
#include "core/accelsim/cyc-trace-header.h"
#include "core/accelsim/cyc-trace-metadata.h"
#include "core/accelsim/cyc-trace-stats.h"
#include "core/base/cyc-error.h"
#include "support/test-folder.h"

static void
assert_finding (const CycFindings *findings,
                const char        *code,
                CycSeverity        severity,
                guint64            line)
{
  const CycFinding *finding = cyc_findings_find (findings, code);

  g_assert_nonnull (finding);
  g_assert_cmpint (finding->severity, ==, severity);
  g_assert_cmpuint (finding->line, ==, line);
}

/* Kernels list */

static CycKernelsList *
parse_list (const char  *text,
            CycFindings *findings)
{
  return cyc_kernels_list_parse (text, strlen (text), "kernelslist.g", findings);
}

static void
test_list (void)
{
  g_autoptr (CycFindings) findings = cyc_findings_new ();
  g_autoptr (CycKernelsList) list = parse_list (
    "MemcpyHtoD,0x00007f0600000000,65536\n"
    "kernel-1.traceg\n"
    "\n"
    "kernel-7-ctx_0x55d0c4a1b2c0.traceg.xz\n"
    "MemcpyDtoH,0x00007f0602000000,16384\n"
    "kernel-12.tracez", findings);

  g_assert_cmpuint (list->entries->len, ==, 5);
  g_assert_cmpuint (list->n_kernels, ==, 3);
  g_assert_cmpuint (list->n_memcpys, ==, 1);
  g_assert_cmpuint (list->n_ignored, ==, 1);
  const CycListEntry *copy = g_ptr_array_index (list->entries, 0);
  g_assert_cmpint (copy->kind, ==, CYC_LIST_MEMCPY);
  g_assert_cmphex (copy->address, ==, 0x7f0600000000);
  g_assert_cmpuint (copy->size, ==, 65536);
  const CycListEntry *kernel = g_ptr_array_index (list->entries, 2);
  g_assert_cmpint (kernel->kind, ==, CYC_LIST_KERNEL);
  g_assert_cmpuint (kernel->line, ==, 4);
  g_assert_cmpint (kernel->kernel_number, ==, 7);
  g_assert_true (kernel->usable);
  g_assert_cmpuint (cyc_findings_get_length (findings), ==, 1);
  assert_finding (findings, "list_lines_ignored", CYC_SEVERITY_NOTE, 5);

  g_autoptr (GString) text = g_string_new (NULL);
  cyc_kernels_list_append_text (list, text);
  g_assert_cmpstr (text->str, ==,
                   "MemcpyHtoD,0x00007f0600000000,65536\nkernel-1.traceg\n"
                   "kernel-7-ctx_0x55d0c4a1b2c0.traceg.xz\nkernel-12.tracez\n");
}

static void
test_list_cr (void)
{
  g_autoptr (CycFindings) findings = cyc_findings_new ();
  g_autoptr (CycKernelsList) list =
    parse_list ("MemcpyHtoD,0x10,4\r\nkernel-1.traceg\r\n\r\n", findings);

  g_assert_cmpuint (list->n_cr, ==, 3);
  g_assert_cmpuint (list->entries->len, ==, 2);
  g_assert_cmpuint (cyc_findings_get_length (findings), ==, 1);
  assert_finding (findings, "list_cr", CYC_SEVERITY_WARNING, 1);
  g_autoptr (GString) text = g_string_new (NULL);
  cyc_kernels_list_append_text (list, text);
  g_assert_cmpstr (text->str, ==, "MemcpyHtoD,0x10,4\nkernel-1.traceg\n");
}

/* facts 0.11: such a line made the simulator's shell run a command. */
static void
test_list_hostile (void)
{
  static const char *const lines[] = {
    "kernel-1.traceg;touch X;.traceg", "kernel-1.traceg $(id).traceg", "kernel/../../x.traceg",
    "kernel-1 2.traceg", "kernel-1.traceg ", "kernel`id`.traceg", "kernel-\xff.traceg",
    "kernel|id.xz", "kernel-1\t.traceg", "kernel&.traceg",
  };

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autoptr (CycFindings) findings = cyc_findings_new ();
      g_autofree char *text = g_strconcat ("x\n", lines[i], "\n", NULL);
      g_autoptr (CycKernelsList) list = parse_list (text, findings);
      g_autoptr (GString) out = g_string_new (NULL);
      g_assert_cmpuint (list->n_kernels, ==, 1);
      assert_finding (findings, "list_name_refused", CYC_SEVERITY_ERROR, 2);
      cyc_kernels_list_append_text (list, out);
      g_assert_cmpstr (out->str, ==, "");
    }
  g_autoptr (CycFindings) findings = cyc_findings_new ();
  g_autoptr (CycKernelsList) nul = cyc_kernels_list_parse ("kernel-1\0.traceg\n", 17, "k",
                                                           findings);
  g_assert_cmpuint (nul->n_kernels, ==, 1);
  assert_finding (findings, "list_name_refused", CYC_SEVERITY_ERROR, 1);
}

static void
test_list_faults (void)
{
  static const struct
  {
    const char *line;
    const char *code;
  } cases[] = {
    { "kernel-1.trace", "list_raw_trace" },       { "kernel-1.trace.xz", "list_raw_trace" },
    { "kernel-1.traceg.gz", "list_ending" },      { "kernelslist", "list_ending" },
    { "MemcpyHtoD,0x10", "list_memcpy_fields" },  { "MemcpyHtoD", "list_memcpy_fields" },
    { "MemcpyHtoD,0x10,4,5", "list_memcpy_fields" }, { "MemcpyHtoD,0x10,", "list_memcpy_fields" },
    { "MemcpyHtoD,zz,4", "list_memcpy_number" },  { "MemcpyHtoD,0x10,4k", "list_memcpy_number" },
    { "MemcpyHtoD,0x10,-4", "list_memcpy_number" },
    { "MemcpyHtoD,0x11111111111111111,4", "list_memcpy_number" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (CycFindings) findings = cyc_findings_new ();
      g_autoptr (CycKernelsList) list = parse_list (cases[i].line, findings);
      g_autoptr (GString) out = g_string_new (NULL);
      assert_finding (findings, cases[i].code, CYC_SEVERITY_ERROR, 1);
      cyc_kernels_list_append_text (list, out);
      g_assert_cmpuint (out->len, ==, 0);
    }
  /* Three fields, an empty fourth: the simulator counts three. */
  g_autoptr (CycFindings) none = cyc_findings_new ();
  g_autoptr (CycKernelsList) list = parse_list ("MemcpyHtoD,7f06,4,\n", none);
  g_assert_cmpuint (cyc_findings_get_length (none), ==, 0);
  g_assert_cmphex (((CycListEntry *) g_ptr_array_index (list->entries, 0))->address, ==, 0x7f06);
}

static void
test_kernel_file_names (void)
{
  g_autofree char *stem = cyc_kernel_file_get_stem ("a/kernel-1-ctx_0x61.trace.xz");
  g_autofree char *other = cyc_kernel_file_get_stem ("kernel-1-ctx_0x61.traceg");

  g_assert_cmpstr (stem, ==, "kernel-1-ctx_0x61");
  g_assert_cmpstr (stem, ==, other);
  g_assert_cmpint (cyc_kernel_file_get_number ("kernel-114.traceg"), ==, 114);
  g_assert_cmpint (cyc_kernel_file_get_number ("kernel-x.traceg"), ==, -1);
  g_assert_cmpint (cyc_kernel_file_get_number ("kernel-99999999999999999999.traceg"), ==, -1);
  g_assert_true (cyc_kernel_file_is_trace ("kernel-1.traceg.xz"));
  g_assert_false (cyc_kernel_file_is_trace ("kernel-1.trace.xz"));
  g_assert_true (cyc_kernel_file_is_raw ("kernel-1.trace.xz"));
  g_assert_false (cyc_kernel_file_is_raw ("kernelslist.g"));
}

/* Headers */

#define HEADER_3 \
  "-kernel name = _Z9vectorAddPKfS0_Pfi\n" \
  "-kernel id = 1\n" \
  "-grid dim = (32,1,1)\n" \
  "-block dim = (256,1,1)\n" \
  "-shmem = 0\n" \
  "-nregs = 16\n" \
  "-binary version = 70\n" \
  "-cuda stream id = 0\n" \
  "-shmem base_addr = 0x00007f05b0000000\n" \
  "-local mem base_addr = 0x00007f05ae000000\n" \
  "-nvbit version = 1.5.5\n" \
  "-accelsim tracer version = 3\n"

static CycTraceHeader *
parse_header (const char  *text,
              CycFindings *findings)
{
  return cyc_trace_header_parse (text, strlen (text), "kernel-1.traceg", findings);
}

static void
test_header_3 (void)
{
  g_autoptr (CycFindings) findings = cyc_findings_new ();
  g_autoptr (CycTraceHeader) header =
    parse_header (HEADER_3 "\n#traces format = threadblock_x\n\n#BEGIN_TB\n-grid dim = (9,9,9)\n",
                  findings);

  g_assert_cmpuint (cyc_findings_get_length (findings), ==, 0);
  g_assert_true (header->complete);
  g_assert_cmpstr (header->kernel_name, ==, "_Z9vectorAddPKfS0_Pfi");
  g_assert_cmpint (header->kernel_id, ==, 1);
  g_assert_cmpuint (cyc_trace_header_get_blocks (header), ==, 32);
  g_assert_cmpuint (cyc_trace_header_get_threads (header), ==, 256);
  g_assert_cmpuint (header->nregs, ==, 16);
  g_assert_cmpint (header->binary_version, ==, 70);
  g_assert_cmphex (header->shmem_base, ==, 0x7f05b0000000);
  g_assert_cmphex (header->local_base, ==, 0x7f05ae000000);
  g_assert_cmpstr (header->nvbit_version, ==, "1.5.5");
  g_assert_cmpint (header->tracer_version, ==, 3);
  g_assert_cmpint (header->fields & CYC_HEADER_LINEINFO, ==, 0);
}

/* accel-sim #409, as in A23, with keys of later versions in another order. */
static void
test_header_other_versions (void)
{
  g_autoptr (CycFindings) findings = cyc_findings_new ();
  g_autoptr (CycTraceHeader) header = parse_header (
    "-enable lineinfo = 1\n"
    "-kernel name = void foo<float, 4>(float*, int = 3)\n"
    "-kernel id = 8\n"
    "-grid dim = (512,8,1)\r\n"
    "-block dim = (16,16,1)\n"
    "-cluster dim = (2,1,1)\n"
    "-shmem = 1088\n"
    "-nregs = 12\n"
    "-binary version = 89\n"
    "-cuda stream id = -2\n"
    "-nvbit version = 1.7.4\n"
    "-accelsim tracer version = 1.2\n"
    "not a pair\n-no value\n"
    "#traces format = PC\n", findings);

  g_assert_cmpuint (cyc_findings_get_length (findings), ==, 0);
  g_assert_cmpstr (header->kernel_name, ==, "void foo<float, 4>(float*, int = 3)");
  g_assert_cmpuint (cyc_trace_header_get_blocks (header), ==, 4096);
  g_assert_cmpuint (header->shmem, ==, 1088);
  g_assert_true (header->stream_id == G_GUINT64_CONSTANT (0xfffffffffffffffe));
  g_assert_cmpint (header->tracer_version, ==, 1);
  g_assert_true (header->enable_lineinfo);
  g_assert_cmpuint (header->n_unknown, ==, 2);
}

static void
test_header_faults (void)
{
  g_autoptr (CycFindings) cut = cyc_findings_new ();
  g_autoptr (CycTraceHeader) first = parse_header ("-kernel name = a\n-grid dim = (1,1,1)\n-block",
                                                   cut);
  g_assert_false (first->complete);
  assert_finding (cut, "header_cut", CYC_SEVERITY_ERROR, 3);
  g_assert_nonnull (strstr (cyc_findings_find (cut, "header_incomplete")->text,
                            "\"-block dim\", \"-binary version\""));

  static const char *const values[] = {
    "-grid dim = (1,1)", "-grid dim = 1,1,1", "-grid dim = (0,1,1)", "-grid dim = (-1,1,1)",
    "-grid dim = (99999999999,1,1)", "-block dim = (1,2,x)", "-shmem = -1", "-kernel id = x",
    "-cuda stream id = 1x", "-shmem base_addr = xyz", "-kernel name = ",
  };
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      g_autoptr (CycFindings) findings = cyc_findings_new ();
      g_autofree char *text = g_strconcat (HEADER_3, values[i], "\n#\n", NULL);
      g_autoptr (CycTraceHeader) header = parse_header (text, findings);
      g_assert_true (header->complete);
      assert_finding (findings, "header_value", CYC_SEVERITY_ERROR, 13);
    }
}

static void
test_header_tracez (void)
{
  static const char text[] = HEADER_3 "\0\x08\0\0\0-grid dim = (7,7,7)\n#";
  g_autoptr (CycFindings) findings = cyc_findings_new ();
  g_autoptr (CycTraceHeader) header =
    cyc_trace_header_parse (text, sizeof text - 1, "kernel-1.tracez", findings);

  g_assert_true (header->complete);
  g_assert_cmpuint (cyc_findings_get_length (findings), ==, 0);
  g_assert_cmpuint (cyc_trace_header_get_blocks (header), ==, 32);
}

static void
test_header_saturates (void)
{
  g_autoptr (CycFindings) findings = cyc_findings_new ();
  g_autoptr (CycTraceHeader) header =
    parse_header (HEADER_3 "-grid dim = (2147483647,2147483647,2147483647)\n#\n", findings);

  g_assert_true (cyc_trace_header_get_blocks (header) == G_MAXUINT64);
}

static void
test_header_damaged (void)
{
  static const char text[] = HEADER_3 "#\n";
  gsize len = sizeof text - 1;

  for (gsize i = 0; i <= len; i++)
    {
      g_autoptr (CycFindings) findings = cyc_findings_new ();
      g_autoptr (CycTraceHeader) header = cyc_trace_header_parse (text, i, "k.traceg", findings);
      /* Without the last line there is always something to tell. */
      g_assert_cmpint (header->complete, ==, i >= len - 1);
      g_assert_cmpint (cyc_findings_get_length (findings) == 0, ==, i >= len - 1);
    }
  for (gsize i = 0; i < len; i++)
    for (guint k = 0; k < 6; k++)
      {
        g_autofree char *copy = g_memdup2 (text, len + 1);
        copy[i] = "\0=#\n\xff-"[k];
        g_autoptr (CycFindings) findings = cyc_findings_new ();
        g_autoptr (CycTraceHeader) header = cyc_trace_header_parse (copy, len, "k.traceg",
                                                                    findings);
        g_assert_true (header->kernel_name == NULL || g_utf8_validate (header->kernel_name, -1,
                                                                       NULL));
      }
}

/* Stats */

#define STATS_HEADER \
  "kernel id, kernel mangled name, grid_dimX, grid_dimY, grid_dimZ, #blocks, block_dimX, " \
  "block_dimY, block_dimZ, #threads, total_insts, total_reported_insts\n"
#define STATS_ROW \
  "kernel-1-ctx_0x6165bdd7ec90.trace.xz, _Z6vecAddPdS_S_i, 98, 1, 1, 98, 1024, 1, 1, 1024, 50066,50066\n"

static CycTraceStats *
parse_stats (const char  *text,
             CycFindings *findings)
{
  CycTraceStats *stats = cyc_trace_stats_new ();
  cyc_trace_stats_parse (stats, text, strlen (text), "stats_ctx_0x1", findings);
  return stats;
}

static void
test_stats (void)
{
  g_autoptr (CycFindings) findings = cyc_findings_new ();
  g_autoptr (CycTraceStats) stats = parse_stats (
    STATS_HEADER STATS_ROW
    "kernel-2.trace, void f<int, 4>(int, float), 2, 3, 4, 24, 5, 6, 7, 210, 11,10\n", findings);

  g_assert_cmpuint (cyc_findings_get_length (findings), ==, 0);
  g_assert_cmpuint (stats->rows->len, ==, 2);
  const CycStatsRow *row = cyc_trace_stats_find (stats, "kernel-1-ctx_0x6165bdd7ec90.traceg");
  g_assert_nonnull (row);
  g_assert_cmpstr (row->name, ==, "_Z6vecAddPdS_S_i");
  g_assert_cmpuint (row->grid[0], ==, 98);
  g_assert_cmpuint (row->block[0], ==, 1024);
  g_assert_cmpint (row->total_insts, ==, 50066);
  g_assert_cmpint (row->reported_insts, ==, 50066);
  row = cyc_trace_stats_find (stats, "kernel-2.traceg.xz");
  g_assert_cmpstr (row->name, ==, "void f<int, 4>(int, float)");
  g_assert_cmpuint (row->grid[2], ==, 4);
  g_assert_cmpuint (row->block[2], ==, 7);
  g_assert_cmpint (row->reported_insts, ==, 10);
  g_assert_null (cyc_trace_stats_find (stats, "kernel-1.traceg"));
}

/* A killed run leaves half a row; the next run's row joins it. */
static void
test_stats_halves (void)
{
  g_autoptr (CycFindings) findings = cyc_findings_new ();
  g_autoptr (CycTraceStats) stats = parse_stats (
    "kernel-1.trace, a, 1, 1, 1, 1, 32, 1, 1, 32, "
    "kernel-2.trace, b, 2, 1, 1, 2, 32, 1, 1, 32, 70,70\n"
    "kernel-3.trace, c, 3, 1, 1, 3, 32, 1, 1, 32, \n"
    "80,80\n"
    "kernel-4.trace, d, 4, 1, 1\n"
    "kernel-5.trace, e, 5, 1, 1, 5, 32, 1, 1, 32, 90,9", findings);

  g_assert_cmpuint (stats->rows->len, ==, 4);
  g_assert_cmpint (cyc_trace_stats_find (stats, "kernel-1.traceg")->total_insts, ==, -1);
  g_assert_cmpuint (cyc_trace_stats_find (stats, "kernel-1.traceg")->grid[0], ==, 1);
  g_assert_cmpint (cyc_trace_stats_find (stats, "kernel-2.traceg")->total_insts, ==, 70);
  g_assert_cmpint (cyc_trace_stats_find (stats, "kernel-3.traceg")->total_insts, ==, -1);
  g_assert_null (cyc_trace_stats_find (stats, "kernel-4.traceg"));
  g_assert_cmpint (cyc_trace_stats_find (stats, "kernel-5.traceg")->total_insts, ==, 90);
  g_assert_cmpint (cyc_trace_stats_find (stats, "kernel-5.traceg")->reported_insts, ==, -1);
  assert_finding (findings, "stats_row_half", CYC_SEVERITY_WARNING, 1);
  assert_finding (findings, "stats_half_orphaned", CYC_SEVERITY_WARNING, 3);
  assert_finding (findings, "stats_row_cut", CYC_SEVERITY_WARNING, 4);
  g_assert_cmpuint (cyc_findings_get_length (findings), ==, 4);
}

static void
test_stats_faults (void)
{
  g_autoptr (CycFindings) findings = cyc_findings_new ();
  g_autoptr (CycTraceStats) stats = parse_stats (
    "garbage\n"
    "kernel-1.trace, a, 1, 1, 1, 1, 32, 1, 1, 32, 5,5,6\n"
    "kernel-1.trace, a, 1, 1, 1, 1, 32, 1, 1, 32, \n"
    "kernel-2.trace, b, 1, 1, 1, 1, 99999999999999999999, 1, 1, 32, 5,5\n", findings);

  assert_finding (findings, "stats_line_unreadable", CYC_SEVERITY_WARNING, 1);
  assert_finding (findings, "stats_row_long", CYC_SEVERITY_WARNING, 2);
  assert_finding (findings, "stats_row_repeated", CYC_SEVERITY_WARNING, 3);
  assert_finding (findings, "stats_row_cut", CYC_SEVERITY_WARNING, 4);
  g_assert_cmpint (cyc_trace_stats_find (stats, "kernel-1.traceg")->total_insts, ==, 5);
}

static void
test_stats_damaged (void)
{
  static const char text[] = STATS_HEADER STATS_ROW STATS_ROW;
  gsize len = sizeof text - 1;

  for (gsize i = 0; i <= len; i++)
    {
      g_autoptr (CycFindings) findings = cyc_findings_new ();
      g_autoptr (CycTraceStats) stats = cyc_trace_stats_new ();
      cyc_trace_stats_parse (stats, text, i, "s", findings);
      g_assert_cmpuint (stats->rows->len, <=, 2);
      for (guint k = 0; k < 6; k++)
        {
          g_autofree char *copy = g_memdup2 (text, len + 1);
          copy[i] = "\0,\n \xff""0"[k];
          cyc_trace_stats_parse (stats, copy, len, "s", findings);
        }
    }
}

/* metadata.json and real_timing.json */

static CycTraceRecord *
parse_metadata (const char   *text,
                CycFindings  *findings,
                char        **run_name)
{
  g_autoptr (CycTraceRecord) record = cyc_trace_record_new ();
  if (!cyc_trace_metadata_parse (text, strlen (text), "metadata.json", record, run_name, findings))
    return NULL;
  return g_steal_pointer (&record);
}

static void
test_metadata (void)
{
  g_autoptr (CycFindings) findings = cyc_findings_new ();
  g_autofree char *run_name = NULL;
  g_autoptr (CycTraceRecord) record = parse_metadata (
    "{\"run_name\": \"opt-125m\", \"model\": \"facebook/opt-125m\", \"layers\": [\"0\", \"1\"],"
    " \"gpu\": \"H100\", \"trace_gpu_arch\": \"sm_86\", \"suggested_sim_config\": \"SM86_RTX3070\","
    " \"real_gpu_config\": \"SM90_H100\", \"sample_sim_configs\": [\"A\"], \"sample_set\": \"s\","
    " \"status\": \"done\", \"other\": {\"a\": 1}}", findings, &run_name);

  g_assert_cmpuint (cyc_findings_get_length (findings), ==, 0);
  g_assert_cmpstr (run_name, ==, "opt-125m");
  g_assert_cmpstr (record->model, ==, "facebook/opt-125m");
  g_assert_cmpuint (g_strv_length (record->layers), ==, 2);
  g_assert_cmpstr (record->source_gpu, ==, "H100");
  g_assert_cmpstr (record->trace_gpu_arch, ==, "sm_86");
  g_assert_cmpstr (record->suggested_sim_config, ==, "SM86_RTX3070");
  g_assert_cmpstr (record->real_gpu_config, ==, "SM90_H100");
  g_assert_cmpstr (record->sample_sim_configs[0], ==, "A");
  g_assert_cmpstr (record->sample_set, ==, "s");
  g_assert_cmpint (record->state, ==, CYC_TRACE_UPLOADING);
}

static void
test_metadata_types (void)
{
  g_autoptr (CycFindings) findings = cyc_findings_new ();
  g_autofree char *run_name = NULL;
  g_autoptr (CycTraceRecord) record = parse_metadata (
    "{\"run_name\": 1, \"model\": 2, \"layers\": \"all\", \"gpu\": null, \"trace_gpu_arch\": 90,"
    " \"suggested_sim_config\": [], \"sample_sim_configs\": [\"A\", 7, null], \"status\": 5}",
    findings, &run_name);

  g_assert_null (run_name);
  g_assert_null (record->model);
  g_assert_cmpuint (g_strv_length (record->layers), ==, 0);
  g_assert_null (record->source_gpu);
  g_assert_cmpstr (record->trace_gpu_arch, ==, "sm_90");
  g_assert_null (record->suggested_sim_config);
  g_assert_cmpuint (g_strv_length (record->sample_sim_configs), ==, 2);
  g_assert_cmpstr (record->sample_sim_configs[1], ==, "7");
  g_assert_cmpint (record->state, ==, CYC_TRACE_UPLOADING);
  g_assert_cmpuint (cyc_findings_count (findings, CYC_SEVERITY_WARNING), ==, 7);
  g_assert_cmpuint (cyc_findings_get_length (findings), ==, 7);
}

static void
test_metadata_failed (void)
{
  g_autoptr (CycFindings) findings = cyc_findings_new ();
  g_autoptr (CycTraceRecord) why =
    parse_metadata ("{\"status\": \"failed\", \"error\": \"out of memory\"}", findings, NULL);
  g_autoptr (CycTraceRecord) mute = parse_metadata ("{\"status\": \"failed\"}", findings, NULL);

  g_assert_cmpint (why->state, ==, CYC_TRACE_FAILED);
  g_assert_cmpstr (why->error, ==, "out of memory");
  g_assert_cmpint (mute->state, ==, CYC_TRACE_FAILED);
  g_assert_nonnull (mute->error);
  g_assert_cmpstr (mute->trace_gpu_arch, ==, "sm_90");
}

static void
test_metadata_unreadable (void)
{
  static const char *const texts[] = { "", "[]", "{\"a\": ", "\xff", "3" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (CycFindings) findings = cyc_findings_new ();
      g_assert_null (parse_metadata (texts[i], findings, NULL));
      const CycFinding *finding = cyc_findings_find (findings, "metadata_unreadable");
      g_assert_nonnull (finding);
      g_assert_cmpstr (finding->file, ==, "metadata.json");
      g_assert_cmpstr (finding->text, !=, "");
    }
}

static void
test_real_timing (void)
{
  g_autoptr (CycFindings) findings = cyc_findings_new ();
  g_autoptr (GError) error = NULL;
  static const char text[] =
    "{\"kernels\": [{\"name\": \"a\", \"duration_ns\": 1500}, {\"name\": \"b\"},"
    " {\"duration_ns\": 2.5}, {\"name\": \"d\", \"duration_ns\": -1}, 7]}";
  g_autoptr (CycRealTiming) timing =
    cyc_real_timing_parse (text, sizeof text - 1, "real_timing.json", findings, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (timing->kernels->len, ==, 5);
  const CycRealKernel *kernel = g_ptr_array_index (timing->kernels, 0);
  g_assert_cmpstr (kernel->name, ==, "a");
  g_assert_cmpfloat (kernel->duration_ns, ==, 1500);
  kernel = g_ptr_array_index (timing->kernels, 1);
  g_assert_true (isnan (kernel->duration_ns));
  kernel = g_ptr_array_index (timing->kernels, 2);
  g_assert_cmpstr (kernel->name, ==, "");
  g_assert_cmpfloat (kernel->duration_ns, ==, 2.5);
  g_assert_cmpuint (cyc_findings_get_length (findings), ==, 5);

  g_assert_null (cyc_real_timing_parse ("[]", 2, "real_timing.json", findings, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_INPUT);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/kernels-list/good", test_list);
  g_test_add_func ("/core/kernels-list/cr", test_list_cr);
  g_test_add_func ("/core/kernels-list/hostile", test_list_hostile);
  g_test_add_func ("/core/kernels-list/faults", test_list_faults);
  g_test_add_func ("/core/kernels-list/file-names", test_kernel_file_names);
  g_test_add_func ("/core/trace-header/version-3", test_header_3);
  g_test_add_func ("/core/trace-header/other-versions", test_header_other_versions);
  g_test_add_func ("/core/trace-header/faults", test_header_faults);
  g_test_add_func ("/core/trace-header/tracez", test_header_tracez);
  g_test_add_func ("/core/trace-header/saturates", test_header_saturates);
  g_test_add_func ("/core/trace-header/damaged", test_header_damaged);
  g_test_add_func ("/core/trace-stats/good", test_stats);
  g_test_add_func ("/core/trace-stats/halves", test_stats_halves);
  g_test_add_func ("/core/trace-stats/faults", test_stats_faults);
  g_test_add_func ("/core/trace-stats/damaged", test_stats_damaged);
  g_test_add_func ("/core/trace-metadata/good", test_metadata);
  g_test_add_func ("/core/trace-metadata/types", test_metadata_types);
  g_test_add_func ("/core/trace-metadata/failed", test_metadata_failed);
  g_test_add_func ("/core/trace-metadata/unreadable", test_metadata_unreadable);
  g_test_add_func ("/core/real-timing/kernels", test_real_timing);
  return g_test_run ();
}
