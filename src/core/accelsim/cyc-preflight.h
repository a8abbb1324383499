/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/accelsim/cyc-gpu-config.h"
#include "core/accelsim/cyc-simulator.h"
#include "core/accelsim/cyc-trace-folder.h"

G_BEGIN_DECLS

/* What a trace is looked at for. Everything may be NULL or FALSE. */
typedef struct
{
  const CycGpuConfig *config;
  const CycSimulator *simulator;
  const char *const  *options;     /* "-name value" texts that come after the configuration */
  gboolean            force_arch;  /* another architecture is a warning, not an error */
  gboolean            replay;      /* a recorded log is played: nothing reads the instructions */
  const char         *work_folder; /* where logs will be written, for the space forecast */
  gboolean            heads_only;  /* of kernel files there is only the beginning: ends do not count */
  GCancellable       *cancellable; /* once cancelled, no more files are read: not all is found */
} CycPreflightParams;

CycFindings *cyc_preflight_check      (const CycTraceFolder      *trace,
                                       const CycPreflightParams  *params);
CycFindings *cyc_preflight_check_path (const char                *path,
                                       const CycPreflightParams  *params,
                                       GError                   **error);

G_END_DECLS
