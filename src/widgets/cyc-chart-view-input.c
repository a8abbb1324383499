/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "widgets/cyc-chart-view-private.h"

#include <math.h>

#include "widgets/cyc-plot-widget-private.h"

#define WHEEL_STEP 0.15 /* of what is seen */

static CycBarMark
find (CycChartView *self,
      double        x,
      double        y)
{
  CycBarLayout *layout = _cyc_chart_view_get_layout (self);

  return layout != NULL ? cyc_bar_layout_find (layout, x, y) : (CycBarMark) { -1, -1 };
}

gboolean
_cyc_chart_view_is_scrolled (CycChartView *self)
{
  return gtk_adjustment_get_upper (self->adjustment) > gtk_adjustment_get_page_size (self->adjustment) + 1e-6;
}

static void
set_hover (CycChartView *self,
           CycBarMark    mark)
{
  if (self->hover.group == mark.group && self->hover.series == mark.series)
    return;
  self->hover = mark;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
motion_cb (GtkEventControllerMotion *motion,
           double                    x,
           double                    y,
           CycChartView             *self)
{
  set_hover (self, find (self, x, y));
}

static void
leave_cb (GtkEventControllerMotion *motion,
          CycChartView             *self)
{
  set_hover (self, (CycBarMark) { -1, -1 });
}

static gboolean
query_tooltip_cb (CycChartView *self,
                  int           x,
                  int           y,
                  gboolean      keyboard,
                  GtkTooltip   *tooltip,
                  gpointer      user_data)
{
  CycBarMark mark = keyboard ? self->focus : find (self, x, y);
  g_autofree char *text = cyc_chart_view_dup_bar_text (self, mark);
  GdkRectangle rect;

  if (text == NULL)
    return FALSE;
  gtk_tooltip_set_text (tooltip, text);
  /* Without an area, the text changes in place while the pointer goes from bar to bar. */
  if (keyboard && cyc_chart_view_get_bar_rect (self, mark, &rect))
    gtk_tooltip_set_tip_area (tooltip, &rect);
  return TRUE;
}

static void
pressed_cb (GtkGestureClick *click,
            int              n_press,
            double           x,
            double           y,
            CycChartView    *self)
{
  CycBarMark mark = find (self, x, y);

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (mark.group < 0)
    return;
  if (mark.series < 0)
    mark.series = self->focus.series;
  cyc_chart_view_set_focus (self, mark);
  if (n_press == 2)
    cyc_chart_view_drill (self, (guint) mark.group);
}

static void
scroll_by (CycChartView *self,
           double        groups)
{
  gtk_adjustment_set_value (self->adjustment, self->first + groups);
}

static gboolean
scroll_cb (GtkEventControllerScroll *scroll,
           double                    dx,
           double                    dy,
           CycChartView             *self)
{
  GtkEventController *controller = GTK_EVENT_CONTROLLER (scroll);
  GdkModifierType state = gtk_event_controller_get_current_event_state (controller);
  double x = gtk_widget_get_width (GTK_WIDGET (self)) / 2.0, y = 0;

  if (self->data == NULL)
    return GDK_EVENT_PROPAGATE;
  if (state & GDK_CONTROL_MASK)
    {
      cyc_plot_widget_get_pointer (controller, &x, &y);
      _cyc_chart_view_zoom (self, cyc_plot_widget_get_zoom (scroll, dy), x);
      return GDK_EVENT_STOP;
    }
  if (!_cyc_chart_view_is_scrolled (self))
    return GDK_EVENT_PROPAGATE;
  double step = cyc_plot_widget_get_pan (scroll, WHEEL_STEP);
  scroll_by (self, (fabs (dx) > fabs (dy) ? dx : dy) * step * gtk_adjustment_get_page_size (self->adjustment));
  return GDK_EVENT_STOP;
}

/* With the left button in the plot, if there is anything to scroll; else a drag takes the picture away. */
static void
pan_begin_cb (GtkGestureDrag *drag,
              double          x,
              double          y,
              CycChartView   *self)
{
  gboolean middle = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (drag)) == GDK_BUTTON_MIDDLE;

  self->pan_first = self->first;
  if (!_cyc_chart_view_is_scrolled (self) || (!middle && find (self, x, y).series < 0))
    gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_DENIED);
}

static void
pan_update_cb (GtkGestureDrag *drag,
               double          dx,
               double          dy,
               CycChartView   *self)
{
  CycBarLayout *layout = _cyc_chart_view_get_layout (self);
  CycPlotRect plot;

  if (layout == NULL)
    return;
  cyc_bar_layout_get_plot (layout, &plot);
  if (gtk_drag_check_threshold (GTK_WIDGET (self), 0, 0, (int) dx, (int) dy))
    gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_CLAIMED);
  gtk_adjustment_set_value (self->adjustment, self->pan_first - dx / plot.width
                                                * gtk_adjustment_get_page_size (self->adjustment));
}

static void
focus_cb (GtkEventControllerFocus *focus,
          CycChartView            *self)
{
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static int
get_page (CycChartView *self)
{
  return MAX (1, (int) gtk_adjustment_get_page_size (self->adjustment) - 1);
}

/* Left and right go from group to group, up and down from series to series. */
static gboolean
move_cb (GtkWidget *widget,
         GVariant  *args,
         gpointer   user_data)
{
  CycChartView *self = CYC_CHART_VIEW (widget);
  CycBarMark mark = self->focus;
  const char *where = g_variant_get_string (args, NULL);

  if (self->data == NULL)
    return FALSE;
  int n_series = (int) cyc_bar_table_get_n_series (cyc_bar_data_get_table (self->data));
  if (g_str_equal (where, "left"))
    mark.group--;
  else if (g_str_equal (where, "right"))
    mark.group++;
  else if (g_str_equal (where, "up"))
    mark.series = (mark.series + n_series - 1) % MAX (n_series, 1);
  else if (g_str_equal (where, "down"))
    mark.series = (mark.series + 1) % MAX (n_series, 1);
  else if (g_str_equal (where, "page-left"))
    mark.group -= get_page (self);
  else if (g_str_equal (where, "page-right"))
    mark.group += get_page (self);
  else if (g_str_equal (where, "first"))
    mark.group = 0;
  else
    mark.group = G_MAXINT;
  cyc_chart_view_set_focus (self, mark);
  return TRUE;
}

void
_cyc_chart_view_input_class (GtkWidgetClass *klass)
{
  static const struct
  {
    guint       key;
    guint       keypad;
    const char *where;
  } moves[] = {
    { GDK_KEY_Left, GDK_KEY_KP_Left, "left" }, { GDK_KEY_Right, GDK_KEY_KP_Right, "right" },
    { GDK_KEY_Up, GDK_KEY_KP_Up, "up" }, { GDK_KEY_Down, GDK_KEY_KP_Down, "down" },
    { GDK_KEY_Page_Up, GDK_KEY_KP_Page_Up, "page-left" },
    { GDK_KEY_Page_Down, GDK_KEY_KP_Page_Down, "page-right" },
    { GDK_KEY_Home, GDK_KEY_KP_Home, "first" }, { GDK_KEY_End, GDK_KEY_KP_End, "last" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (moves); i++)
    {
      gtk_widget_class_add_binding (klass, moves[i].key, 0, move_cb, "s", moves[i].where);
      gtk_widget_class_add_binding (klass, moves[i].keypad, 0, move_cb, "s", moves[i].where);
    }
}

static void
add_click (CycChartView *self)
{
  GtkGesture *click = gtk_gesture_click_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_PRIMARY);
  g_signal_connect (click, "pressed", G_CALLBACK (pressed_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
}

static void
add_pan (CycChartView *self,
         guint         button)
{
  GtkGesture *drag = gtk_gesture_drag_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), button);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (pan_begin_cb), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (pan_update_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
}

void
_cyc_chart_view_input_init (CycChartView *self)
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

  g_signal_connect (self, "query-tooltip", G_CALLBACK (query_tooltip_cb), NULL);
  add_click (self);
  add_pan (self, GDK_BUTTON_PRIMARY);
  add_pan (self, GDK_BUTTON_MIDDLE);
}
