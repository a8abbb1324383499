/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "widgets/cyc-timeline-view-private.h"

/* Ways through a timeline: to a range, a span, a track, a hit. */

/**
 * cyc_timeline_view_zoom_to:
 * @self: a view
 * @from: where what is to be seen begins
 * @to: where it ends
 */
void
cyc_timeline_view_zoom_to (CycTimelineView *self,
                           gint64           from,
                           gint64           to)
{
  g_return_if_fail (CYC_IS_TIMELINE_VIEW (self));

  if (self->state != NULL)
    cyc_view_state_set_range (self->state, from, to);
}

/* The selected range, else the selected span. */
gboolean
_cyc_timeline_view_get_selected (CycTimelineView *self,
                                 gint64          *from,
                                 gint64          *to)
{
  guint32 span = cyc_view_state_get_span (self->state);

  if (cyc_view_state_get_selected_range (self->state, from, to))
    return TRUE;
  if (span == CYC_TIMELINE_NONE)
    return FALSE;
  const CycTimelineSpans *spans = cyc_timeline_get_spans (cyc_view_state_get_timeline (self->state));
  *from = spans->start[span];
  *to = *from + spans->duration[span];
  return TRUE;
}

/**
 * cyc_timeline_view_fit_selection:
 * @self: a view
 *
 * The selected range or span fills most of the view; once more, and it fills all of it.
 */
void
cyc_timeline_view_fit_selection (CycTimelineView *self)
{
  g_return_if_fail (CYC_IS_TIMELINE_VIEW (self));

  gint64 from, to, seen_from, seen_to;
  if (self->state == NULL || !_cyc_timeline_view_get_selected (self, &from, &to))
    return;
  gint64 margin = (to - from) / 4;
  cyc_view_state_get_range (self->state, &seen_from, &seen_to);
  if (seen_from <= from && seen_to >= to && (double) (seen_to - seen_from) <= 1.6 * (double) (to - from))
    margin = 0;
  cyc_view_state_set_range (self->state, from - margin, to + margin);
}

/* The node of the track that a span is on. */
guint32
_cyc_timeline_view_get_node (CycTimelineView *self,
                             guint32          span)
{
  CycTimeline *timeline = cyc_view_state_get_timeline (self->state);
  guint n;
  guint32 track = cyc_timeline_get_rows (timeline, &n)[cyc_timeline_find_row (timeline, span)].track;

  return cyc_track_tree_find_track (cyc_view_state_get_tree (self->state), track);
}

/* Brings a span into view: its time, and its row. */
static void
show_span (CycTimelineView *self,
           guint32          span)
{
  CycTimeline *timeline = cyc_view_state_get_timeline (self->state);
  const CycTimelineSpans *spans = cyc_timeline_get_spans (timeline);
  gint64 from, to, start = spans->start[span], end = start + spans->duration[span];
  CycSceneFrame frame;
  CycSceneRect rect;
  guint n;

  guint32 node = _cyc_timeline_view_get_node (self, span);

  cyc_view_state_reveal_node (self->state, node);
  cyc_view_state_get_range (self->state, &from, &to);
  /* One that is seen in part is near enough. */
  if (end <= from || start >= to || (start < from && end > to && spans->duration[span] == 0))
    {
      double length = (double) to - (double) from, middle = (double) spans->duration[span] / 2;
      cyc_view_state_set_range (self->state, start + (gint64) (middle - length / 2),
                                start + (gint64) (middle + length / 2));
    }
  if (_cyc_timeline_view_get_scene (self) == NULL)
    return;
  _cyc_timeline_view_get_frame (self, &frame);
  guint32 strip = cyc_timeline_scene_find_node (self->scene, node);
  if (strip != CYC_TIMELINE_NONE && !cyc_timeline_scene_get_strips (self->scene, &n)[strip].pinned
      && cyc_timeline_scene_get_span_rect (self->scene, &frame, span, &rect))
    _cyc_timeline_view_scroll_to (self, rect.y - frame.pinned + frame.scroll, rect.height);
}

/**
 * cyc_timeline_view_go_to_span:
 * @self: a view
 * @span: a span, which is selected and brought into view
 */
void
cyc_timeline_view_go_to_span (CycTimelineView *self,
                              guint32          span)
{
  g_return_if_fail (CYC_IS_TIMELINE_VIEW (self));

  if (self->state == NULL || span >= cyc_timeline_get_spans (cyc_view_state_get_timeline (self->state))->n)
    return;
  cyc_view_state_set_span (self->state, span);
  show_span (self, span);
}

/**
 * cyc_timeline_view_go_to_track:
 * @self: a view
 * @track: index of a track, which is brought into view
 */
void
cyc_timeline_view_go_to_track (CycTimelineView *self,
                               guint32          track)
{
  g_return_if_fail (CYC_IS_TIMELINE_VIEW (self));

  guint n;
  if (self->state == NULL)
    return;
  guint32 node = cyc_track_tree_find_track (cyc_view_state_get_tree (self->state), track);
  cyc_view_state_reveal_node (self->state, node);
  if (_cyc_timeline_view_get_scene (self) == NULL)
    return;
  guint32 number = cyc_timeline_scene_find_node (self->scene, node);
  const CycTimelineStrip *strip = &cyc_timeline_scene_get_strips (self->scene, &n)[number];
  if (!strip->pinned)
    _cyc_timeline_view_scroll_to (self, strip->y, strip->height);
}

/**
 * cyc_timeline_view_select_next:
 * @self: a view
 * @steps: how many spans further on the row; below 0 for before; as many as there are at most
 *
 * Without a selected span, the first one that is seen is selected.
 *
 * Returns: whether there is one; it is selected and brought into view
 */
gboolean
cyc_timeline_view_select_next (CycTimelineView *self,
                               int              steps)
{
  g_return_val_if_fail (CYC_IS_TIMELINE_VIEW (self), FALSE);

  guint n;
  if (_cyc_timeline_view_get_scene (self) == NULL)
    return FALSE;
  CycTimeline *timeline = cyc_view_state_get_timeline (self->state);
  guint32 span = cyc_view_state_get_span (self->state);
  if (span == CYC_TIMELINE_NONE)
    return _cyc_timeline_view_select_row (self, 1);
  const CycTimelineRow *row = &cyc_timeline_get_rows (timeline, &n)[cyc_timeline_find_row (timeline, span)];
  gint64 wanted = CLAMP ((gint64) span + steps, row->first, (gint64) row->first + row->n - 1);
  if (wanted == span)
    return FALSE;
  cyc_timeline_view_go_to_span (self, (guint32) wanted);
  return TRUE;
}

/* The span of a row that is nearest to a time. */
static guint32
find_nearest (CycTimeline          *timeline,
              const CycTimelineRow *row,
              gint64                time)
{
  const CycTimelineSpans *spans = cyc_timeline_get_spans (timeline);
  guint32 low = row->first, high = row->first + row->n;

  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;
      if (spans->start[middle] <= time)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == row->first)
    return low;
  if (low == row->first + row->n)
    return low - 1;
  gint64 end = spans->start[low - 1] + spans->duration[low - 1];
  return time < end || time - end <= spans->start[low] - time ? low - 1 : low;
}

/* Selects the span at the same time on the next row that is shown; without a selection the first one in view. */
gboolean
_cyc_timeline_view_select_row (CycTimelineView *self,
                               int              steps)
{
  CycTimeline *timeline = cyc_view_state_get_timeline (self->state);
  const CycTimelineSpans *spans = cyc_timeline_get_spans (timeline);
  guint n, n_strips, n_tracks;
  const CycTimelineRow *rows = cyc_timeline_get_rows (timeline, &n);
  const CycTimelineTrack *tracks = cyc_timeline_get_tracks (timeline, &n_tracks);
  guint32 span = cyc_view_state_get_span (self->state);
  const CycTimelineStrip *strips = cyc_timeline_scene_get_strips (self->scene, &n_strips);
  CycSceneFrame frame;
  gint64 time, end;
  int strip, row = -1;

  _cyc_timeline_view_get_frame (self, &frame);
  if (span != CYC_TIMELINE_NONE)
    {
      guint32 number = cyc_timeline_find_row (timeline, span);
      strip = (int) cyc_timeline_scene_find_node (self->scene, _cyc_timeline_view_get_node (self, span));
      row = (int) (number - tracks[rows[number].track].first_row) + steps;
      time = spans->start[span] + spans->duration[span] / 2;
    }
  else
    {
      guint32 first = cyc_timeline_scene_find_strip (self->scene, &frame, frame.pinned + 1);
      strip = first != CYC_TIMELINE_NONE ? (int) first : 0;
      row = 0;
      cyc_view_state_get_range (self->state, &time, &end);
    }
  for (; strip >= 0 && strip < (int) n_strips; strip += steps > 0 ? 1 : -1)
    {
      const CycTimelineTrack *track = strips[strip].track != CYC_TIMELINE_NONE ? &tracks[strips[strip].track] : NULL;
      int n_rows = track != NULL && strips[strip].kind == CYC_STRIP_SPANS ? (int) track->n_rows : 0;
      if (row == G_MAXINT)
        row = n_rows - 1;
      if (row >= 0 && row < n_rows)
        {
          cyc_timeline_view_go_to_span (self, find_nearest (timeline, &rows[track->first_row + (guint) row], time));
          return TRUE;
        }
      row = steps > 0 ? 0 : G_MAXINT;
    }
  return FALSE;
}

/**
 * cyc_timeline_view_go_to_hit:
 * @self: a view
 * @steps: 1 for the next one after what is selected, or after the beginning of what is seen; -1 for the one before
 *
 * Selects a span that was found and brings it into view; after the last one comes the first.
 *
 * Returns: its number, or CYC_TIMELINE_NO_HIT if there is none
 */
guint32
cyc_timeline_view_go_to_hit (CycTimelineView *self,
                             int              steps)
{
  g_return_val_if_fail (CYC_IS_TIMELINE_VIEW (self), CYC_TIMELINE_NO_HIT);

  guint32 n = self->hits != NULL ? cyc_timeline_hits_get_n (self->hits) : 0;
  CycTimelineHit hit;
  gint64 from, to;
  if (self->state == NULL || n == 0)
    return CYC_TIMELINE_NO_HIT;
  guint32 span = cyc_view_state_get_span (self->state);
  guint32 number = span != CYC_TIMELINE_NONE ? cyc_timeline_hits_find (self->hits, span) : CYC_TIMELINE_NO_HIT;
  if (number != CYC_TIMELINE_NO_HIT)
    number = steps > 0 ? (number + 1) % n : (number + n - 1) % n;
  else
    {
      cyc_view_state_get_range (self->state, &from, &to);
      if (span != CYC_TIMELINE_NONE)
        from = cyc_timeline_get_spans (cyc_view_state_get_timeline (self->state))->start[span];
      number = steps > 0 ? cyc_timeline_hits_find_next (self->hits, from)
                         : cyc_timeline_hits_find_previous (self->hits, from);
      if (number == CYC_TIMELINE_NO_HIT)
        number = steps > 0 ? 0 : n - 1;
    }
  cyc_timeline_hits_get (self->hits, number, &hit);
  cyc_timeline_view_go_to_span (self, hit.span);
  return number;
}
