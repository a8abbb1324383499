/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/access/cyc-template-private.h"

#include <string.h>

#include "core/base/cyc-number.h"

#define MAX_LIST_DEPTH 32
#define MAX_LIST_WEIGHT 1000000

static CycTemplateValue *
new_value (CycTemplateKind kind)
{
  CycTemplateValue *self = g_new0 (CycTemplateValue, 1);

  g_ref_count_init (&self->count);
  self->kind = kind;
  self->weight = 1;
  return self;
}

CycTemplateValue *
cyc_template_value_new_undefined (const char *name)
{
  CycTemplateValue *self = new_value (CYC_TEMPLATE_UNDEFINED);

  self->text = g_strdup (name);
  return self;
}

CycTemplateValue *
cyc_template_value_new_none (void)
{
  return new_value (CYC_TEMPLATE_NONE);
}

CycTemplateValue *
cyc_template_value_new_bool (gboolean value)
{
  CycTemplateValue *self = new_value (CYC_TEMPLATE_BOOL);

  self->integer = value != FALSE;
  return self;
}

CycTemplateValue *
cyc_template_value_new_int (gint64 value)
{
  CycTemplateValue *self = new_value (CYC_TEMPLATE_INT);

  self->integer = value;
  return self;
}

CycTemplateValue *
cyc_template_value_new_float (double value)
{
  CycTemplateValue *self = new_value (CYC_TEMPLATE_FLOAT);

  self->number = value;
  return self;
}

CycTemplateValue *
cyc_template_value_new_text (const char *text,
                             gssize      len)
{
  CycTemplateValue *self = new_value (CYC_TEMPLATE_TEXT);

  self->text = len < 0 ? g_strdup (text) : g_strndup (text, (gsize) len);
  return self;
}

CycTemplateValue *
cyc_template_value_new_list (void)
{
  CycTemplateValue *self = new_value (CYC_TEMPLATE_LIST);

  self->list = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_template_value_unref);
  return self;
}

/* Takes @value. FALSE if the list would get too deep or too large. */
gboolean
cyc_template_value_append (CycTemplateValue *list,
                           CycTemplateValue *value)
{
  g_ptr_array_add (list->list, value);
  list->depth = MAX (list->depth, value->depth + 1);
  list->weight += value->weight;
  return list->depth <= MAX_LIST_DEPTH && list->weight <= MAX_LIST_WEIGHT;
}

CycTemplateValue *
cyc_template_value_ref (CycTemplateValue *self)
{
  g_ref_count_inc (&self->count);
  return self;
}

void
cyc_template_value_unref (CycTemplateValue *self)
{
  if (self == NULL || !g_ref_count_dec (&self->count))
    return;
  g_clear_pointer (&self->list, g_ptr_array_unref);
  g_free (self->text);
  g_free (self);
}

/* As Python's bool (). */
gboolean
cyc_template_value_is_true (const CycTemplateValue *self)
{
  switch (self->kind)
    {
    case CYC_TEMPLATE_BOOL:
    case CYC_TEMPLATE_INT:
      return self->integer != 0;
    case CYC_TEMPLATE_FLOAT:
      return self->number != 0;
    case CYC_TEMPLATE_TEXT:
      return self->text[0] != '\0';
    case CYC_TEMPLATE_LIST:
      return self->list->len > 0;
    case CYC_TEMPLATE_UNDEFINED:
    case CYC_TEMPLATE_NONE:
    default:
      return FALSE;
    }
}

gboolean
cyc_template_value_is_number (const CycTemplateValue *self,
                              double                 *out_value)
{
  if (self->kind == CYC_TEMPLATE_FLOAT)
    *out_value = self->number;
  else if (self->kind == CYC_TEMPLATE_INT || self->kind == CYC_TEMPLATE_BOOL)
    *out_value = (double) self->integer;
  else
    return FALSE;
  return TRUE;
}

gboolean
cyc_template_value_equal (const CycTemplateValue *a,
                          const CycTemplateValue *b)
{
  double x;
  double y;

  if (a->kind != CYC_TEMPLATE_FLOAT && b->kind != CYC_TEMPLATE_FLOAT &&
      cyc_template_value_is_number (a, &x) && cyc_template_value_is_number (b, &y))
    return a->integer == b->integer;
  if (cyc_template_value_is_number (a, &x) && cyc_template_value_is_number (b, &y))
    return x == y;
  if (a->kind != b->kind)
    return FALSE;
  if (a->kind == CYC_TEMPLATE_TEXT)
    return strcmp (a->text, b->text) == 0;
  if (a->kind != CYC_TEMPLATE_LIST)
    return TRUE;
  if (a->list->len != b->list->len)
    return FALSE;
  for (guint i = 0; i < a->list->len; i++)
    if (!cyc_template_value_equal (g_ptr_array_index (a->list, i), g_ptr_array_index (b->list, i)))
      return FALSE;
  return TRUE;
}

/* As Python's str (), or its repr () if @quoted. */
void
cyc_template_value_print (const CycTemplateValue *self,
                          gboolean                quoted,
                          GString                *out)
{
  char buf[CYC_DOUBLE_BUF];

  switch (self->kind)
    {
    case CYC_TEMPLATE_NONE:
      g_string_append (out, "None");
      break;
    case CYC_TEMPLATE_BOOL:
      g_string_append (out, self->integer != 0 ? "True" : "False");
      break;
    case CYC_TEMPLATE_INT:
      g_string_append_printf (out, "%" G_GINT64_FORMAT, self->integer);
      break;
    case CYC_TEMPLATE_FLOAT:
      g_string_append (out, cyc_number_format_double (buf, self->number));
      if (strpbrk (buf, ".en") == NULL)
        g_string_append (out, ".0");
      break;
    case CYC_TEMPLATE_TEXT:
      g_string_append_printf (out, quoted ? "'%s'" : "%s", self->text);
      break;
    case CYC_TEMPLATE_LIST:
      g_string_append_c (out, '[');
      for (guint i = 0; i < self->list->len && out->len <= CYC_TEMPLATE_MAX_TEXT; i++)
        {
          if (i > 0)
            g_string_append (out, ", ");
          cyc_template_value_print (g_ptr_array_index (self->list, i), TRUE, out);
        }
      g_string_append_c (out, ']');
      break;
    case CYC_TEMPLATE_UNDEFINED:
    default:
      break;
    }
}

const char *
cyc_template_value_describe (const CycTemplateValue *self)
{
  static const char *const names[] = {
    "undefined", "None", "a boolean", "an integer", "a number", "a text", "a list",
  };

  return names[self->kind];
}
