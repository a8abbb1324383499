/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/base/cyc-json-writer.h"

G_BEGIN_DECLS

/**
 * CycFileSaveFunc:
 * @data: as given
 * @sink: takes what the file is to hold
 * @sink_data: for @sink
 * @cancellable: (nullable): asked by @sink, too
 * @error: return location for an error
 *
 * Says what is in a file, on a thread.
 *
 * Returns: %TRUE if that was all of it
 */
typedef gboolean (*CycFileSaveFunc) (gpointer       data,
                                     CycJsonSink    sink,
                                     gpointer       sink_data,
                                     GCancellable  *cancellable,
                                     GError       **error);

void        cyc_file_save_async      (gpointer              source,
                                      const char           *path,
                                      CycFileSaveFunc       func,
                                      gpointer              data,
                                      GDestroyNotify        destroy,
                                      gsize                *written,
                                      GCancellable         *cancellable,
                                      GAsyncReadyCallback   callback,
                                      gpointer              user_data);
gboolean    cyc_file_save_finish     (GAsyncResult         *result,
                                      GError              **error);
const char *cyc_file_save_get_path   (GAsyncResult         *result);
gpointer    cyc_file_save_steal_data (GAsyncResult         *result);

G_END_DECLS
