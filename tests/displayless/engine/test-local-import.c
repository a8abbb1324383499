/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <archive.h>
#include <archive_entry.h>
#include <glib/gstdio.h>
#include <string.h>

#include "core/base/cyc-error.h"
#include "support/test-trace.h"
#include "workspace-fixture.h"

/* Previews and imports. What the sample's folder holds was counted with find, awk and its stats. */

#define SAMPLE_FILES 14
#define SAMPLE_BYTES 255599

/* Enough to be cancelled in the midst: each file that is uploaded is put on disk before the next one goes. */
#define MANY_FILES (fixture_is ("elsewhere") ? 300u : 1500u)

static char *
get_sample (void)
{
  return g_test_build_filename (G_TEST_DIST, "..", "samples", "traces", SAMPLE_TRACE, NULL);
}

static CycImportPreview *
inspect (Fixture     *fixture,
         const char  *path,
         GError     **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  cyc_workspace_inspect_async (fixture->workspace, path, NULL, answer_cb, &result);
  return cyc_workspace_inspect_finish (fixture->workspace, answer_wait (&result), error);
}

static void
assert_is_sample (const CycImportPreview *preview)
{
  static const char *const names[] = {
    "_Z9vectorAddPKfS0_Pfi", "_Z7reduce5IfEvPKT_PS0_j", "_Z13matrixMulCUDAILi16EEvPfS0_S0_ii",
    "_Z7scatterPKfPii", "_Z9vectorAddPKfS0_Pfi",
  };

  g_assert_cmpuint (preview->n_files, ==, SAMPLE_FILES);
  g_assert_cmpuint (preview->bytes, ==, SAMPLE_BYTES);
  g_assert_cmpint (preview->record->state, ==, CYC_TRACE_READY);
  g_assert_cmpint (preview->record->kernel_count, ==, 5);
  g_assert_cmpstr (preview->record->trace_gpu_arch, ==, "sm_86");
  g_assert_cmpuint (preview->launches->len, ==, G_N_ELEMENTS (names));
  for (guint i = 0; i < preview->launches->len; i++)
    {
      const CycLaunchRecord *launch = g_ptr_array_index (preview->launches, i);
      g_assert_cmpstr (launch->name, ==, names[i]);
    }
  g_assert_null (cyc_findings_first_error (preview->findings));
}

static void
test_folder (Fixture       *fixture,
             gconstpointer  data)
{
  g_autofree char *sample = get_sample ();
  g_autofree char *folder = g_canonicalize_filename (sample, NULL);
  g_autoptr (GError) error = NULL;
  static const char *const inside[] = {
    "metadata.json", "traces/kernelslist.g", "traces/kernel-3.traceg.xz", "traces/stats_ctx_0x0",
  };

  g_autoptr (CycImportPreview) preview = inspect (fixture, sample, &error);
  g_assert_no_error (error);
  assert_is_sample (preview);
  g_assert_cmpstr (preview->path, ==, folder);
  g_assert_false (preview->archive);
  /* The sample itself is in the workspace. */
  g_assert_cmpstr (preview->suggested_id, ==, "cyclescope-sample-2");
  for (guint i = 0; i < G_N_ELEMENTS (inside); i++)
    {
      g_autofree char *file = g_build_filename (sample, inside[i], NULL);
      g_autoptr (CycImportPreview) same = inspect (fixture, file, &error);
      g_assert_no_error (error);
      assert_is_sample (same);
      g_assert_cmpstr (same->path, ==, folder);
    }
}

static void
pack_below (struct archive *archive,
            const char     *folder,
            const char     *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  struct archive_entry *entry = archive_entry_new ();
  g_autofree char *bytes = NULL;
  const char *child;
  gsize length = 0;

  if (dir == NULL)
    g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  archive_entry_copy_pathname (entry, name);
  archive_entry_set_filetype (entry, dir != NULL ? AE_IFDIR : AE_IFREG);
  archive_entry_set_perm (entry, dir != NULL ? 0755 : 0644);
  archive_entry_set_size (entry, (la_int64_t) length);
  g_assert_cmpint (archive_write_header (archive, entry), ==, ARCHIVE_OK);
  if (length > 0)
    g_assert_cmpint (archive_write_data (archive, bytes, length), ==, (la_ssize_t) length);
  archive_entry_free (entry);
  while (dir != NULL && (child = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *below = g_build_filename (name, child, NULL);
      pack_below (archive, folder, below);
    }
}

/* Packs a folder, with one more file beside it; returns the archive's path. */
static char *
pack (Fixture    *fixture,
      const char *folder,
      const char *name)
{
  char *path = g_build_filename (fixture->folder, name, NULL);
  g_autofree char *parent = g_path_get_dirname (folder);
  g_autofree char *base = g_path_get_basename (folder);
  struct archive *archive = archive_write_new ();

  if (g_str_has_suffix (name, ".zip"))
    archive_write_set_format_zip (archive);
  else
    archive_write_set_format_pax_restricted (archive);
  if (g_str_has_suffix (name, "gz"))
    archive_write_add_filter_gzip (archive);
  if (g_str_has_suffix (name, "xz"))
    archive_write_add_filter_xz (archive);
  g_assert_cmpint (archive_write_open_filename (archive, path), ==, ARCHIVE_OK);
  pack_below (archive, parent, base);
  g_assert_cmpint (archive_write_close (archive), ==, ARCHIVE_OK);
  archive_write_free (archive);
  return path;
}

static void
assert_no_scratch (Fixture *fixture)
{
  g_autofree char *jobs = g_build_filename (fixture->path, "jobs", NULL);
  g_autoptr (GDir) dir = g_dir_open (jobs, 0, NULL);

  g_assert_null (g_dir_read_name (dir));
}

static const char *const archive_names[] = {
  "packed.tar", "stats-of.tar.gz", "packed.tar.xz", "packed.zip", NULL,
};

/* What is told of an archive is what is told of the folder in it. */
static void
test_archive (Fixture       *fixture,
              gconstpointer  data)
{
  g_autofree char *sample = get_sample ();
  g_autoptr (GError) error = NULL;

  for (guint i = 0; archive_names[i] != NULL; i++)
    {
      g_autofree char *path = pack (fixture, sample, archive_names[i]);
      g_autoptr (CycImportPreview) preview = inspect (fixture, path, &error);
      g_assert_no_error (error);
      assert_is_sample (preview);
      g_assert_true (preview->archive);
      g_assert_cmpstr (preview->path, ==, path);
      g_assert_cmpstr (preview->suggested_id, ==, i == 1 ? "stats-of" : "packed");
      assert_no_scratch (fixture);
    }
}

/* Of large kernel files of an archive only the heads are looked at; findings name the archive. */
static void
test_archive_large (Fixture       *fixture,
                    gconstpointer  data)
{
  static const char list_text[] = "kernel-1.traceg\nkernel-2.traceg\nkernel-3.traceg\n";
  g_autofree char *filler = g_strnfill (300 * 1024, '7');
  g_autofree char *folder = g_build_filename (fixture->folder, "app", NULL);
  g_autoptr (GError) error = NULL;

  test_trace_write_kernel (fixture->folder, "app/traces/kernel-1.traceg", 80, "");
  test_trace_write_kernel (fixture->folder, "app/traces/kernel-2.traceg", 80, "");
  g_autofree char *second = g_build_filename (folder, "traces", "kernel-2.traceg", NULL);
  g_autofree char *text = NULL;
  gsize length;
  g_assert_true (g_file_get_contents (second, &text, &length, NULL));
  g_autofree char *large = g_strconcat (text, filler, "\n\n#END_TB\n", NULL);
  test_trace_write_text (fixture->folder, "app/traces/kernel-2.traceg", large);
  test_trace_write_text (fixture->folder, "app/traces/kernelslist.g", list_text);
  test_trace_write_text (fixture->folder, "app/notes.txt", filler);
  g_autofree char *path = pack (fixture, folder, "app.tar.gz");
  g_autoptr (CycImportPreview) preview = inspect (fixture, path, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (preview->record->trace_gpu_arch, ==, "sm_80");
  g_assert_cmpint (preview->record->kernel_count, ==, 3);
  g_assert_cmpuint (preview->n_files, ==, 4);
  g_assert_cmpuint (preview->bytes, ==, length + strlen (large) + strlen (list_text) + strlen (filler));
  const CycFinding *missing = cyc_findings_find (preview->findings, "kernel_file_missing");
  g_autofree char *list = g_build_filename (path, "app", "traces", "kernelslist.g", NULL);
  g_assert_cmpstr (missing->file, ==, list);
  g_assert_cmpuint (missing->line, ==, 3);
  assert_no_scratch (fixture);
}

/* Raw traces have to go through the post-processor first. */
static void
test_raw (Fixture       *fixture,
          gconstpointer  data)
{
  g_autofree char *folder = g_build_filename (fixture->folder, "raw", NULL);
  g_autoptr (GError) error = NULL;

  test_trace_write_kernel (fixture->folder, "raw/traces/kernel-1.trace", 86, "");
  test_trace_write_kernel (fixture->folder, "raw/traces/kernel-2.trace", 86, "");
  test_trace_write_text (fixture->folder, "raw/traces/kernelslist", "kernel-1.trace\nkernel-2.trace\n");
  g_autofree char *archive = pack (fixture, folder, "raw.zip");
  const char *const paths[] = { folder, archive };
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autoptr (CycImportPreview) preview = inspect (fixture, paths[i], &error);
      g_assert_no_error (error);
      g_assert_cmpint (preview->record->state, ==, CYC_TRACE_PROCESSING);
      g_assert_cmpint (preview->record->kernel_count, ==, 2);
      g_assert_nonnull (cyc_findings_find (preview->findings, "needs_processing"));
    }
}

static void
assert_sentence (Fixture    *fixture,
                 const char *path,
                 int         code,
                 const char *words)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (inspect (fixture, path, &error));
  g_assert_error (error, CYC_ERROR, code);
  if (strstr (error->message, words) == NULL || strstr (error->message, path) == NULL)
    g_error ("'%s' does not say '%s' of %s", error->message, words, path);
  assert_no_scratch (fixture);
}

static void
test_no_trace (Fixture       *fixture,
               gconstpointer  data)
{
  g_autofree char *missing = g_build_filename (fixture->folder, "missing", NULL);
  g_autofree char *empty = g_build_filename (fixture->folder, "empty", NULL);
  g_autofree char *text = test_folder_write (fixture->folder, "thesis.txt", "Chapter one\n", -1);

  g_assert_cmpint (g_mkdir (empty, 0700), ==, 0);
  g_autofree char *archive = pack (fixture, empty, "empty.tar.gz");
  assert_sentence (fixture, missing, CYC_ERROR_NOT_FOUND, "no such file or folder");
  assert_sentence (fixture, empty, CYC_ERROR_INPUT, "no trace here");
  assert_sentence (fixture, text, CYC_ERROR_INPUT, "archive");
  assert_sentence (fixture, archive, CYC_ERROR_INPUT, "no trace here");
}

static void
import_async (Fixture               *fixture,
              const char            *path,
              const char            *id,
              CycImportMode          mode,
              CycImportProgressFunc  progress,
              gpointer               progress_data,
              GCancellable          *cancellable,
              GAsyncResult         **result)
{
  const CycImportRequest request = { path, id, mode, progress, progress_data };

  cyc_workspace_import_async (fixture->workspace, &request, cancellable, answer_cb, result);
}

static CycFindings *
import (Fixture        *fixture,
        const char     *path,
        const char     *id,
        CycImportMode   mode,
        GError        **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  import_async (fixture, path, id, mode, NULL, NULL, NULL, &result);
  return cyc_workspace_import_finish (fixture->workspace, answer_wait (&result), error);
}

typedef struct
{
  CycWorkspace *workspace;
  const char   *id;
} Listed;

static gboolean
is_listed (gpointer data)
{
  Listed *listed = data;
  g_autoptr (CycTrace) trace = cyc_workspace_find_trace (listed->workspace, listed->id);

  return trace != NULL;
}

static gboolean
is_gone (gpointer data)
{
  return !is_listed (data);
}

/* Nothing is left of an import under that id: another can use it. */
static void
assert_gone (Fixture    *fixture,
             const char *id)
{
  Listed listed = { fixture->workspace, id };
  g_autofree char *folder = g_build_filename (fixture->path, "traces", id, NULL);

  fixture_wait (is_gone, &listed, "the trace to go");
  g_assert_false (g_file_test (folder, G_FILE_TEST_EXISTS));
}

static void
test_import (Fixture       *fixture,
             gconstpointer  data)
{
  static const CycImportMode modes[] = {
    CYC_IMPORT_COPY, CYC_IMPORT_HARD_LINK, CYC_IMPORT_SYMBOLIC_LINK, CYC_IMPORT_COPY,
  };
  g_autofree char *sample = get_sample ();
  g_autofree char *archive = pack (fixture, sample, "packed.tar.xz");
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    {
      g_autofree char *id = g_strdup_printf ("mine-%u", i);
      g_autoptr (CycFindings) findings = import (fixture, i == 3 ? archive : sample, id, modes[i], &error);
      g_assert_no_error (error);
      g_assert_null (cyc_findings_first_error (findings));
      Listed listed = { fixture->workspace, id };
      fixture_wait (is_listed, &listed, "the trace");
      g_autoptr (CycTrace) trace = cyc_workspace_find_trace (fixture->workspace, id);
      const CycTraceRecord *record = cyc_trace_get_record (trace);
      g_assert_cmpint (record->kernel_count, ==, 5);
      g_assert_cmpint (record->bytes, ==, SAMPLE_BYTES);
      g_autofree char *file = g_build_filename (fixture->path, "traces", id, "traces",
                                                "kernel-4.traceg.xz", NULL);
      g_assert_true (g_file_test (file, G_FILE_TEST_IS_REGULAR));
      g_assert_true (g_file_test (file, G_FILE_TEST_IS_SYMLINK) == (i == 2 && !fixture_is ("elsewhere")));
    }
  /* The models follow with the next batch; the answer came when it was ready. */
  g_autoptr (CycImportPreview) preview = inspect (fixture, archive, &error);
  g_assert_cmpstr (preview->suggested_id, ==, "packed");
}

/* Ids that are taken, and names that are none. */
static void
test_refused (Fixture       *fixture,
              gconstpointer  data)
{
  g_autofree char *sample = get_sample ();
  g_autofree char *archive = pack (fixture, sample, "packed.tar");
  g_autofree char *missing = g_build_filename (fixture->folder, "missing", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_null (import (fixture, sample, SAMPLE_TRACE, CYC_IMPORT_COPY, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_EXISTS);
  g_clear_error (&error);
  Listed listed = { fixture->workspace, SAMPLE_TRACE };
  g_assert_true (is_listed (&listed));
  g_assert_null (import (fixture, sample, "../x", CYC_IMPORT_COPY, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_INPUT);
  g_clear_error (&error);
  /* How files get in matters only where they are linked or copied. */
  if (!fixture_is ("elsewhere"))
    {
      g_assert_null (import (fixture, archive, "linked", CYC_IMPORT_HARD_LINK, &error));
      g_assert_error (error, CYC_ERROR, CYC_ERROR_VALUE);
      g_clear_error (&error);
      assert_gone (fixture, "linked");
    }
  g_assert_null (import (fixture, missing, "missing", CYC_IMPORT_COPY, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_NOT_FOUND);
  assert_gone (fixture, "missing");
}

/* A removed trace can be restored after an import that wanted its name. */
static void
test_removed_name (Fixture       *fixture,
                   gconstpointer  data)
{
  g_autofree char *folder = g_build_filename (fixture->folder, "small", NULL);
  g_autofree char *stray = g_build_filename (fixture->path, "traces", "spare", "traces", "kernel-77.traceg", NULL);
  Listed listed = { fixture->workspace, "spare" };
  g_autoptr (GAsyncResult) removed = NULL, restored = NULL;
  g_autoptr (GError) error = NULL;

  test_trace_write_kernel (fixture->folder, "small/traces/kernel-1.traceg", 86, "");
  test_trace_write_text (fixture->folder, "small/traces/kernelslist.g", "kernel-1.traceg\n");
  g_autoptr (CycFindings) findings = import (fixture, folder, "spare", CYC_IMPORT_COPY, &error);
  g_assert_no_error (error);
  g_assert_nonnull (findings);
  cyc_workspace_remove_trace_async (fixture->workspace, "spare", NULL, answer_cb, &removed);
  answer_wait_done (fixture->workspace, &removed);
  fixture_wait (is_gone, &listed, "the trace to go");
  test_trace_write_kernel (fixture->folder, "small/traces/kernel-77.traceg", 86, "");
  test_trace_write_text (fixture->folder, "small/traces/kernelslist.g", "kernel-77.traceg\n");
  g_assert_null (import (fixture, folder, "spare", CYC_IMPORT_COPY, &error));
  g_assert_nonnull (strstr (error->message, "can still be restored"));
  g_assert_false (g_file_test (stray, G_FILE_TEST_EXISTS));
  cyc_workspace_restore_trace_async (fixture->workspace, "spare", NULL, answer_cb, &restored);
  answer_wait_done (fixture->workspace, &restored);
  fixture_wait (is_listed, &listed, "the trace to come back");
}

/* A trace that is there and cannot be used is kept, with the reason. */
static void
test_failed (Fixture       *fixture,
             gconstpointer  data)
{
  g_autofree char *folder = g_build_filename (fixture->folder, "bad", NULL);
  g_autoptr (GError) error = NULL;

  test_trace_write_kernel (fixture->folder, "bad/traces/kernel-1.traceg", 86, "");
  test_trace_write_text (fixture->folder, "bad/traces/kernelslist.g", "kernel-1.traceg\n");
  test_trace_write_text (fixture->folder, "bad/metadata.json",
                         "{\"status\": \"failed\", \"error\": \"the GPU fell off the bus\"}");
  g_assert_null (import (fixture, folder, "bad", CYC_IMPORT_COPY, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_INPUT);
  g_assert_nonnull (strstr (error->message, "the GPU fell off the bus"));
  Listed listed = { fixture->workspace, "bad" };
  fixture_wait (is_listed, &listed, "the failed trace");
}

static char *
make_many (Fixture *fixture)
{
  g_autofree char *log = g_strnfill (1000, 'x');

  test_trace_write_kernel (fixture->folder, "many/traces/kernel-1.traceg", 86, "");
  test_trace_write_text (fixture->folder, "many/traces/kernelslist.g", "kernel-1.traceg\n");
  for (guint i = 2; i < MANY_FILES; i++)
    {
      g_autofree char *name = g_strdup_printf ("many/recorded/%u.txt", i);
      g_autofree char *path = test_folder_write (fixture->folder, name, log, 1000);
      g_assert_nonnull (path);
    }
  return g_build_filename (fixture->folder, "many", NULL);
}

typedef struct
{
  GArray            *times;
  CycImportProgress  last;
} Told;

static void
progress_cb (const CycImportProgress *progress,
             gpointer                 data)
{
  Told *told = data;
  gint64 now = g_get_monotonic_time ();

  g_array_append_val (told->times, now);
  g_assert_cmpuint (progress->files_done, >=, told->last.files_done);
  g_assert_cmpuint (progress->files_done, <=, MANY_FILES);
  told->last = *progress;
}

static void
test_progress (Fixture       *fixture,
               gconstpointer  data)
{
  g_autofree char *many = make_many (fixture);
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (gint64));
  Told told = { .times = times };
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  gint64 begin = g_get_monotonic_time ();

  import_async (fixture, many, "many", CYC_IMPORT_COPY, progress_cb, &told, NULL, &result);
  g_autoptr (CycFindings) findings =
    cyc_workspace_import_finish (fixture->workspace, answer_wait (&result), &error);
  g_assert_no_error (error);
  /* A fast machine may be ready before there is anything to tell. */
  if (g_get_monotonic_time () - begin > G_USEC_PER_SEC)
    g_assert_cmpuint (times->len, >, 0);
  if (times->len > 0)
    {
      g_assert_cmpuint (told.last.files_total, ==, MANY_FILES);
      g_assert_cmpuint (told.last.bytes_total, >, (MANY_FILES - 2) * 1000);
    }
  for (guint i = 10; i < times->len; i++)
    g_assert_cmpint (g_array_index (times, gint64, i) - g_array_index (times, gint64, i - 10), >=, 900000);
}

typedef struct
{
  char         *folder;
  GCancellable *cancellable;
} Cancel;

static gboolean
cancel_cb (gpointer data)
{
  Cancel *cancel = data;

  if (g_file_test (cancel->folder, G_FILE_TEST_EXISTS))
    g_cancellable_cancel (cancel->cancellable);
  return G_SOURCE_CONTINUE;
}

/* A cancel before anything was done, or in the midst, leaves nothing. */
static void
test_cancel (Fixture       *fixture,
             gconstpointer  data)
{
  g_autofree char *many = make_many (fixture);
  g_autofree char *folder = g_build_filename (fixture->path, "traces", "many", "recorded", NULL);

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      Cancel cancel = { folder, cancellable };
      guint id = i == 0 ? 0 : g_timeout_add (1, cancel_cb, &cancel);
      g_autoptr (GAsyncResult) result = NULL;
      g_autoptr (GError) error = NULL;

      import_async (fixture, many, "many", CYC_IMPORT_COPY, NULL, NULL, cancellable, &result);
      if (i == 0)
        g_cancellable_cancel (cancellable);
      g_assert_null (cyc_workspace_import_finish (fixture->workspace, answer_wait (&result), &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      if (id != 0)
        g_source_remove (id);
      assert_gone (fixture, "many");
    }
  g_autoptr (GError) error = NULL;
  g_autoptr (CycImportPreview) preview = inspect (fixture, many, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (preview->suggested_id, ==, "many");
}

/* An import under way is taken back before the workspace closes. */
static void
test_close (Fixture       *fixture,
            gconstpointer  data)
{
  g_autofree char *many = make_many (fixture);
  g_autoptr (CycWorkspace) kept = g_object_ref (fixture->workspace);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  import_async (fixture, many, "many", CYC_IMPORT_COPY, NULL, NULL, NULL, &result);
  fixture_close (g_steal_pointer (&fixture->workspace));
  g_assert_null (cyc_workspace_import_finish (kept, answer_wait (&result), &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_object (&kept);
  fixture_reopen (fixture);
  assert_gone (fixture, "many");
}

#define ADD(name, func) \
  g_test_add ("/engine/local-import/" name, Fixture, NULL, fixture_set_up, func, fixture_tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("folder", test_folder);
  ADD ("archive", test_archive);
  ADD ("archive-large", test_archive_large);
  ADD ("raw", test_raw);
  ADD ("no-trace", test_no_trace);
  ADD ("import", test_import);
  ADD ("refused", test_refused);
  ADD ("removed-name", test_removed_name);
  ADD ("failed", test_failed);
  ADD ("progress", test_progress);
  ADD ("cancel", test_cancel);
  ADD ("close", test_close);
  return g_test_run ();
}
