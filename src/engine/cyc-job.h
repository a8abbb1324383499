/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/accelsim/cyc-gpu-configs.h"
#include "core/accelsim/cyc-simulator.h"
#include "engine/cyc-store-rows.h"

G_BEGIN_DECLS

/**
 * CycJobPlan:
 * @trace_folder: the trace's folder in the workspace
 * @list_text: the cleaned kernels list
 * @kernel_files: absolute paths of the listed kernel files
 * @configs: the GPU configurations
 * @simulator: (nullable): the installation, for the local launcher
 * @replay: whether recorded logs are played
 *
 * How the sims of one run are started: read once, on a thread, then never changed.
 */
typedef struct
{
  gatomicrefcount ref_count;
  char          *trace_folder;
  char          *list_text;
  GStrv          kernel_files;
  CycGpuConfigs *configs;
  CycSimulator  *simulator;
  gboolean       replay;
} CycJobPlan;

CycJobPlan  *cyc_job_plan_new      (const char        *trace_folder);
CycJobPlan  *cyc_job_plan_ref      (CycJobPlan        *self);
void         cyc_job_plan_unref    (CycJobPlan        *self);
char        *cyc_job_find_recorded (const char        *trace_folder,
                                    const char        *gpu_config);
gboolean     cyc_job_write         (const CycJobPlan  *plan,
                                    const char *const *options,
                                    const CycSimRow   *sim,
                                    const char        *workspace,
                                    const char        *workspace_id,
                                    const char        *url,
                                    char             **out_path,
                                    GError           **error);
GSubprocess *cyc_job_spawn         (const char        *job_path,
                                    GError           **error);
gboolean     cyc_job_read_worker   (const char        *job_folder,
                                    gint64            *out_pid,
                                    guint64           *out_start,
                                    gint64            *out_sim_pid,
                                    guint64           *out_sim_start);
gint64       cyc_job_find_worker   (const char        *job_path);
gint64       cyc_job_find_simulator (const char       *sim_id);
gboolean     cyc_job_check_recorded (const char       *trace_folder,
                                    const char        *gpu_config,
                                    GError           **error);
gboolean     cyc_job_read_exit     (const char        *job_folder,
                                    int               *out_exit_code);
void         cyc_job_read_times    (const char        *job_folder,
                                    gint64            *out_started_at,
                                    gint64            *out_finished_at);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycJobPlan, cyc_job_plan_unref)

G_END_DECLS
