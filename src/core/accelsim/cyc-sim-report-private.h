/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/accelsim/cyc-counter-values.h"
#include "core/accelsim/cyc-sim-report.h"
#include "core/accelsim/cyc-sim-tables.h"

G_BEGIN_DECLS

/* A kernel as it is told of. */
typedef struct
{
  const CycSimBlock *block;
  CycSimStats       *stats;  /* NULL unless all counters are wanted */
  GPtrArray         *tables; /* of CycSimTable, with the counters */
  const CycKernelValues *values; /* NULL unless each kernel's share is wanted */
  GHashTable        *options; /* name -> value */
} CycSimReportKernel;

void cyc_sim_report_kernel_write_json (const CycSimReportKernel *kernel,
                                       CycJsonWriter            *writer);
void cyc_sim_report_kernel_append_csv (const CycSimReportKernel *kernel,
                                       GString                  *out);
void cyc_sim_report_values_write_json (const CycKernelValues    *values,
                                       GHashTable               *options,
                                       CycJsonWriter            *writer);
void cyc_sim_report_values_append_csv (const CycKernelValues    *values,
                                       GHashTable               *options,
                                       const char               *start,
                                       GString                  *out);

G_END_DECLS
