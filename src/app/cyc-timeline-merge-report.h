/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/cycles/cyc-trace-merge.h"
#include "widgets/cyc-table-view.h"

G_BEGIN_DECLS

/**
 * CycTimelineMergeAlignment:
 * @invocation: (nullable): id of the invocation, as text
 * @kernel: its kernel
 * @outer: name of the event that it goes under
 * @pid: (nullable): of that event, as text
 * @ts: when that begins, microseconds
 * @dur: how long it takes, microseconds
 * @n_events: intervals of the invocation
 * @span: how long they take, microseconds
 * @exceeds: by how much they end after the outer event, microseconds
 * @is_device: whether the outer event is one of the device
 *
 * What goes where.
 */
typedef struct
{
  char     *invocation;
  char     *kernel;
  char     *outer;
  char     *pid;
  double    ts;
  double    dur;
  gint64    n_events;
  double    span;
  double    exceeds;
  gboolean  is_device;
} CycTimelineMergeAlignment;

/**
 * CycTimelineMergeReport:
 * @pattern: the expression that kernels were looked for by
 * @n_events: intervals that are merged
 * @alignments: (element-type CycTimelineMergeAlignment): one for each invocation
 *
 * The report of a merge, which megaKernelTraceMerge tells.
 */
typedef struct
{
  char      *pattern;
  gint64     n_events;
  GPtrArray *alignments;
} CycTimelineMergeReport;

CycTimelineMergeReport *cyc_timeline_merge_report_new       (CycTraceMerge           *merge,
                                                             GError                 **error);
void                    cyc_timeline_merge_report_free      (CycTimelineMergeReport  *self);
CycTableView           *cyc_timeline_merge_report_table_new (void);

G_END_DECLS
