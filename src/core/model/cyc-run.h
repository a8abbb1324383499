/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/cyc-record-item.h"
#include "core/model/cyc-records.h"

G_BEGIN_DECLS

#define CYC_TYPE_RUN (cyc_run_get_type ())
G_DECLARE_FINAL_TYPE (CycRun, cyc_run, CYC, RUN, CycRecordItem)

CycRun *cyc_run_new (const CycRunRecord *record);
const CycRunRecord *cyc_run_get_record (CycRun *self);

G_END_DECLS
