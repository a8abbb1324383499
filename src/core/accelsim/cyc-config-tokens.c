/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/accelsim/cyc-config-tokens-private.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/accelsim/cyc-gpu-config.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-util.h"

typedef struct
{
  const char  *source;
  CycFindings *findings;
  GPtrArray   *tokens;
  GString     *quoted;      /* a quoted value that is still open; NULL outside */
  guint64      quoted_line;
} Splitter;

static void
token_free (gpointer data)
{
  CycConfigToken *self = data;

  g_free (self->text);
  g_free (self);
}

static void
take_token (Splitter   *self,
            const char *text,
            gsize       len,
            guint64     line,
            gboolean    quoted)
{
  CycConfigToken *token = g_new0 (CycConfigToken, 1);
  token->text = cyc_utf8_make_valid (text, len);
  token->line = line;
  token->quoted = quoted;
  g_ptr_array_add (self->tokens, token);
}

static void
take_word (Splitter   *self,
           const char *word,
           gsize       len,
           guint64     line)
{
  gboolean ends = word[len - 1] == '"';

  if (self->quoted == NULL && word[0] != '"')
    {
      take_token (self, word, len, line, FALSE);
      return;
    }
  if (self->quoted == NULL)
    {
      /* The simulator takes a lone quote as both ends of a value and falls over. */
      ends = ends && len > 1;
      self->quoted = g_string_new_len (word + 1, (gssize) (len - 1));
      self->quoted_line = line;
    }
  else
    {
      g_string_append_c (self->quoted, ' ');
      g_string_append_len (self->quoted, word, (gssize) len);
    }
  if (ends)
    {
      take_token (self, self->quoted->str, self->quoted->len - 1, self->quoted_line, TRUE);
      g_string_free (self->quoted, TRUE);
      self->quoted = NULL;
    }
}

static void
split_line (Splitter   *self,
            const char *p,
            const char *end,
            guint64     line)
{
  const char *comment = memchr (p, '#', (gsize) (end - p));

  if (comment != NULL)
    end = comment;
  while (p < end)
    {
      while (p < end && (g_ascii_isspace (*p) || *p == '\v' || *p == '\0'))
        p++;
      const char *word = p;
      while (p < end && !g_ascii_isspace (*p) && *p != '\v' && *p != '\0')
        p++;
      if (p > word)
        take_word (self, word, (gsize) (p - word), line);
    }
}

/**
 * cyc_config_tokens_split:
 * @text: (array length=len): a configuration file
 * @len: its length in bytes
 * @source: its path
 * @findings: takes what is wrong
 *
 * Splits a configuration file into words as GPGPU-Sim's option parser does. A quoted value that is
 * never closed is an error and ends with the file.
 *
 * Returns: (transfer full) (element-type CycConfigToken): the words
 */
GPtrArray *
cyc_config_tokens_split (const char  *text,
                         gsize        len,
                         const char  *source,
                         CycFindings *findings)
{
  Splitter self = { .source = source, .findings = findings };
  self.tokens = g_ptr_array_new_with_free_func (token_free);

  const char *end = text + len;
  guint64 line = 0;
  while (text < end)
    {
      const char *newline = memchr (text, '\n', (gsize) (end - text));
      const char *stop = newline == NULL ? end : newline;
      line++;
      if (memchr (text, '\0', (gsize) (stop - text)) != NULL)
        cyc_findings_add (findings, CYC_SEVERITY_ERROR, "config_binary", source, line,
                          N_("check that this is a configuration file"), "the line holds a NUL byte");
      split_line (&self, text, stop, line);
      text = newline == NULL ? end : newline + 1;
    }
  if (self.quoted != NULL)
    {
      cyc_findings_add (findings, CYC_SEVERITY_ERROR, "config_quote_open", source, self.quoted_line,
                        N_("end the value with a double quote"),
                        "the quoted value that begins here is never closed");
      take_token (&self, self.quoted->str, self.quoted->len, self.quoted_line, TRUE);
      g_string_free (self.quoted, TRUE);
    }
  return self.tokens;
}

/**
 * cyc_config_token_is_option:
 * @self: a word
 *
 * Returns: %TRUE for the name of an option; `-1` and quoted words are values
 */
gboolean
cyc_config_token_is_option (const CycConfigToken *self)
{
  return !self->quoted && self->text[0] == '-' &&
         (g_ascii_isalpha (self->text[1]) || self->text[1] == '_');
}

static gboolean
has_control (const char *text)
{
  for (const char *p = text; *p != '\0'; p++)
    if (g_ascii_iscntrl (*p) && *p != '\t')
      return TRUE;
  return FALSE;
}

/**
 * cyc_config_option_split:
 * @text: `-name value`, from outside
 * @out_name: (out) (transfer full): the name with its dash
 * @out_value: (out) (transfer full): the value
 * @error: (nullable): return location for an error
 *
 * Splits an option that goes to the simulator's command line. `-config` and `-trace` are refused,
 * they are ours to set, and so are values with a slash: nobody may point the simulator at files
 * outside its working folder, and it hands paths to a shell.
 *
 * Returns: %FALSE with %CYC_ERROR_VALUE if @text is something else
 */
gboolean
cyc_config_option_split (const char  *text,
                         char       **out_name,
                         char       **out_value,
                         GError     **error)
{
  g_return_val_if_fail (text != NULL && out_name != NULL && out_value != NULL, FALSE);

  g_autofree char *trimmed = g_strstrip (cyc_utf8_make_valid (text, strlen (text)));
  gsize n = strcspn (trimmed, " \t");
  g_autofree char *name = g_strndup (trimmed, n);
  g_autofree char *value = g_strstrip (g_strdup (trimmed + n));
  gsize value_len = strlen (value);
  if (value_len >= 2 && value[0] == '"' && value[value_len - 1] == '"')
    {
      value[value_len - 1] = '\0';
      memmove (value, value + 1, value_len - 1);
    }

  const char *problem = NULL;
  if (name[0] != '-' || !(g_ascii_isalpha (name[1]) || name[1] == '_') || has_control (trimmed))
    problem = "expected \"-name value\"";
  else if (strcmp (name, "-config") == 0 || strcmp (name, "-trace") == 0)
    problem = "configuration and trace are chosen with the run, not as an option";
  else if (value[0] == '\0')
    problem = "the option has no value, expected \"-name value\"";
  else if (strchr (value, '/') != NULL)
    problem = "the value holds a slash: files must lie in the simulator's working folder";
  if (problem != NULL)
    {
      cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0, "bad option \"%s\": %s", trimmed, problem);
      return FALSE;
    }
  *out_name = g_steal_pointer (&name);
  *out_value = g_steal_pointer (&value);
  return TRUE;
}
