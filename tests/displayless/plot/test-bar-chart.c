/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include "plot/cyc-bar-chart.h"

#define WIDTH 640
#define HEIGHT 480

typedef struct
{
  CycBarTable     *table;
  CycBarData      *data;
  CycPlotStyle    *style;
  CycPalette      *palette;
  CycBarChart      chart;
  CycBarLayout    *layout;
  cairo_surface_t *surface;
} Fixture;

/* The names of kernels are @kernel and a number below @n_names. */
static void
fixture_init_named (Fixture      *self,
                    guint         n_kernels,
                    guint         n_series,
                    const double *values,
                    const char   *kernel,
                    guint         n_names)
{
  self->table = cyc_bar_table_new ("gpu_sim_cycle", "cycles", n_kernels);
  for (guint i = 0; i < n_kernels; i++)
    {
      g_autofree char *name = g_strdup_printf ("%s_%u", kernel, i % n_names);
      cyc_bar_table_set_name (self->table, i, name);
    }
  for (guint i = 0; i < n_series; i++)
    {
      g_autofree char *name = g_strdup_printf ("SM%u", i);
      cyc_bar_table_add_series (self->table, name, CYC_BAR_SIMULATED, values + i * n_kernels);
    }
  self->data = cyc_bar_data_new (self->table);
  self->style = cyc_plot_style_new (CYC_PLOT_LIGHT, NULL, 13);
  self->palette = cyc_palette_new ();
  cyc_bar_chart_init (&self->chart, self->data, self->style, self->palette);
}

static void
fixture_init (Fixture      *self,
              guint         n_kernels,
              guint         n_series,
              const double *values)
{
  fixture_init_named (self, n_kernels, n_series, values, "kernel_with_number", n_kernels);
}

static void
fixture_draw (Fixture *self,
              int      width,
              int      height)
{
  g_clear_pointer (&self->layout, cyc_bar_layout_free);
  g_clear_pointer (&self->surface, cairo_surface_destroy);
  self->layout = cyc_bar_layout_new (&self->chart, width, height);
  self->surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
  cairo_t *cr = cairo_create (self->surface);
  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  cyc_bar_layout_draw (self->layout, cr, NULL, NULL);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_surface_flush (self->surface);
}

static void
fixture_clear (Fixture *self)
{
  g_clear_pointer (&self->layout, cyc_bar_layout_free);
  g_clear_pointer (&self->surface, cairo_surface_destroy);
  cyc_palette_free (self->palette);
  cyc_plot_style_free (self->style);
  cyc_bar_data_free (self->data);
  cyc_bar_table_unref (self->table);
}

static guint32
get_pixel (Fixture *self,
           double   x,
           double   y)
{
  const unsigned char *data = cairo_image_surface_get_data (self->surface);
  guint32 pixel;

  g_assert_cmpint ((int) x, <, cairo_image_surface_get_width (self->surface));
  g_assert_cmpint ((int) y, <, cairo_image_surface_get_height (self->surface));
  memcpy (&pixel, data + (int) y * cairo_image_surface_get_stride (self->surface) + 4 * (int) x, 4);
  return pixel & 0xffffff;
}

/* Whether anything is drawn in a rectangle. */
static gboolean
has_ink (Fixture           *self,
         const CycPlotRect *rect)
{
  for (int y = (int) rect->y; y < rect->y + rect->height; y++)
    for (int x = (int) rect->x; x < rect->x + rect->width; x++)
      if (get_pixel (self, x, y) != 0xffffff)
        return TRUE;
  return FALSE;
}

static CycPlotRect
get_bar (Fixture *self,
         guint    group,
         guint    series)
{
  CycPlotRect rect = { 0 };

  g_assert_true (cyc_bar_layout_get_bar (self->layout, group, series, &rect));
  return rect;
}

static void
test_bars (void)
{
  const double values[] = { 100, 50, 0, /* second series */ 25, NAN, 75 };
  Fixture self = { NULL };
  CycPlotRect missing;

  fixture_init (&self, 3, 2, values);
  self.chart.flags = CYC_BAR_CHART_LEGEND;
  fixture_draw (&self, WIDTH, HEIGHT);
  CycPlotRect whole = get_bar (&self, 0, 0), half = get_bar (&self, 1, 0), quarter = get_bar (&self, 0, 1);
  CycPlotRect nothing = get_bar (&self, 2, 0);
  /* Heights are in proportion, all on one line, side by side. */
  g_assert_cmpfloat_with_epsilon (half.height, whole.height / 2, 1);
  g_assert_cmpfloat_with_epsilon (quarter.height, whole.height / 4, 1);
  g_assert_cmpfloat (nothing.height, ==, 0);
  g_assert_cmpfloat (whole.y + whole.height, ==, quarter.y + quarter.height);
  g_assert_cmpfloat (quarter.x, >=, whole.x + whole.width);
  /* The first series is solid, in the first colour. */
  g_assert_cmphex (get_pixel (&self, whole.x + whole.width / 2, whole.y + whole.height / 2), ==, 0x0072b2);
  g_assert_cmphex (get_pixel (&self, half.x + half.width / 2, half.y + 3), ==, 0x0072b2);
  g_assert_cmphex (get_pixel (&self, half.x + half.width / 2, half.y - 3), !=, 0x0072b2);
  /* The second has a pattern in another. */
  guint n_fill = 0, n_other = 0;
  for (int y = (int) quarter.y + 2; y < quarter.y + quarter.height - 2; y++)
    {
      guint32 pixel = get_pixel (&self, quarter.x + quarter.width / 2, y);
      n_fill += pixel == 0xc57b00;
      n_other += pixel != 0xc57b00;
    }
  g_assert_cmpuint (n_fill, >, 0);
  g_assert_cmpuint (n_other, >, 0);
  /* What is missing has a sign, and no bar. */
  g_assert_false (cyc_bar_layout_get_bar (self.layout, 1, 1, &missing));
  CycPlotRect sign = { missing.x, missing.y - 12, missing.width, 10 };
  g_assert_true (has_ink (&self, &sign));
  CycPlotRect above = { missing.x, missing.y - 30, missing.width, 4 };
  for (int x = (int) above.x; x < above.x + above.width; x++)
    g_assert_cmphex (get_pixel (&self, x, above.y), !=, 0xc57b00);
  fixture_clear (&self);
}

static void
test_find (void)
{
  const double values[] = { 100, 1, 3, 40, /* second */ 25, NAN, 75, 0 };
  Fixture self = { NULL };
  CycPlotRect plot;

  fixture_init (&self, 4, 2, values);
  fixture_draw (&self, WIDTH, HEIGHT);
  cyc_bar_layout_get_plot (self.layout, &plot);
  for (guint group = 0; group < 4; group++)
    for (guint series = 0; series < 2; series++)
      {
        CycPlotRect bar;
        cyc_bar_layout_get_bar (self.layout, group, series, &bar);
        /* Also far above a small bar. */
        CycBarMark mark = cyc_bar_layout_find (self.layout, bar.x + bar.width / 2, plot.y + 1);
        g_assert_cmpint (mark.group, ==, group);
        g_assert_cmpint (mark.series, ==, series);
        mark = cyc_bar_layout_find (self.layout, bar.x + bar.width / 2, plot.y + plot.height + 5);
        g_assert_cmpint (mark.group, ==, group);
        g_assert_cmpint (mark.series, ==, -1);
      }
  g_assert_cmpint (cyc_bar_layout_find (self.layout, plot.x - 1, plot.y + 5).group, ==, -1);
  g_assert_cmpint (cyc_bar_layout_find (self.layout, plot.x + plot.width, plot.y + 5).group, ==, -1);
  g_assert_cmpint (cyc_bar_layout_find (self.layout, plot.x + 5, plot.y - 1).group, ==, -1);
  fixture_clear (&self);
}

static void
test_logarithmic (void)
{
  const double values[] = { 10, 100, 1000, 0, -5 };
  Fixture self = { NULL };
  CycPlotRect bar;

  fixture_init (&self, 5, 1, values);
  self.chart.flags = CYC_BAR_CHART_LOGARITHMIC;
  fixture_draw (&self, WIDTH, HEIGHT);
  double first = get_bar (&self, 0, 0).height, second = get_bar (&self, 1, 0).height;
  double third = get_bar (&self, 2, 0).height;
  g_assert_cmpfloat (first, >, 0);
  g_assert_cmpfloat_with_epsilon (third - second, second - first, 2);
  g_assert_false (cyc_bar_layout_get_bar (self.layout, 3, 0, &bar));
  g_assert_false (cyc_bar_layout_get_bar (self.layout, 4, 0, &bar));
  /* Ratios go up and down from one. */
  const double ratios[] = { 10, 10, 20, 5 };
  Fixture relative = { NULL };
  fixture_init (&relative, 2, 2, ratios);
  cyc_bar_data_set_baseline (relative.data, 0);
  relative.chart.flags = CYC_BAR_CHART_LOGARITHMIC;
  fixture_draw (&relative, WIDTH, HEIGHT);
  CycPlotRect twice = get_bar (&relative, 0, 1), half = get_bar (&relative, 1, 1);
  g_assert_cmpfloat_with_epsilon (twice.height, half.height, 1.5);
  g_assert_cmpfloat (twice.y + twice.height, ==, half.y);
  fixture_clear (&relative);
  fixture_clear (&self);
}

static void
test_negative (void)
{
  const double values[] = { 10, -10 };
  Fixture self = { NULL };

  fixture_init (&self, 2, 1, values);
  fixture_draw (&self, WIDTH, HEIGHT);
  CycPlotRect up = get_bar (&self, 0, 0), down = get_bar (&self, 1, 0);
  g_assert_cmpfloat (up.y + up.height, ==, down.y);
  g_assert_cmpfloat_with_epsilon (up.height, down.height, 1.5);
  fixture_clear (&self);
}

static gboolean
overlap (const CycPlotRect *a,
         const CycPlotRect *b)
{
  return a->x < b->x + b->width - 0.5 && b->x < a->x + a->width - 0.5;
}

/* At any size, labels are on the surface, below the plot, and apart from each other. */
static void
test_labels (void)
{
  static const struct { guint kernels; int width; int height; } cases[] = {
    { 1, 640, 480 }, { 3, 640, 480 }, { 8, 800, 600 }, { 20, 800, 600 }, { 50, 800, 600 },
    { 50, 1280, 800 }, { 200, 1280, 800 }, { 6, 300, 200 }, { 50, 100, 60 }, { 2, 2000, 100 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      guint n = cases[i].kernels, n_labels = 0;
      g_autofree double *values = g_new (double, 6 * n);
      CycPlotRect plot, label, last = { -1e9, 0, 0, 0 };
      Fixture self = { NULL };
      for (guint k = 0; k < 6 * n; k++)
        values[k] = 1 + k;
      fixture_init (&self, n, 6, values);
      cyc_bar_data_set_grouping (self.data, CYC_BAR_LAUNCHES);
      fixture_draw (&self, cases[i].width, cases[i].height);
      cyc_bar_layout_get_plot (self.layout, &plot);
      g_assert_cmpfloat (plot.x + plot.width, <=, cases[i].width);
      g_assert_cmpfloat (plot.y + plot.height, <=, cases[i].height);
      for (guint k = 0; k < n; k++)
        {
          if (!cyc_bar_layout_get_label (self.layout, k, &label))
            continue;
          n_labels++;
          g_assert_cmpfloat (label.y, >=, plot.y + plot.height);
          if (cases[i].height >= 200)
            {
              g_assert_cmpfloat (label.y + label.height, <=, cases[i].height + 1);
              g_assert_cmpfloat (label.x, >=, -1);
              g_assert_true (has_ink (&self, &label));
            }
          /* Slanted ones share columns, but not places. */
          gboolean slanted = label.width > 20 && label.height > 20;
          g_assert_true (slanted || !overlap (&last, &label));
          g_assert_cmpfloat (label.x + label.width, >, last.x + last.width);
          last = label;
        }
      g_assert_cmpuint (n_labels, >=, 1);
      fixture_clear (&self);
    }
}

/* Of more names than have room, as many are shown as have a label each. */
static void
test_named (void)
{
  const guint n = 5000;
  g_autofree double *values = g_new (double, 3 * n);
  CycPlotRect label, last = { -1e9, 0, 0, 0 };
  Fixture self = { NULL };

  for (guint i = 0; i < 3 * n; i++)
    values[i] = 1 + i % 300;
  fixture_init_named (&self, n, 3, values, "at::native::vectorized_elementwise_kernel", 300);
  cyc_bar_data_set_grouping (self.data, CYC_BAR_AUTO);
  fixture_draw (&self, WIDTH, HEIGHT);
  guint fit = cyc_bar_layout_get_n_labelled (self.layout);
  g_assert_cmpuint (fit, >, 10);
  g_assert_cmpuint (fit, <, 300);
  cyc_bar_data_set_max_groups (self.data, fit, 0);
  fixture_draw (&self, WIDTH, HEIGHT);
  g_assert_cmpuint (cyc_bar_data_get_n_groups (self.data), ==, fit);
  for (guint i = 0; i < fit; i++)
    {
      g_assert_true (cyc_bar_layout_get_label (self.layout, i, &label));
      g_assert_false (overlap (&last, &label));
      g_assert_true (has_ink (&self, &label));
      last = label;
    }
  fixture_clear (&self);
}

/* Never more groups than have room, however many there are. */
static void
test_scrolled (void)
{
  const guint n = 5000;
  g_autofree double *values = g_new (double, 2 * n);
  Fixture self = { NULL };
  CycPlotRect plot;

  for (guint i = 0; i < 2 * n; i++)
    values[i] = 1 + i % 100;
  fixture_init (&self, n, 2, values);
  cyc_bar_data_set_grouping (self.data, CYC_BAR_LAUNCHES);
  fixture_draw (&self, WIDTH, HEIGHT);
  cyc_bar_layout_get_plot (self.layout, &plot);
  g_assert_cmpfloat (cyc_bar_layout_get_n_visible (self.layout), <=,
                     plot.width / cyc_bar_chart_get_min_group (2));
  g_assert_cmpint (cyc_bar_layout_find (self.layout, plot.x + 1, plot.y + 1).group, ==, 0);
  /* From the middle of one group on. */
  self.chart.first = 100.5;
  self.chart.n_visible = 10;
  fixture_draw (&self, WIDTH, HEIGHT);
  cyc_bar_layout_get_plot (self.layout, &plot);
  g_assert_cmpint (cyc_bar_layout_find (self.layout, plot.x + 1, plot.y + 1).group, ==, 100);
  g_assert_cmpint (cyc_bar_layout_find (self.layout, plot.x + plot.width - 1, plot.y + 1).group, ==, 110);
  /* Not beyond the end. */
  self.chart.first = 1e9;
  fixture_draw (&self, WIDTH, HEIGHT);
  cyc_bar_layout_get_plot (self.layout, &plot);
  g_assert_cmpint (cyc_bar_layout_find (self.layout, plot.x + plot.width - 1, plot.y + 1).group, ==, n - 1);
  fixture_clear (&self);
}

/* The axis makes room for what is written on the bars. */
static void
test_values (void)
{
  const double values[] = { 100, 50 };
  Fixture self = { NULL };

  fixture_init (&self, 2, 1, values);
  fixture_draw (&self, WIDTH, HEIGHT);
  CycPlotRect bar = get_bar (&self, 0, 0), plot;
  cyc_bar_layout_get_plot (self.layout, &plot);
  g_assert_cmpfloat (bar.y - plot.y, >=, 11);
  CycPlotRect text = { bar.x + bar.width / 2 - 10, bar.y - 12, 20, 9 };
  g_assert_true (has_ink (&self, &text));
  self.chart.flags = 0;
  fixture_draw (&self, WIDTH, HEIGHT);
  text.y = get_bar (&self, 0, 0).y - 12;
  cyc_bar_layout_get_plot (self.layout, &plot);
  g_assert_cmpfloat_with_epsilon (get_bar (&self, 0, 0).y, plot.y, 1);
  fixture_clear (&self);
}

static void
test_empty (void)
{
  const double none[] = { NAN, NAN };
  Fixture self = { NULL }, missing = { NULL };

  fixture_init (&self, 0, 0, NULL);
  fixture_draw (&self, WIDTH, HEIGHT);
  g_assert_cmpint (cyc_bar_layout_find (self.layout, 300, 200).group, ==, -1);
  fixture_draw (&self, 1, 1);
  fixture_clear (&self);
  fixture_init (&missing, 2, 1, none);
  fixture_draw (&missing, WIDTH, HEIGHT);
  g_assert_cmpint (cyc_bar_layout_find (missing.layout, 500, 200).group, ==, 1);
  fixture_clear (&missing);
}

/* Hover and focus change only what is around them. */
static void
test_marks (void)
{
  const double values[] = { 100, 37, 80 };
  const CycBarMark mark = { 1, 0 }, outside = { 77, 3 };
  Fixture self = { NULL };

  fixture_init (&self, 3, 1, values);
  fixture_draw (&self, WIDTH, HEIGHT);
  CycPlotRect bar = get_bar (&self, 1, 0), other = get_bar (&self, 0, 0);
  guint32 side = get_pixel (&self, bar.x - 2, bar.y + bar.height / 2);
  guint32 far = get_pixel (&self, other.x - 2, other.y + other.height / 2 + 1);
  cairo_t *cr = cairo_create (self.surface);
  cyc_bar_layout_draw (self.layout, cr, &outside, &outside);
  cyc_bar_layout_draw (self.layout, cr, &mark, &mark);
  cairo_destroy (cr);
  cairo_surface_flush (self.surface);
  g_assert_cmphex (get_pixel (&self, bar.x - 2, bar.y + bar.height / 2), !=, side);
  g_assert_cmphex (get_pixel (&self, other.x - 2, other.y + other.height / 2 + 1), ==, far);
  fixture_clear (&self);
}

/* 5,504 of an axis to 24,332 that counts in thousands is "5.50" there, and not "5.50k". */
static void
test_value_unit (void)
{
  static const double values[] = { 5504, 24332 };
  Fixture self = { 0 };

  fixture_init (&self, 2, 1, values);
  fixture_draw (&self, WIDTH, HEIGHT);
  g_autofree char *small = cyc_bar_layout_dup_value (self.layout, 5504);
  g_autofree char *large = cyc_bar_layout_dup_value (self.layout, 24332);
  g_assert_cmpstr (small, ==, "5.5");
  g_assert_cmpstr (large, ==, "24.3");
  fixture_clear (&self);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plot/bar-chart/bars", test_bars);
  g_test_add_func ("/plot/bar-chart/find", test_find);
  g_test_add_func ("/plot/bar-chart/logarithmic", test_logarithmic);
  g_test_add_func ("/plot/bar-chart/negative", test_negative);
  g_test_add_func ("/plot/bar-chart/labels", test_labels);
  g_test_add_func ("/plot/bar-chart/named", test_named);
  g_test_add_func ("/plot/bar-chart/scrolled", test_scrolled);
  g_test_add_func ("/plot/bar-chart/values", test_values);
  g_test_add_func ("/plot/bar-chart/empty", test_empty);
  g_test_add_func ("/plot/bar-chart/marks", test_marks);
  g_test_add_func ("/plot/bar-chart/value-unit", test_value_unit);
  return g_test_run ();
}
