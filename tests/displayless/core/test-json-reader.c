/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <gio/gio.h>
#include <string.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-json-value.h"

/* JSON token by token, in pieces of any size, and values that lose nothing. */

typedef struct
{
  const char *text;
  gsize       len;
  gsize       at;
  gsize       piece;
  gsize       fail_at; /* where reading fails, 0 for nowhere */
} Source;

static gssize
read_piece (gpointer   data,
            char      *buffer,
            gsize      size,
            GError   **error)
{
  Source *self = data;
  gsize n = MIN (MIN (size, self->piece), self->len - self->at);

  if (self->fail_at > 0 && self->at >= self->fail_at)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "the disk is on fire");
      return -1;
    }
  memcpy (buffer, self->text + self->at, n);
  self->at += n;
  return (gssize) n;
}

/* The tokens in one line: `[`, `{`, `]`, keys with a colon, strings in quotes, numbers as they are. */
static char *
list_tokens (CycJsonReader  *reader,
             GError        **error)
{
  g_autoptr (GString) out = g_string_new (NULL);
  static const char *const names[] = { "null", "false", "true", "", "", "", "[", "{", "]", "", "." };

  for (;;)
    {
      gsize len;
      if (!cyc_json_reader_next (reader, error))
        return NULL;
      CycJsonToken token = cyc_json_reader_get_token (reader);
      const char *text = cyc_json_reader_get_text (reader, &len);
      g_string_append (out, names[token]);
      if (token == CYC_JSON_INTEGER || token == CYC_JSON_DOUBLE)
        g_string_append_len (out, text, (gssize) len);
      else if (token == CYC_JSON_STRING || token == CYC_JSON_KEY)
        cyc_json_append_trace_string (out, text, len);
      if (token == CYC_JSON_KEY)
        g_string_append_c (out, ':');
      if (token == CYC_JSON_END)
        return g_string_free (g_steal_pointer (&out), FALSE);
      g_string_append_c (out, ' ');
    }
}

static const char whole[] =
  "\xEF\xBB\xBF {\"a\\u0000b\": [1, -0, 12345678901234567890123, 1.50e+3, true, false, null],\r\n\t\"\": {},"
  " \"caf\xc3\xa9\": \"\\ud83d\\ude00 \\ud83d \\\"\\\\\\/\\b\\f\\n\\r\\t \xf0\x9f\x98\x80\", \"x\": []} \n";
static const char tokens[] =
  "{ \"a\\u0000b\": [ 1 -0 12345678901234567890123 1.50e+3 true false null ] \"\": { ] \"caf\xc3\xa9\": "
  "\"\xf0\x9f\x98\x80 \\ud83d \\\"\\\\/\\b\\f\\n\\r\\t \xf0\x9f\x98\x80\" \"x\": [ ] ] .";

static void
test_pieces (void)
{
  for (gsize piece = 1; piece <= sizeof whole; piece++)
    {
      Source source = { whole, strlen (whole), 0, piece, 0 };
      g_autoptr (CycJsonReader) reader = cyc_json_reader_new (read_piece, &source);
      g_autoptr (GError) error = NULL;
      g_autofree char *found = list_tokens (reader, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (found, ==, tokens);
    }
  g_autoptr (CycJsonReader) reader = cyc_json_reader_new_for_text (whole, strlen (whole));
  g_autofree char *found = list_tokens (reader, NULL);
  g_assert_cmpstr (found, ==, tokens);
}

/* A token may be longer than the buffer; offsets count from the beginning all the same. */
static void
test_long (void)
{
  g_autoptr (GString) text = g_string_new ("[\"");
  g_autoptr (GError) error = NULL;
  gsize len;

  for (guint i = 0; i < 1000000; i++)
    g_string_append_c (text, (char) ('a' + i % 26));
  g_string_append (text, "\", 7]");
  Source source = { text->str, text->len, 0, 777, 0 };
  g_autoptr (CycJsonReader) reader = cyc_json_reader_new (read_piece, &source);
  g_assert_true (cyc_json_reader_next (reader, &error));
  g_assert_true (cyc_json_reader_next (reader, &error));
  const char *found = cyc_json_reader_get_text (reader, &len);
  g_assert_cmpmem (found, len, text->str + 2, 1000000);
  g_assert_cmpuint (cyc_json_reader_get_start (reader), ==, 1);
  g_assert_cmpuint (cyc_json_reader_get_end (reader), ==, 1000003);
  g_assert_true (cyc_json_reader_next (reader, &error));
  g_assert_cmpuint (cyc_json_reader_get_start (reader), ==, 1000005);
  g_assert_cmpuint (cyc_json_reader_get_token (reader), ==, CYC_JSON_INTEGER);
}

static void
test_refused (void)
{
  static const struct
  {
    const char *text;
    const char *message;
  } cases[] = {
    { "", "expected a value, found the end of the text: line 1 column 1 (byte 0)" },
    { "[1,\n 2", "expected ',' or ']' after an item, found the end of the text: line 2 column 3 (byte 6)" },
    { "[1, ]", "expected a value, found ']': line 1 column 5 (byte 4)" },
    { "{\"a\" 1}", "expected ':' after a key, found '1': line 1 column 6 (byte 5)" },
    { "{\"a\": 1,}", "expected a key in double quotes, found '}': line 1 column 9 (byte 8)" },
    { "{1: 2}", "expected a key in double quotes, found '1': line 1 column 2 (byte 1)" },
    { "[\"a\nb\"]", "expected the closing '\"' of a string, found the control character 0x0a: line 1 column 4 "
                    "(byte 3)" },
    { "[\"\\x\"]", "expected an escape such as \\n or \\u00e9, found 'x': line 1 column 4 (byte 3)" },
    { "[\"\\u12g4\"]", "expected an escape such as \\n or \\u00e9, found '1': line 1 column 5 (byte 4)" },
    { "[\"a\xff\"]", "expected UTF-8, found the byte 0xff, which is not UTF-8: line 1 column 4 (byte 3)" },
    { "[\"\xed\xa0\x80\"]", "expected UTF-8, found the byte 0xed, which is not UTF-8: line 1 column 3 (byte 2)" },
    { "[01]", "expected ',' or ']' after an item, found '1': line 1 column 3 (byte 2)" },
    { "[1.]", "expected a digit, found ']': line 1 column 4 (byte 3)" },
    { "[-]", "expected a digit, found ']': line 1 column 3 (byte 2)" },
    { "[1e+]", "expected a digit, found ']': line 1 column 5 (byte 4)" },
    { "[nul]", "expected a value, found 'n': line 1 column 2 (byte 1)" },
    { "[NaN]", "expected a value, found 'N': line 1 column 2 (byte 1)" },
    { "[-Infinity]", "expected a digit, found 'I': line 1 column 3 (byte 2)" },
    { "{} {}", "expected the end of the text, found '{': line 1 column 4 (byte 3)" },
    { "[1] \xc3\xa9", "expected the end of the text, found '\xc3\xa9': line 1 column 5 (byte 4)" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (gsize piece = 1; piece < 12; piece += 5)
      {
        Source source = { cases[i].text, strlen (cases[i].text), 0, piece, 0 };
        g_autoptr (CycJsonReader) reader = cyc_json_reader_new (read_piece, &source);
        g_autoptr (GError) error = NULL;
        g_autofree char *found = list_tokens (reader, &error);
        g_assert_null (found);
        g_assert_error (error, CYC_ERROR, CYC_ERROR_INPUT);
        g_assert_cmpstr (error->message, ==, cases[i].message);
        g_assert_true (cyc_json_reader_is_syntax (reader));
      }
}

static void
test_deep (void)
{
  for (guint depth = CYC_JSON_READER_MAX_DEPTH; depth <= CYC_JSON_READER_MAX_DEPTH + 1; depth++)
    {
      g_autofree char *open = g_strnfill (depth, '[');
      g_autofree char *close = g_strnfill (depth, ']');
      g_autofree char *text = g_strconcat (open, close, NULL);
      g_autoptr (CycJsonReader) reader = cyc_json_reader_new_for_text (text, strlen (text));
      g_autoptr (GError) error = NULL;
      g_autofree char *found = list_tokens (reader, &error);
      g_assert_true ((found != NULL) == (depth == CYC_JSON_READER_MAX_DEPTH));
    }
}

static void
test_broken_source (void)
{
  for (gsize at = 1; at < strlen (whole); at++)
    {
      Source source = { whole, strlen (whole), 0, 1, at };
      g_autoptr (CycJsonReader) reader = cyc_json_reader_new (read_piece, &source);
      g_autoptr (GError) error = NULL;
      g_autofree char *found = list_tokens (reader, &error);
      g_assert_null (found);
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_FAILED);
      g_assert_false (cyc_json_reader_is_syntax (reader));
    }
}

static char *
rewrite (const char *text)
{
  g_autoptr (CycJsonArena) arena = cyc_json_arena_new ();
  g_autoptr (CycJsonReader) reader = cyc_json_reader_new_for_text (text, strlen (text));
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_TRACE, NULL, NULL);
  g_autoptr (GError) error = NULL;

  cyc_json_reader_set_constants (reader, TRUE);
  g_assert_true (cyc_json_reader_next (reader, &error));
  const CycJsonValue *value = cyc_json_arena_read (arena, reader, &error);
  g_assert_no_error (error);
  cyc_json_value_write (value, writer);
  return g_string_free (cyc_json_writer_steal (writer), FALSE);
}

/* As json.dumps (json.loads (text), ensure_ascii=False) of Python, but for numbers that a float would
 * change and keys that come twice: those stay. */
static void
test_values (void)
{
  static const struct
  {
    const char *text;
    const char *expected;
  } cases[] = {
    { "{\"a\":1,\"b\":[],\"c\":{}}", "{\"a\": 1, \"b\": [], \"c\": {}}" },
    { "[1.0,10.0,100e-1,0.0,-0.0,0e5,1E2]", "[1.0, 10.0, 10.0, 0.0, -0.0, 0.0, 100.0]" },
    { "[0.0001,0.00001,1e16,123e14,9999999999999998.0]",
      "[0.0001, 1e-05, 1e+16, 1.23e+16, 9999999999999998.0]" },
    { "[1e-7,1.5e300,-2.50]", "[1e-07, 1.5e+300, -2.5]" },
    { "[-0,0,18446744073709551616,-170141183460469231731687303715884105728]",
      "[0, 0, 18446744073709551616, -170141183460469231731687303715884105728]" },
    { "[0.30000000000000004,0.3000000000000000444]", "[0.30000000000000004, 0.3000000000000000444]" },
    { "[123456789012345678.5,1e400,4.9e-324,1e-400]", "[123456789012345678.5, 1e400, 4.9e-324, 1e-400]" },
    { "[NaN,Infinity,-Infinity]", "[NaN, Infinity, -Infinity]" },
    { "\"\\u0001\\u001f\\u007f\\u2028\\ud800\"", "\"\\u0001\\u001f\x7f\xe2\x80\xa8\\ud800\"" },
    { "{\"a\":1,\"a\":2}", "{\"a\": 1, \"a\": 2}" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = rewrite (cases[i].text);
      g_assert_cmpstr (text, ==, cases[i].expected);
      g_autofree char *again = rewrite (text);
      g_assert_cmpstr (again, ==, text);
    }
}

static void
test_members (void)
{
  static const char text[] = "{\"a\": 1, \"b\": \"x\", \"a\": 9223372036854775807,"
                             " \"c\": 9223372036854775808, \"d\": 2.5}";
  g_autoptr (CycJsonArena) arena = cyc_json_arena_new ();
  g_autoptr (GError) error = NULL;
  const CycJsonValue *value = cyc_json_arena_parse (arena, text, strlen (text), "it", &error);
  double number;
  gint64 whole_number;

  g_assert_no_error (error);
  g_assert_true (cyc_json_value_get_int (cyc_json_value_get_member (value, "a"), &whole_number));
  g_assert_cmpint (whole_number, ==, G_MAXINT64);
  g_assert_false (cyc_json_value_get_int (cyc_json_value_get_member (value, "c"), &whole_number));
  g_assert_false (cyc_json_value_get_int (cyc_json_value_get_member (value, "d"), &whole_number));
  g_assert_true (cyc_json_value_get_number (cyc_json_value_get_member (value, "c"), &number));
  g_assert_cmpfloat (number, ==, 9223372036854775808.0);
  g_assert_true (cyc_json_value_is_text (cyc_json_value_get_member (value, "b"), "x"));
  g_assert_false (cyc_json_value_is_text (cyc_json_value_get_member (value, "b"), "xy"));
  g_assert_null (cyc_json_value_get_member (value, "e"));
  g_assert_null (cyc_json_value_get_member (cyc_json_value_get_member (value, "a"), "a"));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/json-reader/tokens/pieces", test_pieces);
  g_test_add_func ("/core/json-reader/tokens/long", test_long);
  g_test_add_func ("/core/json-reader/tokens/refused", test_refused);
  g_test_add_func ("/core/json-reader/tokens/deep", test_deep);
  g_test_add_func ("/core/json-reader/tokens/broken-source", test_broken_source);
  g_test_add_func ("/core/json-reader/values/rewritten", test_values);
  g_test_add_func ("/core/json-reader/values/members", test_members);
  return g_test_run ();
}
