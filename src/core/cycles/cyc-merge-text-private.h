/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/cyc-json-value.h"
#include "core/cycles/cyc-cycle-size.h"

G_BEGIN_DECLS

char     *cyc_merge_dup_key        (const CycJsonValue  *value);
gboolean  cyc_merge_get_number     (const CycJsonValue  *value,
                                    double              *out_value);
gboolean  cyc_merge_get_integer    (const CycJsonValue  *value,
                                    CycCycleSize        *out_value);
gboolean  cyc_merge_parse_integer  (const char          *text,
                                    gsize                len,
                                    CycCycleSize        *out_value);
char     *cyc_merge_infer_pattern  (const char *const   *kernel_names);

G_END_DECLS
