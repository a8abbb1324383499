/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-engine-takeover-private.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/accelsim/cyc-output-files.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-file.h"
#include "core/base/cyc-json.h"
#include "core/base/cyc-task.h"

/* What a simulator left beside its log, kept by the engine because the worker died: on a thread. It may
 * be done again after a crash: nothing is taken away from the job's folder. */

#define STDERR_BYTES (64 * 1024)
#define MAX_JOB (256 * 1024 * 1024)
#define NOTE "the worker died; the engine kept what the simulator had written"

typedef struct
{
  char               *job;
  char               *folder;  /* of the kept files */
  GPtrArray          *files;   /* of CycFileRecord */
  GString            *notes;
  CycOutputsKeptFunc  func;
  gpointer            user_data;
} Keep;

static void
keep_free (gpointer data)
{
  Keep *self = data;

  g_free (self->job);
  g_free (self->folder);
  g_ptr_array_unref (self->files);
  g_string_free (self->notes, TRUE);
  g_free (self);
}

/**
 * cyc_file_tail:
 * @path: a regular file
 * @max: how many bytes of its end at most
 * @out_len: (out): how many there are
 *
 * Returns: (transfer full) (nullable): the bytes and a NUL; %NULL if it cannot be read
 */
char *
cyc_file_tail (const char *path,
               gsize       max,
               gsize      *out_len)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  struct stat st;
  ssize_t n = -1;

  *out_len = 0;
  if (fd < 0)
    return NULL;
  g_autofree char *text = g_malloc (max + 1);
  if (fstat (fd, &st) == 0 && S_ISREG (st.st_mode))
    n = pread (fd, text, max, MAX (0, st.st_size - (off_t) max));
  close (fd);
  if (n < 0)
    return NULL;
  *out_len = (gsize) n;
  text[n] = '\0';
  return g_steal_pointer (&text);
}

static GHashTable *
read_staged (const char *job)
{
  GHashTable *staged = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *path = g_build_filename (job, "job.json", NULL);
  g_autoptr (JsonNode) node = cyc_json_parse_file (path, MAX_JOB, NULL);
  JsonArray *stage = cyc_json_get_array (cyc_json_node_get_object (node), "stage");

  for (guint i = 0; stage != NULL && i < json_array_get_length (stage); i++)
    {
      JsonObject *item = cyc_json_node_get_object (json_array_get_element (stage, i));
      const char *name = cyc_json_get_string (item, "path");
      if (name != NULL && g_strcmp0 (cyc_json_get_string (item, "type"), "text") == 0)
        g_hash_table_add (staged, g_strdup (name));
    }
  return staged;
}

static void
add_file (Keep       *self,
          const char *name,
          guint64     size)
{
  CycFileRecord *file = cyc_file_record_new ();

  file->name = g_strdup (name);
  file->size = size;
  g_ptr_array_add (self->files, file);
}

static gboolean
keep_bytes (Keep        *self,
            const char  *name,
            const char  *bytes,
            gsize        len,
            GError     **error)
{
  g_autofree char *to = g_build_filename (self->folder, name, NULL);

  if (!cyc_file_replace (to, bytes, len, 0600, error))
    return FALSE;
  add_file (self, name, len);
  return TRUE;
}

static gboolean
sync_path (const char *path)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  gboolean ok = fd >= 0 && fsync (fd) == 0;

  if (fd >= 0)
    close (fd);
  return ok;
}

/* By a second name where the file system knows links, else by a copy. */
static gboolean
place (const char  *from,
       const char  *to,
       GError     **error)
{
  unlink (to);
  if (link (from, to) == 0)
    return TRUE;
  g_autoptr (GFile) source = g_file_new_for_path (from);
  g_autoptr (GFile) target = g_file_new_for_path (to);
  return g_file_copy (source, target, G_FILE_COPY_OVERWRITE | G_FILE_COPY_NOFOLLOW_SYMLINKS, NULL, NULL,
                      NULL, error);
}

static gboolean
keep_file (Keep                 *self,
           const CycOutputFile  *file,
           GError              **error)
{
  g_autofree char *to = g_build_filename (self->folder, file->name, NULL);
  struct stat st;

  if (!(file->pack ? cyc_output_pack (file->path, to, NULL, error) : place (file->path, to, error)))
    return FALSE;
  if (!sync_path (to) || lstat (to, &st) != 0)
    {
      cyc_error_set_errno (error, errno, to, "cannot put it on disk");
      return FALSE;
    }
  add_file (self, file->name, (guint64) st.st_size);
  return TRUE;
}

static void
add_note (const char *note,
          gpointer    user_data)
{
  Keep *self = user_data;

  g_string_append_printf (self->notes, "%s\n", note);
}

static gboolean
keep_all (Keep    *self,
          GError **error)
{
  g_autofree char *err = g_build_filename (self->job, "sim.err", NULL);
  g_autofree char *work = g_build_filename (self->job, "work", NULL);
  g_autoptr (GHashTable) staged = read_staged (self->job);
  gsize len;
  g_autofree char *text = cyc_file_tail (err, STDERR_BYTES, &len);

  if (!cyc_file_make_folder (self->folder, 0700, error) ||
      (text != NULL && !keep_bytes (self, CYC_OUTPUT_STDERR_NAME, text, len, error)))
    return FALSE;
  g_autoptr (GPtrArray) found = cyc_output_files_find (staged, work, add_note, self);
  for (guint i = 0; i < found->len; i++)
    {
      const CycOutputFile *file = g_ptr_array_index (found, i);
      g_autoptr (GError) local = NULL;
      if (keep_file (self, file, &local))
        continue;
      if (g_error_matches (local, CYC_ERROR, CYC_ERROR_NO_SPACE) ||
          g_error_matches (local, G_IO_ERROR, G_IO_ERROR_NO_SPACE))
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return FALSE;
        }
      g_string_append_printf (self->notes, "%s was not kept: %s\n", file->name, local->message);
    }
  return keep_bytes (self, CYC_OUTPUT_NOTES_NAME, self->notes->str, self->notes->len, error) &&
         cyc_file_sync_folder (self->folder, error);
}

static void
keep_thread (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;

  if (keep_all (data, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static void
kept_cb (GObject      *source,
         GAsyncResult *result,
         gpointer      user_data)
{
  Keep *self = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  gboolean ok = g_task_propagate_boolean (G_TASK (result), &error);

  self->func (ok ? self->files : NULL, error, self->user_data);
}

/**
 * cyc_outputs_keep:
 * @job: the folder of a job whose simulator has ended
 * @folder: where the files of the sim are kept
 * @func: told on the main thread
 * @user_data: for @func
 *
 * Keeps the end of stderr and every output file, as a worker would have uploaded them, and notes
 * about them.
 */
void
cyc_outputs_keep (const char         *job,
                  const char         *folder,
                  CycOutputsKeptFunc  func,
                  gpointer            user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, kept_cb, NULL);
  Keep *self = g_new0 (Keep, 1);

  self->job = g_strdup (job);
  self->folder = g_strdup (folder);
  self->files = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_file_record_free);
  self->notes = g_string_new (NOTE "\n");
  self->func = func;
  self->user_data = user_data;
  g_task_set_source_tag (task, cyc_outputs_keep);
  g_task_set_task_data (task, self, keep_free);
  cyc_task_run_in_thread (task, keep_thread);
}
