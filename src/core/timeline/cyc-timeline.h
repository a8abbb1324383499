/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib-object.h>

#include "core/timeline/cyc-timeline-reading.h"
#include "core/timeline/cyc-trace-repairs.h"
#include "core/timeline/cyc-trace-time.h"

G_BEGIN_DECLS

#define CYC_TYPE_TIMELINE (cyc_timeline_get_type ())

typedef struct _CycTimeline CycTimeline;

/* No span, where an index of one is expected. */
#define CYC_TIMELINE_NONE G_MAXUINT32

/* The owner of what belongs to nobody. */
#define CYC_TIMELINE_NO_OWNER G_MAXUINT32

/* So many spans lie under a leaf of a pyramid. */
#define CYC_TIMELINE_LEAF 32

/* So many in the smallest blocks of a row, a power of two; and a row with fewer has none. */
#define CYC_TIMELINE_BLOCK_BITS 3
#define CYC_TIMELINE_BLOCK (1 << CYC_TIMELINE_BLOCK_BITS)
#define CYC_TIMELINE_MIN_BLOCKED 256

/* What times and durations count; where documentation speaks of picoseconds, it is cycles in a timeline of cycles. */
typedef enum
{
  CYC_TIMELINE_TIME,   /* picoseconds */
  CYC_TIMELINE_CYCLES, /* cycles of a clock */
} CycTimelineUnit;

typedef enum
{
  CYC_TRACK_THREAD,
  CYC_TRACK_ASYNC,   /* the asynchronous events of a category in a process */
  CYC_TRACK_COUNTER,
} CycTrackKind;

typedef enum
{
  CYC_SPAN_INSTANT = 1 << 0,
  CYC_SPAN_PAIR = 1 << 1,    /* a beginning and an end in the file, not a complete event */
  CYC_SPAN_NO_END = 1 << 2,  /* its end is not in the file */
  CYC_SPAN_ASYNC = 1 << 3,
  CYC_SPAN_SOURCE = 1 << 4,  /* ts or dur are among its members, because they cannot be told exactly otherwise */
} CycSpanFlags;

/**
 * CycTimelineProcess:
 * @id: text of its pid
 * @name: its name, or its id
 * @labels: (nullable): its labels
 * @has_sort_index: whether the file gives its place
 * @sort_index: its place
 * @first_track: its first track; its tracks are neighbours
 * @n_tracks: how many
 */
typedef struct
{
  const char *id;
  const char *name;
  const char *labels;
  gboolean    has_sort_index;
  double      sort_index;
  guint32     first_track;
  guint32     n_tracks;
} CycTimelineProcess;

/**
 * CycTimelineTrack:
 * @kind: what it is
 * @process: index of its process
 * @id: text of its tid, its category or the counter's name
 * @name: its name, or its id
 * @group: (nullable): what of its process it belongs to: the type of a core such as AIC
 * @has_sort_index: whether the file gives its place
 * @sort_index: its place
 * @first_row: its first row of spans; its rows are neighbours, by lane and depth
 * @n_rows: how many
 * @first_series: the counter's first series
 * @n_series: how many
 * @n_overlaps: spans that are not on the first lane
 */
typedef struct
{
  CycTrackKind kind;
  guint32      process;
  const char  *id;
  const char  *name;
  const char  *group;
  gboolean     has_sort_index;
  double       sort_index;
  guint32      first_row;
  guint32      n_rows;
  guint32      first_series;
  guint32      n_series;
  guint32      n_overlaps;
} CycTimelineTrack;

/**
 * CycTimelineNode:
 * @sum: of the durations of the spans below it, picoseconds; as they do not overlap, how long the row is busy
 * @min: the shortest
 * @max: the longest
 * @name: of the longest, a number for cyc_timeline_get_text()
 */
typedef struct
{
  guint64 sum;
  gint64  min;
  gint64  max;
  guint32 name;
} CycTimelineNode;

/**
 * CycTimelineBlock:
 * @start: when the first of its spans begins, picoseconds from the timeline's base
 * @longest: the first of its longest ones
 * @sum: of their durations, for cyc_timeline_unpack_duration()
 * @max: the longest of these, as well, rounded down
 *
 * What a picture needs of spans that are neighbours. It takes little memory, as a picture of the whole trace is made
 * of what it reads; durations are right to a thousandth.
 */
typedef struct
{
  gint64  start;
  guint32 longest;
  guint16 sum;
  guint16 max;
} CycTimelineBlock;

/**
 * CycTimelineRow:
 * @track: index of its track
 * @lane: 0, or above for what overlaps
 * @depth: how many spans lie around each of its spans
 * @first: its first span; its spans are neighbours, in order of time, and do not overlap
 * @n: how many
 * @nodes: its pyramid: one node for CYC_TIMELINE_LEAF spans, then one for twice as many, and so on, up to a single one
 * @blocks: (nullable): the same from CYC_TIMELINE_BLOCK spans on; %NULL in a short row
 */
typedef struct
{
  guint32                track;
  guint32                lane;
  guint32                depth;
  guint32                first;
  guint32                n;
  const CycTimelineNode *nodes;
  const CycTimelineBlock *blocks;
} CycTimelineRow;

/**
 * CycTimelineSpans:
 * @n: how many
 * @start: picoseconds from the timeline's base
 * @duration: picoseconds
 * @name: for cyc_timeline_get_text()
 * @category: for cyc_timeline_get_text()
 * @parent: the span around it, or CYC_TIMELINE_NONE
 * @members: (nullable): where its other members are, for cyc_timeline_get_members(); %NULL in a timeline of a profile
 *   buffer; cyc_timeline_append_members() is for all
 * @flags: CycSpanFlags
 *
 * The columns of all spans, row by row.
 */
typedef struct
{
  guint32        n;
  const gint64  *start;
  const gint64  *duration;
  const guint32 *name;
  const guint32 *category;
  const guint32 *parent;
  const guint64 *members;
  const guint8  *flags;
} CycTimelineSpans;

typedef enum
{
  CYC_TASK_BUSY,    /* it computes */
  CYC_TASK_WAIT,    /* it waits for another */
  CYC_TASK_TRIGGER, /* it tells others that they may go on */
  CYC_TASK_OTHER,   /* begin and end of the task graph */
} CycTaskState;

#define CYC_TASK_N_STATES (CYC_TASK_OTHER + 1)

/**
 * CycTimelineTasks:
 * @desc: what a record is; see cyc_task_get_state()
 * @task: id of its task
 * @index: number of the task in its stage, from 0
 * @owner: whom it belongs to (an expert), or CYC_TIMELINE_NO_OWNER
 * @stage: what it does, without owner and number of the task, for cyc_timeline_get_text()
 * @invocation: (nullable): which invocation of a window it belongs to, from 0; %NULL if there is one
 *
 * What is known of the spans of a cycle trace: a column each, in the order of CycTimelineSpans.
 */
typedef struct
{
  const guint32 *desc;
  const guint32 *task;
  const guint32 *index;
  const guint32 *owner;
  const guint32 *stage;
  const guint16 *invocation;
} CycTimelineTasks;

/**
 * CycTimelineValueSource:
 * @text: where the value is as it is written, for cyc_timeline_get_members(); 0 if the number says all
 * @members: where the other members of its event are, for cyc_timeline_get_members()
 *
 * What there is to be known of a counter's value besides the number.
 */
typedef struct
{
  guint64 text;
  guint64 members;
} CycTimelineValueSource;

/**
 * CycTimelineSeries:
 * @track: index of its track
 * @name: of the series
 * @n: how many values
 * @time: picoseconds from the timeline's base, in order
 * @value: the values; each holds until the next
 * @source: (nullable): what else there is to them; %NULL if there is nothing
 */
typedef struct
{
  guint32       track;
  const char   *name;
  guint32       n;
  const gint64 *time;
  const double *value;
  const CycTimelineValueSource *source;
} CycTimelineSeries;

/**
 * CycTimelineFlowEnd:
 * @time: picoseconds from the timeline's base
 * @track: index of its track
 * @span: the span that it binds to, or CYC_TIMELINE_NONE
 * @name: for cyc_timeline_get_text()
 * @category: for cyc_timeline_get_text()
 * @flow: ends with this number belong together
 * @phase: s, t or f
 * @bound: whether a bind_id of its span says all of it
 * @members: for cyc_timeline_get_members()
 *
 * A beginning, a step or an end of a flow. Those of one flow are neighbours, in order of time: an arrow goes from
 * each to the next.
 */
typedef struct
{
  gint64  time;
  guint32 track;
  guint32 span;
  guint32 name;
  guint32 category;
  guint32 flow;
  char    phase;
  guint8  bound;
  guint64 members;
} CycTimelineFlowEnd;

/**
 * CycTimelineOutlier:
 * @start: its time
 * @duration: how long
 * @track: index of its track
 * @name: for cyc_timeline_get_text()
 * @category: for cyc_timeline_get_text()
 * @members: for cyc_timeline_get_members()
 * @flags: CycSpanFlags
 *
 * A span that is too far away, or too long, for the columns.
 */
typedef struct
{
  CycTraceTime start;
  CycTraceTime duration;
  guint32      track;
  guint32      name;
  guint32      category;
  guint64      members;
  guint8       flags;
} CycTimelineOutlier;

GType                     cyc_timeline_get_type       (void);
CycTimeline              *cyc_timeline_ref            (CycTimeline  *self);
void                      cyc_timeline_unref          (CycTimeline  *self);
CycTimelineUnit           cyc_timeline_get_unit       (CycTimeline  *self);
double                    cyc_timeline_get_frequency  (CycTimeline  *self);
guint64                   cyc_timeline_get_anchor     (CycTimeline  *self);
gint64                    cyc_timeline_get_base       (CycTimeline  *self);
void                      cyc_timeline_get_range      (CycTimeline  *self,
                                                       gint64       *out_start,
                                                       gint64       *out_end);
void                      cyc_timeline_get_dense      (CycTimeline  *self,
                                                       gint64       *out_start,
                                                       gint64       *out_end);
guint64                   cyc_timeline_get_n_sparse   (CycTimeline  *self);
const CycTimelineProcess *cyc_timeline_get_processes  (CycTimeline  *self,
                                                       guint        *out_n);
const CycTimelineTrack   *cyc_timeline_get_tracks     (CycTimeline  *self,
                                                       guint        *out_n);
const CycTimelineRow     *cyc_timeline_get_rows       (CycTimeline  *self,
                                                       guint        *out_n);
const CycTimelineSpans   *cyc_timeline_get_spans      (CycTimeline  *self);
const CycTimelineTasks   *cyc_timeline_get_tasks      (CycTimeline  *self);
guint32                   cyc_timeline_find_row       (CycTimeline  *self,
                                                       guint32       span);
const CycTimelineSeries  *cyc_timeline_get_series     (CycTimeline  *self,
                                                       guint        *out_n);
const CycTimelineFlowEnd *cyc_timeline_get_flow_ends  (CycTimeline  *self,
                                                       guint        *out_n);
const CycTimelineOutlier *cyc_timeline_get_outliers   (CycTimeline  *self,
                                                       guint        *out_n);
const char               *cyc_timeline_get_text       (CycTimeline  *self,
                                                       guint32       text);
guint32                   cyc_timeline_get_n_texts    (CycTimeline  *self);
const char               *cyc_timeline_get_members    (CycTimeline  *self,
                                                       guint64       members);
void                      cyc_timeline_append_members (CycTimeline  *self,
                                                       guint32       span,
                                                       GString      *out);
char                     *cyc_timeline_dup_members    (CycTimeline  *self,
                                                       guint32       span);
const char               *cyc_timeline_get_others     (CycTimeline  *self);
const char *const        *cyc_timeline_get_metadata   (CycTimeline  *self);
const CycTraceRepairs    *cyc_timeline_get_repairs    (CycTimeline  *self);
const CycTimelineReading *cyc_timeline_get_reading    (CycTimeline  *self);
guint64                   cyc_timeline_get_n_left_out (CycTimeline  *self);
const char               *cyc_timeline_get_warning    (CycTimeline  *self);
guint64                   cyc_timeline_get_n_phase    (CycTimeline  *self,
                                                       char          phase);
gsize                     cyc_timeline_get_bytes      (CycTimeline  *self);
CycTaskState              cyc_task_get_state          (guint32       desc);
const char               *cyc_task_state_to_string    (CycTaskState  state);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycTimeline, cyc_timeline_unref)

/* Of the highest bit of a packed number there are as many bits below it. */
#define CYC_TIMELINE_PACKED_BITS 10

/**
 * cyc_timeline_pack_duration:
 * @duration: any number
 *
 * Below 2048 it stays as it is, above that its eleven highest bits and their place are kept.
 *
 * Returns: the same in two bytes, rounded down by less than a thousandth; what is not less is not less after
 */
static inline guint16
cyc_timeline_pack_duration (guint64 duration)
{
  if (duration < 2u << CYC_TIMELINE_PACKED_BITS)
    return (guint16) duration;
  guint shift = 63 - (guint) __builtin_clzll (duration) - CYC_TIMELINE_PACKED_BITS;
  return (guint16) ((shift << CYC_TIMELINE_PACKED_BITS) + (guint) (duration >> shift));
}

/**
 * cyc_timeline_unpack_duration:
 * @packed: of cyc_timeline_pack_duration()
 *
 * Returns: the least number that is packed in this way
 */
static inline guint64
cyc_timeline_unpack_duration (guint16 packed)
{
  guint shift = packed >> CYC_TIMELINE_PACKED_BITS;

  shift -= shift > 0;
  return (guint64) (packed - (shift << CYC_TIMELINE_PACKED_BITS)) << shift;
}

G_END_DECLS
