/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/accelsim/cyc-sim-outcome.h"

G_BEGIN_DECLS

/* Everything that is known about an end. */
typedef struct
{
  const CycSimLogSummary *log;
  const char             *err;        /* the end of stderr, valid UTF-8 */
  gboolean                has_status;
  int                     status;     /* of an exit, 0 after a signal */
  int                     signal;     /* 0 if none */
  gint64                  listed;     /* -1 if unknown */
  const char             *kernel;     /* " in kernel NAME (trace FILE)" or "" */
} CycSimEnd;

/* Looks at an end; NULL if this rule has nothing to say about it. */
typedef CycSimOutcome *(*CycSimRule) (const CycSimEnd *end);

CycSimOutcome *cyc_sim_outcome_new          (const char      *outcome,
                                             const char      *reason,
                                             const char      *format,
                                             ...) G_GNUC_PRINTF (3, 4);
CycSimOutcome *cyc_sim_outcome_new_failed   (const char      *reason,
                                             const char      *format,
                                             ...) G_GNUC_PRINTF (2, 3);
char          *cyc_sim_end_describe_status  (const CycSimEnd *end);
char          *cyc_sim_end_dup_line_with    (const CycSimEnd *end,
                                             const char      *what,
                                             CycSimEvidenceSource *out_source,
                                             CycSimPlace     *out_place);
CycSimOutcome *cyc_sim_outcome_mark         (CycSimOutcome   *self,
                                             const CycSimEnd *end,
                                             CycSimMark       mark);
CycSimOutcome *cyc_sim_outcome_set_place    (CycSimOutcome   *self,
                                             CycSimEvidenceSource source,
                                             const CycSimPlace *place);

CycSimOutcome *cyc_sim_outcome_from_log     (const CycSimEnd *end);
CycSimOutcome *cyc_sim_outcome_from_stderr  (const CycSimEnd *end);
CycSimOutcome *cyc_sim_outcome_from_status  (const CycSimEnd *end);

const char    *cyc_sim_end_kernels (const CycSimEnd *end);

G_END_DECLS
