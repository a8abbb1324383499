/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "core/base/cyc-number.h"
#include "core/base/cyc-util.h"
#include "core/timeline/cyc-json-scan-private.h"
#include "core/timeline/cyc-timeline-builder-private.h"

/* Takes the events of a file as they come. What needs all of them (pairs, order, rows, flows) is done at the end. */

/* 146,000 years: what is farther is no time. */
#define MAX_US (G_MAXINT64 / 2)

/**
 * cyc_timeline_builder_new:
 *
 * Returns: (transfer full): a builder without events; for one thread at a time
 */
CycTimelineBuilder *
cyc_timeline_builder_new (void)
{
  CycTimelineBuilder *self = g_new0 (CycTimelineBuilder, 1);

  self->timeline = _cyc_timeline_new ();
  self->members = g_string_new (NULL);
  /* The first text of members is empty. */
  g_string_append_c (self->members, '\0');
  self->scratch = g_string_new (NULL);
  self->repaired_texts = g_hash_table_new (NULL, NULL);
  self->process_keys = cyc_string_table_new ();
  self->processes = g_array_new (FALSE, TRUE, sizeof (StagedPlace));
  self->track_keys = cyc_string_table_new ();
  self->tracks = g_array_new (FALSE, TRUE, sizeof (StagedPlace));
  self->pair_keys = cyc_string_table_new ();
  self->flow_keys = cyc_string_table_new ();
  self->series_keys = cyc_string_table_new ();
  self->counter_members = cyc_string_table_new ();
  self->counter_places = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->long_durations = g_array_new (FALSE, FALSE, sizeof (CycTraceTime));
  self->tasks = g_array_new (FALSE, FALSE, sizeof (StagedTask));
  self->spans = g_array_new (FALSE, FALSE, sizeof (StagedSpan));
  self->flows = g_array_new (FALSE, FALSE, sizeof (StagedFlow));
  self->series = g_array_new (FALSE, FALSE, sizeof (StagedSeries));
  self->categories = g_array_new (FALSE, TRUE, sizeof (guint8));
  return self;
}

/**
 * cyc_timeline_builder_free:
 * @self: a builder
 */
void
cyc_timeline_builder_free (CycTimelineBuilder *self)
{
  g_clear_pointer (&self->timeline, cyc_timeline_unref);
  g_string_free (self->members, TRUE);
  g_string_free (self->scratch, TRUE);
  g_hash_table_unref (self->repaired_texts);
  cyc_string_table_free (self->process_keys);
  g_array_unref (self->processes);
  cyc_string_table_free (self->track_keys);
  g_array_unref (self->tracks);
  cyc_string_table_free (self->pair_keys);
  cyc_string_table_free (self->flow_keys);
  cyc_string_table_free (self->series_keys);
  cyc_string_table_free (self->counter_members);
  g_array_unref (self->counter_places);
  g_array_unref (self->long_durations);
  g_array_unref (self->tasks);
  g_array_unref (self->spans);
  g_array_unref (self->flows);
  for (guint i = 0; i < self->series->len; i++)
    g_array_unref (g_array_index (self->series, StagedSeries, i).values);
  g_array_unref (self->series);
  g_array_unref (self->categories);
  g_free (self);
}

/* Names */

static guint32
add_text (CycTimelineBuilder *self,
          const char         *text,
          gsize               len,
          guint64             offset,
          CycTraceRepairs    *repairs)
{
  CycStringTable *texts = self->timeline->texts;
  guint32 n = cyc_string_table_get_n (texts);
  guint32 id = cyc_string_table_add (texts, text, len);

  if (id == n && !g_utf8_validate (text, (gssize) len, NULL))
    {
      g_autofree char *valid = cyc_utf8_make_valid (text, len);
      guint32 good = cyc_string_table_add (texts, valid, strlen (valid));
      g_hash_table_insert (self->repaired_texts, GUINT_TO_POINTER (id), GUINT_TO_POINTER (good));
    }
  if (g_hash_table_size (self->repaired_texts) == 0)
    return id;
  gpointer good = g_hash_table_lookup (self->repaired_texts, GUINT_TO_POINTER (id));
  if (good == NULL)
    return id;
  cyc_trace_repairs_add (repairs, CYC_REPAIR_UTF8, offset);
  return GPOINTER_TO_UINT (good);
}

/* The number of a value's text; 0 for one that is not there. */
guint32
_cyc_timeline_builder_intern (CycTimelineBuilder   *self,
                              const CycChromeValue *value,
                              guint64               offset,
                              CycTraceRepairs      *repairs)
{
  if (value->kind == CYC_CHROME_ABSENT)
    return 0;
  if (!cyc_chrome_value_has_escapes (value))
    return add_text (self, value->text, value->len, offset, repairs);
  gsize len;
  g_autofree char *text = cyc_chrome_value_decode (value, &len);
  return add_text (self, text, len, offset, repairs);
}

/* The same for what is nearly always that of the event before. */
static guint32
intern_again (CycTimelineBuilder   *self,
              LastValue            *last,
              const CycChromeValue *value,
              guint64               offset,
              CycTraceRepairs      *repairs)
{
  if (value->len > 0 && value->len == last->len && memcmp (value->text, last->text, last->len) == 0)
    return last->id;
  guint64 n_repaired = repairs->counts[CYC_REPAIR_UTF8];
  guint32 id = _cyc_timeline_builder_intern (self, value, offset, repairs);
  /* What is repaired is counted each time. */
  last->len = value->len <= sizeof last->text && repairs->counts[CYC_REPAIR_UTF8] == n_repaired ? value->len : 0;
  if (last->len > 0)
    memcpy (last->text, value->text, last->len);
  last->id = id;
  return id;
}

/* Index of a process. */
guint32
_cyc_timeline_builder_get_process (CycTimelineBuilder *self,
                                   guint32             id)
{
  if (self->last_process > 0 && self->last_process_id == id)
    return self->last_process - 1;
  guint32 process = cyc_string_table_add (self->process_keys, (const char *) &id, sizeof id);

  self->last_process_id = id;
  self->last_process = process + 1;
  if (process == self->processes->len)
    {
      StagedPlace place = { .id = id };
      g_array_append_val (self->processes, place);
    }
  return process;
}

/* Index of a track. */
guint32
_cyc_timeline_builder_get_track (CycTimelineBuilder *self,
                                 CycTrackKind        kind,
                                 guint32             process,
                                 guint32             id)
{
  const guint32 key[] = { kind, process, id };
  KnownTrack *known = &self->known_tracks[(id + process) % N_KNOWN_TRACKS];

  if (known->track > 0 && known->kind == kind && known->process == process && known->id == id)
    return known->track - 1;
  guint32 track = cyc_string_table_add (self->track_keys, (const char *) key, sizeof key);
  *known = (KnownTrack) { kind, process, id, track + 1 };
  if (track == self->tracks->len)
    {
      StagedPlace place = { .kind = kind, .process = process, .id = id };
      g_array_append_val (self->tracks, place);
    }
  return track;
}

/* Index of the process of an event. */
guint32
_cyc_timeline_builder_get_event_process (CycTimelineBuilder   *self,
                                         const CycChromeEvent *event,
                                         CycTraceRepairs      *repairs)
{
  static const CycChromeValue zero = { "0", 1, CYC_CHROME_WORD };
  const CycChromeValue *pid = &event->pid;

  if (pid->kind == CYC_CHROME_ABSENT)
    {
      cyc_trace_repairs_add (repairs, CYC_REPAIR_NO_PID, event->offset);
      pid = &zero;
    }
  return _cyc_timeline_builder_get_process (self, intern_again (self, &self->last_pid, pid, event->offset, repairs));
}

/* A number and a text with the same digits are the same thread. */
static guint32
get_event_thread (CycTimelineBuilder   *self,
                  const CycChromeEvent *event,
                  CycTraceRepairs      *repairs)
{
  static const CycChromeValue zero = { "0", 1, CYC_CHROME_WORD };
  const CycChromeValue *tid = event->tid.kind != CYC_CHROME_ABSENT ? &event->tid : &zero;
  guint32 process = _cyc_timeline_builder_get_event_process (self, event, repairs);

  return _cyc_timeline_builder_get_track (self, CYC_TRACK_THREAD, process,
                                          intern_again (self, &self->last_tid, tid, event->offset, repairs));
}

/* Times */

/* A value as a number; FALSE if it is none. */
gboolean
_cyc_chrome_value_get_double (const CycChromeValue *value,
                              double               *out_value)
{
  return value->kind == CYC_CHROME_WORD && cyc_number_parse_double (value->text, value->len, out_value);
}

static gboolean
get_time (const CycTimelineBuilder *self,
          const CycChromeEvent     *event,
          const CycChromeValue     *value,
          CycTraceTime             *out_time,
          CycTraceRepairs          *repairs)
{
  if (value->kind != CYC_CHROME_WORD && value->kind != CYC_CHROME_TEXT)
    return FALSE;
  if (!(self->reading == NULL ? cyc_trace_time_parse (value->text, value->len, out_time)
                              : cyc_timeline_reading_parse (self->reading, value->text, value->len, out_time)))
    return FALSE;
  /* Room for a duration behind it. */
  if (out_time->us > MAX_US || out_time->us < -MAX_US)
    return FALSE;
  if (value->kind == CYC_CHROME_TEXT)
    cyc_trace_repairs_add (repairs, CYC_REPAIR_TEXT_TIME, event->offset);
  if (!out_time->exact)
    cyc_trace_repairs_add (repairs, CYC_REPAIR_FINE_TIME, event->offset);
  return TRUE;
}

/* Members */

/* Appends a value as it is written; as a text if that is no JSON. */
void
_cyc_chrome_value_append (const CycChromeValue *value,
                          const char           *key,
                          GString              *out)
{
  gsize quotes = value->kind == CYC_CHROME_TEXT;

  if (value->kind == CYC_CHROME_ABSENT)
    return;
  g_string_append_printf (out, "%s\"%s\":", out->len > 0 ? "," : "", key);
  _cyc_json_scan_tidy (value->text - quotes, value->len + 2 * quotes, out);
}

/* Appends a time as it is written, in microseconds if the file has another unit. */
static void
append_time (CycTimelineBuilder   *self,
             const CycChromeValue *value,
             const char           *key,
             GString              *out)
{
  CycTraceTime time;

  if (self->reading == NULL || value->kind == CYC_CHROME_ABSENT
      || !cyc_timeline_reading_parse (self->reading, value->text, value->len, &time))
    {
      _cyc_chrome_value_append (value, key, out);
      return;
    }
  g_string_append_printf (out, "%s\"%s\":", out->len > 0 ? "," : "", key);
  cyc_timeline_reading_append (self->reading, value->text, value->len, out);
}

/* Where the members of an event are kept; with its times as they are written if @source, its tid if @thread. */
static guint64
keep_members (CycTimelineBuilder   *self,
              const CycChromeEvent *event,
              gboolean              source,
              gboolean              thread,
              CycTraceRepairs      *repairs)
{
  GString *members = self->members;
  gsize start = members->len;
  gboolean utf8;

  /* Through a copy, since a text must not begin with a comma. */
  if (source || thread)
    {
      g_string_truncate (self->scratch, 0);
      utf8 = cyc_chrome_event_append_members (event, self->scratch);
      if (thread)
        _cyc_chrome_value_append (&event->tid, "tid", self->scratch);
      if (source)
        {
          append_time (self, &event->ts, "ts", self->scratch);
          append_time (self, &event->dur, "dur", self->scratch);
        }
      g_string_append_len (members, self->scratch->str, (gssize) self->scratch->len);
    }
  else
    {
      utf8 = cyc_chrome_event_append_members (event, members);
    }
  if (!utf8)
    cyc_trace_repairs_add (repairs, CYC_REPAIR_UTF8, event->offset);
  if (members->len == start)
    return 0;
  g_string_append_c (members, '\0');
  return start;
}

/* Events */

static StagedSpan
make_span (CycTimelineBuilder   *self,
           const CycChromeEvent *event,
           const CycTraceTime   *time,
           guint32               track,
           CycTraceRepairs      *repairs)
{
  return (StagedSpan) {
    .us = time->us,
    .ps = time->ps,
    .name = _cyc_timeline_builder_intern (self, &event->name, event->offset, repairs),
    .category = intern_again (self, &self->last_category, &event->category, event->offset, repairs),
    .track = track,
    .phase = (guint8) event->phase,
  };
}

/* The id of an id2: its local or global one, however it is written. */
static CycChromeValue
get_id2 (const CycChromeEvent *event,
         gboolean             *out_local)
{
  static const char *const keys[] = { "local", "global" };
  CycChromeValue id = event->id2;

  *out_local = FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (keys) && event->id2.kind == CYC_CHROME_OBJECT; i++)
    {
      gsize len;
      const char *value = _cyc_json_scan_find (event->id2.text + 1, event->id2.len - 2, keys[i], &len);
      if (value == NULL)
        continue;
      *out_local = i == 0;
      cyc_chrome_value_init (&id, value, len);
      break;
    }
  return id;
}

/* What tells a flow or an asynchronous event from others: id2 counts as an id, with its scope; a local one counts in
 * its process only. */
static guint32
get_key (CycTimelineBuilder   *self,
         CycStringTable       *keys,
         const CycChromeEvent *event,
         guint32               process,
         guint32               more,
         CycTraceRepairs      *repairs)
{
  gboolean local = FALSE;
  CycChromeValue id = event->id.kind != CYC_CHROME_ABSENT ? event->id : get_id2 (event, &local);
  const guint32 key[] = {
    _cyc_timeline_builder_intern (self, &event->category, event->offset, repairs),
    _cyc_timeline_builder_intern (self, &id, event->offset, repairs),
    _cyc_timeline_builder_intern (self, &event->scope, event->offset, repairs),
    more,
    local ? process + 1 : 0,
  };

  return cyc_string_table_add (keys, (const char *) key, sizeof key);
}

static gboolean
is_true (const CycChromeValue *value)
{
  return value->kind == CYC_CHROME_WORD && value->len == 4 && memcmp (value->text, "true", 4) == 0;
}

static void
add_flow (CycTimelineBuilder   *self,
          const CycChromeEvent *event,
          const CycTraceTime   *time,
          char                  phase,
          guint32               staged,
          CycTraceRepairs      *repairs)
{
  gboolean bound = staged != CYC_TIMELINE_NONE;
  guint32 track = get_event_thread (self, event, repairs);
  guint32 process = g_array_index (self->tracks, StagedPlace, track).process;
  guint32 name = _cyc_timeline_builder_intern (self, &event->name, event->offset, repairs);
  StagedFlow flow = {
    .time = *time,
    .track = track,
    .name = name,
    .category = _cyc_timeline_builder_intern (self, &event->category, event->offset, repairs),
    /* A flow of spans is told by its bind_id alone: the spans have names of their own. */
    .flow = bound ? cyc_string_table_add (self->flow_keys, event->bind_id.text, event->bind_id.len)
                  : get_key (self, self->flow_keys, event, process, name, repairs),
    .staged = staged,
    .phase = phase,
    .enclosing = phase != 'f' || _cyc_json_scan_is_key (event->binding_point.text, event->binding_point.len, "e"),
    .members = bound ? 0 : keep_members (self, event, FALSE, FALSE, repairs),
    .offset = event->offset,
  };
  g_array_append_val (self->flows, flow);
}

/* The flows of a span with a bind_id. */
static void
add_bound_flow (CycTimelineBuilder   *self,
                const CycChromeEvent *event,
                const CycTraceTime   *time,
                CycTraceRepairs      *repairs)
{
  gboolean in = is_true (&event->flow_in), out = is_true (&event->flow_out);

  if (event->bind_id.kind == CYC_CHROME_ABSENT || (!in && !out))
    return;
  add_flow (self, event, time, in && out ? 't' : in ? 'f' : 's', self->spans->len - 1, repairs);
}

/* The duration of a span; one that the columns do not reach makes it an outlier. */
void
_cyc_timeline_builder_set_duration (CycTimelineBuilder *self,
                                    StagedSpan         *span,
                                    const CycTraceTime *duration)
{
  if (cyc_trace_time_get_offset (duration, 0, &span->duration))
    return;
  span->duration = -1 - (gint64) self->long_durations->len;
  g_array_append_val (self->long_durations, *duration);
}

/* The duration of a complete event; whether it needs its own text. */
static gboolean
set_duration (CycTimelineBuilder   *self,
              const CycChromeEvent *event,
              StagedSpan           *span,
              CycTraceRepairs      *repairs)
{
  CycTraceTime duration;

  span->duration = 0;
  if (!get_time (self, event, &event->dur, &duration, repairs))
    {
      cyc_trace_repairs_add (repairs, CYC_REPAIR_NO_DURATION, event->offset);
      return event->dur.kind != CYC_CHROME_ABSENT;
    }
  if (duration.us < 0)
    {
      cyc_trace_repairs_add (repairs, CYC_REPAIR_NEGATIVE, event->offset);
      return TRUE;
    }
  _cyc_timeline_builder_set_duration (self, span, &duration);
  return !duration.exact || span->duration < 0;
}

static void
add_complete (CycTimelineBuilder   *self,
              const CycChromeEvent *event,
              const CycTraceTime   *time,
              CycTraceRepairs      *repairs)
{
  StagedSpan span = make_span (self, event, time, get_event_thread (self, event, repairs), repairs);
  gboolean source = set_duration (self, event, &span, repairs) || !time->exact;

  span.flags = source ? CYC_SPAN_SOURCE : 0;
  span.members = keep_members (self, event, source, FALSE, repairs);
  g_array_append_val (self->spans, span);
  add_bound_flow (self, event, time, repairs);
}

static void
add_instant (CycTimelineBuilder   *self,
             const CycChromeEvent *event,
             const CycTraceTime   *time,
             CycTraceRepairs      *repairs)
{
  StagedSpan span = make_span (self, event, time, get_event_thread (self, event, repairs), repairs);

  span.phase = 'i';
  span.flags = CYC_SPAN_INSTANT | (time->exact ? 0 : CYC_SPAN_SOURCE);
  span.members = keep_members (self, event, !time->exact, FALSE, repairs);
  g_array_append_val (self->spans, span);
}

/* A beginning or an end on a thread. */
static void
add_half (CycTimelineBuilder   *self,
          const CycChromeEvent *event,
          const CycTraceTime   *time,
          CycTraceRepairs      *repairs)
{
  StagedSpan span = make_span (self, event, time, get_event_thread (self, event, repairs), repairs);

  span.flags = CYC_SPAN_PAIR | (time->exact ? 0 : CYC_SPAN_SOURCE);
  if (_cyc_timeline_builder_wants_half (self, event->phase == 'B', time))
    span.members = keep_members (self, event, !time->exact, FALSE, repairs);
  g_array_append_val (self->spans, span);
  if (event->phase == 'B')
    add_bound_flow (self, event, time, repairs);
}

/* An asynchronous event: its track is that of its category. */
static void
add_async (CycTimelineBuilder   *self,
           const CycChromeEvent *event,
           const CycTraceTime   *time,
           CycTraceRepairs      *repairs)
{
  guint32 category = _cyc_timeline_builder_intern (self, &event->category, event->offset, repairs);
  guint32 process = _cyc_timeline_builder_get_event_process (self, event, repairs);
  guint32 track = _cyc_timeline_builder_get_track (self, CYC_TRACK_ASYNC, process, category);
  StagedSpan span = make_span (self, event, time, track, repairs);
  gboolean begins = event->phase == 'b' || event->phase == 'S';
  gboolean ends = event->phase == 'e' || event->phase == 'F';

  span.flags = CYC_SPAN_ASYNC | (time->exact ? 0 : CYC_SPAN_SOURCE);
  span.flags |= begins || ends ? CYC_SPAN_PAIR : CYC_SPAN_INSTANT;
  span.phase = begins ? 'b' : ends ? 'e' : 'i';
  if (begins || ends)
    span.duration = get_key (self, self->pair_keys, event, process, span.name, repairs);
  if (span.phase == 'i' || _cyc_timeline_builder_wants_half (self, begins, time))
    span.members = keep_members (self, event, !time->exact, TRUE, repairs);
  g_array_append_val (self->spans, span);
}

/* Whether only a part of the file is read, which the event does not belong to. */
static gboolean
is_left_out (CycTimelineBuilder   *self,
             const CycChromeEvent *event,
             const CycTraceTime   *time,
             CycTraceRepairs      *repairs)
{
  if (!self->is_part || strchr ("BEbeSF", event->phase) != NULL)
    return FALSE;
  guint32 category = intern_again (self, &self->last_category, &event->category, event->offset, repairs);
  return _cyc_timeline_builder_leave_out (self, event, time, category);
}

/**
 * cyc_timeline_builder_add_event:
 * @self: a builder
 * @event: an event of a file
 * @repairs: where to note what is wrong with it
 *
 * Takes an event; nothing of @event is needed after.
 */
void
cyc_timeline_builder_add_event (CycTimelineBuilder   *self,
                                const CycChromeEvent *event,
                                CycTraceRepairs      *repairs)
{
  CycTraceTime time;
  guchar phase = (guchar) event->phase;

  if (event->ph.kind == CYC_CHROME_ABSENT)
    {
      cyc_trace_repairs_add (repairs, CYC_REPAIR_NO_PHASE, event->offset);
      return;
    }
  if (phase < G_N_ELEMENTS (self->timeline->n_phases))
    self->timeline->n_phases[phase]++;
  if (phase == 'M')
    {
      _cyc_timeline_builder_add_metadata (self, event, repairs);
      return;
    }
  if (phase != 'X' && (phase == 0 || strchr ("BEiIbenSTFpstfC", phase) == NULL))
    {
      cyc_trace_repairs_add (repairs, CYC_REPAIR_OTHER_PHASE, event->offset);
      return;
    }
  if (!get_time (self, event, &event->ts, &time, repairs))
    {
      cyc_trace_repairs_add (repairs, CYC_REPAIR_NO_TIME, event->offset);
      return;
    }
  if (is_left_out (self, event, &time, repairs))
    return;
  switch (phase)
    {
    case 'X':
      add_complete (self, event, &time, repairs);
      break;
    case 'B':
    case 'E':
      add_half (self, event, &time, repairs);
      break;
    case 'i':
    case 'I':
      add_instant (self, event, &time, repairs);
      break;
    case 'C':
      _cyc_timeline_builder_add_counter (self, event, &time, repairs);
      break;
    case 's':
    case 't':
    case 'f':
      add_flow (self, event, &time, event->phase, CYC_TIMELINE_NONE, repairs);
      break;
    default:
      add_async (self, event, &time, repairs);
      break;
    }
}
