/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-results.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "core/accelsim/cyc-real-timing.h"
#include "core/base/cyc-util.h"
#include "engine/cyc-kernel-join.h"
#include "engine/cyc-sim-counters.h"

/* Comparison: kernels by the number of their launch, the median over the replicas of a configuration. What
 * GET comparison writes and what the window draws is computed here once. */

static int
compare_doubles (gconstpointer a,
                 gconstpointer b)
{
  double first = *(const double *) a, second = *(const double *) b;

  return first < second ? -1 : first > second ? 1 : 0;
}

/* Of an even number the mean of the two in the middle. */
static double
median (GArray *values)
{
  if (values->len == 0)
    return NAN;
  g_array_sort (values, compare_doubles);
  guint middle = values->len / 2;
  double upper = g_array_index (values, double, middle);
  return values->len % 2 == 1 ? upper : (g_array_index (values, double, middle - 1) + upper) / 2;
}

static double
median_at (const CycResults    *self,
           const CycKernelJoin *join,
           const char          *config,
           guint                row)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < self->sims->len; i++)
    {
      const CycSimResult *result = g_ptr_array_index (self->sims, i);
      const CycKernelRecord *kernel = strcmp (result->sim->gpu_config, config) == 0
                                        ? cyc_kernel_join_get (join, i, row) : NULL;
      if (kernel != NULL && !isnan (kernel->sim_time_ns))
        g_array_append_val (times, kernel->sim_time_ns);
    }
  return median (times);
}

static GPtrArray *
list_configs (const CycResults *self)
{
  GPtrArray *configs = g_ptr_array_new ();

  for (guint i = 0; i < self->run->entries->len; i++)
    {
      const CycRunEntry *entry = g_ptr_array_index (self->run->entries, i);
      if (!g_ptr_array_find_with_equal_func (configs, entry->gpu_config, g_str_equal, NULL))
        g_ptr_array_add (configs, entry->gpu_config);
    }
  return configs;
}

static gboolean
has_whole_kernel (const CycSimResult *result)
{
  for (guint i = 0; i < result->kernels->len; i++)
    if (!((const CycKernelRecord *) g_ptr_array_index (result->kernels, i))->partial)
      return TRUE;
  return FALSE;
}

static guint
count_sims (const CycResults *self,
            const char       *config,
            gboolean          with_kernels)
{
  guint n = 0;

  for (guint i = 0; i < self->sims->len; i++)
    {
      const CycSimResult *result = g_ptr_array_index (self->sims, i);
      n += strcmp (result->sim->gpu_config, config) == 0 && (!with_kernels || has_whole_kernel (result));
    }
  return n;
}

static void
add_real (CycComparison       *comparison,
          const CycRealTiming *timing)
{
  CycComparisonSeries *series = cyc_comparison_add (comparison, "real GPU", TRUE, 1);

  for (guint i = 0; i < timing->kernels->len; i++)
    series->values[i] = ((const CycRealKernel *) g_ptr_array_index (timing->kernels, i))->duration_ns;
}

static CycComparison *
new_comparison (const CycKernelJoin *join,
                const char          *counter,
                const char          *unit)
{
  CycComparison *comparison = cyc_comparison_new (counter, unit, cyc_kernel_join_get_n_rows (join));

  for (guint i = 0; i < comparison->n_kernels; i++)
    {
      comparison->names[i] = g_strdup (cyc_kernel_join_get_name (join, i));
      comparison->uids[i] = cyc_kernel_join_get_uid (join, i);
      comparison->concurrent[i] = cyc_kernel_join_is_concurrent (join, i);
    }
  return comparison;
}

static CycComparison *
compare_times (const CycResults    *self,
               const CycRealTiming *timing)
{
  g_autoptr (GPtrArray) configs = list_configs (self);
  g_autoptr (CycKernelJoin) join = cyc_kernel_join_new (self, timing == NULL ? 0 : timing->kernels->len);
  CycComparison *comparison = new_comparison (join, CYC_COMPARISON_TIME, "ns");

  if (timing != NULL)
    add_real (comparison, timing);
  for (guint c = 0; c < configs->len; c++)
    {
      const char *config = g_ptr_array_index (configs, c);
      CycComparisonSeries *series = cyc_comparison_add (comparison, config, FALSE,
                                                        count_sims (self, config, TRUE));
      for (guint i = 0; i < comparison->n_kernels; i++)
        series->values[i] = median_at (self, join, config, i);
    }
  return comparison;
}

static CycRealTiming *
load_timing (const CycResults *self)
{
  g_autoptr (CycFindings) findings = cyc_findings_new ();

  return self->timing_path == NULL || !g_file_test (self->timing_path, G_FILE_TEST_EXISTS)
           ? NULL : cyc_real_timing_load (self->timing_path, findings, NULL);
}

/* Of other counters than time: each kernel's share, of the simulations that succeeded. */

typedef struct
{
  const CycResults *results;
  const CycKernelJoin *join;
  const char       *counter;
  CycComparison    *comparison;
  GStrvBuilder     *notes;
  GCancellable     *cancellable;
  gboolean          found;        /* some block has the counter */
  gboolean          separable;    /* some kernel's share can be told */
  guint             n_torn;       /* kernels whose share cannot be told: blocks before them are missing */
  char             *not_modelled; /* of the configuration under way; NULL if it is */
} Compare;

static void G_GNUC_PRINTF (2, 3)
add_note (GStrvBuilder *notes,
          const char   *format,
          ...)
{
  va_list args;

  va_start (args, format);
  g_autofree char *note = g_strdup_vprintf (format, args);
  va_end (args);
  g_strv_builder_add (notes, note);
}

static void
take_values (Compare          *self,
             guint             sim,
             CycCounterTable  *table,
             GArray          **values)
{
  const CycCounterColumn *column = g_ptr_array_index (table->columns, 0);

  for (guint i = 0; i < table->n_rows; i++)
    self->found |= column->states[i] != CYC_COUNTER_IS_MISSING;
  for (guint row = 0; row < self->comparison->n_kernels; row++)
    {
      const CycKernelRecord *kernel = cyc_kernel_join_get (self->join, sim, row);
      if (kernel == NULL || kernel->kernel_index >= table->n_rows)
        continue;
      self->n_torn += column->states[kernel->kernel_index] == CYC_COUNTER_SPANS_GAP;
      if (isnan (column->values[kernel->kernel_index]))
        continue;
      self->separable = TRUE;
      g_array_append_val (values[row], column->values[kernel->kernel_index]);
    }
}

/* Returns FALSE with @error set, or without one when the configuration does not model the counter. */
static gboolean
add_sim (Compare  *self,
         guint     sim,
         GArray  **values,
         GError  **error)
{
  const CycSimResult *result = g_ptr_array_index (self->results->sims, sim);
  const char *const keys[] = { self->counter, NULL };
  g_autoptr (CycCounterTable) table = cyc_sim_counters_load (result->log_path, result->kernels, keys,
                                                             FALSE, 0, NULL, self->cancellable, error);

  if (table == NULL)
    return FALSE;
  const CycCounterColumn *column = g_ptr_array_index (table->columns, 0);
  if (column->not_modelled != NULL)
    {
      self->found = TRUE;
      self->separable = TRUE;
      add_note (self->notes, "%s: %s is %s", result->sim->gpu_config, self->counter,
                column->not_modelled);
      cyc_set_str (&self->not_modelled, column->not_modelled);
      return FALSE;
    }
  take_values (self, sim, table, values);
  return TRUE;
}

static guint
add_sims (Compare     *self,
          const char  *config,
          GArray     **values,
          GError     **error)
{
  GError *local = NULL;
  guint n = 0;

  for (guint i = 0; i < self->results->sims->len; i++)
    {
      const CycSimResult *result = g_ptr_array_index (self->results->sims, i);
      if (strcmp (result->sim->gpu_config, config) != 0 || result->sim->state != CYC_SIM_SUCCEEDED)
        continue;
      if (!add_sim (self, i, values, &local))
        break;
      n++;
    }
  if (local != NULL)
    g_propagate_error (error, local);
  return n;
}

static gboolean
compare_config (Compare     *self,
                const char  *config,
                GError     **error)
{
  guint n_kernels = self->comparison->n_kernels;
  g_autoptr (GPtrArray) values = g_ptr_array_new_full (n_kernels, (GDestroyNotify) g_array_unref);
  GError *local = NULL;

  for (guint i = 0; i < n_kernels; i++)
    g_ptr_array_add (values, g_array_new (FALSE, FALSE, sizeof (double)));
  guint n = add_sims (self, config, (GArray **) values->pdata, &local);
  if (local != NULL)
    {
      g_propagate_error (error, local);
      return FALSE;
    }
  CycComparisonSeries *series = cyc_comparison_add (self->comparison, config, FALSE, n);
  for (guint i = 0; i < n_kernels; i++)
    series->values[i] = median (g_ptr_array_index (values, i));
  series->reason = g_steal_pointer (&self->not_modelled);
  if (series->reason == NULL && n == 0)
    series->reason = g_strdup (N_("no simulation has succeeded"));
  return TRUE;
}

static const char *
explain_kind (const CycCounter *counter)
{
  return counter != NULL && counter->kind == CYC_COUNTER_MAXIMUM
           ? "a maximum since the start" : "no number for one kernel";
}

static void
note_counter (Compare *self)
{
  const CycCounter *counter = cyc_counter_find (self->counter);
  gboolean any = FALSE;

  for (guint i = 0; i < self->comparison->series->len; i++)
    any |= ((CycComparisonSeries *) g_ptr_array_index (self->comparison->series, i))->n_replicas > 0;
  if (any && !self->found)
    add_note (self->notes, "no kernel has a counter '%s'", self->counter);
  else if (any && !self->separable)
    add_note (self->notes, "%s is %s: the share of a kernel cannot be told", self->counter,
              explain_kind (counter));
  else if (self->n_torn > 0)
    add_note (self->notes, "%u kernels have no figure: blocks before them are missing in the log or cut, and share "
              "in what %s grew by", self->n_torn, self->counter);
  else if (any && counter == NULL)
    add_note (self->notes, "%s is not in the catalogue: its figures are as printed", self->counter);
}

static CycComparison *
compare_counter (const CycResults    *results,
                 const char          *counter,
                 GStrvBuilder        *notes,
                 GCancellable        *cancellable,
                 GError             **error)
{
  const CycCounter *known = cyc_counter_find (counter);
  g_autoptr (CycKernelJoin) join = cyc_kernel_join_new (results, 0);
  g_autoptr (CycComparison) comparison = new_comparison (join, counter, known == NULL ? "" : known->unit);
  g_autoptr (GPtrArray) configs = list_configs (results);
  Compare self = {
    .results = results,
    .join = join,
    .counter = counter,
    .comparison = comparison,
    .notes = notes,
    .cancellable = cancellable,
  };

  for (guint c = 0; c < configs->len; c++)
    if (!compare_config (&self, g_ptr_array_index (configs, c), error))
      return NULL;
  note_counter (&self);
  return g_steal_pointer (&comparison);
}

/* Notes that hold for every counter */

static void
note_sims (const CycResults *self,
           gboolean          is_time,
           GStrvBuilder     *notes)
{
  g_autoptr (GPtrArray) configs = list_configs (self);

  for (guint c = 0; c < configs->len; c++)
    {
      const char *config = g_ptr_array_index (configs, c);
      guint all = count_sims (self, config, FALSE);
      guint good = 0;
      for (guint i = 0; i < self->sims->len; i++)
        {
          const CycSimResult *result = g_ptr_array_index (self->sims, i);
          good += strcmp (result->sim->gpu_config, config) == 0 && result->sim->state == CYC_SIM_SUCCEEDED;
        }
      if (good < all)
        add_note (notes, "%s: %u of %u simulations have not succeeded; %s", config, all - good, all,
                  is_time ? "the kernels that they finished count" : "they are left out");
    }
}

static void
note_concurrent (const CycComparison *comparison,
                 GStrvBuilder        *notes)
{
  guint n = 0;

  for (guint i = 0; i < comparison->n_kernels; i++)
    n += comparison->concurrent[i] ? 1 : 0;
  if (n > 0)
    add_note (notes, "%u of %u kernels ran at the same time as others: a figure covers all that ran in its interval",
              n, comparison->n_kernels);
}

/* What was measured is one GPU; only a configuration that models it can be held against it. */
static void
note_real (const CycResults    *self,
           const CycRealTiming *timing,
           gboolean             is_time,
           const char          *counter,
           GStrvBuilder        *notes)
{
  g_autoptr (GPtrArray) configs = list_configs (self);
  const char *measured = self->trace == NULL ? NULL : self->trace->real_gpu_config;
  g_autoptr (CycKernelJoin) join = cyc_kernel_join_new (self, 0);
  guint n_simulated = cyc_kernel_join_get_n_rows (join);

  if (timing == NULL)
    return;
  if (!is_time)
    {
      add_note (notes, "real GPU: left out, because only times were measured there, not %s", counter);
      return;
    }
  if (n_simulated > 0 && timing->kernels->len != n_simulated)
    add_note (notes, "real GPU: %u kernels were measured and %u simulated; they are matched by their "
              "order", timing->kernels->len, n_simulated);
  for (guint i = 0; measured != NULL && i < configs->len; i++)
    if (strcmp (g_ptr_array_index (configs, i), measured) != 0)
      add_note (notes, "%s: does not model the GPU that was measured, which is %s",
                (const char *) g_ptr_array_index (configs, i), measured);
}

/**
 * cyc_results_compare:
 * @self: results
 * @counter: #CYC_COMPARISON_TIME, or the name of a counter
 * @cancellable: (nullable): asked before every block
 * @error: (nullable): return location for an error
 *
 * Compares the configurations of a run kernel by kernel. Times are those of GET comparison; of other
 * counters each kernel's share is taken from the logs of the simulations that succeeded. Reads files:
 * not for the main loop.
 *
 * Returns: (transfer full) (nullable): the comparison
 */
CycComparison *
cyc_results_compare (const CycResults  *self,
                     const char        *counter,
                     GCancellable      *cancellable,
                     GError           **error)
{
  g_return_val_if_fail (self != NULL && counter != NULL, NULL);

  gboolean is_time = strcmp (counter, CYC_COMPARISON_TIME) == 0;
  g_autoptr (CycRealTiming) timing = load_timing (self);
  g_autoptr (GStrvBuilder) notes = g_strv_builder_new ();
  CycComparison *comparison = is_time ? compare_times (self, timing)
                                      : compare_counter (self, counter, notes, cancellable, error);

  if (comparison == NULL)
    return NULL;
  note_sims (self, is_time, notes);
  note_concurrent (comparison, notes);
  note_real (self, timing, is_time, counter, notes);
  g_auto (GStrv) texts = g_strv_builder_end (notes);
  if (texts[0] != NULL)
    comparison->notes = g_steal_pointer (&texts);
  return comparison;
}

static void
write_row (const CycComparison *comparison,
           const CycRealTiming *timing,
           guint                position,
           CycJsonWriter       *writer)
{
  const CycRealKernel *real = timing != NULL && position < timing->kernels->len
                                ? g_ptr_array_index (timing->kernels, position)
                                : NULL;

  cyc_json_writer_begin_object (writer);
  cyc_json_writer_key (writer, "kernel_index");
  cyc_json_writer_uint (writer, position);
  cyc_json_writer_key (writer, "kernel_name");
  cyc_json_writer_string (writer, real != NULL && real->name != NULL ? real->name
                                                                     : comparison->names[position]);
  cyc_json_writer_put_int_or_null (writer, "kernel_launch_uid", comparison->uids[position] != 0,
                                   comparison->uids[position]);
  cyc_json_writer_put_boolean (writer, "concurrent", comparison->concurrent[position]);
  cyc_json_writer_put_double (writer, "real_ns", real == NULL ? (double) NAN : real->duration_ns);
  cyc_json_writer_key (writer, "sim_ns");
  cyc_json_writer_begin_object (writer);
  for (guint i = 0; i < comparison->series->len; i++)
    {
      const CycComparisonSeries *series = g_ptr_array_index (comparison->series, i);
      if (!series->real)
        cyc_json_writer_put_double (writer, series->name, series->values[position]);
    }
  cyc_json_writer_end_object (writer);
  cyc_json_writer_end_object (writer);
}

/**
 * cyc_results_write_comparison:
 * @self: results
 * @writer: where Comparison is written
 *
 * Any thread.
 */
void
cyc_results_write_comparison (const CycResults *self,
                              CycJsonWriter    *writer)
{
  g_autoptr (CycRealTiming) timing = load_timing (self);
  g_autoptr (CycComparison) comparison = compare_times (self, timing);

  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_boolean (writer, "has_real_timing", timing != NULL);
  cyc_json_writer_key (writer, "configs");
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < comparison->series->len; i++)
    {
      const CycComparisonSeries *series = g_ptr_array_index (comparison->series, i);
      if (!series->real)
        cyc_json_writer_string (writer, series->name);
    }
  cyc_json_writer_end_array (writer);
  cyc_json_writer_key (writer, "rows");
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < comparison->n_kernels; i++)
    write_row (comparison, timing, i, writer);
  cyc_json_writer_end_array (writer);
  cyc_json_writer_end_object (writer);
}
