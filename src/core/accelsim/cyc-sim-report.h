/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/accelsim/cyc-sim-outcome.h"
#include "core/base/cyc-json-writer.h"

G_BEGIN_DECLS

typedef enum
{
  CYC_SIM_REPORT_JSON,
  CYC_SIM_REPORT_CSV,
} CycSimReportFormat;

/**
 * CycSimReportParams:
 * @log_path: the log, plain or packed (`.gz`, `.xz`)
 * @stderr_path: (nullable): what the simulator wrote to stderr; %NULL is taken for nothing
 * @has_exit: whether @exit_code is known
 * @exit_code: the exit status, or a signal as a negative number
 * @listed_kernels: kernels in the kernels list, or -1 if that is not known
 * @full: add every counter of every block, as printed
 * @per_kernel: add what each kernel added to every counter
 * @format: what to write
 *
 * What is to be told of a log. Owned by the caller.
 */
typedef struct
{
  const char         *log_path;
  const char         *stderr_path;
  gboolean            has_exit;
  int                 exit_code;
  gint64              listed_kernels;
  gboolean            full;
  gboolean            per_kernel;
  CycSimReportFormat  format;
} CycSimReportParams;

/**
 * CycSimReportResult:
 * @outcome: how the simulation ended
 * @warning: (nullable): what was wrong with a packed log whose end was reached early, or that there is more than one
 *   log in the file
 * @left_out: blocks or counters that were too large to be kept
 *
 * What is worth knowing beside the document. Free with cyc_sim_report_result_clear().
 */
typedef struct
{
  CycSimOutcome *outcome;
  char          *warning;
  guint64        left_out;
} CycSimReportResult;

gboolean cyc_sim_report_write        (const CycSimReportParams *params,
                                      CycJsonSink               sink,
                                      gpointer                  user_data,
                                      CycSimReportResult       *out_result,
                                      GError                  **error);
void     cyc_sim_report_result_clear (CycSimReportResult       *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CycSimReportResult, cyc_sim_report_result_clear)

G_END_DECLS
