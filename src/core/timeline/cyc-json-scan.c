/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "core/base/cyc-json-writer.h"
#include "core/timeline/cyc-json-scan-private.h"

/* Brackets inside of brackets that need no memory of their own; real arguments have three or four. */
#define INNER_DEPTH 256

/* The bytes of a text that are looked at: its end, a backslash, control characters. */
static gboolean
is_plain (guint8 c)
{
  return c >= 0x20 && c != '"' && c != '\\';
}

static void
skip_plain (CycJsonScan *self)
{
  while (self->end - self->p >= CYC_JSON_BLOCK)
    {
      guint at = _cyc_json_scan_find_special (self->p);
      self->p += at;
      if (at < CYC_JSON_BLOCK)
        return;
    }
  while (self->p < self->end && is_plain ((guint8) *self->p))
    self->p++;
}

static gboolean
is_hex4 (const char *p)
{
  for (guint i = 0; i < 4; i++)
    if (!g_ascii_isxdigit (p[i]))
      return FALSE;
  return TRUE;
}

/* At a backslash. */
static CycJsonScanResult
scan_escape (CycJsonScan *self)
{
  self->flags |= CYC_JSON_HAS_ESCAPES;
  if (self->end - self->p < 2)
    return CYC_JSON_SCAN_MORE;
  switch (self->p[1])
    {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
      self->p += 2;
      return CYC_JSON_SCAN_DONE;
    case 'u':
      for (const char *digit = self->p + 2;; digit++)
        {
          if (digit == self->p + 6)
            {
              self->p = digit;
              return CYC_JSON_SCAN_DONE;
            }
          if (digit == self->end)
            return CYC_JSON_SCAN_MORE;
          if (!g_ascii_isxdigit (*digit))
            break;
        }
      break;
    default:
      break;
    }
  self->flags |= CYC_JSON_UNTIDY_ESCAPE;
  self->p++;
  return CYC_JSON_SCAN_DONE;
}

/*< private >
 * _cyc_json_scan_string:
 * @self: at the byte after the opening quote
 *
 * Goes to the byte after the closing quote. A backslash that begins no escape stands for itself, and control
 * characters are let through; both are noted.
 *
 * Returns: done or more
 */
CycJsonScanResult
_cyc_json_scan_string (CycJsonScan *self)
{
  for (;;)
    {
      skip_plain (self);
      if (self->p == self->end)
        return CYC_JSON_SCAN_MORE;
      if (*self->p == '"')
        {
          self->p++;
          return CYC_JSON_SCAN_DONE;
        }
      if (*self->p == '\\')
        {
          if (scan_escape (self) == CYC_JSON_SCAN_MORE)
            return CYC_JSON_SCAN_MORE;
          continue;
        }
      self->flags |= CYC_JSON_UNTIDY_CONTROL;
      self->p++;
    }
}

static gboolean
is_word (char c)
{
  return g_ascii_isalnum (c) || c == '-' || c == '+' || c == '.';
}

static gboolean
is_literal (const char *p,
            gsize       len,
            const char *literal)
{
  return strlen (literal) == len && memcmp (p, literal, len) == 0;
}

/* The grammar of JSON: no zeros in front, digits on both sides of a point. */
static gboolean
is_number (const char *p,
           const char *end)
{
  if (p < end && *p == '-')
    p++;
  const char *digits = p;
  while (p < end && g_ascii_isdigit (*p))
    p++;
  if (p == digits || (*digits == '0' && p - digits > 1))
    return FALSE;
  if (p < end && *p == '.')
    {
      const char *decimals = ++p;
      while (p < end && g_ascii_isdigit (*p))
        p++;
      if (p == decimals)
        return FALSE;
    }
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

/* Numbers, true, false and null are words of JSON; NaN is none. */
static gboolean
is_json_word (const char *p,
              const char *end)
{
  gsize len = (gsize) (end - p);

  return is_number (p, end) || is_literal (p, len, "true") || is_literal (p, len, "false")
         || is_literal (p, len, "null");
}

/* Behind a number that is an integer or has decimals, which most words are; @p for other words. */
static inline const char *
skip_number (const char *p,
             const char *end)
{
  const char *at = p;

  if (at < end && *at == '-')
    at++;
  const char *digits = at;
  while (at < end && (guint8) (*at - '0') < 10)
    at++;
  if (at == digits || (*digits == '0' && at - digits > 1))
    return p;
  if (at < end && *at == '.')
    {
      const char *decimals = ++at;
      while (at < end && (guint8) (*at - '0') < 10)
        at++;
      if (at == decimals)
        return p;
    }
  return at < end && !is_word (*at) ? at : p;
}

static CycJsonScanResult
scan_word (CycJsonScan *self)
{
  const char *start = self->p;

  self->p = skip_number (start, self->end);
  if (self->p > start)
    return CYC_JSON_SCAN_DONE;
  while (self->p < self->end && is_word (*self->p))
    self->p++;
  if (self->p == self->end)
    return CYC_JSON_SCAN_MORE;
  if (self->p == start)
    return CYC_JSON_SCAN_BAD;
  if (!is_json_word (start, self->p))
    self->flags |= CYC_JSON_UNTIDY_LITERAL;
  return CYC_JSON_SCAN_DONE;
}

/* Which brackets are open: a bit each, set for an object. */
typedef struct
{
  guint8  inner[INNER_DEPTH / 8];
  guint8 *more; /* of those that are deeper, or NULL */
  gsize   n_more;
  gsize   depth;
} Stack;

static inline void
stack_clear (Stack *stack)
{
  if (stack->more != NULL)
    g_free (stack->more);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Stack, stack_clear)

static guint8 *
get_bits (Stack *stack,
          gsize  at)
{
  return at < INNER_DEPTH ? &stack->inner[at / 8] : &stack->more[(at - INNER_DEPTH) / 8];
}

static void
push (Stack    *stack,
      gboolean  object)
{
  gsize at = stack->depth++;

  if (at >= INNER_DEPTH && (at - INNER_DEPTH) / 8 == stack->n_more)
    {
      stack->n_more = MAX (2 * stack->n_more, INNER_DEPTH / 8);
      stack->more = g_realloc (stack->more, stack->n_more);
    }
  guint8 mask = (guint8) (1u << (at % 8));
  guint8 *bits = get_bits (stack, at);
  *bits = (guint8) (object ? *bits | mask : *bits & ~mask);
}

static gboolean
in_object (Stack *stack)
{
  gsize top = stack->depth - 1;

  return (*get_bits (stack, top) >> (top % 8)) & 1;
}

/* After a value: brackets that close, and the comma before the next one. Done with depth 0 at the very end. */
static CycJsonScanResult
scan_after (CycJsonScan *self,
            Stack       *stack)
{
  for (;;)
    {
      if (stack->depth == 0)
        return CYC_JSON_SCAN_DONE;
      _cyc_json_scan_blanks (self);
      if (self->p == self->end)
        return CYC_JSON_SCAN_MORE;
      char closing = in_object (stack) ? '}' : ']';
      if (*self->p == ',')
        {
          self->p++;
          _cyc_json_scan_blanks (self);
          if (self->p == self->end)
            return CYC_JSON_SCAN_MORE;
          if (*self->p != closing)
            return CYC_JSON_SCAN_DONE;
          self->flags |= CYC_JSON_UNTIDY_COMMA;
        }
      if (*self->p != closing)
        return CYC_JSON_SCAN_BAD;
      self->p++;
      stack->depth--;
    }
}

/* A text, a word, or an opening bracket with what opens directly behind it. */
static CycJsonScanResult
scan_start (CycJsonScan *self,
            Stack       *stack,
            gboolean    *out_opened)
{
  *out_opened = FALSE;
  if (*self->p == '"')
    {
      self->p++;
      return _cyc_json_scan_text (self);
    }
  if (*self->p != '{' && *self->p != '[')
    return scan_word (self);
  push (stack, *self->p == '{');
  self->p++;
  _cyc_json_scan_blanks (self);
  if (self->p == self->end)
    return CYC_JSON_SCAN_MORE;
  /* An empty one closes like any other. */
  *out_opened = *self->p != (in_object (stack) ? '}' : ']');
  return CYC_JSON_SCAN_DONE;
}

/*< private >
 * _cyc_json_scan_value:
 * @self: at the first byte of a value
 *
 * Goes to the byte after the value. A word (a number, true) that the piece ends behind may go on in the next.
 *
 * Returns: done, more, or bad with @self where it is
 */
CycJsonScanResult
_cyc_json_scan_value (CycJsonScan *self)
{
  g_auto (Stack) stack = { .depth = 0 };
  CycJsonScanResult result;
  gboolean opened;
  const char *key;
  gsize key_len;

  if (self->p == self->end)
    return CYC_JSON_SCAN_MORE;
  for (;;)
    {
      if (stack.depth > 0 && in_object (&stack))
        {
          result = _cyc_json_scan_key (self, &key, &key_len);
          if (result != CYC_JSON_SCAN_DONE)
            return result;
        }
      result = scan_start (self, &stack, &opened);
      if (result != CYC_JSON_SCAN_DONE)
        return result;
      if (opened)
        continue;
      result = scan_after (self, &stack);
      if (result != CYC_JSON_SCAN_DONE || stack.depth == 0)
        return result;
    }
}

/*< private >
 * _cyc_json_scan_member:
 * @self: at the quote of a key, in members that were scanned before, with commas between them and no brackets around
 * @out_key: (out): the key, without quotes
 * @out_key_len: (out): its length
 * @out_value: (out): the value as it stands there
 * @out_value_len: (out): its length
 *
 * Goes to the next member.
 *
 * Returns: whether there was one
 */
gboolean
_cyc_json_scan_member (CycJsonScan *self,
                       const char **out_key,
                       gsize       *out_key_len,
                       const char **out_value,
                       gsize       *out_value_len)
{
  _cyc_json_scan_blanks (self);
  if (self->p == self->end || _cyc_json_scan_key (self, out_key, out_key_len) != CYC_JSON_SCAN_DONE)
    return FALSE;
  *out_value = self->p;
  /* A word at the very end has nothing behind it. */
  if (_cyc_json_scan_value (self) == CYC_JSON_SCAN_BAD)
    return FALSE;
  *out_value_len = (gsize) (self->p - *out_value);
  _cyc_json_scan_blanks (self);
  if (self->p < self->end && *self->p == ',')
    self->p++;
  return TRUE;
}

/*< private >
 * _cyc_json_scan_is_key:
 * @key: (array length=len): a key, without quotes
 * @len: its length
 * @wanted: another
 *
 * Returns: whether they are the same; escapes are other ways to write it
 */
gboolean
_cyc_json_scan_is_key (const char *key,
                       gsize       len,
                       const char *wanted)
{
  gsize wanted_len = strlen (wanted);

  if (len == wanted_len && memcmp (key, wanted, len) == 0)
    return TRUE;
  if (len < wanted_len || memchr (key, '\\', len) == NULL)
    return FALSE;
  g_autofree char *decoded = _cyc_json_scan_decode (key, len, &len);
  return len == wanted_len && memcmp (decoded, wanted, len) == 0;
}

/*< private >
 * _cyc_json_scan_find:
 * @members: (array length=len): members that were scanned before, as _cyc_json_scan_member() takes them
 * @len: their length
 * @wanted: a key
 * @out_len: (out): length of its value
 *
 * Returns: (transfer none) (nullable): the value of the last member of this name, as it stands there
 */
const char *
_cyc_json_scan_find (const char *members,
                     gsize       len,
                     const char *wanted,
                     gsize      *out_len)
{
  CycJsonScan scan = { members, members + len, 0 };
  const char *key, *value, *found = NULL;
  gsize key_len, value_len;

  while (_cyc_json_scan_member (&scan, &key, &key_len, &value, &value_len))
    if (_cyc_json_scan_is_key (key, key_len, wanted))
      {
        found = value;
        *out_len = value_len;
      }
  return found;
}

/*< private >
 * _cyc_json_scan_args:
 * @members: members of an event that were scanned before, as _cyc_json_scan_member() takes them
 * @out_args: (out): its arguments, for _cyc_json_scan_member()
 *
 * Returns: whether it has some
 */
gboolean
_cyc_json_scan_args (const char  *members,
                     CycJsonScan *out_args)
{
  gsize len;
  const char *args = _cyc_json_scan_find (members, strlen (members), "args", &len);

  if (args == NULL || *args != '{')
    return FALSE;
  *out_args = (CycJsonScan) { args + 1, args + len - 1, 0 };
  return TRUE;
}

/* Texts */

static gunichar
hex4 (const char *p)
{
  gunichar value = 0;

  for (guint i = 0; i < 4; i++)
    value = value * 16 + (gunichar) g_ascii_xdigit_value (p[i]);
  return value;
}

/* At the "u" of an escape that is well formed. Halves of a pair that stand alone become U+FFFD. */
static const char *
decode_unicode (const char *p,
                const char *end,
                GString    *out)
{
  gunichar c = hex4 (p + 1);

  p += 5;
  if (c >= 0xd800 && c < 0xdc00 && end - p >= 6 && p[0] == '\\' && p[1] == 'u' && is_hex4 (p + 2))
    {
      gunichar low = hex4 (p + 2);
      if (low >= 0xdc00 && low < 0xe000)
        {
          g_string_append_unichar (out, 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00));
          return p + 6;
        }
    }
  g_string_append_unichar (out, c >= 0xd800 && c < 0xe000 ? 0xfffd : c);
  return p;
}

/*< private >
 * _cyc_json_scan_decode:
 * @text: (array length=len): what stands between the quotes of a text
 * @len: its length
 * @out_len: (out): length of what is returned, which may have zeros in it
 *
 * Returns: (transfer full): the text without its escapes; those that JSON does not have stand for themselves
 */
char *
_cyc_json_scan_decode (const char *text,
                       gsize       len,
                       gsize      *out_len)
{
  static const char from[] = "\"\\/bfnrt";
  static const char to[] = "\"\\/\b\f\n\r\t";
  GString *out = g_string_sized_new (len);
  const char *end = text + len;

  for (const char *p = text; p < end;)
    {
      const char *slash = memchr (p, '\\', (gsize) (end - p));
      g_string_append_len (out, p, (slash != NULL ? slash : end) - p);
      if (slash == NULL)
        break;
      const char *known = end - slash > 1 && slash[1] != '\0' ? strchr (from, slash[1]) : NULL;
      p = slash + 1;
      if (known != NULL)
        {
          g_string_append_c (out, to[known - from]);
          p++;
        }
      else if (end - p >= 5 && *p == 'u' && is_hex4 (p + 1))
        p = decode_unicode (p, end, out);
      else
        g_string_append_c (out, '\\');
    }
  *out_len = out->len;
  return g_string_free (out, FALSE);
}

/* A text, with quotes and proper escapes. */
static void
append_text (GString    *out,
             const char *text,
             gsize       len)
{
  gsize n;
  g_autofree char *plain = _cyc_json_scan_decode (text, len, &n);

  cyc_json_append_string (out, plain, n);
}

static const char *
tidy_word (const char *p,
           const char *end,
           GString    *out)
{
  const char *start = p;

  while (p < end && is_word (*p))
    p++;
  if (is_json_word (start, p))
    g_string_append_len (out, start, p - start);
  else
    append_text (out, start, (gsize) (p - start));
  return p;
}

/* Whether the next byte that is no blank closes a bracket. */
static gboolean
closes (const char *p,
        const char *end)
{
  CycJsonScan scan = { p, end, 0 };

  _cyc_json_scan_blanks (&scan);
  return scan.p < end && (*scan.p == '}' || *scan.p == ']');
}

/*< private >
 * _cyc_json_scan_tidy:
 * @json: (array length=len): values with what stands between them, as _cyc_json_scan_value() takes them
 * @len: their length
 * @out: gets the same as well formed JSON: words that JSON does not have become texts, commas before closing
 *   brackets go, texts are escaped and UTF-8
 */
void
_cyc_json_scan_tidy (const char *json,
                     gsize       len,
                     GString    *out)
{
  CycJsonScan scan = { json, json + len, 0 };

  while (scan.p < scan.end)
    {
      const char *start = scan.p;
      if (is_word (*start))
        {
          scan.p = tidy_word (start, scan.end, out);
          continue;
        }
      scan.p++;
      if (*start == '"' && _cyc_json_scan_string (&scan) == CYC_JSON_SCAN_DONE)
        append_text (out, start + 1, (gsize) (scan.p - start) - 2);
      else if (*start != ',' || !closes (scan.p, scan.end))
        g_string_append_c (out, *start);
    }
}
