/* SPDX-License-Identifier: MIT */
#pragma once

#include <cairo.h>

#include "core/access/cyc-access-plan.h"
#include "core/access/cyc-access-work.h"
#include "plot/cyc-plot-style.h"

G_BEGIN_DECLS

typedef enum
{
  CYC_ACCESS_BY_EINSUM,
  CYC_ACCESS_BY_ACCESS, /* reads and writes */
} CycAccessColour;

typedef enum
{
  CYC_ACCESS_ON_PAPER,  /* every marker is there as long as there are not very many */
  CYC_ACCESS_ON_SCREEN, /* what is closer than pixels is counted; too many tiles are left out */
  CYC_ACCESS_AT_ONCE,   /* the same, from a part of the timesteps, without tiles: in next to no time */
} CycAccessEffort;

/* A part of a panel's y axis. */
typedef struct
{
  gint64 low;
  gint64 high; /* after the last; 0 for all */
} CycAccessYRange;

/* Texts in another language; NULL for English. */
typedef struct
{
  const char *timestep;
  const char *element;
  const char *read;
  const char *write;
  const char *tile;      /* of the level that is shown */
  const char *truncated; /* the note on it */
  const char *crowded;   /* where tiles are left out */
} CycAccessPlotTexts;

/* What is drawn of a trace, and how. */
typedef struct
{
  const char *const *tensors; /* panels in this order; NULL for all, by their first access */
  CycAccessColour    colour;
  const char        *rank;    /* y is the coordinate on it, for tensors that have it; NULL for elements */
  const char        *level;   /* whose tiles are shaded; NULL for none */
  guint              columns; /* of panels; at least 1 */
  double             dpi;     /* pixels of an inch, for what is made of pixels */
  gint64             from;    /* first timestep */
  gint64             to;      /* after the last; 0 for all */
  const CycAccessYRange *ys;  /* of each panel; NULL for all */
  double             width;   /* in points; 0 for that of AccelForge's plot */
  double             height;
  CycAccessEffort    effort;
  CycAccessPlotTexts texts;
} CycAccessPlotParams;

/* Timestep against element, a panel for each tensor: what AccelForge draws of an access trace. Immutable. */
typedef struct _CycAccessPlot CycAccessPlot;

/* Inches of a column of panels, of a row, and of what stands above and below all of them. */
#define CYC_ACCESS_PLOT_COLUMN 6.5
#define CYC_ACCESS_PLOT_ROW 2.0
#define CYC_ACCESS_PLOT_REST 0.6

/* Size of texts, in points. */
#define CYC_ACCESS_TEXT 8.0

CycAccessPlot *cyc_access_plot_new       (const CycAccessPlan        *plan,
                                          const CycAccessPlotParams  *params,
                                          const CycAccessWork        *work,
                                          GError                    **error);
void           cyc_access_plot_free      (CycAccessPlot              *self);
void           cyc_access_plot_resize    (CycAccessPlot              *self,
                                          double                      width,
                                          double                      height);
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

/* What of a panel is seen. */
typedef struct
{
  double low;  /* first y */
  double high; /* after the last */
} CycAccessPanelView;

/* What of a plot is seen: of a plot that was made for another part, as long as there is no better one. */
typedef struct
{
  double                    from; /* first timestep */
  double                    to;   /* after the last */
  const CycAccessPanelView *panels;
} CycAccessPlotView;

/* A place in a plot. */
typedef struct
{
  int    panel;    /* -1 for none */
  gint64 timestep;
  gint64 y;
} CycAccessPlace;

/* What is laid over a plot. */
typedef struct
{
  CycAccessPlace         hover;   /* crosshair, and the accesses to the same element */
  CycAccessPlace         focus;
  gboolean               has_range;
  gint64                 from;    /* of the selected range */
  gint64                 to;
  const CycAccessWindow *windows; /* when a node of the mapping is at work */
  guint                  n_windows;
} CycAccessMarks;

guint          cyc_access_plot_get_tensor (const CycAccessPlot       *self,
                                          guint                       panel);
int            cyc_access_plot_get_rank  (const CycAccessPlot        *self,
                                          guint                       panel);
gboolean       cyc_access_plot_is_shaded (const CycAccessPlot        *self,
                                          guint                       panel);
guint64        cyc_access_plot_count     (const CycAccessPlot        *self,
                                          const CycAccessPlace       *place);
void           cyc_access_plot_get_area  (const CycAccessPlot        *self,
                                          guint                       panel,
                                          double                     *out_x,
                                          double                     *out_y,
                                          double                     *out_width,
                                          double                     *out_height);
CycAccessPlace cyc_access_plot_find      (const CycAccessPlot        *self,
                                          const CycAccessPlotView        *view,
                                          double                      x,
                                          double                      y);
gboolean       cyc_access_plot_snap      (const CycAccessPlot        *self,
                                          const CycAccessPlotView    *view,
                                          double                      x,
                                          double                      y,
                                          double                      reach,
                                          CycAccessPlace             *place);
gboolean       cyc_access_plot_find_block (const CycAccessPlot       *self,
                                          const CycAccessPlace       *place);
void           cyc_access_plot_draw      (const CycAccessPlot        *self,
                                          const CycAccessPlotView        *view,
                                          const CycPlotStyle         *style,
                                          cairo_t                    *cr);
void           cyc_access_plot_draw_marks (const CycAccessPlot       *self,
                                          const CycAccessPlotView        *view,
                                          const CycAccessMarks       *marks,
                                          const CycPlotStyle         *style,
                                          cairo_t                    *cr);
guint32        cyc_access_get_colour     (guint                       index);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycAccessPlot, cyc_access_plot_free)

G_END_DECLS
