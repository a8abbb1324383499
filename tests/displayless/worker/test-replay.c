/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <gio/gio.h>
#include <string.h>
#include <sys/wait.h>

#include "core/base/cyc-byte-reader.h"
#include "support/test-folder.h"

/* cyclescope-replay, run as a simulator would be. */

#define CONFIG_LINE "-gpgpu_n_clusters 46\n"

typedef struct
{
  GBytes *out;
  GBytes *err;
  int     status; /* as wait() gives it */
  gint64  us;
} Run;

static void
run_clear (Run *run)
{
  g_clear_pointer (&run->out, g_bytes_unref);
  g_clear_pointer (&run->err, g_bytes_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

static void
make_inputs (TestFolder folder)
{
  g_autofree char *config = test_folder_write (folder, "gpgpusim.config", CONFIG_LINE, -1);
  g_autofree char *list = test_folder_write (folder, "kernelslist.g", "kernel-1.traceg\n", -1);
}

/* Runs the program in @folder with the two usual arguments, each of which can be another one. */
static void
run_replay (Run                *run,
            const char         *folder,
            const char         *config,
            const char         *list,
            const char *const  *env)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocessLauncher) launcher =
    g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_subprocess_launcher_set_cwd (launcher, folder);
  for (guint i = 0; env[i] != NULL; i += 2)
    g_subprocess_launcher_setenv (launcher, env[i], env[i + 1], TRUE);

  gint64 begin = g_get_monotonic_time ();
  g_autoptr (GSubprocess) process = g_subprocess_launcher_spawn (
    launcher, &error, g_getenv ("CYC_TEST_REPLAY"), "-config", config, "-trace", list,
    "-gpgpu_max_cycle", "0", NULL);
  g_assert_no_error (error);
  g_subprocess_communicate (process, NULL, NULL, &run->out, &run->err, &error);
  g_assert_no_error (error);
  run->us = g_get_monotonic_time () - begin;
  run->status = g_subprocess_get_status (process);
}

static void
assert_bytes (GBytes     *found,
              const char *expected,
              gsize       len)
{
  gsize found_len;
  const char *bytes = g_bytes_get_data (found, &found_len);

  g_assert_cmpuint (found_len, ==, len);
  g_assert_true (len == 0 || memcmp (bytes, expected, len) == 0);
}

static void
test_recorded (void)
{
  static const struct { const char *name, *exit; gboolean has_err; } rows[] = {
    { "syn5-86-RTX3070", "0", FALSE },
    { "fail-unknown-opcode", "signal:6", TRUE },
    { "fail-garbage-line", "signal:11", FALSE },
    { "fail-missing-config", "1", TRUE },
    { "fail-sigTERM", "signal:15", FALSE },
  };
  g_auto (TestFolder) folder = test_folder_new ();
  make_inputs (folder);

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *log_name = g_strconcat (rows[i].name, ".log.xz", NULL);
      g_autofree char *err_name = g_strconcat (rows[i].name, ".err", NULL);
      g_autofree char *log = g_test_build_filename (G_TEST_DIST, "data", "accelsim", "logs", log_name, NULL);
      g_autofree char *err = g_test_build_filename (G_TEST_DIST, "data", "accelsim", "logs", err_name, NULL);
      g_autoptr (GError) error = NULL;
      gsize log_len, err_len = 0;
      g_autofree char *log_text = cyc_byte_reader_read_all (log, G_MAXINT, &log_len, &error);
      g_autofree char *err_text = rows[i].has_err ? cyc_byte_reader_read_all (err, G_MAXINT, &err_len, &error)
                                                  : NULL;
      g_assert_no_error (error);
      const char *const env[] = {
        "CYCLESCOPE_REPLAY_LOG", log, "CYCLESCOPE_REPLAY_EXIT", rows[i].exit,
        "CYCLESCOPE_REPLAY_STDERR", rows[i].has_err ? err : "", NULL,
      };
      g_auto (Run) run = { 0 };
      run_replay (&run, folder, "./gpgpusim.config", "./kernelslist.g", env);
      assert_bytes (run.out, log_text, log_len);
      assert_bytes (run.err, err_text, err_len);
      if (g_str_has_prefix (rows[i].exit, "signal:"))
        {
          g_assert_true (WIFSIGNALED (run.status));
          g_assert_cmpint (WTERMSIG (run.status), ==, atoi (rows[i].exit + 7));
        }
      else
        {
          g_assert_true (WIFEXITED (run.status));
          g_assert_cmpint (WEXITSTATUS (run.status), ==, atoi (rows[i].exit));
        }
    }
}

static void
test_checks (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  make_inputs (folder);
  g_autofree char *log = test_folder_write (folder, "a.log", "one\n", -1);
  const char *const env[] = { "CYCLESCOPE_REPLAY_LOG", log, NULL };

  /* The words are those of the real simulator: fail-missing-config.err, fail-missing-trace. */
  g_auto (Run) config = { 0 };
  run_replay (&config, folder, "./nonexistent.config", "./kernelslist.g", env);
  g_assert_cmpint (WEXITSTATUS (config.status), ==, 1);
  static const char no_config[] = "\n\nGPGPU-Sim ** ERROR: Cannot open config file './nonexistent.config'\n";
  assert_bytes (config.err, no_config, strlen (no_config));
  assert_bytes (config.out, "", 0);

  g_auto (Run) list = { 0 };
  run_replay (&list, folder, "./gpgpusim.config", "./nowhere.g", env);
  g_assert_cmpint (WEXITSTATUS (list.status), ==, 1);
  static const char no_list[] = "Unable to open file: ./nowhere.g\n";
  assert_bytes (list.out, no_list, strlen (no_list));
}

static void
test_bad_environment (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  make_inputs (folder);
  g_autofree char *log = test_folder_write (folder, "a.log", "one\n", -1);
  g_autofree char *not_xz = test_folder_write (folder, "a.log.xz", "one\n", -1);
  const char *const rows[][5] = {
    { "CYCLESCOPE_REPLAY_LOG", "", NULL },
    { "CYCLESCOPE_REPLAY_LOG", "/nonexistent/log", NULL },
    { "CYCLESCOPE_REPLAY_LOG", not_xz, NULL },
    { "CYCLESCOPE_REPLAY_LOG", log, "CYCLESCOPE_REPLAY_EXIT", "256", NULL },
    { "CYCLESCOPE_REPLAY_LOG", log, "CYCLESCOPE_REPLAY_EXIT", "-1", NULL },
    { "CYCLESCOPE_REPLAY_LOG", log, "CYCLESCOPE_REPLAY_EXIT", "signal:", NULL },
    { "CYCLESCOPE_REPLAY_LOG", log, "CYCLESCOPE_REPLAY_EXIT", "signal:0", NULL },
    { "CYCLESCOPE_REPLAY_LOG", log, "CYCLESCOPE_REPLAY_EXIT", "signal:19", NULL },
    { "CYCLESCOPE_REPLAY_LOG", log, "CYCLESCOPE_REPLAY_SPEED", "fast", NULL },
    { "CYCLESCOPE_REPLAY_LOG", log, "CYCLESCOPE_REPLAY_STDERR", "/nonexistent/err", NULL },
  };
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_auto (Run) run = { 0 };
      run_replay (&run, folder, "./gpgpusim.config", "./kernelslist.g", rows[i]);
      g_assert_true (WIFEXITED (run.status));
      g_assert_cmpint (WEXITSTATUS (run.status), ==, 1);
      gsize len;
      const char *text = g_bytes_get_data (run.err, &len);
      g_assert_nonnull (g_strstr_len (text, (gssize) len, "cyclescope-replay: "));
    }
}

/* 400 lines at 1000 a second take 0.4 s, whatever the machine; the last line has no end. */
static void
test_speed (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  make_inputs (folder);
  g_autoptr (GString) text = g_string_new (NULL);
  for (guint i = 0; i < 400; i++)
    g_string_append_printf (text, "line %u\n", i);
  g_string_append (text, "no end");
  g_autofree char *log = test_folder_write (folder, "a.log", text->str, (gssize) text->len);
  const char *const env[] = { "CYCLESCOPE_REPLAY_LOG", log, "CYCLESCOPE_REPLAY_SPEED", "1000", NULL };

  g_auto (Run) run = { 0 };
  run_replay (&run, folder, "./gpgpusim.config", "./kernelslist.g", env);
  assert_bytes (run.out, text->str, text->len);
  g_assert_cmpint (run.us, >=, 400 * 1000);
  g_assert_cmpint (WEXITSTATUS (run.status), ==, 0);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/worker/replay/recorded", test_recorded);
  g_test_add_func ("/worker/replay/checks", test_checks);
  g_test_add_func ("/worker/replay/bad-environment", test_bad_environment);
  g_test_add_func ("/worker/replay/speed", test_speed);
  return g_test_run ();
}
