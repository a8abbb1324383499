/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "engine/cyc-workspace.h"

G_BEGIN_DECLS

#define CYC_TYPE_PREFERENCES (cyc_preferences_get_type ())
G_DECLARE_FINAL_TYPE (CycPreferences, cyc_preferences, CYC, PREFERENCES, GtkWindow)

/* Signal: "saved" (): the workspace's settings are others now. */
GtkWidget *cyc_preferences_new           (GtkWindow      *parent,
                                          CycWorkspace   *workspace);
void       cyc_preferences_add_simulator (CycPreferences *self,
                                          const char     *path);
void       cyc_preferences_add_root      (CycPreferences *self,
                                          const char     *path);

G_END_DECLS
