/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include "display.h"
#include "widgets/cyc-sparkline-view.h"

static void
test_live (void)
{
  GtkWidget *widget = cyc_sparkline_view_new ("Simulation rate", "inst/s", 30);
  CycSparklineView *view = CYC_SPARKLINE_VIEW (widget);

  display_show (widget, 240, 40);
  gtk_test_accessible_assert_role (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_ROLE_METER);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, "Simulation rate");
  g_assert_cmpstr (cyc_sparkline_view_get_text (view), ==, "–");
  g_autoptr (GdkTexture) empty = display_picture (widget);
  for (guint i = 0; i < 100; i++)
    cyc_sparkline_view_append (view, i < 50 ? 1e9 : 1000 + 10 * i);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_VALUE_NOW, 1990.0);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_VALUE_MAX, 1990.0);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, "1.99k inst/s");
  g_assert_cmpstr (cyc_sparkline_view_get_text (view), ==, "1.99k inst/s");
  g_autoptr (GdkTexture) filled = display_picture (widget);
  display_keep_picture (widget, "sparkline");
  g_autoptr (GBytes) before = gdk_texture_save_to_png_bytes (empty);
  g_autoptr (GBytes) after = gdk_texture_save_to_png_bytes (filled);
  g_assert_false (g_bytes_equal (before, after));
  /* A gap says that there is no value now. */
  cyc_sparkline_view_append (view, NAN);
  g_assert_cmpstr (cyc_sparkline_view_get_text (view), ==, "–");
  cyc_sparkline_view_clear (view);
  g_autoptr (GdkTexture) cleared = display_picture (widget);
  g_autoptr (GBytes) again = gdk_texture_save_to_png_bytes (cleared);
  g_assert_true (g_bytes_equal (before, again));
  gtk_window_destroy (GTK_WINDOW (gtk_widget_get_root (widget)));
}

int
main (int    argc,
      char **argv)
{
  display_init (&argc, &argv);
  g_test_add_func ("/widgets/sparkline-view/live", test_live);
  return g_test_run ();
}
