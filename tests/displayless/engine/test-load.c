/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>
#include <unistd.h>

#include "core/base/cyc-byte-reader.h"
#include "core/base/cyc-file.h"
#include "engine/cyc-service.h"
#include "support/loop-watch.h"

/* Two hundred simulations at once on the replay launcher: real workers, real HTTP, real database.
 * The memory of engine and workers is held against the targets, unless a sanitizer uses some of its own.
 * Usage: test-load [-m perf]; with -m perf the main loop is, too, which needs a machine with nothing else to do. */

#if defined (__SANITIZE_ADDRESS__) || defined (__SANITIZE_THREAD__)
#define SANITIZED
#endif

#define N_SIMS 200
#define SAMPLE "cyclescope-sample"

static void
created_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autoptr (GError) error = NULL;
  char **id = user_data;

  *id = cyc_engine_create_run_finish (CYC_ENGINE (source), result, &error);
  g_assert_no_error (error);
}

static void
stopped_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  gboolean *stopped = user_data;

  *stopped = cyc_service_stop_finish (CYC_SERVICE (source), result, NULL);
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
measure_workers (CycEngine  *engine,
                 const char *run_id,
                 gint64     *most)
{
  g_autoptr (GPtrArray) sims = cyc_engine_list_sim_records (engine, run_id);

  for (guint i = 0; i < sims->len; i++)
    {
      const CycSimRecord *sim = g_ptr_array_index (sims, i);
      if (sim->launcher_ref != NULL && !cyc_sim_state_is_terminal (sim->state))
        *most = MAX (*most, read_status (g_ascii_strtoll (sim->launcher_ref, NULL, 10), "RssAnon:"));
    }
}

static GBytes *
read_recorded (const char *workspace,
               const char *config)
{
  g_autofree char *name = g_strconcat (config, ".log.xz", NULL);
  g_autofree char *path = g_build_filename (workspace, "traces", SAMPLE, "recorded", name, NULL);
  gsize len;
  char *text = cyc_byte_reader_read_all (path, 64 * 1024 * 1024, &len, NULL);

  g_assert_nonnull (text);
  return g_bytes_new_take (text, len);
}

static void
check_sims (CycEngine  *engine,
            const char *workspace,
            const char *run_id)
{
  g_autoptr (GPtrArray) sims = cyc_engine_list_sim_records (engine, run_id);
  g_autoptr (GHashTable) logs =
    g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) g_bytes_unref);

  g_assert_cmpuint (sims->len, ==, N_SIMS);
  for (guint i = 0; i < sims->len; i++)
    {
      const CycSimRecord *sim = g_ptr_array_index (sims, i);
      g_assert_cmpstr (sim->error, ==, NULL);
      g_assert_cmpint (sim->state, ==, CYC_SIM_SUCCEEDED);
      g_assert_cmpuint (sim->kernels_done, ==, 5);
      GBytes *want = g_hash_table_lookup (logs, sim->gpu_config);
      if (want == NULL)
        {
          want = read_recorded (workspace, sim->gpu_config);
          g_hash_table_insert (logs, sim->gpu_config, want);
        }
      g_autofree char *folder = cyc_engine_get_sim_folder (engine, sim->id);
      g_autofree char *path = g_build_filename (folder, "log", NULL);
      g_autofree char *got = NULL;
      gsize len;
      g_assert_true (g_file_get_contents (path, &got, &len, NULL));
      g_assert_cmpmem (got, len, g_bytes_get_data (want, NULL), g_bytes_get_size (want));
    }
}

static char *
make_workspace (void)
{
  char *workspace = g_dir_make_tmp ("cyclescope-test-XXXXXX", NULL);
  g_autofree char *settings = g_build_filename (workspace, "settings.ini", NULL);

  g_assert_true (g_file_set_contents (settings, "[limits]\nparallel=200\n", -1, NULL));
  return workspace;
}

static void
start_run (CycEngine  *engine,
           char      **out_id)
{
  static const char *const configs[] = { "SM86_RTX3070", "SM86_RTX3070_12SM",
                                         "SM86_RTX3070_SLOWDRAM", "SM86_RTX3070" };
  static const guint counts[] = { 64, 64, 64, 8 };
  g_autoptr (CycRunRequest) request = cyc_run_request_new ();

  request->trace_id = g_strdup (SAMPLE);
  request->launcher = g_strdup ("replay");
  for (guint i = 0; i < G_N_ELEMENTS (configs); i++)
    g_ptr_array_add (request->entries, cyc_run_entry_new (configs[i], counts[i]));
  cyc_engine_create_run (engine, request, created_cb, out_id);
}

static void
test_two_hundred (void)
{
  g_autofree char *workspace = make_workspace ();
  g_autoptr (GError) error = NULL;
  CycService *service = cyc_service_start (workspace, NULL, NULL, &error);
  g_autofree char *run_id = NULL;
  gint64 worker_memory = 0, engine_memory = 0;
  gint64 begun = g_get_monotonic_time ();
  gint64 deadline = begun + 240 * G_USEC_PER_SEC;
  gboolean over = FALSE, stopped = FALSE;
  guint iterations = 0;

  g_assert_no_error (error);
  CycEngine *engine = cyc_service_get_engine (service);
  loop_watch_start ();
  start_run (engine, &run_id);
  while (!over && g_get_monotonic_time () < deadline)
    {
      g_main_context_iteration (NULL, TRUE);
      const CycRunRecord *run = run_id == NULL ? NULL : cyc_engine_find_run (engine, run_id, NULL);
      over = run != NULL && cyc_run_record_get_state (run) != CYC_RUN_ACTIVE;
      if (run != NULL && iterations++ % 500 == 250)
        {
          /* Looking costs the loop time that is not the engine's. */
          measure_workers (engine, run_id, &worker_memory);
          engine_memory = MAX (engine_memory, read_status (getpid (), "VmRSS:"));
          loop_watch_skip ();
        }
    }
  LoopGap longest_gap = loop_watch_stop ();
  double seconds = (double) (g_get_monotonic_time () - begun) / G_USEC_PER_SEC;
  g_assert_true (over);
  engine_memory = MAX (engine_memory, read_status (getpid (), "VmRSS:"));
  check_sims (engine, workspace, run_id);
  g_test_message ("%d sims in %.2f s; longest main-loop gap %.1f ms (%.1f on a processor, %.1f waiting "
                  "for one); engine %.1f MB; largest worker seen %.2f MB anonymous", N_SIMS, seconds,
                  (double) longest_gap.clock / 1000, (double) longest_gap.running / 1000,
                  (double) longest_gap.waiting / 1000, (double) engine_memory / 1024,
                  (double) worker_memory / 1024);
  g_assert_cmpint (worker_memory, >, 0);
#ifndef SANITIZED
  g_assert_cmpint (engine_memory, <, 400 * 1024);
  g_assert_cmpint (worker_memory, <, 15 * 1024);
#endif
  if (g_test_perf ())
    {
      g_test_minimized_result ((double) longest_gap.clock / 1000, "longest gap, ms");
      g_assert_cmpint (longest_gap.clock, <, 50 * 1000);
    }

  cyc_service_stop_async (service, stopped_cb, &stopped);
  while (!stopped)
    g_main_context_iteration (NULL, TRUE);
  g_object_unref (service);
  g_assert_true (cyc_file_remove_tree (workspace, NULL));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_setenv ("CYCLESCOPE_REPLAY_SPEED", "2500", TRUE);
  g_test_add_func ("/engine/load/two-hundred", test_two_hundred);
  return g_test_run ();
}
