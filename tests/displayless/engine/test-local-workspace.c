/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>
#include <unistd.h>

#include "core/base/cyc-error.h"
#include "core/model/cyc-kernel-stat.h"
#include "core/model/cyc-sim.h"
#include "workspace-fixture.h"

/* Opening and closing a workspace in this process, its models, runs and traces. */

static void
count_cb (GListModel *model,
          guint       position,
          guint       removed,
          guint       added,
          gpointer    data)
{
  *(guint *) data += added;
}

/* The models are there from the beginning, empty, and fill when it opens. */
static void
test_open (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "my work", NULL);
  CycWorkspace *workspace = cyc_local_workspace_new (path, NULL);
  GListModel *traces = cyc_workspace_get_traces (workspace);
  guint added = 0;

  g_assert_cmpint (cyc_workspace_get_state (workspace), ==, CYC_WORKSPACE_OPENING);
  g_assert_cmpstr (cyc_workspace_get_title (workspace), ==, "my work");
  g_assert_cmpstr (cyc_workspace_get_location (workspace), ==, path);
  g_assert_cmpuint (g_list_model_get_n_items (traces), ==, 0);
  g_assert_null (cyc_workspace_get_sims (workspace, "run-1"));
  g_signal_connect (traces, "items-changed", G_CALLBACK (count_cb), &added);
  fixture_wait_state (workspace, CYC_WORKSPACE_OPEN);
  g_assert_cmpuint (added, ==, 1);
  g_autoptr (CycTrace) trace = cyc_workspace_find_trace (workspace, SAMPLE_TRACE);
  g_assert_nonnull (trace);
  g_assert_cmpint (cyc_trace_get_record (trace)->state, ==, CYC_TRACE_READY);
  g_assert_null (cyc_workspace_find_run (workspace, "run-1"));

  /* Closed, the models are stale, and calls get a sentence. */
  g_autoptr (CycWorkspace) kept = g_object_ref (workspace);
  g_autoptr (GAsyncResult) result = NULL;
  fixture_close (workspace);
  g_assert_cmpuint (g_list_model_get_n_items (traces), ==, 1);
  cyc_workspace_remove_trace_async (kept, SAMPLE_TRACE, NULL, answer_cb, &result);
  answer_wait_error (kept, &result, CYC_ERROR, CYC_ERROR_UNAVAILABLE, "is not open");
  g_signal_handlers_disconnect_by_data (traces, &added);
}

/* Who has it already is named. */
static void
test_busy (Fixture       *fixture,
           gconstpointer  data)
{
  g_autoptr (CycWorkspace) second = cyc_local_workspace_new (fixture->path, NULL);
  g_autofree char *process = g_strdup_printf ("process %d ", (int) getpid ());

  fixture_wait_state (second, CYC_WORKSPACE_CLOSED);
  const char *error = cyc_workspace_get_error (second);
  g_assert_nonnull (strstr (error, process));
  g_assert_nonnull (strstr (error, "http://127.0.0.1:"));
  g_assert_nonnull (strstr (error, fixture->path));
}

static void
test_no_folder (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autofree char *file = test_folder_write (folder, "file", "", 0);
  g_autoptr (CycWorkspace) workspace = cyc_local_workspace_new (file, NULL);

  fixture_wait_state (workspace, CYC_WORKSPACE_CLOSED);
  g_assert_nonnull (strstr (cyc_workspace_get_error (workspace), file));
}

static gboolean
is_null (gpointer data)
{
  return *(gpointer *) data == NULL;
}

/* A workspace that nobody waits for lets go of its folder. */
static void
test_dropped (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  CycWorkspace *workspace = cyc_local_workspace_new (folder, NULL);

  g_object_add_weak_pointer (G_OBJECT (workspace), (gpointer *) &workspace);
  g_object_unref (workspace);
  fixture_wait (is_null, &workspace, "the end of a workspace");
  CycWorkspace *second = cyc_local_workspace_new (folder, NULL);
  fixture_wait_state (second, CYC_WORKSPACE_OPEN);
  fixture_close (second);
}

/* Closed before it is open, and by two who do not know of each other. */
static void
test_closed_early (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  CycWorkspace *workspace = cyc_local_workspace_new (folder, NULL);
  g_autoptr (GAsyncResult) first = NULL;
  g_autoptr (GAsyncResult) second = NULL;

  cyc_workspace_close_async (workspace, NULL, answer_cb, &first);
  cyc_workspace_close_async (workspace, NULL, answer_cb, &second);
  g_assert_cmpint (cyc_workspace_get_state (workspace), ==, CYC_WORKSPACE_CLOSED);
  answer_wait_done (workspace, &first);
  answer_wait_done (workspace, &second);
  g_object_unref (workspace);
  workspace = cyc_local_workspace_new (folder, NULL);
  fixture_wait_state (workspace, CYC_WORKSPACE_OPEN);
  fixture_close (workspace);
}

static gboolean
none_local (gpointer data)
{
  return cyc_workspace_get_n_local (data) == 0;
}

/* From a request to the kernels. Kernels 1 to 5 of the recorded log: gpu_sim_cycle, as awk prints it. */
static void
test_run (Fixture       *fixture,
          gconstpointer  data)
{
  static const gint64 cycles[] = { 6231, 5912, 13685, 14039, 6189 };
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  g_autofree char *sample = fixture_get_sample_run (fixture);
  g_assert_cmpuint (cyc_workspace_get_n_local (fixture->workspace), ==, 0);
  g_autofree char *id = fixture_start_run (fixture, "replay", NULL, SAMPLE_CONFIG, 2);
  g_assert_cmpuint (cyc_workspace_get_n_local (fixture->workspace), ==, fixture_n_local (2));
  fixture_wait_run (fixture, id);
  fixture_wait (none_local, fixture->workspace, "no local sims");
  g_autofree char *sim = fixture_get_sim (fixture, id, SAMPLE_CONFIG, 1);
  cyc_workspace_load_kernels_async (fixture->workspace, sim, NULL, answer_cb, &result);
  g_autoptr (GListModel) kernels =
    cyc_workspace_load_kernels_finish (fixture->workspace, answer_wait (&result), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_list_model_get_n_items (kernels), ==, G_N_ELEMENTS (cycles));
  for (guint i = 0; i < G_N_ELEMENTS (cycles); i++)
    {
      g_autoptr (CycKernelStat) kernel = g_list_model_get_item (kernels, i);
      g_assert_cmpint (cyc_kernel_stat_get_record (kernel)->gpu_sim_cycle, ==, cycles[i]);
    }
  g_clear_object (&result);

  cyc_workspace_remove_run_async (fixture->workspace, id, NULL, answer_cb, &result);
  answer_wait_done (fixture->workspace, &result);
  cyc_workspace_load_kernels_async (fixture->workspace, sim, NULL, answer_cb, &result);
  g_assert_null (cyc_workspace_load_kernels_finish (fixture->workspace, answer_wait (&result), &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_NOT_FOUND);
}

static gboolean
is_removed (gpointer data)
{
  g_autoptr (CycTrace) trace = cyc_workspace_find_trace (data, SAMPLE_TRACE);

  return trace == NULL;
}

static gboolean
is_back (gpointer data)
{
  return !is_removed (data);
}

static void
test_restore (Fixture       *fixture,
              gconstpointer  data)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autofree char *sample = fixture_get_sample_run (fixture);

  cyc_workspace_remove_trace_async (fixture->workspace, SAMPLE_TRACE, NULL, answer_cb, &result);
  answer_wait_done (fixture->workspace, &result);
  fixture_wait (is_removed, fixture->workspace, "the trace to go");
  cyc_workspace_restore_trace_async (fixture->workspace, SAMPLE_TRACE, NULL, answer_cb, &result);
  answer_wait_done (fixture->workspace, &result);
  fixture_wait (is_back, fixture->workspace, "the trace to come back");
}

/* A cancel before the beginning changes nothing. */
static void
test_cancelled (Fixture       *fixture,
                gconstpointer  data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autofree char *sample = fixture_get_sample_run (fixture);

  g_cancellable_cancel (cancellable);
  cyc_workspace_remove_trace_async (fixture->workspace, SAMPLE_TRACE, cancellable, answer_cb, &result);
  answer_wait_error (fixture->workspace, &result, G_IO_ERROR, G_IO_ERROR_CANCELLED, "");
  g_assert_true (is_back (fixture->workspace));
}

static char *
start_crash (Fixture *fixture)
{
  g_autoptr (CycRunRequest) request = cyc_run_request_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  request->trace_id = g_strdup (SAMPLE_TRACE);
  request->launcher = g_strdup ("local");
  request->simulator = g_strdup ("crash");
  request->force_arch = TRUE;
  g_strfreev (request->options);
  request->options = g_strsplit ("-gpgpu_max_cycle 9|-a b c", "|", -1);
  g_ptr_array_add (request->entries, cyc_run_entry_new (SAMPLE_CONFIG "_12SM", 1));
  g_ptr_array_add (request->entries, cyc_run_entry_new (SAMPLE_CONFIG, 2));
  cyc_workspace_create_run_async (fixture->workspace, request, NULL, answer_cb, &result);
  char *id = cyc_workspace_create_run_finish (fixture->workspace, answer_wait (&result), &error);
  g_assert_no_error (error);
  return id;
}

/* What failed can be asked for again as it was, by another engine too; of what succeeded there is nothing. */
static void
test_failed (Fixture       *fixture,
             gconstpointer  data)
{
  g_autofree char *sample = fixture_get_sample_run (fixture);
  g_autofree char *id = start_crash (fixture);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  fixture_wait_run (fixture, id);
  fixture_reopen (fixture);
  cyc_workspace_load_failed_async (fixture->workspace, id, NULL, answer_cb, &result);
  g_autoptr (CycRunRequest) again =
    cyc_workspace_load_failed_finish (fixture->workspace, answer_wait (&result), &error);
  g_assert_no_error (error);
  g_clear_object (&result);
  g_assert_cmpstr (again->trace_id, ==, SAMPLE_TRACE);
  g_assert_cmpstr (again->launcher, ==, "local");
  g_assert_cmpstr (again->simulator, ==, "crash");
  g_assert_true (again->force_arch);
  g_autofree char *options = g_strjoinv ("|", again->options);
  g_assert_cmpstr (options, ==, "-gpgpu_max_cycle 9|-a b c");
  g_assert_cmpuint (again->entries->len, ==, 2);
  const CycRunEntry *two = g_ptr_array_index (again->entries, 0);
  const CycRunEntry *one = g_ptr_array_index (again->entries, 1);
  g_assert_cmpstr (two->gpu_config, ==, SAMPLE_CONFIG);
  g_assert_cmpuint (two->count, ==, 2);
  g_assert_cmpstr (one->gpu_config, ==, SAMPLE_CONFIG "_12SM");
  g_assert_cmpuint (one->count, ==, 1);

  cyc_workspace_load_failed_async (fixture->workspace, sample, NULL, answer_cb, &result);
  g_assert_null (cyc_workspace_load_failed_finish (fixture->workspace, answer_wait (&result), &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_STATE);
}

static void
set_up_crash (Fixture       *fixture,
              gconstpointer  data)
{
  g_autofree char *settings = fixture_fake_settings ("crash", "crash", "");

  fixture_set_up (fixture, settings);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/local-workspace/open", test_open);
  g_test_add_func ("/engine/local-workspace/no-folder", test_no_folder);
  g_test_add_func ("/engine/local-workspace/dropped", test_dropped);
  g_test_add_func ("/engine/local-workspace/closed-early", test_closed_early);
  g_test_add ("/engine/local-workspace/busy", Fixture, NULL, fixture_set_up, test_busy, fixture_tear_down);
  g_test_add ("/engine/local-workspace/run", Fixture, NULL, fixture_set_up, test_run, fixture_tear_down);
  g_test_add ("/engine/local-workspace/restore", Fixture, NULL, fixture_set_up, test_restore,
              fixture_tear_down);
  g_test_add ("/engine/local-workspace/failed", Fixture, NULL, set_up_crash, test_failed, fixture_tear_down);
  g_test_add ("/engine/local-workspace/cancelled", Fixture, NULL, fixture_set_up, test_cancelled,
              fixture_tear_down);
  return g_test_run ();
}
