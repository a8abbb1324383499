/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/cyc-record-item.h"
#include "core/model/cyc-records.h"

G_BEGIN_DECLS

#define CYC_TYPE_TRACE (cyc_trace_get_type ())
G_DECLARE_FINAL_TYPE (CycTrace, cyc_trace, CYC, TRACE, CycRecordItem)

CycTrace *cyc_trace_new (const CycTraceRecord *record);
const CycTraceRecord *cyc_trace_get_record (CycTrace *self);

G_END_DECLS
