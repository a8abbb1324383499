/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "plot/cyc-axis.h"

#include <math.h>

#include "core/base/cyc-format.h"
#include "plot/cyc-ticks.h"

/* Beyond these the arithmetic of an axis would overflow or lose its steps. */
#define HUGE_VALUE 1e300
#define TINY_VALUE 1e-300

static void
tick_clear (gpointer data)
{
  CycAxisTick *tick = data;

  g_free (tick->label);
}

static void
add_tick (CycAxis *self,
          double   value,
          char    *label)
{
  CycAxisTick tick = { value, label };

  g_array_append_val (self->ticks, tick);
}

/* The power of a thousand that makes labels short; none for what is short already. */
static int
choose_exponent (double size)
{
  if (size == 0 || (size >= 0.01 && size < 10000))
    return 0;
  return 3 * (int) floor (log10 (size) / 3 + 1e-9);
}

static void
init_linear (CycAxis *self,
             double   lowest,
             double   highest,
             guint    max_steps)
{
  double low = fmax (fmin (lowest, 0), -HUGE_VALUE);
  double high = fmin (fmax (highest, 0), HUGE_VALUE);

  if (high - low < TINY_VALUE)
    high = 1;
  double step = cyc_ticks_get_step (high - low, max_steps);
  self->begin = floor (low / step + 1e-9) * step;
  self->end = ceil (high / step - 1e-9) * step;
  self->exponent = choose_exponent (fmax (fabs (self->begin), fabs (self->end)));
  double unit = pow (10, self->exponent);
  guint decimals = cyc_ticks_get_decimals (step / unit);
  int n = (int) round ((self->end - self->begin) / step);
  for (int i = 0; i <= n; i++)
    {
      /* Multiples, not sums, or the error grows. */
      double value = (round (self->begin / step) + i) * step;
      add_tick (self, value, cyc_format_grouped (value / unit, (int) decimals));
    }
}

static char *
dup_superscript (int number)
{
  static const char *const digits[] = { "⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹" };
  GString *out = g_string_new (number < 0 ? "⁻" : NULL);
  g_autofree char *plain = g_strdup_printf ("%d", ABS (number));

  for (const char *p = plain; *p != '\0'; p++)
    g_string_append (out, digits[*p - '0']);
  return g_string_free (out, FALSE);
}

/* Labels of a logarithmic axis: a few times a power of ten. */
static char *
dup_log_label (double factor,
               int    decade,
               double value)
{
  if (decade >= -4 && decade < 6)
    return cyc_format_grouped (value, MAX (0, (factor == floor (factor) ? 0 : 1) - decade));
  g_autofree char *power = dup_superscript (decade);
  return factor == 1 ? g_strconcat ("10", power, NULL) : g_strdup_printf ("%g·10%s", factor, power);
}

/* The largest of the steps up to @value, or the smallest from it on: ends of an axis, finer than its labels. */
static double
round_to_step (double   value,
               gboolean up)
{
  static const double factors[] = { 1, 1.5, 2, 3, 4, 5, 6, 8, 10 };
  double power = pow (10, floor (log10 (value) + 1e-12));
  double best = up ? 10 * power : power;

  for (guint i = 0; i < G_N_ELEMENTS (factors); i++)
    {
      double step = factors[i] * power;
      if (up && step >= value * (1 - 1e-9))
        return step;
      if (!up && step <= value * (1 + 1e-9))
        best = step;
    }
  return best;
}

static void
init_logarithmic (CycAxis *self,
                  double   lowest,
                  double   highest,
                  guint    max_steps)
{
  static const double coarse[] = { 1, 2, 5 }, narrow[] = { 1, 1.5, 2, 3, 5, 7 };

  if (!(highest > 0))
    lowest = highest = 1;
  /* With one step only, there might be no label within. */
  max_steps = MAX (max_steps, 2);
  double low = CLAMP (lowest, TINY_VALUE, HUGE_VALUE);
  double high = CLAMP (highest, low, HUGE_VALUE);
  /* Lower than the lowest, which would else have a bar of no height. */
  self->begin = round_to_step (self->kind == CYC_AXIS_RATIO ? low : low / 1.5, FALSE);
  self->end = round_to_step (high, TRUE);
  if (self->end <= self->begin)
    self->end = 2 * self->begin;
  int first = (int) floor (log10 (self->begin) + 1e-9), last = (int) ceil (log10 (self->end) - 1e-9);
  int stride = MAX (1, (last - first + (int) max_steps - 1) / (int) max_steps);
  gboolean fine = last - first <= 2;
  gboolean is_narrow = self->end < 7 * self->begin;
  const double *factors = is_narrow ? narrow : coarse;
  guint n_factors = is_narrow ? G_N_ELEMENTS (narrow) : G_N_ELEMENTS (coarse);
  for (int decade = first; decade <= last; decade++)
    for (guint i = 0; i < n_factors && (stride == 1 || i == 0); i++)
      {
        double value = factors[i] * pow (10, decade);
        if (value < self->begin * (1 - 1e-9) || value > self->end * (1 + 1e-9))
          continue;
        gboolean labelled = i == 0 ? decade % stride == 0 : fine;
        if (labelled || stride == 1)
          add_tick (self, value, labelled ? dup_log_label (factors[i], decade, value) : NULL);
      }
}

/**
 * cyc_axis_new:
 * @kind: linear or logarithmic
 * @lowest: the lowest value that is to have a place; above zero if logarithmic
 * @highest: the highest one
 * @max_steps: most steps between labels
 *
 * Makes an axis around values, with round ends and with ticks. What is not finite counts as no value.
 *
 * Returns: (transfer full): an axis from 0 to 1
 */
CycAxis *
cyc_axis_new (CycAxisKind kind,
              double      lowest,
              double      highest,
              guint       max_steps)
{
  g_return_val_if_fail (max_steps > 0, NULL);

  CycAxis *self = g_new0 (CycAxis, 1);
  self->kind = kind;
  self->ticks = g_array_new (FALSE, FALSE, sizeof (CycAxisTick));
  g_array_set_clear_func (self->ticks, tick_clear);
  if (!isfinite (lowest))
    lowest = 0;
  if (!isfinite (highest))
    highest = 0;
  if (kind != CYC_AXIS_LINEAR)
    init_logarithmic (self, lowest, highest, max_steps);
  else
    init_linear (self, lowest, highest, max_steps);
  cyc_axis_set_range (self, 0, 1);
  return self;
}

/**
 * cyc_axis_free:
 * @self: (transfer full): an axis
 */
void
cyc_axis_free (CycAxis *self)
{
  g_return_if_fail (self != NULL);

  g_array_unref (self->ticks);
  g_free (self);
}

/**
 * cyc_axis_set_range:
 * @self: an axis
 * @range_begin: place of its beginning
 * @range_end: place of its end
 */
void
cyc_axis_set_range (CycAxis *self,
                    double   range_begin,
                    double   range_end)
{
  g_return_if_fail (self != NULL);

  gboolean logarithmic = self->kind != CYC_AXIS_LINEAR;
  cyc_scale_init (&self->scale, logarithmic ? log10 (self->begin) : self->begin,
                  logarithmic ? log10 (self->end) : self->end, range_begin, range_end);
}

/**
 * cyc_axis_to_range:
 * @self: an axis
 * @value: a value
 *
 * Returns: its place, within the axis; the beginning for what has none
 */
double
cyc_axis_to_range (const CycAxis *self,
                   double         value)
{
  if (!(value >= self->begin))
    value = self->begin;
  value = fmin (value, self->end);
  return cyc_scale_to_range (&self->scale, self->kind != CYC_AXIS_LINEAR ? log10 (value) : value);
}

/**
 * cyc_axis_dup_unit:
 * @self: an axis
 * @unit: (nullable): unit of its values
 *
 * Returns: (transfer full): the unit of its labels, such as `10⁶ cycles`, or `ms` for thousands of
 *   thousands of `ns`; empty if there is nothing to say
 */
char *
cyc_axis_dup_unit (const CycAxis *self,
                   const char    *unit)
{
  static const char *const times[] = { "us", "ms", "s" };

  if (unit == NULL)
    unit = "";
  if (self->exponent == 0)
    return g_strdup (unit);
  if (g_str_equal (unit, "ns") && self->exponent > 0 && self->exponent <= 9)
    return g_strdup (times[self->exponent / 3 - 1]);
  g_autofree char *power = dup_superscript (self->exponent);
  return g_strdup_printf ("10%s%s%s", power, unit[0] != '\0' ? " " : "", unit);
}
