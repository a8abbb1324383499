/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/accelsim/cyc-finding.h"
#include "core/model/cyc-records.h"

G_BEGIN_DECLS

#define CYC_TRACE_DEFAULT_ARCH "sm_90"

gboolean cyc_trace_metadata_parse (const char      *text,
                                   gsize            len,
                                   const char      *source,
                                   CycTraceRecord  *record,
                                   char           **out_run_name,
                                   CycFindings     *findings);

G_END_DECLS
