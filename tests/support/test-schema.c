/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "support/test-schema.h"

#include <string.h>

typedef struct
{
  JsonObject *document;
  GString    *where;
  char       *error;
} Check;

static gboolean validate (Check *check, JsonObject *schema, JsonNode *node);

static gboolean
fail (Check      *check,
      const char *what)
{
  g_free (check->error);
  check->error = g_strdup_printf ("%s: %s", check->where->len > 0 ? check->where->str : "the document", what);
  return FALSE;
}

static JsonObject *
resolve (Check      *check,
         JsonObject *schema)
{
  while (json_object_has_member (schema, "$ref"))
    {
      g_auto (GStrv) parts = g_strsplit (json_object_get_string_member (schema, "$ref"), "/", -1);
      g_assert_cmpstr (parts[0], ==, "#");
      schema = check->document;
      for (guint i = 1; parts[i] != NULL; i++)
        schema = json_object_get_object_member (schema, parts[i]);
    }
  return schema;
}

static gboolean
is_type (JsonNode   *node,
         const char *type)
{
  GType value = JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node) : G_TYPE_INVALID;

  if (strcmp (type, "null") == 0)
    return JSON_NODE_HOLDS_NULL (node);
  if (strcmp (type, "object") == 0)
    return JSON_NODE_HOLDS_OBJECT (node);
  if (strcmp (type, "array") == 0)
    return JSON_NODE_HOLDS_ARRAY (node);
  if (strcmp (type, "string") == 0)
    return value == G_TYPE_STRING;
  if (strcmp (type, "integer") == 0)
    return value == G_TYPE_INT64;
  if (strcmp (type, "number") == 0)
    return value == G_TYPE_INT64 || value == G_TYPE_DOUBLE;
  g_assert_cmpstr (type, ==, "boolean");
  return value == G_TYPE_BOOLEAN;
}

static gboolean
check_type (Check    *check,
            JsonNode *type,
            JsonNode *node)
{
  if (JSON_NODE_HOLDS_VALUE (type))
    return is_type (node, json_node_get_string (type)) || fail (check, json_node_get_string (type));
  JsonArray *types = json_node_get_array (type);
  for (guint i = 0; i < json_array_get_length (types); i++)
    if (is_type (node, json_array_get_string_element (types, i)))
      return TRUE;
  return fail (check, "none of the types");
}

static gboolean
check_enum (Check     *check,
            JsonArray *words,
            JsonNode  *node)
{
  for (guint i = 0; i < json_array_get_length (words); i++)
    if (json_node_equal (json_array_get_element (words, i), node))
      return TRUE;
  return fail (check, "none of the words");
}

static gboolean
check_format (Check      *check,
              const char *format,
              JsonNode   *node)
{
  g_assert_cmpstr (format, ==, "date-time");
  g_autoptr (GDateTime) time = g_date_time_new_from_iso8601 (json_node_get_string (node), NULL);
  return (time != NULL && g_str_has_suffix (json_node_get_string (node), "Z")) || fail (check, "no time in UTC");
}

static gboolean
check_list (Check      *check,
            JsonObject *schema,
            JsonNode   *node)
{
  JsonArray *list = json_node_get_array (node);
  guint n = json_array_get_length (list);
  gsize len = check->where->len;

  if (json_object_has_member (schema, "minItems") &&
      (n < json_object_get_int_member (schema, "minItems") || n > json_object_get_int_member (schema, "maxItems")))
    return fail (check, "a wrong number of items");
  for (guint i = 0; i < n; i++)
    {
      g_string_append_printf (check->where, "[%u]", i);
      if (!validate (check, json_object_get_object_member (schema, "items"), json_array_get_element (list, i)))
        return FALSE;
      g_string_truncate (check->where, len);
    }
  return TRUE;
}

/* The schema of a member, of this object or of one that it builds on. */
static JsonObject *
find_property (Check      *check,
               JsonObject *schema,
               const char *name)
{
  schema = resolve (check, schema);
  if (json_object_has_member (schema, "allOf"))
    {
      JsonArray *all = json_object_get_array_member (schema, "allOf");
      for (guint i = 0; i < json_array_get_length (all); i++)
        {
          JsonObject *found = find_property (check, json_array_get_object_element (all, i), name);
          if (found != NULL)
            return found;
        }
      return NULL;
    }
  JsonObject *properties =
    json_object_has_member (schema, "properties") ? json_object_get_object_member (schema, "properties") : NULL;
  if (properties != NULL && json_object_has_member (properties, name))
    return json_object_get_object_member (properties, name);
  return json_object_has_member (schema, "additionalProperties")
           ? json_object_get_object_member (schema, "additionalProperties") : NULL;
}

static gboolean
check_required (Check      *check,
                JsonObject *schema,
                JsonObject *object)
{
  schema = resolve (check, schema);
  if (json_object_has_member (schema, "allOf"))
    {
      JsonArray *all = json_object_get_array_member (schema, "allOf");
      for (guint i = 0; i < json_array_get_length (all); i++)
        if (!check_required (check, json_array_get_object_element (all, i), object))
          return FALSE;
    }
  JsonArray *required =
    json_object_has_member (schema, "required") ? json_object_get_array_member (schema, "required") : NULL;
  for (guint i = 0; required != NULL && i < json_array_get_length (required); i++)
    {
      const char *name = json_array_get_string_element (required, i);
      g_autofree char *what = g_strdup_printf ("%s is missing", name);
      if (!json_object_has_member (object, name))
        return fail (check, what);
    }
  return TRUE;
}

static gboolean
check_object (Check      *check,
              JsonObject *schema,
              JsonNode   *node)
{
  JsonObject *object = json_node_get_object (node);
  gsize len = check->where->len;
  JsonObjectIter iter;
  const char *name;
  JsonNode *value;

  /* Any object will do. */
  if (json_object_get_size (schema) == 1 && json_object_has_member (schema, "type"))
    return TRUE;
  if (!check_required (check, schema, object))
    return FALSE;
  json_object_iter_init (&iter, object);
  while (json_object_iter_next (&iter, &name, &value))
    {
      JsonObject *property = find_property (check, schema, name);
      g_string_append_printf (check->where, ".%s", name);
      if (property == NULL)
        return fail (check, "not described");
      if (!validate (check, property, value))
        return FALSE;
      g_string_truncate (check->where, len);
    }
  return TRUE;
}

static gboolean
check_any (Check     *check,
           JsonArray *schemas,
           JsonNode  *node)
{
  g_autoptr (GString) errors = g_string_new (NULL);
  gsize len = check->where->len;

  for (guint i = 0; i < json_array_get_length (schemas); i++)
    {
      if (validate (check, json_array_get_object_element (schemas, i), node))
        return TRUE;
      g_string_truncate (check->where, len);
      g_string_append_printf (errors, "%s%s", i > 0 ? "; or " : "", check->error);
    }
  return fail (check, errors->str);
}

static gboolean
validate (Check      *check,
          JsonObject *schema,
          JsonNode   *node)
{
  schema = resolve (check, schema);
  if (json_object_has_member (schema, "anyOf"))
    return check_any (check, json_object_get_array_member (schema, "anyOf"), node);
  if (json_object_has_member (schema, "type") && !check_type (check, json_object_get_member (schema, "type"), node))
    return FALSE;
  if (json_object_has_member (schema, "enum"))
    return check_enum (check, json_object_get_array_member (schema, "enum"), node);
  if (json_object_has_member (schema, "format"))
    return check_format (check, json_object_get_string_member (schema, "format"), node);
  if (json_object_has_member (schema, "allOf") && !JSON_NODE_HOLDS_OBJECT (node))
    return fail (check, "object");
  if (JSON_NODE_HOLDS_ARRAY (node))
    return check_list (check, schema, node);
  return !JSON_NODE_HOLDS_OBJECT (node) || check_object (check, schema, node);
}

/**
 * test_schema_explain:
 * @document: an OpenAPI document
 * @schema: a schema in it
 * @node: JSON
 *
 * Returns: (transfer full) (nullable): where @node is not what @schema says; %NULL if it is
 */
char *
test_schema_explain (JsonObject *document,
                     JsonObject *schema,
                     JsonNode   *node)
{
  Check check = { document, g_string_new (NULL), NULL };

  if (validate (&check, schema, node))
    g_clear_pointer (&check.error, g_free);
  g_string_free (check.where, TRUE);
  return check.error;
}

/**
 * test_schema_find:
 * @document: an OpenAPI document
 * @method: a method, in small letters
 * @path: a path as the document names it
 * @status: of the answer
 * @media: (nullable): its type; %NULL for none
 *
 * Returns: (transfer none) (nullable): the schema of the answer, %NULL if it has no body. What the document does not
 *   describe fails the test
 */
JsonObject *
test_schema_find (JsonObject *document,
                  const char *method,
                  const char *path,
                  const char *status,
                  const char *media)
{
  JsonObject *paths = json_object_get_object_member (document, "paths");

  if (!json_object_has_member (paths, path) ||
      !json_object_has_member (json_object_get_object_member (paths, path), method))
    g_error ("%s %s is not described", method, path);
  JsonObject *operation = json_object_get_object_member (json_object_get_object_member (paths, path), method);
  JsonObject *answers = json_object_get_object_member (operation, "responses");
  const char *key = json_object_has_member (answers, status) ? status : "default";
  if (strcmp (key, "default") == 0 && status[0] == '2')
    g_error ("%s %s: status %s is not described", method, path, status);
  JsonObject *answer = json_object_get_object_member (answers, key);
  if (!json_object_has_member (answer, "content"))
    {
      g_assert_null (media);
      return NULL;
    }
  JsonObject *content = json_object_get_object_member (answer, "content");
  if (media == NULL || !json_object_has_member (content, media))
    g_error ("%s %s: %s is not described", method, path, media == NULL ? "no body" : media);
  return json_object_get_object_member (json_object_get_object_member (content, media), "schema");
}
