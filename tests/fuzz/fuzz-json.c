/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "fuzz.h"

#include <json-glib/json-glib.h>

#include "core/base/cyc-json-writer.h"
#include "core/base/cyc-json.h"

/* Any bytes: as a document for the reader, and as a text for the writer, whose output the reader
 * must then accept. */
int
LLVMFuzzerTestOneInput (const uint8_t *data,
                        size_t         size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) node = cyc_json_parse ((const char *) data, size, "input", &error);
  g_assert_true ((node == NULL) == (error != NULL));

  g_autoptr (GString) text = g_string_new ("[");
  cyc_json_append_string (text, (const char *) data, size);
  g_string_append_c (text, ']');
  g_assert_true (g_utf8_validate_len (text->str, text->len, NULL));
  g_autoptr (GError) again = NULL;
  g_autoptr (JsonNode) back = cyc_json_parse (text->str, text->len, "output", &again);
  g_assert_no_error (again);
  g_assert_nonnull (back);
  return 0;
}
