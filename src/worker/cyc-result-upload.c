/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "worker/cyc-result-upload.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/cyc-json.h"
#include "worker/cyc-worker-paths.h"

/* After the log: the end of the simulator's stderr, then its files one after the other, then what
 * there is to say about them. */

#define STDERR_SIZE (64 * 1024)

typedef struct
{
  const CycJob  *job;
  CycEngineLink *link;
  GPtrArray     *notes; /* of char * */
  GPtrArray     *files; /* of CycOutputFile */
  guint          next;  /* the file after the one under way */
} Upload;

static void put_next_file (GTask *task);

static void
upload_free (gpointer data)
{
  Upload *self = data;

  g_object_unref (self->link);
  g_ptr_array_unref (self->notes);
  g_clear_pointer (&self->files, g_ptr_array_unref);
  g_free (self);
}

static void
add_note (const char *note,
          gpointer    data)
{
  Upload *self = data;

  g_message ("%s", note);
  g_ptr_array_add (self->notes, g_strdup (note));
}

/* The last bytes of a file that nobody writes any more. */
static GBytes *
read_tail (const char *path,
           gsize       size)
{
  struct stat st;
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  g_autofree char *tail = g_malloc (size);
  ssize_t len = 0;

  if (fd >= 0 && fstat (fd, &st) == 0)
    len = pread (fd, tail, size, MAX (st.st_size - (off_t) size, 0));
  if (fd >= 0)
    close (fd);
  return g_bytes_new_take (g_steal_pointer (&tail), (gsize) MAX (len, 0));
}

/* Notes what the engine refused. Returns FALSE, with the task answered, if the upload is over. */
static gboolean
finish_put (GTask        *task,
            GObject      *link,
            GAsyncResult *result,
            const char   *name)
{
  Upload *self = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) answer = NULL;
  guint status = cyc_engine_link_send_finish (CYC_ENGINE_LINK (link), result, &answer, &error);

  if (g_task_return_error_if_cancelled (task))
    return FALSE;
  if (status == 0)
    {
      g_autofree char *note = g_strdup_printf ("%s was not uploaded: %s", name, error->message);
      add_note (note, self);
    }
  else if (status >= 400)
    {
      gsize len;
      const char *text = g_bytes_get_data (answer, &len);
      g_autoptr (JsonNode) root = cyc_json_parse (text, len, NULL, NULL);
      const char *detail = cyc_json_get_string (cyc_json_node_get_object (root), "detail");
      g_autofree char *note = g_strdup_printf ("%s was refused by the engine (%u): %s", name, status,
                                               detail == NULL ? "no detail" : detail);
      add_note (note, self);
    }
  return TRUE;
}

static void
notes_put_cb (GObject      *link,
              GAsyncResult *result,
              gpointer      data)
{
  g_autoptr (GTask) task = data;

  if (finish_put (task, link, result, CYC_WORKER_NOTES_NAME))
    g_task_return_boolean (task, TRUE);
}

static void
put_notes (GTask *task)
{
  Upload *self = g_task_get_task_data (task);

  if (self->notes->len == 0)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  g_autoptr (GString) text = g_string_new (NULL);
  for (guint i = 0; i < self->notes->len; i++)
    g_string_append_printf (text, "%s\n", (const char *) self->notes->pdata[i]);
  g_autoptr (GBytes) body = g_bytes_new (text->str, text->len);
  cyc_engine_link_put_bytes_async (self->link, "files/" CYC_WORKER_NOTES_NAME, body,
                                   g_task_get_cancellable (task), notes_put_cb, g_object_ref (task));
}

static void
file_put_cb (GObject      *link,
             GAsyncResult *result,
             gpointer      data)
{
  g_autoptr (GTask) task = data;
  Upload *self = g_task_get_task_data (task);
  const CycOutputFile *file = self->files->pdata[self->next - 1];

  if (file->pack)
    unlink (CYC_WORKER_PACKED);
  if (finish_put (task, link, result, file->name))
    put_next_file (task);
}

static void
put_file (GTask               *task,
          const CycOutputFile *file,
          const char          *path)
{
  Upload *self = g_task_get_task_data (task);
  g_autofree char *what = g_strconcat ("files/", file->name, NULL);

  cyc_engine_link_put_async (self->link, what, path, g_task_get_cancellable (task), file_put_cb,
                             g_object_ref (task));
}

static void
file_packed_cb (GObject      *source,
                GAsyncResult *result,
                gpointer      data)
{
  g_autoptr (GTask) task = data;
  Upload *self = g_task_get_task_data (task);
  CycOutputFile *file = self->files->pdata[self->next - 1];
  g_autoptr (GError) error = NULL;

  if (cyc_output_pack_finish (result, &error))
    {
      put_file (task, file, CYC_WORKER_PACKED);
      return;
    }
  unlink (CYC_WORKER_PACKED);
  if (g_task_return_error_if_cancelled (task))
    return;
  /* A full disk: it goes as it is. */
  file->pack = FALSE;
  file->name[strlen (file->name) - strlen (".gz")] = '\0';
  g_autofree char *note = g_strdup_printf ("%s was not packed: %s", file->name, error->message);
  add_note (note, self);
  put_file (task, file, file->path);
}

static void
put_next_file (GTask *task)
{
  Upload *self = g_task_get_task_data (task);

  if (self->next == self->files->len)
    {
      put_notes (task);
      return;
    }
  const CycOutputFile *file = self->files->pdata[self->next++];
  if (file->pack)
    cyc_output_pack_async (file->path, CYC_WORKER_PACKED, g_task_get_cancellable (task), file_packed_cb,
                           g_object_ref (task));
  else
    put_file (task, file, file->path);
}

static GHashTable *
list_staged (const CycJob *job)
{
  GHashTable *staged = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < job->stage->len; i++)
    {
      const CycStageItem *item = job->stage->pdata[i];
      if (item->type == CYC_STAGE_TEXT)
        g_hash_table_add (staged, item->path);
    }
  return staged;
}

static void
stderr_put_cb (GObject      *link,
               GAsyncResult *result,
               gpointer      data)
{
  g_autoptr (GTask) task = data;
  Upload *self = g_task_get_task_data (task);

  if (!finish_put (task, link, result, CYC_WORKER_STDERR_NAME))
    return;
  g_autoptr (GHashTable) staged = list_staged (self->job);
  self->files = cyc_output_files_find (staged, CYC_WORKER_WORK, add_note, self);
  put_next_file (task);
}

/**
 * cyc_result_upload_async:
 * @job: the job, whose folder is the current one; must outlive the upload
 * @link: the connection, used by nobody else meanwhile
 * @notes: (element-type utf8): what there is to say already; more is added
 * @cancellable: (nullable): to give up
 * @callback: called when everything is uploaded or refused
 * @user_data: for @callback
 *
 * Uploads the last 64 KiB of stderr as `stderr.txt`, then every file that the simulator left in
 * `work/`, and last, if there is anything to say about them, `worker-notes.txt`.
 */
void
cyc_result_upload_async (const CycJob        *job,
                         CycEngineLink       *link,
                         GPtrArray           *notes,
                         GCancellable        *cancellable,
                         GAsyncReadyCallback  callback,
                         gpointer             user_data)
{
  g_return_if_fail (job != NULL && CYC_IS_ENGINE_LINK (link) && notes != NULL);

  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  g_autoptr (GBytes) tail = read_tail (CYC_WORKER_ERR, STDERR_SIZE);
  Upload *self = g_new0 (Upload, 1);

  self->job = job;
  self->link = g_object_ref (link);
  self->notes = g_ptr_array_ref (notes);
  g_task_set_source_tag (task, cyc_result_upload_async);
  g_task_set_task_data (task, self, upload_free);
  cyc_engine_link_put_bytes_async (link, "files/" CYC_WORKER_STDERR_NAME, tail, cancellable, stderr_put_cb,
                                   g_object_ref (task));
}

/**
 * cyc_result_upload_finish:
 * @result: what the callback got
 * @error: (nullable): return location for %G_IO_ERROR_CANCELLED
 *
 * Returns: %TRUE unless it was given up
 */
gboolean
cyc_result_upload_finish (GAsyncResult  *result,
                          GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
