/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <sqlite3.h>

G_BEGIN_DECLS

gboolean cyc_store_schema_prepare (sqlite3  *db,
                                   GError  **error);

G_END_DECLS
