/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/cyc-ctl-roots.h"

#include <glib/gi18n.h>

#include "cli/cyc-ctl-api.h"
#include "cli/cyc-ctl-message.h"
#include "cli/cyc-ctl-remote.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-json.h"
#include "engine/cyc-installation.h"
#include "engine/cyc-workspace-json.h"

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
 * cyc_ctl_roots_check_given:
 * @app: the running program
 * @error: return location for an error
 *
 * An engine looks over roots that are not there; a folder that is named on the command line is meant.
 *
 * Returns: %TRUE if the folders of `--config-root` are folders
 */
gboolean
cyc_ctl_roots_check_given (CycCtlApp  *app,
                           GError    **error)
{
  g_auto (GStrv) given = cyc_ctl_roots_get_given (app);

  for (guint i = 0; given[i] != NULL; i++)
    if (!g_file_test (given[i], G_FILE_TEST_IS_DIR))
      {
        cyc_error_set_at (error, CYC_ERROR_NOT_FOUND, given[i], 0,
                          _("is not a folder; name a framework folder, a tested-cfgs folder or one "
                            "configuration"));
        return FALSE;
      }
  return TRUE;
}

/* What is said of a root is said on standard error, notes only where asked for; a root of the
 * command line that is not there is the user's mistake, one of the settings must not be in the
 * way. */
static gboolean
report_findings (const CycFindings  *findings,
                 const char *const  *given,
                 gboolean            notes,
                 GError            **error)
{
  for (guint i = 0; i < cyc_findings_get_length (findings); i++)
    {
      const CycFinding *finding = cyc_findings_get (findings, i);
      if (finding->severity == CYC_SEVERITY_NOTE && !notes)
        continue;
      g_autofree char *text = cyc_finding_to_string (finding);
      if (given != NULL && finding->severity == CYC_SEVERITY_ERROR && finding->file != NULL
          && g_strv_contains (given, finding->file))
        {
          g_set_error_literal (error, CYC_ERROR, CYC_ERROR_NOT_FOUND, text);
          return FALSE;
        }
      cyc_ctl_message_print (text);
    }
  return TRUE;
}

/* Those that an engine elsewhere has. */
static CycGpuConfigs *
ask_configs (CycCtlApp  *app,
             GError    **error)
{
  g_autoptr (CycCtlApi) api = cyc_ctl_api_open (app, CYC_CTL_API_ANY, NULL, error);
  g_autoptr (JsonNode) node = api == NULL ? NULL : cyc_ctl_api_get (api, "/api/gpu-configs/all", error);

  return node == NULL ? NULL : cyc_gpu_configs_read_json (cyc_json_node_get_object (node), error);
}

/**
 * cyc_ctl_roots_load_configs:
 * @app: the running program
 * @notes: whether to tell too what is in order but may surprise
 * @error: return location for an error
 *
 * Reads all GPU configurations there are: first those under the folders of `--config-root`, then
 * those of the workspace's settings, of its simulators, and of the sample. The workspace need not
 * exist. With `--url` those that the engine has.
 *
 * Returns: (transfer full) (nullable): the configurations
 */
CycGpuConfigs *
cyc_ctl_roots_load_configs (CycCtlApp  *app,
                            gboolean    notes,
                            GError    **error)
{
  if (cyc_ctl_remote_is_given (app))
    return ask_configs (app, error);
  g_auto (GStrv) given = cyc_ctl_roots_get_given (app);
  g_autoptr (CycSettings) settings = cyc_settings_load (cyc_ctl_app_get_workspace (app), error);
  g_autoptr (CycFindings) missing = cyc_findings_new ();

  if (settings == NULL)
    return NULL;
  g_auto (GStrv) roots = cyc_installation_list_roots (settings, (const char *const *) given, NULL,
                                                     missing);
  g_autoptr (CycGpuConfigs) configs = cyc_gpu_configs_load ((const char *const *) roots);
  if (!report_findings (missing, NULL, notes, error) ||
      !report_findings (configs->findings, (const char *const *) given, notes, error))
    return NULL;
  return g_steal_pointer (&configs);
}
