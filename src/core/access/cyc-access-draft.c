/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/access/cyc-access-workload-private.h"

#include <math.h>
#include <string.h>

#include "core/base/cyc-number.h"

/* Einsums as they are written: as maps, as texts, or as maps around a text. The rules and the texts of errors
 * are those of AccelForge (accelforge/frontend/workload.py). */

#define TENSOR_PATTERN "([A-Za-z_]\\w*)\\[([^\\]]*)\\]"

static void
free_use (gpointer data)
{
  CycAccessDraftUse *use = data;

  g_free (use->name);
  g_ptr_array_unref (use->ranks);
  g_ptr_array_unref (use->expressions);
  g_free (use);
}

void
cyc_access_draft_free (CycAccessDraft *self)
{
  g_free (self->name);
  g_ptr_array_unref (self->uses);
  g_free (self);
}

static CycAccessDraftUse *
new_use (const CycYamlNode *node,
         const char        *name)
{
  CycAccessDraftUse *use = g_new0 (CycAccessDraftUse, 1);

  use->node = node;
  use->name = g_strdup (name);
  use->ranks = g_ptr_array_new_with_free_func (g_free);
  use->expressions = g_ptr_array_new_with_free_func (g_free);
  return use;
}

/* An error for a key of @map that is not in @known. */
gboolean
cyc_access_check_keys (const CycYamlNode  *map,
                       const char         *what,
                       const char *const  *known,
                       GError            **error)
{
  for (guint i = 0; i < map->n_items; i++)
    if (!g_strv_contains (known, map->keys[i]->text))
      {
        g_autofree char *list = g_strjoinv (", ", (char **) known);
        cyc_yaml_node_error (map->keys[i], error, "unknown key '%s' in %s; expected one of %s",
                             map->keys[i]->text, what, list);
        return FALSE;
      }
  return TRUE;
}

/* A whole number of at most 10^12, also as `4.0` or in quotes. */
gboolean
cyc_access_read_integer (const CycYamlNode *node,
                         gint64            *out_value)
{
  double number;

  if (node->kind != CYC_YAML_SCALAR)
    return FALSE;
  gsize len = strlen (node->text);
  if (cyc_number_parse_int64 (node->text, len, out_value))
    return TRUE;
  if (!cyc_number_parse_double (node->text, len, &number) || number != floor (number) || fabs (number) > 9e18)
    return FALSE;
  *out_value = (gint64) number;
  return TRUE;
}

static gboolean
add_rank (CycAccessDraftUse  *use,
          const CycYamlNode  *node,
          const char         *rank,
          const char         *expression,
          GError            **error)
{
  if (g_ascii_islower (rank[0]))
    {
      cyc_yaml_node_error (node, error, "Rank name '%s' in projection must start with an uppercase letter. Rank "
                           "names are uppercase (e.g., 'M'); rank variables are lowercase (e.g., 'm').", rank);
      return FALSE;
    }
  if (!g_ascii_isalpha (rank[0]) && rank[0] != '_')
    {
      cyc_yaml_node_error (node, error, "Invalid projection key: %s. Must be a valid identifier.", rank);
      return FALSE;
    }
  /* A list may name a rank twice: the later one counts, in the first place, as in Python's maps. */
  guint index;
  if (g_ptr_array_find_with_equal_func (use->ranks, rank, g_str_equal, &index))
    {
      g_free (use->expressions->pdata[index]);
      use->expressions->pdata[index] = g_strdup (expression);
      return TRUE;
    }
  g_ptr_array_add (use->ranks, g_strdup (rank));
  g_ptr_array_add (use->expressions, g_strdup (expression));
  return TRUE;
}

static gboolean
read_listed_rank (CycAccessDraftUse  *use,
                  const CycYamlNode  *item,
                  guint               index,
                  GError            **error)
{
  if (item->kind != CYC_YAML_SCALAR)
    {
      cyc_yaml_node_error (item, error, "Element at index %u must be a string, got %s", index,
                           cyc_yaml_node_describe (item));
      return FALSE;
    }
  if (item->text[0] == '\0')
    {
      cyc_yaml_node_error (item, error, "Empty string in projection list at index %u.", index);
      return FALSE;
    }
  if (!cyc_affine_is_name (item->text))
    {
      cyc_yaml_node_error (item, error, "Element '%s' at index %u is not a valid ISL identifier"
                           "In a projection list, all elements must be valid ISL identifiers."
                           "For expressions, use a dictionary projection.", item->text, index);
      return FALSE;
    }
  if (g_ascii_isupper (item->text[0]))
    {
      cyc_yaml_node_error (item, error, "Rank variable '%s' at index %u in projection list must start with a "
                           "lowercase letter. Rank variables are lowercase; rank names are uppercase. Did you mean "
                           "to use a dictionary projection?", item->text, index);
      return FALSE;
    }
  g_autofree char *rank = g_ascii_strup (item->text, -1);
  return add_rank (use, item, rank, item->text, error);
}

static gboolean
read_projection (CycAccessDraftUse  *use,
                 const CycYamlNode  *node,
                 GError            **error)
{
  use->has_projection = TRUE;
  if (node->kind == CYC_YAML_SCALAR)
    {
      cyc_yaml_node_error (node, error, "Invalid projection: %s. Must be a list of rank variables or a "
                           "dictionary of rank variable to projection.", node->text);
      return FALSE;
    }
  for (guint i = 0; i < node->n_items; i++)
    {
      const CycYamlNode *item = node->items[i];
      if (node->kind == CYC_YAML_LIST)
        {
          if (!read_listed_rank (use, item, i, error))
            return FALSE;
          continue;
        }
      if (item->kind != CYC_YAML_SCALAR || item->text[0] == '\0')
        {
          cyc_yaml_node_error (item, error, "the projection of rank '%s' must be an expression, not %s",
                               node->keys[i]->text, cyc_yaml_node_describe (item));
          return FALSE;
        }
      if (!add_rank (use, node->keys[i], node->keys[i]->text, item->text, error))
        return FALSE;
    }
  return TRUE;
}

static const char *const use_keys[] = {
  "name", "projection", "output", "persistent", "backing_storage_size_scale", "bits_per_value", NULL,
};

/* What the map of an access says, into @use. */
static gboolean
read_use (CycAccessDraftUse  *use,
          const CycYamlNode  *node,
          GError            **error)
{
  const CycYamlNode *projection = cyc_yaml_node_get (node, "projection");
  const CycYamlNode *output = cyc_yaml_node_get (node, "output");

  if (!cyc_access_check_keys (node, "a tensor access", use_keys, error))
    return FALSE;
  if (projection != NULL && !read_projection (use, projection, error))
    return FALSE;
  if (output != NULL && !cyc_yaml_node_is_bool (output, &use->output))
    {
      cyc_yaml_node_error (output, error, "output must be true or false, not '%s'", output->text);
      return FALSE;
    }
  use->has_output = output != NULL;
  return TRUE;
}

static const char *
get_name (const CycYamlNode  *node,
          const char         *what,
          GError            **error)
{
  const CycYamlNode *name = cyc_yaml_node_get (node, "name");

  if (node->kind != CYC_YAML_MAP)
    cyc_yaml_node_error (node, error, "%s must be a map, not %s", what, cyc_yaml_node_describe (node));
  else if (name == NULL)
    cyc_yaml_node_error (node, error, "%s has no name", what);
  else if (name->kind != CYC_YAML_SCALAR || name->text[0] == '\0' || cyc_yaml_node_is_null (name))
    cyc_yaml_node_error (name, error, "the name of %s must be a text, not %s", what, cyc_yaml_node_describe (name));
  else
    return name->text;
  return NULL;
}

static CycAccessDraftUse *
find_use (const CycAccessDraft *self,
          const char           *name)
{
  for (guint i = 0; i < self->uses->len; i++)
    if (strcmp (((CycAccessDraftUse *) self->uses->pdata[i])->name, name) == 0)
      return self->uses->pdata[i];
  return NULL;
}

static gboolean
read_uses (CycAccessDraft     *self,
           const CycYamlNode  *list,
           GError            **error)
{
  for (guint i = 0; i < list->n_items; i++)
    {
      const CycYamlNode *node = list->items[i];
      const char *name = get_name (node, "a tensor access", error);
      if (name == NULL)
        return FALSE;
      if (find_use (self, name) != NULL)
        {
          cyc_yaml_node_error (node, error, "Einsum '%s' accesses the tensor '%s' twice; use two names",
                               self->name, name);
          return FALSE;
        }
      CycAccessDraftUse *use = new_use (node, name);
      g_ptr_array_add (self->uses, use);
      if (!read_use (use, node, error))
        return FALSE;
      if (!use->has_projection)
        {
          cyc_yaml_node_error (node, error, "the access to '%s' has no projection", name);
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
add_text_rank (CycAccessDraftUse  *use,
               const char         *part,
               const char         *whole,
               GError            **error)
{
  g_auto (GStrv) split = g_strsplit (part, ":", -1);
  guint n = g_strv_length (split);

  if (n > 2)
    cyc_yaml_node_error (use->node, error, "Invalid projection: %s. Must be of the form "
                         "\"rank: projection expression\".", part);
  else if (n == 2 && !cyc_affine_is_name (split[0]))
    cyc_yaml_node_error (use->node, error, "Invalid projection key: %s. Must be a valid ISL identifier. Erroneous "
                         "projection: %s.", split[0], whole);
  else if (n == 2 && g_ascii_islower (split[0][0]))
    cyc_yaml_node_error (use->node, error, "Rank name '%s' must start with an uppercase letter. Rank names are "
                         "uppercase (e.g., 'M'); rank variables are  lowercase(e.g., 'm'). Erroneous projection: "
                         "%s.", split[0], whole);
  else if (n == 2 && g_ptr_array_find_with_equal_func (use->ranks, split[0], g_str_equal, NULL))
    cyc_yaml_node_error (use->node, error, "Duplicate rank entry: %s. Must be unique. Erroneous projection: %s.",
                         split[0], whole);
  else if (n == 2)
    return add_rank (use, use->node, split[0], split[1], error);
  else if (part[0] == '\0')
    cyc_yaml_node_error (use->node, error, "Empty projection entry. Erroneous projection: %s.", whole);
  else if (g_ascii_isupper (part[0]))
    cyc_yaml_node_error (use->node, error, "Rank variable '%s' in shorthand projection must start with a lowercase "
                         "letter. Rank variables are lowercase (e.g., 'm'); rank names are uppercase (e.g., 'M'). "
                         "Use 'RankName:expression' syntax for explicit rank names. Erroneous projection: %s.",
                         part, whole);
  else
    {
      g_autofree char *rank = g_ascii_strup (part, -1);
      if (cyc_affine_is_name (rank))
        return add_rank (use, use->node, rank, part, error);
      cyc_yaml_node_error (use->node, error, "Invalid projection value: %s. The uppercased form of entry %s must be "
                           "a valid ISL identifier. Erroneous projection: %s.", rank, part, whole);
    }
  return FALSE;
}

/* A tensor that is named twice is one access: the later projection, in the first place. */
static gboolean
add_text_use (CycAccessDraft     *self,
              const CycYamlNode  *node,
              const char         *name,
              const char         *projection,
              gboolean            output,
              GError            **error)
{
  CycAccessDraftUse *use = find_use (self, name);

  if (use == NULL)
    {
      use = new_use (node, name);
      g_ptr_array_add (self->uses, use);
    }
  g_ptr_array_set_size (use->ranks, 0);
  g_ptr_array_set_size (use->expressions, 0);
  use->output = output;
  use->has_output = use->has_projection = TRUE;
  if (projection[0] == '\0')
    {
      cyc_yaml_node_error (node, error, "Projection cannot be empty");
      return FALSE;
    }
  g_auto (GStrv) parts = g_strsplit (projection, ",", -1);
  for (guint i = 0; parts[i] != NULL; i++)
    if (!add_text_rank (use, parts[i], projection, error))
      return FALSE;
  return TRUE;
}

static guint
count_bytes (const char *text,
             char        byte)
{
  guint n = 0;

  for (; *text != '\0'; text++)
    n += *text == byte;
  return n;
}

static gboolean
read_text (CycAccessDraft     *self,
           const CycYamlNode  *node,
           GError            **error)
{
  g_autoptr (GRegex) blanks = g_regex_new ("\\s+", 0, 0, NULL);
  g_autoptr (GRegex) whole = g_regex_new ("^" TENSOR_PATTERN "=(.+)$", 0, 0, NULL);
  g_autoptr (GRegex) tensor = g_regex_new (TENSOR_PATTERN, 0, 0, NULL);
  g_autofree char *text = g_regex_replace_literal (blanks, node->text, -1, 0, "", 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  g_autoptr (GMatchInfo) inputs = NULL;
  guint n = text != NULL ? count_bytes (text, '=') : 0;

  if (text == NULL || text[0] == '\0')
    {
      cyc_yaml_node_error (node, error, "Einsum string cannot be empty");
      return FALSE;
    }
  if (n != 1)
    {
      cyc_yaml_node_error (node, error, "Invalid einsum format. Einsum string %s has %u equals signs. "
                           "Each Einsum string must have exactly one equals sign.", node->text, n);
      return FALSE;
    }
  if (!g_regex_match (whole, text, 0, &match))
    {
      cyc_yaml_node_error (node, error, "Invalid einsum format: %s", node->text);
      return FALSE;
    }
  g_autofree char *name = g_match_info_fetch (match, 1);
  g_autofree char *projection = g_match_info_fetch (match, 2);
  g_autofree char *right = g_match_info_fetch (match, 3);
  if (!g_regex_match (tensor, right, 0, &inputs))
    {
      cyc_yaml_node_error (node, error, "No input tensors: %s, %s", node->text, right);
      return FALSE;
    }
  self->name = g_strdup (name);
  for (; g_match_info_matches (inputs); g_match_info_next (inputs, NULL))
    {
      g_autofree char *input = g_match_info_fetch (inputs, 1);
      g_autofree char *input_projection = g_match_info_fetch (inputs, 2);
      if (!add_text_use (self, node, input, input_projection, FALSE, error))
        return FALSE;
    }
  return add_text_use (self, node, name, projection, TRUE, error);
}

/* Entries of tensor_accesses beside a text may only add to what it says. */
static gboolean
merge_uses (CycAccessDraft     *self,
            const CycYamlNode  *list,
            const char         *text,
            GError            **error)
{
  for (guint i = 0; i < list->n_items; i++)
    {
      const CycYamlNode *node = list->items[i];
      const char *name = get_name (node, "a tensor access", error);
      if (name == NULL || !cyc_access_check_keys (node, "a tensor access", use_keys, error))
        return FALSE;
      if (find_use (self, name) == NULL)
        {
          cyc_yaml_node_error (node, error, "tensor_accesses entry %s not found in einsum string %s", name, text);
          return FALSE;
        }
      for (guint j = 0; j < node->n_items; j++)
        if (strcmp (node->keys[j]->text, "projection") == 0 || strcmp (node->keys[j]->text, "output") == 0)
          {
            cyc_yaml_node_error (node->keys[j], error, "tensor_accesses entry %s has set %s, which is already set "
                                 "by the einsum string %s", name, node->keys[j]->text, text);
            return FALSE;
          }
    }
  return TRUE;
}

static gboolean
read_map (CycAccessDraft     *self,
          const CycYamlNode  *node,
          GError            **error)
{
  static const char *const keys[] = {
    "name", "einsum", "tensor_accesses", "iteration_space_shape", "rank_sizes", "renames", "is_copy_operation",
    "n_instances", NULL,
  };
  const CycYamlNode *text = cyc_yaml_node_get (node, "einsum");
  const CycYamlNode *uses = cyc_yaml_node_get (node, "tensor_accesses");

  if (!cyc_access_check_keys (node, "an Einsum", keys, error))
    return FALSE;
  self->space = cyc_yaml_node_get (node, "iteration_space_shape");
  self->rank_sizes = cyc_yaml_node_get (node, "rank_sizes");
  if (uses != NULL && uses->kind != CYC_YAML_LIST)
    {
      cyc_yaml_node_error (uses, error, "tensor_accesses must be a list, got %s", cyc_yaml_node_describe (uses));
      return FALSE;
    }
  if (text != NULL)
    {
      if (text->kind != CYC_YAML_SCALAR)
        {
          cyc_yaml_node_error (text, error, "einsum must be a text, not %s", cyc_yaml_node_describe (text));
          return FALSE;
        }
      return read_text (self, text, error) && (uses == NULL || merge_uses (self, uses, text->text, error));
    }
  self->name = g_strdup (get_name (node, "an Einsum", error));
  if (self->name == NULL)
    return FALSE;
  if (uses == NULL)
    {
      cyc_yaml_node_error (node, error, "Einsum '%s' has no tensor_accesses", self->name);
      return FALSE;
    }
  return read_uses (self, uses, error);
}

/* NULL with @error set. */
CycAccessDraft *
cyc_access_draft_read (const CycYamlNode  *node,
                       GError            **error)
{
  g_autoptr (CycAccessDraft) self = g_new0 (CycAccessDraft, 1);
  gboolean good = FALSE;

  self->node = node;
  self->uses = g_ptr_array_new_with_free_func (free_use);
  if (node->kind == CYC_YAML_MAP)
    good = read_map (self, node, error);
  else if (node->kind == CYC_YAML_SCALAR)
    good = read_text (self, node, error);
  if (good && strcmp (self->name, "Total") == 0)
    {
      cyc_yaml_node_error (node, error, "Einsum name \"Total\" is reserved for totaling across Einsums."
                           "Use a different name for the Einsum.");
      good = FALSE;
    }
  return good ? g_steal_pointer (&self) : NULL;
}
