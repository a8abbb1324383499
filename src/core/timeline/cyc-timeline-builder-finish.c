/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "core/timeline/cyc-timeline-builder-private.h"

/* From the events of a file to a timeline. */

#define N_BUCKETS 4096
/* A gap this many times as long as all the rest parts what is to be looked at from what is lost in time, if that
 * many spans lie on one side. */
#define GAP_FACTOR 1000
#define MIN_DENSE 16
/* How far picoseconds reach, a little less. */
#define REACH_US (G_MAXINT64 / CYC_PS_PER_US / 2)
#define MAX_PARTS 8
/* Events between two looks at the cancellable. */
#define EVENTS_A_LOOK 4096

/* The dense range */

typedef struct
{
  guint64 count;
  gint64  first, last; /* beginnings, microseconds */
  gint64  end;         /* of the one that ends last */
} Bucket;

/* Ends of pairs begin nothing. */
static inline gboolean
begins (const StagedSpan *span)
{
  return span->phase == 'X' || span->phase == 'i' || span->phase == 'B' || span->phase == 'b';
}

static gint64
get_end (const StagedSpan *span)
{
  gint64 end;

  if ((span->phase != 'X' && span->phase != 'i') || span->duration < 0
      || __builtin_add_overflow (span->us, span->duration / CYC_PS_PER_US, &end))
    return span->us;
  return end;
}

/* Counts the spans that begin from @first to @last. */
static void
fill_buckets (const StagedSpan *spans,
              gsize             n,
              gint64            first,
              gint64            last,
              Bucket           *buckets)
{
  guint64 width = ((guint64) last - (guint64) first) / N_BUCKETS + 1;

  memset (buckets, 0, N_BUCKETS * sizeof *buckets);
  for (gsize i = 0; i < n; i++)
    {
      gint64 us = spans[i].us;
      if (!begins (&spans[i]) || us < first || us > last)
        continue;
      Bucket *bucket = &buckets[((guint64) us - (guint64) first) / width];
      if (bucket->count++ == 0)
        bucket->first = bucket->last = us;
      bucket->first = MIN (bucket->first, us);
      bucket->last = MAX (bucket->last, us);
      bucket->end = bucket->count == 1 ? get_end (&spans[i]) : MAX (bucket->end, get_end (&spans[i]));
    }
}

/* Narrows the range to the fuller side of its largest gap, if that is so large. */
static gboolean
narrow (const Bucket *buckets,
        gint64       *first,
        gint64       *last)
{
  guint64 gap = 0, lower = 0, total = 0;
  gint64 end = *first, lower_last = 0, upper_first = 0, before_last = 0;

  for (guint i = 0; i < N_BUCKETS; i++)
    {
      const Bucket *bucket = &buckets[i];
      if (bucket->count == 0)
        continue;
      if (total > 0 && bucket->first > end && (guint64) bucket->first - (guint64) end > gap)
        {
          gap = (guint64) bucket->first - (guint64) end;
          lower = total;
          lower_last = before_last;
          upper_first = bucket->first;
        }
      total += bucket->count;
      before_last = bucket->last;
      end = MAX (end, bucket->end);
    }
  gboolean far = gap / GAP_FACTOR > (guint64) end - (guint64) *first - gap && MAX (lower, total - lower) >= MIN_DENSE;
  /* What the columns do not reach from one another is parted in any case. */
  if (gap == 0 || (!far && gap < REACH_US))
    return FALSE;
  if (lower > total - lower)
    *last = lower_last;
  else
    *first = upper_first;
  return TRUE;
}

/*< private >
 * _cyc_timeline_find_dense:
 * @spans: (array length=n): spans
 * @n: how many
 * @out_first_us: (out): when the first of those that belong together begins
 * @out_last_us: (out): when the last does
 *
 * Leaves out what is separated from most others by a gap a thousand times as long as all the rest.
 */
void
_cyc_timeline_find_dense (const StagedSpan *spans,
                          gsize             n,
                          gint64           *out_first_us,
                          gint64           *out_last_us)
{
  g_autofree Bucket *buckets = g_new (Bucket, N_BUCKETS);
  gint64 first = G_MAXINT64, last = G_MININT64;

  for (gsize i = 0; i < n; i++)
    if (begins (&spans[i]))
      {
        first = MIN (first, spans[i].us);
        last = MAX (last, spans[i].us);
      }
  if (first > last)
    first = last = 0;
  for (guint i = 0; i < MAX_PARTS && first < last; i++)
    {
      fill_buckets (spans, n, first, last, buckets);
      if (!narrow (buckets, &first, &last))
        break;
    }
  *out_first_us = first;
  *out_last_us = last;
}

/* The range */

static void
include (CycTimeline *timeline,
         gint64       start,
         gint64       end,
         gboolean    *any)
{
  timeline->start = *any ? MIN (timeline->start, start) : start;
  timeline->end = *any ? MAX (timeline->end, end) : end;
  *any = TRUE;
}

static void
set_range (CycTimeline *timeline,
           gint64       first_us,
           gint64       last_us)
{
  const CycTimelineSpans *spans = &timeline->spans;
  CycTraceTime first = { first_us, 0, TRUE }, last = { last_us, CYC_PS_PER_US - 1, TRUE };
  gboolean any = FALSE, any_dense = FALSE;
  gint64 first_start, last_start;

  timeline->n_sparse = timeline->outliers->len;
  if (!cyc_trace_time_get_offset (&first, timeline->base_us, &first_start))
    first_start = first_us < timeline->base_us ? G_MININT64 : G_MAXINT64;
  if (!cyc_trace_time_get_offset (&last, timeline->base_us, &last_start))
    last_start = last_us < timeline->base_us ? G_MININT64 : G_MAXINT64;
  for (guint32 i = 0; i < spans->n; i++)
    {
      gint64 end = spans->start[i] + spans->duration[i];
      include (timeline, spans->start[i], end, &any);
      if (spans->start[i] < first_start || spans->start[i] > last_start)
        {
          timeline->n_sparse++;
          continue;
        }
      timeline->dense_end = any_dense ? MAX (timeline->dense_end, end) : end;
      /* Where the dense range begins is the base; cycles have their anchor there, and what a part has no room for may
       * have been the first. */
      if (timeline->unit == CYC_TIMELINE_CYCLES || timeline->reading != NULL)
        timeline->dense_start = any_dense ? MIN (timeline->dense_start, spans->start[i]) : spans->start[i];
      any_dense = TRUE;
    }
  for (guint i = 0; i < timeline->series->len; i++)
    {
      const CycTimelineSeries *series = &g_array_index (timeline->series, CycTimelineSeries, i);
      if (series->n > 0)
        include (timeline, series->time[0], series->time[series->n - 1], &any);
    }
  if (spans->n == 0)
    {
      timeline->dense_start = timeline->start;
      timeline->dense_end = timeline->end;
    }
}

/* Counters alone: their first value is where time begins. */
static void
set_base (CycTimelineBuilder *self,
          gint64             *out_first_us,
          gint64             *out_last_us)
{
  const StagedSpan *spans = (const StagedSpan *) (gpointer) self->spans->data;
  gint64 base = G_MAXINT64;

  _cyc_timeline_find_dense (spans, self->spans->len, out_first_us, out_last_us);
  /* Cycles count from the anchor of their profile. */
  self->timeline->base_us = self->timeline->unit == CYC_TIMELINE_CYCLES ? 0 : *out_first_us;
  for (guint i = 0; i < self->spans->len; i++)
    if (begins (&g_array_index (self->spans, StagedSpan, i)))
      return;
  for (guint i = 0; i < self->series->len; i++)
    {
      const GArray *values = g_array_index (self->series, StagedSeries, i).values;
      for (guint k = 0; k < values->len; k++)
        base = MIN (base, g_array_index (values, StagedValue, k).time.us);
    }
  if (base != G_MAXINT64)
    self->timeline->base_us = *out_first_us = *out_last_us = base;
}

static gboolean
has_bound_flows (CycTimelineBuilder *self)
{
  for (guint i = 0; i < self->flows->len; i++)
    if (g_array_index (self->flows, StagedFlow, i).staged != CYC_TIMELINE_NONE)
      return TRUE;
  return FALSE;
}

/**
 * cyc_timeline_builder_finish:
 * @self: a builder, which is of no use after
 * @others: (nullable): members of the file's top level, as JSON without brackets
 * @repairs: what was repaired so far; what is found here is added, and all of it goes into the timeline
 * @cancellable: (nullable): looked at now and then
 * @error: return location for an error
 *
 * Returns: (transfer full) (nullable): the timeline; %NULL if cancelled
 */
CycTimeline *
cyc_timeline_builder_finish (CycTimelineBuilder  *self,
                             const char          *others,
                             CycTraceRepairs     *repairs,
                             GCancellable        *cancellable,
                             GError             **error)
{
  CycTimeline *timeline = self->timeline;
  g_autofree guint32 *final = NULL;
  gsize n_staged = self->spans->len;
  gint64 first_us, last_us;

  gboolean has_unit = self->reading != NULL && self->reading->unit != CYC_TIMELINE_FILE_US;
  if (others != NULL && timeline->frequency == 0 && timeline->unit == CYC_TIMELINE_TIME)
    timeline->frequency = _cyc_timeline_find_frequency (others);
  if (self->keep_cycles && !has_unit && others != NULL
      && !_cyc_timeline_builder_take_cycles (self, others, repairs, cancellable, error))
    return NULL;
  set_base (self, &first_us, &last_us);
  _cyc_timeline_builder_place_tracks (self);
  gboolean wants_final = self->tasks->len > 0 || has_bound_flows (self);
  if (!_cyc_timeline_builder_make_rows (self, repairs, wants_final ? &final : NULL, cancellable, error))
    return NULL;
  if (self->tasks->len > 0)
    _cyc_timeline_builder_make_tasks (self, final, n_staged);
  g_array_set_size (self->spans, 0);
  _cyc_timeline_builder_make_flows (self, final, repairs);
  _cyc_timeline_builder_make_series (self, repairs);
  set_range (timeline, first_us, last_us);
  timeline->members_len = self->members->len;
  timeline->members = g_string_free (g_steal_pointer (&self->members), FALSE);
  self->members = g_string_new (NULL);
  timeline->others = g_strdup (others != NULL ? others : "");
  g_ptr_array_add (timeline->metadata, NULL);
  timeline->repairs = *repairs;
  return g_steal_pointer (&self->timeline);
}

/**
 * cyc_timeline_load_as:
 * @path: a file of Chrome trace JSON, plain, .gz or .xz
 * @reading: (nullable): how it is read, and what of it; checked
 * @flags: how
 * @stop: (nullable): an atomic number: when it is not 0, the timeline is of what was read until then, with a warning
 * @progress: (nullable) (scope call): told how far it is
 * @user_data: for @progress
 * @cancellable: (nullable): to cancel it
 * @error: return location for an error
 *
 * Reads a trace, or a part of one. Any thread.
 *
 * Returns: (transfer full) (nullable): the timeline
 */
CycTimeline *
cyc_timeline_load_as (const char                *path,
                      const CycTimelineReading  *reading,
                      CycTimelineLoadFlags       flags,
                      const int                 *stop,
                      CycTimelineProgress        progress,
                      gpointer                   user_data,
                      GCancellable              *cancellable,
                      GError                   **error)
{
  g_autoptr (CycChromeReader) reader = cyc_chrome_reader_open (path, 0, error);
  g_autoptr (CycTimelineBuilder) builder = NULL;
  g_autofree char *stopped = NULL;
  CycChromeResult result;
  guint n = 0;

  if (reader == NULL)
    return NULL;
  builder = cyc_timeline_builder_new ();
  builder->keep_cycles = (flags & CYC_TIMELINE_KEEP_CYCLES) != 0;
  _cyc_timeline_builder_set_reading (builder, reading);
  CycTraceRepairs *repairs = cyc_chrome_reader_get_repairs (reader);
  while ((result = cyc_chrome_reader_next (reader, cancellable, error)) == CYC_CHROME_EVENT)
    {
      cyc_timeline_builder_add_event (builder, cyc_chrome_reader_get_event (reader), repairs);
      if (++n % EVENTS_A_LOOK != 0)
        continue;
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      if (progress != NULL)
        progress (cyc_chrome_reader_get_fraction (reader), user_data);
      if (stop == NULL || g_atomic_int_get (stop) == 0)
        continue;
      stopped = g_strdup_printf ("reading was stopped at byte %" G_GUINT64_FORMAT "; what comes after it is missing",
                                 cyc_chrome_reader_get_event (reader)->offset);
      break;
    }
  if (result == CYC_CHROME_FAILED)
    return NULL;
  CycTimeline *timeline =
    cyc_timeline_builder_finish (builder, cyc_chrome_reader_get_others (reader)->str, repairs, cancellable, error);
  if (timeline != NULL)
    timeline->warning = stopped != NULL ? g_steal_pointer (&stopped)
                                        : g_strdup (cyc_chrome_reader_get_warning (reader));
  return timeline;
}

/**
 * cyc_timeline_load:
 * @path: a file of Chrome trace JSON, plain, .gz or .xz
 * @progress: (nullable) (scope call): told how far it is
 * @user_data: for @progress
 * @cancellable: (nullable): to cancel it
 * @error: return location for an error
 *
 * Reads a whole trace; its times are those that the events have. Any thread.
 *
 * Returns: (transfer full) (nullable): the timeline
 */
CycTimeline *
cyc_timeline_load (const char           *path,
                   CycTimelineProgress   progress,
                   gpointer              user_data,
                   GCancellable         *cancellable,
                   GError              **error)
{
  return cyc_timeline_load_as (path, NULL, 0, NULL, progress, user_data, cancellable, error);
}

/**
 * cyc_timeline_load_cycles:
 * @path: a file of Chrome trace JSON, plain, .gz or .xz
 * @progress: (nullable) (scope call): told how far it is
 * @user_data: for @progress
 * @cancellable: (nullable): to cancel it
 * @error: return location for an error
 *
 * Reads a whole trace as cyc_timeline_load() does, but where a trace is that of a profile of cycles, and every event
 * says its cycles, times are cycles: see cyc_timeline_get_unit(). Any thread.
 *
 * Returns: (transfer full) (nullable): the timeline
 */
CycTimeline *
cyc_timeline_load_cycles (const char           *path,
                          CycTimelineProgress   progress,
                          gpointer              user_data,
                          GCancellable         *cancellable,
                          GError              **error)
{
  return cyc_timeline_load_as (path, NULL, CYC_TIMELINE_KEEP_CYCLES, NULL, progress, user_data, cancellable, error);
}
