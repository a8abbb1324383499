/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-remote-workspace-private.h"

#include <string.h>

#include "core/accelsim/cyc-sim-stats.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-name.h"
#include "core/base/cyc-number.h"
#include "core/base/cyc-task.h"
#include "core/model/cyc-records-read.h"
#include "core/model/cyc-sim.h"

/* Kernels, blocks and logs of simulations. */

#define MAX_PIECE (16 * 1024 * 1024)
/* The length of a log that is looked at is asked for so often at most, where no events tell it. */
#define LENGTH_US (400 * G_TIME_SPAN_MILLISECOND)

static gpointer
parse_kernels (JsonNode      *root,
               gconstpointer  data,
               GError       **error)
{
  return cyc_records_read_list (JSON_NODE_HOLDS_ARRAY (root) ? json_node_get_array (root) : NULL,
                                (CycRecordReadFunc) cyc_kernel_record_read,
                                (GDestroyNotify) cyc_kernel_record_free, error);
}

/* Asks for the kernels of a sim from @first on; the task of @callback gives their array. */
static void
ask_kernels (CycRemoteWorkspace  *self,
             const char          *sim_id,
             guint                first,
             GCancellable        *cancellable,
             GAsyncReadyCallback  callback,
             gpointer             user_data)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);
  g_autofree char *rest = g_strdup_printf ("/kernels?first=%u", first);
  g_autofree char *path = _cyc_remote_path ("sims", sim_id, rest);

  g_task_set_source_tag (task, ask_kernels);
  _cyc_remote_workspace_ask (self, _cyc_remote_request_new ("GET", path), parse_kernels, NULL, NULL,
                             (GDestroyNotify) g_ptr_array_unref, task);
}

static void
kernels_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autoptr (GTask) task = user_data;
  CycKernelList *list = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) kernels = g_task_propagate_pointer (G_TASK (result), &error);

  if (kernels == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  cyc_kernel_list_fill (list, kernels);
  g_task_return_pointer (task, g_object_ref (list), g_object_unref);
}

void
_cyc_remote_load_kernels (CycWorkspace *workspace,
                          const char   *sim_id,
                          GTask        *task)
{
  CycRemoteWorkspace *self = CYC_REMOTE_WORKSPACE (workspace);

  if (!_cyc_remote_workspace_begin (self, task, FALSE))
    {
      g_object_unref (task);
      return;
    }
  /* There before the answer: what comes meanwhile is not missed. */
  g_task_set_task_data (task, _cyc_remote_models_get_kernels (self, sim_id), g_object_unref);
  ask_kernels (self, sim_id, 0, g_task_get_cancellable (task), kernels_cb, task);
}

/* One block: where it is in the log, then that piece of the log */

typedef struct
{
  char     *sim_id;
  int       kernel_index;
  gboolean  whole;       /* no kernel before those asked for is of use */
  GBytes   *text;
} Block;

static void
block_free (gpointer data)
{
  Block *self = data;

  g_clear_pointer (&self->text, g_bytes_unref);
  g_free (self->sim_id);
  g_free (self);
}

static void
block_thread (GTask        *task,
              gpointer      source,
              gpointer      data,
              GCancellable *cancellable)
{
  const Block *self = data;
  gsize len;
  const char *text = g_bytes_get_data (self->text, &len);

  g_task_return_pointer (task, cyc_sim_stats_parse (text == NULL ? "" : text, len),
                         (GDestroyNotify) cyc_sim_stats_unref);
}

static void
block_text_cb (GObject      *source,
               GAsyncResult *result,
               gpointer      user_data)
{
  g_autoptr (GTask) task = user_data;
  Block *self = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  self->text = cyc_workspace_read_log_finish (CYC_WORKSPACE (source), result, &error);
  if (self->text != NULL)
    cyc_task_run_in_thread (task, block_thread);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static const CycKernelRecord *
find_block (GPtrArray *kernels,
            int        kernel_index)
{
  for (guint i = kernels->len; i-- > 0;)
    {
      const CycKernelRecord *kernel = g_ptr_array_index (kernels, i);
      if (kernel->log_length > 0 && (kernel_index < 0 || kernel->kernel_index == (guint) kernel_index))
        return kernel;
    }
  return NULL;
}

static void
places_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr (GTask) task = user_data;
  Block *self = g_task_get_task_data (task);
  GCancellable *cancellable = g_task_get_cancellable (task);
  CycRemoteWorkspace *workspace = CYC_REMOTE_WORKSPACE (source);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) kernels = g_task_propagate_pointer (G_TASK (result), &error);
  const CycKernelRecord *kernel = kernels == NULL ? NULL : find_block (kernels, self->kernel_index);

  if (kernel != NULL)
    cyc_workspace_read_log_async (CYC_WORKSPACE (source), self->sim_id, kernel->log_offset,
                                  (guint) MIN (kernel->log_length, MAX_PIECE), cancellable,
                                  block_text_cb, g_steal_pointer (&task));
  else if (kernels == NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  else if (!self->whole && workspace->link != NULL)
    {
      /* The last kernels have no block: one before them may. */
      self->whole = TRUE;
      ask_kernels (workspace, self->sim_id, 0, cancellable, places_cb, g_steal_pointer (&task));
    }
  else if (self->kernel_index < 0)
    g_task_return_new_error (task, CYC_ERROR, CYC_ERROR_NOT_FOUND, "no kernel has finished yet");
  else
    g_task_return_new_error (task, CYC_ERROR, CYC_ERROR_NOT_FOUND, "kernel %d has no statistics", self->kernel_index);
}

void
_cyc_remote_load_block (CycWorkspace *workspace,
                        const char   *sim_id,
                        int           kernel_index,
                        GTask        *task)
{
  CycRemoteWorkspace *self = CYC_REMOTE_WORKSPACE (workspace);
  CycSim *sim = g_hash_table_lookup (self->sim_table, sim_id);
  guint done = sim == NULL ? 0 : cyc_sim_get_record (sim)->kernels_done;
  guint last = done > 0 ? done - 1 : 0;

  if (!_cyc_remote_workspace_begin (self, task, FALSE))
    {
      g_object_unref (task);
      return;
    }
  Block *block = g_new0 (Block, 1);
  block->sim_id = g_strdup (sim_id);
  block->kernel_index = kernel_index;
  block->whole = kernel_index >= 0 || last == 0;
  g_task_set_task_data (task, block, block_free);
  ask_kernels (self, sim_id, kernel_index < 0 ? last : (guint) kernel_index, g_task_get_cancellable (task), places_cb,
               task);
}

/* Logs */

static void
learn_length (CycRemoteWorkspace *self,
              const char         *sim_id,
              guint64             bytes)
{
  CycRemoteLog *log = _cyc_remote_models_get_log (self, sim_id);

  log->bytes = MAX (log->bytes, bytes);
  log->known = TRUE;
}

typedef struct
{
  CycRemoteWorkspace *self;
  char               *sim_id;
} Length;

static void
length_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autofree Length *asked = user_data;
  g_autoptr (CycRemoteWorkspace) self = asked->self;
  g_autofree char *sim_id = asked->sim_id;
  g_autoptr (CycRemoteReply) reply = _cyc_remote_link_send_finish (result, NULL);

  /* Without an answer it is asked for again. */
  _cyc_remote_models_get_log (self, sim_id)->asking = FALSE;
  if (reply != NULL)
    learn_length (self, sim_id, (guint64) soup_message_headers_get_content_length (reply->headers));
}

static gboolean
is_over (CycRemoteWorkspace *self,
         const char         *sim_id)
{
  CycSim *sim = g_hash_table_lookup (self->sim_table, sim_id);

  return sim != NULL && cyc_sim_state_is_terminal (cyc_sim_get_record (sim)->state);
}

/* What is known; if somebody looks and it may have grown, it is asked for. */
guint64
_cyc_remote_get_log_bytes (CycWorkspace *workspace,
                           const char   *sim_id)
{
  CycRemoteWorkspace *self = CYC_REMOTE_WORKSPACE (workspace);
  CycRemoteLog *log = _cyc_remote_models_get_log (self, sim_id);
  gint64 now = g_get_monotonic_time ();

  if (log->asking || log->told || self->link == NULL || (log->known && is_over (self, sim_id))
      || (log->asked != 0 && now - log->asked < LENGTH_US))
    return log->bytes;
  g_autofree char *path = _cyc_remote_path ("sims", sim_id, "/log");
  Length *asked = g_new0 (Length, 1);
  asked->self = g_object_ref (self);
  asked->sim_id = g_strdup (sim_id);
  log->asking = TRUE;
  log->asked = now;
  _cyc_remote_link_send_async (self->link, _cyc_remote_request_new ("HEAD", path), self->closing, length_cb, asked);
  return log->bytes;
}

typedef struct
{
  char    *sim_id;
  guint64  offset;
  guint    length;
} Piece;

static void
piece_free (gpointer data)
{
  Piece *self = data;

  g_free (self->sim_id);
  g_free (self);
}

/* How long all of it is, by `bytes FIRST-LAST/ALL` or `bytes * /ALL`. */
static void
learn_total (CycRemoteWorkspace *self,
             const char         *sim_id,
             CycRemoteReply     *reply)
{
  const char *range = soup_message_headers_get_one (reply->headers, "Content-Range");
  const char *slash = range == NULL ? NULL : strrchr (range, '/');
  guint64 total;

  if (slash != NULL && cyc_number_parse_uint64 (slash + 1, strlen (slash + 1), &total))
    learn_length (self, sim_id, total);
}

static GBytes *
cut (GBytes      *body,
     const Piece *piece)
{
  gsize size = g_bytes_get_size (body);

  if (piece->offset >= size)
    return g_bytes_new_static ("", 0);
  return g_bytes_new_from_bytes (body, (gsize) piece->offset, MIN (piece->length, size - (gsize) piece->offset));
}

static void
piece_cb (GObject      *source,
          GAsyncResult *result,
          gpointer      user_data)
{
  g_autoptr (GTask) task = user_data;
  const Piece *piece = g_task_get_task_data (task);
  CycRemoteWorkspace *self = g_task_get_source_object (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (CycRemoteReply) reply = _cyc_remote_channel_send_finish (CYC_REMOTE_CHANNEL (source), result, &error);
  gsize len;

  if (reply == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  learn_total (self, piece->sim_id, reply);
  const char *text = g_bytes_get_data (reply->body, &len);
  if (reply->status == 206)
    g_task_return_pointer (task, g_bytes_ref (reply->body), (GDestroyNotify) g_bytes_unref);
  else if (reply->status == 416)
    g_task_return_pointer (task, g_bytes_new_static ("", 0), (GDestroyNotify) g_bytes_unref);
  else if (cyc_remote_set_error (reply->status, text == NULL ? "" : text, len, &error))
    g_task_return_pointer (task, cut (reply->body, piece), (GDestroyNotify) g_bytes_unref);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

void
_cyc_remote_read_log (CycWorkspace *workspace,
                      const char   *sim_id,
                      guint64       offset,
                      guint         length,
                      GTask        *task)
{
  CycRemoteWorkspace *self = CYC_REMOTE_WORKSPACE (workspace);
  g_autofree char *path = _cyc_remote_path ("sims", sim_id, "/log");
  guint wanted = MIN (length, MAX_PIECE);

  if (!_cyc_remote_workspace_begin (self, task, FALSE))
    {
      g_object_unref (task);
      return;
    }
  if (wanted == 0)
    {
      g_task_return_pointer (task, g_bytes_new_static ("", 0), (GDestroyNotify) g_bytes_unref);
      g_object_unref (task);
      return;
    }
  Piece *piece = g_new0 (Piece, 1);
  CycRemoteRequest *request = _cyc_remote_request_new ("GET", path);
  g_autofree char *range = g_strdup_printf ("bytes=%" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT, offset,
                                            offset + wanted - 1);
  piece->sim_id = g_strdup (sim_id);
  piece->offset = offset;
  piece->length = wanted;
  g_task_set_task_data (task, piece, piece_free);
  _cyc_remote_request_add_header (request, "Range", range);
  _cyc_remote_link_send_async (self->link, request, g_task_get_cancellable (task), piece_cb, task);
}

/* Copies */

typedef struct
{
  CycRemoteChannel *channel; /* of its own: it may take long */
  GFile            *target;
  char             *name;
  GFile            *part;    /* a temporary file */
  GIOStream        *io;
} Copy;

static void
copy_free (gpointer data)
{
  Copy *self = data;

  g_clear_object (&self->channel);
  g_clear_object (&self->io);
  if (self->part != NULL)
    g_file_delete (self->part, NULL, NULL);
  g_clear_object (&self->part);
  g_free (self->name);
  g_object_unref (self->target);
  g_free (self);
}

static void
copied_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;

  if (g_file_copy_finish (G_FILE (source), result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static void
spliced_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autoptr (GTask) task = user_data;
  const Copy *self = g_task_get_task_data (task);
  GCancellable *cancellable = g_task_get_cancellable (task);
  g_autoptr (GError) error = NULL;

  /* What is there already is replaced when all of it has come, and not before. */
  if (g_output_stream_splice_finish (G_OUTPUT_STREAM (source), result, &error) < 0)
    g_task_return_error (task, g_steal_pointer (&error));
  else
    g_file_copy_async (self->part, self->target, G_FILE_COPY_OVERWRITE, G_PRIORITY_DEFAULT,
                       cancellable, NULL, NULL, copied_cb, g_steal_pointer (&task));
}

static void
copy_cb (GObject      *source,
         GAsyncResult *result,
         gpointer      user_data)
{
  g_autoptr (GTask) task = user_data;
  Copy *self = g_task_get_task_data (task);
  GCancellable *cancellable = g_task_get_cancellable (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (CycRemoteReply) reply = _cyc_remote_link_send_finish (result, &error);
  GFileIOStream *io = NULL;

  if (reply != NULL)
    self->part = g_file_new_tmp ("cyclescope-XXXXXX", &io, &error);
  if (self->part == NULL)
    {
      g_prefix_error (&error, "%s: ", self->name);
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  self->io = G_IO_STREAM (io);
  g_output_stream_splice_async (g_io_stream_get_output_stream (self->io), reply->stream,
                                G_OUTPUT_STREAM_SPLICE_CLOSE_SOURCE | G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET,
                                G_PRIORITY_DEFAULT, cancellable, spliced_cb,
                                g_steal_pointer (&task));
}

void
_cyc_remote_copy_file (CycWorkspace *workspace,
                       const char   *sim_id,
                       const char   *name,
                       GFile        *target,
                       GTask        *task)
{
  CycRemoteWorkspace *self = CYC_REMOTE_WORKSPACE (workspace);
  gboolean is_log = strcmp (name, "log") == 0;
  g_autofree char *escaped = g_uri_escape_string (name, NULL, FALSE);
  g_autofree char *rest = is_log ? g_strdup ("/log") : g_strconcat ("/files/", escaped, NULL);
  g_autofree char *path = _cyc_remote_path ("sims", sim_id, rest);
  g_autoptr (GError) error = NULL;

  if (!_cyc_remote_workspace_begin (self, task, FALSE))
    {
      g_object_unref (task);
      return;
    }
  if (!is_log && !cyc_name_is_output_file (name))
    {
      g_task_return_new_error (task, CYC_ERROR, CYC_ERROR_NOT_FOUND, "sim '%s' has no file '%s'", sim_id, name);
      g_object_unref (task);
      return;
    }
  Copy *copy = g_new0 (Copy, 1);
  CycRemoteRequest *request = _cyc_remote_request_new ("GET", path);
  request->stream = TRUE;
  copy->target = g_object_ref (target);
  copy->name = g_strdup (name);
  copy->channel = _cyc_remote_channel_new (self->access, 120, &error);
  g_task_set_task_data (task, copy, copy_free);
  if (copy->channel != NULL)
    {
      _cyc_remote_channel_send_async (copy->channel, request, g_task_get_cancellable (task), copy_cb, task);
      return;
    }
  _cyc_remote_request_free (request);
  g_task_return_error (task, g_steal_pointer (&error));
  g_object_unref (task);
}
