/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/cyc-records.h"

G_BEGIN_DECLS

/**
 * CycSimEstimateKind:
 * @CYC_SIM_ESTIMATE_NONE: nothing to go by
 * @CYC_SIM_ESTIMATE_INSTRUCTIONS: by the instructions of the trace's kernels
 * @CYC_SIM_ESTIMATE_KERNELS: by the number of kernels, as if all were alike
 * @CYC_SIM_ESTIMATE_EARLIER: by what an earlier simulation of the same took
 *
 * How the time left was estimated.
 */
typedef enum
{
  CYC_SIM_ESTIMATE_NONE,
  CYC_SIM_ESTIMATE_INSTRUCTIONS,
  CYC_SIM_ESTIMATE_KERNELS,
  CYC_SIM_ESTIMATE_EARLIER,
} CycSimEstimateKind;

/**
 * CycSimEstimate:
 * @kind: how it was estimated
 * @left: microseconds to the end; -1 without an estimate
 * @fraction: how much is done, 0 to 1; NaN without an estimate
 */
typedef struct
{
  CycSimEstimateKind kind;
  gint64             left;
  double             fraction;
} CycSimEstimate;

GArray *cyc_sim_estimate_sum_launches (GPtrArray          *launches);
void    cyc_sim_estimate_make         (CycSimEstimate     *self,
                                       const CycSimRecord *sim,
                                       GArray             *sums,
                                       gint64              now);
void    cyc_sim_estimate_by_earlier   (CycSimEstimate     *self,
                                       const CycSimRecord *sim,
                                       gint64              took,
                                       gint64              now);
char   *cyc_sim_estimate_explain      (const CycSimEstimate *self,
                                       const CycSimRecord   *sim);

G_END_DECLS
