/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/cyc-ctl-app.h"
#include "cli/cyc-ctl-findings.h"
#include "cli/cyc-ctl-interrupt.h"
#include "cli/cyc-ctl-options.h"
#include "cli/cyc-ctl-progress.h"
#include "cli/cyc-ctl-roots.h"
#include "cli/cyc-ctl-trace.h"
#include "core/accelsim/cyc-preflight.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-file.h"
#include "core/base/cyc-format.h"
#include "core/base/cyc-task.h"
#include "engine/cyc-import-inspect.h"
#include "engine/cyc-importer.h"
#include "engine/cyc-installation.h"

static void
write_findings (CycJsonWriter *writer,
                gpointer       data)
{
  cyc_findings_write_json (data, writer);
}

/* Where there is just one installation, the trace is meant for it. */
static CycSimulator *
open_only_simulator (CycCtlApp  *app,
                     GError    **error)
{
  g_autoptr (CycSettings) settings = cyc_settings_load (cyc_ctl_app_get_workspace (app), error);

  if (settings == NULL)
    return NULL;
  g_auto (GStrv) names = cyc_settings_list_simulators (settings);
  if (g_strv_length (names) != 1)
    return NULL;
  g_autoptr (CycSimulatorSetting) setting = cyc_settings_get_simulator (settings, names[0]);
  return cyc_installation_open (setting, NULL);
}

static int
print_findings (CycCtlApp    *app,
                CycFindings  *findings,
                GError      **error)
{
  if (cyc_ctl_app_wants_json (app))
    return cyc_ctl_app_print_json (app, write_findings, findings, error);
  g_autoptr (GString) text = g_string_new (NULL);
  cyc_ctl_findings_append (findings, text);
  if (cyc_findings_get_length (findings) == 0)
    g_string_append_printf (text, "%s\n", _("Nothing to tell: the trace looks good."));
  return cyc_ctl_app_print (app, text->str, error);
}

/* A look at an archive, without a workspace. */
typedef struct
{
  const char               *path;
  char                     *scratch;
  const CycPreflightParams *params;
} Look;

static void
look_thread (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  const Look *self = data;
  GError *error = NULL;
  CycImportPreview *preview = cyc_import_inspect (self->path, self->scratch, self->params, cancellable, &error);

  if (preview == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, preview, (GDestroyNotify) cyc_import_preview_free);
}

static void
looked_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  *(gboolean *) user_data = TRUE;
}

static gboolean
tick_cb (gpointer user_data)
{
  return G_SOURCE_CONTINUE;
}

/* Unpacking takes long: signals are heard, and how long it has taken is shown. */
static CycImportPreview *
look (CycCtlApp     *app,
      Look          *self,
      GCancellable  *cancellable,
      GError       **error)
{
  g_autoptr (CycCtlProgress) progress = cyc_ctl_progress_new (app);
  gint64 begin = g_get_monotonic_time ();
  gboolean over = FALSE;
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, looked_cb, &over);
  guint ticks = g_timeout_add (100, tick_cb, NULL);

  g_task_set_task_data (task, self, NULL);
  cyc_task_run_in_thread (task, look_thread);
  while (!over)
    {
      g_autofree char *taken = cyc_format_seconds ((double) (g_get_monotonic_time () - begin) / G_USEC_PER_SEC);
      if (cyc_ctl_progress_is_due (progress))
        cyc_ctl_progress_show (progress, _("Reading the archive, %s"), taken);
      g_main_context_iteration (NULL, TRUE);
    }
  g_source_remove (ticks);
  cyc_ctl_progress_clear (progress);
  CycImportPreview *preview = g_task_propagate_pointer (task, error);
  if (preview != NULL || !g_cancellable_is_cancelled (cancellable))
    return preview;
  g_clear_error (error);
  cyc_error_set_at (error, CYC_ERROR_FAILED, self->path, 0, _("cancelled"));
  return NULL;
}

static CycFindings *
check_archive (CycCtlApp                 *app,
               const char                *path,
               const CycPreflightParams  *params,
               GError                   **error)
{
  g_autoptr (CycCtlInterrupt) interrupt = cyc_ctl_interrupt_new ();
  g_autoptr (GError) local_error = NULL;
  g_autofree char *scratch = g_dir_make_tmp ("cyclescope-check-XXXXXX", &local_error);

  if (scratch == NULL)
    {
      cyc_error_set_at (error, CYC_ERROR_FAILED, path, 0, _("cannot unpack it: %s"), local_error->message);
      return NULL;
    }
  Look self = { path, scratch, params };
  g_autoptr (CycImportPreview) preview = look (app, &self, cyc_ctl_interrupt_get_cancellable (interrupt), error);
  cyc_file_remove_tree (scratch, NULL);
  return preview == NULL ? NULL : g_steal_pointer (&preview->findings);
}

static CycFindings *
check_path (CycCtlApp                 *app,
            const char                *path,
            const CycPreflightParams  *params,
            GError                   **error)
{
  g_autofree char *source = cyc_importer_find_source (path);

  if (g_file_test (source, G_FILE_TEST_IS_REGULAR))
    return check_archive (app, path, params, error);
  return cyc_preflight_check_path (source, params, error);
}

static int
run_check (CycCtlApp  *app,
           GError    **error)
{
  CycCtlArgs *args = cyc_ctl_app_get_args (app);
  const char *name = cyc_ctl_args_get (args, "config");
  g_autoptr (GError) local_error = NULL;
  g_autoptr (CycGpuConfigs) configs = NULL;
  CycPreflightParams params = { NULL };

  if (name != NULL)
    {
      configs = cyc_ctl_roots_load_configs (app, FALSE, error);
      params.config = configs == NULL ? NULL : cyc_gpu_configs_get (configs, name, error);
      if (params.config == NULL)
        return CYC_CTL_FAILED;
    }
  g_autoptr (CycSimulator) simulator = open_only_simulator (app, &local_error);
  if (local_error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return CYC_CTL_FAILED;
    }
  params.simulator = simulator;
  g_autoptr (CycFindings) findings = check_path (app, cyc_ctl_args_get_argument (args, 0), &params, error);
  if (findings == NULL)
    return CYC_CTL_FAILED;
  int status = print_findings (app, findings, error);
  if (status != CYC_CTL_DONE || cyc_findings_first_error (findings) == NULL)
    return status;
  cyc_ctl_findings_set_error (findings, error);
  return CYC_CTL_FAILED;
}

static const CycCtlOption check_options[] = {
  { "config", 0, CYC_CTL_VALUE, "NAME", N_("check whether it can run on this GPU configuration") },
  CYC_CTL_OPTION_JSON_ALWAYS,
  CYC_CTL_OPTION_OUTPUT,
  { NULL },
};

const CycCtlCommand cyc_ctl_trace_check = {
  .group = "trace",
  .name = "check",
  .arguments = "PATH",
  .min_arguments = 1,
  .max_arguments = 1,
  .summary = N_("look at a trace and list what is wrong with it"),
  .detail = N_("PATH is a folder or an archive. Text on a terminal, JSON otherwise. If the workspace has "
               "just one simulator, what that can read is checked too. Exit status 1 if a finding is an error."),
  .options = check_options,
  .not_remote = N_("files of this machine are checked against what is set up here; import the trace to have the "
                   "engine check it"),
  .run = run_check,
};
