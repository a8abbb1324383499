/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The engine's time: monotonic, never set back, not running while the machine sleeps. Tests move
 * it instead of waiting. Main thread. */
typedef struct
{
  gint64 moved;      /* microseconds added by cyc_clock_move() */
  gint64 slept;      /* microseconds slept since boot, as last seen */
  gint64 sleep_added; /* pretended sleep, for tests */
} CycClock;

void     cyc_clock_init        (CycClock *self);
gint64   cyc_clock_now         (CycClock *self);
void     cyc_clock_move        (CycClock *self,
                                gint64    microseconds);
void     cyc_clock_move_asleep (CycClock *self,
                                gint64    microseconds);
gboolean cyc_clock_has_slept   (CycClock *self);

G_END_DECLS
