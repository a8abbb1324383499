/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/access/cyc-access-image.h"
#include "plot/cyc-access-plot.h"
#include "plot/cyc-plot-style.h"

G_BEGIN_DECLS

/* All distances are in points. */
typedef struct
{
  double x;
  double y;
  double width;
  double height;
} CycAccessArea;

typedef struct
{
  gint64 timestep;
  gint64 y;
} CycAccessPoint;

/* The accesses of an entry in a panel. */
typedef struct
{
  guint    colour; /* place in the list of colours */
  gboolean output;
  GArray  *points; /* of CycAccessPoint; NULL where the panel has too many */
} CycAccessSeries;

typedef struct
{
  guint            tensor;
  int              rank;   /* on the y axis; -1 for elements */
  char            *title;
  char            *y_label;
  gint64           extent;
  gint64           low;    /* of the y axis: what there is data of */
  gint64           high;
  double           view_low;
  double           view_high;
  guint            n_points;
  gboolean         crowded; /* there are too many tiles to be shown */
  CycAccessArea    area;   /* inside of its frame */
  gboolean         lowest; /* in its column */
  double           marker; /* size */
  GPtrArray       *series; /* of CycAccessSeries */
  CycAccessImage  *image;  /* instead of points; NULL */
  GArray          *blocks; /* of CycAccessBlock; NULL */
} CycAccessPanel;

typedef struct
{
  char    *label;
  guint    colour;
  gboolean output;
  gboolean is_level;
} CycAccessKey;

struct _CycAccessPlot
{
  guint      n_rows;
  guint      n_columns;
  gint64     from;  /* what there is data of */
  gint64     to;
  double     view_from;
  double     view_to;
  gboolean   truncated;
  char      *timestep_text;
  char      *truncated_text;
  char      *crowded_text;
  double     width;
  double     height;
  double     dpi;
  GPtrArray *panels; /* of CycAccessPanel */
  GPtrArray *keys;   /* of CycAccessKey; drawn if there are several */
  double     key_width; /* about, of the widest key */
};

#define CYC_ACCESS_KEY_ROW 13.0
#define CYC_ACCESS_KEY_COLUMNS 4

guint  cyc_access_plot_get_key_columns (const CycAccessPlot *plot,
                               guint                 n_keys);
double cyc_access_panel_get_x (const CycAccessPlot  *plot,
                               const CycAccessPanel *panel,
                               double                timestep);
double cyc_access_panel_get_y (const CycAccessPanel *panel,
                               double                y);
void   cyc_access_panel_size_markers (const CycAccessPlot *plot,
                               CycAccessPanel       *panel);
void   cyc_access_panel_draw  (const CycAccessPlot  *plot,
                               const CycAccessPanel *panel,
                               const CycPlotStyle   *style,
                               cairo_t              *cr);
void   cyc_access_draw_around (const CycAccessPlot  *plot,
                               const CycPlotStyle   *style,
                               cairo_t              *cr);

G_END_DECLS
