/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/cyc-workspace.h"

G_BEGIN_DECLS

#define CYC_TYPE_LOCAL_WORKSPACE (cyc_local_workspace_get_type ())
G_DECLARE_FINAL_TYPE (CycLocalWorkspace, cyc_local_workspace, CYC, LOCAL_WORKSPACE, CycWorkspace)

CycWorkspace *cyc_local_workspace_new (const char         *folder,
                                       const char *const  *config_roots);

CycWorkspace *cyc_local_workspace_new_for_engine (CycEngine *engine);

G_END_DECLS
