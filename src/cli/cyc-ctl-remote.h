/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/cyc-ctl-app.h"
#include "core/accelsim/cyc-finding.h"
#include "engine/cyc-importer.h"
#include "engine/cyc-remote-access.h"

G_BEGIN_DECLS

gboolean         cyc_ctl_remote_is_given   (CycCtlApp      *app);
CycRemoteAccess *cyc_ctl_remote_get_access (CycCtlApp      *app,
                                            GError        **error);
CycFindings     *cyc_ctl_remote_upload     (CycCtlApp      *app,
                                            const char     *path,
                                            const char     *id,
                                            void          (*progress) (const CycImportProgress *now,
                                                                       gpointer                 user_data),
                                            gpointer        user_data,
                                            GCancellable   *cancellable,
                                            GError        **error);

G_END_DECLS
