/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "core/base/cyc-json-writer.h"
#include "core/base/cyc-number.h"
#include "core/timeline/cyc-json-scan-private.h"
#include "core/timeline/cyc-timeline-builder-private.h"

/* Counters: each argument of an event is a value of a series. */

/* So many digits a double always keeps. */
#define EXACT_DIGITS 15

/* Members */

/* What an event says besides name, pid, ts and its arguments; its name too, if that is not what tells the counter, even
 * one that is not there: the track's name is not written in its place then. */
static guint64
keep_members (CycTimelineBuilder   *self,
              const CycChromeEvent *event)
{
  static const CycChromeValue no_name = { "\"\"", 2, CYC_CHROME_WORD };
  GString *text = self->scratch;

  g_string_truncate (text, 0);
  if (event->id.kind != CYC_CHROME_ABSENT)
    _cyc_chrome_value_append (event->name.kind != CYC_CHROME_ABSENT ? &event->name : &no_name, "name", text);
  _cyc_chrome_value_append (&event->category, "cat", text);
  _cyc_chrome_value_append (&event->tid, "tid", text);
  for (guint i = 0; i < event->members->len; i++)
    {
      const CycChromeValue *member = &g_array_index (event->members, CycChromeValue, i);
      /* The arguments are in the series. */
      if (event->args.text != NULL && member->text < event->args.text
          && event->args.text < member->text + member->len)
        continue;
      if (text->len > 0)
        g_string_append_c (text, ',');
      _cyc_json_scan_tidy (member->text, member->len, text);
    }
  if (text->len == 0)
    return 0;
  guint32 known = cyc_string_table_get_n (self->counter_members);
  guint32 number = cyc_string_table_add (self->counter_members, text->str, text->len);
  if (number == known)
    {
      guint64 place = self->members->len;
      g_string_append_len (self->members, text->str, (gssize) text->len + 1);
      g_array_append_val (self->counter_places, place);
    }
  return g_array_index (self->counter_places, guint64, number);
}

/* Whether the digits of a number are more than its double keeps for sure. */
static gboolean
is_long (const CycChromeValue *value)
{
  guint n = 0;

  for (gsize i = 0; i < value->len && value->text[i] != 'e' && value->text[i] != 'E'; i++)
    n += g_ascii_isdigit (value->text[i]) && (n > 0 || value->text[i] != '0');
  return n > EXACT_DIGITS;
}

/* Where a value is kept that its double does not say to the last digit. */
static guint64
keep_text (CycTimelineBuilder   *self,
           const CycChromeValue *value,
           double                number)
{
  char buf[CYC_DOUBLE_BUF];
  guint64 place = self->members->len;

  if (!is_long (value))
    return 0;
  cyc_number_format_double (buf, number);
  if (strlen (buf) == value->len && memcmp (buf, value->text, value->len) == 0)
    return 0;
  _cyc_json_scan_tidy (value->text, value->len, self->members);
  g_string_append_c (self->members, '\0');
  return place;
}

/* Values */

static void
add_value (CycTimelineBuilder   *self,
           const CycChromeEvent *event,
           const CycTraceTime   *time,
           guint32               track,
           guint64               members,
           const CycChromeValue *key,
           const CycChromeValue *value,
           CycTraceRepairs      *repairs)
{
  StagedValue staged = { .time = *time, .source = { 0, members } };

  if (!_cyc_chrome_value_get_double (value, &staged.value))
    {
      cyc_trace_repairs_add (repairs, CYC_REPAIR_SERIES, event->offset);
      return;
    }
  staged.source.text = keep_text (self, value, staged.value);
  guint32 name = _cyc_timeline_builder_intern (self, key, event->offset, repairs);
  const guint32 ids[] = { track, name };
  guint32 index = cyc_string_table_add (self->series_keys, (const char *) ids, sizeof ids);
  if (index == self->series->len)
    {
      StagedSeries series = { track, name, g_array_new (FALSE, FALSE, sizeof (StagedValue)) };
      g_array_append_val (self->series, series);
    }
  g_array_append_val (g_array_index (self->series, StagedSeries, index).values, staged);
}

/* The name of a counter: those with an id are told apart by it. */
static guint32
get_name (CycTimelineBuilder   *self,
          const CycChromeEvent *event,
          CycTraceRepairs      *repairs)
{
  guint32 name = _cyc_timeline_builder_intern (self, &event->name, event->offset, repairs);

  if (event->id.kind == CYC_CHROME_ABSENT)
    return name;
  gsize len;
  g_autofree char *id = cyc_chrome_value_decode (&event->id, &len);
  g_autoptr (GString) joined = g_string_new (cyc_timeline_get_text (self->timeline, name));
  g_string_append_c (joined, '[');
  g_string_append_len (joined, id, (gssize) len);
  g_string_append_c (joined, ']');
  CycChromeValue value = { joined->str, joined->len, CYC_CHROME_WORD };
  return _cyc_timeline_builder_intern (self, &value, event->offset, repairs);
}

/* A counter event. */
void
_cyc_timeline_builder_add_counter (CycTimelineBuilder   *self,
                                   const CycChromeEvent *event,
                                   const CycTraceTime   *time,
                                   CycTraceRepairs      *repairs)
{
  guint32 process = _cyc_timeline_builder_get_event_process (self, event, repairs);
  guint32 track = _cyc_timeline_builder_get_track (self, CYC_TRACK_COUNTER, process, get_name (self, event, repairs));

  if (event->args.kind != CYC_CHROME_OBJECT)
    {
      cyc_trace_repairs_add (repairs, CYC_REPAIR_SERIES, event->offset);
      return;
    }
  guint64 members = keep_members (self, event);
  CycJsonScan scan = { event->args.text + 1, event->args.text + event->args.len - 1, 0 };
  const char *key, *text;
  gsize key_len, len;
  while (_cyc_json_scan_member (&scan, &key, &key_len, &text, &len))
    {
      CycChromeValue series = { key, key_len, CYC_CHROME_TEXT }, value;
      cyc_chrome_value_init (&value, text, len);
      add_value (self, event, time, track, members, &series, &value, repairs);
    }
}

/* Columns */

static int
compare_values (gconstpointer pa,
                gconstpointer pb)
{
  const StagedValue *a = pa, *b = pb;

  if (a->time.us != b->time.us)
    return a->time.us < b->time.us ? -1 : 1;
  return (a->time.ps > b->time.ps) - (a->time.ps < b->time.ps);
}

static int
compare_series (gconstpointer pa,
                gconstpointer pb)
{
  const StagedSeries *a = pa, *b = pb;

  if (a->track != b->track)
    return a->track < b->track ? -1 : 1;
  return (a->name > b->name) - (a->name < b->name);
}

/* A value that is too far away is kept as an event. */
static void
keep_far_value (CycTimelineBuilder *self,
                const StagedSeries *series,
                const StagedValue  *value)
{
  CycTimeline *timeline = self->timeline;
  const CycTimelineTrack *track = &g_array_index (timeline->tracks, CycTimelineTrack, series->track);
  const char *pid = g_array_index (timeline->processes, CycTimelineProcess, track->process).id;
  const char *name = cyc_timeline_get_text (timeline, series->name);
  const char *members = self->members->str + value->source.members;
  const char *exact = self->members->str + value->source.text;
  char time[CYC_TRACE_TIME_BUF], number[CYC_DOUBLE_BUF];
  GString *text = g_string_new ("{\"ph\":\"C\",");

  if (!g_str_has_prefix (members, "\"name\":"))
    {
      g_string_append (text, "\"name\":");
      cyc_json_append_string (text, track->id, strlen (track->id));
      g_string_append_c (text, ',');
    }
  g_string_append (text, "\"pid\":");
  cyc_json_append_string (text, pid, strlen (pid));
  g_string_append_printf (text, ",\"ts\":%s,%s%s\"args\":{", cyc_trace_time_format (&value->time, time), members,
                          *members != '\0' ? "," : "");
  cyc_json_append_string (text, name, strlen (name));
  g_string_append_printf (text, ":%s}}",
                          *exact != '\0' ? exact : cyc_number_format_double (number, value->value));
  g_ptr_array_add (timeline->metadata, g_string_free (text, FALSE));
}

static void
make_one_series (CycTimelineBuilder *self,
                 const StagedSeries *staged,
                 CycTraceRepairs    *repairs)
{
  CycTimeline *timeline = self->timeline;
  guint n_values = staged->values->len;
  gint64 *time = g_new (gint64, MAX (n_values, 1));
  double *value = g_new (double, MAX (n_values, 1));
  g_autofree CycTimelineValueSource *source = g_new (CycTimelineValueSource, MAX (n_values, 1));
  gboolean has_source = FALSE;
  guint32 n = 0;

  g_array_sort (staged->values, compare_values);
  for (guint i = 0; i < n_values; i++)
    {
      const StagedValue *each = &g_array_index (staged->values, StagedValue, i);
      if (!cyc_trace_time_get_offset (&each->time, timeline->base_us, &time[n]))
        {
          cyc_trace_repairs_add (repairs, CYC_REPAIR_FAR, CYC_TRACE_NOWHERE);
          keep_far_value (self, staged, each);
          continue;
        }
      has_source = has_source || each->source.text != 0 || each->source.members != 0;
      source[n] = each->source;
      value[n++] = each->value;
    }
  CycTimelineSeries series = { staged->track, cyc_timeline_get_text (timeline, staged->name), n, time, value,
                               has_source ? g_steal_pointer (&source) : NULL };
  CycTimelineTrack *track = &g_array_index (timeline->tracks, CycTimelineTrack, staged->track);
  if (track->n_series++ == 0)
    track->first_series = timeline->series->len;
  g_array_append_val (timeline->series, series);
}

/*< private >
 * _cyc_timeline_builder_make_series:
 * @self: a builder whose tracks are in order
 * @repairs: where to note values that are too far away
 */
void
_cyc_timeline_builder_make_series (CycTimelineBuilder *self,
                                   CycTraceRepairs    *repairs)
{
  g_array_sort (self->series, compare_series);
  for (guint i = 0; i < self->series->len; i++)
    make_one_series (self, &g_array_index (self->series, StagedSeries, i), repairs);
}
