/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "plot/cyc-histogram.h"

G_BEGIN_DECLS

#define CYC_TYPE_HISTOGRAM_VIEW (cyc_histogram_view_get_type ())
G_DECLARE_FINAL_TYPE (CycHistogramView, cyc_histogram_view, CYC, HISTOGRAM_VIEW, GtkWidget)

/**
 * CycHistogramTextFunc:
 * @bin: a bin
 * @user_data: as given
 *
 * Returns: (transfer full): what it says when it is pointed at
 */
typedef char *(*CycHistogramTextFunc) (const CycHistogramBin *bin,
                                       gpointer               user_data);

GtkWidget    *cyc_histogram_view_new      (const char           *title,
                                           const char           *count_title,
                                           CycHistogramTextFunc  get_text,
                                           gpointer              user_data);
void          cyc_histogram_view_set_bins (CycHistogramView     *self,
                                           GArray               *bins,
                                           const char *const    *names);
GArray       *cyc_histogram_view_get_bins (CycHistogramView     *self);
GdkRectangle  cyc_histogram_view_get_bar  (CycHistogramView     *self,
                                           guint                 bin,
                                           guint                 series);

G_END_DECLS
