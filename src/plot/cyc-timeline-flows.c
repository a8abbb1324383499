/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "plot/cyc-timeline-flows.h"

#include "core/base/cyc-radix-order.h"

/* Arrows by their spans and by their time. */

#define BLOCK 256

struct _CycTimelineFlows
{
  gatomicrefcount  refs;
  CycTimeline     *timeline;
  guint32          n_bound;
  guint32         *by_span;   /* ends that have a span, in order of these */
  guint32          n_arrows;
  guint32         *by_time;   /* ends that an arrow begins at, in order of time */
  gint64          *latest;    /* of each block of those: the last time that an arrow ends */
};

static guint32
get_span (CycTimelineFlows *self,
          guint32           end)
{
  guint n;

  return cyc_timeline_get_flow_ends (self->timeline, &n)[end].span;
}

/* Whether an arrow begins at an end: whether another one of its flow follows. */
static gboolean
has_arrow (const CycTimelineFlowEnd *ends,
           guint                     n,
           guint32                   end)
{
  return end + 1 < n && ends[end + 1].flow == ends[end].flow;
}

static void
index_spans (CycTimelineFlows         *self,
             const CycTimelineFlowEnd *ends,
             guint                     n)
{
  g_autofree guint64 *keys = g_new (guint64, n);

  self->by_span = g_new (guint32, n);
  for (guint32 i = 0; i < n; i++)
    if (ends[i].span != CYC_TIMELINE_NONE)
      {
        keys[self->n_bound] = ends[i].span;
        self->by_span[self->n_bound++] = i;
      }
  cyc_radix_sort (keys, self->n_bound, self->by_span);
}

static void
index_times (CycTimelineFlows         *self,
             const CycTimelineFlowEnd *ends,
             guint                     n)
{
  g_autofree guint64 *keys = g_new (guint64, n);

  self->by_time = g_new (guint32, n);
  for (guint32 i = 0; i < n; i++)
    if (has_arrow (ends, n, i))
      {
        keys[self->n_arrows] = cyc_radix_key (ends[i].time);
        self->by_time[self->n_arrows++] = i;
      }
  cyc_radix_sort (keys, self->n_arrows, self->by_time);
  self->latest = g_new (gint64, self->n_arrows / BLOCK + 1);
  for (guint32 i = 0; i < self->n_arrows; i++)
    {
      gint64 end = MAX (ends[self->by_time[i]].time, ends[self->by_time[i] + 1].time);
      self->latest[i / BLOCK] = i % BLOCK == 0 ? end : MAX (self->latest[i / BLOCK], end);
    }
}

/**
 * cyc_timeline_flows_new:
 * @timeline: a timeline
 * @cancellable: (nullable): looked at now and then
 * @error: return location for an error
 *
 * Any thread.
 *
 * Returns: (transfer full) (nullable): its arrows; %NULL if cancelled
 */
CycTimelineFlows *
cyc_timeline_flows_new (CycTimeline   *timeline,
                        GCancellable  *cancellable,
                        GError       **error)
{
  g_autoptr (CycTimelineFlows) self = g_new0 (CycTimelineFlows, 1);
  guint n;
  const CycTimelineFlowEnd *ends = cyc_timeline_get_flow_ends (timeline, &n);

  g_atomic_ref_count_init (&self->refs);
  self->timeline = cyc_timeline_ref (timeline);
  index_spans (self, ends, n);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  index_times (self, ends, n);
  return g_steal_pointer (&self);
}

/**
 * cyc_timeline_flows_ref:
 * @self: flows
 *
 * Returns: (transfer full): the same
 */
CycTimelineFlows *
cyc_timeline_flows_ref (CycTimelineFlows *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

/**
 * cyc_timeline_flows_unref:
 * @self: (transfer full): flows
 */
void
cyc_timeline_flows_unref (CycTimelineFlows *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  cyc_timeline_unref (self->timeline);
  g_free (self->by_span);
  g_free (self->by_time);
  g_free (self->latest);
  g_free (self);
}

/**
 * cyc_timeline_flows_get:
 * @self: flows
 * @span: a span
 *
 * Returns: (transfer full) (element-type CycFlowArrow): the arrows that end at it, and those that begin
 */
GArray *
cyc_timeline_flows_get (CycTimelineFlows *self,
                        guint32           span)
{
  GArray *arrows = g_array_new (FALSE, FALSE, sizeof (CycFlowArrow));
  guint n;
  const CycTimelineFlowEnd *ends = cyc_timeline_get_flow_ends (self->timeline, &n);
  guint32 low = 0, high = self->n_bound;

  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;
      if (get_span (self, self->by_span[middle]) < span)
        low = middle + 1;
      else
        high = middle;
    }
  for (; low < self->n_bound && get_span (self, self->by_span[low]) == span; low++)
    {
      guint32 end = self->by_span[low];
      CycFlowArrow to = { end - 1, end }, from = { end, end + 1 };
      if (end > 0 && has_arrow (ends, n, end - 1))
        g_array_append_val (arrows, to);
      /* One to the same span was found by its other end. */
      if (has_arrow (ends, n, end) && ends[end + 1].span != span)
        g_array_append_val (arrows, from);
    }
  return arrows;
}

/**
 * cyc_timeline_flows_follow:
 * @self: flows
 * @span: a span
 * @steps: below 0 against the arrows, above 0 along them
 *
 * Returns: the span at the other end of the first arrow of that way, or CYC_TIMELINE_NONE
 */
guint32
cyc_timeline_flows_follow (CycTimelineFlows *self,
                           guint32           span,
                           int               steps)
{
  g_autoptr (GArray) arrows = cyc_timeline_flows_get (self, span);

  for (guint i = 0; i < arrows->len; i++)
    {
      const CycFlowArrow *arrow = &g_array_index (arrows, CycFlowArrow, i);
      guint32 here = get_span (self, steps > 0 ? arrow->from : arrow->to);
      guint32 there = get_span (self, steps > 0 ? arrow->to : arrow->from);
      if (here == span && there != CYC_TIMELINE_NONE && there != span)
        return there;
    }
  return CYC_TIMELINE_NONE;
}

/**
 * cyc_timeline_flows_list:
 * @self: flows
 * @from: a time
 * @to: a later one
 * @most: about how many arrows to return
 *
 * Returns: (transfer full) (element-type CycFlowArrow): the arrows of which a part lies between the times; where there
 *   are more than @most, a part of them, spread over the time
 */
GArray *
cyc_timeline_flows_list (CycTimelineFlows *self,
                         gint64            from,
                         gint64            to,
                         guint             most)
{
  GArray *arrows = g_array_new (FALSE, FALSE, sizeof (CycFlowArrow));
  guint n;
  const CycTimelineFlowEnd *ends = cyc_timeline_get_flow_ends (self->timeline, &n);
  guint32 n_blocks = (self->n_arrows + BLOCK - 1) / BLOCK, n_seen = 0;

  for (guint32 block = 0; block < n_blocks && ends[self->by_time[block * BLOCK]].time < to; block++)
    n_seen += self->latest[block] >= from ? MIN (BLOCK, self->n_arrows - block * BLOCK) : 0;
  guint32 step = MAX (n_seen / MAX (most, 1), 1);
  for (guint32 block = 0; block < n_blocks && ends[self->by_time[block * BLOCK]].time < to; block++)
    {
      if (self->latest[block] < from)
        continue;
      for (guint32 i = block * BLOCK; i < MIN ((block + 1) * BLOCK, self->n_arrows); i += step)
        {
          CycFlowArrow arrow = { self->by_time[i], self->by_time[i] + 1 };
          if (ends[arrow.from].time < to && ends[arrow.to].time >= from)
            g_array_append_val (arrows, arrow);
        }
    }
  return arrows;
}
