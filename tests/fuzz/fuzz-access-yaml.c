/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "fuzz.h"

#include <gio/gio.h>

#include "core/access/cyc-template.h"
#include "core/access/cyc-yaml.h"

/* Walks the whole tree, so that every node is looked at. */
static guint64
count_nodes (const CycYamlNode *node)
{
  guint64 n = 1;

  for (guint i = 0; i < node->n_items; i++)
    n += count_nodes (node->items[i]);
  g_assert_cmpuint (node->line, >, 0);
  g_assert_nonnull (cyc_yaml_node_describe (node));
  return n;
}

/* Any bytes: as a template, whose result is a document, and as a document. */
int
LLVMFuzzerTestOneInput (const uint8_t *data,
                        size_t         size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) plain_error = NULL;
  CycSourceLines *lines = NULL;
  g_autoptr (GString) text = cyc_template_expand ("input", (const char *) data, size, NULL, &lines, &error);

  g_assert_true ((text == NULL) == (error != NULL));
  if (text != NULL)
    {
      g_autoptr (CycYaml) yaml = cyc_yaml_parse (text->str, text->len, lines, &error);
      g_assert_true ((yaml == NULL) == (error != NULL));
      if (yaml != NULL && cyc_yaml_get_root (yaml) != NULL)
        g_assert_cmpuint (count_nodes (cyc_yaml_get_root (yaml)), <=, 2000001);
    }
  g_autoptr (CycYaml) plain = cyc_yaml_parse ((const char *) data, size, cyc_source_lines_new ("input"), &plain_error);
  g_assert_true ((plain == NULL) == (plain_error != NULL));
  g_autoptr (GPtrArray) parameters = cyc_template_list_parameters ("input", (const char *) data, size, NULL);
  return 0;
}
