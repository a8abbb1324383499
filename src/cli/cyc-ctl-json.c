/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/cyc-ctl-json.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/cyc-csv.h"
#include "core/base/cyc-format.h"
#include "core/base/cyc-json.h"
#include "core/base/cyc-number.h"

/* From the engine's answers to cells of tables and of CSV. */

static char *
join_array (JsonArray *array)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      const char *text = cyc_json_node_get_string (json_array_get_element (array, i));
      if (text != NULL)
        g_string_append_printf (out, "%s%s", out->len > 0 ? ", " : "", text);
    }
  return g_string_free (out, FALSE);
}

static char *
node_to_text (JsonNode *node)
{
  char buf[CYC_DOUBLE_BUF];

  if (node == NULL || JSON_NODE_HOLDS_NULL (node) || JSON_NODE_HOLDS_OBJECT (node))
    return NULL;
  if (JSON_NODE_HOLDS_ARRAY (node))
    return join_array (json_node_get_array (node));
  GType type = json_node_get_value_type (node);
  if (type == G_TYPE_STRING)
    return json_node_dup_string (node);
  if (type == G_TYPE_INT64)
    return g_strdup_printf ("%" G_GINT64_FORMAT, json_node_get_int (node));
  if (type == G_TYPE_BOOLEAN)
    return g_strdup (json_node_get_boolean (node) ? _("yes") : _("no"));
  return g_strdup (cyc_number_format_double (buf, json_node_get_double (node)));
}

/**
 * cyc_ctl_json_dup_text:
 * @object: (nullable): an object
 * @member: a key
 *
 * Returns: (transfer full) (nullable): the member as people read it; %NULL if it is null or missing
 */
char *
cyc_ctl_json_dup_text (JsonObject *object,
                       const char *member)
{
  if (object == NULL || !json_object_has_member (object, member))
    return NULL;
  return node_to_text (json_object_get_member (object, member));
}

/**
 * cyc_ctl_json_dup_time:
 * @object: (nullable): an object
 * @member: a key whose value is a time or null
 *
 * Returns: (transfer full): local time
 */
char *
cyc_ctl_json_dup_time (JsonObject *object,
                       const char *member)
{
  return cyc_format_time (cyc_json_get_string (object, member));
}

/**
 * cyc_ctl_json_dup_size:
 * @object: (nullable): an object
 * @member: a key whose value is a number of bytes
 *
 * Returns: (transfer full): the size as people read it
 */
char *
cyc_ctl_json_dup_size (JsonObject *object,
                       const char *member)
{
  gint64 bytes;

  if (!cyc_json_get_int (object, member, &bytes) || bytes < 0)
    return g_strdup ("-");
  return cyc_format_size ((guint64) bytes);
}

/**
 * cyc_ctl_json_dup_sentence:
 * @sim: a sim of a run
 *
 * What there is to say of a sim. `error` is of those that failed; one that a cap stopped has
 * succeeded for the engine, and is not what was asked for all the same.
 *
 * Returns: (transfer full) (nullable): a sentence; %NULL if there is nothing
 */
char *
cyc_ctl_json_dup_sentence (JsonObject *sim)
{
  g_return_val_if_fail (sim != NULL, NULL);

  const char *error = cyc_json_get_string (sim, "error");
  if (g_strcmp0 (cyc_json_get_string (sim, "outcome"), "limit") != 0)
    return g_strdup (error);
  return g_strconcat (_("The simulation stopped at a cap on cycles, instructions or blocks; the last "
                        "kernel's figures are partial. Raise or remove -gpgpu_max_cycle, "
                        "-gpgpu_max_insn or -gpgpu_max_cta to simulate all of it."),
                      error == NULL ? "" : " ", error, NULL);
}

/**
 * cyc_ctl_csv_append:
 * @out: where to append
 * @text: (nullable): a field, %NULL for an empty one
 * @end: what follows: a comma or a line end
 *
 * Appends a field of CSV, in quotes where it needs them (RFC 4180).
 */
void
cyc_ctl_csv_append (GString    *out,
                    const char *text,
                    char        end)
{
  cyc_csv_append (out, text, end);
}

/**
 * cyc_ctl_csv_append_node:
 * @out: where to append
 * @node: (nullable): a value; what is null gives an empty field
 * @end: what follows: a comma or a line end
 */
void
cyc_ctl_csv_append_node (GString  *out,
                         JsonNode *node,
                         char      end)
{
  g_autofree char *text = node_to_text (node);

  cyc_ctl_csv_append (out, text, end);
}

/**
 * cyc_ctl_csv_append_member:
 * @out: where to append
 * @object: (nullable): an object
 * @member: a key; what is null or missing gives an empty field
 * @end: what follows: a comma or a line end
 */
void
cyc_ctl_csv_append_member (GString    *out,
                           JsonObject *object,
                           const char *member,
                           char        end)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, member) : NULL;

  cyc_ctl_csv_append_node (out, node, end);
}
