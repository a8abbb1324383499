/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/cyc-sim.h"
#include "engine/cyc-workspace.h"

G_BEGIN_DECLS

/* How long the simulations of a trace still take, and how that is known. */
typedef struct _CycTimeLeft CycTimeLeft;

CycTimeLeft *cyc_time_left_new             (void);
void         cyc_time_left_load            (CycTimeLeft  *self,
                                            CycWorkspace *workspace,
                                            const char   *run_id);
void         cyc_time_left_free            (CycTimeLeft  *self);
double       cyc_time_left_get             (CycTimeLeft  *self,
                                            CycSim       *sim);
char        *cyc_time_left_dup_text        (CycTimeLeft  *self,
                                            CycSim       *sim);
char        *cyc_time_left_dup_explanation (CycTimeLeft  *self,
                                            CycSim       *sim);

G_END_DECLS
