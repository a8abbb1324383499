/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean cyc_xz_info_read (const char  *path,
                           guint64     *out_unpacked,
                           GError     **error);

G_END_DECLS
