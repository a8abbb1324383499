/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include "widgets/cyc-timeline-view-private.h"

/* The strips: painted anew when something in them changes; what follows the pointer lies above. */

#define NEAR 6 /* so near, pixels, an edge of a span is snapped to */

typedef enum
{
  CANVAS_NO_DRAG,
  CANVAS_SELECT,
  CANVAS_PAN,
  CANVAS_PAN_TIME,  /* it goes on in the one direction in which it began */
  CANVAS_PAN_TRACKS,
} CanvasDrag;

typedef enum
{
  CANVAS_AXIS_NONE,
  CANVAS_AXIS_TIME,
  CANVAS_AXIS_TRACKS,
} CanvasAxis;

struct _CycTimelineCanvas
{
  GtkWidget        parent_instance;

  CycTimelineView *view;    /* above it, and there as long */
  GdkTexture      *texture; /* of the strips; NULL until they are painted */
  int              width;   /* of that */
  int              height;

  CanvasDrag       drag;
  gint64           begin;   /* of a range */
  double           start_x; /* of a drag */
  double           start_y;
  double           last_x;  /* of a drag */
  double           last_y;
  double           pinch;   /* scale when it was looked at last */
  gboolean         scrolls; /* fingers are on a touchpad */
  CanvasAxis       axis;    /* where they go */
};

G_DEFINE_FINAL_TYPE (CycTimelineCanvas, cyc_timeline_canvas, GTK_TYPE_WIDGET)

static void
cyc_timeline_canvas_measure (GtkWidget      *widget,
                             GtkOrientation  orientation,
                             int             for_size,
                             int            *minimum,
                             int            *natural,
                             int            *minimum_baseline,
                             int            *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 80 : 60;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 640 : 400;
}

static gboolean
again_cb (GtkWidget     *widget,
          GdkFrameClock *clock,
          gpointer       user_data)
{
  CycTimelineCanvas *self = CYC_TIMELINE_CANVAS (widget);

  self->view->dirty = TRUE;
  gtk_widget_queue_draw (widget);
  return G_SOURCE_REMOVE;
}

static void
update_texture (CycTimelineCanvas   *self,
                CycTimelineScene    *scene,
                const CycSceneFrame *frame)
{
  gboolean late;

  if (self->texture != NULL && !self->view->dirty && self->width == (int) frame->width
      && self->height == (int) frame->height)
    return;
  g_clear_object (&self->texture);
  cairo_surface_t *surface = cyc_timeline_scene_paint (scene, frame, &late);
  int width = cairo_image_surface_get_width (surface), height = cairo_image_surface_get_height (surface);
  gsize stride = (gsize) cairo_image_surface_get_stride (surface);
  gsize size = stride * (gsize) height;
  g_autoptr (GBytes) bytes = g_bytes_new_with_free_func (cairo_image_surface_get_data (surface), size,
                                                         (GDestroyNotify) cairo_surface_destroy, surface);
  if (width > 0 && height > 0)
    self->texture = gdk_memory_texture_new (width, height, GDK_MEMORY_DEFAULT, bytes, stride);
  self->width = (int) frame->width;
  self->height = (int) frame->height;
  self->view->dirty = FALSE;
  /* The labels that were not ready come with the next frame. */
  if (late)
    gtk_widget_add_tick_callback (GTK_WIDGET (self), again_cb, NULL, NULL);
}

static void
cyc_timeline_canvas_snapshot (GtkWidget   *widget,
                              GtkSnapshot *snapshot)
{
  CycTimelineCanvas *self = CYC_TIMELINE_CANVAS (widget);
  CycTimelineScene *scene = _cyc_timeline_view_get_scene (self->view);
  CycSceneFrame frame;

  if (scene == NULL)
    return;
  _cyc_timeline_view_get_frame (self->view, &frame);
  if (frame.width < 1 || frame.height < 1)
    return;
  const graphene_rect_t bounds = GRAPHENE_RECT_INIT (0, 0, (float) frame.width, (float) frame.height);
  const CycSceneOverlay overlay = { self->view->pointer_x, self->view->snap, self->view->hover,
                                    gtk_widget_has_focus (widget) };
  update_texture (self, scene, &frame);
  if (self->texture != NULL)
    gtk_snapshot_append_texture (snapshot, self->texture, &bounds);
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &bounds);
  cyc_timeline_scene_draw_overlay (scene, cr, &frame, &overlay);
  cairo_destroy (cr);
}

/* The pointer */

static void
motion_cb (GtkEventControllerMotion *motion,
           double                    x,
           double                    y,
           CycTimelineCanvas        *self)
{
  if (self->drag == CANVAS_NO_DRAG)
    _cyc_timeline_view_set_pointer (self->view, x, y);
}

static void
leave_cb (GtkEventControllerMotion *motion,
          CycTimelineCanvas        *self)
{
  _cyc_timeline_view_set_pointer (self->view, -1, -1);
}

static gboolean
query_tooltip_cb (CycTimelineCanvas *self,
                  int                x,
                  int                y,
                  gboolean           keyboard,
                  GtkTooltip        *tooltip,
                  gpointer           user_data)
{
  CycSceneFrame frame;
  CycSceneRect rect;

  if (self->view->state == NULL)
    return FALSE;
  guint32 selected = cyc_view_state_get_span (self->view->state);
  g_autofree char *text = !keyboard ? _cyc_timeline_view_dup_tooltip (self->view)
                          : selected != CYC_TIMELINE_NONE ? cyc_timeline_view_dup_span_text (self->view, selected)
                                                          : NULL;
  if (text == NULL)
    return FALSE;
  gtk_tooltip_set_text (tooltip, text);
  _cyc_timeline_view_get_frame (self->view, &frame);
  if (keyboard && cyc_timeline_scene_get_span_rect (self->view->scene, &frame, selected, &rect))
    gtk_tooltip_set_tip_area (tooltip, &(GdkRectangle) { (int) rect.x, (int) rect.y, (int) MAX (rect.width, 1),
                                                         (int) MAX (rect.height, 1) });
  return TRUE;
}

static void
released_cb (GtkGestureClick   *click,
             int                n_press,
             double             x,
             double             y,
             CycTimelineCanvas *self)
{
  CycTimelineView *view = self->view;
  CycSceneFrame frame;
  CycScenePoint point;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (view->scene == NULL || self->drag != CANVAS_NO_DRAG)
    return;
  _cyc_timeline_view_get_frame (view, &frame);
  cyc_timeline_scene_find (view->scene, &frame, x, y, &point);
  if (n_press == 1)
    {
      cyc_view_state_unselect_range (view->state);
      cyc_view_state_set_span (view->state, point.span);
    }
  else if (n_press == 2 && point.span != CYC_TIMELINE_NONE)
    {
      cyc_view_state_set_span (view->state, point.span);
      cyc_timeline_view_fit_selection (view);
      _cyc_timeline_view_activate_span (view, point.span);
    }
  else if (n_press == 2 && point.strip != CYC_TIMELINE_NONE)
    {
      guint n;
      const CycTimelineStrip *strip = &cyc_timeline_scene_get_strips (view->scene, &n)[point.strip];
      if (strip->kind == CYC_STRIP_HEADER || strip->kind == CYC_STRIP_SUMMARY)
        cyc_view_state_set_node_flags (view->state, strip->node, CYC_NODE_COLLAPSED,
                                       strip->collapsed ? 0 : CYC_NODE_COLLAPSED);
    }
}

static void
right_click_cb (GtkGestureClick   *click,
                int                n_press,
                double             x,
                double             y,
                CycTimelineCanvas *self)
{
  CycTimelineView *view = self->view;
  CycSceneFrame frame;
  CycScenePoint point;
  guint n;

  if (view->scene == NULL)
    return;
  gtk_gesture_set_state (GTK_GESTURE (click), GTK_EVENT_SEQUENCE_CLAIMED);
  gtk_widget_grab_focus (GTK_WIDGET (self));
  _cyc_timeline_view_get_frame (view, &frame);
  cyc_timeline_scene_find (view->scene, &frame, x, y, &point);
  if (point.span != CYC_TIMELINE_NONE)
    cyc_view_state_set_span (view->state, point.span);
  _cyc_timeline_view_popup (view, GTK_WIDGET (self), x, y,
                            point.strip != CYC_TIMELINE_NONE
                              ? cyc_timeline_scene_get_strips (view->scene, &n)[point.strip].node
                              : CYC_TRACK_NODE_NONE);
}

/* Drags */

/* The edge of a span in the row below the pointer that is near enough, or the time at the pointer. */
static gint64
snap (CycTimelineCanvas *self,
      double             x,
      double             y)
{
  CycTimelineView *view = self->view;
  const CycTimelineSpans *spans = cyc_timeline_get_spans (cyc_view_state_get_timeline (view->state));
  CycSceneFrame frame;
  CycScenePoint point;
  CycTimeScale scale;
  double best = NEAR + 0.5;

  _cyc_timeline_view_get_frame (view, &frame);
  cyc_timeline_scene_get_scale (view->scene, frame.width, &scale);
  gint64 time = cyc_time_scale_to_time (&scale, x);
  view->snap = -1;
  for (int offset = -NEAR; offset <= NEAR; offset += NEAR / 2)
    {
      cyc_timeline_scene_find (view->scene, &frame, x + offset, y, &point);
      if (point.span == CYC_TIMELINE_NONE || point.n > 1)
        continue;
      const gint64 edges[] = { spans->start[point.span], spans->start[point.span] + spans->duration[point.span] };
      for (guint i = 0; i < G_N_ELEMENTS (edges); i++)
        {
          double place = cyc_time_scale_to_x (&scale, edges[i]);
          if (fabs (place - x) >= best)
            continue;
          best = fabs (place - x);
          time = edges[i];
          view->snap = place;
        }
    }
  return time;
}

static void
drag_begin_cb (GtkGestureDrag    *drag,
               double             x,
               double             y,
               CycTimelineCanvas *self)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (drag));
  gboolean middle = gtk_gesture_single_get_button (GTK_GESTURE_SINGLE (drag)) == GDK_BUTTON_MIDDLE;

  self->drag = CANVAS_NO_DRAG;
  if (self->view->scene == NULL)
    {
      gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_DENIED);
      return;
    }
  self->start_x = x;
  self->start_y = y;
  self->last_x = self->last_y = 0;
  self->begin = middle || (state & GDK_SHIFT_MASK) ? G_MININT64 : snap (self, x, y);
  self->view->snap = -1;
}

static void
pan (CycTimelineCanvas *self,
     double             dx,
     double             dy)
{
  double width = MAX (gtk_widget_get_width (GTK_WIDGET (self)), 1);

  /* One drag never goes both ways. */
  if (self->drag == CANVAS_PAN)
    self->drag = fabs (dx) >= fabs (dy) ? CANVAS_PAN_TIME : CANVAS_PAN_TRACKS;
  if (self->drag == CANVAS_PAN_TIME)
    cyc_view_state_pan (self->view->state, (self->last_x - dx) / width);
  else
    _cyc_timeline_view_scroll_by (self->view, self->last_y - dy);
  self->last_x = dx;
  self->last_y = dy;
}

static void
drag_update_cb (GtkGestureDrag    *drag,
                double             dx,
                double             dy,
                CycTimelineCanvas *self)
{
  double x = self->start_x, y = self->start_y;

  if (self->view->scene == NULL)
    return;
  if (self->drag == CANVAS_NO_DRAG)
    {
      if (!gtk_drag_check_threshold (GTK_WIDGET (self), 0, 0, (int) dx, (int) dy))
        return;
      gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_CLAIMED);
      self->drag = self->begin == G_MININT64 ? CANVAS_PAN : CANVAS_SELECT;
    }
  if (self->drag == CANVAS_SELECT)
    {
      cyc_view_state_select_range (self->view->state, self->begin, snap (self, x + dx, y + dy));
      self->view->pointer_x = x + dx;
      _cyc_timeline_view_redraw_pointer (self->view);
    }
  else
    {
      pan (self, dx, dy);
    }
}

static void
drag_end_cb (GtkGestureDrag    *drag,
             double             dx,
             double             dy,
             CycTimelineCanvas *self)
{
  self->drag = CANVAS_NO_DRAG;
  self->view->snap = -1;
  _cyc_timeline_view_redraw_pointer (self->view);
}

static void
scroll_begin_cb (GtkEventControllerScroll *scroll,
                 CycTimelineCanvas        *self)
{
  self->scrolls = TRUE;
  self->axis = CANVAS_AXIS_NONE;
}

static void
scroll_end_cb (GtkEventControllerScroll *scroll,
               CycTimelineCanvas        *self)
{
  self->scrolls = FALSE;
}

/* Fingers that went sideways first do not move the tracks, however they drift, and the other way round. */
static gboolean
scroll_cb (GtkEventControllerScroll *scroll,
           double                    dx,
           double                    dy,
           CycTimelineCanvas        *self)
{
  if (self->scrolls && self->axis == CANVAS_AXIS_NONE)
    self->axis = fabs (dx) > fabs (dy) ? CANVAS_AXIS_TIME : CANVAS_AXIS_TRACKS;
  if (self->scrolls && self->axis == CANVAS_AXIS_TIME)
    dy = 0;
  else if (self->scrolls)
    dx = 0;
  return _cyc_timeline_view_scrolled (self->view, scroll, dx, dy, self->view->pointer_x);
}

static void
pinch_begin_cb (GtkGesture        *gesture,
                GdkEventSequence  *sequence,
                CycTimelineCanvas *self)
{
  self->pinch = 1;
}

static void
pinch_cb (GtkGestureZoom    *zoom,
          double             scale,
          CycTimelineCanvas *self)
{
  double x, y;

  if (self->view->scene == NULL || scale <= 0 || self->pinch <= 0)
    return;
  if (!gtk_gesture_is_recognized (GTK_GESTURE (zoom))
      || !gtk_gesture_get_bounding_box_center (GTK_GESTURE (zoom), &x, &y))
    x = self->view->pointer_x;
  _cyc_timeline_view_zoom (self->view, scale / self->pinch, x);
  self->pinch = scale;
}

static void
focus_cb (GtkEventControllerFocus *focus,
          CycTimelineCanvas       *self)
{
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
cyc_timeline_canvas_dispose (GObject *object)
{
  g_clear_object (&CYC_TIMELINE_CANVAS (object)->texture);
  G_OBJECT_CLASS (cyc_timeline_canvas_parent_class)->dispose (object);
}

static void
cyc_timeline_canvas_class_init (CycTimelineCanvasClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = cyc_timeline_canvas_dispose;
  widget_class->measure = cyc_timeline_canvas_measure;
  widget_class->snapshot = cyc_timeline_canvas_snapshot;
  gtk_widget_class_set_css_name (widget_class, "timelinecanvas");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  _cyc_timeline_view_keys_class (widget_class);
}

static void
add_drag (CycTimelineCanvas *self,
          guint              button)
{
  GtkGesture *drag = gtk_gesture_drag_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), button);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (drag_begin_cb), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (drag_update_cb), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (drag_end_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
}

static void
add_click (CycTimelineCanvas *self,
           guint              button,
           const char        *signal,
           GCallback          callback)
{
  GtkGesture *click = gtk_gesture_click_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), button);
  g_signal_connect (click, signal, callback, self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
}

static void
add_controllers (CycTimelineCanvas *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkEventController *focus = gtk_event_controller_focus_new ();
  GtkGesture *zoom = gtk_gesture_zoom_new ();

  g_signal_connect (motion, "enter", G_CALLBACK (motion_cb), self);
  g_signal_connect (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect (motion, "leave", G_CALLBACK (leave_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  g_signal_connect (scroll, "scroll-begin", G_CALLBACK (scroll_begin_cb), self);
  g_signal_connect (scroll, "scroll", G_CALLBACK (scroll_cb), self);
  g_signal_connect (scroll, "scroll-end", G_CALLBACK (scroll_end_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), scroll);
  g_signal_connect (focus, "enter", G_CALLBACK (focus_cb), self);
  g_signal_connect (focus, "leave", G_CALLBACK (focus_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), focus);
  g_signal_connect (zoom, "begin", G_CALLBACK (pinch_begin_cb), self);
  g_signal_connect (zoom, "scale-changed", G_CALLBACK (pinch_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (zoom));
}

static void
cyc_timeline_canvas_init (CycTimelineCanvas *self)
{
  self->pinch = 1;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (query_tooltip_cb), NULL);
  add_controllers (self);
  add_click (self, GDK_BUTTON_PRIMARY, "released", G_CALLBACK (released_cb));
  add_click (self, GDK_BUTTON_SECONDARY, "pressed", G_CALLBACK (right_click_cb));
  add_drag (self, GDK_BUTTON_PRIMARY);
  add_drag (self, GDK_BUTTON_MIDDLE);
}

GtkWidget *
_cyc_timeline_canvas_new (CycTimelineView *view)
{
  CycTimelineCanvas *self = g_object_new (CYC_TYPE_TIMELINE_CANVAS, NULL);

  self->view = view;
  return GTK_WIDGET (self);
}

/* Ends what the pointer did with another state. */
void
_cyc_timeline_canvas_reset (GtkWidget *canvas)
{
  CYC_TIMELINE_CANVAS (canvas)->drag = CANVAS_NO_DRAG;
}
