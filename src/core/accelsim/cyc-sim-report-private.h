/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/accelsim/cyc-sim-report.h"
#include "core/accelsim/cyc-sim-stats.h"

G_BEGIN_DECLS

/* A kernel as it is told of. */
typedef struct
{
  const CycSimBlock *block;
  CycSimStats       *stats; /* NULL unless all counters are wanted */
} CycSimReportKernel;

void cyc_sim_report_kernel_write_json (const CycSimReportKernel *kernel,
                                       CycJsonWriter            *writer);
void cyc_sim_report_kernel_append_csv (const CycSimReportKernel *kernel,
                                       GString                  *out);

G_END_DECLS
