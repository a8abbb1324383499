/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void     cyc_widgets_init           (void);
gboolean cyc_widgets_focus_children (GtkWidget        *widget,
                                     GtkDirectionType  direction);
gboolean cyc_widgets_focus_past     (GtkWidget        *widget,
                                     GtkWidget        *list,
                                     GtkDirectionType  direction);

G_END_DECLS
