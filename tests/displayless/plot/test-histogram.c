/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "plot/cyc-histogram.h"
#include "plot/cyc-palette.h"

/* Bins of numbers, and the bars of them at places of an image. */

#define WIDTH 400
#define HEIGHT 200

static void
check_bins (gint64        lowest,
            gint64        highest,
            const gint64 *expected,
            guint         n)
{
  g_autoptr (GArray) bins = cyc_histogram_bins_new (lowest, highest);

  g_assert_cmpuint (bins->len, ==, n);
  for (guint i = 0; i < n; i++)
    {
      const CycHistogramBin *bin = &g_array_index (bins, CycHistogramBin, i);
      g_assert_cmpint (bin->from, ==, expected[2 * i]);
      g_assert_cmpint (bin->to, ==, expected[2 * i + 1]);
      g_assert_cmpfloat (bin->counts[0], ==, 0);
    }
}

static void
test_bins (void)
{
  static const gint64 single[] = { 5, 5, 6, 6, 7, 7 };
  static const gint64 powers[] = { 0, 0, 1, 1, 2, 3, 4, 7, 8, 15, 16, 31 };
  static const gint64 late[] = { 64, 127, 128, 255, 256, 511 };
  static const gint64 huge[] = { G_GINT64_CONSTANT (1) << 62, G_MAXINT64 };

  check_bins (5, 7, single, 3);
  check_bins (0, 16, powers, 6);
  check_bins (100, 300, late, 3);
  check_bins (G_GINT64_CONSTANT (1) << 62, G_MAXINT64, huge, 1);
  g_autoptr (GArray) bins = cyc_histogram_bins_new (100, 300);
  cyc_histogram_bins_add (bins, 1, 255, 3);
  cyc_histogram_bins_add (bins, 1, 128, 4);
  g_assert_cmpfloat (g_array_index (bins, CycHistogramBin, 1).counts[1], ==, 7);
  g_assert_cmpfloat (g_array_index (bins, CycHistogramBin, 1).counts[0], ==, 0);
}

static guint32
get_pixel (cairo_surface_t *surface,
           double           x,
           double           y)
{
  const unsigned char *bytes = cairo_image_surface_get_data (surface);
  const guint32 *line = (gconstpointer) (bytes + (int) y * cairo_image_surface_get_stride (surface));

  return line[(int) x] & 0xffffff;
}

static guint32
get_fill (guint slot)
{
  CycColour fill = cyc_palette_get_fill (slot, CYC_PLOT_LIGHT);

  return (guint32) (fill.red * 255 + 0.5) << 16 | (guint32) (fill.green * 255 + 0.5) << 8 |
         (guint32) (fill.blue * 255 + 0.5);
}

/* Three numbers, of which the second never comes in the first series: 40, 0, 10 times, and 20, 1, 0 in the other. */
static void
test_bars (void)
{
  static const char *const names[] = { "this", "other", NULL };
  g_autoptr (CycPlotStyle) style = cyc_plot_style_new (CYC_PLOT_LIGHT, "Sans", 12);
  g_autoptr (GArray) bins = cyc_histogram_bins_new (1, 3);
  CycHistogram histogram = { style, (const CycHistogramBin *) bins->data, 3, 2, names, "distance", "accesses" };
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  cairo_t *cr = cairo_create (surface);
  CycPlotRect bars[3][2];

  cyc_histogram_bins_add (bins, 0, 1, 40);
  cyc_histogram_bins_add (bins, 0, 3, 10);
  cyc_histogram_bins_add (bins, 1, 1, 20);
  cyc_histogram_bins_add (bins, 1, 2, 1);
  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  cyc_histogram_draw (&histogram, cr, WIDTH, HEIGHT, -1);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  for (guint i = 0; i < 3; i++)
    for (guint s = 0; s < 2; s++)
      g_assert_cmpint (cyc_histogram_get_bar (&histogram, WIDTH, HEIGHT, i, s, &bars[i][s]), ==,
                       g_array_index (bins, CycHistogramBin, i).counts[s] > 0);
  /* All stand on one line, as high as they count. */
  double bottom = bars[0][0].y + bars[0][0].height;
  g_assert_cmpfloat (bars[0][1].y + bars[0][1].height, ==, bottom);
  g_assert_cmpfloat_with_epsilon (bars[0][0].height, 4 * bars[2][0].height, 4);
  g_assert_cmpfloat_with_epsilon (bars[0][0].height, 2 * bars[0][1].height, 2);
  g_assert_cmpfloat (bars[1][1].height, >=, 1);
  /* Those of a bin touch, and do not reach into the next. */
  g_assert_cmpfloat (bars[0][0].x + bars[0][0].width, ==, bars[0][1].x);
  g_assert_cmpfloat (bars[0][1].x + bars[0][1].width, <, bars[1][0].x);
  /* A solid bar, from its first to its last pixel, and nothing above it. */
  double middle = bars[0][0].x + bars[0][0].width / 2;
  g_assert_cmphex (get_pixel (surface, middle, bars[0][0].y), ==, get_fill (0));
  g_assert_cmphex (get_pixel (surface, middle, bottom - 2), ==, get_fill (0));
  g_assert_cmphex (get_pixel (surface, middle, bars[0][0].y - 2), !=, get_fill (0));
  g_assert_cmphex (get_pixel (surface, bars[1][0].x + 2, bottom - 3), ==, 0xffffff);
  /* Every place of the plot is of one bin. */
  g_assert_cmpint (cyc_histogram_find (&histogram, WIDTH, HEIGHT, middle), ==, 0);
  g_assert_cmpint (cyc_histogram_find (&histogram, WIDTH, HEIGHT, bars[2][0].x + 1), ==, 2);
  g_assert_cmpint (cyc_histogram_find (&histogram, WIDTH, HEIGHT, 1), ==, -1);
  /* Without room there is nothing, and no crash. */
  g_assert_false (cyc_histogram_get_bar (&histogram, WIDTH, 20, 0, 0, &bars[0][0]));
  cairo_surface_destroy (surface);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plot/histogram/bins", test_bins);
  g_test_add_func ("/plot/histogram/bars", test_bars);
  return g_test_run ();
}
