/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <fcntl.h>
#include <gio/gio.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/cyc-byte-reader.h"

/* A simulator that behaves as it is told. It takes Accel-Sim's arguments (and shows them in mode
 * "show"); FAKE_SIM_MODE says what it does:
 *
 *   succeed     writes FAKE_SIM_LOG (a recorded log, packed or not) and exits with FAKE_SIM_EXIT (0)
 *   crash       writes half of it, words to stderr, and dies by FAKE_SIM_SIGNAL (11)
 *   no-marker   writes all of it but the end marker and exits with 0
 *   unflushed   writes half of it, fully buffered, and aborts with its last text in the buffer
 *   slow        writes it in FAKE_SIM_STEPS (20) parts, FAKE_SIM_STEP_MS (50) apart, and exits
 *   thirds      writes it in three parts, heeds no error, and stops itself (SIGSTOP) after the first two
 *   hang        writes half of it and waits for ever
 *   ignore-term as hang, without heed to SIGTERM, with a grandchild that does the same
 *   grandchild  writes all of it and exits; a grandchild goes on and writes a line every 10 ms
 *   flood       writes FAKE_SIM_BYTES of numbered lines and exits
 *   bytes       writes what no text should hold, with an unfinished last line
 *   files       writes output files of all kinds, then all of the log
 *   show        writes its arguments, environment, folder and signal handling
 *
 * Grandchildren leave their id in grandchild.pid. */

#define END_MARKER "GPGPU-Sim: *** exit detected ***"

static guint64
get_number (const char *name,
            guint64     fallback)
{
  const char *text = g_getenv (name);

  return text == NULL ? fallback : g_ascii_strtoull (text, NULL, 10);
}

static char *
read_log (gsize *len)
{
  g_autoptr (GError) error = NULL;
  const char *path = g_getenv ("FAKE_SIM_LOG");
  char *text = path == NULL ? NULL : cyc_byte_reader_read_all (path, G_MAXUINT32, len, &error);

  if (text == NULL)
    {
      fprintf (stderr, "fake-sim: FAKE_SIM_LOG: %s\n", error == NULL ? "not set" : error->message);
      exit (99);
    }
  return text;
}

/* To the file itself, as if every line were flushed. */
static void
write_all (const char *bytes,
           gsize       len)
{
  while (len > 0)
    {
      ssize_t n = write (STDOUT_FILENO, bytes, len);
      if (n <= 0)
        exit (98);
      bytes += n;
      len -= (gsize) n;
    }
}

static void
write_text (const char *text)
{
  write_all (text, strlen (text));
}

static G_GNUC_NORETURN void
wait_for_ever (void)
{
  for (;;)
    pause ();
}

static G_GNUC_NORETURN void
die (int number)
{
  static const struct rlimit no_core = { 0, 0 };

  setrlimit (RLIMIT_CORE, &no_core);
  prctl (PR_SET_DUMPABLE, 0);
  signal (number, SIG_DFL);
  raise (number);
  _exit (97);
}

static void
write_file (const char *path,
            const char *bytes,
            gsize       len)
{
  g_autoptr (GError) error = NULL;

  if (!g_file_set_contents (path, bytes, (gssize) len, &error))
    {
      fprintf (stderr, "fake-sim: %s\n", error->message);
      exit (96);
    }
}

static void
fork_grandchild (gboolean writes)
{
  pid_t pid = fork ();

  if (pid > 0)
    {
      g_autofree char *text = g_strdup_printf ("%d", (int) pid);
      write_file ("grandchild.pid", text, strlen (text));
      return;
    }
  for (;;)
    {
      if (writes)
        write_text ("a grandchild writes\n");
      usleep (10000);
    }
}

static void
flood (guint64 n_bytes)
{
  g_autoptr (GString) block = g_string_new (NULL);
  guint64 done = 0;

  for (guint64 i = 0; done < n_bytes; i++)
    {
      gsize before = block->len;
      g_string_append_printf (block, "thread block = %" G_GUINT64_FORMAT ",0,0 of a flood of lines\n", i);
      done += block->len - before;
      if (block->len > 65536 || done >= n_bytes)
        {
          write_all (block->str, block->len);
          g_string_truncate (block, 0);
        }
    }
}

static void
write_bytes (void)
{
  g_autoptr (GString) text = g_string_new ("caf\xc3\xa9 \xff\xfe\xc3\n");

  g_string_append_len (text, "nul \0 in a line\r\n", 17);
  for (guint i = 0; i < 300 * 1024; i++)
    g_string_append_c (text, (char) ('a' + i % 26));
  g_string_append (text, "\n\xe2\x82\n\nno end \xe2\x82\xac \xf0\x9f");
  write_all (text->str, text->len);
}

static void
write_files (void)
{
  g_autoptr (GString) big = g_string_new (NULL);

  for (guint i = 0; big->len < 1536 * 1024; i++)
    g_string_append_printf (big, "line %u of a long text\n", i);
  write_file ("accelwattch_power_report.log", big->str, big->len);
  write_file ("gpgpu_inst_stats.txt", "kernel line : count latency\n", 28);
  write_file ("gpgpusim_visualizer__Sun-Nov-29.log.gz", "\x1f\x8b\x08 not really packed", 20);
  write_file ("name with blanks.csv", "a,b\n", 4);
  write_file (".hidden", "h", 1);
  write_file ("empty", "", 0);
  mkdir ("checkpoint_files", 0777);
  write_file ("checkpoint_files/one.txt", "1", 1);
  if (symlink ("/etc/passwd", "linked.txt") != 0)
    exit (95);
}

static void
show (int    argc,
      char **argv)
{
  static const int numbers[] = { SIGHUP, SIGINT, SIGPIPE, SIGTERM, SIGUSR1 };
  g_autofree char *folder = g_get_current_dir ();
  g_auto (GStrv) env = g_get_environ ();
  char buffer[1];

  for (int i = 0; i < argc; i++)
    printf ("argv %s\n", argv[i]);
  for (guint i = 0; env[i] != NULL; i++)
    printf ("env %s\n", env[i]);
  printf ("cwd %s\n", folder);
  printf ("group %s\n", getpgrp () == getpid () ? "own" : "shared");
  printf ("stdin %s\n", read (STDIN_FILENO, buffer, 1) == 0 ? "empty" : "open");
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      struct sigaction action;
      sigset_t blocked;
      sigaction (numbers[i], NULL, &action);
      sigprocmask (SIG_BLOCK, NULL, &blocked);
      printf ("signal %d %s %s\n", numbers[i], action.sa_handler == SIG_DFL ? "default" : "changed",
              sigismember (&blocked, numbers[i]) ? "blocked" : "free");
    }
  for (int fd = 3; fd < 64; fd++)
    if (fcntl (fd, F_GETFD) >= 0)
      printf ("open %d\n", fd);
  fflush (stdout);
}

static void
write_slowly (const char *text,
              gsize       len)
{
  guint64 steps = MAX (get_number ("FAKE_SIM_STEPS", 20), 1);
  guint64 step_ms = get_number ("FAKE_SIM_STEP_MS", 50);

  for (guint64 i = 0; i < steps; i++)
    {
      gsize begin = (gsize) (len * i / steps);
      write_all (text + begin, (gsize) (len * (i + 1) / steps) - begin);
      g_usleep (step_ms * 1000);
    }
}

/* As a real simulator: what cannot be written is lost, and nobody is told. */
static void
write_thirds (const char *text,
              gsize       len)
{
  for (guint i = 0; i < 3; i++)
    {
      const char *p = text + len * i / 3;
      const char *end = text + len * (i + 1) / 3;
      ssize_t n;
      while (p < end && (n = write (STDOUT_FILENO, p, MIN ((gsize) (end - p), 4096))) > 0)
        p += n;
      if (i < 2)
        raise (SIGSTOP);
    }
}

static void
run_with_log (const char *mode,
              const char *text,
              gsize       len)
{
  static char buffer[BUFSIZ];

  if (g_str_equal (mode, "crash"))
    {
      write_all (text, len / 2);
      fprintf (stderr, "accel-sim.out: shader.cc:123: void f(): Assertion `0 && \"crash\"' failed.\n");
      die ((int) get_number ("FAKE_SIM_SIGNAL", SIGSEGV));
    }
  if (g_str_equal (mode, "no-marker"))
    {
      const char *marker = g_strstr_len (text, (gssize) len, END_MARKER);
      write_all (text, marker == NULL ? len : (gsize) (marker - text));
    }
  else if (g_str_equal (mode, "unflushed"))
    {
      setvbuf (stdout, buffer, _IOFBF, sizeof buffer);
      fwrite (text, 1, len / 2, stdout);
      die (SIGABRT);
    }
  else if (g_str_equal (mode, "slow"))
    write_slowly (text, len);
  else if (g_str_equal (mode, "thirds"))
    write_thirds (text, len);
  else if (g_str_equal (mode, "hang") || g_str_equal (mode, "ignore-term"))
    {
      if (g_str_equal (mode, "ignore-term"))
        {
          signal (SIGTERM, SIG_IGN);
          fork_grandchild (FALSE);
        }
      write_all (text, len / 2);
      wait_for_ever ();
    }
  else
    {
      if (g_str_equal (mode, "files"))
        write_files ();
      write_all (text, len);
      if (g_str_equal (mode, "grandchild"))
        fork_grandchild (TRUE);
    }
}

int
main (int    argc,
      char **argv)
{
  const char *mode = g_getenv ("FAKE_SIM_MODE");
  gsize len;

  if (mode == NULL)
    mode = "succeed";
  if (g_str_equal (mode, "flood"))
    flood (get_number ("FAKE_SIM_BYTES", 1024 * 1024));
  else if (g_str_equal (mode, "bytes"))
    write_bytes ();
  else if (g_str_equal (mode, "show"))
    show (argc, argv);
  else
    {
      g_autofree char *text = read_log (&len);
      run_with_log (mode, text, len);
    }
  return (int) get_number ("FAKE_SIM_EXIT", 0);
}
