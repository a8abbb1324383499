/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "widgets/cyc-chart-view.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/base/cyc-util.h"
#include "widgets/cyc-chart-view-private.h"
#include "widgets/cyc-counter-words.h"
#include "widgets/cyc-plot-widget-private.h"
#include "widgets/cyc-widgets.h"

#define MIN_WIDTH 240
#define MIN_HEIGHT 160
#define NATURAL_WIDTH 640
#define NATURAL_HEIGHT 400

/* Up to so many launches are scrolled through rather than put together. */
#define SCROLLED_LAUNCHES 60

#define PICTURE_SCALE 2

enum
{
  CHANGED,
  LAUNCH_ACTIVATED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

/* A chart of bars that is pointed at, drilled into, scrolled, copied and dragged out. */
G_DEFINE_FINAL_TYPE (CycChartView, cyc_chart_view, GTK_TYPE_WIDGET)

/* Theme, font and screen may have changed, and nobody tells of all of them. */
static void
update_style (CycChartView *self)
{
  /* The layout points at the style. */
  if (cyc_plot_widget_update_style (GTK_WIDGET (self), &self->style))
    g_clear_pointer (&self->layout, cyc_bar_layout_free);
}

static int
get_chart_height (CycChartView *self)
{
  int height = gtk_widget_get_height (GTK_WIDGET (self)), bar_height = 0;

  if (gtk_widget_get_child_visible (self->scrollbar))
    gtk_widget_measure (self->scrollbar, GTK_ORIENTATION_VERTICAL, -1, &bar_height, NULL, NULL, NULL);
  return MAX (height - bar_height, 1);
}

static void
fill_chart (CycChartView *self,
            CycBarChart  *chart)
{
  cyc_bar_chart_init (chart, self->data, self->style, self->palette);
  if (self->axis == CYC_AXIS_LOGARITHMIC)
    chart->flags |= CYC_BAR_CHART_LOGARITHMIC;
  chart->title = self->title;
  chart->value_title = self->value_title;
  chart->unit = cyc_counter_words_get_unit (cyc_bar_table_get_unit (cyc_bar_data_get_table (self->data)));
  chart->group_title = self->group_title;
  chart->missing_text = _("no value");
  chart->partial_text = _("without some launches");
  chart->not_positive_text = _("not above zero");
  chart->beyond_text = _("beyond the axis");
  chart->first = self->first;
  chart->n_visible = self->n_visible;
}

CycBarLayout *
_cyc_chart_view_get_layout (CycChartView *self)
{
  int width = gtk_widget_get_width (GTK_WIDGET (self)), height = get_chart_height (self);
  CycBarChart chart;

  if (self->data == NULL || width <= 0)
    return NULL;
  update_style (self);
  if (self->layout != NULL && self->layout_width == width && self->layout_height == height)
    return self->layout;
  fill_chart (self, &chart);
  g_clear_pointer (&self->layout, cyc_bar_layout_free);
  self->layout = cyc_bar_layout_new (&chart, width, height);
  self->layout_width = width;
  self->layout_height = height;
  return self->layout;
}

static void
changed (CycChartView *self)
{
  _cyc_chart_view_menu_update (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

/* How many groups are seen now. */
static double
get_n_visible (CycChartView *self)
{
  CycBarLayout *layout = _cyc_chart_view_get_layout (self);

  return layout != NULL ? cyc_bar_layout_get_n_visible (layout) : 1;
}

static void
update_adjustment (CycChartView *self)
{
  guint n = self->data != NULL ? cyc_bar_data_get_n_groups (self->data) : 0;
  double visible = get_n_visible (self);
  gboolean scrolled = n > visible + 1e-6;

  if (gtk_widget_get_child_visible (self->scrollbar) != scrolled)
    {
      gtk_widget_set_child_visible (self->scrollbar, scrolled);
      if (!self->allocating)
        gtk_widget_queue_allocate (GTK_WIDGET (self));
    }
  self->first = CLAMP (self->first, 0, MAX (0, n - visible));
  gtk_adjustment_configure (self->adjustment, self->first, 0, MAX (n, visible), 1, MAX (1, visible - 1), visible);
}

void
_cyc_chart_view_invalidate (CycChartView *self)
{
  g_clear_pointer (&self->layout, cyc_bar_layout_free);
  update_adjustment (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* What is shown is something else from now on. */
static void
regrouped (CycChartView *self,
           guint         focus_group)
{
  guint n = cyc_bar_data_get_n_groups (self->data);
  guint n_series = cyc_bar_table_get_n_series (cyc_bar_data_get_table (self->data));

  self->first = 0;
  self->n_visible = 0;
  self->hover = (CycBarMark) { -1, -1 };
  self->focus.group = n > 0 ? (int) MIN (focus_group, n - 1) : -1;
  self->focus.series = n > 0 && n_series > 0 ? CLAMP (self->focus.series, 0, (int) n_series - 1) : -1;
  _cyc_chart_view_update_titles (self);
  _cyc_chart_view_invalidate (self);
  _cyc_chart_view_focus_changed (self);
  changed (self);
}

static void
update_max_groups (CycChartView *self)
{
  CycBarLayout *layout = _cyc_chart_view_get_layout (self);

  if (layout == NULL)
    return;
  guint before = cyc_bar_data_get_n_groups (self->data);
  cyc_bar_data_set_max_groups (self->data, cyc_bar_layout_get_n_labelled (layout), SCROLLED_LAUNCHES);
  g_clear_pointer (&self->layout, cyc_bar_layout_free);
  if (cyc_bar_data_get_n_groups (self->data) != before)
    regrouped (self, MAX (self->focus.group, 0));
}

static void
cyc_chart_view_measure (GtkWidget      *widget,
                        GtkOrientation  orientation,
                        int             for_size,
                        int            *minimum,
                        int            *natural,
                        int            *minimum_baseline,
                        int            *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? MIN_WIDTH : MIN_HEIGHT;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? NATURAL_WIDTH : NATURAL_HEIGHT;
}

static void
cyc_chart_view_size_allocate (GtkWidget *widget,
                              int        width,
                              int        height,
                              int        baseline)
{
  CycChartView *self = CYC_CHART_VIEW (widget);
  int bar_height;

  self->allocating = TRUE;
  update_max_groups (self);
  update_adjustment (self);
  self->allocating = FALSE;
  gtk_widget_measure (self->scrollbar, GTK_ORIENTATION_VERTICAL, width, &bar_height, NULL, NULL, NULL);
  const GtkAllocation place = { 0, height - bar_height, width, bar_height };
  gtk_widget_size_allocate (self->scrollbar, &place, -1);
  if (self->menu != NULL)
    gtk_popover_present (GTK_POPOVER (self->menu));
}

static void
cyc_chart_view_snapshot (GtkWidget   *widget,
                         GtkSnapshot *snapshot)
{
  CycChartView *self = CYC_CHART_VIEW (widget);
  CycBarLayout *layout = _cyc_chart_view_get_layout (self);
  gboolean focused = gtk_widget_has_focus (widget);

  if (layout != NULL)
    {
      graphene_rect_t bounds = GRAPHENE_RECT_INIT (0, 0, (float) self->layout_width,
                                                   (float) self->layout_height);
      cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &bounds);
      cyc_bar_layout_draw (layout, cr, &self->hover, focused ? &self->focus : NULL);
      cairo_destroy (cr);
    }
  gtk_widget_snapshot_child (widget, self->scrollbar, snapshot);
}

static void
cyc_chart_view_dispose (GObject *object)
{
  CycChartView *self = CYC_CHART_VIEW (object);

  g_clear_pointer (&self->menu, gtk_widget_unparent);
  g_clear_pointer (&self->scrollbar, gtk_widget_unparent);
  g_clear_object (&self->adjustment);
  G_OBJECT_CLASS (cyc_chart_view_parent_class)->dispose (object);
}

static void
cyc_chart_view_finalize (GObject *object)
{
  CycChartView *self = CYC_CHART_VIEW (object);

  g_clear_pointer (&self->layout, cyc_bar_layout_free);
  g_clear_pointer (&self->data, cyc_bar_data_free);
  g_clear_pointer (&self->style, cyc_plot_style_free);
  cyc_palette_free (self->palette);
  g_free (self->baseline);
  g_free (self->value_name);
  g_free (self->title);
  g_free (self->value_title);
  g_free (self->group_title);
  G_OBJECT_CLASS (cyc_chart_view_parent_class)->finalize (object);
}

static void
cyc_chart_view_class_init (CycChartViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = cyc_chart_view_dispose;
  object_class->finalize = cyc_chart_view_finalize;
  widget_class->measure = cyc_chart_view_measure;
  widget_class->size_allocate = cyc_chart_view_size_allocate;
  widget_class->snapshot = cyc_chart_view_snapshot;

  /**
   * CycChartView::changed:
   *
   * Other groups are shown, or other parts of them: the way back and the range may be new.
   */
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
  /**
   * CycChartView::launch-activated:
   * @launch: number of a kernel launch, from 0
   * @series: number of a series
   *
   * A bar of a single launch was activated.
   */
  signals[LAUNCH_ACTIVATED] = g_signal_new ("launch-activated", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                            NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_UINT);
  gtk_widget_class_set_css_name (widget_class, "chartview");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  _cyc_chart_view_input_class (widget_class);
  _cyc_chart_view_menu_class (widget_class);
}

static void
scrolled_cb (GtkAdjustment *adjustment,
             CycChartView  *self)
{
  double value = gtk_adjustment_get_value (adjustment);

  if (fabs (value - self->first) < 1e-9)
    return;
  self->first = value;
  g_clear_pointer (&self->layout, cyc_bar_layout_free);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
cyc_chart_view_init (CycChartView *self)
{
  cyc_widgets_init ();
  self->palette = cyc_palette_new ();
  self->hover = self->focus = (CycBarMark) { -1, -1 };
  self->adjustment = g_object_ref_sink (gtk_adjustment_new (0, 0, 1, 1, 1, 1));
  g_signal_connect_object (self->adjustment, "value-changed", G_CALLBACK (scrolled_cb), self, 0);
  self->scrollbar = gtk_scrollbar_new (GTK_ORIENTATION_HORIZONTAL, self->adjustment);
  gtk_widget_set_parent (self->scrollbar, GTK_WIDGET (self));
  gtk_widget_set_child_visible (self->scrollbar, FALSE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->scrollbar), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Groups of the chart"), -1);
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  _cyc_chart_view_input_init (self);
  _cyc_chart_view_menu_init (self);
}

/**
 * cyc_chart_view_new:
 *
 * Returns: (transfer floating): a chart without a table
 */
GtkWidget *
cyc_chart_view_new (void)
{
  return g_object_new (CYC_TYPE_CHART_VIEW, NULL);
}

static guint
find_series (CycBarTable *table,
             const char  *name)
{
  for (guint i = 0; name != NULL && i < cyc_bar_table_get_n_series (table); i++)
    if (g_str_equal (cyc_bar_table_get_series_name (table, i), name))
      return i;
  return CYC_BAR_NO_BASELINE;
}

/**
 * cyc_chart_view_set_table:
 * @self: a chart
 * @table: (nullable): what it shows from now on
 *
 * Grouping, statistic, axis, and the baseline if there is a series of its name, stay as they are; so do the
 * colours of the series.
 */
void
cyc_chart_view_set_table (CycChartView *self,
                          CycBarTable  *table)
{
  g_return_if_fail (CYC_IS_CHART_VIEW (self));

  g_clear_pointer (&self->layout, cyc_bar_layout_free);
  g_clear_pointer (&self->data, cyc_bar_data_free);
  if (table == NULL)
    {
      self->hover = self->focus = (CycBarMark) { -1, -1 };
      _cyc_chart_view_invalidate (self);
      _cyc_chart_view_focus_changed (self);
      changed (self);
      return;
    }
  self->data = cyc_bar_data_new (table);
  cyc_bar_data_set_grouping (self->data, self->grouping);
  cyc_bar_data_set_statistic (self->data, self->statistic);
  cyc_bar_data_set_baseline (self->data, find_series (table, self->baseline));
  update_max_groups (self);
  regrouped (self, 0);
}

/**
 * cyc_chart_view_get_data:
 * @self: a chart
 *
 * Returns: (transfer none) (nullable): what it shows, to be read; %NULL without a table
 */
CycBarData *
cyc_chart_view_get_data (CycChartView *self)
{
  g_return_val_if_fail (CYC_IS_CHART_VIEW (self), NULL);

  return self->data;
}

/**
 * cyc_chart_view_set_grouping:
 * @self: a chart
 * @grouping: how launches are grouped
 */
void
cyc_chart_view_set_grouping (CycChartView   *self,
                             CycBarGrouping  grouping)
{
  g_return_if_fail (CYC_IS_CHART_VIEW (self));

  if (self->grouping == grouping)
    return;
  self->grouping = grouping;
  if (self->data == NULL)
    return;
  cyc_bar_data_set_grouping (self->data, grouping);
  regrouped (self, 0);
}

/**
 * cyc_chart_view_set_value_name:
 * @self: a chart
 * @name: (nullable): what people call the values; %NULL for the counter's name
 */
void
cyc_chart_view_set_value_name (CycChartView *self,
                               const char   *name)
{
  g_return_if_fail (CYC_IS_CHART_VIEW (self));

  if (!cyc_set_str (&self->value_name, name) || self->data == NULL)
    return;
  _cyc_chart_view_update_titles (self);
  _cyc_chart_view_invalidate (self);
  _cyc_chart_view_focus_changed (self);
}

/**
 * cyc_chart_view_set_statistic:
 * @self: a chart
 * @statistic: what a bar shows of several launches
 */
void
cyc_chart_view_set_statistic (CycChartView    *self,
                              CycBarStatistic  statistic)
{
  g_return_if_fail (CYC_IS_CHART_VIEW (self));

  self->statistic = statistic;
  if (self->data == NULL)
    return;
  cyc_bar_data_set_statistic (self->data, statistic);
  _cyc_chart_view_update_titles (self);
  _cyc_chart_view_invalidate (self);
  _cyc_chart_view_focus_changed (self);
}

/**
 * cyc_chart_view_set_baseline:
 * @self: a chart
 * @series: (nullable): name of the series that the others are relative to; %NULL for absolute values
 *
 * As long as there is no series of that name, values are absolute.
 */
void
cyc_chart_view_set_baseline (CycChartView *self,
                             const char   *series)
{
  g_return_if_fail (CYC_IS_CHART_VIEW (self));

  char *name = g_strdup (series);
  g_free (self->baseline);
  self->baseline = name;
  if (self->data == NULL)
    return;
  cyc_bar_data_set_baseline (self->data, find_series (cyc_bar_data_get_table (self->data), name));
  _cyc_chart_view_update_titles (self);
  _cyc_chart_view_invalidate (self);
  _cyc_chart_view_focus_changed (self);
}

/**
 * cyc_chart_view_set_axis:
 * @self: a chart
 * @axis: of the values
 */
void
cyc_chart_view_set_axis (CycChartView *self,
                         CycAxisKind   axis)
{
  g_return_if_fail (CYC_IS_CHART_VIEW (self));

  self->axis = axis;
  _cyc_chart_view_invalidate (self);
}

/**
 * cyc_chart_view_set_title:
 * @self: a chart
 * @title: (nullable): above it
 */
void
cyc_chart_view_set_title (CycChartView *self,
                          const char   *title)
{
  g_return_if_fail (CYC_IS_CHART_VIEW (self));

  char *copy = g_strdup (title);
  g_free (self->title);
  self->title = copy;
  _cyc_chart_view_invalidate (self);
}

/**
 * cyc_chart_view_get_chart:
 * @self: a chart with a table
 * @out_chart: (out caller-allocates): what it draws; points at what is @self's, until @self is changed
 *
 * For cyc_bar_chart_export_async().
 */
void
cyc_chart_view_get_chart (CycChartView *self,
                          CycBarChart  *out_chart)
{
  g_return_if_fail (CYC_IS_CHART_VIEW (self) && self->data != NULL && out_chart != NULL);

  update_style (self);
  fill_chart (self, out_chart);
  /* What is scrolled through is exported as it is seen. */
  if (self->n_visible > 0 || cyc_bar_data_get_n_groups (self->data) > get_n_visible (self))
    out_chart->n_visible = get_n_visible (self);
}

/**
 * cyc_chart_view_get_focus:
 * @self: a chart
 *
 * Returns: the bar that the keyboard is at
 */
CycBarMark
cyc_chart_view_get_focus (CycChartView *self)
{
  return self->focus;
}

/**
 * cyc_chart_view_set_focus:
 * @self: a chart
 * @mark: a bar, which is scrolled to
 */
void
cyc_chart_view_set_focus (CycChartView *self,
                          CycBarMark    mark)
{
  g_return_if_fail (CYC_IS_CHART_VIEW (self));

  guint n = self->data != NULL ? cyc_bar_data_get_n_groups (self->data) : 0;
  guint n_series = self->data != NULL ? cyc_bar_table_get_n_series (cyc_bar_data_get_table (self->data)) : 0;
  if (n == 0 || n_series == 0)
    return;
  self->focus.group = CLAMP (mark.group, 0, (int) n - 1);
  self->focus.series = CLAMP (mark.series, 0, (int) n_series - 1);
  double visible = get_n_visible (self);
  if (self->focus.group < self->first)
    gtk_adjustment_set_value (self->adjustment, self->focus.group);
  else if (self->focus.group + 1 > self->first + visible)
    gtk_adjustment_set_value (self->adjustment, self->focus.group + 1 - visible);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  _cyc_chart_view_focus_changed (self);
}

/**
 * cyc_chart_view_drill:
 * @self: a chart
 * @group: a group
 *
 * Shows what the group is made of; of a single launch it tells by #CycChartView::launch-activated.
 *
 * Returns: %FALSE if it is a single launch
 */
gboolean
cyc_chart_view_drill (CycChartView *self,
                      guint         group)
{
  g_return_val_if_fail (CYC_IS_CHART_VIEW (self), FALSE);

  if (self->data == NULL || group >= cyc_bar_data_get_n_groups (self->data))
    return FALSE;
  if (!cyc_bar_data_drill (self->data, group))
    {
      g_signal_emit (self, signals[LAUNCH_ACTIVATED], 0, cyc_bar_data_get_group (self->data, group)->first,
                     (guint) MAX (self->focus.series, 0));
      return FALSE;
    }
  regrouped (self, 0);
  return TRUE;
}

/**
 * cyc_chart_view_back:
 * @self: a chart
 *
 * Goes back to where it was drilled into last.
 *
 * Returns: %FALSE if the whole table is shown
 */
gboolean
cyc_chart_view_back (CycChartView *self)
{
  guint group;

  g_return_val_if_fail (CYC_IS_CHART_VIEW (self), FALSE);

  if (self->data == NULL || !cyc_bar_data_back (self->data, &group))
    return FALSE;
  regrouped (self, group);
  cyc_chart_view_set_focus (self, self->focus);
  return TRUE;
}

/**
 * cyc_chart_view_set_visible_range:
 * @self: a chart
 * @first: group at the left end
 * @n_visible: how many groups are seen, at least 1; 0 for as many as fit
 */
void
cyc_chart_view_set_visible_range (CycChartView *self,
                                  double        first,
                                  double        n_visible)
{
  g_return_if_fail (CYC_IS_CHART_VIEW (self));

  if (self->data == NULL)
    return;
  guint n = cyc_bar_data_get_n_groups (self->data);
  self->n_visible = n_visible >= n ? 0 : n_visible > 0 ? MAX (n_visible, 1) : 0;
  self->first = first;
  _cyc_chart_view_invalidate (self);
  changed (self);
}

/**
 * cyc_chart_view_get_visible_range:
 * @self: a chart
 * @out_first: (out): group at the left end
 * @out_n_visible: (out): how many groups are seen
 */
void
cyc_chart_view_get_visible_range (CycChartView *self,
                                  double       *out_first,
                                  double       *out_n_visible)
{
  g_return_if_fail (CYC_IS_CHART_VIEW (self) && out_first != NULL && out_n_visible != NULL);

  *out_n_visible = get_n_visible (self);
  *out_first = self->first;
}

/* Keeps what is at @x where it is. */
void
_cyc_chart_view_zoom (CycChartView *self,
                      double        factor,
                      double        x)
{
  CycBarLayout *layout = _cyc_chart_view_get_layout (self);
  CycPlotRect plot;

  if (layout == NULL)
    return;
  cyc_bar_layout_get_plot (layout, &plot);
  double share = CLAMP ((x - plot.x) / plot.width, 0, 1), visible = get_n_visible (self);
  double at = self->first + share * visible;
  double wanted = CLAMP (visible / factor, 1, cyc_bar_data_get_n_groups (self->data));
  cyc_chart_view_set_visible_range (self, at - share * wanted, wanted);
}

/**
 * cyc_chart_view_get_bar_rect:
 * @self: a chart
 * @mark: a bar
 * @out_rect: (out): where it is in the widget
 *
 * Returns: %FALSE if there is no such bar
 */
gboolean
cyc_chart_view_get_bar_rect (CycChartView *self,
                             CycBarMark    mark,
                             GdkRectangle *out_rect)
{
  g_return_val_if_fail (CYC_IS_CHART_VIEW (self) && out_rect != NULL, FALSE);

  CycBarLayout *layout = _cyc_chart_view_get_layout (self);
  CycPlotRect rect;
  if (layout == NULL || mark.group < 0 || mark.series < 0)
    return FALSE;
  cyc_bar_layout_get_bar (layout, (guint) mark.group, (guint) mark.series, &rect);
  out_rect->x = (int) rect.x;
  out_rect->y = (int) rect.y;
  out_rect->width = (int) MAX (1, rect.width);
  out_rect->height = (int) MAX (1, rect.height);
  return TRUE;
}

/**
 * cyc_chart_view_make_picture:
 * @self: a chart
 *
 * Returns: (transfer full) (nullable): what it shows, as on paper and at twice the size; %NULL without a
 *   table
 */
GdkTexture *
cyc_chart_view_make_picture (CycChartView *self)
{
  g_return_val_if_fail (CYC_IS_CHART_VIEW (self), NULL);

  CycBarChart chart;
  int width = gtk_widget_get_width (GTK_WIDGET (self)), height = get_chart_height (self);
  if (self->data == NULL || width <= 0)
    return NULL;
  cyc_chart_view_get_chart (self, &chart);
  g_autofree char *font = pango_font_description_to_string (self->style->font);
  g_autoptr (CycPlotStyle) style = cyc_plot_style_new (CYC_PLOT_LIGHT, font, self->style->size);
  style->device_scale = PICTURE_SCALE;
  chart.style = style;
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width * PICTURE_SCALE,
                                                         height * PICTURE_SCALE);
  cairo_surface_set_device_scale (surface, PICTURE_SCALE, PICTURE_SCALE);
  cairo_t *cr = cairo_create (surface);
  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  g_autoptr (CycBarLayout) layout = cyc_bar_layout_new (&chart, width, height);
  cyc_bar_layout_draw (layout, cr, NULL, NULL);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  int stride = cairo_image_surface_get_stride (surface);
  g_autoptr (GBytes) bytes = g_bytes_new (cairo_image_surface_get_data (surface),
                                          (gsize) stride * height * PICTURE_SCALE);
  cairo_surface_destroy (surface);
  return gdk_memory_texture_new (width * PICTURE_SCALE, height * PICTURE_SCALE, GDK_MEMORY_DEFAULT, bytes,
                                 (gsize) stride);
}
