/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "plot/cyc-scale.h"

/**
 * cyc_scale_init:
 * @self: (out caller-allocates): a scale
 * @domain_begin: value at the beginning
 * @domain_end: value at the end
 * @range_begin: place of @domain_begin
 * @range_end: place of @domain_end
 */
void
cyc_scale_init (CycScale *self,
                double    domain_begin,
                double    domain_end,
                double    range_begin,
                double    range_end)
{
  g_return_if_fail (self != NULL);

  self->domain_begin = domain_begin;
  self->domain_end = domain_end;
  self->range_begin = range_begin;
  self->range_end = range_end;
}

static double
map (double value,
     double from_begin,
     double from_end,
     double to_begin,
     double to_end)
{
  double span = from_end - from_begin;

  return span != 0 ? to_begin + (value - from_begin) / span * (to_end - to_begin) : to_begin;
}

/**
 * cyc_scale_to_range:
 * @self: a scale
 * @value: a value
 *
 * Returns: its place; the beginning if the domain has no length
 */
double
cyc_scale_to_range (const CycScale *self,
                    double          value)
{
  return map (value, self->domain_begin, self->domain_end, self->range_begin, self->range_end);
}

/**
 * cyc_scale_to_domain:
 * @self: a scale
 * @place: a place
 *
 * Returns: the value there; that of the beginning if the range has no length
 */
double
cyc_scale_to_domain (const CycScale *self,
                     double          place)
{
  return map (place, self->range_begin, self->range_end, self->domain_begin, self->domain_end);
}
