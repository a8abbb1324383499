/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib-object.h>

#include "core/model/cyc-records.h"

G_BEGIN_DECLS

#define CYC_TYPE_RUN (cyc_run_get_type ())
G_DECLARE_FINAL_TYPE (CycRun, cyc_run, CYC, RUN, GObject)

CycRun *cyc_run_new (const CycRunRecord *record);
const CycRunRecord *cyc_run_get_record (CycRun *self);
void cyc_run_set_record (CycRun *self, const CycRunRecord *record);

G_END_DECLS
