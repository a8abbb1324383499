/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void       cyc_control_set_tooltip     (GtkWidget         *control,
                                        const char        *text);
void       cyc_control_set_label       (GtkWidget         *control,
                                        const char        *label);
GtkWidget *cyc_control_button_new      (const char        *icon_name,
                                        const char        *label,
                                        const char        *action);
GtkWidget *cyc_control_menu_button_new (const char        *icon_name,
                                        const char        *label,
                                        GMenuModel        *menu);
GtkWidget *cyc_control_choice_new      (const char *const *choices,
                                        const char        *label);

G_END_DECLS
