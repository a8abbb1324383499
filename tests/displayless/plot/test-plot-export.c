/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <cairo.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

#include "core/base/cyc-error.h"
#include "plot/cyc-bar-export.h"

typedef struct
{
  CycBarData   *data;
  CycPlotStyle *style;
  CycPalette   *palette;
  CycBarChart   chart;
  char         *folder;
} Fixture;

static void
fixture_init (Fixture *self,
              guint    n)
{
  g_autoptr (CycBarTable) table = cyc_bar_table_new ("gpu_sim_cycle", "cycles", n);
  g_autofree double *values = g_new (double, n);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("kernel%u", i);
      cyc_bar_table_set_name (table, i, name);
      values[i] = 10 + i;
    }
  cyc_bar_table_add_series (table, "SM7_QV100", CYC_BAR_SIMULATED, values);
  self->data = cyc_bar_data_new (table);
  self->style = cyc_plot_style_new (CYC_PLOT_DARK, NULL, 13);
  self->palette = cyc_palette_new ();
  cyc_bar_chart_init (&self->chart, self->data, self->style, self->palette);
  self->chart.title = "Cycles & more";
  self->folder = g_dir_make_tmp ("cyc-plot-XXXXXX", &error);
  g_assert_no_error (error);
}

static void
fixture_clear (Fixture *self)
{
  cyc_bar_data_free (self->data);
  cyc_plot_style_free (self->style);
  cyc_palette_free (self->palette);
  g_assert_cmpint (g_rmdir (self->folder), ==, 0);
  g_free (self->folder);
}

static cairo_status_t
read_cb (void          *closure,
         unsigned char *data,
         unsigned int   length)
{
  GInputStream *stream = closure;
  gsize n;

  g_input_stream_read_all (stream, data, length, &n, NULL, NULL);
  return n == length ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_READ_ERROR;
}

static guint32
get_pixel (cairo_surface_t *surface,
           int              x,
           int              y)
{
  guint32 pixel;

  memcpy (&pixel, cairo_image_surface_get_data (surface) + y * cairo_image_surface_get_stride (surface) + 4 * x, 4);
  return pixel;
}

static void
test_png (void)
{
  Fixture self;
  g_autoptr (GError) error = NULL;
  CycPlotExport options = { CYC_PLOT_PNG, CYC_PLOT_WHITE, 400, 300, 2, NULL };

  fixture_init (&self, 3);
  for (CycPlotGround ground = CYC_PLOT_WHITE; ground <= CYC_PLOT_TRANSPARENT; ground++)
    {
      options.ground = ground;
      g_autoptr (GBytes) bytes = cyc_bar_chart_export (&self.chart, &options, &error);
      g_assert_no_error (error);
      g_autoptr (GInputStream) stream = g_memory_input_stream_new_from_bytes (bytes);
      cairo_surface_t *surface = cairo_image_surface_create_from_png_stream (read_cb, stream);
      g_assert_cmpint (cairo_surface_status (surface), ==, CAIRO_STATUS_SUCCESS);
      g_assert_cmpint (cairo_image_surface_get_width (surface), ==, 800);
      g_assert_cmpint (cairo_image_surface_get_height (surface), ==, 600);
      g_assert_cmphex (get_pixel (surface, 799, 0), ==, ground == CYC_PLOT_WHITE ? 0xffffffff : 0);
      /* The style is a dark one; on paper the colours are those for paper. */
      guint32 expected = ground == CYC_PLOT_WHITE ? 0xff0072b2 : 0xff3d9be0;
      guint n = 0;
      for (int y = 0; y < 600; y++)
        for (int x = 0; x < 800; x++)
          n += get_pixel (surface, x, y) == expected;
      g_assert_cmpuint (n, >, 2000);
      cairo_surface_destroy (surface);
    }
  fixture_clear (&self);
}

static void
test_vectors (void)
{
  Fixture self;
  g_autoptr (GError) error = NULL;
  CycPlotExport options = { CYC_PLOT_SVG, CYC_PLOT_WHITE, 400, 300, 1, NULL };
  gsize size;

  fixture_init (&self, 3);
  g_autoptr (GBytes) svg = cyc_bar_chart_export (&self.chart, &options, &error);
  g_assert_no_error (error);
  const char *text = g_bytes_get_data (svg, &size);
  g_autofree char *copy = g_strndup (text, size);
  g_assert_nonnull (strstr (copy, "<svg "));
  g_assert_nonnull (strstr (copy, "viewBox=\"0 0 400 300\""));
  g_assert_true (g_str_has_suffix (copy, "</svg>\n"));
  /* Nothing in it is made of pixels. */
  g_assert_null (strstr (copy, "<image"));
  options.format = CYC_PLOT_PDF;
  g_autoptr (GBytes) pdf = cyc_bar_chart_export (&self.chart, &options, &error);
  g_assert_no_error (error);
  text = g_bytes_get_data (pdf, &size);
  g_assert_cmpuint (size, >, 1000);
  g_assert_cmpint (memcmp (text, "%PDF-", 5), ==, 0);
  g_assert_nonnull (memmem (text, size, "/MediaBox [ 0 0 300 225 ]", 25));
  g_assert_nonnull (memmem (text, size, "(Cycles & more)", 15));
  fixture_clear (&self);
}

static void
test_refused (void)
{
  static const struct { double width; double height; double scale; const char *says; } cases[] = {
    { 0, 300, 1, "no area" }, { 400, -1, 1, "no area" }, { 400, 300, 0, "no area" },
    { 40000, 300, 1, "too large" }, { 20000, 20000, 1, "too large" }, { 400, 300, 1e6, "too large" },
  };
  Fixture self;
  g_autoptr (GError) error = NULL;

  fixture_init (&self, 300);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      CycPlotExport options = { CYC_PLOT_PNG, CYC_PLOT_WHITE, cases[i].width, cases[i].height, cases[i].scale };
      cyc_bar_data_set_grouping (self.data, CYC_BAR_AUTO);
      g_assert_null (cyc_bar_chart_export (&self.chart, &options, &error));
      g_assert_error (error, CYC_ERROR, CYC_ERROR_VALUE);
      g_assert_nonnull (strstr (error->message, cases[i].says));
      g_clear_error (&error);
    }
  /* What does not fit is not left out in silence. */
  CycPlotExport options = { CYC_PLOT_PNG, CYC_PLOT_WHITE, 400, 300, 1, NULL };
  cyc_bar_data_set_grouping (self.data, CYC_BAR_LAUNCHES);
  g_assert_null (cyc_bar_chart_export (&self.chart, &options, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_VALUE);
  g_assert_true (g_str_has_prefix (error->message, "300 groups of 1 bars need a picture at least 15"));
  g_clear_error (&error);
  options.width = 1600;
  g_autoptr (GBytes) wide = cyc_bar_chart_export (&self.chart, &options, &error);
  g_assert_no_error (error);
  /* Grouped, it fits. */
  options.width = 400;
  cyc_bar_data_set_grouping (self.data, CYC_BAR_AUTO);
  cyc_bar_data_set_max_groups (self.data, 400, 0);
  g_autoptr (GBytes) grouped = cyc_bar_chart_export (&self.chart, &options, &error);
  g_assert_no_error (error);
  fixture_clear (&self);
}

typedef struct
{
  gboolean  done;
  gboolean  ok;
  GError   *error;
} Answer;

static void
exported_cb (GObject      *source,
             GAsyncResult *result,
             gpointer      user_data)
{
  Answer *answer = user_data;

  answer->ok = cyc_bar_chart_export_finish (result, &answer->error);
  answer->done = TRUE;
}

static void
test_file (void)
{
  Fixture self;
  CycPlotExport options = { CYC_PLOT_PNG, CYC_PLOT_WHITE, 400, 300, 1, NULL };
  Answer answer = { FALSE }, refused = { FALSE };
  g_autofree char *text = NULL;
  gsize size;

  fixture_init (&self, 3);
  g_autofree char *path = g_build_filename (self.folder, "chart.png", NULL);
  cyc_bar_chart_export_async (&self.chart, path, &options, NULL, exported_cb, &answer);
  /* It has a copy: the chart may change meanwhile. */
  cyc_bar_data_set_grouping (self.data, CYC_BAR_NAMES);
  while (!answer.done)
    g_main_context_iteration (NULL, TRUE);
  g_assert_no_error (answer.error);
  g_assert_true (answer.ok);
  g_assert_true (g_file_get_contents (path, &text, &size, NULL));
  g_assert_cmpint (memcmp (text, "\x89PNG", 4), ==, 0);

  g_autofree char *nowhere = g_build_filename (self.folder, "none", "chart.png", NULL);
  cyc_bar_chart_export_async (&self.chart, nowhere, &options, NULL, exported_cb, &refused);
  while (!refused.done)
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (refused.ok);
  g_assert_true (g_str_has_prefix (refused.error->message, nowhere));
  g_clear_error (&refused.error);
  g_assert_cmpint (g_remove (path), ==, 0);
  fixture_clear (&self);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plot/export/png", test_png);
  g_test_add_func ("/plot/export/vectors", test_vectors);
  g_test_add_func ("/plot/export/refused", test_refused);
  g_test_add_func ("/plot/export/file", test_file);
  return g_test_run ();
}
