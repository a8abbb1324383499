/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "core/base/cyc-file.h"
#include "displayless/worker/worker-run.h"

/* How fast a worker brings a flood of lines to an engine that only appends them, and how much memory
 * it needs for that. Argument: megabytes of log. */

static guint64 peak_kb;

static gboolean
has_exited_watched (WorkerRun *run)
{
  const char *pid = g_subprocess_get_identifier (run->process);
  g_autofree char *path = pid == NULL ? NULL : g_build_filename ("/proc", pid, "status", NULL);
  g_autofree char *text = NULL;

  if (path != NULL && g_file_get_contents (path, &text, NULL, NULL))
    {
      const char *line = strstr (text, "RssAnon:");
      guint64 kb = line == NULL ? 0 : g_ascii_strtoull (line + strlen ("RssAnon:"), NULL, 10);
      peak_kb = MAX (peak_kb, kb);
    }
  return run->exited;
}

int
main (int    argc,
      char **argv)
{
  guint64 bytes = (argc < 2 ? 64 : g_ascii_strtoull (argv[1], NULL, 10)) * 1000 * 1000;
  g_auto (WorkerRun) run;
  g_autofree char *text = g_strdup_printf ("%" G_GUINT64_FORMAT, bytes);

  worker_run_init (&run);
  worker_run_set_env (&run, "FAKE_SIM_MODE", "flood");
  worker_run_set_env (&run, "FAKE_SIM_BYTES", text);
  gint64 begin = g_get_monotonic_time ();
  worker_run_start (&run);
  worker_run_wait (&run, has_exited_watched);
  double seconds = (double) (g_get_monotonic_time () - begin) / G_USEC_PER_SEC;

  guint64 lines = 0;
  for (gsize i = 0; i < run.engine->log->len; i++)
    lines += run.engine->log->str[i] == '\n';
  g_assert_cmpuint (run.engine->log->len, >=, bytes);
  g_print ("worker to engine: %.0f lines/ms, %.0f MB/s, %u chunks; anonymous memory up to %" G_GUINT64_FORMAT
           " kB\n", (double) lines / seconds / 1000, (double) run.engine->log->len / seconds / 1e6,
           run.engine->n_chunks, peak_kb);
  return 0;
}
