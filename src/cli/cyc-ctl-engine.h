/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/cyc-ctl-app.h"

G_BEGIN_DECLS

typedef struct _CycCtlEngine CycCtlEngine;

CycCtlEngine *cyc_ctl_engine_start      (CycCtlApp     *app,
                                         GError       **error);
void          cyc_ctl_engine_free       (CycCtlEngine  *self);
gboolean      cyc_ctl_engine_is_alive   (CycCtlEngine  *self);
char         *cyc_ctl_engine_get_reason (CycCtlEngine  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycCtlEngine, cyc_ctl_engine_free)

G_END_DECLS
