/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "core/base/cyc-number.h"
#include "core/base/cyc-time.h"

static void
test_parse_double (void)
{
  static const char *const good[] = { "12", " 9155\t", "-1.5", "1e3", "0.1", "105.5878", "+7", "5." };
  static const double values[] = { 12, 9155, -1.5, 1000, 0.1, 105.5878, 7, 5 };
  static const char *const bad[] = {
    "", " ", "nan", "-nan", "inf", "12%", "393.7992 GB/Sec", "53909x", "0x10", "1 2", "1e", ".", "--1",
    "{8:7168,}", "1e999",
  };
  double value;
  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_assert_true (cyc_number_parse_double (good[i], strlen (good[i]), &value));
      g_assert_cmpfloat (value, ==, values[i]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_false (cyc_number_parse_double (bad[i], strlen (bad[i]), &value));
}

static void
test_iso (void)
{
  g_autofree char *text = cyc_time_to_iso (1764417626000001);
  gint64 back;
  g_assert_cmpstr (text, ==, "2025-11-29T12:00:26.000001Z");
  g_assert_true (cyc_time_from_iso (text, &back));
  g_assert_cmpint (back, ==, 1764417626000001);
  g_assert_false (cyc_time_from_iso ("yesterday", &back));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/number/parse-double", test_parse_double);
  g_test_add_func ("/core/time/iso", test_iso);
  return g_test_run ();
}
