/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/base/cyc-format.h"

#include <locale.h>
#include <math.h>
#include <string.h>

#include "core/base/cyc-number.h"
#include "core/base/cyc-time.h"
#include "core/base/cyc-util.h"

/* Numbers, sizes and times for people. What programs read never comes through here. */

#define REPLACEMENT "\xEF\xBF\xBD"

/**
 * cyc_format_printable:
 * @text: bytes from anywhere
 *
 * Names of files and kernels come from outside and must not steer a terminal: what is not UTF-8 and
 * every control character becomes U+FFFD, tabs and line ends a blank.
 *
 * Returns: (transfer full): one line of UTF-8
 */
char *
cyc_format_printable (const char *text)
{
  g_autofree char *valid = cyc_utf8_make_valid (text, strlen (text));
  GString *out = g_string_sized_new (strlen (valid));

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);
      if (c == '\n' || c == '\t' || c == '\r')
        g_string_append_c (out, ' ');
      else if (g_unichar_iscntrl (c) || g_unichar_type (c) == G_UNICODE_FORMAT)
        g_string_append (out, REPLACEMENT);
      else
        g_string_append_unichar (out, c);
    }
  return g_string_free (out, FALSE);
}

/**
 * cyc_format_name:
 * @name: bytes from anywhere
 * @most: characters that there is room for
 *
 * Names of kernels can be thousands of characters long.
 *
 * Returns: (transfer full): @name as by cyc_format_printable(); of one that is longer the beginning, and an ellipsis
 */
char *
cyc_format_name (const char *name,
                 guint       most)
{
  g_autofree char *printable = cyc_format_printable (name);

  if (g_utf8_strlen (printable, -1) <= most)
    return g_steal_pointer (&printable);
  g_autofree char *begin = g_utf8_substring (printable, 0, most - 1);
  return g_strconcat (begin, "…", NULL);
}

/**
 * cyc_format_size:
 * @bytes: a size
 *
 * Returns: (transfer full): such as `512 B` or `3.4 MB`; units are powers of 1000
 */
char *
cyc_format_size (guint64 bytes)
{
  static const char *const units[] = { "kB", "MB", "GB", "TB", "PB", "EB" };
  double value = (double) bytes;
  guint unit = 0;

  if (bytes < 1000)
    return g_strdup_printf ("%" G_GUINT64_FORMAT " B", bytes);
  value /= 1000;
  /* 999.96 kB would round to "1000.0 kB". */
  while (value >= 999.95 && unit + 1 < G_N_ELEMENTS (units))
    {
      value /= 1000;
      unit++;
    }
  return g_strdup_printf ("%.1f %s", value, units[unit]);
}

/**
 * cyc_format_seconds:
 * @seconds: a length of time; negative or not finite gives a dash
 *
 * Returns: (transfer full): such as `0.8 s`, `42 s`, `3 min 05 s`, `2 h 10 min` or `4 d 3 h`
 */
char *
cyc_format_seconds (double seconds)
{
  if (!isfinite (seconds) || seconds < 0)
    return g_strdup ("-");
  if (seconds < 9.95)
    return g_strdup_printf ("%.1f s", seconds);
  if (seconds >= 1e15)
    return g_strdup ("-");
  guint64 whole = (guint64) llround (seconds);
  if (whole < 60)
    return g_strdup_printf ("%" G_GUINT64_FORMAT " s", whole);
  if (whole < 3600)
    return g_strdup_printf ("%" G_GUINT64_FORMAT " min %02" G_GUINT64_FORMAT " s", whole / 60,
                            whole % 60);
  if (whole < 86400)
    return g_strdup_printf ("%" G_GUINT64_FORMAT " h %02" G_GUINT64_FORMAT " min", whole / 3600,
                            whole / 60 % 60);
  return g_strdup_printf ("%" G_GUINT64_FORMAT " d %" G_GUINT64_FORMAT " h", whole / 86400,
                          whole / 3600 % 24);
}

/**
 * cyc_format_ns:
 * @ns: a simulated time in nanoseconds; not finite gives a dash
 *
 * Returns: (transfer full): such as `812 ns`, `5.33 us` or `1.20 ms`
 */
char *
cyc_format_ns (double ns)
{
  if (!isfinite (ns))
    return g_strdup ("-");
  if (fabs (ns) < 999.5)
    return g_strdup_printf ("%.0f ns", ns);
  if (fabs (ns) < 999.995e3)
    return g_strdup_printf ("%.2f us", ns / 1e3);
  if (fabs (ns) < 999.995e6)
    return g_strdup_printf ("%.2f ms", ns / 1e6);
  return g_strdup_printf ("%.2f s", ns / 1e9);
}

/**
 * cyc_format_number:
 * @value: a number; not finite gives a dash
 * @decimals: digits after the point
 *
 * Returns: (transfer full): the number in the user's locale
 */
char *
cyc_format_number (double value,
                       guint  decimals)
{
  if (!isfinite (value))
    return g_strdup ("-");
  return g_strdup_printf ("%.*f", (int) decimals, value);
}

/**
 * cyc_format_grouped_digits:
 * @plain: a number as C writes it
 *
 * For numbers that are wider than a double.
 *
 * Returns: (transfer full): it as cyc_format_grouped() writes it
 */
char *
cyc_format_grouped_digits (const char *plain)
{
  const struct lconv *locale = localeconv ();
  const char *point = locale->decimal_point;
  const char *group = locale->thousands_sep[0] != '\0' ? locale->thousands_sep : ",";

  if (g_str_equal (group, point))
    group = " ";
  GString *out = g_string_new (NULL);
  const char *p = plain;
  if (*p == '-')
    g_string_append_c (out, *p++);
  gsize n_digits = strspn (p, "0123456789");
  gboolean grouped = p[n_digits] != 'e';
  for (gsize left = n_digits; left > 0; left--)
    {
      if (grouped && left < n_digits && left % 3 == 0)
        g_string_append (out, group);
      g_string_append_c (out, *p++);
    }
  if (*p == '.')
    {
      g_string_append (out, point);
      p++;
    }
  g_string_append (out, p);
  return g_string_free (out, FALSE);
}

/* Takes all of a sign out of a text, or puts another in its place. */
static void
replace_sign (GString    *text,
              const char *sign,
              const char *by)
{
  if (sign[0] != '\0' && !g_str_equal (sign, by))
    g_string_replace (text, sign, by, 0);
}

/**
 * cyc_format_dup_ungrouped:
 * @text: a number as people type it, or as cyc_format_grouped() writes it
 *
 * Returns: (transfer full): it as C writes it, if it is a number
 */
char *
cyc_format_dup_ungrouped (const char *text)
{
  const struct lconv *locale = localeconv ();
  const char *point = locale->decimal_point;
  const char *group = locale->thousands_sep[0] != '\0' ? locale->thousands_sep : ",";
  GString *out = g_string_new (text);

  replace_sign (out, " ", "");
  if (!g_str_equal (group, point))
    replace_sign (out, group, "");
  replace_sign (out, point, ".");
  return g_string_free (out, FALSE);
}

/**
 * cyc_format_grouped:
 * @value: a number; not finite gives a dash
 * @decimals: digits after the point; less than 0 for as many as tell @value from its neighbours
 *
 * Returns: (transfer full): the number in the user's locale, its thousands apart; in a locale without
 *   a sign for that, by commas
 */
char *
cyc_format_grouped (double value,
                    int    decimals)
{
  char plain[CYC_DOUBLE_BUF + 320];

  if (!isfinite (value))
    return g_strdup ("-");
  if (value == 0)
    value = 0; /* not "-0" */
  if (decimals < 0)
    cyc_number_format_double (plain, value);
  else
    {
      char format[16];
      g_snprintf (format, sizeof format, "%%.%df", MIN (decimals, 15));
      g_ascii_formatd (plain, sizeof plain, format, value);
    }
  return cyc_format_grouped_digits (plain);
}

/**
 * cyc_format_short:
 * @value: a number; not finite gives a dash
 *
 * Three digits that matter, for where there is little room.
 *
 * Returns: (transfer full): such as `950`, `1.23k`, `45.6M`, `0.00123` or `1.2e-07`, in the user's
 *   locale
 */
char *
cyc_format_short (double value)
{
  static const char *const suffixes[] = { "", "k", "M", "G", "T", "P", "E" };
  double size = fabs (value);
  guint power = 0;
  char buf[CYC_DOUBLE_BUF];

  if (!isfinite (value))
    return g_strdup ("-");
  /* 999.6 would round to "1000". */
  while (size >= 999.5 && power + 1 < G_N_ELEMENTS (suffixes))
    {
      size /= 1000;
      power++;
    }
  if (size >= 999.5 || (size > 0 && size < 1e-4))
    {
      g_snprintf (buf, sizeof buf, "%.1e", value);
      return g_strdup (buf);
    }
  double scaled = value < 0 ? -size : size;
  if (power == 0)
    g_snprintf (buf, sizeof buf, "%.3g", scaled);
  else
    g_snprintf (buf, sizeof buf, "%.*f", size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2, scaled);
  return g_strconcat (buf, suffixes[power], NULL);
}

/**
 * cyc_format_time:
 * @iso: (nullable): a time as the API gives it
 *
 * Returns: (transfer full): local date and time to the second, a dash for %NULL
 */
char *
cyc_format_time (const char *iso)
{
  gint64 real_us;

  if (iso == NULL)
    return g_strdup ("-");
  if (!cyc_time_from_iso (iso, &real_us))
    return cyc_format_printable (iso);
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (real_us / G_USEC_PER_SEC);
  return time == NULL ? g_strdup ("-") : g_date_time_format (time, "%Y-%m-%d %H:%M:%S");
}
