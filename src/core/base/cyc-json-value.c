/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/base/cyc-json-value.h"

#include <string.h>

#include "core/base/cyc-byte-reader.h"
#include "core/base/cyc-double.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-number.h"

#define BLOCK_SIZE (64 * 1024)
/* Every decimal number of so many digits is the shortest text of its double. */
#define SAFE_DIGITS 15
/* Longer ones stay as they were written. */
#define MAX_NUMBER 64

typedef struct _Block Block;

struct _Block
{
  Block *next;
  gsize  size;
  gsize  used;
  char   bytes[] __attribute__ ((aligned (16)));
};

struct _CycJsonArena
{
  Block *blocks; /* the one that is filled comes first */
};

static Block *
new_block (gsize  size,
           Block *next)
{
  Block *block = g_malloc (sizeof *block + size);

  block->next = next;
  block->size = size;
  block->used = 0;
  return block;
}

/**
 * cyc_json_arena_new:
 *
 * Returns: (transfer full): where JSON values live, all together
 */
CycJsonArena *
cyc_json_arena_new (void)
{
  CycJsonArena *self = g_new0 (CycJsonArena, 1);

  self->blocks = new_block (BLOCK_SIZE, NULL);
  return self;
}

/**
 * cyc_json_arena_free:
 * @self: (transfer full): an arena
 */
void
cyc_json_arena_free (CycJsonArena *self)
{
  g_return_if_fail (self != NULL);

  while (self->blocks != NULL)
    {
      Block *block = self->blocks;
      self->blocks = block->next;
      g_free (block);
    }
  g_free (self);
}

/**
 * cyc_json_arena_reset:
 * @self: an arena
 *
 * Drops all its values.
 */
void
cyc_json_arena_reset (CycJsonArena *self)
{
  while (self->blocks->next != NULL)
    {
      Block *block = self->blocks;
      self->blocks = block->next;
      g_free (block);
    }
  self->blocks->used = 0;
}

static void *
allocate (CycJsonArena *self,
          gsize         size)
{
  size = (size + 15) & ~(gsize) 15;
  if (size > self->blocks->size - self->blocks->used)
    self->blocks = new_block (MAX (size, BLOCK_SIZE), self->blocks);
  void *p = self->blocks->bytes + self->blocks->used;
  self->blocks->used += size;
  return p;
}

static const char *
copy_text (CycJsonArena *self,
           const char   *text,
           gsize         len)
{
  char *copy = allocate (self, len + 1);

  memcpy (copy, text, len);
  copy[len] = '\0';
  return copy;
}

static CycJsonValue *read_here (CycJsonArena   *self,
                                CycJsonReader  *reader,
                                GError        **error);

/* Nests no deeper than the reader allows. */
static gboolean
read_children (CycJsonArena   *self,
               CycJsonReader  *reader,
               CycJsonValue   *parent,
               GError        **error)
{
  const CycJsonValue **link = &parent->first;

  for (;;)
    {
      const char *key = NULL;
      gsize key_len = 0;
      if (!cyc_json_reader_next (reader, error))
        return FALSE;
      if (cyc_json_reader_get_token (reader) == CYC_JSON_CLOSE)
        return TRUE;
      if (parent->kind == CYC_JSON_OBJECT)
        {
          const char *text = cyc_json_reader_get_text (reader, &key_len);
          key = copy_text (self, text, key_len);
          if (!cyc_json_reader_next (reader, error))
            return FALSE;
        }
      CycJsonValue *child = read_here (self, reader, error);
      if (child == NULL)
        return FALSE;
      child->key = key;
      child->key_len = key_len;
      *link = child;
      link = &child->next;
    }
}

static CycJsonValue *
read_here (CycJsonArena   *self,
           CycJsonReader  *reader,
           GError        **error)
{
  CycJsonValue *value = allocate (self, sizeof *value);

  memset (value, 0, sizeof *value);
  value->kind = cyc_json_reader_get_token (reader);
  if (value->kind == CYC_JSON_ARRAY || value->kind == CYC_JSON_OBJECT)
    return read_children (self, reader, value, error) ? value : NULL;
  if (value->kind >= CYC_JSON_INTEGER)
    {
      const char *text = cyc_json_reader_get_text (reader, &value->len);
      value->text = copy_text (self, text, value->len);
    }
  return value;
}

/**
 * cyc_json_arena_read:
 * @self: an arena
 * @reader: a reader at the first token of a value; it is left at the last one
 * @error: (nullable): return location for the reader's error
 *
 * Returns: (transfer none) (nullable): the value
 */
const CycJsonValue *
cyc_json_arena_read (CycJsonArena   *self,
                     CycJsonReader  *reader,
                     GError        **error)
{
  return read_here (self, reader, error);
}

/**
 * cyc_json_arena_parse:
 * @self: an arena
 * @text: (array length=len): JSON text
 * @len: its length in bytes
 * @source: (nullable): the file's name for messages
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer none) (nullable): the text's one value
 */
const CycJsonValue *
cyc_json_arena_parse (CycJsonArena  *self,
                      const char    *text,
                      gsize          len,
                      const char    *source,
                      GError       **error)
{
  g_autoptr (CycJsonReader) reader = cyc_json_reader_new_for_text (text, len);
  g_autoptr (GError) local = NULL;
  const CycJsonValue *value = NULL;

  if (cyc_json_reader_next (reader, &local))
    value = cyc_json_arena_read (self, reader, &local);
  if (value != NULL && cyc_json_reader_next (reader, &local))
    return value;
  cyc_error_set_at (error, CYC_ERROR_INPUT, source, cyc_json_reader_get_line (reader),
                    "not JSON: %s", local->message);
  return NULL;
}

/**
 * cyc_json_arena_parse_file:
 * @self: an arena
 * @path: a file; `.gz` and `.xz` are unpacked
 * @limit: refuse more bytes than these
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer none) (nullable): the file's one value
 */
const CycJsonValue *
cyc_json_arena_parse_file (CycJsonArena  *self,
                           const char    *path,
                           gsize          limit,
                           GError       **error)
{
  gsize len;
  g_autofree char *text = cyc_byte_reader_read_all (path, limit, &len, error);

  return text == NULL ? NULL : cyc_json_arena_parse (self, text, len, path, error);
}

/**
 * cyc_json_value_get_member:
 * @self: (nullable): a value
 * @name: a key
 *
 * Returns: (transfer none) (nullable): the last member of that name, %NULL if there is none or
 *   @self is no object
 */
const CycJsonValue *
cyc_json_value_get_member (const CycJsonValue *self,
                           const char         *name)
{
  const CycJsonValue *found = NULL;

  if (self == NULL || self->kind != CYC_JSON_OBJECT)
    return NULL;
  gsize len = strlen (name);
  for (const CycJsonValue *p = self->first; p != NULL; p = p->next)
    if (p->key_len == len && memcmp (p->key, name, len) == 0)
      found = p;
  return found;
}

/**
 * cyc_json_value_is_text:
 * @self: (nullable): a value
 * @text: a text
 *
 * Returns: whether @self is that string
 */
gboolean
cyc_json_value_is_text (const CycJsonValue *self,
                        const char         *text)
{
  return self != NULL && self->kind == CYC_JSON_STRING && self->len == strlen (text) &&
         memcmp (self->text, text, self->len) == 0;
}

/**
 * cyc_json_value_get_number:
 * @self: (nullable): a value
 * @out_value: (out): the number, rounded to a double; infinite if it is too large
 *
 * Returns: whether @self is a number
 */
gboolean
cyc_json_value_get_number (const CycJsonValue *self,
                           double             *out_value)
{
  if (self == NULL || (self->kind != CYC_JSON_INTEGER && self->kind != CYC_JSON_DOUBLE))
    return FALSE;
  *out_value = g_ascii_strtod (self->text, NULL);
  return TRUE;
}

/**
 * cyc_json_value_get_int:
 * @self: (nullable): a value
 * @out_value: (out): the number
 *
 * Returns: whether @self is an integer that fits 64 bits
 */
gboolean
cyc_json_value_get_int (const CycJsonValue *self,
                        gint64             *out_value)
{
  return self != NULL && self->kind == CYC_JSON_INTEGER &&
         cyc_number_parse_int64 (self->text, self->len, out_value);
}

typedef struct
{
  char   digits[MAX_NUMBER]; /* without zeros at the ends; one 0 for zero */
  guint  n_digits;
  gint64 exponent; /* the power of ten that they count */
} Decimal;

/* Takes the text of a number apart. FALSE if its exponent is out of all bounds. */
static gboolean
split_decimal (const char *text,
               gsize       len,
               Decimal    *out)
{
  gboolean behind_point = FALSE;
  gsize i = text[0] == '-';

  out->n_digits = 0;
  out->exponent = 0;
  for (; i < len && text[i] != 'e' && text[i] != 'E'; i++)
    {
      if (text[i] == '.')
        {
          behind_point = TRUE;
          continue;
        }
      if (out->n_digits > 0 || text[i] != '0')
        out->digits[out->n_digits++] = text[i];
      out->exponent -= behind_point;
    }
  gint64 given = 0;
  if (i < len && (!cyc_number_parse_int64 (text + i + 1, len - i - 1, &given) || ABS (given) > 100000))
    return FALSE;
  out->exponent += given;
  while (out->n_digits > 0 && out->digits[out->n_digits - 1] == '0')
    {
      out->n_digits--;
      out->exponent++;
    }
  if (out->n_digits == 0)
    {
      out->digits[out->n_digits++] = '0';
      out->exponent = 0;
    }
  return TRUE;
}

/* Whether a double would keep all the digits, so that its shortest text is the same number. */
static gboolean
fits_double (const char    *text,
             gsize          len,
             const Decimal *decimal)
{
  gint64 magnitude = decimal->exponent + (gint64) decimal->n_digits;

  if (decimal->digits[0] == '0')
    return TRUE;
  if (magnitude < -306 || magnitude > 308 || decimal->n_digits > 17)
    return FALSE;
  if (decimal->n_digits <= SAFE_DIGITS)
    return TRUE;
  char copy[MAX_NUMBER + 1];
  memcpy (copy, text, len);
  copy[len] = '\0';
  char shortest[CYC_DOUBLE_WRITE_MAX];
  int exponent;
  guint64 value = cyc_double_get_shortest (g_ascii_strtod (copy, NULL), &exponent);
  guint n = (guint) (cyc_uint_write (shortest, value) - shortest);
  return n == decimal->n_digits && exponent == decimal->exponent &&
         memcmp (shortest, decimal->digits, n) == 0;
}

/**
 * cyc_json_write_number:
 * @writer: a writer
 * @text: (array length=len): the text of a number in JSON
 * @len: its length in bytes
 * @is_integer: whether it has neither point nor exponent
 *
 * Writes a number that was read: integers as they are, others in the form of cyc_double_write(). A
 * number of which a double would not keep all digits stays as it was written.
 */
void
cyc_json_write_number (CycJsonWriter *writer,
                       const char    *text,
                       gsize          len,
                       gboolean       is_integer)
{
  Decimal decimal;

  if (is_integer || len > MAX_NUMBER || text[len - 1] == 'N' || text[len - 1] == 'y')
    {
      gboolean is_zero = is_integer && len == 2 && text[0] == '-' && text[1] == '0';
      cyc_json_writer_raw (writer, is_zero ? "0" : text, is_zero ? 1 : len);
      return;
    }
  if (!split_decimal (text, len, &decimal) || !fits_double (text, len, &decimal))
    {
      cyc_json_writer_raw (writer, text, len);
      return;
    }
  char out[MAX_NUMBER + 32];
  char *end = out;
  if (text[0] == '-')
    *end++ = '-';
  end = cyc_decimal_write (end, decimal.digits, decimal.n_digits, (int) decimal.exponent);
  cyc_json_writer_raw (writer, out, (gsize) (end - out));
}

/**
 * cyc_json_value_write:
 * @self: a value
 * @writer: a writer
 *
 * Writes the value, numbers as cyc_json_write_number() does.
 */
void
cyc_json_value_write (const CycJsonValue *self,
                      CycJsonWriter      *writer)
{
  switch (self->kind)
    {
    case CYC_JSON_INTEGER:
    case CYC_JSON_DOUBLE:
      cyc_json_write_number (writer, self->text, self->len, self->kind == CYC_JSON_INTEGER);
      return;
    case CYC_JSON_STRING:
      cyc_json_writer_string_len (writer, self->text, self->len);
      return;
    case CYC_JSON_TRUE:
    case CYC_JSON_FALSE:
      cyc_json_writer_boolean (writer, self->kind == CYC_JSON_TRUE);
      return;
    case CYC_JSON_ARRAY:
      cyc_json_writer_begin_array (writer);
      for (const CycJsonValue *p = self->first; p != NULL; p = p->next)
        cyc_json_value_write (p, writer);
      cyc_json_writer_end_array (writer);
      return;
    case CYC_JSON_OBJECT:
      cyc_json_writer_begin_object (writer);
      for (const CycJsonValue *p = self->first; p != NULL; p = p->next)
        {
          cyc_json_writer_key_len (writer, p->key, p->key_len);
          cyc_json_value_write (p, writer);
        }
      cyc_json_writer_end_object (writer);
      return;
    case CYC_JSON_NULL:
    case CYC_JSON_CLOSE:
    case CYC_JSON_KEY:
    case CYC_JSON_END:
    default:
      cyc_json_writer_null (writer);
    }
}
