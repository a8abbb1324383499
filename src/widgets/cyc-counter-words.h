/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/accelsim/cyc-counters.h"

G_BEGIN_DECLS

const char *cyc_counter_words_get_unit    (const char       *unit);
const char *cyc_counter_words_get_kind    (CycCounterKind    kind);
const char *cyc_counter_words_get_meaning (const CycCounter *counter);

G_END_DECLS
