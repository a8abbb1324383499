/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "core/timeline/cyc-timeline-query-private.h"

/* The passes of a query over the columns, each on up to two threads. What a thread adds up is whole numbers, so that
 * it does not matter who adds what. */

#define SEGMENT_SPANS 65536
/* Below so many spans a second thread costs more than it brings. */
#define MIN_THREAD_SPANS 200000
#define MIN_DIGIT_BITS 4
/* Counts of so many bits fit the stack, and the nearer cache. */
#define MAX_DIGIT_BITS 13

typedef struct
{
  Query     *query;
  QueryWork  work;
  guint      thread;
} Job;

static gpointer
run_job (gpointer data)
{
  Job *job = data;

  job->work (job->query, job->thread);
  return NULL;
}

/*< private >
 * _cyc_query_run:
 * @query: a query
 * @work: what to do, for each thread
 *
 * Returns: %FALSE if cancelled
 */
gboolean
_cyc_query_run (Query     *query,
                QueryWork  work)
{
  Job jobs[CYC_QUERY_MAX_THREADS];
  GThread *threads[CYC_QUERY_MAX_THREADS] = { NULL };

  for (guint i = 1; i < query->n_threads; i++)
    {
      jobs[i] = (Job) { query, work, i };
      threads[i] = g_thread_new ("cyc-query", run_job, &jobs[i]);
    }
  work (query, 0);
  for (guint i = 1; i < query->n_threads; i++)
    g_thread_join (threads[i]);
  return !g_cancellable_is_cancelled (query->cancellable);
}

static void
add_segments (Query                  *query,
              const CycTimelineRow   *row,
              const CycTimelineTrack *track)
{
  guint32 first, end;

  cyc_timeline_find_spans (query->timeline, row, query->area, &first, &end);
  while (first < end)
    {
      guint32 stop = end - first > SEGMENT_SPANS ? first + SEGMENT_SPANS : end;
      QuerySegment segment = { first, stop, row->track, track->n_overlaps == 0 };
      g_array_append_val (query->segments, segment);
      first = stop;
    }
}

/* Each thread gets about as many spans as the others. */
static void
share_segments (Query *query,
                gsize  total)
{
  gsize done = 0;
  guint thread = 0;

  if (total < MIN_THREAD_SPANS)
    query->n_threads = 1;
  for (guint i = 0; i < query->segments->len; i++)
    {
      const QuerySegment *segment = &g_array_index (query->segments, QuerySegment, i);
      done += segment->end - segment->first;
      if (thread + 1 < query->n_threads && done >= total * (thread + 1) / query->n_threads)
        query->part_end[thread++] = i + 1;
    }
  for (; thread < CYC_QUERY_MAX_THREADS; thread++)
    query->part_end[thread] = query->segments->len;
}

/*< private >
 * _cyc_query_plan:
 * @query: a query whose area is set
 *
 * Finds the spans of the area and who works on which.
 */
void
_cyc_query_plan (Query *query)
{
  guint n_rows, n_tracks;
  const CycTimelineRow *rows = cyc_timeline_get_rows (query->timeline, &n_rows);
  const CycTimelineTrack *tracks = cyc_timeline_get_tracks (query->timeline, &n_tracks);
  gsize total = 0;

  /* No part of anything lies where there is no time. */
  if (query->area->from >= query->area->to)
    n_tracks = 0;
  for (guint i = 0; i < n_tracks; i++)
    {
      if (!cyc_timeline_area_has_track (query->area, i))
        continue;
      if (tracks[i].n_overlaps > 0)
        g_array_append_val (query->overlapped, i);
      for (guint32 k = 0; k < tracks[i].n_rows; k++)
        add_segments (query, &rows[tracks[i].first_row + k], &tracks[i]);
    }
  for (guint i = 0; i < query->segments->len; i++)
    total += g_array_index (query->segments, QuerySegment, i).end
             - g_array_index (query->segments, QuerySegment, i).first;
  share_segments (query, total);
}

static guint
get_part_start (const Query *query,
                guint        thread)
{
  return thread == 0 ? 0 : query->part_end[thread - 1];
}

/* Sums */

static inline void
add_part (QuerySums *sums,
          gint64     part)
{
  sums->count++;
  sums->sum += part;
  sums->min = MIN (sums->min, part);
  sums->max = MAX (sums->max, part);
}

/* The spans of a segment, of which only the outer ones can stick out of the area, since spans of a row do not
 * overlap. */
static void
add_segment (Query              *query,
             QuerySums          *sums,
             const QuerySegment *segment)
{
  const CycTimelineSpans *spans = cyc_timeline_get_spans (query->timeline);
  const gint64 *durations = spans->duration;
  const guint32 *parents = spans->parent;
  const guint8 *flags = spans->flags;

  for (guint32 i = segment->first; i < segment->end; i++)
    {
      if (flags[i] & CYC_SPAN_INSTANT)
        continue;
      gboolean inner = i > segment->first && i + 1 < segment->end;
      gint64 part = inner ? durations[i] : _cyc_query_clip (spans, i, query->area);
      QuerySums *own = &sums[_cyc_query_get_group (query, i, segment->track)];
      add_part (own, part);
      if (!segment->self)
        continue;
      own->self += part;
      if (parents[i] != CYC_TIMELINE_NONE)
        sums[_cyc_query_get_group (query, parents[i], segment->track)].self -= part;
    }
}

/*< private >
 * _cyc_query_add_sums:
 * @query: a query
 * @thread: which of its threads this is
 *
 * Count, sum, least, most, and self where spans only nest.
 */
void
_cyc_query_add_sums (Query *query,
                     guint  thread)
{
  QuerySums *sums = query->sums[thread];

  for (guint32 i = 0; i < query->n_groups; i++)
    sums[i] = (QuerySums) { 0, 0, G_MAXINT64, G_MININT64, 0 };
  for (guint i = get_part_start (query, thread); i < query->part_end[thread]; i++)
    {
      if (g_cancellable_is_cancelled (query->cancellable))
        return;
      add_segment (query, sums, &g_array_index (query->segments, QuerySegment, i));
    }
}

/*< private >
 * _cyc_query_collect:
 * @query: a query whose places for durations are known
 * @thread: which of its threads this is
 *
 * Durations, group by group.
 */
void
_cyc_query_collect (Query *query,
                    guint  thread)
{
  const CycTimelineSpans *spans = cyc_timeline_get_spans (query->timeline);
  gsize *next = query->next[thread];

  for (guint s = get_part_start (query, thread); s < query->part_end[thread]; s++)
    {
      const QuerySegment *segment = &g_array_index (query->segments, QuerySegment, s);
      if (g_cancellable_is_cancelled (query->cancellable))
        return;
      for (guint32 i = segment->first; i < segment->end; i++)
        {
          if (spans->flags[i] & CYC_SPAN_INSTANT)
            continue;
          gboolean inner = i > segment->first && i + 1 < segment->end;
          query->values[next[_cyc_query_get_group (query, i, segment->track)]++] =
            inner ? spans->duration[i] : _cyc_query_clip (spans, i, query->area);
        }
    }
}

/* Medians */

static guint
get_bits (guint64 value)
{
  return value == 0 ? 0 : 64 - (guint) __builtin_clzll (value);
}

/* The bin in which the k-th value lies; @k becomes its place in there. */
static guint32
find_bin (const guint32 *counts,
          gsize         *k)
{
  guint32 bin = 0;

  while (*k >= counts[bin])
    *k -= counts[bin++];
  return bin;
}

/*< private >
 * _cyc_query_select_value:
 * @values: (array length=n): values, of which not all are left after
 * @n: how many
 * @k: how many smaller ones stand before what is wanted when they are in order
 * @min: the least
 * @max: the largest
 *
 * Each turn looks at the next bits of those that are left, so that no order of them makes it slow.
 *
 * Returns: the value
 */
gint64
_cyc_query_select_value (gint64 *values,
                         gsize   n,
                         gsize   k,
                         gint64  min,
                         gint64  max)
{
  guint32 counts[1u << MAX_DIGIT_BITS];

  for (;;)
    {
      guint bits = get_bits ((guint64) max - (guint64) min);
      guint digit = CLAMP (get_bits (n) > 3 ? get_bits (n) - 3 : 0, MIN_DIGIT_BITS, MAX_DIGIT_BITS);
      guint shift = bits > digit ? bits - digit : 0;
      if (bits == 0)
        return min;
      memset (counts, 0, sizeof *counts << digit);
      for (gsize i = 0; i < n; i++)
        counts[((guint64) values[i] - (guint64) min) >> shift]++;
      guint32 bin = find_bin (counts, &k);
      gint64 low = (gint64) ((guint64) min + ((guint64) bin << shift));
      if (shift == 0)
        return low;
      gint64 high = (gint64) ((guint64) low + (((guint64) 1 << shift) - 1));
      gsize left = 0;
      /* Without a branch, since none could be foretold. None is lost: the values may be asked again. */
      for (gsize i = 0; i < n; i++)
        {
          gint64 value = values[i];
          values[i] = values[left];
          values[left] = value;
          left += value >= low && value <= high;
        }
      n = left;
      min = low;
      max = MIN (max, high);
    }
}

/*< private >
 * _cyc_query_select:
 * @query: a query whose durations are collected; sums[0] are those of all threads
 * @thread: which of its threads this is
 *
 * Medians.
 */
void
_cyc_query_select (Query *query,
                   guint  thread)
{
  /* By turns: large groups may lie together. */
  for (guint32 group = thread; group < query->n_groups; group += query->n_threads)
    {
      const QuerySums *sums = &query->sums[0][group];
      if (sums->count == 0)
        continue;
      if (g_cancellable_is_cancelled (query->cancellable))
        return;
      /* The last thread's place is now the end of the group. */
      gint64 *values = query->values + query->next[query->n_threads - 1][group] - sums->count;
      query->medians[group] =
        _cyc_query_select_value (values, sums->count, (sums->count - 1) / 2, sums->min, sums->max);
    }
}
