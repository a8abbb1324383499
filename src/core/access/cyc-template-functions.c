/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/access/cyc-template-private.h"

#include <math.h>
#include <string.h>

/* Operators, filters and functions of templates, with Python's meaning. */

static CycTemplateValue *
fail_kinds (CycTemplateReader       *reader,
            const char              *op,
            const CycTemplateValue  *a,
            const CycTemplateValue  *b,
            GError                 **error)
{
  const CycTemplateValue *undefined = a->kind == CYC_TEMPLATE_UNDEFINED ? a
                                    : b->kind == CYC_TEMPLATE_UNDEFINED ? b : NULL;

  if (undefined != NULL)
    cyc_template_fail (reader, error, "'%s' is undefined; set it, or give it a value with | default (...)",
                       undefined->text);
  else
    cyc_template_fail (reader, error, "'%s' does not work with %s and %s", op,
                       cyc_template_value_describe (a), cyc_template_value_describe (b));
  return NULL;
}

static CycTemplateValue *
concatenate (CycTemplateReader       *reader,
             const CycTemplateValue  *a,
             const CycTemplateValue  *b,
             GError                 **error)
{
  g_autoptr (GString) text = g_string_new (NULL);

  cyc_template_value_print (a, FALSE, text);
  cyc_template_value_print (b, FALSE, text);
  if (!cyc_template_spend (reader, text->len / 64, error))
    return NULL;
  return cyc_template_value_new_text (text->str, (gssize) text->len);
}

static gboolean
raise_int (gint64  base,
           gint64  exponent,
           gint64 *out_value)
{
  gint64 value = 1;

  if (base == 0 || base == 1 || base == -1)
    {
      *out_value = exponent == 0 || base == 1 || (base == -1 && exponent % 2 == 0) ? 1 : base;
      return TRUE;
    }
  for (gint64 i = 0; i < exponent; i++)
    if (__builtin_mul_overflow (value, base, &value))
      return FALSE;
  *out_value = value;
  return TRUE;
}

/* Both are whole, and so is the result. Python's // and % round down. */
static CycTemplateValue *
compute_int (CycTemplateReader  *reader,
             char                op,
             gint64              a,
             gint64              b,
             GError            **error)
{
  gint64 value = 0;
  gboolean fits = TRUE;

  if (op == '+')
    fits = !__builtin_add_overflow (a, b, &value);
  else if (op == '-')
    fits = !__builtin_sub_overflow (a, b, &value);
  else if (op == '*')
    fits = !__builtin_mul_overflow (a, b, &value);
  else if (op == '^')
    fits = raise_int (a, b, &value);
  else if (b == -1)
    fits = op == '%' || !__builtin_sub_overflow (0, a, &value);
  else
    {
      gint64 rest = a % b != 0 && (a % b < 0) != (b < 0) ? a % b + b : a % b;
      value = op == '%' ? rest : a / b - (a % b != rest);
    }
  if (fits)
    return cyc_template_value_new_int (value);
  cyc_template_fail (reader, error, "a number is too large");
  return NULL;
}

static CycTemplateValue *
compute (CycTemplateReader  *reader,
         const char         *op,
         CycTemplateValue   *a,
         CycTemplateValue   *b,
         GError            **error)
{
  gboolean is_power = strcmp (op, "**") == 0;
  gboolean is_floor = strcmp (op, "//") == 0;
  gboolean divides = op[0] == '/' || op[0] == '%';
  double x;
  double y;

  if (!cyc_template_value_is_number (a, &x) || !cyc_template_value_is_number (b, &y))
    return fail_kinds (reader, op, a, b, error);
  if (divides && y == 0)
    {
      cyc_template_fail (reader, error, "a division by zero");
      return NULL;
    }
  if (a->kind != CYC_TEMPLATE_FLOAT && b->kind != CYC_TEMPLATE_FLOAT && (is_floor || op[0] != '/') &&
      !(is_power && b->integer < 0))
    return compute_int (reader, is_power ? '^' : op[0], a->integer, b->integer, error);
  double value;
  if (is_power)
    value = pow (x, y);
  else if (is_floor)
    value = floor (x / y);
  else if (op[0] == '+')
    value = x + y;
  else if (op[0] == '-')
    value = x - y;
  else if (op[0] == '*')
    value = x * y;
  else if (op[0] == '/')
    value = x / y;
  else
    value = x - floor (x / y) * y;
  if (isfinite (value))
    return cyc_template_value_new_float (value);
  cyc_template_fail (reader, error, "a number is too large");
  return NULL;
}

/* -1, 0 or 1; -2 if the two cannot be ordered. */
static int
order (const CycTemplateValue *a,
       const CycTemplateValue *b)
{
  double x;
  double y;

  if (a->kind == CYC_TEMPLATE_TEXT && b->kind == CYC_TEMPLATE_TEXT)
    {
      int result = strcmp (a->text, b->text);
      return (result > 0) - (result < 0);
    }
  if (!cyc_template_value_is_number (a, &x) || !cyc_template_value_is_number (b, &y))
    return -2;
  if (a->kind != CYC_TEMPLATE_FLOAT && b->kind != CYC_TEMPLATE_FLOAT)
    return (a->integer > b->integer) - (a->integer < b->integer);
  return (x > y) - (x < y);
}

static CycTemplateValue *
compare (CycTemplateReader  *reader,
         const char         *op,
         CycTemplateValue   *a,
         CycTemplateValue   *b,
         GError            **error)
{
  if (a->kind == CYC_TEMPLATE_UNDEFINED || b->kind == CYC_TEMPLATE_UNDEFINED)
    return fail_kinds (reader, op, a, b, error);
  if (strcmp (op, "==") == 0 || strcmp (op, "!=") == 0)
    return cyc_template_value_new_bool (cyc_template_value_equal (a, b) == (op[0] == '='));
  int result = order (a, b);
  if (result == -2)
    return fail_kinds (reader, op, a, b, error);
  gboolean holds = op[0] == '<' ? result < 0 : result > 0;
  return cyc_template_value_new_bool (holds || (op[1] == '=' && result == 0));
}

static CycTemplateValue *
contains (CycTemplateReader  *reader,
          const char         *op,
          CycTemplateValue   *a,
          CycTemplateValue   *b,
          GError            **error)
{
  gboolean found = FALSE;

  if (b->kind == CYC_TEMPLATE_LIST)
    {
      if (!cyc_template_spend (reader, b->weight, error))
        return NULL;
      for (guint i = 0; i < b->list->len && !found; i++)
        found = cyc_template_value_equal (a, g_ptr_array_index (b->list, i));
    }
  else if (a->kind == CYC_TEMPLATE_TEXT && b->kind == CYC_TEMPLATE_TEXT)
    found = strstr (b->text, a->text) != NULL;
  else
    return fail_kinds (reader, op, a, b, error);
  return cyc_template_value_new_bool (found == (op[0] == 'i'));
}

CycTemplateValue *
cyc_template_binary (CycTemplateReader  *reader,
                     const char         *op,
                     CycTemplateValue   *a,
                     CycTemplateValue   *b,
                     GError            **error)
{
  if (a->kind == CYC_TEMPLATE_UNDEFINED || b->kind == CYC_TEMPLATE_UNDEFINED)
    return fail_kinds (reader, op, a, b, error);
  if (op[0] == 'i' || op[0] == 'n')
    return contains (reader, op, a, b, error);
  if (strchr ("=!<>", op[0]) != NULL)
    return compare (reader, op, a, b, error);
  if (op[0] == '~' || (op[0] == '+' && a->kind == CYC_TEMPLATE_TEXT && b->kind == CYC_TEMPLATE_TEXT))
    return concatenate (reader, a, b, error);
  if (op[0] == '+' && a->kind == CYC_TEMPLATE_LIST && b->kind == CYC_TEMPLATE_LIST)
    {
      g_autoptr (CycTemplateValue) list = cyc_template_value_new_list ();
      gboolean fits = cyc_template_spend (reader, a->list->len + b->list->len, error);
      if (!fits)
        return NULL;
      for (guint i = 0; i < a->list->len + b->list->len && fits; i++)
        fits = cyc_template_value_append (list, cyc_template_value_ref (
          i < a->list->len ? g_ptr_array_index (a->list, i) : g_ptr_array_index (b->list, i - a->list->len)));
      if (fits)
        return g_steal_pointer (&list);
      cyc_template_fail (reader, error, "a list is too large");
      return NULL;
    }
  return compute (reader, op, a, b, error);
}

/* The smallest (@sign -1) or largest (1) of @values. */
static CycTemplateValue *
find_extreme (CycTemplateReader  *reader,
              GPtrArray          *values,
              int                 sign,
              GError            **error)
{
  CycTemplateValue *best = values->len > 0 ? g_ptr_array_index (values, 0) : NULL;

  if (best == NULL)
    {
      cyc_template_fail (reader, error, "min and max need at least one value");
      return NULL;
    }
  for (guint i = 1; i < values->len; i++)
    {
      CycTemplateValue *value = g_ptr_array_index (values, i);
      int result = order (value, best);
      if (result == -2)
        return fail_kinds (reader, "min or max", value, best, error);
      if (result == sign)
        best = value;
    }
  return cyc_template_value_ref (best);
}

static CycTemplateValue *
round_up_or_down (CycTemplateReader       *reader,
                  const CycTemplateValue  *value,
                  double                 (*function) (double),
                  GError                 **error)
{
  double number;

  if (value->kind == CYC_TEMPLATE_INT)
    return cyc_template_value_new_int (value->integer);
  if (!cyc_template_value_is_number (value, &number))
    {
      cyc_template_fail (reader, error, "expected a number, not %s", cyc_template_value_describe (value));
      return NULL;
    }
  number = function (number);
  if (fabs (number) >= 9e18)
    {
      cyc_template_fail (reader, error, "a number is too large");
      return NULL;
    }
  return cyc_template_value_new_int ((gint64) number);
}

static CycTemplateValue *
change_case (const CycTemplateValue *value,
             gboolean                upper)
{
  g_autoptr (GString) text = g_string_new (NULL);

  cyc_template_value_print (value, FALSE, text);
  g_autofree char *changed = upper ? g_utf8_strup (text->str, -1) : g_utf8_strdown (text->str, -1);
  return cyc_template_value_new_text (changed, -1);
}

static CycTemplateValue *
join (CycTemplateReader       *reader,
      const CycTemplateValue  *list,
      const CycTemplateValue  *between,
      GError                 **error)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (list->kind != CYC_TEMPLATE_LIST)
    {
      cyc_template_fail (reader, error, "join needs a list, not %s", cyc_template_value_describe (list));
      return NULL;
    }
  for (guint i = 0; i < list->list->len && text->len <= CYC_TEMPLATE_MAX_TEXT; i++)
    {
      if (i > 0 && between != NULL)
        cyc_template_value_print (between, FALSE, text);
      cyc_template_value_print (g_ptr_array_index (list->list, i), FALSE, text);
    }
  if (!cyc_template_spend (reader, list->weight + text->len / 64, error))
    return NULL;
  return cyc_template_value_new_text (text->str, (gssize) text->len);
}

static CycTemplateValue *
get_length (CycTemplateReader       *reader,
            const CycTemplateValue  *value,
            GError                 **error)
{
  if (value->kind == CYC_TEMPLATE_LIST)
    return cyc_template_value_new_int (value->list->len);
  if (value->kind == CYC_TEMPLATE_TEXT)
    return cyc_template_value_new_int (g_utf8_strlen (value->text, -1));
  cyc_template_fail (reader, error, "length needs a list or a text, not %s", cyc_template_value_describe (value));
  return NULL;
}

static CycTemplateValue *
apply_default (GPtrArray *args)
{
  CycTemplateValue *value = g_ptr_array_index (args, 0);
  gboolean also_false = args->len > 2 && cyc_template_value_is_true (g_ptr_array_index (args, 2));

  if (value->kind != CYC_TEMPLATE_UNDEFINED && !(also_false && !cyc_template_value_is_true (value)))
    return cyc_template_value_ref (value);
  return args->len > 1 ? cyc_template_value_ref (g_ptr_array_index (args, 1))
                       : cyc_template_value_new_text ("", 0);
}

CycTemplateValue *
cyc_template_apply_filter (CycTemplateReader  *reader,
                           const char         *name,
                           GPtrArray          *args,
                           GError            **error)
{
  CycTemplateValue *value = g_ptr_array_index (args, 0);

  if (strcmp (name, "default") == 0 || strcmp (name, "d") == 0)
    return apply_default (args);
  if (value->kind == CYC_TEMPLATE_UNDEFINED)
    return fail_kinds (reader, name, value, value, error);
  if (strcmp (name, "upper") == 0 || strcmp (name, "lower") == 0)
    return change_case (value, name[0] == 'u');
  if (strcmp (name, "length") == 0 || strcmp (name, "count") == 0)
    return get_length (reader, value, error);
  if (strcmp (name, "join") == 0)
    return join (reader, value, args->len > 1 ? g_ptr_array_index (args, 1) : NULL, error);
  if ((strcmp (name, "min") == 0 || strcmp (name, "max") == 0) && value->kind == CYC_TEMPLATE_LIST)
    return find_extreme (reader, value->list, name[1] == 'i' ? -1 : 1, error);
  if (strcmp (name, "int") == 0)
    return round_up_or_down (reader, value, trunc, error);
  if (strcmp (name, "abs") == 0)
    {
      g_autoptr (CycTemplateValue) zero = cyc_template_value_new_int (0);
      return order (value, zero) == -1 ? cyc_template_binary (reader, "-", zero, value, error)
                                       : cyc_template_value_ref (value);
    }
  cyc_template_fail (reader, error, "the filter '%s' is not known here; there are default, upper, lower, length, "
                     "join, min, max, int and abs", name);
  return NULL;
}

static CycTemplateValue *
make_range (CycTemplateReader  *reader,
            GPtrArray          *args,
            GError            **error)
{
  gint64 values[3] = { 0, 0, 1 };

  for (guint i = 0; i < args->len; i++)
    {
      const CycTemplateValue *arg = g_ptr_array_index (args, i);
      if (arg->kind == CYC_TEMPLATE_UNDEFINED)
        return fail_kinds (reader, "range", arg, arg, error);
      if (i > 2 || arg->kind != CYC_TEMPLATE_INT || (i == 2 && arg->integer == 0))
        {
          cyc_template_fail (reader, error, "range takes one to three integers, the third of them not zero");
          return NULL;
        }
      values[args->len == 1 ? 1 : i] = arg->integer;
    }
  if (args->len == 0)
    {
      cyc_template_fail (reader, error, "range takes one to three integers");
      return NULL;
    }
  g_autoptr (CycTemplateValue) list = cyc_template_value_new_list ();
  gint64 at = values[0];
  while (values[2] > 0 ? at < values[1] : at > values[1])
    {
      if (!cyc_template_spend (reader, 1, error))
        return NULL;
      if (!cyc_template_value_append (list, cyc_template_value_new_int (at)))
        {
          cyc_template_fail (reader, error, "range gives over a million values");
          return NULL;
        }
      if (__builtin_add_overflow (at, values[2], &at))
        break;
    }
  return g_steal_pointer (&list);
}

CycTemplateValue *
cyc_template_call (CycTemplateReader  *reader,
                   const char         *name,
                   GPtrArray          *args,
                   GError            **error)
{
  CycTemplateValue *first = args->len > 0 ? g_ptr_array_index (args, 0) : NULL;

  if (strcmp (name, "range") == 0)
    return make_range (reader, args, error);
  if (strcmp (name, "min") == 0 || strcmp (name, "max") == 0)
    return find_extreme (reader, args->len == 1 && first->kind == CYC_TEMPLATE_LIST ? first->list : args,
                         name[1] == 'i' ? -1 : 1, error);
  if ((strcmp (name, "ceil") == 0 || strcmp (name, "floor") == 0) && args->len == 1)
    return round_up_or_down (reader, first, name[0] == 'c' ? ceil : floor, error);
  if (strcmp (name, "include_text") == 0 && args->len == 1 && first->kind == CYC_TEMPLATE_TEXT &&
      reader->scope->include != NULL)
    {
      guint tag_line = reader->scope->line;
      reader->scope->line = reader->line;
      CycTemplateValue *text = reader->scope->include (first->text, reader->scope->user_data, error);
      reader->scope->line = tag_line;
      return text;
    }
  cyc_template_fail (reader, error, "the function '%s' is not known here (or takes other values); there are range, "
                     "min, max, ceil, floor and include_text", name);
  return NULL;
}
