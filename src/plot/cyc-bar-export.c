/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "plot/cyc-bar-export.h"

#include <math.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-task.h"

/* A chart of its own, which a thread may draw. */
typedef struct
{
  CycBarChart    chart;
  CycBarData    *data;
  CycPlotStyle  *style;
  CycPalette    *palette;
  char          *texts[8];
  CycPlotExport  options;
  char          *document;
  char          *path;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  cyc_bar_data_free (job->data);
  cyc_plot_style_free (job->style);
  cyc_palette_free (job->palette);
  for (guint i = 0; i < G_N_ELEMENTS (job->texts); i++)
    g_free (job->texts[i]);
  g_free (job->document);
  g_free (job->path);
  g_free (job);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Job, job_free)

/* As on paper if there is paper. */
static CycPlotStyle *
make_style (const CycPlotStyle  *style,
            const CycPlotExport *options)
{
  CycPlotStyle *own = cyc_plot_style_copy (style);

  if (options->ground == CYC_PLOT_WHITE)
    {
      g_autoptr (CycPlotStyle) light = cyc_plot_style_new (CYC_PLOT_LIGHT, NULL, style->size);
      cyc_plot_style_set_text (own, &light->text);
    }
  own->output = options->format == CYC_PLOT_PNG ? CYC_PLOT_PIXELS : CYC_PLOT_VECTORS;
  own->device_scale = MAX (1, (int) round (options->scale));
  /* Edges would lie between pixels all the same. */
  if (options->format == CYC_PLOT_PNG && fabs (options->scale - own->device_scale) > 1e-6)
    own->output = CYC_PLOT_VECTORS;
  return own;
}

static Job *
job_new (const CycBarChart   *chart,
         const char          *path,
         const CycPlotExport *options)
{
  Job *job = g_new0 (Job, 1);
  const char **texts[] = { &job->chart.title, &job->chart.value_title, &job->chart.unit, &job->chart.group_title,
                           &job->chart.missing_text, &job->chart.partial_text,
                           &job->chart.not_positive_text, &job->chart.beyond_text };

  job->chart = *chart;
  job->data = cyc_bar_data_copy (chart->data);
  job->style = make_style (chart->style, options);
  job->palette = cyc_palette_copy (chart->palette);
  job->chart.data = job->data;
  job->chart.style = job->style;
  job->chart.palette = job->palette;
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    *texts[i] = job->texts[i] = g_strdup (*texts[i]);
  job->options = *options;
  job->document = g_strdup (options->title != NULL ? options->title : chart->title);
  job->options.title = job->document;
  job->path = g_strdup (path);
  return job;
}

static void
paint_cb (cairo_t *cr,
          double   width,
          double   height,
          gpointer user_data)
{
  Job *job = user_data;
  g_autoptr (CycBarLayout) layout = cyc_bar_layout_new (&job->chart, width, height);

  cyc_bar_layout_draw (layout, cr, NULL, NULL);
}

static gboolean
is_by_name (CycBarData *data)
{
  return cyc_bar_data_get_n_groups (data) > 0 && cyc_bar_data_get_group (data, 0)->kind == CYC_BAR_GROUP_NAME;
}

/* A picture cannot be scrolled: nothing may be left out of it unseen. */
static gboolean
fit (Job     *job,
     GError **error)
{
  if (!cyc_plot_export_check (&job->options, error))
    return FALSE;
  guint n_series = cyc_bar_table_get_n_series (cyc_bar_data_get_table (job->data));
  double least = cyc_bar_chart_get_min_group (n_series);
  g_autoptr (CycBarLayout) layout = cyc_bar_layout_new (&job->chart, job->options.width,
                                                        job->options.height);
  CycPlotRect plot;

  cyc_bar_layout_get_plot (layout, &plot);
  gboolean is_free = cyc_bar_data_get_grouping (job->data) == CYC_BAR_AUTO && job->chart.n_visible <= 0;
  /* Names without labels say nothing. */
  if (is_free && is_by_name (job->data)
      && cyc_bar_data_get_n_groups (job->data) > cyc_bar_layout_get_n_labelled (layout))
    cyc_bar_data_set_max_groups (job->data, cyc_bar_layout_get_n_labelled (layout), 0);
  guint n = cyc_bar_data_get_n_groups (job->data);
  double wanted = job->chart.n_visible > 0 ? MIN (job->chart.n_visible, n) : n;
  if (wanted * least <= plot.width + 1)
    return TRUE;
  if (is_free)
    {
      cyc_bar_data_set_max_groups (job->data, (guint) (plot.width / least), 0);
      if (cyc_bar_data_get_n_groups (job->data) * least <= plot.width + 1)
        return TRUE;
    }
  cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0,
                    "%.0f groups of %u bars need a picture at least %.0f wide, not %.0f: make it wider,"
                    " show fewer groups, or group by name",
                    ceil (wanted), n_series, ceil (wanted * least + job->options.width - plot.width),
                    job->options.width);
  return FALSE;
}

static GBytes *
run (Job     *job,
     GError **error)
{
  return fit (job, error) ? cyc_plot_export_to_bytes (&job->options, paint_cb, job, error) : NULL;
}

/**
 * cyc_bar_chart_export:
 * @chart: a chart; on a white ground its colours are those of the light scheme
 * @options: format and size
 * @error: return location for an error
 *
 * Makes a picture of a chart: of the groups that are seen, or of all if @chart does not say. Where launches
 * are grouped automatically, there are at most as many groups as fit into it.
 *
 * Returns: (transfer full): the content of a file
 */
GBytes *
cyc_bar_chart_export (const CycBarChart    *chart,
                      const CycPlotExport  *options,
                      GError              **error)
{
  g_return_val_if_fail (chart != NULL && options != NULL, NULL);

  g_autoptr (Job) job = job_new (chart, NULL, options);
  return run (job, error);
}

static void
export_worker (GTask        *task,
               gpointer      source,
               gpointer      task_data,
               GCancellable *cancellable)
{
  Job *job = task_data;
  GError *error = NULL;

  if (!fit (job, &error)
      || !cyc_plot_export_to_file (job->path, &job->options, paint_cb, job, &error))
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

/**
 * cyc_bar_chart_export_async:
 * @chart: a chart, of which a copy is taken
 * @path: the file
 * @options: format and size
 * @cancellable: (nullable): gives up, as long as it has not begun
 * @callback: called when the file is there
 * @user_data: for @callback
 *
 * Like cyc_bar_chart_export(), on a thread, and into a file: a reader sees the old one or the whole new
 * one.
 */
void
cyc_bar_chart_export_async (const CycBarChart   *chart,
                            const char          *path,
                            const CycPlotExport *options,
                            GCancellable        *cancellable,
                            GAsyncReadyCallback  callback,
                            gpointer             user_data)
{
  g_return_if_fail (chart != NULL && path != NULL && options != NULL);

  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  g_task_set_source_tag (task, cyc_bar_chart_export_async);
  g_task_set_task_data (task, job_new (chart, path, options), job_free);
  if (!g_task_return_error_if_cancelled (task))
    cyc_task_run_in_thread (task, export_worker);
}

/**
 * cyc_bar_chart_export_finish:
 * @result: as given to the callback
 * @error: return location for an error
 *
 * Returns: %TRUE if the file is there
 */
gboolean
cyc_bar_chart_export_finish (GAsyncResult  *result,
                             GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
