/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include "display.h"
#include "support/test-timeline.h"
#include "widgets/cyc-timeline-view.h"

/* What pointers, wheels and fingers do to a timeline, with events of the display where it has such a device. */

#define WIDTH 1000
#define HEIGHT 600
#define N_TRACKS 60
#define LENGTH_US 1000u

typedef struct
{
  CycTimeline     *timeline;
  CycTimelineView *view;
  CycViewState    *state;
  GtkWidget       *canvas;
  double           x, y;   /* a place in the canvas, in the window */
} Fixture;

static void
fixture_init (Fixture *self)
{
  g_autoptr (GString) json = g_string_new ("[");
  g_autoptr (CycViewState) state = NULL;

  for (guint i = 0; i < N_TRACKS; i++)
    g_string_append_printf (json, "%s{\"ph\":\"X\",\"name\":\"k\",\"pid\":1,\"tid\":%u,\"ts\":0,\"dur\":%u}",
                            i > 0 ? "," : "", i, LENGTH_US);
  g_string_append_c (json, ']');
  self->timeline = test_timeline_new (json->str, FALSE);
  self->view = CYC_TIMELINE_VIEW (cyc_timeline_view_new ());
  state = cyc_view_state_new (self->timeline);
  cyc_timeline_view_set_state (self->view, state);
  display_show (GTK_WIDGET (self->view), WIDTH, HEIGHT);
  gtk_widget_grab_focus (GTK_WIDGET (self->view));
  self->state = state;
  self->canvas = display_find (GTK_WIDGET (self->view), g_type_from_name ("CycTimelineCanvas"), NULL);
  g_assert_nonnull (self->canvas);
  gtk_widget_translate_coordinates (self->canvas, GTK_WIDGET (gtk_widget_get_root (self->canvas)), 300, 200, &self->x,
                                    &self->y);
}

static void
fixture_clear (Fixture *self)
{
  display_close (GTK_WIDGET (self->view));
  cyc_timeline_unref (self->timeline);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fixture, fixture_clear)

static gint64
get_length (Fixture *self,
            gint64  *out_from)
{
  gint64 from, to;

  cyc_view_state_get_range (self->state, &from, &to);
  if (out_from != NULL)
    *out_from = from;
  return to - from;
}

/* The time at a place of the canvas. */
static double
get_time (Fixture *self,
          double   x)
{
  gint64 from;
  double fraction, length;

  cyc_view_state_get_exact_range (self->state, &from, &fraction, &length);
  return (double) from + fraction + x / gtk_widget_get_width (self->canvas) * length;
}

typedef struct
{
  Fixture *fixture;
  gint64   from;
  gint64   length;
  double   scroll;
} Before;

static Before
remember (Fixture *self)
{
  Before before = { .fixture = self, .scroll = cyc_view_state_get_scroll (self->state) };

  before.length = get_length (self, &before.from);
  return before;
}

static gboolean
is_zoomed (gpointer data)
{
  const Before *before = data;

  return get_length (before->fixture, NULL) < before->length;
}

static gboolean
is_later (gpointer data)
{
  const Before *before = data;
  gint64 from;

  return ABS (get_length (before->fixture, &from) - before->length) <= 1 && from > before->from;
}

static gboolean
is_scrolled (gpointer data)
{
  const Before *before = data;

  return cyc_view_state_get_scroll (before->fixture->state) > before->scroll;
}

static gboolean
has_range (gpointer data)
{
  gint64 from, to;

  return cyc_view_state_get_selected_range (((const Before *) data)->fixture->state, &from, &to);
}

/* A script of xdotool that begins in the canvas; FALSE if there is none. */
static gboolean
point (Fixture    *self,
       const char *script)
{
  g_autofree char *whole = g_strdup_printf ("mousemove %d %d sleep 0.1 mousemove_relative 1 0 sleep 0.1 %s",
                                            (int) self->x, (int) self->y, script);

  return display_point (whole);
}

/* Ctrl and the wheel zoom, and what is below the pointer stays there. */
static void
test_wheel (void)
{
  g_auto (Fixture) fixture = { 0 };

  fixture_init (&fixture);
  Before whole = remember (&fixture);
  double time = get_time (&fixture, 301);
  if (!point (&fixture, "keydown ctrl click 4 keyup ctrl"))
    return;
  display_wait (is_zoomed, &whole);
  g_assert_cmpfloat (fabs (get_time (&fixture, 301) - time), <, 4.0 * LENGTH_US * CYC_PS_PER_US / WIDTH);
  g_assert_false (is_scrolled (&whole));

  /* With Shift it pans, and so do the buttons of a wheel that goes sideways. */
  Before near = remember (&fixture);
  point (&fixture, "keydown shift click 5 keyup shift");
  display_wait (is_later, &near);
  near = remember (&fixture);
  point (&fixture, "click 7");
  display_wait (is_later, &near);
  g_assert_false (is_scrolled (&near));
  /* Alone it moves the tracks. */
  near = remember (&fixture);
  point (&fixture, "click 5");
  display_wait (is_scrolled, &near);
  g_assert_cmpint (get_length (&fixture, NULL), ==, near.length);
}

/* Shift and a drag take the picture along, one without selects. */
static void
test_drag (void)
{
  g_auto (Fixture) fixture = { 0 };

  fixture_init (&fixture);
  cyc_view_state_set_range (fixture.state, 400 * CYC_PS_PER_US, 600 * CYC_PS_PER_US);
  Before before = remember (&fixture);
  if (!point (&fixture, "keydown shift mousedown 1 sleep 0.1 mousemove_relative -- -20 2 sleep 0.1"
              " mousemove_relative -- -60 30 sleep 0.1 mouseup 1 keyup shift"))
    return;
  display_wait (is_later, &before);
  /* It went sideways first, and does not move the tracks any more. */
  g_assert_false (is_scrolled (&before));
  g_assert_false (has_range (&before));
  point (&fixture, "mousedown 1 sleep 0.1 mousemove_relative 20 2 sleep 0.1 mousemove_relative 60 3 sleep 0.1"
         " mouseup 1");
  display_wait (has_range, &before);
}

static GtkEventController *
find_controller (GtkWidget *widget,
                 GType      type)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) found = g_list_model_get_item (controllers, i);
      if (G_OBJECT_TYPE (found) == type)
        return found;
    }
  g_assert_not_reached ();
}

/* A pinch zooms by its scale, once, however often it is told. No display of a test has a touchpad. */
static void
test_pinch (void)
{
  g_auto (Fixture) fixture = { 0 };

  fixture_init (&fixture);
  GtkEventController *zoom = find_controller (fixture.canvas, GTK_TYPE_GESTURE_ZOOM);
  gint64 length = get_length (&fixture, NULL);
  g_signal_emit_by_name (zoom, "scale-changed", 1.5);
  g_signal_emit_by_name (zoom, "scale-changed", 3.0);
  g_signal_emit_by_name (zoom, "scale-changed", 4.0);
  g_assert_cmpint (ABS (get_length (&fixture, NULL) - length / 4), <=, 2);
  g_signal_emit_by_name (zoom, "scale-changed", 2.0);
  g_assert_cmpint (ABS (get_length (&fixture, NULL) - length / 2), <=, 4);
}

/* Two fingers that went sideways first do not move the tracks, however they drift. */
static void
test_axis (void)
{
  g_auto (Fixture) fixture = { 0 };
  gboolean handled;

  fixture_init (&fixture);
  cyc_view_state_set_range (fixture.state, 400 * CYC_PS_PER_US, 600 * CYC_PS_PER_US);
  GtkEventController *scroll = find_controller (fixture.canvas, GTK_TYPE_EVENT_CONTROLLER_SCROLL);
  Before before = remember (&fixture);
  g_signal_emit_by_name (scroll, "scroll-begin");
  g_signal_emit_by_name (scroll, "scroll", 1.0, 0.5, &handled);
  g_signal_emit_by_name (scroll, "scroll", 0.5, 2.0, &handled);
  g_signal_emit_by_name (scroll, "scroll-end");
  g_assert_true (is_later (&before));
  g_assert_false (is_scrolled (&before));
  before = remember (&fixture);
  g_signal_emit_by_name (scroll, "scroll-begin");
  g_signal_emit_by_name (scroll, "scroll", 0.5, 1.0, &handled);
  g_signal_emit_by_name (scroll, "scroll", 3.0, 1.0, &handled);
  g_signal_emit_by_name (scroll, "scroll-end");
  g_assert_true (is_scrolled (&before));
  g_assert_false (is_later (&before));
}

int
main (int    argc,
      char **argv)
{
  display_init (&argc, &argv);
  g_test_add_func ("/widgets/timeline-gestures/wheel", test_wheel);
  g_test_add_func ("/widgets/timeline-gestures/drag", test_drag);
  g_test_add_func ("/widgets/timeline-gestures/pinch", test_pinch);
  g_test_add_func ("/widgets/timeline-gestures/axis", test_axis);
  return g_test_run ();
}
