/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/timeline/cyc-timeline-cycles.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "core/base/cyc-error.h"
#include "core/cycles/cyc-cycle-window.h"
#include "core/timeline/cyc-chrome-writer.h"
#include "core/timeline/cyc-timeline-builder-private.h"

/* Timelines straight from profile buffers: what the trace of the buffer would say, without its text. */

#define RECORDS_A_LOOK 16384

/* What writes the members of spans. */
typedef struct
{
  CycCycleWindow      *window;  /* or NULL */
  CycCycleBuffer      *buffer;  /* of a timeline without a window, without its records */
  CycCycleJsonRecords *records; /* of that */
  GArray              *cores;   /* guint32: by invocation and track the index of the core, or NONE */
  guint                n_tracks;
} Details;

/* One buffer on its way into a builder. */
typedef struct
{
  CycTimelineBuilder   *builder;
  const CycCycleBuffer *buffer;
  CycCycleNames        *names;
  guint32              *stages; /* text + 1 by stage, 0 for those that were not asked for yet */
  guint32              *tracks; /* by core */
  guint32               category;
  guint32               invocation;
  guint64               anchor;
  CycCycleJsonRecords  *records;
} Source;

static void
details_free (gpointer data)
{
  Details *self = data;

  g_clear_pointer (&self->records, cyc_cycle_json_records_free);
  g_clear_pointer (&self->buffer, cyc_cycle_buffer_free);
  g_clear_pointer (&self->window, cyc_cycle_window_free);
  g_array_unref (self->cores);
  g_free (self);
}

/* Members */

static guint64
get_cycle (CycTimeline *timeline,
           gint64       time)
{
  return timeline->anchor + (guint64) time;
}

static void
append_members (CycTimeline *timeline,
                guint32      span,
                GString     *out)
{
  const Details *self = timeline->members_data;
  const CycTimelineTasks *tasks = &timeline->tasks;
  guint32 invocation = tasks->invocation != NULL ? tasks->invocation[span] : 0;
  guint32 row = cyc_timeline_find_row (timeline, span);
  guint32 track = g_array_index (timeline->rows, CycTimelineRow, row).track;
  guint32 core = g_array_index (self->cores, guint32, invocation * self->n_tracks + track);
  const CycCycleRecord record = {
    get_cycle (timeline, timeline->spans.start[span]),
    get_cycle (timeline, timeline->spans.start[span] + timeline->spans.duration[span]),
    tasks->desc[span], tasks->task[span], tasks->index[span], tasks->owner[span],
  };
  const CycCycleJsonRecords *records = self->records;
  guint n;

  if (self->window != NULL)
    records = cyc_cycle_window_get_invocations (self->window, &n)[invocation].records;
  cyc_cycle_json_records_append_args (records, &record, core, out);
}

/* Records */

static guint32
add_text (Source     *self,
          const char *text)
{
  return cyc_string_table_add (self->builder->timeline->texts, text, strlen (text));
}

/* What a record does, whatever its owner and number. */
static guint32
get_stage (Source               *self,
           const CycCycleRecord *record)
{
  guint stage = cyc_cycle_names_get_stage (self->names, record->desc, record->task);

  if (stage == CYC_CYCLE_NO_STAGE)
    {
      g_autofree char *name = cyc_cycle_names_dup_stage (record->desc);
      return add_text (self, name);
    }
  if (self->stages[stage] == 0)
    self->stages[stage] = add_text (self, cyc_cycle_names_get_stage_text (self->names, stage)) + 1;
  return self->stages[stage] - 1;
}

static guint32
get_name (Source               *self,
          const CycCycleRecord *record,
          guint32               stage)
{
  if (!self->buffer->meta->detailed_names)
    return stage;
  g_autofree char *name =
    cyc_cycle_names_dup (self->names, record->desc, record->task, record->index, record->owner);
  return add_text (self, name);
}

/* A record too far away for the columns has its members as text. */
static guint64
keep_members (Source               *self,
              const CycCycleRecord *record,
              guint32               core)
{
  GString *members = self->builder->members;
  gsize start = members->len;

  cyc_cycle_json_records_append_args (self->records, record, core, members);
  g_string_append_c (members, '\0');
  return start;
}

static void
add_record (Source               *self,
            const CycCycleRecord *record,
            guint32               core)
{
  guint32 stage = get_stage (self, record);
  CycWideTime start = (CycWideTime) record->start - self->anchor;
  CycTraceTime duration = { (gint64) ((record->end - record->start) / CYC_PS_PER_US),
                            (guint32) ((record->end - record->start) % CYC_PS_PER_US), TRUE };
  gboolean borrow = start < 0 && start % CYC_PS_PER_US != 0;
  StagedSpan span = {
    .us = (gint64) (start / CYC_PS_PER_US) - borrow,
    .ps = (guint32) (start % CYC_PS_PER_US + (borrow ? CYC_PS_PER_US : 0)),
    .name = get_name (self, record, stage),
    .category = self->category,
    .track = self->tracks[core],
    .phase = 'X',
  };
  StagedTask task = { record->desc, record->task, record->index, record->owner, stage, self->invocation };

  _cyc_timeline_builder_set_duration (self->builder, &span, &duration);
  if (span.duration < 0 || start < G_MININT64 || start + span.duration > G_MAXINT64)
    span.members = keep_members (self, record, core);
  self->builder->timeline->n_phases['X']++;
  g_array_append_val (self->builder->spans, span);
  g_array_append_val (self->builder->tasks, task);
}

static void
source_clear (Source *self)
{
  g_clear_pointer (&self->names, cyc_cycle_names_free);
  g_free (self->stages);
  g_free (self->tracks);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Source, source_clear)

/* Processes and tracks of a buffer. */
static void
source_init (Source               *self,
             CycTimelineBuilder   *builder,
             const CycCycleBuffer *buffer,
             CycCycleJsonRecords  *records,
             guint                 invocation,
             guint64               anchor)
{
  g_autofree char *pid = g_strdup_printf ("%" G_GINT64_FORMAT, buffer->meta->rank);
  g_autofree char *name = cyc_cycle_json_dup_process_name (buffer);
  guint32 process = _cyc_timeline_builder_add_place (builder, CYC_TIMELINE_NONE, pid, name, NAN);

  *self = (Source) { builder, buffer, cyc_cycle_names_new (buffer->meta), NULL, NULL, 0, invocation, anchor, records };
  self->category = add_text (self, "MegaKernelInternal");
  self->stages = g_new0 (guint32, cyc_cycle_names_get_n_stages (self->names));
  self->tracks = g_new (guint32, buffer->n_cores);
  for (guint i = 0; i < buffer->n_cores; i++)
    {
      const CycCycleCore *core = &buffer->cores[i];
      g_autofree char *tid = g_strdup_printf ("%" G_GUINT64_FORMAT, cyc_cycle_core_get_tid (core));
      g_autofree char *core_name = g_strdup_printf ("%s/%u", cyc_cycle_core_type_to_string (core->type), core->block);
      self->tracks[i] = _cyc_timeline_builder_add_place (builder, process, tid, core_name, i);
    }
}

/* Where the cores of a buffer are among the tracks that are in order now. */
static void
find_cores (CycTimeline          *timeline,
            const CycCycleBuffer *buffer,
            guint32              *cores)
{
  g_autofree char *pid = g_strdup_printf ("%" G_GINT64_FORMAT, buffer->meta->rank);

  for (guint i = 0; i < timeline->tracks->len; i++)
    {
      const CycTimelineTrack *track = &g_array_index (timeline->tracks, CycTimelineTrack, i);
      guint64 tid = g_ascii_strtoull (track->id, NULL, 10);
      cores[i] = CYC_TIMELINE_NONE;
      if (strcmp (g_array_index (timeline->processes, CycTimelineProcess, track->process).id, pid) != 0)
        continue;
      for (guint k = 0; k < buffer->n_cores && cores[i] == CYC_TIMELINE_NONE; k++)
        if (cyc_cycle_core_get_tid (&buffer->cores[k]) == tid)
          cores[i] = k;
    }
}

static CycTimeline *
finish (CycTimelineBuilder  *builder,
        Details             *details,
        CycJsonWriter       *writer,
        GCancellable        *cancellable,
        GError             **error)
{
  g_autoptr (GString) others = cyc_json_writer_steal (writer);
  CycTraceRepairs repairs = { 0 };

  /* Without the brackets. */
  g_string_truncate (others, others->len - 1);
  CycTimeline *timeline = cyc_timeline_builder_finish (builder, others->str + 1, &repairs, cancellable, error);
  if (timeline == NULL)
    return NULL;
  details->n_tracks = timeline->tracks->len;
  timeline->append_members = append_members;
  /* All of them are made from the other columns; outliers have theirs. */
  g_clear_pointer ((gpointer *) &timeline->spans.members, g_free);
  timeline->members_data = details;
  timeline->members_free = details_free;
  return timeline;
}

static Details *
details_new (void)
{
  Details *self = g_new0 (Details, 1);

  self->cores = g_array_new (FALSE, TRUE, sizeof (guint32));
  return self;
}

static CycTimelineBuilder *
builder_new (guint64 anchor,
             double  frequency,
             guint   n_invocations)
{
  CycTimelineBuilder *builder = cyc_timeline_builder_new ();

  builder->timeline->unit = CYC_TIMELINE_CYCLES;
  builder->timeline->anchor = anchor;
  builder->timeline->frequency = frequency;
  builder->n_invocations = n_invocations;
  return builder;
}

/**
 * cyc_timeline_new_from_cycles:
 * @buffer: (transfer full): a profile buffer
 * @cancellable: (nullable): looked at now and then
 * @error: return location for an error
 *
 * Makes a timeline of cycles, without a detour through JSON: time 0 is the buffer's anchor, a process its rank, a track
 * a core. Any thread.
 *
 * Returns: (transfer full) (nullable): the timeline; %NULL if cancelled
 */
CycTimeline *
cyc_timeline_new_from_cycles (CycCycleBuffer  *buffer,
                              GCancellable    *cancellable,
                              GError         **error)
{
  g_autoptr (CycCycleBuffer) owned = buffer;
  g_autoptr (CycCycleJsonRecords) records = cyc_cycle_json_records_new (buffer, "");
  g_autoptr (CycTimelineBuilder) builder = builder_new (buffer->anchor, buffer->meta->frequency_mhz, 1);
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_TRACE, NULL, NULL);
  g_auto (Source) source = { 0 };

  source_init (&source, builder, buffer, records, 0, buffer->anchor);
  for (guint i = 0; i < buffer->n_cores; i++)
    for (guint32 k = 0; k < buffer->cores[i].n_records; k++)
      {
        if (k % RECORDS_A_LOOK == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
          return NULL;
        add_record (&source, &buffer->records[buffer->cores[i].first + k], i);
      }
  g_clear_pointer (&buffer->records, g_free);
  cyc_json_writer_begin_object (writer);
  cyc_cycle_json_put_summary (writer, buffer);
  cyc_json_writer_end_object (writer);
  Details *details = details_new ();
  details->buffer = g_steal_pointer (&owned);
  details->records = g_steal_pointer (&records);
  CycTimeline *timeline = finish (builder, details, writer, cancellable, error);
  if (timeline == NULL)
    {
      details_free (details);
      return NULL;
    }
  g_array_set_size (details->cores, details->n_tracks);
  find_cores (timeline, details->buffer, (guint32 *) (gpointer) details->cores->data);
  return timeline;
}

/* Windows */

static gboolean
have_one_clock (const CycCycleInvocation *invocations,
                guint                     n)
{
  for (guint i = 1; i < n; i++)
    if (invocations[i].buffer->meta->frequency_mhz != invocations[0].buffer->meta->frequency_mhz)
      return FALSE;
  return n > 0;
}

static gboolean
write_cb (const char  *bytes,
          gsize        len,
          gpointer     user_data,
          GError     **error)
{
  return g_output_stream_write_all (user_data, bytes, len, NULL, NULL, error);
}

/* Several clocks, or nothing: the trace that is made of the window, with its times. */
static CycTimeline *
load_trace (const char    *path,
            GCancellable  *cancellable,
            GError       **error)
{
  g_autoptr (GFileIOStream) stream = NULL;
  g_autoptr (GFile) file = g_file_new_tmp ("cyclescope-window-XXXXXX.json", &stream, error);
  g_autoptr (GPtrArray) unknown = g_ptr_array_new_with_free_func (g_free);
  CycTimeline *timeline = NULL;

  if (file == NULL)
    return NULL;
  GOutputStream *out = g_io_stream_get_output_stream (G_IO_STREAM (stream));
  if (cyc_cycle_window_write (path, unknown, write_cb, out, cancellable, error)
      && g_io_stream_close (G_IO_STREAM (stream), NULL, error))
    timeline = cyc_timeline_load (g_file_peek_path (file), NULL, NULL, cancellable, error);
  g_file_delete (file, NULL, NULL);
  return timeline;
}

static gboolean
add_invocation (CycTimelineBuilder       *builder,
                const CycCycleInvocation *invocation,
                guint                     number,
                guint64                   anchor,
                GCancellable             *cancellable,
                GError                  **error)
{
  const CycCycleColumns *columns = invocation->columns;
  g_auto (Source) source = { 0 };

  source_init (&source, builder, invocation->buffer, invocation->records, number, anchor);
  for (guint32 i = 0; i < columns->n; i++)
    {
      const CycCycleRecord record = { columns->start[i], columns->end[i],   columns->desc[i],
                                      columns->task[i],  columns->index[i], columns->owner[i] };
      if (i % RECORDS_A_LOOK == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      add_record (&source, &record, columns->core[i]);
    }
  return TRUE;
}

/**
 * cyc_timeline_load_window:
 * @path: a window file, see cyc_cycle_window_write()
 * @out_unknown: (element-type utf8): gets the keys that nobody knows
 * @cancellable: (nullable): looked at now and then
 * @error: return location for an error
 *
 * Makes one timeline of several profile buffers. It is one of cycles if they have the same clock: time 0 is the first
 * anchor. Any thread.
 *
 * Returns: (transfer full) (nullable): the timeline
 */
CycTimeline *
cyc_timeline_load_window (const char    *path,
                          GPtrArray     *out_unknown,
                          GCancellable  *cancellable,
                          GError       **error)
{
  g_autoptr (CycCycleWindow) window = cyc_cycle_window_read (path, out_unknown, cancellable, error);
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_TRACE, NULL, NULL);
  guint n;

  if (window == NULL)
    return NULL;
  const CycCycleInvocation *invocations = cyc_cycle_window_get_invocations (window, &n);
  if (!have_one_clock (invocations, n) || n > G_MAXUINT16)
    return load_trace (path, cancellable, error);
  guint64 anchor = cyc_cycle_window_get_anchor (window);
  g_autoptr (CycTimelineBuilder) builder = builder_new (anchor, invocations[0].buffer->meta->frequency_mhz, n);
  for (guint i = 0; i < n; i++)
    if (!add_invocation (builder, &invocations[i], i, anchor, cancellable, error))
      return NULL;
  cyc_cycle_window_free_records (window);
  cyc_json_writer_begin_object (writer);
  cyc_cycle_window_put_summary (window, writer);
  cyc_json_writer_end_object (writer);
  Details *details = details_new ();
  details->window = g_steal_pointer (&window);
  CycTimeline *timeline = finish (builder, details, writer, cancellable, error);
  if (timeline == NULL)
    {
      details_free (details);
      return NULL;
    }
  g_array_set_size (details->cores, n * details->n_tracks);
  for (guint i = 0; i < n; i++)
    find_cores (timeline, invocations[i].buffer,
                &g_array_index (details->cores, guint32, (gsize) i * details->n_tracks));
  return timeline;
}
