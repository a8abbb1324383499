/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/access/cyc-access-figures.h"

G_BEGIN_DECLS

/* Windows of a level that do not overlap, and which elements the one that is open has touched. */
typedef struct
{
  GArray  *windows; /* of CycAccessWindow, by time */
  guint    at;      /* the one that is open, or the next */
  guint32 *stamps;  /* of each element: 1 + the last window that touched it */
  gint64   n;       /* elements of the open window */
  gint64   first;   /* its first access */
  gint64   last;
  GArray  *touched; /* of gint64: these elements; only where windows overlap */
} CycAccessLayer;

/* An element in a window that was live. */
typedef struct
{
  gint64 element;
  gint64 first;
  gint64 end;
} CycAccessStay;

/* Follows a level through time. */
typedef struct
{
  CycAccessLevelFigures *figures;
  guint                  n_layers;
  CycAccessLayer        *layers;
  guint64                touches; /* elements over all windows */
  double                 live_sum;
  GArray                *stays;   /* of CycAccessStay; only where windows overlap */
  guint8                *ever;    /* a bit for each element: only where windows overlap */
  gboolean               overflow;
} CycAccessFollower;

void    cyc_access_follower_init   (CycAccessFollower     *self,
                                    CycAccessLevelFigures *figures,
                                    GArray                *windows,
                                    gint64                 n_elements);
guint64 cyc_access_follower_get_bytes (GArray             *windows,
                                    gint64                 n_elements);
void    cyc_access_follower_take   (CycAccessFollower     *self,
                                    gint64                 t,
                                    gint64                 element);
void    cyc_access_follower_finish (CycAccessFollower     *self,
                                    gint64                 n_timesteps);
void    cyc_access_follower_clear  (CycAccessFollower     *self);

G_END_DECLS
