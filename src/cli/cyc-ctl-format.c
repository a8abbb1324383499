/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/cyc-ctl-format.h"

#include <math.h>
#include <string.h>

#include "core/base/cyc-time.h"
#include "core/base/cyc-util.h"

/* Numbers, sizes and times for people. What programs read never comes through here. */

#define REPLACEMENT "\xEF\xBF\xBD"

/**
 * cyc_ctl_format_printable:
 * @text: bytes from anywhere
 *
 * Names of files and kernels come from outside and must not steer a terminal: what is not UTF-8 and
 * every control character becomes U+FFFD, tabs and line ends a blank.
 *
 * Returns: (transfer full): one line of UTF-8
 */
char *
cyc_ctl_format_printable (const char *text)
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
 * cyc_ctl_format_cut:
 * @text: printable UTF-8
 * @width: cells there are
 * @mark: what stands at the place of the cut, such as an ellipsis
 *
 * Returns: (transfer full): the text if it fits, else its beginning and @mark
 */
char *
cyc_ctl_format_cut (const char *text,
                    guint       width,
                    const char *mark)
{
  guint mark_width = cyc_utf8_get_width (mark, strlen (mark));
  guint used = 0;

  if (cyc_utf8_get_width (text, strlen (text)) <= width)
    return g_strdup (text);
  const char *p = text;
  while (*p != '\0')
    {
      const char *next = g_utf8_next_char (p);
      used += cyc_utf8_get_width (p, (gsize) (next - p));
      if (used + mark_width > width)
        break;
      p = next;
    }
  return g_strdup_printf ("%.*s%s", (int) (p - text), text, mark);
}

/**
 * cyc_ctl_format_size:
 * @bytes: a size
 *
 * Returns: (transfer full): such as `512 B` or `3.4 MB`; units are powers of 1000
 */
char *
cyc_ctl_format_size (guint64 bytes)
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
 * cyc_ctl_format_seconds:
 * @seconds: a length of time; negative or not finite gives a dash
 *
 * Returns: (transfer full): such as `0.8 s`, `42 s`, `3 min 05 s`, `2 h 10 min` or `4 d 3 h`
 */
char *
cyc_ctl_format_seconds (double seconds)
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
 * cyc_ctl_format_ns:
 * @ns: a simulated time in nanoseconds; not finite gives a dash
 *
 * Returns: (transfer full): such as `812 ns`, `5.33 us` or `1.20 ms`
 */
char *
cyc_ctl_format_ns (double ns)
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
 * cyc_ctl_format_number:
 * @value: a number; not finite gives a dash
 * @decimals: digits after the point
 *
 * Returns: (transfer full): the number in the user's locale
 */
char *
cyc_ctl_format_number (double value,
                       guint  decimals)
{
  if (!isfinite (value))
    return g_strdup ("-");
  return g_strdup_printf ("%.*f", (int) decimals, value);
}

/**
 * cyc_ctl_format_time:
 * @iso: (nullable): a time as the API gives it
 *
 * Returns: (transfer full): local date and time to the second, a dash for %NULL
 */
char *
cyc_ctl_format_time (const char *iso)
{
  gint64 real_us;

  if (iso == NULL)
    return g_strdup ("-");
  if (!cyc_time_from_iso (iso, &real_us))
    return cyc_ctl_format_printable (iso);
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (real_us / G_USEC_PER_SEC);
  return time == NULL ? g_strdup ("-") : g_date_time_format (time, "%Y-%m-%d %H:%M:%S");
}
