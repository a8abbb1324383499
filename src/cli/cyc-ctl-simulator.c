/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/cyc-ctl-simulator.h"

#include "cli/cyc-ctl-app.h"
#include "cli/cyc-ctl-findings.h"
#include "cli/cyc-ctl-message.h"
#include "cli/cyc-ctl-options.h"
#include "cli/cyc-ctl-roots.h"
#include "core/accelsim/cyc-simulator.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-file.h"
#include "core/base/cyc-format.h"
#include "engine/cyc-installation.h"
#include "engine/cyc-settings.h"
#include "engine/cyc-workspace-dir.h"

typedef struct
{
  const CycSimulator *simulator;
  const char         *name;
} Named;

static int
run_add (CycCtlApp  *app,
         GError    **error)
{
  CycCtlArgs *args = cyc_ctl_app_get_args (app);
  const char *workspace = cyc_ctl_app_get_workspace (app);
  g_autofree char *path = g_canonicalize_filename (cyc_ctl_args_get_argument (args, 0), NULL);
  g_autoptr (CycSimulator) simulator = cyc_simulator_open (path, NULL, error);

  if (simulator == NULL)
    return CYC_CTL_FAILED;
  if (cyc_findings_first_error (simulator->findings) != NULL)
    {
      cyc_ctl_findings_set_error (simulator->findings, error);
      return CYC_CTL_FAILED;
    }
  cyc_ctl_findings_print (simulator->findings, CYC_SEVERITY_NOTE);
  const char *given = cyc_ctl_args_get (args, "name");
  g_autofree char *name = given != NULL ? g_strdup (given) : g_path_get_basename (path);
  if (!cyc_workspace_dir_check (workspace, error) || !cyc_file_make_folder (workspace, 0700, error))
    return CYC_CTL_FAILED;
  g_autoptr (CycSettings) settings = cyc_settings_load (workspace, error);
  /* Of several builds in one folder the one that was named counts. */
  gboolean is_folder = g_file_test (path, G_FILE_TEST_IS_DIR);
  if (settings == NULL
      || !cyc_settings_add_simulator (settings, name, is_folder ? path : NULL, is_folder ? NULL : path,
                                      NULL, error)
      || !cyc_settings_save (settings, error))
    return CYC_CTL_FAILED;
  g_autofree char *line = g_strconcat (name, "\n", NULL);
  return cyc_ctl_app_print (app, line, error);
}

/* One row or one object for each installation; one that is gone by now is listed too. */
static void
write_list (CycJsonWriter *writer,
            gpointer       data)
{
  CycSettings *settings = data;
  g_auto (GStrv) names = cyc_settings_list_simulators (settings);

  cyc_json_writer_begin_array (writer);
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr (CycSimulatorSetting) setting = cyc_settings_get_simulator (settings, names[i]);
      g_autoptr (GError) error = NULL;
      g_autoptr (CycSimulator) simulator = cyc_installation_open (setting, &error);
      if (simulator != NULL)
        {
          cyc_simulator_write_json (simulator, names[i], writer);
          continue;
        }
      cyc_json_writer_begin_object (writer);
      cyc_json_writer_put_string (writer, "name", names[i]);
      cyc_json_writer_put_string (writer, "root", setting->root);
      cyc_json_writer_put_string (writer, "executable", setting->executable);
      cyc_json_writer_put_string (writer, "error", error->message);
      cyc_json_writer_end_object (writer);
    }
  cyc_json_writer_end_array (writer);
}

static const char *
describe (const CycSimulator *simulator)
{
  if (simulator == NULL)
    return _("not there");
  if (cyc_findings_first_error (simulator->findings) != NULL)
    return _("not usable");
  return cyc_findings_count (simulator->findings, CYC_SEVERITY_WARNING) > 0 ? _("usable, see check")
                                                                            : _("usable");
}

static int
run_list (CycCtlApp  *app,
          GError    **error)
{
  g_autoptr (CycSettings) settings = cyc_settings_load (cyc_ctl_app_get_workspace (app), error);

  if (settings == NULL)
    return CYC_CTL_FAILED;
  if (cyc_ctl_args_has (cyc_ctl_app_get_args (app), "json"))
    return cyc_ctl_app_print_json (app, write_list, settings, error);

  g_autoptr (CycCtlTable) table = cyc_ctl_table_new ();
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_TEXT, _("NAME"));
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_TEXT, _("STATE"));
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_LONG, _("PATH"));
  g_auto (GStrv) names = cyc_settings_list_simulators (settings);
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr (CycSimulatorSetting) setting = cyc_settings_get_simulator (settings, names[i]);
      g_autoptr (CycSimulator) simulator = cyc_installation_open (setting, NULL);
      cyc_ctl_table_add (table, names[i]);
      cyc_ctl_table_add (table, describe (simulator));
      cyc_ctl_table_add (table, setting->executable != NULL ? setting->executable : setting->root);
    }
  return cyc_ctl_app_print_table (app, table, error);
}

static void
write_check (CycJsonWriter *writer,
             gpointer       data)
{
  const Named *named = data;

  cyc_simulator_write_json (named->simulator, named->name, writer);
}

static char *
check_for_people (const CycSimulator *simulator)
{
  const struct { const char *title; const char *value; } rows[] = {
    { _("Folder"), simulator->root },
    { _("Executable"), simulator->executable },
    { _("Post-processor"), simulator->post_processor },
    { _("Library folder"), simulator->library_dir },
  };
  g_autofree char *accepts = cyc_simulator_accepts_text (simulator);
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *value = cyc_format_printable (rows[i].value != NULL ? rows[i].value
                                                                          : _("not found"));
      g_string_append_printf (out, "%s: %s\n", rows[i].title, value);
    }
  g_string_append_printf (out, "%s: %s\n", _("Binary versions"), accepts);
  for (guint i = 0; simulator->config_roots[i] != NULL; i++)
    {
      g_autofree char *root = cyc_format_printable (simulator->config_roots[i]);
      g_string_append_printf (out, "%s: %s\n", _("Configurations"), root);
    }
  cyc_ctl_findings_append (simulator->findings, out);
  return g_string_free (out, FALSE);
}

static int
run_check (CycCtlApp  *app,
           GError    **error)
{
  const char *name = cyc_ctl_args_get_argument (cyc_ctl_app_get_args (app), 0);
  g_autoptr (CycSettings) settings = cyc_settings_load (cyc_ctl_app_get_workspace (app), error);

  if (settings == NULL)
    return CYC_CTL_FAILED;
  g_autoptr (CycSimulatorSetting) setting = cyc_settings_get_simulator (settings, name);
  if (setting == NULL)
    {
      cyc_ctl_app_add_hint (app, _("'cyclescopectl simulator list' shows those there are"));
      cyc_error_set_at (error, CYC_ERROR_NOT_FOUND, NULL, 0, _("there is no simulator %s"), name);
      return CYC_CTL_FAILED;
    }
  g_autoptr (CycSimulator) simulator = cyc_installation_open (setting, error);
  if (simulator == NULL)
    return CYC_CTL_FAILED;

  Named named = { simulator, name };
  int status;
  if (cyc_ctl_app_wants_json (app))
    status = cyc_ctl_app_print_json (app, write_check, &named, error);
  else
    {
      g_autofree char *text = check_for_people (simulator);
      status = cyc_ctl_app_print (app, text, error);
    }
  if (status != CYC_CTL_DONE || cyc_findings_first_error (simulator->findings) == NULL)
    return status;
  cyc_ctl_findings_set_error (simulator->findings, error);
  return CYC_CTL_FAILED;
}

static int
run_remove (CycCtlApp  *app,
            GError    **error)
{
  const char *name = cyc_ctl_args_get_argument (cyc_ctl_app_get_args (app), 0);
  g_autoptr (CycSettings) settings = cyc_settings_load (cyc_ctl_app_get_workspace (app), error);

  if (settings == NULL || !cyc_settings_remove_simulator (settings, name, error)
      || !cyc_settings_save (settings, error))
    return CYC_CTL_FAILED;
  return CYC_CTL_DONE;
}

static const CycCtlOption add_options[] = {
  { "name", 0, CYC_CTL_VALUE, "NAME", N_("what to call it; default the name of the folder or file") },
  { NULL },
};

static const CycCtlOption list_options[] = {
  CYC_CTL_OPTION_JSON,
  CYC_CTL_OPTION_OUTPUT,
  { NULL },
};

static const CycCtlOption check_options[] = {
  CYC_CTL_OPTION_JSON_ALWAYS,
  CYC_CTL_OPTION_OUTPUT,
  { NULL },
};

static const CycCtlOption no_options[] = {
  { NULL },
};

#define SET_THERE N_("simulators are set on the engine's machine; run this command there")

const CycCtlCommand cyc_ctl_simulator_add = {
  .group = "simulator",
  .name = "add",
  .arguments = "PATH",
  .min_arguments = 1,
  .max_arguments = 1,
  .summary = N_("add an Accel-Sim installation to the workspace"),
  .detail = N_("PATH is the folder of the framework or the simulator's executable. It is looked at, not "
               "run. The name is printed."),
  .options = add_options,
  .not_remote = SET_THERE,
  .run = run_add,
};

const CycCtlCommand cyc_ctl_simulator_list = {
  .group = "simulator",
  .name = "list",
  .arguments = "",
  .summary = N_("list the installations"),
  .options = list_options,
  .not_remote = SET_THERE,
  .run = run_list,
};

const CycCtlCommand cyc_ctl_simulator_check = {
  .group = "simulator",
  .name = "check",
  .arguments = "NAME",
  .min_arguments = 1,
  .max_arguments = 1,
  .summary = N_("show what an installation has and what it lacks"),
  .detail = N_("Text on a terminal, JSON otherwise. Exit status 1 if it cannot be used."),
  .options = check_options,
  .not_remote = SET_THERE,
  .run = run_check,
};

const CycCtlCommand cyc_ctl_simulator_remove = {
  .group = "simulator",
  .name = "remove",
  .arguments = "NAME",
  .min_arguments = 1,
  .max_arguments = 1,
  .summary = N_("forget an installation; its files stay"),
  .options = no_options,
  .not_remote = SET_THERE,
  .run = run_remove,
};
