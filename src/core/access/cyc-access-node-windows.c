/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/access/cyc-access-lookup.h"
#include "core/access/cyc-access-plan-private.h"

/* Over which timesteps a node of the mapping is at work. */

typedef struct
{
  gint64 count;
  gint64 stride;
} Turn;

typedef struct
{
  CycAccessTree        tree;
  const CycAccessNode *node;   /* that is looked for */
  GArray              *turns;  /* of Turn: the temporal loops around it, outermost first, and itself */
  gint64               start;
  gint64               length; /* of one window */
} Finder;

static void
push_turn (Finder              *self,
           const CycAccessNode *list,
           guint                index)
{
  Turn turn = { cyc_access_tree_get (&self->tree, list->children->pdata[index]),
                cyc_access_tree_get_stride (&self->tree, list, index) };

  if (turn.count > 1 && turn.stride > 0)
    g_array_append_val (self->turns, turn);
}

static gboolean find (Finder              *self,
                      const CycAccessNode *at,
                      gint64               start);

static gboolean
found (Finder *self,
       gint64  start,
       gint64  length)
{
  self->start = start;
  self->length = length;
  return TRUE;
}

static gboolean
find_in_list (Finder              *self,
              const CycAccessNode *list,
              gint64               start)
{
  const CycAccessNode *inner = cyc_access_node_get_continuation (list);
  guint depth = self->turns->len;
  gint64 length = cyc_access_tree_get (&self->tree, list);

  for (guint i = 0; i < list->children->len; i++)
    {
      const CycAccessNode *child = list->children->pdata[i];
      if (inner != NULL && child->kind == CYC_ACCESS_TEMPORAL)
        {
          length = cyc_access_tree_get_stride (&self->tree, list, i);
          push_turn (self, list, i);
        }
      if (child == self->node && child != inner)
        return found (self, start, length);
    }
  if (inner != NULL && find (self, inner, start))
    return TRUE;
  g_array_set_size (self->turns, depth);
  return FALSE;
}

static gboolean
find (Finder              *self,
      const CycAccessNode *at,
      gint64               start)
{
  gint64 length = cyc_access_tree_get (&self->tree, at);

  if (at == self->node)
    return found (self, start, length);
  if (at->kind == CYC_ACCESS_NESTED)
    return find_in_list (self, at, start);
  for (guint i = 0; cyc_access_node_is_split (at) && i < at->children->len; i++)
    {
      const CycAccessNode *child = at->children->pdata[i];
      gboolean branch = child->kind == CYC_ACCESS_NESTED || child->kind == CYC_ACCESS_COMPUTE ||
                        cyc_access_node_is_split (child);
      /* What is no branch stands for the whole split. */
      if (child == self->node && !branch)
        {
          gint64 whole = start;
          for (guint j = 0; j < i && at->kind == CYC_ACCESS_SEQUENTIAL; j++)
            if (!cyc_access_node_is_loop (at->children->pdata[j]))
              whole -= cyc_access_tree_get (&self->tree, at->children->pdata[j]);
          return found (self, whole, length);
        }
      if (branch && find (self, child, start))
        return TRUE;
      if (at->kind == CYC_ACCESS_SEQUENTIAL && !cyc_access_node_is_loop (child))
        start += cyc_access_tree_get (&self->tree, child);
    }
  return FALSE;
}

typedef struct
{
  const Finder *finder;
  GArray       *windows;
  gint64        from;
  gint64        to;
  guint         max;
  gboolean      all;
} Lister;

/* How long all from @level inwards takes. */
static gint64
get_extent (const Finder *finder,
            guint         level)
{
  gint64 extent = finder->length;

  for (guint i = level; i < finder->turns->len; i++)
    {
      const Turn *turn = &g_array_index (finder->turns, Turn, i);
      extent += (turn->count - 1) * turn->stride;
    }
  return extent;
}

static void
list (Lister *self,
      guint   level,
      gint64  start)
{
  const GArray *turns = self->finder->turns;

  if (level == turns->len)
    {
      CycAccessWindow window = { start, MIN (start + self->finder->length, self->to) };
      if (self->windows->len >= self->max)
        self->all = FALSE;
      else if (window.end > window.first && window.end > self->from)
        g_array_append_val (self->windows, window);
      return;
    }
  const Turn *turn = &g_array_index (turns, Turn, level);
  gint64 before = self->from - start - get_extent (self->finder, level + 1);
  for (gint64 i = before > 0 ? before / turn->stride : 0; i < turn->count && self->all; i++)
    {
      gint64 at = start + i * turn->stride;
      if (at >= self->to)
        break;
      list (self, level + 1, at);
    }
}

/**
 * cyc_access_plan_get_node_windows:
 * @self: the plan
 * @node: of its mapping
 * @from: first timestep
 * @to: the one after the last
 * @max_windows: list at most so many
 * @out_all: (out): %FALSE if there are more
 *
 * Lists when a node is at work: the turns of a loop, the tiles of a storage, the time of anything else.
 *
 * Returns: (transfer full) (element-type CycAccessWindow): windows that reach into the range, by time
 */
GArray *
cyc_access_plan_get_node_windows (const CycAccessPlan *self,
                                  const CycAccessNode *node,
                                  gint64               from,
                                  gint64               to,
                                  guint                max_windows,
                                  gboolean            *out_all)
{
  g_autoptr (GArray) turns = g_array_new (FALSE, FALSE, sizeof (Turn));
  g_autoptr (GArray) windows = g_array_new (FALSE, FALSE, sizeof (CycAccessWindow));
  Finder finder = { { self->spec, NULL, self->numbers, NULL }, node, turns };
  Lister lister = { &finder, windows, from, MIN (to, self->n_timesteps), max_windows, TRUE };

  if (find (&finder, self->spec->mapping, 0))
    list (&lister, 0, finder.start);
  *out_all = lister.all;
  return g_steal_pointer (&windows);
}
