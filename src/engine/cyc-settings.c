/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-settings.h"

#include <string.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-file.h"
#include "core/base/cyc-name.h"

#define SIMULATOR_PREFIX "simulator "
#define MAX_PARALLEL 4096

struct _CycSettings
{
  char     *path;
  GKeyFile *file;
};

/* A line that is neither empty, a comment, a group nor a value. */
static gboolean
is_foreign (const char *line)
{
  return *line != '\0' && *line != '#' && strchr (line, '=') == NULL &&
         !(*line == '[' && g_str_has_suffix (line, "]"));
}

/* Where a key is, or without one where the file is not as it should be; 0 if that cannot be said.
 * GKeyFile counts no lines. */
static guint64
find_line (CycSettings *self,
           const char  *group,
           const char  *key)
{
  g_autofree char *text = NULL;
  g_autofree char *header = g_strdup_printf ("[%s]", group != NULL ? group : "");
  gboolean inside = FALSE;

  if (!g_file_get_contents (self->path, &text, NULL, NULL))
    return 0;
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      char *line = g_strstrip (lines[i]);
      if (key == NULL && is_foreign (line))
        return i + 1;
      if (*line == '[')
        inside = strcmp (line, header) == 0;
      if (key != NULL && inside && g_str_has_prefix (line, key) &&
          *g_strchug (line + strlen (key)) == '=')
        return i + 1;
    }
  return 0;
}

static gboolean
check_parallel (CycSettings  *self,
                GError      **error)
{
  g_autofree char *text = g_key_file_get_string (self->file, "limits", "parallel", NULL);
  if (text == NULL)
    return TRUE;

  guint64 value;
  if (g_ascii_string_to_unsigned (text, 10, 1, MAX_PARALLEL, &value, NULL))
    return TRUE;
  cyc_error_set_at (error, CYC_ERROR_INPUT, self->path, find_line (self, "limits", "parallel"),
                    "[limits] parallel=%s: expected a number from 1 to %d", text, MAX_PARALLEL);
  return FALSE;
}

/**
 * cyc_settings_load:
 * @workspace: the workspace's folder
 * @error: (nullable): return location for an error
 *
 * Reads `settings.ini` of a workspace; a missing file means nothing is set. Comments and keys that
 * are not ours survive cyc_settings_save().
 *
 * Returns: (transfer full) (nullable): the settings
 */
CycSettings *
cyc_settings_load (const char  *workspace,
                   GError     **error)
{
  g_return_val_if_fail (workspace != NULL, NULL);

  g_autoptr (CycSettings) self = g_new0 (CycSettings, 1);
  g_autoptr (GError) local = NULL;
  self->path = g_build_filename (workspace, "settings.ini", NULL);
  self->file = g_key_file_new ();
  if (!g_key_file_load_from_file (self->file, self->path, G_KEY_FILE_KEEP_COMMENTS, &local) &&
      !g_error_matches (local, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    {
      gboolean bad = local->domain == G_KEY_FILE_ERROR;
      cyc_error_set_at (error, CYC_ERROR_INPUT, self->path, bad ? find_line (self, NULL, NULL) : 0,
                        bad ? "cannot read the settings: %s; correct the line, or take it out"
                            : "cannot read the settings: %s", local->message);
      return NULL;
    }
  if (!check_parallel (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

/**
 * cyc_settings_save:
 * @self: settings
 * @error: (nullable): return location for an error
 *
 * Replaces `settings.ini` in one step.
 *
 * Returns: %TRUE when it is on disk
 */
gboolean
cyc_settings_save (CycSettings  *self,
                   GError      **error)
{
  g_return_val_if_fail (self != NULL, FALSE);

  gsize len;
  g_autofree char *text = g_key_file_to_data (self->file, &len, NULL);
  return cyc_file_replace (self->path, text, len, 0600, error);
}

/**
 * cyc_settings_free:
 * @self: (transfer full): settings
 */
void
cyc_settings_free (CycSettings *self)
{
  g_return_if_fail (self != NULL);

  g_key_file_unref (self->file);
  g_free (self->path);
  g_free (self);
}

/**
 * cyc_settings_get_parallel:
 * @self: settings
 *
 * Returns: how many local simulations may run at once: the setting, else the number of processors
 */
guint
cyc_settings_get_parallel (CycSettings *self)
{
  g_return_val_if_fail (self != NULL, 1);

  guint limit = cyc_settings_get_limit (self);
  return limit > 0 ? limit : g_get_num_processors ();
}

/**
 * cyc_settings_get_limit:
 * @self: settings
 *
 * Returns: how many local simulations may run at once, 0 if the file does not say
 */
guint
cyc_settings_get_limit (CycSettings *self)
{
  g_return_val_if_fail (self != NULL, 0);

  int value = g_key_file_get_integer (self->file, "limits", "parallel", NULL);
  return value > 0 ? (guint) value : 0;
}

/**
 * cyc_settings_set_limit:
 * @self: settings
 * @limit: how many local simulations may run at once, 0 for the number of processors
 * @error: (nullable): return location for an error
 *
 * Returns: %TRUE if it is within bounds; nothing is saved yet
 */
gboolean
cyc_settings_set_limit (CycSettings  *self,
                        guint         limit,
                        GError      **error)
{
  g_return_val_if_fail (self != NULL, FALSE);

  if (limit > MAX_PARALLEL)
    {
      cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0,
                        "%u simulations at once: expected a number from 1 to %d", limit, MAX_PARALLEL);
      return FALSE;
    }
  if (limit > 0)
    g_key_file_set_integer (self->file, "limits", "parallel", (int) limit);
  else
    g_key_file_remove_key (self->file, "limits", "parallel", NULL);
  return TRUE;
}

/**
 * cyc_settings_get_config_roots:
 * @self: settings
 *
 * Returns: (transfer full): folders to look for GPU configurations in, in order; never %NULL
 */
GStrv
cyc_settings_get_config_roots (CycSettings *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  GStrv roots = g_key_file_get_string_list (self->file, "paths", "config_roots", NULL, NULL);
  return roots != NULL ? roots : g_new0 (char *, 1);
}

/**
 * cyc_settings_set_config_roots:
 * @self: settings
 * @roots: folders to look for GPU configurations in, absolute, in order
 *
 * Nothing is saved yet.
 */
void
cyc_settings_set_config_roots (CycSettings       *self,
                               const char *const *roots)
{
  g_return_if_fail (self != NULL && roots != NULL);

  if (roots[0] != NULL)
    g_key_file_set_string_list (self->file, "paths", "config_roots", roots,
                                g_strv_length ((char **) roots));
  else
    g_key_file_remove_key (self->file, "paths", "config_roots", NULL);
}

/**
 * cyc_settings_list_simulators:
 * @self: settings
 *
 * Returns: (transfer full): names of the simulator installations, in the file's order
 */
GStrv
cyc_settings_list_simulators (CycSettings *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  g_auto (GStrv) groups = g_key_file_get_groups (self->file, NULL);
  for (guint i = 0; groups[i] != NULL; i++)
    if (g_str_has_prefix (groups[i], SIMULATOR_PREFIX))
      g_strv_builder_add (names, groups[i] + strlen (SIMULATOR_PREFIX));
  return g_strv_builder_end (names);
}

/**
 * cyc_settings_get_simulator:
 * @self: settings
 * @name: a name
 *
 * Returns: (transfer full) (nullable): the installation, %NULL if there is none of that name
 */
CycSimulatorSetting *
cyc_settings_get_simulator (CycSettings *self,
                            const char  *name)
{
  g_return_val_if_fail (self != NULL && name != NULL, NULL);

  g_autofree char *group = g_strconcat (SIMULATOR_PREFIX, name, NULL);
  if (!g_key_file_has_group (self->file, group))
    return NULL;

  CycSimulatorSetting *setting = g_new0 (CycSimulatorSetting, 1);
  setting->name = g_strdup (name);
  setting->root = g_key_file_get_string (self->file, group, "root", NULL);
  setting->executable = g_key_file_get_string (self->file, group, "executable", NULL);
  setting->env = g_key_file_get_string_list (self->file, group, "env", NULL, NULL);
  if (setting->env == NULL)
    setting->env = g_new0 (char *, 1);
  return setting;
}

static gboolean
check_name (const char  *name,
            GError     **error)
{
  if (name != NULL && cyc_name_is_plain (name))
    return TRUE;
  cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0,
                    "'%s' cannot name a simulator: use letters, digits, '.', '_' and '-'",
                    name != NULL ? name : "");
  return FALSE;
}

static void
put_text (CycSettings *self,
          const char  *group,
          const char  *key,
          const char  *text)
{
  if (text != NULL)
    g_key_file_set_string (self->file, group, key, text);
  else
    g_key_file_remove_key (self->file, group, key, NULL);
}

/**
 * cyc_settings_add_simulator:
 * @self: settings
 * @name: a plain name that is not taken
 * @root: (nullable): the framework's folder, absolute
 * @executable: (nullable): the simulator's program, absolute
 * @env: (nullable): `NAME=value` pairs
 * @error: (nullable): return location for an error
 *
 * Returns: %TRUE if the installation was added; nothing is saved yet
 */
gboolean
cyc_settings_add_simulator (CycSettings        *self,
                            const char         *name,
                            const char         *root,
                            const char         *executable,
                            const char *const  *env,
                            GError            **error)
{
  g_return_val_if_fail (self != NULL && name != NULL, FALSE);

  if (!check_name (name, error))
    return FALSE;
  g_autofree char *group = g_strconcat (SIMULATOR_PREFIX, name, NULL);
  if (g_key_file_has_group (self->file, group))
    {
      cyc_error_set_at (error, CYC_ERROR_EXISTS, NULL, 0,
                        "there is a simulator '%s' already; remove it or choose another --name", name);
      return FALSE;
    }
  put_text (self, group, "root", root);
  put_text (self, group, "executable", executable);
  if (env != NULL && env[0] != NULL)
    g_key_file_set_string_list (self->file, group, "env", env, g_strv_length ((char **) env));
  return TRUE;
}

/**
 * cyc_settings_put_simulator:
 * @self: settings
 * @setting: an installation
 * @error: (nullable): return location for an error
 *
 * Adds an installation, or changes what is known of the one of that name; keys that are not ours stay.
 *
 * Returns: %TRUE if its name is a plain one; nothing is saved yet
 */
gboolean
cyc_settings_put_simulator (CycSettings                *self,
                            const CycSimulatorSetting  *setting,
                            GError                    **error)
{
  g_return_val_if_fail (self != NULL && setting != NULL, FALSE);

  if (!check_name (setting->name, error))
    return FALSE;
  g_autofree char *group = g_strconcat (SIMULATOR_PREFIX, setting->name, NULL);
  put_text (self, group, "root", setting->root);
  put_text (self, group, "executable", setting->executable);
  if (setting->env[0] != NULL)
    g_key_file_set_string_list (self->file, group, "env", (const char *const *) setting->env,
                                g_strv_length (setting->env));
  else
    g_key_file_remove_key (self->file, group, "env", NULL);
  return TRUE;
}

/**
 * cyc_settings_remove_simulator:
 * @self: settings
 * @name: a name
 * @error: (nullable): return location for an error
 *
 * Forgets the installation; its files are not touched.
 *
 * Returns: %TRUE if there was one
 */
gboolean
cyc_settings_remove_simulator (CycSettings  *self,
                               const char   *name,
                               GError      **error)
{
  g_return_val_if_fail (self != NULL && name != NULL, FALSE);

  g_autofree char *group = g_strconcat (SIMULATOR_PREFIX, name, NULL);
  if (g_key_file_remove_group (self->file, group, NULL))
    return TRUE;
  cyc_error_set_at (error, CYC_ERROR_NOT_FOUND, NULL, 0, "no simulator '%s'; `simulator list` "
                    "shows those there are", name);
  return FALSE;
}

/**
 * cyc_simulator_setting_free:
 * @self: (transfer full) (nullable): an installation's settings
 */
void
cyc_simulator_setting_free (CycSimulatorSetting *self)
{
  if (self == NULL)
    return;
  g_free (self->name);
  g_free (self->root);
  g_free (self->executable);
  g_strfreev (self->env);
  g_free (self);
}
