/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-file-writer.h"
#include "core/base/cyc-file.h"
#include "core/base/cyc-paths.h"
#include "core/base/cyc-process.h"
#include "support/test-folder.h"

static guint
count_entries (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  g_assert_nonnull (dir);
  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static void
assert_content (const char *path,
                const char *expected)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, expected);
}

static void
test_replace (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "settings.ini", NULL);
  g_autoptr (GError) error = NULL;
  struct stat st;

  g_assert_true (cyc_file_replace (path, "old", 3, 0600, &error));
  g_assert_no_error (error);
  assert_content (path, "old");
  g_assert_cmpint (stat (path, &st), ==, 0);
  g_assert_cmpint (st.st_mode & 07777, ==, 0600);
  g_assert_true (cyc_file_replace (path, NULL, 0, 0600, &error));
  assert_content (path, "");
  g_assert_true (cyc_file_replace (path, "new!", 3, 0600, &error));
  assert_content (path, "new");
  g_assert_cmpuint (count_entries (folder), ==, 1);

  /* As long a name as there can be. */
  g_autofree char *name = g_strnfill (255, 'n');
  g_autofree char *longest = g_build_filename (folder, name, NULL);
  g_assert_true (cyc_file_replace (longest, "x", 1, 0600, &error));
  g_assert_no_error (error);
}

static void
test_replace_fails (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autofree char *missing = g_build_filename (folder, "no", "such", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_false (cyc_file_replace (missing, "x", 1, 0600, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_NOT_FOUND);
  g_assert_true (g_str_has_prefix (error->message, missing));
  g_clear_error (&error);

  g_autofree char *taken = g_build_filename (folder, "folder", NULL);
  g_assert_true (cyc_file_make_folder (taken, 0700, &error));
  g_assert_false (cyc_file_replace (taken, "x", 1, 0600, &error));
  g_assert_nonnull (error);
  g_assert_cmpuint (count_entries (folder), ==, 1); /* and no temporary file */
}

/* Root could rename a file over /dev/null, and nothing would work any more. */
static void
test_replace_device (void)
{
  g_autoptr (GError) error = NULL;
  struct stat st;

  g_assert_true (cyc_file_replace ("/dev/null", "x", 1, 0600, &error));
  g_assert_no_error (error);
  g_assert_cmpint (stat ("/dev/null", &st), ==, 0);
  g_assert_true (S_ISCHR (st.st_mode));
  g_assert_false (cyc_file_replace ("/dev/full", "x", 1, 0600, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_NO_SPACE);
  g_assert_true (g_str_has_prefix (error->message, "/dev/full: cannot write: "));
}

/* The file system says no in the middle: what was there is there, and nothing beside it. */
static void
test_writer_fails (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "data.csv", NULL);
  g_autofree char *big = g_strnfill (8192, 'x');
  struct rlimit old, little;
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &old), ==, 0);
  little = old;
  little.rlim_cur = 4096;
  signal (SIGXFSZ, SIG_IGN);
  for (guint round = 0; round < 2; round++)
    {
      g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &little), ==, 0);
      CycFileWriter *file = cyc_file_writer_open (path, &error);
      g_assert_no_error (error);
      gboolean ok = cyc_file_writer_write (file, big, 4000, NULL) &&
                    cyc_file_writer_write (file, big, 4000, &error);
      cyc_file_writer_free (file);
      g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &old), ==, 0);
      g_assert_false (ok);
      g_assert_true (g_str_has_prefix (error->message, path));
      g_assert_nonnull (strstr (error->message, "cannot write"));
      g_clear_error (&error);
      if (round == 0)
        {
          g_assert_cmpuint (count_entries (folder), ==, 0);
          g_assert_true (g_file_set_contents (path, "old", -1, NULL));
          continue;
        }
      assert_content (path, "old");
      g_assert_cmpuint (count_entries (folder), ==, 1);
    }
}

/* Nobody sees a part of it; what a link points to is replaced, and its permissions stay. */
static void
test_writer (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "data.csv", NULL);
  g_autofree char *link = g_build_filename (folder, "link", NULL);
  g_autoptr (GError) error = NULL;
  struct stat st;

  g_autoptr (CycFileWriter) first = cyc_file_writer_open (path, &error);
  g_assert_no_error (error);
  g_assert_true (cyc_file_writer_write (first, "one\n", 4, &error));
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  g_assert_true (cyc_file_writer_commit (first, &error));
  g_assert_no_error (error);
  assert_content (path, "one\n");

  g_assert_cmpint (chmod (path, 0640), ==, 0);
  g_assert_cmpint (symlink ("data.csv", link), ==, 0);
  g_autoptr (CycFileWriter) second = cyc_file_writer_open (link, &error);
  g_assert_true (cyc_file_writer_write (second, "two", 3, &error));
  assert_content (path, "one\n");
  g_assert_true (cyc_file_writer_write (second, "\n", 1, &error));
  g_assert_true (cyc_file_writer_commit (second, &error));
  g_assert_no_error (error);
  assert_content (path, "two\n");
  g_assert_cmpint (lstat (link, &st), ==, 0);
  g_assert_true (S_ISLNK (st.st_mode));
  g_assert_cmpint (stat (path, &st), ==, 0);
  g_assert_cmpint (st.st_mode & 07777, ==, 0640);
  g_assert_cmpuint (count_entries (folder), ==, 2);

  g_assert_null (cyc_file_writer_open (folder, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_VALUE);
  g_clear_error (&error);
  g_autofree char *nowhere = g_build_filename (folder, "no", "data.csv", NULL);
  g_assert_null (cyc_file_writer_open (nowhere, &error));
  g_assert_true (g_str_has_prefix (error->message, nowhere));
  g_autofree char *name = g_strnfill (255, 'n');
  g_autofree char *longest = g_build_filename (folder, name, NULL);
  g_autoptr (CycFileWriter) third = cyc_file_writer_open (longest, NULL);
  g_assert_true (cyc_file_writer_commit (third, NULL));
  assert_content (longest, "");
}

static void
test_make_folder (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autofree char *nested = g_build_filename (folder, "a", "b", "c", NULL);
  g_autofree char *file = test_folder_write (folder, "file", "x", 1);
  g_autofree char *below = g_build_filename (file, "d", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (cyc_file_make_folder (nested, 0700, &error));
  g_assert_true (cyc_file_make_folder (nested, 0700, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_test (nested, G_FILE_TEST_IS_DIR));
  g_assert_true (cyc_file_sync_folder (nested, &error));
  g_assert_no_error (error);
  g_assert_false (cyc_file_make_folder (below, 0700, &error));
  g_assert_nonnull (error);
  g_clear_error (&error);
  g_assert_false (cyc_file_sync_folder (below, &error));
  g_assert_nonnull (error);
}

static void
test_remove_links (void)
{
  g_auto (TestFolder) outside = test_folder_new ();
  g_auto (TestFolder) folder = test_folder_new ();
  g_autofree char *kept = test_folder_write (outside, "sub/kept", "kept", -1);
  g_autofree char *inner = test_folder_write (folder, "tree/a/b/file", "x", 1);
  g_autofree char *tree = g_build_filename (folder, "tree", NULL);
  g_autofree char *folder_link = g_build_filename (tree, "to-folder", NULL);
  g_autofree char *file_link = g_build_filename (tree, "a", "to-file", NULL);
  g_autofree char *dangling = g_build_filename (tree, "dangling", NULL);
  g_autofree char *hard = g_build_filename (tree, "hard", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (symlink (outside, folder_link), ==, 0);
  g_assert_cmpint (symlink (kept, file_link), ==, 0);
  g_assert_cmpint (symlink ("/no/such/thing", dangling), ==, 0);
  g_assert_cmpint (link (kept, hard), ==, 0);
  g_assert_true (cyc_file_remove_tree (tree, &error));
  g_assert_no_error (error);
  g_assert_false (g_file_test (tree, G_FILE_TEST_EXISTS));
  assert_content (kept, "kept");
  g_assert_true (g_file_test (folder, G_FILE_TEST_IS_DIR));

  /* Gone already; a link itself; a single file. */
  g_assert_true (cyc_file_remove_tree (tree, &error));
  g_assert_cmpint (symlink (outside, tree), ==, 0);
  g_assert_true (cyc_file_remove_tree (tree, &error));
  assert_content (kept, "kept");
  g_assert_true (cyc_file_remove_tree (kept, &error));
  g_assert_no_error (error);
  g_assert_false (g_file_test (kept, G_FILE_TEST_EXISTS));
}

/* In a child that is not root, to whom permissions mean something. */
static void
test_remove_read_only (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autofree char *tree = g_build_filename (folder, "tree", NULL);

  g_assert_cmpint (chmod (folder, 0777), ==, 0);
  pid_t child = fork ();
  if (child == 0)
    {
      if (getuid () == 0 && setuid (65534) != 0)
        _exit (2);
      g_autofree char *sub = g_build_filename (tree, "sub", NULL);
      g_autofree char *file = g_build_filename (sub, "file", NULL);
      if (g_mkdir_with_parents (sub, 0700) != 0 || !g_file_set_contents (file, "x", 1, NULL) ||
          chmod (file, 0400) != 0 || chmod (sub, 0) != 0 || chmod (tree, 0500) != 0)
        _exit (3);
      _exit (cyc_file_remove_tree (tree, NULL) ? 0 : 1);
    }
  int status;
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_true (WIFEXITED (status));
  g_assert_cmpint (WEXITSTATUS (status), ==, 0);
  g_assert_false (g_file_test (tree, G_FILE_TEST_EXISTS));
}

static void
test_remove_deep (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) path = g_string_new (folder);

  for (guint i = 0; i < 600; i++)
    {
      g_string_append (path, "/d");
      g_assert_cmpint (mkdir (path->str, 0700), ==, 0);
    }
  g_assert_false (cyc_file_remove_tree (folder, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_FAILED);
  while (path->len > strlen (folder))
    {
      g_assert_cmpint (rmdir (path->str), ==, 0);
      g_string_truncate (path, path->len - 2);
    }
}

static void
test_write_all (void)
{
  int fds[2];
  char buffer[8] = { 0 };

  g_assert_cmpint (pipe (fds), ==, 0);
  g_assert_true (cyc_file_write_all (fds[1], "abc", 3));
  g_assert_cmpint (read (fds[0], buffer, sizeof buffer), ==, 3);
  g_assert_cmpstr (buffer, ==, "abc");
  close (fds[0]);
  close (fds[1]);
  g_assert_false (cyc_file_write_all (fds[1], "abc", 3));
  g_assert_cmpint (errno, ==, EBADF);
}

static void
test_free_space (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autofree char *missing = g_build_filename (folder, "missing", NULL);
  g_autoptr (GError) error = NULL;
  guint64 bytes = 0;

  g_assert_true (cyc_file_get_free (folder, &bytes, &error));
  g_assert_no_error (error);
  /* Less than the whole file system, and room for what the test itself writes. */
  g_autoptr (GFile) file = g_file_new_for_path (folder);
  g_autoptr (GFileInfo) info = g_file_query_filesystem_info (file, "filesystem::*", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (bytes, <=, g_file_info_get_attribute_uint64 (info, "filesystem::size"));
  g_assert_cmpuint (bytes, >, 4096);
  g_assert_false (cyc_file_get_free (missing, &bytes, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_NOT_FOUND);
}

static void
test_process (void)
{
  guint64 own = cyc_process_get_start_time (getpid ());
  int fds[2];

  g_assert_cmpuint (own, >, 0);
  g_assert_true (cyc_process_is_alive (getpid (), own));
  g_assert_true (cyc_process_is_alive (getpid (), 0));
  g_assert_false (cyc_process_is_alive (getpid (), own + 1));
  g_assert_false (cyc_process_is_alive (0, 0));
  g_assert_false (cyc_process_is_alive (-1, 0));
  g_assert_cmpuint (cyc_process_get_start_time (-1), ==, 0);

  /* The name of a process may look like the fields behind it. */
  g_assert_cmpint (pipe (fds), ==, 0);
  pid_t child = fork ();
  if (child == 0)
    {
      prctl (PR_SET_NAME, "x) Z 1 (2 3", 0, 0, 0);
      if (write (fds[1], "r", 1) != 1)
        _exit (1);
      for (;;)
        pause ();
    }
  char ready;
  g_assert_cmpint (read (fds[0], &ready, 1), ==, 1);
  close (fds[0]);
  close (fds[1]);
  guint64 start = cyc_process_get_start_time (child);
  g_assert_cmpuint (start, >=, own);
  g_assert_true (cyc_process_is_alive (child, start));

  /* A zombie has a start time but is not alive; after the wait it is nothing. */
  siginfo_t info;
  kill (child, SIGKILL);
  g_assert_cmpint (waitid (P_PID, (id_t) child, &info, WEXITED | WNOWAIT), ==, 0);
  g_assert_cmpuint (cyc_process_get_start_time (child), ==, start);
  g_assert_false (cyc_process_is_alive (child, start));
  g_assert_cmpint (waitpid (child, NULL, 0), ==, child);
  g_assert_cmpuint (cyc_process_get_start_time (child), ==, 0);
  g_assert_false (cyc_process_is_alive (child, 0));
}

static void
test_find_program (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autofree char *program = test_folder_write (folder, "some-program", "#!/bin/true\n", -1);
  g_autofree char *plain = test_folder_write (folder, "some-text", "x", 1);
  g_autofree char *inner = g_build_filename (folder, "some-folder", NULL);

  g_assert_cmpint (chmod (program, 0700), ==, 0);
  g_assert_cmpint (mkdir (inner, 0700), ==, 0);
  g_assert_true (g_setenv ("CYCLESCOPE_PROGRAM_DIR", folder, TRUE));
  g_autofree char *found = cyc_paths_find_program ("some-program");
  g_assert_cmpstr (found, ==, program);
  g_assert_null (cyc_paths_find_program ("some-text"));
  g_assert_null (cyc_paths_find_program ("some-folder"));
  g_assert_null (cyc_paths_find_program ("no-such-program"));

  /* Beside the running program. */
  g_unsetenv ("CYCLESCOPE_PROGRAM_DIR");
  g_assert_null (cyc_paths_find_program ("some-program"));
  g_autofree char *own = cyc_paths_find_program ("test-core-file");
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);
  g_assert_cmpstr (own, ==, self);
}

static void
test_workspace (void)
{
  g_assert_true (g_setenv ("CYCLESCOPE_WORKSPACE", "/some/../other//place", TRUE));
  g_autofree char *named = cyc_paths_get_workspace ();
  g_assert_cmpstr (named, ==, "/other/place");
  g_assert_true (g_setenv ("CYCLESCOPE_WORKSPACE", "", TRUE));
  g_autofree char *standard = cyc_paths_get_workspace ();
  g_autofree char *expected = g_build_filename (g_get_user_data_dir (), "cyclescope", NULL);
  g_assert_cmpstr (standard, ==, expected);
  g_unsetenv ("CYCLESCOPE_WORKSPACE");
}

static void
test_samples (void)
{
  g_auto (TestFolder) folder = test_folder_new ();

  g_assert_true (g_setenv ("CYCLESCOPE_SAMPLES_DIR", folder, TRUE));
  g_autofree char *named = cyc_paths_get_samples ();
  g_assert_cmpstr (named, ==, folder);
  g_unsetenv ("CYCLESCOPE_SAMPLES_DIR");
  g_autofree char *standard = cyc_paths_get_samples ();
  g_autofree char *list =
    g_build_filename (standard, "traces/cyclescope-sample/traces/kernelslist.g", NULL);
  g_assert_true (g_file_test (list, G_FILE_TEST_IS_REGULAR));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/file/replace", test_replace);
  g_test_add_func ("/core/file/replace-fails", test_replace_fails);
  g_test_add_func ("/core/file/replace-device", test_replace_device);
  g_test_add_func ("/core/file/writer", test_writer);
  g_test_add_func ("/core/file/writer-fails", test_writer_fails);
  g_test_add_func ("/core/file/make-folder", test_make_folder);
  g_test_add_func ("/core/file/remove-links", test_remove_links);
  g_test_add_func ("/core/file/remove-read-only", test_remove_read_only);
  g_test_add_func ("/core/file/remove-deep", test_remove_deep);
  g_test_add_func ("/core/file/write-all", test_write_all);
  g_test_add_func ("/core/file/free-space", test_free_space);
  g_test_add_func ("/core/process/life", test_process);
  g_test_add_func ("/core/paths/find-program", test_find_program);
  g_test_add_func ("/core/paths/workspace", test_workspace);
  g_test_add_func ("/core/paths/samples", test_samples);
  return g_test_run ();
}
