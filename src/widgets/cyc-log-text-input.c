/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "widgets/cyc-log-text-private.h"

#include <glib/gi18n.h>
#include <math.h>

/* Keys, wheel and pointer in the text of a log. Lines are what is selected. */

#define WHEEL_LINES 3
#define DRAG_PIXELS 12.0 /* beyond an edge, for one line more a frame */

static const CycLogLine *
get_row (CycLogText *self,
         gint64      row)
{
  if (self->lines->len == 0)
    return NULL;
  return g_ptr_array_index (self->lines, (guint) CLAMP (row, 0, (gint64) self->lines->len - 1));
}

static const CycLogLine *
get_row_at (CycLogText *self,
            double      y)
{
  return get_row (self, (gint64) floor (y / self->line_height + self->fraction));
}

/* The selection goes to a line; with @extend from where it began. */
static void
select_line (CycLogText       *self,
             const CycLogLine *line,
             gboolean          extend)
{
  if (line == NULL)
    return;
  if (!extend || !self->selecting)
    self->anchor = line->start;
  self->cursor = line->start;
  self->selecting = TRUE;
  _cyc_log_text_show_lines (self);
  g_signal_emit_by_name (self, "select");
}

/* The row on the screen where the selection ends; -1 if that is out of sight. */
static int
find_cursor (CycLogText *self)
{
  for (guint i = 0; i < self->lines->len; i++)
    if (((const CycLogLine *) g_ptr_array_index (self->lines, i))->start == self->cursor)
      return (int) i;
  return -1;
}

/* Up and down: with a selection its end moves, without one the text does. */
static gboolean
line_cb (GtkWidget *widget,
         GVariant  *args,
         gpointer   user_data)
{
  CycLogText *self = CYC_LOG_TEXT (widget);
  int down;
  gboolean extend;

  g_variant_get (args, "(ib)", &down, &extend);
  if (!self->selecting && !extend)
    {
      cyc_log_text_scroll (self, down);
      return TRUE;
    }
  int row = self->selecting ? find_cursor (self) : 0;
  if (row < 0)
    {
      _cyc_log_text_go (self, self->cursor, 0, 0);
      return TRUE;
    }
  int last = (int) floor (_cyc_log_text_get_n_fit (self) + self->fraction) - 1;
  if (row + down <= 0 || row + down > last)
    cyc_log_text_scroll (self, down);
  if (row + down >= 0 && row + down < (int) self->lines->len)
    select_line (self, get_row (self, self->selecting ? row + down : row), extend);
  return TRUE;
}

static gboolean
page_cb (GtkWidget *widget,
         GVariant  *args,
         gpointer   user_data)
{
  CycLogText *self = CYC_LOG_TEXT (widget);

  cyc_log_text_scroll (self, g_variant_get_int32 (args) * MAX (1, floor (_cyc_log_text_get_n_fit (self)) - 1));
  return TRUE;
}

static gboolean
home_cb (GtkWidget *widget,
         GVariant  *args,
         gpointer   user_data)
{
  CycLogText *self = CYC_LOG_TEXT (widget);

  cyc_log_text_set_follow (self, FALSE);
  _cyc_log_text_go (self, 0, 0, 0);
  return TRUE;
}

/* The end of the log, which is kept in sight from then on. */
static gboolean
end_cb (GtkWidget *widget,
        GVariant  *args,
        gpointer   user_data)
{
  CycLogText *self = CYC_LOG_TEXT (widget);

  if (self->cache == NULL)
    return TRUE;
  cyc_log_text_set_follow (self, TRUE);
  _cyc_log_text_go (self, cyc_log_cache_get_length (self->cache), 0, 0);
  return TRUE;
}

static gboolean
side_cb (GtkWidget *widget,
         GVariant  *args,
         gpointer   user_data)
{
  CycLogText *self = CYC_LOG_TEXT (widget);
  double value = gtk_adjustment_get_value (self->hadjustment);

  gtk_adjustment_set_value (self->hadjustment, value + g_variant_get_int32 (args) * 4 * self->char_width);
  return TRUE;
}

static gboolean
escape_cb (GtkWidget *widget,
           GVariant  *args,
           gpointer   user_data)
{
  CycLogText *self = CYC_LOG_TEXT (widget);
  gboolean selecting = self->selecting;

  cyc_log_text_unselect (self);
  return selecting;
}

static gboolean
select_all_cb (GtkWidget *widget,
               GVariant  *args,
               gpointer   user_data)
{
  cyc_log_text_select_all (CYC_LOG_TEXT (widget));
  return TRUE;
}

static gboolean
scroll_cb (GtkEventControllerScroll *controller,
           double                    dx,
           double                    dy,
           CycLogText               *self)
{
  gboolean pixels = gtk_event_controller_scroll_get_unit (controller) == GDK_SCROLL_UNIT_SURFACE;
  double value = gtk_adjustment_get_value (self->hadjustment);
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));

  if ((state & GDK_SHIFT_MASK) != 0 && dx == 0)
    {
      dx = dy;
      dy = 0;
    }
  if (dy != 0 && self->line_height > 0)
    cyc_log_text_scroll (self, pixels ? dy / self->line_height : dy * WHEEL_LINES);
  if (dx != 0)
    gtk_adjustment_set_value (self->hadjustment, value + (pixels ? dx : dx * 4 * self->char_width));
  return TRUE;
}

static gboolean
drag_tick_cb (GtkWidget     *widget,
              GdkFrameClock *clock,
              gpointer       user_data)
{
  CycLogText *self = CYC_LOG_TEXT (widget);
  double beyond = self->drag_y < 0 ? self->drag_y : self->drag_y - gtk_widget_get_height (widget);

  cyc_log_text_scroll (self, beyond < 0 ? floor (beyond / DRAG_PIXELS) : ceil (beyond / DRAG_PIXELS));
  select_line (self, beyond < 0 ? get_row (self, 0) : get_row (self, (gint64) self->lines->len - 1), TRUE);
  return G_SOURCE_CONTINUE;
}

static void
drag_stop (CycLogText *self)
{
  if (self->scroll_tick != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->scroll_tick);
  self->scroll_tick = 0;
}

static void
drag_begin_cb (GtkGestureDrag *gesture,
               double          x,
               double          y,
               CycLogText     *self)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (self->lines->len == 0 || y / self->line_height + self->fraction >= self->lines->len)
    cyc_log_text_unselect (self);
  else
    select_line (self, get_row_at (self, y), (state & GDK_SHIFT_MASK) != 0);
}

static void
drag_update_cb (GtkGestureDrag *gesture,
                double          dx,
                double          dy,
                CycLogText     *self)
{
  double x;
  double y;

  if (!self->selecting || !gtk_gesture_drag_get_start_point (gesture, &x, &y))
    return;
  self->drag_y = y + dy;
  if (self->drag_y >= 0 && self->drag_y <= gtk_widget_get_height (GTK_WIDGET (self)))
    {
      drag_stop (self);
      /* A click that trembles does not select a second line. */
      if (fabs (dy) >= 4)
        select_line (self, get_row_at (self, self->drag_y), TRUE);
    }
  else if (self->scroll_tick == 0)
    self->scroll_tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), drag_tick_cb, NULL, NULL);
}

static void
drag_end_cb (GtkGestureDrag *gesture,
             double          dx,
             double          dy,
             CycLogText     *self)
{
  drag_stop (self);
}

static void
popup (CycLogText         *self,
       const GdkRectangle *at)
{
  gtk_popover_set_pointing_to (GTK_POPOVER (self->menu), at);
  gtk_popover_popup (GTK_POPOVER (self->menu));
}

static void
right_click_cb (GtkGestureClick *gesture,
                int              n_press,
                double           x,
                double           y,
                CycLogText      *self)
{
  const CycLogLine *line = get_row_at (self, y);

  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (line != NULL && (!self->selecting || line->start < MIN (self->anchor, self->cursor) ||
                       line->start > MAX (self->anchor, self->cursor)))
    select_line (self, line, FALSE);
  popup (self, &(GdkRectangle) { (int) x, (int) y, 1, 1 });
}

static gboolean
menu_cb (GtkWidget *widget,
         GVariant  *args,
         gpointer   user_data)
{
  CycLogText *self = CYC_LOG_TEXT (widget);
  int row = MAX (0, find_cursor (self));

  popup (self, &(GdkRectangle) { self->gutter, row * self->line_height, 1, self->line_height });
  return TRUE;
}

static void
add_key (GtkWidgetClass  *klass,
         guint            key,
         guint            keypad,
         GdkModifierType  modifiers,
         GtkShortcutFunc  func,
         const char      *format,
         int              number,
         gboolean         flag)
{
  gboolean pair = g_str_equal (format, "(ib)");

  gtk_widget_class_add_binding (klass, key, modifiers, func, pair ? "(ib)" : "i", number, flag);
  if (keypad != 0)
    gtk_widget_class_add_binding (klass, keypad, modifiers, func, pair ? "(ib)" : "i", number, flag);
}

void
_cyc_log_text_input_class (GtkWidgetClass *klass)
{
  add_key (klass, GDK_KEY_Up, GDK_KEY_KP_Up, 0, line_cb, "(ib)", -1, FALSE);
  add_key (klass, GDK_KEY_Down, GDK_KEY_KP_Down, 0, line_cb, "(ib)", 1, FALSE);
  add_key (klass, GDK_KEY_Up, GDK_KEY_KP_Up, GDK_SHIFT_MASK, line_cb, "(ib)", -1, TRUE);
  add_key (klass, GDK_KEY_Down, GDK_KEY_KP_Down, GDK_SHIFT_MASK, line_cb, "(ib)", 1, TRUE);
  add_key (klass, GDK_KEY_Page_Up, GDK_KEY_KP_Page_Up, 0, page_cb, "i", -1, FALSE);
  add_key (klass, GDK_KEY_Page_Down, GDK_KEY_KP_Page_Down, 0, page_cb, "i", 1, FALSE);
  add_key (klass, GDK_KEY_space, GDK_KEY_KP_Space, 0, page_cb, "i", 1, FALSE);
  add_key (klass, GDK_KEY_Home, GDK_KEY_KP_Home, 0, home_cb, "i", 0, FALSE);
  add_key (klass, GDK_KEY_Home, GDK_KEY_KP_Home, GDK_CONTROL_MASK, home_cb, "i", 0, FALSE);
  add_key (klass, GDK_KEY_End, GDK_KEY_KP_End, 0, end_cb, "i", 0, FALSE);
  add_key (klass, GDK_KEY_End, GDK_KEY_KP_End, GDK_CONTROL_MASK, end_cb, "i", 0, FALSE);
  add_key (klass, GDK_KEY_Left, GDK_KEY_KP_Left, 0, side_cb, "i", -1, FALSE);
  add_key (klass, GDK_KEY_Right, GDK_KEY_KP_Right, 0, side_cb, "i", 1, FALSE);
  add_key (klass, GDK_KEY_a, 0, GDK_CONTROL_MASK, select_all_cb, "i", 0, FALSE);
  add_key (klass, GDK_KEY_Escape, 0, 0, escape_cb, "i", 0, FALSE);
  add_key (klass, GDK_KEY_Menu, 0, 0, menu_cb, "i", 0, FALSE);
  add_key (klass, GDK_KEY_F10, 0, GDK_SHIFT_MASK, menu_cb, "i", 0, FALSE);
}

void
_cyc_log_text_input_init (CycLogText *self)
{
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkGesture *click = gtk_gesture_click_new ();
  g_autoptr (GMenu) menu = g_menu_new ();

  g_signal_connect (scroll, "scroll", G_CALLBACK (scroll_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), scroll);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), GDK_BUTTON_PRIMARY);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (drag_begin_cb), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (drag_update_cb), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (drag_end_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect (click, "pressed", G_CALLBACK (right_click_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));

  g_menu_append (menu, _("_Copy"), "log.copy");
  g_menu_append (menu, _("Select _All"), "log.select-all");
  g_menu_append (menu, _("_Find…"), "log.find");
  self->menu = gtk_popover_menu_new_from_model (G_MENU_MODEL (menu));
  gtk_widget_set_parent (self->menu, GTK_WIDGET (self));
  gtk_popover_set_has_arrow (GTK_POPOVER (self->menu), FALSE);
  gtk_widget_set_halign (self->menu, GTK_ALIGN_START);
}

void
_cyc_log_text_input_end (CycLogText *self)
{
  drag_stop (self);
}
