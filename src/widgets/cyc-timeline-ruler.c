/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "widgets/cyc-plot-widget-private.h"
#include "widgets/cyc-timeline-view-private.h"

/* The ruler, on which a range is selected, and which says where the pointer is and how long the range. */

struct _CycTimelineRuler
{
  GtkWidget        parent_instance;

  CycTimelineView *view; /* above it, and there as long */
  gint64           begin; /* of a drag */
  double           start_x;
};

G_DEFINE_FINAL_TYPE (CycTimelineRuler, cyc_timeline_ruler, GTK_TYPE_WIDGET)

static void
cyc_timeline_ruler_measure (GtkWidget      *widget,
                            GtkOrientation  orientation,
                            int             for_size,
                            int            *minimum,
                            int            *natural,
                            int            *minimum_baseline,
                            int            *natural_baseline)
{
  CycTimelineRuler *self = CYC_TIMELINE_RULER (widget);
  CycTimelineScene *scene = _cyc_timeline_view_get_scene (self->view);

  *minimum = 80;
  if (orientation == GTK_ORIENTATION_VERTICAL)
    *minimum = scene != NULL ? (int) cyc_timeline_scene_get_ruler_height (scene) : 24;
  *natural = *minimum;
}

/* A text on the ruler's own ground, at a place or as near as it fits. */
static void
draw_flag (CycTimelineRuler *self,
           GtkSnapshot      *snapshot,
           const char       *text,
           double            x,
           const GdkRGBA    *ground,
           const GdkRGBA    *colour)
{
  GtkWidget *widget = GTK_WIDGET (self);
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (widget, text);
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();
  int width, height;

  pango_attr_list_insert (attributes, pango_attr_scale_new (0.85));
  pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum=1"));
  pango_layout_set_attributes (layout, attributes);
  pango_layout_get_pixel_size (layout, &width, &height);
  double left = CLAMP (x - width / 2.0 - 4, 0, MAX (gtk_widget_get_width (widget) - width - 8, 0));
  double top = (gtk_widget_get_height (widget) - height) / 2.0;
  gtk_snapshot_append_color (snapshot, ground, &GRAPHENE_RECT_INIT ((float) left, (float) top, (float) width + 8,
                                                                    (float) height));
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) left + 4, (float) top));
  gtk_snapshot_append_layout (snapshot, layout, colour);
  gtk_snapshot_restore (snapshot);
}

static GdkRGBA
to_rgba (const CycColour *colour)
{
  return (GdkRGBA) { (float) colour->red, (float) colour->green, (float) colour->blue, 1 };
}

static void
draw_range (CycTimelineRuler *self,
            GtkSnapshot      *snapshot,
            CycTimelineScene *scene)
{
  GtkWidget *widget = GTK_WIDGET (self);
  double width = gtk_widget_get_width (widget);
  CycTimeScale scale;
  gint64 from, to;

  if (!cyc_view_state_get_selected_range (self->view->state, &from, &to))
    return;
  cyc_timeline_scene_get_scale (scene, width, &scale);
  double x = cyc_time_scale_to_x (&scale, from), end = cyc_time_scale_to_x (&scale, to);
  if (end < 0 || x > width)
    return;
  GdkRGBA accent = to_rgba (&self->view->style->accent), band = accent, white = { 1, 1, 1, 1 };
  band.alpha = 0.3f;
  x = MAX (x, 0);
  end = MIN (end, width);
  gtk_snapshot_append_color (snapshot, &band, &GRAPHENE_RECT_INIT ((float) x, 0, (float) MAX (end - x, 1),
                                                                   (float) gtk_widget_get_height (widget)));
  g_autofree char *begin = cyc_timeline_view_dup_time (self->view, from);
  g_autofree char *length = cyc_timeline_view_dup_duration (self->view, (CycWideTime) to - from);
  g_autofree char *stop = cyc_timeline_view_dup_time (self->view, to);
  /* Translators: where a range begins and ends, and how long it is. */
  g_autofree char *text = g_strdup_printf (_("%s – %s: %s"), begin, stop, length);
  if (self->view->style->scheme == CYC_PLOT_DARK)
    white = (GdkRGBA) { 0, 0, 0, 1 };
  draw_flag (self, snapshot, text, (x + end) / 2, &accent, &white);
}

static void
cyc_timeline_ruler_snapshot (GtkWidget   *widget,
                             GtkSnapshot *snapshot)
{
  CycTimelineRuler *self = CYC_TIMELINE_RULER (widget);
  CycTimelineScene *scene = _cyc_timeline_view_get_scene (self->view);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  CycTimeScale scale;

  if (scene == NULL || width <= 0)
    return;
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  cyc_timeline_scene_draw_ruler (scene, cr, width);
  cairo_destroy (cr);
  draw_range (self, snapshot, scene);
  if (self->view->pointer_x < 0)
    return;
  GdkRGBA text = to_rgba (&self->view->style->text), ground = { 1, 1, 1, 1 };
  if (self->view->style->scheme == CYC_PLOT_DARK)
    ground = (GdkRGBA) { 0.1f, 0.1f, 0.1f, 1 };
  cyc_timeline_scene_get_scale (scene, width, &scale);
  gint64 at = cyc_time_scale_to_time (&scale, self->view->pointer_x);
  g_autofree char *time = cyc_timeline_view_dup_time (self->view, at);
  draw_flag (self, snapshot, time, self->view->pointer_x, &text, &ground);
}

static gint64
get_time (CycTimelineRuler *self,
          double            x)
{
  CycTimeScale scale;

  cyc_timeline_scene_get_scale (self->view->scene, gtk_widget_get_width (GTK_WIDGET (self)), &scale);
  return cyc_time_scale_to_time (&scale, x);
}

static void
drag_begin_cb (GtkGestureDrag   *drag,
               double            x,
               double            y,
               CycTimelineRuler *self)
{
  if (_cyc_timeline_view_get_scene (self->view) == NULL)
    gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_DENIED);
  else
    self->begin = get_time (self, self->start_x = x);
}

static void
drag_update_cb (GtkGestureDrag   *drag,
                double            dx,
                double            dy,
                CycTimelineRuler *self)
{
  if (self->view->scene == NULL || !gtk_drag_check_threshold (GTK_WIDGET (self), 0, 0, (int) dx, 0))
    return;
  gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_CLAIMED);
  cyc_view_state_select_range (self->view->state, self->begin, get_time (self, self->start_x + dx));
}

static void
motion_cb (GtkEventControllerMotion *motion,
           double                    x,
           double                    y,
           CycTimelineRuler         *self)
{
  _cyc_timeline_view_set_pointer (self->view, x, -1);
}

static void
leave_cb (GtkEventControllerMotion *motion,
          CycTimelineRuler         *self)
{
  _cyc_timeline_view_set_pointer (self->view, -1, -1);
}

static gboolean
scroll_cb (GtkEventControllerScroll *scroll,
           double                    dx,
           double                    dy,
           CycTimelineRuler         *self)
{
  if (_cyc_timeline_view_get_scene (self->view) == NULL)
    return GDK_EVENT_PROPAGATE;
  _cyc_timeline_view_zoom (self->view, cyc_plot_widget_get_zoom (scroll, dy), self->view->pointer_x);
  return GDK_EVENT_STOP;
}

static void
cyc_timeline_ruler_class_init (CycTimelineRulerClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  widget_class->measure = cyc_timeline_ruler_measure;
  widget_class->snapshot = cyc_timeline_ruler_snapshot;
  gtk_widget_class_set_css_name (widget_class, "timelineruler");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
cyc_timeline_ruler_init (CycTimelineRuler *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);

  g_signal_connect (drag, "drag-begin", G_CALLBACK (drag_begin_cb), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (drag_update_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  g_signal_connect (motion, "enter", G_CALLBACK (motion_cb), self);
  g_signal_connect (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect (motion, "leave", G_CALLBACK (leave_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  g_signal_connect (scroll, "scroll", G_CALLBACK (scroll_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), scroll);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Ruler of the timeline"), -1);
}

GtkWidget *
_cyc_timeline_ruler_new (CycTimelineView *view)
{
  CycTimelineRuler *self = g_object_new (CYC_TYPE_TIMELINE_RULER, NULL);

  self->view = view;
  return GTK_WIDGET (self);
}
