/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-results.h"

#include <math.h>

#define PS_PER_US 1e6

/* A run as Chrome trace JSON: a process a sim, its kernels one after the other in simulated time. */

static void
write_place (CycJsonWriter *writer,
             guint          pid,
             guint64        tid)
{
  cyc_json_writer_key (writer, "pid");
  cyc_json_writer_uint (writer, pid);
  cyc_json_writer_key (writer, "tid");
  cyc_json_writer_uint (writer, tid);
}

static void
write_process (const CycSimResult *result,
               guint               pid,
               CycJsonWriter      *writer)
{
  g_autofree char *name = g_strdup_printf ("%s #%u", result->sim->gpu_config, result->sim->replica);

  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_string (writer, "name", "process_name");
  cyc_json_writer_put_string (writer, "ph", "M");
  write_place (writer, pid, 0);
  cyc_json_writer_key (writer, "args");
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_string (writer, "name", name);
  cyc_json_writer_put_string (writer, "sim_id", result->sim->id);
  cyc_json_writer_end_object (writer);
  cyc_json_writer_end_object (writer);
}

static void
write_arguments (const CycKernelRecord *kernel,
                 CycJsonWriter         *writer)
{
  cyc_json_writer_key (writer, "args");
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_key (writer, "kernel_index");
  cyc_json_writer_uint (writer, kernel->kernel_index);
  if (kernel->has_launch_uid)
    {
      cyc_json_writer_put_int (writer, "kernel_launch_uid", kernel->kernel_launch_uid);
    }
  cyc_json_writer_put_int (writer, "gpu_sim_cycle", kernel->gpu_sim_cycle);
  if (kernel->has_insn)
    {
      cyc_json_writer_put_int (writer, "gpu_sim_insn", kernel->gpu_sim_insn);
    }
  cyc_json_writer_put_double (writer, "gpu_ipc", kernel->gpu_ipc);
  cyc_json_writer_put_boolean (writer, "partial", kernel->partial);
  /* The figures of concurrent kernels cover the time since the last one ended. */
  cyc_json_writer_put_boolean (writer, "concurrent", kernel->concurrent);
  cyc_json_writer_end_object (writer);
}

/* Readers of such traces count in picoseconds at the finest. */
static gint64
to_ps (gint64 cycles,
       double clock_mhz)
{
  return (gint64) llround ((double) cycles / clock_mhz * PS_PER_US);
}

/* Kernels without a time have no place in it. */
static void
write_left_out (const CycSimResult *result,
                CycJsonWriter      *writer)
{
  gboolean no_clock = !(result->config->core_clock_mhz > 0);
  guint n = 0;

  for (guint i = 0; i < result->kernels->len; i++)
    n += no_clock || !((const CycKernelRecord *) g_ptr_array_index (result->kernels, i))->has_cycle;
  if (n == 0)
    return;
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_string (writer, "sim_id", result->sim->id);
  cyc_json_writer_put_int (writer, "kernels", n);
  cyc_json_writer_put_string (writer, "error", no_clock ? "the clock of the configuration is not known"
                                                        : "the log does not say how many cycles they took");
  cyc_json_writer_end_object (writer);
}

static void
write_kernels (const CycSimResult *result,
               guint               pid,
               CycJsonWriter      *writer)
{
  double clock = result->config->core_clock_mhz;
  gint64 cycles = 0;

  for (guint i = 0; i < result->kernels->len && clock > 0; i++)
    {
      const CycKernelRecord *kernel = g_ptr_array_index (result->kernels, i);
      if (!kernel->has_cycle)
        continue;
      gint64 begin = to_ps (cycles, clock);
      cyc_json_writer_begin_object (writer);
      cyc_json_writer_put_string (writer, "name", kernel->kernel_name);
      cyc_json_writer_put_string (writer, "cat", "kernel");
      cyc_json_writer_put_string (writer, "ph", "X");
      cyc_json_writer_put_double (writer, "ts", (double) begin / PS_PER_US);
      cyc_json_writer_put_double (writer, "dur",
                                  (double) (to_ps (cycles + kernel->gpu_sim_cycle, clock) - begin) / PS_PER_US);
      write_place (writer, pid, kernel->has_stream_id ? kernel->stream_id : 0);
      write_arguments (kernel, writer);
      cyc_json_writer_end_object (writer);
      cycles += kernel->gpu_sim_cycle;
    }
}

/**
 * cyc_results_write_chrome:
 * @self: results
 * @writer: where the trace is written
 *
 * Times are simulated microseconds from the start of each sim: cycles by the core clock. A thread
 * is a CUDA stream. Kernels without a time are counted in `left_out` (ours). Any thread.
 */
void
cyc_results_write_chrome (const CycResults *self,
                          CycJsonWriter    *writer)
{
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_key (writer, "traceEvents");
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < self->sims->len; i++)
    {
      const CycSimResult *result = g_ptr_array_index (self->sims, i);
      write_process (result, i + 1, writer);
      write_kernels (result, i + 1, writer);
    }
  cyc_json_writer_end_array (writer);
  cyc_json_writer_put_string (writer, "displayTimeUnit", "ns");
  cyc_json_writer_key (writer, "otherData");
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_string (writer, "run_id", self->run->id);
  cyc_json_writer_put_string (writer, "trace_id", self->run->trace_id);
  cyc_json_writer_end_object (writer);
  cyc_json_writer_key (writer, "left_out");
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < self->sims->len; i++)
    write_left_out (g_ptr_array_index (self->sims, i), writer);
  cyc_json_writer_end_array (writer);
  cyc_json_writer_end_object (writer);
}
