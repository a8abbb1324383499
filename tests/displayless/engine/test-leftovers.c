/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-process.h"
#include "engine/cyc-engine.h"
#include "engine/cyc-job.h"
#include "engine/cyc-service.h"
#include "support/test-folder.h"
#include "support/test-mount.h"

/* What imports, uploads and removals leave when they are interrupted, and who clears it. */

#define PATIENCE_US (60 * G_USEC_PER_SEC)

static gboolean mounts_allowed;

static gboolean
turn_cb (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

static void
test_wait (gboolean  (*condition) (gpointer data),
           gpointer    data,
           const char *what)
{
  gint64 deadline = g_get_monotonic_time () + PATIENCE_US;
  guint turns = g_timeout_add (5, turn_cb, NULL);

  while (!condition (data))
    {
      if (g_get_monotonic_time () > deadline)
        g_error ("waited in vain: %s", what);
      g_main_context_iteration (NULL, TRUE);
    }
  g_source_remove (turns);
}

static CycEngine *
open_engine (TestFolder folder)
{
  g_autoptr (GError) error = NULL;
  CycEngine *engine = cyc_engine_open (folder, CYC_ENGINE_QUIET, NULL, &error);

  g_assert_no_error (error);
  return engine;
}

static void
close_engine (CycEngine *engine)
{
  cyc_engine_close (engine);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_object_unref (engine);
}

typedef struct
{
  gboolean  done;
  GError   *error;
} Outcome;

static void
finished_cb (GObject      *source,
             GAsyncResult *result,
             gpointer      user_data)
{
  Outcome *outcome = user_data;

  cyc_engine_finish (CYC_ENGINE (source), result, &outcome->error);
  outcome->done = TRUE;
}

static gboolean
is_done (gpointer data)
{
  Outcome *outcome = data;

  return outcome->done;
}

static void
begin (CycEngine  *engine,
       const char *id,
       gint64      pid,
       guint64     start,
       Outcome    *outcome)
{
  cyc_engine_begin_trace (engine, id, pid, start, FALSE, finished_cb, outcome);
  test_wait (is_done, outcome, "the trace to begin");
}

static void
put (TestFolder  folder,
     const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *parent = g_path_get_dirname (path);

  g_assert_cmpint (g_mkdir_with_parents (parent, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, "x", 1, NULL));
}

static gboolean
exists (TestFolder  folder,
        const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static guint
count_condemned (TestFolder folder)
{
  g_autofree char *jobs = g_build_filename (folder, "jobs", NULL);
  g_autoptr (GDir) dir = g_dir_open (jobs, 0, NULL);
  const char *name;
  guint n = 0;

  while ((name = g_dir_read_name (dir)) != NULL)
    n += g_str_has_prefix (name, ".removed-");
  return n;
}

/* An importer that was killed: the next engine, however short it lives, takes the id back whole. */
static void
test_dead_importer (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  Outcome first = { 0 }, second = { 0 };

  CycEngine *engine = open_engine (folder);
  /* No process has ever had this start time. */
  begin (engine, "t", getpid (), 1, &first);
  g_assert_no_error (first.error);
  put (folder, "traces/t/traces/kernel-1.traceg");
  close_engine (engine);

  /* Closed at once: what it found out is carried out, or told to nobody. */
  close_engine (open_engine (folder));
  g_assert_false (exists (folder, "traces/t"));

  engine = open_engine (folder);
  g_assert_null (cyc_engine_find_trace (engine, "t", NULL));
  begin (engine, "t", getpid (), cyc_process_get_start_time (getpid ()), &second);
  g_assert_no_error (second.error);
  g_assert_true (exists (folder, "traces/t"));
  close_engine (engine);
}

/* An upload that broke off before its trace existed leaves folders, and perhaps a part. */
static void
test_broken_upload (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  Outcome empty = { 0 }, full = { 0 };
  CycEngine *engine = open_engine (folder);

  put (folder, "traces/t/traces/deep/.cyc-upload-abc.part");
  begin (engine, "t", getpid (), cyc_process_get_start_time (getpid ()), &empty);
  g_assert_no_error (empty.error);

  /* A folder that holds anything else is somebody's. */
  put (folder, "traces/u/traces/kernel-1.traceg");
  begin (engine, "u", getpid (), cyc_process_get_start_time (getpid ()), &full);
  g_assert_error (full.error, CYC_ERROR, CYC_ERROR_EXISTS);
  g_clear_error (&full.error);
  g_assert_true (exists (folder, "traces/u/traces/kernel-1.traceg"));
  close_engine (engine);
}

/* What a short command was told to remove is gone when it ends. */
static void
test_removed_at_once (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  Outcome begun = { 0 }, removed = { 0 };
  CycEngine *engine = open_engine (folder);

  begin (engine, "t", getpid (), cyc_process_get_start_time (getpid ()), &begun);
  for (guint i = 0; i < 200; i++)
    {
      g_autofree char *name = g_strdup_printf ("traces/t/traces/kernel-%u.traceg", i);
      put (folder, name);
    }
  cyc_engine_remove_trace (engine, "t", TRUE, finished_cb, &removed);
  test_wait (is_done, &removed, "the trace to go");
  g_assert_no_error (removed.error);
  close_engine (engine);
  g_assert_false (exists (folder, "traces/t"));
  g_assert_cmpuint (count_condemned (folder), ==, 0);
}


static gboolean
is_swept (gpointer data)
{
  TestFolder *folder = data;

  return count_condemned (*folder) == 0 && !exists (*folder, "traces/t/.cyc-upload-old.part");
}

static gboolean
is_past (gpointer data)
{
  gint64 *moment = data;

  return g_get_real_time () > *moment;
}

static void
stopped_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  Outcome *outcome = user_data;

  outcome->done = cyc_service_stop_finish (CYC_SERVICE (source), result, &outcome->error);
}

/* A service clears what engines before it left: trees that were moved away, parts of uploads. */
static void
test_sweep (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autoptr (GError) error = NULL;
  Outcome begun = { 0 }, stopped = { 0 };
  CycEngine *engine = open_engine (folder);

  begin (engine, "t", 0, 0, &begun);
  close_engine (engine);
  put (folder, "traces/t/.cyc-upload-old.part");
  put (folder, "traces/t/kept.part");
  put (folder, "jobs/.removed-0123/deep/file");
  /* What is younger than the engine, as far as the clock of files tells, is left alone. */
  gint64 later = g_get_real_time () + 200 * 1000;
  test_wait (is_past, &later, "some time to pass");

  CycService *service = cyc_service_start (folder, NULL, NULL, &error);
  g_assert_no_error (error);
  test_wait (is_swept, &folder, "the sweep");
  g_assert_true (exists (folder, "traces/t/kept.part"));
  cyc_service_stop_async (service, stopped_cb, &stopped);
  test_wait (is_done, &stopped, "the service to stop");
  g_object_unref (service);
}

static void
test_removed_run (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autoptr (GError) error = NULL;
  Outcome removed = { 0 };

  g_setenv ("CASCADE_SAMPLES", "true", TRUE);
  CycEngine *engine = open_engine (folder);
  g_setenv ("CASCADE_SAMPLES", "false", TRUE);
  g_autoptr (GPtrArray) runs = cyc_engine_list_run_records (engine);
  g_assert_cmpuint (runs->len, ==, 1);
  const CycRunRecord *run = g_ptr_array_index (runs, 0);
  g_autofree char *id = g_strdup (run->id);
  g_autofree char *place = g_build_filename ("runs", id, NULL);
  /* Its recorded logs are read first. */
  while (cyc_run_record_get_state (cyc_engine_find_run (engine, id, NULL)) == CYC_RUN_ACTIVE)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (exists (folder, place));

  cyc_engine_remove_run (engine, id, finished_cb, &removed);
  test_wait (is_done, &removed, "the run to go");
  g_assert_no_error (removed.error);
  g_assert_null (cyc_engine_find_run (engine, id, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_NOT_FOUND);
  close_engine (engine);
  g_assert_false (exists (folder, place));
  g_assert_cmpuint (count_condemned (folder), ==, 0);
}

/* The disk has no room for another file: that is what is said, for the sim must wait, not fail. */
static void
test_no_room_for_worker (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autoptr (GError) error = NULL;

  if (!mounts_allowed)
    {
      g_test_skip ("mounting is not allowed here");
      return;
    }
  test_mount_disk (folder, "nr_inodes=3");
  g_autofree char *job = test_folder_write (folder, "sim-0/job.json", "{}", -1);
  g_autoptr (GSubprocess) worker = cyc_job_spawn (job, &error);
  g_assert_null (worker);
  g_assert_error (error, CYC_ERROR, CYC_ERROR_NO_SPACE);
  g_assert_nonnull (strstr (error->message, "sim-0/worker.log"));
  test_unmount_disk (folder);
}

/* The database cannot grow: of a trace that was not to be nothing stays. */
static void
test_full_database (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  struct rlimit limit, tight;
  Outcome full = { 0 };
  Outcome again = { 0 };
  CycEngine *engine = open_engine (folder);

  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  signal (SIGXFSZ, SIG_IGN);
  tight = limit;
  tight.rlim_cur = 4096;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &tight), ==, 0);
  begin (engine, "t", 0, 0, &full);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  signal (SIGXFSZ, SIG_DFL);
  g_assert_error (full.error, CYC_ERROR, CYC_ERROR_NO_SPACE);
  g_clear_error (&full.error);
  g_assert_false (exists (folder, "traces/t"));
  begin (engine, "t", 0, 0, &again);
  g_assert_no_error (again.error);
  g_assert_true (exists (folder, "traces/t"));
  close_engine (engine);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  mounts_allowed = test_mounts_allow ();
  g_setenv ("CASCADE_SAMPLES", "false", TRUE);
  g_test_add_func ("/engine/leftovers/dead-importer", test_dead_importer);
  g_test_add_func ("/engine/leftovers/broken-upload", test_broken_upload);
  g_test_add_func ("/engine/leftovers/removed-at-once", test_removed_at_once);
  g_test_add_func ("/engine/leftovers/sweep", test_sweep);
  g_test_add_func ("/engine/leftovers/removed-run", test_removed_run);
  g_test_add_func ("/engine/leftovers/no-room-for-worker", test_no_room_for_worker);
  g_test_add_func ("/engine/leftovers/full-database", test_full_database);
  return g_test_run ();
}
