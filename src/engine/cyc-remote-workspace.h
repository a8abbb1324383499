/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/cyc-remote-access.h"
#include "engine/cyc-workspace.h"

G_BEGIN_DECLS

#define CYC_TYPE_REMOTE_WORKSPACE (cyc_remote_workspace_get_type ())
G_DECLARE_FINAL_TYPE (CycRemoteWorkspace, cyc_remote_workspace, CYC, REMOTE_WORKSPACE, CycWorkspace)

CycWorkspace *cyc_remote_workspace_new         (const CycRemoteAccess *access);
const char   *cyc_remote_workspace_get_id      (CycRemoteWorkspace    *self);
gboolean      cyc_remote_workspace_is_deserted (CycRemoteWorkspace    *self);

G_END_DECLS
