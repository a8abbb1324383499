/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include "core/accelsim/cyc-sim-log.h"
#include "displayless/core/sim-logs.h"

/* Everything that a reader tells, as text: two readings are the same if their texts are. */

static void
on_option (const char *name,
           const char *value,
           const char *help,
           gpointer    user_data)
{
  g_string_append_printf (user_data, "option %s|%s|%s\n", name, value, help);
}

static void
on_launch (guint64     uid,
           const char *name,
           gpointer    user_data)
{
  g_string_append_printf (user_data, "launch %" G_GUINT64_FORMAT " %s\n", uid, name);
}

static void
on_block (const CycSimBlock *block,
          gpointer           user_data)
{
  g_autofree char *names = g_strjoinv ("|", block->names);
  g_autofree char *uids = g_strjoinv (" ", block->uids);
  g_autofree char *sum = g_compute_checksum_for_data (
      G_CHECKSUM_MD5, (const guchar *) block->text, block->text == NULL ? 0 : block->text_len);

  g_string_append_printf (user_data,
                          "block %u %s uid %d %" G_GUINT64_FORMAT " names %s uids %s stream %d %"
                          G_GUINT64_FORMAT " concurrent %d cycle %d %" G_GINT64_FORMAT " insn %d %"
                          G_GINT64_FORMAT " ipc %g time %.6f totals %g %g %g %g complete %d partial %d "
                          "at %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " text %s\n",
                          block->index, block->kernel_name, block->has_uid, block->uid, names, uids,
                          block->has_stream, block->stream_id, block->concurrent, block->has_cycle,
                          block->gpu_sim_cycle, block->has_insn, block->gpu_sim_insn, block->gpu_ipc,
                          block->sim_time_ns, block->gpu_tot_sim_cycle, block->gpu_tot_sim_insn,
                          block->gpu_tot_ipc, block->sim_rate_ips, block->complete, block->partial,
                          block->offset, block->length, sum);
}

static void
on_partial (guint    index,
            gpointer user_data)
{
  g_string_append_printf (user_data, "partial %u\n", index);
}

static void
append_summary (CycSimLog *log,
                GString   *out)
{
  const CycSimLogSummary *s = cyc_sim_log_get_summary (log);

  g_string_append_printf (out,
                          "builds %s %s %s clock %g blocks %u %u end %d limit %d ready %d totals %g %g %g "
                          "%g kernel %s trace %s launched %u in flight %u ctas %" G_GUINT64_FORMAT "/%"
                          G_GUINT64_FORMAT " alive %g %g lines %" G_GUINT64_FORMAT " foreign %"
                          G_GUINT64_FORMAT " bytes %" G_GUINT64_FORMAT " evidence %s %s %s %s %s %d %s\n"
                          "last %s\n",
                          s->accel_sim_build, s->gpgpu_sim_build, s->gpgpu_sim_version,
                          s->core_clock_mhz, s->blocks, s->complete_blocks, s->end_marker, s->limit,
                          s->initialized, s->gpu_tot_sim_cycle, s->gpu_tot_sim_insn, s->gpu_tot_ipc,
                          s->sim_rate_ips, s->current_kernel, s->current_trace, s->launched,
                          s->in_flight, s->ctas_issued, s->ctas_total, s->liveness_cycle,
                          s->liveness_insn, s->lines, s->foreign_lines, s->bytes,
                          s->unsupported_version, s->unable_to_open, s->undefined_instruction,
                          s->resource_line, s->cta_size_line, s->deadlock.found, s->first_error,
                          s->last_line);
}

static CycSimLog *
new_reader (GString *told)
{
  static const CycSimLogCallbacks callbacks = {
    .option = on_option, .launch = on_launch, .block = on_block, .partial = on_partial,
  };
  CycSimLog *log = cyc_sim_log_new (CYC_SIM_LOG_FULL);

  cyc_sim_log_set_callbacks (log, &callbacks, told);
  return log;
}

/* A reading in pieces of @piece bytes, or of random sizes up to -@piece. */
static GString *
read_in_pieces (const char *bytes,
                gsize       len,
                int         piece,
                GRand      *rand)
{
  GString *told = g_string_new (NULL);
  g_autoptr (CycSimLog) log = new_reader (told);

  for (gsize at = 0; at < len;)
    {
      gsize n = piece > 0 ? (gsize) piece : (gsize) g_rand_int_range (rand, 1, -piece + 1);
      n = MIN (n, len - at);
      /* A copy of exactly that size, so that a look beyond it is found. */
      g_autofree char *copy = g_memdup2 (bytes + at, n);
      cyc_sim_log_feed (log, copy, n);
      at += n;
    }
  cyc_sim_log_finish (log);
  append_summary (log, told);
  return told;
}

static void
test_pieces (void)
{
  g_autoptr (GPtrArray) rows = sim_logs_read_index ();
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);

  for (guint i = 0; i < rows->len; i++)
    {
      const SimLogRow *row = rows->pdata[i];
      gsize len;
      g_autofree char *bytes = sim_logs_load (row->label, &len);
      g_autoptr (GString) whole = read_in_pieces (bytes, len, (int) len, rand);
      g_autoptr (GString) random = read_in_pieces (bytes, len, -300, rand);
      g_autoptr (GString) large = read_in_pieces (bytes, len, 4096, rand);

      g_assert_cmpstr (random->str, ==, whole->str);
      g_assert_cmpstr (large->str, ==, whole->str);
      if (len < 120000)
        {
          g_autoptr (GString) single = read_in_pieces (bytes, len, 1, rand);
          g_assert_cmpstr (single->str, ==, whole->str);
        }
    }
}

#define BANNER \
  "Accel-Sim [build accelsim-commit-d1697c7_modified_0.0_26-11-29-11-20-26]\n\n" \
  "        *** GPGPU-Sim Simulator Version 4.2.0  [build gpgpu-sim_git-commit-bc268aa_modified_1.0] " \
  "***\n\n\nGPGPU-Sim: Configuration options:\n\n" \
  "-keep                                   0 # keep files = {all} # really\n" \
  "-gpgpu_clock_domains 1132.0:1132.0:1132.0:850.0 # Clock Domain Frequencies in MhZ\n" \
  "-gpgpu_dram_timing_opt nbk=16:CCD=4:RRD=12 CL=12 # DRAM timing\n" \
  "-accelwattch_xml_file                      # the file\n" \
  "DRAM Timing Options:\nnbk                                    16 # number of banks\n" \
  "GPGPU-Sim uArch: performance model initialization complete.\n"
#define HEADER(name, grid) \
  "Processing kernel d/kernel-1.traceg\n-kernel name = " name "\n-grid dim = " grid "\n" \
  "-shmem = 0\nHeader info loaded for kernel command : d/kernel-1.traceg\n"
#define LAUNCH(name, uid) "launching kernel name: " name " uid: " uid " cuda_stream_id: 0\n"
#define DESTROY(uid) "Destroy streams for kernel " uid ": size 0\n"
#define BLOCK(names, uids, cycle) \
  "kernel_name = " names " \nkernel_launch_uid = " uids " \nkernel_stream_id = 94504096\n" \
  "gpu_sim_cycle = " cycle "\ngpu_sim_insn = 700\ngpu_ipc =       7.0000\n" \
  "gpu_tot_sim_cycle = 1234\ngpu_tot_sim_insn = 5678\ngpu_tot_ipc =       4.6013\n" \
  "\tL1D_cache_core[0]: Access = 1, Miss = 1\n\n\n" \
  "gpgpu_simulation_rate = 152620 (inst/sec)\ngpgpu_simulation_rate = 20998 (cycle/sec)\n" \
  "gpgpu_silicon_slowdown = 53909x\n"
#define END "GPGPU-Sim: *** simulation thread exiting ***\nGPGPU-Sim: *** exit detected ***\n"
#define SMALL \
  BANNER HEADER ("void foo<float, 4>(float*, int = 3)", "(512,8,2)") \
  LAUNCH ("void foo<float, 4>(float*, int = 3)", "1") "thread block = 0,0,0\n" DESTROY ("1") \
  BLOCK ("void foo<float, 4>(float*, int = 3)", "1", "100") \
  HEADER ("bar", "(4,1,1)") LAUNCH ("bar", "12") "thread block = 0,0,0\nthread block = 1,0,0\n" \
  DESTROY ("12") BLOCK ("bar", "12", "1134") END

static GString *
read_text (const char *text,
           CycSimLog **out_log)
{
  GString *told = g_string_new (NULL);
  CycSimLog *log = new_reader (told);

  cyc_sim_log_feed (log, text, strlen (text));
  cyc_sim_log_finish (log);
  *out_log = log;
  return told;
}

static void
assert_told (GString    *told,
             const char *what)
{
  if (strstr (told->str, what) == NULL)
    g_error ("\"%s\" is not in:\n%s", what, told->str);
}

/* The two pieces of every split of a log. */
static void
test_every_split (void)
{
  static const char text[] = SMALL;
  gsize len = sizeof text - 1;
  g_autoptr (GString) whole = read_in_pieces (text, len, (int) len, NULL);

  for (gsize at = 1; at < len; at++)
    {
      g_autoptr (GString) told = g_string_new (NULL);
      g_autoptr (CycSimLog) log = new_reader (told);
      g_autofree char *head = g_memdup2 (text, at);
      g_autofree char *tail = g_memdup2 (text + at, len - at);
      cyc_sim_log_feed (log, head, at);
      cyc_sim_log_feed (log, tail, len - at);
      cyc_sim_log_finish (log);
      append_summary (log, told);
      g_assert_cmpstr (told->str, ==, whole->str);
    }
}

static guint
count (const char *text,
       gsize       len,
       const char *what)
{
  guint n = 0;

  for (const char *p = text; (p = g_strstr_len (p, text + len - p, what)) != NULL; p++)
    n++;
  return n;
}

/* Cut anywhere, a log gives what its whole lines say, and nothing else. */
static void
test_every_cut (void)
{
  static const char text[] = SMALL;

  for (gsize len = 0; len < sizeof text; len++)
    {
      g_autofree char *cut = g_strndup (text, len);
      g_autoptr (CycSimLog) log = NULL;
      g_autoptr (GString) told = read_text (cut, &log);
      const CycSimLogSummary *s = cyc_sim_log_get_summary (log);
      guint begun = count (cut, len, "\nkernel_name = ");
      const char *last_begin = g_strrstr (cut, "\nkernel_name = ");
      /* The first line of a block has to be whole. */
      begun -= last_begin != NULL && strchr (last_begin + 1, '\n') == NULL;

      g_assert_cmpuint (s->bytes, ==, len);
      g_assert_cmpuint (s->blocks, ==, begun);
      g_assert_cmpuint (s->complete_blocks, ==, count (cut, len, "slowdown = 53909x"));
      g_assert_cmpint (s->end_marker, ==, count (cut, len, "*** exit detected ***"));
      g_assert_cmpuint (count (told->str, told->len, "option -"), ==,
                        MIN (count (cut, len, " # keep files = {all} # really\n") +
                             count (cut, len, "in MhZ\n") + count (cut, len, "timing\n") +
                             count (cut, len, "# the file\n"), 4));
      g_assert_true (isnan (s->core_clock_mhz) || s->core_clock_mhz == 1132);
      g_assert_true (isnan (s->gpu_tot_sim_cycle) || s->gpu_tot_sim_cycle == 1234);
      g_assert_true (isnan (s->gpu_tot_ipc) || s->gpu_tot_ipc == 4.6013);
      g_assert_true (isnan (s->sim_rate_ips) || s->sim_rate_ips == 152620);
      /* "uid: 1" may be the half of "uid: 12": such a launch is not told. */
      g_assert_cmpuint (count (told->str, told->len, "launch 1 bar"), ==, 0);
      g_assert_cmpuint (count (told->str, told->len, "cycle 1 11"), ==,
                        count (cut, len, "gpu_sim_cycle = 1134\n"));
    }
}

static void
test_small (void)
{
  g_autoptr (CycSimLog) log = NULL;
  g_autoptr (GString) told = read_text (SMALL, &log);
  const CycSimLogSummary *s = cyc_sim_log_get_summary (log);

  assert_told (told, "option -keep|0|keep files = {all} # really\n");
  assert_told (told, "option -gpgpu_dram_timing_opt|nbk=16:CCD=4:RRD=12 CL=12|DRAM timing\n");
  assert_told (told, "option -accelwattch_xml_file||the file\n");
  g_assert_null (strstr (told->str, "option nbk"));
  g_assert_null (strstr (told->str, "option -kernel"));
  assert_told (told, "launch 1 void foo<float, 4>(float*, int = 3)\n");
  assert_told (told, "block 0 void foo<float, 4>(float*, int = 3) uid 1 1 names void foo<float, "
                     "4>(float*, int = 3) uids 1 stream 1 94504096 concurrent 0 cycle 1 100 insn 1 700 "
                     "ipc 7 time 88.339223 totals 1234 5678 4.6013 152620 complete 1 partial 0 ");
  assert_told (told, "block 1 bar uid 1 12 names bar uids 12 ");
  g_assert_cmpstr (s->accel_sim_build, ==, "accelsim-commit-d1697c7_modified_0.0_26-11-29-11-20-26");
  g_assert_cmpstr (s->gpgpu_sim_build, ==, "gpgpu-sim_git-commit-bc268aa_modified_1.0");
  g_assert_cmpstr (s->gpgpu_sim_version, ==, "4.2.0");
  g_assert_true (s->initialized);
}

/* Progress within a kernel: blocks issued of the grid's. */
static void
test_progress (void)
{
  g_autoptr (CycSimLog) log = NULL;
  g_autoptr (GString) told = read_text (
      BANNER HEADER ("k", "(512,8,2)") LAUNCH ("k", "1")
      "GPGPU-Sim uArch: Shader 0 bind to kernel 1 'k'\nthread block = 0,0,0\nthread block = 1,0,0\n"
      "GPGPU-Sim Cycle 36632: LIVENESS - uArch: inst.: 34683456 (ipc=1389.8, occ=92.7536% [2048 / 2208]) "
      "sim_rate=1734172 (inst/sec) elapsed = 0:0:00:20 / Sun Nov 29 11:36:00 2026\n", &log);
  const CycSimLogSummary *s = cyc_sim_log_get_summary (log);

  g_assert_cmpuint (s->ctas_issued, ==, 2);
  g_assert_cmpuint (s->ctas_total, ==, 512 * 8 * 2);
  g_assert_cmpuint (s->in_flight, ==, 1);
  g_assert_cmpfloat (s->liveness_cycle, ==, 36632);
  g_assert_cmpfloat (s->liveness_insn, ==, 34683456);
  g_assert_cmpstr (s->current_trace, ==, "d/kernel-1.traceg");
  g_assert_cmpstr (s->current_kernel, ==, "k");
}

/* Blocks of concurrent kernels name what started, not what finished; names may hold blanks. */
static void
test_concurrent (void)
{
  g_autoptr (CycSimLog) log = NULL;
  g_autoptr (GString) told = read_text (
      BANNER LAUNCH ("void a<int, 2>()", "1") LAUNCH ("b", "2") DESTROY ("2")
      BLOCK ("void a<int, 2>() b", "1 2", "10") DESTROY ("1") BLOCK ("", "", "39")
      LAUNCH ("c", "3") DESTROY ("3") BLOCK ("c", "3", "5") END, &log);

  assert_told (told, "block 0 b uid 1 2 names void a<int, 2>()|b uids 1 2 stream 1 94504096 concurrent 1");
  assert_told (told, "block 1 void a<int, 2>() uid 1 1 names  uids  stream 1 94504096 concurrent 1 ");
  assert_told (told, "block 2 c uid 1 3 names c uids 3 stream 1 94504096 concurrent 0 ");
}

/* A08, A09, A10 and logs that others began. */
static void
test_odd (void)
{
  g_autoptr (CycSimLog) log = NULL;
  g_autoptr (GString) told = read_text (
      "doing: cd /somewhere\n-option of a script # no\n\ntraces to go\n"
      "warning Accel-Sim [build accelsim-commit-ab_modified_4.0_25-02-25-22-36-51]"
      "        *** GPGPU-Sim Simulator Version 4.2.0  [build gpgpu-sim_git-commit-cd_modified_7.0] ***\r\n"
      "GPGPU-Sim uArch: clock freqs: 1365000000.000000:1.0:1.0:1.0\r\n"
      "launching kernel name: k uid: 1\r\nDestroy streams for kernel 1: size 0\r\n"
      "kernel_name = k \r\nkernel_launch_uid = 1 \r\ngpu_sim_cycle = 1365\r\ngpu_ipc =         -nan\r\n"
      "gpgpu_silicon_slowdown = Nan\r\n"
      "GPGPU-Sim: *** exit detected ***", &log);
  const CycSimLogSummary *s = cyc_sim_log_get_summary (log);

  g_assert_cmpuint (s->foreign_lines, ==, 4);
  g_assert_cmpstr (s->accel_sim_build, ==, "accelsim-commit-ab_modified_4.0_25-02-25-22-36-51");
  g_assert_cmpstr (s->gpgpu_sim_build, ==, "gpgpu-sim_git-commit-cd_modified_7.0");
  g_assert_null (strstr (told->str, "option"));
  assert_told (told, "block 0 k uid 1 1 names k uids 1 stream 0 0 concurrent 0 cycle 1 1365 insn 0 0 "
                     "ipc nan time 1000.000000 ");
  g_assert_cmpuint (s->complete_blocks, ==, 1);
  g_assert_true (s->end_marker);
}

/* A cap is told after the block that it cut short; a block that another begins in is cut. */
static void
test_partial (void)
{
  g_autoptr (CycSimLog) capped = NULL;
  g_autoptr (CycSimLog) broken = NULL;
  g_autoptr (GString) capped_told = read_text (
      BANNER LAUNCH ("a", "1") DESTROY ("1") BLOCK ("a", "1", "1") LAUNCH ("b", "2")
      BLOCK ("", "", "2") "GPGPU-Sim: ** break due to reaching the maximum cycles (or instructions) **\n"
      END, &capped);
  g_autoptr (GString) broken_told = read_text (
      BANNER LAUNCH ("a", "1") DESTROY ("1") "kernel_name = a \nkernel_launch_uid = 1 \n"
      "gpu_sim_cycle = 5\nthread block = 1,2,3\n" LAUNCH ("b", "2") DESTROY ("2") BLOCK ("b", "2", "3"),
      &broken);
  const CycSimLogSummary *s = cyc_sim_log_get_summary (capped);

  assert_told (capped_told, "\npartial 1\n");
  g_assert_true (s->limit);
  g_assert_cmpuint (s->blocks, ==, 2);
  g_assert_cmpuint (s->complete_blocks, ==, 1);
  s = cyc_sim_log_get_summary (broken);
  g_assert_cmpuint (s->blocks, ==, 2);
  g_assert_cmpuint (s->complete_blocks, ==, 1);
  g_autofree char *sum = g_compute_checksum_for_string (
      G_CHECKSUM_MD5, "kernel_name = a \nkernel_launch_uid = 1 \ngpu_sim_cycle = 5\n", -1);
  g_autofree char *end = g_strdup_printf (" text %s\n", sum);
  assert_told (broken_told, end);
}

/* Lines of any length, whole or in pieces, read the same. */
static void
test_long_lines (void)
{
  g_autofree char *junk = g_strnfill (3 * 1024 * 1024, 'x');
  g_autofree char *text = g_strconcat (BANNER "launching kernel name: ", junk, " uid: 1\n", junk, "\n",
                                       LAUNCH ("k", "2") DESTROY ("2") "kernel_name = ", junk, "\n",
                                       junk, " = 7\ngpu_sim_cycle = 4\n"
                                       "gpgpu_silicon_slowdown = 1x\n" END, NULL);
  gsize len = strlen (text);
  g_autoptr (GString) whole = read_in_pieces (text, len, (int) len, NULL);
  g_autoptr (GString) pieces = read_in_pieces (text, len, 70001, NULL);

  g_assert_cmpstr (pieces->str, ==, whole->str);
  assert_told (whole, "block 0 k uid 1 2 ");
  assert_told (whole, " cycle 1 4 ");
  assert_told (whole, "blocks 1 1 end 1 ");
}

/* Nothing that can stand in a file does harm, and a log of launches alone takes no memory. */
static void
test_hostile (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  static const char *const labels[] = { "fail-binver90", "ok-max-cycle", "fail-deadlock" };

  for (guint round = 0; round < 90; round++)
    {
      gsize len;
      g_autofree char *bytes = sim_logs_load (labels[round % G_N_ELEMENTS (labels)], &len);
      for (guint i = 0; i < 300; i++)
        {
          gsize at = (gsize) g_rand_int_range (rand, 0, (gint32) len);
          gsize from = (gsize) g_rand_int_range (rand, 0, (gint32) len);
          gsize n = MIN (len - MAX (at, from), (gsize) g_rand_int_range (rand, 0, 60));
          if (i % 2 == 0)
            memmove (bytes + at, bytes + from, n);
          else
            bytes[at] = (char) g_rand_int (rand);
        }
      g_autoptr (GString) whole = read_in_pieces (bytes, len, (int) len, rand);
      g_autoptr (GString) pieces = read_in_pieces (bytes, len, -5000, rand);
      g_assert_cmpstr (pieces->str, ==, whole->str);
    }

  g_autoptr (CycSimLog) log = cyc_sim_log_new (CYC_SIM_LOG_IDENTITY);
  for (guint i = 0; i < 100000; i++)
    {
      g_autofree char *line = g_strdup_printf (HEADER ("k", "(99999999999,99999999999,3)") LAUNCH ("k", "%u"),
                                               i);
      cyc_sim_log_feed (log, line, strlen (line));
    }
  const CycSimLogSummary *s = cyc_sim_log_get_summary (log);
  g_assert_cmpuint (s->launched, ==, 100000);
  g_assert_cmpuint (s->in_flight, <=, 1024);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/sim-log-pieces/pieces", test_pieces);
  g_test_add_func ("/core/sim-log-pieces/every-split", test_every_split);
  g_test_add_func ("/core/sim-log-pieces/every-cut", test_every_cut);
  g_test_add_func ("/core/sim-log-pieces/small", test_small);
  g_test_add_func ("/core/sim-log-pieces/progress", test_progress);
  g_test_add_func ("/core/sim-log-pieces/concurrent", test_concurrent);
  g_test_add_func ("/core/sim-log-pieces/odd", test_odd);
  g_test_add_func ("/core/sim-log-pieces/partial", test_partial);
  g_test_add_func ("/core/sim-log-pieces/long-lines", test_long_lines);
  g_test_add_func ("/core/sim-log-pieces/hostile", test_hostile);
  return g_test_run ();
}
