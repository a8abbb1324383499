/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/access/cyc-access-scan.h"

G_BEGIN_DECLS

/* The accesses of one timestep relative to the element at the turns of the temporal loops, in order and each
 * once. Where spatial loops are walked outside of temporal ones, part i belongs to their i-th turn. */
typedef struct
{
  GArray *rel;     /* of gint64 */
  GArray *offsets; /* of guint: where each part begins, and the end */
} CycAccessPattern;

/* Of values that are not used in the end: these may wrap around. */
static inline gint64
cyc_access_add (gint64 a,
                gint64 b)
{
  return (gint64) ((guint64) a + (guint64) b);
}

static inline gint64
cyc_access_times (gint64 a,
                  gint64 b)
{
  return (gint64) ((guint64) a * (guint64) b);
}

struct _CycAccessScan
{
  const CycAccessPlan  *plan;
  const CycAccessTraced *traced;
  const CycAccessLeaf  *leaf;
  const CycAccessUse   *use;
  guint                 n_variables;

  /* The value of a point is constant + the sum of weights[v] * coordinate v. */
  gint64               *weights;
  gint64                constant;
  gboolean             *projected; /* whether v has a part in the coordinates at all */

  guint                 n_walked;  /* loops that are walked turn by turn, outermost first */
  guint                *walked;
  gint64               *inside;    /* of each: timesteps that its inner loops reach over, less one */
  guint                 n_spread;  /* spatial loops over projected variables */
  guint                *spread;
  guint                 n_outer;   /* the first of them: those that are walked, too */
  gint64                n_parts;   /* turns of those */
  gint64               *reach;     /* of each variable: the largest sum of the offsets of spread loops */

  gboolean              single;    /* one access a timestep */
  gboolean              direct;    /* too many for a pattern, but all distinct */
  gboolean              distinct;  /* no two points of a timestep have the same coordinates */
  gint64               *local;     /* else: weights that number the coordinates around a timestep */
  gint64                local_constant;
  guint64               local_size;

  GHashTable           *patterns;
  CycAccessPattern     *last;      /* of the last key */
  gint64                last_key[33];
  guint64               pattern_size;

  /* The state of a run. */
  gint64               *turns;     /* of each loop of the leaf */
  gint64               *time_base; /* of each variable: by temporal loops */
  gint64               *base;      /* by all loops that are walked */
  gint64                part;
  gint64                from;
  gint64                to;
  GCancellable         *cancellable;
  guint                 ticks;
  gboolean              stopped;
  CycAccessStripFunc    func;
  gpointer              user_data;
};

/* A walk over spread loops and what is left over inside of the innermost tiles. */
typedef struct
{
  CycAccessScan *scan;
  guint          first;  /* spread loops before this one stand */
  gboolean       from_here; /* at the turns of the walked loops, not around the temporal ones */
  /* Takes @n values from @value on in steps of @step. */
  gboolean     (*run)    (gint64    value,
                          gint64    step,
                          gint64    local,
                          gint64    local_step,
                          gint64    n,
                          gpointer  data);
  void         (*part)   (gpointer  data); /* before each turn of the outer spread loops; NULL */
  gpointer       data;
  gint64        *bases;
} CycAccessInner;

gint64            cyc_access_loop_get_offset  (const CycAccessLoop *loop,
                                               gint64               turn);
gboolean          cyc_access_inner_walk       (CycAccessInner      *self);
CycAccessPattern *cyc_access_scan_get_pattern (CycAccessScan       *self);
void              cyc_access_pattern_free     (CycAccessPattern    *self);
gint64            cyc_access_scan_get_extent  (const CycAccessScan *self,
                                               guint                variable);

guint             cyc_access_key_hash         (gconstpointer        key);
gboolean          cyc_access_key_equal        (gconstpointer        a,
                                               gconstpointer        b);

G_END_DECLS
