/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "core/access/cyc-yaml.h"
#include "core/base/cyc-error.h"

static CycYaml *
parse (const char  *text,
       GError     **error)
{
  return cyc_yaml_parse (text, strlen (text), cyc_source_lines_new ("f.yaml"), error);
}

static void
test_tree (void)
{
  static const char text[] =
    "# a comment\n"
    "a: {b: [1, 'two', \"th\\u0072ee\"], c: }\n"
    "d: &x\n"
    "  - !Storage\n"
    "    tensors: [A, B]\n"
    "  - !Temporal {tile_shape: 1}\n"
    "e: *x\n"
    "on: True\n"
    "f: 'true'";
  g_autoptr (GError) error = NULL;
  g_autoptr (CycYaml) yaml = parse (text, &error);
  gboolean value = FALSE;

  g_assert_no_error (error);
  const CycYamlNode *root = cyc_yaml_get_root (yaml);
  g_assert_cmpint (root->kind, ==, CYC_YAML_MAP);
  g_assert_cmpuint (root->n_items, ==, 5);
  const CycYamlNode *b = cyc_yaml_node_get (cyc_yaml_node_get (root, "a"), "b");
  g_assert_cmpuint (b->n_items, ==, 3);
  g_assert_cmpuint (b->line, ==, 2);
  g_assert_cmpstr (b->items[1]->text, ==, "two");
  g_assert_false (b->items[1]->plain);
  g_assert_cmpstr (b->items[2]->text, ==, "three");
  g_assert_true (cyc_yaml_node_is_null (cyc_yaml_node_get (cyc_yaml_node_get (root, "a"), "c")));
  const CycYamlNode *d = cyc_yaml_node_get (root, "d");
  g_assert_true (cyc_yaml_node_get (root, "e") == d);
  g_assert_cmpstr (d->items[0]->tag, ==, "!Storage");
  g_assert_cmpuint (d->items[1]->line, ==, 6);
  g_assert_cmpstr (d->items[1]->file, ==, "f.yaml");
  /* YAML 1.2: `on` is a text, and so is a quoted `true`. */
  g_assert_true (cyc_yaml_node_is_bool (cyc_yaml_node_get (root, "on"), &value));
  g_assert_true (value);
  g_assert_false (cyc_yaml_node_is_bool (cyc_yaml_node_get (root, "f"), NULL));
}

static void
test_refused (void)
{
  static const char *const bad[][2] = {
    { "a: 1\nb: 2\na: 3\n", "f.yaml:3: the key 'a' is there twice" },
    { "a: *x\n", "f.yaml:1: the alias *x names nothing above it" },
    { "a: &x [1, *x]\n", "f.yaml:1: the alias *x stands inside of what it names" },
    { "? [1]\n: 2\n", "f.yaml:1: a key is a list or a map; expected a name" },
    { "a: 1\n---\nb: 2\n", "f.yaml:2: a second document begins here; expected one in a file" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;
      g_assert_null (parse (bad[i][0], &error));
      g_assert_error (error, CYC_ERROR, CYC_ERROR_INPUT);
      g_assert_cmpstr (error->message, ==, bad[i][1]);
    }
  g_autoptr (GError) error = NULL;
  g_assert_null (parse ("a: [1, 2\nb: }\n", &error));
  g_assert_true (g_str_has_prefix (error->message, "f.yaml:2: not YAML: "));
}

/* Ten levels of ten aliases are ten thousand million nodes: refused before they are walked. */
static void
test_bombs (void)
{
  g_autoptr (GString) text = g_string_new ("a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n");
  g_autoptr (GError) error = NULL;

  for (guint i = 1; i <= 10; i++)
    {
      g_string_append_printf (text, "a%u: &a%u [", i, i);
      for (guint j = 0; j < 10; j++)
        g_string_append_printf (text, "%s*a%u", j > 0 ? ", " : "", i - 1);
      g_string_append (text, "]\n");
    }
  g_assert_null (parse (text->str, &error));
  g_assert_nonnull (strstr (error->message, "more than a million nodes"));
  g_clear_error (&error);

  g_autofree char *deep = g_strnfill (100000, '[');
  g_assert_null (parse (deep, &error));
  g_assert_cmpstr (error->message, ==, "f.yaml:1: lists and maps are nested over 200 deep");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/yaml/parse/tree", test_tree);
  g_test_add_func ("/core/yaml/parse/refused", test_refused);
  g_test_add_func ("/core/yaml/parse/bombs", test_bombs);
  return g_test_run ();
}
