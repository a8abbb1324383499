/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-page.h"

G_BEGIN_DECLS

void       cyc_removal_remove_traces (CycPage           *page,
                                      const char *const *ids);
void       cyc_removal_remove_runs   (CycPage           *page,
                                      const char *const *ids);
GtkFilter *cyc_removal_get_filter    (CycWorkspace      *workspace);

G_END_DECLS
