/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>

#include "widgets/cyc-plot-widget-private.h"
#include "widgets/cyc-timeline-view-private.h"

/* The minimap: how busy the whole is, and a window that is dragged and resized. */

#define HEIGHT 34
#define EDGE 6 /* so near, pixels, an edge of the window is taken */

typedef enum
{
  DRAG_WINDOW,
  DRAG_LEFT,
  DRAG_RIGHT,
} MapDrag;

struct _CycTimelineMap
{
  GtkWidget        parent_instance;

  CycTimelineView *view; /* above it, and there as long */
  MapDrag          drag;
  double           left; /* of the window, when the drag began */
  double           right;
};

G_DEFINE_FINAL_TYPE (CycTimelineMap, cyc_timeline_map, GTK_TYPE_WIDGET)

static void
cyc_timeline_map_measure (GtkWidget      *widget,
                          GtkOrientation  orientation,
                          int             for_size,
                          int            *minimum,
                          int            *natural,
                          int            *minimum_baseline,
                          int            *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 80 : HEIGHT;
}

static void
cyc_timeline_map_snapshot (GtkWidget   *widget,
                           GtkSnapshot *snapshot)
{
  CycTimelineMap *self = CYC_TIMELINE_MAP (widget);
  CycTimelineScene *scene = _cyc_timeline_view_get_scene (self->view);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);

  if (scene == NULL || width <= 0)
    return;
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  cyc_timeline_scene_draw_minimap (scene, cr, width, height, self->view->overview);
  cairo_destroy (cr);
}

static MapDrag
find (CycTimelineMap *self,
      double          x)
{
  double left, right;

  cyc_timeline_scene_get_minimap_window (self->view->scene, gtk_widget_get_width (GTK_WIDGET (self)), &left, &right);
  /* Of a window that is narrower than its edges, the inside can be taken, too. */
  double edge = right - left < 3 * EDGE ? (right - left) / 3 : EDGE;
  if (x >= left - EDGE && x <= left + edge)
    return DRAG_LEFT;
  if (x >= right - edge && x <= right + EDGE)
    return DRAG_RIGHT;
  return DRAG_WINDOW;
}

static void
set_window (CycTimelineMap *self,
            double          left,
            double          right)
{
  double width = MAX (gtk_widget_get_width (GTK_WIDGET (self)), 1);
  gint64 from, to;

  cyc_timeline_scene_get_minimap_range (self->view->scene, &from, &to);
  double length = (double) to - (double) from;
  cyc_view_state_drag_range (self->view->state, from + (gint64) (left / width * length),
                             from + (gint64) (right / width * length));
}

static void
drag_begin_cb (GtkGestureDrag *drag,
               double          x,
               double          y,
               CycTimelineMap *self)
{
  if (_cyc_timeline_view_get_scene (self->view) == NULL)
    {
      gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_DENIED);
      return;
    }
  gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_CLAIMED);
  self->drag = find (self, x);
  cyc_timeline_scene_get_minimap_window (self->view->scene, gtk_widget_get_width (GTK_WIDGET (self)), &self->left,
                                         &self->right);
  if (self->drag != DRAG_WINDOW || (x >= self->left && x <= self->right))
    return;
  /* Beside the window: its middle comes here. */
  double half = (self->right - self->left) / 2;
  self->left = x - half;
  self->right = x + half;
  gint64 from, to;
  double fraction, length;
  cyc_view_state_get_exact_range (self->view->state, &from, &fraction, &length);
  cyc_timeline_scene_get_minimap_range (self->view->scene, &from, &to);
  gint64 middle = from + (gint64) (x / gtk_widget_get_width (GTK_WIDGET (self)) * ((double) to - (double) from));
  cyc_view_state_set_range (self->view->state, middle - (gint64) (length / 2), middle + (gint64) (length / 2));
}

static void
drag_update_cb (GtkGestureDrag *drag,
                double          dx,
                double          dy,
                CycTimelineMap *self)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self));
  gint64 from, to;

  if (self->view->state == NULL)
    return;
  switch (self->drag)
    {
    case DRAG_LEFT:
      set_window (self, MIN (self->left + dx, self->right - 1), self->right);
      break;
    case DRAG_RIGHT:
      set_window (self, self->left, MAX (self->right + dx, self->left + 1));
      break;
    case DRAG_WINDOW:
    default:
      {
        /* As much as it is away from where it should be, so that its length stays to the last unit. */
        double left, right, length = 0, fraction;
        cyc_timeline_scene_get_minimap_window (self->view->scene, width, &left, &right);
        cyc_timeline_scene_get_minimap_range (self->view->scene, &from, &to);
        double whole = (double) to - (double) from;
        cyc_view_state_get_exact_range (self->view->state, &from, &fraction, &length);
        if (length > 0)
          cyc_view_state_pan (self->view->state, (self->left + dx - left) / MAX (width, 1) * whole / length);
        break;
      }
    }
}

static void
motion_cb (GtkEventControllerMotion *motion,
           double                    x,
           double                    y,
           CycTimelineMap           *self)
{
  if (_cyc_timeline_view_get_scene (self->view) != NULL)
    gtk_widget_set_cursor_from_name (GTK_WIDGET (self), find (self, x) == DRAG_WINDOW ? "grab" : "col-resize");
}

static gboolean
scroll_cb (GtkEventControllerScroll *scroll,
           double                    dx,
           double                    dy,
           CycTimelineMap           *self)
{
  if (_cyc_timeline_view_get_scene (self->view) == NULL)
    return GDK_EVENT_PROPAGATE;
  cyc_view_state_zoom (self->view->state, cyc_plot_widget_get_zoom (scroll, dy), 0.5);
  return GDK_EVENT_STOP;
}

static void
cyc_timeline_map_class_init (CycTimelineMapClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  widget_class->measure = cyc_timeline_map_measure;
  widget_class->snapshot = cyc_timeline_map_snapshot;
  gtk_widget_class_set_css_name (widget_class, "timelinemap");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
cyc_timeline_map_init (CycTimelineMap *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);

  g_signal_connect (drag, "drag-begin", G_CALLBACK (drag_begin_cb), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (drag_update_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  g_signal_connect (motion, "motion", G_CALLBACK (motion_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  g_signal_connect (scroll, "scroll", G_CALLBACK (scroll_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), scroll);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Overview of the timeline"),
                                  -1);
}

GtkWidget *
_cyc_timeline_map_new (CycTimelineView *view)
{
  CycTimelineMap *self = g_object_new (CYC_TYPE_TIMELINE_MAP, NULL);

  self->view = view;
  return GTK_WIDGET (self);
}
