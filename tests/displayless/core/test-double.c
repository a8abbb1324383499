/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/base/cyc-double.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The shortest texts of doubles. What is expected comes from the C library: a text reads back as the
 * double, none with a digit less does, and of those with as many digits none is nearer. */

#define N_RANDOM 60000

static void
test_known (void)
{
  /* As Python 3 prints them. */
  static const struct
  {
    double      value;
    const char *text;
  } cases[] = {
    { 0.0, "0.0" },
    { -0.0, "-0.0" },
    { 1.0, "1.0" },
    { -1.5, "-1.5" },
    { 0.1, "0.1" },
    { 3.0, "3.0" },
    { 0.0001, "0.0001" },
    { 0.00001, "1e-05" },
    { 0.00012345, "0.00012345" },
    { 1.25e-7, "1.25e-07" },
    { 123456789012345.6, "123456789012345.6" },
    { 9007199254740993.0, "9007199254740992.0" },
    { 1e15, "1000000000000000.0" },
    { 9999999999999998.0, "9999999999999998.0" },
    { 1e16, "1e+16" },
    { 1.5e16, "1.5e+16" },
    { 1e22, "1e+22" },
    { 1e23, "1e+23" },
    { 9.5367431640625e-07, "9.5367431640625e-07" },
    { 5e-324, "5e-324" },
    { 2.2250738585072014e-308, "2.2250738585072014e-308" },
    { 2.225073858507201e-308, "2.225073858507201e-308" },
    { 1.7976931348623157e308, "1.7976931348623157e+308" },
    { 2.0 / 3, "0.6666666666666666" },
    { 4.35, "4.35" },
    { 9.109383632e-31, "9.109383632e-31" },
    { 2251799813685248.5, "2251799813685248.5" },
    { 2251799813685247.75, "2251799813685247.8" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      char buf[CYC_DOUBLE_WRITE_MAX];
      *cyc_double_write (buf, cases[i].value) = '\0';
      g_assert_cmpstr (buf, ==, cases[i].text);
    }
}

/* The nearest decimal number with so many digits, in one form. */
static void
format (char   buf[64],
        guint  n_digits,
        double value)
{
  g_snprintf (buf, 64, "%.*e", (int) n_digits - 1, value);
}

static void
check (double value)
{
  char text[CYC_DOUBLE_WRITE_MAX], same[64], shorter[64], digits[24];
  int exponent;

  guint64 shortest = cyc_double_get_shortest (value, &exponent);
  guint n = (guint) g_snprintf (digits, sizeof digits, "%" G_GUINT64_FORMAT, shortest);
  *cyc_double_write (text, value) = '\0';
  if (strtod (text, NULL) != value)
    g_error ("%s does not read back as %a", text, value);
  g_assert_cmpuint (n, <=, 17);
  /* With 17 digits nothing is left to choose but the nearest. */
  format (same, n, value);
  if (strtod (same, NULL) == value && strtod (same, NULL) == strtod (text, NULL))
    {
      char ours[64];
      format (ours, n, strtod (text, NULL));
      g_assert_cmpstr (same, ==, ours);
      g_snprintf (ours, sizeof ours, "%" G_GUINT64_FORMAT "e%d", shortest, exponent);
      g_assert_cmpfloat (strtold (ours, NULL), ==, strtold (text, NULL));
      /* The digits themselves: of printf, without the point, up to the exponent. */
      guint k = 0;
      for (const char *p = same; *p != 'e'; p++)
        if (g_ascii_isdigit (*p))
          g_assert_cmpint (*p, ==, digits[k++]);
    }
  if (n > 1)
    {
      format (shorter, n - 1, value);
      if (strtod (shorter, NULL) == value)
        g_error ("%a is %s, shorter than %s", value, shorter, text);
    }
}

static double
from_bits (guint64 bits)
{
  double value;

  memcpy (&value, &bits, sizeof value);
  return fabs (value);
}

static guint64
draw (GRand *rand)
{
  return (guint64) g_rand_int (rand) << 32 | g_rand_int (rand);
}

static void
test_random (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (20261129);

  for (guint i = 0; i < N_RANDOM; i++)
    {
      double any = from_bits (draw (rand));
      if (isfinite (any) && any != 0)
        check (any);
      /* What traces hold: cycles by a frequency, and those with an offset. */
      double cycles = (double) (draw (rand) >> g_rand_int_range (rand, 11, 60));
      if (cycles != 0)
        {
          check (cycles / 50);
          check (cycles / 1850.5);
          check (cycles / 1000 + 1.8e15);
        }
    }
}

static void
test_edges (void)
{
  for (guint64 exponent = 1; exponent < 2047; exponent++)
    for (int step = -2; step <= 2; step++)
      check (from_bits ((exponent << 52) + (guint64) step));
  for (guint64 bits = 1; bits < 3000; bits++)
    check (from_bits (bits));
  for (int power = -323; power <= 308; power++)
    {
      g_autofree char *text = g_strdup_printf ("1e%d", power);
      double value = strtod (text, NULL);
      check (value);
      check (nextafter (value, INFINITY));
      check (nextafter (value, 1e-310));
    }
}

static void
test_integers (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  char buf[CYC_DOUBLE_WRITE_MAX], expected[32];

  for (guint i = 0; i < 20000; i++)
    {
      guint64 value = i < 2000 ? i : draw (rand) >> g_rand_int_range (rand, 0, 64);
      *cyc_uint_write (buf, value) = '\0';
      g_snprintf (expected, sizeof expected, "%" G_GUINT64_FORMAT, value);
      g_assert_cmpstr (buf, ==, expected);
      *cyc_int_write (buf, (gint64) value) = '\0';
      g_snprintf (expected, sizeof expected, "%" G_GINT64_FORMAT, (gint64) value);
      g_assert_cmpstr (buf, ==, expected);
    }
  *cyc_int_write (buf, G_MININT64) = '\0';
  g_assert_cmpstr (buf, ==, "-9223372036854775808");
  *cyc_uint_write (buf, G_MAXUINT64) = '\0';
  g_assert_cmpstr (buf, ==, "18446744073709551615");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/double/write/known", test_known);
  g_test_add_func ("/core/double/shortest/random", test_random);
  g_test_add_func ("/core/double/shortest/edges", test_edges);
  g_test_add_func ("/core/double/write/integers", test_integers);
  return g_test_run ();
}
