/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-job.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "core/base/cyc-byte-reader.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-exit-status.h"
#include "core/base/cyc-file.h"
#include "core/base/cyc-json-writer.h"
#include "core/base/cyc-json.h"
#include "core/base/cyc-name.h"
#include "core/base/cyc-paths.h"
#include "core/base/cyc-process.h"
#include "core/base/cyc-time.h"
#include "core/base/cyc-util.h"

/* A number and a line end. */
#define MAX_EXIT_FILE 256

#define MAX_CONFIG_FILE (16 * 1024 * 1024)

/**
 * cyc_job_plan_new:
 * @trace_folder: the trace's folder in the workspace
 *
 * Returns: (transfer full): a plan to be filled
 */
CycJobPlan *
cyc_job_plan_new (const char *trace_folder)
{
  CycJobPlan *self = g_new0 (CycJobPlan, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->trace_folder = g_strdup (trace_folder);
  return self;
}

/**
 * cyc_job_plan_ref:
 * @self: a plan
 *
 * Any thread.
 *
 * Returns: (transfer full): the plan
 */
CycJobPlan *
cyc_job_plan_ref (CycJobPlan *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/**
 * cyc_job_plan_unref:
 * @self: (transfer full) (nullable): a plan
 *
 * Any thread.
 */
void
cyc_job_plan_unref (CycJobPlan *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_free (self->trace_folder);
  g_free (self->list_text);
  g_strfreev (self->kernel_files);
  g_clear_pointer (&self->configs, cyc_gpu_configs_unref);
  g_clear_pointer (&self->simulator, cyc_simulator_free);
  g_free (self);
}

/**
 * cyc_job_find_recorded:
 * @trace_folder: a trace's folder
 * @gpu_config: the name of a configuration
 *
 * Returns: (transfer full) (nullable): the log that was recorded for that configuration, to replay
 */
char *
cyc_job_find_recorded (const char *trace_folder,
                       const char *gpu_config)
{
  static const char *const endings[] = { ".log", ".log.xz", ".log.gz" };

  if (!cyc_name_is_plain (gpu_config))
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    {
      g_autofree char *name = g_strconcat (gpu_config, endings[i], NULL);
      g_autofree char *path = g_build_filename (trace_folder, "recorded", name, NULL);
      if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
        return g_steal_pointer (&path);
    }
  return NULL;
}

static void
add_folder (CycJsonWriter *writer,
            const char    *path)
{
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_string (writer, "path", path);
  cyc_json_writer_put_string (writer, "type", "folder");
  cyc_json_writer_end_object (writer);
}

static void
add_staged (CycJsonWriter *writer,
            const char    *path,
            const char    *type,
            const char    *key,
            const char    *value,
            gsize          len)
{
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_string (writer, "path", path);
  cyc_json_writer_put_string (writer, "type", type);
  cyc_json_writer_key (writer, key);
  cyc_json_writer_string_len (writer, value, len);
  cyc_json_writer_end_object (writer);
}

/* The files of a configuration are copied into the job: a run must not change when somebody edits
 * the configuration while it waits. */
static gboolean
stage_config (CycJsonWriter       *writer,
              const CycGpuConfig  *config,
              GError             **error)
{
  for (guint i = 0; i < config->files->len; i++)
    {
      const char *path = g_ptr_array_index (config->files, i);
      g_autofree char *name = g_path_get_basename (path);
      g_autofree char *text = NULL;
      gsize len;
      if (!cyc_name_is_plain (name))
        continue;
      if (!g_file_get_contents (path, &text, &len, error))
        return FALSE;
      if (len <= MAX_CONFIG_FILE && g_utf8_validate_len (text, len, NULL))
        add_staged (writer, name, "text", "text", text, len);
      else
        add_staged (writer, name, "link", "target", path, strlen (path));
    }
  return TRUE;
}

static void
stage_traces (CycJsonWriter    *writer,
              const CycJobPlan *plan)
{
  add_folder (writer, "traces");
  for (guint i = 0; plan->kernel_files[i] != NULL; i++)
    {
      g_autofree char *name = g_path_get_basename (plan->kernel_files[i]);
      g_autofree char *path = g_build_filename ("traces", name, NULL);
      add_staged (writer, path, "link", "target", plan->kernel_files[i],
                  strlen (plan->kernel_files[i]));
    }
  add_staged (writer, "traces/kernelslist.g", "text", "text", plan->list_text,
              strlen (plan->list_text));
}

static gboolean
has_file (const CycGpuConfig *config,
          const char         *name)
{
  for (guint i = 0; i < config->files->len; i++)
    {
      g_autofree char *base = g_path_get_basename (g_ptr_array_index (config->files, i));
      if (strcmp (base, name) == 0)
        return TRUE;
    }
  return FALSE;
}

static gboolean
write_argv (CycJsonWriter      *writer,
            const char         *executable,
            const CycGpuConfig *config,
            const char *const  *options,
            GError            **error)
{
  cyc_json_writer_key (writer, "argv");
  cyc_json_writer_begin_array (writer);
  cyc_json_writer_string (writer, executable);
  cyc_json_writer_string (writer, "-config");
  cyc_json_writer_string (writer, "./gpgpusim.config");
  if (has_file (config, "trace.config"))
    {
      cyc_json_writer_string (writer, "-config");
      cyc_json_writer_string (writer, "./trace.config");
    }
  cyc_json_writer_string (writer, "-trace");
  cyc_json_writer_string (writer, "./traces/kernelslist.g");
  /* Later options win: those of the user come behind every -config. */
  for (guint i = 0; options[i] != NULL; i++)
    {
      g_autofree char *name = NULL;
      g_autofree char *value = NULL;
      if (!cyc_config_option_split (options[i], &name, &value, error))
        return FALSE;
      cyc_json_writer_string (writer, name);
      cyc_json_writer_string (writer, value);
    }
  cyc_json_writer_end_array (writer);
  return TRUE;
}

static void
write_pairs (CycJsonWriter     *writer,
             const char *const *pairs)
{
  for (; pairs != NULL && *pairs != NULL; pairs++)
    {
      const char *equals = strchr (*pairs, '=');
      if (equals == NULL || equals == *pairs)
        continue;
      cyc_json_writer_key_len (writer, *pairs, (gsize) (equals - *pairs));
      cyc_json_writer_string (writer, equals + 1);
    }
}

static char *
read_beside (const char *log,
             const char *gpu_config,
             const char *ending)
{
  g_autofree char *folder = g_path_get_dirname (log);
  g_autofree char *name = g_strconcat (gpu_config, ending, NULL);
  g_autofree char *path = g_build_filename (folder, name, NULL);

  return g_file_test (path, G_FILE_TEST_IS_REGULAR) ? g_steal_pointer (&path) : NULL;
}

/* Leaves @out_text NULL if there is none: then the recorded run ended with 0. */
static gboolean
read_recorded_exit (const char  *log,
                    const char  *gpu_config,
                    char       **out_text,
                    GError     **error)
{
  g_autofree char *path = read_beside (log, gpu_config, ".exit");
  int exit_code;
  gsize len;

  if (path == NULL)
    return TRUE;
  g_autofree char *bytes = cyc_byte_reader_read_all (path, MAX_EXIT_FILE, &len, error);
  if (bytes == NULL)
    return FALSE;
  g_autofree char *text = cyc_utf8_make_valid (bytes, len);
  g_strstrip (text);
  if (!cyc_exit_status_parse (text, &exit_code))
    {
      cyc_error_set_at (error, CYC_ERROR_VALUE, path, 1,
                        "'%s' does not say how the recorded run ended: expected a number from 0 to 255, or signal:N",
                        text);
      return FALSE;
    }
  *out_text = g_steal_pointer (&text);
  return TRUE;
}

/**
 * cyc_job_check_recorded:
 * @trace_folder: a trace's folder
 * @gpu_config: the name of a configuration
 * @error: (nullable): return location for an error: what is recorded beside the log is not what it should be
 *
 * Returns: %TRUE if there is no recorded log, or it can be replayed
 */
gboolean
cyc_job_check_recorded (const char  *trace_folder,
                        const char  *gpu_config,
                        GError     **error)
{
  g_autofree char *log = cyc_job_find_recorded (trace_folder, gpu_config);
  g_autofree char *text = NULL;

  return log == NULL || read_recorded_exit (log, gpu_config, &text, error);
}

static gboolean
write_replay (CycJsonWriter    *writer,
              const CycJobPlan *plan,
              const CycSimRow  *sim,
              GError          **error)
{
  const char *config = sim->record->gpu_config;
  g_autofree char *log = cyc_job_find_recorded (plan->trace_folder, config);

  if (log == NULL)
    {
      cyc_error_set_at (error, CYC_ERROR_STATE, NULL, 0,
                        "the trace has no recorded log of configuration '%s' to replay", config);
      return FALSE;
    }
  g_autofree char *err = read_beside (log, config, ".err");
  g_autofree char *exit_text = NULL;
  if (!read_recorded_exit (log, config, &exit_text, error))
    return FALSE;
  if (exit_text != NULL)
    cyc_json_writer_put_string (writer, "CYCLESCOPE_REPLAY_EXIT", exit_text);
  cyc_json_writer_put_string (writer, "CYCLESCOPE_REPLAY_LOG", log);
  if (err != NULL)
    cyc_json_writer_put_string (writer, "CYCLESCOPE_REPLAY_STDERR", err);
  const char *speed = g_getenv ("CYCLESCOPE_REPLAY_SPEED");
  if (speed != NULL)
    cyc_json_writer_put_string (writer, "CYCLESCOPE_REPLAY_SPEED", speed);
  return TRUE;
}

static gboolean
write_environment (CycJsonWriter     *writer,
                   const CycJobPlan  *plan,
                   const CycSimRow   *sim,
                   const char        *url,
                   GError           **error)
{
  cyc_json_writer_key (writer, "env");
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_string (writer, "CASCADE_SIM_ID", sim->record->id);
  cyc_json_writer_put_string (writer, "CASCADE_GPU_CONFIG", sim->record->gpu_config);
  if (url != NULL)
    cyc_json_writer_put_string (writer, "CYCLESCOPE_API_URL", url);
  cyc_json_writer_put_string (writer, "CYCLESCOPE_API_TOKEN", sim->token);
  if (plan->simulator != NULL)
    write_pairs (writer, (const char *const *) plan->simulator->env);
  if (plan->replay && !write_replay (writer, plan, sim, error))
    return FALSE;
  cyc_json_writer_end_object (writer);
  return TRUE;
}

static char *
find_executable (const CycJobPlan  *plan,
                 GError           **error)
{
  if (!plan->replay)
    return g_strdup (plan->simulator->executable);
  char *replay = cyc_paths_find_program ("cyclescope-replay");
  if (replay == NULL)
    cyc_error_set_at (error, CYC_ERROR_FAILED, NULL, 0,
                      "cyclescope-replay is not installed beside this program; install Cyclescope "
                      "again, or name its folder in CYCLESCOPE_PROGRAM_DIR");
  return replay;
}

static GString *
make_job (const CycJobPlan  *plan,
          const char *const *options,
          const CycSimRow   *sim,
          const char        *workspace,
          const char        *workspace_id,
          const char        *url,
          GError           **error)
{
  CycGpuConfig *config = cyc_gpu_configs_get (plan->configs, sim->record->gpu_config, error);
  g_autofree char *executable = config == NULL ? NULL : find_executable (plan, error);
  g_autofree char *engine_file = g_build_filename (workspace, "engine.json", NULL);
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);

  if (executable == NULL)
    return NULL;
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_int (writer, "version", 1);
  cyc_json_writer_put_string (writer, "sim_id", sim->record->id);
  cyc_json_writer_put_string (writer, "workspace_id", workspace_id);
  cyc_json_writer_put_string (writer, "engine_file", engine_file);
  cyc_json_writer_put_string (writer, "url", NULL);
  cyc_json_writer_put_string (writer, "token", sim->token);
  cyc_json_writer_key (writer, "stage");
  cyc_json_writer_begin_array (writer);
  if (!stage_config (writer, config, error))
    return NULL;
  stage_traces (writer, plan);
  cyc_json_writer_end_array (writer);
  if (!write_argv (writer, executable, config, options, error) ||
      !write_environment (writer, plan, sim, url, error))
    return NULL;
  cyc_json_writer_put_boolean (writer, "line_buffer", TRUE);
  cyc_json_writer_end_object (writer);
  return cyc_json_writer_steal (writer);
}

/**
 * cyc_job_write:
 * @plan: how sims of the run are started
 * @options: `-name value` texts of the user
 * @sim: the sim, with its token
 * @workspace: the workspace's folder
 * @workspace_id: its identity
 * @url: (nullable): where the engine listens now
 * @out_path: (out) (transfer full): path of the job
 * @error: (nullable): return location for an error
 *
 * Writes `jobs/<sim>/job.json` for the worker, readable by this user only. Any thread.
 *
 * Returns: %TRUE when it is on disk
 */
gboolean
cyc_job_write (const CycJobPlan  *plan,
               const char *const *options,
               const CycSimRow   *sim,
               const char        *workspace,
               const char        *workspace_id,
               const char        *url,
               char             **out_path,
               GError           **error)
{
  g_autofree char *folder = g_build_filename (workspace, "jobs", sim->record->id, NULL);
  g_autofree char *path = g_build_filename (folder, "job.json", NULL);
  g_autoptr (GString) text = make_job (plan, options, sim, workspace, workspace_id, url, error);

  if (text == NULL || !cyc_file_make_folder (folder, 0700, error) ||
      !cyc_file_replace (path, text->str, text->len, 0600, error))
    return FALSE;
  *out_path = g_steal_pointer (&path);
  return TRUE;
}

static void
child_setup (gpointer data)
{
  /* A session of its own: what ends this program, a closed terminal for example, must not reach the
   * simulation. Nor may two hundred sessions outweigh that of the engine: if they cannot yield here,
   * the worker tries again. Only async-signal-safe calls here. */
  setsid ();
  signal (SIGHUP, SIG_IGN);
  cyc_process_yield ();
}

/**
 * cyc_job_spawn:
 * @job_path: path of a job
 * @error: (nullable): return location for an error
 *
 * Starts the worker of a job in a session of its own. Any thread but the main one: waits until the
 * worker's program is executed.
 *
 * Returns: (transfer full) (nullable): the worker's process
 */
GSubprocess *
cyc_job_spawn (const char  *job_path,
               GError     **error)
{
  g_autofree char *worker = cyc_paths_find_program ("cyclescope-worker");
  g_autoptr (GSubprocessLauncher) launcher = NULL;

  if (worker == NULL)
    {
      cyc_error_set_at (error, CYC_ERROR_FAILED, NULL, 0,
                        "cyclescope-worker is not installed beside this program; install Cyclescope "
                        "again, or name its folder in CYCLESCOPE_PROGRAM_DIR");
      return NULL;
    }
  g_autofree char *folder = g_path_get_dirname (job_path);
  g_autofree char *messages = g_build_filename (folder, "worker.log", NULL);
  /* Not left to the launcher: whether it was the disk that was full decides what comes of the sim. */
  int messages_fd = open (messages, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (messages_fd < 0)
    {
      cyc_error_set_errno (error, errno, messages, "cannot create");
      return NULL;
    }
  launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_NONE);
  g_subprocess_launcher_set_cwd (launcher, folder);
  g_subprocess_launcher_set_child_setup (launcher, child_setup, NULL, NULL);
  g_subprocess_launcher_set_stdin_file_path (launcher, "/dev/null");
  g_subprocess_launcher_set_stdout_file_path (launcher, "/dev/null");
  g_subprocess_launcher_take_stderr_fd (launcher, messages_fd);
  return g_subprocess_launcher_spawn (launcher, error, worker, "--job", job_path, NULL);
}

/**
 * cyc_job_read_worker:
 * @job_folder: the folder of a job
 * @out_pid: (out): the worker's process
 * @out_start: (out): its start time
 * @out_sim_pid: (out): the simulator's process, 0 if it was not started
 * @out_sim_start: (out): its start time
 *
 * Returns: %TRUE if the worker wrote down who it is
 */
gboolean
cyc_job_read_worker (const char *job_folder,
                     gint64     *out_pid,
                     guint64    *out_start,
                     gint64     *out_sim_pid,
                     guint64    *out_sim_start)
{
  g_autofree char *path = g_build_filename (job_folder, "worker.json", NULL);
  g_autoptr (JsonNode) node = cyc_json_parse_file (path, 64 * 1024, NULL);
  JsonObject *object = cyc_json_node_get_object (node);
  gint64 start = 0, sim_start = 0;

  *out_pid = *out_sim_pid = 0;
  cyc_json_get_int (object, "pid", out_pid);
  cyc_json_get_int (object, "start_time", &start);
  cyc_json_get_int (object, "sim_pid", out_sim_pid);
  cyc_json_get_int (object, "sim_start_time", &sim_start);
  *out_start = (guint64) start;
  *out_sim_start = (guint64) sim_start;
  return *out_pid > 0;
}

typedef gboolean (*ProcessTest) (gint64      pid,
                                 const char *what);

static gint64
find_process (ProcessTest  test,
              const char  *what)
{
  g_autoptr (GDir) proc = g_dir_open ("/proc", 0, NULL);
  const char *name;

  while (proc != NULL && (name = g_dir_read_name (proc)) != NULL)
    {
      gint64 pid = g_ascii_strtoll (name, NULL, 10);
      if (pid > 0 && pid != getpid () && test (pid, what) && cyc_process_is_alive (pid, 0))
        return pid;
    }
  return 0;
}

static char *
read_proc (gint64      pid,
           const char *file,
           gsize      *out_len)
{
  g_autofree char *path = g_strdup_printf ("/proc/%" G_GINT64_FORMAT "/%s", pid, file);
  char *text = NULL;

  return g_file_get_contents (path, &text, out_len, NULL) ? text : NULL;
}

static gboolean
runs_job (gint64      pid,
          const char *job_path)
{
  gsize len, path_len = strlen (job_path);
  g_autofree char *text = read_proc (pid, "cmdline", &len);

  if (text == NULL || memmem (text, len, "cyclescope-worker", 17) == NULL)
    return FALSE;
  const char *found = memmem (text, len, job_path, path_len);
  return found != NULL && found > text && found[-1] == '\0' && found[path_len] == '\0';
}

static gboolean
has_sim_id (gint64      pid,
            const char *sim_id)
{
  gsize len;
  g_autofree char *text = read_proc (pid, "environ", &len);
  g_autofree char *pair = g_strconcat ("CASCADE_SIM_ID=", sim_id, NULL);

  return text != NULL && memmem (text, len, pair, strlen (pair) + 1) != NULL;
}

/**
 * cyc_job_find_worker:
 * @job_path: path of a job, as it was given to the worker
 *
 * Looks for a worker that was started but has not written `worker.json` yet.
 *
 * Returns: its process, 0 if there is none
 */
gint64
cyc_job_find_worker (const char *job_path)
{
  return find_process (runs_job, job_path);
}

/**
 * cyc_job_find_simulator:
 * @sim_id: a sim
 *
 * Looks for the simulator of a worker that died before it could write down its process.
 *
 * Returns: its process, 0 if there is none
 */
gint64
cyc_job_find_simulator (const char *sim_id)
{
  return find_process (has_sim_id, sim_id);
}

/**
 * cyc_job_read_exit:
 * @job_folder: the folder of a job
 * @out_exit_code: (out): negative signal number for a signal
 *
 * Returns: %TRUE if the worker saw the simulator end
 */
gboolean
cyc_job_read_exit (const char *job_folder,
                   int        *out_exit_code)
{
  g_autofree char *path = g_build_filename (job_folder, "exit.json", NULL);
  g_autoptr (JsonNode) node = cyc_json_parse_file (path, 64 * 1024, NULL);
  JsonObject *object = cyc_json_node_get_object (node);
  gint64 value;

  if (cyc_json_get_int (object, "signal", &value) && value > 0)
    *out_exit_code = (int) -value;
  else if (cyc_json_get_int (object, "exit_code", &value))
    *out_exit_code = (int) value;
  else
    return FALSE;
  return TRUE;
}

static void
read_time (JsonObject *object,
           const char *member,
           gint64     *out_time)
{
  const char *text = cyc_json_get_string (object, member);
  gint64 time;

  if (text != NULL && cyc_time_from_iso (text, &time))
    *out_time = time;
}

/**
 * cyc_job_read_times:
 * @job_folder: the folder of a job
 * @out_started_at: (inout): when the simulator began; left as it is if the worker did not see it end
 * @out_finished_at: (inout): when it ended; likewise
 *
 * Reads the times of `exit.json`, in microseconds since 1970.
 */
void
cyc_job_read_times (const char *job_folder,
                    gint64     *out_started_at,
                    gint64     *out_finished_at)
{
  g_autofree char *path = g_build_filename (job_folder, "exit.json", NULL);
  g_autoptr (JsonNode) node = cyc_json_parse_file (path, 64 * 1024, NULL);
  JsonObject *object = cyc_json_node_get_object (node);

  read_time (object, "started_at", out_started_at);
  read_time (object, "finished_at", out_finished_at);
}
