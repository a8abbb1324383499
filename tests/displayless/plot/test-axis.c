/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib.h>
#include <math.h>

#include "plot/cyc-axis.h"

static void
assert_labels (CycAxis    *axis,
               const char *expected)
{
  g_autoptr (GString) labels = g_string_new (NULL);

  for (guint i = 0; i < axis->ticks->len; i++)
    {
      const CycAxisTick *tick = &g_array_index (axis->ticks, CycAxisTick, i);
      g_string_append_printf (labels, "%s%s", i > 0 ? " " : "", tick->label != NULL ? tick->label : "-");
      g_assert_cmpfloat (tick->value, >=, axis->begin * (axis->begin < 0 ? 1 + 1e-9 : 1 - 1e-9));
      g_assert_cmpfloat (tick->value, <=, axis->end * (1 + 1e-9));
    }
  g_assert_cmpstr (labels->str, ==, expected);
}

static void
test_linear (void)
{
  static const struct
  {
    double      lowest;
    double      highest;
    guint       steps;
    const char *labels;
    const char *unit;
  } cases[] = {
    { 3, 97, 5, "0 20 40 60 80 100", "cycles" },
    { 0, 7155, 5, "0 2,000 4,000 6,000 8,000", "cycles" },
    { 0, 9155, 5, "0 2 4 6 8 10", "10³ cycles" },
    { 100, 9155, 2, "0 5 10", "10³ cycles" },
    { 1, 4.1e6, 5, "0 1 2 3 4 5", "10⁶ cycles" },
    { -3, 5, 5, "-4 -2 0 2 4 6", "cycles" },
    { -5, -1, 5, "-5 -4 -3 -2 -1 0", "cycles" },
    { 0, 0.42, 5, "0.0 0.1 0.2 0.3 0.4 0.5", "cycles" },
    { 0, 2.5e-9, 3, "0 1 2 3", "10⁻⁹ cycles" },
    { 0, 0, 2, "0.0 0.5 1.0", "cycles" },
    { NAN, INFINITY, 2, "0.0 0.5 1.0", "cycles" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (CycAxis) axis = cyc_axis_new (CYC_AXIS_LINEAR, cases[i].lowest, cases[i].highest,
                                               cases[i].steps);
      g_autofree char *unit = cyc_axis_dup_unit (axis, "cycles");
      assert_labels (axis, cases[i].labels);
      g_assert_cmpstr (unit, ==, cases[i].unit);
    }
}

static void
test_unit (void)
{
  g_autoptr (CycAxis) small = cyc_axis_new (CYC_AXIS_LINEAR, 0, 900, 5);
  g_autoptr (CycAxis) thousands = cyc_axis_new (CYC_AXIS_LINEAR, 0, 20e3, 5);
  g_autoptr (CycAxis) millions = cyc_axis_new (CYC_AXIS_LINEAR, 0, 20e6, 5);
  g_autoptr (CycAxis) huge = cyc_axis_new (CYC_AXIS_LINEAR, 0, 2e13, 5);
  const struct { CycAxis *axis; const char *unit; const char *shown; } cases[] = {
    { small, "ns", "ns" }, { thousands, "ns", "us" }, { millions, "ns", "ms" }, { huge, "ns", "10¹² ns" },
    { small, NULL, "" }, { millions, "", "10⁶" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *shown = cyc_axis_dup_unit (cases[i].axis, cases[i].unit);
      g_assert_cmpstr (shown, ==, cases[i].shown);
    }
}

static void
test_logarithmic (void)
{
  g_autoptr (CycAxis) near = cyc_axis_new (CYC_AXIS_LOGARITHMIC, 30, 700, 5);
  g_autoptr (CycAxis) wide = cyc_axis_new (CYC_AXIS_LOGARITHMIC, 30, 2e5, 5);
  g_autoptr (CycAxis) vast = cyc_axis_new (CYC_AXIS_LOGARITHMIC, 1e-12, 1e18, 5);
  g_autoptr (CycAxis) none = cyc_axis_new (CYC_AXIS_LOGARITHMIC, -3, -1, 5);

  g_autoptr (CycAxis) ratio = cyc_axis_new (CYC_AXIS_RATIO, 1, 2.25, 5);

  g_assert_cmpfloat (ratio->begin, ==, 1);
  g_assert_cmpfloat (ratio->end, ==, 3);
  assert_labels (ratio, "1 1.5 2 3");
  assert_labels (near, "20 50 100 200 500");
  g_assert_cmpfloat (near->end, ==, 800);
  assert_labels (wide, "- - 100 - - 1,000 - - 10,000 - - 100,000 -");
  assert_labels (vast, "10⁻⁷ 1 10⁷ 10¹⁴");
  g_assert_cmpfloat (none->begin, >, 0);

  /* Equal factors are equal distances. */
  cyc_axis_set_range (near, 0, 300);
  double at_50 = cyc_axis_to_range (near, 50), at_100 = cyc_axis_to_range (near, 100);
  double at_500 = cyc_axis_to_range (near, 500), at_250 = cyc_axis_to_range (near, 250);
  g_assert_cmpfloat_with_epsilon (at_500 - at_250, at_100 - at_50, 1e-9);
  /* What has no place is at the beginning. */
  g_assert_cmpfloat (cyc_axis_to_range (near, -1), ==, 0);
  g_assert_cmpfloat (cyc_axis_to_range (near, NAN), ==, 0);
  g_assert_cmpfloat (cyc_axis_to_range (near, 1e9), ==, 300);
}

/* Whatever the values, the axis is finite, holds them or its own limits, and has few ticks. */
static void
test_extremes (void)
{
  static const double values[] = { -G_MAXDOUBLE, -1e300, -1, -1e-300, -5e-324, 0, 5e-324, 1e-300, 1e-9, 1,
                                   9155, 1e300, G_MAXDOUBLE };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    for (guint k = i; k < G_N_ELEMENTS (values); k++)
      for (CycAxisKind kind = CYC_AXIS_LINEAR; kind <= CYC_AXIS_RATIO; kind++)
        {
          g_autoptr (CycAxis) axis = cyc_axis_new (kind, values[i], values[k], 7);
          g_assert_true (isfinite (axis->begin) && isfinite (axis->end));
          g_assert_cmpfloat (axis->begin, <, axis->end);
          g_assert_cmpuint (axis->ticks->len, <=, 24);
          guint n_labels = 0;
          for (guint tick = 0; tick < axis->ticks->len; tick++)
            n_labels += g_array_index (axis->ticks, CycAxisTick, tick).label != NULL;
          g_assert_cmpuint (n_labels, >=, 1);
          g_assert_cmpuint (n_labels, <=, 10);
          g_assert_true (isfinite (cyc_axis_to_range (axis, values[k])));
        }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plot/axis/linear", test_linear);
  g_test_add_func ("/plot/axis/unit", test_unit);
  g_test_add_func ("/plot/axis/logarithmic", test_logarithmic);
  g_test_add_func ("/plot/axis/extremes", test_extremes);
  return g_test_run ();
}
