/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "plot/cyc-ticks.h"

#include <math.h>

/**
 * cyc_ticks_get_step:
 * @span: length of an axis in its unit
 * @max_steps: most steps that may lie in it, at least 1
 *
 * Returns: the smallest of …, 0.1, 0.2, 0.5, 1, 2, 5, 10, … of which at most @max_steps fit into
 *   @span; 0 if @span is not a positive number
 */
double
cyc_ticks_get_step (double span,
                    guint  max_steps)
{
  g_return_val_if_fail (max_steps > 0, 0);

  if (!isfinite (span) || span <= 0)
    return 0;
  double least = span / max_steps;
  double power = pow (10, floor (log10 (least)));
  static const double factors[] = { 1, 2, 5 };
  /* A little slack, so that 0.1 + 0.2 does not cost a step. */
  for (guint i = 0; i < G_N_ELEMENTS (factors); i++)
    if (factors[i] * power >= least * (1 - 1e-9))
      return factors[i] * power;
  return 10 * power;
}

/**
 * cyc_ticks_get_decimals:
 * @step: a step of cyc_ticks_get_step()
 *
 * Returns: digits after the point that tell neighbouring ticks apart
 */
guint
cyc_ticks_get_decimals (double step)
{
  if (!isfinite (step) || step <= 0 || step >= 1)
    return 0;
  return (guint) MIN (-floor (log10 (step) + 1e-9), 12);
}

/**
 * cyc_ticks_new:
 * @begin: beginning of an axis in its unit
 * @end: its end
 * @max_steps: most steps that may lie in it, at least 1
 *
 * Returns: (transfer full): the values of the ticks as doubles, all within the axis; none if it has
 *   no length
 */
GArray *
cyc_ticks_new (double begin,
               double end,
               guint  max_steps)
{
  GArray *ticks = g_array_new (FALSE, FALSE, sizeof (double));
  double step = cyc_ticks_get_step (end - begin, max_steps);

  if (step <= 0)
    return ticks;
  double first = ceil (begin / step - 1e-9);
  for (guint i = 0; i <= max_steps; i++)
    {
      /* Multiples, not sums, or the error grows. */
      double value = (first + i) * step;
      if (value > end + step * 1e-9)
        break;
      g_array_append_val (ticks, value);
    }
  return ticks;
}
