/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/access/cyc-access-plan.h"

G_BEGIN_DECLS

/* What the tree of the mapping comes to: count of every loop, duration of everything else. */
typedef struct
{
  const CycAccessSpec    *spec;
  const CycAccessOptions *options;
  GHashTable             *numbers;  /* CycAccessNode: gint64 *, count or duration */
  GPtrArray              *warnings;
} CycAccessTree;

gboolean cyc_access_tree_measure    (CycAccessTree        *self,
                                     GError              **error);
gint64   cyc_access_tree_get        (const CycAccessTree  *self,
                                     const CycAccessNode  *node);
gint64   cyc_access_tree_get_initial (const CycAccessNode *loop);
gint64   cyc_access_tree_get_stride (const CycAccessTree  *self,
                                     const CycAccessNode  *list,
                                     guint                 index);

/* The leaf's part of the first @limit timesteps, as boxes of loop indices. */
typedef struct
{
  gint64 *lows;  /* by loop of the leaf */
  gint64 *highs; /* inclusive */
} CycAccessBox;

gboolean cyc_access_leaf_get_ranges (const CycAccessLeaf  *leaf,
                                     const CycAccessUse   *use,
                                     gint64                n_timesteps,
                                     gint64               *lows,
                                     gint64               *highs,
                                     gboolean             *out_any,
                                     GError              **error);
gboolean cyc_access_leaf_get_span   (const CycAccessLeaf  *leaf,
                                     gint64                n_timesteps,
                                     gint64               *out_first,
                                     gint64               *out_end);
gboolean cyc_access_leaf_check_points (const CycAccessLeaf *leaf,
                                     gint64                n_timesteps,
                                     gint64                max_points,
                                     GError              **error);
void     cyc_access_plan_add_levels (CycAccessPlan        *plan,
                                     const CycAccessTree  *tree,
                                     const char *const    *tensors);

G_END_DECLS
