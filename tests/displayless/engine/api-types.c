/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "api-types.h"

#include <string.h>

#define TRACE                                                                                      \
  "s id, s state, S error, t created_at, t updated_at, S model, l layers, S source_gpu,"              \
  " s trace_gpu_arch, b trace_gpu_arch_known, S suggested_sim_config, S real_gpu_config,"             \
  " l sample_sim_configs, S sample_set,"                                                              \
  " i kernel_count, i bytes, b has_real_timing, b has_step_timeline, b sample"
#define RUN                                                                                        \
  "s id, s trace_id, t created_at, s state, l entries, o sim_counts, i limit_count, b sample, b replay,"  \
  " T started_at, T finished_at"
#define FILE_FIELDS "s name, i size, s content_type, t created_at"

const ApiType api_trace_summary = { "TraceSummary", TRACE };
const ApiType api_trace_detail = { "TraceDetail", TRACE ", O metadata, l kernels" };
const ApiType api_launch = { "KernelLaunch", "i kernel_id, s name, l grid, l block, I instructions" };
const ApiType api_gpu_config = { "GpuConfig", "s name, s arch, f core_clock_mhz" };
const ApiType api_run_entry = { "RunEntry", "s gpu_config, i count" };
const ApiType api_run_summary = { "RunSummary", RUN };
const ApiType api_run_detail = { "RunDetail", RUN ", o trace, l sims" };
const ApiType api_sim_summary = {
  "SimSummary",
  "s id, s run_id, s gpu_config, i replica, s state, S error, S launcher_ref, t created_at, T started_at,"
  " T finished_at, T last_heartbeat_at, I exit_code, i kernels_done, i kernels_total, S current_kernel,"
  " o latest, l log_tail, S outcome, S reason"
};
const ApiType api_sim_metrics = {
  "SimMetrics", "F gpu_tot_sim_cycle, F gpu_tot_sim_insn, F gpu_tot_ipc, F sim_rate_ips"
};
const ApiType api_kernel_stat = {
  "KernelStat",
  "s sim_id, i kernel_index, s kernel_name, I kernel_launch_uid, I gpu_sim_cycle, I gpu_sim_insn,"
  " F gpu_ipc, F sim_time_ns, o stats, b partial, I stream_id, b concurrent"
};
const ApiType api_comparison = { "Comparison", "b has_real_timing, l configs, l rows" };
const ApiType api_comparison_row = {
  "ComparisonRow", "i kernel_index, s kernel_name, F real_ns, o sim_ns"
};
const ApiType api_sim_results = {
  "SimResults", "o sim, s trace_id, o gpu_config, l kernels, o totals"
};
const ApiType api_run_results = { "RunResults", "o run, o trace, l sims, o comparison" };
const ApiType api_sim_file = { "SimFile", FILE_FIELDS };
const ApiType api_run_file = { "RunFile", FILE_FIELDS ", s sim_id, s gpu_config, i replica" };

static gboolean
is_time (const char *text)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_iso8601 (text, NULL);

  return time != NULL && g_str_has_suffix (text, "Z");
}

static gboolean
is_of_kind (JsonNode *node,
            char      kind)
{
  if (JSON_NODE_HOLDS_NULL (node))
    return g_ascii_isupper (kind);
  GType value = JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node) : G_TYPE_INVALID;
  switch (g_ascii_tolower (kind))
    {
    case 's':
      return value == G_TYPE_STRING;
    case 't':
      return value == G_TYPE_STRING && is_time (json_node_get_string (node));
    case 'i':
      return value == G_TYPE_INT64;
    case 'f':
      return value == G_TYPE_INT64 || value == G_TYPE_DOUBLE;
    case 'b':
      return value == G_TYPE_BOOLEAN;
    case 'l':
      return JSON_NODE_HOLDS_ARRAY (node);
    case 'o':
      return JSON_NODE_HOLDS_OBJECT (node);
    default:
      return FALSE;
    }
}

/* Every field is there, and of its kind. */
void
api_type_check (const ApiType *type,
                JsonObject    *object)
{
  g_auto (GStrv) fields = g_strsplit (type->fields, ", ", -1);

  for (guint i = 0; fields[i] != NULL; i++)
    {
      JsonNode *node = json_object_get_member (object, fields[i] + 2);
      if (node == NULL)
        g_error ("%s.%s is missing", type->name, fields[i] + 2);
      if (!is_of_kind (node, fields[i][0]))
        {
          g_autofree char *text = json_to_string (node, FALSE);
          g_error ("%s.%s is not of kind %c: %s", type->name, fields[i] + 2, fields[i][0], text);
        }
    }
}
