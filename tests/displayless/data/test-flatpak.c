/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib.h>
#include <yaml.h>

/* The manifest for builds of one's own, against what flatpak-builder's manual page says of manifests. */

typedef struct
{
  yaml_document_t document;
  char           *folder;
} Manifest;

static void
set_up (Manifest      *self,
        gconstpointer  data)
{
  g_autofree char *source = g_test_build_filename (G_TEST_DIST, "..", "build-aux", "flatpak", NULL);
  self->folder = g_canonicalize_filename (source, NULL);
  g_autofree char *path = g_build_filename (self->folder, CYC_APP_ID ".yml", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  gsize length = 0;
  yaml_parser_t parser;

  g_file_get_contents (path, &text, &length, &error);
  g_assert_no_error (error);
  g_assert_true (yaml_parser_initialize (&parser));
  yaml_parser_set_input_string (&parser, (const unsigned char *) text, length);
  g_assert_true (yaml_parser_load (&parser, &self->document));
  yaml_parser_delete (&parser);
}

static void
tear_down (Manifest      *self,
           gconstpointer  data)
{
  yaml_document_delete (&self->document);
  g_free (self->folder);
}

static yaml_node_t *
get_root (Manifest *self)
{
  yaml_node_t *root = yaml_document_get_root_node (&self->document);

  g_assert_nonnull (root);
  g_assert_cmpint (root->type, ==, YAML_MAPPING_NODE);
  return root;
}

static const char *
get_scalar (const yaml_node_t *node)
{
  g_assert_nonnull (node);
  g_assert_cmpint (node->type, ==, YAML_SCALAR_NODE);
  return (const char *) node->data.scalar.value;
}

/* The value of @key, NULL without one; a key that is there twice fails. */
static yaml_node_t *
look_up (Manifest          *self,
         const yaml_node_t *mapping,
         const char        *key)
{
  yaml_node_t *found = NULL;

  g_assert_cmpint (mapping->type, ==, YAML_MAPPING_NODE);
  for (const yaml_node_pair_t *pair = mapping->data.mapping.pairs.start; pair < mapping->data.mapping.pairs.top;
       pair++)
    if (g_str_equal (get_scalar (yaml_document_get_node (&self->document, pair->key)), key))
      {
        g_assert_null (found);
        found = yaml_document_get_node (&self->document, pair->value);
      }
  return found;
}

static const char *
get_text (Manifest          *self,
          const yaml_node_t *mapping,
          const char        *key)
{
  return get_scalar (look_up (self, mapping, key));
}

static guint
get_length (const yaml_node_t *sequence)
{
  g_assert_nonnull (sequence);
  g_assert_cmpint (sequence->type, ==, YAML_SEQUENCE_NODE);
  return (guint) (sequence->data.sequence.items.top - sequence->data.sequence.items.start);
}

static yaml_node_t *
get_item (Manifest          *self,
          const yaml_node_t *sequence,
          guint              index)
{
  g_assert_cmpuint (index, <, get_length (sequence));
  return yaml_document_get_node (&self->document, sequence->data.sequence.items.start[index]);
}

static void
assert_keys (Manifest          *self,
             const yaml_node_t *mapping,
             const char *const *known)
{
  g_assert_cmpint (mapping->type, ==, YAML_MAPPING_NODE);
  for (const yaml_node_pair_t *pair = mapping->data.mapping.pairs.start; pair < mapping->data.mapping.pairs.top;
       pair++)
    {
      const char *key = get_scalar (yaml_document_get_node (&self->document, pair->key));
      if (!g_strv_contains (known, key))
        g_error ("the manifest has a key that flatpak-builder does not know here: %s", key);
    }
}

static void
test_application (Manifest      *self,
                  gconstpointer  data)
{
  static const char *const known[] = {
    "id", "runtime", "runtime-version", "sdk", "command", "finish-args", "cleanup", "modules", NULL,
  };
  const yaml_node_t *root = get_root (self);

  assert_keys (self, root, known);
  g_assert_cmpstr (get_text (self, root, "id"), ==, CYC_APP_ID);
  g_assert_cmpstr (get_text (self, root, "runtime"), ==, "org.gnome.Platform");
  g_assert_cmpstr (get_text (self, root, "sdk"), ==, "org.gnome.Sdk");
  g_assert_cmpstr (get_text (self, root, "command"), ==, "cyclescope");

  /* A string: as a number, 50 would do, and 5.10 would not. */
  const yaml_node_t *version = look_up (self, root, "runtime-version");
  g_assert_cmpuint (g_ascii_strtoull (get_scalar (version), NULL, 10), >=, 43);
  g_assert_cmpint (version->data.scalar.style, ==, YAML_SINGLE_QUOTED_SCALAR_STYLE);
}

static void
test_permissions (Manifest      *self,
                  gconstpointer  data)
{
  static const char *const granted[] = {
    "--share=ipc", "--socket=wayland", "--socket=fallback-x11", "--device=dri", "--filesystem=home:ro", NULL,
  };
  const yaml_node_t *list = look_up (self, get_root (self), "finish-args");

  g_assert_cmpuint (get_length (list), ==, g_strv_length ((char **) granted));
  for (guint i = 0; i < get_length (list); i++)
    g_assert_true (g_strv_contains (granted, get_scalar (get_item (self, list, i))));
}

static void
check_source (Manifest          *self,
              const yaml_node_t *source)
{
  static const char *const known[] = { "type", "url", "sha256", "path", "skip", NULL };
  const char *type = get_text (self, source, "type");

  assert_keys (self, source, known);
  if (g_str_equal (type, "archive"))
    {
      g_assert_true (g_regex_match_simple ("^https://\\S+\\.tar\\.[gx]z$", get_text (self, source, "url"), 0, 0));
      g_assert_true (g_regex_match_simple ("^[0-9a-f]{64}$", get_text (self, source, "sha256"), 0, 0));
      return;
    }
  g_assert_cmpstr (type, ==, "dir");
  g_autofree char *build = g_build_filename (self->folder, get_text (self, source, "path"), "meson.build", NULL);
  g_assert_true (g_file_test (build, G_FILE_TEST_IS_REGULAR));
}

static void
test_modules (Manifest      *self,
              gconstpointer  data)
{
  static const char *const known[] = {
    "name", "buildsystem", "builddir", "config-opts", "cleanup", "sources", NULL,
  };
  static const char *const systems[] = { "meson", "cmake-ninja", "autotools", NULL };
  const yaml_node_t *modules = look_up (self, get_root (self), "modules");
  const char *last = NULL;

  for (guint i = 0; i < get_length (modules); i++)
    {
      const yaml_node_t *module = get_item (self, modules, i);
      assert_keys (self, module, known);
      g_assert_true (g_strv_contains (systems, get_text (self, module, "buildsystem")));
      const yaml_node_t *sources = look_up (self, module, "sources");
      g_assert_cmpuint (get_length (sources), ==, 1);
      check_source (self, get_item (self, sources, 0));
      last = get_text (self, module, "name");
    }
  g_assert_cmpstr (last, ==, "cyclescope");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, func) g_test_add ("/data/flatpak/" name, Manifest, NULL, set_up, func, tear_down)
  ADD ("application", test_application);
  ADD ("permissions", test_permissions);
  ADD ("modules", test_modules);
#undef ADD
  return g_test_run ();
}
