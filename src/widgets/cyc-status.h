/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "core/accelsim/cyc-finding.h"

G_BEGIN_DECLS

#define CYC_TYPE_STATUS (cyc_status_get_type ())
G_DECLARE_FINAL_TYPE (CycStatus, cyc_status, CYC, STATUS, GtkWidget)

GtkWidget  *cyc_status_new                (void);
void        cyc_status_set                (CycStatus   *self,
                                           const char  *icon_name,
                                           const char  *text,
                                           const char  *css_class);
void        cyc_status_set_whole          (CycStatus   *self);
void        cyc_status_set_severity       (CycStatus   *self,
                                           CycSeverity  severity);

const char *cyc_status_severity_word      (CycSeverity  severity);
const char *cyc_status_severity_icon      (CycSeverity  severity);
const char *cyc_status_severity_css_class (CycSeverity  severity);

G_END_DECLS
