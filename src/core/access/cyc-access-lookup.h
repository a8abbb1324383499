/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/access/cyc-access-plan.h"
#include "core/access/cyc-access-work.h"

G_BEGIN_DECLS

/* An access to the element that was looked up. */
typedef struct
{
  gint64 timestep;
  guint  entry; /* of the plan */
} CycAccessHit;

/* Where a loop around a leaf stands. */
typedef struct
{
  const CycAccessNode *node;
  gint64               turn;  /* -1: all turns of a spatial loop at once */
  gint64               count;
} CycAccessTurn;

GArray   *cyc_access_lookup_new          (const CycAccessPlan   *plan,
                                          guint                  tensor,
                                          int                    rank,
                                          gint64                 y,
                                          gint64                 from,
                                          gint64                 to,
                                          guint                  max_hits,
                                          const CycAccessWork   *work,
                                          guint64               *out_total,
                                          GError               **error);
gboolean  cyc_access_lookup_find_ends    (const CycAccessPlan   *plan,
                                          guint                  tensor,
                                          int                    rank,
                                          gint64                 y,
                                          gint64                 from,
                                          gint64                 to,
                                          const CycAccessWork   *work,
                                          gint64                *out_first,
                                          gint64                *out_last);
char     *cyc_access_traced_dup_place    (const CycAccessTraced *self,
                                          gint64                 element);
GArray   *cyc_access_leaf_get_turns      (const CycAccessLeaf   *self,
                                          gint64                 timestep);
const CycAccessNode *cyc_access_plan_find_storage (const CycAccessPlan *plan,
                                          const char            *component,
                                          const char            *tensor,
                                          gint64                 timestep);
GArray   *cyc_access_plan_get_node_windows (const CycAccessPlan *self,
                                          const CycAccessNode   *node,
                                          gint64                 from,
                                          gint64                 to,
                                          guint                  max_windows,
                                          gboolean              *out_all);

G_END_DECLS
