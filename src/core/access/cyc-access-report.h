/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/access/cyc-access-figures.h"
#include "core/base/cyc-json-writer.h"

G_BEGIN_DECLS

gboolean cyc_access_report_write_json  (const CycAccessPlan  *plan,
                                        const GPtrArray      *figures,
                                        const CycAccessWork  *work,
                                        CycJsonSink           sink,
                                        gpointer              user_data,
                                        GError              **error);
gboolean cyc_access_report_write_csv   (const CycAccessPlan  *plan,
                                        const CycAccessWork  *work,
                                        CycJsonSink           sink,
                                        gpointer              user_data,
                                        GError              **error);
void     cyc_access_report_put_figures (const CycAccessPlan  *plan,
                                        const GPtrArray      *figures,
                                        CycJsonWriter        *writer);
char    *cyc_access_report_dup_figures_csv (const CycAccessPlan *plan,
                                        const GPtrArray      *figures);

G_END_DECLS
