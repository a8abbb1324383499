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
/* The same on a screen, where they are drawn again and again. */
#define MAX_SCREEN_MARKERS 8000
/* Rectangles of a panel; more cannot be seen. */
#define MAX_BLOCKS 1000000
#define MAX_SCREEN_BLOCKS 20000
/* Accesses are counted in squares of so many pixels, on a screen. */
#define CELL 2.0
/* Timesteps that are looked at where a picture is wanted at once. */
#define MAX_SAMPLES (1 << 18)

#define POINTS 72.0

#define LEFT 48.0
#define RIGHT 12.0
#define TITLE 16.0
#define BOTTOM 30.0
/* Of a key: its mark, and about a letter of its text. */
#define KEY_MARK 26.0
#define KEY_LETTER 4.2

typedef struct
{
  const CycAccessPlan       *plan;
  const CycAccessPlotParams *params;
  const CycAccessWork       *asked;
  CycAccessWork              work;   /* as asked for, with the progress of all panels together */
  CycAccessPlot             *plot;
  guint                      at;     /* panel that is filled */
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
  g_free (self->timestep_text);
  g_free (self->truncated_text);
  g_free (self->crowded_text);
  g_free (self);
}

guint
cyc_access_plot_get_rows (const CycAccessPlot *self)
{
  return self->n_rows;
}

/* x runs from half a timestep before the first one seen to half a timestep behind the last. */
double
cyc_access_panel_get_x (const CycAccessPlot  *plot,
                        const CycAccessPanel *panel,
                        double                timestep)
{
  return panel->area.x + (timestep + 0.5 - plot->view_from) / (plot->view_to - plot->view_from) * panel->area.width;
}

/* y runs upwards from half an element below the first one seen to half an element above the last. */
double
cyc_access_panel_get_y (const CycAccessPanel *panel,
                        double                y)
{
  return panel->area.y + panel->area.height -
         (y + 0.5 - panel->view_low) / (panel->view_high - panel->view_low) * panel->area.height;
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
  const CycAccessPlotTexts *texts = &self->params->texts;
  gboolean by_access = self->params->colour == CYC_ACCESS_BY_ACCESS;
  const char *read = texts->read != NULL ? texts->read : "read";
  const char *write = texts->write != NULL ? texts->write : "write";
  const char *kind = entry->use->output ? write : read;
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
  gint64  low;
  gint64  high;
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
        if (point.y < self->low || point.y >= self->high)
          continue;
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
               gboolean        *out_fits,
               GError         **error)
{
  int rank = panel->rank;
  guint most = self->params->effort == CYC_ACCESS_ON_PAPER ? MAX_MARKERS : MAX_SCREEN_MARKERS;
  const CycAccessTraced *traced = &g_array_index (self->plan->tensors, CycAccessTraced, panel->tensor);
  g_autofree gint64 *weights = g_new0 (gint64, traced->tensor->n_ranks + 1);
  Gatherer gatherer = { NULL, panel->low, panel->high, most };
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
      if (cyc_access_scan_run (scan, self->plot->from, self->plot->to, self->work.cancellable, gather_strip, &gatherer,
                               &local))
        continue;
      *out_fits = FALSE;
      if (local == NULL)
        return TRUE;
      g_propagate_error (error, local);
      return FALSE;
    }
  *out_fits = TRUE;
  panel->n_points = most - gatherer.left;
  return TRUE;
}

/* Of what a timestep and an element have, as much as does not touch the next marker. */
void
cyc_access_panel_size_markers (const CycAccessPlot *plot,
                               CycAccessPanel      *panel)
{
  double room = MIN (panel->area.width / (plot->view_to - plot->view_from),
                     panel->area.height / (panel->view_high - panel->view_low));

  panel->marker = CLAMP (0.9 * room, 0.8, panel->n_points >= MANY_POINTS ? 3 : 6);
}

/* Whether markers would lie closer together than pixels. */
static gboolean
is_dense (const Builder        *self,
          const CycAccessPanel *panel)
{
  double scale = self->params->dpi / POINTS;

  return self->params->effort != CYC_ACCESS_ON_PAPER &&
         (panel->area.width * scale < (double) (self->plot->to - self->plot->from) ||
          panel->area.height * scale < (double) (panel->high - panel->low));
}

static gboolean
count_pixels (Builder         *self,
              CycAccessPanel  *panel,
              GError         **error)
{
  double scale = self->params->dpi / POINTS / (self->params->effort == CYC_ACCESS_ON_PAPER ? 1 : CELL);
  gint64 n_timesteps = self->plot->to - self->plot->from;
  CycAccessImageParams params = {
    panel->tensor, panel->rank, self->plot->from, self->plot->to, panel->low, panel->high,
  };

  for (guint i = 0; i < panel->series->len; i++)
    g_clear_pointer (&((CycAccessSeries *) panel->series->pdata[i])->points, g_array_unref);
  params.width = (guint) MAX (MIN (panel->area.width * scale, (double) n_timesteps), 1);
  params.height = (guint) MAX (MIN (panel->area.height * scale, (double) (panel->high - panel->low)), 1);
  if (self->params->effort == CYC_ACCESS_AT_ONCE && n_timesteps > MAX_SAMPLES)
    params.sample = MAX (MAX_SAMPLES / params.width / MAX (self->plot->panels->len, 1), 1);
  panel->image = cyc_access_image_new (self->plan, &params, &self->work, error);
  return panel->image != NULL;
}

/* Panels come one after the other, and each is an equal part of the whole. */
static void
panel_progress_cb (double   done,
                   gpointer user_data)
{
  const Builder *self = user_data;

  self->asked->progress ((self->at + done) / self->plot->panels->len, self->asked->progress_data);
}

static gboolean
fill_panel (Builder         *self,
            CycAccessPanel  *panel,
            GError         **error)
{
  gboolean fits = FALSE;

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
  if (self->plot->to <= self->plot->from || panel->high <= panel->low)
    return TRUE;
  if (!is_dense (self, panel) && !gather_points (self, panel, &fits, error))
    return FALSE;
  if (fits)
    cyc_access_panel_size_markers (self->plot, panel);
  else if (!count_pixels (self, panel, error))
    return FALSE;
  return TRUE;
}

/* How many of a level's tiles reach into what is shown. */
static gboolean
count_tiles (Builder              *self,
             const CycAccessHeld  *held,
             guint                *out_n,
             GError              **error)
{
  g_autoptr (GArray) windows = cyc_access_plan_get_windows (self->plan, held, error);

  *out_n = 0;
  for (guint i = 0; windows != NULL && i < windows->len; i++)
    {
      const CycAccessWindow *window = &g_array_index (windows, CycAccessWindow, i);
      *out_n += window->end > self->plot->from && window->first < self->plot->to;
    }
  return windows != NULL;
}

static gboolean
fill_blocks (Builder              *self,
             CycAccessPanel       *panel,
             const CycAccessHeld  *held,
             GError              **error)
{
  guint most = self->params->effort == CYC_ACCESS_ON_PAPER ? MAX_BLOCKS : MAX_SCREEN_BLOCKS;
  guint n = 0;

  if (self->params->effort == CYC_ACCESS_AT_ONCE)
    return TRUE;
  if (!count_tiles (self, held, &n, error))
    return FALSE;
  if (n <= most)
    {
      panel->blocks = cyc_access_blocks_new (self->plan, held, panel->rank, self->plot->from, self->plot->to,
                                             self->work.cancellable, error);
      if (panel->blocks == NULL)
        return FALSE;
      n = panel->blocks->len;
    }
  if (n <= most)
    return TRUE;
  g_clear_pointer (&panel->blocks, g_array_unref);
  panel->crowded = TRUE;
  if (self->params->effort != CYC_ACCESS_ON_PAPER)
    return TRUE;
  cyc_error_set_at (error, CYC_ERROR_TOO_LARGE, NULL, 0, "'%s' holds tensor '%s' in over %d blocks; trace a prefix "
                    "(max_timesteps)", self->params->level, held->tensor, MAX_BLOCKS);
  return FALSE;
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
              if (!fill_blocks (self, panel, held, error))
                return FALSE;
            }
        }
    }
  if (any || self->params->effort != CYC_ACCESS_ON_PAPER)
    {
      CycAccessKey *key = g_new0 (CycAccessKey, 1);
      key->label = self->params->texts.tile != NULL ? g_strdup (self->params->texts.tile)
                                                    : g_strdup_printf ("tile in %s", self->params->level);
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
  panel->rank = rank;
  panel->title = g_strdup_printf ("%s  [%s]", traced->tensor->name, sizes->str);
  panel->y_label = g_strdup (rank >= 0 ? traced->tensor->ranks[rank]
                             : traced->tensor->n_ranks == 1 ? traced->tensor->ranks[0]
                             : self->params->texts.element != NULL ? self->params->texts.element : "Element");
  panel->extent = rank >= 0 ? traced->shape[rank] : traced->n_elements;
  panel->high = panel->extent;
  if (self->params->ys != NULL && self->params->ys[self->plot->panels->len].high > 0)
    {
      const CycAccessYRange *y = &self->params->ys[self->plot->panels->len];
      panel->low = CLAMP (y->low, 0, panel->extent);
      panel->high = CLAMP (y->high, panel->low, panel->extent);
    }
  panel->view_low = (double) panel->low;
  panel->view_high = (double) MAX (panel->high, panel->low + 1);
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

/* As many as there is room for. */
guint
cyc_access_plot_get_key_columns (const CycAccessPlot *plot,
                                 guint                n_keys)
{
  return (guint) CLAMP (plot->width / plot->key_width, 1, MIN (n_keys, CYC_ACCESS_KEY_COLUMNS));
}

static guint
get_key_rows (const CycAccessPlot *plot,
              guint                n_keys)
{
  if (n_keys < 2)
    return 0;
  guint n_columns = cyc_access_plot_get_key_columns (plot, n_keys);
  return (n_keys + n_columns - 1) / n_columns;
}

/* How many keys there will be is known before anything is walked, and about how wide they are. */
static guint
count_keys (Builder *self)
{
  guint n = self->params->level != NULL ? 1 : 0;

  for (guint i = 0; i < self->plan->entries->len; i++)
    add_key (self, &g_array_index (self->plan->entries, CycAccessEntry, i));
  n += self->plot->keys->len;
  self->plot->key_width = KEY_MARK;
  for (guint i = 0; i < self->plot->keys->len; i++)
    {
      const CycAccessKey *key = self->plot->keys->pdata[i];
      double width = KEY_MARK + KEY_LETTER * (double) g_utf8_strlen (key->label, -1);
      self->plot->key_width = MAX (self->plot->key_width, width);
    }
  g_ptr_array_set_size (self->plot->keys, 0);
  return n;
}

static void
place_panels (CycAccessPlot *plot,
              guint          n_key_rows)
{
  guint n = plot->panels->len;

  plot->n_rows = (n + plot->n_columns - 1) / plot->n_columns;
  double top = 4 + MIN (CYC_ACCESS_KEY_ROW * n_key_rows, plot->height / 3);
  double row = (plot->height - top - BOTTOM) / plot->n_rows;
  double column = plot->width / plot->n_columns;
  for (guint i = 0; i < n; i++)
    {
      CycAccessPanel *panel = plot->panels->pdata[i];
      panel->area.x = column * (i % plot->n_columns) + LEFT;
      panel->area.y = top + row * (i / plot->n_columns) + TITLE;
      panel->area.width = MAX (column - LEFT - RIGHT, 1);
      panel->area.height = MAX (row - TITLE, 1);
      panel->lowest = i + plot->n_columns >= n;
    }
}

static void
lay_out (Builder *self)
{
  const CycAccessPlotParams *params = self->params;
  CycAccessPlot *plot = self->plot;
  guint n = plot->panels->len;

  plot->n_columns = CLAMP (params->columns, 1, n);
  guint n_rows = (n + plot->n_columns - 1) / plot->n_columns;
  plot->width = params->width > 0 ? params->width : CYC_ACCESS_PLOT_COLUMN * plot->n_columns * POINTS;
  plot->height = params->height > 0 ? params->height : (CYC_ACCESS_PLOT_ROW * n_rows + CYC_ACCESS_PLOT_REST) * POINTS;
  guint n_keys = count_keys (self);
  place_panels (plot, get_key_rows (plot, n_keys));
}

/**
 * cyc_access_plot_resize:
 * @self: a plot that is not drawn just now
 * @width: in points
 * @height: in points
 *
 * Gives it another size. What is counted by pixel stays as it is, and is stretched.
 */
void
cyc_access_plot_resize (CycAccessPlot *self,
                        double         width,
                        double         height)
{
  self->width = width;
  self->height = height;
  place_panels (self, get_key_rows (self, self->keys->len));
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
  Builder builder = { plan, params, work, *work, self };

  self->from = CLAMP (params->from, 0, plan->n_timesteps);
  self->to = params->to > 0 ? CLAMP (params->to, self->from, plan->n_timesteps) : plan->n_timesteps;
  self->view_from = (double) self->from;
  self->view_to = (double) MAX (self->to, self->from + 1);
  self->truncated = plan->truncated;
  self->timestep_text = g_strdup (params->texts.timestep != NULL ? params->texts.timestep : "Timestep");
  self->truncated_text = params->texts.truncated != NULL ? g_strdup (params->texts.truncated)
    : g_strdup_printf ("truncated to the first %" G_GINT64_FORMAT " timesteps", plan->n_timesteps);
  self->crowded_text = g_strdup (params->texts.crowded != NULL ? params->texts.crowded : "too many tiles");
  self->dpi = params->dpi;
  self->panels = g_ptr_array_new_with_free_func (free_panel);
  self->keys = g_ptr_array_new_with_free_func (free_key);
  if (!add_panels (&builder, error))
    return NULL;
  lay_out (&builder);
  if (work->progress != NULL)
    {
      builder.work.progress = panel_progress_cb;
      builder.work.progress_data = &builder;
    }
  for (; builder.at < self->panels->len; builder.at++)
    if (!fill_panel (&builder, self->panels->pdata[builder.at], error))
      return NULL;
  if (params->level != NULL && !fill_level (&builder, error))
    return NULL;
  return g_steal_pointer (&self);
}
