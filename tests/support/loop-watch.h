/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A moment of the main thread, or what passed between two, in microseconds: by the clock, on a
 * processor, and ready but without one. What is missing to the clock it was blocked or asleep. */
typedef struct
{
  gint64 clock;
  gint64 running;
  gint64 waiting;
} LoopGap;

/* For how long the default main loop, of the calling thread, does not come round to anything. */
void    loop_watch_start (void);
void    loop_watch_skip  (void);
LoopGap loop_watch_stop  (void);
LoopGap loop_watch_get_busiest (void);

G_END_DECLS
