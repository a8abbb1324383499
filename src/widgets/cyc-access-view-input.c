/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include "core/access/cyc-access-lookup.h"
#include "widgets/cyc-access-view-private.h"
#include "widgets/cyc-plot-widget-private.h"

#define PAN_STEP 0.15 /* of what is seen */
/* Timesteps that are looked through first for the next access, and in the end. */
#define FIRST_REACH (G_GINT64_CONSTANT (1) << 16)
#define LAST_REACH (G_GINT64_CONSTANT (1) << 24)

/* Pointer */

static void
motion_cb (GtkEventControllerMotion *motion,
           double                    x,
           double                    y,
           CycAccessView            *self)
{
  _cyc_access_view_set_hover (self, _cyc_access_view_find (self, x, y));
}

static void
leave_cb (GtkEventControllerMotion *motion,
          CycAccessView            *self)
{
  _cyc_access_view_set_hover (self, (CycAccessPlace) { -1, 0, 0 });
}

static void
released_cb (GtkGestureClick *click,
             int              n_press,
             double           x,
             double           y,
             CycAccessView   *self)
{
  CycAccessPlace place = _cyc_access_view_find (self, x, y);

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (place.panel < 0)
    return;
  cyc_access_view_set_range (self, 0, 0);
  _cyc_access_view_set_focus (self, place);
  _cyc_access_view_activate (self);
}

/* A drag with the left button selects a range of time, with Shift or the middle button it moves the picture. */
static void
drag_begin_cb (GtkGestureDrag *drag,
               double          x,
               double          y,
               CycAccessView  *self)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (drag));
  CycAccessPlace place = _cyc_access_view_find (self, x, y);

  self->panning = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (drag)) == GDK_BUTTON_MIDDLE ||
                  (state & GDK_SHIFT_MASK) != 0;
  self->drag_panel = place.panel;
  self->drag_from = self->from;
  self->drag_to = self->to;
  if (place.panel < 0)
    {
      gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_DENIED);
      return;
    }
  cyc_access_view_get_visible_y (self, (guint) place.panel, &self->drag_low, &self->drag_high);
  self->anchor = place.timestep;
}

static void
pan_to (CycAccessView *self,
        double         dx,
        double         dy)
{
  double unit = _cyc_access_view_get_unit (self);
  double x;
  double y;
  double width;
  double height;

  cyc_access_plot_get_area (self->plot, (guint) self->drag_panel, &x, &y, &width, &height);
  double timesteps = dx / (width * unit) * (self->drag_to - self->drag_from);
  double elements = dy / (height * unit) * (self->drag_high - self->drag_low);
  _cyc_access_view_pan (self, self->drag_from - timesteps - self->from);
  double low;
  double high;
  cyc_access_view_get_visible_y (self, (guint) self->drag_panel, &low, &high);
  if (_cyc_access_view_is_zoomed_y (self, (guint) self->drag_panel))
    _cyc_access_view_pan_y (self, (guint) self->drag_panel, self->drag_low + elements - low);
}

static void
drag_update_cb (GtkGestureDrag *drag,
                double          dx,
                double          dy,
                CycAccessView  *self)
{
  double unit = _cyc_access_view_get_unit (self);
  double left;
  double top;
  double width;
  double height;
  double x;
  double y;

  if (self->plot == NULL || self->drag_panel < 0)
    return;
  if (!gtk_drag_check_threshold (GTK_WIDGET (self), 0, 0, (int) dx, (int) dy))
    return;
  gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_CLAIMED);
  if (self->panning)
    {
      pan_to (self, dx, dy);
      return;
    }
  gtk_gesture_drag_get_start_point (drag, &x, &y);
  cyc_access_plot_get_area (self->plot, (guint) self->drag_panel, &left, &top, &width, &height);
  double timestep = self->from + ((x + dx) / unit - left) / width * (self->to - self->from);
  gint64 at = (gint64) floor (CLAMP (timestep, self->from, self->to));
  cyc_access_view_set_range (self, MIN (self->anchor, at), MAX (self->anchor, at) + 1);
}

/* Where the pointer is, by the event; else the middle. */
static CycAccessPlace
find_event (CycAccessView      *self,
            GtkEventController *controller,
            double             *out_timestep,
            double             *out_y)
{
  CycAccessPlace place = self->hover;
  double x;
  double y;

  if (cyc_plot_widget_get_pointer (controller, &x, &y))
    place = _cyc_access_view_find (self, x, y);
  *out_timestep = place.panel >= 0 ? (double) place.timestep + 0.5 : (self->from + self->to) / 2;
  *out_y = (double) place.y + 0.5;
  return place;
}

/* Ctrl zooms in time, with Shift in the panel's elements; Shift moves in time; else a panel that is zoomed moves. */
static gboolean
scroll_cb (GtkEventControllerScroll *scroll,
           double                    dx,
           double                    dy,
           CycAccessView            *self)
{
  GtkEventController *controller = GTK_EVENT_CONTROLLER (scroll);
  GdkModifierType state = gtk_event_controller_get_current_event_state (controller);
  double timestep;
  double y;

  if (self->plot == NULL)
    return GDK_EVENT_PROPAGATE;
  CycAccessPlace place = find_event (self, controller, &timestep, &y);
  double step = cyc_plot_widget_get_pan (scroll, PAN_STEP);
  double factor = cyc_plot_widget_get_zoom (scroll, dx + dy);
  if ((state & GDK_CONTROL_MASK) != 0 && (state & GDK_SHIFT_MASK) != 0)
    {
      if (place.panel >= 0)
        _cyc_access_view_zoom_y (self, (guint) place.panel, factor, y);
    }
  else if ((state & GDK_CONTROL_MASK) != 0)
    _cyc_access_view_zoom_at (self, factor, timestep);
  else if ((state & GDK_SHIFT_MASK) != 0 || fabs (dx) > fabs (dy))
    _cyc_access_view_pan (self, (fabs (dx) > fabs (dy) ? dx : dy) * step * (self->to - self->from));
  else if (place.panel >= 0 && _cyc_access_view_is_zoomed_y (self, (guint) place.panel))
    {
      double low;
      double high;
      cyc_access_view_get_visible_y (self, (guint) place.panel, &low, &high);
      _cyc_access_view_pan_y (self, (guint) place.panel, -dy * step * (high - low));
    }
  else
    return GDK_EVENT_PROPAGATE;
  return GDK_EVENT_STOP;
}

static void
zoom_begin_cb (GtkGestureZoom   *zoom,
               GdkEventSequence *sequence,
               CycAccessView    *self)
{
  self->drag_from = self->from;
  self->drag_to = self->to;
}

static void
zoom_scale_cb (GtkGestureZoom *zoom,
               double          scale,
               CycAccessView  *self)
{
  double middle = (self->drag_from + self->drag_to) / 2;
  double half = (self->drag_to - self->drag_from) / 2 / MAX (scale, 1e-6);

  cyc_access_view_set_visible (self, middle - half, middle + half);
}

/* Keys */

static void
focus_cb (GtkEventControllerFocus *focus,
          CycAccessView           *self)
{
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* The access to the same element before or after the focus. */
static void
jump (CycAccessView *self,
      gboolean       forward)
{
  const CycAccessPlan *plan = self->trace->plan;
  CycAccessPlace place = self->focus;
  CycAccessWork work = { 1 };
  CycAccessSpot spot;
  gint64 first;
  gint64 last;

  if (!cyc_access_view_get_focus (self, &spot))
    return;
  gint64 edge = forward ? spot.timestep + 1 : spot.timestep;
  for (gint64 reach = FIRST_REACH; reach <= LAST_REACH; reach *= 4)
    {
      gint64 from = forward ? edge : MAX (edge - reach, 0);
      gint64 to = forward ? MIN (edge + reach, plan->n_timesteps) : edge;
      if (from >= to)
        return;
      if (cyc_access_lookup_find_ends (plan, spot.tensor, spot.rank, spot.y, from, to, &work, &first, &last))
        {
          place.timestep = forward ? first : last;
          _cyc_access_view_set_focus (self, place);
          return;
        }
      edge = forward ? to : from;
    }
}

static gboolean
move_cb (GtkWidget *widget,
         GVariant  *args,
         gpointer   user_data)
{
  CycAccessView *self = CYC_ACCESS_VIEW (widget);
  CycAccessPlace place = self->focus;
  gboolean extend;
  const char *where;

  if (self->trace == NULL || self->plot == NULL)
    return FALSE;
  g_variant_get (args, "(&sb)", &where, &extend);
  if (place.panel < 0)
    {
      place = (CycAccessPlace) { 0, (gint64) ceil (self->from), 0 };
      where = "";
    }
  gint64 before = place.timestep;
  if (g_str_equal (where, "left"))
    place.timestep--;
  else if (g_str_equal (where, "right"))
    place.timestep++;
  else if (g_str_equal (where, "up"))
    place.y++;
  else if (g_str_equal (where, "down"))
    place.y--;
  else if (g_str_equal (where, "previous-panel"))
    place.panel = MAX (place.panel - 1, 0);
  else if (g_str_equal (where, "next-panel"))
    place.panel++;
  else if (g_str_equal (where, "first"))
    place.timestep = 0;
  else if (g_str_equal (where, "last"))
    place.timestep = G_MAXINT64 - 1;
  if (g_str_equal (where, "before") || g_str_equal (where, "after"))
    {
      jump (self, where[0] == 'a');
      return TRUE;
    }
  _cyc_access_view_set_focus (self, place);
  if (!extend)
    return TRUE;
  if (!self->has_range)
    self->anchor = before;
  cyc_access_view_set_range (self, MIN (self->anchor, self->focus.timestep),
                             MAX (self->anchor, self->focus.timestep) + 1);
  return TRUE;
}

static gboolean
see_cb (GtkWidget *widget,
        GVariant  *args,
        gpointer   user_data)
{
  CycAccessView *self = CYC_ACCESS_VIEW (widget);
  const char *what = g_variant_get_string (args, NULL);
  guint panel = (guint) MAX (self->focus.panel, 0);
  double span = self->to - self->from;
  double low = 0;
  double high = 0;

  if (self->trace == NULL || self->ys->len == 0)
    return FALSE;
  cyc_access_view_get_visible_y (self, panel, &low, &high);
  double y = self->focus.panel >= 0 ? (double) self->focus.y + 0.5 : (low + high) / 2;
  if (g_str_equal (what, "in"))
    cyc_access_view_zoom (self, CYC_PLOT_WIDGET_ZOOM);
  else if (g_str_equal (what, "out"))
    cyc_access_view_zoom (self, 1 / CYC_PLOT_WIDGET_ZOOM);
  else if (g_str_equal (what, "in-y"))
    _cyc_access_view_zoom_y (self, panel, CYC_PLOT_WIDGET_ZOOM, y);
  else if (g_str_equal (what, "out-y"))
    _cyc_access_view_zoom_y (self, panel, 1 / CYC_PLOT_WIDGET_ZOOM, y);
  else if (g_str_equal (what, "back"))
    _cyc_access_view_pan (self, -PAN_STEP * span);
  else if (g_str_equal (what, "on"))
    _cyc_access_view_pan (self, PAN_STEP * span);
  else if (g_str_equal (what, "below"))
    _cyc_access_view_pan_y (self, panel, -PAN_STEP * (high - low));
  else if (g_str_equal (what, "above"))
    _cyc_access_view_pan_y (self, panel, PAN_STEP * (high - low));
  else if (g_str_equal (what, "all"))
    cyc_access_view_show_all (self);
  else if (g_str_equal (what, "range") && self->has_range)
    cyc_access_view_set_visible (self, (double) self->range_from, (double) self->range_to);
  else if (g_str_equal (what, "take"))
    _cyc_access_view_activate (self);
  else if (g_str_equal (what, "none"))
    {
      if (!self->has_range && self->focus.panel < 0)
        return FALSE;
      if (self->has_range)
        cyc_access_view_set_range (self, 0, 0);
      else
        _cyc_access_view_set_focus (self, (CycAccessPlace) { -1, 0, 0 });
    }
  return TRUE;
}

void
_cyc_access_view_input_class (GtkWidgetClass *klass)
{
  static const struct
  {
    guint           key;
    GdkModifierType modifiers;
    const char     *where;
    gboolean        extend;
  } moves[] = {
    { GDK_KEY_Left, 0, "left" }, { GDK_KEY_KP_Left, 0, "left" },
    { GDK_KEY_Right, 0, "right" }, { GDK_KEY_KP_Right, 0, "right" },
    { GDK_KEY_Up, 0, "up" }, { GDK_KEY_KP_Up, 0, "up" },
    { GDK_KEY_Down, 0, "down" }, { GDK_KEY_KP_Down, 0, "down" },
    { GDK_KEY_Left, GDK_SHIFT_MASK, "left", TRUE }, { GDK_KEY_Right, GDK_SHIFT_MASK, "right", TRUE },
    { GDK_KEY_Home, GDK_SHIFT_MASK, "first", TRUE }, { GDK_KEY_End, GDK_SHIFT_MASK, "last", TRUE },
    { GDK_KEY_Left, GDK_CONTROL_MASK, "before" }, { GDK_KEY_Right, GDK_CONTROL_MASK, "after" },
    { GDK_KEY_Page_Up, 0, "previous-panel" }, { GDK_KEY_Page_Down, 0, "next-panel" },
    { GDK_KEY_Home, 0, "first" }, { GDK_KEY_End, 0, "last" },
  };
  static const struct
  {
    guint           key;
    GdkModifierType modifiers;
    const char     *what;
  } sights[] = {
    { GDK_KEY_w, 0, "in" }, { GDK_KEY_plus, 0, "in" }, { GDK_KEY_KP_Add, 0, "in" },
    { GDK_KEY_s, 0, "out" }, { GDK_KEY_minus, 0, "out" }, { GDK_KEY_KP_Subtract, 0, "out" },
    { GDK_KEY_a, 0, "back" }, { GDK_KEY_d, 0, "on" },
    { GDK_KEY_w, GDK_SHIFT_MASK, "in-y" }, { GDK_KEY_s, GDK_SHIFT_MASK, "out-y" },
    { GDK_KEY_a, GDK_SHIFT_MASK, "below" }, { GDK_KEY_d, GDK_SHIFT_MASK, "above" },
    { GDK_KEY_0, 0, "all" }, { GDK_KEY_KP_0, 0, "all" }, { GDK_KEY_f, 0, "range" },
    { GDK_KEY_Return, 0, "take" }, { GDK_KEY_KP_Enter, 0, "take" }, { GDK_KEY_Escape, 0, "none" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (moves); i++)
    gtk_widget_class_add_binding (klass, moves[i].key, moves[i].modifiers, move_cb, "(sb)", moves[i].where,
                                  moves[i].extend);
  for (guint i = 0; i < G_N_ELEMENTS (sights); i++)
    gtk_widget_class_add_binding (klass, sights[i].key, sights[i].modifiers, see_cb, "s", sights[i].what);
}

static void
add_drag (CycAccessView *self,
          guint          button)
{
  GtkGesture *drag = gtk_gesture_drag_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), button);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (drag_begin_cb), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (drag_update_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
}

void
_cyc_access_view_input_init (CycAccessView *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  g_signal_connect (motion, "enter", G_CALLBACK (motion_cb), self);
  g_signal_connect (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect (motion, "leave", G_CALLBACK (leave_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);

  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  g_signal_connect (scroll, "scroll", G_CALLBACK (scroll_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), scroll);

  GtkEventController *focus = gtk_event_controller_focus_new ();
  g_signal_connect (focus, "enter", G_CALLBACK (focus_cb), self);
  g_signal_connect (focus, "leave", G_CALLBACK (focus_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), focus);

  GtkGesture *click = gtk_gesture_click_new ();
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_PRIMARY);
  g_signal_connect (click, "released", G_CALLBACK (released_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));

  GtkGesture *zoom = gtk_gesture_zoom_new ();
  g_signal_connect (zoom, "begin", G_CALLBACK (zoom_begin_cb), self);
  g_signal_connect (zoom, "scale-changed", G_CALLBACK (zoom_scale_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (zoom));
  add_drag (self, GDK_BUTTON_PRIMARY);
  add_drag (self, GDK_BUTTON_MIDDLE);
}
