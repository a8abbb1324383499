/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/access/cyc-access-lookup.h"

#include <string.h>

#include "core/access/cyc-access-scan.h"

/* What a user asks of a place in the plot. */

typedef struct
{
  gint64  y;
  guint   max_hits; /* of each entry */
  guint   entry;
  guint   begin;    /* of its hits */
  guint64 total;
  gint64  first;    /* timesteps */
  gint64  last;
  GArray *hits;
} Finder;

/* Counts @n turns, and lists the first of them as far as there is room. */
static void
add_hits (Finder               *self,
          const CycAccessStrip *strip,
          gint64                first,
          gint64                n)
{
  gint64 room = self->max_hits - (self->hits->len - self->begin);
  gint64 from = strip->t + first * strip->dt;
  gint64 to = from + (n - 1) * strip->dt;

  for (gint64 i = first; i < first + MIN (n, room); i++)
    {
      CycAccessHit hit = { strip->t + i * strip->dt, self->entry };
      g_array_append_val (self->hits, hit);
    }
  self->total += (guint64) n;
  self->first = MIN (self->first, from);
  self->last = MAX (self->last, to);
}

/* Of a row of turns at most one is at the element, or all are. */
static gboolean
find_in_strip (const CycAccessStrip *strip,
               gpointer              user_data)
{
  Finder *self = user_data;

  for (guint j = 0; j < strip->n_rel; j++)
    {
      gint64 away = self->y - strip->e - strip->rel[j];
      if (strip->de == 0 && away == 0)
        add_hits (self, strip, 0, strip->n);
      else if (strip->de != 0 && away % strip->de == 0 && away / strip->de >= 0 && away / strip->de < strip->n)
        add_hits (self, strip, away / strip->de, 1);
    }
  return TRUE;
}

static int
compare_hits (gconstpointer a,
              gconstpointer b)
{
  const CycAccessHit *x = a;
  const CycAccessHit *y = b;

  if (x->timestep != y->timestep)
    return x->timestep < y->timestep ? -1 : 1;
  return (x->entry > y->entry) - (x->entry < y->entry);
}

/* Goes through the accesses to an element, entry by entry. */
static gboolean
look_up (Finder               *self,
         const CycAccessPlan  *plan,
         guint                 tensor,
         int                   rank,
         gint64                from,
         gint64                to,
         const CycAccessWork  *work,
         GError              **error)
{
  g_autoptr (GPtrArray) scans = cyc_access_scan_new_of_tensor (plan, tensor, rank, error);

  if (scans == NULL)
    return FALSE;
  self->first = G_MAXINT64;
  self->last = G_MININT64;
  for (guint i = 0; i < scans->len; i++)
    {
      self->entry = i;
      self->begin = self->hits->len;
      if (scans->pdata[i] != NULL
          && !cyc_access_scan_run (scans->pdata[i], from, to, work->cancellable, find_in_strip, self, error))
        return FALSE;
    }
  return TRUE;
}

/**
 * cyc_access_lookup_new:
 * @plan: the plan
 * @tensor: of the plan
 * @rank: whose coordinate @y is; -1: it is the element
 * @y: what to look for
 * @from: first timestep
 * @to: the one after the last
 * @max_hits: list at most so many, the first of all
 * @work: how to stop it
 * @out_total: (out) (optional): how many there are
 * @error: return location for an error
 *
 * Finds the accesses to an element in a range of time. Any thread.
 *
 * Returns: (transfer full) (element-type CycAccessHit) (nullable): by time, %NULL with @error set
 */
GArray *
cyc_access_lookup_new (const CycAccessPlan  *plan,
                       guint                 tensor,
                       int                   rank,
                       gint64                y,
                       gint64                from,
                       gint64                to,
                       guint                 max_hits,
                       const CycAccessWork  *work,
                       guint64              *out_total,
                       GError              **error)
{
  g_autoptr (GArray) hits = g_array_new (FALSE, FALSE, sizeof (CycAccessHit));
  Finder finder = { .y = y, .max_hits = max_hits, .hits = hits };

  if (!look_up (&finder, plan, tensor, rank, from, to, work, error))
    return NULL;
  g_array_sort (hits, compare_hits);
  g_array_set_size (hits, MIN (hits->len, max_hits));
  if (out_total != NULL)
    *out_total = finder.total;
  return g_steal_pointer (&hits);
}

/**
 * cyc_access_lookup_find_ends:
 * @plan: the plan
 * @tensor: of the plan
 * @rank: whose coordinate @y is; -1: it is the element
 * @y: what to look for
 * @from: first timestep
 * @to: the one after the last
 * @work: how to stop it
 * @out_first: (out): timestep of the first access
 * @out_last: (out): timestep of the last one
 *
 * Finds when an element is accessed first and last in a range of time. Any thread.
 *
 * Returns: %FALSE if it is not, or if nobody knows
 */
gboolean
cyc_access_lookup_find_ends (const CycAccessPlan *plan,
                             guint                tensor,
                             int                  rank,
                             gint64               y,
                             gint64               from,
                             gint64               to,
                             const CycAccessWork *work,
                             gint64              *out_first,
                             gint64              *out_last)
{
  g_autoptr (GArray) hits = g_array_new (FALSE, FALSE, sizeof (CycAccessHit));
  Finder finder = { .y = y, .hits = hits };

  if (!look_up (&finder, plan, tensor, rank, from, to, work, NULL) || finder.total == 0)
    return FALSE;
  *out_first = finder.first;
  *out_last = finder.last;
  return TRUE;
}

/**
 * cyc_access_traced_dup_place:
 * @self: a tensor
 * @element: row-major in its shape
 *
 * Returns: (transfer full): its coordinates with the names of the ranks, `M 3, K 0`; empty without ranks
 */
char *
cyc_access_traced_dup_place (const CycAccessTraced *self,
                             gint64                 element)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint r = self->tensor->n_ranks; r > 0; r--)
    {
      gint64 size = MAX (self->shape[r - 1], 1);
      g_autofree char *part = g_strdup_printf ("%s %" G_GINT64_FORMAT "%s", self->tensor->ranks[r - 1],
                                               r > 1 ? element % size : element,
                                               r < self->tensor->n_ranks ? ", " : "");
      g_string_prepend (text, part);
      element /= size;
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/**
 * cyc_access_leaf_get_turns:
 * @self: a leaf
 * @timestep: of the trace
 *
 * Finds where the loops around a compute stand at a timestep: those with more than one turn, outermost first.
 *
 * Returns: (transfer full) (element-type CycAccessTurn) (nullable): them; %NULL if it does nothing then
 */
GArray *
cyc_access_leaf_get_turns (const CycAccessLeaf *self,
                           gint64               timestep)
{
  g_autoptr (GArray) turns = g_array_new (FALSE, FALSE, sizeof (CycAccessTurn));
  gint64 left = timestep - self->start;

  if (left < 0)
    return NULL;
  for (guint i = 0; i < self->n_loops; i++)
    {
      const CycAccessLoop *loop = &self->loops[i];
      CycAccessTurn turn = { loop->node, -1, loop->count };
      if (loop->temporal)
        {
          turn.turn = left / loop->stride;
          left -= turn.turn * loop->stride;
          if (turn.turn >= loop->count)
            return NULL;
        }
      g_array_append_val (turns, turn);
    }
  return left == 0 ? g_steal_pointer (&turns) : NULL;
}

/**
 * cyc_access_plan_find_storage:
 * @plan: the plan
 * @component: a memory level
 * @tensor: a tensor
 * @timestep: of the trace
 *
 * Returns: (transfer none) (nullable): the first Storage node of the level that holds the tensor then
 */
const CycAccessNode *
cyc_access_plan_find_storage (const CycAccessPlan *plan,
                              const char          *component,
                              const char          *tensor,
                              gint64               timestep)
{
  for (guint i = 0; i < plan->levels->len; i++)
    {
      const CycAccessLevel *level = plan->levels->pdata[i];
      for (guint j = 0; j < level->held->len; j++)
        {
          const CycAccessHeld *held = level->held->pdata[j];
          if (strcmp (level->component, component) != 0 || strcmp (held->tensor, tensor) != 0)
            continue;
          for (guint k = 0; k < held->tiles->len; k++)
            {
              const CycAccessTiles *tiles = held->tiles->pdata[k];
              gint64 left = timestep - tiles->start;
              for (guint l = 0; l < tiles->n_levels && left >= 0; l++)
                left -= MIN (tiles->counts[l] - 1, left / tiles->strides[l]) * tiles->strides[l];
              if (left >= 0 && left < tiles->length)
                return tiles->node;
            }
        }
    }
  return NULL;
}
