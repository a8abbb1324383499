/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/access/cyc-yaml.h"

#include <string.h>
#include <yaml.h>

#include "core/base/cyc-error.h"

/* Far over what any mapping has, far under what hurts. */
#define MAX_DEPTH 200
#define MAX_NODES 1000000

struct _CycYaml
{
  CycSourceLines *lines;
  GPtrArray      *nodes;
  GStringChunk   *texts;
  CycYamlNode    *root;
};

/* A list or a map that is being read. */
typedef struct
{
  CycYamlNode *node;
  GPtrArray   *items;
  GPtrArray   *keys;
  GHashTable  *names; /* the keys of a map */
  CycYamlNode *key;   /* the key whose value comes next */
} Level;

typedef struct
{
  CycYaml    *yaml;
  GPtrArray  *levels;  /* of Level, outermost first */
  GHashTable *anchors; /* name: CycYamlNode, of scalars */
  GHashTable *open;    /* the same of lists and maps, from their beginning on */
} Reader;

static void
free_level (gpointer data)
{
  Level *level = data;

  g_clear_pointer (&level->items, g_ptr_array_unref);
  g_clear_pointer (&level->keys, g_ptr_array_unref);
  g_clear_pointer (&level->names, g_hash_table_unref);
  g_free (level);
}

static void
free_node (gpointer data)
{
  CycYamlNode *node = data;

  g_free (node->items);
  g_free (node->keys);
  g_free (node);
}

static gboolean
fail_at (Reader      *reader,
         guint        line,
         GError     **error,
         const char  *text)
{
  guint file_line;
  const char *file = cyc_source_lines_find (reader->yaml->lines, line, &file_line);

  cyc_error_set_at (error, CYC_ERROR_INPUT, file, file_line, "%s", text);
  return FALSE;
}

static CycYamlNode *
add_node (Reader      *reader,
          CycYamlKind  kind,
          guint        line,
          const char  *tag)
{
  CycYamlNode *node = g_new0 (CycYamlNode, 1);
  guint file_line;

  node->kind = kind;
  node->text = "";
  node->weight = 1;
  node->file = cyc_source_lines_find (reader->yaml->lines, line, &file_line);
  node->line = file_line;
  if (tag != NULL && tag[0] == '!' && tag[1] != '\0')
    node->tag = g_string_chunk_insert_const (reader->yaml->texts, tag);
  g_ptr_array_add (reader->yaml->nodes, node);
  return node;
}

/* Puts a complete node where it belongs. */
static gboolean
place (Reader       *reader,
       CycYamlNode  *node,
       guint         line,
       GError      **error)
{
  if (reader->levels->len == 0)
    {
      reader->yaml->root = node;
      return TRUE;
    }
  Level *level = g_ptr_array_index (reader->levels, reader->levels->len - 1);
  level->node->weight += node->weight;
  if (level->node->weight > MAX_NODES)
    return fail_at (reader, line, error, "the file holds more than a million nodes, aliases counted as often as "
                    "they are used; split or shorten it");
  if (level->node->kind == CYC_YAML_LIST)
    g_ptr_array_add (level->items, node);
  else if (level->key == NULL)
    {
      if (node->kind != CYC_YAML_SCALAR)
        return fail_at (reader, line, error, "a key is a list or a map; expected a name");
      if (g_hash_table_contains (level->names, node->text))
        {
          g_autofree char *text = g_strdup_printf ("the key '%s' is there twice", node->text);
          return fail_at (reader, line, error, text);
        }
      g_hash_table_add (level->names, (gpointer) node->text);
      level->key = node;
    }
  else
    {
      g_ptr_array_add (level->keys, level->key);
      g_ptr_array_add (level->items, node);
      level->key = NULL;
    }
  return TRUE;
}

static void
anchor (Reader              *reader,
        GHashTable          *table,
        const yaml_char_t   *name,
        CycYamlNode         *node)
{
  if (name != NULL)
    g_hash_table_replace (table, g_strdup ((const char *) name), node);
}

static gboolean
read_scalar (Reader              *reader,
             const yaml_event_t  *event,
             guint                line,
             GError             **error)
{
  const char *text = (const char *) event->data.scalar.value;
  CycYamlNode *node = add_node (reader, CYC_YAML_SCALAR, line, (const char *) event->data.scalar.tag);

  if (memchr (text, '\0', event->data.scalar.length) != NULL)
    return fail_at (reader, line, error, "a text holds a NUL");
  node->text = g_string_chunk_insert_len (reader->yaml->texts, text, (gssize) event->data.scalar.length);
  node->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
  if (event->data.scalar.anchor != NULL)
    g_hash_table_remove (reader->open, event->data.scalar.anchor);
  anchor (reader, reader->anchors, event->data.scalar.anchor, node);
  return place (reader, node, line, error);
}

static gboolean
read_alias (Reader              *reader,
            const yaml_event_t  *event,
            guint                line,
            GError             **error)
{
  const char *name = (const char *) event->data.alias.anchor;
  CycYamlNode *node = g_hash_table_lookup (reader->anchors, name);
  CycYamlNode *open = g_hash_table_lookup (reader->open, name);

  if (open != NULL)
    for (guint i = 0; i < reader->levels->len; i++)
      if (((Level *) g_ptr_array_index (reader->levels, i))->node == open)
        {
          g_autofree char *text = g_strdup_printf ("the alias *%s stands inside of what it names", name);
          return fail_at (reader, line, error, text);
        }
  if (open != NULL)
    node = open;
  if (node == NULL)
    {
      g_autofree char *text = g_strdup_printf ("the alias *%s names nothing above it", name);
      return fail_at (reader, line, error, text);
    }
  return place (reader, node, line, error);
}

static gboolean
open_level (Reader             *reader,
            CycYamlKind         kind,
            const yaml_char_t  *tag,
            const yaml_char_t  *name,
            guint               line,
            GError            **error)
{
  if (reader->levels->len >= MAX_DEPTH)
    return fail_at (reader, line, error, "lists and maps are nested over 200 deep");
  Level *level = g_new0 (Level, 1);
  level->node = add_node (reader, kind, line, (const char *) tag);
  level->items = g_ptr_array_new ();
  if (kind == CYC_YAML_MAP)
    {
      level->keys = g_ptr_array_new ();
      level->names = g_hash_table_new (g_str_hash, g_str_equal);
    }
  g_ptr_array_add (reader->levels, level);
  if (name != NULL)
    g_hash_table_remove (reader->anchors, name);
  anchor (reader, reader->open, name, level->node);
  return TRUE;
}

static gboolean
close_level (Reader   *reader,
             guint     line,
             GError  **error)
{
  Level *level = g_ptr_array_steal_index (reader->levels, reader->levels->len - 1);
  CycYamlNode *node = level->node;

  node->n_items = level->items->len;
  node->items = (CycYamlNode **) g_ptr_array_free (g_steal_pointer (&level->items), FALSE);
  if (level->keys != NULL)
    node->keys = (CycYamlNode **) g_ptr_array_free (g_steal_pointer (&level->keys), FALSE);
  free_level (level);
  return place (reader, node, line, error);
}

static gboolean
take_event (Reader              *reader,
            const yaml_event_t  *event,
            guint               *n_documents,
            GError             **error)
{
  guint line = (guint) event->start_mark.line + 1;

  switch (event->type)
    {
    case YAML_SCALAR_EVENT:
      return read_scalar (reader, event, line, error);
    case YAML_ALIAS_EVENT:
      return read_alias (reader, event, line, error);
    case YAML_SEQUENCE_START_EVENT:
      return open_level (reader, CYC_YAML_LIST, event->data.sequence_start.tag,
                         event->data.sequence_start.anchor, line, error);
    case YAML_MAPPING_START_EVENT:
      return open_level (reader, CYC_YAML_MAP, event->data.mapping_start.tag,
                         event->data.mapping_start.anchor, line, error);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
      return close_level (reader, line, error);
    case YAML_DOCUMENT_START_EVENT:
      if (++*n_documents > 1)
        return fail_at (reader, line, error, "a second document begins here; expected one in a file");
      return TRUE;
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_STREAM_END_EVENT:
    case YAML_DOCUMENT_END_EVENT:
    default:
      return TRUE;
    }
}

static gboolean
fail_as_parser (Reader               *reader,
                const yaml_parser_t  *parser,
                GError              **error)
{
  gsize index = parser->problem_mark.line;
  const char *problem = parser->problem != NULL ? parser->problem : "the text cannot be read";
  g_autofree char *text = parser->context != NULL
    ? g_strdup_printf ("not YAML: %s (%s)", problem, parser->context)
    : g_strdup_printf ("not YAML: %s", problem);

  return fail_at (reader, (guint) MIN (index, G_MAXINT32) + 1, error, text);
}

static gboolean
read_events (Reader       *reader,
             const char   *bytes,
             gsize         len,
             GError      **error)
{
  yaml_parser_t parser;
  gboolean good = TRUE;
  gboolean done = FALSE;
  guint n_documents = 0;

  if (!yaml_parser_initialize (&parser))
    return fail_at (reader, 1, error, "no memory to read YAML");
  yaml_parser_set_encoding (&parser, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string (&parser, (const unsigned char *) bytes, len);
  while (good && !done)
    {
      yaml_event_t event;
      if (!yaml_parser_parse (&parser, &event))
        good = fail_as_parser (reader, &parser, error);
      else
        {
          done = event.type == YAML_STREAM_END_EVENT;
          good = take_event (reader, &event, &n_documents, error);
          yaml_event_delete (&event);
        }
    }
  yaml_parser_delete (&parser);
  return good;
}

/**
 * cyc_yaml_parse:
 * @text: (array length=len): UTF-8
 * @len: bytes
 * @lines: (transfer full): where its lines come from
 * @error: return location for an error, which names file and line
 *
 * Reads one YAML document into a tree. Scalars stay texts: what they mean is for who reads them.
 * Aliases are followed, a node of a million in all is refused, as are lists and maps over 200 deep and
 * keys that are there twice. Any thread.
 *
 * Returns: (transfer full) (nullable): the document, %NULL with @error set
 */
CycYaml *
cyc_yaml_parse (const char      *text,
                gsize            len,
                CycSourceLines  *lines,
                GError         **error)
{
  g_autoptr (CycYaml) self = g_new0 (CycYaml, 1);
  Reader reader = { self };

  self->lines = lines;
  self->nodes = g_ptr_array_new_with_free_func (free_node);
  self->texts = g_string_chunk_new (4096);
  reader.levels = g_ptr_array_new_with_free_func (free_level);
  reader.anchors = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  reader.open = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gboolean good = read_events (&reader, text, len, error);
  g_ptr_array_unref (reader.levels);
  g_hash_table_unref (reader.anchors);
  g_hash_table_unref (reader.open);
  if (!good)
    return NULL;
  return g_steal_pointer (&self);
}

void
cyc_yaml_free (CycYaml *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->nodes);
  g_string_chunk_free (self->texts);
  cyc_source_lines_free (self->lines);
  g_free (self);
}

/**
 * cyc_yaml_get_root:
 *
 * Returns: (transfer none) (nullable): the topmost node, %NULL if the document is empty
 */
const CycYamlNode *
cyc_yaml_get_root (const CycYaml *self)
{
  return self->root;
}

/**
 * cyc_yaml_node_get:
 * @map: any node
 * @key: a name
 *
 * Returns: (transfer none) (nullable): the value of @key in @map, %NULL if there is none or @map is no map
 */
const CycYamlNode *
cyc_yaml_node_get (const CycYamlNode *map,
                   const char        *key)
{
  if (map->kind != CYC_YAML_MAP)
    return NULL;
  for (guint i = 0; i < map->n_items; i++)
    if (strcmp (map->keys[i]->text, key) == 0)
      return map->items[i];
  return NULL;
}

/**
 * cyc_yaml_node_is_null:
 *
 * Returns: whether it is nothing: `null`, `~` or empty without quotes (YAML 1.2, core schema)
 */
gboolean
cyc_yaml_node_is_null (const CycYamlNode *node)
{
  return node->tag == NULL && cyc_yaml_node_is_empty (node);
}

/**
 * cyc_yaml_node_is_empty:
 * @node: any node
 *
 * Returns: whether there is nothing in it but perhaps a tag
 */
gboolean
cyc_yaml_node_is_empty (const CycYamlNode *node)
{
  static const char *const nulls[] = { "", "~", "null", "Null", "NULL", NULL };

  return node->kind == CYC_YAML_SCALAR && node->plain && g_strv_contains (nulls, node->text);
}

/**
 * cyc_yaml_node_is_bool:
 * @node: any node
 * @out_value: (out) (optional): its value
 *
 * Returns: whether it is a boolean: `true` or `false` in the usual capitalisations (YAML 1.2, core schema)
 */
gboolean
cyc_yaml_node_is_bool (const CycYamlNode *node,
                       gboolean          *out_value)
{
  static const char *const trues[] = { "true", "True", "TRUE", NULL };
  static const char *const falses[] = { "false", "False", "FALSE", NULL };

  if (node->kind != CYC_YAML_SCALAR || !node->plain)
    return FALSE;
  gboolean value = g_strv_contains (trues, node->text);
  if (out_value != NULL)
    *out_value = value;
  return value || g_strv_contains (falses, node->text);
}

/**
 * cyc_yaml_node_describe:
 *
 * Returns: what the node is, for a message
 */
const char *
cyc_yaml_node_describe (const CycYamlNode *node)
{
  if (node->kind == CYC_YAML_LIST)
    return "a list";
  if (node->kind == CYC_YAML_MAP)
    return "a map";
  if (cyc_yaml_node_is_null (node))
    return "nothing";
  return cyc_yaml_node_is_bool (node, NULL) ? "a boolean" : "a text";
}

/**
 * cyc_yaml_node_error:
 * @node: where the fault is
 * @error: return location
 * @format: what is wrong
 *
 * Sets an error that names file and line of the node.
 */
void
cyc_yaml_node_error (const CycYamlNode  *node,
                     GError            **error,
                     const char         *format,
                     ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  va_end (args);
  cyc_error_set_at (error, CYC_ERROR_INPUT, node->file, node->line, "%s", text);
}
