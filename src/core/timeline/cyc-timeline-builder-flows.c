/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/base/cyc-radix-order.h"
#include "core/timeline/cyc-timeline-builder-private.h"

/* Arrows between spans: where their ends lie. Those of a track are looked for in order of time, all in one go, so that
 * neither many rows nor many ends are slow. */

/* The spans of a track that an end can bind to, in order of their beginnings, outer ones first. */
typedef struct
{
  const CycTimelineSpans *spans;
  guint32                *order;
  guint32                 n;
} Targets;

static void
targets_clear (Targets *self)
{
  g_free (self->order);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Targets, targets_clear)

/* Rows go from the outside in, and the sort is stable. */
static void
targets_init (Targets                *self,
              CycTimeline            *timeline,
              const CycTimelineTrack *track)
{
  const CycTimelineSpans *spans = &timeline->spans;
  const CycTimelineRow *rows = (const CycTimelineRow *) (gpointer) timeline->rows->data;
  guint32 n = 0;

  for (guint32 i = 0; i < track->n_rows; i++)
    n += rows[track->first_row + i].n;
  g_autofree guint64 *keys = g_new (guint64, n);
  *self = (Targets) { spans, g_new (guint32, n), 0 };
  for (guint32 i = 0; i < track->n_rows; i++)
    {
      const CycTimelineRow *row = &rows[track->first_row + i];
      for (guint32 span = row->first; span < row->first + row->n; span++)
        if (!(spans->flags[span] & CYC_SPAN_INSTANT))
          {
            keys[self->n] = cyc_radix_key (spans->start[span]);
            self->order[self->n++] = span;
          }
    }
  cyc_radix_sort (keys, self->n, self->order);
}

/* The first that begins at or after a time; the outermost of several. */
static guint32
find_next (const Targets *self,
           gint64         time)
{
  guint32 low = 0, high = self->n;

  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;
      if (self->spans->start[self->order[middle]] < time)
        low = middle + 1;
      else
        high = middle;
    }
  return low < self->n ? self->order[low] : CYC_TIMELINE_NONE;
}

/* Binds the ends of one track, which are in order of time. What goes around an end, its own ends included, and began
 * last is the nearest: it is on top of those that have begun. */
static void
bind_track (CycTimeline   *timeline,
            guint32        track,
            const guint32 *ends,
            guint          n,
            const guint8  *enclosing)
{
  g_auto (Targets) targets = { 0 };
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 next = 0;

  targets_init (&targets, timeline, &g_array_index (timeline->tracks, CycTimelineTrack, track));
  for (guint i = 0; i < n; i++)
    {
      CycTimelineFlowEnd *end = &g_array_index (timeline->flow_ends, CycTimelineFlowEnd, ends[i]);
      if (!enclosing[ends[i]])
        {
          end->span = find_next (&targets, end->time);
          continue;
        }
      for (; next < targets.n && targets.spans->start[targets.order[next]] <= end->time; next++)
        g_array_append_val (open, targets.order[next]);
      for (; open->len > 0; g_array_set_size (open, open->len - 1))
        {
          guint32 span = g_array_index (open, guint32, open->len - 1);
          if (targets.spans->start[span] + targets.spans->duration[span] < end->time)
            continue;
          end->span = span;
          break;
        }
    }
}

static int
compare_places (gconstpointer pa,
                gconstpointer pb,
                gpointer      user_data)
{
  const CycTimelineFlowEnd *ends = user_data;
  guint32 ia = *(const guint32 *) pa, ib = *(const guint32 *) pb;
  const CycTimelineFlowEnd *a = &ends[ia], *b = &ends[ib];

  if (a->track != b->track)
    return a->track < b->track ? -1 : 1;
  if (a->time != b->time)
    return a->time < b->time ? -1 : 1;
  return (ia > ib) - (ia < ib);
}

/* Finds the spans of the ends that do not say themselves whose they are. */
static void
bind (CycTimeline  *timeline,
      const guint8 *enclosing)
{
  g_autoptr (GArray) loose = g_array_new (FALSE, FALSE, sizeof (guint32));
  const CycTimelineFlowEnd *ends = (const CycTimelineFlowEnd *) (gpointer) timeline->flow_ends->data;

  for (guint32 i = 0; i < timeline->flow_ends->len; i++)
    if (!ends[i].bound)
      g_array_append_val (loose, i);
  g_array_sort_with_data (loose, compare_places, (gpointer) ends);
  for (guint i = 0, next; i < loose->len; i = next)
    {
      guint32 track = ends[g_array_index (loose, guint32, i)].track;
      for (next = i + 1; next < loose->len && ends[g_array_index (loose, guint32, next)].track == track; next++)
        ;
      bind_track (timeline, track, &g_array_index (loose, guint32, i), next - i, enclosing);
    }
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

static gboolean
add_end (CycTimelineBuilder *self,
         const StagedFlow   *flow,
         const guint32      *final,
         CycTraceRepairs    *repairs)
{
  CycTimeline *timeline = self->timeline;
  CycTimelineFlowEnd end = {
    .track = flow->track,
    .span = flow->staged != CYC_TIMELINE_NONE ? final[flow->staged] : CYC_TIMELINE_NONE,
    .name = flow->name,
    .category = flow->category,
    .flow = flow->flow,
    .phase = flow->phase,
    .bound = flow->staged != CYC_TIMELINE_NONE,
    .members = flow->members,
  };

  /* Of a span that is not in the part that was read. */
  if (end.bound && end.span == CYC_TIMELINE_NONE && self->is_part)
    return FALSE;
  if (!cyc_trace_time_get_offset (&flow->time, timeline->base_us, &end.time))
    {
      cyc_trace_repairs_add (repairs, CYC_REPAIR_FAR, flow->offset);
      return FALSE;
    }
  g_array_append_val (timeline->flow_ends, end);
  return TRUE;
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
  CycTimeline *timeline = self->timeline;
  g_autofree guint8 *enclosing = g_new (guint8, MAX (self->flows->len, 1));
  g_autofree guint64 *offsets = g_new (guint64, MAX (self->flows->len, 1));

  for (guint i = 0; i < self->flows->len; i++)
    {
      const StagedFlow *flow = &g_array_index (self->flows, StagedFlow, i);
      if (!add_end (self, flow, final, repairs))
        continue;
      enclosing[timeline->flow_ends->len - 1] = (guint8) flow->enclosing;
      offsets[timeline->flow_ends->len - 1] = flow->offset;
    }
  bind (timeline, enclosing);
  for (guint i = 0; i < timeline->flow_ends->len; i++)
    if (g_array_index (timeline->flow_ends, CycTimelineFlowEnd, i).span == CYC_TIMELINE_NONE)
      cyc_trace_repairs_add (repairs, CYC_REPAIR_FLOW, offsets[i]);
  g_array_sort (timeline->flow_ends, compare_ends);
}
