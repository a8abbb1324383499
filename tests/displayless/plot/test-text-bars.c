/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include "plot/cyc-scale.h"
#include "plot/cyc-text-bars.h"
#include "plot/cyc-ticks.h"

static void
test_scale (void)
{
  CycScale scale;

  cyc_scale_init (&scale, 100, 300, 0, 50);
  g_assert_cmpfloat (cyc_scale_to_range (&scale, 200), ==, 25);
  g_assert_cmpfloat (cyc_scale_to_range (&scale, 300), ==, 50);
  g_assert_cmpfloat (cyc_scale_to_domain (&scale, 12.5), ==, 150);
  cyc_scale_init (&scale, 7, 7, 3, 50);
  g_assert_cmpfloat (cyc_scale_to_range (&scale, 7), ==, 3);
}

static void
test_step (void)
{
  static const struct { double span; guint max; double step; guint decimals; } cases[] = {
    { 100, 10, 10, 0 }, { 100, 9, 20, 0 }, { 7, 3, 5, 0 }, { 1, 10, 0.1, 1 }, { 0.3, 3, 0.1, 1 },
    { 1, 4, 0.5, 1 },   { 1e6, 4, 5e5, 0 }, { 0.04, 4, 0.01, 2 }, { 0, 4, 0, 0 }, { NAN, 4, 0, 0 },
    { -1, 4, 0, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      double step = cyc_ticks_get_step (cases[i].span, cases[i].max);
      g_assert_cmpfloat_with_epsilon (step, cases[i].step, 1e-9 * cases[i].step + 1e-15);
      g_assert_cmpuint (cyc_ticks_get_decimals (step), ==, cases[i].decimals);
    }
}

static void
test_ticks (void)
{
  g_autoptr (GArray) ticks = cyc_ticks_new (-3, 12, 4);
  g_autoptr (GArray) none = cyc_ticks_new (5, 5, 4);
  g_autoptr (GArray) tenths = cyc_ticks_new (0, 0.3, 3);

  g_assert_cmpuint (ticks->len, ==, 3);
  g_assert_cmpfloat (g_array_index (ticks, double, 0), ==, 0);
  g_assert_cmpfloat (g_array_index (ticks, double, 1), ==, 5);
  g_assert_cmpfloat (g_array_index (ticks, double, 2), ==, 10);
  g_assert_cmpuint (none->len, ==, 0);
  g_assert_cmpuint (tenths->len, ==, 4);
  g_assert_cmpfloat_with_epsilon (g_array_index (tenths, double, 3), 0.3, 1e-15);
}

static CycTextBars *
make_bars (void)
{
  CycTextBars *bars = cyc_text_bars_new ("us", 1000);

  cyc_text_bars_add_heading (bars, "kernel");
  cyc_text_bars_add (bars, "aa", 0, 8000, "8 us");
  cyc_text_bars_add (bars, "b", 1, 1000, "1 us");
  cyc_text_bars_add (bars, "c", 2, NAN, "-");
  cyc_text_bars_add (bars, "d", 3, 1, "1 ns");
  cyc_text_bars_add (bars, "e", 4, 0, "0 ns");
  return bars;
}

/* Width 20: two of indent, two of label, two of gap, one and four for the value leave nine, so the
 * least of ten cells is used: 8000 fills ten, 1000 takes one and a quarter. */
static void
test_utf8 (void)
{
  g_autoptr (CycTextBars) bars = make_bars ();
  g_autofree char *text = cyc_text_bars_render (bars, 20, CYC_TEXT_BARS_UTF8);

  g_assert_cmpstr (text, ==,
                   "kernel\n"
                   "  aa  ██████████ 8 us\n"
                   "  b   █▎ 1 us\n"
                   "  c   -\n"
                   "  d   ▏ 1 ns\n"
                   "  e   0 ns\n");
}

/* 41 cells leave 30 for the bars: steps of 5 us fit twice (30 / 12), at cells 0 and 30 * 5 / 8. */
static void
test_ascii (void)
{
  g_autoptr (CycTextBars) bars = make_bars ();
  g_autofree char *text = cyc_text_bars_render (bars, 41, CYC_TEXT_BARS_ASCII);

  g_assert_cmpstr (text, ==,
                   "kernel\n"
                   "  aa  ############################## 8 us\n"
                   "  b   #### 1 us\n"
                   "  c   -\n"
                   "  d   # 1 ns\n"
                   "  e   0 ns\n"
                   "      +------------------+-----------\n"
                   "      0                  5 us\n");
}

static void
test_colour (void)
{
  g_autoptr (CycTextBars) bars = cyc_text_bars_new ("us", 1000);

  cyc_text_bars_add (bars, "a", 0, 1000, "1 us");
  cyc_text_bars_add (bars, "b", 1, NAN, "-");
  g_autofree char *text = cyc_text_bars_render (bars, 0, CYC_TEXT_BARS_COLOUR);
  g_assert_cmpstr (text, ==,
                   "  a  \x1b[34m##########\x1b[0m 1 us\n"
                   "  b  -\n"
                   "     +---------+\n"
                   "     0         1 us\n");
}

static void
test_nothing (void)
{
  g_autoptr (CycTextBars) bars = cyc_text_bars_new ("us", 1000);

  cyc_text_bars_add (bars, "a", 0, NAN, "-");
  cyc_text_bars_add (bars, "b", 0, 0, "0 ns");
  g_autofree char *text = cyc_text_bars_render (bars, 80, CYC_TEXT_BARS_UTF8);
  g_assert_cmpstr (text, ==, "");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plot/scale/map", test_scale);
  g_test_add_func ("/plot/ticks/step", test_step);
  g_test_add_func ("/plot/ticks/new", test_ticks);
  g_test_add_func ("/plot/text-bars/render/utf8", test_utf8);
  g_test_add_func ("/plot/text-bars/render/ascii", test_ascii);
  g_test_add_func ("/plot/text-bars/render/colour", test_colour);
  g_test_add_func ("/plot/text-bars/render/nothing", test_nothing);
  return g_test_run ();
}
