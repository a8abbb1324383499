/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-results.h"

#include <math.h>
#include <string.h>

#include "core/accelsim/cyc-sim-stats.h"
#include "engine/cyc-api-private.h"

static void
sim_result_free (CycSimResult *self)
{
  cyc_sim_record_free (self->sim);
  cyc_gpu_config_record_free (self->config);
  g_ptr_array_unref (self->kernels);
  g_free (self->log_path);
  g_free (self);
}

/**
 * cyc_results_new:
 *
 * Returns: (transfer full): results without a run; fill the fields
 */
CycResults *
cyc_results_new (void)
{
  CycResults *self = g_new0 (CycResults, 1);
  self->sims = g_ptr_array_new_with_free_func ((GDestroyNotify) sim_result_free);
  return self;
}

/**
 * cyc_results_free:
 * @self: (transfer full) (nullable): results
 */
void
cyc_results_free (CycResults *self)
{
  if (self == NULL)
    return;
  cyc_run_record_free (self->run);
  cyc_trace_record_free (self->trace);
  g_free (self->metadata);
  g_clear_pointer (&self->launches, g_ptr_array_unref);
  g_free (self->timing_path);
  g_ptr_array_unref (self->sims);
  g_free (self);
}

/**
 * cyc_results_add_sim:
 * @self: results
 * @sim: a sim, copied
 * @config: (nullable): its configuration when the run started, copied
 * @kernels: (element-type CycKernelRecord): what it finished; a reference is taken
 * @log_path: the engine's log of it
 */
void
cyc_results_add_sim (CycResults               *self,
                     const CycSimRecord       *sim,
                     const CycGpuConfigRecord *config,
                     GPtrArray                *kernels,
                     const char               *log_path)
{
  CycSimResult *result = g_new0 (CycSimResult, 1);

  result->sim = cyc_sim_record_copy (sim);
  result->config = config != NULL ? cyc_gpu_config_record_copy (config)
                                  : cyc_gpu_config_record_new (sim->gpu_config, "unknown", 0);
  result->kernels = g_ptr_array_ref (kernels);
  result->log_path = g_strdup (log_path);
  g_ptr_array_add (self->sims, result);
}

/* Kernels of a sim whose statistics cannot be read: the log was deleted or cut. */
typedef struct
{
  guint   n;
  GError *error; /* of the first */
} Gap;

/**
 * cyc_results_write_kernel:
 * @kernel: a kernel
 * @log_path: the engine's log of its sim
 * @writer: where KernelStat is written
 * @error: return location
 *
 * The full statistics are kept once: in the log, where they are read. If they cannot be read, the
 * record says so. Any thread.
 *
 * Returns: whether the statistics are there; if not, @error says why
 */
gboolean
cyc_results_write_kernel (const CycKernelRecord *kernel,
                          const char            *log_path,
                          CycJsonWriter         *writer,
                          GError               **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (CycSimStats) stats =
    cyc_sim_stats_read (log_path, kernel->log_offset, kernel->log_length, &local);

  cyc_json_writer_begin_object (writer);
  cyc_kernel_record_write_fields (kernel, writer);
  cyc_json_writer_key (writer, "stats");
  if (stats != NULL)
    {
      cyc_sim_stats_write_json (stats, writer);
    }
  else
    {
      cyc_json_writer_begin_object (writer);
      cyc_json_writer_end_object (writer);
      cyc_json_writer_put_string (writer, "stats_error", local->message);
    }
  cyc_json_writer_end_object (writer);
  if (local != NULL)
    g_propagate_error (error, g_steal_pointer (&local));
  return stats != NULL;
}

static void
write_kernel (const CycSimResult    *result,
              const CycKernelRecord *kernel,
              Gap                   *gap,
              CycJsonWriter         *writer)
{
  if (!cyc_results_write_kernel (kernel, result->log_path, writer, gap->error == NULL ? &gap->error : NULL))
    gap->n++;
}

static void
write_sim (const CycSimResult *result,
           const char         *trace_id,
           Gap                *gap,
           CycJsonWriter      *writer)
{
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_key (writer, "sim");
  cyc_sim_record_write_json (result->sim, writer);
  cyc_json_writer_put_string (writer, "trace_id", trace_id);
  cyc_json_writer_key (writer, "gpu_config");
  cyc_gpu_config_record_write_json (result->config, writer);
  cyc_json_writer_key (writer, "kernels");
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < result->kernels->len; i++)
    write_kernel (result, g_ptr_array_index (result->kernels, i), gap, writer);
  cyc_json_writer_end_array (writer);
  cyc_json_writer_key (writer, "totals");
  cyc_sim_metrics_write_json (&result->sim->latest, writer);
  cyc_json_writer_end_object (writer);
}

static void
write_gaps (const CycResults *self,
            Gap              *gaps,
            CycJsonWriter    *writer)
{
  cyc_json_writer_key (writer, "missing_stats");
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < self->sims->len; i++)
    {
      const CycSimResult *result = g_ptr_array_index (self->sims, i);
      if (gaps[i].n == 0)
        continue;
      cyc_json_writer_begin_object (writer);
      cyc_json_writer_put_string (writer, "sim_id", result->sim->id);
      cyc_json_writer_put_int (writer, "kernels", gaps[i].n);
      cyc_json_writer_put_string (writer, "error", gaps[i].error->message);
      cyc_json_writer_end_object (writer);
      g_clear_error (&gaps[i].error);
    }
  cyc_json_writer_end_array (writer);
}

/**
 * cyc_results_write:
 * @self: results
 * @writer: where RunResults is written
 * @error: (nullable): return location for an error
 *
 * One kernel's statistics at a time are in memory. What cannot be read of them is listed at the end, in
 * `missing_stats` (ours). Any thread.
 *
 * Returns: %TRUE on success
 */
gboolean
cyc_results_write (const CycResults  *self,
                   CycJsonWriter     *writer,
                   GError           **error)
{
  g_autofree Gap *gaps = g_new0 (Gap, self->sims->len);

  cyc_json_writer_begin_object (writer);
  cyc_json_writer_key (writer, "run");
  cyc_json_writer_begin_object (writer);
  cyc_run_record_write_fields (self->run, writer);
  cyc_json_writer_end_object (writer);
  cyc_json_writer_key (writer, "trace");
  if (self->trace != NULL)
    cyc_api_write_trace_detail (self->trace, self->metadata, self->launches, writer);
  else
    cyc_json_writer_null (writer);
  cyc_json_writer_key (writer, "sims");
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < self->sims->len; i++)
    write_sim (g_ptr_array_index (self->sims, i), self->run->trace_id, &gaps[i], writer);
  cyc_json_writer_end_array (writer);
  cyc_json_writer_key (writer, "comparison");
  cyc_results_write_comparison (self, writer);
  write_gaps (self, gaps, writer);
  cyc_json_writer_end_object (writer);
  return cyc_json_writer_finish (writer, error);
}
