/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/model/cyc-records-read.h"

#include <math.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-json.h"
#include "core/base/cyc-name.h"
#include "core/base/cyc-time.h"

/* What comes from another machine may be anything: ids and states must be what they should, all else that is
 * missing or of another type counts as null. */

static gboolean
refuse (GError     **error,
        const char  *member,
        const char  *expected)
{
  cyc_error_set_at (error, CYC_ERROR_INPUT, NULL, 0, "the engine's answer: %s: expected %s", member, expected);
  return FALSE;
}

static gboolean
read_id (JsonObject  *object,
         const char  *member,
         char       **out_id,
         GError     **error)
{
  const char *id = cyc_json_get_string (object, member);

  if (id == NULL || !cyc_name_is_plain (id))
    return refuse (error, member, "an id");
  *out_id = g_strdup (id);
  return TRUE;
}

static char *
dup_text (JsonObject *object,
          const char *member)
{
  return g_strdup (cyc_json_get_string (object, member));
}

static gint64
get_int (JsonObject *object,
         const char *member,
         gint64      fallback)
{
  gint64 value;

  return cyc_json_get_int (object, member, &value) ? value : fallback;
}

static guint
get_count (JsonObject *object,
           const char *member)
{
  return (guint) CLAMP (get_int (object, member, 0), 0, G_MAXINT);
}

static double
get_number (JsonObject *object,
            const char *member)
{
  double value;

  return cyc_json_get_double (object, member, &value) ? value : NAN;
}

static gboolean
get_flag (JsonObject *object,
          const char *member)
{
  gboolean value = FALSE;

  cyc_json_get_boolean (object, member, &value);
  return value;
}

static gint64
get_time (JsonObject *object,
          const char *member)
{
  const char *text = cyc_json_get_string (object, member);
  gint64 value;

  return text != NULL && cyc_time_from_iso (text, &value) ? value : 0;
}

static void
read_triple (JsonObject *object,
             const char *member,
             guint64     values[3])
{
  JsonArray *array = cyc_json_get_array (object, member);

  for (guint i = 0; array != NULL && i < 3 && i < json_array_get_length (array); i++)
    {
      JsonNode *node = json_array_get_element (array, i);
      if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_INT64)
        values[i] = (guint64) MAX (json_node_get_int (node), 0);
    }
}

/**
 * cyc_launch_record_read:
 * @object: (nullable): a KernelLaunch
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): the record
 */
CycLaunchRecord *
cyc_launch_record_read (JsonObject  *object,
                        GError     **error)
{
  if (object == NULL || !json_object_has_member (object, "kernel_id"))
    {
      refuse (error, "kernels", "a list of KernelLaunch");
      return NULL;
    }
  CycLaunchRecord *self = cyc_launch_record_new ();
  self->kernel_id = get_int (object, "kernel_id", 0);
  self->name = dup_text (object, "name");
  read_triple (object, "grid", self->grid);
  read_triple (object, "block", self->block);
  self->instructions = get_int (object, "instructions", -1);
  return self;
}

/**
 * cyc_trace_record_read:
 * @object: (nullable): a TraceSummary, or a TraceDetail
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): the record
 */
CycTraceRecord *
cyc_trace_record_read (JsonObject  *object,
                       GError     **error)
{
  g_autoptr (CycTraceRecord) self = cyc_trace_record_new ();
  const char *state = cyc_json_get_string (object, "state");

  if (!read_id (object, "id", &self->id, error))
    return NULL;
  if (state == NULL || !cyc_trace_state_from_string (state, &self->state))
    {
      refuse (error, "state", "that of a trace");
      return NULL;
    }
  self->error = dup_text (object, "error");
  self->created_at = get_time (object, "created_at");
  self->updated_at = get_time (object, "updated_at");
  self->model = dup_text (object, "model");
  g_strfreev (self->layers);
  self->layers = cyc_json_dup_strings (cyc_json_get_array (object, "layers"));
  self->source_gpu = dup_text (object, "source_gpu");
  g_free (self->trace_gpu_arch);
  self->trace_gpu_arch = dup_text (object, "trace_gpu_arch");
  /* Who does not know the flag is told something that it can use. */
  gboolean known = TRUE;
  if (cyc_json_get_boolean (object, "trace_gpu_arch_known", &known) && !known)
    g_clear_pointer (&self->trace_gpu_arch, g_free);
  self->suggested_sim_config = dup_text (object, "suggested_sim_config");
  self->real_gpu_config = dup_text (object, "real_gpu_config");
  g_strfreev (self->sample_sim_configs);
  self->sample_sim_configs = cyc_json_dup_strings (cyc_json_get_array (object, "sample_sim_configs"));
  self->sample_set = dup_text (object, "sample_set");
  self->kernel_count = get_int (object, "kernel_count", 0);
  self->bytes = get_int (object, "bytes", 0);
  self->has_real_timing = get_flag (object, "has_real_timing");
  self->has_step_timeline = get_flag (object, "has_step_timeline");
  self->sample = get_flag (object, "sample");
  return g_steal_pointer (&self);
}

static void
read_entries (CycRunRecord *self,
              JsonArray    *entries)
{
  for (guint i = 0; entries != NULL && i < json_array_get_length (entries); i++)
    {
      JsonObject *entry = cyc_json_node_get_object (json_array_get_element (entries, i));
      const char *config = cyc_json_get_string (entry, "gpu_config");
      if (config != NULL)
        g_ptr_array_add (self->entries, cyc_run_entry_new (config, get_count (entry, "count")));
    }
}

/**
 * cyc_run_record_read:
 * @object: (nullable): a RunSummary, or a RunDetail
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): the record
 */
CycRunRecord *
cyc_run_record_read (JsonObject  *object,
                     GError     **error)
{
  g_autoptr (CycRunRecord) self = cyc_run_record_new ();
  JsonObject *counts = cyc_json_get_object (object, "sim_counts");

  if (!read_id (object, "id", &self->id, error) || !read_id (object, "trace_id", &self->trace_id, error))
    return NULL;
  if (counts == NULL)
    {
      refuse (error, "sim_counts", "an object");
      return NULL;
    }
  self->created_at = get_time (object, "created_at");
  read_entries (self, cyc_json_get_array (object, "entries"));
  for (guint i = 0; i < CYC_SIM_N_STATES; i++)
    self->sim_counts[i] = get_count (counts, cyc_sim_state_to_string ((CycSimState) i));
  self->limit_count = get_count (object, "limit_count");
  self->sample = get_flag (object, "sample");
  self->replay = get_flag (object, "replay");
  self->started_at = get_time (object, "started_at");
  self->finished_at = get_time (object, "finished_at");
  return g_steal_pointer (&self);
}

static void
read_progress (CycSimRecord *self,
               JsonObject   *object)
{
  JsonObject *latest = cyc_json_get_object (object, "latest");

  self->kernels_done = get_count (object, "kernels_done");
  self->kernels_total = get_count (object, "kernels_total");
  self->current_kernel = dup_text (object, "current_kernel");
  self->latest.gpu_tot_sim_cycle = get_number (latest, "gpu_tot_sim_cycle");
  self->latest.gpu_tot_sim_insn = get_number (latest, "gpu_tot_sim_insn");
  self->latest.gpu_tot_ipc = get_number (latest, "gpu_tot_ipc");
  self->latest.sim_rate_ips = get_number (latest, "sim_rate_ips");
  g_strfreev (self->log_tail);
  self->log_tail = cyc_json_dup_strings (cyc_json_get_array (object, "log_tail"));
  self->outcome = dup_text (object, "outcome");
  self->reason = dup_text (object, "reason");
}

/**
 * cyc_sim_record_read:
 * @object: (nullable): a SimSummary
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): the record
 */
CycSimRecord *
cyc_sim_record_read (JsonObject  *object,
                     GError     **error)
{
  g_autoptr (CycSimRecord) self = cyc_sim_record_new ();
  const char *state = cyc_json_get_string (object, "state");
  gint64 exit_code;

  if (!read_id (object, "id", &self->id, error) || !read_id (object, "run_id", &self->run_id, error))
    return NULL;
  if (state == NULL || !cyc_sim_state_from_string (state, &self->state))
    {
      refuse (error, "state", "that of a simulation");
      return NULL;
    }
  self->gpu_config = dup_text (object, "gpu_config");
  if (self->gpu_config == NULL)
    {
      refuse (error, "gpu_config", "the name of a configuration");
      return NULL;
    }
  self->replica = get_count (object, "replica");
  self->error = dup_text (object, "error");
  self->launcher_ref = dup_text (object, "launcher_ref");
  self->created_at = get_time (object, "created_at");
  self->started_at = get_time (object, "started_at");
  self->finished_at = get_time (object, "finished_at");
  self->last_heartbeat_at = get_time (object, "last_heartbeat_at");
  self->has_exit_code = cyc_json_get_int (object, "exit_code", &exit_code);
  if (self->has_exit_code)
    self->exit_code = (int) CLAMP (exit_code, G_MININT, G_MAXINT);
  read_progress (self, object);
  return g_steal_pointer (&self);
}

/**
 * cyc_kernel_record_read:
 * @object: (nullable): a KernelStat; `stats` are not looked at
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): the record, with the block's place in the log if that is told
 */
CycKernelRecord *
cyc_kernel_record_read (JsonObject  *object,
                        GError     **error)
{
  g_autoptr (CycKernelRecord) self = cyc_kernel_record_new ();
  gint64 stream;

  if (!read_id (object, "sim_id", &self->sim_id, error))
    return NULL;
  if (get_int (object, "kernel_index", -1) < 0)
    {
      refuse (error, "kernel_index", "a number from 0 on");
      return NULL;
    }
  self->kernel_index = get_count (object, "kernel_index");
  self->kernel_name = dup_text (object, "kernel_name");
  self->has_launch_uid = cyc_json_get_int (object, "kernel_launch_uid", &self->kernel_launch_uid);
  self->has_cycle = cyc_json_get_int (object, "gpu_sim_cycle", &self->gpu_sim_cycle);
  self->has_insn = cyc_json_get_int (object, "gpu_sim_insn", &self->gpu_sim_insn);
  self->gpu_ipc = get_number (object, "gpu_ipc");
  self->sim_time_ns = get_number (object, "sim_time_ns");
  self->partial = get_flag (object, "partial");
  self->concurrent = get_flag (object, "concurrent");
  self->has_stream_id = cyc_json_get_int (object, "stream_id", &stream);
  if (self->has_stream_id)
    self->stream_id = (guint64) stream;
  self->log_offset = (guint64) MAX (get_int (object, "log_offset", 0), 0);
  self->log_length = (guint64) MAX (get_int (object, "log_length", 0), 0);
  return g_steal_pointer (&self);
}

/**
 * cyc_file_record_read:
 * @object: (nullable): a RunFile
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): the record
 */
CycFileRecord *
cyc_file_record_read (JsonObject  *object,
                      GError     **error)
{
  g_autoptr (CycFileRecord) self = cyc_file_record_new ();
  const char *name = cyc_json_get_string (object, "name");

  if (!read_id (object, "sim_id", &self->sim_id, error))
    return NULL;
  if (name == NULL || !cyc_name_is_output_file (name))
    {
      refuse (error, "name", "that of a file");
      return NULL;
    }
  self->name = g_strdup (name);
  self->gpu_config = dup_text (object, "gpu_config");
  self->replica = get_count (object, "replica");
  self->size = (guint64) MAX (get_int (object, "size", 0), 0);
  self->content_type = dup_text (object, "content_type");
  self->created_at = get_time (object, "created_at");
  return g_steal_pointer (&self);
}

/**
 * cyc_records_read_list:
 * @array: (nullable): a list of objects
 * @read: reads one
 * @free_record: frees one
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): the records, in order; %NULL with @error if one of them is wrong
 */
GPtrArray *
cyc_records_read_list (JsonArray          *array,
                       CycRecordReadFunc   read,
                       GDestroyNotify      free_record,
                       GError            **error)
{
  g_return_val_if_fail (read != NULL && free_record != NULL, NULL);

  if (array == NULL)
    {
      refuse (error, "the body", "a list");
      return NULL;
    }
  g_autoptr (GPtrArray) records = g_ptr_array_new_full (json_array_get_length (array), free_record);
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      gpointer record = read (cyc_json_node_get_object (json_array_get_element (array, i)), error);
      if (record == NULL)
        return NULL;
      g_ptr_array_add (records, record);
    }
  return g_steal_pointer (&records);
}
