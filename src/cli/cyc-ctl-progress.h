/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/cyc-ctl-app.h"

G_BEGIN_DECLS

typedef struct _CycCtlProgress CycCtlProgress;

CycCtlProgress *cyc_ctl_progress_new   (CycCtlApp       *app);
void            cyc_ctl_progress_free  (CycCtlProgress  *self);
gboolean        cyc_ctl_progress_is_due (CycCtlProgress *self);
void            cyc_ctl_progress_show  (CycCtlProgress  *self,
                                        const char      *format,
                                        ...) G_GNUC_PRINTF (2, 3);
void            cyc_ctl_progress_clear (CycCtlProgress  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycCtlProgress, cyc_ctl_progress_free)

G_END_DECLS
