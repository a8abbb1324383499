/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/timeline/cyc-timeline-builder-private.h"

/* Arrows between spans: where their ends lie. */

/* The innermost span of a track around a time, its ends included. */
static guint32
find_enclosing (CycTimeline            *timeline,
                const CycTimelineTrack *track,
                gint64                  time)
{
  const CycTimelineSpans *spans = &timeline->spans;
  guint32 found = CYC_TIMELINE_NONE;

  for (guint32 i = 0; i < track->n_rows; i++)
    {
      const CycTimelineRow *row = &g_array_index (timeline->rows, CycTimelineRow, track->first_row + i);
      guint32 first = row->first, end = first + row->n;
      /* The last that begins at or before it. */
      guint32 next = time == G_MAXINT64 ? end : _cyc_timeline_find_start (spans, first, end, time + 1);
      guint32 at = next > first ? next - 1 : CYC_TIMELINE_NONE;
      while (at != CYC_TIMELINE_NONE && (spans->flags[at] & CYC_SPAN_INSTANT))
        at = at > first ? at - 1 : CYC_TIMELINE_NONE;
      if (at == CYC_TIMELINE_NONE || time > spans->start[at] + spans->duration[at])
        continue;
      /* Rows go from the outside in; what begins later is the nearer one between lanes. */
      if (found == CYC_TIMELINE_NONE || spans->start[at] >= spans->start[found])
        found = at;
    }
  return found;
}

/* The first span of a track that begins at or after a time; the outermost of several. */
static guint32
find_next (CycTimeline            *timeline,
           const CycTimelineTrack *track,
           gint64                  time)
{
  const CycTimelineSpans *spans = &timeline->spans;
  guint32 found = CYC_TIMELINE_NONE;

  for (guint32 i = 0; i < track->n_rows; i++)
    {
      const CycTimelineRow *row = &g_array_index (timeline->rows, CycTimelineRow, track->first_row + i);
      guint32 end = row->first + row->n, next = _cyc_timeline_find_start (spans, row->first, end, time);
      while (next < end && (spans->flags[next] & CYC_SPAN_INSTANT))
        next++;
      if (next == end)
        continue;
      if (found == CYC_TIMELINE_NONE || spans->start[next] < spans->start[found])
        found = next;
    }
  return found;
}

static int
compare_ends (gconstpointer pa,
              gconstpointer pb)
{
  const CycTimelineFlowEnd *a = pa, *b = pb;

  if (a->flow != b->flow)
    return a->flow < b->flow ? -1 : 1;
  if (a->time != b->time)
    return a->time < b->time ? -1 : 1;
  /* A beginning before steps before an end. */
  return (a->phase == 'f') - (b->phase == 'f') + (b->phase == 's') - (a->phase == 's');
}

static void
add_end (CycTimelineBuilder *self,
         const StagedFlow   *flow,
         const guint32      *final,
         CycTraceRepairs    *repairs)
{
  CycTimeline *timeline = self->timeline;
  const CycTimelineTrack *track = &g_array_index (timeline->tracks, CycTimelineTrack, flow->track);
  CycTimelineFlowEnd end = {
    .track = flow->track,
    .span = CYC_TIMELINE_NONE,
    .name = flow->name,
    .category = flow->category,
    .flow = flow->flow,
    .phase = flow->phase,
    .bound = flow->staged != CYC_TIMELINE_NONE,
    .members = flow->members,
  };

  if (!cyc_trace_time_get_offset (&flow->time, timeline->base_us, &end.time))
    {
      cyc_trace_repairs_add (repairs, CYC_REPAIR_FAR, flow->offset);
      return;
    }
  if (flow->staged != CYC_TIMELINE_NONE)
    end.span = final[flow->staged];
  else
    end.span = flow->enclosing ? find_enclosing (timeline, track, end.time) : find_next (timeline, track, end.time);
  if (end.span == CYC_TIMELINE_NONE)
    cyc_trace_repairs_add (repairs, CYC_REPAIR_FLOW, flow->offset);
  g_array_append_val (timeline->flow_ends, end);
}

/*< private >
 * _cyc_timeline_builder_make_flows:
 * @self: a builder whose rows are made
 * @final: (nullable): where each staged span went; there if a flow belongs to one
 * @repairs: where to note ends that bind to nothing
 */
void
_cyc_timeline_builder_make_flows (CycTimelineBuilder *self,
                                  const guint32      *final,
                                  CycTraceRepairs    *repairs)
{
  for (guint i = 0; i < self->flows->len; i++)
    add_end (self, &g_array_index (self->flows, StagedFlow, i), final, repairs);
  g_array_sort (self->timeline->flow_ends, compare_ends);
}
