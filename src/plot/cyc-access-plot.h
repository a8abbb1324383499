/* SPDX-License-Identifier: MIT */
#pragma once

#include <cairo.h>

#include "core/access/cyc-access-plan.h"
#include "core/access/cyc-access-work.h"

G_BEGIN_DECLS

typedef enum
{
  CYC_ACCESS_BY_EINSUM,
  CYC_ACCESS_BY_ACCESS, /* reads and writes */
} CycAccessColour;

/* What is drawn of a trace, and how. */
typedef struct
{
  const char *const *tensors; /* panels in this order; NULL for all, by their first access */
  CycAccessColour    colour;
  const char        *rank;    /* y is the coordinate on it, for tensors that have it; NULL for elements */
  const char        *level;   /* whose tiles are shaded; NULL for none */
  guint              columns; /* of panels; at least 1 */
  double             dpi;     /* pixels of an inch, for what is made of pixels */
} CycAccessPlotParams;

/* Timestep against element, a panel for each tensor: what AccelForge draws of an access trace. Immutable. */
typedef struct _CycAccessPlot CycAccessPlot;

/* Inches of a column of panels, of a row, and of what stands above and below all of them. */
#define CYC_ACCESS_PLOT_COLUMN 6.5
#define CYC_ACCESS_PLOT_ROW 2.0
#define CYC_ACCESS_PLOT_REST 0.6

CycAccessPlot *cyc_access_plot_new       (const CycAccessPlan        *plan,
                                          const CycAccessPlotParams  *params,
                                          const CycAccessWork        *work,
                                          GError                    **error);
void           cyc_access_plot_free      (CycAccessPlot              *self);
guint          cyc_access_plot_get_rows  (const CycAccessPlot        *self);
gboolean       cyc_access_plot_get_point (const CycAccessPlot        *self,
                                          guint                       panel,
                                          double                      timestep,
                                          double                      y,
                                          double                     *out_x,
                                          double                     *out_y);
void           cyc_access_plot_paint     (cairo_t                    *cr,
                                          double                      width,
                                          double                      height,
                                          gpointer                    plot);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycAccessPlot, cyc_access_plot_free)

G_END_DECLS
