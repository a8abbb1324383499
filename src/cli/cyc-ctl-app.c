/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/cyc-ctl-app.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <locale.h>
#include <string.h>
#include <unistd.h>

#include "cli/cyc-ctl-help.h"
#include "cli/cyc-ctl-message.h"
#include "cli/cyc-ctl-terminal.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-paths.h"

struct _CycCtlApp
{
  CycCtlArgs *args;
  char       *workspace;
  GPtrArray  *hints; /* of char*, printed before the message of an error */
};

/**
 * cyc_ctl_app_get_args:
 * @self: the running program
 *
 * Returns: (transfer none): the command line, checked
 */
CycCtlArgs *
cyc_ctl_app_get_args (CycCtlApp *self)
{
  return self->args;
}

/**
 * cyc_ctl_app_get_workspace:
 * @self: the running program
 *
 * Returns: (transfer none): absolute path of the workspace, which need not be there yet
 */
const char *
cyc_ctl_app_get_workspace (CycCtlApp *self)
{
  if (self->workspace == NULL)
    {
      const char *named = cyc_ctl_args_get (self->args, "workspace");
      self->workspace = named != NULL ? g_canonicalize_filename (named, NULL)
                                      : cyc_paths_get_workspace ();
    }
  return self->workspace;
}

/**
 * cyc_ctl_app_add_hint:
 * @self: the running program
 * @format: format of the hint, one line
 *
 * Keeps a line that helps with the error that is about to be returned.
 */
void
cyc_ctl_app_add_hint (CycCtlApp  *self,
                      const char *format,
                      ...)
{
  va_list args;

  va_start (args, format);
  g_ptr_array_add (self->hints, g_strdup_vprintf (format, args));
  va_end (args);
}

/**
 * cyc_ctl_app_wants_progress:
 * @self: the running program
 *
 * Returns: %TRUE if standard error is a terminal and the user has not said `--no-progress`
 */
gboolean
cyc_ctl_app_wants_progress (CycCtlApp *self)
{
  return cyc_ctl_terminal_is (STDERR_FILENO) && !cyc_ctl_args_has (self->args, "no-progress");
}

/**
 * cyc_ctl_app_wants_json:
 * @self: the running program
 *
 * For commands that show people a table and write JSON for everything else.
 *
 * Returns: %TRUE with `--json`, with `--output`, and if standard output is no terminal
 */
gboolean
cyc_ctl_app_wants_json (CycCtlApp *self)
{
  return cyc_ctl_args_has (self->args, "json") || cyc_ctl_args_has (self->args, "output")
         || !cyc_ctl_terminal_is (STDOUT_FILENO);
}

static gboolean
is_same_file (const GStatBuf *output,
              const char     *path)
{
  GStatBuf input;

  return path != NULL && g_stat (path, &input) == 0 && input.st_dev == output->st_dev && input.st_ino == output->st_ino;
}

/**
 * cyc_ctl_app_check_output:
 * @self: the running program
 * @error: return location for an error
 *
 * Returns: %FALSE if the file of `--output` is one of those that are read: the output would take its place
 */
gboolean
cyc_ctl_app_check_output (CycCtlApp  *self,
                          GError    **error)
{
  static const char *const inputs[] = { "stderr", "meta" };
  const char *path = cyc_ctl_args_get (self->args, "output");
  GStatBuf output;
  gboolean same = FALSE;

  /* Only a file is replaced. */
  if (path == NULL || g_stat (path, &output) != 0 || !S_ISREG (output.st_mode))
    return TRUE;
  for (guint i = 0; !same && cyc_ctl_args_get_argument (self->args, i) != NULL; i++)
    same = is_same_file (&output, cyc_ctl_args_get_argument (self->args, i));
  for (guint i = 0; !same && i < G_N_ELEMENTS (inputs); i++)
    same = is_same_file (&output, cyc_ctl_args_get (self->args, inputs[i]));
  if (!same)
    return TRUE;
  cyc_error_set_at (error, CYC_ERROR_VALUE, path, 0, _("this file is read; give --output another name"));
  return FALSE;
}

/**
 * cyc_ctl_app_open_output:
 * @self: the running program
 * @error: return location for an error
 *
 * Returns: (transfer full) (nullable): the file of `--output`, else standard output
 */
CycCtlOutput *
cyc_ctl_app_open_output (CycCtlApp  *self,
                         GError    **error)
{
  if (!cyc_ctl_app_check_output (self, error))
    return NULL;
  return cyc_ctl_output_open (cyc_ctl_args_get (self->args, "output"), error);
}

/**
 * cyc_ctl_app_print:
 * @self: the running program
 * @text: text for people
 * @error: return location for an error
 *
 * Writes the whole output of a command.
 *
 * Returns: a #CycCtlStatus
 */
int
cyc_ctl_app_print (CycCtlApp   *self,
                   const char  *text,
                   GError     **error)
{
  g_autoptr (CycCtlOutput) output = cyc_ctl_app_open_output (self, error);

  if (output == NULL || !cyc_ctl_output_write_text (output, text, error)
      || !cyc_ctl_output_commit (output, error))
    return CYC_CTL_FAILED;
  return CYC_CTL_DONE;
}

/**
 * cyc_ctl_app_print_bytes:
 * @self: the running program
 * @bytes: (array length=len): what programs read; a line end is added where it lacks one
 * @len: length in bytes
 * @error: return location for an error
 *
 * Writes the whole output of a command.
 *
 * Returns: a #CycCtlStatus
 */
int
cyc_ctl_app_print_bytes (CycCtlApp   *self,
                         const char  *bytes,
                         gsize        len,
                         GError     **error)
{
  g_autoptr (CycCtlOutput) output = cyc_ctl_app_open_output (self, error);
  gboolean has_end = len > 0 && bytes[len - 1] == '\n';

  if (output == NULL || !cyc_ctl_output_write (bytes, len, output, error)
      || (!has_end && !cyc_ctl_output_write ("\n", 1, output, error))
      || !cyc_ctl_output_commit (output, error))
    return CYC_CTL_FAILED;
  return CYC_CTL_DONE;
}

/**
 * cyc_ctl_app_print_json:
 * @self: the running program
 * @write: writes one value
 * @data: for @write
 * @error: return location for an error
 *
 * Writes JSON as the whole output of a command, without holding it in memory.
 *
 * Returns: a #CycCtlStatus
 */
int
cyc_ctl_app_print_json (CycCtlApp       *self,
                        CycCtlJsonFunc   write,
                        gpointer         data,
                        GError         **error)
{
  g_autoptr (CycCtlOutput) output = cyc_ctl_app_open_output (self, error);

  if (output == NULL)
    return CYC_CTL_FAILED;
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_PRETTY, cyc_ctl_output_write,
                                                          output);
  write (writer, data);
  if (!cyc_json_writer_finish (writer, error) || !cyc_ctl_output_commit (output, error))
    return CYC_CTL_FAILED;
  return CYC_CTL_DONE;
}

/**
 * cyc_ctl_app_print_table:
 * @self: the running program
 * @table: a table
 * @error: return location for an error
 *
 * Writes the table as the whole output of a command. Only a terminal cuts long cells.
 *
 * Returns: a #CycCtlStatus
 */
int
cyc_ctl_app_print_table (CycCtlApp    *self,
                         CycCtlTable  *table,
                         GError      **error)
{
  return cyc_ctl_app_print_tables (self, table, NULL, NULL, error);
}

/**
 * cyc_ctl_app_print_tables:
 * @self: the running program
 * @first: a table
 * @second: (nullable): another one
 * @text: (nullable): lines of text
 * @error: return location for an error
 *
 * Writes them below each other, with an empty line between, as the whole output of a command.
 *
 * Returns: a #CycCtlStatus
 */
int
cyc_ctl_app_print_tables (CycCtlApp    *self,
                          CycCtlTable  *first,
                          CycCtlTable  *second,
                          const char   *text,
                          GError      **error)
{
  g_autoptr (CycCtlOutput) output = cyc_ctl_app_open_output (self, error);

  if (output == NULL)
    return CYC_CTL_FAILED;
  guint width = cyc_ctl_output_get_width (output);
  gboolean utf8 = cyc_ctl_terminal_is_utf8 ();
  g_autofree char *upper = cyc_ctl_table_render (first, width, utf8);
  g_autofree char *lower = second == NULL ? NULL : cyc_ctl_table_render (second, width, utf8);
  gboolean has_text = text != NULL && text[0] != '\0';
  g_autofree char *all = g_strconcat (upper, lower != NULL ? "\n" : "", lower != NULL ? lower : "",
                                      has_text ? "\n" : "", has_text ? text : "", NULL);
  if (!cyc_ctl_output_write_text (output, all, error) || !cyc_ctl_output_commit (output, error))
    return CYC_CTL_FAILED;
  return CYC_CTL_DONE;
}

static int
print_help (CycCtlApp  *self,
            GError    **error)
{
  const CycCtlCommand *command = cyc_ctl_args_get_command (self->args);
  const char *group = cyc_ctl_args_get_group (self->args);
  g_autofree char *text = command != NULL ? cyc_ctl_help_command (command)
                          : group != NULL ? cyc_ctl_help_group (group)
                                          : cyc_ctl_help_program ();
  g_autoptr (CycCtlOutput) output = cyc_ctl_output_open (NULL, error);

  if (output == NULL || !cyc_ctl_output_write_text (output, text, error)
      || !cyc_ctl_output_commit (output, error))
    return CYC_CTL_FAILED;
  return CYC_CTL_DONE;
}

static int
print_version (GError **error)
{
  static const char text[] = "cyclescopectl " CYC_VERSION "\n";
  g_autoptr (CycCtlOutput) output = cyc_ctl_output_open (NULL, error);

  if (output == NULL || !cyc_ctl_output_write (text, strlen (text), output, error)
      || !cyc_ctl_output_commit (output, error))
    return CYC_CTL_FAILED;
  return CYC_CTL_DONE;
}

/* Says where to read on, before the message. */
static void
add_usage_hint (CycCtlApp *self)
{
  const CycCtlCommand *command = self->args == NULL ? NULL : cyc_ctl_args_get_command (self->args);
  const char *group = self->args == NULL ? NULL : cyc_ctl_args_get_group (self->args);

  if (command != NULL && command->name != NULL)
    cyc_ctl_app_add_hint (self, _("Try 'cyclescopectl %s %s --help'"), group, command->name);
  else if (group != NULL)
    cyc_ctl_app_add_hint (self, _("Try 'cyclescopectl %s --help'"), group);
  else
    cyc_ctl_app_add_hint (self, _("Try 'cyclescopectl --help'"));
}

static int
run (CycCtlApp  *self,
     int         argc,
     char      **argv,
     GError    **error)
{
  self->args = cyc_ctl_args_parse (argc, argv, error);
  if (self->args == NULL)
    return CYC_CTL_USAGE;
  if (cyc_ctl_args_has (self->args, "help"))
    return print_help (self, error);
  if (cyc_ctl_args_has (self->args, "version"))
    return print_version (error);
  if (!cyc_ctl_args_check (self->args, error))
    return CYC_CTL_FAILED;
  const CycCtlCommand *command = cyc_ctl_args_get_command (self->args);
  if (command->not_remote != NULL && cyc_ctl_args_has (self->args, "url"))
    {
      cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0, "--url: %s", _(command->not_remote));
      return CYC_CTL_FAILED;
    }
  return command->run (self, error);
}

static int
report (CycCtlApp    *self,
        int           status,
        const GError *error)
{
  if (error->domain == CYC_CTL_USAGE_ERROR)
    {
      status = CYC_CTL_USAGE;
      add_usage_hint (self);
    }
  for (guint i = 0; i < self->hints->len; i++)
    cyc_ctl_message_hint ("%s", (const char *) g_ptr_array_index (self->hints, i));
  cyc_ctl_message_print (error->message);
  return status == CYC_CTL_DONE ? CYC_CTL_FAILED : status;
}

/**
 * cyc_ctl_app_main:
 * @argc: number of words
 * @argv: the words of the command line, the program's name first
 *
 * The whole program: reads the command line, runs the command and reports an error as the last
 * line on standard error.
 *
 * Returns: the exit status, a #CycCtlStatus
 */
int
cyc_ctl_app_main (int    argc,
                  char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *locale_dir = cyc_paths_get_locale_dir ();
  CycCtlApp self = { NULL };

  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, locale_dir);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
  cyc_ctl_message_take_log ();
  self.hints = g_ptr_array_new_with_free_func (g_free);

  int status = run (&self, argc, argv, &error);
  if (error != NULL)
    status = report (&self, status, error);

  g_clear_pointer (&self.args, cyc_ctl_args_free);
  g_ptr_array_unref (self.hints);
  g_free (self.workspace);
  return status;
}
