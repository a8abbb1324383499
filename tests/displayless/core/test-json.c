/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-json-writer.h"
#include "core/base/cyc-json.h"
#include "support/test-folder.h"

static JsonNode *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  JsonNode *node = cyc_json_parse (text, strlen (text), "in.json", &error);

  g_assert_no_error (error);
  g_assert_nonnull (node);
  return node;
}

static void
assert_refused (const char *text,
                gsize       len,
                const char *message)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (cyc_json_parse (text, len, "in.json", &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_INPUT);
  g_assert_cmpstr (error->message, ==, message);
}

static void
test_values (void)
{
  g_autoptr (JsonNode) root = parse ("\xEF\xBB\xBF { \"i\": -12, \"big\": 9223372036854775807,\n\t\"d\": 2.5e-1,\r\n"
                                     " \"t\": true, \"f\": false, \"n\": null, \"s\": \"x\",\n"
                                     " \"a\": [1, [], {}], \"o\": {\"k\": \"v\"}, \"i\": 3 } \n");
  JsonObject *object = cyc_json_node_get_object (root);
  gint64 whole;
  double real;
  gboolean flag;

  g_assert_true (cyc_json_get_int (object, "i", &whole));
  g_assert_cmpint (whole, ==, 3); /* the last of two */
  g_assert_true (cyc_json_get_int (object, "big", &whole));
  g_assert_cmpint (whole, ==, G_MAXINT64);
  g_assert_true (cyc_json_get_double (object, "d", &real));
  g_assert_cmpfloat (real, ==, 0.25);
  g_assert_true (cyc_json_get_double (object, "i", &real));
  g_assert_cmpfloat (real, ==, 3);
  g_assert_true (cyc_json_get_boolean (object, "t", &flag));
  g_assert_true (flag);
  g_assert_true (cyc_json_get_boolean (object, "f", &flag));
  g_assert_false (flag);
  g_assert_cmpstr (cyc_json_get_string (object, "s"), ==, "x");
  g_assert_true (json_object_get_null_member (object, "n"));
  JsonArray *array = cyc_json_get_array (object, "a");
  g_assert_cmpuint (json_array_get_length (array), ==, 3);
  g_assert_cmpuint (json_array_get_length (json_array_get_array_element (array, 1)), ==, 0);
  g_assert_cmpstr (cyc_json_get_string (cyc_json_get_object (object, "o"), "k"), ==, "v");
}

/* A member that is missing or of another type is "not there", never a guess. */
static void
test_wrong_types (void)
{
  g_autoptr (JsonNode) root = parse ("{\"s\": \"5\", \"i\": 5, \"d\": 5.0, \"n\": null, \"a\": [], \"o\": {}}");
  JsonObject *object = cyc_json_node_get_object (root);
  static const char *const members[] = { "s", "i", "d", "n", "a", "o", "missing" };
  gint64 whole;
  double real;
  gboolean flag;

  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    {
      const char *m = members[i];
      g_assert_cmpint (cyc_json_get_string (object, m) != NULL, ==, m[0] == 's');
      g_assert_cmpint (cyc_json_get_int (object, m, &whole), ==, m[0] == 'i');
      g_assert_cmpint (cyc_json_get_double (object, m, &real), ==, m[0] == 'i' || m[0] == 'd');
      g_assert_false (cyc_json_get_boolean (object, m, &flag));
      g_assert_cmpint (cyc_json_get_array (object, m) != NULL, ==, m[0] == 'a');
      g_assert_cmpint (cyc_json_get_object (object, m) != NULL, ==, m[0] == 'o');
    }
  g_assert_null (cyc_json_get_string (NULL, "s"));
  g_assert_null (cyc_json_get_array (NULL, "a"));
  g_assert_null (cyc_json_get_object (NULL, "o"));
  g_assert_null (cyc_json_node_get_object (NULL));
  g_autoptr (JsonNode) list = parse ("[1]");
  g_assert_null (cyc_json_node_get_object (list));
}

static void
test_strings (void)
{
  static const struct
  {
    const char *json;
    const char *text;
  } cases[] = {
    { "\"\"", "" },
    { "\"a\\n\\t\\r\\b\\f\\\"\\\\\\/\"", "a\n\t\r\b\f\"\\/" },
    { "\"\\u0041\\u00e9\\u20AC\"", "A\xc3\xa9\xe2\x82\xac" },
    { "\"\\ud83d\\ude00\"", "\xf0\x9f\x98\x80" },
    { "\"\\ud83d!\"", "\xEF\xBF\xBD!" },
    { "\"\\ud83d\\u0041\"", "\xEF\xBF\xBD" "A" },
    { "\"\\ude00\"", "\xEF\xBF\xBD" },
    { "\"a\\u0000b\"", "a\xEF\xBF\xBD" "b" },
    { "\"caf\xc3\xa9 \x7f\"", "caf\xc3\xa9 \x7f" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (JsonNode) node = parse (cases[i].json);
      g_assert_cmpstr (json_node_get_string (node), ==, cases[i].text);
    }
}

static void
test_numbers (void)
{
  static const char *const integers[] = { "0", "-0", "10", "-9223372036854775808" };
  static const struct
  {
    const char *json;
    double      value;
  } reals[] = {
    { "9223372036854775808", 9223372036854775808.0 },
    { "-18446744073709551617", -18446744073709551616.0 },
    { "1.5", 1.5 },
    { "1E2", 100 },
    { "-1e+2", -100 },
    { "0.0", 0 },
  };
  for (guint i = 0; i < G_N_ELEMENTS (integers); i++)
    {
      g_autoptr (JsonNode) node = parse (integers[i]);
      g_assert_true (json_node_get_value_type (node) == G_TYPE_INT64);
      g_assert_cmpint (json_node_get_int (node), ==, g_ascii_strtoll (integers[i], NULL, 10));
    }
  for (guint i = 0; i < G_N_ELEMENTS (reals); i++)
    {
      g_autoptr (JsonNode) node = parse (reals[i].json);
      g_assert_true (json_node_get_value_type (node) == G_TYPE_DOUBLE);
      g_assert_cmpfloat (json_node_get_double (node), ==, reals[i].value);
    }
}

static void
test_refused (void)
{
  static const struct
  {
    const char *json;
    const char *message;
  } cases[] = {
    { "", "in.json:1: not JSON: expected a value, found the end of the text" },
    { " \n ", "in.json:2: not JSON: expected a value, found the end of the text" },
    { "[\n  1,\n  oops\n]", "in.json:3: not JSON: expected a value, found 'o'" },
    { "{\n\"a\": 1\n\"b\": 2}", "in.json:3: not JSON: expected ',' or '}' after a member, found '\"'" },
    { "[1,]", "in.json:1: not JSON: expected a value, found ']'" },
    { "[1 2]", "in.json:1: not JSON: expected ',' or ']' after an item, found '2'" },
    { "[1", "in.json:1: not JSON: expected ',' or ']' after an item, found the end of the text" },
    { "{\"a\" 1}", "in.json:1: not JSON: expected ':' after a key, found '1'" },
    { "{a: 1}", "in.json:1: not JSON: expected a key in double quotes, found 'a'" },
    { "{\"a\": 1,}", "in.json:1: not JSON: expected a key in double quotes, found '}'" },
    { "{}{}", "in.json:1: not JSON: expected the end of the text, found '{'" },
    { "1 \xc3\xa9", "in.json:1: not JSON: expected the end of the text, found '\xc3\xa9'" },
    { "/* \" */ [1]", "in.json:1: not JSON: expected a value, found '/'" },
    { "var a = 1", "in.json:1: not JSON: expected a value, found 'v'" },
    { "'a'", "in.json:1: not JSON: expected a value, found '''" },
    { "nul", "in.json:1: not JSON: expected a value, found 'n'" },
    { "NaN", "in.json:1: not JSON: expected a value, found 'N'" },
    { "01", "in.json:1: not JSON: expected the end of the text, found '1'" },
    { "0x10", "in.json:1: not JSON: expected the end of the text, found 'x'" },
    { "1.", "in.json:1: not JSON: expected a digit, found the end of the text" },
    { "-x", "in.json:1: not JSON: expected a digit, found 'x'" },
    { "1e+", "in.json:1: not JSON: expected a digit, found the end of the text" },
    { ".5", "in.json:1: not JSON: expected a value, found '.'" },
    { "+1", "in.json:1: not JSON: expected a value, found '+'" },
    { "1e999", "in.json:1: not JSON: a number is too large" },
    { "\"a", "in.json:1: not JSON: expected the closing '\"' of a string, found the end of the text" },
    { "\"a\nb\"",
      "in.json:1: not JSON: expected the closing '\"' of a string, found the control character 0x0a" },
    { "\"\\q\"", "in.json:1: not JSON: expected an escape such as \\n or \\u00e9, found 'q'" },
    { "\"\\u12g4\"", "in.json:1: not JSON: expected an escape such as \\n or \\u00e9, found '1'" },
    { "\"\\", "in.json:1: not JSON: expected an escape such as \\n or \\u00e9, found the end of the text" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_refused (cases[i].json, strlen (cases[i].json), cases[i].message);
  assert_refused ("[\n\"\xff\"]", 5, "in.json:2: not JSON: the text is not UTF-8 from byte 3 on");
  assert_refused ("[1\0]", 4, "in.json:1: not JSON: the text is not UTF-8 from byte 2 on");

  g_autoptr (GError) error = NULL;
  g_assert_null (cyc_json_parse ("[", 1, NULL, &error));
  g_assert_cmpstr (error->message, ==,
                   "not JSON: expected a value, found the end of the text");
}

static void
test_depth (void)
{
  g_autofree char *open = g_strnfill (128, '[');
  g_autofree char *close = g_strnfill (128, ']');
  g_autofree char *deepest = g_strconcat (open, close, NULL);
  g_autoptr (JsonNode) node = parse (deepest);
  g_assert_nonnull (node);

  g_autofree char *deeper = g_strconcat ("[", deepest, "]", NULL);
  assert_refused (deeper, strlen (deeper), "in.json:1: JSON nested more than 128 levels deep");
  /* Brackets behind a quote that is no string's: json-glib would end the process here. */
  g_autofree char *many = g_strnfill (1000000, '{');
  g_autofree char *hidden = g_strconcat ("/*\"*/", many, NULL);
  assert_refused (many, strlen (many), "in.json:1: not JSON: expected a key in double quotes, found '{'");
  assert_refused (hidden, strlen (hidden), "in.json:1: not JSON: expected a value, found '/'");
}

static void
test_file (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autofree char *path = test_folder_write (folder, "a.json", "{\"a\":\n!}", -1);
  g_autofree char *expected = g_strdup_printf ("%s:2: not JSON: expected a value, found '!'", path);
  g_autofree char *missing = g_build_filename (folder, "b.json", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_null (cyc_json_parse_file (path, 100, &error));
  g_assert_cmpstr (error->message, ==, expected);
  g_clear_error (&error);
  g_assert_null (cyc_json_parse_file (path, 7, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_TOO_LARGE);
  g_clear_error (&error);
  g_assert_null (cyc_json_parse_file (missing, 100, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_NOT_FOUND);
  g_clear_error (&error);

  g_free (test_folder_write (folder, "a.json", "[7]", -1));
  g_autoptr (JsonNode) node = cyc_json_parse_file (path, 3, &error);
  g_assert_no_error (error);
  g_assert_cmpint (json_array_get_int_element (json_node_get_array (node), 0), ==, 7);
}

static void
write_all_kinds (CycJsonWriter *writer)
{
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_key (writer, "a\"b");
  cyc_json_writer_begin_array (writer);
  cyc_json_writer_int (writer, G_MININT64);
  cyc_json_writer_uint (writer, G_MAXUINT64);
  cyc_json_writer_double (writer, 0.1);
  cyc_json_writer_double (writer, NAN);
  cyc_json_writer_double (writer, -INFINITY);
  cyc_json_writer_boolean (writer, TRUE);
  cyc_json_writer_boolean (writer, FALSE);
  cyc_json_writer_null (writer);
  cyc_json_writer_string (writer, NULL);
  cyc_json_writer_end_array (writer);
  cyc_json_writer_key_len (writer, "keyX", 3);
  cyc_json_writer_string_len (writer, "valueX", 5);
  cyc_json_writer_key (writer, "raw");
  cyc_json_writer_raw (writer, "[1]", 3);
  cyc_json_writer_key (writer, "empty");
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_end_object (writer);
  cyc_json_writer_end_object (writer);
}

static void
test_writer (void)
{
  g_autoptr (CycJsonWriter) compact = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);
  g_autoptr (CycJsonWriter) pretty = cyc_json_writer_new (CYC_JSON_PRETTY, NULL, NULL);
  g_autoptr (GError) error = NULL;

  write_all_kinds (compact);
  write_all_kinds (pretty);
  g_assert_true (cyc_json_writer_finish (compact, &error));
  g_assert_true (cyc_json_writer_finish (pretty, &error));
  g_autoptr (GString) short_text = cyc_json_writer_steal (compact);
  g_autoptr (GString) long_text = cyc_json_writer_steal (pretty);
  g_assert_cmpstr (short_text->str, ==,
                   "{\"a\\\"b\":[-9223372036854775808,18446744073709551615,0.1,null,null,true,false,null,null],"
                   "\"key\":\"value\",\"raw\":[1],\"empty\":{}}");
  g_assert_cmpstr (long_text->str, ==,
                   "{\n  \"a\\\"b\": [\n    -9223372036854775808,\n    18446744073709551615,\n    0.1,\n    null,\n"
                   "    null,\n    true,\n    false,\n    null,\n    null\n  ],\n  \"key\": \"value\",\n"
                   "  \"raw\": [1],\n  \"empty\": {}\n}\n");
}

static void
test_writer_strings (void)
{
  static const struct
  {
    const char *bytes;
    gsize       len;
    const char *json;
  } cases[] = {
    { "", 0, "\"\"" },
    { "a\"b\\c/", 6, "\"a\\\"b\\\\c/\"" },
    { "\n\t\r\b\f\x01\x1f\x7f", 8, "\"\\n\\t\\r\\u0008\\u000c\\u0001\\u001f\\u007f\"" },
    { "a\0b", 3, "\"a\\u0000b\"" },
    { "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", 9, "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"" },
    { "x\xff\xe2\x82y", 5, "\"x\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBDy\"" },
    { "\xed\xa0\x80", 3, "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"" },
    { "\xe2", 1, "\"\xEF\xBF\xBD\"" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) out = g_string_new (NULL);
      cyc_json_append_string (out, cases[i].bytes, cases[i].len);
      g_assert_cmpstr (out->str, ==, cases[i].json);
    }
}

typedef struct
{
  GString *text;
  guint    n_calls;
  guint    fail_at; /* 0 = never */
} Sink;

static gboolean
take_text (const char  *bytes,
           gsize        len,
           gpointer     user_data,
           GError     **error)
{
  Sink *sink = user_data;

  if (++sink->n_calls == sink->fail_at)
    {
      cyc_error_set_at (error, CYC_ERROR_NO_SPACE, NULL, 0, "full");
      return FALSE;
    }
  g_string_append_len (sink->text, bytes, (gssize) len);
  return TRUE;
}

static void
write_many (CycJsonWriter *writer)
{
  cyc_json_writer_begin_array (writer);
  for (int i = 0; i < 100000; i++)
    cyc_json_writer_int (writer, i);
  cyc_json_writer_end_array (writer);
}

static void
test_writer_sink (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  Sink sink = { .text = text };
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, take_text, &sink);
  g_autoptr (GError) error = NULL;

  write_many (writer);
  g_assert_true (cyc_json_writer_finish (writer, &error));
  g_assert_cmpuint (sink.n_calls, >, 5);
  g_autoptr (JsonNode) node = parse (text->str);
  JsonArray *array = json_node_get_array (node);
  g_assert_cmpuint (json_array_get_length (array), ==, 100000);
  g_assert_cmpint (json_array_get_int_element (array, 99999), ==, 99999);

  Sink full = { .text = text, .fail_at = 2 };
  g_autoptr (CycJsonWriter) stopped = cyc_json_writer_new (CYC_JSON_COMPACT, take_text, &full);
  write_many (stopped);
  g_assert_false (cyc_json_writer_finish (stopped, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_NO_SPACE);
  g_assert_cmpuint (full.n_calls, ==, 2);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/json/values", test_values);
  g_test_add_func ("/core/json/wrong-types", test_wrong_types);
  g_test_add_func ("/core/json/strings", test_strings);
  g_test_add_func ("/core/json/numbers", test_numbers);
  g_test_add_func ("/core/json/refused", test_refused);
  g_test_add_func ("/core/json/depth", test_depth);
  g_test_add_func ("/core/json/file", test_file);
  g_test_add_func ("/core/json-writer/all-kinds", test_writer);
  g_test_add_func ("/core/json-writer/strings", test_writer_strings);
  g_test_add_func ("/core/json-writer/sink", test_writer_sink);
  return g_test_run ();
}
