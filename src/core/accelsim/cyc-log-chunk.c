/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/accelsim/cyc-log-chunk.h"

#include <string.h>

#include "core/accelsim/cyc-log-chunker.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-json-writer.h"

/* Log chunks come by the million: they are decoded here in one pass, straight into the bytes that
 * the engine appends, and not through a tree of values. */

#define MAX_DEPTH 64
#define ONES G_GUINT64_CONSTANT (0x0101010101010101)
#define HIGHS G_GUINT64_CONSTANT (0x8080808080808080)
#define REPLACEMENT 0xfffd

typedef struct
{
  const guint8  *begin;
  const guint8  *p;
  const guint8  *end;
  char          *out;    /* where the next decoded byte goes; never more than was read */
  GError       **error;
} Decoder;

static gboolean
fail_syntax (Decoder    *self,
             const char *expected)
{
  cyc_error_set_at (self->error, CYC_ERROR_INPUT, NULL, 0, "not JSON: expected %s at byte %" G_GSIZE_FORMAT,
                    expected, (gsize) (self->p - self->begin));
  return FALSE;
}

static gboolean
fail_field (Decoder    *self,
            const char *field,
            const char *text)
{
  cyc_error_set_at (self->error, CYC_ERROR_VALUE, NULL, 0, "%s: %s", field, text);
  return FALSE;
}

static void
skip_blanks (Decoder *self)
{
  while (self->p < self->end &&
         (*self->p == ' ' || *self->p == '\n' || *self->p == '\t' || *self->p == '\r'))
    self->p++;
}

/* The next byte that is not blank, 0 at the end. */
static guint8
peek (Decoder *self)
{
  skip_blanks (self);
  return self->p < self->end ? *self->p : 0;
}

static gboolean
take_byte (Decoder    *self,
           char        byte,
           const char *expected)
{
  if (peek (self) != (guint8) byte)
    return fail_syntax (self, expected);
  self->p++;
  return TRUE;
}

/* Length of the valid UTF-8 sequence of two bytes or more at @p, 0 if there is none. */
static gsize
utf8_len (const guint8 *p,
          const guint8 *end)
{
  gunichar c = g_utf8_get_char_validated ((const char *) p, (gssize) MIN (end - p, 4));

  if (c == (gunichar) -1 || c == (gunichar) -2)
    return 0;
  return c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
}

static gboolean
take_hex4 (Decoder  *self,
           gunichar *out_value)
{
  gunichar value = 0;
  if (self->end - self->p < 4)
    return fail_syntax (self, "four hexadecimal digits");
  for (guint i = 0; i < 4; i++)
    {
      int digit = g_ascii_xdigit_value ((char) self->p[i]);
      if (digit < 0)
        return fail_syntax (self, "four hexadecimal digits");
      value = value * 16 + (gunichar) digit;
    }
  self->p += 4;
  *out_value = value;
  return TRUE;
}

/* After `\u`: one character, or U+FFFD for half of a surrogate pair. */
static gboolean
take_unicode (Decoder  *self,
              gunichar *out_char)
{
  gunichar high, low;
  if (!take_hex4 (self, &high))
    return FALSE;
  *out_char = high >= 0xd800 && high < 0xe000 ? REPLACEMENT : high;
  if (high < 0xd800 || high >= 0xdc00 || self->end - self->p < 6 || self->p[0] != '\\' ||
      self->p[1] != 'u')
    return TRUE;

  const guint8 *after_high = self->p;
  self->p += 2;
  if (!take_hex4 (self, &low))
    return FALSE;
  if (low >= 0xdc00 && low < 0xe000)
    *out_char = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
  else
    self->p = after_high;
  return TRUE;
}

static gboolean
take_escape (Decoder *self)
{
  static const char names[] = "\"\\/bfnrt";
  static const char values[] = "\"\\/\b\f\n\r\t";
  gunichar c;

  self->p++;
  if (self->p == self->end)
    return fail_syntax (self, "an escaped character");
  const char *found = *self->p == 0 ? NULL : strchr (names, *self->p);
  if (found != NULL)
    {
      *self->out++ = values[found - names];
      self->p++;
      return TRUE;
    }
  if (*self->p != 'u')
    return fail_syntax (self, "an escaped character");
  self->p++;
  if (!take_unicode (self, &c))
    return FALSE;
  self->out += g_unichar_to_utf8 (c, self->out);
  return TRUE;
}

/* Copies plain characters, eight at a time: the bit trick marks the first byte below 0x20, above
 * 0x7f, quote or backslash, if there is one. */
static void
copy_plain (Decoder *self)
{
  while (self->end - self->p >= 8)
    {
      guint64 word;
      memcpy (&word, self->p, 8);
      guint64 quotes = word ^ (ONES * '"');
      guint64 slashes = word ^ (ONES * '\\');
      if ((((word - ONES * 0x20) | (quotes - ONES) | (slashes - ONES) | word) & HIGHS) != 0)
        return;
      memcpy (self->out, &word, 8);
      self->out += 8;
      self->p += 8;
    }
}

/* A string, decoded to self->out. */
static gboolean
take_string (Decoder *self)
{
  if (!take_byte (self, '"', "a string"))
    return FALSE;
  for (;;)
    {
      copy_plain (self);
      if (self->p == self->end)
        return fail_syntax (self, "the end of a string");
      guint8 c = *self->p;
      if (c == '"')
        {
          self->p++;
          return TRUE;
        }
      if (c == '\\')
        {
          if (!take_escape (self))
            return FALSE;
        }
      else if (c < 0x20)
        return fail_syntax (self, "no control character in a string");
      else
        {
          gsize n = c < 0x80 ? 1 : utf8_len (self->p, self->end);
          if (n == 0)
            return fail_syntax (self, "UTF-8");
          memcpy (self->out, self->p, n);
          self->out += n;
          self->p += n;
        }
    }
}

static void
skip_digits (Decoder *self)
{
  while (self->p < self->end && g_ascii_isdigit (*self->p))
    self->p++;
}

/* A number as JSON writes it; @out_whole says that it has neither fraction nor exponent. */
static gboolean
take_number (Decoder  *self,
             gboolean *out_whole)
{
  *out_whole = TRUE;
  if (peek (self) == '-')
    self->p++;
  const guint8 *first = self->p;
  skip_digits (self);
  if (self->p == first || (*first == '0' && self->p - first > 1))
    return fail_syntax (self, "a number");
  if (self->p < self->end && *self->p == '.')
    {
      *out_whole = FALSE;
      first = ++self->p;
      skip_digits (self);
      if (self->p == first)
        return fail_syntax (self, "a digit");
    }
  if (self->p < self->end && (*self->p == 'e' || *self->p == 'E'))
    {
      *out_whole = FALSE;
      self->p++;
      if (self->p < self->end && (*self->p == '+' || *self->p == '-'))
        self->p++;
      first = self->p;
      skip_digits (self);
      if (self->p == first)
        return fail_syntax (self, "a digit");
    }
  return TRUE;
}

static gboolean
take_word (Decoder    *self,
           const char *word)
{
  gsize len = strlen (word);
  skip_blanks (self);
  if ((gsize) (self->end - self->p) < len || memcmp (self->p, word, len) != 0)
    return fail_syntax (self, "a value");
  self->p += len;
  return TRUE;
}

/* Any value, checked and dropped. */
static gboolean
skip_value (Decoder *self,
            guint    depth)
{
  char *out = self->out;
  gboolean whole;
  guint8 c = peek (self);

  if (c == '"')
    {
      gboolean ok = take_string (self);
      self->out = out;
      return ok;
    }
  if (c == 't' || c == 'f' || c == 'n')
    return take_word (self, c == 't' ? "true" : c == 'f' ? "false" : "null");
  if (c != '{' && c != '[')
    return take_number (self, &whole);
  if (depth >= MAX_DEPTH)
    return fail_syntax (self, "at most 64 levels");

  guint8 close = c == '{' ? '}' : ']';
  self->p++;
  if (peek (self) == close)
    {
      self->p++;
      return TRUE;
    }
  for (;;)
    {
      if (c == '{')
        {
          if (!take_string (self) || !take_byte (self, ':', "':'"))
            return FALSE;
          self->out = out;
        }
      if (!skip_value (self, depth + 1))
        return FALSE;
      guint8 next = peek (self);
      if (next != ',' && next != close)
        return fail_syntax (self, c == '{' ? "',' or '}'" : "',' or ']'");
      self->p++;
      if (next == close)
        return TRUE;
    }
}

/* A value of a wrong type: what is not even JSON is said first. */
static gboolean
fail_type (Decoder    *self,
           const char *field,
           const char *text)
{
  return skip_value (self, 0) && fail_field (self, field, text);
}

static gboolean
take_seq (Decoder     *self,
          CycLogChunk *chunk)
{
  gboolean whole;
  guint8 c = peek (self);
  const guint8 *first = self->p;

  if (c != '-' && !g_ascii_isdigit (c))
    return fail_type (self, "seq", "expected an integer");
  if (!take_number (self, &whole))
    return FALSE;
  if (!whole)
    return fail_field (self, "seq", "expected an integer");
  if (c == '-')
    return fail_field (self, "seq", "must be 0 or more");
  if (self->p - first > 18)
    return fail_field (self, "seq", "is too large");
  chunk->seq = 0;
  for (; first < self->p; first++)
    chunk->seq = chunk->seq * 10 + (*first - '0');
  return TRUE;
}

/* Only for a message: to name every line would cost as much as to decode it. */
static const char *
name_line (char               field[32],
           const CycLogChunk *chunk)
{
  g_snprintf (field, 32, "lines[%u]", chunk->n_lines);
  return field;
}

static gboolean
take_line (Decoder     *self,
           CycLogChunk *chunk)
{
  char field[32];

  if (peek (self) != '"')
    return fail_type (self, name_line (field, chunk), "expected a text");
  if (chunk->n_lines == CYC_LOG_CHUNK_MAX_LINES)
    {
      cyc_error_set_at (self->error, CYC_ERROR_TOO_LARGE, NULL, 0, "lines: more than %d in a chunk",
                        CYC_LOG_CHUNK_MAX_LINES);
      return FALSE;
    }
  char *line = self->out;
  if (!take_string (self))
    return FALSE;
  gsize len = (gsize) (self->out - line);
  if (memchr (line, '\n', len) != NULL)
    return fail_field (self, name_line (field, chunk), "a line cannot hold a line end");
  if (memchr (line, '\0', len) != NULL)
    return fail_field (self, name_line (field, chunk), "a line cannot hold a NUL");
  *self->out++ = '\n';
  chunk->n_lines++;
  return TRUE;
}

static gboolean
take_lines (Decoder     *self,
            CycLogChunk *chunk)
{
  /* A key that comes twice counts the last time, as with every JSON reader. */
  self->out = chunk->text->str;
  chunk->n_lines = 0;
  if (peek (self) != '[')
    return fail_type (self, "lines", "expected a list of texts");
  self->p++;
  if (peek (self) == ']')
    {
      self->p++;
      return TRUE;
    }
  for (;;)
    {
      if (!take_line (self, chunk))
        return FALSE;
      guint8 next = peek (self);
      if (next != ',' && next != ']')
        return fail_syntax (self, "',' or ']'");
      self->p++;
      if (next == ']')
        return TRUE;
    }
}

static gboolean
take_unterminated (Decoder     *self,
                   CycLogChunk *chunk)
{
  guint8 c = peek (self);
  if (c != 't' && c != 'f')
    return fail_type (self, "unterminated", "expected true or false");
  chunk->unterminated = c == 't';
  return take_word (self, c == 't' ? "true" : "false");
}

static gboolean
take_member (Decoder     *self,
             CycLogChunk *chunk,
             gboolean    *has_seq,
             gboolean    *has_lines)
{
  /* The name is decoded behind the lines read so far, and dropped again. */
  char *name = self->out;
  if (!take_string (self))
    return FALSE;
  gsize len = (gsize) (self->out - name);
  gboolean is_seq = len == 3 && memcmp (name, "seq", len) == 0;
  gboolean is_lines = len == 5 && memcmp (name, "lines", len) == 0;
  gboolean is_unterminated = len == 12 && memcmp (name, "unterminated", len) == 0;
  self->out = name;
  if (!take_byte (self, ':', "':'"))
    return FALSE;

  *has_seq |= is_seq;
  *has_lines |= is_lines;
  if (is_seq)
    return take_seq (self, chunk);
  if (is_lines)
    return take_lines (self, chunk);
  if (is_unterminated)
    return take_unterminated (self, chunk);
  return skip_value (self, 0);
}

static gboolean
take_chunk (Decoder     *self,
            CycLogChunk *chunk)
{
  gboolean has_seq = FALSE, has_lines = FALSE;

  if (peek (self) != '{')
    return fail_type (self, "body", "expected an object");
  self->p++;
  guint8 next = peek (self);
  if (next == '}')
    self->p++;
  while (next != '}')
    {
      if (!take_member (self, chunk, &has_seq, &has_lines))
        return FALSE;
      next = peek (self);
      if (next != ',' && next != '}')
        return fail_syntax (self, "',' or '}'");
      self->p++;
    }
  skip_blanks (self);
  if (self->p < self->end)
    return fail_syntax (self, "the end of the text");
  if (!has_seq)
    return fail_field (self, "seq", "is missing");
  if (!has_lines)
    return fail_field (self, "lines", "is missing");
  return TRUE;
}

/**
 * cyc_log_chunk_decode:
 * @body: (array length=len): a LogChunk in JSON, from outside
 * @len: length in bytes; the caller bounds it
 * @error: (nullable): return location for an error
 *
 * Reads `{"seq": N, "lines": [TEXT, …]}`, with keys in any order and unknown ones skipped, and our
 * `"unterminated": true`. The text of the result is valid UTF-8; half a surrogate pair becomes
 * U+FFFD. Types: `LogChunk` of the simulation service.
 *
 * Errors: %CYC_ERROR_INPUT for what is not JSON in UTF-8, %CYC_ERROR_VALUE with the field's name for
 * JSON of a wrong type, %CYC_ERROR_TOO_LARGE for more than %CYC_LOG_CHUNK_MAX_LINES lines.
 *
 * Returns: (transfer full) (nullable): the chunk
 */
CycLogChunk *
cyc_log_chunk_decode (const char  *body,
                      gsize        len,
                      GError     **error)
{
  g_return_val_if_fail (body != NULL || len == 0, NULL);

  g_autoptr (CycLogChunk) chunk = g_new0 (CycLogChunk, 1);
  /* Decoded text is never longer than its JSON, and a line end replaces two quotes. */
  chunk->text = g_string_sized_new (len + 8);
  Decoder decoder = {
    .begin = (const guint8 *) body,
    .p = (const guint8 *) body,
    .end = (const guint8 *) body + len,
    .out = chunk->text->str,
    .error = error,
  };
  if (!take_chunk (&decoder, chunk))
    return NULL;
  if (chunk->n_lines == 0)
    chunk->unterminated = FALSE;
  chunk->text->len = (gsize) (decoder.out - chunk->text->str) - (chunk->unterminated ? 1 : 0);
  chunk->text->str[chunk->text->len] = '\0';
  return g_steal_pointer (&chunk);
}

/**
 * cyc_log_chunk_free:
 * @self: (transfer full): a chunk
 */
void
cyc_log_chunk_free (CycLogChunk *self)
{
  g_return_if_fail (self != NULL);

  if (self->text != NULL)
    g_string_free (self->text, TRUE);
  g_free (self);
}

/**
 * cyc_log_chunk_begin_json:
 * @json: where to append
 * @seq: the chunk's number
 *
 * Begins the body of a LogChunk; follow with cyc_log_chunk_add_json() and cyc_log_chunk_end_json().
 */
void
cyc_log_chunk_begin_json (GString *json,
                          guint64  seq)
{
  g_return_if_fail (json != NULL);

  g_string_append_printf (json, "{\"seq\":%" G_GUINT64_FORMAT ",\"lines\":[", seq);
}

/**
 * cyc_log_chunk_add_json:
 * @json: where to append
 * @line: (array length=len): valid UTF-8 without NUL and line end
 * @len: length in bytes
 * @index: how many lines came before it
 */
void
cyc_log_chunk_add_json (GString    *json,
                        const char *line,
                        gsize       len,
                        guint       index)
{
  g_return_if_fail (json != NULL);

  if (index > 0)
    g_string_append_c (json, ',');
  cyc_json_append_string (json, line, len);
}

/**
 * cyc_log_chunk_end_json:
 * @json: where to append
 * @unterminated: the last line has no end in the simulator's log
 */
void
cyc_log_chunk_end_json (GString  *json,
                        gboolean  unterminated)
{
  g_return_if_fail (json != NULL);

  g_string_append (json, unterminated ? "],\"unterminated\":true}" : "]}");
}
