/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include "core/timeline/cyc-json-scan-private.h"
#include "core/timeline/cyc-timeline-builder-private.h"

/* Names and places of processes and tracks, and counters: what stands in the arguments of events. */

/* A member of an object that has been scanned already. */
static CycChromeValue
find_member (const CycChromeValue *object,
             const char           *wanted)
{
  CycChromeValue found = { NULL, 0, CYC_CHROME_ABSENT };
  gsize len;

  if (object->kind != CYC_CHROME_OBJECT)
    return found;
  const char *value = _cyc_json_scan_find (object->text + 1, object->len - 2, wanted, &len);
  if (value != NULL)
    cyc_chrome_value_init (&found, value, len);
  return found;
}

static gboolean
is_name (const CycChromeEvent *event,
         const char           *name)
{
  return event->name.kind == CYC_CHROME_TEXT && _cyc_json_scan_is_key (event->name.text, event->name.len, name);
}

/* Metadata that says something else is kept whole. */
static void
keep_whole (CycTimelineBuilder   *self,
            const CycChromeEvent *event,
            CycTraceRepairs      *repairs)
{
  static const struct
  {
    const char *key;
    gsize       offset;
  } fields[] = {
    { "name", G_STRUCT_OFFSET (CycChromeEvent, name) }, { "cat", G_STRUCT_OFFSET (CycChromeEvent, category) },
    { "ph", G_STRUCT_OFFSET (CycChromeEvent, ph) },     { "pid", G_STRUCT_OFFSET (CycChromeEvent, pid) },
    { "tid", G_STRUCT_OFFSET (CycChromeEvent, tid) },   { "ts", G_STRUCT_OFFSET (CycChromeEvent, ts) },
    { "dur", G_STRUCT_OFFSET (CycChromeEvent, dur) },
  };
  g_autoptr (GString) raw = g_string_new ("{");
  GString *tidy = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      const CycChromeValue *value = &G_STRUCT_MEMBER (CycChromeValue, event, fields[i].offset);
      const char *quote = value->kind == CYC_CHROME_TEXT ? "\"" : "";
      if (value->kind == CYC_CHROME_ABSENT)
        continue;
      g_string_append_printf (raw, "%s\"%s\":%s", raw->len > 1 ? "," : "", fields[i].key, quote);
      g_string_append_len (raw, value->text, (gssize) value->len);
      g_string_append (raw, quote);
    }
  if (event->members->len > 0)
    g_string_append_c (raw, ',');
  if (!cyc_chrome_event_append_members (event, raw))
    cyc_trace_repairs_add (repairs, CYC_REPAIR_UTF8, event->offset);
  g_string_append_c (raw, '}');
  _cyc_json_scan_tidy (raw->str, raw->len, tidy);
  g_ptr_array_add (self->timeline->metadata, g_string_free (tidy, FALSE));
}

/* Sets what a metadata event says of a place; FALSE if it says something else. */
static gboolean
set_place (CycTimelineBuilder   *self,
           StagedPlace          *place,
           const CycChromeEvent *event,
           const char           *what,
           CycTraceRepairs      *repairs)
{
  CycChromeValue value = find_member (&event->args, what);

  if (strcmp (what, "sort_index") == 0)
    {
      double sort_index;
      if (!_cyc_chrome_value_get_double (&value, &sort_index))
        return FALSE;
      place->has_sort_index = TRUE;
      place->sort_index = sort_index;
      return TRUE;
    }
  if (value.kind != CYC_CHROME_TEXT && value.kind != CYC_CHROME_WORD)
    return FALSE;
  guint32 text = _cyc_timeline_builder_intern (self, &value, event->offset, repairs);
  if (strcmp (what, "name") == 0)
    place->name = text;
  else
    place->labels = text;
  return TRUE;
}

/*< private >
 * _cyc_timeline_builder_add_place:
 * @self: a builder
 * @process: index of a process, or CYC_TIMELINE_NONE for a new process
 * @id: its id
 * @name: (nullable): its name
 * @sort_index: its place; not a number for none
 *
 * Returns: index of the process or track, which is made if it is not there
 */
guint32
_cyc_timeline_builder_add_place (CycTimelineBuilder *self,
                                 guint32             process,
                                 const char         *id,
                                 const char         *name,
                                 double              sort_index)
{
  CycStringTable *texts = self->timeline->texts;
  guint32 text = cyc_string_table_add (texts, id, strlen (id));
  gboolean is_process = process == CYC_TIMELINE_NONE;
  guint32 index = is_process ? _cyc_timeline_builder_get_process (self, text)
                             : _cyc_timeline_builder_get_track (self, CYC_TRACK_THREAD, process, text);
  StagedPlace *place = &g_array_index (is_process ? self->processes : self->tracks, StagedPlace, index);

  /* The first that is said holds. */
  if (name != NULL && place->name == 0)
    place->name = cyc_string_table_add (texts, name, strlen (name));
  if (!place->has_sort_index && !isnan (sort_index))
    {
      place->has_sort_index = TRUE;
      place->sort_index = sort_index;
    }
  return index;
}

/* A metadata event: names, labels and places are taken, the rest is kept. */
void
_cyc_timeline_builder_add_metadata (CycTimelineBuilder   *self,
                                    const CycChromeEvent *event,
                                    CycTraceRepairs      *repairs)
{
  static const struct
  {
    const char *name;
    const char *member;
    gboolean    of_thread;
  } known[] = {
    { "process_name", "name", FALSE },          { "process_labels", "labels", FALSE },
    { "process_sort_index", "sort_index", FALSE }, { "thread_name", "name", TRUE },
    { "thread_sort_index", "sort_index", TRUE },
  };
  static const CycChromeValue zero = { "0", 1, CYC_CHROME_WORD };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    {
      if (!is_name (event, known[i].name))
        continue;
      const CycChromeValue *pid = event->pid.kind != CYC_CHROME_ABSENT ? &event->pid : &zero;
      const CycChromeValue *tid = event->tid.kind != CYC_CHROME_ABSENT ? &event->tid : &zero;
      guint32 process = _cyc_timeline_builder_get_process (
        self, _cyc_timeline_builder_intern (self, pid, event->offset, repairs));
      StagedPlace *place = &g_array_index (self->processes, StagedPlace, process);
      if (known[i].of_thread)
        {
          guint32 id = _cyc_timeline_builder_intern (self, tid, event->offset, repairs);
          guint32 track = _cyc_timeline_builder_get_track (self, CYC_TRACK_THREAD, process, id);
          place = &g_array_index (self->tracks, StagedPlace, track);
        }
      if (set_place (self, place, event, known[i].member, repairs))
        return;
    }
  keep_whole (self, event, repairs);
}

/* Order */

static gboolean
is_integer (const char *text)
{
  gsize len = strlen (text);
  gsize sign = *text == '-';

  return len > sign && len < 19 && strspn (text + sign, "0123456789") == len - sign;
}

/* Numbers by value, before other texts, which go in natural order. */
static int
compare_ids (const char *a,
             const char *b)
{
  gboolean number_a = is_integer (a), number_b = is_integer (b);

  if (number_a && number_b)
    {
      gint64 value_a = g_ascii_strtoll (a, NULL, 10), value_b = g_ascii_strtoll (b, NULL, 10);
      return (value_a > value_b) - (value_a < value_b);
    }
  if (number_a != number_b)
    return number_a ? -1 : 1;
  g_autofree char *key_a = g_utf8_collate_key_for_filename (a, -1);
  g_autofree char *key_b = g_utf8_collate_key_for_filename (b, -1);
  int order = strcmp (key_a, key_b);
  return order != 0 ? order : strcmp (a, b);
}

typedef struct
{
  const StagedPlace *place;
  const char        *id;
  guint32            process; /* rank of its process */
  guint32            index;
} Sorted;

static int
compare_places (gconstpointer pa,
                gconstpointer pb)
{
  const Sorted *a = pa, *b = pb;

  if (a->process != b->process)
    return a->process < b->process ? -1 : 1;
  if (a->place->kind != b->place->kind)
    return a->place->kind < b->place->kind ? -1 : 1;
  /* Who gives no place is at 0, as in other viewers. */
  if (a->place->sort_index != b->place->sort_index)
    return a->place->sort_index < b->place->sort_index ? -1 : 1;
  int order = compare_ids (a->id, b->id);
  return order != 0 ? order : (a->index > b->index) - (a->index < b->index);
}

/* The places in order. @ranks: of processes, by index; NULL while these are sorted. */
static GArray *
sort_places (CycTimelineBuilder *self,
             GArray             *places,
             const guint32      *ranks)
{
  GArray *sorted = g_array_sized_new (FALSE, FALSE, sizeof (Sorted), places->len);

  for (guint32 i = 0; i < places->len; i++)
    {
      const StagedPlace *place = &g_array_index (places, StagedPlace, i);
      Sorted entry = { place, cyc_timeline_get_text (self->timeline, place->id),
                       ranks != NULL ? ranks[place->process] : 0, i };
      g_array_append_val (sorted, entry);
    }
  g_array_sort (sorted, compare_places);
  return sorted;
}

static guint32 *
get_ranks (GArray *sorted)
{
  guint32 *ranks = g_new (guint32, MAX (sorted->len, 1));

  for (guint32 i = 0; i < sorted->len; i++)
    ranks[g_array_index (sorted, Sorted, i).index] = i;
  return ranks;
}

static const char *
get_name (CycTimeline       *timeline,
          const StagedPlace *place)
{
  return cyc_timeline_get_text (timeline, place->name != 0 ? place->name : place->id);
}

/* The type of a core whose name is that of a profiler: what stands before its number, such as AIC; NULL for others. */
static const char *
find_group (CycTimeline *timeline,
            const char  *name)
{
  const char *slash = strrchr (name, '/');

  if (slash == NULL || slash[1] == '\0' || strspn (slash + 1, "0123456789") != strlen (slash + 1) || slash - name < 3)
    return NULL;
  const char *type = slash - 3;
  if ((strncmp (type, "AIC", 3) != 0 && strncmp (type, "AIV", 3) != 0) || (type > name && type[-1] != '/'))
    return NULL;
  return cyc_timeline_get_text (timeline, cyc_string_table_add (timeline->texts, name, (gsize) (slash - name)));
}

static void
add_process (CycTimeline       *timeline,
             const StagedPlace *place)
{
  CycTimelineProcess process = {
    .id = cyc_timeline_get_text (timeline, place->id),
    .name = get_name (timeline, place),
    .labels = place->labels != 0 ? cyc_timeline_get_text (timeline, place->labels) : NULL,
    .has_sort_index = place->has_sort_index,
    .sort_index = place->sort_index,
  };

  g_array_append_val (timeline->processes, process);
}

static void
add_track (CycTimeline       *timeline,
           const StagedPlace *place,
           guint32            process)
{
  CycTimelineTrack track = {
    .kind = place->kind,
    .process = process,
    .id = cyc_timeline_get_text (timeline, place->id),
    .name = get_name (timeline, place),
    .group = place->kind == CYC_TRACK_THREAD ? find_group (timeline, get_name (timeline, place)) : NULL,
    .has_sort_index = place->has_sort_index,
    .sort_index = place->sort_index,
  };
  CycTimelineProcess *owner = &g_array_index (timeline->processes, CycTimelineProcess, process);

  if (owner->n_tracks++ == 0)
    owner->first_track = timeline->tracks->len;
  g_array_append_val (timeline->tracks, track);
}

/* Puts processes and tracks in order, and tells everything that is staged its new track. */
void
_cyc_timeline_builder_place_tracks (CycTimelineBuilder *self)
{
  g_autoptr (GArray) processes = sort_places (self, self->processes, NULL);
  g_autofree guint32 *process_ranks = get_ranks (processes);
  g_autoptr (GArray) tracks = sort_places (self, self->tracks, process_ranks);
  g_autofree guint32 *track_ranks = get_ranks (tracks);

  for (guint i = 0; i < processes->len; i++)
    add_process (self->timeline, g_array_index (processes, Sorted, i).place);
  for (guint i = 0; i < tracks->len; i++)
    add_track (self->timeline, g_array_index (tracks, Sorted, i).place, g_array_index (tracks, Sorted, i).process);
  for (guint i = 0; i < self->spans->len; i++)
    {
      StagedSpan *span = &g_array_index (self->spans, StagedSpan, i);
      span->track = track_ranks[span->track];
    }
  for (guint i = 0; i < self->flows->len; i++)
    {
      StagedFlow *flow = &g_array_index (self->flows, StagedFlow, i);
      flow->track = track_ranks[flow->track];
    }
  for (guint i = 0; i < self->series->len; i++)
    {
      StagedSeries *series = &g_array_index (self->series, StagedSeries, i);
      series->track = track_ranks[series->track];
    }
}
