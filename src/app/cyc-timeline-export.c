/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-timeline-export.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/cyc-file-writer.h"

/* Pictures of timelines and their tables in files, which are there as a whole or not at all. */

typedef struct
{
  char   *path;
  GBytes *bytes;
} Saving;

static void
saving_free (gpointer data)
{
  Saving *self = data;

  g_free (self->path);
  g_clear_pointer (&self->bytes, g_bytes_unref);
  g_free (self);
}

static void
save_worker (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  Saving *saving = data;
  g_autoptr (GError) error = NULL;
  gsize len;
  const char *bytes = g_bytes_get_data (saving->bytes, &len);
  g_autoptr (CycFileWriter) writer = cyc_file_writer_open (saving->path, &error);

  if (writer != NULL && cyc_file_writer_write (writer, bytes, len, &error) && cyc_file_writer_commit (writer, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static void
saved_cb (GObject      *source,
          GAsyncResult *result,
          gpointer      user_data)
{
  CycPage *page = CYC_PAGE (source);
  Saving *saving = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;

  if (!g_task_propagate_boolean (G_TASK (result), &error))
    {
      cyc_page_tell_error (page, _("The file was not written"), error);
      return;
    }
  cyc_page_tell_written (page, saving->path);
}

static void
save (CycPage    *page,
      const char *path,
      GBytes     *bytes)
{
  Saving *saving = g_new0 (Saving, 1);

  saving->path = g_strdup (path);
  saving->bytes = bytes;
  g_autoptr (GTask) task = g_task_new (page, NULL, saved_cb, NULL);
  g_task_set_source_tag (task, save);
  g_task_set_task_data (task, saving, saving_free);
  g_task_run_in_thread (task, save_worker);
}

static void
refuse_name (CycPage    *page,
             const char *endings)
{
  g_autoptr (GError) error = g_error_new (G_IO_ERROR, G_IO_ERROR_INVALID_FILENAME, _("the name has to end in %s"),
                                          endings);

  cyc_page_tell_error (page, _("The file was not written"), error);
}

/**
 * cyc_timeline_save_picture:
 * @page: who tells the user how it went
 * @view: what is drawn, as it is shown
 * @path: a file, whose name says the format: `.png`, `.svg` or `.pdf`
 *
 * Writes a picture of what is seen.
 */
void
cyc_timeline_save_picture (CycPage         *page,
                           CycTimelineView *view,
                           const char      *path)
{
  static const struct
  {
    const char    *ending;
    CycPlotFormat  format;
  } formats[] = { { ".png", CYC_PLOT_PNG }, { ".svg", CYC_PLOT_SVG }, { ".pdf", CYC_PLOT_PDF } };
  g_autoptr (GError) error = NULL;

  g_return_if_fail (CYC_IS_PAGE (page) && CYC_IS_TIMELINE_VIEW (view) && path != NULL);

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (g_str_has_suffix (path, formats[i].ending))
      {
        GBytes *bytes = cyc_timeline_view_export (view, formats[i].format, &error);
        if (bytes != NULL)
          save (page, path, bytes);
        else
          cyc_page_tell_error (page, _("The file was not written"), error);
        return;
      }
  refuse_name (page, ".png, .svg, .pdf");
}

/**
 * cyc_timeline_save_table:
 * @page: who tells the user how it went
 * @table: what is written: the rows that are shown, in their order
 * @path: a file, whose name says the format: `.csv`, `.tsv`, `.json` or `.md`
 *
 * Writes a table.
 */
void
cyc_timeline_save_table (CycPage      *page,
                         CycTableView *table,
                         const char   *path)
{
  static const struct
  {
    const char     *ending;
    CycTableFormat  format;
  } formats[] = {
    { ".csv", CYC_TABLE_CSV }, { ".tsv", CYC_TABLE_TSV }, { ".json", CYC_TABLE_JSON }, { ".md", CYC_TABLE_MARKDOWN },
  };

  g_return_if_fail (CYC_IS_PAGE (page) && CYC_IS_TABLE_VIEW (table) && path != NULL);

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (g_str_has_suffix (path, formats[i].ending))
      {
        char *text = cyc_table_view_dup_text (table, formats[i].format, CYC_TABLE_SHOWN);
        save (page, path, g_bytes_new_take (text, strlen (text)));
        return;
      }
  refuse_name (page, ".csv, .tsv, .json, .md");
}
