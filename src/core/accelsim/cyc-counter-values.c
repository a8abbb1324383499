/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/accelsim/cyc-counter-values.h"

#include <math.h>
#include <string.h>

/* A total as it was printed last, and between which gaps that was. */
typedef struct
{
  double   value;
  gboolean seen;
  guint    stretch;
} Total;

/* What is remembered of a key from block to block. */
typedef struct
{
  const CycCounter *counter;
  Total             total;   /* over all streams, or of the counter's only scope */
  GHashTable       *streams; /* stream (gint64) -> Total: those of one stream each; or NULL */
} Memory;

/* Where blocks are missing, or one is cut, a total grows by what several kernels did. Such gaps divide the
 * log into stretches: a difference is a kernel's share only between two totals of the same one. */
struct _CycCounterValues
{
  GHashTable      *keys;     /* key -> Memory */
  guint            stretch;
  gboolean         whole;    /* the stretch has had a whole block: what that lacks is zero */
  GHashTable      *whole_streams; /* of gint64: streams that have had one in it */
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
  self->whole_streams = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
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
  g_hash_table_unref (self->whole_streams);
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
static Total *
find_total (Memory  *memory,
            guint64  stream)
{
  gint64 key = (gint64) stream;

  if (memory->counter->scope != CYC_COUNTER_STREAM)
    return &memory->total;
  if (memory->streams == NULL)
    memory->streams = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  Total *total = g_hash_table_lookup (memory->streams, &key);
  if (total == NULL)
    {
      total = g_new0 (Total, 1);
      g_hash_table_insert (memory->streams, g_memdup2 (&key, sizeof key), total);
    }
  return total;
}

/* Whether the difference from @total is that of one kernel. */
static gboolean
is_continuous (const CycCounterValues *self,
               const Memory           *memory,
               const Total            *total,
               guint64                 stream)
{
  gint64 key = (gint64) stream;

  if (total->seen)
    return total->stretch == self->stretch;
  if (self->stretch == 0)
    return TRUE;
  return memory->counter->scope == CYC_COUNTER_STREAM ? g_hash_table_contains (self->whole_streams, &key)
                                                      : self->whole;
}

static void
take_cumulative (CycCounterValues *self,
                 CycCounterValue  *value,
                 Memory           *memory,
                 double            printed,
                 guint64           stream)
{
  Total *total = find_total (memory, stream);

  value->state = printed < total->value ? CYC_COUNTER_WENT_BACK
                 : is_continuous (self, memory, total, stream) ? CYC_COUNTER_IS_NUMBER : CYC_COUNTER_SPANS_GAP;
  if (value->state == CYC_COUNTER_IS_NUMBER)
    value->value = printed - total->value;
  *total = (Total) { .value = printed, .seen = TRUE, .stretch = self->stretch };
}

static void
begin_stretch (CycCounterValues *self)
{
  self->stretch++;
  self->whole = FALSE;
  g_hash_table_remove_all (self->whole_streams);
}

static gboolean
read_number (CycSimStats *stats,
             const char  *key,
             double      *out_value)
{
  const CycSimStat *stat = cyc_sim_stats_lookup (stats, key);

  return stat != NULL && cyc_counter_parse_value (stat->text, out_value);
}

/* A total that did not grow by what this block says of itself: other kernels have ended in between, whose
 * blocks are not there. */
static gboolean
is_torn (CycCounterValues *self,
         CycSimStats      *stats,
         const char       *total_key,
         const char       *share_key)
{
  const Total *before = &remember (self, total_key)->total;
  double total, share;

  return read_number (stats, total_key, &total) && read_number (stats, share_key, &share) &&
         total >= before->value && total - before->value != share;
}

/* Of a block that is cut, the keys that it has are still good for the next one, but for the last, whose
 * number may be cut. */
static void
end_cut_block (CycCounterValues *self,
               CycSimStats      *stats,
               guint64           stream)
{
  guint n = cyc_sim_stats_get_n (stats);

  begin_stretch (self);
  for (guint i = 0; i + 1 < n; i++)
    {
      Memory *memory = remember (self, cyc_sim_stats_get (stats, i)->key);
      if (memory->counter != NULL && memory->counter->kind == CYC_COUNTER_CUMULATIVE)
        find_total (memory, stream)->stretch = self->stretch;
    }
}

static void
end_whole_block (CycCounterValues *self,
                 guint64           stream)
{
  gint64 key = (gint64) stream;

  self->whole = TRUE;
  if (self->stretch > 0 && !g_hash_table_contains (self->whole_streams, &key))
    g_hash_table_add (self->whole_streams, g_memdup2 (&key, sizeof key));
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
      take_cumulative (self, &value, memory, printed, stream);
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
  if (above != NULL && below != NULL &&
      (above->state == CYC_COUNTER_SPANS_GAP || below->state == CYC_COUNTER_SPANS_GAP))
    {
      value->state = CYC_COUNTER_SPANS_GAP;
    }
  else if (above == NULL || below == NULL || above->state != CYC_COUNTER_IS_NUMBER ||
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
 * kernels that ran in its interval, and are marked so. Where blocks before this one are missing or cut, a
 * difference is of several kernels, and no value.
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
  guint64 stream = block->has_stream ? block->stream_id : 0;
  g_array_set_size (self->values, 0);
  if (is_torn (self, stats, "gpu_tot_sim_cycle", "gpu_sim_cycle") ||
      is_torn (self, stats, "gpu_tot_sim_insn", "gpu_sim_insn"))
    begin_stretch (self);
  for (guint i = 0; i < n; i++)
    {
      CycCounterValue value = value_of (self, cyc_sim_stats_get (stats, i), stream);
      g_array_append_val (self->values, value);
    }
  if (block->partial)
    end_cut_block (self, stats, stream);
  else
    end_whole_block (self, stream);
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
 *   their values, and where blocks are missing, for cyc_sim_stats_parse_some()
 */
GStrv
cyc_counter_values_list_keys (const char *const *keys)
{
  g_return_val_if_fail (keys != NULL, NULL);

  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_strv_builder_add_many (builder, "gpu_sim_cycle", "gpu_tot_sim_cycle", "gpu_sim_insn", "gpu_tot_sim_insn", NULL);
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
