/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/base/cyc-json.h"

#include <string.h>

#include "core/base/cyc-byte-reader.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-number.h"

/* A parser of our own over json-glib's tree: that library's reads comments, `var x =`, hexadecimal and
 * single quotes, wraps integers that do not fit, and recurses as deep as the text asks. */

/* Values nest by recursion here too, but no deeper than this. */
#define MAX_DEPTH 128

typedef struct
{
  const char *start;
  const char *p;
  const char *end;
  const char *source;
  GString    *scratch; /* a string with escapes, while it is put together */
  guint       depth;
} Parser;

static JsonNode *parse_value (Parser  *self,
                              GError **error);

static guint64
get_line (const Parser *self)
{
  guint64 line = 1;

  for (const char *p = self->start; p < self->p; p++)
    line += *p == '\n';
  return line;
}

/* Sets "not JSON: expected WHAT, found ..." for the place that was reached. */
static void
set_expected (Parser      *self,
              const char  *what,
              GError     **error)
{
  if (self->p >= self->end)
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, self->source, get_line (self),
                        "not JSON: expected %s, found the end of the text", what);
      return;
    }
  if ((guchar) *self->p < 0x20 || *self->p == 0x7f)
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, self->source, get_line (self),
                        "not JSON: expected %s, found the control character 0x%02x", what,
                        (guint) (guchar) *self->p);
      return;
    }
  int len = (int) (g_utf8_next_char (self->p) - self->p);
  cyc_error_set_at (error, CYC_ERROR_INPUT, self->source, get_line (self),
                    "not JSON: expected %s, found '%.*s'", what, len, self->p);
}

static void
skip_blanks (Parser *self)
{
  while (self->p < self->end &&
         (*self->p == ' ' || *self->p == '\n' || *self->p == '\r' || *self->p == '\t'))
    self->p++;
}

static gboolean
take (Parser *self,
      char    c)
{
  if (self->p >= self->end || *self->p != c)
    return FALSE;
  self->p++;
  return TRUE;
}

static gboolean
take_hex4 (Parser   *self,
           gunichar *out_value)
{
  gunichar value = 0;

  if (self->end - self->p < 4)
    return FALSE;
  for (guint i = 0; i < 4; i++)
    {
      int digit = g_ascii_xdigit_value (self->p[i]);
      if (digit < 0)
        return FALSE;
      value = value * 16 + (gunichar) digit;
    }
  self->p += 4;
  *out_value = value;
  return TRUE;
}

/* After `\u`. Half of a surrogate pair and NUL have no place in UTF-8 text: U+FFFD, as everywhere. */
static gboolean
take_unicode_escape (Parser *self)
{
  gunichar c;

  if (!take_hex4 (self, &c))
    return FALSE;
  if (c >= 0xd800 && c <= 0xdbff && self->end - self->p >= 6 && self->p[0] == '\\' && self->p[1] == 'u')
    {
      const char *kept = self->p;
      gunichar low;
      self->p += 2;
      if (take_hex4 (self, &low) && low >= 0xdc00 && low <= 0xdfff)
        c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
      else
        self->p = kept;
    }
  if (c == 0 || (c >= 0xd800 && c <= 0xdfff))
    c = 0xfffd;
  g_string_append_unichar (self->scratch, c);
  return TRUE;
}

static gboolean
take_escape (Parser *self)
{
  static const char names[] = "\"\\/bfnrt";
  static const char values[] = "\"\\/\b\f\n\r\t";

  if (self->p >= self->end)
    return FALSE;
  if (take (self, 'u'))
    return take_unicode_escape (self);
  const char *name = *self->p == '\0' ? NULL : strchr (names, *self->p);
  if (name == NULL)
    return FALSE;
  g_string_append_c (self->scratch, values[name - names]);
  self->p++;
  return TRUE;
}

/* At the opening quote. Returns the text, in self->scratch. */
static gboolean
parse_string (Parser  *self,
              GError **error)
{
  self->p++;
  g_string_truncate (self->scratch, 0);
  for (;;)
    {
      const char *run = self->p;
      while (self->p < self->end && *self->p != '"' && *self->p != '\\' && (guchar) *self->p >= 0x20)
        self->p++;
      g_string_append_len (self->scratch, run, self->p - run);
      if (take (self, '"'))
        return TRUE;
      if (!take (self, '\\'))
        {
          set_expected (self, "the closing '\"' of a string", error);
          return FALSE;
        }
      if (!take_escape (self))
        {
          set_expected (self, "an escape such as \\n or \\u00e9", error);
          return FALSE;
        }
    }
}

static gboolean
skip_digits (Parser *self)
{
  const char *first = self->p;

  while (self->p < self->end && g_ascii_isdigit (*self->p))
    self->p++;
  return self->p > first;
}

/* An integer that fits 64 bits stays one; all others become doubles. */
static JsonNode *
parse_number (Parser  *self,
              GError **error)
{
  const char *first = self->p;
  gboolean is_integer = TRUE;

  take (self, '-');
  gboolean ok = take (self, '0') || skip_digits (self);
  if (ok && take (self, '.'))
    {
      is_integer = FALSE;
      ok = skip_digits (self);
    }
  if (ok && (take (self, 'e') || take (self, 'E')))
    {
      is_integer = FALSE;
      if (!take (self, '+'))
        take (self, '-');
      ok = skip_digits (self);
    }
  if (!ok)
    {
      set_expected (self, "a digit", error);
      return NULL;
    }

  gsize len = (gsize) (self->p - first);
  gint64 whole;
  double value;
  if (is_integer && cyc_number_parse_int64 (first, len, &whole))
    return json_node_init_int (json_node_alloc (), whole);
  if (cyc_number_parse_double (first, len, &value))
    return json_node_init_double (json_node_alloc (), value);
  cyc_error_set_at (error, CYC_ERROR_INPUT, self->source, get_line (self),
                    "not JSON: a number is too large");
  return NULL;
}

static JsonNode *
parse_word (Parser  *self,
            GError **error)
{
  static const char *const words[] = { "true", "false", "null" };
  gsize left = (gsize) (self->end - self->p);

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      gsize len = strlen (words[i]);
      if (left < len || memcmp (self->p, words[i], len) != 0)
        continue;
      self->p += len;
      return i == 2 ? json_node_init_null (json_node_alloc ())
                    : json_node_init_boolean (json_node_alloc (), i == 0);
    }
  set_expected (self, "a value", error);
  return NULL;
}

/* After `[`. */
static gboolean
parse_items (Parser     *self,
             JsonArray  *array,
             GError    **error)
{
  skip_blanks (self);
  if (take (self, ']'))
    return TRUE;
  for (;;)
    {
      JsonNode *item = parse_value (self, error);
      if (item == NULL)
        return FALSE;
      json_array_add_element (array, item);
      skip_blanks (self);
      if (take (self, ']'))
        return TRUE;
      if (!take (self, ','))
        {
          set_expected (self, "',' or ']' after an item", error);
          return FALSE;
        }
    }
}

/* After `{`. A key that comes twice keeps its last value. */
static gboolean
parse_members (Parser      *self,
               JsonObject  *object,
               GError     **error)
{
  skip_blanks (self);
  if (take (self, '}'))
    return TRUE;
  for (;;)
    {
      skip_blanks (self);
      if (self->p >= self->end || *self->p != '"')
        {
          set_expected (self, "a key in double quotes", error);
          return FALSE;
        }
      if (!parse_string (self, error))
        return FALSE;
      g_autofree char *key = g_strndup (self->scratch->str, self->scratch->len);
      skip_blanks (self);
      if (!take (self, ':'))
        {
          set_expected (self, "':' after a key", error);
          return FALSE;
        }
      JsonNode *value = parse_value (self, error);
      if (value == NULL)
        return FALSE;
      json_object_set_member (object, key, value);
      skip_blanks (self);
      if (take (self, '}'))
        return TRUE;
      if (!take (self, ','))
        {
          set_expected (self, "',' or '}' after a member", error);
          return FALSE;
        }
    }
}

static JsonNode *
parse_container (Parser  *self,
                 GError **error)
{
  if (self->depth == MAX_DEPTH)
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, self->source, get_line (self),
                        "JSON nested more than %d levels deep", MAX_DEPTH);
      return NULL;
    }
  self->depth++;
  JsonNode *node = NULL;
  if (take (self, '['))
    {
      g_autoptr (JsonArray) array = json_array_new ();
      if (parse_items (self, array, error))
        node = json_node_init_array (json_node_alloc (), array);
    }
  else
    {
      g_autoptr (JsonObject) object = json_object_new ();
      self->p++;
      if (parse_members (self, object, error))
        node = json_node_init_object (json_node_alloc (), object);
    }
  self->depth--;
  return node;
}

static JsonNode *
parse_value (Parser  *self,
             GError **error)
{
  skip_blanks (self);
  char c = self->p < self->end ? *self->p : '\0';
  if (c == '[' || c == '{')
    return parse_container (self, error);
  if (c == '-' || g_ascii_isdigit (c))
    return parse_number (self, error);
  if (c != '"')
    return parse_word (self, error);
  if (!parse_string (self, error))
    return NULL;
  return json_node_init_string (json_node_alloc (), self->scratch->str);
}

/**
 * cyc_json_parse:
 * @text: (array length=len): JSON text
 * @len: length in bytes
 * @source: (nullable): the file's name for messages
 * @error: (nullable): return location for an error
 *
 * Reads one JSON value (RFC 8259, nothing more), whole, into memory: for settings, metadata and
 * request bodies, not for traces. Text that is not UTF-8, nested more than 128 levels deep, or not
 * JSON is an error with its line. Integers that 64 bits cannot hold become doubles; `\u0000` and
 * half a surrogate pair become U+FFFD. A byte order mark in front is skipped. Safe on every thread.
 *
 * Returns: (transfer full) (nullable): the value
 */
JsonNode *
cyc_json_parse (const char  *text,
                gsize        len,
                const char  *source,
                GError     **error)
{
  g_return_val_if_fail (text != NULL || len == 0, NULL);

  Parser self = { .start = text, .p = text, .end = text + len, .source = source };
  const char *bad;
  if (len > 0 && !g_utf8_validate_len (text, len, &bad))
    {
      self.p = bad;
      cyc_error_set_at (error, CYC_ERROR_INPUT, source, get_line (&self),
                        "not JSON: the text is not UTF-8 from byte %" G_GSIZE_FORMAT " on",
                        (gsize) (bad - text));
      return NULL;
    }
  if (len >= 3 && memcmp (text, "\xEF\xBB\xBF", 3) == 0)
    self.p += 3;

  self.scratch = g_string_new (NULL);
  g_autoptr (JsonNode) root = parse_value (&self, error);
  g_string_free (self.scratch, TRUE);
  if (root == NULL)
    return NULL;
  skip_blanks (&self);
  if (self.p < self.end)
    {
      set_expected (&self, "the end of the text", error);
      return NULL;
    }
  return g_steal_pointer (&root);
}

/**
 * cyc_json_parse_file:
 * @path: a file; `.gz` and `.xz` are unpacked
 * @limit: refuse more bytes than these
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): the file's JSON value
 */
JsonNode *
cyc_json_parse_file (const char  *path,
                     gsize        limit,
                     GError     **error)
{
  gsize len;
  g_autofree char *text = cyc_byte_reader_read_all (path, limit, &len, error);

  return text == NULL ? NULL : cyc_json_parse (text, len, path, error);
}
