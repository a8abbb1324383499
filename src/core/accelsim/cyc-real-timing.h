/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/accelsim/cyc-finding.h"

G_BEGIN_DECLS

typedef struct
{
  char   *name;
  double  duration_ns; /* NaN if the entry has no usable one */
} CycRealKernel;

/* real_timing.json: what the kernels took on the hardware, in launch order. */
typedef struct
{
  GPtrArray *kernels;  /* of CycRealKernel */
} CycRealTiming;

CycRealTiming *cyc_real_timing_parse (const char     *text,
                                      gsize           len,
                                      const char     *source,
                                      CycFindings    *findings,
                                      GError        **error);
CycRealTiming *cyc_real_timing_load  (const char     *path,
                                      CycFindings    *findings,
                                      GError        **error);
void           cyc_real_timing_free  (CycRealTiming  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycRealTiming, cyc_real_timing_free)

G_END_DECLS
