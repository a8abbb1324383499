/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/base/cyc-number.h"

#include <math.h>
#include <string.h>

#include "core/base/cyc-double.h"

/**
 * cyc_number_format_double:
 * @buf: room for the text
 * @value: a finite number
 *
 * Writes the shortest decimal text that reads back as @value, in the form of cyc_double_write(),
 * whatever the locale. Integers below 10^16 come without a decimal point, and negative zero keeps its sign.
 *
 * Returns: @buf
 */
const char *
cyc_number_format_double (char   buf[CYC_DOUBLE_BUF],
                          double value)
{
  g_return_val_if_fail (isfinite (value), "null");

  char *end = cyc_double_write (buf, value);
  *end = '\0';
  if (value != 0 && g_str_has_suffix (buf, ".0"))
    end[-2] = '\0';
  else if (value == 0 && !signbit (value))
    g_strlcpy (buf, "0", CYC_DOUBLE_BUF);
  return buf;
}

static gboolean
is_decimal_text (const char *p,
                 const char *end)
{
  if (p < end && (*p == '+' || *p == '-'))
    p++;
  const char *digits = p;
  gsize n_digits = 0;
  while (p < end && g_ascii_isdigit (*p))
    p++, n_digits++;
  if (p < end && *p == '.')
    {
      p++;
      while (p < end && g_ascii_isdigit (*p))
        p++, n_digits++;
    }
  if (n_digits == 0 || p == digits)
    return FALSE;
  if (p < end && (*p == 'e' || *p == 'E'))
    {
      p++;
      if (p < end && (*p == '+' || *p == '-'))
        p++;
      const char *exponent = p;
      while (p < end && g_ascii_isdigit (*p))
        p++;
      if (p == exponent)
        return FALSE;
    }
  return p == end;
}

/**
 * cyc_number_parse_double:
 * @text: (array length=len): a text; needs no NUL at its end
 * @len: its length in bytes
 * @out_value: (out): the value
 *
 * Reads a decimal number that fills @text but for blanks and tabs around it. Units, percent signs,
 * hexadecimal, `nan` and `inf` are not numbers. Independent of the locale.
 *
 * Returns: %TRUE if @text is a number that a double can hold as a finite value
 */
gboolean
cyc_number_parse_double (const char *text,
                         gsize       len,
                         double     *out_value)
{
  const char *end = text + len;

  while (text < end && (*text == ' ' || *text == '\t'))
    text++;
  while (end > text && (end[-1] == ' ' || end[-1] == '\t'))
    end--;
  if (!is_decimal_text (text, end))
    return FALSE;

  /* Counters are short integers nearly always: exact in a double, and much faster than strtod. */
  gsize n = (gsize) (end - text);
  if (n <= 15)
    {
      gint64 whole = 0;
      const char *p = text;
      while (p < end && g_ascii_isdigit (*p))
        whole = whole * 10 + (*p++ - '0');
      if (p == end)
        {
          *out_value = (double) whole;
          return TRUE;
        }
    }

  char local[64];
  g_autofree char *heap = NULL;
  char *copy = local;
  if (n >= sizeof local)
    copy = heap = g_malloc (n + 1);
  memcpy (copy, text, n);
  copy[n] = '\0';
  double value = g_ascii_strtod (copy, NULL);
  if (!isfinite (value))
    return FALSE;
  *out_value = value;
  return TRUE;
}

/**
 * cyc_number_parse_uint64:
 * @text: (array length=len): a text; needs no NUL at its end
 * @len: its length in bytes
 * @out_value: (out): the value
 *
 * Reads decimal digits that fill @text but for blanks and tabs around them.
 *
 * Returns: %TRUE if @text is such a number and fits
 */
gboolean
cyc_number_parse_uint64 (const char *text,
                         gsize       len,
                         guint64    *out_value)
{
  const char *end = text + len;

  while (text < end && (*text == ' ' || *text == '\t'))
    text++;
  while (end > text && (end[-1] == ' ' || end[-1] == '\t'))
    end--;
  if (text == end)
    return FALSE;

  guint64 value = 0;
  for (; text < end; text++)
    {
      if (!g_ascii_isdigit (*text))
        return FALSE;
      guint64 digit = (guint64) (*text - '0');
      if (value > (G_MAXUINT64 - digit) / 10)
        return FALSE;
      value = value * 10 + digit;
    }
  *out_value = value;
  return TRUE;
}

/**
 * cyc_number_parse_int64:
 * @text: (array length=len): a text; needs no NUL at its end
 * @len: its length in bytes
 * @out_value: (out): the value
 *
 * Like cyc_number_parse_uint64(), with an optional sign before the digits.
 *
 * Returns: %TRUE if @text is such a number and fits
 */
gboolean
cyc_number_parse_int64 (const char *text,
                        gsize       len,
                        gint64     *out_value)
{
  const char *end = text + len;
  gboolean negative = FALSE;
  guint64 magnitude;

  while (text < end && (*text == ' ' || *text == '\t'))
    text++;
  if (text < end && (*text == '-' || *text == '+'))
    {
      negative = *text == '-';
      text++;
      if (text == end || !g_ascii_isdigit (*text))
        return FALSE;
    }
  if (!cyc_number_parse_uint64 (text, (gsize) (end - text), &magnitude))
    return FALSE;
  if (negative)
    {
      if (magnitude > (guint64) G_MAXINT64 + 1)
        return FALSE;
      *out_value = (gint64) (0 - magnitude);
    }
  else
    {
      if (magnitude > (guint64) G_MAXINT64)
        return FALSE;
      *out_value = (gint64) magnitude;
    }
  return TRUE;
}
