/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-store-texts-private.h"

#include <string.h>

#include "core/base/cyc-json.h"
#include "core/base/cyc-json-writer.h"

/**
 * cyc_texts_to_json:
 * @texts: (nullable): a list of texts
 *
 * Returns: (transfer full): the list as it stands in a column of the database
 */
char *
cyc_texts_to_json (const char *const *texts)
{
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);
  cyc_json_writer_begin_array (writer);
  for (; texts != NULL && *texts != NULL; texts++)
    cyc_json_writer_string (writer, *texts);
  cyc_json_writer_end_array (writer);
  return g_string_free (cyc_json_writer_steal (writer), FALSE);
}

/**
 * cyc_texts_from_json:
 * @json: (nullable): what cyc_texts_to_json() wrote
 *
 * Returns: (transfer full): the list, empty if @json is not one; never %NULL
 */
GStrv
cyc_texts_from_json (const char *json)
{
  g_autoptr (JsonNode) node = json == NULL ? NULL : cyc_json_parse (json, strlen (json), NULL, NULL);

  return cyc_json_dup_strings (node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL);
}
