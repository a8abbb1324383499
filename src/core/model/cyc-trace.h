/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib-object.h>

#include "core/model/cyc-records.h"

G_BEGIN_DECLS

#define CYC_TYPE_TRACE (cyc_trace_get_type ())
G_DECLARE_FINAL_TYPE (CycTrace, cyc_trace, CYC, TRACE, GObject)

CycTrace *cyc_trace_new (const CycTraceRecord *record);
const CycTraceRecord *cyc_trace_get_record (CycTrace *self);
void cyc_trace_set_record (CycTrace *self, const CycTraceRecord *record);

G_END_DECLS
