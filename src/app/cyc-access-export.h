/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-page.h"
#include "widgets/cyc-access-view.h"

G_BEGIN_DECLS

void cyc_access_export (CycPage       *page,
                        CycAccessView *view,
                        const char    *path);
void cyc_access_save   (CycPage       *page,
                        CycAccessSpec *spec,
                        const char    *path);

G_END_DECLS
