/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-sim-counters.h"

#include "displayless/core/sim-logs.h"
#include "support/test-folder.h"

/* Counters of a log that grows: what is read piece by piece is what is read at once. */

static const char *const keys[] = {
  "gpu_tot_sim_insn", "L2_total_cache_accesses", "L2_total_cache_miss_rate", "gpu_ipc", "gpgpu_n_tot_w_icount",
  "gpgpu_silicon_slowdown", "maxmrqlatency", "gpgpu_simulation_time",
  "Total_core_cache_stats_breakdown[GLOBAL_ACC_R][HIT]", "no_such_counter", NULL,
};

static void
on_block (const CycSimBlock *block,
          gpointer           kernels)
{
  CycKernelRecord *kernel = cyc_kernel_record_new ();

  kernel->kernel_index = block->index;
  kernel->has_stream_id = block->has_stream;
  kernel->stream_id = block->stream_id;
  kernel->concurrent = block->concurrent;
  kernel->log_offset = block->offset;
  kernel->log_length = block->length;
  g_ptr_array_add (kernels, kernel);
}

static GPtrArray *
list_kernels (const char *bytes,
              gsize       len)
{
  static const CycSimLogCallbacks callbacks = { .block = on_block };
  GPtrArray *kernels = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_kernel_record_free);
  g_autoptr (CycSimLog) log = cyc_sim_log_new (CYC_SIM_LOG_IDENTITY);

  cyc_sim_log_set_callbacks (log, &callbacks, kernels);
  cyc_sim_log_feed (log, bytes, len);
  cyc_sim_log_finish (log);
  return kernels;
}

/* Those from @first up to, not including, @end, as the database gives them. */
static CycCounterTable *
load (const char       *path,
      GPtrArray        *kernels,
      guint             first,
      guint             end,
      gboolean          cumulative,
      CycCounterValues *state)
{
  g_autoptr (GPtrArray) some = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;

  for (guint i = first; i < end; i++)
    g_ptr_array_add (some, g_ptr_array_index (kernels, i));
  CycCounterTable *table = cyc_sim_counters_load (path, some, keys, cumulative, first, state, NULL, &error);
  g_assert_no_error (error);
  return table;
}

static void
assert_same (const CycCounterTable *table,
             const CycCounterTable *whole)
{
  g_assert_cmpuint (table->n_rows, ==, whole->n_rows);
  for (guint c = 0; c < whole->columns->len; c++)
    {
      const CycCounterColumn *column = g_ptr_array_index (table->columns, c);
      const CycCounterColumn *wanted = g_ptr_array_index (whole->columns, c);
      g_assert_cmpstr (column->not_modelled, ==, wanted->not_modelled);
      for (guint i = 0; i < whole->n_rows; i++)
        {
          g_assert_cmpuint (column->states[i], ==, wanted->states[i]);
          g_assert_cmpstr (column->texts[i], ==, wanted->texts[i]);
          g_assert_cmpmem (&column->values[i], sizeof (double), &wanted->values[i], sizeof (double));
        }
    }
}

static void
test_pieces (gconstpointer label)
{
  g_auto (TestFolder) folder = test_folder_new ();
  gsize len;
  g_autofree char *bytes = sim_logs_load (label, &len);
  g_autofree char *path = test_folder_write (folder, "log", bytes, (gssize) len);
  g_autoptr (GPtrArray) kernels = list_kernels (bytes, len);

  g_assert_cmpuint (kernels->len, >=, 3);
  for (guint cumulative = 0; cumulative < 2; cumulative++)
    {
      g_autoptr (CycCounterTable) whole = load (path, kernels, 0, kernels->len, cumulative == 1, NULL);
      for (guint step = 1; step < kernels->len; step++)
        {
          g_autoptr (CycCounterTable) table = load (path, kernels, 0, step, cumulative == 1, NULL);
          for (guint i = step; i < kernels->len; i += step)
            {
              CycCounterTable *later = load (path, kernels, i, MIN (i + step, kernels->len), cumulative == 1,
                                             g_steal_pointer (&table->state));
              cyc_counter_table_append (table, later);
            }
          assert_same (table, whole);
        }
    }
}

int
main (int    argc,
      char **argv)
{
  static const char *const labels[] = { "syn5-86-RTX3070", "ms-serial-RTX3070", "ms-concurrent-RTX3070" };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (labels); i++)
    {
      g_autofree char *name = g_strconcat ("/engine/sim-counters/pieces/", labels[i], NULL);
      g_test_add_data_func (name, labels[i], test_pieces);
    }
  return g_test_run ();
}
