/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include "display.h"
#include "widgets/cyc-access-view.h"

/* An access plot in a window: keys, texts, colours at places, and what of it is seen. */

#define BLUE 0x2a78d6u
#define ORANGE 0xeb6834u
#define BLOCK 0xdcdcd4u
#define BESIDE 2

enum { X, U, H, V, Y };

static CycAccessTrace *
read_golden (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "data", "golden", "access", name, NULL);
  const char *paths[] = { path, NULL };
  CycAccessOptions options = { NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (CycAccessSpec) spec = cyc_access_spec_read (paths, NULL, &error);

  g_assert_no_error (error);
  CycAccessTrace *trace = cyc_access_trace_new (spec, &options, &error);
  g_assert_no_error (error);
  return trace;
}

static CycAccessTrace *
make_product (guint  size,
              gint64 max_timesteps)
{
  g_autofree char *text = g_strdup_printf (
    "workload:\n  rank_sizes: {M: %u, K: %u, N: %u}\n  einsums:\n  - \"Z[m, n] = A[m, k] * B[k, n]\"\n"
    "mapping:\n  nodes:\n  - !Temporal {rank_variable: m, tile_shape: 1}\n"
    "  - !Storage {tensors: [A], component: Sram}\n  - !Temporal {rank_variable: k, tile_shape: 1}\n"
    "  - !Temporal {rank_variable: n, tile_shape: 1}\n  - !Compute {einsum: Z, component: Mac}\n", size, size, size);
  CycAccessOptions options = { .has_max_timesteps = max_timesteps > 0, .max_timesteps = max_timesteps };
  g_autoptr (GError) error = NULL;
  g_autoptr (CycAccessSpec) spec = cyc_access_spec_read_text ("product", text, strlen (text), NULL, &error);

  g_assert_no_error (error);
  CycAccessTrace *trace = cyc_access_trace_new (spec, &options, &error);
  g_assert_no_error (error);
  return trace;
}

static gboolean
is_drawn (gpointer view)
{
  return cyc_access_view_get_plot (view) != NULL && !cyc_access_view_is_busy (view, NULL);
}

static CycAccessView *
show (CycAccessTrace *trace)
{
  GtkWidget *view = cyc_access_view_new ();

  cyc_access_view_set_trace (CYC_ACCESS_VIEW (view), trace);
  display_show (view, 900, 900);
  gtk_widget_grab_focus (view);
  display_wait (is_drawn, view);
  return CYC_ACCESS_VIEW (view);
}

static void
assert_description (CycAccessView *view,
                    const char    *text)
{
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text);
}

static void
press (CycAccessView   *view,
       guint            key,
       GdkModifierType  modifiers)
{
  display_press (GTK_WIDGET (view), key, modifiers);
}

/* The second example of the format: rows of 4 timesteps, First in the first two of them and Second in the others. */
static void
test_keys (void)
{
  g_autoptr (CycAccessTrace) trace = read_golden ("doc_example2.yaml");
  CycAccessView *view = show (trace);
  double from;
  double to;
  gint64 first;
  gint64 end;

  gtk_test_accessible_assert_role (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_ROLE_IMG);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Access plot of 5 tensors over 16 timesteps");
  press (view, GDK_KEY_Right, 0);
  assert_description (view, "X [ROW 0, IN 0], timestep 0: read by First");
  press (view, GDK_KEY_Right, 0);
  assert_description (view, "X [ROW 0, IN 0], timestep 1: not accessed");
  press (view, GDK_KEY_Up, 0);
  assert_description (view, "X [ROW 0, IN 1], timestep 1: read by First");
  press (view, GDK_KEY_Page_Down, 0);
  press (view, GDK_KEY_Page_Down, 0);
  assert_description (view, "H [ROW 0, MID 1], timestep 1: written by First");
  /* The next access to the same element, the last one, and no more. */
  press (view, GDK_KEY_Right, GDK_CONTROL_MASK);
  assert_description (view, "H [ROW 0, MID 1], timestep 2: read by Second");
  press (view, GDK_KEY_Right, GDK_CONTROL_MASK);
  press (view, GDK_KEY_Right, GDK_CONTROL_MASK);
  assert_description (view, "H [ROW 0, MID 1], timestep 3: read by Second");
  press (view, GDK_KEY_Left, GDK_CONTROL_MASK);
  assert_description (view, "H [ROW 0, MID 1], timestep 2: read by Second");

  /* Shift selects: from timestep 2 on, up to 5. */
  g_assert_false (cyc_access_view_get_range (view, &first, &end));
  for (guint i = 0; i < 3; i++)
    press (view, GDK_KEY_Right, GDK_SHIFT_MASK);
  g_assert_true (cyc_access_view_get_range (view, &first, &end));
  g_assert_cmpint (first, ==, 2);
  g_assert_cmpint (end, ==, 6);
  press (view, GDK_KEY_f, 0);
  cyc_access_view_get_visible (view, &from, &to);
  g_assert_cmpfloat (from, ==, 2);
  g_assert_cmpfloat (to, ==, 6);
  press (view, GDK_KEY_Escape, 0);
  g_assert_false (cyc_access_view_get_range (view, &first, &end));
  press (view, GDK_KEY_0, 0);
  cyc_access_view_get_visible (view, &from, &to);
  g_assert_cmpfloat (to - from, ==, 16);
  press (view, GDK_KEY_w, 0);
  cyc_access_view_get_visible (view, &from, &to);
  g_assert_cmpfloat_with_epsilon (to - from, 12.8, 1e-9);
  press (view, GDK_KEY_s, 0);
  press (view, GDK_KEY_s, 0);
  cyc_access_view_get_visible (view, &from, &to);
  g_assert_cmpfloat (to - from, ==, 16);
  press (view, GDK_KEY_End, 0);
  assert_description (view, "H [ROW 0, MID 1], timestep 15: not accessed");
  /* What is not seen comes into view. */
  cyc_access_view_set_visible (view, 0, 4);
  press (view, GDK_KEY_Left, 0);
  cyc_access_view_get_visible (view, &from, &to);
  g_assert_cmpfloat (to, ==, 15);
  display_close (GTK_WIDGET (view));
}

/* y is one panel's own, x is everybody's. */
static void
test_elements (void)
{
  g_autoptr (CycAccessTrace) trace = read_golden ("doc_example2.yaml");
  CycAccessView *view = show (trace);
  double low;
  double high;
  double x;
  double y;

  cyc_access_view_set_focus (view, H, 5, 4);
  press (view, GDK_KEY_w, GDK_SHIFT_MASK);
  cyc_access_view_get_visible_y (view, H, &low, &high);
  g_assert_cmpfloat_with_epsilon (high - low, 12 / 1.25, 1e-9);
  cyc_access_view_get_visible_y (view, X, &low, &high);
  g_assert_cmpfloat (high - low, ==, 8);
  cyc_access_view_set_visible_y (view, H, 3, 6);
  g_assert_true (cyc_access_view_get_place (view, H, 4, 3, &x, &y));
  g_assert_false (cyc_access_view_get_place (view, H, 4, 2, &x, &y));
  cyc_access_view_set_focus (view, H, 4, 0);
  cyc_access_view_get_visible_y (view, H, &low, &high);
  g_assert_cmpfloat (low, ==, 0);
  cyc_access_view_show_all (view);
  cyc_access_view_get_visible_y (view, H, &low, &high);
  g_assert_cmpfloat (high, ==, 12);

  /* By rank: rows of H are 0 to 3, and U has none. */
  cyc_access_view_set_rank (view, "ROW");
  display_wait (is_drawn, view);
  cyc_access_view_get_visible_y (view, H, &low, &high);
  g_assert_cmpfloat (high, ==, 4);
  cyc_access_view_get_visible_y (view, U, &low, &high);
  g_assert_cmpfloat (high, ==, 6);
  cyc_access_view_set_focus (view, H, 6, 1);
  assert_description (view, "H [ROW 1], timestep 6: read by Second");
  display_close (GTK_WIDGET (view));
}

/* Pixels of a picture of the widget. */
typedef struct
{
  guint8 *bytes;
  int     width;
  int     height;
} Pixels;

static Pixels
take_pixels (CycAccessView *view)
{
  g_autoptr (GdkTexture) texture = display_picture (GTK_WIDGET (view));
  Pixels pixels = { NULL, gdk_texture_get_width (texture), gdk_texture_get_height (texture) };

  pixels.bytes = g_malloc ((gsize) pixels.width * (gsize) pixels.height * 4);
  gdk_texture_download (texture, pixels.bytes, (gsize) pixels.width * 4);
  return pixels;
}

/* Beside the middle, where a line of the grid may be. */
static guint32
get_pixel (const Pixels  *pixels,
           CycAccessView *view,
           guint          panel,
           gint64         timestep,
           gint64         y)
{
  double at_x;
  double at_y;

  g_assert_true (cyc_access_view_get_place (view, panel, timestep, y, &at_x, &at_y));
  gsize place = ((gsize) (at_y + BESIDE) * (gsize) pixels->width + (gsize) (at_x + BESIDE)) * 4;
  const guint32 *pixel = (gconstpointer) (pixels->bytes + place);
  return *pixel & 0xffffff;
}

static void
test_colours (void)
{
  g_autoptr (CycAccessTrace) trace = read_golden ("doc_example2.yaml");
  CycAccessView *view = show (trace);

  cyc_access_view_set_level (view, "Sram");
  display_wait (is_drawn, view);
  Pixels pixels = take_pixels (view);
  display_keep_picture (GTK_WIDGET (view), "access-view");
  /* First is blue, Second orange; X is read in rows of two. */
  g_assert_cmphex (get_pixel (&pixels, view, X, 0, 0), ==, BLUE);
  g_assert_cmphex (get_pixel (&pixels, view, X, 5, 3), ==, BLUE);
  g_assert_cmphex (get_pixel (&pixels, view, H, 4, 3), ==, BLUE);
  g_assert_cmphex (get_pixel (&pixels, view, H, 6, 5), ==, ORANGE);
  g_assert_cmphex (get_pixel (&pixels, view, Y, 7, 3), ==, ORANGE);
  g_assert_cmphex (get_pixel (&pixels, view, X, 4, 0), !=, BLUE);
  /* V is in Sram while Second works: the first column of it is not used in the second timestep, but held. */
  g_assert_cmphex (get_pixel (&pixels, view, V, 2, 0), ==, ORANGE);
  g_assert_cmphex (get_pixel (&pixels, view, V, 2, 1), ==, BLOCK);
  g_assert_cmphex (get_pixel (&pixels, view, V, 3, 1), ==, ORANGE);
  g_assert_cmphex (get_pixel (&pixels, view, V, 3, 0), ==, BLOCK);
  g_assert_cmphex (get_pixel (&pixels, view, V, 4, 0), !=, BLOCK);
  g_free (pixels.bytes);
  CycAccessSpot held = { V, -1, 2, 1 };
  CycAccessSpot free_spot = { V, -1, 4, 1 };
  g_assert_true (cyc_access_view_is_on_tile (view, &held));
  g_assert_false (cyc_access_view_is_on_tile (view, &free_spot));

  /* Reads are blue, writes orange, whoever makes them. */
  cyc_access_view_set_colour (view, CYC_ACCESS_BY_ACCESS);
  display_wait (is_drawn, view);
  pixels = take_pixels (view);
  g_assert_cmphex (get_pixel (&pixels, view, H, 4, 3), ==, ORANGE);
  g_assert_cmphex (get_pixel (&pixels, view, H, 6, 5), ==, BLUE);
  g_free (pixels.bytes);
  display_close (GTK_WIDGET (view));
}

/* The picture of a file, made with what the view says that it shows, has the same colours at the same places. */
static void
test_file (void)
{
  g_autoptr (CycAccessTrace) trace = read_golden ("doc_example2.yaml");
  CycAccessView *view = show (trace);
  CycAccessPlotParams params;
  CycAccessYRange ys[5];
  CycAccessWork work = { 2 };
  g_autoptr (GError) error = NULL;
  static const struct
  {
    guint  panel;
    gint64 timestep;
    gint64 y;
  } places[] = {
    { X, 4, 2 }, { X, 5, 3 }, { X, 4, 3 }, { H, 4, 4 }, { H, 6, 4 }, { V, 6, 0 }, { V, 6, 1 }, { V, 7, 1 }, { Y, 6, 2 },
  };

  cyc_access_view_set_level (view, "Sram");
  cyc_access_view_set_visible (view, 2, 10);
  cyc_access_view_set_visible_y (view, H, 2, 8);
  display_wait (is_drawn, view);
  Pixels pixels = take_pixels (view);
  cyc_access_view_get_params (view, &params, ys);
  g_assert_cmpint (params.from, ==, 2);
  g_assert_cmpint (params.to, ==, 10);
  g_autoptr (CycAccessPlot) plot = cyc_access_plot_new (trace->plan, &params, &work, &error);
  g_assert_no_error (error);
  int height = 200 * (int) cyc_access_plot_get_rows (plot) + 60;
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 650, height);
  cairo_t *cr = cairo_create (surface);
  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  cyc_access_plot_paint (cr, 650, height, plot);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      double x;
      double y;
      guint32 seen = get_pixel (&pixels, view, places[i].panel, places[i].timestep, places[i].y);
      g_assert_true (cyc_access_plot_get_point (plot, places[i].panel, (double) places[i].timestep,
                                                (double) places[i].y, &x, &y));
      const unsigned char *row = cairo_image_surface_get_data (surface)
                                 + (int) (y * height + BESIDE) * cairo_image_surface_get_stride (surface);
      guint32 written = ((const guint32 *) (gconstpointer) row)[(int) (x * 650 + BESIDE)] & 0xffffff;
      gboolean marked = written == BLUE || written == ORANGE || written == BLOCK;
      if (marked || seen == BLUE || seen == ORANGE || seen == BLOCK)
        g_assert_cmphex (seen, ==, written);
    }
  cairo_surface_destroy (surface);
  g_free (pixels.bytes);
  display_close (GTK_WIDGET (view));
}

/* 216,000 timesteps: what is closer than pixels is counted, and what is looked at closely is not. */
static void
test_dense (void)
{
  g_autoptr (CycAccessTrace) trace = make_product (60, 0);
  CycAccessView *view = show (trace);
  CycAccessSpot spot = { 0, -1, 1000, 16 };

  g_assert_true (cyc_access_plot_is_shaded (cyc_access_view_get_plot (view), 0));
  g_autofree char *text = cyc_access_view_dup_text (view, &spot);
  g_assert_nonnull (strstr (text, "accesses around here"));
  g_assert_true (g_str_has_prefix (text, "A [M 0, K 16], timestep 1,000: "));
  cyc_access_view_set_visible (view, 960, 980);
  cyc_access_view_set_visible_y (view, 0, 10, 30);
  display_wait (is_drawn, view);
  g_assert_false (cyc_access_plot_is_shaded (cyc_access_view_get_plot (view), 0));
  /* Timestep 960 is m 0, k 16, n 0. */
  CycAccessSpot close = { 0, -1, 960, 16 };
  g_autofree char *exact = cyc_access_view_dup_text (view, &close);
  g_assert_cmpstr (exact, ==, "A [M 0, K 16], timestep 960: read by Z");
  display_close (GTK_WIDGET (view));
}

/* Row 0 of A is read in each of the first 160,000 timesteps: the last of them is the next one before, however many
 * there are. */
static void
test_far (void)
{
  g_autoptr (CycAccessTrace) trace = make_product (400, 400000);
  CycAccessView *view = show (trace);
  CycAccessSpot spot;

  cyc_access_view_set_rank (view, "M");
  display_wait (is_drawn, view);
  cyc_access_view_set_focus (view, 0, 300000, 0);
  press (view, GDK_KEY_Left, GDK_CONTROL_MASK);
  g_assert_true (cyc_access_view_get_focus (view, &spot));
  g_assert_cmpint (spot.timestep, ==, 159999);
  press (view, GDK_KEY_Left, GDK_CONTROL_MASK);
  g_assert_true (cyc_access_view_get_focus (view, &spot));
  g_assert_cmpint (spot.timestep, ==, 159998);
  press (view, GDK_KEY_Right, GDK_CONTROL_MASK);
  press (view, GDK_KEY_Right, GDK_CONTROL_MASK);
  g_assert_true (cyc_access_view_get_focus (view, &spot));
  g_assert_cmpint (spot.timestep, ==, 159999);
  display_close (GTK_WIDGET (view));
}

/* A picture of a thousand million points is stopped, and made in the end, while the window goes on. */
static void
test_large (void)
{
  g_autoptr (CycAccessTrace) trace = make_product (1000, 0);
  GtkWidget *widget = cyc_access_view_new ();
  CycAccessView *view = CYC_ACCESS_VIEW (widget);

  display_show (widget, 900, 600);
  cyc_access_view_set_trace (view, trace);
  g_assert_true (cyc_access_view_is_busy (view, NULL));
  cyc_access_view_stop (view);
  g_assert_false (cyc_access_view_is_busy (view, NULL));
  cyc_access_view_draw_again (view);
  display_wait (is_drawn, view);
  g_assert_no_error (cyc_access_view_get_error (view));
  CycAccessPlace place = { 2, 500000000, 500000 };
  g_assert_cmpuint (cyc_access_plot_count (cyc_access_view_get_plot (view), &place), >, 0);
  CycAccessPlace empty = { 2, 500000000, 1000 };
  g_assert_cmpuint (cyc_access_plot_count (cyc_access_view_get_plot (view), &empty), ==, 0);
  display_close (GTK_WIDGET (view));
}

/* A range of a mapping that got shorter ends where that does. */
static void
test_shorter (void)
{
  g_autoptr (CycAccessTrace) whole = make_product (60, 0);
  g_autoptr (CycAccessTrace) shorter = make_product (60, 150);
  g_autoptr (CycAccessTrace) shortest = make_product (60, 100);
  CycAccessView *view = show (whole);
  gint64 from;
  gint64 to;

  cyc_access_view_set_range (view, 100, 200);
  cyc_access_view_set_trace (view, shorter);
  g_assert_true (cyc_access_view_get_range (view, &from, &to));
  g_assert_cmpint (from, ==, 100);
  g_assert_cmpint (to, ==, 150);
  cyc_access_view_set_trace (view, shortest);
  g_assert_false (cyc_access_view_get_range (view, &from, &to));
  display_close (GTK_WIDGET (view));
}

/* Two on one scale. */
static void
test_scale (void)
{
  g_autoptr (CycAccessTrace) trace = read_golden ("doc_example2.yaml");
  CycAccessView *view = show (trace);
  double from;
  double to;
  double x;
  double y;
  double before;

  g_assert_true (cyc_access_view_get_place (view, X, 15, 0, &before, &y));
  cyc_access_view_set_scale (view, 32);
  cyc_access_view_get_visible (view, &from, &to);
  g_assert_cmpfloat (to, ==, 32);
  display_wait (is_drawn, view);
  g_assert_true (cyc_access_view_get_place (view, X, 15, 0, &x, &y));
  g_assert_cmpfloat (x, <, before * 0.6);
  cyc_access_view_set_scale (view, 0);
  cyc_access_view_get_visible (view, &from, &to);
  g_assert_cmpfloat (to, ==, 16);
  display_close (GTK_WIDGET (view));
}

int
main (int    argc,
      char **argv)
{
  display_init (&argc, &argv);
  g_test_add_func ("/widgets/access-view/keys", test_keys);
  g_test_add_func ("/widgets/access-view/elements", test_elements);
  g_test_add_func ("/widgets/access-view/colours", test_colours);
  g_test_add_func ("/widgets/access-view/file", test_file);
  g_test_add_func ("/widgets/access-view/dense", test_dense);
  g_test_add_func ("/widgets/access-view/far", test_far);
  g_test_add_func ("/widgets/access-view/large", test_large);
  g_test_add_func ("/widgets/access-view/shorter", test_shorter);
  g_test_add_func ("/widgets/access-view/scale", test_scale);
  return g_test_run ();
}
