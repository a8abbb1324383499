/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "core/accelsim/cyc-gpu-config.h"

G_BEGIN_DECLS

#define CYC_TYPE_CONFIG_ROW (cyc_config_row_get_type ())
G_DECLARE_FINAL_TYPE (CycConfigRow, cyc_config_row, CYC, CONFIG_ROW, GtkListBoxRow)

/* Signal "changed" (): it was chosen or not, or its count is another. */
GtkWidget    *cyc_config_row_new        (CycGpuConfig *config,
                                         const char   *trace_arch);
CycGpuConfig *cyc_config_row_get_config (CycConfigRow *self);
gboolean      cyc_config_row_fits       (CycConfigRow *self);
guint         cyc_config_row_get_count  (CycConfigRow *self);
void          cyc_config_row_set_count  (CycConfigRow *self,
                                         guint         count);

G_END_DECLS
