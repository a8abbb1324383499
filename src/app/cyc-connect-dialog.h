/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-dialog.h"

G_BEGIN_DECLS

#define CYC_TYPE_CONNECT_DIALOG (cyc_connect_dialog_get_type ())
G_DECLARE_FINAL_TYPE (CycConnectDialog, cyc_connect_dialog, CYC, CONNECT_DIALOG, CycDialog)

/* Signal: "connected" (address), when an engine has answered and is remembered. */
GtkWidget *cyc_connect_dialog_new (GtkWindow    *parent,
                                   CycWorkspace *workspace);

G_END_DECLS
