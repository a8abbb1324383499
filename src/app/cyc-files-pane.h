/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-page.h"
#include "app/cyc-sim-pane.h"

G_BEGIN_DECLS

#define CYC_TYPE_FILES_PANE (cyc_files_pane_get_type ())
G_DECLARE_FINAL_TYPE (CycFilesPane, cyc_files_pane, CYC, FILES_PANE, CycSimPane)

CycSimPane *cyc_files_pane_new (CycPage *page);

G_END_DECLS
