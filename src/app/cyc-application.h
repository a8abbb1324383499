/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "engine/cyc-workspace.h"

G_BEGIN_DECLS

#define CYC_TYPE_APPLICATION (cyc_application_get_type ())
G_DECLARE_FINAL_TYPE (CycApplication, cyc_application, CYC, APPLICATION, GtkApplication)

CycApplication *cyc_application_new           (void);
CycWorkspace   *cyc_application_get_workspace (CycApplication *self);
char           *cyc_application_id_for        (const char     *workspace);

G_END_DECLS
