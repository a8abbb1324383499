/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "widgets/cyc-histogram-view.h"

#include "widgets/cyc-plot-widget-private.h"
#include "widgets/cyc-widgets.h"

#define MIN_WIDTH 180
#define MIN_HEIGHT 80
#define NATURAL_WIDTH 360
#define NATURAL_HEIGHT 170

/* How often numbers come, as bars; those of two sets side by side. */
struct _CycHistogramView
{
  GtkWidget             parent_instance;

  CycPlotStyle         *style;
  char                 *title;
  char                 *count_title;
  CycHistogramTextFunc  get_text;
  gpointer              user_data;
  GArray               *bins;  /* of CycHistogramBin; NULL without any */
  GStrv                 names; /* of the series; NULL for one */
  int                   hover; /* bin; -1 */
};

G_DEFINE_FINAL_TYPE (CycHistogramView, cyc_histogram_view, GTK_TYPE_WIDGET)

static void
fill_histogram (CycHistogramView *self,
                CycHistogram     *out_histogram)
{
  cyc_plot_widget_update_style (GTK_WIDGET (self), &self->style);
  *out_histogram = (CycHistogram) {
    self->style, (const CycHistogramBin *) self->bins->data, self->bins->len,
    self->names != NULL ? g_strv_length (self->names) : 1, (const char *const *) self->names, self->title,
    self->count_title,
  };
}

static void
cyc_histogram_view_measure (GtkWidget      *widget,
                            GtkOrientation  orientation,
                            int             for_size,
                            int            *minimum,
                            int            *natural,
                            int            *minimum_baseline,
                            int            *natural_baseline)
{
  gboolean horizontal = orientation == GTK_ORIENTATION_HORIZONTAL;

  *minimum = horizontal ? MIN_WIDTH : MIN_HEIGHT;
  *natural = horizontal ? NATURAL_WIDTH : NATURAL_HEIGHT;
}

static void
cyc_histogram_view_snapshot (GtkWidget   *widget,
                             GtkSnapshot *snapshot)
{
  CycHistogramView *self = CYC_HISTOGRAM_VIEW (widget);
  int width = gtk_widget_get_width (widget);
  int height = gtk_widget_get_height (widget);
  graphene_rect_t bounds = GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height);
  CycHistogram histogram;

  if (self->bins == NULL || width <= 0 || height <= 0)
    return;
  fill_histogram (self, &histogram);
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &bounds);
  cyc_histogram_draw (&histogram, cr, width, height, self->hover);
  cairo_destroy (cr);
}

static int
find_bin (CycHistogramView *self,
          double            x)
{
  CycHistogram histogram;

  if (self->bins == NULL)
    return -1;
  fill_histogram (self, &histogram);
  return cyc_histogram_find (&histogram, gtk_widget_get_width (GTK_WIDGET (self)),
                             gtk_widget_get_height (GTK_WIDGET (self)), x);
}

static void
set_hover (CycHistogramView *self,
           int               hover)
{
  if (self->hover == hover)
    return;
  self->hover = hover;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
motion_cb (GtkEventControllerMotion *motion,
           double                    x,
           double                    y,
           CycHistogramView         *self)
{
  set_hover (self, find_bin (self, x));
}

static void
leave_cb (GtkEventControllerMotion *motion,
          CycHistogramView         *self)
{
  set_hover (self, -1);
}

static gboolean
cyc_histogram_view_query_tooltip (GtkWidget  *widget,
                                  int         x,
                                  int         y,
                                  gboolean    by_keyboard,
                                  GtkTooltip *tooltip)
{
  CycHistogramView *self = CYC_HISTOGRAM_VIEW (widget);
  int bin = by_keyboard ? -1 : find_bin (self, x);

  if (bin < 0)
    return FALSE;
  g_autofree char *text = self->get_text (&g_array_index (self->bins, CycHistogramBin, bin), self->user_data);
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

static void
cyc_histogram_view_finalize (GObject *object)
{
  CycHistogramView *self = CYC_HISTOGRAM_VIEW (object);

  g_clear_pointer (&self->style, cyc_plot_style_free);
  g_clear_pointer (&self->bins, g_array_unref);
  g_strfreev (self->names);
  g_free (self->title);
  g_free (self->count_title);
  G_OBJECT_CLASS (cyc_histogram_view_parent_class)->finalize (object);
}

static void
cyc_histogram_view_class_init (CycHistogramViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = cyc_histogram_view_finalize;
  widget_class->measure = cyc_histogram_view_measure;
  widget_class->snapshot = cyc_histogram_view_snapshot;
  widget_class->query_tooltip = cyc_histogram_view_query_tooltip;
  gtk_widget_class_set_css_name (widget_class, "histogramview");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
cyc_histogram_view_init (CycHistogramView *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();

  cyc_widgets_init ();
  self->hover = -1;
  g_signal_connect (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect (motion, "leave", G_CALLBACK (leave_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}

/**
 * cyc_histogram_view_new:
 * @title: what the numbers are
 * @count_title: what is counted
 * @get_text: says what a bin holds
 * @user_data: for @get_text
 *
 * Returns: (transfer floating): a widget without bins
 */
GtkWidget *
cyc_histogram_view_new (const char           *title,
                        const char           *count_title,
                        CycHistogramTextFunc  get_text,
                        gpointer              user_data)
{
  g_return_val_if_fail (title != NULL && count_title != NULL && get_text != NULL, NULL);

  CycHistogramView *self = g_object_new (CYC_TYPE_HISTOGRAM_VIEW, NULL);
  self->title = g_strdup (title);
  self->count_title = g_strdup (count_title);
  self->get_text = get_text;
  self->user_data = user_data;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  return GTK_WIDGET (self);
}

/* Who does not see the bars gets them as a text. */
static void
tell (CycHistogramView *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; self->bins != NULL && i < self->bins->len; i++)
    {
      g_autofree char *line = self->get_text (&g_array_index (self->bins, CycHistogramBin, i), self->user_data);
      g_string_append_printf (text, "%s%s", i > 0 ? "\n" : "", line);
    }
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text->str, -1);
}

/**
 * cyc_histogram_view_set_bins:
 * @self: a histogram
 * @bins: (nullable) (transfer full) (element-type CycHistogramBin): of cyc_histogram_bins_new(); %NULL for none
 * @names: (nullable) (array zero-terminated=1): of the series, at most %CYC_HISTOGRAM_SERIES; %NULL for one without a
 *   name
 */
void
cyc_histogram_view_set_bins (CycHistogramView  *self,
                             GArray            *bins,
                             const char *const *names)
{
  g_return_if_fail (CYC_IS_HISTOGRAM_VIEW (self));
  g_return_if_fail (names == NULL || g_strv_length ((char **) names) <= CYC_HISTOGRAM_SERIES);

  g_clear_pointer (&self->bins, g_array_unref);
  g_strfreev (self->names);
  self->bins = bins;
  self->names = g_strdupv ((char **) names);
  self->hover = -1;
  tell (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/**
 * cyc_histogram_view_get_bins:
 * @self: a histogram
 *
 * Returns: (transfer none) (nullable) (element-type CycHistogramBin): what it shows
 */
GArray *
cyc_histogram_view_get_bins (CycHistogramView *self)
{
  g_return_val_if_fail (CYC_IS_HISTOGRAM_VIEW (self), NULL);

  return self->bins;
}

/**
 * cyc_histogram_view_get_bar:
 * @self: a histogram
 * @bin: one of its bins
 * @series: one of its series
 *
 * Returns: where its bar is drawn, in pixels; without height if there is none
 */
GdkRectangle
cyc_histogram_view_get_bar (CycHistogramView *self,
                            guint             bin,
                            guint             series)
{
  GdkRectangle rect = { 0 };
  CycHistogram histogram;
  CycPlotRect bar;

  g_return_val_if_fail (CYC_IS_HISTOGRAM_VIEW (self), rect);

  if (self->bins == NULL)
    return rect;
  fill_histogram (self, &histogram);
  if (cyc_histogram_get_bar (&histogram, gtk_widget_get_width (GTK_WIDGET (self)),
                             gtk_widget_get_height (GTK_WIDGET (self)), bin, series, &bar))
    rect = (GdkRectangle) { (int) bar.x, (int) bar.y, (int) bar.width, (int) bar.height };
  return rect;
}
