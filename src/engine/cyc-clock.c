/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-clock.h"

#include <time.h>

/* Below this, a difference of the two clocks is noise. */
#define SLEEP_NOTICED (2 * G_USEC_PER_SEC)

static gint64
read_clock (clockid_t id)
{
  struct timespec now;

  clock_gettime (id, &now);
  return (gint64) now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

static gint64
get_slept (CycClock *self)
{
  /* CLOCK_BOOTTIME goes on during suspend, CLOCK_MONOTONIC does not. */
  return read_clock (CLOCK_BOOTTIME) - read_clock (CLOCK_MONOTONIC) + self->sleep_added;
}

/**
 * cyc_clock_init:
 * @self: (out caller-allocates): a clock
 */
void
cyc_clock_init (CycClock *self)
{
  *self = (CycClock) { 0 };
  self->slept = get_slept (self);
}

/**
 * cyc_clock_now:
 * @self: a clock
 *
 * Returns: microseconds since some moment in the past
 */
gint64
cyc_clock_now (CycClock *self)
{
  return g_get_monotonic_time () + self->moved;
}

/**
 * cyc_clock_move:
 * @self: a clock
 * @microseconds: how far forward
 *
 * Lets time pass, for tests.
 */
void
cyc_clock_move (CycClock *self,
                gint64    microseconds)
{
  g_return_if_fail (microseconds >= 0);

  self->moved += microseconds;
}

/**
 * cyc_clock_move_asleep:
 * @self: a clock
 * @microseconds: how long the machine seems to have been suspended
 *
 * Pretends a suspend, for tests.
 */
void
cyc_clock_move_asleep (CycClock *self,
                       gint64    microseconds)
{
  self->sleep_added += microseconds;
}

/**
 * cyc_clock_has_slept:
 * @self: a clock
 *
 * Returns: %TRUE if the machine was suspended since the last call
 */
gboolean
cyc_clock_has_slept (CycClock *self)
{
  gint64 slept = get_slept (self);
  gboolean noticed = slept - self->slept > SLEEP_NOTICED;

  self->slept = slept;
  return noticed;
}
