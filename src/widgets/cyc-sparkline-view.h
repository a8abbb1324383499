/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define CYC_TYPE_SPARKLINE_VIEW (cyc_sparkline_view_get_type ())
G_DECLARE_FINAL_TYPE (CycSparklineView, cyc_sparkline_view, CYC, SPARKLINE_VIEW, GtkWidget)

GtkWidget  *cyc_sparkline_view_new      (const char       *label,
                                         const char       *unit,
                                         guint             capacity);
void        cyc_sparkline_view_append   (CycSparklineView *self,
                                         double            value);
void        cyc_sparkline_view_clear    (CycSparklineView *self);
void        cyc_sparkline_view_set_capacity (CycSparklineView *self,
                                             guint             capacity);
void        cyc_sparkline_view_set_slot (CycSparklineView *self,
                                         guint             slot);
const char *cyc_sparkline_view_get_text (CycSparklineView *self);

G_END_DECLS
