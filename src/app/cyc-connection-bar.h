/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "engine/cyc-workspace.h"

G_BEGIN_DECLS

#define CYC_TYPE_CONNECTION_BAR (cyc_connection_bar_get_type ())
G_DECLARE_FINAL_TYPE (CycConnectionBar, cyc_connection_bar, CYC, CONNECTION_BAR, GtkWidget)

GtkWidget *cyc_connection_bar_new           (void);
void       cyc_connection_bar_set_workspace (CycConnectionBar *self,
                                             CycWorkspace     *workspace);

G_END_DECLS
