/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/base/cyc-json-writer.h"

#include <math.h>
#include <string.h>

#include "core/base/cyc-double.h"
#include "core/base/cyc-number.h"
#include "core/base/cyc-time.h"

#define FLUSH_SIZE (64 * 1024)
/* More than the reader takes, so that what was read can be written inside something else. */
#define MAX_DEPTH 256

struct _CycJsonWriter
{
  GString      *out;
  CycJsonSink   sink;
  gpointer      user_data;
  CycJsonFlags  flags;
  GError       *error;
  guint         depth;
  gboolean      after_key;
  gboolean      has_items[MAX_DEPTH];
};

/**
 * cyc_json_writer_new:
 * @flags: how the text looks
 * @sink: (nullable): takes the text as it grows; %NULL keeps it for cyc_json_writer_steal()
 * @user_data: for @sink
 *
 * A writer of JSON text: integers are exact to 64 bits, doubles the shortest that read back equal,
 * and the text is valid UTF-8 whatever the strings hold. Commas are its business. An error of the
 * sink is kept; what is written after it is dropped.
 *
 * With %CYC_JSON_TRACE a blank follows commas and colons, doubles have the form of
 * cyc_double_write(), and texts that of cyc_json_append_trace_string(): byte for byte what Python's
 * json module writes without escaping what is not ASCII.
 *
 * Returns: (transfer full): a writer
 */
CycJsonWriter *
cyc_json_writer_new (CycJsonFlags flags,
                     CycJsonSink  sink,
                     gpointer     user_data)
{
  CycJsonWriter *self = g_new0 (CycJsonWriter, 1);
  self->out = g_string_new (NULL);
  self->flags = flags;
  self->sink = sink;
  self->user_data = user_data;
  return self;
}

/**
 * cyc_json_writer_free:
 * @self: (transfer full): a writer
 */
void
cyc_json_writer_free (CycJsonWriter *self)
{
  g_return_if_fail (self != NULL);

  if (self->out != NULL)
    g_string_free (self->out, TRUE);
  g_clear_error (&self->error);
  g_free (self);
}

static void
flush (CycJsonWriter *self)
{
  if (self->sink == NULL)
    return;
  if (self->error == NULL && self->out->len > 0)
    self->sink (self->out->str, self->out->len, self->user_data, &self->error);
  g_string_truncate (self->out, 0);
}

static void
new_line (CycJsonWriter *self)
{
  if ((self->flags & CYC_JSON_PRETTY) == 0)
    return;
  g_string_append_c (self->out, '\n');
  for (guint i = 0; i < self->depth; i++)
    g_string_append (self->out, "  ");
}

static gboolean
is_trace (const CycJsonWriter *self)
{
  return (self->flags & CYC_JSON_TRACE) != 0;
}

static void
before_value (CycJsonWriter *self)
{
  if (self->out->len >= FLUSH_SIZE)
    flush (self);
  if (self->after_key)
    {
      self->after_key = FALSE;
      return;
    }
  if (self->depth == 0)
    return;
  if (self->has_items[self->depth])
    g_string_append_len (self->out, ", ", is_trace (self) ? 2 : 1);
  self->has_items[self->depth] = TRUE;
  new_line (self);
}

static void
begin (CycJsonWriter *self,
       char           bracket)
{
  g_return_if_fail (self->depth + 1 < MAX_DEPTH);

  before_value (self);
  g_string_append_c (self->out, bracket);
  self->depth++;
  self->has_items[self->depth] = FALSE;
}

static void
end (CycJsonWriter *self,
     char           bracket)
{
  g_return_if_fail (self->depth > 0);

  gboolean had_items = self->has_items[self->depth];
  self->depth--;
  if (had_items)
    new_line (self);
  g_string_append_c (self->out, bracket);
}

/**
 * cyc_json_writer_begin_object:
 * @self: a writer
 *
 * Opens an object; follow with pairs of cyc_json_writer_key() and a value.
 */
void
cyc_json_writer_begin_object (CycJsonWriter *self)
{
  begin (self, '{');
}

/**
 * cyc_json_writer_end_object:
 * @self: a writer
 */
void
cyc_json_writer_end_object (CycJsonWriter *self)
{
  end (self, '}');
}

/**
 * cyc_json_writer_begin_array:
 * @self: a writer
 */
void
cyc_json_writer_begin_array (CycJsonWriter *self)
{
  begin (self, '[');
}

/**
 * cyc_json_writer_end_array:
 * @self: a writer
 */
void
cyc_json_writer_end_array (CycJsonWriter *self)
{
  end (self, ']');
}

static gsize
utf8_sequence (const guint8 *p,
               gsize         left)
{
  gunichar c = g_utf8_get_char_validated ((const char *) p, (gssize) MIN (left, 4));
  if (c == (gunichar) -1 || c == (gunichar) -2)
    return 0;
  return c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
}

/**
 * cyc_json_append_string:
 * @out: where to append
 * @value: (array length=len): text in any encoding
 * @len: length in bytes
 *
 * Appends @value as a JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD.
 */
void
cyc_json_append_string (GString    *out,
                        const char *value,
                        gsize       len)
{
  static const char digits[] = "0123456789abcdef";
  const guint8 *p = (const guint8 *) value;
  const guint8 *stop = p + len;
  const guint8 *run = p;

  g_string_append_c (out, '"');
  while (p < stop)
    {
      if (*p >= 0x20 && *p < 0x7f && *p != '"' && *p != '\\')
        {
          p++;
          continue;
        }
      gsize good = *p >= 0x80 ? utf8_sequence (p, (gsize) (stop - p)) : 0;
      if (good > 0)
        {
          p += good;
          continue;
        }
      g_string_append_len (out, (const char *) run, p - run);
      if (*p == '"' || *p == '\\')
        {
          g_string_append_c (out, '\\');
          g_string_append_c (out, (char) *p);
        }
      else if (*p == '\n')
        g_string_append (out, "\\n");
      else if (*p == '\t')
        g_string_append (out, "\\t");
      else if (*p == '\r')
        g_string_append (out, "\\r");
      else if (*p < 0x20 || *p == 0x7f)
        {
          g_string_append (out, "\\u00");
          g_string_append_c (out, digits[*p >> 4]);
          g_string_append_c (out, digits[*p & 15]);
        }
      else
        g_string_append (out, "\xEF\xBF\xBD");
      run = ++p;
    }
  g_string_append_len (out, (const char *) run, p - run);
  g_string_append_c (out, '"');
}

/**
 * cyc_json_append_trace_string:
 * @out: where to append
 * @value: (array length=len): UTF-8; halves of surrogate pairs, as #CycJsonReader gives them, may
 *   stand in it
 * @len: length in bytes
 *
 * Appends @value as a JSON string with its quotes. Only `"`, `\`, control characters up to U+001F
 * and halves of surrogate pairs are escaped.
 */
void
cyc_json_append_trace_string (GString    *out,
                              const char *value,
                              gsize       len)
{
  static const char named[] = "\b\t\n\f\r\"\\";
  static const char letters[] = "btnfr\"\\";
  const guint8 *p = (const guint8 *) value;
  const guint8 *stop = p + len;
  const guint8 *run = p;

  g_string_append_c (out, '"');
  while (p < stop)
    {
      if (*p >= 0x20 && *p != '"' && *p != '\\' && *p != 0xed)
        {
          p++;
          continue;
        }
      gboolean is_half = *p == 0xed && stop - p >= 3 && p[1] >= 0xa0;
      if (*p == 0xed && !is_half)
        {
          p++;
          continue;
        }
      g_string_append_len (out, (const char *) run, p - run);
      const char *name = *p == 0 ? NULL : strchr (named, *p);
      if (is_half)
        g_string_append_printf (out, "\\u%04x", 0xd000u | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu));
      else if (name != NULL)
        {
          g_string_append_c (out, '\\');
          g_string_append_c (out, letters[name - named]);
        }
      else
        g_string_append_printf (out, "\\u%04x", *p);
      p += is_half ? 3 : 1;
      run = p;
    }
  g_string_append_len (out, (const char *) run, p - run);
  g_string_append_c (out, '"');
}

static void
append_text (CycJsonWriter *self,
             const char    *value,
             gsize          len)
{
  if (is_trace (self))
    cyc_json_append_trace_string (self->out, value, len);
  else
    cyc_json_append_string (self->out, value, len);
}

/**
 * cyc_json_writer_key_len:
 * @self: a writer inside an object
 * @name: (array length=len): the key
 * @len: its length in bytes
 */
void
cyc_json_writer_key_len (CycJsonWriter *self,
                         const char    *name,
                         gsize          len)
{
  before_value (self);
  append_text (self, name, len);
  g_string_append_len (self->out, ": ", self->flags != CYC_JSON_COMPACT ? 2 : 1);
  self->after_key = TRUE;
}

/**
 * cyc_json_writer_key:
 * @self: a writer inside an object
 * @name: the key
 */
void
cyc_json_writer_key (CycJsonWriter *self,
                     const char    *name)
{
  cyc_json_writer_key_len (self, name, strlen (name));
}

/**
 * cyc_json_writer_string_len:
 * @self: a writer
 * @value: (array length=len): text in any encoding
 * @len: length in bytes
 */
void
cyc_json_writer_string_len (CycJsonWriter *self,
                            const char    *value,
                            gsize          len)
{
  before_value (self);
  append_text (self, value, len);
}

/**
 * cyc_json_writer_string:
 * @self: a writer
 * @value: (nullable): a text; %NULL is written as null
 */
void
cyc_json_writer_string (CycJsonWriter *self,
                        const char    *value)
{
  if (value == NULL)
    cyc_json_writer_null (self);
  else
    cyc_json_writer_string_len (self, value, strlen (value));
}

/**
 * cyc_json_writer_int:
 * @self: a writer
 * @value: an integer, written exactly
 */
void
cyc_json_writer_int (CycJsonWriter *self,
                     gint64         value)
{
  char buf[CYC_DOUBLE_WRITE_MAX];

  before_value (self);
  g_string_append_len (self->out, buf, cyc_int_write (buf, value) - buf);
}

/**
 * cyc_json_writer_uint:
 * @self: a writer
 * @value: an integer, written exactly
 */
void
cyc_json_writer_uint (CycJsonWriter *self,
                      guint64        value)
{
  char buf[CYC_DOUBLE_WRITE_MAX];

  before_value (self);
  g_string_append_len (self->out, buf, cyc_uint_write (buf, value) - buf);
}

/**
 * cyc_json_writer_double:
 * @self: a writer
 * @value: a number; nan and the infinities, which JSON lacks, are written as null
 */
void
cyc_json_writer_double (CycJsonWriter *self,
                        double         value)
{
  char buf[CYC_DOUBLE_BUF];

  before_value (self);
  if (!isfinite (value))
    g_string_append (self->out, "null");
  else if (is_trace (self))
    g_string_append_len (self->out, buf, cyc_double_write (buf, value) - buf);
  else
    g_string_append (self->out, cyc_number_format_double (buf, value));
}

/**
 * cyc_json_writer_boolean:
 * @self: a writer
 * @value: the value
 */
void
cyc_json_writer_boolean (CycJsonWriter *self,
                         gboolean       value)
{
  before_value (self);
  g_string_append (self->out, value ? "true" : "false");
}

/**
 * cyc_json_writer_null:
 * @self: a writer
 */
void
cyc_json_writer_null (CycJsonWriter *self)
{
  before_value (self);
  g_string_append (self->out, "null");
}

/**
 * cyc_json_writer_raw:
 * @self: a writer
 * @json: (array length=len): one JSON value, known to be valid
 * @len: length in bytes
 */
void
cyc_json_writer_raw (CycJsonWriter *self,
                     const char    *json,
                     gsize          len)
{
  before_value (self);
  g_string_append_len (self->out, json, (gssize) len);
}

/**
 * cyc_json_writer_put_string:
 * @self: a writer inside an object
 * @name: the key
 * @value: (nullable): a text; %NULL is written as null
 *
 * Writes a member.
 */
void
cyc_json_writer_put_string (CycJsonWriter *self,
                            const char    *name,
                            const char    *value)
{
  cyc_json_writer_key (self, name);
  cyc_json_writer_string (self, value);
}

/**
 * cyc_json_writer_put_strings:
 * @self: a writer inside an object
 * @name: the key
 * @values: (nullable): texts; %NULL is written as an empty list
 *
 * Writes a member.
 */
void
cyc_json_writer_put_strings (CycJsonWriter     *self,
                             const char        *name,
                             const char *const *values)
{
  cyc_json_writer_key (self, name);
  cyc_json_writer_begin_array (self);
  for (; values != NULL && *values != NULL; values++)
    cyc_json_writer_string (self, *values);
  cyc_json_writer_end_array (self);
}

/**
 * cyc_json_writer_put_int:
 * @self: a writer inside an object
 * @name: the key
 * @value: an integer, written exactly
 *
 * Writes a member.
 */
void
cyc_json_writer_put_int (CycJsonWriter *self,
                         const char    *name,
                         gint64         value)
{
  cyc_json_writer_key (self, name);
  cyc_json_writer_int (self, value);
}

/**
 * cyc_json_writer_put_int_or_null:
 * @self: a writer inside an object
 * @name: the key
 * @has: %FALSE for null
 * @value: an integer, written exactly
 *
 * Writes a member.
 */
void
cyc_json_writer_put_int_or_null (CycJsonWriter *self,
                                 const char    *name,
                                 gboolean       has,
                                 gint64         value)
{
  cyc_json_writer_key (self, name);
  if (has)
    cyc_json_writer_int (self, value);
  else
    cyc_json_writer_null (self);
}

/**
 * cyc_json_writer_put_time:
 * @self: a writer inside an object
 * @name: the key
 * @real_us: microseconds since 1970 in UTC; 0 is written as null
 *
 * Writes a member, as ISO 8601.
 */
void
cyc_json_writer_put_time (CycJsonWriter *self,
                          const char    *name,
                          gint64         real_us)
{
  g_autofree char *text = real_us == 0 ? NULL : cyc_time_to_iso (real_us);

  cyc_json_writer_put_string (self, name, text);
}

/**
 * cyc_json_writer_put_double:
 * @self: a writer inside an object
 * @name: the key
 * @value: a number; nan and the infinities are written as null
 *
 * Writes a member.
 */
void
cyc_json_writer_put_double (CycJsonWriter *self,
                            const char    *name,
                            double         value)
{
  cyc_json_writer_key (self, name);
  cyc_json_writer_double (self, value);
}

/**
 * cyc_json_writer_put_boolean:
 * @self: a writer inside an object
 * @name: the key
 * @value: the value
 *
 * Writes a member.
 */
void
cyc_json_writer_put_boolean (CycJsonWriter *self,
                             const char    *name,
                             gboolean       value)
{
  cyc_json_writer_key (self, name);
  cyc_json_writer_boolean (self, value);
}

/**
 * cyc_json_writer_finish:
 * @self: a writer at the end of its one top-level value
 * @error: (nullable): return location for the sink's error
 *
 * Hands what is left to the sink. Pretty text gets a last line end.
 *
 * Returns: %TRUE if the sink took everything
 */
gboolean
cyc_json_writer_finish (CycJsonWriter  *self,
                        GError        **error)
{
  g_return_val_if_fail (self != NULL && self->depth == 0, FALSE);

  if ((self->flags & CYC_JSON_PRETTY) != 0)
    g_string_append_c (self->out, '\n');
  flush (self);
  if (self->error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&self->error));
      return FALSE;
    }
  return TRUE;
}

/**
 * cyc_json_writer_steal:
 * @self: a writer without a sink
 *
 * Returns: (transfer full): the text so far
 */
GString *
cyc_json_writer_steal (CycJsonWriter *self)
{
  g_return_val_if_fail (self != NULL && self->sink == NULL, NULL);

  GString *text = self->out;
  self->out = g_string_new (NULL);
  return text;
}
