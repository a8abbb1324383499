/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/accelsim/cyc-counters.h"

G_BEGIN_DECLS

extern const CycCounter cyc_counter_table[];
extern const guint cyc_counter_table_size;

G_END_DECLS
