/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-run-plan.h"

#include <string.h>

#include "core/accelsim/cyc-preflight.h"
#include "core/accelsim/cyc-trace-folder.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-task.h"
#include "engine/cyc-installation.h"

/* From a request to the way its sims are started, with every check that can be made before. */

typedef struct
{
  CycEngine       *engine;
  char            *trace_id;
  char            *trace_folder;
  GPtrArray       *entries;     /* of CycRunEntry */
  char            *launcher;
  char            *simulator;
  GStrv            options;
  gboolean         force_arch;
  CycRunPlanMode   mode;
  CycRunPlan       plan;
  CycRunPlanFunc   func;
  gpointer         user_data;
} Plan;

static void
plan_free (gpointer data)
{
  Plan *plan = data;

  g_free (plan->trace_id);
  g_free (plan->trace_folder);
  g_ptr_array_unref (plan->entries);
  g_free (plan->launcher);
  g_free (plan->simulator);
  g_strfreev (plan->options);
  cyc_job_plan_unref (plan->plan.job);
  g_free (plan->plan.simulator_name);
  g_object_unref (plan->engine);
  g_free (plan);
}

static gboolean
all_recorded (Plan *plan)
{
  for (guint i = 0; i < plan->entries->len; i++)
    {
      const CycRunEntry *entry = g_ptr_array_index (plan->entries, i);
      g_autofree char *log = cyc_job_find_recorded (plan->trace_folder, entry->gpu_config);
      if (log == NULL)
        return FALSE;
    }
  return TRUE;
}

static gboolean
choose_launcher (Plan    *plan,
                 GError **error)
{
  if (plan->launcher == NULL)
    plan->plan.job->replay = plan->simulator == NULL && plan->options[0] == NULL && all_recorded (plan);
  else if (strcmp (plan->launcher, "replay") == 0)
    plan->plan.job->replay = TRUE;
  else if (strcmp (plan->launcher, "local") != 0)
    {
      cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0,
                        "launcher '%s' is not known; use local or replay", plan->launcher);
      return FALSE;
    }
  return TRUE;
}

static gboolean
check_recorded_one (Plan        *plan,
                    const char  *config,
                    GError     **error)
{
  g_autofree char *log = cyc_job_find_recorded (plan->trace_folder, config);

  if (log != NULL)
    return cyc_job_check_recorded (plan->trace_folder, config, error);
  cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0,
                    "trace '%s' has no recorded log of configuration '%s' to replay; run it with "
                    "--launcher local", plan->trace_id, config);
  return FALSE;
}

static gboolean
check_recorded (Plan    *plan,
                GError **error)
{
  for (guint i = 0; i < plan->entries->len; i++)
    {
      const CycRunEntry *entry = g_ptr_array_index (plan->entries, i);
      if (!check_recorded_one (plan, entry->gpu_config, error))
        return FALSE;
    }
  return TRUE;
}

static char *
choose_simulator (CycSettings  *settings,
                  const char   *wanted,
                  GError      **error)
{
  g_auto (GStrv) names = cyc_settings_list_simulators (settings);

  if (wanted != NULL)
    return g_strdup (wanted);
  if (names[0] == NULL)
    cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0,
                      "no simulator is set up; add an Accel-Sim installation with `simulator add PATH`");
  else if (names[1] != NULL)
    {
      g_autofree char *list = g_strjoinv (", ", names);
      cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0,
                        "several simulators are set up (%s); name one with --simulator", list);
    }
  else
    return g_strdup (names[0]);
  return NULL;
}

static gboolean
open_simulator (Plan    *plan,
                GError **error)
{
  CycJobPlan *job = plan->plan.job;
  g_autoptr (CycSettings) settings =
    cyc_settings_load (cyc_engine_get_workspace (plan->engine), error);
  g_autofree char *name = settings == NULL ? NULL : choose_simulator (settings, plan->simulator, error);

  if (name == NULL)
    return FALSE;
  g_autoptr (CycSimulatorSetting) setting = cyc_settings_get_simulator (settings, name);
  if (setting == NULL)
    {
      cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0,
                        "no simulator '%s' is set up; `simulator list` shows those there are", name);
      return FALSE;
    }
  job->simulator = cyc_installation_open (setting, error);
  if (job->simulator == NULL)
    return FALSE;
  if (job->simulator->executable == NULL)
    {
      cyc_error_set_at (error, CYC_ERROR_VALUE, job->simulator->path, 0,
                        "has no accel-sim.out; build the simulator, or add its executable");
      return FALSE;
    }
  plan->plan.simulator_name = g_steal_pointer (&name);
  return TRUE;
}

/* A replay plays what was recorded: what is asked for beside that would be ignored. */
static gboolean
check_unused (Plan    *plan,
              GError **error)
{
  if (!plan->plan.job->replay || plan->mode == CYC_RUN_PLAN_AGAIN)
    return TRUE;
  if (plan->options[0] != NULL)
    cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0,
                      "a replay plays what was recorded, and option '%s' changes nothing in it; leave it out, or "
                      "run a simulator with --launcher local", plan->options[0]);
  else if (plan->simulator != NULL)
    cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0,
                      "a replay plays what was recorded, and runs no simulator; leave out '%s', or run it with "
                      "--launcher local", plan->simulator);
  else
    return TRUE;
  return FALSE;
}

/* Options of the user that would make the simulator read something else than what was staged. */
static gboolean
check_options (Plan    *plan,
               GError **error)
{
  for (guint i = 0; plan->options[i] != NULL; i++)
    {
      g_autofree char *name = NULL;
      g_autofree char *value = NULL;
      if (!cyc_config_option_split (plan->options[i], &name, &value, error))
        return FALSE;
    }
  return check_unused (plan, error);
}

static gboolean
check_count (const CycRunEntry  *entry,
             GError            **error)
{
  if (entry->count >= 1 && entry->count <= CYC_RUN_MAX_COUNT)
    return TRUE;
  cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0,
                    "configuration '%s': %u simulations; expected a number from 1 to %d",
                    entry->gpu_config, entry->count, CYC_RUN_MAX_COUNT);
  return FALSE;
}

static gboolean
check_counts (Plan    *plan,
              GError **error)
{
  for (guint i = 0; i < plan->entries->len; i++)
    if (!check_count (g_ptr_array_index (plan->entries, i), error))
      return FALSE;
  if (plan->entries->len > 0)
    return TRUE;
  cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0, "a run needs at least one configuration");
  return FALSE;
}

/* A misspelt name first: whatever else is missing, it is what the user has to mend. */
static gboolean
check_names (Plan    *plan,
             GError **error)
{
  for (guint i = 0; i < plan->entries->len; i++)
    {
      const CycRunEntry *entry = g_ptr_array_index (plan->entries, i);
      g_autoptr (GError) local = NULL;
      if (cyc_gpu_configs_get (plan->plan.job->configs, entry->gpu_config, &local) != NULL)
        continue;
      cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0, "%s", local->message);
      return FALSE;
    }
  return TRUE;
}

static CycFindings *
look_at (Plan               *plan,
         CycTraceFolder     *folder,
         const CycGpuConfig *config,
         GCancellable       *cancellable)
{
  const CycPreflightParams params = {
    .config = config,
    .simulator = plan->plan.job->simulator,
    .options = (const char *const *) plan->options,
    .force_arch = plan->force_arch,
    .replay = plan->plan.job->replay,
    .work_folder = cyc_engine_get_workspace (plan->engine),
    .cancellable = cancellable,
  };

  return cyc_preflight_check (folder, &params);
}

static gboolean
check_config (Plan            *plan,
              CycTraceFolder  *folder,
              const char      *name,
              GError         **error)
{
  if (plan->mode == CYC_RUN_PLAN_AGAIN)
    return TRUE;
  g_autoptr (CycFindings) findings =
    look_at (plan, folder, cyc_gpu_configs_find (plan->plan.job->configs, name), NULL);
  const CycFinding *finding = cyc_findings_first_error (findings);
  if (finding == NULL)
    return TRUE;
  g_autofree char *text = cyc_finding_to_string (finding);
  cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0, "configuration '%s': %s", name, text);
  return FALSE;
}

static void
take_files (CycJobPlan     *job,
            CycTraceFolder *folder)
{
  g_autoptr (GStrvBuilder) files = g_strv_builder_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  /* A kernel file may be listed more than once; it is linked once. */
  for (guint i = 0; i < folder->kernels->len; i++)
    {
      const CycTraceKernel *kernel = g_ptr_array_index (folder->kernels, i);
      if (kernel->path != NULL && kernel->exists && g_hash_table_add (seen, kernel->path))
        g_strv_builder_add (files, kernel->path);
    }
  job->kernel_files = g_strv_builder_end (files);
  job->list_text = cyc_trace_folder_get_list_text (folder);
}

static gboolean
make_plan (Plan    *plan,
           GError **error)
{
  CycJobPlan *job = plan->plan.job;

  job->configs = cyc_engine_load_configs (plan->engine, plan->simulator, error);
  if (job->configs == NULL || !check_names (plan, error) || !check_counts (plan, error) ||
      !choose_launcher (plan, error) || !check_options (plan, error))
    return FALSE;
  if (job->replay ? !check_recorded (plan, error) : !open_simulator (plan, error))
    return FALSE;
  g_autoptr (CycTraceFolder) folder =
    cyc_trace_folder_load (plan->trace_folder, NULL, error);
  if (folder == NULL)
    return FALSE;
  for (guint i = 0; i < plan->entries->len; i++)
    {
      const CycRunEntry *entry = g_ptr_array_index (plan->entries, i);
      if (!check_config (plan, folder, entry->gpu_config, error))
        return FALSE;
    }
  take_files (job, folder);
  return TRUE;
}

static void
plan_thread (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;

  if (make_plan (data, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static void
planned_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  Plan *plan = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  gboolean ok = g_task_propagate_boolean (G_TASK (result), &error);

  plan->func (ok ? &plan->plan : NULL, error, plan->user_data);
}

static Plan *
plan_new (CycEngine           *engine,
          const CycRunRequest *request)
{
  Plan *plan = g_new0 (Plan, 1);

  plan->engine = g_object_ref (engine);
  plan->trace_id = g_strdup (request->trace_id);
  plan->trace_folder = cyc_engine_get_trace_folder (engine, request->trace_id);
  plan->entries = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_run_entry_free);
  for (guint i = 0; i < request->entries->len; i++)
    {
      const CycRunEntry *entry = g_ptr_array_index (request->entries, i);
      g_ptr_array_add (plan->entries, cyc_run_entry_new (entry->gpu_config, entry->count));
    }
  plan->launcher = g_strdup (request->launcher);
  plan->simulator = g_strdup (request->simulator);
  plan->options = g_strdupv (request->options);
  plan->force_arch = request->force_arch;
  plan->plan.job = cyc_job_plan_new (plan->trace_folder);
  return plan;
}

/**
 * cyc_run_plan_make:
 * @engine: the engine
 * @request: what is asked for, copied
 * @mode: a new run, or one that is there
 * @func: called on the main thread with the plan or an error
 * @user_data: for @func
 *
 * Reads trace, configurations and settings on a thread.
 */
void
cyc_run_plan_make (CycEngine           *engine,
                   const CycRunRequest *request,
                   CycRunPlanMode       mode,
                   CycRunPlanFunc       func,
                   gpointer             user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, planned_cb, NULL);
  Plan *plan = plan_new (engine, request);

  plan->mode = mode;
  plan->func = func;
  plan->user_data = user_data;
  g_task_set_source_tag (task, cyc_run_plan_make);
  g_task_set_task_data (task, plan, plan_free);
  cyc_task_run_in_thread (task, plan_thread);
}

/* What stands against an entry before its trace is looked at. */
static void
look_before (Plan              *plan,
             const CycRunEntry *entry,
             const GError      *simulator_error,
             CycFindings       *findings)
{
  const char *config = entry->gpu_config;
  g_autoptr (GError) error = NULL;

  if (cyc_gpu_configs_get (plan->plan.job->configs, config, &error) == NULL)
    cyc_findings_add_error (findings, CYC_SEVERITY_ERROR, "config_unknown", NULL, NULL, error);
  g_clear_error (&error);
  if (!check_count (entry, &error))
    cyc_findings_add_error (findings, CYC_SEVERITY_ERROR, "count_invalid", NULL, NULL, error);
  g_clear_error (&error);
  if (simulator_error != NULL)
    cyc_findings_add_error (findings, CYC_SEVERITY_ERROR, "simulator_unusable", NULL, NULL,
                            simulator_error);
  if (!plan->plan.job->replay)
    return;
  if (!check_recorded_one (plan, config, &error))
    cyc_findings_add_error (findings, CYC_SEVERITY_ERROR, "recorded_missing", NULL, NULL, error);
  g_clear_error (&error);
  /* The preflight of a replay has no eye for options. */
  if (!check_options (plan, &error))
    cyc_findings_add_error (findings, CYC_SEVERITY_ERROR, "option_invalid", NULL, NULL, error);
}

static GPtrArray *
look_at_entries (Plan           *plan,
                 GCancellable   *cancellable,
                 GError        **error)
{
  CycJobPlan *job = plan->plan.job;
  g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_run_check_free);
  g_autoptr (GError) simulator_error = NULL;

  job->configs = cyc_engine_load_configs (plan->engine, plan->simulator, error);
  if (job->configs == NULL || !choose_launcher (plan, error))
    return NULL;
  if (!job->replay)
    open_simulator (plan, &simulator_error);
  g_autoptr (CycTraceFolder) folder = cyc_trace_folder_load (plan->trace_folder, cancellable, error);
  for (guint i = 0; folder != NULL && i < plan->entries->len; i++)
    {
      const CycRunEntry *entry = g_ptr_array_index (plan->entries, i);
      CycFindings *findings = cyc_findings_new ();
      g_ptr_array_add (checks, cyc_run_check_new (entry->gpu_config, findings));
      look_before (plan, entry, simulator_error, findings);
      g_autoptr (CycFindings) found =
        look_at (plan, folder, cyc_gpu_configs_find (job->configs, entry->gpu_config), cancellable);
      cyc_findings_append (findings, found);
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
    }
  return folder == NULL ? NULL : g_steal_pointer (&checks);
}

/**
 * cyc_run_plan_check:
 * @engine: the engine
 * @request: what would be asked for
 * @cancellable: (nullable): asked between files
 * @error: (nullable): return location for an error: the trace or the settings cannot be read
 *
 * All that would be found against the entries of a request. Whatever cyc_run_plan_make() refuses is
 * an error among the findings. Reads files: not for the main loop.
 *
 * Returns: (transfer container) (element-type CycRunCheck) (nullable): one for each entry, in order
 */
GPtrArray *
cyc_run_plan_check (CycEngine            *engine,
                    const CycRunRequest  *request,
                    GCancellable         *cancellable,
                    GError              **error)
{
  g_return_val_if_fail (CYC_IS_ENGINE (engine) && request != NULL, NULL);

  Plan *plan = plan_new (engine, request);
  GPtrArray *checks = look_at_entries (plan, cancellable, error);
  plan_free (plan);
  return checks;
}
