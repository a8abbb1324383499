/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/cyc-json-writer.h"
#include "core/model/cyc-records.h"
#include "engine/cyc-workspace-data.h"

G_BEGIN_DECLS

/* What a run has left, as data that a thread can read: a snapshot of records and places of logs. */
typedef struct
{
  CycSimRecord       *sim;
  CycGpuConfigRecord *config;
  GPtrArray          *kernels;   /* of CycKernelRecord */
  char               *log_path;
} CycSimResult;

typedef struct
{
  CycRunRecord   *run;
  CycTraceRecord *trace;         /* NULL if it is gone */
  char           *metadata;      /* JSON text or NULL */
  GPtrArray      *launches;      /* of CycLaunchRecord */
  char           *timing_path;   /* of real_timing.json, whether it exists or not */
  GPtrArray      *sims;          /* of CycSimResult, by configuration and replica */
} CycResults;

CycResults *cyc_results_new              (void);
void        cyc_results_free             (CycResults        *self);
void        cyc_results_add_sim          (CycResults        *self,
                                          const CycSimRecord *sim,
                                          const CycGpuConfigRecord *config,
                                          GPtrArray         *kernels,
                                          const char        *log_path);
CycComparison *cyc_results_compare       (const CycResults  *self,
                                          const char        *counter,
                                          GCancellable      *cancellable,
                                          GError           **error);
void        cyc_results_write_comparison (const CycResults  *self,
                                          CycJsonWriter     *writer);
gboolean    cyc_results_write_kernel     (const CycKernelRecord *kernel,
                                          const char        *log_path,
                                          CycJsonWriter     *writer,
                                          GError           **error);
gboolean    cyc_results_write            (const CycResults  *self,
                                          CycJsonWriter     *writer,
                                          GError           **error);
void        cyc_results_write_chrome     (const CycResults  *self,
                                          CycJsonWriter     *writer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycResults, cyc_results_free)

G_END_DECLS
