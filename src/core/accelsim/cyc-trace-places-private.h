/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/accelsim/cyc-trace-folder.h"

G_BEGIN_DECLS

GPtrArray *_cyc_trace_list_names     (const char  *folder,
                                      GError     **error);
gboolean   _cyc_trace_is_list        (const char  *name);
gboolean   _cyc_trace_is_raw_list    (const char  *name);
gboolean   _cyc_trace_is_stats       (const char  *name);

G_END_DECLS
