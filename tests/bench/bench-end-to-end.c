/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "core/base/cyc-byte-reader.h"
#include "support/test-service.h"

/* How fast lines come from a simulator's output to the database: replay, worker, HTTP, parser and
 * database, each in its own process as ever. Arguments: a recorded log of the sample, how many
 * lines to make of it, and, once for each figure, how many sims at once. */

#define LIMIT_S 600

/* A log as long as asked: the kernels of @path again and again between its head and its end. */
static char *
make_log (const char *path,
          guint64     n_lines,
          gsize      *out_len,
          guint64    *out_lines)
{
  g_autoptr (GError) error = NULL;
  gsize len;
  g_autofree char *text = cyc_byte_reader_read_all (path, 64 * 1024 * 1024, &len, &error);

  g_assert_no_error (error);
  const char *kernels = strstr (text, "Processing kernel ");
  g_assert_nonnull (kernels);
  const char *end = strstr (kernels, "GPGPU-Sim: *** exit detected ***");
  g_assert_nonnull (end);
  guint64 lines_at_once = 0;
  for (const char *p = kernels; p < end; p++)
    lines_at_once += *p == '\n';

  GString *log = g_string_new_len (text, kernels - text);
  for (guint64 n = 0; n < n_lines; n += lines_at_once)
    g_string_append_len (log, kernels, end - kernels);
  g_string_append (log, end);
  *out_lines = 0;
  for (gsize i = 0; i < log->len; i++)
    *out_lines += log->str[i] == '\n';
  *out_len = log->len;
  return g_string_free (log, FALSE);
}

static gint64
read_status (gint64      pid,
             const char *key)
{
  g_autofree char *path = g_strdup_printf ("/proc/%" G_GINT64_FORMAT "/status", pid);
  g_autofree char *text = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return 0;
  const char *found = strstr (text, key);
  return found == NULL ? 0 : g_ascii_strtoll (found + strlen (key), NULL, 10);
}

static void
watch_workers (JsonNode *run,
               guint     count,
               gint64   *most)
{
  for (guint i = 0; i < count; i++)
    {
      const char *pid = test_text (test_run_get_sim (run, i), "launcher_ref");
      if (pid != NULL)
        *most = MAX (*most, read_status (g_ascii_strtoll (pid, NULL, 10), "RssAnon:"));
    }
}

/* Returns the seconds until the run is over. */
static double
time_run (TestService *service,
          const char  *run_id,
          guint        count,
          gint64      *worker_kb)
{
  gint64 begun = g_get_monotonic_time ();

  while (g_get_monotonic_time () - begun < LIMIT_S * G_USEC_PER_SEC)
    {
      g_autoptr (JsonNode) run = test_service_get_run (service, run_id);
      if (strcmp (test_text (json_node_get_object (run), "state"), "active") != 0)
        return (double) (g_get_monotonic_time () - begun) / G_USEC_PER_SEC;
      watch_workers (run, count, worker_kb);
      g_usleep (20000);
    }
  g_error ("the run did not end");
}

/* Nothing may be lost, or the figure is worth nothing. */
static void
check_logs (TestService *service,
            const char  *run_id,
            guint        count,
            const char  *log,
            gsize        len)
{
  for (guint i = 0; i < count; i++)
    {
      g_autofree char *sim_id = test_service_get_sim_id (service, run_id, i);
      g_autofree char *path = test_service_sim_file (service, run_id, sim_id, "log");
      g_autoptr (GMappedFile) file = g_mapped_file_new (path, FALSE, NULL);
      g_assert_nonnull (file);
      g_assert_cmpuint (g_mapped_file_get_length (file), ==, len);
      g_assert_true (memcmp (g_mapped_file_get_contents (file), log, len) == 0);
    }
}

static void
measure (TestService *service,
         guint        count,
         const char  *log,
         gsize        len,
         guint64      n_lines)
{
  gint64 worker_kb = 0;
  g_autofree char *run_id = test_service_start_run (service, "replay", NULL, count);
  double seconds = time_run (service, run_id, count, &worker_kb);

  check_logs (service, run_id, count, log, len);
  g_print ("end to end, %u at once: %.0f lines/ms, %.0f MB/s (%" G_GUINT64_FORMAT " lines each, "
           "%.2f s); engine %.1f MB at most, worker %.2f MB anonymous\n", count,
           (double) n_lines * count / seconds / 1000, (double) len * count / seconds / 1e6, n_lines,
           seconds, (double) read_status (test_service_get_pid (service), "VmHWM:") / 1024,
           (double) worker_kb / 1024);
}

int
main (int    argc,
      char **argv)
{
  gsize len;
  guint64 n_lines;

  if (argc < 4)
    g_error ("usage: bench-end-to-end LOG LINES SIMS...");
  g_autofree char *log = make_log (argv[1], g_ascii_strtoull (argv[2], NULL, 10), &len, &n_lines);

  g_setenv ("CYCLESCOPE_REPLAY_SPEED", "0", TRUE);
  g_autoptr (TestService) service = test_service_new ();
  test_service_start (service);
  g_autofree char *path = g_build_filename (test_service_get_folder (service), "traces", TEST_TRACE,
                                            "recorded", TEST_CONFIG ".log", NULL);
  g_assert_true (g_file_set_contents (path, log, (gssize) len, NULL));
  for (int i = 3; i < argc; i++)
    measure (service, (guint) g_ascii_strtoull (argv[i], NULL, 10), log, len, n_lines);
  test_service_stop (service);
  return 0;
}
