/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/timeline/cyc-timeline-summary-private.h"

/* What a core does at each moment: that of its open records which began last. Records of a core hardly ever overlap;
 * where they do, every moment counts once all the same. */

#define SPANS_A_LOOK 16384

/* The next span of a row. */
typedef struct
{
  guint32 at;
  guint32 end;
} Cursor;

typedef struct
{
  CycTimeline           *timeline;
  const CycTimelineArea *area;
  SummaryPieceFunc       func;
  gpointer               user_data;
  GArray                *stack; /* guint32: open spans, the last that began last; some may have ended */
  gint64                 done;  /* all before it is told */
} Walk;

static gint64
get_end (const Walk *self,
         guint32     span)
{
  const CycTimelineSpans *spans = cyc_timeline_get_spans (self->timeline);

  return spans->start[span] + spans->duration[span];
}

static void
tell (Walk    *self,
      guint32  span,
      gint64   to)
{
  gint64 from = MAX (self->done, self->area->from), until = MIN (to, self->area->to);

  if (until > from)
    self->func (self->user_data, span, from, until);
  self->done = MAX (self->done, to);
}

/* Up to a time, from where all is told. */
static void
advance (Walk   *self,
         gint64  time)
{
  while (self->stack->len > 0)
    {
      guint32 top = g_array_index (self->stack, guint32, self->stack->len - 1);
      gint64 end = get_end (self, top);
      if (end > self->done)
        tell (self, top, MIN (end, time));
      if (end > time)
        return;
      g_array_set_size (self->stack, self->stack->len - 1);
    }
  self->done = time;
}

/* The row whose next span begins first, the longer and outer one of several; NULL if there is none. */
static Cursor *
find_next (Walk   *self,
           Cursor *cursors,
           guint32 n)
{
  const CycTimelineSpans *spans = cyc_timeline_get_spans (self->timeline);
  Cursor *found = NULL;

  for (guint32 i = 0; i < n; i++)
    {
      Cursor *cursor = &cursors[i];
      if (cursor->at == cursor->end)
        continue;
      if (found == NULL || spans->start[cursor->at] < spans->start[found->at]
          || (spans->start[cursor->at] == spans->start[found->at]
              && spans->duration[cursor->at] > spans->duration[found->at]))
        found = cursor;
    }
  return found;
}

/*< private >
 * _cyc_summary_walk:
 * @timeline: a timeline
 * @track: one of its tracks
 * @area: the part that counts
 * @func: told of each piece, in order of time
 * @user_data: for @func
 * @cancellable: (nullable): looked at now and then
 * @error: return location for an error
 *
 * Returns: %FALSE if cancelled
 */
gboolean
_cyc_summary_walk (CycTimeline            *timeline,
                   guint32                 track,
                   const CycTimelineArea  *area,
                   SummaryPieceFunc        func,
                   gpointer                user_data,
                   GCancellable           *cancellable,
                   GError                **error)
{
  guint n;
  const CycTimelineTrack *place = &cyc_timeline_get_tracks (timeline, &n)[track];
  const CycTimelineRow *rows = cyc_timeline_get_rows (timeline, &n) + place->first_row;
  const CycTimelineSpans *spans = cyc_timeline_get_spans (timeline);
  g_autofree Cursor *cursors = g_new (Cursor, MAX (place->n_rows, 1));
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (guint32));
  Walk self = { timeline, area, func, user_data, stack, G_MININT64 };
  guint32 count = 0;
  Cursor *next;

  for (guint32 i = 0; i < place->n_rows; i++)
    cyc_timeline_find_spans (timeline, &rows[i], area, &cursors[i].at, &cursors[i].end);
  while ((next = find_next (&self, cursors, place->n_rows)) != NULL)
    {
      if (count++ % SPANS_A_LOOK == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      advance (&self, spans->start[next->at]);
      g_array_append_val (stack, next->at);
      next->at++;
    }
  advance (&self, G_MAXINT64);
  return TRUE;
}
