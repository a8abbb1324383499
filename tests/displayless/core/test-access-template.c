/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <unistd.h>
#include <string.h>

#include "core/access/cyc-template.h"
#include "core/base/cyc-error.h"
#include "support/test-folder.h"

/* The results are what Jinja 3.1.6 made of the same templates. */
static const struct
{
  const char *text;
  const char *parameters;
  const char *result;
} cases[] = {
  { "a: {{ 1 + 2 * 3 }}\n",
    "",
    "a: 7" },
  { "{{ (1 + 2) * 3 }} {{ 7 // 2 }} {{ -7 // 2 }} {{ 7 / 2 }} {{ -7 % 3 }} {{ 2 ** 10 }} {{ 2 * 3 ** 2 }}",
    "",
    "9 3 -4 3.5 2 1024 18" },
  { "{% for i in range(3) %}\n- W{{i}}\n{% endfor %}\nend",
    "",
    "\n- W0\n\n- W1\n\n- W2\n\nend" },
  { "{% for i in range(3) -%}\n- W{{i}}\n{%- endfor %}\nend",
    "",
    "- W0- W1- W2\nend" },
  { "{% for i in range(2) %}{% for j in [1, 'x'] %}{{i}}{{j}} {% endfor %}{{loop.index}}{{loop.last}};{% endfor %}",
    "",
    "01 0x 1False;11 1x 2True;" },
  { "{% set M = M | default(128) %}m: 0 <= m < {{M}}",
    "",
    "m: 0 <= m < 128" },
  { "{% set M = M | default(128) %}m: 0 <= m < {{M}}",
    "M=4",
    "m: 0 <= m < 4" },
  { "{% if N > 1 and not X %}a{% elif N == 1 or X %}b{% else %}c{% endif %}",
    "N=1 X=False",
    "b" },
  { "{% if N > 1 and not X %}a{% elif N == 1 or X %}b{% else %}c{% endif %}",
    "N=2 X=False",
    "a" },
  { "{% if N > 1 and not X %}a{% elif N == 1 or X %}b{% else %}c{% endif %}",
    "N=0 X=False",
    "c" },
  { "{{ 'abc' | upper }} {{ 'ABC' | lower }} {{ [1,2,3] | length }} {{ ['a', 1, 'b'] | join('-') }} "
    "{{ 'abcd'|length }}",
    "",
    "ABC abc 3 a-1-b 4" },
  { "{# gone\n #}x{#- gone -#} y",
    "",
    "xy" },
  { "{{ 'x' if DECODE else 'y' }} {{ ZZ if DECODE else 3 }}",
    "DECODE=False",
    "y 3" },
  { "{% set a = 1 %}{% for i in range(2) %}{% set a = a + 1 %}{{a}}{% endfor %}{{a}}",
    "",
    "221" },
  { "{{ 'a' in ['a','b'] }} {{ 1 < 2 < 3 }} {{ 1 < 3 < 2 }} {{ [1, [2, 'x']] }} {{ 1.5 + 1 }} {{ 4 / 2 }} {{ none }}",
    "",
    "True True False [1, [2, 'x']] 2.5 2.0 None" },
  { "{{ \"a }} b\" }} {{ 'it' ~ 1 ~ 2.0 }} {{ [3,1,2] | min }} {{ [3,1,2]|max }} {{ -5 | abs }}",
    "",
    "a }} b it12.0 1 3 5" },
  { "{% for i in range(4, 0, -2) %}{{ i }},{% endfor %}{{ 1e20 }} {{ 0.1 + 0.2 }}",
    "",
    "4,2,1e+20 0.30000000000000004" },
  { "{% if X is defined %}d{% else %}u{% endif %}{{ X is not defined }}",
    "",
    "uTrue" },
  { "a\n\n",
    "",
    "a\n" },
  { "{{ 1 }}\n",
    "",
    "1" },
  { "- {{ [1,2][1] }}",
    "",
    "- 2" },
  { "{% for i in [] %}x{% endfor %}|{{ not 0 }} {{ not 1 == 2 }} {{ 3 - 1 - 1 }} {{ 2 - -1 }}",
    "",
    "|True True 1 3" },};

static GHashTable *
read_parameters (const char *text)
{
  GHashTable *table = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_auto (GStrv) words = g_strsplit (text, " ", -1);

  for (guint i = 0; words[i] != NULL; i++)
    {
      g_auto (GStrv) pair = g_strsplit (words[i], "=", 2);
      if (pair[0] != NULL)
        g_hash_table_insert (table, g_strdup (pair[0]), g_strdup (pair[1]));
    }
  return table;
}

static void
test_results (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (CycSourceLines) lines = NULL;
      g_autoptr (GHashTable) parameters = read_parameters (cases[i].parameters);
      g_autoptr (GString) out = cyc_template_expand ("t.yaml", cases[i].text, strlen (cases[i].text), parameters,
                                                     &lines, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (out->str, ==, cases[i].result);
    }
}

static void
test_refused (void)
{
  static const char *const bad[][2] = {
    { "a\n{{ X }}", "t.yaml:2: 'X' is undefined; set it, or give it a value with | default (...)" },
    { "a\n\n{% for i in N %}\n{% endfor %}", "t.yaml:3: 'N' is undefined; set it, or give it a value with "
      "| default (...)" },
    { "{% if 1 %}\n{% for i in [1] %}\n{% endif %}", "t.yaml:3: this tag belongs to no open block" },
    { "x\n{% for i in [1] %}", "t.yaml:2: the for is not closed by {% endfor %}" },
    { "{{ 1 ", "t.yaml:1: the tag {{ is not closed by }}" },
    { "{{ 1 / 0 }}", "t.yaml:1: a division by zero" },
    { "{{ 1 + 'a' }}", "t.yaml:1: '+' does not work with an integer and a text" },
    { "{{ 9223372036854775807 + 1 }}", "t.yaml:1: a number is too large" },
    { "{{ 99999999999999999999 }}", "t.yaml:1: a number is too large" },
    { "{{ 1 | wrong }}", "t.yaml:1: the filter 'wrong' is not known here; there are default, upper, lower, length, "
      "join, min, max, int and abs" },
    { "{{ cwd() }}", "t.yaml:1: the function 'cwd' is not known here (or takes other values); there are range, min, "
      "max, ceil, floor and include_text" },
    { "{% macro x() %}", "t.yaml:1: the tag {% macro %} is not known here; there are for, if, set, include and "
      "assert" },
    { "{% assert 1 > 2, 'too few' %}", "t.yaml:1: too few" },
    { "{{ 1 2 }}", "t.yaml:1: the tag should end before '2 '" },
    { "\n{{ 1 +\n }}", "t.yaml:3: expected a value before the end of the tag" },
    { "{% include '../x.yaml' %}", "t.yaml:1: '../x.yaml' is not included: only files in the template's folder or "
      "below it are" },
    { "{% include '/etc/passwd' %}", "t.yaml:1: '/etc/passwd' is not included: only files in the template's folder "
      "or below it are" },
    { "{% for i in range(1000) %}{% for j in range(1000) %}{% for k in range(1000) %}{% endfor %}{% endfor %}"
      "{% endfor %}", "t.yaml:1: the template takes too many steps or its text grows too long; is a loop or a "
      "parameter too large?" },
    { "{{ range(10000000000) | length }}", "t.yaml:1: range gives over a million values" },
    { "{% set a = 'xxxxxxxxxxxxxxxx' %}{% for i in range(100) %}{% set a = a ~ a %}{{ a | length }}{% endfor %}",
      NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (CycSourceLines) lines = NULL;
      g_autoptr (GString) out = cyc_template_expand ("t.yaml", bad[i][0], strlen (bad[i][0]), NULL, &lines, &error);
      if (bad[i][1] == NULL)
        {
          g_assert_no_error (error);
          continue;
        }
      g_assert_error (error, CYC_ERROR, CYC_ERROR_INPUT);
      g_assert_cmpstr (error->message, ==, bad[i][1]);
      g_assert_null (out);
    }
}

/* What doubles 60 times in a row is stopped before it fills the memory. */
static void
test_growth (void)
{
  g_autoptr (GString) text = g_string_new ("{% set a = [1, 'x'] %}{% set t = 'abcdefghijklmnop' %}");
  static const char *const growing[] = { "{% set a = a + a %}", "{% set t = t ~ t %}", "{% set a = [a, a] %}" };

  for (guint i = 0; i < G_N_ELEMENTS (growing); i++)
    {
      g_autoptr (GString) whole = g_string_new (text->str);
      g_autoptr (GError) error = NULL;
      g_autoptr (CycSourceLines) lines = NULL;
      for (guint j = 0; j < 60; j++)
        g_string_append (whole, growing[i]);
      g_autoptr (GString) out = cyc_template_expand ("t.yaml", whole->str, whole->len, NULL, &lines, &error);
      g_assert_error (error, CYC_ERROR, CYC_ERROR_INPUT);
      g_assert_null (out);
    }
}

static void
test_lines (void)
{
  static const char text[] = "a: 1\n{% for i in range(2) %}\nb{{i}}: 2\n{% endfor %}\n{# x\ny #}c: 3\nd: 4\n";
  /* The result, line by line, and where each comes from, by hand. */
  static const guint origins[] = { 1, 2, 3, 2, 3, 4, 6, 7 };
  g_autoptr (GError) error = NULL;
  g_autoptr (CycSourceLines) lines = NULL;
  g_autoptr (GString) out = cyc_template_expand ("t.yaml", text, strlen (text), NULL, &lines, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (out->str, ==, "a: 1\n\nb0: 2\n\nb1: 2\n\nc: 3\nd: 4");
  for (guint i = 0; i < G_N_ELEMENTS (origins); i++)
    {
      guint line;
      g_assert_cmpstr (cyc_source_lines_find (lines, i + 1, &line), ==, "t.yaml");
      g_assert_cmpuint (line, ==, origins[i]);
    }
}

static void
test_include (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autofree char *main_path = test_folder_write (folder, "main.yaml",
    "x: 1\n{% set N = 3 %}{% include 'part.yaml' %}\n{{ include_text('part.yaml') }}\n", -1);
  g_autofree char *part_path = test_folder_write (folder, "part.yaml", "y: {{ N }}\nz: {{ W }}\n", -1);
  g_autofree char *loop_path = test_folder_write (folder, "loop.yaml", "{% include 'loop.yaml' %}", -1);
  g_autofree char *link_path = g_build_filename (folder, "link.yaml", NULL);
  g_autoptr (GHashTable) parameters = read_parameters ("W=w");
  g_autoptr (GError) error = NULL;
  g_autoptr (CycSourceLines) lines = NULL;
  g_autoptr (CycSourceLines) none = NULL;
  g_autofree char *text = NULL;
  gsize len;
  guint line;

  g_assert_true (g_file_get_contents (main_path, &text, &len, NULL));
  g_autoptr (GString) out = cyc_template_expand (main_path, text, len, parameters, &lines, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (out->str, ==, "x: 1\ny: 3\nz: w\ny: 3\nz: w");
  g_assert_cmpstr (cyc_source_lines_find (lines, 3, &line), ==, part_path);
  g_assert_cmpuint (line, ==, 2);

  /* A fault in what is included is told with the name and line of that file. */
  g_autofree char *expected = g_strdup_printf ("%s:2: 'W' is undefined; set it, or give it a value with "
                                               "| default (...)", part_path);
  g_assert_null (cyc_template_expand (main_path, text, len, NULL, &none, &error));
  g_assert_cmpstr (error->message, ==, expected);
  g_clear_error (&error);

  g_assert_null (cyc_template_expand (loop_path, "{% include 'loop.yaml' %}", 25, NULL, &none, &error));
  g_assert_nonnull (strstr (error->message, "does a file include itself?"));
  g_clear_error (&error);

  g_assert_cmpint (symlink ("/etc/passwd", link_path), ==, 0);
  g_assert_null (cyc_template_expand (main_path, "{% include 'link.yaml' %}", 25, NULL, &none, &error));
  g_assert_nonnull (strstr (error->message, "no regular file in the template's folder"));

  g_autoptr (GError) list_error = NULL;
  g_autoptr (GPtrArray) found = cyc_template_list_parameters (main_path, text, len, &list_error);
  g_assert_no_error (list_error);
  g_assert_cmpuint (found->len, ==, 1);
  g_assert_cmpstr (((CycTemplateParameter *) found->pdata[0])->name, ==, "W");
}

static void
test_list_parameters (void)
{
  static const char text[] = "{% set M = M | default(128) %}\n{% for i in range(N) %}{{ i }}{{ M }}{% endfor %}\n"
    "{% if A is defined %}{{ B | d('x y') }}{% else %}{{ C + N }}{% endif %}";
  static const struct
  {
    const char *name;
    const char *fallback;
    guint       line;
  } expected[] = { { "M", "128", 1 }, { "N", NULL, 2 }, { "A", NULL, 3 }, { "B", "'x y'", 3 }, { "C", NULL, 3 } };
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) found = cyc_template_list_parameters ("t.yaml", text, strlen (text), &error);

  g_assert_no_error (error);
  g_assert_cmpuint (found->len, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < found->len; i++)
    {
      const CycTemplateParameter *parameter = g_ptr_array_index (found, i);
      g_assert_cmpstr (parameter->name, ==, expected[i].name);
      g_assert_cmpstr (parameter->fallback, ==, expected[i].fallback);
      g_assert_cmpuint (parameter->line, ==, expected[i].line);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/template/expand/results", test_results);
  g_test_add_func ("/core/template/expand/refused", test_refused);
  g_test_add_func ("/core/template/expand/growth", test_growth);
  g_test_add_func ("/core/template/expand/lines", test_lines);
  g_test_add_func ("/core/template/expand/include", test_include);
  g_test_add_func ("/core/template/list/parameters", test_list_parameters);
  return g_test_run ();
}
