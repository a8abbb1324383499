/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-post-processor-private.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-util.h"

/* What is kept of the output: its end. */
#define LOG_BYTES (64 * 1024)
#define POLL_MS 200
#define GRACE_US (2 * G_USEC_PER_SEC)

/* How long what the program left behind may write nothing; settable for tests. */
guint _cyc_post_processor_patience_ms = 60 * 1000;

typedef struct
{
  const char *folder;
  guint64     seen;
  gint64      since; /* monotonic; 0 before the first look */
} Writers;

static void
append_log (GString    *log,
            const char *bytes,
            gsize       len)
{
  g_string_append_len (log, bytes, (gssize) len);
  if (log->len > 2 * LOG_BYTES)
    g_string_erase (log, 0, (gssize) (log->len - LOG_BYTES));
}

/* In the child, before the program: a session of its own, and an end when the engine ends. The
 * signal is bound to the thread that spawns, which waits for the program. */
static void
child_setup (gpointer user_data)
{
  setsid ();
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (getppid () != GPOINTER_TO_INT (user_data))
    _exit (127);
}

static GSubprocess *
spawn (const char *const  *argv,
       const char *const  *env,
       const char         *folder,
       GError            **error)
{
  g_autoptr (GSubprocessLauncher) launcher =
    g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_MERGE);

  g_subprocess_launcher_set_cwd (launcher, folder);
  g_subprocess_launcher_set_child_setup (launcher, child_setup,
                                             GINT_TO_POINTER (getpid ()), NULL);
  for (guint i = 0; env != NULL && env[i] != NULL; i++)
    {
      const char *equals = strchr (env[i], '=');
      g_autofree char *name = equals == NULL ? NULL : g_strndup (env[i], (gsize) (equals - env[i]));
      if (name != NULL)
        g_subprocess_launcher_setenv (launcher, name, equals + 1, TRUE);
    }
  return g_subprocess_launcher_spawnv (launcher, argv, error);
}

/* Reads what there is. FALSE at the end of the stream. */
static gboolean
drain (int      fd,
       GString *log)
{
  char buffer[65536];
  ssize_t n = read (fd, buffer, sizeof buffer);

  if (n > 0)
    append_log (log, buffer, (gsize) n);
  return n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN));
}

/* A number that changes whenever somebody writes to a file of the folder. */
static guint64
look_at_files (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint64 sum = 0;
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      struct stat st;
      if (lstat (path, &st) == 0)
        sum += 1 + (guint64) st.st_size;
    }
  return sum;
}

/* Whether writers that the program left behind still get on. */
static gboolean
is_moving (Writers *self)
{
  guint64 seen = look_at_files (self->folder);
  gint64 now = g_get_monotonic_time ();

  if (seen != self->seen || self->since == 0)
    {
      self->seen = seen;
      self->since = now;
    }
  return now - self->since < (gint64) _cyc_post_processor_patience_ms * 1000;
}

/* Reads until the output ends or a cancel. The program does not wait for the `cat` or `xz` that
 * write its results: they hold the pipe, and are waited for as long as the files grow. FALSE if
 * somebody still holds the pipe. */
static gboolean
read_output (GSubprocess  *process,
             const char   *folder,
             GString      *log,
             GCancellable *cancellable)
{
  Writers writers = { .folder = folder };
  GInputStream *stream = g_subprocess_get_stdout_pipe (process);
  int fd = g_unix_input_stream_get_fd (G_UNIX_INPUT_STREAM (stream));
  GPollFD cancel_fd = { .fd = -1 };
  gboolean has_cancel = g_cancellable_make_pollfd (cancellable, &cancel_fd);
  gboolean open = TRUE;
  gboolean ended = FALSE;

  while (open && !ended && !g_cancellable_is_cancelled (cancellable))
    {
      struct pollfd fds[2] = { { .fd = fd, .events = POLLIN },
                               { .fd = has_cancel ? cancel_fd.fd : -1, .events = POLLIN } };
      /* Asked before the wait: what was written before the end is there then. Its end does not
       * wake us, and need not: its output ends with it, unless somebody else writes. */
      gboolean gone = g_subprocess_get_identifier (process) == NULL;
      int n = poll (fds, 2, POLL_MS);
      if (n > 0 && fds[0].revents != 0)
        open = drain (fd, log);
      else
        ended = gone && !is_moving (&writers);
    }
  if (has_cancel)
    g_cancellable_release_fd (cancellable);
  return !open;
}

/* Ends the whole group: first asked, then forced. */
static void
end_group (GSubprocess *process,
           pid_t        group)
{
  gint64 deadline = g_get_monotonic_time () + GRACE_US;

  kill (-group, SIGTERM);
  while (g_subprocess_get_identifier (process) != NULL && g_get_monotonic_time () < deadline)
    g_usleep (10000);
  kill (-group, SIGKILL);
  g_subprocess_wait (process, NULL, NULL);
}

static char *
take_log (GString *log)
{
  gsize skip = log->len > LOG_BYTES ? log->len - LOG_BYTES : 0;
  char *text = cyc_utf8_make_valid (log->str + skip, log->len - skip);

  g_string_free (log, TRUE);
  return text;
}

/* The last line that says something. */
static char *
last_line (const char *log)
{
  g_auto (GStrv) lines = g_strsplit (log, "\n", -1);

  for (guint i = g_strv_length (lines); i > 0; i--)
    if (g_strstrip (lines[i - 1])[0] != '\0')
      return g_strndup (lines[i - 1], 300);
  return g_strdup ("no output");
}

static gboolean
check_exit (GSubprocess  *process,
            const char   *program,
            const char   *log,
            GError      **error)
{
  g_autofree char *line = last_line (log);

  if (g_subprocess_get_if_exited (process) && g_subprocess_get_exit_status (process) == 0)
    return TRUE;
  if (g_subprocess_get_if_exited (process))
    cyc_error_set_at (error, CYC_ERROR_FAILED, program, 0,
                      "the post-processor failed with exit status %d: %s",
                      g_subprocess_get_exit_status (process), line);
  else
    cyc_error_set_at (error, CYC_ERROR_FAILED, program, 0,
                      "the post-processor was ended by signal %d (%s): %s",
                      g_subprocess_get_term_sig (process),
                      g_strsignal (g_subprocess_get_term_sig (process)), line);
  return FALSE;
}

/* Runs a program in a folder in a group of its own, to its end or a cancel; nothing of it is left
 * running. @out_log takes the end of its output. */
gboolean
_cyc_post_processor_spawn (const char *const  *argv,
                           const char *const  *env,
                           const char         *folder,
                           char              **out_log,
                           GCancellable       *cancellable,
                           GError            **error)
{
  g_autoptr (GSubprocess) process = spawn (argv, env, folder, error);
  if (process == NULL)
    return FALSE;
  /* Taken at once: there is none any more when the program has been reaped. */
  const char *identifier = g_subprocess_get_identifier (process);
  pid_t group = identifier == NULL ? 0 : (pid_t) g_ascii_strtoll (identifier, NULL, 10);

  GString *log = g_string_new (NULL);
  gboolean all_read = read_output (process, folder, log, cancellable);
  if (!all_read && group > 0)
    end_group (process, group);
  gboolean waited = g_subprocess_wait (process, cancellable, NULL);
  if (!waited && group > 0)
    end_group (process, group);
  *out_log = take_log (log);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  if (!check_exit (process, argv[0], *out_log, error))
    return FALSE;
  if (!all_read)
    cyc_error_set_at (error, CYC_ERROR_FAILED, argv[0], 0,
                      "the post-processor left a program behind that did not end and wrote nothing "
                      "for %u s: its files may be cut", _cyc_post_processor_patience_ms / 1000);
  return all_read;
}
