/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-file.h"
#include "core/base/cyc-process.h"
#include "engine/cyc-post-processor-private.h"
#include "engine/cyc-post-processor.h"
#include "support/test-folder.h"

/* The fake program is this one, told what to do by FAKE_POST in its environment. */

static void
put_file (const char *folder,
          const char *name,
          const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  FILE *file = fopen (path, "w");

  fputs (text, file);
  fclose (file);
}

/* As the real one does it: the folder's raw lists, a .traceg beside each .trace. */
static int
fake_convert (const char *folder,
              gboolean    with_kernels)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  gboolean first = TRUE;
  const char *name;

  if (dir == NULL)
    {
      printf ("Unable to open file: \n");
      return 1;
    }
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autofree char *text = NULL;
      if (!g_str_has_prefix (name, "kernelslist") || strchr (name, '.') != NULL)
        continue;
      g_file_get_contents (path, &text, NULL, NULL);
      g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
      g_autoptr (GString) out = g_string_new (NULL);
      for (guint i = 0; lines[i] != NULL && lines[i][0] != '\0'; i++)
        {
          gboolean is_kernel = g_str_has_prefix (lines[i], "kernel");
          g_string_append_printf (out, "%s%s\n", lines[i], is_kernel ? "g" : "");
          g_autofree char *result = g_strconcat (lines[i], "g", NULL);
          if (is_kernel && with_kernels)
            put_file (folder, result, "processed\n");
        }
      g_autofree char *other = g_strconcat (name, ".g", NULL);
      put_file (folder, first ? "kernelslist.g" : other, out->str);
      first = FALSE;
    }
  return 0;
}

/* Goes on when the program is gone, as the xz that the real one pipes its results through. */
static int
fake_writer (const char *folder,
             pid_t       parent)
{
  static const char *const words[] = { "first\n", "second\n", "last\n" };
  g_autofree char *path = g_build_filename (folder, "kernel-3.traceg", NULL);

  while (getppid () == parent)
    g_usleep (1000);
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      FILE *file = fopen (path, "a");
      g_usleep (250000);
      fputs (words[i], file);
      fclose (file);
    }
  return 0;
}

static int
fake_main (const char *mode,
           const char *folder)
{
  g_autofree char *pids = NULL;

  if (strcmp (mode, "good") == 0)
    return fake_convert (folder, TRUE);
  if (strcmp (mode, "missing") == 0)
    return fake_convert (folder, FALSE);
  if (strcmp (mode, "empty") == 0)
    {
      put_file (folder, "kernelslist.g", "");
      return 0;
    }
  if (strcmp (mode, "nothing") == 0)
    return 0;
  if (strcmp (mode, "flood") == 0)
    {
      for (guint i = 0; i < 200000; i++)
        printf ("line %07u of far too much output, and still more\n", i);
      return fake_convert (folder, TRUE);
    }
  if (strcmp (mode, "fail") == 0)
    {
      fake_convert (folder, TRUE);
      fprintf (stderr, "terminate called\nstd::bad_alloc\n\n");
      return 3;
    }
  if (strcmp (mode, "crash") == 0)
    {
      signal (SIGABRT, SIG_DFL);
      abort ();
    }
  if (strcmp (mode, "writer") == 0)
    {
      pid_t self = getpid ();
      fake_convert (folder, TRUE);
      return fork () == 0 ? fake_writer (folder, self) : 0;
    }
  /* hang, or orphan: somebody that ignores SIGTERM holds the pipe. */
  pid_t child = fork ();
  if (child == 0)
    {
      signal (SIGTERM, SIG_IGN);
      for (;;)
        pause ();
    }
  pids = g_strdup_printf ("%d %d\n", (int) getpid (), (int) child);
  put_file (g_getenv ("FAKE_PIDS"), "pids.part", pids);
  g_autofree char *part = g_build_filename (g_getenv ("FAKE_PIDS"), "pids.part", NULL);
  g_autofree char *whole = g_build_filename (g_getenv ("FAKE_PIDS"), "pids", NULL);
  rename (part, whole);
  if (strcmp (mode, "orphan") == 0)
    return fake_convert (folder, TRUE);
  for (;;)
    pause ();
}

typedef struct
{
  TestFolder folder;
  char      *traces;
  char      *log;
} Fixture;

static void
set_up (Fixture       *fixture,
        gconstpointer  data)
{
  fixture->folder = test_folder_new ();
  fixture->traces = g_build_filename (fixture->folder, "trace/traces", NULL);
  g_free (test_folder_write (fixture->traces, "kernelslist",
                             "MemcpyHtoD,0x00007f0600000000,65536\nkernel-1.trace\nkernel-3.trace\n", -1));
  g_free (test_folder_write (fixture->traces, "kernel-1.trace", "raw", -1));
  g_free (test_folder_write (fixture->traces, "kernel-3.trace", "raw", -1));
  g_free (test_folder_write (fixture->traces, "stats.csv", "stats", -1));
}

static void
tear_down (Fixture       *fixture,
           gconstpointer  data)
{
  test_folder_clear (&fixture->folder);
  g_free (fixture->traces);
  g_free (fixture->log);
}

static gboolean
run (Fixture       *fixture,
     const char    *mode,
     GCancellable  *cancellable,
     GError       **error)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *mode_env = g_strconcat ("FAKE_POST=", mode, NULL);
  g_autofree char *pids_env = g_strconcat ("FAKE_PIDS=", fixture->folder, NULL);
  const char *const env[] = { mode_env, pids_env, NULL };

  g_clear_pointer (&fixture->log, g_free);
  return cyc_post_processor_run (program, env, fixture->traces, 0, &fixture->log, cancellable, error);
}

static gint
compare_names (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static char *
list (const char *folder)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  g_ptr_array_add (names, NULL);
  return g_strjoinv (" ", (char **) names->pdata);
}

#define RAW "kernel-1.trace kernel-3.trace kernelslist stats.csv"

/* Nothing has changed, nothing is left. */
static void
check_untouched (Fixture *fixture)
{
  g_autofree char *traces = list (fixture->traces);
  g_autofree char *parent = g_path_get_dirname (fixture->traces);
  g_autofree char *trace = list (parent);

  g_assert_cmpstr (traces, ==, RAW);
  g_assert_cmpstr (trace, ==, "traces");
}

static void
test_good (Fixture       *fixture,
           gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  run (fixture, "good", NULL, &error);
  g_assert_no_error (error);
  g_autofree char *traces = list (fixture->traces);
  g_assert_cmpstr (traces, ==,
                   "kernel-1.trace kernel-1.traceg kernel-3.trace kernel-3.traceg kernelslist kernelslist.g "
                   "stats.csv");
  g_autofree char *path = g_build_filename (fixture->traces, "kernelslist.g", NULL);
  g_autofree char *text = NULL;
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==,
                   "MemcpyHtoD,0x00007f0600000000,65536\nkernel-1.traceg\nkernel-3.traceg\n");
  g_autofree char *raw_path = g_build_filename (fixture->traces, "kernel-1.trace", NULL);
  g_autofree char *raw = NULL;
  g_assert_true (g_file_get_contents (raw_path, &raw, NULL, NULL));
  g_assert_cmpstr (raw, ==, "raw");

  /* A second run would empty the list. */
  g_assert_false (run (fixture, "good", NULL, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_STATE);
}

static void
test_contexts (Fixture       *fixture,
               gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  g_free (test_folder_write (fixture->traces, "kernelslist_ctx_0x55d0", "kernel-4.trace\n", -1));
  g_free (test_folder_write (fixture->traces, "kernel-4.trace", "raw", -1));
  run (fixture, "good", NULL, &error);
  g_assert_no_error (error);
  g_autofree char *traces = list (fixture->traces);
  g_assert_nonnull (strstr (traces, "kernel-4.traceg"));
  g_assert_nonnull (strstr (traces, "kernelslist.g"));
}

static void
test_failures (Fixture       *fixture,
               gconstpointer  data)
{
  static const struct
  {
    const char *mode;
    const char *text;
  } cases[] = {
    { "fail", "exit status 3: std::bad_alloc" }, { "crash", "signal 6" },
    { "empty", "without a kernelslist.g" },      { "nothing", "without a kernelslist.g" },
    { "missing", "no usable file for 'kernel-1.traceg'" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_assert_false (run (fixture, cases[i].mode, NULL, &error));
      g_test_message ("%s", error->message);
      g_assert_error (error, CYC_ERROR, CYC_ERROR_FAILED);
      g_assert_nonnull (strstr (error->message, cases[i].text));
      check_untouched (fixture);
    }
  g_autoptr (GError) error = NULL;
  g_assert_false (cyc_post_processor_run ("/nonexistent/x", NULL, fixture->traces, 0, NULL, NULL, &error));
  g_assert_nonnull (error);
  check_untouched (fixture);
}

static void
test_flood (Fixture       *fixture,
            gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  run (fixture, "flood", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (strlen (fixture->log), <=, 64 * 1024);
  g_assert_true (g_str_has_suffix (fixture->log, "line 0199999 of far too much output, and still more\n"));
}

static void
test_hostile_lists (Fixture       *fixture,
                    gconstpointer  data)
{
  static const char *const bad[] = {
    "kernel-1.trace;touch x", "kernel-1.trace.xz `id`", "kernel/../../x.trace", "kernel-9.trace",
    "kernel-1.exe",
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *text = g_strconcat ("kernel-1.trace\n", bad[i], "\n", NULL);
      g_autoptr (GError) error = NULL;
      g_free (test_folder_write (fixture->traces, "kernelslist", text, -1));
      g_assert_false (run (fixture, "good", NULL, &error));
      g_assert_error (error, CYC_ERROR, CYC_ERROR_INPUT);
      g_assert_nonnull (strstr (error->message, "kernelslist:2: "));
      check_untouched (fixture);
    }
}

static void
test_no_space (Fixture       *fixture,
               gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  g_assert_false (cyc_post_processor_run ("/bin/true", NULL, fixture->traces, G_MAXINT64, NULL, NULL,
                                          &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_NO_SPACE);
  check_untouched (fixture);
}

static void
read_pids (Fixture *fixture,
           gint64  *first,
           gint64  *second)
{
  g_autofree char *path = g_build_filename (fixture->folder, "pids", NULL);
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpint (sscanf (text, "%" G_GINT64_FORMAT " %" G_GINT64_FORMAT, first, second), ==, 2);
}

static void
check_dead (gint64 pid)
{
  gint64 deadline = g_get_monotonic_time () + 10 * G_USEC_PER_SEC;

  while (cyc_process_is_alive (pid, 0) && g_get_monotonic_time () < deadline)
    g_thread_yield ();
  g_assert_false (cyc_process_is_alive (pid, 0));
}

typedef struct
{
  Fixture      *fixture;
  GCancellable *cancellable;
} Canceller;

/* Cancels as soon as the program says that it runs. */
static gpointer
cancel_thread (gpointer data)
{
  Canceller *canceller = data;
  g_autofree char *path = g_build_filename (canceller->fixture->folder, "pids", NULL);
  gint64 deadline = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;

  while (!g_file_test (path, G_FILE_TEST_EXISTS) && g_get_monotonic_time () < deadline)
    g_usleep (1000);
  g_cancellable_cancel (canceller->cancellable);
  return NULL;
}

static void
test_cancel (Fixture       *fixture,
             gconstpointer  data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  Canceller canceller = { fixture, cancellable };
  gint64 first;
  gint64 second;

  GThread *thread = g_thread_new ("cancel", cancel_thread, &canceller);
  g_assert_false (run (fixture, "hang", cancellable, &error));
  g_thread_join (thread);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  read_pids (fixture, &first, &second);
  check_dead (first);
  check_dead (second);
  check_untouched (fixture);
}

static void
test_orphan (Fixture       *fixture,
             gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  gint64 first;
  gint64 second;

  _cyc_post_processor_patience_ms = 300;
  g_assert_false (run (fixture, "orphan", NULL, &error));
  _cyc_post_processor_patience_ms = 60 * 1000;
  g_assert_error (error, CYC_ERROR, CYC_ERROR_FAILED);
  g_assert_nonnull (strstr (error->message, "may be cut"));
  read_pids (fixture, &first, &second);
  check_dead (second);
  check_untouched (fixture);
}

/* The real one ends before the xz that it writes through: all of the file has to come. */
static void
test_writer (Fixture       *fixture,
             gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (fixture->traces, "kernel-3.traceg", NULL);
  g_autofree char *text = NULL;

  run (fixture, "writer", NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "processed\nfirst\nsecond\nlast\n");
}

/* One of before March 2025 takes a list. (It would read a folder for ever; this one fails then.) */
static void
test_takes_lists (Fixture       *fixture,
                  gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *program =
    test_folder_write (fixture->folder, "old",
                       "#!/bin/sh\n"
                       "[ -f \"$1\" ] || { echo \"not a list: $1\"; exit 2; }\n"
                       "sed 's/\\.trace$/.traceg/' \"$1\" >\"$1.g\"\n"
                       "for k in *.trace; do echo processed >\"${k}g\"; done\n", -1);

  g_assert_cmpint (g_chmod (program, 0755), ==, 0);
  g_free (test_folder_write (fixture->traces, "kernelslist_ctx_0x55d0", "kernel-4.trace\n", -1));
  g_free (test_folder_write (fixture->traces, "kernel-4.trace", "raw", -1));
  cyc_post_processor_run (program, NULL, fixture->traces, 0, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autofree char *traces = list (fixture->traces);
  g_assert_cmpstr (traces, ==,
                   "kernel-1.trace kernel-1.traceg kernel-3.trace kernel-3.traceg kernel-4.trace "
                   "kernel-4.traceg kernelslist kernelslist.g kernelslist_ctx_0x55d0 "
                   "kernelslist_ctx_0x55d0.g stats.csv");
}

/* An engine of its own, which is killed while the program runs. */
static int
engine_main (const char *traces)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);

  g_unsetenv ("FAKE_ENGINE");
  g_setenv ("FAKE_POST", "hang", TRUE);
  cyc_post_processor_run (program, NULL, traces, 0, NULL, NULL, NULL);
  return 0;
}

static void
test_killed (Fixture       *fixture,
             gconstpointer  data)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_NONE);
  g_autoptr (GError) error = NULL;
  g_autofree char *pids = g_build_filename (fixture->folder, "pids", NULL);
  gint64 deadline = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;
  gint64 first;
  gint64 second;

  g_subprocess_launcher_setenv (launcher, "FAKE_ENGINE", fixture->traces, TRUE);
  g_subprocess_launcher_setenv (launcher, "FAKE_PIDS", fixture->folder, TRUE);
  g_autoptr (GSubprocess) engine = g_subprocess_launcher_spawn (launcher, &error, program, NULL);
  g_assert_no_error (error);
  while (!g_file_test (pids, G_FILE_TEST_EXISTS) && g_get_monotonic_time () < deadline)
    g_thread_yield ();
  read_pids (fixture, &first, &second);
  g_subprocess_force_exit (engine);
  g_assert_true (g_subprocess_wait (engine, NULL, NULL));
  check_dead (first);
  kill ((pid_t) second, SIGKILL);

  /* What it left does not disturb the next run, and goes. */
  g_assert_true (run (fixture, "good", NULL, &error));
  g_autofree char *parent = g_path_get_dirname (fixture->traces);
  g_autofree char *trace = list (parent);
  g_assert_cmpstr (trace, ==, "traces");
}

#define ADD(path, func) \
  g_test_add ("/engine/post-processor/" path, Fixture, NULL, set_up, func, tear_down)

int
main (int argc, char **argv)
{
  if (g_getenv ("FAKE_POST") != NULL)
    return fake_main (g_getenv ("FAKE_POST"), argc > 1 ? argv[1] : "");
  if (g_getenv ("FAKE_ENGINE") != NULL)
    return engine_main (g_getenv ("FAKE_ENGINE"));
  g_test_init (&argc, &argv, NULL);
  ADD ("good", test_good);
  ADD ("contexts", test_contexts);
  ADD ("failures", test_failures);
  ADD ("flood", test_flood);
  ADD ("hostile-lists", test_hostile_lists);
  ADD ("no-space", test_no_space);
  ADD ("cancel", test_cancel);
  ADD ("orphan", test_orphan);
  ADD ("writer", test_writer);
  ADD ("takes-lists", test_takes_lists);
  ADD ("killed", test_killed);
  return g_test_run ();
}
