/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/base/cyc-json-reader.h"

#include <string.h>

#include "core/base/cyc-error.h"

#define BUFFER_SIZE (256 * 1024)
#define MAX_TOKEN (256 * 1024 * 1024)

typedef enum
{
  STATE_VALUE,       /* a value */
  STATE_FIRST_ITEM,  /* a value or `]` */
  STATE_FIRST_KEY,   /* a key or `}` */
  STATE_KEY,
  STATE_COLON,
  STATE_AFTER_VALUE, /* a comma or the end of the container, or of the text */
} State;

struct _CycJsonReader
{
  CycJsonRead  read; /* NULL once there is no more */
  gpointer     data;
  char        *buffer; /* NULL for a text of somebody else's */
  gsize        size;
  const char  *p;
  const char  *end;
  const char  *token_start;
  guint64      base; /* offset in the text of what `p - from` counts from */
  const char  *from;
  CycJsonToken token;
  State        state;
  const char  *text;
  gsize        text_len;
  GString     *scratch; /* a string with escapes */
  guint64      line;
  guint64      line_start;
  guint        depth;
  gboolean     accepts_constants;
  gboolean     is_syntax; /* the last error is about the text, not about reading it */
  gboolean     is_object[CYC_JSON_READER_MAX_DEPTH + 1];
};

static CycJsonReader *
new_reader (void)
{
  CycJsonReader *self = g_new0 (CycJsonReader, 1);

  self->scratch = g_string_new (NULL);
  self->line = 1;
  self->state = STATE_VALUE;
  self->token = CYC_JSON_END;
  return self;
}

/**
 * cyc_json_reader_new:
 * @read: gives the next bytes
 * @data: for @read
 *
 * A reader of one JSON value (RFC 8259, nothing more), token by token, in constant memory: for
 * traces, which can be larger than memory. Numbers are given as their text, strings as their
 * meaning in UTF-8, in which half a surrogate pair keeps its three bytes (and is no UTF-8 then; it
 * can only come from an escape). A byte order mark in front is skipped.
 *
 * Returns: (transfer full): a reader, for one thread at a time
 */
CycJsonReader *
cyc_json_reader_new (CycJsonRead read,
                     gpointer    data)
{
  CycJsonReader *self = new_reader ();

  self->read = read;
  self->data = data;
  self->size = BUFFER_SIZE;
  self->buffer = g_malloc (self->size);
  self->p = self->end = self->from = self->buffer;
  return self;
}

/**
 * cyc_json_reader_new_for_text:
 * @text: (array length=len): JSON text, which has to stay
 * @len: its length in bytes
 *
 * Returns: (transfer full): a reader of a text in memory
 */
CycJsonReader *
cyc_json_reader_new_for_text (const char *text,
                              gsize       len)
{
  CycJsonReader *self = new_reader ();

  self->p = self->from = text;
  self->end = text + len;
  return self;
}

/**
 * cyc_json_reader_free:
 * @self: (transfer full): a reader
 */
void
cyc_json_reader_free (CycJsonReader *self)
{
  g_return_if_fail (self != NULL);

  g_string_free (self->scratch, TRUE);
  g_free (self->buffer);
  g_free (self);
}

/**
 * cyc_json_reader_set_constants:
 * @self: a reader
 * @accepted: whether `NaN`, `Infinity` and `-Infinity` are taken as numbers, as Python's reader does
 */
void
cyc_json_reader_set_constants (CycJsonReader *self,
                               gboolean       accepted)
{
  self->accepts_constants = accepted;
}

/* Reads more behind what is there from token_start (NULL: from p) on. FALSE with error unset at the
 * end of the text. */
static gboolean
refill (CycJsonReader  *self,
        GError        **error)
{
  if (self->read == NULL)
    return FALSE;

  const char *keep = self->token_start != NULL ? self->token_start : self->p;
  gsize kept = (gsize) (self->end - keep);
  gsize at = (gsize) (self->p - keep);
  self->base += (guint64) (keep - self->from);
  memmove (self->buffer, keep, kept);
  if (kept == self->size)
    {
      if (self->size >= MAX_TOKEN)
        {
          self->is_syntax = TRUE;
          cyc_error_set_at (error, CYC_ERROR_TOO_LARGE, NULL, 0, "a text of more than %d bytes", MAX_TOKEN);
          return FALSE;
        }
      self->size *= 2;
      self->buffer = g_realloc (self->buffer, self->size);
    }
  self->from = self->buffer;
  self->p = self->buffer + at;
  self->end = self->buffer + kept;
  if (self->token_start != NULL)
    self->token_start = self->buffer;

  gssize n = self->read (self->data, self->buffer + kept, self->size - kept, error);
  if (n <= 0)
    {
      self->read = NULL;
      return FALSE;
    }
  self->end += n;
  return TRUE;
}

static guint64
get_offset (const CycJsonReader *self,
            const char          *p)
{
  return self->base + (guint64) (p - self->from);
}

static gboolean
fail (CycJsonReader  *self,
      const char     *what,
      GError        **error)
{
  g_autofree char *found = NULL;

  /* Refilling failed for a reason of its own. */
  if (error != NULL && *error != NULL)
    return FALSE;
  /* A whole character is wanted for the message. */
  while (self->p < self->end && (guchar) *self->p >= 0x80 && self->end - self->p < 4 && refill (self, NULL))
    ;
  guint64 offset = get_offset (self, self->p);
  if (self->p >= self->end)
    found = g_strdup ("the end of the text");
  else if ((guchar) *self->p < 0x20 || *self->p == 0x7f)
    found = g_strdup_printf ("the control character 0x%02x", (guint) (guchar) *self->p);
  else if ((guchar) *self->p >= 0x80)
    {
      gsize left = (gsize) (self->end - self->p);
      gunichar c = g_utf8_get_char_validated (self->p, (gssize) MIN (left, 6));
      if (c == (gunichar) -1 || c == (gunichar) -2)
        found = g_strdup_printf ("the byte 0x%02x, which is not UTF-8", (guint) (guchar) *self->p);
      else
        found = g_strdup_printf ("'%.*s'", (int) (g_utf8_next_char (self->p) - self->p), self->p);
    }
  else
    found = g_strdup_printf ("'%c'", *self->p);
  self->is_syntax = TRUE;
  cyc_error_set_at (error, CYC_ERROR_INPUT, NULL, 0,
                    "expected %s, found %s: line %" G_GUINT64_FORMAT " column %" G_GUINT64_FORMAT
                    " (byte %" G_GUINT64_FORMAT ")",
                    what, found, self->line, offset - self->line_start + 1, offset);
  return FALSE;
}

/* FALSE at the end of the text. */
static gboolean
skip_blanks (CycJsonReader  *self,
             GError        **error)
{
  for (;;)
    {
      while (self->p < self->end)
        {
          if (*self->p == '\n')
            {
              self->line++;
              self->line_start = get_offset (self, self->p) + 1;
            }
          else if (*self->p != ' ' && *self->p != '\r' && *self->p != '\t')
            return TRUE;
          self->p++;
        }
      if (!refill (self, error))
        return FALSE;
    }
}

/* Whether at least n bytes are there. */
static gboolean
has_bytes (CycJsonReader  *self,
           gsize           n,
           GError        **error)
{
  while ((gsize) (self->end - self->p) < n)
    if (!refill (self, error))
      return FALSE;
  return TRUE;
}

static gboolean
take_hex4 (CycJsonReader  *self,
           guint          *out_value,
           GError        **error)
{
  guint value = 0;

  if (!has_bytes (self, 4, error))
    return FALSE;
  for (guint i = 0; i < 4; i++)
    {
      int digit = g_ascii_xdigit_value (self->p[i]);
      if (digit < 0)
        return FALSE;
      value = value * 16 + (guint) digit;
    }
  self->p += 4;
  *out_value = value;
  return TRUE;
}

/* g_string_append_unichar() for what may be half a surrogate pair. */
static void
append_code_point (GString *out,
                   guint    c)
{
  if (c < 0xd800 || c > 0xdfff)
    {
      g_string_append_unichar (out, c);
      return;
    }
  g_string_append_c (out, (char) 0xed);
  g_string_append_c (out, (char) (0x80 | (c >> 6 & 0x3f)));
  g_string_append_c (out, (char) (0x80 | (c & 0x3f)));
}

/* Behind the `u`. */
static gboolean
take_unicode_escape (CycJsonReader  *self,
                     GError        **error)
{
  guint c, low;

  if (!take_hex4 (self, &c, error))
    return FALSE;
  if (c >= 0xd800 && c <= 0xdbff && has_bytes (self, 6, error) && self->p[0] == '\\' && self->p[1] == 'u')
    {
      gsize kept = (gsize) (self->p - self->token_start);
      self->p += 2;
      if (take_hex4 (self, &low, error) && low >= 0xdc00 && low <= 0xdfff)
        c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
      else
        self->p = self->token_start + kept;
    }
  append_code_point (self->scratch, c);
  return TRUE;
}

static gboolean
take_escape (CycJsonReader  *self,
             GError        **error)
{
  static const char names[] = "\"\\/bfnrt";
  static const char values[] = "\"\\/\b\f\n\r\t";

  if (!has_bytes (self, 1, error))
    return FALSE;
  if (*self->p == 'u')
    {
      self->p++;
      return take_unicode_escape (self, error);
    }
  const char *name = *self->p == '\0' ? NULL : strchr (names, *self->p);
  if (name == NULL)
    return FALSE;
  g_string_append_c (self->scratch, values[name - names]);
  self->p++;
  return TRUE;
}

/* At the opening quote. */
static gboolean
read_string (CycJsonReader  *self,
             GError        **error)
{
  gboolean has_escapes = FALSE;
  guchar seen = 0;

  self->token_start = self->p++;
  gsize run = 1; /* where the bytes begin that are not yet in scratch */
  for (;;)
    {
      const char *p = self->p;
      const char *end = self->end;
      while (p < end && *p != '"' && *p != '\\' && (guchar) *p >= 0x20)
        seen |= (guchar) *p++;
      self->p = p;
      if (p == end)
        {
          if (refill (self, error))
            continue;
          return fail (self, "the closing '\"' of a string", error);
        }
      const char *first = self->token_start + run;
      gsize n = (gsize) (p - first);
      const char *bad;
      if ((seen & 0x80) != 0 && !g_utf8_validate_len (first, n, &bad))
        {
          self->p = bad;
          return fail (self, "UTF-8", error);
        }
      if (*p == '"' && !has_escapes)
        {
          self->text = first;
          self->text_len = n;
          break;
        }
      if (!has_escapes)
        g_string_truncate (self->scratch, 0);
      has_escapes = TRUE;
      g_string_append_len (self->scratch, first, (gssize) n);
      if (*p == '"')
        {
          self->text = self->scratch->str;
          self->text_len = self->scratch->len;
          break;
        }
      if (*p != '\\')
        return fail (self, "the closing '\"' of a string", error);
      self->p++;
      if (!take_escape (self, error))
        return fail (self, "an escape such as \\n or \\u00e9", error);
      run = (gsize) (self->p - self->token_start);
    }
  self->p++;
  return TRUE;
}

static gboolean
skip_digits (CycJsonReader  *self,
             GError        **error)
{
  gboolean any = FALSE;

  for (;;)
    {
      while (self->p < self->end && g_ascii_isdigit (*self->p))
        {
          self->p++;
          any = TRUE;
        }
      if (self->p < self->end || !refill (self, error))
        return any;
    }
}

static gboolean
take (CycJsonReader  *self,
      char            c,
      GError        **error)
{
  if (!has_bytes (self, 1, error) || *self->p != c)
    return FALSE;
  self->p++;
  return TRUE;
}

static gboolean
read_word (CycJsonReader  *self,
           GError        **error)
{
  static const struct
  {
    const char  *word;
    CycJsonToken token;
    gboolean     is_constant;
  } words[] = {
    { "null", CYC_JSON_NULL, FALSE },       { "true", CYC_JSON_TRUE, FALSE },
    { "false", CYC_JSON_FALSE, FALSE },     { "NaN", CYC_JSON_DOUBLE, TRUE },
    { "Infinity", CYC_JSON_DOUBLE, TRUE },  { "-Infinity", CYC_JSON_DOUBLE, TRUE },
  };

  self->token_start = self->p;
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      gsize len = strlen (words[i].word);
      if ((words[i].is_constant && !self->accepts_constants) || *self->p != *words[i].word ||
          !has_bytes (self, len, error) || memcmp (self->p, words[i].word, len) != 0)
        continue;
      self->text = self->p;
      self->text_len = len;
      self->p += len;
      self->token = words[i].token;
      return TRUE;
    }
  return fail (self, "a value", error);
}

static gboolean
read_number (CycJsonReader  *self,
             GError        **error)
{
  self->token_start = self->p;
  self->token = CYC_JSON_INTEGER;
  take (self, '-', error);
  if (self->accepts_constants && has_bytes (self, 1, error) && *self->p == 'I' && *self->token_start == '-')
    {
      self->p = self->token_start;
      return read_word (self, error);
    }
  gboolean ok = take (self, '0', error) || skip_digits (self, error);
  if (ok && take (self, '.', error))
    {
      self->token = CYC_JSON_DOUBLE;
      ok = skip_digits (self, error);
    }
  if (ok && (take (self, 'e', error) || take (self, 'E', error)))
    {
      self->token = CYC_JSON_DOUBLE;
      if (!take (self, '+', error))
        take (self, '-', error);
      ok = skip_digits (self, error);
    }
  if (!ok || (error != NULL && *error != NULL))
    return fail (self, "a digit", error);
  self->text = self->token_start;
  self->text_len = (gsize) (self->p - self->token_start);
  return TRUE;
}

static gboolean
begin_container (CycJsonReader  *self,
                 gboolean        is_object,
                 GError        **error)
{
  self->token_start = self->p;
  if (self->depth == CYC_JSON_READER_MAX_DEPTH)
    {
      self->is_syntax = TRUE;
      cyc_error_set_at (error, CYC_ERROR_INPUT, NULL, 0,
                        "values are nested more than %d levels deep: line %" G_GUINT64_FORMAT,
                        CYC_JSON_READER_MAX_DEPTH, self->line);
      return FALSE;
    }
  self->p++;
  self->is_object[++self->depth] = is_object;
  self->token = is_object ? CYC_JSON_OBJECT : CYC_JSON_ARRAY;
  self->state = is_object ? STATE_FIRST_KEY : STATE_FIRST_ITEM;
  return TRUE;
}

static gboolean
read_value (CycJsonReader  *self,
            GError        **error)
{
  char c = *self->p;

  if (c == '{' || c == '[')
    return begin_container (self, c == '{', error);
  self->state = STATE_AFTER_VALUE;
  if (c == '"')
    {
      self->token = CYC_JSON_STRING;
      return read_string (self, error);
    }
  if (c == '-' || g_ascii_isdigit (c))
    return read_number (self, error);
  return read_word (self, error);
}

static gboolean
read_key (CycJsonReader  *self,
          GError        **error)
{
  if (*self->p != '"')
    return fail (self, "a key in double quotes", error);
  self->state = STATE_COLON;
  self->token = CYC_JSON_KEY;
  return read_string (self, error);
}

static gboolean
close_container (CycJsonReader *self)
{
  self->token_start = self->p++;
  self->depth--;
  self->state = STATE_AFTER_VALUE;
  self->token = CYC_JSON_CLOSE;
  return TRUE;
}

/* Behind a value at *p, inside a container. */
static gboolean
go_on (CycJsonReader  *self,
       GError        **error)
{
  gboolean is_object = self->is_object[self->depth];

  if (*self->p == (is_object ? '}' : ']'))
    return close_container (self);
  if (*self->p != ',')
    return fail (self, is_object ? "',' or '}' after a member" : "',' or ']' after an item", error);
  self->p++;
  if (!skip_blanks (self, error))
    return fail (self, is_object ? "a key in double quotes" : "a value", error);
  return is_object ? read_key (self, error) : read_value (self, error);
}

static gboolean
read_end (CycJsonReader  *self,
          gboolean        there_is_more,
          GError        **error)
{
  if (there_is_more)
    return fail (self, "the end of the text", error);
  self->token_start = self->p;
  self->token = CYC_JSON_END;
  return TRUE;
}

/* What may follow. */
static const char *
describe_state (const CycJsonReader *self)
{
  switch (self->state)
    {
    case STATE_FIRST_ITEM:
      return "a value or ']'";
    case STATE_FIRST_KEY:
      return "a key or '}'";
    case STATE_KEY:
      return "a key in double quotes";
    case STATE_AFTER_VALUE:
      return self->is_object[self->depth] ? "',' or '}' after a member" : "',' or ']' after an item";
    case STATE_COLON:
      return "':' after a key";
    case STATE_VALUE:
    default:
      return "a value";
    }
}

/**
 * cyc_json_reader_next:
 * @self: a reader whose last call succeeded
 * @error: (nullable): return location for an error
 *
 * Goes to the next token. The end of the text comes as %CYC_JSON_END. What is wrong with the text
 * is an error without a file in its message, with line and column.
 *
 * Returns: %TRUE if there is one
 */
gboolean
cyc_json_reader_next (CycJsonReader  *self,
                      GError        **error)
{
  g_autoptr (GError) local = NULL;
  gboolean ok;

  self->token_start = NULL;
  if (self->base == 0 && self->p == self->from && has_bytes (self, 3, &local) &&
      memcmp (self->p, "\xEF\xBB\xBF", 3) == 0)
    self->p += 3;
  gboolean more = local == NULL && skip_blanks (self, &local);
  if (local != NULL)
    ok = FALSE;
  else if (self->state == STATE_AFTER_VALUE && self->depth == 0)
    ok = read_end (self, more, &local);
  else if (self->state == STATE_COLON && more && *self->p == ':')
    {
      self->p++;
      ok = skip_blanks (self, &local) ? read_value (self, &local) : fail (self, "a value", &local);
    }
  else if (self->state == STATE_COLON)
    ok = fail (self, "':' after a key", &local);
  else if (!more)
    ok = fail (self, describe_state (self), &local);
  else if (self->state == STATE_AFTER_VALUE)
    ok = go_on (self, &local);
  else if ((self->state == STATE_FIRST_ITEM && *self->p == ']') ||
           (self->state == STATE_FIRST_KEY && *self->p == '}'))
    ok = close_container (self);
  else if (self->state == STATE_FIRST_KEY || self->state == STATE_KEY)
    ok = read_key (self, &local);
  else
    ok = read_value (self, &local);

  if (!ok)
    g_propagate_error (error, g_steal_pointer (&local));
  return ok;
}

/**
 * cyc_json_reader_skip:
 * @self: a reader at the beginning of a value
 * @error: (nullable): return location for an error
 *
 * Goes to the last token of the value, which is the current one already unless it is a container.
 *
 * Returns: %TRUE if it is whole
 */
gboolean
cyc_json_reader_skip (CycJsonReader  *self,
                      GError        **error)
{
  if (self->token != CYC_JSON_ARRAY && self->token != CYC_JSON_OBJECT)
    return TRUE;
  guint outside = self->depth - 1;
  while (self->depth > outside)
    if (!cyc_json_reader_next (self, error))
      return FALSE;
  return TRUE;
}

/**
 * cyc_json_reader_get_token:
 * @self: a reader
 *
 * Returns: what the last call of cyc_json_reader_next() found
 */
CycJsonToken
cyc_json_reader_get_token (CycJsonReader *self)
{
  return self->token;
}

/**
 * cyc_json_reader_get_text:
 * @self: a reader at a string, key or number
 * @out_len: (out): its length in bytes
 *
 * Returns: (transfer none): the string's meaning or the number's text, until the next call; it may
 *   hold NULs and has none behind it
 */
const char *
cyc_json_reader_get_text (CycJsonReader *self,
                          gsize         *out_len)
{
  *out_len = self->text_len;
  return self->text;
}

/**
 * cyc_json_reader_get_start:
 * @self: a reader
 *
 * Returns: the offset in bytes at which the current token begins
 */
guint64
cyc_json_reader_get_start (CycJsonReader *self)
{
  return get_offset (self, self->token_start);
}

/**
 * cyc_json_reader_get_end:
 * @self: a reader
 *
 * Returns: the offset in bytes behind the current token
 */
guint64
cyc_json_reader_get_end (CycJsonReader *self)
{
  return get_offset (self, self->p);
}

/**
 * cyc_json_reader_get_line:
 * @self: a reader
 *
 * Returns: the line of the current token, or of the fault, counted from 1
 */
guint64
cyc_json_reader_get_line (CycJsonReader *self)
{
  return self->line;
}

/**
 * cyc_json_reader_is_syntax:
 * @self: a reader of which a call failed
 *
 * Returns: %TRUE if the text is not JSON, %FALSE if it could not be read
 */
gboolean
cyc_json_reader_is_syntax (CycJsonReader *self)
{
  return self->is_syntax;
}
