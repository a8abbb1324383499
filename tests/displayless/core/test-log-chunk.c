/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "core/accelsim/cyc-log-chunk.h"
#include "core/base/cyc-error.h"

#define FFFD "\xEF\xBF\xBD"

static void
test_good (void)
{
  static const struct { const char *json; guint64 seq; guint n; gboolean cut; const char *text; } rows[] = {
    { "{\"seq\":0,\"lines\":[]}", 0, 0, FALSE, "" },
    { "{\"seq\":7,\"lines\":[\"a\",\"\",\"b c\"]}", 7, 3, FALSE, "a\n\nb c\n" },
    { " {\t\"lines\" : [ \"x\" ] ,\r\n\"seq\" : 123456789012345678 } \n", 123456789012345678, 1, FALSE, "x\n" },
    { "{\"seq\":1,\"lines\":[\"a\",\"b\"],\"unterminated\":true}", 1, 2, TRUE, "a\nb" },
    { "{\"unterminated\":false,\"seq\":1,\"lines\":[\"a\"]}", 1, 1, FALSE, "a\n" },
    { "{\"unterminated\":true,\"seq\":1,\"lines\":[]}", 1, 0, FALSE, "" },
    { "{\"seq\":1,\"other\":{\"lines\":[1,-2.5e+3,null,{}],\"\\u0061\":[[]]},\"lines\":[\"a\"],\"z\":\"\\n\"}",
      1, 1, FALSE, "a\n" },
    { "{\"s\\u0065q\":3,\"lines\":[\"\\\"\\\\\\/\\b\\f\\r\\t\\u00e9\\u20AC\"]}", 3, 1, FALSE,
      "\"\\/\b\f\r\t\xc3\xa9\xe2\x82\xac\n" },
    { "{\"seq\":3,\"lines\":[\"\\ud83d\\ude00 \\ud83d \\ude00 \\ud83dx \\ud83d\\u0041 \\ud83d\\ud83d\\ude00\"]}",
      3, 1, FALSE, "\xf0\x9f\x98\x80 " FFFD " " FFFD " " FFFD "x " FFFD "A " FFFD "\xf0\x9f\x98\x80\n" },
    { "{\"seq\":3,\"lines\":[\"12345678901234567890123456789\\\"12345678 caf\xc3\xa9 12345678\x7f\"]}", 3, 1, FALSE,
      "12345678901234567890123456789\"12345678 caf\xc3\xa9 12345678\x7f\n" },
    { "{\"seq\":1,\"seq\":2,\"lines\":[\"a\",\"b\"],\"lines\":[\"c\"]}", 2, 1, FALSE, "c\n" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (CycLogChunk) chunk = cyc_log_chunk_decode (rows[i].json, strlen (rows[i].json), &error);
      g_assert_no_error (error);
      g_assert_cmpuint (chunk->seq, ==, rows[i].seq);
      g_assert_cmpuint (chunk->n_lines, ==, rows[i].n);
      g_assert_true (chunk->unterminated == rows[i].cut);
      g_assert_cmpstr (chunk->text->str, ==, rows[i].text);
      g_assert_cmpuint (chunk->text->len, ==, strlen (rows[i].text));
    }
}

static void
test_wrong_types (void)
{
  static const struct { const char *json, *message; } rows[] = {
    { "[]", "body: expected an object" },
    { "null", "body: expected an object" },
    { "{}", "seq: is missing" },
    { "{\"seq\":0}", "lines: is missing" },
    { "{\"lines\":[]}", "seq: is missing" },
    { "{\"seq\":-1,\"lines\":[]}", "seq: must be 0 or more" },
    { "{\"seq\":1.0,\"lines\":[]}", "seq: expected an integer" },
    { "{\"seq\":\"1\",\"lines\":[]}", "seq: expected an integer" },
    { "{\"seq\":null,\"lines\":[]}", "seq: expected an integer" },
    { "{\"seq\":12345678901234567890,\"lines\":[]}", "seq: is too large" },
    { "{\"seq\":0,\"lines\":\"a\"}", "lines: expected a list of texts" },
    { "{\"seq\":0,\"lines\":null}", "lines: expected a list of texts" },
    { "{\"seq\":0,\"lines\":[\"a\",null]}", "lines[1]: expected a text" },
    { "{\"seq\":0,\"lines\":[3]}", "lines[0]: expected a text" },
    { "{\"seq\":0,\"lines\":[\"a\\nb\"]}", "lines[0]: a line cannot hold a line end" },
    { "{\"seq\":0,\"lines\":[\"a\",\"a\\u000ab\"]}", "lines[1]: a line cannot hold a line end" },
    { "{\"seq\":0,\"lines\":[\"a\\u0000b\"]}", "lines[0]: a line cannot hold a NUL" },
    { "{\"seq\":0,\"lines\":[],\"unterminated\":1}", "unterminated: expected true or false" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;
      g_assert_null (cyc_log_chunk_decode (rows[i].json, strlen (rows[i].json), &error));
      g_assert_error (error, CYC_ERROR, CYC_ERROR_VALUE);
      g_assert_cmpstr (error->message, ==, rows[i].message);
    }
}

static void
test_not_json (void)
{
  static const char *const rows[] = {
    "", " ", "{", "{\"seq\":0,\"lines\":[]", "{\"seq\":0,\"lines\":[]}x", "{\"seq\":0,\"lines\":[]}{}",
    "{\"seq\":0,}", "{\"seq\":0 \"lines\":[]}", "{seq:0,\"lines\":[]}", "{\"seq\":0,\"lines\":[,]}",
    "{\"seq\":0,\"lines\":[\"a\",]}", "{\"seq\":0,\"lines\":[\"a\" \"b\"]}", "{\"seq\":01,\"lines\":[]}",
    "{\"seq\":0,\"lines\":[\"a]}", "{\"seq\":0,\"lines\":[\"\\x\"]}", "{\"seq\":0,\"lines\":[\"\\u12g4\"]}",
    "{\"seq\":0,\"lines\":[\"\\ud83d\\u12\"]}", "{\"seq\":0,\"lines\":[\"tab\tin\"]}",
    "{\"seq\":0,\"lines\":[\"line\nend\"]}", "{\"seq\":0,\"lines\":[\"bad \xff\"]}",
    "{\"seq\":0,\"lines\":[\"bad \xc0\x80\"]}", "{\"seq\":0,\"lines\":[\"bad \xed\xa0\x80\"]}",
    "{\"seq\":0,\"lines\":[\"cut \xe2\x82\"]}", "{\"seq\":0,\"lines\":[],\"a\":tru}",
    "{\"seq\":0,\"lines\":[],\"a\":1.}", "{\"seq\":0,\"lines\":[],\"a\":1e}", "{\"seq\":0,\"lines\":[],\"a\":-}",
    "{\"seq\":0,\"lines\":[],\"a\":[1 2]}", "{\"seq\":0,\"lines\":[],\"a\":{1:2}}", "\xef\xbb\xbf{}", "nul",
  };
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;
      g_assert_null (cyc_log_chunk_decode (rows[i], strlen (rows[i]), &error));
      g_assert_error (error, CYC_ERROR, CYC_ERROR_INPUT);
      g_assert_true (g_str_has_prefix (error->message, "not JSON: expected "));
    }

  g_autoptr (GString) deep = g_string_new ("{\"seq\":0,\"lines\":[],\"a\":");
  for (guint i = 0; i < 100000; i++)
    g_string_append_c (deep, '[');
  g_autoptr (GError) error = NULL;
  g_assert_null (cyc_log_chunk_decode (deep->str, deep->len, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_INPUT);

  static const char nul[] = "{\"seq\":0,\"lines\":[\"a\0b\"]}";
  g_autoptr (GError) nul_error = NULL;
  g_assert_null (cyc_log_chunk_decode (nul, sizeof nul - 1, &nul_error));
  g_assert_error (nul_error, CYC_ERROR, CYC_ERROR_INPUT);
}

static void
test_too_many (void)
{
  for (guint n = 2000; n <= 2001; n++)
    {
      g_autoptr (GString) json = g_string_new (NULL);
      cyc_log_chunk_begin_json (json, 5);
      for (guint i = 0; i < n; i++)
        cyc_log_chunk_add_json (json, "line", 4, i);
      cyc_log_chunk_end_json (json, FALSE);
      g_autoptr (GError) error = NULL;
      g_autoptr (CycLogChunk) chunk = cyc_log_chunk_decode (json->str, json->len, &error);
      if (n == 2000)
        {
          g_assert_no_error (error);
          g_assert_cmpuint (chunk->n_lines, ==, 2000);
          g_assert_cmpuint (chunk->text->len, ==, 10000);
        }
      else
        g_assert_error (error, CYC_ERROR, CYC_ERROR_TOO_LARGE);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/log-chunk/good", test_good);
  g_test_add_func ("/core/log-chunk/wrong-types", test_wrong_types);
  g_test_add_func ("/core/log-chunk/not-json", test_not_json);
  g_test_add_func ("/core/log-chunk/too-many", test_too_many);
  return g_test_run ();
}
