/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/access/cyc-access-plan.h"
#include "core/access/cyc-access-work.h"

G_BEGIN_DECLS

/* How many accesses come so many timesteps after the last one to the same element. */
typedef struct
{
  gint64  from;
  gint64  to; /* inclusive */
  guint64 count;
} CycAccessBin;

/* A tensor in a memory level. Sizes are in elements. */
typedef struct
{
  const char *component;
  guint64     n_windows;
  guint64     accesses;     /* in windows */
  guint64     distinct;     /* elements that some window touches */
  guint64     refetches;    /* windows that touch an element, less one, over the elements */
  gint64      live_peak;    /* elements of all windows that are live at once */
  gint64      live_peak_at; /* the first timestep of that */
  double      live_average; /* over all timesteps */
  gboolean    has_live;     /* FALSE where windows overlap and there are too many elements in them */
} CycAccessLevelFigures;

typedef struct
{
  guint    tensor;        /* of the plan */
  guint64  accesses;
  guint64  reads;
  guint64  writes;
  gint64   step_peak;     /* accesses in a timestep */
  gint64   step_peak_at;
  double   step_average;
  char    *unavailable;   /* why there is nothing of the following; NULL if there is */
  guint64  distinct;
  double   reuse;         /* accesses for each element */
  GArray  *distances;     /* of CycAccessBin, by distance */
  GArray  *levels;        /* of CycAccessLevelFigures */
} CycAccessFigures;

GPtrArray *cyc_access_figures_new  (const CycAccessPlan  *plan,
                                    const CycAccessWork  *work,
                                    guint64               max_bytes,
                                    GError              **error);
GPtrArray *cyc_access_figures_new_of_range (const CycAccessPlan *plan,
                                    gint64                from,
                                    gint64                to,
                                    const CycAccessWork  *work,
                                    guint64               max_bytes,
                                    GError              **error);
void       cyc_access_figures_free (CycAccessFigures     *self);
guint64    cyc_access_figures_get_max_bytes (void);

G_END_DECLS
