/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define CYC_TYPE_TOAST (cyc_toast_get_type ())
G_DECLARE_FINAL_TYPE (CycToast, cyc_toast, CYC, TOAST, GtkWidget)

/**
 * CycToastFunc:
 * @user_data: as given
 *
 * What the button of a toast does.
 */
typedef void (*CycToastFunc) (gpointer user_data);

/* Signal: "dismissed" (), when it is to go: its time is up, or the user is done with it. */
CycToast *cyc_toast_new        (const char     *text,
                                guint           seconds);
void      cyc_toast_set_button (CycToast       *self,
                                const char     *label,
                                CycToastFunc    callback,
                                gpointer        user_data,
                                GDestroyNotify  destroy);
void      cyc_toast_dismiss    (CycToast       *self);

G_END_DECLS
