/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/timeline/cyc-timeline-stats.h"

#include <string.h>

#include "core/timeline/cyc-timeline-private.h"

/* Figures of the spans in a part of a timeline, by name. */

/**
 * cyc_timeline_area_init:
 * @area: (out): all of @timeline
 * @timeline: a timeline
 */
void
cyc_timeline_area_init (CycTimelineArea *area,
                        CycTimeline     *timeline)
{
  *area = (CycTimelineArea) { 0 };
  cyc_timeline_get_range (timeline, &area->from, &area->to);
  if (area->to < G_MAXINT64)
    area->to++;
}

/**
 * cyc_timeline_area_clip:
 * @area: a part of a timeline
 * @timeline: the timeline
 * @outlier: an outlier of it
 * @out_part: (out): how much of it lies in the area, picoseconds
 *
 * Returns: whether it belongs to the area
 */
gboolean
cyc_timeline_area_clip (const CycTimelineArea    *area,
                        CycTimeline              *timeline,
                        const CycTimelineOutlier *outlier,
                        CycWideTime              *out_part)
{
  CycWideTime start = (CycWideTime) outlier->start.us - cyc_timeline_get_base (timeline);
  CycWideTime duration = (CycWideTime) outlier->duration.us * CYC_PS_PER_US + outlier->duration.ps;

  start = start * CYC_PS_PER_US + outlier->start.ps;
  CycWideTime end = start + duration;
  CycWideTime from = area->has_from ? MAX (start, area->from) : start;
  CycWideTime to = area->has_to ? MIN (end, area->to) : end;
  *out_part = to - from;
  if (area->tracks != NULL && !area->tracks[outlier->track])
    return FALSE;
  return to > from || (duration == 0 && to == from && (!area->has_to || start < area->to));
}

/**
 * cyc_wide_time_format:
 * @time: picoseconds
 * @buf: room for the text
 *
 * Writes it in microseconds, exactly, with as many decimals as it needs.
 *
 * Returns: @buf
 */
const char *
cyc_wide_time_format (CycWideTime time,
                      char        buf[CYC_WIDE_TIME_BUF])
{
  char digits[CYC_WIDE_TIME_BUF];
  gboolean negative = time < 0;
  guint n = 0, places = 6, at = 0;

  if (negative)
    time = -time;
  for (; n <= places || time > 0; n++, time /= 10)
    digits[n] = (char) ('0' + (int) (time % 10));
  /* Zeros behind the point are left out. */
  guint last = 0;
  while (last < places && digits[last] == '0')
    last++;
  if (negative)
    buf[at++] = '-';
  while (n > last)
    {
      buf[at++] = digits[--n];
      if (n == places && n > last)
        buf[at++] = '.';
    }
  buf[at] = '\0';
  return buf;
}

/**
 * cyc_timeline_find_spans:
 * @timeline: a timeline
 * @row: a row of it
 * @area: a part of it; its tracks are not looked at
 * @out_first: (out): the first span of the row that belongs to the area
 * @out_end: (out): the one after the last
 */
void
cyc_timeline_find_spans (CycTimeline           *timeline,
                         const CycTimelineRow  *row,
                         const CycTimelineArea *area,
                         guint32               *out_first,
                         guint32               *out_end)
{
  const CycTimelineSpans *spans = cyc_timeline_get_spans (timeline);
  guint32 end = row->first + row->n;
  guint32 first = _cyc_timeline_find_start (spans, row->first, end, area->from);

  /* The one before reaches into the area if it ends after its beginning. */
  if (first > row->first && spans->start[first - 1] + spans->duration[first - 1] > area->from)
    first--;
  *out_first = first;
  *out_end = _cyc_timeline_find_start (spans, first, end, area->to);
  /* The area may begin and end in one span. */
  if (*out_end == first && first < end && spans->start[first] < area->to
      && spans->start[first] + spans->duration[first] > area->from)
    *out_end = first + 1;
}

/* How much of a span lies inside. */
static inline gint64
clip (const CycTimelineSpans *spans,
      guint32                 i,
      const CycTimelineArea  *area)
{
  gint64 start = spans->start[i], end = start + spans->duration[i];

  return MIN (end, area->to) - MAX (start, area->from);
}

typedef struct
{
  CycTimeline            *timeline;
  const CycTimelineSpans *spans;
  const CycTimelineArea  *area;
  CycTimelineStat        *stats;  /* by name */
  gint64                 *values; /* durations, name by name */
  gsize                  *next;   /* by name: where the next goes */
} Query;

typedef void (*RowFunc) (Query   *query,
                         guint32  first,
                         guint32  end);

/* Count, sum, least, most and self time. */
static void
add_row (Query   *query,
         guint32  first,
         guint32  end)
{
  const CycTimelineSpans *spans = query->spans;

  for (guint32 i = first; i < end; i++)
    {
      if (spans->flags[i] & CYC_SPAN_INSTANT)
        continue;
      CycTimelineStat *stat = &query->stats[spans->name[i]];
      gint64 part = clip (spans, i, query->area);
      stat->min = stat->count > 0 ? MIN (stat->min, part) : part;
      stat->max = MAX (stat->max, part);
      stat->count++;
      stat->sum += part;
      stat->self += part;
      if (spans->parent[i] != CYC_TIMELINE_NONE)
        query->stats[spans->name[spans->parent[i]]].self -= part;
    }
}

static void
collect_row (Query   *query,
             guint32  first,
             guint32  end)
{
  const CycTimelineSpans *spans = query->spans;

  for (guint32 i = first; i < end; i++)
    if (!(spans->flags[i] & CYC_SPAN_INSTANT))
      query->values[query->next[spans->name[i]]++] = clip (spans, i, query->area);
}

/* What lies outside of the columns counts as well. */
static void
add_outliers (Query *query)
{
  guint n;
  const CycTimelineOutlier *outliers = cyc_timeline_get_outliers (query->timeline, &n);

  for (guint i = 0; i < n; i++)
    {
      CycTimelineStat *stat = &query->stats[outliers[i].name];
      CycWideTime part;
      if ((outliers[i].flags & CYC_SPAN_INSTANT)
          || !cyc_timeline_area_clip (query->area, query->timeline, &outliers[i], &part))
        continue;
      stat->min = stat->count > 0 ? MIN (stat->min, part) : part;
      stat->max = MAX (stat->max, part);
      stat->count++;
      stat->sum += part;
      stat->self += part;
    }
}

static void
collect_outliers (Query *query)
{
  guint n;
  const CycTimelineOutlier *outliers = cyc_timeline_get_outliers (query->timeline, &n);

  for (guint i = 0; i < n; i++)
    {
      CycWideTime part;
      if (!(outliers[i].flags & CYC_SPAN_INSTANT)
          && cyc_timeline_area_clip (query->area, query->timeline, &outliers[i], &part))
        query->values[query->next[outliers[i].name]++] = (gint64) MIN (part, G_MAXINT64);
    }
}

static gboolean
foreach_row (Query         *query,
             RowFunc        func,
             GCancellable  *cancellable,
             GError       **error)
{
  guint n;
  const CycTimelineRow *rows = cyc_timeline_get_rows (query->timeline, &n);

  for (guint i = 0; i < n; i++)
    {
      guint32 first, end;
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (query->area->tracks != NULL && !query->area->tracks[rows[i].track])
        continue;
      cyc_timeline_find_spans (query->timeline, &rows[i], query->area, &first, &end);
      func (query, first, end);
    }
  return TRUE;
}

/* The value that has @k smaller ones before it when they are in order, which they are not after, either. */
static gint64
select_value (gint64 *values,
              gsize   n,
              gsize   k)
{
  gsize low = 0, high = n - 1;

  while (low < high)
    {
      /* The middle of three keeps what is sorted already from being slow. */
      gsize middle = low + (high - low) / 2;
      gint64 a = values[low], b = values[middle], c = values[high];
      gint64 pivot = MAX (MIN (a, b), MIN (MAX (a, b), c));
      gsize i = low, j = high;
      for (;;)
        {
          while (values[i] < pivot)
            i++;
          while (values[j] > pivot)
            j--;
          if (i >= j)
            break;
          gint64 swap = values[i];
          values[i++] = values[j];
          values[j--] = swap;
        }
      /* Up to j nothing is larger than the pivot, and after j nothing is smaller. */
      if (k <= j)
        high = j;
      else
        low = j + 1;
    }
  return values[k];
}

static int
compare_stats (gconstpointer pa,
               gconstpointer pb,
               gpointer      user_data)
{
  const CycTimelineStat *a = pa, *b = pb;

  if (a->sum != b->sum)
    return a->sum > b->sum ? -1 : 1;
  return strcmp (cyc_timeline_get_text (user_data, a->name), cyc_timeline_get_text (user_data, b->name));
}

static GArray *
take_stats (Query *query)
{
  guint32 n_names = cyc_timeline_get_n_texts (query->timeline);
  GArray *stats = g_array_new (FALSE, FALSE, sizeof (CycTimelineStat));

  for (guint32 name = 0; name < n_names; name++)
    {
      CycTimelineStat *stat = &query->stats[name];
      if (stat->count == 0)
        continue;
      stat->name = name;
      /* next[] is now the end of the name's values. */
      stat->median = select_value (query->values + query->next[name] - stat->count, stat->count, (stat->count - 1) / 2);
      g_array_append_vals (stats, stat, 1);
    }
  g_array_sort_with_data (stats, compare_stats, query->timeline);
  return stats;
}

/**
 * cyc_timeline_get_stats:
 * @timeline: a timeline
 * @area: a part of it
 * @cancellable: (nullable): looked at between rows
 * @error: return location for an error
 *
 * Sums up the spans in the area by name, the largest sum first. Instants do not count. Any thread.
 *
 * Returns: (transfer full) (nullable) (element-type CycTimelineStat): the figures; %NULL if cancelled
 */
GArray *
cyc_timeline_get_stats (CycTimeline           *timeline,
                        const CycTimelineArea *area,
                        GCancellable          *cancellable,
                        GError               **error)
{
  guint32 n_names = cyc_timeline_get_n_texts (timeline);
  g_autofree CycTimelineStat *stats = g_new0 (CycTimelineStat, n_names);
  g_autofree gsize *next = g_new (gsize, n_names);
  g_autofree gint64 *values = NULL;
  Query query = { timeline, cyc_timeline_get_spans (timeline), area, stats, NULL, next };
  gsize total = 0;

  if (!foreach_row (&query, add_row, cancellable, error))
    return NULL;
  add_outliers (&query);
  for (guint32 name = 0; name < n_names; name++)
    {
      next[name] = total;
      total += stats[name].count;
    }
  query.values = values = g_new (gint64, MAX (total, 1));
  if (!foreach_row (&query, collect_row, cancellable, error))
    return NULL;
  collect_outliers (&query);
  return take_stats (&query);
}
