/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/cyc-ctl-help.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/cyc-util.h"

#define LINE_WIDTH 80

/* Words of @text in lines of LINE_WIDTH, each after @indent blanks; the first line has begun and
 * stands at @column. */
static void
append_wrapped (GString    *out,
                const char *text,
                guint       indent,
                guint       column)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);

  for (guint i = 0; words[i] != NULL; i++)
    {
      guint width = cyc_utf8_get_width (words[i], strlen (words[i]));
      if (i > 0 && column + 1 + width > LINE_WIDTH)
        {
          g_string_append_printf (out, "\n%*s", (int) indent, "");
          column = indent;
        }
      else if (i > 0)
        {
          g_string_append_c (out, ' ');
          column++;
        }
      g_string_append (out, words[i]);
      column += width;
    }
  g_string_append_c (out, '\n');
}

static void
append_row (GString    *out,
            const char *left,
            guint       left_width,
            const char *right)
{
  guint indent = left_width + 4;
  guint width = cyc_utf8_get_width (left, strlen (left));

  if (width > left_width)
    g_string_append_printf (out, "  %s\n%*s", left, (int) indent, "");
  else
    g_string_append_printf (out, "  %s%*s", left, (int) (left_width - width) + 2, "");
  append_wrapped (out, right, indent, indent);
}

static void
append_option (GString            *out,
               const CycCtlOption *option)
{
  g_autofree char *letter = option->letter != 0 ? g_strdup_printf ("-%c, ", option->letter)
                                                : g_strdup ("    ");
  g_autofree char *left = option->kind == CYC_CTL_FLAG
                            ? g_strdup_printf ("%s--%s", letter, option->name)
                            : g_strdup_printf ("%s--%s=%s", letter, option->name, option->value_name);
  g_autofree char *right = option->kind == CYC_CTL_LIST
                             ? g_strdup_printf (_("%s (may be repeated)"), _(option->summary))
                             : g_strdup (_(option->summary));

  append_row (out, left, 28, right);
}

static void
append_options (GString            *out,
                const char         *title,
                const CycCtlOption *options)
{
  if (options->name == NULL)
    return;
  g_string_append_printf (out, "\n%s\n", title);
  for (; options->name != NULL; options++)
    append_option (out, options);
}

static char *
words_of (const CycCtlCommand *command)
{
  GString *words = g_string_new (command->group);

  if (command->name != NULL)
    g_string_append_printf (words, " %s", command->name);
  if (command->arguments[0] != '\0')
    g_string_append_printf (words, " %s", command->arguments);
  return g_string_free (words, FALSE);
}

/**
 * cyc_ctl_help_command:
 * @command: a command
 *
 * Returns: (transfer full): what `--help` prints for it
 */
char *
cyc_ctl_help_command (const CycCtlCommand *command)
{
  GString *out = g_string_new (NULL);
  g_autofree char *words = words_of (command);

  g_string_append_printf (out, _("Usage: cyclescopectl [GLOBAL OPTIONS] %s"), words);
  g_string_append (out, command->options->name != NULL ? _(" [OPTIONS]\n\n") : "\n\n");
  append_wrapped (out, _(command->summary), 0, 0);
  if (command->detail != NULL)
    {
      g_string_append_c (out, '\n');
      append_wrapped (out, _(command->detail), 0, 0);
    }
  append_options (out, _("Options:"), command->options);
  append_options (out, _("Global options:"), cyc_ctl_global_options);
  return g_string_free (out, FALSE);
}

static void
append_commands (GString    *out,
                 const char *group)
{
  for (guint i = 0; cyc_ctl_commands[i] != NULL; i++)
    {
      const CycCtlCommand *command = cyc_ctl_commands[i];
      if (g_strcmp0 (command->group, group) != 0)
        continue;
      g_autofree char *words = words_of (command);
      append_row (out, words, 30, _(command->summary));
    }
}

/**
 * cyc_ctl_help_group:
 * @group: the first word of some commands
 *
 * Returns: (transfer full): what `--help` prints after that word alone
 */
char *
cyc_ctl_help_group (const char *group)
{
  GString *out = g_string_new (NULL);

  g_string_append_printf (out, _("Usage: cyclescopectl [GLOBAL OPTIONS] %s COMMAND ...\n"), group);
  g_string_append_printf (out, "\n%s\n", _("Commands:"));
  append_commands (out, group);
  append_options (out, _("Global options:"), cyc_ctl_global_options);
  return g_string_free (out, FALSE);
}

/**
 * cyc_ctl_help_program:
 *
 * Returns: (transfer full): what `--help` prints without a command
 */
char *
cyc_ctl_help_program (void)
{
  GString *out = g_string_new (NULL);

  g_string_append (out, _("Usage: cyclescopectl [GLOBAL OPTIONS] COMMAND ...\n\n"));
  append_wrapped (out, _("Import traces, run simulations of them and read the results."), 0, 0);
  for (const CycCtlGroup *group = cyc_ctl_groups; group->name != NULL; group++)
    {
      g_string_append_printf (out, "\n%s:\n", _(group->summary));
      append_commands (out, group->name);
    }
  append_options (out, _("Global options:"), cyc_ctl_global_options);
  g_string_append_printf (out, "\n%s\n", _("Exit status:"));
  append_row (out, "0", 1, _("done"));
  append_row (out, "1", 1, _("the input was bad, or the work failed"));
  append_row (out, "2", 1, _("unknown options or commands, or missing arguments"));
  append_row (out, "3", 1, _("a simulation did not succeed"));
  return g_string_free (out, FALSE);
}
