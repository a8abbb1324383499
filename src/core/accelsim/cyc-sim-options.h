/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

GHashTable *cyc_sim_options_read (const char    *path,
                                  guint64        length,
                                  GCancellable  *cancellable,
                                  GError       **error);

G_END_DECLS
