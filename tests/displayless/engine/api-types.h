/* SPDX-License-Identifier: MIT */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* The types of the simulation service, as its documentation lists them: field after field with its kind.
 * s text, i integer, f number, b boolean, t time, l list, o object; a capital may be null. */
typedef struct
{
  const char *name;
  const char *fields;
} ApiType;

extern const ApiType api_trace_summary, api_trace_detail, api_launch, api_gpu_config, api_run_summary,
  api_run_detail, api_sim_summary, api_sim_metrics, api_kernel_stat, api_comparison, api_comparison_row,
  api_sim_results, api_run_results, api_sim_file, api_run_file, api_run_entry;

void api_type_check (const ApiType *type,
                     JsonObject    *object);

G_END_DECLS
