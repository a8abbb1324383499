/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/cyc-remote-access.h"

G_BEGIN_DECLS

/* Engines on other machines that the user has connected to: `cyclescope/connections.ini` in the user's
 * configuration folder, which only the user can read. */

GStrv    cyc_connections_list     (void);
void     cyc_connections_complete (CycRemoteAccess        *access);
gboolean cyc_connections_remember (const CycRemoteAccess  *access,
                                   gboolean                with_token,
                                   GError                **error);

G_END_DECLS
