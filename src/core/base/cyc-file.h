/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

gboolean cyc_file_replace      (const char    *path,
                                const char    *bytes,
                                gsize          len,
                                int            mode,
                                GError       **error);
gboolean cyc_file_make_folder  (const char    *path,
                                int            mode,
                                GError       **error);
gboolean cyc_file_remove_tree  (const char    *path,
                                GError       **error);
gboolean cyc_file_sync_folder  (const char    *path,
                                GError       **error);
gboolean cyc_file_write_all    (int            fd,
                                const char    *bytes,
                                gsize          len);
gboolean cyc_file_get_free     (const char    *path,
                                guint64       *out_bytes,
                                GError       **error);

G_END_DECLS
