/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/cyc-records.h"

G_BEGIN_DECLS

const char *cyc_outcome_words_get_reason (const char         *reason);
char       *cyc_outcome_words_dup        (const CycSimRecord *sim);

G_END_DECLS
