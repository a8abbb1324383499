/* SPDX-License-Identifier: MIT */
#pragma once

#include "widgets/cyc-toast.h"

G_BEGIN_DECLS

#define CYC_TYPE_TOAST_OVERLAY (cyc_toast_overlay_get_type ())
G_DECLARE_FINAL_TYPE (CycToastOverlay, cyc_toast_overlay, CYC, TOAST_OVERLAY, GtkWidget)

GtkWidget *cyc_toast_overlay_new       (void);
void       cyc_toast_overlay_set_child (CycToastOverlay *self,
                                        GtkWidget       *child);
void       cyc_toast_overlay_add       (CycToastOverlay *self,
                                        CycToast        *toast);

G_END_DECLS
