/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include "plot/cyc-sparkline.h"

#define WIDTH 100
#define HEIGHT 40

static void
test_ring (void)
{
  g_autoptr (CycValueRing) ring = cyc_value_ring_new (3);
  double last;

  g_assert_false (cyc_value_ring_get_last (ring, &last));
  for (guint i = 1; i <= 5; i++)
    cyc_value_ring_append (ring, i);
  g_assert_cmpuint (cyc_value_ring_get_n (ring), ==, 3);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpfloat (cyc_value_ring_get (ring, i), ==, 3 + i);
  g_assert_true (cyc_value_ring_get_last (ring, &last));
  g_assert_cmpfloat (last, ==, 5);
  cyc_value_ring_append (ring, INFINITY);
  g_assert_false (cyc_value_ring_get_last (ring, &last));
  cyc_value_ring_clear (ring);
  g_assert_cmpuint (cyc_value_ring_get_n (ring), ==, 0);
}

/* The rows of a column that have the colour of the first series, as least and most; FALSE if there are none. */
static gboolean
get_column (cairo_surface_t *surface,
            int              x,
            int             *out_top,
            int             *out_bottom)
{
  *out_top = -1;
  for (int y = 0; y < HEIGHT; y++)
    {
      guint32 pixel;
      memcpy (&pixel, cairo_image_surface_get_data (surface)
                        + y * cairo_image_surface_get_stride (surface) + 4 * x, 4);
      guint red = pixel >> 16 & 255, blue = pixel & 255;
      /* Edges are mixed with the ground. */
      if (blue < red + 40)
        continue;
      if (*out_top < 0)
        *out_top = y;
      *out_bottom = y;
    }
  return *out_top >= 0;
}

static cairo_surface_t *
draw (const CycValueRing *ring,
      const char         *text)
{
  g_autoptr (CycPlotStyle) style = cyc_plot_style_new (CYC_PLOT_LIGHT, NULL, 10);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  cairo_t *cr = cairo_create (surface);

  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  cyc_sparkline_draw (ring, style, 0, text, cr, WIDTH, HEIGHT);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

/* Many values in a pixel: a single peak and a single dip are still seen. */
static void
test_peaks (void)
{
  g_autoptr (CycValueRing) ring = cyc_value_ring_new (10000);
  int top, bottom;

  for (guint i = 0; i < 10000; i++)
    cyc_value_ring_append (ring, i == 2550 ? 100 : i == 7550 ? 0 : 50);
  cairo_surface_t *surface = draw (ring, NULL);
  g_assert_true (get_column (surface, 25, &top, &bottom));
  g_assert_cmpint (top, <=, 3);
  g_assert_cmpint (bottom, >=, HEIGHT / 2 - 1);
  g_assert_true (get_column (surface, 75, &top, &bottom));
  g_assert_cmpint (bottom, >=, HEIGHT - 4);
  g_assert_true (get_column (surface, 50, &top, &bottom));
  g_assert_cmpint (bottom - top, <=, 3);
  cairo_surface_destroy (surface);
}

static void
test_gaps (void)
{
  g_autoptr (CycValueRing) ring = cyc_value_ring_new (100);
  int top, bottom;

  for (guint i = 0; i < 100; i++)
    cyc_value_ring_append (ring, i >= 40 && i < 60 ? NAN : 50);
  cairo_surface_t *surface = draw (ring, NULL);
  g_assert_true (get_column (surface, 30, &top, &bottom));
  g_assert_false (get_column (surface, 50, &top, &bottom));
  g_assert_true (get_column (surface, 70, &top, &bottom));
  cairo_surface_destroy (surface);
}

/* Few values: a line between them, which ends at the right. */
static void
test_begin (void)
{
  g_autoptr (CycValueRing) ring = cyc_value_ring_new (11);
  int top, bottom, last;

  cyc_value_ring_append (ring, 0);
  cyc_value_ring_append (ring, 100);
  cairo_surface_t *surface = draw (ring, NULL);
  g_assert_false (get_column (surface, 85, &top, &bottom));
  g_assert_true (get_column (surface, 91, &top, &last));
  for (int x = 92; x < 98; x++)
    {
      g_assert_true (get_column (surface, x, &top, &bottom));
      g_assert_cmpint (bottom, <=, last);
      last = bottom;
    }
  cairo_surface_destroy (surface);
}

/* The text has a place of its own. */
static void
test_text (void)
{
  g_autoptr (CycValueRing) ring = cyc_value_ring_new (50), empty = cyc_value_ring_new (50);
  int top, bottom;

  for (guint i = 0; i < 50; i++)
    cyc_value_ring_append (ring, 50);
  cairo_surface_t *surface = draw (ring, "1.5 M");
  g_assert_true (get_column (surface, 20, &top, &bottom));
  g_assert_false (get_column (surface, WIDTH - 5, &top, &bottom));
  cairo_surface_destroy (surface);
  surface = draw (empty, NULL);
  for (int x = 0; x < WIDTH; x++)
    g_assert_false (get_column (surface, x, &top, &bottom));
  cairo_surface_destroy (surface);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plot/sparkline/ring", test_ring);
  g_test_add_func ("/plot/sparkline/peaks", test_peaks);
  g_test_add_func ("/plot/sparkline/gaps", test_gaps);
  g_test_add_func ("/plot/sparkline/begin", test_begin);
  g_test_add_func ("/plot/sparkline/text", test_text);
  return g_test_run ();
}
