/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/timeline/cyc-timeline-query.h"

G_BEGIN_DECLS

/* The most threads that a query works on. */
#define CYC_QUERY_MAX_THREADS 2

/* Spans of a row that are looked at in one go. */
typedef struct
{
  guint32  first;
  guint32  end;
  guint32  track;
  gboolean self; /* whether parents say all about self times */
} QuerySegment;

/* Sums of a group. */
typedef struct
{
  CycWideTime sum;
  CycWideTime self;
  gint64      min;
  gint64      max;
  guint64     count;
} QuerySums;

/* Groups of spans: by a column, or by track, or all in one. */
typedef struct
{
  CycTimeline           *timeline;
  const CycTimelineArea *area;
  const guint32         *groups;     /* by span; NULL: by track, or one for all */
  gboolean               by_track;
  guint32                n_groups;
  GCancellable          *cancellable;
  GArray                *segments;   /* of QuerySegment */
  GArray                *overlapped; /* guint32: tracks whose lanes overlap */
  guint                  n_threads;
  guint                  part_end[CYC_QUERY_MAX_THREADS]; /* segments of each thread */
  QuerySums             *sums[CYC_QUERY_MAX_THREADS];
  gsize                 *next[CYC_QUERY_MAX_THREADS]; /* by group: where the next duration goes */
  gint64                *values;     /* durations, group by group */
  gint64                *medians;    /* by group */
} Query;

typedef void (*QueryWork) (Query *query,
                           guint  thread);

static inline gint64
_cyc_query_clip (const CycTimelineSpans *spans,
                 guint32                 i,
                 const CycTimelineArea  *area)
{
  gint64 start = spans->start[i], end = start + spans->duration[i];

  return MIN (end, area->to) - MAX (start, area->from);
}

static inline guint32
_cyc_query_get_group (const Query *query,
                      guint32      span,
                      guint32      track)
{
  return query->groups != NULL ? query->groups[span] : query->by_track ? track : 0;
}

gboolean _cyc_query_run       (Query      *query,
                               QueryWork   work);
void     _cyc_query_plan      (Query      *query);
void     _cyc_query_add_sums  (Query      *query,
                               guint       thread);
void     _cyc_query_add_self  (Query      *query,
                               guint       thread);
void     _cyc_query_collect   (Query      *query,
                               guint       thread);
void     _cyc_query_select    (Query      *query,
                               guint       thread);

gint64   _cyc_query_select_value (gint64  *values,
                                  gsize    n,
                                  gsize    k,
                                  gint64   min,
                                  gint64   max);

G_END_DECLS
