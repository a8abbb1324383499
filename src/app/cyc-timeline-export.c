/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-timeline-export.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/cyc-file-save.h"
#include "app/cyc-table-save-dialog.h"

#define FEW_ROWS 2000 /* written at once */

/* Pictures of timelines and their tables in files, which are there as a whole or not at all. */

static gboolean
write_bytes (gpointer       data,
             CycJsonSink    sink,
             gpointer       sink_data,
             GCancellable  *cancellable,
             GError       **error)
{
  gsize len;
  const char *bytes = g_bytes_get_data (data, &len);

  return sink (bytes, len, sink_data, error);
}

static void
saved_cb (GObject      *source,
          GAsyncResult *result,
          gpointer      user_data)
{
  CycPage *page = CYC_PAGE (source);
  g_autoptr (GError) error = NULL;

  if (cyc_file_save_finish (result, &error))
    cyc_page_tell_written (page, cyc_file_save_get_path (result));
  else
    cyc_page_tell_error (page, _("The file was not written"), error);
}

static void
save (CycPage    *page,
      const char *path,
      GBytes     *bytes)
{
  cyc_file_save_async (page, path, write_bytes, bytes, (GDestroyNotify) g_bytes_unref, NULL, NULL, saved_cb, NULL);
}

static void
save_rows (CycPage        *page,
           CycTableView   *table,
           CycTableFormat  format,
           const char     *path)
{
  guint n = g_list_model_get_n_items (cyc_table_view_get_shown (table));

  if (n <= FEW_ROWS && !cyc_table_view_is_busy (table))
    {
      char *text = cyc_table_view_dup_text (table, format, CYC_TABLE_SHOWN);
      save (page, path, g_bytes_new_take (text, strlen (text)));
      return;
    }
  GtkWidget *dialog = cyc_table_save_dialog_new (page, table, format, path);
  gtk_window_set_transient_for (GTK_WINDOW (dialog), GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (page))));
  gtk_window_set_destroy_with_parent (GTK_WINDOW (dialog), TRUE);
  gtk_window_set_modal (GTK_WINDOW (dialog), TRUE);
  gtk_window_present (GTK_WINDOW (dialog));
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
        save_rows (page, table, formats[i].format, path);
        return;
      }
  refuse_name (page, ".csv, .tsv, .json, .md");
}
