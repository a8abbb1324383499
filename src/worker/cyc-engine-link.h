/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "worker/cyc-job.h"

G_BEGIN_DECLS

#define CYC_TYPE_ENGINE_LINK (cyc_engine_link_get_type ())

G_DECLARE_FINAL_TYPE (CycEngineLink, cyc_engine_link, CYC, ENGINE_LINK, GObject)

CycEngineLink *cyc_engine_link_new         (const CycJob         *job);
void           cyc_engine_link_post_async  (CycEngineLink        *self,
                                            const char           *what,
                                            GBytes               *body,
                                            GCancellable         *cancellable,
                                            GAsyncReadyCallback   callback,
                                            gpointer              user_data);
void           cyc_engine_link_put_async   (CycEngineLink        *self,
                                            const char           *what,
                                            const char           *file,
                                            GCancellable         *cancellable,
                                            GAsyncReadyCallback   callback,
                                            gpointer              user_data);
void           cyc_engine_link_put_bytes_async
                                           (CycEngineLink        *self,
                                            const char           *what,
                                            GBytes               *body,
                                            GCancellable         *cancellable,
                                            GAsyncReadyCallback   callback,
                                            gpointer              user_data);
guint          cyc_engine_link_send_finish (CycEngineLink        *self,
                                            GAsyncResult         *result,
                                            GBytes              **out_body,
                                            GError              **error);
char          *cyc_engine_link_find_url    (const CycJob         *job,
                                            GError              **error);

G_END_DECLS
