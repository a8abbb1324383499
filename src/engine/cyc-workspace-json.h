/* SPDX-License-Identifier: MIT */
#pragma once

#include <json-glib/json-glib.h>

#include "core/base/cyc-json-writer.h"
#include "engine/cyc-workspace.h"

G_BEGIN_DECLS

/* What a CycWorkspace takes and gives, as JSON: how it travels between a window and an engine on another
 * machine. Each write has its read; what a read cannot believe is a %CYC_ERROR_INPUT. */

CycFindings          *cyc_findings_read_json            (JsonArray                   *array);

void                  cyc_workspace_settings_write_json (const CycWorkspaceSettings  *self,
                                                         CycJsonWriter               *writer);
CycWorkspaceSettings *cyc_workspace_settings_read_json  (JsonObject                  *object,
                                                         GError                     **error);

void                  cyc_option_dump_write_json        (const CycOptionDump         *self,
                                                         CycJsonWriter               *writer);
CycOptionDump        *cyc_option_dump_read_json         (JsonObject                  *object,
                                                         GError                     **error);

void                  cyc_gpu_configs_write_all_json    (const CycGpuConfigs         *self,
                                                         CycJsonWriter               *writer);
CycGpuConfigs        *cyc_gpu_configs_read_json         (JsonObject                  *object,
                                                         GError                     **error);

void                  cyc_run_request_write_json        (const CycRunRequest         *self,
                                                         CycJsonWriter               *writer);

void                  cyc_run_checks_write_json         (GPtrArray                   *checks,
                                                         CycJsonWriter               *writer);
GPtrArray            *cyc_run_checks_read_json          (JsonArray                   *array,
                                                         GError                     **error);

void                  cyc_counter_table_write_json      (const CycCounterTable       *self,
                                                         CycJsonWriter               *writer);
CycCounterTable      *cyc_counter_table_read_json       (JsonObject                  *object,
                                                         guint                        first,
                                                         GError                     **error);

void                  cyc_comparison_write_json         (const CycComparison         *self,
                                                         CycJsonWriter               *writer);
CycComparison        *cyc_comparison_read_json          (JsonObject                  *object,
                                                         GError                     **error);

void                  cyc_failure_line_write_json       (const CycFailureLine        *self,
                                                         CycJsonWriter               *writer);
CycFailureLine       *cyc_failure_line_read_json        (JsonObject                  *object,
                                                         GError                     **error);

G_END_DECLS
