/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/accelsim/cyc-finding.h"

G_BEGIN_DECLS

const char *cyc_finding_words_get        (const char       *code);
const char *cyc_finding_words_get_remedy (const CycFinding *finding);
char       *cyc_finding_words_dup_line   (const CycFinding *finding);

G_END_DECLS
