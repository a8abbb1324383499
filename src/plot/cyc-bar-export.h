/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "plot/cyc-bar-chart.h"
#include "plot/cyc-plot-export.h"

G_BEGIN_DECLS

GBytes   *cyc_bar_chart_export         (const CycBarChart    *chart,
                                        const CycPlotExport  *options,
                                        GError              **error);
void      cyc_bar_chart_export_async   (const CycBarChart    *chart,
                                        const char           *path,
                                        const CycPlotExport  *options,
                                        GCancellable         *cancellable,
                                        GAsyncReadyCallback   callback,
                                        gpointer              user_data);
gboolean  cyc_bar_chart_export_finish  (GAsyncResult         *result,
                                        GError              **error);

G_END_DECLS
