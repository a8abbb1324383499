/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/access/cyc-access-spec.h"

G_BEGIN_DECLS

/* What of a mapping is traced. Zero is everything, with loop counts as evaluated mappings have them. */
typedef struct
{
  const char *const *tensors;       /* only these; NULL for all */
  const char *const *einsums;       /* only these; NULL for all */
  gboolean           has_max_timesteps;
  gint64             max_timesteps; /* only so many from the beginning; 0 and less count as 1 */
  gint64             max_points;    /* error if an Einsum has more; 0 for no limit */
  gboolean           bounds;        /* every loop runs over the whole rank variable: upstream's counts */
} CycAccessOptions;

/* A loop around a leaf that has more than one turn, as the leaf's Einsum sees it. */
typedef struct
{
  const CycAccessNode *node;
  gboolean             temporal;
  int                  variable; /* of the Einsum; -1 if it only repeats */
  gint64               count;
  gint64               initial;  /* size of the first tile */
  gint64               tile;     /* of the others, and how far each moves on */
  gint64               stride;   /* in time; 0 for a spatial one */
} CycAccessLoop;

/* How the Einsum of a leaf covers one of its rank variables. */
typedef struct
{
  gint64   bound;
  gint64   residual; /* size of the largest innermost tile */
  int      loop;     /* whose tile that is; -1: it has the size residual always */
} CycAccessCover;

/* A compute of the mapping. */
typedef struct
{
  const CycAccessEinsum *einsum;
  const CycAccessNode   *node;
  gint64                 start;
  guint                  n_loops;
  CycAccessLoop         *loops;  /* outermost first */
  CycAccessCover        *covers; /* of each rank variable */
  gint64                 length; /* timesteps from @start to the end of its last turn */
} CycAccessLeaf;

/* The accesses that a leaf makes to a tensor. */
typedef struct
{
  const CycAccessLeaf *leaf;
  const CycAccessUse  *use;
  guint                tensor; /* of the plan */
} CycAccessEntry;

typedef struct
{
  const CycAccessTensor *tensor;
  gint64                *shape;
  gint64                 n_elements;
} CycAccessTraced;

typedef struct
{
  const CycAccessEinsum *einsum;
  gint64                 first;
  gint64                 end;
} CycAccessSpan;

/* Windows of a Storage node: one for each turn of the loops above it. */
typedef struct
{
  const CycAccessNode *node;
  gint64               start;
  gint64               length;
  guint                n_levels;
  gint64              *counts;  /* outermost first */
  gint64              *strides;
} CycAccessTiles;

/* A tensor in a memory level. */
typedef struct
{
  const char *tensor;
  GPtrArray  *tiles; /* of CycAccessTiles */
} CycAccessHeld;

typedef struct
{
  const char *component;
  GPtrArray  *held;  /* of CycAccessHeld */
} CycAccessLevel;

typedef struct
{
  gint64 first;
  gint64 end;
} CycAccessWindow;

/* All that can be said of a trace without walking it. Immutable once built. */
typedef struct
{
  const CycAccessSpec *spec;
  gint64     duration;
  gint64     n_timesteps;
  gboolean   truncated;
  GPtrArray *leaves;   /* of CycAccessLeaf, those that the Einsum filter lets pass */
  GArray    *entries;  /* of CycAccessEntry */
  GArray    *tensors;  /* of CycAccessTraced, in the order of their first access */
  GArray    *spans;    /* of CycAccessSpan, by first and end */
  GPtrArray *levels;   /* of CycAccessLevel, in the order of their first Storage */
  GPtrArray *warnings; /* of CycAccessWarning, after those of the spec */
  GHashTable *numbers; /* of nodes; see cyc_access_plan_get_number() */
} CycAccessPlan;

CycAccessPlan *cyc_access_plan_new         (const CycAccessSpec     *spec,
                                            const CycAccessOptions  *options,
                                            GError                 **error);
void           cyc_access_plan_free        (CycAccessPlan           *self);
int            cyc_access_plan_find_tensor (const CycAccessPlan     *self,
                                            const char              *name);
GArray        *cyc_access_plan_get_windows (const CycAccessPlan     *self,
                                            const CycAccessHeld     *held,
                                            GError                 **error);
gint64         cyc_access_plan_get_number  (const CycAccessPlan     *self,
                                            const CycAccessNode     *node);
GPtrArray     *cyc_access_plan_list_fused  (const CycAccessPlan     *self);
gboolean       cyc_access_plan_has_same_loops (const CycAccessPlan  *self,
                                            const CycAccessPlan     *other);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycAccessPlan, cyc_access_plan_free)

G_END_DECLS
