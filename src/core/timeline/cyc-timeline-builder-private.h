/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/timeline/cyc-timeline-builder.h"
#include "core/timeline/cyc-timeline-private.h"
#include "core/timeline/cyc-timeline-reading.h"

G_BEGIN_DECLS

/* An event on its way into the columns. */
typedef struct
{
  gint64  us;
  guint32 ps;
  guint32 name;
  guint32 category;
  guint32 track;
  gint64  duration; /* picoseconds; -1 - i: long_durations[i]; of a half: number of what its other half must have */
  guint64 members : 48;
  guint64 phase : 8; /* X: whole; i: instant; B and E, b and e: halves; 0: used up */
  guint64 flags : 8;
} StagedSpan;

/* What is known of a staged span of a cycle trace; see CycTimelineTasks. */
typedef struct
{
  guint32 desc;
  guint32 task;
  guint32 index;
  guint32 owner;
  guint32 stage;
  guint32 invocation;
} StagedTask;

typedef struct
{
  CycTraceTime time;
  guint32      track;
  guint32      name;
  guint32      category;
  guint32      flow;
  guint32      staged; /* the span that it belongs to, or CYC_TIMELINE_NONE */
  char         phase;
  gboolean     enclosing; /* binds to the span around it, not to the next */
  guint64      members;
  guint64      offset; /* in the file */
} StagedFlow;

typedef struct
{
  CycTraceTime           time;
  double                 value;
  CycTimelineValueSource source;
} StagedValue;

typedef struct
{
  guint32  track;
  guint32  name;
  GArray  *values; /* of StagedValue */
} StagedSeries;

/* Names and places, of processes and tracks. */
typedef struct
{
  CycTrackKind kind;
  guint32      process;
  guint32      id;
  guint32      name;   /* 0: none */
  guint32      labels;
  gboolean     has_sort_index;
  double       sort_index;
} StagedPlace;

/* A short value that came last, and its number: the next event often has the same. */
typedef struct
{
  char    text[40];
  gsize   len; /* 0: none */
  guint32 id;
} LastValue;

/* So many tracks are found without looking them up. */
#define N_KNOWN_TRACKS 256

/* A track that was looked up before. */
typedef struct
{
  guint32 kind;
  guint32 process;
  guint32 id;
  guint32 track; /* + 1; 0: none */
} KnownTrack;

struct _CycTimelineBuilder
{
  CycTimeline    *timeline;
  gboolean        keep_cycles;    /* of a cycle trace */
  const CycTimelineReading *reading; /* the timeline's; NULL: as the format says */
  gboolean        is_part;        /* events are left out */
  gboolean        has_from;
  gboolean        has_to;
  CycTraceTime    from;
  CycTraceTime    to;
  GArray         *categories;     /* of guint8, by number of a text: whether it is wanted, as far as it is known */
  GArray         *long_durations; /* of CycTraceTime: those that the columns do not reach */
  GArray         *tasks;          /* of StagedTask, a span each, or empty */
  guint           n_invocations;
  GString        *members;
  GString        *scratch;
  GHashTable     *repaired_texts; /* number of a text that is not UTF-8 to that of one that is */
  CycStringTable *process_keys;   /* numbers of these are indexes of places */
  GArray         *processes;      /* of StagedPlace */
  CycStringTable *track_keys;
  GArray         *tracks;         /* of StagedPlace */
  CycStringTable *pair_keys;
  CycStringTable *flow_keys;
  CycStringTable *series_keys;
  CycStringTable *counter_members; /* texts of members other than args, and by their numbers where they are kept */
  GArray         *counter_places;  /* guint64 */
  LastValue       last_category;
  LastValue       last_pid;
  LastValue       last_tid;
  guint32         last_process_id;
  guint32         last_process;   /* + 1; 0: none */
  KnownTrack      known_tracks[N_KNOWN_TRACKS];
  GArray         *spans;          /* of StagedSpan */
  GArray         *flows;          /* of StagedFlow */
  GArray         *series;         /* of StagedSeries */
};

guint32  _cyc_timeline_builder_intern       (CycTimelineBuilder   *self,
                                             const CycChromeValue *value,
                                             guint64               offset,
                                             CycTraceRepairs      *repairs);
guint32  _cyc_timeline_builder_get_process  (CycTimelineBuilder   *self,
                                             guint32               id);
guint32  _cyc_timeline_builder_get_track    (CycTimelineBuilder   *self,
                                             CycTrackKind          kind,
                                             guint32               process,
                                             guint32               id);
guint32  _cyc_timeline_builder_get_event_process (CycTimelineBuilder *self,
                                             const CycChromeEvent *event,
                                             CycTraceRepairs      *repairs);
gboolean _cyc_chrome_value_get_double       (const CycChromeValue *value,
                                             double               *out_value);
void     _cyc_chrome_value_append           (const CycChromeValue *value,
                                             const char           *key,
                                             GString              *out);
void     _cyc_timeline_builder_set_reading  (CycTimelineBuilder   *self,
                                             const CycTimelineReading *reading);
gboolean _cyc_timeline_builder_wants_category (CycTimelineBuilder *self,
                                             guint32               category);
gboolean _cyc_timeline_builder_leave_out    (CycTimelineBuilder   *self,
                                             const CycChromeEvent *event,
                                             const CycTraceTime   *time,
                                             guint32               category);
gboolean _cyc_timeline_builder_wants_half   (CycTimelineBuilder   *self,
                                             gboolean              begins,
                                             const CycTraceTime   *time);
gboolean _cyc_timeline_builder_wants_pair   (CycTimelineBuilder   *self,
                                             const StagedSpan     *span);
void     _cyc_timeline_builder_add_metadata (CycTimelineBuilder   *self,
                                             const CycChromeEvent *event,
                                             CycTraceRepairs      *repairs);
void     _cyc_timeline_builder_add_counter  (CycTimelineBuilder   *self,
                                             const CycChromeEvent *event,
                                             const CycTraceTime   *time,
                                             CycTraceRepairs      *repairs);
guint32  _cyc_timeline_builder_add_place    (CycTimelineBuilder   *self,
                                             guint32               process,
                                             const char           *id,
                                             const char           *name,
                                             double                sort_index);
void     _cyc_timeline_builder_set_duration (CycTimelineBuilder   *self,
                                             StagedSpan           *span,
                                             const CycTraceTime   *duration);
gboolean _cyc_timeline_builder_take_cycles  (CycTimelineBuilder   *self,
                                             const char           *others,
                                             CycTraceRepairs      *repairs,
                                             GCancellable         *cancellable,
                                             GError              **error);
void     _cyc_timeline_builder_make_series  (CycTimelineBuilder   *self,
                                             CycTraceRepairs      *repairs);
void     _cyc_timeline_builder_make_tasks   (CycTimelineBuilder   *self,
                                             const guint32        *final,
                                             gsize                 n_staged);
double   _cyc_timeline_find_frequency       (const char           *others);
void     _cyc_timeline_builder_place_tracks (CycTimelineBuilder   *self);
gboolean _cyc_timeline_builder_make_rows    (CycTimelineBuilder   *self,
                                             CycTraceRepairs      *repairs,
                                             guint32             **out_final,
                                             GCancellable         *cancellable,
                                             GError              **error);
void     _cyc_timeline_builder_make_flows   (CycTimelineBuilder   *self,
                                             const guint32        *final,
                                             CycTraceRepairs      *repairs);
void     _cyc_timeline_builder_pair_async   (CycTimelineBuilder   *self,
                                             CycTraceRepairs      *repairs);
void     _cyc_timeline_builder_pair         (CycTimelineBuilder   *self,
                                             guint32               begin,
                                             guint32               n,
                                             CycTraceRepairs      *repairs);
void     _cyc_timeline_find_dense           (const StagedSpan     *spans,
                                             gsize                 n,
                                             gint64               *out_first_us,
                                             gint64               *out_last_us);

G_END_DECLS
