/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/timeline/cyc-chrome-writer.h"

#include <string.h>

#include "core/base/cyc-double.h"
#include "core/base/cyc-number.h"
#include "core/timeline/cyc-json-scan-private.h"

/* Writes a timeline as the Trace Event Format: what is written and read again makes the same timeline. */

#define FLUSH_SIZE (64 * 1024)

typedef struct
{
  CycTimeline           *timeline;
  const CycTimelineArea *area; /* NULL for everything */
  CycJsonSink            sink;
  gpointer               user_data;
  GCancellable          *cancellable;
  GString               *out;
  gboolean               any; /* an event was written */
} Writer;

static gboolean
flush (Writer  *self,
       GError **error)
{
  if (g_cancellable_set_error_if_cancelled (self->cancellable, error)
      || !self->sink (self->out->str, self->out->len, self->user_data, error))
    return FALSE;
  g_string_truncate (self->out, 0);
  return TRUE;
}

static gboolean
flush_if_full (Writer  *self,
               GError **error)
{
  return self->out->len < FLUSH_SIZE || flush (self, error);
}

static gboolean
has_track (const Writer *self,
           guint32       track)
{
  return self->area == NULL || cyc_timeline_area_has_track (self->area, track);
}

/* Pieces of an event */

static void
put_text (Writer     *self,
          const char *key,
          const char *text)
{
  g_string_append_printf (self->out, "\"%s\":", key);
  cyc_json_append_string (self->out, text, strlen (text));
  g_string_append_c (self->out, ',');
}

/* An id that is a number of JSON is one again. */
static void
put_id (Writer     *self,
        const char *key,
        const char *id)
{
  gsize len = strlen (id);
  gsize sign = *id == '-';
  gboolean number = len > sign && len <= 19 && strspn (id + sign, "0123456789") == len - sign
                    && (id[sign] != '0' || len == sign + 1);

  if (number)
    g_string_append_printf (self->out, "\"%s\":%s,", key, id);
  else
    put_text (self, key, id);
}

static void
put_time (Writer     *self,
          const char *key,
          gint64      base_us,
          gint64      ps)
{
  CycTraceTime time;
  char buf[CYC_TRACE_TIME_BUF];

  cyc_trace_time_init (&time, base_us, ps);
  g_string_append_printf (self->out, "\"%s\":%s,", key, cyc_trace_time_format (&time, buf));
}

/* A time of a timeline of cycles is in microseconds of its clock, or in cycles if that is not known. */
static void
put_span_time (Writer     *self,
               const char *key,
               gint64      base_us,
               gint64      time)
{
  char buf[CYC_DOUBLE_WRITE_MAX];
  double frequency = cyc_timeline_get_frequency (self->timeline);

  if (cyc_timeline_get_unit (self->timeline) == CYC_TIMELINE_TIME)
    {
      put_time (self, key, base_us, time);
      return;
    }
  char *end = frequency > 0 ? cyc_double_write (buf, (double) time / frequency) : cyc_int_write (buf, time);
  g_string_append_printf (self->out, "\"%s\":%.*s,", key, (int) (end - buf), buf);
}

static void
begin_event (Writer *self,
             char    phase)
{
  g_string_append_printf (self->out, "%s{\"ph\":\"%c\",", self->any ? ",\n" : "\n", phase);
  self->any = TRUE;
}

/* The comma after the last piece makes way for the bracket. */
static void
end_event (Writer *self)
{
  self->out->str[self->out->len - 1] = '}';
}

static void
put_members (Writer     *self,
             const char *members)
{
  if (*members == '\0')
    return;
  g_string_append (self->out, members);
  g_string_append_c (self->out, ',');
}

static void
put_names (Writer  *self,
           guint32  name,
           guint32  category)
{
  put_text (self, "name", cyc_timeline_get_text (self->timeline, name));
  if (category != 0)
    put_text (self, "cat", cyc_timeline_get_text (self->timeline, category));
}

static void
put_place (Writer  *self,
           guint32  track)
{
  guint n;
  const CycTimelineTrack *place = &cyc_timeline_get_tracks (self->timeline, &n)[track];

  put_id (self, "pid", cyc_timeline_get_processes (self->timeline, &n)[place->process].id);
  /* Asynchronous events have their thread among their members. */
  if (place->kind == CYC_TRACK_THREAD)
    put_id (self, "tid", place->id);
}

/* Metadata */

static void
write_place_text (Writer                   *self,
                  const CycTimelineProcess *process,
                  const CycTimelineTrack   *track,
                  const char               *event,
                  const char               *key,
                  const char               *text)
{
  begin_event (self, 'M');
  put_text (self, "name", event);
  put_id (self, "pid", process->id);
  if (track != NULL)
    put_id (self, "tid", track->id);
  g_string_append (self->out, "\"args\":{");
  put_text (self, key, text);
  end_event (self);
  g_string_append_c (self->out, ',');
  end_event (self);
}

static void
write_sort_index (Writer                   *self,
                  const CycTimelineProcess *process,
                  const CycTimelineTrack   *track,
                  const char               *event,
                  double                    sort_index)
{
  char buf[CYC_DOUBLE_BUF];

  begin_event (self, 'M');
  put_text (self, "name", event);
  put_id (self, "pid", process->id);
  if (track != NULL)
    put_id (self, "tid", track->id);
  g_string_append_printf (self->out, "\"args\":{\"sort_index\":%s}}", cyc_number_format_double (buf, sort_index));
}

/* A name that is the id's own text was not given, or need not be. */
static void
write_track_names (Writer                   *self,
                   const CycTimelineProcess *process,
                   guint32                   index)
{
  guint n;
  const CycTimelineTrack *track = &cyc_timeline_get_tracks (self->timeline, &n)[index];

  if (track->kind != CYC_TRACK_THREAD || !has_track (self, index))
    return;
  if (track->name != track->id)
    write_place_text (self, process, track, "thread_name", "name", track->name);
  if (track->has_sort_index)
    write_sort_index (self, process, track, "thread_sort_index", track->sort_index);
}

static gboolean
has_process (Writer                   *self,
             const CycTimelineProcess *process)
{
  for (guint32 i = 0; i < process->n_tracks; i++)
    if (has_track (self, process->first_track + i))
      return TRUE;
  return process->n_tracks == 0;
}

static gboolean
write_metadata (Writer  *self,
                GError **error)
{
  guint n;
  const CycTimelineProcess *processes = cyc_timeline_get_processes (self->timeline, &n);
  const char *const *others = cyc_timeline_get_metadata (self->timeline);

  for (guint i = 0; i < n; i++)
    {
      const CycTimelineProcess *process = &processes[i];
      if (!has_process (self, process))
        continue;
      if (process->name != process->id)
        write_place_text (self, process, NULL, "process_name", "name", process->name);
      if (process->labels != NULL)
        write_place_text (self, process, NULL, "process_labels", "labels", process->labels);
      if (process->has_sort_index)
        write_sort_index (self, process, NULL, "process_sort_index", process->sort_index);
      for (guint32 k = 0; k < process->n_tracks; k++)
        write_track_names (self, process, process->first_track + k);
      if (!flush_if_full (self, error))
        return FALSE;
    }
  for (guint i = 0; others[i] != NULL; i++)
    {
      g_string_append (self->out, self->any ? ",\n" : "\n");
      g_string_append (self->out, others[i]);
      self->any = TRUE;
    }
  return flush_if_full (self, error);
}

/* Spans */

/* The end of an asynchronous span says whose it is: what tells it is among the members of its beginning. */
static void
put_async_id (Writer     *self,
              const char *members)
{
  static const char *const wanted[] = { "id", "id2", "tid", "scope" };
  CycJsonScan scan = { members, members + strlen (members), 0 };
  const char *key, *value;
  gsize key_len, len;

  while (_cyc_json_scan_member (&scan, &key, &key_len, &value, &len))
    for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
      if (strlen (wanted[i]) == key_len && memcmp (key, wanted[i], key_len) == 0)
        {
          g_string_append_printf (self->out, "\"%s\":", wanted[i]);
          g_string_append_len (self->out, value, (gssize) len);
          g_string_append_c (self->out, ',');
        }
}

static void
write_async (Writer  *self,
             guint32  track,
             guint32  i)
{
  const CycTimelineSpans *spans = cyc_timeline_get_spans (self->timeline);
  gint64 base = cyc_timeline_get_base (self->timeline);
  const char *members = cyc_timeline_get_members (self->timeline, spans->members[i]);
  guint8 flags = spans->flags[i];

  begin_event (self, flags & CYC_SPAN_INSTANT ? 'n' : 'b');
  put_names (self, spans->name[i], spans->category[i]);
  put_place (self, track);
  if (!(flags & CYC_SPAN_SOURCE))
    put_span_time (self, "ts", base, spans->start[i]);
  put_members (self, members);
  end_event (self);
  if (flags & (CYC_SPAN_INSTANT | CYC_SPAN_NO_END))
    return;
  begin_event (self, 'e');
  put_names (self, spans->name[i], spans->category[i]);
  put_place (self, track);
  put_async_id (self, members);
  put_span_time (self, "ts", base, spans->start[i] + spans->duration[i]);
  end_event (self);
}

static void
write_span (Writer  *self,
            guint32  track,
            guint32  i)
{
  const CycTimelineSpans *spans = cyc_timeline_get_spans (self->timeline);
  guint8 flags = spans->flags[i];

  if (flags & CYC_SPAN_ASYNC)
    {
      write_async (self, track, i);
      return;
    }
  /* A beginning whose end is not known stays one. */
  begin_event (self, flags & CYC_SPAN_INSTANT ? 'i' : flags & CYC_SPAN_NO_END ? 'B' : 'X');
  put_names (self, spans->name[i], spans->category[i]);
  put_place (self, track);
  /* Times as they were written are among the members; a pair has no duration to be written. */
  if (!(flags & CYC_SPAN_SOURCE))
    put_span_time (self, "ts", cyc_timeline_get_base (self->timeline), spans->start[i]);
  if (!(flags & (CYC_SPAN_INSTANT | CYC_SPAN_NO_END)) && (flags & (CYC_SPAN_SOURCE | CYC_SPAN_PAIR)) != CYC_SPAN_SOURCE)
    put_span_time (self, "dur", 0, spans->duration[i]);
  gsize at = self->out->len;
  cyc_timeline_append_members (self->timeline, i, self->out);
  if (self->out->len > at)
    g_string_append_c (self->out, ',');
  end_event (self);
}

static gboolean
write_spans (Writer  *self,
             GError **error)
{
  guint n;
  const CycTimelineRow *rows = cyc_timeline_get_rows (self->timeline, &n);

  for (guint i = 0; i < n; i++)
    {
      guint32 first = rows[i].first, end = first + rows[i].n;
      if (!has_track (self, rows[i].track))
        continue;
      if (self->area != NULL)
        cyc_timeline_find_spans (self->timeline, &rows[i], self->area, &first, &end);
      for (guint32 k = first; k < end; k++)
        {
          write_span (self, rows[i].track, k);
          if (!flush_if_full (self, error))
            return FALSE;
        }
    }
  return TRUE;
}

static void
put_outlier_time (Writer             *self,
                  const char         *key,
                  const CycTraceTime *time)
{
  char buf[MAX (CYC_TRACE_TIME_BUF, CYC_DOUBLE_WRITE_MAX)];
  double frequency = cyc_timeline_get_frequency (self->timeline);

  if (cyc_timeline_get_unit (self->timeline) == CYC_TIMELINE_TIME)
    {
      g_string_append_printf (self->out, "\"%s\":%s,", key, cyc_trace_time_format (time, buf));
      return;
    }
  /* More than 64 bits: rounded once, as with the others. */
  CycWideTime cycles = (CycWideTime) time->us * CYC_PS_PER_US + time->ps;
  char *end = cyc_double_write (buf, (double) cycles / (frequency > 0 ? frequency : 1));
  g_string_append_printf (self->out, "\"%s\":%.*s,", key, (int) (end - buf), buf);
}

/* What lies outside of the columns. */
static void
write_outliers (Writer *self)
{
  guint n;
  const CycTimelineOutlier *outliers = cyc_timeline_get_outliers (self->timeline, &n);

  for (guint i = 0; i < n; i++)
    {
      const CycTimelineOutlier *outlier = &outliers[i];
      gboolean instant = outlier->flags & CYC_SPAN_INSTANT;
      CycWideTime part;
      if (self->area != NULL && !cyc_timeline_area_clip (self->area, self->timeline, outlier, &part))
        continue;
      begin_event (self, instant ? 'i' : 'X');
      put_names (self, outlier->name, outlier->category);
      put_place (self, outlier->track);
      if (!(outlier->flags & CYC_SPAN_SOURCE))
        {
          put_outlier_time (self, "ts", &outlier->start);
          if (!instant)
            put_outlier_time (self, "dur", &outlier->duration);
        }
      put_members (self, cyc_timeline_get_members (self->timeline, outlier->members));
      end_event (self);
    }
}

/* Counters */

/* A value of a counter on its way into an event. */
typedef struct
{
  gint64  time;
  guint64 members;
  guint32 series;
  guint32 index;
} Value;

static int
compare_values (gconstpointer pa,
                gconstpointer pb)
{
  const Value *a = pa, *b = pb;

  if (a->time != b->time)
    return a->time < b->time ? -1 : 1;
  if (a->members != b->members)
    return a->members < b->members ? -1 : 1;
  /* Two values of one series at one time need an event each. */
  if (a->series != b->series)
    return a->series < b->series ? -1 : 1;
  return (a->index > b->index) - (a->index < b->index);
}

/* The values of a counter inside of the area, in order. */
static GArray *
collect_values (const Writer            *self,
                const CycTimelineSeries *series,
                guint32                  n)
{
  GArray *values = g_array_new (FALSE, FALSE, sizeof (Value));

  for (guint32 i = 0; i < n; i++)
    for (guint32 k = 0; k < series[i].n; k++)
      {
        Value value = { series[i].time[k], series[i].source != NULL ? series[i].source[k].members : 0, i, k };
        if (self->area == NULL || (value.time >= self->area->from && value.time < self->area->to))
          g_array_append_val (values, value);
      }
  g_array_sort (values, compare_values);
  return values;
}

static void
put_value (Writer                  *self,
           const CycTimelineSeries *series,
           guint32                  index)
{
  char buf[CYC_DOUBLE_BUF];
  const char *exact =
    series->source != NULL ? cyc_timeline_get_members (self->timeline, series->source[index].text) : "";

  cyc_json_append_string (self->out, series->name, strlen (series->name));
  g_string_append_printf (self->out, ":%s,",
                          *exact != '\0' ? exact : cyc_number_format_double (buf, series->value[index]));
}

/* Writes the values that belong together as one event. Returns how many these were. */
static guint
write_values (Writer                  *self,
              guint32                  track,
              const CycTimelineSeries *series,
              const Value             *values,
              guint                    n)
{
  guint count, done = 0;
  const CycTimelineTrack *place = &cyc_timeline_get_tracks (self->timeline, &count)[track];
  const char *members = cyc_timeline_get_members (self->timeline, values->members);

  begin_event (self, 'C');
  /* A counter with an id has its own name among the members. */
  if (!g_str_has_prefix (members, "\"name\":"))
    put_text (self, "name", place->id);
  put_place (self, track);
  put_span_time (self, "ts", cyc_timeline_get_base (self->timeline), values->time);
  put_members (self, members);
  g_string_append (self->out, "\"args\":{");
  do
    {
      put_value (self, &series[values[done].series], values[done].index);
      done++;
    }
  while (done < n && values[done].time == values->time && values[done].members == values->members
         && values[done].series != values[done - 1].series);
  end_event (self);
  g_string_append_c (self->out, ',');
  end_event (self);
  return done;
}

static gboolean
write_counter (Writer   *self,
               guint32   index,
               GError  **error)
{
  guint n;
  const CycTimelineTrack *track = &cyc_timeline_get_tracks (self->timeline, &n)[index];

  if (track->n_series == 0)
    return TRUE;
  const CycTimelineSeries *series = cyc_timeline_get_series (self->timeline, &n) + track->first_series;
  g_autoptr (GArray) values = collect_values (self, series, track->n_series);
  for (guint i = 0; i < values->len;)
    {
      i += write_values (self, index, series, &g_array_index (values, Value, i), values->len - i);
      if (!flush_if_full (self, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
write_counters (Writer  *self,
                GError **error)
{
  guint n;
  const CycTimelineTrack *tracks = cyc_timeline_get_tracks (self->timeline, &n);

  for (guint i = 0; i < n; i++)
    if (tracks[i].kind == CYC_TRACK_COUNTER && has_track (self, i) && !write_counter (self, i, error))
      return FALSE;
  return TRUE;
}

/* Flows */

static gboolean
is_inside (const Writer             *self,
           const CycTimelineFlowEnd *end)
{
  return has_track (self, end->track)
         && (self->area == NULL || (end->time >= self->area->from && end->time < self->area->to));
}

static void
write_flow_end (Writer                   *self,
                const CycTimelineFlowEnd *end)
{
  /* What the bind_id of a span says is said there. */
  if (end->bound)
    return;
  begin_event (self, end->phase);
  put_names (self, end->name, end->category);
  put_place (self, end->track);
  put_span_time (self, "ts", cyc_timeline_get_base (self->timeline), end->time);
  put_members (self, cyc_timeline_get_members (self->timeline, end->members));
  end_event (self);
}

/* Flows that have an end inside are written whole. */
static gboolean
write_flows (Writer  *self,
             GError **error)
{
  guint n;
  const CycTimelineFlowEnd *ends = cyc_timeline_get_flow_ends (self->timeline, &n);

  for (guint i = 0; i < n;)
    {
      gboolean touches = FALSE;
      guint next = i;
      for (; next < n && ends[next].flow == ends[i].flow; next++)
        touches |= is_inside (self, &ends[next]);
      for (; i < next; i++)
        if (touches)
          write_flow_end (self, &ends[i]);
      if (!flush_if_full (self, error))
        return FALSE;
    }
  return TRUE;
}

/**
 * cyc_chrome_write:
 * @timeline: a timeline
 * @area: (nullable): what of it; %NULL for everything
 * @sink: takes the text
 * @user_data: for @sink
 * @cancellable: (nullable): looked at now and then
 * @error: return location for an error
 *
 * Writes Chrome trace JSON: every span that lies in the area, whole, with the names of processes and threads, values
 * of counters inside, flows that touch it, and all that the file said besides its events. Any thread.
 *
 * Returns: %FALSE with @error set if it could not be written
 */
gboolean
cyc_chrome_write (CycTimeline           *timeline,
                  const CycTimelineArea *area,
                  CycJsonSink            sink,
                  gpointer               user_data,
                  GCancellable          *cancellable,
                  GError               **error)
{
  g_autoptr (GString) out = g_string_sized_new (2 * FLUSH_SIZE);
  Writer self = { timeline, area, sink, user_data, cancellable, out, FALSE };
  const char *others = cyc_timeline_get_others (timeline);

  g_string_append (out, "{\"traceEvents\":[");
  if (!write_metadata (&self, error) || !write_spans (&self, error))
    return FALSE;
  write_outliers (&self);
  if (!write_counters (&self, error) || !write_flows (&self, error))
    return FALSE;
  g_string_append_printf (out, "\n]%s%s}\n", *others != '\0' ? "," : "", others);
  return flush (&self, error);
}
