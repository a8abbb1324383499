/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/cyc-json-value.h"

G_BEGIN_DECLS

gboolean cyc_merge_is_device (const CycJsonValue *event);
int      cyc_merge_get_score (const CycJsonValue *event);
char    *cyc_merge_dup_name  (const CycJsonValue *event);

G_END_DECLS
