/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-file.h"
#include "core/base/cyc-name.h"
#include "displayless/engine/import-fixture.h"

#define KERNELS "traces/kernel-1.traceg traces/kernel-2.traceg traces/kernelslist.g"

static void
check_import (Fixture       *fixture,
              const char    *below,
              CycImportMode  mode,
              const char    *expected)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *source = g_build_filename (fixture->source, below, NULL);
  CycImportProgress progress;

  fixture_import (fixture, source, mode, &error);
  g_assert_no_error (error);
  g_autofree char *list = fixture_list (fixture->target);
  g_assert_cmpstr (list, ==, expected);
  cyc_importer_get_progress (fixture->importer, &progress);
  g_assert_cmpuint (progress.bytes_done, ==, progress.bytes_total);
  g_assert_cmpuint (progress.files_done, ==, progress.files_total);
  g_assert_cmpuint (progress.bytes_done, >, 0);
}

static char *
text_in_target (Fixture    *fixture,
                const char *name)
{
  g_autofree char *path = g_build_filename (fixture->target, name, NULL);
  char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return text;
}

static void
test_whole (Fixture       *fixture,
            gconstpointer  data)
{
  fixture_add_trace (fixture, "traces");
  fixture_add (fixture, "metadata.json", "{}");
  fixture_add (fixture, "recorded/X.log", "log");
  fixture_add (fixture, "stats.csv", "x");
  check_import (fixture, "", CYC_IMPORT_COPY, "metadata.json recorded/X.log stats.csv " KERNELS);
  g_autofree char *text = text_in_target (fixture, "traces/kernel-2.traceg");
  g_assert_cmpstr (text, ==, KERNEL KERNEL);
  g_assert_cmpuint (cyc_findings_get_length (cyc_importer_get_findings (fixture->importer)), ==, 0);
}

static void
test_flat (Fixture       *fixture,
           gconstpointer  data)
{
  fixture_add_trace (fixture, "");
  fixture_add (fixture, "metadata.json", "{}");
  fixture_add (fixture, "stats.csv", "x");
  check_import (fixture, "", CYC_IMPORT_COPY, "metadata.json " KERNELS " traces/stats.csv");
}

static void
test_nested (Fixture       *fixture,
             gconstpointer  data)
{
  fixture_add_trace (fixture, "app/args/traces");
  fixture_add (fixture, "app/args/metadata.json", "{}");
  fixture_add (fixture, "app/other", "x");
  check_import (fixture, "", CYC_IMPORT_COPY, "metadata.json " KERNELS);
}

static void
test_two (Fixture       *fixture,
          gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  fixture_add_trace (fixture, "a/traces");
  fixture_add_trace (fixture, "b/traces");
  g_assert_false (fixture_import (fixture, fixture->source, CYC_IMPORT_COPY, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_INPUT);
  g_assert_nonnull (strstr (error->message, "a/traces"));
  g_clear_error (&error);
  g_assert_false (fixture_import (fixture, "/nonexistent/x", CYC_IMPORT_COPY, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_NOT_FOUND);
}

static void
test_hard_link (Fixture       *fixture,
                gconstpointer  data)
{
  struct stat a;
  struct stat b;
  g_autofree char *from = g_build_filename (fixture->source, "traces/kernel-1.traceg", NULL);
  g_autofree char *to = g_build_filename (fixture->target, "traces/kernel-1.traceg", NULL);
  fixture_add_trace (fixture, "traces");
  check_import (fixture, "", CYC_IMPORT_HARD_LINK, KERNELS);
  g_assert_cmpint (stat (from, &a) + stat (to, &b), ==, 0);
  g_assert_cmpuint (a.st_ino, ==, b.st_ino);
  g_assert_true (cyc_file_remove_tree (fixture->target, NULL));
  g_assert_true (g_file_test (from, G_FILE_TEST_EXISTS));
}

/* Another file system than that of the temporary folder, if the machine has one. */
static void
test_hard_link_across (Fixture       *fixture,
                       gconstpointer  data)
{
  struct stat a;
  struct stat b;
  g_autoptr (GError) error = NULL;
  if (stat ("/dev/shm", &a) != 0 || stat (fixture->folder, &b) != 0 || a.st_dev == b.st_dev ||
      access ("/dev/shm", W_OK) != 0)
    {
      g_test_skip ("one file system only");
      return;
    }
  char template[] = "/dev/shm/cyc-import-XXXXXX";
  g_assert_nonnull (g_mkdtemp (template));
  fixture_add_trace (fixture, "traces");
  g_autoptr (CycImporter) importer = cyc_importer_new (fixture->source, template, CYC_IMPORT_HARD_LINK, 0);
  g_assert_true (cyc_importer_run (importer, NULL, &error));
  g_autofree char *list = fixture_list (template);
  g_assert_cmpstr (list, ==, KERNELS);
  g_assert_nonnull (cyc_findings_find (cyc_importer_get_findings (importer), "copied_not_linked"));
  g_assert_true (cyc_file_remove_tree (template, NULL));
}

static void
test_symbolic_link (Fixture       *fixture,
                    gconstpointer  data)
{
  fixture_add_trace (fixture, "traces");
  check_import (fixture, "", CYC_IMPORT_SYMBOLIC_LINK,
                "traces/kernel-1.traceg@ traces/kernel-2.traceg@ traces/kernelslist.g@");
  g_autofree char *link_path = g_build_filename (fixture->target, "traces/kernel-1.traceg", NULL);
  g_autofree char *link = g_file_read_link (link_path, NULL);
  g_autofree char *expected = g_build_filename (fixture->source, "traces/kernel-1.traceg", NULL);
  g_assert_cmpstr (link, ==, expected);
  g_assert_true (cyc_file_remove_tree (fixture->target, NULL));
  g_assert_true (g_file_test (expected, G_FILE_TEST_EXISTS));
}

static void
make_link (Fixture    *fixture,
           const char *points_to,
           const char *name)
{
  g_autofree char *path = g_build_filename (fixture->source, name, NULL);
  g_assert_cmpint (symlink (points_to, path), ==, 0);
}

static void
test_inner_links (Fixture       *fixture,
                  gconstpointer  data)
{
  fixture_add_trace (fixture, "traces");
  fixture_add (fixture, "store/three", KERNEL);
  make_link (fixture, "../store/three", "traces/kernel-3.traceg");
  make_link (fixture, "nothing", "traces/broken");
  make_link (fixture, "store", "folder");
  make_link (fixture, "/etc/hostname", "readme");
  check_import (fixture, "", CYC_IMPORT_COPY,
                "store/three traces/kernel-1.traceg traces/kernel-2.traceg traces/kernel-3.traceg "
                "traces/kernelslist.g");
  const CycFindings *findings = cyc_importer_get_findings (fixture->importer);
  g_assert_nonnull (cyc_findings_find (findings, "link_broken"));
  g_assert_nonnull (cyc_findings_find (findings, "link_to_folder"));
  g_assert_nonnull (cyc_findings_find (findings, "link_outside"));
  g_autofree char *text = text_in_target (fixture, "traces/kernel-3.traceg");
  g_assert_cmpstr (text, ==, KERNEL);
}

static void
test_outer_link (Fixture       *fixture,
                 gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  fixture_add_trace (fixture, "traces");
  make_link (fixture, "/etc/passwd", "traces/kernel-3.traceg");
  g_assert_false (fixture_import (fixture, fixture->source, CYC_IMPORT_COPY, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_INPUT);
  g_assert_nonnull (strstr (error->message, "traces/kernel-3.traceg: "));
}

/* The simulator's scripts make a run folder in which `traces` is a link to the trace. */
static void
test_traces_link (Fixture       *fixture,
                  gconstpointer  data)
{
  fixture_add_trace (fixture, "store");
  fixture_add (fixture, "run/metadata.json", "{}");
  make_link (fixture, "../store", "run/traces");
  check_import (fixture, "run", CYC_IMPORT_COPY, "metadata.json " KERNELS);
}

static void
test_special (Fixture       *fixture,
              gconstpointer  data)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  g_autofree char *pipe_path = g_build_filename (fixture->source, "pipe", NULL);
  g_autofree char *socket_path = g_build_filename (fixture->source, "socket", NULL);
  int fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  fixture_add_trace (fixture, "traces");
  fixture_add (fixture, "a\nb", "x");
  g_assert_cmpint (mkfifo (pipe_path, 0600), ==, 0);
  g_strlcpy (address.sun_path, socket_path, sizeof address.sun_path);
  g_assert_cmpint (bind (fd, (struct sockaddr *) &address, sizeof address), ==, 0);
  close (fd);
  check_import (fixture, "", CYC_IMPORT_COPY, KERNELS);
  const CycFindings *findings = cyc_importer_get_findings (fixture->importer);
  g_assert_cmpuint (cyc_findings_get_length (findings), ==, 3);
  const CycFinding *name = cyc_findings_find (findings, "name_not_allowed");
  g_assert_nonnull (name);
  g_assert_null (strchr (name->file, '\n'));
  g_assert_nonnull (cyc_findings_find (findings, "special_file"));
}

static void
test_no_space (Fixture       *fixture,
               gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  fixture_add_trace (fixture, "traces");
  fixture->importer = cyc_importer_new (fixture->source, fixture->target, CYC_IMPORT_COPY, G_MAXINT64);
  g_assert_false (cyc_importer_run (fixture->importer, NULL, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_NO_SPACE);
  g_autofree char *list = fixture_list (fixture->target);
  g_assert_cmpstr (list, ==, "");
}

/* A write that fails half-way is reported with the file; here by the limit for the size of files. */
static void
test_write_fails (Fixture       *fixture,
                  gconstpointer  data)
{
  struct rlimit old;
  struct rlimit limit;
  g_autoptr (GError) error = NULL;
  g_autofree char *big = g_strnfill (3 * 1024 * 1024, 'x');
  fixture_add_trace (fixture, "traces");
  fixture_add (fixture, "traces/kernel-3.traceg", big);
  signal (SIGXFSZ, SIG_IGN);
  getrlimit (RLIMIT_FSIZE, &old);
  limit = old;
  limit.rlim_cur = 2 * 1024 * 1024;
  setrlimit (RLIMIT_FSIZE, &limit);
  gboolean ok = fixture_import (fixture, fixture->source, CYC_IMPORT_COPY, &error);
  setrlimit (RLIMIT_FSIZE, &old);
  g_assert_false (ok);
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, "kernel-3.traceg"));
}

static void
test_occupied (Fixture       *fixture,
               gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  fixture_add_trace (fixture, "traces");
  g_free (test_folder_write (fixture->target, "outside/file", "keep", -1));
  g_autofree char *link_path = g_build_filename (fixture->target, "traces", NULL);
  g_assert_cmpint (symlink ("outside", link_path), ==, 0);
  g_assert_false (fixture_import (fixture, fixture->source, CYC_IMPORT_COPY, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_INPUT);
  g_autofree char *list = fixture_list (fixture->target);
  g_assert_cmpstr (list, ==, "outside/file traces@");
}

typedef struct
{
  GCancellable *cancellable;
  GError       *error;
  gboolean      ok;
  gboolean      done;
} Running;

static void
done_cb (GObject      *source,
         GAsyncResult *result,
         gpointer      user_data)
{
  Running *running = user_data;

  running->ok = cyc_importer_run_finish (CYC_IMPORTER (source), result, &running->error);
  running->done = TRUE;
}

static gboolean
watch_cb (gpointer user_data)
{
  return G_SOURCE_CONTINUE;
}

static void
test_cancel (Fixture       *fixture,
             gconstpointer  data)
{
  /* All of it a hole: some seconds are read, and nothing is written. */
  gsize size = (gsize) 8 * 1024 * 1024 * 1024;
  g_autofree char *source = g_build_filename (fixture->source, "kernel-9.traceg", NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Running running = { 0 };
  CycImportProgress progress;

  fixture_add_trace (fixture, "");
  fixture_add (fixture, "kernel-9.traceg", "");
  g_assert_cmpint (truncate (source, (off_t) size), ==, 0);
  fixture->importer = cyc_importer_new (fixture->source, fixture->target, CYC_IMPORT_COPY, 0);
  cyc_importer_run_async (fixture->importer, cancellable, done_cb, &running);
  guint timer = g_timeout_add (1, watch_cb, NULL);
  while (!running.done)
    {
      g_main_context_iteration (NULL, TRUE);
      cyc_importer_get_progress (fixture->importer, &progress);
      g_assert_cmpuint (progress.bytes_done, <=, size + 1000);
      if (progress.bytes_done > 2 * 1024 * 1024)
        g_cancellable_cancel (cancellable);
    }
  g_source_remove (timer);
  g_assert_false (running.ok);
  g_assert_error (running.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&running.error);
  cyc_importer_get_progress (fixture->importer, &progress);
  g_assert_cmpuint (progress.bytes_done, <, progress.bytes_total);
  g_assert_false (fixture_has_open_files (fixture));
  g_assert_true (cyc_file_remove_tree (fixture->target, NULL));
  g_assert_false (g_file_test (fixture->target, G_FILE_TEST_EXISTS));
}

/* What takes no space at the source takes none in the workspace: 256 MiB, of which one page is written. */
static void
test_holes (Fixture       *fixture,
            gconstpointer  data)
{
  const off_t size = 256 * 1024 * 1024;
  g_autofree char *source = g_build_filename (fixture->source, "kernel-9.traceg", NULL);
  g_autoptr (GError) error = NULL;
  struct stat st;
  char text[2] = "";

  fixture_add_trace (fixture, "");
  fixture_add (fixture, "kernel-9.traceg", "");
  g_assert_cmpint (truncate (source, size), ==, 0);
  int fd = g_open (source, O_WRONLY | O_CLOEXEC, 0);
  g_assert_cmpint (pwrite (fd, "x", 1, size / 2), ==, 1);
  close (fd);
  fixture->importer = cyc_importer_new (fixture->source, fixture->target, CYC_IMPORT_COPY, 0);
  g_assert_true (cyc_importer_run (fixture->importer, NULL, &error));
  g_assert_no_error (error);
  g_autofree char *copy = g_build_filename (fixture->target, "traces", "kernel-9.traceg", NULL);
  g_assert_cmpint (stat (copy, &st), ==, 0);
  g_assert_cmpint (st.st_size, ==, size);
  g_assert_cmpint (st.st_blocks * 512, <, 8 * 1024 * 1024);
  fd = g_open (copy, O_RDONLY | O_CLOEXEC, 0);
  g_assert_cmpint (pread (fd, text, 1, size / 2), ==, 1);
  close (fd);
  g_assert_cmpstr (text, ==, "x");
}

static void
test_cancelled_before (Fixture       *fixture,
                       gconstpointer  data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  fixture_add_trace (fixture, "");
  g_cancellable_cancel (cancellable);
  fixture->importer = cyc_importer_new (fixture->source, fixture->target, CYC_IMPORT_COPY, 0);
  g_assert_false (cyc_importer_run (fixture->importer, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
check_id (const char *source,
          const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *id = cyc_importer_suggest_id (source, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (id, ==, expected);
  g_assert_true (cyc_name_is_plain (id));
}

static void
test_suggest_id (Fixture       *fixture,
                 gconstpointer  data)
{
  static const struct
  {
    const char *name;
    const char *id;
  } archives[] = {
    { "vecadd.tar.xz", "vecadd" }, { "my trace.TGZ", "my_trace" },   { "a.b.zip", "a.b" },
    { "-x.tar", "_x" },            { ".tar", "trace" },              { ".hidden.zip", "_hidden" },
    { "\xC3\xA9.tar.gz", "__" },   { "plain", "plain" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (archives); i++)
    {
      g_autofree char *path = test_folder_write (fixture->folder, archives[i].name, "x", 1);
      check_id (path, archives[i].id);
    }
  fixture_add_trace (fixture, "my app/traces");
  g_autofree char *app = g_build_filename (fixture->source, "my app", NULL);
  g_autofree char *traces = g_build_filename (app, "traces", NULL);
  check_id (app, "my_app");
  check_id (traces, "my_app");
  fixture_add (fixture, "my app/metadata.json", "{\"run_name\": \"Opt 125/m\"}");
  check_id (app, "Opt_125_m");
  g_autoptr (GError) error = NULL;
  g_assert_null (cyc_importer_suggest_id ("/nonexistent/x", &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_NOT_FOUND);
}

#define ADD(path, func) \
  g_test_add ("/engine/importer/" path, Fixture, NULL, fixture_set_up, func, fixture_tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("folder/whole", test_whole);
  ADD ("folder/flat", test_flat);
  ADD ("folder/nested", test_nested);
  ADD ("folder/two", test_two);
  ADD ("link/hard", test_hard_link);
  ADD ("link/hard-across", test_hard_link_across);
  ADD ("link/symbolic", test_symbolic_link);
  ADD ("source-links/inner", test_inner_links);
  ADD ("source-links/outer", test_outer_link);
  ADD ("source-links/traces", test_traces_link);
  ADD ("special", test_special);
  ADD ("no-space", test_no_space);
  ADD ("write-fails", test_write_fails);
  ADD ("occupied", test_occupied);
  ADD ("cancel/middle", test_cancel);
  ADD ("copy/holes", test_holes);
  ADD ("cancel/before", test_cancelled_before);
  ADD ("suggest-id", test_suggest_id);
  return g_test_run ();
}
