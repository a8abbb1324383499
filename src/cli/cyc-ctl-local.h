/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/base/cyc-json-writer.h"

G_BEGIN_DECLS

typedef struct _CycCtlLocal CycCtlLocal;

CycCtlLocal *cyc_ctl_local_open    (const char          *workspace,
                                    const char *const   *config_roots,
                                    GError             **error);
void         cyc_ctl_local_free    (CycCtlLocal         *self);
GPtrArray   *cyc_ctl_local_list_unreported (CycCtlLocal  *self,
                                            guint        *out_unfinished);
gboolean     cyc_ctl_local_request (CycCtlLocal         *self,
                                    const char          *method,
                                    const char          *path,
                                    const char          *body,
                                    CycJsonSink          sink,
                                    gpointer             user_data,
                                    GError             **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycCtlLocal, cyc_ctl_local_free)

G_END_DECLS
