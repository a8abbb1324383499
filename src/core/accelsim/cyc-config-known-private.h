/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean _cyc_config_is_known (const char *name,
                               gboolean   *out_is_number);

G_END_DECLS
