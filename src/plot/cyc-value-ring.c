/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "plot/cyc-value-ring.h"

#include <math.h>

struct _CycValueRing
{
  double *values;
  guint   capacity;
  guint   begin; /* of the oldest */
  guint   n;
};

/**
 * cyc_value_ring_new:
 * @capacity: how many values it holds
 *
 * The last values of something that goes on, at equal distances.
 *
 * Returns: (transfer full): an empty ring
 */
CycValueRing *
cyc_value_ring_new (guint capacity)
{
  g_return_val_if_fail (capacity > 0, NULL);

  CycValueRing *self = g_new0 (CycValueRing, 1);
  self->values = g_new (double, capacity);
  self->capacity = capacity;
  return self;
}

/**
 * cyc_value_ring_free:
 * @self: (transfer full): a ring
 */
void
cyc_value_ring_free (CycValueRing *self)
{
  g_return_if_fail (self != NULL);

  g_free (self->values);
  g_free (self);
}

/**
 * cyc_value_ring_append:
 * @self: a ring
 * @value: the next value; what is not finite is a gap
 *
 * The oldest one goes if there is no room.
 */
void
cyc_value_ring_append (CycValueRing *self,
                       double        value)
{
  g_return_if_fail (self != NULL);

  self->values[(self->begin + self->n) % self->capacity] = isfinite (value) ? value : NAN;
  if (self->n < self->capacity)
    self->n++;
  else
    self->begin = (self->begin + 1) % self->capacity;
}

/**
 * cyc_value_ring_clear:
 * @self: a ring
 *
 * Empties it.
 */
void
cyc_value_ring_clear (CycValueRing *self)
{
  g_return_if_fail (self != NULL);

  self->n = 0;
}

/**
 * cyc_value_ring_get_n:
 * @self: a ring
 *
 * Returns: how many values it has
 */
guint
cyc_value_ring_get_n (const CycValueRing *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->n;
}

/**
 * cyc_value_ring_get_capacity:
 * @self: a ring
 *
 * Returns: how many it can have
 */
guint
cyc_value_ring_get_capacity (const CycValueRing *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->capacity;
}

/**
 * cyc_value_ring_get:
 * @self: a ring
 * @i: which, from the oldest
 *
 * Returns: the value; NaN for a gap
 */
double
cyc_value_ring_get (const CycValueRing *self,
                    guint               i)
{
  g_return_val_if_fail (self != NULL && i < self->n, NAN);

  return self->values[(self->begin + i) % self->capacity];
}

/**
 * cyc_value_ring_get_last:
 * @self: a ring
 * @out_value: (out): the newest value
 *
 * Returns: %FALSE if there is none, or if it is a gap
 */
gboolean
cyc_value_ring_get_last (const CycValueRing *self,
                         double             *out_value)
{
  g_return_val_if_fail (self != NULL && out_value != NULL, FALSE);

  *out_value = self->n > 0 ? cyc_value_ring_get (self, self->n - 1) : NAN;
  return isfinite (*out_value);
}
