/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/timeline/cyc-timeline-stats.h"

G_BEGIN_DECLS

#define CYC_TYPE_TIMELINE_SUMMARY (cyc_timeline_summary_get_type ())

/**
 * CycSummaryCore:
 * @track: its track
 * @entry: when it came in; when its first record begins if that is not known
 * @has_entry: whether the buffer says when it came in
 * @first: when its first record begins
 * @last: when its last record ends
 * @n: its records
 * @times: for each CycTaskState, how long it was in it; what lies inside of a record counts and not that record
 * @utilisation: busy time as a part of the time between the first core in and the last out, 0 to 1
 *
 * A core of a cycle trace; times are from the timeline's base, and durations, in cycles (or picoseconds).
 */
typedef struct
{
  guint32     track;
  gint64      entry;
  gboolean    has_entry;
  gint64      first;
  gint64      last;
  guint64     n;
  CycWideTime times[CYC_TASK_N_STATES];
  double      utilisation;
} CycSummaryCore;

/**
 * CycSummaryStage:
 * @stage: for cyc_timeline_get_text()
 * @state: of its first record
 * @n: records
 * @total: of their durations
 * @longest: the longest
 * @longest_span: that one
 */
typedef struct
{
  guint32      stage;
  CycTaskState state;
  guint64      n;
  CycWideTime  total;
  gint64       longest;
  guint32      longest_span;
} CycSummaryStage;

/**
 * CycSummaryOwner:
 * @owner: its number; CYC_TIMELINE_NO_OWNER for records without one
 * @n: its busy records
 * @total: of their durations
 * @longest: the longest
 * @longest_span: that one
 * @slow: the shortest duration that 99 of 100 of them do not exceed
 * @n_cores: cores that worked for it
 * @first: when its first record begins
 * @last: when its last record ends
 * @last_span: that one
 * @tail: from when the first of its cores had done its last record for it, to when the last had
 *
 * What was computed for an owner (an expert), without waits and triggers.
 */
typedef struct
{
  guint32     owner;
  guint64     n;
  CycWideTime total;
  gint64      longest;
  guint32     longest_span;
  gint64      slow;
  guint       n_cores;
  gint64      first;
  gint64      last;
  guint32     last_span;
  gint64      tail;
} CycSummaryOwner;

/**
 * CycSummaryWait:
 * @span: the wait
 * @ended_by: the record of another core that ended it, as far as times tell, or CYC_TIMELINE_NONE: the trigger that
 *   began last before the wait ended and went on after the wait began; without one, what ended last during the wait
 * @by_trigger: whether it is a trigger
 */
typedef struct
{
  guint32  span;
  guint32  ended_by;
  gboolean by_trigger;
} CycSummaryWait;

/**
 * CycTimelineSummary:
 * @timeline: what it is of
 * @from: when the first core came in
 * @to: when the last record ends
 * @cores: (element-type CycSummaryCore): the cores with records, in the order of their tracks
 * @first_in: index of the core that came in first
 * @last_in: index of the one that came in last
 * @first_out: index of the one whose last record ended first
 * @last_out: index of the one whose last record ended last
 * @stages: (element-type CycSummaryStage): the largest total first
 * @owners: (element-type CycSummaryOwner): the largest total first
 * @waits: (element-type CycSummaryWait): the longest first
 * @n_bins: columns of the heat map, from @from to @to
 * @heat: (array length=n_bins): for each core and each of its bins, how much of it was busy, 0 to 1
 *
 * What a cycle trace says to who wrote the kernel. It never changes, and may be read on any thread.
 */
typedef struct
{
  CycTimeline *timeline;
  gint64       from;
  gint64       to;
  GArray      *cores;
  guint        first_in;
  guint        last_in;
  guint        first_out;
  guint        last_out;
  GArray      *stages;
  GArray      *owners;
  GArray      *waits;
  guint        n_bins;
  float       *heat;
  gatomicrefcount refs;
} CycTimelineSummary;

GType               cyc_timeline_summary_get_type (void);
CycTimelineSummary *cyc_timeline_summary_new      (CycTimeline            *timeline,
                                                   const CycTimelineArea  *area,
                                                   guint                   n_waits,
                                                   guint                   n_bins,
                                                   GCancellable           *cancellable,
                                                   GError                **error);
CycTimelineSummary *cyc_timeline_summary_ref      (CycTimelineSummary     *self);
void                cyc_timeline_summary_unref    (CycTimelineSummary     *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycTimelineSummary, cyc_timeline_summary_unref)

G_END_DECLS
