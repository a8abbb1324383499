/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "displayless/cli/ctl.h"

/* The program around its commands: help, version, usage errors, where output goes. */

/* The first words of the rows of a help text that follow @title. */
static GStrv
rows_after (const char *help,
            const char *title,
            gboolean    two_words)
{
  g_autoptr (GStrvBuilder) rows = g_strv_builder_new ();
  g_auto (GStrv) lines = g_strsplit (help, "\n", -1);
  gboolean inside = FALSE;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      if (g_str_equal (lines[i], title))
        inside = TRUE;
      else if (lines[i][0] != ' ')
        inside = FALSE;
      else if (inside && lines[i][2] != ' ')
        {
          g_auto (GStrv) words = g_strsplit (lines[i] + 2, " ", 3);
          g_autofree char *row = two_words ? g_strjoin (" ", words[0], words[1], NULL)
                                           : g_strdup (words[0]);
          g_strv_builder_add (rows, row);
        }
    }
  return g_strv_builder_end (rows);
}

static void
test_version (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autoptr (Ctl) ctl = ctl_run (space, "--version", NULL);

  g_assert_cmpint (ctl->status, ==, 0);
  g_assert_cmpstr (ctl->out, ==, "cyclescopectl " CYC_VERSION "\n");
  g_assert_cmpstr (ctl->err, ==, "");
}

/* Every command named in the help of the program and of the groups has a help of its own. */
static void
test_help (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autoptr (Ctl) program = ctl_run (space, "--help", NULL);
  static const char *const groups[] = { "sim", "configs", "simulator", "trace", "run" };

  g_assert_cmpint (program->status, ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    {
      g_autoptr (Ctl) group = ctl_run (space, groups[i], "--help", NULL);
      g_auto (GStrv) commands = rows_after (group->out, "Commands:", TRUE);
      g_assert_cmpint (group->status, ==, 0);
      g_assert_cmpuint (g_strv_length (commands), >, 0);
      for (guint j = 0; commands[j] != NULL; j++)
        {
          g_auto (GStrv) words = g_strsplit (commands[j], " ", 2);
          g_autoptr (Ctl) command = ctl_run (space, words[0], "--help", words[1], NULL);
          g_autofree char *usage = g_strdup_printf ("Usage: cyclescopectl [GLOBAL OPTIONS] %s %s",
                                                    words[0], words[1]);
          g_assert_cmpint (command->status, ==, 0);
          g_assert_true (g_str_has_prefix (command->out, usage));
          g_assert_nonnull (strstr (command->out, "--workspace=DIR"));
          g_assert_nonnull (strstr (program->out, commands[j]));
          g_assert_cmpstr (command->err, ==, "");
        }
    }
}

static void
test_usage (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autoptr (Ctl) none = ctl_run (space, NULL);
  g_autoptr (Ctl) unknown = ctl_run (space, "frobnicate", "--workspace", "x", NULL);
  g_autoptr (Ctl) option = ctl_run (space, "configs", "list", "--frobnicate", NULL);
  g_autoptr (Ctl) missing = ctl_run (space, "configs", "diff", "A", NULL);
  g_autoptr (Ctl) empty = ctl_run (space, "configs", "list", "-o", "", NULL);

  ctl_assert_failed (none, 2, "a command is missing");
  ctl_assert_failed (unknown, 2, "unknown command frobnicate");
  ctl_assert_failed (option, 2, "unknown option --frobnicate");
  ctl_assert_failed (missing, 2, "arguments are missing: A B");
  g_assert_true (g_str_has_prefix (missing->err, "Try 'cyclescopectl configs diff --help'\n"));
  ctl_assert_failed (empty, 1, "--output must not be empty");
}

/* A terminal must not be steered by what a file is called. */
static void
test_hostile_name (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autoptr (Ctl) ctl = ctl_run (space, "configs", "show", "a\x1b[2J\nb", NULL);

  g_assert_cmpint (ctl->status, ==, 1);
  g_assert_null (strchr (ctl->err, '\x1b'));
  g_assert_nonnull (strstr (ctl->err, "\xEF\xBF\xBD[2J b"));
}

static void
test_output (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autoptr (Ctl) direct = ctl_run (space, "configs", "list", "--json", NULL);
  g_autoptr (Ctl) file = ctl_run (space, "configs", "list", "--json", "-o", "out.json", NULL);
  g_autoptr (Ctl) bad = ctl_run (space, "configs", "show", "no-such-config", "-o", "out.json", NULL);
  g_autoptr (Ctl) folder = ctl_run (space, "configs", "list", "-o", "nowhere/out.json", NULL);
  g_autoptr (Ctl) full = ctl_run (space, "configs", "list", "--output=/dev/full", NULL);
  g_autofree char *path = ctl_space_get_path (space, "out.json");
  g_autofree char *text = NULL;

  g_assert_cmpint (direct->status, ==, 0);
  g_assert_cmpint (file->status, ==, 0);
  g_assert_cmpstr (file->out, ==, "");
  ctl_assert_failed (bad, 1, "*no-such-config*");
  ctl_assert_failed (folder, 1, "nowhere/out.json: cannot write: *");
  ctl_assert_failed (full, 1, "/dev/full: cannot write: *");
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, direct->out);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/program/version", test_version);
  g_test_add_func ("/cli/program/help", test_help);
  g_test_add_func ("/cli/program/usage", test_usage);
  g_test_add_func ("/cli/program/hostile-name", test_hostile_name);
  g_test_add_func ("/cli/program/output", test_output);
  return g_test_run ();
}
