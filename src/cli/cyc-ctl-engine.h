/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/cyc-ctl-app.h"

G_BEGIN_DECLS

typedef struct _CycCtlEngine CycCtlEngine;

/**
 * CycCtlEngineFlags:
 * @CYC_CTL_ENGINE_PLAIN: starts what waits
 * @CYC_CTL_ENGINE_NO_START: takes in what simulations report, and starts none
 */
typedef enum
{
  CYC_CTL_ENGINE_PLAIN = 0,
  CYC_CTL_ENGINE_NO_START = 1 << 0,
} CycCtlEngineFlags;

CycCtlEngine *cyc_ctl_engine_start      (CycCtlApp          *app,
                                         CycCtlEngineFlags   flags,
                                         GError            **error);
void          cyc_ctl_engine_free       (CycCtlEngine  *self);
gboolean      cyc_ctl_engine_is_alive   (CycCtlEngine  *self);
char         *cyc_ctl_engine_get_reason (CycCtlEngine  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycCtlEngine, cyc_ctl_engine_free)

G_END_DECLS
