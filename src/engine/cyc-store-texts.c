/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-store-texts-private.h"

#include <string.h>

#include "core/base/cyc-json-reader.h"
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
  const char *text = json == NULL ? "" : json;
  g_autoptr (CycJsonReader) reader = cyc_json_reader_new_for_text (text, strlen (text));
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  gsize len;

  gboolean ok = cyc_json_reader_next (reader, NULL) && cyc_json_reader_get_token (reader) == CYC_JSON_ARRAY;
  while (ok && (ok = cyc_json_reader_next (reader, NULL)) && cyc_json_reader_get_token (reader) == CYC_JSON_STRING)
    {
      text = cyc_json_reader_get_text (reader, &len);
      g_ptr_array_add (texts, g_strndup (text, len));
    }
  if (!ok || cyc_json_reader_get_token (reader) != CYC_JSON_CLOSE)
    return g_new0 (char *, 1);
  g_ptr_array_add (texts, NULL);
  return (GStrv) g_ptr_array_free (g_steal_pointer (&texts), FALSE);
}
