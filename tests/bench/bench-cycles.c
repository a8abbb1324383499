/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <fcntl.h>
#include <gio/gio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/base/cyc-double.h"
#include "core/base/cyc-file.h"
#include "core/cycles/cyc-cycle-columns.h"
#include "core/cycles/cyc-cycle-json.h"
#include "core/cycles/cyc-trace-merge.h"
#include "support/test-cycles.h"
#include "support/test-folder.h"

/* How fast profile buffers are decoded, written and merged. Argument: millions of records. With
 * `doubles N` instead: writes N random doubles and holds them against strtod and %.17g. */

#define N_ROUNDS 5

typedef struct
{
  double wall;
  double cpu;
} Time;

static double
get_cpu (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

static Time
get_time (void)
{
  return (Time) { (double) g_get_monotonic_time () / G_USEC_PER_SEC, get_cpu () };
}

static void
keep_best (Time *best,
           Time  begin)
{
  Time now = get_time ();

  best->wall = MIN (best->wall, now.wall - begin.wall);
  best->cpu = MIN (best->cpu, now.cpu - begin.cpu);
}

static CycCycleMeta *
make_meta (void)
{
  static const char text[] =
    "{\"soc_name\": \"Ascend910B3\", \"kernel_name\": \"MegaMoe\", \"owner_label\": \"Expert\","
    " \"stage_names\": {\"196608\": \"Dispatch\", \"196609\": \"GMM1\", \"196610\": \"SwiGLU\"},"
    " \"task_stage_names\": {\"0\": \"Dispatch\", \"1\": \"GMM1\", \"2\": \"SwiGLU\"}}";
  g_autoptr (CycJsonArena) arena = cyc_json_arena_new ();
  g_autoptr (GError) error = NULL;
  CycCycleMeta *meta =
    cyc_cycle_meta_read (cyc_json_arena_parse (arena, text, strlen (text), NULL, &error), NULL, &error);

  g_assert_no_error (error);
  return meta;
}

static gboolean
count (const char  *bytes,
       gsize        len,
       gpointer     sum,
       GError     **error)
{
  *(guint64 *) sum += len;
  return TRUE;
}

static void
bench_columns (const char *path)
{
  g_autoptr (CycCycleMeta) meta = make_meta ();
  Time read = { 1e9, 1e9 }, order = { 1e9, 1e9 }, all = { 1e9, 1e9 };
  guint32 n = 0;

  for (guint i = 0; i < N_ROUNDS; i++)
    {
      g_autoptr (GError) error = NULL;
      Time begin = get_time ();
      g_autoptr (CycCycleBuffer) buffer = cyc_cycle_buffer_read (path, meta, NULL, &error);
      g_assert_no_error (error);
      keep_best (&read, begin);
      Time middle = get_time ();
      g_autoptr (CycCycleColumns) columns = cyc_cycle_columns_new (buffer);
      keep_best (&order, middle);
      keep_best (&all, begin);
      n = columns->n;
    }
  g_print ("decode %.2f million records to ordered columns: %.3f s (%.3f s of one processor): file read and "
           "checked %.3f s (%.3f), put in order %.3f s (%.3f)\n",
           n / 1e6, all.wall, all.cpu, read.wall, read.cpu, order.wall, order.cpu);
}

/* In a process of its own, whose memory is that of the work. */
static void
bench_json (const char *path,
            gsize       len)
{
  int status;
  pid_t child = fork ();

  if (child != 0)
    {
      struct rusage usage;
      g_assert_cmpint (wait4 (child, &status, 0, &usage), ==, child);
      g_print ("most memory: %.0f MB; the buffer has %.0f MB\n", (double) usage.ru_maxrss / 1024,
               (double) len / (1024 * 1024));
      return;
    }
  g_autoptr (CycCycleMeta) meta = make_meta ();
  g_autoptr (GError) error = NULL;
  Time begin = get_time (), best = { 1e9, 1e9 };
  g_autoptr (CycCycleBuffer) buffer = cyc_cycle_buffer_read (path, meta, NULL, &error);
  guint64 bytes = 0;
  g_assert_no_error (error);
  g_assert_true (cyc_cycle_json_write (buffer, count, &bytes, NULL, &error));
  keep_best (&best, begin);
  g_print ("decode and write as JSON: %.0f MB, %.0f MB/s (%.0f MB/s of one processor)\n", (double) bytes / 1e6,
           (double) bytes / 1e6 / best.wall, (double) bytes / 1e6 / best.cpu);
  _exit (0);
}

/* A framework's trace of n kernels, of which one is ours. */
static char *
write_framework (TestFolder folder,
                 guint      n)
{
  g_autoptr (GString) text = g_string_new ("{\"traceEvents\": [");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s{\"name\": \"aclnnAdd_%u\", \"cat\": \"kernel\", \"ph\": \"X\", \"pid\": %u, "
                            "\"tid\": %u, \"ts\": %u.%03u, \"dur\": %u.5, \"args\": {\"Task Type\": \"AI_VECTOR\", "
                            "\"Stream Id\": %u, \"shapes\": \"[1024,%u]\"}}",
                            i > 0 ? ",\n" : "", i % 500, i % 7, i % 31, i * 3, i % 1000, i % 90, i % 16, i % 4096);
  g_string_append (text, ", {\"name\": \"MegaMoe_op\", \"cat\": \"kernel\", \"ph\": \"X\", \"pid\": 3, \"tid\": 1, "
                   "\"ts\": 5000.25, \"dur\": 1000000, \"args\": {}}]}");
  return test_folder_write (folder, "framework.json", text->str, (gssize) text->len);
}

static gboolean
append (const char  *bytes,
        gsize        len,
        gpointer     file,
        GError     **error)
{
  return cyc_file_write_all (*(int *) file, bytes, len);
}

static void
bench_merge (TestFolder  folder,
             const char *framework,
             const char *internal)
{
  CycTraceMergeOptions options = { .framework_path = framework, .internal_path = internal };
  g_autoptr (GError) error = NULL;
  Time begin = get_time (), best = { 1e9, 1e9 };
  guint64 bytes = 0;
  struct rusage before, after;

  getrusage (RUSAGE_SELF, &before);
  g_autoptr (CycTraceMerge) merge = cyc_trace_merge_new (&options, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (cyc_trace_merge_write (merge, count, &bytes, &error));
  keep_best (&best, begin);
  getrusage (RUSAGE_SELF, &after);
  g_print ("merge to %.0f MB: %.2f s (%.2f s of one processor), %.0f MB/s; %.0f MB of memory more\n",
           (double) bytes / 1e6, best.wall, best.cpu, (double) bytes / 1e6 / best.wall,
           (double) (after.ru_maxrss - before.ru_maxrss) / 1024);
}

static void
prepare_merge (TestFolder folder)
{
  static const TestCycles what = { 5, 24, 16384, 16384, 8000, 8000 };
  g_autofree char *path = g_build_filename (folder, "internal.json", NULL);
  g_autofree char *framework = write_framework (folder, 1500000);
  g_autoptr (CycCycleMeta) meta = make_meta ();
  g_autoptr (GError) error = NULL;
  gsize len;
  g_autofree guint8 *bytes = test_cycles_new (&what, &len);
  int fd = open (path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

  g_autoptr (CycCycleBuffer) buffer = cyc_cycle_buffer_parse (bytes, len, NULL, meta, &error);
  g_assert_no_error (error);
  g_assert_true (cyc_cycle_json_write (buffer, append, &fd, NULL, &error));
  close (fd);
}

static void
bench_merges (TestFolder folder)
{
  int status;
  pid_t child = fork ();

  if (child == 0)
    {
      prepare_merge (folder);
      _exit (0);
    }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_autofree char *framework = g_build_filename (folder, "framework.json", NULL);
  g_autofree char *internal = g_build_filename (folder, "internal.json", NULL);
  bench_merge (folder, framework, internal);
}

static guint64
mix (guint64 z)
{
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
  z = (z ^ z >> 27) * 0x94D049BB133111EB;
  return z ^ z >> 31;
}

/* Random bits, and what traces hold: cycles by a frequency. */
static double
get_double (guint64 i)
{
  guint64 bits = mix (i * 0x9E3779B97F4A7C15) & G_MAXUINT64 >> 1;
  double value;

  if (i % 2 == 1)
    return (double) (bits >> (20 + i / 2 % 40)) / (i % 4 == 1 ? 50 : 1850.5);
  memcpy (&value, &bits, sizeof value);
  return bits >> 52 == 0x7ff ? 1.5 : value;
}

/* The text reads back, and so does no text with a digit less: of those the nearest is printf's. */
static void
check_doubles (guint64 n)
{
  char text[CYC_DOUBLE_WRITE_MAX], other[64];

  for (guint64 i = 0; i < n; i++)
    {
      double value = get_double (i);
      int exponent;
      *cyc_double_write (text, value) = '\0';
      g_snprintf (other, sizeof other, "%.17g", value);
      if (strtod (text, NULL) != value || strtod (other, NULL) != value)
        g_error ("%s is not %s", text, other);
      guint64 digits = cyc_double_get_shortest (value, &exponent);
      int n_digits = g_snprintf (other, sizeof other, "%" G_GUINT64_FORMAT, digits);
      if (n_digits == 1)
        continue;
      g_snprintf (other, sizeof other, "%.*e", n_digits - 2, value);
      if (strtod (other, NULL) == value)
        g_error ("%s is longer than %s", text, other);
    }
  g_print ("%" G_GUINT64_FORMAT " doubles read back, none has a shorter text\n", n);
}

static void
bench_doubles (void)
{
  char text[CYC_DOUBLE_WRITE_MAX];
  Time best = { 1e9, 1e9 };
  gsize sum = 0;

  for (guint round = 0; round < N_ROUNDS; round++)
    {
      Time begin = get_time ();
      for (guint64 i = 0; i < 1000000; i++)
        sum += (gsize) (cyc_double_write (text, (double) (i * 7919 % 100000007) / 1850.5) - text);
      keep_best (&best, begin);
    }
  g_print ("shortest doubles: %.1f million a second (%.1f of one processor), %" G_GSIZE_FORMAT " bytes\n",
           1 / best.wall, 1 / best.cpu, sum / N_ROUNDS);
}

int
main (int    argc,
      char **argv)
{
  if (argc == 3 && strcmp (argv[1], "doubles") == 0)
    {
      check_doubles (g_ascii_strtoull (argv[2], NULL, 10));
      return 0;
    }
  double millions = argc > 1 ? g_ascii_strtod (argv[1], NULL) : 4;
  guint each = (guint) (millions * 1e6 / 72) + 1;
  TestCycles what = { 1, 24, (each + 15) / 16 * 16, (each + 15) / 16 * 16, each, each };
  g_auto (TestFolder) folder = test_folder_new ();
  gsize len;
  guint8 *bytes = test_cycles_new (&what, &len);
  g_autofree char *path = test_folder_write (folder, "buffer.bin", bytes, (gssize) len);

  g_free (bytes);
  bench_doubles ();
  bench_json (path, len);
  bench_columns (path);
  if (argc < 3)
    bench_merges (folder);
  return 0;
}
