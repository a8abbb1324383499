/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "widgets/cyc-sparkline-view.h"

#include "core/base/cyc-format.h"
#include "plot/cyc-sparkline.h"
#include "widgets/cyc-controls.h"
#include "widgets/cyc-plot-widget-private.h"
#include "widgets/cyc-widgets.h"

#define MIN_WIDTH 60
#define NATURAL_WIDTH 180
#define LINES 1.6 /* of text, in height */

/* The last values of something that goes on, in the height of a line of text. */
struct _CycSparklineView
{
  GtkWidget     parent_instance;

  CycValueRing *ring;
  CycPlotStyle *style;
  char         *unit;
  char         *text; /* the last value */
  guint         slot;
};

G_DEFINE_FINAL_TYPE (CycSparklineView, cyc_sparkline_view, GTK_TYPE_WIDGET)

static void
cyc_sparkline_view_measure (GtkWidget      *widget,
                            GtkOrientation  orientation,
                            int             for_size,
                            int            *minimum,
                            int            *natural,
                            int            *minimum_baseline,
                            int            *natural_baseline)
{
  CycSparklineView *self = CYC_SPARKLINE_VIEW (widget);

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = MIN_WIDTH;
      *natural = NATURAL_WIDTH;
      return;
    }
  cyc_plot_widget_update_style (widget, &self->style);
  *minimum = *natural = (int) (LINES * self->style->size + 0.5);
}

static void
cyc_sparkline_view_snapshot (GtkWidget   *widget,
                             GtkSnapshot *snapshot)
{
  CycSparklineView *self = CYC_SPARKLINE_VIEW (widget);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  graphene_rect_t bounds = GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height);

  if (self->ring == NULL || width <= 0 || height <= 0)
    return;
  cyc_plot_widget_update_style (widget, &self->style);
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &bounds);
  cyc_sparkline_draw (self->ring, self->style, self->slot, self->text, cr, width, height);
  cairo_destroy (cr);
}

static void
cyc_sparkline_view_finalize (GObject *object)
{
  CycSparklineView *self = CYC_SPARKLINE_VIEW (object);

  g_clear_pointer (&self->ring, cyc_value_ring_free);
  g_clear_pointer (&self->style, cyc_plot_style_free);
  g_free (self->unit);
  g_free (self->text);
  G_OBJECT_CLASS (cyc_sparkline_view_parent_class)->finalize (object);
}

static void
cyc_sparkline_view_class_init (CycSparklineViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = cyc_sparkline_view_finalize;
  widget_class->measure = cyc_sparkline_view_measure;
  widget_class->snapshot = cyc_sparkline_view_snapshot;
  gtk_widget_class_set_css_name (widget_class, "sparklineview");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_METER);
}

static void
cyc_sparkline_view_init (CycSparklineView *self)
{
  cyc_widgets_init ();
}

/* Who does not see the line gets the last value and the range. */
static void
tell (CycSparklineView *self)
{
  double lowest, highest, last;
  gboolean known = cyc_value_ring_get_last (self->ring, &last);

  cyc_sparkline_get_extent (self->ring, &lowest, &highest);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_VALUE_MIN, lowest,
                                  GTK_ACCESSIBLE_PROPERTY_VALUE_MAX, highest, GTK_ACCESSIBLE_PROPERTY_VALUE_NOW,
                                  known ? last : lowest, GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, self->text, -1);
}

static void
update (CycSparklineView *self)
{
  double last;

  g_free (self->text);
  if (cyc_value_ring_get_last (self->ring, &last))
    {
      g_autofree char *number = cyc_format_short (last);
      self->text = self->unit[0] != '\0' ? g_strdup_printf ("%s %s", number, self->unit)
                                         : g_steal_pointer (&number);
    }
  else
    self->text = g_strdup ("–");
  tell (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/**
 * cyc_sparkline_view_new:
 * @label: what the values are
 * @unit: (nullable): their unit
 * @capacity: how many values are kept
 *
 * Returns: (transfer floating): a widget without values
 */
GtkWidget *
cyc_sparkline_view_new (const char *label,
                        const char *unit,
                        guint       capacity)
{
  g_return_val_if_fail (label != NULL && capacity > 0, NULL);

  CycSparklineView *self = g_object_new (CYC_TYPE_SPARKLINE_VIEW, NULL);
  self->ring = cyc_value_ring_new (capacity);
  self->unit = g_strdup (unit != NULL ? unit : "");
  cyc_control_set_tooltip (GTK_WIDGET (self), label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  update (self);
  return GTK_WIDGET (self);
}

/**
 * cyc_sparkline_view_append:
 * @self: a sparkline
 * @value: the next value; NaN for a gap
 */
void
cyc_sparkline_view_append (CycSparklineView *self,
                           double            value)
{
  g_return_if_fail (CYC_IS_SPARKLINE_VIEW (self));

  cyc_value_ring_append (self->ring, value);
  update (self);
}

/**
 * cyc_sparkline_view_clear:
 * @self: a sparkline
 *
 * Forgets all values.
 */
void
cyc_sparkline_view_clear (CycSparklineView *self)
{
  g_return_if_fail (CYC_IS_SPARKLINE_VIEW (self));

  cyc_value_ring_clear (self->ring);
  update (self);
}

/**
 * cyc_sparkline_view_set_capacity:
 * @self: a sparkline
 * @capacity: how many values are kept from now on, which is its whole width
 *
 * Forgets all values.
 */
void
cyc_sparkline_view_set_capacity (CycSparklineView *self,
                                 guint             capacity)
{
  g_return_if_fail (CYC_IS_SPARKLINE_VIEW (self));
  g_return_if_fail (capacity > 0);

  cyc_value_ring_free (self->ring);
  self->ring = cyc_value_ring_new (capacity);
  update (self);
}

/**
 * cyc_sparkline_view_set_slot:
 * @self: a sparkline
 * @slot: of the palette: its colour
 */
void
cyc_sparkline_view_set_slot (CycSparklineView *self,
                             guint             slot)
{
  g_return_if_fail (CYC_IS_SPARKLINE_VIEW (self));

  self->slot = slot;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/**
 * cyc_sparkline_view_get_text:
 * @self: a sparkline
 *
 * Returns: the last value with its unit, as it is shown; a dash without one
 */
const char *
cyc_sparkline_view_get_text (CycSparklineView *self)
{
  g_return_val_if_fail (CYC_IS_SPARKLINE_VIEW (self), NULL);

  return self->text;
}
