/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gio/gio.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-format.h"
#include "core/base/cyc-line-splitter.h"
#include "core/base/cyc-name.h"
#include "core/base/cyc-number.h"
#include "core/base/cyc-time.h"
#include "core/base/cyc-util.h"

static void
test_parse_double (void)
{
  static const char *const good[] = {
    "12", " 9155\t", "-1.5", "1e3", "0.1", "105.5878", "+7", "5.", ".5", "1E-2", "-0.25e+2",
    "123456789012345", "1234567890123456", "-9155",
  };
  static const double values[] = {
    12, 9155, -1.5, 1000, 0.1, 105.5878, 7, 5, 0.5, 0.01, -25,
    123456789012345.0, 1234567890123456.0, -9155,
  };
  static const char *const bad[] = {
    "", " ", "nan", "-nan", "inf", "12%", "393.7992 GB/Sec", "53909x", "0x10", "1 2", "1e", ".",
    "--1", "{8:7168,}", "1e999", "-", "+", "1e+", "1.2.3", "1,5", "none", "- 1",
  };
  double value;
  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_assert_true (cyc_number_parse_double (good[i], strlen (good[i]), &value));
      g_assert_cmpfloat (value, ==, values[i]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_false (cyc_number_parse_double (bad[i], strlen (bad[i]), &value));

  /* Only @len bytes count, and long texts are read whole. */
  g_assert_true (cyc_number_parse_double ("123456", 3, &value));
  g_assert_cmpfloat (value, ==, 123);
  g_autofree char *zeros = g_strnfill (300, '0');
  g_autofree char *text = g_strdup_printf ("1.%s5", zeros);
  g_assert_true (cyc_number_parse_double (text, strlen (text), &value));
  g_assert_cmpfloat (value, ==, 1);
}

static void
test_parse_integers (void)
{
  guint64 u;
  gint64 i;

  g_assert_true (cyc_number_parse_uint64 (" 18446744073709551615 ", 22, &u));
  g_assert_cmpuint (u, ==, G_MAXUINT64);
  g_assert_false (cyc_number_parse_uint64 ("18446744073709551616", 20, &u));
  g_assert_false (cyc_number_parse_uint64 ("184467440737095516150", 21, &u));
  g_assert_true (cyc_number_parse_int64 ("9223372036854775807", 19, &i));
  g_assert_cmpint (i, ==, G_MAXINT64);
  g_assert_false (cyc_number_parse_int64 ("9223372036854775808", 19, &i));
  g_assert_true (cyc_number_parse_int64 ("-9223372036854775808", 20, &i));
  g_assert_cmpint (i, ==, G_MININT64);
  g_assert_false (cyc_number_parse_int64 ("-9223372036854775809", 20, &i));
  g_assert_true (cyc_number_parse_int64 ("\t+42 ", 5, &i));
  g_assert_cmpint (i, ==, 42);

  static const char *const bad[] = { "", " ", "1.0", "1e3", "0x1", "12a", "- 1", "+-1", "1 2", "-", "--5" };
  for (guint n = 0; n < G_N_ELEMENTS (bad); n++)
    {
      g_assert_false (cyc_number_parse_uint64 (bad[n], strlen (bad[n]), &u));
      g_assert_false (cyc_number_parse_int64 (bad[n], strlen (bad[n]), &i));
    }
  g_assert_false (cyc_number_parse_uint64 ("-1", 2, &u));
  g_assert_false (cyc_number_parse_uint64 ("+1", 2, &u));
}

static void
test_format_double (void)
{
  static const struct
  {
    double      value;
    const char *text;
  } cases[] = {
    { 0, "0" },
    { -0.0, "-0.0" },
    { 1, "1" },
    { -1234567, "-1234567" },
    { 0.1, "0.1" },
    { 105.5878, "105.5878" },
    { 1.0 / 3, "0.3333333333333333" },
    { 0.1 + 0.2, "0.30000000000000004" },
    { 9007199254740992.0, "9007199254740992" },
    { 9007199254740994.0, "9007199254740994" },
    { 5.684341886080802e-14, "5.684341886080802e-14" }, /* 2^-44: 16 digits, though not the nearest 16 */
    { 1e17, "1e+17" },
    { 123456789012345680.0, "1.2345678901234568e+17" },
    { 1e-5, "1e-05" },
    { 5e-324, "5e-324" },
    { 1e-310, "1e-310" },
    { 2.2250738585072014e-308, "2.2250738585072014e-308" },
    { -1.7976931348623157e308, "-1.7976931348623157e+308" },
  };
  char buf[CYC_DOUBLE_BUF];
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpstr (cyc_number_format_double (buf, cases[i].value), ==, cases[i].text);
}

/* Any double reads back bit by bit, and no shorter %g text does. */
static void
test_format_random (void)
{
  for (guint n = 0; n < 100000; n++)
    {
      guint64 bits = (guint64) g_test_rand_int () << 32 | (guint32) g_test_rand_int ();
      double value;
      memcpy (&value, &bits, sizeof value);
      if (!isfinite (value))
        continue;
      char buf[CYC_DOUBLE_BUF];
      cyc_number_format_double (buf, value);
      double back = strtod (buf, NULL);
      g_assert_cmpmem (&back, sizeof back, &value, sizeof value);
      if (n % 10 != 0)
        continue;
      guint n_digits = 0;
      for (const char *p = buf + strspn (buf, "-0."); *p != '\0' && *p != 'e'; p++)
        n_digits += g_ascii_isdigit (*p);
      for (int digits = 1; digits < (int) n_digits && value != floor (value); digits++)
        {
          char shorter[CYC_DOUBLE_BUF];
          g_snprintf (shorter, sizeof shorter, "%.*g", digits, value);
          g_assert_true (strtod (shorter, NULL) != value);
        }
    }
}

static void
test_iso (void)
{
  static const struct
  {
    gint64      real_us;
    const char *text;
  } cases[] = {
    { 0, "1970-01-01T00:00:00.000000Z" },
    { -1, "1969-12-31T23:59:59.999999Z" },
    { 1764417626000001, "2025-11-29T12:00:26.000001Z" },
    { 1767225599999999, "2025-12-31T23:59:59.999999Z" },
    { 1767225600000000, "2026-01-01T00:00:00.000000Z" },
    { 1709164800000000, "2024-02-29T00:00:00.000000Z" },
    { 4102444800000000, "2100-01-01T00:00:00.000000Z" },
  };
  gint64 back;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = cyc_time_to_iso (cases[i].real_us);
      g_assert_cmpstr (text, ==, cases[i].text);
      g_assert_true (cyc_time_from_iso (text, &back));
      g_assert_cmpint (back, ==, cases[i].real_us);
    }
  for (gint64 us = 0; us < G_USEC_PER_SEC; us += 997)
    {
      g_autofree char *text = cyc_time_to_iso (1764417626000000 + us);
      g_assert_true (cyc_time_from_iso (text, &back));
      g_assert_cmpint (back, ==, 1764417626000000 + us);
    }
  g_assert_true (cyc_time_from_iso ("2025-11-29T13:00:26+01:00", &back));
  g_assert_cmpint (back, ==, 1764417626000000);
  g_assert_true (cyc_time_from_iso ("2025-11-29T12:00:26", &back));
  g_assert_cmpint (back, ==, 1764417626000000);

  static const char *const bad[] = {
    "", "yesterday", "2025-13-01T00:00:00Z", "2025-02-29T00:00:00Z", "2025-11-29T25:00:00Z", "2025-11-29",
  };
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_false (cyc_time_from_iso (bad[i], &back));
}

static void
test_plain_names (void)
{
  g_autofree char *longest = g_strnfill (255, 'a');
  g_autofree char *longer = g_strnfill (256, 'a');
  const char *const good[] = { "a", "kernel-1.traceg.xz", "SM86_RTX3070", "..a", ".hidden", "0", longest };
  const char *const bad[] = {
    "", ".", "..", "-rf", "a b", "a/b", "a;touch X;", "a\n", "caf\xc3\xa9", "a:b", "$(x)", "a\\b", longer,
  };
  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    g_assert_true (cyc_name_is_plain (good[i]));
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_false (cyc_name_is_plain (bad[i]));
}

static void
test_output_names (void)
{
  g_autofree char *longest = g_strnfill (128, 'a');
  g_autofree char *longer = g_strnfill (129, 'a');
  const char *const good[] = { "a", "stderr.txt", "9.log.gz", "A-b_c.d", longest };
  const char *const bad[] = { "", ".", "..", ".x", "-x", "_x", "a b", "a/b", "a\n", "\xc3\xa9", longer };

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    g_assert_true (cyc_name_is_output_file (good[i]));
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_false (cyc_name_is_output_file (bad[i]));
}

static void
test_safe_paths (void)
{
  g_autofree char *component = g_strnfill (256, 'a');
  const char *const good[] = { "a", "traces/kernel-1.traceg", "a b/\xc3\xa9.txt", "...", "a/..b", ".x/y" };
  const char *const bad[] = {
    "", "/", "/etc/passwd", "..", "a/../b", "../a", "a/..", "./a", "a/.", "a//b", "a/", "a\\b", "a\nb",
    "a\x7f", "\xff\xfe", component,
  };
  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    g_assert_true (cyc_name_is_safe_path (good[i]));
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_false (cyc_name_is_safe_path (bad[i]));

  g_autoptr (GString) deep = g_string_new ("a");
  while (deep->len + 2 <= 4096)
    g_string_append (deep, "/a");
  g_assert_true (cyc_name_is_safe_path (deep->str));
  g_string_append (deep, "/a");
  g_assert_false (cyc_name_is_safe_path (deep->str));
}

static void
test_utf8 (void)
{
  static const struct
  {
    const char *bytes;
    gsize       len;
    const char *text;
    gsize       replaced;
  } cases[] = {
    { "", 0, "", 0 },
    { "plain", 5, "plain", 0 },
    { "caf\xc3\xa9", 5, "caf\xc3\xa9", 0 },
    { "a\xff" "b", 3, "a\xEF\xBF\xBD" "b", 1 },
    { "a\0b", 3, "a\xEF\xBF\xBD" "b", 1 },
    { "\xe2\x82", 2, "\xEF\xBF\xBD\xEF\xBF\xBD", 2 },              /* cut in the middle */
    { "\xed\xa0\x80", 3, "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD", 3 }, /* a surrogate */
    { "\xc0\xaf", 2, "\xEF\xBF\xBD\xEF\xBF\xBD", 2 },              /* too long a form */
    { "\xf0\x9f\x98\x80", 4, "\xf0\x9f\x98\x80", 0 },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) out = g_string_new (">");
      gsize replaced = cyc_utf8_append (out, cases[i].bytes, cases[i].len);
      g_assert_cmpuint (replaced, ==, cases[i].replaced);
      g_assert_cmpstr (out->str + 1, ==, cases[i].text);
      g_autofree char *text = cyc_utf8_make_valid (cases[i].bytes, cases[i].len);
      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

/* A byte that is not ASCII at every place, and none. */
static void
test_skip_ascii (void)
{
  for (gsize len = 0; len < 40; len++)
    for (gsize at = 0; at <= len; at++)
      {
        char text[40];
        memset (text, 'a', sizeof text);
        text[at] = '\xc3';
        g_assert_cmpuint (cyc_utf8_skip_ascii (text, len), ==, MIN (at, len));
      }
}

static void
test_set_str (void)
{
  g_autofree char *field = NULL;

  g_assert_false (cyc_set_str (&field, NULL));
  g_assert_true (cyc_set_str (&field, "one"));
  g_assert_false (cyc_set_str (&field, "one"));
  g_assert_true (cyc_set_str (&field, field + 1)); /* part of itself */
  g_assert_cmpstr (field, ==, "ne");
  g_assert_true (cyc_set_str (&field, NULL));
  g_assert_null (field);
}

static void
test_random_hex (void)
{
  g_autofree char *one = cyc_random_hex (32);
  g_autofree char *two = cyc_random_hex (32);
  g_autofree char *none = cyc_random_hex (0);

  g_assert_cmpuint (strlen (one), ==, 64);
  g_assert_cmpuint (strspn (one, "0123456789abcdef"), ==, 64);
  g_assert_cmpstr (one, !=, two);
  g_assert_cmpstr (none, ==, "");
}

static void
collect_line (const char *line,
              gsize       len,
              gpointer    user_data)
{
  g_ptr_array_add (user_data, g_strndup (line, len));
}

/* However the bytes are cut, the lines are the same. */
static void
test_line_splitter (void)
{
  static const char text[] = "one\n\ntwo\r\n a longer third line\n\nno end";
  static const char *const lines[] = { "one", "", "two\r", " a longer third line", "", "no end" };

  for (gsize step = 1; step <= sizeof text; step++)
    {
      g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_free);
      g_autoptr (CycLineSplitter) splitter = cyc_line_splitter_new (collect_line, found);
      for (gsize at = 0; at < sizeof text - 1; at += step)
        cyc_line_splitter_feed (splitter, text + at, MIN (step, sizeof text - 1 - at));
      g_assert_cmpuint (found->len, ==, G_N_ELEMENTS (lines) - 1);
      g_assert_cmpuint (cyc_line_splitter_get_pending (splitter), ==, strlen ("no end"));
      g_assert_true (cyc_line_splitter_finish (splitter));
      g_assert_false (cyc_line_splitter_finish (splitter));
      g_assert_cmpuint (cyc_line_splitter_get_pending (splitter), ==, 0);
      g_assert_cmpuint (found->len, ==, G_N_ELEMENTS (lines));
      for (guint i = 0; i < found->len; i++)
        g_assert_cmpstr (g_ptr_array_index (found, i), ==, lines[i]);
    }
}

static void
test_error_at (void)
{
  g_autoptr (GError) error = NULL;

  cyc_error_set_at (NULL, CYC_ERROR_INPUT, "a", 1, "is dropped");
  cyc_error_set_at (&error, CYC_ERROR_INPUT, "a b.log", 7, "expected %d", 5);
  g_assert_error (error, CYC_ERROR, CYC_ERROR_INPUT);
  g_assert_cmpstr (error->message, ==, "a b.log:7: expected 5");
  g_clear_error (&error);
  cyc_error_set_at (&error, CYC_ERROR_VALUE, "%s.log", 0, "bad");
  g_assert_cmpstr (error->message, ==, "%s.log: bad");
  g_clear_error (&error);
  cyc_error_set_at (&error, CYC_ERROR_STATE, NULL, 3, "alone");
  g_assert_cmpstr (error->message, ==, "alone");
}

static void
test_error_errno (void)
{
  g_autoptr (GError) error = NULL;

  cyc_error_set_errno (&error, ENOSPC, "f", "cannot write");
  g_assert_error (error, CYC_ERROR, CYC_ERROR_NO_SPACE);
  g_assert_true (g_str_has_prefix (error->message, "f: cannot write: "));
  g_clear_error (&error);
  cyc_error_set_errno (&error, ENOENT, "f", "cannot open");
  g_assert_error (error, CYC_ERROR, CYC_ERROR_NOT_FOUND);
  g_clear_error (&error);
  cyc_error_set_errno (&error, EACCES, NULL, "cannot open");
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED);
  g_assert_true (g_str_has_prefix (error->message, "cannot open: "));
}

static void
test_format_grouped (void)
{
  static const struct { double value; int decimals; const char *text; } cases[] = {
    { 0, -1, "0" }, { -0.0, 0, "0" }, { 999, -1, "999" }, { 1000, -1, "1,000" },
    { 1234567, -1, "1,234,567" }, { -123456, -1, "-123,456" }, { 9155.25, -1, "9,155.25" },
    { 1234.5678, 1, "1,234.6" }, { 0.1, -1, "0.1" }, { 1e300, -1, "1e+300" }, { 2, 3, "2.000" },
    { 4503599627370497, -1, "4,503,599,627,370,497" }, { NAN, 0, "-" }, { INFINITY, -1, "-" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = cyc_format_grouped (cases[i].value, cases[i].decimals);
      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

static void
test_format_short (void)
{
  static const struct { double value; const char *text; } cases[] = {
    { 0, "0" }, { 1, "1" }, { 12.345, "12.3" }, { 950, "950" }, { 999.4, "999" }, { 999.6, "1.00k" },
    { 1234, "1.23k" }, { 45678, "45.7k" }, { 999499, "999k" }, { 999600, "1.00M" }, { -1234567, "-1.23M" },
    { 2.5e9, "2.50G" }, { 0.00123, "0.00123" }, { 1.2e-7, "1.2e-07" }, { 1e21, "1.0e+21" }, { NAN, "-" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = cyc_format_short (cases[i].value);
      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/format/grouped", test_format_grouped);
  g_test_add_func ("/core/format/short", test_format_short);
  g_test_add_func ("/core/number/parse-double", test_parse_double);
  g_test_add_func ("/core/number/parse-integers", test_parse_integers);
  g_test_add_func ("/core/number/format-double", test_format_double);
  g_test_add_func ("/core/number/format-random", test_format_random);
  g_test_add_func ("/core/time/iso", test_iso);
  g_test_add_func ("/core/name/plain", test_plain_names);
  g_test_add_func ("/core/name/output", test_output_names);
  g_test_add_func ("/core/name/safe-path", test_safe_paths);
  g_test_add_func ("/core/util/utf8", test_utf8);
  g_test_add_func ("/core/util/skip-ascii", test_skip_ascii);
  g_test_add_func ("/core/util/set-str", test_set_str);
  g_test_add_func ("/core/util/random-hex", test_random_hex);
  g_test_add_func ("/core/line-splitter/cuts", test_line_splitter);
  g_test_add_func ("/core/error/at", test_error_at);
  g_test_add_func ("/core/error/errno", test_error_errno);
  return g_test_run ();
}
