/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/cyc-engine.h"
#include "engine/cyc-results.h"

G_BEGIN_DECLS

void        cyc_results_load        (CycEngine           *engine,
                                     const char          *run_id,
                                     GAsyncReadyCallback  callback,
                                     gpointer             user_data);
CycResults *cyc_results_load_finish (CycEngine           *engine,
                                     GAsyncResult        *result,
                                     GError             **error);

G_END_DECLS
