/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/timeline/cyc-timeline-query-private.h"

/* Self times on tracks whose spans overlap without one lying in the other.
 *
 * At any moment a span has its time to itself if none that lies inside of it is open. Those for which that holds, the
 * front, end in the order in which they began: of two that are open the one that began first and ends last holds the
 * other. So a beginning covers a piece at the end of the front, which waits behind it, and an end gives back those
 * that no other of the front covers. */

#define SPANS_A_LOOK 4096

typedef struct
{
  gint64  start;
  gint64  end;
  guint32 span;
  guint32 next;    /* of those that wait behind the same, or NONE */
  guint32 waiting; /* the first that waits behind this, which ends first */
  gint64  since;   /* when it came to the front */
} Open;

typedef struct
{
  Query     *query;
  QuerySums *sums;
  guint32    track;
  GArray    *opens; /* of Open, all spans of the area in order */
  GArray    *front; /* guint32: indexes of opens; those before head have ended */
  GArray    *back;  /* guint32: what comes back to it */
  guint      head;
} Sweep;

static Open *
get_open (Sweep   *self,
          guint32  i)
{
  return &g_array_index (self->opens, Open, i);
}

static int
compare_opens (gconstpointer pa,
               gconstpointer pb)
{
  const Open *a = pa, *b = pb;

  if (a->start != b->start)
    return a->start < b->start ? -1 : 1;
  if (a->end != b->end)
    return a->end > b->end ? -1 : 1;
  /* Rows go from the outside in. */
  return (a->span > b->span) - (a->span < b->span);
}

static void
collect (Sweep                  *self,
         const CycTimelineTrack *track)
{
  Query *query = self->query;
  const CycTimelineSpans *spans = cyc_timeline_get_spans (query->timeline);
  guint n;
  const CycTimelineRow *rows = cyc_timeline_get_rows (query->timeline, &n) + track->first_row;

  for (guint32 r = 0; r < track->n_rows; r++)
    {
      guint32 first, end;
      cyc_timeline_find_spans (query->timeline, &rows[r], query->area, &first, &end);
      for (guint32 i = first; i < end; i++)
        {
          Open open = { spans->start[i], spans->start[i] + spans->duration[i], i, CYC_TIMELINE_NONE,
                        CYC_TIMELINE_NONE, 0 };
          if (!(spans->flags[i] & CYC_SPAN_INSTANT) && spans->duration[i] > 0)
            g_array_append_val (self->opens, open);
        }
    }
  g_array_sort (self->opens, compare_opens);
}

/* A span leaves the front. */
static void
leave (Sweep *self,
       Open  *open,
       gint64 time)
{
  const CycTimelineArea *area = self->query->area;
  gint64 from = MAX (open->since, area->from), to = MIN (time, area->to);

  if (to > from)
    self->sums[_cyc_query_get_group (self->query, open->span, self->track)].self += to - from;
}

/* Two lists of what waits, each by its end, as one; of two that end together the inner one goes first. */
static guint32
merge (Sweep   *self,
       guint32  a,
       guint32  b)
{
  guint32 first = CYC_TIMELINE_NONE, *last = &first;

  while (a != CYC_TIMELINE_NONE && b != CYC_TIMELINE_NONE)
    {
      gint64 end_a = get_open (self, a)->end, end_b = get_open (self, b)->end;
      guint32 *next = end_a < end_b || (end_a == end_b && a > b) ? &a : &b;
      *last = *next;
      last = &get_open (self, *next)->next;
      *next = *last;
    }
  *last = a != CYC_TIMELINE_NONE ? a : b;
  return first;
}

static void
begin (Sweep   *self,
       guint32  i)
{
  Open *open = get_open (self, i);

  open->since = open->start;
  while (self->front->len > self->head)
    {
      guint32 covered = g_array_index (self->front, guint32, self->front->len - 1);
      if (get_open (self, covered)->end < open->end)
        break;
      leave (self, get_open (self, covered), open->start);
      get_open (self, covered)->next = open->waiting;
      open->waiting = covered;
      g_array_set_size (self->front, self->front->len - 1);
    }
  g_array_append_val (self->front, i);
}

/* Puts spans before the head of the front. */
static void
put_back (Sweep  *self,
          GArray *back)
{
  if (back->len <= self->head)
    {
      self->head -= back->len;
      for (guint i = 0; i < back->len; i++)
        g_array_index (self->front, guint32, self->head + i) = g_array_index (back, guint32, i);
      return;
    }
  g_array_remove_range (self->front, 0, self->head);
  g_array_prepend_vals (self->front, back->data, back->len);
  self->head = 0;
}

/* The head of the front ends. What waited behind it comes to the front, or goes on waiting behind what it holds. */
static void
end_head (Sweep *self)
{
  Open *open = get_open (self, g_array_index (self->front, guint32, self->head++));
  guint32 waiting = open->waiting, inner = CYC_TIMELINE_NONE;
  guint32 next = self->head < self->front->len ? g_array_index (self->front, guint32, self->head) : CYC_TIMELINE_NONE;

  leave (self, open, open->end);
  g_array_set_size (self->back, 0);
  while (waiting != CYC_TIMELINE_NONE
         && (next == CYC_TIMELINE_NONE || get_open (self, waiting)->end < get_open (self, next)->end))
    {
      guint32 i = waiting;
      Open *outer = get_open (self, i);
      waiting = outer->next;
      outer->next = CYC_TIMELINE_NONE;
      if (inner != CYC_TIMELINE_NONE && get_open (self, inner)->start >= outer->start)
        {
          get_open (self, inner)->waiting = merge (self, get_open (self, inner)->waiting, i);
          continue;
        }
      outer->since = open->end;
      g_array_append_val (self->back, i);
      inner = i;
    }
  if (next != CYC_TIMELINE_NONE)
    get_open (self, next)->waiting = merge (self, get_open (self, next)->waiting, waiting);
  put_back (self, self->back);
}

static void
sweep (Sweep                  *self,
       const CycTimelineTrack *track)
{
  collect (self, track);
  for (guint32 i = 0; i < self->opens->len; i++)
    {
      if (i % SPANS_A_LOOK == 0 && g_cancellable_is_cancelled (self->query->cancellable))
        return;
      while (self->head < self->front->len
             && get_open (self, g_array_index (self->front, guint32, self->head))->end <= get_open (self, i)->start)
        end_head (self);
      begin (self, i);
    }
  while (self->head < self->front->len)
    end_head (self);
}

/*< private >
 * _cyc_query_add_self:
 * @query: a query whose sums are there
 * @thread: which of its threads this is
 *
 * Self times of the tracks whose lanes overlap.
 */
void
_cyc_query_add_self (Query *query,
                     guint  thread)
{
  guint n;
  const CycTimelineTrack *tracks = cyc_timeline_get_tracks (query->timeline, &n);

  for (guint i = thread; i < query->overlapped->len; i += query->n_threads)
    {
      guint32 track = g_array_index (query->overlapped, guint32, i);
      g_autoptr (GArray) opens = g_array_new (FALSE, FALSE, sizeof (Open));
      g_autoptr (GArray) front = g_array_new (FALSE, FALSE, sizeof (guint32));
      g_autoptr (GArray) back = g_array_new (FALSE, FALSE, sizeof (guint32));
      Sweep self = { query, query->sums[thread], track, opens, front, back, 0 };
      sweep (&self, &tracks[track]);
    }
}
