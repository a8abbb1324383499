/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "plot/cyc-bar-data.h"

G_BEGIN_DECLS

char     *cyc_bar_data_to_tsv      (CycBarData           *data);
gboolean  cyc_bar_csv_write        (CycBarData           *data,
                                    const char           *path,
                                    GCancellable         *cancellable,
                                    GError              **error);
void      cyc_bar_csv_write_async  (CycBarData           *data,
                                    const char           *path,
                                    GCancellable         *cancellable,
                                    GAsyncReadyCallback   callback,
                                    gpointer              user_data);
gboolean  cyc_bar_csv_write_finish (GAsyncResult         *result,
                                    GError              **error);

G_END_DECLS
