/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-results.h"

#include <math.h>
#include <string.h>

#include "core/accelsim/cyc-real-timing.h"

/* Comparison: kernels by order of completion, the median over the replicas of a configuration. */

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

/* Kernels come by index. A partial kernel's time is that of a part: no figure to compare. */
static const CycKernelRecord *
kernel_at (const CycSimResult *result,
           guint               position)
{
  guint low = 0, high = result->kernels->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const CycKernelRecord *kernel = g_ptr_array_index (result->kernels, middle);
      if (kernel->kernel_index == position)
        return kernel->partial ? NULL : kernel;
      if (kernel->kernel_index < position)
        low = middle + 1;
      else
        high = middle;
    }
  return NULL;
}

static double
median_at (const CycResults *self,
           const char       *config,
           guint             position)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < self->sims->len; i++)
    {
      const CycSimResult *result = g_ptr_array_index (self->sims, i);
      if (strcmp (result->sim->gpu_config, config) != 0)
        continue;
      const CycKernelRecord *kernel = kernel_at (result, position);
      if (kernel != NULL && !isnan (kernel->sim_time_ns))
        g_array_append_val (times, kernel->sim_time_ns);
    }
  return median (times);
}

static const char *
name_at (const CycResults *self,
         guint             position)
{
  for (guint i = 0; i < self->sims->len; i++)
    {
      const CycKernelRecord *kernel = kernel_at (g_ptr_array_index (self->sims, i), position);
      if (kernel != NULL)
        return kernel->kernel_name;
    }
  return "";
}

static guint
count_rows (const CycResults    *self,
            const CycRealTiming *timing)
{
  guint rows = timing == NULL ? 0 : timing->kernels->len;

  for (guint i = 0; i < self->sims->len; i++)
    {
      const GPtrArray *kernels = ((CycSimResult *) g_ptr_array_index (self->sims, i))->kernels;
      /* From the last backwards: only the end of a log has partial kernels. */
      for (guint k = kernels->len; k-- > 0;)
        {
          const CycKernelRecord *kernel = g_ptr_array_index (kernels, k);
          if (kernel->partial)
            continue;
          rows = MAX (rows, kernel->kernel_index + 1);
          break;
        }
    }
  return rows;
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

static void
write_row (const CycResults    *self,
           const CycRealTiming *timing,
           GPtrArray           *configs,
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
                                                                     : name_at (self, position));
  cyc_json_writer_put_double (writer, "real_ns", real == NULL ? (double) NAN : real->duration_ns);
  cyc_json_writer_key (writer, "sim_ns");
  cyc_json_writer_begin_object (writer);
  for (guint i = 0; i < configs->len; i++)
    {
      const char *config = g_ptr_array_index (configs, i);
      cyc_json_writer_put_double (writer, config, median_at (self, config, position));
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
  g_autoptr (CycFindings) findings = cyc_findings_new ();
  g_autoptr (CycRealTiming) timing =
    self->timing_path == NULL || !g_file_test (self->timing_path, G_FILE_TEST_EXISTS)
      ? NULL
      : cyc_real_timing_load (self->timing_path, findings, NULL);
  g_autoptr (GPtrArray) configs = list_configs (self);
  guint rows = count_rows (self, timing);

  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_boolean (writer, "has_real_timing", timing != NULL);
  cyc_json_writer_key (writer, "configs");
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < configs->len; i++)
    cyc_json_writer_string (writer, g_ptr_array_index (configs, i));
  cyc_json_writer_end_array (writer);
  cyc_json_writer_key (writer, "rows");
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < rows; i++)
    write_row (self, timing, configs, i, writer);
  cyc_json_writer_end_array (writer);
  cyc_json_writer_end_object (writer);
}
