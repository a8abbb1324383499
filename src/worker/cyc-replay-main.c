/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "core/base/cyc-byte-reader.h"
#include "core/base/cyc-file.h"
#include "core/base/cyc-number.h"

/* cyclescope-replay: stands in for a simulator. It takes Accel-Sim's arguments, makes the checks that
 * need no simulation, writes a recorded log at a chosen speed and ends as the recorded run ended. The
 * environment is that of docs/design.md, "Jobs". */

#define BUFFER_SIZE (64 * 1024)
/* Lines are let out at most so often. */
#define TICK_US 10000

typedef struct
{
  const char *log;
  const char *err;
  int         exit_code;
  int         signal;    /* 0: exit with exit_code */
  guint64     speed;     /* lines a second, 0 = as fast as it goes */
} Replay;

static gboolean
parse_whole (const char *text,
             guint64     limit,
             guint64    *out_value)
{
  return cyc_number_parse_uint64 (text, strlen (text), out_value) && *out_value <= limit;
}

/* Signals that end a process and that it may send itself. */
static gboolean
is_ending_signal (guint64 number)
{
  static const int others[] = { SIGCHLD, SIGCONT, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGURG, SIGWINCH };

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (number == (guint64) others[i])
      return FALSE;
  return number >= 1 && number < 32;
}

static gboolean
read_environment (Replay *self)
{
  const char *end = g_getenv ("CYCLESCOPE_REPLAY_EXIT");
  const char *speed = g_getenv ("CYCLESCOPE_REPLAY_SPEED");
  guint64 number = 0;

  self->log = g_getenv ("CYCLESCOPE_REPLAY_LOG");
  self->err = g_getenv ("CYCLESCOPE_REPLAY_STDERR");
  if (self->log == NULL || self->log[0] == '\0')
    {
      g_printerr ("cyclescope-replay: CYCLESCOPE_REPLAY_LOG must name a recorded log\n");
      return FALSE;
    }
  if (self->err != NULL && self->err[0] == '\0')
    self->err = NULL;
  if (speed != NULL && !parse_whole (speed, G_MAXINT32, &self->speed))
    {
      g_printerr ("cyclescope-replay: CYCLESCOPE_REPLAY_SPEED is '%s', expected lines a second or 0\n",
                  speed);
      return FALSE;
    }
  if (end != NULL && g_str_has_prefix (end, "signal:"))
    {
      if (!parse_whole (end + strlen ("signal:"), 64, &number) || !is_ending_signal (number))
        number = G_MAXUINT64;
      self->signal = (int) number;
    }
  else if (end != NULL)
    {
      if (!parse_whole (end, 255, &number))
        number = G_MAXUINT64;
      self->exit_code = (int) number;
    }
  if (number == G_MAXUINT64)
    {
      g_printerr ("cyclescope-replay: CYCLESCOPE_REPLAY_EXIT is '%s', expected 0 to 255 or signal:N with "
                  "a signal that ends a process\n", end);
      return FALSE;
    }
  return TRUE;
}

/* What the simulator itself checks before anything else, with its own words. */
static gboolean
check_arguments (int    argc,
                 char **argv)
{
  const char *list = NULL;
  guint n_configs = 0;

  for (int i = 1; i < argc; i++)
    {
      if (g_str_equal (argv[i], "-config") && i + 1 < argc)
        {
          n_configs++;
          if (access (argv[++i], R_OK) != 0)
            {
              fprintf (stderr, "\n\nGPGPU-Sim ** ERROR: Cannot open config file '%s'\n", argv[i]);
              return FALSE;
            }
        }
      else if (g_str_equal (argv[i], "-trace") && i + 1 < argc)
        list = argv[++i];
    }
  if (n_configs == 0 || list == NULL)
    {
      g_printerr ("cyclescope-replay: expected -config FILE and -trace LIST, as the simulator does\n");
      return FALSE;
    }
  if (access (list, R_OK) != 0)
    {
      printf ("Unable to open file: %s\n", list);
      return FALSE;
    }
  return TRUE;
}

static gboolean
write_out (int         fd,
           const char *bytes,
           gsize       len)
{
  if (cyc_file_write_all (fd, bytes, len))
    return TRUE;
  g_printerr ("cyclescope-replay: cannot write: %s\n", g_strerror (errno));
  return FALSE;
}

static void
sleep_us (gint64 us)
{
  struct timespec left = { .tv_sec = us / G_USEC_PER_SEC, .tv_nsec = us % G_USEC_PER_SEC * 1000 };

  while (clock_nanosleep (CLOCK_MONOTONIC, 0, &left, &left) == EINTR)
    ;
}

/* Length of the part of @bytes that holds at most @n_lines line ends; counts them down. */
static gsize
take_lines (const char *bytes,
            gsize       len,
            guint64    *n_lines)
{
  const char *p = bytes;
  const char *end = bytes + len;

  while (p < end && *n_lines > 0)
    {
      const char *newline = memchr (p, '\n', (gsize) (end - p));
      if (newline == NULL)
        return len;
      p = newline + 1;
      (*n_lines)--;
    }
  return (gsize) (p - bytes);
}

/* Writes @bytes no faster than the speed allows. @n_done counts lines since @begin. */
static gboolean
write_paced (const Replay *self,
             gint64        begin,
             guint64      *n_done,
             const char   *bytes,
             gsize         len)
{
  while (len > 0)
    {
      gint64 now = g_get_monotonic_time ();
      guint64 due = (guint64) ((double) (now - begin) * (double) self->speed / G_USEC_PER_SEC) + 1;
      guint64 left = due > *n_done ? due - *n_done : 0;
      if (left == 0)
        {
          gint64 next = begin + (gint64) ((double) *n_done * G_USEC_PER_SEC / (double) self->speed) + 1;
          sleep_us (MAX (next - now, TICK_US));
          continue;
        }
      guint64 asked = left;
      gsize n = take_lines (bytes, len, &left);
      *n_done += asked - left;
      if (!write_out (STDOUT_FILENO, bytes, n))
        return FALSE;
      bytes += n;
      len -= n;
    }
  return TRUE;
}

static gboolean
copy_file (const Replay *self,
           const char   *path,
           int           fd)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CycByteReader) reader = cyc_byte_reader_open (path, &error);
  g_autofree char *buffer = g_malloc (BUFFER_SIZE);
  gint64 begin = g_get_monotonic_time ();
  guint64 n_done = 0;
  gssize n = reader == NULL ? -1 : 1;

  while (n > 0)
    {
      n = cyc_byte_reader_read (reader, buffer, BUFFER_SIZE, NULL, &error);
      if (n <= 0)
        break;
      gboolean paced = fd == STDOUT_FILENO && self->speed > 0;
      if (paced ? !write_paced (self, begin, &n_done, buffer, (gsize) n)
                : !write_out (fd, buffer, (gsize) n))
        return FALSE;
    }
  if (n < 0)
    {
      g_printerr ("cyclescope-replay: %s\n", error->message);
      return FALSE;
    }
  if (cyc_byte_reader_get_warning (reader) != NULL)
    {
      g_printerr ("cyclescope-replay: %s\n", cyc_byte_reader_get_warning (reader));
      return FALSE;
    }
  return TRUE;
}

/* Ends this process by a signal, as the recorded run ended, and leaves no core file for it. */
static int
die_by_signal (int number)
{
  static const struct rlimit no_core = { 0, 0 };
  sigset_t all;

  setrlimit (RLIMIT_CORE, &no_core);
  prctl (PR_SET_DUMPABLE, 0);
  sigemptyset (&all);
  signal (number, SIG_DFL);
  sigprocmask (SIG_SETMASK, &all, NULL);
  raise (number);
  return 128 + number;
}

int
main (int    argc,
      char **argv)
{
  Replay self = { 0 };

  if (!read_environment (&self) || !check_arguments (argc, argv))
    return 1;
  if (!copy_file (&self, self.log, STDOUT_FILENO))
    return 1;
  if (self.err != NULL && !copy_file (&self, self.err, STDERR_FILENO))
    return 1;
  return self.signal != 0 ? die_by_signal (self.signal) : self.exit_code;
}
