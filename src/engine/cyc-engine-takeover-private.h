/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/cyc-engine-private.h"

G_BEGIN_DECLS

void cyc_takeover_start    (CycEngine   *self,
                            CycSimEntry *sim);
void cyc_takeover_continue (CycEngine   *self,
                            CycSimEntry *sim);

G_END_DECLS
