/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean cyc_api_target_parse (const char   *target,
                               GStrv        *out_segments,
                               GHashTable  **out_query,
                               GError      **error);

G_END_DECLS
