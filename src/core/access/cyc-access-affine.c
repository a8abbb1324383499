/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/access/cyc-access-affine.h"

#include <string.h>

#include "core/base/cyc-number.h"

/* Affine expressions and constraints as they stand in a workload, and the box that constraints leave. */

#define MAX_DEPTH 50
#define MAX_ROUNDS 10000

typedef __int128 Wide;

typedef struct
{
  const char         *at;
  const char *const  *names;
  guint               n;
  guint               depth;
  char              **problem;
} Parser;

static gboolean parse_sum (Parser    *self,
                           CycAffine *out);

static gboolean
complain (Parser     *self,
          const char *format,
          const char *detail)
{
  if (*self->problem == NULL)
    *self->problem = detail != NULL ? g_strconcat (format, " '", detail, "'", NULL) : g_strdup (format);
  return FALSE;
}

static gboolean
is_name_begin (char c)
{
  return g_ascii_isalpha (c) || c == '#' || c == '$' || c == '@';
}

static gboolean
is_name_byte (char c)
{
  return g_ascii_isalnum (c) || c == '_';
}

/* Whether it can be a rank variable: what upstream's expression for names matches. */
gboolean
cyc_affine_is_name (const char *text)
{
  if (!is_name_begin (text[0]))
    return FALSE;
  for (const char *p = text + 1; *p != '\0'; p++)
    if (!is_name_byte (*p))
      return FALSE;
  return TRUE;
}

/* Adds the names in an expression to @names (of char *), each once. */
void
cyc_affine_collect (const char *text,
                    GPtrArray  *names)
{
  const char *p = text;

  while (*p != '\0')
    {
      const char *begin = p;
      if (!is_name_begin (*p))
        {
          p++;
          continue;
        }
      for (p++; is_name_byte (*p); p++)
        ;
      g_autofree char *name = g_strndup (begin, (gsize) (p - begin));
      if (!g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL))
        g_ptr_array_add (names, g_steal_pointer (&name));
    }
}

static void
skip_blanks (Parser *self)
{
  while (g_ascii_isspace (*self->at))
    self->at++;
}

static void
init_affine (CycAffine *self,
             guint      n)
{
  self->n = n;
  self->coefs = g_new0 (gint64, MAX (n, 1));
  self->constant = 0;
}

void
cyc_affine_clear (CycAffine *self)
{
  g_clear_pointer (&self->coefs, g_free);
}

static gboolean
is_constant (const CycAffine *self)
{
  for (guint i = 0; i < self->n; i++)
    if (self->coefs[i] != 0)
      return FALSE;
  return TRUE;
}

static gboolean
scale (Parser    *parser,
       CycAffine *self,
       gint64     factor)
{
  for (guint i = 0; i <= self->n; i++)
    {
      gint64 *value = i < self->n ? &self->coefs[i] : &self->constant;
      Wide product = (Wide) *value * factor;
      if (product > CYC_ACCESS_MAX_NUMBER || product < -CYC_ACCESS_MAX_NUMBER)
        return complain (parser, "a number is over 10^12", NULL);
      *value = (gint64) product;
    }
  return TRUE;
}

static gboolean
add (Parser           *parser,
     CycAffine        *self,
     const CycAffine  *other,
     gint64            sign)
{
  for (guint i = 0; i <= self->n; i++)
    {
      gint64 *value = i < self->n ? &self->coefs[i] : &self->constant;
      *value += sign * (i < self->n ? other->coefs[i] : other->constant);
      if (ABS (*value) > CYC_ACCESS_MAX_NUMBER)
        return complain (parser, "a number is over 10^12", NULL);
    }
  return TRUE;
}

static gboolean
parse_name (Parser    *self,
            CycAffine *out)
{
  const char *begin = self->at;

  while (is_name_byte (*self->at) || self->at == begin)
    self->at++;
  g_autofree char *name = g_strndup (begin, (gsize) (self->at - begin));
  for (guint i = 0; i < self->n; i++)
    if (strcmp (self->names[i], name) == 0)
      {
        out->coefs[i] = 1;
        return TRUE;
      }
  return complain (self, "unknown rank variable", name);
}

static gboolean
parse_number (Parser    *self,
              CycAffine *out)
{
  const char *begin = self->at;

  while (g_ascii_isdigit (*self->at))
    self->at++;
  if (!cyc_number_parse_int64 (begin, (gsize) (self->at - begin), &out->constant) ||
      out->constant > CYC_ACCESS_MAX_NUMBER)
    return complain (self, "a number is over 10^12", NULL);
  /* As the integer set library, 2x is 2 * x. */
  if (!is_name_begin (*self->at))
    return TRUE;
  gint64 factor = out->constant;
  out->constant = 0;
  return parse_name (self, out) && scale (self, out, factor);
}

static gboolean
parse_factor (Parser    *self,
              CycAffine *out)
{
  gboolean good;

  init_affine (out, self->n);
  skip_blanks (self);
  if (++self->depth > MAX_DEPTH)
    return complain (self, "brackets are nested over 50 deep", NULL);
  if (*self->at == '-' || *self->at == '+')
    {
      gint64 sign = *self->at++ == '-' ? -1 : 1;
      cyc_affine_clear (out);
      good = parse_factor (self, out) && scale (self, out, sign);
    }
  else if (*self->at == '(')
    {
      self->at++;
      cyc_affine_clear (out);
      good = parse_sum (self, out);
      skip_blanks (self);
      if (good && *self->at != ')')
        good = complain (self, "a bracket is not closed", NULL);
      else if (good)
        self->at++;
    }
  else if (g_ascii_isdigit (*self->at))
    good = parse_number (self, out);
  else if (is_name_begin (*self->at))
    good = parse_name (self, out);
  else
    good = complain (self, *self->at == '\0' ? "a number or a rank variable is missing at the end"
                                             : "expected a number, a rank variable or a bracket before",
                     *self->at == '\0' ? NULL : self->at);
  self->depth--;
  return good;
}

static gboolean
parse_product (Parser    *self,
               CycAffine *out)
{
  gboolean good = parse_factor (self, out);

  while (good)
    {
      skip_blanks (self);
      if (*self->at != '*')
        break;
      self->at++;
      CycAffine right = { 0 };
      good = parse_factor (self, &right);
      if (good && is_constant (&right))
        good = scale (self, out, right.constant);
      else if (good && is_constant (out))
        {
          gint64 factor = out->constant;
          CycAffine swapped = *out;
          *out = right;
          right = swapped;
          good = scale (self, out, factor);
        }
      else if (good)
        good = complain (self, "a product of two rank variables is not affine", NULL);
      cyc_affine_clear (&right);
    }
  return good;
}

static gboolean
parse_sum (Parser    *self,
           CycAffine *out)
{
  gboolean good = parse_product (self, out);

  while (good)
    {
      skip_blanks (self);
      if (*self->at != '+' && *self->at != '-')
        break;
      gint64 sign = *self->at++ == '-' ? -1 : 1;
      CycAffine right = { 0 };
      good = parse_product (self, &right) && add (self, out, &right, sign);
      cyc_affine_clear (&right);
    }
  return good;
}

/* @names ends with NULL. FALSE with what is wrong in @out_problem. */
gboolean
cyc_affine_parse (const char         *text,
                  const char *const  *names,
                  CycAffine          *out,
                  char              **out_problem)
{
  g_autofree char *problem = NULL;
  Parser parser = { text, names, g_strv_length ((char **) names), 0, &problem };

  memset (out, 0, sizeof *out);
  gboolean good = parse_sum (&parser, out);
  skip_blanks (&parser);
  if (good && *parser.at != '\0')
    good = complain (&parser, "expected an operator before", parser.at);
  if (good)
    return TRUE;
  cyc_affine_clear (out);
  *out_problem = g_steal_pointer (&problem);
  return FALSE;
}

typedef enum { NO_RELATION, LESS, LESS_EQUAL, GREATER, GREATER_EQUAL, EQUAL } Relation;

static Relation
take_relation (Parser *self)
{
  Relation relation = NO_RELATION;

  skip_blanks (self);
  if (*self->at == '<' || *self->at == '>')
    {
      relation = *self->at++ == '<' ? LESS : GREATER;
      if (*self->at == '=')
        {
          relation++;
          self->at++;
        }
    }
  else if (*self->at == '=')
    {
      relation = EQUAL;
      self->at += self->at[1] == '=' ? 2 : 1;
    }
  return relation;
}

/* @big - @small - @gap >= 0. */
static gboolean
add_constraint (Parser           *self,
                GArray           *constraints,
                const CycAffine  *big,
                const CycAffine  *small,
                gint64            gap)
{
  CycAffineConstraint constraint = { { 0 } };

  init_affine (&constraint.left, self->n);
  gboolean good = add (self, &constraint.left, big, 1) && add (self, &constraint.left, small, -1);
  constraint.left.constant -= gap;
  g_array_append_val (constraints, constraint);
  return good;
}

static gboolean
parse_chain (Parser *self,
             GArray *constraints)
{
  CycAffine left = { 0 };
  gboolean good = parse_sum (self, &left);
  guint n_relations = 0;

  while (good)
    {
      Relation relation = take_relation (self);
      if (relation == NO_RELATION)
        break;
      n_relations++;
      CycAffine right = { 0 };
      good = parse_sum (self, &right);
      if (good && (relation == LESS || relation == LESS_EQUAL || relation == EQUAL))
        good = add_constraint (self, constraints, &right, &left, relation == LESS);
      if (good && (relation == GREATER || relation == GREATER_EQUAL || relation == EQUAL))
        good = add_constraint (self, constraints, &left, &right, relation == GREATER);
      cyc_affine_clear (&left);
      left = right;
    }
  cyc_affine_clear (&left);
  if (good && n_relations == 0)
    good = complain (self, "there is no comparison (< <= > >= =) in it", NULL);
  return good;
}

/* Chains of comparisons joined by `and`; appends CycAffineConstraint. */
gboolean
cyc_affine_parse_constraints (const char         *text,
                              const char *const  *names,
                              GArray             *constraints,
                              char              **out_problem)
{
  g_autofree char *problem = NULL;
  Parser parser = { text, names, g_strv_length ((char **) names), 0, &problem };
  gboolean good;

  do
    {
      good = parse_chain (&parser, constraints);
      skip_blanks (&parser);
      if (good && g_str_has_prefix (parser.at, "and") && !is_name_byte (parser.at[3]))
        {
          parser.at += 3;
          continue;
        }
      break;
    }
  while (TRUE);
  if (good && *parser.at != '\0')
    good = complain (&parser, "expected 'and' or an operator before", parser.at);
  if (!good)
    *out_problem = g_steal_pointer (&problem);
  return good;
}

/* The least and the largest value over a box of finite bounds, kept within +-CYC_AFFINE_NONE. */
void
cyc_affine_get_range (const CycAffine *self,
                      const gint64    *lows,
                      const gint64    *highs,
                      gint64          *out_low,
                      gint64          *out_high)
{
  Wide low = self->constant;
  Wide high = self->constant;

  for (guint i = 0; i < self->n; i++)
    {
      Wide a = (Wide) self->coefs[i] * lows[i];
      Wide b = (Wide) self->coefs[i] * highs[i];
      low += MIN (a, b);
      high += MAX (a, b);
    }
  *out_low = (gint64) CLAMP (low, -(Wide) CYC_AFFINE_NONE, (Wide) CYC_AFFINE_NONE);
  *out_high = (gint64) CLAMP (high, -(Wide) CYC_AFFINE_NONE, (Wide) CYC_AFFINE_NONE);
}

static Wide
divide_down (Wide a,
             Wide b)
{
  Wide quotient = a / b;

  return a % b != 0 && (a % b < 0) != (b < 0) ? quotient - 1 : quotient;
}

/* Tightens variable @i by one constraint. Returns whether anything changed. */
static gboolean
tighten (const CycAffine *left,
         guint            i,
         gint64          *lows,
         gint64          *highs)
{
  Wide most = left->constant; /* of everything but variable i */
  gint64 coef = left->coefs[i];

  for (guint j = 0; j < left->n; j++)
    {
      gint64 other = left->coefs[j];
      if (j == i || other == 0)
        continue;
      gint64 bound = other > 0 ? highs[j] : lows[j];
      if (ABS (bound) == CYC_AFFINE_NONE)
        return FALSE;
      most += (Wide) other * bound;
    }
  /* coef * x >= -most */
  if (coef > 0)
    {
      Wide low = -divide_down (most, coef);
      if (low <= lows[i])
        return FALSE;
      lows[i] = (gint64) MIN (low, (Wide) CYC_AFFINE_NONE - 1);
    }
  else
    {
      Wide high = divide_down (most, -(Wide) coef);
      if (high >= highs[i])
        return FALSE;
      highs[i] = (gint64) MAX (high, -(Wide) CYC_AFFINE_NONE + 1);
    }
  return TRUE;
}

/* Narrows the box [lows, highs] to what the constraints leave, by intervals. FALSE if nothing is left, or if
 * it does not settle. Bounds that stay away are -CYC_AFFINE_NONE and CYC_AFFINE_NONE. */
gboolean
cyc_affine_propagate (const GArray *constraints,
                      guint         n,
                      gint64       *lows,
                      gint64       *highs)
{
  for (guint i = 0; i < n; i++)
    {
      lows[i] = -CYC_AFFINE_NONE;
      highs[i] = CYC_AFFINE_NONE;
    }
  for (guint round = 0; round < MAX_ROUNDS; round++)
    {
      gboolean changed = FALSE;
      for (guint c = 0; c < constraints->len; c++)
        {
          const CycAffine *left = &g_array_index (constraints, CycAffineConstraint, c).left;
          gboolean any = FALSE;
          for (guint i = 0; i < n; i++)
            if (left->coefs[i] != 0)
              {
                any = TRUE;
                changed = tighten (left, i, lows, highs) || changed;
                if (lows[i] > highs[i])
                  return FALSE;
              }
          if (!any && left->constant < 0)
            return FALSE;
        }
      if (!changed)
        return TRUE;
    }
  return FALSE;
}
