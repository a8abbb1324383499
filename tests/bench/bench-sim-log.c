/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <gio/gio.h>
#include <string.h>
#include <time.h>

#include "core/accelsim/cyc-sim-log.h"
#include "core/accelsim/cyc-sim-stats.h"
#include "core/base/cyc-byte-reader.h"

/* How fast a log is parsed on one core, and whether memory grows with it. Arguments: recorded logs.
 * Each is fed again and again, as one long log, in pieces of 64 KiB. Times are those of the processor,
 * so other programs do not count. */

#define LOG_SIZE (G_GUINT64_CONSTANT (1) << 30)
#define PIECE (64 * 1024)

/* KiB of private memory, from /proc/self/statm; 0 where there is no such file. */
static guint64
resident_kib (void)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) fields = NULL;

  if (!g_file_get_contents ("/proc/self/statm", &text, NULL, NULL))
    return 0;
  fields = g_strsplit (text, " ", 4);
  return g_strv_length (fields) < 3 ? 0 : g_ascii_strtoull (fields[1], NULL, 10) * 4;
}

static double
processor_seconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

static void
count_stats (const CycSimBlock *block,
             gpointer           user_data)
{
  g_autoptr (CycSimStats) stats = cyc_sim_stats_parse (block->text, block->text_len);

  *(guint64 *) user_data += cyc_sim_stats_get_n (stats);
}

static void
run (const char     *name,
     const char     *text,
     gsize           len,
     CycSimLogFlags  flags,
     guint64         size)
{
  g_autoptr (CycSimLog) log = cyc_sim_log_new (flags);
  CycSimLogCallbacks callbacks = { .block = (flags & CYC_SIM_LOG_FULL) != 0 ? count_stats : NULL };
  guint64 n_stats = 0;
  guint64 before = resident_kib ();
  guint64 fed = 0;

  cyc_sim_log_set_callbacks (log, &callbacks, &n_stats);
  double begin = processor_seconds ();

  while (fed < size)
    {
      for (gsize pos = 0; pos < len; pos += PIECE)
        cyc_sim_log_feed (log, text + pos, MIN (PIECE, len - pos));
      fed += len;
    }
  cyc_sim_log_finish (log);

  double seconds = processor_seconds () - begin;
  const CycSimLogSummary *summary = cyc_sim_log_get_summary (log);
  g_print ("%s%s: %.0f MB/s, %.0f lines/ms, %u blocks, %" G_GUINT64_FORMAT " values, memory +%"
           G_GINT64_FORMAT " KiB\n", name, (flags & CYC_SIM_LOG_FULL) != 0 ? " with all values" : "",
           (double) fed / seconds / 1e6, (double) summary->lines / seconds / 1000, summary->blocks, n_stats,
           (gint64) resident_kib () - (gint64) before);
}

int
main (int    argc,
      char **argv)
{
  for (int i = 1; i < argc; i++)
    {
      g_autoptr (GError) error = NULL;
      gsize len;
      g_autofree char *text = cyc_byte_reader_read_all (argv[i], G_MAXINT, &len, &error);
      if (text == NULL)
        {
          g_printerr ("%s\n", error->message);
          return 1;
        }
      g_autofree char *name = g_path_get_basename (argv[i]);
      run (name, text, len, CYC_SIM_LOG_IDENTITY, LOG_SIZE);
      run (name, text, len, CYC_SIM_LOG_FULL, LOG_SIZE / 8);
    }
  return 0;
}
