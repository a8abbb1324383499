/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/access/cyc-access-plan.h"

#include <string.h>

#include "core/access/cyc-access-plan-private.h"
#include "core/base/cyc-error.h"

/* Turns of all loops around a leaf, and elements of a tensor: what still fits everywhere. */
#define MAX_PRODUCT ((__int128) 1 << 60)
#define MAX_ELEMENTS ((__int128) 1 << 60)

typedef struct
{
  CycAccessPlan          *plan;
  const CycAccessOptions *options;
  CycAccessTree           tree;
  GArray                 *path; /* of CycAccessLoop without variable */
} Builder;

static void
free_leaf (gpointer data)
{
  CycAccessLeaf *leaf = data;

  g_free (leaf->loops);
  g_free (leaf->covers);
  g_free (leaf);
}

static void
clear_traced (gpointer data)
{
  g_free (((CycAccessTraced *) data)->shape);
}

void
cyc_access_plan_free (CycAccessPlan *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->leaves);
  g_array_unref (self->entries);
  g_array_unref (self->tensors);
  g_array_unref (self->spans);
  g_ptr_array_unref (self->levels);
  g_ptr_array_unref (self->warnings);
  g_hash_table_unref (self->numbers);
  g_free (self);
}

/**
 * cyc_access_plan_get_number:
 * @self: a plan
 * @node: of its mapping
 *
 * Returns: how many turns a loop has; how many timesteps anything else takes
 */
gint64
cyc_access_plan_get_number (const CycAccessPlan *self,
                            const CycAccessNode *node)
{
  const gint64 *number = g_hash_table_lookup (self->numbers, node);

  return number != NULL ? *number : 0;
}

/**
 * cyc_access_plan_list_fused:
 * @self: a plan of all tensors
 *
 * Lists the tensors that the outermost memory level never holds: they stay below it.
 *
 * Returns: (transfer full) (element-type utf8): their names, in the order of their first access; none where there is
 *   no memory level
 */
GPtrArray *
cyc_access_plan_list_fused (const CycAccessPlan *self)
{
  GPtrArray *names = g_ptr_array_new ();
  const CycAccessLevel *outermost = self->levels->len > 0 ? self->levels->pdata[0] : NULL;

  for (guint i = 0; outermost != NULL && i < self->tensors->len; i++)
    {
      const char *name = g_array_index (self->tensors, CycAccessTraced, i).tensor->name;
      gboolean held = FALSE;
      for (guint j = 0; j < outermost->held->len; j++)
        held = held || strcmp (((CycAccessHeld *) outermost->held->pdata[j])->tensor, name) == 0;
      if (!held)
        g_ptr_array_add (names, (gpointer) name);
    }
  return names;
}

/**
 * cyc_access_plan_has_same_loops:
 * @self: a plan
 * @other: one of the same spec, with other options
 *
 * Returns: whether all loops have as many turns in both
 */
gboolean
cyc_access_plan_has_same_loops (const CycAccessPlan *self,
                                const CycAccessPlan *other)
{
  GHashTableIter iter;
  gpointer node;
  gpointer number;

  g_hash_table_iter_init (&iter, self->numbers);
  while (g_hash_table_iter_next (&iter, &node, &number))
    if (*(gint64 *) number != cyc_access_plan_get_number (other, node))
      return FALSE;
  return TRUE;
}

/**
 * cyc_access_plan_find_tensor:
 *
 * Returns: the place of a tensor in @self->tensors, -1 if it is not traced
 */
int
cyc_access_plan_find_tensor (const CycAccessPlan *self,
                             const char          *name)
{
  for (guint i = 0; i < self->tensors->len; i++)
    if (strcmp (g_array_index (self->tensors, CycAccessTraced, i).tensor->name, name) == 0)
      return (int) i;
  return -1;
}

static gboolean
passes (const char *const *filter,
        const char        *name)
{
  return filter == NULL || g_strv_contains (filter, name);
}

/* The innermost loop over each rank variable sets the size of what is left over. */
static void
cover_variables (CycAccessLeaf *leaf,
                 const GArray  *path)
{
  const CycAccessEinsum *einsum = leaf->einsum;

  leaf->covers = g_new0 (CycAccessCover, MAX (einsum->n_variables, 1));
  for (guint v = 0; v < einsum->n_variables; v++)
    {
      CycAccessCover *cover = &leaf->covers[v];
      cover->bound = einsum->highs[v] - einsum->lows[v] + 1;
      cover->residual = cover->bound;
      cover->loop = -1;
    }
  guint n = 0;
  for (guint i = 0; i < path->len; i++)
    {
      const CycAccessLoop *loop = &g_array_index (path, CycAccessLoop, i);
      int v = cyc_access_einsum_find_variable (einsum, loop->node->variables[0]);
      gboolean active = loop->count > 1;
      if (v >= 0)
        {
          leaf->covers[v].residual = active ? MAX (loop->initial, loop->tile) : loop->initial;
          leaf->covers[v].loop = active ? (int) n : -1;
        }
      if (!active)
        continue;
      leaf->loops[n] = *loop;
      leaf->loops[n].variable = v;
      n++;
    }
}

static gboolean
add_leaf (Builder              *self,
          const CycAccessNode  *node,
          gint64                start,
          GError              **error)
{
  const CycAccessEinsum *einsum = cyc_access_workload_find_einsum (self->plan->spec->workload, node->einsum);
  __int128 product = 1;

  if (!passes (self->options->einsums, einsum->name))
    return TRUE;
  if (einsum->unbounded != NULL)
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, einsum->file, einsum->line, "%s", einsum->unbounded);
      return FALSE;
    }
  CycAccessLeaf *leaf = g_new0 (CycAccessLeaf, 1);
  g_ptr_array_add (self->plan->leaves, leaf);
  leaf->einsum = einsum;
  leaf->node = node;
  leaf->start = start;
  leaf->length = 1;
  for (guint i = 0; i < self->path->len; i++)
    {
      const CycAccessLoop *loop = &g_array_index (self->path, CycAccessLoop, i);
      leaf->n_loops += loop->count > 1;
      leaf->length += (loop->count - 1) * loop->stride;
      product *= loop->count;
      if (product > MAX_PRODUCT)
        {
          cyc_error_set_at (error, CYC_ERROR_TOO_LARGE, node->file, node->line, "the loops around this node have over "
                            "10^18 turns; this is refused");
          return FALSE;
        }
    }
  leaf->loops = g_new0 (CycAccessLoop, leaf->n_loops + 1);
  cover_variables (leaf, self->path);
  return TRUE;
}

static gboolean add_leaves (Builder              *self,
                            const CycAccessNode  *node,
                            gint64                start,
                            GError              **error);

static gboolean
add_leaves_of_list (Builder              *self,
                    const CycAccessNode  *node,
                    gint64                start,
                    GError              **error)
{
  const CycAccessNode *inner = cyc_access_node_get_continuation (node);
  guint depth = self->path->len;

  if (inner == NULL)
    return TRUE;
  for (guint i = 0; i < node->children->len; i++)
    {
      const CycAccessNode *child = node->children->pdata[i];
      if (!cyc_access_node_is_loop (child) || g_strv_length (child->variables) != 1)
        continue;
      gboolean temporal = child->kind == CYC_ACCESS_TEMPORAL;
      CycAccessLoop loop = {
        child, temporal, -1, MAX (cyc_access_tree_get (&self->tree, child), 1), cyc_access_tree_get_initial (child),
        child->tile, temporal ? cyc_access_tree_get_stride (&self->tree, node, i) : 0,
      };
      g_array_append_val (self->path, loop);
    }
  gboolean good = add_leaves (self, inner, start, error);
  g_array_set_size (self->path, depth);
  return good;
}

static gboolean
add_leaves (Builder              *self,
            const CycAccessNode  *node,
            gint64                start,
            GError              **error)
{
  if (node->kind == CYC_ACCESS_COMPUTE)
    return add_leaf (self, node, start, error);
  if (node->kind == CYC_ACCESS_NESTED)
    return add_leaves_of_list (self, node, start, error);
  for (guint i = 0; cyc_access_node_is_split (node) && i < node->children->len; i++)
    {
      const CycAccessNode *child = node->children->pdata[i];
      if (!add_leaves (self, child, start, error))
        return FALSE;
      if (node->kind == CYC_ACCESS_SEQUENTIAL && !cyc_access_node_is_loop (child))
        start += cyc_access_tree_get (&self->tree, child);
    }
  return TRUE;
}

static int
compare_spans (gconstpointer a,
               gconstpointer b)
{
  const CycAccessSpan *x = a;
  const CycAccessSpan *y = b;

  if (x->first != y->first)
    return x->first < y->first ? -1 : 1;
  return (x->end > y->end) - (x->end < y->end);
}

static void
add_spans (CycAccessPlan *plan)
{
  for (guint i = 0; i < plan->leaves->len; i++)
    {
      const CycAccessLeaf *leaf = plan->leaves->pdata[i];
      CycAccessSpan span = { leaf->einsum };
      guint at = 0;
      if (!cyc_access_leaf_get_span (leaf, plan->n_timesteps, &span.first, &span.end))
        continue;
      while (at < plan->spans->len && g_array_index (plan->spans, CycAccessSpan, at).einsum != leaf->einsum)
        at++;
      if (at == plan->spans->len)
        {
          g_array_append_val (plan->spans, span);
          continue;
        }
      CycAccessSpan *before = &g_array_index (plan->spans, CycAccessSpan, at);
      before->first = MIN (before->first, span.first);
      before->end = MAX (before->end, span.end);
    }
  g_array_sort (plan->spans, compare_spans);
}

static guint
take_traced (CycAccessPlan         *plan,
             const CycAccessTensor *tensor)
{
  int index = cyc_access_plan_find_tensor (plan, tensor->name);

  if (index >= 0)
    return (guint) index;
  CycAccessTraced traced = { tensor, g_memdup2 (tensor->shape, sizeof (gint64) * MAX (tensor->n_ranks, 1)) };
  g_array_append_val (plan->tensors, traced);
  return plan->tensors->len - 1;
}

static gboolean
add_entry (CycAccessPlan        *plan,
           const CycAccessLeaf  *leaf,
           const CycAccessUse   *use,
           GError              **error)
{
  const CycAccessTensor *tensor = plan->spec->workload->tensors->pdata[use->tensor];
  g_autofree gint64 *lows = g_new0 (gint64, use->n_ranks + 1);
  g_autofree gint64 *highs = g_new0 (gint64, use->n_ranks + 1);
  CycAccessEntry entry = { leaf, use, take_traced (plan, tensor) };
  gboolean any;

  g_array_append_val (plan->entries, entry);
  if (tensor->unbounded != NULL)
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, leaf->einsum->file, leaf->einsum->line, "%s", tensor->unbounded);
      return FALSE;
    }
  if (!cyc_access_leaf_get_ranges (leaf, use, plan->n_timesteps, lows, highs, &any, error))
    return FALSE;
  for (guint r = 0; r < use->n_ranks && any; r++)
    {
      CycAccessTraced *traced = &g_array_index (plan->tensors, CycAccessTraced, entry.tensor);
      if (lows[r] < 0)
        {
          cyc_error_set_at (error, CYC_ERROR_INPUT, leaf->einsum->file, leaf->einsum->line, "Einsum '%s' reaches "
                            "coordinate %" G_GINT64_FORMAT " of rank '%s' of tensor '%s'; coordinates must not be "
                            "negative", leaf->einsum->name, lows[r], tensor->ranks[r], tensor->name);
          return FALSE;
        }
      traced->shape[r] = MAX (traced->shape[r], highs[r] + 1);
    }
  return TRUE;
}

static gboolean
count_elements (CycAccessPlan  *plan,
                GError        **error)
{
  for (guint i = 0; i < plan->tensors->len; i++)
    {
      CycAccessTraced *traced = &g_array_index (plan->tensors, CycAccessTraced, i);
      __int128 product = 1;
      for (guint r = 0; r < traced->tensor->n_ranks; r++)
        {
          product *= traced->shape[r];
          if (product > MAX_ELEMENTS)
            {
              cyc_error_set_at (error, CYC_ERROR_TOO_LARGE, NULL, 0, "tensor '%s' has over 10^18 elements; this is "
                                "refused", traced->tensor->name);
              return FALSE;
            }
        }
      traced->n_elements = (gint64) product;
    }
  return TRUE;
}

static gboolean
build (Builder  *self,
       GError  **error)
{
  CycAccessPlan *plan = self->plan;
  const CycAccessOptions *options = self->options;

  if (!cyc_access_tree_measure (&self->tree, error))
    return FALSE;
  plan->duration = cyc_access_tree_get (&self->tree, plan->spec->mapping);
  plan->n_timesteps = plan->duration;
  if (options->has_max_timesteps)
    plan->n_timesteps = MIN (plan->duration, MAX (options->max_timesteps, 1));
  plan->truncated = plan->n_timesteps < plan->duration;
  if (!add_leaves (self, plan->spec->mapping, 0, error))
    return FALSE;
  for (guint i = 0; i < plan->leaves->len; i++)
    if (!cyc_access_leaf_check_points (plan->leaves->pdata[i], plan->n_timesteps, options->max_points, error))
      return FALSE;
  add_spans (plan);
  for (guint i = 0; i < plan->leaves->len; i++)
    {
      const CycAccessLeaf *leaf = plan->leaves->pdata[i];
      for (guint u = 0; u < leaf->einsum->n_uses; u++)
        {
          const CycAccessUse *use = &leaf->einsum->uses[u];
          const CycAccessTensor *tensor = plan->spec->workload->tensors->pdata[use->tensor];
          if (passes (options->tensors, tensor->name) && !add_entry (plan, leaf, use, error))
            return FALSE;
        }
    }
  cyc_access_plan_add_levels (plan, &self->tree, options->tensors);
  return count_elements (plan, error);
}

static void
free_level (gpointer data)
{
  CycAccessLevel *level = data;

  g_ptr_array_unref (level->held);
  g_free (level);
}

/**
 * cyc_access_plan_new:
 * @spec: a workload and its mapping; must outlive the plan
 * @options: what to trace
 * @error: return location for an error; it names file and line where it can
 *
 * Works out everything about a trace but its accesses: timesteps, loops, shapes, spans, windows. Time and memory
 * go with the mapping, not with its turns. Any thread.
 *
 * Returns: (transfer full) (nullable): the plan, %NULL with @error set
 */
CycAccessPlan *
cyc_access_plan_new (const CycAccessSpec     *spec,
                     const CycAccessOptions  *options,
                     GError                 **error)
{
  g_autoptr (CycAccessPlan) plan = g_new0 (CycAccessPlan, 1);
  g_autoptr (GArray) path = g_array_new (FALSE, FALSE, sizeof (CycAccessLoop));

  plan->spec = spec;
  plan->numbers = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  plan->leaves = g_ptr_array_new_with_free_func (free_leaf);
  plan->entries = g_array_new (FALSE, FALSE, sizeof (CycAccessEntry));
  plan->tensors = g_array_new (FALSE, FALSE, sizeof (CycAccessTraced));
  g_array_set_clear_func (plan->tensors, clear_traced);
  plan->spans = g_array_new (FALSE, FALSE, sizeof (CycAccessSpan));
  plan->levels = g_ptr_array_new_with_free_func (free_level);
  plan->warnings = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_access_warning_free);
  Builder builder = { plan, options, { spec, options, plan->numbers, plan->warnings }, path };
  return build (&builder, error) ? g_steal_pointer (&plan) : NULL;
}
