/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/base/cyc-json.h"

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

/**
 * cyc_json_node_get_string:
 * @node: (nullable): a value
 *
 * Returns: (transfer none) (nullable): the text in @node, %NULL if it is something else
 */
const char *
cyc_json_node_get_string (JsonNode *node)
{
  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
           ? json_node_get_string (node) : NULL;
}

/**
 * cyc_json_dup_strings:
 * @array: (nullable): an array
 *
 * Returns: (transfer full): the texts in it, without what is something else
 */
char **
cyc_json_dup_strings (JsonArray *array)
{
  g_autoptr (GStrvBuilder) texts = g_strv_builder_new ();

  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      const char *text = cyc_json_node_get_string (json_array_get_element (array, i));
      if (text != NULL)
        g_strv_builder_add (texts, text);
    }
  return g_strv_builder_end (texts);
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
