/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "core/model/cyc-kernel-stat.h"
#include "core/model/cyc-run.h"
#include "core/model/cyc-sim.h"
#include "core/model/cyc-trace.h"
#include "engine/cyc-service.h"
#include "support/test-folder.h"
#include "support/test-service.h"

/* The models of the engine follow what is committed, in batches. */

/* What a view knows of a model: kept by items-changed alone. */
typedef struct
{
  GListModel *model;
  GPtrArray  *items;
  GArray     *times;     /* of gint64: when it changed */
} View;

static void
items_changed_cb (GListModel *model,
                  guint       position,
                  guint       removed,
                  guint       added,
                  View       *view)
{
  gint64 now = g_get_monotonic_time ();

  g_assert_cmpuint (removed + added, >, 0);
  g_assert_cmpuint (position + removed, <=, view->items->len);
  if (removed > 0)
    g_ptr_array_remove_range (view->items, position, removed);
  for (guint i = 0; i < added; i++)
    g_ptr_array_insert (view->items, (int) (position + i), g_list_model_get_item (model, position + i));
  g_assert_cmpuint (view->items->len, ==, g_list_model_get_n_items (model));
  g_array_append_val (view->times, now);
}

static void
view_init (View       *view,
           GListModel *model)
{
  view->model = g_object_ref (model);
  view->items = g_ptr_array_new_with_free_func (g_object_unref);
  view->times = g_array_new (FALSE, FALSE, sizeof (gint64));
  for (guint i = 0; i < g_list_model_get_n_items (model); i++)
    g_ptr_array_add (view->items, g_list_model_get_item (model, i));
  g_signal_connect (model, "items-changed", G_CALLBACK (items_changed_cb), view);
}

static void
view_clear (View *view)
{
  g_signal_handlers_disconnect_by_data (view->model, view);
  g_clear_object (&view->model);
  g_ptr_array_unref (view->items);
  g_array_unref (view->times);
}

/* At most ten batches a second: any eleven changes span a second, less what the timer is early. */
static void
assert_batched (View *view)
{
  for (guint i = 10; i < view->times->len; i++)
    {
      gint64 span = g_array_index (view->times, gint64, i) - g_array_index (view->times, gint64, i - 10);
      g_assert_cmpint (span, >=, 950 * 1000);
    }
}

typedef struct
{
  TestFolder   folder;
  CycService  *service;
  CycEngine   *engine;
} Fixture;

static void
fixture_set_up (Fixture       *fixture,
                gconstpointer  data)
{
  g_autoptr (GError) error = NULL;

  fixture->folder = test_folder_new ();
  g_assert_true (g_setenv ("CYCLESCOPE_REPLAY_SPEED", "6000", TRUE));
  g_autofree char *settings = test_folder_write (fixture->folder, "settings.ini", "[limits]\nparallel=16\n", -1);
  fixture->service = cyc_service_start (fixture->folder, NULL, NULL, &error);
  g_assert_no_error (error);
  fixture->engine = cyc_service_get_engine (fixture->service);
}

static void
stopped_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  gboolean *stopped = user_data;

  g_assert_true (cyc_service_stop_finish (CYC_SERVICE (source), result, NULL));
  *stopped = TRUE;
}

static void
fixture_tear_down (Fixture       *fixture,
                   gconstpointer  data)
{
  gboolean stopped = FALSE;

  cyc_service_stop_async (fixture->service, stopped_cb, &stopped);
  while (!stopped)
    g_main_context_iteration (NULL, TRUE);
  g_clear_object (&fixture->service);
  test_folder_clear (&fixture->folder);
}

static gboolean
late_cb (gpointer data)
{
  g_error ("waited in vain");
  return G_SOURCE_REMOVE;
}

static void
wait_until (TestCondition  condition,
            gpointer       data)
{
  guint id = g_timeout_add_seconds (TEST_LIMIT_S, late_cb, NULL);

  while (!condition (data))
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (id);
}

typedef struct
{
  char     *id;
  gboolean  done;
} Created;

static void
created_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  Created *created = user_data;
  g_autoptr (GError) error = NULL;

  created->id = cyc_engine_create_run_finish (CYC_ENGINE (source), result, &error);
  g_assert_no_error (error);
  created->done = TRUE;
}

static gboolean
is_created (gpointer data)
{
  return ((Created *) data)->done;
}

static char *
create_run (Fixture *fixture,
            guint    count)
{
  g_autoptr (CycRunRequest) request = cyc_run_request_new ();
  Created created = { 0 };

  request->trace_id = g_strdup (TEST_TRACE);
  g_ptr_array_add (request->entries, cyc_run_entry_new (TEST_CONFIG, count));
  cyc_engine_create_run (fixture->engine, request, created_cb, &created);
  wait_until (is_created, &created);
  return created.id;
}

static void
changed_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  gboolean *done = user_data;
  g_autoptr (GError) error = NULL;

  gboolean ok = cyc_engine_finish (CYC_ENGINE (source), result, &error);
  g_assert_no_error (error);
  g_assert_true (ok);
  *done = TRUE;
}

static gboolean
is_done (gpointer data)
{
  return *(gboolean *) data;
}

static void
loaded_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  GListModel **model = user_data;
  g_autoptr (GError) error = NULL;

  *model = cyc_engine_load_kernels_finish (CYC_ENGINE (source), result, &error);
  g_assert_no_error (error);
}

static gboolean
is_loaded (gpointer data)
{
  return *(GListModel **) data != NULL;
}

static gboolean
all_succeeded (gpointer data)
{
  View *sims = data;

  for (guint i = 0; i < sims->items->len; i++)
    if (cyc_sim_get_record (g_ptr_array_index (sims->items, i))->state != CYC_SIM_SUCCEEDED)
      return FALSE;
  return sims->items->len > 0;
}

static gboolean
has_five (gpointer data)
{
  return ((View *) data)->items->len == 5;
}

static void
count_cb (GObject *item,
          GArray  *times)
{
  gint64 now = g_get_monotonic_time ();

  g_array_append_val (times, now);
}

/* A run from its beginning to its end, seen through sims and kernels. */
static void
test_run (Fixture       *fixture,
          gconstpointer  data)
{
  View runs = { 0 }, sims = { 0 }, kernels = { 0 };
  g_autoptr (GListModel) model = NULL;

  view_init (&runs, cyc_engine_get_runs (fixture->engine));
  g_assert_cmpuint (runs.items->len, ==, 1);
  g_autofree char *id = create_run (fixture, 8);
  view_init (&sims, cyc_engine_get_sims (fixture->engine, id));
  g_autoptr (GPtrArray) records = cyc_engine_list_sim_records (fixture->engine, id);
  g_autofree char *first = g_strdup (((CycSimRecord *) g_ptr_array_index (records, 0))->id);
  cyc_engine_load_kernels (fixture->engine, first, loaded_cb, &model);
  wait_until (is_loaded, &model);
  view_init (&kernels, model);
  g_assert_cmpuint (kernels.items->len, <, 5);

  wait_until (has_five, &kernels);
  wait_until (all_succeeded, &sims);
  g_assert_cmpuint (sims.items->len, ==, 8);
  g_assert_cmpuint (runs.items->len, ==, 2);
  const CycRunRecord *run = cyc_run_get_record (g_ptr_array_index (runs.items, 1));
  g_assert_cmpstr (run->id, ==, id);
  for (guint i = 0; i < 5; i++)
    {
      const CycKernelRecord *kernel = cyc_kernel_stat_get_record (g_ptr_array_index (kernels.items, i));
      g_assert_cmpuint (kernel->kernel_index, ==, i);
      g_assert_cmpstr (kernel->sim_id, ==, first);
    }
  assert_batched (&runs);
  assert_batched (&sims);
  assert_batched (&kernels);
  view_clear (&kernels);
  view_clear (&sims);
  view_clear (&runs);
}

/* The items tell of their changes, with the batches. */
static void
test_items (Fixture       *fixture,
            gconstpointer  data)
{
  View sims = { 0 };
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (gint64));

  g_autofree char *id = create_run (fixture, 1);
  view_init (&sims, cyc_engine_get_sims (fixture->engine, id));
  gint64 end = g_get_monotonic_time () + TEST_LIMIT_S * G_USEC_PER_SEC;
  while (sims.items->len == 0 && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  CycSim *sim = g_ptr_array_index (sims.items, 0);
  g_signal_connect (sim, "changed", G_CALLBACK (count_cb), times);
  wait_until (all_succeeded, &sims);
  g_assert_cmpuint (times->len, >, 1);
  for (guint i = 10; i < times->len; i++)
    g_assert_cmpint (g_array_index (times, gint64, i) - g_array_index (times, gint64, i - 10), >=, 950 * 1000);
  g_signal_handlers_disconnect_by_data (sim, times);
  view_clear (&sims);
}

static gboolean
is_empty (gpointer data)
{
  return ((View *) data)->items->len == 0;
}

typedef struct
{
  View  *view;
  guint  n;
} Count;

static gboolean
has_count (gpointer data)
{
  Count *count = data;

  return count->view->items->len == count->n;
}

/* The recorded run of the sample is read while the engine works already; its trace is in use until then. */
static void
wait_for_sample (Fixture *fixture)
{
  g_autoptr (CycRun) run = g_list_model_get_item (cyc_engine_get_runs (fixture->engine), 0);
  View sims = { 0 };

  view_init (&sims, cyc_engine_get_sims (fixture->engine, cyc_run_get_record (run)->id));
  wait_until (all_succeeded, &sims);
  view_clear (&sims);
}

/* Many changes at once are one change of the model. */
static void
test_traces (Fixture       *fixture,
             gconstpointer  data)
{
  View traces = { 0 };
  gboolean done[30] = { FALSE };

  view_init (&traces, cyc_engine_get_traces (fixture->engine));
  g_assert_cmpuint (traces.items->len, ==, 1);
  for (guint i = 0; i < G_N_ELEMENTS (done); i++)
    {
      g_autofree char *id = g_strdup_printf ("trace-%02u", i);
      cyc_engine_begin_trace (fixture->engine, id, 0, 0, FALSE, changed_cb, &done[i]);
    }
  Count count = { &traces, 1 + G_N_ELEMENTS (done) };
  wait_until (has_count, &count);
  for (guint i = 0; i < G_N_ELEMENTS (done); i++)
    {
      g_autofree char *id = g_strdup_printf ("trace-%02u", i);
      const CycTraceRecord *record = cyc_trace_get_record (g_ptr_array_index (traces.items, i + 1));
      g_assert_cmpstr (record->id, ==, id);
      done[i] = FALSE;
      cyc_engine_remove_trace (fixture->engine, id, TRUE, changed_cb, &done[i]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (done); i++)
    wait_until (is_done, &done[i]);
  count.n = 1;
  wait_until (has_count, &count);
  assert_batched (&traces);
  g_assert_cmpuint (traces.times->len, <, 20);

  /* Removed and brought back. */
  gboolean removed = FALSE, restored = FALSE;
  wait_for_sample (fixture);
  cyc_engine_remove_trace (fixture->engine, TEST_TRACE, FALSE, changed_cb, &removed);
  wait_until (is_empty, &traces);
  cyc_engine_restore_trace (fixture->engine, TEST_TRACE, changed_cb, &restored);
  wait_until (has_count, &count);
  view_clear (&traces);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/engine/models/run", Fixture, NULL, fixture_set_up, test_run, fixture_tear_down);
  g_test_add ("/engine/models/items", Fixture, NULL, fixture_set_up, test_items, fixture_tear_down);
  g_test_add ("/engine/models/traces", Fixture, NULL, fixture_set_up, test_traces, fixture_tear_down);
  return g_test_run ();
}
