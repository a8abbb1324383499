/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/accelsim/cyc-preflight.h"

G_BEGIN_DECLS

/* One look at a trace: what is looked at, and where findings go. */
typedef struct
{
  const CycTraceFolder     *trace;
  const CycPreflightParams *params;
  CycGpuConfig             *config;   /* with the options on top; NULL without a configuration */
  CycFindings              *findings;
} CycPreflight;

void _cyc_preflight_check_files    (CycPreflight *self);
void _cyc_preflight_check_forecast (CycPreflight *self);
void _cyc_preflight_check_config   (CycPreflight *self);
void _cyc_preflight_check_fit      (CycPreflight *self);

G_END_DECLS
