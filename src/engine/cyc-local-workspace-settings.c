/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-local-workspace-private.h"

#include <string.h>

#include "core/accelsim/cyc-simulator.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-task.h"
#include "engine/cyc-installation.h"
#include "engine/cyc-settings.h"

/* What the workspace runs simulations with: settings, simulators, GPU configurations. */

static void
configs_thread (GTask        *task,
                gpointer      source,
                gpointer      data,
                GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;
  CycGpuConfigs *configs = cyc_engine_load_configs (data, NULL, &error);

  if (configs != NULL)
    g_task_return_pointer (task, configs, (GDestroyNotify) cyc_gpu_configs_unref);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

void
_cyc_local_workspace_load_configs (CycWorkspace *workspace,
                                   GTask        *task)
{
  g_autoptr (GTask) owned = task;
  CycEngine *engine = _cyc_local_workspace_begin (workspace, task, FALSE);

  if (engine == NULL)
    return;
  g_task_set_task_data (task, g_object_ref (engine), g_object_unref);
  cyc_task_run_in_thread (task, configs_thread);
}

static void
simulator_thread (GTask        *task,
                  gpointer      source,
                  gpointer      data,
                  GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;
  CycSimulator *simulator = cyc_simulator_open (data, NULL, &error);

  if (simulator != NULL)
    g_task_return_pointer (task, simulator, (GDestroyNotify) cyc_simulator_free);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

/* Answers @task with what is at @path of this machine. */
void
_cyc_local_files_check_simulator (const char *path,
                                  GTask      *task)
{
  g_task_set_task_data (task, g_canonicalize_filename (path, NULL), g_free);
  cyc_task_run_in_thread (task, simulator_thread);
}

void
_cyc_local_workspace_check_simulator (CycWorkspace *workspace,
                                      const char   *path,
                                      GTask        *task)
{
  if (_cyc_local_workspace_begin (workspace, task, FALSE) != NULL)
    _cyc_local_files_check_simulator (path, task);
  g_object_unref (task);
}

static CycWorkspaceSettings *
read_settings (CycSettings *file)
{
  CycWorkspaceSettings *self = cyc_workspace_settings_new ();
  g_auto (GStrv) names = cyc_settings_list_simulators (file);

  self->parallel = cyc_settings_get_limit (file);
  g_strfreev (self->config_roots);
  self->config_roots = cyc_settings_get_config_roots (file);
  for (guint i = 0; names[i] != NULL; i++)
    g_ptr_array_add (self->simulators, cyc_settings_get_simulator (file, names[i]));
  return self;
}

static void
load_thread (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CycSettings) file = cyc_settings_load (data, &error);

  if (file != NULL)
    g_task_return_pointer (task, read_settings (file), (GDestroyNotify) cyc_workspace_settings_free);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

void
_cyc_local_workspace_load_settings (CycWorkspace *workspace,
                                    GTask        *task)
{
  g_autoptr (GTask) owned = task;
  CycEngine *engine = _cyc_local_workspace_begin (workspace, task, FALSE);

  if (engine == NULL)
    return;
  g_task_set_task_data (task, g_strdup (cyc_engine_get_workspace (engine)), g_free);
  cyc_task_run_in_thread (task, load_thread);
}

/* What is saved is checked first: a simulator that cannot run would fail later, and out of sight. */

static gboolean
check_roots (const CycWorkspaceSettings  *settings,
             GError                     **error)
{
  for (guint i = 0; settings->config_roots[i] != NULL; i++)
    {
      const char *root = settings->config_roots[i];
      if (g_path_is_absolute (root) && g_file_test (root, G_FILE_TEST_IS_DIR))
        continue;
      cyc_error_set_at (error, CYC_ERROR_VALUE, root, 0,
                        "expected the absolute path of a folder that holds GPU configurations");
      return FALSE;
    }
  return TRUE;
}

static gboolean
check_env (const CycSimulatorSetting  *setting,
           GError                    **error)
{
  for (guint i = 0; setting->env[i] != NULL; i++)
    {
      const char *equals = strchr (setting->env[i], '=');
      if (equals != NULL && equals != setting->env[i])
        continue;
      cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0,
                        "simulator '%s': '%s' is no variable: expected NAME=value", setting->name,
                        setting->env[i]);
      return FALSE;
    }
  return TRUE;
}

static gboolean
check_simulator (const CycSimulatorSetting  *setting,
                 GError                    **error)
{
  g_autoptr (GError) local = NULL;

  if (!check_env (setting, error))
    return FALSE;
  g_autoptr (CycSimulator) simulator = cyc_installation_open (setting, &local);
  const CycFinding *fault = simulator == NULL ? NULL : cyc_findings_first_error (simulator->findings);
  if (simulator != NULL && fault == NULL)
    return TRUE;
  g_autofree char *text = fault != NULL ? cyc_finding_to_string (fault) : g_strdup (local->message);
  cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0, "simulator '%s': %s", setting->name, text);
  return FALSE;
}

static gboolean
check_simulators (const CycWorkspaceSettings  *settings,
                  GCancellable                *cancellable,
                  GError                     **error)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < settings->simulators->len; i++)
    {
      const CycSimulatorSetting *setting = g_ptr_array_index (settings->simulators, i);
      if (g_cancellable_set_error_if_cancelled (cancellable, error)
          || !check_simulator (setting, error))
        return FALSE;
      if (g_hash_table_add (names, setting->name))
        continue;
      cyc_error_set_at (error, CYC_ERROR_EXISTS, NULL, 0, "two simulators have the name '%s'",
                        setting->name);
      return FALSE;
    }
  return TRUE;
}

static gboolean
is_named (gconstpointer item,
          gconstpointer name)
{
  return strcmp (((const CycSimulatorSetting *) item)->name, name) == 0;
}

/* Into the file as it is now: comments, and keys that are not ours, stay. */
static gboolean
put_settings (CycSettings                 *file,
              const CycWorkspaceSettings  *settings,
              GError                     **error)
{
  g_auto (GStrv) names = cyc_settings_list_simulators (file);

  if (!cyc_settings_set_limit (file, settings->parallel, error))
    return FALSE;
  cyc_settings_set_config_roots (file, (const char *const *) settings->config_roots);
  for (guint i = 0; names[i] != NULL; i++)
    if (!g_ptr_array_find_with_equal_func (settings->simulators, names[i], is_named, NULL)
        && !cyc_settings_remove_simulator (file, names[i], error))
      return FALSE;
  for (guint i = 0; i < settings->simulators->len; i++)
    if (!cyc_settings_put_simulator (file, g_ptr_array_index (settings->simulators, i), error))
      return FALSE;
  return TRUE;
}

typedef struct
{
  char                 *folder;
  CycWorkspaceSettings *settings;
} Saving;

static void
saving_free (gpointer data)
{
  Saving *self = data;

  g_free (self->folder);
  cyc_workspace_settings_free (self->settings);
  g_free (self);
}

static void
save_thread (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  const Saving *self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (CycSettings) file = cyc_settings_load (self->folder, &error);

  if (file != NULL && check_roots (self->settings, &error)
      && check_simulators (self->settings, cancellable, &error)
      && put_settings (file, self->settings, &error) && cyc_settings_save (file, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

void
_cyc_local_workspace_save_settings (CycWorkspace               *workspace,
                                    const CycWorkspaceSettings *settings,
                                    GTask                      *task)
{
  CycEngine *engine = _cyc_local_workspace_begin (workspace, task, TRUE);

  if (engine != NULL)
    _cyc_local_files_save_settings (cyc_engine_get_workspace (engine), settings, task);
  g_object_unref (task);
}

/* Answers @task when the settings of a workspace of this machine are checked and saved. */
void
_cyc_local_files_save_settings (const char                 *folder,
                                const CycWorkspaceSettings *settings,
                                GTask                      *task)
{
  Saving *self = g_new0 (Saving, 1);
  self->folder = g_strdup (folder);
  self->settings = cyc_workspace_settings_copy (settings);
  g_task_set_task_data (task, self, saving_free);
  cyc_task_run_in_thread (task, save_thread);
}
