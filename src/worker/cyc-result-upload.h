/* SPDX-License-Identifier: MIT */
#pragma once

#include "worker/cyc-engine-link.h"
#include "worker/cyc-job.h"

G_BEGIN_DECLS

void     cyc_result_upload_async  (const CycJob         *job,
                                   CycEngineLink        *link,
                                   GPtrArray            *notes,
                                   GCancellable         *cancellable,
                                   GAsyncReadyCallback   callback,
                                   gpointer              user_data);
gboolean cyc_result_upload_finish (GAsyncResult         *result,
                                   GError              **error);

G_END_DECLS
