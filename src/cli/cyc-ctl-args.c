/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/cyc-ctl-args.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-number.h"

struct _CycCtlArgs
{
  const CycCtlCommand *command;
  const char          *group;     /* of cyc_ctl_groups, NULL while none was named */
  GPtrArray           *arguments; /* of char* */
  GHashTable          *values;    /* option name: GPtrArray of char*, NULL-terminated */
};

G_DEFINE_QUARK (cyc-ctl-usage-error-quark, cyc_ctl_usage_error)

static void
set_usage_error (GError     **error,
                 const char  *format,
                 ...) G_GNUC_PRINTF (2, 3);

static void
set_usage_error (GError     **error,
                 const char  *format,
                 ...)
{
  va_list args;

  va_start (args, format);
  g_propagate_error (error, g_error_new_valist (CYC_CTL_USAGE_ERROR, 0, format, args));
  va_end (args);
}

static const CycCtlOption *
find_in (const CycCtlOption *options,
         const char         *name,
         gsize               len,
         char                letter)
{
  for (; options != NULL && options->name != NULL; options++)
    {
      if (letter != 0 ? options->letter == letter
                      : strlen (options->name) == len && strncmp (options->name, name, len) == 0)
        return options;
    }
  return NULL;
}

static const CycCtlOption *
find_option (CycCtlArgs *self,
             const char *name,
             gsize       len,
             char        letter)
{
  const CycCtlOption *found = find_in (cyc_ctl_global_options, name, len, letter);

  if (found == NULL && self->command != NULL)
    found = find_in (self->command->options, name, len, letter);
  return found;
}

static void
add_value (CycCtlArgs         *self,
           const CycCtlOption *option,
           const char         *value)
{
  GPtrArray *values = g_hash_table_lookup (self->values, option->name);

  if (values == NULL)
    {
      values = g_ptr_array_new_with_free_func (g_free);
      g_ptr_array_add (values, NULL);
      g_hash_table_insert (self->values, (gpointer) option->name, values);
    }
  values->pdata[values->len - 1] = g_strdup (value);
  g_ptr_array_add (values, NULL);
}

/* Takes the option at argv[i]; returns how many words it used, 0 on an error. */
static int
take_option (CycCtlArgs  *self,
             int          argc,
             char       **argv,
             int          i,
             GError     **error)
{
  const char *word = argv[i];
  gboolean is_long = word[1] == '-';
  const char *name = word + 2;
  gsize len = is_long ? strcspn (name, "=") : 1;
  const char *value = NULL;
  const CycCtlOption *option;

  if (is_long)
    {
      option = find_option (self, name, len, 0);
      if (name[len] == '=')
        value = name + len + 1;
    }
  else
    {
      option = find_option (self, NULL, 0, word[1]);
      if (word[2] != '\0')
        value = word + 2;
    }
  g_autofree char *shown = is_long ? g_strndup (word, len + 2) : g_strndup (word, 2);
  if (option == NULL)
    {
      set_usage_error (error, _("unknown option %s"), shown);
      return 0;
    }
  if (option->kind == CYC_CTL_FLAG)
    {
      if (value != NULL)
        {
          set_usage_error (error, _("option %s takes no value"), shown);
          return 0;
        }
      add_value (self, option, "");
      return 1;
    }
  if (value == NULL && i + 1 >= argc)
    {
      set_usage_error (error, _("option %s needs a value: %s"), shown, option->value_name);
      return 0;
    }
  add_value (self, option, value != NULL ? value : argv[i + 1]);
  return value != NULL ? 1 : 2;
}

static gboolean
take_group (CycCtlArgs  *self,
            const char  *word,
            GError     **error)
{
  for (const CycCtlGroup *group = cyc_ctl_groups; group->name != NULL; group++)
    {
      if (strcmp (group->name, word) != 0)
        continue;
      self->group = group->name;
      for (guint i = 0; cyc_ctl_commands[i] != NULL; i++)
        if (cyc_ctl_commands[i]->name == NULL && strcmp (cyc_ctl_commands[i]->group, word) == 0)
          self->command = cyc_ctl_commands[i];
      return TRUE;
    }
  set_usage_error (error, _("unknown command %s"), word);
  return FALSE;
}

static gboolean
take_word (CycCtlArgs  *self,
           const char  *word,
           GError     **error)
{
  if (self->group == NULL)
    return take_group (self, word, error);
  if (self->command != NULL)
    {
      g_ptr_array_add (self->arguments, g_strdup (word));
      return TRUE;
    }
  for (guint i = 0; cyc_ctl_commands[i] != NULL; i++)
    {
      const CycCtlCommand *command = cyc_ctl_commands[i];
      if (strcmp (command->group, self->group) == 0 && g_strcmp0 (command->name, word) == 0)
        {
          self->command = command;
          return TRUE;
        }
    }
  set_usage_error (error, _("unknown command %s %s"), self->group, word);
  return FALSE;
}

/**
 * cyc_ctl_args_parse:
 * @argc: number of words
 * @argv: the words of the command line, the program's name first
 * @error: return location for an error of %CYC_CTL_USAGE_ERROR
 *
 * Reads the command line by the tables of #CycCtlCommand. Global options may stand anywhere, those
 * of a command after its words; `--` ends the options. Whether all that is needed is there and
 * the values are good is the business of cyc_ctl_args_check(), so that `--help` works without.
 *
 * Returns: (transfer full) (nullable): what was given, %NULL with @error set
 */
CycCtlArgs *
cyc_ctl_args_parse (int      argc,
                    char   **argv,
                    GError **error)
{
  g_autoptr (CycCtlArgs) self = g_new0 (CycCtlArgs, 1);
  gboolean options_ended = FALSE;

  self->arguments = g_ptr_array_new_with_free_func (g_free);
  self->values = g_hash_table_new_full (g_str_hash, g_str_equal, NULL,
                                        (GDestroyNotify) g_ptr_array_unref);
  for (int i = 1; i < argc;)
    {
      const char *word = argv[i];
      if (!options_ended && strcmp (word, "--") == 0)
        {
          options_ended = TRUE;
          i++;
        }
      else if (!options_ended && word[0] == '-' && word[1] != '\0')
        {
          int used = take_option (self, argc, argv, i, error);
          if (used == 0)
            return NULL;
          i += used;
        }
      else
        {
          if (!take_word (self, word, error))
            return NULL;
          i++;
        }
    }
  return g_steal_pointer (&self);
}

/**
 * cyc_ctl_args_free:
 * @self: (transfer full): the arguments
 */
void
cyc_ctl_args_free (CycCtlArgs *self)
{
  g_return_if_fail (self != NULL);

  g_ptr_array_unref (self->arguments);
  g_hash_table_unref (self->values);
  g_free (self);
}

static gboolean
check_option (CycCtlArgs          *self,
              const CycCtlOption  *option,
              GError             **error)
{
  const char *const *values = cyc_ctl_args_get_list (self, option->name);

  if (option->kind == CYC_CTL_FLAG || option->kind == CYC_CTL_ANY)
    return TRUE;
  for (guint i = 0; values[i] != NULL; i++)
    {
      if (values[i][0] == '\0')
        {
          cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0, _("--%s must not be empty"), option->name);
          return FALSE;
        }
      if (option->kind != CYC_CTL_CHOICE)
        continue;
      g_auto (GStrv) choices = g_strsplit (option->value_name, "|", -1);
      if (!g_strv_contains ((const char *const *) choices, values[i]))
        {
          cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0, _("--%s must be one of %s, not '%s'"),
                            option->name, option->value_name, values[i]);
          return FALSE;
        }
    }
  return TRUE;
}

/**
 * cyc_ctl_args_check:
 * @self: the arguments
 * @error: return location for an error
 *
 * Checks that a command was named, that the number of its arguments is right
 * (%CYC_CTL_USAGE_ERROR), and that values are not empty and of the words allowed
 * (%CYC_ERROR_VALUE).
 *
 * Returns: %TRUE if the command can run
 */
gboolean
cyc_ctl_args_check (CycCtlArgs  *self,
                    GError     **error)
{
  g_return_val_if_fail (self != NULL, FALSE);

  const CycCtlCommand *command = self->command;
  if (command == NULL)
    {
      if (self->group == NULL)
        set_usage_error (error, _("a command is missing"));
      else
        set_usage_error (error, _("a command after %s is missing"), self->group);
      return FALSE;
    }
  if (self->arguments->len < command->min_arguments)
    {
      set_usage_error (error, _("arguments are missing: %s"), command->arguments);
      return FALSE;
    }
  if (self->arguments->len > command->max_arguments)
    {
      set_usage_error (error, _("one argument too many: %s"),
                       cyc_ctl_args_get_argument (self, command->max_arguments));
      return FALSE;
    }
  for (guint i = 0; i < self->arguments->len; i++)
    {
      if (cyc_ctl_args_get_argument (self, i)[0] != '\0')
        continue;
      cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0, _("an argument is empty: %s"),
                        command->arguments);
      return FALSE;
    }
  for (const CycCtlOption *option = cyc_ctl_global_options; option->name != NULL; option++)
    if (!check_option (self, option, error))
      return FALSE;
  for (const CycCtlOption *option = command->options; option->name != NULL; option++)
    if (!check_option (self, option, error))
      return FALSE;
  return TRUE;
}

/**
 * cyc_ctl_args_get_command:
 * @self: the arguments
 *
 * Returns: (nullable): the command that was named
 */
const CycCtlCommand *
cyc_ctl_args_get_command (CycCtlArgs *self)
{
  return self->command;
}

/**
 * cyc_ctl_args_get_group:
 * @self: the arguments
 *
 * Returns: (nullable): the first command word
 */
const char *
cyc_ctl_args_get_group (CycCtlArgs *self)
{
  return self->group;
}

/**
 * cyc_ctl_args_get_argument:
 * @self: the arguments
 * @index: from 0
 *
 * Returns: (nullable): the word after the command, %NULL if there are not so many
 */
const char *
cyc_ctl_args_get_argument (CycCtlArgs *self,
                           guint       index)
{
  return index < self->arguments->len ? g_ptr_array_index (self->arguments, index) : NULL;
}

/**
 * cyc_ctl_args_has:
 * @self: the arguments
 * @option: long name of an option
 *
 * Returns: %TRUE if it was given
 */
gboolean
cyc_ctl_args_has (CycCtlArgs *self,
                  const char *option)
{
  return g_hash_table_contains (self->values, option);
}

/**
 * cyc_ctl_args_get:
 * @self: the arguments
 * @option: long name of an option
 *
 * Returns: (nullable): its last value, %NULL if it was not given
 */
const char *
cyc_ctl_args_get (CycCtlArgs *self,
                  const char *option)
{
  GPtrArray *values = g_hash_table_lookup (self->values, option);

  return values == NULL ? NULL : g_ptr_array_index (values, values->len - 2);
}

/**
 * cyc_ctl_args_get_list:
 * @self: the arguments
 * @option: long name of an option
 *
 * Returns: (transfer none): its values in order, none if it was not given; never %NULL
 */
const char *const *
cyc_ctl_args_get_list (CycCtlArgs *self,
                       const char *option)
{
  static const char *const none[] = { NULL };
  GPtrArray *values = g_hash_table_lookup (self->values, option);

  return values == NULL ? none : (const char *const *) values->pdata;
}

/**
 * cyc_ctl_args_get_int:
 * @self: the arguments
 * @option: long name of an option
 * @minimum: least value allowed
 * @maximum: greatest value allowed
 * @out_value: (out): left alone if the option was not given
 * @error: return location for a %CYC_ERROR_VALUE
 *
 * Returns: %FALSE if the option has a value that is no integer in the range
 */
gboolean
cyc_ctl_args_get_int (CycCtlArgs  *self,
                      const char  *option,
                      gint64       minimum,
                      gint64       maximum,
                      gint64      *out_value,
                      GError     **error)
{
  const char *text = cyc_ctl_args_get (self, option);
  gint64 value;

  if (text == NULL)
    return TRUE;
  if (!cyc_number_parse_int64 (text, strlen (text), &value) || value < minimum || value > maximum)
    {
      cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0,
                        _("--%s must be an integer from %" PRId64 " to %" PRId64
                          ", not '%s'"),
                        option, minimum, maximum, text);
      return FALSE;
    }
  *out_value = value;
  return TRUE;
}
