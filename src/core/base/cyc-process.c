/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/base/cyc-process.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* A session gets what a process of its nice value would: two hundred of them at 10 still keep the engine
 * waiting for 40 ms and more, at 15 for 20 to 30. At 19 simulations would starve beside anything else. */
#define BACKGROUND_NICE 10
#define SESSION_NICE 15
#define SESSION_NICE_TEXT G_STRINGIFY (SESSION_NICE)
#define AUTOGROUP_FILE "/proc/self/autogroup"

/* Field 3 of /proc/PID/stat is the state, field 22 the start time in clock ticks since boot. The
 * command name in field 2 may hold blanks and brackets, so fields are counted from the last ')'. */
static gboolean
read_stat (gint64   pid,
           char    *out_state,
           guint64 *out_start_time)
{
  if (pid <= 0)
    return FALSE;
  g_autofree char *path = g_strdup_printf ("/proc/%" G_GINT64_FORMAT "/stat", pid);
  g_autofree char *text = NULL;
  if (!g_file_get_contents (path, &text, NULL, NULL))
    return FALSE;
  const char *rest = strrchr (text, ')');
  if (rest == NULL)
    return FALSE;
  g_auto (GStrv) fields = g_strsplit (rest + 1, " ", 23);
  if (g_strv_length (fields) < 21)
    return FALSE;
  *out_state = fields[1][0];
  *out_start_time = g_ascii_strtoull (fields[20], NULL, 10);
  return TRUE;
}

/**
 * cyc_process_get_start_time:
 * @pid: a process id
 *
 * Returns: when the process started, in clock ticks since the machine's boot; 0 if there is no
 *   such process. With the id it names a process for good, since ids are used again.
 */
guint64
cyc_process_get_start_time (gint64 pid)
{
  char state;
  guint64 start_time;

  return read_stat (pid, &state, &start_time) ? start_time : 0;
}

/**
 * cyc_process_is_alive:
 * @pid: a process id
 * @start_time: its start time, or 0 to accept any process with that id
 *
 * Returns: %TRUE if this very process exists and is not a zombie
 */
gboolean
cyc_process_is_alive (gint64  pid,
                      guint64 start_time)
{
  char state;
  guint64 found;

  if (!read_stat (pid, &state, &found))
    return FALSE;
  return state != 'Z' && state != 'X' && (start_time == 0 || start_time == found);
}

/* The number behind "/autogroup-N nice ", no more than that is understood; else 0, which is what a
 * session begins with. No library function here: async-signal-safe. */
static int
read_autogroup_nice (const char *text)
{
  const char *digits = strrchr (text, ' ');
  int value = 0;

  for (digits = digits == NULL ? "" : digits + 1; *digits >= '0' && *digits <= '9' && value < 100; digits++)
    value = 10 * value + (*digits - '0');
  return value;
}

/* Where the kernel divides the processors among sessions (sched(7), "The autogroup feature"), the nice
 * value of a process counts only within its session, and the session has one of its own. FALSE if the
 * kernel refuses for now: it lets everybody together change ten a second. */
static gboolean
yield_session (void)
{
  char text[128];
  gboolean later = FALSE;

  int fd = open (AUTOGROUP_FILE, O_RDWR | O_CLOEXEC);
  if (fd < 0)
    return TRUE; /* there are none */
  ssize_t n = read (fd, text, sizeof text - 1);
  text[MAX (n, 0)] = '\0';
  if (n > 0 && read_autogroup_nice (text) < SESSION_NICE)
    {
      n = write (fd, SESSION_NICE_TEXT, strlen (SESSION_NICE_TEXT));
      later = n < 0 && (errno == EAGAIN || errno == EINTR);
    }
  close (fd);
  return !later;
}

/**
 * cyc_process_yield:
 *
 * Lowers the priority of this process and of what it starts: simulators keep every processor busy for
 * days, and what the user looks at goes first. If this process leads its session, the whole session
 * yields to others in the same way; a session that others share is left alone. Async-signal-safe.
 *
 * Returns: %FALSE if the system does not let the session yield just now: call again, later
 */
gboolean
cyc_process_yield (void)
{
  if (getpriority (PRIO_PROCESS, 0) < BACKGROUND_NICE)
    setpriority (PRIO_PROCESS, 0, BACKGROUND_NICE);
  return getsid (0) != getpid () || yield_session ();
}

/**
 * cyc_process_yield_thread:
 *
 * Lowers the priority of the calling thread: for one that works without end while the main thread has to
 * answer. Linux counts nice values by thread.
 */
void
cyc_process_yield_thread (void)
{
  setpriority (PRIO_PROCESS, 0, MAX (getpriority (PRIO_PROCESS, 0), BACKGROUND_NICE));
}
