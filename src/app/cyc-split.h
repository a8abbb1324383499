/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define CYC_TYPE_SPLIT (cyc_split_get_type ())
G_DECLARE_FINAL_TYPE (CycSplit, cyc_split, CYC, SPLIT, GtkWidget)

GtkWidget *cyc_split_new              (GtkWidget *sidebar,
                                       GtkWidget *content);
gboolean   cyc_split_get_folded       (CycSplit  *self);
gboolean   cyc_split_get_show_sidebar (CycSplit  *self);
void       cyc_split_set_show_sidebar (CycSplit  *self,
                                       gboolean   show);
gboolean   cyc_split_get_docked       (CycSplit  *self);
void       cyc_split_set_docked       (CycSplit  *self,
                                       gboolean   docked);

G_END_DECLS
