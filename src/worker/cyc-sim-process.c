/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "worker/cyc-sim-process.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-process.h"

/* Between SIGTERM and SIGKILL. */
#define GRACE_MS 5000
/* How often a group without its leader is asked whether it is still there, and how long at most
 * after SIGKILL: what is left then are zombies that nobody fetches. */
#define POLL_MS 50
#define AFTER_KILL_MS 2000

struct _CycSimProcess
{
  GPid             pid;
  guint64          start_time;
  int              gate_fd;   /* a byte lets the child go on; its end makes the child leave */
  int              report_fd; /* the child's errno if it cannot execute the program */
  CycSimEnd        end;
  CycSimEndFunc    end_func;
  CycSimQuietFunc  quiet_func;
  gpointer         user_data;
  gboolean         ended;     /* the leader was reaped */
  gboolean         quiet;
  gboolean         terminated;
  gboolean         killed;
  gint64           killed_at; /* monotonic */
  guint            watch_id;
  guint            grace_id;
  guint            poll_id;
};

/* What the child needs, made before the fork: after it only async-signal-safe calls are allowed. */
typedef struct
{
  const char        *program;
  const char *const *argv;
  const char *const *envp;
  const char        *folder;
  int                in_fd;
  int                out_fd;
  int                err_fd;
  int                gate_fd;
  int                report_fd;
} ChildPlan;

static G_GNUC_NORETURN void
fail_child (const ChildPlan *plan)
{
  int saved_errno = errno;
  if (write (plan->report_fd, &saved_errno, sizeof saved_errno) < 0)
    _exit (126);
  _exit (127);
}

/* Whoever started us may ignore SIGINT or block signals: the simulator inherits neither. */
static void
reset_signals (void)
{
  struct sigaction action;
  sigset_t none;

  memset (&action, 0, sizeof action);
  action.sa_handler = SIG_DFL;
  for (int i = 1; i < NSIG; i++)
    sigaction (i, &action, NULL);
  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
}

static G_GNUC_NORETURN void
run_child (const ChildPlan *plan)
{
  char byte;
  ssize_t n;

  setpgid (0, 0);
  reset_signals ();
  if (dup2 (plan->in_fd, STDIN_FILENO) < 0 || dup2 (plan->out_fd, STDOUT_FILENO) < 0 ||
      dup2 (plan->err_fd, STDERR_FILENO) < 0)
    fail_child (plan);
  close_range (3, ~0U, CLOSE_RANGE_CLOEXEC);
  do
    n = read (plan->gate_fd, &byte, 1);
  while (n < 0 && errno == EINTR);
  if (n != 1)
    _exit (126); /* the worker died before it wrote down who we are */
  if (chdir (plan->folder) != 0)
    fail_child (plan);
  execve (plan->program, (char *const *) plan->argv, (char *const *) plan->envp);
  fail_child (plan);
}

/* The path of the program to execute: names without a slash are looked for in PATH, the others are
 * relative to the simulator's folder. */
static char *
find_program (const char  *name,
              GError     **error)
{
  if (strchr (name, '/') != NULL)
    return g_strdup (name);
  char *path = g_find_program_in_path (name);
  if (path == NULL)
    cyc_error_set_at (error, CYC_ERROR_NOT_FOUND, name, 0, "no such program in PATH");
  return path;
}

static void
close_fd (int *fd)
{
  if (*fd >= 0)
    close (*fd);
  *fd = -1;
}

static gboolean
start_child (CycSimProcess *self,
             ChildPlan     *plan)
{
  int gate[2] = { -1, -1 };
  int report[2] = { -1, -1 };

  plan->in_fd = open ("/dev/null", O_RDONLY | O_CLOEXEC);
  gboolean ok = plan->in_fd >= 0 && pipe2 (gate, O_CLOEXEC) == 0 && pipe2 (report, O_CLOEXEC) == 0;
  if (ok)
    {
      plan->gate_fd = gate[0];
      plan->report_fd = report[1];
      self->end.started_at = g_get_real_time ();
      self->pid = fork ();
      if (self->pid == 0)
        {
          /* Else the child would keep its own gate open. */
          close (gate[1]);
          run_child (plan);
        }
      ok = self->pid > 0;
    }
  int saved_errno = errno;
  if (ok)
    {
      setpgid (self->pid, self->pid);
      self->gate_fd = g_steal_fd (&gate[1]);
      self->report_fd = g_steal_fd (&report[0]);
    }
  int *const fds[] = { &plan->in_fd, &gate[0], &gate[1], &report[0], &report[1] };
  for (guint i = 0; i < G_N_ELEMENTS (fds); i++)
    close_fd (fds[i]);
  errno = saved_errno;
  return ok;
}

/**
 * cyc_sim_process_spawn:
 * @argv: the program and its arguments
 * @envp: its whole environment
 * @folder: the folder that it runs in
 * @out_fd: its standard output
 * @err_fd: its standard error
 * @error: (nullable): return location for an error
 *
 * Makes the simulator's process, in a process group of its own, with default signals and no other
 * open files. It waits for cyc_sim_process_release(): until then it can be written down who it is,
 * and if this process dies before, it leaves without having done anything.
 *
 * Returns: (transfer full) (nullable): the process, which the caller must release
 */
CycSimProcess *
cyc_sim_process_spawn (const char *const  *argv,
                       const char *const  *envp,
                       const char         *folder,
                       int                 out_fd,
                       int                 err_fd,
                       GError            **error)
{
  g_return_val_if_fail (argv != NULL && argv[0] != NULL && envp != NULL && folder != NULL, NULL);

  g_autofree char *program = find_program (argv[0], error);
  if (program == NULL)
    return NULL;
  g_autoptr (CycSimProcess) self = g_new0 (CycSimProcess, 1);
  self->gate_fd = self->report_fd = -1;
  ChildPlan plan = {
    .program = program, .argv = argv, .envp = envp, .folder = folder, .out_fd = out_fd, .err_fd = err_fd,
  };
  if (!start_child (self, &plan))
    {
      cyc_error_set_errno (error, errno, program, "cannot start");
      return NULL;
    }
  self->start_time = cyc_process_get_start_time (self->pid);
  return g_steal_pointer (&self);
}

/**
 * cyc_sim_process_free:
 * @self: (transfer full): a process
 *
 * Stops watching it; one that was never released leaves.
 */
void
cyc_sim_process_free (CycSimProcess *self)
{
  g_return_if_fail (self != NULL);

  g_clear_handle_id (&self->watch_id, g_source_remove);
  g_clear_handle_id (&self->grace_id, g_source_remove);
  g_clear_handle_id (&self->poll_id, g_source_remove);
  close_fd (&self->gate_fd);
  close_fd (&self->report_fd);
  g_free (self);
}

/**
 * cyc_sim_process_get_pid:
 * @self: a process
 *
 * Returns: its id, which is also that of its group
 */
gint64
cyc_sim_process_get_pid (CycSimProcess *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->pid;
}

/**
 * cyc_sim_process_get_start_time:
 * @self: a process
 *
 * Returns: its start time as in `cyc-process.h`
 */
guint64
cyc_sim_process_get_start_time (CycSimProcess *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->start_time;
}

/**
 * cyc_sim_process_release:
 * @self: a process that was just spawned
 * @error: (nullable): return location for an error
 *
 * Lets the process execute the program. If that fails it ends with exit code 127, which
 * cyc_sim_process_watch() reports all the same.
 *
 * Returns: %FALSE if the program could not be executed
 */
gboolean
cyc_sim_process_release (CycSimProcess  *self,
                         GError        **error)
{
  g_return_val_if_fail (self != NULL && self->gate_fd >= 0, FALSE);

  int child_errno = 0;
  ssize_t n = write (self->gate_fd, "g", 1);
  close_fd (&self->gate_fd);
  do
    n = read (self->report_fd, &child_errno, sizeof child_errno);
  while (n < 0 && errno == EINTR);
  close_fd (&self->report_fd);
  if (n != sizeof child_errno)
    return TRUE;
  cyc_error_set_errno (error, child_errno, NULL, "cannot execute");
  return FALSE;
}

static gboolean
group_is_there (CycSimProcess *self)
{
  return kill (-self->pid, 0) == 0 || errno == EPERM;
}

static void
become_quiet (CycSimProcess *self)
{
  g_clear_handle_id (&self->grace_id, g_source_remove);
  self->quiet = TRUE;
  self->quiet_func (self->user_data);
}

static gboolean
grace_over_cb (gpointer data)
{
  CycSimProcess *self = data;

  self->grace_id = 0;
  kill (-self->pid, SIGKILL);
  self->killed = TRUE;
  self->killed_at = g_get_monotonic_time ();
  return G_SOURCE_REMOVE;
}

static void
terminate_group (CycSimProcess *self)
{
  if (self->terminated)
    return;
  self->terminated = TRUE;
  kill (-self->pid, SIGTERM);
  kill (-self->pid, SIGCONT); /* a stopped process gets SIGTERM only when it runs */
  self->grace_id = g_timeout_add (GRACE_MS, grace_over_cb, self);
}

static gboolean
poll_group_cb (gpointer data)
{
  CycSimProcess *self = data;

  if (group_is_there (self) &&
      !(self->killed && g_get_monotonic_time () - self->killed_at > AFTER_KILL_MS * 1000))
    return G_SOURCE_CONTINUE;
  self->poll_id = 0;
  become_quiet (self);
  return G_SOURCE_REMOVE;
}

/* The simulator itself has ended. What it left running in its group is not part of the simulation
 * any more, but could still write to the log: it is ended too. */
static void
child_ended_cb (GPid     pid,
                int      status,
                gpointer data)
{
  CycSimProcess *self = data;

  self->watch_id = 0;
  self->ended = TRUE;
  self->end.finished_at = g_get_real_time ();
  self->end.signal = WIFSIGNALED (status) ? WTERMSIG (status) : 0;
  self->end.exit_code = WIFSIGNALED (status) ? -WTERMSIG (status) : WEXITSTATUS (status);
  gboolean alone = !group_is_there (self);
  if (!alone)
    {
      terminate_group (self);
      self->poll_id = g_timeout_add (POLL_MS, poll_group_cb, self);
    }
  self->end_func (&self->end, self->user_data);
  if (alone)
    become_quiet (self);
}

/**
 * cyc_sim_process_watch:
 * @self: a process
 * @end_func: called when the simulator has ended
 * @quiet_func: called after it when its process group is empty
 * @user_data: for both
 *
 * Watches the process from the main loop of this thread. Both functions are called once.
 */
void
cyc_sim_process_watch (CycSimProcess   *self,
                       CycSimEndFunc    end_func,
                       CycSimQuietFunc  quiet_func,
                       gpointer         user_data)
{
  g_return_if_fail (self != NULL && self->watch_id == 0);

  self->end_func = end_func;
  self->quiet_func = quiet_func;
  self->user_data = user_data;
  self->watch_id = g_child_watch_add (self->pid, child_ended_cb, self);
}

/**
 * cyc_sim_process_stop:
 * @self: a process that is watched
 *
 * Asks the whole group to end (SIGTERM) and kills what is left of it 5 seconds later. May be called
 * again and at any time.
 */
void
cyc_sim_process_stop (CycSimProcess *self)
{
  g_return_if_fail (self != NULL);

  if (!self->ended)
    terminate_group (self);
}
