/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/model/cyc-records.h"

#include <math.h>


/**
 * cyc_gpu_config_record_new:
 * @name: the name of the configuration's folder
 * @arch: such as `sm_86`
 * @core_clock_mhz: the core clock in MHz
 *
 * Returns: (transfer full): a record
 */
CycGpuConfigRecord *
cyc_gpu_config_record_new (const char *name,
                           const char *arch,
                           double      core_clock_mhz)
{
  CycGpuConfigRecord *self = g_new0 (CycGpuConfigRecord, 1);
  self->name = g_strdup (name);
  self->arch = g_strdup (arch);
  self->core_clock_mhz = core_clock_mhz;
  return self;
}

/**
 * cyc_gpu_config_record_copy:
 * @self: a record
 *
 * Returns: (transfer full): a copy
 */
CycGpuConfigRecord *
cyc_gpu_config_record_copy (const CycGpuConfigRecord *self)
{
  return cyc_gpu_config_record_new (self->name, self->arch, self->core_clock_mhz);
}

/**
 * cyc_gpu_config_record_free:
 * @self: (transfer full) (nullable): a record
 */
void
cyc_gpu_config_record_free (CycGpuConfigRecord *self)
{
  if (self == NULL)
    return;
  g_free (self->name);
  g_free (self->arch);
  g_free (self);
}

/**
 * cyc_gpu_config_record_write_json:
 * @self: a record
 * @writer: where a GpuConfig object is written
 */
void
cyc_gpu_config_record_write_json (const CycGpuConfigRecord *self,
                                  CycJsonWriter            *writer)
{
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_string (writer, "name", self->name);
  cyc_json_writer_put_string (writer, "arch", self->arch);
  cyc_json_writer_put_double (writer, "core_clock_mhz", self->core_clock_mhz);
  cyc_json_writer_end_object (writer);
}

/**
 * cyc_launch_record_new:
 *
 * Returns: (transfer full): an empty record, instructions unknown
 */
CycLaunchRecord *
cyc_launch_record_new (void)
{
  CycLaunchRecord *self = g_new0 (CycLaunchRecord, 1);
  self->instructions = -1;
  return self;
}

/**
 * cyc_launch_record_free:
 * @self: (transfer full) (nullable): a record
 */
void
cyc_launch_record_free (CycLaunchRecord *self)
{
  if (self == NULL)
    return;
  g_free (self->name);
  g_free (self);
}

static void
write_triple (CycJsonWriter *writer,
              const char    *key,
              const guint64  values[3])
{
  cyc_json_writer_key (writer, key);
  cyc_json_writer_begin_array (writer);
  for (int i = 0; i < 3; i++)
    cyc_json_writer_uint (writer, values[i]);
  cyc_json_writer_end_array (writer);
}

/**
 * cyc_launch_record_write_json:
 * @self: a record
 * @writer: where a KernelLaunch object is written
 */
void
cyc_launch_record_write_json (const CycLaunchRecord *self,
                              CycJsonWriter         *writer)
{
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_int (writer, "kernel_id", self->kernel_id);
  cyc_json_writer_put_string (writer, "name", self->name);
  write_triple (writer, "grid", self->grid);
  write_triple (writer, "block", self->block);
  cyc_json_writer_put_int_or_null (writer, "instructions",
                                   self->instructions >= 0, self->instructions);
  cyc_json_writer_end_object (writer);
}

/**
 * cyc_trace_record_new:
 *
 * Returns: (transfer full): an empty record in state uploading
 */
CycTraceRecord *
cyc_trace_record_new (void)
{
  CycTraceRecord *self = g_new0 (CycTraceRecord, 1);
  self->layers = g_new0 (char *, 1);
  self->sample_sim_configs = g_new0 (char *, 1);
  return self;
}

/**
 * cyc_trace_record_copy:
 * @self: a record
 *
 * Returns: (transfer full): a copy
 */
CycTraceRecord *
cyc_trace_record_copy (const CycTraceRecord *self)
{
  CycTraceRecord *copy = g_memdup2 (self, sizeof *self);
  copy->id = g_strdup (self->id);
  copy->error = g_strdup (self->error);
  copy->model = g_strdup (self->model);
  copy->layers = g_strdupv (self->layers);
  copy->source_gpu = g_strdup (self->source_gpu);
  copy->trace_gpu_arch = g_strdup (self->trace_gpu_arch);
  copy->suggested_sim_config = g_strdup (self->suggested_sim_config);
  copy->real_gpu_config = g_strdup (self->real_gpu_config);
  copy->sample_sim_configs = g_strdupv (self->sample_sim_configs);
  copy->sample_set = g_strdup (self->sample_set);
  return copy;
}

/**
 * cyc_trace_record_free:
 * @self: (transfer full) (nullable): a record
 */
void
cyc_trace_record_free (CycTraceRecord *self)
{
  if (self == NULL)
    return;
  g_free (self->id);
  g_free (self->error);
  g_free (self->model);
  g_strfreev (self->layers);
  g_free (self->source_gpu);
  g_free (self->trace_gpu_arch);
  g_free (self->suggested_sim_config);
  g_free (self->real_gpu_config);
  g_strfreev (self->sample_sim_configs);
  g_free (self->sample_set);
  g_free (self);
}

/**
 * cyc_trace_record_write_fields:
 * @self: a record
 * @writer: a writer inside an object, where the fields of TraceSummary are written
 */
void
cyc_trace_record_write_fields (const CycTraceRecord *self,
                               CycJsonWriter        *writer)
{
  cyc_json_writer_put_string (writer, "id", self->id);
  cyc_json_writer_put_string (writer, "state", cyc_trace_state_to_string (self->state));
  cyc_json_writer_put_string (writer, "error", self->error);
  cyc_json_writer_put_time (writer, "created_at", self->created_at);
  cyc_json_writer_put_time (writer, "updated_at", self->updated_at);
  cyc_json_writer_put_string (writer, "model", self->model);
  cyc_json_writer_put_strings (writer, "layers", (const char *const *) self->layers);
  cyc_json_writer_put_string (writer, "source_gpu", self->source_gpu);
  /* Never null: what metadata.json leaves out is this. */
  cyc_json_writer_put_string (writer, "trace_gpu_arch",
                              self->trace_gpu_arch == NULL ? "sm_90" : self->trace_gpu_arch);
  cyc_json_writer_put_boolean (writer, "trace_gpu_arch_known", self->trace_gpu_arch != NULL);
  cyc_json_writer_put_string (writer, "suggested_sim_config", self->suggested_sim_config);
  cyc_json_writer_put_string (writer, "real_gpu_config", self->real_gpu_config);
  cyc_json_writer_put_strings (writer, "sample_sim_configs",
                               (const char *const *) self->sample_sim_configs);
  cyc_json_writer_put_string (writer, "sample_set", self->sample_set);
  cyc_json_writer_put_int (writer, "kernel_count", self->kernel_count);
  cyc_json_writer_put_int (writer, "bytes", self->bytes);
  cyc_json_writer_put_boolean (writer, "has_real_timing", self->has_real_timing);
  cyc_json_writer_put_boolean (writer, "has_step_timeline", self->has_step_timeline);
  cyc_json_writer_put_boolean (writer, "sample", self->sample);
}

/**
 * cyc_run_entry_new:
 * @gpu_config: the name of a configuration
 * @count: how many sims run it
 *
 * Returns: (transfer full): an entry
 */
CycRunEntry *
cyc_run_entry_new (const char *gpu_config,
                   guint       count)
{
  CycRunEntry *self = g_new0 (CycRunEntry, 1);
  self->gpu_config = g_strdup (gpu_config);
  self->count = count;
  return self;
}

/**
 * cyc_run_entry_free:
 * @self: (transfer full) (nullable): an entry
 */
void
cyc_run_entry_free (CycRunEntry *self)
{
  if (self == NULL)
    return;
  g_free (self->gpu_config);
  g_free (self);
}

/**
 * cyc_run_record_new:
 *
 * Returns: (transfer full): a record without entries and sims
 */
CycRunRecord *
cyc_run_record_new (void)
{
  CycRunRecord *self = g_new0 (CycRunRecord, 1);
  self->entries = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_run_entry_free);
  return self;
}

/**
 * cyc_run_record_copy:
 * @self: a record
 *
 * Returns: (transfer full): a copy
 */
CycRunRecord *
cyc_run_record_copy (const CycRunRecord *self)
{
  CycRunRecord *copy = g_memdup2 (self, sizeof *self);
  copy->id = g_strdup (self->id);
  copy->trace_id = g_strdup (self->trace_id);
  copy->entries = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_run_entry_free);
  for (guint i = 0; i < self->entries->len; i++)
    {
      const CycRunEntry *entry = g_ptr_array_index (self->entries, i);
      g_ptr_array_add (copy->entries, cyc_run_entry_new (entry->gpu_config, entry->count));
    }
  return copy;
}

/**
 * cyc_run_record_free:
 * @self: (transfer full) (nullable): a record
 */
void
cyc_run_record_free (CycRunRecord *self)
{
  if (self == NULL)
    return;
  g_free (self->id);
  g_free (self->trace_id);
  g_ptr_array_unref (self->entries);
  g_free (self);
}

/**
 * cyc_run_record_get_state:
 * @self: a record
 *
 * Returns: the state of the run, derived from the counts of its sims
 */
CycRunState
cyc_run_record_get_state (const CycRunRecord *self)
{
  return cyc_run_state_derive (self->sim_counts);
}

/**
 * cyc_run_entries_write_json:
 * @entries: (element-type CycRunEntry): the entries of a run
 * @writer: a writer inside an object, where the member `entries` is written
 */
void
cyc_run_entries_write_json (GPtrArray     *entries,
                            CycJsonWriter *writer)
{
  cyc_json_writer_key (writer, "entries");
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < entries->len; i++)
    {
      const CycRunEntry *entry = g_ptr_array_index (entries, i);
      cyc_json_writer_begin_object (writer);
      cyc_json_writer_put_string (writer, "gpu_config", entry->gpu_config);
      cyc_json_writer_put_int (writer, "count", entry->count);
      cyc_json_writer_end_object (writer);
    }
  cyc_json_writer_end_array (writer);
}

/**
 * cyc_run_record_add_times:
 * @self: a record
 * @started_at: when some of its simulations began; 0 if none has
 * @finished_at: when the last of these ended; 0 if none has
 *
 * Has the run's times take in those of more simulations. Whoever has them all sets `finished_at` to 0 if the run is
 * still active.
 */
void
cyc_run_record_add_times (CycRunRecord *self,
                          gint64        started_at,
                          gint64        finished_at)
{
  g_return_if_fail (self != NULL);

  if (started_at > 0 && (self->started_at == 0 || started_at < self->started_at))
    self->started_at = started_at;
  self->finished_at = MAX (self->finished_at, finished_at);
}

/**
 * cyc_run_record_write_fields:
 * @self: a record
 * @writer: a writer inside an object, where the fields of RunSummary are written
 */
void
cyc_run_record_write_fields (const CycRunRecord *self,
                             CycJsonWriter      *writer)
{
  cyc_json_writer_put_string (writer, "id", self->id);
  cyc_json_writer_put_string (writer, "trace_id", self->trace_id);
  cyc_json_writer_put_time (writer, "created_at", self->created_at);
  cyc_json_writer_put_string (writer, "state",
                              cyc_run_state_to_string (cyc_run_record_get_state (self)));
  cyc_run_entries_write_json (self->entries, writer);
  cyc_json_writer_key (writer, "sim_counts");
  cyc_json_writer_begin_object (writer);
  for (guint i = 0; i < CYC_SIM_N_STATES; i++)
    if (self->sim_counts[i] > 0)
      cyc_json_writer_put_int (writer, cyc_sim_state_to_string ((CycSimState) i),
                               self->sim_counts[i]);
  cyc_json_writer_end_object (writer);
  cyc_json_writer_put_int (writer, "limit_count", self->limit_count);
  cyc_json_writer_put_boolean (writer, "sample", self->sample);
  cyc_json_writer_put_boolean (writer, "replay", self->replay);
  cyc_json_writer_put_time (writer, "started_at", self->started_at);
  cyc_json_writer_put_time (writer, "finished_at", self->finished_at);
}

/**
 * cyc_sim_metrics_write_json:
 * @self: the totals
 * @writer: where a SimMetrics object is written
 */
void
cyc_sim_metrics_write_json (const CycSimMetrics *self,
                            CycJsonWriter       *writer)
{
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_double (writer, "gpu_tot_sim_cycle", self->gpu_tot_sim_cycle);
  cyc_json_writer_put_double (writer, "gpu_tot_sim_insn", self->gpu_tot_sim_insn);
  cyc_json_writer_put_double (writer, "gpu_tot_ipc", self->gpu_tot_ipc);
  cyc_json_writer_put_double (writer, "sim_rate_ips", self->sim_rate_ips);
  cyc_json_writer_end_object (writer);
}

/**
 * cyc_sim_record_new:
 *
 * Returns: (transfer full): an empty record in state pending, no totals yet
 */
CycSimRecord *
cyc_sim_record_new (void)
{
  CycSimRecord *self = g_new0 (CycSimRecord, 1);
  self->latest = (CycSimMetrics) { NAN, NAN, NAN, NAN };
  self->log_tail = g_new0 (char *, 1);
  return self;
}

/**
 * cyc_sim_record_copy:
 * @self: a record
 *
 * Returns: (transfer full): a copy
 */
CycSimRecord *
cyc_sim_record_copy (const CycSimRecord *self)
{
  CycSimRecord *copy = g_memdup2 (self, sizeof *self);
  copy->id = g_strdup (self->id);
  copy->run_id = g_strdup (self->run_id);
  copy->gpu_config = g_strdup (self->gpu_config);
  copy->error = g_strdup (self->error);
  copy->launcher_ref = g_strdup (self->launcher_ref);
  copy->current_kernel = g_strdup (self->current_kernel);
  copy->log_tail = g_strdupv (self->log_tail);
  copy->outcome = g_strdup (self->outcome);
  copy->reason = g_strdup (self->reason);
  return copy;
}

/**
 * cyc_sim_record_free:
 * @self: (transfer full) (nullable): a record
 */
void
cyc_sim_record_free (CycSimRecord *self)
{
  if (self == NULL)
    return;
  g_free (self->id);
  g_free (self->run_id);
  g_free (self->gpu_config);
  g_free (self->error);
  g_free (self->launcher_ref);
  g_free (self->current_kernel);
  g_strfreev (self->log_tail);
  g_free (self->outcome);
  g_free (self->reason);
  g_free (self);
}

/**
 * cyc_sim_record_is_limited:
 * @self: a record
 *
 * Returns: %TRUE if the simulation succeeded as far as a limit let it: its outcome is `limit`
 */
gboolean
cyc_sim_record_is_limited (const CycSimRecord *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->state == CYC_SIM_SUCCEEDED && g_strcmp0 (self->outcome, "limit") == 0;
}

/**
 * cyc_sim_record_write_json:
 * @self: a record
 * @writer: where a SimSummary object is written
 */
void
cyc_sim_record_write_json (const CycSimRecord *self,
                           CycJsonWriter      *writer)
{
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_string (writer, "id", self->id);
  cyc_json_writer_put_string (writer, "run_id", self->run_id);
  cyc_json_writer_put_string (writer, "gpu_config", self->gpu_config);
  cyc_json_writer_put_int (writer, "replica", self->replica);
  cyc_json_writer_put_string (writer, "state", cyc_sim_state_to_string (self->state));
  cyc_json_writer_put_string (writer, "error", self->error);
  cyc_json_writer_put_string (writer, "launcher_ref", self->launcher_ref);
  cyc_json_writer_put_time (writer, "created_at", self->created_at);
  cyc_json_writer_put_time (writer, "started_at", self->started_at);
  cyc_json_writer_put_time (writer, "finished_at", self->finished_at);
  cyc_json_writer_put_time (writer, "last_heartbeat_at", self->last_heartbeat_at);
  cyc_json_writer_put_int_or_null (writer, "exit_code", self->has_exit_code, self->exit_code);
  cyc_json_writer_put_int (writer, "kernels_done", self->kernels_done);
  cyc_json_writer_put_int (writer, "kernels_total", self->kernels_total);
  cyc_json_writer_put_string (writer, "current_kernel", self->current_kernel);
  cyc_json_writer_key (writer, "latest");
  cyc_sim_metrics_write_json (&self->latest, writer);
  cyc_json_writer_put_strings (writer, "log_tail", (const char *const *) self->log_tail);
  cyc_json_writer_put_string (writer, "outcome", self->outcome);
  cyc_json_writer_put_string (writer, "reason", self->reason);
  cyc_json_writer_end_object (writer);
}

/**
 * cyc_kernel_record_new:
 *
 * Returns: (transfer full): an empty record
 */
CycKernelRecord *
cyc_kernel_record_new (void)
{
  CycKernelRecord *self = g_new0 (CycKernelRecord, 1);
  self->gpu_ipc = NAN;
  self->sim_time_ns = NAN;
  return self;
}

/**
 * cyc_kernel_record_copy:
 * @self: a record
 *
 * Returns: (transfer full): a copy
 */
CycKernelRecord *
cyc_kernel_record_copy (const CycKernelRecord *self)
{
  CycKernelRecord *copy = g_memdup2 (self, sizeof *self);
  copy->sim_id = g_strdup (self->sim_id);
  copy->kernel_name = g_strdup (self->kernel_name);
  return copy;
}

/**
 * cyc_kernel_record_free:
 * @self: (transfer full) (nullable): a record
 */
void
cyc_kernel_record_free (CycKernelRecord *self)
{
  if (self == NULL)
    return;
  g_free (self->sim_id);
  g_free (self->kernel_name);
  g_free (self);
}

/**
 * cyc_kernel_record_write_fields:
 * @self: a record
 * @writer: a writer inside an object, where the fields of KernelStat but `stats` are written
 */
void
cyc_kernel_record_write_fields (const CycKernelRecord *self,
                                CycJsonWriter         *writer)
{
  cyc_json_writer_put_string (writer, "sim_id", self->sim_id);
  cyc_json_writer_put_int (writer, "kernel_index", self->kernel_index);
  cyc_json_writer_put_string (writer, "kernel_name",
                              self->kernel_name == NULL ? "" : self->kernel_name);
  cyc_json_writer_put_int_or_null (writer, "kernel_launch_uid",
                                   self->has_launch_uid, self->kernel_launch_uid);
  cyc_json_writer_put_int_or_null (writer, "gpu_sim_cycle", self->has_cycle, self->gpu_sim_cycle);
  cyc_json_writer_put_int_or_null (writer, "gpu_sim_insn", self->has_insn, self->gpu_sim_insn);
  cyc_json_writer_put_double (writer, "gpu_ipc", self->gpu_ipc);
  cyc_json_writer_put_double (writer, "sim_time_ns", self->sim_time_ns);
  cyc_json_writer_put_boolean (writer, "partial", self->partial);
  cyc_json_writer_put_boolean (writer, "concurrent", self->concurrent);
  cyc_json_writer_key (writer, "stream_id");
  if (self->has_stream_id)
    cyc_json_writer_uint (writer, self->stream_id);
  else
    cyc_json_writer_null (writer);
}

/**
 * cyc_file_record_new:
 *
 * Returns: (transfer full): an empty record
 */
CycFileRecord *
cyc_file_record_new (void)
{
  return g_new0 (CycFileRecord, 1);
}

/**
 * cyc_file_record_free:
 * @self: (transfer full) (nullable): a record
 */
void
cyc_file_record_free (CycFileRecord *self)
{
  if (self == NULL)
    return;
  g_free (self->sim_id);
  g_free (self->gpu_config);
  g_free (self->name);
  g_free (self->content_type);
  g_free (self);
}

/**
 * cyc_file_record_write_json:
 * @self: a record
 * @with_sim: %TRUE for a RunFile, %FALSE for a SimFile
 * @writer: where the object is written
 */
void
cyc_file_record_write_json (const CycFileRecord *self,
                            gboolean             with_sim,
                            CycJsonWriter       *writer)
{
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_string (writer, "name", self->name);
  cyc_json_writer_put_int (writer, "size", (gint64) self->size);
  cyc_json_writer_put_string (writer, "content_type", self->content_type);
  cyc_json_writer_put_time (writer, "created_at", self->created_at);
  if (with_sim)
    {
      cyc_json_writer_put_string (writer, "sim_id", self->sim_id);
      cyc_json_writer_put_string (writer, "gpu_config", self->gpu_config);
      cyc_json_writer_put_int (writer, "replica", self->replica);
    }
  cyc_json_writer_end_object (writer);
}
