/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/cyc-ctl-app.h"
#include "core/accelsim/cyc-finding.h"

G_BEGIN_DECLS

void cyc_ctl_findings_append   (const CycFindings  *findings,
                                GString            *out);
void cyc_ctl_findings_print    (const CycFindings  *findings,
                                CycSeverity         least);
void cyc_ctl_findings_set_error (const CycFindings  *findings,
                                 GError            **error);

G_END_DECLS
