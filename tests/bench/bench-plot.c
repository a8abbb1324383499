/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <gio/gio.h>
#include <math.h>
#include <time.h>

#include "plot/cyc-bar-export.h"
#include "plot/cyc-sparkline.h"

/* How long painters take for a frame. A frame of a screen lasts 16 ms. */

#define N_SERIES 6
#define WIDTH 1200
#define HEIGHT 700
#define MIN_MS 500

typedef void (*Work) (gpointer data);

typedef struct
{
  CycBarTable  *table;
  CycBarData   *data;
  CycBarChart   chart;
  CycBarLayout *layout;
  cairo_t      *cr;
} Bench;

static double
get_cpu_ms (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

/* Time of the processor, as other programs may run. */
static void
report (const char *what,
        Work        work,
        gpointer    data)
{
  double begin, longest = 0;
  guint n = 0;

  /* The first time fonts are looked up. */
  work (data);
  for (begin = get_cpu_ms (); get_cpu_ms () - begin < MIN_MS || n < 3; n++)
    {
      double from = get_cpu_ms ();
      work (data);
      longest = MAX (longest, get_cpu_ms () - from);
    }
  g_print ("%s: %.2f ms, at most %.2f ms\n", what, (get_cpu_ms () - begin) / n, longest);
}

static CycBarTable *
make_table (guint n,
            guint n_names)
{
  CycBarTable *table = cyc_bar_table_new ("gpu_sim_cycle", "cycles", n);
  g_autofree double *values = g_new (double, n);

  for (guint i = 0; i < n; i++)
    {
      guint k = (guint) (fabs (sin (i * 12.9898)) * n_names);
      g_autofree char *name = g_strdup_printf ("_ZN2at6native9kernel%03uILi%uEfEEvPT0_S1_ii", k % 1000, k);
      cyc_bar_table_set_name (table, i, name);
    }
  for (guint series = 0; series < N_SERIES; series++)
    {
      g_autofree char *name = g_strdup_printf ("SM%u_CONFIG", 70 + series);
      for (guint i = 0; i < n; i++)
        values[i] = i % 97 == 0 ? NAN : 1000 + 50000 * fabs (sin (i * 78.233 + series));
      cyc_bar_table_add_series (table, name, CYC_BAR_SIMULATED, values);
    }
  return table;
}

static void
group_work (gpointer data)
{
  Bench *self = data;

  cyc_bar_data_set_max_groups (self->data, 60, 0);
  cyc_bar_data_set_max_groups (self->data, 61, 0);
  cyc_bar_data_get_traits (self->data);
}

static void
arrange_work (gpointer data)
{
  Bench *self = data;

  g_clear_pointer (&self->layout, cyc_bar_layout_free);
  self->layout = cyc_bar_layout_new (&self->chart, WIDTH, HEIGHT);
}

static void
draw_work (gpointer data)
{
  Bench *self = data;
  const CycBarMark mark = { 3, 2 };

  cyc_bar_layout_draw (self->layout, self->cr, &mark, &mark);
}

static void
frame_work (gpointer data)
{
  arrange_work (data);
  draw_work (data);
}

static void
png_work (gpointer data)
{
  Bench *self = data;
  const CycPlotExport options = { CYC_PLOT_PNG, CYC_PLOT_WHITE, WIDTH, HEIGHT, 2, NULL };

  g_autoptr (GBytes) bytes = cyc_bar_chart_export (&self->chart, &options, NULL);
}

static void
pdf_work (gpointer data)
{
  Bench *self = data;
  const CycPlotExport options = { CYC_PLOT_PDF, CYC_PLOT_WHITE, WIDTH, HEIGHT, 1, NULL };

  g_autoptr (GBytes) bytes = cyc_bar_chart_export (&self->chart, &options, NULL);
}

static void
bench_chart (guint              n,
             guint              n_names,
             CycBarGrouping     grouping,
             const char        *what,
             const CycPlotStyle *style)
{
  Bench self = { NULL };
  g_autoptr (CycPalette) palette = cyc_palette_new ();
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);

  self.table = make_table (n, n_names);
  self.data = cyc_bar_data_new (self.table);
  self.cr = cairo_create (surface);
  cyc_bar_data_set_grouping (self.data, grouping);
  cyc_bar_chart_init (&self.chart, self.data, style, palette);
  g_print ("# %u kernels x %d series, %s\n", n, N_SERIES, what);
  if (grouping == CYC_BAR_AUTO)
    report ("group", group_work, &self);
  report ("arrange", arrange_work, &self);
  report ("draw", draw_work, &self);
  report ("arrange and draw", frame_work, &self);
  if (grouping == CYC_BAR_AUTO)
    {
      report ("PNG at twice the size", png_work, &self);
      report ("PDF", pdf_work, &self);
    }
  cyc_bar_layout_free (self.layout);
  cairo_destroy (self.cr);
  cairo_surface_destroy (surface);
  cyc_bar_data_free (self.data);
  cyc_bar_table_unref (self.table);
}

typedef struct
{
  CycValueRing       *ring;
  const CycPlotStyle *style;
  cairo_t            *cr;
} Spark;

static void
spark_work (gpointer data)
{
  Spark *self = data;

  cyc_value_ring_append (self->ring, g_random_double ());
  cyc_sparkline_draw (self->ring, self->style, 0, "1.42M inst/s", self->cr, 200, 24);
}

int
main (void)
{
  g_autoptr (CycPlotStyle) style = cyc_plot_style_new (CYC_PLOT_LIGHT, NULL, 14);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 200, 24);
  g_autoptr (CycValueRing) ring = cyc_value_ring_new (4096);
  Spark spark = { ring, style, cairo_create (surface) };

  bench_chart (50, 50, CYC_BAR_AUTO, "each launch", style);
  bench_chart (5000, 300, CYC_BAR_AUTO, "by name", style);
  bench_chart (5000, 300, CYC_BAR_LAUNCHES, "as many launches as fit", style);
  bench_chart (200000, 2000, CYC_BAR_AUTO, "by name", style);
  for (guint i = 0; i < 4096; i++)
    cyc_value_ring_append (ring, g_random_double ());
  g_print ("# sparkline of 4096 values in 200 x 24\n");
  report ("append and draw", spark_work, &spark);
  cairo_destroy (spark.cr);
  cairo_surface_destroy (surface);
  return 0;
}
