/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cyc-page.h"
#include "core/access/cyc-access-figures.h"
#include "core/access/cyc-access-trace.h"
#include "widgets/cyc-histogram-view.h"
#include "widgets/cyc-table-view.h"

G_BEGIN_DECLS

#define CYC_TYPE_ACCESS_FIGURES_PANE (cyc_access_figures_pane_get_type ())
G_DECLARE_FINAL_TYPE (CycAccessFiguresPane, cyc_access_figures_pane, CYC, ACCESS_FIGURES_PANE, GtkWidget)

/* A figure of one mapping or of two. */
typedef struct
{
  char     *tensor;
  char     *level;   /* NULL for the tensor itself */
  char     *figure;  /* what it is called */
  char     *key;     /* the same in any language, for comparing */
  double    value;   /* NaN for none */
  double    other;
  gboolean  whole;   /* whole numbers */
} CycAccessFigureRow;

GtkWidget    *cyc_access_figures_pane_new       (CycPage               *page);
void          cyc_access_figures_pane_set_trace (CycAccessFiguresPane  *self,
                                                 CycAccessTrace        *trace,
                                                 CycAccessTrace        *other,
                                                 gint64                 from,
                                                 gint64                 to);
void          cyc_access_figures_pane_set_orientation (CycAccessFiguresPane *self,
                                                 GtkOrientation         orientation);
CycTableView *cyc_access_figures_pane_get_table (CycAccessFiguresPane  *self);
gboolean      cyc_access_figures_pane_is_busy   (CycAccessFiguresPane  *self);
CycHistogramView *cyc_access_figures_pane_get_histogram (CycAccessFiguresPane *self);
char         *cyc_access_figure_dup_distance    (gint64                 from,
                                                 gint64                 to);
GPtrArray    *cyc_access_figure_rows_new        (CycAccessTrace        *trace,
                                                 const GPtrArray       *figures,
                                                 CycAccessTrace        *other,
                                                 const GPtrArray       *other_figures);

G_END_DECLS
