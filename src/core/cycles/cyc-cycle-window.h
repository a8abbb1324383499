/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/base/cyc-json-writer.h"

G_BEGIN_DECLS

gboolean cyc_cycle_window_write (const char    *path,
                                 GPtrArray     *out_unknown,
                                 CycJsonSink    sink,
                                 gpointer       data,
                                 GCancellable  *cancellable,
                                 GError       **error);

G_END_DECLS
