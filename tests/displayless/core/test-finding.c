/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <gio/gio.h>

#include "core/accelsim/cyc-finding.h"

static void
test_add (void)
{
  g_autoptr (CycFindings) findings = cyc_findings_new ();

  g_assert_null (cyc_findings_first_error (findings));
  cyc_findings_add (findings, CYC_SEVERITY_NOTE, "streams", NULL, 0, NULL, "%d streams", 3);
  cyc_findings_add (findings, CYC_SEVERITY_ERROR, "list_ending", "k.g", 7, "rename it", "bad");
  g_assert_cmpuint (cyc_findings_get_length (findings), ==, 2);
  g_assert_cmpuint (cyc_findings_count (findings, CYC_SEVERITY_ERROR), ==, 1);
  g_assert_cmpuint (cyc_findings_count (findings, CYC_SEVERITY_WARNING), ==, 0);
  g_assert_cmpstr (cyc_findings_first_error (findings)->code, ==, "list_ending");
  g_assert_null (cyc_findings_find (findings, "other"));

  g_autofree char *note = cyc_finding_to_string (cyc_findings_get (findings, 0));
  g_autofree char *error = cyc_finding_to_string (cyc_findings_get (findings, 1));
  g_assert_cmpstr (note, ==, "3 streams");
  g_assert_cmpstr (error, ==, "k.g:7: bad; rename it");
}

/* The file is said once, and by every finding that is about one. */
static void
test_add_error (void)
{
  static const struct { const char *message, *file, *text; guint64 line; } rows[] = {
    { "a/b: cannot read: no", "a/b", "cannot read: no", 0 },
    { "a/b:17: bad", "a/b", "bad", 17 },
    { "a/b:17 bad", "a/b", "a/b:17 bad", 0 },
    { "a/bc: cannot read", "a/b", "a/bc: cannot read", 0 },
    { "something else", "a/b", "something else", 0 },
    { "a/b: cannot read", NULL, "a/b: cannot read", 0 },
  };
  g_autoptr (CycFindings) findings = cyc_findings_new ();

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_FAILED, rows[i].message);
      cyc_findings_add_error (findings, CYC_SEVERITY_ERROR, "e", rows[i].file, "do", error);
      const CycFinding *finding = cyc_findings_get (findings, i);
      g_assert_cmpstr (finding->file, ==, rows[i].file);
      g_assert_cmpuint (finding->line, ==, rows[i].line);
      g_assert_cmpstr (finding->text, ==, rows[i].text);
      g_assert_cmpstr (finding->remedy, ==, "do");
    }
}

static void
test_json (void)
{
  g_autoptr (CycFindings) findings = cyc_findings_new ();
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);

  cyc_findings_add (findings, CYC_SEVERITY_NOTE, "a", NULL, 0, NULL, "one");
  cyc_findings_add (findings, CYC_SEVERITY_WARNING, "b", "f", 2, "do", "two");
  cyc_findings_write_json (findings, writer);
  GString *text = cyc_json_writer_steal (writer);
  g_assert_cmpstr (text->str, ==,
                   "[{\"severity\":\"note\",\"code\":\"a\",\"file\":null,\"line\":null,"
                   "\"text\":\"one\",\"remedy\":null},"
                   "{\"severity\":\"warning\",\"code\":\"b\",\"file\":\"f\",\"line\":2,"
                   "\"text\":\"two\",\"remedy\":\"do\"}]");
  g_string_free (text, TRUE);
}

/* What a hostile file says must not reach a terminal as it is. */
static void
test_control_characters (void)
{
  g_autoptr (CycFindings) findings = cyc_findings_new ();

  cyc_findings_add (findings, CYC_SEVERITY_NOTE, "a", NULL, 0, NULL, "x\033[2J\n\xFFy");
  g_assert_cmpstr (cyc_findings_get (findings, 0)->text, ==, "x\\x1B[2J\\x0A\xEF\xBF\xBDy");
}

static void
test_many (void)
{
  g_autoptr (CycFindings) findings = cyc_findings_new ();
  g_autoptr (CycFindings) all = cyc_findings_new ();

  for (guint i = 1; i <= 1000000; i++)
    cyc_findings_add (findings, CYC_SEVERITY_ERROR, "bad", "f", i, NULL, "line %u", i);
  cyc_findings_add (findings, CYC_SEVERITY_NOTE, "other", NULL, 0, NULL, "said too");
  g_assert_cmpuint (cyc_findings_get_length (findings), ==, 102);
  g_assert_cmpuint (cyc_findings_count (findings, CYC_SEVERITY_ERROR), ==, 1000000);
  g_assert_cmpuint (cyc_findings_get (findings, 100)->line, ==, 101);
  g_assert_cmpstr (cyc_findings_get (findings, 100)->text, ==, "999900 more of this kind, from "
                   "here on");

  cyc_findings_append (all, findings);
  cyc_findings_append (all, findings);
  g_assert_cmpuint (cyc_findings_get_length (all), ==, 103);
  g_assert_cmpuint (cyc_findings_count (all, CYC_SEVERITY_ERROR), ==, 2000000);
  g_assert_cmpstr (cyc_findings_get (all, 100)->text, ==, "1999900 more of this kind, from here "
                   "on");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/finding/add", test_add);
  g_test_add_func ("/core/finding/add-error", test_add_error);
  g_test_add_func ("/core/finding/json", test_json);
  g_test_add_func ("/core/finding/control-characters", test_control_characters);
  g_test_add_func ("/core/finding/many", test_many);
  return g_test_run ();
}
