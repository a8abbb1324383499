/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/accelsim/cyc-gpu-configs.h"

#include <glib/gi18n.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-name.h"

/* The simulator ships a dozen; this only keeps a wrong root, such as /, from being read for
 * ever. */
#define MAX_FOLDERS 4096

/* Where the configurations of one framework lie, seen from its folder or from gpu-simulator. */
static const char *const trees[] = {
  "gpu-simulator/gpgpu-sim/configs/tested-cfgs",
  "gpu-simulator/configs/tested-cfgs",
  "gpgpu-sim/configs/tested-cfgs",
  "configs/tested-cfgs",
};

/* Seen from one of two trees, where the other one is. */
static const char *const siblings[] = {
  "../../gpgpu-sim/configs/tested-cfgs",
  "../../../configs/tested-cfgs",
};

typedef struct
{
  CycGpuConfigs *configs;
  GHashTable    *origins; /* name → root it came from */
} Loader;

static gboolean
is_config_file (const char *name)
{
  return g_str_equal (name, "gpgpusim.config") || g_str_equal (name, "trace.config");
}

static gboolean
is_staged_file (const char *name)
{
  return is_config_file (name) || g_str_has_suffix (name, ".icnt") ||
         g_str_has_suffix (name, ".xml") || g_str_has_suffix (name, ".csv");
}

static gboolean
is_config_folder (const char *folder)
{
  g_autofree char *gpgpusim = g_build_filename (folder, "gpgpusim.config", NULL);
  g_autofree char *trace = g_build_filename (folder, "trace.config", NULL);

  return g_file_test (gpgpusim, G_FILE_TEST_IS_REGULAR) ||
         g_file_test (trace, G_FILE_TEST_IS_REGULAR);
}

static gint
compare_texts (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Names in a folder, sorted, or NULL if it cannot be read. */
static GPtrArray *
list_folder (const char   *folder,
             CycFindings  *findings)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) dir = g_dir_open (folder, 0, &error);
  if (dir == NULL)
    {
      cyc_findings_add_error (findings, CYC_SEVERITY_ERROR, "config_root_unreadable", folder,
                              N_("check the folder's permissions"), error);
      return NULL;
    }
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  const char *name;
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      if (names->len == MAX_FOLDERS)
        {
          cyc_findings_add (findings, CYC_SEVERITY_WARNING, "config_root_large", folder, 0,
                            N_("name the folder of the configurations itself"),
                            "has more than %d entries; the rest is not looked at", MAX_FOLDERS);
          break;
        }
      g_ptr_array_add (names, g_strdup (name));
    }
  g_ptr_array_sort (names, compare_texts);
  return names;
}

static gboolean
has_file_named (const CycGpuConfig *config,
                const char         *name)
{
  for (guint i = 0; i < config->files->len; i++)
    {
      g_autofree char *base = g_path_get_basename (g_ptr_array_index (config->files, i));
      if (g_str_equal (base, name))
        return TRUE;
    }
  return FALSE;
}

static void
collect_files (CycGpuConfig *config,
               const char   *folder)
{
  g_autoptr (GPtrArray) names = list_folder (folder, config->findings);

  for (guint i = 0; names != NULL && i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      g_autofree char *path = g_build_filename (folder, name, NULL);
      if (!is_staged_file (name) || !g_file_test (path, G_FILE_TEST_IS_REGULAR) ||
          has_file_named (config, name))
        continue;
      if (!cyc_name_is_plain (name))
        {
          cyc_findings_add (config->findings, CYC_SEVERITY_WARNING, "config_file_name", path, 0,
                            N_("rename it with letters, digits, \".\", \"_\" and \"-\""),
                            "left out: its name holds other characters");
          continue;
        }
      if (g_str_equal (name, "gpgpusim.config"))
        config->gpgpusim_config = g_strdup (path);
      else if (g_str_equal (name, "trace.config"))
        config->trace_config = g_strdup (path);
      g_ptr_array_add (config->files, g_steal_pointer (&path));
    }
}

static void
flag_missing (CycGpuConfig *config,
              const char   *folder)
{
  /* The simulator's own scripts append trace.config to gpgpusim.config. */
  if (config->trace_config == NULL &&
      cyc_gpu_config_find_option (config, "-trace_opcode_latency_initiation_int") == NULL)
    cyc_findings_add (config->findings, CYC_SEVERITY_WARNING, "trace_config_missing", folder, 0,
                      N_("put a trace.config beside gpgpusim.config or in the other tree"),
                      "no trace.config: the configuration cannot run traces");
}

static void
load_config (Loader     *self,
             const char *root,
             const char *name,
             GPtrArray  *folders)
{
  CycFindings *findings = self->configs->findings;
  const char *first = g_ptr_array_index (folders, 0);
  const char *origin = g_hash_table_lookup (self->origins, name);

  if (!cyc_name_is_plain (name))
    {
      cyc_findings_add (findings, CYC_SEVERITY_WARNING, "config_name", first, 0,
                        N_("rename the folder with letters, digits, \".\", \"_\" and \"-\""),
                        "left out: the name of the folder holds other characters");
      return;
    }
  if (origin != NULL)
    {
      cyc_findings_add (findings, CYC_SEVERITY_NOTE, "config_name_clash", first, 0,
                        N_("name its root with --config-root to have this one, or rename its folder"),
                        "left out: a configuration %s comes from %s already", name, origin);
      return;
    }
  g_autoptr (CycGpuConfig) config = cyc_gpu_config_new (name);
  for (guint i = 0; i < folders->len; i++)
    collect_files (config, g_ptr_array_index (folders, i));
  if (config->gpgpusim_config == NULL)
    {
      cyc_findings_add (findings, CYC_SEVERITY_WARNING, "gpgpusim_config_missing", first, 0,
                        N_("add the simulator's own tree of configurations as a root"),
                        "left out: %s has a trace.config and no gpgpusim.config", name);
      return;
    }
  cyc_gpu_config_read_file (config, config->gpgpusim_config);
  if (config->trace_config != NULL)
    cyc_gpu_config_read_file (config, config->trace_config);
  flag_missing (config, first);
  cyc_gpu_config_finish (config);
  g_hash_table_insert (self->origins, g_strdup (name), g_strdup (root));
  g_ptr_array_add (self->configs->configs, g_steal_pointer (&config));
}

/* Adds the configuration folders in @tree to @found: name → array of folders. */
static void
collect_tree (Loader     *self,
              const char *tree,
              GHashTable *found)
{
  g_autoptr (GPtrArray) names = list_folder (tree, self->configs->findings);

  for (guint i = 0; names != NULL && i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      g_autofree char *folder = g_build_filename (tree, name, NULL);
      if (name[0] == '.' || !is_config_folder (folder))
        continue;
      GPtrArray *folders = g_hash_table_lookup (found, name);
      if (folders == NULL)
        {
          folders = g_ptr_array_new_with_free_func (g_free);
          g_hash_table_insert (found, g_strdup (name), folders);
        }
      g_ptr_array_add (folders, g_steal_pointer (&folder));
    }
}

static void
add_place (GPtrArray  *places,
           const char *base,
           const char *below)
{
  g_autofree char *joined = g_build_filename (base, below, NULL);
  g_autofree char *tree = g_canonicalize_filename (joined, NULL);

  if (g_file_test (tree, G_FILE_TEST_IS_DIR) &&
      !g_ptr_array_find_with_equal_func (places, tree, g_str_equal, NULL))
    g_ptr_array_add (places, g_steal_pointer (&tree));
}

/* The folders of configuration folders that belong to a root. */
static GPtrArray *
find_places (const char *root)
{
  GPtrArray *places = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *framework = g_build_filename (root, "gpu-simulator", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (trees); i++)
    add_place (places, root, trees[i]);
  if (g_file_test (framework, G_FILE_TEST_IS_DIR))
    add_place (places, root, "../gpgpu-sim/configs/tested-cfgs");
  add_place (places, root, ".");
  for (guint i = 0; i < places->len; i++)
    for (guint k = 0; k < G_N_ELEMENTS (siblings); k++)
      if (g_str_has_suffix (g_ptr_array_index (places, i), "/configs/tested-cfgs"))
        add_place (places, g_ptr_array_index (places, i), siblings[k]);
  return places;
}

static void
load_root (Loader     *self,
           const char *root)
{
  CycFindings *findings = self->configs->findings;
  g_autoptr (GHashTable) found =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_ptr_array_unref);

  if (!g_file_test (root, G_FILE_TEST_IS_DIR))
    {
      cyc_findings_add (findings, CYC_SEVERITY_ERROR, "config_root_missing", root, 0,
                        N_("name a framework folder, a tested-cfgs folder or one configuration"),
                        "is not a folder");
      return;
    }
  if (is_config_folder (root))
    {
      g_autoptr (GPtrArray) folders = g_ptr_array_new_with_free_func (g_free);
      g_autofree char *name = g_path_get_basename (root);
      g_ptr_array_add (folders, g_strdup (root));
      load_config (self, root, name, folders);
      return;
    }
  g_autoptr (GPtrArray) places = find_places (root);
  for (guint i = 0; i < places->len; i++)
    collect_tree (self, g_ptr_array_index (places, i), found);
  if (g_hash_table_size (found) == 0)
    cyc_findings_add (findings, CYC_SEVERITY_WARNING, "config_root_empty", root, 0,
                      N_("name a framework folder, a tested-cfgs folder or one configuration"),
                      "no configuration here: no folder with a gpgpusim.config or trace.config");

  g_autofree gpointer *names = g_hash_table_get_keys_as_array (found, NULL);
  qsort (names, g_hash_table_size (found), sizeof *names, compare_texts);
  for (guint i = 0; names[i] != NULL; i++)
    load_config (self, root, names[i], g_hash_table_lookup (found, names[i]));
}

static gint
compare_configs (gconstpointer a,
                 gconstpointer b)
{
  const CycGpuConfig *const *first = a;
  const CycGpuConfig *const *second = b;

  return strcmp ((*first)->name, (*second)->name);
}

/**
 * cyc_gpu_configs_new:
 *
 * Returns: (transfer full): no configurations, to be filled in order of their names by who makes them
 */
CycGpuConfigs *
cyc_gpu_configs_new (void)
{
  CycGpuConfigs *self = g_atomic_rc_box_new0 (CycGpuConfigs);

  self->configs = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_gpu_config_unref);
  self->findings = cyc_findings_new ();
  return self;
}

/**
 * cyc_gpu_configs_load:
 * @roots: (array zero-terminated=1): folders, the most important first
 *
 * Finds and reads all GPU configurations. A root is an Accel-Sim framework folder (both trees of
 * `tested-cfgs` are joined by name), a `tested-cfgs` folder, any folder of configuration folders,
 * or one configuration folder. Of two configurations with one name that of the earlier root counts.
 * What is wrong with roots is told in the findings of the result, what is wrong with one
 * configuration in its own. Reads files: not for the main loop.
 *
 * Returns: (transfer full): the configurations, which may be none
 */
CycGpuConfigs *
cyc_gpu_configs_load (const char *const *roots)
{
  CycGpuConfigs *self = cyc_gpu_configs_new ();

  Loader loader = { .configs = self };
  loader.origins = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; roots != NULL && roots[i] != NULL; i++)
    {
      g_autofree char *root = g_canonicalize_filename (roots[i], NULL);
      if (g_hash_table_add (seen, g_strdup (root)))
        load_root (&loader, root);
    }
  g_hash_table_unref (loader.origins);
  g_ptr_array_sort (self->configs, compare_configs);
  return self;
}

/**
 * cyc_gpu_configs_ref:
 * @self: configurations
 *
 * Returns: (transfer full): @self, on any thread
 */
CycGpuConfigs *
cyc_gpu_configs_ref (CycGpuConfigs *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
gpu_configs_clear (gpointer data)
{
  CycGpuConfigs *self = data;

  g_ptr_array_unref (self->configs);
  cyc_findings_free (self->findings);
}

/**
 * cyc_gpu_configs_unref:
 * @self: (transfer full) (nullable): configurations
 */
void
cyc_gpu_configs_unref (CycGpuConfigs *self)
{
  if (self != NULL)
    g_atomic_rc_box_release_full (self, gpu_configs_clear);
}

/**
 * cyc_gpu_configs_find:
 * @self: configurations
 * @name: a name
 *
 * Returns: (transfer none) (nullable): the configuration called @name
 */
CycGpuConfig *
cyc_gpu_configs_find (CycGpuConfigs *self,
                      const char    *name)
{
  g_return_val_if_fail (self != NULL && name != NULL, NULL);

  for (guint i = 0; i < self->configs->len; i++)
    {
      CycGpuConfig *config = g_ptr_array_index (self->configs, i);
      if (strcmp (config->name, name) == 0)
        return config;
    }
  return NULL;
}

/**
 * cyc_gpu_configs_get:
 * @self: configurations
 * @name: a name
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer none) (nullable): the configuration called @name, or %NULL with
 *   %CYC_ERROR_NOT_FOUND that names those there are
 */
CycGpuConfig *
cyc_gpu_configs_get (CycGpuConfigs  *self,
                     const char     *name,
                     GError        **error)
{
  CycGpuConfig *config = cyc_gpu_configs_find (self, name);

  if (config != NULL)
    return config;
  g_autoptr (GString) known = g_string_new (NULL);
  for (guint i = 0; i < self->configs->len && i < 20; i++)
    {
      const CycGpuConfig *other = g_ptr_array_index (self->configs, i);
      g_string_append_printf (known, "%s%s", i == 0 ? "" : ", ", other->name);
    }
  if (self->configs->len > 20)
    g_string_append_printf (known, " and %u more", self->configs->len - 20);
  cyc_error_set_at (error, CYC_ERROR_NOT_FOUND, NULL, 0, "no GPU configuration \"%s\"; %s%s", name,
                    known->len == 0 ? "none was found, name a folder with --config-root"
                                    : "there are ", known->str);
  return NULL;
}

/**
 * cyc_gpu_configs_write_json:
 * @self: configurations
 * @writer: where an array of GpuConfig is written, the document of `configs list`
 */
void
cyc_gpu_configs_write_json (CycGpuConfigs *self,
                            CycJsonWriter *writer)
{
  g_return_if_fail (self != NULL);

  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < self->configs->len; i++)
    {
      g_autoptr (CycGpuConfigRecord) record =
        cyc_gpu_config_to_record (g_ptr_array_index (self->configs, i));
      cyc_gpu_config_record_write_json (record, writer);
    }
  cyc_json_writer_end_array (writer);
}
