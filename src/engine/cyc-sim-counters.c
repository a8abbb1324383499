/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-sim-counters.h"

#include <math.h>

#include "core/accelsim/cyc-sim-options.h"
#include "core/base/cyc-error.h"

/* Counters of a simulation, out of the blocks of its log: the full statistics are kept only there. */

static const CycKernelRecord *
find_block (GPtrArray *kernels,
            int        kernel_index)
{
  for (guint i = kernels->len; i-- > 0;)
    {
      const CycKernelRecord *kernel = g_ptr_array_index (kernels, i);
      if (kernel->log_length > 0 &&
          (kernel_index < 0 || kernel->kernel_index == (guint) kernel_index))
        return kernel;
    }
  return NULL;
}

/**
 * cyc_sim_counters_read_block:
 * @log_path: the engine's log of a sim
 * @kernels: (element-type CycKernelRecord): its kernels by index
 * @kernel_index: index of a kernel; -1 for the last with a block
 * @error: (nullable): return location for an error; %CYC_ERROR_NOT_FOUND if there is no such block
 *
 * Reads a file: not for the main loop.
 *
 * Returns: (transfer full) (nullable): the statistics as printed
 */
CycSimStats *
cyc_sim_counters_read_block (const char  *log_path,
                             GPtrArray   *kernels,
                             int          kernel_index,
                             GError     **error)
{
  g_return_val_if_fail (log_path != NULL && kernels != NULL, NULL);

  const CycKernelRecord *kernel = find_block (kernels, kernel_index);
  if (kernel != NULL)
    return cyc_sim_stats_read (log_path, kernel->log_offset, kernel->log_length, error);
  if (kernel_index < 0)
    cyc_error_set_at (error, CYC_ERROR_NOT_FOUND, NULL, 0, "no kernel has finished yet");
  else
    cyc_error_set_at (error, CYC_ERROR_NOT_FOUND, NULL, 0, "kernel %d has no statistics", kernel_index);
  return NULL;
}

/* Texts repeat from kernel to kernel: each is kept once. */
static const char *
intern (CycCounterTable *table,
        const char      *text)
{
  return g_string_chunk_insert_const (table->texts, text);
}

static void
put_share (CycCounterTable       *table,
           CycCounterColumn      *column,
           guint                  row,
           const CycKernelValues *kernel)
{
  const CycCounterValue *value = cyc_kernel_values_lookup (kernel, column->key);

  if (value == NULL)
    return;
  column->values[row] = value->value;
  column->states[row] = (guint8) value->state;
  column->texts[row] = intern (table, value->stat->text);
}

static void
put_printed (CycCounterTable   *table,
             CycCounterColumn  *column,
             guint              row,
             const CycSimStats *stats)
{
  const CycSimStat *stat = cyc_sim_stats_lookup (stats, column->key);

  if (stat == NULL)
    return;
  column->texts[row] = intern (table, stat->text);
  if (cyc_counter_is_undefined (stat->text))
    column->states[row] = CYC_COUNTER_IS_UNDEFINED;
  else if (cyc_counter_parse_value (stat->text, &column->values[row]))
    column->states[row] = CYC_COUNTER_IS_PRINTED;
  else
    column->states[row] = CYC_COUNTER_IS_TEXT;
}

static gboolean
read_rows (CycCounterTable    *table,
           const char         *log_path,
           GPtrArray          *kernels,
           const char *const  *keys,
           gboolean            cumulative,
           CycCounterValues   *state,
           GCancellable       *cancellable,
           GError            **error)
{
  g_autoptr (CycCounterValues) values = state != NULL ? state : cyc_counter_values_new ();
  gboolean from_first = cumulative || state != NULL;
  g_auto (GStrv) needed = cyc_counter_values_list_keys (keys);

  for (guint i = 0; i < kernels->len; i++)
    {
      const CycKernelRecord *kernel = g_ptr_array_index (kernels, i);
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (kernel->log_length == 0 || kernel->kernel_index >= table->n_rows)
        continue;
      /* A share is a difference: it needs what came before. */
      if (from_first && kernel->kernel_index < table->first)
        continue;
      g_autoptr (CycSimStats) stats =
        cyc_sim_stats_read_some (log_path, kernel->log_offset, kernel->log_length,
                                 (const char *const *) needed, error);
      if (stats == NULL)
        return FALSE;
      const CycSimBlock block = {
        .index = kernel->kernel_index,
        .has_stream = kernel->has_stream_id,
        .stream_id = kernel->stream_id,
        .concurrent = kernel->concurrent,
        .partial = kernel->partial,
      };
      const CycKernelValues *shares = cumulative ? NULL
                                                 : cyc_counter_values_add (values, stats, &block);
      for (guint c = 0; c < table->columns->len && kernel->kernel_index >= table->first; c++)
        {
          CycCounterColumn *column = g_ptr_array_index (table->columns, c);
          if (cumulative)
            put_printed (table, column, kernel->kernel_index, stats);
          else
            put_share (table, column, kernel->kernel_index, shares);
        }
    }
  if (!cumulative)
    table->state = g_steal_pointer (&values);
  return TRUE;
}

/* What the configuration leaves out has counters all the same, which mean nothing. */
static gboolean
explain_columns (CycCounterTable  *table,
                 const char       *log_path,
                 GPtrArray        *kernels,
                 GCancellable     *cancellable,
                 GError          **error)
{
  guint64 length = G_MAXUINT64;

  for (guint i = 0; i < kernels->len; i++)
    {
      const CycKernelRecord *kernel = g_ptr_array_index (kernels, i);
      if (kernel->log_length > 0)
        length = MIN (length, kernel->log_offset);
    }
  if (length == G_MAXUINT64)
    return TRUE;
  g_autoptr (GHashTable) options = cyc_sim_options_read (log_path, length, cancellable, error);
  for (guint c = 0; options != NULL && c < table->columns->len; c++)
    {
      CycCounterColumn *column = g_ptr_array_index (table->columns, c);
      if (column->counter != NULL)
        column->not_modelled = cyc_counter_why_not_modelled (column->counter, options);
    }
  return options != NULL;
}

/**
 * cyc_sim_counters_load:
 * @log_path: the engine's log of a sim
 * @kernels: (element-type CycKernelRecord): its kernels by index
 * @keys: names of counters
 * @cumulative: as printed, instead of each kernel's share
 * @first: index of the first kernel that is wanted
 * @state: (transfer full) (nullable): of a table that has the kernels before @first
 * @cancellable: (nullable): asked before every block
 * @error: (nullable): return location for an error
 *
 * Reads every block of the log that it needs once, in order. Why the configuration does not model a counter
 * is told with the first kernel only. Reads files: not for the main loop.
 *
 * Returns: (transfer full) (nullable): the counters
 */
CycCounterTable *
cyc_sim_counters_load (const char         *log_path,
                       GPtrArray          *kernels,
                       const char *const  *keys,
                       gboolean            cumulative,
                       guint               first,
                       CycCounterValues   *state,
                       GCancellable       *cancellable,
                       GError            **error)
{
  g_return_val_if_fail (log_path != NULL && kernels != NULL, NULL);

  const CycKernelRecord *last = kernels->len == 0 ? NULL
                                                  : g_ptr_array_index (kernels, kernels->len - 1);
  g_autoptr (CycCounterTable) table =
    cyc_counter_table_new (last == NULL ? first : last->kernel_index + 1, keys);
  table->first = first;
  if (table->columns->len == 0)
    {
      g_clear_pointer (&state, cyc_counter_values_free);
      return g_steal_pointer (&table);
    }
  if (!read_rows (table, log_path, kernels, keys, cumulative, state, cancellable, error))
    return NULL;
  if (first == 0 && !explain_columns (table, log_path, kernels, cancellable, error))
    return NULL;
  return g_steal_pointer (&table);
}
