/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-importer.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/accelsim/cyc-kernels-list.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-json.h"
#include "core/base/cyc-name.h"
#include "core/base/cyc-task.h"
#include "engine/cyc-import-private.h"

#define MAX_ID 200
#define MAX_METADATA (8 * 1024 * 1024)

static const char *const archive_endings[] = {
  ".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz", ".zip",
};

struct _CycImporter
{
  GObject            parent_instance;

  char              *source;
  char              *target;
  CycImportMode      mode;
  guint64            reserve;
  CycFindings       *findings;

  GMutex             mutex;
  CycImportProgress  progress; /* under the mutex */
};

G_DEFINE_FINAL_TYPE (CycImporter, cyc_importer, G_TYPE_OBJECT)

static void
cyc_importer_finalize (GObject *object)
{
  CycImporter *self = CYC_IMPORTER (object);

  g_free (self->source);
  g_free (self->target);
  cyc_findings_free (self->findings);
  g_mutex_clear (&self->mutex);

  G_OBJECT_CLASS (cyc_importer_parent_class)->finalize (object);
}

static void
cyc_importer_class_init (CycImporterClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = cyc_importer_finalize;
}

static void
cyc_importer_init (CycImporter *self)
{
  self->findings = cyc_findings_new ();
  g_mutex_init (&self->mutex);
}

CycFindings *
_cyc_importer_get_findings (CycImporter *self)
{
  return self->findings;
}

void
_cyc_importer_set_total (CycImporter *self,
                         guint64      bytes,
                         guint        files)
{
  g_mutex_lock (&self->mutex);
  self->progress.bytes_total = bytes;
  self->progress.files_total = files;
  g_mutex_unlock (&self->mutex);
}

void
_cyc_importer_add_progress (CycImporter *self,
                            guint64      bytes,
                            guint        files)
{
  g_mutex_lock (&self->mutex);
  self->progress.bytes_done += bytes;
  self->progress.files_done += files;
  g_mutex_unlock (&self->mutex);
}

static gsize
get_archive_ending (const char *name)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);

  for (guint i = 0; i < G_N_ELEMENTS (archive_endings); i++)
    if (g_str_has_suffix (lower, archive_endings[i]))
      return strlen (archive_endings[i]);
  return 0;
}

static gboolean
is_in_trace (const char *name)
{
  if (get_archive_ending (name) > 0)
    return FALSE;
  return g_str_has_prefix (name, "kernelslist") || g_str_has_prefix (name, "stats") ||
         strcmp (name, "metadata.json") == 0 || strcmp (name, "real_timing.json") == 0 ||
         cyc_kernel_file_is_trace (name) || cyc_kernel_file_is_raw (name);
}

/**
 * cyc_importer_find_source:
 * @path: what somebody pointed at
 *
 * A file of a trace's folder stands for the folder. Looks at names, and at most at one folder.
 *
 * Returns: (transfer full): a path that can be a source: the absolute one of the folder, or @path as
 *   it is
 */
char *
cyc_importer_find_source (const char *path)
{
  g_return_val_if_fail (path != NULL, NULL);

  g_autofree char *full = g_canonicalize_filename (path, NULL);
  g_autofree char *name = g_path_get_basename (full);
  if (!is_in_trace (name) || g_file_test (full, G_FILE_TEST_IS_DIR))
    return g_strdup (path);

  char *folder = g_path_get_dirname (full);
  g_autofree char *folder_name = g_path_get_basename (folder);
  g_autofree char *parent = g_path_get_dirname (folder);
  if (strcmp (folder_name, "traces") != 0)
    return folder;
  /* Beside `traces` lies what belongs to the trace too. */
  g_autofree char *metadata = g_build_filename (parent, "metadata.json", NULL);
  if (!g_file_test (metadata, G_FILE_TEST_EXISTS))
    return folder;
  g_free (folder);
  return g_steal_pointer (&parent);
}

/**
 * cyc_importer_new:
 * @source: a folder of a trace in any form that cyc_trace_places_find() knows, a file in it, or an
 *   archive of one: `.tar`, `.tar.gz`, `.tar.xz`, `.zip`
 * @target: the trace's folder in the workspace; exists and is empty
 * @mode: how files get there
 * @reserve: bytes that must stay free on the disk, such as %CYC_IMPORT_RESERVE
 *
 * Fills the folder of a trace: what belongs to the trace goes to the target, the lists and kernel
 * files to `traces` in it. The source is only read.
 *
 * Returns: (transfer full): an import that has not begun
 */
CycImporter *
cyc_importer_new (const char    *source,
                  const char    *target,
                  CycImportMode  mode,
                  guint64        reserve)
{
  g_return_val_if_fail (source != NULL && target != NULL, NULL);

  CycImporter *self = g_object_new (CYC_TYPE_IMPORTER, NULL);
  self->source = g_strdup (source);
  self->target = g_strdup (target);
  self->mode = mode;
  self->reserve = reserve;
  return self;
}

/**
 * cyc_importer_run:
 * @self: an import that has not begun
 * @cancellable: (nullable): stops it
 * @error: (nullable): return location for an error: %CYC_ERROR_INPUT names the file or the entry
 *   that is refused, %CYC_ERROR_NO_SPACE, %CYC_ERROR_VALUE (an archive cannot be linked)
 *
 * Imports, which may take long: not for the main loop. After a failure the target holds a part;
 * the caller removes it with cyc_file_remove_tree(), which never touches the source.
 *
 * Returns: %TRUE when everything is in place and on disk
 */
gboolean
cyc_importer_run (CycImporter   *self,
                  GCancellable  *cancellable,
                  GError       **error)
{
  g_return_val_if_fail (CYC_IS_IMPORTER (self), FALSE);

  g_autofree char *source = cyc_importer_find_source (self->source);
  gboolean is_folder = g_file_test (source, G_FILE_TEST_IS_DIR);
  if (!g_file_test (self->source, G_FILE_TEST_EXISTS))
    {
      cyc_error_set_at (error, CYC_ERROR_NOT_FOUND, self->source, 0, "no such file or folder");
      return FALSE;
    }
  if (!is_folder && self->mode != CYC_IMPORT_COPY)
    {
      cyc_error_set_at (error, CYC_ERROR_VALUE, self->source, 0,
                        "an archive cannot be linked; unpack it first, or copy");
      return FALSE;
    }
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  g_autoptr (ImportTarget) target = _cyc_import_target_open (self->target, self->reserve, error);
  if (target == NULL)
    return FALSE;
  return is_folder ? _cyc_import_folder (self, source, target, self->mode, cancellable, error)
                   : _cyc_import_archive (self, source, target, cancellable, error);
}

static void
run_worker (GTask        *task,
            gpointer      source_object,
            gpointer      task_data,
            GCancellable *cancellable)
{
  GError *error = NULL;

  if (cyc_importer_run (source_object, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/**
 * cyc_importer_run_async:
 * @self: an import that has not begun
 * @cancellable: (nullable): stops it
 * @callback: runs when it is over, after a cancel too only when its thread has let go of all files
 * @user_data: for @callback
 *
 * cyc_importer_run() on a thread.
 */
void
cyc_importer_run_async (CycImporter         *self,
                        GCancellable        *cancellable,
                        GAsyncReadyCallback  callback,
                        gpointer             user_data)
{
  g_return_if_fail (CYC_IS_IMPORTER (self));

  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, cyc_importer_run_async);
  /* What the thread says is the truth: a cancel that came too late has not stopped anything. */
  g_task_set_check_cancellable (task, FALSE);
  cyc_task_run_in_thread (task, run_worker);
}

/**
 * cyc_importer_run_finish:
 * @self: an import
 * @result: what the callback got
 * @error: (nullable): return location for an error of cyc_importer_run()
 *
 * Returns: %TRUE when everything is in place and on disk
 */
gboolean
cyc_importer_run_finish (CycImporter   *self,
                         GAsyncResult  *result,
                         GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * cyc_importer_get_progress:
 * @self: an import
 * @out_progress: (out): how far it is
 *
 * Any thread, at any time.
 */
void
cyc_importer_get_progress (CycImporter       *self,
                           CycImportProgress *out_progress)
{
  g_return_if_fail (CYC_IS_IMPORTER (self) && out_progress != NULL);

  g_mutex_lock (&self->mutex);
  *out_progress = self->progress;
  g_mutex_unlock (&self->mutex);
}

/**
 * cyc_importer_get_findings:
 * @self: an import that is over
 *
 * Returns: (transfer none): what was left out, and what was done otherwise than asked
 */
const CycFindings *
cyc_importer_get_findings (CycImporter *self)
{
  g_return_val_if_fail (CYC_IS_IMPORTER (self), NULL);

  return self->findings;
}

static char *
make_plain (const char *name)
{
  g_autoptr (GString) id = g_string_new (NULL);

  for (const char *p = name; *p != '\0' && id->len < MAX_ID; p++)
    {
      gboolean good = g_ascii_isalnum (*p) || *p == '_' ||
                      (id->len > 0 && (*p == '.' || *p == '-'));
      g_string_append_c (id, good ? *p : '_');
    }
  return id->len == 0 ? g_strdup ("trace") : g_string_free (g_steal_pointer (&id), FALSE);
}

static char *
id_of_folder (const char  *path,
              GError     **error)
{
  g_autoptr (CycTracePlaces) places = cyc_trace_places_find (path, error);
  if (places == NULL)
    return NULL;
  g_autofree char *metadata = g_build_filename (places->root, "metadata.json", NULL);
  g_autoptr (JsonNode) node = g_file_test (metadata, G_FILE_TEST_IS_REGULAR)
                                ? cyc_json_parse_file (metadata, MAX_METADATA, NULL) : NULL;
  JsonObject *object = node == NULL ? NULL : cyc_json_node_get_object (node);
  const char *run_name = object == NULL ? NULL : cyc_json_get_string (object, "run_name");
  if (run_name != NULL && run_name[0] != '\0')
    return make_plain (run_name);

  g_autofree char *name = g_path_get_basename (path);
  if (strcmp (name, "traces") == 0)
    {
      g_autofree char *parent = g_path_get_dirname (path);
      g_free (name);
      name = g_path_get_basename (parent);
    }
  return make_plain (strcmp (name, "/") == 0 ? "" : name);
}

/**
 * cyc_importer_suggest_id:
 * @source: what is to be imported
 * @error: (nullable): return location for an error
 *
 * An id for the trace: `run_name` of metadata.json, or the name of the folder or archive without
 * its ending, with `_` for what an id may not hold. Reads files.
 *
 * Returns: (transfer full) (nullable): an id for which cyc_name_is_plain() is true; %NULL if there
 *   is no trace
 */
char *
cyc_importer_suggest_id (const char  *source,
                         GError     **error)
{
  g_return_val_if_fail (source != NULL, NULL);

  char real[PATH_MAX];
  g_autofree char *path = cyc_importer_find_source (source);
  if (realpath (path, real) == NULL)
    {
      cyc_error_set_at (error, CYC_ERROR_NOT_FOUND, source, 0, "no such file or folder");
      return NULL;
    }
  if (g_file_test (real, G_FILE_TEST_IS_DIR))
    return id_of_folder (real, error);

  /* The name as given: a link may well have the better one. */
  g_autofree char *name = g_path_get_basename (source);
  name[strlen (name) - get_archive_ending (name)] = '\0';
  return make_plain (name);
}
