/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/cyc-engine.h"
#include "engine/cyc-job.h"
#include "engine/cyc-workspace-data.h"

G_BEGIN_DECLS

/**
 * CycRunPlan:
 * @job: how sims are started
 * @simulator_name: (nullable): name of the installation in the settings
 */
typedef struct
{
  CycJobPlan *job;
  char       *simulator_name;
} CycRunPlan;

/**
 * CycRunPlanMode:
 * @CYC_RUN_PLAN_CHECK: a new run: everything that can be foreseen to fail is an error
 * @CYC_RUN_PLAN_AGAIN: a run that was accepted before
 */
typedef enum
{
  CYC_RUN_PLAN_CHECK,
  CYC_RUN_PLAN_AGAIN,
} CycRunPlanMode;

/* @plan is NULL if @error is set; the receiver may steal plan->job. */
typedef void (*CycRunPlanFunc) (CycRunPlan *plan,
                                GError     *error,
                                gpointer    user_data);

void cyc_run_plan_make (CycEngine           *engine,
                        const CycRunRequest *request,
                        CycRunPlanMode       mode,
                        CycRunPlanFunc       func,
                        gpointer             user_data);

GPtrArray *cyc_run_plan_check (CycEngine            *engine,
                               const CycRunRequest  *request,
                               GCancellable         *cancellable,
                               GError              **error);

G_END_DECLS
