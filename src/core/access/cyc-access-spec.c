/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/access/cyc-access-spec.h"

#include <string.h>

#include "core/base/cyc-byte-reader.h"
#include "core/base/cyc-error.h"

#define MAX_FILE (16 * 1024 * 1024)

typedef struct
{
  CycAccessSpec     *spec;
  const CycYamlNode *workload;
  const CycYamlNode *mapping;
  GHashTable        *seen;  /* top-level key: CycYamlNode */
  GHashTable        *read;  /* names of parameters that some template reads */
  const char        *first; /* the first file */
  CycAccessSpec     *base;  /* whose workload counts if there is none; NULL */
} Reader;

static const char *const ignored[] = { "arch", "renames", "variables", "config", "mapper", "model", NULL };

static gboolean
take_top (Reader             *self,
          const CycYamlNode  *key,
          const CycYamlNode  *value,
          GError            **error)
{
  const CycYamlNode *before = g_hash_table_lookup (self->seen, key->text);

  if (before != NULL)
    {
      cyc_yaml_node_error (key, error, "'%s' is there twice; the other one is in %s, line %u", key->text,
                           before->file, before->line);
      return FALSE;
    }
  g_hash_table_insert (self->seen, (gpointer) key->text, (gpointer) key);
  if (strcmp (key->text, "workload") == 0)
    self->workload = value;
  else if (strcmp (key->text, "mapping") == 0)
    self->mapping = value;
  else if (!g_strv_contains (ignored, key->text))
    {
      cyc_yaml_node_error (key, error, "unknown key '%s'; expected workload, mapping, arch, renames, variables, "
                           "config, mapper or model", key->text);
      return FALSE;
    }
  return TRUE;
}

static void
note_parameters (Reader      *self,
                 const char  *file,
                 const char  *text,
                 gsize        len)
{
  g_autoptr (GPtrArray) found = cyc_template_list_parameters (file, text, len, NULL);

  for (guint i = 0; found != NULL && i < found->len; i++)
    g_hash_table_add (self->read, g_strdup (((CycTemplateParameter *) found->pdata[i])->name));
}

static void
warn_of_parameters (Reader     *self,
                    GHashTable *parameters)
{
  GHashTableIter iter;
  gpointer name;

  if (parameters == NULL)
    return;
  g_hash_table_iter_init (&iter, parameters);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    if (!g_hash_table_contains (self->read, name))
      cyc_access_warning_add (self->spec->warnings, NULL, 0, "no template reads the parameter '%s'", (char *) name);
}

static gboolean
take_text (Reader      *self,
           const char  *file,
           const char  *text,
           gsize        len,
           GHashTable  *parameters,
           GError     **error)
{
  CycSourceLines *lines = NULL;
  g_autoptr (GString) expanded = cyc_template_expand (file, text, len, parameters, &lines, error);

  if (expanded == NULL)
    return FALSE;
  if (parameters != NULL && g_hash_table_size (parameters) > 0)
    note_parameters (self, file, text, len);
  CycYaml *yaml = cyc_yaml_parse (expanded->str, expanded->len, lines, error);
  if (yaml == NULL)
    return FALSE;
  g_ptr_array_add (self->spec->documents, yaml);
  const CycYamlNode *root = cyc_yaml_get_root (yaml);
  if (root == NULL || cyc_yaml_node_is_null (root))
    {
      cyc_access_warning_add (self->spec->warnings, file, 0, "the file holds nothing");
      return TRUE;
    }
  if (root->kind != CYC_YAML_MAP)
    {
      cyc_yaml_node_error (root, error, "expected a map with workload or mapping, not %s",
                           cyc_yaml_node_describe (root));
      return FALSE;
    }
  for (guint i = 0; i < root->n_items; i++)
    if (!take_top (self, root->keys[i], root->items[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
take_file (Reader      *self,
           const char  *path,
           GHashTable  *parameters,
           GError     **error)
{
  gsize len;
  g_autofree char *text = cyc_byte_reader_read_all (path, MAX_FILE, &len, error);

  return text != NULL && take_text (self, path, text, len, parameters, error);
}

static gboolean
finish (Reader      *self,
        GHashTable  *parameters,
        GError     **error)
{
  warn_of_parameters (self, parameters);
  CycAccessSpec *base = self->workload == NULL ? self->base : NULL;
  if ((self->workload == NULL && base == NULL) || self->mapping == NULL)
    {
      cyc_error_set_at (error, CYC_ERROR_NOT_FOUND, self->first, 0, "no top-level key '%s' in what was given; add it, "
                        "or the file that has it",
                        self->workload == NULL && base == NULL ? "workload" : "mapping");
      return FALSE;
    }
  if (base != NULL)
    self->spec->base = cyc_access_spec_ref (base);
  self->spec->workload = base != NULL ? base->workload : cyc_access_workload_read (self->workload, error);
  if (self->spec->workload == NULL)
    return FALSE;
  self->spec->mapping = cyc_access_mapping_read (self->mapping, self->spec->warnings, error);
  return self->spec->mapping != NULL;
}

static CycAccessSpec *
new_spec (void)
{
  CycAccessSpec *self = g_new0 (CycAccessSpec, 1);

  g_atomic_ref_count_init (&self->count);
  self->documents = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_yaml_free);
  self->warnings = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_access_warning_free);
  return self;
}

/**
 * cyc_access_spec_read:
 * @paths: (array zero-terminated=1): the files, at least one; `.gz` and `.xz` are read as such
 * @parameters: (nullable) (element-type utf8 utf8): values for the templates' parameters
 * @error: return location for an error, which names file and line of what the user wrote
 *
 * Reads a workload and a mapping in AccelForge's form (docs/formats.md), each in whichever file. Any thread.
 *
 * Returns: (transfer full) (nullable): both, %NULL with @error set
 */
CycAccessSpec *
cyc_access_spec_read (const char *const  *paths,
                      GHashTable         *parameters,
                      GError            **error)
{
  return cyc_access_spec_read_over (paths, parameters, NULL, error);
}

/**
 * cyc_access_spec_read_over:
 * @paths: as for cyc_access_spec_read()
 * @parameters: (nullable) (element-type utf8 utf8): the same
 * @base: (nullable): has the workload, if the files have none: they are another mapping of it
 * @error: return location for an error
 *
 * Returns: (transfer full) (nullable): a workload and its mapping, %NULL with @error set
 */
CycAccessSpec *
cyc_access_spec_read_over (const char *const  *paths,
                           GHashTable         *parameters,
                           CycAccessSpec      *base,
                           GError            **error)
{
  g_autoptr (CycAccessSpec) spec = new_spec ();
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) read = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Reader reader = { spec, NULL, NULL, seen, read, paths[0], base };

  for (guint i = 0; paths[i] != NULL; i++)
    if (!take_file (&reader, paths[i], parameters, error))
      return NULL;
  return finish (&reader, parameters, error) ? g_steal_pointer (&spec) : NULL;
}

/**
 * cyc_access_spec_read_text:
 * @file: what to call the text in messages
 * @text: (array length=len): what a file would hold
 * @len: bytes
 * @parameters: (nullable): as for cyc_access_spec_read()
 * @error: return location for an error
 *
 * Returns: (transfer full) (nullable): a workload and its mapping, %NULL with @error set
 */
CycAccessSpec *
cyc_access_spec_read_text (const char  *file,
                           const char  *text,
                           gsize        len,
                           GHashTable  *parameters,
                           GError     **error)
{
  g_autoptr (CycAccessSpec) spec = new_spec ();
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) read = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Reader reader = { spec, NULL, NULL, seen, read, file };

  if (!take_text (&reader, file, text, len, parameters, error) || !finish (&reader, parameters, error))
    return NULL;
  return g_steal_pointer (&spec);
}

/* Adds those of a file that are not listed yet. */
static gboolean
list_parameters (const char  *path,
                 GPtrArray   *parameters,
                 GError     **error)
{
  gsize len;
  g_autofree char *text = cyc_byte_reader_read_all (path, MAX_FILE, &len, error);
  g_autoptr (GPtrArray) found = text != NULL ? cyc_template_list_parameters (path, text, len, error) : NULL;

  if (found == NULL)
    return FALSE;
  for (guint i = 0; i < found->len; i++)
    {
      CycTemplateParameter *parameter = found->pdata[i];
      gboolean known = FALSE;
      for (guint j = 0; j < parameters->len; j++)
        known = known || strcmp (((CycTemplateParameter *) parameters->pdata[j])->name, parameter->name) == 0;
      if (known)
        continue;
      g_ptr_array_add (parameters, parameter);
      found->pdata[i] = NULL;
    }
  return TRUE;
}

/**
 * cyc_access_spec_list_parameters:
 * @paths: (array zero-terminated=1): the files
 * @error: return location for an error
 *
 * Lists what the templates of some files want to be told, each name once.
 *
 * Returns: (transfer full) (element-type CycTemplateParameter) (nullable): them, %NULL with @error set
 */
GPtrArray *
cyc_access_spec_list_parameters (const char *const  *paths,
                                 GError            **error)
{
  g_autoptr (GPtrArray) parameters =
    g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_template_parameter_free);

  for (guint i = 0; paths[i] != NULL; i++)
    if (!list_parameters (paths[i], parameters, error))
      return NULL;
  return g_steal_pointer (&parameters);
}

/**
 * cyc_access_spec_ref:
 *
 * Returns: (transfer full): @self, to be freed once more. Any thread.
 */
CycAccessSpec *
cyc_access_spec_ref (CycAccessSpec *self)
{
  g_atomic_ref_count_inc (&self->count);
  return self;
}

void
cyc_access_spec_free (CycAccessSpec *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->count))
    return;
  if (self->base == NULL)
    cyc_access_workload_free (self->workload);
  cyc_access_node_free (self->mapping);
  g_ptr_array_unref (self->warnings);
  g_ptr_array_unref (self->documents);
  cyc_access_spec_free (self->base);
  g_free (self);
}
