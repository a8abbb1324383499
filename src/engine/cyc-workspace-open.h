/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/cyc-workspace.h"

G_BEGIN_DECLS

CycWorkspace *cyc_workspace_open_successor (CycWorkspace *closed);

G_END_DECLS
