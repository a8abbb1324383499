/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "support/loop-watch.h"

#include <fcntl.h>
#include <unistd.h>

#define EVERY_MS 2

static LoopGap last_turn;
static LoopGap longest_gap;
static LoopGap busiest_gap;
static int schedstat_fd = -1;
static guint source;

static LoopGap
turn_now (void)
{
  LoopGap turn = { .clock = g_get_monotonic_time () };
  char text[128];
  ssize_t n = schedstat_fd < 0 ? 0 : pread (schedstat_fd, text, sizeof text - 1, 0);
  char *end;

  text[MAX (n, 0)] = '\0';
  turn.running = (gint64) g_ascii_strtoull (text, &end, 10) / 1000;
  turn.waiting = (gint64) g_ascii_strtoull (end, NULL, 10) / 1000;
  return turn;
}

static gboolean
watch_cb (gpointer data)
{
  LoopGap now = turn_now ();

  LoopGap gap = { now.clock - last_turn.clock, now.running - last_turn.running, now.waiting - last_turn.waiting };

  if (last_turn.clock != 0 && gap.clock > longest_gap.clock)
    longest_gap = gap;
  if (last_turn.clock != 0 && gap.running > busiest_gap.running)
    busiest_gap = gap;
  last_turn = now;
  return G_SOURCE_CONTINUE;
}

/**
 * loop_watch_start:
 *
 * Begins to watch.
 */
void
loop_watch_start (void)
{
  last_turn.clock = 0;
  longest_gap = busiest_gap = (LoopGap) { 0, 0, 0 };
  schedstat_fd = open ("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  source = g_timeout_add_full (G_PRIORITY_HIGH, EVERY_MS, watch_cb, NULL, NULL);
}

/**
 * loop_watch_skip:
 *
 * What has passed since the last turn does not count: it was the test's own.
 */
void
loop_watch_skip (void)
{
  last_turn.clock = 0;
}

/**
 * loop_watch_stop:
 *
 * Returns: the longest gap since the start; the figures of processors are 0 where the kernel has none
 */
LoopGap
loop_watch_stop (void)
{
  g_clear_handle_id (&source, g_source_remove);
  if (schedstat_fd >= 0)
    close (schedstat_fd);
  schedstat_fd = -1;
  return longest_gap;
}

/**
 * loop_watch_get_busiest:
 *
 * Returns: of the gaps until loop_watch_stop(), the one in which the main thread had a processor for longest: what
 *   its own work took, on a machine that does other things too
 */
LoopGap
loop_watch_get_busiest (void)
{
  return busiest_gap;
}
