/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/base/cyc-json.h"

#include <string.h>

#include "core/base/cyc-byte-reader.h"
#include "core/base/cyc-error.h"

/* json-glib reads by recursion: a body of brackets alone would end the process. */
#define MAX_DEPTH 128

static gboolean
check_depth (const char  *text,
             gsize        len,
             const char  *source,
             GError     **error)
{
  guint depth = 0;
  guint64 line = 1;
  gboolean in_string = FALSE;

  for (gsize i = 0; i < len; i++)
    {
      char c = text[i];
      if (c == '\n')
        line++;
      if (in_string)
        {
          if (c == '\\')
            i++;
          else if (c == '"')
            in_string = FALSE;
        }
      else if (c == '"')
        in_string = TRUE;
      else if ((c == '[' || c == '{') && ++depth > MAX_DEPTH)
        {
          cyc_error_set_at (error, CYC_ERROR_INPUT, source, line,
                            "JSON nested more than %d levels deep", MAX_DEPTH);
          return FALSE;
        }
      else if ((c == ']' || c == '}') && depth > 0)
        depth--;
    }
  return TRUE;
}

static guint64
line_of_error (JsonParser *parser)
{
  return json_parser_get_current_line (parser);
}

/**
 * cyc_json_parse:
 * @text: (array length=len): JSON text
 * @len: length in bytes
 * @source: (nullable): the file's name for messages
 * @error: (nullable): return location for an error
 *
 * Reads one JSON value, whole, into memory: for settings, metadata and request bodies, not for
 * traces. Text that is not UTF-8, nested too deeply, or not JSON is an error with its line.
 *
 * Returns: (transfer full) (nullable): the value
 */
JsonNode *
cyc_json_parse (const char  *text,
                gsize        len,
                const char  *source,
                GError     **error)
{
  g_return_val_if_fail (text != NULL || len == 0, NULL);

  if (!g_utf8_validate_len (text, len, NULL))
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, source, 0, "not JSON: the text is not UTF-8");
      return NULL;
    }
  if (!check_depth (text, len, source, error))
    return NULL;

  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  g_autoptr (GError) local = NULL;
  if (len == 0 || !json_parser_load_from_data (parser, text, (gssize) len, &local))
    {
      const char *detail = local == NULL ? "the text is empty" : local->message;
      /* json-glib puts its own "<data>:LINE:COLUMN: " in front. */
      if (g_str_has_prefix (detail, "<data>:"))
        {
          const char *rest = strstr (detail, ": ");
          detail = rest == NULL ? detail : rest + 2;
        }
      cyc_error_set_at (error, CYC_ERROR_INPUT, source, source == NULL ? 0 : line_of_error (parser),
                        "not JSON: %s", detail);
      return NULL;
    }
  JsonNode *root = json_parser_steal_root (parser);
  if (root == NULL)
    cyc_error_set_at (error, CYC_ERROR_INPUT, source, 0, "not JSON: no value");
  return root;
}

/**
 * cyc_json_parse_file:
 * @path: a file; `.gz` and `.xz` are unpacked
 * @limit: refuse more bytes than these
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): the file's JSON value
 */
JsonNode *
cyc_json_parse_file (const char  *path,
                     gsize        limit,
                     GError     **error)
{
  gsize len;
  g_autofree char *text = cyc_byte_reader_read_all (path, limit, &len, error);

  return text == NULL ? NULL : cyc_json_parse (text, len, path, error);
}

/**
 * cyc_json_node_get_object:
 * @node: (nullable): a value
 *
 * Returns: (transfer none) (nullable): the object in @node, %NULL if it is something else
 */
JsonObject *
cyc_json_node_get_object (JsonNode *node)
{
  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

static JsonNode *
get_value (JsonObject *object,
           const char *member,
           GType       type)
{
  if (object == NULL || !json_object_has_member (object, member))
    return NULL;
  JsonNode *node = json_object_get_member (object, member);
  return JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == type ? node : NULL;
}

/**
 * cyc_json_get_string:
 * @object: (nullable): an object
 * @member: a key
 *
 * Returns: (transfer none) (nullable): the text, %NULL if it is missing or not a text
 */
const char *
cyc_json_get_string (JsonObject *object,
                     const char *member)
{
  JsonNode *node = get_value (object, member, G_TYPE_STRING);

  return node == NULL ? NULL : json_node_get_string (node);
}

/**
 * cyc_json_get_int:
 * @object: (nullable): an object
 * @member: a key
 * @out_value: (out): the number
 *
 * Returns: %TRUE if the member is there and written as an integer
 */
gboolean
cyc_json_get_int (JsonObject *object,
                  const char *member,
                  gint64     *out_value)
{
  JsonNode *node = get_value (object, member, G_TYPE_INT64);

  if (node == NULL)
    return FALSE;
  *out_value = json_node_get_int (node);
  return TRUE;
}

/**
 * cyc_json_get_double:
 * @object: (nullable): an object
 * @member: a key
 * @out_value: (out): the number
 *
 * Returns: %TRUE if the member is there and a number
 */
gboolean
cyc_json_get_double (JsonObject *object,
                     const char *member,
                     double     *out_value)
{
  gint64 whole;
  if (cyc_json_get_int (object, member, &whole))
    {
      *out_value = (double) whole;
      return TRUE;
    }
  JsonNode *node = get_value (object, member, G_TYPE_DOUBLE);
  if (node == NULL)
    return FALSE;
  *out_value = json_node_get_double (node);
  return TRUE;
}

/**
 * cyc_json_get_boolean:
 * @object: (nullable): an object
 * @member: a key
 * @out_value: (out): the value
 *
 * Returns: %TRUE if the member is there and a boolean
 */
gboolean
cyc_json_get_boolean (JsonObject *object,
                      const char *member,
                      gboolean   *out_value)
{
  JsonNode *node = get_value (object, member, G_TYPE_BOOLEAN);

  if (node == NULL)
    return FALSE;
  *out_value = json_node_get_boolean (node);
  return TRUE;
}

/**
 * cyc_json_get_array:
 * @object: (nullable): an object
 * @member: a key
 *
 * Returns: (transfer none) (nullable): the array, %NULL if it is missing or something else
 */
JsonArray *
cyc_json_get_array (JsonObject *object,
                    const char *member)
{
  if (object == NULL || !json_object_has_member (object, member))
    return NULL;
  JsonNode *node = json_object_get_member (object, member);
  return JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
}

/**
 * cyc_json_get_object:
 * @object: (nullable): an object
 * @member: a key
 *
 * Returns: (transfer none) (nullable): the object, %NULL if it is missing or something else
 */
JsonObject *
cyc_json_get_object (JsonObject *object,
                     const char *member)
{
  if (object == NULL || !json_object_has_member (object, member))
    return NULL;
  return cyc_json_node_get_object (json_object_get_member (object, member));
}
