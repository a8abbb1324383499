/* SPDX-License-Identifier: MIT */
#include "config.h"

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
  g_free (self->nodes);
  g_array_unref (self->series);
  g_array_unref (self->flow_ends);
  g_array_unref (self->outliers);
  g_free (self->warning);
  g_free (self->others);
  g_ptr_array_unref (self->metadata);
  g_free (self);
}

/**
 * cyc_timeline_get_base:
 * @self: a timeline
 *
 * Returns: the time in the file, microseconds, from which all others count
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
              + sizeof *spans->parent + sizeof *spans->members + sizeof *spans->flags;

  return spans->n * row + self->n_nodes * sizeof *self->nodes + self->rows->len * sizeof (CycTimelineRow);
}
