/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/accelsim/cyc-preflight.h"
#include "engine/cyc-workspace-data.h"

G_BEGIN_DECLS

CycImportPreview *cyc_import_inspect (const char                *path,
                                      const char                *scratch,
                                      const CycPreflightParams  *params,
                                      GCancellable              *cancellable,
                                      GError                   **error);

G_END_DECLS
