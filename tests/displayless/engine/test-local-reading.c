/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "core/accelsim/cyc-option-check.h"
#include "core/base/cyc-error.h"
#include "workspace-fixture.h"

/* What a workspace reads out of logs and folders. The expected figures of the sample's recorded log were
 * read from it with awk and grep. */

#define SIM_LOG_BYTES 423708

static char *
get_recorded_sim (Fixture *fixture)
{
  g_autofree char *run = fixture_get_sample_run (fixture);

  return fixture_get_sim (fixture, run, SAMPLE_CONFIG, 0);
}

static CycCounterTable *
load_counters (Fixture           *fixture,
               const char        *sim_id,
               const char *const *keys,
               gboolean           cumulative)
{
  const CycCounterRequest request = { sim_id, keys, cumulative, 0, NULL };
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  cyc_workspace_load_counters_async (fixture->workspace, &request, NULL, answer_cb, &result);
  CycCounterTable *table =
    cyc_workspace_load_counters_finish (fixture->workspace, answer_wait (&result), &error);
  g_assert_no_error (error);
  return table;
}

static void
assert_column (CycCounterTable *table,
               guint            index,
               guint8           state,
               const double    *values)
{
  const CycCounterColumn *column = g_ptr_array_index (table->columns, index);

  g_assert_cmpuint (table->n_rows, ==, 5);
  for (guint i = 0; i < table->n_rows; i++)
    {
      g_assert_cmpuint (column->states[i], ==, state);
      if (values == NULL)
        g_assert_true (isnan (column->values[i]));
      else
        g_assert_cmpfloat (column->values[i], ==, values[i]);
    }
}

static const char *const keys[] = {
  "gpu_tot_sim_insn", "L2_total_cache_accesses", "gpu_ipc", "gpgpu_silicon_slowdown", "maxmrqlatency",
  "gpgpu_simulation_time", "no_such_counter", "L1I_total_cache_accesses", NULL,
};

static void
test_shares (Fixture       *fixture,
             gconstpointer  data)
{
  static const double insn[] = { 196608, 467008, 7602176, 180224, 196608 };
  static const double accesses[] = { 6144, 2112, 34816, 38530, 6144 };
  static const double ipc[] = { 31.5532, 78.9932, 555.5116, 12.8374, 31.7673 };
  static const double slowdown[] = { 181672, 93222, 175313, 198770, 172062 };

  g_autofree char *sim = get_recorded_sim (fixture);
  g_autoptr (CycCounterTable) table = load_counters (fixture, sim, keys, FALSE);
  g_assert_cmpuint (table->columns->len, ==, G_N_ELEMENTS (keys) - 1);
  assert_column (table, 0, CYC_COUNTER_IS_NUMBER, insn);
  assert_column (table, 1, CYC_COUNTER_IS_NUMBER, accesses);
  assert_column (table, 2, CYC_COUNTER_IS_NUMBER, ipc);
  assert_column (table, 3, CYC_COUNTER_IS_PRINTED, slowdown);
  assert_column (table, 4, CYC_COUNTER_IS_INSEPARABLE, NULL);
  assert_column (table, 5, CYC_COUNTER_IS_TEXT, NULL);
  assert_column (table, 6, CYC_COUNTER_IS_MISSING, NULL);
  const CycCounterColumn *printed = g_ptr_array_index (table->columns, 3);
  g_assert_cmpstr (printed->texts[4], ==, "172062x");
  g_assert_cmpstr (printed->counter->unit, ==, "times");
  g_assert_null (printed->not_modelled);
  const CycCounterColumn *times = g_ptr_array_index (table->columns, 5);
  g_assert_cmpstr (times->texts[0], ==, "0 days, 0 hrs, 0 min, 1 sec (1 sec)");
  /* Kept once. */
  g_assert_true (times->texts[0] == times->texts[1]);
  const CycCounterColumn *cache = g_ptr_array_index (table->columns, 7);
  g_assert_nonnull (strstr (cache->not_modelled, "-gpgpu_perfect_inst_const_cache"));
  const CycCounterColumn *missing = g_ptr_array_index (table->columns, 6);
  g_assert_null (missing->counter);
  g_assert_null (missing->texts[0]);
}

static void
test_cumulative (Fixture       *fixture,
                 gconstpointer  data)
{
  static const double insn[] = { 196608, 663616, 8265792, 8446016, 8642624 };
  static const double accesses[] = { 6144, 8256, 43072, 81602, 87746 };

  g_autofree char *sim = get_recorded_sim (fixture);
  g_autoptr (CycCounterTable) table = load_counters (fixture, sim, keys, TRUE);
  assert_column (table, 0, CYC_COUNTER_IS_PRINTED, insn);
  assert_column (table, 1, CYC_COUNTER_IS_PRINTED, accesses);
  assert_column (table, 5, CYC_COUNTER_IS_TEXT, NULL);
  assert_column (table, 6, CYC_COUNTER_IS_MISSING, NULL);
}

static char *
get_text (Fixture    *fixture,
          const char *sim_id,
          int         kernel_index,
          const char *key)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  cyc_workspace_load_block_async (fixture->workspace, sim_id, kernel_index, NULL, answer_cb, &result);
  g_autoptr (CycSimStats) stats =
    cyc_workspace_load_block_finish (fixture->workspace, answer_wait (&result), &error);
  if (stats == NULL)
    {
      g_assert_error (error, CYC_ERROR, CYC_ERROR_NOT_FOUND);
      return NULL;
    }
  return g_strdup (cyc_sim_stats_lookup (stats, key)->text);
}

static void
test_block (Fixture       *fixture,
            gconstpointer  data)
{
  g_autofree char *sim = get_recorded_sim (fixture);
  g_autofree char *third = get_text (fixture, sim, 2, "gpu_sim_cycle");
  g_autofree char *total = get_text (fixture, sim, -1, "gpu_tot_sim_insn");

  g_assert_cmpstr (third, ==, "13685");
  g_assert_cmpstr (total, ==, "8642624");
  g_assert_null (get_text (fixture, sim, 5, "gpu_sim_cycle"));
  g_assert_null (get_text (fixture, "sim-none", 0, "gpu_sim_cycle"));
}

static guint64
search (Fixture    *fixture,
        const char *sim_id,
        const char *text,
        guint64     from,
        gboolean    backwards)
{
  const CycLogSearch call = { sim_id, text, from, backwards };
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  guint64 offset = 0;

  cyc_workspace_search_log_async (fixture->workspace, &call, NULL, answer_cb, &result);
  gboolean done = cyc_workspace_search_log_finish (fixture->workspace, answer_wait (&result), &offset, &error);
  g_assert_no_error (error);
  g_assert_true (done);
  return offset;
}

static void
test_search (Fixture       *fixture,
             gconstpointer  data)
{
  static const guint64 places[] = { 106549, 184955, 264129, 342989, 423597 };
  g_autofree char *sim = get_recorded_sim (fixture);

  g_assert_cmpuint (cyc_workspace_get_log_bytes (fixture->workspace, sim), ==, SIM_LOG_BYTES);
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      guint64 before = i == 0 ? 0 : places[i - 1] + 1;
      guint64 after = i + 1 == G_N_ELEMENTS (places) ? SIM_LOG_BYTES : places[i + 1];
      g_assert_cmpuint (search (fixture, sim, "GPGPU_Silicon_SLOWdown", before, FALSE), ==, places[i]);
      g_assert_cmpuint (search (fixture, sim, "gpgpu_silicon_slowdown", places[i], FALSE), ==, places[i]);
      g_assert_cmpuint (search (fixture, sim, "GPGPU_Silicon_SLOWdown", after, TRUE), ==, places[i]);
      g_assert_cmpuint (search (fixture, sim, "gpgpu_silicon_slowdown", places[i] + 1, TRUE), ==,
                        places[i]);
    }
  g_assert_cmpuint (search (fixture, sim, "gpgpu_silicon_slowdown", places[0], TRUE), ==, G_MAXUINT64);
  g_assert_cmpuint (search (fixture, sim, "gpgpu_silicon_slowdown", places[4] + 1, FALSE), ==,
                    G_MAXUINT64);
  g_assert_cmpuint (search (fixture, sim, "exit detected ***\n", 0, FALSE), ==, 423690);
  g_assert_cmpuint (search (fixture, sim, "exit detected", G_MAXUINT64, TRUE), ==, 423690);
  g_assert_cmpuint (search (fixture, sim, "exit detected", G_MAXUINT64, FALSE), ==, G_MAXUINT64);
  g_assert_cmpuint (search (fixture, sim, "exit detected ***\n and more", 0, FALSE), ==, G_MAXUINT64);
  g_assert_cmpuint (search (fixture, sim, "", 0, FALSE), ==, G_MAXUINT64);
}

static char *
read_log (Fixture    *fixture,
          const char *sim_id,
          guint64     offset,
          guint       length)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  cyc_workspace_read_log_async (fixture->workspace, sim_id, offset, length, NULL, answer_cb, &result);
  g_autoptr (GBytes) bytes =
    cyc_workspace_read_log_finish (fixture->workspace, answer_wait (&result), &error);
  g_assert_no_error (error);
  return g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
}

static void
test_read (Fixture       *fixture,
           gconstpointer  data)
{
  g_autofree char *sim = get_recorded_sim (fixture);
  g_autofree char *piece = read_log (fixture, sim, 106549, 22);
  g_autofree char *end = read_log (fixture, sim, SIM_LOG_BYTES - 14, 1000);
  g_autofree char *beyond = read_log (fixture, sim, SIM_LOG_BYTES + 14, 1000);

  g_assert_cmpstr (piece, ==, "gpgpu_silicon_slowdown");
  g_assert_cmpstr (end, ==, " detected ***\n");
  g_assert_cmpstr (beyond, ==, "");
}

/* Hits that lie across the borders of what is read at once, in a log of three of these. */
static void
test_borders (Fixture       *fixture,
              gconstpointer  data)
{
  static const gsize starts[] = { 1048576 - 1, 1048576 - 15, 1048576, 2097152 - 7, 2097152 - 30 };
  g_autofree char *run = fixture_start_run (fixture, "local", "flood", SAMPLE_CONFIG, 1);
  g_autoptr (GError) error = NULL;
  g_autofree char *log = NULL;
  gsize length;

  fixture_wait_run (fixture, run);
  g_autofree char *sim = fixture_get_sim (fixture, run, SAMPLE_CONFIG, 0);
  g_autofree char *path = g_build_filename (fixture->path, "runs", run, sim, "log", NULL);
  g_file_get_contents (path, &log, &length, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (length, >, 3 * 1048576);
  for (guint i = 0; i < G_N_ELEMENTS (starts); i++)
    {
      /* Longer than a line: it holds a number that stands nowhere else. */
      g_autofree char *text = g_strndup (log + starts[i], 80);
      g_assert_true (strstr (log, text) == log + starts[i]);
      g_assert_cmpuint (search (fixture, sim, text, 0, FALSE), ==, starts[i]);
      g_assert_cmpuint (search (fixture, sim, text, length, TRUE), ==, starts[i]);
      /* The pieces of a search backwards end elsewhere. */
      g_assert_cmpuint (search (fixture, sim, text, starts[i] + 1048576, TRUE), ==, starts[i]);
      g_assert_cmpuint (search (fixture, sim, text, starts[i] + 1048576 + 40, TRUE), ==, starts[i]);
      g_assert_cmpuint (search (fixture, sim, text, starts[i] - 1048576 + 40, FALSE), ==, starts[i]);
    }
}

/* A cancel stops a search under way. */
static void
test_search_cancelled (Fixture       *fixture,
                       gconstpointer  data)
{
  g_autofree char *sim = get_recorded_sim (fixture);
  const CycLogSearch call = { sim, "nothing like it", 0, FALSE };
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  guint64 offset;

  cyc_workspace_search_log_async (fixture->workspace, &call, fixture->cancellable, answer_cb, &result);
  g_cancellable_cancel (fixture->cancellable);
  g_assert_false (cyc_workspace_search_log_finish (fixture->workspace, answer_wait (&result), &offset,
                                                   &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
copy_file (Fixture    *fixture,
           const char *sim_id,
           const char *name,
           const char *target,
           gboolean    good)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GFile) file = g_file_new_for_path (target);

  cyc_workspace_copy_file_async (fixture->workspace, sim_id, name, file, NULL, answer_cb, &result);
  if (good)
    answer_wait_done (fixture->workspace, &result);
  else
    answer_wait_error (fixture->workspace, &result, CYC_ERROR, CYC_ERROR_NOT_FOUND, name);
}

static void
test_files (Fixture       *fixture,
            gconstpointer  data)
{
  g_autofree char *run = fixture_start_run (fixture, "local", "files", SAMPLE_CONFIG, 1);
  g_autofree char *target = g_build_filename (fixture->folder, "copy", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  gboolean found = FALSE;
  gsize length;

  fixture_wait_run (fixture, run);
  g_autofree char *sim = fixture_get_sim (fixture, run, SAMPLE_CONFIG, 0);
  cyc_workspace_load_files_async (fixture->workspace, run, NULL, answer_cb, &result);
  g_autoptr (GPtrArray) files =
    cyc_workspace_load_files_finish (fixture->workspace, answer_wait (&result), &error);
  g_assert_no_error (error);
  for (guint i = 0; i < files->len; i++)
    {
      const CycFileRecord *file = g_ptr_array_index (files, i);
      g_assert_cmpstr (file->sim_id, ==, sim);
      copy_file (fixture, sim, file->name, target, TRUE);
      g_assert_true (g_file_get_contents (target, &text, &length, NULL));
      g_assert_cmpuint (length, ==, file->size);
      g_clear_pointer (&text, g_free);
      found |= strcmp (file->name, "stderr.txt") == 0;
    }
  g_assert_true (found);

  /* The log, over what is there. */
  copy_file (fixture, sim, "log", target, TRUE);
  g_assert_true (g_file_get_contents (target, &text, &length, NULL));
  g_assert_cmpuint (length, ==, SIM_LOG_BYTES);
  copy_file (fixture, sim, "../log", target, FALSE);
  copy_file (fixture, sim, "no-such.txt", target, FALSE);
  g_clear_pointer (&text, g_free);
  g_assert_true (g_file_get_contents (target, &text, &length, NULL));
  g_assert_cmpuint (length, ==, SIM_LOG_BYTES);

  /* What cannot be copied whole is not there at all. */
  g_autofree char *log = g_build_filename (fixture->path, "runs", run, sim, "log", NULL);
  g_autofree char *other = g_build_filename (fixture->folder, "other", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (other);
  g_autoptr (GAsyncResult) copied = NULL;
  g_assert_cmpint (truncate (log, SIM_LOG_BYTES / 2), ==, 0);
  if (fixture->served != NULL)
    g_test_expect_message ("cyc-engine", G_LOG_LEVEL_WARNING, "*shorter*");
  cyc_workspace_copy_file_async (fixture->workspace, sim, "log", file, NULL, answer_cb, &copied);
  if (fixture->served == NULL)
    answer_wait_error (fixture->workspace, &copied, CYC_ERROR, CYC_ERROR_FAILED, "shorter");
  else
    {
      g_assert_false (cyc_workspace_finish (fixture->workspace, answer_wait (&copied), NULL));
      g_test_assert_expected_messages ();
    }
  g_assert_false (g_file_test (other, G_FILE_TEST_EXISTS));
}

static void
test_trace (Fixture       *fixture,
            gconstpointer  data)
{
  static const gint64 instructions[] = { 6656, 19456, 237568, 5632, 6656 };
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  cyc_workspace_load_trace_async (fixture->workspace, SAMPLE_TRACE, NULL, answer_cb, &result);
  g_autoptr (CycTraceDetails) details =
    cyc_workspace_load_trace_finish (fixture->workspace, answer_wait (&result), &error);
  g_assert_no_error (error);
  g_assert_cmpstr (details->record->id, ==, SAMPLE_TRACE);
  g_assert_cmpuint (details->launches->len, ==, G_N_ELEMENTS (instructions));
  for (guint i = 0; i < details->launches->len; i++)
    {
      const CycLaunchRecord *launch = g_ptr_array_index (details->launches, i);
      g_assert_cmpint (launch->kernel_id, ==, i + 1);
      g_assert_cmpint (launch->instructions, ==, instructions[i]);
    }
  g_assert_nonnull (strstr (details->metadata, "trace_gpu_arch"));
  g_assert_null (cyc_findings_first_error (details->findings));
  /* Its files are on the engine's machine. */
  g_assert_true ((details->folder == NULL) == fixture_is ("elsewhere"));
  g_autofree char *list = g_build_filename (fixture_is ("elsewhere") ? fixture->path : details->folder,
                                            fixture_is ("elsewhere") ? "traces/" SAMPLE_TRACE : ".", "traces",
                                            "kernelslist.g", NULL);
  g_assert_true (g_file_test (list, G_FILE_TEST_IS_REGULAR));

  g_clear_object (&result);
  cyc_workspace_load_trace_async (fixture->workspace, "no-such", NULL, answer_cb, &result);
  g_assert_null (cyc_workspace_load_trace_finish (fixture->workspace, answer_wait (&result), &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_NOT_FOUND);
}

static const char two_fakes[] = "flood";

/* Settings with simulators for the tests above. */
static void
set_up_fakes (Fixture       *fixture,
              gconstpointer  data)
{
  g_assert_true (data == two_fakes);
  g_autofree char *flood = fixture_fake_settings ("flood", "flood", "FAKE_SIM_BYTES=3200000;");
  g_autofree char *files = fixture_fake_settings ("files", "files", "");
  g_autofree char *text = g_strconcat (flood, files, NULL);

  fixture_set_up (fixture, text);
}

/* The options of the simulator, out of the sample's log: 239 lines there begin with a dash. */
static void
test_options (Fixture       *fixture,
              gconstpointer  data)
{
  g_autofree char *run = fixture_get_sample_run (fixture);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  cyc_workspace_load_options_async (fixture->workspace, NULL, answer_cb, &result);
  g_autoptr (CycOptionDump) dump =
    cyc_workspace_load_options_finish (fixture->workspace, answer_wait (&result), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (dump->options->len, ==, 239);
  g_assert_cmpstr (dump->run_id, ==, run);
  const CycSimOption *option = cyc_option_find (dump->options, "-gpgpu_max_cycle");
  g_assert_cmpstr (option->value, ==, "0");
  g_assert_cmpstr (option->help, ==, "terminates gpu simulation early (0 = no limit)");
}

#define ADD(name, func) \
  g_test_add ("/engine/local-reading/" name, Fixture, NULL, fixture_set_up, func, fixture_tear_down)
#define ADD_FAKE(name, func) \
  g_test_add ("/engine/local-reading/" name, Fixture, two_fakes, set_up_fakes, func, fixture_tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("shares", test_shares);
  ADD ("cumulative", test_cumulative);
  ADD ("block", test_block);
  ADD ("search", test_search);
  ADD ("search-cancelled", test_search_cancelled);
  ADD ("read", test_read);
  ADD_FAKE ("borders", test_borders);
  ADD_FAKE ("files", test_files);
  ADD ("trace", test_trace);
  ADD ("options", test_options);
  return g_test_run ();
}
