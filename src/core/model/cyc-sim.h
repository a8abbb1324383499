/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib-object.h>

#include "core/model/cyc-records.h"

G_BEGIN_DECLS

#define CYC_TYPE_SIM (cyc_sim_get_type ())
G_DECLARE_FINAL_TYPE (CycSim, cyc_sim, CYC, SIM, GObject)

CycSim *cyc_sim_new (const CycSimRecord *record);
const CycSimRecord *cyc_sim_get_record (CycSim *self);
void cyc_sim_set_record (CycSim *self, const CycSimRecord *record);

G_END_DECLS
