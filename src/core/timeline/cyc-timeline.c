/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/cycles/cyc-cycle-names.h"
#include "core/timeline/cyc-timeline-column.h"
#include "core/timeline/cyc-timeline-private.h"

/* The events of a trace: processes with tracks, tracks with rows, rows with spans in order of time. It never changes
 * once it is built, and may be read on any thread. */

G_DEFINE_BOXED_TYPE (CycTimeline, cyc_timeline, cyc_timeline_ref, cyc_timeline_unref)

static void
clear_series (gpointer data)
{
  CycTimelineSeries *series = data;

  g_free ((gpointer) series->time);
  g_free ((gpointer) series->value);
  g_free ((gpointer) series->source);
}

/*< private >
 * _cyc_timeline_new:
 *
 * Returns: (transfer full): an empty timeline, for its builder
 */
CycTimeline *
_cyc_timeline_new (void)
{
  CycTimeline *self = g_new0 (CycTimeline, 1);

  g_atomic_ref_count_init (&self->refs);
  self->texts = cyc_string_table_new ();
  cyc_string_table_add (self->texts, "", 0);
  self->processes = g_array_new (FALSE, FALSE, sizeof (CycTimelineProcess));
  self->tracks = g_array_new (FALSE, FALSE, sizeof (CycTimelineTrack));
  self->rows = g_array_new (FALSE, FALSE, sizeof (CycTimelineRow));
  self->series = g_array_new (FALSE, FALSE, sizeof (CycTimelineSeries));
  g_array_set_clear_func (self->series, clear_series);
  self->flow_ends = g_array_new (FALSE, FALSE, sizeof (CycTimelineFlowEnd));
  self->outliers = g_array_new (FALSE, FALSE, sizeof (CycTimelineOutlier));
  self->metadata = g_ptr_array_new_with_free_func (g_free);
  g_mutex_init (&self->columns_lock);
  self->columns = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) cyc_timeline_column_unref);
  return self;
}

/*< private >
 * _cyc_timeline_find_start:
 * @spans: the columns
 * @low: a span
 * @high: one after it on the same row, or the row's end
 * @time: picoseconds from the base
 *
 * Returns: the first of these spans that begins at or after @time, or @high
 */
guint32
_cyc_timeline_find_start (const CycTimelineSpans *spans,
                          guint32                 low,
                          guint32                 high,
                          gint64                  time)
{
  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;
      if (spans->start[middle] < time)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/**
 * cyc_timeline_ref:
 * @self: a timeline
 *
 * Returns: (transfer full): the same
 */
CycTimeline *
cyc_timeline_ref (CycTimeline *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

/**
 * cyc_timeline_unref:
 * @self: (transfer full): a timeline
 */
void
cyc_timeline_unref (CycTimeline *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  cyc_string_table_free (self->texts);
  g_free (self->members);
  g_array_unref (self->processes);
  g_array_unref (self->tracks);
  g_array_unref (self->rows);
  g_free ((gpointer) self->spans.start);
  g_free ((gpointer) self->spans.duration);
  g_free ((gpointer) self->spans.name);
  g_free ((gpointer) self->spans.category);
  g_free ((gpointer) self->spans.parent);
  g_free ((gpointer) self->spans.members);
  g_free ((gpointer) self->spans.flags);
  g_free ((gpointer) self->tasks.desc);
  g_free ((gpointer) self->tasks.task);
  g_free ((gpointer) self->tasks.index);
  g_free ((gpointer) self->tasks.owner);
  g_free ((gpointer) self->tasks.stage);
  g_free ((gpointer) self->tasks.invocation);
  if (self->members_free != NULL)
    self->members_free (self->members_data);
  g_hash_table_unref (self->columns);
  g_mutex_clear (&self->columns_lock);
  g_free (self->nodes);
  g_free (self->blocks);
  g_array_unref (self->series);
  g_array_unref (self->flow_ends);
  g_array_unref (self->outliers);
  cyc_timeline_reading_free (self->reading);
  g_free (self->warning);
  g_free (self->others);
  g_ptr_array_unref (self->metadata);
  g_free (self);
}

/**
 * cyc_timeline_get_unit:
 * @self: a timeline
 *
 * Returns: what all its times and durations count
 */
CycTimelineUnit
cyc_timeline_get_unit (CycTimeline *self)
{
  return self->unit;
}

/**
 * cyc_timeline_get_frequency:
 * @self: a timeline
 *
 * Returns: MHz of the clock whose cycles it tells of; 0 if there is none, or it is not known. A microsecond has so many
 *   cycles
 */
double
cyc_timeline_get_frequency (CycTimeline *self)
{
  return self->frequency;
}

/**
 * cyc_timeline_get_anchor:
 * @self: a timeline of cycles
 *
 * Returns: the cycle of the counter that is the time 0: what a record says is this and a span's time
 */
guint64
cyc_timeline_get_anchor (CycTimeline *self)
{
  return self->anchor;
}

/**
 * cyc_timeline_get_base:
 * @self: a timeline
 *
 * Returns: the time in the file, microseconds, from which all others count; always 0 in a timeline of cycles
 */
gint64
cyc_timeline_get_base (CycTimeline *self)
{
  return self->base_us;
}

/**
 * cyc_timeline_get_range:
 * @self: a timeline
 * @out_start: (out): the earliest time in the columns, picoseconds from the base
 * @out_end: (out): the latest
 */
void
cyc_timeline_get_range (CycTimeline *self,
                        gint64      *out_start,
                        gint64      *out_end)
{
  *out_start = self->start;
  *out_end = self->end;
}

/**
 * cyc_timeline_get_dense:
 * @self: a timeline
 * @out_start: (out): where what is worth looking at begins, picoseconds from the base
 * @out_end: (out): where it ends
 *
 * The range without spans that lie a thousand times as far away as the rest is long, such as kernels with the time 0.
 */
void
cyc_timeline_get_dense (CycTimeline *self,
                        gint64      *out_start,
                        gint64      *out_end)
{
  *out_start = self->dense_start;
  *out_end = self->dense_end;
}

/**
 * cyc_timeline_get_n_sparse:
 * @self: a timeline
 *
 * Returns: spans that begin outside of the dense range, outliers included
 */
guint64
cyc_timeline_get_n_sparse (CycTimeline *self)
{
  return self->n_sparse;
}

/**
 * cyc_timeline_get_processes:
 * @self: a timeline
 * @out_n: (out): how many
 *
 * Returns: (transfer none) (array length=out_n): the processes, in order
 */
const CycTimelineProcess *
cyc_timeline_get_processes (CycTimeline *self,
                            guint       *out_n)
{
  *out_n = self->processes->len;
  return (const CycTimelineProcess *) (gpointer) self->processes->data;
}

/**
 * cyc_timeline_get_tracks:
 * @self: a timeline
 * @out_n: (out): how many
 *
 * Returns: (transfer none) (array length=out_n): the tracks, in order
 */
const CycTimelineTrack *
cyc_timeline_get_tracks (CycTimeline *self,
                         guint       *out_n)
{
  *out_n = self->tracks->len;
  return (const CycTimelineTrack *) (gpointer) self->tracks->data;
}

/**
 * cyc_timeline_get_rows:
 * @self: a timeline
 * @out_n: (out): how many
 *
 * Returns: (transfer none) (array length=out_n): the rows, in order
 */
const CycTimelineRow *
cyc_timeline_get_rows (CycTimeline *self,
                       guint       *out_n)
{
  *out_n = self->rows->len;
  return (const CycTimelineRow *) (gpointer) self->rows->data;
}

/**
 * cyc_timeline_get_spans:
 * @self: a timeline
 *
 * Returns: (transfer none): the columns
 */
const CycTimelineSpans *
cyc_timeline_get_spans (CycTimeline *self)
{
  return &self->spans;
}

/**
 * cyc_timeline_get_tasks:
 * @self: a timeline
 *
 * Returns: (transfer none) (nullable): the columns of records; %NULL if it is not that of a cycle trace
 */
const CycTimelineTasks *
cyc_timeline_get_tasks (CycTimeline *self)
{
  return self->has_tasks ? &self->tasks : NULL;
}

/**
 * cyc_timeline_find_row:
 * @self: a timeline
 * @span: one of its spans
 *
 * Returns: index of the row that the span is in
 */
guint32
cyc_timeline_find_row (CycTimeline *self,
                       guint32      span)
{
  guint32 low = 0, high = self->rows->len;

  while (high - low > 1)
    {
      guint32 middle = low + (high - low) / 2;
      if (g_array_index (self->rows, CycTimelineRow, middle).first <= span)
        low = middle;
      else
        high = middle;
    }
  return low;
}

/**
 * cyc_timeline_get_series:
 * @self: a timeline
 * @out_n: (out): how many
 *
 * Returns: (transfer none) (array length=out_n): the series of counters, by track
 */
const CycTimelineSeries *
cyc_timeline_get_series (CycTimeline *self,
                         guint       *out_n)
{
  *out_n = self->series->len;
  return (const CycTimelineSeries *) (gpointer) self->series->data;
}

/**
 * cyc_timeline_get_flow_ends:
 * @self: a timeline
 * @out_n: (out): how many
 *
 * Returns: (transfer none) (array length=out_n): the ends of flows, flow by flow
 */
const CycTimelineFlowEnd *
cyc_timeline_get_flow_ends (CycTimeline *self,
                            guint       *out_n)
{
  *out_n = self->flow_ends->len;
  return (const CycTimelineFlowEnd *) (gpointer) self->flow_ends->data;
}

/**
 * cyc_timeline_get_outliers:
 * @self: a timeline
 * @out_n: (out): how many
 *
 * Returns: (transfer none) (array length=out_n): the spans that are not in the columns
 */
const CycTimelineOutlier *
cyc_timeline_get_outliers (CycTimeline *self,
                           guint       *out_n)
{
  *out_n = self->outliers->len;
  return (const CycTimelineOutlier *) (gpointer) self->outliers->data;
}

/**
 * cyc_timeline_get_text:
 * @self: a timeline
 * @text: number of a name or a category; 0 is the empty one
 *
 * Returns: (transfer none): the text
 */
const char *
cyc_timeline_get_text (CycTimeline *self,
                       guint32      text)
{
  return cyc_string_table_get (self->texts, text);
}

/**
 * cyc_timeline_get_n_texts:
 * @self: a timeline
 *
 * Returns: how many texts it has
 */
guint32
cyc_timeline_get_n_texts (CycTimeline *self)
{
  return cyc_string_table_get_n (self->texts);
}

/**
 * cyc_timeline_get_members:
 * @self: a timeline
 * @members: of a span, a flow's end or an outlier
 *
 * Returns: (transfer none): its members other than those in the columns, such as args, as JSON with commas between
 *   them and without brackets
 */
const char *
cyc_timeline_get_members (CycTimeline *self,
                          guint64      members)
{
  g_return_val_if_fail (members < self->members_len, "");

  return self->members + members;
}

/**
 * cyc_timeline_append_members:
 * @self: a timeline
 * @span: one of its spans
 * @out: gets its members other than those in the columns, such as args, as JSON with commas between them and without
 *   brackets
 *
 * Unlike cyc_timeline_get_members() it works for the records of a profile buffer, too.
 */
void
cyc_timeline_append_members (CycTimeline *self,
                             guint32      span,
                             GString     *out)
{
  g_return_if_fail (span < self->spans.n);

  if (self->append_members != NULL)
    self->append_members (self, span, out);
  else
    g_string_append (out, cyc_timeline_get_members (self, self->spans.members[span]));
}

/*< private >
 * _cyc_timeline_peek_members:
 * @self: a timeline
 * @span: one of its spans
 * @scratch: room for what is not kept as text
 *
 * Returns: what cyc_timeline_append_members() appends, until @scratch changes
 */
const char *
_cyc_timeline_peek_members (CycTimeline *self,
                            guint32      span,
                            GString     *scratch)
{
  if (self->append_members == NULL)
    return self->members + self->spans.members[span];
  g_string_truncate (scratch, 0);
  self->append_members (self, span, scratch);
  return scratch->str;
}

/**
 * cyc_timeline_dup_members:
 * @self: a timeline
 * @span: one of its spans
 *
 * Returns: (transfer full): what cyc_timeline_append_members() appends
 */
char *
cyc_timeline_dup_members (CycTimeline *self,
                          guint32      span)
{
  GString *out = g_string_new (NULL);

  cyc_timeline_append_members (self, span, out);
  return g_string_free (out, FALSE);
}

/**
 * cyc_timeline_get_others:
 * @self: a timeline
 *
 * Returns: (transfer none): the members of the file's top level other than the events, as JSON with commas between
 *   them and without brackets
 */
const char *
cyc_timeline_get_others (CycTimeline *self)
{
  return self->others;
}

/**
 * cyc_timeline_get_metadata:
 * @self: a timeline
 *
 * Returns: (transfer none) (array zero-terminated=1): metadata events that say something else than the names,
 *   labels and places of processes and threads, each as JSON
 */
const char *const *
cyc_timeline_get_metadata (CycTimeline *self)
{
  return (const char *const *) self->metadata->pdata;
}

/**
 * cyc_timeline_get_repairs:
 * @self: a timeline
 *
 * Returns: (transfer none): what was repaired in the file
 */
const CycTraceRepairs *
cyc_timeline_get_repairs (CycTimeline *self)
{
  return &self->repairs;
}

/**
 * cyc_timeline_get_reading:
 * @self: a timeline
 *
 * Returns: (transfer none) (nullable): how its file was read; %NULL if as the format says, and all of it
 */
const CycTimelineReading *
cyc_timeline_get_reading (CycTimeline *self)
{
  return self->reading;
}

/**
 * cyc_timeline_get_n_left_out:
 * @self: a timeline
 *
 * Returns: how many events of its file are not in the part of it that was read
 */
guint64
cyc_timeline_get_n_left_out (CycTimeline *self)
{
  return self->n_left_out;
}

/**
 * cyc_timeline_get_warning:
 * @self: a timeline
 *
 * Returns: (transfer none) (nullable): what is wrong with the packing of the file, which may end early
 */
const char *
cyc_timeline_get_warning (CycTimeline *self)
{
  return self->warning;
}

/**
 * cyc_timeline_get_n_phase:
 * @self: a timeline
 * @phase: a character of the Trace Event Format
 *
 * Returns: how many events of this phase the file has
 */
guint64
cyc_timeline_get_n_phase (CycTimeline *self,
                          char         phase)
{
  return (guchar) phase < G_N_ELEMENTS (self->n_phases) ? self->n_phases[(guchar) phase] : 0;
}

/**
 * cyc_timeline_get_bytes:
 * @self: a timeline
 *
 * Returns: memory of the columns and pyramids of the spans, bytes; texts and members are not counted
 */
gsize
cyc_timeline_get_bytes (CycTimeline *self)
{
  const CycTimelineSpans *spans = &self->spans;
  gsize row = sizeof *spans->start + sizeof *spans->duration + sizeof *spans->name + sizeof *spans->category
              + sizeof *spans->parent + sizeof *spans->flags;

  if (spans->members != NULL)
    row += sizeof *spans->members;
  if (self->has_tasks)
    row += 5 * sizeof *self->tasks.desc + (self->tasks.invocation != NULL ? sizeof *self->tasks.invocation : 0);
  return spans->n * row + self->n_nodes * sizeof *self->nodes + self->n_blocks * sizeof *self->blocks
         + self->rows->len * sizeof (CycTimelineRow);
}

/**
 * cyc_task_get_state:
 * @desc: what a record of a cycle trace is
 *
 * Returns: what its core does meanwhile
 */
CycTaskState
cyc_task_get_state (guint32 desc)
{
  switch (desc)
    {
    case CYC_CYCLE_DESC_WAIT:
      return CYC_TASK_WAIT;
    case CYC_CYCLE_DESC_TRIGGER:
      return CYC_TASK_TRIGGER;
    case CYC_CYCLE_DESC_TERMINATE:
    case CYC_CYCLE_DESC_TASK_TYPE + CYC_CYCLE_TYPE_TERMINATE:
    case CYC_CYCLE_DESC_TASK_TYPE + CYC_CYCLE_TYPE_BEGIN:
      return CYC_TASK_OTHER;
    default:
      return CYC_TASK_BUSY;
    }
}

/**
 * cyc_task_state_to_string:
 * @state: a state
 *
 * Returns: (transfer none): its name, which is not translated
 */
const char *
cyc_task_state_to_string (CycTaskState state)
{
  static const char *const names[] = { "busy", "wait", "trigger", "other" };

  return names[state];
}
