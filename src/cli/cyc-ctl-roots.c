/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/cyc-ctl-roots.h"

#include "cli/cyc-ctl-message.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-paths.h"

/**
 * cyc_ctl_roots_get_given:
 * @app: the running program
 *
 * Returns: (transfer full): the folders of `--config-root`, absolute
 */
GStrv
cyc_ctl_roots_get_given (CycCtlApp *app)
{
  const char *const *given = cyc_ctl_args_get_list (cyc_ctl_app_get_args (app), "config-root");
  g_autoptr (GStrvBuilder) roots = g_strv_builder_new ();

  for (guint i = 0; given[i] != NULL; i++)
    {
      g_autofree char *path = g_canonicalize_filename (given[i], NULL);
      g_strv_builder_add (roots, path);
    }
  return g_strv_builder_end (roots);
}

/**
 * cyc_ctl_simulator_open:
 * @setting: what the settings say of an installation
 * @error: return location for an error
 *
 * Returns: (transfer full) (nullable): the installation, %NULL if it is not there any more
 */
CycSimulator *
cyc_ctl_simulator_open (const CycSimulatorSetting  *setting,
                        GError                    **error)
{
  const char *path = setting->executable != NULL ? setting->executable : setting->root;

  if (path != NULL)
    return cyc_simulator_open (path, error);
  cyc_error_set_at (error, CYC_ERROR_INPUT, "settings.ini", 0,
                    "[simulator %s] names neither root= nor executable=", setting->name);
  return NULL;
}

static void
add_simulators (GStrvBuilder *roots,
                CycSettings  *settings)
{
  g_auto (GStrv) names = cyc_settings_list_simulators (settings);

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr (CycSimulatorSetting) setting = cyc_settings_get_simulator (settings, names[i]);
      g_autoptr (GError) error = NULL;
      g_autoptr (CycSimulator) simulator = cyc_ctl_simulator_open (setting, &error);
      if (simulator != NULL)
        g_strv_builder_addv (roots, (const char **) simulator->config_roots);
      else
        cyc_ctl_message ("%s", error->message);
    }
}

/* What is said of a root is said on standard error; a root of the command line that is not there
 * is the user's mistake, one of the settings must not be in the way. */
static gboolean
report_findings (CycGpuConfigs      *configs,
                 const char *const  *given,
                 GError            **error)
{
  for (guint i = 0; i < cyc_findings_get_length (configs->findings); i++)
    {
      const CycFinding *finding = cyc_findings_get (configs->findings, i);
      g_autofree char *text = cyc_finding_to_string (finding);
      if (finding->severity == CYC_SEVERITY_ERROR && finding->file != NULL
          && g_strv_contains (given, finding->file))
        {
          g_set_error_literal (error, CYC_ERROR, CYC_ERROR_NOT_FOUND, text);
          return FALSE;
        }
      cyc_ctl_message_print (text);
    }
  return TRUE;
}

/**
 * cyc_ctl_roots_load_configs:
 * @app: the running program
 * @error: return location for an error
 *
 * Reads all GPU configurations there are: first those under the folders of `--config-root`, then
 * those of the workspace's settings, of its simulators, and of the sample. The workspace need not
 * exist.
 *
 * Returns: (transfer full) (nullable): the configurations
 */
CycGpuConfigs *
cyc_ctl_roots_load_configs (CycCtlApp  *app,
                            GError    **error)
{
  g_auto (GStrv) given = cyc_ctl_roots_get_given (app);
  g_autoptr (CycSettings) settings = cyc_settings_load (cyc_ctl_app_get_workspace (app), error);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  if (settings == NULL)
    return NULL;
  g_auto (GStrv) set = cyc_settings_get_config_roots (settings);
  g_strv_builder_addv (builder, (const char **) given);
  g_strv_builder_addv (builder, (const char **) set);
  add_simulators (builder, settings);
  g_autofree char *samples = cyc_paths_get_samples ();
  g_autofree char *sample_configs = samples == NULL ? NULL
                                                    : g_build_filename (samples, "configs", NULL);
  if (sample_configs != NULL && g_file_test (sample_configs, G_FILE_TEST_IS_DIR))
    g_strv_builder_add (builder, sample_configs);

  g_auto (GStrv) roots = g_strv_builder_end (builder);
  g_autoptr (CycGpuConfigs) configs = cyc_gpu_configs_load ((const char *const *) roots);
  if (!report_findings (configs, (const char *const *) given, error))
    return NULL;
  return g_steal_pointer (&configs);
}
