/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/access/cyc-template-private.h"

#include <string.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-number.h"

/* Expressions of Jinja templates, read and evaluated in one go: the grammar and its order of operators are
 * those of Jinja 3 (jinja2/parser.py), values behave as in Python. */

#define MAX_DEPTH 64

static CycTemplateValue *read_unary (CycTemplateReader *reader,
                                     gboolean           with_filter,
                                     GError           **error);

void
cyc_template_fail (CycTemplateReader  *reader,
                   GError            **error,
                   const char         *format,
                   ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  va_end (args);
  cyc_error_set_at (error, CYC_ERROR_INPUT, reader->scope->file, reader->line, "%s", text);
}

gboolean
cyc_template_spend (CycTemplateReader  *reader,
                    guint64             steps,
                    GError            **error)
{
  if (*reader->scope->budget < steps)
    {
      *reader->scope->budget = 0;
      cyc_template_fail (reader, error, "the template takes too many steps or its text grows too long; "
                         "is a loop or a parameter too large?");
      return FALSE;
    }
  *reader->scope->budget -= steps;
  return TRUE;
}

void
cyc_template_skip_blanks (CycTemplateReader *reader)
{
  while (reader->at < reader->end && g_ascii_isspace (*reader->at))
    {
      if (*reader->at == '\n')
        reader->line++;
      reader->at++;
    }
}

static gboolean
is_name_byte (char c)
{
  return g_ascii_isalnum (c) || c == '_';
}

gboolean
cyc_template_take (CycTemplateReader *reader,
                   const char        *token)
{
  gsize len = strlen (token);

  cyc_template_skip_blanks (reader);
  if ((gsize) (reader->end - reader->at) < len || strncmp (reader->at, token, len) != 0)
    return FALSE;
  reader->at += len;
  return TRUE;
}

gboolean
cyc_template_take_word (CycTemplateReader *reader,
                        const char        *word)
{
  gsize len = strlen (word);

  cyc_template_skip_blanks (reader);
  if ((gsize) (reader->end - reader->at) < len || strncmp (reader->at, word, len) != 0 ||
      (reader->at + len < reader->end && is_name_byte (reader->at[len])))
    return FALSE;
  reader->at += len;
  return TRUE;
}

/* NULL if no name is there. */
char *
cyc_template_read_name (CycTemplateReader *reader)
{
  cyc_template_skip_blanks (reader);
  const char *begin = reader->at;
  if (begin == reader->end || !is_name_byte (*begin) || g_ascii_isdigit (*begin))
    return NULL;
  while (reader->at < reader->end && is_name_byte (*reader->at))
    reader->at++;
  return g_strndup (begin, (gsize) (reader->at - begin));
}

static gboolean
peek_word (CycTemplateReader *reader,
           const char        *word)
{
  CycTemplateReader copy = *reader;

  return cyc_template_take_word (&copy, word);
}

static CycTemplateValue *
expected (CycTemplateReader  *reader,
          const char         *what,
          GError            **error)
{
  cyc_template_skip_blanks (reader);
  if (reader->at >= reader->end)
    cyc_template_fail (reader, error, "expected %s before the end of the tag", what);
  else
    {
      const char *end = g_utf8_find_next_char (reader->at, reader->end);
      g_autofree char *found = g_strndup (reader->at, (gsize) ((end != NULL ? end : reader->end) - reader->at));
      cyc_template_fail (reader, error, "expected %s before '%s'", what, found);
    }
  return NULL;
}

static CycTemplateValue *
read_number (CycTemplateReader  *reader,
             GError            **error)
{
  const char *begin = reader->at;
  gboolean is_float = FALSE;
  gint64 integer;
  double number;

  while (reader->at < reader->end && g_ascii_isdigit (*reader->at))
    reader->at++;
  if (reader->at + 1 < reader->end && *reader->at == '.' && g_ascii_isdigit (reader->at[1]))
    {
      is_float = TRUE;
      for (reader->at++; reader->at < reader->end && g_ascii_isdigit (*reader->at); reader->at++)
        ;
    }
  const char *exponent = reader->at;
  if (exponent < reader->end && (*exponent == 'e' || *exponent == 'E'))
    {
      exponent++;
      if (exponent < reader->end && (*exponent == '+' || *exponent == '-'))
        exponent++;
      if (exponent < reader->end && g_ascii_isdigit (*exponent))
        {
          is_float = TRUE;
          for (reader->at = exponent; reader->at < reader->end && g_ascii_isdigit (*reader->at); reader->at++)
            ;
        }
    }
  gsize len = (gsize) (reader->at - begin);
  if (!is_float && cyc_number_parse_int64 (begin, len, &integer))
    return cyc_template_value_new_int (integer);
  if (is_float && cyc_number_parse_double (begin, len, &number))
    return cyc_template_value_new_float (number);
  cyc_template_fail (reader, error, "a number is too large");
  return NULL;
}

static CycTemplateValue *
read_text (CycTemplateReader  *reader,
           GError            **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  char quote = *reader->at++;

  for (; reader->at < reader->end && *reader->at != quote; reader->at++)
    {
      char c = *reader->at;
      if (c == '\n')
        reader->line++;
      if (c == '\\' && reader->at + 1 < reader->end)
        {
          c = *++reader->at;
          if (c == 'n' || c == 't')
            c = c == 'n' ? '\n' : '\t';
          else if (c != '\\' && c != '\'' && c != '"')
            g_string_append_c (text, '\\');
        }
      g_string_append_c (text, c);
    }
  if (reader->at == reader->end)
    return expected (reader, "the closing quote of a text", error);
  reader->at++;
  return cyc_template_value_new_text (text->str, (gssize) text->len);
}

/* Values up to @close, separated by commas. */
static gboolean
read_values (CycTemplateReader  *reader,
             const char         *close,
             GPtrArray          *values,
             GError            **error)
{
  while (!cyc_template_take (reader, close))
    {
      CycTemplateValue *value = cyc_template_read_expression (reader, error);
      if (value == NULL)
        return FALSE;
      g_ptr_array_add (values, value);
      if (!cyc_template_take (reader, ","))
        {
          if (cyc_template_take (reader, close))
            return TRUE;
          g_autofree char *what = g_strdup_printf ("',' or '%s'", close);
          expected (reader, what, error);
          return FALSE;
        }
    }
  return TRUE;
}

static CycTemplateValue *
read_list (CycTemplateReader  *reader,
           const char         *close,
           GError            **error)
{
  g_autoptr (GPtrArray) values = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_template_value_unref);
  g_autoptr (CycTemplateValue) list = cyc_template_value_new_list ();

  if (!read_values (reader, close, values, error))
    return NULL;
  for (guint i = 0; i < values->len; i++)
    if (!cyc_template_value_append (list, cyc_template_value_ref (g_ptr_array_index (values, i))))
      {
        cyc_template_fail (reader, error, "a list is too large or nested too deep");
        return NULL;
      }
  return g_steal_pointer (&list);
}

/* `default (LITERAL)` behind a name, for who lists the parameters. */
static char *
peek_default (CycTemplateReader *reader)
{
  CycTemplateReader copy = *reader;

  if (!cyc_template_take (&copy, "|") ||
      !(cyc_template_take_word (&copy, "default") || cyc_template_take_word (&copy, "d")) ||
      !cyc_template_take (&copy, "("))
    return NULL;
  cyc_template_skip_blanks (&copy);
  const char *begin = copy.at;
  copy.quiet = TRUE;
  g_autoptr (CycTemplateValue) value = cyc_template_read_expression (&copy, NULL);
  if (value == NULL)
    return NULL;
  g_autofree char *text = g_strndup (begin, (gsize) (copy.at - begin));
  return g_strdup (g_strstrip (text));
}

static CycTemplateValue *
read_named (CycTemplateReader  *reader,
            GError            **error)
{
  g_autofree char *name = cyc_template_read_name (reader);

  if (strcmp (name, "True") == 0 || strcmp (name, "true") == 0)
    return cyc_template_value_new_bool (TRUE);
  if (strcmp (name, "False") == 0 || strcmp (name, "false") == 0)
    return cyc_template_value_new_bool (FALSE);
  if (strcmp (name, "None") == 0 || strcmp (name, "none") == 0)
    return cyc_template_value_new_none ();
  if (cyc_template_take (reader, "("))
    {
      g_autoptr (GPtrArray) args = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_template_value_unref);
      if (!read_values (reader, ")", args, error))
        return NULL;
      /* Who lists parameters looks into the files that are included, too. */
      gboolean listed = reader->scope->notice != NULL && strcmp (name, "include_text") == 0;
      return reader->quiet && !listed ? cyc_template_value_new_none ()
                                      : cyc_template_call (reader, name, args, error);
    }
  while (cyc_template_take (reader, "."))
    {
      g_autofree char *part = cyc_template_read_name (reader);
      if (part == NULL)
        return expected (reader, "a name behind the point", error);
      g_autofree char *whole = g_strconcat (name, ".", part, NULL);
      g_free (name);
      name = g_steal_pointer (&whole);
    }
  if (reader->scope->notice != NULL && !g_hash_table_contains (reader->scope->names, name))
    {
      g_autofree char *fallback = peek_default (reader);
      guint tag_line = reader->scope->line;
      reader->scope->line = reader->line;
      reader->scope->notice (name, fallback, reader->scope->user_data);
      reader->scope->line = tag_line;
    }
  if (reader->quiet)
    return cyc_template_value_new_none ();
  CycTemplateValue *value = g_hash_table_lookup (reader->scope->names, name);
  return value != NULL ? cyc_template_value_ref (value) : cyc_template_value_new_undefined (name);
}

static CycTemplateValue *
read_primary (CycTemplateReader  *reader,
              GError            **error)
{
  cyc_template_skip_blanks (reader);
  if (reader->at == reader->end)
    return expected (reader, "a value", error);
  char c = *reader->at;
  if (g_ascii_isdigit (c))
    return read_number (reader, error);
  if (c == '"' || c == '\'')
    return read_text (reader, error);
  if (cyc_template_take (reader, "["))
    return read_list (reader, "]", error);
  if (cyc_template_take (reader, "("))
    {
      g_autoptr (CycTemplateValue) value = cyc_template_read_expression (reader, error);
      if (value != NULL && !cyc_template_take (reader, ")"))
        return expected (reader, "')'", error);
      return g_steal_pointer (&value);
    }
  if (is_name_byte (c))
    return read_named (reader, error);
  return expected (reader, "a value", error);
}

/* LIST[INDEX], as often as it stands there. */
static CycTemplateValue *
read_index (CycTemplateReader  *reader,
            CycTemplateValue   *taken,
            GError            **error)
{
  g_autoptr (CycTemplateValue) value = taken;

  while (value != NULL && cyc_template_take (reader, "["))
    {
      g_autoptr (CycTemplateValue) index = cyc_template_read_expression (reader, error);
      if (index == NULL)
        return NULL;
      if (!cyc_template_take (reader, "]"))
        return expected (reader, "']'", error);
      if (reader->quiet)
        continue;
      if (value->kind != CYC_TEMPLATE_LIST || index->kind != CYC_TEMPLATE_INT)
        {
          cyc_template_fail (reader, error, "[...] needs a list and an integer, not %s and %s",
                             cyc_template_value_describe (value), cyc_template_value_describe (index));
          return NULL;
        }
      gint64 at = index->integer < 0 ? index->integer + value->list->len : index->integer;
      if (at < 0 || at >= value->list->len)
        {
          cyc_template_fail (reader, error, "the list has %u values, and no [%" G_GINT64_FORMAT "]",
                             value->list->len, index->integer);
          return NULL;
        }
      CycTemplateValue *item = cyc_template_value_ref (g_ptr_array_index (value->list, at));
      cyc_template_value_unref (value);
      value = item;
    }
  return g_steal_pointer (&value);
}

static CycTemplateValue *
read_filter (CycTemplateReader  *reader,
             CycTemplateValue   *value,
             GError            **error)
{
  g_autoptr (GPtrArray) args = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_template_value_unref);

  g_ptr_array_add (args, value);
  g_autofree char *name = cyc_template_read_name (reader);
  if (name == NULL)
    return expected (reader, "the name of a filter behind '|'", error);
  if (cyc_template_take (reader, "(") && !read_values (reader, ")", args, error))
    return NULL;
  return reader->quiet ? cyc_template_value_new_none () : cyc_template_apply_filter (reader, name, args, error);
}

static CycTemplateValue *
read_test (CycTemplateReader  *reader,
           CycTemplateValue   *taken,
           GError            **error)
{
  g_autoptr (CycTemplateValue) value = taken;
  gboolean negated = cyc_template_take_word (reader, "not");
  gboolean result;

  if (cyc_template_take_word (reader, "defined"))
    result = value->kind != CYC_TEMPLATE_UNDEFINED;
  else if (cyc_template_take_word (reader, "undefined"))
    result = value->kind == CYC_TEMPLATE_UNDEFINED;
  else if (cyc_template_take_word (reader, "none"))
    result = value->kind == CYC_TEMPLATE_NONE;
  else
    return expected (reader, "'defined', 'undefined' or 'none' behind 'is'", error);
  return cyc_template_value_new_bool (result != negated);
}

static CycTemplateValue *
read_unary (CycTemplateReader  *reader,
            gboolean            with_filter,
            GError            **error)
{
  g_autoptr (CycTemplateValue) value = NULL;

  if (++reader->depth > MAX_DEPTH)
    {
      cyc_template_fail (reader, error, "an expression is nested over %d deep", MAX_DEPTH);
      return NULL;
    }
  if (cyc_template_take (reader, "-"))
    {
      g_autoptr (CycTemplateValue) operand = read_unary (reader, FALSE, error);
      g_autoptr (CycTemplateValue) zero = cyc_template_value_new_int (0);
      if (operand != NULL)
        value = reader->quiet ? cyc_template_value_ref (zero)
                              : cyc_template_binary (reader, "-", zero, operand, error);
    }
  else if (cyc_template_take (reader, "+"))
    value = read_unary (reader, FALSE, error);
  else
    value = read_index (reader, read_primary (reader, error), error);
  while (with_filter && value != NULL)
    {
      if (cyc_template_take (reader, "|"))
        value = read_filter (reader, g_steal_pointer (&value), error);
      else if (cyc_template_take_word (reader, "is"))
        value = read_test (reader, g_steal_pointer (&value), error);
      else
        break;
    }
  reader->depth--;
  return g_steal_pointer (&value);
}

/* Operators that bind equally, weakest first; those that begin like another one stand before it. */
static const char *const arithmetic[][5] = {
  { "+", "-", NULL },
  { "~", NULL },
  { "//", "*", "/", "%", NULL },
  { "**", NULL },
};

static const char *
take_operator (CycTemplateReader *reader,
               guint              level)
{
  for (const char *const *op = arithmetic[level]; *op != NULL; op++)
    {
      CycTemplateReader copy = *reader;
      /* `**` is none of the products, and `-%}` ends the tag before it comes here. */
      if (strcmp (*op, "*") == 0 && cyc_template_take (&copy, "**"))
        continue;
      if (cyc_template_take (reader, *op))
        return *op;
    }
  return NULL;
}

static CycTemplateValue *
read_arithmetic (CycTemplateReader  *reader,
                 guint               level,
                 GError            **error)
{
  if (level == G_N_ELEMENTS (arithmetic))
    return read_unary (reader, TRUE, error);
  g_autoptr (CycTemplateValue) left = read_arithmetic (reader, level + 1, error);
  const char *op;
  while (left != NULL && (op = take_operator (reader, level)) != NULL)
    {
      g_autoptr (CycTemplateValue) right = read_arithmetic (reader, level + 1, error);
      if (right == NULL)
        return NULL;
      if (reader->quiet)
        continue;
      CycTemplateValue *result = cyc_template_binary (reader, op, left, right, error);
      cyc_template_value_unref (left);
      left = result;
    }
  return g_steal_pointer (&left);
}

static const char *
take_comparison (CycTemplateReader *reader)
{
  static const char *const operators[] = { "==", "!=", "<=", ">=", "<", ">", NULL };

  for (const char *const *op = operators; *op != NULL; op++)
    if (cyc_template_take (reader, *op))
      return *op;
  if (cyc_template_take_word (reader, "in"))
    return "in";
  CycTemplateReader copy = *reader;
  if (cyc_template_take_word (&copy, "not") && cyc_template_take_word (&copy, "in"))
    {
      *reader = copy;
      return "not in";
    }
  return NULL;
}

static CycTemplateValue *
read_comparison (CycTemplateReader  *reader,
                 GError            **error)
{
  g_autoptr (CycTemplateValue) left = read_arithmetic (reader, 0, error);
  g_autoptr (CycTemplateValue) result = NULL;
  const char *op;

  while (left != NULL && (op = take_comparison (reader)) != NULL)
    {
      g_autoptr (CycTemplateValue) right = read_arithmetic (reader, 0, error);
      if (right == NULL)
        return NULL;
      /* a < b < c is a < b and b < c. */
      if (!reader->quiet && (result == NULL || cyc_template_value_is_true (result)))
        {
          g_clear_pointer (&result, cyc_template_value_unref);
          result = cyc_template_binary (reader, op, left, right, error);
          if (result == NULL)
            return NULL;
        }
      cyc_template_value_unref (left);
      left = g_steal_pointer (&right);
    }
  if (left == NULL)
    return NULL;
  return result != NULL ? g_steal_pointer (&result) : g_steal_pointer (&left);
}

static gboolean
check_defined (CycTemplateReader       *reader,
               const CycTemplateValue  *value,
               GError                 **error)
{
  if (reader->quiet || value->kind != CYC_TEMPLATE_UNDEFINED)
    return TRUE;
  cyc_template_fail (reader, error, "'%s' is undefined; set it, or give it a value with | default (...)",
                     value->text);
  return FALSE;
}

static CycTemplateValue *
read_not (CycTemplateReader  *reader,
          GError            **error)
{
  gboolean negated = FALSE;
  gboolean any = FALSE;

  for (; cyc_template_take_word (reader, "not"); negated = !negated)
    any = TRUE;
  g_autoptr (CycTemplateValue) value = read_comparison (reader, error);
  if (value == NULL || !any)
    return g_steal_pointer (&value);
  if (!check_defined (reader, value, error))
    return NULL;
  return cyc_template_value_new_bool (cyc_template_value_is_true (value) != negated);
}

/* `and` (@level 1) binds tighter than `or`; the right side is not evaluated if the left one decides. */
static CycTemplateValue *
read_logic (CycTemplateReader  *reader,
            guint               level,
            GError            **error)
{
  g_autoptr (CycTemplateValue) left = level > 1 ? read_not (reader, error)
                                                : read_logic (reader, level + 1, error);

  while (level <= 1 && left != NULL && cyc_template_take_word (reader, level == 0 ? "or" : "and"))
    {
      if (!check_defined (reader, left, error))
        return NULL;
      gboolean was_quiet = reader->quiet;
      gboolean decided = cyc_template_value_is_true (left) == (level == 0);
      reader->quiet = was_quiet || decided;
      g_autoptr (CycTemplateValue) right = read_logic (reader, level + 1, error);
      reader->quiet = was_quiet;
      if (right == NULL)
        return NULL;
      if (decided)
        continue;
      cyc_template_value_unref (left);
      left = g_steal_pointer (&right);
    }
  return g_steal_pointer (&left);
}

static CycTemplateValue *
read_part (CycTemplateReader  *reader,
           gboolean            quiet,
           GError            **error)
{
  gboolean was_quiet = reader->quiet;

  reader->quiet = was_quiet || quiet;
  CycTemplateValue *value = read_logic (reader, 0, error);
  reader->quiet = was_quiet;
  return value;
}

static CycTemplateValue *
read_conditional (CycTemplateReader  *reader,
                  GError            **error)
{
  CycTemplateReader begin = *reader;
  g_autoptr (CycTemplateValue) first = read_part (reader, TRUE, error);

  if (first == NULL)
    return NULL;
  if (!peek_word (reader, "if"))
    {
      if (reader->quiet)
        return g_steal_pointer (&first);
      *reader = begin;
      return read_part (reader, FALSE, error);
    }
  cyc_template_take_word (reader, "if");
  g_autoptr (CycTemplateValue) condition = read_part (reader, FALSE, error);
  if (condition == NULL || !check_defined (reader, condition, error))
    return NULL;
  gboolean is_true = cyc_template_value_is_true (condition);
  g_autoptr (CycTemplateValue) other = NULL;
  if (cyc_template_take_word (reader, "else"))
    {
      gboolean was_quiet = reader->quiet;
      reader->quiet = was_quiet || is_true;
      other = cyc_template_read_expression (reader, error);
      reader->quiet = was_quiet;
      if (other == NULL)
        return NULL;
    }
  if (reader->quiet || !is_true)
    return other != NULL ? g_steal_pointer (&other) : cyc_template_value_new_undefined ("if without else");
  begin.quiet = FALSE;
  return read_part (&begin, FALSE, error);
}

/* NULL with @error set if it is none, or if it cannot be evaluated. */
CycTemplateValue *
cyc_template_read_expression (CycTemplateReader  *reader,
                              GError            **error)
{
  if (!cyc_template_spend (reader, 1, error))
    return NULL;
  if (++reader->depth > MAX_DEPTH)
    {
      cyc_template_fail (reader, error, "an expression is nested over %d deep", MAX_DEPTH);
      return NULL;
    }
  CycTemplateValue *value = read_conditional (reader, error);
  reader->depth--;
  return value;
}

/* What `--set NAME=VALUE` means: a number, a boolean, a quoted text, a list of them; else the text itself. */
CycTemplateValue *
cyc_template_read_literal (const char *text)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  guint64 budget = 10000;
  CycTemplateScope scope = { names, &budget };
  CycTemplateReader reader = { &scope, text, text + strlen (text), 1 };
  g_autoptr (CycTemplateValue) value = read_unary (&reader, FALSE, NULL);

  cyc_template_skip_blanks (&reader);
  if (value != NULL && reader.at == reader.end && value->kind != CYC_TEMPLATE_UNDEFINED)
    return g_steal_pointer (&value);
  return cyc_template_value_new_text (text, -1);
}
