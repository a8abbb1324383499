/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-table-save-dialog.h"

#include <glib/gi18n.h>

#include "app/cyc-file-save.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-format.h"
#include "widgets/cyc-table-text.h"

#define WIDTH 420
#define HEIGHT 200
#define SLICE_US 4000         /* of a frame */
#define ROWS_A_LOOK 64
#define CHUNK_SIZE (64 * 1024)
#define MOST_CHUNKS 64        /* that wait for the disk */
#define POP_US 100000

/* Writes a large table. Its texts are made here, on the main thread, which has the rows, a few of them at a time; a
 * thread takes them to the disk. */
struct _CycTableSaveDialog
{
  CycDialog            parent_instance;

  CycPage             *page;    /* which has the table, and tells when it is written; NULL after that */
  CycTableView        *table;   /* of the page */
  CycTableFormat       format;
  CycTableTextWriter  *writer;  /* NULL until the rows are in order, and at the end */
  GAsyncQueue         *chunks;  /* of GString: an empty one is the end, one that begins with a NUL a failure */
  guint                source;  /* of the main loop */
  guint                n_rows;
  guint                n_done;
};

G_DEFINE_FINAL_TYPE (CycTableSaveDialog, cyc_table_save_dialog, CYC_TYPE_DIALOG)

static void
free_chunk (gpointer chunk)
{
  g_string_free (chunk, TRUE);
}

/* On the thread */

static gboolean
write_chunks (gpointer       data,
              CycJsonSink    sink,
              gpointer       sink_data,
              GCancellable  *cancellable,
              GError       **error)
{
  for (;;)
    {
      GString *chunk = g_async_queue_timeout_pop (data, POP_US);
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        {
          g_clear_pointer (&chunk, free_chunk);
          return FALSE;
        }
      if (chunk == NULL)
        continue;
      gboolean end = chunk->len == 0, failed = !end && chunk->str[0] == '\0';
      gboolean ok = end || failed || sink (chunk->str, chunk->len, sink_data, error);
      free_chunk (chunk);
      if (failed)
        cyc_error_set_at (error, CYC_ERROR_STATE, NULL, 0, _("the table has changed meanwhile; save it again"));
      if (end || failed || !ok)
        return end;
    }
}

/* On the main thread */

static void
push_text (CycTableSaveDialog *self,
           gsize               least)
{
  GString *out = cyc_table_text_writer_get_out (self->writer);

  if (out->len < least)
    return;
  g_async_queue_push (self->chunks, g_string_new_len (out->str, (gssize) out->len));
  g_string_truncate (out, 0);
}

static gboolean
end_rows (CycTableSaveDialog *self,
          GString            *mark)
{
  g_async_queue_push (self->chunks, mark);
  g_clear_pointer (&self->writer, cyc_table_text_writer_free);
  self->source = 0;
  return G_SOURCE_REMOVE;
}

static gboolean
slice_cb (gpointer user_data)
{
  CycTableSaveDialog *self = user_data;
  gint64 deadline = g_get_monotonic_time () + SLICE_US;
  gboolean more = TRUE;

  if (self->writer == NULL)
    {
      if (cyc_table_view_is_busy (self->table))
        return G_SOURCE_CONTINUE;
      self->writer = cyc_table_view_write (self->table, self->format);
      self->n_rows = g_list_model_get_n_items (cyc_table_view_get_shown (self->table));
    }
  if (cyc_table_text_writer_is_changed (self->writer))
    return end_rows (self, g_string_new_len ("", 1));
  if (g_async_queue_length (self->chunks) > MOST_CHUNKS)
    return G_SOURCE_CONTINUE;
  while (more && g_get_monotonic_time () < deadline)
    {
      more = cyc_table_text_writer_step (self->writer, ROWS_A_LOOK);
      self->n_done = MIN (self->n_done + ROWS_A_LOOK, self->n_rows);
      push_text (self, CHUNK_SIZE);
    }
  if (more)
    return G_SOURCE_CONTINUE;
  push_text (self, 1);
  return end_rows (self, g_string_new (NULL));
}

static char *
dup_progress (CycDialog *dialog)
{
  CycTableSaveDialog *self = CYC_TABLE_SAVE_DIALOG (dialog);
  g_autofree char *done = cyc_format_grouped (self->n_done, 0);
  g_autofree char *all = cyc_format_grouped (self->n_rows, 0);

  return g_strdup_printf (_("%s of %s rows"), done, all);
}

static void
saved_cb (GObject      *source,
          GAsyncResult *result,
          gpointer      user_data)
{
  g_autoptr (CycTableSaveDialog) self = g_object_ref (CYC_TABLE_SAVE_DIALOG (source));
  g_autoptr (GError) error = NULL;
  gboolean ok = cyc_file_save_finish (result, &error);

  g_clear_handle_id (&self->source, g_source_remove);
  cyc_dialog_end_work (CYC_DIALOG (self));
  if (cyc_dialog_is_gone (CYC_DIALOG (self)))
    return;
  if (ok)
    cyc_page_tell_written (self->page, cyc_file_save_get_path (result));
  else
    cyc_page_tell_error (self->page, _("The file was not written"), error);
  gtk_window_destroy (GTK_WINDOW (self));
}

static void
cyc_table_save_dialog_dispose (GObject *object)
{
  CycTableSaveDialog *self = CYC_TABLE_SAVE_DIALOG (object);

  g_clear_handle_id (&self->source, g_source_remove);
  g_clear_pointer (&self->writer, cyc_table_text_writer_free);
  g_clear_object (&self->table);
  g_clear_object (&self->page);
  G_OBJECT_CLASS (cyc_table_save_dialog_parent_class)->dispose (object);
}

static void
cyc_table_save_dialog_finalize (GObject *object)
{
  g_async_queue_unref (CYC_TABLE_SAVE_DIALOG (object)->chunks);
  G_OBJECT_CLASS (cyc_table_save_dialog_parent_class)->finalize (object);
}

static void
cyc_table_save_dialog_class_init (CycTableSaveDialogClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cyc_table_save_dialog_dispose;
  G_OBJECT_CLASS (klass)->finalize = cyc_table_save_dialog_finalize;
}

static void
cyc_table_save_dialog_init (CycTableSaveDialog *self)
{
  gtk_window_set_default_size (GTK_WINDOW (self), WIDTH, HEIGHT);
  self->chunks = g_async_queue_new_full (free_chunk);
}

/**
 * cyc_table_save_dialog_new:
 * @page: a page with a table
 * @table: the table
 * @format: how its rows are written
 * @path: a file, which is written over
 *
 * Begins to write the rows that are shown. The dialog goes when that is done; closing it ends it early, and nothing is
 * left behind.
 *
 * Returns: (transfer none): a new dialog, which GTK owns until it is closed
 */
GtkWidget *
cyc_table_save_dialog_new (CycPage        *page,
                           CycTableView   *table,
                           CycTableFormat  format,
                           const char     *path)
{
  g_return_val_if_fail (CYC_IS_PAGE (page) && CYC_IS_TABLE_VIEW (table) && path != NULL, NULL);

  CycTableSaveDialog *self = g_object_new (CYC_TYPE_TABLE_SAVE_DIALOG, NULL);
  cyc_dialog_set_up (CYC_DIALOG (self), cyc_page_get_workspace (page), _("Save Table"));
  cyc_dialog_set_accept (CYC_DIALOG (self), _("_Save"));
  self->page = g_object_ref (page);
  self->table = g_object_ref (table);
  self->format = format;
  self->source = g_idle_add (slice_cb, self);
  cyc_dialog_begin_work (CYC_DIALOG (self), dup_progress);
  cyc_file_save_async (self, path, write_chunks, g_async_queue_ref (self->chunks),
                       (GDestroyNotify) g_async_queue_unref, NULL, cyc_dialog_get_cancellable (CYC_DIALOG (self)),
                       saved_cb, NULL);
  return GTK_WIDGET (self);
}
