/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "plot/cyc-access-plot.h"

#include <math.h>
#include <string.h>

#include "core/access/cyc-access-blocks.h"
#include "core/access/cyc-access-scan.h"
#include "core/base/cyc-error.h"
#include "plot/cyc-access-plot-private.h"

/* A panel of more accesses shows how many fall on each pixel. */
#define MAX_MARKERS 50000
/* From so many on, markers stay small. */
#define MANY_POINTS 20000
/* Rectangles of a panel; more cannot be seen. */
#define MAX_BLOCKS 1000000

#define POINTS 72.0

#define LEFT 48.0
#define RIGHT 12.0
#define TITLE 16.0
#define BOTTOM 30.0

typedef struct
{
  const CycAccessPlan       *plan;
  const CycAccessPlotParams *params;
  const CycAccessWork       *work;
  CycAccessPlot             *plot;
} Builder;

static void
free_series (gpointer data)
{
  CycAccessSeries *series = data;

  g_clear_pointer (&series->points, g_array_unref);
  g_free (series);
}

static void
free_panel (gpointer data)
{
  CycAccessPanel *panel = data;

  g_free (panel->title);
  g_free (panel->y_label);
  g_ptr_array_unref (panel->series);
  g_clear_pointer (&panel->image, cyc_access_image_free);
  g_clear_pointer (&panel->blocks, g_array_unref);
  g_free (panel);
}

static void
free_key (gpointer data)
{
  CycAccessKey *key = data;

  g_free (key->label);
  g_free (key);
}

void
cyc_access_plot_free (CycAccessPlot *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->panels);
  g_ptr_array_unref (self->keys);
  g_free (self);
}

guint
cyc_access_plot_get_rows (const CycAccessPlot *self)
{
  return self->n_rows;
}

/* x runs from -0.5 to half a timestep behind the last. */
double
cyc_access_panel_get_x (const CycAccessPlot  *plot,
                        const CycAccessPanel *panel,
                        double                timestep)
{
  return panel->area.x + (timestep + 0.5) / (double) MAX (plot->n_timesteps, 1) * panel->area.width;
}

/* y runs from -0.5 upwards to half an element above the last, but to 0.5 at least. */
double
cyc_access_panel_get_y (const CycAccessPanel *panel,
                        double                y)
{
  double top = MAX ((double) panel->extent - 0.5, 0.5);

  return panel->area.y + panel->area.height - (y + 0.5) / (top + 0.5) * panel->area.height;
}

/**
 * cyc_access_plot_get_point:
 * @self: a plot
 * @panel: which of its panels
 * @timestep: a place on its x axis
 * @y: on its y axis
 * @out_x: (out): from the left edge, as a part of the width
 * @out_y: (out): from the upper edge, as a part of the height
 *
 * Returns: %FALSE if there is no such panel
 */
gboolean
cyc_access_plot_get_point (const CycAccessPlot *self,
                           guint                panel,
                           double               timestep,
                           double               y,
                           double              *out_x,
                           double              *out_y)
{
  if (panel >= self->panels->len)
    return FALSE;
  *out_x = cyc_access_panel_get_x (self, self->panels->pdata[panel], timestep) / self->width;
  *out_y = cyc_access_panel_get_y (self->panels->pdata[panel], y) / self->height;
  return TRUE;
}

static int
find_rank (const CycAccessTensor *tensor,
           const char            *rank)
{
  for (guint r = 0; rank != NULL && r < tensor->n_ranks; r++)
    if (strcmp (tensor->ranks[r], rank) == 0)
      return (int) r;
  return -1;
}

static guint
get_colour (const Builder        *self,
            const CycAccessEntry *entry)
{
  if (self->params->colour == CYC_ACCESS_BY_ACCESS)
    return entry->use->output ? 1 : 0;
  for (guint i = 0; i < self->plan->spans->len; i++)
    if (g_array_index (self->plan->spans, CycAccessSpan, i).einsum == entry->leaf->einsum)
      return i;
  return self->plan->spans->len;
}

static void
add_key (Builder              *self,
         const CycAccessEntry *entry)
{
  gboolean by_access = self->params->colour == CYC_ACCESS_BY_ACCESS;
  const char *kind = entry->use->output ? "write" : "read";
  g_autofree char *label = by_access ? g_strdup (kind)
                                     : g_strdup_printf ("%s (%s)", entry->leaf->einsum->name, kind);

  for (guint i = 0; i < self->plot->keys->len; i++)
    if (strcmp (((CycAccessKey *) self->plot->keys->pdata[i])->label, label) == 0)
      return;
  CycAccessKey *key = g_new0 (CycAccessKey, 1);
  key->label = g_steal_pointer (&label);
  key->colour = get_colour (self, entry);
  key->output = entry->use->output;
  g_ptr_array_add (self->plot->keys, key);
}

typedef struct
{
  GArray *points;
  guint   left; /* how many more there may be in the panel */
} Gatherer;

static gboolean
gather_strip (const CycAccessStrip *strip,
              gpointer              user_data)
{
  Gatherer *self = user_data;

  for (gint64 i = 0; i < strip->n; i++)
    for (guint j = 0; j < strip->n_rel; j++)
      {
        CycAccessPoint point = { strip->t + i * strip->dt, strip->e + i * strip->de + strip->rel[j] };
        if (self->left-- == 0)
          return FALSE;
        g_array_append_val (self->points, point);
      }
  return TRUE;
}

/* The points of all entries of a panel. Leaves them away if there are too many. */
static gboolean
gather_points (Builder         *self,
               CycAccessPanel  *panel,
               int              rank,
               gboolean        *out_fits,
               guint           *out_n,
               GError         **error)
{
  const CycAccessTraced *traced = &g_array_index (self->plan->tensors, CycAccessTraced, panel->tensor);
  g_autofree gint64 *weights = g_new0 (gint64, traced->tensor->n_ranks + 1);
  Gatherer gatherer = { NULL, MAX_MARKERS };
  guint at = 0;

  if (rank >= 0)
    weights[rank] = 1;
  for (guint i = 0; i < self->plan->entries->len; i++)
    {
      GError *local = NULL;
      if (g_array_index (self->plan->entries, CycAccessEntry, i).tensor != panel->tensor)
        continue;
      CycAccessSeries *series = panel->series->pdata[at++];
      g_autoptr (CycAccessScan) scan = cyc_access_scan_new (self->plan, i, rank >= 0 ? weights : NULL, FALSE, error);
      if (scan == NULL)
        return FALSE;
      gatherer.points = series->points = g_array_new (FALSE, FALSE, sizeof (CycAccessPoint));
      if (cyc_access_scan_run (scan, 0, self->plan->n_timesteps, self->work->cancellable, gather_strip, &gatherer,
                               &local))
        continue;
      *out_fits = FALSE;
      if (local == NULL)
        return TRUE;
      g_propagate_error (error, local);
      return FALSE;
    }
  *out_fits = TRUE;
  *out_n = MAX_MARKERS - gatherer.left;
  return TRUE;
}

static void
size_markers (CycAccessPlot  *plot,
              CycAccessPanel *panel,
              guint           n)
{
  double room = MIN (panel->area.width / (double) MAX (plot->n_timesteps, 1),
                     panel->area.height / (double) MAX (panel->extent, 1));

  panel->marker = CLAMP (0.9 * room, 0.8, n >= MANY_POINTS ? 3 : 6);
}

static gboolean
count_pixels (Builder         *self,
              CycAccessPanel  *panel,
              int              rank,
              GError         **error)
{
  double scale = self->params->dpi / POINTS;
  CycAccessImageParams params = { panel->tensor, rank, 0, self->plan->n_timesteps };

  for (guint i = 0; i < panel->series->len; i++)
    g_clear_pointer (&((CycAccessSeries *) panel->series->pdata[i])->points, g_array_unref);
  params.width = (guint) MAX (MIN (panel->area.width * scale, (double) self->plan->n_timesteps), 1);
  params.height = (guint) MAX (MIN (panel->area.height * scale, (double) panel->extent), 1);
  panel->image = cyc_access_image_new (self->plan, &params, self->work, error);
  return panel->image != NULL;
}

static gboolean
fill_panel (Builder         *self,
            CycAccessPanel  *panel,
            GError         **error)
{
  const CycAccessTraced *traced = &g_array_index (self->plan->tensors, CycAccessTraced, panel->tensor);
  int rank = find_rank (traced->tensor, self->params->rank);
  gboolean fits;
  guint n;

  for (guint i = 0; i < self->plan->entries->len; i++)
    {
      const CycAccessEntry *entry = &g_array_index (self->plan->entries, CycAccessEntry, i);
      if (entry->tensor != panel->tensor)
        continue;
      CycAccessSeries *series = g_new0 (CycAccessSeries, 1);
      series->colour = get_colour (self, entry);
      series->output = entry->use->output;
      g_ptr_array_add (panel->series, series);
      add_key (self, entry);
    }
  if (!gather_points (self, panel, rank, &fits, &n, error))
    return FALSE;
  if (fits)
    size_markers (self->plot, panel, n);
  else if (!count_pixels (self, panel, rank, error))
    return FALSE;
  return TRUE;
}

/* Rectangles of the level in every panel whose tensor it holds. */
static gboolean
fill_level (Builder   *self,
            GError   **error)
{
  gboolean any = FALSE;

  for (guint i = 0; i < self->plot->panels->len; i++)
    {
      CycAccessPanel *panel = self->plot->panels->pdata[i];
      const CycAccessTensor *tensor = g_array_index (self->plan->tensors, CycAccessTraced, panel->tensor).tensor;
      for (guint j = 0; j < self->plan->levels->len; j++)
        {
          const CycAccessLevel *level = self->plan->levels->pdata[j];
          for (guint k = 0; k < level->held->len; k++)
            {
              const CycAccessHeld *held = level->held->pdata[k];
              if (strcmp (level->component, self->params->level) != 0 || strcmp (held->tensor, tensor->name) != 0)
                continue;
              any = TRUE;
              panel->blocks = cyc_access_blocks_new (self->plan, held, find_rank (tensor, self->params->rank), 0,
                                                     self->plan->n_timesteps, self->work->cancellable, error);
              if (panel->blocks == NULL)
                return FALSE;
              if (panel->blocks->len > MAX_BLOCKS)
                {
                  cyc_error_set_at (error, CYC_ERROR_TOO_LARGE, NULL, 0, "'%s' holds tensor '%s' in over %d blocks; "
                                    "trace a prefix (max_timesteps)", level->component, tensor->name, MAX_BLOCKS);
                  return FALSE;
                }
            }
        }
    }
  if (any)
    {
      CycAccessKey *key = g_new0 (CycAccessKey, 1);
      key->label = g_strdup_printf ("tile in %s", self->params->level);
      key->is_level = TRUE;
      g_ptr_array_add (self->plot->keys, key);
      return TRUE;
    }
  cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0, "memory level '%s' holds none of the plotted tensors",
                    self->params->level);
  return FALSE;
}

static void
add_panel (Builder *self,
           guint    tensor)
{
  const CycAccessTraced *traced = &g_array_index (self->plan->tensors, CycAccessTraced, tensor);
  g_autoptr (GString) sizes = g_string_new (NULL);
  CycAccessPanel *panel = g_new0 (CycAccessPanel, 1);
  int rank = find_rank (traced->tensor, self->params->rank);

  for (guint r = 0; r < traced->tensor->n_ranks; r++)
    g_string_append_printf (sizes, "%s%" G_GINT64_FORMAT, r > 0 ? "x" : "", traced->shape[r]);
  panel->tensor = tensor;
  panel->title = g_strdup_printf ("%s  [%s]", traced->tensor->name, sizes->str);
  panel->y_label = g_strdup (rank >= 0 ? traced->tensor->ranks[rank]
                             : traced->tensor->n_ranks == 1 ? traced->tensor->ranks[0] : "Element");
  panel->extent = rank >= 0 ? traced->shape[rank] : traced->n_elements;
  panel->series = g_ptr_array_new_with_free_func (free_series);
  g_ptr_array_add (self->plot->panels, panel);
}

static gboolean
add_panels (Builder  *self,
            GError  **error)
{
  const char *const *names = self->params->tensors;

  for (guint i = 0; names == NULL && i < self->plan->tensors->len; i++)
    add_panel (self, i);
  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    {
      int index = cyc_access_plan_find_tensor (self->plan, names[i]);
      if (index < 0)
        {
          cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0, "tensor '%s' has no accesses", names[i]);
          return FALSE;
        }
      add_panel (self, (guint) index);
    }
  if (self->plot->panels->len > 0)
    return TRUE;
  cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0, "there is nothing to plot");
  return FALSE;
}

/* How many keys there will be is known before anything is walked. */
static guint
count_key_rows (Builder *self)
{
  guint n = self->params->level != NULL ? 1 : 0;

  for (guint i = 0; i < self->plan->entries->len; i++)
    add_key (self, &g_array_index (self->plan->entries, CycAccessEntry, i));
  n += self->plot->keys->len;
  g_ptr_array_set_size (self->plot->keys, 0);
  return n > 1 ? (n + CYC_ACCESS_KEY_COLUMNS - 1) / CYC_ACCESS_KEY_COLUMNS : 0;
}

static void
place_panels (Builder *self)
{
  CycAccessPlot *plot = self->plot;
  guint n = plot->panels->len;

  plot->n_columns = CLAMP (self->params->columns, 1, n);
  plot->n_rows = (n + plot->n_columns - 1) / plot->n_columns;
  plot->width = CYC_ACCESS_PLOT_COLUMN * plot->n_columns * POINTS;
  plot->height = (CYC_ACCESS_PLOT_ROW * plot->n_rows + CYC_ACCESS_PLOT_REST) * POINTS;
  double top = 4 + MIN (CYC_ACCESS_KEY_ROW * count_key_rows (self), plot->height / 3);
  double row = (plot->height - top - BOTTOM) / plot->n_rows;
  double column = plot->width / plot->n_columns;
  for (guint i = 0; i < n; i++)
    {
      CycAccessPanel *panel = plot->panels->pdata[i];
      panel->area.x = column * (i % plot->n_columns) + LEFT;
      panel->area.y = top + row * (i / plot->n_columns) + TITLE;
      panel->area.width = column - LEFT - RIGHT;
      panel->area.height = row - TITLE;
      panel->lowest = i + plot->n_columns >= n;
    }
}

/**
 * cyc_access_plot_new:
 * @plan: a plan, whose trace is walked; it is not needed afterwards
 * @params: what to draw, and how
 * @work: on how many threads, and how to stop it
 * @error: return location for an error
 *
 * Makes all ready to draw. Panels of up to 50,000 accesses have a marker for each, others a count for each pixel, so
 * that time and memory of a picture are bounded. Any thread.
 *
 * Returns: (transfer full) (nullable): the plot, %NULL with @error set
 */
CycAccessPlot *
cyc_access_plot_new (const CycAccessPlan        *plan,
                     const CycAccessPlotParams  *params,
                     const CycAccessWork        *work,
                     GError                    **error)
{
  g_autoptr (CycAccessPlot) self = g_new0 (CycAccessPlot, 1);
  Builder builder = { plan, params, work, self };

  self->n_timesteps = plan->n_timesteps;
  self->truncated = plan->truncated;
  self->dpi = params->dpi;
  self->panels = g_ptr_array_new_with_free_func (free_panel);
  self->keys = g_ptr_array_new_with_free_func (free_key);
  if (!add_panels (&builder, error))
    return NULL;
  place_panels (&builder);
  for (guint i = 0; i < self->panels->len; i++)
    if (!fill_panel (&builder, self->panels->pdata[i], error))
      return NULL;
  if (params->level != NULL && !fill_level (&builder, error))
    return NULL;
  return g_steal_pointer (&self);
}
