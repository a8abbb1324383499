/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/accelsim/cyc-counter-values.h"

#include <math.h>
#include <string.h>

/* What is remembered of a key from block to block. */
typedef struct
{
  const CycCounter *counter;
  double            total;   /* over all streams, or of the counter's only scope */
  GHashTable       *streams; /* stream (gint64) -> double: totals of one stream each; or NULL */
} Memory;

struct _CycCounterValues
{
  GHashTable      *keys;     /* key -> Memory */
  CycSimStats     *stats;    /* of the last block */
  GArray          *values;   /* of CycCounterValue */
  CycKernelValues  kernel;
};

static void
memory_free (gpointer data)
{
  Memory *memory = data;

  g_clear_pointer (&memory->streams, g_hash_table_unref);
  g_free (memory);
}

/**
 * cyc_counter_values_new:
 *
 * Takes the blocks of one log, in order, and tells what each kernel added to the counters. Nearly all
 * of them count from the start of the simulation, and some from the start of a stream.
 *
 * Returns: (transfer full): an empty one
 */
CycCounterValues *
cyc_counter_values_new (void)
{
  CycCounterValues *self = g_new0 (CycCounterValues, 1);

  self->keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, memory_free);
  self->values = g_array_new (FALSE, FALSE, sizeof (CycCounterValue));
  return self;
}

/**
 * cyc_counter_values_free:
 * @self: (transfer full): values
 */
void
cyc_counter_values_free (CycCounterValues *self)
{
  g_return_if_fail (self != NULL);

  g_hash_table_unref (self->keys);
  g_clear_pointer (&self->stats, cyc_sim_stats_unref);
  g_array_unref (self->values);
  g_free (self);
}

static Memory *
remember (CycCounterValues *self,
          const char       *key)
{
  Memory *memory = g_hash_table_lookup (self->keys, key);

  if (memory == NULL)
    {
      memory = g_new0 (Memory, 1);
      memory->counter = cyc_counter_find (key);
      g_hash_table_insert (self->keys, g_strdup (key), memory);
    }
  return memory;
}

/* Where the total before this block is kept. What was never seen counts from zero: rows appear with
 * their first count. */
static double *
find_total (Memory  *memory,
            guint64  stream)
{
  gint64 key = (gint64) stream;

  if (memory->counter->scope != CYC_COUNTER_STREAM)
    return &memory->total;
  if (memory->streams == NULL)
    memory->streams = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  double *total = g_hash_table_lookup (memory->streams, &key);
  if (total == NULL)
    {
      gint64 *copy = g_new (gint64, 1);
      *copy = key;
      total = g_new0 (double, 1);
      g_hash_table_insert (memory->streams, copy, total);
    }
  return total;
}

static void
take_cumulative (CycCounterValue *value,
                 Memory          *memory,
                 double           printed,
                 guint64          stream)
{
  double *total = find_total (memory, stream);

  value->state = printed < *total ? CYC_COUNTER_WENT_BACK : CYC_COUNTER_IS_NUMBER;
  if (value->state == CYC_COUNTER_IS_NUMBER)
    value->value = printed - *total;
  *total = printed;
}

static CycCounterValue
value_of (CycCounterValues *self,
          const CycSimStat *stat,
          guint64           stream)
{
  Memory *memory = remember (self, stat->key);
  CycCounterValue value = { .stat = stat, .counter = memory->counter, .value = NAN };
  double printed;

  if (cyc_counter_is_undefined (stat->text))
    {
      value.state = CYC_COUNTER_IS_UNDEFINED;
      return value;
    }
  if (!cyc_counter_parse_value (stat->text, &printed))
    {
      value.state = CYC_COUNTER_IS_TEXT;
      return value;
    }
  switch (memory->counter == NULL ? CYC_COUNTER_SNAPSHOT : memory->counter->kind)
    {
    case CYC_COUNTER_CUMULATIVE:
      take_cumulative (&value, memory, printed, stream);
      break;
    case CYC_COUNTER_MAXIMUM:
    case CYC_COUNTER_RATIO:
      value.state = CYC_COUNTER_IS_INSEPARABLE;
      break;
    case CYC_COUNTER_PER_KERNEL:
      value.state = CYC_COUNTER_IS_NUMBER;
      value.value = printed;
      break;
    case CYC_COUNTER_SNAPSHOT:
    default:
      value.state = CYC_COUNTER_IS_PRINTED;
      value.value = printed;
      break;
    }
  return value;
}

/* The name of a counter in the same part of the block: the same core, channel or slice. */
static char *
name_beside (const CycCounter *counter,
             const char       *key,
             const char       *name)
{
  const char *slash = counter->section == NULL ? NULL : strchr (key, '/');
  gsize prefix = slash == NULL ? 0 : (gsize) (slash + 1 - key);

  return g_strdup_printf ("%.*s%s", (int) prefix, key, name);
}

static const CycCounterValue *
find_beside (const CycKernelValues *kernel,
             const CycCounterValue *value,
             const char            *name)
{
  g_autofree char *key = name_beside (value->counter, value->stat->key, name);

  return cyc_kernel_values_lookup (kernel, key);
}

/* A ratio since the start says little about this kernel; its two counters do. */
static void
divide (const CycKernelValues *kernel,
        CycCounterValue       *value)
{
  const CycCounter *counter = value->counter;

  if (counter == NULL || counter->numerator == NULL || value->state == CYC_COUNTER_IS_TEXT)
    return;
  const CycCounterValue *above = find_beside (kernel, value, counter->numerator);
  const CycCounterValue *below = find_beside (kernel, value, counter->denominator);
  value->value = NAN;
  if (above == NULL || below == NULL || above->state != CYC_COUNTER_IS_NUMBER ||
      below->state != CYC_COUNTER_IS_NUMBER)
    {
      value->state = CYC_COUNTER_IS_INSEPARABLE;
    }
  else if (below->value == 0)
    {
      value->state = CYC_COUNTER_IS_UNDEFINED;
    }
  else
    {
      value->state = CYC_COUNTER_IS_NUMBER;
      value->value = above->value / below->value;
    }
}

static gboolean
totals_agree (const CycKernelValues *kernel,
              const char            *total,
              const char            *share)
{
  const CycCounterValue *grown = cyc_kernel_values_lookup (kernel, total);
  const CycCounterValue *printed = cyc_kernel_values_lookup (kernel, share);

  return grown != NULL && printed != NULL && grown->state == CYC_COUNTER_IS_NUMBER &&
         printed->state == CYC_COUNTER_IS_NUMBER && grown->value == printed->value;
}

/**
 * cyc_counter_values_add:
 * @self: values
 * @stats: the statistics of the next block
 * @block: the block
 *
 * Tells what the kernel of this block added to each counter: cumulative counters by difference from
 * the block before, per stream where the counter is; the first block against zero; ratios anew from
 * the differences of what they divide, where both are printed. Values of a concurrent block are of all
 * kernels that ran in its interval, and are marked so.
 *
 * Returns: (transfer none): the values; they live until the next call
 */
const CycKernelValues *
cyc_counter_values_add (CycCounterValues  *self,
                        CycSimStats       *stats,
                        const CycSimBlock *block)
{
  g_return_val_if_fail (self != NULL && stats != NULL && block != NULL, NULL);

  CycKernelValues *kernel = &self->kernel;
  CycSimStats *before = self->stats;
  self->stats = cyc_sim_stats_ref (stats);
  g_clear_pointer (&before, cyc_sim_stats_unref);
  guint n = cyc_sim_stats_get_n (stats);
  g_array_set_size (self->values, 0);
  for (guint i = 0; i < n; i++)
    {
      CycCounterValue value = value_of (self, cyc_sim_stats_get (stats, i),
                                        block->has_stream ? block->stream_id : 0);
      g_array_append_val (self->values, value);
    }
  CycCounterValue *values = (CycCounterValue *) (gpointer) self->values->data;
  *kernel = (CycKernelValues) {
    .stats = stats,
    .values = values,
    .n_values = n,
    .concurrent = block->concurrent,
    .partial = block->partial,
  };
  for (guint i = 0; i < n; i++)
    divide (kernel, &values[i]);
  kernel->cycles_agree = totals_agree (kernel, "gpu_tot_sim_cycle", "gpu_sim_cycle");
  kernel->insn_agree = totals_agree (kernel, "gpu_tot_sim_insn", "gpu_sim_insn");
  return kernel;
}

/**
 * cyc_counter_values_list_keys:
 * @keys: names of statistics
 *
 * Returns: (transfer full): @keys and what cyc_counter_values_add() needs in a block beside them to tell
 *   their values, for cyc_sim_stats_parse_some()
 */
GStrv
cyc_counter_values_list_keys (const char *const *keys)
{
  g_return_val_if_fail (keys != NULL, NULL);

  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  for (guint i = 0; keys[i] != NULL; i++)
    {
      const CycCounter *counter = cyc_counter_find (keys[i]);
      g_strv_builder_add (builder, keys[i]);
      if (counter == NULL || counter->numerator == NULL)
        continue;
      g_autofree char *above = name_beside (counter, keys[i], counter->numerator);
      g_autofree char *below = name_beside (counter, keys[i], counter->denominator);
      g_strv_builder_add_many (builder, above, below, NULL);
    }
  return g_strv_builder_end (builder);
}

/**
 * cyc_kernel_values_lookup:
 * @self: values of a block
 * @key: the name of a statistic
 *
 * Returns: (transfer none) (nullable): its value
 */
const CycCounterValue *
cyc_kernel_values_lookup (const CycKernelValues *self,
                          const char            *key)
{
  g_return_val_if_fail (self != NULL && key != NULL, NULL);

  const CycSimStat *stat = cyc_sim_stats_lookup (self->stats, key);
  return stat == NULL ? NULL : &self->values[stat - cyc_sim_stats_get (self->stats, 0)];
}
