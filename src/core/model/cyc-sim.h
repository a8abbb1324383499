/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/cyc-record-item.h"
#include "core/model/cyc-records.h"

G_BEGIN_DECLS

#define CYC_TYPE_SIM (cyc_sim_get_type ())
G_DECLARE_FINAL_TYPE (CycSim, cyc_sim, CYC, SIM, CycRecordItem)

CycSim *cyc_sim_new (const CycSimRecord *record);
const CycSimRecord *cyc_sim_get_record (CycSim *self);

G_END_DECLS
