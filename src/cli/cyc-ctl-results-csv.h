/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "core/base/cyc-json-writer.h"

G_BEGIN_DECLS

typedef struct _CycCtlResultsCsv CycCtlResultsCsv;

CycCtlResultsCsv *cyc_ctl_results_csv_new    (CycJsonSink         sink,
                                              gpointer            user_data,
                                              gboolean            csv);
void              cyc_ctl_results_csv_free   (CycCtlResultsCsv   *self);
gboolean          cyc_ctl_results_csv_feed   (const char         *bytes,
                                              gsize               len,
                                              gpointer            results_csv,
                                              GError            **error);
gboolean          cyc_ctl_results_csv_finish (CycCtlResultsCsv   *self,
                                              GError            **error);
GPtrArray        *cyc_ctl_results_csv_get_gaps (CycCtlResultsCsv *self,
                                                guint            *out_n_kernels);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycCtlResultsCsv, cyc_ctl_results_csv_free)

G_END_DECLS
