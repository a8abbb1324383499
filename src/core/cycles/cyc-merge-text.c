/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/cycles/cyc-merge-text-private.h"

#include <math.h>
#include <string.h>

#include "core/cycles/cyc-python-text.h"

#define MAX_DIGITS 37

/**
 * cyc_merge_dup_key:
 * @value: (nullable): a value
 *
 * Returns: (transfer full): a text that is the same for values that Python finds equal: 2 and 2.0,
 *   1 and true, but not 2 and "2"
 */
char *
cyc_merge_dup_key (const CycJsonValue *value)
{
  double number;

  if (value != NULL && (value->kind == CYC_JSON_TRUE || value->kind == CYC_JSON_FALSE))
    return g_strdup (value->kind == CYC_JSON_TRUE ? "1" : "0");
  if (value != NULL && value->kind == CYC_JSON_DOUBLE && cyc_json_value_get_number (value, &number) &&
      isfinite (number) && number == floor (number))
    return number == 0 ? g_strdup ("0") : g_strdup_printf ("%.0f", number);
  return cyc_python_dup_repr (value);
}

/* Blank for Python's str.strip(). */
static gboolean
is_blank (gunichar c)
{
  return g_unichar_isspace (c) || (c >= 0x1c && c <= 0x1f) || c == 0x0b || c == 0x85;
}

/* The text of a number as Python takes it: without blanks around, digits of any script as ASCII,
 * without the underscores between digits. NULL if it cannot be one. */
static char *
normalize_number (const char *text,
                  gsize       len)
{
  g_autofree gunichar *chars = NULL;
  g_autoptr (GString) out = g_string_new (NULL);
  glong n;

  if (len > 4096 || memchr (text, '\0', len) != NULL || !g_utf8_validate_len (text, len, NULL))
    return NULL;
  chars = g_utf8_to_ucs4_fast (text, (glong) len, &n);
  glong first = 0;
  while (first < n && is_blank (chars[first]))
    first++;
  while (n > first && is_blank (chars[n - 1]))
    n--;
  for (glong i = first; i < n; i++)
    {
      if (chars[i] == '_' && i > first && i + 1 < n && g_unichar_isdigit (chars[i - 1]) &&
          g_unichar_isdigit (chars[i + 1]))
        continue;
      if (g_unichar_isdigit (chars[i]))
        g_string_append_c (out, (char) ('0' + g_unichar_digit_value (chars[i])));
      else if (chars[i] < 0x80)
        g_string_append_c (out, (char) chars[i]);
      else
        return NULL;
    }
  return g_string_free (g_steal_pointer (&out), FALSE);
}

/* float () of a text. */
static gboolean
parse_float (const char *text,
             gsize       len,
             double     *out_value)
{
  g_autofree char *number = normalize_number (text, len);
  if (number == NULL)
    return FALSE;

  const char *p = number;
  if (*p == '+' || *p == '-')
    p++;
  if (g_ascii_strcasecmp (p, "inf") == 0 || g_ascii_strcasecmp (p, "infinity") == 0 ||
      g_ascii_strcasecmp (p, "nan") == 0)
    {
      *out_value = g_ascii_tolower (*p) == 'n' ? (double) NAN : (double) INFINITY;
      return TRUE;
    }
  gsize whole = strspn (p, "0123456789");
  p += whole;
  gsize part = 0;
  if (*p == '.')
    {
      part = strspn (p + 1, "0123456789");
      p += 1 + part;
    }
  if (whole + part == 0)
    return FALSE;
  if (*p == 'e' || *p == 'E')
    {
      p++;
      if (*p == '+' || *p == '-')
        p++;
      gsize exponent = strspn (p, "0123456789");
      if (exponent == 0)
        return FALSE;
      p += exponent;
    }
  if (*p != '\0')
    return FALSE;
  *out_value = g_ascii_strtod (number, NULL);
  return TRUE;
}

/**
 * cyc_merge_get_number:
 * @value: (nullable): a value
 * @out_value: (out): the number, which may be infinite or no number
 *
 * Returns: whether @value is a number, or a text that Python's float() takes
 */
gboolean
cyc_merge_get_number (const CycJsonValue *value,
                      double             *out_value)
{
  if (value == NULL)
    return FALSE;
  if (value->kind == CYC_JSON_STRING)
    return parse_float (value->text, value->len, out_value);
  return cyc_json_value_get_number (value, out_value);
}

/**
 * cyc_merge_parse_integer:
 * @text: (array length=len): a text
 * @len: its length in bytes
 * @out_value: (out): the number
 *
 * Returns: whether Python's int() takes @text, and the number has no more than 37 digits
 */
gboolean
cyc_merge_parse_integer (const char   *text,
                         gsize         len,
                         CycCycleSize *out_value)
{
  g_autofree char *number = normalize_number (text, len);
  if (number == NULL)
    return FALSE;

  const char *p = number;
  gboolean negative = *p == '-';
  if (*p == '+' || *p == '-')
    p++;
  if (*p == '\0' || p[strspn (p, "0123456789")] != '\0')
    return FALSE;
  while (*p == '0')
    p++;
  if (strlen (p) > MAX_DIGITS)
    return FALSE;
  CycCycleSize value = 0;
  for (; *p != '\0'; p++)
    value = value * 10 + (*p - '0');
  *out_value = negative ? -value : value;
  return TRUE;
}

/**
 * cyc_merge_get_integer:
 * @value: (nullable): a value
 * @out_value: (out): the number
 *
 * Returns: whether @value is written as an integer, of no more than 37 digits
 */
gboolean
cyc_merge_get_integer (const CycJsonValue *value,
                       CycCycleSize       *out_value)
{
  return value != NULL && value->kind == CYC_JSON_INTEGER &&
         cyc_merge_parse_integer (value->text, value->len, out_value);
}

/* At a run of capitals: how many of them make a word, because an upper and a lower letter, a digit or
 * the end follows; the longest such, 0 if there is none. */
static gsize
match_capitals (const char *p)
{
  gsize n = strspn (p, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");

  for (; n > 0; n--)
    {
      const char *after = p + n;
      /* In front of a last line end counts as the end, as it does for `$`. */
      if (*after == '\0' || (*after == '\n' && after[1] == '\0') ||
          g_unichar_isdigit (g_utf8_get_char (after)) ||
          (g_ascii_isupper (after[0]) && g_ascii_islower (after[1])))
        return n;
    }
  return 0;
}

static gsize
match_word (const char *p)
{
  gsize n = match_capitals (p);

  if (n == 0)
    {
      gsize upper = g_ascii_isupper (*p) ? 1 : 0;
      gsize lower = strspn (p + upper, "abcdefghijklmnopqrstuvwxyz");
      n = lower > 0 ? upper + lower : 0;
    }
  if (n == 0)
    while (g_unichar_isdigit (g_utf8_get_char (p + n)))
      n += (gsize) (g_utf8_next_char (p + n) - (p + n));
  return n;
}

static void
append_escaped (GString    *out,
                const char *text)
{
  for (; *text != '\0'; text++)
    {
      if (strchr ("()[]{}?*+-|^$\\.&~# \t\n\r\v\f", *text) != NULL)
        g_string_append_c (out, '\\');
      g_string_append_c (out, *text);
    }
}

static void
append_name (GString    *out,
             const char *name)
{
  gboolean any = FALSE;

  for (const char *p = name; *p != '\0';)
    {
      gsize n = match_word (p);
      if (n == 0)
        {
          p = g_utf8_next_char (p);
          continue;
        }
      if (any)
        g_string_append (out, "[_]?");
      g_string_append_len (out, p, (gssize) n);
      any = TRUE;
      p += n;
    }
  if (!any)
    append_escaped (out, name);
}

/**
 * cyc_merge_infer_pattern:
 * @kernel_names: (array zero-terminated=1): names of kernels, in UTF-8
 *
 * Returns: (transfer full): a regular expression for what a framework may call them
 */
char *
cyc_merge_infer_pattern (const char *const *kernel_names)
{
  GString *out = g_string_new ("(?i)(?:");

  for (guint i = 0; kernel_names[i] != NULL; i++)
    {
      if (i > 0)
        g_string_append_c (out, '|');
      append_name (out, kernel_names[i]);
    }
  g_string_append_c (out, ')');
  return g_string_free (out, FALSE);
}
