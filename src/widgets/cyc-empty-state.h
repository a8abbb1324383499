/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define CYC_TYPE_EMPTY_STATE (cyc_empty_state_get_type ())
G_DECLARE_FINAL_TYPE (CycEmptyState, cyc_empty_state, CYC, EMPTY_STATE, GtkWidget)

GtkWidget *cyc_empty_state_new        (const char    *icon_name,
                                       const char    *title,
                                       const char    *text);
void       cyc_empty_state_set_title  (CycEmptyState *self,
                                       const char    *title);
void       cyc_empty_state_set_text   (CycEmptyState *self,
                                       const char    *text);
void       cyc_empty_state_add_button (CycEmptyState *self,
                                       const char    *label,
                                       const char    *action_name);

G_END_DECLS
