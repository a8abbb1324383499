/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/cyc-api-call.h"
#include "engine/cyc-engine.h"

G_BEGIN_DECLS

typedef struct _CycApi CycApi;

CycApi  *cyc_api_new          (CycEngine   *engine);
void     cyc_api_free         (CycApi      *self);
void     cyc_api_dispatch     (CycApi      *self,
                               CycApiCall  *call);
gboolean cyc_api_begin_upload (CycApi      *self,
                               CycApiCall  *call,
                               char       **out_target,
                               guint64     *out_max_bytes,
                               GError     **error);
void     cyc_api_set_insecure (CycApi      *self,
                               gboolean     insecure);
guint    cyc_api_get_n_streams (CycApi     *self);
void     cyc_api_end_streams  (CycApi      *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycApi, cyc_api_free)

G_END_DECLS
