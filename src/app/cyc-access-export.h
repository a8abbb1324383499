/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-page.h"
#include "widgets/cyc-access-view.h"

G_BEGIN_DECLS

/**
 * CycAccessSavedFunc:
 * @page: as given
 * @spec: what was written
 *
 * Called when a mapping is in a file.
 */
typedef void (*CycAccessSavedFunc) (CycPage       *page,
                                    CycAccessSpec *spec);

void cyc_access_export (CycPage       *page,
                        CycAccessView *view,
                        const char    *path);
void cyc_access_save   (CycPage            *page,
                        CycAccessSpec      *spec,
                        const char         *path,
                        CycAccessSavedFunc  saved);

G_END_DECLS
