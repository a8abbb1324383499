/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean cyc_exit_status_parse (const char *text,
                                int        *out_exit_code);

G_END_DECLS
