/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/base/cyc-json-writer.h"
#include "engine/cyc-remote-access.h"

G_BEGIN_DECLS

typedef struct _CycCtlHttp CycCtlHttp;

CycCtlHttp *cyc_ctl_http_connect (const char    *url,
                                  const char    *token,
                                  const char    *workspace_id,
                                  GCancellable  *cancellable,
                                  GError       **error);
CycCtlHttp *cyc_ctl_http_connect_to (const CycRemoteAccess *access,
                                     GCancellable          *cancellable,
                                     GError               **error);
void        cyc_ctl_http_free    (CycCtlHttp    *self);
gboolean    cyc_ctl_http_request (CycCtlHttp    *self,
                                  const char    *method,
                                  const char    *path,
                                  const char    *body,
                                  CycJsonSink    sink,
                                  gpointer       user_data,
                                  GCancellable  *cancellable,
                                  GError       **error);

gboolean    cyc_ctl_http_set_error (guint         status,
                                    const char   *body,
                                    gsize         len,
                                    GError      **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycCtlHttp, cyc_ctl_http_free)

G_END_DECLS
