/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-installation.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-paths.h"
#include "core/base/cyc-util.h"

/* What the settings say of simulators, looked up on the disk: the one reading that the engine and
 * the command line share. */

/* A variable of the settings goes before the installation's own. */
static void
merge_environment (CycSimulator      *simulator,
                   const char *const *pairs)
{
  for (guint i = 0; pairs[i] != NULL; i++)
    {
      const char *equals = strchr (pairs[i], '=');
      if (equals == NULL || equals == pairs[i])
        continue;
      g_autofree char *name = g_strndup (pairs[i], (gsize) (equals - pairs[i]));
      simulator->env = g_environ_setenv (simulator->env, name, equals + 1, TRUE);
    }
}

static CycSimulator *
open_places (const CycSimulatorSetting  *setting,
             GError                    **error)
{
  /* Of several builds in one folder, the one that was named counts. */
  const char *path = setting->executable != NULL ? setting->executable : setting->root;
  const char *libraries = g_environ_getenv (setting->env, "LD_LIBRARY_PATH");
  g_autoptr (CycSimulator) simulator = cyc_simulator_open (path, libraries, error);

  if (simulator == NULL || setting->executable == NULL || setting->root == NULL ||
      simulator->root != NULL)
    return g_steal_pointer (&simulator);
  /* The executable lies elsewhere: the rest is the framework's. */
  CycSimulator *framework = cyc_simulator_open (setting->root, libraries, error);
  if (framework != NULL)
    cyc_set_str (&framework->executable, setting->executable);
  return framework;
}

/**
 * cyc_installation_open:
 * @setting: what the settings say of an installation
 * @error: (nullable): return location for an error
 *
 * Looks the installation up, by files alone. Its environment is that of the framework with the
 * variables of the settings. Any thread.
 *
 * Returns: (transfer full) (nullable): the installation, %NULL if it is not there any more
 */
CycSimulator *
cyc_installation_open (const CycSimulatorSetting  *setting,
                       GError                    **error)
{
  g_return_val_if_fail (setting != NULL, NULL);

  if (setting->executable == NULL && setting->root == NULL)
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, "settings.ini", 0,
                        "[simulator %s] names neither root= nor executable=", setting->name);
      return NULL;
    }
  CycSimulator *simulator = open_places (setting, error);
  if (simulator != NULL)
    merge_environment (simulator, (const char *const *) setting->env);
  return simulator;
}

/* Only the one called @chosen, or all but that one. */
static void
add_simulators (GStrvBuilder *roots,
                CycSettings  *settings,
                const char   *chosen,
                gboolean      others,
                CycFindings  *findings)
{
  g_auto (GStrv) names = cyc_settings_list_simulators (settings);

  for (guint i = 0; names[i] != NULL; i++)
    {
      if ((g_strcmp0 (names[i], chosen) == 0) == others)
        continue;
      g_autoptr (CycSimulatorSetting) setting = cyc_settings_get_simulator (settings, names[i]);
      g_autoptr (GError) error = NULL;
      g_autoptr (CycSimulator) simulator = cyc_installation_open (setting, &error);
      if (simulator != NULL)
        g_strv_builder_addv (roots, (const char **) simulator->config_roots);
      else if (findings != NULL)
        cyc_findings_add_error (findings, CYC_SEVERITY_WARNING, "simulator_missing",
                                setting->executable != NULL ? setting->executable : setting->root,
                                N_("correct the simulator's place in the settings, or remove it"), error);
    }
}

/**
 * cyc_installation_list_roots:
 * @settings: the workspace's settings
 * @given: folders that go first, those of `--config-root`
 * @simulator: (nullable): the simulator that will read the configuration
 * @findings: (nullable): told of installations that are not there any more
 *
 * Where GPU configurations are looked for, in order: the given folders, those of the settings, of
 * @simulator, of the other simulators, and of the samples. Installations have configurations of the
 * same names with different contents, and one may not read another's. Any thread.
 *
 * Returns: (transfer full): the folders
 */
GStrv
cyc_installation_list_roots (CycSettings        *settings,
                             const char *const  *given,
                             const char         *simulator,
                             CycFindings        *findings)
{
  g_return_val_if_fail (settings != NULL && given != NULL, NULL);

  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) set = cyc_settings_get_config_roots (settings);
  g_autofree char *samples = cyc_paths_get_samples ();
  g_autofree char *sample_configs = samples == NULL ? NULL
                                                    : g_build_filename (samples, "configs", NULL);

  g_strv_builder_addv (builder, (const char **) given);
  g_strv_builder_addv (builder, (const char **) set);
  add_simulators (builder, settings, simulator, FALSE, findings);
  add_simulators (builder, settings, simulator, TRUE, findings);
  if (sample_configs != NULL && g_file_test (sample_configs, G_FILE_TEST_IS_DIR))
    g_strv_builder_add (builder, sample_configs);
  return g_strv_builder_end (builder);
}
