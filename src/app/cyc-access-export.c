/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-access-export.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/access/cyc-access-chrome.h"
#include "core/access/cyc-access-edit.h"
#include "core/access/cyc-access-report.h"
#include "core/base/cyc-file-writer.h"
#include "core/base/cyc-task.h"
#include "plot/cyc-plot-export.h"

#define UNITS 96.0 /* of an inch */
#define SCALE 2    /* pixels of a unit */

/* An access trace in a file: what is seen as a picture, the whole trace as data. */
typedef struct
{
  CycPage             *page;
  CycAccessTrace      *trace;  /* NULL with @spec */
  CycAccessSpec       *spec;   /* the mapping itself, to be opened again; NULL */
  CycAccessSavedFunc   saved;  /* with @spec */
  char                *path;
  CycAccessPlotParams  params;
  GArray              *ys;
  char                *rank;
  char                *level;
} Export;

static void
export_free (gpointer data)
{
  Export *self = data;

  g_object_unref (self->page);
  g_clear_pointer (&self->trace, cyc_access_trace_unref);
  g_clear_pointer (&self->spec, cyc_access_spec_free);
  g_free (self->path);
  g_clear_pointer (&self->ys, g_array_unref);
  g_free (self->rank);
  g_free (self->level);
  g_free (self);
}

static gboolean
write_bytes (const char  *bytes,
             gsize        len,
             gpointer     user_data,
             GError     **error)
{
  return cyc_file_writer_write (user_data, bytes, len, error);
}

static gboolean
write_picture (Export               *self,
               CycPlotFormat         format,
               const CycAccessWork  *work,
               GError              **error)
{
  CycPlotExport options = { format, CYC_PLOT_WHITE, 0, 0, SCALE, "Cyclescope" };
  g_autoptr (CycAccessPlot) plot = cyc_access_plot_new (self->trace->plan, &self->params, work, error);

  if (plot == NULL)
    return FALSE;
  options.width = CYC_ACCESS_PLOT_COLUMN * UNITS;
  options.height = ((double) cyc_access_plot_get_rows (plot) * CYC_ACCESS_PLOT_ROW + CYC_ACCESS_PLOT_REST) * UNITS;
  return cyc_plot_export_to_file (self->path, &options, cyc_access_plot_paint, plot, error);
}

static gboolean
write_data (Export               *self,
            CycFileWriter        *writer,
            const CycAccessWork  *work,
            GError              **error)
{
  if (self->spec != NULL)
    {
      g_autofree char *text = cyc_access_spec_dup_yaml (self->spec, error);
      return text != NULL && cyc_file_writer_write (writer, text, strlen (text), error);
    }
  const CycAccessPlan *plan = self->trace->plan;
  if (g_str_has_suffix (self->path, ".csv"))
    return cyc_access_report_write_csv (plan, work, write_bytes, writer, error);
  if (g_str_has_suffix (self->path, ".trace.json"))
    return cyc_access_chrome_write (plan, work, write_bytes, writer, error);
  g_autoptr (GPtrArray) figures = cyc_access_figures_new (plan, work, cyc_access_figures_get_max_bytes (), error);
  return figures != NULL && cyc_access_report_write_json (plan, figures, work, write_bytes, writer, error);
}

static void
worker (GTask        *task,
        gpointer      source,
        gpointer      task_data,
        GCancellable *cancellable)
{
  Export *self = task_data;
  CycAccessWork work = { g_get_num_processors (), cancellable };
  GError *error = NULL;
  gboolean good;

  if (self->spec == NULL && g_str_has_suffix (self->path, ".png"))
    good = write_picture (self, CYC_PLOT_PNG, &work, &error);
  else if (self->spec == NULL && g_str_has_suffix (self->path, ".svg"))
    good = write_picture (self, CYC_PLOT_SVG, &work, &error);
  else if (self->spec == NULL && g_str_has_suffix (self->path, ".pdf"))
    good = write_picture (self, CYC_PLOT_PDF, &work, &error);
  else
    {
      g_autoptr (CycFileWriter) writer = cyc_file_writer_open (self->path, &error);
      good = writer != NULL && write_data (self, writer, &work, &error) && cyc_file_writer_commit (writer, &error);
    }
  if (good)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
done_cb (GObject      *source,
         GAsyncResult *result,
         gpointer      user_data)
{
  Export *self = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;

  if (!g_task_propagate_boolean (G_TASK (result), &error))
    {
      cyc_page_tell_error (self->page, self->spec != NULL ? _("The mapping was not saved")
                                                          : _("The trace was not exported"), error);
      return;
    }
  /* The page may go with it. */
  cyc_page_tell_written (self->page, self->path);
  if (self->spec != NULL)
    self->saved (self->page, self->spec);
}

static void
start (Export *self)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, done_cb, NULL);

  g_task_set_source_tag (task, start);
  g_task_set_task_data (task, self, export_free);
  cyc_task_run_in_thread (task, worker);
}

static Export *
export_new (CycPage    *page,
            const char *path)
{
  Export *self = g_new0 (Export, 1);

  self->page = g_object_ref (page);
  self->path = g_strdup (path);
  return self;
}

static gboolean
has_known_end (const char *path)
{
  static const char *const ends[] = { ".png", ".svg", ".pdf", ".csv", ".json" };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    if (g_str_has_suffix (path, ends[i]))
      return TRUE;
  return FALSE;
}

/**
 * cyc_access_export:
 * @page: who tells the user how it went
 * @view: what is exported, with a trace
 * @path: a file, whose name says the format: `.png`, `.svg` and `.pdf` for what is seen, `.csv` and `.json` for the
 *   trace, `.trace.json` for the trace as a timeline
 *
 * Writes an access trace into a file, on a thread.
 */
void
cyc_access_export (CycPage       *page,
                   CycAccessView *view,
                   const char    *path)
{
  g_return_if_fail (CYC_IS_PAGE (page));
  g_return_if_fail (CYC_IS_ACCESS_VIEW (view) && cyc_access_view_get_trace (view) != NULL);

  if (!has_known_end (path))
    {
      g_autoptr (GError) error = g_error_new (G_IO_ERROR, G_IO_ERROR_INVALID_FILENAME,
                                              _("the name has to end in .png, .svg, .pdf, .csv, .json or .trace.json"));
      cyc_page_tell_error (page, _("The trace was not exported"), error);
      return;
    }
  Export *self = export_new (page, path);
  self->trace = cyc_access_trace_ref (cyc_access_view_get_trace (view));
  self->ys = g_array_new (FALSE, TRUE, sizeof (CycAccessYRange));
  g_array_set_size (self->ys, MAX (self->trace->plan->tensors->len, 1));
  cyc_access_view_get_params (view, &self->params, (CycAccessYRange *) self->ys->data);
  self->rank = g_strdup (self->params.rank);
  self->level = g_strdup (self->params.level);
  self->params.rank = self->rank;
  self->params.level = self->level;
  self->params.dpi = UNITS * SCALE;
  start (self);
}

/**
 * cyc_access_save:
 * @page: who tells the user how it went
 * @spec: the workload and the mapping
 * @path: a file
 * @saved: called when it was written
 *
 * Writes workload and mapping, as they are now, into one YAML file, on a thread.
 */
void
cyc_access_save (CycPage            *page,
                 CycAccessSpec      *spec,
                 const char         *path,
                 CycAccessSavedFunc  saved)
{
  g_return_if_fail (CYC_IS_PAGE (page));
  g_return_if_fail (spec != NULL);

  Export *self = export_new (page, path);
  self->spec = cyc_access_spec_ref (spec);
  self->saved = saved;
  start (self);
}
