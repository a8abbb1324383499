/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <gdk-pixbuf/gdk-pixbuf.h>

/* The drawings of the application, as a desktop would load them. */

static char *
get_path (const char *name)
{
  g_autofree char *file = g_strconcat (CYC_APP_ID, name, NULL);

  return g_test_build_filename (G_TEST_DIST, "..", "data", "icons", file, NULL);
}

static GdkPixbuf *
load (const char *name,
      int         size)
{
  g_autofree char *path = get_path (name);
  g_autoptr (GError) error = NULL;
  GdkPixbuf *pixbuf = gdk_pixbuf_new_from_file_at_size (path, size, size, &error);

  g_assert_no_error (error);
  g_assert_cmpint (gdk_pixbuf_get_width (pixbuf), ==, size);
  g_assert_cmpint (gdk_pixbuf_get_height (pixbuf), ==, size);
  g_assert_true (gdk_pixbuf_get_has_alpha (pixbuf));
  return pixbuf;
}

static const guint8 *
get_pixel (GdkPixbuf *pixbuf,
           int        x,
           int        y)
{
  return gdk_pixbuf_read_pixels (pixbuf) + y * gdk_pixbuf_get_rowstride (pixbuf) + x * 4;
}

/* The part of the picture's pixels for which @matches holds, in percent. */
static int
get_share (GdkPixbuf *pixbuf,
           gboolean (*matches) (const guint8 *pixel))
{
  int width = gdk_pixbuf_get_width (pixbuf), height = gdk_pixbuf_get_height (pixbuf);
  int n = 0;

  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      n += matches (get_pixel (pixbuf, x, y));
  return n * 100 / (width * height);
}

static gboolean
is_opaque (const guint8 *pixel)
{
  return pixel[3] > 200;
}

static gboolean
is_body (const guint8 *pixel)
{
  return pixel[3] > 200 && pixel[2] > 180 && pixel[0] < 130;
}

static gboolean
is_screen (const guint8 *pixel)
{
  return pixel[3] > 200 && pixel[0] < 90 && pixel[1] < 90 && pixel[2] < 100;
}

static gboolean
is_trace (const guint8 *pixel)
{
  return pixel[3] > 200 && pixel[1] > 190 && pixel[0] < 150 && pixel[2] < 190;
}

/* At every size the chip, the screen and the trace on it can be told apart. */
static void
test_scalable (void)
{
  static const int sizes[] = { 16, 32, 48, 128, 256, 512 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (GdkPixbuf) pixbuf = load (".svg", sizes[i]);
      g_assert_cmpint (get_pixel (pixbuf, 0, 0)[3], ==, 0);
      g_assert_cmpint (get_pixel (pixbuf, sizes[i] - 1, sizes[i] - 1)[3], ==, 0);
      g_assert_cmpint (get_share (pixbuf, is_opaque), >, 50);
      g_assert_cmpint (get_share (pixbuf, is_body), >, 15);
      g_assert_cmpint (get_share (pixbuf, is_screen), >, 8);
      g_assert_cmpint (get_share (pixbuf, is_trace), >, 3);
    }
}

/* GTK gives fills its own colour, and draws strokes not at all. */
static void
test_symbolic (void)
{
  g_autofree char *path = get_path ("-symbolic.svg");
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  g_assert_null (strstr (text, "stroke"));
  g_assert_null (strstr (text, "style"));
  g_assert_nonnull (strstr (text, "fill=\"#2e3436\""));
  g_assert_nonnull (strstr (text, "viewBox=\"0 0 16 16\""));

  g_autoptr (GdkPixbuf) pixbuf = load ("-symbolic.svg", 16);
  int share = get_share (pixbuf, is_opaque);
  g_assert_cmpint (share, >, 20);
  g_assert_cmpint (share, <, 70);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/data/icons/scalable", test_scalable);
  g_test_add_func ("/data/icons/symbolic", test_symbolic);
  return g_test_run ();
}
