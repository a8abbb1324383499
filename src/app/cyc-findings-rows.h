/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "core/accelsim/cyc-finding.h"

G_BEGIN_DECLS

GtkWidget *cyc_findings_rows_new  (void);
void       cyc_findings_rows_fill (GtkWidget         *list,
                                   const CycFindings *findings);

G_END_DECLS
