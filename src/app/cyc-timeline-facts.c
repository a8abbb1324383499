/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-timeline-facts.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/cyc-format.h"
#include "core/base/cyc-json-value.h"
#include "core/base/cyc-task.h"
#include "core/timeline/cyc-timeline-stats.h"
#include "plot/cyc-timeline-units.h"

/* All that is known of a span, gathered on a thread: its members are parsed, and flows are looked through. */

#define MAX_CHILDREN 12
#define MAX_FLOWS 24
#define MAX_MEMBERS 200 /* of each kind; the list makes a widget of each */
#define MAX_PARENTS 200
#define MAX_VALUE_CHARS 4000

typedef struct
{
  CycTimeline *timeline;
  guint32      span;
} Request;

typedef struct
{
  CycTimeline            *timeline;
  const CycTimelineSpans *spans;
  guint32                 span;
  const CycTimelineRow   *row;
  const CycTimelineTrack *track;
  CycTimelineUnits        units;
  GPtrArray              *facts;
} Gathering;

static void
request_free (gpointer data)
{
  Request *self = data;

  cyc_timeline_unref (self->timeline);
  g_free (self);
}

static void
fact_free (gpointer data)
{
  CycTimelineFact *self = data;

  g_free (self->label);
  g_free (self->value);
  g_free (self);
}

static CycTimelineFact *
add (Gathering  *self,
     const char *label,
     const char *value)
{
  CycTimelineFact *fact = g_new0 (CycTimelineFact, 1);

  fact->label = cyc_format_printable (label);
  fact->value = value != NULL ? cyc_format_printable (value) : NULL;
  fact->span = CYC_TIMELINE_NONE;
  g_ptr_array_add (self->facts, fact);
  return fact;
}

static void
add_taken (Gathering  *self,
           const char *label,
           char       *value)
{
  g_autofree char *taken = value;

  add (self, label, taken);
}

/* Says how many there are that were left out. */
static void
add_rest (Gathering *self,
          guint      n)
{
  if (n > 0)
    add_taken (self, "…", g_strdup_printf (_("and %u more"), n));
}

/* Times */

static void
add_time (Gathering  *self,
          const char *cycles,
          const char *time,
          gint64      value,
          gboolean    duration)
{
  CycTimelineUnits units = self->units;

  if (units.mhz > 0 || units.cycles)
    {
      units.cycles = TRUE;
      add_taken (self, cycles, duration ? cyc_timeline_units_dup_duration (&units, value)
                                        : cyc_timeline_units_dup_time (&units, value));
    }
  if (units.mhz > 0 || !units.stored_cycles)
    {
      units.cycles = FALSE;
      add_taken (self, time, duration ? cyc_timeline_units_dup_duration (&units, value)
                                      : cyc_timeline_units_dup_time (&units, value));
    }
}

static char *
dup_duration (Gathering   *self,
              CycWideTime  duration)
{
  char *text = cyc_timeline_units_dup_duration (&self->units, duration);

  if (!self->units.cycles)
    return text;
  g_autofree char *number = text;
  return g_strdup_printf (_("%s cycles"), number);
}

static void
add_times (Gathering *self)
{
  gint64 start = self->spans->start[self->span];
  gint64 duration = self->spans->duration[self->span];

  add_time (self, _("Start (cycles)"), _("Start"), start, FALSE);
  if ((self->spans->flags[self->span] & CYC_SPAN_INSTANT) != 0)
    return;
  add_time (self, _("End (cycles)"), _("End"), start + duration, FALSE);
  add_time (self, _("Duration (cycles)"), _("Duration"), duration, TRUE);
}

/* Other spans */

static void
add_span (Gathering  *self,
          const char *label,
          guint32     span,
          const char *more)
{
  const char *name = cyc_timeline_get_text (self->timeline, self->spans->name[span]);
  g_autofree char *duration = dup_duration (self, self->spans->duration[span]);
  g_autofree char *value = more != NULL ? g_strdup_printf ("%s, %s, %s", name, duration, more)
                                        : g_strdup_printf ("%s, %s", name, duration);

  add (self, label, value)->span = span;
}

static void
add_parents (Gathering *self)
{
  guint32 parent = self->spans->parent[self->span];

  if (parent == CYC_TIMELINE_NONE)
    return;
  add (self, _("Parents"), NULL);
  guint n = 0;
  for (; parent != CYC_TIMELINE_NONE; parent = self->spans->parent[parent])
    if (++n <= MAX_PARENTS)
      add_span (self, _("Inside of"), parent, NULL);
  add_rest (self, n - MIN (n, MAX_PARENTS));
}

/* Spans directly inside are in the next row of the same lane. */
static void
add_children (Gathering *self)
{
  guint n_rows;
  const CycTimelineRow *rows = cyc_timeline_get_rows (self->timeline, &n_rows);
  const CycTimelineRow *row = self->row + 1;
  CycTimelineArea area = {
    .from = self->spans->start[self->span],
    .to = self->spans->start[self->span] + self->spans->duration[self->span] + 1,
    .has_from = TRUE,
    .has_to = TRUE,
  };
  guint32 first, end;
  guint64 n = 0;

  if (row >= rows + n_rows || row->track != self->row->track || row->lane != self->row->lane)
    return;
  cyc_timeline_find_spans (self->timeline, row, &area, &first, &end);
  guint at = self->facts->len;
  for (guint32 i = first; i < end; i++)
    {
      if (self->spans->parent[i] != self->span)
        continue;
      if (++n <= MAX_CHILDREN)
        add_span (self, _("Around"), i, NULL);
    }
  if (n == 0)
    return;
  g_autofree char *count = cyc_format_grouped ((double) n, 0);
  g_autofree char *heading = g_strdup_printf (_("Children: %s"), count);
  CycTimelineFact *fact = add (self, heading, NULL);
  g_ptr_array_steal_index (self->facts, self->facts->len - 1);
  g_ptr_array_insert (self->facts, (int) at, fact);
}

static void
add_neighbours (Gathering *self)
{
  const CycTimelineSpans *spans = self->spans;
  guint32 span = self->span;
  gboolean has_before = span > self->row->first;
  gboolean has_after = span + 1 < self->row->first + self->row->n;

  if (!has_before && !has_after)
    return;
  add (self, _("Neighbours"), NULL);
  if (has_before)
    {
      g_autofree char *gap = dup_duration (self, spans->start[span] - spans->start[span - 1]
                                                 - spans->duration[span - 1]);
      g_autofree char *text = g_strdup_printf (_("ends %s before"), gap);
      add_span (self, _("Before"), span - 1, text);
    }
  if (has_after)
    {
      g_autofree char *gap = dup_duration (self, spans->start[span + 1] - spans->start[span] - spans->duration[span]);
      g_autofree char *text = g_strdup_printf (_("begins %s after"), gap);
      add_span (self, _("After"), span + 1, text);
    }
}

/* Flows */

static void
add_flow (Gathering                *self,
          const CycTimelineFlowEnd *end,
          const CycTimelineFlowEnd *other,
          const char               *label)
{
  const char *flow = cyc_timeline_get_text (self->timeline, end->name);
  guint n;
  const CycTimelineTrack *tracks = cyc_timeline_get_tracks (self->timeline, &n);

  if (other->span != CYC_TIMELINE_NONE)
    {
      g_autofree char *text = g_strdup_printf ("%s, %s", tracks[other->track].name, flow);
      add_span (self, label, other->span, text);
      return;
    }
  g_autofree char *text = g_strdup_printf (_("no span on %s, %s"), tracks[other->track].name, flow);
  add (self, label, text);
}

static void
add_flows (Gathering    *self,
           GCancellable *cancellable)
{
  guint n, n_found = 0;
  const CycTimelineFlowEnd *ends = cyc_timeline_get_flow_ends (self->timeline, &n);

  for (guint i = 0; i < n && n_found < MAX_FLOWS; i++)
    {
      if (i % 65536 == 0 && g_cancellable_is_cancelled (cancellable))
        return;
      if (ends[i].span != self->span)
        continue;
      if (n_found++ == 0)
        add (self, _("Flows"), NULL);
      if (i > 0 && ends[i - 1].flow == ends[i].flow)
        add_flow (self, &ends[i], &ends[i - 1], _("From"));
      if (i + 1 < n && ends[i + 1].flow == ends[i].flow)
        add_flow (self, &ends[i], &ends[i + 1], _("To"));
    }
}

/* What the file says */

static gboolean
append (const char  *bytes,
        gsize        len,
        gpointer     user_data,
        GError     **error)
{
  g_string_append_len (user_data, bytes, (gssize) len);
  return TRUE;
}

static char *
dup_value (const CycJsonValue *value)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (value->kind == CYC_JSON_STRING || value->kind == CYC_JSON_INTEGER || value->kind == CYC_JSON_DOUBLE)
    g_string_append_len (text, value->text, (gssize) value->len);
  else
    {
      g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, append, text);
      cyc_json_value_write (value, writer);
      cyc_json_writer_finish (writer, NULL);
    }
  g_autofree char *valid = g_utf8_make_valid (text->str, (gssize) text->len);
  if (g_utf8_strlen (valid, -1) <= MAX_VALUE_CHARS)
    return g_steal_pointer (&valid);
  g_autofree char *cut = g_utf8_substring (valid, 0, MAX_VALUE_CHARS);
  return g_strconcat (cut, "…", NULL);
}

static void
add_member (Gathering          *self,
            const CycJsonValue *member)
{
  g_autofree char *key = g_utf8_make_valid (member->key, (gssize) member->key_len);

  add_taken (self, key, dup_value (member));
}

static void
add_members (Gathering *self)
{
  g_autofree char *members = cyc_timeline_dup_members (self->timeline, self->span);
  g_autofree char *text = g_strdup_printf ("{%s}", members);
  g_autoptr (CycJsonArena) arena = cyc_json_arena_new ();
  const CycJsonValue *object = cyc_json_arena_parse (arena, text, strlen (text), NULL, NULL);
  const CycJsonValue *args = object == NULL ? NULL : cyc_json_value_get_member (object, "args");
  guint n_args = 0, n_others = 0;

  if (args != NULL && args->kind == CYC_JSON_OBJECT && args->first != NULL)
    {
      add (self, _("Arguments"), NULL);
      for (const CycJsonValue *member = args->first; member != NULL; member = member->next)
        if (++n_args <= MAX_MEMBERS)
          add_member (self, member);
      add_rest (self, n_args - MIN (n_args, MAX_MEMBERS));
    }
  for (const CycJsonValue *member = object == NULL ? NULL : object->first; member != NULL; member = member->next)
    {
      if (member == args && args->kind == CYC_JSON_OBJECT)
        continue;
      if (n_others++ == 0)
        add (self, _("Other Members"), NULL);
      if (n_others <= MAX_MEMBERS)
        add_member (self, member);
    }
  add_rest (self, n_others - MIN (n_others, MAX_MEMBERS));
}

static const char *
get_kind (CycSpanFlags flags)
{
  if ((flags & CYC_SPAN_INSTANT) != 0)
    return _("an instant");
  if ((flags & CYC_SPAN_NO_END) != 0)
    return _("a beginning without an end, shown up to the track's end");
  if ((flags & CYC_SPAN_ASYNC) != 0)
    return _("asynchronous");
  return NULL;
}

static void
gather (Gathering    *self,
        GCancellable *cancellable)
{
  guint n;
  const CycTimelineProcess *process =
    &cyc_timeline_get_processes (self->timeline, &n)[self->track->process];
  const char *category = cyc_timeline_get_text (self->timeline, self->spans->category[self->span]);
  const char *kind = get_kind (self->spans->flags[self->span]);
  g_autofree char *number = g_strdup_printf ("%u", self->span);

  add (self, _("Name"), cyc_timeline_get_text (self->timeline, self->spans->name[self->span]));
  if (category[0] != '\0')
    add (self, _("Category"), category);
  if (kind != NULL)
    add (self, _("Kind"), kind);
  add (self, _("Process"), process->name);
  add (self, _("Track"), self->track->name);
  add_times (self);
  add_members (self);
  add_parents (self);
  add_children (self);
  add_neighbours (self);
  add_flows (self, cancellable);
  add (self, _("Raw Ids"), NULL);
  add (self, "pid", process->id);
  add (self, self->track->kind == CYC_TRACK_THREAD ? "tid" : "cat", self->track->id);
  add (self, _("Span"), number);
}

static void
facts_worker (GTask        *task,
              gpointer      source,
              gpointer      data,
              GCancellable *cancellable)
{
  Request *request = data;
  guint n;
  Gathering self = {
    .timeline = request->timeline,
    .spans = cyc_timeline_get_spans (request->timeline),
    .span = request->span,
    .facts = g_ptr_array_new_with_free_func (fact_free),
  };

  self.row = &cyc_timeline_get_rows (self.timeline, &n)[cyc_timeline_find_row (self.timeline, self.span)];
  self.track = &cyc_timeline_get_tracks (self.timeline, &n)[self.row->track];
  cyc_timeline_units_init (&self.units, self.timeline, CYC_VIEW_CYCLES);
  gather (&self, cancellable);
  g_task_return_pointer (task, self.facts, (GDestroyNotify) g_ptr_array_unref);
}

/**
 * cyc_timeline_facts_async:
 * @timeline: a timeline
 * @span: one of its spans
 * @cancellable: (nullable): ends it early
 * @callback: called when all is gathered
 * @user_data: for @callback
 *
 * Gathers, on a thread, what is known of a span.
 */
void
cyc_timeline_facts_async (CycTimeline         *timeline,
                          guint32              span,
                          GCancellable        *cancellable,
                          GAsyncReadyCallback  callback,
                          gpointer             user_data)
{
  g_return_if_fail (timeline != NULL && span < cyc_timeline_get_spans (timeline)->n);

  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Request *request = g_new0 (Request, 1);
  request->timeline = cyc_timeline_ref (timeline);
  request->span = span;
  g_task_set_source_tag (task, cyc_timeline_facts_async);
  g_task_set_task_data (task, request, request_free);
  cyc_task_run_in_thread (task, facts_worker);
}

/**
 * cyc_timeline_facts_finish:
 * @result: what the callback got
 * @error: return location for an error
 *
 * Returns: (transfer full) (nullable) (element-type CycTimelineFact): the facts
 */
GPtrArray *
cyc_timeline_facts_finish (GAsyncResult  *result,
                           GError       **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, cyc_timeline_facts_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * cyc_timeline_facts_dup_text:
 * @facts: (element-type CycTimelineFact): facts
 *
 * Returns: (transfer full): all of them, a line each
 */
char *
cyc_timeline_facts_dup_text (GPtrArray *facts)
{
  GString *text = g_string_new (NULL);

  g_return_val_if_fail (facts != NULL, NULL);
  for (guint i = 0; i < facts->len; i++)
    {
      const CycTimelineFact *fact = g_ptr_array_index (facts, i);
      if (fact->value == NULL)
        g_string_append_printf (text, "\n%s\n", fact->label);
      else
        g_string_append_printf (text, "%s: %s\n", fact->label, fact->value);
    }
  return g_string_free (text, FALSE);
}
