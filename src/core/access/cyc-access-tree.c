/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/access/cyc-access-plan-private.h"

#include <string.h>

#include "core/base/cyc-error.h"

/* Counts of loops and durations. */

#define MAX_TIME (G_GINT64_CONSTANT (1) << 60)

typedef struct
{
  CycAccessTree *tree;
  GPtrArray     *around; /* of CycAccessNode: the loops around what is looked at */
} Walk;

gint64
cyc_access_tree_get (const CycAccessTree *self,
                     const CycAccessNode *node)
{
  const gint64 *number = g_hash_table_lookup (self->numbers, node);

  return number != NULL ? *number : 0;
}

static void
set_number (CycAccessTree       *self,
            const CycAccessNode *node,
            gint64               value)
{
  g_hash_table_insert (self->numbers, (gpointer) node, g_memdup2 (&value, sizeof value));
}

/* The size of a loop's first tile. */
gint64
cyc_access_tree_get_initial (const CycAccessNode *loop)
{
  return loop->initial > 0 ? loop->initial : loop->tile;
}

static void
fail_at (const CycAccessNode  *node,
         GError              **error,
         const char           *text)
{
  cyc_error_set_at (error, CYC_ERROR_INPUT, node->file, node->line, "%s", text);
}

static const CycAccessNode *
find_compute (const CycAccessNode *node)
{
  if (node->kind == CYC_ACCESS_COMPUTE)
    return node;
  if (node->kind == CYC_ACCESS_NESTED)
    {
      const CycAccessNode *inner = cyc_access_node_get_continuation (node);
      return inner != NULL ? find_compute (inner) : NULL;
    }
  for (guint i = 0; cyc_access_node_is_split (node) && i < node->children->len; i++)
    {
      const CycAccessNode *found = find_compute (node->children->pdata[i]);
      if (found != NULL)
        return found;
    }
  return NULL;
}

/* Every Compute that is there names an Einsum that is there, too. */
static gboolean
check_computes (const CycAccessTree  *self,
                const CycAccessNode  *node,
                guint                *n_computes,
                GError              **error)
{
  if (node->kind == CYC_ACCESS_COMPUTE)
    {
      ++*n_computes;
      if (cyc_access_workload_find_einsum (self->spec->workload, node->einsum) != NULL)
        return TRUE;
      g_autoptr (GString) names = g_string_new (NULL);
      const GPtrArray *einsums = self->spec->workload->einsums;
      for (guint i = 0; i < einsums->len; i++)
        g_string_append_printf (names, "%s'%s'", i > 0 ? ", " : "", ((CycAccessEinsum *) einsums->pdata[i])->name);
      g_autofree char *text = g_strdup_printf ("Compute node targets Einsum '%s', which is not in the workload "
                                               "(which has [%s]).", node->einsum, names->str);
      fail_at (node, error, text);
      return FALSE;
    }
  for (guint i = 0; node->children != NULL && i < node->children->len; i++)
    if (!check_computes (self, node->children->pdata[i], n_computes, error))
      return FALSE;
  return TRUE;
}

static const CycAccessNode *
find_around (const Walk *walk,
             const char *variable)
{
  for (guint i = walk->around->len; i > 0; i--)
    {
      const CycAccessNode *loop = walk->around->pdata[i - 1];
      if (g_strv_length (loop->variables) == 1 && strcmp (loop->variables[0], variable) == 0)
        return loop;
    }
  return NULL;
}

/* Inner tiles are not cut where the outer tile ends, only at the bound: worth a word. */
static void
warn_of_overlap (Walk                *walk,
                 const CycAccessNode *loop,
                 gint64               count)
{
  const CycAccessNode *outer = find_around (walk, loop->variables[0]);

  if (outer == NULL || cyc_access_tree_get (walk->tree, outer) < 2)
    return;
  gint64 room = MIN (outer->tile, cyc_access_tree_get_initial (outer));
  __int128 covered = cyc_access_tree_get_initial (loop) + (__int128) (count - 1) * loop->tile;
  if (covered <= room)
    return;
  g_autofree char *inner_label = cyc_access_node_dup_label (loop);
  g_autofree char *outer_label = cyc_access_node_dup_label (outer);
  cyc_access_warning_add (walk->tree->warnings, loop->file, loop->line, "the tiles of loop '%s' stick out of those of "
                          "the outer loop '%s' (line %u): elements at their edges are accessed more than once",
                          inner_label, outer_label, outer->line);
}

static gboolean
count_loop (Walk                 *walk,
            const CycAccessNode  *loop,
            const CycAccessNode  *compute,
            GError              **error)
{
  const CycAccessEinsum *einsum = cyc_access_workload_find_einsum (walk->tree->spec->workload, compute->einsum);
  int index = g_strv_length (loop->variables) == 1 ? cyc_access_einsum_find_variable (einsum, loop->variables[0]) : -1;

  if (index < 0)
    {
      g_autofree char *label = cyc_access_node_dup_label (loop);
      g_autofree char *text = g_strdup_printf (
        "Cannot determine the number of iterations of loop '%s' for Einsum '%s'. Evaluate the mapping first (e.g. "
        "with spec.evaluate_mapping()) so that iteration counts are filled in.", label, einsum->name);
      fail_at (loop, error, text);
      return FALSE;
    }
  if (einsum->unbounded != NULL)
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, einsum->file, einsum->line, "%s", einsum->unbounded);
      return FALSE;
    }
  gint64 extent = einsum->highs[index] - einsum->lows[index] + 1;
  const CycAccessNode *outer = walk->tree->options->bounds ? NULL : find_around (walk, loop->variables[0]);
  if (outer != NULL)
    extent = MAX (outer->tile, outer->initial);
  gint64 initial = cyc_access_tree_get_initial (loop);
  gint64 count = extent <= initial ? 1 : 1 + (extent - initial + loop->tile - 1) / loop->tile;
  set_number (walk->tree, loop, count);
  warn_of_overlap (walk, loop, count);
  return TRUE;
}

static gboolean
add_time (const CycAccessNode  *node,
          gint64               *time,
          gint64                more,
          gint64                times,
          GError              **error)
{
  __int128 sum = *time + (__int128) more * times;

  *time = (gint64) MIN (sum, (__int128) MAX_TIME);
  if (sum < MAX_TIME)
    return TRUE;
  fail_at (node, error, "the loops up to here take over 10^18 timesteps; this is refused");
  return FALSE;
}

static gboolean measure (Walk                 *walk,
                         const CycAccessNode  *node,
                         GError              **error);

static gboolean
measure_list (Walk                 *walk,
              const CycAccessNode  *node,
              GError              **error)
{
  const CycAccessNode *inner = cyc_access_node_get_continuation (node);
  const CycAccessNode *compute = inner != NULL ? find_compute (inner) : NULL;
  guint depth = walk->around->len;
  gint64 time = 0;

  for (guint i = 0; i < node->children->len && compute != NULL; i++)
    {
      const CycAccessNode *child = node->children->pdata[i];
      if (!cyc_access_node_is_loop (child))
        continue;
      if (!count_loop (walk, child, compute, error))
        return FALSE;
      g_ptr_array_add (walk->around, (gpointer) child);
    }
  if (inner != NULL && !measure (walk, inner, error))
    return FALSE;
  if (inner != NULL)
    time = cyc_access_tree_get (walk->tree, inner);
  for (guint i = 0; i < node->children->len; i++)
    {
      const CycAccessNode *child = node->children->pdata[i];
      if (child->kind == CYC_ACCESS_TEMPORAL && compute != NULL &&
          !add_time (child, &time, time, cyc_access_tree_get (walk->tree, child) - 1, error))
        return FALSE;
    }
  g_ptr_array_set_size (walk->around, (int) depth);
  set_number (walk->tree, node, time);
  return TRUE;
}

static gboolean
measure (Walk                 *walk,
         const CycAccessNode  *node,
         GError              **error)
{
  gint64 time = 0;

  if (node->kind == CYC_ACCESS_NESTED)
    return measure_list (walk, node, error);
  for (guint i = 0; cyc_access_node_is_split (node) && i < node->children->len; i++)
    {
      const CycAccessNode *child = node->children->pdata[i];
      if (cyc_access_node_is_loop (child))
        continue;
      if (!measure (walk, child, error))
        return FALSE;
      gint64 part = cyc_access_tree_get (walk->tree, child);
      if (node->kind != CYC_ACCESS_SEQUENTIAL)
        time = MAX (time, part);
      else if (!add_time (child, &time, part, 1, error))
        return FALSE;
    }
  set_number (walk->tree, node, node->kind == CYC_ACCESS_COMPUTE ? 1 : time);
  return TRUE;
}

/* Fills @self->numbers. */
gboolean
cyc_access_tree_measure (CycAccessTree  *self,
                         GError        **error)
{
  g_autoptr (GPtrArray) around = g_ptr_array_new ();
  Walk walk = { self, around };
  guint n_computes = 0;

  if (!check_computes (self, self->spec->mapping, &n_computes, error))
    return FALSE;
  if (n_computes == 0)
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, self->spec->mapping->file, self->spec->mapping->line, "The mapping has "
                        "no Compute nodes, so there is nothing to trace. Did you forget to load a mapping into the "
                        "Spec?");
      return FALSE;
    }
  return measure (&walk, self->spec->mapping, error);
}

/* The time that one turn of the loop at @index of a nested list takes; 0 for a spatial one. */
gint64
cyc_access_tree_get_stride (const CycAccessTree *self,
                            const CycAccessNode *list,
                            guint                index)
{
  const CycAccessNode *inner = cyc_access_node_get_continuation (list);
  gint64 stride = inner != NULL ? cyc_access_tree_get (self, inner) : 0;

  for (guint i = index + 1; i < list->children->len; i++)
    {
      const CycAccessNode *child = list->children->pdata[i];
      if (child->kind == CYC_ACCESS_TEMPORAL)
        stride *= cyc_access_tree_get (self, child);
    }
  return stride;
}
