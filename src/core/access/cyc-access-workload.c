/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/access/cyc-access-workload.h"

#include <string.h>

#include "core/access/cyc-access-workload-private.h"
#include "core/base/cyc-error.h"

#define MAX_EINSUMS 4096
#define MAX_ACCESSES 16384

typedef struct
{
  CycAccessWorkload *workload;
  GPtrArray         *drafts;     /* of CycAccessDraft */
  const CycYamlNode *space;      /* map: rank variable to constraint; NULL */
  const CycYamlNode *rank_sizes; /* map; NULL */
} Reader;

static void
free_einsum (gpointer data)
{
  CycAccessEinsum *einsum = data;

  for (guint i = 0; i < einsum->n_uses; i++)
    {
      for (guint j = 0; j < einsum->uses[i].n_ranks; j++)
        cyc_affine_clear (&einsum->uses[i].ranks[j]);
      g_free (einsum->uses[i].ranks);
    }
  g_free (einsum->uses);
  g_free (einsum->name);
  g_free (einsum->unbounded);
  g_strfreev (einsum->variables);
  g_free (einsum->lows);
  g_free (einsum->highs);
  g_clear_pointer (&einsum->constraints, g_array_unref);
  g_free (einsum);
}

static void
free_tensor (gpointer data)
{
  CycAccessTensor *tensor = data;

  g_free (tensor->name);
  g_strfreev (tensor->ranks);
  g_free (tensor->unbounded);
  g_free (tensor->shape);
  g_free (tensor);
}

void
cyc_access_workload_free (CycAccessWorkload *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->einsums);
  g_ptr_array_unref (self->tensors);
  g_free (self);
}

const CycAccessEinsum *
cyc_access_workload_find_einsum (const CycAccessWorkload *self,
                                 const char              *name)
{
  for (guint i = 0; i < self->einsums->len; i++)
    if (strcmp (((CycAccessEinsum *) self->einsums->pdata[i])->name, name) == 0)
      return self->einsums->pdata[i];
  return NULL;
}

/* -1 if there is none. */
int
cyc_access_workload_find_tensor (const CycAccessWorkload *self,
                                 const char              *name)
{
  for (guint i = 0; i < self->tensors->len; i++)
    if (strcmp (((CycAccessTensor *) self->tensors->pdata[i])->name, name) == 0)
      return (int) i;
  return -1;
}

/* -1 if it is none of its rank variables. */
int
cyc_access_einsum_find_variable (const CycAccessEinsum *self,
                                 const char            *name)
{
  for (guint i = 0; i < self->n_variables; i++)
    if (strcmp (self->variables[i], name) == 0)
      return (int) i;
  return -1;
}

static int
compare_texts (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static GStrv
collect_variables (const CycAccessDraft *draft)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; i < draft->uses->len; i++)
    {
      const CycAccessDraftUse *use = draft->uses->pdata[i];
      for (guint j = 0; j < use->expressions->len; j++)
        cyc_affine_collect (use->expressions->pdata[j], names);
    }
  g_ptr_array_sort (names, compare_texts);
  g_ptr_array_add (names, NULL);
  return (GStrv) g_ptr_array_free (g_steal_pointer (&names), FALSE);
}

/* As Python prints a sorted list of names. */
static char *
print_sorted (GPtrArray *names)
{
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();
  g_autoptr (GString) text = g_string_new ("[");

  for (guint i = 0; i < names->len; i++)
    g_ptr_array_add (sorted, names->pdata[i]);
  g_ptr_array_sort (sorted, compare_texts);
  for (guint i = 0; i < sorted->len; i++)
    g_string_append_printf (text, "%s'%s'", i > 0 ? ", " : "", (const char *) sorted->pdata[i]);
  g_string_append_c (text, ']');
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *
list_users (const Reader *self,
            const char   *tensor)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < self->drafts->len; i++)
    {
      const CycAccessDraft *draft = self->drafts->pdata[i];
      for (guint j = 0; j < draft->uses->len; j++)
        if (strcmp (((CycAccessDraftUse *) draft->uses->pdata[j])->name, tensor) == 0)
          g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", draft->name);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static gboolean
fail_ranks (const Reader             *self,
            const CycAccessDraftUse  *use,
            const CycAccessTensor    *tensor,
            GError                  **error)
{
  g_autoptr (GPtrArray) first = g_ptr_array_new ();

  for (guint i = 0; i < tensor->n_ranks; i++)
    g_ptr_array_add (first, tensor->ranks[i]);
  g_autofree char *a = print_sorted (first);
  g_autofree char *b = print_sorted (use->ranks);
  g_autofree char *users = list_users (self, use->name);
  cyc_yaml_node_error (use->node, error, "TensorName %s has inconsistent ranks. Found %s and %s. TensorName is in "
                       "Einsums %s", use->name, a, b, users);
  return FALSE;
}

/* The tensor of an access, which its first access makes. */
static int
take_tensor (const Reader             *self,
             const CycAccessDraftUse  *use,
             GError                  **error)
{
  int index = cyc_access_workload_find_tensor (self->workload, use->name);

  if (index >= 0)
    {
      const CycAccessTensor *tensor = self->workload->tensors->pdata[index];
      gboolean same = tensor->n_ranks == use->ranks->len;
      for (guint i = 0; i < use->ranks->len && same; i++)
        same = g_strv_contains ((const char *const *) tensor->ranks, use->ranks->pdata[i]);
      return same || fail_ranks (self, use, tensor, error) ? index : -1;
    }
  CycAccessTensor *tensor = g_new0 (CycAccessTensor, 1);
  tensor->name = g_strdup (use->name);
  tensor->n_ranks = use->ranks->len;
  tensor->ranks = g_new0 (char *, tensor->n_ranks + 1);
  for (guint i = 0; i < tensor->n_ranks; i++)
    tensor->ranks[i] = g_strdup (use->ranks->pdata[i]);
  tensor->shape = g_new0 (gint64, MAX (tensor->n_ranks, 1));
  g_ptr_array_add (self->workload->tensors, tensor);
  return (int) self->workload->tensors->len - 1;
}

static gboolean
build_use (const Reader             *self,
           const CycAccessEinsum    *einsum,
           const CycAccessDraftUse  *draft,
           CycAccessUse             *use,
           GError                  **error)
{
  int index = take_tensor (self, draft, error);

  if (index < 0)
    return FALSE;
  const CycAccessTensor *tensor = self->workload->tensors->pdata[index];
  use->tensor = (guint) index;
  use->output = draft->output;
  use->n_ranks = tensor->n_ranks;
  use->ranks = g_new0 (CycAffine, MAX (use->n_ranks, 1));
  for (guint i = 0; i < use->n_ranks; i++)
    {
      guint at = 0;
      g_autofree char *problem = NULL;
      g_ptr_array_find_with_equal_func (draft->ranks, tensor->ranks[i], g_str_equal, &at);
      const char *text = draft->expressions->pdata[at];
      if (!cyc_affine_parse (text, (const char *const *) einsum->variables, &use->ranks[i], &problem))
        {
          cyc_yaml_node_error (draft->node, error, "the projection of '%s' to rank '%s' cannot be read: %s in '%s'",
                               tensor->name, tensor->ranks[i], problem, text);
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
add_constraints (CycAccessEinsum    *einsum,
                 const CycYamlNode  *node,
                 GError            **error)
{
  g_autofree char *problem = NULL;

  if (node->kind != CYC_YAML_SCALAR)
    {
      cyc_yaml_node_error (node, error, "a constraint must be a text like 0 <= m < 8, not %s",
                           cyc_yaml_node_describe (node));
      return FALSE;
    }
  if (cyc_affine_parse_constraints (node->text, (const char *const *) einsum->variables, einsum->constraints,
                                    &problem))
    return TRUE;
  cyc_yaml_node_error (node, error, "the constraint '%s' cannot be read for Einsum '%s': %s", node->text,
                       einsum->name, problem);
  return FALSE;
}

/* The size of a rank: the Einsum's own first. 0 if there is none, -1 with @error set. */
static gint64
find_size (const Reader          *self,
           const CycAccessDraft  *draft,
           const char            *rank,
           GError               **error)
{
  const CycYamlNode *node = draft->rank_sizes != NULL ? cyc_yaml_node_get (draft->rank_sizes, rank) : NULL;
  gint64 size;

  if (node == NULL && self->rank_sizes != NULL)
    node = cyc_yaml_node_get (self->rank_sizes, rank);
  if (node == NULL)
    return 0;
  if (!cyc_access_read_integer (node, &size) || size < 1 || size > CYC_ACCESS_MAX_NUMBER)
    {
      cyc_yaml_node_error (node, error, "the size of rank '%s' must be an integer from 1 to 10^12, not '%s'", rank,
                           node->kind == CYC_YAML_SCALAR ? node->text : cyc_yaml_node_describe (node));
      return -1;
    }
  return size;
}

/* 0 <= expression < size, for every rank of an access that has a size. */
static gboolean
add_sizes (const Reader          *self,
           CycAccessEinsum       *einsum,
           const CycAccessDraft  *draft,
           GError               **error)
{
  for (guint i = 0; i < einsum->n_uses; i++)
    {
      const CycAccessUse *use = &einsum->uses[i];
      const CycAccessTensor *tensor = self->workload->tensors->pdata[use->tensor];
      for (guint j = 0; j < use->n_ranks; j++)
        {
          gint64 size = find_size (self, draft, tensor->ranks[j], error);
          if (size < 0)
            return FALSE;
          for (guint upper = 0; upper < 2 && size > 0; upper++)
            {
              CycAffineConstraint constraint = { use->ranks[j] };
              constraint.left.coefs = g_memdup2 (use->ranks[j].coefs, sizeof (gint64) * MAX (einsum->n_variables, 1));
              for (guint v = 0; v < einsum->n_variables && upper; v++)
                constraint.left.coefs[v] = -constraint.left.coefs[v];
              if (upper)
                constraint.left.constant = size - 1 - constraint.left.constant;
              g_array_append_val (einsum->constraints, constraint);
            }
        }
    }
  return TRUE;
}

static void
find_bounds (CycAccessEinsum *einsum)
{
  guint n = einsum->n_variables;

  einsum->lows = g_new0 (gint64, MAX (n, 1));
  einsum->highs = g_new0 (gint64, MAX (n, 1));
  if (!cyc_affine_propagate (einsum->constraints, n, einsum->lows, einsum->highs))
    {
      einsum->unbounded = g_strdup_printf ("Shape is not an integer. Are all rank variables bounded? The constraints "
                                           "of Einsum '%s' leave no values", einsum->name);
      return;
    }
  for (guint i = 0; i < n; i++)
    if (einsum->lows[i] < -CYC_ACCESS_MAX_NUMBER || einsum->highs[i] > CYC_ACCESS_MAX_NUMBER)
      {
        einsum->unbounded = g_strdup_printf ("Shape is not an integer. Are all rank variables bounded? Rank variable "
                                             "'%s' of Einsum '%s' has no bounds, or some beyond 10^12",
                                             einsum->variables[i], einsum->name);
        return;
      }
}

static void
clear_constraint (gpointer data)
{
  cyc_affine_clear (&((CycAffineConstraint *) data)->left);
}

static gboolean
build_constraints (const Reader          *self,
                   CycAccessEinsum       *einsum,
                   const CycAccessDraft  *draft,
                   GError               **error)
{
  einsum->constraints = g_array_new (FALSE, FALSE, sizeof (CycAffineConstraint));
  g_array_set_clear_func (einsum->constraints, clear_constraint);
  if (draft->space != NULL && draft->space->kind != CYC_YAML_LIST && !cyc_yaml_node_is_null (draft->space))
    {
      cyc_yaml_node_error (draft->space, error, "iteration_space_shape of an Einsum must be a list, not %s",
                           cyc_yaml_node_describe (draft->space));
      return FALSE;
    }
  for (guint i = 0; draft->space != NULL && i < draft->space->n_items; i++)
    if (!add_constraints (einsum, draft->space->items[i], error))
      return FALSE;
  for (guint i = 0; self->space != NULL && i < self->space->n_items; i++)
    if (cyc_access_einsum_find_variable (einsum, self->space->keys[i]->text) >= 0 &&
        !add_constraints (einsum, self->space->items[i], error))
      return FALSE;
  return add_sizes (self, einsum, draft, error);
}

static gboolean
build_einsum (const Reader          *self,
              const CycAccessDraft  *draft,
              GError               **error)
{
  if (cyc_access_workload_find_einsum (self->workload, draft->name) != NULL)
    {
      cyc_yaml_node_error (draft->node, error, "Einsum name %s is not unique", draft->name);
      return FALSE;
    }
  CycAccessEinsum *einsum = g_new0 (CycAccessEinsum, 1);
  g_ptr_array_add (self->workload->einsums, einsum);
  einsum->name = g_strdup (draft->name);
  einsum->file = draft->node->file;
  einsum->line = draft->node->line;
  einsum->variables = collect_variables (draft);
  einsum->n_variables = g_strv_length (einsum->variables);
  einsum->uses = g_new0 (CycAccessUse, MAX (draft->uses->len, 1));
  for (guint i = 0; i < draft->uses->len; i++)
    {
      einsum->n_uses = i + 1;
      if (!build_use (self, einsum, draft->uses->pdata[i], &einsum->uses[i], error))
        return FALSE;
    }
  return TRUE;
}

/* The range of a rank's expression, cut by constraints on just this expression. */
static void
get_rank_range (const CycAccessEinsum *einsum,
                const CycAffine       *rank,
                gint64                *out_low,
                gint64                *out_high)
{
  cyc_affine_get_range (rank, einsum->lows, einsum->highs, out_low, out_high);
  for (guint i = 0; i < einsum->constraints->len; i++)
    {
      const CycAffine *left = &g_array_index (einsum->constraints, CycAffineConstraint, i).left;
      gboolean same = TRUE;
      gboolean opposite = TRUE;
      for (guint v = 0; v < einsum->n_variables; v++)
        {
          same = same && left->coefs[v] == rank->coefs[v];
          opposite = opposite && left->coefs[v] == -rank->coefs[v];
        }
      if (same)
        *out_low = MAX (*out_low, rank->constant - left->constant);
      if (opposite)
        *out_high = MIN (*out_high, rank->constant + left->constant);
    }
}

/* Nominal shape: over the Einsums that write the tensor, else all that read it; their overlap. */
static void
find_shape (const CycAccessWorkload *self,
            guint                    index)
{
  CycAccessTensor *tensor = self->tensors->pdata[index];
  g_autofree gint64 *lows = g_new (gint64, MAX (tensor->n_ranks, 1));
  g_autofree gint64 *highs = g_new (gint64, MAX (tensor->n_ranks, 1));
  gboolean written = FALSE;

  for (guint pass = 0; pass < 2 && !written; pass++)
    {
      for (guint r = 0; r < tensor->n_ranks; r++)
        {
          lows[r] = -CYC_AFFINE_NONE;
          highs[r] = CYC_AFFINE_NONE;
        }
      for (guint i = 0; i < self->einsums->len; i++)
        {
          const CycAccessEinsum *einsum = self->einsums->pdata[i];
          for (guint u = 0; u < einsum->n_uses; u++)
            {
              const CycAccessUse *use = &einsum->uses[u];
              if (use->tensor != index || use->output != (pass == 0))
                continue;
              written = TRUE;
              if (einsum->unbounded != NULL && tensor->unbounded == NULL)
                tensor->unbounded = g_strdup (einsum->unbounded);
              for (guint r = 0; r < use->n_ranks && einsum->unbounded == NULL; r++)
                {
                  gint64 low;
                  gint64 high;
                  get_rank_range (einsum, &use->ranks[r], &low, &high);
                  lows[r] = MAX (lows[r], low);
                  highs[r] = MIN (highs[r], high);
                }
            }
        }
    }
  for (guint r = 0; r < tensor->n_ranks; r++)
    tensor->shape[r] = MAX (highs[r] - lows[r] + 1, 0);
}

/* Lists in lists are one list. */
static gboolean
read_drafts (Reader             *self,
             const CycYamlNode  *list,
             GError            **error)
{
  for (guint i = 0; i < list->n_items; i++)
    {
      if (list->items[i]->kind == CYC_YAML_LIST)
        {
          if (!read_drafts (self, list->items[i], error))
            return FALSE;
          continue;
        }
      CycAccessDraft *draft = cyc_access_draft_read (list->items[i], error);
      if (draft == NULL)
        return FALSE;
      g_ptr_array_add (self->drafts, draft);
      if (draft->rank_sizes != NULL && draft->rank_sizes->kind != CYC_YAML_MAP &&
          !cyc_yaml_node_is_null (draft->rank_sizes))
        {
          cyc_yaml_node_error (draft->rank_sizes, error, "rank_sizes must be a map, not %s",
                               cyc_yaml_node_describe (draft->rank_sizes));
          return FALSE;
        }
      for (guint r = 0; draft->rank_sizes != NULL && r < draft->rank_sizes->n_items; r++)
        if (g_ascii_islower (draft->rank_sizes->keys[r]->text[0]))
          {
            cyc_yaml_node_error (draft->rank_sizes->keys[r], error, "Rank name '%s' in Einsum '%s' rank_sizes must "
                                 "start with an uppercase letter. Rank names are uppercase (e.g., 'M'); rank "
                                 "variables are lowercase (e.g., 'm').", draft->rank_sizes->keys[r]->text, draft->name);
            return FALSE;
          }
    }
  return TRUE;
}

static gboolean
check_map (const CycYamlNode  *map,
           gboolean            of_ranks,
           GError            **error)
{
  for (guint i = 0; map != NULL && i < map->n_items; i++)
    {
      const char *name = map->keys[i]->text;
      if (of_ranks && g_ascii_islower (name[0]))
        {
          cyc_yaml_node_error (map->keys[i], error, "Rank name '%s' in workload rank_sizes must start with an "
                               "uppercase letter. Rank names are uppercase (e.g., 'M'); rank variables are lowercase "
                               "(e.g., 'm').", name);
          return FALSE;
        }
      if (!of_ranks && g_ascii_isupper (name[0]))
        {
          cyc_yaml_node_error (map->keys[i], error, "Rank variable '%s' in workload iteration_space_shape must "
                               "start with a lowercase letter. Rank variables are lowercase (e.g., 'm'); rank names "
                               "are uppercase (e.g., 'M').", name);
          return FALSE;
        }
    }
  return TRUE;
}

/* A key of the workload; NULL with @error unset if it is not there or is null. */
static const CycYamlNode *
take_key (const CycYamlNode  *node,
          const char         *key,
          CycYamlKind         kind,
          GError            **error)
{
  const CycYamlNode *value = cyc_yaml_node_get (node, key);

  if (value == NULL || cyc_yaml_node_is_null (value))
    return NULL;
  if (value->kind == kind)
    return value;
  cyc_yaml_node_error (value, error, "%s must be %s, not %s", key, kind == CYC_YAML_LIST ? "a list" : "a map",
                       cyc_yaml_node_describe (value));
  return NULL;
}

/* Names are looked for in lists, which is quick for any workload that people have. */
static gboolean
check_size (const Reader       *self,
            const CycYamlNode  *einsums,
            GError            **error)
{
  guint n_accesses = 0;

  for (guint i = 0; i < self->drafts->len; i++)
    n_accesses += ((CycAccessDraft *) self->drafts->pdata[i])->uses->len;
  if (self->drafts->len <= MAX_EINSUMS && n_accesses <= MAX_ACCESSES)
    return TRUE;
  cyc_yaml_node_error (einsums, error, "there are %u Einsums with %u tensor accesses; more than %d with %d are refused",
                       self->drafts->len, n_accesses, MAX_EINSUMS, MAX_ACCESSES);
  return FALSE;
}

static gboolean
read_workload (Reader             *self,
               const CycYamlNode  *node,
               GError            **error)
{
  static const char *const keys[] = {
    "einsums", "iteration_space_shape", "rank_sizes", "n_instances", "bits_per_value", "persistent_tensors", NULL,
  };
  g_autoptr (GError) local = NULL;

  if (node->kind != CYC_YAML_MAP)
    {
      cyc_yaml_node_error (node, error, "workload must be a map, not %s", cyc_yaml_node_describe (node));
      return FALSE;
    }
  if (!cyc_access_check_keys (node, "workload", keys, error))
    return FALSE;
  const CycYamlNode *einsums = take_key (node, "einsums", CYC_YAML_LIST, &local);
  self->space = local == NULL ? take_key (node, "iteration_space_shape", CYC_YAML_MAP, &local) : NULL;
  self->rank_sizes = local == NULL ? take_key (node, "rank_sizes", CYC_YAML_MAP, &local) : NULL;
  if (local != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  if (einsums != NULL && !read_drafts (self, einsums, error))
    return FALSE;
  if (einsums != NULL && !check_size (self, einsums, error))
    return FALSE;
  if (!check_map (self->space, FALSE, error) || !check_map (self->rank_sizes, TRUE, error))
    return FALSE;
  for (guint i = 0; i < self->drafts->len; i++)
    if (!build_einsum (self, self->drafts->pdata[i], error))
      return FALSE;
  for (guint i = 0; i < self->drafts->len; i++)
    {
      CycAccessEinsum *einsum = self->workload->einsums->pdata[i];
      if (!build_constraints (self, einsum, self->drafts->pdata[i], error))
        return FALSE;
      find_bounds (einsum);
    }
  for (guint i = 0; i < self->workload->tensors->len; i++)
    find_shape (self->workload, i);
  return TRUE;
}

/**
 * cyc_access_workload_read:
 * @node: the map `workload`; its document must outlive the result
 * @error: return location for an error, which names file and line
 *
 * Reads Einsums, their accesses and their bounds, as AccelForge does. An Einsum whose rank variables have no
 * bounds is told when it is used. Any thread.
 *
 * Returns: (transfer full) (nullable): the workload, %NULL with @error set
 */
CycAccessWorkload *
cyc_access_workload_read (const CycYamlNode  *node,
                          GError            **error)
{
  g_autoptr (CycAccessWorkload) workload = g_new0 (CycAccessWorkload, 1);
  g_autoptr (GPtrArray) drafts = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_access_draft_free);
  Reader reader = { workload, drafts };

  workload->einsums = g_ptr_array_new_with_free_func (free_einsum);
  workload->tensors = g_ptr_array_new_with_free_func (free_tensor);
  return read_workload (&reader, node, error) ? g_steal_pointer (&workload) : NULL;
}
