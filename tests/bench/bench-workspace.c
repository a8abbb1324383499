/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/many-runs.h"
#include "core/base/cyc-byte-reader.h"
#include "core/base/cyc-file.h"
#include "engine/cyc-local-workspace.h"
#include "engine/cyc-sim-counters.h"

/* What the window waits for: a workspace with 1,000 runs of six simulations and 200,000 kernels to open,
 * and a counter of a log with 5,000 kernels to be read. Says for how long the main loop stood still. */

#define N_COPIES 1000 /* of the recorded log's five kernels */

static void
fail (const char *what,
      const char *why)
{
  g_printerr ("bench-workspace: %s: %s\n", what, why);
  exit (1);
}

typedef struct
{
  gint64  last;
  gint64  longest;
} Watch;

/* How long the main loop does not come round to anything. */
static gboolean
watch_cb (gpointer data)
{
  Watch *watch = data;
  gint64 now = g_get_monotonic_time ();

  watch->longest = MAX (watch->longest, now - watch->last);
  watch->last = now;
  return G_SOURCE_CONTINUE;
}

static void
closed_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  *(gboolean *) data = cyc_workspace_finish (CYC_WORKSPACE (source), result, NULL);
}

static void
open_once (const char *folder,
           const char *what)
{
  gboolean closed = FALSE;
  gint64 begin = g_get_monotonic_time ();
  g_autoptr (CycWorkspace) workspace = cyc_local_workspace_new (folder, NULL);
  Watch watch = { .last = g_get_monotonic_time () };
  guint id = g_timeout_add (1, watch_cb, &watch);

  while (cyc_workspace_get_state (workspace) == CYC_WORKSPACE_OPENING)
    g_main_context_iteration (NULL, TRUE);
  gint64 opened = g_get_monotonic_time ();
  watch_cb (&watch);
  if (cyc_workspace_get_state (workspace) != CYC_WORKSPACE_OPEN)
    fail (folder, cyc_workspace_get_error (workspace));
  g_source_remove (id);
  if (what != NULL)
    g_print ("%s: open in %.1f ms, the main loop stood still for %.1f ms\n", what,
             (double) (opened - begin) / 1000, (double) watch.longest / 1000);
  cyc_workspace_close_async (workspace, NULL, closed_cb, &closed);
  while (!closed)
    g_main_context_iteration (NULL, TRUE);
}

static void
on_block (const CycSimBlock *block,
          gpointer           data)
{
  CycKernelRecord *kernel = cyc_kernel_record_new ();

  kernel->kernel_index = block->index;
  kernel->has_stream_id = block->has_stream;
  kernel->stream_id = block->stream_id;
  kernel->log_offset = block->offset;
  kernel->log_length = block->length;
  g_ptr_array_add (data, kernel);
}

static void
read_counters (const char *folder,
               const char *recorded)
{
  static const char *const keys[] = { "gpgpu_n_stall_shd_mem", "L2_total_cache_accesses", "gpu_ipc", NULL };
  static const CycSimLogCallbacks callbacks = { .block = on_block };
  g_autofree char *path = g_build_filename (folder, "large.log", NULL);
  g_autoptr (GPtrArray) kernels = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_kernel_record_free);
  g_autoptr (CycSimLog) log = cyc_sim_log_new (CYC_SIM_LOG_IDENTITY);
  g_autoptr (GError) error = NULL;
  gsize length;
  g_autofree char *text = cyc_byte_reader_read_all (recorded, 1 << 30, &length, &error);

  if (text == NULL)
    fail (recorded, error->message);
  const char *body = strstr (text, "launching kernel name:");
  FILE *file = fopen (path, "w");
  fwrite (text, 1, (gsize) (body - text), file);
  for (guint i = 0; i < N_COPIES; i++)
    fwrite (body, 1, length - (gsize) (body - text), file);
  fclose (file);
  g_autoptr (CycByteReader) reader = cyc_byte_reader_open (path, &error);
  g_autofree char *buffer = g_malloc (1 << 20);
  gssize n;
  guint64 bytes = 0;
  cyc_sim_log_set_callbacks (log, &callbacks, kernels);
  while ((n = cyc_byte_reader_read (reader, buffer, 1 << 20, NULL, &error)) > 0)
    {
      cyc_sim_log_feed (log, buffer, (gsize) n);
      bytes += (guint64) n;
    }
  for (guint cumulative = 0; cumulative < 2; cumulative++)
    {
      gint64 begin = g_get_monotonic_time ();
      g_autoptr (CycCounterTable) table = cyc_sim_counters_load (path, kernels, keys, cumulative == 1, 0,
                                                                 NULL, NULL, &error);
      if (table == NULL)
        fail (path, error->message);
      g_print ("three counters of %u kernels, %.0f MB of log, %s: %.0f ms\n", table->n_rows,
               (double) bytes / 1e6, cumulative == 1 ? "as printed" : "each kernel's share",
               (double) (g_get_monotonic_time () - begin) / 1000);
    }
}

int
main (int    argc,
      char **argv)
{
  g_autofree char *folder = g_dir_make_tmp ("cyclescope-bench-XXXXXX", NULL);
  g_autofree char *workspace = g_build_filename (folder, "ws", NULL);

  if (argc != 2)
    fail ("usage", "bench-workspace RECORDED-LOG");
  open_once (workspace, "a new workspace");
  many_runs_fill (workspace);
  open_once (workspace, "1,000 runs, 6,000 simulations, 204,000 kernels");
  read_counters (folder, argv[1]);
  cyc_file_remove_tree (folder, NULL);
  return 0;
}
