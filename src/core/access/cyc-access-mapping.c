/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/access/cyc-access-mapping.h"

#include <string.h>

#include "core/access/cyc-access-workload-private.h"

/* Mappings as AccelForge writes them: a tree of tagged maps. */

/* Far over what anybody writes; keeps what grows with its square in bounds. */
#define MAX_NODES 20000

typedef struct
{
  const char         *tag;
  CycAccessNodeKind   kind;
  const char *const  *keys;
} Tag;

static const char *const temporal_keys[] = { "rank_variable", "tile_shape", "initial_tile_shape", "text", NULL };
static const char *const spatial_keys[] = {
  "rank_variable", "tile_shape", "initial_tile_shape", "name", "component", "text", NULL,
};
static const char *const storage_keys[] = { "tensors", "component", "persistent", "binding", "text", NULL };
static const char *const compute_keys[] = { "einsum", "component", "text", NULL };
static const char *const list_keys[] = { "nodes", "text", NULL };
static const char *const toll_keys[] = { "tensors", "component", "persistent", "text", NULL };
static const char *const reservation_keys[] = { "purposes", "resource", "persistent", "text", NULL };
static const char *const text_keys[] = { "text", NULL };
static const char *const mapping_keys[] = { "nodes", "title", "text", NULL };

static const Tag tags[] = {
  { "Temporal", CYC_ACCESS_TEMPORAL, temporal_keys },
  { "Spatial", CYC_ACCESS_SPATIAL, spatial_keys },
  { "Storage", CYC_ACCESS_STORAGE, storage_keys },
  { "Compute", CYC_ACCESS_COMPUTE, compute_keys },
  { "Nested", CYC_ACCESS_NESTED, list_keys },
  { "Sequential", CYC_ACCESS_SEQUENTIAL, list_keys },
  { "Pipeline", CYC_ACCESS_PIPELINE, list_keys },
  { "Split", CYC_ACCESS_SPLIT, list_keys },
  { "Toll", CYC_ACCESS_PASSED, toll_keys },
  { "Reservation", CYC_ACCESS_PASSED, reservation_keys },
  { "TextBox", CYC_ACCESS_PASSED, text_keys },
};

static gboolean read_children (CycAccessNode      *self,
                               const CycYamlNode  *node,
                               GPtrArray          *warnings,
                               GError            **error);

void
cyc_access_warning_free (CycAccessWarning *self)
{
  g_free (self->file);
  g_free (self->text);
  g_free (self);
}

/* @file is NULL for a warning that belongs to no place. */
void
cyc_access_warning_add (GPtrArray  *warnings,
                        const char *file,
                        guint       line,
                        const char *format,
                        ...)
{
  CycAccessWarning *warning = g_new0 (CycAccessWarning, 1);

  va_list args;
  va_start (args, format);
  warning->text = g_strdup_vprintf (format, args);
  va_end (args);
  warning->file = g_strdup (file);
  warning->line = line;
  g_ptr_array_add (warnings, warning);
}

void
cyc_access_node_free (CycAccessNode *self)
{
  if (self == NULL)
    return;
  g_strfreev (self->variables);
  g_strfreev (self->tensors);
  g_free (self->name);
  g_free (self->component);
  g_free (self->einsum);
  g_clear_pointer (&self->children, g_ptr_array_unref);
  g_free (self);
}

gboolean
cyc_access_node_is_loop (const CycAccessNode *self)
{
  return self->kind == CYC_ACCESS_TEMPORAL || self->kind == CYC_ACCESS_SPATIAL;
}

gboolean
cyc_access_node_is_split (const CycAccessNode *self)
{
  return self->kind == CYC_ACCESS_SEQUENTIAL || self->kind == CYC_ACCESS_PIPELINE || self->kind == CYC_ACCESS_SPLIT;
}

/* Of a nested list: what is inside of its loops; NULL if nothing is. */
const CycAccessNode *
cyc_access_node_get_continuation (const CycAccessNode *self)
{
  for (guint i = 0; i < self->children->len; i++)
    {
      const CycAccessNode *child = self->children->pdata[i];
      if (child->kind == CYC_ACCESS_NESTED || child->kind == CYC_ACCESS_COMPUTE || cyc_access_node_is_split (child))
        return child;
    }
  return NULL;
}

static int
compare_texts (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* A loop as messages name it: `T-m shape=4`. */
char *
cyc_access_node_dup_label (const CycAccessNode *self)
{
  g_autoptr (GString) text = g_string_new (self->kind == CYC_ACCESS_TEMPORAL ? "T-" : "S-");
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();

  if (self->kind == CYC_ACCESS_SPATIAL)
    g_string_append_printf (text, "%s-", self->name != NULL ? self->name : "None");
  for (guint i = 0; self->variables[i] != NULL; i++)
    g_ptr_array_add (sorted, self->variables[i]);
  g_ptr_array_sort (sorted, compare_texts);
  if (sorted->len == 0)
    g_string_append (text, "None");
  for (guint i = 0; i < sorted->len; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? "," : "", (const char *) sorted->pdata[i]);
  if (self->initial > 0)
    g_string_append_printf (text, " initial=%" G_GINT64_FORMAT, self->initial);
  g_string_append_printf (text, " shape=%" G_GINT64_FORMAT, self->tile);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* A name; stays NULL if there is none or it is null. */
static gboolean
read_name (const CycYamlNode  *node,
           const char         *key,
           char              **out_name,
           GError            **error)
{
  const CycYamlNode *value = cyc_yaml_node_get (node, key);

  if (value == NULL || cyc_yaml_node_is_null (value))
    return TRUE;
  if (value->kind == CYC_YAML_SCALAR)
    {
      *out_name = g_strdup (value->text);
      return TRUE;
    }
  cyc_yaml_node_error (value, error, "%s must be a name, not %s", key, cyc_yaml_node_describe (value));
  return FALSE;
}

/* A name, or a list of names. */
static gboolean
read_names (const CycYamlNode  *node,
            const char         *key,
            GStrv              *out_names,
            GError            **error)
{
  const CycYamlNode *value = cyc_yaml_node_get (node, key);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  if (value != NULL && value->kind == CYC_YAML_SCALAR && !cyc_yaml_node_is_null (value))
    g_ptr_array_add (names, g_strdup (value->text));
  else if (value != NULL && value->kind == CYC_YAML_LIST)
    for (guint i = 0; i < value->n_items; i++)
      {
        if (value->items[i]->kind != CYC_YAML_SCALAR)
          {
            cyc_yaml_node_error (value->items[i], error, "%s must be a list of names, but there is %s in it", key,
                                 cyc_yaml_node_describe (value->items[i]));
            return FALSE;
          }
        if (!g_ptr_array_find_with_equal_func (names, value->items[i]->text, g_str_equal, NULL))
          g_ptr_array_add (names, g_strdup (value->items[i]->text));
      }
  else if (value != NULL && value->kind == CYC_YAML_MAP)
    {
      cyc_yaml_node_error (value, error, "%s must be a list of names, not a map", key);
      return FALSE;
    }
  g_ptr_array_add (names, NULL);
  g_ptr_array_set_free_func (names, NULL);
  *out_names = (GStrv) g_ptr_array_free (g_steal_pointer (&names), FALSE);
  return TRUE;
}

static gboolean
read_tile (const CycYamlNode  *node,
           const char         *key,
           gboolean            needed,
           gint64             *out_value,
           GError            **error)
{
  const CycYamlNode *value = cyc_yaml_node_get (node, key);

  if (!needed && (value == NULL || cyc_yaml_node_is_null (value)))
    return TRUE;
  if (value == NULL)
    cyc_yaml_node_error (node, error, "the loop has no %s; expected an integer from 1 on", key);
  else if (!cyc_access_read_integer (value, out_value) || *out_value < 1 || *out_value > CYC_ACCESS_MAX_NUMBER)
    cyc_yaml_node_error (value, error, "%s must be an integer from 1 to 10^12, not %s%s%s", key,
                         value->kind == CYC_YAML_SCALAR && value->text[0] != '\0' ? "'" : "",
                         value->kind == CYC_YAML_SCALAR && value->text[0] != '\0' ? value->text
                                                                                  : cyc_yaml_node_describe (value),
                         value->kind == CYC_YAML_SCALAR && value->text[0] != '\0' ? "'" : "");
  else
    return TRUE;
  return FALSE;
}

static gboolean
read_loop (CycAccessNode      *self,
           const CycYamlNode  *node,
           GError            **error)
{
  return read_names (node, "rank_variable", &self->variables, error) &&
         read_tile (node, "tile_shape", TRUE, &self->tile, error) &&
         read_tile (node, "initial_tile_shape", FALSE, &self->initial, error) &&
         read_name (node, "name", &self->name, error) &&
         read_name (node, "component", &self->component, error);
}

static gboolean
read_compute (CycAccessNode      *self,
              const CycYamlNode  *node,
              GError            **error)
{
  if (!read_name (node, "einsum", &self->einsum, error) || !read_name (node, "component", &self->component, error))
    return FALSE;
  if (self->einsum != NULL)
    return TRUE;
  cyc_yaml_node_error (node, error, "the Compute node has no einsum");
  return FALSE;
}

static gboolean
read_kind (CycAccessNode      *self,
           const CycYamlNode  *node,
           const Tag          *tag,
           GPtrArray          *warnings,
           GError            **error)
{
  g_autofree char *what = g_strdup_printf ("a %s node", tag->tag);

  if (!cyc_access_check_keys (node, what, tag->keys, error))
    return FALSE;
  switch (tag->kind)
    {
    case CYC_ACCESS_TEMPORAL:
    case CYC_ACCESS_SPATIAL:
      return read_loop (self, node, error);
    case CYC_ACCESS_STORAGE:
      return read_names (node, "tensors", &self->tensors, error) &&
             read_name (node, "component", &self->component, error);
    case CYC_ACCESS_COMPUTE:
      return read_compute (self, node, error);
    case CYC_ACCESS_NESTED:
    case CYC_ACCESS_SEQUENTIAL:
    case CYC_ACCESS_PIPELINE:
    case CYC_ACCESS_SPLIT:
      return read_children (self, node, warnings, error);
    case CYC_ACCESS_PASSED:
    default:
      return TRUE;
    }
}

/* NULL with @error set. */
static CycAccessNode *
read_node (const CycYamlNode  *node,
           GPtrArray          *warnings,
           GError            **error)
{
  g_autoptr (CycAccessNode) self = g_new0 (CycAccessNode, 1);

  self->source = node;
  self->file = node->file;
  self->line = node->line;
  if (node->tag == NULL)
    {
      cyc_yaml_node_error (node, error, "a node of the mapping has no tag; expected !Temporal, !Spatial, !Storage, "
                           "!Compute, !Nested, !Sequential, !Pipeline, !Split or another one");
      return NULL;
    }
  self->tag = node->tag + 1;
  for (guint i = 0; i < G_N_ELEMENTS (tags); i++)
    if (strcmp (tags[i].tag, self->tag) == 0)
      {
        self->kind = tags[i].kind;
        if (node->kind != CYC_YAML_MAP && !(self->kind == CYC_ACCESS_PASSED && cyc_yaml_node_is_empty (node)))
          {
            cyc_yaml_node_error (node, error, "a %s node must be a map, not %s", self->tag,
                                 cyc_yaml_node_describe (node));
            return NULL;
          }
        return read_kind (self, node, &tags[i], warnings, error) ? g_steal_pointer (&self) : NULL;
      }
  self->kind = CYC_ACCESS_PASSED;
  cyc_access_warning_add (warnings, node->file, node->line, "the tag %s is not known; the node is passed over",
                          node->tag);
  return g_steal_pointer (&self);
}

static gboolean
is_inner (const CycAccessNode *node)
{
  return node->kind == CYC_ACCESS_NESTED || cyc_access_node_is_split (node);
}

/* Of a nested list only the last entry may hold others. */
static gboolean
check_list (const CycAccessNode  *self,
            GPtrArray            *warnings,
            GError              **error)
{
  gboolean computes = FALSE;

  for (guint i = 0; i < self->children->len; i++)
    {
      const CycAccessNode *child = self->children->pdata[i];
      CycYamlNode place = { .file = child->file, .line = child->line };
      if (is_inner (child) && i + 1 < self->children->len)
        {
          cyc_yaml_node_error (&place, error, "Nested node has a child with children. Only the last child can have "
                               "children.");
          return FALSE;
        }
      if (computes && (child->kind == CYC_ACCESS_COMPUTE || is_inner (child)))
        cyc_access_warning_add (warnings, child->file, child->line, "the %s node stands behind a Compute of the same "
                                "list and is never reached", child->tag);
      computes = computes || child->kind == CYC_ACCESS_COMPUTE;
    }
  return TRUE;
}

static gboolean
read_children (CycAccessNode      *self,
               const CycYamlNode  *node,
               GPtrArray          *warnings,
               GError            **error)
{
  const CycYamlNode *list = cyc_yaml_node_get (node, "nodes");

  self->children = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_access_node_free);
  if (list == NULL || cyc_yaml_node_is_null (list))
    return TRUE;
  if (list->kind != CYC_YAML_LIST)
    {
      cyc_yaml_node_error (list, error, "nodes must be a list, not %s", cyc_yaml_node_describe (list));
      return FALSE;
    }
  for (guint i = 0; i < list->n_items; i++)
    {
      if (i >= MAX_NODES || list->weight > MAX_NODES * 20)
        {
          cyc_yaml_node_error (list, error, "the mapping has over %d nodes", MAX_NODES);
          return FALSE;
        }
      CycAccessNode *child = read_node (list->items[i], warnings, error);
      if (child == NULL)
        return FALSE;
      g_ptr_array_add (self->children, child);
    }
  return self->kind != CYC_ACCESS_NESTED || check_list (self, warnings, error);
}

/**
 * cyc_access_mapping_read:
 * @node: the map `mapping`; its document must outlive the result
 * @warnings: (element-type CycAccessWarning): where to add what is worth a word
 * @error: return location for an error, which names file and line
 *
 * Reads the tree of a mapping. Unknown keys are errors, unknown tags are passed over with a warning. Any thread.
 *
 * Returns: (transfer full) (nullable): a nested list, %NULL with @error set
 */
CycAccessNode *
cyc_access_mapping_read (const CycYamlNode  *node,
                         GPtrArray          *warnings,
                         GError            **error)
{
  g_autoptr (CycAccessNode) self = g_new0 (CycAccessNode, 1);

  self->kind = CYC_ACCESS_NESTED;
  self->tag = "Mapping";
  self->source = node;
  self->file = node->file;
  self->line = node->line;
  if (node->kind != CYC_YAML_MAP)
    {
      cyc_yaml_node_error (node, error, "mapping must be a map, not %s", cyc_yaml_node_describe (node));
      return NULL;
    }
  if (!cyc_access_check_keys (node, "mapping", mapping_keys, error) || !read_children (self, node, warnings, error))
    return NULL;
  return g_steal_pointer (&self);
}
