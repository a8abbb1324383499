/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <sqlite3.h>

G_BEGIN_DECLS

gboolean cyc_store_schema_check   (sqlite3  *db,
                                   gint64   *out_version,
                                   GError  **error);
gboolean cyc_store_schema_migrate (sqlite3  *db,
                                   gint64    version,
                                   GError  **error);

G_END_DECLS
