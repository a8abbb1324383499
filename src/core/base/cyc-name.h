/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean cyc_name_is_plain       (const char *name);
gboolean cyc_name_is_output_file (const char *name);
gboolean cyc_name_is_safe_path   (const char *path);

G_END_DECLS
