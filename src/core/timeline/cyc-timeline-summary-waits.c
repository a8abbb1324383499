/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/base/cyc-radix-order.h"
#include "core/timeline/cyc-timeline-summary-private.h"

/* The longest waits, and what ended them. A buffer does not say which event a wait is for, but times tell: a wait
 * ends when another core triggers the event, and that trigger's record lies around the moment. */

/* So many records of one kind are looked at before the end of a wait. */
#define MAX_TRIED 4096

typedef struct
{
  guint32 span;
  guint32 track;
  gint64  time; /* of a trigger its beginning, of others their end */
} Candidate;

typedef struct
{
  CycTimelineSummary    *summary;
  const CycTimelineArea *area;
  guint                  n_waits;
  GArray                *waits;    /* guint32: the longest so far, as a heap with the shortest first */
  GArray                *triggers; /* of Candidate, by time */
  GArray                *ends;
} Finder;

static gint64
get_duration (const Finder *self,
              guint32       span)
{
  return cyc_timeline_get_spans (self->summary->timeline)->duration[span];
}

/* Whether @a is to stand behind @b: shorter, or as long and later. */
static gboolean
is_less (const Finder *self,
         guint32       a,
         guint32       b)
{
  gint64 duration_a = get_duration (self, a), duration_b = get_duration (self, b);

  return duration_a != duration_b ? duration_a < duration_b : a > b;
}

static void
sift_down (Finder *self)
{
  guint32 *heap = (guint32 *) (gpointer) self->waits->data;
  guint n = self->waits->len, at = 0;

  for (;;)
    {
      guint least = at;
      for (guint child = 2 * at + 1; child <= 2 * at + 2 && child < n; child++)
        if (is_less (self, heap[child], heap[least]))
          least = child;
      if (least == at)
        return;
      guint32 swap = heap[at];
      heap[at] = heap[least];
      heap[least] = swap;
      at = least;
    }
}

static void
sift_up (Finder *self)
{
  guint32 *heap = (guint32 *) (gpointer) self->waits->data;
  guint at = self->waits->len - 1;

  while (at > 0 && is_less (self, heap[at], heap[(at - 1) / 2]))
    {
      guint32 swap = heap[at];
      heap[at] = heap[(at - 1) / 2];
      heap[(at - 1) / 2] = swap;
      at = (at - 1) / 2;
    }
}

static void
add_wait (Finder  *self,
          guint32  span)
{
  if (self->waits->len < self->n_waits)
    {
      g_array_append_val (self->waits, span);
      sift_up (self);
    }
  else if (self->waits->len > 0 && is_less (self, g_array_index (self->waits, guint32, 0), span))
    {
      g_array_index (self->waits, guint32, 0) = span;
      sift_down (self);
    }
}

/* The order in which people read them. */
static int
compare_waits (gconstpointer pa,
               gconstpointer pb,
               gpointer      user_data)
{
  guint32 a = *(const guint32 *) pa, b = *(const guint32 *) pb;

  return a == b ? 0 : is_less (user_data, a, b) ? 1 : -1;
}

/* Waits from all cores of the area, and from all cores whatever ends them. */
static gboolean
collect (Finder        *self,
         GCancellable  *cancellable,
         GError       **error)
{
  CycTimeline *timeline = self->summary->timeline;
  const CycTimelineSpans *spans = cyc_timeline_get_spans (timeline);
  const CycTimelineTasks *tasks = cyc_timeline_get_tasks (timeline);
  guint n;
  const CycTimelineRow *rows = cyc_timeline_get_rows (timeline, &n);

  for (guint r = 0; r < n; r++)
    {
      guint32 track = rows[r].track, first, end;
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      cyc_timeline_find_spans (timeline, &rows[r], self->area, &first, &end);
      for (guint32 i = rows[r].first; i < rows[r].first + rows[r].n; i++)
        {
          CycTaskState state = cyc_task_get_state (tasks->desc[i]);
          Candidate candidate = { i, track, spans->start[i] };
          if (state == CYC_TASK_WAIT)
            {
              if (i >= first && i < end && cyc_timeline_area_has_track (self->area, track))
                add_wait (self, i);
              continue;
            }
          if (state == CYC_TASK_TRIGGER)
            {
              g_array_append_val (self->triggers, candidate);
              continue;
            }
          candidate.time += spans->duration[i];
          g_array_append_val (self->ends, candidate);
        }
    }
  return TRUE;
}

static GArray *
sort_candidates (GArray *candidates)
{
  GArray *sorted = g_array_sized_new (FALSE, FALSE, sizeof (Candidate), candidates->len);
  g_autofree guint64 *keys = g_new (guint64, MAX (candidates->len, 1));
  g_autofree guint32 *order = g_new (guint32, MAX (candidates->len, 1));

  for (guint i = 0; i < candidates->len; i++)
    keys[i] = cyc_radix_key (g_array_index (candidates, Candidate, i).time);
  cyc_radix_order (keys, sizeof *keys, candidates->len, order);
  for (guint i = 0; i < candidates->len; i++)
    g_array_append_val (sorted, g_array_index (candidates, Candidate, order[i]));
  g_array_unref (candidates);
  return sorted;
}

/* The last at or before the end of a wait, on another core, that goes on after its beginning. */
static guint32
find_last (Finder  *self,
           GArray  *candidates,
           guint32  wait,
           guint32  track)
{
  const CycTimelineSpans *spans = cyc_timeline_get_spans (self->summary->timeline);
  gint64 begin = spans->start[wait], end = begin + spans->duration[wait];
  guint low = 0, high = candidates->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      if (g_array_index (candidates, Candidate, middle).time <= end)
        low = middle + 1;
      else
        high = middle;
    }
  for (guint tried = 0; low > 0 && tried < MAX_TRIED; tried++)
    {
      const Candidate *candidate = &g_array_index (candidates, Candidate, --low);
      if (candidate->track != track && spans->start[candidate->span] + spans->duration[candidate->span] > begin)
        return candidate->span;
      /* Ends go on before the wait began; a trigger that began long before may still have gone on. */
      if (candidates == self->ends && candidate->time <= begin)
        break;
    }
  return CYC_TIMELINE_NONE;
}

static void
explain (Finder  *self,
         guint32  span)
{
  CycTimeline *timeline = self->summary->timeline;
  guint n;
  guint32 track = cyc_timeline_get_rows (timeline, &n)[cyc_timeline_find_row (timeline, span)].track;
  CycSummaryWait wait = { span, find_last (self, self->triggers, span, track), TRUE };

  if (wait.ended_by == CYC_TIMELINE_NONE)
    {
      wait.ended_by = find_last (self, self->ends, span, track);
      wait.by_trigger = FALSE;
    }
  g_array_append_val (self->summary->waits, wait);
}

/*< private >
 * _cyc_summary_add_waits:
 * @self: a summary
 * @area: the part that counts
 * @n_waits: how many of the longest waits
 * @cancellable: (nullable): looked at now and then
 * @error: return location for an error
 *
 * Returns: %FALSE if cancelled
 */
gboolean
_cyc_summary_add_waits (CycTimelineSummary     *self,
                        const CycTimelineArea  *area,
                        guint                   n_waits,
                        GCancellable           *cancellable,
                        GError                **error)
{
  Finder finder = { self, area, n_waits, g_array_new (FALSE, FALSE, sizeof (guint32)),
                    g_array_new (FALSE, FALSE, sizeof (Candidate)), g_array_new (FALSE, FALSE, sizeof (Candidate)) };
  gboolean ok = collect (&finder, cancellable, error);

  if (ok)
    {
      finder.triggers = sort_candidates (finder.triggers);
      finder.ends = sort_candidates (finder.ends);
      g_array_sort_with_data (finder.waits, compare_waits, &finder);
      for (guint i = 0; i < finder.waits->len; i++)
        explain (&finder, g_array_index (finder.waits, guint32, i));
    }
  g_array_unref (finder.waits);
  g_array_unref (finder.triggers);
  g_array_unref (finder.ends);
  return ok;
}
