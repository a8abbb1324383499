/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/accelsim/cyc-sim-log.h"

G_BEGIN_DECLS

/**
 * CycSimOutcome:
 * @outcome: `succeeded`, `failed`, `limit` or `incomplete`; a constant
 * @reason: a stable code, such as `ok` or `deadlock`; a constant
 * @message: what happened and what to do, in sentences
 *
 * How a simulation ended.
 */
typedef struct
{
  const char *outcome;
  const char *reason;
  char       *message;
} CycSimOutcome;

CycSimOutcome *cyc_sim_outcome_decide (const CycSimLogSummary *log,
                                       const char             *stderr_text,
                                       gsize                   stderr_len,
                                       gboolean                has_exit,
                                       int                     exit_code,
                                       gint64                  listed_kernels);
void           cyc_sim_outcome_free   (CycSimOutcome          *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycSimOutcome, cyc_sim_outcome_free)

G_END_DECLS
