/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "displayless/cli/ctl.h"

/* The manual page and the completion know the commands and options that the help knows, which
 * comes from the tables that the parser goes by. */

static char *
get_source_file (const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "..", "data", name, NULL);
}

static int
compare (gconstpointer a,
         gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Sorted and joined by blanks, so that two sets compare as texts. */
static char *
normalise (GPtrArray *words)
{
  g_ptr_array_sort (words, compare);
  g_ptr_array_add (words, NULL);
  return g_strjoinv (" ", (char **) words->pdata);
}

static char *
normalise_text (const char *text)
{
  g_auto (GStrv) parts = g_strsplit_set (text, " \n", -1);
  g_autoptr (GPtrArray) words = g_ptr_array_new ();

  for (guint i = 0; parts[i] != NULL; i++)
    if (parts[i][0] != '\0')
      g_ptr_array_add (words, parts[i]);
  return normalise (words);
}

/* The lines of a help text below @title. */
static GPtrArray *
get_block (const char *help,
           const char *title)
{
  g_auto (GStrv) lines = g_strsplit (help, "\n", -1);
  GPtrArray *block = g_ptr_array_new_with_free_func (g_free);
  gboolean inside = FALSE;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      if (lines[i][0] != ' ')
        inside = strcmp (lines[i], title) == 0;
      else if (inside)
        g_ptr_array_add (block, g_strdup (lines[i]));
    }
  return block;
}

/* `--name` and `-n` of all options below @title. */
static GPtrArray *
get_options (const char *help,
             const char *title)
{
  g_autoptr (GPtrArray) block = get_block (help, title);
  GPtrArray *options = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GRegex) regex = g_regex_new ("^  (?:(-\\w), |    )(--[a-z-]+)", 0, 0, NULL);

  for (guint i = 0; i < block->len; i++)
    {
      g_autoptr (GMatchInfo) match = NULL;
      if (!g_regex_match (regex, g_ptr_array_index (block, i), 0, &match))
        continue;
      char *letter = g_match_info_fetch (match, 1);
      if (letter[0] != '\0')
        g_ptr_array_add (options, letter);
      else
        g_free (letter);
      g_ptr_array_add (options, g_match_info_fetch (match, 2));
    }
  return options;
}

/* All commands, such as "run start", from the help of the program. */
static GPtrArray *
get_commands (CtlSpace *space)
{
  g_autoptr (Ctl) ctl = ctl_run (space, "--help", NULL);
  g_auto (GStrv) lines = g_strsplit (ctl->out, "\n", -1);
  g_autoptr (GRegex) regex = g_regex_new ("^  ([a-z]+(?: [a-z]+)?)(?: [A-Z. \\[\\]]+)?(?:  |$)", 0, 0, NULL);
  GPtrArray *commands = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autoptr (GMatchInfo) match = NULL;
      if (g_regex_match (regex, lines[i], 0, &match))
        g_ptr_array_add (commands, g_match_info_fetch (match, 1));
    }
  g_assert_cmpuint (commands->len, >, 10);
  return commands;
}

static char *
get_help (CtlSpace   *space,
          const char *command)
{
  g_autofree char *line = g_strconcat (command, " --help", NULL);
  g_auto (GStrv) words = g_strsplit (line, " ", -1);
  g_autoptr (Ctl) ctl = ctl_run_words (space, (const char *const *) words);

  g_assert_cmpint (ctl->status, ==, 0);
  return g_steal_pointer (&ctl->out);
}

/* The part of the page on one command, dashes as they look. */
static char *
get_section (const char *page,
             const char *command)
{
  g_autofree char *pattern = g_strdup_printf ("(?ms)^\\.SS \"?%s[ \"\n].*?(?=^\\.S[SH] |\\z)", command);
  g_autoptr (GRegex) regex = g_regex_new (pattern, 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  if (!g_regex_match (regex, page, 0, &match))
    g_error ("the manual page has no section on %s", command);
  g_autofree char *text = g_match_info_fetch (match, 0);
  g_auto (GStrv) parts = g_strsplit (text, "\\-", -1);
  return g_strjoinv ("-", parts);
}

static void
assert_mentions (const char *text,
                 const char *where,
                 const char *option)
{
  g_autofree char *pattern = g_strdup_printf ("(^|[^-\\w])%s([^-\\w]|$)", option);

  /* The long form says enough of an option that is explained with its letter. */
  if (!g_regex_match_simple (pattern, text, G_REGEX_MULTILINE, 0)
      && !(strcmp (option, "--output") == 0 && g_regex_match_simple ("(^|\\s)-o\\s", text, 0, 0)))
    g_error ("%s: the manual page does not mention %s", where, option);
}

static void
test_manual (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autoptr (GPtrArray) commands = get_commands (space);
  g_autofree char *path = get_source_file ("man/cyclescopectl.1");
  g_autofree char *page = NULL;

  g_assert_true (g_file_get_contents (path, &page, NULL, NULL));
  for (guint i = 0; i < commands->len; i++)
    {
      const char *command = g_ptr_array_index (commands, i);
      g_autofree char *help = get_help (space, command);
      g_autofree char *section = get_section (page, command);
      g_autoptr (GPtrArray) options = get_options (help, "Options:");
      for (guint j = 0; j < options->len; j++)
        assert_mentions (section, command, g_ptr_array_index (options, j));
    }
  g_auto (GStrv) parts = g_strsplit (page, "\\-", -1);
  g_autofree char *whole = g_strjoinv ("-", parts);
  g_autofree char *help = get_help (space, "configs list");
  g_autoptr (GPtrArray) global = get_options (help, "Global options:");
  g_assert_cmpuint (global->len, >=, 5);
  for (guint j = 0; j < global->len; j++)
    assert_mentions (whole, "global options", g_ptr_array_index (global, j));
}

/* What a function of the completion script prints. */
static char *
ask_completion (const char *function,
                const char *argument)
{
  g_autofree char *path = get_source_file ("completions/cyclescopectl");
  const char *const argv[] = { "bash", "-c", "source \"$0\" && \"$1\" \"$2\"", path, function, argument,
                               NULL };
  g_autoptr (GError) error = NULL;
  g_autofree char *out = NULL;
  int status;

  g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, NULL, &status,
                &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  return normalise_text (out);
}

static void
test_completion (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();
  g_autoptr (GPtrArray) commands = get_commands (space);
  g_autoptr (GHashTable) groups = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                                         (GDestroyNotify) g_ptr_array_unref);
  g_autoptr (GPtrArray) firsts = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer group;
  gpointer names;

  for (guint i = 0; i < commands->len; i++)
    {
      const char *command = g_ptr_array_index (commands, i);
      g_autofree char *help = get_help (space, command);
      g_autoptr (GPtrArray) options = get_options (help, "Options:");
      g_autofree char *expected = normalise (options);
      g_autofree char *found = ask_completion ("__cyclescopectl_options", command);
      g_assert_cmpstr (found, ==, expected);

      g_auto (GStrv) words = g_strsplit (command, " ", 2);
      if (!g_hash_table_contains (groups, words[0]))
        g_hash_table_insert (groups, g_strdup (words[0]), g_ptr_array_new_with_free_func (g_free));
      if (words[1] != NULL)
        g_ptr_array_add (g_hash_table_lookup (groups, words[0]), g_strdup (words[1]));
    }
  g_hash_table_iter_init (&iter, groups);
  while (g_hash_table_iter_next (&iter, &group, &names))
    {
      g_autofree char *expected = normalise (names);
      g_autofree char *found = ask_completion ("__cyclescopectl_commands", group);
      g_assert_cmpstr (found, ==, expected);
      g_ptr_array_add (firsts, group);
    }
  g_autofree char *expected = normalise (firsts);
  g_autofree char *found = ask_completion ("__cyclescopectl_commands", "");
  g_assert_cmpstr (found, ==, expected);
}

/* What bash offers for the last of some words. */
static void
assert_completes (CtlSpace   *space,
                  const char *words,
                  const char *expected)
{
  g_autofree char *path = get_source_file ("completions/cyclescopectl");
  g_autofree char *folder = g_path_get_dirname (g_getenv ("CYC_TEST_CTL"));
  g_autofree char *script = g_strdup_printf (
    "export PATH=\"$1:$PATH\" CYCLESCOPE_WORKSPACE=\"$2\"; source \"$0\"; COMP_WORDS=(%s); "
    "COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _cyclescopectl; printf '%%s\\n' \"${COMPREPLY[@]}\"",
    words);
  const char *const argv[] = { "bash", "-c", script, path, folder, space->workspace, NULL };
  g_autofree char *out = NULL;
  g_autoptr (GError) error = NULL;

  g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autofree char *found = normalise_text (out);
  g_assert_cmpstr (found, ==, expected);
}

static void
test_bash (void)
{
  g_autoptr (CtlSpace) space = ctl_space_new ();

  assert_completes (space, "cyclescopectl tr", "trace");
  assert_completes (space, "cyclescopectl --workspace /w run c", "cancel compare");
  assert_completes (space, "cyclescopectl run start t --fo", "--force-arch");
  assert_completes (space, "cyclescopectl run start t --launcher ''", "local replay");
  assert_completes (space, "cyclescopectl run start t --launcher = r", "replay");
  assert_completes (space, "cyclescopectl configs show SM86_RTX3070_", "SM86_RTX3070_12SM SM86_RTX3070_SLOWDRAM");
  assert_completes (space, "cyclescopectl run start t --config SM86_RTX3070_S", "SM86_RTX3070_SLOWDRAM");
  /* Values of options that stand in front of the command are no commands, and are heeded. */
  assert_completes (space, "cyclescopectl --url http : //host : 80 --token-file f run c", "cancel compare");
  g_autofree char *other = ctl_space_write (space, "other/SM86_OTHER/gpgpusim.config",
                                            "-gpgpu_clock_domains 1:1:1:1\n");
  g_autofree char *root = ctl_space_get_path (space, "other");
  g_autofree char *words = g_strdup_printf ("cyclescopectl --config-root %s configs show SM86_O", root);
  assert_completes (space, words, "SM86_OTHER");
  g_autofree char *certificate = ctl_space_write (space, "certificate.pem", "");
  g_autofree char *file = g_strdup_printf ("cyclescopectl serve --tls-cert %.*s", (int) strlen (certificate) - 4,
                                           certificate);
  assert_completes (space, file, certificate);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/manual/page", test_manual);
  g_test_add_func ("/cli/manual/completion", test_completion);
  g_test_add_func ("/cli/manual/bash", test_bash);
  return g_test_run ();
}
