/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/cyc-ctl-engine.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "cli/cyc-ctl-roots.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-file.h"
#include "core/base/cyc-process.h"
#include "engine/cyc-workspace-dir.h"

/* What is read of the log to say why the engine ended: its last lines. */
#define REASON_SIZE 4096
/* The log of earlier engines is kept up to this size. */
#define MAX_LOG_SIZE (1024 * 1024)

struct _CycCtlEngine
{
  gint64   pid;
  guint64  start_time;
  char    *log;
  gint64   log_offset; /* where this engine's own lines begin */
};

static void
child_setup (gpointer user_data)
{
  /* Away from this terminal and this session: it must outlive both. */
  setsid ();
}

static GPtrArray *
make_argv (CycCtlApp         *app,
           CycCtlEngineFlags  flags)
{
  GPtrArray *argv = g_ptr_array_new_with_free_func (g_free);
  g_auto (GStrv) roots = cyc_ctl_roots_get_given (app);

  g_ptr_array_add (argv, g_file_read_link ("/proc/self/exe", NULL));
  g_ptr_array_add (argv, g_strdup ("--workspace"));
  g_ptr_array_add (argv, g_strdup (cyc_ctl_app_get_workspace (app)));
  for (guint i = 0; roots[i] != NULL; i++)
    {
      g_ptr_array_add (argv, g_strdup ("--config-root"));
      g_ptr_array_add (argv, g_strdup (roots[i]));
    }
  g_ptr_array_add (argv, g_strdup ("serve"));
  g_ptr_array_add (argv, g_strdup ("--until-idle"));
  if ((flags & CYC_CTL_ENGINE_NO_START) != 0)
    g_ptr_array_add (argv, g_strdup ("--no-start"));
  g_ptr_array_add (argv, NULL);
  return argv;
}

static int
open_log (CycCtlEngine  *self,
          GError       **error)
{
  int fd = open (self->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

  if (fd < 0)
    {
      cyc_error_set_errno (error, errno, self->log, "cannot write");
      return -1;
    }
  self->log_offset = (gint64) lseek (fd, 0, SEEK_END);
  if (self->log_offset > MAX_LOG_SIZE && ftruncate (fd, 0) == 0)
    self->log_offset = 0;
  return fd;
}

/**
 * cyc_ctl_engine_start:
 * @app: the running program
 * @flags: what it does by itself
 * @error: return location for an error
 *
 * Starts a detached `serve --until-idle` for the workspace, in a session of its own, with what it
 * says in `engine.log` of the workspace. Does not wait until it listens.
 *
 * Returns: (transfer full) (nullable): the process
 */
CycCtlEngine *
cyc_ctl_engine_start (CycCtlApp          *app,
                      CycCtlEngineFlags   flags,
                      GError            **error)
{
  const char *workspace = cyc_ctl_app_get_workspace (app);
  g_autoptr (CycCtlEngine) self = g_new0 (CycCtlEngine, 1);

  if (!cyc_workspace_dir_check (workspace, error) || !cyc_file_make_folder (workspace, 0700, error))
    return NULL;
  self->log = g_build_filename (workspace, "engine.log", NULL);
  int fd = open_log (self, error);
  if (fd < 0)
    return NULL;
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_NONE);
  g_subprocess_launcher_set_child_setup (launcher, child_setup, NULL, NULL);
  g_subprocess_launcher_set_stdin_file_path (launcher, "/dev/null");
  g_subprocess_launcher_take_stdout_fd (launcher, dup (fd));
  g_subprocess_launcher_take_stderr_fd (launcher, fd);
  g_subprocess_launcher_set_cwd (launcher, "/");
  g_autoptr (GPtrArray) argv = make_argv (app, flags);
  g_autoptr (GSubprocess) process = g_subprocess_launcher_spawnv (launcher,
                                                                  (const char *const *) argv->pdata,
                                                                  error);
  if (process == NULL)
    return NULL;
  const char *pid = g_subprocess_get_identifier (process);
  self->pid = pid != NULL ? g_ascii_strtoll (pid, NULL, 10) : 0;
  self->start_time = cyc_process_get_start_time (self->pid);
  return g_steal_pointer (&self);
}

/**
 * cyc_ctl_engine_free:
 * @self: (transfer full): a process, which goes on
 */
void
cyc_ctl_engine_free (CycCtlEngine *self)
{
  g_return_if_fail (self != NULL);

  g_free (self->log);
  g_free (self);
}

/**
 * cyc_ctl_engine_is_alive:
 * @self: a process
 *
 * Returns: %TRUE while it runs
 */
gboolean
cyc_ctl_engine_is_alive (CycCtlEngine *self)
{
  return self->start_time != 0 && cyc_process_is_alive (self->pid, self->start_time);
}

/**
 * cyc_ctl_engine_get_reason:
 * @self: a process that has ended
 *
 * Returns: (transfer full) (nullable): the last line that it wrote into its log
 */
char *
cyc_ctl_engine_get_reason (CycCtlEngine *self)
{
  char buffer[REASON_SIZE + 1];
  int fd = open (self->log, O_RDONLY | O_CLOEXEC);

  if (fd < 0)
    return NULL;
  gint64 end = (gint64) lseek (fd, 0, SEEK_END);
  gint64 begin = MAX (self->log_offset, end - REASON_SIZE);
  ssize_t n = pread (fd, buffer, (size_t) CLAMP (end - begin, 0, REASON_SIZE), (off_t) begin);
  close (fd);
  if (n <= 0)
    return NULL;
  buffer[n] = '\0';
  char *text = g_strchomp (buffer);
  const char *last = strrchr (text, '\n');
  last = last != NULL ? last + 1 : text;
  if (g_str_has_prefix (last, "cyclescopectl: "))
    last += strlen ("cyclescopectl: ");
  return last[0] != '\0' ? g_strdup (last) : NULL;
}
