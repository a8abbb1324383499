/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/access/cyc-access-edit.h"

#include <string.h>
#include <yaml.h>

#include "core/base/cyc-error.h"

/* Mappings that differ from what the files say by the sizes of tiles, and how they become a file. */

#define LINE 100
/* Up to so many characters a map or a list is written in one line. */
#define FLOW 110

static CycAccessNode *
copy_node (const CycAccessNode *node)
{
  CycAccessNode *copy = g_new (CycAccessNode, 1);

  *copy = *node;
  copy->variables = g_strdupv (node->variables);
  copy->tensors = g_strdupv (node->tensors);
  copy->name = g_strdup (node->name);
  copy->component = g_strdup (node->component);
  copy->einsum = g_strdup (node->einsum);
  if (node->children == NULL)
    return copy;
  copy->children = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_access_node_free);
  for (guint i = 0; i < node->children->len; i++)
    g_ptr_array_add (copy->children, copy_node (node->children->pdata[i]));
  return copy;
}

/* @wanted, with the nodes before it added to @left; without it, the node that comes *@left nodes after @node. */
static CycAccessNode *
walk_to (CycAccessNode       *node,
         const CycAccessNode *wanted,
         guint               *left)
{
  if (wanted != NULL ? node == wanted : *left == 0)
    return node;
  if (wanted != NULL)
    ++*left;
  else
    --*left;
  for (guint i = 0; node->children != NULL && i < node->children->len; i++)
    {
      CycAccessNode *found = walk_to (node->children->pdata[i], wanted, left);
      if (found != NULL)
        return found;
    }
  return NULL;
}

/**
 * cyc_access_node_get_index:
 * @root: a mapping
 * @node: one of its nodes
 *
 * Returns: its place in the order of the file; that of @root is 0
 */
guint
cyc_access_node_get_index (const CycAccessNode *root,
                           const CycAccessNode *node)
{
  guint index = 0;

  g_return_val_if_fail (walk_to ((CycAccessNode *) root, node, &index) != NULL, 0);
  return index;
}

/**
 * cyc_access_node_get_nth:
 * @root: a mapping
 * @index: as of cyc_access_node_get_index()
 *
 * Returns: (transfer none) (nullable): the node
 */
const CycAccessNode *
cyc_access_node_get_nth (const CycAccessNode *root,
                         guint                index)
{
  return walk_to ((CycAccessNode *) root, NULL, &index);
}

/**
 * cyc_access_spec_new_edited:
 * @base: what is edited; stays as it is
 * @index: of a loop, as of cyc_access_node_get_index()
 * @tile: size of its tiles, at least 1
 * @initial: size of the first one; 0 for that of the others
 *
 * Returns: (transfer full): the same workload with another mapping
 */
CycAccessSpec *
cyc_access_spec_new_edited (CycAccessSpec *base,
                            guint          index,
                            gint64         tile,
                            gint64         initial)
{
  CycAccessSpec *self = g_new0 (CycAccessSpec, 1);

  g_atomic_ref_count_init (&self->count);
  self->base = cyc_access_spec_ref (base);
  self->workload = base->workload;
  self->mapping = copy_node (base->mapping);
  self->warnings = g_ptr_array_ref (base->warnings);
  self->documents = g_ptr_array_ref (base->documents);
  CycAccessNode *loop = walk_to (self->mapping, NULL, &index);
  g_return_val_if_fail (loop != NULL && cyc_access_node_is_loop (loop) && tile >= 1 && initial >= 0, self);
  loop->tile = tile;
  loop->initial = initial;
  return self;
}

/* Writing */

typedef struct
{
  yaml_emitter_t emitter;
  GString       *out;
  gboolean       good;
} Writer;

static int
write_cb (void          *data,
          unsigned char *bytes,
          size_t         len)
{
  g_string_append_len (data, (const char *) bytes, (gssize) len);
  return 1;
}

static void
emit (Writer       *self,
      yaml_event_t *event)
{
  self->good = self->good && yaml_emitter_emit (&self->emitter, event) != 0;
}

static void
emit_text (Writer     *self,
           const char *tag,
           const char *text,
           gboolean    plain)
{
  yaml_event_t event;

  if (yaml_scalar_event_initialize (&event, NULL, (const yaml_char_t *) tag, (const yaml_char_t *) text,
                                    (int) strlen (text), tag == NULL && plain, tag == NULL,
                                    plain ? YAML_PLAIN_SCALAR_STYLE : YAML_DOUBLE_QUOTED_SCALAR_STYLE) == 0)
    self->good = FALSE;
  else
    emit (self, &event);
}

static void
emit_number (Writer     *self,
             const char *key,
             gint64      value)
{
  g_autofree char *text = g_strdup_printf ("%" G_GINT64_FORMAT, value);

  emit_text (self, NULL, key, TRUE);
  emit_text (self, NULL, text, TRUE);
}

/* Characters of a node in one line; over @most it does not matter how many. */
static gsize
measure (const CycYamlNode *node,
         gsize              most)
{
  gsize n = strlen (node->text) + (node->tag != NULL ? strlen (node->tag) : 0) + 4;

  for (guint i = 0; i < node->n_items && n <= most; i++)
    n += (node->kind == CYC_YAML_MAP ? strlen (node->keys[i]->text) + 2 : 0) + measure (node->items[i], most);
  return n;
}

static void
begin (Writer            *self,
       const CycYamlNode *node,
       gboolean           flow)
{
  const yaml_char_t *tag = (const yaml_char_t *) node->tag;
  yaml_event_t event;
  int good;

  if (node->kind == CYC_YAML_MAP)
    good = yaml_mapping_start_event_initialize (&event, NULL, (yaml_char_t *) tag, tag == NULL,
                                                flow ? YAML_FLOW_MAPPING_STYLE : YAML_BLOCK_MAPPING_STYLE);
  else
    good = yaml_sequence_start_event_initialize (&event, NULL, (yaml_char_t *) tag, tag == NULL,
                                                 flow ? YAML_FLOW_SEQUENCE_STYLE : YAML_BLOCK_SEQUENCE_STYLE);
  if (good == 0)
    self->good = FALSE;
  else
    emit (self, &event);
}

static void
end (Writer            *self,
     const CycYamlNode *node)
{
  yaml_event_t event;

  if (node->kind == CYC_YAML_MAP)
    yaml_mapping_end_event_initialize (&event);
  else
    yaml_sequence_end_event_initialize (&event);
  emit (self, &event);
}

static void
emit_yaml (Writer            *self,
           const CycYamlNode *node)
{
  if (!self->good)
    return;
  if (node->kind == CYC_YAML_SCALAR)
    {
      emit_text (self, node->tag, cyc_yaml_node_is_empty (node) ? "null" : node->text, node->plain);
      return;
    }
  begin (self, node, measure (node, FLOW) <= FLOW);
  for (guint i = 0; i < node->n_items; i++)
    {
      if (node->kind == CYC_YAML_MAP)
        emit_yaml (self, node->keys[i]);
      emit_yaml (self, node->items[i]);
    }
  end (self, node);
}

static void emit_mapping (Writer              *self,
                          const CycAccessNode *node);

/* A loop with the sizes that it has now. */
static void
emit_loop (Writer              *self,
           const CycAccessNode *node)
{
  const CycYamlNode *source = node->source;
  gboolean initial = FALSE;

  begin (self, source, measure (source, FLOW) <= FLOW);
  for (guint i = 0; i < source->n_items; i++)
    {
      const char *key = source->keys[i]->text;
      if (strcmp (key, "tile_shape") == 0)
        emit_number (self, key, node->tile);
      else if (strcmp (key, "initial_tile_shape") == 0)
        {
          initial = TRUE;
          if (node->initial > 0)
            emit_number (self, key, node->initial);
        }
      else
        {
          emit_yaml (self, source->keys[i]);
          emit_yaml (self, source->items[i]);
        }
    }
  if (!initial && node->initial > 0)
    emit_number (self, "initial_tile_shape", node->initial);
  end (self, source);
}

static void
emit_list (Writer              *self,
           const CycAccessNode *node)
{
  const CycYamlNode *source = node->source;

  begin (self, source, FALSE);
  for (guint i = 0; i < source->n_items; i++)
    {
      emit_yaml (self, source->keys[i]);
      if (strcmp (source->keys[i]->text, "nodes") != 0 || source->items[i]->kind != CYC_YAML_LIST)
        {
          emit_yaml (self, source->items[i]);
          continue;
        }
      begin (self, source->items[i], node->children->len == 0);
      for (guint j = 0; j < node->children->len; j++)
        emit_mapping (self, node->children->pdata[j]);
      end (self, source->items[i]);
    }
  end (self, source);
}

static void
emit_mapping (Writer              *self,
              const CycAccessNode *node)
{
  if (cyc_access_node_is_loop (node))
    emit_loop (self, node);
  else if (node->children != NULL && node->source->kind == CYC_YAML_MAP)
    emit_list (self, node);
  else
    emit_yaml (self, node->source);
}

static void
emit_documents (Writer              *self,
                const CycAccessSpec *spec)
{
  yaml_event_t event;
  CycYamlNode whole = { .kind = CYC_YAML_MAP, .text = "" };

  yaml_stream_start_event_initialize (&event, YAML_UTF8_ENCODING);
  emit (self, &event);
  yaml_document_start_event_initialize (&event, NULL, NULL, NULL, 1);
  emit (self, &event);
  begin (self, &whole, FALSE);
  for (guint i = 0; i < spec->documents->len; i++)
    {
      const CycYamlNode *root = cyc_yaml_get_root (spec->documents->pdata[i]);
      for (guint j = 0; root != NULL && root->kind == CYC_YAML_MAP && j < root->n_items; j++)
        {
          emit_yaml (self, root->keys[j]);
          if (strcmp (root->keys[j]->text, "mapping") == 0)
            emit_mapping (self, spec->mapping);
          else
            emit_yaml (self, root->items[j]);
        }
    }
  end (self, &whole);
  yaml_document_end_event_initialize (&event, 1);
  emit (self, &event);
  yaml_stream_end_event_initialize (&event);
  emit (self, &event);
}

/**
 * cyc_access_spec_dup_yaml:
 * @self: a spec
 * @error: return location for an error
 *
 * Writes all that its files hold into one, with templates expanded, without comments and aliases. Any thread.
 *
 * Returns: (transfer full) (nullable): YAML, %NULL with @error set
 */
char *
cyc_access_spec_dup_yaml (const CycAccessSpec  *self,
                          GError              **error)
{
  g_autoptr (GString) out = g_string_new (NULL);
  Writer writer = { .out = out, .good = TRUE };

  if (yaml_emitter_initialize (&writer.emitter) == 0)
    g_error ("no memory for an emitter of YAML");
  yaml_emitter_set_output (&writer.emitter, write_cb, out);
  yaml_emitter_set_unicode (&writer.emitter, 1);
  yaml_emitter_set_width (&writer.emitter, LINE);
  emit_documents (&writer, self);
  if (!writer.good)
    cyc_error_set_at (error, CYC_ERROR_FAILED, NULL, 0, "the mapping cannot be written as YAML: %s",
                      writer.emitter.problem != NULL ? writer.emitter.problem : "no memory");
  yaml_emitter_delete (&writer.emitter);
  return writer.good ? g_string_free (g_steal_pointer (&out), FALSE) : NULL;
}
