/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "core/accelsim/cyc-finding.h"

G_BEGIN_DECLS

#define CYC_TYPE_FINDINGS_VIEW (cyc_findings_view_get_type ())
G_DECLARE_FINAL_TYPE (CycFindingsView, cyc_findings_view, CYC, FINDINGS_VIEW, GtkWidget)

/* Actions: findings.copy, findings.select-all. */
GtkWidget *cyc_findings_view_new          (const char        *label);
void       cyc_findings_view_set_findings (CycFindingsView   *self,
                                           const CycFindings *findings);
void       cyc_findings_view_set_empty    (CycFindingsView   *self,
                                           GtkWidget         *child);
void       cyc_findings_view_set_inline   (CycFindingsView   *self);
char      *cyc_findings_view_dup_summary  (CycFindingsView   *self);
char      *cyc_findings_view_dup_text     (CycFindingsView   *self);

G_END_DECLS
