/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "core/access/cyc-access-plan-private.h"
#include "core/base/cyc-error.h"

/* Over which timesteps a memory level holds one tile of a tensor. */

#define MAX_WINDOWS (16 * 1024 * 1024)

typedef struct
{
  gint64 count;
  gint64 stride;
} Turn;

typedef struct
{
  CycAccessPlan       *plan;
  const CycAccessTree *tree;
  const char *const   *tensors;
  GArray              *turns; /* of Turn: the temporal loops around, outermost first */
} Walk;

static void walk_node (Walk                *self,
                       const CycAccessNode *node,
                       gint64               start);

static void
free_tiles (gpointer data)
{
  CycAccessTiles *tiles = data;

  g_free (tiles->counts);
  g_free (tiles->strides);
  g_free (tiles);
}

static void
free_held (gpointer data)
{
  CycAccessHeld *held = data;

  g_ptr_array_unref (held->tiles);
  g_free (held);
}

static CycAccessLevel *
take_level (CycAccessPlan *plan,
            const char    *component)
{
  for (guint i = 0; i < plan->levels->len; i++)
    if (strcmp (((CycAccessLevel *) plan->levels->pdata[i])->component, component) == 0)
      return plan->levels->pdata[i];
  CycAccessLevel *level = g_new0 (CycAccessLevel, 1);
  level->component = component;
  level->held = g_ptr_array_new_with_free_func (free_held);
  g_ptr_array_add (plan->levels, level);
  return level;
}

static CycAccessHeld *
take_held (CycAccessLevel *level,
           const char     *tensor)
{
  for (guint i = 0; i < level->held->len; i++)
    if (strcmp (((CycAccessHeld *) level->held->pdata[i])->tensor, tensor) == 0)
      return level->held->pdata[i];
  CycAccessHeld *held = g_new0 (CycAccessHeld, 1);
  held->tensor = tensor;
  held->tiles = g_ptr_array_new_with_free_func (free_tiles);
  g_ptr_array_add (level->held, held);
  return held;
}

static void
add_storage (Walk                *self,
             const CycAccessNode *node,
             gint64               start,
             gint64               length)
{
  for (guint i = 0; node->component != NULL && node->tensors[i] != NULL; i++)
    {
      if (self->tensors != NULL && !g_strv_contains (self->tensors, node->tensors[i]))
        continue;
      CycAccessTiles *tiles = g_new0 (CycAccessTiles, 1);
      tiles->node = node;
      tiles->start = start;
      tiles->length = length;
      tiles->n_levels = self->turns->len;
      tiles->counts = g_new (gint64, self->turns->len + 1);
      tiles->strides = g_new (gint64, self->turns->len + 1);
      for (guint j = 0; j < self->turns->len; j++)
        {
          tiles->counts[j] = g_array_index (self->turns, Turn, j).count;
          tiles->strides[j] = g_array_index (self->turns, Turn, j).stride;
        }
      CycAccessHeld *held = take_held (take_level (self->plan, node->component), node->tensors[i]);
      g_ptr_array_add (held->tiles, tiles);
    }
}

static void
walk_list (Walk                *self,
           const CycAccessNode *node,
           gint64               start)
{
  const CycAccessNode *inner = cyc_access_node_get_continuation (node);
  guint depth = self->turns->len;
  gint64 length = cyc_access_tree_get (self->tree, node);

  for (guint i = 0; i < node->children->len; i++)
    {
      const CycAccessNode *child = node->children->pdata[i];
      if (child->kind == CYC_ACCESS_STORAGE)
        add_storage (self, child, start, length);
      if (child->kind != CYC_ACCESS_TEMPORAL || inner == NULL)
        continue;
      Turn turn = { cyc_access_tree_get (self->tree, child), cyc_access_tree_get_stride (self->tree, node, i) };
      /* The tiles below last one turn. */
      length = turn.stride;
      if (turn.count > 1 && turn.stride > 0)
        g_array_append_val (self->turns, turn);
    }
  if (inner != NULL)
    walk_node (self, inner, start);
  g_array_set_size (self->turns, depth);
}

static void
walk_node (Walk                *self,
           const CycAccessNode *node,
           gint64               start)
{
  if (node->kind == CYC_ACCESS_NESTED)
    walk_list (self, node, start);
  if (!cyc_access_node_is_split (node))
    return;
  for (guint i = 0; i < node->children->len; i++)
    {
      const CycAccessNode *child = node->children->pdata[i];
      if (child->kind == CYC_ACCESS_STORAGE)
        add_storage (self, child, start, cyc_access_tree_get (self->tree, node));
    }
  for (guint i = 0; i < node->children->len; i++)
    {
      const CycAccessNode *child = node->children->pdata[i];
      walk_node (self, child, start);
      if (node->kind == CYC_ACCESS_SEQUENTIAL && !cyc_access_node_is_loop (child))
        start += cyc_access_tree_get (self->tree, child);
    }
}

/* Adds memory levels and what they hold, for tensors that pass the filter. */
void
cyc_access_plan_add_levels (CycAccessPlan       *plan,
                            const CycAccessTree *tree,
                            const char *const   *tensors)
{
  g_autoptr (GArray) turns = g_array_new (FALSE, FALSE, sizeof (Turn));
  Walk walk = { plan, tree, tensors, turns };

  walk_node (&walk, plan->spec->mapping, 0);
}

static gboolean
add_windows (const CycAccessPlan  *plan,
             const CycAccessTiles *tiles,
             guint                 level,
             gint64                start,
             GArray               *windows)
{
  if (start >= plan->n_timesteps)
    return TRUE;
  if (level == tiles->n_levels)
    {
      CycAccessWindow window = { start, MIN (start + tiles->length, plan->n_timesteps) };
      if (windows->len >= MAX_WINDOWS)
        return FALSE;
      if (window.end > window.first)
        g_array_append_val (windows, window);
      return TRUE;
    }
  for (gint64 i = 0; i < tiles->counts[level]; i++)
    {
      gint64 at = start + i * tiles->strides[level];
      if (at >= plan->n_timesteps)
        break;
      if (!add_windows (plan, tiles, level + 1, at, windows))
        return FALSE;
    }
  return TRUE;
}

static int
compare_windows (gconstpointer a,
                 gconstpointer b)
{
  const CycAccessWindow *x = a;
  const CycAccessWindow *y = b;

  if (x->first != y->first)
    return x->first < y->first ? -1 : 1;
  return (x->end > y->end) - (x->end < y->end);
}

/**
 * cyc_access_plan_get_windows:
 * @self: the plan
 * @held: a tensor in one of its levels
 * @error: return location for %CYC_ERROR_TOO_LARGE
 *
 * Lists the windows of all Storage nodes that hold the tensor in the level, each once, by first and end.
 *
 * Returns: (transfer full) (element-type CycAccessWindow) (nullable): them, %NULL if there are too many
 */
GArray *
cyc_access_plan_get_windows (const CycAccessPlan *self,
                             const CycAccessHeld *held,
                             GError             **error)
{
  g_autoptr (GArray) windows = g_array_new (FALSE, FALSE, sizeof (CycAccessWindow));

  for (guint i = 0; i < held->tiles->len; i++)
    if (!add_windows (self, held->tiles->pdata[i], 0, ((CycAccessTiles *) held->tiles->pdata[i])->start, windows))
      {
        cyc_error_set_at (error, CYC_ERROR_TOO_LARGE, NULL, 0, "tensor '%s' has over %d windows in one level; trace a "
                          "prefix (max_timesteps)", held->tensor, MAX_WINDOWS);
        return NULL;
      }
  if (held->tiles->len > 1)
    g_array_sort (windows, compare_windows);
  guint n = 0;
  for (guint i = 0; i < windows->len; i++)
    {
      CycAccessWindow window = g_array_index (windows, CycAccessWindow, i);
      if (n == 0 || compare_windows (&window, &g_array_index (windows, CycAccessWindow, n - 1)) != 0)
        g_array_index (windows, CycAccessWindow, n++) = window;
    }
  g_array_set_size (windows, n);
  return g_steal_pointer (&windows);
}
