/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib.h>
#include <math.h>

#include "plot/cyc-palette.h"

#define N_COLOURS 7

/* Grounds that charts stand on: white, and those of GTK's light and dark theme. */
static const CycColour grounds[][2] = {
  [CYC_PLOT_LIGHT] = { { 1, 1, 1, 1 }, { 0.965, 0.961, 0.957, 1 } },
  [CYC_PLOT_DARK] = { { 0.118, 0.118, 0.118, 1 }, { 0.208, 0.208, 0.208, 1 } },
};

static void
test_contrast (void)
{
  /* WCAG 2.1, 1.4.11: what must be seen has a contrast of 3. */
  for (guint scheme = CYC_PLOT_LIGHT; scheme <= CYC_PLOT_DARK; scheme++)
    for (guint slot = 0; slot < N_COLOURS; slot++)
      for (guint i = 0; i < 2; i++)
        {
          CycColour fill = cyc_palette_get_fill (slot, scheme);
          double a = cyc_colour_get_luminance (&fill) + 0.05;
          double b = cyc_colour_get_luminance (&grounds[scheme][i]) + 0.05;
          g_assert_cmpfloat (MAX (a, b) / MIN (a, b), >=, 3);
        }
}

static double
linear (double part)
{
  return part <= 0.04045 ? part / 12.92 : pow ((part + 0.055) / 1.055, 2.4);
}

static double
lab_part (double t)
{
  return t > 0.008856 ? cbrt (t) : 7.787 * t + 16.0 / 116;
}

/* CIE L*a*b* (D65) of linear sRGB. */
static void
to_lab (const double rgb[3],
        double       lab[3])
{
  double x = lab_part ((0.4124 * rgb[0] + 0.3576 * rgb[1] + 0.1805 * rgb[2]) / 0.9505);
  double y = lab_part (0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]);
  double z = lab_part ((0.0193 * rgb[0] + 0.1192 * rgb[1] + 0.9505 * rgb[2]) / 1.089);

  lab[0] = 116 * y - 16;
  lab[1] = 500 * (x - y);
  lab[2] = 200 * (y - z);
}

/* How it is seen without one kind of cones (Machado, Oliveira, Fernandes 2009, severity 1.0). */
static void
see (const CycColour *colour,
     const double     matrix[3][3],
     double           lab[3])
{
  double rgb[3] = { linear (colour->red), linear (colour->green), linear (colour->blue) }, seen[3];

  for (guint i = 0; i < 3; i++)
    {
      double part = matrix[i][0] * rgb[0] + matrix[i][1] * rgb[1] + matrix[i][2] * rgb[2];
      seen[i] = CLAMP (part, 0, 1);
    }
  to_lab (seen, lab);
}

static void
test_colour_blind (void)
{
  static const double matrices[][3][3] = {
    { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
    { { 0.152286, 1.052583, -0.204868 }, { 0.114503, 0.786281, 0.099216 }, { -0.003882, -0.048116, 1.051998 } },
    { { 0.367322, 0.860646, -0.227968 }, { 0.280085, 0.672501, 0.047413 }, { -0.011820, 0.042940, 0.968881 } },
    { { 1.255528, -0.076749, -0.178779 }, { -0.078411, 0.930809, 0.147602 }, { 0.004733, 0.691367, 0.303900 } },
  };
  double a[3], b[3];

  for (guint scheme = CYC_PLOT_LIGHT; scheme <= CYC_PLOT_DARK; scheme++)
    for (guint m = 0; m < G_N_ELEMENTS (matrices); m++)
      for (guint i = 0; i < N_COLOURS; i++)
        for (guint k = 0; k < i; k++)
          {
            CycColour first = cyc_palette_get_fill (i, scheme), second = cyc_palette_get_fill (k, scheme);
            see (&first, matrices[m], a);
            see (&second, matrices[m], b);
            double distance = sqrt (pow (a[0] - b[0], 2) + pow (a[1] - b[1], 2) + pow (a[2] - b[2], 2));
            /* One that is just noticed is 2.3. */
            g_assert_cmpfloat (distance, >, 10);
          }
}

/* Never colour alone: those of the same colour have another pattern, and so have neighbours. */
static void
test_patterns (void)
{
  for (guint i = 0; i < 49; i++)
    for (guint k = 0; k < i; k++)
      {
        CycColour a = cyc_palette_get_fill (i, CYC_PLOT_LIGHT), b = cyc_palette_get_fill (k, CYC_PLOT_LIGHT);
        gboolean alike = a.red == b.red && a.green == b.green && a.blue == b.blue;
        g_assert_true (!alike || cyc_palette_get_pattern (i) != cyc_palette_get_pattern (k));
        if (i < N_COLOURS)
          g_assert_cmpint (cyc_palette_get_pattern (i), !=, cyc_palette_get_pattern (k));
      }
  for (guint i = 0; i < 49; i++)
    g_assert_cmpint (cyc_palette_get_pattern (i), !=, cyc_palette_get_pattern (CYC_PALETTE_MEASURED));
}

static void
test_stable (void)
{
  g_autoptr (CycPalette) palette = cyc_palette_new ();

  g_assert_cmpuint (cyc_palette_get_slot (palette, "SM7_QV100"), ==, 0);
  g_assert_cmpuint (cyc_palette_get_slot (palette, "SM75_RTX2060"), ==, 1);
  g_assert_cmpuint (cyc_palette_get_slot (palette, "SM86_RTX3070"), ==, 2);
  g_assert_cmpuint (cyc_palette_get_slot (palette, "SM75_RTX2060"), ==, 1);
  g_autoptr (CycPalette) copy = cyc_palette_copy (palette);
  g_assert_cmpuint (cyc_palette_get_slot (copy, "SM86_RTX3070"), ==, 2);
  g_assert_cmpuint (cyc_palette_get_slot (copy, "SM6_TITANX"), ==, 3);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plot/palette/contrast", test_contrast);
  g_test_add_func ("/plot/palette/colour-blind", test_colour_blind);
  g_test_add_func ("/plot/palette/patterns", test_patterns);
  g_test_add_func ("/plot/palette/stable", test_stable);
  return g_test_run ();
}
