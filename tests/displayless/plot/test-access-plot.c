/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include "core/base/cyc-error.h"
#include "plot/cyc-access-plot.h"
#include "plot/cyc-plot-export.h"

/* Places and colours of the plot, at pixels of an image. */

#define BLUE 0x2a78d6u
#define ORANGE 0xeb6834u
#define BLOCK 0xdcdcd4u
#define WHITE 0xffffffu

/* Two steps of A and Z, a tile in Sram each; 4 elements. */
static const char text[] =
  "workload:\n"
  "  rank_sizes: {I: 4}\n"
  "  einsums:\n"
  "  - Z[i] = A[i]\n"
  "mapping:\n"
  "  nodes:\n"
  "  - !Storage {tensors: [A, Z], component: Dram}\n"
  "  - !Temporal {rank_variable: i, tile_shape: 2}\n"
  "  - !Storage {tensors: [Z], component: Sram}\n"
  "  - !Temporal {rank_variable: i, tile_shape: 1}\n"
  "  - !Compute {einsum: Z, component: Mac}\n";

typedef struct
{
  CycAccessSpec   *spec;
  CycAccessPlan   *plan;
  CycAccessPlot   *plot;
  cairo_surface_t *surface;
} Drawing;

static void
drawing_clear (Drawing *self)
{
  cairo_surface_destroy (self->surface);
  cyc_access_plot_free (self->plot);
  cyc_access_plan_free (self->plan);
  cyc_access_spec_free (self->spec);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Drawing, drawing_clear)

static Drawing
draw (const char                *spec,
      const CycAccessPlotParams *params,
      GError                   **error)
{
  Drawing self = { NULL };
  CycAccessOptions options = { NULL };
  CycAccessWork work = { 2 };

  self.spec = cyc_access_spec_read_text ("spec", spec, strlen (spec), NULL, error);
  g_assert_nonnull (self.spec);
  self.plan = cyc_access_plan_new (self.spec, &options, error);
  g_assert_nonnull (self.plan);
  self.plot = cyc_access_plot_new (self.plan, params, &work, error);
  if (self.plot == NULL)
    return self;
  int height = 200 * (int) cyc_access_plot_get_rows (self.plot) + 60;
  self.surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 650, height);
  cairo_t *cr = cairo_create (self.surface);
  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  cyc_access_plot_paint (cr, 650, height, self.plot);
  cairo_destroy (cr);
  cairo_surface_flush (self.surface);
  return self;
}

/* The colour at a place of a panel, @right and @down pixels beside it. */
static guint32
get_pixel (const Drawing *self,
           guint          panel,
           double         timestep,
           double         y,
           double         right,
           double         down)
{
  double at_x;
  double at_y;

  g_assert_true (cyc_access_plot_get_point (self->plot, panel, timestep, y, &at_x, &at_y));
  int column = (int) floor (at_x * 650 + right);
  int row = (int) floor (at_y * cairo_image_surface_get_height (self->surface) + down);
  const unsigned char *bytes = cairo_image_surface_get_data (self->surface);
  const guint32 *line = (gconstpointer) (bytes + row * cairo_image_surface_get_stride (self->surface));
  return line[column] & 0xffffff;
}

#define assert_pixel(pixel, colour) g_assert_cmphex (pixel, ==, colour)

static void
test_markers (void)
{
  CycAccessPlotParams params = { NULL, CYC_ACCESS_BY_ACCESS, NULL, NULL, 1, 100 };
  g_autoptr (GError) error = NULL;
  g_auto (Drawing) drawing = draw (text, &params, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (cyc_access_plot_get_rows (drawing.plot), ==, 2);
  for (guint t = 0; t < 4; t++)
    {
      assert_pixel (get_pixel (&drawing, 0, t, t, 0, 0), BLUE);
      assert_pixel (get_pixel (&drawing, 1, t, t, 0, 0), ORANGE);
    }
  /* 6 points are 8.3 pixels: near its corner a square is filled and a circle is not. */
  assert_pixel (get_pixel (&drawing, 1, 1, 1, 2.4, -2.4), ORANGE);
  g_assert_cmphex (get_pixel (&drawing, 0, 1, 1, 3.4, -3.4), !=, BLUE);
  assert_pixel (get_pixel (&drawing, 0, 1, 1, 2.4, 0), BLUE);
  assert_pixel (get_pixel (&drawing, 0, 1, 1, 7, 7), WHITE);
  assert_pixel (get_pixel (&drawing, 0, 0.5, 1.5, 0, 0), WHITE);
}

/* Blocks of Z: [0, 2) of elements 0 and 1, [2, 4) of 2 and 3; each half a step and half an element around them. */
static void
test_level (void)
{
  CycAccessPlotParams params = { NULL, CYC_ACCESS_BY_EINSUM, NULL, "Sram", 1, 100 };
  g_autoptr (GError) error = NULL;
  g_auto (Drawing) drawing = draw (text, &params, &error);

  g_assert_no_error (error);
  assert_pixel (get_pixel (&drawing, 1, 0.5, 0.5, 0, 0), BLOCK);
  assert_pixel (get_pixel (&drawing, 1, -0.5, -0.5, 3, -3), BLOCK);
  assert_pixel (get_pixel (&drawing, 1, 1.5, 1.5, -3, 3), BLOCK);
  assert_pixel (get_pixel (&drawing, 1, 1.5, 1.5, 3, 3), WHITE);
  assert_pixel (get_pixel (&drawing, 1, 1.5, 1.5, -3, -3), WHITE);
  assert_pixel (get_pixel (&drawing, 1, 1.5, 1.5, 3, -3), BLOCK);
  assert_pixel (get_pixel (&drawing, 1, 3.5, 3.5, -3, 3), BLOCK);
  /* A has none, and the write of the same Einsum has its colour. */
  assert_pixel (get_pixel (&drawing, 0, 0.5, 0.5, 0, 0), WHITE);
  assert_pixel (get_pixel (&drawing, 1, 0, 0, 0, 0), BLUE);
}

/* 250,000 accesses of A: every element in every row of time, so that all pixels are full. */
static void
test_shading (void)
{
  static const char large[] =
    "workload:\n  rank_sizes: {I: 500, J: 500}\n  einsums:\n  - \"Z[i, j] = A[i, j]\"\nmapping:\n  nodes:\n"
    "  - !Temporal {rank_variable: i, tile_shape: 1}\n  - !Compute {einsum: Z, component: Mac}\n";
  const char *tensors[] = { "A", NULL };
  CycAccessPlotParams params = { tensors, CYC_ACCESS_BY_EINSUM, "J", NULL, 1, 100 };
  g_autoptr (GError) error = NULL;
  g_auto (Drawing) drawing = draw (large, &params, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (cyc_access_plot_get_rows (drawing.plot), ==, 1);
  for (guint t = 50; t < 500; t += 50)
    for (guint y = 50; y < 500; y += 50)
      g_assert_cmphex (get_pixel (&drawing, 0, t, y, 0, 0), !=, WHITE);
  /* By element it is a diagonal. */
  params.rank = NULL;
  g_auto (Drawing) diagonal = draw (large, &params, &error);
  g_assert_no_error (error);
  g_assert_cmphex (get_pixel (&diagonal, 0, 250, 125250, 0, 0), !=, WHITE);
  assert_pixel (get_pixel (&diagonal, 0, 125, 187000, 1, 1), WHITE);
}

static void
test_refused (void)
{
  const char *missing[] = { "B", NULL };
  CycAccessPlotParams params = { missing, CYC_ACCESS_BY_EINSUM, NULL, NULL, 1, 100 };
  g_autoptr (GError) error = NULL;
  g_auto (Drawing) first = draw (text, &params, &error);

  g_assert_error (error, CYC_ERROR, CYC_ERROR_VALUE);
  g_assert_cmpstr (error->message, ==, "tensor 'B' has no accesses");
  g_clear_error (&error);
  params.tensors = NULL;
  params.level = "Glb";
  g_auto (Drawing) second = draw (text, &params, &error);
  g_assert_cmpstr (error->message, ==, "memory level 'Glb' holds none of the plotted tensors");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plot/access/markers", test_markers);
  g_test_add_func ("/plot/access/level", test_level);
  g_test_add_func ("/plot/access/shading", test_shading);
  g_test_add_func ("/plot/access/refused", test_refused);
  return g_test_run ();
}
