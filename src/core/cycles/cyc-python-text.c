/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/cycles/cyc-python-text.h"

#include <math.h>
#include <string.h>

#include "core/base/cyc-double.h"
#include "core/base/cyc-util.h"

/* Values as Python's str() and repr() show them, because the texts of errors and the rules of the
 * merge are made of those. */

static void append_repr (GString            *out,
                         const CycJsonValue *value);

static void
append_escape (GString  *out,
               gunichar  c)
{
  if (c == '\n')
    g_string_append (out, "\\n");
  else if (c == '\r')
    g_string_append (out, "\\r");
  else if (c == '\t')
    g_string_append (out, "\\t");
  else if (c < 0x100)
    g_string_append_printf (out, "\\x%02x", c);
  else if (c < 0x10000)
    g_string_append_printf (out, "\\u%04x", c);
  else
    g_string_append_printf (out, "\\U%08x", c);
}

static gboolean
is_printable (gunichar c)
{
  GUnicodeType type = g_unichar_type (c);

  return c == ' ' || (g_unichar_isgraph (c) && type != G_UNICODE_LINE_SEPARATOR &&
                      type != G_UNICODE_PARAGRAPH_SEPARATOR && type != G_UNICODE_PRIVATE_USE);
}

static void
append_quoted (GString    *out,
               const char *text,
               gsize       len)
{
  gboolean has_single = memchr (text, '\'', len) != NULL;
  char quote = has_single && memchr (text, '"', len) == NULL ? '"' : '\'';

  g_string_append_c (out, quote);
  for (gsize i = 0; i < len;)
    {
      gunichar c = g_utf8_get_char_validated (text + i, (gssize) (len - i));
      if (text[i] == '\0')
        c = 0;
      gsize n = c < 0x110000 ? MAX ((gsize) g_unichar_to_utf8 (c, NULL), 1) : 1;
      if (c >= 0x110000 && (guchar) text[i] == 0xed && len - i >= 3)
        {
          /* Half a surrogate pair, as the JSON reader keeps it. */
          c = 0xd000u | ((guchar) text[i + 1] & 0x3fu) << 6 | ((guchar) text[i + 2] & 0x3fu);
          n = 3;
        }
      else if (c >= 0x110000)
        c = (guchar) text[i];
      if (c == (gunichar) quote || c == '\\')
        {
          g_string_append_c (out, '\\');
          g_string_append_c (out, (char) c);
        }
      else if (n == 3 && c >= 0xd800 && c <= 0xdfff)
        append_escape (out, c);
      else if (is_printable (c) && n == (gsize) g_unichar_to_utf8 (c, NULL))
        g_string_append_unichar (out, c);
      else
        append_escape (out, c);
      i += n;
    }
  g_string_append_c (out, quote);
}

static void
append_double (GString            *out,
               const CycJsonValue *value)
{
  char buf[CYC_DOUBLE_WRITE_MAX];
  double number = 0;

  cyc_json_value_get_number (value, &number);
  if (isnan (number))
    g_string_append (out, "nan");
  else if (isinf (number))
    g_string_append (out, number < 0 ? "-inf" : "inf");
  else
    g_string_append_len (out, buf, cyc_double_write (buf, number) - buf);
}

static void
append_items (GString            *out,
              const CycJsonValue *value)
{
  gboolean is_object = value->kind == CYC_JSON_OBJECT;

  g_string_append_c (out, is_object ? '{' : '[');
  for (const CycJsonValue *p = value->first; p != NULL; p = p->next)
    {
      if (p != value->first)
        g_string_append (out, ", ");
      if (is_object)
        {
          append_quoted (out, p->key, p->key_len);
          g_string_append (out, ": ");
        }
      append_repr (out, p);
    }
  g_string_append_c (out, is_object ? '}' : ']');
}

static void
append_repr (GString            *out,
             const CycJsonValue *value)
{
  if (value == NULL || value->kind == CYC_JSON_NULL)
    g_string_append (out, "None");
  else if (value->kind == CYC_JSON_TRUE || value->kind == CYC_JSON_FALSE)
    g_string_append (out, value->kind == CYC_JSON_TRUE ? "True" : "False");
  else if (value->kind == CYC_JSON_INTEGER)
    g_string_append (out, strcmp (value->text, "-0") == 0 ? "0" : value->text);
  else if (value->kind == CYC_JSON_DOUBLE)
    append_double (out, value);
  else if (value->kind == CYC_JSON_STRING)
    append_quoted (out, value->text, value->len);
  else
    append_items (out, value);
}

/**
 * cyc_python_dup_repr:
 * @value: (nullable): a value; %NULL counts as null
 *
 * Returns: (transfer full): the value as Python's repr() prints it, such as `'text'`, `None`, `1.0`
 */
char *
cyc_python_dup_repr (const CycJsonValue *value)
{
  GString *out = g_string_new (NULL);

  append_repr (out, value);
  return g_string_free (out, FALSE);
}

/**
 * cyc_python_dup_str:
 * @value: (nullable): a value; %NULL counts as null
 *
 * Returns: (transfer full): the value as Python's str() prints it: a string is itself, without what
 *   UTF-8 cannot hold and NULs, which become U+FFFD; all others are as cyc_python_dup_repr()
 */
char *
cyc_python_dup_str (const CycJsonValue *value)
{
  if (value != NULL && value->kind == CYC_JSON_STRING)
    return cyc_utf8_make_valid (value->text, value->len);
  return cyc_python_dup_repr (value);
}

/**
 * cyc_python_quote:
 * @text: (array length=len): a text
 * @len: its length in bytes
 *
 * Returns: (transfer full): the text in quotes, as Python's repr() prints it
 */
char *
cyc_python_quote (const char *text,
                  gsize       len)
{
  GString *out = g_string_new (NULL);

  append_quoted (out, text, len);
  return g_string_free (out, FALSE);
}
