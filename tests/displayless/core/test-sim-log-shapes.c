/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "displayless/core/sim-log-events.h"

/* Odd shapes, one by one: a log and what must stand in the account of it (or, after a '!', must not). */

#define LAUNCH(name, uid, stream) "launching kernel name: " name " uid: " uid " cuda_stream_id: " stream "\n"
#define DESTROY(uid) "Destroy streams for kernel " uid ": size 0\n"
#define HEADER(name, grid, stream) \
  "Processing kernel ./k.traceg\n-kernel name = " name "\n-grid dim = " grid "\n-cuda stream id = " stream "\n" \
  "Header info loaded for kernel command : ./k.traceg\n"
#define BLOCK(names, uids) "kernel_name = " names "\nkernel_launch_uid = " uids "\ngpu_sim_cycle = 7\n" END
#define END "gpgpu_silicon_slowdown = 1x\n"

typedef struct
{
  const char *name;
  const char *log;
  const char *told[6];
} Shape;

static const Shape shapes[] = {
  /* Who finished. */
  { "destroy-and-launch", LAUNCH ("a", "5", "9") DESTROY ("5") BLOCK ("a ", "5 "),
    { "launch 5 [a]", "block 0 [a] uid 1 5 names [a] uids [5] differ 0", "concurrent 0", "in flight 0" } },
  { "no-stream", "launching kernel name: a uid: 12\n" DESTROY ("12") BLOCK ("a ", "12 "),
    { "launch 12 [a]", "block 0 [a] uid 1 12", "stream 0 0" } },
  { "stream-64-bit", DESTROY ("1") "kernel_name = a \nkernel_stream_id = 18446744073709551615\n" END,
    { "stream 1 18446744073709551615" } },
  { "no-destroy", BLOCK ("a b(int = 3) ", "4 "), { "block 0 [a b(int = 3)] uid 1 4 names [a b(int = 3)] uids [4]" } },
  { "no-destroy-several", BLOCK ("a b ", "4 5 "),
    { "block 0 [a b] uid 0 0 names [a|b] uids [4|5] differ 0", "concurrent 1" } },
  { "no-launch-line", DESTROY ("5") BLOCK ("a b ", "4 5 "), { "block 0 [b] uid 1 5" } },
  { "unknown-to-all", DESTROY ("9") BLOCK ("a b ", "4 5 "), { "block 0 [] uid 1 9 names [a|b]" } },
  { "started-none", LAUNCH ("a", "1", "0") DESTROY ("1") BLOCK ("", ""),
    { "block 0 [a] uid 1 1 names [] uids [] differ 0", "concurrent 0" } },
  { "names-with-blanks", LAUNCH ("f(int, int)", "1", "0") LAUNCH ("g<a, b>(c = d)", "2", "7") DESTROY ("2")
    BLOCK ("f(int, int) g<a, b>(c = d) ", "1 2 "),
    { "launch 2 [g<a, b>(c = d)]", "[g<a, b>(c = d)] uid 1 2 names [f(int, int)|g<a, b>(c = d)] uids [1|2] differ 0",
      "concurrent 1" } },
  { "names-beyond-telling", DESTROY ("2") BLOCK ("f(int, int) g ", "1 2 "),
    { "block 0 [] uid 1 2 names [f(int, int) g] uids [1|2] differ 1" } },
  { "more-uids-than-names", BLOCK ("a ", "1 2 3 "), { "names [a] uids [1|2|3] differ 1" } },
  { "uid-in-the-name", LAUNCH ("a uid: 3 b", "4", "0") DESTROY ("4") BLOCK ("a uid: 3 b ", "4 "),
    { "launch 4 [a uid: 3 b]" } },
  { "left-over", LAUNCH ("a", "1", "0") LAUNCH ("b", "2", "1") DESTROY ("1") BLOCK ("a b ", "1 2 ")
    DESTROY ("2") BLOCK ("", ""), { "block 1 [b] uid 1 2", "concurrent 1 cycle 1 7 insn", "blocks 2 complete 2" } },
  { "not-utf-8", DESTROY ("1") BLOCK ("a\xff ", "1 "), { "[a\xEF\xBF\xBD] uid 1 1" } },

  { "below-zero", "kernel_name = a \nkernel_launch_uid = 1\ngpu_sim_cycle = -5\ngpu_sim_insn = -1\n" END,
    { "cycle 0 ", "insn 0 ", "complete 1" } },

  /* Where a block ends. */
  { "cut-by-the-next", BLOCK ("a ", "1 ") "kernel_name = b \ngpu_sim_cycle = 3\n" BLOCK ("c ", "3 "),
    { "block 1 [b] uid 0 0", "complete 0 partial 1", "block 2 [c] uid 1 3", "blocks 3 complete 2" } },
  { "cut-by-a-launch", "kernel_name = b \ngpu_sim_cycle = 3\n" LAUNCH ("c", "2", "0"),
    { "block 0 [b]", "complete 0 partial 1", "launch 2 [c]" } },
  { "cut-by-the-end", "kernel_name = b \nGPGPU-Sim: *** exit detected ***\n", { "partial 1 at 0+17\n", "end 1" } },
  { "alive-in-a-block", "kernel_name = b \n"
    "GPGPU-Sim Cycle 36632: LIVENESS - uArch: inst.: 34683456 (ipc=1389.8, occ=92.7% [2048 / 2208]) sim_rate=1\n"
    "gpu_sim_cycle = 3\n" END, { "cycle 1 3", "complete 1", "alive 36632 3.46835e+07" } },
  { "slowdown-nan", "kernel_name = b \ngpgpu_silicon_slowdown = Nan\n", { "complete 1 partial 0" } },
  { "indented", "\tkernel_name = b \n", { "!block 0" } },

  /* Values. */
  { "nan", "kernel_name = a \ngpu_sim_cycle = 0\ngpu_ipc =         -nan\n" END, { "cycle 1 0", "ipc nan" } },
  { "garbage", "kernel_name = a \ngpu_sim_cycle = 12abc\ngpu_sim_insn = 99999999999999999999\n" END,
    { "cycle 0 0 insn 0 0" } },
  { "no-clock", DESTROY ("1") BLOCK ("a ", "1 "), { "ns nan", "clock nan" } },
  { "both-rates",
    "kernel_name = a \ngpgpu_simulation_rate = 5 (inst/sec)\ngpgpu_simulation_rate = 6 (cycle/sec)\n" END,
    { "totals nan nan nan 5\n" } },

  /* Caps. */
  { "limit", DESTROY ("1") BLOCK ("a ", "1 ") DESTROY ("2") BLOCK ("", "")
    "GPGPU-Sim: ** break due to reaching the maximum cycles (or instructions) **\n",
    { "partial 1\n", "blocks 2 complete 1 end 0 limit 1" } },
  { "limit-without-its-block", DESTROY ("1") BLOCK ("a ", "1 ") LAUNCH ("b", "2", "0")
    "GPGPU-Sim: ** break due to reaching the maximum cycles (or instructions) **\n",
    { "!\npartial", "blocks 1 complete 1 end 0 limit 1" } },
  { "limit-at-once", "GPGPU-Sim: ** break due to reaching the maximum cycles (or instructions) **\n",
    { "!\npartial", "blocks 0 complete 0 end 0 limit 1" } },

  /* How far it is. */
  { "progress", HEADER ("a", "(2,3,4)", "0") LAUNCH ("a", "1", "0") "thread block = 0,0,0\nthread block = 1,0,0\n",
    { "in flight 1 ctas 2/24\n", "current [a] [./k.traceg]" } },
  { "progress-after-a-block", HEADER ("a", "(1,1,1)", "0") LAUNCH ("a", "1", "0") "thread block = 0,0,0\n"
    DESTROY ("1") BLOCK ("a ", "1 ") HEADER ("b", "(8,1,1)", "0") LAUNCH ("b", "2", "0") "thread block = 0,0,0\n",
    { "in flight 1 ctas 1/8\n" } },
  { "progress-of-two", HEADER ("a", "(4,1,1)", "1") HEADER ("a", "(2,1,1)", "2") LAUNCH ("a", "1", "2")
    "thread block = 0,0,0\nthread block = 1,0,0\n" LAUNCH ("a", "2", "1") "thread block = 0,0,0\n"
    DESTROY ("1") BLOCK ("a a ", "1 2 "), { "in flight 1 ctas 1/4\n" } },
  { "progress-unknown", LAUNCH ("a", "1", "0") "thread block = 0,0,0\n", { "ctas 1/0\n" } },
  { "grid-too-large", HEADER ("a", "(4294967295,4294967295,4294967295)", "0") LAUNCH ("a", "1", "0"),
    { "ctas 0/0\n" } },

  /* Banner and options. */
  { "glued-stamps", "Accel-Sim [build accelsim-commit-1_modified_4.0_25-02-25-22-36-51]"
    "        *** GPGPU-Sim Simulator Version 4.2.0  [build gpgpu-sim_git-commit-2_modified_7.0] ***\n",
    { "builds [accelsim-commit-1_modified_4.0_25-02-25-22-36-51] [gpgpu-sim_git-commit-2_modified_7.0] [4.2.0]" } },
  { "script-lines", "doing: cd /x\ndoing: rm -f tmp\n0 tests failed\nAccel-Sim [build b]\n", { "foreign 3", "[b]" } },
  { "options", "GPGPU-Sim: Configuration options:\n\n-a                      # b = {<c>} # d\n"
    "-e:f 1 2 # g\n-gpgpu_clock_domains 1132.5:1:1:1 # h\nDRAM Timing Options:\n-kernel name = z\n",
    { "option [-a] [] [b = {<c>} # d]", "option [-e:f] [1 2] [g]", "clock 1132.5", "!option [-kernel]" } },

  /* Ends. */
  { "end-marker-unterminated", "GPGPU-Sim: *** exit detected ***", { "end 1" } },
  { "end-marker-and-more", "GPGPU-Sim: *** exit detected *** not\n", { "end 0" } },
  { "words-of-a-program", "0 tests failed\nAborted\nAssertion `x' failed.\ndeadlock detected\nexit detected\n",
    { "end 0", "errors [(null)] [(null)] [(null)] [(null)] [(null)] [(null)]", "deadlock 0" } },
  { "went-on", "unsupported binary version: 5\nUnable to open file: x\nERROR:  undefined instruction : A Opcode: A\n"
    "thread block = 0,0,0\n", { "errors [(null)] [(null)] [(null)] [(null)] [(null)] [(null)]" } },
  { "evidence", "unsupported binary version: 90\n", { "errors [90] [(null)]" } },
  { "evidence-unterminated", "Unable to open file: ./kernelslist.g", { "errors [(null)] [./kernelslist.g]" } },
  { "resources", "CTA size (x*y*z) = 4096, max supported = 1536\n"
    "GPGPU-Sim uArch: ERROR ** Kernel requires more resources than shader has.\n",
    { "[GPGPU-Sim uArch: ERROR ** Kernel requires more resources than shader has.] "
      "[CTA size (x*y*z) = 4096, max supported = 1536]" } },
  /* 28773 + 71227 = 100000; (4294867296 + 100000) mod 2^32 = 0. */
  { "deadlock", "GPGPU-Sim uArch: ERROR ** deadlock detected: last writeback core 40 @ gpu_sim_cycle 28773 "
    "(+ gpu_tot_sim_cycle 4294867296) (71227 cycles ago)\n"
    "GPGPU-Sim uArch: DEADLOCK  shader cores no longer committing instructions [core(# threads)]:\n"
    "GPGPU-Sim uArch: DEADLOCK  0(128) 1(64) 2(128)  + others ...  + others ... \n"
    "GPGPU-Sim uArch DEADLOCK:  memory partition 3 busy\nGPGPU-Sim uArch DEADLOCK:  memory partition 11 busy\n"
    "GPGPU-Sim uArch DEADLOCK:  iterconnect contains traffic\n",
    { "deadlock 1 core 40 last 28773 stopped 100000 before 0 cores [0(128) 1(64) 2(128)] more 1 busy [3 11] net 1" } },
};

static void
check_account (const char        *account,
               const char *const *told,
               gsize              n_told)
{
  for (gsize i = 0; i < n_told && told[i] != NULL; i++)
    {
      gboolean wanted = told[i][0] != '!';
      if ((strstr (account, told[i] + !wanted) != NULL) != wanted)
        g_error ("%s \"%s\" in:\n%s", wanted ? "no" : "there is", told[i] + !wanted, account);
    }
}

static void
test_shape (gconstpointer data)
{
  const Shape *shape = data;
  gsize len = strlen (shape->log);
  g_autofree char *whole = sim_log_events_whole (shape->log, len);
  g_autofree char *bytes = sim_log_events_bytes (shape->log, len);

  check_account (whole, shape->told, G_N_ELEMENTS (shape->told));
  g_assert_cmpstr (bytes, ==, whole);
}

/* Lines of three megabytes, where names, values and nothing stand. */
static void
test_long_lines (void)
{
  g_autofree char *filling = g_strnfill (3 << 20, 'x');
  g_autofree char *log = g_strconcat (filling, "\n", DESTROY ("1"), "kernel_name = ", filling, " \n",
                                      "kernel_launch_uid = 1 \n", filling, " = 5\n",
                                      "gpu_sim_cycle = 9\n" END, NULL);
  g_autofree char *account = sim_log_events_whole (log, strlen (log));
  static const char *const told[] = { "uid 1 1 names", "cycle 1 9", "complete 1 partial 0" };

  check_account (account, told, G_N_ELEMENTS (told));
  g_autofree char *length = g_strdup_printf ("bytes %" G_GSIZE_FORMAT, strlen (log));
  g_assert_nonnull (strstr (account, length));
}

static void
test_nul (void)
{
  static const char log[] = "a\0b\nkernel_name = a\0b \nkernel_launch_uid = 1\0 \ngpu_sim_cycle = 9\0\n" END;
  g_autofree char *account = sim_log_events_whole (log, sizeof log - 1);
  static const char *const told[] = { "block 0 [a\357\277\275b]", "cycle 0 0", "complete 1" };

  check_account (account, told, G_N_ELEMENTS (told));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
    {
      g_autofree char *name = g_strdup_printf ("/core/sim-log-shapes/%s", shapes[i].name);
      g_test_add_data_func (name, &shapes[i], test_shape);
    }
  g_test_add_func ("/core/sim-log-shapes/long-lines", test_long_lines);
  g_test_add_func ("/core/sim-log-shapes/nul", test_nul);
  return g_test_run ();
}
