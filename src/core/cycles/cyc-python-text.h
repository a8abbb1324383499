/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/cyc-json-value.h"

G_BEGIN_DECLS

char *cyc_python_dup_str      (const CycJsonValue *value);
char *cyc_python_dup_repr     (const CycJsonValue *value);
char *cyc_python_quote        (const char         *text,
                               gsize               len);

G_END_DECLS
