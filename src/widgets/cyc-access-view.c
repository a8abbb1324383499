/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "widgets/cyc-access-view.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "widgets/cyc-access-view-private.h"
#include "widgets/cyc-plot-widget-private.h"
#include "widgets/cyc-widgets.h"

#define MIN_WIDTH 280
#define NATURAL_WIDTH 640
#define MIN_PANEL 92
#define NATURAL_PANEL 150
#define AROUND 64
/* Texts beside the theme's. */
#define TEXT 0.78
/* How far a pointer may be from an access, in points. */
#define REACH 5.0
/* The least that is seen. */
#define MIN_SPAN 2.0

enum
{
  VIEW_CHANGED,
  HOVER_CHANGED,
  FOCUS_CHANGED,
  ACTIVATED,
  RANGE_CHANGED,
  BUSY_CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

/* An access trace: timestep against element, a panel for each tensor, to be zoomed, pointed at and selected in. */
G_DEFINE_FINAL_TYPE (CycAccessView, cyc_access_view, GTK_TYPE_WIDGET)

static const CycAccessPlace nowhere = { -1, 0, 0 };

/* Pixels of a point. */
double
_cyc_access_view_get_unit (CycAccessView *self)
{
  cyc_plot_widget_update_style (GTK_WIDGET (self), &self->style);
  return self->style->size * TEXT / CYC_ACCESS_TEXT;
}

static void
redraw (CycAccessView *self)
{
  g_clear_pointer (&self->picture, cairo_surface_destroy);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
_cyc_access_view_busy_changed (CycAccessView *self)
{
  gtk_accessible_update_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_BUSY, cyc_access_view_is_busy (self, NULL),
                               -1);
  g_signal_emit (self, signals[BUSY_CHANGED], 0);
}

/* Takes a plot, or the reason why there is none. */
void
_cyc_access_view_set_plot (CycAccessView *self,
                           CycAccessPlot *plot,
                           GError        *error)
{
  g_clear_error (&self->error);
  self->error = error;
  g_clear_pointer (&self->plot, cyc_access_plot_free);
  self->plot = plot;
  redraw (self);
}

/* Another part is seen, or the same part of something else. */
void
_cyc_access_view_moved (CycAccessView *self)
{
  redraw (self);
  _cyc_access_view_start (self);
  g_signal_emit (self, signals[VIEW_CHANGED], 0);
}

static void
fill_view (CycAccessView     *self,
           CycAccessPlotView *view)
{
  view->from = self->from;
  view->to = self->to;
  view->panels = (const CycAccessPanelView *) self->ys->data;
}

CycAccessPlace
_cyc_access_view_find (CycAccessView *self,
                       double         x,
                       double         y)
{
  double unit = _cyc_access_view_get_unit (self);
  CycAccessPlotView view;

  if (self->plot == NULL || self->trace == NULL)
    return nowhere;
  fill_view (self, &view);
  CycAccessPlace place = cyc_access_plot_find (self->plot, &view, x / unit, y / unit);
  cyc_access_plot_snap (self->plot, &view, x / unit, y / unit, REACH, &place);
  if (place.timestep >= self->trace->plan->n_timesteps)
    place.panel = -1;
  return place;
}

static void
cyc_access_view_measure (GtkWidget      *widget,
                         GtkOrientation  orientation,
                         int             for_size,
                         int            *minimum,
                         int            *natural,
                         int            *minimum_baseline,
                         int            *natural_baseline)
{
  CycAccessView *self = CYC_ACCESS_VIEW (widget);
  int n = MAX ((int) self->ys->len, 1);

  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? MIN_WIDTH : AROUND + n * MIN_PANEL;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? NATURAL_WIDTH : AROUND + n * NATURAL_PANEL;
}

static void
cyc_access_view_size_allocate (GtkWidget *widget,
                               int        width,
                               int        height,
                               int        baseline)
{
  CycAccessView *self = CYC_ACCESS_VIEW (widget);

  if (width == self->width && height == self->height)
    return;
  self->width = width;
  self->height = height;
  g_clear_pointer (&self->picture, cairo_surface_destroy);
  _cyc_access_view_start (self);
}

static CycPlotStyle *
make_style (CycAccessView *self)
{
  CycPlotStyle *style = cyc_plot_style_copy (self->style);

  style->size = CYC_ACCESS_TEXT;
  return style;
}

static void
draw_picture (CycAccessView       *self,
              const CycPlotStyle  *style,
              int                  width,
              int                  height)
{
  int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  double unit = _cyc_access_view_get_unit (self);
  CycAccessPlotView view;

  fill_view (self, &view);
  cyc_access_plot_resize (self->plot, width / unit, height / unit);
  self->picture = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width * scale, height * scale);
  cairo_surface_set_device_scale (self->picture, scale, scale);
  cairo_t *cr = cairo_create (self->picture);
  cairo_scale (cr, unit, unit);
  cyc_access_plot_draw (self->plot, &view, style, cr);
  cairo_destroy (cr);
}

static void
draw_marks (CycAccessView      *self,
            const CycPlotStyle *style,
            cairo_t            *cr)
{
  double unit = _cyc_access_view_get_unit (self);
  CycAccessPlotView view;
  CycAccessMarks marks = { self->hover, self->focus, self->has_range, self->range_from, self->range_to };

  if (!gtk_widget_has_focus (GTK_WIDGET (self)) && self->hover.panel >= 0)
    marks.focus.panel = -1;
  if (self->windows != NULL)
    {
      marks.windows = (const CycAccessWindow *) self->windows->data;
      marks.n_windows = self->windows->len;
    }
  fill_view (self, &view);
  cairo_scale (cr, unit, unit);
  cyc_access_plot_draw_marks (self->plot, &view, &marks, style, cr);
}

static void
cyc_access_view_snapshot (GtkWidget   *widget,
                          GtkSnapshot *snapshot)
{
  CycAccessView *self = CYC_ACCESS_VIEW (widget);
  int width = gtk_widget_get_width (widget);
  int height = gtk_widget_get_height (widget);
  graphene_rect_t bounds = GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height);

  if (cyc_plot_widget_update_style (widget, &self->style))
    g_clear_pointer (&self->picture, cairo_surface_destroy);
  if (self->plot == NULL || self->trace == NULL)
    return;
  g_autoptr (CycPlotStyle) style = make_style (self);
  if (self->picture == NULL)
    draw_picture (self, style, width, height);
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &bounds);
  cairo_set_source_surface (cr, self->picture, 0, 0);
  cairo_paint (cr);
  draw_marks (self, style, cr);
  cairo_destroy (cr);
}

static void
cyc_access_view_dispose (GObject *object)
{
  CycAccessView *self = CYC_ACCESS_VIEW (object);

  g_clear_handle_id (&self->source, g_source_remove);
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  G_OBJECT_CLASS (cyc_access_view_parent_class)->dispose (object);
}

static void
cyc_access_view_finalize (GObject *object)
{
  CycAccessView *self = CYC_ACCESS_VIEW (object);

  g_clear_pointer (&self->picture, cairo_surface_destroy);
  g_clear_pointer (&self->plot, cyc_access_plot_free);
  g_clear_pointer (&self->style, cyc_plot_style_free);
  g_clear_pointer (&self->windows, g_array_unref);
  g_clear_error (&self->error);
  g_array_unref (self->ys);
  cyc_access_trace_unref (self->trace);
  g_atomic_rc_box_release (self->progress);
  g_free (self->rank);
  g_free (self->level);
  G_OBJECT_CLASS (cyc_access_view_parent_class)->finalize (object);
}

static guint
new_signal (CycAccessViewClass *klass,
            const char         *name)
{
  return g_signal_new (name, G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
cyc_access_view_class_init (CycAccessViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = cyc_access_view_dispose;
  object_class->finalize = cyc_access_view_finalize;
  widget_class->measure = cyc_access_view_measure;
  widget_class->size_allocate = cyc_access_view_size_allocate;
  widget_class->snapshot = cyc_access_view_snapshot;
  signals[VIEW_CHANGED] = new_signal (klass, "view-changed");
  signals[HOVER_CHANGED] = new_signal (klass, "hover-changed");
  signals[FOCUS_CHANGED] = new_signal (klass, "focus-changed");
  signals[ACTIVATED] = new_signal (klass, "activated");
  signals[RANGE_CHANGED] = new_signal (klass, "range-changed");
  signals[BUSY_CHANGED] = new_signal (klass, "busy-changed");
  gtk_widget_class_set_css_name (widget_class, "accessview");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  _cyc_access_view_input_class (widget_class);
}

static void
cyc_access_view_init (CycAccessView *self)
{
  cyc_widgets_init ();
  self->ys = g_array_new (FALSE, TRUE, sizeof (CycAccessPanelView));
  self->progress = g_atomic_rc_box_new0 (int);
  self->hover = self->focus = nowhere;
  self->to = 1;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  _cyc_access_view_input_init (self);
}

/**
 * cyc_access_view_new:
 *
 * Returns: (transfer floating): a view without a trace
 */
GtkWidget *
cyc_access_view_new (void)
{
  return g_object_new (CYC_TYPE_ACCESS_VIEW, NULL);
}

/* The axis of a panel, from 0 on. */
static gint64
get_extent (CycAccessView *self,
            guint          panel)
{
  const CycAccessTraced *traced = &g_array_index (self->trace->plan->tensors, CycAccessTraced, panel);

  for (guint r = 0; self->rank != NULL && r < traced->tensor->n_ranks; r++)
    if (strcmp (traced->tensor->ranks[r], self->rank) == 0)
      return MAX (traced->shape[r], 1);
  return MAX (traced->n_elements, 1);
}

static gint64
get_scale (CycAccessView *self)
{
  gint64 own = self->trace != NULL ? MAX (self->trace->plan->n_timesteps, 1) : 1;

  return MAX (self->scale, own);
}

static void
reset_ys (CycAccessView *self)
{
  g_array_set_size (self->ys, self->trace != NULL ? self->trace->plan->tensors->len : 0);
  for (guint i = 0; i < self->ys->len; i++)
    g_array_index (self->ys, CycAccessPanelView, i) = (CycAccessPanelView) { 0, (double) get_extent (self, i) };
}

/* Whether what is shown of one trace makes sense for the other. */
static gboolean
is_alike (const CycAccessTrace *a,
          const CycAccessTrace *b)
{
  if (a == NULL || b == NULL || a->plan->tensors->len != b->plan->tensors->len)
    return FALSE;
  for (guint i = 0; i < a->plan->tensors->len; i++)
    {
      const CycAccessTraced *x = &g_array_index (a->plan->tensors, CycAccessTraced, i);
      const CycAccessTraced *y = &g_array_index (b->plan->tensors, CycAccessTraced, i);
      if (strcmp (x->tensor->name, y->tensor->name) != 0 || x->tensor->n_ranks != y->tensor->n_ranks ||
          x->n_elements != y->n_elements)
        return FALSE;
    }
  return TRUE;
}

/**
 * cyc_access_view_set_trace:
 * @self: a view
 * @trace: (nullable): what it shows from now on
 *
 * What is seen and selected of it stays the same as far as it is there: a mapping that was edited is drawn in its
 * place.
 */
void
cyc_access_view_set_trace (CycAccessView  *self,
                           CycAccessTrace *trace)
{
  g_return_if_fail (CYC_IS_ACCESS_VIEW (self));

  gboolean whole = self->trace == NULL || self->to - self->from >= (double) get_scale (self);
  gboolean alike = is_alike (self->trace, trace);
  cyc_access_view_stop (self);
  if (trace != NULL)
    cyc_access_trace_ref (trace);
  cyc_access_trace_unref (self->trace);
  self->trace = trace;
  g_clear_error (&self->error);
  g_clear_pointer (&self->windows, g_array_unref);
  if (!alike)
    {
      g_clear_pointer (&self->plot, cyc_access_plot_free);
      self->hover = self->focus = nowhere;
      self->has_range = FALSE;
      reset_ys (self);
      gtk_widget_queue_resize (GTK_WIDGET (self));
    }
  if (whole || !alike)
    {
      self->from = 0;
      self->to = (double) get_scale (self);
    }
  cyc_access_view_set_visible (self, self->from, self->to);
  if (self->focus.panel >= 0 && self->focus.timestep >= trace->plan->n_timesteps)
    self->focus = nowhere;
  if (self->has_range)
    self->range_to = MIN (self->range_to, trace->plan->n_timesteps);
  self->has_range = self->has_range && self->range_from < self->range_to;
  _cyc_access_view_update_text (self);
  _cyc_access_view_moved (self);
}

/**
 * cyc_access_view_get_trace:
 * @self: a view
 *
 * Returns: (transfer none) (nullable): what it shows
 */
CycAccessTrace *
cyc_access_view_get_trace (CycAccessView *self)
{
  g_return_val_if_fail (CYC_IS_ACCESS_VIEW (self), NULL);

  return self->trace;
}

/**
 * cyc_access_view_set_colour:
 * @self: a view
 * @colour: what has a colour of its own
 */
void
cyc_access_view_set_colour (CycAccessView   *self,
                            CycAccessColour  colour)
{
  g_return_if_fail (CYC_IS_ACCESS_VIEW (self));

  if (self->colour == colour)
    return;
  self->colour = colour;
  _cyc_access_view_start (self);
}

/**
 * cyc_access_view_set_rank:
 * @self: a view
 * @rank: (nullable): the coordinate on it is on the y axis, for tensors that have it; %NULL for elements
 */
void
cyc_access_view_set_rank (CycAccessView *self,
                          const char    *rank)
{
  g_return_if_fail (CYC_IS_ACCESS_VIEW (self));

  if (g_strcmp0 (self->rank, rank) == 0)
    return;
  g_free (self->rank);
  self->rank = g_strdup (rank);
  g_clear_pointer (&self->plot, cyc_access_plot_free);
  self->hover = self->focus = nowhere;
  reset_ys (self);
  _cyc_access_view_moved (self);
}

/**
 * cyc_access_view_set_level:
 * @self: a view
 * @level: (nullable): the memory level whose tiles are shaded
 */
void
cyc_access_view_set_level (CycAccessView *self,
                           const char    *level)
{
  g_return_if_fail (CYC_IS_ACCESS_VIEW (self));

  if (g_strcmp0 (self->level, level) == 0)
    return;
  g_free (self->level);
  self->level = g_strdup (level);
  _cyc_access_view_start (self);
}

/**
 * cyc_access_view_set_windows:
 * @self: a view
 * @windows: (nullable) (element-type CycAccessWindow): times to be marked in all panels
 */
void
cyc_access_view_set_windows (CycAccessView *self,
                             GArray        *windows)
{
  g_return_if_fail (CYC_IS_ACCESS_VIEW (self));

  g_clear_pointer (&self->windows, g_array_unref);
  self->windows = windows != NULL ? g_array_ref (windows) : NULL;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* What is seen */

/**
 * cyc_access_view_get_visible:
 * @self: a view
 * @out_from: (out): first timestep that is seen
 * @out_to: (out): the one after the last
 */
void
cyc_access_view_get_visible (CycAccessView *self,
                             double        *out_from,
                             double        *out_to)
{
  g_return_if_fail (CYC_IS_ACCESS_VIEW (self));

  *out_from = self->from;
  *out_to = self->to;
}

/**
 * cyc_access_view_set_visible:
 * @self: a view
 * @from: first timestep to be seen
 * @to: the one after the last; what is not there is cut off
 */
void
cyc_access_view_set_visible (CycAccessView *self,
                             double         from,
                             double         to)
{
  g_return_if_fail (CYC_IS_ACCESS_VIEW (self));

  double scale = (double) get_scale (self);
  double span = CLAMP (to - from, MIN (MIN_SPAN, scale), scale);
  from = CLAMP (from, 0, scale - span);
  if (from == self->from && from + span == self->to)
    return;
  self->from = from;
  self->to = from + span;
  _cyc_access_view_moved (self);
}

/**
 * cyc_access_view_set_scale:
 * @self: a view
 * @n_timesteps: timesteps of the whole axis, if the trace has fewer: two traces are shown on one scale
 */
void
cyc_access_view_set_scale (CycAccessView *self,
                           gint64         n_timesteps)
{
  g_return_if_fail (CYC_IS_ACCESS_VIEW (self));

  gboolean whole = self->to - self->from >= (double) get_scale (self);
  self->scale = n_timesteps;
  if (whole)
    cyc_access_view_set_visible (self, 0, (double) get_scale (self));
  else
    cyc_access_view_set_visible (self, self->from, self->to);
}

/**
 * cyc_access_view_get_visible_y:
 * @self: a view
 * @panel: one of its panels
 * @out_low: (out): first element that is seen
 * @out_high: (out): the one after the last
 */
void
cyc_access_view_get_visible_y (CycAccessView *self,
                               guint          panel,
                               double        *out_low,
                               double        *out_high)
{
  g_return_if_fail (CYC_IS_ACCESS_VIEW (self) && panel < self->ys->len);

  *out_low = g_array_index (self->ys, CycAccessPanelView, panel).low;
  *out_high = g_array_index (self->ys, CycAccessPanelView, panel).high;
}

/**
 * cyc_access_view_set_visible_y:
 * @self: a view
 * @panel: one of its panels
 * @low: first element to be seen
 * @high: the one after the last; what is not there is cut off
 */
void
cyc_access_view_set_visible_y (CycAccessView *self,
                               guint          panel,
                               double         low,
                               double         high)
{
  g_return_if_fail (CYC_IS_ACCESS_VIEW (self) && panel < self->ys->len);

  double extent = (double) get_extent (self, panel);
  double span = CLAMP (high - low, MIN (MIN_SPAN, extent), extent);
  CycAccessPanelView *y = &g_array_index (self->ys, CycAccessPanelView, panel);
  low = CLAMP (low, 0, extent - span);
  if (y->low == low && y->high == low + span)
    return;
  *y = (CycAccessPanelView) { low, low + span };
  _cyc_access_view_moved (self);
}

/**
 * cyc_access_view_show_all:
 * @self: a view
 *
 * Shows all timesteps and all elements.
 */
void
cyc_access_view_show_all (CycAccessView *self)
{
  g_return_if_fail (CYC_IS_ACCESS_VIEW (self));

  for (guint i = 0; i < self->ys->len; i++)
    cyc_access_view_set_visible_y (self, i, 0, (double) get_extent (self, i));
  cyc_access_view_set_visible (self, 0, (double) get_scale (self));
}

void
_cyc_access_view_zoom_at (CycAccessView *self,
                          double         factor,
                          double         timestep)
{
  double span = (self->to - self->from) / factor;
  double part = (timestep - self->from) / (self->to - self->from);

  cyc_access_view_set_visible (self, timestep - part * span, timestep + (1 - part) * span);
}

void
_cyc_access_view_zoom_y (CycAccessView *self,
                         guint          panel,
                         double         factor,
                         double         y)
{
  const CycAccessPanelView *seen = &g_array_index (self->ys, CycAccessPanelView, panel);
  double span = (seen->high - seen->low) / factor;
  double part = (y - seen->low) / (seen->high - seen->low);

  cyc_access_view_set_visible_y (self, panel, y - part * span, y + (1 - part) * span);
}

void
_cyc_access_view_pan (CycAccessView *self,
                      double         timesteps)
{
  double span = self->to - self->from;
  double from = CLAMP (self->from + timesteps, 0, (double) get_scale (self) - span);

  cyc_access_view_set_visible (self, from, from + span);
}

void
_cyc_access_view_pan_y (CycAccessView *self,
                        guint          panel,
                        double         elements)
{
  const CycAccessPanelView *seen = &g_array_index (self->ys, CycAccessPanelView, panel);
  double span = seen->high - seen->low;
  double low = CLAMP (seen->low + elements, 0, (double) get_extent (self, panel) - span);

  cyc_access_view_set_visible_y (self, panel, low, low + span);
}

gboolean
_cyc_access_view_is_zoomed_y (CycAccessView *self,
                              guint          panel)
{
  const CycAccessPanelView *seen = &g_array_index (self->ys, CycAccessPanelView, panel);

  return seen->high - seen->low < (double) get_extent (self, panel);
}

/**
 * cyc_access_view_zoom:
 * @self: a view
 * @factor: above 1 to see less
 *
 * Zooms around what is in focus, or the middle.
 */
void
cyc_access_view_zoom (CycAccessView *self,
                      double         factor)
{
  g_return_if_fail (CYC_IS_ACCESS_VIEW (self));

  double at = (double) self->focus.timestep + 0.5;
  if (self->focus.panel < 0 || at < self->from || at > self->to)
    at = (self->from + self->to) / 2;
  _cyc_access_view_zoom_at (self, factor, at);
}

/**
 * cyc_access_view_get_params:
 * @self: a view
 * @out_params: (out): what is seen now, as parameters of a plot; its texts belong to @self, @out_ys to the caller
 * @out_ys: (out caller-allocates): of each tensor
 */
void
cyc_access_view_get_params (CycAccessView       *self,
                            CycAccessPlotParams *out_params,
                            CycAccessYRange     *out_ys)
{
  g_return_if_fail (CYC_IS_ACCESS_VIEW (self));

  CycAccessPlotParams params = { NULL, self->colour, self->rank, self->level, 1, 96 };
  params.from = (gint64) floor (self->from);
  params.to = MAX ((gint64) ceil (self->to), 1);
  for (guint i = 0; i < self->ys->len; i++)
    {
      const CycAccessPanelView *y = &g_array_index (self->ys, CycAccessPanelView, i);
      out_ys[i] = (CycAccessYRange) { (gint64) floor (y->low), (gint64) ceil (y->high) };
    }
  params.ys = out_ys;
  *out_params = params;
}

/* What is pointed at */

void
_cyc_access_view_set_hover (CycAccessView  *self,
                            CycAccessPlace  place)
{
  if (self->hover.panel == place.panel && self->hover.timestep == place.timestep && self->hover.y == place.y)
    return;
  self->hover = place;
  self->lit = FALSE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[HOVER_CHANGED], 0);
}

/* Brings a place into view. */
static void
reveal (CycAccessView *self)
{
  double t = (double) self->focus.timestep;
  double y = (double) self->focus.y;
  const CycAccessPanelView *seen = &g_array_index (self->ys, CycAccessPanelView, self->focus.panel);

  if (t < self->from)
    _cyc_access_view_pan (self, t - self->from);
  else if (t + 1 > self->to)
    _cyc_access_view_pan (self, t + 1 - self->to);
  if (y < seen->low)
    _cyc_access_view_pan_y (self, (guint) self->focus.panel, y - seen->low);
  else if (y + 1 > seen->high)
    _cyc_access_view_pan_y (self, (guint) self->focus.panel, y + 1 - seen->high);
}

void
_cyc_access_view_set_focus (CycAccessView  *self,
                            CycAccessPlace  place)
{
  if (self->trace == NULL || self->ys->len == 0 || self->trace->plan->n_timesteps == 0)
    return;
  if (place.panel >= 0)
    {
      place.panel = MIN (place.panel, (int) self->ys->len - 1);
      place.timestep = CLAMP (place.timestep, 0, self->trace->plan->n_timesteps - 1);
      place.y = CLAMP (place.y, 0, get_extent (self, (guint) place.panel) - 1);
    }
  self->focus = place;
  if (place.panel >= 0)
    reveal (self);
  _cyc_access_view_update_text (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[FOCUS_CHANGED], 0);
}

void
_cyc_access_view_activate (CycAccessView *self)
{
  if (self->focus.panel >= 0)
    g_signal_emit (self, signals[ACTIVATED], 0);
}

static gboolean
get_spot (CycAccessView        *self,
          const CycAccessPlace *place,
          CycAccessSpot        *out_spot)
{
  if (self->plot == NULL || place->panel < 0)
    return FALSE;
  *out_spot = (CycAccessSpot) {
    cyc_access_plot_get_tensor (self->plot, (guint) place->panel),
    cyc_access_plot_get_rank (self->plot, (guint) place->panel), place->timestep, place->y,
  };
  return TRUE;
}

/**
 * cyc_access_view_get_hover:
 * @self: a view
 * @out_spot: (out): what the pointer is at
 *
 * Returns: %FALSE if it is nowhere in a panel
 */
gboolean
cyc_access_view_get_hover (CycAccessView *self,
                           CycAccessSpot *out_spot)
{
  g_return_val_if_fail (CYC_IS_ACCESS_VIEW (self), FALSE);

  return !self->lit && get_spot (self, &self->hover, out_spot);
}

/**
 * cyc_access_view_get_focus:
 * @self: a view
 * @out_spot: (out): what was clicked, or where the keys went
 *
 * Returns: %FALSE if there is nothing yet
 */
gboolean
cyc_access_view_get_focus (CycAccessView *self,
                           CycAccessSpot *out_spot)
{
  g_return_val_if_fail (CYC_IS_ACCESS_VIEW (self), FALSE);

  return get_spot (self, &self->focus, out_spot);
}

/**
 * cyc_access_view_set_focus:
 * @self: a view
 * @panel: of a tensor
 * @timestep: where
 * @y: where
 *
 * Puts the focus on a place and brings it into view.
 */
void
cyc_access_view_set_focus (CycAccessView *self,
                           guint          panel,
                           gint64         timestep,
                           gint64         y)
{
  g_return_if_fail (CYC_IS_ACCESS_VIEW (self));

  _cyc_access_view_set_focus (self, (CycAccessPlace) { (int) panel, timestep, y });
}

/**
 * cyc_access_view_light_up:
 * @self: a view
 * @tensor: (nullable): a tensor, if there is one of this name; %NULL to put the light out
 * @y: on its axis
 *
 * Shows the accesses to an element that another view points at.
 */
void
cyc_access_view_light_up (CycAccessView *self,
                          const char    *tensor,
                          gint64         y)
{
  g_return_if_fail (CYC_IS_ACCESS_VIEW (self));

  int panel = tensor != NULL && self->trace != NULL ? cyc_access_plan_find_tensor (self->trace->plan, tensor) : -1;
  self->hover = (CycAccessPlace) { panel, -1, y };
  self->lit = TRUE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/**
 * cyc_access_view_is_on_tile:
 * @self: a view
 * @spot: a place
 *
 * Returns: whether a tile of the memory level is drawn there
 */
gboolean
cyc_access_view_is_on_tile (CycAccessView       *self,
                            const CycAccessSpot *spot)
{
  g_return_val_if_fail (CYC_IS_ACCESS_VIEW (self), FALSE);

  CycAccessPlace place = { (int) spot->tensor, spot->timestep, spot->y };
  return self->plot != NULL && cyc_access_plot_find_block (self->plot, &place);
}

/**
 * cyc_access_view_get_range:
 * @self: a view
 * @out_from: (out): first timestep of the selected range
 * @out_to: (out): the one after the last
 *
 * Returns: %FALSE if there is none
 */
gboolean
cyc_access_view_get_range (CycAccessView *self,
                           gint64        *out_from,
                           gint64        *out_to)
{
  g_return_val_if_fail (CYC_IS_ACCESS_VIEW (self), FALSE);

  *out_from = self->range_from;
  *out_to = self->range_to;
  return self->has_range;
}

/**
 * cyc_access_view_set_range:
 * @self: a view
 * @from: first timestep
 * @to: the one after the last; not above @from for no range
 */
void
cyc_access_view_set_range (CycAccessView *self,
                           gint64         from,
                           gint64         to)
{
  g_return_if_fail (CYC_IS_ACCESS_VIEW (self));

  gint64 end = self->trace != NULL ? self->trace->plan->n_timesteps : 0;
  from = CLAMP (from, 0, end);
  to = CLAMP (to, from, end);
  gboolean has = to > from;
  if (has == self->has_range && (!has || (from == self->range_from && to == self->range_to)))
    return;
  self->has_range = has;
  self->range_from = from;
  self->range_to = to;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[RANGE_CHANGED], 0);
}

/**
 * cyc_access_view_get_error:
 * @self: a view
 *
 * Returns: (transfer none) (nullable): why there is no picture
 */
const GError *
cyc_access_view_get_error (CycAccessView *self)
{
  g_return_val_if_fail (CYC_IS_ACCESS_VIEW (self), NULL);

  return self->error;
}

/**
 * cyc_access_view_get_plot:
 * @self: a view
 *
 * Returns: (transfer none) (nullable): what it draws now
 */
const CycAccessPlot *
cyc_access_view_get_plot (CycAccessView *self)
{
  g_return_val_if_fail (CYC_IS_ACCESS_VIEW (self), NULL);

  return self->plot;
}

/**
 * cyc_access_view_get_place:
 * @self: a view with a picture
 * @panel: of a tensor
 * @timestep: a place
 * @y: a place
 * @out_x: (out): its middle in the widget, in pixels
 * @out_y: (out): the same
 *
 * Returns: whether it is seen
 */
gboolean
cyc_access_view_get_place (CycAccessView *self,
                           guint          panel,
                           gint64         timestep,
                           gint64         y,
                           double        *out_x,
                           double        *out_y)
{
  g_return_val_if_fail (CYC_IS_ACCESS_VIEW (self), FALSE);

  double unit = _cyc_access_view_get_unit (self);
  double left;
  double top;
  double width;
  double height;
  if (self->plot == NULL || panel >= self->ys->len)
    return FALSE;
  const CycAccessPanelView *seen = &g_array_index (self->ys, CycAccessPanelView, panel);
  cyc_access_plot_resize (self->plot, gtk_widget_get_width (GTK_WIDGET (self)) / unit,
                          gtk_widget_get_height (GTK_WIDGET (self)) / unit);
  cyc_access_plot_get_area (self->plot, panel, &left, &top, &width, &height);
  *out_x = unit * (left + ((double) timestep + 0.5 - self->from) / (self->to - self->from) * width);
  *out_y = unit * (top + height - ((double) y + 0.5 - seen->low) / (seen->high - seen->low) * height);
  return (double) timestep >= self->from && (double) timestep < self->to && (double) y >= seen->low &&
         (double) y < seen->high;
}
