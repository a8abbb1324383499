/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/accelsim/cyc-sim-log.h"

G_BEGIN_DECLS

/**
 * CycSimEvidenceSource:
 * @CYC_SIM_EVIDENCE_NONE: there is no line to show
 * @CYC_SIM_EVIDENCE_LOG: a line of the log
 * @CYC_SIM_EVIDENCE_LAST_LINE: no line tells why; this is the last one of the log
 * @CYC_SIM_EVIDENCE_STDERR: a line of what the simulator wrote to stderr
 */
typedef enum
{
  CYC_SIM_EVIDENCE_NONE,
  CYC_SIM_EVIDENCE_LOG,
  CYC_SIM_EVIDENCE_LAST_LINE,
  CYC_SIM_EVIDENCE_STDERR,
} CycSimEvidenceSource;

/**
 * CycSimOutcome:
 * @outcome: `succeeded`, `failed`, `limit` or `incomplete`; a constant
 * @reason: a stable code, such as `ok` or `deadlock`; a constant
 * @message: what happened and what to do, in sentences
 * @source: where the line stands that the outcome goes by
 * @place: the line
 *
 * How a simulation ended.
 */
typedef struct
{
  const char *outcome;
  const char *reason;
  char       *message;
  CycSimEvidenceSource source;
  CycSimPlace place;
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
